//! Measures how much of a corpus is in its language, by human judgement.

use crate::arguments::Archive;
use crate::context::Context;
use crate::io::console::{counted, harmless, print};
use crate::io::corpora::{Pages, URL_MEMORY};
use crate::io::exclusions;
use crate::io::input;
use crate::io::output::{apart, Place};
use anyhow::{anyhow, bail, Result};
use audit::{Drawn, Judgements, Sample};
use clap::{Args, Subcommand};
use langid::LangCode;
use std::fmt::Write as _;
use std::io::BufWriter;
use std::path::PathBuf;

/// Number of refused pages that are named. The others are only counted.
const NAMED: usize = 20;

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
    /// WARC files, WET files or JSON lines of a crawl: plain, gzip or zstd; Parquet; or folders of them. -
    /// is standard input
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// File for the sheet. An old file is never replaced
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Language of the corpus, an ISO 639 code or a name
    #[arg(long, value_name = "CODE", value_parser = crate::arguments::language)]
    language: LangCode,
    /// Number of pages. 300 pages give a share with an error of two or three percent
    #[arg(long, default_value_t = 300, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pages: u32,
    /// Draw from the pages that the crawl rejected (crawl --all), to see what was lost
    #[arg(long)]
    rejected: bool,
    /// Random seed. The same number draws the same pages
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    #[command(flatten)]
    archive: Archive,
}

/// Add up the filled-in sheets: the share of yes with its confidence interval, and the agreement of
/// the judges
#[derive(Args)]
pub struct Count {
    /// One sheet per judge: TSV or CSV
    #[arg(required = true, value_name = "SHEET")]
    sheets: Vec<PathBuf>,
    /// File for an exclusion list of the pages that more judges refused than accepted, for
    /// --without of other verbs. An old file is replaced
    #[arg(long, value_name = "FILE")]
    verdicts: Option<PathBuf>,
    /// List a host as a whole if it has at least this number of refused pages and no accepted page
    #[arg(long, requires = "verdicts", default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    whole_host: u32,
}

/// Runs a step.
///
/// # Errors
/// As the step.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    match &arguments.step {
        Step::Draw(asked) => draw(asked, context),
        Step::Count(asked) => count(asked, context.max_bytes),
    }
}

/// Draws pages and writes them as a sheet. The first SIGINT or SIGTERM stops the work and leaves
/// nothing behind.
///
/// # Errors
/// Fails if an input cannot be read, it has no such pages, the sheet cannot be written, or a signal
/// stopped the work.
fn draw(asked: &Draw, context: &Context) -> Result<bool> {
    let (engine, max_bytes) = (&context.reader(asked.language, &asked.archive)?, context.max_bytes);
    // A filled-in sheet may contain hours of work.
    if asked.out.exists() {
        bail!("{}: exists already; name another file (--out)", asked.out.display());
    }
    let place = Place::new(&asked.out, "--out")?;
    let (name, corpora, folder) = ("audit", &asked.corpora, place.folder());
    let mut sample = Sample::new(asked.pages as usize, asked.seed);
    let whole = Pages {
        name,
        corpora,
        engine,
        folder,
        memory: URL_MEMORY,
        max_bytes,
        outputs: &[(&asked.out, "--out")],
    }
    .read(&mut |pages| {
        for page in pages
            .iter()
            .filter(|page| !page.gone && page.kept != asked.rejected && !page.text.is_empty())
        {
            let name = if page.url.is_empty() { &page.text } else { &page.url };
            sample.offer(name, || Drawn::new(&page.url, &page.text));
        }
        Ok(())
    })?;
    let offered = sample.offered();
    let drawn = sample.into_drawn();
    if drawn.is_empty() {
        let what =
            if asked.rejected { "rejected page with text (crawl --all)" } else { "page with text" };
        bail!("{name}: the input has no {what}; nothing was written");
    }
    let mut file = place.begin()?;
    audit::write(BufWriter::new(file.as_file_mut()), &drawn)
        .map_err(|error| place.failed(&error))?;
    let place = place.settle(whole)?;
    if !whole && place.is_there() {
        bail!("{}: exists already; name another file (--out)", place.name());
    }
    place.put(file)?;
    eprintln!(
        "corpulyzer: {} of {}: {}; give each judge a copy to fill in the column `judgement` with y, n or ?, then \
         run corpulyzer audit count",
        drawn.len(),
        counted(offered, "page"),
        place.name()
    );
    Ok(whole)
}

/// Sums up the sheets of judges. With `verdicts` (a file, and the smallest number of refused pages
/// for a host to be listed as a whole), writes the pages that more judges refused than accepted,
/// for `--without`.
///
/// # Errors
/// Fails if a sheet cannot be read or the list cannot be written.
fn count(asked: &Count, max_bytes: u64) -> Result<bool> {
    let sheets = &asked.sheets;
    let verdicts = asked.verdicts.as_deref().map(|file| (file, asked.whole_host as usize));
    // Checked before the work.
    apart(
        &verdicts.map(|(file, _)| (file, "--verdicts")).into_iter().collect::<Vec<_>>(),
        sheets.iter().map(PathBuf::as_path),
    )?;
    let verdicts = verdicts
        .map(|(file, least)| Ok::<_, anyhow::Error>((Place::new(file, "--verdicts")?, file, least)))
        .transpose()?;
    let mut judgements = Judgements::default();
    for sheet in sheets {
        let content = input::read(sheet, max_bytes)?;
        judgements.add(&content).map_err(|bad| anyhow!("{}: {bad}", input::name(sheet)))?;
    }
    let figures = judgements.figures();
    let percent = |share: f64| share * 100.0;
    let undecided = figures.pages - figures.yes - figures.no;
    let mut said = format!("pages       {:>6}, sheets: {}\n", figures.pages, judgements.judges());
    let _ = writeln!(said, "judged      {:>6}, {undecided} undecided", figures.yes + figures.no);
    if let Some(share) = figures.share {
        let (low, high) = figures.interval;
        let (share, low, high) = (percent(share), percent(low), percent(high));
        let _ = writeln!(
            said,
            "yes         {:>6} = {share:.1} %, 95 % interval {low:.1} to {high:.1}",
            figures.yes
        );
    }
    if let Some(unanimous) = figures.unanimous {
        let unanimous = percent(unanimous);
        let _ = writeln!(
            said,
            "by all      {:>6}, all agree on {unanimous:.1} %",
            figures.judged_by_all
        );
        let _ = match figures.kappa {
            Some(kappa) => writeln!(
                said,
                "agreement   {kappa:>6.2} (Fleiss' kappa: 0 is chance, 1 is full agreement)"
            ),
            None => {
                writeln!(said, "agreement        - (Fleiss' kappa needs judgements of both kinds)")
            }
        };
    }
    if figures.no > 0 {
        let _ = writeln!(said, "no          {:>6}:", figures.no);
        judgements.refused().take(NAMED).for_each(|url| {
            let _ = writeln!(said, "  {}", harmless(url));
        });
        if figures.no > NAMED {
            let _ = writeln!(said, "  and {} more", figures.no - NAMED);
        }
    }
    if let Some((place, file, least)) = verdicts {
        let listed = exclusions::list(judgements.refused(), judgements.accepted(), least);
        place.write(listed.text.as_bytes())?;
        eprintln!(
            "corpulyzer: listed {} as a whole (at least {least} refused pages, no accepted page), {} of other hosts; \
             {} without a URL: {}",
            counted(listed.hosts, "host"),
            counted(listed.pages, "page"),
            listed.without_address,
            file.display()
        );
    }
    print(said.as_bytes())
}
