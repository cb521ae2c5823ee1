//! A cheap look at a page that finds most pages in other languages before they are parsed.
//!
//! Text can be in the target language only if it has letters of the target's scripts. The look
//! decodes the page as [`Engine::page`] does and counts these letters in all of it, markup
//! included, up to the number that decides. Pages without enough of them are rejected by
//! [`Engine::page`] too; all others have to be read.

use crate::{Engine, Kind, PageHints, Policy};
use langbytes::Script;
use memchr::memmem;

/// Share of the content-size filter's bytes that must be letters of the target's scripts: one
/// eighth. A run of text in the target also has spaces, digits, signs and names in other scripts,
/// but a page of which over half are no letters is junk.
const LETTER_SHARE: u64 = 8;

/// Bytes that are tested at once for being ASCII.
const BLOCK: usize = 32;

/// Most characters of a numeric character reference, after `&#`.
const REFERENCE: usize = 8;

/// Names of character references for letters outside Latin script end in `cy`, or are Greek
/// letters.
const GREEK: [&str; 24] = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
    "lambda", "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi",
    "psi", "omega",
];

/// Looks at pages for one engine. Threads may share it.
#[derive(Debug)]
pub struct FirstLook {
    /// By code point of the Basic Multilingual Plane: whether it is a letter of the target's
    /// scripts.
    letters: Vec<bool>,
    /// By byte: whether the UTF-8 form of such a letter begins with it.
    leads: [bool; 256],
    /// Whether the scripts have letters with named character references.
    has_names: bool,
    /// Least number of bytes of such letters, in UTF-8.
    least: u64,
}

impl FirstLook {
    /// Creates the look for an engine; `None` if it cannot know which pages the engine rejects:
    /// policy `recall` keeps pages that only declare the language, a threshold of 0 keeps every
    /// page, the scripts of the target are unknown, or Latin is among them, which every page has
    /// letters of.
    pub fn new(engine: &Engine) -> Option<Self> {
        let settings = engine.settings();
        if settings.policy != Policy::Precision || settings.min_bytes == 0 {
            return None;
        }
        let scripts = engine.target_scripts()?;
        if scripts.iter().any(|script| script.tag() == "Latn") {
            return None;
        }
        let is_letter = |c: char| scripts.contains(&Script::of(c));
        let letters: Vec<bool> =
            (0..=0xFFFF).map(|code| char::from_u32(code).is_some_and(is_letter)).collect();
        let mut leads = [false; 256];
        for c in (0..=0xFFFF).filter_map(char::from_u32).filter(|&c| letters[c as usize]) {
            leads[usize::from(c.encode_utf8(&mut [0; 4]).as_bytes()[0])] = true;
        }
        // Letters beyond the plane are looked up one by one.
        (0xF0..=0xF4).for_each(|lead: usize| leads[lead] = true);
        let has_names = scripts.iter().any(|script| matches!(script.tag(), "Grek" | "Cyrl"));
        Some(Self { letters, leads, has_names, least: (settings.min_bytes / LETTER_SHARE).max(1) })
    }

    /// Returns false if the engine rejects this page for certain, so that it need not be read.
    pub fn may_keep(&self, engine: &Engine, content: &[u8], hints: &PageHints) -> bool {
        if content.len() as u64 > engine.settings().max_bytes {
            return true;
        }
        match hints.kind {
            Kind::Text | Kind::Document => {
                self.may_be(&content::repair_plain(String::from_utf8_lossy(content)).text)
            }
            Kind::Html => {
                let hints = content::Hints { content_type: hints.content_type, url: hints.url };
                content::decode(content, &hints)
                    .map_or(true, |decoded| self.may_be(&decoded.repaired().text))
            }
        }
    }

    /// Returns whether a text has enough letters of the target's scripts, written or as references.
    fn may_be(&self, text: &str) -> bool {
        let written = self.written(text);
        written >= self.least || written + self.referred(text, self.least - written) >= self.least
    }

    fn is_letter(&self, c: char) -> bool {
        match self.letters.get(c as usize) {
            Some(&known) => known,
            // Few scripts have letters there; it is enough that one may be.
            None => c.is_alphabetic(),
        }
    }

    /// Counts the bytes of letters until they are enough.
    fn written(&self, text: &str) -> u64 {
        let bytes = text.as_bytes();
        let (mut count, mut at) = (0, 0);
        while at < bytes.len() {
            let block = &bytes[at..bytes.len().min(at + BLOCK)];
            if block.is_ascii() {
                at += block.len();
                continue;
            }
            for (place, _) in
                block.iter().enumerate().filter(|(_, &byte)| self.leads[usize::from(byte)])
            {
                let letter = text[at + place..].chars().next().filter(|&c| self.is_letter(c));
                count += letter.map_or(0, char::len_utf8) as u64;
            }
            if count >= self.least {
                return count;
            }
            at += block.len();
        }
        count
    }

    /// Counts the bytes of letters that are written as character references, until they are
    /// `enough`.
    fn referred(&self, text: &str, enough: u64) -> u64 {
        let mut count = 0;
        let numbers = memmem::find_iter(text.as_bytes(), b"&#")
            .filter_map(|at| number(&text.as_bytes()[at + 2..]));
        for c in numbers.filter(|&c| self.is_letter(c)) {
            count += c.len_utf8() as u64;
            if count >= enough {
                return count;
            }
        }
        if self.has_names {
            count += memchr::memchr_iter(b'&', text.as_bytes())
                .filter(|&at| is_name(&text.as_bytes()[at + 1..]))
                .count() as u64
                * 2;
        }
        count
    }
}

/// Returns the character of a numeric reference, after its `&#`.
fn number(bytes: &[u8]) -> Option<char> {
    let (digits, radix) = match bytes.first()? {
        b'x' | b'X' => (&bytes[1..], 16),
        _ => (bytes, 10),
    };
    let mut code = 0u32;
    for digit in digits.iter().take(REFERENCE).map_while(|&digit| char::from(digit).to_digit(radix))
    {
        code = code.saturating_mul(radix).saturating_add(digit);
    }
    char::from_u32(code)
}

/// Returns whether a reference, after its `&`, names a Greek or Cyrillic letter.
fn is_name(bytes: &[u8]) -> bool {
    let length = bytes.iter().take(REFERENCE).take_while(|byte| byte.is_ascii_alphabetic()).count();
    let name = bytes[..length].to_ascii_lowercase();
    name.ends_with(b"cy") || GREEK.iter().any(|letter| name.starts_with(letter.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;

    fn engine(target: &str, change: impl FnOnce(&mut Settings)) -> Engine {
        let mut settings = Settings::new(target.parse().expect("a code"));
        change(&mut settings);
        Engine::new(settings).expect("settings")
    }

    fn may_keep(target: &str, page: &[u8]) -> bool {
        let engine = engine(target, |_| ());
        let look = FirstLook::new(&engine).expect("a look");
        look.may_keep(&engine, page, &PageHints::default())
    }

    #[test]
    fn a_page_without_the_script_of_the_target_is_not_read() {
        let english = "<p>The library opened again after five years of repairs.".repeat(100);
        assert!(!may_keep("urd", english.as_bytes()));
        assert!(!may_keep(
            "urd",
            format!("{english}<a href=/ur>اردو</a><a href=/ar>العربية</a>").as_bytes()
        ));
        assert!(!may_keep(
            "urd",
            "<p>Библиотека снова открылась после ремонта".repeat(100).as_bytes()
        ));
        assert!(may_keep(
            "rus",
            "<p>Библиотека снова открылась после ремонта".repeat(100).as_bytes()
        ));
    }

    #[test]
    fn letters_count_in_every_charset_and_as_references() {
        let urdu = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا";
        assert!(may_keep("urd", format!("<p>{urdu}").as_bytes()));
        let decimal: String = urdu.chars().map(|c| format!("&#{};", c as u32)).collect();
        assert!(may_keep("urd", decimal.as_bytes()));
        let hexadecimal: String = urdu.chars().map(|c| format!("&#X{:X};", c as u32)).collect();
        assert!(may_keep("urd", hexadecimal.as_bytes()));
        let utf16: Vec<u8> =
            format!("\u{feff}{urdu}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(may_keep("urd", &utf16));
        let russian = b"<meta charset=windows-1251><p>\xc1\xe8\xe1\xeb\xe8\xee\xf2\xe5\xea\xe0 \xf1\xed\xee\xe2\xe0 \
                        \xee\xf2\xea\xf0\xfb\xeb\xe0\xf1\xfc \xef\xee\xf1\xeb\xe5 \xf0\xe5\xec\xee\xed\xf2\xe0";
        assert!(may_keep("rus", russian));
        assert!(may_keep("ell", "&alpha;&Beta;&gamma;&delta;".repeat(9).as_bytes()));
        assert!(!may_keep(
            "urd",
            "&#xfffffffff;&#;&#x;&#99999999999;&amp;&#8217;".repeat(99).as_bytes()
        ));
    }

    #[test]
    fn there_is_no_look_where_it_could_lose_a_page() {
        let look = |target: &str, change: fn(&mut Settings)| {
            FirstLook::new(&engine(target, change)).is_some()
        };
        assert!(look("urd", |_| ()));
        assert!(!look("cym", |_| ()), "every page has Latin letters");
        assert!(!look("urd", |settings| settings.policy = Policy::Recall));
        assert!(!look("urd", |settings| settings.min_bytes = 0));
    }
}
