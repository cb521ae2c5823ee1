//! A release as Parquet shards, under the column names of FineWeb-2.

use crate::files::{hex, Part, Summed};
use crate::Failure;
use figures::urls::fingerprint;
use inputs::corpus::{Fields, LANGUAGES};
use langbytes::LangCode;
use parquet_files::{parse_day, parse_time, Cell, Kind, Shard};
use serde_json::Value;
use sha2::Digest;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use unicode_script::{Script, UnicodeScript};

/// Folder of the shards.
pub const DATA: &str = "data";

/// Largest number of columns beside the known ones.
pub const MAX_COLUMNS: usize = 500;

/// Columns of a release that a record has values for: first those of FineWeb-2, in its order, then
/// ours.
const COLUMNS: [(&str, Kind); 23] = [
    ("text", Kind::Text),
    ("id", Kind::Text),
    ("dump", Kind::Text),
    ("url", Kind::Text),
    ("date", Kind::Time),
    ("file_path", Kind::Text),
    ("language", Kind::Text),
    ("language_score", Kind::Float),
    ("language_script", Kind::Text),
    ("minhash_cluster_size", Kind::Int),
    ("host", Kind::Text),
    ("title", Kind::Text),
    ("charset", Kind::Text),
    ("content_type", Kind::Text),
    ("raw_bytes", Kind::Int),
    ("visible_bytes", Kind::Int),
    ("main_bytes", Kind::Int),
    ("languages", Kind::Map),
    ("language_set", Kind::Map),
    ("decision", Kind::Text),
    ("record_version", Kind::Text),
    ("signature", Kind::Text),
    ("round", Kind::Int),
];

/// Fields that are in a column of another name.
const ELSEWHERE: [&str; 2] = ["fetch_time", "bytes_per_language"];

/// A split and its share.
#[derive(Debug, Clone, PartialEq)]
pub struct Share {
    /// The name of its files and of its row in the card, such as `train`.
    pub name: String,
    /// Its share of the hosts, from 0 to 1.
    pub share: f64,
}

/// Splits that a release cannot have.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BadShares {
    /// A text is no split.
    #[error("allowed are names of letters with shares between 0 and 1, such as train=.9,test=.1")]
    NoShare,
    /// The shares do not sum to 1.
    #[error("the shares of the splits sum to {0}; allowed is 1")]
    Sum(f64),
    /// Two splits have one name.
    #[error("split {0} is there twice")]
    Twice(String),
}

impl FromStr for Share {
    type Err = BadShares;

    fn from_str(text: &str) -> Result<Self, BadShares> {
        let (name, share) = text.split_once('=').ok_or(BadShares::NoShare)?;
        let share = share.parse().ok().filter(|share| *share > 0.0 && *share < 1.0);
        let share = share.ok_or(BadShares::NoShare)?;
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase());
        is_name.then(|| Self { name: name.to_owned(), share }).ok_or(BadShares::NoShare)
    }
}

/// Returns the splits of a release: one, `train`, if none are asked for.
///
/// # Errors
/// Fails if a name is there twice, or the shares do not sum to 1.
pub fn shares(asked: &[Share]) -> Result<Vec<Share>, BadShares> {
    if asked.is_empty() {
        return Ok(vec![Share { name: "train".to_owned(), share: 1.0 }]);
    }
    let sum: f64 = asked.iter().map(|one| one.share).sum();
    if (sum - 1.0).abs() > 1e-6 {
        return Err(BadShares::Sum(sum));
    }
    if let Some(twice) = asked
        .iter()
        .enumerate()
        .find(|(number, one)| asked[..*number].iter().any(|a| a.name == one.name))
    {
        return Err(BadShares::Twice(twice.1.name.clone()));
    }
    Ok(asked.to_vec())
}

/// The columns of a release, by the values of all its records.
pub struct Schema {
    language: LangCode,
    dump: Option<String>,
    /// Which of [`COLUMNS`] have a value.
    known: [bool; COLUMNS.len()],
    /// The other fields, and those of [`COLUMNS`] whose type depends on the values.
    seen: BTreeMap<String, Seen>,
}

/// Types of a field.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Seen {
    text: bool,
    time: bool,
    day: bool,
    whole: bool,
    number: bool,
    /// Whether there is a whole number that a double would round.
    long: bool,
    truth: bool,
    counts: bool,
    json: bool,
}

impl Seen {
    fn note(&mut self, raw: &str, kind: Option<Kind>) {
        match raw.as_bytes().first() {
            Some(b'"') if self.text => {}
            Some(b'"') if cell(raw, Kind::Time, false).is_some() => self.time = true,
            Some(b'"') if cell(raw, Kind::Day, false).is_some() => self.day = true,
            Some(b'"') => self.text = true,
            Some(b'{') if kind == Some(Kind::Map) && cell(raw, Kind::Map, false).is_some() => {
                self.counts = true;
            }
            Some(b'{' | b'[') => self.json = true,
            Some(b't' | b'f') => self.truth = true,
            Some(b'n') | None => {}
            _ => {
                let is_whole = raw.parse::<i64>().is_ok();
                self.whole |= is_whole;
                self.number |= !is_whole;
                self.long |= is_rounded(raw);
            }
        }
    }

    /// Returns the type of the column, and whether its text is JSON: values of several types, which
    /// have no other type in common. Returns `None` without a value.
    fn kind(mut self) -> Option<(Kind, bool)> {
        if self == Self::default() {
            return None;
        }
        if self.time && self.day {
            self.text = true;
        }
        if self.text {
            (self.time, self.day) = (false, false);
        }
        if self.number {
            if self.long {
                return Some((Kind::Text, true));
            }
            self.whole = false;
        }
        let types = [
            (self.text, Kind::Text),
            (self.time, Kind::Time),
            (self.day, Kind::Day),
            (self.whole, Kind::Int),
            (self.number, Kind::Float),
            (self.truth, Kind::Bool),
            (self.counts, Kind::Map),
        ];
        let mut found = types.iter().filter(|(is_there, _)| *is_there).map(|(_, kind)| *kind);
        match (found.next(), found.next(), self.json) {
            (Some(kind), None, false) => Some((kind, false)),
            _ => Some((Kind::Text, true)),
        }
    }
}

/// Returns whether a double would round a whole number.
fn is_rounded(raw: &str) -> bool {
    if raw.contains(['.', 'e', 'E']) {
        return false;
    }
    // Beyond 128 bits no number of a record is exact.
    raw.parse::<i128>().map_or(true, |number| number as f64 as i128 != number)
}

/// Returns whether the type of a known column depends on the values.
fn depends(kind: Kind) -> bool {
    matches!(kind, Kind::Time | Kind::Map)
}

impl Schema {
    /// Creates the schema of a release in a language. `dump` is the name of its crawl.
    pub fn new(language: LangCode, dump: Option<String>) -> Self {
        Self { language, dump, known: [false; COLUMNS.len()], seen: BTreeMap::new() }
    }

    /// Notes the fields of a record.
    ///
    /// # Errors
    /// Fails if there are too many different ones.
    pub fn note(&mut self, fields: &Fields) -> Result<(), Failure> {
        let values = Values::of(fields);
        for (number, (name, kind)) in COLUMNS.iter().enumerate() {
            if depends(*kind) {
                if let Some(raw) = values.raw(name) {
                    self.seen.entry((*name).to_owned()).or_default().note(raw, Some(*kind));
                }
            } else if !self.known[number] {
                self.known[number] = self.cell(name, *kind, false, &values).is_some();
            }
        }
        for (name, raw) in fields.iter() {
            if COLUMNS.iter().any(|(known, _)| *known == name) || ELSEWHERE.contains(&name) {
                continue;
            }
            if !self.seen.contains_key(name) {
                if self.seen.len() == MAX_COLUMNS {
                    return Err(Failure::Columns);
                }
                self.seen.insert(name.to_owned(), Seen::default());
            }
            if let Some(seen) = self.seen.get_mut(name) {
                seen.note(raw, None);
            }
        }
        Ok(())
    }

    /// Returns the columns that have a value, and the names of those whose text is JSON.
    fn columns(&self) -> (Vec<(String, Kind)>, Vec<String>) {
        let (mut columns, mut json) = (Vec::new(), Vec::new());
        let mut add = |name: &str, kind: Kind, is_json: bool| {
            columns.push((name.to_owned(), kind));
            if is_json {
                json.push(name.to_owned());
            }
        };
        let typed = |name: &str| self.seen.get(name).and_then(|seen| seen.kind());
        for ((name, kind), is_there) in COLUMNS.iter().zip(self.known) {
            if is_there {
                add(name, *kind, false);
            } else if let Some((kind, is_json)) = typed(name) {
                add(name, kind, is_json);
            }
        }
        for (name, seen) in &self.seen {
            let is_known = COLUMNS.iter().any(|(known, _)| known == name);
            if let Some((kind, is_json)) = seen.kind().filter(|_| !is_known) {
                add(name, kind, is_json);
            }
        }
        (columns, json)
    }

    /// The cell of a record in a column.
    fn cell(&self, name: &str, kind: Kind, is_json: bool, values: &Values) -> Option<Cell> {
        match name {
            "dump" => values.text("dump").or_else(|| self.dump.clone()).map(Cell::Text),
            "host" => {
                Some(Cell::Text(values.host())).filter(|host| *host != Cell::Text(String::new()))
            }
            "language" => {
                values.text("language").or_else(|| Some(self.language.to_string())).map(Cell::Text)
            }
            "language_score" => values
                .raw("language_score")
                .and_then(|score| score.parse().ok())
                .or_else(|| share(values.raw("languages")?, self.language))
                .map(Cell::Float),
            "language_script" => values
                .text("language_script")
                .or_else(|| script(&values.text("text")?).map(str::to_owned))
                .map(Cell::Text),
            name => cell(values.raw(name)?, kind, is_json),
        }
    }
}

/// The fields of a record by their names.
struct Values<'a>(HashMap<&'a str, &'a str>);

impl<'a> Values<'a> {
    fn of(fields: &'a Fields) -> Self {
        Self(fields.iter().filter(|(_, raw)| *raw != "null").collect())
    }

    /// The JSON of a column.
    fn raw(&self, name: &str) -> Option<&'a str> {
        let get = |name: &str| self.0.get(name).copied();
        match name {
            "date" => get("fetch_time").or_else(|| get("date")),
            "languages" => LANGUAGES.iter().find_map(|name| get(name)),
            name => get(name),
        }
    }

    fn text(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.raw(name)?).ok()
    }

    /// The host of a page; empty without a URL.
    fn host(&self) -> String {
        self.text("host").filter(|host| !host.is_empty()).unwrap_or_else(|| {
            self.text("url").map_or_else(String::new, |url| figures::parse::host(&url))
        })
    }
}

/// A JSON value as a cell of a column.
fn cell(raw: &str, kind: Kind, is_json: bool) -> Option<Cell> {
    let text = || serde_json::from_str::<String>(raw).ok();
    match kind {
        Kind::Text if is_json => Some(Cell::Text(raw.to_owned())),
        Kind::Text => text().map(Cell::Text),
        Kind::Int => raw.parse().ok().map(Cell::Int),
        Kind::Float => raw.parse().ok().map(Cell::Float),
        Kind::Bool => raw.parse().ok().map(Cell::Bool),
        Kind::Time => parse_time(&text()?).map(Cell::Time),
        Kind::Day => parse_day(&text()?).map(Cell::Day),
        Kind::Map => {
            // In the order of the record: the language with most bytes is the first.
            let counts = Fields::of(raw.as_bytes()).ok()?;
            let entries = counts.iter().map(|(key, raw)| Some((key.to_owned(), raw.parse().ok()?)));
            let entries: Vec<_> = entries.collect::<Option<_>>()?;
            // Readers refuse a map with a key twice.
            let keys: HashSet<&str> = entries.iter().map(|(key, _)| key.as_str()).collect();
            (keys.len() == entries.len()).then_some(Cell::Map(entries))
        }
    }
}

/// A split that is written.
struct Split {
    name: String,
    /// The hash of a host up to which its pages are in this split.
    last: u64,
    /// The open shard and the bytes of text in it.
    open: Option<(Shard<Summed>, u64)>,
    parts: Vec<Part>,
    sums: SplitSums,
}

/// The sums over a split.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SplitSums {
    /// Name of the split.
    pub name: String,
    /// Number of its pages.
    pub rows: u64,
    /// Bytes of all values.
    pub bytes: u64,
    /// Size of its shards.
    pub stored: u64,
}

/// The files of a release that hold its text.
#[derive(Debug)]
pub struct Written {
    /// The files, in order.
    pub parts: Vec<Part>,
    /// The splits; none in the layout of lines.
    pub splits: Vec<SplitSums>,
    /// Names and types of the columns.
    pub columns: Vec<(String, Kind)>,
}

impl Written {
    /// Files of lines, which have no columns.
    pub fn lines(parts: Vec<Part>) -> Self {
        Self { parts, splits: Vec::new(), columns: Vec::new() }
    }
}

/// Writes the shards of a release.
pub struct Hub {
    folder: PathBuf,
    most: u64,
    schema: Schema,
    columns: Vec<(String, Kind)>,
    json: Vec<String>,
    splits: Vec<Split>,
}

impl Hub {
    /// Begins the shards in a folder. A shard has at most `most` bytes of text.
    ///
    /// # Errors
    /// Fails if the folder of the shards cannot be made.
    pub fn new(
        folder: &Path,
        schema: Schema,
        shares: &[Share],
        most: u64,
    ) -> Result<Self, Failure> {
        let failed = |error| Failure::Output { name: DATA.to_owned(), error };
        fs::create_dir(folder.join(DATA)).map_err(failed)?;
        let (columns, json) = schema.columns();
        let mut sum = 0.0;
        let mut splits: Vec<Split> = Vec::new();
        for share in shares {
            sum += share.share;
            let sums = SplitSums { name: share.name.clone(), ..SplitSums::default() };
            // A share of all hashes.
            let last = (sum * u64::MAX as f64) as u64;
            splits.push(Split {
                name: share.name.clone(),
                last,
                open: None,
                parts: Vec::new(),
                sums,
            });
        }
        // Sums of shares are not exact.
        if let Some(split) = splits.last_mut() {
            split.last = u64::MAX;
        }
        Ok(Self { folder: folder.to_owned(), most, schema, columns, json, splits })
    }

    /// Adds a page, to the split of its host.
    ///
    /// # Errors
    /// Fails if a shard cannot be written.
    pub fn add(&mut self, line: &[u8], text: u64) -> Result<(), Failure> {
        let fields = Fields::of(line)?;
        let values = Values::of(&fields);
        let host = values.host();
        // The hash of a page without a host is that of its text, which has no other page beside it.
        let hash = if host.is_empty() {
            fingerprint(&String::from_utf8_lossy(line))
        } else {
            fingerprint(&host)
        };
        let row = self.row(&values);
        let number = self.splits.iter().position(|split| hash <= split.last).unwrap_or_default();
        let split = &mut self.splits[number];
        split.sums.rows += 1;
        split.sums.bytes += row.iter().map(bytes).sum::<u64>();
        if split.open.as_ref().is_some_and(|(_, bytes)| bytes.saturating_add(text) > self.most) {
            split.close()?;
        }
        let name = split.name(split.parts.len(), None);
        let failed = |error| Failure::Output { name: name.clone(), error };
        let (shard, bytes) = match &mut split.open {
            Some(open) => open,
            none => {
                let file =
                    BufWriter::new(File::create_new(self.folder.join(&name)).map_err(failed)?);
                let file = Summed { file, sum: sha2::Sha256::new(), bytes: 0 };
                none.insert((
                    Shard::new(file, self.columns.clone(), &self.json).map_err(failed)?,
                    0,
                ))
            }
        };
        *bytes += text;
        shard.add(row).map_err(failed)
    }

    /// The cells of a record.
    fn row(&self, values: &Values) -> Vec<Cell> {
        let cell = |(name, kind): &(String, Kind)| {
            let is_json = self.json.iter().any(|json| json == name);
            self.schema.cell(name, *kind, is_json, values).unwrap_or(Cell::Null)
        };
        self.columns.iter().map(cell).collect()
    }

    /// Ends the shards, and gives them their names.
    ///
    /// # Errors
    /// Fails if a split has no page, or a shard cannot be written.
    pub fn finish(mut self) -> Result<Written, Failure> {
        let (mut parts, mut splits) = (Vec::new(), Vec::new());
        for split in &mut self.splits {
            split.close()?;
            let count = split.parts.len();
            if count == 0 {
                return Err(Failure::EmptySplit(split.name.clone()));
            }
            for (number, mut part) in std::mem::take(&mut split.parts).into_iter().enumerate() {
                let name = split.name(number, Some(count));
                fs::rename(self.folder.join(&part.name), self.folder.join(&name))
                    .map_err(|error| Failure::Output { name: name.clone(), error })?;
                split.sums.stored += part.bytes;
                part.name = name;
                parts.push(part);
            }
            splits.push(split.sums.clone());
        }
        Ok(Written { parts, splits, columns: self.columns })
    }
}

impl Split {
    /// The name of a shard, once their number is known and before.
    fn name(&self, number: usize, of: Option<usize>) -> String {
        match of {
            Some(of) => format!("{DATA}/{}-{number:05}-of-{of:05}.parquet", self.name),
            None => format!("{DATA}/{}-{number:05}.parquet", self.name),
        }
    }

    fn close(&mut self) -> Result<(), Failure> {
        let name = self.name(self.parts.len(), None);
        let Some((shard, _)) = self.open.take() else { return Ok(()) };
        let failed = |error| Failure::Output { name: name.clone(), error };
        let mut file = shard.finish().map_err(failed)?;
        file.flush().and_then(|()| file.file.get_ref().sync_all()).map_err(failed)?;
        self.parts.push(Part { bytes: file.bytes, sum: hex(&file.sum.finalize()), name });
        Ok(())
    }
}

/// Bytes of a value in memory.
fn bytes(cell: &Cell) -> u64 {
    match cell {
        Cell::Null => 0,
        Cell::Text(text) => text.len() as u64,
        Cell::Int(_) | Cell::Float(_) | Cell::Time(_) => 8,
        Cell::Day(_) => 4,
        Cell::Bool(_) => 1,
        Cell::Map(entries) => entries.iter().map(|(key, _)| key.len() as u64 + 8).sum(),
    }
}

/// The share of a language in counts of bytes, rounded to four digits.
fn share(counts: &str, language: LangCode) -> Option<f64> {
    let counts: BTreeMap<String, Value> = serde_json::from_str(counts).ok()?;
    let bytes = |value: &Value| value.as_u64().unwrap_or_default() as f64;
    let all: f64 = counts.values().map(bytes).sum();
    let own = counts.get(language.as_str()).map_or(0.0, bytes);
    (all > 0.0).then(|| (own / all * 10_000.0).round() / 10_000.0)
}

/// The script of most letters of a text by its ISO 15924 code. Japanese and Korean are written in
/// several scripts, which have a code together.
fn script(text: &str) -> Option<&'static str> {
    let mut counts: HashMap<Script, u64> = HashMap::new();
    for c in text.chars().filter(|c| c.is_alphabetic()) {
        *counts.entry(c.script()).or_default() += 1;
    }
    let is_written = |script: Script| counts.contains_key(&script);
    let most =
        counts.iter().filter(|(script, _)| !matches!(script, Script::Common | Script::Inherited));
    let (script, _) =
        most.max_by_key(|(script, count)| (**count, std::cmp::Reverse(script.short_name())))?;
    Some(match script {
        Script::Han | Script::Hiragana | Script::Katakana if is_written(Script::Hiragana) => "Jpan",
        Script::Hangul => "Kore",
        script => script.short_name(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_that_a_double_would_round_stay_as_they_are() {
        let kind = |values: &[&str]| {
            let mut seen = Seen::default();
            values.iter().for_each(|raw| seen.note(raw, None));
            seen.kind()
        };
        assert!(matches!(kind(&["1", "9007199254740993"]), Some((Kind::Int, false))));
        assert!(matches!(kind(&["1.5", "4"]), Some((Kind::Float, false))));
        assert!(matches!(kind(&["1.5", "9007199254740992"]), Some((Kind::Float, false))));
        assert!(matches!(kind(&["3", "14446744073709551613"]), Some((Kind::Text, true))));
        assert!(matches!(kind(&["1.5", "9007199254740993"]), Some((Kind::Text, true))));
        assert!(matches!(kind(&[&"9".repeat(60)]), Some((Kind::Text, true))));
    }

    #[test]
    fn the_script_is_that_of_most_letters() {
        assert_eq!(script("یہ اردو ہے (Urdu)"), Some("Arab"));
        assert_eq!(script("日本語の文"), Some("Jpan"));
        assert_eq!(script("漢字"), Some("Hani"));
        assert_eq!(script("한국어"), Some("Kore"));
        assert_eq!(script("123 …"), None);
    }

    #[test]
    fn the_share_is_that_of_the_bytes() {
        let urdu: LangCode = "urd".parse().expect("a code");
        assert_eq!(share(r#"{"urd":2,"eng":1}"#, urdu), Some(0.6667));
        assert_eq!(share(r#"{"eng":1}"#, urdu), Some(0.0));
        assert_eq!(share("{}", urdu), None);
    }

    #[test]
    fn shares_sum_to_one() {
        let share = |text: &str| text.parse::<Share>();
        assert!(
            share("train=.9").is_ok() && share("train=1").is_err() && share("Train=.1").is_err()
        );
        let split = |text: &[&str]| {
            shares(&text.iter().map(|one| share(one).expect("a share")).collect::<Vec<_>>())
        };
        assert!(split(&["train=.9", "test=.1"]).is_ok());
        assert!(split(&["train=.9"]).is_err());
        assert!(split(&["train=.5", "train=.5"]).is_err());
        assert_eq!(shares(&[]).expect("one").len(), 1);
    }
}
