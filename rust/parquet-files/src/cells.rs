//! The values of one column, one after the other.

use crate::table::Value;
use crate::time::{day, time};
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::column::reader::{get_column_reader, ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType, Int96};
use parquet::errors::{ParquetError, Result};
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor};

/// Values of fixed size that are read at a time. Byte arrays are read one by one, because each may
/// keep a page in memory.
const BATCH: usize = 1024;

/// How the numbers of a column are to be understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// As they are.
    Plain,
    /// Without a sign.
    Unsigned,
    /// Days since 1970.
    Days,
    /// So many of the units are a millisecond.
    Time(i64),
}

/// The values of a column.
pub struct Cells {
    values: Typed,
    meaning: Meaning,
}

enum Typed {
    Bool(Batch<parquet::data_type::BoolType>),
    Int32(Batch<parquet::data_type::Int32Type>),
    Int64(Batch<parquet::data_type::Int64Type>),
    Int96(Batch<parquet::data_type::Int96Type>),
    Float(Batch<parquet::data_type::FloatType>),
    Double(Batch<parquet::data_type::DoubleType>),
    Bytes(Batch<parquet::data_type::ByteArrayType>),
}

struct Batch<T: DataType> {
    reader: ColumnReaderImpl<T>,
    /// Level of a value that is there; 0 if the column has no null.
    present: i16,
    size: usize,
    levels: Vec<i16>,
    values: Vec<T::T>,
    at_level: usize,
    at_value: usize,
    /// Rows of the batch.
    rows: usize,
}

impl<T: DataType> Batch<T> {
    fn new(reader: ColumnReaderImpl<T>, present: i16, size: usize) -> Self {
        let (levels, values) = (Vec::new(), Vec::new());
        Self { reader, present, size, levels, values, at_level: 0, at_value: 0, rows: 0 }
    }

    /// Passes over rows. Pages without any other row are not read.
    fn pass(&mut self, rows: usize) -> Result<()> {
        let here = rows.min(self.rows - self.at_level);
        let levels = self.levels.get(self.at_level..self.at_level + here).unwrap_or_default();
        self.at_value += match self.present {
            0 => here,
            present => levels.iter().filter(|&&level| level == present).count(),
        };
        self.at_level += here;
        let rest = rows - here;
        if rest > 0 && self.reader.skip_records(rest)? < rest {
            return Err(too_few());
        }
        Ok(())
    }

    fn next(&mut self) -> Result<Option<T::T>> {
        if self.at_level == self.rows {
            self.levels.clear();
            self.values.clear();
            (self.at_level, self.at_value) = (0, 0);
            let levels = (self.present > 0).then_some(&mut self.levels);
            (self.rows, _, _) =
                self.reader.read_records(self.size, levels, None, &mut self.values)?;
            if self.rows == 0 {
                return Err(too_few());
            }
        }
        let is_there = self.present == 0 || self.levels.get(self.at_level) == Some(&self.present);
        self.at_level += 1;
        if !is_there {
            return Ok(None);
        }
        let value = self.values.get_mut(self.at_value).map(std::mem::take);
        self.at_value += 1;
        value
            .map(Some)
            .ok_or_else(|| ParquetError::General("has fewer values than its levels say".to_owned()))
    }
}

fn too_few() -> ParquetError {
    ParquetError::General("has fewer values than rows".to_owned())
}

/// Returns whether the values of a column can be read: no nested column, no decimal, no fixed
/// length.
pub fn is_read(column: &ColumnDescriptor) -> bool {
    let is_decimal = column.converted_type() == ConvertedType::DECIMAL
        || matches!(column.logical_type_ref(), Some(LogicalType::Decimal { .. }));
    let is_fixed = column.physical_type() == Type::FIXED_LEN_BYTE_ARRAY;
    column.path().parts().len() == 1 && column.max_rep_level() == 0 && !is_decimal && !is_fixed
}

/// Returns how the numbers of a column are to be understood.
pub fn meaning(column: &ColumnDescriptor) -> Meaning {
    match (column.logical_type_ref(), column.converted_type()) {
        (Some(LogicalType::Timestamp(timestamp)), _) => match timestamp.unit {
            TimeUnit::MILLIS => Meaning::Time(1),
            TimeUnit::MICROS => Meaning::Time(1000),
            TimeUnit::NANOS => Meaning::Time(1_000_000),
        },
        (Some(LogicalType::Date), _) | (_, ConvertedType::DATE) => Meaning::Days,
        (_, ConvertedType::TIMESTAMP_MILLIS) => Meaning::Time(1),
        (_, ConvertedType::TIMESTAMP_MICROS) => Meaning::Time(1000),
        (
            _,
            ConvertedType::UINT_8
            | ConvertedType::UINT_16
            | ConvertedType::UINT_32
            | ConvertedType::UINT_64,
        ) => Meaning::Unsigned,
        _ => Meaning::Plain,
    }
}

impl Cells {
    /// Reads a column of a row group. If only some rows are read, values are decoded one by one,
    /// because the next ones may be in a page that nothing is read of.
    pub fn new(
        column: &ColumnDescPtr,
        pages: Box<dyn parquet::column::page::PageReader>,
        is_whole: bool,
    ) -> Result<Self> {
        let batch = if is_whole { BATCH } else { 1 };
        let present = column.max_def_level();
        let values = match get_column_reader(column.clone(), pages) {
            ColumnReader::BoolColumnReader(reader) => {
                Typed::Bool(Batch::new(reader, present, batch))
            }
            ColumnReader::Int32ColumnReader(reader) => {
                Typed::Int32(Batch::new(reader, present, batch))
            }
            ColumnReader::Int64ColumnReader(reader) => {
                Typed::Int64(Batch::new(reader, present, batch))
            }
            ColumnReader::Int96ColumnReader(reader) => {
                Typed::Int96(Batch::new(reader, present, batch))
            }
            ColumnReader::FloatColumnReader(reader) => {
                Typed::Float(Batch::new(reader, present, batch))
            }
            ColumnReader::DoubleColumnReader(reader) => {
                Typed::Double(Batch::new(reader, present, batch))
            }
            ColumnReader::ByteArrayColumnReader(reader) => {
                Typed::Bytes(Batch::new(reader, present, 1))
            }
            ColumnReader::FixedLenByteArrayColumnReader(_) => {
                return Err(ParquetError::General(
                    "has values of a fixed length, which are not read".to_owned(),
                ));
            }
        };
        Ok(Self { values, meaning: meaning(column) })
    }

    /// Passes over rows.
    ///
    /// # Errors
    /// Fails if the column is damaged.
    pub fn pass(&mut self, rows: usize) -> Result<()> {
        match &mut self.values {
            Typed::Bool(batch) => batch.pass(rows),
            Typed::Int32(batch) => batch.pass(rows),
            Typed::Int64(batch) => batch.pass(rows),
            Typed::Int96(batch) => batch.pass(rows),
            Typed::Float(batch) => batch.pass(rows),
            Typed::Double(batch) => batch.pass(rows),
            Typed::Bytes(batch) => batch.pass(rows),
        }
    }

    /// Returns the next value.
    ///
    /// # Errors
    /// Fails if the column is damaged.
    pub fn next(&mut self) -> Result<Value> {
        let meaning = self.meaning;
        let value = match &mut self.values {
            Typed::Bool(batch) => batch.next()?.map(Value::Bool),
            Typed::Int32(batch) => batch.next()?.map(|value| match meaning {
                Meaning::Unsigned => Value::Unsigned(u64::from(value as u32)),
                _ => number(i64::from(value), meaning),
            }),
            Typed::Int64(batch) => batch.next()?.map(|value| number(value, meaning)),
            Typed::Int96(batch) => {
                batch.next()?.map(|value: Int96| number(value.to_millis(), Meaning::Time(1)))
            }
            Typed::Float(batch) => batch.next()?.map(|value| Value::Float(f64::from(value))),
            Typed::Double(batch) => batch.next()?.map(Value::Float),
            Typed::Bytes(batch) => batch.next()?.map(|value: ByteArray| Value::Bytes(value)),
        };
        Ok(value.unwrap_or(Value::Null))
    }
}

/// A number by its meaning. A time that no calendar has stays a number.
pub fn number(value: i64, meaning: Meaning) -> Value {
    let time = match meaning {
        Meaning::Plain => None,
        Meaning::Unsigned => return Value::Unsigned(value as u64),
        Meaning::Days => day(value),
        Meaning::Time(units) => time(value.div_euclid(units)),
    };
    time.map_or(Value::Int(value), Value::Time)
}
