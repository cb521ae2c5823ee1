//! A Parquet file and its rows.

use crate::cells::{is_read, Cells};
use crate::entries::{is_map, Entries, Part, Pending};
use crate::file::Shared;
use crate::pages::{expect, places, Budget, Checked, Located};
use crate::thrift::check_footer;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData,
};
use parquet::file::reader::Length;
use records::Random;
use std::cell::Cell;
use std::collections::VecDeque;
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

/// Most rows that are known to be wanted and are not read yet, and most bytes of their values.
const MAX_FOUND: usize = 1 << 16;
const MAX_HELD: usize = 16 << 20;

/// Most bytes between two pages that are fetched from a server in one request.
const MAX_GAP: u64 = 32 << 10;

/// Largest part of a file with the indexes of pages that is fetched in one request, in bytes.
const MAX_INDEXES: u64 = 1 << 20;

/// Why a file cannot be read. Its text has no name of the file.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{reason}")]
pub struct Bad {
    reason: Reason,
    /// Whether the file system failed. If not, the file is damaged.
    pub is_unreadable: bool,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
enum Reason {
    /// Message of the `parquet` crate or of the system, its first line.
    #[error("{0}")]
    Other(String),
    #[error("column {name} {message}")]
    Column { name: String, message: String },
    #[error("is damaged: its data do not decode")]
    Data,
    #[error("has a negative number of rows")]
    NegativeRows,
    #[error("has {rows} rows in {bytes} bytes; allowed are {ROWS_A_BYTE} rows a byte")]
    TooManyRows { rows: u64, bytes: u64 },
}

impl From<Reason> for Bad {
    fn from(reason: Reason) -> Self {
        Self { reason, is_unreadable: false }
    }
}

/// Returns the first line of an error's text, of at most 300 characters: messages of the `parquet`
/// crate may be long, because they show parts of the file.
fn brief(error: impl std::fmt::Display) -> String {
    let text = error.to_string();
    let message = text.strip_prefix("Parquet error: ").unwrap_or(&text);
    let message = message.strip_prefix("External: ").unwrap_or(message);
    let mut brief: String = message.chars().take(300).collect();
    if let Some(end) = brief.find('\n') {
        brief.truncate(end);
    }
    brief
}

impl Bad {
    fn new(error: impl std::fmt::Display) -> Self {
        Reason::Other(brief(error)).into()
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
    /// No value.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number without sign.
    Unsigned(u64),
    /// A number with a fraction.
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

    /// Returns the value with bytes of its own.
    fn copied(self) -> Self {
        match self {
            Self::Bytes(bytes) => Self::Bytes(bytes.data().to_vec().into()),
            other => other,
        }
    }

    /// Bytes of a text; a few for other values.
    fn size(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            _ => size_of::<Self>(),
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
        let file = File::open(path).map_err(Bad::unreadable)?;
        Self::of_random(Box::new(file), max_bytes, read)
    }

    /// Opens a file that is read at any place, as [`Table::open`].
    ///
    /// # Errors
    /// As [`Table::open`].
    pub fn of_random(
        file: Box<dyn Random>,
        max_bytes: u64,
        read: &Arc<AtomicU64>,
    ) -> Result<Self, Bad> {
        let file = Shared::new(file, read).map_err(Bad::unreadable)?;
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
        let budget = Budget::new(self.max_bytes.saturating_mul(2).saturating_add(PAGES));
        Rows {
            table: self,
            columns,
            group: 0,
            open: Vec::new(),
            budget,
            before: 0,
            rows: 0,
            left: 0,
            number: 0,
            choice: None,
        }
    }

    /// Returns the rows that are wanted, by the values of the first `first` columns. These are read
    /// first. Of the other columns, only the pages with a wanted row are read.
    pub fn rows_where(
        self,
        names: &[&str],
        first: usize,
        is_wanted: impl FnMut(&[Value]) -> bool + Send + 'static,
    ) -> Rows {
        let choice = Choice {
            first,
            is_wanted: Box::new(is_wanted),
            found: VecDeque::new(),
            others: None,
            read: 0,
            damage: None,
        };
        Rows { choice: Some(choice), ..self.rows(names) }
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
    outcome.unwrap_or_else(|_| Err(Reason::Data.into()))
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

    /// Passes over rows.
    fn pass(&mut self, rows: u64) -> parquet::errors::Result<()> {
        match self {
            // The rows of a row group, whose number is below.
            Self::Flat(cells) => cells.pass(usize::try_from(rows).unwrap_or(usize::MAX)),
            Self::Maps(entries) => (0..rows).try_for_each(|_| entries.next().map(drop)),
        }
    }
}

/// Returns whether a row is wanted, by the values of the columns that decide.
type Test = dyn FnMut(&[Value]) -> bool + Send;

/// Which rows are wanted. Rows are counted from the beginning of their row group.
struct Choice {
    /// Number of the columns that decide.
    first: usize,
    is_wanted: Box<Test>,
    /// Wanted rows, with the values of the columns that decide.
    found: VecDeque<(u64, Vec<Value>)>,
    /// The other columns, and the places of their pages, from the first wanted row on.
    others: Option<(Vec<Column>, Vec<Option<Located>>)>,
    /// Rows of the other columns that were read or passed over.
    read: u64,
    /// Why the rest of the row group cannot be decided.
    damage: Option<Bad>,
}

/// The rows of a table. After an error the rest of the row group is passed over.
pub struct Rows {
    table: Table,
    /// Places of the columns.
    columns: Vec<Option<Place>>,
    /// Number of the next row group.
    group: usize,
    /// The columns that are open; with a choice, those that decide.
    open: Vec<Column>,
    budget: Budget,
    /// Rows before the open row group, and in it.
    before: u64,
    rows: u64,
    /// Rows of the open row group that are left.
    left: u64,
    number: u64,
    choice: Option<Choice>,
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
        self.open.clear();
        (self.before, self.rows) = (self.before + self.rows, 0);
        self.rows = rows_of(&self.table, group)?;
        let mut columns = self.columns.as_slice();
        if let Some(choice) = &mut self.choice {
            columns = columns.get(..choice.first).unwrap_or_default();
            (choice.others, choice.read) = (None, 0);
        }
        for chunk in chunks(group, columns) {
            expect(&self.table.file, chunk);
        }
        self.open = open(&self.table, group, &self.budget, columns, &[])?;
        (self.left, self.number) = (self.rows, self.before);
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

    /// Passes over the rest of the row group.
    fn leave(&mut self) {
        (self.left, self.number) = (0, self.before + self.rows);
        self.open.clear();
        if let Some(choice) = &mut self.choice {
            choice.others = None;
            choice.found.clear();
        }
    }

    /// Finds the next rows that are wanted. If a column is damaged, the rows before it are found.
    fn decide(&mut self) {
        let Some(choice) = &mut self.choice else { return };
        let (open, rows, left) = (&mut self.open, self.rows, &mut self.left);
        let (mut held, found) = (0, &mut choice.found);
        let decided = guarded(|| {
            while *left > 0 && found.len() < MAX_FOUND && held < MAX_HELD {
                let values = row(open)?;
                if (choice.is_wanted)(&values) {
                    // A value of a page would keep the page in memory.
                    let values = values.into_iter().map(Value::copied);
                    let values: Vec<Value> = values.inspect(|value| held += value.size()).collect();
                    found.push_back((rows - *left, values));
                }
                *left -= 1;
            }
            Ok(())
        });
        if let Err(bad) = decided {
            self.left = 0;
            choice.damage = Some(bad);
        }
        if let Some((_, located)) = &choice.others {
            announce(&self.table.file, located, &choice.found);
        }
    }

    /// Returns the values of the next wanted row, `None` if none was found.
    fn found(&mut self) -> Option<Result<Vec<Value>, Bad>> {
        let choice = self.choice.as_mut()?;
        let &(number, _) = choice.found.front()?;
        if choice.others.is_none() {
            let group = self.table.metadata.row_groups().get(self.group.saturating_sub(1))?;
            let columns = self.columns.get(choice.first..).unwrap_or_default();
            let located = located(&self.table, group, columns, self.rows);
            announce(&self.table.file, &located, &choice.found);
            match open(&self.table, group, &self.budget, columns, &located) {
                Ok(columns) => choice.others = Some((columns, located)),
                Err(bad) => return Some(Err(bad)),
            }
        }
        let (columns, _) = choice.others.as_mut()?;
        let (_, mut values) = choice.found.pop_front()?;
        let passed = number - choice.read;
        choice.read = number + 1;
        self.number = self.before + number + 1;
        let others = guarded(|| {
            pass(columns, passed)?;
            row(columns)
        });
        Some(others.map(|others| {
            values.extend(others);
            values
        }))
    }

    /// Returns the next row that is wanted; `None` at the end.
    fn next_found(&mut self) -> Option<Result<Vec<Value>, Bad>> {
        loop {
            if let Some(found) = self.found() {
                return Some(found);
            }
            if let Some(damage) = self.choice.as_mut()?.damage.take() {
                return Some(Err(damage));
            }
            if self.left == 0 {
                match self.open_group() {
                    Ok(true) => {}
                    Ok(false) => return None,
                    Err(bad) => return Some(Err(bad)),
                }
            }
            self.decide();
        }
    }

    /// Returns the next row; `None` at the end.
    fn next_row(&mut self) -> Option<Result<Vec<Value>, Bad>> {
        while self.left == 0 {
            match self.open_group() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(bad) => return Some(Err(bad)),
            }
        }
        self.left -= 1;
        self.number += 1;
        Some(guarded(|| row(&mut self.open)))
    }
}

/// Adds the column to an error, unless the file could not be read.
fn of_column(name: &str, error: ParquetError) -> Bad {
    match error {
        ParquetError::External(_) => Bad::new(error),
        _ => Reason::Column { name: name.to_owned(), message: brief(error) }.into(),
    }
}

/// Returns the values of the next row.
fn row(columns: &mut [Column]) -> Result<Vec<Value>, Bad> {
    let cell = |column: &mut Column| match column {
        Some((name, values)) => values.next().map_err(|error| of_column(name, error)),
        None => Ok(Value::Null),
    };
    columns.iter_mut().map(cell).collect()
}

/// Passes over rows.
fn pass(columns: &mut [Column], rows: u64) -> Result<(), Bad> {
    columns
        .iter_mut()
        .flatten()
        .try_for_each(|(name, values)| values.pass(rows).map_err(|error| of_column(name, error)))
}

/// The chunks of columns in a row group.
fn chunks<'a>(
    group: &'a RowGroupMetaData,
    columns: &'a [Option<Place>],
) -> impl Iterator<Item = &'a ColumnChunkMetaData> {
    let numbers = columns.iter().flatten().flat_map(|place| match *place {
        Place::Flat(number) => number..number + 1,
        Place::Map(keys) => keys..keys + 2,
    });
    numbers.filter_map(|number| group.columns().get(number))
}

/// The places of the pages of columns, by the indexes of pages that the row group has.
fn located(
    table: &Table,
    group: &RowGroupMetaData,
    columns: &[Option<Place>],
    rows: u64,
) -> Vec<Option<Located>> {
    let index = |chunk: &ColumnChunkMetaData| {
        let start = u64::try_from(chunk.offset_index_offset()?).ok()?;
        Some((start, start.checked_add(u64::try_from(chunk.offset_index_length()?).ok()?)?))
    };
    // Those of a row group follow each other.
    let (start, end) = chunks(group, columns)
        .filter_map(index)
        .fold((u64::MAX, 0), |(first, last), (start, end)| (first.min(start), last.max(end)));
    if let Some(length) = end.checked_sub(start).filter(|&length| length <= MAX_INDEXES) {
        table.file.expect(start, length);
    }
    let located = |place: &Option<Place>| match place {
        Some(Place::Flat(number)) => {
            group.columns().get(*number).and_then(|chunk| places(&table.file, chunk, rows))
        }
        _ => None,
    };
    columns.iter().map(located).collect()
}

/// Announces the pages with wanted rows. Pages with a small gap between them are announced together.
fn announce(file: &Shared, located: &[Option<Located>], found: &VecDeque<(u64, Vec<Value>)>) {
    for Located { start, pages } in located.iter().flatten() {
        let first = pages.first().map_or(*start, |page| page.offset);
        let (mut run, mut wanted) = ((*start, first), found.iter().peekable());
        for (number, page) in pages.iter().enumerate() {
            let end = pages.get(number + 1).map_or(u64::MAX, |next| next.row);
            if wanted.next_if(|(row, _)| *row < end).is_none() {
                continue;
            }
            while wanted.next_if(|(row, _)| *row < end).is_some() {}
            if page.offset.saturating_sub(run.1) > MAX_GAP {
                file.expect(run.0, run.1 - run.0);
                run.0 = page.offset;
            }
            run.1 = page.offset + page.length;
        }
        file.expect(run.0, run.1 - run.0);
    }
}

/// The number of rows of a row group. Fails if it has more than its bytes can hold.
fn rows_of(table: &Table, group: &RowGroupMetaData) -> Result<u64, Bad> {
    let rows = u64::try_from(group.num_rows()).map_err(|_| Reason::NegativeRows)?;
    let bytes =
        group.columns().iter().map(|chunk| u64::try_from(chunk.compressed_size()).unwrap_or(0));
    let bytes = bytes.fold(0, u64::saturating_add).min(table.file.len());
    if rows > bytes.saturating_mul(ROWS_A_BYTE) {
        return Err(Reason::TooManyRows { rows, bytes }.into());
    }
    Ok(rows)
}

/// Opens columns of a row group. Those whose pages are `located` are read in parts.
fn open(
    table: &Table,
    group: &RowGroupMetaData,
    budget: &Budget,
    columns: &[Option<Place>],
    located: &[Option<Located>],
) -> Result<Vec<Column>, Bad> {
    let is_whole = located.is_empty();
    let rows = rows_of(table, group)?;
    let part = |number: usize, pages: Option<&Located>| -> parquet::errors::Result<Part> {
        let lacking = || ParquetError::General("lacks its data".to_owned());
        let chunk = group.columns().get(number).ok_or_else(lacking)?;
        let pending = Pending::default();
        let pages = Checked::new(&table.file, chunk, rows, budget, &pending, pages)?;
        Ok((chunk.column_descr_ptr(), Box::new(pages), pending))
    };
    let values = |place, pages| match place {
        Place::Flat(number) => {
            let (column, pages, _) = part(number, pages)?;
            Cells::new(&column, pages, is_whole).map(Box::new).map(Values::Flat)
        }
        Place::Map(keys) => {
            Entries::new(part(keys, None)?, part(keys + 1, None)?).map(Values::Maps)
        }
    };
    let column = |(number, place): (usize, &Option<Place>)| {
        let Some(place) = *place else { return Ok(None) };
        let name = table.name(place);
        let pages = located.get(number).and_then(Option::as_ref);
        guarded(|| values(place, pages).map_err(|error| of_column(name, error)))
            .map(|values| Some((name.to_owned(), values)))
    };
    columns.iter().enumerate().map(column).collect()
}

impl Iterator for Rows {
    type Item = Result<Vec<Value>, Bad>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = match self.choice {
            Some(_) => self.next_found()?,
            None => self.next_row()?,
        };
        Some(row.map_err(|bad| {
            self.leave();
            self.failed(bad)
        }))
    }
}
