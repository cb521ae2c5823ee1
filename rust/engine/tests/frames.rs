//! The frame against the golden files that Java reads and writes too:
//! `tests/vectors/frames/NAME.frame` is the frame whose fields `NAME.txt` lists, a line of tag and
//! value (hexadecimal) each.
#![allow(clippy::unwrap_used)]

use engine::frame::{page_answer, tag, BadFrame, Frame, Writer};
use engine::{Engine, HostTotals, Kind, PageHints, Settings, Status};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

fn golden(name: &str) -> Vec<u8> {
    fs::read(folder().join(name).with_extension("frame")).unwrap()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/frames")
}

fn listed_fields(listing: &Path) -> Vec<(u16, Vec<u8>)> {
    let text = fs::read_to_string(listing).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| {
            let (tag, hex) = line.split_once(' ').unwrap_or((line, ""));
            let value = (0..hex.len())
                .step_by(2)
                .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap());
            (tag.parse().unwrap(), value.collect())
        })
        .collect()
}

#[test]
fn every_golden_frame_is_written_and_read_byte_for_byte() {
    let listings = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let listings: Vec<_> =
        listings.filter(|path| path.extension().is_some_and(|ending| ending == "txt")).collect();
    assert!(listings.len() >= 6, "golden frames are missing from {}", folder().display());
    for listing in listings {
        let fields = listed_fields(&listing);
        let bytes = fs::read(listing.with_extension("frame")).unwrap();
        let mut writer = Writer::new();
        for (tag, value) in &fields {
            writer.bytes(*tag, value);
        }
        assert_eq!(writer.finish(), bytes, "{}", listing.display());
        let read = Frame::read(&bytes).unwrap();
        let read: Vec<_> =
            read.fields().iter().map(|(tag, value)| (*tag, value.to_vec())).collect();
        assert_eq!(read, fields, "{}", listing.display());
    }
}

#[test]
fn javas_hints_and_totals_are_understood() {
    let hints = golden("hints");
    let hints = Frame::read(&hints).unwrap().page_hints().unwrap();
    let url = "http://example.com/😀";
    assert_eq!(
        hints,
        PageHints {
            content_type: Some("text/html; charset=utf-8"),
            url: Some(url),
            kind: Kind::Html
        }
    );

    let totals = Frame::read(&golden("totals")).unwrap().totals().unwrap();
    let host =
        |target_bytes, fetched| HostTotals { target_bytes, fetched, ..HostTotals::default() };
    assert_eq!(totals, [host(0, 0), host(5000, 10), host(1 << 40, 3)]);
}

#[test]
fn scores_that_tell_rows_apart_are_a_field_of_their_own() {
    let settings =
        br#"{"target":"urd","scorePolicy":"explore","unknownScore":8,"injectedScore":64}"#;
    let engine = Engine::new(Settings::from_json(settings).unwrap()).unwrap();
    let totals = [
        HostTotals::default(),
        HostTotals { target_bytes: 8, fetched: 2, ..HostTotals::default() },
    ];
    let mut answer = Writer::answer(Status::Ok, None);
    answer.scores(&engine.scores(&totals));
    let answer = answer.finish();
    let frame = Frame::read(&answer).unwrap();
    let floats = |tag| -> Vec<f32> {
        frame
            .get(tag)
            .unwrap()
            .chunks(4)
            .map(|four| f32::from_be_bytes(four.try_into().unwrap()))
            .collect()
    };
    assert_eq!(floats(tag::SCORES), [8.0, 64.0, 4.0, 4.0]);
    assert_eq!(floats(tag::OTHER_SCORES), [0.8, 32.0, 0.4, 4.0]);
}

#[test]
fn soft_links_score_a_tenth_and_no_row_is_a_probe() {
    let settings = |policy: &str| {
        let json = format!(
            r#"{{"target":"urd","scorePolicy":"{policy}","linksPolicy":"soft","unknownScore":8,"injectedScore":64}}"#
        );
        Engine::new(Settings::from_json(json.as_bytes()).unwrap()).unwrap()
    };
    let totals = [
        HostTotals::default(),
        HostTotals { target_bytes: 8, fetched: 2, unread: 0, raw_bytes: 0 },
    ];
    let rows = |policy| -> Vec<[f32; 4]> {
        let scores = settings(policy).scores(&totals);
        scores.iter().map(|row| [row.found, row.seed, row.other, row.probe]).collect()
    };
    assert_eq!(rows("mean"), [[8.0, 64.0, 0.8, 8.0], [4.0, 4.0, 0.4, 4.0]]);
    assert_eq!(rows("explore"), [[8.0, 64.0, 0.8, 32.0], [4.0, 4.0, 0.4, 4.0]]);
    assert_eq!(rows("mean+limit:2")[1], [-2.0; 4], "a stopped host");
}

#[test]
fn a_stopped_host_scores_below_nutchs_threshold_unless_its_pages_were_not_read() {
    let settings = br#"{"target":"urd","scorePolicy":"mean+barren:40+limit:1000"}"#;
    let engine = Engine::new(Settings::from_json(settings).unwrap()).unwrap();
    let mut totals = Writer::new();
    let packed: Vec<u8> = [[0u64, 40], [0, 40], [90_000, 40], [u64::MAX, 1000]]
        .as_flattened()
        .iter()
        .flat_map(|n| n.to_be_bytes())
        .collect();
    totals.bytes(tag::TOTALS, &packed);
    let unread: Vec<u8> = [0u64, 1, 0, 0].iter().flat_map(|n| n.to_be_bytes()).collect();
    let frame = totals.bytes(tag::UNREAD, &unread).clone().finish();
    let totals = Frame::read(&frame).unwrap().totals().unwrap();
    let found: Vec<f32> = engine.scores(&totals).iter().map(|scores| scores.found).collect();
    assert_eq!(found, [-1.0, 0.0, 2250.0, -2.0]);

    let mut short = Writer::new();
    short.bytes(tag::TOTALS, &packed).bytes(tag::UNREAD, &unread[..24]);
    let refused = Frame::read(&short.finish()).unwrap().totals().unwrap_err().to_string();
    assert_eq!(refused, "frame's unread pages have 24 bytes, allowed are 32 for these hosts");
}

#[test]
fn downloaded_bytes_are_a_field_of_their_own_and_stop_hosts_of_low_yield() {
    let settings = br#"{"target":"urd","scorePolicy":"mean+rising:0.01"}"#;
    let engine = Engine::new(Settings::from_json(settings).unwrap()).unwrap();
    let pack = |numbers: &[u64]| -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
    };
    // 100 pages each: the threshold is a byte yield of 1 %.
    let totals = pack(&[10_001, 100, 9_999, 100, 9_999, 100]);
    let raw = pack(&[1_000_000, 1_000_000, 0]);
    let mut frame = Writer::new();
    let frame = frame.bytes(tag::TOTALS, &totals).bytes(tag::HOST_RAW_BYTES, &raw).clone().finish();
    let scores = engine.scores(&Frame::read(&frame).unwrap().totals().unwrap());
    let found: Vec<f32> = scores.iter().map(|scores| scores.found).collect();
    assert_eq!(found, [100.01, -3.0, 99.99]);

    let mut short = Writer::new();
    short.bytes(tag::TOTALS, &totals).bytes(tag::HOST_RAW_BYTES, &raw[..16]);
    let refused = Frame::read(&short.finish()).unwrap().totals().unwrap_err().to_string();
    assert_eq!(refused, "frame's downloaded bytes have 16 bytes, allowed are 24 for these hosts");
}

#[test]
fn scores_of_the_golden_totals_are_the_golden_scores() {
    let engine = Engine::new(Settings::new("urd".parse().unwrap())).unwrap();
    let totals = Frame::read(&golden("totals")).unwrap().totals().unwrap();
    let mut answer = Writer::answer(Status::Ok, None);
    answer.scores(&engine.scores(&totals));
    assert_eq!(answer.finish(), golden("scores"));
}

#[test]
fn a_page_answer_has_every_field_of_the_contract() {
    let engine = Engine::new(Settings::new("urd".parse().unwrap())).unwrap();
    let page = "<html lang=ur-PK><title>خبریں</title><meta name=robots content='noindex, nofollow'><p>پہلا جملہ";
    let record = engine.page(page.as_bytes(), &PageHints::default());
    let bytes = page_answer(&record).finish();
    let frame = Frame::read(&bytes).unwrap();
    let number = |tag| u64::from_be_bytes(frame.get(tag).unwrap().try_into().unwrap());
    assert_eq!(frame.text(tag::STATUS).unwrap(), Some(record.status.as_str()));
    assert_eq!(
        frame.text(tag::RECORD_VERSION).unwrap(),
        Some(engine::default_record_version().as_str())
    );
    assert_eq!(frame.text(tag::CHARSET).unwrap(), Some("utf-8"));
    assert_eq!(frame.text(tag::TITLE).unwrap(), Some("خبریں"));
    assert_eq!(frame.text(tag::MAIN_TEXT).unwrap(), Some(record.text.as_str()));
    assert_eq!(number(tag::RAW_BYTES), page.len() as u64);
    assert_eq!(number(tag::VISIBLE_BYTES), record.visible_bytes);
    assert_eq!(number(tag::MAIN_BYTES), record.text.len() as u64);
    assert_eq!(frame.text(tag::LANGUAGES).unwrap(), Some(record.languages.to_string().as_str()));
    assert_eq!(frame.text(tag::DECISION).unwrap(), Some(record.decision.to_string().as_str()));
    assert_eq!(frame.text(tag::DECLARED_LANGUAGE).unwrap(), Some("ur-PK"));
    assert_eq!(frame.get(tag::ROBOTS).unwrap(), [3]);
    assert_eq!(number(tag::TARGET_BYTES), record.target_bytes);
}

#[test]
fn frames_that_make_no_sense_are_refused_in_a_sentence() {
    let whole = golden("page-ok");
    assert_eq!(Frame::read(b"").unwrap_err(), BadFrame::NotAFrame);
    assert_eq!(Frame::read(b"CRPM\0\x01").unwrap_err(), BadFrame::NotAFrame);
    assert_eq!(Frame::read(b"CRPL\0\x02").unwrap_err(), BadFrame::Version(2));
    assert_eq!(Frame::read(&whole[..whole.len() - 1]).unwrap_err(), BadFrame::Cut);
    assert_eq!(Frame::read(b"CRPL\0\x01\0\x01\xff\xff\xff\xff").unwrap_err(), BadFrame::Cut);

    let mut odd = Writer::new();
    odd.bytes(tag::TOTALS, &[0; 17]);
    assert_eq!(Frame::read(&odd.finish()).unwrap().totals().unwrap_err(), BadFrame::Totals(17));
    let mut odd = Writer::new();
    odd.text(tag::KIND, "pdf").bytes(tag::URL, b"\xff");
    let refusal = Frame::read(&odd.finish()).unwrap().page_hints().unwrap_err().to_string();
    assert_eq!(refusal, "frame's kind is `pdf`, allowed are html and text");
}

#[test]
fn hints_that_are_not_text_are_left_out() {
    let mut frame = Writer::new();
    frame.bytes(tag::CONTENT_TYPE, b"text/html\xff").text(tag::KIND, "text");
    let bytes = frame.finish();
    let hints = Frame::read(&bytes).unwrap().page_hints().unwrap();
    assert_eq!(hints, PageHints { content_type: None, url: None, kind: Kind::Text });
}

proptest! {
    #[test]
    fn reading_gives_back_what_was_written(
        fields in proptest::collection::vec((any::<u16>(), proptest::collection::vec(any::<u8>(), 0..40)), 0..20),
    ) {
        let mut writer = Writer::new();
        for (tag, value) in &fields {
            writer.bytes(*tag, value);
        }
        let bytes = writer.finish();
        let frame = Frame::read(&bytes).unwrap();
        let read: Vec<_> = frame.fields().iter().map(|(tag, value)| (*tag, value.to_vec())).collect();
        prop_assert_eq!(read, fields);
    }

    #[test]
    fn no_byte_sequence_breaks_the_reader(flips in proptest::collection::vec((any::<usize>(), any::<u8>()), 0..8)) {
        let mut bytes = golden("page-ok");
        for (at, byte) in flips {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        if let Ok(frame) = Frame::read(&bytes) {
            let _ = (frame.page_hints(), frame.totals());
        }
    }
}
