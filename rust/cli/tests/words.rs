//! `corpulyzer words` as a user meets it.

use crate::common::{corpulyzer, stderr};
use std::fs;
use tempfile::TempDir;

#[test]
fn words_are_listed_by_frequency_and_by_what_sets_corpora_apart() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let page = |number: usize, text: &str, decision: &str| {
        format!("{{\"url\":\"http://a.pk/{number}\",\"text\":\"{text}\",\"languages\":{{\"urd\":9}},\"decision\":\"{decision}\"}}\n")
    };
    fs::write(
        path("one.jsonl"),
        page(1, "کتاب ہے، کتاب؛ اور «کتاب» ہے", "keep") + &page(2, "نہیں", "reject"),
    )
    .unwrap();
    fs::write(path("other.jsonl"), page(1, "قلم ہے اور ہے قلم ہے", "keep")).unwrap();
    let words = |name: &str, more: &[&str]| {
        let mut command =
            corpulyzer(["words", &path("one.jsonl"), "--language", "ur", "--out", &path(name)]);
        let said = stderr(&command.args(more).assert().success());
        (fs::read_to_string(path(name)).unwrap(), said)
    };
    let (list, said) = words("one.tsv", &[]);
    assert_eq!(list, "کتاب\t3\nہے\t2\nاور\t1\n");
    assert!(said.contains("6 words, 3 different; 3 in the list: "), "{said}");
    let (compared, said) = words("compared.tsv", &["--against", &path("other.jsonl")]);
    // 3 of 6 beside none of 6: 6 ln 2; 2 of none: 4 ln 2; 2 and 3 of 2.5 each: .20; once in both:
    // 0.
    let lines: Vec<&str> = compared.lines().collect();
    assert_eq!(
        lines[0],
        "word\tsign\tlog_likelihood\tcount\tper_million\tother_count\tother_per_million"
    );
    assert_eq!(lines[1], "کتاب\t+\t4.16\t3\t500000.00\t0\t0.00");
    assert_eq!(lines[2], "قلم\t-\t2.77\t0\t0.00\t2\t333333.33");
    assert_eq!(lines[3], "ہے\t-\t0.20\t2\t333333.33\t3\t500000.00");
    assert_eq!(lines[4..], ["اور\t+\t0.00\t1\t166666.67\t1\t166666.67"]);
    assert!(said.contains("6 words, compared with 6, 3 different; 4 in the list"), "{said}");
    // A list that was written is as good as its corpus.
    let mut command = corpulyzer([
        "words",
        &path("other.jsonl"),
        "--language",
        "ur",
        "--out",
        &path("other.tsv"),
    ]);
    command.assert().success();
    assert_eq!(words("again.tsv", &["--against", &path("other.tsv")]).0, compared);
    let (some, _) = words("some.tsv", &["--against", &path("other.tsv"), "--min-count", "3"]);
    assert_eq!(some.lines().count(), 3, "{some}");
}

#[test]
fn a_corpus_to_compare_with_that_has_no_words_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let page = "{\"url\":\"http://a.pk/1\",\"text\":\"کتاب ہے\",\"languages\":{\"urd\":9}}\n";
    fs::write(path("one.jsonl"), page).unwrap();
    fs::write(path("bad.tsv"), "کتاب\t3\nمیز\n").unwrap();
    fs::write(path("empty.jsonl"), "").unwrap();
    for (against, sentence) in [
        (path("bad.tsv"), "bad.tsv, line 2: is not a word, a tab and a count (--against)"),
        (path("empty.jsonl"), "the input has no words; nothing was written (--against)"),
        ("-".to_owned(), "-: cannot be read twice; name a file (--against)"),
        (path("missing"), "missing: no such file (--against)"),
    ] {
        let mut command = corpulyzer([
            "words",
            &path("one.jsonl"),
            "--language",
            "ur",
            "--out",
            &path("new.tsv"),
        ]);
        let said = stderr(&command.args(["--against", &against]).assert().code(1));
        assert!(said.trim_end().ends_with(sentence), "{said}");
    }
    assert!(!folder.path().join("new.tsv").exists());
}

#[test]
fn no_word_of_a_list_becomes_a_formula() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(
        path("c.jsonl"),
        "{\"url\":\"http://a.pk/\",\"text\":\"قلم\",\"languages\":{\"urd\":9}}\n",
    )
    .unwrap();
    // A list of somebody else's, and then one that was written from it.
    fs::write(path("theirs.tsv"), "=cmd()\t3\n@a\u{1b}[2J\t2\n-b\t1\n").unwrap();
    let against = |list: &str| {
        let mut command =
            corpulyzer(["words", &path("c.jsonl"), "--language", "ur", "--against", &path(list)]);
        command.args(["--out", &path("out.tsv")]).assert().success();
        let lines = fs::read_to_string(path("out.tsv")).unwrap();
        lines
            .lines()
            .skip(1)
            .map(|line| line.split('\t').next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let first = against("theirs.tsv");
    for word in ["'=cmd()", "'@a [2J", "'-b"] {
        assert!(first.iter().any(|known| known == word), "{first:?}");
    }
    fs::write(path("ours.tsv"), "'=cmd()\t3\n'@a [2J\t2\n'-b\t1\n").unwrap();
    assert_eq!(against("ours.tsv"), first, "what was written is read back");
}

/// The sequences of words of a text by brute force, for texts without punctuation within sentences.
fn by_hand(text: &str, length: usize) -> std::collections::BTreeMap<String, u64> {
    let mut counts = std::collections::BTreeMap::new();
    for sentence in text.split(['۔', '\n']) {
        let words: Vec<&str> = sentence.split_whitespace().collect();
        words.windows(length).for_each(|words| *counts.entry(words.join(" ")).or_default() += 1);
    }
    counts
}

#[test]
fn sequences_of_words_are_those_that_brute_force_counts() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let words = ["کتاب", "ہے", "اور", "قلم", "web"];
    let text: String = (0..600usize)
        .map(|at| {
            let end = if at % 13 == 12 { "۔" } else { " " };
            format!("{}{end}", words[(at * at / 7 + at) % 5])
        })
        .collect();
    let (one, other) = text.split_at(text.find('۔').unwrap() + '۔'.len_utf8());
    let page = |number: usize, text: &str| {
        format!("{{\"url\":\"http://a.pk/{number}\",\"text\":\"{text}\",\"languages\":{{\"urd\":9}}}}\n")
    };
    let both = page(1, &format!("{one}\\n{other}")) + &page(2, one);
    fs::write(path("corpus.jsonl"), both).unwrap();
    for length in 1..=4 {
        let out = path("list.tsv");
        let mut command = corpulyzer(["words", &path("corpus.jsonl"), "--language", "urdu"]);
        command.args(["--ngrams", &length.to_string(), "--out", &out]).assert().success();
        let list = fs::read_to_string(&out).unwrap();
        let counts: Vec<u64> =
            list.lines().map(|line| line.split('\t').nth(1).unwrap().parse().unwrap()).collect();
        assert!(counts.is_sorted_by(|a, b| a >= b));
        let listed = list.lines().map(|line| line.split_once('\t').unwrap());
        let listed: std::collections::BTreeMap<String, u64> =
            listed.map(|(words, count)| (words.to_owned(), count.parse().unwrap())).collect();
        assert_eq!(listed, by_hand(&format!("{text}\n{one}"), length), "{length}");
    }
    let refused = corpulyzer(["words", "x", "--language", "ur", "--out", "y", "--ngrams", "6"]);
    let said = stderr(&{ refused }.assert().code(2));
    assert!(said.contains("--ngrams"), "{said}");
}
