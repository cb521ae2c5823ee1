//! Extracts the main text of a page, or of every page in a folder.

use crate::arguments::language;
use crate::context::Context;
use crate::io::console::{
    complain, counted, is_full_disk, print, progress_target, stop_flag, Stopped,
};
use crate::io::input;
use crate::io::output::is_name;
use anyhow::{anyhow, bail, Result};
use clap::Args;
use content::{
    html_document, Comments, Content, ContentOptions, Extractor, Form, Headline, Hints, LimitHit,
    Limits, MAX_TIME,
};
use engine::{content_json, Settings, StopWords};
use indicatif::{ParallelProgressIterator, ProgressBar, ProgressStyle};
use inputs::real;
use langid::LangCode;
use outputs::listed::{BadFolder, ListedFolder};
use rayon::prelude::*;
use serde_json::Value;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::OnceLock;
use std::time::Instant;

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
        if page.is_dir() {
            bail!(misuse!(
                "{}: is a folder; name a page, or read the folder with --in and --out",
                page.display()
            ));
        }
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
/// or made by this verb, see [`ListedFolder`]. Returns false if a file could not be read, decoded
/// or written; each of them is named on standard error. After the first SIGINT or SIGTERM, or on a
/// full disk, the pages in progress are completed. The second signal ends the process.
///
/// # Errors
/// Fails if `input` is not a folder that can be read, `output` cannot be made, the disk is full, or
/// a signal stopped the work.
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
    let texts = ListedFolder::open(output)?;
    let stopped = stop_flag()?;
    let (pages, unreadable) = inputs::pages::under(input, output);
    let begin = Instant::now();
    let progress = progress(pages.len());
    // Each other page would fail as the first that found the disk full.
    let full = OnceLock::new();
    let failed = pages
        .par_iter()
        .progress_with(progress.clone())
        .filter(|_| !stopped.load(Ordering::Relaxed) && full.get().is_none())
        .map(|page| {
            let target = page.strip_prefix(input).unwrap_or(page).with_extension(form.extension());
            let write = |text: &str| texts.write(&target, text.as_bytes());
            let limit = extract_page(page, form, options, max_bytes, write);
            let failed = limit.is_err();
            match limit {
                Ok(None) => {}
                Ok(Some(limit)) => {
                    complain(&progress, &format!("{}: {limit}", page.display()));
                }
                Err(error) if is_full_disk(&error) => drop(full.set(error)),
                Err(error) => complain(&progress, &error.to_string()),
            }
            failed
        })
        .filter(|&failed| failed)
        .count();
    progress.finish_and_clear();
    unreadable.iter().for_each(|bad| complain(&progress, &bad.to_string()));
    let failed = failed + unreadable.len();
    let seconds = begin.elapsed().as_secs_f64();
    if stopped.load(Ordering::Relaxed) {
        let all = counted(pages.len(), "page");
        return Err(Stopped(format!("run the same command again for all {all}")).into());
    }
    if let Some(error) = full.into_inner() {
        return Err(error);
    }
    note!("corpulyzer: {} in {seconds:.1} s, {failed} failed", counted(pages.len(), "page"));
    Ok(failed == 0)
}

/// Writes the main content of a page, and returns the limit at which the page was cut, if any. So
/// that a page on which the extractor panics does not cost the others, that is an error too. The
/// message of the panic is on standard error.
fn extract_page(
    page: &Path,
    form: Output,
    options: ContentOptions<'_>,
    max_bytes: u64,
    write: impl Fn(&str) -> Result<(), BadFolder>,
) -> Result<Option<LimitHit>> {
    catch_unwind(AssertUnwindSafe(|| {
        let found = read(page, &Hints::default(), options, max_bytes)?;
        write(&form.of(&found, None))?;
        Ok(found.limit)
    }))
    .unwrap_or_else(|_| Err(anyhow!("{}: the extractor panicked", page.display())))
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

/// A bar with rate and time left, on a terminal only.
fn progress(pages: usize) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{wide_bar} {human_pos}/{human_len} pages, {per_sec}, {eta} left",
    )
    .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(pages as u64), progress_target()).with_style(style)
}
