//! `corpulyzer cdx` and `corpulyzer lookup` as a user meets them.

use crate::common::{corpulyzer, stderr, stdout, Out as _};
use flate2::write::GzEncoder;
use flate2::Compression;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use tempfile::TempDir;

fn record(kind: &str, url: &str, date: &str, fields: &str, block: &str) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}T00:00:00Z\r\n{fields}\
         Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    );
    head.into_bytes()
}

fn page(url: &str, date: &str, text: &str) -> Vec<u8> {
    let block = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{text}\r\n0\r\n\r\n",
        text.len()
    );
    record("response", url, date, "WARC-Payload-Digest: sha1:SAME\r\n", &block)
}

fn packed(records: &[Vec<u8>]) -> Vec<u8> {
    let member = |record: &Vec<u8>| {
        let mut member = GzEncoder::new(Vec::new(), Compression::default());
        member.write_all(record).unwrap();
        member.finish().unwrap()
    };
    records.iter().flat_map(member).collect()
}

/// A folder with an archive in it, and the archive.
fn archive() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("a.warc.gz");
    let records = [
        page("http://www.b.pk/", "2026-02-01", "b"),
        page("http://a.pk/%D8%A7", "2026-01-01", "first"),
        page("http://a.pk/%D8%A7", "2026-03-01", "second"),
        record(
            "revisit",
            "http://a.pk/%D8%A7",
            "2026-04-01",
            "WARC-Payload-Digest: sha1:SAME\r\n",
            "",
        ),
        record("revisit", "http://c.pk/", "2026-04-01", "WARC-Payload-Digest: sha1:OTHER\r\n", ""),
    ];
    fs::write(&file, packed(&records)).unwrap();
    (folder, file)
}

#[test]
fn an_index_is_sorted_and_the_same_in_a_file_as_on_standard_output() {
    let (folder, file) = archive();
    let printed = stdout(&corpulyzer(["cdx"]).arg(&file).assert().success());
    let starts: Vec<&str> = printed.lines().map(|line| &line[..line.find('{').unwrap()]).collect();
    let expected = [
        "pk,a)/%d8%a7 20260101000000 ",
        "pk,a)/%d8%a7 20260301000000 ",
        "pk,a)/%d8%a7 20260401000000 ",
        "pk,b)/ 20260201000000 ",
        "pk,c)/ 20260401000000 ",
    ];
    assert_eq!(starts, expected);
    let first = "{\"url\": \"http://www.b.pk/\", \"mime\": \"text/html\", \"status\": \"200\", \"digest\": \"sha1:SAME\", \"length\": ";
    assert!(printed.lines().nth(3).unwrap().contains(first), "{printed}");
    let mut dash = corpulyzer(["cdx"]);
    assert_eq!(stdout(&dash.arg(&file).args(["--out", "-"]).assert().success()), printed);
    let index = folder.path().join("index.cdxj");
    // The folder holds the archive, and by then an index, which is none.
    for _ in 0..2 {
        let said = stderr(&corpulyzer(["cdx"]).arg(folder.path()).out(&index).assert().success());
        assert!(said.ends_with("5 records of 1 file\n"), "{said}");
        assert_eq!(fs::read_to_string(&index).unwrap(), printed);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no temporary files are left");
}

#[test]
fn a_page_is_found_again_by_its_address_and_time() {
    let (folder, file) = archive();
    let index = folder.path().join("index.cdxj");
    corpulyzer(["cdx"]).arg(&file).out(&index).assert().success();
    let lookup = |url: &str, options: &[&str]| {
        corpulyzer(["lookup", url]).arg(&index).args(options).assert()
    };
    assert_eq!(stdout(&lookup("http://a.pk/ا", &["--at", "2026"]).success()), "first");
    assert_eq!(stdout(&lookup("https://WWW.a.pk/ا#x", &["--at", "202603"]).success()), "second");
    // The latest is a revisit of the one before it.
    assert_eq!(stdout(&lookup("a.pk/ا", &[]).success()), "second");
    let record = stdout(&lookup("a.pk/ا", &["--record"]).success());
    assert!(record.starts_with("WARC/1.0\r\nWARC-Type: revisit\r\n"), "{record}");
    assert_eq!(stdout(&lookup("a.pk/ا", &["--list"]).success()).lines().count(), 3);
    assert!(stderr(&lookup("http://a.pk/", &[]).failure())
        .contains("has no record of http://a.pk/ (key pk,a)/)"));
    assert!(stderr(&lookup("http://c.pk/", &[]).failure())
        .contains("is a revisit: its page is in a record of another URL"));
}

#[test]
fn an_archive_that_moved_or_was_changed_is_told() {
    let (folder, file) = archive();
    let index = folder.path().join("index.cdxj");
    corpulyzer(["cdx"]).arg(&file).out(&index).assert().success();
    let error = || stderr(&corpulyzer(["lookup", "http://a.pk/ا"]).arg(&index).assert().failure());
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..300]).unwrap();
    assert!(error().contains("a.warc.gz: is cut off: it has 300 bytes"), "{}", error());
    fs::write(&file, [b"x", &whole[..]].concat()).unwrap();
    assert!(error().contains("a.warc.gz: has no record at byte"), "{}", error());
    let others = ["2025-01-01", "2025-01-01", "2025-01-01", "2025-01-01"]
        .map(|date| page("http://d.pk/%D8%A7", date, "third"));
    fs::write(&file, packed(&others)).unwrap();
    assert!(error().contains("a.warc.gz: "), "{}", error());
    let elsewhere = folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("a.warc.gz"), &whole).unwrap();
    fs::remove_file(&file).unwrap();
    assert!(error().contains("name the folder of the WARC files (--root)"), "{}", error());
    let mut command = corpulyzer(["lookup", "http://a.pk/ا", "--root"]);
    assert_eq!(stdout(&command.arg(&elsewhere).arg(&index).assert().success()), "second");
}

#[cfg(unix)]
#[test]
fn lookup_reads_no_file_outside_the_folder_of_the_index() {
    let (folder, file) = archive();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    let index = inner.join("index.cdxj");
    corpulyzer(["cdx"]).arg(&file).out(&index).assert().success();
    let lines = fs::read_to_string(&index).unwrap();
    std::os::unix::fs::symlink(&file, inner.join("link.warc.gz")).unwrap();
    let lookup = |options: &[&str]| {
        corpulyzer(["lookup", "http://b.pk/"]).arg(&index).args(options).assert()
    };
    for name in [
        file.to_str().unwrap(),
        "../a.warc.gz",
        "x/../../a.warc.gz",
        "link.warc.gz",
        "/etc/passwd",
        "/dev/zero",
    ] {
        fs::write(&index, lines.replace("\"a.warc.gz\"", &format!("\"{name}\""))).unwrap();
        let said = stderr(&lookup(&[]).code(1));
        assert!(said.contains(&format!("names the file {name}, which is not in ")), "{said}");
        assert!(said.ends_with("(--root), or allow other folders (--outside)\n"), "{said}");
        if name.ends_with("a.warc.gz") && !name.starts_with('x') || name.starts_with("link") {
            assert_eq!(stdout(&lookup(&["--outside"]).success()), "b");
        }
    }
    assert!(stderr(&lookup(&["--outside"]).code(1)).contains("/dev/zero: is not a regular file"));
}

#[cfg(unix)]
#[test]
fn lookup_does_not_wait_for_a_pipe() {
    let (folder, file) = archive();
    let index = folder.path().join("index.cdxj");
    corpulyzer(["cdx"]).arg(&file).out(&index).assert().success();
    fs::remove_file(&file).unwrap();
    let pipe = |path: &PathBuf| {
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success())
    };
    let lookup = || {
        let mut command = corpulyzer(["lookup", "http://b.pk/"]);
        stderr(&command.arg(&index).timeout(std::time::Duration::from_secs(20)).assert().code(1))
    };
    pipe(&file);
    assert!(lookup().contains("a.warc.gz: is not a regular file"), "{}", lookup());
    fs::remove_file(&index).unwrap();
    pipe(&index);
    assert!(lookup().contains("index.cdxj: is not a regular file"), "{}", lookup());
}

#[test]
fn files_of_one_name_are_told_apart_by_their_folder() {
    let (folder, file) = archive();
    let other = folder.path().join("other/a.warc.gz");
    fs::create_dir(other.parent().unwrap()).unwrap();
    fs::write(&other, packed(&[page("http://o.pk/", "2026-01-01", "o")])).unwrap();
    let said = stderr(&corpulyzer(["cdx"]).arg(&file).arg(&other).assert().failure());
    assert!(said.contains("has the same name") && said.contains("(--root)"), "{said}");
    let index = folder.path().join("index.cdxj");
    let root = folder.path();
    corpulyzer(["cdx"]).arg(root).arg("--root").arg(root).out(&index).assert().success();
    assert_eq!(stdout(&corpulyzer(["lookup", "o.pk"]).arg(&index).assert().success()), "o");
    assert_eq!(stdout(&corpulyzer(["lookup", "b.pk"]).arg(&index).assert().success()), "b");
}

#[test]
fn what_cannot_be_indexed_is_named_and_an_index_is_not_replaced_for_nothing() {
    let (folder, file) = archive();
    let path = |name: &str| folder.path().join(name);
    // Cut off: what is whole is indexed, and does not replace what was indexed before.
    let whole = fs::read(&file).unwrap();
    fs::write(path("cut.warc.gz"), &whole[..whole.len() - 9]).unwrap();
    fs::write(path("index.cdxj"), "a good one\n").unwrap();
    corpulyzer(["cdx"]).arg(path("cut.warc.gz")).out(path("index.cdxj")).assert().code(1);
    assert_eq!(fs::read_to_string(path("index.cdxj")).unwrap(), "a good one\n");
    assert_eq!(fs::read_to_string(path("index.cdxj.partial")).unwrap().lines().count(), 4);
    let assert = corpulyzer(["cdx"]).arg(path("cut.warc.gz")).assert().code(1);
    assert_eq!(stdout(&assert).lines().count(), 4);
    let said = stderr(&assert);
    assert!(
        said.contains("cut.warc.gz, record at byte")
            && said.contains("the file ends before the record does"),
        "{said}"
    );
    assert!(said.contains("cdx: skipped 1 place where compressed data is damaged"), "{said}");
    // Compressed as a whole: the others are indexed, but it did not all go well.
    let one = packed(&[[
        page("http://a.pk/", "2026-01-01", "1"),
        page("http://a.pk/", "2026-01-02", "2"),
    ]
    .concat()]);
    fs::write(path("one.warc.gz"), &one).unwrap();
    let assert = corpulyzer(["cdx"]).arg(path("one.warc.gz")).arg(&file).assert().failure();
    assert_eq!(stdout(&assert).lines().count(), 5);
    assert!(
        stderr(&assert).contains("one.warc.gz: is compressed as a whole"),
        "{}",
        stderr(&assert)
    );
    // An empty file.
    let said = stderr(
        &corpulyzer(["cdx"]).arg(path("one.warc.gz")).out(path("index.cdxj")).assert().failure(),
    );
    assert!(said.ends_with("no record could be indexed; nothing was written\n"), "{said}");
    assert_eq!(fs::read_to_string(path("index.cdxj")).unwrap(), "a good one\n");
    let said = stderr(&corpulyzer(["cdx"]).arg(&file).out(&file).assert().failure());
    assert!(said.contains("is an input, so it cannot be the output"), "{said}");
    assert!(stderr(&corpulyzer(["cdx", "-"]).assert().failure())
        .contains("standard input cannot be indexed"));
}

/// The lines of a CDXJ index in the format CDX with 9 or 11 fields, with keys as SURT or as URLs.
fn cdx_of(cdxj: &str, fields: usize, is_surt: bool) -> String {
    let line = |line: &str| {
        let (key, rest) = line.split_once(' ').unwrap();
        let (time, json) = rest.split_once(' ').unwrap();
        let json: serde_json::Value = serde_json::from_str(json).unwrap();
        let of = |name: &str| json[name].as_str().unwrap_or("-").to_owned();
        let key = if is_surt {
            key.to_owned()
        } else {
            key.replace("pk,a)", "a.pk").replace("pk,b)", "b.pk").replace("pk,c)", "c.pk")
        };
        let place = match fields {
            9 => format!("{} {}", of("offset"), of("filename")),
            _ => format!("- {} {} {}", of("length"), of("offset"), of("filename")),
        };
        let [url, mime, status, digest] = ["url", "mime", "status", "digest"].map(of);
        format!("{key} {time} {url} {mime} {status} {digest} - {place}")
    };
    let mut lines: Vec<String> = cdxj.lines().map(line).collect();
    lines.sort();
    let head = if fields == 9 { " CDX N b a m s k r V g" } else { " CDX N b a m s k r M S V g" };
    format!("{head}\n{}\n", lines.join("\n"))
}

#[test]
fn a_page_is_found_in_indexes_of_other_programs() {
    let (folder, file) = archive();
    let cdxj = stdout(&corpulyzer(["cdx"]).arg(&file).assert().success());
    let path = |name: &str| folder.path().join(name);
    let url = "http://a.pk/%D8%A7";
    fs::write(path("9.cdx"), cdx_of(&cdxj, 9, true)).unwrap();
    fs::write(path("11.cdx"), cdx_of(&cdxj, 11, true)).unwrap();
    fs::write(path("old.cdx"), cdx_of(&cdxj, 11, false)).unwrap();
    let (mut part, mut summary) = (Vec::new(), String::new());
    for block in cdxj.lines().collect::<Vec<_>>().chunks(2) {
        let member = packed(&[(block.join("\n") + "\n").into_bytes()]);
        let first = &block[0][..block[0].find('{').unwrap() - 1];
        summary += &format!("{first}\tcdx-00000.gz\t{}\t{}\t1\n", part.len(), member.len());
        part.extend(member);
    }
    fs::write(path("cdx-00000.gz"), part).unwrap();
    fs::write(path("cluster.idx"), summary).unwrap();
    for index in ["9.cdx", "11.cdx", "old.cdx", "cluster.idx"] {
        let run = |more: &[&str]| {
            let mut lookup = corpulyzer(["lookup", url]);
            stdout(&lookup.arg(path(index)).args(more).assert().success())
        };
        assert_eq!(run(&["--at", "20260301"]), "second", "{index}");
        assert_eq!(run(&["--at", "20260101"]), "first", "{index}");
        assert_eq!(run(&["--list"]).lines().count(), 3, "{index}");
        let captures = run(&["--list", "--json"]);
        let captures = captures.lines().map(|line| serde_json::from_str(line).unwrap());
        let captures: Vec<serde_json::Value> = captures.collect();
        assert_eq!(captures.len(), 3, "{index}");
        for capture in captures {
            assert_eq!(capture["url"], url, "{index}");
            assert_eq!(capture["filename"], "a.warc.gz", "{index}");
            assert!(capture["offset"].is_u64(), "{index}: {capture}");
            assert_eq!(capture["length"].is_null(), index == "9.cdx", "{index}: {capture}");
        }
        let mut absent = corpulyzer(["lookup", "http://d.pk/"]);
        let said = stderr(&absent.arg(path(index)).assert().code(1));
        assert!(said.contains("has no record of http://d.pk/"), "{index}: {said}");
    }
}
