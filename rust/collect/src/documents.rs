//! PDF and Office documents, read by the process of the one-machine crawl (`DocumentWorker` of
//! `java/crawl`), so that a document that never ends, fills the memory or takes over its parser
//! ends only that process.
//!
//! Standard input of the process has documents one after the other: the type (a length of two bytes
//! and UTF-8), the length (four bytes), the bytes. Standard output has an answer for each: a byte,
//! title and text or a reason, each as length and UTF-8. Numbers are big-endian.

use std::ffi::OsString;
use std::fmt;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{channel, Receiver, Sender};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;
use tempfile::TempDir;

/// Most processes at a time, as in the crawl.
const MAX_PROCESSES: usize = 4;

/// Most characters of a text, as in the crawl (`corpulyzer.crawl.documents.characters`).
const MAX_CHARACTERS: u64 = 4_000_000;

/// Most characters of a title or a reason.
const MAX_LINE: u64 = 4096;

/// A character of UTF-16 has three bytes of UTF-8 at most.
const MAX_BYTES_OF_CHARACTER: u64 = 3;

/// Most milliseconds for a document, as in the crawl (`corpulyzer.crawl.documents.seconds`).
const MAX_MILLIS: u64 = 30_000;

/// The process ends itself first.
const GRACE_MILLIS: u64 = 5_000;

/// A new process starts with its first document.
const START_MILLIS: u64 = 15_000;

/// A new process now and then, in case a library keeps memory.
const MAX_DOCUMENTS: u32 = 1000;

/// Heap of a process, as in the crawl (`corpulyzer.crawl.documents.heap`).
const HEAP: &str = "-Xmx256m";

/// The folder beside the jar that has the parsers.
const PARSERS: &str = "documents";

/// The class of the process.
const WORKER: &str = "org.corpulyzer.crawl.companion.DocumentWorker";

/// The answer of a process to a document with a text.
const TEXT: u8 = 0;

/// The text of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its title; empty if it has none.
    pub title: String,
    /// Its text, with the lines of the parser.
    pub text: String,
}

/// Why a document has no text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The parser could not read it; its reason.
    Damaged(String),
    /// It needed more time or memory than it may have, or ended the process otherwise.
    Costly,
}

/// Processes that read documents. Each starts with its first document, and anew after it has ended.
pub struct Documents {
    command: Vec<OsString>,
    limit: Duration,
    idle: Mutex<Vec<Option<Process>>>,
    returned: Condvar,
}

impl fmt::Debug for Documents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Documents").field("command", &self.command).finish_non_exhaustive()
    }
}

/// A process and the thread that speaks with it, so that a reader can end it when its time is over.
struct Process {
    child: Child,
    /// Sends documents: type and bytes.
    documents: Sender<(String, Vec<u8>)>,
    answers: Receiver<io::Result<Result<Found, Refusal>>>,
    count: u32,
    /// Its temporary files: a process that is ended leaves them.
    _temporary: TempDir,
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Documents {
    /// Creates a reader.
    ///
    /// # Errors
    /// Fails with the path that is missing: the jar, the parsers beside it, or a Java that starts.
    /// Otherwise each document would count as damaged.
    pub fn new(java: &Path, jar: &Path) -> Result<Self, PathBuf> {
        let parsers = jar.with_file_name(PARSERS);
        for (path, is_there) in [(jar, jar.is_file()), (&parsers, parsers.is_dir())] {
            if !is_there {
                return Err(path.to_owned());
            }
        }
        let mut version = Command::new(java);
        version.arg("-version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if !version.status().is_ok_and(|status| status.success()) {
            return Err(java.to_owned());
        }
        let mut classes = jar.as_os_str().to_owned();
        classes.push(":");
        classes.push(parsers.join("*"));
        let options = [HEAP, "-Xss1m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"];
        let mut command = vec![java.as_os_str().to_owned()];
        command.extend(options.map(OsString::from));
        command.extend(["-Djava.awt.headless=true".into(), "-cp".into(), classes, WORKER.into()]);
        command.extend([MAX_CHARACTERS, MAX_MILLIS].map(|number| number.to_string().into()));
        Ok(Self::of(command, Duration::from_millis(MAX_MILLIS + GRACE_MILLIS)))
    }

    /// Creates a reader with another command, which gets a temporary folder as last argument.
    fn of(command: Vec<OsString>, limit: Duration) -> Self {
        let count = std::thread::available_parallelism().map_or(1, usize::from).min(MAX_PROCESSES);
        let idle = Mutex::new((0..count).map(|_| None).collect());
        Self { command, limit, idle, returned: Condvar::new() }
    }

    /// Reads a document. Waits while all processes read others.
    ///
    /// # Errors
    /// Fails if the document has no text that can be read within its limits.
    pub fn read(&self, media_type: &str, bytes: &[u8]) -> Result<Found, Refusal> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let process = loop {
            match idle.pop() {
                Some(process) => break process,
                None => {
                    idle = self.returned.wait(idle).unwrap_or_else(PoisonError::into_inner);
                }
            }
        };
        drop(idle);
        let (answer, process) = self.ask(process, media_type, bytes);
        // The process that was used last is used next, so that few start.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(process);
        self.returned.notify_one();
        answer
    }

    /// Returns the answer, and the process if it goes on.
    fn ask(
        &self,
        process: Option<Process>,
        media_type: &str,
        bytes: &[u8],
    ) -> (Result<Found, Refusal>, Option<Process>) {
        let known = process.filter(|process| process.count < MAX_DOCUMENTS);
        let is_new = known.is_none();
        let mut process = match known.map_or_else(|| self.start(), Ok) {
            Ok(process) => process,
            Err(error) => return (Err(Refusal::Damaged(error.to_string())), None),
        };
        process.count += 1;
        let start = if is_new { START_MILLIS } else { 0 };
        let limit = self.limit + Duration::from_millis(start);
        if process.documents.send((media_type.to_owned(), bytes.to_owned())).is_err() {
            return (Err(Refusal::Costly), None);
        }
        match process.answers.recv_timeout(limit) {
            Ok(Ok(answer)) => (answer, Some(process)),
            Ok(Err(_)) | Err(_) => (Err(Refusal::Costly), None),
        }
    }

    fn start(&self) -> io::Result<Process> {
        let temporary = TempDir::with_prefix("corpulyzer-documents-")?;
        let (program, arguments) =
            self.command.split_first().ok_or_else(|| io::Error::other("no command"))?;
        let mut child = Command::new(program)
            .args(arguments)
            .arg(temporary.path())
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .env("TMPDIR", temporary.path())
            .env("JAVA_TOOL_OPTIONS", java_folder(temporary.path()))
            .current_dir(temporary.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("no pipes"));
        };
        let (documents, asked) = channel();
        let (answer, answers) = channel();
        std::thread::Builder::new()
            .name("documents".to_owned())
            .spawn(move || speak(to, from, &asked, &answer))?;
        Ok(Process { child, documents, answers, count: 0, _temporary: temporary })
    }
}

/// The option that puts temporary files of Java into a folder.
fn java_folder(folder: &Path) -> OsString {
    let mut option = OsString::from("-Djava.io.tmpdir=");
    option.push(folder);
    option
}

/// Speaks with a process until it fails or nobody asks any more.
fn speak(
    to: ChildStdin,
    from: ChildStdout,
    asked: &Receiver<(String, Vec<u8>)>,
    answers: &Sender<io::Result<Result<Found, Refusal>>>,
) {
    let (mut to, mut from) = (BufWriter::new(to), BufReader::new(from));
    while let Ok((media_type, bytes)) = asked.recv() {
        let answer = send(&mut to, &media_type, &bytes).and_then(|()| answer(&mut from));
        let is_over = answer.is_err();
        if answers.send(answer).is_err() || is_over {
            return;
        }
    }
}

fn send(to: &mut impl Write, media_type: &str, bytes: &[u8]) -> io::Result<()> {
    let length = |length: usize| i32::try_from(length).map_err(io::Error::other);
    let of_type = u16::try_from(media_type.len()).map_err(io::Error::other)?;
    to.write_all(&of_type.to_be_bytes())?;
    to.write_all(media_type.as_bytes())?;
    to.write_all(&length(bytes.len())?.to_be_bytes())?;
    to.write_all(bytes)?;
    to.flush()
}

fn answer(from: &mut impl Read) -> io::Result<Result<Found, Refusal>> {
    let mut status = [0];
    from.read_exact(&mut status)?;
    let first = text(from, MAX_LINE)?;
    Ok(if status[0] == TEXT {
        Ok(Found { title: first, text: text(from, MAX_CHARACTERS + MAX_LINE)? })
    } else {
        Err(Refusal::Damaged(first))
    })
}

/// Reads a text. A document may have taken over the process, so its lengths are not trusted.
fn text(from: &mut impl Read, most_characters: u64) -> io::Result<String> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    let length = u64::from(u32::from_be_bytes(length));
    if length > MAX_BYTES_OF_CHARACTER * most_characters {
        return Err(io::Error::other(format!("an answer of {length} bytes")));
    }
    let mut bytes = Vec::new();
    from.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::page::{Judge, Verdict};
    use crate::Format;
    use engine::{Engine, Settings};
    use records::{About, Body, LeftOut, Record};
    use std::time::Instant;

    /// A reader whose process is a script.
    fn scripted(script: &str, limit: Duration) -> Documents {
        Documents::of(["sh", "-c", script].map(OsString::from).into(), limit)
    }

    #[test]
    fn an_answer_has_title_and_text() {
        // A type of 1 byte, a document of 1 byte: 8 bytes in all.
        let script =
            r"while [ $(head -c 8 | wc -c) = 8 ]; do printf '\0\0\0\0\001T\0\0\0\002ab'; done";
        let documents = scripted(script, Duration::from_secs(30));
        for _ in 0..3 {
            let found = documents.read("x", b"y").unwrap();
            assert_eq!(found, Found { title: "T".to_owned(), text: "ab".to_owned() });
        }
    }

    #[test]
    fn a_reason_does_not_end_the_process() {
        let script = r"head -c 8 >/dev/null; printf '\001\0\0\0\003bad'; head -c 8 >/dev/null; printf '\0\0\0\0\0\0\0\0\001a'";
        let documents = scripted(script, Duration::from_secs(30));
        assert_eq!(documents.read("x", b"y"), Err(Refusal::Damaged("bad".to_owned())));
        assert_eq!(documents.read("x", b"y").unwrap().text, "a");
    }

    #[test]
    fn a_process_that_ends_or_lies_costs_its_document_alone() {
        let ends = "head -c 8 >/dev/null; exit 3";
        let lies = r"head -c 8 >/dev/null; printf '\0\377\377\377\377'; sleep 60";
        for script in [ends, lies] {
            let documents = scripted(script, Duration::from_secs(30));
            for _ in 0..6 {
                assert_eq!(documents.read("x", b"y"), Err(Refusal::Costly), "{script}");
            }
        }
    }

    #[test]
    fn a_document_that_never_ends_is_left_at_its_time() {
        let limit = Duration::from_millis(200);
        let mut documents = scripted("exec sleep 600", limit);
        documents.idle = Mutex::new(vec![None]);
        // The start of a process has time of its own.
        let started = documents.start().unwrap();
        let began = Instant::now();
        let (answer, process) = documents.ask(Some(started), "x", &vec![0; 1 << 20]);
        assert_eq!(answer, Err(Refusal::Costly));
        assert!(process.is_none());
        assert!(began.elapsed() < Duration::from_secs(10));
    }

    /// A reader whose process has this text for every document. Type and document have one byte.
    fn answering(text: &str) -> Documents {
        let escaped: String = text.bytes().map(|byte| format!("\\{byte:03o}")).collect();
        let lengths: String =
            (text.len() as u32).to_be_bytes().iter().map(|byte| format!("\\{byte:03o}")).collect();
        let script = format!(
            "while [ $(head -c 8 | wc -c) = 8 ]; do \
             printf '\\0\\0\\0\\0\\001T{lengths}'; printf '{escaped}'; done"
        );
        scripted(&script, Duration::from_secs(30))
    }

    fn judged(documents: Option<Documents>, robots: &str, kept: bool) -> Verdict {
        let engine = Engine::new(Settings::new("urd".parse().unwrap())).unwrap();
        let judge = Judge::new(vec![engine], true, !kept, Format::Jsonl).with_documents(documents);
        let about = About {
            robots: robots.to_owned(),
            reservations: "tdm-reservation: 1\n".to_owned(),
            ..About::default()
        };
        let body =
            Body::Document("http://a.pk/1".to_owned(), "application/pdf".to_owned(), b"y".to_vec());
        judge.judge(Record { number: 1, body, decision: None, about }).unwrap()
    }

    #[test]
    fn a_document_becomes_a_line_of_the_corpus() {
        let text = "یہ شہر کی پرانی لائبریری ہے اور اس میں بہت سی کتابیں ہیں۔\n".repeat(9);
        let verdict = judged(Some(answering(&text)), "", true);
        assert!(verdict.is_page && !verdict.is_ruled_out && verdict.left_out.is_none());
        let [document] = verdict.documents.as_slice() else { panic!("{verdict:?}") };
        assert!(document.is_kept);
        let line: serde_json::Value = serde_json::from_slice(&document.content).unwrap();
        assert_eq!((line["text"].as_str(), line["title"].as_str()), (Some(&*text), Some("T")));
        assert_eq!(
            (line["content_type"].as_str(), line["raw_bytes"].as_u64()),
            (Some("application/pdf"), Some(1))
        );
        assert_eq!(line["kind"], "document");
        assert_eq!(line["reservation"]["tdm"]["reservation"], 1);
        assert!(judged(Some(answering(&text)), "noindex", true).documents.is_empty());
        assert!(judged(Some(answering("12 34 56")), "", true).is_ruled_out);
    }

    #[test]
    fn documents_without_a_text_are_left_out_by_their_reason() {
        let damaged = scripted(
            r"head -c 8 >/dev/null; printf '\001\0\0\0\003bad'; sleep 9",
            Duration::from_secs(30),
        );
        let costly = scripted("exit 3", Duration::from_secs(30));
        for (documents, reason) in [
            (None, LeftOut::Document),
            (Some(damaged), LeftOut::DamagedDocument),
            (Some(costly), LeftOut::CostlyDocument),
        ] {
            let verdict = judged(documents, "", true);
            assert_eq!((verdict.left_out, verdict.is_page), (Some(reason), false));
        }
    }

    #[test]
    fn a_missing_part_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let jar = folder.path().join("a.jar");
        let java = Path::new("true");
        assert_eq!(Documents::new(java, &jar).unwrap_err(), jar);
        std::fs::write(&jar, "").unwrap();
        let parsers = folder.path().join(PARSERS);
        assert_eq!(Documents::new(java, &jar).unwrap_err(), parsers);
        std::fs::create_dir(&parsers).unwrap();
        assert!(Documents::new(java, &jar).is_ok());
        for none in ["false", "no-such-program"].map(Path::new) {
            assert_eq!(Documents::new(none, &jar).unwrap_err(), none);
        }
    }
}
