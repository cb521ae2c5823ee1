//! The page on which judges fill in a sheet in their browser.
//!
//! It is one file: it needs no server and no network, and its content security policy forbids both.
//! The pages to judge are JSON in it, and the script shows them as text only. It saves and loads
//! judgements as a sheet, so that [`Judgements`](crate::Judgements) reads them.

use crate::sheet::{Drawn, Judgement};
use langid::{neighbours, LangCode, Pack};
use registry::Language;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// Types of pages, those of ArabicWeb16 (Suwaileh and others 2016).
pub const TYPES: [&str; 7] =
    ["information", "discussion", "news", "services", "organization", "entertainment", "other"];

/// The texts of the page: a key and its text in each language of the page. `{language}` is the name
/// of the language of the corpus; the script fills in the other braces.
const STRINGS: &str = include_str!("page/strings.tsv");

/// Number of neighbours that the page offers as other languages.
const NEIGHBOURS: usize = 12;

/// Languages that are common on the web, which the page offers too.
const COMMON: [&str; 12] =
    ["ara", "deu", "eng", "fas", "fra", "hin", "ind", "por", "rus", "spa", "tur", "zho"];

/// What the page offers to the judges.
#[derive(Debug)]
struct Form<'a> {
    /// Name of the language of the corpus, for the question.
    language: &'a str,
    /// The language as in HTML's `lang` (BCP 47), which decides the fonts of its text.
    tag: &'a str,
    /// Names of languages that the pages may be in instead.
    others: &'a [&'a str],
}

#[derive(Serialize)]
struct Data<'a> {
    verdicts: Vec<Verdict>,
    types: [&'static str; 7],
    language: &'a str,
    strings: BTreeMap<&'static str, BTreeMap<&'static str, &'static str>>,
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

/// Returns the texts of the page by language and key.
fn strings() -> BTreeMap<&'static str, BTreeMap<&'static str, &'static str>> {
    let mut rows = STRINGS.lines().map(|row| row.split('\t'));
    let languages: Vec<&str> = rows.next().into_iter().flatten().skip(1).collect();
    let mut strings: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
    for mut row in rows {
        let key = row.next().unwrap_or_default();
        for (language, text) in languages.iter().zip(row) {
            strings.entry(*language).or_default().insert(key, text);
        }
    }
    strings
}

/// Writes the page for a corpus in a language. It offers the neighbours of the language, and the
/// languages that are common on the web, as other languages. Pages to judge keep their order. Text
/// of pages is never markup: it is in JSON without `<`, and the script sets it as text.
///
/// # Errors
/// Fails if the page cannot be written.
pub fn write_page(
    out: impl io::Write,
    language: LangCode,
    drawn: &[(u64, Drawn)],
) -> io::Result<()> {
    let packs = Pack::shipped();
    let near = packs.iter().flat_map(|pack| neighbours(pack, NEIGHBOURS));
    let near = near.filter(|(code, ..)| *code == language).flat_map(|(_, _, near)| near);
    let others = near.chain(COMMON.iter().filter_map(|code| code.parse().ok()));
    let others: BTreeSet<&str> =
        others.filter(|&code: &LangCode| code != language).map(|code| code.name()).collect();
    let others: Vec<&str> = others.into_iter().collect();
    let name = match Language::of(language).native_names().next() {
        Some(native) => format!("{} ({native})", language.name()),
        None => language.name().to_owned(),
    };
    let tag = language.short().unwrap_or(language.as_str());
    write_form(out, &Form { language: &name, tag, others: &others }, drawn)
}

fn write_form(mut out: impl io::Write, form: &Form, drawn: &[(u64, Drawn)]) -> io::Result<()> {
    let strings = strings();
    let language = escaped(form.language);
    let choices: String = strings
        .iter()
        .map(|(code, texts)| {
            format!("<option value=\"{code}\" lang=\"{code}\">{}</option>", texts["name"])
        })
        .collect();
    let data = Data {
        verdicts: Judgement::OFFERED
            .iter()
            .map(|(judgement, key)| Verdict { key: *key, label: judgement.label() })
            .collect(),
        types: TYPES,
        language: form.language,
        strings,
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
    let button = |kind: &str, value: &str, key: &str, text: &str| {
        format!(
            "<button type=\"button\" data-{kind}=\"{value}\" aria-pressed=\"false\">\
             <kbd>{key}</kbd><span data-text=\"{text}\"></span></button>\n"
        )
    };
    let buttons: String = Judgement::OFFERED
        .iter()
        .map(|(judgement, key)| {
            button("verdict", judgement.label(), &key.to_string(), judgement.label())
        })
        .collect();
    let types: String = (1..)
        .zip(TYPES)
        .map(|(number, name)| {
            let text = if name == "other" { "other type" } else { name };
            button("type", name, &number.to_string(), text)
        })
        .collect();
    let others: String = form
        .others
        .iter()
        .map(|name| format!("<option value=\"{}\"></option>", escaped(name)))
        .collect();
    let tag = escaped(form.tag);
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>Pages to judge: {language}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1 data-text=\"question\"></h1>\n<span id=\"number\">\
         </span>\n<span id=\"done\" role=\"status\"></span>\n\
         <select id=\"interface\" aria-label=\"Language, زبان, langue, язык, lengua\">{choices}</select>\n</header>\n\
         <progress id=\"progress\" value=\"0\"></progress>\n\
         <main>\n<p class=\"url\" id=\"url\">\
         </p>\n<div class=\"text\" id=\"text\" lang=\"{tag}\" dir=\"auto\" aria-live=\"polite\">\
         </div>\n\
         <fieldset class=\"verdicts\"><legend data-text=\"judgement\">\
         </legend>\n{buttons}</fieldset>\n\
         <p><label><span data-text=\"language\">\
         </span> <input type=\"text\" id=\"language\" list=\"languages\" dir=\"auto\" maxlength=\"60\" autocomplete=\"off\">\
         </label>\
         <datalist id=\"languages\">{others}</datalist></p>\n\
         <fieldset><legend data-text=\"type\"></legend>\n{types}</fieldset>\n\
         <p><label><span data-text=\"note\">\
         </span> <input type=\"text\" id=\"note\" dir=\"auto\" maxlength=\"500\" autocomplete=\"off\">\
         </label></p>\n\
         <div class=\"row pages\"><button type=\"button\" id=\"back\"><kbd>←</kbd>\
         <span data-text=\"back\"></span></button>\
         <button type=\"button\" id=\"next\"><kbd>→</kbd><span data-text=\"next\"></span></button>\
         <button type=\"button\" id=\"unjudged\"><kbd>u</kbd><span data-text=\"unjudged\"></span>\
         </button></div>\n\
         <hr>\n<div class=\"row\"><label><span data-text=\"judge\">\
         </span> <input type=\"text\" id=\"judge\" dir=\"auto\" maxlength=\"40\" autocomplete=\"off\">\
         </label>\
         <button type=\"button\" id=\"save\" data-text=\"save\"></button>\
         <label class=\"file\"><span data-text=\"load\"></span>\
         <input type=\"file\" id=\"load\" accept=\".tsv,text/tab-separated-values\"></label>\
         </div>\n\
         <p id=\"said\" role=\"status\"></p>\n\
         <p class=\"note\" data-text=\"about\"></p>\n</main>\n\
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
    fn every_text_is_there_in_every_language_with_the_same_places() {
        let strings = strings();
        assert_eq!(strings.keys().copied().collect::<Vec<_>>(), ["en", "es", "fr", "ru", "ur"]);
        let places = |text: &str| -> Vec<String> {
            let parts = text.split('{').skip(1).filter_map(|part| part.split('}').next());
            let mut places: Vec<String> = parts.map(str::to_owned).collect();
            places.sort();
            places
        };
        for (key, english) in &strings["en"] {
            for (language, texts) in &strings {
                let text = texts.get(key).unwrap_or_else(|| panic!("{language}: no {key}"));
                assert!(!text.is_empty(), "{language}: {key}");
                assert_eq!(places(text), places(english), "{language}: {key}");
            }
        }
        let page = String::from_utf8({
            let mut out = Vec::new();
            let form = Form { language: "x", tag: "x", others: &[] };
            write_form(&mut out, &form, &[]).expect("written");
            out
        });
        let page = page.expect("text");
        let asked = page.split("data-text=\"").skip(1).filter_map(|part| part.split('"').next());
        for key in asked.filter(|key| *key != "]") {
            assert!(strings["en"].contains_key(key), "{key}");
        }
    }

    #[test]
    fn text_of_pages_is_never_markup() {
        let attack = "</script><script>alert(1)</script><!--\"'>";
        let page = Drawn::new(&format!("http://a.pk/{attack}"), &format!("{attack}\n{attack}"));
        let form = Form { language: attack, tag: attack, others: &[attack] };
        let written = |drawn: &[(u64, Drawn)], form: &Form| {
            let mut out = Vec::new();
            write_form(&mut out, form, drawn).expect("written");
            String::from_utf8(out).expect("text")
        };
        let attacked = written(&[(7, page)], &form);
        let harmless = written(
            &[(7, Drawn::new("http://a.pk/", "a\nb"))],
            &Form { language: "x", tag: "x", others: &["y"] },
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
