//! Signatures below the posts of a forum, and dates above them.

use super::comments::downwards;
use super::dates::is_date_line;
use super::numbers::Numbers;
use super::surroundings::alike;
use crate::{Page, Verdict};

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

#[cfg(test)]
mod tests {
    use super::drop_dates;
    use crate::{content_of_text, parse, ContentOptions, Extractor, Form, Limits, Verdict};

    /// Returns the texts that are left of posts with these dates.
    fn left(dates: &[&str], post: &str) -> Vec<String> {
        let posts = dates.iter().map(|date| format!("<div><i><p>{date}</p></i>{post}</div>"));
        let page = parse(&posts.collect::<String>(), &Limits::default());
        let text = |at: usize| page.text_of(&page.blocks()[at]);
        let blocks = page.blocks().len();
        let weights: Vec<f32> = (0..blocks).map(|at| text(at).chars().count() as f32).collect();
        let mut verdicts = vec![Verdict::kept("test"); blocks];
        drop_dates(&page, &weights, &mut verdicts);
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
    fn single_dates_and_posts_with_a_time_in_them_are_kept() {
        assert_eq!(left(&DATES[..2], POST).len(), 4, "two dates");
        let answers = ["Saa 9:45 asubuhi", "Saa 10:30", "Sijui"];
        assert_eq!(left(&answers, POST).len(), 6, "one is no date");
        assert_eq!(left(&DATES, "").len(), 3, "nothing else is kept");
    }
}
