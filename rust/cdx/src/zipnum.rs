//! Lookup in a ZipNum index: lines of CDXJ or CDX in blocks, each a gzip member, and a summary with
//! the first key of each block. Common Crawl's indexes are of this kind (`cluster.idx`).

use crate::search::{begin_line, line};
use flate2::read::MultiGzDecoder;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

/// Longest block, in bytes of its lines. Common Crawl's have 3,000 lines.
const MAX_BLOCK: u64 = 256 << 20;

/// Most blocks that are read for one key.
const MAX_BLOCKS: usize = 1000;

/// A block, as the summary names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Name of its file.
    pub part: String,
    /// Offset in the file, in bytes.
    pub offset: u64,
    /// Length in the file, in bytes.
    pub length: u64,
}

impl Block {
    /// Parses a line of a summary: key and time, then part, offset and length, separated by tabs.
    pub fn parse(text: &str) -> Option<Self> {
        let mut cells = text.trim_end().split('\t').skip(1);
        let part = cells.next().filter(|part| !part.is_empty())?.to_owned();
        let mut number = || cells.next()?.parse().ok();
        Some(Self { part, offset: number()?, length: number()? })
    }

    /// Returns the lines of the block that begin with a key and a space, in order.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or the block is damaged or too long.
    pub fn find(&self, mut part: impl Read + Seek, key: &str) -> io::Result<Vec<String>> {
        part.seek(SeekFrom::Start(self.offset))?;
        let block = MultiGzDecoder::new(part.take(self.length)).take(MAX_BLOCK);
        let wanted = format!("{key} ");
        let mut found = Vec::new();
        for line in BufReader::new(block).split(b'\n') {
            let line = String::from_utf8_lossy(&line?).into_owned();
            if line.starts_with(&wanted) {
                found.push(line);
            }
        }
        Ok(found)
    }
}

/// Returns whether a file is a summary, by its first line.
///
/// # Errors
/// Fails if it cannot be read.
pub fn is_summary<R: Read + Seek>(index: &mut BufReader<R>) -> io::Result<bool> {
    index.rewind()?;
    // The first line is short, unless the file is something else.
    let is_text = !index.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    Ok(is_text && line(index).is_ok_and(|line| Block::parse(&line).is_some()))
}

/// Returns the blocks that may have lines of a key: those that begin with it, and the one before
/// them.
///
/// # Errors
/// Fails if the summary cannot be read, or a line of it names no block.
pub fn blocks<R: Read + Seek>(summary: &mut BufReader<R>, key: &str) -> io::Result<Vec<Block>> {
    let wanted = format!("{key} ");
    let (mut low, mut high) = (0, summary.seek(SeekFrom::End(0))?);
    // The last line that was less is the one before the first that is not.
    let mut before = None;
    while low < high {
        let middle = low + (high - low) / 2;
        begin_line(summary, middle)?;
        let line = line(summary)?;
        if !line.is_empty() && line.as_bytes() < wanted.as_bytes() {
            low = middle + 1;
            before = Some(line);
        } else {
            high = middle;
        }
    }
    begin_line(summary, low)?;
    let mut lines: Vec<String> = before.into_iter().collect();
    while lines.len() < MAX_BLOCKS {
        match line(summary)? {
            line if line.starts_with(&wanted) => lines.push(line),
            _ => break,
        }
    }
    let bad = |line: &String| {
        let what = format!("a line of the summary names no block: {line}");
        io::Error::new(io::ErrorKind::InvalidData, what)
    };
    lines.iter().map(|line| Block::parse(line).ok_or_else(|| bad(line))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::write::GzEncoder;
    use flate2::Compression;
    use std::io::{Cursor, Write};

    #[test]
    fn a_key_is_found_in_every_block_that_has_it() {
        let keys = ["a", "b", "b", "b", "c", "d", "d", "e", "f", "f", "f", "f"];
        let lines: Vec<String> =
            keys.iter().enumerate().map(|(at, key)| format!("pk,{key})/ {at:014} {{}}")).collect();
        for size in 1..=lines.len() {
            let (mut part, mut summary) = (Vec::new(), String::new());
            for block in lines.chunks(size) {
                let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
                gzip.write_all((block.join("\n") + "\n").as_bytes()).expect("memory");
                let member = gzip.finish().expect("memory");
                let first = block[0].trim_end_matches(" {}");
                summary += &format!("{first}\tcdx-00000.gz\t{}\t{}\t1\n", part.len(), member.len());
                part.extend(member);
            }
            let summary = &mut BufReader::new(Cursor::new(summary));
            assert!(is_summary(summary).expect("memory"));
            for key in ["pk,a)/", "pk,b)/", "pk,bb)/", "pk,d)/", "pk,f)/", "pk,g)/", "aa)/"] {
                let blocks = blocks(summary, key).expect("memory");
                let found: Vec<String> = blocks
                    .iter()
                    .flat_map(|block| block.find(Cursor::new(&part), key).expect("a block"))
                    .collect();
                let start = format!("{key} ");
                let expected: Vec<&String> =
                    lines.iter().filter(|line| line.starts_with(&start)).collect();
                assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{key}, {size}");
            }
        }
    }

    #[test]
    fn an_index_is_no_summary() {
        for other in ["pk,a)/ 2024 {\"a\": \"b\\tc\"}\n", "", "a\tb\tc\td\n", "\u{1f}\u{8b}"] {
            assert!(
                !is_summary(&mut BufReader::new(Cursor::new(other))).expect("memory"),
                "{other:?}"
            );
        }
    }
}
