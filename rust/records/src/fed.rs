//! Records of an input whose bytes the caller hands over piece by piece: for callers that read the
//! file themselves, as Hadoop's tasks do.

use crate::fault::{Fault, Problem};
use crate::record::Record;
use crate::source::{decompress, Input};
use std::io::{self, Read};
use std::sync::mpsc::{sync_channel, Receiver, SyncSender};
use std::thread;

/// The next thing that a reader has, or needs.
#[derive(Debug)]
pub enum Step {
    /// It needs the next piece of the input: [`Fed::feed`].
    Hungry,
    /// A complete record.
    Record(Box<Record>),
    /// A record that was skipped.
    Problem(Problem),
    /// The input has no more records.
    End,
}

/// A reader of records that takes its input in pieces. The readers of this crate pull their bytes,
/// so this one runs on a thread of its own, which waits whenever the caller does. The thread ends
/// with the input, or when this value is dropped.
#[derive(Debug)]
pub struct Fed {
    pieces: SyncSender<Vec<u8>>,
    steps: Receiver<Step>,
}

impl Fed {
    /// Begins an input with this name in messages, whose records have at most `max_bytes`.
    ///
    /// # Errors
    /// Fails if the system has no thread.
    pub fn new(name: &str, max_bytes: u64) -> io::Result<Self> {
        let (pieces, hungry) = sync_channel(1);
        let (found, steps) = sync_channel(0);
        let name = name.to_owned();
        thread::Builder::new()
            .name("corpulyzer-archive".to_owned())
            .spawn(move || read_all(&name, max_bytes, hungry, &found))?;
        Ok(Self { pieces, steps })
    }

    /// Waits for the next step of the reader.
    ///
    /// # Errors
    /// Fails if the reader panicked.
    pub fn step(&mut self) -> io::Result<Step> {
        self.steps.recv().map_err(|_| io::Error::other("the reader of the archive has ended"))
    }

    /// Hands over the next piece; an empty one ends the input. To be called after
    /// [`Step::Hungry`].
    ///
    /// # Errors
    /// Fails if the reader has ended.
    pub fn feed(&mut self, piece: Vec<u8>) -> io::Result<()> {
        self.pieces.send(piece).map_err(|_| io::Error::other("the reader of the archive has ended"))
    }
}

/// Reads records until the input ends or nobody waits for them.
fn read_all(name: &str, max_bytes: u64, pieces: Receiver<Vec<u8>>, found: &SyncSender<Step>) {
    let fed = Pieces { pieces, hungry: found.clone(), piece: io::Cursor::default(), ended: false };
    let unread = |error: &io::Error| Fault::of(error).at(format!("{name}, at its beginning"));
    match decompress(fed) {
        Err(error) => drop(found.send(Step::Problem(unread(&error)))),
        Ok((input, resumes)) => {
            for read in Input::new(input, name, max_bytes, resumes) {
                let step = match read {
                    Ok(record) => Step::Record(Box::new(record)),
                    Err(problem) => Step::Problem(problem),
                };
                if found.send(step).is_err() {
                    return;
                }
            }
        }
    }
    // A reader that is asked again after its end says so again.
    while found.send(Step::End).is_ok() {}
}

/// The pieces as a reader.
struct Pieces {
    pieces: Receiver<Vec<u8>>,
    hungry: SyncSender<Step>,
    piece: io::Cursor<Vec<u8>>,
    ended: bool,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            let read = self.piece.read(buffer)?;
            if read > 0 || self.ended {
                return Ok(read);
            }
            let left = || io::Error::other("nobody reads the archive any more");
            self.hungry.send(Step::Hungry).map_err(|_| left())?;
            self.piece = io::Cursor::new(self.pieces.recv().map_err(|_| left())?);
            self.ended = self.piece.get_ref().is_empty();
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::record::{Body, ProblemKind};

    fn page(number: usize) -> String {
        let body = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>page {number}");
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/{number}\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n\
             {body}\r\n\r\n",
            body.len()
        )
    }

    /// The URLs of the pages, and the kinds of problems, of an input in pieces of `size` bytes.
    fn all(data: &[u8], size: usize) -> (Vec<String>, Vec<ProblemKind>) {
        let (mut urls, mut problems) = (Vec::new(), Vec::new());
        let mut fed = Fed::new("a.warc", 1 << 20).unwrap();
        let mut pieces = data.chunks(size);
        loop {
            match fed.step().unwrap() {
                Step::Hungry => fed.feed(pieces.next().unwrap_or_default().to_vec()).unwrap(),
                Step::Record(record) => match record.body {
                    Body::Html(url, ..) => urls.push(url),
                    other => panic!("{other:?}"),
                },
                Step::Problem(problem) => problems.push(problem.kind()),
                Step::End => break,
            }
        }
        assert!(matches!(fed.step().unwrap(), Step::End));
        (urls, problems)
    }

    #[test]
    fn records_are_the_same_in_pieces_of_every_size_and_compression() {
        let plain = (0..5).map(page).collect::<String>().into_bytes();
        let zstandard = zstd::encode_all(&*plain, 3).unwrap();
        let expected: Vec<String> = (0..5).map(|n| format!("http://a.example/{n}")).collect();
        for data in [&plain, &zstandard] {
            for size in [1, 7, 1 << 16] {
                assert_eq!(all(data, size), (expected.clone(), vec![]));
            }
        }
    }

    #[test]
    fn a_cut_input_gives_its_records_and_a_problem() {
        let plain = (0..2).map(page).collect::<String>().into_bytes();
        let zstandard = zstd::encode_all(&*plain, 3).unwrap();
        let (urls, problems) = all(&plain[..plain.len() - 20], 64);
        assert_eq!((urls.len(), problems), (1, vec![ProblemKind::CutShort]));
        let (urls, problems) = all(&zstandard[..zstandard.len() - 4], 64);
        assert!(urls.len() <= 2 && problems == [ProblemKind::BrokenCompression], "{problems:?}");
    }

    #[test]
    fn an_empty_input_ends_at_once() {
        assert_eq!(all(b"", 8), (vec![], vec![]));
    }

    #[test]
    fn the_thread_ends_when_nobody_reads_on() {
        let mut fed = Fed::new("a.warc", 1 << 20).unwrap();
        assert!(matches!(fed.step().unwrap(), Step::Hungry));
        drop(fed);
        let mut fed = Fed::new("a.warc", 1 << 20).unwrap();
        assert!(matches!(fed.step().unwrap(), Step::Hungry));
        fed.feed(page(1).into_bytes()).unwrap();
        drop(fed);
    }
}
