//! `corpulyzer deduplicate` as a user meets it.
#![allow(clippy::unwrap_used)]

mod common;

use common::{corpulyzer, stderr};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const LIBRARY: &str = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے۔";
const SCHOOL: &str = "گاؤں کے نئے اسکول میں اب تین سو بچے پڑھتے ہیں اور اگلے سال ایک اور عمارت بنے گی۔";
const SHARE: &str = "اس خبر کو فیس بک اور ٹوئٹر پر اپنے دوستوں سے شیئر کریں";

fn line(url: &str, blocks: &[&str]) -> String {
    let text = blocks.join("\\n");
    format!("{{\"url\":\"{url}\",\"z\":1.50,\"text\":\"{text}\",\"main_bytes\":1,\"languages\":{{\"eng\":1}},\"a\":[null]}}\n")
}

fn lines(file: &Path) -> Vec<String> {
    fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn deduplicate_keeps_the_first_of_each_block_and_every_other_field() {
    let folder = TempDir::new().unwrap();
    let (file, out, dropped) =
        (folder.path().join("c.jsonl"), folder.path().join("o.jsonl"), folder.path().join("d.jsonl"));
    let first = line("http://a.pk/1", &[LIBRARY, SHARE]);
    let second = line("http://a.pk/2", &["سرخی", SCHOOL, "نامہ نگار", SHARE, "مزید"]);
    let again = line("http://b.pk/1", &[SHARE, LIBRARY]);
    let rejected = "{\"decision\":\"reject: short\",\"text\":\"x\",\"url\":\"http://a.pk/3\"}\n";
    let without = "{\"url\":\"http://a.pk/4\",\"text\":null}\n";
    fs::write(&file, [&first, &second, "no json\n", &again, rejected, without].concat()).unwrap();
    let mut command = corpulyzer(["deduplicate", "--language", "ur"]);
    let said = stderr(&command.arg(&file).arg("--out").arg(&out).arg("--dropped").arg(&dropped).assert().success());
    assert!(said.contains("c.jsonl, line 3: no page in JSON: "), "{said}");
    assert!(said.contains("in all: skipped 1 line that is no page in JSON"), "{said}");
    assert!(said.contains("5 pages, of which 1 went as a whole and 1 in part"), "{said}");
    let kept = lines(&out);
    // What loses nothing stays as it is, byte for byte.
    assert_eq!([&kept[0], &kept[2], &kept[3]], [first.trim_end(), rejected.trim_end(), without.trim_end()]);
    assert_eq!(kept.len(), 4);
    let text = format!("سرخی\\n{SCHOOL}\\nنامہ نگار");
    let bytes = text.len() - 2;
    let begin = format!(
        "{{\"url\":\"http://a.pk/2\",\"z\":1.50,\"text\":\"{text}\",\"main_bytes\":{bytes},\"languages\":{{\"urd\":"
    );
    assert!(kept[1].starts_with(&begin) && kept[1].ends_with("},\"a\":[null]}"), "{}\n{begin}", kept[1]);
    let went: Vec<Value> = lines(&dropped).iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let went: Vec<_> =
        went.iter().map(|line| (line["url"].as_str().unwrap(), line["text"].as_str().unwrap())).collect();
    // Of the first the page that has the most of it has not all.
    let same: Vec<_> =
        lines(&dropped).iter().map(|line| serde_json::from_str::<Value>(line).unwrap()["same_as"].clone()).collect();
    assert_eq!(same, [Value::Null, "http://a.pk/1".into(), "http://a.pk/1".into()]);
    let more = format!("{SHARE}\nمزید");
    assert_eq!(went, [("http://a.pk/2", more.as_str()), ("http://b.pk/1", SHARE), ("http://b.pk/1", LIBRARY)]);
}

#[test]
fn deduplicate_by_letters_takes_the_list_of_another_day_for_the_same() {
    let folder = TempDir::new().unwrap();
    let (file, out, dropped) =
        (folder.path().join("c.jsonl"), folder.path().join("o.jsonl"), folder.path().join("d.jsonl"));
    let list = |day: usize| {
        line(
            &format!("http://a.pk/{day}"),
            &[&format!("آج {day} نومبر کو چائے {day}0 روپے، چاول 1{day}0 روپے اور آٹا {day}5 روپے کلو رہا۔")],
        )
    };
    fs::write(&file, list(3) + &list(4)).unwrap();
    for (more, stay) in [(&[][..], 2), (&["--letters"], 1)] {
        let mut command = corpulyzer(["deduplicate"]);
        command.args(more).arg(&file).arg("--out").arg(&out).arg("--dropped").arg(&dropped).assert().success();
        assert_eq!((lines(&out).len(), lines(&dropped).len()), (stay, 2 - stay));
        assert_eq!(lines(&out)[0], list(3).trim_end());
    }
    assert!(lines(&dropped)[0]
        .starts_with("{\"url\":\"http://a.pk/4\",\"same_as\":\"http://a.pk/3\",\"known_percent\":100,"));
}

#[test]
fn deduplicate_counts_what_is_no_record_however_much_of_it_there_is() {
    let folder = TempDir::new().unwrap();
    let (file, out) = (folder.path().join("c.jsonl"), folder.path().join("o.jsonl"));
    let page = line("http://a.pk/1", &[LIBRARY]);
    fs::write(&file, [page.as_str(), &"no json\n".repeat(9000), &page].concat()).unwrap();
    let said = stderr(&corpulyzer(["deduplicate"]).arg(&file).arg("--out").arg(&out).assert().success());
    assert!(said.contains("in all: skipped 9000 lines that are no page in JSON"), "{said}");
    assert_eq!(fs::read_to_string(&out).unwrap(), page, "the first and the last are in batches of their own");
}

#[test]
fn deduplicate_reads_and_writes_what_is_compressed() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("c.jsonl");
    fs::write(&file, line("http://a.pk/1", &[LIBRARY])).unwrap();
    let mut from = file;
    for name in ["1.jsonl.gz", "2.jsonl.zst", "3.jsonl"] {
        let out = folder.path().join(name);
        corpulyzer(["deduplicate"]).arg(&from).arg("--out").arg(&out).assert().success();
        from = out;
    }
    assert_eq!(fs::read_to_string(&from).unwrap(), line("http://a.pk/1", &[LIBRARY]));
    // Standard input and output; a folder has its corpora in the order of their names, and of four copies one stays.
    let out = corpulyzer(["deduplicate", "-", "--memory", "16", "--out", "-"])
        .write_stdin(fs::read(&from).unwrap())
        .assert()
        .success();
    assert_eq!(out.get_output().stdout, fs::read(&from).unwrap());
    let out = corpulyzer(["deduplicate", "--out", "-"]).arg(folder.path()).assert().success();
    assert_eq!(out.get_output().stdout, fs::read(&from).unwrap());
}

#[test]
fn deduplicate_says_what_it_cannot_do_and_leaves_what_is_there() {
    let folder = TempDir::new().unwrap();
    let (file, warc) = (folder.path().join("c.jsonl"), folder.path().join("w.warc"));
    fs::write(&file, line("http://a.pk/1", &[LIBRARY])).unwrap();
    fs::write(&warc, "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 0\r\n\r\n\r\n\r\n").unwrap();
    let path = |path: &Path| path.display().to_string();
    let (here, missing) = (path(&file), path(&folder.path().join("x/o.jsonl")));
    let out = path(&folder.path().join("o.jsonl"));
    for (arguments, sentence) in [
        (vec![here.as_str(), "--out", &here], "is read, so it cannot be written; name another file (--out)"),
        (
            vec![&here, "--out", &out, "--dropped", &here],
            "is read, so it cannot be written; name another file (--dropped)",
        ),
        (vec![&here, "--out", &out, "--without", &out], "is read, so it cannot be written; name another file (--out)"),
        (vec![&here, "--out", &missing], "No such file or directory (os error 2) (--out)"),
        (vec![&here, "--out", &path(folder.path())], "is no regular file (--out)"),
        (vec![&path(&warc), "--out", &out], "w.warc: holds WARC records; allowed are JSON lines with `text`"),
    ] {
        let said = stderr(&corpulyzer(["deduplicate"]).args(&arguments).assert().failure());
        assert!(said.trim_end().ends_with(sentence), "{said}");
    }
    assert!(fs::read_to_string(&file).unwrap() == line("http://a.pk/1", &[LIBRARY]));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left");
    corpulyzer(["deduplicate", "--words", "0", "--out", "o"]).arg(&file).assert().failure().code(2);
}
