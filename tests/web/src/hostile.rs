//! Hosts that attack the crawler, beside the web of [`crate::world`].
//!
//! Every attack has a host of its own, `NAME.hostile.test`, and limits for the crawler: requests,
//! bytes, and seconds for each request. The list of attacks is written to a file, and the log of
//! requests to another; the test compares the two. A request for a host outside `.test`, or one to
//! the canary, which listens on a port of its own, means that a page led the crawler into this
//! machine or its network.

use crate::server::{Reply, Site};
use crate::world::World;
use anyhow::{Context, Result};
use flate2::write::{DeflateEncoder, GzEncoder};
use flate2::Compression;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, Instant};

#[path = "../../../rust/content/tests/common/kinds.rs"]
mod pages;
#[path = "../../../rust/engine/tests/common/kinds.rs"]
mod texts;

/// The domain of the attacks.
pub const DOMAIN: &str = "hostile.test";
/// The content limit of the one-machine crawl; pages are as long as it allows.
pub const LIMIT: usize = 8 << 20;
/// The number that forged headers and elements claim as bytes of the language. No row and no
/// document may contain it.
pub const FORGED: &str = "99999999";
/// Bytes that a client may leave in the buffers of the connection.
const BUFFERED: u64 = 16 << 20;
/// The time limit of the one-machine crawl for a response is 60 s. A busy machine may need more.
const SECONDS: f64 = 90.0;
/// An attack that is served for longer than this has won.
const LONGEST: Duration = Duration::from_secs(180);

/// The possible states of the row of an attack's seed, by the letters of [`Attack::outcomes`].
pub const OUTCOMES: &str = "F fetched, G gone, R to be tried again, M moved";

type Answer = Box<dyn Fn(&mut Wire, &Ask) -> io::Result<()> + Send + Sync>;

/// A way to harm a crawler.
pub struct Attack {
    /// In words.
    pub name: String,
    /// Without the domain.
    host: String,
    /// Paths that the crawl begins with.
    seeds: Vec<String>,
    /// The permitted states of the seed's row: some of the letters of [`OUTCOMES`].
    pub outcomes: &'static str,
    /// Most requests, those for robots.txt and tdmrep.json included, in one process of the crawler
    /// and round.
    pub requests: u32,
    robots: Option<Answer>,
    answer: Answer,
}

/// A request of the crawler.
pub struct Ask {
    host: String,
    /// Path and query.
    path: String,
    /// Port of the canary.
    canary: u16,
}

/// A connection that counts.
pub struct Wire<'a> {
    connection: &'a TcpStream,
    written: u64,
    began: Instant,
}

impl Write for Wire<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.began.elapsed() > LONGEST {
            return Err(io::Error::new(io::ErrorKind::TimedOut, "the client still listens"));
        }
        let count = self.connection.write(bytes)?;
        self.written += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.connection.flush()
    }
}

impl Wire<'_> {
    /// Status line and headers, without the empty line behind them.
    fn begin(&mut self, status: &str, headers: &[&str]) -> io::Result<()> {
        let mut head = format!("HTTP/1.1 {status}\r\nConnection: close\r\n");
        for header in headers {
            head += header;
            head += "\r\n";
        }
        self.write_all(head.as_bytes())
    }

    fn head(&mut self, status: &str, headers: &[&str]) -> io::Result<()> {
        self.begin(status, headers)?;
        self.write_all(b"\r\n")
    }

    fn body(&mut self, kind: &str, headers: &[&str], body: &[u8]) -> io::Result<()> {
        let (kind, length) =
            (format!("Content-Type: {kind}"), format!("Content-Length: {}", body.len()));
        self.head("200 OK", &[&[kind.as_str(), length.as_str()], headers].concat())?;
        self.write_all(body)
    }

    fn html(&mut self, body: &str) -> io::Result<()> {
        self.body("text/html; charset=utf-8", &[], body.as_bytes())
    }

    /// The same bytes until the client has enough.
    fn endless(&mut self, unit: &[u8]) -> io::Result<()> {
        let many = unit.repeat((64 << 10) / unit.len().max(1) + 1);
        loop {
            self.write_all(&many)?;
        }
    }

    /// Sends nothing until the client closes the connection.
    fn silence(&self) -> io::Result<()> {
        self.connection.set_read_timeout(Some(Duration::from_millis(500)))?;
        while self.began.elapsed() < LONGEST {
            // A client that waits for a response sends nothing, so this ends with a timeout or with
            // the connection.
            if matches!(self.connection.peek(&mut [0]), Ok(0)) {
                break;
            }
        }
        Ok(())
    }

    /// A byte now and then until the client has enough.
    fn drip(&mut self, unit: &[u8], pause: Duration) -> io::Result<()> {
        loop {
            self.write_all(unit)?;
            sleep(pause);
        }
    }
}

/// An English page: its host scores nothing.
fn page(inside: &str) -> String {
    let text =
        "The river rose during the night, and the ferry could not leave before noon. ".repeat(20);
    format!("<!doctype html><html lang=en><head><title>News</title></head><body><p>{text}</p>{inside}</body></html>")
}

fn attack(
    name: &str,
    outcomes: &'static str,
    answer: impl Fn(&mut Wire, &Ask) -> io::Result<()> + Send + Sync + 'static,
) -> Attack {
    let host = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .collect();
    Attack {
        name: name.to_owned(),
        host,
        seeds: vec!["/".to_owned()],
        outcomes,
        requests: 3,
        robots: None,
        answer: Box::new(answer),
    }
}

impl Attack {
    fn seed(mut self, path: &str) -> Attack {
        self.seeds = vec![path.to_owned()];
        self
    }

    fn requests(mut self, most: u32) -> Attack {
        self.requests = most;
        self
    }

    /// Addresses of the seeds.
    pub fn urls(&self) -> Vec<String> {
        self.seeds.iter().map(|path| format!("http://{}.{DOMAIN}{path}", self.host)).collect()
    }
}

/// An attack by robots.txt.
fn robots(
    name: &str,
    outcomes: &'static str,
    answer: impl Fn(&mut Wire, &Ask) -> io::Result<()> + Send + Sync + 'static,
) -> Attack {
    Attack { robots: Some(Box::new(answer)), ..attack(name, outcomes, |w, _| w.html(&page(""))) }
}

/// An attack by the headers of a response that is a page.
fn header(name: &str, outcomes: &'static str, header: impl Into<String>) -> Attack {
    let header = header.into();
    attack(name, outcomes, move |w, _| {
        w.body("text/html; charset=utf-8", &[&header], page("").as_bytes())
    })
}

/// An attack by a response of these bytes.
fn raw(name: &str, outcomes: &'static str, bytes: impl Into<Vec<u8>>) -> Attack {
    let bytes = bytes.into();
    attack(name, outcomes, move |w, _| w.write_all(&bytes))
}

/// An attack by a sitemap or a feed.
fn list(
    name: &str,
    outcomes: &'static str,
    kind: &'static str,
    make: fn(&Ask) -> Vec<u8>,
) -> Attack {
    attack(name, outcomes, move |w, ask| w.body(kind, &[], &make(ask))).seed("/sitemap.xml")
}

/// An attack by the content of a page.
fn inside(name: &str, make: impl Fn(&Ask) -> String + Send + Sync + 'static) -> Attack {
    attack(name, "F", move |w, ask| w.html(&page(&make(ask))))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    // A vector takes every byte.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// A gigabyte of blanks in gzip, a megabyte a member.
fn gzip_bomb() -> Vec<u8> {
    gzip(&vec![b' '; 1 << 20]).repeat(1024)
}

/// 64 MiB of blanks in Brotli, as its own command compresses them.
const BROTLI_BOMB: &[u8] =
    b"\xcf\xff\xff\x7f\xf8\x25\x40\xe2\xb1\x40\x20\xf7\xfe\x9f\xff\xff\xff\x04\xb0\x0c\x46\x10\x18\x0e\
\xef\xd3\xff\xff\xff\xe1\x97\x00\x88\xc3\x22\x00\xdd\xfb\x7f\xfe\xff\xff\xc3\x2f\x01\x10\x87\x05\x00\xba\xf7\xff\x03";

/// Blanks in Zstandard (RFC 8878): each block of the frame has one byte and the number of its
/// repetitions.
fn zstd_bomb(window: u8) -> Vec<u8> {
    const BLOCK: u32 = 128 << 10;
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, window];
    for _ in 0..8192 {
        frame.extend_from_slice(&(BLOCK << 3 | 1 << 1).to_le_bytes()[..3]);
        frame.push(b' ');
    }
    frame.extend_from_slice(&[1 | 1 << 1, 0, 0, b' ']);
    frame
}

fn deflate_bomb() -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    let blanks = vec![b' '; 1 << 20];
    for _ in 0..64 {
        // A vector takes every byte.
        let _ = encoder.write_all(&blanks);
    }
    encoder.finish().unwrap_or_default()
}

/// Every attack.
pub fn attacks() -> Vec<Attack> {
    let mut all = Vec::new();
    all.extend(bodies());
    all.extend(codings());
    all.extend(answers());
    all.extend(headers());
    all.extend(drips());
    all.extend(redirects());
    all.extend(links());
    all.extend(traps());
    all.extend(robots_files());
    all.extend(lists());
    all.extend(kinds());
    all
}

fn bodies() -> Vec<Attack> {
    const UNIT: &[u8] = b"<p>The river rose during the night.\n";
    vec![
        attack("endless body", "F", |w, _| {
            w.head("200 OK", &["Content-Type: text/html"])?;
            w.endless(UNIT)
        }),
        attack("endless chunks", "F", |w, _| {
            w.head("200 OK", &["Content-Type: text/html", "Transfer-Encoding: chunked"])?;
            w.endless(&[format!("{:x}\r\n", UNIT.len()).as_bytes(), UNIT, b"\r\n"].concat())
        }),
        attack("endless body of a picture", "G", |w, _| {
            w.head("200 OK", &["Content-Type: image/png"])?;
            w.endless(b"\x89PNG\r\n")
        }),
        attack("endless body of some bytes", "FG", |w, _| {
            w.head("200 OK", &["Content-Type: application/octet-stream"])?;
            w.endless(b" ")
        }),
        attack("a length of ten exabytes", "FR", |w, _| {
            w.head("200 OK", &["Content-Type: text/html", "Content-Length: 9223372036854775807"])?;
            w.endless(UNIT)
        }),
        attack("a length that is too long", "FR", |w, _| {
            w.head("200 OK", &["Content-Type: text/html", "Content-Length: 10000000"])?;
            w.write_all(page("").as_bytes())
        }),
        attack("a length that is too short", "F", |w, _| {
            w.head("200 OK", &["Content-Type: text/html", "Content-Length: 100"])?;
            w.write_all(page("").as_bytes())
        }),
        attack("a chunk of exabytes", "FR", |w, _| {
            w.head("200 OK", &["Content-Type: text/html", "Transfer-Encoding: chunked"])?;
            w.write_all(b"7fffffffffffffff\r\n")?;
            w.endless(UNIT)
        }),
        raw(
            "a chunk of a wrong size",
            "FR",
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nx\r\n",
        ),
        attack("a chunk size without end", "FR", |w, _| {
            w.head("200 OK", &["Content-Type: text/html", "Transfer-Encoding: chunked"])?;
            w.endless(b"0")
        }),
        attack("chunk extensions without end", "FR", |w, _| {
            w.head("200 OK", &["Content-Type: text/html", "Transfer-Encoding: chunked"])?;
            w.write_all(b"5;")?;
            w.endless(b"a=b;")
        }),
        attack("trailers without end", "FR", |w, _| {
            w.head("200 OK", &["Content-Type: text/html", "Transfer-Encoding: chunked"])?;
            w.write_all(b"3\r\n<p>\r\n0\r\n")?;
            w.endless(b"a: b\r\n")
        }),
        attack("a program as a page", "F", |w, _| w.body("text/html", &[], &b"\x7fELF\x02\x01\x01\0".repeat(100_000))),
        attack("a zip file as a page", "FG", |w, _| w.body("text/html", &[], &b"PK\x03\x04\x14\0\0\0".repeat(100_000))),
        attack("a pdf file as a page", "FG", |w, _| w.body("text/html", &[], &b"%PDF-1.7\n1 0 obj\n".repeat(10_000))),
        attack("a page as a pdf file", "FG", |w, _| w.body("application/pdf", &[], page("").as_bytes())),
        attack("parts without end", "FG", |w, _| {
            w.head("200 OK", &["Content-Type: multipart/x-mixed-replace; boundary=x"])?;
            w.endless(b"--x\r\nContent-Type: text/html\r\n\r\n<p>x\r\n")
        }),
    ]
}

fn codings() -> Vec<Attack> {
    let coded = |name: &str, outcomes, coding: &str, bytes: Vec<u8>| {
        let coding = format!("Content-Encoding: {coding}");
        attack(name, outcomes, move |w, _| w.body("text/html", &[&coding], &bytes))
    };
    let page = page("").into_bytes();
    let short = gzip(&page)[..60].to_vec();
    vec![
        attack("endless gzip", "F", |w, _| {
            w.head("200 OK", &["Content-Type: text/html", "Content-Encoding: gzip"])?;
            w.endless(&gzip(&vec![b' '; 1 << 20]))
        }),
        coded("a gzip bomb", "F", "gzip", gzip_bomb()),
        coded("a gzip bomb in gzip", "F", "gzip, gzip", gzip(&gzip_bomb())),
        coded("a deflate bomb", "F", "deflate", deflate_bomb()),
        coded("a brotli bomb", "F", "br", BROTLI_BOMB.to_vec()),
        coded("a brotli bomb in gzip", "F", "br, gzip", gzip(BROTLI_BOMB)),
        coded("a zstandard bomb", "F", "zstd", zstd_bomb(0x58)),
        coded("a zstandard window of a terabyte", "R", "zstd", zstd_bomb(0xf0)),
        coded("a hundred codings", "R", &vec!["gzip"; 100].join(","), gzip(&page)),
        coded("an unknown coding", "FR", "cunning", page.clone()),
        coded("a coding of much text", "FR", &"x".repeat(100_000), page.clone()),
        coded("a page that is not in gzip", "F", "gzip", page.clone()),
        coded("a gzip body cut short", "FR", "gzip", short),
        coded(
            "gzip with wrong bytes",
            "FR",
            "gzip",
            [&gzip(&page)[..20], b"wrong".repeat(1000).as_slice()].concat(),
        ),
        coded("wrong bytes as deflate", "FR", "deflate", b"\x78\x9c\xff\xff\xff\xff".repeat(1000)),
        coded("wrong bytes as brotli", "FR", "br", b"\xff\xfe\xfd".repeat(1000)),
        coded("wrong bytes as zstandard", "FR", "zstd", b"\x28\xb5\x2f\xfd\xff\xff".repeat(1000)),
    ]
}

/// Answers that are no HTTP, or bad HTTP.
fn answers() -> Vec<Attack> {
    let ok = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
    vec![
        raw("no answer at all", "R", ""),
        raw("no http", "R", "220 mail.example ESMTP\r\n".repeat(1000)),
        raw("http 0.9", "R", "<html><p>x"),
        raw("status 999", "GR", "HTTP/1.1 999 No\r\n\r\n"),
        raw("a negative status", "R", "HTTP/1.1 -20 No\r\n\r\n"),
        raw("a version from the future", "FR", format!("HTTP/9.9 200 OK\r\n\r\n{}", page(""))),
        attack("a status line without end", "R", |w, _| w.endless(b"HTTP/1.1 200 ")),
        attack("line feeds without end", "R", |w, _| w.endless(b"\r\n")),
        attack("answers to come without end", "R", |w, _| w.endless(b"HTTP/1.1 100 Continue\r\n\r\n")),
        attack("early hints without end", "R", |w, _| w.endless(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")),
        raw("a negative length", "FR", format!("{ok}Content-Length: -1\r\n\r\n{}", page(""))),
        raw("a length in words", "FR", format!("{ok}Content-Length: many\r\n\r\n{}", page(""))),
        raw("a length beyond 64 bits", "FR", format!("{ok}Content-Length: {}\r\n\r\n{}", "9".repeat(40), page(""))),
        raw("two lengths", "FR", format!("{ok}Content-Length: 5\r\nContent-Length: 500\r\n\r\n{}", page(""))),
        raw(
            "a length and chunks",
            "FR",
            format!("{ok}Content-Length: 500\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\n0\r\n\r\n{}", page("")),
        ),
        raw(
            "a second answer in the first",
            "F",
            format!(
                "{ok}Content-Length: 3\r\n\r\n<p>HTTP/1.1 200 OK\r\nContent-Length: 6\r\nX: {FORGED}\r\n\r\n<p>x<p>"
            ),
        ),
        raw(
            "a tunnel that nobody asked for",
            "R",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n\x01",
        ),
        raw("a password that is asked for", "GR", "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"x\"\r\n\r\n"),
        raw("a login that is asked for", "G", "HTTP/1.1 401 No\r\nWWW-Authenticate: Negotiate\r\n\r\n"),
        raw("a part that is the page", "FR", format!("HTTP/1.1 206 P\r\nContent-Range: bytes 0-9/10\r\n\r\n{}", page(""))),
        raw("not modified, though it is new", "FR", "HTTP/1.1 304 Not Modified\r\n\r\n"),
        raw("wait for a century", "R", "HTTP/1.1 503 Later\r\nRetry-After: 3155760000\r\nContent-Length: 0\r\n\r\n"),
        raw("another wait", "R", "HTTP/1.1 408 Again\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n")
            .requests(3),
    ]
}

fn headers() -> Vec<Attack> {
    let forged = [
        "crp.l",
        "crp.d",
        "crp.v",
        "_fst_",
        "fetch.status",
        "nutch.segment.name",
        "_crpfnd_",
        "nutch.crawl.score",
    ]
    .map(|name| format!("{name}: urd:{FORGED}\r\n"))
    .concat();
    let cookies = (0..500).fold(String::new(), |mut all, n| {
        let _ = write!(all, "Set-Cookie: {n}=stolen; Domain=.test; Path=/; Max-Age=999999999\r\n");
        all
    });
    vec![
        attack("headers without end", "R", |w, _| {
            w.begin("200 OK", &[])?;
            w.endless(b"X-A: b\r\n")
        }),
        attack("a header without end", "R", |w, _| {
            w.begin("200 OK", &[])?;
            w.write_all(b"X-A: ")?;
            w.endless(b"b")
        }),
        header("many headers", "FR", "X-A: b\r\n".repeat(20_000) + "X-B: c"),
        header("a long header", "FR", format!("X-A: {}", "b".repeat(200_000))),
        header("headers that are the crawler's own", "F", forged.trim_end()),
        header("many cookies", "F", cookies.trim_end()),
        header(
            "wrong cookies",
            "F",
            "Set-Cookie: \0=\r\nSet-Cookie: ;;;=\r\nSet-Cookie2: x\r\nSet-Cookie: a=b; Expires=x",
        ),
        header("nul bytes in a header", "FR", "X-A: a\0b\r\nX\0: b"),
        header("a header without a name", "FR", ": x"),
        header("a header without a colon", "FR", "nothing"),
        header("a header of two lines", "FR", "X-A: a\r\n  b"),
        header("headers in no encoding", "FR", "X-\u{dc}: \u{202e}\u{1f600}\u{fffe}"),
        header(
            "an old page from the future",
            "F",
            "Last-Modified: Fri, 31 Dec 999999999 23:59:59 GMT\r\nAge: -1\r\nExpires: 0",
        ),
        header("a long etag", "F", format!("ETag: \"{}\"", "e".repeat(100_000))),
        header(
            "https for ever",
            "F",
            format!("Strict-Transport-Security: max-age={}; includeSubDomains", "9".repeat(400)),
        ),
        header(
            "another type behind the type",
            "FG",
            format!("Content-Type: {}/{}", "a".repeat(3000), "b".repeat(3000)),
        ),
        header(
            "links in a header",
            "M",
            "Link: <http://127.0.0.1/>; rel=canonical, </x>; rel=preload\r\nRefresh: 0; url=//127.0.0.1/",
        ),
        header("robots in a header", "F", format!("X-Robots-Tag: {}", "a:b,".repeat(1000))),
        attack("a type of much text", "FGR", |w, _| {
            w.body(&format!("text/html; charset={}", "x".repeat(200_000)), &[], page("").as_bytes())
        }),
        attack("a charset that is none", "F", |w, _| {
            w.body("text/html; charset=\u{1}\"';/../", &[], page("").as_bytes())
        }),
        attack("a charset that lies", "F", |w, _| w.body("text/html; charset=utf-16", &[], page("").as_bytes())),
        attack("a charset that hides markup", "F", |w, _| {
            w.body("text/html; charset=utf-7", &[], page("+ADw-a href=+ACI-x+ACI-+AD4-").as_bytes())
        }),
        attack("seven charsets", "F", |w, _| {
            let metas = ["utf-8", "utf-16le", "iso-2022-jp", "gb18030", "x-user-defined", "replacement", "ebcdic"];
            let metas: String = metas.iter().map(|c| format!("<meta charset={c}>")).collect();
            w.body("text/html; charset=shift_jis", &[], (metas + &page("")).as_bytes())
        }),
    ]
}

/// Servers that take their time.
fn drips() -> Vec<Attack> {
    const SECOND: Duration = Duration::from_secs(1);
    vec![
        attack("a byte of the page a second", "FR", |w, _| {
            w.head("200 OK", &["Content-Type: text/html"])?;
            w.drip(b"x", SECOND)
        }),
        attack("a byte of the header a second", "R", |w, _| w.drip(b"H", SECOND)),
        attack("a header a second", "R", |w, _| {
            w.begin("200 OK", &[])?;
            w.drip(b"A: b\r\n", SECOND)
        }),
        attack("a byte before each timeout", "FR", |w, _| {
            w.head("200 OK", &["Content-Type: text/html", "Transfer-Encoding: chunked"])?;
            w.drip(b"1\r\nx\r\n", 9 * SECOND)
        }),
        attack("a drip behind megabytes", "FR", |w, _| {
            w.head("200 OK", &["Content-Type: text/html"])?;
            w.write_all(&vec![b'x'; LIMIT - 100])?;
            w.drip(b"x", SECOND)
        }),
        attack("a drip in gzip", "FR", |w, _| {
            w.head("200 OK", &["Content-Type: text/html", "Content-Encoding: gzip"])?;
            w.drip(&gzip(b" "), SECOND)
        }),
        attack("silence", "R", |w, _| w.silence()),
        attack("silence behind the headers", "FR", |w, _| {
            w.head("200 OK", &["Content-Type: text/html", "Content-Length: 5000"])?;
            w.silence()
        }),
    ]
}

/// Addresses of this machine and its network, in the ways in which they can be written.
fn inner(canary: u16) -> Vec<String> {
    let hosts = [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "0",
        "0.0.0.0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "localhost",
        "LOCALHOST.",
        "a.localhost",
        "127.0.0.1.",
        "\u{ff11}\u{ff12}\u{ff17}.0.0.1",
        "127\u{3002}0\u{3002}0\u{3002}1",
        "\u{2460}\u{2461}\u{2466}.\u{24ea}.\u{24ea}.\u{2460}",
        "ⓛocalhost",
        "user:password@127.0.0.1",
        "127.0.0.1%2f",
        "news.test@127.0.0.1",
    ];
    let mut urls: Vec<String> =
        hosts.iter().map(|host| format!("http://{host}:{canary}/inner")).collect();
    for other in [
        "http://169.254.169.254/latest/meta-data/",
        "http://10.0.0.1/",
        "http://192.168.1.1/",
        "http://172.16.0.1/",
        "http://100.64.0.1/",
        "http://198.18.0.1/",
        "http://240.0.0.1/",
        "http://[fd00::1]/",
        "http://[fe80::1%25eth0]/",
        "file:///etc/passwd",
        "file://localhost/etc/passwd",
        "ftp://127.0.0.1/",
        "gopher://127.0.0.1:25/_x",
        "jar:http://127.0.0.1/x!/",
        "data:text/html,x",
        "javascript:alert(1)",
        "https://127.0.0.1:1/",
        "//127.0.0.1:1/",
        "http:\\\\127.0.0.1:1\\",
        "\thttp://127.0.0.1:1/",
        "view-source:http://127.0.0.1:1/",
        "netdoc:///etc/passwd",
    ] {
        urls.push(other.to_owned());
    }
    urls
}

fn redirects() -> Vec<Attack> {
    let to = |w: &mut Wire, location: &str| {
        w.head("302 Found", &[&format!("Location: {location}"), "Content-Length: 0"])
    };
    let mut all = vec![
        attack("a redirect to itself", "GMR", move |w, ask| to(w, &ask.path)),
        attack("a redirect to and fro", "MR", move |w, ask| {
            to(w, if ask.path == "/" { "/b" } else { "/" })
        }),
        attack("redirects without end", "MR", move |w, ask| {
            to(w, &format!("/{}", ask.path[1..].parse::<u64>().unwrap_or(0) + 1))
        })
        // After each of nine starts robots.txt and tdmrep.json with five redirects, in each of eight
        // rounds four pages: 95.
        .requests(6),
        attack("redirects to other hosts without end", "MR", move |w, ask| {
            let number =
                ask.host.split('.').next().and_then(|n| n.parse::<u64>().ok()).unwrap_or(0) + 1;
            to(w, &format!("http://{number}.redirects-to-other-hosts-without-end.{DOMAIN}/"))
        })
        .requests(40),
        attack("a redirect without end", "GR", |w, _| {
            w.begin("302 Found", &[])?;
            w.write_all(b"Location: http://news.test/")?;
            w.endless(b"a")
        }),
        attack("a redirect of much text", "GMR", move |w, _| {
            to(w, &format!("/{}", "a".repeat(200_000)))
        }),
        attack("a redirect with a nul byte", "GMR", move |w, _| to(w, "/\0/\u{1}")),
        attack("a redirect to nowhere", "GMR", move |w, _| to(w, "http://")),
        attack("a redirect with a new header", "GMR", move |w, _| {
            to(w, &format!("/x%0d%0aSet-Cookie:%20{FORGED}"))
        }),
        attack("two redirects in one", "GMR", |w, _| {
            w.head("302 Found", &["Location: /a", "Location: http://127.0.0.1/"])
        }),
        attack("a redirect with a body without end", "MR", |w, _| {
            w.head("302 Found", &["Location: /a"])?;
            w.endless(b"x")
        }),
        attack("a redirect by the page", "FM", |w, ask| {
            w.html(&page(&format!(
                "<meta http-equiv=refresh content='0; url=http://127.0.0.1:{}/inner'>",
                ask.canary
            )))
        }),
    ];
    // Each URL parser may read these in its own way, so any outcome is correct, except a request.
    for (number, url) in inner(0).iter().enumerate() {
        let shown = url.replace(":0/inner", "").escape_default().to_string();
        let mut one = attack(&format!("a redirect to {shown}"), "GMRF", move |w, ask| {
            if ask.path == "/" {
                to(w, &inner(ask.canary)[number])
            } else {
                w.html(&page(""))
            }
        });
        one.host = format!("inner-{number}");
        all.push(one.requests(4));
    }
    all
}

/// Pages whose links are the attack.
fn links() -> Vec<Attack> {
    let anchors = |urls: Vec<String>| {
        urls.iter().map(|url| format!("<a href='{url}'>x</a>\n")).collect::<String>()
    };
    let many = |unit: fn(usize) -> String, count: usize| (0..count).map(unit).collect::<String>();
    vec![
        inside("links into this machine", move |ask| anchors(inner(ask.canary))).requests(40),
        inside("frames of this machine", |ask| {
            let each = |url: &String| format!("<iframe src='{url}'></iframe><img src='{url}'><link rel=alternate hreflang=ur href='{url}'>");
            inner(ask.canary).iter().map(each).collect()
        })
        .requests(40),
        inside("a base of this machine", |ask| format!("<base href='http://127.0.0.1:{}/'><a href=inner>x</a>", ask.canary)),
        inside("a canonical address of this machine", |ask| {
            format!("<link rel=canonical href='http://127.0.0.1:{0}/inner'><meta property=og:url content='http://127.0.0.1:{0}/'>", ask.canary)
        }),
        inside("a link of a megabyte", |_| format!("<a href='/{}'>x</a>", "a".repeat(1 << 20))),
        inside("a base of a megabyte", |_| format!("<base href='http://{}/'><a href=x>x</a>", "a".repeat(1 << 20))),
        inside("a host of a megabyte", |_| format!("<a href='http://{}test/'>x</a>", "a.".repeat(1 << 19))),
        inside("an anchor of a megabyte", |_| format!("<a href=/x>{}</a>", "word ".repeat(200_000))).requests(3),
        inside("a hundred thousand links", move |_| many(|n| format!("<a href=/{n}>x</a>"), 100_000)).requests(40),
        inside("a hundred thousand alternates", move |_| {
            many(|n| format!("<link rel=alternate hreflang=ur href=/{n}>"), 100_000)
        })
        .requests(40),
        inside("a hundred thousand feeds", move |_| {
            many(|n| format!("<link rel=alternate type=application/rss+xml href=/{n}.rss>"), 100_000)
        })
        .requests(40),
        inside("links with nul bytes", |_| "<a href='/a\0b'>x</a><a href='/%00'>x</a><a href='http://a\0.test/'>x</a>".repeat(50))
            .requests(10),
        inside("links with control characters", |_| {
            "<a href='/a\r\nX: y'>x</a><a href='/%0d%0aX:%20y'>x</a><a href='\u{1}/\u{7f}\u{85}'>x</a><a href='ht\ntp://a.test'>x</a>".repeat(50)
        })
        .requests(10),
        inside("links with wrong hosts", |_| {
            ["http:///x", "http://", "http:x", "http://:80/", "http://a.test:99999/", "http://a.test:-1/", "http://a..test/",
             "http://-.test/", "http://[::/", "http://[v1.x]/", "http://%00.test/", "http://%2e%2e/", "http://xn--.test/",
             "http://xn--a-ecp.test/", "http://xn--zn7c.com.test/", "http://\u{202e}tset.test/", "http://a\u{ad}.test/",
             "http://\u{fdfa}.test/", "http://\u{2100}.test/", "http://a.test\u{ff0f}b/", "http://a.test#@b.test/",
             "http://a.test\\@b.test/", "http://1.2.3.4.5/", "http://256.256.256.256/", "http://0x.0x/", "http://999999999999/"]
                .iter().map(|url| format!("<a href='{url}'>x</a>")).collect()
        })
        .requests(10),
        inside("the crawler's figures in the page", |_| {
            ["crp.l", "crp.d", "crp.v", "CRP.L", "_crpfnd_", "_fst_"].iter()
                .map(|name| format!("<meta name='{name}' content='urd:{FORGED}'><meta http-equiv='{name}' content='urd:{FORGED}'>")).collect()
        }),
        inside("a formula as a title", |_| "<title>=HYPERLINK(\"http://a.test\";\"x\")\t\r\n\u{1b}]0;x\u{7}</title>".to_owned()),
    ]
}

/// Pages without end.
fn traps() -> Vec<Attack> {
    let ever = |name: &str, next: fn(&Ask, u64) -> Vec<String>| {
        attack(name, "F", move |w, ask| {
            let number: u64 = ask
                .path
                .chars()
                .filter(char::is_ascii_digit)
                .collect::<String>()
                .parse()
                .unwrap_or(0);
            let links: String =
                next(ask, number).iter().map(|url| format!("<a href='{url}'>x</a>\n")).collect();
            w.html(&page(&links))
        })
        .requests(40)
    };
    vec![
        ever("a calendar", |_, n| (1..50).map(|day| format!("/day/{}", n + day)).collect()),
        ever("ever deeper folders", |ask, _| {
            (0..20).map(|n| format!("{}{n}/", ask.path)).collect()
        }),
        ever("sessions", |_, n| {
            (1..50)
                .map(|k| format!("/?PHPSESSID={:032x}", n.wrapping_mul(31) % 1_000_003 * 64 + k))
                .collect()
        }),
        ever("ever more parameters", |ask, _| {
            let join = if ask.path.contains('?') { '&' } else { '?' };
            (0..20).map(|n| format!("{}{join}p{n}=1", ask.path)).collect()
        }),
        ever("the same folder again", |ask, _| {
            vec![format!("{}a/b/", ask.path), format!("{}../a/./b/", ask.path)]
        }),
        ever("hosts without end", |ask, _| {
            let seed = ask.host.len() as u64 + u64::from(ask.host.as_bytes()[0]);
            (0..150)
                .map(|n| format!("http://h{}.hosts-without-end.{DOMAIN}/", seed * 1000 + n))
                .collect()
        })
        // As many as a round fetches: each of these hosts is unknown.
        .requests(1200),
        ever("ports without end", |_, n| {
            (1..100)
                .map(|k| format!("http://ports-without-end.{DOMAIN}:{}/", 1024 + (n + k) % 60_000))
                .collect()
        })
        .requests(80),
    ]
}

fn robots_files() -> Vec<Attack> {
    let text = |name: &str, outcomes, make: fn(&Ask) -> String| {
        robots(name, outcomes, move |w, ask| w.body("text/plain", &[], make(ask).as_bytes()))
    };
    let to = |w: &mut Wire, location: &str| {
        w.head("301 Moved", &[&format!("Location: {location}"), "Content-Length: 0"])
    };
    vec![
        robots("robots.txt without end", "FG", |w, _| {
            w.head("200 OK", &["Content-Type: text/plain"])?;
            w.endless(b"User-agent: *\nDisallow: /x\n")
        }),
        robots("a line of robots.txt without end", "FG", |w, _| {
            w.head("200 OK", &["Content-Type: text/plain"])?;
            w.write_all(b"User-agent: ")?;
            w.endless(b"x")
        }),
        robots("robots.txt as a gzip bomb", "FG", |w, _| {
            w.body("text/plain", &["Content-Encoding: gzip"], &gzip_bomb())
        }),
        robots("robots.txt with wrong bytes", "FG", |w, _| {
            w.body("text/plain", &[], &b"\0\xff\xfe\x80\r".repeat(100_000))
        }),
        robots("robots.txt as a page", "FG", |w, _| {
            w.html(&page("<a href=/>Disallow: /</a>").repeat(100))
        }),
        robots("robots.txt with a wrong length", "FGR", |w, _| {
            w.head("200 OK", &["Content-Type: text/plain", "Content-Length: 500000"])?;
            w.write_all(b"User-agent: *\nAllow: /\n")
        }),
        robots("robots.txt that never comes", "R", |w, _| w.silence()),
        robots("robots.txt by the byte", "FGR", |w, _| {
            w.head("200 OK", &["Content-Type: text/plain"])?;
            w.drip(b"#", Duration::from_secs(1))
        }),
        robots("robots.txt that fails", "R", |w, _| w.head("500 No", &["Content-Length: 0"])),
        robots("robots.txt that moves to itself", "F", move |w, _| to(w, "/robots.txt"))
            .requests(12),
        robots("robots.txt that moves for ever", "F", move |w, ask| {
            to(w, &format!("{}x", ask.path.replace("robots.txt", "robots.txt?")))
        })
        .requests(12),
        robots("robots.txt of this machine", "FGR", move |w, ask| {
            to(w, &format!("http://127.0.0.1:{}/robots.txt", ask.canary))
        }),
        robots("robots.txt as a file", "FGR", move |w, _| to(w, "file:///etc/passwd")),
        text("robots.txt with a delay of a century", "FGR", |_| {
            "User-agent: *\nCrawl-delay: 3155760000\n".to_owned()
        }),
        text("robots.txt with a delay that is no number", "FGR", |_| {
            "User-agent: *\nCrawl-delay: 1e999\nCrawl-delay: NaN\nCrawl-delay: -5\n".to_owned()
        }),
        text("robots.txt with slow patterns", "FG", |_| {
            format!("User-agent: *\n{}", format!("Disallow: /{}b$\n", "*a".repeat(40)).repeat(1000))
        })
        .seed(&format!("/{}", "a".repeat(900))),
        text("robots.txt with many rules", "FG", |_| {
            (0..30_000)
                .fold("User-agent: *\n".to_owned(), |all, n| all + &format!("Disallow: /{n}\n"))
        }),
        text("robots.txt with many agents", "FG", |_| {
            (0..25_000).fold(String::new(), |all, n| all + &format!("User-agent: a{n}\n"))
                + "Disallow: /"
        }),
        text("robots.txt with many sitemaps", "FG", |ask| {
            (0..5000).fold(String::new(), |all, n| {
                all + &format!(
                    "Sitemap: http://127.0.0.1:{}/{n}.xml\nSitemap: /{n}.xml\n",
                    ask.canary
                )
            })
        })
        .requests(40),
        text("robots.txt with wrong addresses", "FG", |_| {
            "Sitemap: file:///etc/passwd\nSitemap: http://\nSitemap: \0\nUser-agent: *\nDisallow: %zz%\nAllow: \u{202e}"
                .repeat(100)
        }),
    ]
}

/// Sitemaps and feeds.
fn lists() -> Vec<Attack> {
    const XML: &str = "application/xml";
    const SET: &str = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>";
    vec![
        list("a sitemap of a billion laughs", "F", XML, |ask| {
            let mut dtd = "<?xml version='1.0'?><!DOCTYPE urlset [<!ENTITY a0 'ha'>".to_owned();
            for level in 1..12 {
                let _ = write!(dtd, "<!ENTITY a{level} '{}'>", format!("&a{};", level - 1).repeat(10));
            }
            format!("{dtd}]>{SET}<url><loc>http://{}/&a11;</loc></url></urlset>", ask.host).into_bytes()
        }),
        list("a sitemap of one long entity", "F", XML, |ask| {
            let (long, many) = ("x".repeat(1 << 20), "&a;".repeat(1 << 20));
            format!("<?xml version='1.0'?><!DOCTYPE urlset [<!ENTITY a '{long}'>]>{SET}<url><loc>http://{}/{many}</loc></url></urlset>", ask.host).into_bytes()
        }),
        list("a sitemap with a file in it", "F", XML, |ask| {
            format!("<?xml version='1.0'?><!DOCTYPE urlset [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>{SET}<url><loc>http://{}/&a;</loc></url></urlset>", ask.host).into_bytes()
        }),
        list("a sitemap with a host of this machine in it", "F", XML, |ask| {
            format!("<?xml version='1.0'?><!DOCTYPE urlset SYSTEM 'http://127.0.0.1:{0}/x.dtd' [<!ENTITY % a SYSTEM 'http://127.0.0.1:{0}/y.dtd'>%a;<!ENTITY b SYSTEM 'http://127.0.0.1:{0}/z'>]>{SET}<url><loc>http://{1}/&b;</loc></url></urlset>", ask.canary, ask.host).into_bytes()
        }),
        list("a sitemap that includes", "F", XML, |ask| {
            format!("<urlset xmlns:xi='http://www.w3.org/2001/XInclude' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:schemaLocation='x http://127.0.0.1:{0}/s.xsd'><xi:include href='http://127.0.0.1:{0}/x' parse='text'/><xi:include href='file:///etc/passwd' parse='text'/></urlset>", ask.canary).into_bytes()
        }),
        attack("a sitemap without end", "F", |w, ask| {
            w.head("200 OK", &["Content-Type: application/xml"])?;
            w.write_all(SET.as_bytes())?;
            w.endless(format!("<url><loc>http://{}/x</loc></url>", ask.host).as_bytes())
        })
        .seed("/sitemap.xml")
        .requests(10),
        list("a sitemap as a gzip bomb", "F", "application/gzip", |_| gzip_bomb()).seed("/sitemap.xml.gz"),
        list("a sitemap of deep elements", "F", XML, |_| "<a>".repeat(LIMIT / 3).into_bytes()),
        list("a sitemap of one tag", "F", XML, |_| {
            (0..600_000).fold("<urlset ".to_owned(), |all, n| all + &format!("a{n}='b' ")).into_bytes()
        }),
        list("a sitemap of one comment", "F", XML, |_| format!("{SET}<!--{}", "x".repeat(LIMIT - 100)).into_bytes()),
        list("a sitemap of one text", "F", XML, |_| format!("{SET}<url><loc>{}", "x".repeat(LIMIT - 100)).into_bytes()),
        list("a sitemap of namespaces", "F", XML, |_| {
            (0..100_000).fold("<urlset ".to_owned(), |all, n| all + &format!("xmlns:a{n}='http://x/{n}' ")).into_bytes()
        }),
        list("a sitemap of empty tags", "F", XML, |_| format!("{SET}{}", "<url/>".repeat(LIMIT / 6)).into_bytes()),
        list("a sitemap of many pages", "F", XML, |ask| {
            let urls = (0..100_000).fold(String::new(), |all, n| all + &format!("<url><loc>http://{}/{n}</loc></url>", ask.host));
            format!("{SET}{urls}</urlset>").into_bytes()
        })
        .requests(40),
        list("a sitemap of this machine", "F", XML, |ask| {
            let urls: String = inner(ask.canary).iter().map(|url| format!("<url><loc>{url}</loc></url>")).collect();
            format!("{SET}{urls}</urlset>").into_bytes()
        }),
        list("an index of itself", "F", XML, |ask| {
            let maps = (0..1000).fold(String::new(), |all, n| all + &format!("<sitemap><loc>http://{}/sitemap.xml?{n}</loc></sitemap>", ask.host));
            format!("<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{maps}</sitemapindex>").into_bytes()
        })
        .requests(40),
        list("a sitemap in another encoding", "F", XML, |_| {
            let text = format!("<?xml version='1.0' encoding='utf-16'?><!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>{SET}<url><loc>http://x/&a;</loc></url></urlset>");
            text.encode_utf16().flat_map(u16::to_le_bytes).collect()
        }),
        list("a sitemap of wrong bytes", "F", XML, |_| b"<?xml version='9.9' encoding='\xff'?><\0>&#0;&#xffffffff;".repeat(10_000)),
        list("a feed with a file in it", "F", "application/rss+xml", |ask| {
            format!("<!DOCTYPE rss [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><rss version='2.0'><channel><item><link>http://{}/&a;</link></item></channel></rss>", ask.host).into_bytes()
        })
        .seed("/feed.rss"),
        list("a feed of this machine", "F", "application/atom+xml", |ask| {
            let links: String = inner(ask.canary).iter().map(|url| format!("<entry><link href='{}'/></entry>", url.replace('&', "&amp;"))).collect();
            format!("<feed xmlns='http://www.w3.org/2005/Atom'>{links}</feed>").into_bytes()
        })
        .seed("/feed.atom"),
    ]
}

/// A page of every hostile kind of the engine's tests, as long as the content limit allows.
fn kinds() -> Vec<Attack> {
    let page = |number: usize, name: &str, make: Box<dyn Fn() -> String + Send + Sync>| {
        let mut one = attack(name, "F", move |w, _| w.html(&make()));
        one.host = format!("kind-{number}");
        // Links of a page lead to its own host.
        one.requests(40)
    };
    let pages = pages::KINDS.iter().map(|(name, make)| {
        let make: Box<dyn Fn() -> String + Send + Sync> =
            Box::new(move || pages::page(make, LIMIT - 256));
        (format!("page: {name}"), make)
    });
    let texts = texts::KINDS.iter().map(|(name, write)| {
        let make: Box<dyn Fn() -> String + Send + Sync> =
            Box::new(move || texts::page(*write, LIMIT - 4096));
        (format!("text: {name}"), make)
    });
    pages.chain(texts).enumerate().map(|(number, (name, make))| page(number, &name, make)).collect()
}

/// The web with the hosts that attack.
pub struct Hostile {
    world: World,
    attacks: HashMap<String, Attack>,
    canary: u16,
    log: Arc<Mutex<File>>,
}

impl Hostile {
    /// Makes `attacks.tsv` (attack, address, outcomes, requests, bytes and seconds of each) and
    /// `attacked.tsv`, and listens as the canary. `attacked.tsv` has a line a request when it has
    /// ended: milliseconds since 1970 at its start, attack, address, bytes, seconds, and what the
    /// crawler said that it should not, or `-`. `outside` is the attack if it was a request into
    /// this machine.
    ///
    /// # Errors
    /// A file cannot be written, or there is no port.
    pub fn new(world: World, folder: &Path) -> Result<Hostile> {
        let mut list = String::new();
        let attacks = attacks();
        for attack in &attacks {
            for url in attack.urls() {
                let Attack { name, outcomes, requests, .. } = attack;
                let most = LIMIT as u64 + BUFFERED;
                list += &format!("{name}\t{url}\t{outcomes}\t{requests}\t{most}\t{SECONDS}\n");
            }
        }
        let path = folder.join("attacks.tsv");
        std::fs::write(&path, list).with_context(|| format!("cannot write {}", path.display()))?;
        let path = folder.join("attacked.tsv");
        let file =
            File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        let log = Arc::new(Mutex::new(file));
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("the canary has no port")?;
        let canary = listener.local_addr().context("the canary has no address")?.port();
        let witness = Arc::clone(&log);
        std::thread::spawn(move || {
            for connection in listener.incoming() {
                let from = connection.map_or_else(|e| e.to_string(), |_| "a connection".to_owned());
                note(&witness, &format!("0\toutside\tcanary\t0\t0\t{from}\n"));
            }
        });
        let attacks = attacks
            .into_iter()
            .map(|attack| (format!("{}.{DOMAIN}", attack.host), attack))
            .collect();
        Ok(Hostile { world, attacks, canary, log })
    }

    /// The seeds of the web, then those of the attacks.
    pub fn seeds(&self) -> Vec<String> {
        let mut hostile: Vec<String> = self.attacks.values().flat_map(Attack::urls).collect();
        hostile.sort();
        [self.world.seeds(), hostile].concat()
    }

    /// The attack of a host, or of the host above it.
    fn of(&self, host: &str) -> Option<&Attack> {
        let above = |host: &str| host.split_once('.').map(|(_, rest)| rest.to_owned());
        let mut name = Some(host.to_owned());
        while let Some(host) = name {
            if let Some(attack) = self.attacks.get(&host) {
                return Some(attack);
            }
            name = above(&host);
        }
        None
    }
}

fn note(log: &Mutex<File>, line: &str) {
    if let Err(error) = log.lock().unwrap_or_else(|e| e.into_inner()).write_all(line.as_bytes()) {
        eprintln!("corpulyzer-web: cannot write the log: {error}");
    }
}

/// Returns the parts of a request that a crawler has no reason to send: a cookie, a password, or a
/// header or an address that a page made.
fn said(head: &[u8]) -> String {
    let head = String::from_utf8_lossy(head);
    let bad = |line: &&str| {
        let line = line.to_ascii_lowercase();
        ["cookie", "authorization", "proxy-authorization", "referer", "x:"]
            .iter()
            .any(|name| line.starts_with(name))
    };
    let found: Vec<&str> = head.lines().skip(1).filter(bad).collect();
    if found.is_empty() {
        "-".to_owned()
    } else {
        found.join(" ").replace('\t', " ")
    }
}

impl Site for Hostile {
    fn reply(&self, url: &str) -> Reply {
        self.world.reply(url)
    }

    fn serve(&self, url: &str, head: &[u8], connection: &TcpStream) -> Option<io::Result<()>> {
        let (_, rest) = url.split_once("://").unwrap_or(("", url.trim_start_matches('/')));
        let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        let host =
            authority.rsplit_once(':').map_or(authority, |(host, _)| host).to_ascii_lowercase();
        let attack = self.of(&host);
        let inside = host.ends_with(".test") || host.ends_with(".test.");
        if attack.is_none() && inside {
            return None;
        }
        let began = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default()
            .as_millis();
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        let ask = Ask { host, path, canary: self.canary };
        let mut wire = Wire { connection, written: 0, began: Instant::now() };
        let name =
            if inside { attack.map_or("-", |attack| attack.name.as_str()) } else { "outside" };
        let is_robots = ask.path.split('?').next() == Some("/robots.txt");
        // A client that does not read is waited for as long as one that does.
        let result = connection.set_write_timeout(Some(LONGEST)).and_then(|()| match attack {
            Some(Attack { robots: Some(robots), .. }) if is_robots => robots(&mut wire, &ask),
            Some(attack) if !is_robots => (attack.answer)(&mut wire, &ask),
            _ => wire.head("404 Not Found", &["Content-Length: 0"]),
        });
        let (bytes, seconds) = (wire.written, wire.began.elapsed().as_secs_f64());
        let url = url.escape_default();
        note(
            &self.log,
            &format!("{began}\t{name}\t{url}\t{bytes}\t{seconds:.1}\t{}\n", said(head)),
        );
        Some(result)
    }
}
