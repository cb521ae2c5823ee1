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
/// Shares of the paragraphs of a page that are in the target, in percent, if none are given.
pub const SHARES: [u32; 3] = [10, 50, 90];
/// The name of the rows with the means over all other languages.
const MEAN: &str = "mean";
/// Numbers of texts in a paragraph.
const SENTENCES: [usize; 2] = [1, 4];

/// The pages that are made for each other language.
#[derive(Debug, Clone, Copy)]
pub struct Pages<'a> {
    /// Number of pages for each share and length of paragraph.
    pub number: u64,
    /// Random seed.
    pub seed: u64,
    /// Shares of the paragraphs that are in the target, in percent.
    pub shares: &'a [u32],
    /// The language that every page declares.
    pub declared: Option<LangCode>,
}

/// The error of the count on pages in the target and one other language, in shares of the target's
/// true bytes; of all bytes, if the pages have none of the target.
#[derive(Debug, Clone, Serialize)]
pub struct MixedRow {
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

/// Counts the target's bytes on the pages for each other language, share and length of paragraph.
/// The same seed gives the same pages, and the other languages do not change them. `count` returns
/// the target's bytes in some paragraphs.
pub fn rows(
    texts: &Texts,
    target: LangCode,
    pages: Pages,
    count: impl Fn(&[&str]) -> u64 + Sync,
) -> Vec<MixedRow> {
    let own = texts.get(&target).map_or(&[][..], Vec::as_slice);
    let parts = pages.shares.iter().flat_map(|&share| SENTENCES.map(|number| (share, number)));
    let mut rows = Vec::new();
    for (language, other) in texts.iter().filter(|(language, _)| **language != target) {
        for (share, sentences) in parts.clone() {
            let in_target = PARAGRAPHS * share as usize / 100;
            let errors: Vec<f64> = (0..pages.number)
                .into_par_iter()
                .map(|page| {
                    let name = format!("{language} {in_target} {sentences} {page}");
                    let mut random = Random::new(pages.seed, &name);
                    error_on(&paragraphs(own, other, in_target, sentences, &mut random), &count)
                })
                .collect();
            let share = f64::from(share) / 100.0;
            rows.push(MixedRow {
                language: language.to_string(),
                share,
                sentences,
                signed: mean(errors.iter().copied()),
                absolute: mean(errors.iter().map(|error| error.abs())),
            });
        }
    }
    for (share, sentences) in parts {
        let share = f64::from(share) / 100.0;
        let of = |value: fn(&MixedRow) -> Option<f64>| {
            let of = rows.iter().filter(|row| row.share == share && row.sentences == sentences);
            mean(of.filter_map(value))
        };
        let (signed, absolute) = (of(|row| row.signed), of(|row| row.absolute));
        rows.push(MixedRow { language: MEAN.to_owned(), share, sentences, signed, absolute });
    }
    rows
}

/// Returns the error of the count on a page, see [`MixedRow`].
fn error_on(page: &[(bool, String)], count: impl Fn(&[&str]) -> u64) -> f64 {
    let texts: Vec<&str> = page.iter().map(|(_, text)| text.as_str()).collect();
    let bytes = |of_target: bool| -> usize {
        page.iter()
            .filter(|(is_target, _)| *is_target == of_target)
            .map(|(_, text)| text.len())
            .sum()
    };
    let truth = bytes(true);
    let whole = if truth > 0 { truth } else { bytes(false) };
    (count(&texts) as f64 - truth as f64) / whole as f64
}

/// The rows as a table.
pub fn text(identifier: &str, target: LangCode, pages: Pages, rows: &[MixedRow]) -> String {
    let declared = pages.declared.map_or(String::new(), |code| format!(", declared as {code}"));
    let mut text = format!(
        "# {identifier}: error of the bytes of {target} on pages with another language{declared}; {PARAGRAPHS} paragraphs, {} pages a row\n",
        pages.number
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

    fn pages(number: u64, shares: &[u32]) -> Pages<'_> {
        Pages { number, seed: 1, shares, declared: None }
    }

    #[test]
    fn the_error_of_pages_without_the_target_is_a_share_of_all_bytes() {
        let rows = rows(&texts(), target(), pages(2, &[0, 100]), |page| {
            page.iter().filter(|text| text.starts_with('b')).map(|text| text.len() as u64).sum()
        });
        let signed = |language: &str| -> Vec<f64> {
            rows.iter()
                .filter(|row| row.language == language)
                .filter_map(|row| row.signed)
                .collect()
        };
        assert_eq!(signed("skr"), [1.0, 1.0, -1.0, -1.0]);
        assert_eq!(signed("eng"), [0.0, 0.0, -1.0, -1.0]);
        assert_eq!(signed(MEAN), [0.5, 0.5, -1.0, -1.0]);
    }

    #[test]
    fn an_exact_count_has_no_error() {
        let count = |page: &[&str]| {
            page.iter().filter(|text| text.starts_with('a')).map(|text| text.len() as u64).sum()
        };
        let rows = rows(&texts(), target(), pages(3, &SHARES), count);
        assert_eq!(rows.len(), (2 + 1) * 6);
        assert!(rows.iter().all(|row| row.signed == Some(0.0) && row.absolute == Some(0.0)));
    }

    #[test]
    fn a_language_taken_for_the_target_adds_its_bytes() {
        let count = |page: &[&str]| {
            page.iter().filter(|text| !text.starts_with('c')).map(|text| text.len() as u64).sum()
        };
        let rows = rows(&texts(), target(), pages(5, &SHARES), count);
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
