//! How much of a corpus is in its language, as people judge it.

use crate::counted::{counted, harmless};
use crate::input;
use crate::place::{apart, Place};
use crate::reading::{Pages, URL_MEMORY};
use crate::without;
use audit::{Drawn, Judgements, Sample};
use engine::Engine;
use std::fmt::Write as _;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// Pages judged to be wrong that are named; the rest are only counted.
const NAMED: usize = 20;

/// What is to be drawn.
pub struct Asked<'a> {
    /// Files and folders.
    pub corpora: &'a [PathBuf],
    /// File for the sheet.
    pub out: &'a Path,
    /// How many pages.
    pub pages: usize,
    /// Whether of those that the crawl rejected.
    pub rejected: bool,
    /// Another one draws others.
    pub seed: u64,
}

/// Draws pages and writes them as a sheet. The first SIGINT or SIGTERM stops the work and leaves nothing behind.
///
/// # Errors
/// When an input cannot be read, it has no such pages, the sheet cannot be written, or a signal stopped the work.
pub fn draw(asked: &Asked, engine: &Engine, max_bytes: u64) -> Result<bool, String> {
    // Hours of somebody's work may be in it.
    if asked.out.exists() {
        return Err(format!("{}: is there already; name another file (--out)", asked.out.display()));
    }
    let place = Place::new(asked.out, "--out")?;
    let (name, corpora, folder) = ("audit", asked.corpora, place.folder());
    let mut sample = Sample::new(asked.pages, asked.seed);
    let whole =
        Pages { name, corpora, engine, folder, memory: URL_MEMORY, max_bytes, outputs: &[(asked.out, "--out")] }.read(
            &mut |pages| {
                for page in
                    pages.iter().filter(|page| !page.gone && page.kept != asked.rejected && !page.text.is_empty())
                {
                    let name = if page.url.is_empty() { &page.text } else { &page.url };
                    sample.offer(name, || Drawn::new(&page.url, &page.text));
                }
                Ok(())
            },
        )?;
    let offered = sample.offered();
    let drawn = sample.into_drawn();
    if drawn.is_empty() {
        let what = if asked.rejected { "rejected page with text (crawl --all)" } else { "page with text" };
        return Err(format!("{name}: there is no {what} in what was read; nothing was written"));
    }
    let mut file = place.begin()?;
    audit::write(BufWriter::new(file.as_file_mut()), &drawn).map_err(|error| place.failed(&error))?;
    let place = place.settle(whole)?;
    if !whole && place.is_there() {
        return Err(format!("{}: is there already; name another file (--out)", place.name()));
    }
    place.put(file)?;
    eprintln!(
        "corpulyzer: {} of {}: {}; write y, n or ? into the column `judgement` of each, a copy a judge, then: corpulyzer audit count",
        drawn.len(),
        counted(offered, "page"),
        place.name()
    );
    Ok(whole)
}

/// Sums judges' sheets up. Into `verdicts`, a file and the least refused pages of a host that is refused as a whole, goes a list of what
/// more judges refused than accepted, for `--without`.
///
/// # Errors
/// When a sheet cannot be read or the list not be written.
pub fn count(sheets: &[PathBuf], verdicts: Option<(&Path, usize)>, max_bytes: u64) -> Result<String, String> {
    // Looked at before the work.
    apart(
        &verdicts.map(|(file, _)| (file, "--verdicts")).into_iter().collect::<Vec<_>>(),
        sheets.iter().map(PathBuf::as_path),
    )?;
    let verdicts =
        verdicts.map(|(file, least)| Ok::<_, String>((Place::new(file, "--verdicts")?, file, least))).transpose()?;
    let mut judgements = Judgements::default();
    for sheet in sheets {
        let content = input::read(sheet, max_bytes)?;
        judgements.add(&content).map_err(|bad| format!("{}: {bad}", input::name(sheet)))?;
    }
    let figures = judgements.figures();
    let percent = |share: f64| share * 100.0;
    let undecided = figures.pages - figures.yes - figures.no;
    let mut said = format!("pages       {:>6}, sheets: {}\n", figures.pages, judgements.judges());
    let _ = writeln!(said, "judged      {:>6}, {undecided} undecided", figures.yes + figures.no);
    if let Some(share) = figures.share {
        let (low, high) = figures.interval;
        let (share, low, high) = (percent(share), percent(low), percent(high));
        let _ = writeln!(said, "yes         {:>6} = {share:.1} %, 95 % interval {low:.1} to {high:.1}", figures.yes);
    }
    if let Some(unanimous) = figures.unanimous {
        let unanimous = percent(unanimous);
        let _ = writeln!(said, "by all      {:>6}, all say the same on {unanimous:.1} %", figures.judged_by_all);
        let _ = match figures.kappa {
            Some(kappa) => writeln!(said, "agreement   {kappa:>6.2} (Fleiss' kappa: 0 as by chance, 1 wholly)"),
            None => writeln!(said, "agreement        - (Fleiss' kappa needs judgements of both kinds)"),
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
        let listed = without::list(judgements.refused(), judgements.accepted(), least);
        place.write(listed.text.as_bytes())?;
        eprintln!(
            "corpulyzer: {} as a whole (no for at least {least} of each, yes for none), {} of others; without an address: {}: {}",
            counted(listed.hosts, "host"),
            counted(listed.pages, "page"),
            listed.without_address,
            file.display()
        );
    }
    Ok(said)
}
