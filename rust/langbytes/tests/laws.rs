//! Laws of counting that must hold for any text.
#![allow(clippy::unwrap_used)]

use langbytes::{count, segments, Cld2, Combined, Identify, LangBytes, LangCode};
use proptest::prelude::*;

const SENTENCES: [&str; 6] = [
    "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے۔",
    "The river rose during the night and the ferry could not leave before noon.",
    "کتابخانه شهر از فردا صبح درهای خود را به روی همه شهروندان باز می‌کند.",
    "افتتحت المدرسة الجديدة أبوابها اليوم أمام تلاميذ الحي بعد عامين من البناء.",
    "12:30 — 14.5 %",
    "گھر 😀 \u{0} home",
];

fn block() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => proptest::sample::select(&SENTENCES[..]).prop_map(str::to_owned),
        1 => (proptest::sample::select(&SENTENCES[..]), 1..200usize).prop_map(|(text, times)| text.repeat(times)),
        2 => any::<String>(),
        1 => "\\PC{0,12}",
        1 => Just(String::new()),
    ]
}

fn tally() -> impl Strategy<Value = LangBytes> {
    let codes: Vec<LangCode> = Cld2.languages().into_iter().chain([LangCode::UND]).collect();
    proptest::collection::vec((proptest::sample::select(codes), any::<u64>()), 0..12).prop_map(
        |entries| {
            let mut sum = LangBytes::new();
            for (language, bytes) in entries {
                sum.add(language, bytes);
            }
            sum
        },
    )
}

fn merged(left: &LangBytes, right: &LangBytes) -> LangBytes {
    let mut sum = left.clone();
    sum.merge(right);
    sum
}

/// Every identifier that a page may be counted by.
fn identifiers() -> [Box<dyn Identify>; 3] {
    let of = |target: Option<&str>| {
        Box::new(Combined::new(Vec::new(), target.map(|code| code.parse().unwrap())))
    };
    [Box::new(Cld2), of(None), of(Some("urd"))]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_byte_is_lost_or_counted_twice(blocks in proptest::collection::vec(block(), 0..12)) {
        let blocks: Vec<&str> = blocks.iter().map(String::as_str).collect();
        let total: usize = blocks.iter().map(|block| block.len()).sum();
        for identifier in identifiers() {
            prop_assert_eq!(count(&blocks, identifier.as_ref()).total(), total as u64);
        }
    }

    #[test]
    fn the_pieces_of_a_block_are_the_block(blocks in proptest::collection::vec(block(), 0..12)) {
        let texts: Vec<&str> = blocks.iter().map(String::as_str).collect();
        for identifier in identifiers() {
            let found = segments(&texts, identifier.as_ref(), None);
            prop_assert!(!found.late);
            for (index, text) in texts.iter().enumerate() {
                let of_block = found.pieces.iter().filter(|piece| piece.block == index);
                prop_assert_eq!(&of_block.map(|piece| piece.text).collect::<String>(), text);
            }
            prop_assert!(found.pieces.windows(2).all(|pair| pair[0].block <= pair[1].block));
        }
    }

    #[test]
    fn a_tally_reads_back_what_it_prints(sum in tally()) {
        prop_assert_eq!(sum.to_string().parse::<LangBytes>().unwrap(), sum);
    }

    #[test]
    fn merging_is_addition(a in tally(), b in tally(), c in tally()) {
        prop_assert_eq!(merged(&a, &b), merged(&b, &a));
        prop_assert_eq!(merged(&merged(&a, &b), &c), merged(&a, &merged(&b, &c)));
        prop_assert_eq!(merged(&a, &LangBytes::new()), a);
    }
}
