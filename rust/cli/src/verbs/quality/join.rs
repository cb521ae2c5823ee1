//! Scores of other programs, such as a classifier on a GPU, joined to the records by their ids.

use crate::context::Context;
use crate::io::console::{counted, print};
use crate::io::corpora::tell_problems;
use crate::io::records::{Fields, Output, Read, Records};
use anyhow::{anyhow, bail, Result};
use clap::Args;
use parquet_files::{Table, Value};
use rayon::prelude::*;
use serde_json::value::{to_raw_value, RawValue};
use std::collections::hash_map::{Entry, HashMap};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;

/// The first bytes of a Parquet file.
const PARQUET: &[u8] = b"PAR1";

/// Field that every record of a corpus has.
const TEXT: &str = "text";

#[derive(Args)]
pub struct Join {
    /// Scores of another program: JSON lines (plain, gzip or zstd) or Parquet, with the id of a
    /// record and its scores on each line or in each row. They are held in memory
    #[arg(value_name = "SCORES")]
    scores: PathBuf,
    /// JSON lines of a crawl, or other JSON lines: plain, gzip or zstd; Parquet; or folders of
    /// them. - is standard input
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// Field with the id, in the scores and in the records, such as url
    #[arg(long, default_value = "id", value_name = "FIELD")]
    by: String,
    /// Scores to add. They replace fields of the same names [default: all that the record has no
    /// field for]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    take: Vec<String>,
    /// File for the records; .gz and .zst compress. An old file is replaced after the new one is
    /// complete
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// The scores of an id.
struct Scored {
    /// Numbers of names, values as they are written, and as numbers if they are.
    values: Vec<(usize, Box<RawValue>, Option<f64>)>,
    is_used: AtomicBool,
}

/// The scores by id.
struct Scores<'a> {
    asked: &'a Join,
    names: Vec<String>,
    by_id: HashMap<String, Scored>,
    /// Lines whose id an earlier line has, and lines without an id.
    twice: u64,
    without_id: u64,
}

impl<'a> Scores<'a> {
    /// Reads the scores.
    ///
    /// # Errors
    /// Fails if the file cannot be read, no line has an id, or a score of `--take` is on no line.
    fn read(asked: &'a Join, max_bytes: u64) -> Result<(Self, bool)> {
        let mut scores =
            Self { asked, names: Vec::new(), by_id: HashMap::new(), twice: 0, without_id: 0 };
        let name = asked.scores.display();
        let is_whole = if is_parquet(&asked.scores) {
            scores.read_table(max_bytes)?;
            true
        } else {
            scores.read_lines(max_bytes)?
        };
        if scores.by_id.is_empty() {
            bail!(
                "{name}: no line has the field `{}`; name the field with the id (--by)",
                asked.by
            );
        }
        if let Some(missing) = asked.take.iter().find(|take| !scores.names.contains(take)) {
            bail!(
                "{name}: has no score {missing:?}; its scores are {} (--take)",
                scores.names.join(", ")
            );
        }
        if scores.names.is_empty() {
            bail!("{name}: has no field besides `{}`", asked.by);
        }
        Ok((scores, is_whole))
    }

    fn read_lines(&mut self, max_bytes: u64) -> Result<bool> {
        let records = Records::new(std::slice::from_ref(&self.asked.scores), &[], max_bytes)?;
        let read = records.read(&mut |lines| {
            for (line, _) in &lines {
                let fields = Fields::of(line)?;
                let id = fields.get(&self.asked.by).and_then(id);
                let mut values = Vec::new();
                for (name, value) in fields.iter() {
                    self.note(name, RawValue::from_string(value.to_owned())?, &mut values);
                }
                self.add(id, values);
            }
            Ok(Some(format!("scores of {}", counted(self.by_id.len() as u64, "id"))))
        })?;
        tell_problems("in the scores", &read.problems);
        Ok(read.is_whole())
    }

    fn read_table(&mut self, max_bytes: u64) -> Result<()> {
        let failed =
            |error: parquet_files::Bad| anyhow!("{}: {error}", self.asked.scores.display());
        let read = Arc::new(AtomicU64::new(0));
        let table = Table::open(&self.asked.scores, max_bytes, &read).map_err(failed)?;
        let columns: Vec<String> = table.columns().map(str::to_owned).collect();
        let names: Vec<&str> = columns.iter().map(String::as_str).collect();
        for row in table.rows(&names) {
            let row = row.map_err(|error| anyhow!("{}: {error}", self.asked.scores.display()))?;
            let (mut key, mut values) = (None, Vec::new());
            for (name, value) in columns.iter().zip(&row) {
                if *name == self.asked.by {
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
        if name == self.asked.by || value.get() == "null" {
            return;
        }
        let number = self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        let take = &self.asked.take;
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
    fn joined(&self, line: Vec<u8>) -> Result<Joined<'_>> {
        let mut fields = Fields::of(&line)?;
        let Some(id) = fields.get(&self.asked.by).and_then(id) else {
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
                Some(_) if self.asked.take.is_empty() => kept.push(*number),
                Some(_) => _ = fields.set(name, value)?,
            }
        }
        Ok(Joined { line: fields.line()?, outcome: Outcome::Scored(scored), kept })
    }
}

/// A record after the join.
struct Joined<'a> {
    line: Vec<u8>,
    outcome: Outcome<'a>,
    /// Numbers of the scores whose fields the record had.
    kept: Vec<usize>,
}

enum Outcome<'a> {
    Scored(&'a Scored),
    /// No line of the scores has its id.
    Missing,
    WithoutId,
}

/// Values of a score.
struct Range {
    values: u64,
    sum: f64,
    least: f64,
    most: f64,
}

/// Counts of a join.
#[derive(Default)]
struct Sums {
    scored: u64,
    missing: u64,
    without_id: u64,
    kept: BTreeSet<usize>,
    ranges: BTreeMap<usize, Range>,
}

impl Sums {
    fn add(&mut self, joined: &Joined) {
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

    /// The tables for the user.
    fn table(&self, scores: &Scores) -> String {
        let surplus = scores.by_id.values().filter(|of| !of.is_used.load(Ordering::Relaxed));
        let mut table = String::new();
        for (what, count) in [
            ("records with scores", self.scored),
            ("records without scores", self.missing),
            ("records without an id", self.without_id),
            ("scores without a record", surplus.count() as u64),
            ("scores with the id of earlier ones", scores.twice),
            ("scores without an id", scores.without_id),
        ] {
            // Writing to a string cannot fail.
            let _ = writeln!(table, "{what:<36} {count:>10}");
        }
        if !self.ranges.is_empty() {
            let _ = writeln!(
                table,
                "\n{:<36} {:>10} {:>10} {:>10} {:>10}",
                "score", "records", "least", "mean", "largest"
            );
        }
        for (name, range) in &self.ranges {
            #[expect(clippy::cast_precision_loss, reason = "a mean is shown with three digits")]
            let mean = range.sum / range.values as f64;
            let _ = writeln!(
                table,
                "{:<36} {:>10} {:>10.3} {mean:>10.3} {:>10.3}",
                scores.names[*name], range.values, range.least, range.most
            );
        }
        table
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
fn raw(value: &Value) -> Result<Option<Box<RawValue>>> {
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
fn is_parquet(path: &Path) -> bool {
    let mut start = Vec::new();
    path.is_file()
        && File::open(path)
            .and_then(|file| file.take(PARQUET.len() as u64).read_to_end(&mut start))
            .is_ok()
        && start == PARQUET
}

/// Adds the scores to the records with their ids, and prints how many ids the two do not share.
///
/// # Errors
/// Fails if an input cannot be read, the two share no id, the output cannot be written, or a signal
/// stopped the work.
pub fn join(asked: &Join, context: &Context) -> Result<bool> {
    context.apart(&[(&asked.out, "--out")], [asked.scores.as_path()])?;
    if asked.out == Path::new("-") {
        bail!(misuse!("-: the table goes to standard output; name a file (--out)"));
    }
    let records = Records::new(&asked.corpora, &[(&asked.out, "--out")], context.max_bytes)?;
    let (scores, has_all_scores) = Scores::read(asked, context.max_bytes)?;
    let mut out = Output::new(&asked.out, "--out")?;
    let mut sums = Sums::default();
    let read: Read = records.read(&mut |lines| {
        let joined: Vec<Joined> =
            lines.into_par_iter().map(|(line, _)| scores.joined(line)).collect::<Result<_>>()?;
        for record in joined {
            sums.add(&record);
            out.line(&record.line)?;
        }
        Ok(Some(format!("{} with scores", counted(sums.scored, "record"))))
    })?;
    tell_problems("in all", &read.problems);
    if sums.scored == 0 {
        bail!(
            "no record has the `{}` of a score; nothing was written; name the field that both have \
             (--by)",
            asked.by
        );
    }
    let is_whole = read.is_whole() && has_all_scores;
    let name = out.finish(is_whole)?;
    if !sums.kept.is_empty() {
        let names: Vec<&str> = sums.kept.iter().map(|name| scores.names[*name].as_str()).collect();
        eprintln!(
            "corpulyzer: not taken, because records have fields of these names: {}; --take replaces \
             them",
            names.join(", ")
        );
    }
    eprintln!("corpulyzer: {} with scores: {name}", counted(sums.scored, "record"));
    print(sums.table(&scores).as_bytes())?;
    Ok(is_whole)
}
