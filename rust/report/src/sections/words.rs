//! Words: vocabulary, sequences, lengths, the most frequent ones.

use crate::glossary::term;
use crate::html::{folded, plot, ReportPage};
use crate::table::{Heading, Table, Value};
use crate::{CorpusReport, Report};
use figures::fixed::percent;
use figures::tokens::WITHOUT_BLANKS;
use figures::words::{Vocabulary, WordRow, Zipf};
use render::plot::{lines, Axis, Series};

/// Table 10 of the paper: types and tokens.
pub fn vocabulary(report: &Report) -> Table<'_, &Vocabulary> {
    let rest = |all: u64, own: Option<u64>| Value::maybe(own.map(|own| all - own));
    Table::of(report, |corpus| corpus.figures.words.iter().map(|words| &words.vocabulary))
        .column("unique total", Heading::term("type", "Types"), |v| Value::count(v.types))
        .column("unique target", Heading::term("own", "Target types"), |v| {
            Value::maybe(v.own_types)
        })
        .tsv_column("unique target %", |v| {
            Value::share(v.own_types.and_then(|own| percent(own, v.types)))
        })
        .column("unique other", "Other types", move |v| rest(v.types, v.own_types))
        .column("running total", Heading::term("token", "Tokens"), |v| Value::count(v.tokens))
        .column("running target", Heading::term("own", "Target tokens"), |v| {
            Value::maybe(v.own_tokens)
        })
        .column("running target %", "of all", |v| Value::share(v.own_tokens_percent))
        .column("running other", "Other tokens", move |v| rest(v.tokens, v.own_tokens))
}

fn zipf(corpus: &CorpusReport) -> impl Iterator<Item = &Zipf> {
    corpus.figures.words.iter().flat_map(|words| &words.zipf)
}

/// The points of Zipf's law. HTML has them as a plot.
pub fn zipf_points(report: &Report) -> Table<'_, (u64, u64, u64)> {
    let points = |zipf: &'_ Zipf| {
        let n = zipf.n.into();
        zipf.points.iter().map(move |&(rank, frequency)| (n, rank, frequency)).collect::<Vec<_>>()
    };
    Table::of(report, |corpus| zipf(corpus).flat_map(points))
        .tsv_column("n", |row| Value::count(row.0))
        .tsv_column("rank", |row| Value::count(row.1))
        .tsv_column("frequency", |row| Value::count(row.2))
}

/// The table of HTML with the figures of each length of sequences.
fn sequences(report: &Report) -> Table<'_, &Zipf> {
    Table::of(report, zipf)
        .html_column("Words", |z| Value::count(z.n.into()))
        .html_column(Heading::term("type", "Types"), |z| Value::count(z.types))
        .html_column("Running", |z| Value::count(z.tokens))
        .html_column("Once", |z| Value::count(z.once))
        .html_column(Heading::term("zipf", "Slope"), |z| Value::figure(z.slope, 3, 3))
}

/// The most frequent words.
pub fn frequent(report: &Report) -> Table<'_, (u64, &WordRow)> {
    fn rows(corpus: &CorpusReport) -> impl Iterator<Item = (u64, &WordRow)> {
        (1..).zip(corpus.figures.words.iter().flat_map(|words| &words.vocabulary.top))
    }
    Table::of(report, rows)
        .column("rank", "Rank", |(rank, _)| Value::count(*rank))
        .column("word", Heading::term("type", "Word"), |(_, row)| Value::text(&row.word))
        .column("count", Heading::term("token", "Count"), |(_, row)| Value::count(row.count))
}

/// A mean: its name in HTML, its value, and its number of decimals.
type Mean = (String, Option<f64>, usize);

/// The table of HTML with means of lengths, of predictability and of style.
fn means(report: &Report) -> Table<'_, Mean> {
    let rows = |corpus: &'_ CorpusReport| {
        let (Some(words), Some(style)) = (&corpus.figures.words, &corpus.figures.style) else {
            return Vec::new();
        };
        let l = &words.lengths;
        vec![
            (term("token", "Characters of a token"), l.chars_per_token, 2),
            (term("type", "Characters of a type"), l.chars_per_type, 2),
            (term("sentence", "Tokens of a sentence"), l.tokens_per_sentence, 2),
            (term("entropy", "Conditional entropy, bits"), l.entropy, 3),
            (term("perplexity", "Conditional perplexity"), l.perplexity, 2),
            (term("lix", "Readability (LIX)"), style.readability_lix, 1),
            (term("variety", "Variety, of 100"), style.variety, 1),
            (term("cohesion", "Cohesion"), style.cohesion, 3),
            (term("coherence", "Coherence"), style.coherence, 3),
        ]
    };
    Table::of(report, rows)
        .html_column("Figure", |(name, ..)| Value::html("", name.clone()))
        .html_column("Value", |&(_, value, digits)| Value::figure(value, digits, digits))
}

impl ReportPage<'_> {
    /// Writes the section, if words were counted.
    pub fn words(&mut self) {
        if !self.report.words {
            return;
        }
        self.section("words", "Words");
        let script =
            |c: &CorpusReport| c.figures.calibration.scripts.first().map(|of| of.script.clone());
        let mut scripts = self.report.corpora.iter().filter_map(script);
        if scripts.any(|script| WITHOUT_BLANKS.contains(&script.as_str())) {
            self.html += "<p class=\"note\">Most of this text is in a script without blanks between words, so its tokens are runs of text: \
                           figures of words, tokens and near duplicates have no useful meaning. Skip them with <code>--no-words</code>.</p>";
        }
        self.html += &vocabulary(self.report).html("Vocabulary");
        self.sequences();
        self.html += &means(self.report).html("Lengths, predictability, style (means)");
        let caption = "Most frequent words";
        self.html += &folded(caption, &frequent(self.report).html(caption));
    }

    /// Zipf's law, and the sequences that its lines are of.
    fn sequences(&mut self) {
        let mut series = Vec::new();
        for corpus in &self.report.corpora {
            for zipf in zipf(corpus) {
                let what = match zipf.n {
                    1 => "1 word".to_owned(),
                    n => format!("{n} words"),
                };
                let name = if self.several() { format!("{}: {what}", corpus.name) } else { what };
                let points = zipf.points.iter();
                let points =
                    points.map(|&(rank, frequency)| (rank as f64, frequency as f64)).collect();
                series.push(Series { name, points });
            }
        }
        self.html += "<div class=\"plots\">";
        let svg =
            lines("p-zipf", "Zipf's law", &Axis::log("Rank"), &Axis::log("Frequency"), &series);
        self.html +=
            &plot(&format!("Rank and frequency ({})", term("zipf", "Zipf\u{2019}s law")), &svg);
        self.html += "<div>";
        self.html += &sequences(self.report).html("Sequences of words");
        self.html += "</div></div>";
    }
}
