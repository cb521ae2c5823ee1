//! Counting in bounded memory: entries are partitioned by the bytes of their keys, first in memory,
//! then in temporary files, and returned sorted.
//!
//! A table is an external radix sort. An entry goes into one of 256 parts by the first byte of its
//! key. When memory is full and merging equal keys would free too little, each part is written as a
//! block. A large part becomes a table by the second byte when it is read, and so on. So each entry
//! is written once, except in the largest tables, whose parts do not fit into memory, and the cost
//! is linear in the number of entries.
//!
//! The result does not depend on the memory limit; only time and disk space do.

use crate::state::{BadState, PART_BYTES};
use compact_str::CompactString;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// Parts of a table: one per value of a byte.
const PARTS: usize = 256;

/// One of this many parts is sorted to estimate the number of equal keys.
const SAMPLED: usize = 16;

/// Entries that are sorted at once; larger sets are partitioned first, which is faster than sorting
/// beyond the cache.
const SORTED_AT_ONCE: u64 = 1 << 15;

/// The folder for temporary files, and the memory limit of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scratch {
    /// Folder for temporary files, which have no name there.
    pub folder: PathBuf,
    /// Memory limit of a table of weight 1 in bytes, see [`Scratch::times`].
    pub table_bytes: usize,
}

impl Scratch {
    /// Creates a limit of `table_bytes` bytes per table, with temporary files in `folder`.
    pub fn new(folder: &Path, table_bytes: usize) -> Self {
        Self { folder: folder.to_owned(), table_bytes: table_bytes.max(1 << 10) }
    }

    /// Divides memory among the tables of one [`crate::Measures`].
    pub fn sharing(folder: &Path, memory: usize) -> Self {
        Self::new(folder, memory / SHARES)
    }

    /// Returns the limit for a table with a multiple of the usual entries.
    #[must_use]
    pub fn times(&self, weight: usize) -> Self {
        Self { folder: self.folder.clone(), table_bytes: self.table_bytes.saturating_mul(weight) }
    }
}

/// Weights of tables: their approximate number of entries, relative to tables with one entry per
/// page.
pub(crate) mod weight {
    /// Words in the open hash table.
    pub(crate) const VOCABULARY: usize = 9;
    /// Words in the sorted table.
    pub(crate) const WORDS: usize = 4;
    /// Sequences of two words, and of three words.
    pub(crate) const SEQUENCES: usize = 9;
    /// Bands of MinHash signatures.
    pub(crate) const BANDS: usize = 4;
    /// Tables with one entry per page: texts, bytes as fetched, two profiles, URLs.
    pub(crate) const PAGES: usize = 5;
}

/// Sum of the weights of all tables.
const SHARES: usize =
    weight::VOCABULARY + weight::WORDS + 2 * weight::SEQUENCES + weight::BANDS + weight::PAGES;

/// The entries of a table: they are ordered by a key, and entries with equal keys are merged.
pub trait Entry: Sized {
    /// Bytes of the key that select parts. Different keys may share these bytes, but not many.
    const DIGITS: u32;
    /// Returns a byte of the key; the order of keys begins with these bytes.
    fn digit(&self, place: u32) -> u8;
    /// Compares the keys.
    fn order(&self, other: &Self) -> Ordering;
    /// Merges an entry with the same key.
    fn absorb(&mut self, other: &Self);
    /// Writes the entry for [`Entry::read`], without the byte at `place`, which [`Entry::read`]
    /// receives as an argument.
    fn write(&self, place: u32, out: &mut Vec<u8>);
    /// Reads the next entry.
    ///
    /// # Errors
    /// Fails if there is none.
    fn read(place: u32, digit: u8, input: &mut &[u8]) -> io::Result<Self>;
    /// Returns its memory on the heap, in bytes.
    fn bytes_elsewhere(&self) -> usize {
        0
    }
}

/// A key of 64 bits and its count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// Hash of the thing that is counted.
    pub key: u64,
    /// Number of occurrences.
    pub count: u64,
}

impl Entry for Count {
    const DIGITS: u32 = 8;

    fn digit(&self, place: u32) -> u8 {
        digit(self.key, place)
    }

    fn order(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key)
    }

    fn absorb(&mut self, other: &Self) {
        self.count = self.count.saturating_add(other.count);
    }

    fn write(&self, place: u32, out: &mut Vec<u8>) {
        write_rest(out, self.key, place);
        write_number(out, self.count);
    }

    fn read(place: u32, digit: u8, input: &mut &[u8]) -> io::Result<Self> {
        Ok(Self { key: read_rest(input, digit, place)?, count: read_number(input)? })
    }
}

/// A URL and the text of its page, as hashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct UrlText {
    /// Hash of the URL.
    pub url: u64,
    /// Hash of the text; 0 if the text is not known.
    pub text: u64,
}

impl Entry for UrlText {
    const DIGITS: u32 = 8;

    fn digit(&self, place: u32) -> u8 {
        digit(self.url, place)
    }

    fn order(&self, other: &Self) -> Ordering {
        self.url.cmp(&other.url)
    }

    fn absorb(&mut self, other: &Self) {
        // The same for every order of merging.
        self.text = self.text.max(other.text);
    }

    fn write(&self, place: u32, out: &mut Vec<u8>) {
        write_rest(out, self.url, place);
        out.extend_from_slice(&self.text.to_le_bytes());
    }

    fn read(place: u32, digit: u8, input: &mut &[u8]) -> io::Result<Self> {
        let url = read_rest(input, digit, place)?;
        let (text, rest) = input.split_first_chunk().ok_or_else(damaged)?;
        *input = rest;
        Ok(Self { url, text: u64::from_le_bytes(*text) })
    }
}

/// A word, its count, and its count at the end of blocks. Words are ordered by their hashes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "UnhashedWord")]
pub struct WordCount {
    /// The word as it is counted.
    pub word: CompactString,
    /// Number of occurrences.
    pub count: u64,
    /// Number of occurrences at the end of a block, where no other word follows.
    pub last: u64,
    /// Whether it is in the target language's letters.
    pub own: bool,
    /// XXH3 of the word.
    #[serde(skip)]
    hash: u64,
}

/// The serialized form of a [`WordCount`].
#[derive(Deserialize)]
struct UnhashedWord {
    word: CompactString,
    count: u64,
    last: u64,
    own: bool,
}

impl From<UnhashedWord> for WordCount {
    fn from(UnhashedWord { word, count, last, own }: UnhashedWord) -> Self {
        Self::new(&word, count, last, own)
    }
}

impl WordCount {
    /// Creates an entry from a word with its XXH3 and its counts.
    pub(crate) fn hashed(hash: u64, word: &str, count: u64, last: u64, own: bool) -> Self {
        Self { hash, word: word.into(), count, last, own }
    }

    /// Creates an entry from a word with its counts.
    pub fn new(word: &str, count: u64, last: u64, own: bool) -> Self {
        Self::hashed(xxh3_64(word.as_bytes()), word, count, last, own)
    }
}

impl Entry for WordCount {
    const DIGITS: u32 = 8;

    fn digit(&self, place: u32) -> u8 {
        digit(self.hash, place)
    }

    fn order(&self, other: &Self) -> Ordering {
        self.hash.cmp(&other.hash).then_with(|| self.word.cmp(&other.word))
    }

    fn absorb(&mut self, other: &Self) {
        self.count = self.count.saturating_add(other.count);
        self.last = self.last.saturating_add(other.last);
        // The flag is the same in all states of one target language; a damaged state may differ.
        self.own |= other.own;
    }

    fn write(&self, _: u32, out: &mut Vec<u8>) {
        write_number(out, self.word.len() as u64);
        out.extend_from_slice(self.word.as_bytes());
        write_number(out, self.count);
        write_number(out, self.last);
        out.push(u8::from(self.own));
    }

    fn read(_: u32, _: u8, input: &mut &[u8]) -> io::Result<Self> {
        let length = usize::try_from(read_number(input)?).map_err(|_| damaged())?;
        let (word, rest) = input.split_at_checked(length).ok_or_else(damaged)?;
        *input = rest;
        let word = std::str::from_utf8(word).map_err(|_| damaged())?;
        let (count, last, own) = (read_number(input)?, read_number(input)?, read_number(input)?);
        Ok(Self::new(word, count, last, own != 0))
    }

    fn bytes_elsewhere(&self) -> usize {
        // The allocator's overhead per entry, approximately.
        if self.word.is_heap_allocated() {
            self.word.len() + 16
        } else {
            0
        }
    }
}

/// An item and its group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Member {
    /// Number of the group that the page is in.
    pub group: u64,
    /// Number of the page in the group.
    pub id: u64,
}

impl Entry for Member {
    const DIGITS: u32 = 16;

    fn digit(&self, place: u32) -> u8 {
        match place.checked_sub(8) {
            None => digit(self.group, place),
            Some(place) => digit(self.id, place),
        }
    }

    fn order(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }

    fn absorb(&mut self, _: &Self) {}

    fn write(&self, place: u32, out: &mut Vec<u8>) {
        let (first, other) = if place < 8 { (self.group, self.id) } else { (self.id, self.group) };
        write_rest(out, first, place % 8);
        out.extend_from_slice(&other.to_le_bytes());
    }

    fn read(place: u32, digit: u8, input: &mut &[u8]) -> io::Result<Self> {
        let first = read_rest(input, digit, place % 8)?;
        let (other, rest) = input.split_first_chunk().ok_or_else(damaged)?;
        *input = rest;
        let other = u64::from_le_bytes(*other);
        let (group, id) = if place < 8 { (first, other) } else { (other, first) };
        Ok(Self { group, id })
    }
}

fn digit(key: u64, place: u32) -> u8 {
    (key >> (56 - 8 * place)) as u8
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a temporary file is not as it was written")
}

/// Writes all bytes of a key except for the one at `place`.
fn write_rest(out: &mut Vec<u8>, key: u64, place: u32) {
    out.extend_from_slice(&key.rotate_left(8 * (place + 1)).to_le_bytes()[1..]);
}

fn read_rest(input: &mut &[u8], digit: u8, place: u32) -> io::Result<u64> {
    let (&[a, b, c, d, e, f, g], rest) = input.split_first_chunk().ok_or_else(damaged)?;
    *input = rest;
    Ok(u64::from_le_bytes([digit, a, b, c, d, e, f, g]).rotate_right(8 * (place + 1)))
}

/// Writes seven bits per byte, the lowest first.
fn write_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn read_number(input: &mut &[u8]) -> io::Result<u64> {
    let mut number = 0;
    for (place, &byte) in input.iter().enumerate().take(10) {
        number |= u64::from(byte & 0x7f) << (7 * place);
        if byte < 0x80 {
            *input = &input[place + 1..];
            return Ok(number);
        }
    }
    Err(damaged())
}

/// Position of a part's last block, and the size of all its blocks.
#[derive(Debug, Clone, Copy, Default)]
struct Chain {
    at: u64,
    /// Bytes with heads; 0 for a part without blocks.
    bytes: u64,
    entries: u64,
}

/// Size of a block's head: the position of the previous block, and the length.
const HEAD: usize = 16;

/// Blocks of entries in a temporary file.
#[derive(Debug)]
struct Spill {
    file: File,
    /// The byte of a key that selects its part.
    place: u32,
    end: u64,
    chains: Vec<Chain>,
}

impl Spill {
    fn new(folder: &Path, place: u32) -> io::Result<Self> {
        Ok(Self {
            file: tempfile::tempfile_in(folder)?,
            place,
            end: 0,
            chains: vec![Chain::default(); PARTS],
        })
    }

    fn write<E: Entry>(
        &mut self,
        part: usize,
        entries: &[E],
        block: &mut Vec<u8>,
    ) -> io::Result<()> {
        let chain = &mut self.chains[part];
        block.clear();
        block.extend_from_slice(&chain.at.to_le_bytes());
        block.extend_from_slice(&chain.bytes.to_le_bytes());
        for entry in entries {
            entry.write(self.place, block);
        }
        self.file.write_all(block)?;
        *chain = Chain {
            at: self.end,
            bytes: block.len() as u64,
            entries: chain.entries + entries.len() as u64,
        };
        self.end += chain.bytes;
        Ok(())
    }

    /// Reads all entries of a part, in no order.
    fn read<E: Entry>(
        &mut self,
        part: usize,
        take: &mut impl FnMut(E) -> io::Result<()>,
    ) -> io::Result<()> {
        let Chain { mut at, mut bytes, .. } = self.chains[part];
        let mut block = Vec::new();
        while bytes > 0 {
            self.file.seek(SeekFrom::Start(at))?;
            block.resize(usize::try_from(bytes).map_err(|_| damaged())?, 0);
            self.file.read_exact(&mut block)?;
            let (head, mut entries) = block.split_first_chunk::<HEAD>().ok_or_else(damaged)?;
            let number = |at: usize| {
                head[at..at + 8].iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
            };
            (at, bytes) = (number(0), number(8));
            while !entries.is_empty() {
                take(E::read(self.place, part as u8, &mut entries)?)?;
            }
        }
        Ok(())
    }
}

/// Accepts entries in any order, in bounded memory, and returns them sorted, each key once.
#[derive(Debug)]
pub struct Table<E> {
    scratch: Scratch,
    /// The byte of a key that selects its part.
    place: u32,
    /// Empty, or 256 parts.
    parts: Vec<Vec<E>>,
    /// Memory of the parts, in bytes.
    held: usize,
    /// The entries on disk.
    spill: Option<Spill>,
    /// The entries on disk of merged tables.
    others: Vec<Spill>,
}

impl<E: Entry> Table<E> {
    /// Creates an empty table.
    pub fn new(scratch: &Scratch) -> Self {
        Self::at(scratch, 0)
    }

    /// Returns the limits of the table.
    pub fn scratch(&self) -> &Scratch {
        &self.scratch
    }

    fn at(scratch: &Scratch, place: u32) -> Self {
        Self {
            scratch: scratch.clone(),
            place,
            parts: Vec::new(),
            held: 0,
            spill: None,
            others: Vec::new(),
        }
    }

    /// Reserves memory in the parts for evenly distributed entries, if the limit allows.
    fn expect(&mut self, entries: usize) {
        let mean = entries / PARTS;
        // Five standard deviations: hardly any part will grow.
        let room = mean + 5 * mean.isqrt();
        if PARTS * room * size_of::<E>() <= self.scratch.table_bytes / 4 * 3 {
            self.parts = (0..PARTS).map(|_| Vec::with_capacity(room)).collect();
            self.held = self.parts.iter().map(bytes).sum();
        }
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be written.
    pub fn add(&mut self, entry: E) -> io::Result<()> {
        let number = usize::from(entry.digit(self.place));
        match self.parts.get_mut(number) {
            Some(part) if part.len() < part.capacity() => {
                self.held += entry.bytes_elsewhere();
                part.push(entry);
                Ok(())
            }
            _ => self.add_slowly(number, entry),
        }
    }

    /// Adds an entry to a full part.
    #[cold]
    fn add_slowly(&mut self, number: usize, entry: E) -> io::Result<()> {
        if self.parts.is_empty() {
            self.parts.resize_with(PARTS, Vec::new);
        }
        let more = |part: &Vec<E>| (part.capacity() / 2).max(4);
        if self.held + more(&self.parts[number]) * size_of::<E>() > self.scratch.table_bytes {
            self.make_room()?;
        }
        let part = &mut self.parts[number];
        if part.len() == part.capacity() {
            let before = part.capacity();
            part.reserve_exact(more(part));
            self.held += (part.capacity() - before) * size_of::<E>();
        }
        self.held += entry.bytes_elsewhere();
        part.push(entry);
        Ok(())
    }

    /// Merges entries with equal keys, or writes everything to disk if too many keys differ.
    fn make_room(&mut self) -> io::Result<()> {
        // A sample of the parts shows whether sorting all is worth its time.
        let (mut sampled, mut different) = (0, 0);
        for part in self.parts.iter_mut().step_by(SAMPLED) {
            sampled += part.len();
            sort(part);
            different += part.len();
        }
        if different > sampled / 2 {
            return self.write();
        }
        self.parts.iter_mut().for_each(sort);
        self.parts.iter_mut().for_each(Vec::shrink_to_fit);
        self.held = self.parts.iter().map(bytes).sum();
        if self.held > self.scratch.table_bytes / 2 {
            return self.write();
        }
        Ok(())
    }

    /// Writes all parts to disk.
    fn write(&mut self) -> io::Result<()> {
        let spill = match &mut self.spill {
            Some(spill) => spill,
            None => self.spill.insert(Spill::new(&self.scratch.folder, self.place)?),
        };
        let entries: usize = self.parts.iter().map(Vec::len).sum();
        // Parts that filled evenly are expected to do so again.
        let even = entries * size_of::<E>() > self.scratch.table_bytes / 2;
        let mut block = Vec::new();
        for (number, part) in self.parts.iter_mut().enumerate() {
            if !part.is_empty() {
                spill.write(number, part, &mut block)?;
            }
            if even {
                part.clear();
            } else {
                *part = Vec::new();
            }
        }
        self.held = self.parts.iter().map(bytes).sum();
        Ok(())
    }

    /// Adds all entries of another table.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be written.
    pub fn merge(&mut self, other: Self) -> io::Result<()> {
        self.others.extend(other.spill);
        self.others.extend(other.others);
        other.parts.into_iter().flatten().try_for_each(|entry| self.add(entry))
    }

    /// Returns all entries in order, each key once. The table is empty afterwards.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be written. If one cannot be read, the iterator yields an
    /// error.
    pub fn drain(&mut self) -> io::Result<Drained<E>> {
        if self.spill.is_some() || !self.others.is_empty() {
            // The memory is needed for the entries read from disk.
            self.write()?;
            (self.parts, self.held) = (Vec::new(), 0);
        }
        let empty = Self::at(&self.scratch, self.place);
        Ok(Drained {
            table: std::mem::replace(self, empty),
            next: 0,
            entries: Vec::new().into_iter(),
            deeper: None,
        })
    }

    /// Passes all entries to `give` in order, each key once, about 1 MB at a time. The table is
    /// empty afterwards.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be read, or `give` fails.
    pub fn chunks(&mut self, give: &mut dyn FnMut(Vec<E>) -> io::Result<()>) -> io::Result<()> {
        let (mut chunk, mut bytes) = (Vec::new(), 0);
        for entry in self.drain()? {
            let entry = entry?;
            bytes += size_of::<E>() + entry.bytes_elsewhere();
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

    /// Adds a chunk of [`Table::chunks`].
    ///
    /// # Errors
    /// Fails if it is not in order, or a temporary file cannot be written.
    pub fn absorb(&mut self, chunk: Vec<E>) -> Result<(), BadState> {
        if !chunk.is_sorted_by(|a, b| a.order(b) == Ordering::Less) {
            return Err(BadState::Unsorted);
        }
        Ok(chunk.into_iter().try_for_each(|entry| self.add(entry))?)
    }
}

/// Returns the memory of a part, in bytes.
fn bytes<E: Entry>(part: &Vec<E>) -> usize {
    part.capacity() * size_of::<E>() + part.iter().map(E::bytes_elsewhere).sum::<usize>()
}

/// Sorts entries and merges those with equal keys.
fn sort<E: Entry>(entries: &mut Vec<E>) {
    entries.sort_unstable_by(E::order);
    entries.dedup_by(|next, kept| {
        let same = next.order(kept) == Ordering::Equal;
        if same {
            kept.absorb(next);
        }
        same
    });
}

/// An iterator over the entries of a table in order, each key once.
#[derive(Debug)]
pub struct Drained<E> {
    table: Table<E>,
    /// The next part.
    next: usize,
    /// The remaining entries of the current part.
    entries: std::vec::IntoIter<E>,
    /// A part that is too large to be sorted at once.
    deeper: Option<Box<Drained<E>>>,
}

impl<E: Entry> Drained<E> {
    /// Loads the next part; returns false at the end.
    fn advance(&mut self) -> io::Result<bool> {
        if self.next == PARTS {
            return Ok(false);
        }
        let number = self.next;
        self.next += 1;
        let Table { scratch, place, parts, spill, others, .. } = &mut self.table;
        let mut entries = parts.get_mut(number).map(std::mem::take).unwrap_or_default();
        let on_disk: u64 =
            spill.iter().chain(&*others).map(|spill| spill.chains[number].entries).sum();
        let most = SORTED_AT_ONCE.min((scratch.table_bytes / size_of::<E>()) as u64);
        let spills = spill.iter_mut().chain(others);
        if entries.len() as u64 + on_disk > most && *place + 1 < E::DIGITS {
            let mut deeper = Table::at(scratch, *place + 1);
            deeper.expect(entries.len() + usize::try_from(on_disk).unwrap_or(usize::MAX));
            entries.into_iter().try_for_each(|entry| deeper.add(entry))?;
            for spill in spills {
                spill.read(number, &mut |entry| deeper.add(entry))?;
            }
            self.deeper = Some(Box::new(deeper.drain()?));
        } else {
            entries.reserve_exact(usize::try_from(on_disk).map_err(|_| damaged())?);
            for spill in spills {
                spill.read(number, &mut |entry| {
                    entries.push(entry);
                    Ok(())
                })?;
            }
            sort(&mut entries);
            self.entries = entries.into_iter();
        }
        Ok(true)
    }
}

impl<E: Entry> Iterator for Drained<E> {
    type Item = io::Result<E>;

    fn next(&mut self) -> Option<io::Result<E>> {
        loop {
            if let Some(entry) = self.entries.next() {
                return Some(Ok(entry));
            }
            if let Some(entry) = self.deeper.as_mut().and_then(|deeper| deeper.next()) {
                return Some(entry);
            }
            self.deeper = None;
            match self.advance() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn scratch(table_bytes: usize) -> Scratch {
        Scratch::new(&std::env::temp_dir(), table_bytes)
    }

    fn all<E: Entry>(mut table: Table<E>) -> Vec<E> {
        table.drain().expect("memory").collect::<io::Result<_>>().expect("memory")
    }

    /// Generates keys that share all, some or none of their bytes, and a memory limit.
    fn keys() -> impl Strategy<Value = (Vec<u64>, usize)> {
        let key =
            prop_oneof![any::<u64>(), 0..300u64, (0..3u64).prop_map(|n| n << 56), Just(u64::MAX)];
        (
            prop::collection::vec(key, 0..3000),
            prop::sample::select(vec![1 << 10, 1 << 12, 1 << 14, 1 << 24]),
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn keys_come_out_sorted_and_counted((keys, bytes) in keys(), cut in any::<prop::sample::Index>()) {
            let cut = cut.index(keys.len() + 1);
            let mut tables = [Table::new(&scratch(bytes)), Table::new(&scratch(1 << 12))];
            let mut counts = BTreeMap::new();
            for (at, &key) in keys.iter().enumerate() {
                tables[usize::from(at >= cut)].add(Count { key, count: 1 }).expect("memory");
                *counts.entry(key).or_insert(0) += 1;
            }
            let [mut table, other] = tables;
            table.merge(other).expect("memory");
            let counts: Vec<Count> = counts.into_iter().map(|(key, count)| Count { key, count }).collect();
            prop_assert_eq!(all(table), counts);
        }

        #[test]
        fn members_come_out_sorted_and_once((keys, bytes) in keys(), groups in 1..9u64) {
            let members = || keys.iter().map(|&id| Member { group: id % groups, id });
            let mut table = Table::new(&scratch(bytes));
            members().try_for_each(|member| table.add(member)).expect("memory");
            prop_assert_eq!(all(table), members().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>());
        }

        #[test]
        fn words_come_out_once_with_all_their_counts((keys, bytes) in keys()) {
            let mut table = Table::new(&scratch(bytes));
            let mut counts = BTreeMap::new();
            for key in keys {
                let word = format!("{key:x}{}", "x".repeat(key as usize % 40));
                table.add(WordCount::new(&word, key >> 1, 1, key % 2 == 0)).expect("memory");
                let counts = counts.entry(word.into()).or_insert((0u64, 0, key % 2 == 0));
                *counts = (counts.0.saturating_add(key >> 1), counts.1 + 1, counts.2);
            }
            let words = all(table);
            prop_assert!(words.is_sorted_by(|a, b| a.order(b) == Ordering::Less));
            let words = words.into_iter().map(|WordCount { word, count, last, own, .. }| (word, (count, last, own)));
            prop_assert_eq!(words.collect::<BTreeMap<_, _>>(), counts);
        }
    }

    #[test]
    fn a_table_takes_no_more_memory_than_it_may_and_one_key_no_disk() {
        let mut table = Table::new(&scratch(1 << 16));
        for key in 0..100_000u64 {
            table.add(Count { key: 7, count: 1 }).expect("memory");
            assert!(table.held <= 1 << 16 && table.spill.is_none(), "{key}");
        }
        for key in 0..100_000u64 {
            table
                .add(Count { key: key.wrapping_mul(0x9e37_79b9_7f4a_7c15), count: 1 })
                .expect("memory");
            assert!(table.held <= 1 << 16, "{key}");
        }
        assert!(table.spill.is_some());
        let counts = all(table);
        assert_eq!(counts.len(), 100_001);
        assert_eq!(
            counts.iter().find(|count| count.key == 7),
            Some(&Count { key: 7, count: 100_000 })
        );
    }

    #[test]
    fn what_is_cut_short_is_told() {
        for bytes in [&[][..], &[0x80], &[0xff; 10], &[3, b'a', b'b'], &[2, 0xd9, 0xd9, 1, 1, 1]] {
            assert!(WordCount::read(0, 0, &mut &bytes[..]).is_err(), "{bytes:?}");
        }
        assert!(Count::read(0, 0, &mut &[1, 2, 3, 4, 5, 6, 7][..]).is_err());
        assert!(Member::read(0, 0, &mut &[1; 14][..]).is_err());
    }
}
