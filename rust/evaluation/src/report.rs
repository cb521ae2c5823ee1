//! The results of an evaluation as tables and as JSON. Shares are from 0 to 1 in JSON, and in
//! percent in tables.

use super::metrics::{mean, Candidate, Confusion, Prior, Score};
use super::Cut;
use langid::LangCode;
use render::results::Cell;
use serde::Serialize;
use serde_json::{json, Value};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Figures from fewer texts of a language are flagged. With 300 texts, the error of a share of 90 %
/// is about 3.4 percentage points.
const FEW_TEXTS: u64 = 300;

/// Pairs of languages with a larger share of confusion are listed.
const CONFUSED: f64 = 0.02;

/// The figures of one identifier.
#[derive(Debug, Serialize)]
pub struct Report {
    identifier: String,
    languages: usize,
    tested_languages: usize,
    texts: u64,
    macro_f1: Means,
    target: Option<Target>,
    per_language: Vec<Row>,
    confused: Vec<Pair>,
    by_length: Vec<Length>,
}

/// Macro-F1 over different languages and texts.
#[derive(Debug, Clone, Copy, Serialize)]
struct Means {
    /// Mean over the languages that the identifier supports, on texts in all languages.
    open: Option<f64>,
    /// Mean over the languages that the identifier supports, on texts in these languages only.
    closed: Option<f64>,
    /// Mean over all languages of the test. Languages that the identifier lacks count as 0.
    all: Option<f64>,
}

impl Means {
    fn of(confusion: &Confusion, tested: &BTreeSet<LangCode>) -> Means {
        Means {
            open: confusion.macro_f1(tested),
            closed: confusion.of_texts_in(tested).macro_f1(tested),
            all: confusion.macro_f1(&confusion.languages()),
        }
    }
}

/// How well an identifier finds one language.
#[derive(Debug, Serialize)]
struct Row {
    language: String,
    /// True if the identifier can return it.
    known: bool,
    texts: u64,
    few: bool,
    precision: Option<f64>,
    recall: Option<f64>,
    f1: f64,
    confusion: Option<String>,
    confusion_rate: Option<f64>,
    undetermined_rate: Option<f64>,
    contamination: Option<f64>,
}

/// Two languages that are confused.
#[derive(Debug, Serialize)]
struct Pair {
    language: String,
    called: String,
    texts: u64,
    rate: f64,
    reverse_rate: Option<f64>,
}

/// Texts cut to one length.
#[derive(Debug, Serialize)]
struct Length {
    length: String,
    macro_f1: Means,
    target: Option<Target>,
}

/// The target language alone.
#[derive(Debug, Clone, Copy, Serialize)]
struct Target {
    precision: Option<f64>,
    recall: Option<f64>,
    f1: f64,
}

impl Target {
    fn of(score: Score) -> Target {
        Target { precision: score.precision(), recall: score.recall(), f1: score.f1() }
    }
}

impl Report {
    /// The figures of an identifier with `languages` languages; the test contains the `tested`
    /// ones.
    pub fn of(
        identifier: &str,
        languages: usize,
        tested: &BTreeSet<LangCode>,
        confusion: &Confusion,
        lengths: &[(Cut, Confusion)],
        prior: &Prior,
        target: Option<LangCode>,
    ) -> Report {
        let row = |language: LangCode| {
            let score = confusion.score(language);
            let most = confusion.most_frequent_confusion(language);
            Row {
                language: language.to_string(),
                known: tested.contains(&language),
                texts: score.texts,
                few: score.texts < FEW_TEXTS,
                precision: score.precision(),
                recall: score.recall(),
                f1: score.f1(),
                confusion: most.map(|(called, _)| called.to_string()),
                confusion_rate: most.and_then(|(called, _)| confusion.rate(language, called)),
                undetermined_rate: confusion.rate(language, LangCode::UND),
                contamination: confusion.contamination(language, prior),
            }
        };
        let pair = |(language, called, texts, rate): (LangCode, LangCode, u64, f64)| Pair {
            language: language.to_string(),
            called: called.to_string(),
            texts,
            rate,
            reverse_rate: confusion.rate(called, language),
        };
        let of_target =
            |confusion: &Confusion| target.map(|target| Target::of(confusion.score(target)));
        let present = confusion.languages();
        Report {
            identifier: identifier.to_owned(),
            languages,
            tested_languages: tested.len(),
            texts: present.iter().map(|&language| confusion.texts(language)).sum(),
            macro_f1: Means::of(confusion, tested),
            target: of_target(confusion),
            per_language: present.iter().map(|&language| row(language)).collect(),
            confused: confusion.confused(CONFUSED).into_iter().map(pair).collect(),
            by_length: lengths
                .iter()
                .map(|(cut, confusion)| Length {
                    length: cut.to_string(),
                    macro_f1: Means::of(confusion, tested),
                    target: of_target(confusion),
                })
                .collect(),
        }
    }

    /// The figures as tables: fields with tabs between them, a line with `#` above each table.
    pub fn text(&self, cut: Cut) -> String {
        let present = self.per_language.len();
        format!(
            "# {0}: {1} languages, {2} of the {present} in the test; {3} texts, {cut}\n{4}\n\
             # {0}: confused pairs, over {5}\n{6}\n\
             # {0}: macro-F1 (own languages open and closed, all languages)\n{7}\n",
            self.identifier,
            self.languages,
            self.tested_languages,
            self.texts,
            self.table_of_languages(),
            percent(Some(CONFUSED)),
            self.table_of_pairs(),
            self.table_of_lengths(cut),
        )
    }

    /// A row for each language, and below them what their marks mean.
    fn table_of_languages(&self) -> String {
        let mut text =
            "language\ttexts\tP\tR\tF1\tconfusion\tshare\tund\tcontamination\n".to_owned();
        for row in &self.per_language {
            let _ = writeln!(
                text,
                "{}{}\t{}{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
                row.language,
                if row.known { "" } else { "-" },
                row.texts,
                if row.few { "*" } else { "" },
                percent(row.precision),
                percent(row.recall),
                percent(Some(row.f1)),
                row.confusion.as_deref().unwrap_or("-"),
                percent(row.confusion_rate),
                percent(row.undetermined_rate),
                percent(row.contamination),
            );
        }
        let unknown = self.per_language.len() - self.tested_languages;
        if unknown > 0 {
            text += "-: a language that the identifier cannot return\n";
            let of = |known: bool, share: fn(&Row) -> Option<f64>| {
                let rows = self.per_language.iter().filter(|row| row.known == known);
                percent(mean(rows.filter_map(share)))
            };
            let _ = writeln!(
                text,
                "mean und of these {unknown}: {}; mean R of the others: {}",
                of(false, |row| row.undetermined_rate),
                of(true, |row| row.recall),
            );
        }
        let few = self.per_language.iter().filter(|row| row.few).count();
        if few > 0 {
            let _ = writeln!(text, "*: fewer than {FEW_TEXTS} texts ({few} languages)");
        }
        text
    }

    /// A row for each language that is often called another.
    fn table_of_pairs(&self) -> String {
        let mut text = "language\tcalled\ttexts\tshare\treverse\n".to_owned();
        for pair in &self.confused {
            let (share, reverse) = (percent(Some(pair.rate)), percent(pair.reverse_rate));
            let _ = writeln!(
                text,
                "{}\t{}\t{}\t{share}\t{reverse}",
                pair.language, pair.called, pair.texts
            );
        }
        text
    }

    /// A row for each length, and one for the requested cut unless it is one of them.
    fn table_of_lengths(&self, cut: Cut) -> String {
        let mut text = "length\topen\tclosed\tall".to_owned();
        text += if self.target.is_some() { "\ttarget P\tR\tF1\n" } else { "\n" };
        let mut row = |length: &str, f1: Means, target: Option<Target>| {
            let _ = write!(text, "{length}\t{}", means(f1));
            if let Some(target) = target {
                let shares = [target.precision, target.recall, Some(target.f1)];
                let _ = write!(text, "\t{}", shares.map(percent).join("\t"));
            }
            text.push('\n');
        };
        for length in &self.by_length {
            row(&length.length, length.macro_f1, length.target);
        }
        let asked = cut.to_string();
        if self.by_length.iter().all(|length| length.length != asked) {
            row(&asked, self.macro_f1, self.target);
        }
        text
    }
}

/// Compares all identifiers, and names the chosen one.
pub fn choice(
    reports: &[Report],
    candidates: &[Candidate],
    choice: Option<usize>,
    target: Option<LangCode>,
    min_recall: f64,
) -> String {
    let of = target
        .map_or("mean over the languages that all identifiers support".to_owned(), |target| {
            target.to_string()
        });
    let mut text = format!("# identifiers; contamination and recall: {of}\n");
    text += "identifier\topen\tclosed\tall\tcontamination\trecall\n";
    for (report, candidate) in reports.iter().zip(candidates) {
        let (contamination, recall) = (percent(candidate.contamination), percent(candidate.recall));
        let _ = writeln!(
            text,
            "{}\t{}\t{contamination}\t{recall}",
            report.identifier,
            means(report.macro_f1)
        );
    }
    let floor = percent(Some(min_recall));
    let _ = match choice.and_then(|index| reports.get(index)) {
        Some(chosen) => {
            writeln!(
                text,
                "choice: {}, the least contamination with a recall of at least {floor}",
                chosen.identifier
            )
        }
        None => writeln!(text, "choice: none, no recall is at least {floor}"),
    };
    text
}

/// Returns the figures of all reports as JSON.
pub fn json(reports: &[Report], candidates: &[Candidate], choice: Option<usize>) -> Value {
    let candidate = |(report, candidate): (&Report, &Candidate)| {
        json!({
            "identifier": report.identifier, "contamination": candidate.contamination, "recall": candidate.recall,
        })
    };
    json!({
        "identifiers": reports,
        "candidates": reports.iter().zip(candidates).map(candidate).collect::<Vec<_>>(),
        "choice": choice.and_then(|index| reports.get(index)).map(|report| &report.identifier),
    })
}

fn means(means: Means) -> String {
    [means.open, means.closed, means.all].map(percent).join("\t")
}

/// A share, in percent for people.
pub fn share(share: Option<f64>) -> Cell {
    Cell::new(percent(share), share)
}

/// A share in percent, `-` if there is none.
pub fn percent(share: Option<f64>) -> String {
    match share.map(|share| format!("{:.1}", share * 100.0)) {
        None => "-".to_owned(),
        Some(zero) if zero == "-0.0" => "0.0".to_owned(),
        Some(percent) => percent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_percents_and_zero_has_no_sign() {
        let shares = [None, Some(0.0), Some(-0.0004), Some(-0.0006), Some(1.0)].map(percent);
        assert_eq!(shares, ["-", "0.0", "0.0", "-0.1", "100.0"]);
    }
}
