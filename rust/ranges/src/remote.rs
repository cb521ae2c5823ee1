//! A file on a server that is read at any place.

use crate::store::Store;
use crate::{BadServer, Failure, Refusal, Server, Version};
use records::Random;
use std::collections::VecDeque;
use std::fmt;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};
use url::Url;

/// Bytes that are fetched at a place that was not announced: the header of a page of Parquet.
const AHEAD: u64 = 8 << 10;

/// Most bytes of a request.
const MAX_BLOCK: u64 = 8 << 20;

/// Blocks in memory: one for each column of a table that is read, and some more.
const BLOCKS: usize = 12;

/// Announced parts that are known. Older ones are forgotten, which costs requests only.
const EXPECTED: usize = 4096;

/// First bytes of a file, which are fetched to learn its length and format.
const FIRST: u64 = 16;

/// How files on servers are read.
#[derive(Debug, Clone)]
pub struct Afar {
    /// Least time between the starts of two requests.
    pub delay: Duration,
    /// Whom to ask about the requests; servers see it.
    pub contact: Option<String>,
    /// Folder of fetched parts, from which a later run goes on. It must belong to this user.
    pub folder: Option<PathBuf>,
    /// Ends the reading.
    pub stop: Arc<AtomicBool>,
}

/// Sums over the requests for files.
#[derive(Debug, Default)]
pub struct Counts {
    /// Bytes that were fetched.
    pub fetched: AtomicU64,
    /// Requests that were made, without further tries.
    pub requests: AtomicU64,
    /// Bytes that an earlier run had fetched.
    pub known: AtomicU64,
    /// Lengths of the files.
    pub length: AtomicU64,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [fetched, length, known, requests] =
            [&self.fetched, &self.length, &self.known, &self.requests]
                .map(|sum| sum.load(Ordering::Relaxed));
        let percent = 100.0 * (fetched + known) as f64 / length.max(fetched).max(1) as f64;
        let s = if requests == 1 { "" } else { "s" };
        write!(
            f,
            "{fetched} bytes in {requests} request{s}, and {known} in an earlier run: {percent:.1} % \
             of {length} bytes"
        )
    }
}

/// A file on a server. Parts that are read are fetched in blocks; [`Random::expect`] announces what
/// is worth a large one.
#[derive(Debug)]
pub struct Remote {
    server: Server,
    url: Url,
    version: Version,
    length: u64,
    position: u64,
    /// Blocks by their first bytes; the one that was used last is the last.
    blocks: VecDeque<(u64, Vec<u8>)>,
    /// Announced parts, as first byte and the one behind the last.
    expected: VecDeque<(u64, u64)>,
    store: Option<Store>,
    counts: Arc<Counts>,
}

/// Why a file on a server cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum Unopened {
    /// Nothing is fetched from its address.
    #[error(transparent)]
    Server(#[from] BadServer),
    /// It cannot be fetched.
    #[error(transparent)]
    Failure(#[from] Failure),
}

impl Remote {
    /// Opens a file with a request for its first bytes.
    ///
    /// # Errors
    /// Fails if the server does not serve ranges of the file, or the folder of fetched parts cannot
    /// be written.
    pub fn open(address: &str, afar: &Afar, counts: &Arc<Counts>) -> Result<Self, Unopened> {
        let mut server = Server::new(address, afar.contact.as_deref(), afar.delay, &afar.stop)?;
        // The last request for another file may have been a moment ago.
        server.last = (counts.requests.load(Ordering::Relaxed) > 0).then(Instant::now);
        let url = server.root.clone();
        let version = Version { length: String::new(), tag: String::new() };
        let (blocks, expected, store) = (VecDeque::new(), VecDeque::new(), None);
        let counts = Arc::clone(counts);
        let (length, position) = (0, 0);
        let mut remote =
            Self { server, url, version, length, position, blocks, expected, store, counts };
        let (bytes, version) = remote.request(0, FIRST, false)?;
        let bad = || remote.refused(Refusal::NoLength(version.length.clone()));
        remote.length = version.length.parse().map_err(|_| bad())?;
        remote.version = version;
        remote.counts.length.fetch_add(remote.length, Ordering::Relaxed);
        remote.blocks.push_back((0, bytes));
        if let Some(folder) = &afar.folder {
            let opened = Store::open(folder, &remote.url, &remote.version);
            let store = opened.map_err(|(file, reason)| Failure::File { file, reason })?;
            remote.store = Some(store);
        }
        Ok(remote)
    }

    /// Returns the URL of the file.
    pub fn address(&self) -> &str {
        self.url.as_str()
    }

    fn refused(&self, reason: Refusal) -> Failure {
        Failure::Refused { url: self.url.to_string(), reason }
    }

    /// Fetches a part. Fails if it is shorter and has to be whole.
    fn request(
        &mut self,
        start: u64,
        length: u64,
        is_whole: bool,
    ) -> Result<(Vec<u8>, Version), Failure> {
        let mut bytes = Cursor::new(Vec::new());
        let part = match is_whole {
            true => self.server.fetch_whole(&self.url, start, length, &mut bytes, 0)?,
            false => self.server.fetch_range(&self.url, start, length, &mut bytes, 0)?,
        };
        self.counts.requests.fetch_add(1, Ordering::Relaxed);
        let mut bytes = bytes.into_inner();
        // A try that failed may have sent more.
        bytes.truncate(usize::try_from(part.length).unwrap_or(usize::MAX));
        self.counts.fetched.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok((bytes, part.version))
    }

    /// Fetches a block that begins here, or takes it from an earlier run.
    fn block(&mut self, start: u64) -> Result<Vec<u8>, Failure> {
        let expected = self.expected.iter().filter(|(first, end)| (*first..*end).contains(&start));
        let length = expected.map(|(_, end)| end - start).max().unwrap_or(AHEAD);
        let length = length.min(MAX_BLOCK).min(self.length - start);
        if let Some(bytes) = self.store.as_mut().and_then(|store| store.get(start, length)) {
            self.counts.known.fetch_add(length, Ordering::Relaxed);
            return Ok(bytes);
        }
        let (bytes, version) = self.request(start, length, true)?;
        if version != self.version {
            return Err(self.refused(Refusal::Changed));
        }
        if let Some(store) = &mut self.store {
            let put = store.put(start, &bytes);
            put.map_err(|reason| Failure::File { file: store.path.clone(), reason })?;
        }
        Ok(bytes)
    }

    /// Brings the block with the next byte to the end of the blocks.
    fn find(&mut self) -> Result<(), Failure> {
        let at = self.position;
        let has = |(start, bytes): &(u64, Vec<u8>)| at >= *start && at - start < bytes.len() as u64;
        let found = self.blocks.iter().position(has).and_then(|place| self.blocks.remove(place));
        let found = match found {
            Some(block) => block,
            None => (at, self.block(at)?),
        };
        if self.blocks.len() == BLOCKS {
            self.blocks.pop_front();
        }
        self.blocks.push_back(found);
        Ok(())
    }
}

impl Read for Remote {
    /// Errors have a [`Failure`].
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.position >= self.length || buffer.is_empty() {
            return Ok(0);
        }
        // The kind is none that a decoder takes for damage.
        self.find().map_err(|failure| io::Error::new(io::ErrorKind::ConnectionAborted, failure))?;
        let Some((start, bytes)) = self.blocks.back() else { return Ok(0) };
        let from = usize::try_from(self.position - start).unwrap_or(usize::MAX);
        let read = bytes.get(from..).unwrap_or_default().read(buffer)?;
        self.position += read as u64;
        Ok(read)
    }
}

impl Seek for Remote {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::End(by) => self.length.checked_add_signed(by),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
        };
        self.position = place.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

impl Random for Remote {
    fn length(&self) -> io::Result<u64> {
        Ok(self.length)
    }

    fn expect(&mut self, start: u64, length: u64) {
        let end = start.saturating_add(length).min(self.length);
        if self.expected.len() == EXPECTED {
            self.expected.pop_front();
        }
        if start < end && !self.expected.contains(&(start, end)) {
            self.expected.push_back((start, end));
        }
    }
}
