//! One model of a table, from which its TSV file and its HTML are written.
//!
//! A column has a name (the heading in the TSV file, with the unit), a heading in HTML, and a
//! function from a row to a [`Value`]. The value's unit decides how both formats show it. A column
//! may be in one of the formats only.

use crate::format::{bytes, decimal, integer, percent};
use crate::glossary::term;
use crate::{CorpusReport, Report};
use render::plot::escape;
use std::fmt::Write as _;

/// Rows of a table that are visible at first.
const SHOWN_ROWS: usize = 20;

/// The content of a cell, formatted for both formats.
#[derive(Clone)]
pub struct Value {
    /// For the TSV file. An unknown figure is empty.
    plain: String,
    shown: Shown,
}

/// A cell of the HTML table.
#[derive(Clone)]
pub enum Shown {
    /// Text in either writing direction.
    Text(String),
    /// HTML, escaped by its maker.
    Html(String),
    /// A number as displayed, and its sort key.
    Number(String, f64),
}

impl Value {
    /// Makes a cell of plain text, which is escaped.
    pub fn text(text: &str) -> Self {
        Self::named(text, text)
    }

    /// Text that the TSV file has as a code, and HTML as a name.
    pub fn named(plain: &str, name: &str) -> Self {
        Self { plain: plain.to_owned(), shown: Shown::Text(name.to_owned()) }
    }

    /// Text from a page, or words in its place if it is empty; the TSV file leaves it empty.
    pub fn text_or(text: &str, unknown: &str) -> Self {
        Self::named(text, if text.is_empty() { unknown } else { text })
    }

    /// Text that HTML shows as code.
    pub fn code(code: &str) -> Self {
        Self::html(code, format!("<code>{}</code>", escape(code)))
    }

    /// Text, and the HTML in its place.
    pub fn html(plain: &str, html: String) -> Self {
        Self { plain: plain.to_owned(), shown: Shown::Html(html) }
    }

    /// Whether this row is the one that a rule chose.
    pub fn chosen(is_chosen: bool) -> Self {
        match is_chosen {
            true => Self::html("yes", "<strong>chosen</strong>".to_owned()),
            false => Self::html("", String::new()),
        }
    }

    /// A number in any form, and its sort key in HTML.
    pub fn number(plain: String, shown: String, key: f64) -> Self {
        Self { plain, shown: Shown::Number(shown, key) }
    }

    /// A number of things.
    pub fn count(number: u64) -> Self {
        Self::maybe(Some(number))
    }

    /// A number of things, if it is known.
    pub fn maybe(number: Option<u64>) -> Self {
        match number {
            Some(number) => Self::number(number.to_string(), integer(number), number as f64),
            None => Self::number(String::new(), "–".to_owned(), -1.0),
        }
    }

    /// A share in percent, if it is known: with two decimals in the TSV file, with one in HTML.
    pub fn share(value: Option<f64>) -> Self {
        Self::number(two_decimals(value), percent(value), value.unwrap_or(-1.0))
    }

    /// A share in percent with two decimals in both formats.
    pub fn fine_share(value: Option<f64>) -> Self {
        Self::number(two_decimals(value), decimal(value, 2) + " %", value.unwrap_or(-1.0))
    }

    /// A size in bytes; HTML has the unit that fits.
    pub fn size(number: u64) -> Self {
        Self::number(number.to_string(), bytes(number), number as f64)
    }

    /// A size that the TSV file has in megabytes, the paper's unit, with all digits.
    pub fn megabytes(number: u64) -> Self {
        let plain = format!("{}.{:06}", number / 1_000_000, number % 1_000_000);
        Self::number(plain, bytes(number), number as f64)
    }

    /// Any other figure, with its number of decimals in the TSV file and in HTML.
    pub fn figure(value: Option<f64>, plain_digits: usize, shown_digits: usize) -> Self {
        let plain = value.map_or_else(String::new, |value| format!("{value:.plain_digits$}"));
        Self::number(plain, decimal(value, shown_digits), value.unwrap_or(f64::MIN))
    }

    /// The same value, but empty in the TSV file.
    pub fn in_html_only(self) -> Self {
        Self { plain: String::new(), ..self }
    }
}

/// Formats a percentage for a TSV file.
fn two_decimals(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value:.2}"))
}

/// The heading of a column in HTML.
pub struct Heading(String);

impl Heading {
    /// A term of the glossary.
    pub fn term(key: &str, text: &str) -> Self {
        Self(term(key, text))
    }

    /// A term of the glossary, and text behind it.
    pub fn term_and(key: &str, text: &str, rest: &str) -> Self {
        Self(term(key, text) + &escape(rest))
    }

    /// A name in either writing direction.
    pub fn name(name: &str) -> Self {
        Self(format!("<bdi>{}</bdi>", escape(name)))
    }
}

impl From<&str> for Heading {
    fn from(text: &str) -> Self {
        Self(escape(text))
    }
}

/// A column of a table with rows `R`.
struct Column<'r, R> {
    /// Heading in the TSV file; none if only HTML has the column.
    name: Option<String>,
    /// Heading in HTML; none if only the TSV file has the column.
    heading: Option<Heading>,
    value: Box<dyn Fn(&R) -> Value + 'r>,
}

/// Rows of a report with their columns, written as TSV and as HTML.
pub struct Table<'r, R> {
    /// The rows, by corpus.
    rows: Vec<(&'r str, Vec<R>)>,
    /// Whether the first column of the TSV file, and of HTML, is the corpus.
    names_corpus: (bool, bool),
    columns: Vec<Column<'r, R>>,
}

impl<'r, R> Table<'r, R> {
    /// Creates a table with the rows of each corpus. In the TSV file, the first column is the
    /// corpus, also if there is only one.
    pub fn of<I: IntoIterator<Item = R>>(
        report: &'r Report,
        rows: impl Fn(&'r CorpusReport) -> I,
    ) -> Self {
        let corpora = report.corpora.iter();
        Self::grouped(report, corpora.map(|corpus| (corpus, rows(corpus).into_iter().collect())))
    }

    /// Creates a table with groups of rows, each of one corpus.
    pub fn grouped(
        report: &'r Report,
        groups: impl Iterator<Item = (&'r CorpusReport, Vec<R>)>,
    ) -> Self {
        let rows = groups.map(|(corpus, rows)| (corpus.name.as_str(), rows)).collect();
        Self { rows, names_corpus: (true, report.corpora.len() > 1), columns: Vec::new() }
    }

    /// Creates a table without a column for the corpus.
    pub fn alone(rows: impl IntoIterator<Item = R>) -> Self {
        let rows = vec![("", rows.into_iter().collect())];
        Self { rows, names_corpus: (false, false), columns: Vec::new() }
    }

    /// Adds a column to both formats.
    pub fn column(
        self,
        name: &str,
        heading: impl Into<Heading>,
        value: impl Fn(&R) -> Value + 'r,
    ) -> Self {
        self.with(Some(name.to_owned()), Some(heading.into()), Box::new(value))
    }

    /// Adds a column to the TSV file.
    pub fn tsv_column(self, name: &str, value: impl Fn(&R) -> Value + 'r) -> Self {
        self.with(Some(name.to_owned()), None, Box::new(value))
    }

    /// Adds a column to HTML.
    pub fn html_column(
        self,
        heading: impl Into<Heading>,
        value: impl Fn(&R) -> Value + 'r,
    ) -> Self {
        self.with(None, Some(heading.into()), Box::new(value))
    }

    /// Adds two columns to the TSV file for each corpus: the pages of a row, and their share in
    /// percent. If there are several corpora, the names of the columns begin with the corpus.
    pub fn for_each_corpus(
        mut self,
        report: &'r Report,
        pages: impl Fn(&R, &'r CorpusReport) -> (Option<u64>, Option<f64>) + Copy + 'r,
    ) -> Self {
        for corpus in &report.corpora {
            let name = |what: &str| match report.corpora.len() {
                1 => what.to_owned(),
                _ => format!("{} {what}", corpus.name),
            };
            self = self
                .tsv_column(&name("pages"), move |row| Value::maybe(pages(row, corpus).0))
                .tsv_column(&name("pages %"), move |row| Value::share(pages(row, corpus).1));
        }
        self
    }

    fn with(
        mut self,
        name: Option<String>,
        heading: Option<Heading>,
        value: Box<dyn Fn(&R) -> Value + 'r>,
    ) -> Self {
        self.columns.push(Column { name, heading, value });
        self
    }

    /// Returns the TSV file: corpus by corpus, cells by [`render::tsv::cell`].
    pub fn tsv(&self) -> String {
        let columns =
            || self.columns.iter().filter_map(|column| Some((column.name.as_ref()?, column)));
        let corpus = |name: &str| self.names_corpus.0.then(|| name.to_owned());
        let mut out = String::new();
        let heads = columns().map(|(name, _)| name.clone());
        push_line(&mut out, corpus("corpus").into_iter().chain(heads));
        for (name, rows) in &self.rows {
            for row in rows {
                let cells = columns().map(|(_, column)| (column.value)(row).plain);
                push_line(&mut out, corpus(name).into_iter().chain(cells));
            }
        }
        out
    }

    /// Returns the HTML, with headings that sort it. If there are several corpora, each row begins
    /// with its corpus, and rows to compare are adjacent. Of a long table only the first rows are
    /// visible.
    pub fn html(&self, caption: &str) -> String {
        let columns =
            || self.columns.iter().filter_map(|column| Some((column.heading.as_ref()?, column)));
        let corpus = |name: &str| self.names_corpus.1.then(|| Shown::Text(name.to_owned()));
        let longest = self.rows.iter().map(|(_, rows)| rows.len()).max().unwrap_or(0);
        let mut rows = Vec::new();
        for at in 0..longest {
            for (name, row) in
                self.rows.iter().filter_map(|(name, rows)| Some((name, rows.get(at)?)))
            {
                let cells = columns().map(|(_, column)| (column.value)(row).shown);
                rows.push(corpus(name).into_iter().chain(cells).collect());
            }
        }
        let heads = columns().map(|(heading, _)| heading.0.as_str());
        let corpus = self.names_corpus.1.then_some("Corpus");
        written(caption, &corpus.into_iter().chain(heads).collect::<Vec<_>>(), &rows)
    }
}

/// Appends a line of a TSV file.
fn push_line(out: &mut String, cells: impl Iterator<Item = String>) {
    for (at, cell) in cells.enumerate() {
        if at > 0 {
            out.push('\t');
        }
        *out += &render::tsv::cell(&cell);
    }
    out.push('\n');
}

/// Writes a table as HTML.
pub fn written(caption: &str, heads: &[&str], rows: &[Vec<Shown>]) -> String {
    let mut html = format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table>\
         <caption>{0}</caption><thead><tr>",
        escape(caption)
    );
    for (column, head) in heads.iter().enumerate() {
        let numeric =
            rows.first().is_some_and(|row| matches!(row.get(column), Some(Shown::Number(..))));
        let class = if numeric { " class=\"n\"" } else { "" };
        let _ = write!(html, "<th scope=\"col\"{class}>{head}</th>");
    }
    html += "</tr></thead><tbody>";
    for (number, row) in rows.iter().enumerate() {
        html += if number >= SHOWN_ROWS { "<tr class=\"more\">" } else { "<tr>" };
        for cell in row {
            let _ = match cell {
                Shown::Text(text) => write!(html, "<td><bdi>{}</bdi></td>", escape(text)),
                Shown::Html(inner) => write!(html, "<td>{inner}</td>"),
                Shown::Number(shown, value) => {
                    write!(html, "<td class=\"n\" data-v=\"{value}\">{}</td>", escape(shown))
                }
            };
        }
        html += "</tr>";
    }
    html + "</tbody></table></div>"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_two_corpora() -> Table<'static, u64> {
        let rows = vec![("a", vec![1, 2]), ("=b", vec![3_000_000])];
        Table { rows, names_corpus: (true, true), columns: Vec::new() }
            .tsv_column("rank", |row| Value::count(*row))
            .column("size MB", "Size & more", |row| Value::megabytes(*row))
            .html_column("Share", |_| Value::share(None))
    }

    #[test]
    fn a_tsv_file_has_its_columns_corpus_by_corpus() {
        assert_eq!(
            of_two_corpora().tsv(),
            "corpus\trank\tsize MB\na\t1\t0.000001\na\t2\t0.000002\n'=b\t3000000\t3.000000\n"
        );
    }

    #[test]
    fn html_has_its_columns_and_rows_to_compare_are_adjacent() {
        let html = of_two_corpora().html("Sizes");
        let head =
            "<th scope=\"col\">Corpus</th><th scope=\"col\" class=\"n\">Size &amp; more</th>\
                    <th scope=\"col\" class=\"n\">Share</th></tr>";
        assert!(html.contains(head), "{html}");
        let cells: Vec<&str> =
            html.split("<td").skip(1).filter_map(|cell| cell.split(['>', '<']).nth(1)).collect();
        let unknown = "–";
        assert_eq!(cells[1..3], ["1 B", unknown]);
        assert_eq!(cells[4..6], ["3.0 MB", unknown]);
        assert_eq!(cells[7..9], ["2 B", unknown]);
    }

    #[test]
    fn a_table_without_corpora_shows_its_first_rows() {
        let table = Table::alone(0..SHOWN_ROWS as u64 + 2)
            .column("n", "n", |row| Value::count(*row))
            .column("", "", |row| Value::chosen(*row == 1));
        assert!(table.tsv().starts_with("n\t\n0\t\n1\tyes\n2\t\n"), "{}", table.tsv());
        assert_eq!(table.html("n").matches("<tr class=\"more\">").count(), 2);
    }
}
