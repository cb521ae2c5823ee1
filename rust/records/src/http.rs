//! The HTTP response in a WARC record.

use crate::record::{About, Body};
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use std::io::Read;

/// Most header lines of a response.
const MAX_HEADERS: usize = 256;

/// Most content codings that are decoded.
const MAX_CODINGS: usize = 3;

/// Paths of files with rules of a host.
const HOST_FILES: [&str; 2] = ["/robots.txt", "/.well-known/tdmrep.json"];

/// Headers that reserve rights on the page.
const RESERVATIONS: [&str; 4] =
    ["tdm-reservation", "tdm-policy", "content-usage", "content-signal"];

/// Largest Zstandard window of a body, as a power of two: RFC 9659 allows 8 MiB on the web.
const MAX_WINDOW_LOG: u32 = 23;

/// Returns the content of a response; `None` if its head cannot be parsed. If `about` has a media
/// type, that one counts, else the one of the head, which is added.
pub fn body_of(url: String, answer: &[u8], max_bytes: u64, about: &mut About) -> Option<Body> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut response = httparse::Response::new(&mut headers);
    let head = head(&mut response, answer)?;
    match response.code? {
        404 | 410 => return Some(Body::Gone(url)),
        200 => {}
        _ => return Some(Body::Other),
    }
    if HOST_FILES.contains(&path(&url)) {
        return Some(Body::HostFile(url, decoded(&response, &answer[head..], max_bytes)));
    }
    let content_type = header(&response, "content-type");
    if about.media_type.is_empty() {
        about.media_type = media_type(content_type.as_deref().unwrap_or("text/html"));
    }
    if !["text/html", "application/xhtml+xml"].contains(&about.media_type.as_str()) {
        return Some(Body::Other);
    }
    about.robots = all(&response, "x-robots-tag");
    for name in RESERVATIONS {
        for value in all(&response, name).lines() {
            about.reservations.push_str(&format!("{name}: {value}\n"));
        }
    }
    Some(Body::Html(url, content_type, decoded(&response, &answer[head..], max_bytes)))
}

/// Returns path and query of a URL.
fn path(url: &str) -> &str {
    let behind = url.find("://").map_or(0, |at| at + 3);
    url[behind..].find('/').map_or("", |at| &url[behind + at..])
}

/// Returns the decoded body of a response of any status and type; `None` if its head cannot be
/// parsed.
pub fn payload(answer: &[u8], max_bytes: u64) -> Option<Vec<u8>> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut response = httparse::Response::new(&mut headers);
    let head = head(&mut response, answer)?;
    Some(decoded(&response, &answer[head..], max_bytes))
}

/// Parses a response's head and returns its length in bytes; `None` if it is invalid.
fn head<'a>(response: &mut httparse::Response<'_, 'a>, answer: &'a [u8]) -> Option<usize> {
    let mut config = httparse::ParserConfig::default();
    config
        .ignore_invalid_headers_in_responses(true)
        .allow_spaces_after_header_name_in_responses(true);
    match config.parse_response(response, answer) {
        Ok(httparse::Status::Complete(head)) => Some(head),
        _ => None,
    }
}

fn header(response: &httparse::Response, name: &str) -> Option<String> {
    let found = response.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
    found.map(|header| String::from_utf8_lossy(header.value).into_owned())
}

/// Returns the media type of a header's value in lower case, without parameters.
pub fn media_type(value: &str) -> String {
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Returns the values of all headers of a name, one on each line.
fn all(response: &httparse::Response, name: &str) -> String {
    let found = response.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
    let values: Vec<_> = found.map(|header| String::from_utf8_lossy(header.value)).collect();
    values.join("\n")
}

/// Removes the codings that the head names. Some crawlers store the bytes as transferred. Archives
/// may have decoded the body and kept the headers, so a body that cannot be decoded is returned
/// unchanged.
fn decoded(response: &httparse::Response, body: &[u8], max_bytes: u64) -> Vec<u8> {
    let mut bytes = body.to_vec();
    if header(response, "transfer-encoding")
        .is_some_and(|coding| coding.trim().eq_ignore_ascii_case("chunked"))
    {
        bytes = unchunked(&bytes).unwrap_or(bytes);
    }
    // Codings are listed in the order in which they were applied, so the last one is removed first.
    for coding in
        header(response, "content-encoding").unwrap_or_default().split(',').rev().take(MAX_CODINGS)
    {
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
        assert_eq!(body("HTTP/1.1 200\r\nContent-Type: image/png\r\n\r\n"), Some(Body::Other));
        assert_eq!(body("HTTP/1.1 301 Moved\r\nLocation: /x\r\n\r\n"), Some(Body::Other));
        assert_eq!(body("HTTP/1.0 404 Not Found\r\n\r\ngone"), Some(Body::Gone("u".to_owned())));
        assert_eq!(body("HTTP/1.1 200 OK\r\nContent-Ty"), None);
        assert_eq!(body("<html>"), None);
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
