//! Days and times, to and from ISO 8601 in UTC.

use chrono::{DateTime, NaiveDate, SecondsFormat, TimeDelta};

/// Longest text that is read as a day or a time, in bytes.
const MAX_TEXT: usize = 40;

/// Returns a day, in days since 1970. `None` if no calendar has it.
pub fn day(days: i64) -> Option<String> {
    let day = NaiveDate::default().checked_add_signed(TimeDelta::try_days(days)?)?;
    Some(day.to_string())
}

/// Returns a time, in milliseconds since 1970. `None` if no calendar has it.
pub fn time(millis: i64) -> Option<String> {
    let time = DateTime::from_timestamp_millis(millis)?;
    Some(time.to_rfc3339_opts(SecondsFormat::AutoSi, true))
}

/// Reads a day such as `2026-11-24`. Returns the days since 1970.
pub fn parse_day(text: &str) -> Option<i32> {
    if text.len() != "2026-11-24".len() {
        return None;
    }
    let day: NaiveDate = text.parse().ok()?;
    i32::try_from(day.signed_duration_since(NaiveDate::default()).num_days()).ok()
}

/// Reads a time with its offset from UTC (RFC 3339). Returns the whole milliseconds since 1970.
pub fn parse_time(text: &str) -> Option<i64> {
    if text.len() > MAX_TEXT {
        return None;
    }
    DateTime::parse_from_rfc3339(text).ok().map(|time| time.timestamp_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400_000, "2000-02-29T00:00:00Z"),
            (1_795_478_400_250, "2026-11-24T00:00:00.250Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(time(millis).as_deref(), Some(text));
            assert_eq!(parse_time(text), Some(millis));
        }
        assert_eq!((time(i64::MAX), day(i64::MAX)), (None, None));
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        for (days, text) in [(0, "1970-01-01"), (11_016, "2000-02-29"), (-719_528, "0000-01-01")] {
            assert_eq!(day(i64::from(days)).as_deref(), Some(text));
            assert_eq!(parse_day(text), Some(days));
        }
    }

    #[test]
    fn offsets_count_and_less_than_a_time_is_none() {
        assert_eq!(parse_time("1970-01-01T05:00:01.2345+05:00"), Some(1234));
        for text in ["2026-11-24", "2026-11-24T10:00:00", "2026-02-30T10:00:00Z", "today", ""] {
            assert_eq!(parse_time(text), None, "{text}");
        }
        for text in ["2026-02-30", "2026-1-2", "2026-11-24T10:00:00Z", "+26-11-24"] {
            assert_eq!(parse_day(text), None, "{text}");
        }
    }
}
