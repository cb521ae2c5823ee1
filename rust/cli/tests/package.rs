//! `corpulyzer package` as a user meets it.

use crate::common::{corpulyzer, stderr};
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
    let file = |entry: fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
    };
    fs::read_dir(folder).unwrap().map(|entry| file(entry.unwrap())).collect()
}

fn unpacked(file: &[u8]) -> String {
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text
}

/// Packs `corpus.jsonl`; returns the messages and the files.
fn package(folder: &Path, out: &str, more: &[&str]) -> (String, BTreeMap<String, Vec<u8>>) {
    let mut command = corpulyzer(["package", "corpus.jsonl", "--language", "ur", "--out", out]);
    command.args(["--contact", CONTACT]).args(more).current_dir(folder);
    (stderr(&command.assert().success()), files(&folder.join(out)))
}

#[test]
fn a_package_is_checked_by_its_sums_and_has_the_same_bytes_twice() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let rejected = "{\"url\":\"http://0.pk/r\",\"text\":\"x\",\"decision\":\"reject 1 bytes\"}\n{\"url\":\"http://0.pk/g\",\"gone\":true}\n";
    let corpus: String = (0..20).map(page).collect();
    fs::write(path("corpus.jsonl"), corpus.clone() + rejected + &page(7)).unwrap();
    fs::write(path("terms"), "For research.\n").unwrap();
    let (said, one) = package(folder.path(), "one", &["--terms", "terms"]);
    assert_eq!(
        one.keys().collect::<Vec<_>>(),
        ["README.md", "SHA256SUMS", "TERMS.txt", "urd-001.jsonl.gz"],
        "{said}"
    );
    assert!(
        said.contains(
            "20 pages with 220 words; skipped 2 without text, gone or rejected, 1 with the URL of an earlier one: "
        ),
        "{said}"
    );
    assert_eq!(unpacked(&one["urd-001.jsonl.gz"]), corpus, "byte for byte and in its order");
    let check = Command::new("sha256sum")
        .args(["-c", "--strict", "SHA256SUMS"])
        .current_dir(path("one"))
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8(check.stdout).unwrap(),
        "README.md: OK\nTERMS.txt: OK\nurd-001.jsonl.gz: OK\n"
    );
    let readme = String::from_utf8(one["README.md"].clone()).unwrap();
    for line in [
        "# Web corpus: Urdu (urd)",
        "| pages | 20 |",
        "| sites | 3 |",
        "| words | 220 |",
        "| bytes in Urdu, of the text without line breaks | 100.0 % |",
        "| fetched | 2026-11-01T10:00:00.000Z to 2026-11-20T10:00:00.000Z |",
        "| choice | everything in the input |",
        "The terms of use are in `TERMS.txt`.",
        "The texts belong to their authors. To have a page or a site removed, write to corpus@example.org. Name its",
    ] {
        assert!(readme.lines().any(|known| known == line), "{line}\n{readme}");
    }
    let (_, two) = package(folder.path(), "two", &["--terms", "terms"]);
    assert!(one == two, "the same input makes the same bytes");
}

/// Line breaks belong to no language, so they may not lower the share of one.
#[test]
fn a_readme_has_the_shares_of_languages_that_a_report_has() {
    let folder = TempDir::new().unwrap();
    let page = serde_json::json!({
        "url": "http://0.pk/0",
        "text": format!("{}\n\n\n\n\n{}", text(1), text(2)),
        "languages": {"urd": 150, "eng": 45, "und": 5},
        "decision": "keep",
    });
    fs::write(folder.path().join("corpus.jsonl"), format!("{page}\n")).unwrap();
    let (_, files) = package(folder.path(), "out", &[]);
    let readme = String::from_utf8(files["README.md"].clone()).unwrap();
    for line in [
        "| bytes in Urdu, of the text without line breaks | 75.0 % |",
        "| other languages with most bytes | eng 22.5 %, und 2.5 % |",
    ] {
        assert!(readme.lines().any(|known| known == line), "{line}\n{readme}");
    }
    corpulyzer(["report", "corpus.jsonl", "--language", "ur", "--out", "report"])
        .current_dir(folder.path())
        .assert()
        .success();
    let report = fs::read_to_string(folder.path().join("report/report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["corpora"][0]["figures"]["languages"][0]["bytes_percent"], 75.0);
}

#[test]
fn a_package_has_as_many_words_as_asked_for_in_any_order_of_the_corpus() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("corpus.jsonl"), (0..20).map(page).collect::<String>()).unwrap();
    let (said, some) = package(folder.path(), "some", &["--words", "45"]);
    assert!(
        said.contains("5 pages with 55 words") && said.contains("has no terms of use"),
        "{said}"
    );
    let readme = String::from_utf8(some["README.md"].clone()).unwrap();
    assert!(
        readme.contains("up to 45 words of 220 |")
            && readme.contains("Ask corpus@example.org before"),
        "{readme}"
    );
    fs::write(path("corpus.jsonl"), (0..20).rev().map(page).collect::<String>()).unwrap();
    let sorted = |files: &BTreeMap<String, Vec<u8>>| {
        let mut lines: Vec<_> =
            unpacked(&files["urd-001.jsonl.gz"]).lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let (_, reversed) = package(folder.path(), "reversed", &["--words", "45"]);
    assert_eq!(sorted(&reversed), sorted(&some));
    fs::write(path("gone"), "1.pk\n=http://0.pk/0\n").unwrap();
    let (said, rest) = package(folder.path(), "rest", &["--without", "gone"]);
    assert!(said.contains("excluded 8 by --without") && sorted(&rest).len() == 12, "{said}");
}

#[test]
fn large_packages_have_several_files_and_sentences_are_packed_too() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // A bit more than two megabytes.
    let sentence =
        |number: usize| format!("{}\thttp://{}.pk/\n", text(number).repeat(400), number % 3);
    let count = 2_000_000 / (text(1).len() * 400) + 2;
    let all: String = (0..count).map(sentence).collect();
    fs::write(path("ur.tsv"), &all).unwrap();
    let package = |out: &str, more: &[&str]| {
        let mut command = corpulyzer([
            "package",
            &path("ur.tsv"),
            "--language",
            "ur",
            "--contact",
            CONTACT,
            "--file-mb",
            "1",
        ]);
        command.args(["--out", &path(out)]).args(more).assert().success();
        files(&folder.path().join(out))
    };
    let package_of_all = package("all", &[]);
    let parts: Vec<_> =
        package_of_all.iter().filter(|(name, _)| name.starts_with("urd-")).collect();
    assert_eq!(
        parts.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        ["urd-001.txt.gz", "urd-002.txt.gz", "urd-003.txt.gz"]
    );
    let together: String = parts.iter().map(|(_, file)| unpacked(file)).collect();
    assert_eq!(together, all);
    let readme = String::from_utf8(package_of_all["README.md"].clone()).unwrap();
    assert!(
        readme.contains(&format!("| sentences | {count} |"))
            && readme.contains("# Sentences from the web: Urdu (urd)"),
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
    let mut command = corpulyzer([
        "package",
        "--language",
        "ur",
        "--contact",
        CONTACT,
        &path("corpus.jsonl"),
        "--out",
        &path("new"),
    ]);
    let said = stderr(&command.assert().success());
    assert!(said.contains("skipped 3 records with invalid fields"), "{said}");
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
    fs::write(
        path("w.warc"),
        "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 0\r\n\r\n\r\n\r\n",
    )
    .unwrap();
    fs::write(path("page.txt"), "<!doctype html><p>یہ اردو ہے۔").unwrap();
    fs::create_dir(path("full")).unwrap();
    fs::write(path("full/notes"), "mine").unwrap();
    for (arguments, sentence) in [
        (vec!["corpus.jsonl", "--out", "full"], "is not empty; name another folder (--out)"),
        (vec!["corpus.jsonl", "--out", "corpus.jsonl"], "Not a directory (os error 20) (--out)"),
        (
            vec!["corpus.jsonl", "--out", "new", "--words", "12"],
            "has 11 words, but 12 are required; nothing was written",
        ),
        (
            vec!["corpus.jsonl", "--out", "no/new"],
            "no/new: there is no folder no; make it, or name another place (--out)",
        ),
        (vec!["stray.jsonl", "--out", "new"], "allowed are JSON lines only, or sentences only"),
        (vec!["empty.jsonl", "--out", "new"], "the input has no record; nothing was written"),
        (vec!["corpus.jsonl", "ur.txt", "--out", "new"], "pack each kind by itself"),
        (
            vec!["page.txt", "--out", "new"],
            "holds HTML; allowed are JSON lines with `text`, and sentences",
        ),
        (
            vec!["w.warc", "--out", "new"],
            "holds WARC records; allowed are JSON lines with `text`, and sentences",
        ),
        (
            vec!["-", "--out", "new"],
            "standard input: is not a regular file; allowed are files and folders",
        ),
    ] {
        let mut command = corpulyzer(["package", "--language", "ur", "--contact", CONTACT]);
        let said = stderr(&command.current_dir(folder.path()).args(&arguments).assert().code(1));
        assert!(said.trim_end().ends_with(sentence), "{said}");
    }
    for (contact, sentence) in
        [(" ", "--contact is empty"), ("a", "allowed is an e-mail address or a web address")]
    {
        let arguments = ["package", "ur.txt", "--language", "ur", "--contact", contact];
        let mut command = corpulyzer(arguments);
        command.args(["--out", "new"]).current_dir(folder.path());
        let said = stderr(&command.assert().code(2));
        assert!(said.contains(sentence), "{said}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 7, "nothing else is left");
}

#[test]
fn a_package_replaces_an_empty_folder_by_any_path() {
    for out in ["../new", ".", "../new/../new"] {
        let root = TempDir::new().unwrap();
        fs::write(root.path().join("corpus.jsonl"), page(1)).unwrap();
        fs::create_dir(root.path().join("new")).unwrap();
        let mut command = corpulyzer(["package", "../corpus.jsonl", "--language", "ur"]);
        command.args(["--contact", CONTACT, "--out", out]).current_dir(root.path().join("new"));
        command.assert().success();
        assert!(root.path().join("new/urd-001.jsonl.gz").is_file(), "--out {out}");
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 2, "nothing else is left");
    }
}

/// A page of a host with fields at its end.
fn page_of(host: &str, number: usize, words: &str, more: &str) -> String {
    let text = format!("{} {words}", text(number));
    format!(
        "{{\"url\":\"http://{host}/{number}\",\"text\":\"{text}\",\"main_bytes\":{},\"languages\":{{\"urd\":{}}}{more}}}\n",
        text.len(),
        text.len()
    )
}

/// Packs these lines and returns the URLs and records of the package, its README and the messages.
fn packed(
    folder: &TempDir,
    lines: impl AsRef<[u8]>,
    more: &[&str],
) -> (Vec<serde_json::Value>, String, String) {
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("corpus.jsonl"), lines).unwrap();
    let _ = fs::remove_dir_all(path("out"));
    let mut command =
        corpulyzer(["package", &path("corpus.jsonl"), "--language", "ur", "--contact", CONTACT]);
    let said = stderr(
        &command
            .args(["--out", &path("out")])
            .args(more)
            .current_dir(folder.path())
            .assert()
            .success(),
    );
    let files = files(&folder.path().join("out"));
    let records = unpacked(&files["urd-001.jsonl.gz"])
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    (records, String::from_utf8(files["README.md"].clone()).unwrap(), said)
}

fn urls(records: &[serde_json::Value]) -> Vec<&str> {
    records.iter().map(|record| record["url"].as_str().unwrap()).collect()
}

#[test]
fn pages_are_chosen_by_reservation_licence_and_block_list() {
    let folder = TempDir::new().unwrap();
    fs::create_dir_all(folder.path().join("lists/adult")).unwrap();
    fs::write(folder.path().join("lists/adult/domains"), "bad.pk\n").unwrap();
    let lines = [
        page_of("a.pk", 1, "", ",\"license\":\"cc-by\""),
        page_of("a.pk", 2, "", ",\"license\":\"cc-by-nc\""),
        page_of(
            "a.pk",
            3,
            "",
            ",\"license\":\"cc0\",\"reservation\":{\"tdm\":{\"reservation\":1}}",
        ),
        page_of("a.pk", 4, "", ",\"reservation\":{\"tdm\":{\"reservation\":0}}"),
        page_of("x.bad.pk", 5, "", ",\"license\":\"cc-by\""),
    ]
    .concat();
    let (all, readme, _) = packed(&folder, &lines, &[]);
    assert_eq!(all.len(), 5);
    assert!(!readme.contains("left out"), "{readme}");
    let (records, readme, said) = packed(&folder, &lines, &["--reserved", "drop"]);
    assert_eq!(
        urls(&records),
        ["http://a.pk/1", "http://a.pk/2", "http://a.pk/4", "http://x.bad.pk/5"]
    );
    assert!(readme.contains("| pages left out: text reserved | 1 |"), "{readme}");
    assert!(said.contains("left out 1 page with a reservation (--reserved)"), "{said}");
    let (records, readme, _) =
        packed(&folder, &lines, &["--licensed", "cc-by,cc0", "--blocklist", "lists"]);
    assert_eq!(urls(&records), ["http://a.pk/1", "http://a.pk/3"]);
    assert!(readme.contains("| pages left out: none of these licences | 2 |"), "{readme}");
    assert!(readme.contains("| pages left out: block list | 1 (adult) |"), "{readme}");
    assert!(
        readme.contains("| choice | everything in the input, except the pages left out (below) |"),
        "{readme}"
    );
}

#[test]
fn a_record_with_a_byte_that_is_not_utf_8_is_named_and_left_out() {
    let folder = TempDir::new().unwrap();
    let reserved = ",\"reservation\":{\"tdm\":{\"reservation\":1}},\"section\":\"caf?\"";
    let mut lines =
        (page_of("a.pk", 1, "", "") + &page_of("a.pk", 2, "ali@a.pk", reserved)).into_bytes();
    let at = lines.iter().position(|&byte| byte == b'?').unwrap();
    lines[at] = 0xe9;
    for options in [vec!["--reserved", "drop"], vec!["--mask", "email"], vec![]] {
        let (records, _, said) = packed(&folder, &lines, &options);
        assert_eq!(urls(&records), ["http://a.pk/1"], "{options:?}");
        assert!(said.contains("corpus.jsonl, line 2: not a page in JSON: byte "), "{said}");
        assert!(said.contains("skipped 1 line that is not a page in JSON"), "{said}");
    }
}

#[test]
fn a_reservation_that_cannot_be_read_does_not_release_its_page() {
    let folder = TempDir::new().unwrap();
    // JSON by its grammar, but beyond the numbers of every reader.
    let reserved = ",\"reservation\":{\"tdm\":{\"reservation\":1e999}}";
    let lines = page_of("a.pk", 1, "", "") + &page_of("a.pk", 2, "", reserved);
    let (records, _, said) = packed(&folder, &lines, &["--reserved", "drop"]);
    assert_eq!(urls(&records), ["http://a.pk/1"]);
    assert!(said.contains("http://a.pk/2: the field `reservation` cannot be read: "), "{said}");
}

#[test]
fn addresses_are_masked_and_their_places_stated() {
    let folder = TempDir::new().unwrap();
    let lines = page_of("a.pk", 1, "علی@مثال.پاکستان 41.190.88.12", "")
        + &page_of("a.pk", 2, "version 10.22.33.44", "");
    let (records, readme, _) = packed(&folder, &lines, &["--mask", "email,ip"]);
    let text = records[0]["text"].as_str().unwrap();
    assert!(text.ends_with("email@example.com 192.0.2.1"), "{text}");
    assert_eq!(records[0]["main_bytes"], text.len());
    let points: Vec<char> = text.chars().collect();
    let place = |number: usize| {
        let place = &records[0]["pii"][number];
        let at = |name: &str| usize::try_from(place[name].as_u64().unwrap()).unwrap();
        (
            place["type"].as_str().unwrap().to_owned(),
            points[at("start")..at("end")].iter().collect::<String>(),
        )
    };
    assert_eq!(place(0), ("email".to_owned(), "email@example.com".to_owned()));
    assert_eq!(place(1), ("ip".to_owned(), "192.0.2.1".to_owned()));
    assert!(
        records[1]["text"].as_str().unwrap().ends_with("10.22.33.44")
            && records[1].get("pii").is_none()
    );
    assert!(
        readme.contains(
            "| personal data replaced (places in `pii`) | 2: email as `email@example.com`, ip as `192.0.2.1` |"
        ),
        "{readme}"
    );
}

#[test]
fn addresses_are_masked_in_every_field_but_the_addresses_of_the_page() {
    let folder = TempDir::new().unwrap();
    let more = ",\"title\":\"Mail ali@a.pk\",\"author\":[\"ali\\u0040a.pk\"],\"meta\":{\"by\":\"x ali@a.pk\",\"n\":1},\
                \"license_url\":\"http://a.pk/ali@a.pk\"";
    let twice = format!("{more},\"author\":\"ali@a.pk\"");
    let lines = page_of("a.pk", 1, "", more) + &page_of("a.pk", 2, "", &twice);
    let (records, readme, _) = packed(&folder, &lines, &["--mask", "email"]);
    assert_eq!(records[1]["author"], "email@example.com", "the last of two fields");
    let page = &records[0];
    assert_eq!(page["title"], "Mail email@example.com");
    assert_eq!(page["author"][0], "email@example.com");
    assert_eq!(page["meta"], serde_json::json!({"by": "x email@example.com", "n": 1}));
    assert_eq!(page["license_url"], "http://a.pk/ali@a.pk");
    assert!(page.get("pii").is_none(), "the text has no address: {page}");
    assert!(readme.contains("(places in `pii`) | 7: email"), "{readme}");
}

#[test]
fn figures_and_places_of_the_old_text_go_when_the_text_is_masked() {
    let folder = TempDir::new().unwrap();
    let more = ",\"spans\":[],\"language_set\":{\"urd\":100},\"quality\":{},\"identification_consistency\":1,\
                \"decision\":\"keep\",\"section\":\"x\"";
    let lines = page_of("a.pk", 1, "ali@a.pk", more) + &page_of("a.pk", 2, "", more);
    let (records, _, _) = packed(&folder, &lines, &["--mask", "email"]);
    for name in ["spans", "language_set", "quality", "identification_consistency", "decision"] {
        assert!(records[0].get(name).is_none() && records[1].get(name).is_some(), "{name}");
    }
    assert_eq!(records[0]["section"], "x");
}

#[test]
fn classes_are_counted_and_capped() {
    let folder = TempDir::new().unwrap();
    for (class, domain) in [("religious", "quran.pk"), ("news", "news.pk")] {
        fs::create_dir_all(folder.path().join("classes").join(class)).unwrap();
        fs::write(folder.path().join("classes").join(class).join("domains"), domain).unwrap();
    }
    let sites = [("www.quran.pk", 60), ("news.pk", 20), ("a.pk", 10), ("b.pk", 10)];
    let lines: String = sites
        .iter()
        .flat_map(|&(host, count)| {
            (10..10 + count).map(move |number| page_of(host, number, "", ""))
        })
        .collect();
    let share = |records: &[serde_json::Value], host: &str| {
        let bytes = |record: &&serde_json::Value| record["text"].as_str().unwrap().len();
        let of_host =
            records.iter().filter(|record| record["url"].as_str().unwrap().contains(host));
        of_host.map(|record| bytes(&record)).sum::<usize>() as f64
            / records.iter().map(|record| bytes(&record)).sum::<usize>() as f64
    };
    let (records, readme, _) = packed(&folder, &lines, &["--classes", "classes"]);
    assert_eq!(records.len(), 100);
    assert!(readme.contains("| class religious | 60.0 % of the text, 60 pages |"), "{readme}");
    let (records, readme, said) =
        packed(&folder, &lines, &["--classes", "classes", "--cap", "religious=.2"]);
    let religious = share(&records, "quran.pk");
    assert!(
        religious <= 0.2 && religious > 0.17 && records.len() >= 49,
        "{religious} {}",
        records.len()
    );
    assert!(
        readme.contains("| class news | ") && said.contains("beyond the largest share"),
        "{readme} {said}"
    );
    let (records, ..) = packed(&folder, &lines, &["--cap-site", ".3"]);
    assert!(["quran.pk", "news.pk", "a.pk", "b.pk"]
        .iter()
        .all(|host| share(&records, host) <= 0.31));
    let (again, ..) = packed(&folder, &lines, &["--cap-site", ".3"]);
    assert_eq!(again, records);
}

#[test]
fn options_on_sources_name_what_is_wrong() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::create_dir_all(path("classes/news")).unwrap();
    fs::write(path("classes/news/domains"), "news.pk\n").unwrap();
    fs::create_dir(path("empty")).unwrap();
    fs::write(path("corpus.jsonl"), page(1)).unwrap();
    fs::write(path("ur.txt"), "یہ اردو ہے۔\n").unwrap();
    for (input, more, code, sentence) in [
        (
            "corpus.jsonl",
            vec!["--classes", "classes", "--cap", "sport=.2"],
            1,
            "there is no class sport; --classes has news (--cap)",
        ),
        (
            "corpus.jsonl",
            vec!["--classes", "classes", "--cap", "news=2"],
            2,
            "such as religious=.2",
        ),
        (
            "corpus.jsonl",
            vec!["--blocklist", "empty"],
            1,
            "or a folder of such folders (--blocklist)",
        ),
        (
            "corpus.jsonl",
            vec!["--licensed", "foo"],
            1,
            "the options leave no text; they leave out 1 page without one of the licences \
             (--licensed); nothing was written",
        ),
        (
            "corpus.jsonl",
            vec!["--cap-site", ".001"],
            1,
            "they leave out 1 page beyond the largest share of their host or class (--cap, \
             --cap-site); nothing was written",
        ),
        ("ur.txt", vec!["--mask", "email"], 1, "--mask is for pages; pack the corpus instead"),
        ("corpus.jsonl", vec!["--mask", "phone"], 2, "allowed are email and ip"),
    ] {
        let mut command = corpulyzer([
            "package",
            input,
            "--language",
            "ur",
            "--contact",
            CONTACT,
            "--out",
            "new",
        ]);
        let said = stderr(&command.current_dir(folder.path()).args(&more).assert().code(code));
        assert!(said.contains(sentence), "{said}");
    }
    assert!(!folder.path().join("new").exists());
}

#[test]
fn the_site_shows_texts_lists_websites_and_what_is_new_and_runs_its_search_only() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let page = |host: &str, number: usize| {
        let text = text(number);
        let bytes = text.len();
        format!("{{\"url\":\"http://{host}/{number}\",\"text\":\"{text}\",\"languages\":{{\"urd\":{bytes}}}}}\n")
    };
    let old: String = [page("a.pk", 1), page("a.pk", 2), page("old.pk", 3)].concat();
    fs::write(path("old.jsonl"), old).unwrap();
    let hosts: String = (0..600).map(|n| page(&format!("h{n}.pk"), n)).collect();
    let odd = page("xn--mgbqly7c0a67fbc.example", 4) + &page("a_b\\\"><script>.pk", 5);
    fs::write(path("new.jsonl"), page("a.pk", 1) + &page("a.pk", 2) + &hosts + &odd).unwrap();
    let package = |from: &str, out: &str, more: &[&str]| {
        let mut command = corpulyzer(["package", &path(from), "--language", "ur", "--site"]);
        command.args(["--contact", CONTACT, "--out", &path(out)]).args(more).assert()
    };
    package("old.jsonl", "one", &[]).success();
    package("new.jsonl", "two", &["--previous", &path("one")]).success();
    let site = folder.path().join("two/site");
    let index = fs::read_to_string(site.join("index.html")).unwrap();
    let second = fs::read_to_string(site.join("sites-2.html")).unwrap();
    for html in [&index, &second] {
        assert!(html.contains("default-src 'none'"));
    }
    assert_eq!(index.matches("<script").count(), 2, "the names and the search");
    assert!(!second.contains("<script") && !second.contains("script-src"));
    assert!(index.contains("\"hosts\":[\"a.pk\","), "the largest first");
    assert_eq!(index.matches("<div class=\"text\" lang=\"ur\"").count(), 5, "pages drawn by lot");
    assert!(index.contains("<bdi lang=\"ur\">اردو</bdi>"), "its own name");
    assert!(index.contains("The last release had 3 pages on 2 websites; this one has "));
    assert!(index.contains("No longer in the release: 1</h3>\n<details><summary>List</summary><ul><li><a href=\"http://old.pk/\""));
    assert!(index.contains("href=\"mailto:corpus@example.org\""));
    assert!(second.contains("xn--mgbqly7c0a67fbc.example</bdi></a> <bdi class=\"letters\">"));
    assert_eq!(index.matches("<tr id=\"s").count(), 500);
    let first = index.split("<tbody>").nth(1).unwrap().lines().nth(1).unwrap();
    assert!(first.contains(">a.pk<") && !first.contains("class=\"new\""), "{first}");
    assert!(second.contains("<tr id=\"s501\"><td class=\"n\">501</td>"));
    let sums = fs::read_to_string(folder.path().join("two/SHA256SUMS")).unwrap();
    for name in ["index.html", "sites-2.html", "sites.tsv"] {
        assert!(sums.contains(&format!("  site/{name}\n")), "{sums}");
    }
    let said = stderr(&package("new.jsonl", "three", &["--previous", &path("none")]).failure());
    assert!(said.contains("site/sites.tsv") && said.contains("--previous"), "{said}");
    assert!(!folder.path().join("three").exists());
    fs::write(path("sentences.txt"), text(1)).unwrap();
    let said = stderr(&package("sentences.txt", "four", &[]).failure());
    assert!(said.contains("sentences have no websites"), "{said}");
}

#[test]
fn a_page_with_a_url_made_to_collide_with_another_replaces_nothing() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [victim, forged] = crate::common::colliding_urls();
    let with = |url: &str| page(0).replace("http://0.pk/0", url);
    let corpus = with(&forged) + &with(&victim) + &with(&victim);
    fs::write(path("corpus.jsonl"), &corpus).unwrap();
    let [whole, capped] = [&[][..], &["--words", "22"]].map(|more| {
        let out = path("out");
        let _ = fs::remove_dir_all(&out);
        let mut command = corpulyzer(["package", &path("corpus.jsonl"), "--language", "ur"]);
        command.args(["--contact", CONTACT, "--out", &out]).args(more).assert().success();
        let files = files(Path::new(&out));
        unpacked(files.iter().find(|(name, _)| name.ends_with(".jsonl.gz")).unwrap().1)
    });
    assert_eq!(whole, with(&forged) + &with(&victim));
    assert_eq!(capped, whole);
}
