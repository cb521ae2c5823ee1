//! Line de-duplication with head and tail cut (W2C).

use super::survival::SurvivalTable;
use super::{outputs, temporary, Arguments};
use crate::context::Context;
use crate::io::console::{counted, Stopped};
use crate::io::corpora::{spinner, tell_problems};
use crate::io::output::folder;
use crate::io::records::{Line, Output, Page, Records};
use anyhow::{bail, Result};
use dedup::pages::{with_text, Reading};
use dedup::{lines, Cut, Fate, Fates, LineCounts};
use engine::Engine;
use inputs::corpus::Unwritable;
use inputs::exclusions::Without;
use rayon::prelude::*;
use serde::Serialize;
use std::io;
use std::path::Path;
use std::time::Instant;

/// Counts the lines in a first reading of the corpora, and writes the records without repeated,
/// most frequent and least frequent lines in a second one.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    let begin = Instant::now();
    let engine = &context.engine(engine::Settings::new(arguments.language))?;
    let outputs = outputs(arguments);
    context.apart(&outputs, arguments.without.as_deref())?;
    let records = Records::new(&arguments.corpora, &outputs, context.max_bytes)?;
    records.twice("--lines")?;
    let mut out = Output::new(&arguments.out, "--out")?;
    let dropped = arguments.dropped.as_deref().map(|path| Output::new(path, "--dropped"));
    let survival = arguments.survival.as_deref().map(SurvivalTable::new).transpose()?;
    let without = Without::of(arguments.without.as_deref(), context.max_bytes)?;
    let folder = folder(&arguments.out);
    let mut first = Reading::default();
    let counts = count(&records, &without, (folder, arguments.sort_memory()), &mut first)?;
    let fates = rank(counts, arguments, &records, folder)?;
    let cut = fates.cut();
    let mut cutting =
        Cutting { fates, folder, dropped: dropped.transpose()?, survival, sums: Sums::default() };
    let mut second = Reading::default();
    let read = records.reread(&mut |lines| {
        let lines = second.next(lines, &without);
        let texts: Vec<Option<String>> =
            lines.iter().map(|(_, page)| cutting.page(page)).collect::<Result<_>>()?;
        let kept: Vec<Option<Vec<u8>>> = lines
            .into_par_iter()
            .zip(texts)
            .map(|(line, text)| rest(line, text, engine))
            .collect::<Result<_, _>>()?;
        for line in kept.into_iter().flatten() {
            if !out.line(&line)? {
                return Ok(None);
            }
        }
        Ok(Some(format!("{} written", counted(second.records, "record"))))
    })?;
    if !read.to_the_end {
        return Ok(true);
    }
    if first != second {
        bail!("the inputs changed between the two readings of --lines; nothing was written");
    }
    tell_problems("in all", &read.problems);
    if let Some(dropped) = cutting.dropped {
        dropped.finish(read.is_whole())?;
    }
    if let Some(survival) = cutting.survival {
        survival.finish(read.is_whole())?;
    }
    let out = out.finish(read.is_whole())?;
    if arguments.without.is_some() {
        eprintln!("corpulyzer: excluded {} by --without", counted(second.listed, "page"));
    }
    cutting.sums.tell(cut, &out, begin);
    Ok(read.is_whole())
}

/// Counts the lines of all pages.
fn count(
    records: &Records,
    without: &Without,
    (folder, memory): (&Path, usize),
    reading: &mut Reading,
) -> Result<LineCounts> {
    let mut counts = LineCounts::new(folder, memory);
    records.read(&mut |batch| {
        for (_, page) in reading.next(batch, without) {
            for line in lines(page.text()) {
                counts.add(line).map_err(|error| temporary(&error, folder))?;
            }
        }
        Ok(Some(format!("{} read", counted(reading.records, "record"))))
    })?;
    Ok(counts)
}

fn rank(
    counts: LineCounts,
    arguments: &Arguments,
    records: &Records,
    folder: &Path,
) -> Result<Fates> {
    let progress = spinner();
    progress.set_message("ranking the lines");
    let fates = counts.rank(arguments.head, arguments.tail);
    progress.finish_and_clear();
    if records.is_stopped() {
        return Err(Stopped::without_output());
    }
    fates.map_err(|error| temporary(&error, folder))
}

/// Returns the record with the lines that stay; nothing if no line stays.
fn rest(
    (line, page): Line,
    text: Option<String>,
    engine: &Engine,
) -> Result<Option<Vec<u8>>, Unwritable> {
    match text {
        Some(text) if text.is_empty() => Ok(None),
        Some(text) if text != page.text() => with_text(&line, &text, engine).map(Some),
        _ => Ok(Some(line)),
    }
}

/// State of the second reading, which leaves out the lines that the first one found.
struct Cutting<'a> {
    fates: Fates,
    folder: &'a Path,
    dropped: Option<Output>,
    survival: Option<SurvivalTable>,
    sums: Sums,
}

impl Cutting<'_> {
    /// Returns the lines of a page that stay; `None` if it has no text or loses no line.
    fn page(&mut self, page: &Page) -> Result<Option<String>> {
        let text = page.text();
        if text.is_empty() {
            return Ok(None);
        }
        let (mut kept, mut lost) = (Vec::new(), false);
        for line in lines(text) {
            let fate = self.fates.next_line();
            let fate = fate.map_err(|error: io::Error| temporary(&error, self.folder))?;
            if fate == Fate::Kept {
                kept.push(line);
            } else {
                lost = true;
                self.sums.dropped_bytes += line.len() as u64;
                self.tell(page.url.as_deref(), fate, line)?;
            }
        }
        let kept = if lost { kept.join("\n") } else { text.to_owned() };
        self.sums.pages += 1;
        self.sums.bytes += text.len() as u64;
        self.sums.gone += u64::from(kept.is_empty());
        self.sums.cut += u64::from(lost && !kept.is_empty());
        if let Some(survival) = &mut self.survival {
            survival.add(page.url.as_deref(), text.len(), kept.len())?;
        }
        Ok(lost.then_some(kept))
    }

    /// Writes a dropped line.
    fn tell(&mut self, url: Option<&str>, fate: Fate, text: &str) -> Result<()> {
        #[derive(Serialize)]
        struct Dropped<'a> {
            url: Option<&'a str>,
            reason: &'static str,
            #[serde(skip_serializing_if = "Option::is_none")]
            count: Option<u64>,
            text: &'a str,
        }
        let Some(dropped) = &mut self.dropped else { return Ok(()) };
        let (reason, count) = match fate {
            Fate::Head(count) => ("head", Some(count)),
            Fate::Tail(count) => ("tail", Some(count)),
            Fate::Kept | Fate::Copy => ("copy", None),
        };
        dropped.object(&Dropped { url, reason, count, text }).map(|_| ())
    }
}

/// Sums over pages.
#[derive(Default)]
struct Sums {
    pages: u64,
    gone: u64,
    cut: u64,
    bytes: u64,
    dropped_bytes: u64,
}

impl Sums {
    fn tell(&self, cut: Cut, out: &str, begin: Instant) {
        eprintln!(
            "corpulyzer: {}, {} different; cut {} at the head (of at least {} each) and {} at the tail (of at most {})",
            counted(cut.lines, "line"),
            cut.different,
            cut.head,
            counted(cut.head_least, "occurrence"),
            cut.tail,
            counted(cut.tail_most, "occurrence"),
        );
        if cut.head_least == 1 {
            eprintln!(
                "corpulyzer: the head has lines that occur once: few lines repeat; lower --head to keep them"
            );
        }
        eprintln!(
            "corpulyzer: {}: {} removed as a whole, {} in part; {:.1} of {:.1} MB of text removed ({:.1} %), in {:.1} s: {out}",
            counted(self.pages, "page"),
            self.gone,
            self.cut,
            self.dropped_bytes as f64 / 1e6,
            self.bytes as f64 / 1e6,
            100.0 * self.dropped_bytes as f64 / self.bytes.max(1) as f64,
            begin.elapsed().as_secs_f64(),
        );
    }
}
