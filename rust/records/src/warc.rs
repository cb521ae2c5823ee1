//! WARC files (ISO 28500), and the WET files of Common Crawl, which are WARC files of texts.

use crate::gzip::MemberRead;
use crate::http;
use crate::record::{Body, Problem, ProblemKind, Record};
use std::io::{self, BufRead, ErrorKind, Read};

/// Most bytes of a record's header.
const MAX_HEADER: usize = 1 << 16;

/// Type of records that hold named figures.
const FIELDS: &str = "application/warc-fields";

/// Most lines of a record's header.
const MAX_FIELDS: usize = 128;

/// Most bytes of figures beside a page that are read.
const MAX_FIGURES: u64 = 1 << 16;

/// What the line begins with that says what a crawl decided on the page, see `crp.d` in HBase.
const DECISION: &str = "crp.d:";

/// Records of an input. What a crawl decided on a page is told by a metadata record behind it, so reading is one record ahead of a page.
#[derive(Debug)]
pub struct Records<R> {
    input: R,
    name: String,
    max_bytes: u64,
    resumes: bool,
    number: u64,
    ended: bool,
    /// Whether the bytes up to the next record belong to a problem that was reported.
    lost: bool,
    /// Whether the last record's block is followed by something else than a line end, so that its length cannot be right.
    overrun: bool,
    /// Whether the first line of a record was read already.
    begun: bool,
    /// The record behind the one that was given.
    ahead: Option<Result<Record, Problem>>,
    /// Which record was read last, if it is one of a page.
    id: String,
    /// What the record that was read last says was decided, and of which record.
    said: Option<(String, String)>,
}

/// What is read of a record's header.
#[derive(Default)]
struct Header {
    kind: String,
    url: String,
    content_type: String,
    length: Option<u64>,
    id: String,
    concurrent_to: String,
}

impl<R: MemberRead> Records<R> {
    /// The records of an input, of at most `max_bytes` each. `resumes` says whether reading can go on behind an error.
    pub fn new(input: R, name: &str, max_bytes: u64, resumes: bool) -> Self {
        Self {
            input,
            name: name.to_owned(),
            max_bytes,
            resumes,
            number: 0,
            ended: false,
            lost: false,
            overrun: false,
            begun: false,
            ahead: None,
            id: String::new(),
            said: None,
        }
    }

    fn problem(&self, kind: ProblemKind, what: String) -> Problem {
        Problem { kind, place: format!("{}, record {}", self.name, self.number), what }
    }

    fn broken(&mut self, what: &str) -> Problem {
        // What follows is read as lines until a record begins; that is no further trouble.
        self.lost = true;
        self.problem(ProblemKind::BrokenWarc, what.to_owned())
    }

    fn cut(&mut self) -> Problem {
        self.problem(ProblemKind::CutShort, "a WARC record ends early".to_owned())
    }

    /// The next line with its end, at most so many bytes of it; empty at the end.
    fn line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        self.input.by_ref().take(MAX_HEADER as u64).read_until(b'\n', &mut line)?;
        Ok(line)
    }

    /// Reads up to the next record's first line, that line included. Returns false at the end, and a problem if the bytes on the way
    /// are no record.
    fn seek(&mut self) -> io::Result<Result<bool, Problem>> {
        let (mut whole_line, mut skipped) = (true, 0);
        loop {
            let line = self.line()?;
            let found = whole_line && line.starts_with(b"WARC/");
            if !line.is_empty() && !found {
                whole_line = line.last() == Some(&b'\n');
                if skipped > 0 || !line.trim_ascii().is_empty() {
                    skipped += line.len();
                }
                continue;
            }
            if skipped > 0 && !self.lost {
                self.number += 1;
                self.begun = found;
                let (kind, why) = match self.overrun {
                    true => (ProblemKind::WrongLength, "; the Content-Length of the record before them is wrong"),
                    false => (ProblemKind::BrokenWarc, ""),
                };
                self.overrun = false;
                return Ok(Err(self.problem(kind, format!("{skipped} bytes are no WARC record{why}"))));
            }
            return Ok(Ok(found));
        }
    }

    /// Reads a record's block, of which `take` gets every byte. Returns how many bytes there were, and whether the gzip member ended
    /// before the block did: where the next member begins with a record, this one cannot reach into it.
    fn block(&mut self, length: u64, member: Option<u64>, take: &mut dyn FnMut(&[u8])) -> io::Result<(u64, bool)> {
        let mut read = 0;
        while read < length {
            let bytes = match self.input.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                bytes => bytes?,
            };
            let (available, begins) = (bytes.len(), bytes.starts_with(b"WARC/"));
            if available == 0 {
                return Ok((read, false));
            }
            if begins && self.input.member() != member {
                return Ok((read, true));
            }
            let amount = available.min(usize::try_from(length - read).unwrap_or(usize::MAX));
            take(&self.input.fill_buf()?[..amount]);
            self.input.consume(amount);
            read += amount as u64;
        }
        let next = self.input.fill_buf().map_or(None, |bytes| bytes.first().copied());
        self.overrun = !matches!(next, None | Some(b'\r' | b'\n' | b'W'));
        Ok((read, false))
    }

    /// A block as one piece, or the problem with it.
    fn whole_block(&mut self, length: u64, member: Option<u64>) -> io::Result<Result<Vec<u8>, Problem>> {
        let mut content = Vec::new();
        let (read, short) = self.block(length, member, &mut |bytes| content.extend_from_slice(bytes))?;
        Ok(self.complete(length, read, short).map(|()| content))
    }

    /// Says what is wrong if a block has not as many bytes as its header says.
    fn complete(&mut self, length: u64, read: u64, short: bool) -> Result<(), Problem> {
        if short {
            let what = format!("its Content-Length is {length}, and its gzip member holds {read} bytes of it");
            return Err(self.problem(ProblemKind::BrokenWarc, what));
        }
        if read < length {
            return Err(self.cut());
        }
        Ok(())
    }

    /// Goes on to the next record and reads it; None at the end.
    fn record(&mut self) -> io::Result<Option<Result<Record, Problem>>> {
        if !std::mem::take(&mut self.begun) {
            match self.seek()? {
                Ok(true) => {}
                Ok(false) => return Ok(None),
                Err(problem) => return Ok(Some(Err(problem))),
            }
        }
        let member = self.input.member();
        self.number += 1;
        (self.lost, self.overrun) = (false, false);
        let Some(header) = self.header()? else {
            if self.input.fill_buf()?.is_empty() {
                return Ok(Some(Err(self.cut())));
            }
            return Ok(Some(Err(self.broken("a WARC record has no proper header"))));
        };
        let Some(length) = header.length else {
            return Ok(Some(Err(self.broken("a WARC record has no Content-Length"))));
        };
        (self.id, self.said) = (header.id, None);
        if header.kind == "metadata" && header.content_type.starts_with(FIELDS) && length <= MAX_FIGURES {
            let figures = match self.whole_block(length, member)? {
                Ok(figures) => figures,
                Err(problem) => return Ok(Some(Err(problem))),
            };
            let figures = String::from_utf8_lossy(&figures);
            let decision = figures.lines().find_map(|line| line.strip_prefix(DECISION));
            self.said = decision.map(|decision| (header.concurrent_to, decision.trim().to_owned()));
            return Ok(Some(Ok(Record { number: self.number, body: Body::Other, decision: None })));
        }
        let is_page = matches!(header.kind.as_str(), "response" | "conversion" | "resource");
        if !is_page || length > self.max_bytes {
            let (passed, short) = self.block(length, member, &mut |_| ())?;
            if let Err(problem) = self.complete(length, passed, short) {
                return Ok(Some(Err(problem)));
            }
            let too_long = format!("longer than {} bytes (--max-bytes)", self.max_bytes);
            return Ok(Some(match is_page {
                true => Err(self.problem(ProblemKind::TooLong, too_long)),
                false => Ok(Record { number: self.number, body: Body::Other, decision: None }),
            }));
        }
        let content = match self.whole_block(length, member)? {
            Ok(content) => content,
            Err(problem) => return Ok(Some(Err(problem))),
        };
        let body = match header.kind.as_str() {
            "response" if header.content_type.starts_with("application/http") => {
                match http::body_of(header.url, &content, self.max_bytes) {
                    Some(body) => body,
                    None => {
                        let what = "a response has no proper HTTP head".to_owned();
                        return Ok(Some(Err(self.problem(ProblemKind::BrokenHttp, what))));
                    }
                }
            }
            "conversion" if header.content_type.starts_with("text/plain") => Body::Text(header.url, content),
            "resource" if header.content_type.starts_with("text/html") => {
                Body::Html(header.url, Some(header.content_type), content)
            }
            _ => Body::Other,
        };
        Ok(Some(Ok(Record { number: self.number, body, decision: None })))
    }

    /// The header behind its first line; None if it is none.
    fn header(&mut self) -> io::Result<Option<Header>> {
        let mut lines = Vec::new();
        loop {
            let line = self.line()?;
            if line.is_empty() || lines.len() + line.len() > MAX_HEADER {
                return Ok(None);
            }
            lines.extend_from_slice(&line);
            if line.trim_ascii().is_empty() {
                break;
            }
        }
        let mut fields = [httparse::EMPTY_HEADER; MAX_FIELDS];
        let Ok(httparse::Status::Complete((_, fields))) = httparse::parse_headers(&lines, &mut fields) else {
            return Ok(None);
        };
        let mut header = Header::default();
        for field in fields {
            let value = String::from_utf8_lossy(field.value).trim().to_owned();
            match field.name.to_ascii_lowercase().as_str() {
                "warc-type" => header.kind = value.to_ascii_lowercase(),
                // Some writers put addresses between angle brackets.
                "warc-target-uri" => value.trim_start_matches('<').trim_end_matches('>').clone_into(&mut header.url),
                "content-type" => header.content_type = value.to_ascii_lowercase(),
                "warc-record-id" => header.id = value,
                "warc-concurrent-to" => header.concurrent_to = value,
                "content-length" => header.length = value.parse().ok(),
                _ => {}
            }
        }
        Ok(Some(header))
    }
}

impl<R: MemberRead> Records<R> {
    /// The next record, as it stands by itself.
    fn alone(&mut self) -> Option<Result<Record, Problem>> {
        if self.ended {
            return None;
        }
        let before = self.number;
        match self.record() {
            Ok(Some(record)) => Some(record),
            Ok(None) => {
                self.ended = true;
                None
            }
            Err(error) => {
                self.ended = !self.resumes;
                self.lost = true;
                // Of a record whose header could be read the number is known already.
                self.number = before + 1;
                Some(Err(self.problem(ProblemKind::BrokenCompression, error.to_string())))
            }
        }
    }
}

impl<R: MemberRead> Iterator for Records<R> {
    type Item = Result<Record, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut record = match self.ahead.take() {
            Some(record) => record,
            None => self.alone()?,
        };
        if let Ok(page @ Record { body: Body::Html(..), .. }) = &mut record {
            let id = std::mem::take(&mut self.id);
            self.ahead = self.alone();
            let said = self.said.take().filter(|(of, _)| *of == id && !id.is_empty());
            page.decision = said.map(|(_, decision)| decision);
        }
        Some(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gzip::{Members, Plain};
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn record(kind: &str, content_type: &str, content: &str) -> String {
        let length = content.len();
        format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://a.pk/\r\nContent-Type: {content_type}\r\n\
             Content-Length: {length}\r\n\r\n{content}\r\n\r\n"
        )
    }

    fn read(text: &str) -> Vec<Result<Body, ProblemKind>> {
        let records = Records::new(Plain(text.as_bytes()), "x", 1000, false);
        records.map(|record| record.map(|record| record.body).map_err(|problem| problem.kind)).collect()
    }

    fn text(content: &str) -> Result<Body, ProblemKind> {
        Ok(Body::Text("http://a.pk/".to_owned(), content.as_bytes().to_vec()))
    }

    #[test]
    fn records_are_pages_texts_or_neither() {
        let info = record("warcinfo", "application/warc-fields", "software: x");
        let answer = record("response", "application/http; msgtype=response", "HTTP/1.1 200 OK\r\n\r\n<p>");
        let wet = record("conversion", "text/plain", "a text\n\nWARC/1.0 is no record here");
        let page = Ok(Body::Html("http://a.pk/".to_owned(), None, b"<p>".to_vec()));
        assert_eq!(
            read(&(info + &answer + &wet)),
            [Ok(Body::Other), page, text("a text\n\nWARC/1.0 is no record here")]
        );
    }

    #[test]
    fn what_was_decided_on_a_page_is_told_by_the_record_behind_it() {
        let numbered = |record: String, id: &str| {
            record.replace("\r\nContent-Type", &format!("\r\nWARC-Record-ID: <{id}>\r\nContent-Type"))
        };
        let answer =
            |id| numbered(record("response", "application/http; msgtype=response", "HTTP/1.1 200 OK\r\n\r\n<p>"), id);
        let figures = |of: &str, text: &str| {
            numbered(record("metadata", FIELDS, text), "m")
                .replace("\r\nContent-Type", &format!("\r\nWARC-Concurrent-To: <{of}>\r\nContent-Type"))
        };
        let rejected = "crp.c: utf-8\r\ncrp.d: reject 3 bytes of urd\r\ncrp.l: urd:3\r\n";
        let all = [
            answer("1"),
            figures("1", rejected),
            answer("2"),
            answer("3"),
            figures("3", "crp.d: keep 300 bytes of urd\n"),
            answer("4"),
            figures("1", rejected),
            answer("5"),
            figures("5", &format!("{rejected}{}", "x".repeat(MAX_FIGURES as usize))),
            record("response", "application/http; msgtype=response", "HTTP/1.1 200 OK\r\n\r\n<p>"),
            record("metadata", FIELDS, rejected),
            answer("6"),
        ];
        let all = all.concat();
        let records = Records::new(Plain(all.as_bytes()), "x", 1000, false);
        let records: Vec<Record> = records.map(|record| record.expect("a record")).collect();
        assert_eq!(records.iter().map(|record| record.number).collect::<Vec<_>>(), (1..=12).collect::<Vec<_>>());
        let pages = records.into_iter().filter(|record| matches!(record.body, Body::Html(..)));
        let decisions: Vec<Option<String>> = pages.map(|page| page.decision).collect();
        let [reject, keep] = ["reject 3 bytes of urd", "keep 300 bytes of urd"].map(|said| Some(said.to_owned()));
        assert_eq!(decisions, [reject, None, keep, None, None, None, None]);
    }

    #[test]
    fn damaged_records_cost_themselves_alone() {
        let good = record("conversion", "text/plain", "good");
        let without = good.replace("Content-Length", "X-Length");
        let junk = "\0junk\r\n\r\nmore junk\r\n";
        let long = record("conversion", "text/plain", &"x".repeat(1001));
        let headless = record("response", "application/http", "<p>");
        let all = [&good, junk, &good, &without, &good, &long, &good, &headless, &good[..good.len() - 6]].concat();
        let broken = || Err(ProblemKind::BrokenWarc);
        let cut = Err(ProblemKind::CutShort);
        let good = || text("good");
        let long = Err(ProblemKind::TooLong);
        let headless = Err(ProblemKind::BrokenHttp);
        assert_eq!(read(&all), [good(), broken(), good(), broken(), good(), long, good(), headless, cut]);
    }

    #[test]
    fn a_record_that_the_end_cuts_is_told_from_a_damaged_one() {
        let whole = record("conversion", "text/plain", "good");
        for cut in "WARC/".len()..whole.trim_end().len() {
            assert_eq!(read(&whole[..cut]), [Err(ProblemKind::CutShort)], "{cut}");
        }
    }

    fn in_members(texts: &[String]) -> Vec<Result<Body, ProblemKind>> {
        let mut bytes = Vec::new();
        for text in texts {
            let mut member = GzEncoder::new(bytes, flate2::Compression::fast());
            member.write_all(text.as_bytes()).expect("memory");
            bytes = member.finish().expect("memory");
        }
        let records = Records::new(Members::new(bytes.as_slice()), "x", 1000, true);
        records.map(|record| record.map(|record| record.body).map_err(|problem| problem.kind)).collect()
    }

    #[test]
    fn a_record_whose_length_is_too_large_costs_no_other_member() {
        let good = record("conversion", "text/plain", "good");
        for claimed in ["9", "999", "2000000", "18446744073709551615"] {
            let long = good.replace("Length: 4", &format!("Length: {claimed}"));
            let records = in_members(&[good.clone(), long, good.clone(), good.clone()]);
            assert_eq!(records, [text("good"), Err(ProblemKind::BrokenWarc), text("good"), text("good")], "{claimed}");
        }
    }

    #[test]
    fn a_record_may_reach_over_members_that_begin_within_it() {
        let good = record("conversion", "text/plain", &"good ".repeat(50));
        let (first, second) = good.split_at(good.len() / 2);
        assert_eq!(in_members(&[first.to_owned(), second.to_owned()]), read(&good));
    }

    #[test]
    fn records_that_a_wrong_length_hides_are_a_loss_that_is_told_in_bytes() {
        let good = record("conversion", "text/plain", "good");
        let long = good.replace("Length: 4", "Length: 150");
        let all = [&long, &good, &good, &good].map(String::as_str).concat();
        let records: Vec<_> = Records::new(Plain(all.as_bytes()), "x", 1000, false).collect();
        let problem = records[1].as_ref().expect_err("records are hidden");
        assert!(problem.kind.is_loss(), "{problem}");
        assert!(problem.what.contains(" bytes are no WARC record"), "{problem}");
        assert!(records.len() >= 3, "what follows is read: {records:?}");
    }

    #[test]
    fn a_length_that_nobody_has_costs_no_memory() {
        let huge = record("conversion", "text/plain", "x").replace("Length: 1", "Length: 18446744073709551615");
        assert_eq!(read(&huge), [Err(ProblemKind::CutShort)]);
    }
}
