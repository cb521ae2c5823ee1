//! Lookup of a URL's lines in a sorted index by binary search.

use crate::line::is_cdx_head;
use crate::Line;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

/// Longest line, in bytes.
const MAX_LINE: u64 = 1 << 20;

/// Maximum number of lines returned for a key.
const MAX_LINES: usize = 100_000;

/// Returns the lines of a sorted index that begin with a key and a space, in order. The number of
/// seeks is logarithmic in the size of the index.
///
/// # Errors
/// Fails if the index cannot be read, has a line longer than 1 MiB, or is not UTF-8.
pub fn find<R: Read + Seek>(index: &mut BufReader<R>, key: &str) -> io::Result<Vec<String>> {
    let wanted = format!("{key} ");
    let (mut low, mut high) = (0, index.seek(SeekFrom::End(0))?);
    // Invariant: the first line that is not less begins in [low, high], or follows the line that
    // covers it.
    while low < high {
        let middle = low + (high - low) / 2;
        begin_line(index, middle)?;
        let line = line(index)?;
        if !line.is_empty() && line.as_bytes() < wanted.as_bytes() {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    begin_line(index, low)?;
    let mut found = Vec::new();
    loop {
        let line = line(index)?;
        if !line.starts_with(&wanted) || found.len() == MAX_LINES {
            return Ok(found);
        }
        found.push(line);
    }
}

/// A reason why [`find`] finds nothing in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Defect {
    /// The line with this number is not CDXJ.
    NotCdxj(usize),
    /// The line with this number is less than the line before it.
    Unsorted(usize),
}

/// Returns the first defect in the first `lines` lines of an index. Lines of a header, which begin
/// with `!` or are the head of a CDX index, are allowed.
///
/// # Errors
/// As [`find`].
pub fn defect<R: Read + Seek>(
    index: &mut BufReader<R>,
    lines: usize,
) -> io::Result<Option<Defect>> {
    index.rewind()?;
    let mut last = String::new();
    for number in 1..=lines {
        if index.fill_buf()?.is_empty() {
            break;
        }
        let line = line(index)?;
        let is_head = line.starts_with('!') || is_cdx_head(&line);
        if !is_head && Line::parse(&line).is_none() {
            return Ok(Some(Defect::NotCdxj(number)));
        }
        if line < last {
            return Ok(Some(Defect::Unsorted(number)));
        }
        last = line;
    }
    Ok(None)
}

/// Seeks to the first line that begins at an offset or behind it.
pub(crate) fn begin_line<R: Read + Seek>(index: &mut BufReader<R>, at: u64) -> io::Result<()> {
    match at.checked_sub(1) {
        None => index.seek(SeekFrom::Start(0)).map(drop),
        Some(before) => {
            index.seek(SeekFrom::Start(before))?;
            line(index).map(drop)
        }
    }
}

/// Returns the next line without its line end; empty at the end of the input.
pub(crate) fn line(index: &mut impl BufRead) -> io::Result<String> {
    let bad = |what| io::Error::new(io::ErrorKind::InvalidData, what);
    let mut line = Vec::new();
    index.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
    if line.len() as u64 == MAX_LINE {
        return Err(bad("is not CDXJ index: a line is longer than 1 MiB"));
    }
    if line.starts_with(&[0x1f, 0x8b]) {
        return Err(bad("is compressed; allowed is a CDXJ index as it is sorted, so unpack it"));
    }
    let kept = line.strip_suffix(b"\n").map_or(line.len(), <[u8]>::len);
    line.truncate(kept);
    // A partial line may begin inside a character.
    Ok(String::from_utf8_lossy(&line).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Cursor;

    proptest! {
        #[test]
        fn the_lines_of_a_key_are_found_wherever_they_are(
            mut lines in prop::collection::vec("[a-c,]{1,3}\\)/[a-c]{0,2} [0-9]{1,3}", 0..60), key in "[a-c,]{1,3}\\)/[a-c]{0,2}",
            end in any::<bool>()
        ) {
            lines.sort();
            let text = lines.join("\n") + if end { "\n" } else { "" };
            let index = &mut BufReader::new(Cursor::new(text));
            for key in lines.iter().filter_map(|line| line.split(' ').next()).chain([key.as_str()]) {
                let expected: Vec<&String> = lines.iter().filter(|line| line.starts_with(&format!("{key} "))).collect();
                let found = find(index, key).expect("memory");
                prop_assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{}", key);
            }
        }
    }

    #[test]
    fn what_is_no_index_is_told() {
        let error = |bytes: Vec<u8>| {
            find(&mut BufReader::new(Cursor::new(bytes)), "a)/").expect_err("no index").to_string()
        };
        assert!(error(vec![b'x'; 3 << 20]).contains("longer than 1 MiB"));
        assert!(error(vec![0x1f, 0x8b, 8, 0]).contains("is compressed"));
    }

    #[test]
    fn the_first_defect_is_found() {
        let defect =
            |text: &[u8]| defect(&mut BufReader::new(Cursor::new(text)), 3).expect("memory");
        let line = |key: &str| format!("{}\n", Line::default().text(key, "20260101000000"));
        let (a, b) = (line("pk,a)/"), line("pk,b)/"));
        for good in [String::new(), format!("!meta\n{a}{b}"), format!("{a}{b}{b}none")] {
            assert_eq!(defect(good.as_bytes()), None, "{good}");
        }
        assert_eq!(defect(format!("{b}{a}").as_bytes()), Some(Defect::Unsorted(2)));
        assert_eq!(defect(format!("{a}pk,b)/ 2026 {{}}\n").as_bytes()), Some(Defect::NotCdxj(2)));
        assert_eq!(defect(&[a.as_bytes(), b"\xff\n"].concat()), Some(Defect::NotCdxj(2)));
    }
}
