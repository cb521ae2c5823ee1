//! Pages as JSON, a line each: what a crawl writes, or any corpus that has `text`.

use super::{host, is_rejected, record_of_text, Body, Problem, ProblemKind, Record};
use crate::Page;
use engine::Engine;
use langbytes::{LangBytes, LangCode};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::{self, BufRead, Read};

/// What some editors put before a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Lines of an input. Empty ones are passed over.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    name: String,
    max_bytes: u64,
    resumes: bool,
    number: u64,
    ended: bool,
}

impl<R: BufRead> Lines<R> {
    /// The lines of an input, of at most `max_bytes` each. `resumes` says whether reading can go on behind an error.
    pub fn new(input: R, name: &str, max_bytes: u64, resumes: bool) -> Self {
        Self { input, name: name.to_owned(), max_bytes, resumes, number: 0, ended: false }
    }

    fn problem(&self, kind: ProblemKind, what: String) -> Problem {
        Problem { kind, place: format!("{}, line {}", self.name, self.number), what }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<Record, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            self.number += 1;
            let mut line = Vec::new();
            let limit = self.max_bytes.saturating_add(1);
            let read = self.input.by_ref().take(limit).read_until(b'\n', &mut line);
            if let Err(error) = read {
                self.ended = !self.resumes;
                return Some(Err(self.problem(ProblemKind::BrokenCompression, error.to_string())));
            }
            if line.is_empty() {
                self.ended = true;
                break;
            }
            if line.len() as u64 > self.max_bytes && line.last() != Some(&b'\n') {
                let problem =
                    self.problem(ProblemKind::TooLong, format!("longer than {} bytes (--max-bytes)", self.max_bytes));
                if let Err(error) = skip_line(&mut self.input) {
                    self.ended = !self.resumes || error.kind() != io::ErrorKind::InvalidData;
                }
                return Some(Err(problem));
            }
            if self.number == 1 && line.starts_with(BYTE_ORDER_MARK) {
                line.drain(..BYTE_ORDER_MARK.len());
            }
            match line.trim_ascii_start().first() {
                None => {}
                Some(b'{') => return Some(Ok(Record { number: self.number, body: Body::Json(line), decision: None })),
                Some(_) => {
                    let what = "no page in JSON: a page is an object, from `{` to `}`, on a line of its own";
                    return Some(Err(self.problem(ProblemKind::InvalidJson, what.to_owned())));
                }
            }
        }
        None
    }
}

/// Goes on behind the next line end.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
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

/// What is read of a line; its other fields are passed over.
#[derive(Deserialize)]
struct Line {
    url: Option<String>,
    host: Option<String>,
    round: Option<u64>,
    text: Option<String>,
    raw_bytes: Option<u64>,
    visible_bytes: Option<u64>,
    main_bytes: Option<u64>,
    #[serde(alias = "bytes_per_language")]
    languages: Option<BTreeMap<String, u64>>,
    signature: Option<String>,
    decision: Option<String>,
    #[serde(default)]
    gone: bool,
}

/// A line's fields, and its bytes per language if it tells them.
fn fields(line: &[u8]) -> Result<(Line, Option<LangBytes>), (ProblemKind, String)> {
    let text = line;
    // Of what is UTF-8 as a whole, strings need no look one by one.
    let line = match simdutf8::basic::from_utf8(text) {
        Ok(line) => serde_json::from_str(line),
        Err(_) => serde_json::from_slice(text),
    };
    let mut line: Line = line.map_err(|error| no_page(text, &error))?;
    let Some(languages) = line.languages.take() else { return Ok((line, None)) };
    let mut sum = LangBytes::new();
    for (code, bytes) in languages {
        let code: LangCode = code.parse().map_err(|unknown| (ProblemKind::InvalidJson, format!("{unknown}")))?;
        sum.add(code, bytes);
    }
    Ok((line, Some(sum)))
}

/// Whether [`page_of_line`] reads a line that has text, without counting anything.
///
/// # Errors
/// As there.
pub fn check_line(line: &[u8]) -> Result<(), (ProblemKind, String)> {
    fields(line).map(|_| ())
}

/// The page of a line. Bytes per language are counted if the line has text and does not tell them.
///
/// # Errors
/// When it is no JSON object with the fields of a page, or has neither text nor figures.
pub fn page_of_line(line: &[u8], engine: &Engine) -> Result<Page, (ProblemKind, String)> {
    let target = engine.settings().target;
    let (line, languages) = fields(line)?;
    let url = line.url.unwrap_or_default();
    let mut page = Page {
        host: line.host.unwrap_or_else(|| host(&url)),
        url,
        round: line.round,
        kept: !is_rejected(line.decision.as_deref()),
        gone: line.gone,
        raw_bytes: line.raw_bytes,
        visible_bytes: line.visible_bytes,
        signature: line.signature.as_deref().and_then(md5_of_hex),
        text: line.text.unwrap_or_default(),
        ..Page::default()
    };
    if page.gone {
        return Ok(page);
    }
    let languages = match languages {
        Some(languages) => languages,
        None if page.text.is_empty() => {
            return Err((ProblemKind::NoText, "neither `text` nor `languages`".to_owned()));
        }
        None => record_of_text(&page.text, engine).languages,
    };
    let length = page.text.len() as u64;
    page.main_bytes = line.main_bytes.unwrap_or(if length > 0 { length } else { languages.total() });
    page.set_languages(languages, target);
    Ok(page)
}

/// What is wrong with a line that does not read as a page. One that has no end and ends within its object is the last of an input that was cut.
pub fn no_page(line: &[u8], error: &serde_json::Error) -> (ProblemKind, String) {
    let is_cut = error.is_eof() && !line.ends_with(b"\n");
    let kind = if is_cut { ProblemKind::CutShort } else { ProblemKind::InvalidJson };
    (kind, format!("no page in JSON: {error}"))
}

fn md5_of_hex(hex: &str) -> Option<[u8; 16]> {
    let hex: &[u8; 32] = hex.as_bytes().try_into().ok()?;
    let mut bytes = [0; 16];
    for (byte, pair) in bytes.iter_mut().zip(hex.chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Settings;

    fn engine() -> Engine {
        Engine::new(Settings::new("urd".parse().expect("a code"))).expect("settings")
    }

    fn read(text: &str, max_bytes: u64) -> Vec<Result<u64, ProblemKind>> {
        let lines = Lines::new(text.as_bytes(), "x", max_bytes, false);
        lines.map(|line| line.map(|record| record.number).map_err(|problem| problem.kind)).collect()
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

    #[test]
    fn a_list_of_pages_is_refused_and_a_byte_order_mark_passed_over() {
        assert_eq!(read("[{},\n{}]", 20), [Err(ProblemKind::InvalidJson), Ok(2)]);
        assert_eq!(read("\u{feff}{}\n\u{feff}{}", 20), [Ok(1), Err(ProblemKind::InvalidJson)]);
    }

    #[test]
    fn a_line_of_a_crawl_is_a_page() {
        let line = r#"{"url":"http://a.pk/x","host":"a.pk","round":3,"text":"یہ اردو ہے","raw_bytes":900,"visible_bytes":40,
            "main_bytes":18,"languages":{"urd":16},"signature":"000102030405060708090a0b0c0d0e0f","title":"t"}"#;
        let page = page_of_line(line.as_bytes(), &engine()).expect("a page");
        assert_eq!((page.host.as_str(), page.round, page.target_bytes, page.main_bytes), ("a.pk", Some(3), 16, 18));
        assert_eq!(page.signature, Some([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]));
        assert!(page.kept && !page.gone);
    }

    #[test]
    fn languages_are_counted_where_they_are_not_told() {
        let line = r#"{"url":"https://A.pk:8080/x","text":"شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا"}"#;
        let page = page_of_line(line.as_bytes(), &engine()).expect("a page");
        assert_eq!(page.host, "a.pk");
        assert_eq!(page.target_bytes, page.main_bytes);
        assert_eq!(page.main_bytes, page.text.len() as u64);
    }

    #[test]
    fn what_is_no_page_is_refused() {
        let kind =
            |line: &str| page_of_line(line.as_bytes(), &engine()).map(|page| page.kept).map_err(|(kind, _)| kind);
        assert_eq!(kind("{\n"), Err(ProblemKind::InvalidJson));
        assert_eq!(kind("[1]"), Err(ProblemKind::InvalidJson));
        let page = "{\"url\":\"http://a.pk\",\"text\":\"\u{6cc}\u{6c1}\",\"gone\":true}";
        for cut in 1..page.len() {
            let kind = page_of_line(&page.as_bytes()[..cut], &engine()).map_err(|(kind, _)| kind).map(|_| ());
            assert_eq!(kind, Err(ProblemKind::CutShort), "{cut}");
        }
        assert_eq!(kind(r#"{"text":3}"#), Err(ProblemKind::InvalidJson));
        assert_eq!(kind(r#"{"languages":{"klingon":3}}"#), Err(ProblemKind::InvalidJson));
        assert_eq!(kind(r#"{"url":"http://a.pk"}"#), Err(ProblemKind::NoText));
        assert_eq!(kind(r#"{"url":"http://a.pk","gone":true}"#), Ok(true));
        assert_eq!(kind(r#"{"languages":{"urd":3},"decision":"reject 3 bytes of urd"}"#), Ok(false));
    }
}
