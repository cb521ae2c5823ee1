//! The articles of a dump.

use crate::wikitext::Namespaces;
use bzip2::bufread::MultiBzDecoder;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::Reader;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use url::Url;

/// Bytes that are decompressed at a time.
const BUFFER: usize = 1 << 18;

/// First bytes of bzip2 data.
const BZIP2: &[u8] = b"BZh";

/// Longest keyword of a redirect, in bytes, for dumps without redirect elements.
const REDIRECT_BYTES: usize = 100;

/// An article of the dump.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Article {
    /// The page's number in its wiki; 0 if the dump has none.
    pub id: u64,
    /// Title as in the dump.
    pub title: String,
    /// Its URL, if the dump has the wiki's base URL.
    pub url: Option<String>,
    /// Its wikitext; of several revisions the last in the dump.
    pub wikitext: String,
}

/// Counts of a dump's pages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pages of the main namespace with text.
    pub articles: u64,
    /// Redirects in the main namespace.
    pub redirects: u64,
    /// Pages of other namespaces, and pages without wikitext.
    pub others: u64,
}

/// Why a dump, or the rest of it, cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Broken {
    /// The input is not a dump. One sentence.
    NoDump(String),
    /// The next part is damaged, truncated or too long. One sentence.
    Here(String),
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDump(what) | Self::Here(what) => f.write_str(what),
        }
    }
}

/// An iterator over the articles of a dump in MediaWiki's export format, versions 0.3 to 0.11: XML,
/// plain or in bzip2. It ends after an error.
pub struct Dump<R> {
    reader: Reader<Limited<R>>,
    namespaces: Namespaces,
    base: Option<Url>,
    counts: Counts,
    max_bytes: u64,
    began: bool,
    ended: bool,
}

impl<'a> Dump<Box<dyn BufRead + Send + 'a>> {
    /// Opens a dump that is XML or XML in bzip2, as its first bytes determine. A page of more than
    /// `max_bytes` is an error.
    ///
    /// # Errors
    /// Fails if the first bytes cannot be read.
    pub fn open(mut input: impl BufRead + Send + 'a, max_bytes: u64) -> io::Result<Self> {
        // A pipe may return single bytes.
        let mut start = Vec::new();
        input.by_ref().take(BZIP2.len() as u64).read_to_end(&mut start)?;
        let packed = start == BZIP2;
        let input = io::Cursor::new(start).chain(input);
        let input: Box<dyn BufRead + Send> = if packed {
            Box::new(BufReader::with_capacity(BUFFER, MultiBzDecoder::new(input)))
        } else {
            Box::new(input)
        };
        Ok(Self::new(input, max_bytes))
    }
}

impl<R: BufRead> Dump<R> {
    /// Creates a reader of a dump in plain XML. A page of more than `max_bytes` is an error.
    pub fn new(input: R, max_bytes: u64) -> Self {
        let mut reader = Reader::from_reader(Limited { input, left: max_bytes });
        reader.config_mut().allow_dangling_amp = true;
        let namespaces = Namespaces::default();
        Self {
            reader,
            namespaces,
            base: None,
            counts: Counts::default(),
            max_bytes,
            began: false,
            ended: false,
        }
    }

    /// Returns the counts so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Returns the names of the wiki's namespaces read so far; the dump has them before its first
    /// page.
    pub fn namespaces(&self) -> &Namespaces {
        &self.namespaces
    }

    /// Reads the next article.
    fn article(&mut self) -> Result<Option<Article>, Broken> {
        let mut buffer = Vec::new();
        loop {
            let event =
                self.reader.read_event_into(&mut buffer).map_err(|error| self.broken(&error))?;
            // Names of the site and of namespaces are short; other text is not stored.
            let page = match event {
                Event::Eof if self.began => return Err(self.here("the dump ends early")),
                Event::Eof => {
                    return Err(Broken::NoDump("is empty, and no dump of a wiki".to_owned()))
                }
                Event::Start(start) if !self.began => {
                    if start.local_name().as_ref() != "mediawiki" {
                        let name: String = start.local_name().as_ref().chars().take(40).collect();
                        return Err(Broken::NoDump(format!(
                            "begins with <{name}>; a dump of a wiki begins with <mediawiki>"
                        )));
                    }
                    self.began = true;
                    false
                }
                Event::Text(text) if !self.began && !text.trim().is_empty() => {
                    return Err(Broken::NoDump(
                        "is not XML; a dump of a wiki begins with <mediawiki>".to_owned(),
                    ))
                }
                Event::Start(start) if start.local_name().as_ref() == "base" => {
                    self.base = Url::parse(self.text()?.trim()).ok();
                    false
                }
                Event::Start(start) if start.local_name().as_ref() == "namespace" => {
                    let key = key(&start);
                    let name = self.text()?;
                    if let Some(key) = key {
                        self.namespaces.add(key, &name);
                    }
                    false
                }
                Event::Start(start) => start.local_name().as_ref() == "page",
                Event::End(end) if end.local_name().as_ref() == "mediawiki" => return Ok(None),
                _ => false,
            };
            buffer.clear();
            self.reader.get_mut().left = self.max_bytes;
            if page {
                if let Some(article) = self.page()? {
                    return Ok(Some(article));
                }
            }
        }
    }

    /// Reads a page to its end; `None` if it is not an article.
    fn page(&mut self) -> Result<Option<Article>, Broken> {
        let mut article =
            Article { id: 0, title: String::new(), url: None, wikitext: String::new() };
        let (mut namespace, mut redirect, mut wikitext, mut in_revision) =
            (None, false, true, false);
        let mut buffer = Vec::new();
        loop {
            buffer.clear();
            let event =
                self.reader.read_event_into(&mut buffer).map_err(|error| self.broken(&error))?;
            match event {
                Event::Eof => return Err(self.here("the dump ends early")),
                Event::Empty(empty) => redirect |= empty.local_name().as_ref() == "redirect",
                Event::Start(start) => match start.local_name().as_ref() {
                    "title" => article.title = self.text()?.trim().to_owned(),
                    "ns" => namespace = self.text()?.trim().parse::<i32>().ok(),
                    // A revision and its author have ids too.
                    "id" if !in_revision => article.id = self.text()?.trim().parse().unwrap_or(0),
                    "redirect" => redirect = true,
                    "model" => wikitext = self.text()?.trim() == "wikitext",
                    "revision" => {
                        in_revision = true;
                        self.reader.get_mut().left = self.max_bytes;
                    }
                    "text" => article.wikitext = self.text()?,
                    _ => {}
                },
                Event::End(end) => match end.local_name().as_ref() {
                    "revision" => in_revision = false,
                    "page" => break,
                    _ => {}
                },
                _ => {}
            }
        }
        // Before version 0.6 only the title determined a page's namespace.
        let namespace = namespace.unwrap_or_else(|| self.namespaces.of_title(&article.title));
        if namespace != 0 || !wikitext {
            self.counts.others += 1;
        } else if redirect || is_redirect(&article.wikitext) {
            self.counts.redirects += 1;
        } else {
            self.counts.articles += 1;
            article.url = self.base.as_ref().and_then(|base| address(base, &article.title));
            return Ok(Some(article));
        }
        Ok(None)
    }

    /// Returns the text up to the end of the current element, with decoded entities.
    fn text(&mut self) -> Result<String, Broken> {
        let mut text = String::new();
        let mut depth = 0u64;
        let mut buffer = Vec::new();
        loop {
            buffer.clear();
            let event =
                self.reader.read_event_into(&mut buffer).map_err(|error| self.broken(&error))?;
            match event {
                Event::Text(piece) => text.push_str(&piece),
                Event::CData(piece) => text.push_str(&piece),
                Event::GeneralRef(entity) => push_entity(&mut text, &entity),
                Event::Start(_) => depth += 1,
                Event::End(_) if depth == 0 => return Ok(text),
                Event::End(_) => depth -= 1,
                Event::Eof => return Err(self.here("the dump ends early")),
                _ => {}
            }
        }
    }

    fn broken(&self, error: &quick_xml::Error) -> Broken {
        match error {
            quick_xml::Error::Io(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                self.here(&format!("a page is longer than {} bytes (--max-bytes)", self.max_bytes))
            }
            quick_xml::Error::Io(error) => {
                self.here(&format!("the dump is damaged or ends early: {error}"))
            }
            error if self.began => self.here(&format!("the dump is damaged: {error}")),
            error => Broken::NoDump(format!(
                "is not XML ({error}); a dump of a wiki begins with <mediawiki>"
            )),
        }
    }

    /// Returns an error with its place.
    fn here(&self, what: &str) -> Broken {
        let Counts { articles, redirects, others } = self.counts;
        Broken::Here(format!(
            "{what}; reading stopped at byte {} of its XML, after {} pages",
            self.reader.buffer_position(),
            articles + redirects + others
        ))
    }
}

impl<R: BufRead> Iterator for Dump<R> {
    type Item = Result<Article, Broken>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let article = self.article().transpose();
        self.ended = !matches!(article, Some(Ok(_)));
        article
    }
}

/// Returns a namespace's number.
fn key(start: &BytesStart) -> Option<i32> {
    start.try_get_attribute("key").ok()??.value.parse().ok()
}

/// Appends an entity's character; XML has five named ones.
fn push_entity(text: &mut String, entity: &BytesRef) {
    let name: &str = entity;
    match name {
        "lt" => text.push('<'),
        "gt" => text.push('>'),
        "amp" => text.push('&'),
        "quot" => text.push('"'),
        "apos" => text.push('\''),
        _ => match entity.resolve_char_ref() {
            Ok(Some(c)) => text.push(c),
            _ => {
                text.push('&');
                text.push_str(name);
                text.push(';');
            }
        },
    }
}

/// Returns whether a page is a redirect: `#`, a word in the wiki's language, and a link.
fn is_redirect(wikitext: &str) -> bool {
    let Some(rest) = wikitext.trim_start().strip_prefix('#') else { return false };
    let Some(link) = rest.find("[[").filter(|&link| link <= REDIRECT_BYTES) else { return false };
    let word = rest[..link].trim().trim_end_matches(':').trim_end();
    !word.is_empty()
        && !word.contains(|c: char| c.is_whitespace() || c.is_ascii_punctuation() && c != '_')
}

/// Returns the URL of a page, relative to the URL of the main page.
fn address(base: &Url, title: &str) -> Option<String> {
    let mut url = base.clone();
    url.path_segments_mut().ok()?.pop().extend(title.replace(' ', "_").split('/'));
    url.set_query(None);
    Some(url.into())
}

/// A reader that fails after a number of bytes.
struct Limited<R> {
    input: R,
    left: u64,
}

impl<R: BufRead> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Limited<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let buffer = self.input.fill_buf()?;
        if self.left == 0 && !buffer.is_empty() {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        Ok(&buffer[..most])
    }

    fn consume(&mut self, bytes: usize) {
        self.left -= bytes as u64;
        self.input.consume(bytes);
    }
}
