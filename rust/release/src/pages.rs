//! Pages of a corpus: which are packed, and their figures.

use crate::choice::{self, Refusal};
use crate::files::Files;
use crate::hub::{Hub, Schema, Written};
use crate::{count, Failure, Layout, News, Settings, Tally, Wanted};
use engine::Engine;
use figures::analyze::{analyze, Rules};
use figures::identity::of_run;
use figures::pages::{self, Inputs, Progress};
use figures::parse::check_line;
use figures::sites::Sites;
use figures::{Figures, Plan, Tokenizer};
use inputs::corpus::{Fields, Line, Read, Records};
use rayon::prelude::*;
use records::{Problem, Source};
use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Memory in bytes for the URLs of the packed pages while they are measured, and a third of that
/// for all sums.
const URL_MEMORY: usize = 256 << 20;

/// The output for pages.
pub enum Sink {
    Lines(Box<Files>),
    Hub(Hub),
}

impl Sink {
    fn add(&mut self, page: &PackedPage) -> Result<(), Failure> {
        match self {
            Self::Lines(files) => files.line(&page.line, page.bytes),
            Self::Hub(hub) => hub.add(&page.line, page.bytes),
        }
    }

    fn finish(self) -> Result<Written, Failure> {
        match self {
            Self::Lines(files) => Ok(Written::lines(files.finish()?)),
            Self::Hub(hub) => hub.finish(),
        }
    }
}

/// A page with text that can be packed.
pub struct PackedPage {
    pub line: Vec<u8>,
    /// Hash of its URL, or of its text if it has none. Pages are chosen in the order of these.
    pub hash: u64,
    /// Its identity in this run.
    pub id: u64,
    /// Identity of its host.
    pub site: u64,
    /// Its class in the lists of the choice, if it has one.
    pub class: Option<usize>,
    /// Number of placeholders for personal data in its text and its other fields.
    pub masked: u64,
    pub words: u64,
    pub bytes: u64,
    pub fetch_time: Option<String>,
    pub version: Option<String>,
}

/// The pages that are packed.
struct Sample {
    /// The largest hash that is packed.
    last: u64,
    /// The identities of the pages that the caps allow, if there are caps.
    capped: Option<HashSet<u64>>,
}

impl Sample {
    /// Chooses the pages in a first pass over the records. Without a smallest amount and without
    /// caps, all pages are packed, and nothing is read.
    fn draw(
        settings: &Settings,
        (records, tell): (&Records, &dyn Fn(News)),
        tally: &mut Tally,
        read_page: &(impl Fn(Line) -> Result<PackedPage, Out> + Sync),
    ) -> Result<Self, Failure> {
        let choice = &settings.choice;
        let (wanted, is_in_words) = match settings.wanted {
            Wanted::All => (None, false),
            Wanted::Words(wanted) => (Some(wanted), true),
            Wanted::Bytes(wanted) => (Some(wanted), false),
        };
        let mut sample = Self { last: u64::MAX, capped: None };
        if wanted.is_none() && !choice.has_caps() {
            return Ok(sample);
        }
        let mut offered: Vec<choice::Offered> = Vec::new();
        let mut seen = HashSet::new();
        read_all(records, tell, &mut |lines| {
            let pages: Vec<Option<PackedPage>> =
                lines.into_par_iter().map(|line| read_page(line).ok()).collect();
            let new = pages.iter().flatten().filter(|page| seen.insert(page.id));
            offered.extend(new.map(|page| choice::Offered {
                hash: page.hash,
                id: page.id,
                amount: if is_in_words { page.words } else { page.bytes },
                site: page.site,
                class: page.class,
            }));
            Ok(News::Looked(offered.len() as u64))
        })?;
        if choice.has_caps() {
            let chosen = choice.capped(offered.clone());
            tally.choice.capped = (offered.len() - chosen.len()) as u64;
            offered.retain(|page| chosen.contains(&page.id));
            sample.capped = Some(chosen);
        }
        if let Some(wanted) = wanted {
            tally.of = Some(offered.iter().map(|page| page.amount).sum());
            let hashes = offered.iter().map(|page| (page.hash, page.amount)).collect();
            sample.last = last_of(hashes, wanted);
        }
        Ok(sample)
    }

    fn contains(&self, page: &PackedPage) -> bool {
        page.hash <= self.last && self.capped.as_ref().is_none_or(|pages| pages.contains(&page.id))
    }
}

/// The pages of a corpus that are packed: all, or a sample of them by the hashes of their URLs, in
/// the order of the corpus.
pub struct Reading<'a> {
    settings: &'a Settings,
    tokenizer: Tokenizer,
    records: &'a Records,
    tell: &'a dyn Fn(News),
    sample: Sample,
    tally: Tally,
}

/// Reads all records, and tells how far it is.
fn read_all(
    records: &Records,
    tell: &dyn Fn(News),
    take: &mut dyn FnMut(Vec<Line>) -> Result<News<'static>, Failure>,
) -> Result<Read, Failure> {
    tell(News::Begins(&records.inputs));
    let read = records.read(&|news| tell(News::Corpus(news)), &mut |lines| {
        tell(take(lines)?);
        Ok::<_, Failure>(true)
    });
    tell(News::Ends);
    read
}

impl<'a> Reading<'a> {
    /// Chooses the pages.
    ///
    /// # Errors
    /// Fails if an input cannot be read.
    pub fn new(
        settings: &'a Settings,
        records: &'a Records,
        tell: &'a dyn Fn(News),
    ) -> Result<Self, Failure> {
        let tokenizer = Tokenizer::new(settings.language);
        let mut tally = Tally::default();
        let read_page = |line| page(line, Some(&tokenizer), settings);
        let sample = Sample::draw(settings, (records, tell), &mut tally, &read_page)?;
        Ok(Self { settings, tokenizer, records, tell, sample, tally })
    }

    /// The columns of the pages in the layout for the Hub.
    ///
    /// # Errors
    /// Fails if an input cannot be read, or the pages have too many fields.
    pub fn schema(&self, dump: Option<String>) -> Result<Schema, Failure> {
        let mut schema = Schema::new(self.settings.language, dump);
        let (mut looked, mut seen) = (0u64, HashSet::new());
        read_all(self.records, self.tell, &mut |lines| {
            looked += lines.len() as u64;
            let pages: Vec<Option<PackedPage>> =
                lines.into_par_iter().map(|line| page(line, None, self.settings).ok()).collect();
            for page in pages.iter().flatten() {
                if seen.insert(page.id) && self.sample.contains(page) {
                    schema.note(&Fields::of(&page.line)?)?;
                }
            }
            Ok(News::Looked(looked))
        })?;
        Ok(schema)
    }

    /// Begins the files for the pages in a folder.
    ///
    /// # Errors
    /// As [`Reading::schema`], and if a file cannot be written.
    pub fn sink(&self, folder: &Path) -> Result<Sink, Failure> {
        let (language, most) = (self.settings.language, self.settings.max_file_bytes);
        Ok(match &self.settings.layout {
            Layout::Lines => Sink::Lines(Box::new(Files::new(folder, language, "jsonl", most))),
            Layout::Hub(facts) => {
                let schema = self.schema(facts.dump.clone())?;
                Sink::Hub(Hub::new(folder, schema, &facts.shares, most)?)
            }
        })
    }

    /// Packs the pages.
    ///
    /// # Errors
    /// Fails if an input cannot be read to its end, no page is left, or a file cannot be written.
    pub fn pack(self, mut sink: Sink) -> Result<(Tally, Written), Failure> {
        let Self { settings, tokenizer, records, tell, sample, mut tally } = self;
        let mut seen = HashSet::new();
        let read = read_all(records, tell, &mut |lines| {
            let pages: Vec<Result<PackedPage, Out>> =
                lines.into_par_iter().map(|line| page(line, Some(&tokenizer), settings)).collect();
            for page in pages {
                match page {
                    Ok(page) if !seen.insert(page.id) => tally.twice += 1,
                    Ok(page) if sample.contains(&page) => {
                        sink.add(&page)?;
                        tally.add(page);
                    }
                    Ok(_) => {}
                    Err(out) => tally.leave_out(out, tell),
                }
            }
            Ok(News::Packed(tally.documents))
        })?;
        tell(News::Skipped(&read.problems));
        if !read.is_whole() {
            return Err(Failure::Incomplete);
        }
        if tally.documents == 0 {
            return Err(Failure::Nothing(Box::new(tally)));
        }
        Ok((tally, sink.finish()?))
    }
}

impl Tally {
    fn leave_out(&mut self, out: Out, tell: &dyn Fn(News)) {
        match out {
            Out::Listed => self.listed += 1,
            Out::Refused(refusal) => self.choice.refuse(refusal),
            Out::NoText => self.no_text += 1,
            Out::Bad(what) => {
                self.bad += 1;
                tell(News::Bad { number: self.bad, what: &what });
            }
        }
    }
}

/// The largest hash that is packed: pages are chosen in the order of their hashes until there is
/// enough.
fn last_of(mut offered: Vec<(u64, u64)>, wanted: u64) -> u64 {
    offered.sort_unstable();
    let mut sum = 0u64;
    for (hash, amount) in offered {
        sum = sum.saturating_add(amount);
        if sum >= wanted {
            return hash;
        }
    }
    u64::MAX
}

/// The reason why a page is not packed.
enum Out {
    Listed,
    Refused(Refusal),
    NoText,
    /// A reader of the package could not parse it. A sentence.
    Bad(String),
}

/// Reads a page that can be packed. Its words are counted if there is a tokenizer.
fn page(
    (line, page): Line,
    tokenizer: Option<&Tokenizer>,
    settings: &Settings,
) -> Result<PackedPage, Out> {
    let text = page.text();
    let url = page.url.as_deref().unwrap_or_default();
    if settings.without.has(url) {
        return Err(Out::Listed);
    }
    if text.is_empty() {
        return Err(Out::NoText);
    }
    let bad = |what: String| {
        let name = if url.is_empty() { "a page without a URL" } else { url };
        Out::Bad(format!("{name}: {what}"))
    };
    check_line(&line).map_err(|fault| bad(fault.to_string()))?;
    let name = if url.is_empty() { text } else { url };
    let (hash, id) = (figures::urls::fingerprint(name), of_run(name.as_bytes()));
    let mut fields = Fields::of(&line).map_err(|error| bad(error.to_string()))?;
    let choice::Admitted { changed, masked, class } = settings
        .choice
        .admit(url, text, &mut fields)
        .map_err(|error| bad(error.to_string()))?
        .map_err(Out::Refused)?;
    let (line, text) = match &changed {
        Some((line, text)) => (line.clone(), text.as_str()),
        None => (line, text),
    };
    let site = of_run(choice::host(url).as_bytes());
    let words = tokenizer.map_or(0, |tokenizer| count(text, tokenizer));
    let bytes = text.len() as u64;
    let string = |name| serde_json::from_str(fields.get(name)?).ok();
    let (fetch_time, version) = (string("fetch_time"), string("record_version"));
    Ok(PackedPage { line, hash, id, site, class, masked, words, bytes, fetch_time, version })
}

/// Figures of the packed text.
#[derive(Debug)]
pub struct Measured {
    /// Those of the report.
    pub figures: Figures,
    /// All its sites.
    pub sites: Sites,
}

/// Measures packed pages as the report does.
///
/// # Errors
/// Fails if a file cannot be read, a temporary file cannot be written, or the work was stopped.
pub fn measure(
    sources: &[Source],
    folder: &Path,
    engine: &Engine,
    max_bytes: u64,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(Result<Progress, &Problem>),
) -> Result<Measured, pages::Failure> {
    let inputs = Inputs { sources, engine, folder, memory: URL_MEMORY, max_bytes, stop };
    let plan = Plan {
        target: engine.settings().target(),
        scripts: engine.model_scripts(engine.settings().target()),
        words: true,
    };
    let outcome = analyze(&inputs, plan, Rules::default(), 3 * URL_MEMORY, tell)?;
    Ok(Measured { figures: outcome.figures, sites: outcome.sites })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_taken_by_their_hashes_until_there_is_enough() {
        let offered = vec![(30, 5), (10, 5), (20, 5)];
        assert_eq!(
            [1, 5, 6, 15, 16].map(|wanted| last_of(offered.clone(), wanted)),
            [10, 10, 20, 30, u64::MAX]
        );
    }
}
