//! The command as a user meets it: what it prints, what it writes, how it refuses.

use crate::common::{corpulyzer, program, stderr, stdout, Out as _};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const URDU: &str = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے۔";
const ENGLISH: &str = "The river rose during the night and the ferry could not leave before noon.";

fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) {
    let file = folder.join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, content).unwrap();
}

#[test]
fn extract_writes_a_text_beside_every_page_of_every_subfolder() {
    let (pages, texts) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    write(pages.path(), "a.html", format!("<title>t</title><p>{URDU}<p>{ENGLISH}"));
    write(pages.path(), "deep/er/b.c.HTML", format!("<p>{ENGLISH}"));
    write(pages.path(), "deep/notes.md", "no page");
    let out = texts.path().join("new");
    let done = corpulyzer(["extract", "--extractor", "text"])
        .arg("--in")
        .arg(pages.path())
        .out(&out)
        .assert();
    assert!(stderr(&done.success()).contains("2 pages in"));
    assert_eq!(fs::read_to_string(out.join("a.txt")).unwrap(), format!("{URDU}\n{ENGLISH}\n"));
    assert_eq!(fs::read_to_string(out.join("deep/er/b.c.txt")).unwrap(), format!("{ENGLISH}\n"));
    assert!(stderr(
        &corpulyzer(["extract", "--in"]).arg(pages.path()).out(&out).assert().success()
    )
    .contains("2 pages in"));
    assert_eq!(
        fs::read_dir(out.join("deep/er")).unwrap().count(),
        1,
        "nothing half-written is left"
    );
    assert_eq!(fs::read_dir(out.join("deep")).unwrap().count(), 1);
}

#[test]
fn extract_writes_each_form_into_a_file_with_its_ending() {
    let pages = TempDir::new().unwrap();
    let head = "<html lang=en><title>T &amp; t</title><meta name=author content='A. Author'>\
                <meta property=og:site_name content=Site>\
                <meta property=article:published_time content=2024-03-12>";
    let body = "<h1>H</h1><p>a <a href=http://x.example/>b</a><script>c</script><ul><li>d</ul>";
    write(pages.path(), "a.html", format!("{head}{body}"));
    let written = |form: &str, file: &str| {
        let out = TempDir::new().unwrap();
        corpulyzer(["extract", "--extractor", "text", "--output", form, "--in"])
            .arg(pages.path())
            .out(out.path())
            .assert()
            .success();
        fs::read_to_string(out.path().join(file)).unwrap()
    };
    assert_eq!(written("text", "a.txt"), "H\na b\nd\n");
    assert_eq!(written("markdown", "a.md"), "# H\n\na [b](http://x.example/)\n\n- d\n");
    let html = "<h1>H</h1>\n<p>a <a href=\"http://x.example/\">b</a></p>\n<ul><li>d</li>\n</ul>";
    assert_eq!(
        written("html", "a.html"),
        format!("<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>T &amp; t</title>\n{html}\n")
    );
    let json: serde_json::Value = serde_json::from_str(&written("json", "a.json")).unwrap();
    assert_eq!(
        json,
        serde_json::json!({
            "title": "T & t", "language": "en", "author": "A. Author", "site_name": "Site",
            "published": "2024-03-12", "date_source": "meta", "text": "H\na b\nd", "html": html,
        })
    );
}

#[test]
fn justext_uses_the_stop_words_of_the_language() {
    let (pages, texts) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let names = "Ottawa Vancouver Winnipeg Saskatoon Edmonton ".repeat(6);
    let prose = "It was the first of the days on which they had all been at the house. ".repeat(4);
    write(pages.path(), "a.html", format!("<p>{names}</p><p>{prose}</p>"));
    let kept = |language: &[&str]| {
        corpulyzer(["extract", "--extractor", "justext"])
            .args(language)
            .arg("--in")
            .arg(pages.path())
            .out(texts.path())
            .assert()
            .success();
        fs::read_to_string(texts.path().join("a.txt")).unwrap()
    };
    assert_eq!(kept(&["--language", "en"]), format!("{}\n", prose.trim()));
    assert_eq!(kept(&[]), format!("{}\n{}\n", names.trim(), prose.trim()));
    let refused = corpulyzer(["extract", "--language", "en", "--in"])
        .arg(pages.path())
        .out(texts.path())
        .assert()
        .failure();
    assert!(stderr(&refused).contains("--language is for the stop words of extractor `justext`"));
}

#[test]
fn extract_does_not_read_what_an_earlier_run_wrote() {
    let folder = TempDir::new().unwrap();
    let pages = folder.path().join("in");
    fs::create_dir(&pages).unwrap();
    fs::write(pages.join("a.html"), "<p>one</p>").unwrap();
    let extract = |out: &str| {
        let mut command = corpulyzer(["extract", "--output", "html", "--in", "in", "--out", out]);
        command.current_dir(folder.path()).assert()
    };
    for _ in 0..2 {
        let said = stderr(&extract("in/out").success());
        assert!(said.contains("1 page in"), "{said}");
        assert!(pages.join("out/a.html").is_file() && !pages.join("out/out").exists());
    }
    let said = stderr(&extract("in/../in").code(1));
    let sentence = "in/../in: is the folder of the pages; name another folder (--out)\n";
    assert!(said.ends_with(sentence), "{said}");
}

#[test]
fn extract_goes_on_after_a_file_that_fails_and_says_so() {
    let (pages, texts) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    write(pages.path(), "good.html", format!("<p>{ENGLISH}"));
    write(pages.path(), "huge.html", format!("<p>{}", ENGLISH.repeat(100)));
    corpulyzer(["extract", "--in"]).arg(pages.path()).out(texts.path()).assert().success();
    fs::remove_file(texts.path().join("huge.txt")).unwrap();
    write(pages.path(), "taken.html", format!("<p>{ENGLISH}"));
    fs::create_dir(texts.path().join("taken.txt")).unwrap();
    let done = corpulyzer(["extract", "--extractor", "text", "--max-bytes", "1000"])
        .arg("--in")
        .arg(pages.path())
        .out(texts.path())
        .assert()
        .code(1);
    let said = stderr(&done);
    assert!(said.contains("huge.html: longer than 1000 bytes (--max-bytes)"), "{said}");
    assert!(said.contains("taken.txt: "), "{said}");
    assert!(said.contains("3 pages in") && said.contains(", 2 failed"), "{said}");
    assert!(texts.path().join("good.txt").is_file());
    assert!(!texts.path().join("huge.txt").exists());
    assert_eq!(fs::read_dir(texts.path()).unwrap().count(), 3, "two texts and the list of them");
}

#[test]
fn extract_prints_a_page_or_standard_input() {
    let folder = TempDir::new().unwrap();
    let html = format!("<title>T</title><p><a href=b>{ENGLISH}</a><p>{URDU}");
    write(folder.path(), "page.htm", &html);
    let expected = format!("{ENGLISH}\n{URDU}\n");
    let mut command = corpulyzer(["extract", "--extractor", "text", "page.htm"]);
    let done = command.current_dir(folder.path()).assert().success();
    assert_eq!((stdout(&done), stderr(&done)), (expected, String::new()));
    let url = "https://a.example/x/";
    let arguments = ["extract", "-", "--extractor", "text", "--output", "markdown", "--url", url];
    let done = corpulyzer(arguments).write_stdin(html).assert().success();
    assert_eq!(stdout(&done), format!("[{ENGLISH}](https://a.example/x/b)\n\n{URDU}\n"));
    let arguments =
        ["extract", "-", "--extractor", "text", "--content-type", "text/html; charset=big5"];
    let done = corpulyzer(arguments).write_stdin(&b"<p>\xa4\xa4\xa4\xe5"[..]).assert().success();
    assert_eq!(stdout(&done), "中文\n");
    let done = corpulyzer(["extract", "/no/such/page"]).assert().code(1);
    assert_eq!(stderr(&done), "corpulyzer: cannot read /no/such/page: no such file\n");
    for wrong in
        [&["extract"][..], &["extract", "a", "--in", "b", "--out", "c"], &["extract", "--in", "b"]]
    {
        corpulyzer(wrong).assert().code(2);
    }
}

#[test]
fn extract_reads_every_ending_of_pages() {
    let (pages, texts) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    for name in ["a.html", "b.htm", "c.XHTML", "d.txt"] {
        write(pages.path(), name, format!("<p>{ENGLISH}"));
    }
    let mut command = corpulyzer(["extract", "--extractor", "text", "--in"]);
    command.arg(pages.path()).out(texts.path()).assert().success();
    let found = ["a.txt", "b.txt", "c.txt"].map(|name| texts.path().join(name).is_file());
    assert_eq!((found, texts.path().join("d.txt").exists()), ([true; 3], false));
}

#[test]
fn extract_names_a_folder_that_is_not_there() {
    let done = corpulyzer(["extract", "--in", "/no/such/folder", "--out", "/no/such/other"])
        .assert()
        .code(1);
    assert_eq!(stderr(&done), "corpulyzer: /no/such/folder: no such folder (--in)\n");
}

#[test]
fn extract_overwrites_no_text_by_that_of_a_page_of_the_same_name() {
    let (pages, texts) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    write(pages.path(), "a.HTML", format!("<p>{ENGLISH}"));
    write(pages.path(), "a.html", format!("<p>{URDU}"));
    let done = corpulyzer(["extract", "--extractor", "text"])
        .arg("--in")
        .arg(pages.path())
        .out(texts.path())
        .assert()
        .code(1);
    let said = stderr(&done);
    assert!(
        said.contains(
            "a.html: another page would write the same text file: their names differ only in \
             their endings or in capital letters"
        ),
        "{said}"
    );
    assert_eq!(fs::read_to_string(texts.path().join("a.txt")).unwrap(), format!("{ENGLISH}\n"));
}

#[cfg(unix)]
#[test]
fn extract_does_not_wait_for_what_is_no_file() {
    let (pages, texts) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let _listener =
        std::os::unix::net::UnixListener::bind(pages.path().join("socket.html")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", pages.path().join("zeros.html")).unwrap();
    let done =
        corpulyzer(["extract"]).arg("--in").arg(pages.path()).out(texts.path()).assert().code(1);
    let said = stderr(&done);
    assert!(said.contains("socket.html: is not a regular file"), "{said}");
    assert!(said.contains("zeros.html: is not a regular file"), "{said}");
}

#[cfg(unix)]
#[test]
fn extract_stopped_by_a_signal_leaves_no_half_written_file() {
    let (pages, texts) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let page = format!("<p>{ENGLISH}").repeat(2000);
    for number in 0..3000 {
        write(pages.path(), &format!("{number}.html"), &page);
    }
    let mut extract = program()
        .args(["extract", "--extractor", "text", "--in"])
        .arg(pages.path())
        .arg("--out")
        .arg(texts.path())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    while fs::read_dir(texts.path()).unwrap().count() < 2 {
        assert_eq!(extract.try_wait().unwrap(), None, "it ended before the signal");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let id = extract.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let ended = extract.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(130), "{said}");
    assert!(said.contains("stopped by a signal; run the same command again"), "{said}");
    let left: Vec<_> =
        fs::read_dir(texts.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    let is_ours = |name: &std::ffi::OsString| {
        name == ".corpulyzer-extract" || name.to_string_lossy().ends_with(".txt")
    };
    assert!(left.len() < 3000 && left.iter().all(is_ours), "{left:?}");
}

#[test]
fn extract_replaces_no_file_that_it_did_not_write() {
    let (pages, theirs) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    write(pages.path(), "a.html", format!("<p>{ENGLISH}"));
    write(pages.path(), "notes.html", format!("<p>{ENGLISH}"));
    write(theirs.path(), "a.txt", "mine");
    let extract = |out: &Path| corpulyzer(["extract", "--in"]).arg(pages.path()).out(out).assert();
    let said = stderr(&extract(theirs.path()).code(1));
    assert!(
        said.ends_with(
            ": is not empty and was not made by `extract`; name another folder (--out)\n"
        ),
        "{said}"
    );
    assert_eq!(fs::read_to_string(theirs.path().join("a.txt")).unwrap(), "mine");
    assert_eq!(fs::read_dir(theirs.path()).unwrap().count(), 1);

    // Of its own folder it replaces its own files alone.
    fs::rename(pages.path().join("notes.html"), pages.path().join("notes.md")).unwrap();
    let ours = theirs.path().join("ours");
    extract(&ours).success();
    fs::rename(pages.path().join("notes.md"), pages.path().join("notes.html")).unwrap();
    write(&ours, "notes.txt", "mine");
    write(&ours, "a.txt", "old");
    let said = stderr(&extract(&ours).code(1));
    assert!(
        said.contains("notes.txt: was not written by `extract`, so it is not replaced"),
        "{said}"
    );
    assert_eq!(fs::read_to_string(ours.join("notes.txt")).unwrap(), "mine");
    assert_ne!(fs::read_to_string(ours.join("a.txt")).unwrap(), "old");
}

#[cfg(unix)]
#[test]
fn extract_follows_no_symlink_out_of_its_folder() {
    use std::os::unix::fs::symlink;
    let (pages, texts, home) =
        (TempDir::new().unwrap(), TempDir::new().unwrap(), TempDir::new().unwrap());
    write(pages.path(), "a.html", format!("<p>{ENGLISH}"));
    let extract = || corpulyzer(["extract", "--in"]).arg(pages.path()).out(texts.path()).assert();
    extract().success();
    write(home.path(), "precious", "mine");
    fs::remove_file(texts.path().join("a.txt")).unwrap();
    symlink(home.path().join("precious"), texts.path().join("a.txt")).unwrap();
    symlink(home.path(), texts.path().join("deep")).unwrap();
    write(pages.path(), "deep/er/b.html", format!("<p>{ENGLISH}"));
    let said = stderr(&extract().code(1));
    assert!(said.contains("deep is a symlink, which is not followed"), "{said}");
    assert_eq!(fs::read_to_string(home.path().join("precious")).unwrap(), "mine");
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
    assert!(
        fs::symlink_metadata(texts.path().join("a.txt")).unwrap().is_file(),
        "the link is replaced, not its target"
    );
}

#[cfg(unix)]
#[test]
fn outputs_have_the_mode_of_new_files_under_the_umask() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    write(
        folder.path(),
        "c.jsonl",
        format!("{{\"url\":\"http://a.pk/\",\"text\":{URDU:?},\"languages\":{{\"urd\":99}}}}\n"),
    );
    write(folder.path(), "pages/a.html", format!("<p>{ENGLISH}"));
    let command = program();
    for (umask, file, directory) in
        [("077", 0o600, 0o700), ("022", 0o644, 0o755), ("027", 0o640, 0o750)]
    {
        let run = |arguments: &[&str]| {
            let script = format!("umask {umask}; exec \"$0\" \"$@\"");
            let mut shell = std::process::Command::new("sh");
            shell.args(["-c", &script]).arg(command.get_program()).args(command.get_args());
            let done = shell.args(arguments).output();
            let done = done.unwrap();
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        };
        let named = |name: &str| path(&format!("{umask}-{name}"));
        let (words, report, package, texts) =
            (named("w.tsv"), named("report"), named("package"), named("texts"));
        run(&["words", &path("c.jsonl"), "--language", "ur", "--out", &words]);
        run(&["report", &path("c.jsonl"), "--language", "ur", "--out", &report]);
        run(&[
            "package",
            &path("c.jsonl"),
            "--language",
            "ur",
            "--contact",
            "c@example.org",
            "--out",
            &package,
        ]);
        run(&["extract", "--in", &path("pages"), "--out", &texts]);
        let mode = |path: &str| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        for name in [
            &words,
            &format!("{report}/report.html"),
            &format!("{package}/README.md"),
            &format!("{texts}/a.txt"),
        ] {
            assert_eq!(mode(name), file, "{umask} {name}");
        }
        for name in [&report, &package, &texts] {
            assert_eq!(mode(name), directory, "{umask} {name}");
        }
    }
}

/// The inputs of all verbs are opened in two places: as records, and as text.
#[cfg(unix)]
#[test]
fn a_device_is_no_input() {
    for arguments in [
        &["report", "/dev/zero", "--language", "ur", "--out", "/nowhere"][..],
        &["collect", "/dev/urandom", "--language", "ur", "--out", "/nowhere"],
        &["langbytes", "/dev/full"],
        &["identify", "/dev/zero"],
        &["inspect", "/dev/urandom", "--language", "ur"],
    ] {
        let device = arguments[1];
        let done =
            corpulyzer(arguments).timeout(std::time::Duration::from_secs(60)).assert().code(1);
        let said = stderr(&done);
        let expected =
            format!("{device}: is a device; name a file, a pipe, or - for standard input");
        assert!(said.contains(&expected) && said.lines().count() == 1, "{said}");
    }
}

/// A killed run, or one on a full disk, leaves the start of the list of texts.
#[test]
fn extract_goes_on_after_a_run_that_was_killed_before_its_first_text() {
    let folder = TempDir::new().unwrap();
    write(folder.path(), "pages/a.html", format!("<p>{ENGLISH}"));
    write(folder.path(), "pages/b.html", format!("<p>{ENGLISH}"));
    let list = folder.path().join("texts/.corpulyzer-extract");
    let extract = || {
        let mut command = corpulyzer(["extract", "--in", "pages", "--out", "texts"]);
        command.current_dir(folder.path()).assert()
    };
    for start in ["", "Files that `corpu"] {
        let _ = fs::remove_dir_all(folder.path().join("texts"));
        write(folder.path(), "texts/.corpulyzer-extract", start);
        extract().success();
    }
    // An entry that was cut ends there.
    let whole = fs::read(&list).unwrap();
    let head = whole.iter().position(|&byte| byte == 0).unwrap() + 1;
    fs::write(&list, [&whole[..head], b"b.tx"].concat()).unwrap();
    fs::remove_file(folder.path().join("texts/a.txt")).unwrap();
    fs::remove_file(folder.path().join("texts/b.txt")).unwrap();
    extract().success();
    extract().success();
    write(folder.path(), "other/.corpulyzer-extract", "");
    write(folder.path(), "other/thesis.txt", "mine");
    let refused = corpulyzer(["extract", "--in", "pages", "--out", "other"])
        .current_dir(folder.path())
        .assert();
    assert!(stderr(&refused.code(1)).contains("is not a list of texts"));
}

/// A neighbour on a shared machine plants a link where an output will go.
#[cfg(unix)]
#[test]
fn an_output_is_not_written_through_a_symlink_of_another_user() {
    use std::os::unix::fs::{lchown, symlink};
    let folder = TempDir::new().unwrap();
    write(folder.path(), "c.jsonl", format!("{{\"url\":\"http://a.pk/\",\"text\":{URDU:?}}}\n"));
    write(folder.path(), "precious", "mine");
    let link = folder.path().join("words.tsv");
    symlink("precious", &link).unwrap();
    let words = || {
        let mut command = corpulyzer(["words", "--language", "ur"]);
        command.arg(folder.path().join("c.jsonl")).out(&link).assert()
    };
    // Only root may give a link away; for others the link stays their own, which is followed.
    if lchown(&link, Some(65534), None).is_ok() {
        let said = stderr(&words().code(1));
        assert!(
            said.ends_with("words.tsv: is a symlink of another user; name another file (--out)\n"),
            "{said}"
        );
        assert_eq!(fs::read_to_string(folder.path().join("precious")).unwrap(), "mine");
        lchown(&link, Some(0), None).unwrap();
    }
    words().success();
    assert_ne!(fs::read_to_string(folder.path().join("precious")).unwrap(), "mine");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
}

#[test]
fn without_a_verb_the_help_is_shown() {
    let done = corpulyzer::<&str>([]).assert().code(2);
    let said = stderr(&done);
    assert!(said.contains("extract") && said.contains("calibrate"), "{said}");
}

#[test]
fn inspect_prints_the_record_with_bytes_per_language_and_every_block() {
    let page = format!("<html lang=ur><title>خبر</title><p>{URDU}<p>{ENGLISH}");
    let done = corpulyzer([
        "inspect",
        "-",
        "--language",
        "ur",
        "--extractor",
        "text",
        "--url",
        "http://example.com/",
    ])
    .write_stdin(page.clone())
    .assert()
    .success();
    let record: serde_json::Value = serde_json::from_str(&stdout(&done)).unwrap();
    assert_eq!(record["status"], "ok");
    assert_eq!(record["title"], "خبر");
    assert_eq!(record["raw_bytes"], page.len());
    assert_eq!(record["languages"], serde_json::json!({"urd": URDU.len(), "eng": ENGLISH.len()}));
    assert_eq!(record["target_bytes"], URDU.len());
    let mut block = record["blocks"][1].clone();
    // The reports of other extractors on such a short text are not compared.
    block.as_object_mut().unwrap().remove("doubts");
    let expected = serde_json::json!({
        "kept": true, "reason": "visible text", "languages": {"eng": ENGLISH.len()}, "text": ENGLISH
    });
    assert_eq!(block, expected);
}

#[test]
fn inspect_decides_by_the_policy_that_it_is_told() {
    let page = format!("<html lang=ur><p>{ENGLISH}");
    for (policy, decision) in
        [("precision", "reject 0 bytes of urd, 256 wanted"), ("recall", "keep declared as urd")]
    {
        let mut inspect = corpulyzer([
            "inspect",
            "--language",
            "urd",
            "-",
            "--extractor",
            "text",
            "--policy",
            policy,
        ]);
        let done = inspect.write_stdin(page.clone()).assert().success();
        let record: serde_json::Value = serde_json::from_str(&stdout(&done)).unwrap();
        assert_eq!(record["decision"], decision);
    }
}

#[test]
fn langbytes_prints_most_bytes_first() {
    let done = corpulyzer(["langbytes", "-"])
        .write_stdin(format!("{ENGLISH}\n{URDU}\n"))
        .assert()
        .success();
    assert_eq!(
        stdout(&done),
        format!("urd\t{}\tUrdu\neng\t{}\tEnglish\n", URDU.len(), ENGLISH.len())
    );
}

#[test]
fn calibrate_tables_bytes_and_characters_and_names_bad_lines() {
    let mut lines = String::new();
    for times in [1, 2, 4, 8, 16, 32] {
        let text = URDU.repeat(times);
        lines += &format!(
            "{}\n",
            serde_json::json!({"languages": {"urd": text.len(), "eng": 9}, "text": text})
        );
    }
    lines += "{\"languages\": {\"xyzzy\": 1}}\nnot json\n\n{\"languages\": {\"eng\": 500}}\n";
    let done = corpulyzer(["calibrate", "--language", "ur"]).write_stdin(lines).assert().success();
    let said = stderr(&done);
    assert!(said.contains("standard input, line 7: ") && said.contains("xyzzy"), "{said}");
    assert!(said.contains("standard input, line 8: "), "{said}");
    assert!(said.contains("calibrate: skipped 2 lines that are not pages in JSON"), "{said}");
    let report = stdout(&done);
    assert!(report.starts_with("urd (Urdu): text in it on 6 of 7 pages\n"), "{report}");
    // 132 bytes a sentence: pages of 132, 264, 528 ... bytes; those under 512 hold 396 of 8316
    // bytes.
    assert_eq!(URDU.len(), 132);
    assert!(report.contains("choice: 512 bytes, the fewest pages that preserve 95 %"), "{report}");
    assert!(
        report.contains("choice: 256 characters, the fewest pages that preserve 95 %"),
        "{report}"
    );
}

#[test]
fn calibrate_without_texts_tables_bytes_only() {
    let lines =
        "{\"bytes_per_language\": {\"ur\": 5000}}\n{\"bytes_per_language\": {\"ur\": 40}}\n";
    let report = stdout(
        &corpulyzer(["calibrate", "--language", "urd", "-"]).write_stdin(lines).assert().success(),
    );
    assert!(
        report.contains("      512            1    50.00             5000       99.21\n"),
        "{report}"
    );
    assert!(report.ends_with("no table in characters: 2 records without `text`\n"), "{report}");
}

#[test]
fn calibrate_without_records_fails() {
    let done = corpulyzer(["calibrate", "--language", "urd"]).write_stdin("\n").assert().code(1);
    assert_eq!(stderr(&done), "corpulyzer: calibrate: the input has no page\n");
}

#[test]
fn calibrate_reads_what_crawls_write_rejected_pages_included() {
    let folder = TempDir::new().unwrap();
    let lines = |pages: &[(u64, &str)]| -> Vec<u8> {
        let line = |&(bytes, decision): &(u64, &str)| {
            format!(
                "{{\"url\":\"http://a.pk/{bytes}\",\"languages\":{{\"urd\":{bytes}}},\"decision\":\"{decision}\"}}\n"
            )
        };
        pages.iter().map(line).collect::<String>().into_bytes()
    };
    let zstd = zstd::encode_all(lines(&[(5000, "keep"), (100, "reject")]).as_slice(), 1).unwrap();
    fs::write(folder.path().join("a.jsonl.zst"), zstd).unwrap();
    fs::write(folder.path().join("b.jsonl"), lines(&[(100, "keep"), (700, "reject 700")])).unwrap();
    let done = corpulyzer(["calibrate", "--language", "ur", folder.path().to_str().unwrap()])
        .assert()
        .success();
    let report = stdout(&done);
    assert!(report.starts_with("urd (Urdu): text in it on 3 of 3 pages\n"), "{report}");
    assert!(stderr(&done).contains("skipped 1 record with the URL of an earlier one"));
}

#[test]
fn calibrate_says_when_only_what_a_crawl_kept_is_there() {
    let calibrate = |pages: &[(u64, &str)]| {
        let line = |&(bytes, decision): &(u64, &str)| {
            format!("{{\"languages\":{{\"urd\":{bytes},\"eng\":9}},\"decision\":\"{decision}\"}}\n")
        };
        let lines: String = pages.iter().map(line).collect();
        stderr(&corpulyzer(["calibrate", "--language", "ur"]).write_stdin(lines).assert().success())
    };
    let said = calibrate(&[(5000, "keep"), (300, "keep")]);
    assert!(
        said.starts_with("corpulyzer: calibrate: no page has less than 300 bytes of urd, and no page is rejected. "),
        "{said}"
    );
    assert_eq!(calibrate(&[(5000, "keep"), (300, "keep"), (0, "reject")]), "");
    assert_eq!(calibrate(&[(5000, "keep"), (255, "keep")]), "");
}

/// As Hadoop has them: a job that runs or was killed has unfinished files in `_temporary`.
#[test]
fn unfinished_files_are_no_part_of_a_corpus() {
    let folder = TempDir::new().unwrap();
    let unfinished = folder.path().join("_temporary/0/_temporary/attempt");
    fs::create_dir_all(&unfinished).unwrap();
    fs::create_dir_all(folder.path().join(".staging")).unwrap();
    let page = |number: u32| {
        format!("{{\"url\":\"http://a.pk/{number}\",\"languages\":{{\"urd\":900}}}}\n")
    };
    fs::write(unfinished.join("corpus-m-00001-00000.jsonl"), page(1)).unwrap();
    fs::write(folder.path().join(".staging/corpus.jsonl"), page(2)).unwrap();
    fs::write(folder.path().join("_part.jsonl"), page(3)).unwrap();
    let calibrate =
        || corpulyzer(["calibrate", "--language", "ur", folder.path().to_str().unwrap()]).assert();
    assert!(stderr(&calibrate().code(1)).contains("holds no corpus"));
    fs::write(folder.path().join("corpus-m-00000-00000.jsonl"), page(4)).unwrap();
    let report = stdout(&calibrate().success());
    assert!(report.starts_with("urd (Urdu): text in it on 1 of 1 page\n"), "{report}");
}

#[test]
fn bad_usage_is_one_sentence_and_exit_code_2() {
    let cases: [(&[&str], &str); 6] = [
        (
            &["inspect", "--language", "urd", "-", "--policy", "all"],
            "policy `all` is unknown; allowed are precision and recall",
        ),
        (&["inspect", "-", "--language", "urdo"], "language code `urdo` is unknown; allowed are"),
        (
            &["inspect", "--language", "urd", "-", "--extractor", "magic"],
            "allowed are article, best, justext, text, w2c, web-am and web-am-literal",
        ),
        (
            &["inspect", "--language", "urd", "-", "--max-bytes", "0"],
            "allowed are whole numbers from 1 to ",
        ),
        (&["extract", "--in", "x"], "--out <DIR>"),
        (&["devour"], "unrecognized subcommand 'devour'"),
    ];
    for (arguments, expected) in cases {
        let done = corpulyzer(arguments).assert().code(2);
        let said = stderr(&done);
        assert!(said.contains(expected), "{said}");
        assert!(said.starts_with("corpulyzer: ") && said.trim_end().lines().count() == 1, "{said}");
    }
}

#[test]
fn input_that_cannot_be_read_is_named() {
    for verb in [&["inspect", "--language", "urd"][..], &["langbytes"]] {
        let done = corpulyzer(verb).arg("/no/such/page.html").assert().code(1);
        assert_eq!(stderr(&done), "corpulyzer: cannot read /no/such/page.html: no such file\n");
        let done =
            corpulyzer(verb).args(["-", "--max-bytes", "4"]).write_stdin("12345").assert().code(1);
        assert_eq!(
            stderr(&done),
            "corpulyzer: standard input: longer than 4 bytes (--max-bytes)\n"
        );
    }
}

#[test]
fn help_and_version_go_to_standard_output() {
    assert!(stdout(&corpulyzer(["--help"]).assert().success()).contains("calibrate"));
    assert_eq!(
        stdout(&corpulyzer(["--version"]).assert().success()),
        concat!("corpulyzer ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[test]
fn the_script_of_the_repository_has_every_verb_of_the_command() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bin/corpulyzer");
    let script = fs::read_to_string(script).unwrap();
    let (usage, run) = script.split_once("verb=${1:-help}").unwrap();
    let help = stdout(&corpulyzer(["--help"]).assert().success());
    let verbs = help.split_once("Commands:\n").unwrap().1.split_once("\n\n").unwrap().0;
    let verbs = verbs.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    for verb in verbs.filter_map(|line| line.split_whitespace().next()) {
        assert!(verb == "help" || usage.contains(&format!("\n  {verb}")), "{verb} is not listed");
        let words = || run.split(|c: char| c.is_whitespace() || c == '|' || c == ')');
        assert!(words().any(|word| word == verb), "{verb} does not run");
    }
}
