//! JSON lines of other programs: their names for the fields of a page, and what Python writes that
//! is no JSON.

use memchr::memmem;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Fields of a page that are text, and numbers in records of other programs.
const NUMBERED: [&str; 3] = ["id", "title", "fetch_time"];

/// The name of the field that other programs number.
const ID: &[u8] = b"\"id\"";

/// Fields of a page that are whole numbers.
const INTEGERS: [&str; 4] = ["round", "raw_bytes", "visible_bytes", "main_bytes"];

/// Fields of a page that are objects of whole numbers.
const COUNTS: [&str; 2] = ["languages", "bytes_per_language"];

/// Fields that only records with names of our own have.
const OWN: [&str; 5] = ["text", "languages", "bytes_per_language", "gone", "decision"];

/// Fields of a page that may have another name in a record.
pub const NAMED: [&str; 12] = [
    "text",
    "url",
    "id",
    "host",
    "title",
    "fetch_time",
    "published",
    "modified",
    "author",
    "site_name",
    "headline",
    "content_type",
];

/// A program, and its names for the fields of a page.
struct Dialect {
    name: &'static str,
    /// Fields that all its records have.
    marks: &'static [&'static str],
    /// Fields that none of its records has.
    lacks: &'static [&'static str],
    /// Our name of a field, and its place in the record: names from the outside to the inside,
    /// separated by dots. Of several places of one field the first with a value counts.
    fields: &'static [(&'static str, &'static str)],
}

/// The programs, those with more marks first. The names are those of their documentation.
const DIALECTS: [Dialect; 13] = [
    Dialect {
        name: "OSCAR",
        marks: &["content", "warc_headers"],
        lacks: &["text"],
        fields: &[
            ("text", "content"),
            ("url", "warc_headers.warc-target-uri"),
            ("fetch_time", "warc_headers.warc-date"),
        ],
    },
    Dialect {
        name: "GlotCC",
        marks: &["content", "warc-target-uri"],
        lacks: &["text"],
        fields: &[("text", "content"), ("url", "warc-target-uri"), ("fetch_time", "warc-date")],
    },
    Dialect {
        name: "GlotCC",
        marks: &["content", "warc-headers"],
        lacks: &["text"],
        fields: &[
            ("text", "content"),
            ("url", "warc-headers.warc-target-uri"),
            ("fetch_time", "warc-headers.warc-date"),
        ],
    },
    Dialect {
        name: "cc_net",
        marks: &["raw_content"],
        lacks: &["text"],
        fields: &[("text", "raw_content"), ("fetch_time", "date_download")],
    },
    Dialect {
        name: "HPLT",
        marks: &["u", "text"],
        lacks: &["url"],
        fields: &[("url", "u"), ("fetch_time", "ts"), ("content_type", "c")],
    },
    Dialect {
        name: "HPLT",
        marks: &["document_lang", "langs", "text"],
        lacks: &["fetch_time"],
        fields: &[],
    },
    Dialect {
        name: "trafilatura",
        marks: &["text", "source-hostname"],
        lacks: &["url"],
        fields: TRAFILATURA,
    },
    Dialect {
        name: "trafilatura",
        marks: &["text", "raw_text", "fingerprint"],
        lacks: &[],
        fields: TRAFILATURA,
    },
    Dialect {
        name: "Dolma",
        marks: &["text", "id", "source", "added"],
        lacks: &["url", "fetch_time"],
        fields: DOLMA,
    },
    Dialect {
        name: "Dolma",
        marks: &["text", "id", "source", "attributes"],
        lacks: &["url", "fetch_time"],
        fields: DOLMA,
    },
    Dialect {
        name: "datatrove",
        marks: &["text", "metadata"],
        lacks: &["url"],
        fields: &[
            ("url", "metadata.url"),
            ("url", "metadata.WARC-Target-URI"),
            ("fetch_time", "metadata.date"),
            ("fetch_time", "metadata.WARC-Date"),
            ("title", "metadata.title"),
        ],
    },
    Dialect {
        name: "FineWeb",
        marks: &["text", "url", "dump", "date"],
        lacks: &["fetch_time"],
        fields: &[("fetch_time", "date")],
    },
    Dialect {
        name: "C4",
        marks: &["text", "url", "timestamp"],
        lacks: &["fetch_time"],
        fields: &[("fetch_time", "timestamp")],
    },
];

/// Its `date` is the day of publication, its `source` the URL.
const TRAFILATURA: &[(&str, &str)] = &[
    ("url", "source"),
    ("fetch_time", "filedate"),
    ("published", "date"),
    ("site_name", "source-hostname"),
    ("site_name", "sitename"),
];

/// Its `source` is the name of a collection.
const DOLMA: &[(&str, &str)] = &[
    ("url", "metadata.url"),
    ("url", "metadata.original_url"),
    ("url", "metadata.warc_url"),
    ("url", "metadata.WARC-Target-URI"),
    ("title", "metadata.title"),
    ("fetch_time", "added"),
];

/// Our name of a field, and its place in records.
pub type Naming = Vec<(String, String)>;

/// The names that the user gave, and how a program is told of the names that are recognised.
#[derive(Default)]
struct Given {
    fields: Option<Arc<Naming>>,
    tell: Option<fn(&str)>,
    announced: BTreeSet<&'static str>,
}

fn given() -> MutexGuard<'static, Given> {
    static GIVEN: OnceLock<Mutex<Given>> = OnceLock::new();
    GIVEN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets the names of fields in JSON lines and tables: our name, and the place in the record, with
/// dots between the names of nested objects. If there are any, no names are recognised. `tell` gets
/// a sentence for each program whose names are recognised, once.
pub fn name_fields(fields: Naming, tell: fn(&str)) {
    let fields = (!fields.is_empty()).then(|| Arc::new(fields));
    *given() = Given { fields, tell: Some(tell), announced: BTreeSet::new() };
}

/// Returns whether records with fields of these names have a text.
pub fn has_text(names: &[&str]) -> bool {
    match &given().fields {
        Some(naming) => {
            naming.iter().any(|(own, place)| own == "text" && names.contains(&&**place))
        }
        None => dialect_of(&|name| names.contains(&name))
            .is_some_and(|known| known.fields.iter().any(|(own, _)| *own == "text")),
    }
}

fn dialect_of(has: &dyn Fn(&str) -> bool) -> Option<&'static Dialect> {
    DIALECTS.iter().find(|known| {
        known.marks.iter().all(|name| has(name)) && !known.lacks.iter().any(|name| has(name))
    })
}

/// The names of fields in one input.
#[derive(Debug, Clone, Default)]
pub enum Names {
    /// No record decided yet.
    #[default]
    Unknown,
    /// They are ours.
    Own,
    /// Those of a program.
    Of(&'static [(&'static str, &'static str)]),
    /// The user gave them.
    Given(Arc<Naming>),
}

impl Names {
    /// Returns the names of an input that was not read yet.
    pub fn new() -> Self {
        given().fields.clone().map_or(Self::Unknown, Self::Given)
    }

    /// Returns a record with our names of fields and types of values. A line that is no object in
    /// JSON stays as it is, apart from what only Python writes. `input` is the name of the input,
    /// for the sentence.
    ///
    /// The record may be longer than the line, because a nested field is copied and a number loses
    /// its exponent, but with recognised names it is at most three times as long, and 200 bytes.
    pub fn own(&mut self, line: Vec<u8>, input: &str) -> Vec<u8> {
        let line = without_python(line);
        let is_sure = matches!(self, Self::Own) && !has_odd_types(&line);
        let text = if is_sure { None } else { std::str::from_utf8(&line).ok() };
        let Some(Ok(mut record)) = text.map(serde_json::from_str::<Object>) else { return line };
        if matches!(self, Self::Unknown) {
            *self = recognised(&record, input);
        }
        let is_changed = match self {
            Self::Unknown | Self::Own => false,
            Self::Of(fields) => {
                fields.iter().fold(false, |any, (own, place)| record.name(own, place, false) || any)
            }
            Self::Given(naming) => {
                naming.iter().fold(false, |any, (own, place)| record.name(own, place, true) || any)
            }
        };
        if !(record.set_types() || is_changed) {
            return line;
        }
        serde_json::to_vec(&record).map_or(line, |mut line| {
            line.push(b'\n');
            line
        })
    }
}

/// Recognises the names of a record, and tells of them if they are not ours.
fn recognised(record: &Object, input: &str) -> Names {
    let has = |name: &str| record.get(name).is_some_and(|value| value.get() != "null");
    let Some(known) = dialect_of(&has) else {
        return if OWN.iter().any(|name| has(name)) { Names::Own } else { Names::Unknown };
    };
    let mut given = given();
    if given.announced.insert(known.name) {
        if let Some(tell) = given.tell {
            let renamed: Vec<String> =
                known.fields.iter().map(|(own, place)| format!("{own}={place}")).collect();
            let fields = match renamed.is_empty() {
                true => String::new(),
                false => format!(": {}", renamed.join(",")),
            };
            tell(&format!(
                "{input}: has the fields of {}{fields} (--fields names others)",
                known.name
            ));
        }
    }
    Names::Of(known.fields)
}

/// Returns whether a record with our names may have a number for its id, or a fraction for a whole
/// number.
fn has_odd_types(line: &[u8]) -> bool {
    let is_number = |behind: &[u8]| {
        let value = behind.trim_ascii_start().strip_prefix(b":").map(<[u8]>::trim_ascii_start);
        value.and_then(<[u8]>::first).is_some_and(|byte| byte.is_ascii_digit() || *byte == b'-')
    };
    let is_whole = |behind: &[u8]| {
        let end = behind.iter().find(|&&byte| byte != b'0');
        end.is_some_and(|&byte| matches!(byte, b',' | b'}') || byte.is_ascii_whitespace())
    };
    memmem::find_iter(line, ID).any(|at| is_number(&line[at + ID.len()..]))
        || memmem::find_iter(line, b".0").any(|at| is_whole(&line[at + 1..]))
}

/// Most fields of a record with other names. Each takes memory beside the line.
const MAX_FIELDS: usize = 4096;

/// The fields of a record, in order.
struct Object<'a>(Vec<(Cow<'a, str>, Cow<'a, RawValue>)>);

impl<'a> Object<'a> {
    fn get(&self, name: &str) -> Option<&RawValue> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| &**value)
    }

    /// Gives the field at a place our name, and returns whether there is one. A field that has our
    /// name already stays, unless `replaces`. A field of a nested object is copied.
    fn name(&mut self, own: &str, place: &str, replaces: bool) -> bool {
        let has_own = self.get(own).is_some_and(|value| value.get() != "null");
        if own == place || has_own && !replaces {
            return false;
        }
        let at = self.0.iter().position(|(name, value)| name == place && is_value(value));
        let Some(value) = at.map(|at| self.0[at].1.clone()).or_else(|| self.nested(place)) else {
            return false;
        };
        if let Some(at) = at {
            self.0[at].0 = Cow::Owned(own.to_owned());
        } else {
            self.0.push((Cow::Owned(own.to_owned()), value));
        }
        let at = at.unwrap_or(self.0.len() - 1);
        let mut number = 0;
        self.0.retain(|(name, _)| {
            number += 1;
            name != own || number - 1 == at
        });
        true
    }

    /// Returns the value in nested objects at a place with dots.
    fn nested(&self, place: &str) -> Option<Cow<'a, RawValue>> {
        let (outer, inner) = place.split_once('.')?;
        let object: Object = serde_json::from_str(self.get(outer)?.get()).ok()?;
        let found = object.get(inner).filter(|value| is_value(value)).map(RawValue::to_owned);
        found
            .map(Cow::Owned)
            .or_else(|| object.nested(inner).map(|value| Cow::Owned(value.into_owned())))
    }

    /// Writes numbers as text where a page has text, and fractions without a fraction where it has
    /// whole numbers. Returns whether there were any.
    fn set_types(&mut self) -> bool {
        let mut is_changed = false;
        for (name, value) in &mut self.0 {
            let raw = value.get();
            let set = match &**name {
                name if NUMBERED.contains(&name) => is_number(raw).then(|| format!("\"{raw}\"")),
                name if INTEGERS.contains(&name) => whole(raw),
                name if COUNTS.contains(&name) => whole_counts(raw),
                _ => None,
            };
            if let Some(set) = set.and_then(|set| RawValue::from_string(set).ok()) {
                (*value, is_changed) = (Cow::Owned(set), true);
            }
        }
        is_changed
    }
}

/// Returns whether a value may be that of a renamed field.
fn is_value(value: &RawValue) -> bool {
    !matches!(value.get(), "null" | "\"\"")
}

fn is_number(raw: &str) -> bool {
    raw.starts_with(|c: char| c == '-' || c.is_ascii_digit())
}

/// Returns a whole number without its fraction and exponent; `None` if it has none, or is not
/// whole.
fn whole(raw: &str) -> Option<String> {
    /// Beyond it a fraction is not exact.
    const MAX_EXACT: f64 = (1_u64 << 53) as f64;
    let number: f64 = raw.parse().ok().filter(|_| raw.contains(['.', 'e', 'E']))?;
    let is_whole = (0.0..=MAX_EXACT).contains(&number) && number.fract() == 0.0;
    is_whole.then(|| format!("{number:.0}"))
}

/// Returns an object of numbers with the whole ones as whole numbers; `None` if nothing changes.
fn whole_counts(raw: &str) -> Option<String> {
    let mut counts: Object = serde_json::from_str(raw).ok()?;
    let mut is_changed = false;
    for (_, value) in &mut counts.0 {
        if let Some(set) = whole(value.get()).and_then(|set| RawValue::from_string(set).ok()) {
            (*value, is_changed) = (Cow::Owned(set), true);
        }
    }
    is_changed.then(|| serde_json::to_string(&counts).ok()).flatten()
}

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, &'de RawValue>()? {
                    if fields.len() == MAX_FIELDS {
                        return Err(A::Error::custom("more fields than a record has"));
                    }
                    fields.push((Cow::Owned(name), Cow::Borrowed(value)));
                }
                Ok(Object(fields))
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, &**value)?;
        }
        map.end()
    }
}

/// Returns a line of Python's `json` as JSON: `NaN` and `Infinity` become null, and a half of a
/// surrogate pair U+FFFD.
fn without_python(line: Vec<u8>) -> Vec<u8> {
    let is_odd = [&b"NaN"[..], b"Infinity", b"\\ud", b"\\uD"]
        .iter()
        .any(|part| memmem::find(&line, part).is_some())
        || memchr::memchr_iter(0xed, &line).any(|at| is_surrogate(&line[at..]));
    if !is_odd {
        return line;
    }
    let (mut out, mut rest, mut in_string) = (Vec::with_capacity(line.len()), &*line, false);
    while let Some((&first, behind)) = rest.split_first() {
        let (written, length): (&[u8], usize) = match first {
            b'"' => {
                in_string = !in_string;
                (&rest[..1], 1)
            }
            b'\\' if in_string => escape(rest),
            0xed if is_surrogate(rest) => ("\u{fffd}".as_bytes(), 3),
            b'N' | b'I' | b'-' if !in_string => {
                let word = [&b"NaN"[..], b"Infinity", b"-Infinity"]
                    .into_iter()
                    .find(|word| rest.starts_with(word));
                word.map_or((&rest[..1], 1), |word| (b"null", word.len()))
            }
            _ => (&rest[..1], 1),
        };
        out.extend(written);
        rest = behind.get(length - 1..).unwrap_or_default();
    }
    out
}

/// Returns whether bytes begin with half of a surrogate pair, as `surrogatepass` writes it.
fn is_surrogate(bytes: &[u8]) -> bool {
    matches!(bytes, [0xed, 0xa0..=0xbf, 0x80..=0xbf, ..])
}

/// Returns the escape that bytes begin with, as it is written, and its length.
fn escape(bytes: &[u8]) -> (&[u8], usize) {
    let (length, replaced) = match unit(bytes) {
        Some(0xd800..=0xdbff) => match bytes.get(6..).and_then(unit) {
            Some(0xdc00..=0xdfff) => (12, false),
            _ => (6, true),
        },
        Some(0xdc00..=0xdfff) => (6, true),
        _ => (bytes.len().min(2), false),
    };
    (if replaced { br"\ufffd" } else { &bytes[..length] }, length)
}

/// Returns the unit of UTF-16 that an escape writes.
fn unit(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.strip_prefix(br"\u")?.get(..4)?;
    let digits =
        std::str::from_utf8(digits).ok().filter(|_| digits.iter().all(u8::is_ascii_hexdigit))?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(line: &str) -> String {
        let line = Names::default().own(line.as_bytes().to_vec(), "x");
        String::from_utf8(line).expect("UTF-8").trim_end().to_owned()
    }

    #[test]
    fn the_names_of_each_program_are_recognised() {
        for (line, expected) in [
            (
                r#"{"content":"a","warc_headers":{"warc-target-uri":"http://a/","warc-date":"2020"},"metadata":{}}"#,
                r#"{"text":"a","warc_headers":{"warc-target-uri":"http://a/","warc-date":"2020"},"metadata":{},"url":"http://a/","fetch_time":"2020"}"#,
            ),
            (
                r#"{"content":"a","warc-target-uri":"http://a/","warc-date":"2020","tlsh":null}"#,
                r#"{"text":"a","url":"http://a/","fetch_time":"2020","tlsh":null}"#,
            ),
            (
                r#"{"url":"http://a/","date_download":"2020","raw_content":"a"}"#,
                r#"{"url":"http://a/","fetch_time":"2020","text":"a"}"#,
            ),
            (
                r#"{"u":"http://a/","ts":"2020","id":7,"lang":["urd_Arab"],"text":"a"}"#,
                r#"{"url":"http://a/","fetch_time":"2020","id":"7","lang":["urd_Arab"],"text":"a"}"#,
            ),
            (
                r#"{"id":3,"document_lang":"ur","langs":["ur"],"text":"a","url":"http://a/"}"#,
                r#"{"id":"3","document_lang":"ur","langs":["ur"],"text":"a","url":"http://a/"}"#,
            ),
            (
                r#"{"title":"t","date":"2020-01-01","raw_text":"a","text":"a","source":"http://a/","source-hostname":"A"}"#,
                r#"{"title":"t","published":"2020-01-01","raw_text":"a","text":"a","url":"http://a/","site_name":"A"}"#,
            ),
            (
                r#"{"id":"x","text":"a","source":"cc","added":"2020","metadata":{"url":"http://a/"},"attributes":{}}"#,
                r#"{"id":"x","text":"a","source":"cc","fetch_time":"2020","metadata":{"url":"http://a/"},"attributes":{},"url":"http://a/"}"#,
            ),
            (
                r#"{"text":"a","id":"x","metadata":{"url":"http://a/","date":"2020"}}"#,
                r#"{"text":"a","id":"x","metadata":{"url":"http://a/","date":"2020"},"url":"http://a/","fetch_time":"2020"}"#,
            ),
            (
                r#"{"text":"a","id":"x","source":"dclm","metadata":{"WARC-Target-URI":"http://a/","WARC-Date":"2020"}}"#,
                r#"{"text":"a","id":"x","source":"dclm","metadata":{"WARC-Target-URI":"http://a/","WARC-Date":"2020"},"url":"http://a/","fetch_time":"2020"}"#,
            ),
            (
                r#"{"text":"a","id":"x","dump":"D","url":"http://a/","date":"2020"}"#,
                r#"{"text":"a","id":"x","dump":"D","url":"http://a/","fetch_time":"2020"}"#,
            ),
            (
                r#"{"text":"a","timestamp":"2020","url":"http://a/"}"#,
                r#"{"text":"a","fetch_time":"2020","url":"http://a/"}"#,
            ),
        ] {
            assert_eq!(own(line), expected);
        }
    }

    #[test]
    fn records_of_our_own_stay_and_the_first_record_decides() {
        let mut names = Names::default();
        for line in [r#"{}"#, r#"{"text":"a","u":null}"#, r#"{ "text":"a", "u":"http://a/"}"#, "{"]
        {
            assert_eq!(names.own(line.as_bytes().to_vec(), "x"), line.as_bytes(), "{line}");
        }
        assert!(matches!(names, Names::Own));
        let mut names = Names::default();
        names.own(br#"{"text":"a","u":"http://a/"}"#.to_vec(), "x");
        let line = names.own(br#"{"u":"http://b/","title":null}"#.to_vec(), "x");
        assert_eq!(line, b"{\"url\":\"http://b/\",\"title\":null}\n");
    }

    #[test]
    fn names_that_are_given_replace_those_of_the_record() {
        let naming = [("text", "body.plain"), ("url", "a.b"), ("id", "none")];
        let naming: Naming =
            naming.iter().map(|(own, place)| ((*own).to_owned(), (*place).to_owned())).collect();
        let mut names = Names::Given(Arc::new(naming));
        let line = br#"{"text":"head","id":"x","body":{"plain":"all"},"a.b":"http://a/"}"#;
        let expected = br#"{"id":"x","body":{"plain":"all"},"url":"http://a/","text":"all"}"#;
        assert_eq!(names.own(line.to_vec(), "x").trim_ascii_end(), expected);
    }

    #[test]
    fn whole_numbers_may_have_a_fraction() {
        for (given, expected) in [
            (r#""raw_bytes":1000.0"#, r#""raw_bytes":1000"#),
            (
                r#""raw_bytes":1.0e3,"languages":{"urd":5.00}"#,
                r#""raw_bytes":1000,"languages":{"urd":5}"#,
            ),
            (r#""raw_bytes":1000.5"#, r#""raw_bytes":1000.5"#),
            (r#""score":1.0"#, r#""score":1.0"#),
        ] {
            let line = |fields: &str| format!(r#"{{"text":"a",{fields}}}"#);
            assert_eq!(own(&line(given)), line(expected));
            let mut names = Names::Own;
            let again = names.own(line(given).replace("1.0e3", "1000.0").into_bytes(), "x");
            assert_eq!(String::from_utf8_lossy(&again).trim_end(), line(expected));
        }
    }

    #[test]
    fn what_python_writes_becomes_json() {
        for (given, expected) in [
            (r#"{"a":NaN,"b":[-Infinity,Infinity,-1]}"#, r#"{"a":null,"b":[null,null,-1]}"#),
            (r#"{"a":"NaN \" -Infinity"}"#, r#"{"a":"NaN \" -Infinity"}"#),
            (r#"{"a":"\ud83d\ude00 \\ud83d"}"#, r#"{"a":"\ud83d\ude00 \\ud83d"}"#),
            (r#"{"a":"\ud83d \uDE00\ud83d"}"#, r#"{"a":"\ufffd \ufffd\ufffd"}"#),
            (r#"{"a":"\ud83d\u0041\ud8"#, r#"{"a":"\ufffd\u0041\ud8"#),
        ] {
            let written = without_python(given.as_bytes().to_vec());
            assert_eq!(String::from_utf8_lossy(&written), expected);
        }
        let halves = b"\"\xed\xa0\xbd \xed\x95\x9c\"";
        assert_eq!(without_python(halves.to_vec()), "\"\u{fffd} 한\"".as_bytes());
    }
}
