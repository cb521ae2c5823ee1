//! Days, and their conversion from the calendars that pages write them in.

use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// The first year in which a page can have been published: the web had few pages before.
pub const FIRST_YEAR: i32 = 1995;

/// A day of the Gregorian calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    year: i32,
    month: u32,
    day: u32,
}

impl Day {
    /// Returns a day from 1995 to 2199, or `None` if the calendar does not have it.
    pub fn new(year: i32, month: u32, day: u32) -> Option<Self> {
        let is_day = (FIRST_YEAR..2200).contains(&year) && (1..=12).contains(&month) && day >= 1;
        (is_day && day <= length(year, month)).then_some(Self { year, month, day })
    }

    /// Returns a day of the Solar Hijri calendar (Iran, Afghanistan), by the 33-year cycle of leap
    /// years, which equals the official calendar from 1343 to 1472.
    pub fn of_solar_hijri(year: i32, month: u32, day: u32) -> Option<Self> {
        if !(1..=12).contains(&month) || day < 1 {
            return None;
        }
        let is_leap = |year: i32| matches!(year.rem_euclid(33), 1 | 5 | 9 | 13 | 17 | 22 | 26 | 30);
        let longest = match month {
            1..=6 => 31,
            12 if !is_leap(year) => 29,
            _ => 30,
        };
        if day > longest {
            return None;
        }
        // 1 Farvardin 1374 was 21 March 1995.
        const BASE: i32 = 1374;
        let years = if year >= BASE { BASE..year } else { return None };
        let days = years.map(|year| if is_leap(year) { 366 } else { 365 }).sum::<i64>();
        let before = i64::from(if month <= 7 { (month - 1) * 31 } else { 186 + (month - 7) * 30 });
        Self::from_number(number(1995, 3, 21) + days + before + i64::from(day) - 1)
    }

    /// Returns a day of the Hijri calendar, by the arithmetic (civil) form with leap years 2, 5, 7,
    /// 10, 13, 16, 18, 21, 24, 26 and 29 of 30. A country's calendar may differ by a day.
    pub fn of_hijri(year: i32, month: u32, day: u32) -> Option<Self> {
        if !(1..=1600).contains(&year) || !(1..=12).contains(&month) || !(1..=30).contains(&day) {
            return None;
        }
        let (year, month) = (i64::from(year), i64::from(month));
        let days = (year - 1) * 354 + (3 + 11 * year).div_euclid(30) + (month - 1) * 29 + month / 2;
        // 1 Muharram 1 was 19 July 622 of the Gregorian calendar.
        Self::from_number(number(622, 7, 19) + days + i64::from(day) - 1)
    }

    /// Returns a day of the Ethiopic calendar (Amete Mihret): twelve months of 30 days and one of 5,
    /// or 6 before a leap year.
    pub fn of_ethiopic(year: i32, month: u32, day: u32) -> Option<Self> {
        let longest = match month {
            1..=12 => 30,
            13 if year.rem_euclid(4) == 3 => 6,
            13 => 5,
            _ => return None,
        };
        if !(1..=longest).contains(&day) {
            return None;
        }
        let years = i64::from(year) - 1;
        let of_year = 30 * (i64::from(month) - 1) + i64::from(day) - 1;
        // 1 Meskerem 1 was 27 August 8 of the Gregorian calendar.
        Self::from_number(number(8, 8, 27) + 365 * years + i64::from(year).div_euclid(4) + of_year)
    }

    /// Returns a day of Bikram Sambat, the calendar of Nepal, from 2052 to 2083.
    pub fn of_bikram_sambat(year: i32, month: u32, day: u32) -> Option<Self> {
        let row = usize::try_from(year.checked_sub(FIRST_BIKRAM)?).ok()?;
        let column = usize::try_from(month.checked_sub(1)?).ok()?;
        let lengths =
            |row: &str| row.bytes().map(|digit| 29 + i64::from(digit - b'0')).collect::<Vec<_>>();
        let months = lengths(BIKRAM.get(row)?);
        if day < 1 || i64::from(day) > *months.get(column)? {
            return None;
        }
        let years: i64 = BIKRAM[..row].iter().flat_map(|row| lengths(row)).sum();
        let before: i64 = months[..column].iter().sum();
        // 1 Baisakh 2052 was 14 April 1995.
        Self::from_number(number(1995, 4, 14) + years + before + i64::from(day) - 1)
    }

    /// Returns a day of the Bengali calendar as Bangladesh revised it: the year begins on 14 April.
    /// In India it may differ by a day.
    pub fn of_bengali(year: i32, month: u32, day: u32) -> Option<Self> {
        // Falgun has a day more if the February in it has.
        let leap = u32::from(length(year + 594, 2) == 29);
        // Six months have 31 days since 1426; before, five had.
        let lengths = match year {
            ..1426 => [31, 31, 31, 31, 31, 30, 30, 30, 30, 30, 30 + leap, 30],
            _ => [31, 31, 31, 31, 31, 31, 30, 30, 30, 30, 29 + leap, 30],
        };
        let column = usize::try_from(month.checked_sub(1)?).ok()?;
        if day < 1 || day > *lengths.get(column)? {
            return None;
        }
        let before: u32 = lengths[..column].iter().sum();
        Self::from_number(number(year + 593, 4, 14) + i64::from(before + day) - 1)
    }

    /// Returns the day of a time in seconds since 1970, in UTC.
    pub fn of_seconds(seconds: i64) -> Option<Self> {
        Self::from_number(number(1970, 1, 1) + seconds.div_euclid(86_400))
    }

    /// Returns the number of days from another day to this one.
    pub fn days_after(self, other: Self) -> i64 {
        self.number() - other.number()
    }

    fn number(self) -> i64 {
        number(self.year, self.month, self.day)
    }

    fn from_number(days: i64) -> Option<Self> {
        // Howard Hinnant's days_from_civil, reversed.
        let days = days + 719_468;
        let era = days.div_euclid(146_097);
        let of_era = days.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * of_year + 2) / 153;
        let day = of_year - (153 * shifted + 2) / 5 + 1;
        let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        Self::new(i32::try_from(year).ok()?, u32::try_from(month).ok()?, u32::try_from(day).ok()?)
    }

    /// The year.
    pub fn year(self) -> i32 {
        self.year
    }
}

/// The first year of [`BIKRAM`].
const FIRST_BIKRAM: i32 = 2052;

/// Days of the months of Bikram Sambat above 29, a year a row: Nepal publishes them year by year, and
/// no rule gives them.
const BIKRAM: [&str; 32] = [
    "223222101011",
    "232321110011",
    "232321110102",
    "223222101011",
    "223231101011",
    "232321110012",
    "132321110102",
    "223222101011",
    "223321101011",
    "232321110012",
    "222322010102",
    "223222101011",
    "223321101011",
    "232321110012",
    "222322011002",
    "223222101011",
    "223321101011",
    "232321110012",
    "222322011011",
    "223222101011",
    "232321101011",
    "232321110012",
    "222322101011",
    "223222101011",
    "232321110011",
    "232321110102",
    "222322101011",
    "223222101011",
    "232321110011",
    "232321110102",
    "223222101011",
    "223222101011",
];

/// Days since 1970-01-01 of the Gregorian calendar.
fn number(year: i32, month: u32, day: u32) -> i64 {
    let year = i64::from(year) - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((i64::from(month) + 9) % 12) + 2) / 5 + i64::from(day) - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

fn length(year: i32, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl fmt::Display for Day {
    /// As in ISO 8601: `2024-03-12`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for Day {
    type Err = String;

    /// Parses the day at the beginning of a time in ISO 8601. The error is one sentence.
    fn from_str(text: &str) -> Result<Self, String> {
        let parse = || {
            let mut parts = text.get(..10)?.splitn(3, '-');
            let mut next = || parts.next().filter(|part| part.bytes().all(|b| b.is_ascii_digit()));
            let (year, month, day) = (next()?, next()?, next()?);
            Day::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
        };
        parse().ok_or_else(|| {
            format!("{text:?} is no day; allowed are days such as 2024-03-12 from 1995 on")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(day: Option<Day>) -> String {
        day.map_or_else(|| "none".to_owned(), |day| day.to_string())
    }

    #[test]
    fn days_that_the_calendar_lacks_are_none() {
        assert_eq!(shown(Day::new(2024, 2, 29)), "2024-02-29");
        for (year, month, day) in [
            (2023, 2, 29),
            (2024, 13, 1),
            (2024, 0, 1),
            (2024, 4, 31),
            (1994, 12, 31),
            (2200, 1, 1),
        ] {
            assert_eq!(Day::new(year, month, day), None);
        }
    }

    #[test]
    fn days_of_solar_hijri_are_those_of_irans_calendar() {
        for (year, month, day, expected) in [
            (1374, 1, 1, "1995-03-21"),
            (1375, 12, 30, "1997-03-20"),
            (1376, 1, 1, "1997-03-21"),
            (1399, 12, 30, "2021-03-20"),
            (1400, 1, 1, "2021-03-21"),
            (1402, 7, 15, "2023-10-07"),
            (1403, 12, 30, "2025-03-20"),
            (1404, 1, 1, "2025-03-21"),
            (1405, 9, 3, "2026-11-24"),
            (1400, 12, 30, "none"),
            (1400, 7, 31, "none"),
        ] {
            assert_eq!(
                shown(Day::of_solar_hijri(year, month, day)),
                expected,
                "{year}-{month}-{day}"
            );
        }
    }

    #[test]
    fn days_of_hijri_are_those_of_the_arithmetic_calendar() {
        for (year, month, day, expected) in [
            (1416, 1, 1, "1995-05-31"),
            (1421, 1, 1, "2000-04-06"),
            (1445, 9, 1, "2024-03-11"),
            (1446, 12, 29, "2025-06-26"),
        ] {
            assert_eq!(shown(Day::of_hijri(year, month, day)), expected, "{year}-{month}-{day}");
        }
    }

    #[test]
    fn days_of_the_other_calendars_are_those_of_their_countries() {
        for (year, month, day, expected) in [
            (2000, 1, 1, "2007-09-12"),
            (2016, 7, 3, "2024-03-12"),
            (2015, 13, 6, "2023-09-11"),
            (2016, 1, 1, "2023-09-12"),
            (2017, 1, 1, "2024-09-11"),
            (2016, 13, 6, "none"),
        ] {
            assert_eq!(shown(Day::of_ethiopic(year, month, day)), expected, "{year}-{month}-{day}");
        }
        for (year, month, day, expected) in [
            (2052, 1, 1, "1995-04-14"),
            (2077, 1, 1, "2020-04-13"),
            (2080, 1, 1, "2023-04-14"),
            (2080, 11, 29, "2024-03-12"),
            (2081, 1, 1, "2024-04-13"),
            (2080, 11, 31, "none"),
            (2051, 1, 1, "none"),
        ] {
            let found = Day::of_bikram_sambat(year, month, day);
            assert_eq!(shown(found), expected, "{year}-{month}-{day}");
        }
        for (year, month, day, expected) in [
            (1431, 1, 1, "2024-04-14"),
            (1430, 11, 28, "2024-03-12"),
            (1430, 12, 30, "2024-04-13"),
            (1430, 11, 31, "none"),
        ] {
            assert_eq!(shown(Day::of_bengali(year, month, day)), expected, "{year}-{month}-{day}");
        }
    }

    #[test]
    fn seconds_and_texts_are_days() {
        assert_eq!(shown(Day::of_seconds(1_710_201_600)), "2024-03-12");
        assert_eq!(shown(Day::of_seconds(1_710_201_599)), "2024-03-11");
        assert_eq!(shown("2024-03-12T10:00:00Z".parse().ok()), "2024-03-12");
        assert!("2024-3-12".parse::<Day>().is_err());
        let day: Day = "2024-03-01".parse().expect("a day");
        assert_eq!(day.days_after("2024-02-28".parse().expect("a day")), 2);
    }
}
