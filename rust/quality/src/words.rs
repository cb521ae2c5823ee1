//! Words of a text, as datatrove splits it.
//!
//! FineWeb-2's limits were computed with these words, so the limits mean the same here only if the
//! words are nearly the same. Punctuation is a word. Scripts without blanks have runs of text as
//! words.

use crate::characters::{is_blank, Characters};

/// Quotes, between which a full stop splits a run like between letters.
const QUOTES: &str = "'\"”“`‘´’‚,„»«「」『』（）〔〕【】《》〈〉⟦⟧";

/// Endings that are words of their own.
const POSSESSIVES: [&str; 4] = ["'s", "'S", "’s", "’S"];

/// Units that are words of their own after a digit, longest first.
const UNITS: [&str; 38] = [
    "mbar", "hPa", "km²", "km³", "dm²", "dm³", "cm²", "cm³", "mm²", "mm³", "km/h", "kmh", "mph",
    "m/s", "km", "m²", "m³", "dm", "cm", "mm", "ha", "µm", "nm", "yd", "in", "ft", "kg", "mg",
    "µg", "lb", "oz", "Pa", "mb", "MB", "kb", "%", "m", "g",
];

/// Languages in Arabic script that datatrove splits by the rules of `Splitting::Arabic`.
const ARABIC: &str = "bcc ckb glk hac kas kur lki lrc mzn pbt pnb pus sdh skr snd urd";
/// Languages in scripts of India that datatrove splits by the rules of `Splitting::Indic`.
const INDIC: &str =
    "anp asm awa ben bho bpy brx dty ghe gom guj hin hne kan kex kff kle lif mag mai mal mar mup \
    nep new npi ori ory pan rav rjs san sck sin suz syl taj tam tcy tel thl wsg xsr";

/// Signs around which `Splitting::Arabic` splits, besides the punctuation of ASCII.
const ARABIC_SIGNS: &str = "\u{609}\u{60a}\u{60c}\u{61e}\u{66a}\u{66b}\u{66c}\u{66d}\u{6d4}";
/// Signs around which `Splitting::Indic` splits, besides the punctuation of ASCII.
const INDIC_SIGNS: &str =
    "\u{964}\u{965}\u{aaf1}\u{aaf0}\u{abeb}\u{abec}\u{abed}\u{abee}\u{abef}\u{1c7e}\u{1c7f}";

/// Rules by which a text is split into words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Splitting {
    /// spaCy's rules for any language: text between blanks is a word; punctuation and symbols at
    /// its ends, and some between its letters, are words of their own.
    #[default]
    Blanks,
    /// The rules of the Indic NLP library for Urdu: all punctuation is a word of its own. Only
    /// blanks and tabs are between words, so the words beside a line end are one word, unless
    /// punctuation is there.
    Arabic,
    /// The same with the signs of Indian scripts, but numbers with signs in them are whole.
    Indic,
}

impl Splitting {
    /// Returns the rules that datatrove has for a language, by its ISO 639-3 code.
    pub fn of(language: &str) -> Self {
        let is_in = |languages: &str| languages.split(' ').any(|known| known == language);
        if is_in(ARABIC) {
            Self::Arabic
        } else if is_in(INDIC) {
            Self::Indic
        } else {
            Self::Blanks
        }
    }

    /// Appends the words of a text. Time is linear in the text.
    pub fn split<'a>(self, text: &'a str, words: &mut Vec<&'a str>) {
        match self {
            Self::Blanks => {
                let characters = Characters::get();
                for run in text.split(is_blank).filter(|run| !run.is_empty()) {
                    split_run(run, characters, words);
                }
            }
            Self::Arabic => split_signs(text, ARABIC_SIGNS, "", words),
            Self::Indic => split_signs(text, INDIC_SIGNS, ",.:/", words),
        }
    }
}

/// Splits a text at blanks and tabs, and around signs, except for those of numbers between two
/// digits.
fn split_signs<'a>(text: &'a str, signs: &str, of_numbers: &str, words: &mut Vec<&'a str>) {
    let mut word = |word: &'a str| {
        let word = word.trim_matches(is_blank);
        if !word.is_empty() {
            words.push(word);
        }
    };
    for run in text.split([' ', '\t']) {
        let mut start = 0;
        let is_sign = |c: char| c.is_ascii_punctuation() || signs.contains(c);
        let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
        let bytes = run.as_bytes();
        for (at, sign) in run.match_indices(is_sign) {
            if of_numbers.contains(sign)
                && at > 0
                && is_digit(bytes.get(at - 1))
                && is_digit(bytes.get(at + 1))
            {
                continue;
            }
            word(&run[start..at]);
            word(sign);
            start = at + sign.len();
        }
        word(&run[start..]);
    }
}

fn split_run<'a>(run: &'a str, characters: &Characters, words: &mut Vec<&'a str>) {
    let (mut start, mut end) = (0, run.len());
    // The suffixes are peeled from the end, so they come in reverse.
    let mut suffixes = Vec::new();
    while start < end {
        let rest = &run[start..end];
        if is_special(rest) {
            break;
        }
        let prefix = prefix(rest, characters);
        let suffix = suffix(&rest[prefix..], characters);
        if prefix + suffix == 0 {
            break;
        }
        if prefix > 0 {
            words.push(&rest[..prefix]);
            start += prefix;
        }
        if suffix > 0 {
            suffixes.push(&run[end - suffix..end]);
            end -= suffix;
        }
    }
    if start < end {
        let rest = &run[start..end];
        if is_special(rest) || is_address(rest) {
            words.push(rest);
        } else {
            split_inside(rest, characters, words);
        }
    }
    words.extend(suffixes.into_iter().rev());
}

/// Returns whether a run is one letter and a full stop, as in initials.
fn is_special(run: &str) -> bool {
    let bytes = run.as_bytes();
    bytes.len() == 2 && bytes[1] == b'.' && bytes[0].is_ascii_lowercase()
}

/// Returns whether a run is a URL or an e-mail address.
fn is_address(run: &str) -> bool {
    if !run.is_ascii() {
        return run.contains("://");
    }
    let host = run.split_once("://").map_or(run, |(_, rest)| rest);
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let host = host.split(['/', '?', '#']).next().unwrap_or(host);
    let host = host.split_once(':').map_or(host, |(host, _)| host);
    let mut labels = host.rsplit('.');
    let last = labels.next().unwrap_or("");
    let is_label = |label: &str| {
        !label.is_empty()
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    let is_ending = last.len() >= 2 && last.bytes().all(|byte| byte.is_ascii_lowercase());
    is_ending && host.contains('.') && labels.all(is_label)
}

/// Returns the length in bytes of the word that a run begins with, 0 if none is peeled off.
fn prefix(run: &str, characters: &Characters) -> usize {
    let mut chars = run.chars();
    let Some(first) = chars.next() else { return 0 };
    match first {
        '.' => {
            let dots = run.bytes().take_while(|&byte| byte == b'.').count();
            if dots >= 2 {
                dots
            } else {
                0
            }
        }
        '+' if !chars.next().is_some_and(|next| next.is_ascii_digit()) => 1,
        'U' if run.starts_with("US$") => 3,
        'C' | 'A' if run[1..].starts_with('$') => 2,
        first if characters.is_peeled_first(first) => first.len_utf8(),
        _ => 0,
    }
}

/// Returns the length in bytes of the word that a run ends with, 0 if none is peeled off.
fn suffix(run: &str, characters: &Characters) -> usize {
    let mut chars = run.chars().rev();
    let Some(last) = chars.next() else { return 0 };
    let before = chars.next();
    if last == '.' {
        let dots = run.bytes().rev().take_while(|&byte| byte == b'.').count();
        return if dots >= 2 {
            dots
        } else {
            usize::from(ends_by_stop(before, chars.next(), characters))
        };
    }
    if last == '…' {
        return if before == Some('…') { 2 * last.len_utf8() } else { last.len_utf8() };
    }
    if let Some(ending) = POSSESSIVES.iter().find(|ending| run.ends_with(**ending)) {
        return ending.len();
    }
    if characters.is_peeled_last(last) {
        return last.len_utf8();
    }
    if last == '+' && before.is_some_and(|before| before.is_ascii_digit()) {
        return 1;
    }
    let after_digit = |unit: &&&str| {
        let number = run.strip_suffix(**unit);
        number.is_some_and(|number| number.ends_with(|c: char| c.is_ascii_digit()))
    };
    if let Some(unit) = UNITS.iter().find(after_digit) {
        return unit.len();
    }
    let is_currency = matches!(last, '$' | '£' | '€' | '¥' | '฿' | '﷼')
        || ('\u{20a0}'..='\u{20bf}').contains(&last);
    if is_currency && before.is_some_and(|before| before.is_ascii_digit()) {
        return last.len_utf8();
    }
    0
}

/// Returns whether a full stop after these characters is a word of its own: after a digit, a letter
/// that is not in upper case, punctuation, or two letters in upper case.
fn ends_by_stop(before: Option<char>, second: Option<char>, characters: &Characters) -> bool {
    let Some(before) = before else { return false };
    before.is_ascii_digit()
        || characters.may_be_lower(before)
        || "%²-+|".contains(before)
        || characters.is_peeled_last(before)
        || (characters.may_be_upper(before)
            && second.is_some_and(|second| characters.may_be_upper(second)))
}

/// Splits a run at the signs between its letters and digits.
fn split_inside<'a>(run: &'a str, characters: &Characters, words: &mut Vec<&'a str>) {
    let mut start = 0;
    let mut at = 0;
    let mut before = None;
    while let Some(c) = run[at..].chars().next() {
        let length = infix(&run[at..], before, characters);
        if length == 0 || at == 0 {
            before = Some(c);
            at += c.len_utf8();
            continue;
        }
        if start < at {
            words.push(&run[start..at]);
        }
        words.push(&run[at..at + length]);
        before = run[..at + length].chars().next_back();
        at += length;
        start = at;
    }
    if start < run.len() {
        words.push(&run[start..]);
    }
}

/// Returns the length in bytes of a sign that splits a run, 0 if the run is not split there.
fn infix(rest: &str, before: Option<char>, characters: &Characters) -> usize {
    let Some(first) = rest.chars().next() else { return 0 };
    // Most characters are letters.
    if characters.is_alpha(first) || first.is_ascii_digit() {
        return 0;
    }
    if first == '.' {
        let dots = rest.bytes().take_while(|&byte| byte == b'.').count();
        if dots >= 2 {
            return dots;
        }
    }
    if first == '…' {
        return first.len_utf8();
    }
    let next = rest.chars().nth(1);
    let is = |c: Option<char>, test: &dyn Fn(char) -> bool| c.is_some_and(test);
    let is_alpha = |c: char| characters.is_alpha(c);
    let splits = match first {
        '+' | '-' | '*' | '^'
            if is(before, &|c| c.is_ascii_digit())
                && is(next, &|c| c.is_ascii_digit() || c == '-') =>
        {
            true
        }
        '.' => {
            is(before, &|c| characters.may_be_lower(c) || QUOTES.contains(c))
                && is(next, &|c| characters.may_be_upper(c) || QUOTES.contains(c))
        }
        ',' => is(before, &is_alpha) && is(next, &is_alpha),
        '-' | '–' | '—' | '~' => {
            if rest.starts_with("--") && is(before, &is_alpha) {
                let dashes = rest.bytes().take_while(|&byte| byte == b'-').count();
                let after = rest[dashes..].chars().next();
                return if dashes <= 3 && is(after, &is_alpha) { dashes } else { 0 };
            }
            is(before, &is_alpha) && is(next, &is_alpha)
        }
        ':' | '<' | '>' | '=' | '/' => {
            is(before, &|c| is_alpha(c) || c.is_ascii_digit()) && is(next, &is_alpha)
        }
        _ => {
            return if unicode_general_category::get_general_category(first)
                == unicode_general_category::GeneralCategory::OtherSymbol
            {
                first.len_utf8()
            } else {
                0
            };
        }
    };
    if splits {
        first.len_utf8()
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let mut words = Vec::new();
        Splitting::Blanks.split(text, &mut words);
        words
    }

    #[test]
    fn the_rules_for_urdu_split_around_all_punctuation_but_not_at_line_ends() {
        let mut words = Vec::new();
        Splitting::of("urd").split("یہ 3.14 ہے۔\nوہ کتاب\nدن، رات", &mut words);
        assert_eq!(words, ["یہ", "3", ".", "14", "ہے", "۔", "وہ", "کتاب\nدن", "،", "رات"]);
    }

    #[test]
    fn punctuation_at_the_ends_of_a_run_is_peeled_off() {
        assert_eq!(
            words("«ہے۔» (یہ، وہ)..."),
            ["«", "ہے", "۔", "»", "(", "یہ", "،", "وہ", ")", "..."]
        );
        assert_eq!(words("He said: 'No.'"), ["He", "said", ":", "'", "No", ".", "'"]);
    }

    #[test]
    fn signs_between_letters_split_a_run() {
        assert_eq!(
            words("left-right a,b x/y 1-2 3.14 end.Begin"),
            [
                "left", "-", "right", "a", ",", "b", "x", "/", "y", "1", "-", "2", "3.14", "end",
                ".", "Begin"
            ]
        );
    }

    #[test]
    fn addresses_stay_whole() {
        assert_eq!(
            words("see www.example.org/a-b, mail a.b@example.org."),
            ["see", "www.example.org/a-b", ",", "mail", "a.b@example.org", "."]
        );
    }

    #[test]
    fn numbers_and_units_are_two_words() {
        assert_eq!(words("5km US$3 10€ 20%"), ["5", "km", "US$", "3", "10", "€", "20", "%"]);
    }

    #[test]
    fn the_rules_for_hindi_keep_numbers_whole() {
        let mut words = Vec::new();
        Splitting::of("hin").split("वह 3.14/2, 5. है।", &mut words);
        assert_eq!(words, ["वह", "3.14/2", ",", "5", ".", "है", "।"]);
    }

    #[test]
    fn a_text_of_blanks_has_no_words() {
        assert!(words(" \n\t\u{1c}\u{3000}").is_empty());
    }
}
