//! The HTTP answer in a WARC record.

use super::Body;
use flate2::read::MultiGzDecoder;
use std::io::Read;

/// Most header lines of an answer.
const MAX_HEADERS: usize = 256;

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
    if header(response, "content-encoding").is_some_and(|coding| coding.trim().eq_ignore_ascii_case("gzip")) {
        let mut text = Vec::new();
        if MultiGzDecoder::new(bytes.as_slice()).take(max_bytes).read_to_end(&mut text).is_ok() {
            bytes = text;
        }
    }
    bytes
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
