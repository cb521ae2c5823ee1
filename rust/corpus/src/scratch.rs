//! Counting more than memory holds: sorted runs, first in memory, then in temporary files, merged when they are read.
//!
//! The result is exact whatever the limit is; only time and disk depend on it.

use crate::state::{BadState, PART_BYTES};
use serde::{Deserialize, Serialize};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Runs of one table that may lie on disk before they are merged into one. Bounds open files.
const MAX_RUNS: usize = 48;

/// Longest text of an entry in a file; no token is longer, see `MAX_WORD_BYTES` of words.
const MAX_TEXT: u64 = 1 << 20;

/// Where and from which size on tables go to disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scratch {
    /// Folder for temporary files, which have no name there.
    pub folder: PathBuf,
    /// Bytes of memory that one table takes at most.
    pub table_bytes: usize,
}

impl Scratch {
    /// Tables of at most so many bytes, in this folder.
    pub fn new(folder: &Path, table_bytes: usize) -> Self {
        Self { folder: folder.to_owned(), table_bytes: table_bytes.max(1 << 10) }
    }
}

/// What a table holds: ordered by a key, and equal keys become one entry.
pub trait Entry: Sized + Clone {
    /// Orders by key.
    fn order(&self, other: &Self) -> Ordering;
    /// Takes in an entry of the same key.
    fn absorb(&mut self, other: Self);
    /// Writes it for [`Entry::read`].
    fn write(&self, out: &mut impl Write) -> io::Result<()>;
    /// Reads the next entry; None at the end.
    fn read(input: &mut impl Read) -> io::Result<Option<Self>>;
    /// Bytes that it takes in memory.
    fn bytes(&self) -> usize {
        size_of::<Self>()
    }
}

/// A key of 64 bits and how often it was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// The key.
    pub key: u64,
    /// How often.
    pub count: u64,
}

impl Entry for Count {
    fn order(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key)
    }

    fn absorb(&mut self, other: Self) {
        self.count = self.count.saturating_add(other.count);
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.key.to_le_bytes())?;
        write_number(out, self.count)
    }

    fn read(input: &mut impl Read) -> io::Result<Option<Self>> {
        let mut key = [0; 8];
        if !fill(input, &mut key)? {
            return Ok(None);
        }
        Ok(Some(Self { key: u64::from_le_bytes(key), count: read_number(input)? }))
    }
}

/// A word, how often it was met, and how often as the last of its block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordCount {
    /// The word.
    pub word: Box<str>,
    /// How often.
    pub count: u64,
    /// How often at a block's end, where no other word follows.
    pub last: u64,
    /// Whether it is the target language's.
    pub own: bool,
}

impl Entry for WordCount {
    fn order(&self, other: &Self) -> Ordering {
        self.word.cmp(&other.word)
    }

    fn absorb(&mut self, other: Self) {
        self.count = self.count.saturating_add(other.count);
        self.last = self.last.saturating_add(other.last);
        // The same for a word in every corpus of one language; two states may say otherwise.
        self.own |= other.own;
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        write_number(out, self.word.len() as u64)?;
        out.write_all(self.word.as_bytes())?;
        write_number(out, self.count)?;
        write_number(out, self.last)?;
        out.write_all(&[u8::from(self.own)])
    }

    fn read(input: &mut impl Read) -> io::Result<Option<Self>> {
        let mut first = [0];
        if !fill(input, &mut first)? {
            return Ok(None);
        }
        let length = read_number_after(first[0], input)?;
        let mut word = Vec::new();
        input.take(length.min(MAX_TEXT)).read_to_end(&mut word)?;
        let bad = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
        if word.len() as u64 != length {
            return Err(bad("a word of a temporary file is cut short"));
        }
        let word = String::from_utf8(word).map_err(|_| bad("a word of a temporary file is no UTF-8"))?;
        let (count, last) = (read_number(input)?, read_number(input)?);
        let mut own = [0];
        input.read_exact(&mut own)?;
        Ok(Some(Self { word: word.into_boxed_str(), count, last, own: own[0] != 0 }))
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.word.len()
    }
}

/// A thing and a group that it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Member {
    /// The group.
    pub group: u64,
    /// The thing.
    pub id: u64,
}

impl Entry for Member {
    fn order(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }

    fn absorb(&mut self, _: Self) {}

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.group.to_le_bytes())?;
        out.write_all(&self.id.to_le_bytes())
    }

    fn read(input: &mut impl Read) -> io::Result<Option<Self>> {
        let (mut group, mut id) = ([0; 8], [0; 8]);
        if !fill(input, &mut group)? {
            return Ok(None);
        }
        input.read_exact(&mut id)?;
        Ok(Some(Self { group: u64::from_le_bytes(group), id: u64::from_le_bytes(id) }))
    }
}

/// Reads exactly so many bytes; false if there is not one.
fn fill(input: &mut impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    let (first, rest) = bytes.split_at_mut(1);
    loop {
        match input.read(first) {
            Ok(0) => return Ok(false),
            Ok(_) => break,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    input.read_exact(rest)?;
    Ok(true)
}

fn write_number(out: &mut impl Write, mut number: u64) -> io::Result<()> {
    let (mut bytes, mut length) = ([0; 10], 0);
    while number >= 0x80 {
        bytes[length] = number as u8 | 0x80;
        number >>= 7;
        length += 1;
    }
    bytes[length] = number as u8;
    out.write_all(&bytes[..=length])
}

fn read_number(input: &mut impl Read) -> io::Result<u64> {
    let mut first = [0];
    input.read_exact(&mut first)?;
    read_number_after(first[0], input)
}

fn read_number_after(first: u8, input: &mut impl Read) -> io::Result<u64> {
    let (mut number, mut byte, mut shift) = (u64::from(first & 0x7f), [first], 7);
    while byte[0] & 0x80 != 0 && shift < 64 {
        input.read_exact(&mut byte)?;
        number |= u64::from(byte[0] & 0x7f) << shift;
        shift += 7;
    }
    Ok(number)
}

/// Sorted entries, each key once.
#[derive(Debug)]
enum Run<E> {
    Memory(Vec<E>),
    Disk(File),
}

/// Entries in any order, in bounded memory; they come out sorted, each key once.
#[derive(Debug)]
pub struct Table<E> {
    scratch: Scratch,
    /// Not sorted yet.
    open: Vec<E>,
    open_bytes: usize,
    /// Sorted runs in memory, the longest first.
    sorted: Vec<Vec<E>>,
    sorted_bytes: usize,
    disk: Vec<File>,
}

impl<E: Entry> Table<E> {
    /// An empty table.
    pub fn new(scratch: &Scratch) -> Self {
        Self {
            scratch: scratch.clone(),
            open: Vec::new(),
            open_bytes: 0,
            sorted: Vec::new(),
            sorted_bytes: 0,
            disk: Vec::new(),
        }
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// When a temporary file cannot be written.
    pub fn add(&mut self, entry: E) -> io::Result<()> {
        self.open_bytes += entry.bytes();
        self.open.push(entry);
        // A quarter for what is open, and as much again for sorting and merging.
        if self.open_bytes >= self.scratch.table_bytes / 4 {
            self.sort()?;
        }
        Ok(())
    }

    /// Adds everything that another table holds.
    ///
    /// # Errors
    /// When a temporary file cannot be written.
    pub fn merge(&mut self, mut other: Self) -> io::Result<()> {
        other.sort()?;
        self.disk.append(&mut other.disk);
        for run in other.sorted {
            self.push(run)?;
        }
        self.shorten()
    }

    /// Makes a sorted run of what is open.
    fn sort(&mut self) -> io::Result<()> {
        let mut run = std::mem::take(&mut self.open);
        let capacity = run.capacity();
        self.open_bytes = 0;
        run.sort_unstable_by(E::order);
        run.dedup_by(|next, kept| {
            let same = next.order(kept) == Ordering::Equal;
            if same {
                kept.absorb(next.clone());
            }
            same
        });
        self.push(run)?;
        self.open.reserve(capacity.min(1 << 16));
        Ok(())
    }

    /// Takes a sorted run in. Runs of like length become one, so that there are few.
    fn push(&mut self, mut run: Vec<E>) -> io::Result<()> {
        if run.is_empty() {
            return Ok(());
        }
        while let Some(last) = self.sorted.pop() {
            if last.len() / 2 > run.len() {
                self.sorted.push(last);
                break;
            }
            run = merge_two(last, run);
        }
        self.sorted.push(run);
        self.sorted_bytes = self.sorted.iter().flatten().map(E::bytes).sum();
        if self.sorted_bytes >= self.scratch.table_bytes / 2 {
            self.spill()?;
        }
        Ok(())
    }

    /// Writes what is sorted to a file.
    fn spill(&mut self) -> io::Result<()> {
        let runs: Vec<Run<E>> = self.sorted.drain(..).map(Run::Memory).collect();
        self.sorted_bytes = 0;
        let file = self.write(runs)?;
        self.disk.push(file);
        self.shorten()
    }

    /// Makes one file of many.
    fn shorten(&mut self) -> io::Result<()> {
        if self.disk.len() >= MAX_RUNS {
            let runs = self.disk.drain(..).map(Run::Disk).collect();
            let file = self.write(runs)?;
            self.disk.push(file);
        }
        Ok(())
    }

    fn write(&self, runs: Vec<Run<E>>) -> io::Result<File> {
        let mut out = BufWriter::with_capacity(1 << 18, tempfile::tempfile_in(&self.scratch.folder)?);
        for entry in Merged::new(runs)? {
            entry?.write(&mut out)?;
        }
        out.into_inner().map_err(io::IntoInnerError::into_error)
    }

    /// Every entry in order, each key once. The table is empty afterwards.
    ///
    /// # Errors
    /// When a temporary file cannot be read; so may each entry be.
    pub fn drain(&mut self) -> io::Result<Merged<E>> {
        self.sort()?;
        let memory = self.sorted.drain(..).map(Run::Memory);
        let runs = memory.chain(self.disk.drain(..).map(Run::Disk)).collect();
        self.sorted_bytes = 0;
        Merged::new(runs)
    }

    /// Every entry in order, each key once, some 1 MB at a time. The table is empty afterwards.
    ///
    /// # Errors
    /// When a temporary file cannot be read, or as `give` says.
    pub fn chunks(&mut self, give: &mut dyn FnMut(Vec<E>) -> io::Result<()>) -> io::Result<()> {
        let (mut chunk, mut bytes) = (Vec::new(), 0);
        for entry in self.drain()? {
            let entry = entry?;
            bytes += entry.bytes();
            chunk.push(entry);
            if bytes >= PART_BYTES {
                give(std::mem::take(&mut chunk))?;
                bytes = 0;
            }
        }
        if chunk.is_empty() {
            return Ok(());
        }
        give(chunk)
    }

    /// Adds what [`Table::chunks`] gave.
    ///
    /// # Errors
    /// When it is not in order, or a temporary file cannot be written.
    pub fn absorb(&mut self, chunk: Vec<E>) -> Result<(), BadState> {
        if !chunk.is_sorted_by(|a, b| a.order(b) == Ordering::Less) {
            return Err(BadState("a state's entries are not in order".to_owned()));
        }
        Ok(self.push(chunk)?)
    }

    /// A table of entries that are sorted, each key once.
    pub fn of_sorted(scratch: &Scratch, entries: Vec<E>) -> io::Result<Self> {
        let mut table = Self::new(scratch);
        table.push(entries)?;
        Ok(table)
    }
}

fn merge_two<E: Entry>(left: Vec<E>, right: Vec<E>) -> Vec<E> {
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let order = a.order(b);
        if order == Ordering::Greater {
            merged.extend(right.next());
        } else if let Some(mut entry) = left.next() {
            if order == Ordering::Equal {
                if let Some(same) = right.next() {
                    entry.absorb(same);
                }
            }
            merged.push(entry);
        }
    }
    merged.extend(left);
    merged.extend(right);
    merged
}

/// Entries of sorted runs in order, each key once.
#[derive(Debug)]
pub struct Merged<E> {
    runs: Vec<Source<E>>,
    heads: BinaryHeap<Reverse<Head<E>>>,
}

#[derive(Debug)]
enum Source<E> {
    Memory(std::vec::IntoIter<E>),
    Disk(BufReader<File>),
}

#[derive(Debug)]
struct Head<E> {
    entry: E,
    run: usize,
}

impl<E: Entry> Ord for Head<E> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.entry.order(&other.entry).then(self.run.cmp(&other.run))
    }
}

impl<E: Entry> PartialOrd for Head<E> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E: Entry> PartialEq for Head<E> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<E: Entry> Eq for Head<E> {}

impl<E: Entry> Merged<E> {
    fn new(runs: Vec<Run<E>>) -> io::Result<Self> {
        let mut sources = Vec::with_capacity(runs.len());
        for run in runs {
            sources.push(match run {
                Run::Memory(entries) => Source::Memory(entries.into_iter()),
                Run::Disk(mut file) => {
                    file.seek(SeekFrom::Start(0))?;
                    Source::Disk(BufReader::with_capacity(1 << 16, file))
                }
            });
        }
        let mut merged = Self { heads: BinaryHeap::with_capacity(sources.len()), runs: sources };
        for run in 0..merged.runs.len() {
            merged.advance(run)?;
        }
        Ok(merged)
    }

    /// Brings up the next entry of a run.
    fn advance(&mut self, run: usize) -> io::Result<()> {
        let next = match &mut self.runs[run] {
            Source::Memory(entries) => entries.next(),
            Source::Disk(file) => E::read(file)?,
        };
        self.heads.extend(next.map(|entry| Reverse(Head { entry, run })));
        Ok(())
    }

    fn pop(&mut self) -> io::Result<Option<E>> {
        let Some(Reverse(Head { entry, run })) = self.heads.pop() else { return Ok(None) };
        self.advance(run)?;
        Ok(Some(entry))
    }
}

impl<E: Entry> Iterator for Merged<E> {
    type Item = io::Result<E>;

    fn next(&mut self) -> Option<io::Result<E>> {
        // A single run in memory needs no merging.
        if let ([Source::Memory(entries)], true) = (&mut self.runs[..], self.heads.is_empty()) {
            return entries.next().map(Ok);
        }
        let mut entry = match self.pop() {
            Ok(entry) => entry?,
            Err(error) => return Some(Err(error)),
        };
        while self.heads.peek().is_some_and(|Reverse(head)| head.entry.order(&entry) == Ordering::Equal) {
            match self.pop() {
                Ok(Some(same)) => entry.absorb(same),
                Ok(None) => break,
                Err(error) => return Some(Err(error)),
            }
        }
        Some(Ok(entry))
    }
}
