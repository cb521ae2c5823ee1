//! The page on which judges fill in a sheet in their browser.
//!
//! It is one file: it needs no server and no network, and its content security policy forbids both.
//! The pages to judge are JSON in it, and the script shows them as text only. It saves and loads
//! judgements as a sheet, so that [`Judgements`](crate::Judgements) reads them.

use crate::sheet::{Drawn, Judgement};
use serde::Serialize;
use std::fmt::Write as _;
use std::io;

const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// Types of pages, those of ArabicWeb16 (Suwaileh and others 2016).
pub const TYPES: [&str; 7] =
    ["information", "discussion", "news", "services", "organization", "entertainment", "other"];

/// What the page offers to the judges.
#[derive(Debug)]
pub struct Form<'a> {
    /// Name of the language of the corpus, for the question.
    pub language: &'a str,
    /// Names of languages that the pages may be in instead.
    pub others: &'a [&'a str],
}

#[derive(Serialize)]
struct Data<'a> {
    verdicts: Vec<Verdict>,
    types: [&'static str; 7],
    pages: Vec<Page<'a>>,
}

#[derive(Serialize)]
struct Verdict {
    key: char,
    label: &'static str,
}

#[derive(Serialize)]
struct Page<'a> {
    page: String,
    url: &'a str,
    /// The URL as a cell in which a spreadsheet runs no formula.
    cell: String,
    text: &'a str,
}

/// Writes the page. Pages to judge keep their order. Text of pages is never markup: it is in JSON
/// without `<`, and the script sets it as text.
///
/// # Errors
/// Fails if the page cannot be written.
pub fn write_page(mut out: impl io::Write, form: &Form, drawn: &[(u64, Drawn)]) -> io::Result<()> {
    let data = Data {
        verdicts: Judgement::OFFERED
            .iter()
            .map(|(judgement, key, _)| Verdict { key: *key, label: judgement.label() })
            .collect(),
        types: TYPES,
        pages: drawn
            .iter()
            .map(|(name, page)| Page {
                page: format!("{name:016x}"),
                url: &page.url,
                cell: render::tsv::guarded(&page.url).into_owned(),
                text: &page.text,
            })
            .collect(),
    };
    // Within strings only, so that it stays the same JSON. Without `<` it cannot end the element.
    let json = serde_json::to_string(&data)?.replace('<', "\\u003c");
    let language = escaped(form.language);
    let mut buttons = String::new();
    for (judgement, key, text) in Judgement::OFFERED {
        let text = text.replace("{language}", &language);
        let _ = writeln!(
            buttons,
            "<button type=\"button\" data-verdict=\"{}\" aria-pressed=\"false\"><kbd>{key}</kbd>{text}</button>",
            judgement.label()
        );
    }
    let mut types = String::new();
    for (name, number) in TYPES.into_iter().zip(1..) {
        let _ = writeln!(
            types,
            "<button type=\"button\" data-type=\"{name}\" aria-pressed=\"false\"><kbd>{number}</kbd>{name}</button>"
        );
    }
    let others: String = form
        .others
        .iter()
        .map(|name| format!("<option value=\"{}\"></option>", escaped(name)))
        .collect();
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>Pages to judge: {language}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>Is this page in {language}?</h1>\n<span id=\"number\"></span>\n<span id=\"done\" role=\"status\"></span>\n</header>\n\
         <progress id=\"progress\" value=\"0\" aria-label=\"Judged pages\"></progress>\n\
         <main>\n<p class=\"url\" id=\"url\"></p>\n<div class=\"text\" id=\"text\" aria-live=\"polite\"></div>\n\
         <fieldset><legend>Judgement</legend>\n{buttons}\
         <label>language of the page: <input type=\"text\" id=\"language\" list=\"languages\" dir=\"auto\" maxlength=\"60\" autocomplete=\"off\"></label>\
         <datalist id=\"languages\">{others}</datalist></fieldset>\n\
         <fieldset><legend>Type of page</legend>\n{types}</fieldset>\n\
         <p><label>note: <input type=\"text\" id=\"note\" dir=\"auto\" size=\"40\" maxlength=\"500\" autocomplete=\"off\"></label></p>\n\
         <div class=\"row\"><button type=\"button\" id=\"back\"><kbd>←</kbd>back</button>\
         <button type=\"button\" id=\"next\"><kbd>→</kbd>next</button>\
         <button type=\"button\" id=\"unjudged\"><kbd>u</kbd>next without judgement</button></div>\n\
         <hr>\n<div class=\"row\"><label>your name: <input type=\"text\" id=\"judge\" dir=\"auto\" maxlength=\"40\" autocomplete=\"off\"></label>\
         <button type=\"button\" id=\"save\">save to a file</button>\
         <label class=\"file\">load a file<input type=\"file\" id=\"load\" accept=\".tsv,text/tab-separated-values\"></label></div>\n\
         <p id=\"said\" role=\"status\"></p>\n\
         <p class=\"note\">This page works offline and sends nothing. Your judgements are lost if you close it before you save them. \
         […] marks text that is left out. Leave a page without a judgement if you are not sure.</p>\n</main>\n\
         <script type=\"application/json\" id=\"data\">{json}</script>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
    )?;
    out.flush()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_pages_is_never_markup() {
        let attack = "</script><script>alert(1)</script><!--\"'>";
        let page = Drawn::new(&format!("http://a.pk/{attack}"), &format!("{attack}\n{attack}"));
        let form = Form { language: attack, others: &[attack] };
        let written = |drawn: &[(u64, Drawn)], form: &Form| {
            let mut out = Vec::new();
            write_page(&mut out, form, drawn).expect("written");
            String::from_utf8(out).expect("text")
        };
        let attacked = written(&[(7, page)], &form);
        let harmless = written(
            &[(7, Drawn::new("http://a.pk/", "a\nb"))],
            &Form { language: "x", others: &["y"] },
        );
        for tag in ["<script", "</script", "<!--", "<option"] {
            assert_eq!(attacked.matches(tag).count(), harmless.matches(tag).count(), "{tag}");
        }
        assert!(!attacked.contains("alert(1)</script>"));
        let json = attacked.split("id=\"data\">").nth(1).expect("data");
        let json = json.split("</script>").next().expect("an end");
        let data: serde_json::Value = serde_json::from_str(json).expect("JSON");
        assert_eq!(data["pages"][0]["url"], format!("http://a.pk/{attack}"));
        assert_eq!(data["pages"][0]["page"], "0000000000000007");
    }
}
