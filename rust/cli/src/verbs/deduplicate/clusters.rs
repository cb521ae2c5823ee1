//! Clusters of near-duplicate pages: their sizes on every record, and one page of each on request.

use super::{Arguments, Keep, Outputs};
use crate::context::Context;
use crate::io::console::{counted, spent, Stopped};
use crate::io::corpora::{spinner, tell_problems};
use crate::io::output::folder;
use anyhow::{bail, Error, Result};
use dedup::pages::{ClusterSums, Clustering};
use dedup::Shape;
use inputs::exclusions::Without;
use std::time::Instant;

/// Finds the clusters in a first reading of the corpora, and writes the records in a second one.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    let begin = Instant::now();
    let shape = shape(arguments)?;
    let keep = arguments.keep;
    if arguments.dropped.is_some() && keep == Keep::All {
        bail!(misuse!("--dropped needs --keep best or --keep first; --keep all removes no record"));
    }
    let records = arguments.records(context)?;
    records.twice("--clusters")?;
    let mut outputs = Outputs::open(arguments)?;
    let without = Without::of(arguments.without.as_deref(), context.max_bytes)?;
    let best_in = (keep == Keep::Best).then_some(arguments.language);
    let mut clustering =
        Clustering::new(folder(&arguments.out), arguments.memory(), shape, best_in)?;
    records.read(&mut |lines| {
        clustering.add(lines, &without)?;
        Ok(Some(format!("{} read", counted(clustering.reading.records, "record"))))
    })?;
    let progress = spinner();
    let marking = clustering.join(&mut |step| {
        progress.set_message(step.to_owned());
        !records.is_stopped()
    });
    progress.finish_and_clear();
    let mut marking = marking?;
    if records.is_stopped() {
        return Err(Stopped::without_output());
    }
    let read = records.reread(&mut |lines| {
        for (line, is_kept) in marking.next::<Error>(lines, &without, keep != Keep::All)? {
            let is_open = match (is_kept, &mut outputs.dropped) {
                (true, _) => outputs.out.line(&line)?,
                (false, Some(dropped)) => dropped.line(&line)?,
                (false, None) => true,
            };
            if !is_open {
                return Ok(None);
            }
        }
        Ok(Some(format!("{} written", counted(marking.records(), "record"))))
    })?;
    if !read.to_the_end {
        return Ok(true);
    }
    let Some(reading) = marking.reading() else {
        bail!("the inputs changed between the two readings of --clusters; nothing was written");
    };
    tell_problems("in all", &read.problems);
    let out = outputs.finish(&read)?;
    if arguments.without.is_some() {
        note!("corpulyzer: left out {} by --without", counted(reading.listed, "page"));
    }
    tell(&marking.sums, shape);
    let removed = counted(marking.sums.removed, "page");
    note!("corpulyzer: {removed} removed, {}: {out}", spent(begin));
    Ok(read.is_whole())
}

/// Prints how many pages are in clusters, and of which similarity.
fn tell(sums: &ClusterSums, shape: Shape) {
    note!(
        "corpulyzer: {}, of which {} are in {} of near duplicates (half of the pairs are found at a Jaccard index of {:.2}); \
         the largest has {}",
        counted(sums.pages, "page"),
        sums.clustered,
        counted(sums.clusters, "cluster"),
        shape.threshold(),
        counted(sums.largest, "page"),
    );
}

/// The parameters that were asked for.
fn shape(arguments: &Arguments) -> Result<Shape> {
    let (bands, rows) = (usize::from(arguments.bands), usize::from(arguments.rows));
    if bands * rows > Shape::MAX_VALUES {
        bail!(misuse!(
            "--bands {bands} --rows {rows}: are {} values; allowed are {}",
            bands * rows,
            Shape::MAX_VALUES
        ));
    }
    let words = arguments.words.map_or(Shape::default().words, usize::from);
    Ok(Shape { words, bands, rows, letters: arguments.letters })
}
