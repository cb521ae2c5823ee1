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

/// The texts by language and key.
type Strings = BTreeMap<&'static str, BTreeMap<&'static str, &'static str>>;

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
    strings: Strings,
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
fn strings() -> Strings {
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
    let option = |(code, texts): (_, &BTreeMap<_, _>)| {
        format!("<option value=\"{code}\" lang=\"{code}\">{}</option>", texts["name"])
    };
    let choices: String = strings.iter().map(option).collect();
    let verdict = |(judgement, key): &(Judgement, char)| {
        button("verdict", judgement.label(), *key, judgement.label())
    };
    let data = data(form.language, strings, drawn);
    write!(
        out,
        include_str!("page/page.html"),
        language = escaped(form.language),
        tag = escaped(form.tag),
        choices = choices,
        others = form
            .others
            .iter()
            .map(|name| format!("<option value=\"{}\"></option>", escaped(name)))
            .collect::<String>(),
        verdicts = Judgement::OFFERED.iter().map(verdict).collect::<String>(),
        types = ('1'..).zip(TYPES).map(|(key, name)| type_button(key, name)).collect::<String>(),
        // Within strings only, so that it stays the same JSON. Without `<` it cannot end the
        // element.
        data = serde_json::to_string(&data)?.replace('<', "\\u003c"),
        style = STYLE,
        script = SCRIPT,
    )?;
    out.flush()
}

/// Returns what the script of the page works on.
fn data<'a>(language: &'a str, strings: Strings, drawn: &'a [(u64, Drawn)]) -> Data<'a> {
    let verdict =
        |(judgement, key): &(Judgement, char)| Verdict { key: *key, label: judgement.label() };
    let page = |(name, page): &'a (u64, Drawn)| Page {
        page: format!("{name:016x}"),
        url: &page.url,
        cell: render::tsv::guarded(&page.url).into_owned(),
        text: &page.text,
    };
    Data {
        verdicts: Judgement::OFFERED.iter().map(verdict).collect(),
        types: TYPES,
        language,
        strings,
        pages: drawn.iter().map(page).collect(),
    }
}

fn type_button(key: char, name: &str) -> String {
    button("type", name, key, if name == "other" { "other type" } else { name })
}

/// Returns a button of the page, with the key that presses it.
fn button(kind: &str, value: &str, key: char, text: &str) -> String {
    format!(
        "<button type=\"button\" data-{kind}=\"{value}\" aria-pressed=\"false\">\
         <kbd>{key}</kbd><span data-text=\"{text}\"></span></button>\n"
    )
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
