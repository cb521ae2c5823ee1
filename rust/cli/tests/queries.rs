//! `corpulyzer queries` as a user meets it.

use crate::common::{corpulyzer, stderr, stdout, Out as _};
use std::fs;
use tempfile::TempDir;

/// Words that are identified as Urdu.
const WORDS: &str = "کتاب شہر پانی لوگ وقت زبان ملک سڑک بازار استاد درخت موسم بارش کہانی شاعر اخبار حکومت عوام علاقے بچوں عورتوں کسان مزدور \
                 پولیس عدالت فیصلہ وزیر صوبائی اسمبلی انتخابات ووٹ جماعت رہنما تقریر جلسے ہسپتال ڈاکٹر مریض دوائی علاج تعلیم سکول \
                 طلبہ امتحان نتائج کھلاڑی میچ ٹیم کرکٹ رنز وکٹ باؤلر بلے باز سیریز فتح شکست";

/// Words in Urdu's letters, each three times.
fn made_up(words: usize) -> String {
    let letters: Vec<char> = "بپتجچدرسشکگلمنوہ".chars().collect();
    let word = |number: usize| -> String {
        [number % 16, number / 16 % 16, (number * 7) % 16, (number * 5) % 16]
            .iter()
            .map(|&at| letters[at])
            .collect()
    };
    (0..words).map(|number| format!("{} ", word(number)).repeat(3)).collect()
}

#[test]
fn queries_are_tuples_of_words_that_read_like_the_language() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.txt"), format!("{WORDS}\n").repeat(3)).unwrap();
    let text = folder.path().to_str().unwrap();
    let draw = |more: &[&str]| {
        let done = corpulyzer(["queries", "--text", text, "--language", "ur", "--count", "9"])
            .args(more)
            .assert()
            .success();
        (stdout(&done), stderr(&done))
    };
    let (queries, said) = draw(&[]);
    assert_eq!(queries.lines().count(), 9, "{queries}");
    assert!(queries
        .lines()
        .all(|query| query.split(' ').count() == 3
            && query.split(' ').all(|word| WORDS.contains(word))));
    assert!(said.starts_with("corpulyzer: queries: 9, of "), "{said}");
    assert_eq!(draw(&[]).0, queries);
    assert_ne!(draw(&["--seed", "2"]).0, queries);
    assert!(draw(&["--words", "5"]).0.lines().all(|query| query.split(' ').count() == 5));
}

#[test]
fn phrases_are_in_quotation_marks_and_need_more_text() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("a.txt");
    let draw = || {
        let text = file.to_str().unwrap();
        corpulyzer(["queries", "--text", text, "--language", "ur", "--count", "9", "--phrases"])
            .assert()
    };
    let words: Vec<&str> =
        "یہ ہے کہ نے کے لیے میں اور کی ایک اس پر کو بھی سے تھا".split(' ').collect();
    let lines: String = (0..words.len().pow(3))
        .map(|n| {
            let word = |place: u32| words[n / words.len().pow(place) % words.len()];
            format!("{} {} {}\n", word(0), word(1), word(2))
        })
        .collect();
    fs::write(&file, &lines).unwrap();
    let queries = stdout(&draw().success());
    assert_eq!(queries.lines().count(), 9, "{queries}");
    for query in queries.lines() {
        let phrase = query.strip_prefix('"').unwrap().strip_suffix('"').unwrap();
        assert!(lines.lines().any(|line| line == phrase), "{query}");
    }
    fs::write(&file, &lines[..2000]).unwrap();
    let said = stderr(&draw().code(1));
    assert!(
        said.contains("but 50 are needed; that is 3 % of the different phrases of 3 words"),
        "{said}"
    );
}

#[test]
fn too_little_text_is_told_in_a_sentence() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("a.txt");
    let refused = |text: &str| {
        fs::write(&file, text).unwrap();
        let done = corpulyzer(["queries", "--text", file.to_str().unwrap(), "--language", "ur"])
            .assert()
            .code(1);
        let said = stderr(&done);
        assert_eq!(said.trim_end().lines().count(), 1, "{said}");
        said
    };
    assert!(refused(&made_up(40)).contains("has 36 words of medium frequency, but 50 are needed"));
    assert!(refused("").ends_with("a.txt: is empty (--text)\n"));
}

#[cfg(unix)]
#[test]
fn a_command_answers_the_queries_and_its_urls_are_seeds() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.txt"), format!("{WORDS}\n").repeat(3)).unwrap();
    let engine = |script: &str| {
        fs::write(path("engine"), format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(path("engine"), fs::Permissions::from_mode(0o755)).unwrap();
        let text = path("a.txt");
        corpulyzer(["queries", "--language", "ur", "--count", "3", "--text"])
            .arg(text)
            .arg("--search")
            .arg(format!("{} --key k;touch", path("engine").display()))
            .out(path("seeds.txt"))
            .current_dir(folder.path())
            .assert()
    };
    let log = path("log");
    let good = format!(
        "echo \"$#|$1|$2|$3\" >> {}; echo '{{\"items\":[{{\"link\":\"http://a.pk/1\"}}]}}'; \
         echo 'see http://b.pk/2.'",
        log.display()
    );
    let said = stderr(&engine(&good).success());
    assert!(said.contains("queries: 3 sent, 0 of them without an answer"), "{said}");
    let seeds = fs::read_to_string(path("seeds.txt")).unwrap();
    assert_eq!(seeds, "http://a.pk/1\tsource=search\nhttp://b.pk/2\tsource=search\n");
    let log = fs::read_to_string(log).unwrap();
    assert_eq!(log.lines().count(), 3);
    assert!(log.lines().all(|line| line.starts_with("3|--key|k;touch|")), "no shell: {log}");
    // A query without an answer is a loss: the seeds are partial, and the old ones stay.
    let once = "[ -e once ] && exit 7; touch once; echo http://c.pk/";
    let said = stderr(&engine(once).code(1));
    assert!(said.contains("2 of them without an answer"), "{said}");
    assert_eq!(fs::read_to_string(path("seeds.txt")).unwrap(), seeds);
    assert!(fs::read_to_string(path("seeds.txt.partial")).unwrap().starts_with("http://c.pk/"));
    let said = stderr(&engine("echo nothing").code(1));
    assert!(said.contains("has a URL; nothing was written"), "{said}");
}
