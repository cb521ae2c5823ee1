//! The verb `train` and the option `--pack`: what they make, how they refuse, what they leave
//! behind.

use crate::common::{corpulyzer, program, stderr, stdout, Out as _};
use assert_cmd::Command;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use tempfile::TempDir;

const URDU: &str = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے۔\n";
const ENGLISH: &str =
    "The river rose during the night and the ferry could not leave before noon.\n";

fn train(text: &Path, out: &Path, more: &[&str]) -> Command {
    let mut command = corpulyzer(["train", "--text"]);
    command.arg(text).out(out).args(more);
    command
}

/// Runs a command that must fail, and returns its message, which must be one sentence.
fn refusal(command: &mut Command) -> String {
    let said = String::from_utf8(command.assert().code(1).get_output().stderr.clone()).unwrap();
    let last = said.lines().last().unwrap().to_owned();
    assert!(said.lines().all(|line| line.starts_with("corpulyzer: ")), "{said}");
    assert_eq!(said.lines().filter(|line| !line.contains("training from")).count(), 1, "{said}");
    last
}

/// A folder with the files named.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, content) in files {
        fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = entries.collect();
    names.sort();
    names
}

#[test]
fn a_pack_adds_to_the_library_unless_it_replaces() {
    let texts = folder(&[("fin.txt", URDU.as_bytes()), ("urd.txt", URDU.as_bytes())]);
    let other = "اس سال بارش کم ہوئی اس لیے گندم کی فصل اچھی نہیں ہوئی۔";
    let identified = |more: &[&str]| {
        let out = TempDir::new().unwrap();
        let pack = out.path().join("a.pack");
        let done = train(texts.path(), &pack, more).assert().success();
        assert!(stderr(&done).contains(": under 1000 words is little text"), "{}", stderr(&done));
        let mut command = corpulyzer(["--pack", pack.to_str().unwrap(), "identify"]);
        stdout(&command.write_stdin(other).assert().success())
    };
    assert_eq!(identified(&[]), "urd\n");
    assert_ne!(identified(&["--replace"]), "urd\n");
}

#[test]
fn a_pack_is_made_from_texts_and_records_and_used() {
    let record = format!("\n{{\"url\":\"x\",\"text\":{:?}}}\r\n", ENGLISH);
    let texts = folder(&[
        ("skr.txt", &[URDU.as_bytes(), b"\xff\xfe \xe2\x82\n"].concat()),
        ("eng/a.jsonl", record.as_bytes()),
        ("eng/deeper/b.txt", ENGLISH.as_bytes()),
        ("notes.md", b"passed over"),
    ]);
    let out = TempDir::new().unwrap();
    let packs = ["a.pack", "b.pack"].map(|name| out.path().join(name));
    for pack in &packs {
        train(texts.path(), pack, &[]).assert().success();
    }
    assert_eq!(
        fs::read(&packs[0]).unwrap(),
        fs::read(&packs[1]).unwrap(),
        "the same texts make the same pack"
    );
    assert_eq!(names(out.path()), ["a.pack", "b.pack"]);
    let pack = packs[0].to_str().unwrap();
    // The same pack twice gives the same result.
    for options in [&["--pack", pack][..], &["--pack", pack, "--pack", pack]] {
        let done = corpulyzer(options)
            .args(["identify", "--allowed", "skr"])
            .write_stdin(URDU)
            .assert()
            .success();
        assert_eq!(stdout(&done), "skr\n");
    }
    let done =
        corpulyzer(["langbytes", "-", "--pack", pack]).write_stdin(ENGLISH).assert().success();
    assert_eq!(stdout(&done), format!("eng\t{}\tEnglish\n", ENGLISH.len() - 1));
}

#[test]
fn a_corpus_is_trained_from_as_a_crawl_writes_it_without_what_it_rejected() {
    let records =
        format!("{{\"text\":{URDU:?},\"decision\":\"keep\"}}\n{{\"text\":{ENGLISH:?},\"decision\":\"reject x\"}}\n");
    let zstd = zstd::encode_all(records.as_bytes(), 1).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(ENGLISH.as_bytes()).unwrap();
    let unfinished = ("urd/_temporary/0/corpus-m-00000-00000.txt", ENGLISH.as_bytes());
    let compressed =
        folder(&[("urd.jsonl.zst", &zstd), ("eng.txt.gz", &gzip.finish().unwrap()), unfinished]);
    let plain = folder(&[("urd.txt", URDU.as_bytes()), ("eng.txt", ENGLISH.as_bytes())]);
    let out = TempDir::new().unwrap();
    let packs = ["a.pack", "b.pack"].map(|name| out.path().join(name));
    train(compressed.path(), &packs[0], &[]).assert().success();
    train(plain.path(), &packs[1], &[]).assert().success();
    assert_eq!(fs::read(&packs[0]).unwrap(), fs::read(&packs[1]).unwrap());
}

#[test]
fn lines_of_records_in_other_languages_are_left_out_and_counted() {
    let page = format!("{}\n{}", URDU.trim(), ENGLISH.trim());
    let records = serde_json::json!({"text": page, "decision": "keep"}).to_string();
    let mixed = folder(&[("urd.jsonl", records.as_bytes())]);
    let plain = folder(&[("urd.txt", URDU.as_bytes())]);
    let out = TempDir::new().unwrap();
    let packs = ["a.pack", "b.pack"].map(|name| out.path().join(name));
    let done = train(mixed.path(), &packs[0], &["--language", "ur"]).assert().success();
    let said = String::from_utf8_lossy(&done.get_output().stderr).into_owned();
    assert!(said.contains("in other languages (eng "), "{said}");
    train(plain.path(), &packs[1], &["--language", "ur"]).assert().success();
    assert_eq!(fs::read(&packs[0]).unwrap(), fs::read(&packs[1]).unwrap());
    // The library does not know Akkadian in Latin letters: the script of most text is taken.
    let done = train(mixed.path(), &packs[0], &["--language", "akk"]).assert().success();
    let said = String::from_utf8_lossy(&done.get_output().stderr).into_owned();
    assert!(said.contains("left out"), "{said}");
    assert!(said.contains("(Latin ") || said.contains("(Arabic "), "{said}");
}

#[test]
fn records_without_a_line_in_the_language_are_refused() {
    let records = serde_json::json!({"text": ENGLISH, "decision": "keep"}).to_string();
    let texts = folder(&[("urd.jsonl", records.as_bytes())]);
    let out = TempDir::new().unwrap();
    let said = refusal(&mut train(texts.path(), &out.path().join("a.pack"), &["--language", "ur"]));
    assert!(said.contains("no line of these records is in Urdu (urd)"), "{said}");
}

#[test]
fn a_text_may_be_longer_than_the_longest_line() {
    let out = TempDir::new().unwrap();
    let texts = folder(&[("a.txt", "a b c d\n".repeat(100).as_bytes())]);
    train(texts.path(), &out.path().join("new.pack"), &["--language", "mzn", "--max-bytes", "9"])
        .assert()
        .success();
}

#[test]
fn what_is_trained_from_is_not_replaced() {
    let texts = folder(&[("a.txt", URDU.as_bytes())]);
    let file = texts.path().join("a.txt");
    for text in [texts.path(), &file] {
        assert!(refusal(&mut train(text, &file, &["--language", "skr"]))
            .contains("a.txt: is an input, so it cannot be the output"));
    }
    assert_eq!(fs::read(&file).unwrap(), URDU.as_bytes());
}

#[test]
fn a_byte_order_mark_is_no_text() {
    let out = TempDir::new().unwrap();
    let texts = folder(&[
        ("a.jsonl", "\u{feff}{\"text\":\"a b c d\"}\r\n".as_bytes()),
        ("b.txt", "\u{feff}a b c d\r\n".as_bytes()),
    ]);
    let done = train(texts.path(), &out.path().join("new.pack"), &["--language", "mzn"])
        .assert()
        .success();
    assert!(stderr(&done).contains("training from 16 bytes"), "{}", stderr(&done));
}

#[test]
fn texts_that_cannot_be_trained_from_are_named() {
    let out = TempDir::new().unwrap();
    let pack = out.path().join("new.pack");
    let said = |text: &Path, more: &[&str]| refusal(&mut train(text, &pack, more));
    assert_eq!(
        said(Path::new("/no/such"), &[]),
        "corpulyzer: cannot read /no/such: no such file or folder (--text)"
    );
    assert!(said(folder(&[("a.md", b"x")]).path(), &[]).ends_with(
        ": no texts; texts are files *.txt or *.jsonl, each also with .gz or .zst (--text)"
    ));
    let unknown = folder(&[("urd.txt", URDU.as_bytes()), ("xyzzy.txt", URDU.as_bytes())]);
    assert!(said(unknown.path(), &[])
        .contains("xyzzy.txt: language code `xyzzy` is unknown; allowed are"));
    assert!(
        said(folder(&[("und.txt", b"x")]).path(), &[]).contains("und.txt: `und` is not a language")
    );
    let mut und = train(unknown.path(), &pack, &["--language", "und"]);
    assert!(stderr(&und.assert().code(2)).contains("--language is `und`"));
    for bad in [
        "{\"text\":\"a\"}\nno record\n",
        "\n{\"text\":7}",
        "\n{}",
        "{\"text\":\"a\"}\n{\"text\":\"cut sho",
    ] {
        let texts = folder(&[("urd.jsonl", bad.as_bytes())]);
        assert!(said(texts.path(), &[]).contains("urd.jsonl: line 2: "), "{bad:?}");
    }
    for empty in ["", "\n\n", "12:30 !", "\u{fffd}"] {
        let texts = folder(&[("urd.txt", empty.as_bytes())]);
        assert!(said(texts.path(), &[]).contains("there is no text to train from"), "{empty:?}");
    }
    let long = folder(&[("urd.txt", URDU.as_bytes())]);
    assert!(said(long.path(), &["--max-bytes", "9"])
        .contains("urd.txt: line 1 is longer than 9 bytes (--max-bytes)"));
    #[cfg(unix)]
    {
        let folder = folder(&[("urd/a.txt", URDU.as_bytes())]);
        std::os::unix::fs::symlink(folder.path(), folder.path().join("urd/loop")).unwrap();
        assert!(said(folder.path(), &[])
            .ends_with("urd/loop: links back to a folder that it is in (--text)"));
    }
    assert_eq!(names(out.path()), [""; 0], "nothing is left behind");
}

#[test]
fn what_is_no_text_is_not_trained_from() {
    let out = TempDir::new().unwrap();
    let said = |text: &Path| {
        refusal(
            train(text, &out.path().join("new.pack"), &["--language", "skr"])
                .timeout(std::time::Duration::from_secs(60)),
        )
    };
    let mut seed = 1u64;
    let random: Vec<u8> = (0..1 << 16)
        .map(|_| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 56) as u8
        })
        .collect();
    let utf_16: Vec<u8> = ENGLISH.repeat(9).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let windows_1256 = [0xd4, 0xe5, 0xd1, b' ', 0xdf, 0xed, b'\n'].repeat(20);
    let record =
        format!("{{\"text\":{:?}}}\n", "\\u0001\\u0002ab".repeat(20)).replace("\\\\", "\\");
    for (name, content) in [
        ("a.txt", &random),
        ("b.txt", &utf_16),
        ("c.txt", &windows_1256),
        ("d.jsonl", &record.into_bytes()),
    ] {
        let texts = folder(&[("good.txt", URDU.as_bytes()), (name, content)]);
        let said = said(texts.path());
        assert!(said.contains(&format!("{name}: is not text in UTF-8: ")), "{said}");
        assert!(said.ends_with("allowed is one in ten (--text)"), "{said}");
    }
    for (content, what) in [
        ("WARC/1.1\r\nWARC-Type: response\r\n", "WARC records"),
        (" <!DOCTYPE html>\n<p>Text", "HTML"),
        ("<HTML lang=ur>\n<p>Text", "HTML"),
    ] {
        let texts = folder(&[("a.txt", content.as_bytes())]);
        let said = said(texts.path());
        let end = "allowed are plain text and JSON lines with `text` (--text)";
        assert!(said.ends_with(&format!("a.txt: holds {what}; {end}")), "{said}");
    }
    #[cfg(unix)]
    {
        let no_file = "is not a regular file; name a file or a folder of texts (--text)";
        assert_eq!(said(Path::new("/dev/urandom")), format!("corpulyzer: /dev/urandom: {no_file}"));
        let pipe = out.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(said(&pipe).ends_with(no_file));
        fs::remove_file(&pipe).unwrap();
    }
    assert_eq!(names(out.path()), [""; 0], "nothing is left behind");
}

#[test]
fn a_pack_that_cannot_be_written_is_refused_before_the_work() {
    let texts = folder(&[("urd.txt", URDU.as_bytes())]);
    let said = |out: &Path| {
        let command = &mut train(texts.path(), out, &[]);
        let said = refusal(command);
        let all = command.assert().code(1).get_output().stderr.clone();
        assert!(!String::from_utf8(all).unwrap().contains("training from"));
        said
    };
    let missing = texts.path().join("no/such.pack");
    assert!(said(&missing).starts_with(&format!("corpulyzer: {}: ", missing.display())));
    assert!(said(texts.path()).ends_with(": is not a regular file; name another file (--out)"));
    assert!(said(&texts.path().join("urd.txt/a.pack")).ends_with(" (--out)"));
    #[cfg(unix)]
    {
        assert_eq!(
            said(Path::new("/dev/null")),
            "corpulyzer: /dev/null: is not a regular file; name another file (--out)"
        );
        // No user may write to this folder, not even root.
        assert!(said(Path::new("/proc/a.pack")).starts_with("corpulyzer: /proc/a.pack: "));
    }
    assert_eq!(names(texts.path()), ["urd.txt"]);
}

#[cfg(unix)]
#[test]
fn a_pack_behind_a_link_is_replaced_and_the_link_stays() {
    let texts = folder(&[("urd.txt", URDU.as_bytes()), ("old.pack", b"old")]);
    let link = texts.path().join("link.pack");
    std::os::unix::fs::symlink("old.pack", &link).unwrap();
    train(&texts.path().join("urd.txt"), &link, &[]).assert().success();
    assert!(fs::symlink_metadata(&link).unwrap().file_type().is_symlink());
    assert!(fs::read(texts.path().join("old.pack")).unwrap().starts_with(b"CRPLLANG"));
    assert_eq!(names(texts.path()), ["link.pack", "old.pack", "urd.txt"]);
}

#[cfg(unix)]
#[test]
fn work_that_is_stopped_leaves_the_old_pack() {
    use std::time::Duration;
    let many: String = (0..200_000).map(|n| format!("{n:x}word{} ", n * 7919 % 100_003)).collect();
    let letters: String =
        many.chars().map(|c| c.to_digit(10).map_or(c, |d| char::from(b'a' + d as u8))).collect();
    let texts = folder(&[("eng.txt", letters.as_bytes())]);
    let out = folder(&[]);
    let train = |pack: &str| {
        let mut program = program();
        program.args(["train", "--text", texts.path().to_str().unwrap(), "--out"]);
        program.arg(out.path().join(pack)).stderr(std::process::Stdio::null());
        program
    };
    assert!(train("new.pack").status().unwrap().success());
    let new = fs::read(out.path().join("new.pack")).unwrap();
    for milliseconds in [5, 50, 200] {
        fs::write(out.path().join("old.pack"), "old").unwrap();
        let mut child = train("old.pack").spawn().unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        let stop = std::process::Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .unwrap();
        assert!(stop.success());
        let done = child.wait().unwrap();
        assert_eq!(names(out.path()), ["new.pack", "old.pack"]);
        let pack = fs::read(out.path().join("old.pack")).unwrap();
        // The signal may come when the new pack is in its place.
        assert!(pack == new || pack == b"old" && !done.success(), "{milliseconds} ms: {done}");
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_pack_is_refused_by_every_verb_that_reads_packs() {
    let files = folder(&[("a.txt", URDU.as_bytes()), ("empty.pack", b"")]);
    let text = files.path().join("a.txt");
    for (pack, reason) in [
        (text.to_str().unwrap(), "is not a language pack (made by `corpulyzer train`)"),
        (
            files.path().join("empty.pack").to_str().unwrap(),
            "is not a language pack (made by `corpulyzer train`)",
        ),
        ("/dev/zero", "is not a regular file"),
    ] {
        for verb in [&["identify"][..], &["langbytes"], &["inspect", "--language", "urd"]] {
            let said = refusal(corpulyzer(["--pack", pack]).args(verb).arg(&text));
            assert!(said.contains(pack) && said.ends_with(reason), "{said}");
        }
    }
    for (pack, reason) in [
        (files.path().to_str().unwrap(), "is a folder; allowed are files of packs"),
        ("/no/such.pack", "no such file; allowed are files of packs"),
        ("sead", "no such file; allowed are files of packs, and the names `seed` and `far`"),
    ] {
        for verb in [&["identify"][..], &["langbytes"], &["extract"]] {
            let done = corpulyzer(["--pack", pack]).args(verb).arg(&text).assert().code(2);
            let said = stderr(&done);
            assert!(said.contains(&format!("'{pack}' for '--pack <FILE>': {reason}")), "{said}");
        }
    }
}

#[test]
fn a_pack_of_far_languages_is_made_from_word_counts() {
    let list = |text: &str| text.split(' ').map(|word| format!("{word}\t40\n")).collect::<String>();
    let text = "anj arena axbn mdarwp cqn wrpqc jwm cqn onaah lxdum wxc unjen knoxan wxxw";
    let lists = folder(&[("aaa.tsv", list(text).as_bytes()), ("notes.md", b"passed over")]);
    let out = TempDir::new().unwrap();
    let pack = out.path().join("far.pack");
    let words = |folder: &Path| {
        let mut command = corpulyzer(["train", "--far", "--words"]);
        command.arg(folder).out(&pack);
        command
    };
    let done = words(lists.path()).assert().success();
    assert!(stderr(&done).contains("training from 0 bytes and 1 list\n"), "{}", stderr(&done));
    let identified = |text: &str| {
        let mut command = corpulyzer(["--pack", pack.to_str().unwrap(), "identify"]);
        stdout(&command.write_stdin(text).assert().success())
    };
    assert_eq!(identified(text), "aaa\n");
    assert_eq!(identified(ENGLISH), "eng\n");
    for (name, content, reason) in [
        (
            "aaa.tsv",
            "word 3\n",
            "line 1: found `word 3`; a line has a word, a tab and a whole number",
        ),
        ("aaa.tsv", "#\n\nword\t-3\n", "line 3: found `word\t-3`"),
        ("nothing.md", "", "no lists of word counts"),
        ("qqqq.tsv", "word\t3\n", "language code `qqqq` is unknown"),
    ] {
        let lists = folder(&[(name, content.as_bytes())]);
        let said = refusal(&mut words(lists.path()));
        assert!(said.contains(reason), "{said}");
    }
}

#[test]
fn the_pack_seed_comes_with_the_command() {
    let mut command = corpulyzer(["--pack", "seed", "identify"]);
    let text = "El mè fradel el lavora in d'ona botega in del center de la cità.\n";
    assert_eq!(stdout(&command.write_stdin(text).assert().success()), "lmo\n");
}

#[test]
fn the_pack_far_comes_with_the_command() {
    let mut command = corpulyzer(["--pack", "far", "languages", "--known"]);
    let known = stdout(&command.assert().success());
    assert!(known.lines().count() > 1000, "{}", known.lines().count());
    assert!(known.lines().any(|line| line.starts_with("hil\t") && line.contains("Latn:")));
}

#[test]
fn a_pack_that_does_not_exist_is_refused_with_the_names_that_do() {
    let mut command = corpulyzer(["--pack", "nosuch", "identify"]);
    let said = stderr(&command.write_stdin(ENGLISH).assert().code(2));
    assert!(said.contains("'nosuch'") && said.contains("the names `seed` and `far`"), "{said}");
}
