//! Extracts text from the dumps of wikis, for a language without other text.

use crate::arguments::whole;
use crate::context::Context;
use crate::identifier;
use crate::io::console::counted;
use crate::io::console::{complain, stop_flag, Stopped};
use crate::io::corpora::{all_sources, peak_memory, progress};
use crate::io::output::{settle, Place};
use crate::io::records::Output;
use crate::io::seeds::write;
use ::wikipedia::{
    paragraphs, Article, Broken, Counts, Dump, Kind, Namespaces, Paragraph, Repeats,
};
use anyhow::{anyhow, bail, Result};
use clap::Args;
use figures::removals::is_left_out;
use langid::{Identify, LangCode};
use rayon::prelude::*;
use records::Source;
use seeds::posts::split;
use seeds::Choice;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Instant;

/// Bytes of wikitext and number of articles in a batch.
const BATCH_BYTES: usize = 8 << 20;
const BATCH_ARTICLES: usize = 4096;

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

/// An article in JSON.
#[derive(Serialize)]
struct Record<'a> {
    url: Option<&'a str>,
    title: &'a str,
    id: u64,
    text: &'a str,
}

/// Sums over paragraphs.
#[derive(Default)]
struct Sums {
    /// Articles with text in the output.
    written: u64,
    /// Articles that were skipped for a digit in the title (as in W2C).
    numbered: u64,
    paragraphs: u64,
    bytes: u64,
    /// Paragraphs in another language.
    foreign: u64,
    /// Paragraphs that had occurred often enough, and their bytes.
    repeated: u64,
    repeated_bytes: u64,
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
    let max_bytes = context.max_bytes;
    let identifier =
        arguments.language.map(|language| context.identifier(&[language])).transpose()?;
    let language = identifier.as_deref().zip(arguments.language);
    if let Some((identifier, language)) = language {
        identifier::check(identifier, &[language], "--language")?;
    }
    let begin = Instant::now();
    let plain = is_plain(&arguments.out)?;
    if let Some(folder) = arguments.dumps.iter().find(|dump| dump.is_dir()) {
        bail!("{}: is a folder; name the dumps in it", folder.display());
    }
    let sources = all_sources(&arguments.dumps)?;
    let outputs: Vec<(&Path, &str)> = std::iter::once((arguments.out.as_path(), "--out"))
        .chain(arguments.links.as_deref().map(|links| (links, "--links")))
        .collect();
    context.apart(&outputs, sources.iter().map(|source| source.path.as_path()))?;
    let stop = stop_flag()?;
    let mut work = Work {
        arguments,
        language,
        plain,
        out: Output::new(&arguments.out, "--out")?,
        links: arguments.links.as_deref().map(|file| Place::new(file, "--links")).transpose()?,
        choice: Choice::new(seeds::Settings::of_links(URLS_PER_HOST)),
        repeats: Repeats::new(arguments.repeats),
        sums: Sums::default(),
        counts: Counts::default(),
        whole: true,
    };
    let progress = progress(&sources);
    let read = Arc::new(AtomicU64::new(0));
    let tell = |written: u64| {
        progress.set_position(read.load(Ordering::Relaxed));
        progress.set_message(counted(written, "article"));
        if stop.load(Ordering::Relaxed) {
            return Err(Stopped::without_output());
        }
        Ok(())
    };
    let mut outcome = Ok(true);
    for source in &sources {
        outcome =
            work.read(source, &read, max_bytes, &tell, &|problem| complain(&progress, problem));
        if !matches!(outcome, Ok(true)) {
            break;
        }
    }
    progress.finish_and_clear();
    if !outcome? {
        return Ok(true);
    }
    work.end(begin)
}

/// Processes the dumps, one after the other.
struct Work<'a> {
    arguments: &'a Arguments,
    /// The identifier, and the language of the paragraphs to keep.
    language: Option<(&'a dyn Identify, LangCode)>,
    /// True for plain text as output.
    plain: bool,
    out: Output,
    /// File for the links to other websites, and the choice of them.
    links: Option<Place>,
    choice: Choice,
    repeats: Repeats,
    sums: Sums,
    counts: Counts,
    /// True if all dumps were read to their ends.
    whole: bool,
}

impl Work<'_> {
    /// Reads a dump. Returns how many articles were written and what is wrong with the dump.
    /// Returns false if the reader of standard output closed its end.
    fn read(
        &mut self,
        source: &Source,
        read: &Arc<AtomicU64>,
        max_bytes: u64,
        tell: &dyn Fn(u64) -> Result<()>,
        complain: &dyn Fn(&str),
    ) -> Result<bool> {
        let named = |error: &dyn std::fmt::Display| anyhow!("{}: {error}", source.name);
        let (input, _) = source.decompressed(read).map_err(|error| named(&error))?;
        let mut dump = Dump::open(input, max_bytes).map_err(|error| named(&error))?;
        loop {
            tell(self.sums.written)?;
            let (mut articles, broken) = batch(&mut dump);
            match &broken {
                Some(Broken::NoDump(what)) => return Err(named(what)),
                Some(Broken::Here(what)) => {
                    complain(&named(what).to_string());
                    self.whole = false;
                }
                None => {}
            }
            if articles.is_empty() {
                break;
            }
            if self.arguments.skip_numbered {
                let all = articles.len();
                articles.retain(|article| !article.title.contains(char::is_numeric));
                self.sums.numbered += (all - articles.len()) as u64;
            }
            let texts = texts(&articles, dump.namespaces(), self.arguments, self.language);
            for (article, (paragraphs, foreign)) in articles.iter().zip(texts) {
                self.sums.foreign += foreign;
                if !self.write(article, &paragraphs)? {
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

    /// Writes the paragraphs of an article that did not occur too often. Returns false if the
    /// reader of standard output closed its end.
    fn write(&mut self, article: &Article, paragraphs: &[Paragraph]) -> Result<bool> {
        let mut text = String::new();
        for paragraph in paragraphs {
            if self.repeats.pass(&article.title, paragraph) {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(&paragraph.text);
                self.sums.paragraphs += 1;
                self.sums.bytes += paragraph.text.len() as u64;
            } else {
                self.sums.repeated += 1;
                self.sums.repeated_bytes += paragraph.text.len() as u64;
            }
        }
        if text.is_empty() || is_left_out(article.url.as_deref().unwrap_or_default(), &text) {
            return Ok(true);
        }
        self.sums.written += 1;
        if self.links.is_some() {
            for url in split(&article.wikitext).1 {
                if !is_of_wikimedia(url) {
                    self.choice.offer(url, 1, 1);
                }
            }
        }
        if self.plain {
            self.out.line(text.as_bytes())
        } else {
            self.out.object(&Record {
                url: article.url.as_deref(),
                title: &article.title,
                id: article.id,
                text: &text,
            })
        }
    }

    /// Puts the text in place and prints the sums.
    fn end(self, begin: Instant) -> Result<bool> {
        if self.counts.articles == 0 {
            bail!("the input has no article; nothing was written");
        }
        if self.sums.paragraphs == 0 {
            let language = self.arguments.language;
            bail!(
                "no paragraph{} was found in {}; nothing was written",
                language.map_or(String::new(), |code| format!(" in {} ({code})", code.name())),
                counted(self.counts.articles, "article")
            );
        }
        let out = self.out.finish(self.whole)?;
        if let Some(links) = self.links {
            write(settle(links, self.whole)?, self.choice, None)?;
        }
        tell(self.arguments, &out, &self.sums, self.counts, &self.repeats, begin);
        Ok(self.whole)
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
        _ => Err(anyhow!(
            "{}: its name has an unknown ending; allowed are *.jsonl and *.txt, each also with .gz or .zst, and - (--out)",
            out.display()
        )),
    }
}

/// The next articles, and the reason why there are no more.
fn batch(dump: &mut Dump<impl std::io::BufRead>) -> (Vec<Article>, Option<Broken>) {
    let (mut articles, mut bytes) = (Vec::new(), 0);
    while bytes < BATCH_BYTES && articles.len() < BATCH_ARTICLES {
        match dump.next() {
            Some(Ok(article)) => {
                bytes += article.wikitext.len();
                articles.push(article);
            }
            Some(Err(broken)) => return (articles, Some(broken)),
            None => break,
        }
    }
    (articles, None)
}

/// Returns the paragraphs of each article of the requested kinds and language, and the number of
/// those in another language.
fn texts(
    articles: &[Article],
    namespaces: &Namespaces,
    arguments: &Arguments,
    language: Option<(&dyn Identify, LangCode)>,
) -> Vec<(Vec<Paragraph>, u64)> {
    let text = |article: &Article| {
        let mut paragraphs = paragraphs(&article.title, &article.wikitext, namespaces);
        paragraphs.retain(|paragraph| match paragraph.kind {
            Kind::Text => true,
            Kind::Heading => arguments.headings,
            Kind::Item => arguments.lists,
        });
        let all = paragraphs.len();
        if let Some((identifier, language)) = language {
            paragraphs.retain(|paragraph| identifier.identify(&paragraph.text, None) == language);
        }
        let foreign = (all - paragraphs.len()) as u64;
        (paragraphs, foreign)
    };
    articles.par_iter().map(text).collect()
}

fn tell(
    arguments: &Arguments,
    out: &str,
    sums: &Sums,
    counts: Counts,
    repeats: &Repeats,
    begin: Instant,
) {
    let percent = |part: u64, rest: u64| 100.0 * part as f64 / (part + rest).max(1) as f64;
    eprintln!(
        "corpulyzer: read {}; skipped {}, and {} of other namespaces or without wikitext",
        counted(counts.articles, "article"),
        counted(counts.redirects, "redirect"),
        counted(counts.others, "page")
    );
    if arguments.skip_numbered {
        let numbered = counted(sums.numbered, "article");
        eprintln!("corpulyzer: skipped {numbered} with a digit in the title");
    }
    if let Some(language) = arguments.language {
        let rest = sums.paragraphs + sums.repeated;
        eprintln!(
            "corpulyzer: removed {} of {}, which are not identified as {language} ({:.1} %)",
            sums.foreign,
            counted(sums.foreign + rest, "paragraph"),
            percent(sums.foreign, rest)
        );
    }
    eprintln!(
        "corpulyzer: removed {} of {} ({:.1} %, {:.1} % of the text): of paragraphs that differ only in names \
         and numbers, {} are kept (--repeats)",
        sums.repeated,
        counted(sums.repeated + sums.paragraphs, "paragraph"),
        percent(sums.repeated, sums.paragraphs),
        percent(sums.repeated_bytes, sums.bytes),
        arguments.repeats
    );
    if repeats.is_full() {
        eprintln!(
            "corpulyzer: the list of paragraphs is full, so some of the last paragraphs may occur more often than \
             --repeats"
        );
    }
    eprintln!(
        "corpulyzer: {} of {}, {:.1} MB of text, in {:.1} s{}: {}",
        counted(sums.paragraphs, "paragraph"),
        counted(sums.written, "article"),
        sums.bytes as f64 / 1e6,
        begin.elapsed().as_secs_f64(),
        peak_memory()
            .map_or_else(String::new, |peak| format!(", at most {} MiB of memory", peak >> 20)),
        out
    );
}
