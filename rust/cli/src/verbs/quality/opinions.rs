//! Answers of other identifiers, a line for each record.

use crate::io::{input, of_option};
use anyhow::{anyhow, bail, Result};
use evaluation::codes::of_result;
use langbytes::LangCode;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

/// Longest line of a file of results, in bytes.
const MAX_LINE: u64 = 1000;

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
    fn parse(line: &str) -> Result<Self, String> {
        let mut cells = line.split_whitespace();
        let language = match cells.next() {
            None => LangCode::UND,
            Some(code) => of_result(code).ok_or_else(|| {
                let code: String = code.chars().take(40).collect();
                format!("found `{code}`; allowed is one language code on each line")
            })?,
        };
        let probability = match cells.next() {
            None => 1.0,
            Some(cell) => {
                cell.parse::<f64>().ok().filter(|p| (0.0..=1.1).contains(p)).ok_or_else(|| {
                    format!("found {cell:?} as probability, allowed are numbers from 0 to 1")
                })?
            }
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
    pub fn open(paths: &[PathBuf]) -> Result<Self> {
        let open = |path: &PathBuf| {
            if path == Path::new("-") {
                bail!("-: name a file (--answers)");
            }
            Ok((
                input::name(path),
                Box::new(of_option(input::open(path), "--answers")?) as Box<dyn BufRead>,
            ))
        };
        Ok(Self { files: paths.iter().map(open).collect::<Result<_>>()?, read: 0 })
    }

    /// Returns the results for each of the next records, in the order of the files.
    ///
    /// # Errors
    /// Fails if a file has no more lines, or a line has no answer.
    pub fn next(&mut self, records: usize) -> Result<Vec<Vec<Answer>>> {
        let mut answers = vec![Vec::with_capacity(self.files.len()); records];
        for (name, file) in &mut self.files {
            for (at, answers) in answers.iter_mut().enumerate() {
                let number = self.read + at as u64 + 1;
                let line = line(file).map_err(|error| anyhow!("{name}: {error} (--answers)"))?;
                let Some(line) = line else {
                    bail!(
                        "{name}: has {} lines, and the corpus has more records (--answers)",
                        number - 1
                    );
                };
                let answer = Answer::parse(&line)
                    .map_err(|error| anyhow!("{name}, line {number}: {error} (--answers)"));
                answers.push(answer?);
            }
        }
        self.read += records as u64;
        Ok(answers)
    }

    /// Checks that the files ended with the records. `all_read`: whether no record was left out.
    ///
    /// # Errors
    /// Fails if a file has more lines, or the lines do not belong to the records.
    pub fn finish(mut self, all_read: bool) -> Result<()> {
        for (name, file) in &mut self.files {
            if line(file).map_err(|error| anyhow!("{name}: {error} (--answers)"))?.is_some() {
                bail!(
                    "{name}: has more lines than the corpus has records, {} (--answers)",
                    self.read
                );
            }
        }
        if !all_read && !self.files.is_empty() {
            bail!("some lines of the corpus are not records, so they do not match the lines of --answers");
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
