//! The figures of README.md are those of the pages that it cites and of the command.

use crate::common::{corpulyzer, stdout};
use std::fs;
use std::path::Path;

/// Numbers of a text that are figures: `89.2`, `.931`, `560`. Versions, ordinals in words and
/// numbers under 10 without a point are none.
fn figures(text: &str) -> Vec<String> {
    let number = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
    let words = text.split(|c: char| !number(c) && !c.is_alphanumeric());
    let words = words.map(|word| word.trim_end_matches(['.', ',']));
    let is_figure = |word: &&str| {
        word.chars().all(number)
            && word.chars().any(|c| c.is_ascii_digit())
            && (word.contains('.') || word.len() > 1)
    };
    words.filter(is_figure).map(str::to_owned).collect()
}

/// Rows of the table of results: the cells with figures, and the page that the last cell cites.
fn results(readme: &str) -> Vec<(String, String)> {
    let section = readme.split("## Results").nth(1).expect("a section of results");
    let table = section.split("\n## ").next().expect("its end");
    let rows = table.lines().filter(|line| line.starts_with("| ")).skip(1);
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let (page, figures) = cells.split_last().expect("cells");
        let page = page.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
        (figures.join(" "), page.expect("a link to a page").0.to_owned())
    })
    .collect()
}

#[test]
fn the_figures_of_the_results_are_on_the_pages_that_they_cite() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(root.join("README.md")).expect("README.md");
    let rows = results(&readme);
    assert!(rows.len() >= 5, "{rows:?}");
    for (cells, page) in rows {
        let cited = figures(&fs::read_to_string(root.join(&page)).expect(&page));
        let stated: Vec<String> =
            figures(&cells).into_iter().filter(|figure| figure != "1.22").collect();
        assert!(!stated.is_empty(), "no figure in: {cells}");
        for figure in stated {
            assert!(cited.contains(&figure), "{page} does not have {figure} of: {cells}");
        }
    }
}

#[test]
fn a_figure_that_a_page_does_not_have_is_found() {
    assert_eq!(
        figures("mean F1 .931, 5,000 pages, 89.2 % in 5 languages; best/9"),
        [".931", "5,000", "89.2"]
    );
}

#[test]
fn the_number_of_languages_is_that_of_the_command() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let table = stdout(&corpulyzer(["languages", "--known"]).assert().success());
    // The first line has the names of the columns.
    let known = table.lines().count() - 1;
    assert!(readme.contains(&format!(" {known} languages work from the start")), "{known}");
}

#[test]
fn the_row_of_the_sample_is_on_its_page_and_the_whole_is_short() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    assert!(readme.lines().count() <= 120, "{} lines", readme.lines().count());
    let row = |text: &str| {
        let cells = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        text.lines().map(cells).find(|cells| cells.first().is_some_and(|first| first == "3"))
    };
    let sample = fs::read_to_string(root.join("docs/sample.md")).unwrap();
    assert_eq!(row(&readme).expect("a row"), row(&sample).expect("a row"));
}
