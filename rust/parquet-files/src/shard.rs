//! Writing of a table, a row group at a time.

use crate::records::JSON_COLUMNS;
use parquet::basic::{Compression, LogicalType, Repetition, TimeUnit, Type as Physical, ZstdLevel};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type,
};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnPath, Type};
use std::io::{self, Write};
use std::sync::Arc;

/// Level of Zstandard, that of JSON lines.
const LEVEL: i32 = 3;

/// Values of a row group, in bytes before compression. They are in memory.
const GROUP_BYTES: usize = 32 << 20;

/// Rows of a row group.
const GROUP_ROWS: usize = 50_000;

/// Average length of a value from which a dictionary does not pay, in bytes. Such columns have
/// none.
const LONG: [&str; 4] = ["text", "id", "url", "signature"];

/// The type of a column. Every column may have nulls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// UTF-8 text.
    Text,
    /// A whole number of 64 bits.
    Int,
    /// A number of 64 bits.
    Float,
    /// A truth value.
    Bool,
    /// A time in UTC, to the millisecond.
    Time,
    /// A day, without a time zone.
    Day,
    /// A map from texts to whole numbers of 64 bits.
    Map,
}

/// A value of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// No value.
    Null,
    /// UTF-8 text.
    Text(String),
    /// A whole number.
    Int(i64),
    /// A number with a fraction.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// Milliseconds since 1970 in UTC.
    Time(i64),
    /// Days since 1970.
    Day(i32),
    /// Entries with their keys.
    Map(Vec<(String, i64)>),
}

impl Cell {
    fn size(&self) -> usize {
        let more = match self {
            Self::Text(text) => text.len(),
            Self::Map(entries) => {
                let keys: usize = entries.iter().map(|(key, _)| key.len()).sum();
                keys + std::mem::size_of_val(&entries[..])
            }
            _ => 0,
        };
        std::mem::size_of::<Self>() + more
    }
}

/// A table that is written. The same rows give the same bytes.
pub struct Shard<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<(String, Kind)>,
    /// The columns of the row group in memory.
    group: Vec<Vec<Cell>>,
    rows: usize,
    bytes: usize,
}

impl<W: Write + Send> Shard<W> {
    /// Begins a table with these columns. `json` are the names of those whose text is JSON.
    ///
    /// # Errors
    /// Fails if it cannot be written.
    pub fn new(out: W, columns: Vec<(String, Kind)>, json: &[String]) -> io::Result<Self> {
        let schema = schema(&columns).map_err(failed)?;
        let level = ZstdLevel::try_new(LEVEL).map_err(failed)?;
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(level))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_write_batch_size(64)
            .set_key_value_metadata(Some(vec![KeyValue::new(
                JSON_COLUMNS.to_owned(),
                json.join(","),
            )]));
        for name in LONG {
            properties = properties.set_column_dictionary_enabled(ColumnPath::from(name), false);
        }
        let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties.build()))
            .map_err(failed)?;
        let group = columns.iter().map(|_| Vec::new()).collect();
        Ok(Self { writer, columns, group, rows: 0, bytes: 0 })
    }

    /// Adds a row: a cell for each column. A cell of another type than its column's is null.
    ///
    /// # Errors
    /// Fails if a row group is full and cannot be written.
    pub fn add(&mut self, row: Vec<Cell>) -> io::Result<()> {
        let missing = std::iter::repeat(Cell::Null);
        for (column, cell) in self.group.iter_mut().zip(row.into_iter().chain(missing)) {
            self.bytes += cell.size();
            column.push(cell);
        }
        self.rows += 1;
        if self.bytes >= GROUP_BYTES || self.rows >= GROUP_ROWS {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group().map_err(failed)?;
        for ((_, kind), cells) in self.columns.iter().zip(&mut self.group) {
            column(&mut group, *kind, std::mem::take(cells)).map_err(failed)?;
        }
        group.close().map_err(failed)?;
        (self.rows, self.bytes) = (0, 0);
        Ok(())
    }

    /// Writes what is left and the end of the file. Returns what was written to.
    ///
    /// # Errors
    /// Fails if it cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.flush()?;
        self.writer.into_inner().map_err(failed)
    }
}

fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(cause) => match cause.downcast::<io::Error>() {
            Ok(cause) => *cause,
            Err(cause) => io::Error::other(cause.to_string()),
        },
        other => io::Error::other(other.to_string()),
    }
}

fn schema(columns: &[(String, Kind)]) -> Result<Type> {
    let fields = columns.iter().map(|(name, kind)| field(name, *kind).map(Arc::new));
    let fields = fields.collect::<Result<_>>()?;
    Type::group_type_builder("schema").with_fields(fields).build()
}

/// A column of the schema.
fn field(name: &str, kind: Kind) -> Result<Type> {
    let (physical, logical) = match kind {
        Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Kind::Int => (Physical::INT64, None),
        Kind::Float => (Physical::DOUBLE, None),
        Kind::Bool => (Physical::BOOLEAN, None),
        Kind::Time => (Physical::INT64, Some(LogicalType::timestamp(true, TimeUnit::MILLIS))),
        Kind::Day => (Physical::INT32, Some(LogicalType::Date)),
        Kind::Map => return map(name),
    };
    Type::primitive_type_builder(name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()
}

/// A column of maps, with the names and levels of the format's specification.
fn map(name: &str) -> Result<Type> {
    let key = Type::primitive_type_builder("key", Physical::BYTE_ARRAY)
        .with_repetition(Repetition::REQUIRED)
        .with_logical_type(Some(LogicalType::String))
        .build()?;
    // Never null, and not required all the same: such are the maps that Arrow writes.
    let value = Type::primitive_type_builder("value", Physical::INT64)
        .with_repetition(Repetition::OPTIONAL)
        .build()?;
    let pairs = Type::group_type_builder("key_value")
        .with_repetition(Repetition::REPEATED)
        .with_fields(vec![Arc::new(key), Arc::new(value)])
        .build()?;
    Type::group_type_builder(name)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(Some(LogicalType::Map))
        .with_fields(vec![Arc::new(pairs)])
        .build()
}

/// Writes a column of a row group.
fn column<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<W>,
    kind: Kind,
    cells: Vec<Cell>,
) -> Result<()> {
    match kind {
        Kind::Text => typed::<W, ByteArrayType>(group, cells, |cell| match cell {
            Cell::Text(text) => Some(ByteArray::from(text.into_bytes())),
            _ => None,
        }),
        Kind::Int => typed::<W, Int64Type>(group, cells, |cell| match cell {
            Cell::Int(value) => Some(value),
            _ => None,
        }),
        Kind::Float => typed::<W, DoubleType>(group, cells, |cell| match cell {
            Cell::Float(value) => Some(value),
            Cell::Int(value) => Some(value as f64),
            _ => None,
        }),
        Kind::Bool => typed::<W, BoolType>(group, cells, |cell| match cell {
            Cell::Bool(value) => Some(value),
            _ => None,
        }),
        Kind::Time => typed::<W, Int64Type>(group, cells, |cell| match cell {
            Cell::Time(value) => Some(value),
            _ => None,
        }),
        Kind::Day => typed::<W, Int32Type>(group, cells, |cell| match cell {
            Cell::Day(value) => Some(value),
            _ => None,
        }),
        Kind::Map => maps(group, cells),
    }
}

/// Writes a column of maps: their keys, then their values.
fn maps<W: Write + Send>(group: &mut SerializedRowGroupWriter<W>, cells: Vec<Cell>) -> Result<()> {
    let (mut keys, mut values) = (Vec::new(), Vec::new());
    // Level 0 has no map, 1 an empty one, 2 a key, 3 a value. Entries after the first repeat their
    // row.
    let (mut levels, mut repeated) = (Vec::new(), Vec::new());
    for cell in cells {
        let entries = match cell {
            Cell::Map(entries) if !entries.is_empty() => entries,
            other => {
                levels.push(i16::from(matches!(other, Cell::Map(_))));
                repeated.push(0);
                continue;
            }
        };
        for (number, (key, value)) in entries.into_iter().enumerate() {
            levels.push(2);
            repeated.push(i16::from(number > 0));
            keys.push(ByteArray::from(key.into_bytes()));
            values.push(value);
        }
    }
    write_next::<W, ByteArrayType>(group, &keys, &levels, Some(&repeated))?;
    levels.iter_mut().filter(|level| **level == 2).for_each(|level| *level = 3);
    write_next::<W, Int64Type>(group, &values, &levels, Some(&repeated))
}

fn typed<W: Write + Send, T: DataType>(
    group: &mut SerializedRowGroupWriter<W>,
    cells: Vec<Cell>,
    value: impl Fn(Cell) -> Option<T::T>,
) -> Result<()> {
    let (mut values, mut levels) =
        (Vec::with_capacity(cells.len()), Vec::with_capacity(cells.len()));
    for cell in cells {
        let value = value(cell);
        levels.push(i16::from(value.is_some()));
        values.extend(value);
    }
    write_next::<W, T>(group, &values, &levels, None)
}

/// Writes the next column of the schema.
fn write_next<W: Write + Send, T: DataType>(
    group: &mut SerializedRowGroupWriter<W>,
    values: &[T::T],
    levels: &[i16],
    repeated: Option<&[i16]>,
) -> Result<()> {
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("has more columns than its schema".to_owned()));
    };
    column.typed::<T>().write_batch(values, Some(levels), repeated)?;
    column.close()
}
