//! The joining of parts to corpora: in the order of the inputs, each URL once in each corpus.

use crate::part::{PartFiles, Reader};
use figures::seen::Seen;
use records::Source;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::NamedTempFile;

/// Level of compression, which is that of the crawl.
const LEVEL: i32 = 3;

/// One corpus that is written.
pub struct Corpus {
    /// Number of its language.
    language: usize,
    /// Whether it has the kept pages, and not the rejected ones.
    is_kept: bool,
    out: zstd::Encoder<'static, BufWriter<NamedTempFile>>,
    seen: Seen,
    sums: CorpusSums,
}

/// Counts of a corpus.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CorpusSums {
    /// Number of documents in the corpus.
    pub documents: u64,
    /// Bytes of the language in their main text.
    pub target_bytes: u64,
    /// Documents that were left out because an earlier one has their URL.
    pub duplicates: u64,
    /// Size of the file, compressed.
    pub bytes: u64,
}

impl Corpus {
    /// Begins a corpus in a temporary file of a folder. `memory` bytes are for its URLs.
    ///
    /// # Errors
    /// Fails if there can be no file.
    pub fn new(
        language: usize,
        is_kept: bool,
        file: NamedTempFile,
        scratch: &Path,
        memory: usize,
    ) -> io::Result<Self> {
        let out = zstd::Encoder::new(BufWriter::with_capacity(1 << 17, file), LEVEL)?;
        Ok(Self {
            language,
            is_kept,
            out,
            seen: Seen::new(scratch, memory),
            sums: CorpusSums::default(),
        })
    }

    fn add_all(&mut self, mut part: Reader) -> io::Result<()> {
        while let Some(document) = part.document()? {
            if (document.language, document.is_kept) != (self.language, self.is_kept) {
                continue;
            }
            if document.is_new(&mut self.seen)? {
                self.out.write_all(&document.content)?;
                self.sums.documents += 1;
                self.sums.target_bytes += document.target_bytes;
            } else {
                self.sums.duplicates += 1;
            }
        }
        Ok(())
    }

    /// Adds the documents of all inputs. Returns the file and what it has; `None` if `stop` was
    /// set.
    ///
    /// # Errors
    /// Fails if a part cannot be read, or the file cannot be written.
    pub fn join(
        mut self,
        sources: &[Source],
        parts: &Path,
        stop: &AtomicBool,
    ) -> io::Result<Option<(NamedTempFile, CorpusSums)>> {
        for source in sources {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            self.add_all(PartFiles::new(parts, source).open()?)?;
        }
        let file = self.out.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
        let bytes = file.as_file().metadata()?.len();
        Ok(Some((file, CorpusSums { bytes, ..self.sums })))
    }
}
