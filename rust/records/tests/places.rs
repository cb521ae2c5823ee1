//! Compares records that are read with their places with records that are read without.
#![allow(clippy::unwrap_used)]

use flate2::write::GzEncoder;
use flate2::Compression;
use proptest::prelude::*;
use records::{Head, MemberRead, Members, Plain, RecordPlace, Scanner, Seekable, Whole};
use std::io::{BufReader, Cursor, Write};

fn record(number: usize, block: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Target-URI: <http://a.pk/{number}>\r\nContent-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

fn member(bytes: &[u8]) -> Vec<u8> {
    let mut member = GzEncoder::new(Vec::new(), Compression::default());
    member.write_all(bytes).unwrap();
    member.finish().unwrap()
}

/// The headers of complete records, their places, and the sentences on damage.
fn all(mut scanner: Scanner<impl MemberRead>) -> (Vec<(Head, Option<RecordPlace>)>, Vec<String>) {
    let (mut found, mut damage) = (Vec::new(), Vec::new());
    loop {
        match scanner.head() {
            Ok(None) => return (found, damage),
            Ok(Some(Ok(head))) => match scanner.finish() {
                Ok(Ok(place)) => found.push((head, place)),
                Ok(Err(bad)) => damage.push(bad.to_string()),
                Err(error) => damage.push(error.to_string()),
            },
            Ok(Some(Err(bad))) => damage.push(bad.to_string()),
            Err(error) => damage.push(error.to_string()),
        }
    }
}

fn heads(found: Vec<(Head, Option<RecordPlace>)>) -> Vec<Head> {
    found.into_iter().map(|(head, _)| head).collect()
}

fn gzip_places(file: &[u8]) -> (Vec<(Head, Option<RecordPlace>)>, Vec<String>) {
    all(Scanner::with_places(Members::new(file)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_plain_file_has_the_same_records_with_and_without_places(
        blocks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..600), 1..6),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4), cut in any::<prop::sample::Index>()
    ) {
        let mut file: Vec<u8> = blocks.iter().enumerate().flat_map(|(number, block)| record(number, block)).collect();
        file.truncate(file.len() - cut.index(file.len()) / 2);
        for (at, byte) in damage {
            let at = at.index(file.len());
            file[at] = byte;
        }
        let (placed, bad) = all(Scanner::with_places(Seekable::new(BufReader::new(Cursor::new(&file)))));
        for (head, place) in &placed {
            let place = place.unwrap();
            let whole = Whole::read(Cursor::new(&file), place.offset, place.length, 1 << 20).unwrap();
            prop_assert_eq!(&whole.head, head);
        }
        let (found, bad_without) = all(Scanner::new(Plain(&file[..])));
        prop_assert_eq!((heads(placed), bad), (heads(found), bad_without));
    }

    #[test]
    fn damaged_members_have_no_record_with_a_place_that_is_not_found_without(
        blocks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..600), 1..6),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4)
    ) {
        let mut file: Vec<u8> =
            blocks.iter().enumerate().flat_map(|(number, block)| member(&record(number, block))).collect();
        for (at, byte) in damage {
            let at = at.index(file.len());
            file[at] = byte;
        }
        let found = heads(all(Scanner::new(Members::new(&file[..]))).0);
        for (head, place) in gzip_places(&file).0 {
            let place = place.unwrap();
            let whole = Whole::read(Cursor::new(&file), place.offset, place.length, 1 << 20).unwrap();
            prop_assert_eq!(&whole.head, &head);
            prop_assert!(found.contains(&head));
        }
    }
}

#[test]
fn a_record_that_shares_its_member_has_no_place() {
    let [first, second, third] = [1, 2, 3].map(|number| record(number, b"x"));
    let (found, damage) =
        gzip_places(&[member(&first), member(&[&second[..], &third].concat())].concat());
    assert_eq!(found.len(), 1);
    assert_eq!(
        damage,
        ["a gzip member holds several records, so an index cannot name their places"]
    );
}

#[test]
fn bytes_that_are_not_gzip_cost_no_record_behind_them() {
    let [first, last] = [1, 2].map(|number| member(&record(number, b"x")));
    let (found, damage) = gzip_places(&[&first[..], b"junk", &last].concat());
    assert_eq!(found.len(), 2);
    assert_eq!(
        damage,
        [format!("4 bytes from byte {} of the file on are not gzip data", first.len())]
    );
    let places: Vec<u64> = found.iter().map(|(_, place)| place.unwrap().offset).collect();
    assert_eq!(places, [0, first.len() as u64 + 4]);
}

#[test]
fn a_cut_member_of_many_bytes_costs_no_member_behind_it() {
    let mut state = 1u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let block: Vec<u8> = (0..6 << 20).map(|_| noise()).collect();
    let (long, last) = (member(&record(1, &block)), member(&record(2, b"x")));
    let (found, damage) = gzip_places(&[&long[..long.len() - 5000], &last].concat());
    assert_eq!(heads(found).last().and_then(Head::url), Some("http://a.pk/2"), "{damage:?}");
}
