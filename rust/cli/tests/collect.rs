//! `corpulyzer collect` as a user meets it.

use crate::common::{corpulyzer, program, stderr, stdout, Out as _};
use flate2::write::GzEncoder;
use flate2::Compression;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const URDU: &str = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے۔ ";
const PERSIAN: &str =
    "دیروز عصر در کتابخانه قدیمی شهر جلسه شعرخوانی برگزار شد و مردم زیادی از راه دور آمدند. ";
const ENGLISH: &str =
    "The council met on Tuesday evening to discuss the new library, which is to open next spring. ";

fn record(kind: &str, url: &str, content_type: &str, more: &str, block: &str) -> Vec<u8> {
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-11-01T10:00:00Z\r\n{more}\
         Content-Type: {content_type}\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
    .into_bytes()
}

fn html(title: &str, paragraphs: &[String]) -> String {
    let body: String = paragraphs.iter().map(|paragraph| format!("<p>{paragraph}</p>")).collect();
    format!(
        "<html><head><meta charset=utf-8><title>{title}</title></head><body>{body}</body></html>"
    )
}

fn response(url: &str, head: &str, page: &str) -> Vec<u8> {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{head}\r\n{page}");
    record("response", url, "application/http; msgtype=response", "", &block)
}

/// A page of three paragraphs.
fn page(url: &str, sentence: &str) -> Vec<u8> {
    response(url, "", &html("t", &[sentence.repeat(4), sentence.repeat(3), sentence.repeat(5)]))
}

/// A gzip member for each record, as Common Crawl has it.
fn gzip(records: &[Vec<u8>]) -> Vec<u8> {
    let mut archive = Vec::new();
    for record in records {
        let mut member = GzEncoder::new(archive, Compression::default());
        member.write_all(record).unwrap();
        archive = member.finish().unwrap();
    }
    archive
}

/// A folder with inputs and outputs.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        fs::write(self.path(name), content).unwrap();
        self.path(name)
    }

    fn command(&self, languages: &str, out: &str, inputs: &[PathBuf]) -> assert_cmd::Command {
        let mut command = corpulyzer(["collect", "--language", languages]);
        command.out(self.path(out)).args(inputs);
        command
    }

    fn corpus(&self, file: &str) -> Vec<serde_json::Value> {
        lines(&self.path(file))
    }
}

fn lines(file: &Path) -> Vec<serde_json::Value> {
    let text =
        String::from_utf8(zstd::decode_all(fs::read(file).unwrap().as_slice()).unwrap()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn urls(corpus: &[serde_json::Value]) -> Vec<&str> {
    corpus.iter().map(|document| document["url"].as_str().unwrap()).collect()
}

/// An archive, a WET file and JSON lines, with pages that are kept for one language, for two, or
/// for none.
fn inputs_of_three_kinds(place: &Place) -> [PathBuf; 3] {
    let both = html("دو", &[URDU.repeat(9), PERSIAN.repeat(9)]);
    let warc = [
        record("warcinfo", "", "application/warc-fields", "", "software: x\r\n"),
        page("http://a.pk/1", URDU),
        page("http://a.ir/1", PERSIAN),
        page("http://a.com/1", ENGLISH),
        response("http://a.pk/both?x=1", "", &both),
        response("http://a.pk/robots", "X-Robots-Tag: noindex\r\n", &html("x", &[URDU.repeat(9)])),
        response(
            "http://a.pk/meta",
            "",
            &format!("<meta name=robots content=noindex>{}", html("x", &[URDU.repeat(9)])),
        ),
        response(
            "http://a.pk/away",
            "",
            &format!(
                "<meta http-equiv=refresh content='0;url=/1'>{}",
                html("x", &[URDU.repeat(9)])
            ),
        ),
        record(
            "response",
            "http://a.pk/typed",
            "application/http",
            "WARC-Identified-Payload-Type: text/html\r\n",
            &format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n{}",
                html("x", &[URDU.repeat(9)])
            ),
        ),
        page("http://a.pk/1", URDU),
    ];
    let wet = record(
        "conversion",
        "http://wet.pk/1",
        "text/plain",
        "",
        &format!("{URDU}{URDU}\n{}", URDU.repeat(4)),
    );
    let json = format!(
        "{{\"url\":\"http://json.pk/1\",\"title\":\"t\",\"round\":3,\"text\":\"{}\",\"record_version\":\"1 best/3 x\"}}\n",
        URDU.repeat(9)
    );
    [
        place.file("a.warc.gz", &gzip(&warc)),
        place.file("b.warc.wet.zst", &zstd::encode_all(wet.as_slice(), 1).unwrap()),
        place.file("c.jsonl", json.as_bytes()),
    ]
}

#[test]
fn each_language_has_a_corpus_and_a_page_may_be_in_several() {
    let place = Place::new();
    let inputs = inputs_of_three_kinds(&place);
    let done = place.command("ur,fa", "out", &inputs).arg("--rejected").assert().success();
    let said = stdout(&done);
    assert!(said.contains("urd (Urdu): 5 documents"), "{said}");
    let path = place.path("out/urd/corpus.jsonl.zst");
    assert!(said.contains(&format!("; written to {}\n", path.display())), "{said}");
    let urdu = place.corpus("out/urd/corpus.jsonl.zst");
    let expected = [
        "http://a.pk/1",
        "http://a.pk/both?x=1",
        "http://a.pk/typed",
        "http://wet.pk/1",
        "http://json.pk/1",
    ];
    assert_eq!(urls(&urdu), expected);
    let first = &urdu[0];
    assert_eq!(first["id"], "pk.a:http/1");
    assert_eq!(first["fetch_time"], "2026-11-01T10:00:00Z");
    assert_eq!(first["content_type"], "text/html");
    assert_eq!(first["charset"], "utf-8");
    assert_eq!(first["text"].as_str().unwrap().lines().count(), 3);
    assert_eq!(first["signature"].as_str().unwrap().len(), 32);
    assert!(first["decision"].as_str().unwrap().starts_with("keep "));
    assert!(first.get("round").is_none(), "no archive has rounds");
    assert_eq!((&urdu[4]["round"], &urdu[4]["title"]), (&3.into(), &"t".into()));
    assert!(
        urdu[4]["record_version"].as_str().unwrap().contains(" best/3 "),
        "the text is still its"
    );
    assert_eq!(
        urls(&place.corpus("out/fas/corpus.jsonl.zst")),
        ["http://a.ir/1", "http://a.pk/both?x=1"]
    );
    let rejected = place.corpus("out/urd/rejected.jsonl.zst");
    assert_eq!(urls(&rejected), ["http://a.ir/1", "http://a.pk/away"]);
    assert_eq!(rejected[1]["decision"], "reject refresh to another page");
    let readme = fs::read_to_string(place.path("out/urd/README.md")).unwrap();
    assert!(
        readme.starts_with("# Web corpus: Urdu (urd)\n\n`corpus.jsonl.zst` has 5 documents"),
        "{readme}"
    );
    assert!(readme.contains("| duplicates | 1 document skipped"), "{readme}");
    assert!(
        readme.contains("5 documents with ") && readme.contains(" kB, compressed)"),
        "{readme}"
    );
    let first = place.corpus("out/urd/corpus.jsonl.zst").remove(0);
    for field in first.as_object().unwrap().keys() {
        assert!(readme.contains(&format!("`{field}`")), "{field}: {readme}");
    }
    assert!(!place.path("out/.corpulyzer-collect.parts").exists());
}

#[test]
fn a_corpus_can_be_plain_text() {
    let place = Place::new();
    let inputs = inputs_of_three_kinds(&place);
    place.command("ur", "text", &inputs).args(["--format", "text"]).assert().success();
    let text =
        zstd::decode_all(fs::read(place.path("text/urd/corpus.txt.zst")).unwrap().as_slice())
            .unwrap();
    assert_eq!(String::from_utf8(text).unwrap().matches("\n\n").count(), 5);
}

/// Inputs with pages of two languages among others; some are in all of them.
fn many(place: &Place) -> Vec<PathBuf> {
    let input = |number: usize| {
        let pages: Vec<Vec<u8>> = (0..40)
            .map(|at| match at % 4 {
                0 => page(&format!("http://h{}.pk/{at}", number % 3), &format!("{number} {URDU}")),
                1 => page(&format!("http://h.ir/{number}-{at}"), PERSIAN),
                _ => page(&format!("http://h.com/{number}-{at}"), ENGLISH),
            })
            .collect();
        place.file(&format!("{number}.warc.gz"), &gzip(&pages))
    };
    (0..7).map(input).collect()
}

#[test]
fn the_corpora_are_the_same_bytes_for_any_number_of_threads() {
    let place = Place::new();
    let inputs = many(&place);
    let corpora = |threads: &str| {
        let out = format!("out-{threads}");
        place.command("ur,fa", &out, &inputs).env("RAYON_NUM_THREADS", threads).assert().success();
        ["urd", "fas"]
            .map(|code| fs::read(place.path(&format!("{out}/{code}/corpus.jsonl.zst"))).unwrap())
    };
    let alone = corpora("1");
    assert_eq!(corpora("2"), alone);
    assert_eq!(corpora("5"), alone);
    let urdu = place.corpus("out-1/urd/corpus.jsonl.zst");
    assert_eq!(urdu.len(), 30, "of seven inputs with ten pages each, three have other URLs");
}

#[test]
fn the_first_look_changes_no_corpus() {
    let place = Place::new();
    let inputs = many(&place);
    place.command("ur", "with", &inputs).assert().success();
    let all = place.command("ur", "without", &inputs).arg("--no-first-look").assert().success();
    assert!(stdout(&all).contains("280 pages, 0 ruled out"), "{}", stdout(&all));
    let corpus = |out: &str| fs::read(place.path(&format!("{out}/urd/corpus.jsonl.zst"))).unwrap();
    assert_eq!(corpus("with"), corpus("without"));
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    let place = Place::new();
    let mut inputs = many(&place);
    place.command("ur", "whole", &inputs).assert().success();
    let last = fs::read(inputs.pop().unwrap()).unwrap();
    // Standard input is the last one, and gives nothing, until the others are read.
    inputs.push(PathBuf::from("-"));
    let mut command = program();
    command.args(["collect", "--language", "ur", "--out"]).arg(place.path("killed")).args(&inputs);
    let mut child = command
        .env("RAYON_NUM_THREADS", "1")
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let parts = place.path("killed/.corpulyzer-collect.parts");
    let is_done =
        |entry: &fs::DirEntry| entry.path().extension().is_some_and(|ending| ending == "done");
    let done =
        || fs::read_dir(&parts).map_or(0, |entries| entries.flatten().filter(is_done).count());
    let began = Instant::now();
    while done() < inputs.len() - 1 && began.elapsed() < Duration::from_secs(300) {
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(done(), inputs.len() - 1);
    assert!(!place.path("killed/urd").exists(), "no corpus before it is complete");

    // Other settings would mix two kinds of records.
    let other =
        place.command("ur", "killed", &inputs).args(["--min-bytes", "9"]).assert().failure();
    assert!(
        stderr(&other).contains("begun with `min-bytes 256`, and now it is `min-bytes 9`"),
        "{}",
        stderr(&other)
    );

    let again = place.command("ur", "killed", &inputs).write_stdin(last).assert().success();
    assert_eq!(stderr(&again).matches("was read by an earlier run").count(), inputs.len() - 1);
    let corpus = |out: &str| fs::read(place.path(&format!("{out}/urd/corpus.jsonl.zst"))).unwrap();
    assert_eq!(corpus("killed"), corpus("whole"));
    assert!(!parts.exists());
}

/// Memory that cannot be had ends a process at once, as `kill -9` does.
#[cfg(target_os = "linux")]
#[test]
fn with_too_little_memory_there_is_the_whole_corpus_or_none() {
    if std::env::var_os("CORPULYZER_EMULATOR").is_some() {
        println!("skipped: an emulator needs more address space than the command");
        return;
    }
    let place = Place::new();
    let inputs = many(&place);
    place.command("ur", "whole", &inputs).assert().success();
    let corpus = |out: &str| fs::read(place.path(&format!("{out}/urd/corpus.jsonl.zst")));
    let whole = corpus("whole").unwrap();
    let mut failures = 0;
    for kibibytes in std::iter::successors(Some(60_000_u64), |last| Some(last * 6 / 5)).take(24) {
        let limit = format!("ulimit -v {kibibytes} && exec \"$0\" \"$@\"");
        let run = std::process::Command::new("sh")
            .args(["-c", &limit])
            .arg(assert_cmd::cargo::cargo_bin("corpulyzer"))
            .args(["collect", "--language", "ur", "--out"])
            .arg(place.path("out"))
            .args(&inputs)
            .output()
            .unwrap();
        if run.status.success() {
            assert_eq!(corpus("out").unwrap(), whole, "{kibibytes} KiB");
            break;
        }
        failures += 1;
        assert!(corpus("out").is_err(), "{kibibytes} KiB: {run:?}");
    }
    assert!(failures > 0);
    assert_eq!(corpus("out").unwrap(), whole);
}

#[test]
fn a_damaged_input_makes_a_partial_corpus_until_it_is_replaced() {
    let place = Place::new();
    let inputs = many(&place);
    place.command("ur", "out", &inputs).assert().success();
    let whole = fs::read(place.path("out/urd/corpus.jsonl.zst")).unwrap();
    let good = fs::read(&inputs[2]).unwrap();
    fs::write(&inputs[2], &good[..good.len() / 2]).unwrap();
    let failed = place.command("ur", "out", &inputs).assert().code(1);
    let said = stderr(&failed);
    assert!(said.contains("skipped 1 place where compressed data is damaged"), "{said}");
    assert_eq!(
        fs::read(place.path("out/urd/corpus.jsonl.zst")).unwrap(),
        whole,
        "the good one stays"
    );
    assert!(place.path("out/urd/corpus.jsonl.zst.partial").exists());
    assert!(place.path("out/urd/README.md.partial").exists());
    fs::write(&inputs[2], &good).unwrap();
    let again = place.command("ur", "out", &inputs).assert().success();
    assert_eq!(stderr(&again).matches("was read by an earlier run").count(), inputs.len() - 1);
    assert_eq!(fs::read(place.path("out/urd/corpus.jsonl.zst")).unwrap(), whole);
}

#[test]
fn records_that_cannot_be_read_cost_themselves_alone() {
    let place = Place::new();
    let deep = format!("{}{}", "<div>".repeat(50_000), URDU.repeat(9));
    let records = [
        page("http://a.pk/1", URDU),
        record("response", "http://a.pk/no-head", "application/http", "", "no head"),
        response("http://a.pk/deep", "", &deep),
        record(
            "response",
            "http://a.pk/image",
            "application/http",
            "",
            "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nx",
        ),
        record(
            "response",
            "http://a.pk/moved",
            "application/http",
            "",
            "HTTP/1.1 301 x\r\nLocation: /\r\n\r\n",
        ),
        response("not a url", "", &html("x", &[URDU.repeat(9)])),
        page("http://a.pk/2", URDU),
    ];
    let lines = format!(
        "broken\n{{\"url\":\"u\"}}\n{{\"text\":\"{}\",\"raw_bytes\":1e30}}\n{{\"text\":\"{}\"}}\n",
        URDU,
        URDU.repeat(9)
    );
    let inputs = [
        place.file("a.warc.gz", &gzip(&records)),
        place.file("b.jsonl", lines.as_bytes()),
        place.file("empty.jsonl", b""),
    ];
    let done = place.command("ur", "out", &inputs).assert().success();
    let said = stderr(&done);
    assert!(said.contains("skipped 1 response without a proper HTTP head"), "{said}");
    assert!(said.contains("skipped 2 lines that are not pages in JSON"), "{said}");
    assert!(said.contains("skipped 1 record without text"), "{said}");
    let corpus = place.corpus("out/urd/corpus.jsonl.zst");
    assert_eq!(
        urls(&corpus),
        ["http://a.pk/1", "http://a.pk/deep", "not a url", "http://a.pk/2", ""]
    );
}

#[test]
fn inputs_may_be_listed_and_nothing_to_keep_is_an_empty_corpus() {
    let place = Place::new();
    let input = place.file("a.warc.gz", &gzip(&[page("http://a.com/1", ENGLISH)]));
    let list = place.file("list", format!("{}\n\n", input.display()).as_bytes());
    place.command("ur", "out", &[]).arg("--list").arg(&list).assert().success();
    assert!(place.corpus("out/urd/corpus.jsonl.zst").is_empty());
    let empty = place.file("empty", b"\n");
    let said =
        stderr(&place.command("ur", "out", &[]).arg("--list").arg(&empty).assert().failure());
    assert!(said.contains("there is no input: the list is empty"), "{said}");
}

#[test]
fn pages_that_forbid_indexing_are_counted() {
    let place = Place::new();
    let forbids =
        |url: &str| response(url, "X-Robots-Tag: noindex\r\n", &html("x", &[URDU.repeat(9)]));
    let archive = [page("http://a.pk/1", URDU), forbids("http://a.pk/2"), forbids("http://a.pk/3")];
    let input = place.file("a.warc", &archive.concat());
    let json = place.command("ur", "out", &[input]).arg("--json").assert().success();
    let found: serde_json::Value = serde_json::from_str(&stdout(&json)).unwrap();
    assert_eq!(found["noindex"], 2, "{found}");
    let readme = fs::read_to_string(place.path("out/urd/README.md")).unwrap();
    assert!(readme.contains("forbid indexing are not in this corpus: 2."), "{readme}");
}

#[test]
fn other_fields_of_json_lines_stay_under_their_names() {
    let place = Place::new();
    let text = URDU.repeat(9);
    let line = format!(
        "{{\"url\":\"http://a.pk/1\",\"mykey\":5.50,\"text\":\"{text}\",\"spans\":[1],\"gone\":false,\
         \"main_bytes\":7,\"author\":\"Jane\",\"a\\\"b\":{{\"c\":[1]}},\"nothing\":null,\"mykey\":6}}\n"
    );
    let input = place.file("a.jsonl", line.as_bytes());
    place.command("ur", "out", &[input]).assert().success();
    let corpus = place.corpus("out/urd/corpus.jsonl.zst");
    let page = &corpus[0];
    assert_eq!(page["mykey"], 5.5);
    assert_eq!(page["author"], "Jane");
    assert_eq!(page["a\"b"], serde_json::json!({"c": [1]}));
    assert_eq!(page["main_bytes"], page["text"].as_str().unwrap().len());
    for name in ["spans", "gone", "nothing"] {
        assert!(page.get(name).is_none(), "{name}");
    }
}

#[test]
fn spans_are_the_parts_of_a_text_in_each_language() {
    let place = Place::new();
    let mixed = html("t", &[URDU.repeat(4), ENGLISH.repeat(2), URDU.repeat(5)]);
    let input = [place.file("a.warc.gz", &gzip(&[response("http://a.pk/1", "", &mixed)]))];
    place.command("ur", "out", &input).assert().success();
    let spans = |corpus: &[serde_json::Value]| corpus[0]["spans"].clone();
    assert!(spans(&place.corpus("out/urd/corpus.jsonl.zst")).is_null());
    place.command("ur", "out", &input).arg("--spans").assert().success();
    let corpus = place.corpus("out/urd/corpus.jsonl.zst");
    let text: Vec<char> = corpus[0]["text"].as_str().unwrap().chars().collect();
    let parts: Vec<(String, String)> = spans(&corpus)
        .as_array()
        .unwrap()
        .iter()
        .map(|span| {
            let place = |key: &str| span[key].as_u64().unwrap() as usize;
            // Text in other scripts than the target's is identified by CLD2.
            let probability = span["probability"].as_f64();
            assert!(span["language"] == "eng" || probability > Some(0.9), "{span}");
            let part = text[place("start")..place("end")].iter().collect();
            (span["language"].as_str().unwrap().to_owned(), part)
        })
        .collect();
    let part = |language: &str, sentence: &str, times| {
        (language.to_owned(), sentence.repeat(times).trim_end().to_owned())
    };
    assert_eq!(parts, [part("urd", URDU, 4), part("eng", ENGLISH, 2), part("urd", URDU, 5)]);
    let said = stderr(
        &place.command("ur", "text", &input).args(["--spans", "--format", "text"]).assert().code(2),
    );
    assert!(said.contains("--spans needs --format jsonl"), "{said}");
}

#[test]
fn a_corpus_is_not_collected_from_itself() {
    let place = Place::new();
    let input = place.file("a.warc.gz", &gzip(&[page("http://a.pk/1", URDU)]));
    place.command("ur", "out", &[input]).assert().success();
    let corpus = place.path("out/urd/corpus.jsonl.zst");
    let before = fs::read(&corpus).unwrap();
    for input in [&place.path("out"), &corpus] {
        // With other settings, no record of the corpus is kept.
        let mut command = place.command("ur", "out", std::slice::from_ref(input));
        let said = stderr(&command.args(["--min-bytes", "1000000"]).assert().code(1));
        let expected = format!(
            "{}: is an input, so it cannot be the output; name another file (--out)",
            corpus.display()
        );
        assert!(said.contains(&expected), "{said}");
        assert_eq!(fs::read(&corpus).unwrap(), before);
    }
    place.command("fa", "out", &[corpus]).assert().success();
}

#[test]
fn inputs_without_a_record_do_not_replace_a_corpus() {
    let place = Place::new();
    let input = place.file("a.warc.gz", &gzip(&[page("http://a.pk/1", URDU)]));
    place.command("ur", "out", &[input]).assert().success();
    let before = fs::read(place.path("out/urd/corpus.jsonl.zst")).unwrap();
    let page = place.file("page.html", html("t", &[URDU.repeat(9)]).as_bytes());
    let said = stderr(&place.command("ur", "out", &[page]).arg("--replace").assert().code(1));
    assert!(said.contains("page.html, at its beginning: is a page in HTML"), "{said}");
    assert_eq!(fs::read(place.path("out/urd/corpus.jsonl.zst")).unwrap(), before);
    for input in [PathBuf::from("-"), place.file("empty.jsonl", b"")] {
        let mut command = place.command("ur", "out", &[input]);
        let said = stderr(&command.arg("--replace").write_stdin("").assert().code(1));
        let expected = "no input has a record that can be read; no corpus was written\n";
        assert!(said.ends_with(expected), "{said}");
        assert_eq!(fs::read(place.path("out/urd/corpus.jsonl.zst")).unwrap(), before);
        assert!(!place.path("out/.corpulyzer-collect.parts").exists());
    }
}

#[test]
fn an_archive_that_cannot_be_read_is_named_in_a_folder_too() {
    let place = Place::new();
    let folder = place.path("in");
    fs::create_dir(&folder).unwrap();
    place.file("in/a.warc.gz", &gzip(&[page("http://a.pk/1", URDU)]));
    place.file("in/notes.txt", b"about the archives");
    place.command("ur", "out", std::slice::from_ref(&folder)).assert().success();
    let before = fs::read(place.path("out/urd/corpus.jsonl.zst")).unwrap();
    let tar = [vec![0; 257], b"ustar\x0000".to_vec(), vec![0; 1024]].concat();
    for (name, start, format) in [
        ("b.warc.lz4", b"\x04\x22\x4d\x18".as_slice(), "LZ4"),
        ("b.warc.lz", b"LZIP\x01", "lzip"),
        ("B.7Z", b"7z\xbc\xaf\x27\x1c\0\x04", "7z"),
        ("b.tar", &tar, "TAR"),
        ("b.tgz", &gzip(std::slice::from_ref(&tar)), "TAR"),
        ("b.zip", b"PK\x03\x04\x14\0", "ZIP"),
        ("b.rar", b"Rar!\x1a\x07\x01\0", "RAR"),
    ] {
        let file = place.file(&format!("in/{name}"), &[start, &[b' '; 64]].concat());
        let said =
            stderr(&place.command("ur", "out", std::slice::from_ref(&folder)).assert().code(1));
        assert!(said.contains(name) && said.contains(&format!("is {format}")), "{said}");
        assert_eq!(fs::read(place.path("out/urd/corpus.jsonl.zst")).unwrap(), before);
        fs::remove_file(file).unwrap();
    }
}

#[test]
fn a_corpus_is_not_replaced_by_one_of_other_inputs() {
    let place = Place::new();
    let file = |name: &str, url: &str| place.file(name, &gzip(&[page(url, URDU)]));
    let [one, two] = [file("a.warc.gz", "http://a.pk/1"), file("b.warc.gz", "http://b.pk/1")];
    let both = [one.clone(), two.clone()];
    let corpus = || urls(&place.corpus("out/urd/corpus.jsonl.zst")).join(" ");
    place.command("ur", "out", &both[..1]).assert().success();
    let refused = |inputs: &[PathBuf], missing: &PathBuf| {
        let before = corpus();
        let said = stderr(&place.command("ur,fa", "out", inputs).assert().code(2));
        let name = missing.canonicalize().unwrap().display().to_string();
        assert!(said.contains(": has a corpus of other inputs") && said.contains(&name));
        assert!(said.contains("--replace") && said.lines().count() == 1, "{said}");
        assert_eq!(corpus(), before);
    };
    refused(&both[1..], &one);
    assert!(!place.path("out/fas").exists(), "nothing was read");
    // More inputs are no others, by whatever path.
    std::os::unix::fs::symlink(&one, place.path("link.warc.gz")).unwrap();
    let more = [place.path("link.warc.gz"), two.clone()];
    place.command("ur", "out", &more).assert().success();
    assert_eq!(corpus(), "http://a.pk/1 http://b.pk/1");
    refused(&both[..1], &two);
    // Each language has a corpus of its own.
    place.command("fa", "out", &both[..1]).assert().success();
    refused(&both[..1], &two);
    place.command("ur", "out", &both[..1]).arg("--replace").assert().success();
    assert_eq!(corpus(), "http://a.pk/1");
    refused(&both[1..], &one);
    // A corpus that is not there is not replaced.
    fs::remove_dir_all(place.path("out/urd")).unwrap();
    place.command("ur", "out", &both[1..]).assert().success();
}

#[test]
fn a_file_of_somebody_else_is_found_before_anything_is_read_or_written() {
    let place = Place::new();
    let good = gzip(&[page("http://a.pk/1", URDU), page("http://a.ir/1", PERSIAN)]);
    let input = [place.file("a.warc.gz", &good)];
    place.command("fa", "out", &input).assert().success();
    let before = fs::read(place.path("out/fas/README.md")).unwrap();
    let more = [place.file("b.jsonl", b"broken\n"), input[0].clone()];
    fs::create_dir(place.path("out/urd")).unwrap();
    // `fas` is written before `urd`.
    for name in ["urd/corpus.jsonl.zst", "urd/README.md.partial"] {
        let mine = place.file(&format!("out/{name}"), b"mine");
        let said = stderr(&place.command("fa,ur", "out", &more).assert().code(1));
        assert!(said.contains(&format!("{name}: was not written by collect")), "{said}");
        assert_eq!(said.lines().count(), 1, "no input was read: {said}");
        assert_eq!(fs::read(&mine).unwrap(), b"mine");
        assert_eq!(fs::read(place.path("out/fas/README.md")).unwrap(), before);
        assert!(!place.path("out/.corpulyzer-collect.parts").exists());
        fs::remove_file(mine).unwrap();
    }
}

#[test]
fn files_of_an_earlier_run_that_a_run_does_not_write_are_deleted() {
    let place = Place::new();
    let good = gzip(&[page("http://a.pk/1", URDU), page("http://a.ir/1", PERSIAN)]);
    let input = [place.file("a.warc.gz", &good)];
    let names = |language: &str| {
        let folder = fs::read_dir(place.path("out").join(language)).unwrap();
        let mut names: Vec<_> =
            folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let all = ["README.md", "corpus.jsonl.zst", "rejected.jsonl.zst"];
    place.command("ur,fa", "out", &input).arg("--rejected").assert().success();
    assert_eq!(names("urd"), all);
    // A file of the user.
    place.file("out/urd/rejected.txt.zst", b"mine");
    place.command("ur", "out", &input).assert().success();
    assert_eq!(names("urd"), ["README.md", "corpus.jsonl.zst", "rejected.txt.zst"]);
    assert_eq!(names("fas"), all, "of another language");
    place.command("fa", "out", &input).args(["--format", "text"]).assert().success();
    assert_eq!(names("fas"), ["README.md", "corpus.txt.zst"]);

    place.file("a.warc.gz", &good[..good.len() - 60]);
    place.command("fa", "out", &input).arg("--rejected").assert().code(1);
    let partial = ["README.md.partial", "corpus.jsonl.zst.partial", "rejected.jsonl.zst.partial"];
    let mut expected = [&["README.md", "corpus.txt.zst"][..], &partial].concat();
    expected.sort_unstable();
    assert_eq!(names("fas"), expected);
    place.file("a.warc.gz", &good);
    place.command("fa", "out", &input).arg("--rejected").assert().success();
    assert_eq!(names("fas"), all);
    assert_eq!(fs::read(place.path("out/urd/rejected.txt.zst")).unwrap(), b"mine");
}

#[test]
fn a_folder_of_somebody_else_is_refused() {
    let place = Place::new();
    let input = place.file("a.warc.gz", &gzip(&[page("http://a.pk/1", URDU)]));
    fs::create_dir(place.path("mine")).unwrap();
    place.file("mine/thesis.txt", b"mine");
    let said = stderr(&place.command("ur", "mine", &[input]).assert().failure());
    assert!(
        said.contains("thesis.txt: was not written by collect, which leaves it alone"),
        "{said}"
    );
    assert_eq!(fs::read_dir(place.path("mine")).unwrap().count(), 1);
}

#[test]
fn documents_have_the_days_that_a_page_states_apart_from_its_fetch() {
    let place = Place::new();
    let dated = "<html lang=ur><head><meta property='article:published_time' content='2024-03-12T08:00:00+05:00'>\
                 <meta property='article:modified_time' content='2024-03-14'></head><body>";
    let text = format!("<h1>t</h1><p>{}</p>", URDU.repeat(9));
    let warc = [
        response("http://a.pk/1", "", &format!("{dated}{text}")),
        response(
            "http://a.pk/2",
            "",
            &format!("<h1>t</h1><span class=date>۱۲ مارچ ۲۰۲۴</span>{text}"),
        ),
        response("http://a.pk/2027/01/01/3", "", &text),
    ];
    let archive = place.file("a.warc.gz", &gzip(&warc));
    place.command("urd", "out", &[archive]).assert().success();
    let corpus = place.corpus("out/urd/corpus.jsonl.zst");
    let shown: Vec<_> = corpus
        .iter()
        .map(|page| ["published", "modified", "date_source"].map(|name| page[name].as_str()))
        .collect();
    assert_eq!(
        shown,
        [
            [Some("2024-03-12"), Some("2024-03-14"), Some("meta")],
            [Some("2024-03-12"), None, Some("text")],
            [None, None, None]
        ]
    );
    assert_eq!(corpus[0]["fetch_time"], "2026-11-01T10:00:00Z");
    // Lines keep what was known of the page.
    let again = place.path("out/urd/corpus.jsonl.zst");
    place.command("urd", "again", &[again]).assert().success();
    assert_eq!(place.corpus("again/urd/corpus.jsonl.zst")[0]["published"], "2024-03-12");
}

#[test]
fn documents_have_the_licence_and_the_reservations_of_a_page() {
    let place = Place::new();
    let text = format!("<h1>t</h1><p>{}</p>", URDU.repeat(9));
    let license =
        "<a rel='license noopener' href='https://creativecommons.org/licenses/by/4.0/'>x</a>";
    let robots = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nUser-agent: *\nContent-Usage: train-ai=n\n";
    let tdm = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[{\"location\":\"/r\",\"tdm-reservation\":1}]";
    let warc = [
        response("http://a.pk/free", "", &format!("{license}{text}")),
        response(
            "http://a.pk/reserved",
            "X-Robots-Tag: noai\r\nContent-Usage: search=y\r\n",
            &text,
        ),
        response("http://b.pk/plain", "", &text),
        record("response", "https://a.pk/robots.txt", "application/http", "", robots),
        record("response", "http://a.pk/.well-known/tdmrep.json", "application/http", "", tdm),
    ];
    let archive = place.file("a.warc.gz", &gzip(&warc));
    let said = place
        .command("urd", "out", std::slice::from_ref(&archive))
        .arg("--reservations")
        .arg(&archive)
        .assert()
        .success();
    assert!(stderr(&said).contains("rules of 1 host read (--reservations)"), "{}", stderr(&said));
    let corpus = place.corpus("out/urd/corpus.jsonl.zst");
    assert_eq!(urls(&corpus), ["http://a.pk/free", "http://a.pk/reserved", "http://b.pk/plain"]);
    assert_eq!(corpus[0]["license"], "cc-by");
    assert_eq!(corpus[0]["license_url"], "https://creativecommons.org/licenses/by/4.0/");
    assert_eq!(corpus[0]["license_source"], "rel");
    let by_robots = serde_json::json!({"value": "n", "source": "robots.txt"});
    assert_eq!(
        corpus[0]["reservation"],
        serde_json::json!({"content_usage": {"train-ai": by_robots}})
    );
    assert_eq!(
        corpus[1]["reservation"],
        serde_json::json!({
            "tdm": {"reservation": 1, "source": "file"},
            "content_usage": {"train-ai": by_robots, "search": {"value": "y", "source": "header"}},
            "noai": {"noai": "header"}
        })
    );
    assert!(corpus[2].get("reservation").is_none() && corpus[2].get("license").is_none());

    // Rules that may be incomplete are no rules.
    let cut = place.file("cut.warc.gz", &fs::read(&archive).unwrap()[..300]);
    let said =
        place.command("urd", "other", &[archive]).arg("--reservations").arg(cut).assert().code(1);
    assert!(stderr(&said).contains("so reservations may be missing"), "{}", stderr(&said));
}

#[cfg(unix)]
#[test]
fn parts_that_a_neighbour_planted_are_not_used() {
    let place = Place::new();
    let input = place.file("a.warc.gz", &gzip(&[page("http://a.pk/1", URDU)]));
    place.command("ur", "out", std::slice::from_ref(&input)).assert().success();
    fs::create_dir(place.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", place.path("out/.corpulyzer-collect.parts"))
        .unwrap();
    let said = stderr(&place.command("ur", "out", &[input]).assert().code(1));
    assert!(said.ends_with("delete it, or name another folder (--out)\n"), "{said}");
    assert_eq!(fs::read_dir(place.path("elsewhere")).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn a_list_cannot_name_what_never_ends() {
    let place = Place::new();
    let pipe = place.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in [Path::new("/dev/zero"), &pipe] {
        let list = place.file("list", format!("\n{}\n", path.display()).as_bytes());
        let mut command = place.command("ur", "out", &[]);
        let said = stderr(
            &command.arg("--list").arg(&list).timeout(Duration::from_secs(60)).assert().code(1),
        );
        let expected = format!("line 2: {}: is not a file or a folder", path.display());
        assert!(said.contains(&expected), "{said}");
    }
    assert!(!place.path("out").exists());
}

#[test]
fn the_corpora_need_a_folder_with_a_name() {
    let place = Place::new();
    let input = place.file("a.warc.gz", &gzip(&[page("http://a.pk/1", URDU)]));
    let said =
        stderr(&place.command("ur", "a.warc.gz", std::slice::from_ref(&input)).assert().code(1));
    assert!(said.contains("a.warc.gz: is no folder; name a folder"), "{said}");
    let mut command = corpulyzer(["collect", "--language", "ur", "--out", "-"]);
    let said = stderr(&command.arg(input).current_dir(place.path(".")).assert().code(2));
    assert!(said.contains("-: this output must be a file"), "{said}");
    let inputs = [place.path("a.warc.gz")];
    let said =
        stderr(&place.command("ur", "out", &inputs).args(["--contact", "a\n# b"]).assert().code(2));
    assert!(said.contains("--contact is empty or has line ends"), "{said}");
}

#[test]
fn a_page_cannot_be_deleted_by_one_whose_url_was_made_to_collide_with_its_own() {
    let place = Place::new();
    let [victim, forged] = crate::common::colliding_urls();
    let pages = [page(&forged, URDU), page(&victim, URDU), page(&victim, URDU)];
    let input = place.file("a.warc.gz", &gzip(&pages));
    place.command("ur", "out", &[input]).assert().success();
    assert_eq!(urls(&place.corpus("out/urd/corpus.jsonl.zst")), [forged, victim]);
}
