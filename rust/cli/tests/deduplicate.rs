//! `corpulyzer deduplicate` as a user meets it.

use crate::common::{corpulyzer, stderr, Out as _};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const LIBRARY: &str = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے۔";
const SCHOOL: &str =
    "گاؤں کے نئے اسکول میں اب تین سو بچے پڑھتے ہیں اور اگلے سال ایک اور عمارت بنے گی۔";
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
    let (file, out, dropped) = (
        folder.path().join("c.jsonl"),
        folder.path().join("o.jsonl"),
        folder.path().join("d.jsonl"),
    );
    let first = line("http://a.pk/1", &[LIBRARY, SHARE]);
    let second = line("http://a.pk/2", &["سرخی", SCHOOL, "نامہ نگار", SHARE, "مزید"]);
    let again = line("http://b.pk/1", &[SHARE, LIBRARY]);
    let rejected = "{\"decision\":\"reject: short\",\"text\":\"x\",\"url\":\"http://a.pk/3\"}\n";
    let without = "{\"url\":\"http://a.pk/4\",\"text\":null}\n";
    fs::write(&file, [&first, &second, "no json\n", &again, rejected, without].concat()).unwrap();
    let mut command = corpulyzer(["deduplicate", "--language", "ur"]);
    let said =
        stderr(&command.arg(&file).out(&out).arg("--dropped").arg(&dropped).assert().success());
    assert!(said.contains("c.jsonl, line 3: not a page in JSON: "), "{said}");
    assert!(said.contains("in all: skipped 1 line that is not a page in JSON"), "{said}");
    assert!(said.contains("5 pages: 1 removed as a whole, 1 in part"), "{said}");
    let kept = lines(&out);
    // A record that loses no text stays the same, byte for byte.
    assert_eq!(
        [&kept[0], &kept[2], &kept[3]],
        [first.trim_end(), rejected.trim_end(), without.trim_end()]
    );
    assert_eq!(kept.len(), 4);
    let text = format!("سرخی\\n{SCHOOL}\\nنامہ نگار");
    let bytes = text.len() - 2;
    let begin = format!(
        "{{\"url\":\"http://a.pk/2\",\"z\":1.50,\"text\":\"{text}\",\"main_bytes\":{bytes},\"languages\":{{\"urd\":"
    );
    assert!(
        kept[1].starts_with(&begin) && kept[1].ends_with("},\"a\":[null]}"),
        "{}\n{begin}",
        kept[1]
    );
    let went: Vec<Value> =
        lines(&dropped).iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let went: Vec<_> = went
        .iter()
        .map(|line| (line["url"].as_str().unwrap(), line["text"].as_str().unwrap()))
        .collect();
    // Of the first the page that has the most of it has not all.
    let same: Vec<_> = lines(&dropped)
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["same_as"].clone())
        .collect();
    assert_eq!(same, [Value::Null, "http://a.pk/1".into(), "http://a.pk/1".into()]);
    let more = format!("{SHARE}\nمزید");
    assert_eq!(
        went,
        [("http://a.pk/2", more.as_str()), ("http://b.pk/1", SHARE), ("http://b.pk/1", LIBRARY)]
    );
}

#[test]
fn figures_and_places_of_the_old_text_go_when_a_record_loses_text() {
    let folder = TempDir::new().unwrap();
    let more = "\"spans\":[{\"start\":0}],\"language_set\":{\"urd\":100},\"quality\":{},\
                \"identification_consistency\":1.0,\"pii\":[],\"decision\":\"keep\",\"author\":\"A\"";
    let record = |url: &str, text: &str| {
        format!("{{\"url\":\"{url}\",\"text\":\"{text}\",\"main_bytes\":1,{more}}}\n")
    };
    let first = record("http://a.pk/1", LIBRARY);
    let second = record("http://a.pk/2", &format!("{LIBRARY}\\n{SCHOOL}"));
    let (file, out) = (folder.path().join("c.jsonl"), folder.path().join("o.jsonl"));
    fs::write(&file, first.clone() + &second).unwrap();
    let mut command = corpulyzer(["deduplicate", "--language", "ur"]);
    command.arg(&file).out(&out).assert().success();
    let bytes = SCHOOL.len();
    let rest = format!(
        "{{\"url\":\"http://a.pk/2\",\"text\":\"{SCHOOL}\",\"main_bytes\":{bytes},\"author\":\"A\"}}"
    );
    assert_eq!(lines(&out), [first.trim_end(), &rest]);
}

#[test]
fn deduplicate_by_letters_takes_the_list_of_another_day_for_the_same() {
    let folder = TempDir::new().unwrap();
    let (file, out, dropped) = (
        folder.path().join("c.jsonl"),
        folder.path().join("o.jsonl"),
        folder.path().join("d.jsonl"),
    );
    let list = |day: usize| {
        line(
            &format!("http://a.pk/{day}"),
            &[&format!("آج {day} نومبر کو چائے {day}0 روپے، چاول 1{day}0 روپے اور آٹا {day}5 روپے کلو رہا۔")],
        )
    };
    fs::write(&file, list(3) + &list(4)).unwrap();
    for (more, stay) in [(&[][..], 2), (&["--letters"], 1)] {
        let mut command = corpulyzer(["deduplicate", "--language", "urd"]);
        command.args(more).arg(&file).out(&out).arg("--dropped").arg(&dropped).assert().success();
        assert_eq!((lines(&out).len(), lines(&dropped).len()), (stay, 2 - stay));
        assert_eq!(lines(&out)[0], list(3).trim_end());
    }
    assert!(lines(&dropped)[0].starts_with(
        "{\"url\":\"http://a.pk/4\",\"same_as\":\"http://a.pk/3\",\"known_percent\":100,"
    ));
}

#[test]
fn spellings_that_look_alike_are_duplicates() {
    let folder = TempDir::new().unwrap();
    let (file, out) = (folder.path().join("c.jsonl"), folder.path().join("o.jsonl"));
    let arabic = SCHOOL.replace('ی', "ي").replace('ک', "ك").replace("اسکول", "اسـ\u{ad}ـكول");
    let arabic = arabic.replace("اسكول", "اسـ\u{ad}ـكول");
    let marked = SCHOOL.replace('ن', "ن\u{64e}").replace("سو", "س\u{200c}و");
    let all = [line("1", &[SCHOOL]), line("2", &[&arabic]), line("3", &[&marked])];
    fs::write(&file, all.concat()).unwrap();
    for more in [&[][..], &["--lines", "--head", "0", "--tail", "0"]] {
        let mut command = corpulyzer(["deduplicate", "--language", "ur"]);
        command.arg(&file).out(&out).args(more).assert().success();
        assert_eq!(lines(&out), [all[0].trim_end()], "{more:?}");
        fs::remove_file(&out).unwrap();
    }
}

#[test]
fn deduplicate_counts_what_is_no_record_however_much_of_it_there_is() {
    let folder = TempDir::new().unwrap();
    let (file, out) = (folder.path().join("c.jsonl"), folder.path().join("o.jsonl"));
    let page = line("http://a.pk/1", &[LIBRARY]);
    fs::write(&file, [page.as_str(), &"no json\n".repeat(9000), &page].concat()).unwrap();
    let said = stderr(
        &corpulyzer(["deduplicate", "--language", "urd"]).arg(&file).out(&out).assert().success(),
    );
    assert!(said.contains("in all: skipped 9000 lines that are not pages in JSON"), "{said}");
    assert_eq!(
        fs::read_to_string(&out).unwrap(),
        page,
        "the first and the last are in batches of their own"
    );
}

#[test]
fn a_line_with_a_byte_that_is_not_utf_8_stops_no_run() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let latin = b"{\"url\":\"http://b.pk/\",\"text\":\"b\",\"section\":\"caf\xe9\"}\n";
    let lines = [line("http://a.pk/", &["a"]).as_bytes(), latin].concat();
    fs::write(path("in.jsonl"), lines).unwrap();
    for options in [&[][..], &["--clusters"], &["--lines"]] {
        let mut command = corpulyzer(["deduplicate", "--language", "ur", "--out", &path("out")]);
        let said = stderr(&command.arg(path("in.jsonl")).args(options).assert().success());
        assert!(said.contains("in.jsonl, line 2: not a page in JSON: byte "), "{said}");
        assert!(said.contains("skipped 1 line that is not a page in JSON"), "{said}");
    }
}

#[test]
fn deduplicate_reads_and_writes_what_is_compressed() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("c.jsonl");
    fs::write(&file, line("http://a.pk/1", &[LIBRARY])).unwrap();
    let mut from = file;
    for name in ["1.jsonl.gz", "2.jsonl.zst", "3.jsonl"] {
        let out = folder.path().join(name);
        corpulyzer(["deduplicate", "--language", "urd"]).arg(&from).out(&out).assert().success();
        from = out;
    }
    assert_eq!(fs::read_to_string(&from).unwrap(), line("http://a.pk/1", &[LIBRARY]));
    // Standard input and output; a folder has its corpora in the order of their names, and of four
    // copies one stays.
    let out = corpulyzer(["deduplicate", "--language", "urd", "-", "--memory", "16", "--out", "-"])
        .write_stdin(fs::read(&from).unwrap())
        .assert()
        .success();
    assert_eq!(out.get_output().stdout, fs::read(&from).unwrap());
    let out = corpulyzer(["deduplicate", "--language", "urd", "--out", "-"])
        .arg(folder.path())
        .assert()
        .success();
    assert_eq!(out.get_output().stdout, fs::read(&from).unwrap());
}

#[test]
fn deduplicate_says_what_it_cannot_do_and_leaves_what_is_there() {
    let folder = TempDir::new().unwrap();
    let (file, warc) = (folder.path().join("c.jsonl"), folder.path().join("w.warc"));
    fs::write(&file, line("http://a.pk/1", &[LIBRARY])).unwrap();
    fs::write(&warc, "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 0\r\n\r\n\r\n\r\n")
        .unwrap();
    let path = |path: &Path| path.display().to_string();
    let (here, missing) = (path(&file), path(&folder.path().join("x/o.jsonl")));
    let out = path(&folder.path().join("o.jsonl"));
    for (arguments, sentence) in [
        (
            vec![here.as_str(), "--out", &here],
            "is an input, so it cannot be the output; name another file (--out)",
        ),
        (
            vec![&here, "--out", &out, "--dropped", &here],
            "is an input, so it cannot be the output; name another file (--dropped)",
        ),
        (
            vec![&here, "--out", &out, "--without", &out],
            "is an input, so it cannot be the output; name another file (--out)",
        ),
        (vec![&here, "--out", &missing], "; make it, or name another place (--out)"),
        (
            vec![&here, "--out", &path(folder.path())],
            "is not a regular file; name another file (--out)",
        ),
        (
            vec![&path(&warc), "--out", &out],
            "w.warc: holds WARC records; allowed are JSON lines with `text`",
        ),
    ] {
        let said = stderr(
            &corpulyzer(["deduplicate", "--language", "urd"]).args(&arguments).assert().failure(),
        );
        assert!(said.trim_end().ends_with(sentence), "{said}");
    }
    assert!(fs::read_to_string(&file).unwrap() == line("http://a.pk/1", &[LIBRARY]));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left");
    corpulyzer(["deduplicate", "--language", "urd", "--words", "0", "--out", "o"])
        .arg(&file)
        .assert()
        .failure()
        .code(2);
}

/// A page of 300 words that only pages with the same letter have, with some of them changed.
fn page(letter: char, changed: usize) -> String {
    let word = |n: usize| {
        if n % 40 == 3 && n / 40 < changed {
            format!("x{n}")
        } else {
            format!("{letter}{n}")
        }
    };
    (0..300).map(word).collect::<Vec<_>>().join(" ")
}

fn record(url: &str, text: &str, more: &str) -> String {
    format!("{{\"url\":\"{url}\",\"text\":\"{text}\"{more}}}\n")
}

/// Runs `deduplicate --clusters` in a folder, and returns what it printed.
fn clusters(folder: &TempDir, arguments: &[&str]) -> String {
    let mut command = corpulyzer(["deduplicate", "--clusters", "--language", "ur"]);
    stderr(&command.args(arguments).current_dir(folder.path()).assert().success())
}

/// Two crawls: page a four times, page b twice, page c once, and records that are not compared.
fn crawls() -> TempDir {
    let folder = TempDir::new().unwrap();
    let languages = |bytes: usize| format!(",\"languages\":{{\"urd\":{bytes},\"eng\":9}}");
    let old = [
        record("http://a.pk/1", &page('a', 0), &languages(100)),
        record("http://a.pk/2", &page('b', 0), &languages(300)),
        "{\"decision\":\"reject: short\",\"text\":\"x\",\"url\":\"http://a.pk/3\"}\n".to_owned(),
        record(
            "http://a.pk/4",
            &page('a', 1),
            &format!("{},\"noise\":[\"dup_line_frac\"]", languages(900)),
        ),
    ];
    let new = [
        record("http://b.pk/1", &page('c', 0), ""),
        record("http://b.pk/2", &page('a', 2), &languages(200)),
        record("http://b.pk/3", &page('b', 1), &languages(300)),
        record("http://b.pk/4", &page('a', 0), &languages(100)),
        record("http://b.pk/5", " – ", ""),
    ];
    fs::write(folder.path().join("old.jsonl"), old.concat()).unwrap();
    fs::write(folder.path().join("new.jsonl"), new.concat()).unwrap();
    folder
}

#[test]
fn clusters_are_counted_across_crawls_and_no_record_is_lost() {
    let folder = crawls();
    let said = clusters(&folder, &["old.jsonl", "new.jsonl", "--out", "all.jsonl"]);
    assert!(said.contains("8 pages, of which 6 are in 2 clusters of near duplicates"), "{said}");
    assert!(said.contains("the largest has 4 pages") && said.contains("0 pages removed"), "{said}");
    let all = lines(&folder.path().join("all.jsonl"));
    let of = |name: &str| {
        all.iter()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()[name].as_u64())
            .collect::<Vec<_>>()
    };
    let sizes = [Some(4), Some(2), None, Some(4), Some(1), Some(4), Some(2), Some(4), Some(1)];
    assert_eq!(of("minhash_cluster_size"), sizes);
    let ids = [Some(0), Some(1), None, Some(0), Some(3), Some(0), Some(1), Some(0), Some(7)];
    assert_eq!(of("minhash_cluster_id"), ids);
    assert!(all[2].ends_with("\"url\":\"http://a.pk/3\"}"), "{}", all[2]);
    // Marked again, with other memory and one thread, a record has each field once.
    fs::rename(folder.path().join("all.jsonl"), folder.path().join("old.jsonl")).unwrap();
    let mut command = corpulyzer([
        "deduplicate",
        "--clusters",
        "--language",
        "ur",
        "--memory",
        "1",
        "old.jsonl",
        "--out",
    ]);
    command
        .arg("all.jsonl")
        .env("RAYON_NUM_THREADS", "1")
        .current_dir(folder.path())
        .assert()
        .success();
    assert_eq!(lines(&folder.path().join("all.jsonl")), all);
}

#[test]
fn the_best_page_of_a_cluster_is_clean_then_long_then_first() {
    let folder = crawls();
    let urls = |file: &str| -> Vec<String> {
        let url = |line: &String| {
            serde_json::from_str::<Value>(line).unwrap()["url"].as_str().unwrap().to_owned()
        };
        lines(&folder.path().join(file)).iter().map(url).collect()
    };
    let asked =
        ["old.jsonl", "new.jsonl", "--dropped", "dropped.jsonl", "--out", "kept.jsonl", "--keep"];
    let said = clusters(&folder, &[&asked[..], &["best"]].concat());
    assert!(said.contains("4 pages removed"), "{said}");
    let kept =
        ["http://a.pk/2", "http://a.pk/3", "http://b.pk/1", "http://b.pk/2", "http://b.pk/5"];
    assert_eq!(urls("kept.jsonl"), kept);
    assert_eq!(
        urls("dropped.jsonl"),
        ["http://a.pk/1", "http://a.pk/4", "http://b.pk/3", "http://b.pk/4"]
    );
    clusters(&folder, &[&asked[..], &["first"]].concat());
    assert_eq!(
        urls("kept.jsonl"),
        ["http://a.pk/1", "http://a.pk/2", "http://a.pk/3", "http://b.pk/1", "http://b.pk/5"]
    );
}

#[test]
fn clusters_refuse_what_they_cannot_do() {
    let folder = crawls();
    let refused = |arguments: &[&str], reason: &str| {
        let mut command = corpulyzer(["deduplicate", "--language", "ur", "--out", "out.jsonl"]);
        let said = stderr(&command.args(arguments).current_dir(folder.path()).assert().failure());
        assert!(said.contains(reason), "{said}");
        assert!(!folder.path().join("out.jsonl").exists());
    };
    refused(
        &["--clusters", "-"],
        "standard input: is no regular file, and --clusters reads every input twice",
    );
    refused(&["old.jsonl", "--keep", "best"], "--clusters");
    refused(&["--clusters", "old.jsonl", "--whole"], "--whole");
    refused(
        &["--clusters", "old.jsonl", "--dropped", "d"],
        "--dropped needs --keep best or --keep first",
    );
    refused(
        &["--clusters", "old.jsonl", "--bands", "20", "--rows", "13"],
        "are 260 values; allowed are 128",
    );
}

/// Rows of a table, by their first cell.
fn rows(file: &Path) -> std::collections::BTreeMap<String, Vec<String>> {
    let cells = |line: String| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
    lines(file).into_iter().map(cells).map(|row| (row[0].clone(), row)).collect()
}

#[test]
fn lines_are_cut_at_the_head_and_the_tail_and_the_rest_stays_once() {
    let folder = TempDir::new().unwrap();
    let [file, out, dropped, table] =
        ["c.jsonl", "o.jsonl", "d.jsonl", "s.tsv"].map(|name| folder.path().join(name));
    // 200 different lines: two templates, two of punctuation, 196 of text.
    let own: Vec<String> = (0..196).map(|n| format!("{SCHOOL} {n}")).collect();
    let mut pages = String::new();
    for (number, blocks) in own.chunks(28).enumerate() {
        let mut blocks: Vec<&str> = blocks.iter().map(String::as_str).collect();
        blocks.insert(0, SHARE);
        blocks.push(LIBRARY);
        pages += &line(&format!("http://a.pk/{number}"), &blocks);
    }
    pages += &line("http://b.pk/1", &[&own[0], SHARE, ", ,", "!)"]);
    pages += &line("http://b.pk/1", &[SHARE]);
    fs::write(&file, pages).unwrap();
    let mut command = corpulyzer(["deduplicate", "--lines", "--language", "ur"]);
    command.arg(&file).out(&out).arg("--dropped").arg(&dropped);
    let said = stderr(&command.arg("--survival").arg(&table).assert().success());
    assert!(said.contains("215 lines, 200 different; cut 2 at the head (of at least 7 occurrences each) and 2 at the tail (of at most 1 occurrence)"), "{said}");
    let kept: Vec<Value> =
        lines(&out).iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kept: Vec<&str> =
        kept.iter().flat_map(|page| page["text"].as_str().unwrap().split('\n')).collect();
    assert_eq!(kept, own, "each line of text once, in its order");
    let mut reasons = std::collections::BTreeMap::<String, usize>::new();
    for line in lines(&dropped) {
        let line: Value = serde_json::from_str(&line).unwrap();
        *reasons.entry(line["reason"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    let reasons: Vec<_> = reasons.iter().map(|(reason, n)| (reason.as_str(), *n)).collect();
    assert_eq!(reasons, [("copy", 15), ("head", 2), ("tail", 2)]);
    let rows = rows(&table);
    assert_eq!(rows["(all)"][1..5], ["9", "7", "8", "88.9"]);
    assert_eq!(rows["b.pk"][1..5], ["2", "0", "1", "50.0"]);
    assert_eq!(rows["b.pk"][6..], ["0", "0.0"]);
}

#[test]
fn survival_of_passages_is_what_the_output_has() {
    let folder = TempDir::new().unwrap();
    let [file, out, table] = ["c.jsonl", "o.jsonl", "s.tsv"].map(|name| folder.path().join(name));
    let pages = [
        line("http://a.pk/1", &[LIBRARY]),
        line("http://b.pk/1", &[LIBRARY]),
        line("http://b.pk/2", &[SCHOOL]),
    ];
    fs::write(&file, pages.concat()).unwrap();
    let mut command = corpulyzer(["deduplicate", "--language", "ur"]);
    command.arg(&file).out(&out).arg("--survival").arg(&table).assert().success();
    let rows = rows(&table);
    let share = 100.0 * SCHOOL.len() as f64 / (SCHOOL.len() + LIBRARY.len()) as f64;
    assert_eq!(rows["a.pk"][7], "100.0");
    assert_eq!(
        rows["b.pk"][1..],
        [
            "2".to_owned(),
            "1".to_owned(),
            "2".to_owned(),
            "100.0".to_owned(),
            (SCHOOL.len() + LIBRARY.len()).to_string(),
            SCHOOL.len().to_string(),
            format!("{share:.1}"),
        ]
    );
}

#[test]
fn lines_refuse_standard_input_and_options_of_passages() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("o.jsonl");
    let mut command = corpulyzer(["deduplicate", "--lines", "--language", "ur", "-", "--out"]);
    let said = stderr(&command.arg(&out).write_stdin("{\"text\":\"a\"}\n").assert().failure());
    assert!(said.contains("--lines reads every input twice"), "{said}");
    for more in [&["--whole"][..], &["--head", "51"], &["--letters"]] {
        let mut command = corpulyzer(["deduplicate", "--lines", "--language", "ur"]);
        command.args(more).arg("x.jsonl").out(&out).assert().code(2);
    }
    assert!(!out.exists());
}

#[test]
fn text_of_a_reference_is_removed_and_named_in_a_table() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [bench, old, corpus, out, hits] =
        ["flores.txt", "old.jsonl", "c.jsonl", "o.jsonl", "h.tsv"].map(path);
    // A sentence as it is, one with a changed word, one that the corpus lacks, and one too short.
    let absent = "کل رات دریا کے پل پر دو گاڑیاں آپس میں ٹکرا گئیں۔";
    fs::write(
        &bench,
        format!("{LIBRARY}\n\n{}\n{absent}\nجی ہاں\n", SCHOOL.replace("اسکول", "مدرسے")),
    )
    .unwrap();
    fs::write(&old, line("http://old.pk/1", &[SHARE])).unwrap();
    let own = "ہمارے محلے کی بیکری میں صبح سویرے تازہ روٹی ملتی ہے اور لوگ قطار میں کھڑے ہوتے ہیں۔";
    let long = format!("{own} {LIBRARY} {own}");
    let pages = [
        line("http://a.pk/1", &[own, &long]),
        line("http://a.pk/2", &[SCHOOL]),
        line("http://a.pk/3", &["سرخی", SHARE]),
    ];
    fs::write(&corpus, pages.concat()).unwrap();
    let run = |more: &[&str]| {
        let arguments = [
            "deduplicate",
            "--language",
            "ur",
            "--percent",
            "100",
            "--against",
            &bench,
            "--against",
            &old,
            "--hits",
            &hits,
            "--out",
            &out,
            &corpus,
        ];
        stderr(&corpulyzer(arguments.iter().chain(more)).assert().success())
    };
    let said = run(&[]);
    assert!(said.contains("3 of 4 texts in 2 reference files in the corpus, 2 of them word for word; 1 text of fewer than 6 words was not compared"), "{said}");
    assert!(
        said.contains("removed 3 passages of the references from 3 pages, 2 as a whole"),
        "{said}"
    );
    let kept = lines(Path::new(&out));
    assert_eq!(kept.len(), 1);
    let page: Value = serde_json::from_str(&kept[0]).unwrap();
    assert_eq!((&page["text"], &page["main_bytes"]), (&own.into(), &own.len().into()));
    assert_eq!(page["z"].to_string(), "1.5", "other fields stay");
    let table = lines(Path::new(&hits));
    let cells: Vec<Vec<&str>> = table.iter().map(|row| row.split('\t').collect()).collect();
    let of = |row: usize| [cells[row][0], cells[row][1], cells[row][2], cells[row][3]];
    assert_eq!(of(0), ["url", "reference", "text_of_reference", "kind"]);
    assert_eq!(of(1), ["http://a.pk/1", &bench, "line 1", "exact"]);
    assert_eq!(of(2), ["http://a.pk/2", &bench, "line 3", "near"]);
    assert_eq!(of(3), ["http://a.pk/3", &old, "http://old.pk/1", "exact"]);
    assert!(run(&["--whole"]).contains("from 3 pages, 3 as a whole"));
    assert_eq!(lines(Path::new(&out)), [] as [String; 0]);
    let none = run(&["--against-percent", "100"]);
    assert!(none.contains("2 of 4 texts"), "{none}");
}

#[test]
fn a_reference_that_cannot_be_compared_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [short, page, corpus, out] = ["short.txt", "p.warc", "c.jsonl", "o.jsonl"].map(path);
    fs::write(&short, "yes\nno\n").unwrap();
    let answer = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>a";
    let record = format!("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.pk/\r\nContent-Type: application/http\r\nContent-Length: {}\r\n\r\n{answer}\r\n\r\n", answer.len());
    fs::write(&page, record).unwrap();
    fs::write(&corpus, line("http://a.pk/1", &[SHARE])).unwrap();
    for (reference, what) in [
        (&short, "have no text of 6 words or more (--against)"),
        (&page, "has pages in HTML"),
        (&path("none"), "no such file (--against)"),
    ] {
        let run =
            ["deduplicate", "--language", "ur", "--against", reference, "--out", &out, &corpus];
        let said = stderr(&corpulyzer(run).assert().code(1));
        assert!(said.contains(what), "{said}");
    }
}
