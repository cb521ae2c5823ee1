//! A report that compares the indexes of archives: tables, and a page with them.

use crate::html;
use crate::table::{written, Shown};
use crate::{HTML, JSON, SCHEMA};
use serde_json::{Map, Value};

/// File names and captions of the tables.
const TABLES: [(&str, &str); 3] = [
    ("releases.tsv", "Pages in the language, by index"),
    ("overlap.tsv", "Overlap of each two indexes"),
    ("index-languages.tsv", "Percentage of the pages that have a language, at any rank"),
];

/// Columns with names; the others have numbers, or `-` if there is none.
const NAMES: [&str; 3] = ["release", "other", "language"];

/// Returns the value of a cell: also a language such as `nan` is no number.
fn value(head: &str, cell: &str) -> Value {
    let number =
        || cell.parse::<u64>().map(Value::from).or_else(|_| cell.parse::<f64>().map(Value::from));
    match NAMES.contains(&head) {
        true => cell.into(),
        false => number().unwrap_or(Value::Null),
    }
}

/// Returns whether such a report has a file of this name.
pub fn is_name(name: &str) -> bool {
    TABLES.iter().any(|(file, _)| *file == name)
}

/// Returns the names and contents of the files of a report, from its tables: the figures of the
/// indexes, their overlap, their languages. The first line of each has the names of its columns.
pub fn files(language: &str, tables: [String; 3]) -> Vec<(&'static str, String)> {
    let mut page = html::opening("Indexes of archives");
    page += &format!(
        "<header><h1>Indexes of archives: {}</h1></header>\n<main>\n<section>",
        html::escape(language)
    );
    let mut figures = Map::new();
    for ((file, caption), table) in TABLES.iter().zip(&tables) {
        let mut lines = table.lines().map(|line| line.split('\t').collect::<Vec<_>>());
        let heads = lines.next().unwrap_or_default();
        let rows: Vec<Vec<&str>> = lines.collect();
        let object = |row: &Vec<&str>| {
            let cells = heads.iter().zip(row);
            let cells = cells.map(|(head, cell)| ((*head).to_owned(), value(head, cell)));
            Value::Object(cells.collect())
        };
        let name = file.trim_end_matches(".tsv").replace('-', "_");
        figures.insert(name, rows.iter().map(object).collect());
        let shown = |(head, cell): (&&str, &&str)| match value(head, cell).as_f64() {
            Some(number) => Shown::Number((*cell).to_owned(), number),
            None => Shown::Text((*cell).to_owned()),
        };
        let rows: Vec<Vec<Shown>> =
            rows.iter().map(|row| heads.iter().zip(row).map(shown).collect()).collect();
        let heads: Vec<String> = heads.iter().map(|head| head.replace('_', " ")).collect();
        let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
        page += &written(caption, &heads, &rows);
    }
    page += &html::closing();
    // The schema stands first, by which a later report knows that it may replace this one.
    let head = format!("{{\n  \"schema\": \"{SCHEMA}\",\n  \"indexes\": ");
    let figures = head + &Value::Object(figures).to_string() + "\n}\n";
    let names = TABLES.iter().map(|(file, _)| *file);
    [(JSON, figures), (HTML, page)].into_iter().chain(names.zip(tables)).collect()
}
