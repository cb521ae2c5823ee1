//! `corpulyzer audit draw --html` in a browser: a judge fills in the page, and `audit count` reads
//! the file that it saves.

use crate::common::{chromium, corpulyzer, stderr, stdout};
use serde_json::{json, Value};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Markup that would do something if any of it were not escaped.
const ATTACK: &str =
    "\"'></script><script>document.title='alive'</script><img src=x onerror=\"document.title='alive'\">";

/// Collects errors of the page, and requests that its policy refuses.
const LISTENER: &str = "<script>window.complaints = [];
addEventListener(\"error\", (event) => window.complaints.push(event.message), true);
addEventListener(\"securitypolicyviolation\", (event) => window.complaints.push(event.violatedDirective));</script>";

/// A sample of five pages, one of them hostile, as the page for judges. Their first letters are
/// Latin.
fn drawn(folder: &Path) -> String {
    let text = |number: usize| format!("UN صفحہ {number}\nدوسرا حصہ {ATTACK}");
    let page = |number: usize| {
        let url = format!("http://a.pk/{number}{}", if number == 3 { ATTACK } else { "" });
        json!({"url": url, "text": text(number), "languages": {"urd": 9}, "decision": "keep"})
            .to_string()
            + "\n"
    };
    fs::write(folder.join("corpus.jsonl"), (0..5).map(page).collect::<String>()).unwrap();
    let mut command = corpulyzer(["audit", "draw", "corpus.jsonl", "--language", "urdu"]);
    command.args(["--html", "judge.html"]).current_dir(folder);
    let said = stderr(&command.assert().success());
    assert!(said.contains("5 of 5 pages: judge.html; give each judge the page"), "{said}");
    fs::read_to_string(folder.join("judge.html")).unwrap()
}

#[test]
fn the_page_for_judges_is_one_file_without_live_text() {
    let folder = TempDir::new().unwrap();
    let page = drawn(folder.path());
    assert!(page.contains("Pages to judge: Urdu (اردو)") && page.contains("default-src 'none'"));
    assert!(
        page.contains("<option value=\"Saraiki\">") && page.contains("<option value=\"English\">")
    );
    assert_eq!(page.matches("</script>").count(), 2, "the data and the script");
    assert!(!page.contains("<img") && !page.contains("src=\""));
    let mut command = corpulyzer(["audit", "draw", "corpus.jsonl", "--language", "ur"]);
    command.args(["--html", "judge.html"]).current_dir(folder.path());
    assert!(stderr(&command.assert().code(1)).contains("exists already"));
    let mut command = corpulyzer(["audit", "draw", "corpus.jsonl", "--language", "ur"]);
    assert!(stderr(&command.current_dir(folder.path()).assert().code(2)).contains("--out"));
    // Both at once draw the same pages.
    let mut command = corpulyzer(["audit", "draw", "corpus.jsonl", "--language", "ur"]);
    command.args(["--html", "both.html", "--out", "both.tsv"]).current_dir(folder.path());
    command.assert().success();
    assert_eq!(fs::read_to_string(folder.path().join("both.html")).unwrap(), page);
    let sheet = fs::read_to_string(folder.path().join("both.tsv")).unwrap();
    let names = sheet.lines().skip(1).map(|line| line.split('\t').nth(1).unwrap());
    assert!(names.into_iter().all(|name| page.contains(name)));
}

/// Draws a sample, fills in its page in a browser, and returns what `browser/judge.js` found.
fn filled_in(browser: &str, folder: &Path) -> Value {
    let page = drawn(folder);
    let page = page.replacen("<style>", &format!("{LISTENER}<style>"), 1);
    let judge = format!("<script>{}</script></body>", include_str!("browser/judge.js"));
    fs::write(folder.join("open.html"), page.replacen("</body>", &judge, 1)).unwrap();
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]);
    command.args(["--virtual-time-budget=5000", "--enable-logging=stderr"]);
    command.arg(format!("--user-data-dir={}", folder.join("profile").display()));
    let done = command.arg(folder.join("open.html")).output().unwrap();
    let shown = String::from_utf8(done.stdout).unwrap();
    assert!(shown.contains("<title>Pages to judge: Urdu"), "no page set its own title");
    let found = shown.split("<pre id=\"checked\">").nth(1).unwrap_or_else(|| {
        panic!("no result: {}", String::from_utf8_lossy(&done.stderr));
    });
    let found = found.split("</pre>").next().unwrap();
    let found = found.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&found).unwrap()
}

#[test]
fn a_judge_fills_in_the_page_and_the_count_reads_what_it_saves() {
    let Some(browser) = chromium() else {
        println!("skipped: Chromium is not here; the page for judges was not opened in a browser");
        return;
    };
    let folder = TempDir::new().unwrap();
    let found = filled_in(browser, folder.path());
    assert_eq!(found["wrong"], json!([]), "{found}");
    assert_eq!(found["direction"], "rtl");
    assert_eq!(found["elements"], json!(["p", "p"]), "text only");
    let texts = found["texts"].to_string();
    assert!(texts.contains("</script>") && texts.contains("صفحہ 4"), "{texts}");
    assert_eq!(found["pressed"], json!(["yin Urdu (اردو)", "3news"]));
    assert_eq!(found["focused"], "language");
    assert_eq!(found["taken_back"], json!([]));
    assert_eq!(found["done"], "4 judged");
    assert_eq!(found["name"], "judgements-Ann-B.tsv");
    let refused = found["refused"].as_str().unwrap();
    assert!(refused.starts_with("This file is not a sheet"), "{refused}");
    assert_eq!(found["loaded"], "5 of 5 rows are pages of this sample.");
    let sheet = found["sheet"].as_str().unwrap();
    assert_eq!(found["again"].as_str().unwrap(), sheet.replace("spam", "empty"));
    assert_eq!((&found["kept"], &found["lang"]), (&json!(true), &json!("ur")), "{found}");
    assert_eq!(found["urdu"], json!(["rtl", "کیا یہ صفحہ Urdu (اردو) میں ہے؟"]));
    assert!(sheet.contains("\"'=1+1; \"\"x\"\"\"\n"), "no spreadsheet runs a note: {sheet}");
    require_counts(folder.path(), sheet);
}

/// Counts a sheet, and one of another judge who differs on one page.
fn require_counts(folder: &Path, sheet: &str) {
    fs::write(folder.join("ann.tsv"), sheet).unwrap();
    fs::write(folder.join("ben.tsv"), sheet.replace("spam", "empty")).unwrap();
    let mut command = corpulyzer(["audit", "count", "ann.tsv", "ben.tsv"]);
    command.args(["--changes", "changes.tsv", "--verdicts", "refused.txt"]);
    let said = stdout(&command.current_dir(folder).assert().success());
    let row = |name: &str| {
        let line = said
            .lines()
            .find(|line| line.starts_with(name))
            .unwrap_or_else(|| panic!("{name}: {said}"));
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(
        said.starts_with("pages            5, sheets: 2\njudged           4, 1 undecided\n"),
        "{said}"
    );
    // One page each, and a page with a vote for each of two labels.
    assert_eq!(row("y ")[..3], ["y", "1", "33.3"]);
    assert_eq!(row("other ")[..3], ["other", "1", "33.3"]);
    assert_eq!(row("mixed ")[1], "1");
    assert_eq!(row("spam ")[1], "0");
    assert_eq!(row("news ")[1], "1");
    assert!(said.contains("in another language: skr (Saraiki) 1\n"), "{said}");
    let changes = fs::read_to_string(folder.join("changes.tsv")).unwrap();
    assert!(changes.starts_with("http://a.pk/") && changes.ends_with("\tskr\n"), "{changes}");
    assert_eq!(changes.lines().count(), 1);
    let refused = fs::read_to_string(folder.join("refused.txt")).unwrap();
    assert_eq!(refused.lines().count(), 2, "another language and spam, not mixed: {refused}");
}
