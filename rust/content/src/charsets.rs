//! Encodings that the Encoding Standard lacks, and so encoding_rs: old ones of Tajik, Kazakh,
//! Armenian, Georgian and other languages, which pages still declare.
//!
//! Those of one byte a character are read by the tables in `data/charsets.txt`. The others are
//! refused by their name: another encoding would give text that is wrong but looks like a language.

use encoding_rs::Encoding;
use std::borrow::Cow;
use std::sync::OnceLock;

/// An encoding of one byte a character.
#[derive(Debug)]
pub(crate) struct Table {
    labels: &'static str,
    /// The characters of the bytes from 0x80.
    high: [char; 128],
}

impl Table {
    fn all() -> &'static [Table] {
        static TABLES: OnceLock<Vec<Table>> = OnceLock::new();
        TABLES.get_or_init(|| {
            let lines = include_str!("../data/charsets.txt").lines();
            let rows = lines.filter(|line| !line.starts_with('#')).filter_map(|line| {
                let (labels, characters) = line.split_once('\t')?;
                let characters: Vec<char> = characters.chars().collect();
                Some(Table { labels, high: characters.try_into().ok()? })
            });
            rows.collect()
        })
    }

    /// The label that names the encoding in records.
    pub(crate) fn name(&self) -> &'static str {
        self.labels.split(' ').next().unwrap_or_default()
    }

    pub(crate) fn decode<'a>(&self, bytes: &'a [u8]) -> Cow<'a, str> {
        match std::str::from_utf8(bytes) {
            Ok(text) if bytes.is_ascii() => Cow::Borrowed(text),
            _ => {
                let character = |&byte: &u8| match byte.checked_sub(0x80) {
                    Some(high) => self.high[usize::from(high)],
                    None => char::from(byte),
                };
                Cow::Owned(bytes.iter().map(character).collect())
            }
        }
    }
}

/// An encoding that can be decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Charset {
    Standard(&'static Encoding),
    Own(&'static Table),
}

impl PartialEq for Charset {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Charset::Standard(one), Charset::Standard(other)) => one == other,
            (Charset::Own(one), Charset::Own(other)) => std::ptr::eq(*one, *other),
            _ => false,
        }
    }
}

impl Charset {
    /// The encoding of a label that only this module knows.
    pub(crate) fn own(label: &str) -> Option<Charset> {
        let label = label.trim().to_ascii_lowercase().replace('_', "-");
        let is_it = |table: &&Table| table.labels.split(' ').any(|own| own == label);
        Table::all().iter().find(is_it).map(Charset::Own)
    }

    pub(crate) fn is(self, encoding: &'static Encoding) -> bool {
        self == Charset::Standard(encoding)
    }

    pub(crate) fn read(self, bytes: &[u8]) -> Cow<'_, str> {
        match self {
            Charset::Standard(encoding) => encoding.decode_without_bom_handling(bytes).0,
            Charset::Own(table) => table.decode(bytes),
        }
    }
}

/// Labels of encodings that are refused, in lower case with hyphens. A trailing `*` stands for
/// anything. Encodings that ASCII text is written in (UTF-7, HZ) are recognised by their shifts.
const REFUSED: [&str; 49] = [
    "johab",
    "cp1361",
    "ms1361",
    "windows-1361",
    "x-johab",
    "ks-c-5601-1992",
    "euc-tw",
    "x-euc-tw",
    "cns11643",
    "big5-uao",
    "viscii*",
    "csviscii",
    "tcvn*",
    "x-viet-*",
    "vps",
    "x-vps",
    "vni*",
    "x-vni",
    "cp1129",
    "windows-1129",
    "cp1133",
    "ibm-cp1133",
    "ibm1133",
    "mulelao-1",
    "iscii*",
    "x-iscii*",
    "tscii*",
    "tam",
    "tab",
    "armscii-7",
    "armscii-8a",
    "koi-7",
    "nunacom-8",
    "cp720",
    "cp856",
    "cp862",
    "dos-862",
    "ibm862",
    "cp864",
    "ibm864",
    "cp868",
    "ibm868",
    "cp1006",
    "x-mac-*",
    "ebcdic-*",
    "scsu",
    "bocu-1",
    "hp-roman8",
    "utf-ebcdic",
];

/// Returns true for the label of an encoding that is known but cannot be decoded.
pub(crate) fn is_refused(label: &str) -> bool {
    let label = label.trim().to_ascii_lowercase().replace('_', "-");
    REFUSED.iter().any(|refused| match refused.strip_suffix('*') {
        Some(start) => label.starts_with(start),
        None => label == *refused,
    })
}

/// Returns true if most words of a Hebrew text are stored from left to right, as old browsers
/// displayed them: the letters that have a form for the end of a word are at their beginning.
pub(crate) fn is_visual_hebrew(text: &str) -> bool {
    let is_final = |c: char| matches!(c, 'ך' | 'ם' | 'ן' | 'ף' | 'ץ');
    let is_hebrew = |c: &char| ('\u{5d0}'..='\u{5ea}').contains(c);
    let (mut visual, mut logical) = (0, 0);
    for word in text.split(|c: char| !is_hebrew(&c)).filter(|word| word.chars().count() > 1) {
        visual += usize::from(word.chars().next().is_some_and(is_final));
        logical += usize::from(word.chars().next_back().is_some_and(is_final));
    }
    visual > logical
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_tables_is_read_and_no_label_is_double_or_of_the_standard() {
        let lines = include_str!("../data/charsets.txt").lines();
        assert_eq!(Table::all().len(), lines.filter(|line| !line.starts_with('#')).count());
        let labels: Vec<&str> = Table::all().iter().flat_map(|t| t.labels.split(' ')).collect();
        for (at, label) in labels.iter().enumerate() {
            assert!(!labels[..at].contains(label), "{label}");
            assert!(Encoding::for_label(label.as_bytes()).is_none(), "{label}");
        }
        for label in REFUSED {
            assert!(Encoding::for_label(label.as_bytes()).is_none(), "{label}");
        }
    }

    #[test]
    fn final_letters_tell_the_order_of_hebrew() {
        assert!(is_visual_hebrew("םולש םכל םידלי"));
        assert!(!is_visual_hebrew("שלום לכם ילדים"));
        assert!(!is_visual_hebrew("plain text"));
    }
}
