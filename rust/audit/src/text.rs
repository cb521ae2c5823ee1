//! The figures of an audit as text.

use crate::{Figures, Judgements, LabelFigures};
use langid::LangCode;
use render::harmless;
use render::results::{bare, Cell, Results};
use std::collections::BTreeMap;

/// Number of refused pages that are named. The others are only counted.
const NAMED: usize = 20;

impl Judgements {
    /// Returns the figures as a table for a terminal.
    pub fn results(&self) -> Results {
        let Figures { pages, yes, no, share, interval, judged_by_all, unanimous, kappa } =
            self.figures();
        let percent = |share: f64| share * 100.0;
        let (judged, undecided) = (yes + no, pages - yes - no);
        let mut results = Results::default();
        for (key, pages) in [
            ("pages", pages),
            ("judged", judged),
            ("undecided", undecided),
            ("yes", yes),
            ("no", no),
            ("judged_by_all", judged_by_all),
        ] {
            results.figure(key, pages);
        }
        results.figure("sheets", self.judges());
        results.figure("yes_share", share);
        results.figure("yes_interval", share.map(|_| vec![interval.0, interval.1]));
        results.figure("unanimous_share", unanimous);
        results.figure("kappa", kappa);
        results.line(&format!("pages       {pages:>6}, sheets: {}", self.judges()));
        results.line(&format!("judged      {judged:>6}, {undecided} undecided"));
        if let Some(share) = share {
            let [share, low, high] = [share, interval.0, interval.1].map(percent);
            results.line(&format!(
                "yes         {yes:>6} = {share:.1} %, 95 % interval {low:.1} to {high:.1}"
            ));
        }
        if let Some(unanimous) = unanimous {
            let unanimous = percent(unanimous);
            results.line(&format!("by all      {judged_by_all:>6}, all agree on {unanimous:.1} %"));
            results.line(&match kappa {
                Some(kappa) => format!(
                    "agreement   {kappa:>6.2} (Fleiss' kappa: 0 is chance, 1 is full agreement)"
                ),
                None => "agreement        - (Fleiss' kappa needs judgements of both kinds)".into(),
            });
        }
        self.append_labels(&mut results);
        self.append_languages(&mut results);
        if !self.labels().is_empty() || !self.types().is_empty() {
            results.line("");
        }
        let refused: Vec<&str> = self.refused().collect();
        if no > 0 {
            results.line(&format!("no          {no:>6}:"));
            refused
                .iter()
                .take(NAMED)
                .for_each(|url| results.line(&format!("  {}", harmless(url))));
            if refused.len() > NAMED {
                results.line(&format!("  and {} more", refused.len() - NAMED));
            }
        }
        results.figure("refused", refused);
        results
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

    /// Appends the figures of labels and types, if judges used other labels than yes and no.
    fn append_labels(&self, results: &mut Results) {
        for (key, title, figures) in
            [("judgements", "judgement", self.labels()), ("types", "type", self.types())]
        {
            let columns = [
                ("label", title, -15),
                ("pages", "pages", 6),
                ("share", "percent", 7),
                ("interval", "95 % interval", 16),
                ("kappa", "kappa", 7),
                ("alpha", "alpha", 7),
            ];
            let is_labelled = !figures.is_empty();
            let mut table = results.table(key, "\n", &columns);
            for LabelFigures { label, pages, share, interval: (low, high), kappa, alpha } in figures
            {
                let interval = format!("{:.1} to {:.1}", low * 100.0, high * 100.0);
                let short: String = harmless(&label).chars().take(15).collect();
                table.row([
                    Cell::new(short, label),
                    pages.into(),
                    Cell::new(format!("{:.1}", share * 100.0), share),
                    Cell::new(interval, vec![low, high]),
                    Cell::maybe(kappa, 2, "-"),
                    Cell::maybe(alpha, 2, "-"),
                ]);
            }
            if key == "judgements" {
                results.figure("alpha", self.alpha());
            }
            if key == "judgements" && is_labelled {
                let alpha = self.alpha().map_or("-".to_owned(), |alpha| format!("{alpha:.2}"));
                results.line(&format!(
                    "{:<16}{:>6}{:>8}{:>17}{:>8}{alpha:>8} (Krippendorff's alpha)",
                    "all labels", "", "", "", ""
                ));
            }
        }
    }

    /// Appends the languages that judges named for pages in another one.
    fn append_languages(&self, results: &mut Results) {
        let mut languages: BTreeMap<String, (String, u64)> = BTreeMap::new();
        for (_, language) in self.changes() {
            let (name, key) = match registry::parse(language) {
                Ok(code) => (format!("{code} ({})", code.name()), code.to_string()),
                Err(_) => (harmless(language).chars().take(40).collect(), language.to_owned()),
            };
            languages.entry(name).or_insert((key, 0)).1 += 1;
        }
        let mut languages: Vec<_> = languages.into_iter().collect();
        languages.sort_by_key(|(_, (_, pages))| std::cmp::Reverse(*pages));
        let columns = bare(["language", "pages"]);
        let mut table = results.table("languages", "", &columns);
        for (_, (key, pages)) in &languages {
            table.unread([key.as_str().into(), (*pages).into()]);
        }
        if !languages.is_empty() {
            let listed = languages.iter().map(|(name, (_, pages))| format!("{name} {pages}"));
            let listed = listed.collect::<Vec<_>>().join(", ");
            results.line(&format!("\nin another language: {listed}"));
        }
    }
}
