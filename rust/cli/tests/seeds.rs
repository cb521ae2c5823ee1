//! `corpulyzer seeds` as a user meets it.

use crate::common::{corpulyzer, stderr, Out as _};
use flate2::write::GzEncoder;
use flate2::Compression;
use std::fs;
use std::io::Write;
use tempfile::TempDir;

const URDU: &str = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے۔ ";
const PERSIAN: &str =
    "دیروز عصر در کتابخانه قدیمی شهر جلسه شعرخوانی برگزار شد و مردم زیادی از راه دور آمدند. ";

fn conversion(url: &str, text: &str) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: {url}\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n",
        text.len()
    );
    [head.as_bytes(), text.as_bytes(), b"\r\n\r\n"].concat()
}

/// Common Crawl's way: a gzip member a record.
fn archive() -> Vec<u8> {
    let mut archive = Vec::new();
    for (url, text) in [
        ("http://paper.pk/1", URDU.repeat(3)),
        ("http://paper.pk/2", URDU.repeat(5)),
        ("http://paper.pk/short", "شہر کی پرانی لائبریری".to_owned()),
        ("http://neighbour.ir/1", PERSIAN.repeat(9)),
        ("http://mixed.pk/1", format!("{}\n{}", PERSIAN.repeat(9), URDU.repeat(4))),
        ("http://spam.pk/1", URDU.repeat(9)),
    ] {
        let mut member = GzEncoder::new(Vec::new(), Compression::default());
        member.write_all(&conversion(url, &text)).unwrap();
        archive.extend(member.finish().unwrap());
    }
    archive
}

#[test]
fn seeds_are_the_urls_in_the_language_of_an_archive_and_an_old_corpus() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        path
    };
    let wet = file("a.warc.wet.gz", &archive());
    let old = "{\"url\":\"http://old.pk/1\",\"languages\":{\"urd\":700}}\n{\"url\":\"http://old.pk/2\",\"languages\":{\"urd\":800},\"gone\":true}\nbroken\n";
    let old = file("old.jsonl", old.as_bytes());
    let without = file("without.txt", b"spam.pk\n");
    let known = file("known.txt", b"http://paper.pk/1\tnutch.score=2.0\n");
    let out = folder.path().join("seeds.txt");
    let mut command = corpulyzer(["seeds", "--language", "ur", "--min-bytes", "256"]);
    command.arg(&wet).arg(&old).out(&out).arg("--without").arg(&without).arg("--known").arg(&known);
    let said = stderr(&command.assert().success());
    assert_eq!(
        fs::read_to_string(&out).unwrap(),
        "http://old.pk/1\nhttp://paper.pk/2\nhttp://mixed.pk/1\n"
    );
    assert!(said.contains("seeds: skipped 1 line that is not a page in JSON"), "{said}");
    assert!(said.contains("8 pages, 5 of them with 256 bytes of urd or more on 3 hosts"), "{said}");
    assert!(said.contains("1 by --without, 1 known or repeated, 0 beyond 20 of a host"), "{said}");
    // A crawl reads the file without changes, and so does --known.
    let mut command = corpulyzer(["seeds", "--language", "ur", "--known"]);
    let said =
        stderr(&command.arg(&out).arg(&old).out(folder.path().join("more.txt")).assert().failure());
    assert!(said.ends_with("no page can be a seed for urd; nothing was written\n"), "{said}");
    assert!(!folder.path().join("more.txt").exists());
}

#[test]
fn a_tag_is_written_as_metadata_of_each_seed_and_a_bad_one_is_refused() {
    let folder = TempDir::new().unwrap();
    let old = folder.path().join("old.jsonl");
    fs::write(&old, "{\"url\":\"http://old.pk/1\",\"languages\":{\"urd\":700}}\n").unwrap();
    let out = folder.path().join("seeds.txt");
    let seeds = |tag: &str| {
        let mut command = corpulyzer(["seeds", "--language", "ur", "--tag", tag, "--out"]);
        command.arg(&out).arg(&old).assert()
    };
    for bad in ["", "a b", "a\tb", "a\u{1}", "a\u{200f}", "a=b", "=a", "+a", &"x".repeat(65)] {
        let said = stderr(&seeds(bad).failure().code(2));
        assert!(said.contains("allowed are 1 to 64 letters"), "{bad:?}: {said}");
        assert!(!out.exists(), "{bad:?}");
    }
    seeds("commoncrawl").success();
    assert_eq!(fs::read_to_string(&out).unwrap(), "http://old.pk/1\tsource=commoncrawl\n");
    // A later run knows these seeds.
    let mut command = corpulyzer(["seeds", "--language", "ur", "--known"]);
    command.arg(&out).arg(&old).out(folder.path().join("more.txt"));
    assert!(stderr(&command.assert().failure()).contains("no page can be a seed"));
}

#[test]
fn the_limit_of_a_host_can_be_that_of_a_website() {
    let folder = TempDir::new().unwrap();
    let urls = ["http://a.pk/1", "http://www.a.pk/2", "http://news.a.pk/3", "http://b.pk/4"];
    let lines: String = urls
        .iter()
        .map(|url| format!("{{\"url\":\"{url}\",\"languages\":{{\"urd\":700}}}}\n"))
        .collect();
    fs::write(folder.path().join("c.jsonl"), lines).unwrap();
    for (site, seeds) in [("host", 4), ("no-www", 3), ("domain", 2)] {
        corpulyzer(["seeds", "c.jsonl", "--language", "ur", "--per-host", "1", "--site", site])
            .args(["--out", site])
            .current_dir(&folder)
            .assert()
            .success();
        let found = fs::read_to_string(folder.path().join(site)).unwrap();
        assert_eq!(found.lines().count(), seeds, "{site}: {found}");
    }
}

#[test]
fn links_in_posts_of_the_language_are_seeds() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let json = serde_json::json!({
        "id": 7, "user": {"description": "News and weather"}, "text": format!("{URDU} https://t.co/x"),
        "entities": {"urls": [{"expanded_url": "http://paper.pk/5"}]},
    });
    let posts = [
        format!("{URDU} (http://paper.pk/1)۔"),
        format!("{PERSIAN} http://neighbour.ir/1"),
        format!("{URDU} http://paper.pk/1 http://spam.pk/2"),
        "http://bare.pk/".to_owned(),
        json.to_string(),
    ];
    fs::write(path("posts"), posts.join("\n")).unwrap();
    fs::write(path("without"), "spam.pk\n").unwrap();
    let seeds = |file: &str| {
        let mut command = corpulyzer(["seeds", "--posts", "--language", "ur", "--tag", "posts"]);
        command.current_dir(folder.path());
        command.args(["--without", "without", "--out", "seeds", file]).assert()
    };
    let said = stderr(&seeds("posts").success());
    assert!(said.contains("5 posts, 3 of them in urd on 2 hosts"), "{said}");
    assert_eq!(
        fs::read_to_string(path("seeds")).unwrap(),
        "http://paper.pk/1\tsource=posts\nhttp://paper.pk/5\tsource=posts\nhttps://t.co/x\tsource=posts\n"
    );
    fs::write(path("none"), "no link\n").unwrap();
    let said = stderr(&seeds("none").code(1));
    assert!(said.contains("no post has a seed for urd; nothing was written"), "{said}");
}

#[test]
fn a_mix_of_rich_and_random_seeds_is_drawn_from_pages_and_from_an_index() {
    let folder = TempDir::new().unwrap();
    let (old, index) = (folder.path().join("old.jsonl"), folder.path().join("cc.cdxj"));
    let out = folder.path().join("seeds.txt");
    let (mut pages, mut entries) = (String::new(), String::new());
    for page in 0..200 {
        let (bytes, label) = if page % 4 == 0 { (700, "eng,urd") } else { (20, "eng") };
        let url = format!("http://h{}.pk/{page}", page % 7);
        pages += &format!("{{\"url\":\"{url}\",\"languages\":{{\"urd\":{bytes}}}}}\n");
        entries += &format!(
            "pk,h)/{page} 20260101000000 {{\"url\":\"{url}\",\"languages\":\"{label}\"}}\n"
        );
    }
    fs::write(&old, pages).unwrap();
    fs::write(&index, entries).unwrap();
    let run = |input: &std::path::Path, more: &str| {
        let mut command = corpulyzer(["seeds", "--language", "ur"]);
        command.arg(input).out(&out).args(more.split(' ')).assert()
    };
    let is_rich = |line: &str| {
        let (url, _) = line.split_once('\t').unwrap();
        url.rsplit('/').next().unwrap().parse::<u32>().unwrap() % 4 == 0
    };
    for (input, more) in [(&old, ""), (&index, " --index")] {
        run(input, &format!("--mix 50 --count 40{more}")).success();
        let seeds = fs::read_to_string(&out).unwrap();
        let (rich, random): (Vec<&str>, Vec<&str>) =
            seeds.lines().partition(|line| line.ends_with("\tsource=rich"));
        assert_eq!((rich.len(), random.len()), (20, 20), "{seeds}");
        assert!(random.iter().all(|line| line.ends_with("\tsource=random")), "{seeds}");
        assert!(rich.iter().all(|line| is_rich(line)), "{seeds}");
        assert!(!random.iter().all(|line| is_rich(line)), "{seeds}");
    }
    let before = fs::read(&out).unwrap();
    let said = stderr(&run(&old, "--mix 100 --count 51").code(1));
    assert!(said.contains("has 50 pages left for the 51 rich seeds of --mix"), "{said}");
    assert_eq!(fs::read(&out).unwrap(), before, "the old seeds stay");
    for more in ["--mix 50", "--mix 101 --count 9", "--mix 50 --count 9 --per-host 2"] {
        run(&old, more).code(2);
    }
}
