//! `corpulyzer report` as a user meets it.

use crate::common::{corpulyzer, program, stderr, Out as _};
use assert_cmd::assert::Assert;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const URDU: &str = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے۔";

fn line(url: &str, text: &str, target: usize) -> String {
    let main = text.len();
    format!("{{\"url\":\"{url}\",\"text\":\"{text}\",\"main_bytes\":{main},\"languages\":{{\"urd\":{target}}},\"raw_bytes\":900}}\n")
}

/// Makes a report on a corpus in Urdu.
fn report(corpus: &Path, out: &Path) -> Assert {
    corpulyzer(["report", "--language", "ur"]).arg(corpus).out(out).assert().success()
}

fn json(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join("report.json")).unwrap()).unwrap()
}

#[test]
fn report_measures_a_corpus_and_names_what_it_skips() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("c.jsonl");
    let good = line("http://a.pk/1", URDU, URDU.len());
    let half = line("http://a.pk/x/2", URDU, URDU.len() / 2)
        .replace("{\"url\"", "{\"content_type\":\"application/pdf\",\"url\"");
    let lines = [
        &good,
        "{\"url\":\n",
        &half,
        &good,
        "{\"url\":\"http://b.pk/\"}\n",
        "{\"gone\":true,\"url\":\"http://b.pk/3\"}\n",
    ];
    fs::write(&file, lines.concat()).unwrap();
    let out = folder.path().join("out");
    let said = stderr(&report(&file, &out));
    assert!(said.contains("c.jsonl, line 2: not a page in JSON: "), "{said}");
    assert!(said.contains("c.jsonl, line 5: neither `text` nor `languages`"), "{said}");
    assert!(said.contains("an earlier record has the URL http://a.pk/1"), "{said}");
    assert!(said.contains("c: skipped 1 line that is not a page in JSON"), "{said}");
    assert!(said.contains("corpulyzer: 2 pages from"), "{said}");
    let report = json(&out);
    assert_eq!(report["schema"], "corpulyzer-report/1");
    let figures = &report["corpora"][0]["figures"];
    assert_eq!((&figures["totals"]["pages"], &figures["totals"]["gone"]), (&2.into(), &1.into()));
    assert_eq!(figures["totals"]["documents"], 1);
    assert_eq!(figures["sites"]["most_pages_sites"][0]["site"], "a.pk");
    let richness = figures["sites"]["site_richness_mean"].as_f64().unwrap();
    assert!((richness - 75.0).abs() < 0.5, "{richness}");
    assert_eq!(figures["duplicates"]["exact"], 1);
    assert_eq!(figures["richness"]["main_bytes"]["bins"][4]["count"], 1);
    assert_eq!(figures["calibration"]["scripts"][0]["script"], "Arab");
    let table = fs::read_to_string(out.join("thresholds.tsv")).unwrap();
    assert!(
        table.contains("c\tall\tbytes\t64\t2\t") && table.contains("c\tArab\tbytes\t64\t2\t"),
        "{table}"
    );
    let table = fs::read_to_string(out.join("lsh.tsv")).unwrap();
    assert!(table.contains("c\ttarget bytes / main-text bytes\t95–100\t1\t50.00\n"), "{table}");
    let table = fs::read_to_string(out.join("table7-lsh.tsv")).unwrap();
    assert!(
        table.starts_with("LSh %\tpages\tpages %\n") && table.contains("\n95–100\t1\t50.00\n"),
        "{table}"
    );
    let table = fs::read_to_string(out.join("table8-languages.tsv")).unwrap();
    assert_eq!(table, "language\tpages\tpages %\nUrdu\t2\t100.00\n");
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("<bdi>میں</bdi>") && page.ends_with("</html>\n"));
    for outside in ["http:", "https:", "src=", "@import", "url("] {
        let in_text = page.replace("the URL http://a.pk/1", "").replace("<a href=\"http:", "");
        assert!(!in_text.contains(outside), "{outside}: the page asks for nothing");
    }
}

#[test]
fn report_compares_corpora_and_replaces_reports_only() {
    let folder = TempDir::new().unwrap();
    let corpus = |name: &str, from: u32, to: u32| {
        let lines: String =
            (from..to).map(|n| line(&format!("http://{n}.pk/"), URDU, URDU.len())).collect();
        fs::create_dir(folder.path().join(name)).unwrap();
        fs::write(folder.path().join(name).join("corpus.jsonl"), lines).unwrap();
        folder.path().join(name)
    };
    let (june, july) = (corpus("june", 0, 10), corpus("july", 3, 12));
    // July has other text at one URL.
    let lines = fs::read_to_string(july.join("corpus.jsonl")).unwrap();
    let old = line("http://5.pk/", URDU, URDU.len());
    let text = format!("{URDU} {URDU}");
    assert!(lines.contains(&old));
    let lines = lines.replace(&old, &line("http://5.pk/", &text, text.len()));
    fs::write(july.join("corpus.jsonl"), lines).unwrap();
    let out = folder.path().join("out");
    let report = |out: &Path| {
        corpulyzer(["report", "--language", "urd", "--compare", "--no-words", "--memory", "16"])
            .args([&june, &july])
            .out(out)
            .assert()
    };
    for _ in 0..2 {
        report(&out).success();
        let pair = &json(&out)["comparison"][0];
        assert_eq!((&pair["first"], &pair["second"]), (&"june".into(), &"july".into()));
        assert_eq!((&pair["common_urls"], &pair["common_sites"]), (&7.into(), &7.into()));
        assert_eq!(pair["churn_percent"], 30.0);
        let urls = ["added_urls", "removed_urls", "changed_urls"].map(|name| pair[name].as_u64());
        assert_eq!(urls, [Some(2), Some(3), Some(1)]);
        let table = fs::read_to_string(out.join("comparison.tsv")).unwrap();
        assert!(table.starts_with("first\tsecond\tcommon URLs\t"), "{table}");
        assert!(table.contains("\tadded URLs\tremoved URLs\tchanged URLs\n"), "{table}");
        assert!(table.ends_with("\t2\t3\t1\n"), "{table}");
        assert!((pair["jaccard_percent"].as_f64().unwrap() - 700.0 / 12.0).abs() < 1e-9);
    }
    for (folder, name) in [(&june, "corpus.jsonl"), (&out, "notes.txt")] {
        fs::write(out.join("notes.txt"), "mine").unwrap();
        let said = stderr(&report(folder).failure());
        assert!(
            said.contains(&format!(
                "holds {name}, which is not part of a report; name another folder (--out)"
            )),
            "{said}"
        );
        assert!(folder.join(name).is_file());
    }
    let left: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "nothing temporary is left: {left:?}");
}

#[test]
fn report_replaces_nothing_but_a_report() {
    let folder = TempDir::new().unwrap();
    let (corpus, out) = (folder.path().join("c.jsonl"), folder.path().join("out"));
    fs::write(&corpus, line("http://b.pk/1", URDU, URDU.len())).unwrap();
    let report = || corpulyzer(["report", "--language", "ur"]).arg(&corpus).out(&out).assert();
    // Names that a report has too.
    for (name, content) in
        [("words.tsv", "my list"), ("report.json", "{\"mine\":1}"), ("report.html", "<p>mine")]
    {
        fs::create_dir(&out).unwrap();
        fs::write(out.join(name), content).unwrap();
        let said = stderr(&report().code(1));
        let sentence = "holds files, and no report.json that begins with its schema, corpulyzer-report/1; name another folder (--out)\n";
        assert!(said.ends_with(sentence), "{said}");
        assert_eq!(fs::read_to_string(out.join(name)).unwrap(), content);
        fs::remove_dir_all(&out).unwrap();
    }
    report().success();
    report().success();
    fs::remove_file(out.join("words.tsv")).unwrap();
    fs::create_dir(out.join("words.tsv")).unwrap();
    let said = stderr(&report().code(1));
    assert!(said.contains("holds words.tsv, which is not part of a report"), "{said}");
}

/// A corpus, an old report `r` and a folder for runs of `report`, each with another way to name
/// the old report.
fn old_report() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("c.jsonl"), line("http://b.pk/1", URDU, URDU.len())).unwrap();
    report_in(folder.path(), "c.jsonl", "r").success();
    folder
}

fn report_in(folder: &Path, corpus: &str, out: &str) -> Assert {
    let mut command = corpulyzer(["report", "--language", "ur", corpus, "--out", out]);
    command.current_dir(folder).assert()
}

#[test]
fn a_report_replaces_the_folder_that_its_path_leads_through() {
    for (inside, out) in
        [(true, "../r"), (true, "."), (false, "r/../r"), (false, "./r/."), (true, "../r/../r/")]
    {
        let root = old_report();
        let folder = root.path().join(if inside { "r" } else { "" });
        let corpus = if inside { "../c.jsonl" } else { "c.jsonl" };
        fs::write(root.path().join("r/words.tsv"), "old").unwrap();
        let said = stderr(&report_in(&folder, corpus, out).success());
        let path = root.path().canonicalize().unwrap().join("r/report.html");
        assert!(said.trim_end().ends_with(path.to_str().unwrap()), "{said}");
        assert!(path.is_file(), "--out {out}");
        assert_ne!(fs::read_to_string(root.path().join("r/words.tsv")).unwrap(), "old");
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 2, "nothing else is left");
    }
}

#[cfg(unix)]
#[test]
fn a_report_goes_to_the_folder_that_a_symlink_names() {
    use std::os::unix::fs::symlink;
    let root = old_report();
    fs::create_dir(root.path().join("far")).unwrap();
    symlink("far", root.path().join("link")).unwrap();
    report_in(root.path(), "c.jsonl", "link").success();
    assert!(root.path().join("link").is_symlink());
    assert!(root.path().join("far/report.html").is_file());
    symlink("none", root.path().join("loose")).unwrap();
    let said = stderr(&report_in(root.path(), "c.jsonl", "loose").code(1));
    let sentence = "loose: is a symlink to a missing folder; name another folder (--out)\n";
    assert!(said.ends_with(sentence), "{said}");
    assert!(root.path().join("loose").is_symlink());
    if std::os::unix::fs::lchown(root.path().join("link"), Some(65534), None).is_err() {
        println!("skipped: needs root, to give a symlink to another user");
        return;
    }
    let said = stderr(&report_in(root.path(), "c.jsonl", "link").code(1));
    let sentence = "link: is a symlink of another user; name another folder (--out)\n";
    assert!(said.ends_with(sentence), "{said}");
}

#[test]
fn one_record_with_figures_that_no_page_has_leaves_the_totals() {
    let folder = TempDir::new().unwrap();
    let (corpus, out) = (folder.path().join("c.jsonl"), folder.path().join("out"));
    let absurd =
        line("http://b.pk/2", URDU, URDU.len()).replace(":900}", &format!(":{}}}", u64::MAX));
    let good = line("http://b.pk/1", URDU, URDU.len());
    fs::write(&corpus, good + &absurd).unwrap();
    let done = report(&corpus, &out);
    let said = stderr(&done);
    let sentence =
        "c.jsonl, line 2: `raw_bytes` is 18446744073709551615 bytes; allowed are at most 1099511627776 for one page\n";
    assert!(said.contains(sentence), "{said}");
    assert!(said.contains("c: skipped 1 record whose figures do not read\n"), "{said}");
    let corpus = &json(&out)["corpora"][0];
    assert_eq!(corpus["figures"]["totals"]["raw_bytes"], 900);
    assert_eq!(corpus["input"]["problems"]["invalid_figures"], 1);
}

#[test]
fn report_names_what_it_cannot_read() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    let said = |input: &Path| {
        stderr(&corpulyzer(["report", "--language", "urd"]).arg(input).out(&out).assert().code(1))
    };
    assert!(said(&folder.path().join("none.jsonl")).contains("none.jsonl: "));
    assert!(said(folder.path()).contains("holds no corpus; allowed are *.jsonl, "));
    assert!(!out.exists());
}

#[test]
fn report_reads_on_where_a_file_is_damaged_from_its_first_byte_on() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join("c").join(name);
    fs::create_dir(folder.path().join("c")).unwrap();
    let good = member("conversion", "text/plain", "http://a.pk/", URDU);
    let mut damaged = good.clone();
    damaged[12..40].fill(0xff);
    fs::write(path("a.warc.gz"), [damaged, good].concat()).unwrap();
    // The beginning of a Zstandard frame, and nothing more.
    fs::write(path("b.jsonl.zst"), [0x28, 0xb5, 0x2f, 0xfd, 0x24, 0x70]).unwrap();
    fs::write(path("c.jsonl"), line("http://b.pk/1", URDU, URDU.len())).unwrap();
    let out = folder.path().join("out");
    let said = stderr(
        &corpulyzer(["report", "--language", "urd"])
            .arg(folder.path().join("c"))
            .out(&out)
            .assert()
            .code(1),
    );
    let out = folder.path().join("out.partial");
    for file in ["a.warc.gz", "b.jsonl.zst"] {
        assert!(said.contains(&format!("{file}, at its beginning: ")), "{said}");
    }
    let report = json(&out);
    assert_eq!(report["corpora"][0]["figures"]["totals"]["pages"], 2, "{said}");
    assert!(
        report["corpora"][0]["input"]["problems"]["broken_compression"].as_u64() >= Some(2),
        "{said}"
    );
}

#[test]
fn report_tells_the_yield_of_the_last_round_and_when_rounds_began() {
    let folder = TempDir::new().unwrap();
    let page = |number: u32, began: u64, decision: &str| {
        format!("{{\"url\":\"http://a.pk/{number}\",\"languages\":{{\"urd\":{}}},\"round\":{began},\"decision\":\"{decision}\"}}\n", number * 200)
    };
    let lines = [
        page(1, 1_767_225_600, "reject 200 bytes"),
        page(2, 1_767_225_600, "keep"),
        page(3, 1_767_315_660, "keep"),
    ];
    let file = folder.path().join("c.jsonl");
    fs::write(&file, lines.concat()).unwrap();
    let out = folder.path().join("out");
    report(&file, &out);
    let table = fs::read_to_string(out.join("yield.tsv")).unwrap();
    assert!(table.contains("c\t1\t2026-01-01T00:00:00Z\t2\t1\t50.00\t"), "{table}");
    assert!(table.contains("c\t2\t2026-01-02T01:01:00Z\t1\t1\t100.00\t"), "{table}");
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("data-v=\"1767315660\">2026-01-02 01:01</td>"), "{page}");
    let first = page.split("<dt>").nth(1).unwrap();
    assert!(
        first.contains("Yield of the last round") && first.contains("<dd>100.0 %</dd>"),
        "{first}"
    );

    // Of pages that were kept alone the yield would be 100 %.
    let kept = folder.path().join("kept.jsonl");
    fs::write(&kept, &lines[2]).unwrap();
    corpulyzer(["report", "--language", "urd", "--compare"])
        .args([&file, &kept])
        .out(&out)
        .assert()
        .success();
    let table = fs::read_to_string(out.join("yield.tsv")).unwrap();
    assert!(
        table.contains("kept\t1\t2026-01-02T01:01:00Z\t1\t1\t\t1\t\t600\t0\t0\t\t\t\t\n"),
        "{table}"
    );
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("<bdi>kept</bdi>: The input has no rejected page, so its "), "{page}");
    let plot =
        page.split("aria-labelledby=\"p-yield-t").nth(1).unwrap().split("</svg>").next().unwrap();
    for curve in [">c (any target text)</text>", ">c (filtered)</text>"] {
        assert!(plot.contains(curve), "{plot}");
    }
    assert!(!plot.contains(">kept"), "{plot}");
}

#[test]
fn report_tells_what_sites_gave_for_what_they_cost() {
    let folder = TempDir::new().unwrap();
    let page = |host: &str, number: u32, raw: u32, target: u32, decision: &str| {
        let time = format!("2026-01-01T00:00:0{number}.500Z");
        format!("{{\"url\":\"http://{host}/{number}\",\"round\":1,\"fetch_time\":\"{time}\",\"raw_bytes\":{raw},\"languages\":{{\"urd\":{target}}},\"decision\":\"{decision}\"}}\n")
    };
    let lines = [
        page("rich.pk", 1, 10_000, 2_000, "keep"),
        page("poor.pk", 1, 100_000, 300, "keep"),
        page("poor.pk", 2, 90_000, 200, "reject 200 bytes"),
    ];
    let file = folder.path().join("c.jsonl");
    fs::write(&file, lines.concat()).unwrap();
    let out = folder.path().join("out");
    report(&file, &out);
    let table = fs::read_to_string(out.join("byte-yields.tsv")).unwrap();
    assert!(table.contains("\nc\t\t2\t3\t0.200000\t100.00\t0.002300\t100.00\n"), "{table}");
    // 300 of 190,000 bytes are .158 %.
    assert!(
        table.contains("\nc\t0.08\t2\t3\t")
            && table.contains("\nc\t0.16\t1\t1\t0.010000\t5.00\t0.002000\t86.96\n"),
        "{table}"
    );
    let table = fs::read_to_string(out.join("costliest-sites.tsv")).unwrap();
    assert_eq!(
        table.lines().nth(1),
        Some("c\t1\tpoor.pk\t2\t1\t0.190000\t95.00\t0.000300\t13.04\t0.16\t0.15"),
        "{table}"
    );
    let table = fs::read_to_string(out.join("host-yield.tsv")).unwrap();
    assert_eq!(
        table,
        "corpus\tsite\tpages\traw bytes\ttarget bytes\tbyte yield %\n\
         c\tpoor.pk\t2\t190000\t300\t0.16\nc\trich.pk\t1\t10000\t2000\t20.00\n"
    );
    // 200 kB and 2.3 kB of text in the second between the first fetch and the last.
    let table = fs::read_to_string(out.join("yield.tsv")).unwrap();
    assert!(
        table.contains("\traw bytes\tclean bytes\tbyte yield %\tseconds\traw MB/s\tclean MB/s\n")
            && table.ends_with("\t200000\t2300\t1.15\t1.000\t0.200000\t0.002300\n"),
        "{table}"
    );
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("Byte yield of sites") && page.contains("<bdi>poor.pk</bdi>"), "{page}");
    assert!(page.contains("<title>rich.pk: 2.0 kB of 10.0 kB</title>"), "{page}");
    assert!(page.contains("id=\"p-speed-raw-t\""), "{page}");

    // Times that are not of this form are as if they were not there.
    let odd = lines.concat().replace("2026-01-01T00:00:01.500Z", "yesterday");
    fs::write(&file, odd.replace("\"2026-01-01T00:00:02.500Z\"", "7")).unwrap();
    report(&file, &out);
    let round = json(&out)["corpora"][0]["figures"]["rounds"]["rounds"][0].clone();
    assert_eq!((&round["raw_bytes"], &round["seconds"]), (&200_000.into(), &Value::Null));
    assert!(!fs::read_to_string(out.join("report.html")).unwrap().contains("p-speed-raw"));

    // A corpus of kept pages only has no byte yield, because the cost of its sites is not known.
    fs::write(&file, &lines[0]).unwrap();
    report(&file, &out);
    assert!(json(&out)["corpora"][0]["figures"]["byte_yields"].is_null());
    assert_eq!(fs::read_to_string(out.join("costliest-sites.tsv")).unwrap().lines().count(), 1);
    assert!(!fs::read_to_string(out.join("report.html")).unwrap().contains("Byte yield of sites"));
}

#[test]
fn report_that_is_killed_leaves_nothing() {
    let folder = TempDir::new().unwrap();
    let mut running = program()
        .args(["report", "--language", "urd", "-", "--memory", "16", "--out", "out"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // More lines than one batch. The problem of the first line is printed after this batch.
    let lines: String = (0..5000).map(|n| line(&format!("http://{n}.pk/"), URDU, 50)).collect();
    let mut input = running.stdin.take().unwrap();
    input.write_all(format!("no page\n{lines}").as_bytes()).unwrap();
    input.flush().unwrap();
    let mut said = String::new();
    BufReader::new(running.stderr.take().unwrap()).read_line(&mut said).unwrap();
    assert!(said.contains("standard input, line 1: not a page in JSON"), "{said}");
    let left = || {
        fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect::<Vec<_>>()
    };
    assert_eq!(left().len(), 0, "{:?}", left());
    running.kill().unwrap();
    running.wait().unwrap();
    assert_eq!(left().len(), 0, "{:?}", left());
}

#[test]
fn report_finds_out_first_that_it_cannot_write() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("c.jsonl");
    fs::write(&file, line("http://a.pk/", URDU, 50)).unwrap();
    for (option, other) in [("--out", "--scratch"), ("--scratch", "--out")] {
        let (good, bad) = (
            folder.path().join("good"),
            if option == "--out" { "/proc/out" } else { "/proc/none" },
        );
        let other_value = if other == "--scratch" { folder.path() } else { &good };
        let mut command = corpulyzer(["report", "--language", "urd"]);
        command.arg(&file).args([option, bad]).arg(other).arg(other_value);
        let said = stderr(&command.assert().code(1));
        assert!(
            said.starts_with("corpulyzer: /proc") && said.ends_with(&format!("({option})\n")),
            "{said}"
        );
    }
}

#[test]
fn report_goes_on_when_nobody_reads_what_it_says() {
    let folder = TempDir::new().unwrap();
    fs::write(
        folder.path().join("c.jsonl"),
        "no page\n".repeat(20) + &line("http://a.pk/", URDU, 50),
    )
    .unwrap();
    let mut command = program();
    command
        .args(["report", "--language", "urd", "c.jsonl", "--out", "out"])
        .current_dir(folder.path());
    // The end that would be read is closed before anything is said.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    assert!(command.stderr(writer).status().unwrap().success());
    assert_eq!(json(&folder.path().join("out"))["corpora"][0]["figures"]["totals"]["pages"], 1);
}

#[test]
fn report_says_why_nothing_counts() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    let report = |lines: &str, language: &str| {
        let file = folder.path().join("c.jsonl");
        fs::write(&file, lines).unwrap();
        corpulyzer(["report", "--language", language]).arg(&file).out(&out).assert()
    };
    let rejected =
        "{\"url\":\"http://a.pk/1\",\"languages\":{\"urd\":9},\"decision\":\"reject 9 bytes\"}\n";
    let gone = "{\"url\":\"http://a.pk/2\",\"gone\":true}\n";
    let all = line("http://a.pk/3", URDU, URDU.len());
    for (lines, language, why) in [
        ("", "ur", "The input holds no record."),
        (
            &[rejected, gone, "{\n"].concat(),
            "ur",
            "No record of 3 counts as a page (lines that are not pages in JSON: 1, pages that were rejected: 1, pages that are gone: 1).",
        ),
        (&all, "sd", "No page has text in Sindhi, the language that this report is about."),
    ] {
        let said = stderr(&report(lines, language).success());
        assert!(said.contains(&format!("corpulyzer: c: {why}\n")), "{said}");
        let page = fs::read_to_string(out.join("report.html")).unwrap();
        assert!(page.contains(&format!("<p class=\"warning\" role=\"note\">{why}</p>")), "{page}");
        // Why all pages were rejected is drawn too.
        assert_eq!(page.contains("<svg"), !lines.is_empty(), "nothing is not drawn");
    }
    assert!(!stderr(&report(&all, "ur").success()).contains("No page"));

    // A report with figures stays; an empty one does not replace it.
    let said = stderr(&report("{\n[]\n", "ur").code(1));
    assert!(said.ends_with("c: no record could be read; no report was written\n"), "{said}");
    assert_eq!(json(&out)["corpora"][0]["figures"]["totals"]["pages"], 1);
}

/// The field of `quality annotate`, with this share of repeated lines.
fn signals(dup_line_frac: f64) -> Value {
    serde_json::json!({
        "rps_doc_word_count": 70, "rps_doc_mean_word_length": 4.5, "hash_ratio": 0.0,
        "ellipsis_ratio": 0.0, "rps_doc_frac_no_alph_words": 0.25,
        "rps_doc_frac_unique_words": 0.5, "rps_doc_unigram_entropy": 3.2,
        "rps_doc_frac_lines_end_with_ellipsis": 0.0, "bullet_lines": 0.0, "line_punct": 1.0,
        "new_line_ratio": 0.1, "dup_line_frac": dup_line_frac, "char_dup_ratio": 0.0,
        "top_n_grams": [0.1, 0.1, 1.2], "dup_n_grams": [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        "stop_words": 9
    })
}

/// Lets no object that the schema describes have a property that it does not.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.values_mut().for_each(close);
            if members.get("properties").is_some_and(Value::is_object) {
                members.insert("additionalProperties".to_owned(), false.into());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

/// Corpora, a ranking and an index, for reports with everything in them.
fn inputs_of_all_kinds() -> TempDir {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    write("a.jsonl", &(0..20).map(full_record).collect::<String>());
    write(
        "b.jsonl",
        &["{\n", &line("http://b.pk/", URDU, 0), "{\"gone\":true,\"url\":\"http://b.pk/3\"}\n"]
            .concat(),
    );
    write("empty.jsonl", "");
    write("ranking", "1.pk\n2.pk\n0.pk\n");
    write("cdx", "pk,a)/ 2018 {\"mime\":\"text/html\",\"languages\":\"urd\"}\nno index\n");
    folder
}

/// A record with every field that a report reads.
fn full_record(n: u32) -> String {
    let decision = if n.is_multiple_of(3) { "reject 9 bytes" } else { "keep" };
    let text = format!("{URDU} {n}");
    let mut line: Value =
        serde_json::from_str(&line(&format!("http://{}.pk/{n}", n % 4), &text, 90)).unwrap();
    line["decision"] = decision.into();
    line["content_type"] = if n == 1 { "application/pdf" } else { "text/html" }.into();
    line["round"] = (1_767_225_600 + n / 4).into();
    line["visible_bytes"] = 900.into();
    line["variety"] = if n.is_multiple_of(4) { "und" } else { "north" }.into();
    line["variety_score"] = 0.75.into();
    line["classes"] = serde_json::json!(["topic"]);
    line["topic"] = ["news", "sport", "law"][n as usize % 3].into();
    line["topic_score"] = 0.5.into();
    line["fetch_time"] = format!("2026-01-01T00:00:{:02}Z", n % 60).into();
    line["signature"] = format!("{:032x}", n / 2).into();
    line["quality"] = signals(f64::from(n) / 20.0);
    line["noise"] =
        serde_json::json!(if n.is_multiple_of(4) { vec!["dup_line_frac"] } else { vec![] });
    line.to_string() + "\n"
}

/// Arguments for a report with all that a report can have.
const FULL: &str = "--compare a.jsonl b.jsonl --ranking ranking --cdx cdx --reference a.jsonl";

/// Makes a report in a folder with these arguments. Returns its figures and its page.
fn report_with(folder: &Path, arguments: &str) -> (Value, String) {
    let language: &[&str] =
        if arguments.contains("--language") { &[] } else { &["--language", "urd"] };
    let mut command = corpulyzer(["report", "--out", "out"]);
    command.args(language).args(arguments.split(' ')).current_dir(folder).assert().success();
    (json(&folder.join("out")), fs::read_to_string(folder.join("out/report.html")).unwrap())
}

#[test]
fn reports_are_as_their_schema_says() {
    let mut schema: Value =
        serde_json::from_str(include_str!("../../../docs/report.schema.json")).unwrap();
    // Within a version fields may come, so the schema is open; but here none may come that it does
    // not describe.
    close(&mut schema);
    let schema = jsonschema::validator_for(&schema).unwrap();
    let folder = inputs_of_all_kinds();
    for arguments in [FULL, "a.jsonl", "b.jsonl --no-words", "empty.jsonl", "a.jsonl --language km"]
    {
        let (mut report, _) = report_with(folder.path(), arguments);
        let wrong: Vec<_> = schema
            .iter_errors(&report)
            .map(|wrong| format!("{}: {wrong}", wrong.instance_path()))
            .collect();
        assert_eq!(wrong, [""; 0], "{arguments}");
        // The schema refuses an unknown key.
        report["corpora"][0]["figures"]["sites"]["new"] = 1.into();
        assert!(!schema.is_valid(&report), "{arguments}");
    }
}

#[test]
fn what_a_full_report_shows_leads_to_its_definition_and_back() {
    let folder = inputs_of_all_kinds();
    let page = report_with(folder.path(), FULL).1;
    let (shown, glossary) = page.split_once("<dl class=\"glossary\">").unwrap();
    let keys: Vec<&str> =
        glossary.split("<dt id=\"d-").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(keys.len() > 25, "{keys:?}");
    for key in keys {
        let with_definition = format!("<a class=\"def\" href=\"#d-{key}\">");
        let tip = shown
            .split(&with_definition)
            .nth(1)
            .and_then(|rest| rest.split("role=\"tooltip\">").nth(1));
        assert!(tip.is_some_and(|tip| !tip.starts_with('<')), "{key}");
    }
    let captions = shown.split("<caption>").skip(1);
    let undefined =
        captions.filter(|table| !table.split("</table>").next().unwrap().contains("class=\"def\""));
    let undefined: Vec<&str> =
        undefined.map(|table| table.split("</caption>").next().unwrap()).collect();
    assert_eq!(undefined, ["Skipped records, by kind", "Places"]);
}

#[test]
fn report_says_what_is_wrong_with_an_index() {
    let folder = TempDir::new().unwrap();
    let corpus = folder.path().join("c.jsonl");
    fs::write(&corpus, line("http://b.pk/1", URDU, URDU.len())).unwrap();
    let report = |index: &Path| {
        let mut command = corpulyzer(["report", "--language", "urd", "--cdx"]);
        command.arg(index).arg(&corpus).out(folder.path().join("out"));
        command.timeout(std::time::Duration::from_secs(60)).assert()
    };
    let empty = folder.path().join("empty");
    assert!(stderr(&report(&empty).failure()).ends_with("empty: no such file (--cdx)\n"));
    fs::create_dir(&empty).unwrap();
    // A pipe without a writer would be waited for.
    #[cfg(unix)]
    assert!(Command::new("mkfifo").arg(empty.join("pipe")).status().unwrap().success());
    assert!(stderr(&report(&empty).failure()).contains("empty: holds no index; allowed are "));
    let junk = folder.path().join("junk");
    fs::write(&junk, "pk,a)/ 2018 {\"mime\":\"text/html\"}\nno index\n").unwrap();
    assert!(stderr(&report(&junk).success())
        .contains("junk: skipped 1 line, no document of an index (--cdx)"));
}

#[test]
fn report_says_that_thai_has_no_blanks() {
    let folder = TempDir::new().unwrap();
    let note = "script without blanks between words";
    let (thai, urdu) = (folder.path().join("th.jsonl"), folder.path().join("ur.jsonl"));
    fs::write(
        &thai,
        "{\"url\":\"http://a.th/\",\"text\":\"ภาษาไทยเป็นภาษาที่มีระดับเสียงของคำแน่นอน\",\"languages\":{\"th\":99}}\n",
    )
    .unwrap();
    fs::write(&urdu, line("http://b.pk/1", URDU, URDU.len())).unwrap();
    for (corpus, language, told) in [(&thai, "th", true), (&urdu, "ur", false)] {
        let out = folder.path().join(language);
        corpulyzer(["report", "--language", language]).arg(corpus).out(&out).assert().success();
        assert_eq!(
            fs::read_to_string(out.join("report.html")).unwrap().contains(note),
            told,
            "{language}"
        );
    }
}

/// A WARC record as a member of a gzip file.
fn member(kind: &str, content_type: &str, url: &str, content: &str) -> Vec<u8> {
    let length = content.len();
    let record = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nContent-Type: {content_type}\r\n\
         Content-Length: {length}\r\n\r\n{content}\r\n\r\n"
    );
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(record.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn report_reads_warc_and_wet_files_past_what_is_damaged() {
    let folder = TempDir::new().unwrap();
    let answer =
        |text: &str| format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{text}</p>");
    let response = |url: &str, content: &str| {
        member("response", "application/http; msgtype=response", url, content)
    };
    let mut damaged = response("http://a.pk/2", &answer(&URDU.repeat(20)));
    let middle = damaged.len() / 2;
    damaged[middle..].fill(0xaa);
    let all = [
        member("warcinfo", "application/warc-fields", "", "software: x"),
        response("http://a.pk/1", &answer(&URDU.repeat(5))),
        damaged,
        response("http://a.pk/3", "HTTP/1.1 404 Not Found\r\n\r\n"),
        response(
            "http://b.pk/4",
            &answer(&"A text in English that stands here for itself. ".repeat(5)),
        ),
    ];
    let (warc, wet) = (folder.path().join("a.warc.gz"), folder.path().join("b.warc.wet.gz"));
    fs::write(&warc, all.concat()).unwrap();
    let text = member("conversion", "text/plain", "http://c.pk/", URDU);
    // A second text is cut short.
    fs::write(&wet, [&text[..], &text[..text.len() - 20]].concat()).unwrap();
    let ranking = folder.path().join("ranking.csv");
    fs::write(&ranking, "1,b.pk\n2,a.pk\n").unwrap();
    let index = folder.path().join("cdx");
    fs::write(&index, "pk,a)/ 2018 {\"mime\":\"text/html\",\"languages\":\"urd\"}\n").unwrap();
    let out = folder.path().join("out");
    let said = corpulyzer(["report", "--language", "urd", "--extractor", "text"])
        .args([&warc, &wet])
        .arg("--ranking")
        .arg(&ranking)
        .arg("--cdx")
        .arg(&index)
        .out(&out)
        .assert()
        .code(1);
    let said = stderr(&said);
    let out = folder.path().join("out.partial");
    assert!(said.contains("a.warc.gz, record 3: gzip data is damaged before byte"), "{said}");
    assert!(said.contains("b.warc.wet.gz, record 2: gzip data is damaged before byte"), "{said}");
    let report = json(&out);
    let (input, figures) = (&report["corpora"][0]["input"], &report["corpora"][0]["figures"]);
    assert_eq!((&input["files"], &input["other_records"]), (&2.into(), &1.into()), "{said}");
    assert_eq!(input["problems"]["broken_compression"], 2, "{said}");
    assert_eq!((&figures["totals"]["pages"], &figures["totals"]["gone"]), (&3.into(), &1.into()));
    let sites: Vec<_> = figures["sites"]["most_bytes_sites"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row["site"])
        .collect();
    assert_eq!(sites, ["a.pk", "c.pk", "b.pk"]);
    // Richest first a and c, which is not ranked, then b: the ranking has b before a.
    let row = &report["corpora"][0]["ranking"][0];
    assert_eq!(
        (&row["top"], &row["ranked"], &row["spearman"]),
        (&3.into(), &2.into(), &(-1.0).into())
    );
    assert_eq!(report["index"]["languages"][0]["value"], "urd");
}

#[test]
fn report_counts_every_combination_of_corpora_and_shows_several_rankings() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let pages = |names: &[&str]| -> String {
        let text = |name: &str| format!("{URDU} {}", name.trim_start_matches("copy-of-"));
        let page = |name: &str| line(&format!("http://{name}.pk/"), &text(name), URDU.len());
        names.iter().map(|name| page(name)).collect()
    };
    write("a.jsonl", &pages(&["one", "two", "all"]));
    write("b.jsonl", &pages(&["two", "all", "three"]));
    write("c.jsonl", &pages(&["all", "copy-of-one"]));
    write("alexa", "one.pk\ntwo.pk\nall.pk\n");
    write("centrality", "all.pk\ntwo.pk\none.pk\n");
    let mut command = corpulyzer(["report", "--language", "ur", "--compare"]);
    command
        .args("a.jsonl b.jsonl c.jsonl --out out --ranking alexa --ranking centrality".split(' '));
    command.current_dir(folder.path()).assert().success();
    let report = json(&folder.path().join("out"));
    let row = |corpora: &[&str]| {
        let rows = report["combinations"].as_array().unwrap();
        assert_eq!(rows.len(), 7);
        let row = rows.iter().find(|row| row["corpora"] == serde_json::json!(corpora)).unwrap();
        let number = |name: &str| row[name].as_u64().unwrap();
        ["urls_only", "urls", "sites_only", "sites", "texts_only", "texts"].map(number)
    };
    assert_eq!(row(&["a"]), [1, 3, 1, 3, 0, 3]);
    assert_eq!(row(&["a", "b"]), [1, 2, 1, 2, 1, 2]);
    assert_eq!(row(&["a", "c"]), [0, 1, 0, 1, 1, 2]);
    assert_eq!(row(&["a", "b", "c"]), [1, 1, 1, 1, 1, 1]);
    assert_eq!(report["comparison"][0]["common_urls"], 2, "the tables of URLs are filled again");
    let rankings: Vec<_> = report["corpora"][0]["ranking"].as_array().unwrap().iter().collect();
    let rankings: Vec<_> = rankings.iter().map(|row| row["ranking"].as_str().unwrap()).collect();
    assert_eq!(rankings, ["alexa", "centrality"]);
    let table = fs::read_to_string(folder.path().join("out/combinations.tsv")).unwrap();
    assert!(table.contains("\na + b + c\t1\t1\t1\t1\t1\t1\n"), "{table}");
}

#[test]
fn report_compares_samples_of_equal_size_with_a_reference() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let words = ["شہر", "کتاب", "لوگ", "پانی", "دریا", "بازار", "مدرسہ"];
    let page = |number: usize, sentence: usize| {
        let word = |at: usize| words[(at * at + number) % words.len()];
        let text: Vec<String> = (0..40 + number % 30)
            .map(|at| word(at).to_owned() + if at % sentence == sentence - 1 { "۔" } else { "" })
            .collect();
        let text = text.join(" ");
        line(&format!("http://a.pk/{number}"), &text, text.len())
    };
    write("web.jsonl", &(0..300).map(|number| page(number, 4)).collect::<String>());
    write("wiki.jsonl", &(0..40).map(|number| page(number, 10)).collect::<String>());
    let report = |out: &str| {
        let mut command = corpulyzer(["report", "--language", "ur", "--reference", "wiki.jsonl"]);
        command.args(["web.jsonl", "--out", out]).current_dir(folder.path()).assert().success();
        json(&folder.path().join(out))
    };
    let one = report("one");
    assert_eq!(one["reference"], report("two")["reference"], "the same samples");
    let tokens: u64 = (0..40).map(|number| 40 + number % 30).sum();
    assert_eq!(
        (&one["reference"]["tokens"], &one["reference"]["name"]),
        (&tokens.into(), &"wiki".into())
    );
    let metrics = one["reference"]["corpora"][0]["metrics"].as_array().unwrap();
    let metric = |name: &str| metrics.iter().find(|row| row["metric"] == name).unwrap();
    let sentences = metric("tokens_per_sentence");
    let ratio = sentences["ratio"].as_f64().unwrap();
    assert!(ratio > 0.3 && ratio < 0.6, "{sentences}");
    assert_eq!(sentences["flag"], "low", "four words a sentence, beside ten");
    assert_eq!(metric("chars_per_type")["flag"], Value::Null);
    assert_eq!(metric("types")["low"], Value::Null);
    // Standard input cannot be read three times.
    let mut command = corpulyzer(["report", "--language", "ur", "--reference", "wiki.jsonl", "-"]);
    command.args(["--out", "three"]).current_dir(folder.path());
    let said = stderr(&command.write_stdin(line("http://a.pk/", URDU, 1)).assert().failure());
    assert!(said.contains("--reference reads every input three times"), "{said}");
    assert!(!folder.path().join("three").exists());
}

/// A language that the table of letters lacks has the letters of its models.
#[test]
fn report_counts_target_tokens_of_languages_without_a_row_of_letters() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("c.jsonl");
    let text = "Karjalan kieli on ižoran da vepsän kielen sukulaine, добрый день";
    fs::write(
        &file,
        format!("{{\"url\":\"http://a.fi/\",\"text\":\"{text}\",\"languages\":{{\"olo\":50}}}}\n"),
    )
    .unwrap();
    let out = folder.path().join("out");
    corpulyzer(["report", "--language", "olo"]).arg(&file).out(&out).assert().success();
    let vocabulary = &json(&out)["corpora"][0]["figures"]["words"]["vocabulary"];
    assert_eq!((&vocabulary["tokens"], &vocabulary["own_tokens"]), (&10.into(), &8.into()));
}

/// Limits of FineWeb-2's form, which allow this share of repeated lines.
fn limits(dup_line_frac: f64) -> String {
    format!(
        "dup_line_frac: {dup_line_frac}\ndup_n_grams:\n- [5, 0.2]\nline_punct_thr: 0.1\n\
         max_avg_word_length: 20\nmax_non_alpha_words_ratio: 0.6\nmin_avg_word_length: 2\n\
         new_line_ratio: 0.5\nstopwords: [a]\ntop_n_grams:\n- [2, 0.3]\n"
    )
}

/// A folder with 50 pages that have quality signals, `a.jsonl`, and the same in the other order,
/// `turned.jsonl`.
fn with_signals() -> TempDir {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    let record = |n: u32| {
        let text = format!("{URDU} =1+1 <b>{n}</b>\u{202e}");
        let mut record = serde_json::json!({"url": format!("http://a.pk/{n}"), "text": text, "languages": {"urd": 90}});
        match n {
            // A field of the same name from another program, and a page without words.
            0 => record["quality"] = 0.75.into(),
            1 => (record["quality"], record["noise"]) = (Value::Null, vec!["empty"].into()),
            _ => {
                record["quality"] = signals(f64::from(n % 10) / 10.0);
                record["identification_consistency"] = (f64::from(n) / 100.0).into();
            }
        }
        if n % 10 == 9 && n > 1 {
            record["noise"] = vec!["dup_line_frac", "consistency", "of another program"].into();
        }
        format!("{record}\n")
    };
    write("a.jsonl", &(0..50).map(record).collect::<String>());
    write("turned.jsonl", &(0..50).rev().map(record).collect::<String>());
    folder
}

/// Reports on a file of [`with_signals`]; returns the figures of quality and the samples.
fn quality(folder: &TempDir, corpus: &str, more: &[&str]) -> (Value, String) {
    let mut command = corpulyzer(["report", "--language", "ur", "--no-words", "--out", "out"]);
    command.arg(corpus).args(more).current_dir(folder.path()).assert().success();
    let out = folder.path().join("out");
    let quality = json(&out)["corpora"][0]["figures"]["quality"].clone();
    (quality, fs::read_to_string(out.join("quality-samples.tsv")).unwrap())
}

/// The figures of a rule.
fn rule(quality: &Value, name: &str) -> Value {
    let rules = quality["rules"].as_array().unwrap();
    rules.iter().find(|rule| rule["rule"] == name).cloned().unwrap_or_default()
}

#[test]
fn report_counts_signals_and_shows_samples_of_each_rule() {
    let folder = with_signals();
    let (figures, samples) = quality(&folder, "a.jsonl", &[]);
    assert_eq!((&figures["pages"], &figures["noisy"]), (&49.into(), &6.into()));
    let repeated = rule(&figures, "dup_line_frac");
    assert_eq!((&repeated["pages"], &repeated["first_pages"]), (&5.into(), &5.into()));
    assert_eq!((&repeated["most"], &repeated["samples"][0]["value"]), (&Value::Null, &0.9.into()));
    assert_eq!(rule(&figures, "empty")["pages"], 1);
    let consistency = rule(&figures, "consistency");
    assert_eq!((&consistency["pages"], &consistency["first_pages"]), (&5.into(), &0.into()));
    let signal = figures["signals"].as_array().unwrap();
    let repeated = signal.iter().find(|signal| signal["signal"] == "dup_line_frac").unwrap();
    assert_eq!(repeated["pages"], 48);
    assert_eq!(
        repeated["bins"][45],
        serde_json::json!({"from": 0.9, "to": 0.92, "pages": 5, "beyond": 5})
    );
    assert!(samples.starts_with("corpus\trule\tsignal\tvalue\tURL\ttext\na\tdup_line_frac\tdup_line_frac\t0.9\thttp://a.pk/"), "{samples}");
    // The order of the records does not matter.
    assert_eq!(quality(&folder, "turned.jsonl", &[]).1.replace("turned\t", "a\t"), samples);
}

#[test]
fn limits_of_a_file_decide_in_a_report() {
    let folder = with_signals();
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    write("ur.yml", &limits(0.65));
    // Four of ten pages are above .65, and have two words fewer than they need.
    let (figures, _) = quality(&folder, "a.jsonl", &["--limits", "ur.yml"]);
    let repeated = rule(&figures, "dup_line_frac");
    assert_eq!((&repeated["most"], &repeated["pages"]), (&0.65.into(), &15.into()));
    assert_eq!(repeated["samples"].as_array().unwrap().len(), 5);
    assert_eq!(rule(&figures, "gopher_short_doc")["least"], 50.0);
    assert_eq!(rule(&figures, "consistency")["pages"], 5, "a rule that the file does not have");
    let page = fs::read_to_string(folder.path().join("out/report.html")).unwrap();
    assert!(page.contains("at most 0.65") && page.contains("class=\"mark\""));
    assert!(page.contains("&lt;b&gt;") && !page.contains("<b>"), "text of pages is escaped");

    // Bad limits, and limits without signals.
    write("bad.yml", &limits(1.5));
    let failed = |arguments: &[&str]| {
        let mut command = corpulyzer(["report", "--language", "ur", "--out", "out"]);
        command.args(arguments).current_dir(folder.path()).assert()
    };
    let said = stderr(&failed(&["a.jsonl", "--limits", "bad.yml"]).code(1));
    assert!(
        said.contains(
            "bad.yml: dup_line_frac: found 1.5, allowed are numbers from 0 to 1 (--limits)"
        ),
        "{said}"
    );
    write("plain.jsonl", &line("http://a.pk/1", URDU, 90));
    let said = stderr(&failed(&["plain.jsonl", "--limits", "ur.yml"]).success());
    assert!(said.contains("no record has quality signals, so --limits has no effect"), "{said}");
    assert!(!folder.path().join("out/quality-samples.tsv").exists());
}

#[test]
fn websites_are_counted_by_the_rule_that_is_given() {
    let folder = TempDir::new().unwrap();
    let hosts = ["bbc.example.com", "www.bbc.example.com", "example.com", "www.example.com.pk"];
    let lines: String =
        hosts.iter().map(|host| line(&format!("http://{host}/"), URDU, URDU.len())).collect();
    let rich = line("http://poor.pk/", &format!("{URDU} Plain English words"), URDU.len());
    fs::write(folder.path().join("c.jsonl"), lines + &rich).unwrap();
    fs::write(folder.path().join("ranks.txt"), "www.example.com\nbbc.example.com\npoor.pk\n")
        .unwrap();
    let report = |site: &str| {
        let out = folder.path().join(site);
        corpulyzer(["report", "c.jsonl", "--language", "ur", "--ranking", "ranks.txt"])
            .args(["--site", site, "--out", site])
            .current_dir(&folder)
            .assert()
            .success();
        let report = json(&out);
        assert_eq!(report["sites_by"], site);
        let page = fs::read_to_string(out.join("report.html")).unwrap();
        assert_eq!(page.contains("of a registered domain are one site."), site == "domain");
        assert_eq!(page.contains("the same without it are one site."), site == "no-www");
        let corpus = &report["corpora"][0];
        let rows = corpus["figures"]["sites"]["most_pages_sites"].as_array().unwrap();
        let rows = rows
            .iter()
            .map(|row| (row["site"].as_str().unwrap().to_owned(), row["pages"].as_u64().unwrap()));
        let ranked = corpus["ranking"].as_array().unwrap().last().unwrap()["ranked"].clone();
        (rows.collect::<Vec<_>>(), ranked.as_u64().unwrap())
    };
    let (by_host, ranked) = report("host");
    assert_eq!((by_host.len(), ranked), (5, 2));
    let (no_www, ranked) = report("no-www");
    assert_eq!((no_www.len(), ranked), (4, 3));
    assert_eq!(no_www[0], ("bbc.example.com".to_owned(), 2));
    let (by_domain, ranked) = report("domain");
    assert_eq!(
        by_domain,
        [("example.com", 3), ("example.com.pk", 1), ("poor.pk", 1)]
            .map(|(site, pages)| (site.to_owned(), pages))
    );
    assert_eq!(ranked, 2);
    let table = fs::read_to_string(folder.path().join("domain/table9-top-sites-by-pages.tsv"));
    let table = table.unwrap();
    assert!(table.lines().next().unwrap().ends_with("\tSiteR rank"), "{table}");
    assert!(table.lines().last().unwrap().ends_with("\t3"), "{table}");
}
