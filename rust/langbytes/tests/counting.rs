//! Tests of counting on texts in known languages.
#![allow(clippy::unwrap_used)]

use langbytes::{BadLangBytes, Combined, LangBytes, LangCode};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const URDU: &str =
    "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے۔ نوجوان شاعروں نے اپنا تازہ کلام سنایا۔";
const ENGLISH: &str =
    "The river rose during the night and the ferry could not leave before noon, so the market opened late.";
const CZECH: &str =
    "Stará knihovna ve městě byla včera večer plná lidí, kteří přišli poslouchat mladé básníky z celého kraje.";
const SLOVAK: &str =
    "Stará knižnica v meste bola včera večer plná ľudí, ktorí prišli počúvať mladých básnikov z celého kraja.";

fn count(blocks: &[&str]) -> LangBytes {
    langbytes::count(blocks, &Combined::new(Vec::new(), None))
}

fn code(code: &str) -> LangCode {
    code.parse().unwrap()
}

#[test]
fn blocks_in_two_languages_are_counted_exactly() {
    let sum = count(&[URDU, ENGLISH, URDU]);
    assert_eq!(sum.to_string(), format!("urd:{},eng:{}", 2 * URDU.len(), ENGLISH.len()));
}

#[test]
fn close_languages_in_blocks_of_their_own_are_told_apart() {
    let sum = count(&[CZECH, SLOVAK]);
    assert_eq!(
        (sum.bytes(code("ces")), sum.bytes(code("slk"))),
        (CZECH.len() as u64, SLOVAK.len() as u64)
    );
}

#[test]
fn words_mixed_of_two_scripts_are_counted_by_script_in_any_order() {
    let urdu = ["حکومت", "نے", "کل", "نئی", "کا", "کیا", "ہے", "مگر", "لوگ", "نہیں", "مانے"];
    let english = ["Government", "policy", "announce", "public", "reaction"];
    let bytes = |words: &[&str]| words.iter().map(|word| word.len() + 1).sum::<usize>() as f64;
    let mixed: Vec<&str> =
        urdu.chunks(2).zip(english).flat_map(|(a, b)| [a, &[b]].concat()).collect();
    let mixed: Vec<&str> = mixed.into_iter().chain(["مانے"]).collect();
    for target in [None, Some(code("urd"))] {
        let identifier = Combined::new(Vec::new(), target);
        for text in [mixed.join(" "), mixed.iter().rev().copied().collect::<Vec<_>>().join(" ")] {
            let sum = langbytes::count(&[&text], &identifier);
            let error = sum.bytes(code("urd")) as f64 / bytes(&urdu) - 1.0;
            assert!(error.abs() < 0.1, "{sum} in {text}");
        }
    }
}

#[test]
fn short_lines_get_their_language_from_their_neighbours() {
    let lines: Vec<&str> = URDU.split_inclusive(' ').collect();
    let sum = count(&lines);
    assert_eq!(sum.bytes(code("urd")), URDU.len() as u64, "{sum}");
}

#[test]
fn a_short_last_line_is_not_lost_to_the_unknown() {
    let sum = count(&[URDU, "نئی خبر"]);
    assert_eq!(sum.to_string(), format!("urd:{}", URDU.len() + "نئی خبر".len()));
}

#[test]
fn text_without_letters_is_undetermined() {
    assert_eq!(count(&["12:30", "", "—"]).to_string(), "und:8");
    assert_eq!(count(&[]).to_string(), "");
}

#[test]
fn a_block_longer_than_one_call_is_counted_whole() {
    let long = format!("{URDU} ").repeat(12_000);
    assert!(long.len() > 2 << 20);
    let sum = count(&[&long]);
    assert_eq!(sum.total(), long.len() as u64);
    assert!(sum.bytes(code("urd")) as f64 > 0.999 * long.len() as f64, "{sum}");
}

#[test]
fn a_long_block_that_short_ones_are_joined_with_is_counted_whole_too() {
    let long = format!("{URDU} ").repeat(12_000);
    let sum = count(&["نئی", "خبر", &long, "ختم"]);
    assert_eq!(sum.total(), ("نئی".len() + "خبر".len() + long.len() + "ختم".len()) as u64);
    assert!(sum.bytes(code("urd")) as f64 > 0.999 * long.len() as f64, "{sum}");
}

#[test]
fn a_long_run_without_a_blank_is_cut_between_characters() {
    let long = "ہ".repeat(1_500_001);
    assert_eq!(count(&[&long]).total(), long.len() as u64);
}

#[test]
fn of_text_whose_script_changes_at_every_letter_a_beginning_is_identified() {
    let shreds = "xб".repeat(1000);
    let blocks: Vec<&str> = [[URDU; 1].as_slice(), &[shreds.as_str(); 50], &[URDU]].concat();
    let before = langid::work();
    let sum = langbytes::count(&blocks, &Combined::new(Vec::new(), Some(code("urd"))));
    let work = langid::work() - before;
    assert_eq!(sum.bytes(code("urd")), 2 * URDU.len() as u64, "{sum}");
    assert_eq!(sum.total(), (2 * URDU.len() + 50 * shreds.len()) as u64);
    assert_eq!(work.cld2_bytes, (64 << 10) / 3000 * 3000);
    // Text of a writing system that mixes letters of several kinds is read to its end.
    let japanese = "夜の間に川が増水し、渡し船は正午まで出られなかった。".repeat(2000);
    assert_eq!(count(&[&japanese]).bytes(code("jpn")), japanese.len() as u64);
}

#[test]
fn what_the_deadline_cuts_off_is_undetermined_and_said() {
    let past = Instant::now().checked_sub(Duration::from_secs(1)).unwrap();
    let found = langbytes::segments(&[URDU, ENGLISH], &Combined::new(Vec::new(), None), Some(past));
    assert!(found.late);
    assert!(found.pieces.iter().all(|piece| piece.language == LangCode::UND));
    let bytes: usize = found.pieces.iter().map(|piece| piece.text.len()).sum();
    assert_eq!(bytes, URDU.len() + ENGLISH.len());
}

#[test]
fn a_tally_reads_aliases_and_names_what_it_cannot_read() {
    assert_eq!("ur:5,urd:1".parse::<LangBytes>().unwrap().to_string(), "urd:6");
    assert_eq!("".parse::<LangBytes>().unwrap(), LangBytes::new());
    assert_eq!("urd".parse::<LangBytes>().unwrap_err(), BadLangBytes::Entry("urd".into()));
    assert_eq!("urd:-1".parse::<LangBytes>().unwrap_err(), BadLangBytes::Entry("urd:-1".into()));
    assert!("xyzzy:1".parse::<LangBytes>().unwrap_err().to_string().contains("`xyzzy`"));
}

#[test]
fn counting_fits_the_small_stack_of_a_parser_thread() {
    let text = format!("{URDU} {ENGLISH} {CZECH} ").repeat(300);
    let counted = std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(move || count(&[&text, "short", "lines"]).total() == text.len() as u64 + 10)
        .unwrap();
    assert!(counted.join().unwrap());
}

/// Sentences of the shared development set, if this machine has it.
fn shared_sentences(language: &str) -> Option<Vec<String>> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("CORPULYZER_SHARED").map_or(beside, PathBuf::from);
    let text =
        fs::read_to_string(shared.join("data/langid/dev").join(language).with_extension("txt"))
            .ok()?;
    Some(text.lines().map(str::to_owned).collect())
}

#[test]
fn urdu_bytes_of_mixed_pages_are_within_one_percent() {
    for other in ["eng", "fas", "ara", "pus", "snd"] {
        let (Some(urdu), Some(neighbour)) = (shared_sentences("urd"), shared_sentences(other))
        else {
            println!("skipped: the shared language samples are not here (CORPULYZER_SHARED)");
            return;
        };
        let paragraphs: Vec<String> = urdu
            .chunks(4)
            .zip(neighbour.chunks(4))
            .flat_map(|(a, b)| [a.join(" "), b.join(" ")])
            .collect();
        let truth: usize = paragraphs.iter().step_by(2).map(String::len).sum();
        let blocks: Vec<&str> = paragraphs.iter().map(String::as_str).collect();
        let counted = count(&blocks);
        let error = counted.bytes(code("urd")) as f64 / truth as f64 - 1.0;
        assert!(error.abs() < 0.01, "{other}: {:.2} % off, {counted}", error * 100.0);
    }
}
