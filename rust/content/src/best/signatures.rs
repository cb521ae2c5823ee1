//! Signatures below the posts of a forum, and dates above them.

use super::comments::downwards;
use super::dates::is_date_line;
use super::numbers::Numbers;
use super::surroundings::alike;
use crate::{Page, Verdict};
use foldhash::{HashMap, HashMapExt};

/// Drops the signatures of those who write in a forum: the same lines below each of their posts.
pub(super) fn drop(page: &Page, verdicts: &mut [Verdict]) {
    if !page.nodes.iter().any(|node| node.marks.is_signature()) {
        return;
    }
    let is_signature = downwards(page, |_, node| node.marks.is_signature());
    let is_in = |at: usize| is_signature[page.blocks[at].node as usize];
    if !(0..verdicts.len()).any(|at| verdicts[at].kept && !is_in(at)) {
        return;
    }
    for at in (0..verdicts.len()).filter(|at| is_in(*at)) {
        verdicts[at] = Verdict::dropped("signature");
    }
}

/// Least dates with the same elements.
const MIN_DATES: u32 = 3;

/// Drops the dates of posts and of threads in a list: kept lines in the same elements, each with a
/// date or a time. `weights`: the weighted letters of each block.
pub(super) fn drop_dates(page: &Page, weights: &[f32], verdicts: &mut [Verdict]) {
    // The kept blocks in the same elements, and how many of them are dates.
    let (mut numbers, mut groups) = (Numbers::new(), Vec::<(u32, u32)>::new());
    let has_text = |at: &usize| verdicts[*at].kept && !page.blocks[*at].text.is_empty();
    let kept: Vec<usize> = (0..verdicts.len()).filter(has_text).collect();
    let of_kept: Vec<usize> = kept
        .iter()
        .map(|at| {
            let block = &page.blocks[*at];
            let group = numbers.of(alike(page, block.node as usize), &mut groups);
            groups[group].0 += 1;
            groups[group].1 += u32::from(is_date_line(page.text_of(block), weights[*at]));
            group
        })
        .collect();
    let are_dates = |(blocks, dates): &(u32, u32)| *blocks >= MIN_DATES && blocks == dates;
    if groups.iter().all(are_dates) {
        return;
    }
    for (at, group) in kept.into_iter().zip(of_kept) {
        if are_dates(&groups[group]) {
            verdicts[at] = Verdict::dropped("date of a post");
        }
    }
}

/// Least weighted letters of a signature, and of the post above it.
const MIN_SIGNATURE: f32 = 12.0;
const MIN_POST: f32 = 40.0;

/// Drops signatures that no name shows: on a page of dated posts, kept lines that are below the
/// text of two posts and more, with the same words in the same elements.
pub(super) fn drop_repeated(page: &Page, weights: &[f32], verdicts: &mut [Verdict]) {
    let texts: Vec<usize> =
        (0..verdicts.len()).filter(|at| !page.blocks[*at].text.is_empty()).collect();
    let text = |at: usize| page.text_of(&page.blocks[at]);
    // Of the blocks in the same elements, how many there are and how many of them are dates.
    let (mut numbers, mut groups) = (Numbers::new(), Vec::<(u32, u32)>::new());
    let of_texts: Vec<usize> = texts
        .iter()
        .map(|at| {
            let group = numbers.of(alike(page, page.blocks[*at].node as usize), &mut groups);
            groups[group].0 += 1;
            groups[group].1 += u32::from(is_date_line(text(*at), weights[*at]));
            group
        })
        .collect();
    let dates = (0..groups.len()).filter(|group| groups[*group].0 == groups[*group].1);
    let Some(dates) = dates.max_by_key(|group| groups[*group].0) else { return };
    if groups[dates].0 < MIN_DATES {
        return;
    }
    // For each line that ends a post, in its elements: the last such post, and whether there are
    // more.
    let mut seen = HashMap::<(usize, &str), (u32, bool)>::new();
    let (mut post, mut has_text) = (0, false);
    let (mut ends, mut last) = (Vec::new(), Vec::new());
    for (at, group) in texts.into_iter().zip(of_texts) {
        let is_date = group == dates;
        if is_date {
            ends.extend(last.drain(..).map(|(at, group)| (at, group, post)));
            (post, has_text) = (post + 1, false);
        } else if post > 0 && weights[at] >= MIN_SIGNATURE {
            let is_text = weights[at] >= MIN_POST;
            if is_text {
                last.clear();
            }
            if has_text {
                last.push((at, group));
            }
            has_text |= is_text;
        }
    }
    ends.extend(last.into_iter().map(|(at, group)| (at, group, post)));
    for (at, group, post) in &ends {
        let (last, is_in_several) = seen.entry((*group, text(*at))).or_insert((*post, false));
        *is_in_several |= last != post;
        *last = *post;
    }
    for (at, group, _) in ends {
        let is_in_several = seen.get(&(group, text(at))).is_some_and(|(_, several)| *several);
        if is_in_several && verdicts[at].kept {
            verdicts[at] = Verdict::dropped("signature");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{drop_dates, drop_repeated};
    use crate::{content_of_text, parse, ContentOptions, Extractor, Form, Limits, Page, Verdict};

    /// Returns the texts that are left of posts with these dates.
    fn left(dates: &[&str], post: &str) -> Vec<String> {
        let posts = dates.iter().map(|date| format!("<div><i><p>{date}</p></i>{post}</div>"));
        left_by(drop_dates, &posts.collect::<String>())
    }

    /// Returns the texts that a rule leaves of a page.
    fn left_by(rule: fn(&Page, &[f32], &mut [Verdict]), html: &str) -> Vec<String> {
        let page = parse(html, &Limits::default());
        let text = |at: usize| page.text_of(&page.blocks()[at]);
        let blocks = page.blocks().len();
        let weights: Vec<f32> = (0..blocks).map(|at| text(at).chars().count() as f32).collect();
        let mut verdicts = vec![Verdict::kept("test"); blocks];
        rule(&page, &weights, &mut verdicts);
        let is_left = |at: &usize| verdicts[*at].kept;
        (0..blocks).filter(is_left).map(|at| text(at).to_owned()).collect()
    }

    const POST: &str = "<blockquote>Injini imebadilishwa jana, nayo ina nguvu zaidi.</blockquote>";
    const DATES: [&str; 3] = ["Juni 3, 2026, 8:11", "۱۴۰۵/۳/۱۴ ۸:۱۲", "2026年6月5日"];

    #[test]
    fn dates_of_posts_are_dropped_in_any_digits() {
        assert_eq!(left(&DATES, POST).len(), 3);
        assert!(left(&DATES, POST).iter().all(|text| text.starts_with("Injini")));
    }

    fn text(html: &str) -> String {
        content_of_text(html, &ContentOptions::new(Extractor::Best, Form::Text)).text
    }

    #[test]
    fn dates_in_a_list_of_threads_are_dropped() {
        const TITLE: &str = "<title>Injini na mashua</title><h1>Injini na mashua</h1>";
        let thread = |at: usize| {
            format!(
                "<div class=item><div class=title><a href=/n{at}>Injini ya mashua ndogo namba {at}</a>\
                 </div><div class=when>Juni {at}, 2026, 8:1{at}</div></div>"
            )
        };
        let list: String = (1..10).map(thread).collect();
        let found = text(&format!("{TITLE}<meta name=generator content=phpBB>{list}"));
        assert!(found.contains("ndogo namba 7") && !found.contains("2026"), "{found}");
        let found = text(&format!("{TITLE}{list}"));
        assert!(found.contains("2026"), "no forum: {found}");
    }

    #[test]
    fn signatures_without_a_name_are_dropped() {
        let posts = |signatures: [&str; 3]| {
            let post = |(at, line): (usize, &str)| {
                format!(
                    "<div><i><p>{}</p></i><blockquote>Injini imebadilishwa jana, nayo ina nguvu zaidi {at}.\
                     </blockquote><em>{line}</em></div>",
                    DATES[at]
                )
            };
            left_by(
                drop_repeated,
                &signatures.into_iter().enumerate().map(post).collect::<String>(),
            )
        };
        let line = "Polepole ndio mwendo";
        let is_line = |texts: Vec<String>| texts.iter().filter(|text| *text == line).count();
        assert_eq!(posts([line, "Haba na haba hujaza kibaba", line]).len(), 7);
        assert_eq!(is_line(posts([line, "Haba na haba hujaza kibaba", line])), 0);
        assert_eq!(is_line(posts([line, "Haba na haba", "Mgeni njoo"])), 1, "once");
        let quoted = DATES.map(|date| {
            format!(
                "<div><i><p>{date}</p></i><em>{line}</em><blockquote>Injini {date} imebadilishwa \
                     jana, nayo ina nguvu zaidi.</blockquote></div>"
            )
        });
        assert_eq!(is_line(left_by(drop_repeated, &quoted.concat())), 3, "above the text");
    }

    #[test]
    fn single_dates_and_posts_with_a_time_in_them_are_kept() {
        assert_eq!(left(&DATES[..2], POST).len(), 4, "two dates");
        let answers = ["Saa 9:45 asubuhi", "Saa 10:30", "Sijui"];
        assert_eq!(left(&answers, POST).len(), 6, "one is no date");
        assert_eq!(left(&DATES, "").len(), 3, "nothing else is kept");
    }
}
