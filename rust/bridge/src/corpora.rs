//! Open corpora: sums over a crawl's pages that Java's tasks hold. Java has an id, never a pointer,
//! until it finishes or closes the corpus.

use crate::refusal::Refusal;
use crate::registry;
use crate::slots::{Names, Slots};
use engine::frame::{tag, Frame, Writer};
use engine::Status;
use figures::crawl::Crawl;
use figures::Plan;
use once_cell::sync::Lazy;
use report::Report;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

/// Most open corpora of a process. A task needs one; the limit bounds the memory that a faulty
/// caller can hold.
const MAX_OPEN: usize = 64;

/// Default memory for counting, in bytes.
const MEMORY: u64 = 64 << 20;

static OPEN: Lazy<Slots<Crawl>> =
    Lazy::new(|| Slots::new(Names { one: "corpus", many: "corpora" }, MAX_OPEN));

/// Opens a corpus for the language and threshold of an engine.
pub fn open(engine: i32, options: &[u8]) -> Result<Writer, Refusal> {
    let engine = registry::get(engine)?;
    let settings = engine.settings();
    let options = Frame::read(options).map_err(Refusal::frame("corpus options"))?;
    let folder = Path::new(text(&options, tag::FOLDER, "folder")?);
    if !folder.is_dir() {
        return Err(Refusal::Folder(folder.display().to_string()));
    }
    let memory =
        options.u64(tag::MEMORY).map_err(Refusal::frame("corpus options"))?.unwrap_or(MEMORY);
    let words = options.get(tag::NO_WORDS).is_none();
    let asked = options.text(tag::CORPUS_TARGET).map_err(Refusal::frame("corpus options"))?;
    let target = settings.targets.one(asked).ok_or_else(|| Refusal::Target {
        found: asked.unwrap_or_default().to_owned(),
        allowed: settings.targets.to_string(),
    })?;
    let scripts = engine.model_scripts(target);
    let plan = Plan { target, scripts, words };
    let crawl = Crawl::new(plan, folder, usize::try_from(memory).unwrap_or(usize::MAX));
    let id = OPEN.add(crawl)?;
    let mut answer = Writer::answer(Status::Ok, None);
    answer.u32(tag::CORPUS_ID, id as u32);
    Ok(answer)
}

/// Adds a page's row.
pub fn add(corpus: i32, row: &[u8]) -> Result<Writer, Refusal> {
    let row = Frame::read(row).map_err(Refusal::frame("row"))?;
    OPEN.with(corpus, |crawl| Ok(crawl.add(&row)?))?;
    Ok(Writer::answer(Status::Ok, None))
}

/// Merges one part that [`parts`] wrote in another process.
pub fn absorb(corpus: i32, part: &[u8]) -> Result<Writer, Refusal> {
    OPEN.with(corpus, |crawl| Ok(crawl.absorb(part)?))?;
    Ok(Writer::answer(Status::Ok, None))
}

/// Writes the corpus to a file as parts, each preceded by its length as a big-endian u32, and
/// closes it.
pub fn parts(corpus: i32, options: &[u8]) -> Result<Writer, Refusal> {
    let options = Frame::read(options).map_err(Refusal::frame("corpus options"))?;
    let file = text(&options, tag::FILE, "file")?;
    let others =
        options.u64(tag::OTHER_RECORDS).map_err(Refusal::frame("corpus options"))?.unwrap_or(0);
    let failed = Refusal::file(file);
    let mut out = BufWriter::new(File::create(file).map_err(&failed)?);
    let written = OPEN.take(corpus)?.parts(others, &mut |part| {
        let length = u32::try_from(part.len()).map_err(std::io::Error::other)?;
        out.write_all(&length.to_be_bytes())?;
        out.write_all(&part)
    });
    written.and_then(|()| out.flush()).map_err(failed)?;
    Ok(Writer::answer(Status::Ok, None))
}

/// Writes the report to a folder and closes the corpus. Answers with the words of the kept pages if
/// they were counted.
pub fn report(corpus: i32, options: &[u8]) -> Result<Writer, Refusal> {
    let options = Frame::read(options).map_err(Refusal::frame("corpus options"))?;
    let folder = Path::new(text(&options, tag::FOLDER, "folder")?);
    let name = text(&options, tag::NAME, "name")?;
    let crawl = OPEN.take(corpus)?;
    let plan = crawl.plan();
    let failed = Refusal::file("temporary files");
    let outcome = crawl.finish().map_err(&failed)?;
    let mut answer = Writer::answer(Status::Ok, None);
    if let Some(words) = &outcome.figures.words {
        answer.u64(tag::WORDS, words.vocabulary.tokens);
        answer.u64(tag::OWN_WORDS, words.vocabulary.own_tokens.unwrap_or(0));
    }
    let report = Report::new(plan, vec![(name.to_owned(), outcome)], &[], None).map_err(failed)?;
    for (file, content) in report.files().map_err(|error| Refusal::Report(error.into()))? {
        let file = folder.join(file);
        fs::write(&file, content).map_err(Refusal::file(file.display()))?;
    }
    Ok(answer)
}

/// Closes the corpus if it is still open.
pub fn close(corpus: i32) -> Result<Writer, Refusal> {
    OPEN.close(corpus);
    Ok(Writer::answer(Status::Ok, None))
}

fn text<'a>(options: &Frame<'a>, tag: u16, what: &'static str) -> Result<&'a str, Refusal> {
    let value = options.text(tag).map_err(Refusal::frame("corpus options"))?;
    value.ok_or(Refusal::Missing(what))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::calls;

    fn engine() -> i32 {
        id(calls::configure(br#"{"target":"urd","minBytes":17}"#).unwrap(), tag::ENGINE_ID)
    }

    fn id(answer: Writer, tag: u16) -> i32 {
        i32::from_be_bytes(
            Frame::read(&answer.finish()).unwrap().get(tag).unwrap().try_into().unwrap(),
        )
    }

    fn options(fields: &[(u16, &str)]) -> Vec<u8> {
        let mut options = Writer::new();
        for (tag, value) in fields {
            options.text(*tag, value);
        }
        options.finish()
    }

    #[test]
    fn sums_travel_from_one_corpus_to_another_and_become_a_report() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        let opened =
            || id(open(engine(), &options(&[(tag::FOLDER, path)])).unwrap(), tag::CORPUS_ID);
        let (first, second) = (opened(), opened());
        let row = [
            (tag::URL, "http://a.pk/"),
            (tag::DECISION, "keep x"),
            (tag::LANGUAGES, "urd:20"),
            (tag::MAIN_TEXT, "یہ"),
        ];
        add(first, &options(&row)).unwrap();
        let file = folder.path().join("parts");
        parts(first, &options(&[(tag::FILE, file.to_str().unwrap())])).unwrap();
        assert!(add(first, &options(&row)).unwrap_err().to_string().starts_with("corpus id is"));
        let bytes = fs::read(&file).unwrap();
        let mut rest = bytes.as_slice();
        while let Some((length, after)) = rest.split_first_chunk() {
            let (part, after) = after.split_at(u32::from_be_bytes(*length) as usize);
            absorb(second, part).unwrap();
            rest = after;
        }
        let answer = report(second, &options(&[(tag::FOLDER, path), (tag::NAME, "small")]));
        let answer = answer.unwrap().finish();
        let words = |tag| Frame::read(&answer).unwrap().u64(tag).unwrap();
        assert_eq!((words(tag::WORDS), words(tag::OWN_WORDS)), (Some(1), Some(1)));
        let json = fs::read_to_string(folder.path().join("report.json")).unwrap();
        assert!(
            json.contains("\"name\": \"small\"") && json.contains("\"target_bytes\": 20"),
            "{json}"
        );
        assert!(fs::read_to_string(folder.path().join("report.html")).unwrap().contains("small"));
    }

    #[test]
    fn what_is_wrong_is_told_in_a_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        let refused =
            |fields: &[(u16, &str)]| open(engine(), &options(fields)).unwrap_err().to_string();
        assert_eq!(refused(&[]), "corpus options: the folder is missing");
        assert!(
            refused(&[(tag::FOLDER, "/no/such")]).contains("is `/no/such`, allowed is a folder")
        );
        let corpus = id(open(engine(), &options(&[(tag::FOLDER, path)])).unwrap(), tag::CORPUS_ID);
        assert_eq!(absorb(corpus, b"CRPM").unwrap_err().to_string(), "a state has no head");
        assert!(add(corpus, b"row")
            .unwrap_err()
            .to_string()
            .starts_with("row: frame does not begin"));
        close(corpus).unwrap();
        close(corpus).unwrap();
        assert!(absorb(corpus, b"").unwrap_err().to_string().starts_with("corpus id is"));
    }
}
