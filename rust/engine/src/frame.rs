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

/// The tags of the fields, from the table in `FRAME.md`. Text is UTF-8; numbers are big-endian.
pub mod tag {
    include!(concat!(env!("OUT_DIR"), "/tags.rs"));
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
    tag::STATED_ALTERNATES,
    tag::AUTHOR,
    tag::SITE_NAME,
    tag::HEADLINE,
];

/// Those of them that are JSON.
const STATED_JSON: [u16; 2] = [tag::RESERVATION, tag::STATED_ALTERNATES];

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
