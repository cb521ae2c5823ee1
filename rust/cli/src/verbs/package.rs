//! Makes a release of a corpus: files of limited size, a README, terms, checksums.

mod card;
mod choice;
mod hub;
mod licence;

use crate::arguments;
use crate::context::Context;
use crate::io::console::counted;
use crate::io::console::stop_flag;
use crate::io::corpora::{
    all_sources, progress, read_through, tell_problems, NAMED_PROBLEMS, URL_MEMORY,
};
use crate::io::exclusions::Without;
use crate::io::input;
use crate::io::output::{folder, is_name, put_in_place, temporary_folder};
use crate::io::records::{Fields, Line, Records};
use anyhow::{anyhow, bail, Result};
use card::Card;
use choice::{Choice, Refusal};
use clap::{Args, ValueEnum};
use corpus::analyze::analyze;
use corpus::pages::Inputs;
use corpus::parse::check_line;
use corpus::{Figures, Plan, Tokenizer};
use engine::{Engine, Settings};
use flate2::write::GzEncoder;
use flate2::Compression;
use hub::{shares, Hub, Schema, Share, Written};
use langbytes::LangCode;
use licence::Facts;
use rayon::prelude::*;
use records::Source;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufRead, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

/// Files of a release in addition to the corpus.
const README: &str = "README.md";
const TERMS: &str = "TERMS.txt";
const SUMS: &str = "SHA256SUMS";
const CROISSANT: &str = "croissant.json";

/// Number of languages besides the package's own that are named, those with most bytes.
const NAMED_LANGUAGES: usize = 5;

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
    /// JSON lines of a crawl, or the output of `sentences`: plain, gzip or zstd; Parquet; or folders of
    /// JSON lines and Parquet
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
    #[arg(long, value_name = "N", conflicts_with = "bytes", value_parser = clap::value_parser!(u64).range(1..))]
    words: Option<u64>,
    /// Smallest number of bytes of text to pack [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    bytes: Option<u64>,
    /// Largest size of a file, in MB of text. More text goes to further files
    #[arg(long, default_value_t = 1000, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    file_mb: u64,
    /// Form of the release: lines, or hub (Parquet shards, a card with YAML head, Croissant metadata)
    #[arg(long, default_value = "lines", value_name = "L", hide_possible_values = true)]
    layout: Layout,
    /// With --layout hub: splits by host, names with shares that sum to 1, such as train=.9,test=.1
    /// [default: train alone]
    #[arg(long, value_name = "NAME=SHARE", value_delimiter = ',')]
    split: Vec<Share>,
    /// With --layout hub: licence by its name on the Hub, such as odc-by, cc0-1.0 or other
    #[arg(long, value_name = "NAME")]
    license: Option<String>,
    /// With --license other: name of the licence
    #[arg(long, value_name = "NAME")]
    license_name: Option<String>,
    /// With --layout hub: address of the licence [default: that of a known one]
    #[arg(long, value_name = "URL")]
    license_url: Option<String>,
    /// With --layout hub: address where the data set will be
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// With --layout hub: who made the data set. May be repeated
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
            Some((option, _)) => bail!("{option} is for --layout hub alone"),
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
    match fs::read_dir(&asked.out).map(|mut entries| entries.next().is_none()) {
        Ok(true) => {}
        Ok(false) => bail!("{}: is not empty; name another folder (--out)", asked.out.display()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
    }
    let terms = asked.terms.as_deref().map(|file| input::read(file, max_bytes)).transpose()?;
    let without = asked
        .without
        .as_deref()
        .map(|file| Without::read(file, max_bytes))
        .transpose()?
        .unwrap_or_default();
    let choice = Choice::new(&asked.choice, max_bytes)?;
    // Check that the folder is writable now: later errors would name the temporary folder.
    tempfile::tempfile_in(folder(&asked.out)).map_err(failed)?;
    let next = temporary_folder(folder(&asked.out)).map_err(failed)?;
    let language = engine.settings().target;
    // The output of `sentences` has no ending of a corpus. Of a folder, only corpora are read.
    let inputs = all_sources(&asked.corpora)?;
    let is_corpus = begins_with_object(&inputs)?;
    let most = asked.file_mb * 1_000_000;
    let (tally, written, figures) = if is_corpus {
        let sink = match &facts {
            None => Sink::Lines(Box::new(Files::new(next.path(), language, "jsonl", most))),
            Some(_) => {
                let schema = schema(&inputs, asked.choice.masks(), max_bytes)?;
                Sink::Hub(Hub::new(
                    next.path(),
                    language,
                    asked.dump.as_deref(),
                    &schema,
                    &shares,
                    most,
                )?)
            }
        };
        let (tally, written) = pages(asked, &inputs, (&without, &choice), engine, sink, max_bytes)?;
        let figures = measure(&written.parts, next.path(), engine, max_bytes)?;
        (tally, written, Some(figures))
    } else if facts.is_some() {
        bail!("sentences have no columns; allowed for --layout hub are JSON lines and Parquet");
    } else {
        asked.choice.are_for_pages()?;
        let files = Files::new(next.path(), language, "txt", most);
        let (tally, parts) = sentences(asked, &inputs, &without, files, language, max_bytes)?;
        (tally, Written::lines(parts), None)
    };
    let has = |wanted: u64, has: u64, unit: &str| match has < wanted {
        true => Err(anyhow!(
            "the input has {has} {unit}, but {wanted} are required; nothing was written"
        )),
        false => Ok(()),
    };
    match asked.wanted() {
        Wanted::All if tally.documents == 0 => bail!("the input has no text; nothing was written"),
        Wanted::All => {}
        Wanted::Words(wanted) => has(wanted, tally.words, "words")?,
        Wanted::Bytes(wanted) => has(wanted, tally.bytes, "bytes of text")?,
    }
    let (figures, has_terms) = (figures.as_ref(), terms.is_some());
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
    let sums: String = sums.iter().map(|(name, sum)| format!("{sum}  {name}\n")).collect();
    fs::write(next.path().join(SUMS), sums).map_err(failed)?;
    put_in_place(next, &asked.out)?;
    if asked.terms.is_none() {
        eprintln!("corpulyzer: the package has no terms of use (--terms)");
    }
    if tally.bad > 0 {
        eprintln!("corpulyzer: skipped {} with invalid figures", counted(tally.bad, "record"));
    }
    if asked.without.is_some() {
        eprintln!("corpulyzer: excluded {} by --without", tally.listed);
    }
    for line in tally.choice.left_out() {
        eprintln!("corpulyzer: left out {line}");
    }
    let what = if is_corpus { "page" } else { "sentence" };
    eprintln!(
        "corpulyzer: {} with {}; skipped {} without text, gone or rejected, {} with the URL of an earlier one: {}",
        counted(tally.documents, what),
        counted(tally.words, "word"),
        tally.no_text,
        tally.twice,
        asked.out.display()
    );
    Ok(true)
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
            bail!("some of what was named holds tables and some sentences; pack them one by one");
        }
        if is_table {
            continue;
        }
        let (mut input, _) = source.decompressed(&Arc::default()).map_err(failed)?;
        let start = input.fill_buf().map_err(failed)?;
        let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start).trim_ascii_start();
        if start.starts_with(b"WARC/") {
            bail!(
                "{}: holds WARC records; allowed are JSON lines with `text`, and sentences",
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

/// The columns that the records need beside the known ones.
fn schema(inputs: &[Source], masks: bool, max_bytes: u64) -> Result<Schema> {
    let paths: Vec<PathBuf> = inputs.iter().map(|input| input.path.clone()).collect();
    let mut schema = Schema::default();
    if masks {
        schema.note_lists(choice::PERSONAL);
    }
    let mut looked = 0u64;
    Records::new(&paths, &[], max_bytes)?.read(&mut |lines| {
        looked += lines.len() as u64;
        let fields: Vec<_> = lines.par_iter().map(|(line, _)| Fields::of(line).ok()).collect();
        fields.iter().flatten().try_for_each(|fields| schema.note(fields))?;
        Ok(Some(format!("{} looked at", counted(looked, "page"))))
    })?;
    Ok(schema)
}

/// Where pages are written to.
enum Sink {
    Lines(Box<Files>),
    Hub(Hub),
}

impl Sink {
    fn add(&mut self, page: &Page) -> Result<()> {
        match self {
            Self::Lines(files) => files.line(&page.line, page.bytes),
            Self::Hub(hub) => hub.add(&page.line, page.bytes),
        }
    }

    fn finish(self) -> Result<Written> {
        match self {
            Self::Lines(files) => Ok(Written::lines(files.finish()?)),
            Self::Hub(hub) => hub.finish(),
        }
    }
}

/// A page with text that can be packed.
struct Page {
    line: Vec<u8>,
    hash: u64,
    /// Hash of its host.
    site: u64,
    /// Its class in the lists of the choice, if it has one.
    class: Option<usize>,
    /// Number of stand-ins for personal data in its text.
    masked: u64,
    words: u64,
    bytes: u64,
    fetch_time: Option<String>,
    version: Option<String>,
}

/// Packs all pages, or a sample of them by the hashes of their URLs, in the order of the corpus.
fn pages(
    asked: &Arguments,
    inputs: &[Source],
    (without, choice): (&Without, &Choice),
    engine: &Engine,
    mut sink: Sink,
    max_bytes: u64,
) -> Result<(Tally, Written)> {
    let tokenizer = Tokenizer::new(engine.settings().target);
    let paths: Vec<PathBuf> = inputs.iter().map(|input| input.path.clone()).collect();
    let records = Records::new(&paths, &[], max_bytes)?;
    let amount = |page: &Page| {
        if matches!(asked.wanted(), Wanted::Words(_)) {
            page.words
        } else {
            page.bytes
        }
    };
    let mut tally = Tally::default();
    let wanted = match asked.wanted() {
        Wanted::All => None,
        Wanted::Words(wanted) | Wanted::Bytes(wanted) => Some(wanted),
    };
    let (mut last, mut capped) = (u64::MAX, None);
    if wanted.is_some() || choice.has_caps() {
        let mut offered: Vec<choice::Offered> = Vec::new();
        let mut seen = HashSet::new();
        records.read(&mut |lines| {
            let pages: Vec<Option<Page>> = lines
                .into_par_iter()
                .map(|line| page(line, &tokenizer, without, choice).ok())
                .collect();
            let new = pages.iter().flatten().filter(|page| seen.insert(page.hash));
            offered.extend(new.map(|page| choice::Offered {
                hash: page.hash,
                amount: amount(page),
                site: page.site,
                class: page.class,
            }));
            Ok(Some(format!("{} looked at", counted(offered.len(), "page"))))
        })?;
        if choice.has_caps() {
            let chosen = choice.capped(offered.clone());
            tally.choice.capped = (offered.len() - chosen.len()) as u64;
            offered.retain(|page| chosen.contains(&page.hash));
            capped = Some(chosen);
        }
        if let Some(wanted) = wanted {
            tally.of = Some(offered.iter().map(|page| page.amount).sum());
            last = last_of(offered.iter().map(|page| (page.hash, page.amount)).collect(), wanted);
        }
    }
    let is_chosen = |page: &Page| {
        page.hash <= last && capped.as_ref().is_none_or(|hashes| hashes.contains(&page.hash))
    };
    let mut seen = HashSet::new();
    let read = records.read(&mut |lines| {
        let pages: Vec<Result<Page, Out>> =
            lines.into_par_iter().map(|line| page(line, &tokenizer, without, choice)).collect();
        for page in pages {
            match page {
                Ok(page) if !seen.insert(page.hash) => tally.twice += 1,
                Ok(page) if is_chosen(&page) => {
                    sink.add(&page)?;
                    tally.add(page);
                }
                Ok(_) => {}
                Err(Out::Listed) => tally.listed += 1,
                Err(Out::Refused(refusal)) => tally.choice.refuse(refusal),
                Err(Out::NoText) => tally.no_text += 1,
                Err(Out::Bad(what)) => {
                    tally.bad += 1;
                    if tally.bad <= NAMED_PROBLEMS {
                        eprintln!("corpulyzer: {what}");
                    }
                }
            }
        }
        Ok(Some(format!("{} packed", counted(tally.documents, "page"))))
    })?;
    tell_problems("in all", &read.problems);
    if !read.is_whole() {
        bail!(
            "an input is damaged or cut short, but a release must be complete; nothing was written"
        );
    }
    if tally.documents == 0 {
        bail!("what was read has no text; nothing was written");
    }
    Ok((tally, sink.finish()?))
}

/// The largest hash that is packed: pages are chosen in the order of their hashes until there is
/// enough.
fn last_of(mut offered: Vec<(u64, u64)>, wanted: u64) -> u64 {
    offered.sort_unstable();
    let mut sum = 0u64;
    for (hash, amount) in offered {
        sum = sum.saturating_add(amount);
        if sum >= wanted {
            return hash;
        }
    }
    u64::MAX
}

/// The reason why a page is not packed.
enum Out {
    Listed,
    Refused(Refusal),
    NoText,
    /// A reader of the package could not parse it. A sentence.
    Bad(String),
}

fn page(
    (line, page): Line,
    tokenizer: &Tokenizer,
    without: &Without,
    choice: &Choice,
) -> Result<Page, Out> {
    let text = page.text();
    let url = page.url.as_deref().unwrap_or_default();
    if without.has(url) {
        return Err(Out::Listed);
    }
    if text.is_empty() {
        return Err(Out::NoText);
    }
    if let Err((_, what)) = check_line(&line) {
        return Err(Out::Bad(format!(
            "{}: {what}",
            if url.is_empty() { "a page without a URL" } else { url }
        )));
    }
    let hash = corpus::urls::fingerprint(if url.is_empty() { text } else { url });
    let choice::Admitted { changed, masked, class } =
        choice.admit(url, text, &line).map_err(Out::Refused)?;
    let (line, text) = match &changed {
        Some((line, text)) => (line.clone(), text.as_str()),
        None => (line, text),
    };
    let site = corpus::urls::fingerprint(&choice::host(url));
    let (words, bytes) = (count(text, tokenizer), text.len() as u64);
    let fields = Fields::of(&line).ok();
    let string = |name| serde_json::from_str(fields.as_ref()?.get(name)?).ok();
    let (fetch_time, version) = (string("fetch_time"), string("record_version"));
    Ok(Page { line, hash, site, class, masked, words, bytes, fetch_time, version })
}

/// The words of a text, as reports count them.
fn count(text: &str, tokenizer: &Tokenizer) -> u64 {
    let mut tokens = Vec::new();
    tokenizer.tokens(text, &mut tokens);
    tokens.len() as u64
}

/// Packs all sentences or the first ones. Their order is random.
fn sentences(
    asked: &Arguments,
    inputs: &[Source],
    without: &Without,
    mut files: Files,
    language: LangCode,
    max_bytes: u64,
) -> Result<(Tally, Vec<Part>)> {
    let tokenizer = Tokenizer::new(language);
    let stop = stop_flag()?;
    let read = Arc::new(AtomicU64::new(0));
    let progress = progress(inputs);
    let mut tally = Tally::default();
    let mut line = Vec::new();
    for source in inputs {
        let failed = |error: io::Error| anyhow!("{}: {error}", source.name);
        let (mut input, _) = source.decompressed(&read).map_err(failed)?;
        loop {
            let is_enough = match asked.wanted() {
                Wanted::All => false,
                Wanted::Words(wanted) => tally.words >= wanted,
                Wanted::Bytes(wanted) => tally.bytes >= wanted,
            };
            line.clear();
            input
                .by_ref()
                .take(max_bytes.saturating_add(1))
                .read_until(b'\n', &mut line)
                .map_err(failed)?;
            if line.is_empty() || is_enough {
                break;
            }
            if line.len() as u64 > max_bytes {
                bail!("{}: a line is longer than {max_bytes} bytes (--max-bytes)", source.name);
            }
            if line.starts_with(b"{\"") {
                bail!(
                    "{}: the line that begins with {{\" follows a line that is not JSON; allowed are JSON lines only, or \
                     sentences only",
                    source.name
                );
            }
            let text = String::from_utf8_lossy(&line);
            let mut cells = text.trim_end_matches(['\n', '\r']).split('\t');
            let (sentence, url) = (cells.next().unwrap_or_default(), cells.next());
            if sentence.trim().is_empty() {
                tally.no_text += 1;
                continue;
            }
            if url.is_some_and(|url| without.has(url)) {
                tally.listed += 1;
                continue;
            }
            tally.documents += 1;
            tally.words += count(sentence, &tokenizer);
            tally.bytes += sentence.len() as u64;
            files.line(&line, sentence.len() as u64)?;
            if tally.documents % 4096 == 0 {
                if stop.load(Ordering::Relaxed) {
                    bail!("stopped by a signal; nothing was written");
                }
                progress.set_position(read.load(Ordering::Relaxed));
                progress.set_message(format!("{} packed", counted(tally.documents, "sentence")));
            }
        }
    }
    progress.finish_and_clear();
    Ok((tally, files.finish()?))
}

/// The report's figures of the packed text.
fn measure(parts: &[Part], folder: &Path, engine: &Engine, max_bytes: u64) -> Result<Figures> {
    let sources: Vec<Source> =
        parts.iter().map(|part| Source::new(&folder.join(&part.name))).collect::<Result<_, _>>()?;
    let stop = stop_flag()?;
    let inputs =
        Inputs { sources: &sources, engine, folder, memory: URL_MEMORY, max_bytes, stop: &stop };
    let plan = Plan {
        target: engine.settings().target,
        min_bytes: engine.settings().min_bytes,
        words: true,
    };
    let outcome = read_through(&sources, "figures", &stop, |tell| {
        analyze(&inputs, plan, 3 * URL_MEMORY, tell)
    })?;
    Ok(outcome.figures)
}

impl Tally {
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

/// A file of the package that is being written.
struct Part {
    name: String,
    bytes: u64,
    sum: String,
}

/// Writes bytes and computes their checksum.
struct Summed {
    file: BufWriter<File>,
    sum: Sha256,
    bytes: u64,
}

impl Write for Summed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.sum.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The output files of lines, one after the other, each compressed by itself.
struct Files {
    folder: PathBuf,
    stem: String,
    ending: &'static str,
    most: u64,
    parts: Vec<Part>,
    /// The open file, and the bytes of text in it.
    open: Option<(GzEncoder<Summed>, u64)>,
}

impl Files {
    fn new(folder: &Path, language: LangCode, ending: &'static str, most: u64) -> Self {
        Self {
            folder: folder.to_owned(),
            stem: language.to_string(),
            ending,
            most,
            parts: Vec::new(),
            open: None,
        }
    }

    fn name(&self) -> String {
        format!("{}-{:03}.{}.gz", self.stem, self.parts.len() + 1, self.ending)
    }

    /// Writes a line with `text` bytes of text.
    fn line(&mut self, line: &[u8], text: u64) -> Result<()> {
        if self.open.as_ref().is_some_and(|(_, bytes)| bytes.saturating_add(text) > self.most) {
            self.close()?;
        }
        let name = self.name();
        let failed = |error: io::Error| anyhow!("{name}: {error} (--out)");
        let (file, bytes) = match &mut self.open {
            Some(open) => open,
            none => {
                let file =
                    BufWriter::new(File::create_new(self.folder.join(&name)).map_err(failed)?);
                // The header has no time and no name.
                let file = GzEncoder::new(
                    Summed { file, sum: Sha256::new(), bytes: 0 },
                    Compression::default(),
                );
                none.insert((file, 0))
            }
        };
        *bytes += text;
        let end = if line.ends_with(b"\n") { &b""[..] } else { b"\n" };
        file.write_all(line).and_then(|()| file.write_all(end)).map_err(failed)
    }

    fn close(&mut self) -> Result<()> {
        let name = self.name();
        let Some((file, _)) = self.open.take() else { return Ok(()) };
        let failed = |error: io::Error| anyhow!("{name}: {error} (--out)");
        let mut file = file.finish().map_err(failed)?;
        file.flush().and_then(|()| file.file.get_ref().sync_all()).map_err(failed)?;
        self.parts.push(Part { bytes: file.bytes, sum: hex(&file.sum.finalize()), name });
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<Part>> {
        self.close()?;
        Ok(self.parts)
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// The data for the README of a package.
struct Readme<'a> {
    asked: &'a Arguments,
    contact: &'a str,
    language: LangCode,
    tally: &'a Tally,
    choice: &'a Choice,
    parts: &'a [Part],
    /// Of a corpus; a package of sentences has none.
    figures: Option<&'a Figures>,
    has_terms: bool,
}

impl Readme<'_> {
    /// The page on what is in the package. It holds no time and no path, so that the same input
    /// makes the same page.
    fn text(&self) -> String {
        let what = if self.figures.is_some() { "Web corpus" } else { "Sentences from the web" };
        let mut said = format!(
            "# {what}: {} ({})\n\n| figure | value |\n|---|---|\n",
            self.language.name(),
            self.language
        );
        self.contents(&mut said);
        self.origin(&mut said);
        said += &self.choice.rows(&self.tally.choice, self.tally.bytes);
        said += "\ndocs/report.md of Corpulyzer defines these figures. A program identified the languages.\n";
        self.files(&mut said);
        self.terms(&mut said);
        said
    }

    /// Rows on the text.
    fn contents(&self, said: &mut String) {
        let Some(figures) = self.figures else {
            row(said, "sentences", self.tally.documents);
            row(said, "words", self.tally.words);
            row(said, "bytes of text (UTF-8)", self.tally.bytes);
            return;
        };
        let totals = &figures.totals;
        let name = self.language.name();
        row(said, "pages", totals.pages);
        row(said, "sites", figures.sites.sites);
        if let Some(words) = &figures.words {
            row(said, "words", words.vocabulary.tokens);
            row(said, "different words", words.vocabulary.types);
        }
        row(said, "bytes of main text (UTF-8)", totals.main_bytes);
        let share = percent(totals.target_bytes, totals.main_bytes);
        row(said, &format!("bytes in {name}"), format_args!("{share:.1} %"));
        row(said, "other languages with most bytes", self.other_languages(figures));
        row(said, "pages whose text is also that of another page", figures.duplicates.exact);
    }

    fn other_languages(&self, figures: &Figures) -> String {
        let all = figures.totals.main_bytes;
        let mut others: Vec<_> =
            figures.languages.iter().filter(|row| row.code != self.language.as_str()).collect();
        others.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.code.cmp(&b.code)));
        let others =
            others.iter().take(NAMED_LANGUAGES).filter(|row| percent(row.bytes, all) >= 0.1);
        let others = others.map(|row| format!("{} {:.1} %", row.code, percent(row.bytes, all)));
        others.collect::<Vec<_>>().join(", ")
    }

    /// Rows on where the text is from, and how it was chosen.
    fn origin(&self, said: &mut String) {
        let tally = self.tally;
        if let Some((first, last)) = &tally.fetched {
            row(said, "fetched", format_args!("{} to {}", cell(first), cell(last)));
        }
        if !tally.versions.is_empty() {
            let versions: Vec<_> =
                tally.versions.iter().map(|version| format!("`{}`", cell(version))).collect();
            row(said, "record versions (record, extractor, identifier)", versions.join(", "));
        }
        row(said, "choice", self.choice());
        row(said, "packed by", format_args!("corpulyzer {}", env!("CARGO_PKG_VERSION")));
    }

    fn choice(&self) -> String {
        let of = self.tally.of.map_or_else(String::new, |of| format!(" of {of}"));
        match (self.asked.wanted(), self.figures.is_some()) {
            (Wanted::All, _) => "everything in the input".to_owned(),
            (Wanted::Words(wanted), true) => {
                format!("pages in the order of a hash of their URL, up to {wanted} words{of}")
            }
            (Wanted::Bytes(wanted), true) => {
                format!(
                    "pages in the order of a hash of their URL, up to {wanted} bytes of text{of}"
                )
            }
            (Wanted::Words(wanted), false) => {
                format!("the first sentences of the input, up to {wanted} words")
            }
            (Wanted::Bytes(wanted), false) => {
                format!("the first sentences of the input, up to {wanted} bytes of text")
            }
        }
    }

    fn files(&self, said: &mut String) {
        let _ = writeln!(said, "\n## Files\n\n| file | bytes |\n|---|---|");
        for part in self.parts {
            let _ = writeln!(said, "| `{}` | {} |", part.name, part.bytes);
        }
        *said += match self.figures {
            Some(_) if self.asked.layout == Layout::Hub => HUB_FILES,
            Some(_) => {
                "\nEach line is a JSON object. `url` is the address of the page. `text` is its main content, with `\\n` between\n\
                 blocks. `languages` has the bytes (UTF-8) of each language in it, by ISO 639-3 code. Other fields are as the\n\
                 crawl wrote them.\n"
            }
            None => "\nOne sentence on each line, in random order. If a line has a tab, the URL of the sentence's page follows it.\n",
        };
        let unpack =
            if self.asked.layout == Layout::Hub { "" } else { "`gzip -d` unpacks the files. " };
        let _ = writeln!(said, "{unpack}`sha256sum -c {SUMS}` checks them.");
    }

    /// The terms of use, and how a page is taken out.
    fn terms(&self, said: &mut String) {
        let contact = self.contact;
        let _ = match self.has_terms {
            true => writeln!(said, "\n## Terms\n\nThe terms of use are in `{TERMS}`."),
            false => writeln!(
                said,
                "\n## Terms\n\nThere are no terms of use. Ask {contact} before you use or pass on more than the law allows."
            ),
        };
        let field = match (self.asked.layout, &self.figures) {
            (Layout::Hub, _) => " (column `url`)",
            (_, Some(_)) => " (field `url`)",
            (_, None) => "",
        };
        let _ = writeln!(
            said,
            "\n## Removal\n\nThe texts belong to their authors. To have a page or a site removed, write to {contact}. Name its\n\
             addresses{field}. Write from an address of the site, or show in another way that it is yours."
        );
    }
}

/// The section of the card on the columns.
const HUB_FILES: &str = "\n`datasets.load_dataset(FOLDER)` loads this folder. The columns have the names of FineWeb-2, as far as the records\n\
    have them. They differ from it in these:\n\n\
    | column | content |\n|---|---|\n\
    | `language` | the language of this corpus, ISO 639-3 |\n\
    | `language_score` | share of the bytes of `text` that are in this language. It is no probability |\n\
    | `language_script` | script of most letters of `text`, ISO 15924 |\n\
    | `date` | time of the fetch |\n\
    | `languages` | bytes (UTF-8) of each language in `text`, by ISO 639-3 code; a JSON object |\n\n\
    Other columns are the fields of the crawl's records. A column is null if a record lacks the field.\n";

/// Writes a row of the README's table of figures.
fn row(said: &mut String, figure: &str, value: impl std::fmt::Display) {
    let _ = writeln!(said, "| {figure} | {value} |");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_taken_by_their_hashes_until_there_is_enough() {
        let offered = vec![(30, 5), (10, 5), (20, 5)];
        assert_eq!(
            [1, 5, 6, 15, 16].map(|wanted| last_of(offered.clone(), wanted)),
            [10, 10, 20, 30, u64::MAX]
        );
    }
}
