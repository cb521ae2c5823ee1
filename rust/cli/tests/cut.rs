//! Tests of the verbs on inputs that are cut off or damaged.

use crate::common::{corpulyzer, stderr, stdout};
use flate2::write::GzEncoder;
use flate2::Compression;
use std::fs;
use std::io::Write;
use std::path::Path;
use tempfile::TempDir;

const URDU: &str = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے۔";

/// Returns a corpus of this number of pages. Each page has different words, and a part that cannot
/// be compressed well.
fn corpus(pages: usize) -> String {
    let mut random = fastrand::Rng::with_seed(1);
    let mut noise = || -> String { (0..400).map(|_| random.alphanumeric()).collect() };
    let page = |number: usize| {
        // Sentences that differ in numbers alone are the same.
        let name: String = number
            .to_string()
            .bytes()
            .map(|digit| {
                ['ا', 'ب', 'ت', 'ج', 'د', 'ر', 'س', 'ش', 'ص', 'ط'][usize::from(digit - b'0')]
            })
            .collect();
        let text = format!("{URDU} اس صفحے کا نام {name} ہے۔\n").repeat(6);
        let page = serde_json::json!({"url": format!("http://a.pk/{number}"), "text": text.trim_end(), "noise": noise()});
        format!("{page}\n")
    };
    (0..pages).map(page).collect()
}

/// Inputs that are cut, by the ending of their name.
fn cuts() -> Vec<(&'static str, Vec<u8>)> {
    let text = corpus(1500).into_bytes();
    let zstandard = zstd::encode_all(&*text, 1).unwrap();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(&text).unwrap();
    let gzip = gzip.finish().unwrap();
    let whole = |wanted: usize| {
        text.split_inclusive(|&byte| byte == b'\n').take(wanted).map(<[u8]>::len).sum::<usize>()
    };
    vec![
        ("jsonl.zst", zstandard[..zstandard.len() / 2].to_vec()),
        ("jsonl.gz", gzip[..gzip.len() / 2].to_vec()),
        ("jsonl", text[..whole(700) + 300].to_vec()),
    ]
}

/// The command lines of verbs: `IN` is the input, `OUT` the output.
const VERBS: [(&str, &str); 7] = [
    ("rejudge IN --language ur --out OUT --rejected REST", "OUT"),
    ("deduplicate IN --language ur --out OUT --dropped REST --percent 100", "OUT"),
    ("sentences IN --language ur --out OUT", "OUT"),
    ("words IN --language ur --out OUT", "OUT"),
    ("seeds IN --language ur --out OUT", "OUT"),
    ("report IN --language ur --out FOLDER", "FOLDER/report.json"),
    ("audit draw IN --language ur --out SHEET", "SHEET"),
];

fn command(verb: &str, folder: &Path, input: &Path) -> assert_cmd::Command {
    corpulyzer(verb.split(' ').map(|word| match word {
        "IN" => input.to_owned().into_os_string(),
        "OUT" | "REST" | "FOLDER" | "SHEET" => folder.join(word).into_os_string(),
        word => word.into(),
    }))
}

#[test]
fn what_an_input_that_is_cut_had_goes_beside_the_good_output_of_before() {
    for (ending, cut) in cuts() {
        for (verb, out) in VERBS {
            let folder = TempDir::new().unwrap();
            let input = folder.path().join(format!("in.{ending}"));
            fs::write(&input, corpus(3)).unwrap();
            command(verb, folder.path(), &input).assert().success();
            let good = fs::read(folder.path().join(out)).unwrap();
            fs::write(&input, &cut).unwrap();
            if verb.starts_with("audit") {
                // A sheet is never replaced in any case.
                fs::remove_file(folder.path().join(out)).unwrap();
            }
            let said = stderr(&command(verb, folder.path(), &input).assert().code(1));
            assert!(
                said.contains("an input was not read to its end: the readable part goes to "),
                "{verb}, {ending}: {said}"
            );
            assert!(said.contains(".partial; "), "{verb}: {said}");
            let beside = match out.split_once('/') {
                Some((out, file)) => folder.path().join(format!("{out}.partial")).join(file),
                None => folder.path().join(format!("{out}.partial")),
            };
            let beside = fs::read(beside).unwrap();
            assert!(beside.len() > good.len(), "{verb}, {ending}: what is whole is there");
            if verb.starts_with("audit") {
                assert!(!folder.path().join(out).exists());
                let said = stderr(&command(verb, folder.path(), &input).assert().code(1));
                assert!(said.contains("SHEET.partial: exists already"), "{said}");
            } else {
                assert!(
                    fs::read(folder.path().join(out)).unwrap() == good,
                    "{verb}, {ending}: the one before stays"
                );
            }
            if verb.contains("REST") {
                assert!(
                    folder.path().join("REST.partial").exists()
                        && folder.path().join("REST").exists(),
                    "{verb}"
                );
            }
        }
    }
}

#[test]
fn an_input_that_is_cut_within_a_line_that_is_too_long_is_incomplete() {
    let mut random = fastrand::Rng::with_seed(2);
    let long: String = (0..1 << 20).map(|_| random.alphanumeric()).collect();
    let text = format!("{}{{\"text\":\"{long}\"}}\n{}", corpus(3), corpus(4)).into_bytes();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(&text).unwrap();
    let whole =
        [("jsonl.zst", zstd::encode_all(&*text, 1).unwrap()), ("jsonl.gz", gzip.finish().unwrap())];
    for (ending, whole) in whole {
        let folder = TempDir::new().unwrap();
        let input = folder.path().join(format!("in.{ending}"));
        fs::write(&input, &whole[..whole.len() / 2]).unwrap();
        let words = "words IN --language ur --out OUT --max-bytes 100000";
        let said = stderr(&command(words, folder.path(), &input).assert().code(1));
        assert!(said.contains("1 place where compressed data is damaged"), "{ending}: {said}");
        assert!(!folder.path().join("OUT").exists(), "{ending}");
    }
}

#[test]
fn what_is_given_away_is_whole_or_is_not() {
    for (ending, cut) in cuts() {
        let folder = TempDir::new().unwrap();
        let (input, out) =
            (folder.path().join(format!("in.{ending}")), folder.path().join("package"));
        fs::write(&input, &cut).unwrap();
        let package = "package IN --language ur --contact me@example.org --out FOLDER";
        let said = stderr(&command(package, folder.path(), &input).assert().code(1));
        assert!(
            said.contains("a release must be complete; nothing was written"),
            "{ending}: {said}"
        );
        assert!(!out.exists());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
    }
    let folder = TempDir::new().unwrap();
    let input = folder.path().join("ur.txt.zst");
    let sentences: String = (0..2000).map(|number| format!("{URDU} {number}\n")).collect();
    let packed = zstd::encode_all(sentences.as_bytes(), 1).unwrap();
    fs::write(&input, &packed[..packed.len() / 2]).unwrap();
    let package = "package IN --language ur --contact me@example.org --out FOLDER";
    command(package, folder.path(), &input).assert().code(1);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
}

#[test]
fn standard_output_gets_what_is_whole_and_the_exit_code_says_the_rest() {
    let folder = TempDir::new().unwrap();
    let input = folder.path().join("in.jsonl");
    let text = corpus(3);
    fs::write(&input, text.trim_end().strip_suffix('}').unwrap()).unwrap();
    let done = command("deduplicate IN --language ur --out - --percent 100", folder.path(), &input)
        .assert()
        .code(1);
    assert_eq!(stdout(&done).lines().count(), 2);
    assert!(
        stderr(&done).contains("in all: skipped 1 record that the input's end cuts short\n"),
        "{}",
        stderr(&done)
    );
    let done = command("calibrate IN --language ur", folder.path(), &input).assert().code(1);
    assert!(stdout(&done).contains("text in it on 2 of 2 pages\n"), "{}", stdout(&done));
    // A last line without an end is whole if its object is.
    fs::write(&input, text.trim_end()).unwrap();
    let done = command("deduplicate IN --language ur --out - --percent 100", folder.path(), &input)
        .assert()
        .success();
    assert_eq!(stdout(&done).lines().count(), 3);
}

#[test]
fn one_wrong_line_among_good_ones_costs_itself_alone() {
    let folder = TempDir::new().unwrap();
    let input = folder.path().join("in.jsonl");
    fs::write(&input, corpus(2) + "{\"text\":\n" + &corpus(4)).unwrap();
    let rejudge = "rejudge IN --language ur --out OUT --rejected REST";
    let said = stderr(&command(rejudge, folder.path(), &input).assert().success());
    assert!(said.contains("in all: skipped 1 line that is not a page in JSON\n"), "{said}");
    assert!(said.contains("corpulyzer: 6 records, "), "{said}");
}

#[test]
fn what_is_read_is_never_replaced() {
    for (verb, _) in VERBS.into_iter().filter(|(verb, _)| verb.contains("OUT")) {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("OUT");
        let good = corpus(3);
        fs::write(&file, &good).unwrap();
        // Named itself, by its folder, and by a link.
        fs::write(folder.path().join("in.jsonl"), &good).unwrap();
        std::os::unix::fs::symlink(&file, folder.path().join("link.jsonl")).unwrap();
        for input in ["OUT", "./OUT", "link.jsonl", "."] {
            let said =
                stderr(&command(verb, folder.path(), &folder.path().join(input)).assert().code(1));
            assert!(
                said.contains(
                    "OUT: is an input, so it cannot be the output; name another file (--out)"
                ),
                "{verb}: {said}"
            );
            assert!(fs::read_to_string(&file).unwrap() == good);
        }
    }
}

#[test]
fn what_is_made_of_a_part_does_not_replace_it() {
    let folder = TempDir::new().unwrap();
    let part = folder.path().join("OUT.partial");
    let good = corpus(3);
    fs::write(&part, &good[..good.len() - 9]).unwrap();
    for (verb, _) in VERBS.into_iter().filter(|(verb, _)| verb.contains("OUT")) {
        let said = stderr(&command(verb, folder.path(), &part).assert().code(1));
        assert!(
            said.contains(
                "OUT.partial: is an input, and the result of a damaged input would go there"
            ),
            "{verb}: {said}"
        );
        assert_eq!(fs::read_to_string(&part).unwrap(), good[..good.len() - 9]);
    }
}

#[test]
fn a_folder_and_a_file_beside_a_table_cannot_be_standard_output() {
    let folder = TempDir::new().unwrap();
    let input = folder.path().join("in.jsonl");
    fs::write(&input, corpus(3)).unwrap();
    for verb in [
        "report IN --language ur --out -",
        "package IN --language ur --contact me@example.org --out -",
        "simulate --pages 100 --hosts 10 --rounds 1 --draws 1 --svg -",
    ] {
        let said = stderr(
            &command(verb, folder.path(), &input).current_dir(folder.path()).assert().code(2),
        );
        assert!(
            said.contains("-: this output must be a file, not standard output; name a file (--"),
            "{verb}: {said}"
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{verb}");
    }
}

#[test]
fn an_output_can_be_standard_output() {
    let folder = TempDir::new().unwrap();
    let input = folder.path().join("in.jsonl");
    fs::write(&input, corpus(3)).unwrap();
    for verb in [
        "sentences IN --language ur --out",
        "words IN --language ur --out",
        "seeds IN --language ur --out",
        "vertical IN --language ur --out",
        "audit draw IN --language ur --seed 1 --out",
    ] {
        let run = |out: &str| {
            let mut run = command(verb, folder.path(), &input);
            run.arg(out).current_dir(folder.path()).assert().success().get_output().stdout.clone()
        };
        let printed = run("-");
        assert!(!printed.is_empty(), "{verb}");
        run("file");
        assert_eq!(fs::read(folder.path().join("file")).unwrap(), printed, "{verb}");
        fs::remove_file(folder.path().join("file")).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{verb}");
    }
    // The part that was read is printed too; the exit code says that it is a part.
    fs::write(&input, &corpus(3)[..corpus(3).len() - 9]).unwrap();
    let mut run = command("sentences IN --language ur --out -", folder.path(), &input);
    assert!(!run.assert().code(1).get_output().stdout.is_empty());
}

#[test]
fn what_is_named_twice_is_read_once() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("in.jsonl");
    fs::write(&file, corpus(3).replace("\"url\"", "\"id\"")).unwrap();
    for (verb, said_of) in [
        ("rejudge IN IN --language ur --out OUT --rejected REST", "corpulyzer: 3 records, "),
        ("sentences IN IN --language ur --out OUT", "corpulyzer: 3 pages, "),
        ("report IN IN --language ur --out FOLDER", "corpulyzer: 3 pages from "),
        (
            "package IN IN --language ur --contact me@example.org --out SHEET",
            "corpulyzer: 3 pages with ",
        ),
    ] {
        let said =
            stderr(&command(verb, folder.path(), &file).arg(folder.path()).assert().success());
        assert!(
            said.contains("in.jsonl: is named twice, and read once") && said.contains(said_of),
            "{verb}: {said}"
        );
    }
}

#[test]
fn what_records_hold_does_a_terminal_no_harm() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("in.jsonl");
    let page = serde_json::json!({"url": format!("http://a.pk/\u{1b}]0;x\u{7}\u{9b}{}", "x".repeat(100_000)), "text": URDU});
    fs::write(&file, format!("{page}\n{page}\n")).unwrap();
    let said = stderr(
        &command("words IN --language ur --out OUT", folder.path(), &file).assert().success(),
    );
    assert!(
        said.contains("an earlier record has the URL http://a.pk/\u{fffd}]0;x\u{fffd}\u{fffd}xxx"),
        "{said}"
    );
    assert!(!said.chars().any(|c| c.is_control() && c != '\n') && said.len() < 10_000);
    let list = folder.path().join("list");
    fs::write(&list, "a.pk\n\u{1b}[31m b\n").unwrap();
    let mut seeds = command("seeds IN --language ur --out OUT --without", folder.path(), &file);
    assert!(stderr(&seeds.arg(&list).assert().code(1))
        .contains("list, line 2: `\u{fffd}[31m b` is neither a host"));
}

#[test]
fn of_nothing_nothing_is_written() {
    let nothing: [(&str, &[u8]); 5] = [
        ("in.jsonl", b""),
        ("in.jsonl", b"\n\n"),
        ("in.jsonl.zst", b""),
        ("in.jsonl.gz", b""),
        ("in.jsonl.zst", b"\x28\xb5"),
    ];
    for (name, content) in nothing {
        for (verb, out) in VERBS {
            let folder = TempDir::new().unwrap();
            let input = folder.path().join(name);
            fs::write(&input, content).unwrap();
            if verb.starts_with("report") && name == "in.jsonl" {
                continue; // A report says so in its headline.
            }
            if !verb.starts_with("audit") && !verb.starts_with("report") {
                fs::write(folder.path().join(out), "good").unwrap();
            }
            let said = stderr(&command(verb, folder.path(), &input).assert().code(1));
            if !verb.starts_with("audit") && !verb.starts_with("report") {
                assert_eq!(fs::read(folder.path().join(out)).unwrap(), b"good", "{verb}: {said}");
            }
            assert!(!folder.path().join(format!("{out}.partial")).exists(), "{verb}: {said}");
        }
    }
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("OUT"), "good").unwrap();
    let mut rejudge =
        command("rejudge - --language ur --out OUT --rejected REST", folder.path(), Path::new("-"));
    let said = stderr(&rejudge.write_stdin("").assert().code(1));
    assert!(said.contains("the input has no record; nothing was written"), "{said}");
    assert_eq!(fs::read(folder.path().join("OUT")).unwrap(), b"good");
}
