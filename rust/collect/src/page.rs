//! From a record of an archive to documents.
//!
//! A page in a WARC file is read as the crawl reads it: the whole engine, and the directives of its
//! robots meta tags, its X-Robots-Tag header and its refresh. Text of WET files and JSON lines is
//! taken as it is; only its languages are counted, and decided on.

use crate::address::{host, id, is_same_page};
use crate::documents::{Documents, Refusal};
use crate::hosts::Hosts;
use engine::{
    stated, Document, Engine, FirstLook, Format, Kind, LinkOptions, Links, PageHints, PageRecord,
    Response, Status,
};
use figures::identity;
use figures::parse::{json, record_of_text, MAX_FIGURE};
use figures::removals::{clear_alternates, is_left_out};
use figures::seen::Seen;
use inputs::corpus::{Fields, Unwritable};
use md5::{Digest, Md5};
use records::{About, Body, Fault, LeftOut, Record};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::io;

/// Decisions that only the page's markup and head allow; for text they are taken from its record.
const BY_MARKUP: [&str; 2] = ["reject noindex", "reject refresh"];

/// Reads records for some languages.
#[derive(Debug)]
pub struct Judge {
    engines: Vec<Engine>,
    /// The first look of each engine, if it has one and it is used.
    looks: Vec<Option<FirstLook>>,
    format: Format,
    /// Whether rejected pages are written too.
    with_rejected: bool,
    with_spans: bool,
    /// Rules of hosts on the use of their pages.
    hosts: Hosts,
    /// Reads PDF and Office documents, if they are wanted.
    documents: Option<Documents>,
}

/// The result of reading a record.
#[derive(Debug, Default)]
pub struct Verdict {
    /// Whether it is a page.
    pub is_page: bool,
    /// Whether the first look of every language ruled it out.
    pub is_ruled_out: bool,
    /// Whether its robots directives forbid indexing, so that it is in no corpus.
    pub is_noindex: bool,
    /// Why the record is no page, if it is of a kind that never is.
    pub left_out: Option<LeftOut>,
    /// Its documents, at most one for each language.
    pub documents: Vec<Written>,
}

/// A document as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Number of its language.
    pub language: usize,
    /// Whether it is kept.
    pub is_kept: bool,
    /// Its URL; `None` if it has none.
    pub url: Option<String>,
    /// Bytes of the language in its main text.
    pub target_bytes: u64,
    /// The document as the corpus has it: a line of JSON, or a text.
    pub content: Vec<u8>,
}

impl Written {
    /// Adds its URL to a set, and returns whether the set had it. Without a URL, duplicates cannot
    /// be detected.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be written or read.
    pub fn is_new(&self, seen: &mut Seen) -> io::Result<bool> {
        match &self.url {
            Some(url) => seen.is_new(identity::of_run(url.as_bytes())),
            None => Ok(true),
        }
    }
}

/// The fields of a JSON line that are taken over.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Line {
    id: Option<String>,
    url: Option<String>,
    host: Option<String>,
    fetch_time: Option<String>,
    round: Option<u64>,
    title: Option<String>,
    text: Option<String>,
    charset: Option<String>,
    content_type: Option<String>,
    raw_bytes: Option<u64>,
    visible_bytes: Option<u64>,
    decision: Option<String>,
    record_version: Option<String>,
    signature: Option<String>,
    gone: bool,
    published: Stated,
    modified: Stated,
    date_source: Stated,
    license: Stated,
    license_url: Stated,
    license_source: Stated,
    reservation: Stated,
    alternates: Stated,
    author: Stated,
    site_name: Stated,
    headline: Stated,
}

/// Longest value of a statement, in bytes of JSON. Parsed, it may take fifty times as much memory.
const MAX_STATED: usize = 1 << 18;

/// A statement of a page about itself, if the line has it.
#[derive(Default)]
struct Stated(Option<serde_json::Value>);

impl<'de> Deserialize<'de> for Stated {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        if raw.len() > MAX_STATED {
            let what = format!(
                "a statement of the page has {} bytes; allowed are {MAX_STATED}",
                raw.len()
            );
            return Err(D::Error::custom(what));
        }
        serde_json::from_str(raw).map(|value| Self(Some(value))).map_err(D::Error::custom)
    }
}

impl Line {
    /// The fields that [`provenance`] filled when the page was read.
    fn provenance(&self) -> Vec<(&'static str, serde_json::Value)> {
        let stated = [
            &self.published,
            &self.modified,
            &self.date_source,
            &self.license,
            &self.license_url,
            &self.license_source,
            &self.reservation,
            &self.alternates,
            &self.author,
            &self.site_name,
            &self.headline,
        ];
        let fields = provenance::FIELDS.into_iter().zip(stated);
        fields.filter_map(|(name, value)| Some((name, value.0.clone()?))).collect()
    }
}

impl Judge {
    /// Creates a reader of records with an engine for each language.
    pub fn new(
        engines: Vec<Engine>,
        with_first_look: bool,
        with_rejected: bool,
        format: Format,
    ) -> Self {
        let looks = engines
            .iter()
            .map(|engine| FirstLook::new(engine).filter(|_| with_first_look))
            .collect();
        Self {
            engines,
            looks,
            format,
            with_rejected,
            with_spans: false,
            hosts: Hosts::default(),
            documents: None,
        }
    }

    /// Adds the rules of hosts on the use of their pages.
    pub fn with_hosts(self, hosts: Hosts) -> Self {
        Self { hosts, ..self }
    }

    /// Sets whether documents have the spans of their languages.
    pub fn with_spans(self, with_spans: bool) -> Self {
        Self { with_spans, ..self }
    }

    /// Adds a reader of PDF and Office documents.
    pub fn with_documents(self, documents: Option<Documents>) -> Self {
        Self { documents, ..self }
    }

    /// The engines, one for each language.
    pub fn engines(&self) -> &[Engine] {
        &self.engines
    }

    /// Whether rejected pages are written too.
    pub fn with_rejected(&self) -> bool {
        self.with_rejected
    }

    /// The form of the documents.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Whether a language has a first look that is used.
    pub fn looks_first(&self, language: usize) -> bool {
        self.looks.get(language).is_some_and(Option::is_some)
    }

    /// Reads a record.
    ///
    /// # Errors
    /// Fails if the record is no page that can be read.
    pub fn judge(&self, record: Record) -> Result<Verdict, Fault> {
        match record.body {
            Body::Html(url, content_type, bytes) => {
                self.page(&url, content_type.as_deref(), &bytes, &record.about)
            }
            Body::Text(url, bytes) => {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                let fetch_time = Some(record.about.date);
                let line = Line { url: Some(url), fetch_time, text: Some(text), ..Line::default() };
                self.text(line, None)
            }
            Body::Document(url, media_type, bytes) => {
                self.file(&url, &media_type, &bytes, &record.about)
            }
            Body::Json(line) => self.text(json(&line)?, Some(&line)),
            Body::HostFile(..) | Body::Gone(_) => Ok(Verdict::default()),
            Body::Other(reason) => Ok(Verdict { left_out: Some(reason), ..Verdict::default() }),
        }
    }

    /// Reads a page in every language that the first look does not rule out.
    fn page(
        &self,
        url: &str,
        content_type: Option<&str>,
        bytes: &[u8],
        about: &About,
    ) -> Result<Verdict, Fault> {
        let hints = PageHints { content_type, url: Some(url), kind: Kind::Html };
        // Of the links only the directives are needed, and where a refresh leads.
        let robots_header = (!about.robots.is_empty()).then_some(about.robots.as_str());
        let options = LinkOptions {
            url: Some(url),
            robots_header,
            max_links: 0,
            statements: true,
            ..LinkOptions::default()
        };
        let mut verdict = Verdict { is_page: true, is_ruled_out: true, ..Verdict::default() };
        for (language, engine) in self.engines.iter().enumerate() {
            if !self.may_keep(language, bytes, &hints) {
                continue;
            }
            verdict.is_ruled_out = false;
            let (record, links) = engine.page_with_links(bytes, &hints, &options);
            if matches!(
                record.status,
                Status::TooLarge | Status::UnsupportedCharset | Status::Failed
            ) {
                let message = record.message.unwrap_or_else(|| record.status.to_string());
                return Err(Fault::Engine(message));
            }
            let by_markup = by_markup(&links, url);
            verdict.is_noindex |= links.noindex;
            // A page that forbids indexing has no text in a corpus, whatever else is decided.
            if by_markup == Some(BY_MARKUP[0])
                || is_left_out(url, &record.text)
                || !self.is_written(&record, by_markup.is_some())
            {
                continue;
            }
            let document = Document {
                content_type: about.media_type.clone(),
                provenance: self.provenance(&links, &record, url, about),
                ..fetched(url, bytes, about, &record)
            };
            verdict.documents.push(self.document(
                language,
                document,
                record,
                by_markup.map(str::to_owned),
            ));
        }
        Ok(verdict)
    }

    /// Reads a document as the crawl does: the text that its parser finds, of which the languages
    /// are counted. A document that cannot be read is left out and counted: damaged and hostile
    /// files are the normal case.
    ///
    /// # Errors
    /// Fails if its text is longer than the engine reads.
    fn file(
        &self,
        url: &str,
        media_type: &str,
        bytes: &[u8],
        about: &About,
    ) -> Result<Verdict, Fault> {
        let left_out = |reason| Ok(Verdict { left_out: Some(reason), ..Verdict::default() });
        let Some(documents) = &self.documents else { return left_out(LeftOut::Document) };
        let found = match documents.read(media_type, bytes) {
            Ok(found) => found,
            Err(Refusal::Damaged(_)) => return left_out(LeftOut::DamagedDocument),
            Err(Refusal::Costly) => return left_out(LeftOut::CostlyDocument),
        };
        let hints = PageHints { url: Some(url), kind: Kind::Document, content_type: None };
        let robots_header = (!about.robots.is_empty()).then_some(about.robots.as_str());
        let options = LinkOptions { robots_header, statements: true, ..LinkOptions::default() };
        let mut verdict = Verdict { is_page: true, is_ruled_out: true, ..Verdict::default() };
        for (language, engine) in self.engines.iter().enumerate() {
            if !self.may_keep(language, found.text.as_bytes(), &hints) {
                continue;
            }
            verdict.is_ruled_out = false;
            let (record, links) = engine.page_with_links(found.text.as_bytes(), &hints, &options);
            if matches!(record.status, Status::TooLarge | Status::Failed) {
                return Err(Fault::Engine(record.message.unwrap_or_default()));
            }
            // A text has no directives but those of the header.
            verdict.is_noindex |= links.noindex;
            if links.noindex || is_left_out(url, &record.text) || !self.is_written(&record, false) {
                continue;
            }
            let document = Document {
                title: found.title.clone(),
                // The text is the parser's, so the bytes have no charset.
                charset: String::new(),
                content_type: media_type.to_owned(),
                provenance: self.provenance(&links, &record, url, about),
                ..fetched(url, bytes, about, &record)
            };
            // As the crawl has it: the text of the parser, with its lines.
            let record = PageRecord { text: found.text.clone(), ..record };
            verdict.documents.push(self.document(language, document, record, None));
        }
        Ok(verdict)
    }

    /// Decides on a text in every language that the first look does not rule out. `json` is the
    /// record that it is from, if there is one: its other fields stay.
    fn text(&self, line: Line, json: Option<&[u8]>) -> Result<Verdict, Fault> {
        if line.gone {
            return Ok(Verdict::default());
        }
        let text = line.text.as_deref().filter(|text| !text.is_empty());
        let text = text.ok_or(Fault::NoText)?;
        for (name, bytes) in [("raw_bytes", line.raw_bytes), ("visible_bytes", line.visible_bytes)]
        {
            if let Some(bytes) = bytes.filter(|&bytes| bytes > MAX_FIGURE) {
                return Err(Fault::Figure { name, bytes, most: MAX_FIGURE });
            }
        }
        let decided =
            line.decision.as_deref().filter(|said| BY_MARKUP.iter().any(|by| said.starts_with(by)));
        let url = line.url.as_deref().unwrap_or_default();
        let hints = PageHints { kind: Kind::Text, ..PageHints::default() };
        let mut verdict = Verdict { is_page: true, is_ruled_out: true, ..Verdict::default() };
        for (language, engine) in self.engines.iter().enumerate() {
            if !self.may_keep(language, text.as_bytes(), &hints) {
                continue;
            }
            verdict.is_ruled_out = false;
            let record = record_of_text(text, engine);
            if record.status == Status::TooLarge {
                return Err(Fault::Engine(record.message.unwrap_or_default()));
            }
            if is_left_out(url, &record.text) || !self.is_written(&record, decided.is_some()) {
                continue;
            }
            let document = Document {
                id: line.id.clone().unwrap_or_else(|| id(url)),
                url: url.to_owned(),
                host: line.host.clone().unwrap_or_else(|| host(url)),
                fetch_time: line.fetch_time.clone().unwrap_or_default(),
                round: line.round,
                title: line.title.clone().unwrap_or_default(),
                charset: line.charset.clone().unwrap_or_default(),
                content_type: line.content_type.clone().unwrap_or_default(),
                raw_bytes: line.raw_bytes.unwrap_or_default(),
                visible_bytes: line.visible_bytes.unwrap_or_default(),
                record_version: version_of_text(line.record_version.as_deref(), &record.version),
                signature: line.signature.clone().unwrap_or_default(),
                provenance: line.provenance(),
                ..Document::default()
            };
            let mut written = self.document(language, document, record, decided.map(str::to_owned));
            if let Some(json) = json.filter(|_| self.format == Format::Jsonl) {
                add_others(&mut written.content, json)
                    .map_err(|error| Fault::Engine(error.to_string()))?;
            }
            verdict.documents.push(written);
        }
        Ok(verdict)
    }

    /// Returns the fields on what a page states about itself.
    fn provenance(
        &self,
        links: &Links,
        record: &PageRecord,
        url: &str,
        about: &About,
    ) -> Vec<(&'static str, serde_json::Value)> {
        let robots = about.robots.lines().map(|value| format!("x-robots-tag: {value}\n"));
        let headers: String = std::iter::once(about.reservations.clone()).chain(robots).collect();
        let response = Response {
            headers: &headers,
            fetched: about.date.parse().ok(),
            files: self.hosts.files(url),
        };
        stated(record, links, Some(url), &response)
    }

    fn may_keep(&self, language: usize, content: &[u8], hints: &PageHints) -> bool {
        let (Some(engine), Some(Some(look))) =
            (self.engines.get(language), self.looks.get(language))
        else {
            return true;
        };
        look.may_keep(engine, content, hints)
    }

    /// Whether a page becomes a document. Pages without text never do.
    fn is_written(&self, record: &PageRecord, is_rejected: bool) -> bool {
        !record.text.is_empty() && (self.with_rejected || record.decision.keep && !is_rejected)
    }

    /// Adds the figures of a record to a document, and writes it. `decided` is a decision that
    /// counts more than the engine's.
    fn document(
        &self,
        language: usize,
        begun: Document,
        record: PageRecord,
        decided: Option<String>,
    ) -> Written {
        let is_kept = decided.is_none() && record.decision.keep;
        let spans = self.with_spans.then(|| self.engines[language].spans(&record.text));
        let mut document = Document {
            spans,
            is_file: records::is_document_type(&begun.content_type),
            title: if record.title.is_empty() { begun.title } else { record.title },
            main_bytes: record.main_bytes,
            languages: record.languages.most_first(),
            language_set: record.language_set.percents(),
            decision: decided.unwrap_or_else(|| record.decision.to_string()),
            text: record.text,
            ..begun
        };
        for (name, value) in &mut document.provenance {
            if *name == "alternates" {
                clear_alternates(value);
            }
        }
        let content = document.written(self.format).into_bytes();
        let url = (!document.url.is_empty()).then_some(document.url);
        Written { language, is_kept, url, target_bytes: record.target_bytes, content }
    }
}

/// Fields of a JSON line that a document never takes over: they describe the old decision or the
/// places of a text before it was cleaned, or stand under another name.
const NOT_TAKEN: [&str; 3] = ["spans", "gone", "bytes_per_language"];

/// Adds the fields of a JSON line that a document lacks to its line, under their names.
fn add_others(document: &mut Vec<u8>, line: &[u8]) -> Result<(), Unwritable> {
    let own = Fields::of(document)?;
    let mut names: HashSet<&str> = own.iter().map(|(name, _)| name).chain(NOT_TAKEN).collect();
    let read = Fields::of(line)?;
    let mut others = Vec::new();
    for (name, value) in read.iter().filter(|(_, value)| *value != "null") {
        if names.insert(name) {
            others.push(b',');
            others.extend(serde_json::to_vec(name)?);
            others.push(b':');
            others.extend_from_slice(value.as_bytes());
        }
    }
    // The line ends with a brace and a line end.
    let end = document.iter().rposition(|byte| *byte == b'}').unwrap_or(document.len());
    document.splice(end..end, others);
    Ok(())
}

/// Returns the decision that a page's directives require, as the crawl words it.
fn by_markup(links: &Links, url: &str) -> Option<&'static str> {
    if links.noindex {
        return Some(BY_MARKUP[0]);
    }
    let leads_away = links
        .refresh
        .as_ref()
        .is_some_and(|refresh| refresh.is_redirect() && !is_same_page(&refresh.url, url));
    leads_away.then_some("reject refresh to another page")
}

/// Returns the version of a record whose text was given: the extractor is that of the old record.
fn version_of_text(old: Option<&str>, now: &str) -> String {
    let extractor = old.and_then(|old| old.split(' ').nth(1)).unwrap_or("given");
    let mut parts = now.splitn(3, ' ');
    match (parts.next(), parts.nth(1)) {
        (Some(record), Some(identifier)) => format!("{record} {extractor} {identifier}"),
        _ => now.to_owned(),
    }
}

/// The fields that the archive gives a page or a file, and those of the record beside its figures.
fn fetched(url: &str, bytes: &[u8], about: &About, record: &PageRecord) -> Document {
    Document {
        id: id(url),
        url: url.to_owned(),
        host: host(url),
        fetch_time: about.date.clone(),
        charset: record.charset.unwrap_or_default().to_owned(),
        raw_bytes: bytes.len() as u64,
        visible_bytes: record.visible_bytes,
        record_version: record.version.clone(),
        signature: hex(&Md5::digest(bytes)),
        ..Document::default()
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
