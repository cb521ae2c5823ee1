//! A gzip file member by member. WARC files have a member for each record: a damaged one need not cost the others.

use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, Read};

/// How a member that can be read begins: magic and the only method there is.
const START: [u8; 3] = [0x1f, 0x8b, 8];

/// An input that knows where a gzip member ends. A record never reaches into the member of another record.
pub trait MemberRead: BufRead {
    /// The number of the member that holds what [`fill_buf`](BufRead::fill_buf) returned last; None if the input has no members.
    fn member(&self) -> Option<u64>;
}

/// An input without members.
#[derive(Debug)]
pub struct Plain<R>(pub R);

impl<R: Read> Read for Plain<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl<R: BufRead> BufRead for Plain<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.0.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.0.consume(amount);
    }
}

impl<R: BufRead> MemberRead for Plain<R> {
    fn member(&self) -> Option<u64> {
        None
    }
}

impl<R: MemberRead + ?Sized> MemberRead for Box<R> {
    fn member(&self) -> Option<u64> {
        (**self).member()
    }
}

/// Decompressed bytes that are held at a time.
const BUFFER: usize = 1 << 16;

/// The text of all members, one after the other. If a member is damaged, one read fails with
/// [`InvalidData`](io::ErrorKind::InvalidData); the reads after it go on with the next member.
#[derive(Debug)]
pub struct Members<R> {
    state: State<R>,
    /// Decompressed bytes of one member that nobody has taken yet: those from `at` to `end`.
    buffer: Box<[u8]>,
    at: usize,
    end: usize,
    /// Why nothing follows these bytes.
    failed: Option<io::Error>,
    /// Members that were begun.
    number: u64,
}

#[derive(Debug)]
enum State<R> {
    /// Before a member; true behind a damaged one.
    Between(Pushed<R>, bool),
    Inside(Box<GzDecoder<Pushed<R>>>),
    Ended,
}

/// Most bytes of a member that are kept so as to look into them again when it is damaged.
const KEPT: usize = 4 << 20;

/// A reader to which bytes can be put back.
#[derive(Debug)]
struct Pushed<R> {
    /// What comes before the rest.
    back: Vec<u8>,
    back_at: usize,
    rest: R,
    position: u64,
    /// What was read since the member began; None if it was too much.
    kept: Option<Vec<u8>>,
    /// Bytes that were put back because of damage.
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
            let read = if is_back { Ok(&self.back[self.back_at..]) } else { self.rest.fill_buf() };
            match read {
                Ok(bytes) if kept.len() + amount <= KEPT => kept.extend_from_slice(&bytes[..amount]),
                _ => self.kept = None,
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
    /// Puts bytes back that were read last.
    fn push_back(&mut self, mut bytes: Vec<u8>) {
        self.position -= bytes.len() as u64;
        bytes.extend_from_slice(&self.back[self.back_at..]);
        (self.back, self.back_at) = (bytes, 0);
    }

    /// Goes back to behind a damaged member's start, because it may have swallowed the next one's. As many bytes at most as were read in
    /// all, so that no file makes this take longer than reading it a few times.
    fn look_again(&mut self) {
        if let Some(mut kept) = self.kept.take().filter(|kept| kept.len() > START.len()) {
            self.again += kept.len() as u64;
            if self.again <= self.position + KEPT as u64 {
                self.push_back(kept.split_off(START.len()));
            }
        }
    }

    /// Goes on to where a member begins; answers whether there is one, and how many bytes that are not zero were passed over. Zeros are
    /// padding.
    fn seek_member(&mut self) -> io::Result<(bool, u64)> {
        self.kept = None;
        let (mut matched, mut passed) = (0, 0);
        while matched < START.len() {
            let buffer = match self.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                buffer => buffer?,
            };
            let Some(&byte) = buffer.first() else { return Ok((false, passed + matched as u64)) };
            self.consume(1);
            if byte == START[matched] {
                matched += 1;
            } else {
                passed += matched as u64 + u64::from(byte != 0);
                matched = usize::from(byte == START[0]);
                passed -= matched as u64;
            }
        }
        self.push_back(START.to_vec());
        self.kept = Some(Vec::new());
        Ok((true, passed))
    }
}

impl<R: BufRead> Members<R> {
    /// The members of an input.
    pub fn new(input: R) -> Self {
        let input = Pushed { back: Vec::new(), back_at: 0, rest: input, position: 0, kept: None, again: 0 };
        let buffer = vec![0; BUFFER].into_boxed_slice();
        Self { state: State::Between(input, false), buffer, at: 0, end: 0, failed: None, number: 0 }
    }

    /// Fills the buffer from the present member, or from the next one if that has ended. Leaves it empty at the input's end.
    fn fill(&mut self) -> io::Result<()> {
        let bad = |what: String| Err(io::Error::new(io::ErrorKind::InvalidData, what));
        (self.at, self.end) = (0, 0);
        loop {
            match std::mem::replace(&mut self.state, State::Ended) {
                State::Ended => return Ok(()),
                State::Between(input, damaged) if self.end > 0 => {
                    self.state = State::Between(input, damaged);
                    return Ok(());
                }
                State::Between(mut input, damaged) => {
                    let begin = input.position;
                    let (found, passed) = input.seek_member()?;
                    if found {
                        self.state = State::Inside(Box::new(GzDecoder::new(input)));
                        self.number += 1;
                    }
                    // Behind a damaged member its rest is passed over, which was reported already.
                    if passed > 0 && !damaged {
                        return bad(format!("{passed} bytes from byte {begin} of the file on are no gzip data"));
                    }
                }
                State::Inside(mut decoder) => match decoder.read(&mut self.buffer[self.end..]) {
                    Ok(0) => self.state = State::Between(decoder.into_inner(), false),
                    Ok(read) => {
                        self.end += read;
                        self.state = State::Inside(decoder);
                        if self.end == self.buffer.len() {
                            return Ok(());
                        }
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => self.state = State::Inside(decoder),
                    Err(error) => {
                        let mut input = decoder.into_inner();
                        let position = input.position;
                        input.look_again();
                        self.state = State::Between(input, true);
                        return bad(format!("gzip data is damaged before byte {position} of the file ({error})"));
                    }
                },
            }
        }
    }
}

impl<R: BufRead> BufRead for Members<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.end {
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            match self.fill() {
                // What was decompressed before the damage comes first.
                Err(error) if self.end > 0 => self.failed = Some(error),
                filled => filled?,
            }
        }
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

    /// What is read, and how often reading failed.
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
        let long: String = (0..5000u32).map(|n| format!("{} ", n.wrapping_mul(2_654_435_761))).collect();
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
