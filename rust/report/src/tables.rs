//! The report as tab-separated tables.
//!
//! Tables named `table` and a number have the columns of the paper's table, in its order and units,
//! with the corpus as the first column. Other figures are in additional columns at the end, or in
//! separate tables. Unknown figures are empty cells. Cells are formatted by [`render::tsv`]: control
//! characters become spaces, and an apostrophe goes before what a spreadsheet may run as a formula.

use crate::sections::{
    archive, byte_yields, classes, duplicates, languages, origins, overlap, quality, reference,
    richness, rounds, sites, sizes, thresholds, varieties, words,
};
use crate::table::{Table, Value};
use crate::{CorpusReport, Report};

/// A file's name and content.
pub type File = (&'static str, String);

/// A file's name, and its content if the report has the figures for it.
type Maker = (&'static str, fn(&Report) -> Option<String>);

/// All tables.
const FILES: [Maker; 36] = [
    ("table3-thresholds.tsv", |r| Some(thresholds::table_3(r).tsv())),
    ("table4-corpora.tsv", |r| Some(table_4(r).tsv())),
    ("table7-lsh.tsv", |r| Some(richness::table_7(r).tsv())),
    ("table8-languages.tsv", |r| Some(languages::table_8(r).tsv())),
    ("table9-top-sites-by-pages.tsv", |r| Some(sites::most_pages(r).tsv())),
    ("table9-top-sites-by-bytes.tsv", |r| Some(sites::most_bytes(r).tsv())),
    ("table11-corpora.tsv", |r| Some(table_11(r).tsv())),
    ("thresholds.tsv", |r| Some(thresholds::table(r).tsv())),
    ("lsh.tsv", |r| Some(richness::table(r).tsv())),
    ("languages.tsv", |r| Some(languages::table(r).tsv())),
    ("varieties.tsv", |r| varieties::are_known(r).then(|| varieties::table(r).tsv())),
    ("classes.tsv", |r| classes::are_known(r).then(|| classes::table(r).tsv())),
    ("site-classes.tsv", |r| classes::are_known(r).then(|| classes::sites(r).tsv())),
    ("origins.tsv", |r| Some(origins::table(r).tsv())),
    ("duplicates.tsv", |r| Some(duplicates::table(r).tsv())),
    ("coverage.tsv", |r| Some(sites::coverage(r).tsv())),
    ("site-richness.tsv", |r| Some(sites::site_richness(r).tsv())),
    ("site-languages.tsv", |r| Some(sites::languages(r).tsv())),
    ("pages-per-site.tsv", |r| Some(sites::pages_per_site(r).tsv())),
    ("url-depth.tsv", |r| Some(sizes::depths(r).tsv())),
    ("page-sizes.tsv", |r| Some(sizes::sizes(r).tsv())),
    ("yield.tsv", |r| Some(rounds::table(r).tsv())),
    ("byte-yields.tsv", |r| Some(byte_yields::what_if(r).tsv())),
    ("host-yield.tsv", |r| Some(byte_yields::sites(r).tsv())),
    ("costliest-sites.tsv", |r| Some(byte_yields::costliest(r).tsv())),
    ("table10-tokens.tsv", |r| r.words.then(|| words::vocabulary(r).tsv())),
    ("zipf.tsv", |r| r.words.then(|| words::zipf_points(r).tsv())),
    ("words.tsv", |r| r.words.then(|| words::frequent(r).tsv())),
    ("comparison.tsv", |r| r.comparison.as_ref().map(|_| overlap::table(r).tsv())),
    ("combinations.tsv", |r| r.combinations.as_ref().map(|_| overlap::combined(r).tsv())),
    ("reference.tsv", |r| r.reference.as_ref().map(|of| reference::table(of).tsv())),
    ("ranking.tsv", |r| sites::has_ranking(r).then(|| sites::ranking(r).tsv())),
    ("quality-signals.tsv", |r| quality::has_signals(r).then(|| quality::signals(r).tsv())),
    ("quality-rules.tsv", |r| quality::has_signals(r).then(|| quality::rules(r).tsv())),
    ("quality-samples.tsv", |r| quality::has_signals(r).then(|| quality::samples(r).tsv())),
    ("index.tsv", |r| r.index.as_ref().map(|index| archive::table(index).tsv())),
];

/// Returns whether a table has this file name.
pub fn is_name(name: &str) -> bool {
    FILES.iter().any(|(other, _)| *other == name)
}

/// Returns all tables. Each has one line per corpus, or lines that begin with the corpus.
pub fn tables(report: &Report) -> Vec<File> {
    FILES.iter().filter_map(|(name, table)| Some((*name, table(report)?))).collect()
}

/// Table 4 of the paper: one line per corpus. Rejected pages and the sites that they leave empty are
/// known if the input has them.
fn table_4(report: &Report) -> Table<'_, &CorpusReport> {
    let yields = |c: &CorpusReport| c.figures.byte_yields.clone();
    Table::of(report, |corpus| [corpus])
        .tsv_column("from", |c| day(c.figures.totals.first_fetch))
        .tsv_column("to", |c| day(c.figures.totals.last_fetch))
        .tsv_column("raw MB", |c| Value::megabytes(c.figures.totals.raw_bytes))
        .tsv_column("pages", |c| Value::count(c.figures.totals.pages))
        .tsv_column("sites", |c| Value::count(c.figures.sites.sites))
        .tsv_column("pages rejected", |c| {
            Value::maybe(Some(c.figures.totals.rejected).filter(|&rejected| rejected > 0))
        })
        .tsv_column("sites lost", move |c| Value::maybe(yields(c).map(|of| of.lost_sites)))
        .tsv_column("sites lost %", move |c| {
            Value::share(yields(c).and_then(|of| of.lost_sites_percent))
        })
}

/// The day (UTC) of a time in seconds since 1970.
fn day(seconds: Option<u64>) -> Value {
    let time = seconds.map(crate::time).unwrap_or_default();
    Value::text(time.split('T').next().unwrap_or_default())
}

/// Table 11 of the paper: one line per corpus. HTML has these figures in its headline.
fn table_11(report: &Report) -> Table<'_, &CorpusReport> {
    Table::of(report, |corpus| [corpus])
        .tsv_column("pages", |c| Value::count(c.figures.totals.pages))
        .tsv_column("tokens", |c| {
            Value::maybe(c.figures.words.as_ref().map(|words| words.vocabulary.tokens))
        })
        .tsv_column("URLs known", |c| {
            let known = c.figures.totals.pages > c.figures.sites.pages_without_host;
            Value::text(if known { "yes" } else { "no" })
        })
        .tsv_column("sites", |c| Value::count(c.figures.sites.sites))
        .tsv_column("target MB", |c| Value::megabytes(c.figures.totals.target_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CorpusReport;
    use figures::calibration::CalibrationRow;
    use figures::cdx::Index;
    use figures::fixed::percent;
    use figures::measures::{Measures, Plan};
    use figures::scratch::Scratch;
    use figures::sites::Bin;

    fn empty(name: &str) -> (Plan, CorpusReport) {
        let folder = tempfile::tempdir().expect("a folder");
        let target = "urd".parse().expect("a code");
        let plan = Plan { target, scripts: Default::default(), words: true };
        let measures = Measures::new(plan, &Scratch::new(folder.path(), 1 << 20));
        let (figures, ..) = measures.finish(plan).expect("memory");
        (
            plan,
            CorpusReport {
                name: name.to_owned(),
                input: Default::default(),
                figures,
                ranking: Some(Vec::new()),
            },
        )
    }

    #[test]
    fn every_table_has_one_of_the_names() {
        let (plan, corpus) = empty("c");
        let mut report =
            Report::new(plan, Vec::new(), &[], Some(Index::default().finish())).expect("memory");
        let mut corpus = corpus;
        corpus.figures.quality = Some(figures::quality::QualityFigures {
            pages: 0,
            noisy: 0,
            noisy_percent: None,
            signals: Vec::new(),
            rules: Vec::new(),
        });
        report.corpora.push(corpus);
        report.corpora[0].figures.varieties = Some(Vec::new());
        report.corpora[0].figures.classes =
            Some(figures::classes::ClassFigures { corpus: Vec::new(), sites: Vec::new() });
        report.comparison = Some(Vec::new());
        report.combinations = Some(Vec::new());
        report.reference =
            Some(crate::Reference { name: "r".to_owned(), tokens: 0, corpora: Vec::new() });
        let mut names: Vec<&str> = tables(&report).iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        let mut all: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        all.sort_unstable();
        assert_eq!(names, all);
        assert!(crate::html::page(&report).ends_with("</html>\n"), "an empty corpus has a page");
    }

    #[test]
    fn rejected_pages_that_the_input_does_not_hold_are_unknown_and_not_zero() {
        let (plan, corpus) = empty("c");
        let mut report = Report::new(plan, Vec::new(), &[], None).expect("memory");
        report.corpora.push(corpus);
        let shown = |report: &Report| (table_4(report).tsv(), crate::html::page(report));
        let (table, page) = shown(&report);
        assert!(table.ends_with("\t0\t0\t\t\t\n"), "{table}");
        assert!(page.contains("; rejected pages are not in the input, 0 gone"), "{page}");
        report.corpora[0].figures.totals.rejected = 1234;
        let (table, page) = shown(&report);
        assert!(table.ends_with("\t0\t0\t1234\t\t\n"), "{table}");
        assert!(page.contains("; 1,234 rejected, 0 gone"), "{page}");
    }

    #[test]
    fn no_name_becomes_a_formula_or_another_cell() {
        let (plan, corpus) = empty("=HYPERLINK(\"http://evil\")\t\u{1b}[31m");
        let mut report = Report::new(plan, Vec::new(), &[], None).expect("memory");
        report.comparison = Some(vec![crate::Pair {
            first: "+cmd".to_owned(),
            second: "@a\u{2028}b".to_owned(),
            common_urls: 0,
            added_urls: 0,
            removed_urls: 0,
            changed_urls: 0,
            jaccard_percent: None,
            common_sites: 0,
            churn_percent: None,
        }]);
        report.corpora.push(corpus);
        let (mut rows, name) = (0, "\"'=HYPERLINK(\"\"http://evil\"\")  [31m\"");
        for (file, table) in tables(&report) {
            let width = table.lines().next().expect("a head").split('\t').count();
            for line in table.lines() {
                assert!(
                    !line.starts_with(['=', '+', '@']) && !line.contains('\u{1b}'),
                    "{file}: {line}"
                );
                assert_eq!(line.split('\t').count(), width, "{file}: {line}");
                rows += usize::from(line.starts_with(name));
            }
            assert!(file != "comparison.tsv" || table.contains("\n'+cmd\t'@a b\t"), "{table}");
        }
        assert!(rows > 10, "{rows}");
    }

    /// The tables reproduce the paper's printed values; shares are computed from its counts.
    #[test]
    fn the_papers_tables_have_the_papers_shapes() {
        let (plan, mut cc18) = empty("CC18");
        let (_, mut urdu_web) = empty("UrduWeb20");
        for (corpus, counts, pages) in [
            (&mut cc18, [364_539, 179_256, 112_968, 103_405, 29_062], 789_230),
            (&mut urdu_web, [46_038, 42_618, 13_522, 8_038, 7_894_784], 8_000_506),
        ] {
            let lsh = &mut corpus.figures.richness.main_bytes;
            lsh.pages = pages;
            for (bin, count) in lsh.bins.iter_mut().zip(counts) {
                *bin = Bin { count, percent: percent(count, pages), ..bin.clone() };
            }
            corpus.figures.totals.pages = pages;
        }
        let rows =
            [(0, 331_302, 607_000_000), (256, 204_813, 586_410_000), (512, 171_682, 572_000_000)];
        cc18.figures.calibration.bytes.rows = rows
            .map(|(threshold, pages, size)| CalibrationRow {
                threshold,
                pages,
                pages_percent: percent(pages, 331_302),
                size,
                size_percent: percent(size, 607_000_000),
            })
            .to_vec();
        cc18.figures.calibration.bytes.choice = Some(256);
        let vocabulary = &mut urdu_web.figures.words.as_mut().expect("words").vocabulary;
        (vocabulary.types, vocabulary.own_types) = (13_099_438, Some(8_453_207));
        (vocabulary.tokens, vocabulary.own_tokens) = (4_117_611_602, Some(3_695_875_215));
        vocabulary.own_tokens_percent = percent(3_695_875_215, 4_117_611_602);
        urdu_web.figures.sites.sites = 6_590;
        urdu_web.figures.totals.first_fetch = Some(1_586_736_000);
        urdu_web.figures.totals.last_fetch = Some(1_587_340_799);
        let mut report = Report::new(plan, Vec::new(), &[], None).expect("memory");
        report.corpora = vec![cc18, urdu_web];
        let tables = tables(&report);
        let table = |name: &str| {
            tables.iter().find(|(other, _)| *other == name).expect("a table").1.as_str()
        };
        assert_eq!(
            table("table3-thresholds.tsv").lines().take(4).collect::<Vec<_>>(),
            [
                "corpus\tthreshold\tpages\tpages %\ttarget MB\ttarget MB %\tchosen",
                "CC18\t0\t331302\t100.00\t607.000000\t100.00\t",
                "CC18\t256\t204813\t61.82\t586.410000\t96.61\tyes",
                "CC18\t512\t171682\t51.82\t572.000000\t94.23\t",
            ]
        );
        assert_eq!(
            table("table7-lsh.tsv"),
            "LSh %\tCC18 pages\tCC18 pages %\tUrduWeb20 pages\tUrduWeb20 pages %\n\
             0–49\t364539\t46.19\t46038\t0.58\n\
             50–79\t179256\t22.71\t42618\t0.53\n\
             80–89\t112968\t14.31\t13522\t0.17\n\
             90–94\t103405\t13.10\t8038\t0.10\n\
             95–100\t29062\t3.68\t7894784\t98.68\n\
             total\t789230\t100.00\t8000506\t100.00\n"
        );
        let last = |name: &str| table(name).lines().last().expect("a line");
        assert_eq!(
            last("table10-tokens.tsv"),
            "UrduWeb20\t13099438\t8453207\t64.53\t4646231\t4117611602\t3695875215\t89.76\t421736387"
        );
        assert_eq!(
            last("table4-corpora.tsv"),
            "UrduWeb20\t2020-04-13\t2020-04-19\t0.000000\t8000506\t6590\t\t\t"
        );
        assert_eq!(
            last("table11-corpora.tsv"),
            "UrduWeb20\t8000506\t4117611602\tyes\t6590\t0.000000"
        );
    }
}
