//! Origins of pages: their domains, years and licences, and what became of the pages that were read.

use crate::format::{integer, percent};
use crate::glossary::term;
use crate::html::{plot, ReportPage};
use crate::table::{Table, Value};
use crate::{CorpusReport, Report};
use figures::origins::Rejection;
use figures::sites::Bin;
use render::plot::bars;

/// Bars of a plot; the table of the TSV file has all.
const SHOWN: usize = 15;

/// A row of the table.
pub struct OriginRow<'a> {
    what: &'static str,
    name: &'a str,
    pages: u64,
    percent: Option<f64>,
}

/// Words for a reason of rejection.
fn reason(rejection: Rejection, language: &str) -> String {
    match rejection {
        Rejection::NoContent => "no main content".to_owned(),
        Rejection::NoText => format!("no {language}"),
        Rejection::TooLittle => format!("too little {language}"),
        Rejection::OtherLanguage => "another language".to_owned(),
        Rejection::Junk => "placeholder, noise".to_owned(),
        Rejection::People => "judged by people".to_owned(),
        Rejection::Other => "other reasons".to_owned(),
    }
}

/// The name of a reason in `report.json` and in the TSV file.
fn code(rejection: Rejection) -> &'static str {
    match rejection {
        Rejection::NoContent => "no_content",
        Rejection::NoText => "no_text",
        Rejection::TooLittle => "too_little",
        Rejection::OtherLanguage => "other_language",
        Rejection::Junk => "junk",
        Rejection::People => "people",
        Rejection::Other => "other",
    }
}

/// The table of all origins. HTML has them as plots.
pub fn table(report: &Report) -> Table<'_, OriginRow<'_>> {
    Table::of(report, rows)
        .tsv_column("what", |row: &OriginRow| Value::text(row.what))
        .tsv_column("name", |row| Value::text(row.name))
        .tsv_column("pages", |row| Value::count(row.pages))
        .tsv_column("pages %", |row| Value::share(row.percent))
}

fn rows(corpus: &CorpusReport) -> impl Iterator<Item = OriginRow<'_>> {
    let origins = &corpus.figures.origins;
    let lists =
        [("year", &origins.years), ("license", &origins.licenses), ("domain", &origins.domains)];
    let bins = lists.into_iter().flat_map(|(what, bins)| bins.iter().map(move |bin| (what, bin)));
    let bins = bins.map(|(what, Bin { bin, count, percent })| OriginRow {
        what,
        name: bin,
        pages: *count,
        percent: *percent,
    });
    let rejected = origins.rejected.iter().map(|row| OriginRow {
        what: "rejected",
        name: code(row.reason),
        pages: row.count,
        percent: row.percent,
    });
    bins.chain(rejected)
}

impl ReportPage<'_> {
    /// Writes the section, if any of the figures is known.
    pub fn origins(&mut self) {
        let corpora = &self.report.corpora;
        let language = &self.report.language_name;
        let mut plots = String::new();
        let mut add =
            |id: &str, caption: String, title: &str, of: &dyn Fn(&CorpusReport) -> Vec<Bin>| {
                let of: Vec<(String, Vec<Bin>)> =
                    corpora.iter().map(|corpus| (corpus.name.clone(), of(corpus))).collect();
                let names = names(of.iter().map(|(_, bins)| bins.as_slice()));
                if names.is_empty() {
                    return;
                }
                let series: Vec<_> =
                    of.iter().map(|(name, bins)| (name.clone(), values(bins, &names))).collect();
                plots += &plot(&caption, &bars(id, title, &names, &series));
            };
        add(
            "p-fates",
            format!("{}: kept, or why not", term("origins", "Pages that were read")),
            "Pages by decision",
            &|corpus| fates(corpus, language),
        );
        add(
            "p-domains",
            format!("Pages by {}", term("origins", "domain")),
            "Pages by top-level domain",
            &|corpus| corpus.figures.origins.domains.clone(),
        );
        add(
            "p-years",
            format!("Pages by {}", term("origins", "year of publication")),
            "Pages by year",
            &|corpus| {
                let years = &corpus.figures.origins.years;
                years[years.len().saturating_sub(SHOWN)..].to_vec()
            },
        );
        add(
            "p-licenses",
            format!("Pages by {}", term("origins", "licence")),
            "Pages by licence",
            &|corpus| corpus.figures.origins.licenses.clone(),
        );
        if plots.is_empty() {
            return;
        }
        self.section("origins", "Where the pages come from");
        self.html += &format!("<div class=\"plots\">{plots}</div>");
    }
}

/// The pages that were kept, and those that were not by reason; none if the input has no rejected
/// page.
fn fates(corpus: &CorpusReport, language: &str) -> Vec<Bin> {
    let rejected = &corpus.figures.origins.rejected;
    if rejected.is_empty() {
        return Vec::new();
    }
    let pages = corpus.figures.totals.pages;
    let all = pages + rejected.iter().map(|row| row.count).sum::<u64>();
    let kept =
        Bin { bin: "kept".to_owned(), count: pages, percent: figures::fixed::percent(pages, all) };
    let others = rejected.iter().map(|row| Bin {
        bin: reason(row.reason, language),
        count: row.count,
        percent: row.percent,
    });
    std::iter::once(kept).chain(others).collect()
}

/// The names of bins over corpora, those of the first corpus first.
fn names<'a>(corpora: impl Iterator<Item = &'a [Bin]>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for bin in corpora.flatten() {
        if !names.contains(&bin.bin) && names.len() < SHOWN {
            names.push(bin.bin.clone());
        }
    }
    names
}

/// The value and label of each bar.
fn values(bins: &[Bin], names: &[String]) -> Vec<(f64, String)> {
    let value = |name: &String| {
        let bin = bins.iter().find(|bin| bin.bin == *name);
        let (count, share) = bin.map_or((0, None), |bin| (bin.count, bin.percent));
        (share.unwrap_or(0.0), format!("{} ({})", integer(count), percent(share)))
    };
    names.iter().map(value).collect()
}
