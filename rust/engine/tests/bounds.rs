//! Tests of the cost of hostile pages, with the counting of languages. The tests measure calls and
//! bytes, which are the same on every machine, memory, and the behaviour at the time limit.
#![allow(clippy::unwrap_used)]

#[cfg(target_os = "linux")]
#[path = "../../content/tests/common/meter.rs"]
mod meter;
#[path = "../../content/tests/common/kinds.rs"]
mod pages;
#[path = "common/kinds.rs"]
mod texts;

use content::Extractor;
use engine::{Engine, Kind, PageHints, Policy, Settings, Status};
use langbytes::LangCode;
use langid::{work, Work};

/// A target in a script of few languages, and one in a script of many, whose text is read by the
/// most models.
const TARGETS: [&str; 2] = ["urd", "sme"];

/// An engine that keeps all text and asks every question.
fn engine(target: &str, change: impl FnOnce(&mut Settings)) -> Engine {
    let mut settings = Settings::new(target.parse().unwrap());
    settings.extractor = Extractor::Text;
    settings.policy = Policy::Recall;
    settings.max_millis = 1_000_000;
    change(&mut settings);
    Engine::new(settings).unwrap()
}

/// Every kind of page, of so many bytes.
fn kinds(length: usize) -> impl Iterator<Item = (&'static str, String)> {
    let pages = pages::KINDS.iter().map(move |(kind, make)| (*kind, pages::page(make, length)));
    pages.chain(texts::KINDS.iter().map(move |(kind, write)| (*kind, texts::page(*write, length))))
}

#[test]
fn the_work_of_counting_languages_is_bounded_by_the_text() {
    /// Memory in bytes that any page may need in addition to its own size: for the excerpts.
    const CONSTANT: u64 = 8 << 10;
    let mut broken = Vec::new();
    for target in TARGETS {
        let engine = engine(target, |_| ());
        for (kind, page) in kinds(40_000) {
            let before = work();
            let record = engine.page(page, &PageHints::default());
            let Work { cld2_calls, cld2_bytes, model_calls, model_bytes } = work() - before;
            assert_eq!(
                record.languages.total() + record.text.matches('\n').count() as u64,
                record.main_bytes,
                "{kind}"
            );
            let calls = cld2_calls + model_calls;
            println!("{target} {kind}: {} {cld2_bytes} {model_bytes} {calls}", record.main_bytes);
            let bytes = record.main_bytes + CONSTANT;
            if cld2_bytes > bytes || model_bytes > 4 * bytes || calls > bytes / 8 {
                broken.push(format!(
                    "{target}: {kind}: of {} bytes {:?}",
                    record.main_bytes,
                    work() - before
                ));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn when_time_is_up_no_call_begins() {
    let text =
        texts::page(|text, draw, times| texts::KINDS[10 + times % 9].1(text, draw, times), 3 << 20);
    let hints = PageHints { kind: Kind::Text, ..PageHints::default() };
    let before = work();
    let record = engine("sme", |settings| settings.max_millis = 1).page(text.as_bytes(), &hints);
    let Work { cld2_bytes, model_bytes, .. } = work() - before;
    assert_eq!(record.status, Status::LimitHit);
    assert_eq!(record.message.unwrap(), "time is up (maxMillis) before every language was counted");
    // One call has a megabyte at most, and none takes less than a millisecond.
    assert!(cld2_bytes <= 1 << 20 && model_bytes <= 4 << 20, "{cld2_bytes} {model_bytes}");
    assert_eq!(record.text.len(), text.trim().len());
    assert!(record.languages.bytes(LangCode::UND) >= 2 << 20, "{}", record.languages);
    assert_eq!((record.language_set.total(), record.junk, record.excerpts), (0, None, None));
}

#[cfg(target_os = "linux")]
mod memory {
    use super::meter::memory;
    use super::*;
    use std::env;
    use std::process::Command;

    /// Bytes of a page.
    const LENGTH: usize = 700_000;
    /// Text blocks, the most of a page: a tenth of what pages may have, so that what blocks cost
    /// hides nothing else.
    const BLOCKS: usize = 20_000;
    /// Bytes that each block may cost more.
    const BLOCK: usize = 300;
    /// Name the target and the kind to a process that reads one page.
    const TARGET: &str = "CORPULYZER_TEST_TARGET";
    const KIND: &str = "CORPULYZER_TEST_KIND";

    #[test]
    fn no_kind_of_text_costs_more_than_three_times_its_length() {
        if let Ok(target) = env::var(TARGET) {
            return measure(&target, &env::var(KIND).unwrap());
        }
        // Beside three times the page: what one call of an identifier takes, and what a thread
        // remembers of words and letters, 29 MB of a script of many languages.
        let urdu = texts::KINDS.iter().map(|(kind, _)| ("urd", *kind, 18 << 20));
        let latin = texts::KINDS.iter().filter(|(kind, _)| kind.contains("Latin"));
        let mut worst = Vec::new();
        for (target, kind, constant) in urdu.chain(latin.map(|(kind, _)| ("sme", *kind, 36 << 20)))
        {
            let mut child = this_program();
            let name = "memory::no_kind_of_text_costs_more_than_three_times_its_length";
            let out = child
                .args([name, "--exact", "--nocapture"])
                .env(TARGET, target)
                .env(KIND, kind)
                .output()
                .unwrap();
            let out = String::from_utf8(out.stdout).unwrap();
            let held = out.lines().find_map(|line| line.strip_prefix("held ")).expect(kind);
            let held: usize = held.parse().unwrap();
            println!("{held:10} {target} {kind}");
            let allowed = 3 * LENGTH + constant + BLOCKS * BLOCK;
            if held > allowed {
                worst.push(format!("{target}: {kind}: {held} bytes, allowed are {allowed}"));
            }
        }
        assert!(worst.is_empty(), "{worst:#?}");
    }

    /// This program. `test --full aarch64` names the emulator that starts it.
    fn this_program() -> Command {
        let program = env::current_exe().unwrap();
        let Some(emulator) = env::var_os("CORPULYZER_EMULATOR") else {
            return Command::new(program);
        };
        let mut command = Command::new(emulator);
        command.arg(program);
        command
    }

    /// Prints what reading a page took, the page itself with it.
    fn measure(target: &str, kind: &str) {
        let (_, write) = texts::KINDS.iter().find(|(name, _)| *name == kind).unwrap();
        let engine = engine(target, |settings| settings.max_blocks = BLOCKS);
        let before = memory("VmRSS:");
        engine.page(texts::page(*write, LENGTH).into_bytes(), &PageHints::default());
        println!("\nheld {}", memory("VmHWM:").saturating_sub(before));
    }
}
