//! Measures corpora.

use crate::arguments::{mebibytes, whole, Archive};
use crate::context::Context;
use crate::io::console::{about, counted, spent, stop_flag, temporary};
use crate::io::corpora::{all_sources, is_whole, read_through, sources, tell_problems};
use crate::io::index::{self, Asking};
use crate::io::limits::read_limits;
use crate::io::output::{folder as folder_of, is_name, settle_folder, FolderPlace};
use crate::io::{input, of_option};
use crate::website::Website;
use anyhow::{anyhow, bail, Result};
use cdx::pages::{is_index, Wanted};
use cdx::releases::Releases;
use clap::Args;
use figures::analyze::{analyze, Rules};
use figures::cdx::{Index, IndexFigures};
use figures::pages::Inputs;
use figures::ranking::Ranking;
use figures::reference::{self, Samples};
use figures::Plan;
use inputs::corpus_name;
use langid::LangCode;
use outputs::BadOutput;
use records::Source;
use report::{Reference, Report, HTML, JSON};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;
use std::time::Instant;

/// Measure a corpus: figures as JSON, tables as TSV, and an HTML page with plots
#[derive(Args)]
pub struct Arguments {
    /// JSON lines of a crawl, WARC files or WET files: plain, gzip or zstd; Parquet; or folders of
    /// them. - is standard input. All inputs together are one corpus, unless --compare is given
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// Folder for the report. An earlier report in it is replaced after the new one is complete
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Compare the inputs: each CORPUS is a corpus of its own, or each is an index of an archive
    #[arg(long)]
    compare: bool,
    /// Language of the corpus, an ISO 639 code or a name
    #[arg(long, value_name = "CODE", value_parser = crate::arguments::language)]
    language: LangCode,
    /// Skip the figures that count words: vocabulary, Zipf's law, lengths, style, near
    /// duplicates
    #[arg(long)]
    no_words: bool,
    /// Leave the texts of pages out of report.html, for a report that may be published where the
    /// texts may not
    #[arg(long)]
    no_text: bool,
    #[command(flatten)]
    archive: Archive,
    /// Memory for counting, in MiB. More data goes to temporary files
    #[arg(long, default_value_t = 1024, value_name = "MIB")]
    #[arg(value_parser = whole::<u64>(16..=1 << 20))]
    memory: u64,
    /// Folder for temporary files [default: the parent of --out]
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
    /// Ranking of sites to compare the richest sites with; may be repeated. Each line is a host, or
    /// a rank, a tab or comma, and a host
    #[arg(long = "ranking", value_name = "FILE")]
    rankings: Vec<PathBuf>,
    /// Rule for websites: host (each host), no-www (a host with www. is the same as without) or
    /// domain (all hosts of a registered domain, by the public suffix list)
    #[arg(long, value_enum, default_value_t = Website::Host, hide_possible_values = true, value_name = "BY")]
    site: Website,
    /// Reference corpus, such as the language's Wikipedia. Figures of words are compared with it on
    /// samples of equal size, and unusual ratios are flagged. Every input is then read three times
    #[arg(long, value_name = "CORPUS", conflicts_with = "no_words")]
    reference: Option<PathBuf>,
    /// Limits of quality signals: YAML with the keys of FineWeb-2. They replace the decisions that
    /// `quality annotate` wrote into the records
    #[arg(long, value_name = "FILE")]
    limits: Option<PathBuf>,
    /// Index of an archive (CDXJ file or folder). The report counts its languages and MIME types
    #[arg(long, value_name = "PATH")]
    cdx: Option<PathBuf>,
}

/// Measures corpora and writes a report. Skipped records are not an error; they are named and
/// counted. The first SIGINT or SIGTERM stops the work and leaves nothing behind.
///
/// # Errors
/// Fails if an input cannot be read, the report cannot be written, or a signal stopped the work.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    if arguments.compare && arguments.corpora.iter().all(|path| is_index(path)) {
        return compare_indexes(arguments, context);
    }
    let engine = &context.reader(arguments.language, &arguments.archive)?;
    let plan = Plan {
        target: arguments.language,
        scripts: engine.model_scripts(arguments.language),
        words: !arguments.no_words,
    };
    let corpora = corpora(arguments)?;
    let begin = Instant::now();
    let stop = stop_flag()?;
    let place = place(arguments)?;
    let folder = arguments.scratch.as_deref().unwrap_or(place.folder());
    let rankings = rankings(arguments, context.max_bytes)?;
    let reference =
        arguments.reference.as_deref().map(|path| reference_sources(path, &corpora)).transpose()?;
    let index = arguments.cdx.as_deref().map(index_figures).transpose()?;
    let max_bytes = context.max_bytes;
    let limits =
        arguments.limits.as_deref().map(|path| read_limits(path, max_bytes)).transpose()?;
    let rules = Rules { limits: limits.as_ref(), site_of: Some(arguments.site.of()) };
    let inputs =
        |sources, memory| Inputs { sources, engine, folder, memory, max_bytes, stop: &stop };
    // A quarter of the memory is for URLs.
    let quarter = mebibytes(arguments.memory) / 4;
    let (mut outcomes, mut read, mut whole) = (Vec::new(), 0, true);
    for (name, sources) in &corpora {
        let quarter = quarter / corpora.len();
        let inputs = inputs(sources.as_slice(), quarter);
        let mut outcome = read_through(sources, name, &stop, |tell| {
            analyze(&inputs, plan, rules, quarter * 3, tell)
        })?;
        if arguments.no_text {
            outcome.figures.samples.clear();
        }
        tell_problems(name, &outcome.input.problems);
        read += outcome.input.bytes;
        whole &= is_whole(&outcome.input.problems);
        outcomes.push((name.clone(), outcome));
    }
    let mut report = Report::new(plan, outcomes, &rankings, index).map_err(temporary(folder))?;
    report.sites_by = arguments.site.name();
    check(&report, limits.is_some())?;
    if let Some(of) = &reference {
        let all = corpora.iter().chain([of]).map(|(_, sources)| inputs(sources, quarter));
        let (reference, is_whole) =
            compare(&all.collect::<Vec<_>>(), &corpora, of, plan, quarter * 3)?;
        report.reference = Some(reference);
        whole &= is_whole;
    }
    let page = put(&report, place, whole)?;
    let pages: u64 = report.corpora.iter().map(|corpus| corpus.figures.totals.pages).sum();
    let (pages, megabytes) = (counted(pages, "page"), read as f64 / 1e6);
    note!("corpulyzer: {pages} from {megabytes:.1} MB {}: {}", spent(begin), page.display());
    Ok(whole)
}

/// Writes the files of a report and puts them in place. Returns the name of its page.
fn put(report: &Report, place: FolderPlace, whole: bool) -> Result<PathBuf> {
    // In the folder of the report, so that a rename can put it in place.
    let next = place.begin()?;
    write(report.files().map_err(|error| anyhow!("{JSON}: {error}"))?, next.path(), &place)?;
    let place = settle_folder(place, whole)?;
    report::folder::check(place.path())?;
    place.put(next)?;
    Ok(place.name().join(HTML))
}

/// The place of the report. The folders must be writable now, not after hours of work. Temporary
/// files have no name, so an end of this process leaves none.
fn place(arguments: &Arguments) -> Result<FolderPlace> {
    is_name(&arguments.out, "--out")?;
    report::folder::check(&arguments.out)?;
    let parent = folder_of(&arguments.out);
    fs::create_dir_all(parent).map_err(refused(parent, "--out"))?;
    let place = FolderPlace::new(&arguments.out)?;
    if let Some(folder) = &arguments.scratch {
        tempfile::tempfile_in(folder).map_err(refused(folder, "--scratch"))?;
    }
    Ok(place)
}

/// Adds the name of a folder and its option to an error.
fn refused<'p>(folder: &'p Path, option: &'static str) -> impl Fn(io::Error) -> BadOutput + 'p {
    move |error| BadOutput::System { path: folder.to_owned(), error, option }
}

/// Prints what a report lacks. Fails if a corpus has no record that could be read.
fn check(report: &Report, has_limits: bool) -> Result<()> {
    if has_limits && report.corpora.iter().all(|corpus| corpus.figures.quality.is_none()) {
        eprintln!(
            "corpulyzer: no record has quality signals, so --limits has no effect; add them with `quality annotate`"
        );
    }
    for corpus in &report.corpora {
        if let Some(why) = corpus.nothing(&report.language_name) {
            eprintln!("corpulyzer: {}: {why}", corpus.name);
        }
    }
    match report.corpora.iter().find(|corpus| corpus.is_all_wrong()) {
        Some(corpus) => bail!("{}: no record could be read; no report was written", corpus.name),
        None => Ok(()),
    }
}

/// Reads the rankings. Their names are those of their files, or their paths if two are equal.
fn rankings(arguments: &Arguments, max_bytes: u64) -> Result<Vec<(String, Ranking)>> {
    let files = &arguments.rankings;
    let short = |file: &PathBuf| corpus_name(std::slice::from_ref(file));
    let different: BTreeSet<String> = files.iter().map(short).collect();
    let read = |file: &PathBuf| {
        let ranking = Ranking::parse(&of_option(input::text(file, max_bytes), "--ranking")?);
        let ranking = ranking.map_err(|bad| anyhow!("{}: {bad} (--ranking)", file.display()))?;
        let is_clear = different.len() == files.len();
        let name = if is_clear { short(file) } else { file.display().to_string() };
        Ok((name, ranking.of_sites(arguments.site.of())))
    };
    files.iter().map(read).collect()
}

/// The reference's name and files. Every input must be a file, because it is read again.
fn reference_sources(
    path: &Path,
    corpora: &[(String, Vec<Source>)],
) -> Result<(String, Vec<Source>)> {
    let sources = sources(path).map_err(|bad| anyhow!("{bad} (--reference)"))?;
    let all = corpora.iter().flat_map(|(_, sources)| sources).chain(&sources);
    if let Some(pipe) = all.into_iter().find(|source| source.bytes.is_none()) {
        bail!(
            "{}: is no regular file, and --reference reads every input three times; name files",
            pipe.name
        );
    }
    Ok((corpus_name(&[path.to_owned()]), sources))
}

/// Compares samples of the corpora with a sample of the reference, the last of the inputs. Returns
/// true beside it if the reference is whole.
fn compare(
    inputs: &[Inputs],
    corpora: &[(String, Vec<Source>)],
    (name, sources): &(String, Vec<Source>),
    plan: Plan,
    memory: usize,
) -> Result<(Reference, bool)> {
    let stop = inputs.first().map(|inputs| inputs.stop);
    let Some(stop) = stop else { bail!("no input") };
    let Samples { tokens, input, mut figures } =
        read_through(sources, name, stop, |tell| reference::samples(inputs, plan, memory, tell))?;
    tell_problems(name, &input.problems);
    if tokens == 0 {
        bail!("--reference: the reference or a corpus has no words; nothing was written");
    }
    let of = figures.pop();
    let Some(of) = of else { bail!("no reference") };
    let names = corpora.iter().map(|(name, _)| name.clone());
    let reference = Reference::new((name.clone(), &of), tokens, names.zip(figures));
    Ok((reference, is_whole(&input.problems)))
}

/// Reads an archive's index: a file or a folder of files, plain, gzip or zstd.
fn index_figures(path: &Path) -> Result<IndexFigures> {
    let mut sums = Index::default();
    let files = cdx::pages::files(&[path.to_owned()]).map_err(|bad| anyhow!("{bad} (--cdx)"))?;
    for source in files {
        let read = source.decompressed(&Arc::default()).and_then(|(input, _)| sums.add(input));
        read.map_err(about(&source.name))?;
    }
    let figures = sums.finish();
    if figures.bad > 0 {
        eprintln!(
            "corpulyzer: {}: skipped {}, no document of an index (--cdx)",
            path.display(),
            counted(figures.bad, "line")
        );
    }
    Ok(figures)
}

/// The corpora with their names and files.
fn corpora(arguments: &Arguments) -> Result<Vec<(String, Vec<Source>)>> {
    if !arguments.compare {
        return Ok(vec![(corpus_name(&arguments.corpora), all_sources(&arguments.corpora)?)]);
    }
    let named = names(&arguments.corpora)?.into_iter().zip(&arguments.corpora);
    named.map(|(name, path)| Ok((name, sources(path)?))).collect()
}

/// The names of corpora to compare.
fn names(corpora: &[PathBuf]) -> Result<Vec<String>> {
    if corpora.len() < 2 {
        bail!("--compare needs at least two corpora");
    }
    let names: Vec<String> =
        corpora.iter().map(|path| corpus_name(slice::from_ref(path))).collect();
    // Corpora of several crawls may have equal names, but not equal paths.
    match names.iter().collect::<BTreeSet<_>>().len() < names.len() {
        true => Ok(corpora.iter().map(|path| path.display().to_string()).collect()),
        false => Ok(names),
    }
}

/// Compares indexes of archives, each as a release of its own.
fn compare_indexes(arguments: &Arguments, context: &Context) -> Result<bool> {
    let place = place(arguments)?;
    let (mut releases, mut lost) = (Releases::default(), 0);
    for (name, path) in names(&arguments.corpora)?.into_iter().zip(&arguments.corpora) {
        let files = cdx::pages::files(slice::from_ref(path))?;
        let asking = Asking { delay: 1.0, contact: None, folder: None };
        let reading =
            index::read(&files, (Wanted::All, context.max_bytes), asking, &mut |entry| {
                releases.add_as(&name, entry, arguments.language.as_str());
            })?;
        lost += reading.lost;
    }
    let next = place.begin()?;
    let tables = [releases.table(), releases.overlap(), releases.languages()];
    write(report::indexes::files(arguments.language.name(), tables), next.path(), &place)?;
    let place = settle_folder(place, lost == 0)?;
    report::folder::check(place.path())?;
    place.put(next)?;
    Ok(lost == 0)
}

/// Writes files to the folder that will be put in place.
fn write(files: Vec<(&'static str, String)>, folder: &Path, place: &FolderPlace) -> Result<()> {
    for (name, content) in files {
        fs::write(folder.join(name), content).map_err(|error| place.failed(error))?;
    }
    Ok(())
}
