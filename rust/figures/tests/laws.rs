//! Laws that hold for every metric: sums do not depend on how pages are shared out, nor on memory;
//! states survive their bytes.
#![allow(clippy::unwrap_used)]

use figures::measures::{Figures, Measures};
use figures::quality::PageQuality;
use figures::{Accumulator, BadState, CorpusPage, Plan, Scratch, Tokenizer, Viewer};
use proptest::prelude::*;
use std::path::Path;
use std::sync::OnceLock;

fn plan() -> Plan {
    let target = "urd".parse().unwrap();
    Plan { target, scripts: langbytes::Scripts::default(), words: true }
}

fn scratch(table_bytes: usize) -> Scratch {
    Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")), table_bytes)
}

/// Words of two scripts, sentence signs, blocks.
fn text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "یہ", "ہے۔", "اردو", "کتاب", "web", "12", "—", "\n", "میں\n", "end.", "بہت؟",
    ]);
    prop::collection::vec(word, 0..40).prop_map(|words| words.join(" "))
}

fn page() -> impl Strategy<Value = CorpusPage> {
    let size = prop_oneof![Just(0u64), 0..100u64, 0..2_000_000u64];
    let figures =
        (size.clone(), prop::option::of(size.clone()), prop::option::of(size), 0..100u64, 0..10u64);
    let signs = (
        prop::option::of(1..4u64),
        prop::bool::weighted(0.9),
        prop::bool::weighted(0.1),
        prop::option::of(0..3u8),
    );
    let address = ("[abc]", "(/[ab]?){0,3}");
    (address, text(), figures, signs).prop_map(
        |((host, path), text, (main, visible, raw, urdu, english), signs)| {
            let (round, kept, gone, signature) = signs;
            let languages = format!("urd:{},eng:{}", main * urdu / 100, main * english / 100);
            let mut page = CorpusPage {
                url: format!("http://{host}.pk{path}"),
                host,
                round,
                kept,
                gone,
                raw_bytes: raw,
                visible_bytes: visible,
                main_bytes: main,
                variety: round.map(|round| (format!("v{round}"), round as u32 * 250_000)),
                signature: signature.map(|byte| [byte; 16]),
                text,
                ..CorpusPage::default()
            };
            page.fetched = page.raw_bytes.filter(|bytes| bytes % 3 == 0);
            // Of three pages, one has neither signals nor rules.
            let noise = ["dup_line_frac", "consistency"].map(str::to_owned);
            let broken = &noise[..(main % 3) as usize];
            let consistency = (urdu % 3 > 0).then_some(urdu as f64 / 100.0);
            page.quality = PageQuality::new(None, [None, consistency, None], broken);
            page.set_languages(languages.parse().unwrap(), plan().target);
            page
        },
    )
}

fn sum<'a>(pages: impl IntoIterator<Item = &'a CorpusPage>, scratch: &Scratch) -> Measures {
    static TOKENIZER: OnceLock<Tokenizer> = OnceLock::new();
    let mut viewer = Viewer::new(TOKENIZER.get_or_init(|| Tokenizer::new(plan().target)));
    let mut measures = Measures::new(plan(), scratch);
    for page in pages {
        measures.add(&viewer.view(page)).unwrap();
    }
    measures
}

fn merged(mut a: Measures, b: Measures) -> Measures {
    a.merge(b).unwrap();
    a
}

fn parts(measures: Measures) -> Vec<Vec<u8>> {
    let mut parts = Vec::new();
    measures
        .parts(&mut |part| {
            parts.push(part);
            Ok(())
        })
        .unwrap();
    parts
}

fn figures(measures: Measures) -> Figures {
    measures.finish(plan()).unwrap().0
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn merging_is_associative_and_commutative(pages in prop::collection::vec(page(), 0..20), cuts in (0..20usize, 0..20usize)) {
        let (small, large) = (scratch(1 << 10), scratch(1 << 24));
        let first = cuts.0.min(cuts.1).min(pages.len());
        let second = cuts.0.max(cuts.1).min(pages.len());
        let part = |range: &[CorpusPage], scratch: &Scratch| sum(range, scratch);
        let (a, b, c) = (&pages[..first], &pages[first..second], &pages[second..]);
        let whole = figures(sum(&pages, &large));
        let left = merged(merged(part(a, &small), part(b, &large)), part(c, &small));
        prop_assert_eq!(&figures(left), &whole);
        let right = merged(part(a, &large), merged(part(b, &small), part(c, &large)));
        prop_assert_eq!(&figures(right), &whole);
        let turned = merged(merged(part(c, &large), part(a, &small)), part(b, &large));
        prop_assert_eq!(&figures(turned), &whole);
    }

    #[test]
    fn states_survive_their_bytes_and_depend_on_the_pages_alone(pages in prop::collection::vec(page(), 0..15)) {
        let (small, large) = (scratch(1 << 10), scratch(1 << 24));
        let bytes = parts(sum(&pages, &small));
        prop_assert_eq!(&bytes, &parts(sum(pages.iter().rev(), &large)));
        let mut read = Measures::new(plan(), &small);
        for part in bytes.iter().rev() {
            read.absorb(part).unwrap();
        }
        prop_assert_eq!(&parts(read), &bytes);
        // On top of what other pages gave.
        let (some, others) = pages.split_at(pages.len() / 2);
        let mut both = sum(some, &large);
        for part in parts(sum(others, &small)) {
            both.absorb(&part).unwrap();
        }
        prop_assert_eq!(figures(both), figures(sum(&pages, &large)));
    }

    #[test]
    fn bytes_that_were_changed_are_refused_or_are_another_state(
        pages in prop::collection::vec(page(), 1..5),
        part in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let scratch = scratch(1 << 24);
        let mut bytes = parts(sum(&pages, &scratch));
        let part = part.index(bytes.len());
        let part = &mut bytes[part];
        let at = at.index(part.len());
        part[at] = byte;
        let _: Result<(), BadState> = Measures::new(plan(), &scratch).absorb(part);
        part.truncate(at);
        prop_assert!(Measures::new(plan(), &scratch).absorb(part).is_err());
    }
}

#[test]
fn states_of_another_version_or_metric_are_refused() {
    let scratch = scratch(1 << 20);
    let refused =
        |part: &[u8]| Measures::new(plan(), &scratch).absorb(part).unwrap_err().to_string();
    let mut part = parts(sum([], &scratch)).swap_remove(0);
    part[5] += 1;
    assert_eq!(refused(&part), "state of `totals`: has version 4; allowed is 3");
    part[7] = b'x';
    assert_eq!(refused(&part), "state of `xotals`: no such metric");
    assert_eq!(refused(b"CRPM"), "a state has no head");
}

#[test]
fn states_larger_than_a_part_come_in_several() {
    let scratch = scratch(1 << 24);
    let mut measures = sum([], &scratch);
    for number in 0..40_000 {
        let host = format!("h{number}.pk");
        let page = CorpusPage {
            url: format!("http://{host}/"),
            host,
            kept: true,
            ..CorpusPage::default()
        };
        measures.add(&figures::PageView { page: &page, tokens: &[] }).unwrap();
    }
    let parts = parts(measures);
    assert!(parts.iter().all(|part| part.len() <= 2 << 20));
    let mut read = sum([], &scratch);
    parts.iter().for_each(|part| read.absorb(part).unwrap());
    let (figures, sites, _) = read.finish(plan()).unwrap();
    assert_eq!((figures.totals.pages, sites.0.len()), (40_000, 40_000));
    let of = |name: &[u8]| {
        parts.iter().filter(|part| part.windows(name.len()).take(20).any(|at| at == name)).count()
    };
    assert_eq!((of(b"sites"), of(b"totals")), (4, 1));
}
