//! The whole sentences of a text.
//!
//! A sentence ends at a character that only ends sentences (`۔ ؟ । ॥ ။ 。`), at any position; or at
//! `. ! ? …` before white space or the end of the block. The latter do not end a sentence if the
//! next letter is a small one, or if the point belongs to an initial (`J.`), to dotted letters
//! (`z.B.`), to a number, or to a short word before a number (`No. 5`). Closing quotes and brackets
//! belong to the sentence, and so do marks of footnotes after it. Signs that people type for the
//! right one end sentences of their script too ([`is_typed_end`]). The full stop of Urdu ends none
//! within a number or an acronym. Text without an end sign is not a sentence: a title, a button, a
//! truncated text.

use crate::glued;
use crate::notes;
use crate::points::Points;
use figures::tokens::WITHOUT_BLANKS;
use langid::floor_char_boundary;
use langid::words::{for_each_word, Script};
use unicode_general_category::{get_general_category, GeneralCategory};

/// Characters that only end sentences: full stops of Urdu, Devanagari and related scripts,
/// Armenian, Burmese, Ethiopic, Tibetan, Khmer, Chinese and Japanese, and their question and
/// exclamation marks. Those of Armenian stand within words.
const HARD: [char; 17] = [
    '\u{6d4}', '\u{61f}', '\u{964}', '\u{965}', '\u{589}', '\u{104b}', '\u{1362}', '\u{1367}',
    '\u{1368}', '\u{17d4}', '\u{17d5}', '\u{f0d}', '\u{f0e}', '。', '｡', '！', '？',
];

/// Ends of Tibetan. Two with a blank between them are one end.
const SHADS: [char; 2] = ['\u{f0d}', '\u{f0e}'];

/// Characters that may end a sentence.
const SOFT: [char; 4] = ['.', '!', '?', '…'];

/// Characters of [`HARD`] by script (ISO 15924). Other scripts have only [`SOFT`].
const ENDS: [(&str, &[char]); 14] = [
    ("Arab", &['\u{6d4}', '\u{61f}']),
    ("Armn", &['\u{589}']),
    ("Beng", &['\u{964}', '\u{965}']),
    ("Deva", &['\u{964}', '\u{965}']),
    ("Ethi", &['\u{1362}', '\u{1367}', '\u{1368}']),
    ("Gujr", &['\u{964}', '\u{965}']),
    ("Guru", &['\u{964}', '\u{965}']),
    ("Hani", &['。', '｡', '！', '？']),
    ("Khmr", &['\u{17d4}', '\u{17d5}']),
    ("Mymr", &['\u{104b}']),
    ("Olck", &['\u{964}', '\u{965}']),
    ("Orya", &['\u{964}', '\u{965}']),
    ("Syrc", &['\u{61f}']),
    ("Tibt", &['\u{f0d}', '\u{f0e}']),
];

/// Returns the characters at which sentences end in a script (ISO 15924), those of the script
/// first. Empty for Thai and Lao, whose sentences end at a blank: they are not split.
pub fn ends(script: &str) -> Vec<char> {
    let script = match script {
        "Hans" | "Hant" | "Hanb" | "Jpan" | "Hira" | "Kana" | "Bopo" => "Hani",
        script => script,
    };
    let own = ENDS.iter().find(|(tag, _)| *tag == script).map_or(&[][..], |(_, own)| own);
    match (own, script) {
        ([], "Thai" | "Laoo") => Vec::new(),
        _ => own.iter().chain(&SOFT).copied().collect(),
    }
}

/// Full stops of scripts. In a block that has one, a point behind letters without case marks an
/// abbreviation.
const FULL_STOPS: [char; 9] = [
    '\u{6d4}', '\u{964}', '\u{965}', '\u{104b}', '\u{1362}', '\u{17d4}', '\u{17d5}', '\u{f0d}',
    '。',
];

/// Pairs of quotes and brackets, in the styles of all languages with known differences.
const PAIRS: [(char, char); 21] = [
    ('(', ')'),
    ('[', ']'),
    ('«', '»'),
    ('»', '«'),
    ('»', '»'),
    ('‹', '›'),
    ('“', '”'),
    ('„', '“'),
    ('„', '”'),
    ('”', '”'),
    ('‘', '’'),
    ('‚', '‘'),
    ('「', '」'),
    ('『', '』'),
    ('｢', '｣'),
    ('（', '）'),
    ('【', '】'),
    ('〔', '〕'),
    ('《', '》'),
    ('〈', '〉'),
    ('"', '"'),
];

/// Characters that begin an item of a list, not a sentence.
const BULLETS: [char; 10] = ['-', '–', '—', '•', '*', '·', '▪', '►', '●', '■'];

/// Most letters of a short word that a number may follow: `No. 5`, `Art. 12`.
const SHORT_WORD: usize = 4;

/// Least letters of the words on both sides of a sign without a blank.
const MIN_GLUED: usize = 3;

/// Least digits of a number that is hardly ever an ordinal one: a year, for example.
const MIN_CARDINAL: usize = 3;

/// Ends of hosts, which some write with a capital.
const DOMAINS: [&str; 4] = ["com", "net", "org", "info"];

/// Words that are looked at to know how a block is written.
const MAX_TOKENS: usize = 1000;

/// Bytes that are searched for the next letter.
const AHEAD: usize = 200;

/// Longest sentence, in characters. Longer text is a list, or uses unknown end signs.
const LONGEST: usize = 1000;

/// Least percent of letters and marks among a sentence's characters, white space not counted.
const LETTERS_PERCENT: usize = 60;

/// Characters per word in scripts without spaces.
const CHARACTERS_A_WORD: usize = 4;

/// Lengths of a full line of wrapped text, in characters: those of mail programs and typewriters.
const MIN_WIDTH: usize = 50;
const MAX_WIDTH: usize = 100;

/// Lines before and after a line that tell the width of wrapped text.
const NEAR_LINES: usize = 4;

/// Lines of wrapped text whose next line does not begin with a small letter.
const MIN_WRAPPED: usize = 3;

/// Returns the whole sentences of a text with at least `min_words` words, in order. The blocks of
/// the text are its lines; no sentence crosses lines, except in text that is wrapped. There a
/// sentence has line ends. Time is linear in the text.
pub fn sentences<'a>(text: &'a str, min_words: usize, points: &Points) -> Vec<&'a str> {
    // A character has at most four bytes. The search for matching quotes is quadratic in a piece,
    // so pieces are bounded.
    let pieces = blocks(text).into_iter().flat_map(|block| cut(block, points));
    let pieces = pieces.filter(|piece| piece.len() <= 4 * LONGEST);
    pieces.filter_map(tidy).filter(|sentence| is_whole(sentence, min_words)).collect()
}

/// A line of a text.
struct Row<'a> {
    start: usize,
    text: &'a str,
    chars: usize,
}

/// Returns the lines of a text; those of a paragraph that is wrapped by line breaks are one block.
fn blocks(text: &str) -> Vec<&str> {
    let start_of = |line: &str| line.as_ptr() as usize - text.as_ptr() as usize;
    let row = |line| Row { start: start_of(line), text: line, chars: line.chars().count() };
    let rows: Vec<Row> = text.lines().map(row).collect();
    let (mut blocks, mut first) = (Vec::new(), 0);
    while first < rows.len() {
        let mut last = first;
        while continues(&rows, last) {
            last += 1;
        }
        let is_small_next = || rows[first + 1].text.chars().next().is_some_and(is_small);
        if last - first + 1 >= MIN_WRAPPED || last > first && is_small_next() {
            let end = rows[last].start + rows[last].text.len();
            blocks.push(&text[rows[first].start..end]);
        } else {
            blocks.extend(rows[first..=last].iter().map(|row| row.text));
        }
        first = last + 1;
    }
    blocks
}

/// Returns whether a line was broken because the first word of the next one did not fit: with it,
/// the line would be longer than all lines near it.
fn continues(rows: &[Row], at: usize) -> bool {
    let (Some(row), Some(next)) = (rows.get(at), rows.get(at + 1)) else { return false };
    if !(MIN_WIDTH..=MAX_WIDTH).contains(&row.chars) || next.chars > MAX_WIDTH {
        return false;
    }
    let is_end = |c: char| {
        SOFT.contains(&c) || HARD.contains(&c) || matches!(c, ':' | '-' | '\u{1361}' | '|')
    };
    let word = next.text.split_whitespace().next().unwrap_or_default();
    let Some(letter) = word.chars().find(|c| c.is_alphanumeric()) else { return false };
    if row.text.trim_end_matches(is_closing).ends_with(is_end)
        || word.starts_with(BULLETS)
        || is_unspaced(Script::of(letter))
    {
        return false;
    }
    let near = &rows[at.saturating_sub(NEAR_LINES)..rows.len().min(at + NEAR_LINES + 1)];
    let widths = near.iter().map(|row| row.chars).filter(|chars| *chars <= MAX_WIDTH);
    row.chars + 1 + word.chars().count() > widths.max().unwrap_or_default()
}

/// Returns all text of a block, which is one line, sentence by sentence, without white space around
/// them. Text after the last end sign is a sentence of its own. Time is linear in the text.
pub fn split<'a>(block: &'a str, points: &Points) -> Vec<&'a str> {
    let mut pieces = cut(block, points);
    let read: usize = pieces.iter().map(|piece| piece.len()).sum();
    pieces.push(&block[read..]);
    pieces.into_iter().map(str::trim).filter(|piece| !piece.is_empty()).collect()
}

/// Returns the pieces of a block that end with an end sign.
fn cut<'a>(block: &'a str, points: &Points) -> Vec<&'a str> {
    let (mut pieces, mut begin) = (Vec::new(), 0);
    let habits = Habits::of(block);
    let mut quotes = Quotes::default();
    let mut characters = block.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let (before, rest) = (&block[begin..at], &block[at + c.len_utf8()..]);
        let typed = is_typed_end(before, c, rest, habits);
        let is_hard =
            |c| HARD.contains(&c) && !(c == glued::STOP && glued::is_within_word(before, rest));
        let hard = typed || is_hard(c);
        if !hard && !SOFT.contains(&c) {
            quotes.read(c);
            continue;
        }
        // Repeated signs and closing quotes belong to the sentence.
        let (mut end, mut signs) = (at + c.len_utf8(), 1);
        while let Some(&(next, follows)) = characters.peek() {
            let sign = SOFT.contains(&follows) || HARD.contains(&follows) || typed && follows == c;
            let is_apart = || {
                follows.is_whitespace()
                    && (quotes.close(&block[end..])
                        || SHADS.contains(&c) && has_shad(&block[end..]))
            };
            if !sign && !is_closing(follows) && !is_apart() {
                break;
            }
            signs += usize::from(sign);
            quotes.read(follows);
            end = next + follows.len_utf8();
            characters.next();
        }
        let run = &block[at..end];
        if is_quoted(run, &block[end..]) {
            continue;
        }
        let noted = end + notes::length(&block[end..]);
        while characters.next_if(|(next, _)| *next < noted).is_some() {}
        end = noted;
        let place = Place { before, rest: &block[end..], habits };
        let is_east = || is_east_asian_end(before, run, place.rest);
        if hard || is_east() || place.ends_softly(c, signs, points) {
            pieces.push(&block[begin..end]);
            (begin, quotes) = (end, Quotes::default());
        }
    }
    pieces
}

/// Returns whether a text begins with white space and a shad, which ends the same sentence.
fn has_shad(text: &str) -> bool {
    near(text).trim_start().starts_with(SHADS)
}

/// Returns whether signs are at the end of a quotation or of words in brackets within a sentence:
/// in Japanese, Korean and Burmese the particle of a quotation follows its closing quote directly
/// (`「はい。」と答えた`). `signs` are the end signs and the closing quotes after them.
fn is_quoted(signs: &str, rest: &str) -> bool {
    let is_particle = |c: char| {
        c.is_alphabetic() && (is_kana(c) || matches!(Script::of(c).tag(), "Hang" | "Mymr"))
    };
    signs.ends_with(is_closing) && rest.starts_with(is_particle)
}

/// Returns whether a letter is one of Hiragana or Katakana, which only Japanese has.
fn is_kana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9f}')
}

/// Returns whether a question mark or an exclamation mark of ASCII ends a sentence of Chinese or
/// Japanese, which have no blanks: after a letter of theirs, and directly before a letter or an
/// opening quote of theirs. Behind a closing quote the sentence goes on more often than not, and an
/// ellipsis is mostly a pause.
fn is_east_asian_end(before: &str, signs: &str, rest: &str) -> bool {
    let is_letter = |c: char| c.is_alphabetic() && Script::of(c).tag() == "Hani";
    let is_opening = |c: char| !c.is_ascii() && PAIRS.iter().any(|pair| pair.0 == c);
    signs.starts_with(['?', '!'])
        && !signs.ends_with(is_closing)
        && before.trim_end_matches(is_closing).ends_with(is_letter)
        && rest.starts_with(|c: char| is_letter(c) || is_opening(c))
}

/// Returns whether a sign ends a sentence in place of the right one, which keyboards lack: two
/// word separators or colons in Ethiopic (`፡፡` for `።`), a colon in Armenian, a semicolon in Greek
/// (the question mark), a vertical bar in Indic scripts, and a hyphen in Arabic script, if it
/// follows a letter and no letter follows it; a blank may be before it if the block ends with one.
/// What comes next must be able to begin a sentence.
fn is_typed_end(before: &str, sign: char, rest: &str, habits: Habits) -> bool {
    if !matches!(sign, '\u{1361}' | ':' | ';' | '|' | '-' | '\u{2013}') {
        return false;
    }
    // Closing quotes stand between the letter and some signs.
    let letter = before.trim_end_matches(is_closing);
    let is_hyphen = matches!(sign, '-' | '\u{2013}');
    let may_be_apart = matches!(sign, '|') || habits.ends_with_hyphen && is_hyphen;
    let letter = if may_be_apart { letter.trim_end() } else { letter };
    let Some(letter) = letter.chars().next_back().filter(|c| c.is_alphanumeric() || is_mark(*c))
    else {
        return false;
    };
    let is_double = rest.starts_with(sign);
    let ahead = near(rest);
    let is_its = match (Script::of(letter).tag(), sign) {
        ("Ethi", '\u{1361}' | ':') => is_double,
        ("Armn", ':') | ("Grek", ';') => !is_double,
        // Where full stops follow, it is a dash.
        ("Arab", '-' | '\u{2013}') => !is_double && !ahead.contains(['.', '\u{6d4}']),
        ("Beng" | "Deva" | "Gujr" | "Guru" | "Olck" | "Orya", '|') => true,
        _ => false,
    };
    let rest = rest.trim_start_matches(sign);
    let rest = rest.trim_start_matches(is_closing);
    let next = near(rest).chars().find(|c| c.is_alphanumeric());
    let has_border =
        matches!(sign, '\u{1361}' | '|') || rest.chars().next().is_none_or(char::is_whitespace);
    is_its && has_border && !next.is_some_and(is_small)
}

/// Returns whether a character is a mark of the letter before it, which has its script.
pub(crate) fn is_mark(c: char) -> bool {
    matches!(
        get_general_category(c),
        GeneralCategory::NonspacingMark | GeneralCategory::SpacingMark
    )
}

/// How a block is written.
#[derive(Debug, Clone, Copy)]
struct Habits {
    /// Whether it has other full stops than [`SOFT`].
    has_full_stops: bool,
    /// Whether it ends with a hyphen in Arabic script and has no full stop, so that the hyphens are
    /// full stops also behind a blank: `وہ گھر گیا - اس نے کھانا کھایا -`.
    ends_with_hyphen: bool,
    /// Whether sentences begin with capitals. If none does, as in chats, small letters begin
    /// sentences too.
    has_capitals: bool,
}

impl Habits {
    fn of(block: &str) -> Self {
        let mut armenian = block.match_indices([':', '\u{589}']);
        let is_armenian =
            |at: usize| Script::of(block[..at].chars().next_back().unwrap_or(' ')).tag() == "Armn";
        Self {
            has_full_stops: block.contains(FULL_STOPS) || armenian.any(|(at, _)| is_armenian(at)),
            ends_with_hyphen: Self::ends_with_hyphen(block),
            has_capitals: Self::has_capitals(block),
        }
    }

    fn ends_with_hyphen(block: &str) -> bool {
        let Some(before) = block.trim_end().strip_suffix(['-', '\u{2013}']) else { return false };
        let letter = before.trim_end().chars().next_back();
        letter.is_some_and(|c| Script::of(c).tag() == "Arab") && !block.contains(['.', '\u{6d4}'])
    }

    /// Returns whether at least as many sentences begin with a capital as with a small letter, as
    /// far as ends can be seen without knowing words: those after long words.
    fn has_capitals(block: &str) -> bool {
        let mut tokens =
            block.split_whitespace().filter(|token| token.contains(char::is_alphabetic));
        let is_small_first = |token: &str| token.starts_with(is_small);
        let Some(mut last) = tokens.next().filter(|token| is_small_first(token)) else {
            return true;
        };
        let (mut small, mut capital) = (0, 0);
        for token in tokens.take(MAX_TOKENS) {
            if let Some(word) = last.strip_suffix(SOFT) {
                let letters = word.chars().filter(|c| c.is_alphabetic()).count();
                small += u32::from(is_small_first(token) && letters > SHORT_WORD);
                capital += u32::from(!is_small_first(token));
            }
            last = token;
        }
        small <= capital
    }
}

/// The quotes that a sentence has opened. Their closing half may stand after a blank, as in French.
#[derive(Debug, Clone, Copy, Default)]
struct Quotes {
    angles: i32,
    is_straight: bool,
}

impl Quotes {
    fn read(&mut self, c: char) {
        match c {
            '«' => self.angles += 1,
            '»' => self.angles -= 1,
            '"' => self.is_straight = !self.is_straight,
            _ => (),
        }
    }

    /// Returns whether a text begins with a blank and a quote that closes one of the sentence.
    fn close(&self, text: &str) -> bool {
        let mut characters = text.chars().skip(1);
        let (quote, next) = (characters.next(), characters.next());
        let closes = match quote {
            Some('»') => self.angles > 0,
            Some('«') => self.angles < 0,
            Some('"') => self.is_straight,
            _ => false,
        };
        closes && next.is_none_or(|c| !c.is_alphanumeric())
    }
}

/// Returns the beginning of a text.
fn near(text: &str) -> &str {
    &text[..floor_char_boundary(text, AHEAD)]
}

/// A place of a block with `. ! ? …`.
struct Place<'a> {
    /// Text from the beginning of the sentence to the sign.
    before: &'a str,
    /// Text after the signs.
    rest: &'a str,
    habits: Habits,
}

impl<'a> Place<'a> {
    /// Returns whether a sentence ends here. `signs` is the number of consecutive signs.
    fn ends_softly(&self, sign: char, signs: usize, points: &Points) -> bool {
        let Some(first) = self.rest.chars().next() else { return true };
        let ahead = near(self.rest);
        let signs_ahead = ahead.split_whitespace().next().unwrap_or_default();
        // Of signs with blanks between them the last one ends the sentence.
        if first.is_whitespace()
            && !signs_ahead.is_empty()
            && signs_ahead.chars().all(|c| SOFT.contains(&c))
        {
            return false;
        }
        let Some(at) = ahead.find(char::is_alphanumeric) else {
            return first.is_whitespace() && !ahead.contains(SOFT) && !ahead.contains(HARD);
        };
        let next = ahead[at..].split(|c: char| !c.is_alphanumeric() && !is_mark(c)).next();
        let next = next.unwrap_or_default();
        if !first.is_whitespace() {
            return at == 0 && signs == 1 && self.lacks_blank(sign, next, points);
        }
        if self.habits.has_capitals && next.starts_with(is_small) {
            return false;
        }
        sign != '.' || signs > 1 || self.is_end_before(next, points)
    }

    /// Returns the word before the sign, or the end of a very long one.
    fn word(&self) -> &'a str {
        let from = floor_char_boundary(self.before, self.before.len().saturating_sub(AHEAD));
        let word = self.before[from..].rsplit(char::is_whitespace).next().unwrap_or_default();
        word.trim_start_matches(|c: char| !c.is_alphanumeric())
    }

    /// Returns whether a sentence ends although no blank follows the sign: between a word in small
    /// letters and one that begins with a capital (`came.Then`), or between words without case.
    /// Addresses and dotted letters do not look like this.
    fn lacks_blank(&self, sign: char, next: &str, points: &Points) -> bool {
        let is_plain = |word: &str| word.chars().all(|c| c.is_alphabetic() || is_mark(c));
        let follows = self.rest[next.len()..].chars().next();
        if !is_plain(next)
            || DOMAINS.iter().any(|domain| next.eq_ignore_ascii_case(domain))
            || follows.is_some_and(|c| !c.is_whitespace() && !matches!(c, ',' | ';' | ':'))
        {
            return false;
        }
        let is_point = sign == '.';
        // Where a blank stands on the wrong side of the sign.
        let is_apart = self.before.ends_with(char::is_whitespace);
        let word = Place { before: self.before.trim_end(), ..*self }.word();
        let (Some(last), Some(first)) = (word.chars().next_back(), next.chars().next()) else {
            return false;
        };
        let is_border = match has_case(first) {
            true => {
                first.is_uppercase()
                    && !(is_point && is_apart)
                    && next.chars().skip(1).all(char::is_lowercase)
                    && word.chars().skip(1).all(char::is_lowercase)
                    && next.chars().count() >= MIN_GLUED
            }
            false => {
                let is_stop = is_point && self.habits.has_full_stops;
                !has_case(last) && Script::of(last) == Script::of(first) && !is_stop
            }
        };
        let is_abbreviation = || {
            let is_short = word.chars().count() < MIN_GLUED && !points.is_final(word);
            is_point && !is_apart && (is_short || points.is_abbreviation(word))
        };
        is_border && is_plain(word) && !is_abbreviation()
    }

    /// Returns whether a full stop ends a sentence before a word.
    fn is_end_before(&self, next: &str, points: &Points) -> bool {
        let word = self.word();
        let is_alone = self.before.trim() == word;
        let letters = letters(word);
        // In Armenian a point is no full stop at all.
        let is_other = |c: char| {
            c.is_alphabetic() && !has_case(c) && letters <= SHORT_WORD
                || Script::of(c).tag() == "Armn"
        };
        if self.habits.has_full_stops && word.ends_with(is_other) {
            return false;
        }
        let signs = letters + word.chars().filter(|c| c.is_numeric()).count();
        let is_dotted = word.contains('.')
            && letters > 0
            && word.split('.').all(|part| self::letters(part) <= 2);
        match letters {
            0 if signs > 0 => !is_alone && self.is_end_after_number(word, next, points),
            _ if is_alone && is_roman(word) => false,
            1 if signs == 1 && !is_syllable(word) => match word.starts_with(is_small) {
                // `i. e.`, `т. д.`
                true => points.begins(next),
                false => points.often_begins(next),
            },
            _ if points.is_abbreviation(word) || is_dotted => points.begins(next),
            ..=SHORT_WORD if next.starts_with(char::is_numeric) => {
                points.is_word(word) || is_syllable(word)
            }
            _ => true,
        }
    }

    /// Returns whether a full stop after a number ends a sentence, so that the number is not an
    /// ordinal one.
    fn is_end_after_number(&self, number: &str, next: &str, points: &Points) -> bool {
        let digits = number.chars().rev().take_while(|c| c.is_numeric()).count();
        let is_ordinal = (1..MIN_CARDINAL).contains(&digits)
            && number.chars().all(|c| c.is_numeric() || c == '.')
            && next.starts_with(|c: char| c.is_numeric() || has_case(c));
        !is_ordinal || points.begins(next)
    }
}

/// Returns the number of letters, without marks. In scripts of South India, names of letters are
/// one letter (`எம்` for M).
fn letters(word: &str) -> usize {
    let is_letter = |c: char| c.is_alphabetic() && !is_mark(c);
    let number = word.chars().filter(|c| is_letter(*c)).count();
    let first = word.chars().next().unwrap_or(' ');
    match Script::of(first).tag() {
        "Taml" | "Mlym" | "Telu" | "Knda" if number == 2 && is_independent_vowel(first) => 1,
        "Taml" | "Mlym" | "Telu" | "Knda" => number,
        _ => word.chars().filter(|c| c.is_alphabetic()).count(),
    }
}

/// Returns whether a letter of an Indic script is a vowel, with which names of letters begin (`எம்`
/// for M).
fn is_independent_vowel(c: char) -> bool {
    // The blocks of these scripts have one order.
    matches!(u32::from(c) & 0x7f, 0x05..=0x14)
}

/// Returns whether a word is a Roman number in capitals.
fn is_roman(word: &str) -> bool {
    word.chars().all(|c| matches!(c, 'I' | 'V' | 'X' | 'L'))
}

/// Returns whether a letter has capital and small forms that sentences use.
pub(crate) fn has_case(c: char) -> bool {
    c.is_uppercase() || is_small(c)
}

/// Returns whether a word is of syllables or word signs, one of which can be a word.
fn is_syllable(word: &str) -> bool {
    word.ends_with(|c| matches!(Script::of(c).tag(), "Hang" | "Hani" | "Yiii" | "Cans"))
}

/// Returns whether a character closes quotes or brackets.
pub(crate) fn is_closing(c: char) -> bool {
    c == '\'' || PAIRS.iter().any(|pair| pair.1 == c)
}

/// Returns whether no sentence begins with this letter. Georgian has capitals in Unicode, but
/// sentences without them.
pub(crate) fn is_small(c: char) -> bool {
    c.is_lowercase() && !('\u{10d0}'..='\u{10ff}').contains(&c)
}

/// Removes bullets, and unmatched quotes and brackets at both ends.
fn tidy(piece: &str) -> Option<&str> {
    let mut sentence = piece.trim();
    loop {
        sentence = sentence.trim_start_matches(|c: char| c.is_whitespace() || BULLETS.contains(&c));
        let (first, last) = (sentence.chars().next()?, sentence.chars().next_back()?);
        if is_half(sentence, first, |pair| pair.0) {
            sentence = &sentence[first.len_utf8()..];
        } else if is_half(sentence, last, |pair| pair.1) {
            sentence = sentence[..sentence.len() - last.len_utf8()].trim_end();
        } else {
            return Some(sentence);
        }
    }
}

/// Returns whether a character is one half of pairs, and the sentence has the other half of none of
/// them.
fn is_half(sentence: &str, c: char, half: fn((char, char)) -> char) -> bool {
    let mut pairs = PAIRS.into_iter().filter(|&pair| half(pair) == c).peekable();
    pairs.peek().is_some() && !pairs.any(|(open, close)| has_both(sentence, open, close))
}

/// Returns whether both halves of a pair are present; of identical halves there must be an even
/// number.
fn has_both(sentence: &str, open: char, close: char) -> bool {
    if open == close {
        sentence.matches(open).count().is_multiple_of(2)
    } else {
        sentence.contains(open) && sentence.contains(close)
    }
}

/// Returns whether a tidy piece is a sentence: not too short, not too long, mostly letters, and not
/// the rest of another sentence.
fn is_whole(sentence: &str, min_words: usize) -> bool {
    if sentence.chars().find(|c| c.is_alphabetic()).is_none_or(is_small) {
        return false;
    }
    let (mut words, mut letters) = (0, 0);
    for_each_word(sentence, |word| {
        letters += word.letters.len();
        words += if is_unspaced(word.script) {
            word.letters.len().div_ceil(CHARACTERS_A_WORD)
        } else {
            1
        };
    });
    let characters = sentence.chars().filter(|c| !c.is_whitespace()).count();
    words >= min_words
        && letters * 100 >= characters * LETTERS_PERCENT
        && sentence.chars().count() <= LONGEST
}

fn is_unspaced(script: Script) -> bool {
    WITHOUT_BLANKS.contains(&script.tag())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Vec<&str> {
        sentences(text, 2, &Points::default())
    }

    #[test]
    fn every_script_has_its_ends_and_every_end_has_a_script() {
        let listed: Vec<char> = ENDS.iter().flat_map(|(_, own)| own.iter().copied()).collect();
        assert!(HARD.iter().all(|end| listed.contains(end)), "{listed:?}");
        for (script, text) in [
            ("Arab", "یہ ایک چھوٹا سا جملہ ہے"),
            ("Deva", "यह एक छोटा वाक्य है"),
            ("Latn", "This is a short sentence"),
            ("Hant", "這是一個很短的中文句子"),
            ("Ethi", "ይህ አጭር ዓረፍተ ነገር ነው"),
        ] {
            for end in ends(script) {
                let sentence = format!("{text}{end}");
                assert_eq!(
                    sentences(&sentence, 1, &Points::default()),
                    [sentence.as_str()],
                    "{script}"
                );
            }
        }
        assert_eq!(ends("Latn"), SOFT);
        assert!(ends("Thai").is_empty());
    }

    #[test]
    fn sentences_end_at_the_signs_of_their_script() {
        for (text, expected) in [
            ("وہ گھر گیا۔میں بھی آیا؟ کیوں نہیں", vec!["وہ گھر گیا۔", "میں بھی آیا؟"]),
            ("वह घर गया। मैं भी आया॥", vec!["वह घर गया।", "मैं भी आया॥"]),
            ("ዛሬ ዝናብ ነው። ነገ ፀሐይ ነው።", vec!["ዛሬ ዝናብ ነው።", "ነገ ፀሐይ ነው።"]),
            ("ሚር. ትራምፕ ዛሬ መጡ። ነገ ይሄዳሉ።", vec!["ሚር. ትራምፕ ዛሬ መጡ።", "ነገ ይሄዳሉ።"]),
            ("वह घर गया. मैं भी आया.", vec!["वह घर गया.", "मैं भी आया."]),
            ("今天下雨了。明天出太阳！", vec!["今天下雨了。", "明天出太阳！"]),
            ("ბავშვი სახლში წავიდა. ჩვენ დავრჩით.", vec!["ბავშვი სახლში წავიდა.", "ჩვენ დავრჩით."]),
            (
                "He left. “Why now?” she asked. Nobody knew… Then it rained!",
                vec!["He left.", "“Why now?” she asked.", "Nobody knew…", "Then it rained!"],
            ),
        ] {
            assert_eq!(read(text), expected);
        }
    }

    #[test]
    fn signs_that_people_type_end_sentences_of_their_script() {
        for (text, expected) in [
            ("ዛሬ ዝናብ ነው፡፡ ነገ ፀሐይ ነው፡፡", vec!["ዛሬ ዝናብ ነው፡፡", "ነገ ፀሐይ ነው፡፡"]),
            ("ዛሬ ዝናብ ነው፡፡ነገ ፀሐይ ነው::", vec!["ዛሬ ዝናብ ነው፡፡", "ነገ ፀሐይ ነው::"]),
            ("ዛሬ፡ዝናብ፡ነው።", vec!["ዛሬ፡ዝናብ፡ነው።"]),
            ("Նա տուն գնաց: Մենք մնացինք:", vec!["Նա տուն գնաց:", "Մենք մնացինք:"]),
            ("Նա բերեց «հին գիրքը»: Մենք մնացինք:", vec!["Նա բերեց «հին գիրքը»:", "Մենք մնացինք:"]),
            ("Նա բերեց երեք բան: հաց, ջուր և աղ:", vec!["Նա բերեց երեք բան: հաց, ջուր և աղ:"]),
            ("Πού πήγε ο γέρος; Δεν ξέρω.", vec!["Πού πήγε ο γέρος;", "Δεν ξέρω."]),
            ("वह घर गया | मैं भी आया|", vec!["वह घर गया |", "मैं भी आया|"]),
            ("সে বাড়ি গেল| আমিও এলাম||", vec!["সে বাড়ি গেল|", "আমিও এলাম||"]),
            ("وہ گھر چلا گیا- میں بھی آ گیا-", vec!["وہ گھر چلا گیا-", "میں بھی آ گیا-"]),
            ("اس نے کہا- میں کل آؤں گا۔", vec!["اس نے کہا- میں کل آؤں گا۔"]),
            ("وہ گھر چلا گیا - میں بھی آ گیا -", vec!["وہ گھر چلا گیا -", "میں بھی آ گیا -"]),
            ("وہ - میرا بھائی - گھر گیا۔", vec!["وہ - میرا بھائی - گھر گیا۔"]),
        ] {
            assert_eq!(read(text), expected);
        }
        for text in [
            "He brought three things: Bread and water",
            "Home | News | Sport and more",
            "One thing; Another thing",
            "وہ بہت - بہت اچھا",
            "عالم-گیر جنگ کے بعد",
            "Ժամը 10:30 գնացքը",
            "ዛሬ፡ዝናብ፡ነው",
        ] {
            assert_eq!(read(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn urdu_full_stops_within_numbers_and_acronyms_end_nothing() {
        for text in [
            "ڈالر کی قیمت 3۔5 فیصد بڑھ کر ۲۸۱۔۵۰ روپے ہو گئی ہے۔",
            "یہ خبر 12۔03۔2024 کو آئی۔",
            "بی۔بی۔سی اردو کو انٹرویو دیا ہے۔",
            "پی۔ٹی۔آئی کے رہنما بھی موجود تھے۔",
            "ڊاڪٽر جي۔ايم۔سيد چيو۔",
            "اس نے ایم۔اے کیا ہے۔",
            "ن۔لیگ اور ق۔لیگ کے رہنما آئے۔",
            "مسلم لیگ۔ن کے رہنما آئے۔",
            "ایف۔16 طیارے آج پہنچے۔",
            "سی۔پیک کا منصوبہ شروع ہوا۔",
            "۲۔ دوسرا نکتہ یہ ہے کہ کام کریں۔",
        ] {
            assert_eq!(split(text, &Points::default()), [text]);
        }
    }

    #[test]
    fn urdu_sentences_without_a_blank_between_them_are_split() {
        for (text, expected) in [
            ("وہ گھر گیا۔میں بھی آیا۔", ["وہ گھر گیا۔", "میں بھی آیا۔"]),
            ("یہ اچھی بات ہے۔اس نے کہا۔", ["یہ اچھی بات ہے۔", "اس نے کہا۔"]),
            ("یہ خبر آج آئی۔پھر وہ گئے۔", ["یہ خبر آج آئی۔", "پھر وہ گئے۔"]),
            ("یہ سال تھا 2024۔اس میں بارش ہوئی۔", ["یہ سال تھا 2024۔", "اس میں بارش ہوئی۔"]),
            ("وہ چلے گئے۔5 لوگ رہ گئے۔", ["وہ چلے گئے۔", "5 لوگ رہ گئے۔"]),
            ("وہ سب ہیں۔بی۔بی۔سی نے کہا۔", ["وہ سب ہیں۔", "بی۔بی۔سی نے کہا۔"]),
            ("هغه راغلی و۔بیا لاړ۔", ["هغه راغلی و۔", "بیا لاړ۔"]),
        ] {
            assert_eq!(split(text, &Points::default()), expected);
        }
    }

    #[test]
    fn quotations_before_a_particle_do_not_break_their_sentence() {
        for text in [
            "田中さんは「明日も来ます。」と言って帰りました。",
            "「本当ですか?」と聞くと、「はい。」と答えました。",
            "会社（代表：山田。）は東京にあります。",
            "그는 \"내년에 시작한다.\"며 웃었다.",
            "\"정말인가?\"라는 질문에는 답하지 않았다.",
            "သူက “မနက်ဖြန်လာမယ်။”ဟု ပြောသည်။",
        ] {
            assert_eq!(split(text, &Points::default()), [text]);
        }
        assert_eq!(
            split("他问：“你是谁？”我没有回答。", &Points::default()),
            ["他问：“你是谁？”", "我没有回答。"]
        );
    }

    #[test]
    fn marks_of_footnotes_belong_to_the_sentence_before_them() {
        for (text, expected) in [
            (
                "The river rose that night.[1] Nobody had expected it.[2][3] The mayor came.",
                vec![
                    "The river rose that night.[1]",
                    "Nobody had expected it.[2][3]",
                    "The mayor came.",
                ],
            ),
            (
                "It rained all night.¹² The mayor came.[citation needed] Then he left.",
                vec!["It rained all night.¹²", "The mayor came.[citation needed]", "Then he left."],
            ),
            ("वह घर गया।[1] मैं भी आया।", vec!["वह घर गया।[1]", "मैं भी आया।"]),
            ("He said.[1] and then left.", vec!["He said.[1] and then left."]),
            ("He paused...[…] Then he left.", vec!["He paused...[…]", "Then he left."]),
            ("We use it.[1].x and leave.", vec!["We use it.[1].x and leave."]),
        ] {
            assert_eq!(split(text, &Points::default()), expected);
        }
    }

    #[test]
    fn chinese_and_japanese_end_at_question_marks_of_ascii() {
        for (text, expected) in [
            ("你去哪里?我回家!价格是3.5元。", vec!["你去哪里?", "我回家!", "价格是3.5元。"]),
            ("本当ですか?はい、本当です。", vec!["本当ですか?", "はい、本当です。"]),
            ("你去哪里?[1]我回家。", vec!["你去哪里?[1]", "我回家。"]),
            ("请问大角咀…在哪里？", vec!["请问大角咀…在哪里？"]),
            (
                "他问:“你是谁?你来做什么?”我没有回答。",
                vec!["他问:“你是谁?", "你来做什么?”我没有回答。"],
            ),
            ("请看http://a.cn/路径?id=3和别的。", vec!["请看http://a.cn/路径?id=3和别的。"]),
        ] {
            assert_eq!(split(text, &Points::default()), expected);
        }
    }

    #[test]
    fn two_shads_with_a_blank_are_one_end_of_tibetan() {
        let text = "བོད་སྐད་སྦྱོང་བ་ཡིན། ། དེ་རིང་ཆར་པ་འབབ་ཀྱི་འདུག །";
        assert_eq!(split(text, &Points::default()), ["བོད་སྐད་སྦྱོང་བ་ཡིན། །", "དེ་རིང་ཆར་པ་འབབ་ཀྱི་འདུག །"]);
    }

    #[test]
    fn points_of_abbreviations_numbers_and_names_end_nothing() {
        for text in [
            "Prof. J. R. Smith came at 3.15 p.m. and left.",
            "See No. 5 and Art. 12 of the law.",
            "Das gilt z.B. Freitags nicht.",
            "Am 3. Oktober war es kalt.",
            "The site www.example.org of. points is up.",
        ] {
            let sentences = read(text);
            assert!(sentences.len() <= 1 || text.starts_with("Prof."), "{sentences:?}");
            assert!(sentences.last().is_some_and(|last| text.ends_with(last)), "{sentences:?}");
        }
    }

    #[test]
    fn ends_without_a_blank_and_quotes_after_one_are_ends() {
        for (text, expected) in [
            (
                "We came home late.Nobody was there.",
                vec!["We came home late.", "Nobody was there."],
            ),
            ("هو گهر ويو .پوءِ مينهن پيو .", vec!["هو گهر ويو .", "پوءِ مينهن پيو ."]),
            ("તે ઘરે ગયો હતો.પછી વરસાદ પડ્યો.", vec!["તે ઘરે ગયો હતો.", "પછી વરસાદ પડ્યો."]),
            (
                "Il dit : « Je viens demain. » Puis il partit.",
                vec!["Il dit : « Je viens demain. »", "Puis il partit."],
            ),
            (
                "She asked \" Is it late ? \" Nobody knew it.",
                vec!["She asked \" Is it late ? \"", "Nobody knew it."],
            ),
            (
                "We read example.Net and node.JS today.",
                vec!["We read example.Net and node.JS today."],
            ),
            (
                "Ինչո՞ւ չեկար այսօր տուն: Մենք սպասեցինք:",
                vec!["Ինչո՞ւ չեկար այսօր տուն:", "Մենք սպասեցինք:"],
            ),
            ("இங்கு எம். குமார் வந்தார். மழை பெய்தது.", vec!["இங்கு எம். குமார் வந்தார்.", "மழை பெய்தது."]),
            (
                "It was built in 1984. Nobody lives there.",
                vec!["It was built in 1984.", "Nobody lives there."],
            ),
            (
                "In Halle leben rund 66 %. Mehr sind es in Jena.",
                vec!["In Halle leben rund 66 %.", "Mehr sind es in Jena."],
            ),
            ("IV. Von den Rechten der Bauern.", vec!["IV. Von den Rechten der Bauern."]),
        ] {
            assert_eq!(read(text), expected);
        }
    }

    #[test]
    fn small_letters_begin_sentences_where_nothing_else_does() {
        let chat = "i was tired yesterday. went home early and slept. what about you?";
        assert_eq!(split(chat, &Points::default()).len(), 3);
        let broken = "approx. ten of them came late. The others stayed.";
        assert_eq!(split(broken, &Points::default()).len(), 2);
    }

    #[test]
    fn what_is_no_whole_sentence_is_left_out() {
        for text in [
            "Read more",
            "and so it ended.",
            "12.5.2024 10:15.",
            "One.",
            "© 2024 A & B | C | D | 1 2 3 4 5 6.",
            "\n",
            "... ?! ۔",
        ] {
            assert_eq!(read(text), [""; 0], "{text}");
        }
        assert_eq!(read(&format!("A {} b.", "x".repeat(LONGEST))), [""; 0]);
        assert_eq!(
            read("The line\nbreaks here."),
            [""; 0],
            "no sentence goes on in the next block"
        );
    }

    #[test]
    fn text_that_is_wrapped_is_one_paragraph() {
        let latin = "The old mill beside the river had been closed for many years when the\n\
                     village decided to turn it into a small museum. On the first Sunday in\n\
                     May more than two hundred guests came to see it.";
        let urdu = "گاؤں کی پرانی چکی کئی برس سے بند پڑی تھی اور لوگ اسے بھول چکے تھے مگر اب\n\
                    اس کی دیواریں دوبارہ بنائی جا رہی ہیں اور اگلے سال تک وہاں ایک چھوٹا سا\n\
                    عجائب گھر بن جائے گا۔";
        let of = |text: &str| -> Vec<String> {
            read(text).into_iter().map(|sentence| sentence.replace('\n', " ")).collect()
        };
        assert_eq!(
            of(latin),
            [
                "The old mill beside the river had been closed for many years when the village \
                 decided to turn it into a small museum.",
                "On the first Sunday in May more than two hundred guests came to see it."
            ]
        );
        assert_eq!(of(urdu), [urdu.replace('\n', " ")]);
        let titles = "The mayor of the old town opens a new museum beside the river today\n\
                      Rain again\n\
                      Farmers of the valley ask for help after the long and very cold winter\n\
                      The rest is weather.";
        assert_eq!(of(titles), ["The rest is weather."]);
    }

    #[test]
    fn halves_of_quotes_and_bullets_at_the_ends_go() {
        for (text, expected) in [
            ("- «Так и было.", "Так и было."),
            ("• (So it was.)", "(So it was.)"),
            ("(- So it was.", "So it was."),
            ("So it was… ۔", "So it was… ۔"),
            ("„So war es.“", "„So war es.“"),
            ("”Niin se oli.”", "”Niin se oli.”"),
            ("»So war es.« Und", "»So war es.«"),
            ("\"So it was. And", "So it was."),
            ("So it was.\"", "So it was."),
            ("«یہ سچ ہے۔»", "«یہ سچ ہے۔»"),
        ] {
            assert_eq!(read(text), [expected]);
        }
    }

    #[test]
    fn signs_and_quotes_by_the_million_are_read_in_time() {
        for (unit, end) in [
            (". ", ""),
            ("(", "A b c d."),
            ("a. ", ""),
            ("“A ", "b."),
            ("z.", " B c."),
            ("۔", ""),
            ("ا۔", ""),
            ("3۔", ""),
            (".[1]", ""),
            ("། ", ""),
            ("\"", "A b."),
        ] {
            let text = unit.repeat(1_000_000) + end;
            assert!(sentences(&text, 4, &Points::default()).is_empty(), "{unit}");
        }
    }

    proptest! {
        #[test]
        fn sentences_come_from_the_text_in_order_and_stay_whole(text in "[aA.!?… \n\"“”(۔ا۔b1か한\\[\\]།-]{0,80}") {
            let mut at = 0;
            for sentence in sentences(&text, 1, &Points::default()) {
                let place = text[at..].find(sentence);
                prop_assert!(place.is_some(), "{sentence:?}");
                at += place.unwrap_or(0) + sentence.len();
                prop_assert_eq!(sentences(sentence, 1, &Points::default()).concat(), sentence, "a sentence is one or some");
            }
        }
    }
}
