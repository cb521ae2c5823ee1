//! The processing of a page.

use crate::policy::{decide, declared};
use crate::record::most_first;
use crate::{
    record_version, BadSettings, Decision, HostTotals, LinkOptions, Links, LinksPolicy, PageRecord,
    RowScores, Settings, Status, StopWords,
};
use content::{repair_plain, Extractor, Repaired};
use langbytes::{
    ExcerptHits, ExcerptSettings, Identify, LangBytes, LangCode, LanguageSet, Segment, SetSettings,
    Span,
};
use serde::Serialize;
use sitescore::ScoreSettings;
use std::borrow::Cow;
use std::time::{Duration, Instant};

/// Longest declared language, in characters. Language tags are shorter; longer text is not a tag.
const MAX_DECLARED: usize = 64;

/// Longest headline, in characters. Longer text is none that a reader would call so.
const MAX_HEADLINE: usize = 1_000;

/// Text that is compared in two encodings, in bytes.
const SAMPLE_BYTES: usize = 16 << 10;

/// Reads pages under one set of settings. Threads may share it.
#[derive(Debug)]
pub struct Engine {
    settings: Settings,
    identifier: Box<dyn Identify>,
    stop_words: Option<StopWords>,
    /// Alphabets and encodings of the target languages.
    expected: Vec<content::Expected>,
    version: String,
}

/// Metadata of a page beside its bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PageHints<'a> {
    /// The HTTP Content-Type header, as sent.
    pub content_type: Option<&'a str>,
    /// The page's URL.
    pub url: Option<&'a str>,
    /// The kind of the bytes.
    pub kind: Kind,
}

/// The kinds of page bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Kind {
    /// HTML or XHTML in any charset.
    #[default]
    Html,
    /// UTF-8 text. The engine counts its languages and extracts nothing.
    Text,
    /// UTF-8 text from a parser of PDF or Office documents: as [`Kind::Text`], and a text in no
    /// known language is junk.
    Document,
}

/// A page's record with a report on each of its blocks.
#[derive(Debug, Clone, Serialize)]
pub struct Inspection {
    /// The result of [`Engine::page`].
    #[serde(flatten)]
    pub record: PageRecord,
    /// Every visible line, in the page's order.
    pub blocks: Vec<BlockReport>,
}

/// The verdict on one block of text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BlockReport {
    /// Whether it is part of the main text.
    pub kept: bool,
    /// The extractor's reason.
    pub reason: &'static str,
    /// Its bytes per language; empty for removed blocks, which are not identified.
    #[serde(serialize_with = "most_first")]
    pub languages: LangBytes,
    /// Other extractors of main content that disagree. A block with any is doubtful.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<Doubt>,
    /// The language and the bytes of each piece of the text, in order; the pieces together are the
    /// text. Empty for removed blocks.
    #[serde(skip)]
    pub pieces: Vec<(LangCode, usize)>,
    /// Text as a browser shows it.
    pub text: String,
}

/// Another extractor's verdict on a block that contradicts the one in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Doubt {
    /// The extractor's name.
    pub extractor: &'static str,
    /// Why that extractor kept or dropped the block.
    pub reason: &'static str,
}

/// A line of text and the extractor's verdict.
struct Block<'a> {
    text: &'a str,
    kept: bool,
    reason: &'static str,
    doubts: Vec<Doubt>,
}

/// Returns the other extractors' verdicts on the blocks where they disagree with this one. The
/// extractor of all visible text is not compared, because it does not decide what main content is,
/// and neither is Web-AM's literal reading, because it repeats Web-AM's opinion.
fn doubts(
    page: &content::Page,
    extractor: Extractor,
    verdicts: &[content::Verdict],
) -> Vec<Vec<Doubt>> {
    let mut doubts = vec![Vec::new(); verdicts.len()];
    const COMPARED: [Extractor; 3] = [Extractor::Article, Extractor::Best, Extractor::WebAm];
    for other in COMPARED.into_iter().filter(|other| *other != extractor) {
        for ((doubts, verdict), other_verdict) in
            doubts.iter_mut().zip(verdicts).zip(content::classify(page, other))
        {
            if verdict.kept != other_verdict.kept {
                doubts.push(Doubt { extractor: other.name(), reason: other_verdict.reason });
            }
        }
    }
    doubts
}

impl Engine {
    /// Creates an engine with these settings.
    ///
    /// # Errors
    /// Fails if a setting is invalid. The message is one sentence with the key, the value and the
    /// allowed values.
    pub fn new(settings: Settings) -> Result<Self, BadSettings> {
        settings.check()?;
        let identifier = settings.identifier()?;
        let Settings { extractor, comments, headline, .. } = settings;
        let version = record_version(extractor, comments, headline, &*identifier);
        let stop_words = settings.stop_words()?;
        let targets = settings.targets.iter();
        let expected =
            targets.filter_map(|target| content::Expected::of(&target.to_string())).collect();
        log::info!(
            "settings: target {}, identifier {}, extractor {}, policy {}, minBytes {}, maxBytes {}, \
             maxDepth {}, maxBlocks {}, maxMillis {}; record version {version}",
            settings.targets,
            settings.identifier,
            settings.extractor,
            settings.policy,
            settings.min_bytes,
            settings.max_bytes,
            settings.max_depth,
            settings.max_blocks,
            settings.max_millis
        );
        Ok(Self { settings, identifier, stop_words, expected, version })
    }

    /// Returns the version that every record has, see [`record_version`].
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Returns the engine's settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the parts of a text in each language; its lines are its blocks.
    pub fn spans(&self, text: &str) -> Vec<Span> {
        langbytes::spans(text, &*self.identifier)
    }

    /// Returns the engine's identifier.
    pub(crate) fn identifier(&self) -> &dyn Identify {
        &*self.identifier
    }

    /// Returns the scripts whose letters a page must have before text in the target is found in it;
    /// `None` if they are unknown.
    pub fn target_scripts(&self) -> Option<Vec<langbytes::Script>> {
        self.identifier.target_scripts()
    }

    /// Returns the scripts in which the models and language packs have a language.
    pub fn model_scripts(&self, language: LangCode) -> langbytes::Scripts {
        self.identifier.model_scripts(language)
    }

    /// Reads a page. A problem with the page is no error: the record has its status and message.
    /// Pass the bytes by value, for example as a `Vec`, to free them as soon as the text is parsed;
    /// otherwise three copies of a page may be in memory.
    pub fn page(&self, content: impl AsRef<[u8]>, hints: &PageHints) -> PageRecord {
        logged(hints, self.read(content, hints, None, None).0)
    }

    /// Reads a page as [`Engine::page`] does, and its links, with one decoding and one pass for
    /// both. The URL of the hints and the detected charset are used; those of the options are
    /// ignored.
    pub fn page_with_links(
        &self,
        content: impl AsRef<[u8]>,
        hints: &PageHints,
        options: &LinkOptions,
    ) -> (PageRecord, Links) {
        let (record, links) = self.read(content, hints, Some(options), None);
        (logged(hints, record), links.unwrap_or_else(|| Links::unread(options)))
    }

    /// Reads a page and reports on every block.
    pub fn inspect(&self, content: &[u8], hints: &PageHints) -> Inspection {
        let mut blocks = Vec::new();
        let (record, _) = self.read(content, hints, None, Some(&mut blocks));
        Inspection { record, blocks }
    }

    /// Returns the scores of each host's rows.
    pub fn scores(&self, totals: &[HostTotals]) -> Vec<RowScores> {
        let settings = ScoreSettings {
            unknown: self.settings.unknown_score,
            injected: self.settings.injected_score,
            min_bytes: self.settings.min_bytes,
        };
        totals
            .iter()
            .map(|&totals| {
                let scores = sitescore::row_scores(self.settings.score_policy, totals, settings);
                match self.settings.links_policy {
                    LinksPolicy::Soft => scores.with_soft_links(),
                    LinksPolicy::All | LinksPolicy::Hard => scores,
                }
            })
            .collect()
    }

    /// Reads a page, its links by `links`, and the reports on its blocks into `report`.
    fn read<C: AsRef<[u8]>>(
        &self,
        owned: C,
        hints: &PageHints,
        links: Option<&LinkOptions>,
        report: Option<&mut Vec<BlockReport>>,
    ) -> (PageRecord, Option<Links>) {
        let content = owned.as_ref();
        let deadline = Instant::now() + Duration::from_millis(self.settings.max_millis);
        let record = self.blank(content.len() as u64);
        if record.raw_bytes > self.settings.max_bytes {
            let message = format!(
                "page has {} bytes, allowed are {} (maxBytes)",
                record.raw_bytes, self.settings.max_bytes
            );
            return (refused(record, Status::TooLarge, message), None);
        }
        match hints.kind {
            Kind::Html => self.html(record, owned, hints, deadline, links, report),
            kind => (self.plain(record, content, kind, deadline, report), None),
        }
    }

    /// Reads a text without markup.
    fn plain(
        &self,
        mut record: PageRecord,
        content: &[u8],
        kind: Kind,
        deadline: Instant,
        report: Option<&mut Vec<BlockReport>>,
    ) -> PageRecord {
        let Repaired { text, was_zawgyi } = repair_plain(String::from_utf8_lossy(content));
        record.charset = Some(if was_zawgyi { content::ZAWGYI } else { "utf-8" });
        let (paragraphs, cut) = paragraphs(&text, self.settings.max_blocks);
        let limit = cut.then(|| {
            format!("there are more than {} paragraphs (maxBlocks)", self.settings.max_blocks)
        });
        let block = |text| Block { text, kept: true, reason: "plain text", doubts: Vec::new() };
        let blocks: Vec<_> = paragraphs.into_iter().map(block).collect();
        let mut record = self.measure(record, &blocks, limit, deadline, report);
        // Text that was not counted in time counts as unknown.
        if kind == Kind::Document && record.status == Status::Ok && record.junk.is_none() {
            record.junk = langbytes::unknown_words(&record.languages);
            if self.settings.reject_junk && record.junk.is_some() {
                (record.decision, record.stage) = decide(&self.settings, &record, None);
            }
        }
        record
    }

    /// Reads a page in HTML.
    fn html<C: AsRef<[u8]>>(
        &self,
        mut record: PageRecord,
        owned: C,
        hints: &PageHints,
        deadline: Instant,
        links: Option<&LinkOptions>,
        report: Option<&mut Vec<BlockReport>>,
    ) -> (PageRecord, Option<Links>) {
        let labels = content::Hints { content_type: hints.content_type, url: hints.url };
        let decoded = match self.decode(owned.as_ref(), &labels) {
            Ok(decoded) => decoded.repaired(),
            Err(unsupported) => {
                let message = unsupported.to_string();
                return (refused(record, Status::UnsupportedCharset, message), None);
            }
        };
        let charset = decoded.charset;
        record.charset = Some(charset);
        let links = links.map(|options| LinkOptions { url: hints.url, charset, ..*options });
        let is_reported = report.is_some();
        let parse = |text: &str| self.parse(text, deadline, links.as_ref(), is_reported);
        let (page, links) = match decoded.text {
            Cow::Borrowed(text) => {
                let parsed = parse(text);
                drop(owned);
                parsed
            }
            Cow::Owned(text) => {
                drop(owned);
                parse(&text)
            }
        };
        (self.parsed(record, &page.at(hints.url), deadline, report), links)
    }

    /// Parses the markup of a page. A report needs the verdicts of all extractors.
    fn parse(
        &self,
        text: &str,
        deadline: Instant,
        links: Option<&LinkOptions>,
        is_reported: bool,
    ) -> (content::Page, Option<Links>) {
        let Settings { extractor, max_depth, max_blocks, .. } = self.settings;
        let limits = content::Limits { max_depth, max_blocks, deadline: Some(deadline) };
        match (links, is_reported) {
            (Some(options), _) => {
                let (page, links) = content::parse_with_links(extractor, text, &limits, options);
                (page, Some(links))
            }
            (None, true) => (content::parse_to_inspect(extractor, text, &limits), None),
            (None, false) => (content::parse_for(extractor, text, &limits), None),
        }
    }

    /// Extracts the main text of a page, and measures it.
    fn parsed(
        &self,
        mut record: PageRecord,
        page: &content::Page,
        deadline: Instant,
        report: Option<&mut Vec<BlockReport>>,
    ) -> PageRecord {
        let Settings { extractor, comments, headline, .. } = self.settings;
        let stop_words = self.stop_words.as_ref().map(|words| words as &dyn content::StopWords);
        let mut verdicts = content::classify_with(page, extractor, stop_words, comments);
        let headline_block = verdicts.iter().position(content::Verdict::is_headline);
        headline.apply(&mut verdicts);
        let doubts = if report.is_some() { doubts(page, extractor, &verdicts) } else { Vec::new() };
        let lines = page.lines(&verdicts);
        let blocks: Vec<_> = lines
            .iter()
            .map(|line| Block {
                text: lines.text_of(line),
                kept: line.kept,
                reason: verdicts.get(line.block).map_or("", |verdict| verdict.reason),
                doubts: doubts.get(line.block).cloned().unwrap_or_default(),
            })
            .collect();
        record.title.clone_from(&page.title);
        let headline = lines.iter().find(|line| Some(line.block) == headline_block);
        if let Some(line) = headline {
            record.headline = lines.text_of(line).chars().take(MAX_HEADLINE).collect();
        }
        record.declared_language =
            page.language.as_ref().map(|tag| tag.chars().take(MAX_DECLARED).collect());
        record.noindex = page.noindex;
        record.nofollow = page.nofollow;
        let limit = page.limit.map(|limit| limit.to_string());
        self.measure(record, &blocks, limit, deadline, report)
    }

    /// Returns a page's record with its raw size only.
    fn blank(&self, raw_bytes: u64) -> PageRecord {
        PageRecord {
            version: self.version.clone(),
            status: Status::Ok,
            message: None,
            charset: None,
            title: String::new(),
            headline: String::new(),
            declared_language: None,
            noindex: false,
            nofollow: false,
            raw_bytes,
            visible_bytes: 0,
            main_bytes: 0,
            languages: LangBytes::new(),
            target_bytes: 0,
            language_set: LanguageSet::default(),
            junk: None,
            excerpts: None,
            decision: Decision { keep: false, reason: String::new() },
            stage: None,
            text: String::new(),
        }
    }

    /// Decodes a page. If an encoding of the target languages gives as much text in them as the
    /// declared one, or more, uses that one.
    fn decode<'c>(
        &self,
        content: &'c [u8],
        labels: &content::Hints,
    ) -> Result<content::Decoded<'c>, content::UnsupportedCharset> {
        let decoded = content::decode(content, labels)?;
        let Some(other) = content::reread(content, &decoded, &self.expected) else {
            return Ok(decoded);
        };
        // The language is often recognised in spite of a few wrong letters, so that both have the
        // same bytes. The other text has all letters of the language's alphabet.
        let bytes = self.target_bytes(&other.text);
        let is_better = bytes > 0 && bytes >= self.target_bytes(&decoded.text);
        Ok(if is_better { other } else { decoded })
    }

    /// Bytes of the target languages in the texts between tags that have a character beyond ASCII,
    /// up to [`SAMPLE_BYTES`]. Encodings differ in these texts only.
    fn target_bytes(&self, html: &str) -> u64 {
        let mut left = SAMPLE_BYTES;
        let texts = html.split(['<', '>']).filter(|text| !text.is_ascii());
        let texts: Vec<&str> = texts
            .take_while(|text| {
                let is_in = left > 0;
                left = left.saturating_sub(text.len());
                is_in
            })
            .collect();
        let languages = langbytes::count(&texts, self.identifier());
        self.settings.targets.iter().map(|target| languages.bytes(target)).sum()
    }

    /// Counts the blocks and their languages, and decides. `limit` is the limit that ended the
    /// parse early, if any.
    fn measure(
        &self,
        mut record: PageRecord,
        blocks: &[Block],
        limit: Option<String>,
        deadline: Instant,
        report: Option<&mut Vec<BlockReport>>,
    ) -> PageRecord {
        let main: Vec<&str> =
            blocks.iter().filter(|block| block.kept).map(|block| block.text).collect();
        let declared = record.declared_language.as_deref().and_then(declared);
        let segments =
            langbytes::segments_of_page(&main, self.identifier(), declared, Some(deadline));
        let mut pieces = vec![Vec::new(); if report.is_some() { main.len() } else { 0 }];
        for piece in &segments.pieces {
            let bytes = piece.text.len() as u64;
            record.languages.add(piece.language, bytes);
            if let Some(block) = pieces.get_mut(piece.block) {
                block.push((piece.language, piece.text.len()));
            }
        }
        record.visible_bytes =
            blocks.iter().map(|block| block.text.len() as u64 + 1).sum::<u64>().saturating_sub(1);
        record.target_bytes =
            self.settings.targets.iter().map(|target| record.languages.bytes(target)).sum();
        record.text = main.join("\n");
        record.main_bytes = record.text.len() as u64;

        let late = segments.late || Instant::now() >= deadline;
        let excerpts = if late { None } else { self.judge(&mut record, &segments.pieces) };
        let late =
            late.then(|| "time is up (maxMillis) before every language was counted".to_owned());
        (record.status, record.message) = match limit.or(late) {
            Some(limit) => (Status::LimitHit, Some(limit)),
            None if record.main_bytes == 0 => {
                (Status::NoContent, Some("page has no main text".to_owned()))
            }
            None => (Status::Ok, None),
        };
        (record.decision, record.stage) = decide(&self.settings, &record, excerpts.as_deref());
        if let Some(report) = report {
            let mut of_kept = pieces.into_iter();
            report.extend(blocks.iter().map(|block| {
                let pieces = if block.kept { of_kept.next() } else { None };
                block_report(block, pieces.unwrap_or_default())
            }));
        }
        record
    }

    /// Computes the language set, the junk rule and the excerpts of the main text. Takes linear
    /// time. Returns the languages of the excerpts; `None` if there are no excerpts.
    fn judge(&self, record: &mut PageRecord, pieces: &[Segment]) -> Option<Vec<LangCode>> {
        let Settings { excerpts, excerpt_chars, excerpt_min_chars, .. } = self.settings;
        record.language_set = langbytes::language_set_of(pieces, SetSettings::default());
        record.junk = langbytes::junk(&record.text, &record.language_set);
        let settings =
            ExcerptSettings { count: excerpts, chars: excerpt_chars, min_chars: excerpt_min_chars };
        let languages = langbytes::excerpt_languages(&record.text, self.identifier(), settings)
            .filter(|_| excerpts > 0);
        record.excerpts = languages.as_deref().map(|found| self.hits(found));
        languages
    }

    /// Counts the excerpts in the target languages.
    fn hits(&self, languages: &[LangCode]) -> ExcerptHits {
        let is_target = |language: &&LangCode| self.settings.targets.contains(**language);
        let hits = languages.iter().filter(is_target).count();
        ExcerptHits { hits, count: languages.len() }
    }
}

/// Logs a page that is not read to its end, and returns its record.
fn logged(hints: &PageHints, record: PageRecord) -> PageRecord {
    if !matches!(record.status, Status::Ok | Status::NoContent) {
        let url = hints.url.unwrap_or("a page without a URL");
        log::warn!("{url}: {}: {}", record.status, record.message.as_deref().unwrap_or_default());
    }
    record
}

/// Returns the record of a page that could not be read at all.
fn refused(mut record: PageRecord, status: Status, message: String) -> PageRecord {
    record.status = status;
    record.message = Some(message);
    record.decision = Decision { keep: false, reason: status.to_string() };
    record
}

/// Returns runs of lines that are not blank, without white space at their end, and whether there
/// are more than `most`. White space at their beginning stays: it indents code and paragraphs. Text
/// of a PDF breaks its lines anywhere, so a single line is too small a unit for identification.
fn paragraphs(text: &str, most: usize) -> (Vec<&str>, bool) {
    let mut paragraphs = Vec::new();
    let mut start = None;
    let mut position = 0;
    for line in text.split_inclusive(['\n', '\u{c}']) {
        if line.trim().is_empty() {
            paragraphs.extend(start.take().map(|start: usize| text[start..position].trim_end()));
            if paragraphs.len() > most {
                break;
            }
        } else {
            start.get_or_insert(position);
        }
        position += line.len();
    }
    paragraphs.extend(start.map(|start| text[start..].trim_end()));
    let cut = paragraphs.len() > most;
    paragraphs.truncate(most);
    (paragraphs, cut)
}

/// Returns a block with the languages and lengths of its pieces.
fn block_report(block: &Block, pieces: Vec<(LangCode, usize)>) -> BlockReport {
    let mut languages = LangBytes::new();
    for &(language, bytes) in &pieces {
        languages.add(language, bytes as u64);
    }
    let Block { kept, reason, doubts, text } = block;
    BlockReport {
        kept: *kept,
        reason,
        languages,
        doubts: doubts.clone(),
        pieces,
        text: (*text).to_owned(),
    }
}
