//! Days, and their conversion from the calendars that pages write them in. The arithmetic is that
//! of ICU4X's `calendrical_calculations`, except for two calendars that it lacks.

use calendrical_calculations::ethiopian::fixed_from_ethiopian;
use calendrical_calculations::gregorian::{
    fixed_from_gregorian, gregorian_from_fixed, is_leap_year,
};
use calendrical_calculations::hebrew::BookHebrew;
use calendrical_calculations::islamic::{fixed_from_tabular_islamic, ISLAMIC_EPOCH_FRIDAY};
use calendrical_calculations::persian;
use calendrical_calculations::rata_die::RataDie;
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// The first year in which a page can have been published: the web had few pages before.
pub const FIRST_YEAR: i32 = 1995;

/// A day of the Gregorian calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    year: i32,
    month: u8,
    day: u8,
}

impl Day {
    /// Returns a day from 1995 to 2199, or `None` if the calendar does not have it.
    pub fn new(year: i32, month: u32, day: u32) -> Option<Self> {
        let (month, day) = within(month, 12, day, 31)?;
        let is_day = (FIRST_YEAR..2200).contains(&year) && day <= length(year, month);
        is_day.then_some(Self { year, month, day })
    }

    /// Returns a day of the Solar Hijri calendar (Iran, Afghanistan).
    pub fn of_solar_hijri(year: i32, month: u32, day: u32) -> Option<Self> {
        let longest = match month {
            1..=6 => 31,
            12 if !persian::is_leap_year(year) => 29,
            _ => 30,
        };
        let (month, day) = within(month, 12, day, longest)?;
        Self::of(persian::fixed_from_fast_persian(year, month, day))
    }

    /// Returns a day of the Hijri calendar, by the arithmetic (civil) form with leap years 2, 5, 7,
    /// 10, 13, 16, 18, 21, 24, 26 and 29 of 30. A country's calendar may differ by a day.
    pub fn of_hijri(year: i32, month: u32, day: u32) -> Option<Self> {
        let (month, day) = within(month, 12, day, 30)?;
        Self::of(fixed_from_tabular_islamic(year, month, day, ISLAMIC_EPOCH_FRIDAY))
    }

    /// Returns a day of the Hebrew calendar. Its first month is Nisan; Adar is the twelfth one, and
    /// the second Adar of a leap year the thirteenth.
    pub fn of_hebrew(year: i32, month: u8, day: u8) -> Option<Self> {
        let months = if Self::is_hebrew_leap(year) { 13 } else { 12 };
        let is_day = (1..=months).contains(&month)
            && (1..=BookHebrew::last_day_of_book_hebrew_month(year, month)).contains(&day);
        let date = is_day.then_some(BookHebrew { year, month, day })?;
        Self::of(BookHebrew::fixed_from_book_hebrew(date))
    }

    /// Whether a year of the Hebrew calendar has two months of the name Adar.
    pub fn is_hebrew_leap(year: i32) -> bool {
        BookHebrew::is_hebrew_leap_year(year)
    }

    /// Returns a day of the Ethiopic calendar (Amete Mihret): twelve months of 30 days and one of
    /// 5, or 6 before a leap year.
    pub fn of_ethiopic(year: i32, month: u32, day: u32) -> Option<Self> {
        let longest = match month {
            13 if year.rem_euclid(4) == 3 => 6,
            13 => 5,
            _ => 30,
        };
        let (month, day) = within(month, 13, day, longest)?;
        Self::of(fixed_from_ethiopian(year, month, day))
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
        Self::of(fixed_from_gregorian(1995, 4, 14).add(years + before + i64::from(day) - 1))
    }

    /// Returns a day of the Bengali calendar as Bangladesh revised it: the year begins on 14 April.
    /// In India it may differ by a day.
    pub fn of_bengali(year: i32, month: u32, day: u32) -> Option<Self> {
        // Falgun has a day more if the February in it has.
        let leap = u32::from(is_leap_year(year + 594));
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
        Self::of(fixed_from_gregorian(year + 593, 4, 14).add(i64::from(before + day) - 1))
    }

    /// Returns the day of a time in seconds since 1970, in UTC.
    pub fn of_seconds(seconds: i64) -> Option<Self> {
        Self::of(fixed_from_gregorian(1970, 1, 1).add(seconds.div_euclid(86_400)))
    }

    /// Returns the number of days from another day to this one.
    pub fn days_after(self, other: Self) -> i64 {
        self.fixed().since(other.fixed())
    }

    fn fixed(self) -> RataDie {
        fixed_from_gregorian(self.year, self.month, self.day)
    }

    fn of(date: RataDie) -> Option<Self> {
        let (year, month, day) = gregorian_from_fixed(date).ok()?;
        Self::new(year, u32::from(month), u32::from(day))
    }

    /// The year of the Gregorian calendar.
    pub fn year(self) -> i32 {
        self.year
    }
}

/// The first year of [`BIKRAM`].
const FIRST_BIKRAM: i32 = 2052;

/// Days of the months of Bikram Sambat above 29, a year a row: Nepal publishes them year by year,
/// and no rule gives them.
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

/// A month and a day, if a calendar with so many months and a month with so many days have them.
fn within(month: u32, months: u32, day: u32, days: u32) -> Option<(u8, u8)> {
    let is_day = (1..=months).contains(&month) && (1..=days).contains(&day);
    is_day.then_some((u8::try_from(month).ok()?, u8::try_from(day).ok()?))
}

fn length(year: i32, month: u8) -> u8 {
    match month {
        2 if is_leap_year(year) => 29,
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

/// A text that is no day.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is no day; allowed are days such as 2024-03-12 from 1995 on")]
pub struct NoDay(String);

impl FromStr for Day {
    type Err = NoDay;

    /// Parses the day at the beginning of a time in ISO 8601.
    fn from_str(text: &str) -> Result<Self, NoDay> {
        let parse = || {
            let mut parts = text.get(..10)?.splitn(3, '-');
            let mut next = || parts.next().filter(|part| part.bytes().all(|b| b.is_ascii_digit()));
            let (year, month, day) = (next()?, next()?, next()?);
            Day::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
        };
        parse().ok_or_else(|| NoDay(text.to_owned()))
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
