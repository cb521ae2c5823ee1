//! Dates in text: numbers in the digits of all scripts, names of months in all languages of Unicode
//! CLDR, and seven calendars.

use crate::calendar::Day;
use crate::digits::digit;
use crate::hebrew;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

/// The order of day and month in dates of numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Order {
    /// 12/3 is the 12th of March.
    DayFirst,
    /// 12/3 is the 3rd of December.
    MonthFirst,
    /// Unknown: a date that both orders allow is refused.
    #[default]
    Unknown,
}

/// Facts on the dates of a text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reading<'a> {
    /// Language of the text: the primary subtag in lower case, empty if unknown.
    pub language: &'a str,
    /// Order of day and month.
    pub order: Order,
    /// Whether dates may be digits alone (`20240312`), and years may have two digits.
    pub loose: bool,
}

/// Languages whose pages are dated in the Solar Hijri calendar.
const SOLAR: [&str; 12] =
    ["fa", "ps", "prs", "pes", "ckb", "ku", "lrc", "mzn", "glk", "azb", "bal", "haz"];

/// Languages whose pages may be dated in the Hijri calendar.
const LUNAR: [&str; 10] = ["ar", "ur", "sd", "ug", "ks", "pnb", "skr", "fa", "ps", "dv"];

/// Languages whose numeric dates may be of a calendar that is not read here: Ethiopic, Bikram
/// Sambat.
const OTHER_CALENDAR: [&str; 6] = ["am", "ti", "om", "ne", "mai", "new"];

/// Languages of Nepal, whose dates may be in Bikram Sambat.
const NEPALI: [&str; 3] = ["ne", "mai", "new"];

/// Longest words that may be between the parts of a date (`de`, `th of`, `gada`), in characters of
/// all.
const MAX_FILLERS: usize = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Calendar {
    Gregorian,
    Solar,
    Lunar,
    Ethiopic,
    Bikram,
    Bengali,
}

/// A month that a name may mean, and the languages of the name; all if none is named.
struct Named {
    calendar: Calendar,
    month: u32,
    languages: Vec<&'static str>,
}

static MONTHS: LazyLock<HashMap<&'static str, Vec<Named>>> = LazyLock::new(|| {
    let mut months: HashMap<&str, Vec<Named>> = HashMap::new();
    for line in include_str!("../data/months.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut cells = line.split('\t');
        let (Some(calendar), Some(month), Some(names)) = (cells.next(), cells.next(), cells.next())
        else {
            continue;
        };
        let calendar = match calendar {
            "s" => Calendar::Solar,
            "h" => Calendar::Lunar,
            _ => Calendar::Gregorian,
        };
        for name in names.split('|') {
            let (name, languages) = name.split_once('@').unwrap_or((name, ""));
            let languages = languages.split(',').filter(|code| !code.is_empty()).collect();
            let Ok(month) = month.parse() else { continue };
            months.entry(name).or_default().push(Named { calendar, month, languages });
        }
    }
    for line in include_str!("../data/calendars.txt").lines().filter(|line| !line.starts_with('#'))
    {
        let mut cells = line.split('\t');
        let (Some(calendar), Some(Ok(month))) = (cells.next(), cells.next().map(str::parse)) else {
            continue;
        };
        let calendar = match calendar {
            "e" => Calendar::Ethiopic,
            "b" => Calendar::Bikram,
            "n" => Calendar::Bengali,
            _ => Calendar::Gregorian,
        };
        let (names, languages) =
            (cells.next().unwrap_or_default(), cells.next().unwrap_or_default());
        for name in names.split('|') {
            let languages = languages.split(',').collect();
            // Before the names of CLDR, which are Gregorian months in some languages.
            months.entry(name).or_default().insert(0, Named { calendar, month, languages });
        }
    }
    months
});

/// Endings of month names in dates, and a prefix: CLDR has the names without them.
const ENDINGS: [(&str, &[&str]); 11] = [
    ("eu", &["ren", "ak", "an", "n", "k"]),
    ("ckb", &["ي"]),
    ("tg", &["и"]),
    ("tt", &["ы", "е", "ында", "ендә"]),
    ("ba", &["ы", "е"]),
    ("ky", &["ы", "ында", "нын"]),
    ("kk", &["да", "де", "ы", "і"]),
    ("uz", &["da"]),
    ("tk", &["da", "de"]),
    ("az", &["da", "də"]),
    ("cv", &["ӗн", "ӗ"]),
];

/// The Hebrew preposition that is written with a month: `במרץ`.
const HEBREW_IN: char = 'ב';

/// Words for the first day of a month.
const FIRSTS: [&str; 1] = ["يكم"];

/// First years of the eras that Chinese and Japanese dates count from, less one.
const ERAS: [(&str, u32); 5] =
    [("民國", 1911), ("民国", 1911), ("令和", 2018), ("平成", 1988), ("昭和", 1925)];

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Number { value: u64, length: usize, is_arabic: bool },
    Word(String),
    Sign(char),
}

/// Returns the dates in a text, in order. Nothing is returned for numbers that may be read in two
/// ways.
pub fn dates(text: &str, reading: Reading) -> Vec<Day> {
    let mut found: Vec<Day> = places(text, reading).into_iter().map(|(_, day)| day).collect();
    if found.is_empty() {
        found.extend(hebrew::day(text));
    }
    found
}

/// Returns the dates in a text with their places in bytes, in order, without those of the Hebrew
/// calendar.
pub(crate) fn places(text: &str, reading: Reading) -> Vec<(Range<usize>, Day)> {
    let (tokens, ranges): (Vec<Token>, Vec<Range<usize>>) = tokens(text).into_iter().unzip();
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match date_at(&tokens, at, reading) {
            Some((day, next)) => {
                found.extend(day.map(|day| (ranges[at].start..ranges[next - 1].end, day)));
                at = next;
            }
            None => at += 1,
        }
    }
    found
}

/// Returns the length of a text in words and numbers.
pub fn length(text: &str) -> usize {
    tokens(text).iter().filter(|(token, _)| !matches!(token, Token::Sign(_))).count()
}

/// Returns a text with the forms of its letters folded, as names of months and labels are compared.
pub(crate) fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars() {
        fold(c, &mut folded);
    }
    folded
}

/// Folds the forms of letters that names of months are written in.
fn fold(c: char, folded: &mut String) {
    match c {
        '\u{64b}'..='\u{655}'
        | '\u{640}'
        | '\u{670}'
        | '\u{200c}'..='\u{200f}'
        | '\u{ad}'
        | '\u{307}' => {}
        'ی' | 'ى' | 'ې' => folded.push('ي'),
        'ک' => folded.push('ك'),
        'ہ' | 'ە' | 'ھ' | 'ة' | 'ۀ' | 'ۂ' => folded.push('ه'),
        'أ' | 'إ' | 'آ' | 'ٱ' => folded.push('ا'),
        '’' | 'ʼ' => folded.push('\''),
        'ı' => folded.push('i'),
        '\u{9dc}' => folded.push_str("\u{9a1}\u{9bc}"),
        '\u{9dd}' => folded.push_str("\u{9a2}\u{9bc}"),
        '\u{9df}' => folded.push_str("\u{9af}\u{9bc}"),
        '\u{95b}' => folded.push_str("\u{91c}\u{93c}"),
        '\u{95c}' => folded.push_str("\u{921}\u{93c}"),
        '\u{95e}' => folded.push_str("\u{92b}\u{93c}"),
        _ => folded.extend(c.to_lowercase().filter(|c| *c != '\u{307}')),
    }
}

fn is_sign(c: char) -> bool {
    c.is_ascii_punctuation() && c != '\''
        || matches!(
            c,
            '،' | '۔'
                | '؛'
                | '؟'
                | '–'
                | '—'
                | '·'
                | '•'
                | '«'
                | '»'
                | '“'
                | '”'
                | '‘'
                | '…'
                | '。'
                | '，'
                | '、'
                | '।'
        )
        || matches!(
            c,
            '年' | '月' | '日' | '년' | '월' | '일' | '|' | '／' | '．' | '：' | '−' | '‐' | '‑'
        )
}

/// The numbers, words and signs of a text, with their places in bytes.
fn tokens(text: &str) -> Vec<(Token, Range<usize>)> {
    let mut tokens = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        let token = if let Some(first) = digit(c) {
            let (mut value, mut length) = (u64::from(first), 1);
            while let Some(next) = chars.peek().and_then(|(_, c)| digit(*c)) {
                value = value.saturating_mul(10).saturating_add(u64::from(next));
                length += 1;
                chars.next();
            }
            Token::Number { value, length, is_arabic: matches!(c, '\u{660}'..='\u{6f9}') }
        } else if is_sign(c) {
            Token::Sign(match c {
                '／' => '/',
                '．' => '.',
                '–' | '—' | '−' | '‐' | '‑' => '-',
                '،' | '，' | '、' => ',',
                c => c,
            })
        } else if !c.is_whitespace() && !c.is_control() {
            let mut word = String::new();
            fold(c, &mut word);
            let in_word = |c: char| {
                !(c.is_whitespace() || c.is_control() || is_sign(c) || digit(c).is_some())
            };
            while let Some((_, next)) = chars.next_if(|(_, c)| in_word(*c)) {
                fold(next, &mut word);
            }
            if FIRSTS.contains(&word.as_str()) {
                Token::Number { value: 1, length: 1, is_arabic: true }
            } else if word.is_empty() {
                continue;
            } else {
                Token::Word(word)
            }
        } else {
            continue;
        };
        let end = chars.peek().map_or(text.len(), |(at, _)| *at);
        tokens.push((token, start..end));
    }
    tokens
}

/// A number token of one of these lengths.
fn number(
    tokens: &[Token],
    at: usize,
    lengths: std::ops::RangeInclusive<usize>,
) -> Option<(u32, bool)> {
    match tokens.get(at)? {
        Token::Number { value, length, is_arabic } if lengths.contains(length) => {
            Some((u32::try_from(*value).ok()?, *is_arabic))
        }
        _ => None,
    }
}

fn sign(tokens: &[Token], at: usize) -> Option<char> {
    match tokens.get(at)? {
        Token::Sign(c) => Some(*c),
        _ => None,
    }
}

/// The month whose name begins at a token, and the token behind it.
fn month(tokens: &[Token], at: usize, language: &str) -> Option<(Calendar, u32, usize)> {
    let mut name = String::new();
    let mut best = None;
    for (next, token) in tokens.iter().enumerate().skip(at).take(3) {
        let Token::Word(word) = token else { break };
        if next > at {
            name.push(' ');
        }
        name.push_str(word);
        if let Some(month) = named(&name, language) {
            best = Some((month.0, month.1, next + 1));
        }
    }
    // A full stop of an abbreviation belongs to the name (`ต.ค.` has one inside).
    best.or_else(|| {
        let (Token::Word(first), Some('.'), Token::Word(second)) =
            (tokens.get(at)?, sign(tokens, at + 1), tokens.get(at + 2)?)
        else {
            return None;
        };
        let (calendar, month) = named(&format!("{first}.{second}"), language)?;
        Some((calendar, month, at + 3))
    })
    .or_else(|| hyphenated(tokens, at, language))
    .map(|(calendar, month, next)| {
        (calendar, month, next + usize::from(sign(tokens, next) == Some('.')))
    })
}

/// A month whose name has hyphens (`Poutū-te-rangi`), and the token behind it.
fn hyphenated(tokens: &[Token], at: usize, language: &str) -> Option<(Calendar, u32, usize)> {
    let Token::Word(first) = tokens.get(at)? else { return None };
    let (mut name, mut next, mut best) = (first.clone(), at + 1, None);
    while let (Some('-'), Some(Token::Word(word))) = (sign(tokens, next), tokens.get(next + 1)) {
        name.push('-');
        name.push_str(word);
        next += 2;
        if next > at + 5 {
            break;
        }
        best = named(&name, language).map(|(calendar, month)| (calendar, month, next)).or(best);
    }
    best
}

/// A month by its name, or by its name without the ending or the prefix that the language adds.
fn named(name: &str, language: &str) -> Option<(Calendar, u32)> {
    exactly_named(name, language).or_else(|| {
        if language == "he" || language == "iw" {
            return exactly_named(name.strip_prefix(HEBREW_IN)?, language);
        }
        let (_, endings) = ENDINGS.iter().find(|(of, _)| *of == language)?;
        let bare = endings.iter().filter_map(|ending| name.strip_suffix(ending));
        bare.filter_map(|bare| exactly_named(bare, language)).next()
    })
}

fn exactly_named(name: &str, language: &str) -> Option<(Calendar, u32)> {
    let months = MONTHS.get(name)?;
    let of_language =
        months.iter().find(|month| !language.is_empty() && month.languages.contains(&language));
    let month = of_language.or_else(|| months.iter().find(|month| month.languages.is_empty()))?;
    Some((month.calendar, month.month))
}

/// Reads a date that begins at a token. Returns the token behind it. The day is `None` if the
/// numbers are those of a date, but no day.
fn date_at(tokens: &[Token], at: usize, reading: Reading) -> Option<(Option<Day>, usize)> {
    // A number behind a sign behind a number is part of something longer: 1.2.3.2024.
    let is_inside = at >= 2
        && matches!(sign(tokens, at - 1), Some('.' | '/' | '-'))
        && matches!(tokens[at - 2], Token::Number { .. });
    if is_inside {
        return None;
    }
    of_era(tokens, at)
        .or_else(|| numeric(tokens, at, reading))
        .or_else(|| with_words(tokens, at, reading))
        .or_else(|| day_month_year(tokens, at, reading))
        .or_else(|| month_day_year(tokens, at, reading))
        .or_else(|| year_first(tokens, at, reading))
        .or_else(|| digits_alone(tokens, at, reading))
}

/// 民國113年3月12日, 令和6年3月12日.
fn of_era(tokens: &[Token], at: usize) -> Option<(Option<Day>, usize)> {
    let Token::Word(word) = tokens.get(at)? else { return None };
    let (_, before) = ERAS.iter().find(|(era, _)| word.ends_with(era))?;
    let (year, _) = number(tokens, at + 1, 1..=3)?;
    let (month, _) = number(tokens, at + 3, 1..=2)?;
    let (day, _) = number(tokens, at + 5, 1..=2)?;
    if (sign(tokens, at + 2), sign(tokens, at + 4)) != (Some('年'), Some('月')) {
        return None;
    }
    Some((Day::new(i32::try_from(year + before).ok()?, month, day), at + 6))
}

/// 2024 оны 3-р сарын 12, ༢༠༢༤ ལོའི་ཟླ་༣ ཚེས་༡༢: numbers with the words for year, month and day.
fn with_words(tokens: &[Token], at: usize, reading: Reading) -> Option<(Option<Day>, usize)> {
    let marks: [&str; 2] = match reading.language {
        "mn" | "khk" | "bxr" | "xal" => ["сар", "һар"],
        "bo" | "dz" => ["ཟླ", "ཚེས"],
        _ => return None,
    };
    let (year, _) = number(tokens, at, 4..=4)?;
    let mut is_marked = false;
    let mut next = |mut at: usize| {
        for _ in 0..4 {
            match tokens.get(at)? {
                Token::Word(word) => is_marked |= marks.iter().any(|mark| word.contains(mark)),
                Token::Sign('-' | ',' | '.') => {}
                _ => break,
            }
            at += 1;
        }
        Some((number(tokens, at, 1..=2)?.0, at + 1))
    };
    let (month, behind) = next(at + 1)?;
    let (day, behind) = next(behind)?;
    is_marked.then_some((Day::new(i32::try_from(year).ok()?, month, day), behind))
}

/// 2024-03-12, 2024/3/12, 2024年3月12日, 12.3.2024, 3/12/2024.
fn numeric(tokens: &[Token], at: usize, reading: Reading) -> Option<(Option<Day>, usize)> {
    let (first, arabic) = number(tokens, at, 1..=4)?;
    let separator = sign(tokens, at + 1)?;
    let (second, _) = number(tokens, at + 2, 1..=2)?;
    let other = sign(tokens, at + 3)?;
    let (third, _) = number(tokens, at + 4, 1..=4)?;
    let next = at + 5;
    let is_pair = separator == other && matches!(separator, '-' | '/' | '.');
    let is_longer = is_pair
        && sign(tokens, next) == Some(separator)
        && matches!(tokens.get(next + 1), Some(Token::Number { .. }));
    let is_cjk = matches!((separator, other), ('年', '月') | ('년', '월'));
    if is_longer || !(is_pair || is_cjk) {
        return None;
    }
    if number(tokens, at, 4..=4).is_some() && number(tokens, at + 4, 1..=2).is_some() {
        return Some((day_of_numbers(first, second, third, arabic, reading), next));
    }
    if is_cjk || number(tokens, at, 1..=2).is_none() {
        return None;
    }
    let year = match number(tokens, at + 4, 2..=4)? {
        (year, _) if year >= 1000 => year,
        (year, _)
            if reading.loose
                && year < 100
                && separator != '-'
                && !["zh", "ja", "ko", "hu", "lt", "mn"].contains(&reading.language) =>
        {
            if year < 95 {
                2000 + year
            } else {
                1900 + year
            }
        }
        _ => return None,
    };
    let (day, month) = match (first, second) {
        (first, second) if second > 12 => (second, first),
        (first, second) if first > 12 || first == second || separator == '.' => (first, second),
        (first, second) => match reading.order {
            Order::DayFirst => (first, second),
            Order::MonthFirst => (second, first),
            Order::Unknown => return Some((None, next)),
        },
    };
    Some((day_of_numbers(year, month, day, arabic, reading), next))
}

/// A day of a calendar that its year decides.
fn day_of_numbers(
    year: u32,
    month: u32,
    day: u32,
    is_arabic: bool,
    reading: Reading,
) -> Option<Day> {
    let signed = i32::try_from(year).ok()?;
    if NEPALI.contains(&reading.language) && (2052..=2083).contains(&year) {
        return Day::of_bikram_sambat(signed, month, day);
    }
    if OTHER_CALENDAR.contains(&reading.language) && !is_iso_year(year) {
        return None;
    }
    match year {
        1374..=1412 if is_arabic || SOLAR.contains(&reading.language) => {
            Day::of_solar_hijri(signed, month, day)
        }
        1415..=1470 if is_arabic || LUNAR.contains(&reading.language) => {
            Day::of_hijri(signed, month, day)
        }
        2538..=2640 if reading.language == "th" => Day::new(signed - 543, month, day),
        _ => Day::new(signed, month, day),
    }
}

/// Whether a year can only be Gregorian in languages that have another calendar.
fn is_iso_year(year: u32) -> bool {
    (1995..=2050).contains(&year)
}

fn day_of(calendar: Calendar, year: u32, month: u32, day: u32, language: &str) -> Option<Day> {
    let signed = i32::try_from(year).ok()?;
    match calendar {
        Calendar::Gregorian if (2538..=2640).contains(&year) && matches!(language, "th" | "") => {
            Day::new(signed - 543, month, day)
        }
        Calendar::Gregorian => Day::new(signed, month, day),
        Calendar::Solar => Day::of_solar_hijri(signed, month, day),
        Calendar::Lunar => Day::of_hijri(signed, month, day),
        // Eritrea uses the names for Gregorian months, and some pages name Gregorian years.
        Calendar::Ethiopic if language == "am" => Day::of_ethiopic(signed, month, day),
        Calendar::Ethiopic => None,
        Calendar::Bikram if year < 2052 => None,
        Calendar::Bikram => Day::of_bikram_sambat(signed, month, day),
        Calendar::Bengali if (1400..1500).contains(&year) => Day::of_bengali(signed, month, day),
        Calendar::Bengali => None,
    }
}

/// Skips signs and short words between the parts of a date.
fn skip(tokens: &[Token], mut at: usize, language: &str) -> usize {
    let mut left = MAX_FILLERS;
    loop {
        match tokens.get(at) {
            Some(Token::Sign('.' | ',' | '-' | '/' | '\'')) => at += 1,
            Some(Token::Word(word)) if month(tokens, at, language).is_none() => {
                let Some(rest) = left.checked_sub(word.chars().count()) else { return at };
                left = rest;
                at += 1;
            }
            _ => return at,
        }
    }
}

/// 12 March 2024, 12. března 2024, 12 de marzo de 2024, 12 tháng 3 năm 2024, ۱۲ مارچ ۲۰۲۴.
fn day_month_year(tokens: &[Token], at: usize, reading: Reading) -> Option<(Option<Day>, usize)> {
    let (day, _) = number(tokens, at, 1..=2)?;
    let behind_day = skip(tokens, at + 1, reading.language);
    let (calendar, month, behind) = match tokens.get(at + 1) {
        Some(Token::Word(word)) if word == "tháng" => {
            (Calendar::Gregorian, number(tokens, at + 2, 1..=2)?.0, at + 3)
        }
        _ => month(tokens, behind_day, reading.language)?,
    };
    // `No. 12, March 2024` and `Issue 12 / March 2024` number something else; `12/Mar/2024` is a day.
    let has = |sign| tokens[at + 1..behind_day].contains(&Token::Sign(sign));
    if has(',') || has('/') && sign(tokens, behind) != Some('/') {
        return None;
    }
    let behind = skip(tokens, behind, reading.language);
    if let Some((short, _)) = number(tokens, behind, 2..=2).filter(|_| reading.language == "th") {
        let year = i32::try_from(short).ok()? + 2500 - 543;
        return Some((Day::new(year, month, day), behind + 1));
    }
    let (year, _) = number(tokens, behind, 4..=4)?;
    Some((day_of(calendar, year, month, day, reading.language), behind + 1))
}

/// March 12, 2024; मार्च १२, २०२४.
fn month_day_year(tokens: &[Token], at: usize, reading: Reading) -> Option<(Option<Day>, usize)> {
    let (calendar, month, behind) = month(tokens, at, reading.language)?;
    let behind = skip(tokens, behind, "");
    let (day, _) = number(tokens, behind, 1..=2)?;
    let behind = skip(tokens, behind + 1, reading.language);
    let behind = skip_time(tokens, behind).unwrap_or(behind);
    let (year, _) = number(tokens, behind, 4..=4)?;
    Some((day_of(calendar, year, month, day, reading.language), behind + 1))
}

/// The place behind a time and its zone, which Java and C write before the year:
/// `Tue Mar 12 14:30:00 EST 2024`, `Tue Mar 12 14:30:00 +0500 2024`.
fn skip_time(tokens: &[Token], at: usize) -> Option<usize> {
    number(tokens, at, 2..=2)?;
    let (mut at, mut numbers) = (at + 1, 1);
    while sign(tokens, at) == Some(':') {
        number(tokens, at + 1, 2..=2)?;
        (at, numbers) = (at + 2, numbers + 1);
    }
    let zone = match tokens.get(at) {
        Some(Token::Word(_)) => 1,
        Some(Token::Sign('+' | '-')) => 2,
        _ => 0,
    };
    (numbers > 1).then_some(at + zone)
}

/// 2024. március 12., 2024 m. kovo 12 d., 2024. gada 12. marts, 2024 March 12.
fn year_first(tokens: &[Token], at: usize, reading: Reading) -> Option<(Option<Day>, usize)> {
    let (year, _) = number(tokens, at, 4..=4)?;
    let behind = skip(tokens, at + 1, reading.language);
    if let Some((calendar, month, behind)) = month(tokens, behind, reading.language) {
        let behind = skip(tokens, behind, reading.language);
        let (day, _) = number(tokens, behind, 1..=2)?;
        return Some((day_of(calendar, year, month, day, reading.language), behind + 1));
    }
    let (day, _) = number(tokens, behind, 1..=2)?;
    let behind = skip(tokens, behind + 1, reading.language);
    let (calendar, month, behind) = month(tokens, behind, reading.language)?;
    Some((day_of(calendar, year, month, day, reading.language), behind))
}

/// 20240312, 202403121530, and seconds or milliseconds since 1970.
fn digits_alone(tokens: &[Token], at: usize, reading: Reading) -> Option<(Option<Day>, usize)> {
    let Token::Number { value, length, .. } = tokens.get(at).filter(|_| reading.loose)? else {
        return None;
    };
    let day = match length {
        8 => *value,
        12 => value / 10_000,
        14 => value / 1_000_000,
        10 => return Some((Day::of_seconds(i64::try_from(*value).ok()?), at + 1)),
        13 => return Some((Day::of_seconds(i64::try_from(value / 1000).ok()?), at + 1)),
        _ => return None,
    };
    let part = |divisor: u64, modulus: u64| u32::try_from(day / divisor % modulus).ok();
    let year = i32::try_from(day / 10_000).ok()?;
    Some((Day::new(year, part(100, 100)?, part(1, 100)?), at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, language: &str, order: Order) -> String {
        let days = dates(text, Reading { language, order, loose: false });
        days.iter().map(Day::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn dates_are_read_in_the_forms_of_many_languages() {
        for (text, language, expected) in [
            ("2024-03-12T10:00:00+05:00", "", "2024-03-12"),
            ("12. März 2024, 10:15 Uhr", "de", "2024-03-12"),
            ("Published: March 12, 2024", "en", "2024-03-12"),
            ("12th of March 2024", "en", "2024-03-12"),
            ("12 de marzo de 2024", "es", "2024-03-12"),
            ("12-Mar-2024", "en", "2024-03-12"),
            ("Tue Mar 12 14:30:00 EST 2024", "en", "2024-03-12"),
            ("Tue Mar 12 14:30:00 +0500 2024", "", "2024-03-12"),
            ("Tue Mar 12 14:30 2024", "", "2024-03-12"),
            ("12/Mar/2024", "en", "2024-03-12"),
            ("Tuesday, March 12, 2024", "en", "2024-03-12"),
            ("2024. március 12.", "hu", "2024-03-12"),
            ("2024. gada 12. marts", "lv", "2024-03-12"),
            ("2024 m. kovo 12 d.", "lt", "2024-03-12"),
            ("2024年3月12日", "ja", "2024-03-12"),
            ("2024년 3월 12일", "ko", "2024-03-12"),
            ("Ngày 12 tháng 3 năm 2024", "vi", "2024-03-12"),
            ("12 марта 2024 г.", "ru", "2024-03-12"),
            ("منگل ۱۲ مارچ ۲۰۲۴", "ur", "2024-03-12"),
            ("١٢ مارس ٢٠٢٤", "ar", "2024-03-12"),
            ("12 آذار 2024", "ar", "2024-03-12"),
            ("१२ मार्च २०२४", "hi", "2024-03-12"),
            ("১২ ফেব্রুয়ারি ২০২৪", "bn", "2024-02-12"),
            ("12 มีนาคม 2567", "th", "2024-03-12"),
            ("12 listopada 2024", "pl", "2024-11-12"),
            ("12. listopada 2024.", "hr", "2024-10-12"),
        ] {
            assert_eq!(read(text, language, Order::DayFirst), expected, "{text}");
        }
    }

    #[test]
    fn dates_of_more_languages_and_calendars_are_read() {
        for (text, language, expected) in [
            ("ማክሰኞ መጋቢት 03 ቀን 2016 ዓ.ም.", "am", "2024-03-12"),
            ("3 መጋቢት 2016", "am", "2024-03-12"),
            ("መስከረም 1 2017", "am", "2024-09-11"),
            ("ጳጉሜን 5 ቀን 2016", "am", "2024-09-10"),
            ("२९ फागुन २०८०", "ne", "2024-03-12"),
            ("२०८०/११/२९", "ne", "2024-03-12"),
            ("२०८१ वैशाख १", "ne", "2024-04-13"),
            ("২৮ ফাল্গুন ১৪৩০", "bn", "2024-03-12"),
            ("يکم رمضان 1445ھ", "ur", "2024-03-11"),
            ("یکم رمضان 1445ھ", "ur", "2024-03-11"),
            ("ב-12 במרץ 2024", "he", "2024-03-12"),
            ("12 במאי 2024", "he", "2024-05-12"),
            ("2024ko martxoaren 12an", "eu", "2024-03-12"),
            ("2024ko abenduaren 1a", "eu", "2024-12-01"),
            ("Martxoak 12, 2024", "eu", "2024-03-12"),
            ("١٢ی ئازاری ٢٠٢٤", "ckb", "2024-03-12"),
            ("12 марти соли 2024", "tg", "2024-03-12"),
            ("2024 елның 12 марты", "tt", "2024-03-12"),
            ("12-март, 2024-жыл", "ky", "2024-03-12"),
            ("2024-жылдын 12-марты", "ky", "2024-03-12"),
            ("2024 оны 3-р сарын 12", "mn", "2024-03-12"),
            ("2024 оны 03 сарын 12-ны өдөр", "mn", "2024-03-12"),
            ("༢༠༢༤ ལོའི་ཟླ་༣ ཚེས་༡༢", "bo", "2024-03-12"),
            ("12 Poutū-te-rangi 2024", "mi", "2024-03-12"),
            ("12 มี.ค. 67", "th", "2024-03-12"),
            ("12 มีนาคม พ.ศ. 2567", "th", "2024-03-12"),
            ("12/03/2567", "th", "2024-03-12"),
            ("中華民國113年3月12日", "zh", "2024-03-12"),
            ("令和6年3月12日", "ja", "2024-03-12"),
        ] {
            assert_eq!(read(text, language, Order::DayFirst), expected, "{text}");
        }
        for (text, language) in
            [("3 መጋቢት 2016", "ti"), ("29 फागुन 2024", "ne"), ("28 ফাল্গুন 2024", "bn")]
        {
            assert_eq!(read(text, language, Order::DayFirst), "", "{text}");
        }
    }

    #[test]
    fn solar_and_lunar_hijri_dates_are_converted() {
        for (text, language, expected) in [
            ("۱۵ مهر ۱۴۰۲", "fa", "2023-10-07"),
            ("۱۴۰۲/۰۷/۱۵", "fa", "2023-10-07"),
            ("1402/07/15", "fa", "2023-10-07"),
            ("1402/07/15", "en", ""),
            ("1 رمضان 1445", "ar", "2024-03-11"),
            ("١ ربيع الأول ١٤٤٥", "ar", "2023-09-16"),
            ("١٤٤٥/٠٩/٠١", "ar", "2024-03-11"),
        ] {
            assert_eq!(read(text, language, Order::DayFirst), expected, "{text}");
        }
    }

    #[test]
    fn a_date_that_two_orders_allow_is_refused_unless_the_order_is_known() {
        for (text, order, expected) in [
            ("3/12/2024", Order::Unknown, ""),
            ("3/12/2024", Order::DayFirst, "2024-12-03"),
            ("3/12/2024", Order::MonthFirst, "2024-03-12"),
            ("3/13/2024", Order::Unknown, "2024-03-13"),
            ("13/3/2024", Order::MonthFirst, "2024-03-13"),
            ("3/3/2024", Order::Unknown, "2024-03-03"),
            ("3.12.2024", Order::Unknown, "2024-12-03"),
        ] {
            assert_eq!(read(text, "en", order), expected, "{text}");
        }
    }

    #[test]
    fn numbers_that_are_no_dates_are_none() {
        for text in [
            "192.168.10.2024",
            "+92 300 1234567",
            "1.2.3.2024",
            "2024",
            "March 2024",
            "31/02/2024",
            "version 2.0.2024.1",
            "99/99/2024",
            "10:15:2024",
            "Rs. 12,000",
            "No. 12, March 2024",
            "Vol. 5, No. 12, March 2024",
            "Issue 12 / March 2024",
            "1.12.13",
            "20240312",
        ] {
            assert_eq!(read(text, "en", Order::DayFirst), "", "{text}");
        }
    }

    #[test]
    fn digits_alone_are_dates_only_where_a_date_is_expected() {
        let loose = |text: &str| {
            dates(text, Reading { loose: true, ..Reading::default() })
                .iter()
                .map(Day::to_string)
                .collect::<String>()
        };
        for (text, expected) in [
            ("20240312", "2024-03-12"),
            ("20240312101500", "2024-03-12"),
            ("1710201600", "2024-03-12"),
            ("1710201600000", "2024-03-12"),
            ("12.03.24", "2024-03-12"),
            ("20241312", ""),
        ] {
            assert_eq!(loose(text), expected, "{text}");
        }
    }
}
