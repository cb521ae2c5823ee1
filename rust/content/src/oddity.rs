//! Measures how unusual a text is, to find text that was decoded in a wrong encoding. The measure
//! uses no language, only which characters occur side by side in words of any language.

use encoding_rs::Encoding;

/// Scripts whose letters form words without letters of other scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    Latin,
    Greek,
    Cyrillic,
    Hebrew,
    Arabic,
    Thai,
    /// Han, Kana, Hangul: they occur beside each other and beside any other letters.
    EastAsian,
    /// All other letters. Only Unicode encodes them.
    Other,
}

/// The class of a character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter(Script, Case),
    /// A mark that belongs to the letter before it.
    Mark(Script),
    /// A character beyond ASCII that is not part of a word: box drawing, currency, fractions.
    Symbol,
    /// No character of a text: a malformed sequence, a control code or a code point for private
    /// use.
    Bad,
    /// Anything between words.
    Gap,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Lower,
    Upper,
    None,
}

fn class(c: char) -> Class {
    let letter = |script| {
        let case = match () {
            () if c.is_lowercase() => Case::Lower,
            () if c.is_uppercase() => Case::Upper,
            () => Case::None,
        };
        Class::Letter(script, case)
    };
    match c {
        'a'..='z' => Class::Letter(Script::Latin, Case::Lower),
        'A'..='Z' => Class::Letter(Script::Latin, Case::Upper),
        '\0'..='\x7f' | '\u{85}' => Class::Gap,
        '\u{80}'..='\u{9f}' | '\u{fffd}' | '\u{e000}'..='\u{f8ff}' => Class::Bad,
        '\u{d7}' | '\u{f7}' => Class::Symbol,
        '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => letter(Script::Latin),
        '\u{300}'..='\u{36f}' => Class::Mark(Script::Latin),
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => letter(Script::Greek),
        '\u{400}'..='\u{52f}' => letter(Script::Cyrillic),
        '\u{591}'..='\u{5c7}' => Class::Mark(Script::Hebrew),
        '\u{5d0}'..='\u{5f2}' => letter(Script::Hebrew),
        '\u{64b}'..='\u{65f}' | '\u{670}' => Class::Mark(Script::Arabic),
        '\u{60c}'
        | '\u{61b}'
        | '\u{61f}'
        | '\u{660}'..='\u{66d}'
        | '\u{6d4}'
        | '\u{6f0}'..='\u{6f9}' => Class::Gap,
        '\u{620}'..='\u{6ff}' | '\u{750}'..='\u{77f}' => letter(Script::Arabic),
        '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}' => Class::Mark(Script::Thai),
        '\u{e01}'..='\u{e46}' => letter(Script::Thai),
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' => {
            letter(Script::EastAsian)
        }
        '\u{ac00}'..='\u{d7a3}' | '\u{ff66}'..='\u{ff9f}' => letter(Script::EastAsian),
        '\u{a0}'
        | '\u{ab}'
        | '\u{ad}'
        | '\u{b7}'
        | '\u{bb}'
        | '\u{2010}'..='\u{203a}'
        | '\u{3000}'..='\u{3020}' => Class::Gap,
        '\u{b4}'
        | '\u{a1}'
        | '\u{bf}'
        | '\u{e50}'..='\u{e59}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{feff}' => Class::Gap,
        c if c.is_alphabetic() => letter(Script::Other),
        _ => Class::Symbol,
    }
}

/// The result for a text.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Oddity {
    /// Letters, signs and symbols beyond ASCII.
    pub(crate) beyond: usize,
    /// Points for oddities, in halves. An ordinary text has a few per hundred characters.
    pub(crate) odd: usize,
    /// The script of most letters beyond ASCII.
    pub(crate) script: Option<Script>,
}

impl Oddity {
    /// Oddities for each character beyond ASCII.
    pub(crate) fn rate(&self) -> f64 {
        self.odd as f64 / 2.0 / self.beyond.max(1) as f64
    }
}

/// Reads a text. One point each: malformed characters, a mark without a letter of its script,
/// letters of two scripts side by side, a symbol between two letters, a capital after a small
/// letter. Half a point each: a capital after another beyond ASCII, two Latin letters beyond ASCII
/// side by side, a single letter of another alphabet.
pub(crate) fn oddity(text: &str) -> Oddity {
    let mut found = Oddity::default();
    let mut counts = [0usize; 8];
    // The last two characters.
    let mut before = [(Class::Gap, true); 2];
    let mut rest = text;
    loop {
        let [_, (_, after_ascii)] = before;
        if after_ascii {
            // ASCII after ASCII is never odd.
            let (run, behind) = rest.split_at(Encoding::ascii_valid_up_to(rest.as_bytes()));
            for c in run[run.len().saturating_sub(before.len())..].chars() {
                before = [before[1], (class(c), true)];
            }
            rest = behind;
        }
        let [second, last] = before;
        let mut chars = rest.chars();
        let c = match chars.next() {
            Some(c) => c,
            None if after_ascii => break,
            // The end of the text ends a word.
            None => ' ',
        };
        rest = chars.as_str();
        let this = (class(c), c.is_ascii());
        if !this.1 && this.0 != Class::Gap {
            found.beyond += 1;
        }
        if let Class::Letter(script, _) = this.0 {
            counts[script as usize] += usize::from(!this.1);
        }
        found.odd += half_points(second, last, this);
        before = [last, this];
    }
    const SCRIPTS: [Script; 8] = [
        Script::Latin,
        Script::Greek,
        Script::Cyrillic,
        Script::Hebrew,
        Script::Arabic,
        Script::Thai,
        Script::EastAsian,
        Script::Other,
    ];
    found.script = SCRIPTS
        .into_iter()
        .max_by_key(|script| counts[*script as usize])
        .filter(|s| counts[*s as usize] > 0);
    found
}

/// A character: its class, and whether it is ASCII.
type Read = (Class, bool);

/// Returns twice the points for a character, which has these two before it.
fn half_points(second: Read, last: Read, this: Read) -> usize {
    let beyond = !this.1 || !last.1;
    match (last.0, this.0) {
        (_, Class::Bad) => 2,
        (Class::Letter(letter, _) | Class::Mark(letter), Class::Mark(mark))
            if letter == mark || mark == Script::Latin =>
        {
            0
        }
        (_, Class::Mark(_)) => 2,
        (Class::Letter(Script::EastAsian, _), Class::Letter(..)) => 0,
        (Class::Letter(..), Class::Letter(Script::EastAsian, _)) => 0,
        (Class::Letter(a, _), Class::Letter(b, _)) if beyond && a != b => 2,
        (Class::Letter(_, Case::Lower), Class::Letter(_, Case::Upper)) if beyond => 2,
        (Class::Letter(_, Case::Upper), Class::Letter(_, Case::Upper)) if !this.1 && !last.1 => 1,
        (Class::Letter(Script::Latin, _), Class::Letter(..)) if !this.1 && !last.1 => 1,
        (Class::Symbol, Class::Letter(..)) if matches!(second.0, Class::Letter(..)) => 2,
        (Class::Letter(script, _), Class::Gap) if second.0 == Class::Gap && is_alphabet(script) => {
            1
        }
        _ => 0,
    }
}

/// Returns whether a script is an alphabet other than Latin, in which a word has several
/// letters.
fn is_alphabet(script: Script) -> bool {
    matches!(script, Script::Greek | Script::Cyrillic | Script::Hebrew | Script::Arabic)
}

#[cfg(test)]
mod tests {
    use super::oddity;
    use proptest::prelude::*;

    const ANY: &str = "[aAbB .\\u{e9}\\u{c9}\\u{e8}\\u{430}\\u{410}\\u{645}\\u{64b}\\u{4e00}\\u{20ac}\\u{301}\\u{fffd}]{0,9}";

    proptest! {
        #[test]
        fn ascii_amid_ascii_changes_nothing(before in ANY, amid in "[aB .]{0,9}", after in ANY) {
            let around = |amid: &str| oddity(&format!("{before}aB{amid} x{after}"));
            prop_assert_eq!(around(&amid), around(""));
        }
    }

    #[test]
    fn each_oddity_has_its_points() {
        let points = |text: &str| oddity(text).odd;
        assert_eq!(points("Plain English text, aB."), 0);
        assert_eq!(points("عام متن۔"), 0);
        assert_eq!(points("a\u{fffd}"), 2, "malformed");
        assert_eq!(points("a\u{64b}"), 2, "a mark of another script");
        assert_eq!(points("aж"), 2, "letters of two scripts");
        assert_eq!(points("a€b"), 2, "a symbol between letters");
        assert_eq!(points("éA"), 2, "a capital after a small letter");
        assert_eq!(points("ÉÈ"), 1, "capitals beyond ASCII");
        assert_eq!(points("éè"), 1, "Latin letters beyond ASCII");
        assert_eq!(points(" ж "), 1, "a single letter of another alphabet");
        assert_eq!(points(" ж"), 1, "the same at the end of the text");
    }
}
