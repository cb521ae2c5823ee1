//! Writing of a table, a row group at a time.

use crate::records::JSON_COLUMNS;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
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
    /// Text.
    Text,
    /// A whole number of 64 bits.
    Int,
    /// A number of 64 bits.
    Float,
    /// A truth value.
    Bool,
}

/// A value of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// None.
    Null,
    /// Text.
    Text(String),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// A truth value.
    Bool(bool),
}

impl Cell {
    fn size(&self) -> usize {
        std::mem::size_of::<Self>() + if let Self::Text(text) = self { text.len() } else { 0 }
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
    let field = |(name, kind): &(String, Kind)| {
        let (physical, logical) = match kind {
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Kind::Int => (Physical::INT64, None),
            Kind::Float => (Physical::DOUBLE, None),
            Kind::Bool => (Physical::BOOLEAN, None),
        };
        let builder = Type::primitive_type_builder(name, physical);
        builder
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical)
            .build()
            .map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<_>>()?;
    Type::group_type_builder("schema").with_fields(fields).build()
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
    }
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
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("has more columns than its schema".to_owned()));
    };
    column.typed::<T>().write_batch(&values, Some(&levels), None)?;
    column.close()
}
