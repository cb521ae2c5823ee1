//! An HTTP proxy on loopback.
//!
//! A client that uses it may request any host name: the request target is then the absolute URL
//! (RFC 9112, 3.2.2). A target that is a path is read together with the Host header.
//!
//! Every connection has a thread of its own: a crawler keeps many connections open, and in a pool
//! of threads its idle connections would block the others until they time out.

use anyhow::{Context, Result};
use std::fs::File;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Connections open at a time; one more is closed at once.
const MAX_CONNECTIONS: usize = 1024;
/// The longest head of a request, bytes.
const MAX_HEAD: usize = 64 << 10;
/// How long a connection may be silent.
const IDLE: Duration = Duration::from_secs(600);

/// The response of a site to an absolute URL.
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// Content-Type header.
    pub content_type: String,
    /// Location header of a redirect.
    pub location: Option<String>,
    /// The bytes of the page.
    pub body: Vec<u8>,
    /// ISO 639-3 code of the true language, `-` where there is none to state.
    pub language: String,
    /// Kind of the host, or `robots`, or `-`.
    pub kind: String,
    /// Time before the response.
    pub delay: Duration,
}

impl Reply {
    /// A reply of one line of text.
    pub fn text(status: u16, kind: &str, body: impl Into<String>) -> Reply {
        Reply {
            status,
            content_type: "text/plain; charset=utf-8".to_string(),
            location: None,
            body: body.into().into_bytes(),
            language: "-".to_string(),
            kind: kind.to_string(),
            delay: Duration::ZERO,
        }
    }
}

/// Something that can be served.
pub trait Site: Send + Sync + 'static {
    /// The reply to an absolute URL.
    fn reply(&self, url: &str) -> Reply;

    /// Writes the whole response to a request, for responses that are not a [`Reply`]; the
    /// connection ends then. Returns None if there is a reply. `head` is the head of the request as
    /// received.
    fn serve(&self, _url: &str, _head: &[u8], _connection: &TcpStream) -> Option<io::Result<()>> {
        None
    }
}

/// A proxy that responds until it is dropped.
pub struct Proxy {
    address: SocketAddr,
    is_closed: Arc<AtomicBool>,
    accepting: Option<std::thread::JoinHandle<()>>,
}

impl Proxy {
    /// Listens on 127.0.0.1 (`port` 0: a free one) and writes a line a request to `log`:
    /// milliseconds since 1970, URL, status, true language, kind of host, bytes of body, separated
    /// by tabs.
    ///
    /// # Errors
    /// The port is taken or the log cannot be made.
    pub fn start(port: u16, log: &Path, site: impl Site) -> Result<Proxy> {
        let file =
            File::create(log).with_context(|| format!("cannot write the log {}", log.display()))?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .with_context(|| format!("cannot listen on 127.0.0.1:{port}"))?;
        let address = listener.local_addr().context("the server has no IP address")?;
        let is_closed = Arc::new(AtomicBool::new(false));
        let service = Arc::new(Service {
            site: Box::new(site),
            log: Mutex::new(file),
            open: AtomicUsize::new(0),
        });
        let closed = Arc::clone(&is_closed);
        let accepting = std::thread::spawn(move || {
            for connection in listener.incoming() {
                if closed.load(Ordering::Acquire) {
                    break;
                }
                // One that broke off before it was accepted is its own business.
                if let Ok(connection) = connection {
                    accept(&service, connection);
                }
            }
        });
        Ok(Proxy { address, is_closed, accepting: Some(accepting) })
    }

    /// Returns the address at which the proxy listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until the process ends.
    pub fn wait(mut self) {
        if let Some(accepting) = self.accepting.take() {
            // The thread ends when the proxy is dropped, which never happens here. If it panicked,
            // its message is printed already.
            let _ = accepting.join();
        }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.is_closed.store(true, Ordering::Release);
        // Wakes the thread that waits for connections; if it cannot be reached, it is gone.
        let _ = TcpStream::connect(self.address);
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
    }
}

/// The state that the connections share.
struct Service {
    site: Box<dyn Site>,
    log: Mutex<File>,
    open: AtomicUsize,
}

fn accept(service: &Arc<Service>, connection: TcpStream) {
    if service.open.fetch_add(1, Ordering::AcqRel) >= MAX_CONNECTIONS {
        service.open.fetch_sub(1, Ordering::AcqRel);
        return;
    }
    let service = Arc::clone(service);
    std::thread::spawn(move || {
        // An error is ignored, because a client may close its connection at any time.
        let _ = service.serve(&connection);
        let _ = connection.shutdown(Shutdown::Both);
        service.open.fetch_sub(1, Ordering::AcqRel);
    });
}

impl Service {
    /// Answers the requests of one connection in turn, until either side ends it.
    fn serve(&self, mut connection: &TcpStream) -> io::Result<()> {
        connection.set_nodelay(true)?;
        connection.set_read_timeout(Some(IDLE))?;
        let mut bytes = Vec::new();
        loop {
            let request = loop {
                match Request::parse(&bytes) {
                    Ok(Some(request)) => break request,
                    Ok(None) if bytes.len() < MAX_HEAD => {
                        let mut some = [0; 4096];
                        let count = connection.read(&mut some)?;
                        if count == 0 {
                            return Ok(());
                        }
                        bytes.extend_from_slice(&some[..count]);
                    }
                    _ => return connection.write_all(&head(&Reply::text(400, "-", ""), false)),
                }
            };
            let head_bytes: Vec<u8> = bytes.drain(..request.length).collect();
            let target = request.url.as_deref().unwrap_or(&request.target);
            if let Some(result) = self.site.serve(target, &head_bytes, connection) {
                return result;
            }
            let reply = self.answer(&request);
            let mut answer = head(&reply, request.keeps_connection);
            if request.method != "HEAD" {
                answer.extend_from_slice(&reply.body);
            }
            connection.write_all(&answer)?;
            if !request.keeps_connection {
                return Ok(());
            }
        }
    }

    fn answer(&self, request: &Request) -> Reply {
        let reply = match request.method.as_str() {
            "GET" | "HEAD" => match &request.url {
                Some(url) => self.site.reply(url),
                None => Reply::text(400, "-", "The request names no host: send an absolute URL or a Host header.\n"),
            },
            "CONNECT" => Reply::text(
                405,
                "-",
                "This proxy serves http:// only and makes no tunnels: ask for the page by http://.\n",
            ),
            method => Reply::text(405, "-", format!("{method} is not answered here: GET and HEAD are.\n")),
        };
        std::thread::sleep(reply.delay);
        let millis = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let url =
            request.url.as_deref().unwrap_or(&request.target).replace(['\t', '\n', '\r'], "%20");
        let line = format!(
            "{millis}\t{url}\t{}\t{}\t{}\t{}\n",
            reply.status,
            reply.language,
            reply.kind,
            reply.body.len()
        );
        if let Err(error) =
            self.log.lock().unwrap_or_else(|e| e.into_inner()).write_all(line.as_bytes())
        {
            eprintln!("corpulyzer-web: cannot write the log: {error}");
        }
        reply
    }
}

/// The head of a request.
struct Request {
    method: String,
    target: String,
    /// The URL that it is for, if it says so.
    url: Option<String>,
    keeps_connection: bool,
    /// Bytes of the head.
    length: usize,
}

impl Request {
    /// None while the head has not ended.
    fn parse(bytes: &[u8]) -> Result<Option<Request>, httparse::Error> {
        let mut headers = [httparse::EMPTY_HEADER; 64];
        let mut parsed = httparse::Request::new(&mut headers);
        let httparse::Status::Complete(length) = parsed.parse(bytes)? else { return Ok(None) };
        let header = |name: &str| {
            let found =
                parsed.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name))?;
            Some(String::from_utf8_lossy(found.value).into_owned())
        };
        let target = parsed.path.unwrap_or_default().to_string();
        let url = if target.starts_with('/') {
            header("Host").map(|host| format!("http://{host}{target}"))
        } else {
            target.contains("://").then(|| target.clone())
        };
        // Bodies of requests are not read, so a request other than a plain GET or HEAD ends its
        // connection.
        let method = parsed.method.unwrap_or_default().to_string();
        let has_body = header("Content-Length").is_some_and(|length| length.trim() != "0");
        let is_plain = matches!(method.as_str(), "GET" | "HEAD")
            && !has_body
            && header("Transfer-Encoding").is_none();
        let says_close =
            header("Connection").is_some_and(|value| value.eq_ignore_ascii_case("close"));
        let keeps_connection = is_plain && !says_close && parsed.version == Some(1);
        Ok(Some(Request { method, target, url, keeps_connection, length }))
    }
}

/// The head of a response.
fn head(reply: &Reply, keeps_connection: bool) -> Vec<u8> {
    let mut head =
        format!("HTTP/1.1 {} \r\nContent-Length: {}\r\n", reply.status, reply.body.len());
    let connection = if keeps_connection { "keep-alive" } else { "close" };
    for (name, value) in [
        ("Content-Type", Some(&*reply.content_type)),
        ("Location", reply.location.as_deref()),
        ("Connection", Some(connection)),
    ] {
        if let Some(value) = value {
            head += &format!("{name}: {value}\r\n");
        }
    }
    head += "\r\n";
    head.into_bytes()
}
