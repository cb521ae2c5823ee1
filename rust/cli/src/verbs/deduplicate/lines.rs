//! Line de-duplication with head and tail cut (W2C).

use super::{tell_excluded, Arguments, Outputs};
use crate::context::Context;
use crate::io::console::{counted, Stopped};
use crate::io::corpora::{spinner, tell_problems};
use crate::io::output::folder;
use anyhow::{bail, Error, Result};
use dedup::pages::{cut_to, Reading};
use dedup::{Cut, Cutter, Dropped, LineCounts};
use inputs::exclusions::Without;
use rayon::prelude::*;
use std::time::Instant;

/// Counts the lines in a first reading of the corpora, and writes the records without repeated,
/// most frequent and least frequent lines in a second one.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    let begin = Instant::now();
    let engine = &context.engine(engine::Settings::new(arguments.language))?;
    let records = arguments.records(context)?;
    records.twice("--lines")?;
    let mut outputs = Outputs::open(arguments)?;
    let without = Without::of(arguments.without.as_deref(), context.max_bytes)?;
    let (mut first, mut second) = (Reading::default(), Reading::default());
    let mut counts = LineCounts::new(folder(&arguments.out), arguments.memory());
    records.read(&mut |lines| {
        first.next(lines, &without).iter().try_for_each(|(_, page)| counts.add_all(page.text()))?;
        Ok(Some(format!("{} read", counted(first.records, "record"))))
    })?;
    let progress = spinner();
    progress.set_message("ranking the lines");
    let fates = counts.rank(arguments.head, arguments.tail);
    progress.finish_and_clear();
    if records.is_stopped() {
        return Err(Stopped::without_output());
    }
    let fates = fates?;
    let cut = fates.cut();
    let mut cutter = Cutter::new(fates);
    let read = records.reread(&mut |lines| {
        let lines = second.next(lines, &without);
        let mut texts = Vec::with_capacity(lines.len());
        for (_, page) in &lines {
            let text = cutter.page::<Error>(page, &mut |gone: &Dropped| outputs.drop(gone))?;
            outputs.survives(page, text.as_ref().map_or(page.text().len(), String::len))?;
            texts.push(text);
        }
        let lines = lines.into_par_iter().zip(texts);
        let left = lines.map(|(line, text)| cut_to(line, text, engine));
        let is_open = outputs.write(left.collect::<Result<_, _>>()?)?;
        Ok(is_open.then(|| format!("{} written", counted(second.records, "record"))))
    })?;
    if !read.to_the_end {
        return Ok(true);
    }
    if first != second {
        bail!("the inputs changed between the two readings of --lines; nothing was written");
    }
    tell_problems("in all", &read.problems);
    let out = outputs.finish(&read)?;
    tell_excluded(arguments, &second);
    tell(&cut);
    note!("corpulyzer: {}, in {:.1} s: {out}", cutter.removed, begin.elapsed().as_secs_f64());
    Ok(read.is_whole())
}

/// Prints which lines are cut.
fn tell(cut: &Cut) {
    note!(
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
}
