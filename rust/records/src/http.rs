//! The HTTP response in a WARC record.

use crate::fields::Fields;
use crate::record::{About, Body, LeftOut};
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use std::io::Read;

/// Longest head of a response, in bytes: some sites send policies of hundreds of kilobytes.
const MAX_HEAD: u64 = 1 << 20;

/// Most heads before the body: interim answers (`100 Continue`), and those of proxies.
const MAX_HEADS: usize = 4;

/// Most content codings that are decoded.
const MAX_CODINGS: usize = 3;

/// Paths of files with rules of a host.
const HOST_FILES: [&str; 2] = ["/robots.txt", "/.well-known/tdmrep.json"];

/// Headers that reserve rights on the page.
const RESERVATIONS: [&str; 4] =
    ["tdm-reservation", "tdm-policy", "content-usage", "content-signal"];

/// Largest Zstandard window of a body, as a power of two: RFC 9659 allows 8 MiB on the web.
const MAX_WINDOW_LOG: u32 = 23;

/// The head of a response, read as leniently as browsers do.
#[derive(Debug)]
struct Answer<'a> {
    status: u16,
    fields: Fields,
    body: &'a [u8],
}

impl<'a> Answer<'a> {
    /// Reads a response; `None` if it has no head and is no page either. Interim answers before it
    /// are skipped. Archives may have lost the status line, or the whole head: what is left of it
    /// counts, and the answer was 200.
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut answer = Self::one(bytes)?;
        for _ in 1..MAX_HEADS {
            let is_interim = (100..200).contains(&answer.status)
                || answer.status == 200 && answer.fields.is_empty();
            let follows = status_line(answer.body).is_some();
            match Self::one(answer.body).filter(|_| is_interim && follows) {
                Some(next) => answer = next,
                None => break,
            }
        }
        Some(answer)
    }

    fn one(bytes: &'a [u8]) -> Option<Self> {
        let bytes = bytes.trim_ascii_start();
        if let Some((status, head)) = status_line(bytes) {
            let (fields, body) = Fields::of_response(head, MAX_HEAD)?;
            return Some(Self { status, fields, body });
        }
        if sniff(bytes) == Sniffed::Html {
            return Some(Self { status: 200, fields: Fields::default(), body: bytes });
        }
        let (fields, body) = Fields::of_response(bytes, MAX_HEAD)?;
        let has_type = fields.get("content-type").is_some() || fields.get("server").is_some();
        has_type.then_some(Self { status: 200, fields, body })
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.fields.get(name)
    }
}

/// Parses a status line of any version (`HTTP/1.1`, `HTTP/2`, `http/1.0`, `HTTP 200`, `ICY`), and
/// returns its status and the bytes behind the line.
fn status_line(bytes: &[u8]) -> Option<(u16, &[u8])> {
    let (line, rest) = match bytes.iter().position(|&byte| byte == b'\n') {
        Some(end) => (&bytes[..end], &bytes[end + 1..]),
        None => (bytes, &[][..]),
    };
    let line = line.get(..MAX_STATUS_LINE).unwrap_or(line);
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let version = words.next()?.to_ascii_uppercase();
    let number = version.strip_prefix(b"HTTP")?;
    let is_version =
        |number: &[u8]| number.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    if !(number.is_empty() || number.strip_prefix(b"/").is_some_and(is_version)) {
        return None;
    }
    let status = words.next()?;
    // `200OK` and `200-` occur.
    let digits = status.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let status: u16 = std::str::from_utf8(&status[..digits]).ok()?.parse().ok()?;
    (100..1000).contains(&status).then_some((status, rest))
}

/// Longest part of a status line that is read.
const MAX_STATUS_LINE: usize = 1 << 10;

/// Returns the content of a response; `None` if its head cannot be parsed. If `about` has a media
/// type, that one counts, else the one of the head, which is added.
pub fn body_of(url: String, answer: &[u8], max_bytes: u64, about: &mut About) -> Option<Body> {
    let answer = Answer::read(answer)?;
    match answer.status {
        404 | 410 => return Some(Body::Gone(url)),
        // 203: a proxy changed the page, and 200 otherwise.
        200 | 203 => {}
        _ => return Some(Body::Other(LeftOut::Status)),
    }
    if HOST_FILES.contains(&path(&url)) {
        return Some(Body::HostFile(url, decoded(&answer, max_bytes)));
    }
    // Of several headers browsers take the last that names a type.
    let named = answer.fields.all("content-type").filter(|value| value.contains('/')).last();
    let content_type = named.or_else(|| answer.header("content-type")).map(str::to_owned);
    if about.media_type.is_empty() {
        about.media_type = media_type(content_type.as_deref().unwrap_or("text/html"));
    }
    // Decode no images.
    if is_clear(&about.media_type) && !DOCUMENTS.contains(&about.media_type.as_str()) {
        return Some(Body::Other(LeftOut::MediaType));
    }
    let body = decoded(&answer, max_bytes);
    let is_document = is_document(&mut about.media_type, &body);
    if !is_document {
        if let Err(left_out) = require_page(&mut about.media_type, &body) {
            return Some(Body::Other(left_out));
        }
    }
    about.robots = answer.fields.all("x-robots-tag").collect::<Vec<_>>().join("\n");
    for name in RESERVATIONS {
        for value in answer.fields.all(name) {
            about.reservations.push_str(&format!("{name}: {value}\n"));
        }
    }
    Some(if is_document {
        Body::Document(url, about.media_type.clone(), body)
    } else {
        Body::Html(url, content_type, body)
    })
}

/// Media types of documents: those that the one-machine crawl reads (`Types.java`), and the names
/// that Tika gives to containers.
const DOCUMENTS: [&str; 13] = [
    PDF,
    "application/msword",
    "application/vnd.ms-powerpoint",
    "application/vnd.ms-excel",
    RTF,
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.oasis.opendocument.text",
    "application/vnd.oasis.opendocument.presentation",
    "application/vnd.oasis.opendocument.spreadsheet",
    OFFICE,
    OOXML,
];

const PDF: &str = "application/pdf";
const RTF: &str = "application/rtf";
const OFFICE: &str = "application/x-tika-msoffice";
const OOXML: &str = "application/x-tika-ooxml";
const ODF: &str = "application/vnd.oasis.opendocument.";

/// Media types of pages.
const PAGES: [&str; 2] = ["text/html", "application/xhtml+xml"];

/// Returns whether a body is a document by its media type, or by its bytes although its type is no
/// type of pages. The type of the latter becomes that of its bytes.
pub(crate) fn is_document(media_type: &mut String, body: &[u8]) -> bool {
    if DOCUMENTS.contains(&media_type.as_str()) {
        return true;
    }
    let found = if PAGES.contains(&media_type.as_str()) { None } else { document_type(body) };
    if let Some(found) = found {
        found.clone_into(media_type);
    }
    found.is_some()
}

/// Returns the type of a document by its first bytes, as the one-machine crawl finds it
/// (`HttpProtocol.java`): those of a package of Office or OpenDocument name its first file.
fn document_type(body: &[u8]) -> Option<&'static str> {
    const PARTS: [&[u8]; 6] =
        [b"[Content_Types].xml", b"_rels/", b"docProps/", b"word/", b"ppt/", b"xl/"];
    const OPEN_DOCUMENT: &[u8] = b"mimetypeapplication/vnd.oasis.opendocument.";
    let named = body.strip_prefix(b"PK\x03\x04").and_then(|rest| rest.get(26..));
    if let Some(named) = named {
        if let Some(kind) = named.strip_prefix(OPEN_DOCUMENT) {
            let types = DOCUMENTS.iter().filter(|name| name.starts_with(ODF));
            return types.copied().find(|name| kind.starts_with(&name.as_bytes()[ODF.len()..]));
        }
        return PARTS.iter().any(|part| named.starts_with(part)).then_some(OOXML);
    }
    [(&b"%PDF-"[..], PDF), (b"{\\rtf", RTF), (b"\xd0\xcf\x11\xe0\xa1\xb1", OFFICE)]
        .into_iter()
        .find_map(|(begin, kind)| body.starts_with(begin).then_some(kind))
}

/// Returns whether a Content-Type is that of a PDF, Office, OpenDocument or RTF file.
pub fn is_document_type(content_type: &str) -> bool {
    DOCUMENTS.contains(&media_type(content_type).as_str())
}

/// Requires that a body is a page, by its media type if that one is clear, else by its bytes; the
/// type of a page that is found by its bytes becomes `text/html`.
///
/// # Errors
/// Fails with the reason why it is none.
pub fn require_page(media_type: &mut String, body: &[u8]) -> Result<(), LeftOut> {
    let sniffed = sniff(body);
    if PAGES.contains(&media_type.as_str()) {
        return if sniffed == Sniffed::Binary { Err(LeftOut::Bytes) } else { Ok(()) };
    }
    if is_clear(media_type) || sniffed != Sniffed::Html {
        return Err(LeftOut::MediaType);
    }
    "text/html".clone_into(media_type);
    Ok(())
}

/// Returns whether files of a media type are no pages, whatever their bytes are.
fn is_clear(media_type: &str) -> bool {
    let kind = media_type.split('/').next().unwrap_or_default();
    ["image", "audio", "video", "font", "model"].contains(&kind)
        || CLEAR_TYPES.contains(&media_type)
}

/// Media types of files that are no pages even if they hold markup.
const CLEAR_TYPES: [&str; 12] = [
    "application/pdf",
    "application/json",
    "application/ld+json",
    "application/javascript",
    "application/x-javascript",
    "text/javascript",
    "text/css",
    "text/csv",
    "text/calendar",
    "text/vcard",
    "application/rss+xml",
    "application/atom+xml",
];

/// What the first bytes of a body say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sniffed {
    /// It is a page.
    Html,
    /// It is an image, a document of an office or an archive.
    Binary,
    /// Neither is certain.
    Unknown,
}

/// First bytes of common files that are no pages.
const BINARY: [&[u8]; 13] = [
    b"%PDF-",
    b"\x89PNG\r\n\x1a\n",
    b"GIF87a",
    b"GIF89a",
    b"\xff\xd8\xff",
    b"PK\x03\x04",
    b"Rar!\x1a\x07",
    b"7z\xbc\xaf\x27\x1c",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    b"wOFF",
    b"wOF2",
    b"OggS",
    b"\0\0\x01\0",
];

/// Elements that a page may begin with, as the WHATWG's MIME Sniffing lists them, and more that
/// pages without a head begin with.
const FIRST_ELEMENTS: [&str; 38] = [
    "!doctype", "html", "head", "body", "title", "meta", "link", "base", "script", "noscript",
    "style", "div", "p", "table", "h1", "h2", "h3", "h4", "a", "b", "i", "br", "hr", "font",
    "center", "iframe", "frameset", "form", "img", "ul", "ol", "pre", "span", "article", "section",
    "main", "header", "nav",
];

/// Most bytes of a body that are looked at.
const MAX_SNIFFED: usize = 1 << 13;

/// Tells a page from other files by the first bytes of a body.
pub fn sniff(body: &[u8]) -> Sniffed {
    if BINARY.iter().any(|start| body.starts_with(start)) {
        return Sniffed::Binary;
    }
    let start = &body[..body.len().min(MAX_SNIFFED)];
    // UTF-16 has a zero beside each letter of markup.
    let text: Vec<u8> = start.iter().copied().filter(|&byte| byte != 0 && byte < 0x80).collect();
    let mut rest = text.trim_ascii_start();
    let mut is_xml = false;
    loop {
        let (end, skipped): (&[u8], usize) = if rest.starts_with(b"<!--") {
            (b"-->", 4)
        } else if rest.starts_with(b"<?") {
            is_xml |= rest.starts_with(b"<?xml");
            (b">", 2)
        } else {
            break;
        };
        let Some(at) = rest[skipped..].windows(end.len()).position(|bytes| bytes == end) else {
            return Sniffed::Unknown;
        };
        rest = rest[skipped + at + end.len()..].trim_ascii_start();
    }
    let Some(rest) = rest.strip_prefix(b"<") else { return Sniffed::Unknown };
    let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'!');
    let name: String = name.map(|byte| char::from(byte.to_ascii_lowercase())).collect();
    let is_page = match name.as_str() {
        "!doctype" => {
            rest[name.len()..].trim_ascii_start().to_ascii_lowercase().starts_with(b"html")
        }
        "html" => true,
        other => !is_xml && FIRST_ELEMENTS.contains(&other),
    };
    if is_page {
        Sniffed::Html
    } else {
        Sniffed::Unknown
    }
}

/// Returns path and query of a URL.
fn path(url: &str) -> &str {
    let behind = url.find("://").map_or(0, |at| at + 3);
    url[behind..].find('/').map_or("", |at| &url[behind + at..])
}

/// Returns the decoded body of a response of any status and type; `None` if its head cannot be
/// parsed.
pub fn payload(answer: &[u8], max_bytes: u64) -> Option<Vec<u8>> {
    Answer::read(answer).map(|answer| decoded(&answer, max_bytes))
}

/// Returns the media type of a header's value in lower case, without parameters. Of a list the
/// first counts.
pub fn media_type(value: &str) -> String {
    let value = value.split([';', ',']).next().unwrap_or_default();
    value.trim_matches(|c: char| c.is_whitespace() || c == '"' || c == '\'').to_ascii_lowercase()
}

/// Removes the codings that the head names. Some crawlers store the bytes as transferred. Archives
/// may have decoded the body and kept the headers, so a body that cannot be decoded is returned
/// unchanged.
fn decoded(answer: &Answer, max_bytes: u64) -> Vec<u8> {
    let mut bytes = answer.body.to_vec();
    let transfer: Vec<&str> = answer.fields.all("transfer-encoding").collect();
    if transfer.join(",").to_ascii_lowercase().contains("chunked") {
        bytes = unchunked(&bytes).unwrap_or(bytes);
    }
    let content: Vec<&str> = answer.fields.all("content-encoding").collect();
    // Codings are listed in the order in which they were applied, so the last one is removed first.
    for coding in content.join(",").split(',').rev().take(MAX_CODINGS) {
        bytes = decompressed(coding.trim(), &bytes, max_bytes).unwrap_or(bytes);
    }
    bytes
}

/// Removes one coding of RFC 9110, section 8.4.1, and returns at most `max_bytes` bytes; `None` if
/// the coding is unknown or does not fit the body. Of gzip data that is damaged or has other bytes
/// behind its end, the bytes before the damage are returned.
fn decompressed(coding: &str, body: &[u8], max_bytes: u64) -> Option<Vec<u8>> {
    let read = |decoder: &mut dyn Read| {
        let mut text = Vec::new();
        decoder.take(max_bytes).read_to_end(&mut text).ok().map(|_| text)
    };
    match coding.to_ascii_lowercase().as_str() {
        "gzip" | "x-gzip" => {
            // Browsers show what they can decode, of a cut body and before other bytes too.
            let mut text = Vec::new();
            let read = MultiGzDecoder::new(body).take(max_bytes).read_to_end(&mut text);
            (read.is_ok() || !text.is_empty()).then_some(text)
        }
        // The standard requires zlib; some servers omit its header and trailer.
        "deflate" => {
            read(&mut ZlibDecoder::new(body)).or_else(|| read(&mut DeflateDecoder::new(body)))
        }
        "br" => read(&mut brotli_decompressor::Decompressor::new(body, 1 << 12)),
        "zstd" => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(body).ok()?;
            decoder.window_log_max(MAX_WINDOW_LOG).ok()?;
            read(&mut decoder)
        }
        _ => None,
    }
}

/// Returns the content of chunks; `None` if the body is not chunked.
fn unchunked(mut bytes: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    loop {
        let httparse::Status::Complete((head, length)) = httparse::parse_chunk_size(bytes).ok()?
        else {
            return None;
        };
        if length == 0 {
            return Some(text);
        }
        let end = head.checked_add(usize::try_from(length).ok()?)?;
        text.extend_from_slice(bytes.get(head..end)?);
        bytes = bytes.get(end..)?.strip_prefix(b"\r\n")?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(answer: &str) -> Option<Body> {
        body_of("u".to_owned(), answer.as_bytes(), 1 << 20, &mut About::default())
    }

    #[test]
    fn pages_are_told_from_what_is_none() {
        let html = |text: &str| {
            Some(Body::Html(
                "u".to_owned(),
                Some("text/HTML; charset=x".to_owned()),
                text.as_bytes().to_vec(),
            ))
        };
        assert_eq!(
            body("HTTP/1.1 200 OK\r\nContent-Type: text/HTML; charset=x\r\n\r\n<p>"),
            html("<p>")
        );
        assert_eq!(
            body("HTTP/1.1 200\r\nContent-Type: image/png\r\n\r\n"),
            Some(Body::Other(LeftOut::MediaType))
        );
        assert_eq!(
            body("HTTP/1.1 301 Moved\r\nLocation: /x\r\n\r\n"),
            Some(Body::Other(LeftOut::Status))
        );
        assert_eq!(body("HTTP/1.0 404 Not Found\r\n\r\ngone"), Some(Body::Gone("u".to_owned())));
        assert_eq!(body("HTTP/1.1 200 OK\r\nContent-Ty"), None);
        assert_eq!(body("text without a head"), None);
        assert!(matches!(body("<html>"), Some(Body::Html(_, None, _))));
    }

    #[test]
    fn documents_are_known_by_their_bytes_if_their_type_does_not_name_them() {
        let package = |first: &str| format!("PK\x03\x04{}{first}", "\0".repeat(26)).into_bytes();
        let odt = package("mimetypeapplication/vnd.oasis.opendocument.textPK");
        for (sent, body, found) in [
            ("application/octet-stream", package("[Content_Types].xml"), Some(OOXML)),
            ("application/zip", package("word/document.xml"), Some(OOXML)),
            ("", odt.clone(), Some("application/vnd.oasis.opendocument.text")),
            ("text/rtf", b"{\\rtf1\\ansi}".to_vec(), Some(RTF)),
            ("application/x-pdf", b"%PDF-1.7".to_vec(), Some(PDF)),
            ("application/download", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec(), Some(OFFICE)),
            ("application/msword", b"{\\rtf1}".to_vec(), Some("application/msword")),
            ("application/zip", package("photo.jpg"), None),
            ("application/zip", b"PK\x03\x04".to_vec(), None),
            ("application/zip", package("mimetypeapplication/epub+zip"), None),
            ("text/html", odt, None),
        ] {
            let mut media_type = sent.to_owned();
            assert_eq!(is_document(&mut media_type, &body), found.is_some(), "{sent}");
            assert_eq!(media_type, found.unwrap_or(sent), "{sent}");
            assert_eq!(is_document_type(&media_type), found.is_some());
        }
        assert!(is_document_type("Application/PDF; charset=binary"));
    }

    #[test]
    fn files_with_rules_of_a_host_are_no_pages() {
        let body = |url: &str| {
            let answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nUser-agent: *";
            body_of(url.to_owned(), answer, 1 << 20, &mut About::default())
        };
        for url in ["http://a.pk/robots.txt", "https://a.pk:8080/.well-known/tdmrep.json"] {
            assert_eq!(
                body(url),
                Some(Body::HostFile(url.to_owned(), b"User-agent: *".to_vec())),
                "{url}"
            );
        }
        for url in [
            "http://a.pk/x/robots.txt",
            "http://a.pk/robots.txt?x",
            "http://a.pk",
            "robots.txt",
            "",
        ] {
            assert!(matches!(body(url), Some(Body::Html(..))), "{url}");
        }
    }

    #[test]
    fn headers_with_reservations_are_collected() {
        let answer = b"HTTP/1.1 200 OK\r\nTDM-Reservation: 1\r\nContent-Usage: train-ai=n\r\nContent-Usage: search=y\r\nX: y\r\n\r\n<p>";
        let mut about = About::default();
        body_of("http://a.pk/".to_owned(), answer, 1 << 20, &mut about);
        assert_eq!(
            about.reservations,
            "tdm-reservation: 1\ncontent-usage: train-ai=n\ncontent-usage: search=y\n"
        );
    }

    #[test]
    fn a_body_is_read_in_every_coding_of_the_web() {
        use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
        use flate2::Compression;
        use std::io::Write;
        let page = "<p>a page</p>".repeat(20);
        let level = Compression::default();
        let mut gzip = GzEncoder::new(Vec::new(), level);
        let mut zlib = ZlibEncoder::new(Vec::new(), level);
        let mut raw = DeflateEncoder::new(Vec::new(), level);
        gzip.write_all(page.as_bytes()).expect("memory");
        zlib.write_all(page.as_bytes()).expect("memory");
        raw.write_all(page.as_bytes()).expect("memory");
        let gzip = gzip.finish().expect("memory");
        let zstd = zstd::encode_all(page.as_bytes(), 1).expect("memory");
        // "<p>a page</p>" as one uncompressed block of Brotli (RFC 7932, section 9.2), because no
        // encoder is linked.
        let brotli = [&[0x0b, 0x06, 0x80][..], b"<p>a page</p>", &[0x03]].concat();
        let both = zstd::encode_all(gzip.as_slice(), 1).expect("memory");
        for (coding, coded, text) in [
            ("gzip", gzip.clone(), page.as_str()),
            ("X-GZIP", gzip, &page),
            ("deflate", zlib.finish().expect("memory"), &page),
            ("deflate", raw.finish().expect("memory"), &page),
            ("zstd", zstd, &page),
            ("br", brotli, "<p>a page</p>"),
            ("gzip, zstd", both, &page),
            ("br", page.clone().into_bytes(), &page),
            ("compress", page.clone().into_bytes(), &page),
        ] {
            let mut answer =
                format!("HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\n\r\n").into_bytes();
            answer.extend(coded);
            let body = body_of("u".to_owned(), &answer, 1 << 20, &mut About::default());
            let Some(Body::Html(_, _, body)) = body else { panic!("{coding}") };
            assert_eq!(String::from_utf8_lossy(&body), text, "{coding}");
        }
    }

    #[test]
    fn what_of_a_gzip_body_can_be_decoded_is_its_content() {
        use flate2::write::GzEncoder;
        use std::io::Write;
        let member = |text: &str| {
            let mut gzip = GzEncoder::new(Vec::new(), flate2::Compression::default());
            gzip.write_all(text.as_bytes()).expect("memory");
            gzip.finish().expect("memory")
        };
        let noise: String =
            (0..20_000u32).map(|n| format!("{} ", n.wrapping_mul(2_654_435_761))).collect();
        let (page, long) = (member("<p>a page</p>"), member(&noise));
        let mut damaged = long.clone();
        damaged[long.len() / 2..].fill(0xff);
        let body = |coded: &[&[u8]]| {
            let head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n";
            payload(&[&head[..], &coded.concat()].concat(), 1 << 20).expect("a body")
        };
        for behind in [&b"\n"[..], &[0; 4], b"\x1f", b"\x1f\x8b\x08 no member", b"</html>"] {
            assert_eq!(body(&[&page, behind]), b"<p>a page</p>", "{behind:?}");
        }
        assert_eq!(body(&[&page, &member("<p>more</p>"), b"\n"]), b"<p>a page</p><p>more</p>");
        for broken in [&long[..long.len() / 2], &damaged] {
            let text = body(&[broken]);
            assert!(text.len() > noise.len() / 4, "{} bytes", text.len());
            let same = text.len().min(noise.len() / 4);
            assert_eq!(text[..same], noise.as_bytes()[..same]);
        }
        // Nothing is decoded: not gzip, or cut within the header.
        for other in [&b"<p>decoded already"[..], b"\x1f\x8b\x08 no member", &page[..9], b""] {
            assert_eq!(body(&[other]), other);
        }
    }

    #[test]
    fn a_bomb_is_cut_at_the_limit() {
        let bomb = zstd::encode_all(vec![b'x'; 1 << 24].as_slice(), 1).expect("memory");
        let mut answer = b"HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\n\r\n".to_vec();
        answer.extend(bomb);
        assert_eq!(payload(&answer, 1000).expect("a body").len(), 1000);
    }

    #[test]
    fn chunks_are_joined_if_there_are_any() {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        let text = |answer: &str| match body(&format!("{head}{answer}")) {
            Some(Body::Html(_, _, text)) => String::from_utf8(text).expect("text"),
            other => panic!("{other:?}"),
        };
        assert_eq!(text("3\r\n<p>\r\n2;x=y\r\nhi\r\n0\r\n\r\n"), "<p>hi");
        assert_eq!(text("<p>decoded already"), "<p>decoded already");
        assert_eq!(text("ffffffffffffffff\r\n<p>"), "ffffffffffffffff\r\n<p>");
    }
}
