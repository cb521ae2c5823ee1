//! jusText: paragraphs with full sentences, found by their length, their links and their share of
//! stop words, and then by their neighbours.
//!
//! Jan Pomikálek, "Removing Boilerplate and Duplicate Content from Web Corpora" (thesis, Masaryk
//! University, 2011), with the parameters of his program's version 3. A paragraph is a run of
//! blocks that only inline elements and single `<br>` separate. Lengths are characters, the share
//! of links is one of bytes. Without stop words the thresholds of their share are 0, as in the
//! program's mode without a language.

use crate::page::Page;
use crate::tags::Tag;
use crate::Verdict;
use std::ops::Range;

/// Counts stop words: the frequent words of the language of the page.
pub trait StopWords: Send + Sync {
    /// Returns the number of stop words and of all words in a text.
    fn count(&self, text: &str) -> (usize, usize);
}

/// Largest share of links.
const MAX_LINK_DENSITY: f64 = 0.2;
/// Shorter paragraphs are judged by their neighbours alone, in characters.
const LENGTH_LOW: usize = 70;
/// Paragraphs with full sentences are longer, in characters.
const LENGTH_HIGH: usize = 200;
/// Least share of stop words in a paragraph that may be good.
const STOPWORDS_LOW: f64 = 0.30;
/// Least share of stop words in a good paragraph.
const STOPWORDS_HIGH: f64 = 0.32;
/// Largest number of characters between a heading and a good paragraph.
const MAX_HEADING_DISTANCE: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Bad,
    Short,
    NearGood,
    Good,
}

use Class::{Bad, Good, NearGood, Short};

/// A paragraph, its class, and the reason for it.
struct Paragraph {
    blocks: Range<usize>,
    /// Length in characters.
    length: usize,
    is_heading: bool,
    /// The class by the paragraph alone is bad.
    is_bad_alone: bool,
    class: Class,
    reason: &'static str,
}

impl Paragraph {
    fn set(&mut self, class: Class, reason: &'static str) {
        (self.class, self.reason) = (class, reason);
    }
}

/// Returns one verdict for each block.
pub(crate) fn classify(page: &Page, stop_words: Option<&dyn StopWords>) -> Vec<Verdict> {
    let places = places(page);
    let mut paragraphs: Vec<Paragraph> =
        runs(page).map(|blocks| classify_alone(page, &places, blocks, stop_words)).collect();
    revise(&mut paragraphs);
    let mut verdicts = vec![Verdict::dropped("no text"); page.blocks().len()];
    for Paragraph { blocks, class, reason, .. } in paragraphs {
        verdicts[blocks].fill(Verdict { kept: class == Good, reason });
    }
    verdicts
}

/// The blocks of each paragraph. Blocks without text belong to the paragraph before them.
fn runs(page: &Page) -> impl Iterator<Item = Range<usize>> + '_ {
    let begins = |at: &usize| {
        let block = &page.blocks()[*at];
        !block.continues && !block.text.is_empty()
    };
    let mut start = 0;
    std::iter::from_fn(move || {
        let blocks = page.blocks().len();
        (start < blocks).then(|| {
            let end = (start + 1..blocks).find(begins).unwrap_or(blocks);
            std::mem::replace(&mut start, end)..end
        })
    })
}

/// Properties of a block that the elements around it define.
#[derive(Clone, Copy, Default)]
struct Place {
    is_heading: bool,
    /// In an element of a form whose text is no text of the page.
    is_control: bool,
}

/// Returns the place of each node. A parent comes before its children.
fn places(page: &Page) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::with_capacity(page.nodes.len());
    for node in &page.nodes {
        let mut place = places.get(node.parent as usize).copied().unwrap_or_default();
        match node.marks.tag {
            tag if tag.rank() > 0 => place.is_heading = true,
            Tag::Button | Tag::Select | Tag::Textarea => place.is_control = true,
            _ => {}
        }
        places.push(place);
    }
    places
}

/// The classification without context.
fn classify_alone(
    page: &Page,
    places: &[Place],
    blocks: Range<usize>,
    stop_words: Option<&dyn StopWords>,
) -> Paragraph {
    let (mut bytes, mut linked, mut length, mut stop, mut words) = (0, 0, 0, 0, 0);
    let mut place = Place::default();
    let mut has_copyright = false;
    for block in &page.blocks()[blocks.clone()] {
        let text = page.text_of(block);
        bytes += text.len();
        linked += block.linked_bytes as usize;
        // A space stands for the `<br>` between two blocks.
        length += text.chars().count() + usize::from(length > 0);
        has_copyright |= text.contains('\u{a9}');
        let (some, all) = stop_words.map_or((0, 0), |stop_words| stop_words.count(text));
        (stop, words) = (stop + some, words + all);
        let around = places.get(block.node as usize).copied().unwrap_or_default();
        place.is_heading |= around.is_heading;
        place.is_control |= around.is_control;
    }
    let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
    let (low, high) = stop_words.map_or((0.0, 0.0), |_| (STOPWORDS_LOW, STOPWORDS_HIGH));
    let density = share(stop, words);
    let (class, reason) = match () {
        () if place.is_control => (Bad, "control of a form"),
        () if share(linked, bytes) > MAX_LINK_DENSITY => (Bad, "many links"),
        () if has_copyright => (Bad, "copyright notice"),
        () if length < LENGTH_LOW && linked > 0 => (Bad, "short, with a link"),
        () if length < LENGTH_LOW => (Short, "short"),
        () if density >= high && length > LENGTH_HIGH => (Good, "long, with many stop words"),
        () if density >= low => (NearGood, "with many stop words"),
        () => (Bad, "few stop words"),
    };
    let is_bad_alone = class == Bad;
    Paragraph { blocks, length, is_heading: place.is_heading, is_bad_alone, class, reason }
}

/// The classification by neighbours. Takes linear time.
fn revise(paragraphs: &mut [Paragraph]) {
    for at in 0..paragraphs.len() {
        let paragraph = &paragraphs[at];
        if paragraph.is_heading && paragraph.class == Short && comes_before_good(paragraphs, at) {
            paragraphs[at].set(NearGood, "heading before a good paragraph");
        }
    }
    revise_short(paragraphs);
    revise_near_good(paragraphs);
    for at in 0..paragraphs.len() {
        let Paragraph { is_heading, is_bad_alone, class, .. } = paragraphs[at];
        if is_heading && !is_bad_alone && class == Bad && comes_before_good(paragraphs, at) {
            paragraphs[at].set(Good, "heading before a good paragraph");
        }
    }
}

/// Returns true if a good paragraph follows within the distance. Every step adds to the distance,
/// so this takes bounded time.
fn comes_before_good(paragraphs: &[Paragraph], at: usize) -> bool {
    let mut distance = 0;
    for paragraph in &paragraphs[at + 1..] {
        if distance > MAX_HEADING_DISTANCE {
            return false;
        }
        if paragraph.class == Good {
            return true;
        }
        distance += paragraph.length.max(1);
    }
    false
}

/// Returns for each paragraph the last class before it that counts; bad if there is none.
fn nearest<'p>(
    paragraphs: impl Iterator<Item = &'p Paragraph>,
    counts: impl Fn(Class) -> bool,
) -> Vec<Class> {
    let mut last = Bad;
    paragraphs
        .map(|paragraph| {
            let next = if counts(paragraph.class) { paragraph.class } else { last };
            std::mem::replace(&mut last, next)
        })
        .collect()
}

/// [`nearest`] from the end: the next class after each paragraph that counts.
fn nearest_after(paragraphs: &[Paragraph], counts: impl Fn(Class) -> bool) -> Vec<Class> {
    let mut classes = nearest(paragraphs.iter().rev(), counts);
    classes.reverse();
    classes
}

/// A short paragraph is good between good ones, and between a good one and a bad one if the nearest
/// on the bad side is near good.
fn revise_short(paragraphs: &mut [Paragraph]) {
    let clear = |class| matches!(class, Good | Bad);
    let all = |class| class != Short;
    let (before, near_before) =
        (nearest(paragraphs.iter(), clear), nearest(paragraphs.iter(), all));
    let (after, near_after) = (nearest_after(paragraphs, clear), nearest_after(paragraphs, all));
    for (at, paragraph) in paragraphs.iter_mut().enumerate().filter(|(_, p)| p.class == Short) {
        let (class, reason) = match (before[at], after[at]) {
            (Good, Good) => (Good, "short, between good paragraphs"),
            (Bad, Bad) => (Bad, "short, between bad paragraphs"),
            (Bad, _) if near_before[at] == NearGood => (Good, "short, near a good paragraph"),
            (_, Bad) if near_after[at] == NearGood => (Good, "short, near a good paragraph"),
            _ => (Bad, "short, beside a bad paragraph"),
        };
        paragraph.set(class, reason);
    }
}

/// A paragraph that is near good is bad between bad ones, and good otherwise.
fn revise_near_good(paragraphs: &mut [Paragraph]) {
    let after = nearest_after(paragraphs, |class| matches!(class, Good | Bad));
    let mut before = Bad;
    for (paragraph, after) in paragraphs.iter_mut().zip(after) {
        if paragraph.class == NearGood {
            if (before, after) == (Bad, Bad) {
                paragraph.set(Bad, "between bad paragraphs");
            } else {
                paragraph.set(Good, "near a good paragraph");
            }
        }
        before = paragraph.class;
    }
}

#[cfg(test)]
mod tests {
    use super::{StopWords, LENGTH_HIGH, LENGTH_LOW};
    use crate::{classify_with, parse_for, Extractor, Limits, Verdict};

    /// The words `a` and `the` are stop words.
    struct Few;

    impl StopWords for Few {
        fn count(&self, text: &str) -> (usize, usize) {
            let stop = text.split(' ').filter(|word| ["a", "the"].contains(word)).count();
            (stop, text.split(' ').count())
        }
    }

    fn verdicts(html: &str, stop_words: Option<&dyn StopWords>) -> Vec<Verdict> {
        let page = parse_for(Extractor::JusText, html, &Limits::default());
        classify_with(&page, Extractor::JusText, stop_words, crate::Comments::Keep)
    }

    fn kept(html: &str) -> Vec<bool> {
        verdicts(html, Some(&Few)).iter().map(|verdict| verdict.kept).collect()
    }

    /// A text of this number of characters. Half of its words are stop words.
    fn text(length: usize) -> String {
        let text: String = "the fox a mile ".repeat(length).chars().take(length).collect();
        text.trim_end().to_owned() + &"x".repeat(length - text.trim_end().len())
    }

    #[test]
    fn a_long_paragraph_with_stop_words_is_good_alone() {
        let long = text(LENGTH_HIGH + 1);
        assert_eq!(kept(&format!("<p>{long}")), [true]);
        assert_eq!(kept(&format!("<p>{}", text(LENGTH_HIGH))), [false], "near good alone is bad");
        assert_eq!(kept(&format!("<p>{}", long.replace("the", "one"))), [false]);
        assert_eq!(kept(&format!("<p>{long} \u{a9} 2026")), [false]);
        assert_eq!(kept(&format!("<button>{long}</button>")), [false]);
    }

    #[test]
    fn many_links_are_bad() {
        let long = text(LENGTH_HIGH + 1);
        let linked = |share: usize| {
            let (link, rest) = long.split_at(LENGTH_HIGH * share / 100);
            kept(&format!("<p><a href=x>{link}</a>{rest}"))
        };
        assert_eq!((linked(15), linked(30)), (vec![true], vec![false]));
    }

    #[test]
    fn short_paragraphs_follow_their_neighbours() {
        let (long, near, short) = (text(LENGTH_HIGH + 1), text(LENGTH_LOW + 9), "Some words");
        let page = |parts: &[&str]| {
            kept(&parts.iter().map(|part| format!("<p>{part}</p>")).collect::<String>())
        };
        assert_eq!(page(&[&long, short, &long]), [true; 3]);
        assert_eq!(page(&[short, &long, short]), [false, true, false]);
        assert_eq!(page(&[&long, short, &near]), [true; 3]);
        assert_eq!(page(&[&near, short, &near]), [false; 3]);
        assert_eq!(page(&[&long, "<a href=x>Some words</a>", &long]), [true, false, true]);
    }

    #[test]
    fn a_heading_before_a_good_paragraph_is_kept_within_the_distance() {
        let long = text(LENGTH_HIGH + 1);
        assert_eq!(kept(&format!("<h5>Some words</h5><p>{long}")), [true, true]);
        assert_eq!(kept(&format!("<title>T</title><h5>Some</h5><p>{long}")), [true, true]);
        let between = format!("<p>{}</p>", "w".repeat(LENGTH_LOW));
        let html = |times| format!("<h2>Some words</h2>{}<p>{long}", between.repeat(times));
        assert_eq!(kept(&html(2)), [true, false, false, true]);
        assert_eq!(kept(&html(3)), [false, false, false, false, true]);
    }

    #[test]
    fn one_break_is_in_a_paragraph_and_two_end_it() {
        let half = text(LENGTH_HIGH / 2 + 1);
        let kept_with = |breaks: &str| kept(&format!("<div>{half}{breaks}{half}</div>"));
        assert_eq!(kept_with("<br>"), [true, true]);
        assert_eq!(kept_with("<small> </small><br>"), [true, true]);
        assert_eq!(kept_with("<br><br>"), [false, false]);
        assert_eq!(kept_with("</div><div>"), [false, false]);
    }

    #[test]
    fn without_stop_words_every_long_paragraph_is_good() {
        let html = format!("<p>{}</p><p>short</p>", "word ".repeat(LENGTH_HIGH / 5 + 2));
        assert_eq!(kept(&html), [false, false]);
        let verdicts = verdicts(&html, None);
        assert_eq!([verdicts[0].kept, verdicts[1].kept], [true, false]);
    }
}
