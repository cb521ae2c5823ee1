//! Sums over a crawl's pages that Java's tasks hold: Java has an id, never a pointer, until it gives the sums away or lets go of them.

use crate::registry;
use corpus::crawl::Crawl;
use corpus::Plan;
use engine::frame::{tag, Frame, Writer};
use engine::Status;
use once_cell::sync::Lazy;
use report::Report;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Most sums of a process at a time. A task needs one; this bounds what a caller in a loop can make us hold.
const MAX_OPEN: usize = 64;

/// Bytes of memory for counting, unless the options tell.
const MEMORY: u64 = 64 << 20;

/// None while a call that ends the sums has them, and after one that panicked.
type Slot = Arc<Mutex<Option<Crawl>>>;

static OPEN: Lazy<Mutex<Slots>> = Lazy::new(Mutex::default);

#[derive(Default)]
struct Slots {
    last: i32,
    slots: BTreeMap<i32, Slot>,
}

impl Slots {
    fn add(&mut self, crawl: Crawl, most: usize) -> Result<i32, String> {
        if self.slots.len() >= most {
            return Err(format!("{most} corpora are open, allowed are {most}"));
        }
        self.last = self.last.checked_add(1).ok_or("no more ids for corpora")?;
        self.slots.insert(self.last, Arc::new(Mutex::new(Some(crawl))));
        Ok(self.last)
    }
}

/// New sums, for the language and threshold of an engine.
pub fn open(engine: i32, options: &[u8]) -> Result<Writer, String> {
    let settings = registry::get(engine)?.settings().clone();
    let options = Frame::read(options).map_err(|bad| format!("corpus options: {bad}"))?;
    let folder = Path::new(text(&options, tag::FOLDER, "folder")?);
    if !folder.is_dir() {
        return Err(format!("folder for temporary files is `{}`, allowed is a folder", folder.display()));
    }
    let memory = options.u64(tag::MEMORY).map_err(|bad| format!("corpus options: {bad}"))?.unwrap_or(MEMORY);
    let words = options.get(tag::NO_WORDS).is_none();
    let plan = Plan { target: settings.target, min_bytes: settings.min_bytes, words };
    let crawl = Crawl::new(plan, folder, usize::try_from(memory).unwrap_or(usize::MAX));
    let id = OPEN.lock().unwrap_or_else(PoisonError::into_inner).add(crawl, MAX_OPEN)?;
    let mut answer = Writer::answer(Status::Ok, None);
    answer.u32(tag::CORPUS_ID, id as u32);
    Ok(answer)
}

/// Adds a page's row.
pub fn add(corpus: i32, row: &[u8]) -> Result<Writer, String> {
    let row = Frame::read(row).map_err(|bad| format!("row: {bad}"))?;
    with(corpus, |crawl| crawl.add(&row))
}

/// Takes in what [`parts`] wrote elsewhere, a part at a time.
pub fn absorb(corpus: i32, part: &[u8]) -> Result<Writer, String> {
    with(corpus, |crawl| crawl.absorb(part).map_err(|bad| bad.to_string()))
}

/// Writes the sums to a file as parts, each behind its length as big-endian u32, and lets go of them.
pub fn parts(corpus: i32, options: &[u8]) -> Result<Writer, String> {
    let options = Frame::read(options).map_err(|bad| format!("corpus options: {bad}"))?;
    let file = text(&options, tag::FILE, "file")?;
    let others = options.u64(tag::OTHER_RECORDS).map_err(|bad| format!("corpus options: {bad}"))?.unwrap_or(0);
    let failed = |error: std::io::Error| format!("{file}: {error}");
    let mut out = BufWriter::new(File::create(file).map_err(failed)?);
    let written = take(corpus)?.parts(others, &mut |part| {
        let length = u32::try_from(part.len()).map_err(std::io::Error::other)?;
        out.write_all(&length.to_be_bytes())?;
        out.write_all(&part)
    });
    written.and_then(|()| out.flush()).map_err(failed)?;
    Ok(Writer::answer(Status::Ok, None))
}

/// Writes the report to a folder and lets go of the sums.
pub fn report(corpus: i32, options: &[u8]) -> Result<Writer, String> {
    let options = Frame::read(options).map_err(|bad| format!("corpus options: {bad}"))?;
    let folder = Path::new(text(&options, tag::FOLDER, "folder")?);
    let name = text(&options, tag::NAME, "name")?;
    let crawl = take(corpus)?;
    let plan = crawl.plan();
    let report = crawl.finish().and_then(|outcome| Report::new(plan, vec![(name.to_owned(), outcome)], None, None));
    let report = report.map_err(|error| format!("temporary files: {error}"))?;
    for (file, content) in report.files().map_err(|error| error.to_string())? {
        let file = folder.join(file);
        fs::write(&file, content).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(Writer::answer(Status::Ok, None))
}

/// Lets go of the sums, if they are still held.
pub fn close(corpus: i32) -> Result<Writer, String> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner).slots.remove(&corpus);
    Ok(Writer::answer(Status::Ok, None))
}

fn text<'a>(options: &Frame<'a>, tag: u16, what: &str) -> Result<&'a str, String> {
    let value = options.text(tag).map_err(|bad| format!("corpus options: {bad}"))?;
    value.ok_or_else(|| format!("corpus options: the {what} is missing"))
}

fn unknown(corpus: i32) -> String {
    format!("corpus id is {corpus}, allowed are ids of corpora that are open")
}

/// Runs something on sums. Whoever adds to the same ones waits; others do not.
fn with(corpus: i32, run: impl FnOnce(&mut Crawl) -> Result<(), String>) -> Result<Writer, String> {
    let slot = OPEN.lock().unwrap_or_else(PoisonError::into_inner).slots.get(&corpus).cloned();
    let slot = slot.ok_or_else(|| unknown(corpus))?;
    // After a panic nobody knows what was added: the sums are gone, and so must the task be.
    let mut crawl = slot.lock().map_err(|_| format!("corpus {corpus} failed in an earlier call"))?;
    run(crawl.as_mut().ok_or_else(|| unknown(corpus))?)?;
    Ok(Writer::answer(Status::Ok, None))
}

/// The sums, which nobody else has from now on.
fn take(corpus: i32) -> Result<Crawl, String> {
    let slot = OPEN.lock().unwrap_or_else(PoisonError::into_inner).slots.remove(&corpus);
    let slot = slot.ok_or_else(|| unknown(corpus))?;
    let mut crawl = slot.lock().map_err(|_| format!("corpus {corpus} failed in an earlier call"))?;
    crawl.take().ok_or_else(|| unknown(corpus))
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
        i32::from_be_bytes(Frame::read(&answer.finish()).unwrap().get(tag).unwrap().try_into().unwrap())
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
        let opened = || id(open(engine(), &options(&[(tag::FOLDER, path)])).unwrap(), tag::CORPUS_ID);
        let (first, second) = (opened(), opened());
        let row =
            [(tag::URL, "http://a.pk/"), (tag::DECISION, "keep x"), (tag::LANGUAGES, "urd:20"), (tag::MAIN_TEXT, "یہ")];
        add(first, &options(&row)).unwrap();
        let file = folder.path().join("parts");
        parts(first, &options(&[(tag::FILE, file.to_str().unwrap())])).unwrap();
        assert!(add(first, &options(&row)).unwrap_err().starts_with("corpus id is"));
        let bytes = fs::read(&file).unwrap();
        let mut rest = bytes.as_slice();
        while let Some((length, after)) = rest.split_first_chunk() {
            let (part, after) = after.split_at(u32::from_be_bytes(*length) as usize);
            absorb(second, part).unwrap();
            rest = after;
        }
        report(second, &options(&[(tag::FOLDER, path), (tag::NAME, "small")])).unwrap();
        let json = fs::read_to_string(folder.path().join("report.json")).unwrap();
        assert!(json.contains("\"name\": \"small\"") && json.contains("\"target_bytes\": 20"), "{json}");
        assert!(fs::read_to_string(folder.path().join("report.html")).unwrap().contains("small"));
    }

    #[test]
    fn what_is_wrong_is_told_in_a_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        let refused = |fields: &[(u16, &str)]| open(engine(), &options(fields)).unwrap_err();
        assert_eq!(refused(&[]), "corpus options: the folder is missing");
        assert!(refused(&[(tag::FOLDER, "/no/such")]).contains("is `/no/such`, allowed is a folder"));
        let corpus = id(open(engine(), &options(&[(tag::FOLDER, path)])).unwrap(), tag::CORPUS_ID);
        assert_eq!(absorb(corpus, b"CRPM").unwrap_err(), "a state has no head");
        assert!(add(corpus, b"row").unwrap_err().starts_with("row: frame does not begin"));
        close(corpus).unwrap();
        close(corpus).unwrap();
        assert!(absorb(corpus, b"").unwrap_err().starts_with("corpus id is"));
    }

    #[test]
    fn more_than_so_many_at_a_time_are_refused() {
        let plan = Plan { target: "urd".parse().unwrap(), min_bytes: 1, words: false };
        let crawl = || Crawl::new(plan, Path::new("/"), 1 << 20);
        let mut slots = Slots::default();
        assert_eq!((slots.add(crawl(), 2), slots.add(crawl(), 2)), (Ok(1), Ok(2)));
        assert_eq!(slots.add(crawl(), 2).unwrap_err(), "2 corpora are open, allowed are 2");
        slots.slots.remove(&1);
        assert_eq!(slots.add(crawl(), 2), Ok(3));
    }
}
