//! Extracts text from the dumps of wikis, for a language without other text.

use crate::arguments::whole;
use crate::context::{check_returned, Context};
use crate::io::console::{complain, counted, spent, stop_flag, Stopped};
use crate::io::corpora::{all_sources, progress};
use crate::io::output::{named, settle, FilePlace};
use crate::io::records::Output;
use crate::io::seeds::write;
use ::wikipedia::{Article, Broken, Counts, Dump, Extraction, ParagraphSums, Settings};
use anyhow::{anyhow, bail, Result};
use clap::Args;
use figures::removals::is_left_out;
use indicatif::ProgressBar;
use langid::LangCode;
use records::Source;
use seeds::posts::split;
use seeds::Choice;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Instant;

/// Most links to a host that are listed.
const URLS_PER_HOST: usize = 20;

/// Extract the text of a MediaWiki dump, for example of Wikipedia, without markup
#[derive(Args)]
pub struct Arguments {
    /// Dumps (pages-articles.xml): plain, bzip2, gzip or zstd. - is standard input
    #[arg(required = true, value_name = "DUMP")]
    dumps: Vec<PathBuf>,
    /// File for the text: *.jsonl has one article per line, *.txt one paragraph per line; .gz and
    /// .zst compress. An old file is replaced after the new one is complete. - writes JSON lines to
    /// standard output
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Keep only paragraphs in this language, an ISO 639 code or a name
    #[arg(long, value_name = "CODE", value_parser = crate::arguments::language)]
    language: Option<LangCode>,
    /// Keep headings
    #[arg(long)]
    headings: bool,
    /// Keep list items
    #[arg(long)]
    lists: bool,
    /// Skip articles with a digit in the title: years, dates, numbered lists
    #[arg(long)]
    skip_numbered: bool,
    /// File for the links of the articles to other websites: seeds for a crawl, one URL per line,
    /// the hosts with most links first
    #[arg(long, value_name = "FILE")]
    links: Option<PathBuf>,
    /// How many paragraphs to keep of those that differ only in names and numbers (written by bots)
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = whole::<u32>(1..))]
    repeats: u32,
}

/// Writes the paragraphs of the dumps' articles: JSON lines with one article each, or plain text
/// with one paragraph on each line. Of a damaged or cut dump, the readable part is written beside
/// the place of the output, and the function returns false. The first SIGINT or SIGTERM stops the
/// work and leaves nothing behind.
///
/// # Errors
/// Fails if an input cannot be read, is not a dump or has no article, no paragraph is kept, the
/// output cannot be written, or a signal stopped the work.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    let identifier =
        arguments.language.map(|language| context.identifier(&[language])).transpose()?;
    let language = identifier.as_deref().zip(arguments.language);
    if let Some((identifier, language)) = language {
        check_returned(identifier, &[language], "--language")?;
    }
    let begin = Instant::now();
    let is_plain = is_plain(&arguments.out)?;
    if let Some(folder) = arguments.dumps.iter().find(|dump| dump.is_dir()) {
        bail!("{}: is a folder; name the dumps in it", folder.display());
    }
    let sources = all_sources(&arguments.dumps)?;
    let outputs = named([(Some(&arguments.out), "--out"), (arguments.links.as_ref(), "--links")]);
    context.apart(&outputs, sources.iter().map(|source| source.path.as_path()))?;
    let Arguments { headings, lists, skip_numbered, repeats, .. } = *arguments;
    let settings = Settings { headings, lists, skip_numbered, repeats };
    let stop = stop_flag()?;
    let mut texts = Texts {
        is_plain,
        out: Output::new(&arguments.out, "--out")?,
        links: FilePlace::of(arguments.links.as_deref(), "--links")?,
        choice: Choice::new(seeds::Settings::of_links(URLS_PER_HOST)),
        written: 0,
    };
    let mut reading = Reading {
        extraction: Extraction::new(settings, language),
        counts: Counts::default(),
        is_whole: true,
        bytes: Arc::default(),
        progress: progress(&sources),
        stop: &stop,
    };
    let mut outcome = Ok(true);
    for source in &sources {
        outcome = reading.dump(source, context.max_bytes, &mut texts);
        if !matches!(outcome, Ok(true)) {
            break;
        }
    }
    reading.progress.finish_and_clear();
    if !outcome? {
        return Ok(true);
    }
    let Reading { extraction, counts, is_whole, .. } = reading;
    check_found(counts.articles, extraction.sums.paragraphs, arguments.language)?;
    let out = texts.out.finish(is_whole)?;
    if let Some(links) = texts.links {
        write(settle(links, is_whole)?, texts.choice, None)?;
    }
    tell(arguments, &extraction, counts);
    note!(
        "corpulyzer: {} of {}, {:.1} MB of text, {}: {out}",
        counted(extraction.sums.paragraphs, "paragraph"),
        counted(texts.written, "article"),
        extraction.sums.bytes as f64 / 1e6,
        spent(begin),
    );
    Ok(is_whole)
}

/// Refuses to write a corpus of nothing.
fn check_found(articles: u64, paragraphs: u64, language: Option<LangCode>) -> Result<()> {
    if articles == 0 {
        bail!("the input has no article; nothing was written");
    }
    if paragraphs == 0 {
        bail!(
            "no paragraph{} was found in {}; nothing was written",
            language.map_or(String::new(), |code| format!(" in {} ({code})", code.name())),
            counted(articles, "article")
        );
    }
    Ok(())
}

/// Reads the dumps, one after the other.
struct Reading<'a> {
    extraction: Extraction<'a>,
    counts: Counts,
    /// True if all dumps were read to their ends.
    is_whole: bool,
    /// Bytes that were read, before decompression.
    bytes: Arc<AtomicU64>,
    progress: ProgressBar,
    stop: &'a AtomicBool,
}

impl Reading<'_> {
    /// Reads a dump. Returns false if the reader of standard output closed its end.
    fn dump(&mut self, source: &Source, max_bytes: u64, texts: &mut Texts) -> Result<bool> {
        let named = |error: &dyn std::fmt::Display| anyhow!("{}: {error}", source.name);
        let (input, _) = source.decompressed(&self.bytes).map_err(|error| named(&error))?;
        let mut dump = Dump::open(input, max_bytes).map_err(|error| named(&error))?;
        loop {
            self.progress.set_position(self.bytes.load(Ordering::Relaxed));
            self.progress.set_message(counted(texts.written, "article"));
            if self.stop.load(Ordering::Relaxed) {
                return Err(Stopped::without_output());
            }
            let batch = self.extraction.next(&mut dump);
            match &batch.broken {
                Some(Broken::NoDump(what)) => return Err(named(what)),
                Some(Broken::Here(what)) => {
                    complain(&self.progress, &named(what).to_string());
                    self.is_whole = false;
                }
                None => {}
            }
            if batch.is_end {
                break;
            }
            for (article, text) in batch.articles {
                if !texts.write(&article, &text)? {
                    return Ok(false);
                }
            }
        }
        let Counts { articles, redirects, others } = dump.counts();
        self.counts.articles += articles;
        self.counts.redirects += redirects;
        self.counts.others += others;
        Ok(true)
    }
}

/// The outputs.
struct Texts {
    /// True for plain text.
    is_plain: bool,
    out: Output,
    /// File for the links to other websites, and the choice of them.
    links: Option<FilePlace>,
    choice: Choice,
    /// Articles in the output.
    written: u64,
}

impl Texts {
    /// Writes the text of an article. Returns false if the reader of standard output closed its
    /// end.
    fn write(&mut self, article: &Article, text: &str) -> Result<bool> {
        /// An article in JSON.
        #[derive(Serialize)]
        struct Record<'a> {
            url: Option<&'a str>,
            title: &'a str,
            id: u64,
            text: &'a str,
        }
        let url = article.url.as_deref();
        if is_left_out(url.unwrap_or_default(), text) {
            return Ok(true);
        }
        self.written += 1;
        if self.links.is_some() {
            let links = split(&article.wikitext).1.into_iter().filter(|url| !is_of_wikimedia(url));
            links.for_each(|url| self.choice.offer(url, 1, 1));
        }
        match self.is_plain {
            true => self.out.line(text.as_bytes()),
            false => self.out.object(&Record { url, title: &article.title, id: article.id, text }),
        }
    }
}

/// Returns whether a URL leads to the projects of the Wikimedia Foundation.
fn is_of_wikimedia(url: &str) -> bool {
    const DOMAINS: [&str; 5] =
        ["wikipedia.org", "wikimedia.org", "wikidata.org", "wiktionary.org", "toolforge.org"];
    let host = figures::parse::host(url);
    DOMAINS.iter().any(|domain| {
        host.strip_suffix(domain).is_some_and(|before| before.is_empty() || before.ends_with('.'))
    })
}

/// Returns true if the output is plain text.
fn is_plain(out: &Path) -> Result<bool> {
    let name = out.to_string_lossy();
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
    match Path::new(name).extension().and_then(|ending| ending.to_str()) {
        Some("txt") => Ok(true),
        Some("jsonl") => Ok(false),
        _ if name == "-" => Ok(false),
        _ => bail!(misuse!(
            "{}: its name has an unknown ending; allowed are *.jsonl and *.txt, each also with .gz or .zst, and - (--out)",
            out.display()
        )),
    }
}

/// Prints what was skipped and removed.
fn tell(arguments: &Arguments, extraction: &Extraction, counts: Counts) {
    let ParagraphSums { numbered, paragraphs, bytes, foreign, repeated, repeated_bytes } =
        extraction.sums;
    let percent = |part: u64, rest: u64| 100.0 * part as f64 / (part + rest).max(1) as f64;
    note!(
        "corpulyzer: read {}; skipped {}, and {} of other namespaces or without wikitext",
        counted(counts.articles, "article"),
        counted(counts.redirects, "redirect"),
        counted(counts.others, "page")
    );
    if arguments.skip_numbered {
        note!("corpulyzer: skipped {} with a digit in the title", counted(numbered, "article"));
    }
    let of_language = paragraphs + repeated;
    if let Some(language) = arguments.language {
        note!(
            "corpulyzer: removed {foreign} of {}, which are not identified as {language} ({:.1} %)",
            counted(foreign + of_language, "paragraph"),
            percent(foreign, of_language)
        );
    }
    note!(
        "corpulyzer: removed {repeated} of {} ({:.1} %, {:.1} % of the text): of paragraphs that differ only in names \
         and numbers, {} are kept (--repeats)",
        counted(of_language, "paragraph"),
        percent(repeated, paragraphs),
        percent(repeated_bytes, bytes),
        arguments.repeats
    );
    if extraction.is_full() {
        eprintln!(
            "corpulyzer: the list of paragraphs is full, so some of the last paragraphs may occur more often than \
             --repeats"
        );
    }
}
