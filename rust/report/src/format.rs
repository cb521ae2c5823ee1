//! Numbers and times as the HTML page shows them.

pub use render::grouped as integer;

/// Formats a share with one decimal.
pub fn percent(value: Option<f64>) -> String {
    match value {
        None => "–".to_owned(),
        // Values above zero that round to zero are shown as "< 0.1 %".
        Some(value) if value > 0.0 && value < 0.05 => "< 0.1 %".to_owned(),
        Some(value) => format!("{value:.1} %"),
    }
}

/// Formats a number with this number of decimals.
pub fn decimal(value: Option<f64>, digits: usize) -> String {
    let Some(value) = value else { return "–".to_owned() };
    let shown = format!("{:.digits$}", value.abs());
    // A value that rounds to zero has no sign.
    let is_negative = value < 0.0 && shown.contains(|digit: char| ('1'..='9').contains(&digit));
    if is_negative {
        format!("\u{2212}{shown}")
    } else {
        shown
    }
}

/// Formats bytes in decimal units.
pub fn bytes(number: u64) -> String {
    match number {
        0..1_000 => format!("{number} B"),
        1_000..1_000_000 => format!("{:.1} kB", number as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", number as f64 / 1e6),
        _ => format!("{:.2} GB", number as f64 / 1e9),
    }
}

/// Formats a count with the noun in the singular or the plural.
pub fn things(number: u64, one: &str, more: &str) -> String {
    format!("{} {}", integer(number), if number == 1 { one } else { more })
}

/// Formats a time in seconds since 1970 to the minute, UTC.
pub fn minute(seconds: u64) -> String {
    let time = crate::time(seconds);
    time.get(..16).map_or(time.clone(), |minute| minute.replace('T', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(integer), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn a_sign_is_that_of_what_is_shown() {
        let shown = [-0.0001, -0.0006, -1.5, 0.0, 2.25].map(|value| decimal(Some(value), 3));
        assert_eq!(shown, ["0.000", "−0.001", "−1.500", "0.000", "2.250"]);
        assert_eq!(
            [0.0, 0.002, 0.06, 99.96].map(|value| percent(Some(value))),
            ["0.0 %", "< 0.1 %", "0.1 %", "100.0 %"]
        );
    }
}
