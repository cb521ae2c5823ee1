//! Measures how much of a corpus is in its language, by human judgement.

use crate::arguments::{whole, Archive, AsJson};
use crate::context::Context;
use crate::io::console::{counted, harmless};
use crate::io::corpora::{Pages, URL_MEMORY};
use crate::io::input;
use crate::io::output::{apart, named, settle, FilePlace};
use anyhow::{anyhow, bail, Result};
use audit::{write_page, Drawn, Judgements, Sample, Sheet};
use clap::{Args, Subcommand};
use figures::CorpusPage;
use inputs::exclusions;
use inputs::real;
use langid::LangCode;
use sentences::spaced;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Fewest words of a sentence that judges see: the default of `sentences`.
const MIN_WORDS: usize = 4;

/// Draw a sample of pages for people to judge, and compute the share that is in the language
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    step: Step,
}

/// The steps of an audit.
#[derive(Subcommand)]
enum Step {
    Draw(Draw),
    Count(Count),
}

/// Draw random pages and write a sheet (TSV) to fill in with y, n or ? in a spreadsheet
#[derive(Args)]
pub struct Draw {
    /// WARC files, WET files or JSON lines of a crawl: plain, gzip or zstd; Parquet; or folders of
    /// them. - is standard input
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// File for the sheet; .gz and .zst compress. An old file is never replaced
    #[arg(long, value_name = "FILE", required_unless_present = "html")]
    out: Option<PathBuf>,
    /// File for a page on which judges fill in the sheet in their browser, without a network. An
    /// old file is never replaced
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Language of the corpus, an ISO 639 code or a name
    #[arg(long, value_name = "CODE", value_parser = crate::arguments::language)]
    language: LangCode,
    /// Number of pages. 300 pages give a share with an error of two or three percent
    #[arg(long, default_value_t = 300, value_name = "N")]
    #[arg(value_parser = whole::<u32>(1..=1_000_000))]
    pages: u32,
    /// Draw from the pages that the crawl rejected (crawl --all), to see what was lost
    #[arg(long)]
    rejected: bool,
    /// Draw only pages with at least N complete sentences in the language, and show the judges N of
    /// them in place of the page's text [default: show text of all pages]
    #[arg(long, value_name = "N", value_parser = whole::<u8>(1..=10), conflicts_with = "rejected")]
    sentences: Option<u8>,
    /// Random seed. The same number draws the same pages
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u64>(0..))]
    seed: u64,
    #[command(flatten)]
    archive: Archive,
}

/// Add up the filled-in sheets: the share of yes with its confidence interval, and the agreement of
/// the judges
#[derive(Args)]
pub struct Count {
    /// One sheet per judge: TSV or CSV, or the file that the page of --html saves
    #[arg(required = true, value_name = "SHEET")]
    sheets: Vec<PathBuf>,
    /// A sheet of pages whose judgement is known, to test the judges. These pages are in no figure
    #[arg(long, value_name = "SHEET")]
    known: Option<PathBuf>,
    /// Leave out a judge who is right on less than this share of the known pages, from 0 to 1
    #[arg(long, default_value_t = 0.8, value_name = "SHARE")]
    #[arg(value_parser = crate::arguments::share, requires = "known")]
    qualified: f64,
    /// File for an exclusion list of the pages that more judges refused than accepted, for
    /// --without of other verbs. An old file is replaced
    #[arg(long, value_name = "FILE")]
    verdicts: Option<PathBuf>,
    /// List a host as a whole if it has at least this number of refused pages and no accepted page
    #[arg(long, requires = "verdicts", default_value_t = 3, value_name = "N")]
    #[arg(value_parser = whole::<u32>(1..))]
    whole_host: u32,
    /// File for the pages in another language, for `rejudge --judged`: URL, tab, ISO 639-3 code, or
    /// `und` if no registry knows what most judges wrote. An old file is replaced
    #[arg(long, value_name = "FILE")]
    changes: Option<PathBuf>,
    /// File for the languages of all judged pages, for `rejudge --judged`: URL, tab, ISO 639-3
    /// code. Accepted pages have the language of --language, pages in another language theirs,
    /// other refused pages `und`. An old file is replaced
    #[arg(long, value_name = "FILE", requires = "language")]
    verified: Option<PathBuf>,
    /// Language of the corpus, an ISO 639 code or a name; for --verified
    #[arg(long, value_name = "CODE", value_parser = crate::arguments::language)]
    #[arg(requires = "verified")]
    language: Option<LangCode>,
    #[command(flatten)]
    json: AsJson,
}

/// Runs a step.
///
/// # Errors
/// As the step.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    match &arguments.step {
        Step::Draw(arguments) => draw(arguments, context),
        Step::Count(arguments) => count(arguments, context.max_bytes),
    }
}

/// Draws pages and writes them as a sheet. The first SIGINT or SIGTERM stops the work and leaves
/// nothing behind.
///
/// # Errors
/// Fails if an input cannot be read, it has no such pages, the sheet cannot be written, or a signal
/// stopped the work.
fn draw(arguments: &Draw, context: &Context) -> Result<bool> {
    let (engine, max_bytes) =
        (&context.reader(arguments.language, &arguments.archive)?, context.max_bytes);
    let outputs = named([(arguments.out.as_ref(), "--out"), (arguments.html.as_ref(), "--html")]);
    let places = new_places(&outputs, context)?;
    let Some(first) = places.first() else { bail!("name a file: --out or --html") };
    let (name, corpora, folder) = ("audit", &arguments.corpora, first.folder());
    let mut sample = Sample::new(arguments.pages as usize, arguments.seed);
    let identifier =
        arguments.sentences.map(|_| context.identifier(&[arguments.language])).transpose()?;
    let drawn = |page: &CorpusPage| match arguments.sentences.zip(identifier.as_deref()) {
        None => Some(Drawn::new(&page.url, &page.text)),
        Some((count, identifier)) => {
            spaced(page, count.into(), MIN_WORDS, identifier, arguments.language)
                .map(|shown| Drawn::of_sentences(&page.url, &shown))
        }
    };
    let whole =
        Pages { name, corpora, engine, folder, memory: URL_MEMORY, max_bytes, outputs: &outputs }
            .read(&mut |pages| {
            for page in pages.iter().filter(|page| {
                !page.gone && page.kept != arguments.rejected && !page.text.is_empty()
            }) {
                let name = if page.url.is_empty() { &page.text } else { &page.url };
                sample.offer(name, || drawn(page));
            }
            Ok(())
        })?;
    let (offered, (looked_at, entered)) = (sample.offered(), sample.looked_at());
    let drawn = sample.into_drawn();
    if drawn.is_empty() {
        bail!("{name}: {}", arguments.why_empty(offered));
    }
    let names = write(places, &outputs, arguments.language, &drawn, whole)?;
    note!(
        "corpulyzer: {} of {}: {}; {}, then run corpulyzer audit count",
        drawn.len(),
        counted(offered, "page"),
        names.join(", "),
        arguments.next_step()
    );
    if let Some(least) = arguments.sentences {
        eprintln!(
            "corpulyzer: of {} by lot, {entered} have at least {} in {}; only these were drawn (--sentences)",
            counted(looked_at, "page"),
            counted(least, "complete sentence"),
            arguments.language.name()
        );
    }
    Ok(whole)
}

/// Places of outputs that do not exist yet, because a filled-in sheet may contain hours of work.
fn new_places(outputs: &[(&Path, &'static str)], context: &Context) -> Result<Vec<FilePlace>> {
    if let Some((file, option)) = outputs.iter().find(|(file, _)| file.exists()) {
        bail!("{}: exists already; name another file ({option})", file.display());
    }
    context.apart(outputs, None)?;
    outputs.iter().map(|(file, option)| Ok(FilePlace::new(file, option)?)).collect()
}

impl Draw {
    /// Returns the next step of the user, by the outputs that there are.
    fn next_step(&self) -> &'static str {
        match (&self.out, &self.html) {
            (_, None) => "give each judge a copy to fill in the column `judgement` with y, n or ?",
            (None, _) => "give each judge the page; it saves a sheet",
            _ => "give each judge a copy of the sheet or of the page, which saves a sheet",
        }
    }

    /// Why no page of those that were offered is drawn.
    fn why_empty(&self, offered: u64) -> String {
        if let Some(least) = self.sentences.filter(|_| offered > 0) {
            let (least, language) = (counted(least, "complete sentence"), self.language.name());
            return format!("no page has {least} in {language}; nothing was written (--sentences)");
        }
        let kind =
            if self.rejected { "rejected page with text (crawl --all)" } else { "page with text" };
        format!("the input has no {kind}; nothing was written")
    }
}

/// Writes the sheet and the page for judges, and then puts both in place. Returns their names.
fn write(
    places: Vec<FilePlace>,
    outputs: &[(&Path, &str)],
    language: LangCode,
    drawn: &[(u64, Drawn)],
    whole: bool,
) -> Result<Vec<String>> {
    let mut written = Vec::new();
    for (place, (_, option)) in places.into_iter().zip(outputs) {
        let (mut out, file) = place.create()?;
        let done = match *option {
            "--html" => write_page(&mut out, language, drawn),
            _ => audit::write(&mut out, drawn),
        };
        done.and_then(|()| out.finish()).map_err(|error| place.failed(error))?;
        let place = settle(place, whole)?;
        if !whole && place.is_there() {
            bail!("{}: exists already; name another file ({option})", place.name());
        }
        written.push((place, file));
    }
    let mut names = Vec::new();
    for (place, file) in written {
        place.put(file)?;
        names.push(place.name().to_string());
    }
    Ok(names)
}

/// Sums up the sheets of judges. With `--verdicts`, writes the pages that more judges refused than
/// accepted, for `--without`.
///
/// # Errors
/// Fails if a sheet cannot be read or the list cannot be written.
fn count(arguments: &Count, max_bytes: u64) -> Result<bool> {
    let sheets = &arguments.sheets;
    let outputs = named([
        (arguments.verdicts.as_ref(), "--verdicts"),
        (arguments.changes.as_ref(), "--changes"),
        (arguments.verified.as_ref(), "--verified"),
    ]);
    apart(&outputs, sheets.iter().chain(&arguments.known).map(PathBuf::as_path))?;
    // Checked before the work.
    let changes = FilePlace::of(arguments.changes.as_deref(), "--changes")?;
    let verified = FilePlace::of(arguments.verified.as_deref(), "--verified")?;
    let verdicts = FilePlace::of(arguments.verdicts.as_deref(), "--verdicts")?;
    let judgements = judgements(arguments, max_bytes)?;
    if let Some(place) = verdicts {
        list(&judgements, arguments.whole_host as usize, place)?;
    }
    if let Some(place) = changes {
        place.write(changes_of(&judgements).as_bytes())?;
    }
    if let Some((place, language)) = verified.zip(arguments.language) {
        place.write(judgements.languages(language).as_bytes())?;
    }
    arguments.json.print(&judgements.results())
}

/// What the judges of all sheets say, without those who miss too many known pages.
fn judgements(arguments: &Count, max_bytes: u64) -> Result<Judgements> {
    let known = arguments.known.as_deref().map(|file| sheet(file, max_bytes)).transpose()?;
    let mut judgements = Judgements::default();
    let mut met = HashSet::new();
    let mut sheets = Vec::new();
    for file in &arguments.sheets {
        if met.insert(real(file)) {
            sheets.push((input::name(file), sheet(file, max_bytes)?));
        } else {
            eprintln!("corpulyzer: {}: is named twice, and read once", input::name(file));
        }
    }
    let is_any_judged = sheets.iter().any(|(_, sheet)| sheet.is_judged());
    for (name, mut sheet) in sheets {
        if is_any_judged && !sheet.is_judged() {
            eprintln!(
                "corpulyzer: {name}: no page has a judgement, so the sheet is left out; fill in \
                 the column `judgement` with y or n"
            );
            continue;
        }
        if let Some(known) = &known {
            if !is_qualified(&sheet, known, arguments.qualified, &name) {
                continue;
            }
            sheet.remove(known);
        }
        judgements.add(sheet);
    }
    if judgements.judges() == 0 {
        bail!(
            "no judge is right on a share of {} of the known pages; nothing was written (--qualified)",
            arguments.qualified
        );
    }
    Ok(judgements)
}

/// Writes the refused pages, and the hosts that are refused as a whole: those with at least this
/// number of refused pages and no accepted one.
fn list(judgements: &Judgements, least: usize, place: FilePlace) -> Result<()> {
    let listed = exclusions::list(judgements.refused(), judgements.accepted(), least);
    place.write(listed.text.as_bytes())?;
    eprintln!(
        "corpulyzer: listed {} as a whole (at least {least} refused pages, no accepted page), {} of other hosts; \
         {} without a URL: {}",
        counted(listed.hosts, "host"),
        counted(listed.pages, "page"),
        listed.without_address,
        place.name()
    );
    Ok(())
}

/// The pages whose language people corrected: lines of `URL<TAB>CODE`.
fn changes_of(judgements: &Judgements) -> String {
    let line = |(url, language): (&str, &str)| {
        let code = registry::parse(language).unwrap_or_else(|_| {
            eprintln!(
                "corpulyzer: {}: {} is no known language, so the page is `und` (--changes)",
                harmless(url),
                harmless(language)
            );
            LangCode::UND
        });
        format!("{}\t{code}\n", render::tsv::cell(url))
    };
    judgements.changes().map(line).collect()
}

fn sheet(file: &Path, max_bytes: u64) -> Result<Sheet> {
    Sheet::read(&input::read(file, max_bytes)?)
        .map_err(|bad| anyhow!("{}: {bad}", input::name(file)))
}

/// Prints how often a judge is right on the known pages. Returns whether it is often enough; not of
/// a judge who judged none of them.
fn is_qualified(sheet: &Sheet, known: &Sheet, least: f64, name: &str) -> bool {
    let (judged, right) = sheet.compare(known);
    let is_qualified = judged > 0 && right as f64 >= least * judged as f64;
    eprintln!(
        "corpulyzer: {name}: right on {right} of {}{}",
        counted(judged, "known page"),
        if is_qualified { "" } else { ", so it is left out (--qualified)" }
    );
    is_qualified
}
