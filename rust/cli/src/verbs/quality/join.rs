//! Scores of other programs, such as a classifier on a GPU, joined to the records by their ids.

use crate::arguments::AsJson;
use crate::context::Context;
use crate::io::console::counted;
use crate::io::corpora::tell_problems;
use crate::io::records::{beside_a_table, Output, Read, Records};
use annotate::scores::{is_parquet, BadScores, JoinSums, Joined, Scores, Settings};
use anyhow::{anyhow, bail, Result};
use clap::Args;
use rayon::prelude::*;
use std::path::PathBuf;

#[derive(Args)]
pub struct Join {
    /// Scores of another program: JSON lines (plain, gzip or zstd) or Parquet, with the id of a
    /// record and its scores on each line or in each row. They are held in memory
    #[arg(value_name = "SCORES")]
    scores: PathBuf,
    /// JSON lines of a crawl, or other JSON lines: plain, gzip or zstd; Parquet; or folders of
    /// them. - is standard input
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// Field with the id, in the scores and in the records, such as url
    #[arg(long, default_value = "id", value_name = "FIELD")]
    by: String,
    /// Scores to add. They replace fields of the same names [default: all that the record has no
    /// field for]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    take: Vec<String>,
    /// File for the records; .gz and .zst compress. An old file is replaced after the new one is
    /// complete
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    json: AsJson,
}

/// Reads the scores, and whether they are whole.
///
/// # Errors
/// Fails if the file cannot be read, no line has an id, or a score of `--take` is on no line.
fn read(arguments: &Join, max_bytes: u64) -> Result<(Scores, bool)> {
    let mut scores =
        Scores::new(Settings { by: arguments.by.clone(), take: arguments.take.clone() });
    let name = arguments.scores.display();
    let is_whole = if is_parquet(&arguments.scores) {
        scores.add_table(&arguments.scores, max_bytes).map_err(|bad| match bad {
            BadScores::Table(bad) => anyhow!("{name}: {bad}"),
            bad => bad.into(),
        })?;
        true
    } else {
        let records = Records::new(std::slice::from_ref(&arguments.scores), &[], max_bytes)?;
        let read = records.read(&mut |lines| {
            scores.add_lines(&lines)?;
            Ok(Some(format!("scores of {}", counted(scores.ids() as u64, "id"))))
        })?;
        tell_problems("in the scores", &read.problems);
        read.is_whole()
    };
    if scores.ids() == 0 {
        bail!(
            "{name}: no line has the field `{}`; name the field with the id (--by)",
            arguments.by
        );
    }
    if let Some(missing) = arguments.take.iter().find(|take| !scores.names().contains(take)) {
        bail!(
            "{name}: has no score {missing:?}; its scores are {} (--take)",
            scores.names().join(", ")
        );
    }
    if scores.names().is_empty() {
        bail!("{name}: has no field besides `{}`", arguments.by);
    }
    Ok((scores, is_whole))
}

/// Adds the scores to the records with their ids, and prints how many ids the two do not share.
///
/// # Errors
/// Fails if an input cannot be read, the two share no id, the output cannot be written, or a signal
/// stopped the work.
pub fn join(arguments: &Join, context: &Context) -> Result<bool> {
    context.apart(&[(&arguments.out, "--out")], [arguments.scores.as_path()])?;
    beside_a_table(&[(&arguments.out, "--out")])?;
    let records =
        Records::new(&arguments.corpora, &[(&arguments.out, "--out")], context.max_bytes)?;
    let (scores, has_all_scores) = read(arguments, context.max_bytes)?;
    let mut out = Output::new(&arguments.out, "--out")?;
    let mut sums = JoinSums::default();
    let read: Read = records.read(&mut |lines| {
        let joined: Vec<Joined> =
            lines.into_par_iter().map(|(line, _)| scores.joined(line)).collect::<Result<_, _>>()?;
        for record in joined {
            sums.add(&record);
            out.line(&record.line)?;
        }
        Ok(Some(format!("{} with scores", counted(sums.scored, "record"))))
    })?;
    tell_problems("in all", &read.problems);
    if sums.scored == 0 {
        bail!(
            "no record has the `{}` of a score; nothing was written; name the field that both have \
             (--by)",
            arguments.by
        );
    }
    let is_whole = read.is_whole() && has_all_scores;
    let name = out.finish(is_whole)?;
    if !sums.kept.is_empty() {
        let names: Vec<&str> =
            sums.kept.iter().map(|name| scores.names()[*name].as_str()).collect();
        eprintln!(
            "corpulyzer: not taken, because records have fields of these names: {}; --take replaces \
             them",
            names.join(", ")
        );
    }
    note!("corpulyzer: {} with scores: {name}", counted(sums.scored, "record"));
    arguments.json.print(&sums.results(&scores))?;
    Ok(is_whole)
}
