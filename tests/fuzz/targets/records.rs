//! Any bytes are an input that a report reads to its end, or are refused; whatever pages it has are
//! measured. `bin/corpulyzer fuzz records`.
#![no_main]

use figures::cdx::Index;
use figures::parse::page_of;
use figures::ranking::Ranking;
use figures::{Accumulator, Measures, Plan, Scratch, Tokenizer, Viewer};
use engine::{Engine, Settings};
use flate2::write::GzEncoder;
use flate2::Compression;
use libfuzzer_sys::fuzz_target;
use records::{decompress, Body, Damaged, Input, MemberRead, Members, Scanner, Seekable, Whole};
use std::io::{BufReader, Cursor, Read, Write};
use std::sync::OnceLock;

/// Longest record.
const MAX_BYTES: u64 = 2000;

/// Most pages of an input that are measured. The engine has a fuzzer of its own.
const MAX_PAGES: usize = 16;

/// Most records that are read: a few thousand bytes can be compressed text of hundreds of
/// megabytes.
const MAX_RECORDS: usize = 1 << 16;

struct Shared {
    engine: Engine,
    plan: Plan,
    tokenizer: Tokenizer,
    scratch: Scratch,
}

static SHARED: OnceLock<Shared> = OnceLock::new();

fn shared() -> &'static Shared {
    SHARED.get_or_init(|| {
        let target = "urd".parse().expect("a code");
        Shared {
            engine: Engine::new(Settings::new(target)).expect("settings"),
            plan: Plan { target, scripts: Default::default(), min_bytes: 256, words: true },
            tokenizer: Tokenizer::new(target),
            // So little that tables go to files.
            scratch: Scratch::new(&std::env::temp_dir(), 1 << 14),
        }
    })
}

/// Reads an input as the command does, to its end, and measures its first pages in two parts.
fn read(bytes: &[u8]) {
    let shared = shared();
    let Ok((input, resumes)) = decompress(bytes) else { return };
    let input = Input::new(input, "fuzz", MAX_BYTES, resumes);
    let mut parts = [(); 2].map(|()| Measures::new(shared.plan, &shared.scratch));
    let mut viewer = Viewer::new(&shared.tokenizer);
    let mut pages = 0;
    let mut before = 0;
    for record in input.take(MAX_RECORDS) {
        let Ok(record) = record else { continue };
        assert!(record.number > before, "records have their numbers in order");
        before = record.number;
        match &record.body {
            Body::Json(line) => assert!(line.len() as u64 <= 3 * MAX_BYTES + 200),
            Body::Text(_, text) => assert!(text.len() as u64 <= MAX_BYTES),
            _ => {}
        }
        if pages >= MAX_PAGES {
            continue;
        }
        match page_of(record.body, &record.about, &shared.engine) {
            Ok(Some(page)) => {
                pages += 1;
                parts[pages % 2].add(&viewer.view(&page)).expect("a temporary file");
            }
            Ok(None) => {}
            Err((_, what)) => assert!(!what.is_empty()),
        }
    }
    let [mut all, other] = parts;
    all.merge(other).expect("a temporary file");
    let (figures, ..) = all.finish(shared.plan).expect("a temporary file");
    let totals = &figures.totals;
    assert_eq!((totals.pages + totals.rejected + totals.gone) as usize, pages);
}

/// Finds the places of the records of a WARC file, and reads each record again by its place.
fn places(bytes: &[u8]) {
    let input = BufReader::new(Cursor::new(bytes));
    if bytes.starts_with(&[0x1f, 0x8b]) {
        read_back(bytes, Scanner::with_places(Members::new(input)));
    } else {
        read_back(bytes, Scanner::with_places(Seekable::new(input)));
    }
}

fn read_back(bytes: &[u8], mut scanner: Scanner<impl MemberRead>) {
    let mut end = 0;
    for _ in 0..MAX_RECORDS {
        let head = match scanner.head() {
            Ok(None) => return,
            Ok(Some(Ok(head))) => head,
            Ok(Some(Err(_))) => continue,
            Err(error) => {
                assert!(
                    Damaged::of(&error).is_some(),
                    "memory fails only if gzip data is damaged: {error}"
                );
                continue;
            }
        };
        let mut block = Vec::new();
        if scanner.block().take(MAX_BYTES).read_to_end(&mut block).is_err() {
            continue;
        }
        let Ok(Ok(place)) = scanner.finish() else { continue };
        let place = place.expect("a whole record has a place");
        assert!(place.offset >= end, "places are in order and apart");
        end = place.offset + place.length;
        if head.length <= MAX_BYTES {
            let whole = Whole::read(Cursor::new(bytes), place.offset, place.length, 1 << 20)
                .expect("a record");
            assert_eq!(whole.head, head);
            assert!(whole.bytes.ends_with(&block));
        }
    }
}

// The first byte chooses what the rest is: an input, one that is yet to be compressed, or what else
// a report reads.
fuzz_target!(|input: &[u8]| {
    let Some((choice, rest)) = input.split_first() else { return };
    match choice % 4 {
        0 => {
            read(rest);
            places(rest);
        }
        1 => {
            // Members of as many bytes as the choice says.
            let mut members = Vec::new();
            for part in rest.chunks(16 * (usize::from(choice / 4) + 1)) {
                let mut member = GzEncoder::new(members, Compression::fast());
                member.write_all(part).expect("memory");
                members = member.finish().expect("memory");
            }
            read(&members);
            places(&members);
        }
        2 => read(&zstd::encode_all(rest, 1).expect("memory")),
        _ => {
            let _ = Ranking::parse(&String::from_utf8_lossy(rest));
            Index::default().add(rest).expect("memory");
        }
    }
});
