//! The report as tab-separated tables.
//!
//! Tables named `table` and a number have the columns of the paper's table, in its order and units,
//! with the corpus as the first column. Other figures are in additional columns at the end, or in
//! separate tables. Unknown figures are empty cells. Cells are formatted by [`tsv`]: control
//! characters become spaces, and an apostrophe goes before what a spreadsheet may run as a formula.

use crate::{CorpusReport, Report};
use corpus::cdx::IndexFigures;
use corpus::fixed::percent;
use corpus::richness::LshFigures;
use corpus::sites::SiteRow;
use std::fmt::Write as _;

/// A file's name and content.
pub type File = (&'static str, String);

/// All possible file names of tables.
pub const NAMES: [&str; 24] = [
    "table3-thresholds.tsv",
    "table7-lsh.tsv",
    "table8-languages.tsv",
    "table9-top-sites-by-pages.tsv",
    "table9-top-sites-by-bytes.tsv",
    "table11-corpora.tsv",
    "thresholds.tsv",
    "lsh.tsv",
    "languages.tsv",
    "duplicates.tsv",
    "coverage.tsv",
    "site-richness.tsv",
    "pages-per-site.tsv",
    "url-depth.tsv",
    "page-sizes.tsv",
    "yield.tsv",
    "byte-yields.tsv",
    "costliest-sites.tsv",
    "table10-tokens.tsv",
    "zipf.tsv",
    "words.tsv",
    "comparison.tsv",
    "ranking.tsv",
    "index.tsv",
];

/// Formats percentages and means with two decimals.
fn decimal(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value:.2}"))
}

fn number(value: Option<u64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// Formats bytes in megabytes, the paper's unit, with all digits.
fn megabytes(bytes: u64) -> String {
    format!("{}.{:06}", bytes / 1_000_000, bytes % 1_000_000)
}

/// The lines of a table.
struct Table(String);

impl Table {
    fn new(head: &[impl AsRef<str>]) -> Self {
        let mut table = Self(String::new());
        table.row(head);
        table
    }

    /// Creates a table with pages and their share per corpus; the headings contain the corpus's
    /// name if there are several.
    fn wide(first: &str, report: &Report) -> Self {
        let several = report.corpora.len() > 1;
        let heads = report.corpora.iter().flat_map(|corpus| {
            ["pages", "pages %"].map(|what| {
                if several {
                    format!("{} {what}", corpus.name)
                } else {
                    what.to_owned()
                }
            })
        });
        Self::new(&std::iter::once(first.to_owned()).chain(heads).collect::<Vec<_>>())
    }

    fn row(&mut self, cells: &[impl AsRef<str>]) {
        self.0 += &cells.iter().map(|text| tsv::cell(text.as_ref())).collect::<Vec<_>>().join("\t");
        self.0.push('\n');
    }
}

/// Returns all tables. Each has one line per corpus, or lines that begin with the corpus.
pub fn tables(report: &Report) -> Vec<File> {
    let mut files = vec![
        ("table3-thresholds.tsv", table_3(report)),
        ("table7-lsh.tsv", table_7(report)),
        ("table8-languages.tsv", table_8(report)),
        (
            "table9-top-sites-by-pages.tsv",
            sites(report, |corpus| &corpus.figures.sites.most_pages_sites),
        ),
        (
            "table9-top-sites-by-bytes.tsv",
            sites(report, |corpus| &corpus.figures.sites.most_bytes_sites),
        ),
        ("table11-corpora.tsv", corpora(report)),
        ("thresholds.tsv", thresholds(report)),
        ("lsh.tsv", lsh(report)),
        ("languages.tsv", languages(report)),
        ("duplicates.tsv", duplicates(report)),
        ("coverage.tsv", coverage(report)),
        ("site-richness.tsv", site_richness(report)),
        ("pages-per-site.tsv", pages_per_site(report)),
        ("url-depth.tsv", depth(report)),
        ("page-sizes.tsv", sizes(report)),
        ("yield.tsv", rounds(report)),
        ("byte-yields.tsv", byte_yields(report)),
        ("costliest-sites.tsv", costliest_sites(report)),
    ];
    if report.words {
        files.push(("table10-tokens.tsv", tokens(report)));
        files.push(("zipf.tsv", zipf(report)));
        files.push(("words.tsv", words(report)));
    }
    if report.comparison.is_some() {
        files.push(("comparison.tsv", comparison(report)));
    }
    if report.corpora.iter().any(|corpus| corpus.ranking.is_some()) {
        files.push(("ranking.tsv", ranking(report)));
    }
    if let Some(index) = &report.index {
        files.push(("index.tsv", archive_index(index)));
    }
    files
}

fn ranking(report: &Report) -> String {
    let mut table = Table::new(&["corpus", "richest sites", "ranked", "Spearman"]);
    for corpus in &report.corpora {
        for row in corpus.ranking.iter().flatten() {
            let spearman =
                row.spearman.map_or_else(String::new, |spearman| format!("{spearman:.4}"));
            table.row(&[
                corpus.name.clone(),
                row.top.to_string(),
                row.ranked.to_string(),
                spearman,
            ]);
        }
    }
    table.0
}

fn archive_index(index: &IndexFigures) -> String {
    let mut table = Table::new(&["of", "value", "documents", "documents %"]);
    for (of, rows) in [("language", &index.languages), ("MIME type", &index.mimes)] {
        for row in rows {
            table.row(&[
                of.to_owned(),
                row.value.clone(),
                row.documents.to_string(),
                decimal(row.percent),
            ]);
        }
    }
    table.0
}

/// Table 3 over all pages, in bytes: threshold, pages, their share, size, its share.
fn table_3(report: &Report) -> String {
    let mut table = Table::new(&[
        "corpus",
        "threshold",
        "pages",
        "pages %",
        "target MB",
        "target MB %",
        "chosen",
    ]);
    for corpus in &report.corpora {
        let figures = &corpus.figures.calibration.bytes;
        for row in &figures.rows {
            table.row(&[
                corpus.name.clone(),
                row.threshold.to_string(),
                row.pages.to_string(),
                decimal(row.pages_percent),
                megabytes(row.size),
                decimal(row.size_percent),
                if figures.choice == Some(row.threshold) {
                    "yes".to_owned()
                } else {
                    String::new()
                },
            ]);
        }
    }
    table.0
}

/// Table 7: one line per bin of LSh by bytes of main text, and one for all; pages and their share
/// per corpus.
fn table_7(report: &Report) -> String {
    let mut table = Table::wide("LSh %", report);
    let of = |corpus: &CorpusReport| corpus.figures.richness.main_bytes.clone();
    let bins = report.corpora.first().map_or(Vec::new(), |corpus| of(corpus).bins);
    for (at, bin) in bins.iter().enumerate() {
        let cells = report.corpora.iter().flat_map(|corpus| {
            let bin = of(corpus).bins.get(at).cloned();
            [number(bin.as_ref().map(|bin| bin.count)), decimal(bin.and_then(|bin| bin.percent))]
        });
        table.row(&std::iter::once(bin.bin.clone()).chain(cells).collect::<Vec<_>>());
    }
    let cells = report.corpora.iter().flat_map(|corpus| {
        let pages = of(corpus).pages;
        [pages.to_string(), decimal((pages > 0).then_some(100.0))]
    });
    table.row(&std::iter::once("total".to_owned()).chain(cells).collect::<Vec<_>>());
    table.0
}

/// Table 8: one line per language in the pages, ordered by its share in the first corpus that has
/// it; pages and their share per corpus.
fn table_8(report: &Report) -> String {
    let mut table = Table::wide("language", report);
    let some = |name: &&str| {
        let mut rows = report.corpora.iter().flat_map(|corpus| &corpus.figures.languages);
        rows.any(|row| row.name == *name && row.pages > 0)
    };
    for name in report.languages().into_iter().filter(some) {
        let cells = report.corpora.iter().flat_map(|corpus| {
            let row = corpus.figures.languages.iter().find(|row| row.name == name);
            let pages = row.map_or(0, |row| row.pages);
            [pages.to_string(), decimal(percent(pages, corpus.figures.totals.pages))]
        });
        table.row(&std::iter::once(name.to_owned()).chain(cells).collect::<Vec<_>>());
    }
    table.0
}

fn thresholds(report: &Report) -> String {
    let mut table = Table::new(&[
        "corpus",
        "script",
        "unit",
        "threshold",
        "pages",
        "pages %",
        "size",
        "size %",
        "chosen",
    ]);
    for corpus in &report.corpora {
        let tables = &corpus.figures.calibration;
        let all = [("all", "bytes", &tables.bytes), ("all", "characters", &tables.characters)];
        let scripts = tables.scripts.iter().flat_map(|of| {
            let script = of.script.as_str();
            [(script, "bytes", &of.bytes), (script, "characters", &of.characters)]
        });
        for (script, unit, figures) in all.into_iter().chain(scripts) {
            for row in &figures.rows {
                let chosen = figures.choice == Some(row.threshold);
                table.row(&[
                    corpus.name.clone(),
                    script.to_owned(),
                    unit.to_owned(),
                    row.threshold.to_string(),
                    row.pages.to_string(),
                    decimal(row.pages_percent),
                    row.size.to_string(),
                    decimal(row.size_percent),
                    if chosen { "yes".to_owned() } else { String::new() },
                ]);
            }
        }
    }
    table.0
}

fn lsh(report: &Report) -> String {
    let mut table = Table::new(&["corpus", "measure", "LSh %", "pages", "pages %"]);
    for corpus in &report.corpora {
        let richness = &corpus.figures.richness;
        let measures: [(&str, Option<&LshFigures>); 3] = [
            ("target bytes / main-text bytes", Some(&richness.main_bytes)),
            ("target bytes / visible-text bytes", Some(&richness.visible_bytes)),
            ("target tokens / main-text tokens", richness.main_tokens.as_ref()),
        ];
        for (measure, figures) in
            measures.into_iter().filter_map(|(name, figures)| Some((name, figures?)))
        {
            let mut row = |bin: &str, pages: u64, percent| {
                table.row(&[
                    corpus.name.clone(),
                    measure.to_owned(),
                    bin.to_owned(),
                    pages.to_string(),
                    decimal(percent),
                ]);
            };
            for bin in &figures.bins {
                row(&bin.bin, bin.count, bin.percent);
            }
            row("total", figures.pages, (figures.pages > 0).then_some(100.0));
        }
    }
    table.0
}

fn languages(report: &Report) -> String {
    let mut table = Table::new(&[
        "corpus",
        "code",
        "language",
        "pages",
        "pages %",
        "pages with any",
        "bytes",
        "bytes %",
    ]);
    for corpus in &report.corpora {
        for row in &corpus.figures.languages {
            table.row(&[
                corpus.name.clone(),
                row.code.clone(),
                row.name.clone(),
                row.pages.to_string(),
                decimal(row.pages_percent),
                row.pages_any.to_string(),
                row.bytes.to_string(),
                decimal(row.bytes_percent),
            ]);
        }
    }
    table.0
}

fn sites(report: &Report, rows: impl Fn(&CorpusReport) -> &Vec<SiteRow>) -> String {
    let mut table = Table::new(&[
        "corpus",
        "rank",
        "site",
        "pages",
        "pages %",
        "target MB",
        "target MB %",
        "SiteR %",
    ]);
    for corpus in &report.corpora {
        for (rank, row) in (1..).zip(rows(corpus)) {
            table.row(&[
                corpus.name.clone(),
                rank.to_string(),
                row.site.clone(),
                row.pages.to_string(),
                decimal(row.pages_percent),
                megabytes(row.target_bytes),
                decimal(row.bytes_percent),
                decimal(row.site_richness),
            ]);
        }
    }
    table.0
}

fn tokens(report: &Report) -> String {
    let mut table = Table::new(&[
        "corpus",
        "unique total",
        "unique target",
        "unique target %",
        "unique other",
        "running total",
        "running target",
        "running target %",
        "running other",
    ]);
    for corpus in &report.corpora {
        let Some(words) = &corpus.figures.words else { continue };
        let vocabulary = &words.vocabulary;
        table.row(&[
            corpus.name.clone(),
            vocabulary.types.to_string(),
            number(vocabulary.own_types),
            decimal(vocabulary.own_types.and_then(|own| percent(own, vocabulary.types))),
            number(vocabulary.own_types.map(|own| vocabulary.types - own)),
            vocabulary.tokens.to_string(),
            number(vocabulary.own_tokens),
            decimal(vocabulary.own_tokens_percent),
            number(vocabulary.own_tokens.map(|own| vocabulary.tokens - own)),
        ]);
    }
    table.0
}

fn corpora(report: &Report) -> String {
    let mut table = Table::new(&["corpus", "pages", "tokens", "URLs known", "sites", "target MB"]);
    for corpus in &report.corpora {
        let figures = &corpus.figures;
        let known = figures.totals.pages > figures.sites.pages_without_host;
        table.row(&[
            corpus.name.clone(),
            figures.totals.pages.to_string(),
            number(figures.words.as_ref().map(|words| words.vocabulary.tokens)),
            if known { "yes" } else { "no" }.to_owned(),
            figures.sites.sites.to_string(),
            megabytes(figures.totals.target_bytes),
        ]);
    }
    table.0
}

fn duplicates(report: &Report) -> String {
    let mut table = Table::new(&["corpus", "kind", "pages", "pages %"]);
    for corpus in &report.corpora {
        let figures = &corpus.figures.duplicates;
        let rows = [
            ("pages with text", Some(figures.pages), None),
            ("exact (MD5 of main text)", Some(figures.exact), figures.exact_percent),
            ("exact (MD5 of the bytes as fetched)", figures.exact_bytes, None),
            ("near (TextProfileSignature)", figures.near_nutch, figures.near_nutch_percent),
            ("near (profile, ties sorted)", figures.near_sorted, figures.near_sorted_percent),
            ("near (MinHash)", figures.near_minhash, figures.near_minhash_percent),
        ];
        for (kind, pages, percent) in rows {
            table.row(&[corpus.name.clone(), kind.to_owned(), number(pages), decimal(percent)]);
        }
    }
    table.0
}

fn coverage(report: &Report) -> String {
    let mut table =
        Table::new(&["corpus", "richest sites", "sites %", "pages %", "target bytes %"]);
    for corpus in &report.corpora {
        for row in &corpus.figures.sites.coverage {
            table.row(&[
                corpus.name.clone(),
                row.sites.to_string(),
                decimal(row.sites_percent),
                decimal(row.pages_percent),
                decimal(row.bytes_percent),
            ]);
        }
    }
    table.0
}

fn site_richness(report: &Report) -> String {
    let mut table = Table::new(&["corpus", "sites %", "SiteR % at most"]);
    for corpus in &report.corpora {
        for quantile in &corpus.figures.sites.site_richness {
            let (sites, richness) = (Some(quantile.sites_percent), Some(quantile.site_richness));
            table.row(&[corpus.name.clone(), decimal(sites), decimal(richness)]);
        }
    }
    table.0
}

fn pages_per_site(report: &Report) -> String {
    let mut table = Table::new(&["corpus", "pages", "sites", "sites %"]);
    for corpus in &report.corpora {
        for bin in &corpus.figures.sites.pages_per_site {
            table.row(&[
                corpus.name.clone(),
                bin.bin.clone(),
                bin.count.to_string(),
                decimal(bin.percent),
            ]);
        }
    }
    table.0
}

fn depth(report: &Report) -> String {
    let mut table = Table::new(&["corpus", "depth", "pages", "pages %"]);
    for corpus in &report.corpora {
        for bin in &corpus.figures.depths.pages {
            table.row(&[
                corpus.name.clone(),
                bin.bin.clone(),
                bin.count.to_string(),
                decimal(bin.percent),
            ]);
        }
    }
    table.0
}

fn sizes(report: &Report) -> String {
    let mut table = Table::new(&["corpus", "bytes at least", "pages", "pages %"]);
    for corpus in &report.corpora {
        for point in &corpus.figures.sizes.ccdf {
            let percent = decimal(point.percent);
            table.row(&[
                corpus.name.clone(),
                point.bytes.to_string(),
                point.pages.to_string(),
                percent,
            ]);
        }
    }
    table.0
}

fn rounds(report: &Report) -> String {
    let mut table = Table::new(&[
        "corpus",
        "round",
        "began",
        "pages",
        "target pages",
        "yield %",
        "target bytes",
    ]);
    for corpus in &report.corpora {
        let rounds = corpus.figures.rounds.iter();
        for (figures, row) in
            rounds.flat_map(|figures| figures.rounds.iter().map(move |row| (figures, row)))
        {
            table.row(&[
                corpus.name.clone(),
                row.round.to_string(),
                row.began.map_or_else(String::new, crate::time),
                row.pages.to_string(),
                row.target_pages.to_string(),
                decimal(row.yield_percent.filter(|_| figures.rejected_known)),
                row.target_bytes.to_string(),
            ]);
        }
    }
    table.0
}

fn byte_yields(report: &Report) -> String {
    let mut table = Table::new(&[
        "corpus",
        "byte yield above %",
        "sites",
        "pages",
        "raw MB",
        "raw MB %",
        "target MB",
        "target MB %",
    ]);
    for corpus in &report.corpora {
        for row in corpus.figures.byte_yields.iter().flat_map(|figures| &figures.what_if) {
            table.row(&[
                corpus.name.clone(),
                row.above_percent.map_or_else(String::new, |percent| percent.to_string()),
                row.sites.to_string(),
                row.pages.to_string(),
                megabytes(row.raw_bytes),
                decimal(row.raw_percent),
                megabytes(row.target_bytes),
                decimal(row.target_percent),
            ]);
        }
    }
    table.0
}

fn costliest_sites(report: &Report) -> String {
    let mut table = Table::new(&[
        "corpus",
        "rank",
        "site",
        "pages",
        "kept pages",
        "raw MB",
        "raw MB %",
        "target MB",
        "target MB %",
        "byte yield %",
        "mean of pages %",
    ]);
    for corpus in &report.corpora {
        let rows = corpus.figures.byte_yields.iter().flat_map(|figures| &figures.costliest_sites);
        for (rank, row) in (1..).zip(rows) {
            table.row(&[
                corpus.name.clone(),
                rank.to_string(),
                row.site.clone(),
                row.pages.to_string(),
                row.kept_pages.to_string(),
                megabytes(row.raw_bytes),
                decimal(row.raw_percent),
                megabytes(row.target_bytes),
                decimal(row.target_percent),
                decimal(row.byte_yield_percent),
                decimal(row.page_yield_mean),
            ]);
        }
    }
    table.0
}

fn zipf(report: &Report) -> String {
    let mut table = Table::new(&["corpus", "n", "rank", "frequency"]);
    for corpus in &report.corpora {
        for zipf in corpus.figures.words.iter().flat_map(|words| &words.zipf) {
            for (rank, frequency) in &zipf.points {
                table.row(&[
                    corpus.name.clone(),
                    zipf.n.to_string(),
                    rank.to_string(),
                    frequency.to_string(),
                ]);
            }
        }
    }
    table.0
}

fn words(report: &Report) -> String {
    let mut table = Table::new(&["corpus", "rank", "word", "count"]);
    for corpus in &report.corpora {
        let top = corpus.figures.words.iter().flat_map(|words| &words.vocabulary.top);
        for (rank, row) in (1..).zip(top) {
            table.row(&[
                corpus.name.clone(),
                rank.to_string(),
                row.word.clone(),
                row.count.to_string(),
            ]);
        }
    }
    table.0
}

fn comparison(report: &Report) -> String {
    let mut text =
        "first\tsecond\tcommon URLs\tJaccard of URLs %\tcommon sites\tchurn of the first's sites %\n".to_owned();
    for pair in report.comparison.iter().flatten() {
        let (first, second) = (tsv::cell(&pair.first), tsv::cell(&pair.second));
        let _ = writeln!(
            text,
            "{first}\t{second}\t{}\t{}\t{}\t{}",
            pair.common_urls,
            decimal(pair.jaccard_percent),
            pair.common_sites,
            decimal(pair.churn_percent)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CorpusReport;
    use corpus::calibration::CalibrationRow;
    use corpus::cdx::Index;
    use corpus::measures::{Measures, Plan};
    use corpus::scratch::Scratch;
    use corpus::sites::Bin;

    fn empty(name: &str) -> (Plan, CorpusReport) {
        let folder = tempfile::tempdir().expect("a folder");
        let plan = Plan { target: "urd".parse().expect("a code"), min_bytes: 256, words: true };
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
            Report::new(plan, Vec::new(), None, Some(Index::default().finish())).expect("memory");
        report.corpora.push(corpus);
        report.comparison = Some(Vec::new());
        let mut names: Vec<&str> = tables(&report).iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        let mut all = NAMES;
        all.sort_unstable();
        assert_eq!(names, all);
        assert!(crate::html::page(&report).ends_with("</html>\n"), "an empty corpus has a page");
    }

    #[test]
    fn no_name_becomes_a_formula_or_another_cell() {
        let (plan, corpus) = empty("=HYPERLINK(\"http://evil\")\t\u{1b}[31m");
        let mut report = Report::new(plan, Vec::new(), None, None).expect("memory");
        report.comparison = Some(vec![crate::Pair {
            first: "+cmd".to_owned(),
            second: "@a\u{2028}b".to_owned(),
            common_urls: 0,
            jaccard_percent: None,
            common_sites: 0,
            churn_percent: None,
        }]);
        report.corpora.push(corpus);
        let (mut rows, name) = (0, "'=HYPERLINK(\"http://evil\")  [31m");
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
        let mut report = Report::new(plan, Vec::new(), None, None).expect("memory");
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
            last("table11-corpora.tsv"),
            "UrduWeb20\t8000506\t4117611602\tyes\t6590\t0.000000"
        );
    }
}
