//! Languages that are found in texts of another language.

use super::metrics::Confusion;
use langid::LangCode;
use render::results::{Cell, Results};
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Returns a table of the `most` languages that are found most often in texts of another language:
/// the number of these texts, the number in a million texts, and the number for each language of
/// the texts, the largest first. If the texts are in common languages, these are the texts that
/// wrongly enter a corpus of the found language.
pub fn results(identifier: &str, confusion: &Confusion, most: usize) -> Results {
    let mut found: BTreeMap<LangCode, Vec<(LangCode, u64)>> = BTreeMap::new();
    for (language, called, count, _) in confusion.confused(0.0) {
        found.entry(called).or_default().push((language, count));
    }
    let languages = confusion.languages();
    let all: u64 = languages.iter().map(|&language| confusion.texts(language)).sum();
    let sum = |rows: &[(LangCode, u64)]| rows.iter().map(|(_, count)| count).sum::<u64>();
    let wrong: u64 = found.values().map(|rows| sum(rows)).sum();
    let mut rows: Vec<_> = found.into_iter().collect();
    rows.sort_by_key(|(called, counts)| (Reverse(sum(counts)), *called));
    let million = |count: u64| count as f64 * 1e6 / all.max(1) as f64;
    let mut results = Results::default();
    results.line(&format!(
        "# {identifier}: {all} texts in {} languages\n\
         # texts found to be in another language: {wrong} ({:.0} in a million)\n\
         # languages found: {}",
        languages.len(),
        million(wrong),
        rows.len()
    ));
    results.figure("identifier", identifier);
    results.figure("texts", all);
    results.figure("wrong_texts", wrong);
    let columns = [
        ("language", "language", 0),
        ("texts", "texts", 0),
        ("per_million", "in a million", 0),
        ("of_languages", "texts in", 0),
    ];
    let mut table = results.table("languages", "", &columns);
    table.headings();
    for (called, mut counts) in rows.into_iter().take(most) {
        let count = sum(&counts);
        counts.sort_by_key(|&(language, count)| (Reverse(count), language));
        let of = counts.iter().map(|(language, count)| format!("{language} {count}"));
        let of = of.collect::<Vec<_>>().join(", ");
        let counts = counts.iter().map(|(code, count)| (code.to_string(), Value::from(*count)));
        let of = Cell::new(of, counts.collect::<Value>());
        table.row([called.as_str().into(), count.into(), Cell::number(million(count), 1), of]);
    }
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_languages_found_most_often_in_other_texts_come_first() {
        let code = |code: &str| code.parse::<LangCode>().expect("a code");
        let mut confusion = Confusion::default();
        for (language, called, texts) in [
            ("eng", "eng", 990),
            ("eng", "sco", 4),
            ("eng", "und", 6),
            ("spa", "spa", 990),
            ("spa", "arg", 5),
            ("spa", "glg", 4),
            ("spa", "sco", 1),
        ] {
            confusion.add(code(language), code(called), texts);
        }
        let expected = "# x: 2000 texts in 2 languages\n\
                        # texts found to be in another language: 14 (7000 in a million)\n\
                        # languages found: 3\n\
                        language\ttexts\tin a million\ttexts in\n\
                        arg\t5\t2500.0\tspa 5\n\
                        sco\t5\t2500.0\teng 4, spa 1\n";
        assert_eq!(results("x", &confusion, 2).text, expected);
    }
}
