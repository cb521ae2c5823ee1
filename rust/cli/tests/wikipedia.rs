//! `corpulyzer wikipedia` as a user meets it.

use crate::common::{corpulyzer, stderr, stdout, Out as _};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const HEAD: &str =
    "<mediawiki version=\"0.11\" xml:lang=\"ur\"><siteinfo><base>https://ur.wikipedia.org/wiki/x</base><namespaces>\
                    <namespace key=\"14\">زمرہ</namespace></namespaces></siteinfo>\n";

fn dump(articles: &[(&str, &str)]) -> String {
    let mut dump = HEAD.to_owned();
    for (number, (title, text)) in articles.iter().enumerate() {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        writeln!(
            dump,
            "<page><title>{title}</title><ns>0</ns><id>{}</id><revision><text>{text}</text></revision></page>",
            number + 1
        )
        .unwrap();
    }
    dump + "</mediawiki>\n"
}

/// Sentences of some length in Urdu.
const SENTENCES: [&str; 4] = [
    "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں ملک کے کئی نامور شاعروں نے شرکت کی۔",
    "گاؤں کے نئے اسکول میں اب تین سو بچے پڑھتے ہیں اور ان کے لیے پانچ استاد مقرر کیے گئے ہیں۔",
    "کسانوں نے کہا کہ اس سال بارش بہت کم ہوئی ہے اس لیے گندم کی فصل کو نقصان پہنچنے کا خدشہ ہے۔",
    "حکومت نے کل اعلان کیا کہ اگلے سال تک تمام دیہات کو بجلی فراہم کر دی جائے گی اور سڑکیں بنیں گی۔",
];

fn written(file: &Path) -> String {
    fs::read_to_string(file).unwrap()
}

#[test]
fn articles_become_records_or_lines() {
    let folder = TempDir::new().unwrap();
    let [one, two, three, four] = SENTENCES;
    let text = format!(
        "{{{{x}}}}'''{one}'''<ref>y</ref>\n\n== تاریخ ==\n[[شہر|{two}]]\n* {three}\n[[زمرہ:شہر]]"
    );
    let xml = folder.path().join("d.xml");
    fs::write(
        &xml,
        dump(&[
            ("شہر & گاؤں".replace('&', "&amp;").as_str(), &text),
            ("خالی", "{{x}}"),
            ("دو", four),
        ]),
    )
    .unwrap();
    let (jsonl, txt) = (folder.path().join("ur.jsonl"), folder.path().join("ur.txt"));
    let run = |out: &Path, more: &[&str]| {
        stderr(&corpulyzer(["wikipedia", "--out"]).arg(out).arg(&xml).args(more).assert().success())
    };
    let said = run(&jsonl, &[]);
    assert!(
        said.contains("read 3 articles; skipped 0 redirects")
            && said.contains("3 paragraphs of 2 articles"),
        "{said}"
    );
    let records: Vec<serde_json::Value> =
        written(&jsonl).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), 2, "an article without text is no record");
    assert_eq!(records[0]["text"], format!("{one}\n{two}"));
    assert_eq!(
        (records[0]["title"].as_str(), records[1]["id"].as_u64()),
        (Some("شہر & گاؤں"), Some(3))
    );
    assert_eq!(records[1]["url"], "https://ur.wikipedia.org/wiki/%D8%AF%D9%88");
    run(&txt, &["--headings", "--lists"]);
    assert_eq!(written(&txt), format!("{one}\nتاریخ\n{two}\n{three}\n{four}\n"));
    // The same from a pipe, and to one.
    let piped = corpulyzer(["wikipedia", "-", "--out", "-"])
        .write_stdin(fs::read(&xml).unwrap())
        .assert()
        .success();
    assert_eq!(stdout(&piped), written(&jsonl));
}

#[test]
fn other_verbs_take_what_it_writes() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("d.xml"), dump(&SENTENCES.map(|sentence| (sentence, sentence)))).unwrap();
    corpulyzer(["wikipedia", "--out"])
        .arg(path("t.jsonl.zst"))
        .arg(path("d.xml"))
        .assert()
        .success();
    let train = corpulyzer(["train", "--language", "mzn", "--text"])
        .arg(path("t.jsonl.zst"))
        .out(path("p.pack"))
        .assert()
        .success();
    assert!(stderr(&train).contains("mzn"));
    corpulyzer(["words", "--language", "ur", "--out"])
        .arg(path("w.tsv"))
        .arg(path("t.jsonl.zst"))
        .assert()
        .success();
    assert!(written(&path("w.tsv")).contains("لائبریری"));
    let calibrated =
        corpulyzer(["calibrate", "--language", "ur"]).arg(path("t.jsonl.zst")).assert().success();
    assert!(stdout(&calibrated).contains("text in it on 4 of 4 pages"), "{}", stdout(&calibrated));
}

#[test]
fn paragraphs_in_other_languages_and_stubs_are_left_out_and_counted() {
    let folder = TempDir::new().unwrap();
    let (xml, out) = (folder.path().join("d.xml"), folder.path().join("o.txt"));
    let english =
        "The council has decided that the new school will open in spring, and that the old one will be a library.";
    let stubs: Vec<(String, String)> = (0..9)
        .map(|number| {
            let name = ["لاہور", "ملتان", "کراچی", "پشاور", "کوئٹہ", "سکھر", "جہلم", "گجرات", "قصور"][number];
            (
                name.to_owned(),
                format!("'''{name}''' ضلع [[{name} ضلع]] کا ایک گاؤں ہے جس کی آبادی {number}00 نفوس پر مشتمل ہے۔"),
            )
        })
        .collect();
    let mut articles: Vec<(&str, &str)> =
        stubs.iter().map(|(title, text)| (title.as_str(), text.as_str())).collect();
    articles.push(("ایک", english));
    articles.push(("دو", SENTENCES[0]));
    fs::write(&xml, dump(&articles)).unwrap();
    let run = |more: &[&str]| {
        let said = stderr(
            &corpulyzer(["wikipedia", "--out"]).arg(&out).arg(&xml).args(more).assert().success(),
        );
        (written(&out).lines().count(), said)
    };
    let (lines, said) = run(&[]);
    assert_eq!(lines, 3 + 2);
    assert!(said.contains("removed 6 of 11 paragraphs (54.5 %, "), "{said}");
    assert!(
        said.contains(
            "of the text): of paragraphs that differ only in names and numbers, 3 are kept (--repeats)"
        ),
        "{said}"
    );
    let (lines, said) = run(&["--language", "ur", "--repeats", "1"]);
    assert_eq!(lines, 1 + 1);
    assert!(said.contains("removed 1 of 11 paragraphs, which are not identified as urd"), "{said}");
    assert!(!written(&out).contains("council"));
}

#[test]
fn articles_with_a_digit_of_any_script_in_the_title_are_skipped_on_request() {
    let folder = TempDir::new().unwrap();
    let (xml, out) = (folder.path().join("d.xml"), folder.path().join("o.txt"));
    let [one, two, three, four] = SENTENCES;
    fs::write(&xml, dump(&[("1918", one), ("۱۲ مارچ", two), ("شہر", three), ("گاؤں", four)]))
        .unwrap();
    let run = |more: &[&str]| {
        let run = corpulyzer(["wikipedia", "--out"]).arg(&out).arg(&xml).args(more).assert();
        (stderr(&run.success()), written(&out))
    };
    assert_eq!(run(&[]).1.lines().count(), 4);
    let (said, text) = run(&["--skip-numbered"]);
    assert_eq!(text, format!("{three}\n{four}\n"));
    assert!(said.contains("skipped 2 articles with a digit in the title"), "{said}");
}

#[test]
fn what_cannot_be_done_is_told_in_a_sentence_and_leaves_what_was_there() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("d.xml"), dump(&[("a", SENTENCES[0])])).unwrap();
    fs::write(path("no.xml"), "<html></html>").unwrap();
    fs::write(path("none.xml"), dump(&[])).unwrap();
    fs::write(path("o.txt"), "before").unwrap();
    let refused = |dump: &str, out: &str, more: &[&str], code: i32| {
        let done = corpulyzer(["wikipedia", "--out"])
            .arg(path(out))
            .arg(path(dump))
            .args(more)
            .assert()
            .code(code);
        let said = stderr(&done);
        assert_eq!(said.trim_end().lines().count(), 1, "{said}");
        assert_eq!(written(&path("o.txt")), "before");
        said
    };
    assert!(refused("no.xml", "o.txt", &[], 1).contains("no.xml: begins with <html>"));
    assert!(refused("none.xml", "o.txt", &[], 1).contains("no article"));
    assert!(refused("missing.xml", "o.txt", &[], 1).contains("missing.xml"));
    assert!(refused(".", "o.txt", &[], 1).contains("is a folder"));
    assert!(refused("d.xml", "o.csv", &[], 2).contains("allowed are *.jsonl and *.txt"));
    assert!(refused("d.xml", "d.xml", &[], 2).contains("(--out)"));
    assert!(refused("d.xml", "o.txt", &["--language", "mzn"], 2).contains("--language is `mzn`"));
}

#[test]
fn a_dump_without_a_paragraph_to_keep_leaves_the_text_that_was_there() {
    let folder = TempDir::new().unwrap();
    let (xml, out) = (folder.path().join("d.xml"), folder.path().join("z.txt"));
    fs::write(&xml, dump(&[("شہر", SENTENCES[0])])).unwrap();
    fs::write(&out, "good\n").unwrap();
    let mut command = corpulyzer(["wikipedia", "--language", "de"]);
    let said = stderr(&command.arg(&xml).out(&out).assert().code(1));
    let sentence = "no paragraph in German (deu) was found in 1 article; nothing was written\n";
    assert!(said.ends_with(sentence), "{said}");
    assert_eq!(written(&out), "good\n");
}

#[test]
fn of_a_dump_that_was_cut_off_the_articles_before_are_written() {
    let folder = TempDir::new().unwrap();
    let (xml, out) = (folder.path().join("d.xml"), folder.path().join("o.txt"));
    let whole = dump(&[("a", SENTENCES[0]), ("b", SENTENCES[1])]);
    let cut = whole.find("<title>b").unwrap();
    fs::write(&xml, &whole[..cut]).unwrap();
    let done = corpulyzer(["wikipedia", "--out"]).arg(&out).arg(&xml).assert().code(1);
    assert!(stderr(&done).contains("the dump ends early"), "{}", stderr(&done));
    assert_eq!(
        written(&folder.path().join("o.txt.partial")).lines().collect::<Vec<_>>(),
        [SENTENCES[0]]
    );
    assert!(!out.exists());
}

#[test]
fn links_to_other_websites_are_seeds() {
    let folder = TempDir::new().unwrap();
    let [one, two, three, _] = SENTENCES;
    let texts = [
        format!("{one}<ref>[http://paper.pk/1 خبر]</ref> <ref>{{{{cite web|url=http://paper.pk/2|title=x}}}}</ref>"),
        format!("{two} [https://other.pk/ x] https://ur.wikipedia.org/wiki/x http://paper.pk/1"),
        format!("{three} https://commons.wikimedia.org/x"),
    ];
    let articles: Vec<(&str, &str)> =
        ["الف", "ب", "ج"].into_iter().zip(texts.iter().map(String::as_str)).collect();
    fs::write(folder.path().join("dump"), dump(&articles)).unwrap();
    let said = corpulyzer(["wikipedia", "dump", "--out", "text.jsonl", "--links", "seeds"])
        .current_dir(folder.path())
        .assert()
        .success();
    assert!(stderr(&said).contains("3 seeds: seeds"), "{}", stderr(&said));
    assert_eq!(
        written(&folder.path().join("seeds")),
        "http://paper.pk/1\nhttp://paper.pk/2\nhttps://other.pk/\n"
    );
}
