//! The figures of an audit as text.

use crate::{Judgements, LabelFigures};
use langid::LangCode;
use render::harmless;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Number of refused pages that are named. The others are only counted.
const NAMED: usize = 20;

impl Judgements {
    /// Returns the figures as a table for a terminal.
    pub fn table(&self) -> String {
        let figures = self.figures();
        let percent = |share: f64| share * 100.0;
        let undecided = figures.pages - figures.yes - figures.no;
        let mut said = format!("pages       {:>6}, sheets: {}\n", figures.pages, self.judges());
        let _ =
            writeln!(said, "judged      {:>6}, {undecided} undecided", figures.yes + figures.no);
        if let Some(share) = figures.share {
            let (low, high) = figures.interval;
            let (share, low, high) = (percent(share), percent(low), percent(high));
            let _ = writeln!(
                said,
                "yes         {:>6} = {share:.1} %, 95 % interval {low:.1} to {high:.1}",
                figures.yes
            );
        }
        if let Some(unanimous) = figures.unanimous {
            let unanimous = percent(unanimous);
            let _ = writeln!(
                said,
                "by all      {:>6}, all agree on {unanimous:.1} %",
                figures.judged_by_all
            );
            let _ = match figures.kappa {
                Some(kappa) => writeln!(
                    said,
                    "agreement   {kappa:>6.2} (Fleiss' kappa: 0 is chance, 1 is full agreement)"
                ),
                None => {
                    writeln!(
                        said,
                        "agreement        - (Fleiss' kappa needs judgements of both kinds)"
                    )
                }
            };
        }
        self.append_labels(&mut said);
        if figures.no > 0 {
            let _ = writeln!(said, "no          {:>6}:", figures.no);
            let refused = self.refused().count();
            self.refused().take(NAMED).for_each(|url| {
                let _ = writeln!(said, "  {}", harmless(url));
            });
            if refused > NAMED {
                let _ = writeln!(said, "  and {} more", refused - NAMED);
            }
        }
        said
    }

    /// Returns the list of the judged pages with their languages: URL, tab, code. A page in another
    /// language that no registry knows, and a refused page without a language, is undetermined.
    pub fn languages(&self, language: LangCode) -> String {
        let refused = self.refused().map(|url| (url, LangCode::UND));
        let changed = self.changes().map(|(url, name)| {
            let code = registry::parse(name).unwrap_or(LangCode::UND);
            // "Another language" that is the language itself is a mistake of the judge.
            (url, if code == language { LangCode::UND } else { code })
        });
        let accepted = self.accepted().map(|url| (url, language));
        let all: BTreeMap<&str, LangCode> = refused.chain(changed).chain(accepted).collect();
        let line = |(url, code): (&str, LangCode)| format!("{}\t{code}\n", render::tsv::cell(url));
        all.into_iter().filter(|(url, _)| !url.is_empty()).map(line).collect()
    }

    /// Appends the figures of labels and types, if judges used other labels than yes and no, and
    /// the changes of language.
    fn append_labels(&self, said: &mut String) {
        let number =
            |figure: Option<f64>| figure.map_or("-".to_owned(), |figure| format!("{figure:.2}"));
        for (title, figures) in [("judgement", self.labels()), ("type", self.types())] {
            if figures.is_empty() {
                continue;
            }
            let _ = writeln!(
                said,
                "\n{title:<16}{:>6}{:>8}{:>17}{:>8}{:>8}",
                "pages", "percent", "95 % interval", "kappa", "alpha"
            );
            for LabelFigures { label, pages, share, interval: (low, high), kappa, alpha } in figures
            {
                let interval = format!("{:.1} to {:.1}", low * 100.0, high * 100.0);
                let label: String = harmless(&label).chars().take(15).collect();
                let _ = writeln!(
                    said,
                    "{label:<16}{pages:>6}{:>8.1}{interval:>17}{:>8}{:>8}",
                    share * 100.0,
                    number(kappa),
                    number(alpha)
                );
            }
            if title == "judgement" {
                let _ = writeln!(
                    said,
                    "{:<16}{:>6}{:>8}{:>17}{:>8}{:>8} (Krippendorff's alpha)",
                    "all labels",
                    "",
                    "",
                    "",
                    "",
                    number(self.alpha())
                );
            }
        }
        let mut languages: BTreeMap<String, u64> = BTreeMap::new();
        for (_, language) in self.changes() {
            let name = match registry::parse(language) {
                Ok(code) => format!("{code} ({})", code.name()),
                Err(_) => harmless(language).chars().take(40).collect(),
            };
            *languages.entry(name).or_default() += 1;
        }
        if !languages.is_empty() {
            let mut languages: Vec<_> = languages.into_iter().collect();
            languages.sort_by_key(|(_, pages)| std::cmp::Reverse(*pages));
            let listed = languages.iter().map(|(name, pages)| format!("{name} {pages}"));
            let _ =
                writeln!(said, "\nin another language: {}", listed.collect::<Vec<_>>().join(", "));
        }
        if !self.labels().is_empty() || !self.types().is_empty() {
            said.push('\n');
        }
    }
}
