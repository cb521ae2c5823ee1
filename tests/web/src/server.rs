//! An HTTP proxy on loopback.
//!
//! A client that is told to use it may ask for any host name: the request target is then the absolute URL (RFC 9112,
//! 3.2.2). A target that is a path is read together with the Host header.

use anyhow::{Context, Result};
use std::fs::File;
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tiny_http::{Header, Method, Request, Response, Server};

/// Requests answered at a time.
const THREADS: usize = 8;

/// What a site answers to an absolute URL.
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
    /// Time to wait before the answer.
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
}

/// A proxy that answers until it is dropped.
pub struct Proxy {
    server: Arc<Server>,
    address: SocketAddr,
    threads: Vec<std::thread::JoinHandle<()>>,
}

impl Proxy {
    /// Listens on 127.0.0.1 (`port` 0: a free one) and writes a line a request to `log`: milliseconds since 1970, URL,
    /// status, true language, kind of host, bytes of body, separated by tabs.
    ///
    /// # Errors
    /// The port is taken or the log cannot be made.
    pub fn start(port: u16, log: &Path, site: impl Site) -> Result<Proxy> {
        let file = File::create(log).with_context(|| format!("cannot write the log {}", log.display()))?;
        let log = Arc::new(Mutex::new(file));
        let site = Arc::new(site);
        let server = Server::http((Ipv4Addr::LOCALHOST, port))
            .map_err(|e| anyhow::anyhow!("cannot listen on 127.0.0.1:{port}: {e}"))?;
        let address = server.server_addr().to_ip().context("the server has no IP address")?;
        let server = Arc::new(server);
        let work = || {
            let (server, log, site) = (Arc::clone(&server), Arc::clone(&log), Arc::clone(&site));
            std::thread::spawn(move || {
                while let Ok(request) = server.recv() {
                    answer(request, site.as_ref(), &log);
                }
            })
        };
        let threads = (0..THREADS).map(|_| work()).collect();
        Ok(Proxy { server, address, threads })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until the process ends.
    pub fn wait(mut self) {
        for thread in self.threads.drain(..) {
            // A thread ends when the server is unblocked, which nobody does here; a panicked one has told so.
            let _ = thread.join();
        }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        for _ in &self.threads {
            self.server.unblock();
        }
    }
}

fn answer(request: Request, site: &impl Site, log: &Mutex<File>) {
    let url = absolute(&request);
    let reply = match request.method() {
        Method::Get | Method::Head => match &url {
            Some(url) => site.reply(url),
            None => Reply::text(400, "-", "The request names no host: send an absolute URL or a Host header.\n"),
        },
        Method::Connect => {
            Reply::text(405, "-", "This proxy serves http:// only and makes no tunnels: ask for the page by http://.\n")
        }
        method => Reply::text(405, "-", format!("{method} is not answered here: GET and HEAD are.\n")),
    };
    std::thread::sleep(reply.delay);
    let millis = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let url = url.unwrap_or_else(|| request.url().to_string()).replace(['\t', '\n', '\r'], "%20");
    let line = format!("{millis}\t{url}\t{}\t{}\t{}\t{}\n", reply.status, reply.language, reply.kind, reply.body.len());
    if let Err(error) = log.lock().unwrap_or_else(|e| e.into_inner()).write_all(line.as_bytes()) {
        eprintln!("corpulyzer-web: cannot write the log: {error}");
    }
    let mut response = Response::from_data(reply.body).with_status_code(reply.status);
    for (name, value) in [("Content-Type", Some(reply.content_type)), ("Location", reply.location)] {
        if let Some(Ok(header)) = value.map(|v| Header::from_bytes(name, v)) {
            response.add_header(header);
        }
    }
    // A client that went away before the answer is its own business.
    let _ = request.respond(response);
}

/// The URL that a request is for.
fn absolute(request: &Request) -> Option<String> {
    let target = request.url();
    if target.starts_with('/') {
        let host = request.headers().iter().find(|h| h.field.equiv("Host"))?;
        return Some(format!("http://{}{target}", host.value));
    }
    target.contains("://").then(|| target.to_string())
}
