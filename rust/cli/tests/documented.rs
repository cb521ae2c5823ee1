//! The commands of the documentation run: each page's blocks of code, in order, in a folder with a
//! small archive and what else the page speaks of.
//!
//! A comment on the line before a block says what a reader does first (`<!-- before: COMMAND -->`),
//! the exit code that is expected (`<!-- exit: 1 -->`), or why the block is not run here
//! (`<!-- not run: REASON -->`). Lines that begin with `$ ` are commands of a transcript, whose
//! other lines are output. `bin/corpulyzer crawl` does nothing here: it has tests of its own, in
//! Java.

use crate::common::{program, root};
use bzip2::write::BzEncoder;
use corpulyzer_web::world::{Answer, World};
use flate2::{write::GzEncoder, Compression};
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A block of code with the comments before it.
#[derive(Debug, Default, PartialEq)]
struct Block {
    commands: String,
    before: String,
    exit: i32,
    not_run: Option<String>,
}

/// Returns the blocks of a page that have commands of ours.
fn blocks(markdown: &str) -> Vec<Block> {
    let (mut blocks, mut block, mut in_code) = (Vec::new(), Block::default(), false);
    for event in Parser::new(markdown) {
        match event {
            Event::Html(html) => {
                let note = html.trim().trim_start_matches("<!--").trim_end_matches("-->").trim();
                match note.split_once(": ") {
                    Some(("before", command)) => writeln!(block.before, "{command}").unwrap(),
                    Some(("exit", code)) => block.exit = code.parse().unwrap(),
                    Some(("not run", reason)) => block.not_run = Some(reason.to_owned()),
                    _ => {}
                }
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                in_code = ["sh", "bash", ""].contains(&&*language);
            }
            Event::Text(code) if in_code => block.commands.push_str(&code),
            Event::End(TagEnd::CodeBlock) => {
                in_code = false;
                let block = std::mem::take(&mut block);
                if block.commands.contains("bin/corpulyzer ") {
                    blocks.push(block);
                }
            }
            _ => {}
        }
    }
    blocks
}

/// Returns the commands of a block: of a transcript, only what was typed.
fn typed(block: &str) -> String {
    if !block.lines().any(|line| line.starts_with("$ ")) {
        return block.to_owned();
    }
    let (mut typed, mut goes_on) = (String::new(), false);
    for line in block.lines() {
        let command = line.strip_prefix("$ ").or(goes_on.then_some(line));
        goes_on = command.is_some_and(|command| command.ends_with('\\'));
        command.into_iter().for_each(|command| writeln!(typed, "{command}").unwrap());
    }
    typed
}

/// Runs commands in a folder; returns the exit code, and what they wrote.
fn run(folder: &Path, commands: &str) -> (i32, String) {
    let shell = Command::new("bash")
        .args(["-euo", "pipefail", "-c", commands])
        .current_dir(folder)
        .env("TMPDIR", folder.join("tmp"))
        .output()
        .unwrap();
    let said = [shell.stdout, shell.stderr].concat();
    (shell.status.code().unwrap_or(-1), String::from_utf8_lossy(&said).into_owned())
}

/// Writes a record of an archive as a member of its own, and returns its length in bytes.
fn member(out: &mut Vec<u8>, kind: &str, url: &str, content_type: &str, body: &str) -> usize {
    let begin = out.len();
    let mut gzip = GzEncoder::new(out, Compression::fast());
    write!(
        gzip,
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\n\
         WARC-Date: 2026-11-01T10:00:00Z\r\nWARC-Record-ID: <urn:x:{begin}>\r\n\
         Content-Type: {content_type}\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n",
        body.len()
    )
    .unwrap();
    gzip.finish().unwrap().len() - begin
}

/// Writes an archive with its plain texts and its index, and a page as a file. The texts and the
/// index have some pages more, which are in the folder `archive` only. Some English pages begin
/// with a sentence in Urdu.
fn write_archive(folder: &Path) {
    let world = World::in_languages(1, 60, &["urd", "eng"]).unwrap();
    let (mut warcs, mut wet, mut index) = ([Vec::new(), Vec::new()], Vec::new(), Vec::new());
    let mut left = HashMap::from([("urd", 70), ("eng", 50)]);
    for url in world.sample(20_000) {
        if left.values().all(|&count| count == 0) {
            break;
        }
        let Answer::Page(page) = world.resolve(&url) else { continue };
        let language = page.language;
        let Some(count @ 1..) = left.get_mut(language) else { continue };
        *count -= 1;
        let mut text = page.main_text();
        if language == "eng" && *count < 10 {
            text.insert_str(0, "یہ خبر اردو میں بھی پڑھی جا سکتی ہے۔\n");
        }
        let paragraphs = text.replace('\n', "</p><p>");
        let html =
            format!("<!DOCTYPE html><meta charset=utf-8><title>{url}</title><p>{paragraphs}</p>");
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}");
        let number = usize::from(language == "urd" && *count < 10);
        let offset = warcs[number].len();
        let kind = "application/http; msgtype=response";
        let length = member(&mut warcs[number], "response", &url, kind, &http);
        member(&mut wet, "conversion", &url, "text/plain", &text);
        let host = url.split('/').nth(2).unwrap();
        let key: Vec<&str> = host.rsplit('.').collect();
        let path = &url[url.find(host).unwrap() + host.len()..];
        index.push(format!(
            "{}){path} 20261101100000 {{\"url\": \"{url}\", \"mime\": \"text/html\", \
             \"mime-detected\": \"text/html\", \"status\": \"200\", \"languages\": \"{language}\", \
             \"length\": \"{length}\", \"offset\": \"{offset}\", \
             \"filename\": \"CC-MAIN-{number}.warc.gz\"}}\n",
            key.join(","),
        ));
        if language == "urd" {
            fs::write(folder.join("page.html"), &html).unwrap();
            fs::write(folder.join("pages/page.html"), &html).unwrap();
        }
    }
    index.sort();
    for name in ["CC-MAIN-0.warc.gz", "archive/CC-MAIN-0.warc.gz", "more.warc.gz"] {
        fs::write(folder.join(name), &warcs[0]).unwrap();
    }
    fs::write(folder.join("archive/CC-MAIN-1.warc.gz"), &warcs[1]).unwrap();
    fs::write(folder.join("CC-MAIN-0.warc.wet.gz"), &wet).unwrap();
    fs::write(folder.join("cc-index/cdx-00000.cdxj"), index.concat()).unwrap();
}

/// Texts of words that a small generator makes, so that no two sentences are equal.
fn sentences(count: usize, parts: &[&str], end: &str) -> Vec<String> {
    let mut state = 7usize;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040);
        (state >> 33) % below
    };
    let mut word = || (0..2 + next(2)).map(|_| parts[next(parts.len())]).collect::<String>();
    (0..count).map(|_| (0..9).map(|_| word()).collect::<Vec<_>>().join(" ") + end).collect()
}

/// Writes a dump of a Wikipedia.
fn write_dump(folder: &Path, language: &str, parts: &[&str], end: &str) {
    let mut xml = "<mediawiki><siteinfo><namespaces><namespace key=\"0\" /></namespaces>\
                   </siteinfo>\n"
        .to_owned();
    for (number, text) in sentences(400, parts, end).chunks(8).enumerate() {
        writeln!(
            xml,
            "<page><title>T{number}</title><ns>0</ns><id>{number}</id><revision><id>1</id>\
             <model>wikitext</model><format>text/x-wiki</format><text>{}</text></revision></page>",
            text.join(" ")
        )
        .unwrap();
    }
    xml.push_str("</mediawiki>\n");
    let name = format!("{language}wiki-latest-pages-articles.xml.bz2");
    let mut bzip2 = BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(xml.as_bytes()).unwrap();
    fs::write(folder.join(name), bzip2.finish().unwrap()).unwrap();
}

/// The corpora that the pages speak of, from the archive.
const CORPORA: &str = r#"
chmod +x bin/*
bin/corpulyzer collect CC-MAIN-0.warc.gz --language ur,en --out made
cp -r made/urd corpus
for name in old-corpus cc crawl-june crawl-july; do cp -r corpus $name; done
for name in old new clean one good; do cp corpus/corpus.jsonl.zst $name.jsonl.zst; done
cp made/eng/corpus.jsonl.zst neighbours.jsonl.zst
rm -r made
ls CC-MAIN-0.warc.gz > files.txt
echo site.example > refused.txt
echo site.example > removed.txt
echo "A sentence of a benchmark with enough words to compare." > benchmark.txt
echo https://example.org/ > seeds.txt
printf '%s\n' 'یہ ایک جملہ ہے جو اردو میں لکھا گیا ہے۔' '12' 'This is a sentence in English.' > text.txt
"#;

/// Fills in the judgements of a sheet with y, in each named copy.
const JUDGE: &str = r#"#!/bin/bash
sheet=$1 && shift
awk -F'\t' -v OFS='\t' '
  !column { for (i = 1; i <= NF; i++) if ($i == "judgement") column = i; print; next }
  { $column = "y"; print }' "$sheet" | tee "$@" > /dev/null
"#;

/// Writes the corpus as the reference of a report, and with enough pages for limits of quality.
fn write_references(folder: &Path) {
    let corpus = fs::read(folder.join("corpus/corpus.jsonl.zst")).unwrap();
    let corpus = String::from_utf8(zstd::decode_all(&*corpus).unwrap()).unwrap();
    fs::write(folder.join("wikipedia.jsonl"), &corpus).unwrap();
    let copy = |number: usize| {
        corpus
            .replace("\"id\":\"", &format!("\"id\":\"{number}"))
            .replace("\"url\":\"http://", &format!("\"url\":\"http://{number}."))
    };
    let copies: String = (1..=18).map(copy).collect();
    let copies = zstd::encode_all(copies.as_bytes(), 1).unwrap();
    fs::write(folder.join("urwiki.jsonl.zst"), copies).unwrap();
}

fn fixtures() -> TempDir {
    let folder = TempDir::new().unwrap();
    let path = folder.path();
    for name in ["bin", "tmp", "pages", "archive", "cc-index", "my-texts"] {
        fs::create_dir(path.join(name)).unwrap();
    }
    let command = program();
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<String> = words.map(|word| format!("{word:?}")).collect();
    let script = format!(
        "#!/bin/bash\ncase $1 in crawl|test|build) ;; *) exec {} \"$@\" ;; esac\n",
        words.join(" ")
    );
    fs::write(path.join("bin/corpulyzer"), script).unwrap();
    fs::write(path.join("bin/judge"), JUDGE).unwrap();
    write_archive(path);
    let awadhi = ["का", "मा", "रहा", "गवा", "भवा", "ते", "हम", "ओ", "कर", "ली", "सो", "बा"];
    let erzya = ["ва", "нь", "мо", "ки", "сэ", "тар", "ло", "ме", "ек", "шн", "ось", "ту"];
    fs::write(path.join("my-texts/a.txt"), sentences(400, &awadhi, " ।").join("\n")).unwrap();
    write_dump(path, "awa", &awadhi, " ।");
    write_dump(path, "myv", &erzya, ".");
    let (code, said) = run(path, CORPORA);
    assert_eq!(code, 0, "{said}");
    write_references(path);
    let limits = "bin/corpulyzer quality derive --language ur urwiki.jsonl.zst --out ur.yml";
    let (code, said) = run(path, limits);
    assert_eq!(code, 0, "{said}");
    folder
}

fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> =
        fs::read_dir(root().join("docs")).unwrap().map(|file| file.unwrap().path()).collect();
    pages.push(root().join("README.md"));
    pages.retain(|path| path.extension().is_some_and(|it| it == "md"));
    pages.sort();
    pages
}

#[test]
fn every_block_of_commands_ends_as_its_page_says() {
    let fixtures = fixtures();
    let (mut run_blocks, mut faults) = (0, String::new());
    for page in pages() {
        let blocks = blocks(&fs::read_to_string(&page).unwrap());
        let page = page.file_name().unwrap().to_str().unwrap().to_owned();
        if blocks.iter().all(|block| block.not_run.is_some()) {
            continue;
        }
        let folder = TempDir::new().unwrap();
        let from = fixtures.path().to_str().unwrap();
        assert_eq!(run(folder.path(), &format!("cp -r {from}/. .")).0, 0);
        for block in blocks.iter().filter(|block| block.not_run.is_none()) {
            run_blocks += 1;
            let commands = format!("{}{}", block.before, typed(&block.commands));
            let (code, said) = run(folder.path(), &commands);
            if code != block.exit {
                let tail: Vec<&str> = said.lines().rev().take(8).collect();
                let tail: Vec<&str> = tail.into_iter().rev().collect();
                writeln!(faults, "{page}: exit {code}\n{commands}-> {}\n", tail.join("\n   "))
                    .unwrap();
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
    assert!(run_blocks >= 40, "only {run_blocks} blocks were run");
}

#[test]
fn a_block_is_read_with_the_comments_before_it() {
    let page = "text\n\n<!-- before: touch a -->\n<!-- exit: 2 -->\n\n```\n\
                $ bin/corpulyzer x \\\n  y\noutput\n```\n\n<!-- not run: slow -->\n\n```\n\
                bin/corpulyzer z\n```\n\n```\nls\n```\n";
    let blocks = blocks(page);
    assert_eq!(blocks.len(), 2);
    assert_eq!((&*blocks[0].before, blocks[0].exit), ("touch a\n", 2));
    assert_eq!(typed(&blocks[0].commands), "bin/corpulyzer x \\\n  y\n");
    assert_eq!(blocks[1].not_run.as_deref(), Some("slow"));
}
