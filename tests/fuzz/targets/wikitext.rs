//! Any bytes are a dump that is read to its end, or are refused; any text is wikitext with
//! paragraphs in plain text: `bin/corpulyzer fuzz wikitext`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;
use wikipedia::{paragraphs, Dump, Namespaces, Repeats};

/// Longest page.
const MAX_BYTES: u64 = 2000;

/// Pieces of markup that the fuzzer would find slowly by itself.
const PARTS: [&str; 32] = [
    "[[", "]]", "{{", "}}", "{|", "|}", "|", "\n", "''", "'''", "<ref>", "</ref>", "<ref/>", "<!--", "-->", "<nowiki>",
    "</nowiki>", "-{", "}-", "[http://a.b ", "File:a.jpg", "== ", " ==", "* ", "&nbsp;", "&#x202e;", "<table>", "</table>",
    "__TOC__", "a", " ", "میں",
];

static NAMESPACES: OnceLock<Namespaces> = OnceLock::new();

/// The paragraphs have the form that the library promises.
fn check(wikitext: &str) {
    let found = paragraphs("Title", wikitext, NAMESPACES.get_or_init(Namespaces::default));
    let mut repeats = Repeats::new(2);
    for paragraph in &found {
        let text = paragraph.text.as_str();
        assert!(text.contains(char::is_alphabetic));
        assert!(!text.contains(char::is_control));
        assert_eq!(text.trim(), text);
        let mut end = 0;
        for name in &paragraph.names {
            assert!(name.start < name.end && end <= name.start && text.get(name.clone()).is_some());
            end = name.end;
        }
        repeats.pass("Title", paragraph);
    }
}

// The first byte chooses what the rest is: a dump, wikitext, or the numbers of parts of wikitext.
fuzz_target!(|input: &[u8]| {
    let Some((choice, rest)) = input.split_first() else { return };
    match choice % 3 {
        0 => {
            let Ok(mut dump) = Dump::open(rest, MAX_BYTES) else { return };
            for article in dump.by_ref().flatten() {
                assert!(article.wikitext.len() as u64 <= MAX_BYTES);
                check(&article.wikitext);
            }
        }
        1 => check(&String::from_utf8_lossy(rest)),
        _ => check(&rest.iter().map(|&byte| PARTS[usize::from(byte) % PARTS.len()]).collect::<String>()),
    }
});
