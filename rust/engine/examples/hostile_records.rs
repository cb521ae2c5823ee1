//! Measures hostile pages: processor time per megabyte and peak memory of the whole engine, for
//! each kind of page of `rust/content/tests/common/kinds.rs` and of text of `tests/common/kinds.rs`.
//!
//! `cargo run --release -p engine --example hostile_records -- [MEGABYTES [TARGET [EXTRACTOR
//! [KIND]]]]`: 5 MB, Urdu and `web-am` without. A KIND may also be a file, for comparison. Reading has no time
//! limit. Each kind runs in a separate process, because a process does not return its memory. Needs
//! Linux's `/proc`.

#[path = "../../content/tests/common/meter.rs"]
mod meter;
#[path = "../../content/tests/common/kinds.rs"]
mod pages;
#[path = "../tests/common/kinds.rs"]
mod texts;

use engine::{Engine, PageHints, Policy, Settings};
use meter::{memory, processor_time};
use std::error::Error;
use std::process::Command;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let argument =
        |at: usize, default: &str| arguments.get(at).map_or(default.to_owned(), String::clone);
    let (megabytes, target, extractor) =
        (argument(0, "5"), argument(1, "urd"), argument(2, "web-am"));
    if let Some(kind) = arguments.get(3) {
        let settings = Settings {
            extractor: extractor.parse()?,
            policy: Policy::Recall,
            max_bytes: 512 << 20,
            max_millis: 1_000_000,
            ..Settings::new(target.parse()?)
        };
        return measure(kind, (megabytes.parse::<f64>()? * 1e6) as usize, settings);
    }
    println!(
        "{:50} {:>8} {:>9} {:>9} {:>6} {:>6} {:>7} {:>8}  record",
        "kind", "s/MB", "MB before", "RSS/page", "CLD2", "models", "calls", "languages"
    );
    for kind in
        pages::KINDS.iter().map(|(kind, _)| kind).chain(texts::KINDS.iter().map(|(kind, _)| kind))
    {
        let done = Command::new(env::current_exe()?)
            .args([&megabytes, &target, &extractor, *kind])
            .status()?;
        if !done.success() {
            println!("{kind:50} {done}");
        }
    }
    Ok(())
}

/// Prints the line of one kind.
fn measure(kind: &str, length: usize, settings: Settings) -> Result<(), Box<dyn Error>> {
    let page = pages::KINDS
        .iter()
        .find(|(name, _)| *name == kind)
        .map(|(_, make)| pages::page(make, length));
    let text = || {
        texts::KINDS
            .iter()
            .find(|(name, _)| *name == kind)
            .map(|(_, write)| texts::page(*write, length))
    };
    let page = match page.or_else(text) {
        Some(page) => page.into_bytes(),
        None => {
            fs::read(kind).map_err(|error| format!("{kind} is no kind, and no file: {error}"))?
        }
    };
    let engine = Engine::new(settings)?;
    // Creates the tables that all pages share, so that the first page does not count them.
    engine.page("<p>The river rose during the night.", &PageHints::default());
    let megabytes = page.len() as f64 / 1e6;
    let (begin, before, work) = (processor_time(), memory("VmHWM:"), langid::work());
    let record = engine.page(page, &PageHints::default());
    let (time, work) = (processor_time() - begin, langid::work() - work);
    println!(
        "{kind:50} {:8.4} {:9.1} {:9.2} {:6.2} {:6.2} {:7} {:8}  {} {:.40}",
        time.as_secs_f64() / megabytes,
        before as f64 / 1e6,
        memory("VmHWM:").saturating_sub(before) as f64 / 1e6 / megabytes,
        work.cld2_bytes as f64 / 1e6 / megabytes,
        work.model_bytes as f64 / 1e6 / megabytes,
        work.cld2_calls + work.model_calls,
        record.languages.iter().count(),
        record.status,
        record.decision,
    );
    Ok(())
}
