//! Any bytes are a pack or are refused, and whatever pack it is, any text is tiled with its
//! languages: `bin/corpulyzer fuzz pack`.
#![no_main]

use langid::{train, Combined, Identify, LangCode, LanguageModel, Pack, Text, TrainSettings};
use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;

/// Words for three scripts, as fuzzers are slow to find them.
const WORDS: [&str; 16] = [
    "the",
    "river",
    "rose",
    "during",
    "noći",
    "narasla",
    "и",
    "река",
    "لائبریری",
    "میں",
    "مشاعرہ",
    "ہوا",
    "カメラ",
    "12",
    "don’t",
    "می\u{200c}روم",
];

/// Bytes before the sections' records.
const HEADER: usize = 64;

static SMALL: OnceLock<Vec<u8>> = OnceLock::new();
static SHIPPED: OnceLock<[Combined; 2]> = OnceLock::new();

/// A whole pack of two scripts, for changes.
fn small() -> &'static [u8] {
    SMALL.get_or_init(|| {
        let (eng, urd) = ("the river rose during the night ", "لائبریری میں کل شام ایک مشاعرہ ہوا ");
        let texts = [("eng", eng.repeat(9)), ("deu", WORDS.join(" ")), ("urd", urd.repeat(9))];
        let texts = texts.each_ref().map(|(code, text)| Text { language: code.parse().expect("a code"), text });
        train(&texts, TrainSettings::default()).expect("texts with words")
    })
}

/// A pack with a good header: the bytes themselves, or a good pack with some bytes changed.
fn sealed(choice: u8, bytes: &[u8]) -> Vec<u8> {
    let mut pack = small().to_vec();
    if choice & 1 == 0 {
        pack.truncate(HEADER);
        pack.extend_from_slice(bytes);
        pack[12] = choice >> 4;
    } else {
        let length = pack.len();
        for change in bytes.chunks_exact(3) {
            pack[usize::from(u16::from_le_bytes([change[0], change[1]])) % length] = change[2];
        }
    }
    let length = pack.len() as u64;
    let checksum = crc32fast::hash(&pack[HEADER..]);
    pack[16..24].copy_from_slice(&length.to_le_bytes());
    pack[24..28].copy_from_slice(&checksum.to_le_bytes());
    pack
}

/// Words by number, or the bytes as they are.
fn text(choice: u8, bytes: &[u8]) -> String {
    if choice & 2 == 0 {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    bytes.iter().flat_map(|&byte| [WORDS[usize::from(byte % 16)], if byte < 240 { " " } else { "" }]).collect()
}

fn check(identifier: &dyn Identify, text: &str) {
    let mut at = 0;
    let mut before = None;
    for (language, range) in identifier.runs(text) {
        assert_eq!(range.start, at);
        assert!(range.end > at && text.is_char_boundary(range.end));
        assert_ne!(before, Some(language));
        (at, before) = (range.end, Some(language));
    }
    assert_eq!(at, text.len());
    identifier.identify(text, None);
    let urdu: LangCode = "urd".parse().expect("a code");
    assert!([urdu, LangCode::UND].contains(&identifier.identify(text, Some(&[urdu]))));
}

// The first byte chooses what is made of the rest, the second how much of it is the pack.
fuzz_target!(|input: &[u8]| {
    let [choice, share, rest @ ..] = input else { return };
    let (pack, words) = rest.split_at(rest.len() * usize::from(*share) / 255);
    let text = text(*choice, words);
    let _ = Pack::of_bytes(pack.to_vec());
    if let Ok(pack) = Pack::of_bytes(sealed(*choice, pack)) {
        check(&LanguageModel::new(vec![pack]), &text);
    }
    let shipped = SHIPPED.get_or_init(|| [None, "urd".parse().ok()].map(|target| Combined::new(Vec::new(), target)));
    shipped.iter().for_each(|identifier| check(identifier, &text));
});
