//! Extracts the main text of a page, or of every page in a folder.

use crate::arguments::language;
use crate::context::Context;
use crate::io::console::{complain, counted, print, stop_flag, Stopped};
use crate::io::input;
use crate::io::output::{folder as parent_of, is_name, temporary_file};
use anyhow::{anyhow, bail, Result};
use clap::Args;
use content::{
    html_document, Comments, Content, ContentOptions, Extractor, Form, Headline, Hints, Limits,
    MAX_TIME,
};
use engine::{content_json, Settings, StopWords};
use indicatif::{ParallelProgressIterator, ProgressBar, ProgressDrawTarget, ProgressStyle};
use inputs::{real, BadInput};
use langid::LangCode;
use rayon::prelude::*;
use serde_json::Value;
use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::Mutex;
use std::time::Instant;
use walkdir::{DirEntry, WalkDir};

/// Print the main content of a page, or write that of each X.html in a folder to X.txt, .md, .json
/// or .html in another
#[derive(Args)]
pub struct Arguments {
    /// Page to print the main content of; - is standard input
    #[arg(value_name = "PAGE", required_unless_present = "input", conflicts_with = "input")]
    page: Option<PathBuf>,
    /// With PAGE: its URL, which relative links and dates are read with
    #[arg(long, requires = "page")]
    url: Option<String>,
    /// With PAGE: HTTP header Content-Type of the page
    #[arg(long, value_name = "TYPE", requires = "page")]
    content_type: Option<String>,
    /// Folder with pages (*.html, *.htm, *.xhtml), searched with its subfolders
    #[arg(long = "in", value_name = "DIR", requires = "output")]
    input: Option<PathBuf>,
    /// Folder for the texts: new, empty, or written by an earlier run (its texts are replaced)
    #[arg(long = "out", value_name = "DIR", requires = "input")]
    output: Option<PathBuf>,
    /// Extractor of the main text: best, web-am, web-am-literal, article, justext, w2c or text
    #[arg(long, default_value_t = Settings::DEFAULT_EXTRACTOR, value_name = "E")]
    extractor: Extractor,
    /// Comments of readers: keep, or drop (only the extractor best)
    #[arg(long, default_value_t = Comments::default(), value_name = "keep|drop")]
    comments: Comments,
    /// Headline above the text: keep, or drop (as best finds it)
    #[arg(long, default_value_t = Headline::default(), value_name = "keep|drop")]
    headline: Headline,
    /// Form: text, markdown, json (text, HTML, title, author, dates, language, site) or html
    #[arg(long = "output", value_enum, default_value_t = Output::Text, value_name = "FORM")]
    form: Output,
    /// Language of the pages, for the stop words of justext; without it, it uses none
    #[arg(long, value_name = "CODE", value_parser = language)]
    language: Option<LangCode>,
}

/// The form of a file with main content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Output {
    /// Blocks of text, one per line.
    Text,
    /// Markdown.
    Markdown,
    /// One object with text, HTML and what the page states about itself.
    Json,
    /// A document of safe HTML.
    Html,
}

impl Output {
    /// The ending of its files.
    fn extension(self) -> &'static str {
        match self {
            Output::Text => "txt",
            Output::Markdown => "md",
            Output::Json => "json",
            Output::Html => "html",
        }
    }

    /// Options for reading a page.
    fn options<'a>(
        self,
        extractor: Extractor,
        comments: Comments,
        stop_words: Option<&'a StopWords>,
    ) -> ContentOptions<'a> {
        let form = if self == Output::Markdown { Form::Markdown } else { Form::Text };
        ContentOptions {
            comments,
            html: matches!(self, Output::Json | Output::Html),
            statements: self == Output::Json,
            stop_words: stop_words.map(|words| words as &dyn content::StopWords),
            ..ContentOptions::new(extractor, form)
        }
    }

    /// The content of the file.
    ///
    /// `url` is the page's; without it, that of its canonical link counts.
    fn of(self, found: &Content, url: Option<&str>) -> String {
        match self {
            Output::Text | Output::Markdown if found.text.is_empty() => String::new(),
            Output::Text | Output::Markdown => format!("{}\n", found.text),
            Output::Json => {
                let stated = || found.links.as_ref().and_then(|links| links.canonical.as_deref());
                format!("{}\n", Value::from(content_json(found, url.or_else(stated))))
            }
            Output::Html => html_document(&found.title, found.html.as_deref().unwrap_or_default()),
        }
    }
}

/// Prints the main content of a page, or writes that of all pages of a folder.
///
/// # Errors
/// Fails if options contradict each other, the page cannot be read or decoded, or as
/// [`extract_folder`].
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    let Arguments { extractor, comments, form, language, .. } = arguments;
    let stop_words = stop_words(*extractor, *language, context)?;
    comments.check(*extractor).map_err(|bad| misuse!("--comments {bad}"))?;
    let options = ContentOptions {
        headline: arguments.headline,
        ..form.options(*extractor, *comments, stop_words.as_ref())
    };
    if let Some(page) = &arguments.page {
        let (url, content_type) = (arguments.url.as_deref(), arguments.content_type.as_deref());
        let found = read(page, &Hints { url, content_type }, options, context.max_bytes)?;
        if let Some(limit) = found.limit {
            eprintln!("corpulyzer: {}: {limit}", input::name(page));
        }
        return print(form.of(&found, url).as_bytes());
    }
    match (&arguments.input, &arguments.output) {
        (Some(input), Some(output)) => {
            extract_folder(input, output, *form, options, context.max_bytes)
        }
        _ => bail!(misuse!("name a page, or folders (--in, --out)")),
    }
}

/// Writes the main content of every `X.html` under `input` to `X.txt`, or a file with the ending of
/// another form, at the same place under `output`, on all cores. `output` must be missing, empty,
/// or made by this verb, see [`Texts`]. Returns false if a file could not be read, decoded or
/// written; each of them is named on standard error. After the first SIGINT or SIGTERM, the pages
/// in progress are completed. The second signal ends the process.
///
/// # Errors
/// Fails if `input` is not a folder that can be read, `output` cannot be made, or a signal stopped
/// the work.
fn extract_folder(
    input: &Path,
    output: &Path,
    form: Output,
    options: ContentOptions<'_>,
    max_bytes: u64,
) -> Result<bool> {
    if !input.is_dir() {
        let what = if input.exists() { "is not a folder" } else { "no such folder" };
        bail!("{}: {what} (--in)", input.display());
    }
    is_name(output, "--out")?;
    if real(input) == real(output) {
        bail!("{}: is the folder of the pages; name another folder (--out)", output.display());
    }
    let texts = Texts::open(output)?;
    let stopped = stop_flag()?;
    let (pages, unreadable) = pages(input, output);
    let begin = Instant::now();
    let progress = progress(pages.len());
    let failed = pages
        .par_iter()
        .progress_with(progress.clone())
        .filter(|_| !stopped.load(Ordering::Relaxed))
        .map(|page| {
            let target = page.strip_prefix(input).unwrap_or(page).with_extension(form.extension());
            // A page on which the extractor panics must not cost the others. The message of the
            // panic is on standard error.
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                let found = read(page, &Hints::default(), options, max_bytes)?;
                texts.write(&target, form.of(&found, None).as_bytes())?;
                Ok(found.limit)
            }))
            .unwrap_or_else(|_| Err(anyhow!("{}: the extractor panicked", page.display())));
            let failed = outcome.is_err();
            match outcome {
                Ok(None) => {}
                Ok(Some(limit)) => {
                    complain(&progress, &format!("{}: {limit}", page.display()));
                }
                Err(error) => complain(&progress, &error.to_string()),
            }
            failed
        })
        .filter(|&failed| failed)
        .count();
    progress.finish_and_clear();
    for message in &unreadable {
        complain(&progress, message);
    }
    let failed = failed + unreadable.len();
    let seconds = begin.elapsed().as_secs_f64();
    if stopped.load(Ordering::Relaxed) {
        let all = counted(pages.len(), "page");
        return Err(Stopped(format!("run the same command again for all {all}")).into());
    }
    eprintln!("corpulyzer: {} in {seconds:.1} s, {failed} failed", counted(pages.len(), "page"));
    Ok(failed == 0)
}

/// Returns the stop words for an extractor, if it uses them and the language has some.
///
/// # Errors
/// Fails if the extractor uses none, or a pack cannot be read.
fn stop_words(
    extractor: Extractor,
    language: Option<LangCode>,
    context: &Context,
) -> Result<Option<StopWords>> {
    match language {
        Some(_) if extractor != Extractor::JusText => bail!(misuse!(
            "--language is for the stop words of extractor `justext`, but the extractor is \
             `{extractor}`; leave it out"
        )),
        Some(language) => Ok(StopWords::new(langid::open_all(&context.packs)?, &[language])),
        None => Ok(None),
    }
}

/// All pages under a folder in order, and entries that cannot be read or have no text file of their
/// own. The folder of the texts may be in it, and is skipped: an earlier run wrote its pages.
fn pages(folder: &Path, output: &Path) -> (Vec<PathBuf>, Vec<String>) {
    let output = real(output);
    let (mut pages, mut unreadable) = (Vec::new(), Vec::new());
    let mut texts = HashSet::new();
    let walk = WalkDir::new(folder).follow_links(true).sort_by_file_name();
    let is_output = |entry: &DirEntry| entry.file_type().is_dir() && real(entry.path()) == output;
    for entry in walk.into_iter().filter_entry(|entry| !is_output(entry)) {
        match entry {
            Ok(entry) => {
                let is_page = entry
                    .path()
                    .extension()
                    .and_then(|ending| ending.to_str())
                    .is_some_and(|ending| ENDINGS.contains(&&*ending.to_ascii_lowercase()));
                if !is_page || entry.file_type().is_dir() {
                    continue;
                }
                // A pipe might never end.
                if !entry.file_type().is_file() {
                    unreadable.push(format!("{}: is not a regular file", entry.path().display()));
                } else if !texts.insert(entry.path().with_extension("")) {
                    unreadable.push(format!(
                        "{}: another page would write the same text file: their names differ only in their endings or in capital letters",
                        entry.path().display()
                    ));
                } else {
                    pages.push(entry.into_path());
                }
            }
            Err(error) => unreadable.push(BadInput::of_entry(error).to_string()),
        }
    }
    (pages, unreadable)
}

/// Returns the main content of a page.
fn read(
    page: &Path,
    hints: &Hints<'_>,
    options: ContentOptions<'_>,
    max_bytes: u64,
) -> Result<Content> {
    let content = input::read(page, max_bytes)?;
    let limits = Limits { deadline: Some(Instant::now() + MAX_TIME), ..Limits::default() };
    content::content(content, hints, &ContentOptions { limits, ..options })
        .map_err(|error| anyhow!("{}: {error}", input::name(page)))
}

/// Endings of the names of pages.
const ENDINGS: [&str; 3] = ["html", "htm", "xhtml"];

/// Name of the list of files that this verb wrote into a folder. It identifies the folder as one of
/// this verb.
const LIST: &str = ".corpulyzer-extract";

/// Beginning of the list. Each entry ends with a zero byte, which no file name contains.
const HEAD: &[u8] = b"Files that `corpulyzer extract` wrote. It replaces no others.\n\0";

/// The folder of the texts. Files of other programs are not replaced, and nothing outside the
/// folder is written.
struct Texts {
    folder: PathBuf,
    /// Files of an earlier run.
    written: HashSet<PathBuf>,
    list: Mutex<File>,
}

impl Texts {
    /// Opens a folder that is missing, empty, or made by this verb.
    ///
    /// # Errors
    /// Fails if it is another folder, or cannot be written.
    fn open(folder: &Path) -> Result<Self> {
        let failed = |error: io::Error| anyhow!("{}: {error} (--out)", folder.display());
        if folder.exists() && !folder.is_dir() {
            bail!("{}: is not a folder; name a folder (--out)", folder.display());
        }
        fs::create_dir_all(folder).map_err(failed)?;
        let list = folder.join(LIST);
        let mut written = HashSet::new();
        let list = if fs::symlink_metadata(&list).is_ok_and(|metadata| metadata.is_file()) {
            let content = fs::read(&list).map_err(failed)?;
            // On a full disk, or if it was killed, a run leaves the start of the first line or of
            // an entry.
            let rest: &[u8] = match content.strip_prefix(HEAD) {
                Some(entries) => {
                    written.extend(entries.split(|&byte| byte == 0).map(path_of));
                    if entries.is_empty() || entries.ends_with(b"\0") {
                        b""
                    } else {
                        b"\0"
                    }
                }
                None if HEAD.starts_with(&content)
                    && fs::read_dir(folder).map_err(failed)?.count() == 1 =>
                {
                    &HEAD[content.len()..]
                }
                None => {
                    bail!("{}: is not a list of texts; name another folder (--out)", list.display())
                }
            };
            OpenOptions::new().append(true).open(&list).and_then(|mut file| {
                file.write_all(rest)?;
                Ok(file)
            })
        } else {
            if fs::read_dir(folder).map_err(failed)?.next().is_some() {
                bail!(
                    "{}: is not empty and was not made by `extract`; name another folder (--out)",
                    folder.display()
                );
            }
            OpenOptions::new().append(true).create_new(true).open(&list).and_then(|mut file| {
                file.write_all(HEAD)?;
                Ok(file)
            })
        };
        Ok(Self { folder: folder.to_owned(), written, list: Mutex::new(list.map_err(failed)?) })
    }

    /// Writes a file under a temporary name and renames it, so that no program sees half of it.
    ///
    /// # Errors
    /// Fails if it cannot be written, or another program put a file there.
    fn write(&self, name: &Path, content: &[u8]) -> Result<()> {
        let file = self.folder.join(name);
        let failed = |error: io::Error| anyhow!("{}: {error}", file.display());
        let mut folder = self.folder.clone();
        for part in parent_of(name) {
            folder.push(part);
            match fs::create_dir(&folder) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(failed(error))
                }
                _ => {}
            }
            if fs::symlink_metadata(&folder).map_err(failed)?.is_symlink() {
                bail!(
                    "{}: {} is a symlink, which is not followed",
                    file.display(),
                    folder.display()
                );
            }
        }
        if !self.written.contains(name) {
            if fs::symlink_metadata(&file).is_ok() {
                bail!("{}: was not written by `extract`, so it is not replaced", file.display());
            }
            let entry = [name.as_os_str().as_encoded_bytes(), b"\0"].concat();
            let mut list = self
                .list
                .lock()
                .map_err(|_| anyhow!("{}: the list of texts is lost", file.display()))?;
            list.write_all(&entry).map_err(failed)?;
        }
        let mut beside = temporary_file(&folder).map_err(failed)?;
        beside.write_all(content).map_err(failed)?;
        beside.persist(&file).map_err(|error| failed(error.error))?;
        Ok(())
    }
}

/// Returns the path of an entry of the list.
#[cfg(unix)]
fn path_of(entry: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    PathBuf::from(std::ffi::OsStr::from_bytes(entry))
}

#[cfg(not(unix))]
fn path_of(entry: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(entry).into_owned())
}

/// A bar with rate and time left, on a terminal only.
fn progress(pages: usize) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{wide_bar} {human_pos}/{human_len} pages, {per_sec}, {eta} left",
    )
    .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(pages as u64), ProgressDrawTarget::stderr())
        .with_style(style)
}
