//! Lists seeds for a crawl, from an archive, the index of an archive, or an old corpus.

pub mod index;

use crate::arguments::{number, share, whole, Archive};
use crate::context::{check_returned, Context};
use crate::io::console::{counted, is_stopped};
use crate::io::corpora::{Pages, URL_MEMORY};
use crate::io::output::{apart, named, settle, FilePlace};
use crate::io::seeds::{write, write_lines};
use crate::io::{input, of_option};
use crate::website::Website;
use anyhow::{bail, Error, Result};
use clap::Args;
use inputs::exclusions::Without;
use langid::LangCode;
use properties::PAGE_MIN_BYTES;
use seeds::{known, Choice, Draw, Settings};
use std::path::{Path, PathBuf};

/// List the URLs of pages in a language, richest hosts first: seeds for a crawl, from an archive or
/// an old corpus
#[derive(Args)]
pub struct Arguments {
    /// WARC files, WET files or JSON lines of a crawl: plain, gzip or zstd; Parquet; or folders of
    /// them. - is standard input. With --index, indexes
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// File for the seeds, one URL per line; .gz and .zst compress. An old file is replaced after
    /// the new one is complete
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Language of the seeds, an ISO 639 code or a name
    #[arg(long, value_name = "CODE", value_parser = crate::arguments::language)]
    language: LangCode,
    /// Smallest size of a page, in bytes of the language
    #[arg(long, default_value_t = PAGE_MIN_BYTES.default, value_name = "N")]
    #[arg(value_parser = whole::<u64>(1..))]
    min_bytes: u64,
    /// Largest number of URLs per host, or per website with --site. Pages with most of the language
    /// come first
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = whole::<u16>(1..))]
    per_host: u16,
    /// Rule for the websites of --per-host: host (each host), no-www (a host with www. is the same
    /// as without) or domain (all hosts of a registered domain, by the public suffix list)
    #[arg(long, value_enum, default_value_t = Website::Host, hide_possible_values = true, value_name = "BY")]
    site: Website,
    /// Exclusion list. Each line is a host (which excludes its subdomains too), a URL prefix, or =
    /// and the URL of a page
    #[arg(long, value_name = "FILE")]
    without: Option<PathBuf>,
    /// URLs to skip, one per line, for example the seeds of an earlier crawl
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    /// Source of the seeds, a short word such as commoncrawl. Each line gets a tab and source=NAME,
    /// as crawl and Nutch's injector read it
    #[arg(long, value_name = "NAME", value_parser = crate::arguments::source)]
    tag: Option<String>,
    /// Read indexes of archives instead of corpora: CDXJ with languages, or Parquet files of a
    /// columnar index, also by their http:// and https:// addresses. A page is in the language if
    /// the index has it at any rank. --min-bytes does not apply
    #[arg(long)]
    index: bool,
    /// With --index and an address: smallest time between two requests, in seconds
    #[arg(long, default_value_t = 1.0, value_name = "S", value_parser = number(0..=3600), requires = "index")]
    delay: f64,
    /// With --index and an address: e-mail or web address that servers see
    #[arg(long, value_name = "ADDRESS", requires = "index")]
    contact: Option<String>,
    /// Read posts instead of corpora, for example of a social network: a line of text or JSON each.
    /// The seeds are the URLs in posts in the language, also in other fields of their JSON.
    /// --min-bytes does not apply
    #[arg(long, conflicts_with = "index")]
    posts: bool,
    /// With --index: smallest share of a host's pages that are in the language, from 0 to 1
    #[arg(long, default_value_t = 0.0, value_name = "P", value_parser = share, requires = "index")]
    min_share: f64,
    /// With --index: smallest number of pages in the language that a host has
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u64>(0..))]
    #[arg(requires = "index")]
    min_pages: u64,
    /// With --index: languages whose pages count too. Use it if the index does not know the
    /// language
    #[arg(long, value_name = "CODES", value_parser = crate::arguments::language)]
    #[arg(value_delimiter = ',', requires = "index")]
    like: Vec<LangCode>,
    /// With --index: file for a table of the hosts (TSV)
    #[arg(long, value_name = "FILE", requires = "index")]
    hosts: Option<PathBuf>,
    /// With --index: file for a table of the releases (TSV): pages by rank, hosts, domains, new
    /// URLs, hosts lost and back
    #[arg(long, value_name = "FILE", requires = "index")]
    table: Option<PathBuf>,
    /// With --index: file for the overlap of each two releases (TSV), in URLs and hosts
    #[arg(long, value_name = "FILE", requires = "index")]
    overlap: Option<PathBuf>,
    /// With --index: file for the share of each language's pages in each release (TSV), at any rank
    #[arg(long, value_name = "FILE", requires = "index")]
    languages: Option<PathBuf>,
    /// Draw the seeds at random: this percentage among pages in the language, the others among all
    /// pages of the input. Each line gets source=rich or source=random
    #[arg(long, value_name = "PERCENT", value_parser = whole::<u8>(0..=100), requires = "count")]
    #[arg(conflicts_with_all = ["per_host", "site", "tag", "posts", "min_share", "min_pages", "hosts"])]
    mix: Option<u8>,
    /// With --mix: number of seeds
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..), requires = "mix")]
    count: Option<u32>,
    /// With --mix: number that decides the draw. Equal numbers and inputs give equal seeds
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = whole::<u64>(0..))]
    #[arg(requires = "mix")]
    random_seed: u64,
    #[command(flatten)]
    archive: Archive,
}

impl Arguments {
    /// The outputs, with their options.
    fn outputs(&self) -> Vec<(&Path, &'static str)> {
        named([
            (Some(&self.out), "--out"),
            (self.hosts.as_ref(), "--hosts"),
            (self.table.as_ref(), "--table"),
            (self.overlap.as_ref(), "--overlap"),
            (self.languages.as_ref(), "--languages"),
        ])
    }
}

/// Writes the URLs of the corpora's pages in the engine's language. Hosts are sorted by their bytes
/// in the language, and the URLs of a host by the bytes of their pages. The first SIGINT or SIGTERM
/// stops the work and leaves nothing behind.
///
/// # Errors
/// Fails if an input cannot be read, there is no seed, the file cannot be written, or a signal
/// stopped the work.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    let max_bytes = context.max_bytes;
    let read_too = arguments.without.iter().chain(&arguments.known).map(PathBuf::as_path);
    context.apart(&arguments.outputs(), read_too)?;
    let place = FilePlace::new(&arguments.out, "--out")?;
    let without = Without::of(arguments.without.as_deref(), max_bytes)?;
    let known_urls =
        arguments.known.as_deref().map(|file| input::text(file, max_bytes)).transpose();
    let known_urls = of_option(known_urls, "--known")?;
    let draw = arguments.mix.zip(arguments.count);
    let mut choice = Choice::new(Settings {
        min_bytes: arguments.min_bytes,
        per_host: arguments.per_host.into(),
        site: arguments.site.of(),
        without,
        known: known_urls.as_deref().map(known).unwrap_or_default(),
        draw: draw
            .map(|(percent, count)| Draw::new(percent, count as usize, arguments.random_seed)),
    });
    let whole = match arguments.index {
        true => index::choose(arguments, context, &mut choice)?,
        false if arguments.posts => read_posts(arguments, context, &mut choice).map(|()| true)?,
        false => read_corpora(arguments, context, place.folder(), &mut choice)?,
    };
    let draw = choice.take_draw();
    tell(arguments, &choice, draw.is_some());
    if let Some(draw) = draw {
        let seeds = draw.seeds()?.into_iter();
        let lines = seeds.map(|(url, source)| format!("{url}\tsource={source}")).collect();
        return write_lines(settle(place, whole)?, lines).map(|()| whole);
    }
    if choice.hosts() == 0 {
        let source = if arguments.posts { "no post has" } else { "no page can be" };
        bail!("{source} a seed for {}; nothing was written", arguments.language);
    }
    write(settle(place, whole)?, choice, arguments.tag.as_deref())?;
    Ok(whole)
}

/// Prints how many pages or posts were read, and why others are no seeds.
fn tell(arguments: &Arguments, choice: &Choice, is_drawn: bool) {
    let (language, counts) = (arguments.language, choice.counts);
    let enough = match arguments.index || arguments.posts {
        true => format!("in {language}"),
        false => format!("with {} of {language} or more", counted(arguments.min_bytes, "byte")),
    };
    let read = counted(counts.pages, if arguments.posts { "post" } else { "page" });
    let (on, known, beyond) = match is_drawn {
        true => (String::new(), "known", String::new()),
        false => (
            format!(" on {}", counted(choice.hosts(), "host")),
            "known or repeated",
            format!(", {} beyond {} of a host", choice.beyond(), arguments.per_host),
        ),
    };
    note!(
        "corpulyzer: {read}, {} of them {enough}{on}; skipped {} without a URL, {} by --without, {} {known}{beyond}",
        counts.rich,
        counts.no_url,
        counts.excluded,
        counts.met
    );
}

/// Adds the pages of corpora to a choice. Returns whether the corpora are whole.
fn read_corpora(
    arguments: &Arguments,
    context: &Context,
    folder: &Path,
    choice: &mut Choice,
) -> Result<bool> {
    let engine = &context.reader(arguments.language, &arguments.archive)?;
    let (corpora, max_bytes, outputs) =
        (&arguments.corpora, context.max_bytes, &[(arguments.out.as_path(), "--out")]);
    Pages { name: "seeds", corpora, engine, folder, memory: URL_MEMORY, max_bytes, outputs }.read(
        &mut |pages| {
            pages.iter().for_each(|page| choice.add(page));
            Ok(())
        },
    )
}

/// Adds the URLs in posts of the language to a choice. A line is a post.
fn read_posts(arguments: &Arguments, context: &Context, choice: &mut Choice) -> Result<()> {
    apart(&arguments.outputs(), arguments.corpora.iter().map(PathBuf::as_path))?;
    let identifier = context.identifier(&[arguments.language])?;
    check_returned(identifier.as_ref(), &[arguments.language], "--language")?;
    for file in &arguments.corpora {
        input::lines::<Error>(file, context.max_bytes, &mut |_, line| {
            if is_stopped() {
                bail!("stopped; nothing was written");
            }
            if !line.is_empty() {
                choice.add_post(line, arguments.language, identifier.as_ref());
            }
            Ok(())
        })?;
    }
    Ok(())
}
