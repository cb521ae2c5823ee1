//! The tables that the command writes, read by a strict parser: hosts, URLs, words and names that
//! hold quotes are the cells that were meant.

use crate::common::{corpulyzer, stdout};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const HOST: &str = "a\"b\".pk";
const URDU: &str = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے۔";

/// The cells of a table. All rows have the same number of cells, and the parser's own library
/// writes the same table of them: no cell has a quote in an unexpected place.
fn cells(table: &str) -> Vec<Vec<String>> {
    let mut reader =
        csv::ReaderBuilder::new().delimiter(b'\t').has_headers(false).from_reader(table.as_bytes());
    let mut writer = csv::WriterBuilder::new().delimiter(b'\t').from_writer(Vec::new());
    let mut rows = Vec::new();
    for row in reader.records() {
        let row = row.unwrap_or_else(|error| panic!("{error}: {table}"));
        writer.write_record(&row).unwrap();
        rows.push(row.iter().map(str::to_owned).collect());
    }
    assert_eq!(String::from_utf8(writer.into_inner().unwrap()).unwrap(), table);
    rows
}

fn read(file: impl AsRef<Path>) -> Vec<Vec<String>> {
    cells(&fs::read_to_string(file).unwrap())
}

/// Whether a cell of the table is this text.
fn has(rows: &[Vec<String>], text: &str) -> bool {
    rows.iter().flatten().any(|cell| cell == text)
}

fn page(language: &str, url: &str, text: &str, more: &str) -> String {
    let json = |text: &str| serde_json::to_string(text).unwrap();
    let bytes = text.len();
    format!(
        "{{\"url\":{},\"text\":{},\"main_bytes\":{bytes},\"raw_bytes\":900,\"languages\":{{\"{language}\":{bytes}}}{more}}}\n",
        json(url),
        json(text)
    )
}

#[test]
fn tables_of_a_corpus_hold_what_was_meant() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let run = |arguments: &[&str]| stdout(&corpulyzer(arguments).assert().success());
    let [one, two] = [format!("http://{HOST}/ur/1"), format!("http://{HOST}/en/1")];
    let alternate = format!(",\"alternates\":[{{\"language\":\"en\",\"url\":{two:?}}}]");
    let corpus = page("urd", &one, URDU, &alternate) + &page("urd", "http://c.pk/2", URDU, "");
    let (name, other) = (path("one \"1\".jsonl"), path("two.jsonl"));
    fs::write(&name, corpus).unwrap();
    fs::write(&other, page("eng", &two, "The old town", "")).unwrap();

    let pairs = cells(&run(&["pairs", &name, &other]));
    assert!(has(&pairs, &one) && has(&pairs, &two), "{pairs:?}");

    run(&["report", "--compare", "--language", "ur", &name, &other, "--out", &path("report")]);
    let tables = fs::read_dir(path("report")).unwrap().map(|entry| entry.unwrap().path());
    let tables: Vec<_> =
        tables.filter(|path| path.extension().is_some_and(|name| name == "tsv")).collect();
    assert!(tables.len() > 15, "{tables:?}");
    let tables: Vec<_> = tables.iter().map(read).collect();
    assert!(tables.iter().any(|rows| has(rows, HOST)));
    assert!(tables.iter().any(|rows| has(rows, "one \"1\"")));

    for lines in [None, Some("--lines")] {
        let (out, table) = (path("out"), path("survival"));
        let mut arguments = vec!["deduplicate", "--language", "ur", &name, "--out", &out];
        arguments.extend(["--survival", &table].into_iter().chain(lines));
        run(&arguments);
        assert!(has(&read(&table), HOST));
    }

    run(&["audit", "draw", &name, "--language", "ur", "--out", &path("sheet")]);
    let sheet = fs::read_to_string(path("sheet")).unwrap();
    let sheet = sheet.trim_start_matches('\u{feff}');
    let drawn = cells(sheet);
    assert!(has(&drawn, &one), "{drawn:?}");
    let lines = sheet.lines().skip(1).map(|line| format!("other{line}\tskr\n"));
    let head = "judgement\tpage\turl\ttext\tlanguage\n";
    fs::write(path("judged"), head.to_owned() + &lines.collect::<String>()).unwrap();
    let [changes, verified] = ["changes", "verified"].map(path);
    let judged = path("judged");
    run(&[
        "audit",
        "count",
        &judged,
        "--language",
        "ur",
        "--changes",
        &changes,
        "--verified",
        &verified,
    ]);
    for list in [&changes, &verified] {
        assert!(has(&read(list), &one), "{list}");
    }
    let (kept, left) = (path("kept"), path("left"));
    let rejudge = ["rejudge", &name, "--language", "ur", "--out", &kept, "--rejected", &left];
    run(&[rejudge.as_slice(), &["--judged", &verified]].concat());
    assert!(fs::read_to_string(&left).unwrap().contains("judged as skr by people"));
}

#[test]
fn lists_of_words_are_read_back() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("c.jsonl"), page("urd", "http://a.pk/", "قلم", "")).unwrap();
    let compared = |list: &str| {
        let corpus = path("c.jsonl");
        let arguments = ["words", &corpus, "--language", "ur", "--against", &path(list)];
        corpulyzer(arguments).args(["--out", &path("out")]).assert().success();
        read(path("out"))
    };
    fs::write(path("raw"), "צה\"ל\t3\n=\"a\"\t2\n").unwrap();
    let rows = compared("raw");
    assert!(has(&rows, "צה\"ל") && has(&rows, "'=\"a\""), "{rows:?}");
    let list: String = fs::read_to_string(path("out"))
        .unwrap()
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .filter(|row| row[5] != "0")
        .map(|row| format!("{}\t{}\n", row[0], row[5]))
        .collect();
    assert_eq!(list, "\"צה\"\"ל\"\t3\n\"'=\"\"a\"\"\"\t2\n");
    fs::write(path("written"), list).unwrap();
    assert_eq!(compared("written"), rows, "what was written is read back");
}

#[test]
fn tables_of_an_index_a_package_and_the_languages_hold_what_was_meant() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let index = serde_json::json!({
        "url": format!("http://{HOST}/1"), "status": "200", "languages": "urd",
        "length": "9", "offset": "0", "filename": "crawl-data/CC-MAIN-2026-47/a.warc.gz",
    });
    fs::write(path("index.cdxj"), format!("k 20261124000000 {index}\n")).unwrap();
    corpulyzer(["seeds", "--index", &path("index.cdxj"), "--language", "ur", "--out", &path("s")])
        .args(["--hosts", &path("hosts"), "--table", &path("table")])
        .args(["--overlap", &path("overlap"), "--languages", &path("languages")])
        .assert()
        .success();
    assert!(has(&read(path("hosts")), HOST));
    assert_eq!(read(path("table")).len(), 3, "a release, and all");
    assert_eq!(read(path("overlap")).len(), 1, "there is no other release");
    assert_eq!(read(path("languages")).len(), 2);

    fs::write(path("c.jsonl"), page("urd", &format!("http://{HOST}/1"), URDU, "")).unwrap();
    let package = |out: &str, more: &[&str]| {
        let mut command = corpulyzer(["package", &path("c.jsonl"), "--language", "ur", "--site"]);
        command.args(["--contact", "corpus@example.org", "--out", &path(out)]).args(more);
        command.assert().success();
        read(folder.path().join(out).join("site/sites.tsv"))
    };
    assert!(has(&package("first", &[]), HOST));
    package("second", &["--previous", &path("first")]);
    let site = fs::read_to_string(folder.path().join("second/site/index.html")).unwrap();
    assert!(site.contains("No longer in the release: 0<"), "the host is that of the last release");

    let languages = cells(&stdout(&corpulyzer(["languages"]).assert().success()));
    assert!(languages.len() > 7000 && languages[0].len() == 12);
}
