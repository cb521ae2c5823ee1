//! Paragraphs amid the text of an article that only point to another one ("Also read: ..."), and
//! those around a mail in an archive ("Next message: ...").

use super::surroundings::is_link;
use crate::tags::Tag;
use crate::{Page, Verdict};

/// Most weighted letters before the colon. The words before it differ by language and site.
const MAX_LABEL: usize = 30;
/// Least weighted letters of the headline behind it. Names are shorter: "Photo: Ana Horvat".
const MIN_HEADLINE: f32 = 24.0;
/// Least letters of a paragraph of the text,
const MIN_PARAGRAPH: f32 = 80.0;
/// and the number of kept blocks on each side among which one must be.
const NEAR: usize = 3;
/// Largest difference of the bytes of the link from those behind the colon.
const TOLERANCE: usize = 4;

/// Least share of the `<pre>` of a mail in the kept text outside of links,
const MIN_MAIL: f32 = 0.5;
/// and of a line around it that is its label and links.
const MIN_LINKED: f32 = 0.8;

/// Drops the kept links around a mail: archives by Pipermail and MHonArc have the mail in a `<pre>`
/// that is directly in the body.
pub(super) fn drop_around_mail(page: &Page, verdicts: &mut [Verdict]) {
    let is_mail = |at: usize| {
        let node = &page.nodes[page.blocks[at].node as usize];
        node.marks.tag == Tag::Pre && page.nodes[node.parent as usize].marks.tag == Tag::Body
    };
    let (mut all, mut mail) = (0.0, 0.0);
    for at in (0..verdicts.len()).filter(|at| verdicts[*at].kept) {
        let block = &page.blocks[at];
        let bytes = block.text.len().saturating_sub(block.linked_bytes as usize) as f32;
        all += bytes;
        mail += if is_mail(at) { bytes } else { 0.0 };
    }
    if mail == 0.0 || mail < MIN_MAIL * all {
        return;
    }
    for at in (0..verdicts.len()).filter(|at| !is_mail(*at)) {
        let block = &page.blocks[at];
        let text = page.text_of(block);
        let label = text.split_once(':').map_or(0, |(label, _)| label.len() + 1);
        let least = MIN_LINKED * (text.len() - label) as f32;
        if verdicts[at].kept && block.links > 0 && block.linked_bytes as f32 >= least {
            verdicts[at] = Verdict::dropped("around a mail");
        }
    }
}

/// Drops kept paragraphs between those of a text that consist of a label, a colon and one link.
pub(super) fn drop(page: &Page, weights: &[f32], verdicts: &mut [Verdict]) {
    let kept: Vec<usize> = (0..verdicts.len())
        .filter(|at| verdicts[*at].kept && !page.blocks[*at].text.is_empty())
        .collect();
    let is_text = |at: &usize| weights[*at] >= MIN_PARAGRAPH && !is_link(page, *at);
    for (place, at) in kept.iter().enumerate() {
        if is_pointer(page, *at, weights[*at])
            && kept[..place].iter().rev().take(NEAR).any(is_text)
            && kept[place + 1..].iter().take(NEAR).any(is_text)
        {
            verdicts[*at] = Verdict::dropped("points to another article");
        }
    }
}

fn is_pointer(page: &Page, at: usize, weight: f32) -> bool {
    let block = &page.blocks[at];
    let tag = page.nodes[block.node as usize].marks.tag;
    if block.links != 1 || !matches!(tag, Tag::P | Tag::Div | Tag::Blockquote) {
        return false;
    }
    let text = page.text_of(block);
    let Some((label, headline)) = text.split_once([':', '：']) else { return false };
    let linked = block.linked_bytes as usize;
    let letters = label.chars().filter(|c| c.is_alphanumeric()).count();
    let behind = headline.trim().len();
    (2..=MAX_LABEL).contains(&letters)
        && weight - letters as f32 >= MIN_HEADLINE
        && linked.abs_diff(behind) <= TOLERANCE
        // An address is what the text is about: "Registration: https://example.org".
        && !headline.contains("//")
        && !headline.contains("www.")
        && !headline.contains('@')
}

#[cfg(test)]
mod tests {
    use crate::{content_of_text, ContentOptions, Extractor, Form};

    const TEXT: &str = "<p>The ferry to the island will not run between September and March, the \
        harbour office said on Monday, because the engine of the old boat has to be replaced. \
        People who live there will be taken across by a smaller boat twice a day.</p>";

    /// The text of an article with a paragraph in the middle and at the end.
    fn text(paragraph: &str) -> String {
        let html = format!(
            "<title>Ferry stops in autumn</title><article><h1>Ferry stops in autumn</h1>{TEXT}\
             {paragraph}{}{paragraph}</article>",
            TEXT.replace("ferry", "large ferry")
        );
        content_of_text(&html, &ContentOptions::new(Extractor::Best, Form::Text)).text
    }

    #[test]
    fn a_label_and_a_link_between_paragraphs_are_left_out() {
        for (pointer, headline) in [
            (
                "<p><strong>Also read: <a href=/7>New pier opens in the harbour</a></strong></p>",
                "pier",
            ),
            (
                "<p>» Soma pia:&nbsp;<a href=/7>Daraja jipya lafunguliwa kando ya bandari</a></p>",
                "Daraja",
            ),
            (
                "<div>یہ بھی پڑھیں: <a href=/7>بندرگاہ میں نیا پل کھول دیا گیا ہے</a></div>",
                "بندرگاہ",
            ),
            ("<p>あわせて読みたい：<a href=/7>港に新しい桟橋が完成しました</a></p>", "桟橋"),
        ] {
            let found = text(pointer);
            assert!(found.contains("large ferry"), "{found}");
            assert!(found.matches(headline).count() <= 1, "only below the text: {found}");
        }
    }

    #[test]
    fn links_around_a_mail_in_an_archive_are_left_out() {
        let links = |name: &str| {
            format!(
                "<ul><li>{name} message: <a href=3.html>[mashine] Swali kuhusu pampu ya maji</a>\
                 <li>Sorted by: <a href=d>[ date ]</a> <a href=t>[ thread ]</a></ul>"
            )
        };
        let mail = "Kivuko cha kisiwa hakitasafiri kati ya mwezi wa tisa na wa tatu.\nOfisi ya \
                    bandari ilisema hivyo Jumatatu asubuhi.\n\nTutaonana huko.";
        let html = format!(
            "<title>[mashine] Kivuko</title><body><h1>[mashine] Kivuko</h1>{}<hr><pre>{mail}</pre><hr>{}",
            links("Previous"),
            links("Next")
        );
        let options = ContentOptions::new(Extractor::Best, Form::Text);
        let found = content_of_text(&html, &options).text;
        assert!(found.contains("hakitasafiri") && found.contains("Tutaonana"), "{found}");
        assert!(!found.contains("Swali") && !found.contains("date"), "{found}");
    }

    #[test]
    fn names_addresses_and_sentences_with_a_link_are_kept() {
        for (before, linked, behind) in [
            ("Photo: ", "Ana Horvat", ""),
            ("Timetable: ", "https://example.org/ferry/timetable", ""),
            ("The office had warned: ", "the old boat has to be replaced soon", ", or else."),
            ("The office said so: ", "the boat is old", " and <a href=/8>the pier is new</a>"),
        ] {
            let found = text(&format!("<p>{before}<a href=/7>{linked}</a>{behind}</p>"));
            assert!(found.contains(linked), "{linked}: {found}");
        }
    }
}
