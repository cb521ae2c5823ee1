//! Measures the speed of the corpus figures on one core, and generates corpora for measurements of
//! the whole command.
//!
//! ```text
//! # MB of text per second and core, for each measure, at 10 and 100 MB
//! cargo run --release -p figures --example speed
//! # a corpus of 1000 MB of text
//! cargo run --release -p figures --example speed generate 1000 > corpus.jsonl
//! ```
//!
//! The text is drawn from a seed: words of Arabic letters whose frequencies follow Zipf's law,
//! pages of some 600 words on 2,000 hosts.

use figures::{Accumulator, CorpusPage, Measures, PageView, Plan, Scratch, Tokenizer, Viewer};
use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::time::Instant;

const LETTERS: [char; 28] = [
    'ا', 'ب', 'پ', 'ت', 'ج', 'چ', 'ح', 'خ', 'د', 'ر', 'ز', 'س', 'ش', 'ص', 'ط', 'ع', 'غ', 'ف', 'ق',
    'ک', 'گ', 'ل', 'م', 'ن', 'و', 'ہ', 'ی', 'ے',
];
/// Different words there can be.
const VOCABULARY: f64 = 5e6;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to 1.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn word(text: &mut String, mut rank: u64) {
    // The rank in letters, the frequent words short.
    rank += 30;
    while rank > 0 {
        text.push(LETTERS[(rank % 28) as usize]);
        rank /= 28;
    }
}

fn page(number: u64, random: &mut Random) -> CorpusPage {
    let host = format!("h{}.pk", (2000f64.powf(random.unit())) as u64);
    let mut text = String::new();
    let words = 200 + random.next() % 800;
    for position in 1..=words {
        word(&mut text, VOCABULARY.powf(random.unit()) as u64);
        text.push_str(match position {
            position if position % 90 == 0 => "۔\n",
            position if position % 15 == 0 => "۔ ",
            _ => " ",
        });
    }
    let length = text.len() as u64;
    let mut page = CorpusPage {
        url: format!("http://{host}/{}/{number}", number % 30),
        host,
        round: Some(number / 10_000 + 1),
        kept: true,
        raw_bytes: Some(length * 12),
        visible_bytes: Some(length * 2),
        main_bytes: length,
        text,
        ..CorpusPage::default()
    };
    let languages = format!("urd:{},eng:{}", length * 9 / 10, length / 10);
    page.set_languages(languages.parse().unwrap_or_default(), target());
    page
}

fn target() -> langbytes::LangCode {
    "urd".parse().unwrap_or(langbytes::LangCode::UND)
}

fn generate(megabytes: u64) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut random, mut bytes, mut number) = (Random(1), 0, 0);
    while bytes < megabytes * 1_000_000 {
        let page = page(number, &mut random);
        bytes += page.text.len() as u64;
        number += 1;
        let line = serde_json::json!({
            "url": page.url, "host": page.host, "round": page.round, "text": page.text, "raw_bytes": page.raw_bytes,
            "visible_bytes": page.visible_bytes, "main_bytes": page.main_bytes,
            "languages": {"urd": page.target_bytes, "eng": page.main_bytes - page.target_bytes},
        });
        writeln!(out, "{line}")?;
    }
    out.flush()
}

/// Measures pages on one thread.
fn measure(pages: &[CorpusPage], words: bool) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let plan = Plan { target: target(), scripts: langbytes::Scripts::default(), words };
    let bytes: usize = pages.iter().map(|page| page.text.len()).sum();
    let tokenizer = Tokenizer::with_scripts(plan.target, plan.scripts);
    let mut viewer = Viewer::new(&tokenizer);
    let begin = Instant::now();
    let mut sums = Measures::new(plan, &Scratch::new(folder.path(), 64 << 20));
    for page in pages {
        if words {
            sums.add(&viewer.view(page))?;
        } else {
            sums.add(&PageView { page, tokens: &[] })?;
        }
    }
    let added = begin.elapsed().as_secs_f64();
    sums.finish(plan)?;
    let all = begin.elapsed().as_secs_f64();
    let megabytes = bytes as f64 / 1e6;
    println!(
        "{} {megabytes:.0} MB: {:.0} MB/s adding, {:.0} MB/s with the figures",
        if words { "with words   " } else { "without words" },
        megabytes / added,
        megabytes / all
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [verb, megabytes] = arguments.as_slice() {
        if verb == "generate" {
            return Ok(generate(megabytes.parse()?)?);
        }
    }
    for megabytes in [10, 100] {
        let (mut random, mut bytes, mut pages) = (Random(1), 0, Vec::new());
        while bytes < megabytes * 1_000_000 {
            let page = page(pages.len() as u64, &mut random);
            bytes += page.text.len();
            pages.push(page);
        }
        measure(&pages, false)?;
        measure(&pages, true)?;
    }
    Ok(())
}
