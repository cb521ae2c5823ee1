//! Makes a release of a corpus or of sentences: files of limited size, a README with figures, terms
//! of use, checksums, and on request a public site. The same input gives the same bytes.
//!
//! [`Release::pack`] writes the files, [`Release::measure`] takes their figures, and
//! [`Release::describe`] writes what stands beside them.
#![forbid(unsafe_code)]

mod card;
pub mod choice;
pub mod facts;
mod files;
mod hub;
mod pages;
mod readme;
mod sentences;
mod site;

pub use choice::Choice;
pub use hub::{shares, BadShares, Share};
pub use pages::Measured;
pub use site::{BadPrevious, Previous};

use card::Card;
use engine::Engine;
use figures::pages::Progress;
use figures::Tokenizer;
use files::{hex, Files};
use hub::{Written, MAX_COLUMNS};
use inputs::corpus::{self, Records, Unwritable};
use inputs::exclusions::Without;
use inputs::files::other_than_text;
use langbytes::LangCode;
use pages::Reading;
use readme::Readme;
use records::{NoSource, Problem, ProblemKind, Source};
use render::counted;
use sentences::sentences;
use sha2::{Digest, Sha256};
use site::PublicSite;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, BufRead};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;

/// Files of a release in addition to its text.
const README: &str = "README.md";
const TERMS: &str = "TERMS.txt";
const SUMS: &str = "SHA256SUMS";
const CROISSANT: &str = "croissant.json";

/// Number of record versions that are named.
const NAMED_VERSIONS: usize = 10;

/// The smallest amount to pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// All pages or sentences of the corpus.
    All,
    /// This number of words of text, as reports count them.
    Words(u64),
    /// This number of bytes of text.
    Bytes(u64),
}

/// The form of a release.
#[derive(Debug)]
pub enum Layout {
    /// Lines as they are in the input, in gzip.
    Lines,
    /// Parquet shards, a card and metadata, as the Hugging Face Hub has them.
    Hub(Box<Facts>),
}

/// Facts on a data set that only its publisher knows.
#[derive(Debug)]
pub struct Facts {
    /// The licence by its name on the Hub; `other` for one that the Hub does not list.
    pub license: String,
    /// Name of another licence.
    pub license_name: Option<String>,
    /// Address of the licence.
    pub license_url: String,
    /// Address of the data set.
    pub url: String,
    /// People or organizations that made the corpus.
    pub creators: Vec<String>,
    /// Date of publication, YYYY-MM-DD.
    pub published: String,
    /// Name of the data set; without one it is named after its language.
    pub title: Option<String>,
    /// Name of the crawl, for records that have none.
    pub dump: Option<String>,
    /// The splits; their shares add up to 1, see [`shares`].
    pub shares: Vec<Share>,
}

/// Settings of a release.
#[derive(Debug)]
pub struct Settings {
    /// Language of the corpus.
    pub language: LangCode,
    /// Address for questions about the release.
    pub contact: String,
    /// Terms of use.
    pub terms: Option<Vec<u8>>,
    /// Pages that are excluded.
    pub without: Without,
    /// The smallest amount to pack.
    pub wanted: Wanted,
    /// Largest size of a file, in bytes of text. More text goes to further files.
    pub max_file_bytes: u64,
    /// The form of the release.
    pub layout: Layout,
    /// The choice of pages by sources and rights.
    pub choice: Choice,
    /// Whether the release has a public site.
    pub has_site: bool,
    /// The last release, for what is new on the site.
    pub previous: Option<Previous>,
    /// Longest line of an input, in bytes.
    pub max_bytes: u64,
}

/// What is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Pages: an object on each line, or the rows of tables.
    Pages,
    /// Sentences, one on each line.
    Sentences,
}

impl Kind {
    /// The noun of a document.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Pages => "page",
            Self::Sentences => "sentence",
        }
    }
}

/// Sums over the packed documents.
#[derive(Debug, Default)]
pub struct Tally {
    /// Pages or sentences.
    pub documents: u64,
    /// Words of text, as reports count them.
    pub words: u64,
    /// Bytes of text.
    pub bytes: u64,
    /// The amount that could have been packed, in the unit of [`Wanted`]; none if everything was
    /// packed.
    pub of: Option<u64>,
    /// Pages that are excluded.
    pub listed: u64,
    /// Pages with the URL of an earlier page, or with its text if they have no URL.
    pub twice: u64,
    /// Records with unreadable figures.
    pub bad: u64,
    /// Rejected pages, pages that are gone, and pages without text.
    pub no_text: u64,
    /// Time at which the first and the last page were fetched.
    pub fetched: Option<(String, String)>,
    /// Record versions of the pages, ten of them or a few more.
    pub versions: BTreeSet<String>,
    /// Pages that the choice by sources and rights leaves out, and what it changes.
    pub choice: choice::Tally,
}

/// Progress of the work, and what its maker must know.
#[derive(Debug)]
pub enum News<'a> {
    /// A reading of these inputs begins.
    Begins(&'a [Source]),
    /// How far the reading is.
    Corpus(corpus::News<'a>),
    /// Pages that were looked at for the choice so far.
    Looked(u64),
    /// Pages or sentences that were packed so far.
    Packed(u64),
    /// The reading ended.
    Ends,
    /// A page is left out, because a reader of the release could not parse it.
    Bad {
        /// The number of such pages so far.
        number: u64,
        /// Its address, and what is wrong.
        what: &'a str,
    },
    /// Records that could not be read, by kind.
    Skipped(&'a BTreeMap<ProblemKind, u64>),
}

/// Why a release is not made.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The corpus cannot be read.
    #[error(transparent)]
    Corpus(#[from] corpus::Failure),
    /// A record cannot be read or written.
    #[error(transparent)]
    Unwritable(#[from] Unwritable),
    /// An input cannot be read.
    #[error("{name}: {error}")]
    Input {
        /// Name of the input.
        name: String,
        /// Error of the file system.
        #[source]
        error: io::Error,
    },
    /// An input, by its name, is a pipe, which cannot be read twice.
    #[error("{0}: is not a regular file; allowed are files and folders")]
    Pipe(String),
    /// Some inputs are tables, others have sentences.
    #[error("some inputs are tables, and others have sentences; pack each kind by itself")]
    TablesAndSentences,
    /// Some inputs have JSON lines, others have sentences.
    #[error("some inputs have JSON lines, and others have other text; pack each kind by itself")]
    LinesAndSentences,
    /// An input is of a kind that is not packed.
    #[error("{name}: holds {what}; allowed are JSON lines with `text`, and sentences")]
    OtherText {
        /// Name of the input.
        name: String,
        /// What it holds.
        what: &'static str,
    },
    /// A line of sentences is too long.
    #[error("{name}: a line is longer than {max_bytes} bytes")]
    LongLine {
        /// Name of the input.
        name: String,
        /// Longest line, in bytes.
        max_bytes: u64,
    },
    /// An input, by its name, has a JSON line behind sentences.
    #[error(
        "{0}: the line that begins with {{\" follows a line that is not JSON; allowed are JSON \
         lines only, or sentences only"
    )]
    ObjectAmongSentences(String),
    /// The records have too many different fields.
    #[error(
        "the records have more than {MAX_COLUMNS} different fields; a table has a column for each"
    )]
    Columns,
    /// A split, by its name, has no page.
    #[error("split {0} has no page: the corpus has too few hosts for it; nothing was written")]
    EmptySplit(String),
    /// An input was not read to its end.
    #[error(
        "an input was not read to its end, but a release must be complete; nothing was written"
    )]
    Incomplete,
    /// Nothing is left to pack; the sums say why.
    #[error("the input has no text; nothing was written")]
    Nothing(Box<Tally>),
    /// There is less text than wanted.
    #[error("the input has {has} {unit}, but {wanted} are required; nothing was written")]
    TooLittle {
        /// The amount that is there.
        has: u64,
        /// The amount that is wanted.
        wanted: u64,
        /// Unit of the size: words or bytes.
        unit: &'static str,
    },
    /// A file of the text cannot be written.
    #[error("{name}: {error}")]
    Output {
        /// Name of the file.
        name: String,
        /// Error of the file system.
        #[source]
        error: io::Error,
    },
    /// Another file cannot be written into the folder of the release.
    #[error("{0}")]
    Folder(#[source] io::Error),
}

/// Returns what the inputs hold, by their first bytes.
///
/// # Errors
/// Fails if an input cannot be read or is a pipe, or the inputs hold both kinds or another one.
pub fn kind(inputs: &[Source]) -> Result<Kind, Failure> {
    let mut found = None;
    for source in inputs {
        // A pipe cannot be read twice, and a part of it is read here.
        if source.bytes.is_none() {
            return Err(Failure::Pipe(source.name.clone()));
        }
        let failed = |error| Failure::Input { name: source.name.clone(), error };
        let is_table = source.is_table().map_err(failed)?;
        if is_table && *found.get_or_insert(Kind::Pages) == Kind::Sentences {
            return Err(Failure::TablesAndSentences);
        }
        if is_table {
            continue;
        }
        let (mut input, _) = source.decompressed(&Arc::default()).map_err(failed)?;
        let start = input.fill_buf().map_err(failed)?;
        let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start).trim_ascii_start();
        if let Some(what) = other_than_text(start) {
            return Err(Failure::OtherText { name: source.name.clone(), what });
        }
        let Some(first) = start.first() else { continue };
        let kind = if *first == b'{' { Kind::Pages } else { Kind::Sentences };
        if *found.get_or_insert(kind) != kind {
            return Err(Failure::LinesAndSentences);
        }
    }
    Ok(found.unwrap_or(Kind::Pages))
}

/// A release that is made in a folder.
#[derive(Debug)]
pub struct Release<'a> {
    /// Which pages are packed, and how.
    pub settings: &'a Settings,
    /// The folder, which is empty.
    pub folder: &'a Path,
    /// Set this flag to stop early.
    pub stop: &'a Arc<AtomicBool>,
}

/// The files of a release that hold its text.
#[derive(Debug)]
pub struct Packed {
    /// Sums over the text.
    pub tally: Tally,
    written: Written,
}

impl Packed {
    /// Returns the files as inputs.
    ///
    /// # Errors
    /// Fails if a file is gone.
    pub fn sources(&self, folder: &Path) -> Result<Vec<Source>, NoSource> {
        self.written.parts.iter().map(|part| Source::new(&folder.join(&part.name))).collect()
    }
}

impl Release<'_> {
    /// Writes the files of text.
    ///
    /// # Errors
    /// Fails if an input cannot be read to its end, it has less than the smallest amount, a file
    /// cannot be written, or the work was stopped.
    pub fn pack(
        &self,
        inputs: Vec<Source>,
        kind: Kind,
        tell: &dyn Fn(News),
    ) -> Result<Packed, Failure> {
        let settings = self.settings;
        let (tally, written) = match kind {
            Kind::Pages => {
                let (max_bytes, stop) = (settings.max_bytes, Arc::clone(self.stop));
                let records = Records { inputs, max_bytes, stop };
                let reading = Reading::new(settings, &records, tell)?;
                let sink = reading.sink(self.folder)?;
                reading.pack(sink)?
            }
            Kind::Sentences => {
                let most = settings.max_file_bytes;
                let files = Files::new(self.folder, settings.language, "txt", most);
                let (tally, parts) = sentences(settings, &inputs, files, self.stop, tell)?;
                (tally, Written::lines(parts))
            }
        };
        require(settings.wanted, tally).map(|tally| Packed { tally, written })
    }

    /// Takes the figures of packed pages, as reports have them.
    ///
    /// # Errors
    /// Fails if a file cannot be read, a temporary file cannot be written, or the work was stopped.
    pub fn measure(
        &self,
        sources: &[Source],
        engine: &Engine,
        tell: &mut dyn FnMut(Result<Progress, &Problem>),
    ) -> Result<Measured, figures::pages::Failure> {
        pages::measure(sources, self.folder, engine, self.settings.max_bytes, self.stop, tell)
    }

    /// Writes the README, the terms, the metadata, the site and the checksums. Sentences have no
    /// figures.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn describe(&self, packed: &Packed, measured: Option<&Measured>) -> Result<(), Failure> {
        let (Self { settings, folder, .. }, Packed { tally, written }) = (self, packed);
        let figures = measured.map(|measured| &measured.figures);
        let mut readme = Readme { settings, tally, parts: &written.parts, figures }.text();
        let mut croissant = None;
        if let Layout::Hub(facts) = &settings.layout {
            let language = settings.language;
            let title = facts.title.clone();
            let title = title.unwrap_or_else(|| format!("{} web corpus", language.name()));
            let card = Card { facts, language, title: &title, written };
            readme.insert_str(0, &card.head());
            let description = format!(
                "{} with {} in {}, from the web. README.md has the figures and how to have a page removed: {}.",
                counted(tally.documents, "page"),
                counted(tally.words, "word"),
                language.name(),
                settings.contact
            );
            croissant = Some(card.croissant(&description).into_bytes());
        }
        let sum = |part: &files::Part| (part.name.clone(), part.sum.clone());
        let mut sums: BTreeMap<String, String> = written.parts.iter().map(sum).collect();
        let texts = [
            (README, Some(readme.into_bytes())),
            (TERMS, settings.terms.clone()),
            (CROISSANT, croissant),
        ];
        for (name, text) in texts.into_iter().filter_map(|(name, text)| Some((name, text?))) {
            fs::write(folder.join(name), &text).map_err(Failure::Folder)?;
            sums.insert(name.to_owned(), hex(&Sha256::digest(&text)));
        }
        if let Some(measured) = measured.filter(|_| settings.has_site) {
            let (language, contact) = (settings.language, &settings.contact);
            let site =
                PublicSite { language, contact, measured, previous: settings.previous.as_ref() };
            site.write(folder, &mut sums)?;
        }
        let sums: String = sums.iter().map(|(name, sum)| format!("{sum}  {name}\n")).collect();
        fs::write(folder.join(SUMS), sums).map_err(Failure::Folder)
    }
}

/// Checks that there is as much text as is wanted.
fn require(wanted: Wanted, tally: Tally) -> Result<Tally, Failure> {
    let (wanted, has, unit) = match wanted {
        Wanted::All if tally.documents == 0 => return Err(Failure::Nothing(Box::new(tally))),
        Wanted::All => return Ok(tally),
        Wanted::Words(wanted) => (wanted, tally.words, "words"),
        Wanted::Bytes(wanted) => (wanted, tally.bytes, "bytes of text"),
    };
    match has < wanted {
        true => Err(Failure::TooLittle { has, wanted, unit }),
        false => Ok(tally),
    }
}

/// The words of a text, as reports count them.
fn count(text: &str, tokenizer: &Tokenizer) -> u64 {
    let mut tokens = Vec::new();
    tokenizer.tokens(text, &mut tokens);
    tokens.len() as u64
}

impl Tally {
    fn add(&mut self, page: pages::PackedPage) {
        self.documents += 1;
        self.choice.add(page.masked, page.class, page.bytes);
        self.words += page.words;
        self.bytes += page.bytes;
        if let Some(time) = page.fetch_time {
            let (first, last) = self.fetched.get_or_insert_with(|| (time.clone(), time.clone()));
            if time < *first {
                *first = time;
            } else if time > *last {
                *last = time;
            }
        }
        if self.versions.len() < NAMED_VERSIONS {
            self.versions.extend(page.version);
        }
    }
}
