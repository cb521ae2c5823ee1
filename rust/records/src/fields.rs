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
        let mut fields: Vec<(String, String)> = Vec::new();
        loop {
            let (line, whole) = Self::line(&mut input)?;
            if line.is_empty() {
                return Ok(whole.then_some(Self(fields)));
            }
            match (fields.last_mut(), line.split_once(':')) {
                (Some((_, value)), _) if line.starts_with([' ', '\t']) => value.push_str(&line),
                (_, Some((name, value))) => {
                    fields.push((
                        name.trim_end().to_ascii_lowercase(),
                        value.trim_start().to_owned(),
                    ));
                }
                (_, None) => {}
            }
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

    /// Returns the value of the first field with a name in lower case.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(one, _)| one == name).map(|(_, value)| value.as_str())
    }
}
