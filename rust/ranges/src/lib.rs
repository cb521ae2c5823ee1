//! Fetches parts of files from an HTTP server that serves byte ranges, one request after the other.
//!
//! [`Server::fetch`] fetches given ranges of a file to a file of their own. [`Remote`] is a file on
//! a server that is read at any place, like one of this machine. A run that was stopped continues
//! after the last complete range. A range that is no whole gzip record is fetched once more, also
//! in a file of an earlier run. `client.rs` has the protocol.
#![forbid(unsafe_code)]

mod client;
mod remote;
mod store;

pub use remote::{Afar, Counts, Remote, Unopened};
pub use store::discard;

use flate2::bufread::GzDecoder;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};
use ureq::Agent;
use url::Url;

/// Largest range of a request, in bytes. Records that follow each other are fetched together.
const MAX_RANGE: u64 = 64 << 20;

/// Most bytes of a record that are decompressed to check it. What is behind them is not checked.
const MAX_CHECKED: u64 = 1 << 30;

/// Tries of a request. The wait between them doubles.
const TRIES: u32 = 5;

/// Shortest first wait.
const MIN_WAIT: Duration = Duration::from_millis(100);

/// Longest wait that a server may ask for.
const MAX_WAIT: Duration = Duration::from_secs(600);

/// A place in the file of fetched ranges, and the range that is there: offset and length.
type Placed = (u64, (u64, u64));

/// An address that nothing is fetched from.
#[derive(Debug, thiserror::Error)]
pub enum BadServer {
    /// It is no address.
    #[error("{root}: is not an address: {reason}")]
    NoAddress {
        /// The text that should be an address.
        root: String,
        /// Why the text is no address.
        reason: url::ParseError,
    },
    /// It is an address of another protocol.
    #[error("{0}: is not fetched from; allowed are folders, http:// and https:// addresses")]
    OtherProtocol(String),
    /// It is an https address, and this machine trusts nobody.
    #[error(
        "{root}: this machine has no certificate authorities{}; install the package \
         ca-certificates, or set SSL_CERT_FILE to a PEM file",
        reason.as_ref().map_or(String::new(), |reason| format!(" ({reason})"))
    )]
    NoAuthorities {
        /// The https address.
        root: String,
        /// The first error of the system's store, if there is one.
        reason: Option<rustls_native_certs::Error>,
    },
}

/// Why a file was not fetched.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The stop flag was set.
    #[error("stopped")]
    Stopped,
    /// The server does not have the file.
    #[error("the server does not have the file")]
    Absent,
    /// The name leads out of the server.
    #[error("{0}: is no name of a file on a server")]
    BadName(String),
    /// The file of fetched ranges cannot be read or written.
    #[error("{}: {reason}", file.display())]
    File {
        /// Path of the file of fetched ranges.
        file: PathBuf,
        /// The error of the system.
        #[source]
        reason: io::Error,
    },
    /// Every try of a request failed.
    #[error("{url}: {reason}, {TRIES} times")]
    Unreachable {
        /// The address of the file.
        url: String,
        /// Why the last try failed.
        reason: Passing,
    },
    /// The server answered, and another try would not help.
    #[error("{url}: {reason}")]
    Refused {
        /// The address of the file.
        url: String,
        /// The answer of the server.
        reason: Refusal,
    },
}

/// Why a try of a request failed, where another one may succeed.
#[derive(Debug, thiserror::Error)]
pub enum Passing {
    /// The connection failed, or the file of fetched ranges.
    #[error("{0}")]
    Connection(#[from] io::Error),
    /// The name of the server has no address.
    #[error("has no address")]
    NoAddress,
    /// The proxy of the environment does not connect.
    #[error("the proxy does not connect ({0})")]
    Proxy(String),
    /// The response has no head.
    #[error("answers without a head")]
    NoHead,
    /// The server is busy or broken for now.
    #[error("status {0}")]
    Status(u16),
    /// The response has fewer bytes than the range.
    #[error("ends early")]
    EndsEarly,
}

/// An answer of a server that gives no range.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// Its certificate is not trusted.
    #[error(
        "the certificate of the server is refused ({0}); SSL_CERT_FILE names the certificate \
         authorities to trust"
    )]
    Certificate(rustls::CertificateError),
    /// It gives the whole file.
    #[error("the server gives no ranges (status 200)")]
    NoRanges,
    /// It leads elsewhere.
    #[error("leads to {to} (status {status}); use that server's address")]
    Elsewhere {
        /// The address in the response.
        to: String,
        /// The status of the response.
        status: u16,
    },
    /// It has another status.
    #[error("status {0}; allowed is 206, a part of the file")]
    Status(u16),
    /// It gives another range.
    #[error("gives another range ({found}) than bytes {start}-{end}")]
    OtherRange {
        /// The range of the response.
        found: String,
        /// The first byte that was asked for.
        start: u64,
        /// The last byte that was asked for.
        end: u64,
    },
    /// It has no bytes at the place of the range.
    #[error("the file has no bytes at {0} (status 416)")]
    NoBytes(u64),
    /// It gives a part without the length of the file.
    #[error("does not say how long the file is ({0})")]
    NoLength(String),
    /// The file is another one than at the first request.
    #[error("the file changed on the server while it was read")]
    Changed,
}

/// Why a request failed.
enum Trouble {
    /// Another try may succeed, after a wait if the server named one.
    Passing(Passing, Option<Duration>),
    Final(Failure),
}

/// The version of a file, as the headers of a response state it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Version {
    /// Length of the file in bytes, as the server writes it.
    length: String,
    /// ETag, or else Last-Modified; empty if there is neither.
    tag: String,
}

/// A range in a response.
#[derive(Debug)]
struct Part {
    /// Fewer bytes than were asked for, if the file ends before.
    length: u64,
    version: Version,
    /// Value of the header Content-Range.
    range: String,
}

/// Reads a Content-Range: first and last byte, and the length of the file.
fn content_range(text: &str) -> Option<(u64, u64, &str)> {
    let (places, length) = text.strip_prefix("bytes ")?.split_once('/')?;
    let (start, end) = places.split_once('-')?;
    Some((start.parse().ok()?, end.parse().ok()?, length))
}

/// A server, and the limits of requests to it.
#[derive(Debug)]
pub struct Server {
    root: Url,
    agent: Agent,
    /// Least time between the starts of two requests.
    delay: Duration,
    stop: Arc<AtomicBool>,
    last: Option<Instant>,
}

impl Server {
    /// Creates a client for the files below an address.
    ///
    /// # Errors
    /// Fails if the address is not that of an HTTP server, or if it is an https
    /// address and this machine has no certificate authorities.
    pub fn new(
        root: &str,
        contact: Option<&str>,
        delay: Duration,
        stop: &Arc<AtomicBool>,
    ) -> Result<Self, BadServer> {
        let url = Url::parse(root)
            .map_err(|reason| BadServer::NoAddress { root: root.to_owned(), reason })?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(BadServer::OtherProtocol(root.to_owned()));
        }
        let authorities = match url.scheme() {
            "https" => client::authorities()
                .map_err(|reason| BadServer::NoAuthorities { root: root.to_owned(), reason })?,
            _ => Vec::new(),
        };
        let contact = contact.map_or(String::new(), |contact| format!(" ({contact})"));
        let name: String = format!("corpulyzer/{}{contact}", env!("CARGO_PKG_VERSION"));
        let name: String = name.chars().filter(|c| (' '..='~').contains(c)).collect();
        let agent = client::agent(&name, authorities, stop, client::TIMEOUT);
        Ok(Self { root: url, agent, delay, stop: Arc::clone(stop), last: None })
    }

    /// The address of a file, whatever its name has.
    fn address(&self, name: &str) -> Result<Url, Failure> {
        let failed = || Failure::BadName(name.to_owned());
        let mut url = self.root.clone();
        let parts: Vec<&str> = name.split('/').collect();
        if parts.iter().any(|part| part.is_empty() || matches!(*part, "." | "..")) {
            return Err(failed());
        }
        url.path_segments_mut().map_err(|()| failed())?.pop_if_empty().extend(parts);
        url.set_query(None);
        url.set_fragment(None);
        Ok(url)
    }

    /// Fetches the ranges of a file, as offset and length, one behind the other into `to`. Returns
    /// the number of requests.
    ///
    /// # Errors
    /// Fails if the server does not give the ranges, `to` cannot be written, or the work was
    /// stopped. The fetched bytes stay in a file beside `to`, and the next call continues from
    /// there. Damaged ranges in `to` are fetched again; those that are damaged on the server stay.
    pub fn fetch(&mut self, name: &str, ranges: &[(u64, u64)], to: &Path) -> Result<u64, Failure> {
        let url = self.address(name)?;
        let failed = |reason| Failure::File { file: to.to_owned(), reason };
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        if to.is_file() {
            let mut there = options.open(to).map_err(failed)?;
            let damaged = self.damaged(ranges, &mut there, failed)?;
            return self.fetch_again(&url, &damaged, &mut there);
        }
        let beside = to.with_extension("partial");
        let mut out = options.create(true).truncate(false).open(&beside).map_err(failed)?;
        let there = out.metadata().map_err(failed)?.len();
        let (mut whole, mut left) = (0, ranges);
        while let Some((&(_, length), rest)) = left.split_first() {
            if whole + length > there {
                break;
            }
            (whole, left) = (whole + length, rest);
        }
        let mut requests = 0;
        for (start, length) in runs(left) {
            self.fetch_whole(&url, start, length, &mut out, whole)?;
            whole += length;
            requests += 1;
        }
        let damaged = self.damaged(ranges, &mut out, failed)?;
        requests += self.fetch_again(&url, &damaged, &mut out)?;
        out.set_len(whole).and_then(|()| out.sync_all()).map_err(failed)?;
        fs::rename(&beside, to).map_err(failed)?;
        Ok(requests)
    }

    /// The ranges in a file that are no whole gzip records, each with its place in the file.
    fn damaged(
        &self,
        ranges: &[(u64, u64)],
        file: &mut File,
        failed: impl Fn(io::Error) -> Failure,
    ) -> Result<Vec<Placed>, Failure> {
        let (mut damaged, mut at) = (Vec::new(), 0);
        for range in ranges {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Failure::Stopped);
            }
            file.seek(SeekFrom::Start(at)).map_err(&failed)?;
            if !is_whole(file.take(range.1)) {
                damaged.push((at, *range));
            }
            at += range.1;
        }
        Ok(damaged)
    }

    /// Fetches ranges to their places in a file. Returns the number of requests.
    fn fetch_again(
        &mut self,
        url: &Url,
        damaged: &[Placed],
        out: &mut File,
    ) -> Result<u64, Failure> {
        for (at, (start, length)) in damaged {
            self.fetch_whole(url, *start, *length, out, *at)?;
        }
        Ok(damaged.len() as u64)
    }

    /// Fetches a range to a place in a file. Fails if the server's file ends before.
    fn fetch_whole(
        &mut self,
        url: &Url,
        start: u64,
        length: u64,
        out: &mut (impl Write + Seek),
        at: u64,
    ) -> Result<Part, Failure> {
        let part = self.fetch_range(url, start, length, out, at)?;
        if part.length < length {
            let end = start + length - 1;
            let reason = Refusal::OtherRange { found: part.range, start, end };
            return Err(Failure::Refused { url: url.to_string(), reason });
        }
        Ok(part)
    }

    /// Fetches a range to a place in a file, in several tries.
    fn fetch_range(
        &mut self,
        url: &Url,
        start: u64,
        length: u64,
        out: &mut (impl Write + Seek),
        at: u64,
    ) -> Result<Part, Failure> {
        let mut wait = self.delay.max(MIN_WAIT);
        let mut attempt = 0;
        loop {
            attempt += 1;
            let since = self.last.map_or(self.delay, |last| last.elapsed());
            self.pause(self.delay.saturating_sub(since))?;
            self.last = Some(Instant::now());
            match self.ask(url, start, length, out, at) {
                Ok(part) => return Ok(part),
                Err(Trouble::Final(failure)) => return Err(failure),
                Err(Trouble::Passing(reason, _)) if attempt == TRIES => {
                    return Err(Failure::Unreachable { url: url.to_string(), reason });
                }
                Err(Trouble::Passing(_, asked)) => {
                    self.pause(asked.unwrap_or(wait).min(MAX_WAIT))?;
                    wait *= 2;
                }
            }
        }
    }

    fn pause(&self, time: Duration) -> Result<(), Failure> {
        let end = Instant::now() + time;
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Failure::Stopped);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            std::thread::sleep(left.min(Duration::from_millis(100)));
        }
    }

    /// Copies a range of a file to a place of the output.
    fn ask(
        &mut self,
        url: &Url,
        start: u64,
        length: u64,
        out: &mut (impl Write + Seek),
        at: u64,
    ) -> Result<Part, Trouble> {
        let end = start + length - 1;
        let stop = Arc::clone(&self.stop);
        let trouble = |error| client::trouble(url, &stop, error);
        let request = self.agent.get(url.as_str()).header("Range", format!("bytes={start}-{end}"));
        let response = request.call().map_err(trouble)?;
        let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
        check_status(url, response.status().as_u16(), header, start)?;
        let range = header("content-range").unwrap_or_default().to_owned();
        let is_wanted = |&(first, last, file): &(u64, u64, &str)| {
            let is_last = || file.parse() == Ok(last + 1);
            first == start && start <= last && (last == end || last < end && is_last())
        };
        let Some((_, last, file)) = content_range(&range).filter(is_wanted) else {
            return Err(refused(url, Refusal::OtherRange { found: range, start, end }));
        };
        let tag = header("etag").or_else(|| header("last-modified")).unwrap_or_default();
        let version = Version { length: file.to_owned(), tag: tag.to_owned() };
        let length = last - start + 1;
        let passing = |error: io::Error| trouble(error.into());
        out.seek(SeekFrom::Start(at)).map_err(passing)?;
        // A read at the end of the response gives the connection back for the next request.
        let ends_here = header("content-length").is_some_and(|bytes| bytes.parse() == Ok(length));
        let body = response.into_body().into_reader();
        let copied =
            io::copy(&mut body.take(length + u64::from(ends_here)), out).map_err(passing)?;
        if copied < length {
            return Err(Trouble::Passing(Passing::EndsEarly, None));
        }
        Ok(Part { length, version, range })
    }
}

fn refused(url: &Url, reason: Refusal) -> Trouble {
    Trouble::Final(Failure::Refused { url: url.to_string(), reason })
}

/// Returns the trouble that a status stands for, if it is not that of a range.
fn check_status<'a>(
    url: &Url,
    status: u16,
    header: impl Fn(&'static str) -> Option<&'a str>,
    start: u64,
) -> Result<(), Trouble> {
    Err(match status {
        206 => return Ok(()),
        404 | 410 => Trouble::Final(Failure::Absent),
        200 => refused(url, Refusal::NoRanges),
        300..=399 => {
            let to = header("location").unwrap_or("nowhere").to_owned();
            refused(url, Refusal::Elsewhere { to, status })
        }
        408 | 429 | 500..=599 => {
            let seconds = header("retry-after").and_then(|seconds| seconds.parse().ok());
            Trouble::Passing(Passing::Status(status), seconds.map(Duration::from_secs))
        }
        416 => refused(url, Refusal::NoBytes(start)),
        _ => refused(url, Refusal::Status(status)),
    })
}

/// Returns true if the input is one gzip member with the right checksum, or is not compressed by
/// gzip, because other records have no checksum that covers all of their bytes.
fn is_whole(input: impl Read) -> bool {
    let mut input = BufReader::new(input);
    if !input.fill_buf().is_ok_and(|start| start.starts_with(&[0x1f, 0x8b])) {
        return true;
    }
    let mut member = GzDecoder::new(input);
    match io::copy(&mut member.by_ref().take(MAX_CHECKED), &mut io::sink()) {
        Ok(MAX_CHECKED) => true,
        Ok(_) => member.into_inner().fill_buf().is_ok_and(<[u8]>::is_empty),
        Err(_) => false,
    }
}

/// Joins ranges that follow each other.
fn runs(ranges: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for &(offset, length) in ranges {
        match runs.last_mut() {
            Some((start, sum)) if *start + *sum == offset && *sum + length <= MAX_RANGE => {
                *sum += length
            }
            _ => runs.push((offset, length)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn records_that_follow_each_other_are_one_request() {
        assert_eq!(
            runs(&[(0, 10), (10, 5), (20, 5), (25, MAX_RANGE)]),
            [(0, 15), (20, 5), (25, MAX_RANGE)]
        );
    }

    /// Serves ranges of `archive`; each answer is changed by `change`, which gets its number.
    fn serve(archive: Vec<u8>, change: fn(usize, &mut Vec<u8>)) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}/", listener.local_addr().expect("an address"));
        std::thread::spawn(move || {
            for (count, stream) in listener.incoming().enumerate() {
                let mut stream = stream?;
                let lines = BufReader::new(stream.try_clone()?).lines().map_while(Result::ok);
                let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
                let range = head.iter().find_map(|line| line.strip_prefix("range: bytes="));
                let (start, end) = range.and_then(|range| range.split_once('-')).expect("a range");
                let number = |text: &str| text.parse::<usize>().expect("a number");
                let (start, end) = (number(start), number(end));
                let mut part = archive[start..=end].to_vec();
                change(count, &mut part);
                let size = archive.len();
                write!(
                    stream,
                    "HTTP/1.1 206 Part\r\nContent-Range: bytes {start}-{end}/{size}\r\n\r\n"
                )?;
                stream.write_all(&part)?;
            }
            io::Result::Ok(())
        });
        address
    }

    /// Fetches two records of an archive, and returns the requests of each call and the file.
    fn fetch_two(change: fn(usize, &mut Vec<u8>), there: Option<fn(&mut Vec<u8>)>) -> (u64, bool) {
        let record = |text: &str| {
            let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            out.write_all(text.as_bytes()).expect("written");
            out.finish().expect("a member")
        };
        let records = [record("WARC/1.0 one"), record("WARC/1.0 another one")];
        let archive = records.concat();
        let lengths = records.map(|record| record.len() as u64);
        let ranges = [(0, lengths[0]), (lengths[0], lengths[1])];
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.warc.gz");
        if let Some(change) = there {
            let mut bytes = archive.clone();
            change(&mut bytes);
            fs::write(&file, bytes).expect("written");
        }
        let stop = Arc::new(AtomicBool::new(false));
        let address = serve(archive.clone(), change);
        let mut server = Server::new(&address, None, Duration::ZERO, &stop).expect("a server");
        let requests = server.fetch("a.warc.gz", &ranges, &file).expect("fetched");
        (requests, fs::read(&file).expect("a file") == archive)
    }

    /// Serves ranges of `archive`, so many of them on a connection before it is closed without
    /// notice, and `more` a little after each. Returns the address and the number of connections.
    fn serve_kept(
        archive: &[u8],
        requests: usize,
        more: &'static str,
    ) -> (String, Arc<AtomicUsize>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}/", listener.local_addr().expect("an address"));
        let connections = Arc::new(AtomicUsize::new(0));
        let (archive, count) = (archive.to_vec(), Arc::clone(&connections));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream?;
                count.fetch_add(1, Ordering::Relaxed);
                let mut input = BufReader::new(stream.try_clone()?);
                for _ in 0..requests {
                    let lines = input.by_ref().lines().map_while(Result::ok);
                    let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
                    let Some(range) = head.iter().find_map(|l| l.strip_prefix("range: bytes="))
                    else {
                        break;
                    };
                    let (start, end) = range.split_once('-').expect("two ends");
                    let number = |text: &str| text.parse::<usize>().expect("a number");
                    let part = &archive[number(start)..=number(end)];
                    write!(
                        stream,
                        "HTTP/1.1 206 Part\r\nContent-Range: bytes {range}/{}\r\n\
                         Content-Length: {}\r\n\r\n",
                        archive.len(),
                        part.len()
                    )?;
                    stream.write_all(part)?;
                    if !more.is_empty() {
                        std::thread::sleep(Duration::from_millis(20));
                        if stream.write_all(more.as_bytes()).is_err() {
                            break;
                        }
                    }
                }
            }
            io::Result::Ok(())
        });
        (address, connections)
    }

    #[test]
    fn a_connection_is_kept_and_one_that_the_server_closed_is_replaced() {
        let archive: Vec<u8> = (0..250).collect();
        let ranges = [(0, 10), (100, 20), (200, 30), (240, 5)];
        let expected: Vec<u8> =
            ranges.iter().flat_map(|&(at, n)| &archive[at..at + n]).copied().collect();
        for (requests, more, connections) in
            [(usize::MAX, "", 1), (2, "", 2), (1, "", 4), (usize::MAX, "?", 4)]
        {
            let (address, count) = serve_kept(&archive, requests, more);
            let stop = Arc::new(AtomicBool::new(false));
            let mut server = Server::new(&address, None, Duration::ZERO, &stop).expect("a server");
            let folder = tempfile::tempdir().expect("a folder");
            let file = folder.path().join("a");
            let asked = ranges.map(|(at, n)| (at as u64, n as u64));
            assert_eq!(server.fetch("a", &asked, &file).expect("fetched"), 4);
            assert_eq!(fs::read(&file).expect("a file"), expected);
            assert_eq!(count.load(Ordering::Relaxed), connections, "{requests} a connection");
        }
    }

    #[test]
    fn a_damaged_range_is_fetched_again() {
        let damage = |bytes: &mut Vec<u8>| *bytes.last_mut().expect("a byte") ^= 1;
        assert_eq!(fetch_two(|_, _| {}, None), (1, true));
        let first = |number, part: &mut Vec<u8>| part[12] ^= u8::from(number == 0);
        assert_eq!(fetch_two(first, None), (2, true), "while it is fetched");
        assert_eq!(fetch_two(|_, _| {}, Some(damage)), (1, true), "in a file of an earlier run");
        assert_eq!(fetch_two(|_, _| {}, Some(|_| {})), (0, true), "a whole file");
        let always = |_, part: &mut Vec<u8>| *part.last_mut().expect("a byte") ^= 1;
        assert_eq!(fetch_two(always, None), (2, false), "damaged on the server");
    }

    /// Serves one connection: `before` once, then `unit` every 10 ms until the client leaves.
    fn drip(before: &'static str, unit: &'static [u8]) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}/", listener.local_addr().expect("an address"));
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept()?;
            stream.write_all(before.as_bytes())?;
            loop {
                stream.write_all(unit)?;
                std::thread::sleep(Duration::from_millis(10));
            }
            #[allow(unreachable_code)]
            io::Result::Ok(())
        });
        address
    }

    /// Asks for a range of 1 MiB, and returns the sentence of the failure and the bytes written.
    fn ask(address: &str, stop: &Arc<AtomicBool>, patience: Duration) -> (Trouble, u64) {
        let mut server = Server::new(address, None, Duration::ZERO, stop).expect("a server");
        server.agent = client::agent("x", Vec::new(), stop, patience);
        let url = server.address("x").expect("an address");
        let mut out = tempfile::tempfile().expect("a file");
        let trouble = server.ask(&url, 0, 1 << 20, &mut out, 0).expect_err("no range");
        (trouble, out.metadata().expect("metadata").len())
    }

    const HEAD: &str = "HTTP/1.1 206 Part\r\nContent-Range: bytes 0-1048575/1048576\r\n\r\n";

    #[test]
    fn a_server_that_sends_single_bytes_is_left() {
        let stop = Arc::new(AtomicBool::new(false));
        for (before, unit) in [
            ("HTTP/1.1 206 P", b"x".as_slice()),
            ("HTTP/1.1 206 Part\r\n", b"a: b\r\n"),
            (HEAD, b"x"),
        ] {
            let begin = Instant::now();
            let (trouble, _) = ask(&drip(before, unit), &stop, Duration::from_millis(500));
            let Trouble::Passing(what, None) = trouble else {
                panic!("{before:?}: no passing trouble")
            };
            let what = what.to_string();
            assert!(what.starts_with("sends fewer than 16384 bytes a second"), "{what}");
            assert!(begin.elapsed() < Duration::from_secs(20), "{before:?}");
        }
    }

    #[test]
    fn a_server_that_sends_no_more_than_asked_is_read_to_the_end() {
        let stop = Arc::new(AtomicBool::new(false));
        let mut server = Server::new(&drip(HEAD, &[b'x'; 65_536]), None, Duration::ZERO, &stop)
            .expect("a server");
        server.agent = client::agent("x", Vec::new(), &stop, Duration::from_millis(500));
        let url = server.address("x").expect("an address");
        let mut out = tempfile::tempfile().expect("a file");
        assert!(server.ask(&url, 0, 1 << 20, &mut out, 0).is_ok());
        assert_eq!(
            out.metadata().expect("metadata").len(),
            1 << 20,
            "not one byte behind the range"
        );
    }

    #[test]
    fn a_silent_server_does_not_keep_a_stopped_run() {
        let stop = Arc::new(AtomicBool::new(false));
        let begin = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(300));
                stop.store(true, Ordering::Relaxed);
            });
            let (trouble, written) = ask(&drip(HEAD, b""), &stop, client::TIMEOUT);
            assert!(matches!(trouble, Trouble::Final(Failure::Stopped)));
            assert_eq!(written, 0);
        });
        assert!(begin.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn a_server_that_drips_a_handshake_is_left() {
        let stop = Arc::new(AtomicBool::new(false));
        // The head of a TLS record of 16 KiB that never ends.
        let plain = drip("\x16\x03\x03\x40\x00\x02", b"x");
        let mut server = Server::new(&plain, None, Duration::ZERO, &stop).expect("a server");
        server.agent = client::agent("x", Vec::new(), &stop, Duration::from_millis(500));
        server.root.set_scheme("https").expect("a scheme");
        let url = server.address("x").expect("an address");
        let begin = Instant::now();
        let trouble = server.ask(&url, 0, 9, &mut tempfile::tempfile().expect("a file"), 0);
        let Err(Trouble::Passing(what, None)) = trouble else { panic!("no passing trouble") };
        let what = what.to_string();
        assert!(what.starts_with("sends fewer than 16384 bytes a second"), "{what}");
        assert!(begin.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn names_do_not_lead_out_of_the_server() {
        let stop = Arc::new(AtomicBool::new(false));
        let server = |root| Server::new(root, None, Duration::ZERO, &stop);
        let address = |name: &str| server("http://127.0.0.1:9/x/").expect("a server").address(name);
        assert_eq!(
            address("a b/c?d#e").expect("an address").as_str(),
            "http://127.0.0.1:9/x/a%20b/c%3Fd%23e"
        );
        for name in ["../y", "/y", "a//b", "http://b.pk/"] {
            assert!(address(name).is_err(), "{name}");
        }
        assert!(server("ftp://a.pk/").is_err() && server("a").is_err());
    }
}
