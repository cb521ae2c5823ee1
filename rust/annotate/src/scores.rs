//! Scores of other programs, such as a classifier on a GPU, joined to the records by their ids.

use inputs::corpus::{Fields, Line, Unwritable};
use parquet_files::{Bad, Table, Value};
use render::results::{Cell, Results};
use serde_json::value::{to_raw_value, RawValue};
use std::collections::hash_map::{Entry, HashMap};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// The first bytes of a Parquet file.
const PARQUET: &[u8] = b"PAR1";

/// Field that every record of a corpus has.
const TEXT: &str = "text";

/// Why scores cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BadScores {
    /// A table cannot be read.
    #[error(transparent)]
    Table(#[from] Bad),
    /// A value cannot be read or written.
    #[error(transparent)]
    Value(#[from] serde_json::Error),
    /// A line is no JSON object.
    #[error(transparent)]
    Line(#[from] Unwritable),
}

/// Settings of a join.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Field with the id, in the scores and in the records.
    pub by: String,
    /// Scores to add, which replace fields of the same names. If there are none, all that a record
    /// has no field for.
    pub take: Vec<String>,
}

/// The scores of an id.
#[derive(Debug)]
struct Scored {
    /// Numbers of names, values as they are written, and as numbers if they are.
    values: Vec<(usize, Box<RawValue>, Option<f64>)>,
    is_used: AtomicBool,
}

/// The scores by id.
#[derive(Debug)]
pub struct Scores {
    settings: Settings,
    names: Vec<String>,
    by_id: HashMap<String, Scored>,
    /// Lines whose id an earlier line has.
    pub twice: u64,
    /// Lines without an id.
    pub without_id: u64,
}

impl Scores {
    /// Creates an empty list.
    pub fn new(settings: Settings) -> Self {
        Self { settings, names: Vec::new(), by_id: HashMap::new(), twice: 0, without_id: 0 }
    }

    /// The names of the scores, in the order of their numbers.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Number of ids.
    pub fn ids(&self) -> usize {
        self.by_id.len()
    }

    /// Number of ids that no record had.
    pub fn surplus(&self) -> usize {
        self.by_id.values().filter(|of| !of.is_used.load(Ordering::Relaxed)).count()
    }

    /// Adds the scores of lines.
    ///
    /// # Errors
    /// Fails if a line is no JSON object.
    pub fn add_lines(&mut self, lines: &[Line]) -> Result<(), BadScores> {
        for (line, _) in lines {
            let fields = Fields::of(line)?;
            let id = fields.get(&self.settings.by).and_then(id);
            let mut values = Vec::new();
            for (name, value) in fields.iter() {
                self.note(name, RawValue::from_string(value.to_owned())?, &mut values);
            }
            self.add(id, values);
        }
        Ok(())
    }

    /// Adds the scores of the rows of a table.
    ///
    /// # Errors
    /// Fails if the table cannot be read.
    pub fn add_table(&mut self, file: &Path, max_bytes: u64) -> Result<(), BadScores> {
        let table = Table::open(file, max_bytes, &Arc::default())?;
        let columns: Vec<String> = table.columns().map(str::to_owned).collect();
        let names: Vec<&str> = columns.iter().map(String::as_str).collect();
        for row in table.rows(&names) {
            let row = row?;
            let (mut key, mut values) = (None, Vec::new());
            for (name, value) in columns.iter().zip(&row) {
                if *name == self.settings.by {
                    key = value.text();
                }
                if let Some(value) = raw(value)? {
                    self.note(name, value, &mut values);
                }
            }
            self.add(key, values);
        }
        Ok(())
    }

    /// Adds a value to those of a line, if it is a score that was asked for.
    fn note(
        &mut self,
        name: &str,
        value: Box<RawValue>,
        values: &mut Vec<(usize, Box<RawValue>, Option<f64>)>,
    ) {
        if name == self.settings.by || value.get() == "null" {
            return;
        }
        let number = self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        let take = &self.settings.take;
        // Scores are held in memory: a copy of the text is left out at once.
        let is_taken = if take.is_empty() { name != TEXT } else { take.iter().any(|t| t == name) };
        if is_taken {
            let as_number = value.get().parse().ok();
            values.push((number, value, as_number));
        }
    }

    fn add(&mut self, id: Option<String>, values: Vec<(usize, Box<RawValue>, Option<f64>)>) {
        match id.map(|id| self.by_id.entry(id)) {
            None => self.without_id += 1,
            Some(Entry::Occupied(_)) => self.twice += 1,
            Some(Entry::Vacant(place)) => {
                place.insert(Scored { values, is_used: AtomicBool::new(false) });
            }
        }
    }

    /// Adds the scores of a record to it.
    ///
    /// # Errors
    /// Fails if the record is no JSON object.
    pub fn joined(&self, line: Vec<u8>) -> Result<Joined<'_>, Unwritable> {
        let mut fields = Fields::of(&line)?;
        let Some(id) = fields.get(&self.settings.by).and_then(id) else {
            return Ok(Joined { line, outcome: Outcome::WithoutId, kept: Vec::new() });
        };
        let Some(scored) = self.by_id.get(&id) else {
            return Ok(Joined { line, outcome: Outcome::Missing, kept: Vec::new() });
        };
        scored.is_used.store(true, Ordering::Relaxed);
        let mut kept = Vec::new();
        for (number, value, _) in &scored.values {
            let name = &self.names[*number];
            match fields.get(name) {
                None => fields.add(name, value)?,
                Some(_) if self.settings.take.is_empty() => kept.push(*number),
                Some(_) => _ = fields.set(name, value)?,
            }
        }
        Ok(Joined { line: fields.line()?, outcome: Outcome::Scored(scored), kept })
    }
}

/// A record after the join.
#[derive(Debug)]
pub struct Joined<'a> {
    /// The record, with or without a line end.
    pub line: Vec<u8>,
    outcome: Outcome<'a>,
    /// Numbers of the scores whose fields the record had.
    kept: Vec<usize>,
}

#[derive(Debug)]
enum Outcome<'a> {
    Scored(&'a Scored),
    /// No line of the scores has its id.
    Missing,
    WithoutId,
}

/// Values of a score that are numbers.
#[derive(Debug)]
pub struct Range {
    /// Records with a number.
    pub values: u64,
    /// Sum of the numbers.
    pub sum: f64,
    /// The smallest one.
    pub least: f64,
    /// The largest one.
    pub most: f64,
}

/// Counts of a join.
#[derive(Debug, Default)]
pub struct JoinSums {
    /// Records with scores.
    pub scored: u64,
    /// Records with an id that no score has.
    pub missing: u64,
    /// Records without an id.
    pub without_id: u64,
    /// Numbers of the scores that some records keep in fields of their own.
    pub kept: BTreeSet<usize>,
    /// Values that were added, by the number of their score.
    pub ranges: BTreeMap<usize, Range>,
}

impl JoinSums {
    /// Adds a record.
    pub fn add(&mut self, joined: &Joined) {
        match joined.outcome {
            Outcome::Missing => self.missing += 1,
            Outcome::WithoutId => self.without_id += 1,
            Outcome::Scored(scored) => {
                self.scored += 1;
                let taken = scored.values.iter().filter(|(name, ..)| !joined.kept.contains(name));
                for (name, _, value) in taken {
                    let Some(value) = *value else { continue };
                    let none =
                        Range { values: 0, sum: 0.0, least: f64::INFINITY, most: -f64::INFINITY };
                    let range = self.ranges.entry(*name).or_insert(none);
                    range.values += 1;
                    range.sum += value;
                    range.least = range.least.min(value);
                    range.most = range.most.max(value);
                }
            }
        }
        self.kept.extend(&joined.kept);
    }

    /// Returns the tables for the user.
    pub fn results(&self, scores: &Scores) -> Results {
        let mut results = Results::default();
        for (what, key, count) in [
            ("records with scores", "scored_records", self.scored),
            ("records without scores", "unscored_records", self.missing),
            ("records without an id", "records_without_id", self.without_id),
            ("scores without a record", "scores_without_record", scores.surplus() as u64),
            ("scores with the id of earlier ones", "repeated_scores", scores.twice),
            ("scores without an id", "scores_without_id", scores.without_id),
        ] {
            results.line(&format!("{what:<36} {count:>10}"));
            results.figure(key, count);
        }
        let columns = [
            ("score", "score", -36),
            ("records", "records", 10),
            ("least", "least", 10),
            ("mean", "mean", 10),
            ("largest", "largest", 10),
        ];
        let mut table = results.table("scores", "\n", &columns);
        for (name, Range { values, sum, least, most }) in &self.ranges {
            #[expect(clippy::cast_precision_loss, reason = "counts of records are below 2^53")]
            let mean = sum / *values as f64;
            let numbers = [*least, mean, *most].map(|number| Cell::number(number, 3));
            let name = scores.names()[*name].as_str();
            table.row([name.into(), (*values).into()].into_iter().chain(numbers));
        }
        results
    }
}

/// The id in a field: text, or a number as it is written.
fn id(value: &str) -> Option<String> {
    match value.as_bytes().first()? {
        b'"' => serde_json::from_str(value).ok(),
        b'-' | b'0'..=b'9' => Some(value.to_owned()),
        _ => None,
    }
}

/// A value of a table as JSON; `None` if there is none.
fn raw(value: &Value) -> Result<Option<Box<RawValue>>, serde_json::Error> {
    Ok(Some(match value {
        Value::Null => return Ok(None),
        Value::Float(value) if !value.is_finite() => return Ok(None),
        Value::Float(value) => to_raw_value(value)?,
        Value::Bool(value) => to_raw_value(value)?,
        Value::Int(value) => to_raw_value(value)?,
        Value::Unsigned(value) => to_raw_value(value)?,
        Value::Time(_) | Value::Bytes(_) => to_raw_value(&value.text())?,
        Value::Map(entries) => {
            let mut map = BTreeMap::new();
            for (key, value) in entries {
                if let Some(value) = raw(value)? {
                    map.insert(key, value);
                }
            }
            to_raw_value(&map)?
        }
    }))
}

/// Whether a file begins as Parquet does. A pipe is not read: it holds JSON lines.
pub fn is_parquet(path: &Path) -> bool {
    let mut start = Vec::new();
    path.is_file()
        && File::open(path)
            .and_then(|file| file.take(PARQUET.len() as u64).read_to_end(&mut start))
            .is_ok()
        && start == PARQUET
}
