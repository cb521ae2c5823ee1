//! Records, found with their places.
#![allow(clippy::unwrap_used)]

use cdx::warc::{records, Failure, Record, Sink, Wanted};
use flate2::write::GzEncoder;
use flate2::Compression;
use proptest::prelude::*;
use records::{Problem, ProblemKind, Whole};
use std::fs::File;
use std::io::{Cursor, Write};
use std::sync::atomic::{AtomicBool, AtomicU64};

fn record(kind: &str, url: &str, fields: &str, block: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-11-23T03:20:28Z\r\n{fields}Content-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

fn page(url: &str, body: &[u8]) -> Vec<u8> {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n".as_bytes();
    record(
        "response",
        url,
        "Content-Type: application/http; msgtype=response\r\n",
        &[head, body].concat(),
    )
}

fn member(bytes: &[u8]) -> Vec<u8> {
    let mut member = GzEncoder::new(Vec::new(), Compression::default());
    member.write_all(bytes).unwrap();
    member.finish().unwrap()
}

fn all(file: &[u8], wanted: &Wanted) -> Result<Vec<Result<Record, Problem>>, Failure> {
    let mut found = Vec::new();
    let mut take = |one| {
        found.push(one);
        Ok(())
    };
    let (read, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    records(
        Cursor::new(file),
        wanted,
        &mut Sink { name: "x", read: &read, stop: &stop, take: &mut take },
    )?;
    Ok(found)
}

/// The addresses of what was found, or what is wrong.
fn said(file: &[u8]) -> Vec<String> {
    let said = |one: Result<Record, Problem>| match one {
        Ok(record) => record.line.url.unwrap_or_default(),
        Err(problem) => format!("{:?} {problem}", problem.kind()),
    };
    all(file, &Wanted::Replayed).unwrap().into_iter().map(said).collect()
}

fn unusable(file: &[u8]) -> String {
    match all(file, &Wanted::Replayed) {
        Err(failure) => failure.to_string(),
        Ok(found) => panic!("{found:?}"),
    }
}

fn places(found: Vec<Result<Record, Problem>>) -> Vec<(u64, u64)> {
    let number = |text: &str| text.parse().unwrap();
    found
        .into_iter()
        .map(|one| one.unwrap().line)
        .map(|line| (number(&line.offset), number(&line.length)))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn every_record_is_read_back_from_its_place(
        bodies in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..3000), 1..8), packed in any::<bool>()
    ) {
        let pages: Vec<Vec<u8>> = bodies.iter().map(|body| page("http://a.pk/", body)).collect();
        let archive: Vec<u8> = pages.iter().flat_map(|page| if packed { member(page) } else { page.clone() }).collect();
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&archive).unwrap();
        let places = places(all(&archive, &Wanted::Replayed).unwrap());
        prop_assert_eq!(places.len(), pages.len());
        for ((offset, length), (page, body)) in places.into_iter().zip(pages.iter().zip(&bodies)) {
            let whole = Whole::read(File::open(file.path()).unwrap(), offset, length, 1 << 20).unwrap();
            prop_assert_eq!(&whole.bytes, &page[..page.len() - 4]);
            prop_assert_eq!(&whole.payload(1 << 20), body);
        }
    }

    #[test]
    fn of_a_file_that_is_cut_off_the_whole_records_are_found(cut in any::<prop::sample::Index>(), packed in any::<bool>()) {
        let pages = ["http://a.pk/1", "http://a.pk/2", "http://a.pk/3"].map(|url| page(url, url.repeat(50).as_bytes()));
        let parts = pages.map(|page| if packed { member(&page) } else { page });
        let whole = parts.concat();
        let cut = cut.index(whole.len());
        let found = said(&whole[..cut]);
        let records = found.iter().filter(|said| said.starts_with("http")).count();
        // A plain record ends with two empty lines, which are not part of its length here.
        let spare = if packed { 0 } else { 4 };
        let mut end = 0;
        let ends = parts.map(|part| { end += part.len(); end });
        prop_assert_eq!(records, ends.iter().filter(|&&end| end - spare <= cut).count());
        let between = cut == 0 || ends.iter().any(|&end| (end - spare..=end).contains(&cut));
        prop_assert_eq!(found.len(), records + usize::from(!between), "{:?}", found);
    }

    #[test]
    fn no_bytes_make_it_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..400), start in 0..4usize) {
        let starts = [&b""[..], b"WARC/1.0\r\n", b"\x1f\x8b\x08\0\0\0\0\0\0\0", &member(&page("http://a.pk/", b"x"))];
        bytes.splice(0..0, starts[start].iter().copied());
        drop(all(&bytes, &Wanted::All));
    }
}

#[test]
fn a_file_that_is_cut_within_its_first_bytes_is_cut_off_and_no_other_kind_of_file() {
    let plain = page("http://a.pk/1", b"x");
    for whole in [member(&plain), plain] {
        for cut in 1..5 {
            let found = said(&whole[..cut]);
            assert_eq!(found.len(), 1, "{cut}: {found:?}");
            assert!(!found[0].starts_with("http"), "{found:?}");
        }
    }
}

#[test]
fn records_that_can_be_replayed_are_told_with_their_types_and_digests() {
    let digest = "WARC-Payload-Digest: sha1:THEIRS\r\n";
    let file = [
        record("warcinfo", "", "Content-Type: application/warc-fields\r\n", b"software: x\r\n"),
        page("http://a.pk/1", b"abc"),
        record("revisit", "http://a.pk/2", digest, b"HTTP/1.1 304 Not Modified\r\n\r\n"),
        record("resource", "<file:///a b>", "Content-Type: image/png\r\n", b"abc"),
        record(
            "metadata",
            "http://a.pk/1",
            "Content-Type: application/warc-fields\r\n",
            b"crp.v: 2\r\n",
        ),
        record("metadata", "urn:x", "Content-Type: text/plain\r\n", b""),
        record("request", "http://a.pk/1", "", b"GET / HTTP/1.1\r\n\r\n"),
        record("conversion", "http://a.pk/1", "Content-Type: text/plain\r\n", b"abc"),
    ]
    .concat();
    let said = |wanted: &Wanted| -> Vec<String> {
        let lines = all(&file, wanted).unwrap().into_iter().map(|one| one.unwrap().line);
        lines
            .map(|line| {
                [line.url, line.mime, line.status, line.digest]
                    .map(Option::unwrap_or_default)
                    .join(" ")
            })
            .collect()
    };
    // The digests of `abc` and of nothing.
    let (abc, none) =
        ("sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5", "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
    let replayed = [
        format!("http://a.pk/1 text/html 200 {abc}"),
        "http://a.pk/2 warc/revisit 304 sha1:THEIRS".to_owned(),
        format!("file:///a%20b image/png  {abc}"),
        format!("urn:x text/plain  {none}"),
    ];
    assert_eq!(said(&Wanted::Replayed), replayed);
    assert_eq!(
        said(&Wanted::Types(vec!["conversion".to_owned()])),
        [format!("http://a.pk/1 text/plain  {abc}")]
    );
    assert_eq!(said(&Wanted::All).len(), 8);
}

#[test]
fn a_damaged_record_costs_itself_alone() {
    let pages = ["http://a.pk/1", "http://a.pk/2", "http://a.pk/3"]
        .map(|url| page(url, url.repeat(200).as_bytes()));
    let mut packed = pages.clone().map(|page| member(&page));
    let middle = packed[1].len() / 2;
    packed[1][middle..middle + 20].fill(0xff);
    let found = said(&packed.concat());
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!([&*found[0], &found[2]], ["http://a.pk/1", "http://a.pk/3"]);
    assert!(
        found[1].starts_with(&format!(
            "BrokenCompression x, record at byte {}: gzip data",
            packed[0].len()
        )),
        "{found:?}"
    );

    let plain = [&pages[0][..], b"junk\r\nmore junk\r\n", &pages[2]].concat();
    let found = said(&plain);
    let place = format!(
        "BrokenWarc x, record at byte {}: these bytes are not a WARC record",
        pages[0].len()
    );
    assert_eq!(found, ["http://a.pk/1", &place, "http://a.pk/3"]);

    // A record that is longer than any memory.
    let huge = String::from_utf8(pages[1].clone())
        .unwrap()
        .replace("Content-Length: ", "Content-Length: 18446744073709");
    let found = said(&[&pages[0][..], huge.as_bytes()].concat());
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[1].ends_with("the file ends before the record does"), "{found:?}");
}

#[test]
fn a_member_that_was_cut_in_the_middle_of_a_file_does_not_take_the_next_with_it() {
    let [first, cut, last] = ["http://a.pk/1", "http://a.pk/2", "http://a.pk/3"]
        .map(|url| member(&page(url, url.repeat(99).as_bytes())));
    let found = said(&[&first[..], &cut[..cut.len() - 30], &last].concat());
    assert_eq!(
        [&*found[0], &*found[found.len() - 1]],
        ["http://a.pk/1", "http://a.pk/3"],
        "{found:?}"
    );
}

#[test]
fn bytes_between_members_cost_no_record() {
    let [first, last] = ["http://a.pk/1", "http://a.pk/2"].map(|url| member(&page(url, b"x")));
    let found = said(&[&first[..], b"junk", &last].concat());
    let place =
        format!("BrokenCompression x, record at byte {}: gzip data is damaged", first.len());
    assert_eq!(found, ["http://a.pk/1", &place, "http://a.pk/2"]);
}

#[test]
fn a_plain_file_that_ends_within_a_header_is_cut_short() {
    let both = [page("http://a.pk/1", b"x"), page("http://a.pk/2", b"x")];
    let found = said(&[&both[0][..], &both[1][..60]].concat());
    let place = format!(
        "CutShort x, record at byte {}: the file ends before the record does",
        both[0].len()
    );
    assert_eq!(found, ["http://a.pk/1", &place]);
}

#[test]
fn padding_with_zeros_is_nothing() {
    let file = [member(&page("http://a.pk/1", b"x")), vec![0; 5000]].concat();
    assert_eq!(said(&file), ["http://a.pk/1"]);
}

#[test]
fn files_whose_records_have_no_places_are_named() {
    let both = [page("http://a.pk/1", b"x"), page("http://a.pk/2", b"x")].concat();
    assert!(unusable(&member(&both)).starts_with("is compressed as a whole"));
    assert!(unusable(&member(b"{\"url\":\"http://a.pk/\"}\n")).starts_with("is not a WARC file"));
    assert!(unusable(b"{\"url\":\"http://a.pk/\"}\n").starts_with("is not a WARC file"));
    assert!(unusable(&[0x28, 0xb5, 0x2f, 0xfd, 0]).starts_with("is Zstandard"));
    // Behind one that has its place.
    let found = said(&[member(&page("http://a.pk/0", b"x")), member(&both)].concat());
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found[1]
            .ends_with("a gzip member holds several records, so an index cannot name their places"),
        "{found:?}"
    );
}

#[test]
fn hostile_members_take_no_longer_than_a_few_readings() {
    // Beginnings of members whose headers have more beginnings in them, all of them damaged.
    let begin = b"\x1f\x8b\x08\x04\0\0\0\0\0\0\xff\xff";
    let file = [member(&page("http://a.pk/", b"x")), begin.repeat(1 << 18)].concat();
    let clock = std::time::Instant::now();
    let found = all(&file, &Wanted::Replayed).unwrap();
    assert!(matches!(&found[1], Err(problem) if problem.kind() == ProblemKind::BrokenCompression));
    assert!(clock.elapsed().as_secs() < 20, "{:?}", clock.elapsed());
}

#[test]
fn a_record_is_told_from_what_took_its_place() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let packed = member(&page("http://a.pk/1", &[b'x'; 1000]));
    file.write_all(&packed).unwrap();
    let error = |offset, length, most| {
        Whole::read(File::open(file.path()).unwrap(), offset, length, most).unwrap_err().to_string()
    };
    let length = packed.len() as u64;
    assert!(error(1, length, 1 << 20).starts_with("is cut off: it has"));
    assert!(error(u64::MAX, length, 1 << 20).starts_with("is cut off: it has"));
    assert!(error(3, length - 3, 1 << 20).starts_with("has no record at byte 3"));
    assert!(error(0, length - 9, 1 << 20).starts_with("has no record at byte 0"));
    assert!(error(0, length, 100).contains("longer than 100 bytes (--max-bytes)"));
}
