//! External sorting of lines.
//!
//! Lines are collected up to a number of bytes, then sorted and written to a temporary file, a run.
//! Runs are merged. Existing crates limit the number of entries, but lines differ in length, so
//! this one limits the bytes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Number of runs merged into one; at each merge level at most this many files are open.
const FAN_IN: usize = 32;

/// Accepts lines in any order and writes them sorted by bytes, without duplicates.
#[derive(Debug)]
pub struct Sorter {
    folder: PathBuf,
    memory: usize,
    /// The lines in memory, concatenated, and the range of each.
    text: Vec<u8>,
    lines: Vec<(usize, usize)>,
    /// Runs by the number of merges that made them.
    runs: Vec<Vec<File>>,
}

impl Sorter {
    /// Creates an empty sorter. It uses about `memory` bytes at most. Its temporary files in
    /// `folder` have no names.
    pub fn new(folder: &Path, memory: usize) -> Self {
        Self {
            folder: folder.to_owned(),
            memory,
            text: Vec::new(),
            lines: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// The folder of its temporary files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Adds a line without its line end.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be written.
    pub fn add(&mut self, line: &[u8]) -> io::Result<()> {
        let held = self.text.len() + self.lines.len() * size_of::<(usize, usize)>();
        // Both buffers double when they grow, and the old and the new buffer exist together for a
        // moment.
        if !self.lines.is_empty() && held + line.len() > self.memory / 3 {
            self.spill()?;
        }
        self.lines.push((self.text.len(), line.len()));
        self.text.extend_from_slice(line);
        Ok(())
    }

    /// Writes all lines.
    ///
    /// # Errors
    /// Fails if the lines cannot be written or a temporary file cannot be read.
    pub fn finish(mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.runs.is_empty() {
            self.sort();
            let mut last: Option<&[u8]> = None;
            for &(at, length) in &self.lines {
                let line = &self.text[at..at + length];
                if last != Some(line) {
                    out.write_all(line)?;
                    out.write_all(b"\n")?;
                }
                last = Some(line);
            }
            return Ok(());
        }
        self.spill()?;
        (self.text, self.lines) = (Vec::new(), Vec::new());
        merge(self.runs.into_iter().flatten().collect(), out)
    }

    fn sort(&mut self) {
        let text = &self.text;
        self.lines.sort_unstable_by_key(|&(at, length)| &text[at..at + length]);
    }

    /// Writes the lines in memory as a run.
    fn spill(&mut self) -> io::Result<()> {
        self.sort();
        let mut file = BufWriter::new(tempfile::tempfile_in(&self.folder)?);
        for &(at, length) in &self.lines {
            file.write_all(&self.text[at..at + length])?;
            file.write_all(b"\n")?;
        }
        self.text.clear();
        self.lines.clear();
        let mut run = begin(file)?;
        for level in 0.. {
            if level == self.runs.len() {
                self.runs.push(Vec::new());
            }
            self.runs[level].push(run);
            if self.runs[level].len() < FAN_IN {
                break;
            }
            let mut merged = BufWriter::new(tempfile::tempfile_in(&self.folder)?);
            merge(std::mem::take(&mut self.runs[level]), &mut merged)?;
            run = begin(merged)?;
        }
        Ok(())
    }
}

/// Flushes a written file and seeks to its beginning.
fn begin(file: BufWriter<File>) -> io::Result<File> {
    let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.rewind()?;
    Ok(file)
}

/// The next line of a run and the run's number; the heap's top has the smallest line.
type Next = Reverse<(Vec<u8>, usize)>;

/// Merges runs in order, without duplicates.
fn merge(runs: Vec<File>, out: &mut dyn Write) -> io::Result<()> {
    let mut runs: Vec<_> = runs.into_iter().map(BufReader::new).collect();
    let mut next = BinaryHeap::new();
    let line = |run: &mut BufReader<File>, number: usize| -> io::Result<Option<Next>> {
        let mut line = Vec::new();
        run.by_ref().read_until(b'\n', &mut line)?;
        // The line end sorts before all other characters of a line, so the order is the same
        // without it.
        line.pop();
        Ok((!line.is_empty()).then_some(Reverse((line, number))))
    };
    for (number, run) in runs.iter_mut().enumerate() {
        next.extend(line(run, number)?);
    }
    let mut last = Vec::new();
    while let Some(Reverse((text, number))) = next.pop() {
        if text != last {
            out.write_all(&text)?;
            out.write_all(b"\n")?;
        }
        last = text;
        next.extend(line(&mut runs[number], number)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

        #[test]
        fn lines_come_out_sorted_and_once_whether_memory_or_disk_holds_them(
            lines in prop::collection::vec("[ -~]{1,4}", 0..3000), memory in prop::sample::select(vec![0, 300, 5000, 1 << 20])
        ) {
            let mut sorter = Sorter::new(&std::env::temp_dir(), memory);
            lines.iter().try_for_each(|line| sorter.add(line.as_bytes())).expect("disk");
            let mut out = Vec::new();
            sorter.finish(&mut out).expect("disk");
            let expected: BTreeSet<&String> = lines.iter().collect();
            let expected: String = expected.into_iter().map(|line| format!("{line}\n")).collect();
            prop_assert_eq!(String::from_utf8(out).expect("text"), expected);
        }
    }
}
