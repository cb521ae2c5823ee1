//! Facts on a data set that only its publisher knows: which of them are well-formed.

/// Licences of the Hub with their addresses.
pub const LICENSES: [(&str, &str); 9] = [
    ("cc0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
    ("cc-by-4.0", "https://creativecommons.org/licenses/by/4.0/"),
    ("cc-by-sa-4.0", "https://creativecommons.org/licenses/by-sa/4.0/"),
    ("cc-by-nc-4.0", "https://creativecommons.org/licenses/by-nc/4.0/"),
    ("cc-by-nd-4.0", "https://creativecommons.org/licenses/by-nd/4.0/"),
    ("cc-by-nc-sa-4.0", "https://creativecommons.org/licenses/by-nc-sa/4.0/"),
    ("odc-by", "https://opendatacommons.org/licenses/by/1-0/"),
    ("odbl", "https://opendatacommons.org/licenses/odbl/1-0/"),
    ("pddl", "https://opendatacommons.org/licenses/pddl/1-0/"),
];

/// Returns whether a text is an address of the web.
pub fn is_web_address(text: &str) -> bool {
    url::Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

/// Returns true for a day as YYYY-MM-DD.
pub fn is_date(text: &str) -> bool {
    text.parse::<provenance::Day>().is_ok_and(|day| day.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_days() {
        for yes in ["2026-11-24", "2024-02-29", "2000-02-29", "2026-12-31"] {
            assert!(is_date(yes), "{yes}");
        }
        for no in [
            "2026-02-30",
            "2026-02-29",
            "1900-02-29",
            "2026-04-31",
            "2026-12-32",
            "2026-13-01",
            "2026-1-1",
            "2026-11",
            "24.11.2026",
            "2026-11-00",
            "२०२६-११-२४",
        ] {
            assert!(!is_date(no), "{no}");
        }
    }
}
