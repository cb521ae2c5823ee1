//! Messages and exit codes of all verbs: one sentence that names the option or the file.

use crate::common::{corpulyzer, program, stderr};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const URDU: &str = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے۔";
const ENGLISH: &str = "The river rose during the night and the ferry could not leave before noon.";

fn record(url: &str, language: &str, text: &str) -> String {
    let languages = serde_json::json!({ language: text.len() });
    let page = serde_json::json!({ "url": url, "text": text, "languages": languages });
    format!("{page}\n")
}

/// A folder with corpora: `J` in Urdu, `two` in Urdu and English.
fn corpora() -> TempDir {
    let folder = TempDir::new().unwrap();
    let urdu = record("http://a.pk/ur/1", "urd", URDU);
    fs::write(folder.path().join("J"), &urdu).unwrap();
    let both = urdu + &record("http://a.pk/en/1", "eng", ENGLISH);
    fs::write(folder.path().join("two"), both).unwrap();
    folder
}

/// Runs the command on words that blanks separate. Returns its standard error.
fn said(folder: &Path, arguments: &str, code: i32) -> String {
    let done = corpulyzer(arguments.split(' ')).current_dir(folder).assert();
    let said = stderr(&done);
    assert_eq!(done.get_output().status.code(), Some(code), "{arguments}: {said}");
    said
}

/// The same for an error: one line with this sentence.
fn refused(folder: &Path, arguments: &str, code: i32, sentence: &str) {
    let said = said(folder, arguments, code);
    assert!(said.starts_with("corpulyzer: ") && said.lines().count() == 1, "{arguments}: {said}");
    assert!(said.contains(sentence), "{arguments}: {said}");
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let folder = corpora();
    for arguments in [
        "vertical J --language ur --out -",
        "pairs two",
        "deduplicate J --language ur --out -",
        "languages",
        "--help",
        "words --help",
        "--version",
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let done = program()
            .args(arguments.split(' '))
            .current_dir(folder.path())
            .stdout(writer)
            .output()
            .unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert!(done.status.success() && !said.contains("pipe"), "{arguments}: {said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_under_standard_output_is_named() {
    let folder = corpora();
    fs::write(
        folder.path().join("large"),
        (0..3000)
            .map(|page| record(&format!("http://a.pk/{page}"), "urd", URDU))
            .collect::<String>(),
    )
    .unwrap();
    for arguments in ["vertical large --language ur --out -", "pairs two", "--help"] {
        let done = program()
            .args(arguments.split(' '))
            .current_dir(folder.path())
            .stdout(fs::File::options().write(true).open("/dev/full").unwrap())
            .output()
            .unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(1), "{arguments}: {said}");
        assert_eq!(
            said,
            "corpulyzer: standard output: No space left on device (os error 28); make room there, \
             then run the same command again\n",
            "{arguments}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_ends_extract_with_one_sentence() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("pages")).unwrap();
    for page in 0..200 {
        let words = URDU.repeat(30);
        let html = format!("<!DOCTYPE html><title>t</title><article><p>{words}</p></article>");
        fs::write(folder.path().join(format!("pages/{page}.html")), html).unwrap();
    }
    fs::create_dir(folder.path().join("small")).unwrap();
    // The mount is seen by this shell and its children alone.
    let script = "mount -t tmpfs -o size=128k none small && \
                  \"$1\" extract --in pages --out small/texts";
    let done = std::process::Command::new("unshare")
        .args(["--mount", "sh", "-c", script, "sh", env!("CARGO_BIN_EXE_corpulyzer")])
        .current_dir(folder.path())
        .output();
    let said = done.as_ref().map_or_else(ToString::to_string, |done| {
        String::from_utf8_lossy(&done.stderr).into_owned()
    });
    let Some(done) = done.ok().filter(|_| !said.contains("mount:") && !said.contains("unshare:"))
    else {
        println!("skipped: needs root, to mount a small disk ({said})");
        return;
    };
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.starts_with("corpulyzer: small/texts/"), "{said}");
    assert!(said.ends_with("; make room there, then run the same command again\n"), "{said}");
}

#[test]
fn a_wrong_option_has_exit_code_2_before_an_input_is_read() {
    let folder = corpora();
    let package = "package none --language ur --contact me@example.org --out new";
    let hub = "--layout hub --license odc-by --url https://a.pk/ --creator Me --published";
    for (arguments, sentence) in [
        ("simulate --web foo", "web `foo` is unknown"),
        ("simulate --policy foo", "policy `foo` is unknown"),
        ("wikipedia none --out o.md", "o.md: its name has an unknown ending; allowed are *.jsonl"),
        ("identify --allowed akk none", "--allowed is `akk` (Akkadian), a language that"),
        ("identify --identifier heli none", "identifier `heli` is trained from texts"),
        ("extract --in . --language ur --out new", "--language is for the stop words of extractor"),
        ("simulate --languages 1,1 --top 1", "--top and --seeds have less than one URL"),
        ("extract .", ".: is a folder; name a page, or read the folder with --in and --out"),
        ("extract --in . --out -", "-: this output must be a file, not standard output"),
        ("train --text none --out o.gz", "o.gz: this output is not compressed"),
        ("train --text none --language und --out new", "--language is `und`, which is not"),
        ("audit count none --verdicts n --changes n", "n: is --verdicts already"),
        (&format!("{package} --classes none --cap x=2"), "such as religious=.2"),
        (&format!("{package} --licensed="), "for '--licensed <LIST>': a name is empty; allowed"),
        (&format!("{package} --licensed cc0,"), "a name is empty; allowed are names of licences"),
        (&format!("{package} --split train=.9,test=.1"), "--split is for --layout hub alone"),
        (&format!("{package} --license odc-by"), "--license is for --layout hub alone"),
        (&format!("{package} {hub} 2026-11-24 --split a=.5,b=.1"), "sum to 0.6; allowed is 1"),
        (
            "deduplicate none --language ur --clusters --bands 64 --rows 3 --out new",
            "--bands 64 --rows 3: are 192 values; allowed are 128",
        ),
    ] {
        refused(folder.path(), arguments, 2, sentence);
    }
    assert!(!folder.path().join("-").exists());
    for verb in ["inspect . --language ur", "langbytes .", "identify ."] {
        refused(folder.path(), verb, 1, ".: is a folder; name a file");
    }
    // The input decides on this.
    refused(folder.path(), "words none --language ur --out new", 1, "none");
}

#[test]
fn a_language_without_a_model_is_named_with_the_packs_that_have_it() {
    let folder = corpora();
    for (arguments, sentence) in [
        (
            "words none --language bjn --out new",
            "--language bjn (Banjar) has no model in the library; use --pack seed, or \
             train one with `corpulyzer train`",
        ),
        ("words none --language hil --out new", "in the library; use --pack far, or train one"),
        (
            "words none --language akk --out new",
            "--language akk (Akkadian) has no model; train one with `corpulyzer train` and name it \
             with --pack",
        ),
        (
            "words none --language kv --out new",
            "--language kom (Komi) has no model; it is a macro-language: name one or several of its \
             members, `koi` (Komi-Permyak), `kpv` (Komi-Zyrian)",
        ),
        (
            "words none --language bik --out new",
            "it is a macro-language: name one or several of its members, `bcl` (Central Bikol)",
        ),
        (
            "words none --language del --out new",
            "it is a macro-language, and its members have none either: `umu` (Munsee), `unm`",
        ),
        (
            "words none --language skr --identifier cld2 --out new",
            "--language skr (Saraiki) is not a language of CLD2; use --identifier combined",
        ),
    ] {
        refused(folder.path(), arguments, 2, sentence);
    }
}

#[test]
fn an_output_that_cannot_be_written_is_named_before_the_inputs_are_read() {
    let folder = corpora();
    // The pages are in one language alone.
    refused(folder.path(), "pairs J --out nodir/x", 1, "nodir/x: ");
}

#[test]
fn a_file_that_is_missing_is_named_with_its_option() {
    let folder = corpora();
    let package = "package J --language ur --contact me@example.org --out new";
    for (arguments, sentence) in [
        ("words nofile --language ur --out new", "nofile: no such file\n"),
        ("langbytes nofile", "nofile: no such file\n"),
        ("lookup http://a.pk/ nofile", "nofile: no such file\n"),
        ("cdx nofile", "nofile: no such file\n"),
        ("seeds J --language ur --out new --known nofile", "nofile: no such file (--known)\n"),
        (
            "vertical J --language ur --out new --without nofile",
            "nofile: no such file (--without)\n",
        ),
        ("report J --language ur --out new --ranking nofile", "nofile: no such file (--ranking)\n"),
        (
            "report J --language ur --out new --reference nofile",
            "nofile: no such file (--reference)\n",
        ),
        ("report J --language ur --out new --limits nofile", "nofile: no such file (--limits)\n"),
        (&format!("{package} --terms nofile"), "nofile: no such file (--terms)\n"),
        (
            "collect J --language ur --out new --reservations nofile",
            "nofile: no such file (--reservations)\n",
        ),
        ("evaluate-langid --test dev --prior nofile", "nofile: no such file (--prior)\n"),
        (
            "evaluate-langid --test dev --overlap nofile",
            "nofile: no such file or folder (--overlap)\n",
        ),
    ] {
        fs::create_dir_all(folder.path().join("dev")).unwrap();
        fs::write(folder.path().join("dev/urd.txt"), URDU).unwrap();
        refused(folder.path(), arguments, 1, &format!("corpulyzer: cannot read {sentence}"));
    }
}

#[test]
fn an_input_that_is_not_readable_is_named_with_its_option() {
    let folder = corpora();
    let package = "package J --language ur --contact me@example.org --out new";
    for name in ["dev", "empty", "html", "other"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    for (file, text) in [
        ("dev/urd.txt", URDU),
        ("html/urd.txt", "<html><p>x"),
        ("warc.txt", "WARC/1.0\r\n"),
        ("other/xyzzy.txt", URDU),
    ] {
        fs::write(folder.path().join(file), text).unwrap();
    }
    for (arguments, option) in [
        (&*format!("{package} --terms dev"), "(--terms)"),
        ("evaluate-langid --test dev --prior dev", "(--prior)"),
        ("evaluate-langid --test dev --overlap empty", "(--overlap)"),
        ("evaluate-langid --test dev --overlap html", "(--overlap)"),
        ("evaluate-langid --test dev --overlap warc.txt", "(--overlap)"),
        ("evaluate-langid --test dev --overlap other", "(--overlap)"),
    ] {
        let said = said(folder.path(), arguments, 1);
        assert!(said.trim_end().ends_with(&format!(" {option}")), "{arguments}: {said}");
        assert_eq!(said.matches("(--").count(), 1, "{arguments}: {said}");
    }
}

#[test]
fn a_number_that_is_not_allowed_is_refused_with_those_that_are() {
    let folder = corpora();
    for (arguments, sentence) in [
        (
            "--ngrams 9",
            "invalid value '9' for '--ngrams <N>': allowed are whole numbers from 1 to 5\n",
        ),
        ("--min-count 0", "allowed are whole numbers from 1\n"),
        ("--min-count 99999999999999999999", "allowed are whole numbers from 1\n"),
        ("--min-count x", "allowed are whole numbers from 1\n"),
        (
            "--min-count -5",
            "invalid value '-5' for '--min-count <N>': allowed are whole numbers from 1\n",
        ),
        ("--memory 15", "allowed are whole numbers from 16 to 1048576\n"),
    ] {
        let words = format!("words J --language ur --out new {arguments}");
        refused(folder.path(), &words, 2, sentence);
    }
    let seeds = "simulate --seeds 5000000000";
    refused(folder.path(), seeds, 2, "allowed are whole numbers from 1 to 4294967295\n");
    let seed = "simulate --random-seed -x";
    refused(folder.path(), &seed.replace(" -x", "=-x"), 2, "allowed are whole numbers from 0\n");
    let collect = "collect J --language ur --out new --min-bytes -5";
    let sentence = "invalid value '-5' for '--min-bytes <N>': allowed are whole numbers from 0 to ";
    refused(folder.path(), collect, 2, sentence);
    let fields = "words J --language ur --out new --fields text";
    let sentence = "invalid value 'text' for '--fields <NAME=FIELD>': found `text`; allowed is NAME=FIELD, such as";
    refused(folder.path(), fields, 2, sentence);
    let train = "train --text J --language ur --out new --max-entries 9";
    refused(folder.path(), train, 2, "allowed are whole numbers from 100 to 10000000\n");
}

#[test]
fn a_wrong_command_line_is_answered_with_what_was_probably_meant() {
    let folder = corpora();
    for (arguments, sentence) in [
        ("words J --langauge ur", "unexpected argument '--langauge' found; tip: a similar argument exists: '--language'\n"),
        ("wrods J", "unrecognized subcommand 'wrods'; tip: a similar subcommand exists: 'words'\n"),
        (
            "deduplicate J --language ur --out new --bands 3",
            "not provided: --clusters\n",
        ),
        (
            "evaluate-langid --test J --mixed",
            "not provided: --target <CODE>\n",
        ),
        ("words --ngrams 2", "not provided: --out <FILE> --language <CODE> <CORPUS>...\n"),
        (
            "crawl --seeds s",
            "`crawl` is no verb of this command; run `bin/corpulyzer crawl` in a clone of the sources\n",
        ),
        ("doctor", "run `bin/corpulyzer doctor` in the plugin's zip or in a clone"),
        ("devour", "unrecognized subcommand 'devour'\n"),
    ] {
        refused(folder.path(), arguments, 2, sentence);
    }
}

#[test]
fn messages_say_what_is_wrong_and_what_is_allowed() {
    let folder = corpora();
    let path = folder.path();
    fs::create_dir(path.join("empty")).unwrap();
    fs::write(path.join("empty.txt"), "").unwrap();
    fs::write(path.join("list"), "# inputs\nJ\nnofile\n").unwrap();
    fs::write(path.join("signs"), record("http://a.pk/", "urd", "— … —")).unwrap();
    let place = "{\"length\":\"1\",\"offset\":\"0\",\"filename\":\"a\"}";
    fs::write(path.join("unsorted"), format!("pk,b)/ 2026 {place}\npk,a)/ 2026 {place}\n"))
        .unwrap();
    for (arguments, code, sentence) in [
        (
            "cdx empty",
            1,
            "empty: holds no WARC files; allowed are *.warc and *.wet, each also with .gz\n",
        ),
        (
            "cdx W --records response,respons",
            2,
            "invalid value 'respons' for '--records <TYPES>': allowed are warcinfo, response, \
             resource, request, metadata, revisit, conversion, continuation and all\n",
        ),
        (
            "collect --list list --language ur --out new",
            1,
            "corpulyzer: list, line 3: cannot read nofile: no such file (--list)\n",
        ),
        ("queries --text empty.txt --language ur", 1, "corpulyzer: empty.txt: is empty (--text)\n"),
        ("queries --text empty --language ur", 1, "corpulyzer: empty: no texts; texts are files"),
        (
            "words signs --language ur --out new",
            1,
            "corpulyzer: the input has no words; nothing was written\n",
        ),
        (
            "report J --language ur --out new --comments drop --extractor text",
            2,
            "corpulyzer: --comments is `drop`, but only the extractor `best` drops comments",
        ),
        (
            "collect J --language ur, --out new",
            2,
            "invalid value '' for '--language <CODES>': the code is empty; allowed are ISO 639 codes and \
             English names\n",
        ),
        (
            "lookup http://a.pk/ J",
            1,
            "corpulyzer: J: is not a sorted CDXJ index: line 1 is not CDXJ; make one with `cdx`\n",
        ),
        (
            "lookup http://c.pk/ unsorted",
            1,
            "is not a sorted CDXJ index: line 2 is less than the line before it",
        ),
        (
            "extract --in empty --out J",
            1,
            "corpulyzer: J: is not a folder; name a folder (--out)\n",
        ),
    ] {
        refused(path, arguments, code, sentence);
    }
}

#[test]
fn collect_names_the_option_that_makes_it_parse_every_page() {
    let folder = corpora();
    for (options, why) in [
        ("--language ur --policy recall", "for urd, because of --policy recall\n"),
        ("--language ur --min-bytes 0", "for urd, because of --min-bytes 0\n"),
        (
            "--language en",
            "for eng, because pages in other languages have letters of its script too\n",
        ),
    ] {
        fs::remove_dir_all(folder.path().join("new")).unwrap_or_default();
        let said = said(folder.path(), &format!("collect J {options} --out new"), 0);
        assert!(said.contains(&format!("corpulyzer: every page is parsed {why}")), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_links_back_to_itself_is_named() {
    let folder = corpora();
    fs::create_dir(folder.path().join("pages")).unwrap();
    std::os::unix::fs::symlink("..", folder.path().join("pages/up")).unwrap();
    for (arguments, sentence) in [
        (
            "extract --in pages --out new",
            "pages/up/pages/up: links back to a folder that it is in\n",
        ),
        (
            "calibrate --language ur pages",
            "pages/up/pages/up: links back to a folder that it is in\n",
        ),
    ] {
        let said = said(folder.path(), arguments, 1);
        assert!(said.contains(sentence), "{said}");
    }
}

#[test]
fn quiet_leaves_out_counts_but_neither_damage_nor_errors() {
    let folder = corpora();
    let good = record("http://a.pk/1", "urd", URDU) + "\n";
    fs::write(folder.path().join("good.jsonl"), &good).unwrap();
    fs::write(folder.path().join("bad.jsonl"), good + "{ no record\n").unwrap();
    let words = "words --language ur --out new.tsv";
    assert!(said(folder.path(), &format!("{words} good.jsonl"), 0).contains("different"));
    for quiet in ["-q", "--quiet"] {
        assert_eq!(said(folder.path(), &format!("{words} good.jsonl {quiet}"), 0), "");
    }
    let damage = said(folder.path(), &format!("{words} bad.jsonl --quiet"), 0);
    assert!(damage.contains("bad.jsonl") && !damage.contains("different"), "{damage}");
    let error = said(folder.path(), &format!("{words} none.jsonl --quiet"), 1);
    assert!(error.contains("none.jsonl"), "{error}");
}
