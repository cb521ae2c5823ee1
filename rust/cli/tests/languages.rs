//! The verbs of language identification: what they print, how they refuse.

use crate::common::{corpulyzer, program, stderr, stdout, Out as _};
use assert_cmd::Command;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const URDU: &str = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے۔";
const ENGLISH: &str = "The river rose during the night and the ferry could not leave before noon.";
const CROATIAN: &str = "Rijeka je tijekom noći narasla i trajekt nije mogao krenuti prije podneva.";

fn identify(text: impl Into<Vec<u8>>) -> String {
    stdout(&corpulyzer(["identify"]).write_stdin(text).assert().success())
}

/// A folder with the files named.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

fn evaluate(test: &Path) -> Command {
    let mut command = corpulyzer(["evaluate-langid", "--test"]);
    command.arg(test);
    command
}

/// The same by CLD2, whose weaknesses are known and stay.
fn evaluate_cld2(test: &Path) -> Command {
    let mut command = evaluate(test);
    command.args(["--identifier", "cld2"]);
    command
}

#[test]
fn evaluate_counts_the_texts_that_are_in_training_text() {
    let test = folder(&[("urd.txt", URDU), ("eng.txt", &format!("{ENGLISH}\nIt was cold.\n"))]);
    let line = format!("1. {} And then it left.\n", ENGLISH.to_uppercase());
    let training = folder(&[("eng.txt", &line), ("hrv.txt", CROATIAN)]);
    let done = evaluate(test.path()).arg("--overlap").arg(training.path()).assert().success();
    assert_eq!(
        stdout(&done),
        "language\ttexts\tin training\tpercent\neng\t2\t1\t50.0\nurd\t1\t0\t0.0\nall\t3\t1\t33.3\n"
    );
    let done = evaluate(test.path()).args(["--overlap", "/no/such/folder"]).assert().code(1);
    assert!(stderr(&done).contains("/no/such/folder"), "{}", stderr(&done));
}

#[test]
fn evaluate_lists_the_languages_that_are_found_in_other_texts() {
    let test = folder(&[("urd.txt", ENGLISH), ("eng.txt", &format!("{ENGLISH}\n{ENGLISH}\n"))]);
    let done = evaluate_cld2(test.path()).args(["--false-positives", "5"]).assert().success();
    let said = stdout(&done);
    assert!(said.contains("3 texts in 2 languages\n"), "{said}");
    assert!(
        said.contains("# texts found to be in another language: 1 (333333 in a million)\n"),
        "{said}"
    );
    assert!(said.ends_with("texts in\neng\t1\t333333.3\turd 1\n"), "{said}");
}

/// Sentences in languages that are close to others of the packs.
const NEIGHBOURS: [(&str, &str); 6] = [
    ("eng.txt", ENGLISH),
    ("hrv.txt", CROATIAN),
    ("urd.txt", URDU),
    ("hat.txt", "Lapli a te tonbe tout nwit lan, se poutèt sa moun yo pa t ka travèse rivyè a."),
    ("ind.txt", "Hujan turun sepanjang malam sehingga orang tidak dapat menyeberangi sungai itu."),
    ("fra.txt", "La pluie est tombée toute la nuit, et personne ne pouvait traverser la rivière."),
];

/// A folder with a text and the pack `made.pack` that was trained from it.
fn trained(name: &str, text: &str, more: &[&str]) -> TempDir {
    let texts = folder(&[(name, text)]);
    let mut train = corpulyzer(["train", "--text"]);
    train.arg(texts.path()).args(more).out(texts.path().join("made.pack"));
    train.assert().success();
    texts
}

#[test]
fn evaluate_measures_what_packs_take_from_other_languages() {
    let test = folder(&NEIGHBOURS);
    let losses = |pack: &str| evaluate(test.path()).args(["--losses", "--pack", pack]).assert();
    for pack in ["far", "seed"] {
        let said = stdout(&losses(pack).success());
        assert!(said.contains(": 0 of 6 languages lose more than 0.2 points"), "{pack}: {said}");
    }
    // English as Scots takes no English text from the library's model.
    let english = format!("{ENGLISH} It was late in the evening, and no one came.\n").repeat(400);
    let made = trained("sco.txt", &english, &[]);
    let pack = made.path().join("made.pack");
    let said = stdout(&losses(pack.to_str().unwrap()).success());
    assert!(said.contains(": 0 of 6 languages lose more than 0.2 points"), "{said}");
    // Croatian as English does, if it takes the place of that model.
    let croatian = format!("{CROATIAN}\n").repeat(400);
    let made = trained("eng.txt", &croatian, &["--replace"]);
    let pack = made.path().join("made.pack");
    let said = stdout(&losses(pack.to_str().unwrap()).code(1));
    assert!(said.contains("eng\t1\t100.0\t0.0\t100.00\t"), "{said}");
    let done = evaluate(test.path()).arg("--losses").assert().code(2);
    assert!(stderr(&done).contains("--losses needs the packs"), "{}", stderr(&done));
}

#[test]
fn evaluate_audits_the_words_of_models() {
    let test = folder(&NEIGHBOURS);
    let said =
        stdout(&evaluate(test.path()).args(["--audit", "--join", "none"]).assert().success());
    let row = said.lines().find(|row| row.starts_with("fra\t")).unwrap();
    let cells: Vec<&str> = row.split('\t').collect();
    assert_eq!(cells[1..5], ["1", "100.0", "-", "-"], "{row}");
    assert!(cells[5].parse::<f64>().unwrap() > cells[7].parse::<f64>().unwrap(), "{row}");
    assert!(!said.contains("\nhat\t"), "CLD2 has Haitian, no model: {said}");
    assert!(said.contains("\nnot audited, for want of texts: "), "{said}");
}

#[test]
fn identify_answers_every_line_in_order() {
    assert_eq!(identify(""), "");
    assert_eq!(identify("\n"), "und\n");
    assert_eq!(
        identify(format!("{URDU}\n\n{ENGLISH}\r\n1234\n{URDU}")),
        "urd\nund\neng\nund\nurd\n"
    );
    let many = format!("{URDU}\n{ENGLISH}\n").repeat(9000);
    assert!(many.len() > 1 << 20, "more than one read");
    assert_eq!(identify(many), "urd\neng\n".repeat(9000));
}

#[test]
fn identify_takes_a_line_of_names_or_places_for_no_rare_language() {
    for line in [
        "رضایی محمد، کریمی حسین، محمدی زهرا، احمدی فاطمه، هاشمی مریم، جعفری مهدی، نوری سارا",
        "تبریز، خیابان امام خمینی، اصفهان، چهارباغ بالا، شیراز، بلوار زند، رشت، میدان شهرداری",
        "Вологда, Череповец, Сокол, Березники, Чусовой, Кудымкар, Лысьва, Ухта, Печора, Инта",
        "ᐅᑭᓗ ᒥᐸᑐ ᓇᐱᕆ ᑯᓯᐊ ᐳᓂᒪ ᑕᑲᐃ ᕿᓚᑎ ᖃᔪᕐ ᑭᐅᓴ ᐹᓄᒐ",
    ] {
        assert_eq!(identify(line), "und\n", "{line}");
    }
    let sami =
        "Sámi giella lea davvisámegiella ja dat gullá uralalaš giellabearrašii Davvi-Eurohpas.";
    assert_eq!(identify(sami), "sme\n");
}

#[test]
fn identify_reads_a_file_and_says_when_it_cannot() {
    let files = folder(&[("a.txt", URDU)]);
    let done = corpulyzer(["identify".as_ref(), files.path().join("a.txt").as_os_str()])
        .assert()
        .success();
    assert_eq!(stdout(&done), "urd\n");
    let done = corpulyzer(["identify", "/no/such/text"]).assert().code(1);
    assert!(stderr(&done).starts_with("corpulyzer: cannot read /no/such/text: no such file"));
}

#[test]
fn identify_prints_the_spans_of_a_whole_text() {
    let text = format!("{ENGLISH}\n{ENGLISH} {URDU}\n\n1234\n");
    let spans =
        |text: &str| corpulyzer(["identify", "--spans"]).write_stdin(text.as_bytes()).assert();
    let said = stdout(&spans(&text).success());
    let rows: Vec<Vec<&str>> = said.lines().map(|row| row.split('\t').collect()).collect();
    let part = |row: &[&str]| {
        assert!(
            row[3].is_empty() || (0.5..1.0).contains(&row[3].parse::<f64>().unwrap()),
            "{row:?}"
        );
        &text[row[0].parse().unwrap()..row[1].parse().unwrap()]
    };
    assert_eq!(rows.iter().map(|row| row[2]).collect::<Vec<_>>(), ["eng", "urd", "und"]);
    assert_eq!(part(&rows[0]), format!("{ENGLISH}\n{ENGLISH}"));
    assert_eq!(part(&rows[1]), URDU);
    assert_eq!(part(&rows[2]), "1234");
    assert_eq!(stdout(&spans("").success()), "");
    let done = corpulyzer(["identify", "--spans"]).write_stdin(&b"abc \xff"[..]).assert().code(1);
    assert!(stderr(&done).contains("byte 4 is not UTF-8"), "{}", stderr(&done));
    let done = corpulyzer(["identify", "--spans", "--probability"]).assert().code(2);
    assert!(stderr(&done).contains("cannot be used with"), "{}", stderr(&done));
}

#[test]
fn identify_replaces_bytes_that_are_no_text() {
    let mut line = b"\xff\xfe\x80".to_vec();
    line.extend_from_slice(ENGLISH.as_bytes());
    line.extend_from_slice(b"\xe2\x82\n\xf0\x9f\n\0\0\n");
    assert_eq!(identify(line), "eng\nund\nund\n");
}

#[test]
fn identify_refuses_text_that_is_not_utf8_and_warns_of_damaged_lines() {
    let utf16: Vec<u8> =
        format!("{URDU}\n").repeat(3).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let latin1: Vec<u8> = "ñandú año él más allá está aquí también qué día é ñ á\n"
        .repeat(3)
        .chars()
        .map(|c| c as u8)
        .collect();
    for bytes in [utf16, latin1] {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("text.txt");
        fs::write(&file, &bytes).unwrap();
        let done = corpulyzer(["identify", file.to_str().unwrap()]).assert().code(1);
        let said = stderr(&done);
        assert!(said.contains("text.txt: is not text in UTF-8: "), "{said}");
        assert_eq!(stdout(&done), "");
        corpulyzer(["identify"]).write_stdin(bytes).assert().code(1);
    }
    let mut damaged = format!("{ENGLISH}\n").repeat(9).into_bytes();
    damaged[90] = 0xff;
    let done = corpulyzer(["identify"]).write_stdin(damaged).assert().success();
    assert_eq!(stdout(&done), "eng\n".repeat(9));
    assert!(stderr(&done).contains("1 line is not UTF-8, first line 2"), "{}", stderr(&done));
}

#[test]
fn identify_answers_long_lines_up_to_the_limit() {
    let long = format!("{ENGLISH} ").repeat(60_000);
    assert!(long.len() > 4 << 20);
    assert_eq!(identify(format!("{URDU}\n{long}\n{URDU}\n")), "urd\neng\nurd\n");
    for end in ["", "\n", "\nmore\n"] {
        let done = corpulyzer(["identify", "--max-bytes", "1000"])
            .write_stdin(format!("{URDU}\n{}{end}", ENGLISH.repeat(20)))
            .assert()
            .code(1);
        assert_eq!(
            stderr(&done),
            "corpulyzer: standard input: line 2 is longer than 1000 bytes (--max-bytes)\n"
        );
        assert_eq!(stdout(&done), "urd\n", "what came before is answered");
    }
}

#[test]
fn identify_answers_allowed_languages_alone() {
    let answers = |allowed: &str| {
        let done = corpulyzer(["identify", "--allowed", allowed])
            .write_stdin(format!("{URDU}\n{ENGLISH}\n"))
            .assert();
        stdout(&done.success())
    };
    assert_eq!(answers("urd,fas"), "urd\nund\n");
    assert_eq!(answers("en"), "und\neng\n");
    let done = corpulyzer(["identify", "--identifier", "cld2", "--allowed", "urd,skr"])
        .write_stdin("")
        .assert()
        .code(2);
    let said = stderr(&done);
    assert_eq!(
        said,
        "corpulyzer: --allowed is `skr` (Saraiki), a language that cld2/20140204 cannot return\n"
    );
}

#[cfg(unix)]
#[test]
fn identify_answers_a_line_before_the_next_is_written_and_heeds_a_closed_pipe() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;
    let mut child = program()
        .arg("identify")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut to, mut from) =
        (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for (text, code) in [(URDU, "urd\n"), (ENGLISH, "eng\n")] {
        writeln!(to, "{text}").unwrap();
        let mut answer = String::new();
        from.read_line(&mut answer).unwrap();
        assert_eq!(answer, code);
    }
    drop(from);
    // The child may be gone before all of it is written.
    let _ = to.write_all(format!("{URDU}\n").repeat(1000).as_bytes());
    drop(to);
    let ended = child.wait_with_output().unwrap();
    assert_eq!(
        (ended.status.code(), String::from_utf8(ended.stderr).unwrap().as_str()),
        (Some(0), "")
    );
}

#[test]
fn evaluation_tables_every_language_and_flags_few_texts() {
    let urdu = format!("{URDU}\n").repeat(300);
    let test = folder(&[
        ("ur.txt", &urdu),
        ("eng.txt", &format!("{ENGLISH}\n\n1234\n{ENGLISH}\n{URDU}\n")),
        ("skr.txt", &format!("{URDU}\n")),
        ("notes.md", "passed over"),
    ]);
    let report = stdout(&evaluate_cld2(test.path()).assert().success());
    assert!(report.starts_with("# cld2/20140204: 1"), "{report}");
    for row in [
        "eng\t4*\t100.0\t50.0\t66.7\turd\t25.0\t25.0\t0.0",
        "skr-\t1*\t-\t0.0\t0.0\turd\t100.0\t0.0\t-",
        // Precision 300 of 302; contamination (0.25 + 1) / (0.25 + 1 + 1).
        "urd\t300\t99.3\t100.0\t99.7\t-\t-\t0.0\t55.6",
        "*: fewer than 300 texts (2 languages)",
        "skr\turd\t1\t100.0\t0.0",
        "4 words\t",
        "25 characters\t",
        "whole texts\t83.2\t83.3\t55.4",
    ] {
        let found = report
            .lines()
            .any(|line| line == row || (row.ends_with('\t') && line.starts_with(row)));
        assert!(found, "{row:?} is not in\n{report}");
    }
    let json = stdout(&evaluate_cld2(test.path()).arg("--json").assert().success());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let figures = &json["identifiers"][0];
    assert_eq!(figures["texts"], 305);
    assert_eq!(figures["per_language"][1]["precision"], serde_json::Value::Null);
    assert_eq!(figures["per_language"][2]["few"], false);
}

#[test]
fn evaluation_counts_joined_codes_as_one_language() {
    let test = folder(&[("hrv.txt", CROATIAN), ("srp.txt", CROATIAN), ("eng.txt", ENGLISH)]);
    let joined = stdout(&evaluate_cld2(test.path()).assert().success());
    assert!(joined.contains("hbs\t2*\t100.0\t100.0\t100.0\t"), "{joined}");
    let apart = stdout(&evaluate_cld2(test.path()).args(["--join", "none"]).assert().success());
    assert!(
        apart.contains("hrv\t1*\t-\t0.0\t0.0\tbos\t") && apart.contains("srp\tbos\t1\t100.0\t-"),
        "{apart}"
    );
    let only = stdout(&evaluate_cld2(test.path()).args(["--only", "bos,eng"]).assert().success());
    assert!(only.contains("hbs\t2*\t") && only.contains("eng\t1*\t"), "{only}");
}

#[test]
fn evaluation_of_a_group_names_languages_without_texts() {
    let test = folder(&[("urd.txt", URDU), ("eng.txt", ENGLISH)]);
    let done =
        evaluate_cld2(test.path()).args(["--only", "arabic15", "--words", "4"]).assert().success();
    assert!(stdout(&done).contains("1 of the 1 in the test; 1 texts, 4 words\n"));
    assert!(stderr(&done).contains("no texts in skr (Saraiki)\n"));
}

#[test]
fn evaluation_weighs_languages_by_a_prior() {
    let test = folder(&[
        ("urd.txt", URDU),
        ("skr.txt", URDU),
        ("eng.txt", ENGLISH),
        ("prior.tsv", "ur\t90\nskr\t10\n"),
    ]);
    let prior = test.path().join("prior.tsv");
    let done = evaluate_cld2(test.path()).arg("--prior").arg(&prior).assert().success();
    assert!(
        stdout(&done).contains("urd\t1*\t50.0\t100.0\t66.7\t-\t-\t0.0\t10.0\n"),
        "{}",
        stdout(&done)
    );
    assert!(stderr(&done).ends_with("no weight, taken as 0: eng\n"));
    for (content, expected) in [
        ("urd 5\n", "line 1: is not like `urd<TAB>0.5`"),
        ("\nxyzzy\t5\n", "line 2: language code `xyzzy` is unknown"),
        ("urd\t-1\n", "line 1: the weight is no number from 0 to 1e18"),
        ("urd\tNaN\n", "line 1: the weight is no number from 0 to 1e18"),
    ] {
        fs::write(&prior, content).unwrap();
        let done = evaluate_cld2(test.path()).arg("--prior").arg(&prior).assert().code(1);
        assert!(stderr(&done).contains(expected), "{}", stderr(&done));
    }
}

#[test]
fn several_identifiers_are_chosen_from() {
    let test = folder(&[("urd.txt", URDU), ("skr.txt", URDU)]);
    let mut command = evaluate(test.path());
    let done = command
        .args(["--identifier", "cld2", "--identifier", "cld2", "--target", "urd"])
        .assert()
        .success();
    assert!(stdout(&done).contains("length\topen\tclosed\tall\ttarget P\tR\tF1\n"));
    assert!(
        stdout(&done).contains("whole texts\t66.7\t100.0\t33.3\t50.0\t100.0\t66.7\n"),
        "{}",
        stdout(&done)
    );
    assert!(stdout(&done).ends_with(
        "choice: cld2/20140204, the least contamination with a recall of at least 60.0\n"
    ));
    let done = evaluate(test.path()).args(["--target", "eng"]).assert().code(1);
    assert_eq!(stderr(&done), "corpulyzer: --target is `eng` (English), which has no texts\n");
}

#[test]
fn identifiers_are_trained_from_a_folder() {
    let train = folder(&[("urd.txt", URDU), ("eng.txt", ENGLISH), ("hrv.txt", CROATIAN)]);
    for identifier in ["heli", "w2c-short", "models"] {
        let done = corpulyzer(["identify", "--identifier", identifier, "--train"])
            .arg(train.path())
            .write_stdin(format!("{CROATIAN}\n{URDU}\n\n{ENGLISH}\n"))
            .assert()
            .success();
        assert_eq!(stdout(&done), "hrv\nurd\nund\neng\n", "{identifier}");
    }
    let mut command = evaluate(train.path());
    let done = command
        .args(["--identifier", "heli,models,combined,cld2,w2c", "--train"])
        .arg(train.path())
        .assert()
        .success();
    let report = stdout(&done);
    assert!(report.contains("\nhbs\t1*\t100.0\t100.0\t100.0\t"), "{report}");
    for identifier in ["heli", "w2c"] {
        let done = corpulyzer(["identify", "--identifier", identifier]).assert().code(2);
        let expected =
            format!("corpulyzer: identifier `{identifier}` is trained from texts: name their folder (--train)\n");
        assert_eq!(stderr(&done), expected);
    }
    let done = corpulyzer(["identify", "--train"]).arg(train.path()).assert().code(2);
    assert_eq!(
        stderr(&done),
        "corpulyzer: identifier `combined` does not learn from --train; allowed are models, heli, w2c, w2c-short, trigrams\n"
    );
    let done = corpulyzer(["identify", "--identifier", "heli", "--train", "/no/such/folder"])
        .assert()
        .code(1);
    assert!(stderr(&done).starts_with("corpulyzer: cannot read /no/such/folder: no such folder"));
    let done =
        corpulyzer(["identify", "--pack"]).arg(train.path().join("urd.txt")).assert().code(1);
    assert!(stderr(&done).contains("urd.txt: is not a language pack"), "{}", stderr(&done));
    let empty = folder(&[]);
    let done = corpulyzer(["identify", "--identifier", "w2c", "--train"])
        .arg(empty.path())
        .assert()
        .code(1);
    assert!(stderr(&done).contains("no texts; files are named after languages"));
}

#[test]
fn answers_of_another_program_are_measured_like_ours() {
    let texts = format!("{URDU}\n\n{URDU}\n");
    let test = folder(&[
        ("urd.txt", &texts),
        ("hrv.txt", CROATIAN),
        ("srp.txt", CROATIAN),
        ("skr.txt", URDU),
    ]);
    let peer = folder(&[
        ("urd.txt", "urd_Arab\nxx-Arab\n"),
        ("hrv.txt", "hrv\n"),
        ("srp.txt", "__label__hrv_Latn"),
        ("skr.txt", "ur\n"),
        ("languages", "ur\nhr\nen\nun\nxx-Arab\n"),
    ]);
    let done = evaluate(test.path()).arg("--answers").arg(peer.path()).assert().success();
    let report = stdout(&done);
    assert!(
        report.contains(": 3 languages, 2 of the 3 in the test; 5 texts, whole texts\n"),
        "{report}"
    );
    assert!(report.contains("\nurd\t2*\t50.0\t50.0\t50.0\t-\t-\t50.0\t66.7\n"), "{report}");
    assert!(report.contains("\nhbs\t2*\t100.0\t100.0\t100.0\t"), "{report}");
    assert!(!report.contains("cld2"), "not asked for");
    let done =
        evaluate(test.path()).args(["--words", "4", "--answers"]).arg(peer.path()).assert().code(1);
    assert!(stderr(&done)
        .contains("results of other programs are for whole texts; omit --words and --chars"));
    fs::write(peer.path().join("urd.txt"), "ur\nUrdu, probably\n").unwrap();
    let done = evaluate(test.path()).arg("--answers").arg(peer.path()).assert().code(1);
    let expected =
        ": found `Urdu, probably` among the results for urd; allowed is one language code \
                    on each line (--answers)\n";
    assert!(stderr(&done).ends_with(expected), "{}", stderr(&done));
    fs::write(peer.path().join("urd.txt"), "ur\n").unwrap();
    let done = evaluate(test.path()).arg("--answers").arg(peer.path()).assert().code(1);
    assert!(stderr(&done).ends_with(": 1 results for 2 texts in urd\n"), "{}", stderr(&done));
    let done = evaluate(test.path()).args(["--answers", "/no/such/folder"]).assert().code(1);
    assert!(stderr(&done).starts_with("corpulyzer: cannot read /no/such/folder: no such folder"));
}

#[test]
fn mixed_pages_show_the_error_of_the_count() {
    let test = folder(&[("urd.txt", URDU), ("skr.txt", URDU), ("eng.txt", ENGLISH)]);
    let mixed = |more: &[&str]| {
        let mut command = evaluate_cld2(test.path());
        command.args(["--mixed", "--target", "ur", "--pages", "3"]).args(more);
        stdout(&command.assert().success())
    };
    let report = mixed(&[]);
    assert!(
        report.starts_with(
            "# cld2/20140204: error of the bytes of urd on pages with another language; "
        ),
        "{report}"
    );
    for row in [
        "eng\t10.0\t1\t0.0\t0.0",
        "eng\t90.0\t4\t0.0\t0.0",
        // The Urdu texts under another code: 18 paragraphs of them beside 2 of the target.
        "skr\t10.0\t1\t900.0\t900.0",
        "skr\t50.0\t4\t100.0\t100.0",
        "mean\t50.0\t4\t50.0\t50.0",
    ] {
        assert!(report.lines().any(|line| line == row), "{row:?} is not in\n{report}");
    }
    let json: serde_json::Value = serde_json::from_str(&mixed(&["--json"])).unwrap();
    assert_eq!(json["mixed"][0]["rows"].as_array().unwrap().len(), 18);
    let done = evaluate_cld2(test.path()).args(["--mixed", "--target", "fas"]).assert().code(1);
    assert_eq!(stderr(&done), "corpulyzer: --target is `fas` (Persian), which has no texts\n");
}

#[test]
fn a_test_folder_that_is_none_is_refused() {
    let said = |test: &Path| stderr(&evaluate(test).assert().code(1));
    assert!(said(Path::new("/no/such/folder"))
        .starts_with("corpulyzer: cannot read /no/such/folder: no such folder"));
    let empty = folder(&[("README", "")]);
    assert!(
        said(empty.path()).contains("no texts; files are named after languages, such as urd.txt")
    );
    let blank = folder(&[("urd.txt", "\n \n")]);
    assert!(said(blank.path()).contains("no texts; "));
    let unknown = folder(&[("xyzzy.txt", ENGLISH)]);
    assert!(
        said(unknown.path()).contains("xyzzy.txt: language code `xyzzy` is unknown; allowed are")
    );
    let undetermined = folder(&[("und.txt", ENGLISH)]);
    assert!(said(undetermined.path()).contains("und.txt: `und` is not a language of texts"));
    let large = folder(&[("eng.txt", ENGLISH)]);
    let done = evaluate(large.path()).args(["--max-bytes", "9"]).assert().code(1);
    assert!(stderr(&done).contains("eng.txt: longer than 9 bytes (--max-bytes)"));
    let nested = folder(&[]);
    fs::create_dir(nested.path().join("eng.txt")).unwrap();
    assert!(said(nested.path()).contains("eng.txt: is not a regular file"));
}

#[test]
fn texts_of_a_test_may_hold_what_is_no_utf8() {
    let test = folder(&[]);
    fs::write(
        test.path().join("eng.txt"),
        [b"\xff\xfe", ENGLISH.as_bytes(), b"\n\xf0\x9f\n"].concat(),
    )
    .unwrap();
    assert!(stdout(&evaluate(test.path()).assert().success()).contains("eng\t2*\t100.0\t50.0\t"));
}

#[test]
fn bad_usage_is_one_sentence_and_exit_code_2() {
    let cases: [(&[&str], &str); 14] = [
        (
            &["identify", "--identifier", "magic"],
            "identifier `magic` is unknown; allowed are combined, models, cld2, stop-words, heli",
        ),
        (&["identify", "--allowed", "urd,xyzzy"], "language code `xyzzy` is unknown; allowed are"),
        (&["evaluate-langid"], "--test <DIR>"),
        (
            &["evaluate-langid", "--test", "x", "--identifier", "cld2,magic"],
            "identifier `magic` is unknown",
        ),
        (
            &["evaluate-langid", "--test", "x", "--words", "4", "--chars", "9"],
            "cannot be used with",
        ),
        (
            &["evaluate-langid", "--test", "x", "--words", "0"],
            "allowed are whole numbers from 1 to 4294967295",
        ),
        (
            &["evaluate-langid", "--test", "x", "--only", "arabic16"],
            "language code `arabic16` is unknown",
        ),
        (
            &["evaluate-langid", "--test", "x", "--join", "hbs"],
            "join `hbs` is neither `usual` or `none` nor like",
        ),
        (&["evaluate-langid", "--test", "x", "--mixed"], "--target <CODE>"),
        (&["evaluate-langid", "--test", "x", "--declared", "ur"], "--mixed"),
        (
            &["evaluate-langid", "--test", "x", "--mixed", "--target", "ur", "--shares", "7"],
            "allowed are multiples of 5 from 0 to 100",
        ),
        (
            &["evaluate-langid", "--test", "x", "--mixed", "--target", "ur", "--words", "4"],
            "cannot be used with",
        ),
        (
            &["evaluate-langid", "--test", "x", "--overlap", "y", "--mixed", "--target", "ur"],
            "cannot be used with",
        ),
        (
            &["evaluate-langid", "--test", "x", "--min-recall", "60"],
            "allowed are numbers from 0 to 1",
        ),
    ];
    for (arguments, expected) in cases {
        let done = corpulyzer(arguments).assert().code(2);
        let said = stderr(&done);
        assert!(said.contains(expected), "{said}");
        assert!(said.starts_with("corpulyzer: ") && said.trim_end().lines().count() == 1, "{said}");
    }
}

#[test]
fn identify_prints_the_probability_of_a_language() {
    let mut command = corpulyzer(["identify", "--probability"]);
    let done = command.write_stdin(format!("{URDU}\n1234\n")).assert().success();
    let said = stdout(&done);
    let rows: Vec<&str> = said.lines().collect();
    let probability: f64 = rows[0].strip_prefix("urd\t").expect("Urdu").parse().expect("a share");
    assert!((0.9..=1.0).contains(&probability), "{said}");
    assert_eq!(rows[1], "und\t", "{said}");
}

#[test]
fn evaluate_shows_how_many_results_are_right_by_their_probability() {
    let test = folder(&[("urd.txt", URDU), ("eng.txt", URDU)]);
    let done = evaluate(test.path()).arg("--calibration").assert().success();
    let said = stdout(&done);
    assert!(said.contains(": 2 results with a probability; mean difference "), "{said}");
    assert!(said.ends_with("\t50.0\n"), "{said}");
    let done = evaluate_cld2(test.path()).arg("--calibration").assert().code(1);
    assert!(stderr(&done).contains("`cld2` has no probabilities"), "{}", stderr(&done));
}
