//! Days of the Hebrew calendar in text: `ב׳ באדר ב׳ תשפ״ד`, `12 באדר ב׳ 5784`, `2 Adar II 5784`.

use crate::calendar::Day;

/// Names of the months and the numbers that the calendar's arithmetic gives them, from Nisan. Adar
/// is 12, and in leap years its second one is 13.
const MONTHS: [(u8, &[&str]); 12] = [
    (1, &["ניסן", "nisan", "nissan"]),
    (2, &["אייר", "איר", "iyar", "iyyar"]),
    (3, &["סיון", "סיוון", "sivan"]),
    (4, &["תמוז", "tamuz", "tammuz"]),
    (5, &["אב", "מנחם אב", "av"]),
    (6, &["אלול", "elul"]),
    (7, &["תשרי", "tishrei", "tishri"]),
    (8, &["חשון", "חשוון", "מרחשון", "מרחשוון", "cheshvan", "heshvan", "marcheshvan"]),
    (9, &["כסלו", "כסליו", "kislev"]),
    (10, &["טבת", "tevet", "teves"]),
    (11, &["שבט", "shvat", "shevat"]),
    (ADAR, &["אדר", "adar"]),
];

const ADAR: u8 = 12;

/// Words behind `Adar` in leap years, for the first and the second one.
const FIRST_ADAR: [&str; 4] = ["א", "ראשון", "i", "alef"];
const SECOND_ADAR: [&str; 5] = ["ב", "שני", "ii", "bet", "sheni"];

/// Letters of numerals and their values.
const LETTERS: &str = "אבגדהוזחטיכלמנסעפצקרשת";
const VALUES: [u32; 22] =
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 200, 300, 400];

/// Returns the first day of the Hebrew calendar in a text, with its year.
pub fn day(text: &str) -> Option<Day> {
    // Every year that is read has one of these; most texts have neither.
    if !text.contains("57") && !text.contains('ת') {
        return None;
    }
    let is_between = |c: char| c.is_whitespace() || matches!(c, '-' | '־' | ',' | '(' | ')' | '.');
    let words: Vec<String> =
        text.split(is_between).map(str::to_lowercase).filter(|word| !word.is_empty()).collect();
    (2..words.len()).find_map(|at| {
        let year = year(&words[at])?;
        let is_of_two = is_adar(&words[at - 2]);
        let (month, before) =
            if is_of_two { (adar(&words[at - 1], year)?, at - 2) } else { (None, at - 1) };
        let month = match month {
            Some(month) => month,
            None => month_of(&words[before], year)?,
        };
        Day::of_hebrew(year, month, day_of_month(words.get(before.checked_sub(1)?)?)?)
    })
}

/// A name without the preposition that is written with it.
fn bare(word: &str) -> &str {
    word.strip_prefix('ב').unwrap_or(word)
}

fn is_adar(word: &str) -> bool {
    bare(word) == "אדר" || word == "adar"
}

/// The month that a word behind `Adar` tells; `None` inside if the year has only one.
fn adar(word: &str, year: i32) -> Option<Option<u8>> {
    let word = unmarked(word);
    let is_second = SECOND_ADAR.contains(&word.as_str());
    (is_second || FIRST_ADAR.contains(&word.as_str()))
        .then(|| Day::is_hebrew_leap(year).then_some(ADAR + u8::from(is_second)))
}

fn month_of(word: &str, year: i32) -> Option<u8> {
    let named = |name: &str| MONTHS.iter().find(|(_, names)| names.contains(&name));
    let (month, _) = named(word).or_else(|| named(bare(word)))?;
    // Adar alone is the second one in leap years, in which the feasts of Adar are.
    let is_second = *month == ADAR && Day::is_hebrew_leap(year);
    Some(month + u8::from(is_second))
}

/// A year in digits (5784) or letters, with or without its thousands (`ה׳תשפ״ד`).
fn year(word: &str) -> Option<i32> {
    let year = match word.parse::<i32>() {
        Ok(year) => year,
        Err(_) => {
            let letters = unmarked(word);
            let value = letters
                .strip_prefix("הת")
                .map_or_else(|| numeral(&letters), |hundreds| numeral(&format!("ת{hundreds}")))?;
            5000 + i32::try_from(value).ok().filter(|value| *value >= 700)?
        }
    };
    (5755..=5799).contains(&year).then_some(year)
}

fn day_of_month(word: &str) -> Option<u8> {
    let of = |word: &str| {
        let value = word.parse().ok().or_else(|| numeral(&unmarked(word)))?;
        u8::try_from(value).ok().filter(|day| (1..=30).contains(day))
    };
    of(word).or_else(|| of(bare(word)))
}

fn numeral(word: &str) -> Option<u32> {
    let values = word.chars().map(|c| Some(VALUES[LETTERS.chars().position(|l| l == c)?]));
    values.sum::<Option<u32>>().filter(|sum| *sum > 0)
}

/// A word without the marks of numerals, in ASCII or not.
fn unmarked(word: &str) -> String {
    word.chars().filter(|c| !matches!(c, '\'' | '"' | '׳' | '״' | '’' | '”' | '“' | '‘')).collect()
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn days_in_letters_and_digits_are_read() {
        for (text, expected) in [
            ("ב׳ באדר ב׳ תשפ״ד", "2024-03-12"),
            ("יום שלישי, ב' באדר ב' תשפ\"ד", "2024-03-12"),
            ("ב' אדר ב ה'תשפ\"ד", "2024-03-12"),
            ("2 Adar II 5784", "2024-03-12"),
            ("12 באדר א׳ 5784", "2024-02-21"),
            ("א׳ בתשרי תשפ״ה", "2024-10-03"),
            ("כ״ט באלול תשפ״ד", "2024-10-02"),
            ("ט״ו בשבט תש״פ", "2020-02-10"),
            ("14 Nisan 5784", "2024-04-22"),
            ("י״ד באדר תשפ״ג", "2023-03-07"),
            ("(כ״ט בכסלו, תשפ״א)", "2020-12-15"),
        ] {
            let found = day(text).map(|day| day.to_string());
            assert_eq!(found.as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn texts_without_a_day_of_the_calendar_have_none() {
        for text in [
            "",
            "תשפ״ד",
            "באדר תשפ״ד",
            "ל״א בתשרי תשפ״ד",
            "ל׳ באדר תשפ״ג",
            "בית ספר אדר תשפ״ד",
            "5784 12 3",
            "2 Adar 3000",
        ] {
            assert_eq!(day(text), None, "{text}");
        }
    }
}
