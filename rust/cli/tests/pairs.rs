//! `corpulyzer pairs` as a user meets it.

use crate::common::{corpulyzer, stderr, stdout};
use std::fs;
use tempfile::TempDir;

fn page(language: &str, url: &str, alternates: &[&str]) -> String {
    let alternates: Vec<String> =
        alternates.iter().map(|url| format!("{{\"language\":\"x\",\"url\":\"{url}\"}}")).collect();
    let other = if language == "urd" { "eng" } else { "urd" };
    format!(
        "{{\"url\":\"{url}\",\"text\":\"a text\",\"languages\":{{\"{other}\":10,\"{language}\":300}},\"alternates\":[{}]}}\n",
        alternates.join(",")
    )
}

#[test]
fn pairs_are_found_over_several_corpora_with_their_evidence() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let urdu = [
        page("urd", "http://a.pk/ur/1", &["http://a.pk/en/1"]),
        page("urd", "http://b.pk/khabar", &["http://b.com/news"]),
        page("urd", "http://c.pk/2", &[]),
        page("urd", "http://d.pk/3", &["http://d.pk/ur/3"]),
        page("urd", "http://d.pk/ur/3", &[]),
    ];
    let english = [
        page("eng", "https://a.pk/en/1", &["https://a.pk/ur/1"]),
        page("eng", "http://b.com/news", &[]),
        page("eng", "http://c.pk/2?lang=en", &[]),
        // A page of both corpora.
        page("urd", "http://c.pk/2", &[]),
    ];
    fs::write(path("urd.jsonl"), urdu.concat()).unwrap();
    fs::write(path("eng.jsonl"), english.concat()).unwrap();
    let expected = "language\turl\tother_language\tother_url\tevidence\n\
                    eng\thttps://a.pk/en/1\turd\thttp://a.pk/ur/1\threflang-both+url\n\
                    eng\thttp://b.com/news\turd\thttp://b.pk/khabar\threflang\n\
                    eng\thttp://c.pk/2?lang=en\turd\thttp://c.pk/2\turl\n";
    let outcome = corpulyzer(["pairs", &path("urd.jsonl"), &path("eng.jsonl")]).assert().success();
    assert_eq!(stdout(&outcome), expected);
    assert!(stderr(&outcome).contains("eng and urd: 3 pairs"), "{}", stderr(&outcome));
    corpulyzer(["pairs", &path("eng.jsonl"), &path("urd.jsonl"), "--out", &path("pairs.tsv")])
        .assert()
        .success();
    assert_eq!(fs::read_to_string(path("pairs.tsv")).unwrap(), expected);
}

#[test]
fn a_url_is_no_formula_of_a_spreadsheet() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [formula, lines] = ["=HYPERLINK(1)", "http://b.pk/\\u2028\\u001b[2J"];
    fs::write(path("urd.jsonl"), page("urd", "http://a.pk/", &[formula, lines])).unwrap();
    let english = [page("eng", formula, &[]), page("eng", lines, &[])];
    fs::write(path("eng.jsonl"), english.concat()).unwrap();
    let outcome = corpulyzer(["pairs", &path("urd.jsonl"), &path("eng.jsonl")]).assert().success();
    let table = stdout(&outcome);
    assert_eq!(table.lines().count(), 3, "{table}");
    assert!(table.contains("eng\t'=HYPERLINK(1)\turd\t"), "{table}");
    assert!(table.contains("eng\thttp://b.pk/  [2J\turd\t"), "{table}");
}

#[test]
fn a_page_that_names_thousands_of_versions_makes_few_pairs() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let urls: Vec<String> = (0..2000).map(|number| format!("http://a.pk/{number}")).collect();
    let named: Vec<&str> = urls.iter().map(String::as_str).collect();
    fs::write(path("urd.jsonl"), page("urd", "http://b.pk/", &named)).unwrap();
    let english: String = named.iter().map(|url| page("eng", url, &[])).collect();
    fs::write(path("eng.jsonl"), english).unwrap();
    let outcome = corpulyzer(["pairs", &path("urd.jsonl"), &path("eng.jsonl")]).assert().success();
    assert_eq!(stdout(&outcome).lines().count(), 257, "the first 256 and the head");
}

#[test]
fn corpora_in_one_language_and_outputs_that_are_read_are_refused() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("urd.jsonl"), page("urd", "http://a.pk/1", &[])).unwrap();
    let said =
        stderr(&corpulyzer(["pairs", &path("urd.jsonl"), "--out", &path("out")]).assert().code(1));
    assert!(
        said.contains("the pages are in urd; pairs need corpora in two or more languages"),
        "{said}"
    );
    let said = stderr(
        &corpulyzer(["pairs", &path("urd.jsonl"), "--out", &path("urd.jsonl")]).assert().code(1),
    );
    assert!(said.contains("is an input, so it cannot be the output"), "{said}");
    assert!(!folder.path().join("out").exists());
}

#[test]
fn sentences_of_pairs_are_aligned_in_a_table_and_in_tmx() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let page = |language: &str, other: &str, text: &str| {
        format!(
            "{{\"url\":\"http://a.pk/{language}\",\"text\":\"{text}\",\"languages\":{{\"{language}\":300}},\
             \"alternates\":[{{\"language\":\"x\",\"url\":\"http://a.pk/{other}\"}}]}}\n"
        )
    };
    let german =
        "Am Montag kam der alte Zug aus Lahore mit 300 Gästen an. Das Wetter war schön.\\n\
                  In Quetta warteten 40 Händler mit <Waren> auf dem Markt.";
    let english = "On Monday the old train from Lahore came with 300 guests.\\n\
                   In Quetta 40 traders waited with <goods> on the market.";
    fs::write(path("deu.jsonl"), page("deu", "eng", german)).unwrap();
    fs::write(path("eng.jsonl"), page("eng", "deu", english)).unwrap();
    let pairs = |sentences: &str, more: &[&str]| {
        let mut command = corpulyzer(["pairs", &path("deu.jsonl"), &path("eng.jsonl")]);
        command
            .args(["--out", &path("pairs.tsv"), "--sentences", &path(sentences)])
            .args(more)
            .assert()
    };
    let said = stderr(&pairs("s.tsv", &["--min-score", ".1"]).success());
    assert!(said.contains("deu and eng: 2 sentences of 2 aligned"), "{said}");
    let table = fs::read_to_string(path("s.tsv")).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows[0][..4], ["language", "sentence", "other_language", "other_sentence"]);
    assert!(rows[1][1].contains("Lahore") && rows[1][3].contains("Lahore"), "{table}");
    assert!(rows[2][1].contains("Quetta") && rows[2][3].contains("Quetta"), "{table}");
    assert!(!table.contains("Wetter"), "it has no translation: {table}");
    assert_eq!(rows[1][5..], ["http://a.pk/deu", "http://a.pk/eng"]);
    pairs("s.tmx", &["--min-score", ".1"]).success();
    let memory = fs::read_to_string(path("s.tmx")).unwrap();
    assert!(memory.starts_with("<?xml ") && memory.ends_with("</body></tmx>\n"), "{memory}");
    assert!(memory.contains("srclang=\"de\""));
    assert_eq!(memory.matches("<tu>").count(), 2);
    assert_eq!(memory.matches("&lt;Waren&gt;").count(), 1);
    assert!(stderr(&pairs("s.tsv", &["--min-score", "2"]).code(2)).contains("from 0 to 1"));
    assert!(stderr(&pairs("pairs.tsv", &[]).code(2)).contains("is --out already"));
}
