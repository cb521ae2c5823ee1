//! Measures hostile pages: processor time per megabyte and peak memory, for each kind of page in
//! `tests/common/kinds.rs`. Each page is decoded, parsed and read by every extractor. Each page is
//! read twice: as the engine reads it, and by lol_html alone.
//!
//! `cargo run --release -p content --example hostile -- [MEGABYTES [KIND [MARKUP BEFORE IT]]]`; a
//! page has 50 MB without a number. Reading stops at the engine's default of 10 seconds. Each kind
//! runs in a process of its own, because memory that was once held is not given back. Needs Linux's
//! `/proc`.
//!
//! `-- --write DIR BYTES` writes the pages as files instead, each cut to so many bytes, for other
//! programs to read (`gradle :bench:stockParsers`).

#[path = "../tests/common/kinds.rs"]
mod kinds;
#[path = "../tests/common/meter.rs"]
mod meter;

use content::{classify, decode, parse, Extractor, Hints, Limits};
use meter::{memory, processor_time};
use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The engine's default for `maxMillis`.
const MAX_TIME: Duration = Duration::from_secs(10);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [write, folder, length] = arguments.as_slice() {
        if write == "--write" {
            return write_pages(Path::new(folder), length.parse()?);
        }
    }
    let megabytes: f64 = arguments.first().map_or(Ok(50.0), |number| number.parse())?;
    let length = (megabytes * 1e6) as usize;
    if let Some(name) = arguments.get(1) {
        return measure(name, length, arguments.get(2).map_or("", |before| before));
    }
    println!(
        "{:44} {:>8} {:>9} {:>10} {:>9} {:>7}  limit",
        "kind", "s/MB", "parse s", "extract s", "RSS/page", "blocks"
    );
    for before in ["", kinds::FOR_LOL_HTML] {
        for (name, _) in kinds::KINDS {
            let done = Command::new(env::current_exe()?)
                .args([&megabytes.to_string(), *name, before])
                .status()?;
            if !done.success() {
                println!("{before}{name:44} {done}");
            }
        }
    }
    Ok(())
}

/// Writes a page of each kind as `NUMBER NAME.html`, of this many bytes, as a crawler cuts a page.
fn write_pages(folder: &Path, length: usize) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for (number, (name, make)) in kinds::KINDS.iter().enumerate() {
        let mut page = kinds::page(make, length).into_bytes();
        page.truncate(length);
        fs::write(folder.join(format!("{number:03} {name}.html")), page)?;
    }
    Ok(())
}

/// Prints the line of one kind.
fn measure(name: &str, length: usize, before: &str) -> Result<(), Box<dyn Error>> {
    let (_, make) = kinds::KINDS.iter().find(|(kind, _)| *kind == name).ok_or("no such kind")?;
    let html = [before, &kinds::page(make, length)].concat().into_bytes();
    let begin = processor_time();
    let decoded = decode(&html, &Hints::default())?;
    let page = parse(
        &decoded.text,
        &Limits { deadline: Some(Instant::now() + MAX_TIME), ..Limits::default() },
    );
    let parsed = processor_time();
    for extractor in Extractor::ALL {
        assert_eq!(classify(&page, extractor).len(), page.blocks().len());
    }
    let end = processor_time();
    println!(
        "{:44} {:8.4} {:9.2} {:10.2} {:9.2} {:7}  {}",
        [before, name].concat(),
        (end - begin).as_secs_f64() / (html.len() as f64 / 1e6),
        (parsed - begin).as_secs_f64(),
        (end - parsed).as_secs_f64(),
        memory("VmHWM:") as f64 / html.len() as f64,
        page.blocks().len(),
        page.limit.map_or("-".to_owned(), |limit| format!("{limit:?}")),
    );
    Ok(())
}
