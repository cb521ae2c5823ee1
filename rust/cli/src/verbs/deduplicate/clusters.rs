//! Clusters of near-duplicate pages: their sizes on every record, and one page of each on request.

use super::{temporary, Arguments, Keep};
use crate::io::console::{counted, Stopped};
use crate::io::corpora::{peak_memory, spinner, tell_problems};
use crate::io::output::{apart, folder};
use crate::io::records::{Line, Output, Records};
use anyhow::{bail, Result};
use dedup::pages::{marked, rank, Reading};
use dedup::{Clusters, Members, Place, Shape, Sketcher};
use inputs::exclusions::Without;
use rayon::prelude::*;
use std::io;
use std::time::Instant;

/// Finds the clusters in a first reading of the corpora, and writes the records in a second one.
pub fn run(arguments: &Arguments, max_bytes: u64) -> Result<bool> {
    let begin = Instant::now();
    let shape = shape(arguments)?;
    let outputs = [
        Some((arguments.out.as_path(), "--out")),
        arguments.dropped.as_deref().map(|path| (path, "--dropped")),
    ];
    let outputs: Vec<_> = outputs.into_iter().flatten().collect();
    apart(&outputs, arguments.without.as_deref())?;
    if arguments.dropped.is_some() && arguments.keep == Keep::All {
        bail!(misuse!("--dropped needs --keep best or --keep first; --keep all removes no record"));
    }
    let records = Records::new(&arguments.corpora, &outputs, max_bytes)?;
    records.twice("--clusters")?;
    let mut out = Output::new(&arguments.out, "--out")?;
    let mut dropped =
        arguments.dropped.as_deref().map(|path| Output::new(path, "--dropped")).transpose()?;
    let without = Without::of(arguments.without.as_deref(), max_bytes)?;
    let folder = folder(&arguments.out);
    let failed = |error: io::Error| temporary(&error, folder);
    let mut first = Reading::default();
    let clusters = Clusters::new(folder, arguments.sort_memory()).map_err(failed)?;
    let clusters =
        find((clusters, &Sketcher::new(shape)), &records, arguments, &without, &mut first)
            .map_err(|error| {
                let cause = error.downcast::<io::Error>();
                cause.map_or_else(|error| error, failed)
            })?;
    let mut members = join(clusters, &records).map_err(failed)?;
    if records.is_stopped() {
        return Err(Stopped::without_output());
    }
    let mut second = Reading::default();
    let (mut sums, mut pages) = (Sums::default(), 0);
    let read = records.reread(&mut |lines| {
        let lines = second.next(lines, &without);
        let places = places(&lines, &mut pages, &mut members).map_err(failed)?;
        let mark = |((line, _), place): (Line, &Option<Place>)| match place {
            Some(place) => marked(&line, *place),
            None => Ok(line),
        };
        let lines: Vec<Vec<u8>> =
            lines.into_par_iter().zip(&places).map(mark).collect::<Result<_, _>>()?;
        for (line, place) in lines.into_iter().zip(places) {
            let keep = place.is_none_or(|place| arguments.keep.keeps(place));
            sums.add(place, keep);
            let reader_is_there = match (keep, &mut dropped) {
                (true, _) => out.line(&line)?,
                (false, Some(dropped)) => dropped.line(&line)?,
                (false, None) => true,
            };
            if !reader_is_there {
                return Ok(None);
            }
        }
        Ok(Some(format!("{} written", counted(second.records, "record"))))
    })?;
    if !read.to_the_end {
        return Ok(true);
    }
    if first != second {
        bail!("the inputs changed between the two readings of --clusters; nothing was written");
    }
    tell_problems("in all", &read.problems);
    if let Some(dropped) = dropped {
        dropped.finish(read.is_whole())?;
    }
    let out = out.finish(read.is_whole())?;
    if arguments.without.is_some() {
        eprintln!("corpulyzer: left out {} by --without", counted(second.listed, "page"));
    }
    sums.tell(shape, &out, begin);
    Ok(read.is_whole())
}

/// The parameters that were asked for.
fn shape(arguments: &Arguments) -> Result<Shape> {
    let default = Shape::default();
    let (bands, rows) = (usize::from(arguments.bands), usize::from(arguments.rows));
    if bands * rows > Shape::MAX_VALUES {
        bail!(misuse!(
            "--bands {bands} --rows {rows}: are {} values; allowed are {}",
            bands * rows,
            Shape::MAX_VALUES
        ));
    }
    Ok(Shape {
        words: arguments.words.map_or(default.words, usize::from),
        bands,
        rows,
        letters: arguments.letters,
    })
}

/// Reads the records, and collects the bands of their pages.
fn find(
    (mut clusters, sketcher): (Clusters, &Sketcher),
    records: &Records,
    arguments: &Arguments,
    without: &Without,
    reading: &mut Reading,
) -> Result<Clusters> {
    records.read(&mut |lines| {
        let lines = reading.next(lines, without);
        let bands = |(line, page): &Line| {
            let text = page.text();
            let rank =
                if arguments.keep == Keep::Best { rank(line, text, arguments.language) } else { 0 };
            (!text.is_empty()).then(|| (sketcher.bands(text), rank))
        };
        let pages: Vec<_> = lines.par_iter().map(bands).collect();
        for (bands, rank) in pages.into_iter().flatten() {
            clusters.add(&bands, rank)?;
        }
        Ok(Some(format!("{} read", counted(reading.records, "record"))))
    })?;
    Ok(clusters)
}

/// Joins the pages, and shows the step.
fn join(clusters: Clusters, records: &Records) -> io::Result<Members> {
    let progress = spinner();
    let members = clusters.join(&mut |step| {
        progress.set_message(step.to_owned());
        !records.is_stopped()
    });
    progress.finish_and_clear();
    members
}

/// Returns the place of each record, `None` for records that are not pages of the corpus. `pages`
/// is the number of pages before them.
fn places(
    lines: &[Line],
    pages: &mut u64,
    members: &mut Members,
) -> io::Result<Vec<Option<Place>>> {
    let place = |(_, page): &Line| {
        if page.text().is_empty() {
            return Ok(None);
        }
        *pages += 1;
        members.place(*pages - 1).map(Some)
    };
    lines.iter().map(place).collect()
}

impl Keep {
    fn keeps(self, place: Place) -> bool {
        match self {
            Self::All => true,
            Self::Best | Self::First => place.is_best,
        }
    }
}

/// Sums over pages.
#[derive(Default)]
struct Sums {
    pages: u64,
    /// Pages in clusters of at least two.
    clustered: u64,
    /// Clusters of at least two pages.
    clusters: u64,
    largest: u64,
    removed: u64,
}

impl Sums {
    fn add(&mut self, place: Option<Place>, keep: bool) {
        let Some(place) = place else { return };
        self.pages += 1;
        self.largest = self.largest.max(place.size);
        self.removed += u64::from(!keep);
        if place.size > 1 {
            self.clustered += 1;
            self.clusters += u64::from(place.is_best);
        }
    }

    fn tell(&self, shape: Shape, out: &str, begin: Instant) {
        eprintln!(
            "corpulyzer: {}, of which {} are in {} of near duplicates (half of the pairs are found at a Jaccard index of {:.2}); \
             the largest has {}",
            counted(self.pages, "page"),
            self.clustered,
            counted(self.clusters, "cluster"),
            shape.threshold(),
            counted(self.largest, "page"),
        );
        eprintln!(
            "corpulyzer: {} removed, in {:.1} s{}: {out}",
            counted(self.removed, "page"),
            begin.elapsed().as_secs_f64(),
            peak_memory()
                .map_or_else(String::new, |peak| format!(", at most {} MiB of memory", peak >> 20))
        );
    }
}
