//! Reads archives with one irregularity each: what archives of other programs have.
#![allow(clippy::unwrap_used)]

use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use flate2::Compression;
use records::{Body, LeftOut, ProblemKind, Source};
use std::io::Write;
use std::sync::Arc;

const PAGE: &str = "<!DOCTYPE html><html><body><p>a page with words</p></body></html>";
const TYPE: &str = "Content-Type: text/html; charset=utf-8\r\n";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A record with these header lines in addition, and a block.
fn record(lines: &str, block: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Target-URI: http://a.example/\r\nWARC-Date: 2024-05-06T07:08:09Z\r\n{lines}Content-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

fn response(answer: &[u8]) -> Vec<u8> {
    record("WARC-Type: response\r\nContent-Type: application/http; msgtype=response\r\n", answer)
}

fn answer(head: &str) -> Vec<u8> {
    response(format!("{head}\r\n{PAGE}").as_bytes())
}

/// What a file has: the pages' bytes, the reasons of other records, and the problems.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    pages: Vec<String>,
    left_out: Vec<LeftOut>,
    problems: Vec<ProblemKind>,
}

fn read(name: &str, bytes: &[u8]) -> std::io::Result<Found> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    let mut found = Found::default();
    for record in Source::new(&path).unwrap().open(1 << 20, &Arc::default())? {
        match record.map(|record| record.body) {
            Ok(Body::Html(_, _, page)) => {
                found.pages.push(String::from_utf8_lossy(&page).into_owned())
            }
            Ok(Body::Other(reason)) => found.left_out.push(reason),
            Ok(_) => {}
            Err(problem) => found.problems.push(problem.kind()),
        }
    }
    Ok(found)
}

fn is_one_page(name: &str, bytes: &[u8]) -> Result<(), String> {
    match read("in.warc", bytes) {
        Ok(Found { pages, problems, .. }) if pages == [PAGE] && problems.is_empty() => Ok(()),
        other => Err(format!("{name}: {other:?}")),
    }
}

#[test]
fn a_page_is_read_whatever_its_status_line_is() {
    for line in [
        "HTTP/1.1 200 OK",
        "HTTP/1.0 200",
        "HTTP/2 200",
        "HTTP/2.0 200 OK",
        "HTTP/3 200 ",
        "http/1.1 200 ok",
        "Http/1.1 200 OK",
        "HTTP/1.1  200  OK",
        "HTTP/1.1\t200\tOK",
        "HTTP/0.9 200 OK",
        "HTTP 200 OK",
        "HTTP/1.1 200OK",
        "HTTP/1.1 203 Non-Authoritative Information",
        "HTTP/1.1 200 ðéê",
        "HTTP/1.1 200 OK OK: x",
    ] {
        is_one_page(line, &answer(&format!("{line}\r\n{TYPE}"))).unwrap();
        is_one_page(line, &answer(&format!("{line}\n{}", TYPE.replace('\r', "")))).unwrap();
    }
    is_one_page("no status line", &answer(&format!("Server: x\r\n{TYPE}"))).unwrap();
    is_one_page("no head", &response(PAGE.as_bytes())).unwrap();
    for interim in [
        "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n",
        "HTTP/1.1 200 Connection established\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n",
        "\r\n\r\n",
    ] {
        is_one_page(interim, &answer(&format!("{interim}HTTP/1.1 200 OK\r\n{TYPE}"))).unwrap();
    }
}

#[test]
fn a_page_is_read_whatever_its_headers_are() {
    let huge = format!("Set-Cookie: {}\r\n{TYPE}", "x".repeat(200_000));
    let many = format!("{}{TYPE}", "X-A: b\r\n".repeat(2000));
    for headers in [
        "",
        huge.as_str(),
        many.as_str(),
        "Content-Type: text/html\r\n ; charset=utf-8\r\n",
        "Content-Type:\r\n\ttext/html\r\n",
        "CONTENT-TYPE:TEXT/HTML\r\n",
        "Content-Type : text/html\r\n",
        "Content-Type: text/html, text/html\r\n",
        "Content-Type: \"text/html\"\r\n",
        "Content-Type: text/htm\r\n",
        "Content-Type: html\r\n",
        "Content-Type: text\r\n",
        "Content-Type: */*\r\n",
        "Content-Type: unknown/unknown\r\n",
        "Content-Type: application/octet-stream\r\n",
        "Content-Type: text/plain\r\n",
        "Content-Type: application/xml\r\n",
        "Content-Type: text/xml\r\n",
        "Content-Type:\r\n",
        "Content-Type: application/xhtml+xml; charset=utf-8\r\n",
        "Content-Type: application/x-download\r\n",
        "Content-Type: ; charset=utf-8\r\n",
        "Content-Type: application/vnd.wap.xhtml+xml\r\n",
        "no colon\r\nContent-Type: text/html\r\n",
        "X-\u{e9}: \u{e9}\r\nContent-Type: text/html\r\n",
        ": empty\r\nContent-Type: text/html\r\n",
        "Content-Type: text/css\r\nContent-Type: text/html\r\n",
        "Content-Type: text/html\r\nContent-Type:\r\n",
    ] {
        is_one_page(headers, &answer(&format!("HTTP/1.1 200 OK\r\n{headers}"))).unwrap();
    }
    let no_end = format!("HTTP/1.1 200 OK\r\n{TYPE}{PAGE}");
    is_one_page("no empty line", &response(no_end.as_bytes())).unwrap();
}

#[test]
fn a_body_is_read_in_every_coding_even_if_the_headers_lie() {
    let page = PAGE.as_bytes();
    let chunked = |sizes: &[usize]| {
        let (mut rest, mut body) = (page, Vec::new());
        for &size in sizes {
            let (chunk, behind) = rest.split_at(size.min(rest.len()));
            body.extend(format!("{:X};x=y\r\n", chunk.len()).bytes());
            body.extend([chunk, b"\r\n"].concat());
            rest = behind;
        }
        [&body[..], b"0\r\n\r\n"].concat()
    };
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
    let mut deflate = DeflateEncoder::new(Vec::new(), Compression::default());
    zlib.write_all(page).unwrap();
    deflate.write_all(page).unwrap();
    let zstandard = zstd::encode_all(page, 1).unwrap();
    for (headers, body) in [
        ("Transfer-Encoding: chunked", chunked(&[7, 1, 1000])),
        ("Transfer-Encoding: Chunked , identity", chunked(&[1000])),
        ("Transfer-Encoding: chunked", page.to_vec()),
        ("Transfer-Encoding: chunked\r\nContent-Encoding: gzip", gzip(page)),
        ("Content-Encoding: gzip", gzip(page)),
        ("Content-Encoding: GZIP", page.to_vec()),
        ("Content-Encoding: x-gzip", gzip(page)),
        ("Content-Encoding: gzip, gzip", gzip(&gzip(page))),
        ("Content-Encoding: gzip\r\nContent-Encoding: gzip", gzip(&gzip(page))),
        ("Content-Encoding: gzip, gzip", gzip(page)),
        ("Content-Encoding: deflate", zlib.finish().unwrap()),
        ("Content-Encoding: deflate", deflate.finish().unwrap()),
        ("Content-Encoding: deflate", page.to_vec()),
        ("Content-Encoding: br", page.to_vec()),
        ("Content-Encoding: zstd", zstandard),
        ("Content-Encoding: zstd", page.to_vec()),
        ("Content-Encoding: utf-8", page.to_vec()),
        ("Content-Encoding: identity", page.to_vec()),
        ("Content-Encoding: none, gzip", gzip(page)),
        ("Content-Encoding: ", page.to_vec()),
    ] {
        let head = format!("HTTP/1.1 200 OK\r\n{TYPE}{headers}\r\n\r\n");
        is_one_page(headers, &response(&[head.as_bytes(), &body].concat())).unwrap();
    }
}

#[test]
fn a_record_is_read_whatever_its_own_headers_are() {
    let block = format!("HTTP/1.1 200 OK\r\n{TYPE}\r\n{PAGE}");
    for (lines, block) in [
        ("WARC-Type: response\r\n", block.as_str()),
        ("Content-Type: application/http; msgtype=response\r\n", &block),
        ("WARC-Type: Response\r\nContent-Type: application/HTTP\r\n", &block),
        ("WARC-Type: response\r\nContent-Type: text/html\r\n", &block),
        ("WARC-Type: response\r\nContent-Type: text/html\r\n", PAGE),
        ("WARC-Type: response\r\nContent-Type: application/octet-stream\r\n", &block),
        ("WARC-Type: resource\r\nContent-Type: text/html\r\n", PAGE),
        ("WARC-Type: resource\r\nContent-Type: application/xhtml+xml\r\n", PAGE),
        ("WARC-Type: resource\r\n", PAGE),
        ("WARC-Type: response\r\nContent-Type: application/http\r\nWARC-Identified-Payload-Type: text/plain\r\n", &block),
        ("WARC-Type: response\r\nContent-Type: application/http\r\nWARC-Identified-Payload-Type: application/xhtml+xml\r\n", &block),
    ] {
        is_one_page(lines, &record(lines, block.as_bytes())).unwrap();
    }
}

#[test]
fn a_byte_order_mark_costs_no_page() {
    let page = answer(&format!("HTTP/1.1 200 OK\r\n{TYPE}"));
    for name in ["in.warc", "in"] {
        let found = read(name, &["\u{feff}".as_bytes(), &page].concat()).unwrap();
        assert_eq!((found.pages, found.problems), (vec![PAGE.to_owned()], vec![]), "{name}");
    }
}

#[test]
fn a_wrong_length_costs_no_page() {
    let good = answer(&format!("HTTP/1.1 200 OK\r\n{TYPE}"));
    let text = String::from_utf8(good.clone()).unwrap();
    let length = text.split("Content-Length: ").nth(1).unwrap().split('\r').next().unwrap();
    let number: usize = length.parse().unwrap();
    for wrong in [number - 1, number - 10, number - 60, number + 2, number + 4] {
        let bad =
            text.replace(&format!("Content-Length: {length}"), &format!("Content-Length: {wrong}"));
        for file in [bad.repeat(2).into_bytes(), [gzip(bad.as_bytes()), gzip(&good)].concat()] {
            let found = read("in.warc", &file).unwrap();
            let pages: Vec<&str> = found.pages.iter().map(|page| page.trim_end()).collect();
            assert_eq!(pages, [PAGE, PAGE], "{wrong} for {number}");
        }
    }
}

#[test]
fn documents_are_told_by_their_type_and_pdf_files_also_by_their_bytes() {
    const WORD: &str = "application/msword";
    let typed = |kind: &str, body: &str| {
        response(format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n{body}").as_bytes())
    };
    for (file, kind) in [
        (typed("application/pdf", "%PDF-1.4"), "application/pdf"),
        (typed("Application/PDF; x=y", "anything"), "application/pdf"),
        (typed("application/octet-stream", "%PDF-1.4"), "application/pdf"),
        (typed(WORD, "\u{1}"), WORD),
        (record("WARC-Type: resource\r\nContent-Type: application/msword\r\n", b"x"), WORD),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in.warc");
        std::fs::write(&path, file).unwrap();
        let source = Source::new(&path).unwrap();
        let record = source.open(1 << 20, &Arc::default()).unwrap().next().unwrap().unwrap();
        let Body::Document(_, found, _) = record.body else { panic!("{kind}: {record:?}") };
        assert_eq!((found.as_str(), record.about.media_type.as_str()), (kind, kind));
    }
}

#[test]
fn what_is_no_page_is_named_with_its_reason() {
    let typed = |kind: &str, body: &str| {
        response(format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n{body}").as_bytes())
    };
    for (file, reason) in [
        (answer("HTTP/2 301\r\nLocation: /x\r\n"), LeftOut::Status),
        (answer("HTTP/1.1 206 Partial Content\r\n"), LeftOut::Status),
        (answer("HTTP/1.1 500 Error\r\n"), LeftOut::Status),
        (typed("image/png", "\u{89}PNG"), LeftOut::MediaType),
        (typed("application/json", "{}"), LeftOut::MediaType),
        (typed("text/plain", "a note"), LeftOut::MediaType),
        (typed("application/rss+xml", "<?xml version='1.0'?><rss></rss>"), LeftOut::MediaType),
        (typed("text/xml", "<?xml version='1.0'?><rss></rss>"), LeftOut::MediaType),
        (typed("text/html", "%PDF-1.4"), LeftOut::Bytes),
        (typed("text/html", "GIF89a"), LeftOut::Bytes),
        (
            record(
                "WARC-Type: revisit\r\nContent-Type: application/http\r\n",
                b"HTTP/1.1 200 OK\r\n\r\n",
            ),
            LeftOut::Revisit,
        ),
        (
            record(
                "WARC-Type: request\r\nContent-Type: application/http\r\n",
                b"GET / HTTP/1.1\r\n\r\n",
            ),
            LeftOut::About,
        ),
        (
            record("WARC-Type: metadata\r\nContent-Type: text/html\r\n", PAGE.as_bytes()),
            LeftOut::About,
        ),
    ] {
        let found = read("in.warc", &file).unwrap();
        assert_eq!(found, Found { left_out: vec![reason], ..Found::default() });
    }
}

#[test]
fn archives_in_every_compression_are_read() {
    let page = answer(&format!("HTTP/1.1 200 OK\r\n{TYPE}"));
    let both = page.repeat(2);
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(&page).unwrap();
    let bzip2 = bzip2.finish().unwrap();
    let mut xz =
        lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(1)).unwrap();
    xz.write_all(&page).unwrap();
    let xz = xz.finish().unwrap();
    let pack = |dictionary: &[u8]| {
        let mut packer = zstd::bulk::Compressor::with_dictionary(3, dictionary).unwrap();
        packer.compress(&page).unwrap().repeat(2)
    };
    let frame = |dictionary: &[u8]| {
        let length = u32::try_from(dictionary.len()).unwrap().to_le_bytes();
        [&[0x5d, 0x2a, 0x4d, 0x18], &length[..], dictionary].concat()
    };
    let dictionary = PAGE.repeat(3).into_bytes();
    let packed = zstd::encode_all(&*dictionary, 3).unwrap();
    for (name, file) in [
        ("in.warc.bz2", bzip2.repeat(2)),
        ("in.warc.xz", xz.repeat(2)),
        ("in.warc.zst", zstd::encode_all(&*both, 3).unwrap()),
        ("in.warc.zst", [frame(&dictionary), pack(&dictionary)].concat()),
        ("in.warc.zst", [frame(&packed), pack(&dictionary)].concat()),
        ("in.warc.gz", gzip(&page).repeat(2)),
        ("in.warc", [&b"\r\n\r\n"[..], &both].concat()),
    ] {
        let found = read(name, &file).unwrap();
        assert_eq!(found.pages, [PAGE, PAGE], "{name}: {found:?}");
        assert!(found.problems.is_empty(), "{name}: {found:?}");
        if !name.ends_with("warc") {
            let cut = read(name, &file[..file.len() * 2 / 3]).unwrap();
            assert!(cut.problems.iter().any(|kind| kind.is_loss()), "{name}: {cut:?}");
        }
    }
}

/// A ZIP file of stored files.
fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut file, mut list) = (Vec::new(), Vec::new());
    for (name, content) in files {
        let mut checksum = flate2::Crc::new();
        checksum.update(content);
        let [size, named] = [content.len(), name.len()].map(|n| u32::try_from(n).unwrap());
        let mut fields = [20u16, 0, 0, 0, 0].map(u16::to_le_bytes).concat();
        fields.extend([checksum.sum(), size, size].map(u32::to_le_bytes).concat());
        fields.extend([named as u16, 0].map(u16::to_le_bytes).concat());
        let at = u32::try_from(file.len()).unwrap();
        list.extend(
            [b"PK\x01\x02\x14\0", &fields[..], &[0; 10], &at.to_le_bytes(), name.as_bytes()]
                .concat(),
        );
        file.extend([b"PK\x03\x04", &fields[..], name.as_bytes(), content].concat());
    }
    let [at, length] = [file.len(), list.len()].map(|n| u32::try_from(n).unwrap().to_le_bytes());
    let count = u16::try_from(files.len()).unwrap().to_le_bytes();
    let end = [&b"PK\x05\x06\0\0\0\0"[..], &count, &count, &length, &at, &[0, 0]].concat();
    [file, list, end].concat()
}

#[test]
fn the_archives_in_a_wacz_file_are_read_and_other_zip_files_refused() {
    let page = answer(&format!("HTTP/1.1 200 OK\r\n{TYPE}"));
    let packed = gzip(&page);
    let file = zip(&[
        ("datapackage.json", b"{}"),
        ("archive/data-1.warc.gz", &packed),
        ("archive/data-0.warc", &page),
        ("collection/archive/data-2.warc.gz", &packed),
        ("archive\\data-3.warc.gz", &packed),
        ("pages/pages.jsonl", b"{\"format\": \"json-pages-1.0\"}\n"),
    ]);
    let found = read("in.wacz", &file).unwrap();
    assert_eq!((found.pages, found.problems), (vec![PAGE.to_owned(); 4], vec![]));
    let refused = read("in.wacz", &file[..file.len() - 30]).unwrap_err().to_string();
    assert!(refused.contains("cut off or damaged"), "{refused}");
    let refused = read("in.zip", &zip(&[("a.txt", b"text")])).unwrap_err().to_string();
    assert!(refused.starts_with("is ZIP, which is not read"), "{refused}");
}

#[test]
fn an_arc_file_is_read_even_if_its_description_has_a_wrong_length() {
    let answer = format!("HTTP/1.1 200 OK\r\n{TYPE}\r\n{PAGE}");
    for length in [3, 60, 77, 500] {
        let about = format!("filedesc://x.arc 0.0.0.0 20050101000000 text/plain {length}\n1 0 x\nURL IP-address Archive-date\n\n");
        let page = format!(
            "http://a.example/ 1.2.3.4 20050102030405 text/html {}\n{answer}\n",
            answer.len()
        );
        for file in [
            [about.as_str(), &page].concat().into_bytes(),
            [gzip(about.as_bytes()), gzip(page.as_bytes())].concat(),
        ] {
            let found = read("in.arc", &file).unwrap();
            assert_eq!((found.pages, found.problems), (vec![PAGE.to_owned()], vec![]), "{length}");
        }
    }
}

#[test]
fn a_format_that_is_not_read_is_named() {
    for (start, name) in [
        (&b"7z\xbc\xaf\x27\x1c..."[..], "is 7z"),
        (b"%PDF-1.5 ...", "is PDF"),
        (b"<!doctype html><p>", "is a page in HTML"),
        (b"SQLite format 3\0", "is SQLite"),
        (b"\x5d\0\0\x80\0...", "is LZMA"),
        (&gzip(&gzip(b"WARC/1.0")), "is gzip within compressed data"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in");
        std::fs::write(&path, start).unwrap();
        let mut input = Source::new(&path).unwrap().open(1000, &Arc::default()).unwrap();
        let problem = input.next().unwrap().unwrap_err();
        assert_eq!(problem.kind(), ProblemKind::Unreadable, "{problem}");
        assert!(problem.to_string().contains(name), "{problem}");
        assert!(input.next().is_none());
    }
}
