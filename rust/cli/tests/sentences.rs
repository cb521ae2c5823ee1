//! `corpulyzer sentences` as a user meets it.

use crate::common::{corpulyzer, stderr, Out as _};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn page(url: &str, blocks: &[&str]) -> String {
    format!("{{\"url\":\"{url}\",\"text\":\"{}\"}}\n", blocks.join("\\n"))
}

fn lines(file: &Path) -> BTreeSet<String> {
    fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn sentences_are_whole_in_the_language_and_there_once() {
    let folder = TempDir::new().unwrap();
    let (file, out) = (folder.path().join("c.jsonl"), folder.path().join("s.txt"));
    let library = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا۔";
    let school = "گاؤں کے نئے اسکول میں اب تین سو بچے پڑھتے ہیں۔";
    let farmer = "کسانوں نے کہا کہ اس سال بارش بہت کم ہوئی ہے۔";
    let english = "The council has decided that the new school will open in spring.";
    let persian = "دیروز عصر در کتابخانه قدیمی شهر جلسه شعرخوانی برگزار شد.";
    let pages = [
        page("http://a.pk/1", &["کتب خانے کی خبریں", &format!("{library} {school}"), english, "مزید پڑھیں"]),
        // Again, typed otherwise; and a sentence that was cut.
        page(
            "http://a.pk/2\\n\\t",
            &["شہر کي پراني لائبريري ميں كل شام، ايک مشاعرہ ہوا!", farmer, "حکومت نے کل اعلان کیا کہ"],
        ),
        page("http://b.ir/1", &[&persian.repeat(3)]),
        "{\"decision\":\"reject: short\",\"text\":\"یہ صفحہ اس مجموعے میں شامل نہیں ہے۔\",\"url\":\"http://a.pk/3\"}\n"
            .to_owned(),
    ];
    fs::write(&file, pages.concat()).unwrap();
    let sentences = |arguments: &[&str]| {
        let mut command = corpulyzer(["sentences", "--language", "ur"]);
        stderr(&command.arg(&file).out(&out).args(arguments).assert().success())
    };
    let said = sentences(&[]);
    assert_eq!(lines(&out), [library, school, farmer].map(str::to_owned).into());
    assert!(
        said.contains("4 pages, ") && said.contains(" 4 of them in urd, 3 different: "),
        "{said}"
    );
    let first = fs::read(&out).unwrap();
    sentences(&["--memory", "16"]);
    assert_eq!(fs::read(&out).unwrap(), first, "the order is always the same");
    sentences(&["--urls", "--min-words", "10"]);
    let rows = [
        format!("{library}\thttp://a.pk/1"),
        format!("{school}\thttp://a.pk/1"),
        format!("{farmer}\thttp://a.pk/2"),
    ];
    assert_eq!(lines(&out), rows.into());
    let mut command = corpulyzer(["sentences", "--language", "ur", "--min-words", "30"]);
    let said = stderr(&command.arg(&file).out(&out).assert().code(1));
    assert!(said.ends_with("has no whole sentence in urd; nothing was written\n"), "{said}");
    assert_eq!(lines(&out).len(), 3, "those of before stay");
}

#[test]
fn sentences_of_several_languages_go_to_a_file_each_in_one_pass() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let urdu = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا۔";
    let english = "The council has decided that the new school will open in spring.";
    let pages = [
        page("http://a.pk/1", &[&urdu.repeat(3), &english.repeat(3)]),
        page("http://a.pk/2", &[english, "Dr. Smith met the old miller by the river."]),
    ];
    fs::write(path("c.jsonl"), pages.concat()).unwrap();
    let sentences = |languages: &str, out: &str| {
        let mut command = corpulyzer(["sentences", "--language", languages]);
        command.arg(path("c.jsonl")).out(path(out)).assert()
    };
    let said = stderr(&sentences("en,Urdu,eng,fi", "s.{language}.txt").success());
    let own = fs::read(path("s.urd.txt")).unwrap();
    assert_eq!(lines(Path::new(&path("s.urd.txt"))), [urdu.to_owned()].into());
    assert_eq!(lines(Path::new(&path("s.eng.txt"))).len(), 2);
    assert!(!Path::new(&path("s.fin.txt")).exists());
    assert!(said.contains("no whole sentence in fin; "), "{said}");
    assert!(said.contains(" 3 of them in urd, 1 different: "), "{said}");
    sentences("ur", "one.txt").success();
    assert_eq!(fs::read(path("one.txt")).unwrap(), own, "as when it is the only language");

    let said = stderr(&sentences("ur,en", "both.txt").code(2));
    assert!(said.contains("is one file for 2 languages; write {language} in its name"), "{said}");
    let said = stderr(&sentences("ur,", "both.txt").code(2));
    assert!(said.contains("the code is empty"), "{said}");
    let said = stderr(&sentences("fi,sw", "s.{language}.txt").code(1));
    assert!(said.contains("no whole sentence in fin,swa; nothing was written"), "{said}");
}

#[test]
fn a_corpus_is_written_as_vertical_text_in_its_order() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let page = |number: usize, text: &str, decision: &str| {
        format!("{{\"url\":\"http://a.pk/{number}?a&b\",\"text\":\"{text}\",\"round\":2,\"languages\":{{\"urd\":9}},\"decision\":\"{decision}\"}}\n")
    };
    let pages = [
        page(1, "وہ گھر گیا۔میں آیا\\n<b> &", "keep"),
        page(2, "نہیں", "reject"),
        page(3, " ", "keep"),
        page(4, "ہاں", "keep"),
        page(5, "اور", "keep"),
    ];
    fs::write(path("corpus.jsonl"), pages.concat()).unwrap();
    fs::write(path("list.txt"), "=http://a.pk/4?a&b\n").unwrap();
    let vertical = |more: &[&str]| {
        let mut command = corpulyzer(["vertical", &path("corpus.jsonl"), "--language", "Urdu"]);
        let said = stderr(&command.args(more).args(["--out", &path("c.vrt")]).assert().success());
        (fs::read_to_string(path("c.vrt")).unwrap(), said)
    };
    let (text, said) = vertical(&["--without", &path("list.txt")]);
    assert!(said.contains("2 documents, 4 sentences, 11 tokens: "), "{said}");
    let lines: Vec<&str> = text.lines().collect();
    let head = "<doc url=\"http://a.pk/1?a&amp;b\" host=\"a.pk\" bytes=\"9\" round=\"2\">";
    assert_eq!(lines[..6], [head, "<p>", "<s>", "وہ", "گھر", "گیا"]);
    assert!(
        text.contains("\n<p>\n<s>\n&lt;\n<g/>\nb\n<g/>\n&gt;\n&amp;\n</s>\n</p>\n</doc>\n<doc ")
    );
    assert!(text.ends_with("<s>\nاور\n</s>\n</p>\n</doc>\n"), "{text}");
    let (text, _) = vertical(&["--names", "korp"]);
    assert!(text.starts_with("<text url=") && text.contains("\n<sentence>\n"), "{text}");
    assert!(!text.contains("<g/>") && text.contains("\nہاں\n"), "{text}");

    fs::write(path("corpus.jsonl"), page(2, "نہیں", "reject")).unwrap();
    let mut command = corpulyzer(["vertical", &path("corpus.jsonl"), "--language", "ur"]);
    let said = stderr(&command.args(["--out", &path("none.vrt")]).assert().code(1));
    assert!(said.contains("no page with text") && !Path::new(&path("none.vrt")).exists(), "{said}");
}

#[test]
fn abbreviations_are_learned_from_the_corpus() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let names = ["Salmi", "Orlov", "Benda"];
    let page = |number: usize| {
        let name = names[number % names.len()];
        format!(
            "{{\"url\":\"http://a.test/{number}\",\"languages\":{{\"eng\":99}},\"decision\":\"keep\",\"text\":\
             \"The owner Kdr. {name} bought the garden. The people liked the owner.\"}}\n"
        )
    };
    let sentences = |pages: usize| {
        fs::write(path("corpus.jsonl"), (0..pages).map(page).collect::<String>()).unwrap();
        let out = path("c.vrt");
        let command = &["vertical", &path("corpus.jsonl"), "--language", "eng", "--out", &out];
        corpulyzer(command).assert().success();
        fs::read_to_string(out).unwrap().matches("<s>").count()
    };
    assert_eq!(sentences(1), 3, "one page shows nothing of Kdr.");
    assert_eq!(sentences(12), 24);
}
