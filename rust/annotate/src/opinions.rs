//! Answers of other identifiers, a line for each record.

use evaluation::codes::of_result;
use inputs::BadInput;
use langbytes::LangCode;
use std::fmt;
use std::io::{self, BufRead};
use std::path::PathBuf;

/// Longest line of a file of results, in bytes.
const MAX_LINE: u64 = 1000;

/// Why answers cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadAnswers {
    /// A file cannot be opened.
    #[error(transparent)]
    Unopened(#[from] BadInput),
    /// A file cannot be read on.
    #[error("{name}: {error}")]
    Unread {
        /// Name of the file.
        name: String,
        /// Error of the file system, or a line that is too long.
        #[source]
        error: io::Error,
    },
    /// A line is no answer.
    #[error("{name}, line {line}: {what}")]
    Line {
        /// Name of the file.
        name: String,
        /// Number of the line, from 1.
        line: u64,
        /// The fault of the line.
        what: BadAnswer,
    },
    /// A file has fewer lines than the corpus has records.
    #[error("{name}: has {lines} lines, and the corpus has more records")]
    TooFew {
        /// Name of the file.
        name: String,
        /// Number of lines of the file.
        lines: u64,
    },
    /// A file has more lines than the corpus has records.
    #[error("{name}: has more lines than the corpus has records, {records}")]
    TooMany {
        /// Name of the file.
        name: String,
        /// Number of records of the corpus.
        records: u64,
    },
    /// Some lines of the corpus are no records.
    #[error(
        "some lines of the corpus are not records, so they do not match the lines of --answers"
    )]
    OtherRecords,
}

/// Why a line is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BadAnswer {
    /// It begins with no language code.
    Code(String),
    /// Its second cell is no probability.
    Probability(String),
}

impl fmt::Display for BadAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => {
                write!(f, "found `{code}`; allowed is one language code on each line")
            }
            Self::Probability(cell) => {
                write!(f, "found {cell:?} as probability, allowed are numbers from 0 to 1")
            }
        }
    }
}

/// The answer of an identifier on a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// The language, [`LangCode::UND`] if the identifier named none, or one that has no code.
    pub language: LangCode,
    /// Its probability, 1 if the file has none.
    pub probability: f64,
}

impl Answer {
    /// Reads a line: a code, as [`of_result`] reads it, and after a tab or a space its probability.
    /// An empty line is a page whose language the program did not find.
    fn parse(line: &str) -> Result<Self, BadAnswer> {
        let mut cells = line.split_whitespace();
        let language = match cells.next() {
            None => LangCode::UND,
            Some(code) => {
                of_result(code).ok_or_else(|| BadAnswer::Code(code.chars().take(40).collect()))?
            }
        };
        let probability = match cells.next() {
            None => 1.0,
            Some(cell) => cell
                .parse::<f64>()
                .ok()
                .filter(|p| (0.0..=1.1).contains(p))
                .ok_or_else(|| BadAnswer::Probability(cell.to_owned()))?,
        };
        Ok(Self { language, probability })
    }
}

/// Files with the results of other identifiers, read in parallel with the records.
pub struct Opinions {
    files: Vec<(String, Box<dyn BufRead>)>,
    read: u64,
}

impl Opinions {
    /// Opens the files.
    ///
    /// # Errors
    /// Fails if one cannot be read.
    pub fn open(paths: &[PathBuf]) -> Result<Self, BadAnswers> {
        let open = |path: &PathBuf| -> Result<_, BadAnswers> {
            Ok((inputs::files::name(path), inputs::files::open(path)?))
        };
        Ok(Self { files: paths.iter().map(open).collect::<Result<_, _>>()?, read: 0 })
    }

    /// Returns the results for each of the next records, in the order of the files.
    ///
    /// # Errors
    /// Fails if a file has no more lines, or a line has no answer.
    pub fn next(&mut self, records: usize) -> Result<Vec<Vec<Answer>>, BadAnswers> {
        let mut answers = vec![Vec::with_capacity(self.files.len()); records];
        for (name, file) in &mut self.files {
            for (number, answers) in (self.read + 1..).zip(&mut answers) {
                let read = line(file);
                let read =
                    read.map_err(|error| BadAnswers::Unread { name: name.clone(), error })?;
                let Some(line) = read else {
                    return Err(BadAnswers::TooFew { name: name.clone(), lines: number - 1 });
                };
                let answer = Answer::parse(&line);
                answers.push(answer.map_err(|what| BadAnswers::Line {
                    name: name.clone(),
                    line: number,
                    what,
                })?);
            }
        }
        self.read += records as u64;
        Ok(answers)
    }

    /// Checks that the files ended with the records. `all_read`: whether no record was left out.
    ///
    /// # Errors
    /// Fails if a file has more lines, or the lines do not belong to the records.
    pub fn finish(mut self, all_read: bool) -> Result<(), BadAnswers> {
        for (name, file) in &mut self.files {
            let read = line(file);
            if read.map_err(|error| BadAnswers::Unread { name: name.clone(), error })?.is_some() {
                return Err(BadAnswers::TooMany { name: name.clone(), records: self.read });
            }
        }
        if !all_read && !self.files.is_empty() {
            return Err(BadAnswers::OtherRecords);
        }
        Ok(())
    }
}

/// The next line, `None` at the end.
fn line(file: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if io::Read::take(file, MAX_LINE).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() as u64 == MAX_LINE && !bytes.ends_with(b"\n") {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("has a line of over {MAX_LINE} bytes"),
        ));
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_have_the_codes_of_all_programs() {
        for line in ["ur", "urd", "urd_Arab", "__label__urd_Arab", "urd-Arab\t1.0"] {
            assert_eq!(Answer::parse(line).expect("an answer").language.as_str(), "urd", "{line}");
        }
        assert_eq!(
            Answer::parse("zxx_Zxxx 0.9").expect("an answer").probability.to_bits(),
            0.9f64.to_bits()
        );
        assert_eq!(Answer::parse("").expect("an answer").language, LangCode::UND);
        assert!(Answer::parse("language 0.9").is_err() && Answer::parse("0.9").is_err());
        assert!(Answer::parse("urd often").is_err() && Answer::parse("urd NaN").is_err());
    }
}
