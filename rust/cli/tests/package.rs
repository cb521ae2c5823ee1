//! `corpulyzer package` as a user meets it.
#![allow(clippy::unwrap_used)]

mod common;

use common::{corpulyzer, stderr};
use flate2::read::GzDecoder;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const CONTACT: &str = "corpus@example.org";

/// Eleven words, one of them a number.
fn text(number: usize) -> String {
    format!("شہر کی پرانی لائبریری میں کل شام {number} لوگ آئے تھے۔")
}

fn page(number: usize) -> String {
    let (host, text) = (number % 3, text(number));
    format!(
        "{{\"url\":\"http://{host}.pk/{number}\",\"fetch_time\":\"2026-11-{:02}T10:00:00.000Z\",\"z\":1.50,\"text\":\"{text}\",\
         \"languages\":{{\"urd\":{}}},\"decision\":\"keep\",\"record_version\":\"2 web-am/1 lm/2\"}}\n",
        number + 1,
        text.len()
    )
}

/// The files of a folder and what is in them.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let file = |entry: fs::DirEntry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap());
    fs::read_dir(folder).unwrap().map(|entry| file(entry.unwrap())).collect()
}

fn unpacked(file: &[u8]) -> String {
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text
}

#[test]
fn a_package_is_checked_by_its_sums_and_has_the_same_bytes_twice() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let rejected = "{\"url\":\"http://0.pk/r\",\"text\":\"x\",\"decision\":\"reject 1 bytes\"}\n{\"url\":\"http://0.pk/g\",\"gone\":true}\n";
    let corpus: String = (0..20).map(page).collect();
    fs::write(path("corpus.jsonl"), corpus.clone() + rejected + &page(7)).unwrap();
    fs::write(path("terms"), "For research.\n").unwrap();
    let package = |out: &str, more: &[&str]| {
        let mut command = corpulyzer(["package", &path("corpus.jsonl"), "--language", "ur", "--contact", CONTACT]);
        let said = stderr(&command.args(["--out", &path(out)]).args(more).assert().success());
        (said, files(&folder.path().join(out)))
    };
    let (said, one) = package("one", &["--terms", &path("terms")]);
    assert_eq!(one.keys().collect::<Vec<_>>(), ["README.md", "SHA256SUMS", "TERMS.txt", "urd-001.jsonl.gz"], "{said}");
    assert!(said.contains("20 pages with 220 words; left out: 2 without text, gone or rejected, 1 with the address of an earlier one: "), "{said}");
    assert_eq!(unpacked(&one["urd-001.jsonl.gz"]), corpus, "byte for byte and in its order");
    let check =
        Command::new("sha256sum").args(["-c", "--strict", "SHA256SUMS"]).current_dir(path("one")).output().unwrap();
    assert_eq!(String::from_utf8(check.stdout).unwrap(), "README.md: OK\nTERMS.txt: OK\nurd-001.jsonl.gz: OK\n");
    let readme = String::from_utf8(one["README.md"].clone()).unwrap();
    for line in [
        "# Web corpus: Urdu (urd)",
        "| pages | 20 |",
        "| sites | 3 |",
        "| words | 220 |",
        "| of these in Urdu | 100.0 % |",
        "| fetched | 2026-11-01T10:00:00.000Z to 2026-11-20T10:00:00.000Z |",
        "| choice | all that there was |",
        "What may be done with this is said in `TERMS.txt`.",
        "The texts belong to their authors. To have a page or a site taken out, write to corpus@example.org and name its addresses (field `url`);",
    ] {
        assert!(readme.lines().any(|known| known == line), "{line}\n{readme}");
    }
    let (_, two) = package("two", &["--terms", &path("terms")]);
    assert!(one == two, "the same input makes the same bytes");

    // So many words at least, whatever the order of the corpus; what was asked to go is gone.
    let (said, some) = package("some", &["--words", "45"]);
    assert!(said.contains("5 pages with 55 words") && said.contains("says nothing of what may be done"), "{said}");
    let readme = String::from_utf8(some["README.md"].clone()).unwrap();
    assert!(
        readme.contains("until there were 45 words of 220 |") && readme.contains("Ask corpus@example.org before"),
        "{readme}"
    );
    fs::write(path("corpus.jsonl"), (0..20).rev().map(page).collect::<String>()).unwrap();
    let sorted = |files: &BTreeMap<String, Vec<u8>>| {
        let mut lines: Vec<_> = unpacked(&files["urd-001.jsonl.gz"]).lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&package("reversed", &["--words", "45"]).1), sorted(&some));
    fs::write(path("gone"), "1.pk\n=http://0.pk/0\n").unwrap();
    let (said, rest) = package("rest", &["--without", &path("gone")]);
    assert!(said.contains("left out 8 by --without") && sorted(&rest).len() == 12, "{said}");
}

#[test]
fn large_packages_have_several_files_and_sentences_are_packed_too() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // A bit more than two megabytes.
    let sentence = |number: usize| format!("{}\thttp://{}.pk/\n", text(number).repeat(400), number % 3);
    let count = 2_000_000 / (text(1).len() * 400) + 2;
    let all: String = (0..count).map(sentence).collect();
    fs::write(path("ur.tsv"), &all).unwrap();
    let package = |out: &str, more: &[&str]| {
        let mut command =
            corpulyzer(["package", &path("ur.tsv"), "--language", "ur", "--contact", CONTACT, "--file-mb", "1"]);
        command.args(["--out", &path(out)]).args(more).assert().success();
        files(&folder.path().join(out))
    };
    let package_of_all = package("all", &[]);
    let parts: Vec<_> = package_of_all.iter().filter(|(name, _)| name.starts_with("urd-")).collect();
    assert_eq!(
        parts.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        ["urd-001.txt.gz", "urd-002.txt.gz", "urd-003.txt.gz"]
    );
    let together: String = parts.iter().map(|(_, file)| unpacked(file)).collect();
    assert_eq!(together, all);
    let readme = String::from_utf8(package_of_all["README.md"].clone()).unwrap();
    assert!(
        readme.contains(&format!("| sentences | {count} |")) && readme.contains("# Sentences from the web: Urdu (urd)"),
        "{readme}"
    );
    let some = package("some", &["--bytes", "100000"]);
    let enough = 100_000 / (text(1).len() * 400) + 1;
    assert_eq!(unpacked(&some["urd-001.txt.gz"]), (0..enough).map(sentence).collect::<String>());
}

#[test]
fn what_a_reader_of_the_package_could_not_read_is_left_out() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let bad = |good: &str, bad: &str| page(2).replace(good, bad);
    let all = [
        page(1),
        bad("\"languages\":{", "\"languages\":{\"eng\":\"x\","),
        bad("\"urd\"", "\"klingon\""),
        bad("\"z\":1.50", "\"raw_bytes\":-1"),
    ];
    fs::write(path("corpus.jsonl"), all.concat()).unwrap();
    let mut command =
        corpulyzer(["package", "--language", "ur", "--contact", CONTACT, &path("corpus.jsonl"), "--out", &path("new")]);
    let said = stderr(&command.assert().success());
    assert!(said.contains("left out 3 records with figures that do not read"), "{said}");
    assert!(said.contains("1 page with "), "{said}");
    assert!(fs::read_to_string(path("new/README.md")).unwrap().contains("| pages | 1 |"));
}

#[test]
fn package_says_what_it_cannot_do_and_leaves_nothing() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("corpus.jsonl"), page(1)).unwrap();
    fs::write(path("ur.txt"), "یہ اردو ہے۔\n").unwrap();
    fs::write(path("empty.jsonl"), "").unwrap();
    fs::write(path("stray.jsonl"), format!("a message\n{}", page(1))).unwrap();
    fs::write(path("w.warc"), "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 0\r\n\r\n\r\n\r\n").unwrap();
    fs::create_dir(path("full")).unwrap();
    fs::write(path("full/notes"), "mine").unwrap();
    for (arguments, sentence) in [
        (vec!["corpus.jsonl", "--out", "full"], "is not empty; name another folder (--out)"),
        (vec!["corpus.jsonl", "--out", "corpus.jsonl"], "Not a directory (os error 20) (--out)"),
        (vec!["corpus.jsonl", "--out", "new", "--words", "12"], "has 11 words, 12 were wanted; nothing was written"),
        (vec!["corpus.jsonl", "--out", "no/new"], "no/new: No such file or directory (os error 2) (--out)"),
        (vec!["stray.jsonl", "--out", "new"], "allowed are JSON lines alone, and sentences alone"),
        (vec!["empty.jsonl", "--out", "new"], "what was read holds no record; nothing was written"),
        (vec!["corpus.jsonl", "ur.txt", "--out", "new"], "pack them one by one"),
        (vec!["w.warc", "--out", "new"], "holds WARC records; allowed are JSON lines with `text`, and sentences"),
        (vec!["-", "--out", "new"], "standard input: is no regular file; allowed are files and folders"),
    ] {
        let mut command = corpulyzer(["package", "--language", "ur", "--contact", CONTACT]);
        let said = stderr(&command.current_dir(folder.path()).args(&arguments).assert().code(1));
        assert!(said.trim_end().ends_with(sentence), "{said}");
    }
    let mut command = corpulyzer(["package", "ur.txt", "--language", "ur", "--contact", " ", "--out", "new"]);
    let said = stderr(&command.current_dir(folder.path()).assert().code(1));
    assert!(said.contains("--contact is empty"), "{said}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 6, "nothing else is left");
}
