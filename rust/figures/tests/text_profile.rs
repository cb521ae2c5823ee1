//! Nutch's near-duplicate signature, on texts whose signatures Nutch's own class computed
//! (`TextProfileTest` does it again).
#![allow(clippy::unwrap_used)]

use figures::profile;
use md5::{Digest, Md5};
use std::fmt::Write as _;
use std::fs;

/// SplitMix64.
struct Random(u64);

impl Random {
    /// From 0 to `bound` - 1.
    fn next(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % u64::from(bound)) as u32
    }
}

/// The text with a number: words of characters from a range, each of which comes several times, and
/// signs between them.
fn text(number: u32, first: u32, last: u32) -> String {
    let signs = [" ", "\n", ", ", "-", "\u{60c} "];
    let mut random = Random(number.into());
    let vocabulary = 1 + random.next(60);
    // Now and then a text in which words come so often that their counts are rounded.
    let words = if number % 50 == 49 { 2000 } else { 1 + random.next(120) };
    let mut text = String::new();
    for _ in 0..words {
        let mut letters =
            Random(1_000_003 * u64::from(number) + u64::from(random.next(vocabulary)));
        let length = 1 + letters.next(8);
        text.extend(
            (0..length).map(|_| char::from_u32(first + letters.next(last - first + 1)).unwrap()),
        );
        text.push_str(signs[random.next(signs.len() as u32) as usize]);
    }
    text
}

#[test]
fn signatures_are_those_of_nutch() {
    let vectors = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/text-profile.tsv");
    let mut texts = 0;
    for line in fs::read_to_string(vectors).unwrap().lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<&str> = line.split('\t').collect();
        let code = |cell: &str| u32::from_str_radix(cell, 16).unwrap();
        let (first, last, count) = (code(cells[1]), code(cells[2]), cells[3].parse().unwrap());
        let mut all = Md5::new();
        for number in 0..count {
            all.update(profile::nutch(&text(number, first, last)).unwrap());
        }
        let mut digest = String::new();
        for byte in all.finalize() {
            write!(digest, "{byte:02x}").unwrap();
        }
        assert_eq!(digest, cells[4], "{}", cells[0]);
        texts += count;
    }
    assert!(texts >= 10_000);
}
