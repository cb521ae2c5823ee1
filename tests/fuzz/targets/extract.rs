//! Any bytes make a record whose figures agree. `bin/corpulyzer fuzz extract`.
#![no_main]

use engine::frame::{page_answer, Frame};
use engine::{Engine, Kind, PageHints, Settings};
use langbytes::LangCode;
use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;
use content::Extractor;

static ENGINES: OnceLock<Vec<Engine>> = OnceLock::new();

fn engines() -> &'static [Engine] {
    ENGINES.get_or_init(|| {
        let [urdu, sami]: [LangCode; 2] = ["urd", "sme"].map(|code| code.parse().expect("both have a code"));
        // And a target in a script of many languages, of which the neighbours' models are asked
        // first.
        let neighbours = Settings { extractor: Extractor::Text, ..Settings::new(sami) };
        let settings = Extractor::ALL.map(|extractor| Settings { extractor, ..Settings::new(urdu) });
        let settings = settings.into_iter().chain([neighbours]);
        settings.map(|settings| Engine::new(settings).expect("defaults are good")).collect()
    })
}

// The first byte chooses extractor and kind, the rest is the page.
fuzz_target!(|input: &[u8]| {
    let Some((&choice, content)) = input.split_first() else { return };
    let engines = engines();
    let kind = if choice & 0x80 == 0 { Kind::Html } else { Kind::Text };
    let engine = &engines[usize::from(choice & 0x7F) % engines.len()];
    let inspection = engine.inspect(content, &PageHints { kind, ..PageHints::default() });
    let record = &inspection.record;
    let kept: u64 = inspection.blocks.iter().filter(|block| block.kept).map(|block| block.text.len() as u64).sum();
    assert_eq!(record.languages.total(), kept);
    assert_eq!(record.main_bytes, record.text.len() as u64);
    assert!(record.main_bytes <= record.visible_bytes);
    assert!(Frame::read(&page_answer(record).finish()).is_ok());
});
