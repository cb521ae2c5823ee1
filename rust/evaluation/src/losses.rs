//! The recall that language packs take from languages that are known without them.

use super::metrics::Confusion;
use super::report::share;
use langid::LangCode;
use render::results::{Cell, Results};
use serde_json::Value;
use std::collections::BTreeSet;

/// Points of recall that a pack may take from a language.
pub const MAX_LOSS: f64 = 0.2;

/// A language with its recall without the packs and with them.
struct Loss {
    language: LangCode,
    texts: u64,
    without: f64,
    with: f64,
    /// The result that more texts have with the packs than without, and how many more.
    taker: Option<(LangCode, u64)>,
}

impl Loss {
    fn of(language: LangCode, without: &Confusion, with: &Confusion) -> Self {
        let recall = |confusion: &Confusion| confusion.score(language).recall().unwrap_or(0.0);
        let results = with.results(language).filter(|&found| found != language);
        let more = |found: LangCode| {
            let before = without.count(language, found);
            with.count(language, found).checked_sub(before).filter(|&more| more > 0)
        };
        Loss {
            language,
            texts: without.texts(language),
            without: recall(without),
            with: recall(with),
            taker: results
                .filter_map(|found| Some((found, more(found)?)))
                .max_by_key(|&(found, more)| (more, std::cmp::Reverse(found))),
        }
    }

    /// Points that are lost; below 0 if the packs gain some.
    fn points(&self) -> f64 {
        (self.without - self.with) * 100.0
    }
}

/// Returns a table of the `known` languages whose recall the packs change, those that lose most
/// first, and whether none loses more than [`MAX_LOSS`].
pub fn table(
    names: [&str; 2],
    known: &BTreeSet<LangCode>,
    without: &Confusion,
    with: &Confusion,
) -> (Results, bool) {
    let tested = without.languages().into_iter().filter(|language| known.contains(language));
    let mut rows: Vec<Loss> = tested.map(|language| Loss::of(language, without, with)).collect();
    rows.sort_by(|a, b| b.points().total_cmp(&a.points()).then(a.language.cmp(&b.language)));
    // Half of a hundredth is lost when points are computed from shares.
    let harmed = rows.iter().filter(|row| row.points() > MAX_LOSS + 0.005).count();
    let mut results = Results::default();
    results.line(&format!(
        "# {} instead of {}: {harmed} of {} languages lose more than {MAX_LOSS} points of recall",
        names[1],
        names[0],
        rows.len()
    ));
    results.figure("identifier", names[1]);
    results.figure("without_packs", names[0]);
    results.figure("harmed_languages", harmed);
    let columns = [
        ("language", "language", 0),
        ("texts", "texts", 0),
        ("recall_without_packs", "without", 0),
        ("recall", "with", 0),
        ("recall_loss", "loss", 0),
        ("taken_by", "taken by", 0),
        ("taken_texts", "texts", 0),
    ];
    let mut table = results.table("losses", "", &columns);
    table.headings();
    for row in rows.iter().filter(|row| row.points() != 0.0 || row.taker.is_some()) {
        let (by, texts) = match row.taker {
            None => (Cell::new("-", Value::Null), 0),
            Some((by, texts)) => (by.as_str().into(), texts),
        };
        table.row([
            row.language.as_str().into(),
            row.texts.into(),
            share(Some(row.without)),
            share(Some(row.with)),
            Cell::new(format!("{:.2}", row.points()), row.without - row.with),
            by,
            texts.into(),
        ]);
    }
    (results, harmed == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_that_lose_come_first_with_what_takes_their_texts() {
        let code = |code: &str| code.parse::<LangCode>().expect("a code");
        let confusion = |counts: &[(&str, &str, u64)]| {
            let mut confusion = Confusion::default();
            for &(language, called, texts) in counts {
                confusion.add(code(language), code(called), texts);
            }
            confusion
        };
        let without = confusion(&[
            ("hat", "hat", 97),
            ("hat", "fra", 3),
            ("eng", "eng", 1000),
            ("fon", "und", 9),
            ("mai", "bho", 10),
        ]);
        let with = confusion(&[
            ("hat", "hat", 28),
            ("hat", "fra", 5),
            ("hat", "gcf", 67),
            ("eng", "eng", 998),
            ("eng", "pcm", 2),
            ("fon", "fon", 9),
            ("mai", "mai", 10),
        ]);
        let known = ["hat", "eng", "mai"].map(code).into();
        let (table, is_harmless) = table(["a", "b"], &known, &without, &with);
        let expected = "# b instead of a: 1 of 3 languages lose more than 0.2 points of recall\n\
                        language\ttexts\twithout\twith\tloss\ttaken by\ttexts\n\
                        hat\t100\t97.0\t28.0\t69.00\tgcf\t67\n\
                        eng\t1000\t100.0\t99.8\t0.20\tpcm\t2\n\
                        mai\t10\t0.0\t100.0\t-100.00\t-\t0\n";
        assert_eq!((table.text.as_str(), is_harmless), (expected, false));
        assert!(super::table(["a", "b"], &known, &without, &without).1);
    }
}
