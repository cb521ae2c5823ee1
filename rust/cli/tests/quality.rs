//! `corpulyzer quality` as a user meets it.

use crate::common::{corpulyzer, stderr, stdout, Out as _};
use parquet_files::{Cell, Kind, Shard};
use serde_json::{json, Value};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A page of distinct sentences.
fn prose(seed: usize) -> String {
    let word = |n: usize| format!("lauseke{}", char::from(b'a' + u8::try_from(n % 26).unwrap()));
    let sentence = |n: usize| {
        format!(
            "Ja {} on {} nyt {} kun {}.",
            word(n),
            word(n * 3 + seed),
            word(n * 5),
            word(n * 7 + 1)
        )
    };
    (0..12).map(sentence).collect::<Vec<_>>().join("\n")
}

fn write(file: &Path, records: &[Value]) {
    fs::write(file, records.iter().map(|record| format!("{record}\n")).collect::<String>())
        .unwrap();
}

fn read(file: &Path) -> Vec<Value> {
    fs::read_to_string(file)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn limits(folder: &TempDir) {
    let pages: Vec<Value> =
        (0..1000).map(|n| json!({"url": format!("http://a.fi/{n}"), "text": prose(n)})).collect();
    write(&folder.path().join("good.jsonl"), &pages);
    let mut derive = corpulyzer(["quality", "derive", "--language", "fi"]);
    derive
        .arg(folder.path().join("good.jsonl"))
        .out(folder.path().join("fi.yml"))
        .assert()
        .success();
}

#[test]
fn other_rules_need_no_limits_and_no_rule_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let pages = [0, 1].map(|n| json!({"url": format!("http://a.fi/{n}"), "text": prose(n)}));
    write(Path::new(&path("in.jsonl")), &pages);
    fs::write(path("codes.txt"), "fin\nest\n").unwrap();
    let (input, out, codes) = (path("in.jsonl"), path("out.jsonl"), path("codes.txt"));
    let annotate = ["quality", "annotate", "--language", "fi", "--out", &out, &input];
    for rule in [&["--answers", &*codes][..], &["--min-script", ".5"]] {
        corpulyzer(annotate.iter().chain(rule)).assert().success();
        let noise: Vec<bool> =
            read(Path::new(&out)).iter().map(|page| page.get("noise").is_some()).collect();
        assert_eq!(noise, [false, rule[0] == "--answers"], "{rule:?}");
    }
    let said = stderr(&corpulyzer(annotate).assert().code(2));
    assert!(said.contains("no rule is named; allowed are --limits, --answers"), "{said}");
    let more = ["--answers", &codes, "--removed", &codes];
    let said = stderr(&corpulyzer(annotate.iter().chain(&more)).assert().code(2));
    assert!(said.contains("belong to others"), "{said}");
}

#[test]
fn noisy_pages_stay_in_the_corpus_with_the_rules_that_they_break() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    limits(&folder);
    assert!(fs::read_to_string(path("fi.yml"))
        .unwrap()
        .starts_with("# Limits for fin, from 1000 pages, by corpulyzer"));
    let gone = json!({"url": "http://a.fi/gone", "gone": true});
    let rejected =
        json!({"url": "http://a.fi/r", "text": "x", "decision": "reject 1 bytes of fin"});
    let noisy = json!({"url": "http://a.fi/2", "text": "lue lisää\n".repeat(40)});
    write(
        &path("corpus.jsonl"),
        &[
            json!({"url": "http://a.fi/1", "z": 1, "text": prose(5)}),
            noisy,
            gone.clone(),
            rejected.clone(),
        ],
    );
    let mut annotate = corpulyzer(["quality", "annotate", "--language", "fi", "--samples", "1"]);
    annotate.arg(path("corpus.jsonl")).arg("--limits").arg(path("fi.yml")).out(path("out.jsonl"));
    let done = annotate.assert().success();
    let records = read(&path("out.jsonl"));
    assert_eq!(records.len(), 4);
    assert_eq!((&records[0]["z"], records[0].get("noise")), (&json!(1), None));
    assert!(records[0]["quality"]["rps_doc_word_count"].as_u64().unwrap() > 50);
    assert_eq!(records[1]["noise"][0], "dup_line_frac");
    assert_eq!(records[2..], [gone, rejected]);
    let table = stdout(&done);
    assert!(table.contains("dup_line_frac"), "{table}");
    assert!(table.contains("    http://a.fi/2  lue"), "{table}");
    assert!(table.contains("http://a.fi/2  lue lisää lue lisää"), "{table}");
}

#[test]
fn noisy_pages_go_to_a_file_of_their_own_or_are_deleted_on_request() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    limits(&folder);
    write(
        &path("corpus.jsonl"),
        &[json!({"text": prose(5)}), json!({"text": "lue lisää\n".repeat(40)})],
    );
    let annotate = |out: &str, more: &[&str]| {
        let mut annotate = corpulyzer(["quality", "annotate", "--language", "fi"]);
        annotate.arg(path("corpus.jsonl")).arg("--limits").arg(path("fi.yml")).out(path(out));
        annotate.args(more).assert().success();
    };
    annotate("kept.jsonl", &["--noisy", path("noisy.jsonl").to_str().unwrap()]);
    assert_eq!((read(&path("kept.jsonl")).len(), read(&path("noisy.jsonl")).len()), (1, 1));
    annotate("dropped.jsonl", &["--drop"]);
    assert_eq!(read(&path("dropped.jsonl")), read(&path("kept.jsonl")));
    // Annotated again, a record has each field once.
    fs::rename(path("noisy.jsonl"), path("corpus.jsonl")).unwrap();
    let before = fs::read(path("corpus.jsonl")).unwrap();
    annotate("again.jsonl", &[]);
    assert_eq!(fs::read(path("again.jsonl")).unwrap(), before);
}

#[test]
fn bad_limits_and_too_little_text_stop_early() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    write(&path("corpus.jsonl"), &[json!({"text": prose(1)})]);
    fs::write(path("bad.yml"), "dup_line_frac: many\n").unwrap();
    let mut annotate = corpulyzer(["quality", "annotate", "--language", "fi"]);
    annotate.arg(path("corpus.jsonl")).arg("--limits").arg(path("bad.yml")).out(path("out.jsonl"));
    let said = stderr(&annotate.assert().failure());
    assert!(
        said.contains("bad.yml: ") && said.contains("(--limits)") && said.lines().count() == 1,
        "{said}"
    );
    let mut derive = corpulyzer(["quality", "derive", "--language", "fi"]);
    derive.arg(path("corpus.jsonl")).out(path("limits.yml"));
    let said = stderr(&derive.assert().failure());
    assert!(
        said.contains("cannot derive limits: found 1 pages with text; limits need at least 1000"),
        "{said}"
    );
    assert!(!path("out.jsonl").exists() && !path("limits.yml").exists());
}

const FINNISH: &str = "Kaupungin vanhassa kirjastossa pidettiin eilen illalla runotilaisuus, johon tuli paljon väkeä.";
const ENGLISH: &str =
    "The old library of the town held a reading of poems last night, and many people came to it.";

/// Runs `quality annotate` in a folder that has limits, and returns the records of `out.jsonl`.
fn annotated(folder: &TempDir, records: &[Value], more: &[&str]) -> Vec<Value> {
    write(&folder.path().join("corpus.jsonl"), records);
    let mut annotate = corpulyzer([
        "quality",
        "annotate",
        "--language",
        "fi",
        "--limits",
        "fi.yml",
        "corpus.jsonl",
    ]);
    annotate.args(["--out", "out.jsonl"]).args(more).current_dir(folder.path()).assert().success();
    read(&folder.path().join("out.jsonl"))
}

/// The rules that a record breaks, without those on signals.
fn own_noise(record: &Value) -> Vec<&str> {
    let own = ["script", "consistency", "wordlist", "second_opinion"];
    let noise = record["noise"].as_array().map(Vec::as_slice).unwrap_or_default();
    noise.iter().filter_map(Value::as_str).filter(|rule| own.contains(rule)).collect()
}

#[test]
fn pages_with_many_lines_in_another_language_are_marked() {
    let folder = TempDir::new().unwrap();
    limits(&folder);
    let page = |english: usize| {
        let lines: Vec<&str> =
            (0..10).map(|n| if n < english { ENGLISH } else { FINNISH }).collect();
        json!({"url": format!("http://a.fi/{english}"), "text": lines.join("\n")})
    };
    let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count() as f64;
    let (own, other) = (letters(FINNISH), letters(ENGLISH));
    let mut pages: Vec<Value> = (0..=10).map(page).collect();
    pages.push(
        json!({"url": "http://a.fi/ru", "text": format!("{FINNISH}\n{}", "Это предложение написано. ".repeat(9))}),
    );
    let records = annotated(&folder, &pages, &["--min-consistency", ".6", "--min-script", ".9"]);
    for (english, record) in records[..11].iter().enumerate() {
        let expected =
            own * (10 - english) as f64 / (own * (10 - english) as f64 + other * english as f64);
        let found = record["identification_consistency"].as_f64().unwrap();
        assert!((found - expected).abs() < 0.01, "{english}: {found} for {expected}");
        assert_eq!(own_noise(record).contains(&"consistency"), expected < 0.6, "{english}");
        assert_eq!(
            (&record["language_script"], &record["script_percentage"]),
            (&json!("Latn"), &json!(1.0))
        );
    }
    assert_eq!(records[11]["language_script"], "Cyrl");
    assert_eq!(own_noise(&records[11]), ["script", "consistency"]);
    // Without limits, the figures are there and no page is marked for them.
    let records = annotated(&folder, &pages, &[]);
    assert!(
        records[11]["identification_consistency"].as_f64().unwrap() < 0.6
            && own_noise(&records[11]).is_empty()
    );
}

#[test]
fn a_language_without_a_model_has_no_consistency() {
    let folder = TempDir::new().unwrap();
    limits(&folder);
    write(&folder.path().join("corpus.jsonl"), &[json!({"text": prose(1)})]);
    let annotate = |more: &[&str]| {
        let mut annotate =
            corpulyzer(["quality", "annotate", "--language", "akk", "--limits", "fi.yml"]);
        annotate
            .args(["corpus.jsonl", "--out", "out.jsonl"])
            .args(more)
            .current_dir(folder.path())
            .assert()
    };
    let said = stderr(&annotate(&["--min-consistency", ".6"]).code(2));
    assert!(
        said.contains("--language akk (Akkadian) has no model; train one with `corpulyzer train`")
            && said.ends_with("with --pack; or omit --min-consistency\n"),
        "{said}"
    );
    annotate(&[]).success();
    let record = &read(&folder.path().join("out.jsonl"))[0];
    assert_eq!(
        (record.get("identification_consistency"), &record["language_script"]),
        (None, &json!("Latn"))
    );
}

#[test]
fn pages_without_distinctive_words_are_marked() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    limits(&folder);
    write(&path("ours.jsonl"), &[json!({"text": "kirja talo kirja suuri 12 Talo suuri ja ja"})]);
    write(&path("theirs.jsonl"), &[json!({"text": "raamat maja suur ja ja ja suuri"})]);
    let mut words =
        corpulyzer(["words", "ours.jsonl", "--language", "fi", "--against", "theirs.jsonl"]);
    words
        .args(["--distinctive", ".85", "--out", "fi.words"])
        .current_dir(folder.path())
        .assert()
        .success();
    assert_eq!(fs::read_to_string(path("fi.words")).unwrap(), "kirja\t2\nTalo\t1\ntalo\t1\n");
    let pages = [json!({"text": "Kirja, talo ja suuri"}), json!({"text": "suuri ja suuri ja"})];
    let records = annotated(&folder, &pages, &["--wordlist", "fi.words", "--min-ratio", ".1"]);
    assert_eq!((&records[0]["wordlist_ratio"], own_noise(&records[0])), (&json!(0.5), vec![]));
    assert_eq!(
        (&records[1]["wordlist_ratio"], own_noise(&records[1])),
        (&json!(0.0), vec!["wordlist"])
    );
}

#[test]
fn pages_are_kept_noisy_or_blocked_by_other_opinions_and_by_a_list() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    limits(&folder);
    let pages: Vec<Value> =
        (0..4).map(|n| json!({"url": format!("http://h{n}.fi/"), "text": prose(n)})).collect();
    fs::write(path("a.txt"), "fin_Latn\t0.99\n__label__fin_Latn 0.4\nekk_Latn 0.9\nfi\n").unwrap();
    fs::write(path("b.txt"), "fi\nfi\nfi\nfi\n").unwrap();
    fs::write(path("refused.txt"), "h3.fi\n").unwrap();
    let more = ["--answers", "a.txt", "--answers", "b.txt", "--without", "refused.txt"];
    let marked = annotated(&folder, &pages, &more);
    let reasons: Vec<_> = marked.iter().map(own_noise).collect();
    assert_eq!(reasons, [vec![], vec!["second_opinion"], vec!["second_opinion"], vec![]]);
    assert_eq!(marked[2]["opinions"], json!(["est", "fin"]));
    assert_eq!((marked[2].get("blocked"), &marked[3]["blocked"]), (None, &json!(["without"])));
    let kept = annotated(
        &folder,
        &pages,
        &[&more[..], &["--noisy", "noisy.jsonl", "--blocked", "blocked.jsonl"]].concat(),
    );
    let (noisy, blocked) = (read(&path("noisy.jsonl")), read(&path("blocked.jsonl")));
    assert_eq!([&kept[..], &noisy[..], &blocked[..]].concat(), marked);
    assert_eq!((kept.len(), noisy.len(), blocked.len()), (1, 2, 1));
    assert_eq!(annotated(&folder, &pages, &[&more[..], &["--drop"]].concat()), kept);
    // Codes of one language agree: `est` and `ekk` would, for a target `est`.
    let mut annotate = corpulyzer([
        "quality",
        "annotate",
        "--language",
        "est",
        "--limits",
        "fi.yml",
        "corpus.jsonl",
    ]);
    annotate.args(["--out", "est.jsonl", "--answers", "ekk.txt"]);
    fs::write(path("ekk.txt"), "ekk\nest\net\nlvs\n").unwrap();
    annotate.current_dir(folder.path()).assert().success();
    let opinions: Vec<bool> = read(&path("est.jsonl"))
        .iter()
        .map(|record| own_noise(record).contains(&"second_opinion"))
        .collect();
    assert_eq!(opinions, [false, false, false, true]);
    // A file with other lines than the corpus has records leaves the old output.
    let before = fs::read(path("out.jsonl")).unwrap();
    for (answers, reason) in [
        ("fi\nfi\n", "a.txt: has 2 lines, and the corpus has more records"),
        ("fi\nfi\nfi\nfi\nfi\n", "a.txt: has more lines than the corpus has records, 4"),
        ("fi\nfi often\nfi\nfi\n", "a.txt, line 2: found \"often\" as probability"),
    ] {
        fs::write(path("a.txt"), answers).unwrap();
        let mut annotate = corpulyzer([
            "quality",
            "annotate",
            "--language",
            "fi",
            "--limits",
            "fi.yml",
            "corpus.jsonl",
        ]);
        annotate.args(["--out", "out.jsonl", "--answers", "a.txt"]);
        let said = stderr(&annotate.current_dir(folder.path()).assert().failure());
        assert!(said.contains(reason), "{said}");
        assert_eq!(fs::read(path("out.jsonl")).unwrap(), before);
    }
}

#[test]
fn a_sample_cannot_steer_the_terminal() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    limits(&folder);
    let url = format!("http://a.fi/\u{1b}[2J\r\u{9b}{}", "x".repeat(100_000));
    write(&path("corpus.jsonl"), &[json!({"url": url, "text": "\u{7}lue lisää\n".repeat(40)})]);
    let mut annotate = corpulyzer(["quality", "annotate", "--language", "fi", "--samples", "1"]);
    annotate.arg(path("corpus.jsonl")).arg("--limits").arg(path("fi.yml")).out(path("out.jsonl"));
    let table = stdout(&annotate.assert().success());
    assert!(table.contains("    http://a.fi/ [2J  xxx"), "{table}");
    assert!(
        !table.contains(|c: char| c.is_control() && c != '\n') && table.len() < 5000,
        "{table}"
    );
}

/// Six pages of a corpus, with an id of each kind and one without.
fn pages_with_ids(file: &Path) {
    let pages: Vec<Value> = (0..6)
        .map(|n| {
            let text = prose(n);
            let languages = json!({"fin": text.len()});
            let mut page = json!({"id": format!("fi.a:http/{n}"), "url": format!("http://a.fi/{n}"),
                                  "text": text, "languages": languages, "decision": "keep"});
            match n {
                4 => page["id"] = 4.into(),
                5 => _ = page.as_object_mut().unwrap().remove("id"),
                _ => {}
            }
            page
        })
        .collect();
    write(file, &pages);
}

/// A folder with six pages, `in.jsonl`, and scores of another program, `scores.jsonl`.
fn with_scores() -> TempDir {
    let folder = TempDir::new().unwrap();
    pages_with_ids(&folder.path().join("in.jsonl"));
    let scores = "{\"edu\": 3.5, \"class\": \"news\", \"id\": \"fi.a:http/1\", \"url\": \"u\"}\n\
                  {\"id\": \"fi.a:http/0\", \"edu\": 1}\n{\"id\": 4, \"edu\": 3.0}\n\
                  {\"id\": \"fi.a:http/1\", \"edu\": 9}\n{\"id\": \"fi.b:http/1\", \"edu\": 9}\n\
                  {\"edu\": 9}\n{\"id\": \"fi.a:http/2\", \"edu\": null}\n";
    fs::write(folder.path().join("scores.jsonl"), scores).unwrap();
    folder
}

/// Joins the files of [`with_scores`] to `out.jsonl`.
fn joined(folder: &TempDir, more: &[&str]) -> assert_cmd::assert::Assert {
    corpulyzer(["quality", "join", "scores.jsonl", "in.jsonl", "--out", "out.jsonl"])
        .args(more)
        .current_dir(folder.path())
        .assert()
}

#[test]
fn scores_of_another_program_are_joined_by_id() {
    let folder = with_scores();
    let out = folder.path().join("out.jsonl");
    let done = joined(&folder, &[]).success();
    let table = stdout(&done);
    for (what, count) in [
        ("records with scores", 4),
        ("records without scores", 1),
        ("records without an id", 1),
        ("scores without a record", 1),
        ("scores with the id of earlier ones", 1),
        ("scores without an id", 1),
    ] {
        assert!(table.contains(&format!("{what:<36} {count:>10}\n")), "{what}: {table}");
    }
    let range = "edu                                           3      1.000      2.500      3.500";
    assert!(table.contains(range), "{table}");
    assert!(stderr(&done).contains("have fields of these names: url; --take"), "{table}");
    let pages = read(&out);
    let of = |name: &str| pages.iter().map(|page| page[name].clone()).collect::<Vec<_>>();
    let null = Value::Null;
    assert_eq!(of("edu"), [json!(1), json!(3.5), null.clone(), null.clone(), json!(3.0), null]);
    assert_eq!((&pages[1]["class"], &pages[1]["url"]), (&json!("news"), &json!("http://a.fi/1")));

    joined(&folder, &["--take", "url"]).success();
    assert_eq!(read(&out)[1]["url"], "u");
    for (options, said) in [
        (&["--take", "odd"][..], "has no score \"odd\"; its scores are edu"),
        (&["--by", "key"], "no line has the field `key`; name the field with the id (--by)"),
        (&["--by", "url"], "no record has the `url` of a score; nothing was written"),
    ] {
        let refused = stderr(&joined(&folder, options).code(1));
        assert!(refused.contains(said), "{refused}");
    }
}

#[test]
fn scores_of_another_program_limit_a_package() {
    let folder = with_scores();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    joined(&folder, &[]).success();
    let out = path("out.jsonl");
    let limits = [
        (&["--min", "edu=3"][..], &["http://a.fi/1", "http://a.fi/4"][..], (1, 3)),
        (&["--min", "edu=1", "--max", "edu=3"], &["http://a.fi/0", "http://a.fi/4"], (1, 3)),
        (&["--min", "languages.fin=1"], &["0", "1", "2", "3", "4", "5"], (0, 0)),
    ];
    for (number, (options, packed, left_out)) in limits.into_iter().enumerate() {
        let release = path(&format!("release{number}"));
        let mut package = corpulyzer(["package", &out, "--language", "fi", "--out", &release]);
        package.args(["--contact", "corpus@example.org"]).args(options).assert().success();
        let readme = fs::read_to_string(Path::new(&release).join("README.md")).unwrap();
        for (why, count) in
            [("beyond these limits", left_out.0), ("without these scores", left_out.1)]
        {
            assert!(readme.contains(&format!("| pages left out: {why} | {count} |")), "{readme}");
        }
        let packed_pages = 6 - left_out.0 - left_out.1;
        assert_eq!(packed.len(), packed_pages, "{options:?}");
        let mut lines = String::new();
        let file = fs::File::open(Path::new(&release).join("fin-001.jsonl.gz")).unwrap();
        std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(file), &mut lines).unwrap();
        assert_eq!(lines.lines().count(), packed_pages);
        assert!(packed.iter().all(|url| lines.contains(&format!("{url}\""))), "{lines}");
    }

    let mut bad = corpulyzer(["package", &out, "--language", "fi", "--out", &path("bad")]);
    bad.args(["--contact", "corpus@example.org", "--min", "edu>3"]);
    let said = stderr(&bad.assert().code(2));
    assert!(said.contains("allowed is KEY=VALUE with a number, such as edu=3"), "{said}");
}

#[test]
fn scores_in_parquet_are_joined_as_those_in_json_lines() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    pages_with_ids(Path::new(&path("in.jsonl")));
    let columns = [("id", Kind::Text), ("edu", Kind::Float), ("level", Kind::Int)];
    let columns = columns.map(|(name, kind)| (name.to_owned(), kind)).to_vec();
    let file = fs::File::create(path("scores.parquet")).unwrap();
    let mut shard = Shard::new(file, columns, &[]).unwrap();
    for (id, edu, level) in [("fi.a:http/3", 0.1, 2), ("4", 4.0, 1), ("5", 4.0, 1)] {
        shard.add(vec![Cell::Text(id.to_owned()), Cell::Float(edu), Cell::Int(level)]).unwrap();
    }
    shard.finish().unwrap();
    let (scores, input, out) = (path("scores.parquet"), path("in.jsonl"), path("out.jsonl"));
    let join = ["quality", "join", &*scores, &input, "--out", &out];
    let table = stdout(&corpulyzer(join).assert().success());
    assert!(table.starts_with(&format!("{:<36} {:>10}\n", "records with scores", 2)), "{table}");
    let joined = read(Path::new(&out));
    assert_eq!((&joined[3]["edu"], &joined[3]["level"]), (&json!(0.1), &json!(2)));
    assert_eq!((&joined[4]["edu"], &joined[0]["edu"]), (&json!(4.0), &Value::Null));
}
