//! The documents of inputs as a stream: in the order of the inputs, each URL once in each corpus,
//! with nothing on disk but URLs that do not fit into memory.
//!
//! One thread reads records; all threads of the caller's pool read their pages, a batch at a time.
//! The documents are those that [`Work`](crate::Work) and [`join`](crate::join) write.

use crate::page::{Judge, Written};
use crate::part::Figures;
use crate::work::{judge, length, readable, Failure, Read, BATCH_BYTES, BATCH_RECORDS};
use figures::seen::Seen;
use rayon::prelude::*;
use records::Source;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{sync_channel, Receiver, SyncSender};
use std::sync::Arc;
use std::thread::JoinHandle;

/// Records of one input.
struct Batch {
    /// Number of the input.
    source: usize,
    records: Vec<Read>,
}

/// The documents of inputs, in order.
pub struct Stream {
    judge: Judge,
    sources: Arc<[Source]>,
    batches: Option<Receiver<Batch>>,
    reader: Option<JoinHandle<Result<(), Failure>>>,
    /// The URLs of each corpus: of each language those kept, and those rejected.
    seen: Vec<Seen>,
    folder: PathBuf,
    figures: Figures,
    read: Arc<AtomicU64>,
}

impl Stream {
    /// Begins to read inputs. `max_bytes` is the length of the longest record. `memory` bytes are
    /// for the URLs of each corpus; those that do not fit go to temporary files in `folder`.
    ///
    /// # Errors
    /// Fails if there can be no thread.
    pub fn new(
        judge: Judge,
        sources: Vec<Source>,
        max_bytes: u64,
        folder: &Path,
        memory: usize,
    ) -> Result<Self, Failure> {
        let sources: Arc<[Source]> = sources.into();
        let seen = (0..2 * judge.engines().len()).map(|_| Seen::new(folder, memory)).collect();
        let (sender, batches) = sync_channel(1);
        let read = Arc::new(AtomicU64::new(0));
        let reader = std::thread::Builder::new().name("corpulyzer-reader".to_owned()).spawn({
            let (sources, read) = (Arc::clone(&sources), Arc::clone(&read));
            move || read_all(&sources, max_bytes, &read, &sender)
        });
        let reader = reader.map_err(Failure::NoThread)?;
        let (batches, reader) = (Some(batches), Some(reader));
        let (folder, figures) = (folder.to_owned(), Figures::default());
        Ok(Self { judge, sources, batches, reader, seen, folder, figures, read })
    }

    /// The judge, with an engine for each language.
    pub fn judge(&self) -> &Judge {
        &self.judge
    }

    /// Figures of the records that were read so far.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// Bytes that were read so far, before decompression.
    pub fn bytes(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Returns the documents of the next records, which may be none; `None` at the end of the
    /// inputs.
    ///
    /// # Errors
    /// Fails if an input cannot be opened or not be read to its end, or a temporary file cannot be
    /// written. Nothing is read after an error.
    pub fn next_batch(&mut self) -> Result<Option<Vec<Written>>, Failure> {
        let Some(batches) = &self.batches else { return Ok(None) };
        let Ok(batch) = batches.recv() else {
            self.batches = None;
            return match self.reader.take().map(JoinHandle::join) {
                Some(Ok(read)) => read.map(|()| None),
                Some(Err(_)) => Err(Failure::Panicked("the inputs".to_owned())),
                None => Ok(None),
            };
        };
        let documents = self.read(batch);
        if documents.is_err() {
            self.batches = None;
        }
        let folder = &self.folder;
        documents.map(Some).map_err(|error| Failure::Temporary { folder: folder.clone(), error })
    }

    /// Reads the pages of a batch on all cores.
    fn read(&mut self, batch: Batch) -> io::Result<Vec<Written>> {
        self.figures.records += batch.records.len() as u64;
        let name = &self.sources[batch.source].name;
        let verdicts: Vec<_> =
            batch.records.into_par_iter().map(|record| judge(&self.judge, record, name)).collect();
        let mut documents = Vec::new();
        for verdict in verdicts {
            match verdict {
                Ok(verdict) => {
                    self.figures.count(&verdict);
                    for document in verdict.documents {
                        let seen =
                            &mut self.seen[2 * document.language + usize::from(document.is_kept)];
                        if document.is_new(seen)? {
                            documents.push(document);
                        }
                    }
                }
                Err(problem) => self.figures.note(&problem),
            }
        }
        Ok(documents)
    }
}

/// Reads all records to batches. Ends early if the receiver is gone.
fn read_all(
    sources: &[Source],
    max_bytes: u64,
    read: &Arc<AtomicU64>,
    sender: &SyncSender<Batch>,
) -> Result<(), Failure> {
    for (number, source) in sources.iter().enumerate() {
        let input = source.open(max_bytes, read);
        let input = input.map_err(Failure::unopened(source))?;
        let (mut records, mut bytes) = (Vec::new(), 0);
        for record in input {
            let record = readable(record)?;
            bytes += record.as_ref().map_or(0, |record| length(&record.body));
            records.push(record);
            if bytes >= BATCH_BYTES || records.len() >= BATCH_RECORDS {
                let batch = Batch { source: number, records: std::mem::take(&mut records) };
                if sender.send(batch).is_err() {
                    return Ok(());
                }
                bytes = 0;
            }
        }
        if sender.send(Batch { source: number, records }).is_err() {
            return Ok(());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Format;
    use engine::{Engine, Settings};
    use std::fs;

    const URDU: &str =
        "یہ شہر کی پرانی لائبریری ہے اور اس میں بہت سی کتابیں ہیں جو لوگ شوق سے پڑھتے ہیں۔ ";

    fn judge(rejected: bool) -> Judge {
        let engine = Engine::new(Settings::new("urd".parse().unwrap())).unwrap();
        Judge::new(vec![engine], true, rejected, Format::Jsonl)
    }

    fn line(url: &str, text: &str) -> String {
        format!("{{\"url\":\"http://{url}/\",\"text\":\"{}\"}}\n", text.repeat(4))
    }

    #[test]
    fn documents_are_in_the_order_of_the_inputs_each_url_once() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("1.jsonl"), folder.path().join("2.jsonl"));
        fs::write(&one, line("b", URDU) + &line("a", URDU) + "no page\n" + &line("c", "12 "))
            .unwrap();
        fs::write(&two, line("a", URDU) + &line("d", URDU)).unwrap();
        let sources = vec![Source::new(&one).unwrap(), Source::new(&two).unwrap()];
        let mut stream =
            Stream::new(judge(true), sources, 1 << 20, folder.path(), 1 << 20).unwrap();
        let mut found = Vec::new();
        while let Some(documents) = stream.next_batch().unwrap() {
            for document in documents {
                let line: serde_json::Value = serde_json::from_slice(&document.content).unwrap();
                found.push((line["url"].as_str().unwrap().to_owned(), document.is_kept));
            }
        }
        let url = |name: &str| format!("http://{name}/");
        assert_eq!(found, [(url("b"), true), (url("a"), true), (url("d"), true)]);
        let figures = stream.figures();
        assert_eq!((figures.records, figures.pages, figures.ruled_out), (6, 5, 1));
        assert_eq!(figures.problems.values().sum::<u64>(), 1);
        assert!(stream.next_batch().unwrap().is_none());
    }

    #[test]
    fn every_page_without_a_url_is_a_document() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("a.warc");
        let page = |number: usize| {
            let text = URDU.repeat(4);
            let answer = format!("HTTP/1.1 200 OK\r\n\r\n<p>{number} {text}</p>");
            let length = answer.len();
            format!(
                "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\n\
                 Content-Length: {length}\r\n\r\n{answer}\r\n\r\n"
            )
        };
        fs::write(&input, page(1) + &page(2) + &page(3)).unwrap();
        let sources = vec![Source::new(&input).unwrap()];
        let mut stream =
            Stream::new(judge(false), sources, 1 << 20, folder.path(), 1 << 20).unwrap();
        let documents = stream.next_batch().unwrap().unwrap();
        assert_eq!(documents.len(), 3);
        assert!(documents.iter().all(|document| document.url.is_none()));
    }

    #[test]
    fn an_input_that_is_gone_is_named_after_the_documents_before_it() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("1.jsonl"), folder.path().join("2.jsonl"));
        fs::write(&one, line("a", URDU)).unwrap();
        fs::write(&two, "").unwrap();
        let sources = vec![Source::new(&one).unwrap(), Source::new(&two).unwrap()];
        fs::remove_file(&two).unwrap();
        let mut stream =
            Stream::new(judge(false), sources, 1 << 20, folder.path(), 1 << 20).unwrap();
        assert_eq!(stream.next_batch().unwrap().unwrap().len(), 1);
        let said = stream.next_batch().unwrap_err().to_string();
        assert!(said.contains("2.jsonl: No such file"), "{said}");
        assert!(stream.next_batch().unwrap().is_none());
    }
}
