//! Writes letters for presentation forms, which old programs and text from PDFs have: Latin `ﬁ`,
//! Armenian, Hebrew, Arabic `ﻼ`.
//!
//! Such text is often stored in the order of the screen, from left to right. The forms of Arabic
//! letters tell that order: in the order of reading a word begins with an initial or isolated form
//! and ends with a final or isolated one, and each letter joins the next one if that joins it. Where
//! the words of a line say that it is turned round, it is put into the order of reading. Numbers and
//! words in Latin script keep their order.

use crate::repair::{reference, with_parts};
use std::ops::Range;
use unicode_general_category::{get_general_category, GeneralCategory as Category};
use unicode_normalization::UnicodeNormalization;

/// Words in the order of the screen that decide about lines of the same page without such a word,
/// if there are ten times as many as of words in the order of reading.
const ENOUGH: usize = 3;

const TATWEEL: char = '\u{640}';

/// Returns whether a character is a form of letters. Signs of whole phrases, and signs beside
/// letters, stay.
fn is_form(c: char) -> bool {
    matches!(c, '\u{fb00}'..='\u{fdc7}' | '\u{fe70}'..='\u{fefc}')
        && c.is_alphabetic()
        && c != '\u{fb1e}'
}

/// Returns false for nearly every page without a presentation form, fast.
pub(crate) fn may_be_in(html: &str) -> bool {
    let is_form = |at: usize| {
        matches!(
            html.as_bytes()[at..],
            [0xef, 0xac..=0xbb, ..]
                | [b'&', b'#', b'6', b'4' | b'5', ..]
                | [b'&', b'#', b'x' | b'X', b'f' | b'F', ..]
        )
    };
    memchr::memchr2_iter(0xef, b'&', html.as_bytes()).any(is_form)
}

/// Writes letters for the presentation forms in the texts of a page, also for those that are
/// written as references. `None` if there is none. Time is linear in the length of the page.
pub(crate) fn with_letters(html: &str, texts: &[Range<usize>]) -> Option<String> {
    let lines = || texts.iter().flat_map(|text| html[text.clone()].split_inclusive('\n'));
    let has_form = |line: &&str| may_be_in(line);
    let counts = lines().filter(has_form).map(|line| Counts::of(&Line::new(line).cells));
    let page = counts.fold(Counts::default(), Counts::plus);
    if page.forms == 0 {
        return None;
    }
    Some(with_parts(html, texts, |text, out| {
        for line in text.split_inclusive('\n') {
            match may_be_in(line) {
                true => Line::new(line).write(&page, out),
                false => out.push_str(line),
            }
        }
    }))
}

/// The role of a character in the order of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// An Arabic form: whether it joins the letter before and the one after it, where that is
    /// certain.
    Form(Option<Joins>),
    /// A sign on a letter.
    Mark,
    /// Another letter of a script that is written from right to left.
    Right,
    /// A letter of another script.
    Left,
    Digit,
    Space,
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Joins {
    before: bool,
    after: bool,
}

fn kind(c: char) -> Kind {
    match c {
        '\u{fe70}'..='\u{fe7f}' => Kind::Mark,
        TATWEEL => Kind::Form(Some(Joins { before: true, after: true })),
        '\u{fb50}'..='\u{fbe9}' | '\u{fe80}'..='\u{fefc}' if is_form(c) => {
            Kind::Form(Some(joins(c)))
        }
        '\u{fbea}'..='\u{fdc7}' if is_form(c) => Kind::Form(None),
        _ if c.is_whitespace() => Kind::Space,
        _ if c.is_numeric() => Kind::Digit,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fb4f}' if c.is_alphabetic() => {
            match get_general_category(c) {
                Category::NonspacingMark => Kind::Mark,
                _ => Kind::Right,
            }
        }
        _ if c.is_alphabetic() => Kind::Left,
        _ => match get_general_category(c) {
            Category::NonspacingMark => Kind::Mark,
            _ => Kind::Other,
        },
    }
}

/// The forms of a letter follow each other: isolated, final, initial, medial.
fn joins(c: char) -> Joins {
    let letters = |c: char| std::iter::once(c).nfkc();
    let place = match c {
        // Their isolated and final forms are those of another letter.
        '\u{fbe8}' | '\u{fbe9}' => u32::from(c) - 0xfbe8 + 2,
        _ => {
            let earlier = (1..4).map_while(|n| char::from_u32(u32::from(c) - n));
            earlier.take_while(|other| letters(*other).eq(letters(c))).count() as u32
        }
    };
    Joins { before: place % 2 == 1, after: place >= 2 }
}

/// A character of a line with its place in the source.
struct Cell<'t> {
    c: char,
    source: &'t str,
    kind: Kind,
}

/// Words by what their forms say about the order.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    /// Forms of any script.
    forms: usize,
    /// In the order of the screen.
    screen: usize,
    /// In the order of reading.
    reading: usize,
}

impl Counts {
    fn plus(self, other: Counts) -> Counts {
        Counts {
            forms: self.forms + other.forms,
            screen: self.screen + other.screen,
            reading: self.reading + other.reading,
        }
    }

    fn of(cells: &[Cell<'_>]) -> Counts {
        let forms = cells.iter().filter(|cell| is_form(cell.c)).count();
        let mut counts = Counts { forms, ..Counts::default() };
        for word in cells.chunk_by(|one, other| is_of_word(one) && is_of_word(other)) {
            let letters: Vec<Option<Joins>> = word
                .iter()
                .filter(|cell| cell.kind != Kind::Mark)
                .map(|cell| if let Kind::Form(joins) = cell.kind { joins } else { None })
                .collect();
            if letters.len() < 2 {
                continue;
            }
            let end = Some(Joins { before: false, after: false });
            let from = || std::iter::once(end).chain(letters.iter().copied());
            let pairs = from().zip(from().skip(1).chain(std::iter::once(end)));
            let (mut reading, mut screen) = (true, true);
            for (one, next) in pairs.filter_map(|(one, next)| one.zip(next)) {
                reading &= one.after == next.before;
                screen &= one.before == next.after;
            }
            counts.reading += usize::from(reading && !screen);
            counts.screen += usize::from(screen && !reading);
        }
        counts
    }

    /// Returns whether the words say that they are turned round; `None` if they say nothing.
    fn are_turned(&self) -> Option<bool> {
        (self.screen + self.reading > 0).then_some(self.screen > 10 * self.reading)
    }
}

fn is_of_word(cell: &Cell<'_>) -> bool {
    matches!(cell.kind, Kind::Form(_) | Kind::Mark | Kind::Right)
}

/// A line of a text.
struct Line<'t> {
    cells: Vec<Cell<'t>>,
}

impl<'t> Line<'t> {
    fn new(line: &'t str) -> Self {
        let (mut cells, mut rest) = (Vec::with_capacity(line.len() / 2), line);
        while let Some(first) = rest.chars().next() {
            let referred = rest.strip_prefix('&').and_then(reference);
            let (c, length) = match referred {
                Some((c, length)) => (c, length + 1),
                None => (first, first.len_utf8()),
            };
            let (source, after) = rest.split_at(length);
            cells.push(Cell { c, source, kind: kind(c) });
            rest = after;
        }
        Line { cells }
    }

    /// Writes the line with letters. `page`: the words of the page.
    fn write(&self, page: &Counts, out: &mut String) {
        let mut at = 0;
        for run in self.runs() {
            self.cells[at..run.start].iter().for_each(|cell| push(cell, false, out));
            at = run.end;
            let cells = &self.cells[run];
            let is_turned = Counts::of(cells)
                .are_turned()
                .unwrap_or(page.screen >= ENOUGH && page.are_turned() == Some(true));
            if is_turned {
                write_turned(cells, out);
            } else {
                cells.iter().for_each(|cell| push(cell, false, out));
            }
        }
        self.cells[at..].iter().for_each(|cell| push(cell, false, out));
    }

    /// The parts of the line that have one order: words of forms, and what is between them. Other
    /// words from right to left are not in it, nor are those of a line that is not.
    fn runs(&self) -> Vec<Range<usize>> {
        let is_word = |part: &&[Cell<'_>]| is_of_word(&part[0]);
        let chunks = || self.cells.chunk_by(|one, other| is_of_word(one) == is_of_word(other));
        let is_left_letter = |cell: &Cell<'_>| cell.kind == Kind::Left;
        let left = self.cells.chunk_by(|one, other| is_left_letter(one) == is_left_letter(other));
        let left = left.filter(|part| is_left_letter(&part[0])).count();
        let is_left = left > chunks().filter(is_word).count();
        let mut runs = Vec::new();
        // The start of the run, and the range from its first word of forms to its last.
        let (mut start, mut words): (usize, Option<Range<usize>>) = (0, None);
        let mut from = 0;
        for word in chunks() {
            let range = from..from + word.len();
            from = range.end;
            let forms = word.iter().filter(|cell| matches!(cell.kind, Kind::Form(_))).count();
            let others = word.iter().filter(|cell| cell.kind == Kind::Right).count();
            let stops = if is_of_word(&word[0]) {
                others > forms
            } else {
                is_left && word.iter().any(|cell| cell.kind == Kind::Left)
            };
            if stops {
                // A run reaches to the border of the line, but not to that of another word.
                if let Some(words) = words.take() {
                    let first = if start == 0 && !is_left { 0 } else { words.start };
                    runs.push(self.without_space(first..words.end));
                }
                start = range.end;
            } else if forms > 0 {
                words = Some(words.map_or(range.start, |words| words.start)..range.end);
            }
        }
        if let Some(words) = words {
            let first = if start == 0 && !is_left { 0 } else { words.start };
            let last = if is_left { words.end } else { self.cells.len() };
            runs.push(self.without_space(first..last));
        }
        runs
    }

    /// White space at the borders of a line stays there.
    fn without_space(&self, run: Range<usize>) -> Range<usize> {
        let cells = &self.cells[run.clone()];
        let is_text = |cell: &Cell<'_>| cell.kind != Kind::Space;
        let first = cells.iter().position(is_text).unwrap_or_default();
        let last = cells.iter().rposition(is_text).map_or(cells.len(), |last| last + 1);
        run.start + first..run.start + last
    }
}

/// Writes cells from the last to the first. Numbers and words from left to right stay as they are.
fn write_turned(cells: &[Cell<'_>], out: &mut String) {
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < cells.len() {
        let end = end_of_left(cells, at).unwrap_or(at + 1);
        parts.push(at..end);
        at = end;
    }
    for part in parts.into_iter().rev() {
        let is_turned = part.len() == 1;
        cells[part].iter().for_each(|cell| push(cell, is_turned, out));
    }
}

/// The end of a part that is read from left to right and begins here. It ends with a number or a
/// letter of it; between are signs and, beside a letter, spaces.
fn end_of_left(cells: &[Cell<'_>], from: usize) -> Option<usize> {
    let is_left = |cell: &Cell<'_>| matches!(cell.kind, Kind::Left | Kind::Digit);
    if !is_left(&cells[from]) {
        return None;
    }
    let mut end = from + 1;
    let mut at = end;
    while let Some(cell) = cells.get(at) {
        match cell.kind {
            Kind::Left | Kind::Digit => {
                let between = &cells[end..at];
                let both_digits = cell.kind == Kind::Digit && cells[end - 1].kind == Kind::Digit;
                let is_sign = |cell: &Cell<'_>| ".,:/-+\u{66b}\u{66c}".contains(cell.c);
                if both_digits && !(between.len() < 2 && between.iter().all(is_sign)) {
                    break;
                }
                end = at + 1;
            }
            Kind::Mark if at == end => end = at + 1,
            Kind::Mark | Kind::Space | Kind::Other => {}
            Kind::Form(_) | Kind::Right => break,
        }
        at += 1;
    }
    Some(end)
}

/// Writes a character, letters for a form. `is_turned`: a bracket faces the other side.
fn push(cell: &Cell<'_>, is_turned: bool, out: &mut String) {
    if is_form(cell.c) {
        let letters: Vec<char> = std::iter::once(cell.c).nfkc().collect();
        // Forms of a sign alone have a space or a line under it.
        let is_sign = letters.iter().any(|c| matches!(c, '\u{64b}'..='\u{652}' | '\u{670}'));
        out.extend(letters.into_iter().filter(|c| !(is_sign && matches!(*c, ' ' | TATWEEL))));
    } else if let Some(other) = is_turned.then(|| mirrored(cell.c)).flatten() {
        out.push_str(other);
    } else {
        out.push_str(cell.source);
    }
}

/// The bracket or quotation mark that faces the other side, as HTML.
fn mirrored(c: char) -> Option<&'static str> {
    Some(match c {
        '(' => ")",
        ')' => "(",
        '[' => "]",
        ']' => "[",
        '{' => "}",
        '}' => "{",
        '«' => "»",
        '»' => "«",
        '‹' => "›",
        '›' => "‹",
        '<' => "&gt;",
        '>' => "&lt;",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The forms of some letters: isolated, final, initial, medial.
    const LETTERS: [(char, [char; 4]); 14] = [
        ('ا', ['\u{fe8d}', '\u{fe8e}', ' ', ' ']),
        ('ب', ['\u{fe8f}', '\u{fe90}', '\u{fe91}', '\u{fe92}']),
        ('ت', ['\u{fe95}', '\u{fe96}', '\u{fe97}', '\u{fe98}']),
        ('د', ['\u{fea9}', '\u{feaa}', ' ', ' ']),
        ('ر', ['\u{fead}', '\u{feae}', ' ', ' ']),
        ('ک', ['\u{fb8e}', '\u{fb8f}', '\u{fb90}', '\u{fb91}']),
        ('گ', ['\u{fb92}', '\u{fb93}', '\u{fb94}', '\u{fb95}']),
        ('ل', ['\u{fedd}', '\u{fede}', '\u{fedf}', '\u{fee0}']),
        ('م', ['\u{fee1}', '\u{fee2}', '\u{fee3}', '\u{fee4}']),
        ('ن', ['\u{fee5}', '\u{fee6}', '\u{fee7}', '\u{fee8}']),
        ('و', ['\u{feed}', '\u{feee}', ' ', ' ']),
        ('ی', ['\u{fbfc}', '\u{fbfd}', '\u{fbfe}', '\u{fbff}']),
        ('ى', ['\u{feef}', '\u{fef0}', '\u{fbe8}', '\u{fbe9}']),
        ('س', ['\u{feb1}', '\u{feb2}', '\u{feb3}', '\u{feb4}']),
    ];

    fn forms_of(c: char) -> Option<[char; 4]> {
        LETTERS.iter().find(|(letter, _)| *letter == c).map(|(_, forms)| *forms)
    }

    /// The text in presentation forms, in the order of reading.
    fn shaped(text: &str) -> String {
        let letters: Vec<char> = text.chars().collect();
        let joins = |at: usize| letters.get(at).copied().and_then(forms_of);
        let shape = |(at, c): (usize, &char)| {
            let Some(forms) = forms_of(*c) else { return *c };
            let before = at.checked_sub(1).and_then(joins).is_some_and(|forms| forms[2] != ' ');
            let after = forms[2] != ' ' && joins(at + 1).is_some();
            forms[usize::from(before) + 2 * usize::from(after)]
        };
        letters.iter().enumerate().map(shape).collect()
    }

    /// The text in the order of the screen, if it has only letters and signs from right to left.
    fn turned(text: &str) -> String {
        shaped(text).chars().rev().collect()
    }

    fn read(text: &str) -> String {
        let all = 0..text.len();
        with_letters(text, &[all]).unwrap_or_else(|| text.to_owned())
    }

    #[test]
    fn words_in_the_order_of_the_screen_are_turned_round() {
        for text in ["سلام", "کتاب من", "بسم الله", "این دریا بزرگ است", "گل و درد"]
        {
            assert_eq!(read(&shaped(text)), text);
            assert_eq!(read(&turned(text)), text);
        }
    }

    #[test]
    fn numbers_and_words_in_latin_script_keep_their_order() {
        let (one, two) = (turned("کتاب من"), turned("سال"));
        for (line, expected) in [
            (format!("1984 {two}"), "سال 1984".to_owned()),
            (format!("12,5 {two}"), "سال 12,5".to_owned()),
            (format!("۱۲ {two}"), "سال ۱۲".to_owned()),
            (format!("2024-05-01 {two}"), "سال 2024-05-01".to_owned()),
            (format!("20 10 {two}"), "سال 10 20".to_owned()),
            (format!(".{two} Open Office 2.0 {one}"), "کتاب من Open Office 2.0 سال.".to_owned()),
            (format!("cafe\u{301} {one}"), "کتاب من cafe\u{301}".to_owned()),
            (format!("({two}) {one}"), "کتاب من (سال)".to_owned()),
            (format!("&laquo;{two}&raquo;&nbsp;{one}"), "کتاب من&nbsp;«سال»".to_owned()),
            (format!("  {one}\n{two}  \n"), "  کتاب من\nسال  \n".to_owned()),
        ] {
            assert_eq!(read(&line), expected, "{line}");
        }
    }

    #[test]
    fn other_words_stay_where_they_are() {
        let word = turned("کتاب من");
        for (line, expected) in [
            (format!("The words {word} are two."), "The words کتاب من are two."),
            (format!("این {word} است"), "این کتاب من است"),
            (format!("{word} است"), "کتاب من است"),
        ] {
            assert_eq!(read(&line), expected, "{line}");
        }
    }

    #[test]
    fn a_line_that_says_nothing_is_read_as_the_page() {
        // All letters of the word are isolated forms.
        let word = "درد و دارو";
        assert_eq!(read(&turned(word)), word.chars().rev().collect::<String>());
        let page = [turned("این دریا بزرگ است"), turned(word)].join("\n");
        assert_eq!(read(&page), format!("این دریا بزرگ است\n{word}"));
        let page = [shaped("این دریا بزرگ است"), shaped(word)].join("\n");
        assert_eq!(read(&page), format!("این دریا بزرگ است\n{word}"));
    }

    #[test]
    fn forms_in_an_order_that_no_word_has_stay_in_it() {
        for (text, expected) in
            [("\u{fee3}\u{fee3}", "مم"), ("\u{fee2}\u{fee2}", "مم"), ("\u{fedf} \u{fee2}", "ل م")]
        {
            assert_eq!(read(text), expected);
        }
    }

    #[test]
    fn signs_alone_and_references_become_letters() {
        assert_eq!(read("\u{fe91}\u{fe76}\u{fe96}"), "ب\u{64e}ت");
        assert_eq!(read("\u{fe91}\u{fe77}\u{fe96}"), "ب\u{64e}ت");
        assert_eq!(
            read("&#65251;&#xFEE6; &#1605; &#65; &amp; &#64257;n"),
            "من &#1605; &#65; &amp; fin"
        );
        assert_eq!(read("\u{fefb}"), "لا");
    }

    proptest! {
        #[test]
        fn text_is_the_same_in_both_orders(
            text in "([ابتدرکگلمنویس]{1,6} ){0,3}[بتکگلمنس][ابتدرکگلمنویس]{1,6}",
        ) {
            prop_assert_eq!(read(&shaped(&text)), text.clone());
            // A single word may look the same from both sides.
            let turned = turned(&text);
            if Counts::of(&Line::new(&turned).cells).are_turned() == Some(true) {
                prop_assert_eq!(read(&turned), text);
            }
        }

        #[test]
        fn nothing_is_lost(line in "[ a1(.&ببﻢﺳﻞﺪﻡ\u{64e}-]{0,20}") {
            let sorted = |text: &str| {
                let mut chars: Vec<char> = text.nfkc().map(|c| if c == ')' { '(' } else { c }).collect();
                chars.sort_unstable();
                chars
            };
            prop_assert_eq!(sorted(&read(&line)), sorted(&line));
        }
    }
}
