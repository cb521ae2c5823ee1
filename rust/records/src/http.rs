//! The HTTP answer in a WARC record.

use crate::record::Body;
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use std::io::Read;

/// Most header lines of an answer.
const MAX_HEADERS: usize = 256;

/// Most codings that are taken off a body.
const MAX_CODINGS: usize = 3;

/// Largest window of a body in Zstandard, as a power of two: RFC 9659 allows 8 MiB on the web.
const MAX_WINDOW_LOG: u32 = 23;

/// What an answer holds. None if its head cannot be read.
pub fn body_of(url: String, answer: &[u8], max_bytes: u64) -> Option<Body> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut response = httparse::Response::new(&mut headers);
    let head = head(&mut response, answer)?;
    match response.code? {
        404 | 410 => return Some(Body::Gone(url)),
        200 => {}
        _ => return Some(Body::Other),
    }
    let content_type = header(&response, "content-type");
    let mime = content_type.as_deref().unwrap_or("text/html").split(';').next().unwrap_or_default().trim();
    if !["text/html", "application/xhtml+xml"].iter().any(|html| mime.eq_ignore_ascii_case(html)) {
        return Some(Body::Other);
    }
    Some(Body::Html(url, content_type, decoded(&response, &answer[head..], max_bytes)))
}

/// The body of an answer whatever it is, decoded. None if its head cannot be read.
pub fn payload(answer: &[u8], max_bytes: u64) -> Option<Vec<u8>> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut response = httparse::Response::new(&mut headers);
    let head = head(&mut response, answer)?;
    Some(decoded(&response, &answer[head..], max_bytes))
}

/// Reads an answer's head and answers its length. None if it cannot be read.
fn head<'a>(response: &mut httparse::Response<'_, 'a>, answer: &'a [u8]) -> Option<usize> {
    let mut config = httparse::ParserConfig::default();
    config.ignore_invalid_headers_in_responses(true).allow_spaces_after_header_name_in_responses(true);
    match config.parse_response(response, answer) {
        Ok(httparse::Status::Complete(head)) => Some(head),
        _ => None,
    }
}

fn header(response: &httparse::Response, name: &str) -> Option<String> {
    let found = response.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
    found.map(|header| String::from_utf8_lossy(header.value).into_owned())
}

/// A body without the codings that its head tells. Some crawlers store what came over the wire. Archives that were decoded may have kept
/// the headers, so what cannot be decoded is as it should be.
fn decoded(response: &httparse::Response, body: &[u8], max_bytes: u64) -> Vec<u8> {
    let mut bytes = body.to_vec();
    if header(response, "transfer-encoding").is_some_and(|coding| coding.trim().eq_ignore_ascii_case("chunked")) {
        bytes = unchunked(&bytes).unwrap_or(bytes);
    }
    // Several codings were applied in the order of their names, so the last one goes first.
    for coding in header(response, "content-encoding").unwrap_or_default().split(',').rev().take(MAX_CODINGS) {
        bytes = decompressed(coding.trim(), &bytes, max_bytes).unwrap_or(bytes);
    }
    bytes
}

/// At most `max_bytes` of a body without one coding of RFC 9110, section 8.4.1; None if the coding is unknown or does not fit the body.
fn decompressed(coding: &str, body: &[u8], max_bytes: u64) -> Option<Vec<u8>> {
    let read = |decoder: &mut dyn Read| {
        let mut text = Vec::new();
        decoder.take(max_bytes).read_to_end(&mut text).ok().map(|_| text)
    };
    match coding.to_ascii_lowercase().as_str() {
        "gzip" | "x-gzip" => read(&mut MultiGzDecoder::new(body)),
        // The standard says zlib; some servers leave its frame out.
        "deflate" => read(&mut ZlibDecoder::new(body)).or_else(|| read(&mut DeflateDecoder::new(body))),
        "br" => read(&mut brotli_decompressor::Decompressor::new(body, 1 << 12)),
        "zstd" => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(body).ok()?;
            decoder.window_log_max(MAX_WINDOW_LOG).ok()?;
            read(&mut decoder)
        }
        _ => None,
    }
}

/// The text of chunks; None if there are none.
fn unchunked(mut bytes: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    loop {
        let httparse::Status::Complete((head, length)) = httparse::parse_chunk_size(bytes).ok()? else { return None };
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
        body_of("u".to_owned(), answer.as_bytes(), 1 << 20)
    }

    #[test]
    fn pages_are_told_from_what_is_none() {
        let html = |text: &str| {
            Some(Body::Html("u".to_owned(), Some("text/HTML; charset=x".to_owned()), text.as_bytes().to_vec()))
        };
        assert_eq!(body("HTTP/1.1 200 OK\r\nContent-Type: text/HTML; charset=x\r\n\r\n<p>"), html("<p>"));
        assert_eq!(body("HTTP/1.1 200\r\nContent-Type: image/png\r\n\r\n"), Some(Body::Other));
        assert_eq!(body("HTTP/1.1 301 Moved\r\nLocation: /x\r\n\r\n"), Some(Body::Other));
        assert_eq!(body("HTTP/1.0 404 Not Found\r\n\r\ngone"), Some(Body::Gone("u".to_owned())));
        assert_eq!(body("HTTP/1.1 200 OK\r\nContent-Ty"), None);
        assert_eq!(body("<html>"), None);
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
        // "<p>a page</p>" as one uncompressed block of Brotli (RFC 7932, section 9.2), since no encoder is linked.
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
            let mut answer = format!("HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\n\r\n").into_bytes();
            answer.extend(coded);
            let Some(Body::Html(_, _, body)) = body_of("u".to_owned(), &answer, 1 << 20) else { panic!("{coding}") };
            assert_eq!(String::from_utf8_lossy(&body), text, "{coding}");
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
