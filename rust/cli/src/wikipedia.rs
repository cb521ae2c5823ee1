//! Text from the dumps of wikis, for a language that has nothing else yet.

use crate::counted::counted;
use crate::extract::{complain, stop_flag};
use crate::place::apart;
use crate::reading::{all_sources, peak_memory, progress};
use crate::records::Output;
use ::wikipedia::{paragraphs, Article, Broken, Counts, Dump, Kind, Namespaces, Paragraph, Repeats};
use langid::{Identify, LangCode};
use rayon::prelude::*;
use records::Source;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Instant;

/// Bytes of wikitext, and articles, that are worked on at a time.
const BATCH_BYTES: usize = 8 << 20;
const BATCH_ARTICLES: usize = 4096;

/// What is asked for.
pub struct Asked<'a> {
    /// Dumps; `-` is standard input.
    pub dumps: &'a [PathBuf],
    /// File for the text; `-` is standard output.
    pub out: &'a Path,
    /// Whether headings stay.
    pub headings: bool,
    /// Whether items of lists stay.
    pub lists: bool,
    /// How often paragraphs stay that are the same but for names and numbers.
    pub repeats: u32,
    /// Who tells languages, and the one that paragraphs are to be in.
    pub language: Option<(&'a dyn Identify, LangCode)>,
}

/// An article in JSON.
#[derive(Serialize)]
struct Record<'a> {
    url: Option<&'a str>,
    title: &'a str,
    id: u64,
    text: &'a str,
}

/// What became of paragraphs.
#[derive(Default)]
struct Sums {
    /// Articles of which text was written.
    written: u64,
    paragraphs: u64,
    bytes: u64,
    /// Paragraphs in another language.
    foreign: u64,
    /// Paragraphs that there had been often enough, and their bytes.
    repeated: u64,
    repeated_bytes: u64,
}

/// Writes the paragraphs of the dumps' articles: JSON lines with an article each, or plain text with a paragraph a line. A dump that is damaged
/// or ends early is read as far as it goes; then the text goes beside its place, and the answer is false. The first SIGINT or SIGTERM stops the work and leaves nothing behind.
///
/// # Errors
/// When an input cannot be read, is no dump or has no article, the output cannot be written, or a signal stopped the work.
pub fn run(asked: &Asked, max_bytes: u64) -> Result<bool, String> {
    let begin = Instant::now();
    let plain = is_plain(asked.out)?;
    if let Some(folder) = asked.dumps.iter().find(|dump| dump.is_dir()) {
        return Err(format!("{}: is a folder; name the dumps in it", folder.display()));
    }
    let sources = all_sources(asked.dumps)?;
    apart(&[(asked.out, "--out")], sources.iter().map(|source| source.path.as_path()))?;
    let stop = stop_flag().map_err(|error| format!("signals: {error}"))?;
    let mut work = Work {
        asked,
        plain,
        out: Output::new(asked.out, "--out")?,
        repeats: Repeats::new(asked.repeats),
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
            return Err("stopped by a signal; nothing was written".to_owned());
        }
        Ok(())
    };
    let mut wanted = Ok(true);
    for source in &sources {
        if wanted == Ok(true) {
            wanted = work.read(source, &read, max_bytes, &tell, &|problem| complain(&progress, problem));
        }
    }
    progress.finish_and_clear();
    if !wanted? {
        return Ok(true);
    }
    work.end(begin)
}

/// What is done, dump by dump.
struct Work<'a> {
    asked: &'a Asked<'a>,
    /// Whether text is written as it is.
    plain: bool,
    out: Output,
    repeats: Repeats,
    sums: Sums,
    counts: Counts,
    /// Whether all dumps were read to their ends.
    whole: bool,
}

impl Work<'_> {
    /// Reads a dump. Tells how many articles were written, which may fail, and what is wrong with the dump. False if the reader of standard
    /// output has seen enough.
    fn read(
        &mut self,
        source: &Source,
        read: &Arc<AtomicU64>,
        max_bytes: u64,
        tell: &dyn Fn(u64) -> Result<(), String>,
        complain: &dyn Fn(&str),
    ) -> Result<bool, String> {
        let named = |error: &dyn std::fmt::Display| format!("{}: {error}", source.name);
        let (input, _) = source.decompressed(read).map_err(|error| named(&error))?;
        let mut dump = Dump::open(input, max_bytes).map_err(|error| named(&error))?;
        loop {
            tell(self.sums.written)?;
            let (articles, broken) = batch(&mut dump);
            match &broken {
                Some(Broken::NoDump(what)) => return Err(named(what)),
                Some(Broken::Here(what)) => {
                    complain(&named(what));
                    self.whole = false;
                }
                None => {}
            }
            if articles.is_empty() {
                break;
            }
            let texts = texts(&articles, dump.namespaces(), self.asked);
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

    /// Writes what of an article was not there too often; false if the reader of standard output has seen enough.
    fn write(&mut self, article: &Article, paragraphs: &[Paragraph]) -> Result<bool, String> {
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
        if text.is_empty() {
            return Ok(true);
        }
        self.sums.written += 1;
        if self.plain {
            self.out.line(text.as_bytes())
        } else {
            self.out.object(&Record { url: article.url.as_deref(), title: &article.title, id: article.id, text: &text })
        }
    }

    /// Puts the text there and says what it came to.
    fn end(self, begin: Instant) -> Result<bool, String> {
        if self.counts.articles == 0 {
            return Err("there is no article in what was read; nothing was written".to_owned());
        }
        let out = self.out.finish(self.whole)?;
        tell(self.asked, &out, &self.sums, self.counts, &self.repeats, begin);
        Ok(self.whole)
    }
}

/// Whether text goes into a file as it is.
fn is_plain(out: &Path) -> Result<bool, String> {
    let name = out.to_string_lossy();
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
    match Path::new(name).extension().and_then(|ending| ending.to_str()) {
        Some("txt") => Ok(true),
        Some("jsonl") => Ok(false),
        _ if name == "-" => Ok(false),
        _ => Err(format!(
            "{}: its name tells no form; allowed are *.jsonl and *.txt, each also with .gz or .zst, and - (--out)",
            out.display()
        )),
    }
}

/// The next articles, and why there are no more.
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

/// The paragraphs of each article that are of a kind and in a language that is wanted, and how many were in another language.
fn texts(articles: &[Article], namespaces: &Namespaces, asked: &Asked) -> Vec<(Vec<Paragraph>, u64)> {
    let text = |article: &Article| {
        let mut paragraphs = paragraphs(&article.title, &article.wikitext, namespaces);
        paragraphs.retain(|paragraph| match paragraph.kind {
            Kind::Text => true,
            Kind::Heading => asked.headings,
            Kind::Item => asked.lists,
        });
        let all = paragraphs.len();
        if let Some((identifier, language)) = asked.language {
            paragraphs.retain(|paragraph| identifier.identify(&paragraph.text, None) == language);
        }
        let foreign = (all - paragraphs.len()) as u64;
        (paragraphs, foreign)
    };
    articles.par_iter().map(text).collect()
}

fn tell(asked: &Asked, out: &str, sums: &Sums, counts: Counts, repeats: &Repeats, begin: Instant) {
    let percent = |part: u64, rest: u64| 100.0 * part as f64 / (part + rest).max(1) as f64;
    eprintln!(
        "corpulyzer: {}, beside {} and {} of other namespaces or without wikitext",
        counted(counts.articles, "article"),
        counted(counts.redirects, "redirect"),
        counted(counts.others, "page")
    );
    if let Some((_, language)) = asked.language {
        let rest = sums.paragraphs + sums.repeated;
        eprintln!(
            "corpulyzer: {} of {} left out, which do not read like {language} ({:.1} %)",
            sums.foreign,
            counted(sums.foreign + rest, "paragraph"),
            percent(sums.foreign, rest)
        );
    }
    eprintln!(
        "corpulyzer: {} of {} left out, of which there were {} that are the same but for names and numbers ({:.1} %, {:.1} % of the text)",
        sums.repeated,
        counted(sums.repeated + sums.paragraphs, "paragraph"),
        asked.repeats,
        percent(sums.repeated, sums.paragraphs),
        percent(sums.repeated_bytes, sums.bytes)
    );
    if repeats.is_full() {
        eprintln!("corpulyzer: there were more paragraphs than can be remembered; of the last ones some may be there too often");
    }
    eprintln!(
        "corpulyzer: {} of {}, {:.1} MB of text, in {:.1} s{}: {}",
        counted(sums.paragraphs, "paragraph"),
        counted(sums.written, "article"),
        sums.bytes as f64 / 1e6,
        begin.elapsed().as_secs_f64(),
        peak_memory().map_or_else(String::new, |peak| format!(", at most {} MiB of memory", peak >> 20)),
        out
    );
}
