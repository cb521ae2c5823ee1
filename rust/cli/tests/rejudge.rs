//! `corpulyzer rejudge` as a user meets it.

use crate::common::{corpulyzer, stderr, stdout, Out as _};
use serde_json::{json, Value};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const URDU: &str = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے۔";
const PERSIAN: &str =
    "دیروز عصر در کتابخانه قدیمی شهر جلسه شعرخوانی برگزار شد و مردم زیادی از راه دور آمدند.";

/// A record whose figures some older engine found.
fn record(url: &str, block: &str, times: usize, decision: &str) -> Value {
    let text = vec![block; times].join("\n");
    let bytes = text.len() - (times - 1);
    json!({"url": url, "z": 1.50, "text": text, "main_bytes": text.len(), "languages": {"urd": bytes}, "language_set": {"urd": 100},
        "decision": decision, "record_version": "1 best/3 lm/1-00000000+cld2/20140204"})
}

fn write(file: &Path, records: &[Value]) {
    fs::write(file, records.iter().map(|record| format!("{record}\n")).collect::<String>())
        .unwrap();
}

fn lines(file: &Path) -> Vec<String> {
    fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect()
}

/// A folder with an old corpus: pages in the language, in that of neighbours, and in both.
struct Old(TempDir);

impl Old {
    fn new() -> Self {
        let old = Self(TempDir::new().unwrap());
        let broken = "no json\n";
        let mut mixed = record("http://mixed.pk/1", PERSIAN, 1, "keep 1 bytes of urd, 256 wanted");
        mixed["text"] = json!([URDU, URDU, URDU, PERSIAN].join("\n"));
        let gone = "{\"url\":\"http://a.pk/gone\",\"gone\":true}";
        write(
            &old.path("corpus.jsonl"),
            &[
                record("http://a.pk/1", URDU, 4, "keep 1 bytes of urd, 256 wanted"),
                record("http://neighbour.ir/1", PERSIAN, 9, "keep 1 bytes of urd, 256 wanted"),
                record("http://neighbour.ir/2", PERSIAN, 9, "keep 1 bytes of urd, 256 wanted"),
                record("http://other.ir/1", PERSIAN, 9, "keep 1 bytes of urd, 256 wanted"),
                mixed,
                record("http://back.pk/1", URDU, 4, "reject 1 bytes of urd, 256 wanted"),
                json!({"url": "http://bare.ir/1", "text": ([PERSIAN; 9].join("\n"))}),
                record("http://short.pk/1", URDU, 1, "keep 1 bytes of urd, 100 wanted"),
            ],
        );
        let mut corpus = fs::read_to_string(old.path("corpus.jsonl")).unwrap();
        corpus += &format!("{broken}{gone}\n");
        fs::write(old.path("corpus.jsonl"), corpus).unwrap();
        old
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// Returns the table and the messages.
    fn rejudge(&self, from: &str, out: &str, rejected: &str) -> (String, String) {
        let mut command = corpulyzer(["rejudge", "--language", "ur"]);
        command.arg(self.path(from)).out(self.path(out));
        let done = command.arg("--rejected").arg(self.path(rejected)).assert().success();
        (stdout(&done), stderr(&done))
    }
}

#[test]
fn pages_leave_for_the_neighbours_whose_language_they_are_in() {
    let old = Old::new();
    let (table, said) = old.rejudge("corpus.jsonl", "kept.jsonl", "rejected.jsonl");
    assert!(said.contains("in all: skipped 1 line that is not a page in JSON"), "{said}");
    assert!(said.contains("9 records, 1 of them unchanged: "), "{said}");
    let (kept, rejected) = (lines(&old.path("kept.jsonl")), lines(&old.path("rejected.jsonl")));
    let urls = |lines: &[String]| -> Vec<String> {
        let url = |line: &String| {
            serde_json::from_str::<Value>(line).unwrap()["url"].as_str().unwrap().to_owned()
        };
        lines.iter().map(url).collect()
    };
    assert_eq!(
        urls(&kept),
        ["http://a.pk/1", "http://mixed.pk/1", "http://back.pk/1", "http://a.pk/gone"]
    );
    let left = [
        "http://neighbour.ir/1",
        "http://neighbour.ir/2",
        "http://other.ir/1",
        "http://bare.ir/1",
        "http://short.pk/1",
    ];
    assert_eq!(urls(&rejected), left);
    // The bytes of each block belong to its language; line ends between blocks belong to none.
    // Other fields do not change.
    let wanted = format!("\"languages\":{{\"urd\":{},\"fas\":{}}}", URDU.len() * 3, PERSIAN.len());
    assert!(kept[1].contains(&wanted) && kept[1].contains("\"z\":1.5"), "{}\n{wanted}", kept[1]);
    assert!(
        kept[1].contains("\"language_set\":{\"urd\":")
            && kept[1].contains("\"record_version\":\"3 best/3 lm/"),
        "{}",
        kept[1]
    );
    let bare: Value = serde_json::from_str(&rejected[3]).unwrap();
    assert_eq!(bare["decision"], "reject 0 bytes of urd, 256 wanted");
    assert!(bare.get("languages").is_none(), "no field is added but what keeps it out: {bare}");
    let row = |begin: &str| -> Vec<String> {
        let line = table
            .lines()
            .find(|line| line.starts_with(begin))
            .unwrap_or_else(|| panic!("{begin}: {table}"));
        line[begin.len()..].split_whitespace().map(str::to_owned).collect()
    };
    let persian = PERSIAN.len() * 9 + 8;
    assert_eq!(row("stay ")[0], "2", "{table}");
    assert_eq!(row("come back ")[0], "1", "{table}");
    assert_eq!(
        row("leave ")[..2],
        ["5".to_owned(), (persian * 4 + URDU.len()).to_string()],
        "{table}"
    );
    let bytes = (persian * 4).to_string();
    assert_eq!(row("fas (Persian)")[..4], ["4", &bytes, "neighbour.ir", "2,"], "{table}");
    assert_eq!(
        row("too little")[..3],
        ["1".to_owned(), URDU.len().to_string(), "short.pk".to_owned()],
        "{table}"
    );
}

#[test]
fn another_run_changes_no_byte_also_in_compressed_files() {
    let old = Old::new();
    old.rejudge("corpus.jsonl", "kept.jsonl", "rejected.jsonl");
    let (_, said) = old.rejudge("kept.jsonl", "again.jsonl.zst", "none.jsonl");
    assert!(said.contains("4 records, 4 of them unchanged"), "{said}");
    old.rejudge("again.jsonl.zst", "third.jsonl.gz", "none.jsonl");
    old.rejudge("third.jsonl.gz", "fourth.jsonl", "none.jsonl");
    assert_eq!(old.bytes("fourth.jsonl"), old.bytes("kept.jsonl"));
    assert!(old.bytes("none.jsonl").is_empty());
    // Also where another program wrote the lines in its own way.
    let spaced = fs::read_to_string(old.path("kept.jsonl")).unwrap().replace("\":", "\" : ");
    fs::write(old.path("spaced.jsonl"), &spaced).unwrap();
    old.rejudge("spaced.jsonl", "fourth.jsonl", "none.jsonl");
    assert!(fs::read_to_string(old.path("fourth.jsonl")).unwrap() == spaced);
    old.rejudge("rejected.jsonl", "none.jsonl", "again.jsonl");
    assert_eq!(old.bytes("again.jsonl"), old.bytes("rejected.jsonl"));
}

#[test]
fn rejudge_says_what_it_cannot_do() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("c.jsonl");
    write(&file, &[record("http://a.pk/1", URDU, 4, "keep")]);
    let (here, other) = (file.to_str().unwrap(), folder.path().join("o.jsonl"));
    let other = other.to_str().unwrap();
    let again = format!(
        "{}/../{}/o.jsonl",
        folder.path().display(),
        folder.path().file_name().unwrap().to_str().unwrap()
    );
    for (out, rejected, code, sentence) in [
        (here, other, 1, "is an input, so it cannot be the output; name another file (--out)"),
        (other, other, 2, "is --out already; name another file (--rejected)"),
        (other, &again, 2, "is --out already; name another file (--rejected)"),
        (other, "-", 2, "-: the table goes to standard output; name a file (--rejected)"),
    ] {
        let mut command =
            corpulyzer(["rejudge", here, "--language", "ur", "--out", out, "--rejected", rejected]);
        let said = stderr(&command.assert().code(code));
        assert!(said.trim_end().ends_with(sentence), "{said}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
}
