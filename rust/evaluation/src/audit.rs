//! Models beside texts of another origin: does a model have the words of its language?

use super::metrics::Confusion;
use super::report::share as share_cell;
use inputs::texts::Texts;
use langid::words::for_each_word;
use langid::{typical_words, Identify, LangCode, Pack};
use render::results::{Cell, Column, Results};
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Number of a text's most frequent words that the models are asked for.
const FREQUENT: usize = 50;
/// Words of a cell.
const LISTED: usize = 6;

/// Columns of the table: key, heading, width.
const COLUMNS: [Column; 10] = [
    ("language", "language", 0),
    ("texts", "texts", 0),
    ("recall", "R", 0),
    ("confusion", "confusion", 0),
    ("confusion_rate", "share", 0),
    ("words_share", "words", 0),
    ("closest", "closest", 0),
    ("closest_words_share", "words", 0),
    ("missing_words", "missing", 0),
    ("typical_words", "typical", 0),
];

/// Returns the most frequent words of two letters or more, the most frequent first.
fn frequent(lines: &[String]) -> Vec<String> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for line in lines {
        for_each_word(line, |word| {
            if word.letters.len() > 1 {
                *counts.entry(word.letters.iter().collect()).or_default() += 1;
            }
        });
    }
    let mut words: Vec<_> = counts.into_iter().collect();
    words.sort_by(|(a, one), (b, other)| (Reverse(one), a).cmp(&(Reverse(other), b)));
    words.into_iter().take(FREQUENT).map(|(word, _)| word).collect()
}

/// Returns the share of words that are frequent in a model of a language.
fn share(words: &[String], language: LangCode, identifier: &dyn Identify) -> Option<f64> {
    let (frequent, read) = identifier.frequent_words(&words.join("\n"), language)?;
    (read > 0).then(|| frequent as f64 / words.len() as f64)
}

/// Returns a table with a line for each language of the texts that has a model: its recall, the
/// result that is most often wrong, the share of the texts' most frequent words that are frequent
/// in its model and in the model of another language that has most of them, such words that its
/// model lacks, and words that are typical of the model. A model has text of another language if
/// that one has more of the words. Below are the models without texts.
pub fn results(
    identifier: &dyn Identify,
    packs: &[Pack],
    texts: &Texts,
    confusion: &Confusion,
) -> Results {
    let models: BTreeSet<LangCode> =
        packs.iter().flat_map(Pack::languages).map(|(language, _)| language.code).collect();
    let audited: Vec<LangCode> =
        texts.keys().copied().filter(|code| models.contains(code)).collect();
    let mut results = Results::default();
    let version = identifier.version();
    results.line(&format!("# {version}: {} of {} models have texts", audited.len(), models.len()));
    results.figure("identifier", version);
    let mut table = results.table("languages", "", &COLUMNS);
    table.headings();
    let mut foreign = Vec::new();
    for &language in &audited {
        let words = Words::of(language, &texts[&language], identifier, &models);
        if words.own.zip(words.closest).is_some_and(|(own, (other, _))| own < other) {
            foreign.push(language);
        }
        let most = confusion.most_frequent_confusion(language);
        let wrong = most.and_then(|(called, _)| confusion.rate(language, called));
        table.row([
            language.as_str().into(),
            confusion.texts(language).into(),
            share_cell(confusion.score(language).recall()),
            code_cell(most.map(|(called, _)| called)),
            share_cell(wrong),
            share_cell(words.own),
            code_cell(words.closest.map(|(_, other)| other)),
            share_cell(words.closest.map(|(share, _)| share)),
            words_cell(&words.missing),
            words_cell(&typical(packs, language)),
        ]);
    }
    let names = |codes: &[LangCode]| codes.iter().map(LangCode::to_string).collect::<Vec<_>>();
    let foreign = names(&foreign);
    let named = if foreign.is_empty() { "none".to_owned() } else { foreign.join(" ") };
    results.line(&format!("more words in another model: {named}"));
    results.figure("more_words_in_another_model", foreign);
    let without: Vec<_> = models.into_iter().filter(|code| !texts.contains_key(code)).collect();
    let without = names(&without);
    if !without.is_empty() {
        results.line(&format!("not audited, for want of texts: {}", without.join(" ")));
    }
    results.figure("not_audited", without);
    results
}

/// The most frequent words of a language's texts, looked up in its model and in the others.
struct Words {
    /// The share of them that are frequent in the model.
    own: Option<f64>,
    /// The largest such share of another model, and its language. None if `own` is none: a model
    /// without others in its script has no such words.
    closest: Option<(f64, LangCode)>,
    /// Some that the model lacks.
    missing: Vec<String>,
}

impl Words {
    fn of(
        language: LangCode,
        texts: &[String],
        identifier: &dyn Identify,
        models: &BTreeSet<LangCode>,
    ) -> Self {
        let words = frequent(texts);
        let own = share(&words, language, identifier);
        let others = models.iter().filter(|&&other| other != language);
        let others = others.filter_map(|&other| Some((share(&words, other, identifier)?, other)));
        let closest = others.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let lacks = |word: &&String| {
            identifier.frequent_words(word, language).is_some_and(|(frequent, _)| frequent == 0)
        };
        let missing = words.iter().filter(lacks).take(LISTED).cloned().collect();
        Self { own, closest: closest.filter(|_| own.is_some()), missing }
    }
}

/// Words that are typical of the model of the last pack that has the language.
fn typical(packs: &[Pack], language: LangCode) -> Vec<String> {
    let mut typical = packs.iter().rev().map(|pack| typical_words(pack, language, LISTED));
    typical.find(|words| !words.is_empty()).unwrap_or_default()
}

fn code_cell(code: Option<LangCode>) -> Cell {
    code.map_or_else(|| Cell::new("-", Value::Null), |code| code.as_str().into())
}

fn words_cell(words: &[String]) -> Cell {
    Cell::new(words.join(" "), words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use langid::{train, Combined, LanguageModel, Text, TrainSettings};

    fn code(code: &str) -> LangCode {
        code.parse().expect("a code")
    }

    #[test]
    fn a_model_of_another_languages_text_is_found() {
        let german = "das ist der Hund und die Katze ist nicht auf dem Dach ".repeat(300);
        let dutch = "dat is de hond en de kat is niet op het dak van een huis ".repeat(300);
        // Frisian was trained from Dutch text.
        let texts = [("deu", &german), ("nld", &dutch), ("fry", &dutch)]
            .map(|(language, text)| Text { language: code(language), text });
        let pack = || Pack::of_bytes(train(&texts, TrainSettings::default()).expect("a pack"));
        let pack = || pack().expect("a pack");
        let identifier = LanguageModel::new(vec![pack()]);
        let frisian = "it is de hûn en de kat is net op it dak fan in hûs".to_owned();
        let test = Texts::from([(code("fry"), vec![frisian]), (code("deu"), vec![german.clone()])]);
        let mut confusion = Confusion::default();
        confusion.add(code("fry"), code("nld"), 1);
        confusion.add(code("deu"), code("deu"), 1);
        let table = results(&identifier, &[pack()], &test, &confusion).text;
        let row = table.lines().find(|row| row.starts_with("fry")).expect("a row");
        let cells: Vec<&str> = row.split('\t').collect();
        assert_eq!(cells[1..5], ["1", "0.0", "nld", "100.0"]);
        assert!(cells[8].contains("it") && cells[8].contains("hûn"), "{row}");
        let last: Vec<&str> = table.lines().rev().take(2).collect();
        assert_eq!(last[0], "not audited, for want of texts: nld");
    }

    #[test]
    fn the_words_of_a_sound_model_are_in_no_other() {
        let text = "The river rose during the night and the ferry could not leave before noon, \
                    so that all of them were late, which was not what they had been told.";
        let identifier = Combined::new(Vec::new(), None);
        let test = Texts::from([(code("eng"), vec![text.to_owned()])]);
        let mut confusion = Confusion::default();
        confusion.add(code("eng"), code("eng"), 1);
        let table = results(&identifier, &Pack::shipped(), &test, &confusion).text;
        assert!(table.contains("\nmore words in another model: none\n"), "{table}");
        assert!(table.contains(" urd "), "{table}");
    }
}
