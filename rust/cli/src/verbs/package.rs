//! Makes a release of a corpus: files of limited size, a README, terms, checksums.

mod card;
mod choice;
mod files;
mod hub;
mod licence;
mod pages;
mod readme;
mod sentences;
mod site;

use crate::arguments;
use crate::arguments::whole;
use crate::context::Context;
use crate::io::console::counted;
use crate::io::corpora::all_sources;
use crate::io::output::{is_name, FolderPlace};
use crate::io::{input, of_option};
use anyhow::{anyhow, bail, Result};
use card::Card;
use choice::Choice;
use clap::{Args, ValueEnum};
use engine::{Engine, Settings};
use figures::Tokenizer;
use files::{hex, Files};
use hub::{shares, Hub, Share, Written};
use inputs::exclusions::Without;
use langbytes::LangCode;
use licence::Facts;
use pages::{measure, Measured, Page, Reading, Sink};
use readme::Readme;
use records::Source;
use sentences::sentences;
use sha2::{Digest, Sha256};
use site::{Previous, PublicSite};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files of a release in addition to the corpus.
const README: &str = "README.md";
const TERMS: &str = "TERMS.txt";
const SUMS: &str = "SHA256SUMS";
const CROISSANT: &str = "croissant.json";

/// Number of record versions that are named.
const NAMED_VERSIONS: usize = 10;

/// The smallest amount to pack.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Everything.
    All,
    /// This number of words of text, as reports count them.
    Words(u64),
    /// This number of bytes of text.
    Bytes(u64),
}

/// The form of a release.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Layout {
    /// Lines as they are in the input, in gzip.
    Lines,
    /// Parquet shards, a card and metadata, as the Hugging Face Hub has them.
    Hub,
}

/// Make a release of a corpus or of sentences: files, a README with figures, terms, checksums
#[derive(Args)]
pub struct Arguments {
    /// JSON lines of a crawl, or the output of `sentences`: plain, gzip or zstd; Parquet; or
    /// folders of JSON lines and Parquet
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// Folder for the release, new or empty
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Language of the corpus, an ISO 639 code or a name
    #[arg(long, value_name = "CODE", value_parser = crate::arguments::language)]
    language: LangCode,
    /// E-mail address or web address for questions about the release, for example to have a page
    /// removed
    #[arg(long, value_name = "ADDRESS")]
    contact: String,
    /// Terms of use; the file becomes TERMS.txt
    #[arg(long, value_name = "FILE")]
    terms: Option<PathBuf>,
    /// Exclusion list. Each line is a host (which excludes its subdomains too), a URL prefix, or =
    /// and the URL of a page
    #[arg(long, value_name = "FILE")]
    without: Option<PathBuf>,
    /// Smallest number of words to pack [default: all]
    #[arg(long, value_name = "N", conflicts_with = "bytes", value_parser = whole::<u64>(1..))]
    words: Option<u64>,
    /// Smallest number of bytes of text to pack [default: all]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..))]
    bytes: Option<u64>,
    /// Largest size of a file, in MB of text. More text goes to further files
    #[arg(
        long,
        default_value_t = 1000,
        value_name = "MB",
        value_parser = whole::<u64>(1..=1_000_000)
    )]
    file_mb: u64,
    /// Form of the release: lines, or hub (Parquet shards, a card with YAML head, Croissant
    /// metadata)
    #[arg(long, default_value = "lines", value_name = "L", hide_possible_values = true)]
    layout: Layout,
    /// With --layout hub: names and shares of the splits, such as train=.9,test=.1. The shares add
    /// up to 1. All pages of a host are in one split [default: train alone]
    #[arg(long, value_name = "NAME=SHARE", value_delimiter = ',')]
    split: Vec<Share>,
    /// With --layout hub: licence by its name on the Hub, such as odc-by, cc0-1.0 or other
    #[arg(long, value_name = "NAME")]
    license: Option<String>,
    /// With --license other: name of the licence
    #[arg(long, value_name = "NAME")]
    license_name: Option<String>,
    /// With --layout hub: address of the licence. Common licences have a default
    #[arg(long, value_name = "URL")]
    license_url: Option<String>,
    /// With --layout hub: address where the data set will be
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// With --layout hub: a creator of the data set. May be repeated
    #[arg(long, value_name = "NAME")]
    creator: Vec<String>,
    /// With --layout hub: date of publication
    #[arg(long, value_name = "YYYY-MM-DD")]
    published: Option<String>,
    /// With --layout hub: name of the data set [default: the language and `web corpus`]
    #[arg(long, value_name = "NAME")]
    title: Option<String>,
    /// With --layout hub: name of the crawl, for column `dump` of records that have none
    #[arg(long, value_name = "NAME")]
    dump: Option<String>,
    /// Also make a public site in the folder `site`: static pages with the list of websites, and
    /// how to report a wrong link
    #[arg(long)]
    site: bool,
    /// Folder of the last release, made with --site. The site then lists what is new
    #[arg(long, value_name = "DIR", requires = "site")]
    previous: Option<PathBuf>,
    #[command(flatten)]
    choice: choice::Options,
}

impl Arguments {
    fn wanted(&self) -> Wanted {
        match (self.words, self.bytes) {
            (Some(words), _) => Wanted::Words(words),
            (None, Some(bytes)) => Wanted::Bytes(bytes),
            (None, None) => Wanted::All,
        }
    }

    /// Returns the facts for the layout of the Hub; none for lines.
    ///
    /// # Errors
    /// Fails if a fact is missing, or an option is for the other layout.
    fn facts(&self) -> Result<Option<Facts<'_>>> {
        if self.layout == Layout::Hub {
            return Facts::of(self).map(Some);
        }
        let options = [
            ("--split", !self.split.is_empty()),
            ("--license", self.license.is_some()),
            ("--license-name", self.license_name.is_some()),
            ("--license-url", self.license_url.is_some()),
            ("--url", self.url.is_some()),
            ("--creator", !self.creator.is_empty()),
            ("--published", self.published.is_some()),
            ("--title", self.title.is_some()),
            ("--dump", self.dump.is_some()),
        ];
        match options.iter().find(|(_, is_there)| *is_there) {
            Some((option, _)) => bail!(misuse!("{option} is for --layout hub alone")),
            None => Ok(None),
        }
    }
}

/// Sums over the packed documents.
#[derive(Default)]
struct Tally {
    /// Pages or sentences.
    documents: u64,
    words: u64,
    /// Bytes of text.
    bytes: u64,
    /// The amount that could have been packed, in the unit of [`Wanted`]. Unknown if everything was
    /// packed, or the input was not read to its end.
    of: Option<u64>,
    listed: u64,
    /// Pages with the URL of an earlier page, or with its text if they have no URL.
    twice: u64,
    /// Records with unreadable figures.
    bad: u64,
    /// Rejected pages, pages that are gone, and pages without text.
    no_text: u64,
    /// Time at which the first and the last page were fetched.
    fetched: Option<(String, String)>,
    versions: BTreeSet<String>,
    /// Pages that the choice by sources and rights leaves out, and what it changes.
    choice: choice::Tally,
}

/// Packs a corpus, or a collection of sentences. The first byte of a file decides which it is. The
/// same input gives the same bytes. The first SIGINT or SIGTERM stops the work and leaves nothing
/// behind.
///
/// # Errors
/// Fails if an input cannot be read, it has less than the smallest amount, the folder cannot be
/// written or is not empty, or a signal stopped the work.
pub fn run(asked: &Arguments, context: &Context) -> Result<bool> {
    let (engine, max_bytes) = (&context.engine(Settings::new(asked.language))?, context.max_bytes);

    let failed = |error: io::Error| anyhow!("{}: {error} (--out)", asked.out.display());
    is_name(&asked.out, "--out")?;
    let facts = asked.facts()?;
    let shares = shares(&asked.split)?;
    let contact = arguments::contact(&asked.contact)?;
    require_empty(&asked.out)?;
    let terms = asked.terms.as_deref();
    let terms = terms.map(|file| of_option(input::read(file, max_bytes), "--terms")).transpose()?;
    let without = asked
        .without
        .as_deref()
        .map(|file| Without::read(file, max_bytes))
        .transpose()?
        .unwrap_or_default();
    let choice = Choice::new(&asked.choice, max_bytes)?;
    let previous = asked.previous.as_deref().map(|last| Previous::read(last, max_bytes));
    let previous = previous.transpose()?;
    // Check that the folder is writable now: later errors would name the temporary folder.
    let place = FolderPlace::new(&asked.out)?;
    let next = place.begin()?;
    let language = engine.settings().target();
    let filters = (&without, &choice);
    let splits = facts.as_ref().map(|_| &shares[..]);
    let (tally, written, measured) = pack(asked, splits, filters, engine, next.path(), max_bytes)?;
    require(asked.wanted(), &tally)?;
    let what = if measured.is_some() { "page" } else { "sentence" };
    let figures = measured.as_ref().map(|measured| &measured.figures);
    let has_terms = terms.is_some();
    let parts = &written.parts;
    let mut readme = Readme {
        asked,
        contact,
        language,
        tally: &tally,
        choice: &choice,
        parts,
        figures,
        has_terms,
        license: facts
            .as_ref()
            .map(|facts| (facts.license_name.unwrap_or(facts.license), facts.license_url)),
    }
    .text();
    let default_title = format!("{} web corpus", language.name());
    let title = asked.title.as_deref().unwrap_or(&default_title);
    let croissant = facts.as_ref().map(|facts| {
        let card = Card { facts, language, title, written: &written };
        readme.insert_str(0, &card.head());
        let description = format!(
            "{} with {} in {}, from the web. README.md has the figures and how to have a page removed: {contact}.",
            counted(tally.documents, "page"),
            counted(tally.words, "word"),
            language.name()
        );
        card.croissant(&description).into_bytes()
    });
    let mut sums: BTreeMap<String, String> =
        written.parts.into_iter().map(|part| (part.name, part.sum)).collect();
    let texts = [(README, Some(readme.into_bytes())), (TERMS, terms), (CROISSANT, croissant)];
    for (name, text) in texts.into_iter().filter_map(|(name, text)| Some((name, text?))) {
        fs::write(next.path().join(name), &text).map_err(failed)?;
        sums.insert(name.to_owned(), hex(&Sha256::digest(&text)));
    }
    if let Some(measured) = measured.as_ref().filter(|_| asked.site) {
        let site = PublicSite { language, contact, measured, previous: previous.as_ref() };
        site.write(next.path(), &mut sums).map_err(|error| anyhow!("{error} (--out)"))?;
    }
    let sums: String = sums.iter().map(|(name, sum)| format!("{sum}  {name}\n")).collect();
    fs::write(next.path().join(SUMS), sums).map_err(failed)?;
    place.put(next)?;
    summarize(asked, place.name(), &tally, what);
    Ok(true)
}

/// Writes the files of a corpus or of sentences into a folder. Returns the sums, the files, and the
/// figures, which sentences do not have. `splits` are those of the layout for the Hub, and
/// none for lines.
///
/// # Errors
/// Fails if an input cannot be read, an option does not fit the input, or a file cannot be written.
fn pack(
    asked: &Arguments,
    splits: Option<&[Share]>,
    (without, choice): (&Without, &Choice),
    engine: &Engine,
    folder: &Path,
    max_bytes: u64,
) -> Result<(Tally, Written, Option<Measured>)> {
    let language = engine.settings().target();
    // The output of `sentences` has no ending of a corpus. Of a folder, only corpora are read.
    let inputs = all_sources(&asked.corpora)?;
    let is_corpus = begins_with_object(&inputs)?;
    let most = asked.file_mb * 1_000_000;
    if is_corpus {
        let reading = Reading::new(asked, &inputs, (without, choice), engine, max_bytes)?;
        let sink = match splits {
            None => Sink::Lines(Box::new(Files::new(folder, language, "jsonl", most))),
            Some(shares) => Sink::Hub(Hub::new(folder, reading.schema(language)?, shares, most)?),
        };
        let (tally, written) = reading.pack(sink)?;
        let measured = measure(&written.parts, folder, engine, max_bytes)?;
        Ok((tally, written, Some(measured)))
    } else if splits.is_some() {
        bail!("sentences have no columns; allowed for --layout hub are JSON lines and Parquet");
    } else {
        asked.choice.are_for_pages()?;
        if asked.site {
            bail!("sentences have no websites; allowed for --site are JSON lines and Parquet");
        }
        let files = Files::new(folder, language, "txt", most);
        let (tally, parts) = sentences(asked, &inputs, without, files, language, max_bytes)?;
        Ok((tally, Written::lines(parts), None))
    }
}

/// Checks that a folder is new or empty.
///
/// # Errors
/// Fails if it is not, or cannot be read.
fn require_empty(out: &Path) -> Result<()> {
    match fs::read_dir(out).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Ok(false) => bail!("{}: is not empty; name another folder (--out)", out.display()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => bail!("{}: {error} (--out)", out.display()),
    }
}

/// Checks that there is as much text as was asked for.
///
/// # Errors
/// Fails if there is less, or none.
fn require(wanted: Wanted, tally: &Tally) -> Result<()> {
    let (wanted, has, unit) = match wanted {
        Wanted::All if tally.documents == 0 => {
            bail!("{}; nothing was written", tally.why_empty())
        }
        Wanted::All => return Ok(()),
        Wanted::Words(wanted) => (wanted, tally.words, "words"),
        Wanted::Bytes(wanted) => (wanted, tally.bytes, "bytes of text"),
    };
    if has < wanted {
        bail!("the input has {has} {unit}, but {wanted} are required; nothing was written");
    }
    Ok(())
}

/// Prints what was packed and what was left out; `what` is the noun of a document.
fn summarize(asked: &Arguments, out: &Path, tally: &Tally, what: &str) {
    if asked.terms.is_none() && asked.license.is_none() {
        eprintln!("corpulyzer: the package has no terms of use (--terms)");
    }
    if tally.bad > 0 {
        eprintln!("corpulyzer: skipped {} with invalid fields", counted(tally.bad, "record"));
    }
    if asked.without.is_some() {
        eprintln!("corpulyzer: excluded {} by --without", tally.listed);
    }
    for line in tally.choice.left_out() {
        eprintln!("corpulyzer: left out {line}");
    }
    eprintln!(
        "corpulyzer: {} with {}; skipped {} without text, gone or rejected, {} with the URL of an earlier one: {}",
        counted(tally.documents, what),
        counted(tally.words, "word"),
        tally.no_text,
        tally.twice,
        out.display()
    );
}

/// Returns true if the inputs contain objects, one on each line, and not sentences.
fn begins_with_object(inputs: &[Source]) -> Result<bool> {
    let mut found = None;
    for source in inputs {
        // A pipe cannot be read twice, and a part of it is read here.
        if source.bytes.is_none() {
            bail!("{}: is not a regular file; allowed are files and folders", source.name);
        }
        let failed = |error: io::Error| anyhow!("{}: {error}", source.name);
        let is_table = source.is_table().map_err(failed)?;
        if is_table && !*found.get_or_insert(true) {
            bail!("some inputs are tables, and others have sentences; pack each kind by itself");
        }
        if is_table {
            continue;
        }
        let (mut input, _) = source.decompressed(&Arc::default()).map_err(failed)?;
        let start = input.fill_buf().map_err(failed)?;
        let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start).trim_ascii_start();
        if let Some(what) = input::other_than_text(start) {
            bail!(
                "{}: holds {what}; allowed are JSON lines with `text`, and sentences",
                source.name
            );
        }
        let Some(first) = start.first() else { continue };
        let is_object = *first == b'{';
        if *found.get_or_insert(is_object) != is_object {
            bail!(
                "some inputs have JSON lines, and others have other text; pack each kind by itself"
            );
        }
    }
    Ok(found.unwrap_or(true))
}

/// The words of a text, as reports count them.
fn count(text: &str, tokenizer: &Tokenizer) -> u64 {
    let mut tokens = Vec::new();
    tokenizer.tokens(text, &mut tokens);
    tokens.len() as u64
}

impl Tally {
    /// Returns why no document is packed.
    fn why_empty(&self) -> String {
        let mut left_out = self.choice.left_out();
        if self.listed > 0 {
            left_out.push(format!("{} by --without", self.listed));
        }
        if left_out.is_empty() {
            return "the input has no text".to_owned();
        }
        format!("the options leave no text; they leave out {}", left_out.join(", "))
    }

    fn add(&mut self, page: Page) {
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

fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        100.0 * part as f64 / whole as f64
    }
}

/// Text from records, for a cell of a table.
fn cell(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control() && !matches!(c, '|' | '`' | '<' | '>'))
        .take(100)
        .collect()
}
