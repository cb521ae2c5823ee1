//! Outputs that are also inputs, or other outputs: no file is lost.

use crate::common::{corpulyzer, stderr};
use std::fs;
use std::io::Read as _;
use std::path::Path;
use tempfile::TempDir;

const URDU: &str = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے۔";

/// A folder with the files named.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, content) in files {
        fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

fn corpus() -> String {
    let page = |number: usize| {
        format!(
            "{{\"url\":\"http://a.pk/{number}\",\"text\":\"{URDU}\",\"languages\":{{\"urd\":700}},\"decision\":\"keep\"}}\n"
        )
    };
    (0..3).map(page).collect()
}

/// Runs a command line that must fail, and returns its message.
fn refusal(folder: &Path, line: &str, code: i32) -> String {
    stderr(&corpulyzer(line.split(' ')).current_dir(folder).assert().code(code))
}

/// Checks that a command line is refused because the file is an input, and does not change it.
fn keeps_input(folder: &Path, line: &str, file: &str) {
    let before = fs::read(folder.join(file)).unwrap();
    let said = refusal(folder, line, 1);
    assert!(said.contains(&format!("{file}: is an input, so it cannot be the output")), "{said}");
    assert!(fs::read(folder.join(file)).unwrap() == before, "{line}");
}

#[test]
fn a_pack_a_word_list_and_a_model_are_not_replaced_by_what_is_made_with_them() {
    let varieties =
        |ending: &str| format!("bal{ending} dor ni gam{ending} kel\nfin lum{ending} mar\n");
    let folder = folder(&[
        ("c.jsonl", &corpus()),
        ("texts/urd.txt", URDU),
        ("w/urd.tsv", "کتاب\t7\nشہر\t5\n"),
        ("kinds/north.txt", &varieties("anka").repeat(30)),
        ("kinds/south.txt", &varieties("olt").repeat(30)),
    ]);
    let run = |line: &str| {
        corpulyzer(line.split(' ')).current_dir(folder.path()).assert().success();
    };
    run("train --text texts --out u.pack");
    run("train --varieties --language urd --text kinds --out v.model");
    let verbs = [
        "words c.jsonl",
        "sentences c.jsonl",
        "seeds c.jsonl",
        "vertical c.jsonl",
        "deduplicate c.jsonl",
        "deduplicate --lines c.jsonl",
        "rejudge c.jsonl --rejected rest",
        "quality annotate c.jsonl --varieties --variety-model v.model",
    ];
    for verb in verbs {
        let line = format!("{verb} --language urd --pack u.pack --out");
        keeps_input(folder.path(), &format!("{line} u.pack"), "u.pack");
    }
    let annotate = "quality annotate c.jsonl --language urd --varieties --variety-model v.model";
    keeps_input(folder.path(), &format!("{annotate} --out v.model"), "v.model");
    keeps_input(folder.path(), "train --words w --out w/urd.tsv", "w/urd.tsv");
    // A pack beside the lists may be replaced.
    for _ in 0..2 {
        run("train --words w --out w/urd.pack");
    }
}

#[test]
fn one_file_for_two_outputs_is_refused() {
    let folder = folder(&[
        ("c.jsonl", &corpus()),
        ("s.tsv", "judgement\tpage\turl\ttext\ny\t1\thttp://a.pk/1\tx\n"),
        ("i.cdxj", "pk,a)/ 20260101000000 {\"url\":\"http://a.pk/\",\"languages\":\"urd\"}\n"),
    ]);
    let cases = [
        ("audit draw c.jsonl --language ur --out n --html ./n", "--out", "--html"),
        ("audit count s.tsv --verdicts n --verified n --language ur", "--verdicts", "--verified"),
        ("audit count s.tsv --verdicts n --changes n", "--verdicts", "--changes"),
        ("seeds --index i.cdxj --language ur --out s --hosts n --table n", "--hosts", "--table"),
        ("seeds --index i.cdxj --language ur --out n --hosts n", "--out", "--hosts"),
        ("deduplicate c.jsonl --language ur --out n --dropped n", "--out", "--dropped"),
        ("rejudge c.jsonl --language ur --out n --rejected n", "--out", "--rejected"),
    ];
    for (line, first, second) in cases {
        let said = refusal(folder.path(), line, 2);
        let sentence = format!("n: is {first} already; name another file ({second})\n");
        assert!(said.ends_with(&sentence), "{line}: {said}");
        assert!(!folder.path().join("n").exists());
    }
    let line = "seeds --index i.cdxj --language ur --out i.cdxj";
    keeps_input(folder.path(), line, "i.cdxj");
}

/// The content of a file, without its compression.
fn unpacked(file: &Path) -> String {
    let content = fs::read(file).unwrap();
    let text = match file.extension().unwrap().to_str().unwrap() {
        "zst" => zstd::decode_all(content.as_slice()).unwrap(),
        "gz" => {
            let mut text = Vec::new();
            flate2::read::GzDecoder::new(content.as_slice()).read_to_end(&mut text).unwrap();
            text
        }
        _ => content,
    };
    String::from_utf8(text).unwrap()
}

#[test]
fn an_output_is_compressed_if_its_name_says_so_or_refused() {
    let folder = folder(&[
        ("c.jsonl", &corpus()),
        ("s.tsv", "judgement\tpage\turl\ttext\nn\t1\thttp://a.pk/1\tx\n"),
        ("i.cdxj", "pk,a)/ 20260101000000 {\"url\":\"http://a.pk/\",\"languages\":\"urd\"}\n"),
        ("texts/urd.txt", URDU),
    ]);
    let run = |line: &str, code: i32| {
        stderr(&corpulyzer(line.split(' ')).current_dir(folder.path()).assert().code(code))
    };
    let verbs = [
        "sentences c.jsonl --language ur --out OUT",
        "words c.jsonl --language ur --out OUT",
        "seeds c.jsonl --language ur --out OUT",
        "seeds --index i.cdxj --language ur --out seeds --hosts OUT",
        "seeds --index i.cdxj --language ur --out seeds --table OUT",
        "audit draw c.jsonl --language ur --out OUT",
        "audit count s.tsv --verdicts OUT",
        "deduplicate c.jsonl --language ur --out rest --survival OUT",
    ];
    for (number, verb) in verbs.into_iter().enumerate() {
        let written = ["plain", "gz", "zst"].map(|ending| {
            let out = format!("{number}.{ending}");
            run(&verb.replace("OUT", &out), 0);
            unpacked(&folder.path().join(out))
        });
        assert!(!written[0].is_empty() && written.iter().all(|text| *text == written[0]), "{verb}");
    }
    run("audit count 5.gz", 0);
    let line = "sentences c.jsonl --language ur --without 6.zst --out 0.plain";
    assert!(run(line, 0).contains(" 1 excluded by --without"));
    let verbs = [
        "cdx c.jsonl --out OUT",
        "quality derive c.jsonl --language ur --out OUT",
        "train --text texts --out OUT",
    ];
    for verb in verbs {
        let said = run(&verb.replace("OUT", "o.gz"), 2);
        let sentence =
            "o.gz: this output is not compressed; name a file without .gz or .zst (--out)\n";
        assert!(said.ends_with(sentence), "{said}");
    }
}

#[test]
fn a_compressed_output_of_a_damaged_input_is_compressed_too() {
    let folder = folder(&[]);
    let text = corpus();
    let cut = zstd::encode_all(text.as_bytes(), 1).unwrap();
    fs::write(folder.path().join("c.jsonl.zst"), [&cut[..], &cut[..cut.len() / 2]].concat())
        .unwrap();
    let mut command = corpulyzer(["words", "c.jsonl.zst", "--language", "ur", "--out", "w.zst"]);
    command.current_dir(folder.path()).assert().code(1);
    let written = fs::read(folder.path().join("w.zst.partial")).unwrap();
    let words = String::from_utf8(zstd::decode_all(written.as_slice()).unwrap()).unwrap();
    assert!(words.contains("کی\t"), "{words}");
}
