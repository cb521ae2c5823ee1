//! Lines in order, more of them than memory holds.
//!
//! Lines are kept up to a number of bytes, then sorted and written to a temporary file, a run. Runs are merged. Crates for this count
//! entries where it is bytes that fill memory: a line may be long.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Runs that are merged into one: so many files are open at most for each power of it.
const FAN_IN: usize = 32;

/// Takes lines in any order and gives them sorted by their bytes, each once.
#[derive(Debug)]
pub struct Sorter {
    folder: PathBuf,
    memory: usize,
    /// The lines that memory holds, one after the other, and where each is.
    text: Vec<u8>,
    lines: Vec<(usize, usize)>,
    /// Runs by how often they were merged.
    runs: Vec<Vec<File>>,
}

impl Sorter {
    /// No lines yet; at most about so many bytes of memory, temporary files in this folder, where they have no names.
    pub fn new(folder: &Path, memory: usize) -> Self {
        Self { folder: folder.to_owned(), memory, text: Vec::new(), lines: Vec::new(), runs: Vec::new() }
    }

    /// Adds a line, without its end.
    ///
    /// # Errors
    /// When a temporary file cannot be written.
    pub fn add(&mut self, line: &[u8]) -> io::Result<()> {
        let held = self.text.len() + self.lines.len() * size_of::<(usize, usize)>();
        // Both double when they grow, for a while with the old one beside the new.
        if !self.lines.is_empty() && held + line.len() > self.memory / 3 {
            self.spill()?;
        }
        self.lines.push((self.text.len(), line.len()));
        self.text.extend_from_slice(line);
        Ok(())
    }

    /// Writes all lines. None are left.
    ///
    /// # Errors
    /// When they cannot be written, or a temporary file not read.
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

    /// Makes a run of what memory holds.
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

/// A file that was written, at its beginning.
fn begin(file: BufWriter<File>) -> io::Result<File> {
    let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.rewind()?;
    Ok(file)
}

/// The next line of a run and the run's number; the least line is on top of a heap.
type Next = Reverse<(Vec<u8>, usize)>;

/// Writes the lines of runs in order, each once.
fn merge(runs: Vec<File>, out: &mut dyn Write) -> io::Result<()> {
    let mut runs: Vec<_> = runs.into_iter().map(BufReader::new).collect();
    let mut next = BinaryHeap::new();
    let line = |run: &mut BufReader<File>, number: usize| -> io::Result<Option<Next>> {
        let mut line = Vec::new();
        run.by_ref().read_until(b'\n', &mut line)?;
        // The end of a line is less than what else is in one: with it or without, the order is the same.
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
