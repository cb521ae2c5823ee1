//! Corpora from archives.

mod ranges;

use crate::arguments::{self, mebibytes, number, whole, Archive, AsJson};
use crate::context::Context;
use crate::io::console::{complain, counted, stop_flag, Stopped};
use crate::io::corpora::{all_sources, progress, tell_problems, NAMED_PROBLEMS};
use crate::io::input;
use crate::io::output::{is_name, settled};
use anyhow::{anyhow, bail, Error, Result};
use clap::Args;
use collect::output::{self, Output};
use collect::part::{self, Figures};
use collect::{Documents, Failure, Folder, Foreign, Format, Hosts, Judge, News, Work, MAX_MILLIS};
use engine::{Policy, Settings};
use inputs::removals::fingerprint;
use langid::LangCode;
use properties::PAGE_MIN_BYTES;
use records::Source;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Make a corpus for each given language from archives: WARC, WET, ARC and WACZ files and JSON
/// lines
#[derive(Args)]
pub struct Arguments {
    /// WARC, WET or ARC files or JSON lines: plain, gzip, zstd, XZ or bzip2; WACZ; Parquet; or
    /// folders of them. - is standard input
    #[arg(required_unless_present = "list", value_name = "IN")]
    inputs: Vec<PathBuf>,
    /// Read indexes of archives instead of archives: CDXJ with languages, or Parquet files of a
    /// columnar index, also by their http:// and https:// addresses. From the WARC files that they
    /// list, read only the records of pages that have one of the languages at any rank
    #[arg(long)]
    ranges: bool,
    /// With --ranges: folder with the WARC files that the indexes name, or address (http:// or
    /// https://) of a server that has them and serves byte ranges [default: the folder of the first
    /// index, or the root of its server]
    #[arg(long, value_name = "DIR", requires = "ranges")]
    root: Option<PathBuf>,
    /// With an address: smallest time between two requests, in seconds
    #[arg(long, default_value_t = 1.0, value_name = "S", value_parser = number(0..=3600), requires = "ranges")]
    delay: f64,
    /// With --ranges: languages whose pages are read too. Use it if the index does not know the
    /// language
    #[arg(long, value_name = "CODES", value_parser = crate::arguments::language)]
    #[arg(value_delimiter = ',', requires = "ranges")]
    like: Vec<LangCode>,
    /// File with more inputs, one path per line; lines that begin with # are ignored. - is standard
    /// input
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    /// Languages of the corpora, ISO 639 codes or names separated by commas. A page may belong to
    /// several
    #[arg(long, value_name = "CODES", value_parser = crate::arguments::target)]
    #[arg(value_delimiter = ',', required = true)]
    language: Vec<LangCode>,
    /// Folder for the corpora: a folder with corpus and README for each language. If it exists, it
    /// must be empty or from an earlier run
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace corpora of other inputs. By default, the inputs must include those of the earlier
    /// run
    #[arg(long)]
    replace: bool,
    /// Write the rejected pages too, to a separate file. Pages that the first look rules out are
    /// not written
    #[arg(long)]
    rejected: bool,
    /// Give each document the field `spans`: the parts of its text in each language
    #[arg(long)]
    spans: bool,
    /// Format of the corpora: jsonl or text
    #[arg(long, default_value = "jsonl", value_name = "F")]
    format: Format,
    #[command(flatten)]
    archive: Archive,
    #[command(flatten)]
    json: AsJson,
    /// Rule that decides which pages are kept: precision or recall
    #[arg(long, default_value_t = Policy::default(), value_name = "P")]
    policy: Policy,
    /// Smallest size of a page that policy precision keeps, in bytes of the language
    #[arg(long, default_value_t = PAGE_MIN_BYTES.default, value_name = "N")]
    #[arg(value_parser = whole::<u64>(PAGE_MIN_BYTES.least..=PAGE_MIN_BYTES.most))]
    min_bytes: u64,
    /// Parse every page. By default, pages without letters in the script of a language are ruled
    /// out before parsing
    #[arg(long)]
    no_first_look: bool,
    /// Read PDF, Office, OpenDocument and RTF files too, in processes of their own (Java)
    #[arg(long)]
    documents: bool,
    /// WARC file with robots.txt and tdmrep.json of hosts, whose reservations are recorded, or a
    /// folder of such files. It may be an input too. May be repeated
    #[arg(long, value_name = "FILE")]
    reservations: Vec<PathBuf>,
    /// Memory for URLs, in MiB. More data goes to temporary files
    #[arg(long, default_value_t = 256, value_name = "MIB")]
    #[arg(value_parser = whole::<u64>(16..=1 << 20))]
    memory: u64,
    /// E-mail address or web address for requests to remove a page; it is written to README.md
    #[arg(long, value_name = "ADDRESS")]
    contact: Option<String>,
}

/// Reads all inputs, and writes a corpus for each language. A run that was killed or stopped by a
/// signal is continued by the same command: inputs that were read to their end are not read again.
///
/// # Errors
/// When an input cannot be read, the folder is not ours or cannot be written, or a signal stopped
/// the work.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    is_name(&arguments.out, "--out")?;
    if arguments.spans && arguments.format == Format::Text {
        bail!(misuse!("--spans needs --format jsonl: a text has no fields"));
    }
    let contact = arguments.contact.as_deref().map(arguments::contact).transpose()?;
    let languages = languages(arguments);
    let inputs = inputs(arguments, context.max_bytes)?;
    let archives = (!arguments.ranges).then(|| all_sources(&inputs)).transpose()?;
    let reservations =
        all_sources(&arguments.reservations).map_err(|bad| anyhow!("{bad} (--reservations)"))?;
    let opened = archives.iter().flatten().chain(&reservations);
    let opened = opened.map(|source| source.path.as_path());
    let named = inputs.iter().chain(&arguments.list).map(PathBuf::as_path);
    check_outputs(arguments, context, &languages, opened.chain(named))?;
    let hosts = hosts(&reservations, context.max_bytes)?;
    let rules = hosts.fingerprint();
    let judge = judge(arguments, context, &languages, hosts)?;
    let stop = stop_flag()?;
    let mut corpora = Folder::take(&arguments.out)?;
    let named = match &archives {
        Some(archives) => names(archives),
        None => names(&cdx::pages::files(&inputs)?),
    };
    check(&corpora, arguments, &languages, &named)?;
    let parts = corpora.parts(&settings(arguments, context, &judge, rules)?)?;
    let sources = match archives {
        Some(archives) => archives,
        None => ranges::sources(arguments, context, &inputs, &languages, &parts, &stop)?,
    };
    let work = Work {
        sources: &sources,
        judge: &judge,
        parts: &parts,
        max_bytes: context.max_bytes,
        stop: &stop,
    };
    let figures = &read(&work)?;
    require_records(figures, &mut corpora)?;
    let memory = mebibytes(arguments.memory);
    let Work { sources, judge, parts, stop, .. } = work;
    let output = Output { sources, judge, parts, figures, contact, memory, stop };
    let whole = output.is_whole();
    for file in languages.iter().flat_map(|_| output.files()) {
        settled(Path::new(&file), whole);
    }
    let Some(results) = output.write(&mut corpora)? else { return Err(stopped()) };
    match whole {
        true => end(&mut corpora, &languages, &named)?,
        false => eprintln!(
            "corpulyzer: the parts of the other inputs stay in {}: replace the damaged inputs and run the same \
             command, or delete that folder",
            parts.display()
        ),
    }
    arguments.json.print(&results)?;
    Ok(whole)
}

/// Fails if no record could be read. The parts are deleted then: nothing is in them.
fn require_records(figures: &Figures, corpora: &mut Folder) -> Result<()> {
    if figures.records == figures.problems.values().sum::<u64>() {
        corpora.delete_parts()?;
        bail!("no input has a record that can be read; no corpus was written");
    }
    Ok(())
}

/// Notes which inputs the corpora have, and deletes the parts, which are in them.
fn end(corpora: &mut Folder, languages: &[LangCode], named: &BTreeSet<String>) -> Result<()> {
    for language in languages {
        corpora.set_inputs(language.as_str(), named).map_err(refused)?;
    }
    corpora.delete_parts()?;
    Ok(())
}

/// The languages that are asked for, each once, in the order of their codes.
fn languages(arguments: &Arguments) -> Vec<LangCode> {
    let mut languages = arguments.language.clone();
    languages.sort();
    languages.dedup();
    languages
}

/// Refuses to write over a file that is read.
fn check_outputs<'p>(
    arguments: &Arguments,
    context: &'p Context,
    languages: &[LangCode],
    read: impl IntoIterator<Item = &'p Path>,
) -> Result<()> {
    let folders = languages.iter().map(|code| arguments.out.join(code.as_str()));
    let files: Vec<PathBuf> = folders
        .flat_map(|folder| output::all_files().into_iter().map(move |file| folder.join(file)))
        .collect();
    let outputs: Vec<(&Path, &str)> = files.iter().map(|file| (file.as_path(), "--out")).collect();
    context.apart(&outputs, read)
}

/// The judge of all records. Prints for which languages every page is parsed, and why.
fn judge(
    arguments: &Arguments,
    context: &Context,
    languages: &[LangCode],
    hosts: Hosts,
) -> Result<Judge> {
    let Arguments { policy, min_bytes, archive, no_first_look, .. } = arguments;
    let (policy, min_bytes, max_millis) = (*policy, *min_bytes, MAX_MILLIS);
    let settings =
        |language| Settings { policy, min_bytes, max_millis, ..archive.settings(language) };
    let engines = languages.iter().map(|&language| context.engine(settings(language)));
    let engines = engines.collect::<Result<Vec<_>>>()?;
    let judge = Judge::new(engines, !no_first_look, arguments.rejected, arguments.format)
        .with_spans(arguments.spans)
        .with_hosts(hosts)
        .with_documents(arguments.documents.then(documents).transpose()?);
    for (number, language) in languages.iter().enumerate() {
        if !no_first_look && !judge.looks_first(number) {
            let why = match judge.engines()[number].target_scripts() {
                _ if policy == Policy::Recall => "of --policy recall",
                _ if min_bytes == 0 => "of --min-bytes 0",
                None => "its script is not known",
                Some(_) => "pages in other languages have letters of its script too",
            };
            eprintln!("corpulyzer: every page is parsed for {language}, because {why}");
        }
    }
    Ok(judge)
}

/// Fails if the folder has files of others, or corpora of other inputs: before the work.
fn check(
    corpora: &Folder,
    arguments: &Arguments,
    languages: &[LangCode],
    inputs: &BTreeSet<String>,
) -> Result<()> {
    for language in languages {
        if !arguments.replace {
            corpora.require_inputs(language.as_str(), inputs).map_err(refused)?;
        }
        for name in output::files(arguments.format, arguments.rejected) {
            let beside = output::beside(&name);
            for name in [name, beside] {
                corpora.check(&format!("{language}/{name}"))?;
            }
        }
    }
    Ok(())
}

/// Inputs of an earlier run that are missing are a mistake on the command line.
fn refused(foreign: Foreign) -> Error {
    match foreign {
        Foreign::Inputs(..) => misuse!("{foreign}"),
        _ => foreign.into(),
    }
}

/// The names of inputs in the folder's marker: absolute paths, the same from every folder. Pipes
/// cannot be told apart.
fn names(sources: &[Source]) -> BTreeSet<String> {
    let name = |source: &Source| match (source.bytes, fs::canonicalize(&source.path)) {
        (Some(_), Ok(path)) => path.display().to_string().escape_debug().to_string(),
        _ if cdx::pages::is_afar(&source.path) => source.name.escape_debug().to_string(),
        _ => "-".to_owned(),
    };
    sources.iter().map(name).collect()
}

/// The inputs of the command line, then those of the list.
fn inputs(arguments: &Arguments, max_bytes: u64) -> Result<Vec<PathBuf>> {
    let mut inputs = arguments.inputs.clone();
    if let Some(list) = &arguments.list {
        if list == Path::new("-") && inputs.iter().any(|input| input == Path::new("-")) {
            bail!("-: standard input cannot be both an input and the list of inputs; use a file for one (--list)");
        }
        input::lines(list, max_bytes, &mut |number, line| {
            if !line.is_empty() && !line.starts_with('#') {
                require_listable(line)
                    .map_err(|error| anyhow!("{}, line {number}: {error}", input::name(list)))?;
                inputs.push(PathBuf::from(line));
            }
            Ok::<_, Error>(())
        })?;
    }
    if inputs.is_empty() {
        bail!("there is no input: the list is empty; write one path on each line (--list)");
    }
    Ok(inputs)
}

/// The variable of the environment that names the jar of the process that reads documents.
const DOCUMENTS: &str = "CORPULYZER_DOCUMENTS";

/// The processes that read documents.
///
/// # Errors
/// Fails if the parsers are not there.
fn documents() -> Result<Documents> {
    let Some(jar) = std::env::var_os(DOCUMENTS) else {
        return Err(misuse!(
            "--documents needs the parsers of the one-machine crawl, but {DOCUMENTS} is not set; \
             run `bin/corpulyzer collect`, which sets it, or set it to the path of \
             corpulyzer-companion.jar"
        ));
    };
    let home = std::env::var_os("JAVA_HOME").filter(|home| !home.is_empty());
    let java = home.map_or("java".into(), |home| Path::new(&home).join("bin").join("java"));
    Documents::new(&java, Path::new(&jar)).map_err(|missing| {
        misuse!("--documents needs {}, which is not there or does not start", missing.display())
    })
}

/// The rules of hosts in the files of --reservations.
fn hosts(files: &[Source], max_bytes: u64) -> Result<Hosts> {
    if files.is_empty() {
        return Ok(Hosts::default());
    }
    let mut problems = 0;
    let hosts = Hosts::read(files, max_bytes, &mut |problem| {
        problems += 1;
        if problems <= NAMED_PROBLEMS {
            eprintln!("corpulyzer: {problem}");
        }
    });
    let hosts = hosts.map_err(|message| anyhow!("{message} (--reservations)"))?;
    if problems > 0 {
        bail!(
            "--reservations: {} damaged, so reservations may be missing; nothing was read",
            counted(problems, "record")
        );
    }
    note!("corpulyzer: rules of {} read (--reservations)", counted(hosts.len(), "host"));
    Ok(hosts)
}

/// Fails if a path of a list is missing, a pipe or a device: a list may come from elsewhere, and
/// such inputs may never end.
fn require_listable(path: &str) -> Result<()> {
    if path == "-" {
        return Ok(());
    }
    let found = fs::metadata(path)
        .map_err(|error| anyhow!("{} (--list)", records::unreadable(path, &error)))?;
    if !found.is_file() && !found.is_dir() {
        bail!("{path}: is not a file or a folder; a list names files, folders or - (--list)");
    }
    Ok(())
}

/// Returns the settings on which the parts depend, one on each line.
fn settings(arguments: &Arguments, context: &Context, judge: &Judge, rules: u64) -> Result<String> {
    let removed = fingerprint(context.removed.as_deref(), context.max_bytes)?;
    let mut text = String::new();
    for engine in judge.engines() {
        // Writing to a string cannot fail.
        let _ =
            writeln!(text, "language {}, records {}", engine.settings().target(), engine.version());
    }
    let Arguments { policy, min_bytes, format, rejected, spans, no_first_look, documents, .. } =
        arguments;
    let profile = arguments.archive.profile;
    let _ = writeln!(
        text,
        "parts {}\nprofile {profile}\npolicy {policy}\nmin-bytes {min_bytes}\nmax-bytes {}\nformat {}\nrejected {rejected}\nspans {spans}\nno-first-look {no_first_look}\n\
         documents {documents}\nreservations {rules:016x}\nremoved {removed}",
        part::VERSION,
        context.max_bytes,
        format.as_str()
    );
    Ok(text)
}

/// Reads the inputs to parts, with a progress bar. Returns the sums, and prints what was left out.
fn read(work: &Work) -> Result<Figures> {
    let bar = progress(work.sources);
    let named = AtomicU64::new(0);
    let outcome = work.run(&|news| match news {
        News::Progress { bytes, records } => {
            bar.set_position(bytes);
            bar.set_message(counted(records, "record"));
        }
        News::Problem(problem) => {
            if named.fetch_add(1, Ordering::Relaxed) < NAMED_PROBLEMS {
                complain(&bar, &problem.to_string());
            }
        }
        News::Known(name) => complain(&bar, &format!("{name}: was read by an earlier run")),
    });
    bar.finish_and_clear();
    let figures = match outcome {
        Ok(figures) if !work.stop.load(Ordering::Relaxed) => figures,
        Ok(_) | Err(Failure::Stopped) => return Err(stopped()),
        Err(failure) => return Err(failure.into()),
    };
    let mut sum = Figures::default();
    figures.iter().for_each(|figures| sum.add(figures));
    tell_problems("in all", &sum.problems);
    if let Some(left_out) = sum.left_out() {
        note!("corpulyzer: records that are no pages: {left_out}");
    }
    Ok(sum)
}

fn stopped() -> Error {
    Stopped("run the same command to continue".to_owned()).into()
}
