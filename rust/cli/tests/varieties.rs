//! Varieties of a language as a user meets them: `train --varieties`, `identify --varieties`,
//! `quality annotate --varieties` and the table of the report.

use crate::common::{corpulyzer, stderr, stdout};
use assert_cmd::Command;
use serde_json::{json, Value};
use std::fs;
use tempfile::TempDir;

/// Lines in a made-up variety.
fn lines(ending: &str, not: &str) -> String {
    let stems =
        ["bal", "dor", "fin", "gam", "kel", "lum", "mar", "nis", "pol", "ruk", "sed", "tov"];
    let line = |number: usize| {
        let word = |step: usize| stems[(number * step + step) % stems.len()];
        format!("{}{ending} {not} {} {}{ending} {}\n", word(1), word(5), word(7), word(11))
    };
    (0..60).map(line).collect()
}

/// A folder with texts in two made-up varieties of Norwegian, and `nob.varieties`.
fn trained() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir_all(folder.path().join("texts/north")).unwrap();
    fs::write(folder.path().join("texts/north/a.txt"), lines("anka", "ni")).unwrap();
    fs::write(folder.path().join("texts/south.txt"), lines("olt", "keve")).unwrap();
    let done = run(&folder, TRAIN).assert().success();
    let said = stderr(&done);
    assert!(said.contains("north: 60 lines: under 500 lines is little text"), "{said}");
    folder
}

const TRAIN: &str = "train --varieties --language nob --text texts --out nob.varieties";

fn run(folder: &TempDir, arguments: &str) -> Command {
    let mut command = corpulyzer(arguments.split(' '));
    command.current_dir(folder.path());
    command
}

/// Runs a command that must fail, and returns the last line of its message.
fn refusal(folder: &TempDir, arguments: &str) -> String {
    let output = run(folder, arguments).assert().failure();
    stderr(&output).lines().last().unwrap_or_default().to_owned()
}

#[test]
fn a_model_for_another_language_marks_records_that_the_report_counts() {
    let folder = trained();
    let (north, south) = ("zupanka ni wit hasanka", "zupolt keve wit hasolt");
    let record = |number: usize, text: &str| {
        let url = format!("http://a.no/{number}");
        json!({"url": url, "text": text, "languages": {"nob": text.len()}}).to_string() + "\n"
    };
    let texts = [north, north, south, "42"];
    let corpus: String =
        texts.into_iter().enumerate().map(|(number, text)| record(number, text)).collect();
    fs::write(folder.path().join("corpus.jsonl"), corpus).unwrap();
    let annotate = [
        "quality annotate corpus.jsonl --language nob --out out.jsonl",
        "--varieties --variety-model nob.varieties",
    ];
    run(&folder, &annotate.join(" ")).assert().success();
    let written = fs::read_to_string(folder.path().join("out.jsonl")).unwrap();
    let records: Vec<Value> =
        written.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> =
        records.iter().map(|record| record["variety"].as_str().unwrap()).collect();
    assert_eq!(names, ["north", "north", "south", "und"]);
    assert!(records[0]["variety_score"].as_f64().unwrap() >= 0.5, "{}", records[0]);
    assert_eq!(records[3]["variety_score"], 0.0);
    assert!(records.iter().all(|record| record.get("noise").is_none()), "{written}");

    run(&folder, "report out.jsonl --language nob --no-words --out report").assert().success();
    let table = fs::read_to_string(folder.path().join("report/varieties.tsv")).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split('\t').collect()).collect();
    let first = ["corpus", "variety", "pages", "pages %", "bytes", "bytes %", "mean score"];
    assert_eq!(rows[0], first);
    let pages: Vec<(&str, &str)> = rows[1..].iter().map(|row| (row[1], row[2])).collect();
    assert_eq!(pages, [("north", "2"), ("south", "1"), ("und", "1")]);
    let page = fs::read_to_string(folder.path().join("report/report.html")).unwrap();
    assert!(page.contains("Varieties of the language"));

    run(&folder, "report corpus.jsonl --language nob --no-words --out without").assert().success();
    assert!(!folder.path().join("without/varieties.tsv").exists());
    let page = fs::read_to_string(folder.path().join("without/report.html")).unwrap();
    assert!(!page.contains("<caption>Varieties"), "no table without the field");
}

#[test]
fn identify_prints_the_variety_of_each_line_in_a_language_with_a_model() {
    let text = "انا عايز اروح البيت دلوقتي علشان تعبان اوي ومش قادر اعمل حاجة\n\
                The river rose during the night and the ferry could not leave before noon.\n\n";
    let mut identify = corpulyzer(["identify", "--varieties"]);
    let found = stdout(&identify.write_stdin(text).assert().success());
    let lines: Vec<Vec<&str>> = found.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines[0][..2], ["ara", "egyptian"]);
    let score: f64 = lines[0][2].parse().unwrap();
    assert!((0.5..=1.0).contains(&score), "{score}");
    assert_eq!(lines[1..], [["eng", "", ""], ["und", "", ""]]);
}

#[test]
fn options_and_files_that_do_not_fit_are_refused_in_one_sentence() {
    let folder = trained();
    fs::write(folder.path().join("c.jsonl"), "").unwrap();
    let annotate = |more: &str| refusal(&folder, &format!("quality annotate c.jsonl {more}"));
    let said = annotate("--language urd --out o.jsonl --varieties");
    assert_eq!(
        said,
        "corpulyzer: --varieties: no model has the varieties of urd, only of ara; make one with `train --varieties` and name it (--variety-model)"
    );
    let said = annotate("--language urd --out o.jsonl");
    assert!(said.contains("no rule is named; allowed are --limits"), "{said}");
    let said = annotate("--language nob --out o.jsonl --varieties --variety-model c.jsonl");
    assert!(said.contains("variety model c.jsonl: is not a variety model"), "{said}");
    assert!(!folder.path().join("o.jsonl").exists());
    let said = refusal(&folder, "identify --variety-model nob.varieties");
    assert!(said.contains("--varieties"), "{said}");
    for more in ["--far", "--replace", "--max-entries 500"] {
        let said = refusal(&folder, &format!("{TRAIN} {more}"));
        assert!(said.contains("cannot be used with"), "{said}");
    }
    fs::write(folder.path().join("texts/und.txt"), lines("a", "b")).unwrap();
    let said = refusal(&folder, TRAIN);
    assert!(said.contains("`und` is no name of a variety; allowed are"), "{said}");
    fs::remove_file(folder.path().join("texts/und.txt")).unwrap();
    fs::remove_file(folder.path().join("texts/south.txt")).unwrap();
    let said = refusal(&folder, TRAIN);
    assert!(said.ends_with("found texts in 1 variety, allowed are 2 to 64 (--text)"), "{said}");
}
