//! Named fields: headers of WARC records, and of the HTTP messages in them.

use std::io::{self, BufRead, Read};

/// Named fields of a header, parsed as leniently as in warcio.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// Reads fields up to an empty line. `None` if there is none within `most` bytes or before the
    /// end of the input.
    ///
    /// # Errors
    /// Fails if the input cannot be read.
    pub fn read(input: &mut impl BufRead, most: u64) -> io::Result<Option<Self>> {
        let mut input = input.take(most);
        let mut fields = Self::default();
        loop {
            let (line, whole) = Self::line(&mut input)?;
            if line.is_empty() {
                return Ok(whole.then_some(fields));
            }
            fields.add(&line);
        }
    }

    /// Reads the head of a response and returns the bytes behind it: behind an empty line, or from a
    /// line that begins with `<`, because some archives have no empty line. `None` if neither comes
    /// within `most` bytes.
    pub(crate) fn of_response(mut bytes: &[u8], most: u64) -> Option<(Self, &[u8])> {
        let longest = bytes.len().min(usize::try_from(most).unwrap_or(usize::MAX));
        let least = bytes.len() - longest;
        let mut fields = Self::default();
        loop {
            if bytes.starts_with(b"<") {
                return Some((fields, bytes));
            }
            let (line, whole) = Self::line(&mut bytes).ok()?;
            if !whole || bytes.len() < least {
                return None;
            }
            if line.is_empty() {
                return Some((fields, bytes));
            }
            fields.add(&line);
        }
    }

    /// Adds a line: a field, or the rest of the field before it.
    fn add(&mut self, line: &str) {
        match (self.0.last_mut(), line.split_once(':')) {
            (Some((_, value)), _) if line.starts_with([' ', '\t']) => value.push_str(line),
            (_, Some((name, value))) => {
                self.0.push((name.trim_end().to_ascii_lowercase(), value.trim_start().to_owned()));
            }
            (_, None) => {}
        }
    }

    /// Returns the next line without trailing spaces, and whether there was one. A line that is not
    /// UTF-8 is decoded as Latin-1. The caller limits the input.
    ///
    /// # Errors
    /// Fails if the input cannot be read.
    pub fn line(input: &mut impl BufRead) -> io::Result<(String, bool)> {
        let mut line = Vec::new();
        input.read_until(b'\n', &mut line)?;
        let whole = !line.is_empty();
        let text = String::from_utf8(line)
            .unwrap_or_else(|bad| bad.as_bytes().iter().copied().map(char::from).collect());
        Ok((text.trim_end().to_owned(), whole))
    }

    /// Returns whether there are no fields.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the values of all fields with a name in lower case.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(one, _)| one == name).map(|(_, value)| value.as_str())
    }

    /// Returns the value of the first field with a name in lower case.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(one, _)| one == name).map(|(_, value)| value.as_str())
    }
}
