//! A Parquet file and its rows.

use crate::cells::{is_read, Cells};
use crate::entries::{is_map, Entries, Part, Pending};
use crate::file::Shared;
use crate::pages::{Budget, Checked};
use crate::thrift::check_footer;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};
use parquet::file::reader::Length;
use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read};
use std::panic::{catch_unwind, set_hook, take_hook, AssertUnwindSafe};
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Once};

/// First and last bytes of a file.
const MAGIC: &[u8; 4] = b"PAR1";

/// Largest size of a file's metadata, in bytes.
const MAX_METADATA: u64 = 16 << 20;

/// Rows that one byte of a row group may hold. Long runs of one value take next to nothing, so a
/// small file could claim any number of rows; rows with text do not come near this.
const ROWS_A_BYTE: u64 = 64;

/// Memory for pages beside twice the longest value, in bytes.
const PAGES: u64 = 128 << 20;

/// Why a file cannot be read. A sentence without the file's name.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{what}")]
pub struct Bad {
    what: String,
    /// Whether the file system failed. If not, the file is damaged.
    pub is_unreadable: bool,
}

impl Bad {
    fn new(error: impl std::fmt::Display) -> Self {
        // Messages of the crate may be long: they show parts of the file.
        let text = error.to_string();
        let mut text: String =
            text.strip_prefix("Parquet error: ").unwrap_or(&text).chars().take(300).collect();
        if let Some(end) = text.find('\n') {
            text.truncate(end);
        }
        Self::damaged(text)
    }

    fn damaged(what: String) -> Self {
        Self { what, is_unreadable: false }
    }

    fn unreadable(error: io::Error) -> Self {
        Self { is_unreadable: true, ..Self::new(error) }
    }

    /// Adds whether the file system failed.
    fn with_cause(self, file: &Shared) -> Self {
        Self { is_unreadable: file.has_failed(), ..self }
    }
}

/// The value of a column in a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// None.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number without sign.
    Unsigned(u64),
    /// A number.
    Float(f64),
    /// A date or a time, ISO 8601 in UTC.
    Time(String),
    /// Text, or bytes.
    Bytes(ByteArray),
    /// Entries with their keys, in the order of the file.
    Map(Vec<(String, Value)>),
}

impl Value {
    /// Returns the text of a value. Bytes that are not UTF-8 are replaced.
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Null => None,
            Self::Bool(value) => Some(value.to_string()),
            Self::Int(value) => Some(value.to_string()),
            Self::Unsigned(value) => Some(value.to_string()),
            Self::Float(value) => Some(value.to_string()),
            Self::Time(time) => Some(time.clone()),
            Self::Bytes(bytes) => Some(String::from_utf8_lossy(bytes.data()).into_owned()),
            Self::Map(entries) => {
                let entries = entries
                    .iter()
                    .map(|(key, value)| format!("{key}: {}", value.text().unwrap_or_default()));
                Some(entries.collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// Returns a whole number that is not negative.
    pub fn number(&self) -> Option<u64> {
        match self {
            Self::Int(value) => u64::try_from(*value).ok(),
            Self::Unsigned(value) => Some(*value),
            _ => None,
        }
    }
}

/// The numbers of a column among those of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Flat(usize),
    /// The keys of maps; their values are the next.
    Map(usize),
}

/// Open Parquet file, whose rows are read group by group.
#[derive(Debug)]
pub struct Table {
    file: Shared,
    metadata: ParquetMetaData,
    /// Names of the columns that can be read, and their places.
    columns: Vec<(String, Place)>,
    max_bytes: u64,
}

impl Table {
    /// Opens a file. Values may have `max_bytes`. `read` counts the bytes that are read.
    ///
    /// # Errors
    /// Fails if it is no Parquet file or cannot be read, or its metadata are damaged or larger than
    /// 16 MiB.
    pub fn open(path: &Path, max_bytes: u64, read: &Arc<AtomicU64>) -> Result<Self, Bad> {
        let file = File::open(path).and_then(|file| Shared::new(file, read));
        let file = file.map_err(Bad::unreadable)?;
        Self::of(file.clone(), max_bytes).map_err(|bad| bad.with_cause(&file))
    }

    fn of(file: Shared, max_bytes: u64) -> Result<Self, Bad> {
        check(&file).map_err(Bad::new)?;
        let parsed =
            guarded(|| ParquetMetaDataReader::new().parse_and_finish(&file).map_err(Bad::new))?;
        let schema = parsed.file_metadata().schema_descr();
        let mut columns: Vec<(String, Place)> = Vec::new();
        for (number, column) in schema.columns().iter().enumerate() {
            let root = schema.get_column_root(number);
            let place = if is_read(column) {
                Place::Flat(number)
            } else if is_map(root) {
                Place::Map(number)
            } else {
                continue;
            };
            if !columns.iter().any(|(known, _)| known == root.name()) {
                columns.push((root.name().to_owned(), place));
            }
        }
        Ok(Self { file, metadata: parsed, columns, max_bytes })
    }

    /// Names of the columns that can be read, in the order of the file.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// The name of a column.
    fn name(&self, place: Place) -> &str {
        let column = self.columns.iter().find(|(_, known)| *known == place);
        column.map_or("", |(name, _)| name)
    }

    /// Returns a value of the file's own metadata.
    pub fn note(&self, key: &str) -> Option<&str> {
        let notes = self.metadata.file_metadata().key_value_metadata()?;
        notes.iter().find(|note| note.key == key)?.value.as_deref()
    }

    /// Returns the rows of the columns with these names. A column that the file lacks is null.
    pub fn rows(self, names: &[&str]) -> Rows {
        let place = |name: &&str| {
            self.columns.iter().find(|(known, _)| known == name).map(|&(_, place)| place)
        };
        let columns = names.iter().map(place).collect();
        Rows { table: self, columns, group: 0, open: Vec::new(), left: 0, number: 0 }
    }
}

/// Checks the ends of a file, and its metadata.
fn check(file: &Shared) -> io::Result<()> {
    let bad = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
    let mut start = Vec::new();
    file.reader(0).take(MAGIC.len() as u64).read_to_end(&mut start)?;
    if start != MAGIC {
        return Err(bad("is no Parquet file".to_owned()));
    }
    let length = file.len();
    let Some(tail) = length.checked_sub(8).filter(|&tail| tail >= 4) else {
        return Err(bad("is cut short: it has no end of a Parquet file".to_owned()));
    };
    let end = file.bytes(tail, 8)?;
    if &end[4..] != MAGIC {
        return Err(bad("is cut short, or encrypted: it has no end of a Parquet file".to_owned()));
    }
    let size = u64::from(u32::from_le_bytes([end[0], end[1], end[2], end[3]]));
    if size > MAX_METADATA {
        return Err(bad(format!(
            "has {size} bytes of metadata; allowed are at most {MAX_METADATA}"
        )));
    }
    let Some(at) = tail.checked_sub(size).filter(|&at| at >= 4) else {
        return Err(bad("has metadata that are longer than the file".to_owned()));
    };
    let metadata = file.bytes(at, usize::try_from(size).unwrap_or(usize::MAX))?;
    check_footer(&metadata).map_err(|error| bad(format!("has damaged metadata: {error}")))
}

thread_local! {
    /// Whether this thread is in a step whose panic is expected.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs a step of the `parquet` crate, which panics on some damaged files. A panic is an error of
/// the file, and no message.
fn guarded<T>(step: impl FnOnce() -> Result<T, Bad>) -> Result<T, Bad> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_GUARDED.get() {
                usual(panic);
            }
        }));
    });
    IS_GUARDED.set(true);
    let outcome = catch_unwind(AssertUnwindSafe(step));
    IS_GUARDED.set(false);
    outcome.unwrap_or_else(|_| Err(Bad::damaged("is damaged: its data do not decode".to_owned())))
}

/// A column that is read, and its name; none if the file lacks it.
type Column = Option<(String, Values)>;

/// The values of a column that is open.
enum Values {
    Flat(Box<Cells>),
    Maps(Entries),
}

impl Values {
    fn next(&mut self) -> parquet::errors::Result<Value> {
        match self {
            Self::Flat(cells) => cells.next(),
            Self::Maps(entries) => entries.next(),
        }
    }
}

/// The rows of a table. After an error the rest of the row group is passed over.
pub struct Rows {
    table: Table,
    /// Places of the columns.
    columns: Vec<Option<Place>>,
    /// Number of the next row group.
    group: usize,
    open: Vec<Column>,
    /// Rows of the open row group that are left.
    left: u64,
    number: u64,
}

impl Rows {
    /// The number of the last row, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Opens the next row group. Returns false if there is none.
    fn open_group(&mut self) -> Result<bool, Bad> {
        let Some(group) = self.table.metadata.row_groups().get(self.group) else {
            return Ok(false);
        };
        self.group += 1;
        let rows = u64::try_from(group.num_rows())
            .map_err(|_| Bad::damaged("has a negative number of rows".to_owned()))?;
        self.open.clear();
        self.open = open(&self.table, group, rows, &self.columns)?;
        self.left = rows;
        Ok(true)
    }

    /// Adds the cause of an error, and ends the reading if the file system failed.
    fn failed(&mut self, bad: Bad) -> Bad {
        let bad = bad.with_cause(&self.table.file);
        if bad.is_unreadable {
            self.group = self.table.metadata.num_row_groups();
        }
        bad
    }

    fn row(&mut self) -> Result<Vec<Value>, Bad> {
        let open = &mut self.open;
        guarded(|| {
            let cell = |column: &mut Column| match column {
                Some((name, cells)) => cells
                    .next()
                    .map_err(|error| Bad::damaged(format!("column {name} {}", Bad::new(error)))),
                None => Ok(Value::Null),
            };
            open.iter_mut().map(cell).collect()
        })
    }
}

fn open(
    table: &Table,
    group: &RowGroupMetaData,
    rows: u64,
    columns: &[Option<Place>],
) -> Result<Vec<Column>, Bad> {
    let bytes =
        group.columns().iter().map(|chunk| u64::try_from(chunk.compressed_size()).unwrap_or(0));
    let bytes = bytes.fold(0, u64::saturating_add).min(table.file.len());
    if rows > bytes.saturating_mul(ROWS_A_BYTE) {
        return Err(Bad::damaged(format!(
            "has {rows} rows in {bytes} bytes; allowed are {ROWS_A_BYTE} rows a byte"
        )));
    }
    let budget = Budget::new(table.max_bytes.saturating_mul(2).saturating_add(PAGES));
    let part = |number: usize| -> parquet::errors::Result<Part> {
        let lacking = || ParquetError::General("lacks its data".to_owned());
        let chunk = group.columns().get(number).ok_or_else(lacking)?;
        let pending = Pending::default();
        let pages = Checked::new(&table.file, chunk, rows, &budget, &pending)?;
        Ok((chunk.column_descr_ptr(), Box::new(pages), pending))
    };
    let values = |place| match place {
        Place::Flat(number) => {
            let (column, pages, _) = part(number)?;
            Cells::new(&column, pages).map(Box::new).map(Values::Flat)
        }
        Place::Map(keys) => Entries::new(part(keys)?, part(keys + 1)?).map(Values::Maps),
    };
    let column = |&place: &Option<Place>| {
        let Some(place) = place else { return Ok(None) };
        let name = table.name(place);
        let failed = |error| Bad::damaged(format!("column {name} {}", Bad::new(error)));
        guarded(|| values(place).map_err(failed)).map(|values| Some((name.to_owned(), values)))
    };
    columns.iter().map(column).collect()
}

impl Iterator for Rows {
    type Item = Result<Vec<Value>, Bad>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.left == 0 {
            match self.open_group() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(bad) => return Some(Err(self.failed(bad))),
            }
        }
        self.left -= 1;
        self.number += 1;
        let row = self.row();
        if row.is_err() {
            self.number += self.left;
            self.left = 0;
            self.open.clear();
        }
        Some(row.map_err(|bad| self.failed(bad)))
    }
}
