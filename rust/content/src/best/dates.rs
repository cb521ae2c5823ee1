//! Recognises date lines: short lines with a date or a time, such as the byline of a comment.

/// Most letters of a date line.
const LONGEST: f32 = 50.0;
/// Least number of digits in a date or a time. Lines with fewer need no search.
pub(super) const MIN_DIGITS: u32 = 3;

/// Returns true for a short line with a date or a time. `weight`: the weighted letters of the line.
pub(super) fn is_date_line(line: &str, weight: f32) -> bool {
    weight <= LONGEST && has_date(line)
}

/// Returns true if a line may have a date or a time: a year and another number, or numbers such as
/// `9:45`. A number of four digits beyond ASCII may be a year of any calendar.
fn has_date(line: &str) -> bool {
    let numbers = || line.split(|c: char| !c.is_numeric()).filter(|number| !number.is_empty());
    let is_year = |number: &str| {
        number.chars().count() == 4
            && number.parse().map_or(!number.is_ascii(), |year: u16| (1900..2100).contains(&year))
    };
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let around = |at: usize| [at.wrapping_sub(1), at + 1, at + 2].map(|at| line.as_bytes().get(at));
    numbers().nth(1).is_some() && numbers().any(is_year)
        || line.match_indices(':').any(|(at, _)| around(at).into_iter().all(is_digit))
}

#[cfg(test)]
mod tests {
    use super::has_date;

    #[test]
    fn dates_and_times_are_found_in_any_digits() {
        for line in ["12 May 2024", "at 9:45", "9:45", "۱۴۰۲/۵/۱۲", "2024年5月12日"] {
            assert!(has_date(line), "{line}");
        }
        assert!(has_date("é 10:05"), "a letter of two bytes before a time");
        for line in
            ["", ":", "1:", "a:12", "40-55 km", "1050", "12345", "2024", "page 3 of 20", "Total: 5"]
        {
            assert!(!has_date(line), "{line}");
        }
    }
}
