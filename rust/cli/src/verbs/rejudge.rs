//! Applies the present models to an old corpus.

use crate::arguments::{whole, AsJson};
use crate::context::Context;
use crate::io::console::counted;
use crate::io::corpora::tell_problems;
use crate::io::records::{beside_a_table, Output, Records};
use anyhow::{anyhow, Error, Result};
use clap::Args;
use engine::{Given, Policy, Profile, Settings};
use langid::{IdentifierName, LangCode};
use properties::PAGE_MIN_BYTES;
use rayon::prelude::*;
use rejudge::{rejudge, BadJudgements, ByPeople, Fate, RejudgeSums, Rejudged};
use std::path::PathBuf;

/// Time limit of a page in milliseconds. A task of Hadoop must end in time; here the result must
/// not depend on the machine's load.
const MAX_MILLIS: u64 = 3_600_000;

/// Apply the present models to the text of an old corpus. Write the pages that stay and those that
/// leave, and print the language of those that leave
#[derive(Args)]
pub struct Arguments {
    /// JSON lines of a crawl, or other JSON lines with `text`: plain, gzip or zstd; Parquet; or
    /// folders of them. - is standard input
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// File for the kept pages; .gz and .zst compress. An old file is replaced after the new one is
    /// complete
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// File for the rejected pages, written like --out
    #[arg(long, value_name = "FILE")]
    rejected: PathBuf,
    /// Language of the corpus, an ISO 639 code or a name
    #[arg(long, value_name = "CODE", value_parser = crate::arguments::language)]
    language: LangCode,
    /// Defaults of the other options: default, or paper, which has those of the Corpulyzer paper
    /// (docs/paper.md)
    #[arg(long, default_value_t = Profile::default(), value_name = "default|paper")]
    profile: Profile,
    /// Identifier of languages: combined (default), models (without CLD2), cld2 (with --profile
    /// paper) or stop-words; heli, w2c, w2c-short and trigrams learn from the texts of --pack, such
    /// as urd.txt
    #[arg(long, value_name = "NAME")]
    identifier: Option<IdentifierName>,
    /// Rule that decides which pages are kept: precision or recall
    #[arg(long, default_value_t = Policy::default(), value_name = "P")]
    policy: Policy,
    /// Smallest size of a page that policy precision keeps, in bytes of the language
    #[arg(long, default_value_t = PAGE_MIN_BYTES.default, value_name = "N")]
    #[arg(value_parser = whole::<u64>(PAGE_MIN_BYTES.least..=PAGE_MIN_BYTES.most))]
    min_bytes: u64,
    /// Languages of pages by people, as `audit count --changes` and `--verified` write them: URL,
    /// tab, ISO 639 code. Such a page is kept if its language is that of --language, and rejected
    /// otherwise, whatever the models find. A host instead of a URL stands for its pages and those
    /// of hosts below it, but junk stays rejected
    #[arg(long, value_name = "FILE")]
    judged: Option<PathBuf>,
    #[command(flatten)]
    json: AsJson,
}

/// Applies the engine to the text of the corpora's pages. Writes pages that it keeps to one file
/// and the others to another, each with its new figures and decision. Unchanged records are equal
/// byte for byte. Records without text are copied. Prints tables of the result. Returns true if the
/// inputs are whole. The first SIGINT or SIGTERM stops the work and leaves nothing behind.
///
/// # Errors
/// Fails if an input cannot be read, an output cannot be written, or a signal stopped the work.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    let Arguments { language, profile, identifier, policy, min_bytes, .. } = *arguments;
    // The text is there already, so no extractor is.
    let defaults = Given { profile, extractor: None, identifier }.settings(language);
    let settings = Settings { policy, min_bytes, max_millis: MAX_MILLIS, ..defaults };
    let (engine, max_bytes) = (&context.engine(settings)?, context.max_bytes);
    let outputs =
        [(arguments.out.as_path(), "--out"), (arguments.rejected.as_path(), "--rejected")];
    beside_a_table(&outputs)?;
    context.apart(&outputs, arguments.judged.as_deref())?;
    let records = Records::new(&arguments.corpora, &outputs, max_bytes)?;
    let mut kept = Output::new(&arguments.out, "--out")?;
    let mut rejected = Output::new(&arguments.rejected, "--rejected")?;
    let by_people = match &arguments.judged {
        Some(file) => ByPeople::read(file, max_bytes).map_err(of_judged)?,
        None => ByPeople::default(),
    };
    let mut sums = RejudgeSums::default();
    let read = records.read(&mut |lines| {
        let lines: Vec<Rejudged> = lines
            .into_par_iter()
            .map(|line| rejudge(line, engine, &by_people))
            .collect::<Result<_, _>>()?;
        for line in lines {
            (if line.kept { &mut kept } else { &mut rejected }).line(&line.line)?;
            sums.add(line, language);
        }
        let left = sums.fates.get(&Fate::Leaves).map_or(0, |left| left.pages);
        Ok(Some(format!("{}, {left} leave", counted(sums.records, "record"))))
    })?;
    tell_problems("in all", &read.problems);
    let (kept, rejected) = (kept.finish(read.is_whole())?, rejected.finish(read.is_whole())?);
    note!(
        "corpulyzer: {}, {} of them unchanged: {kept}, {rejected}",
        counted(sums.records, "record"),
        sums.records - sums.changed
    );
    arguments.json.print(&sums.results(language))?;
    Ok(read.is_whole())
}

/// Names the option of a bad list.
fn of_judged(bad: BadJudgements) -> Error {
    match bad {
        BadJudgements::Unread(bad) => bad.of_option("--judged").into(),
        BadJudgements::Line { .. } => anyhow!("{bad} (--judged)"),
    }
}
