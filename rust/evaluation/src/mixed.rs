//! The error in bytes of the target on pages that mix texts of two known languages.

use super::metrics::mean;
use super::report::percent;
use inputs::texts::Texts;
use langid::LangCode;
use rayon::prelude::*;
use serde::Serialize;
use std::fmt::Write as _;

/// Paragraphs of a page.
const PARAGRAPHS: usize = 20;
/// Numbers of paragraphs of a page that are in the target.
const IN_TARGET: [usize; 3] = [2, 10, 18];
/// Numbers of texts in a paragraph.
const SENTENCES: [usize; 2] = [1, 4];

/// The error of the count on pages in the target and one other language, in shares of the target's
/// true bytes.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// The other language, or `mean` over all of them.
    language: String,
    /// Share of the paragraphs that are in the target.
    share: f64,
    sentences: usize,
    /// Mean of the signed errors over the pages.
    signed: Option<f64>,
    /// Mean of the absolute errors over the pages.
    absolute: Option<f64>,
}

/// Counts the target's bytes on `pages` pages for each other language, share and length of
/// paragraph. The same seed gives the same pages, and the other languages do not change them.
/// `count` returns the target's bytes in some paragraphs.
pub fn rows(
    texts: &Texts,
    target: LangCode,
    pages: u64,
    seed: u64,
    count: impl Fn(&[&str]) -> u64 + Sync,
) -> Vec<Row> {
    let own = texts.get(&target).map_or(&[][..], Vec::as_slice);
    let mut rows = Vec::new();
    let mut sums = Vec::new();
    for (language, other) in texts.iter().filter(|(language, _)| **language != target) {
        for in_target in IN_TARGET {
            for sentences in SENTENCES {
                let errors: Vec<f64> = (0..pages)
                    .into_par_iter()
                    .map(|page| {
                        let mut random = Random::new(
                            seed,
                            &format!("{language} {in_target} {sentences} {page}"),
                        );
                        let paragraphs = paragraphs(own, other, in_target, sentences, &mut random);
                        let texts: Vec<&str> =
                            paragraphs.iter().map(|(_, text)| text.as_str()).collect();
                        let of_target = paragraphs.iter().filter(|(is_target, _)| *is_target);
                        let truth: usize = of_target.map(|(_, text)| text.len()).sum();
                        (count(&texts) as f64 - truth as f64) / truth as f64
                    })
                    .collect();
                let row = Row {
                    language: language.to_string(),
                    share: in_target as f64 / PARAGRAPHS as f64,
                    sentences,
                    signed: mean(errors.iter().copied()),
                    absolute: mean(errors.iter().map(|error| error.abs())),
                };
                sums.push((in_target, row.clone()));
                rows.push(row);
            }
        }
    }
    for in_target in IN_TARGET {
        for sentences in SENTENCES {
            let of = |value: fn(&Row) -> Option<f64>| {
                let rows =
                    sums.iter().filter(|(of, row)| *of == in_target && row.sentences == sentences);
                mean(rows.filter_map(|(_, row)| value(row)))
            };
            rows.push(Row {
                language: "mean".to_owned(),
                share: in_target as f64 / PARAGRAPHS as f64,
                sentences,
                signed: of(|row| row.signed),
                absolute: of(|row| row.absolute),
            });
        }
    }
    rows
}

/// The rows as a table.
pub fn text(identifier: &str, target: LangCode, pages: u64, rows: &[Row]) -> String {
    let mut text = format!(
        "# {identifier}: error of the bytes of {target} on pages with another language; {PARAGRAPHS} paragraphs, {pages} pages a row\n"
    );
    text += "language\tshare\tsentences\tsigned\tabsolute\n";
    for row in rows {
        let (signed, absolute) = (percent(row.signed), percent(row.absolute));
        let _ = writeln!(
            text,
            "{}\t{}\t{}\t{signed}\t{absolute}",
            row.language,
            percent(Some(row.share)),
            row.sentences
        );
    }
    text.push('\n');
    text
}

/// A page: its paragraphs in random order, and whether each is in the target.
fn paragraphs(
    own: &[String],
    other: &[String],
    in_target: usize,
    sentences: usize,
    random: &mut Random,
) -> Vec<(bool, String)> {
    let mut page: Vec<(bool, String)> = (0..PARAGRAPHS)
        .map(|index| {
            let is_target = index < in_target;
            let from = if is_target { own } else { other };
            let drawn: Vec<&str> =
                (0..sentences).map(|_| from[random.below(from.len())].as_str()).collect();
            (is_target, drawn.join(" "))
        })
        .collect();
    // Fisher and Yates.
    for last in (1..page.len()).rev() {
        page.swap(last, random.below(last + 1));
    }
    page
}

/// SplitMix64 (Steele, Lea and Flood 2014), seeded by a number and a name.
struct Random(u64);

impl Random {
    fn new(seed: u64, name: &str) -> Random {
        // FNV-1a distributes names over the states.
        Random(name.bytes().fold(seed ^ 0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        }))
    }

    /// A number below `limit`, which is not 0. The bias is under one in 2^40 for limits that fit in
    /// memory here.
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(mixed ^ (mixed >> 31)) * limit as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn texts() -> Texts {
        let text = |code: &str, text: &str| (code.parse().unwrap(), vec![text.to_owned()]);
        [text("urd", "aaaaaaaaa"), text("skr", "bbbbb"), text("eng", "ccccc")].into()
    }

    fn target() -> LangCode {
        "urd".parse().unwrap()
    }

    #[test]
    fn an_exact_count_has_no_error() {
        let count = |page: &[&str]| {
            page.iter().filter(|text| text.starts_with('a')).map(|text| text.len() as u64).sum()
        };
        let rows = rows(&texts(), target(), 3, 1, count);
        assert_eq!(rows.len(), (2 + 1) * 6);
        assert!(rows.iter().all(|row| row.signed == Some(0.0) && row.absolute == Some(0.0)));
    }

    #[test]
    fn a_language_taken_for_the_target_adds_its_bytes() {
        let count = |page: &[&str]| {
            page.iter().filter(|text| !text.starts_with('c')).map(|text| text.len() as u64).sum()
        };
        let rows = rows(&texts(), target(), 5, 1, count);
        let error = |language: &str, index: usize| {
            rows.iter().filter(|row| row.language == language).nth(index).unwrap()
        };
        // 18 paragraphs of 5 bytes beside 2 of 9, and 18 of 4 * 5 + 3 beside 2 of 4 * 9 + 3.
        assert_eq!(error("skr", 0).signed, Some(90.0 / 18.0));
        assert_eq!(error("skr", 1).signed, Some(18.0 * 23.0 / 78.0));
        assert_eq!(error("eng", 0).signed, Some(0.0));
        assert_eq!(error("mean", 0).signed, Some(90.0 / 18.0 / 2.0));
    }

    #[test]
    fn pages_come_from_the_seed_in_any_order() {
        let own: Vec<String> = (0..50).map(|number| format!("a{number}")).collect();
        let page =
            |seed: u64, name: &str| paragraphs(&own, &own, 2, 1, &mut Random::new(seed, name));
        assert_eq!(page(1, "x"), page(1, "x"));
        assert_ne!(page(1, "x"), page(2, "x"));
        assert_ne!(page(1, "x"), page(1, "y"));
        let firsts = (0..200).filter(|seed| page(*seed, "x")[0].0).count();
        assert!(
            (5..40).contains(&firsts),
            "the target stands anywhere: first on {firsts} of 200 pages, 20 expected"
        );
    }
}
