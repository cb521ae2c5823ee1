//! The frame: the binary format between the engine and Java (docs/architecture.md, "The frame").
//!
//! A frame is a magic number, a version and then fields of tag, length and bytes, all big-endian.
//! Readers skip unknown tags, so either side can add new ones first.

use crate::{
    json, Alternate, Day, HostRules, HostTotals, Kind, Link, LinkOptions, Links, PageHints,
    PageRecord, Refresh, Response, RowScores, Status,
};
use serde_json::Value;

/// First four bytes, `CRPL`.
pub const MAGIC: u32 = 0x4352_504C;
/// Version of the layout. New tags do not raise it.
pub const VERSION: u16 = 1;

/// The tags of the fields. Text is UTF-8; numbers are big-endian.
pub mod tag {
    /// [`Status`](crate::Status) as text.
    pub const STATUS: u16 = 1;
    /// One sentence, when the status is not `ok`.
    pub const MESSAGE: u16 = 2;
    /// A log record: one byte level (1 error to 5 trace), then text. Repeats.
    pub const LOG: u16 = 3;
    /// Record version, text.
    pub const RECORD_VERSION: u16 = 10;
    /// Charset that the page was decoded from, text.
    pub const CHARSET: u16 = 11;
    /// Title, text.
    pub const TITLE: u16 = 12;
    /// Main text.
    pub const MAIN_TEXT: u16 = 13;
    /// Raw page bytes, u64.
    pub const RAW_BYTES: u16 = 14;
    /// Visible-text bytes, u64.
    pub const VISIBLE_BYTES: u16 = 15;
    /// Main-text bytes, u64.
    pub const MAIN_BYTES: u16 = 16;
    /// Bytes per language, text as `urd:3140,eng:133`.
    pub const LANGUAGES: u16 = 17;
    /// Decision, text as `keep REASON` or `reject REASON`.
    pub const DECISION: u16 = 18;
    /// Declared language, text; absent if none.
    pub const DECLARED_LANGUAGE: u16 = 19;
    /// Robots meta, one byte: bit 1 noindex, bit 2 nofollow.
    pub const ROBOTS: u16 = 20;
    /// Target bytes, u64; of several targets their sum.
    pub const TARGET_BYTES: u16 = 21;
    /// Language set, text as `urd:71,eng:29`, in percent.
    pub const LANGUAGE_SET: u16 = 22;
    /// Why the page is junk, text; absent if it is not.
    pub const JUNK: u16 = 23;
    /// Excerpts in the target language, text as `1/3`; absent if the page is too short for
    /// excerpts.
    pub const EXCERPTS: u16 = 24;
    /// [`Stage`](crate::Stage) that decided, text; absent if none did.
    pub const STAGE: u16 = 25;
    /// Present if the first look rules the page out.
    pub const RULED_OUT: u16 = 26;
    /// Engine id, u32.
    pub const ENGINE_ID: u16 = 30;
    /// Library version, text.
    pub const LIBRARY_VERSION: u16 = 31;
    /// Target language as resolved, ISO 639-3; several are sorted and separated by commas.
    pub const TARGET: u16 = 32;
    /// Key of the setting at fault, text; absent if an answer fails for another reason.
    pub const SETTING: u16 = 33;
    /// Host totals in: per host u64 target bytes, u64 fetched pages.
    pub const TOTALS: u16 = 40;
    /// Host scores out: per host f32 for its rows, f32 for its injected seeds.
    pub const SCORES: u16 = 41;
    /// Host scores out: per host f32 for rows without a linking page in the target language, f32
    /// for the host's probe; absent if all have the score of its rows.
    pub const OTHER_SCORES: u16 = 42;
    /// Host totals in: per host u64 fetched pages that this engine did not parse; absent when there
    /// are none.
    pub const UNREAD: u16 = 43;
    /// Host totals in: per host u64 downloaded bytes of the pages that this engine parsed; absent
    /// when they are unknown.
    pub const HOST_RAW_BYTES: u16 = 44;
    /// Page hints in: HTTP Content-Type header, text.
    pub const CONTENT_TYPE: u16 = 50;
    /// Page hints in: URL, text.
    pub const URL: u16 = 51;
    /// Page hints in: `html` or `text`.
    pub const KIND: u16 = 52;
    /// Page hints in: present if links are requested; u32 most links, u32 most bytes of a URL.
    pub const LINK_LIMITS: u16 = 53;
    /// Page hints in: values of the HTTP header X-Robots-Tag, one per line, text.
    pub const ROBOTS_HEADER: u16 = 54;
    /// Page hints in: present if the statements of the page about itself are requested; the
    /// [header fields with reservations](crate::RESERVATION_HEADERS), one `name: value` on each
    /// line, text.
    pub const RESERVATION_HEADERS: u16 = 55;
    /// Page hints in, and row in: time of the fetch in milliseconds since 1970, u64; absent if it is
    /// unknown.
    pub const FETCH_TIME: u16 = 56;
    /// Page hints in: present if the languages of anchors are requested; needs
    /// [`LINK_LIMITS`].
    pub const ANCHORS: u16 = 57;
    /// Page hints in: the lines of the host's `robots.txt` with rules on usage; needs
    /// [`RESERVATION_HEADERS`].
    pub const ROBOTS_FILE: u16 = 58;
    /// Page hints in: the host's `/.well-known/tdmrep.json`; needs [`RESERVATION_HEADERS`].
    pub const TDM_FILE: u16 = 59;
    /// Corpus id, u32.
    pub const CORPUS_ID: u16 = 60;
    /// Row of a crawl's table in: its round's number or the time at which it began in seconds since
    /// 1970, u64.
    pub const ROUND: u16 = 61;
    /// Row in: MD5 of the page as fetched, 16 bytes.
    pub const SIGNATURE: u16 = 62;
    /// Row in: present if the server no longer has the page.
    pub const GONE: u16 = 63;
    /// Corpus options in: folder for temporary files, or for the report, text.
    pub const FOLDER: u16 = 64;
    /// Corpus options in: bytes of memory for counting, u64.
    pub const MEMORY: u16 = 65;
    /// Corpus options in: present if words are not counted.
    pub const NO_WORDS: u16 = 66;
    /// Corpus options in: the corpus's name, text.
    pub const NAME: u16 = 67;
    /// Corpus options in: rows that are not pages, u64.
    pub const OTHER_RECORDS: u16 = 68;
    /// Corpus options in: file for the parts, each preceded by its length as u32; text.
    pub const FILE: u16 = 69;
    /// Row in: host of the page, text.
    pub const HOST: u16 = 70;
    /// Archive id, u32.
    pub const ARCHIVE_ID: u16 = 71;
    /// Record of an archive out: the body of the page, decoded.
    pub const CONTENT: u16 = 72;
    /// Next step of an archive, text: `hungry`, `html`, `text`, `other`, `problem` or `end`.
    pub const STEP: u16 = 73;
    /// Record of an archive out: what is wrong with it, text as `broken_warc`.
    pub const PROBLEM: u16 = 74;
    /// Record of an archive out: time of the response as the archive has it, text.
    pub const DATE: u16 = 75;
    /// Record of an archive out: media type of the page, in lower case, text.
    pub const MEDIA_TYPE: u16 = 76;
    /// Archive options in: longest record that is read, in bytes, u64.
    pub const MAX_BYTES: u16 = 77;
    /// Report out: words of the kept pages, u64.
    pub const WORDS: u16 = 78;
    /// Report out: those of them that are written in letters of the language, u64.
    pub const OWN_WORDS: u16 = 79;
    /// Robots directives and completeness of the links, one byte: bit 1 noindex, bit 2 nofollow,
    /// bit 4 noarchive, bit 8 more links than the limit, bit 16 the page was not read to its end.
    /// Present if links were requested.
    pub const LINK_FLAGS: u16 = 80;
    /// Base URL of relative links, text; absent if it is unknown.
    pub const BASE_URL: u16 = 81;
    /// Links: per link one byte `rel` (bit 1 nofollow, bit 2 ugc, bit 4 sponsored, bit 8 the
    /// anchor is in a target language, bit 16 it is in another), u16 length and URL, u16 length and
    /// anchor text.
    pub const LINKS: u16 = 82;
    /// Alternates: per alternate u16 length and language, u16 length and URL; absent if there are
    /// none.
    pub const ALTERNATES: u16 = 83;
    /// Feeds: per feed u16 length and URL; absent if there are none.
    pub const FEEDS: u16 = 84;
    /// Canonical URL, text; absent if none.
    pub const CANONICAL: u16 = 85;
    /// Refresh: u32 seconds, u16 length and URL; absent if none.
    pub const REFRESH: u16 = 86;
    /// Day of publication, text as `2024-03-12`. This field and the next are absent if they were
    /// not requested or the page does not state them.
    pub const PUBLISHED: u16 = 90;
    /// Day of the last change, text.
    pub const MODIFIED: u16 = 91;
    /// Source of the days, text.
    pub const DATE_SOURCE: u16 = 92;
    /// Kind of the licence, text.
    pub const LICENSE: u16 = 93;
    /// Address of the licence, text.
    pub const LICENSE_URL: u16 = 94;
    /// Source of the licence, text.
    pub const LICENSE_SOURCE: u16 = 95;
    /// Reservations, JSON as records have it.
    pub const RESERVATION: u16 = 96;
    /// Signs of machine translation, JSON as records have it.
    pub const MT_SIGNALS: u16 = 97;
    /// Versions of the page in other languages, JSON as records have it.
    pub const STATED_ALTERNATES: u16 = 98;
    /// The authors of a page, text.
    pub const AUTHOR: u16 = 101;
    /// The name of the site of a page, text.
    pub const SITE_NAME: u16 = 102;
    /// The headline above the main content, text.
    pub const HEADLINE: u16 = 103;
    /// Steering id, u32.
    pub const STEERING_ID: u16 = 110;
    /// State of a steering, in and out, text.
    pub const STEERING_STATE: u16 = 111;
    /// Chosen rows out: per row u32 number, one byte: 1 for a probe, f32 score.
    pub const CHOSEN: u16 = 112;
    /// Predictions out: per row u32 number, one byte level (0 none, 1 new host, 2 new section, 3
    /// known section), f32 logit of the section, f32 probability, f32 score.
    pub const PREDICTIONS: u16 = 113;
    /// Review out: u64 rows of new hosts, u64 of them kept, f64 their cost in bytes, f64 Brier score
    /// of all predictions, -1 if there are none.
    pub const REVIEW: u16 = 114;
    /// Round in: u32 most rows, u32 most rows of a host.
    pub const ROUND_LIMITS: u16 = 115;
    /// Sections out: per section u32 fetched pages, u32 kept ones, one byte: 1 if the row is in it,
    /// u16 length and name; the host, which comes first, has no name.
    pub const SECTIONS: u16 = 116;
    /// Document in: its id, text.
    pub const DOCUMENT_ID: u16 = 120;
    /// Document in: source of the seeds that the page was found from, text.
    pub const SOURCE: u16 = 121;
    /// Document in: present if its form is plain text.
    pub const PLAIN_TEXT: u16 = 122;
    /// Document out: the document in its form, UTF-8.
    pub const DOCUMENT: u16 = 123;
    /// Corpus options in: the one of several target languages that the sums are of, ISO 639-3;
    /// text.
    pub const CORPUS_TARGET: u16 = 100;
}

/// Tags of the statements of a page about itself, in the order of [`provenance::FIELDS`].
const STATED: [u16; provenance::FIELDS.len()] = [
    tag::PUBLISHED,
    tag::MODIFIED,
    tag::DATE_SOURCE,
    tag::LICENSE,
    tag::LICENSE_URL,
    tag::LICENSE_SOURCE,
    tag::RESERVATION,
    tag::MT_SIGNALS,
    tag::STATED_ALTERNATES,
    tag::AUTHOR,
    tag::SITE_NAME,
    tag::HEADLINE,
];

/// Those of them that are JSON.
const STATED_JSON: [u16; 3] = [tag::RESERVATION, tag::MT_SIGNALS, tag::STATED_ALTERNATES];

/// Writes a frame field by field.
#[derive(Debug, Clone)]
pub struct Writer(Vec<u8>);

impl Default for Writer {
    fn default() -> Self {
        Self::new()
    }
}

impl Writer {
    /// Creates a frame without fields.
    pub fn new() -> Self {
        let mut bytes = Vec::with_capacity(256);
        bytes.extend(MAGIC.to_be_bytes());
        bytes.extend(VERSION.to_be_bytes());
        Self(bytes)
    }

    /// Creates a result frame with a status and an optional message.
    pub fn answer(status: Status, message: Option<&str>) -> Self {
        let mut frame = Self::new();
        frame.text(tag::STATUS, status.as_str());
        if let Some(message) = message {
            frame.text(tag::MESSAGE, message);
        }
        frame
    }

    /// Appends a field. A value of 4 GiB or more is truncated to the maximum length; no Java array
    /// can hold it.
    pub fn bytes(&mut self, tag: u16, value: &[u8]) -> &mut Self {
        let length = u32::try_from(value.len()).unwrap_or(u32::MAX);
        self.0.extend(tag.to_be_bytes());
        self.0.extend(length.to_be_bytes());
        self.0.extend(&value[..length as usize]);
        self
    }

    /// Appends a field of text.
    pub fn text(&mut self, tag: u16, value: &str) -> &mut Self {
        self.bytes(tag, value.as_bytes())
    }

    /// Appends a field of one 64-bit number.
    pub fn u64(&mut self, tag: u16, value: u64) -> &mut Self {
        self.bytes(tag, &value.to_be_bytes())
    }

    /// Appends a field of one 32-bit number.
    pub fn u32(&mut self, tag: u16, value: u32) -> &mut Self {
        self.bytes(tag, &value.to_be_bytes())
    }

    /// Appends a log record: level 1 (error) to 5 (trace).
    pub fn log(&mut self, level: u8, text: &str) -> &mut Self {
        let mut value = Vec::with_capacity(1 + text.len());
        value.push(level);
        value.extend(text.as_bytes());
        self.bytes(tag::LOG, &value)
    }

    /// Appends the fields of a page's record.
    pub fn record(&mut self, record: &PageRecord) -> &mut Self {
        // Room for the small fields, too: growing the buffer would double it.
        self.0.reserve(record.text.len() + record.title.len() + (4 << 10));
        self.text(tag::RECORD_VERSION, &record.version);
        if let Some(charset) = record.charset {
            self.text(tag::CHARSET, charset);
        }
        self.text(tag::TITLE, &record.title);
        self.text(tag::MAIN_TEXT, &record.text);
        self.u64(tag::RAW_BYTES, record.raw_bytes);
        self.u64(tag::VISIBLE_BYTES, record.visible_bytes);
        self.u64(tag::MAIN_BYTES, record.main_bytes);
        self.text(tag::LANGUAGES, &record.languages.to_string());
        self.text(tag::DECISION, &record.decision.to_string());
        if let Some(language) = &record.declared_language {
            self.text(tag::DECLARED_LANGUAGE, language);
        }
        self.bytes(tag::ROBOTS, &[u8::from(record.noindex) | u8::from(record.nofollow) << 1]);
        self.u64(tag::TARGET_BYTES, record.target_bytes);
        self.text(tag::LANGUAGE_SET, &record.language_set.to_string());
        if let Some(junk) = record.junk {
            self.text(tag::JUNK, &junk.to_string());
        }
        if let Some(excerpts) = record.excerpts {
            self.text(tag::EXCERPTS, &excerpts.to_string());
        }
        if let Some(stage) = record.stage {
            self.text(tag::STAGE, stage.as_str());
        }
        self
    }

    /// Appends the links of a page.
    pub fn links(&mut self, links: &Links) -> &mut Self {
        self.links_with_anchors(links, |_| None)
    }

    /// Appends the links of a page, with the result of
    /// [`is_anchor_in_target`](crate::Engine::is_anchor_in_target) for each anchor.
    pub fn links_with_anchors(
        &mut self,
        links: &Links,
        is_in_target: impl Fn(&str) -> Option<bool>,
    ) -> &mut Self {
        let states = [links.noindex, links.nofollow, links.noarchive, links.too_many, links.unread];
        self.bytes(tag::LINK_FLAGS, &[bits(states)]);
        if let Some(base) = &links.base {
            self.text(tag::BASE_URL, base);
        }
        let mut packed = Vec::with_capacity(links.links.len() * 128);
        for Link { url, anchor, rel } in &links.links {
            let found = is_in_target(anchor);
            let [in_target, in_other] = [found == Some(true), found == Some(false)];
            packed.push(bits([rel.nofollow, rel.ugc, rel.sponsored, in_target, in_other]));
            pack(&mut packed, url);
            pack(&mut packed, anchor);
        }
        self.bytes(tag::LINKS, &packed);
        packed.clear();
        for Alternate { language, url } in &links.alternates {
            pack(&mut packed, language);
            pack(&mut packed, url);
        }
        if !packed.is_empty() {
            self.bytes(tag::ALTERNATES, &packed);
        }
        packed.clear();
        links.feeds.iter().for_each(|url| pack(&mut packed, url));
        if !packed.is_empty() {
            self.bytes(tag::FEEDS, &packed);
        }
        if let Some(canonical) = &links.canonical {
            self.text(tag::CANONICAL, canonical);
        }
        if let Some(Refresh { seconds, url }) = &links.refresh {
            packed.clear();
            packed.extend(seconds.to_be_bytes());
            pack(&mut packed, url);
            self.bytes(tag::REFRESH, &packed);
        }
        self
    }

    /// Appends the statements of a page about itself, as [`stated`](crate::stated) returns them.
    pub fn stated(&mut self, stated: &[(&'static str, Value)]) -> &mut Self {
        let tags = provenance::FIELDS.into_iter().zip(STATED);
        for (name, tag) in tags {
            match stated.iter().find(|(known, _)| *known == name) {
                Some((_, Value::String(text))) => {
                    self.text(tag, text);
                }
                Some((_, value)) => {
                    let mut text = String::new();
                    json::write(&mut text, value);
                    self.text(tag, &text);
                }
                None => {}
            }
        }
        self
    }

    /// Appends the scores of hosts.
    pub fn scores(&mut self, scores: &[RowScores]) -> &mut Self {
        let packed = |of: fn(&RowScores) -> [f32; 2]| -> Vec<u8> {
            scores.iter().flat_map(of).flat_map(f32::to_be_bytes).collect()
        };
        self.bytes(tag::SCORES, &packed(|score| [score.found, score.seed]));
        // Under the paper's policy every row has its host's score, so the field would be redundant.
        if scores.iter().any(|score| [score.other, score.probe] != [score.found; 2]) {
            self.bytes(tag::OTHER_SCORES, &packed(|score| [score.other, score.probe]));
        }
        self
    }

    /// Returns the frame's bytes.
    pub fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// Returns a byte with one bit per flag, the lowest bit first.
fn bits<const N: usize>(states: [bool; N]) -> u8 {
    states.into_iter().rfold(0, |bits, state| bits << 1 | u8::from(state))
}

/// Appends a text preceded by its length. [`Frame::link_options`] limits texts to what the length
/// field can hold.
fn pack(packed: &mut Vec<u8>, text: &str) {
    let length = u16::try_from(text.len()).unwrap_or(0);
    packed.extend(length.to_be_bytes());
    packed.extend(&text.as_bytes()[..usize::from(length)]);
}

/// Returns the complete result frame of a page.
pub fn page_answer(record: &PageRecord) -> Writer {
    let mut frame = Writer::answer(record.status, record.message.as_deref());
    frame.record(record);
    frame
}

/// A parsed frame: its fields in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame<'a>(Vec<(u16, &'a [u8])>);

impl<'a> Frame<'a> {
    /// Parses a frame without copying its fields.
    ///
    /// # Errors
    /// Fails if the bytes are not a frame, have another version, or end inside a field.
    pub fn read(bytes: &'a [u8]) -> Result<Self, BadFrame> {
        let (magic, rest) = bytes.split_first_chunk().ok_or(BadFrame::NotAFrame)?;
        if u32::from_be_bytes(*magic) != MAGIC {
            return Err(BadFrame::NotAFrame);
        }
        let (version, mut rest) = rest.split_first_chunk().ok_or(BadFrame::Cut)?;
        let version = u16::from_be_bytes(*version);
        if version != VERSION {
            return Err(BadFrame::Version(version));
        }
        let mut fields = Vec::new();
        while !rest.is_empty() {
            let (tag, after) = rest.split_first_chunk().ok_or(BadFrame::Cut)?;
            let (length, after) = after.split_first_chunk().ok_or(BadFrame::Cut)?;
            let length = u32::from_be_bytes(*length) as usize;
            let value = after.get(..length).ok_or(BadFrame::Cut)?;
            fields.push((u16::from_be_bytes(*tag), value));
            rest = &after[length..];
        }
        Ok(Self(fields))
    }

    /// Returns all fields, in order.
    pub fn fields(&self) -> &[(u16, &'a [u8])] {
        &self.0
    }

    /// Returns the first field with this tag.
    pub fn get(&self, tag: u16) -> Option<&'a [u8]> {
        self.0.iter().find(|field| field.0 == tag).map(|field| field.1)
    }

    /// Returns the first field with this tag, as text.
    ///
    /// # Errors
    /// Fails if the field is not UTF-8.
    pub fn text(&self, tag: u16) -> Result<Option<&'a str>, BadFrame> {
        self.get(tag)
            .map(|value| std::str::from_utf8(value).map_err(|_| BadFrame::NotText(tag)))
            .transpose()
    }

    /// Returns the first field with this tag, as a 64-bit number.
    ///
    /// # Errors
    /// Fails if the field is not 8 bytes long.
    pub fn u64(&self, tag: u16) -> Result<Option<u64>, BadFrame> {
        let number = |value: &[u8]| {
            value.try_into().map(u64::from_be_bytes).map_err(|_| BadFrame::NotNumber(tag))
        };
        self.get(tag).map(number).transpose()
    }

    /// Returns the page hints in this frame. Hints that are not UTF-8 are ignored: they come from
    /// the web, and the page is readable without them.
    ///
    /// # Errors
    /// Fails if the kind is unknown.
    pub fn page_hints(&self) -> Result<PageHints<'a>, BadFrame> {
        let kind = match self.text(tag::KIND)? {
            None | Some("html") => Kind::Html,
            Some("text") => Kind::Text,
            Some("document") => Kind::Document,
            Some(other) => return Err(BadFrame::Kind(other.chars().take(40).collect())),
        };
        let hint = |tag| self.text(tag).unwrap_or(None);
        Ok(PageHints { content_type: hint(tag::CONTENT_TYPE), url: hint(tag::URL), kind })
    }

    /// Returns the link options in this frame; `None` if links are not requested.
    ///
    /// # Errors
    /// Fails if the limits are not 8 bytes long.
    pub fn link_options(&self) -> Result<Option<LinkOptions<'a>>, BadFrame> {
        let Some(limits) = self.u64(tag::LINK_LIMITS)? else { return Ok(None) };
        let [links, bytes] = [limits >> 32, limits & u64::from(u32::MAX)];
        Ok(Some(LinkOptions {
            max_links: usize::try_from(links).unwrap_or(usize::MAX),
            max_url_bytes: usize::try_from(bytes.min(u64::from(u16::MAX))).unwrap_or(usize::MAX),
            robots_header: self.text(tag::ROBOTS_HEADER).unwrap_or(None),
            ..LinkOptions::default()
        }))
    }

    /// Returns the response in this frame; `None` if the statements of the page are not requested.
    /// The fields of its head come from the web, so those that are not UTF-8 are ignored.
    ///
    /// # Errors
    /// Fails if the time of the fetch is not 8 bytes long.
    pub fn response(&self) -> Result<Option<Response<'a>>, BadFrame> {
        if self.get(tag::RESERVATION_HEADERS).is_none() {
            return Ok(None);
        }
        let fetched = self.u64(tag::FETCH_TIME)?;
        let seconds = fetched.and_then(|millis| i64::try_from(millis / 1000).ok());
        Ok(Some(Response {
            headers: self.text(tag::RESERVATION_HEADERS).unwrap_or(None).unwrap_or_default(),
            fetched: seconds.and_then(Day::of_seconds),
            ..Response::default()
        }))
    }

    /// Returns the rules of the page's host in this frame.
    pub fn host_rules(&self) -> HostRules {
        HostRules::read(self.get(tag::ROBOTS_FILE), self.get(tag::TDM_FILE))
    }

    /// Returns the statements of a page about itself in this frame, without those that are empty or
    /// not the JSON that they must be.
    pub(crate) fn statements(&self) -> Result<Vec<(&'static str, Value)>, BadFrame> {
        let mut stated = Vec::new();
        for (field, tag) in provenance::FIELDS.into_iter().zip(STATED) {
            let text = self.text(tag)?.unwrap_or_default();
            let value = match STATED_JSON.contains(&tag) {
                true => serde_json::from_str(text).ok(),
                false => (!text.is_empty()).then(|| Value::from(text)),
            };
            stated.extend(value.map(|value| (field, value)));
        }
        Ok(stated)
    }

    /// Returns the host totals in this frame; empty if there is no such field.
    ///
    /// # Errors
    /// Fails if a field's length is not a whole number of hosts, or the fields differ in their
    /// numbers of hosts.
    pub fn totals(&self) -> Result<Vec<HostTotals>, BadFrame> {
        let packed = self.get(tag::TOTALS).unwrap_or_default();
        let hosts = packed.chunks_exact(16);
        if !hosts.remainder().is_empty() {
            return Err(BadFrame::Totals(packed.len()));
        }
        let unread = self.get(tag::UNREAD).unwrap_or_default();
        if !unread.is_empty() && unread.len() != packed.len() / 2 {
            return Err(BadFrame::Unread(unread.len(), packed.len() / 2));
        }
        let raw = self.get(tag::HOST_RAW_BYTES).unwrap_or_default();
        if !raw.is_empty() && raw.len() != packed.len() / 2 {
            return Err(BadFrame::HostRawBytes(raw.len(), packed.len() / 2));
        }
        let number = |eight: &[u8]| eight.iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        let mut unread = unread.chunks_exact(8).map(number);
        let mut raw = raw.chunks_exact(8).map(number);
        Ok(hosts
            .map(|host| HostTotals {
                target_bytes: number(&host[..8]),
                fetched: number(&host[8..]),
                unread: unread.next().unwrap_or(0),
                raw_bytes: raw.next().unwrap_or(0),
            })
            .collect())
    }
}

/// Why bytes are not a valid frame.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadFrame {
    /// The magic number is missing.
    #[error("frame does not begin with {MAGIC:#x}")]
    NotAFrame,
    /// The layout has another version.
    #[error("frame is of version {0}, allowed is {VERSION}")]
    Version(u16),
    /// The bytes end inside a field.
    #[error("frame ends inside a field")]
    Cut,
    /// A field of text is not UTF-8.
    #[error("frame's field {0} is not UTF-8")]
    NotText(u16),
    /// A field of a 64-bit number is not 8 bytes long.
    #[error("frame's field {0} is not a number of 8 bytes")]
    NotNumber(u16),
    /// The page's kind is unknown.
    #[error("frame's kind is `{0}`, allowed are html and text")]
    Kind(String),
    /// The totals' length is not a whole number of hosts; the length in bytes.
    #[error("frame's host totals have {0} bytes, allowed are multiples of 16")]
    Totals(usize),
    /// The unread pages have another number of hosts than the totals; their length in bytes, and
    /// the expected length.
    #[error("frame's unread pages have {0} bytes, allowed are {1} for these hosts")]
    Unread(usize, usize),
    /// The same for the downloaded bytes.
    #[error("frame's downloaded bytes have {0} bytes, allowed are {1} for these hosts")]
    HostRawBytes(usize, usize),
}
