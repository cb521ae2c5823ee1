//! ARC files, versions 1 and 2: the form of archives before WARC.

use crate::fault::{Fault, Problem};
use crate::fields::Fields;
use crate::http;
use crate::input::{pass_by_reading, MemberRead};
use crate::record::{About, Body, LeftOut, ProblemKind, Record};
use std::io::{self, Read};

/// Longest header line of a record, in bytes.
const MAX_LINE: u64 = 1 << 16;

/// First bytes of the record that describes the file.
const FILE: &str = "filedesc:";

/// The records of an input.
#[derive(Debug)]
pub struct ArcRecords<R> {
    input: R,
    name: String,
    max_bytes: u64,
    resumes: bool,
    number: u64,
    ended: bool,
    /// Whether the description of the file is being skipped. Some writers give it a wrong length.
    describing: bool,
}

/// The header line of a record.
#[derive(Debug, PartialEq, Eq)]
struct Header {
    url: String,
    date: String,
    media_type: String,
    length: u64,
}

impl Header {
    /// Parses the fields of version 1 (URL, IP address, date, media type, length) or 2 (with status,
    /// checksum, location, offset and file before the length). URLs may hold spaces.
    fn parse(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let (last, _) = words.split_last()?;
        let length = last.parse().ok()?;
        let is_date = |word: &&str| {
            matches!(word.len(), 8 | 12 | 14) && word.bytes().all(|byte| byte.is_ascii_digit())
        };
        let at = (2..words.len() - 1).find(|&at| is_date(&words[at]))?;
        let url = words[..at - 1].join(" ");
        let scheme = url.split_once(':')?.0;
        if scheme.is_empty() || !scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        let media_type =
            if words.len() - at > 2 { http::media_type(words[at + 1]) } else { String::new() };
        Some(Self { url, date: timestamp(words[at]), media_type, length })
    }
}

/// Returns the date of an ARC header as a WARC file has it.
fn timestamp(digits: &str) -> String {
    let part = |from: usize| digits.get(from..from + 2).unwrap_or("00");
    let [month, day, hour, minute, second] = [4, 6, 8, 10, 12].map(part);
    format!("{}-{month}-{day}T{hour}:{minute}:{second}Z", &digits[..4])
}

/// Returns whether a file that begins with these bytes is an ARC file.
pub fn is_arc(start: &[u8]) -> bool {
    let line = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    start.starts_with(FILE.as_bytes())
        || start.starts_with(b"http")
            && std::str::from_utf8(line).ok().and_then(Header::parse).is_some()
}

impl<R: MemberRead> ArcRecords<R> {
    /// Creates a reader of an input's records, of at most `max_bytes` each. `resumes` is whether
    /// reading can continue after an error.
    pub fn new(input: R, name: &str, max_bytes: u64, resumes: bool) -> Self {
        Self {
            input,
            name: name.to_owned(),
            max_bytes,
            resumes,
            number: 0,
            ended: false,
            describing: false,
        }
    }

    fn problem(&self, fault: Fault) -> Problem {
        fault.at(format!("{}, record {}", self.name, self.number))
    }

    /// Skips to the next header. Returns it, `None` at the end, and how many bytes were skipped that
    /// are not blank.
    fn header(&mut self) -> io::Result<(Option<Header>, u64)> {
        let mut skipped = 0;
        loop {
            let mut limited = self.input.by_ref().take(MAX_LINE);
            let (line, whole) = Fields::line(&mut limited)?;
            if !whole {
                return Ok((None, skipped));
            }
            if let Some(header) = Header::parse(line.trim_start()) {
                return Ok((Some(header), skipped));
            }
            skipped += line.trim().len() as u64;
        }
    }

    /// Reads the next record; `None` at the end of the input.
    fn record(&mut self) -> io::Result<Option<Result<Record, Problem>>> {
        let (header, skipped) = self.header()?;
        self.number += 1;
        let describing = std::mem::take(&mut self.describing);
        if skipped > 0 && header.is_none() && !describing {
            return Ok(Some(Err(self.problem(Fault::ArcJunk(skipped)))));
        }
        let Some(header) = header else { return Ok(None) };
        if header.url.starts_with(FILE) {
            self.describing = true;
            let about = About { date: header.date, ..About::default() };
            let body = Body::Other(LeftOut::About);
            return Ok(Some(Ok(Record { number: self.number, body, decision: None, about })));
        }
        if header.length > self.max_bytes {
            pass_by_reading(&mut self.input, header.length)?;
            return Ok(Some(Err(self.problem(Fault::TooLong(self.max_bytes)))));
        }
        let mut content = Vec::new();
        self.input.by_ref().take(header.length).read_to_end(&mut content)?;
        if (content.len() as u64) < header.length {
            return Ok(Some(Err(self.problem(Fault::ArcCut))));
        }
        let mut about = About { date: header.date, ..About::default() };
        let body = match header.url.split(':').next().unwrap_or_default() {
            "http" | "https" => {
                http::body_of(header.url.clone(), &content, self.max_bytes, &mut about).or_else(
                    || {
                        about.media_type = header.media_type;
                        let page = http::require_page(&mut about.media_type, &content);
                        page.is_ok().then_some(Body::Html(header.url, None, content))
                    },
                )
            }
            _ => Some(Body::Other(LeftOut::Kind)),
        };
        Ok(Some(match body {
            Some(body) => Ok(Record { number: self.number, body, decision: None, about }),
            None => Err(self.problem(Fault::NoHttpHead)),
        }))
    }
}

impl<R: MemberRead> Iterator for ArcRecords<R> {
    type Item = Result<Record, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        match self.record() {
            Ok(record) => {
                self.ended = record.is_none();
                record
            }
            Err(error) => {
                let fault = Fault::of(&error);
                self.ended = !self.resumes || fault.kind() == ProblemKind::Unreadable;
                self.number += 1;
                Some(Err(self.problem(fault)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Plain;

    const ABOUT: &str =
        "filedesc://x.arc 0.0.0.0 20050101000000 text/plain 20\n1 0 a writer\nfields\n\n";

    fn page(words: &str, content: &str) -> String {
        format!("http://a.pk/ 1.2.3.4 20050102030405 {words} {}\n{content}\n", content.len())
    }

    fn read(file: &str) -> Vec<Result<Body, ProblemKind>> {
        let records = ArcRecords::new(Plain(file.as_bytes()), "x", 1000, false);
        records.map(|record| record.map(|record| record.body).map_err(|bad| bad.kind())).collect()
    }

    #[test]
    fn both_versions_are_read() {
        let answer = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>a page";
        let html = |kind: Option<&str>| {
            Ok(Body::Html(
                "http://a.pk/".to_owned(),
                kind.map(str::to_owned),
                b"<p>a page".to_vec(),
            ))
        };
        let file = [
            ABOUT.to_owned(),
            page("text/html", answer),
            page("text/html 200 abc - 123 x.arc", answer),
            page("text/html", "<p>a page"),
            page("unknown", "no page"),
            page("image/gif", "HTTP/1.1 200 OK\r\nContent-Type: image/gif\r\n\r\nGIF89a"),
            "dns:a.pk 1.2.3.4 20050102030405 text/dns 3\nabc\n".to_owned(),
            "junk\n\n".to_owned(),
            page("text/html", answer),
        ];
        assert!(is_arc(file[0].as_bytes()) && is_arc(file[1].as_bytes()));
        let named = html(Some("text/html"));
        assert_eq!(
            read(&file.concat()),
            [
                Ok(Body::Other(LeftOut::About)),
                named.clone(),
                named.clone(),
                html(None),
                Err(ProblemKind::BrokenHttp),
                Ok(Body::Other(LeftOut::MediaType)),
                Ok(Body::Other(LeftOut::Kind)),
                named,
            ]
        );
    }

    #[test]
    fn the_date_is_that_of_a_warc_file() {
        let file = [ABOUT, &page("text/html", "<p>a page")].concat();
        let records = ArcRecords::new(Plain(file.as_bytes()), "x", 1000, false);
        let page = records.last().expect("a record").expect("a page");
        assert_eq!(page.about.date, "2005-01-02T03:04:05Z");
        assert_eq!(timestamp("20050102"), "2005-01-02T00:00:00Z");
    }

    #[test]
    fn a_record_that_is_cut_or_too_long_is_told() {
        let file = [ABOUT, &page("text/html", "<p>a page")].concat();
        assert_eq!(read(&file[..file.len() - 4]).last(), Some(&Err(ProblemKind::CutShort)));
        let long =
            [ABOUT, &page("text/html", &"x".repeat(1001)), &page("text/html", "<p>")].concat();
        assert_eq!(read(&long)[1], Err(ProblemKind::TooLong));
        assert!(matches!(read(&long)[2], Ok(Body::Html(..))));
    }
}
