//! Classes of pages as a user meets them: `train --classes`, `quality annotate --classes`.

use crate::common::{corpulyzer, stderr, stdout};
use assert_cmd::assert::Assert;
use serde_json::{json, Value};
use std::fs;
use tempfile::TempDir;

const FARM: [&str; 6] = ["barley", "plough", "cattle", "meadow", "harvest", "stable"];
const COURT: [&str; 6] = ["judge", "verdict", "appeal", "lawyer", "witness", "statute"];

/// A text of some of the words, different for each number.
fn text(words: &[&str], number: usize) -> String {
    let word = |step: usize| words[(number * step + step) % words.len()];
    format!("The {} of the {} and the {} came in the morning.", word(1), word(5), word(4))
}

/// A folder with `labelled.jsonl`, of which a page in ten has no label, and `corpus.jsonl`.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let record = |number: usize| {
        let (words, label) =
            if number.is_multiple_of(2) { (FARM, "farming") } else { (COURT, "courts") };
        let label = if number % 10 == 9 { Value::Null } else { json!(label) };
        let url = format!("http://h{}.pk/{number}", number % 17);
        json!({"url": url, "text": text(&words, number), "topic": label}).to_string() + "\n"
    };
    let labelled: String = (0..100).map(record).collect();
    fs::write(folder.path().join("labelled.jsonl"), labelled).unwrap();
    let page = |url: &str, text: String| json!({"url": url, "text": text}).to_string() + "\n";
    let corpus = [
        page("http://farm.pk/1", text(&FARM, 3)),
        page("http://farm.pk/2", text(&FARM, 4)),
        page("http://law.pk/1", text(&COURT, 2)),
        page("http://law.pk/2", "42".to_owned()),
    ];
    fs::write(folder.path().join("corpus.jsonl"), corpus.concat()).unwrap();
    folder
}

fn run(folder: &TempDir, arguments: &str) -> Assert {
    corpulyzer(arguments.split(' ')).current_dir(folder.path()).assert()
}

const TRAIN: &str = "train --classes topic --text labelled.jsonl --out topic.classes";
const ANNOTATE: &str = "quality annotate corpus.jsonl --language eng --out out.jsonl";

#[test]
fn a_model_of_labels_names_the_class_of_pages_and_its_means_by_host() {
    let folder = folder();
    let said = stderr(&run(&folder, TRAIN).success());
    assert!(said.contains("training from 90 pages; 10 without a label in `topic`"), "{said}");
    assert!(
        said.contains("cross-validation of 90 pages in 5 parts of whole hosts, 17 groups"),
        "{said}"
    );
    let row = said.lines().find(|line| line.starts_with("courts")).unwrap();
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells[1], "40");
    assert!(cells[2..5].iter().all(|cell| cell.parse::<f64>().unwrap() > 0.9), "{row}");
    assert!(said.contains("confidence of 0.9 or more"), "{said}");

    let more = "--classes topic=topic.classes --reject topic=courts --hosts hosts.tsv";
    let table = stdout(&run(&folder, &format!("{ANNOTATE} {more}")).success());
    assert!(table.lines().any(|line| line.starts_with("class ")), "{table}");
    let written = fs::read_to_string(folder.path().join("out.jsonl")).unwrap();
    let records: Vec<Value> =
        written.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let classes: Vec<&Value> = records.iter().map(|record| &record["topic"]).collect();
    assert_eq!(classes, [&json!("farming"), &json!("farming"), &json!("courts"), &Value::Null]);
    assert!(records[0]["topic_score"].as_f64().unwrap() > 0.7, "{}", records[0]);
    assert_eq!(records[2]["noise"], json!(["class"]));
    assert!(records[0].get("noise").is_none() && records[3].get("topic_score").is_none());
    let hosts = fs::read_to_string(folder.path().join("hosts.tsv")).unwrap();
    let rows: Vec<Vec<&str>> = hosts.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows[0], ["host", "pages", "topic=courts", "topic=farming"]);
    let names: Vec<(&str, &str)> = rows[1..].iter().map(|row| (row[0], row[1])).collect();
    assert_eq!(names, [("(all)", "4"), ("farm.pk", "2"), ("law.pk", "2")]);
    assert!(rows[2][3].parse::<f64>().unwrap() > 0.7, "{hosts}");

    // Another model adds its field; the class that was there stays.
    assert_eq!(records[0]["classes"], json!(["topic"]));
    assert!(records[3].get("classes").is_none());
    let again = "quality annotate out.jsonl --language eng --out both.jsonl";
    run(&folder, &format!("{again} --classes kind=topic.classes")).success();
    run(&folder, "report both.jsonl --language eng --out report").success();
    let table = |name: &str| fs::read_to_string(folder.path().join("report").join(name)).unwrap();
    let classes = table("classes.tsv");
    let rows: Vec<Vec<&str>> = classes.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows[0][1..], ["field", "class", "pages", "pages %", "bytes", "mean score"]);
    let counts: Vec<[&str; 3]> = rows[1..].iter().map(|row| [row[1], row[2], row[3]]).collect();
    let of = |field| [[field, "farming", "2"], [field, "courts", "1"]];
    assert_eq!(counts, [of("kind"), of("topic")].concat());
    let sites = table("site-classes.tsv");
    let of_law: Vec<&str> = sites.lines().filter(|line| line.contains("\tlaw.pk\t")).collect();
    assert_eq!(of_law.len(), 2, "{sites}");
    assert!(of_law.iter().all(|row| row.contains("\tcourts\t1\t100")), "{sites}");
    assert!(table("report.html").contains("Classes of pages"));

    let sure = format!("{ANNOTATE} {more} --reject-score 1");
    run(&folder, &sure).success();
    let written = fs::read_to_string(folder.path().join("out.jsonl")).unwrap();
    assert!(!written.contains("noise"), "no page is certain: {written}");
}

#[test]
fn hosts_whose_pages_are_of_a_rejected_class_are_an_exclusion_list() {
    let folder = folder();
    run(&folder, TRAIN).success();
    let listed = |more: &str| {
        let more = format!("--classes topic=topic.classes --reject-hosts hosts.txt {more}");
        run(&folder, &format!("{ANNOTATE} {more}")).success();
        fs::read_to_string(folder.path().join("hosts.txt")).unwrap()
    };
    let list = listed("--reject topic=farming --reject-pages 2");
    let lines: Vec<&str> = list.lines().collect();
    assert!(
        lines[0].starts_with("# topic=farming 0.") && lines[0].ends_with(", 2 pages"),
        "{list}"
    );
    assert_eq!(lines[1..], ["farm.pk"]);
    assert_eq!(listed("--reject topic=farming"), "", "two pages are few");
    assert_eq!(listed("--reject topic=farming --reject-pages 2 --reject-score 1"), "");
    // The page of law.pk without a class does not count.
    assert_eq!(listed("--reject topic=courts --reject-pages 2"), "");
    let both = "--reject topic=courts --reject topic=farming --reject-pages 1";
    assert!(listed(both).contains("\nlaw.pk\n"));
    listed("--reject topic=farming --reject-pages 2");
    let package = "package out.jsonl --language eng --contact a@b.pk --out x --without hosts.txt";
    let said = stderr(&run(&folder, package).success());
    assert!(said.contains("excluded 2 by --without"), "{said}");
}

#[test]
fn the_sheet_of_a_judge_is_training_text_too() {
    let folder = folder();
    let row = |number: usize| {
        let (words, label) = if number.is_multiple_of(2) { (FARM, "y") } else { (COURT, "Spam ") };
        let label = if number == 0 { "?" } else { label };
        format!("{label}\t{number:016x}\thttp://h{number}.pk/\t\"¶ {}\"\n", text(&words, number))
    };
    let rows: String = (0..60).map(row).collect();
    let sheet = format!("\u{feff}judgement\tpage\turl\ttext\n{rows}");
    fs::write(folder.path().join("sheet.tsv"), sheet).unwrap();
    let train = "train --classes judgement --text sheet.tsv --out spam.classes";
    let said = stderr(&run(&folder, train).success());
    assert!(said.contains("59 pages; 1 without a label") && said.contains("\nSpam  "), "{said}");
}

#[test]
fn labels_and_options_that_do_not_fit_are_refused_in_one_sentence() {
    let folder = folder();
    run(&folder, TRAIN).success();
    let last = |said: Assert| stderr(&said).lines().last().unwrap_or_default().to_owned();
    let said = last(run(&folder, &TRAIN.replace("topic ", "genre ")).code(1));
    assert!(said.contains("no page has a label in `genre` and text; name the field"), "{said}");
    let said = last(run(&folder, &TRAIN.replace("topic ", "url ")).code(1));
    assert!(said.contains("found 100 classes"), "{said}");
    let said = last(run(&folder, &format!("{ANNOTATE} --classes topic")).code(2));
    assert!(said.contains("--classes is \"topic\"; allowed is a name, = and a value"), "{said}");
    let said = last(run(&folder, &format!("{ANNOTATE} --classes text=topic.classes")).code(2));
    assert!(said.contains("the field `text` is taken"), "{said}");
    let reject = format!("{ANNOTATE} --classes topic=topic.classes --reject");
    let said = last(run(&folder, &format!("{reject} topic=sport")).code(2));
    assert!(said.contains("has no class `sport`; its classes are courts, farming"), "{said}");
    let said = last(run(&folder, &format!("{reject} genre=sport")).code(2));
    assert!(said.contains("--reject names `genre`, which is no name of --classes"), "{said}");
    let said = last(run(&folder, &format!("{ANNOTATE} --classes topic=corpus.jsonl")).code(1));
    assert!(said.contains("class model corpus.jsonl: is not a class model"), "{said}");
    assert!(!folder.path().join("out.jsonl").exists());
}
