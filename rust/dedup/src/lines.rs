//! Line de-duplication with head and tail cut (W2C, `cleanFile.sh`; Majliš 2011).
//!
//! The different lines of a corpus are ranked by the number of their occurrences. A share of the
//! ranks is cut at the head (templates, spam comments, missed boilerplate) and at the tail
//! (malformed lines, such as lone punctuation). Each other line stays once. W2C sorts equal counts
//! by bytes, from the highest to the lowest, so the tail has the lines that begin with ASCII
//! punctuation and digits. Here the first eight bytes decide, then a hash. The order of the lines
//! in their texts stays, while W2C shuffles them.
//!
//! The lines are read twice. Memory is bounded: the rest goes to temporary files. Lines are
//! compared by 128 bits of SHA-256, so that no author of a page can make a line that is taken for
//! another page's.

use crate::pages::Removed;
use figures::identity;
use figures::scratch::{Drained, Entry, Scratch, Table};
use inputs::corpus::PageFields;
use langbytes::comparable;
use serde::Serialize;
use std::cmp::{Ordering, Reverse};
use std::io;
use std::iter::Peekable;
use std::path::Path;

/// Tables that share the memory.
const TABLES: usize = 3;

/// Returns the lines of a text that are counted, with their byte ranges: those that are not blank,
/// without the white space at their ends.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').map(str::trim).filter(|line| !line.is_empty())
}

/// Counts the lines of a corpus.
#[derive(Debug)]
pub struct LineCounts {
    scratch: Scratch,
    met: Table<Met>,
    lines: u64,
}

/// A different line.
#[derive(Debug, Clone, Copy)]
struct Met {
    hash: u128,
    /// The first eight bytes; they decide between equal counts.
    begin: u64,
    count: u64,
    /// Number of the first of its lines.
    first: u64,
}

impl LineCounts {
    /// Creates empty counts. `memory` is in bytes; temporary files are in `folder`, without names.
    pub fn new(folder: &Path, memory: usize) -> Self {
        let scratch = Scratch::new(folder, memory / TABLES);
        Self { met: Table::new(&scratch), scratch, lines: 0 }
    }

    /// Counts the lines of the next text.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be written.
    pub fn add_all(&mut self, text: &str) -> io::Result<()> {
        lines(text).try_for_each(|line| self.add(line))
    }

    /// Counts the next line.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be written.
    pub fn add(&mut self, line: &str) -> io::Result<()> {
        let mut begin = [0; 8];
        begin.iter_mut().zip(line.bytes()).for_each(|(place, byte)| *place = byte);
        let met = Met {
            hash: identity::lasting(comparable(line).as_bytes()),
            begin: u64::from_be_bytes(begin),
            count: 1,
            first: self.lines,
        };
        self.lines += 1;
        self.met.add(met)
    }

    /// Ranks the lines and cuts a percentage of the ranks, rounded down to whole lines, at the head
    /// and at the tail.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be read or written.
    pub fn rank(mut self, head: f64, tail: f64) -> io::Result<Fates> {
        let mut ranked = Table::new(&self.scratch);
        let mut cut = Cut { lines: self.lines, ..Cut::default() };
        for met in self.met.drain()? {
            ranked.add(Ranked(met?))?;
            cut.different += 1;
        }
        let share = |percent: f64| (cut.different as f64 * percent / 100.0) as u64;
        (cut.head, cut.tail) = (share(head), share(tail));
        let end = cut.different - cut.tail.min(cut.different);
        let mut fates = Table::new(&self.scratch);
        for (rank, ranked) in (0..).zip(ranked.drain()?) {
            let Ranked(Met { count, first, .. }) = ranked?;
            let fate = match rank {
                rank if rank < cut.head => Fate::Head(count),
                rank if rank >= end => Fate::Tail(count),
                _ => Fate::Kept,
            };
            match fate {
                Fate::Head(count) => cut.head_least = count,
                Fate::Tail(count) => cut.tail_most = cut.tail_most.max(count),
                _ => {}
            }
            fates.add(First { first, fate })?;
        }
        Ok(Fates { cut, fates: fates.drain()?.peekable(), line: 0 })
    }
}

/// Figures of a cut.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cut {
    /// Number of lines.
    pub lines: u64,
    /// Number of different lines.
    pub different: u64,
    /// Number of these that are cut at the head.
    pub head: u64,
    /// Occurrences of the rarest of these; 0 if there are none.
    pub head_least: u64,
    /// Number of different lines that are cut at the tail.
    pub tail: u64,
    /// Occurrences of the most frequent of these; 0 if there are none.
    pub tail_most: u64,
}

/// The fate of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// The line stays in its page.
    Kept,
    /// It is cut at the head, with this number of occurrences.
    Head(u64),
    /// It is cut at the tail, with this number of occurrences.
    Tail(u64),
    /// It is a copy of an earlier line.
    Copy,
}

/// The fates of the lines, in the order in which they were counted.
pub struct Fates {
    cut: Cut,
    fates: Peekable<Drained<First>>,
    line: u64,
}

impl Fates {
    /// Returns the figures.
    pub fn cut(&self) -> Cut {
        self.cut
    }

    /// Returns the fate of the next line.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be read.
    pub fn next_line(&mut self) -> io::Result<Fate> {
        let line = self.line;
        self.line += 1;
        let is_first = |fate: &io::Result<First>| fate.as_ref().is_ok_and(|f| f.first != line);
        match self.fates.peek() {
            Some(fate) if !is_first(fate) => {
                self.fates.next().transpose().map(|first| first.map_or(Fate::Copy, |f| f.fate))
            }
            _ => Ok(Fate::Copy),
        }
    }
}

/// A line that is removed, as it is written.
#[derive(Debug, Serialize)]
pub struct Dropped<'a> {
    /// URL of its page.
    pub url: Option<&'a str>,
    /// `head`, `tail` or `copy`.
    pub reason: &'static str,
    /// Number of its occurrences, of a line at the head or the tail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// Text of the line.
    pub text: &'a str,
}

/// Removes lines from the pages, in the order in which they were counted.
pub struct Cutter {
    fates: Fates,
    /// Sums over the pages.
    pub removed: Removed,
}

impl Cutter {
    /// Creates a cutter of the lines with these fates.
    pub fn new(fates: Fates) -> Self {
        Self { fates, removed: Removed::default() }
    }

    /// Returns the lines of a page that stay; `None` if it has no text or loses no line. `take`
    /// gets the others.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be read, or `take` fails.
    pub fn page<E: From<io::Error>>(
        &mut self,
        page: &PageFields,
        take: &mut dyn FnMut(&Dropped) -> Result<(), E>,
    ) -> Result<Option<String>, E> {
        let (mut kept, mut lost) = (Vec::new(), 0);
        for text in lines(page.text()) {
            let (reason, count) = match self.fates.next_line()? {
                Fate::Kept => {
                    kept.push(text);
                    continue;
                }
                Fate::Head(count) => ("head", Some(count)),
                Fate::Tail(count) => ("tail", Some(count)),
                Fate::Copy => ("copy", None),
            };
            lost += text.len();
            take(&Dropped { url: page.url.as_deref(), reason, count, text })?;
        }
        if !page.text().is_empty() {
            self.removed.add(page.text().len(), lost, !kept.is_empty());
        }
        Ok((lost > 0).then(|| kept.join("\n")))
    }
}

fn write(numbers: &[u64], out: &mut Vec<u8>) {
    numbers.iter().for_each(|number| out.extend(number.to_le_bytes()));
}

fn read(input: &mut &[u8]) -> io::Result<u64> {
    let damaged = || io::Error::new(io::ErrorKind::InvalidData, "a temporary file is damaged");
    let (number, rest) = input.split_first_chunk().ok_or_else(damaged)?;
    *input = rest;
    Ok(u64::from_le_bytes(*number))
}

impl Entry for Met {
    const DIGITS: u32 = 16;

    fn digit(&self, place: u32) -> u8 {
        self.hash.to_be_bytes()[place as usize]
    }

    fn order(&self, other: &Self) -> Ordering {
        self.hash.cmp(&other.hash)
    }

    fn absorb(&mut self, other: &Self) {
        self.count = self.count.saturating_add(other.count);
        self.first = self.first.min(other.first);
    }

    fn write(&self, _: u32, out: &mut Vec<u8>) {
        out.extend(self.hash.to_le_bytes());
        write(&[self.begin, self.count, self.first], out);
    }

    fn read(_: u32, _: u8, input: &mut &[u8]) -> io::Result<Self> {
        let [low, high, begin] = [read(input)?, read(input)?, read(input)?];
        let [count, first] = [read(input)?, read(input)?];
        let hash = u128::from(high) << 64 | u128::from(low);
        Ok(Self { hash, begin, count, first })
    }
}

/// A different line, ordered by rank.
#[derive(Debug)]
struct Ranked(Met);

impl Ranked {
    fn key(&self) -> (Reverse<u64>, Reverse<u64>, u128) {
        (Reverse(self.0.count), Reverse(self.0.begin), self.0.hash)
    }
}

impl Entry for Ranked {
    const DIGITS: u32 = 26;

    fn digit(&self, place: u32) -> u8 {
        // Counts over 65,534 share two bytes; few lines have them.
        let count = u16::try_from(self.0.count).unwrap_or(u16::MAX);
        match place as usize {
            place @ 0..2 => !count.to_be_bytes()[place],
            place @ 2..10 if count < u16::MAX => !self.0.begin.to_be_bytes()[place - 2],
            place @ 10.. if count < u16::MAX => self.0.hash.to_be_bytes()[place - 10],
            _ => 0,
        }
    }

    fn order(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }

    fn absorb(&mut self, _: &Self) {}

    fn write(&self, place: u32, out: &mut Vec<u8>) {
        self.0.write(place, out);
    }

    fn read(place: u32, digit: u8, input: &mut &[u8]) -> io::Result<Self> {
        Met::read(place, digit, input).map(Self)
    }
}

/// The first line of those that are equal.
#[derive(Debug)]
struct First {
    first: u64,
    fate: Fate,
}

impl Entry for First {
    const DIGITS: u32 = 8;

    fn digit(&self, place: u32) -> u8 {
        self.first.to_be_bytes()[place as usize]
    }

    fn order(&self, other: &Self) -> Ordering {
        self.first.cmp(&other.first)
    }

    fn absorb(&mut self, _: &Self) {}

    fn write(&self, _: u32, out: &mut Vec<u8>) {
        let (kind, count) = match self.fate {
            Fate::Kept => (0, 0),
            Fate::Head(count) => (1, count),
            Fate::Tail(count) => (2, count),
            Fate::Copy => (3, 0),
        };
        write(&[self.first, kind, count], out);
    }

    fn read(_: u32, _: u8, input: &mut &[u8]) -> io::Result<Self> {
        let [first, kind, count] = [read(input)?, read(input)?, read(input)?];
        let fate = match kind {
            0 => Fate::Kept,
            1 => Fate::Head(count),
            2 => Fate::Tail(count),
            _ => Fate::Copy,
        };
        Ok(Self { first, fate })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn fates(text: &[&str], head: f64, tail: f64, memory: usize) -> (Vec<Fate>, Cut) {
        let folder = std::env::temp_dir();
        let mut counts = LineCounts::new(&folder, memory);
        text.iter().for_each(|line| counts.add(line).unwrap());
        let mut fates = counts.rank(head, tail).unwrap();
        (text.iter().map(|_| fates.next_line().unwrap()).collect(), fates.cut())
    }

    #[test]
    fn one_percent_of_200_lines_is_two_at_each_end() {
        // Two templates, two lines of punctuation, 196 lines of text.
        let own: Vec<String> = (0..196).map(|n| format!("line {n}")).collect();
        let mut text: Vec<&str> = own.iter().map(String::as_str).collect();
        text.extend(["menu", "menu", "menu", "share", "share", ", ,", "!)"]);
        let (fates, cut) = fates(&text, 1.0, 1.0, 1 << 20);
        assert!(fates[..196].iter().all(|&fate| fate == Fate::Kept));
        use Fate::{Copy, Head, Tail};
        assert_eq!(fates[196..], [Head(3), Copy, Copy, Head(2), Copy, Tail(1), Tail(1)]);
        let figures =
            Cut { lines: 203, different: 200, head: 2, head_least: 2, tail: 2, tail_most: 1 };
        assert_eq!(cut, figures);
    }

    #[test]
    fn without_cuts_each_line_stays_once() {
        let (fates, _) = fates(&["a", "b", "a", "a"], 0.0, 0.0, 1 << 20);
        assert_eq!(fates, [Fate::Kept, Fate::Kept, Fate::Copy, Fate::Copy]);
    }

    #[test]
    fn a_line_made_to_collide_in_64_bits_is_no_copy() {
        let x = |count| "x".repeat(count);
        let one = format!("http://a.pk/page{}", x(112));
        let other = format!(
            "http://a.pk/page{}35ee70{}b39823{}3420e3{}17f050{}",
            x(52),
            x(10),
            x(10),
            x(10),
            x(6)
        );
        let short = |line: &str| xxhash_rust::xxh3::xxh3_64(line.as_bytes());
        assert_eq!(short(&one), short(&other), "the pair is one of the short hash");
        let (fates, _) = fates(&[&one, &other, &one], 0.0, 0.0, 1 << 20);
        assert_eq!(fates, [Fate::Kept, Fate::Kept, Fate::Copy]);
    }

    #[test]
    fn lines_are_trimmed_and_blank_ones_are_none() {
        assert_eq!(lines(" a \n\n \t\r\nb c\r\n").collect::<Vec<_>>(), ["a", "b c"]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

        #[test]
        fn the_fates_are_those_of_a_plain_count_in_any_memory(
            picks in prop::collection::vec(0..300u32, 0..3000), head in 0..30u32, tail in 0..30u32,
        ) {
            let own: Vec<String> = picks.iter().map(|n| format!("{:x}", n * n)).collect();
            let text: Vec<&str> = own.iter().map(String::as_str).collect();
            let mut counts = std::collections::BTreeMap::<&str, u64>::new();
            text.iter().for_each(|line| *counts.entry(line).or_default() += 1);
            let mut ranked: Vec<(u64, &str)> = counts.iter().map(|(l, &n)| (n, *l)).collect();
            ranked.sort_unstable_by(|a, b| b.cmp(a));
            let (n, mut met) = (ranked.len(), std::collections::BTreeSet::new());
            let plainly: Vec<Fate> = text.iter().map(|line| {
                let rank = ranked.iter().position(|(_, other)| other == line).unwrap();
                match rank {
                    _ if !met.insert(*line) => Fate::Copy,
                    rank if rank < n * head as usize / 100 => Fate::Head(counts[line]),
                    rank if rank >= n - n * tail as usize / 100 => Fate::Tail(counts[line]),
                    _ => Fate::Kept,
                }
            }).collect();
            for memory in [1 << 12, 1 << 20] {
                prop_assert_eq!(&fates(&text, head.into(), tail.into(), memory).0, &plainly);
            }
        }
    }
}
