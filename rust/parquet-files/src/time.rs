//! Times as ISO 8601 in UTC.

/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

/// Returns a date, in days since 1970.
pub fn date(days: i64) -> String {
    // The calendar of days since 0000-03-01, in eras of 400 years (H. Hinnant, "chrono-compatible
    // low-level date algorithms").
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Returns a time, in milliseconds since 1970.
pub fn time(millis: i64) -> String {
    let (days, rest) = (millis.div_euclid(DAY), millis.rem_euclid(DAY));
    let (seconds, millis) = (rest / 1000, rest % 1000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let fraction = if millis == 0 { String::new() } else { format!(".{millis:03}") };
    format!("{}T{hours:02}:{minutes:02}:{seconds:02}{fraction}Z", date(days))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        assert_eq!(time(0), "1970-01-01T00:00:00Z");
        assert_eq!(time(951_782_400_000), "2000-02-29T00:00:00Z");
        assert_eq!(time(1_795_478_400_250), "2026-11-24T00:00:00.250Z");
        assert_eq!(time(-1), "1969-12-31T23:59:59.999Z");
        assert_eq!(date(-719_528), "0000-01-01");
    }
}
