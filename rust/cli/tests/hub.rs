//! Releases in the layout of the Hugging Face Hub, and Parquet as an input, beside Python's
//! libraries.

use crate::common::{corpulyzer, python, stderr, stdout};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const FACTS: [&str; 10] = [
    "--layout",
    "hub",
    "--license",
    "odc-by",
    "--url",
    "https://example.org/urdu",
    "--creator",
    "Example: \"the\" Group",
    "--published",
    "2026-11-24",
];

fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference")
}

/// A page of one of twenty hosts. Some pages have a field that others lack.
fn page(number: usize) -> String {
    let text = format!("شہر کی پرانی لائبریری میں کل شام {number} لوگ آئے تھے۔\nدوسری سطر");
    let mut more = String::new();
    if number.is_multiple_of(5) {
        more += ",\"noise\":true";
    }
    if number % 7 == 6 {
        more += ",\"kind\":\"document\"";
    }
    if number.is_multiple_of(3) {
        more += &format!(",\"published\":\"2026-10-{:02}\"", number % 30 + 1);
    }
    format!(
        "{{\"id\":\"pk.{0}:http/{number}\",\"url\":\"http://{0}.pk/{number}\",\"host\":\"{0}.pk\",\
         \"fetch_time\":\"2026-11-01T10:00:00Z\",\"text\":{1},\"raw_bytes\":{2},\"languages\":{{\"urd\":{2}}},\
         \"decision\":\"keep\",\"score\":{3},\"tags\":[1,\"a\"]{more}}}\n",
        number % 20,
        serde_json::to_string(&text).unwrap(),
        text.len(),
        number as f64 / 4.0,
    )
}

fn package(corpus: &str, out: &str, more: &[&str]) -> assert_cmd::Command {
    let mut command =
        corpulyzer(["package", corpus, "--language", "ur", "--contact", "corpus@example.org"]);
    command.args(["--out", out]).args(more);
    command
}

/// The files of a folder and of the folders in it.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in walkdir::WalkDir::new(folder)
        .into_iter()
        .map(Result::unwrap)
        .filter(|one| one.file_type().is_file())
    {
        let name = entry.path().strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
        all.insert(name, fs::read(entry.path()).unwrap());
    }
    all
}

#[test]
fn a_release_has_shards_a_card_metadata_and_sums_and_the_same_bytes_twice() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("corpus.jsonl"), (0..60).map(page).collect::<String>()).unwrap();
    let make = |out: &str| {
        let split = [&FACTS[..], &["--split", "train=.7,test=.3"]].concat();
        package(&path("corpus.jsonl"), &path(out), &split).assert().success();
        files(&folder.path().join(out))
    };
    let (one, two) = (make("one"), make("two"));
    assert!(one == two, "the same input makes the same bytes");
    let names: Vec<&str> = one.keys().map(String::as_str).collect();
    let shards = ["data/test-00000-of-00001.parquet", "data/train-00000-of-00001.parquet"];
    assert_eq!(names, ["README.md", "SHA256SUMS", "croissant.json", shards[0], shards[1]]);
    let check = Command::new("sha256sum")
        .args(["-c", "--strict", "SHA256SUMS"])
        .current_dir(path("one"))
        .output();
    assert!(check.unwrap().status.success());
    let card = String::from_utf8(one["README.md"].clone()).unwrap();
    for line in [
        "---",
        "- ur",
        "license: odc-by",
        "- n<1K",
        "  - split: test",
        "    path: data/test-*.parquet",
        "| pages | 60 |",
    ] {
        assert!(card.lines().any(|known| known == line), "{line}\n{card}");
    }
    assert!(card.contains("The licence of this release is [odc-by](https://opendatacommons.org"));
    assert!(!card.contains("There are no terms of use"), "{card}");
    // Every verb can read the release; its lines have the fields of the records.
    let again = path("again.jsonl");
    corpulyzer(["deduplicate", &path("one"), "--language", "ur", "--out", &again])
        .assert()
        .success();
    let written = fs::read_to_string(&again).unwrap();
    assert!(written.contains("\"kind\":\"document\""), "read with their fields");
    corpulyzer(["report", &path("one"), "--language", "ur", "--out", &path("report")])
        .assert()
        .success();
    let report = fs::read_to_string(path("report/report.json")).unwrap();
    assert!(report.contains("\"pages\": 60"), "{report}");
    package(&path("one"), &path("lines"), &[]).assert().success();
    let collected =
        corpulyzer(["collect", &path("one"), "--language", "ur", "--out", &path("collected")])
            .assert();
    assert!(stdout(&collected.success()).contains("60 records, 60 pages"));
    // A release of a release has the same text.
    let split = [&FACTS[..], &["--split", "train=.7,test=.3"]].concat();
    package(&path("one"), &path("third"), &split).assert().success();
    let (first, third) = (lines(&path("lines")), {
        package(&path("third"), &path("fourth"), &[]).assert().success();
        lines(&path("fourth"))
    });
    assert_eq!(first.len(), 60);
    assert!(first == third, "{}\n{}", first[0], third[0]);
}

fn lines(folder: &str) -> Vec<String> {
    let mut text = String::new();
    let file = fs::File::open(Path::new(folder).join("urd-001.jsonl.gz")).unwrap();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(file), &mut text).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn a_release_has_a_column_for_what_its_pages_have() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let with = |number: usize, more: &str| page(number).replacen('{', &format!("{{{more},"), 1);
    let corpus = [
        with(1, r#""crawled":"2026-11-01T10:00:00+05:00","shared":true,"only":null"#),
        with(2, r#""crawled":"2026-11-01T10:00:00.5Z","shared":2"#),
        // Neither is packed, so that their fields make no column.
        with(1, r#""again":"x""#),
        page(3).replace("\"decision\":\"keep\"", "\"decision\":\"reject small\",\"other\":1"),
    ];
    fs::write(path("corpus.jsonl"), corpus.concat()).unwrap();
    package(&path("corpus.jsonl"), &path("release"), &FACTS).assert().success();
    let card = fs::read_to_string(path("release/README.md")).unwrap();
    let named = |part: &str| part.lines().next().unwrap().trim_matches('"').to_owned();
    let columns: Vec<String> = card.split("  - name: ").skip(1).map(named).collect();
    let expected = [
        "text",
        "id",
        "url",
        "date",
        "language",
        "language_score",
        "language_script",
        "host",
        "raw_bytes",
        "languages",
        "decision",
        "crawled",
        "score",
        "shared",
        "tags",
        "train",
    ];
    assert_eq!(columns, expected);
    for (column, dtype) in [
        ("date", "timestamp[ms, tz=UTC]"),
        ("crawled", "timestamp[ms, tz=UTC]"),
        ("languages", "json"),
        ("shared", "string"),
    ] {
        let line = format!("  - name: \"{column}\"\n    dtype: {dtype}\n");
        assert!(card.contains(&line), "{line}\n{card}");
    }
    package(&path("release"), &path("lines"), &[]).assert().success();
    let lines = lines(&path("lines"));
    assert!(lines[0].contains(r#""crawled":"2026-11-01T05:00:00Z""#), "{}", lines[0]);
    assert!(lines[0].contains(r#""shared":true"#), "{}", lines[0]);
    assert!(lines[1].contains(r#""crawled":"2026-11-01T10:00:00.500Z""#), "{}", lines[1]);
}

#[test]
fn values_that_are_no_times_and_no_counts_stay_as_they_are() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let corpus = [page(1), page(2).replace("2026-11-01T10:00:00Z", "yesterday")];
    fs::write(path("corpus.jsonl"), corpus.concat()).unwrap();
    package(&path("corpus.jsonl"), &path("release"), &FACTS).assert().success();
    package(&path("release"), &path("lines"), &[]).assert().success();
    let lines = lines(&path("lines"));
    assert!(lines[0].contains(r#""fetch_time":"2026-11-01T10:00:00Z""#), "{}", lines[0]);
    assert!(lines[1].contains(r#""fetch_time":"yesterday""#), "{}", lines[1]);
    assert!(lines[0].contains(r#""languages":{"urd":"#), "{}", lines[0]);
}

#[test]
fn a_release_for_the_hub_says_which_facts_it_needs() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("corpus.jsonl"), page(1)).unwrap();
    fs::write(path("ur.txt"), "یہ اردو ہے۔\n").unwrap();
    let with = |changed: &[(&str, &'static str)]| {
        let mut facts = FACTS.to_vec();
        for (option, value) in changed {
            let at = facts.iter().position(|known| known == option).unwrap();
            facts[at + 1] = value;
        }
        facts
    };
    for (corpus, options, code, sentence) in [
        (
            "corpus.jsonl",
            vec!["--layout", "hub", "--license", "odc-by"],
            2,
            "add --url, --creator, --published",
        ),
        ("corpus.jsonl", vec!["--title", "x"], 2, "--title is for --layout hub alone"),
        (
            "corpus.jsonl",
            with(&[("--license", "mine")]),
            2,
            "the address of licence mine is not known; add --license-url",
        ),
        (
            "corpus.jsonl",
            with(&[("--published", "today")]),
            2,
            "today: is not a date; allowed is YYYY-MM-DD (--published)",
        ),
        ("corpus.jsonl", with(&[("--url", "here")]), 2, "here: is not an address"),
        (
            "corpus.jsonl",
            [with(&[]), vec!["--split", "a=.5,b=.1"]].concat(),
            2,
            "sum to 0.6; allowed is 1 (--split)",
        ),
        (
            "corpus.jsonl",
            [with(&[]), vec!["--split", "a=.5,b=.5"]].concat(),
            1,
            "has no page: the corpus has too few hosts",
        ),
        ("ur.txt", with(&[]), 1, "sentences have no columns"),
    ] {
        let said = stderr(&package(&path(corpus), &path("new"), &options).assert().code(code));
        assert!(said.contains(sentence), "{said}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left");
}

#[test]
fn other_peoples_libraries_read_a_release() {
    let Some(python) = python() else {
        println!(
            "skipped: no release was read with Python's libraries from PyPI; bin/corpulyzer test \
            fetches them"
        );
        return;
    };
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("corpus.jsonl"), (0..3000).map(page).collect::<String>()).unwrap();
    let options = [&FACTS[..], &["--split", "train=.8,test=.2", "--dump", "x"]].concat();
    package(&path("corpus.jsonl"), &path("release"), &options).assert().success();
    let checked = Command::new(&python)
        .arg(home().join("hub.py"))
        .args([path("release"), path("corpus.jsonl")])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&checked.stdout).into_owned()
        + &String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success(), "{said}");
    assert!(said.contains("conforms to: CroissantVersion.V_1_1"), "{said}");

    // Tables that others wrote.
    fs::create_dir(path("made")).unwrap();
    let made = Command::new(&python)
        .arg(home().join("hub.py"))
        .args(["make", &path("made")])
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let read = |name: &str| {
        let file = path(&format!("made/{name}.parquet"));
        let done = corpulyzer([
            "collect",
            &file,
            "--language",
            "ur",
            "--out",
            &path(name),
            "--min-bytes",
            "0",
        ])
        .assert();
        (stderr(&done), stdout(&done), done.get_output().status.code())
    };
    for name in [
        "none-1", "none-2", "snappy-1", "snappy-2", "gzip-1", "gzip-2", "zstd-1", "zstd-2", "int96",
    ] {
        let (said, table, _) = read(name);
        assert!(table.starts_with("3 records, 2 pages"), "{name}: {said}{table}");
        assert!(said.contains("skipped 1 record without text"), "{name}: {said}");
    }
    for (name, sentence) in [
        ("brotli-1", "column text is compressed by BROTLI"),
        (
            "delta",
            "column text is encoded as DELTA_BYTE_ARRAY, which is not read; write it as PLAIN",
        ),
        ("no-text", "has no column `text`; its columns are: url, id"),
        ("bomb-gzip", "its pages take more than 268435456 bytes of memory at a time"),
        ("bomb-zstd", "its pages take more than 268435456 bytes of memory at a time"),
        ("rows", "has 50000000 rows in"),
    ] {
        let (said, _, code) = read(name);
        assert!(said.contains(sentence) && code == Some(1), "{name}: {said}");
    }
}
