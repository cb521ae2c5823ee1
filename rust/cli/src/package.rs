//! A corpus as it is given away: files of bounded size, a page on what they are, sums to check them by.

use crate::counted::counted;
use crate::extract::stop_flag;
use crate::input;
use crate::place::{folder, is_name, put_in_place, temporary_folder};
use crate::reading::{all_sources, progress, read_through, tell_problems, NAMED_PROBLEMS, URL_MEMORY};
use crate::records::{Fields, Line, Records};
use crate::without::Without;
use corpus::analyze::analyze;
use corpus::pages::Inputs;
use corpus::parse::check_line;
use corpus::{Figures, Plan, Tokenizer};
use engine::Engine;
use flate2::write::GzEncoder;
use flate2::Compression;
use langbytes::LangCode;
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

/// The page on what is in the package, the words on what may be done with it, and the sums.
const README: &str = "README.md";
const TERMS: &str = "TERMS.txt";
const SUMS: &str = "SHA256SUMS";

/// Languages beside the package's own that are named, those with most bytes.
const NAMED_LANGUAGES: usize = 5;

/// Record versions that are named.
const NAMED_VERSIONS: usize = 10;

/// How much is wanted at least.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// All that there is.
    All,
    /// So many words of text, as reports count them.
    Words(u64),
    /// So many bytes of text.
    Bytes(u64),
}

/// What is asked for.
pub struct Asked<'a> {
    /// Files and folders.
    pub corpora: &'a [PathBuf],
    /// Folder for the package.
    pub out: &'a Path,
    /// How much of it.
    pub wanted: Wanted,
    /// List of pages and hosts that are left out.
    pub without: Option<&'a Path>,
    /// What may be done with the package, in the words of who gives it away.
    pub terms: Option<&'a Path>,
    /// Whom to write to.
    pub contact: &'a str,
    /// Bytes of text from which on a file is followed by another.
    pub file_bytes: u64,
}

/// What was put into the package.
#[derive(Default)]
struct Tally {
    /// Pages or sentences.
    documents: u64,
    words: u64,
    /// Bytes of text.
    bytes: u64,
    /// All that could have been put into it, as [`Wanted`] counts; unknown if all was, or nobody read to the end.
    of: Option<u64>,
    listed: u64,
    /// Pages whose address an earlier one has, or its text where they have none.
    twice: u64,
    /// Records whose figures do not read.
    bad: u64,
    /// Rejected pages, those that are gone, and those without text.
    no_text: u64,
    /// When the first and the last page were fetched.
    fetched: Option<(String, String)>,
    versions: BTreeSet<String>,
}

/// Packs a corpus, or a collection of sentences: what is in a file its first byte tells. The same input makes the same bytes. The first SIGINT
/// or SIGTERM stops the work and leaves nothing behind.
///
/// # Errors
/// When an input cannot be read, it has less than is wanted, the folder cannot be written or is not empty, or a signal stopped the work.
pub fn run(asked: &Asked, engine: &Engine, max_bytes: u64) -> Result<bool, String> {
    let failed = |error: io::Error| format!("{}: {error} (--out)", asked.out.display());
    is_name(asked.out, "--out")?;
    let contact = asked.contact.trim();
    if contact.is_empty() || contact.chars().any(char::is_control) {
        return Err("--contact is empty or has line ends; allowed is an address to write to".to_owned());
    }
    match fs::read_dir(asked.out).map(|mut entries| entries.next().is_none()) {
        Ok(true) => {}
        Ok(false) => return Err(format!("{}: is not empty; name another folder (--out)", asked.out.display())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
    }
    let terms = asked.terms.map(|file| input::read(file, max_bytes)).transpose()?;
    let without = asked.without.map(|file| Without::read(file, max_bytes)).transpose()?.unwrap_or_default();
    // Found out first, for what is said of a folder names the temporary one.
    tempfile::tempfile_in(folder(asked.out)).map_err(failed)?;
    let next = temporary_folder(folder(asked.out)).map_err(failed)?;
    let language = engine.settings().target;
    // What `sentences` writes has no ending of a corpus; of a folder only corpora are read.
    let inputs = all_sources(asked.corpora)?;
    let is_corpus = begins_with_object(&inputs)?;
    let (tally, parts, figures) = if is_corpus {
        let files = Files::new(next.path(), language, "jsonl", asked.file_bytes);
        let (tally, parts) = pages(asked, &inputs, &without, engine, files, max_bytes)?;
        let figures = measure(&parts, next.path(), engine, max_bytes)?;
        (tally, parts, Some(figures))
    } else {
        let files = Files::new(next.path(), language, "txt", asked.file_bytes);
        let (tally, parts) = sentences(asked, &inputs, &without, files, language, max_bytes)?;
        (tally, parts, None)
    };
    let has = |wanted: u64, has: u64, unit: &str| match has < wanted {
        true => Err(format!("what was read has {has} {unit}, {wanted} were wanted; nothing was written")),
        false => Ok(()),
    };
    match asked.wanted {
        Wanted::All if tally.documents == 0 => return Err("what was read has no text; nothing was written".to_owned()),
        Wanted::All => {}
        Wanted::Words(wanted) => has(wanted, tally.words, "words")?,
        Wanted::Bytes(wanted) => has(wanted, tally.bytes, "bytes of text")?,
    }
    let readme = readme(asked, contact, language, &tally, &parts, figures.as_ref(), terms.is_some());
    let mut sums: BTreeMap<String, String> = parts.into_iter().map(|part| (part.name, part.sum)).collect();
    let texts = [(README, Some(readme.into_bytes())), (TERMS, terms)];
    for (name, text) in texts.into_iter().filter_map(|(name, text)| Some((name, text?))) {
        fs::write(next.path().join(name), &text).map_err(failed)?;
        sums.insert(name.to_owned(), hex(&Sha256::digest(&text)));
    }
    let sums: String = sums.iter().map(|(name, sum)| format!("{sum}  {name}\n")).collect();
    fs::write(next.path().join(SUMS), sums).map_err(failed)?;
    put_in_place(next, asked.out)?;
    if asked.terms.is_none() {
        eprintln!("corpulyzer: the package says nothing of what may be done with it (--terms)");
    }
    if tally.bad > 0 {
        eprintln!("corpulyzer: left out {} with figures that do not read", counted(tally.bad, "record"));
    }
    if asked.without.is_some() {
        eprintln!("corpulyzer: left out {} by --without", tally.listed);
    }
    let what = if is_corpus { "page" } else { "sentence" };
    eprintln!(
        "corpulyzer: {} with {}; left out: {} without text, gone or rejected, {} with the address of an earlier one: {}",
        counted(tally.documents, what),
        counted(tally.words, "word"),
        tally.no_text,
        tally.twice,
        asked.out.display()
    );
    Ok(true)
}

/// Whether the inputs hold objects, a line each, and not sentences.
fn begins_with_object(inputs: &[Source]) -> Result<bool, String> {
    let mut found = None;
    for source in inputs {
        // A pipe cannot be read twice, and some of this is.
        if source.bytes.is_none() {
            return Err(format!("{}: is no regular file; allowed are files and folders", source.name));
        }
        let failed = |error: io::Error| format!("{}: {error}", source.name);
        let (mut input, _) = source.decompressed(&Arc::default()).map_err(failed)?;
        let start = input.fill_buf().map_err(failed)?;
        let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start).trim_ascii_start();
        if start.starts_with(b"WARC/") {
            return Err(format!(
                "{}: holds WARC records; allowed are JSON lines with `text`, and sentences",
                source.name
            ));
        }
        let Some(first) = start.first() else { continue };
        let is_object = *first == b'{';
        if *found.get_or_insert(is_object) != is_object {
            return Err("some of what was named holds JSON lines and some other text; pack them one by one".to_owned());
        }
    }
    Ok(found.unwrap_or(true))
}

/// A page with text that may be packed.
struct Page {
    line: Vec<u8>,
    hash: u64,
    words: u64,
    bytes: u64,
    fetch_time: Option<String>,
    version: Option<String>,
}

/// Packs pages, all or so many of them: a sample by the hashes of their addresses, in the corpus's order.
fn pages(
    asked: &Asked,
    inputs: &[Source],
    without: &Without,
    engine: &Engine,
    mut files: Files,
    max_bytes: u64,
) -> Result<(Tally, Vec<Part>), String> {
    let tokenizer = Tokenizer::new(engine.settings().target);
    let paths: Vec<PathBuf> = inputs.iter().map(|input| input.path.clone()).collect();
    let records = Records::new(&paths, &[], max_bytes)?;
    let amount = |page: &Page| if matches!(asked.wanted, Wanted::Bytes(_)) { page.bytes } else { page.words };
    let mut tally = Tally::default();
    let last = match asked.wanted {
        Wanted::All => u64::MAX,
        Wanted::Words(wanted) | Wanted::Bytes(wanted) => {
            let mut offered: Vec<(u64, u64)> = Vec::new();
            let mut seen = HashSet::new();
            records.read(&mut |lines| {
                let pages: Vec<Option<Page>> =
                    lines.into_par_iter().map(|line| page(line, &tokenizer, without).ok()).collect();
                let new = pages.iter().flatten().filter(|page| seen.insert(page.hash));
                offered.extend(new.map(|page| (page.hash, amount(page))));
                Ok(Some(format!("{} looked at", counted(offered.len(), "page"))))
            })?;
            tally.of = Some(offered.iter().map(|(_, amount)| amount).sum());
            last_of(offered, wanted)
        }
    };
    let mut seen = HashSet::new();
    let read = records.read(&mut |lines| {
        let pages: Vec<Result<Page, Out>> = lines.into_par_iter().map(|line| page(line, &tokenizer, without)).collect();
        for page in pages {
            match page {
                Ok(page) if !seen.insert(page.hash) => tally.twice += 1,
                Ok(page) if page.hash <= last => {
                    files.line(&page.line, page.bytes)?;
                    tally.add(page);
                }
                Ok(_) => {}
                Err(Out::Listed) => tally.listed += 1,
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
        return Err("an input is damaged or cut short, and what is given away is whole; nothing was written".to_owned());
    }
    Ok((tally, files.finish()?))
}

/// The hash of the last that is taken, in the order of hashes, until there is enough.
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

/// Why a page is not packed.
enum Out {
    Listed,
    NoText,
    /// Whoever reads the package could not read it, as a sentence.
    Bad(String),
}

fn page((line, page): Line, tokenizer: &Tokenizer, without: &Without) -> Result<Page, Out> {
    let text = page.text();
    let url = page.url.as_deref().unwrap_or_default();
    if without.has(url) {
        return Err(Out::Listed);
    }
    if text.is_empty() {
        return Err(Out::NoText);
    }
    if let Err((_, what)) = check_line(&line) {
        return Err(Out::Bad(format!("{}: {what}", if url.is_empty() { "a page without an address" } else { url })));
    }
    let hash = corpus::urls::fingerprint(if url.is_empty() { text } else { url });
    let (words, bytes) = (count(text, tokenizer), text.len() as u64);
    let fields = Fields::of(&line).ok();
    let string = |name| serde_json::from_str(fields.as_ref()?.get(name)?).ok();
    let (fetch_time, version) = (string("fetch_time"), string("record_version"));
    Ok(Page { line, hash, words, bytes, fetch_time, version })
}

/// Words of a text, as reports count them.
fn count(text: &str, tokenizer: &Tokenizer) -> u64 {
    let mut tokens = Vec::new();
    tokenizer.tokens(text, &mut tokens);
    tokens.len() as u64
}

/// Packs sentences, all or the first ones: they are in no order.
fn sentences(
    asked: &Asked,
    inputs: &[Source],
    without: &Without,
    mut files: Files,
    language: LangCode,
    max_bytes: u64,
) -> Result<(Tally, Vec<Part>), String> {
    let tokenizer = Tokenizer::new(language);
    let stop = stop_flag().map_err(|error| format!("signals: {error}"))?;
    let read = Arc::new(AtomicU64::new(0));
    let progress = progress(inputs);
    let mut tally = Tally::default();
    let mut line = Vec::new();
    for source in inputs {
        let failed = |error: io::Error| format!("{}: {error}", source.name);
        let (mut input, _) = source.decompressed(&read).map_err(failed)?;
        loop {
            let is_enough = match asked.wanted {
                Wanted::All => false,
                Wanted::Words(wanted) => tally.words >= wanted,
                Wanted::Bytes(wanted) => tally.bytes >= wanted,
            };
            line.clear();
            input.by_ref().take(max_bytes.saturating_add(1)).read_until(b'\n', &mut line).map_err(failed)?;
            if line.is_empty() || is_enough {
                break;
            }
            if line.len() as u64 > max_bytes {
                return Err(format!("{}: a line is longer than {max_bytes} bytes (--max-bytes)", source.name));
            }
            if line.starts_with(b"{\"") {
                return Err(format!(
                    "{}: a line that begins with {{\" stands behind one that is no JSON; allowed are JSON lines alone, and sentences alone",
                    source.name
                ));
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
                    return Err("stopped by a signal; nothing was written".to_owned());
                }
                progress.set_position(read.load(Ordering::Relaxed));
                progress.set_message(format!("{} packed", counted(tally.documents, "sentence")));
            }
        }
    }
    progress.finish_and_clear();
    Ok((tally, files.finish()?))
}

/// The report's figures of what was packed.
fn measure(parts: &[Part], folder: &Path, engine: &Engine, max_bytes: u64) -> Result<Figures, String> {
    let sources: Vec<Source> =
        parts.iter().map(|part| Source::new(&folder.join(&part.name))).collect::<Result<_, _>>()?;
    let stop = stop_flag().map_err(|error| format!("signals: {error}"))?;
    let inputs = Inputs { sources: &sources, engine, folder, memory: URL_MEMORY, max_bytes, stop: &stop };
    let plan = Plan { target: engine.settings().target, min_bytes: engine.settings().min_bytes, words: true };
    let outcome = read_through(&sources, "figures", &stop, |tell| analyze(&inputs, plan, 3 * URL_MEMORY, tell))?;
    Ok(outcome.figures)
}

impl Tally {
    fn add(&mut self, page: Page) {
        self.documents += 1;
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

/// A file of the package that is written.
struct Part {
    name: String,
    bytes: u64,
    sum: String,
}

/// Writes bytes and sums them up.
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

/// The files that lines go to, one after the other, each compressed by itself.
struct Files {
    folder: PathBuf,
    stem: String,
    ending: &'static str,
    most: u64,
    parts: Vec<Part>,
    /// The file that is open, and the bytes of text in it.
    open: Option<(GzEncoder<Summed>, u64)>,
}

impl Files {
    fn new(folder: &Path, language: LangCode, ending: &'static str, most: u64) -> Self {
        Self { folder: folder.to_owned(), stem: language.to_string(), ending, most, parts: Vec::new(), open: None }
    }

    fn name(&self) -> String {
        format!("{}-{:03}.{}.gz", self.stem, self.parts.len() + 1, self.ending)
    }

    /// Writes a line with so many bytes of text.
    fn line(&mut self, line: &[u8], text: u64) -> Result<(), String> {
        if self.open.as_ref().is_some_and(|(_, bytes)| bytes.saturating_add(text) > self.most) {
            self.close()?;
        }
        let name = self.name();
        let failed = |error: io::Error| format!("{name}: {error} (--out)");
        let (file, bytes) = match &mut self.open {
            Some(open) => open,
            none => {
                let file = BufWriter::new(File::create_new(self.folder.join(&name)).map_err(failed)?);
                // The header holds no time and no name.
                let file = GzEncoder::new(Summed { file, sum: Sha256::new(), bytes: 0 }, Compression::default());
                none.insert((file, 0))
            }
        };
        *bytes += text;
        let end = if line.ends_with(b"\n") { &b""[..] } else { b"\n" };
        file.write_all(line).and_then(|()| file.write_all(end)).map_err(failed)
    }

    fn close(&mut self) -> Result<(), String> {
        let name = self.name();
        let Some((file, _)) = self.open.take() else { return Ok(()) };
        let failed = |error: io::Error| format!("{name}: {error} (--out)");
        let mut file = file.finish().map_err(failed)?;
        file.flush().and_then(|()| file.file.get_ref().sync_all()).map_err(failed)?;
        self.parts.push(Part { bytes: file.bytes, sum: hex(&file.sum.finalize()), name });
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<Part>, String> {
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

/// The page on what is in the package. It holds no time and no path, so that the same input makes the same page.
fn readme(
    asked: &Asked,
    contact: &str,
    language: LangCode,
    tally: &Tally,
    parts: &[Part],
    figures: Option<&Figures>,
    has_terms: bool,
) -> String {
    let name = language.name();
    let what = if figures.is_some() { "Web corpus" } else { "Sentences from the web" };
    let mut said = format!("# {what}: {name} ({language})\n\n| figure | value |\n|---|---|\n");
    let mut row = |figure: &str, value: String| {
        let _ = writeln!(said, "| {figure} | {value} |");
    };
    let percent = |part: u64, whole: u64| if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 };
    match figures {
        Some(figures) => {
            let totals = &figures.totals;
            row("pages", totals.pages.to_string());
            row("sites", figures.sites.sites.to_string());
            if let Some(words) = &figures.words {
                row("words", words.vocabulary.tokens.to_string());
                row("different words", words.vocabulary.types.to_string());
            }
            row("bytes of main text (UTF-8)", totals.main_bytes.to_string());
            row(&format!("of these in {name}"), format!("{:.1} %", percent(totals.target_bytes, totals.main_bytes)));
            let mut others: Vec<_> = figures.languages.iter().filter(|row| row.code != language.as_str()).collect();
            others.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.code.cmp(&b.code)));
            let others = others.iter().take(NAMED_LANGUAGES).filter(|row| percent(row.bytes, totals.main_bytes) >= 0.1);
            let others = others.map(|row| format!("{} {:.1} %", row.code, percent(row.bytes, totals.main_bytes)));
            row("in others, those with most", others.collect::<Vec<_>>().join(", "));
            row("pages whose text another page has too", figures.duplicates.exact.to_string());
        }
        None => {
            row("sentences", tally.documents.to_string());
            row("words", tally.words.to_string());
            row("bytes of text (UTF-8)", tally.bytes.to_string());
        }
    }
    if let Some((first, last)) = &tally.fetched {
        row("fetched", format!("{} to {}", cell(first), cell(last)));
    }
    if !tally.versions.is_empty() {
        let versions: Vec<_> = tally.versions.iter().map(|version| format!("`{}`", cell(version))).collect();
        row("record versions (record, extractor, identifier)", versions.join(", "));
    }
    let of = |unit: &str| tally.of.map_or_else(String::new, |of| format!(" of {of}{unit}"));
    row(
        "choice",
        match (asked.wanted, figures.is_some()) {
            (Wanted::All, _) => "all that there was".to_owned(),
            (Wanted::Words(wanted), true) => {
                format!("pages by the hash of their address, until there were {wanted} words{}", of(""))
            }
            (Wanted::Bytes(wanted), true) => {
                format!("pages by the hash of their address, until there were {wanted} bytes of text{}", of(""))
            }
            (Wanted::Words(wanted), false) => {
                format!("the first, which are in no order, until there were {wanted} words")
            }
            (Wanted::Bytes(wanted), false) => {
                format!("the first, which are in no order, until there were {wanted} bytes of text")
            }
        },
    );
    row("packed by", format!("corpulyzer {}", env!("CARGO_PKG_VERSION")));
    said += "\nFigures are counted as docs/report.md of Corpulyzer has it; languages are an identifier's opinion.\n";
    let _ = writeln!(said, "\n## Files\n\n| file | bytes |\n|---|---|");
    for part in parts {
        let _ = writeln!(said, "| `{}` | {} |", part.name, part.bytes);
    }
    said += match figures {
        Some(_) => {
            "\nOne JSON object a line. `url` is the page's address, `text` its main content, blocks joined by `\\n`, `languages` the UTF-8 bytes of it\n\
             by ISO 639-3 code; other fields are as the crawl wrote them.\n"
        }
        None => "\nOne sentence on each line, in random order. If a line has a tab, the URL of the sentence's page follows it.\n",
    };
    let _ = writeln!(said, "`gzip -d` unpacks the files, `sha256sum -c {SUMS}` checks them.");
    let _ = match has_terms {
        true => writeln!(said, "\n## Terms\n\nWhat may be done with this is said in `{TERMS}`."),
        false => writeln!(
            said,
            "\n## Terms\n\nNone are stated. Ask {contact} before you use or pass on more than the law allows."
        ),
    };
    let field = if figures.is_some() { " (field `url`)" } else { "" };
    let _ = writeln!(
        said,
        "\n## Removal\n\nThe texts belong to their authors. To have a page or a site taken out, write to {contact} and name its addresses{field};\n\
         say from which host you write, or answer from an address of that host, so that the request can be checked."
    );
    said
}

/// Text that comes from records, in a cell of a table.
fn cell(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() && !matches!(c, '|' | '`' | '<' | '>')).take(100).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_taken_by_their_hashes_until_there_is_enough() {
        let offered = vec![(30, 5), (10, 5), (20, 5)];
        assert_eq!([1, 5, 6, 15, 16].map(|wanted| last_of(offered.clone(), wanted)), [10, 10, 20, 30, u64::MAX]);
    }
}
