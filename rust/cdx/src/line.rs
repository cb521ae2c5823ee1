//! The lines of an index.

use serde::Deserialize;
use serde_json::{json, Value};
use std::fmt::Write as _;

/// The fields of a record in the index, with the names and the order of cdxj-indexer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Line {
    /// The record's URL.
    pub url: Option<String>,
    /// The payload's media type; `warc/revisit` for a record that refers to an earlier one.
    pub mime: Option<String>,
    /// Status code of the HTTP response.
    pub status: Option<String>,
    /// Digest of the payload: algorithm, colon and base 32, for example `sha1:...`.
    pub digest: Option<String>,
    /// Length of the record in its file, in bytes.
    pub length: String,
    /// Offset of the record in its file, in bytes.
    pub offset: String,
    /// The file's name.
    pub filename: String,
}

impl Line {
    /// Returns the line with its key and time, without a line end. The text is ASCII, so its bytes
    /// are the same in every charset.
    pub fn text(&self, key: &str, timestamp: &str) -> String {
        let said = [
            ("url", &self.url),
            ("mime", &self.mime),
            ("status", &self.status),
            ("digest", &self.digest),
        ];
        let said = said.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?)));
        let place =
            [("length", &*self.length), ("offset", &self.offset), ("filename", &self.filename)];
        let mut text = format!("{key} {timestamp} {{");
        for (number, (name, value)) in said.chain(place).enumerate() {
            let comma = if number == 0 { "" } else { ", " };
            let _ = write!(text, "{comma}\"{name}\": ");
            push_string(&mut text, value);
        }
        text.push('}');
        text
    }

    /// Splits a line into key, time and fields; `None` if it is not an index line. A line of CDX has
    /// the 9, 10 or 11 fields of the Internet Archive.
    pub fn parse(text: &str) -> Option<(&str, &str, Self)> {
        let (key, rest) = text.split_once(' ')?;
        let (timestamp, json) = rest.split_once(' ')?;
        if !json.starts_with('{') {
            return Self::of_cdx(text);
        }
        Some((key, timestamp, serde_json::from_str(json).ok()?))
    }

    /// The line of a time as an object, whatever its format was; what it lacks is `null`.
    pub fn json(&self, timestamp: &str) -> Value {
        let number = |text: &str| text.parse::<u64>().ok();
        json!({
            "timestamp": timestamp,
            "url": self.url,
            "mime": self.mime,
            "status": self.status,
            "digest": self.digest,
            "length": number(&self.length),
            "offset": number(&self.offset),
            "filename": self.filename,
        })
    }

    /// Splits a line of CDX. Lines of 9 fields have no length, which is then empty.
    fn of_cdx(text: &str) -> Option<(&str, &str, Self)> {
        let fields: Vec<&str> = text.trim_end().split(' ').collect();
        let &[key, timestamp, url, mime, status, digest, _redirect, ref rest @ ..] = &fields[..]
        else {
            return None;
        };
        let (length, offset, filename) = match *rest {
            [offset, filename] | [_, offset, filename] => ("", offset, filename),
            [_, length, offset, filename] => (length, offset, filename),
            _ => return None,
        };
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if !is_number(timestamp) || !is_number(offset) {
            return None;
        }
        let said = |value: &str| (value != "-").then(|| value.to_owned());
        let line = Self {
            url: said(url),
            mime: said(mime),
            status: said(status),
            digest: said(digest),
            length: said(length).unwrap_or_default(),
            offset: offset.to_owned(),
            filename: filename.to_owned(),
        };
        Some((key, timestamp, line))
    }
}

/// Returns whether a line is the head of a CDX index, which names its fields by letters.
pub(crate) fn is_cdx_head(line: &str) -> bool {
    line.trim_start().starts_with("CDX ")
}

/// Appends a JSON string in ASCII.
fn push_string(text: &mut String, value: &str) {
    text.push('"');
    for c in value.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\u{8}' => text.push_str("\\b"),
            '\u{c}' => text.push_str("\\f"),
            ' '..='~' => text.push(c),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(text, "\\u{unit:04x}");
                }
            }
        }
    }
    text.push('"');
}

/// Converts a WARC date (`2026-11-23T03:20:28Z`, with fractions of a second, or without the time of
/// day) to 14 digits; `None` if it is not a date.
pub fn timestamp(date: &str) -> Option<String> {
    let mut digits = String::new();
    let numbers =
        date.trim().split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
    for (number, length) in numbers.zip([4, 2, 2, 2, 2, 2]) {
        if number.len() != length {
            return None;
        }
        digits += number;
    }
    // A year alone is a valid date in WARC 1.1.
    let least = "00000101000000";
    (digits.len() >= 4).then(|| format!("{digits}{}", &least[digits.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn times_are_fourteen_digits() {
        assert_eq!(timestamp("2026-11-23T03:20:28Z").as_deref(), Some("20261123032028"));
        assert_eq!(timestamp("2026-11-23T03:20:28.123456Z").as_deref(), Some("20261123032028"));
        assert_eq!(timestamp("2026-11").as_deref(), Some("20261101000000"));
        assert_eq!(timestamp("2026").as_deref(), Some("20260101000000"));
        assert_eq!(
            [timestamp(""), timestamp("26-1-1"), timestamp("yesterday")],
            [None, None, None]
        );
    }

    #[test]
    fn a_line_has_what_is_known_in_the_order_of_other_indexers() {
        let place = Line {
            length: "9".to_owned(),
            offset: "0".to_owned(),
            filename: "a.warc".to_owned(),
            ..Line::default()
        };
        assert_eq!(
            place.text("-", "2026"),
            r#"- 2026 {"length": "9", "offset": "0", "filename": "a.warc"}"#
        );
        let line = Line { url: Some("http://a.pk/\u{627}\"\u{1f600}".to_owned()), ..place };
        let expected = r#"k 1 {"url": "http://a.pk/\u0627\"\ud83d\ude00", "length": "9", "offset": "0", "filename": "a.warc"}"#;
        assert_eq!(line.text("k", "1"), expected);
    }

    #[test]
    fn lines_of_cdx_have_nine_to_eleven_fields() {
        let nine = "pk,a)/ 20240101000000 http://a.pk/ text/html 200 ABC - 123 a.warc.gz";
        let (key, timestamp, line) = Line::parse(nine).expect("a line");
        assert_eq!((key, timestamp), ("pk,a)/", "20240101000000"));
        assert_eq!(
            (line.url.as_deref(), line.digest.as_deref()),
            (Some("http://a.pk/"), Some("ABC"))
        );
        assert_eq!((&*line.length, &*line.offset, &*line.filename), ("", "123", "a.warc.gz"));
        let ten = "pk,a)/ 2024 http://a.pk/ warc/revisit - ABC - - 123 a.warc.gz";
        let line = Line::parse(ten).expect("a line").2;
        assert_eq!((line.status, &*line.offset), (None, "123"));
        let eleven = "pk,a)/ 2024 http://a.pk/ text/html 200 ABC - - 77 123 a.warc.gz";
        let line = Line::parse(eleven).expect("a line").2;
        assert_eq!((&*line.length, &*line.offset, &*line.filename), ("77", "123", "a.warc.gz"));
        for bad in [
            "a b c",
            "pk,a)/ x http://a.pk/ text/html 200 ABC - 123 a.warc.gz",
            " CDX N b a m s k r M S V g",
        ] {
            assert_eq!(Line::parse(bad), None, "{bad}");
        }
        assert!(is_cdx_head(" CDX N b a m s k r M S V g") && !is_cdx_head(nine));
    }

    proptest! {
        #[test]
        fn a_line_is_read_as_it_was_written(url in any::<String>(), filename in any::<String>(), mime in any::<Option<String>>()) {
            let line = Line { url: Some(url), mime, filename, ..Line::default() };
            let text = line.text("key", "20260101000000");
            prop_assert!(text.bytes().all(|byte| matches!(byte, b' '..=b'~')));
            prop_assert_eq!(Line::parse(&text), Some(("key", "20260101000000", line)));
        }
    }
}
