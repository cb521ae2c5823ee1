//! The records of a corpus as they are written, so that they can be copied, some with other fields.

pub use figures::failure::{Failure, Unwritable};
use figures::parse::{is_rejected, json};
use figures::removals::{are_any, clear_alternates, is_left_out};
use rayon::prelude::*;
use records::{Body, Problem, ProblemKind, Record, Source};
use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{to_raw_value, RawValue};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;

/// Bytes of records in a batch.
const BATCH_BYTES: usize = 8 << 20;

/// Records in a batch. Lines that are not records count too, because they have no bytes.
const BATCH_RECORDS: usize = 4096;

/// Name of the field with a page's versions in other languages.
const ALTERNATES: &str = "alternates";

/// Names of the field with bytes per language.
pub const LANGUAGES: [&str; 2] = ["languages", "bytes_per_language"];

/// Fields with places in a text or figures of it. They are wrong as soon as the text changes. The
/// bytes per language are not here: they are counted again, or documented as those of the old text.
const OF_TEXT: [&str; 8] = [
    "spans",
    "language_set",
    "quality",
    "script_percentage",
    "identification_consistency",
    "wordlist_ratio",
    "decision",
    "pii",
];

/// A record: all its fields, in order.
#[derive(Debug)]
pub struct Fields(Vec<(String, Box<RawValue>)>);

impl Fields {
    /// Returns the fields of a line.
    ///
    /// # Errors
    /// Fails if the line is not a JSON object.
    pub fn of(line: &[u8]) -> Result<Self, Unwritable> {
        Ok(serde_json::from_slice(line)?)
    }

    /// The names of the fields and their values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.get()))
    }

    /// A field's value, if the record has it.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.get())
    }

    /// Replaces the value of a field. Returns false if the record lacks the field.
    ///
    /// # Errors
    /// Fails if JSON cannot hold the value.
    pub fn set(
        &mut self,
        name: &str,
        value: &(impl Serialize + ?Sized),
    ) -> Result<bool, Unwritable> {
        let Some((_, place)) = self.0.iter_mut().find(|(known, _)| known == name) else {
            return Ok(false);
        };
        *place = to_raw_value(value)?;
        Ok(true)
    }

    /// Passes the name and the value of every field to `change`, also of those whose names are there
    /// twice, and replaces the value by the one that it returns.
    ///
    /// # Errors
    /// Fails if `change` fails, or as [`Fields::set`].
    pub fn change<V: Serialize, E: From<Unwritable>>(
        &mut self,
        mut change: impl FnMut(&str, &str) -> Result<Option<V>, E>,
    ) -> Result<(), E> {
        for (name, value) in &mut self.0 {
            if let Some(new) = change(name, value.get())? {
                *value = to_raw_value(&new).map_err(Unwritable::from)?;
            }
        }
        Ok(())
    }

    /// Adds a field at the end.
    ///
    /// # Errors
    /// As [`Fields::set`].
    pub fn add(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> Result<(), Unwritable> {
        self.0.push((name.to_owned(), to_raw_value(value)?));
        Ok(())
    }

    /// Replaces the text, and removes the fields with places in the old text or figures of it. The
    /// size of the main text is set if the record has it. A record that was rejected stays so.
    ///
    /// # Errors
    /// As [`Fields::set`].
    pub fn set_text(&mut self, text: &str) -> Result<(), Unwritable> {
        let rejects = |value: &RawValue| {
            serde_json::from_str(value.get())
                .is_ok_and(|decision: String| is_rejected(Some(&decision)))
        };
        self.0.retain(|(name, value)| {
            !OF_TEXT.contains(&name.as_str()) || name == "decision" && rejects(value)
        });
        self.set("text", text)?;
        self.set("main_bytes", &text.len())?;
        Ok(())
    }

    /// Returns the record as a line, without the line end.
    ///
    /// # Errors
    /// Does not fail for fields that were read.
    pub fn line(&self) -> Result<Vec<u8>, Unwritable> {
        Ok(serde_json::to_vec(self)?)
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// The fields that are read from every record.
#[derive(Debug, Deserialize)]
pub struct PageFields {
    /// The main text, clean.
    #[serde(default, deserialize_with = "clean_text")]
    pub text: Option<String>,
    /// URL of the page.
    pub url: Option<String>,
    /// The decision of the crawl.
    pub decision: Option<String>,
    /// True if the server no longer has the page.
    #[serde(default)]
    pub gone: bool,
}

impl PageFields {
    /// The text, if the page belongs to the corpus.
    pub fn text(&self) -> &str {
        if self.gone || is_rejected(self.decision.as_deref()) {
            ""
        } else {
            self.text.as_deref().unwrap_or_default()
        }
    }
}

fn clean_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(Option::deserialize(deserializer)?.map(langid::cleaned))
}

/// A record as written in its file, and its fields.
pub type Line = (Vec<u8>, PageFields);

/// News of a reading of records, for the one who watches it.
#[derive(Debug)]
pub enum News<'a> {
    /// Bytes that were read, before decompression.
    Bytes(u64),
    /// A record that cannot be read.
    Problem(&'a Problem),
}

/// The records of a corpus, batch by batch.
#[derive(Debug)]
pub struct Records {
    /// The inputs, in order.
    pub inputs: Vec<Source>,
    /// Longest record, in bytes.
    pub max_bytes: u64,
    /// Set this flag to stop early.
    pub stop: Arc<AtomicBool>,
}

/// The end of reading.
#[derive(Debug)]
pub struct Read {
    /// Records that could not be read, by kind.
    pub problems: BTreeMap<ProblemKind, u64>,
    /// True if all inputs were read to the end.
    pub to_the_end: bool,
}

impl Read {
    /// Returns true if the inputs are complete. Bad records are allowed; a loss of unknown size is
    /// not.
    pub fn is_whole(&self) -> bool {
        is_whole(&self.problems)
    }
}

/// Returns true if no problem is a loss of unknown size.
pub fn is_whole(problems: &BTreeMap<ProblemKind, u64>) -> bool {
    !problems.keys().any(|kind| kind.is_loss())
}

impl Records {
    /// Whether the stop flag is set.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The first input that cannot be read twice: standard input or another pipe.
    pub fn pipe(&self) -> Option<&Source> {
        self.inputs.iter().find(|input| input.bytes.is_none())
    }

    /// Passes the records to `take` in order, some at a time, until it returns false. Unreadable
    /// records are not an error; `tell` receives each of them, and the progress after each batch.
    ///
    /// # Errors
    /// Fails if an input cannot be read, none has a record, `take` fails, or the stop flag was set.
    pub fn read<E: From<Failure>>(
        &self,
        tell: &dyn Fn(News),
        take: &mut dyn FnMut(Vec<Line>) -> Result<bool, E>,
    ) -> Result<Read, E> {
        let read = Arc::new(AtomicU64::new(0));
        let (mut problems, mut any) = (BTreeMap::new(), false);
        for input in &self.inputs {
            let failed = |error| Failure::Input { name: input.name.clone(), error };
            let mut records = input.open(self.max_bytes, &read).map_err(failed)?.peekable();
            while records.peek().is_some() {
                self.go_on()?;
                let (lines, bad) = batch(&mut records, input)?;
                // The batch may end where a pipe was left.
                self.go_on()?;
                for problem in bad {
                    *problems.entry(problem.kind()).or_default() += 1;
                    tell(News::Problem(&problem));
                }
                any |= !lines.is_empty();
                if !take(lines)? {
                    return Ok(Read { problems, to_the_end: false });
                }
                tell(News::Bytes(read.load(Ordering::Relaxed)));
            }
        }
        self.go_on()?;
        if !any {
            return Err(Failure::Empty.into());
        }
        Ok(Read { problems, to_the_end: true })
    }

    fn go_on(&self) -> Result<(), Failure> {
        match self.is_stopped() {
            true => Err(Failure::Stopped),
            false => Ok(()),
        }
    }
}

/// Returns a record without the alternates that must be left out.
fn without_removed(line: Vec<u8>) -> Result<Vec<u8>, Unwritable> {
    if !are_any() {
        return Ok(line);
    }
    let mut fields = Fields::of(&line)?;
    let list = fields.get(ALTERNATES).and_then(|list| serde_json::from_str(list).ok());
    let Some(mut list) = list else { return Ok(line) };
    if !clear_alternates(&mut list) {
        return Ok(line);
    }
    fields.set(ALTERNATES, &list)?;
    let mut line = fields.line()?;
    line.push(b'\n');
    Ok(line)
}

/// The next records with their fields, and the lines that are not records.
fn batch(
    records: &mut impl Iterator<Item = Result<Record, Problem>>,
    input: &Source,
) -> Result<(Vec<Line>, Vec<Problem>), Failure> {
    let (mut lines, mut bytes, mut problems) = (Vec::new(), 0, Vec::new());
    for record in records {
        match record {
            Err(problem) => problems.push(problem),
            Ok(Record { number, body: Body::Json(line), .. }) => {
                bytes += line.len();
                lines.push((number, line));
            }
            Ok(_) => return Err(Failure::NotLines(input.name.clone())),
        }
        if bytes >= BATCH_BYTES || lines.len() + problems.len() >= BATCH_RECORDS {
            break;
        }
    }
    let parse = |(number, line): (u64, Vec<u8>)| match json::<PageFields>(&line) {
        Ok(page) => Ok((line, page)),
        Err(fault) => Err(fault.at(format!("{}, line {number}", input.name))),
    };
    let mut pages = Vec::with_capacity(lines.len());
    for parsed in lines.into_par_iter().map(parse).collect::<Vec<_>>() {
        match parsed {
            Ok((line, page)) => {
                let url = page.url.as_deref().unwrap_or_default();
                if !is_left_out(url, page.text.as_deref().unwrap_or_default()) {
                    pages.push((without_removed(line)?, page));
                }
            }
            Err(problem) => problems.push(problem),
        }
    }
    Ok((pages, problems))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn fields_keep_their_order_and_the_way_they_are_written() {
        let mut fields = Fields::of(br#"{"b":1.50,"a":{"x": [1,2]},"c":"\u0627"}"#).unwrap();
        assert!(fields.set("a", "new").unwrap() && !fields.set("z", "new").unwrap());
        fields.add("z", &[1]).unwrap();
        let line = String::from_utf8(fields.line().unwrap()).unwrap();
        assert_eq!(line, r#"{"b":1.50,"a":"new","c":"\u0627","z":[1]}"#);
        assert_eq!(fields.get("c"), Some(r#""\u0627""#));
        let refused = Fields::of(b"[1]").unwrap_err().to_string();
        assert!(refused.starts_with("a record cannot be written: "), "{refused}");
    }
}
