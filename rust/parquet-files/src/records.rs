//! The rows of a table as records: JSON objects with the fields of a page.

use crate::table::{Bad, Rows, Table, Value};
use records::{has_text, About, Body, Fault, Names, Problem, Record, Source, TableRecords};
use serde::de::IgnoredAny;
use std::io;
use std::sync::atomic::AtomicU64;
use std::sync::Arc;

/// Key of a file's own metadata with the names of the columns that hold JSON, separated by commas.
pub const JSON_COLUMNS: &str = "corpulyzer.json";

/// Columns with a JSON object in every file.
const OBJECTS: [&str; 2] = ["languages", "bytes_per_language"];

/// Fields of a page that are text in every record, whatever the type of the column.
const TEXTS: [&str; 6] = ["id", "url", "host", "title", "text", "fetch_time"];

/// Names of columns with the name of the same field in a record.
const RENAMED: [(&str, &str); 1] = [("date", "fetch_time")];

/// Columns that make a table a corpus.
const NEEDED: [&str; 3] = ["text", "languages", "bytes_per_language"];

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// As its type is.
    Typed,
    /// As text, in quotes.
    Text,
    /// Its text is JSON.
    Json,
}

/// The records of a table.
struct Records {
    rows: Rows,
    fields: Vec<(String, Form)>,
    /// Names of columns in tables of other programs.
    renamed: Names,
    name: String,
    max_bytes: u64,
}

/// Opens the records of a Parquet file. `read` counts the bytes that are read.
///
/// # Errors
/// Fails if the file has no column of a corpus. A file that is damaged has a problem instead of
/// records, so that other inputs are still read.
pub fn open(source: &Source, max_bytes: u64, read: &Arc<AtomicU64>) -> io::Result<TableRecords> {
    let invalid = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
    let table = match Table::open(&source.path, max_bytes, read) {
        Ok(table) => table,
        Err(bad) => {
            let problem = fault(&bad).at(&source.name);
            return Ok(Box::new(std::iter::once(Err(problem))));
        }
    };
    let columns: Vec<String> = table.columns().map(str::to_owned).collect();
    let names: Vec<&str> = columns.iter().map(String::as_str).collect();
    if !names.iter().any(|column| NEEDED.contains(column)) && !has_text(&names) {
        let found =
            if columns.is_empty() { "none that is flat".to_owned() } else { columns.join(", ") };
        let what = format!(
            "has no column `text`; its columns are: {found}; --fields text=COLUMN names the one with the text"
        );
        return Err(invalid(what));
    }
    let json: Vec<String> =
        table.note(JSON_COLUMNS).unwrap_or_default().split(',').map(str::to_owned).collect();
    let form = |column: &str| match column {
        _ if OBJECTS.contains(&column) || json.iter().any(|name| name == column) => Form::Json,
        _ if TEXTS.contains(&column) || RENAMED.iter().any(|(from, _)| *from == column) => {
            Form::Text
        }
        _ => Form::Typed,
    };
    let field = |column: &String| {
        let renamed = RENAMED
            .iter()
            .find(|(from, to)| from == column && !columns.iter().any(|name| name == to));
        (renamed.map_or_else(|| column.clone(), |(_, to)| (*to).to_owned()), form(column))
    };
    let fields = columns.iter().map(field).collect();
    Ok(Box::new(Records {
        rows: table.rows(&names),
        fields,
        renamed: Names::new(),
        name: source.name.clone(),
        max_bytes,
    }))
}

fn fault(bad: &Bad) -> Fault {
    let message = bad.to_string();
    if bad.is_unreadable {
        Fault::Unreadable(message)
    } else {
        Fault::Table(message)
    }
}

impl Iterator for Records {
    type Item = Result<Record, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.rows.next()?;
        let number = self.rows.number();
        let problem = |fault: Fault| fault.at(format!("{}, row {number}", self.name));
        Some(match row {
            Err(bad) => Err(problem(fault(&bad))),
            Ok(row) => {
                let line = self.renamed.own(line(&self.fields, &row), &self.name);
                if line.len() as u64 > self.max_bytes {
                    Err(problem(Fault::TooLong(self.max_bytes)))
                } else {
                    Ok(Record {
                        number,
                        body: Body::Json(line),
                        decision: None,
                        about: About::default(),
                    })
                }
            }
        })
    }
}

/// A row as a JSON object on a line. Nulls are left out.
fn line(fields: &[(String, Form)], row: &[Value]) -> Vec<u8> {
    let mut line = Vec::new();
    let values = fields.iter().zip(row).map(|((name, form), value)| (name, (value, *form)));
    object(&mut line, values, |line, (value, form)| write(line, value, form));
    line.push(b'\n');
    line
}

/// Writes an object. `write` returns false if a value is none; its entry is left out.
fn object<'a, V>(
    line: &mut Vec<u8>,
    entries: impl IntoIterator<Item = (&'a String, V)>,
    write: impl Fn(&mut Vec<u8>, V) -> bool,
) {
    line.push(b'{');
    let mut is_first = true;
    for (name, value) in entries {
        let start = line.len();
        if !is_first {
            line.push(b',');
        }
        quote(line, name);
        line.push(b':');
        if write(line, value) {
            is_first = false;
        } else {
            line.truncate(start);
        }
    }
    line.push(b'}');
}

fn quote(line: &mut Vec<u8>, text: &str) {
    // Writing to memory cannot fail.
    let _ = serde_json::to_writer(line, text);
}

/// Writes a value. Returns false if it is none.
fn write(line: &mut Vec<u8>, value: &Value, form: Form) -> bool {
    match (value, form) {
        (Value::Null, _) => return false,
        (Value::Bytes(bytes), Form::Json) => {
            let json = bytes.data();
            let is_json = std::str::from_utf8(json)
                .is_ok_and(|json| serde_json::from_str::<IgnoredAny>(json).is_ok());
            // A line has no line end.
            if !is_json || json.contains(&b'\n') {
                return false;
            }
            line.extend(json);
        }
        (Value::Bytes(bytes), _) => quote(line, &String::from_utf8_lossy(bytes.data())),
        (Value::Time(time), _) => quote(line, time),
        (Value::Float(value), _) if !value.is_finite() => return false,
        (Value::Map(entries), _) => {
            let entries = entries.iter().map(|(key, value)| (key, value));
            object(line, entries, |line, value| write(line, value, Form::Typed));
        }
        (value, form) => {
            let text = value.text().unwrap_or_default();
            match form {
                Form::Text => quote(line, &text),
                _ => line.extend(text.as_bytes()),
            }
        }
    }
    true
}
