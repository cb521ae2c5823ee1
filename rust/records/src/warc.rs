//! WARC files (ISO 28500), and the WET files of Common Crawl, which are WARC files with extracted
//! text.

mod scanner;
mod whole;

pub use scanner::{Block, Damage, Head, RecordPlace, Scanner};
pub use whole::{Absent, Whole};

use crate::fault::{Fault, Problem};
use crate::http;
use crate::input::MemberRead;
use crate::record::{About, Body, LeftOut, ProblemKind, Record};
use std::io::{self, Read};

/// Media type of records that hold named fields.
const FIELDS: &str = "application/warc-fields";

/// Bytes of a metadata record that are read.
const MAX_FIGURES: u64 = 1 << 16;

/// Prefix of the line with the crawl's decision on the page, see `crp.d` in HBase.
const DECISION: &str = "crp.d:";

/// The records of an input. The crawl's decision on a page is in a metadata record behind it, so
/// the reader is one record ahead.
#[derive(Debug)]
pub struct Records<R> {
    scanner: Scanner<R>,
    name: String,
    max_bytes: u64,
    resumes: bool,
    number: u64,
    ended: bool,
    /// The record behind the returned one.
    ahead: Option<Result<Record, Problem>>,
    /// Id of the record read last, if it is a page.
    id: String,
    /// The decision in the record read last, and the id of the page's record.
    said: Option<(String, String)>,
}

impl<R: MemberRead> Records<R> {
    /// Creates a reader of an input's records, of at most `max_bytes` each. `resumes` is whether
    /// reading can continue after an error.
    pub fn new(input: R, name: &str, max_bytes: u64, resumes: bool) -> Self {
        Self {
            scanner: Scanner::new(input),
            name: name.to_owned(),
            max_bytes,
            resumes,
            number: 0,
            ended: false,
            ahead: None,
            id: String::new(),
            said: None,
        }
    }

    fn problem(&self, fault: Fault) -> Problem {
        fault.at(format!("{}, record {}", self.name, self.number))
    }

    /// Skips to the next record and reads it; `None` at the end of the input.
    fn record(&mut self) -> io::Result<Option<Result<Record, Problem>>> {
        let head = match self.scanner.head()? {
            None => return Ok(None),
            Some(head) => head,
        };
        self.number += 1;
        let head = match head {
            Ok(head) => head,
            Err(damage) => return Ok(Some(Err(self.problem(damage.into())))),
        };
        let field = |name| head.fields.get(name).unwrap_or_default();
        let (kind, content_type) =
            (field("warc-type").to_ascii_lowercase(), field("content-type").to_ascii_lowercase());
        (self.id, self.said) = (field("warc-record-id").to_owned(), None);
        let has_figures =
            kind == "metadata" && content_type.starts_with(FIELDS) && head.length <= MAX_FIGURES;
        let is_page = matches!(kind.as_str(), "response" | "conversion" | "resource")
            || kind.is_empty() && content_type.contains("msgtype=response");
        let mut content = Vec::new();
        if has_figures || is_page && head.length <= self.max_bytes {
            self.scanner.block().read_to_end(&mut content)?;
        }
        if is_page && head.length <= self.max_bytes {
            self.scanner.read_on(&mut content, self.max_bytes)?;
        }
        if let Err(damage) = self.scanner.finish()? {
            return Ok(Some(Err(self.problem(damage.into()))));
        }
        if has_figures {
            let figures = String::from_utf8_lossy(&content);
            let decision = figures.lines().find_map(|line| line.strip_prefix(DECISION));
            self.said = decision.map(|decision| {
                (field("warc-concurrent-to").to_owned(), decision.trim().to_owned())
            });
        }
        if is_page && head.length.max(content.len() as u64) > self.max_bytes {
            return Ok(Some(Err(self.problem(Fault::TooLong(self.max_bytes)))));
        }
        let url = head.url().unwrap_or_default().to_owned();
        let mut about = About {
            date: field("warc-date").to_owned(),
            media_type: http::media_type(field("warc-identified-payload-type")),
            ..About::default()
        };
        let Some(body) = self.body(&kind, url, content_type, content, &mut about) else {
            return Ok(Some(Err(self.problem(Fault::NoHttpHead))));
        };
        Ok(Some(Ok(Record { number: self.number, body, decision: None, about })))
    }

    /// Returns the content of a record, and adds what a response's head has to `about`; `None` if
    /// it is a response without a proper HTTP head.
    fn body(
        &self,
        kind: &str,
        url: String,
        content_type: String,
        content: Vec<u8>,
        about: &mut About,
    ) -> Option<Body> {
        let is_web = ["http://", "https://"].iter().any(|scheme| {
            url.trim_start()
                .get(..scheme.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        });
        Some(match kind {
            // Some writers leave out the record's type or its own Content-Type, or name that of the
            // page.
            "" if content_type.contains("msgtype=response") => {
                http::body_of(url, &content, self.max_bytes, about)?
            }
            "response" if content_type.starts_with("application/http") || is_web => {
                match http::body_of(url.clone(), &content, self.max_bytes, about) {
                    None if !content_type.starts_with("application/http") => {
                        page_alone(url, content_type, content, about)
                    }
                    body => body?,
                }
            }
            "conversion" if content_type.starts_with("text/plain") || content_type.is_empty() => {
                Body::Text(url, content)
            }
            "resource" => page_alone(url, content_type, content, about),
            "revisit" => Body::Other(LeftOut::Revisit),
            "warcinfo" | "request" | "metadata" => Body::Other(LeftOut::About),
            _ => Body::Other(LeftOut::Kind),
        })
    }

    /// Returns the next record without the decision in the record behind it.
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
                let fault = Fault::of(&error);
                self.ended = !self.resumes || fault.kind() == ProblemKind::Unreadable;
                // If the header could be read, the number is already set.
                self.number = before + 1;
                Some(Err(self.problem(fault)))
            }
        }
    }
}

/// Returns a page that is stored without a head.
fn page_alone(url: String, content_type: String, content: Vec<u8>, about: &mut About) -> Body {
    if about.media_type.is_empty() {
        about.media_type = http::media_type(&content_type);
    }
    if http::is_document(&mut about.media_type, &content) {
        return Body::Document(url, about.media_type.clone(), content);
    }
    match http::require_page(&mut about.media_type, &content) {
        Ok(()) => Body::Html(url, Some(content_type).filter(|kind| !kind.is_empty()), content),
        Err(left_out) => Body::Other(left_out),
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
    use crate::gzip::Members;
    use crate::input::Plain;
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
        records
            .map(|record| record.map(|record| record.body).map_err(|problem| problem.kind()))
            .collect()
    }

    fn text(content: &str) -> Result<Body, ProblemKind> {
        Ok(Body::Text("http://a.pk/".to_owned(), content.as_bytes().to_vec()))
    }

    #[test]
    fn records_are_pages_texts_or_neither() {
        let info = record("warcinfo", "application/warc-fields", "software: x");
        let answer =
            record("response", "application/http; msgtype=response", "HTTP/1.1 200 OK\r\n\r\n<p>");
        let wet = record("conversion", "text/plain", "a text\n\nWARC/1.0 is no record here");
        let page = Ok(Body::Html("http://a.pk/".to_owned(), None, b"<p>".to_vec()));
        assert_eq!(
            read(&(info + &answer + &wet)),
            [Ok(Body::Other(LeftOut::About)), page, text("a text\n\nWARC/1.0 is no record here")]
        );
    }

    #[test]
    fn a_record_that_is_longer_than_its_length_says_is_still_at_most_the_longest() {
        let of_lines = |lines: usize| {
            let record = record("conversion", "text/plain", &"a text of 20 bytes.\n".repeat(lines));
            record.replace(&format!("Content-Length: {}", 20 * lines), "Content-Length: 5")
        };
        let other = record("conversion", "text/plain", "another");
        let whole = "a text of 20 bytes.\n".repeat(49);
        assert_eq!(read(&(of_lines(49) + &other)), [text(whole.trim_end()), text("another")]);
        let long = read(&(of_lines(51) + &other));
        assert_eq!(long, [Err(ProblemKind::TooLong), text("another")]);
    }

    #[test]
    fn what_was_decided_on_a_page_is_told_by_the_record_behind_it() {
        let numbered = |record: String, id: &str| {
            record
                .replace("\r\nContent-Type", &format!("\r\nWARC-Record-ID: <{id}>\r\nContent-Type"))
        };
        let answer = |id| {
            numbered(
                record(
                    "response",
                    "application/http; msgtype=response",
                    "HTTP/1.1 200 OK\r\n\r\n<p>",
                ),
                id,
            )
        };
        let figures = |of: &str, text: &str| {
            numbered(record("metadata", FIELDS, text), "m").replace(
                "\r\nContent-Type",
                &format!("\r\nWARC-Concurrent-To: <{of}>\r\nContent-Type"),
            )
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
        assert_eq!(
            records.iter().map(|record| record.number).collect::<Vec<_>>(),
            (1..=12).collect::<Vec<_>>()
        );
        let pages = records.into_iter().filter(|record| matches!(record.body, Body::Html(..)));
        let decisions: Vec<Option<String>> = pages.map(|page| page.decision).collect();
        let [reject, keep] =
            ["reject 3 bytes of urd", "keep 300 bytes of urd"].map(|said| Some(said.to_owned()));
        assert_eq!(decisions, [reject, None, keep, None, None, None, None]);
    }

    #[test]
    fn damaged_records_cost_themselves_alone() {
        let good = record("conversion", "text/plain", "good");
        let without = good.replace("Content-Length", "X-Length");
        let junk = "\0junk\r\n\r\nmore junk\r\n";
        let long = record("conversion", "text/plain", &"x".repeat(1001));
        let headless = record("response", "application/http", "no head");
        let all =
            [&good, junk, &good, &without, &good, &long, &good, &headless, &good[..good.len() - 6]]
                .concat();
        let broken = || Err(ProblemKind::BrokenWarc);
        let cut = Err(ProblemKind::CutShort);
        let good = || text("good");
        let long = Err(ProblemKind::TooLong);
        let headless = Err(ProblemKind::BrokenHttp);
        assert_eq!(
            read(&all),
            [good(), broken(), good(), broken(), good(), long, good(), headless, cut]
        );
    }

    #[test]
    fn a_record_that_the_end_cuts_is_told_from_a_damaged_one() {
        let whole = record("conversion", "text/plain", "good");
        for cut in "WARC/".len()..whole.trim_end().len() {
            assert_eq!(read(&whole[..cut]), [Err(ProblemKind::CutShort)], "{cut}");
        }
    }

    /// A reader that fails once, at the end of these bytes.
    struct Failing<'a>(&'a [u8], Option<io::Error>, &'a [u8]);

    impl Read for Failing<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                if let Some(error) = self.1.take() {
                    return Err(error);
                }
                self.0 = std::mem::take(&mut self.2);
            }
            self.0.read(buffer)
        }
    }

    #[test]
    fn an_error_that_is_not_damage_ends_the_reading_in_every_compression() {
        let wet = record("conversion", "text/plain", "good").repeat(9).into_bytes();
        let gzip: Vec<u8> = (0..9)
            .flat_map(|_| {
                let mut member = GzEncoder::new(Vec::new(), flate2::Compression::fast());
                member.write_all(&wet[..wet.len() / 9]).expect("memory");
                member.finish().expect("memory")
            })
            .collect();
        let zstandard = zstd::encode_all(&*wet, 1).expect("memory");
        for bytes in [&wet, &gzip, &zstandard] {
            for at in (8..bytes.len()).step_by(7) {
                // Input/output error.
                let error = io::Error::from_raw_os_error(5);
                let input = Failing(&bytes[..at], Some(error), &bytes[at..]);
                let (input, resumes) = crate::decompress(input).expect("the first bytes");
                let records: Vec<_> = crate::Input::new(input, "x", 1000, resumes).collect();
                let (last, before) = records.split_last().expect("a problem");
                assert!(before.iter().all(Result::is_ok), "{at}: {before:?}");
                let problem = last.as_ref().expect_err("an error");
                assert_eq!(problem.kind(), ProblemKind::Unreadable, "{at}: {problem}");
                assert!(problem.to_string().contains(": the file cannot be read: "), "{problem}");
            }
        }
        let mut damaged = zstandard.clone();
        damaged[6..].fill(0xff);
        let (input, resumes) = crate::decompress(&*damaged).expect("the first bytes");
        let kinds: Vec<_> = crate::Input::new(input, "x", 1000, resumes)
            .filter_map(Result::err)
            .map(|problem| problem.kind())
            .collect();
        assert_eq!(kinds, [ProblemKind::BrokenCompression]);
    }

    fn in_members(texts: &[String]) -> Vec<Result<Body, ProblemKind>> {
        let mut bytes = Vec::new();
        for text in texts {
            let mut member = GzEncoder::new(bytes, flate2::Compression::fast());
            member.write_all(text.as_bytes()).expect("memory");
            bytes = member.finish().expect("memory");
        }
        let records = Records::new(Members::new(bytes.as_slice()), "x", 1000, true);
        records
            .map(|record| record.map(|record| record.body).map_err(|problem| problem.kind()))
            .collect()
    }

    #[test]
    fn a_record_whose_length_is_too_large_costs_no_other_member() {
        let good = record("conversion", "text/plain", "good");
        for claimed in ["9", "999", "2000000", "18446744073709551615"] {
            let long = good.replace("Length: 4", &format!("Length: {claimed}"));
            let records = in_members(&[good.clone(), long, good.clone(), good.clone()]);
            assert_eq!(
                records,
                [text("good"), Err(ProblemKind::BrokenWarc), text("good"), text("good")],
                "{claimed}"
            );
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
        assert!(problem.kind().is_loss(), "{problem}");
        assert!(problem.to_string().contains(" bytes are not a WARC record"), "{problem}");
        assert!(records.len() >= 3, "what follows is read: {records:?}");
    }

    #[test]
    fn a_length_that_nobody_has_costs_no_memory() {
        let huge = record("conversion", "text/plain", "x")
            .replace("Length: 1", "Length: 18446744073709551615");
        assert_eq!(read(&huge), [Err(ProblemKind::CutShort)]);
    }
}
