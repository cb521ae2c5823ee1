//! A page as a document of a corpus: the one writer of JSON lines and plain text for `collect`, the
//! crawl and the jobs.

use crate::frame::{tag, BadFrame, Frame};
use crate::json::{self, quote};
use langbytes::{LangCode, Span};
use std::fmt::Write as _;
use std::str::FromStr;

/// The forms of a corpus.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Format {
    /// A JSON object on each line: main content and figures of a page.
    #[default]
    Jsonl,
    /// Main contents, each followed by an empty line.
    Text,
}

impl Format {
    /// Its name in options.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Text => "text",
        }
    }

    /// Returns how the names of its files end, compression included.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl.zst",
            Self::Text => "txt.zst",
        }
    }
}

/// The name of a form is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("allowed are jsonl and text")]
pub struct UnknownFormat;

impl FromStr for Format {
    type Err = UnknownFormat;

    /// Parses a name in options.
    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let known = [Self::Jsonl, Self::Text].into_iter().find(|format| format.as_str() == name);
        known.ok_or(UnknownFormat)
    }
}

/// A page of a corpus. Text fields are empty if the input does not have them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document {
    /// Reversed URL, unique in a corpus.
    pub id: String,
    /// URL as in the archive.
    pub url: String,
    /// Its host in lower case.
    pub host: String,
    /// Time of the response, ISO 8601 in UTC.
    pub fetch_time: String,
    /// Round of the crawl; `None` for archives.
    pub round: Option<u64>,
    /// Source of the seeds that the page was found from; empty if they have none.
    pub source: String,
    /// The page's title.
    pub title: String,
    /// The main text, blocks joined by `\n`.
    pub text: String,
    /// Charset of the page, by its WHATWG name.
    pub charset: String,
    /// Media type of the page.
    pub content_type: String,
    /// Whether it is a PDF, Office, OpenDocument or RTF file and no page.
    pub is_file: bool,
    /// Bytes of the page as fetched; 0 if unknown.
    pub raw_bytes: u64,
    /// Bytes of all visible text; 0 if unknown.
    pub visible_bytes: u64,
    /// Bytes of the main text.
    pub main_bytes: u64,
    /// Bytes of the main text per language, most first.
    pub languages: Vec<(LangCode, u64)>,
    /// Languages of the main text in percent, most first.
    pub language_set: Vec<(LangCode, u32)>,
    /// `keep` or `reject`, a space, the reason.
    pub decision: String,
    /// Versions of the record, the extractor and the identifier.
    pub record_version: String,
    /// MD5 of the page's bytes in hexadecimal.
    pub signature: String,
    /// The parts of the text in each language, if they are wanted.
    pub spans: Option<Vec<Span>>,
    /// Fields on what the page states about itself, those of [`provenance::FIELDS`] that have a
    /// value.
    pub provenance: Vec<(&'static str, serde_json::Value)>,
}

impl Document {
    /// Reads the fields of a document in a frame: what a crawl's store has of a page. A value that
    /// does not read is left out, because anyone who can write to the store may have written it.
    ///
    /// # Errors
    /// Fails if a text is not UTF-8 or a number has another length.
    pub fn from_frame(frame: &Frame) -> Result<Self, BadFrame> {
        let text = |tag| Ok(frame.text(tag)?.unwrap_or_default().to_owned());
        let number = |tag| Ok(frame.u64(tag)?.unwrap_or_default());
        let signature = frame.get(tag::SIGNATURE).unwrap_or_default();
        let mut provenance = frame.statements()?;
        let url = text(tag::URL)?;
        provenance::add_host_rules(&mut provenance, &url, frame.host_rules().files());
        Ok(Self {
            id: text(tag::DOCUMENT_ID)?,
            url,
            host: text(tag::HOST)?,
            fetch_time: text(tag::DATE)?,
            round: frame.u64(tag::ROUND)?,
            source: text(tag::SOURCE)?,
            title: text(tag::TITLE)?,
            text: text(tag::MAIN_TEXT)?,
            charset: text(tag::CHARSET)?,
            content_type: text(tag::CONTENT_TYPE)?,
            is_file: false,
            raw_bytes: number(tag::RAW_BYTES)?,
            visible_bytes: number(tag::VISIBLE_BYTES)?,
            main_bytes: number(tag::MAIN_BYTES)?,
            languages: counts(&text(tag::LANGUAGES)?),
            language_set: counts(&text(tag::LANGUAGE_SET)?),
            decision: text(tag::DECISION)?,
            record_version: text(tag::RECORD_VERSION)?,
            signature: signature.iter().map(|byte| format!("{byte:02x}")).collect(),
            spans: None,
            provenance,
        })
    }

    /// Returns the document in a form, with its line end.
    pub fn written(&self, format: Format) -> String {
        match format {
            Format::Jsonl => self.json(),
            Format::Text => self.plain(),
        }
    }

    fn json(&self) -> String {
        let mut line = String::with_capacity(self.text.len() + 1024);
        line.push('{');
        string(&mut line, "id", &self.id);
        string(&mut line, "url", &self.url);
        string(&mut line, "host", &self.host);
        string(&mut line, "fetch_time", &self.fetch_time);
        if let Some(round) = self.round {
            number(&mut line, "round", round);
        }
        if !self.source.is_empty() {
            string(&mut line, "source", &self.source);
        }
        string(&mut line, "title", &self.title);
        string(&mut line, "text", &self.text);
        string(&mut line, "charset", &self.charset);
        string(&mut line, "content_type", &self.content_type);
        if self.is_file {
            string(&mut line, "kind", "document");
        }
        number(&mut line, "raw_bytes", self.raw_bytes);
        number(&mut line, "visible_bytes", self.visible_bytes);
        number(&mut line, "main_bytes", self.main_bytes);
        numbers(&mut line, "languages", self.languages.iter().copied());
        let set = self.language_set.iter().map(|&(code, percent)| (code, u64::from(percent)));
        numbers(&mut line, "language_set", set);
        string(&mut line, "decision", &self.decision);
        string(&mut line, "record_version", &self.record_version);
        string(&mut line, "signature", &self.signature);
        if let Some(spans) = &self.spans {
            name(&mut line, "spans");
            line.push_str(&spans_as_json(spans, &self.text));
        }
        for (field, value) in &self.provenance {
            name(&mut line, field);
            json::write(&mut line, value);
        }
        line.push_str("}\n");
        line
    }

    fn plain(&self) -> String {
        let mut text = String::with_capacity(self.text.len() + 2);
        // An empty line ends a document, so a text may have none.
        for line in self.text.split('\n').filter(|line| line.chars().any(|c| c > ' ')) {
            text.push_str(line);
            text.push('\n');
        }
        text.push('\n');
        text
    }
}

/// Parses `urd:60,eng:9` without the items that do not read.
fn counts<N: FromStr>(text: &str) -> Vec<(LangCode, N)> {
    let items = text.split(',').filter_map(|item| item.split_once(':'));
    items.filter_map(|(code, count)| Some((code.parse().ok()?, count.parse().ok()?))).collect()
}

/// Returns spans as JSON, with offsets in characters of the text, since readers in most languages
/// count these and no bytes.
fn spans_as_json(spans: &[Span], text: &str) -> String {
    let (mut at, mut characters) = (0, 0);
    let mut place = |byte: usize| {
        characters += text[at..byte].chars().count();
        at = byte;
        characters
    };
    let mut json = String::from("[");
    for Span { start, end, language, probability } in spans {
        let separator = if json.len() > 1 { "," } else { "" };
        let (start, end) = (place(*start), place(*end));
        let _ = write!(json, r#"{separator}{{"start":{start},"end":{end},"language":"{language}""#);
        if let Some(probability) = probability {
            let _ = write!(json, r#","probability":{probability:.3}"#);
        }
        json.push('}');
    }
    json.push(']');
    json
}

fn name(line: &mut String, field: &str) {
    if !line.ends_with('{') {
        line.push(',');
    }
    quote(line, field);
    line.push(':');
}

fn string(line: &mut String, field: &str, value: &str) {
    name(line, field);
    quote(line, value);
}

fn number(line: &mut String, field: &str, value: u64) {
    name(line, field);
    // Writing to a string cannot fail.
    let _ = write!(line, "{value}");
}

fn numbers(line: &mut String, field: &str, by_language: impl Iterator<Item = (LangCode, u64)>) {
    name(line, field);
    line.push('{');
    for (language, value) in by_language {
        number(line, language.as_str(), value);
    }
    line.push('}');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Writer;

    fn code(name: &str) -> LangCode {
        name.parse().expect("a code")
    }

    fn full() -> Document {
        Document {
            id: "pk.a:http/".to_owned(),
            url: "http://a.pk/".to_owned(),
            host: "a.pk".to_owned(),
            fetch_time: "2026-11-01T10:00:00Z".to_owned(),
            round: Some(3),
            source: String::new(),
            title: "عنوان".to_owned(),
            text: "\"a\\b\"\n\t\u{1}\u{7f}\u{1f600}\u{6cc}\u{2028}/".to_owned(),
            charset: "utf-8".to_owned(),
            content_type: "text/html".to_owned(),
            is_file: false,
            raw_bytes: 1234,
            visible_bytes: 99,
            main_bytes: 11,
            languages: vec![(code("urd"), 9), (code("eng"), 2)],
            language_set: vec![(code("urd"), 82), (code("eng"), 18)],
            decision: "keep 9 bytes".to_owned(),
            record_version: "2 web-am/1".to_owned(),
            signature: "000102030405060708090a0b0c0d0eff".to_owned(),
            spans: None,
            provenance: vec![
                ("published", "2026-10-31".into()),
                ("license_url", "http://a.pk/\"\n".into()),
                (
                    "alternates",
                    serde_json::json!([{"lang": "en", "url": "http://a.pk/\u{1f600}"}, {}]),
                ),
            ],
        }
    }

    /// `DocumentWriterTest` of `java/corpus` writes the same file through the border.
    #[test]
    fn lines_have_the_bytes_that_the_crawl_writes() {
        let empty = Document {
            id: "pk.b:http/".to_owned(),
            url: "http://b.pk/".to_owned(),
            host: "b.pk".to_owned(),
            fetch_time: "1970-01-01T00:00:00Z".to_owned(),
            ..Document::default()
        };
        let path =
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/documents/lines.jsonl");
        let expected = std::fs::read_to_string(path).expect("the vectors");
        let written = [full(), empty].map(|document| document.written(Format::Jsonl)).concat();
        assert_eq!(written, expected);
        for (line, document) in expected.lines().zip([full(), Document::default()]) {
            let parsed: serde_json::Value = serde_json::from_str(line).expect("JSON");
            assert_eq!(parsed["text"].as_str(), Some(document.text.as_str()));
        }
    }

    #[test]
    fn what_a_store_has_that_does_not_read_is_left_out() {
        let mut fields = Writer::new();
        fields.text(tag::URL, "http://a.pk/").text(tag::SOURCE, "wiki");
        fields.text(tag::LANGUAGES, "urd:9,eng=2,a\"b:3,eng:-1,snd:18446744073709551616");
        fields.text(tag::LANGUAGE_SET, "urd:82,eng:4294967296");
        fields.text(tag::PUBLISHED, "").text(tag::LICENSE, "cc-by");
        fields.text(tag::RESERVATION, &"[".repeat(100_000));
        fields.text(tag::STATED_ALTERNATES, "[]").bytes(tag::SIGNATURE, &[1, 0xab]);
        let fields = fields.finish();
        let document = Document::from_frame(&Frame::read(&fields).expect("a frame"));
        let expected = Document {
            url: "http://a.pk/".to_owned(),
            source: "wiki".to_owned(),
            languages: vec![(code("urd"), 9)],
            language_set: vec![(code("urd"), 82)],
            signature: "01ab".to_owned(),
            provenance: vec![("license", "cc-by".into()), ("alternates", serde_json::json!([]))],
            ..Document::default()
        };
        assert_eq!(document, Ok(expected));
    }

    #[test]
    fn the_rules_of_the_host_are_in_the_reservation() {
        let mut fields = Writer::new();
        fields.text(tag::URL, "http://a.pk/news/1").text(tag::AUTHOR, "A");
        fields.text(tag::RESERVATION, r#"{"noai":{"noai":"meta"}}"#);
        fields.text(tag::ROBOTS_FILE, "User-agent: *\nContent-Usage: /news train-ai=n\n");
        fields.text(tag::TDM_FILE, r#"[{"location":"/","tdm-reservation":1}]"#);
        let fields = fields.finish();
        let document = Document::from_frame(&Frame::read(&fields).expect("a frame"));
        let reservation = serde_json::json!({
            "content_usage": {"train-ai": {"source": "robots.txt", "value": "n"}},
            "noai": {"noai": "meta"},
            "tdm": {"reservation": 1, "source": "file"},
        });
        let expected = vec![("reservation", reservation), ("author", "A".into())];
        assert_eq!(document.map(|document| document.provenance), Ok(expected));
    }

    #[test]
    fn spans_count_characters() {
        let text = "یہ اردو ہے\n𐍈 and this is English";
        let at = text.find("and").expect("in the text");
        let span = |start, end, language, probability| Span {
            start,
            end,
            language: code(language),
            probability,
        };
        let spans = vec![
            span(0, text.find('\n').expect("in the text"), "urd", Some(0.98765)),
            span(at, text.len(), "eng", None),
        ];
        let document =
            Document { text: text.to_owned(), spans: Some(spans), ..Document::default() };
        let line = document.written(Format::Jsonl);
        let expected = r#""signature":"","spans":[{"start":0,"end":10,"language":"urd","probability":0.988},{"start":13,"end":32,"language":"eng"}]}"#;
        assert!(line.trim_end().ends_with(expected), "{line}");
        let parsed: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(parsed["spans"][1]["start"], 13);
    }

    #[test]
    fn a_text_has_no_empty_line_but_at_its_end() {
        let document = Document { text: "a\n \n\nb".to_owned(), ..Document::default() };
        assert_eq!(document.written(Format::Text), "a\nb\n\n");
    }
}
