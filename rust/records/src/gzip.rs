//! A gzip reader that works member by member. WARC files have one member per record, so a damaged
//! member does not affect the other records.

use crate::input::MemberRead;
use crate::record::is_damage;
use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, Read};

/// First bytes of a supported member: the magic number and the only compression method.
pub(crate) const START: [u8; 3] = [0x1f, 0x8b, 8];

/// The cause of an error of [`Members`].
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub struct Damaged {
    /// Offset in the file of the damaged member, or of the bytes that are not gzip data.
    pub at: u64,
    /// Whether the file ends within the member.
    pub is_cut: bool,
    reason: Reason,
}

#[derive(Debug, thiserror::Error)]
enum Reason {
    #[error("{bytes} bytes from byte {begin} of the file on are not gzip data")]
    Junk { begin: u64, bytes: u64 },
    #[error("gzip data is damaged before byte {end} of the file ({error})")]
    Member { end: u64, error: io::Error },
}

impl Damaged {
    /// Returns the cause of an error, if it comes from [`Members`].
    pub fn of(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }
}

impl From<Damaged> for io::Error {
    fn from(damaged: Damaged) -> Self {
        Self::new(io::ErrorKind::InvalidData, damaged)
    }
}

/// Size of the buffer for decompressed bytes.
const BUFFER: usize = 1 << 16;

/// The decompressed text of all members, concatenated. If a member is damaged, one read fails with
/// [`InvalidData`](io::ErrorKind::InvalidData); later reads continue with the next member. After
/// another error nothing is read.
#[derive(Debug)]
pub struct Members<R> {
    state: State<R>,
    /// Decompressed bytes of one member that were not consumed yet: those from `at` to `end`.
    buffer: Box<[u8]>,
    at: usize,
    end: usize,
    /// The error that follows these bytes.
    failed: Option<io::Error>,
    /// Number of members begun.
    number: u64,
    /// Offset of the current member in the file.
    begin: u64,
    /// Offset behind the last member that was read to its end.
    member_end: Option<u64>,
    /// Whether damage was reported and no byte was read since.
    lost: bool,
}

#[derive(Debug)]
enum State<R> {
    /// Before a member; true after a damaged one.
    Between(Pushed<R>, bool),
    Inside(Box<GzDecoder<Pushed<R>>>),
    Ended,
}

/// Most bytes of a member that are kept to search them again after damage: its last ones.
const KEPT: usize = 4 << 20;

/// A reader that can push back bytes.
#[derive(Debug)]
struct Pushed<R> {
    /// The bytes that come before the rest.
    back: Vec<u8>,
    back_at: usize,
    rest: R,
    position: u64,
    /// The last bytes since the member's start; `None` between members.
    kept: Option<Vec<u8>>,
    /// Whether `kept` begins at the member's start.
    keeps_start: bool,
    /// Number of bytes pushed back because of damage.
    again: u64,
}

impl<R: BufRead> Read for Pushed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut available = self.fill_buf()?;
        let read = available.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Pushed<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.back_at < self.back.len() {
            return Ok(&self.back[self.back_at..]);
        }
        self.rest.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.position += amount as u64;
        let is_back = self.back_at < self.back.len();
        if let Some(kept) = &mut self.kept {
            if kept.len() + amount > KEPT {
                kept.drain(..kept.len().min(KEPT / 2));
                self.keeps_start = false;
            }
            match if is_back { Ok(&self.back[self.back_at..]) } else { self.rest.fill_buf() } {
                Ok(bytes) => kept.extend_from_slice(&bytes[..amount]),
                Err(_) => self.kept = None,
            }
        }
        if is_back {
            self.back_at += amount;
        } else {
            self.rest.consume(amount);
        }
    }
}

impl<R: BufRead> Pushed<R> {
    /// Pushes back the bytes that were read last.
    fn push_back(&mut self, mut bytes: Vec<u8>) {
        self.position -= bytes.len() as u64;
        bytes.extend_from_slice(&self.back[self.back_at..]);
        (self.back, self.back_at) = (bytes, 0);
    }

    /// Returns to just behind the start of a damaged member, because it may cover the start of the
    /// next one. The bytes read again are limited to about the number of bytes read, so no file
    /// takes more than a few passes.
    fn look_again(&mut self) {
        let Some(mut kept) = self.kept.take() else { return };
        if self.keeps_start {
            kept.drain(..START.len().min(kept.len()));
        }
        self.again += kept.len() as u64;
        if self.again <= self.position + KEPT as u64 {
            self.push_back(kept);
        }
    }

    /// Skips to the start of a member. Zeros are padding.
    fn seek_member(&mut self) -> io::Result<Skipped> {
        self.kept = None;
        let (mut matched, mut bytes, mut at) = (0, 0, None);
        while matched < START.len() {
            let buffer = match self.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                buffer => buffer?,
            };
            let Some(&byte) = buffer.first() else {
                let is_cut = bytes == 0 && matched > 0;
                return Ok(Skipped { found: false, bytes: bytes + matched as u64, at, is_cut });
            };
            if byte != 0 && at.is_none() {
                at = Some(self.position);
            }
            self.consume(1);
            if byte == START[matched] {
                matched += 1;
            } else {
                bytes += matched as u64 + u64::from(byte != 0);
                matched = usize::from(byte == START[0]);
                bytes -= matched as u64;
            }
        }
        self.push_back(START.to_vec());
        (self.kept, self.keeps_start) = (Some(Vec::new()), true);
        Ok(Skipped { found: true, bytes, at, is_cut: false })
    }
}

/// The bytes between two members.
struct Skipped {
    /// Whether a member follows.
    found: bool,
    /// Number of bytes that are not zero.
    bytes: u64,
    /// Offset of the first of them.
    at: Option<u64>,
    /// Whether they are the beginning of a member that the file's end cuts.
    is_cut: bool,
}

impl<R: BufRead> Members<R> {
    /// Creates a reader of an input's members.
    pub fn new(input: R) -> Self {
        let input = Pushed {
            back: Vec::new(),
            back_at: 0,
            rest: input,
            position: 0,
            kept: None,
            keeps_start: true,
            again: 0,
        };
        let buffer = vec![0; BUFFER].into_boxed_slice();
        Self {
            state: State::Between(input, false),
            buffer,
            at: 0,
            end: 0,
            failed: None,
            number: 0,
            begin: 0,
            member_end: None,
            lost: false,
        }
    }

    /// Fills the buffer from the current member, or from the next one if that has ended. Leaves it
    /// empty at the end of the input.
    fn fill(&mut self) -> io::Result<()> {
        while self.at == self.end {
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            match std::mem::replace(&mut self.state, State::Ended) {
                State::Ended => return Ok(()),
                State::Between(input, damaged) => self.begin(input, damaged)?,
                State::Inside(decoder) => self.inflate(decoder)?,
            }
        }
        Ok(())
    }

    /// Skips to the next member.
    fn begin(&mut self, mut input: Pushed<R>, damaged: bool) -> io::Result<()> {
        let begin = input.position;
        let Skipped { found, bytes, at, is_cut } = input.seek_member()?;
        if found {
            self.begin = input.position;
            self.state = State::Inside(Box::new(GzDecoder::new(input)));
            self.number += 1;
        }
        // The rest of a damaged member is skipped silently, because the damage was already
        // reported.
        if bytes > 0 && !damaged {
            let reason = Reason::Junk { begin, bytes };
            return Err(Damaged { at: at.unwrap_or(begin), is_cut, reason }.into());
        }
        Ok(())
    }

    /// Fills the empty buffer from the current member, and leaves it empty at the member's end.
    /// Bytes that were decompressed before damage are returned first.
    fn inflate(&mut self, mut decoder: Box<GzDecoder<Pushed<R>>>) -> io::Result<()> {
        (self.at, self.end) = (0, 0);
        while self.end < self.buffer.len() {
            match decoder.read(&mut self.buffer[self.end..]) {
                Ok(0) => {
                    let input = decoder.into_inner();
                    self.member_end = Some(input.position);
                    self.state = State::Between(input, false);
                    return Ok(());
                }
                Ok(read) => {
                    self.end += read;
                    self.lost = false;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if is_damage(&error) => return self.damage(decoder.into_inner(), error),
                // The input ends here; the bytes before the error are returned first.
                Err(error) if self.end > 0 => {
                    self.failed = Some(error);
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
        }
        self.state = State::Inside(decoder);
        Ok(())
    }

    /// Prepares the search for the next member, and returns the error unless it was already
    /// reported.
    fn damage(&mut self, mut input: Pushed<R>, error: io::Error) -> io::Result<()> {
        let end = input.position;
        input.look_again();
        self.state = State::Between(input, true);
        // Bytes of a damaged member may look like the start of another one.
        if std::mem::replace(&mut self.lost, true) {
            return Ok(());
        }
        let is_cut = error.kind() == io::ErrorKind::UnexpectedEof;
        let reason = Reason::Member { end, error };
        let error = Damaged { at: self.begin, is_cut, reason }.into();
        if self.end > 0 {
            self.failed = Some(error);
            return Ok(());
        }
        Err(error)
    }
}

impl<R: BufRead> BufRead for Members<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.fill()?;
        Ok(&self.buffer[self.at..self.end])
    }

    fn consume(&mut self, amount: usize) {
        self.at = self.end.min(self.at + amount);
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: BufRead> MemberRead for Members<R> {
    fn member(&self) -> Option<u64> {
        Some(self.number)
    }

    fn offset(&self) -> Option<u64> {
        Some(self.begin)
    }

    fn member_end(&self) -> Option<u64> {
        self.member_end
    }

    fn at_member_end(&mut self) -> io::Result<bool> {
        while self.at == self.end {
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            match std::mem::replace(&mut self.state, State::Ended) {
                State::Inside(decoder) => self.inflate(decoder)?,
                between => {
                    self.state = between;
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::write::GzEncoder;
    use flate2::Compression;
    use std::io::Write;

    fn member(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text.as_bytes()).expect("memory");
        encoder.finish().expect("memory")
    }

    /// Returns the text, and how often reading failed.
    fn read(bytes: &[u8]) -> (String, usize) {
        let mut members = Members::new(bytes);
        let (mut text, mut failed) = (Vec::new(), 0);
        loop {
            let mut buffer = [0; 7];
            match members.read(&mut buffer) {
                Ok(0) => return (String::from_utf8_lossy(&text).into_owned(), failed),
                Ok(read) => text.extend_from_slice(&buffer[..read]),
                Err(_) => failed += 1,
            }
        }
    }

    #[test]
    fn members_follow_one_another() {
        let both = [member("first, "), member(""), member("second"), vec![0; 512]].concat();
        assert_eq!(read(&both), ("first, second".to_owned(), 0));
        assert_eq!(read(&[]), (String::new(), 0));
    }

    #[test]
    fn a_buffer_holds_bytes_of_one_member_alone() {
        let both = [member("first"), member(""), member("second")].concat();
        let mut members = Members::new(both.as_slice());
        let mut met = Vec::new();
        loop {
            let bytes = members.fill_buf().expect("good members").to_vec();
            if bytes.is_empty() {
                break;
            }
            members.consume(bytes.len());
            met.push((members.member(), String::from_utf8(bytes).expect("text")));
        }
        assert_eq!(met, [(Some(1), "first".to_owned()), (Some(3), "second".to_owned())]);
    }

    #[test]
    fn a_damaged_member_costs_itself_alone() {
        let long: String =
            (0..5000u32).map(|n| format!("{} ", n.wrapping_mul(2_654_435_761))).collect();
        let mut damaged = member(&long);
        let middle = damaged.len() / 2;
        damaged[middle..middle + 40].fill(0xff);
        let (text, failed) = read(&[member("first, "), damaged, member("last")].concat());
        assert!(text.starts_with("first, ") && text.ends_with("last"), "{text}");
        assert!(failed >= 1);
    }

    #[test]
    fn a_member_that_is_cut_short_is_told_and_the_next_one_read() {
        let cut = member("this one is cut");
        let (text, failed) = read(&[&cut[..cut.len() - 12], &member("last")].concat());
        assert!(text.ends_with("last") && failed == 1, "{text}, {failed}");
        assert_eq!(read(&cut[..cut.len() - 3]).1, 1, "at the file's end too");
    }

    #[test]
    fn what_is_no_gzip_between_members_is_told() {
        let (text, failed) = read(&[member("a"), b"junk".to_vec(), member("b")].concat());
        assert_eq!((text.as_str(), failed), ("ab", 1));
    }
}
