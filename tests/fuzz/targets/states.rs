//! Any bytes are a part of a state or are refused, and whatever part it is, it adds to others and
//! has figures. `bin/corpulyzer fuzz states`.
#![no_main]

use figures::{Accumulator, CorpusPage, Measures, Plan, Scratch, Tokenizer, Viewer};
use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;

const TEXTS: [&str; 3] = [
    "یہ اردو ہے۔ یہ web ہے؟\nایک دو تین چار پانچ",
    "یہ اردو ہے۔ یہ web ہے",
    "The river rose.\n\n12 web",
];

struct Shared {
    plan: Plan,
    scratch: Scratch,
    /// Of a small corpus.
    parts: Vec<Vec<u8>>,
}

static SHARED: OnceLock<Shared> = OnceLock::new();

fn parts(measures: Measures) -> Vec<Vec<u8>> {
    let mut parts = Vec::new();
    let give = &mut |part| {
        parts.push(part);
        Ok(())
    };
    measures.parts(give).expect("memory");
    parts
}

fn shared() -> &'static Shared {
    SHARED.get_or_init(|| {
        let target = "urd".parse().expect("a code");
        let plan = Plan { target, scripts: Default::default(), min_bytes: 9, words: true };
        let scratch = Scratch::new(&std::env::temp_dir(), 1 << 20);
        let tokenizer = Tokenizer::with_scripts(plan.target, plan.scripts);
        let mut viewer = Viewer::new(&tokenizer);
        let mut measures = Measures::new(plan, &scratch);
        for (text, number) in TEXTS.iter().cycle().zip(0..5u8) {
            let bytes = text.len() as u64;
            let mut page = CorpusPage {
                url: format!("http://a{number}.pk/x/{number}"),
                host: format!("a{}.pk", number % 2),
                round: Some(number.into()),
                kept: number != 1,
                raw_bytes: Some(u64::from(number) << 19),
                visible_bytes: Some(bytes),
                main_bytes: bytes,
                signature: Some([number / 2; 16]),
                text: (*text).to_owned(),
                ..CorpusPage::default()
            };
            page.set_languages(
                format!("urd:{},eng:2", bytes / 2).parse().expect("bytes"),
                plan.target,
            );
            measures.add(&viewer.view(&page)).expect("memory");
        }
        Shared { plan, scratch, parts: parts(measures) }
    })
}

/// A good part with some bytes changed, or its head before other bytes, or these alone.
fn part(choice: u8, bytes: &[u8]) -> Vec<u8> {
    let good = &shared().parts;
    let mut part = good[usize::from(choice & 0x3f) % good.len()].clone();
    match choice >> 6 {
        0 | 1 => {
            let length = part.len();
            for change in bytes.chunks_exact(3) {
                part[usize::from(u16::from_le_bytes([change[0], change[1]])) % length] = change[2];
            }
        }
        2 => {
            // Magic, version and a name with its length.
            part.truncate(7 + usize::from(part[6]));
            part.extend_from_slice(bytes);
        }
        _ => part = bytes.to_vec(),
    }
    part
}

// The first byte chooses what is made of the rest.
fuzz_target!(|input: &[u8]| {
    let Some((&choice, bytes)) = input.split_first() else { return };
    let Shared { plan, scratch, parts: good } = shared();
    let part = part(choice, bytes);
    let mut measures = Measures::new(*plan, scratch);
    if let Err(refused) = measures.absorb(&part) {
        assert!(!refused.to_string().is_empty());
        return;
    }
    // Twice as much, and something else, whatever the order.
    measures.absorb(&part).expect("what was taken in once");
    let mut other = Measures::new(*plan, scratch);
    good.iter().for_each(|part| measures.absorb(part).expect("a good part"));
    good.iter().chain([&part, &part]).for_each(|part| other.absorb(part).expect("taken in before"));
    let (mine, others) = (parts(measures), parts(other));
    for (mine, other) in mine.iter().zip(&others) {
        assert_eq!(mine, other, "{}", String::from_utf8_lossy(mine));
    }
    assert_eq!(mine.len(), others.len());
    let mut all = Measures::new(*plan, scratch);
    mine.iter().for_each(|part| all.absorb(part).expect("what was written"));
    all.finish(*plan).expect("memory");
});
