//! Pages as JSON lines: the output of a crawl, or any corpus with a `text` field.

use crate::dialect::Names;
use crate::fault::{BadJson, Fault, Problem};
use crate::record::{About, Body, ProblemKind, Record};
use std::io::{self, BufRead, Read};

/// The byte order mark that some editors write before UTF-8.
pub(crate) const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The lines of an input, without empty ones.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    name: String,
    max_bytes: u64,
    resumes: bool,
    number: u64,
    ended: bool,
    names: Names,
    /// The problem that follows the returned one.
    pending: Option<Problem>,
}

impl<R: BufRead> Lines<R> {
    /// Creates a reader of an input's lines, of at most `max_bytes` each. `resumes` is whether
    /// reading can continue after an error.
    pub fn new(input: R, name: &str, max_bytes: u64, resumes: bool) -> Self {
        let name = name.to_owned();
        Self {
            input,
            name,
            max_bytes,
            resumes,
            number: 0,
            ended: false,
            names: Names::new(),
            pending: None,
        }
    }

    /// Returns the problem of an error, and ends the reading if it cannot continue.
    fn failed(&mut self, error: &io::Error) -> Problem {
        let fault = Fault::of(error);
        self.ended = !self.resumes || fault.kind() == ProblemKind::Unreadable;
        self.problem(fault)
    }

    fn problem(&self, fault: Fault) -> Problem {
        fault.at(format!("{}, line {}", self.name, self.number))
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<Record, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(problem) = self.pending.take() {
            return Some(Err(problem));
        }
        while !self.ended {
            self.number += 1;
            let mut line = Vec::new();
            let limit = self.max_bytes.saturating_add(1);
            let read = self.input.by_ref().take(limit).read_until(b'\n', &mut line);
            if let Err(error) = read {
                return Some(Err(self.failed(&error)));
            }
            if line.is_empty() {
                self.ended = true;
                break;
            }
            if line.len() as u64 > self.max_bytes && line.last() != Some(&b'\n') {
                let problem = self.problem(Fault::TooLong(self.max_bytes));
                if let Err(error) = skip_line(&mut self.input) {
                    self.pending = Some(self.failed(&error));
                }
                return Some(Err(problem));
            }
            if self.number == 1 && line.starts_with(BYTE_ORDER_MARK) {
                line.drain(..BYTE_ORDER_MARK.len());
            }
            match line.trim_ascii_start().first() {
                None => {}
                Some(b'{') => {
                    let body = Body::Json(self.names.own(line, &self.name));
                    return Some(Ok(Record {
                        number: self.number,
                        body,
                        decision: None,
                        about: About::default(),
                    }));
                }
                Some(_) => {
                    let fault = Fault::Json { reason: BadJson::NoObject, is_cut: false };
                    return Some(Err(self.problem(fault)));
                }
            }
        }
        None
    }
}

/// Skips to the start of the next line.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            buffer => buffer?,
        };
        let (length, found) = match buffer.iter().position(|&byte| byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (buffer.len(), false),
        };
        input.consume(length);
        if found || length == 0 {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, max_bytes: u64) -> Vec<Result<u64, ProblemKind>> {
        let lines = Lines::new(text.as_bytes(), "x", max_bytes, false);
        lines
            .map(|line| line.map(|record| record.number).map_err(|problem| problem.kind()))
            .collect()
    }

    #[test]
    fn lines_are_numbered_and_long_ones_passed_over() {
        assert_eq!(read("{a\n\n {b \n{last", 20), [Ok(1), Ok(3), Ok(4)]);
        assert_eq!(
            read("{123456789\n{b\n{123456789", 9),
            [Err(ProblemKind::TooLong), Ok(2), Err(ProblemKind::TooLong)]
        );
        assert_eq!(read("", 9), []);
    }

    /// A reader whose calls return these results, one after the other.
    struct Steps(Vec<Result<&'static [u8], io::ErrorKind>>);

    impl Read for Steps {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            let mut bytes = self.0.remove(0)?;
            bytes.read(buffer)
        }
    }

    fn read_steps(
        steps: Vec<Result<&'static [u8], io::ErrorKind>>,
        resumes: bool,
    ) -> Vec<Result<u64, ProblemKind>> {
        let lines = Lines::new(io::BufReader::new(Steps(steps)), "x", 9, resumes);
        lines
            .map(|line| line.map(|record| record.number).map_err(|problem| problem.kind()))
            .collect()
    }

    #[test]
    fn damage_within_a_line_that_is_too_long_is_reported_too() {
        let [long, damaged] = [Err(ProblemKind::TooLong), Err(ProblemKind::BrokenCompression)];
        for kind in [io::ErrorKind::InvalidData, io::ErrorKind::UnexpectedEof] {
            let steps = || vec![Ok(&b"{a\n{123456789"[..]), Err(kind), Ok(&b"rest\n{b\n"[..])];
            assert_eq!(read_steps(steps(), false), [Ok(1), long, damaged]);
            assert_eq!(
                read_steps(steps(), true),
                [Ok(1), long, damaged, Err(ProblemKind::InvalidJson), Ok(4)]
            );
        }
    }

    #[test]
    fn an_error_that_is_not_damage_ends_the_reading() {
        let unreadable = Err(ProblemKind::Unreadable);
        for kind in [io::ErrorKind::Other, io::ErrorKind::TimedOut] {
            let steps = vec![Ok(&b"{a\n{b"[..]), Err(kind), Ok(&b"{c\n"[..])];
            assert_eq!(read_steps(steps, true), [Ok(1), unreadable]);
            let steps = vec![Ok(&b"{123456789"[..]), Err(kind), Ok(&b"9\n{b\n"[..])];
            assert_eq!(read_steps(steps, true), [Err(ProblemKind::TooLong), unreadable]);
        }
        let steps = vec![Ok(&b"{a\n"[..]), Err(io::ErrorKind::Other)];
        let lines = Lines::new(io::BufReader::new(Steps(steps)), "x", 9, true);
        let problem = lines.last().expect("a problem").expect_err("unreadable");
        assert_eq!(problem.to_string(), "x, line 2: the file cannot be read: other error");
        assert!(problem.kind().is_loss());
    }

    #[test]
    fn a_read_that_is_interrupted_within_a_line_that_is_too_long_is_tried_again() {
        let steps =
            vec![Ok(&b"{123456789"[..]), Err(io::ErrorKind::Interrupted), Ok(&b"89\n{b\n"[..])];
        assert_eq!(read_steps(steps, false), [Err(ProblemKind::TooLong), Ok(2)]);
    }

    #[test]
    fn a_list_of_pages_is_refused_and_a_byte_order_mark_passed_over() {
        assert_eq!(read("[{},\n{}]", 20), [Err(ProblemKind::InvalidJson), Ok(2)]);
        assert_eq!(read("\u{feff}{}\n\u{feff}{}", 20), [Ok(1), Err(ProblemKind::InvalidJson)]);
    }
}
