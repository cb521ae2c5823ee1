//! The `corpulyzer` command: what the engine does, over files.
#![forbid(unsafe_code)]

/// As the standard library's, but that nobody reads standard error any more (`2>&1 | head`) is no panic, and costs no work; and what files
/// hold does a terminal no harm.
macro_rules! eprintln {
    ($($what:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), "{}", crate::counted::harmless(&format!($($what)*)));
    }};
}

mod audit;
mod calibrate;
mod cdx;
mod corpora;
mod counted;
mod deduplicate;
mod evaluate;
mod extract;
mod identifier;
mod identify;
mod input;
mod package;
mod place;
mod queries;
mod reading;
mod records;
mod rejudge;
mod seeds;
mod sentences;
mod show;
mod simulate;
mod texts;
mod train;
mod view;
mod wikipedia;
mod without;
mod words;

use ::cdx::warc::Wanted as Types;
use clap::builder::ArgPredicate;
use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand};
use corpus::Plan;
use engine::{Engine, PageHints, Policy, Settings};
use evaluate::codes::Joins;
use evaluate::{Cut, Evaluation};
use identifier::Sources;
use langbytes::LangCode;
use langid::TrainSettings;
use package::Wanted;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use webam::Extractor;

/// Main text and bytes per language of web pages.
#[derive(Parser)]
#[command(name = "corpulyzer", version)]
struct Cli {
    /// Longest file or line that is read, in bytes
    #[arg(long, global = true, default_value_t = 64 << 20, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1..=Settings::MAX_MAX_BYTES))]
    max_bytes: u64,
    /// Language pack beside the library's own, made by `corpulyzer train`; may be repeated
    #[arg(long = "pack", global = true, value_name = "FILE")]
    packs: Vec<PathBuf>,
    #[command(subcommand)]
    verb: Verb,
}

/// How archives are read.
#[derive(Args)]
struct Archive {
    /// How main text is told from boilerplate in WARC files: article, best, web-am or text
    #[arg(long, default_value_t = Settings::DEFAULT_EXTRACTOR, value_name = "E")]
    extractor: Extractor,
}

/// The steps of an audit.
#[derive(Subcommand)]
enum Audit {
    /// Draw pages at random and write them as a sheet (TSV) for a spreadsheet: y, n or ? for each
    Draw {
        /// WARC or WET files, or JSON lines of a crawl, plain, gzip or zstd; folders of them; or - for standard input
        #[arg(required = true, value_name = "CORPUS")]
        corpora: Vec<PathBuf>,
        /// File for the sheet; one that is there is never replaced
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Language of the corpus, an ISO 639 code
        #[arg(long, value_name = "CODE")]
        language: LangCode,
        /// Pages to draw; 300 tell a share to two or three percent
        #[arg(long, default_value_t = 300, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
        pages: u32,
        /// Draw of the pages that the crawl rejected (crawl --all), to see what was lost
        #[arg(long)]
        rejected: bool,
        /// Which sample: the same number draws the same pages, another one others
        #[arg(long, default_value_t = 1, value_name = "N")]
        seed: u64,
        #[command(flatten)]
        archive: Archive,
    },
    /// Sum up sheets that were filled in: the share of yes with its interval, and how far judges agree
    Count {
        /// A sheet a judge, as a spreadsheet saves it: TSV or CSV
        #[arg(required = true, value_name = "SHEET")]
        sheets: Vec<PathBuf>,
        /// File for a list of what more judges refused than accepted, which --without of other verbs reads; one that is there is replaced
        #[arg(long, value_name = "FILE")]
        verdicts: Option<PathBuf>,
        /// Least refused pages of a host that is listed as a whole; of such a host none was accepted
        #[arg(long, requires = "verdicts", default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        whole_host: u32,
    },
}

#[derive(Subcommand)]
enum Verb {
    /// Write the main text of every X.html under a folder to X.txt under another
    Extract {
        /// Folder with pages; its subfolders too
        #[arg(long = "in", value_name = "DIR")]
        input: PathBuf,
        /// Folder for the texts: missing, empty, or of an earlier run, whose texts are replaced
        #[arg(long = "out", value_name = "DIR")]
        output: PathBuf,
        /// How main text is told from boilerplate: article, best, web-am or text
        #[arg(long, default_value_t = Settings::DEFAULT_EXTRACTOR, value_name = "E")]
        extractor: Extractor,
    },
    /// Print the record of a page as JSON, with the fate of each of its blocks, or as a page to look at
    Inspect {
        /// Print a page for a browser: the blocks in order, marked as kept, dropped or doubtful, with the reasons
        #[arg(long)]
        html: bool,
        /// The page, or - for standard input
        file: PathBuf,
        /// Language to be collected, an ISO 639 code
        #[arg(long, default_value = "urd", value_name = "CODE")]
        language: LangCode,
        /// How main text is told from boilerplate: article, best, web-am or text
        #[arg(long, default_value_t = Settings::DEFAULT_EXTRACTOR, value_name = "E")]
        extractor: Extractor,
        /// What makes a page one of the corpus: precision or recall
        #[arg(long, default_value_t = Policy::default(), value_name = "P")]
        policy: Policy,
        /// The page's address
        #[arg(long)]
        url: Option<String>,
        /// The HTTP Content-Type header that came with the page
        #[arg(long, value_name = "TYPE")]
        content_type: Option<String>,
    },
    /// Print the bytes per language of a plain text, each line a block
    Langbytes {
        /// The text (UTF-8), or - for standard input
        file: PathBuf,
    },
    /// Choose the content-size filter's threshold from the pages of a crawl, those too that it rejected (`crawl --all`)
    Calibrate {
        /// JSON lines of a crawl with `languages` and perhaps `text`, or WARC or WET files, plain, gzip or zstd; folders of them; or - for
        /// standard input
        #[arg(default_value = "-", value_name = "CORPUS")]
        corpora: Vec<PathBuf>,
        /// Language to be collected, an ISO 639 code
        #[arg(long, value_name = "CODE")]
        language: LangCode,
        #[command(flatten)]
        archive: Archive,
    },
    /// Write the language of each line of a text: an ISO 639-3 code, or und where the identifier is not sure
    Identify {
        /// The text (UTF-8), or - for standard input
        #[arg(default_value = "-")]
        file: PathBuf,
        /// Who identifies: combined, models, cld2, or heli, w2c or w2c-short, which are trained first
        #[arg(long, default_value = "combined", value_name = "X")]
        identifier: identifier::Name,
        /// Folder of texts to train from, with a file for each language, such as urd.txt
        #[arg(long, value_name = "DIR")]
        train: Option<PathBuf>,
        /// The only languages that are answered, ISO 639 codes with commas between them
        #[arg(long, value_name = "CODES", value_delimiter = ',')]
        allowed: Option<Vec<LangCode>>,
    },
    /// Measure corpora: figures as JSON, tables as TSV, and a page with plots
    Report {
        /// JSON lines of a crawl, WARC or WET files, plain, gzip or zstd; folders of them; or - for standard input. Together they are
        /// one corpus
        #[arg(required = true, value_name = "CORPUS")]
        corpora: Vec<PathBuf>,
        /// Folder for the report; a report that is there is replaced when the new one is whole
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Each CORPUS is one of its own, and they are put side by side
        #[arg(long)]
        compare: bool,
        /// Language that the corpora are in, an ISO 639 code
        #[arg(long, default_value = "urd", value_name = "CODE")]
        language: LangCode,
        /// Least bytes of the language in a page that counts for yield
        #[arg(long, default_value_t = 256, value_name = "N")]
        min_bytes: u64,
        /// Leave out what wants words: vocabulary, Zipf's law, lengths, style, near duplicates
        #[arg(long)]
        no_words: bool,
        #[command(flatten)]
        archive: Archive,
        /// Memory for counting in MiB; what is more goes to temporary files
        #[arg(long, default_value_t = 1024, value_name = "MIB", value_parser = clap::value_parser!(u64).range(16..=1 << 20))]
        memory: u64,
        /// Folder for temporary files; without it the one that --out is in
        #[arg(long, value_name = "DIR")]
        scratch: Option<PathBuf>,
        /// Ranking that the richest sites are compared with: a host a line, or a rank, a tab or comma, and a host
        #[arg(long, value_name = "FILE")]
        ranking: Option<PathBuf>,
        /// Index of an archive (CDXJ), a file or a folder, of which languages and MIME types are counted
        #[arg(long, value_name = "PATH")]
        cdx: Option<PathBuf>,
    },
    /// Name the URLs of pages in a language, the richest hosts first: seeds for a crawl, from an archive or an old corpus
    Seeds {
        /// WARC or WET files, or JSON lines of a crawl, plain, gzip or zstd; folders of them; or - for standard input
        #[arg(required = true, value_name = "CORPUS")]
        corpora: Vec<PathBuf>,
        /// File for the seeds, a URL a line; one that is there is replaced when the new one is whole
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Language of the seeds, an ISO 639 code
        #[arg(long, value_name = "CODE")]
        language: LangCode,
        /// Least bytes of the language in a page
        #[arg(long, default_value_t = 256, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
        min_bytes: u64,
        /// Most URLs of a host, those with most of the language first
        #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
        per_host: u16,
        /// What is never a seed, a line each: a host, with all below it, the beginning of URLs, or = and the URL of a page
        #[arg(long, value_name = "FILE")]
        without: Option<PathBuf>,
        /// URLs that need not be named again, a line each, as seeds of before
        #[arg(long, value_name = "FILE")]
        known: Option<PathBuf>,
        #[command(flatten)]
        archive: Archive,
    },
    /// Write the text of a wiki's articles, a paragraph a line and without markup, from a dump such as those of Wikipedia
    Wikipedia {
        /// Dumps (pages-articles.xml), plain, bzip2, gzip or zstd; or - for standard input
        #[arg(required = true, value_name = "DUMP")]
        dumps: Vec<PathBuf>,
        /// File for the text: *.jsonl, with an article a line, or *.txt, with a paragraph a line, each also with .gz or .zst; one that is
        /// there is replaced when the new one is whole. - is JSON lines on standard output
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Keep only paragraphs that are identified as in this language, an ISO 639 code
        #[arg(long, value_name = "CODE")]
        language: Option<LangCode>,
        /// Keep headings
        #[arg(long)]
        headings: bool,
        /// Keep items of lists
        #[arg(long)]
        lists: bool,
        /// Paragraphs to keep of those that are the same but for names and numbers, as bots write them
        #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        repeats: u32,
    },
    /// Write queries for search engines, tuples of words of a language, where there is nothing else to find seeds with
    Queries {
        /// A text or a folder of texts in the language: plain text (*.txt), or records of a crawl (*.jsonl), each also with .gz or .zst
        #[arg(long, value_name = "PATH")]
        text: PathBuf,
        /// Language of the text, an ISO 639 code
        #[arg(long, value_name = "CODE")]
        language: LangCode,
        /// Queries to write
        #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
        count: u32,
        /// Words of a query
        #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=5))]
        words: u8,
        /// Which queries: the same number draws the same ones, another one others
        #[arg(long, default_value_t = 1, value_name = "N")]
        seed: u64,
    },
    /// Write a corpus without the text that it has twice: near duplicates go block by block, the first of them stays
    Deduplicate {
        /// JSON lines of a crawl, or any with `text`, plain, gzip or zstd; folders of them; or - for standard input. What an earlier
        /// one has goes from a later one
        #[arg(required = true, value_name = "CORPUS")]
        corpora: Vec<PathBuf>,
        /// File for the corpus, compressed if its name ends with .zst or .gz; one that is there is replaced when the new one is whole
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// What is left out, a line each: a host, with all below it, the beginning of URLs, or = and the URL of a page (audit count --verdicts)
        #[arg(long, value_name = "FILE")]
        without: Option<PathBuf>,
        /// File for what went, JSON lines with `url`, `same_as` (the page that has it word for word, null where none has), `known_percent` and `text`
        #[arg(long, value_name = "FILE")]
        dropped: Option<PathBuf>,
        /// Words of a sequence
        #[arg(long, default_value_t = 7, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=100))]
        words: u16,
        /// Text goes if more than so many percent of its sequences were met before
        #[arg(long, default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100))]
        percent: u32,
        /// Judge pages as a whole, not their blocks
        #[arg(long)]
        whole: bool,
        /// Compare letters alone: text that differs only in numbers and signs is the same, a new price list the old one
        #[arg(long)]
        letters: bool,
        /// Memory for sequences that were met, in MiB; 1024 are enough for 860 million
        #[arg(long, default_value_t = 1024, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
        memory: u64,
        /// Language that the corpus is in, an ISO 639 code; for counting the bytes of languages in pages that lose text
        #[arg(long, default_value = "urd", value_name = "CODE")]
        language: LangCode,
    },
    /// Judge the pages of a corpus again by their text, as after better models: what stays, what leaves, and for which language
    Rejudge {
        /// JSON lines of a crawl, or any with `text`, plain, gzip or zstd; folders of them; or - for standard input
        #[arg(required = true, value_name = "CORPUS")]
        corpora: Vec<PathBuf>,
        /// File for the pages that are kept, compressed if its name ends with .zst or .gz; one that is there is replaced when the new one is whole
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// File for the pages that are rejected, as --out
        #[arg(long, value_name = "FILE")]
        rejected: PathBuf,
        /// Language of the corpus, an ISO 639 code
        #[arg(long, value_name = "CODE")]
        language: LangCode,
        /// What makes a page one of the corpus: precision or recall
        #[arg(long, default_value_t = Policy::default(), value_name = "P")]
        policy: Policy,
        /// Least bytes of the language in a page, under policy precision
        #[arg(long, default_value_t = 256, value_name = "N")]
        min_bytes: u64,
    },
    /// Write the sentences of a corpus that are in a language, each once, in no order
    Sentences {
        /// JSON lines of a crawl, WARC or WET files, plain, gzip or zstd; folders of them; or - for standard input
        #[arg(required = true, value_name = "CORPUS")]
        corpora: Vec<PathBuf>,
        /// File for the sentences, one a line; one that is there is replaced when the new one is whole
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// What is left out, a line each: a host, with all below it, the beginning of URLs, or = and the URL of a page (audit count --verdicts)
        #[arg(long, value_name = "FILE")]
        without: Option<PathBuf>,
        /// Language of the sentences, an ISO 639 code
        #[arg(long, value_name = "CODE")]
        language: LangCode,
        /// Least words of a sentence
        #[arg(long, default_value_t = 4, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=100))]
        min_words: u16,
        /// Write the address of the page behind each sentence, after a tab
        #[arg(long)]
        urls: bool,
        #[command(flatten)]
        archive: Archive,
        /// Memory for sentences in MiB; what is more goes to temporary files
        #[arg(long, default_value_t = 1024, value_name = "MIB", value_parser = clap::value_parser!(u64).range(16..=1 << 20))]
        memory: u64,
    },
    /// List the words of a corpus by frequency, or by how far it differs from that in another corpus
    Words {
        /// JSON lines of a crawl, WARC or WET files, plain, gzip or zstd; folders of them; or - for standard input
        #[arg(required = true, value_name = "CORPUS")]
        corpora: Vec<PathBuf>,
        /// File for the list, a word, a tab and its count a line; one that is there is replaced when the new one is whole
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Language of the corpus, an ISO 639 code
        #[arg(long, value_name = "CODE")]
        language: LangCode,
        /// Another corpus, or a list of its words that was written before: words come by log-likelihood, with the counts in both
        #[arg(long, value_name = "PATH")]
        against: Option<PathBuf>,
        /// Leave out words that come less often, in both corpora together
        #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
        min_count: u64,
        #[command(flatten)]
        archive: Archive,
        /// Memory for words in MiB; what is more goes to temporary files
        #[arg(long, default_value_t = 1024, value_name = "MIB", value_parser = clap::value_parser!(u64).range(16..=1 << 20))]
        memory: u64,
    },
    /// Pack a corpus or sentences to give them away: files, a page on what they are, sums to check them by
    Package {
        /// JSON lines of a crawl or what `sentences` wrote, plain, gzip or zstd; folders of JSON lines
        #[arg(required = true, value_name = "CORPUS")]
        corpora: Vec<PathBuf>,
        /// Folder for the package, new or empty
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Language of the corpus, an ISO 639 code
        #[arg(long, value_name = "CODE")]
        language: LangCode,
        /// Whom to write to about the package, as for having pages removed
        #[arg(long, value_name = "ADDRESS")]
        contact: String,
        /// Text on what may be done with the package; it becomes TERMS.txt
        #[arg(long, value_name = "FILE")]
        terms: Option<PathBuf>,
        /// What is left out, a line each: a host, with all below it, the beginning of URLs, or = and the URL of a page
        #[arg(long, value_name = "FILE")]
        without: Option<PathBuf>,
        /// Words to pack at least; without it all
        #[arg(long, value_name = "N", conflicts_with = "bytes", value_parser = clap::value_parser!(u64).range(1..))]
        words: Option<u64>,
        /// Bytes of text to pack at least; without it all
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
        bytes: Option<u64>,
        /// Most MB of text in a file; more go to further files
        #[arg(long, default_value_t = 1000, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
        file_mb: u64,
    },
    /// Index WARC files as CDXJ, which pywb and others replay them by
    Cdx {
        /// WARC files, plain or with each record a gzip member; or folders of them
        #[arg(required = true, value_name = "WARC")]
        files: Vec<PathBuf>,
        /// File for the index; one that is there is replaced when the new one is whole. Without it standard output
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Folder that all the files are in: the index names them by their paths in it, not by their names alone
        #[arg(long, value_name = "DIR")]
        root: Option<PathBuf>,
        /// Types of the records to index, with commas between them, or all; without it response, revisit, resource and metadata that is no
        /// list of figures
        #[arg(long, value_name = "TYPES", value_delimiter = ',')]
        records: Option<Vec<String>>,
        /// Memory for lines in MiB; what is more goes to temporary files
        #[arg(long, default_value_t = 256, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
        memory: u64,
    },
    /// Print a page, or its record, out of WARC files that `cdx` indexed
    Lookup {
        /// The page's address
        url: String,
        /// The index, CDXJ as `cdx` writes it
        index: PathBuf,
        /// Time that the page shall be of, some of the digits YYYYMMDDhhmmss; the nearest is taken. Without it the latest
        #[arg(long, value_name = "DIGITS", value_parser = digits)]
        at: Option<String>,
        /// Folder with the WARC files; without it the one that the index is in
        #[arg(long, value_name = "DIR")]
        root: Option<PathBuf>,
        /// Read WARC files outside that folder too, if the index names them; for an index that you trust
        #[arg(long)]
        outside: bool,
        /// Print the WARC record with its headers
        #[arg(long)]
        record: bool,
        /// Print the lines of the index, of all times
        #[arg(long, conflicts_with_all = ["record", "at", "root", "outside"])]
        list: bool,
    },
    /// Have people judge how much of a corpus is in its language
    Audit {
        #[command(subcommand)]
        step: Audit,
    },
    /// Make a language pack from texts, so that a language can be collected that the library does not know
    Train {
        /// With --language a text or a folder of texts in that language: plain text (*.txt), or records of a crawl (*.jsonl), each also with .gz or .zst;
        /// without it a folder with a file or a folder for each language, such as skr.txt
        #[arg(long, value_name = "PATH")]
        text: PathBuf,
        /// Language of all the text, an ISO 639 code
        #[arg(long, value_name = "CODE")]
        language: Option<LangCode>,
        /// File for the pack; one that is there is replaced when the new one is whole
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Most words and letter sequences of a language in one script, those that tell most first
        #[arg(long, default_value_t = TrainSettings::default().max_entries, value_name = "N", value_parser = train::entries)]
        max_entries: usize,
    },
    /// Crawl generated webs, or a crawl's own link graph, in memory: what each scoring would have fetched
    Simulate(simulate::Arguments),
    /// Measure identifiers on texts whose language is known
    EvaluateLangid {
        /// Folder with a file for each language, such as urd.txt, one text a line
        #[arg(long, value_name = "DIR")]
        test: PathBuf,
        /// Who identifies: combined, models, cld2, or heli, w2c or w2c-short, which are trained first; several with commas between them
        #[arg(
            long = "identifier",
            value_name = "X",
            value_delimiter = ',',
            default_value = "combined",
            default_value_if("answers", ArgPredicate::IsPresent, None)
        )]
        identifiers: Vec<identifier::Name>,
        /// Folder of texts to train from, with a file for each language, such as urd.txt
        #[arg(long, value_name = "DIR")]
        train: Option<PathBuf>,
        /// Folder of another program's answers, with a file for each of the test, one code a line; may be repeated
        #[arg(long, value_name = "DIR")]
        answers: Vec<PathBuf>,
        /// Cut texts to so many words
        #[arg(long, value_name = "N", conflicts_with = "chars", value_parser = clap::value_parser!(u32).range(1..))]
        words: Option<u32>,
        /// Cut texts at whole words to at most so many characters
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        chars: Option<u32>,
        /// Read texts in these languages alone: ISO 639 codes, or the groups arabic15 and uralic21
        #[arg(long, value_name = "CODES", value_parser = evaluate::codes::languages)]
        only: Option<BTreeSet<LangCode>>,
        /// Codes that count as another, such as msa=ind,hbs=bos/hrv/srp; usual is a list of them, none none
        #[arg(long, default_value = "usual", value_name = "JOINS")]
        join: Joins,
        /// Weights of languages where the identifier will be used, one code<TAB>weight a line; without it all weigh the same
        #[arg(long, value_name = "FILE")]
        prior: Option<PathBuf>,
        /// Language that identifiers are chosen by; without it by their means
        #[arg(long, value_name = "CODE")]
        target: Option<LangCode>,
        /// Least recall of an identifier that is chosen
        #[arg(long, default_value_t = 0.6, value_name = "SHARE", value_parser = share)]
        min_recall: f64,
        /// Instead, measure the error of the target's bytes on pages that are made from the target's texts and another language's
        #[arg(long, requires = "target", conflicts_with_all = ["answers", "prior", "words", "chars"])]
        mixed: bool,
        /// Pages for each language, share and length of paragraph
        #[arg(long, requires = "mixed", default_value_t = 150, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
        pages: u64,
        /// What the pages are drawn by
        #[arg(long, requires = "mixed", default_value_t = 1, value_name = "N")]
        seed: u64,
        /// Write all figures here as JSON too
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
    },
}

/// A share from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "allowed are numbers from 0 to 1".to_owned())
}

/// Digits of a time, a year at least.
fn digits(text: &str) -> Result<String, String> {
    let is_time = (4..=14).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_time.then(|| text.to_owned()).ok_or_else(|| "allowed are 4 to 14 digits, such as 20261123".to_owned())
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(help) if !help.use_stderr() => return finish(help.print().map(|()| true).map_err(|e| e.to_string())),
        // Nothing at all was said: the whole help, because no part of it is the mistake.
        Err(help) if help.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            eprint!("{help}");
            return ExitCode::from(2);
        }
        Err(usage) => {
            eprintln!("corpulyzer: {}", sentence(&usage));
            return ExitCode::from(2);
        }
    };
    finish(run(cli))
}

/// Runs a verb; false if some of its work failed and was reported already.
fn run(cli: Cli) -> Result<bool, String> {
    let sources = Sources { train: None, packs: &cli.packs, target: None, max_bytes: cli.max_bytes };
    let engine = |settings: Settings| {
        let (packs, max_bytes) = (cli.packs.clone(), cli.max_bytes);
        Engine::new(Settings { packs, max_bytes, ..settings }).map_err(|bad| bad.to_string())
    };
    let reader =
        |language, archive: Archive| engine(Settings { extractor: archive.extractor, ..Settings::new(language) });
    let for_language = |language| identifier::Name::Combined.open(Sources { target: Some(language), ..sources });
    let bytes = |mib: u64| usize::try_from(mib << 20).unwrap_or(usize::MAX);
    match cli.verb {
        Verb::Extract { input, output, extractor } => extract::run(&input, &output, extractor, cli.max_bytes),
        Verb::Inspect { html, file, language, extractor, policy, url, content_type } => {
            let content = input::read(&file, cli.max_bytes)?;
            let engine = engine(Settings { extractor, policy, ..Settings::new(language) })?;
            let hints =
                PageHints { url: url.as_deref(), content_type: content_type.as_deref(), ..PageHints::default() };
            let inspection = engine.inspect(&content, &hints);
            print(&if html {
                view::page(&inspection, engine.settings(), url.as_deref())
            } else {
                show::inspection(&inspection)?
            })
        }
        Verb::Langbytes { file } => {
            let text = input::read(&file, cli.max_bytes)?;
            print(&show::langbytes(&text, identifier::Name::Combined.open(sources)?.as_ref()))
        }
        Verb::Calibrate { corpora, language, archive } => {
            let (engine, identifier) = (reader(language, archive)?, for_language(language)?);
            let (table, whole) = calibrate::run(&corpora, &engine, identifier.as_ref(), cli.max_bytes)?;
            Ok(print(&table)? && whole)
        }
        Verb::Report {
            corpora,
            out,
            compare,
            language,
            min_bytes,
            no_words,
            archive,
            memory,
            scratch,
            ranking,
            cdx,
        } => {
            let engine = reader(language, archive)?;
            let plan = Plan { target: language, min_bytes, words: !no_words };
            let memory = bytes(memory);
            let (scratch, ranking, cdx) = (scratch.as_deref(), ranking.as_deref(), cdx.as_deref());
            let asked = corpora::Asked { corpora: &corpora, out: &out, compare, plan, memory, scratch, ranking, cdx };
            corpora::run(&asked, &engine, cli.max_bytes)
        }
        Verb::Seeds { corpora, out, language, min_bytes, per_host, without, known, archive } => {
            let engine = reader(language, archive)?;
            let (without, known) = (without.as_deref(), known.as_deref());
            let asked = seeds::Asked { corpora: &corpora, out: &out, min_bytes, per_host, without, known };
            seeds::run(&asked, &engine, cli.max_bytes)
        }
        Verb::Wikipedia { dumps, out, language, headings, lists, repeats } => {
            let identifier = language.map(for_language).transpose()?;
            let language = identifier.as_deref().zip(language);
            if let Some((identifier, language)) = language {
                identifier::check(identifier, &[language], "--language")?;
            }
            let asked = wikipedia::Asked { dumps: &dumps, out: &out, headings, lists, repeats, language };
            wikipedia::run(&asked, cli.max_bytes)
        }
        Verb::Queries { text, language, count, words, seed } => {
            let identifier = for_language(language)?;
            let asked = queries::Asked { text: &text, language, count: count as usize, words: words.into(), seed };
            print(&queries::run(&asked, identifier.as_ref(), cli.max_bytes)?)
        }
        Verb::Deduplicate { corpora, out, without, dropped, words, percent, whole, letters, memory, language } => {
            let engine = engine(Settings::new(language))?;
            let settings = dedup::Settings { words: words.into(), percent, whole, letters, memory: bytes(memory) };
            let (without, dropped) = (without.as_deref(), dropped.as_deref());
            let asked = deduplicate::Asked { corpora: &corpora, out: &out, without, dropped, settings };
            deduplicate::run(&asked, &engine, cli.max_bytes)
        }
        Verb::Rejudge { corpora, out, rejected, language, policy, min_bytes } => {
            let settings = Settings { policy, min_bytes, max_millis: rejudge::MAX_MILLIS, ..Settings::new(language) };
            let asked = rejudge::Asked { corpora: &corpora, out: &out, rejected: &rejected };
            let (table, whole) = rejudge::run(&asked, &engine(settings)?, cli.max_bytes)?;
            Ok(print(&table)? && whole)
        }
        Verb::Sentences { corpora, out, without, language, min_words, urls, archive, memory } => {
            let (engine, identifier) = (reader(language, archive)?, for_language(language)?);
            let (min_words, memory) = (min_words.into(), bytes(memory));
            let without = without.as_deref();
            let asked = sentences::Asked { corpora: &corpora, out: &out, without, min_words, urls, memory };
            sentences::run(&asked, &engine, identifier.as_ref(), cli.max_bytes)
        }
        Verb::Words { corpora, out, language, against, min_count, archive, memory } => {
            let engine = reader(language, archive)?;
            let (against, memory) = (against.as_deref(), bytes(memory));
            let asked = words::Asked { corpora: &corpora, out: &out, against, min_count, memory };
            words::run(&asked, &engine, cli.max_bytes)
        }
        Verb::Package { corpora, out, language, contact, terms, without, words, bytes, file_mb } => {
            let engine = engine(Settings::new(language))?;
            let wanted = match (words, bytes) {
                (Some(words), _) => Wanted::Words(words),
                (None, Some(bytes)) => Wanted::Bytes(bytes),
                (None, None) => Wanted::All,
            };
            let (without, terms, file_bytes) = (without.as_deref(), terms.as_deref(), file_mb * 1_000_000);
            let asked =
                package::Asked { corpora: &corpora, out: &out, wanted, without, terms, contact: &contact, file_bytes };
            package::run(&asked, &engine, cli.max_bytes)
        }
        Verb::Cdx { files, out, root, records, memory } => {
            let wanted = match records {
                None => Types::Replayed,
                Some(types) if types == ["all"] => Types::All,
                Some(types) => Types::Types(types),
            };
            let (out, root, memory) = (out.as_deref(), root.as_deref(), bytes(memory));
            cdx::run(&cdx::Asked { files: &files, out, root, wanted, memory })
        }
        Verb::Lookup { url, index, at, root, outside, record, list } => {
            let print = match (list, record) {
                (true, _) => cdx::Print::Lines,
                (_, true) => cdx::Print::Record,
                _ => cdx::Print::Payload,
            };
            let (at, root) = (at.as_deref(), root.as_deref());
            cdx::lookup(&cdx::Sought { url: &url, index: &index, at, root, outside, print }, cli.max_bytes)
        }
        Verb::Audit { step: Audit::Draw { corpora, out, language, pages, rejected, seed, archive } } => {
            let engine = reader(language, archive)?;
            let asked = audit::Asked { corpora: &corpora, out: &out, pages: pages as usize, rejected, seed };
            audit::draw(&asked, &engine, cli.max_bytes)
        }
        Verb::Audit { step: Audit::Count { sheets, verdicts, whole_host } } => {
            let verdicts = verdicts.as_deref().map(|file| (file, whole_host as usize));
            print(&audit::count(&sheets, verdicts, cli.max_bytes)?)
        }
        Verb::Train { text, language, out, max_entries } => {
            train::run(&text, language, &out, max_entries, cli.max_bytes)
        }
        Verb::Identify { file, identifier, train, allowed } => {
            let sources = Sources { train: train.as_deref(), ..sources };
            let identifier = identifier.open(sources)?;
            identifier::check(identifier.as_ref(), allowed.as_deref().unwrap_or_default(), "--allowed")?;
            let input = input::open(&file)?;
            identify::run(input, &input::name(&file), identifier.as_ref(), allowed.as_deref(), cli.max_bytes)
        }
        Verb::Simulate(arguments) => print(&simulate::run(&arguments, cli.max_bytes)?),
        Verb::EvaluateLangid {
            test,
            identifiers,
            train,
            answers,
            words,
            chars,
            only,
            join,
            prior,
            target,
            min_recall,
            mixed,
            pages,
            seed,
            json,
        } => {
            let cut = match (words, chars) {
                (Some(words), _) => Cut::Words(words as usize),
                (None, Some(characters)) => Cut::Characters(characters as usize),
                (None, None) => Cut::Whole,
            };
            let evaluation = Evaluation {
                test: &test,
                sources: Sources { train: train.as_deref(), ..sources },
                cut,
                only: only.as_ref(),
                joins: &join,
                prior: prior.as_deref(),
                target,
                min_recall,
                json: json.as_ref(),
                max_bytes: cli.max_bytes,
            };
            if mixed {
                print(&evaluation.mixed(&identifiers, pages, seed)?)
            } else {
                print(&evaluation.run(&identifiers, &answers)?)
            }
        }
    }
}

fn finish(outcome: Result<bool, String>) -> ExitCode {
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("corpulyzer: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Writes to standard output. A reader that has seen enough (`| head`) is no error.
fn print(text: &str) -> Result<bool, String> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("standard output: {error}")),
        _ => Ok(true),
    }
}

/// The first paragraph of clap's message, as one line without its `error: `.
fn sentence(usage: &clap::Error) -> String {
    let text = usage.render().to_string();
    let first = text.split("\n\n").next().unwrap_or(&text);
    let words: Vec<&str> = first.split_whitespace().collect();
    words.join(" ").trim_start_matches("error: ").to_owned()
}
