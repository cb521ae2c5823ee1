//! W2C's rules for paragraphs.
//!
//! Martin Majliš, "Large Multilingual Corpus" (thesis, Charles University, 2011): the text of a
//! page is its `<p>` with enough words, few links and little punctuation. If that is less than a
//! fifth of the page, `<div>` and table cells are paragraphs, too. The thesis does not define the
//! size of a page. Here it is all visible text, because with the bytes of HTML nearly every page
//! would use the second rule. Words are between spaces, so most texts in scripts without spaces are
//! dropped. A `<br>` separates words here; in the thesis it joined them, which its author calls an
//! error.

use crate::page::{Block, Page};
use crate::tags::Tag;
use crate::Verdict;
use unicode_general_category::{get_general_category, GeneralCategory as Category};

/// Least number of words of a paragraph.
const MIN_WORDS: u64 = 8;
/// Least number of words for each link.
const WORDS_PER_LINK: u64 = 2;
/// Paragraphs have fewer signs of punctuation than this, in percent of their words.
const MAX_PUNCTUATION: u64 = 66;
/// Share of the visible text, in percent, under which `<div>` and cells are paragraphs.
const MIN_SHARE: usize = 20;

/// Returns one verdict for each block.
pub(crate) fn classify(page: &Page) -> Vec<Verdict> {
    let verdicts = judge(page, |tag| tag == Tag::P);
    let visible: usize = page.blocks().iter().map(|block| block.text.len()).sum();
    let kept = page.blocks().iter().zip(&verdicts).filter(|(_, verdict)| verdict.kept);
    let kept: usize = kept.map(|(block, _)| block.text.len()).sum();
    if kept * 100 < visible * MIN_SHARE {
        judge(page, |tag| matches!(tag, Tag::P | Tag::Div | Tag::Td | Tag::Th))
    } else {
        verdicts
    }
}

/// Applies the rules to the paragraphs: runs of blocks whose nearest element of such a tag is the
/// same.
fn judge(page: &Page, is_paragraph: impl Fn(Tag) -> bool) -> Vec<Verdict> {
    let nearest = nearest(page, &is_paragraph);
    let paragraph = |block: &Block| nearest.get(block.node as usize).copied().flatten();
    let mut verdicts = Vec::with_capacity(page.blocks().len());
    for run in page.blocks().chunk_by(|one, next| paragraph(one) == paragraph(next)) {
        let verdict = match paragraph(&run[0]) {
            Some(_) => judge_paragraph(page, run),
            None => Verdict::dropped("not in a paragraph"),
        };
        verdicts.extend(run.iter().map(|_| verdict));
    }
    verdicts
}

/// For each node the nearest element that is a paragraph, itself included.
fn nearest(page: &Page, is_paragraph: impl Fn(Tag) -> bool) -> Vec<Option<u32>> {
    let mut nearest: Vec<Option<u32>> = Vec::with_capacity(page.nodes.len());
    for (number, node) in (0..).zip(&page.nodes) {
        let above = nearest.get(node.parent as usize).copied().flatten();
        nearest.push(if is_paragraph(node.marks.tag) { Some(number) } else { above });
    }
    nearest
}

fn judge_paragraph(page: &Page, blocks: &[Block]) -> Verdict {
    let words: u64 = blocks.iter().map(|block| u64::from(block.words)).sum();
    let links: u64 = blocks.iter().map(|block| u64::from(block.links)).sum();
    let signs: usize = blocks.iter().map(|block| punctuation(page.text_of(block))).sum();
    match () {
        () if words < MIN_WORDS => Verdict::dropped("few words"),
        () if words < WORDS_PER_LINK * links => Verdict::dropped("many links"),
        () if signs as u64 * 100 >= words * MAX_PUNCTUATION => Verdict::dropped("much punctuation"),
        () => Verdict::kept("a paragraph of words"),
    }
}

/// Number of signs of punctuation (Unicode's categories P).
fn punctuation(text: &str) -> usize {
    let is_sign = |c: &char| {
        matches!(
            get_general_category(*c),
            Category::ClosePunctuation
                | Category::ConnectorPunctuation
                | Category::DashPunctuation
                | Category::FinalPunctuation
                | Category::InitialPunctuation
                | Category::OpenPunctuation
                | Category::OtherPunctuation
        )
    };
    text.chars().filter(is_sign).count()
}

#[cfg(test)]
mod tests {
    use crate::{classify, parse_for, Extractor, Limits};

    fn kept(html: &str) -> Vec<String> {
        let page = parse_for(Extractor::W2c, html, &Limits::default());
        let verdicts = classify(&page, Extractor::W2c);
        let kept = page.blocks().iter().zip(verdicts).filter(|(_, verdict)| verdict.kept);
        kept.map(|(block, _)| page.text_of(block).to_owned()).collect()
    }

    #[test]
    fn a_paragraph_has_eight_words() {
        let seven = "one two three four five six seven";
        assert!(kept(&format!("<p>{seven}")).is_empty());
        assert_eq!(kept(&format!("<p>{seven} eight")), [format!("{seven} eight")]);
    }

    #[test]
    fn a_paragraph_has_two_words_for_each_link() {
        let linked = |links: usize, words: usize| {
            format!("<p>{}{}", "<a href=x>w</a> ".repeat(links), "w ".repeat(words))
        };
        assert_eq!(kept(&linked(5, 5)).len(), 1);
        assert_eq!(kept(&linked(6, 5)).len(), 0);
        assert_eq!(kept(&linked(1, 7)).len(), 1);
    }

    #[test]
    fn a_paragraph_has_less_than_two_thirds_as_many_signs_as_words() {
        let of = |signs: usize| kept(&format!("<p>{}{}", "word ".repeat(100), ",".repeat(signs)));
        assert_eq!((of(65).len(), of(66).len()), (1, 0));
        // Vowel killers (virama) are no punctuation, the danda is.
        let hindi = "\u{915}\u{94d}\u{937} ".repeat(100);
        assert_eq!(kept(&format!("<p>{hindi}")).len(), 1);
        assert_eq!(kept(&format!("<p>{hindi}{}", "\u{964}".repeat(66))).len(), 0);
    }

    #[test]
    fn divisions_and_cells_are_paragraphs_of_a_page_without_others() {
        let words = "one two three four five six seven eight nine ten";
        let division = format!("<div>{words}</div><table><tr><td>{words}</table>");
        assert_eq!(kept(&division).len(), 2);
        let some = format!("<p>{words}</p>{division}");
        assert_eq!(kept(&some).len(), 1, "a fifth or more of the text is in <p>");
        let few = format!("<p>{words}</p>{}", division.repeat(8));
        assert_eq!(kept(&few).len(), 17);
    }

    #[test]
    fn the_first_paragraph_after_a_title_is_one() {
        let words = "one two three four five six seven eight";
        assert_eq!(kept(&format!("<title>T</title><p>{words}<p>{words}")).len(), 2);
    }

    #[test]
    fn a_break_separates_words() {
        let html =
            "<p>one two three<br>four five six<br>seven eight\u{3002}<br>\u{5c71}<br>\u{5ddd}";
        assert_eq!(
            kept(html).join(" "),
            "one two three four five six seven eight\u{3002} \u{5c71} \u{5ddd}"
        );
    }
}
