//! `corpulyzer sentences` as a user meets it.
#![allow(clippy::unwrap_used)]

mod common;

use common::{corpulyzer, stderr};
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
        stderr(&command.arg(&file).arg("--out").arg(&out).args(arguments).assert().success())
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
    let said = stderr(&command.arg(&file).arg("--out").arg(&out).assert().code(1));
    assert!(said.ends_with("has no whole sentence in urd; nothing was written\n"), "{said}");
    assert_eq!(lines(&out).len(), 3, "those of before stay");
}
