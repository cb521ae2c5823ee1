//! Makes a release of a corpus: files of limited size, a README, terms, checksums.

mod choice;
mod facts;

use crate::arguments;
use crate::arguments::whole;
use crate::context::Context;
use crate::io::console::{counted, stop_flag};
use crate::io::corpora::{all_sources, read_through, tell_problems, NAMED_PROBLEMS};
use crate::io::output::{is_name, FolderPlace};
use crate::io::records::Watcher;
use crate::io::{input, of_option};
use anyhow::{anyhow, bail, Error, Result};
use clap::{Args, ValueEnum};
use inputs::exclusions::Without;
use langbytes::LangCode;
use release::{Failure, Kind, News, Previous, Release, Settings, Share, Tally, Wanted};
use std::cell::RefCell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The form of a release.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Layout {
    /// Lines as they are in the input, in gzip.
    Lines,
    /// Parquet shards, a card and metadata, as the Hugging Face Hub has them.
    Hub,
}

/// Make a release of a corpus or of sentences: files, a README with figures, terms, checksums
#[derive(Args)]
pub struct Arguments {
    /// JSON lines of a crawl, or the output of `sentences`: plain, gzip or zstd; Parquet; or
    /// folders of JSON lines and Parquet
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// Folder for the release, new or empty
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Language of the corpus, an ISO 639 code or a name
    #[arg(long, value_name = "CODE", value_parser = crate::arguments::language)]
    language: LangCode,
    /// E-mail address or web address for questions about the release, for example to have a page
    /// removed
    #[arg(long, value_name = "ADDRESS")]
    contact: String,
    /// Terms of use; the file becomes TERMS.txt
    #[arg(long, value_name = "FILE")]
    terms: Option<PathBuf>,
    /// Exclusion list. Each line is a host (which excludes its subdomains too), a URL prefix, or =
    /// and the URL of a page
    #[arg(long, value_name = "FILE")]
    without: Option<PathBuf>,
    /// Smallest number of words to pack [default: all]
    #[arg(long, value_name = "N", conflicts_with = "bytes", value_parser = whole::<u64>(1..))]
    words: Option<u64>,
    /// Smallest number of bytes of text to pack [default: all]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..))]
    bytes: Option<u64>,
    /// Largest size of a file, in MB of text. More text goes to further files
    #[arg(long, default_value_t = 1000, value_name = "MB")]
    #[arg(value_parser = whole::<u64>(1..=1_000_000))]
    file_mb: u64,
    /// Form of the release: lines, or hub (Parquet shards, a card with YAML head, Croissant
    /// metadata)
    #[arg(long, default_value = "lines", value_name = "L", hide_possible_values = true)]
    layout: Layout,
    /// With --layout hub: names and shares of the splits, such as train=.9,test=.1. The shares add
    /// up to 1. All pages of a host are in one split [default: train alone]
    #[arg(long, value_name = "NAME=SHARE", value_delimiter = ',')]
    split: Vec<Share>,
    /// With --layout hub: licence by its name on the Hub, such as odc-by, cc0-1.0 or other
    #[arg(long, value_name = "NAME")]
    license: Option<String>,
    /// With --license other: name of the licence
    #[arg(long, value_name = "NAME")]
    license_name: Option<String>,
    /// With --layout hub: address of the licence. Common licences have a default
    #[arg(long, value_name = "URL")]
    license_url: Option<String>,
    /// With --layout hub: address where the data set will be
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// With --layout hub: a creator of the data set. May be repeated
    #[arg(long, value_name = "NAME")]
    creator: Vec<String>,
    /// With --layout hub: date of publication
    #[arg(long, value_name = "YYYY-MM-DD")]
    published: Option<String>,
    /// With --layout hub: name of the data set [default: the language and `web corpus`]
    #[arg(long, value_name = "NAME")]
    title: Option<String>,
    /// With --layout hub: name of the crawl, for column `dump` of records that have none
    #[arg(long, value_name = "NAME")]
    dump: Option<String>,
    /// Also make a public site in the folder `site`: static pages with the list of websites, and
    /// how to report a wrong link
    #[arg(long)]
    site: bool,
    /// Folder of the last release, made with --site. The site then lists what is new
    #[arg(long, value_name = "DIR", requires = "site")]
    previous: Option<PathBuf>,
    #[command(flatten)]
    choice: choice::Options,
}

impl Arguments {
    fn wanted(&self) -> Wanted {
        match (self.words, self.bytes) {
            (Some(words), _) => Wanted::Words(words),
            (None, Some(bytes)) => Wanted::Bytes(bytes),
            (None, None) => Wanted::All,
        }
    }

    /// Returns the layout, with the facts for that of the Hub.
    ///
    /// # Errors
    /// Fails if a fact is missing, or an option is for the other layout.
    fn layout(&self) -> Result<release::Layout> {
        if self.layout == Layout::Hub {
            return facts::of(self).map(|facts| release::Layout::Hub(Box::new(facts)));
        }
        let options = [
            ("--split", !self.split.is_empty()),
            ("--license", self.license.is_some()),
            ("--license-name", self.license_name.is_some()),
            ("--license-url", self.license_url.is_some()),
            ("--url", self.url.is_some()),
            ("--creator", !self.creator.is_empty()),
            ("--published", self.published.is_some()),
            ("--title", self.title.is_some()),
            ("--dump", self.dump.is_some()),
        ];
        match options.iter().find(|(_, is_there)| *is_there) {
            Some((option, _)) => bail!(misuse!("{option} is for --layout hub alone")),
            None => Ok(release::Layout::Lines),
        }
    }
}

/// Packs a corpus, or a collection of sentences. The first byte of a file decides which it is. The
/// same input gives the same bytes. The first SIGINT or SIGTERM stops the work and leaves nothing
/// behind.
///
/// # Errors
/// Fails if an input cannot be read, it has less than the smallest amount, the folder cannot be
/// written or is not empty, or a signal stopped the work.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    let engine = &context.engine(engine::Settings::new(arguments.language))?;
    is_name(&arguments.out, "--out")?;
    let settings = arguments.settings(engine.settings().target(), context.max_bytes)?;
    // Check that the folder is writable now: later errors would name the temporary folder.
    let place = FolderPlace::new(&arguments.out)?;
    let next = place.begin()?;
    // The output of `sentences` has no ending of a corpus. Of a folder, only corpora are read.
    let inputs = all_sources(&arguments.corpora)?;
    let failed = |failure| arguments.failed(failure);
    let kind = release::kind(&inputs).map_err(failed)?;
    arguments.fit(kind)?;
    let stop = &stop_flag()?;
    let release = Release { settings: &settings, folder: next.path(), stop };
    let screen = Screen { what: kind.noun(), watcher: RefCell::default() };
    let packed = release.pack(inputs, kind, &|news| screen.tell(news)).map_err(failed)?;
    let measured = match kind {
        Kind::Sentences => None,
        Kind::Pages => {
            let sources = packed.sources(next.path())?;
            let measure = read_through(&sources, "figures", stop, |tell| {
                release.measure(&sources, engine, tell)
            });
            Some(measure?)
        }
    };
    release.describe(&packed, measured.as_ref()).map_err(failed)?;
    place.put(next)?;
    arguments.summarize(place.name(), &packed.tally, kind);
    Ok(true)
}

/// Shows the progress.
struct Screen {
    /// The noun of a document.
    what: &'static str,
    watcher: RefCell<Option<Watcher>>,
}

impl Screen {
    fn tell(&self, news: News) {
        let mut watcher = self.watcher.borrow_mut();
        match (news, watcher.as_ref()) {
            (News::Begins(inputs), _) => *watcher = Some(Watcher::new(inputs, 0)),
            (News::Corpus(news), Some(watcher)) => watcher.tell(news),
            (News::Looked(count), Some(watcher)) => {
                watcher.bar.set_message(format!("{} looked at", counted(count, self.what)));
            }
            (News::Packed(count), Some(watcher)) => {
                watcher.bar.set_message(format!("{} packed", counted(count, self.what)));
            }
            (News::Ends, Some(watcher)) => watcher.bar.finish_and_clear(),
            (News::Bad { number, what }, _) if number <= NAMED_PROBLEMS => {
                eprintln!("corpulyzer: {what}");
            }
            (News::Skipped(problems), _) => tell_problems("in all", problems),
            _ => {}
        }
    }
}

impl Arguments {
    fn settings(&self, language: LangCode, max_bytes: u64) -> Result<Settings> {
        let layout = self.layout()?;
        let contact = arguments::contact(&self.contact)?.to_owned();
        require_empty(&self.out)?;
        let terms = self.terms.as_deref();
        let terms = terms.map(|file| of_option(input::read(file, max_bytes), "--terms"));
        let terms = terms.transpose()?;
        let without = Without::of(self.without.as_deref(), max_bytes)?;
        let choice = self.choice.read(max_bytes)?;
        let previous = self.previous.as_deref().map(|last| Previous::read(last, max_bytes));
        let previous = previous.transpose().map_err(|bad| anyhow!("{bad} (--previous)"))?;
        Ok(Settings {
            language,
            contact,
            terms,
            without,
            wanted: self.wanted(),
            max_file_bytes: self.file_mb * 1_000_000,
            layout,
            choice,
            has_site: self.site,
            previous,
            max_bytes,
        })
    }

    /// Fails if an option does not fit what is packed.
    fn fit(&self, kind: Kind) -> Result<()> {
        if kind == Kind::Pages {
            return Ok(());
        }
        if self.layout == Layout::Hub {
            bail!("sentences have no columns; allowed for --layout hub are JSON lines and Parquet");
        }
        self.choice.are_for_pages()?;
        if self.site {
            bail!("sentences have no websites; allowed for --site are JSON lines and Parquet");
        }
        Ok(())
    }

    /// Names the option that a failure is about.
    fn failed(&self, failure: Failure) -> Error {
        let option = match &failure {
            Failure::Nothing(tally) => {
                return anyhow!("{}; nothing was written", why_empty(tally));
            }
            Failure::Folder(_) | Failure::Output { .. } => {
                let between = if matches!(failure, Failure::Folder(_)) { ": " } else { "/" };
                let sentence = format!("{}{between}{failure} (--out)", self.out.display());
                return Error::new(failure).context(sentence);
            }
            Failure::EmptySplit(_) => "--split",
            Failure::LongLine { .. } => "--max-bytes",
            _ => return failure.into(),
        };
        let sentence = format!("{failure} ({option})");
        Error::new(failure).context(sentence)
    }

    /// Prints what was packed and what was left out.
    fn summarize(&self, out: &Path, tally: &Tally, kind: Kind) {
        if self.terms.is_none() && self.license.is_none() {
            eprintln!("corpulyzer: the package has no terms of use (--terms)");
        }
        if tally.bad > 0 {
            eprintln!("corpulyzer: skipped {} with invalid fields", counted(tally.bad, "record"));
        }
        if self.without.is_some() {
            note!("corpulyzer: excluded {} by --without", tally.listed);
        }
        for line in choice::left_out(&tally.choice) {
            note!("corpulyzer: left out {line}");
        }
        note!(
            "corpulyzer: {} with {}; skipped {} without text, gone or rejected, {} with the URL of an earlier one: {}",
            counted(tally.documents, kind.noun()),
            counted(tally.words, "word"),
            tally.no_text,
            tally.twice,
            out.display()
        );
    }
}

/// Checks that a folder is new or empty.
///
/// # Errors
/// Fails if it is not, or cannot be read.
fn require_empty(out: &Path) -> Result<()> {
    match fs::read_dir(out).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Ok(false) => bail!("{}: is not empty; name another folder (--out)", out.display()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => bail!("{}: {error} (--out)", out.display()),
    }
}

/// Returns why no document is packed.
fn why_empty(tally: &Tally) -> String {
    let mut left_out = choice::left_out(&tally.choice);
    if tally.listed > 0 {
        left_out.push(format!("{} by --without", tally.listed));
    }
    if left_out.is_empty() {
        return "the input has no text".to_owned();
    }
    format!("the options leave no text; they leave out {}", left_out.join(", "))
}
