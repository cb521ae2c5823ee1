//! Texts of a test that also occur in training text.

use super::report::share;
use inputs::texts::Texts;
use langid::words::for_each_word;
use langid::LangCode;
use render::results::Results;
use std::collections::{BTreeMap, HashMap};

/// Number of words by which a text is looked up; shorter texts must be equal to a line.
const START: usize = 5;

/// Text in each language, by language.
pub type Training = BTreeMap<LangCode, String>;

/// The words of a text, folded.
type Words = Vec<Box<[char]>>;

fn words(text: &str) -> Words {
    let mut words = Words::new();
    for_each_word(text, |word| words.push(word.letters.into()));
    words
}

/// Returns a table of the number of test texts that occur in training text, by language.
///
/// A text occurs if a line of the training text, in any language, has all its words in order and
/// without other words between them. Letter case, punctuation and digits are ignored. A text of
/// fewer than [`START`] words occurs only if it has all words of a line. Texts without words are
/// not counted. Time is linear in the training text, unless many texts begin with the same words.
pub fn table(test: &Texts, training: &Training) -> Results {
    let texts: Vec<(LangCode, Words)> = test
        .iter()
        .flat_map(|(&language, lines)| lines.iter().map(move |line| (language, words(line))))
        .filter(|(_, words)| !words.is_empty())
        .collect();
    let mut by_start: HashMap<&[Box<[char]>], Vec<usize>> = HashMap::new();
    for (at, (_, words)) in texts.iter().enumerate() {
        by_start.entry(&words[..words.len().min(START)]).or_default().push(at);
    }
    let mut occurs = vec![false; texts.len()];
    for line in training.values().flat_map(|text| text.lines()) {
        let line = words(line);
        let whole = by_start.get(&line[..]).filter(|_| line.len() < START);
        whole.into_iter().flatten().for_each(|&at| occurs[at] = true);
        for (from, start) in line.windows(START).enumerate() {
            for &at in by_start.get(start).into_iter().flatten() {
                occurs[at] |= line[from..].starts_with(&texts[at].1);
            }
        }
    }
    let mut rows: BTreeMap<LangCode, (usize, usize)> = BTreeMap::new();
    for ((language, _), &occurs) in texts.iter().zip(&occurs) {
        let row = rows.entry(*language).or_default();
        row.0 += 1;
        row.1 += usize::from(occurs);
    }
    let all = occurs.iter().filter(|&&occurs| occurs).count();
    let mut results = Results::default();
    let columns = [
        ("language", "language", 0),
        ("texts", "texts", 0),
        ("training_texts", "in training", 0),
        ("training_share", "percent", 0),
    ];
    let mut table = results.table("overlap", "", &columns);
    let mut row = |name: &str, texts: usize, found: usize| {
        let share = share(Some(found as f64 / texts.max(1) as f64));
        table.row([name.into(), texts.into(), found.into(), share]);
    };
    rows.iter().for_each(|(language, &(texts, found))| row(language.as_str(), texts, found));
    row("all", texts.len(), all);
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_occurs_if_a_line_has_its_words_in_order() {
        let eng: LangCode = "eng".parse().expect("a code");
        let fra: LangCode = "fra".parse().expect("a code");
        let lines = [
            "The river rose during the night.",
            "the river rose during the day",
            "Contact us",
            "before noon",
            "1234",
        ];
        let test =
            Texts::from([(eng, lines.map(str::to_owned).to_vec()), (fra, vec!["Oui.".into()])]);
        let training = Training::from([
            (
                eng,
                "12. «The river ROSE during the night» and fell.\nleave before noon\n".to_owned(),
            ),
            (fra, "contact us!\nNon\n".to_owned()),
        ]);
        let rows = ["eng\t4\t2\t50.0", "fra\t1\t0\t0.0", "all\t5\t2\t40.0", ""].join("\n");
        assert_eq!(
            table(&test, &training).text,
            "language\ttexts\tin training\tpercent\n".to_owned() + &rows
        );
    }
}
