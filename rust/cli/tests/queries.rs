//! `corpulyzer queries` as a user meets it.

use crate::common::{corpulyzer, stderr, stdout};
use std::fs;
use tempfile::TempDir;

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
    let words = "کتاب شہر پانی لوگ وقت زبان ملک سڑک بازار استاد درخت موسم بارش کہانی شاعر اخبار حکومت عوام علاقے بچوں عورتوں کسان مزدور \
                 پولیس عدالت فیصلہ وزیر صوبائی اسمبلی انتخابات ووٹ جماعت رہنما تقریر جلسے ہسپتال ڈاکٹر مریض دوائی علاج تعلیم سکول \
                 طلبہ امتحان نتائج کھلاڑی میچ ٹیم کرکٹ رنز وکٹ باؤلر بلے باز سیریز فتح شکست";
    fs::write(folder.path().join("a.txt"), format!("{words}\n").repeat(3)).unwrap();
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
            && query.split(' ').all(|word| words.contains(word))));
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
