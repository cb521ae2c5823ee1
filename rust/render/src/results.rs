//! The results that a verb prints: lines and tables for people, or the same figures as JSON.
//!
//! A result is added once and becomes both, so that neither lacks a row of the other. Keys are
//! stable; headings are for people and may change.

use serde_json::{Map, Value};

/// A column of a table: its key in JSON, its heading, and the number of characters that its cells
/// are padded to; below 0 they are aligned to the left, as by `printf`.
pub type Column = (&'static str, &'static str, isize);

/// Columns without headings, between which tabs stand.
pub const fn bare<const N: usize>(keys: [&'static str; N]) -> [Column; N] {
    let mut columns = [("", "", 0); N];
    let mut at = 0;
    while at < N {
        columns[at].0 = keys[at];
        at += 1;
    }
    columns
}

/// A cell of a table: what people read, and the value.
#[derive(Debug, Clone)]
pub struct Cell(String, Value);

impl Cell {
    /// A cell whose text is not that of its value.
    pub fn new(text: impl Into<String>, value: impl Into<Value>) -> Self {
        Self(text.into(), value.into())
    }

    /// A number with this many digits behind the point as text, and all of them in JSON.
    pub fn number(number: f64, digits: usize) -> Self {
        Self::new(format!("{number:.digits$}"), number)
    }

    /// A number that may be missing: `absent` is the text, `null` the value.
    pub fn maybe(number: Option<f64>, digits: usize, absent: &str) -> Self {
        number.map_or(Self::new(absent, Value::Null), |number| Self::number(number, digits))
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::new(text, text)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::new(text.clone(), text)
    }
}

impl From<u64> for Cell {
    fn from(number: u64) -> Self {
        Self::new(number.to_string(), number)
    }
}

impl From<usize> for Cell {
    fn from(number: usize) -> Self {
        Self::from(number as u64)
    }
}

/// What a verb found.
#[derive(Debug, Clone, Default)]
pub struct Results {
    /// Lines and tables for people; each line ends with a line feed.
    pub text: String,
    /// The figures by their keys. A table is an array of objects, one for each row.
    pub figures: Map<String, Value>,
}

impl Results {
    /// Adds a line for people.
    pub fn line(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    /// Adds a figure, which the lines for people say in their own words.
    pub fn figure(&mut self, key: &str, value: impl Into<Value>) {
        self.figures.insert(key.to_owned(), value.into());
    }

    /// Begins a table. Its array is there without rows too. `above` and the headings are written
    /// above the first row. If all columns have the width 0, tabs separate them.
    pub fn table<'r>(
        &'r mut self,
        key: &'static str,
        above: &'static str,
        columns: &'r [Column],
    ) -> Table<'r> {
        self.figures.insert(key.to_owned(), Value::Array(Vec::new()));
        Table { results: self, key, above: Some(above), columns }
    }

    /// The figures as JSON, in a form for people and programs.
    pub fn json(&self) -> String {
        format!("{:#}\n", Value::from(self.figures.clone()))
    }
}

/// A table that is being written.
#[derive(Debug)]
pub struct Table<'r> {
    results: &'r mut Results,
    key: &'static str,
    /// None after the headings are written.
    above: Option<&'static str>,
    columns: &'r [Column],
}

impl Table<'_> {
    /// Writes the headings, if they are not there and one of them has a text.
    pub fn headings(&mut self) {
        let Some(above) = self.above.take() else { return };
        self.results.text += above;
        if self.columns.iter().any(|(_, heading, _)| !heading.is_empty()) {
            let headings = self.columns.iter().map(|(_, heading, _)| *heading);
            let headings = padded(self.columns, headings);
            self.results.line(&headings);
        }
    }

    /// Adds a row. Cells that it lacks at its end are `null`.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) -> &mut Self {
        self.headings();
        let (text, object) = row(self.columns, cells);
        self.results.line(&text);
        self.push(object);
        self
    }

    /// Adds a row that is in JSON alone, such as one beyond the most that people read.
    pub fn unread(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let (_, object) = row(self.columns, cells);
        self.push(object);
    }

    /// Adds a value to the last row that has no column: lines below the row say it, if it is for
    /// people.
    pub fn with(&mut self, key: &str, value: impl Into<Value>, below: &str) {
        self.results.text += below;
        let last = self.rows().and_then(|rows| rows.last_mut()).and_then(Value::as_object_mut);
        if let Some(row) = last {
            row.insert(key.to_owned(), value.into());
        }
    }

    /// Adds a row that people read as a sentence.
    pub fn sentence(&mut self, line: &str, cells: impl IntoIterator<Item = Cell>) {
        self.results.line(line);
        self.unread(cells);
    }

    fn push(&mut self, row: Map<String, Value>) {
        if let Some(rows) = self.rows() {
            rows.push(row.into());
        }
    }

    fn rows(&mut self) -> Option<&mut Vec<Value>> {
        self.results.figures.get_mut(self.key)?.as_array_mut()
    }
}

/// A row as a line without its end, and as an object, for tables that are printed row by row.
pub fn row(
    columns: &[Column],
    cells: impl IntoIterator<Item = Cell>,
) -> (String, Map<String, Value>) {
    let (texts, values): (Vec<String>, Vec<Value>) =
        cells.into_iter().map(|Cell(text, value)| (text, value)).unzip();
    let values = values.into_iter().chain(std::iter::repeat(Value::Null));
    let keys = columns.iter().map(|(key, ..)| (*key).to_owned());
    (padded(columns, texts.iter().map(String::as_str)), keys.zip(values).collect())
}

/// The cells of a line, padded to the widths of their columns.
fn padded<'c>(columns: &[Column], cells: impl Iterator<Item = &'c str>) -> String {
    let separator = if columns.iter().all(|(.., width)| *width == 0) { "\t" } else { " " };
    let cells = columns.iter().zip(cells).map(|((.., width), cell)| match width {
        ..0 => format!("{cell:<0$}", width.unsigned_abs()),
        _ => format!("{cell:>0$}", width.unsigned_abs()),
    });
    cells.collect::<Vec<_>>().join(separator)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

    #[test]
    fn a_row_is_in_the_table_and_in_the_figures() {
        let columns = [("name", "", -6), ("pages", "pages", 5), ("rate", "% rate", 7)];
        let mut results = Results::default();
        results.line("two rows");
        results.figure("records", 3);
        let mut table = results.table("kinds", "\n", &columns);
        table.row(["clean".into(), 2u64.into(), Cell::number(12.345, 1)]);
        table.with("samples", ["a \"b\""], "  a \"b\"\n");
        table.row([Cell::new("all others", "other"), 1u64.into()]);
        results.table("rest", "\nnever seen\n", &columns);
        assert_eq!(
            results.text,
            "two rows\n\n       pages  % rate\nclean      2    12.3\n  a \"b\"\nall others     1\n"
        );
        let kinds = json!([
            {"name": "clean", "pages": 2, "rate": 12.345, "samples": ["a \"b\""]},
            {"name": "other", "pages": 1, "rate": null},
        ]);
        let read: Value = serde_json::from_str(&results.json()).unwrap();
        assert_eq!(read, json!({"records": 3, "kinds": kinds, "rest": []}));
    }

    #[test]
    fn tabs_separate_columns_without_a_width() {
        let mut results = Results::default();
        let columns = [("language", "", 0), ("share", "", 0)];
        results.table("rows", "", &columns).row(["urd".into(), Cell::maybe(None, 3, "-")]);
        assert_eq!(results.text, "urd\t-\n");
        assert_eq!(results.figures["rows"], json!([{"language": "urd", "share": null}]));
    }
}
