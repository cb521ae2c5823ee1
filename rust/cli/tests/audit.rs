//! Tests of `corpulyzer audit` on the command line.

use crate::common::{corpulyzer, stderr, stdout};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A corpus of ten pages, every fifth rejected, and one that is gone.
fn corpus(folder: &Path) -> String {
    let page = |number: usize| {
        let decision = if [0, 5].contains(&number) { "reject" } else { "keep" };
        format!("{{\"url\":\"http://a.pk/{number}\",\"text\":\"صفحہ {number}\",\"languages\":{{\"urd\":9}},\"decision\":\"{decision}\"}}\n")
    };
    let file = folder.join("corpus.jsonl");
    let gone =
        "{\"url\":\"http://a.pk/gone\",\"gone\":true}\n{\"url\":\"http://a.pk/empty\",\"languages\":{\"urd\":9}}\n";
    fs::write(&file, (0..10).map(page).collect::<String>() + gone).unwrap();
    file.to_str().unwrap().to_owned()
}

/// The sheet with these judgements, one after the other.
fn judged(sheet: &str, judgements: &[&str]) -> String {
    let mut lines = sheet.lines();
    let head = lines.next().unwrap().to_owned();
    let rows = lines.zip(judgements).map(|(line, judgement)| format!("{judgement}{line}"));
    std::iter::once(head).chain(rows).collect::<Vec<_>>().join("\r\n")
}

#[test]
fn a_sheet_that_is_named_twice_is_one_judge() {
    let folder = TempDir::new().unwrap();
    let sheet = "judgement\tpage\turl\ttext\ny\t1\thttp://a.pk/1\tx\nn\t2\thttp://a.pk/2\tx\n";
    fs::write(folder.path().join("s.tsv"), sheet).unwrap();
    let count = |sheets: &[&str]| {
        let mut command = corpulyzer(["audit", "count"]);
        command.args(sheets).current_dir(folder.path()).assert().success()
    };
    let twice = count(&["s.tsv", "./s.tsv"]);
    assert_eq!(stdout(&twice), stdout(&count(&["s.tsv"])));
    assert_eq!(stderr(&twice), "corpulyzer: ./s.tsv: is named twice, and read once\n");
}

#[test]
fn a_sheet_without_a_judgement_is_named_and_left_out() {
    let folder = TempDir::new().unwrap();
    let empty = "judgement\tpage\turl\ttext\n\t1\thttp://a.pk/1\tx\n?\t2\thttp://a.pk/2\tx\n";
    fs::write(folder.path().join("empty.tsv"), empty).unwrap();
    let filled = empty.replace("\n\t1", "\ny\t1").replace("\n?", "\nn");
    fs::write(folder.path().join("filled.tsv"), filled).unwrap();
    let count = |sheets: &[&str]| {
        corpulyzer(["audit", "count"]).args(sheets).current_dir(folder.path()).assert()
    };
    let both = count(&["filled.tsv", "empty.tsv"]).success();
    assert_eq!(stdout(&both), stdout(&count(&["filled.tsv"]).success()));
    let said = stderr(&both);
    assert!(said.starts_with("corpulyzer: empty.tsv: no page has a judgement, so"), "{said}");
    assert_eq!(stderr(&count(&["empty.tsv"]).success()), "", "none has one yet");
}

#[test]
fn pages_are_drawn_judged_and_counted() {
    let folder = TempDir::new().unwrap();
    let corpus = corpus(folder.path());
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let sheet = path("sheet.tsv");
    let done = corpulyzer(["audit", "draw", &corpus, "--language", "ur", "--out", &sheet])
        .assert()
        .success();
    assert!(stderr(&done).contains("8 of 8 pages: "), "{}", stderr(&done));
    let drawn = fs::read_to_string(&sheet).unwrap();
    assert_eq!(drawn.lines().count(), 9);
    assert!(
        drawn.contains("\thttp://a.pk/1\t¶ صفحہ 1\n")
            && !drawn.contains("a.pk/5")
            && !drawn.contains("gone")
    );

    fs::write(path("ann.tsv"), judged(&drawn, &["y", "y", "y", "y", "y", "n", "n", "?"])).unwrap();
    fs::write(path("ben.tsv"), judged(&drawn, &["y", "y", "y", "y", "n", "n", "n", ""])).unwrap();
    let said = stdout(
        &corpulyzer(["audit", "count", &path("ann.tsv"), &path("ben.tsv")]).assert().success(),
    );
    // Yes 4, no 2, one split, one without a judgement. Both judges agree on 6 of 7 pages, and 9 of
    // the 14 votes are yes, so kappa is (6/7 - .5408) / (1 - .5408).
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines[..2],
        ["pages            8, sheets: 2", "judged           6, 2 undecided"],
        "{said}"
    );
    assert_eq!(lines[2], "yes              4 = 66.7 %, 95 % interval 30.0 to 90.3", "{said}");
    assert_eq!(lines[3], "by all           7, all agree on 85.7 %", "{said}");
    assert!(lines[4].starts_with("agreement     0.69 "), "{said}");
    assert!(
        lines[5] == "no               2:"
            && lines[6].starts_with("  http://a.pk/")
            && lines.len() == 8,
        "{said}"
    );
}

#[test]
fn what_was_rejected_has_a_sheet_of_its_own() {
    let folder = TempDir::new().unwrap();
    let corpus = corpus(folder.path());
    let draw = |name: &str, more: &[&str]| {
        let out = folder.path().join(name);
        let mut command = corpulyzer([
            "audit",
            "draw",
            &corpus,
            "--language",
            "ur",
            "--out",
            out.to_str().unwrap(),
        ]);
        command.args(more).assert().success();
        fs::read_to_string(&out).unwrap()
    };
    let rejected = draw("rejected.tsv", &["--rejected"]);
    assert!(rejected.lines().count() == 3 && rejected.contains("http://a.pk/5\t"), "{rejected}");
    let two = draw("two.tsv", &["--pages", "2", "--seed", "3"]);
    assert_eq!(two.lines().count(), 3);
    assert_eq!(two, draw("again.tsv", &["--pages", "2", "--seed", "3"]));
    assert_ne!(two, draw("others.tsv", &["--pages", "2", "--seed", "4"]));
}

/// The way of Suki's portal: what people said of pages decides what the next corpus is built of.
/// A record of a page whose text differs from those of other numbers.
fn numbered_page(url: &str, number: usize) -> String {
    let far = "دور ".repeat(number);
    format!("{{\"url\":\"{url}\",\"text\":\"شہر کی پرانی لائبریری میں کل شام {number} مشاعرے ہوئے جن میں {far} سے لوگ آئے اور دیر تک بیٹھے رہے۔\"}}\n")
}

#[test]
fn refused_pages_are_listed_and_hosts_as_a_whole() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let rows = "n\t0\thttp://a.pk/1\ny\t1\thttp://a.pk/10\nn\t2\thttp://bad.pk/1\n\
                n\t3\thttp://bad.pk/2\n";
    let head = "judgement\tpage\turl\n".to_owned();
    fs::write(path("ann.tsv"), head.clone() + rows).unwrap();
    // A split vote refuses nothing.
    fs::write(path("ben.tsv"), head + "y\t3\thttp://bad.pk/2\nn\t4\t\n").unwrap();
    let count = |more: &[&str]| {
        let mut command = corpulyzer([
            "audit",
            "count",
            &path("ann.tsv"),
            &path("ben.tsv"),
            "--verdicts",
            &path("list.txt"),
        ]);
        let said = stderr(&command.args(more).assert().success());
        (said, fs::read_to_string(path("list.txt")).unwrap())
    };
    let (said, list) = count(&[]);
    assert_eq!(list, "=http://a.pk/1\n=http://bad.pk/1\n");
    assert!(
        said.contains(
            "listed 0 hosts as a whole (at least 3 refused pages, no accepted page), 2 pages of other hosts; 1 without a URL: "
        ),
        "{said}"
    );
    let (_, list) = count(&["--whole-host", "1"]);
    assert_eq!(
        list, "=http://a.pk/1\nhttp://bad.pk/\nhttps://bad.pk/\n",
        "of a.pk a page was accepted"
    );
    let refused = stderr(
        &corpulyzer(["audit", "count", &path("ann.tsv"), "--whole-host", "2"]).assert().code(2),
    );
    assert!(refused.contains("--verdicts"), "{refused}");
}

#[test]
fn what_people_refused_is_left_out_of_the_next_build() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let names = ["a.pk/1", "a.pk/10", "bad.pk/1", "bad.pk/2", "bad.pk/3", "c.pk/1"];
    let pages: Vec<String> = (2..)
        .zip(names)
        .map(|(number, name)| numbered_page(&format!("http://{name}"), number))
        .collect();
    fs::write(path("corpus.jsonl"), pages.concat()).unwrap();
    fs::write(path("list.txt"), "=http://a.pk/1\nhttp://bad.pk/\nhttps://bad.pk/\n").unwrap();
    let build = |verb: &str, out: &str| {
        let mut command = corpulyzer([
            verb,
            &path("corpus.jsonl"),
            "--language",
            "ur",
            "--without",
            &path("list.txt"),
        ]);
        let said = stderr(&command.args(["--out", &path(out)]).assert().success());
        (said, fs::read_to_string(path(out)).unwrap())
    };
    let (said, out) = build("deduplicate", "clean.jsonl");
    assert_eq!(out, pages[1].clone() + &pages[5], "{said}");
    assert!(said.contains("excluded 4 pages by --without"), "{said}");
    let (said, out) = build("sentences", "ur.txt");
    assert_eq!(out.lines().count(), 2, "{out}");
    assert!(said.contains("2 pages, and 4 excluded by --without, 2 whole sentences"), "{said}");
}

#[test]
fn nobodys_work_is_overwritten_and_what_is_no_sheet_is_named() {
    let folder = TempDir::new().unwrap();
    let corpus = corpus(folder.path());
    let there = folder.path().join("there.tsv");
    fs::write(&there, "judgement\tpage\turl\nmaybe\t1\tx\n").unwrap();
    let there = there.to_str().unwrap();
    let refused = |arguments: &[&str]| {
        let done = corpulyzer(arguments).assert().code(1);
        let said = stderr(&done);
        assert!(said.starts_with("corpulyzer: ") && said.trim_end().lines().count() == 1, "{said}");
        said
    };
    assert!(refused(&["audit", "draw", &corpus, "--language", "ur", "--out", there])
        .contains("exists already"));
    let said = refused(&["audit", "count", there]);
    assert!(
        said.contains("there.tsv: row 2: the judgement `maybe` is unknown; allowed are y, n, other, mixed, empty, spam"),
        "{said}"
    );
    assert!(
        refused(&["audit", "count", &corpus]).contains("the first line has no column `judgement`")
    );
    let out = folder.path().join("x.tsv");
    let empty = folder.path().join("empty.jsonl");
    fs::write(&empty, "").unwrap();
    let (out, empty) = (out.to_str().unwrap(), empty.to_str().unwrap());
    assert!(refused(&["audit", "draw", empty, "--language", "ur", "--out", out])
        .contains("the input has no page with text"));
    assert!(!Path::new(out).exists());
}

#[test]
fn judges_see_sentences_of_the_language_and_pages_without_them_are_not_drawn() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let sentence =
        |n: usize| format!("شہر کی پرانی لائبریری میں کل شام {n} لوگ مشاعرہ سننے کے لیے آئے تھے۔");
    let english = "The old library of the town was open to all of its people yesterday evening.";
    let page = |name: &str, lines: &[String]| {
        let text = lines.join("\\n");
        format!("{{\"url\":\"http://a.pk/{name}\",\"text\":\"{text}\"}}\n")
    };
    let many: Vec<String> = (0..9).map(sentence).collect();
    let corpus = [
        page("many", &many),
        page("two", &many[..2]),
        page("same", &vec![many[0].clone(); 9]),
        page("menu", &["گھر".into(), "خبریں".into(), "رابطہ".into(), "تلاش".into()]),
        page("english", &vec![english.to_owned(); 9]),
    ];
    fs::write(path("c.jsonl"), corpus.concat()).unwrap();
    let draw = |out: &str, least: &str| {
        let out = path(out);
        let mut command = corpulyzer(["audit", "draw", "--language", "ur", "--sentences", least]);
        command.arg(path("c.jsonl")).args(["--out", &out]).assert()
    };
    let said = stderr(&draw("three.tsv", "3").success());
    assert!(
        said.contains("of 5 pages by lot, 1 have at least 3 complete sentences in Urdu"),
        "{said}"
    );
    let sheet = fs::read_to_string(path("three.tsv")).unwrap();
    assert_eq!(sheet.lines().count(), 2, "{sheet}");
    let row = sheet.lines().nth(1).unwrap();
    assert!(row.contains("http://a.pk/many") && row.matches('¶').count() == 3, "{row}");
    draw("two.tsv", "2").success();
    assert_eq!(fs::read_to_string(path("two.tsv")).unwrap().lines().count(), 3);
    let said = stderr(&draw("ten.tsv", "10").failure());
    assert!(said.contains("no page has 10 complete sentences in Urdu"), "{said}");
    assert!(!Path::new(&path("ten.tsv")).exists());
}

/// Verdicts flow back: a page in another language moves to the corpus of that language, whatever
/// the models find.
/// A folder with a corpus of four pages in Urdu, `c.jsonl`.
fn four_pages() -> TempDir {
    let folder = TempDir::new().unwrap();
    let text = ["شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے۔"; 5]
        .join("\\n");
    let page = |name: &str| {
        format!("{{\"url\":\"http://a.pk/{name}\",\"text\":\"{text}\",\"decision\":\"keep\"}}\n")
    };
    let corpus = ["good", "other", "spam", "unseen"].map(page).concat();
    fs::write(folder.path().join("c.jsonl"), corpus).unwrap();
    folder
}

/// Runs `rejudge` on `c.jsonl` for a language with the list `verified.tsv`.
fn rejudged(folder: &TempDir, language: &str) -> assert_cmd::assert::Assert {
    corpulyzer(["rejudge", "c.jsonl", "--language", language, "--out", "kept.jsonl"])
        .args(["--rejected", "left", "--judged", "verified.tsv"])
        .current_dir(folder.path())
        .assert()
}

/// The names of the pages that [`rejudged`] keeps.
fn kept(folder: &TempDir, language: &str) -> Vec<String> {
    rejudged(folder, language).success();
    let kept = fs::read_to_string(folder.path().join("kept.jsonl")).unwrap();
    let url = |line: &str| line.split('"').nth(3).unwrap().to_owned();
    kept.lines().map(|line| url(line).replace("http://a.pk/", "")).collect()
}

#[test]
fn the_next_build_uses_the_languages_that_people_named() {
    let folder = four_pages();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let row = |judgement: &str, number: usize, name: &str, language: &str| {
        format!("{judgement}\t{number:016x}\thttp://a.pk/{name}\t{language}\n")
    };
    let sheet = [
        "judgement\tpage\turl\tlanguage\n".to_owned(),
        row("y", 1, "good", ""),
        row("other", 2, "other", "Saraiki"),
        row("spam", 3, "spam", ""),
    ];
    fs::write(path("ann.tsv"), sheet.concat()).unwrap();
    corpulyzer(["audit", "count", &path("ann.tsv"), "--language", "ur", "--verified"])
        .arg(path("verified.tsv"))
        .assert()
        .success();
    let verified = fs::read_to_string(path("verified.tsv")).unwrap();
    assert_eq!(verified, "http://a.pk/good\turd\nhttp://a.pk/other\tskr\nhttp://a.pk/spam\tund\n");
    assert_eq!(kept(&folder, "ur"), ["good", "unseen"]);
    assert_eq!(kept(&folder, "skr"), ["other"]);
    let (changes, sheet) =
        (path("changes.tsv"), sheet.concat().replace("Saraiki", "a dialect of the south"));
    fs::write(path("ann.tsv"), sheet).unwrap();
    let counted = corpulyzer(["audit", "count", &path("ann.tsv"), "--changes", &changes]);
    let said = stderr(&{ counted }.assert().success());
    assert!(
        said.contains("http://a.pk/other: a dialect of the south is no known language"),
        "{said}"
    );
    assert_eq!(fs::read_to_string(&changes).unwrap(), "http://a.pk/other\tund\n");
    fs::copy(&changes, path("verified.tsv")).unwrap();
    assert_eq!(kept(&folder, "skr"), [""; 0], "rejudge reads what count wrote");
}

#[test]
fn the_language_of_a_page_counts_more_than_that_of_its_host() {
    let folder = four_pages();
    let list = |text: &str| fs::write(folder.path().join("verified.tsv"), text).unwrap();
    list("A.pk\tskr\nhttp://a.pk/good\turd\n");
    assert_eq!(kept(&folder, "ur"), ["good"]);
    let of_host = kept(&folder, "skr");
    assert!(of_host.contains(&"unseen".to_owned()), "{of_host:?}");
    assert!(!of_host.contains(&"good".to_owned()), "{of_host:?}");
    for (line, sentence) in [
        ("a.pk/good\turd\n", "line 1: `a.pk/good` is neither the URL of a page"),
        ("http://a.pk/good\n", "line 1: is not a URL or a host, a tab and a language"),
    ] {
        list(line);
        let said = stderr(&rejudged(&folder, "ur").failure());
        assert!(said.contains(sentence), "{said}");
    }
}

#[test]
fn judges_who_are_wrong_on_known_pages_are_left_out() {
    let folder = TempDir::new().unwrap();
    let sheet = |name: &str, judgements: [&str; 4]| {
        let rows = judgements
            .iter()
            .zip(1..)
            .map(|(judgement, page)| format!("{judgement}\t{page}\thttp://a.pk/{page}\tx\n"));
        let sheet = rows.fold("judgement\tpage\turl\ttext\n".to_owned(), |sheet, row| sheet + &row);
        fs::write(folder.path().join(name), sheet).unwrap();
    };
    sheet("known.tsv", ["y", "n", "", ""]);
    sheet("good.tsv", ["y", "other", "y", "n"]);
    sheet("careless.tsv", ["y", "y", "n", "n"]);
    let count = |more: &[&str]| {
        let mut command = corpulyzer(["audit", "count", "good.tsv", "careless.tsv"]);
        command.args(more).current_dir(folder.path()).assert()
    };
    let done = count(&["--known", "known.tsv"]).success();
    let (said, told) = (stdout(&done), stderr(&done));
    assert!(told.contains("good.tsv: right on 2 of 2 known pages\n"), "{told}");
    assert!(
        told.contains(
            "careless.tsv: right on 1 of 2 known pages, so it is left out (--qualified)\n"
        ),
        "{told}"
    );
    assert!(said.starts_with("pages            2, sheets: 1\n"), "{said}");
    let both = count(&["--known", "known.tsv", "--qualified", ".5"]).success();
    assert!(stdout(&both).starts_with("pages            2, sheets: 2\n"), "{}", stdout(&both));
    sheet("known.tsv", ["n", "y", "", ""]);
    let none = stderr(&count(&["--known", "known.tsv", "--qualified", "1"]).code(1));
    assert!(none.contains("no judge is right on a share of 1 of the known pages"), "{none}");
}
