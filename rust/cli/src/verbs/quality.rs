//! Quality signals of a corpus, limits for them, classes, and scores of other programs.

mod classes;
mod join;

use crate::arguments::{share, whole, AsJson, VarietyOptions};
use crate::context::{no_model, Context};
use crate::io::console::counted;
use crate::io::corpora::tell_problems;
use crate::io::limits::{limits_in_yaml, read_limits};
use crate::io::output::{named, settle, FilePlace};
use crate::io::records::{beside_a_table, Output, Records};
use crate::io::{input, of_option};
use annotate::{Annotated, AnnotationSums, BadAnswers, Hosts, Kind, Opinions, Rules, WordList};
use anyhow::{anyhow, bail, Error, Result};
use clap::{Args, Subcommand};
use inputs::exclusions::Without;
use langbytes::LangCode;
use langid::IdentifierName;
use quality::{Derivation, Limits, Splitting};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Measure the quality signals of pages, and mark pages that exceed limits
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Compute limits from good text in the language, such as its Wikipedia
    Derive(Derive),
    /// Add signals to the records of a corpus, and mark the records that exceed the limits
    // Boxed, because it has many more options than the other.
    Annotate(Box<Annotate>),
    /// Add the scores of another program to the records with their ids
    Join(join::Join),
}

#[derive(Args)]
struct Derive {
    /// JSON lines with `text`: plain, gzip or zstd; Parquet; or folders of them. - is standard
    /// input. Do not use the corpus that you will annotate
    #[arg(required = true, value_name = "TEXT")]
    corpora: Vec<PathBuf>,
    /// Language of the text, an ISO 639 code or a name. It sets the rules that split text into
    /// words
    #[arg(long, value_name = "CODE", value_parser = crate::arguments::language)]
    language: LangCode,
    /// File for the limits: YAML with the keys of FineWeb-2
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Args)]
struct Annotate {
    /// JSON lines of a crawl, or other JSON lines with `text`: plain, gzip or zstd; Parquet; or
    /// folders of them. - is standard input
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// Language of the corpus, an ISO 639 code or a name. It sets the rules that split text into
    /// words
    #[arg(long, value_name = "CODE", value_parser = crate::arguments::language)]
    language: LangCode,
    /// Limits: YAML with the keys of FineWeb-2, from `quality derive` or from FineWeb-2. A key that
    /// is missing switches its rule off. Not needed with another rule (--answers, --wordlist,
    /// --min-script, --min-consistency, --without), --varieties or --classes
    #[arg(long, value_name = "FILE")]
    limits: Option<PathBuf>,
    /// File for the records; .gz and .zst compress. An old file is replaced after the new one is
    /// complete
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// File for the records that exceed a limit, instead of --out
    #[arg(long, value_name = "FILE", conflicts_with = "drop")]
    noisy: Option<PathBuf>,
    /// File for the records on the exclusion list, instead of --out
    #[arg(long, value_name = "FILE", conflicts_with = "drop", requires = "without")]
    blocked: Option<PathBuf>,
    /// Delete the records that exceed a limit or are on the exclusion list. Default: keep them,
    /// with the field `noise` or `blocked`
    #[arg(long)]
    drop: bool,
    /// Smallest share of a page's letters in its main script. GlotCC uses .9
    #[arg(long, default_value_t = 0.0, value_name = "SHARE", value_parser = share)]
    min_script: f64,
    /// Smallest share of a page's letters in lines in the language. GlotCC uses .6
    #[arg(long, default_value_t = 0.0, value_name = "SHARE", value_parser = share)]
    min_consistency: f64,
    /// Word list of the language, such as `words --distinctive` writes: a word on each line, or
    /// before the first tab
    #[arg(long, value_name = "FILE")]
    wordlist: Option<PathBuf>,
    /// Smallest share of a page's words on the word list
    #[arg(long, default_value_t = 0.0, value_name = "SHARE", value_parser = share)]
    #[arg(requires = "wordlist")]
    min_ratio: f64,
    /// File with the results of another language identifier: one line for each record, with a
    /// language code, then optionally a tab and its probability. May be repeated. A page is marked
    /// unless all results are the language of --language
    #[arg(long, value_name = "FILE")]
    answers: Vec<PathBuf>,
    /// Smallest probability of a result in --answers. HPLT uses .5
    #[arg(long, default_value_t = 0.5, value_name = "P", value_parser = share)]
    #[arg(requires = "answers")]
    min_probability: f64,
    /// Exclusion list. Each line is a host (which excludes its subdomains too), a URL prefix, or =
    /// and the URL of a page. Its pages are blocked
    #[arg(long, value_name = "FILE")]
    without: Option<PathBuf>,
    /// Number of pages to print for each rule, with the start of their text
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = whole::<u16>(0..=1000))]
    samples: u16,
    #[command(flatten)]
    varieties: VarietyOptions,
    #[command(flatten)]
    classes: classes::Options,
    #[command(flatten)]
    json: AsJson,
}

impl Annotate {
    /// Fails if there is nothing to measure, or an option would put the results of other
    /// identifiers beside other records.
    fn check(&self, context: &Context) -> Result<()> {
        let has_rule = self.limits.is_some()
            || !self.answers.is_empty()
            || self.wordlist.is_some()
            || self.without.is_some()
            || self.varieties.are_asked()
            || self.classes.are_asked()
            || self.min_script > 0.0
            || self.min_consistency > 0.0;
        if !has_rule {
            bail!(misuse!(
                "no rule is named; allowed are --limits, --answers, --wordlist, --min-script, \
                 --min-consistency, --without, --varieties and --classes"
            ));
        }
        if context.removed.is_some() && !self.answers.is_empty() {
            bail!(misuse!(
                "--removed leaves out records, so that the results of --answers belong to others; \
                 run `quality annotate` without --removed, and pass it to the next verb"
            ));
        }
        Ok(())
    }
}

/// Computes limits from good text, annotates a corpus with signals and the rules that its pages
/// break, or joins scores of other programs. The first SIGINT or SIGTERM stops the work; no output
/// is written then.
///
/// # Errors
/// If an input cannot be read, the limits are not valid or cannot be derived, an output cannot be
/// written, or a signal stopped the work.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    match &arguments.task {
        Task::Derive(task) => derive(task, context.max_bytes),
        Task::Annotate(task) => annotate(task, context),
        Task::Join(task) => join::join(task, context),
    }
}

fn derive(task: &Derive, max_bytes: u64) -> Result<bool> {
    let records = Records::new(&task.corpora, &[(&task.out, "--out")], max_bytes)?;
    let place = FilePlace::plain(&task.out, "--out")?;
    let mut derivation = Derivation::new(Splitting::of(task.language.as_str()));
    let read = records.read(&mut |lines| {
        for (_, page) in &lines {
            derivation.add(page.text());
        }
        Ok(Some(counted(derivation.pages(), "page")))
    })?;
    tell_problems("in all", &read.problems);
    let limits = derivation.limits().map_err(|error| anyhow!("cannot derive limits: {error}"))?;
    let yaml = format!(
        "# Limits for {}, from {}, by corpulyzer {}.\n{}",
        task.language,
        counted(derivation.pages(), "page"),
        env!("CARGO_PKG_VERSION"),
        limits_in_yaml(&limits)?
    );
    let place = settle(place, read.is_whole())?;
    place.write(yaml.as_bytes())?;
    note!("corpulyzer: limits from {}: {}", counted(derivation.pages(), "page"), place.name());
    Ok(read.is_whole())
}

fn annotate(task: &Annotate, context: &Context) -> Result<bool> {
    task.check(context)?;
    let rules = rules(task, context)?;
    let outputs = outputs(task, context)?;
    let records = Records::new(&task.corpora, &outputs, context.max_bytes)?;
    let mut out = Output::new(&task.out, "--out")?;
    let mut noisy = Output::of(task.noisy.as_deref(), "--noisy")?;
    let mut blocked = Output::of(task.blocked.as_deref(), "--blocked")?;
    if task.answers.iter().any(|path| path == Path::new("-")) {
        bail!("-: name a file (--answers)");
    }
    let mut opinions = Opinions::open(&task.answers).map_err(of_answers)?;
    let hosts_place = FilePlace::of(task.classes.hosts.as_deref(), "--hosts")?;
    let list_place = FilePlace::of(task.classes.reject_hosts.as_deref(), "--reject-hosts")?;
    let mut hosts = Hosts::default();
    let mut sums = AnnotationSums::new(task.samples.into());
    let read = records.read(&mut |lines| {
        let answers = opinions.next(lines.len()).map_err(of_answers)?;
        let lines: Vec<Annotated> = lines
            .into_par_iter()
            .zip(answers)
            .map(|(line, answers)| rules.annotated(line, answers))
            .collect::<Result<_, _>>()?;
        for line in lines {
            let (to, is_marked) = match line.kind {
                Kind::Page | Kind::Other => (None, false),
                Kind::Noisy => (noisy.as_mut(), true),
                Kind::Blocked => (blocked.as_mut(), true),
            };
            match to {
                Some(to) => _ = to.line(&line.line)?,
                None if task.drop && is_marked => {}
                None => _ = out.line(&line.line)?,
            }
            if (hosts_place.is_some() || list_place.is_some()) && line.kind != Kind::Other {
                hosts.add(line.url.as_deref(), &line.probabilities);
            }
            sums.add(line);
        }
        Ok(Some(sums.progress()))
    })?;
    opinions.finish(read.problems.is_empty()).map_err(of_answers)?;
    tell_problems("in all", &read.problems);
    let mut names = out.finish(read.is_whole())?;
    for output in [noisy, blocked].into_iter().flatten() {
        names = format!("{names}, {}", output.finish(read.is_whole())?);
    }
    let table = hosts_place.map(|place| (place, hosts.table(&rules.classes)));
    let pages = task.classes.reject_pages;
    let list = list_place.map(|place| (place, hosts.rejected(&rules.classes, pages)));
    for (place, text) in table.into_iter().chain(list) {
        let place = settle(place, read.is_whole())?;
        place.write(text.as_bytes())?;
        names = format!("{names}, {}", place.name());
    }
    note!("corpulyzer: {}: {names}", counted(sums.records(), "record"));
    task.json.print(&sums.results())?;
    Ok(read.is_whole())
}

/// The files that are written, and their options; none of them is read.
fn outputs<'t>(task: &'t Annotate, context: &Context) -> Result<Vec<(&'t Path, &'static str)>> {
    let outputs = named([
        (Some(&task.out), "--out"),
        (task.noisy.as_ref(), "--noisy"),
        (task.blocked.as_ref(), "--blocked"),
        (task.classes.hosts.as_ref(), "--hosts"),
        (task.classes.reject_hosts.as_ref(), "--reject-hosts"),
    ]);
    let read_too =
        task.limits.iter().chain(&task.wordlist).chain(&task.without).chain(&task.answers);
    let models = task.classes.files();
    let read_too = read_too.chain(task.varieties.files()).chain(&models);
    context.apart(&outputs, read_too.map(PathBuf::as_path))?;
    beside_a_table(&outputs)?;
    Ok(outputs)
}

/// The rules that the options state, with their models and lists.
fn rules(task: &Annotate, context: &Context) -> Result<Rules> {
    let max_bytes = context.max_bytes;
    let limits = task.limits.as_deref().map(|path| read_limits(path, max_bytes)).transpose()?;
    let varieties = task.varieties.open_of(task.language)?;
    let identifier = context.identifier(&[task.language])?;
    let is_known = identifier.languages().contains(&task.language);
    if task.min_consistency > 0.0 && !is_known {
        let no_model = no_model(task.language, IdentifierName::Combined);
        bail!(misuse!("{no_model}; or omit --min-consistency"));
    }
    let word_list = |path: &Path| {
        let text = of_option(input::text(path, max_bytes), "--wordlist")?;
        let list = WordList::new(&text, task.language);
        list.ok_or_else(|| anyhow!("{}: has no word (--wordlist)", path.display()))
    };
    Ok(Rules {
        stop_words: limits.as_ref().map(Limits::stop_words).unwrap_or_default(),
        limits,
        varieties,
        classes: task.classes.open()?,
        splitting: Splitting::of(task.language.as_str()),
        language: task.language,
        identifier,
        is_known,
        min_script: task.min_script,
        min_consistency: task.min_consistency,
        words: task.wordlist.as_deref().map(word_list).transpose()?,
        min_ratio: task.min_ratio,
        same: "usual".parse()?,
        min_probability: task.min_probability,
        without: task.without.as_deref().map(|path| Without::read(path, max_bytes)).transpose()?,
    })
}

/// Names the option of bad answers.
fn of_answers(bad: BadAnswers) -> Error {
    match bad {
        BadAnswers::Unopened(bad) => bad.of_option("--answers").into(),
        BadAnswers::OtherRecords => bad.into(),
        bad => anyhow!("{bad} (--answers)"),
    }
}
