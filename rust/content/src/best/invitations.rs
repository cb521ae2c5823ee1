//! Boxes amid a text that ask a reader to subscribe or to follow the site. Their words differ by
//! language, and their names by template; but they have a field for an address of e-mail, or a link
//! to a channel.

use super::surroundings::is_link;
use crate::forum::Channel;
use crate::{Page, Verdict};

/// Most weighted letters of such a box,
const MAX_LETTERS: f32 = 400.0;
/// and its largest share of the kept text.
const MAX_SHARE: f32 = 0.2;
/// Most weighted letters of a paragraph with a link to a channel.
const MAX_PARAGRAPH: f32 = 250.0;

/// Drops the kept text in the largest element around each field for an address of e-mail that is
/// still a box, and each paragraph with a link to a channel. `weights`: the weighted letters of
/// each block.
pub(super) fn drop(page: &Page, weights: &[f32], verdicts: &mut [Verdict]) {
    if page.fields.is_empty() && page.channels.is_empty() {
        return;
    }
    let kept = weights.iter().zip(&*verdicts).filter(|(_, verdict)| verdict.kept);
    let most = MAX_SHARE * kept.map(|(letters, _)| letters).sum::<f32>();
    for (place, channel) in &page.channels {
        let at = after(page, *place);
        if at < verdicts.len()
            && verdicts[at].kept
            && weights[at] <= most.min(MAX_PARAGRAPH)
            // A sentence may name the channel of its source.
            && (*channel == Channel::OfSite || is_link(page, at))
        {
            verdicts[at] = Verdict::dropped("invites to a channel");
        }
    }
    let mut is_box = boxes(page, weights, most.min(MAX_LETTERS));
    // A node comes after its parent.
    for node in 1..is_box.len() {
        is_box[node] |= is_box[page.nodes[node].parent as usize];
    }
    for (block, verdict) in page.blocks.iter().zip(verdicts).filter(|(_, verdict)| verdict.kept) {
        if is_box.get(block.node as usize).is_some_and(|is_box| *is_box) {
            *verdict = Verdict::dropped("asks for an address");
        }
    }
}

/// Returns for each node whether it is such a box. `most`: its most weighted letters.
fn boxes(page: &Page, weights: &[f32], most: f32) -> Vec<bool> {
    if page.fields.is_empty() {
        return Vec::new();
    }
    let mut letters = vec![0.0; page.nodes.len()];
    for (block, weight) in page.blocks.iter().zip(weights) {
        letters[block.node as usize] += weight;
    }
    for node in (1..letters.len()).rev() {
        letters[page.nodes[node].parent as usize] += letters[node];
    }
    let mut is_box = vec![false; page.nodes.len()];
    let fits = |node: &u32| *node > 0 && letters[*node as usize] <= most;
    for (place, around) in &page.fields {
        // The text of a box stands on either side of its field, or before it.
        let found = common(page, after(page, *place)).into_iter().chain([*around]).find(fits);
        let up = |node: &u32| Some(page.nodes[*node as usize].parent).filter(fits);
        if let Some(node) = std::iter::successors(found, up).last() {
            is_box[node as usize] = true;
        }
    }
    is_box
}

/// The first block whose text ends after a place.
fn after(page: &Page, place: u32) -> usize {
    page.blocks.partition_point(|block| block.text.end <= place as usize)
}

/// The innermost element around a block and the last one with text before it.
fn common(page: &Page, at: usize) -> Option<u32> {
    let before = page.blocks.get(..at)?.iter().rev().find(|block| !block.text.is_empty())?;
    let (mut one, mut other) = (before.node, page.blocks.get(at)?.node);
    while one != other {
        // A node comes after its parent. The root is its own parent.
        let lower = if one > other { &mut one } else { &mut other };
        *lower = page.nodes[*lower as usize].parent;
    }
    Some(one)
}

#[cfg(test)]
mod tests {
    use crate::{content_of_text, ContentOptions, Extractor, Form};

    /// An article, a request and a button, in four languages.
    const TEXTS: [[&str; 3]; 4] = [
        [
            "دریا کے کنارے کی پرانی چکی اب بھی ہر خزاں میں گاؤں کے خاندانوں کا جو پیستی ہے۔",
            "ہر جمعے کو ہماری بہترین خبریں اپنے خط میں حاصل کریں، بالکل مفت۔",
            "بھیجیں",
        ],
        [
            "በወንዙ ዳር ያለው አሮጌ ወፍጮ አሁንም በየመጸው የመንደሩን ቤተሰቦች ገብስ ይፈጫል።",
            "በየሳምንቱ ዓርብ ምርጥ ዜናዎቻችንን በነጻ ይቀበሉ።",
            "ላክ",
        ],
        [
            "រោងម៉ាស៊ីនចាស់នៅមាត់ទន្លេនៅតែកិនស្រូវរបស់គ្រួសារក្នុងភូមិរៀងរាល់រដូវប្រមូលផល។",
            "ទទួលព័ត៌មានល្អបំផុតរបស់យើងរៀងរាល់ថ្ងៃសុក្រដោយឥតគិតថ្លៃ។",
            "ផ្ញើ",
        ],
        [
            "川沿いの古い水車は、今でも毎年秋になると村の家々の大麦を挽いている。",
            "毎週金曜日に編集部の選んだ記事を無料でお届けします。",
            "送信",
        ],
    ];

    fn text(text: &str, middle: &str) -> String {
        let paragraphs = |from: usize| -> String {
            (from..from + 4).map(|n| format!("<p>{text} {text} {n}</p>")).collect()
        };
        let html = format!(
            "<body><main><article><h1>{}</h1><div class=entry>{}{middle}{}</div></article></main>",
            &text.chars().take(24).collect::<String>(),
            paragraphs(0),
            paragraphs(4)
        );
        content_of_text(&html, &ContentOptions::new(Extractor::Best, Form::Text)).text
    }

    #[test]
    fn a_box_with_a_field_for_an_address_is_left_out_of_an_article() {
        for [article, request, button] in TEXTS {
            for request_of in [
                "<div class=a><h3>BUTTON</h3><p>REQUEST</p><form><input type=email><button>BUTTON</button></form></div>",
                "<div class=a><p>REQUEST</p><form><input type=email><input type=submit></form></div>",
                "<div><p>REQUEST</p><div><input name=EMAIL><button>BUTTON</button></div></div>",
                "<form><label>BUTTON <input type='email'></label><p>REQUEST</p></form>",
                "<p>REQUEST <a href=https://whatsapp.com/channel/0029>WhatsApp</a></p>",
                "<p><a href='https://news.google.com/publications/CAAq?hl=ur'>REQUEST</a></p>",
                "<p><strong><a href=https://t.me/old_mill>REQUEST</a></strong></p>",
                "<div><a href=https://line.me/R/ti/p/%40mill>REQUEST</a></div>",
            ] {
                let found =
                    text(article, &request_of.replace("REQUEST", request).replace("BUTTON", button));
                assert_eq!(found.matches(article).count(), 16, "{request_of}: {found}");
                assert!(!found.contains(request), "{request_of}: {found}");
            }
        }
    }

    #[test]
    fn other_links_and_fields_leave_the_text_around_them() {
        for [article, sentence, button] in TEXTS {
            for other in [
                format!("<p>{sentence} <a href=https://t.me/mill/7>Telegram</a></p>"),
                format!("<p>{sentence} <a href=https://t.me/old_mill>Telegram</a></p>"),
                format!("<p><a href=https://t.me/old_mill/77>{sentence}</a></p>"),
                format!("<p>{sentence} <a href=https://wa.me/25170000>WhatsApp</a></p>"),
                format!("<div><p>{sentence}</p><input type=search><button>{button}</button></div>"),
            ] {
                assert!(text(article, &other).contains(sentence), "{other}");
            }
            let field = "<form><input type=email></form>";
            let found = text(article, &format!("{field}<p>{sentence}</p>"));
            assert!(found.contains(sentence), "the article is around the field: {found}");
            let page = format!("<body><h1>{button}</h1><p>{article}</p>{field}</body>");
            let found = content_of_text(&page, &ContentOptions::new(Extractor::Best, Form::Text));
            assert!(found.text.contains(article), "the page is the box: {}", found.text);
        }
    }
}
