//! The values of a column that holds maps.

use crate::cells::{meaning, number, Meaning};
use crate::table::Value;
use parquet::basic::{ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::column::page::PageReader;
use parquet::column::reader::{get_column_reader, ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::{ParquetError, Result};
use parquet::schema::types::{ColumnDescPtr, Type};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

/// Returns whether a field of the schema is a map from texts to values that can be read: a group of
/// pairs with a key and a value.
pub fn is_map(field: &Type) -> bool {
    let info = field.get_basic_info();
    let is_marked = matches!(info.logical_type_ref(), Some(LogicalType::Map))
        || matches!(info.converted_type(), ConvertedType::MAP | ConvertedType::MAP_KEY_VALUE);
    if !is_marked || info.repetition() == Repetition::REPEATED || !field.is_group() {
        return false;
    }
    let [pairs] = field.get_fields() else { return false };
    if pairs.get_basic_info().repetition() != Repetition::REPEATED || !pairs.is_group() {
        return false;
    }
    let [key, value] = pairs.get_fields() else { return false };
    let is_key = key.is_primitive()
        && key.get_physical_type() == Physical::BYTE_ARRAY
        && key.get_basic_info().repetition() == Repetition::REQUIRED;
    is_key && value.get_basic_info().repetition() != Repetition::REPEATED && is_plain(value)
}

/// Returns whether a field has values that are read: no group, no decimal, no fixed length.
fn is_plain(field: &Type) -> bool {
    let info = field.get_basic_info();
    field.is_primitive()
        && !matches!(field.get_physical_type(), Physical::FIXED_LEN_BYTE_ARRAY | Physical::INT96)
        && info.converted_type() != ConvertedType::DECIMAL
        && !matches!(info.logical_type_ref(), Some(LogicalType::Decimal { .. }))
}

/// Number of levels of a column that are in memory: those of its pages, less those that were read.
pub type Pending = Arc<AtomicU64>;

/// The keys or the values of a column of maps, row by row.
trait Leaf: Send {
    /// Reads those of a row; `None` if the row has no map.
    fn next(&mut self) -> Result<Option<Vec<Value>>>;
}

struct Typed<T: DataType> {
    reader: ColumnReaderImpl<T>,
    /// Level of a value that is there, and of an entry, whose value may be missing.
    present: i16,
    entry: i16,
    value: Box<dyn Fn(T::T) -> Value + Send>,
    pending: Pending,
    levels: Vec<i16>,
    repeated: Vec<i16>,
    values: Vec<T::T>,
}

impl<T: DataType> Leaf for Typed<T> {
    fn next(&mut self) -> Result<Option<Vec<Value>>> {
        self.levels.clear();
        self.repeated.clear();
        self.values.clear();
        let (levels, repeated) = (Some(&mut self.levels), Some(&mut self.repeated));
        let (rows, _, read) = self.reader.read_records(1, levels, repeated, &mut self.values)?;
        if rows == 0 {
            return Err(ParquetError::General("has fewer values than rows".to_owned()));
        }
        self.pending.fetch_sub(read as u64, Ordering::Relaxed);
        if let [level] = self.levels[..] {
            if level < self.entry {
                let is_empty = level + 1 == self.entry;
                return Ok(is_empty.then(Vec::new));
            }
        }
        let mut values = self.values.drain(..);
        let entries = self.levels.iter().filter(|&&level| level >= self.entry);
        let values = entries.map(|&level| {
            if level < self.present {
                return Ok(Value::Null);
            }
            values.next().map(&self.value).ok_or_else(|| {
                ParquetError::General("has fewer values than its levels say".to_owned())
            })
        });
        values.collect::<Result<_>>().map(Some)
    }
}

/// The keys or the values of a column of maps. `entry` is the level of an entry.
fn leaf(
    column: &ColumnDescPtr,
    pages: Box<dyn PageReader>,
    pending: Pending,
    entry: i16,
) -> Result<Box<dyn Leaf>> {
    fn typed<T: DataType>(
        reader: ColumnReaderImpl<T>,
        (present, entry, pending): (i16, i16, Pending),
        value: impl Fn(T::T) -> Value + Send + 'static,
    ) -> Result<Box<dyn Leaf>> {
        let (levels, repeated, values) = (Vec::new(), Vec::new(), Vec::new());
        let value = Box::new(value);
        Ok(Box::new(Typed { reader, present, entry, value, pending, levels, repeated, values }))
    }
    let meaning = meaning(column);
    let place = (column.max_def_level(), entry, pending);
    match get_column_reader(column.clone(), pages) {
        ColumnReader::BoolColumnReader(reader) => typed(reader, place, Value::Bool),
        ColumnReader::Int32ColumnReader(reader) => typed(reader, place, move |value| {
            if meaning == Meaning::Unsigned {
                return Value::Unsigned(u64::from(value as u32));
            }
            number(i64::from(value), meaning)
        }),
        ColumnReader::Int64ColumnReader(reader) => {
            typed(reader, place, move |value| number(value, meaning))
        }
        ColumnReader::FloatColumnReader(reader) => {
            typed(reader, place, |value| Value::Float(f64::from(value)))
        }
        ColumnReader::DoubleColumnReader(reader) => typed(reader, place, Value::Float),
        ColumnReader::ByteArrayColumnReader(reader) => typed(reader, place, Value::Bytes),
        _ => Err(ParquetError::General("has values of a type that is not read".to_owned())),
    }
}

/// The maps of a column.
pub struct Entries {
    keys: Box<dyn Leaf>,
    values: Box<dyn Leaf>,
}

/// A column of a row group: its description, its pages, and the levels of them in memory.
pub type Part = (ColumnDescPtr, Box<dyn PageReader>, Pending);

impl Entries {
    /// Reads the keys and the values of a row group.
    pub fn new(keys: Part, values: Part) -> Result<Self> {
        let entry = keys.0.max_def_level();
        Ok(Self {
            keys: leaf(&keys.0, keys.1, keys.2, entry)?,
            values: leaf(&values.0, values.1, values.2, entry)?,
        })
    }

    /// Returns the next map.
    ///
    /// # Errors
    /// Fails if the column is damaged.
    pub fn next(&mut self) -> Result<Value> {
        let (Some(keys), Some(values)) = (self.keys.next()?, self.values.next()?) else {
            return Ok(Value::Null);
        };
        if keys.len() != values.len() {
            return Err(ParquetError::General("has keys without values".to_owned()));
        }
        let keys = keys.iter().map(|key| key.text().unwrap_or_default());
        let entries = keys.zip(values);
        Ok(Value::Map(entries.collect()))
    }
}
