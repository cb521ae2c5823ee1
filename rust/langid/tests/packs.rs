//! Packs from hostile hands, and what training makes of odd texts.
#![allow(missing_docs, clippy::unwrap_used)]

use langid::{
    open_all, train, train_with, Combined, Identify, LangCode, LanguageModel, Pack, Text,
    TrainSettings, WordCounts, FORMAT, MAX_LANGUAGES,
};
use proptest::prelude::*;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

const ENGLISH: &str =
    "The river rose during the night and the ferry could not leave before noon.\n";
const CROATIAN: &str =
    "Rijeka je tijekom noći narasla i trajekt nije mogao krenuti prije podneva.\n";
const URDU: &str = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے۔\n";

const HEADER: usize = 64;

fn code(code: &str) -> LangCode {
    code.parse().unwrap()
}

fn trained(texts: &[(&str, &str)]) -> Vec<u8> {
    let texts: Vec<Text> =
        texts.iter().map(|&(of, text)| Text { language: code(of), text }).collect();
    train(&texts, TrainSettings::default()).unwrap()
}

/// A pack of two scripts.
fn small() -> &'static [u8] {
    static SMALL: OnceLock<Vec<u8>> = OnceLock::new();
    SMALL.get_or_init(|| {
        let texts = [("eng", ENGLISH), ("hrv", CROATIAN), ("urd", URDU)];
        let texts = texts.map(|(of, text)| (of, text.repeat(20)));
        trained(&texts.each_ref().map(|(of, text)| (*of, text.as_str())))
    })
}

/// Makes header and checksum agree with the bytes.
fn sealed(mut pack: Vec<u8>) -> Vec<u8> {
    let length = pack.len() as u64;
    let checksum = crc32fast::hash(&pack[HEADER..]);
    pack[16..24].copy_from_slice(&length.to_le_bytes());
    pack[24..28].copy_from_slice(&checksum.to_le_bytes());
    pack
}

/// Why a pack is refused: one sentence.
fn refusal(pack: Vec<u8>) -> String {
    let said = Pack::of_bytes(pack).unwrap_err().to_string();
    assert!(
        said.starts_with("language pack: ") && said.lines().count() == 1 && said.len() < 200,
        "{said}"
    );
    said
}

/// Puts a number into the record of a section.
fn with_number(section: usize, at: usize, number: u64, bytes: usize) -> Vec<u8> {
    let mut pack = small().to_vec();
    let at = HEADER + 64 * section + at;
    pack[at..at + bytes].copy_from_slice(&number.to_le_bytes()[..bytes]);
    sealed(pack)
}

/// Asks whatever can be asked.
fn ask(pack: Pack, text: &str) {
    assert!(pack.languages().count() <= pack.size());
    let identifier = LanguageModel::new(vec![pack]);
    let languages = identifier.languages();
    let answer = identifier.identify(text, None);
    assert!(answer == LangCode::UND || languages.contains(&answer));
    let mut at = 0;
    for (language, range) in identifier.runs(text) {
        assert_eq!(range.start, at);
        at = range.end;
        assert!(text.is_char_boundary(at));
        assert!(language == LangCode::UND || languages.contains(&language));
    }
    assert_eq!(at, text.len());
}

/// A folder of the build for this test alone.
fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("packs");
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn file(name: &str, content: &[u8]) -> PathBuf {
    let path = folder().join(name);
    fs::write(&path, content).unwrap();
    path
}

proptest! {
    #[test]
    fn changed_bytes_change_answers_at_most(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
        near_the_start: bool,
        text in "(The river |noći |شہر کی |[a-zčšа-яآ-ے ]){0,30}",
    ) {
        let mut pack = small().to_vec();
        for (at, byte) in changes {
            let at = if near_the_start { at.index(HEADER * 5) } else { HEADER + at.index(pack.len() - HEADER) };
            pack[at] = byte;
        }
        if let Ok(pack) = Pack::of_bytes(pack.clone()) {
            // Only what the checksum does not cover was changed, or nothing.
            prop_assert_eq!(pack.languages().count(), 3);
        }
        let mut pack = sealed(pack);
        pack[..8].copy_from_slice(b"CRPLLANG");
        pack[8..12].copy_from_slice(&FORMAT.to_le_bytes());
        if let Ok(pack) = Pack::of_bytes(pack) {
            ask(pack, &text);
        }
    }

    #[test]
    fn any_tables_can_be_asked(
        bytes in prop::collection::vec(any::<u8>(), 1..40),
        text in "[a-zčšا-ے ]{0,60}",
    ) {
        let mut pack = small().to_vec();
        let number = |at: usize| u64::from_le_bytes(small()[at..at + 8].try_into().unwrap()) as usize;
        // The buckets and lists of both sections.
        for record in [24, 40, 64 + 24, 64 + 40].map(|at| HEADER + at) {
            let (start, length) = (number(record), number(record + 8));
            for (at, byte) in pack[start..start + length].iter_mut().enumerate() {
                *byte = bytes[at % bytes.len()];
            }
        }
        ask(Pack::of_bytes(sealed(pack)).unwrap(), &text);
    }
}

#[test]
fn a_file_that_is_cut_short_is_refused() {
    let whole = small();
    for length in (0..200).chain((200..whole.len()).step_by(97)).chain([whole.len() - 1]) {
        refusal(whole[..length].to_vec());
        if length >= HEADER {
            // With a header that says that this is all.
            if let Ok(pack) = Pack::of_bytes(sealed(whole[..length].to_vec())) {
                panic!("{length} of {} bytes are taken for a whole pack: {pack:?}", whole.len());
            }
        }
    }
    let longer = [whole, b"x"].concat();
    assert!(refusal(longer).contains("its header states"));
}

#[test]
fn a_pack_of_another_version_or_with_wrong_bytes_is_refused() {
    let mut pack = small().to_vec();
    pack[8] = 9;
    assert_eq!(refusal(pack), "language pack: has format 9, allowed is 1: train it again");
    let mut pack = small().to_vec();
    let last = pack.len() - 1;
    pack[last] ^= 1;
    assert_eq!(refusal(pack), "language pack: is damaged: its checksum is wrong");
    assert!(refusal(Vec::new()).contains("is not a language pack"));
    assert!(refusal(URDU.into()).contains("is not a language pack"));
}

#[test]
fn sections_that_lie_are_refused() {
    let no_section = "language pack: is damaged: section 1 is not a section";
    for offset in [8, 24, 40] {
        for number in [small().len() as u64 + 1, u64::MAX, u64::MAX - 64, 1 << 63] {
            assert_eq!(refusal(with_number(1, offset, number, 8)), no_section, "offset {offset}");
            assert_eq!(
                refusal(with_number(1, offset + 8, number, 8)),
                no_section,
                "length {offset}"
            );
        }
    }
    // Fewer or more languages than records, none at all, and no whole bucket.
    for count in [0, 1, 3, 255, 256, u64::from(u32::MAX)] {
        assert_eq!(refusal(with_number(1, 4, count, 4)), no_section, "{count} languages");
    }
    for length in [0, 1, 63, 65] {
        assert_eq!(refusal(with_number(1, 32, length, 8)), no_section);
    }
    let mut none = with_number(1, 4, 0, 4);
    none[HEADER + 64 + 16..HEADER + 64 + 24].fill(0);
    assert_eq!(refusal(sealed(none)), no_section, "no languages and no records");
    for script in
        *b"ZyyyZinhXxxxlatn\xff\xff\xff\xff\0\0\0\0".as_chunks::<4>().0.first_chunk::<6>().unwrap()
    {
        assert_eq!(
            refusal(with_number(1, 0, u64::from(u32::from_le_bytes(script)), 4)),
            no_section
        );
    }
    let mut many = small().to_vec();
    many[12..16].fill(0xFF);
    assert!(refusal(many).contains("is not a section"));
}

#[test]
fn a_script_with_two_sections_is_refused() {
    let mut twice = small().to_vec();
    let (first, second) = twice[HEADER..].split_at_mut(64);
    second[..64].copy_from_slice(first);
    assert_eq!(
        refusal(sealed(twice)),
        "language pack: is damaged: script Arab has more than 1 sections"
    );
}

#[test]
fn sections_may_share_bytes() {
    // Shared sections do no harm: nothing is written to them, and wrong tables are no worse than
    // tables of another language.
    let mut shared = small().to_vec();
    let (first, second) = shared[HEADER..].split_at_mut(64);
    second[24..56].copy_from_slice(&first[24..56]);
    ask(Pack::of_bytes(sealed(shared)).unwrap(), ENGLISH);
}

#[test]
fn what_is_no_regular_file_is_refused_at_once() {
    let said = |path: &str| Pack::open(path.as_ref()).unwrap_err().to_string();
    assert_eq!(said("/"), "language pack /: is not a regular file");
    assert!(said("/no/such/pack").starts_with("language pack /no/such/pack: No such file"));
    #[cfg(unix)]
    {
        assert_eq!(said("/dev/zero"), "language pack /dev/zero: is not a regular file");
        // A pipe without a writer would be waited for.
        let pipe = folder().join("pipe");
        let _ = fs::remove_file(&pipe);
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(said(pipe.to_str().unwrap()).ends_with(": is not a regular file"));
        fs::remove_file(pipe).unwrap();
    }
    let empty = file("empty", b"");
    assert!(said(empty.to_str().unwrap())
        .ends_with("is not a language pack (made by `corpulyzer train`)"));
    fs::File::options().write(true).open(&empty).unwrap().set_len(5 << 30).unwrap();
    assert!(said(empty.to_str().unwrap()).ends_with("has 5368709120 bytes, allowed are 1073741824"));
    fs::remove_file(empty).unwrap();
}

#[cfg(unix)]
#[test]
fn a_pack_that_is_replaced_stays_as_it_was_for_whoever_has_it_open() {
    let path = file("replaced", small());
    let open = LanguageModel::new(vec![Pack::open(&path).unwrap()]);
    let new = file("new", b"no pack");
    fs::rename(new, &path).unwrap();
    assert_eq!(open.identify(ENGLISH, None), code("eng"));
    assert!(Pack::open(&path).is_err());
    fs::remove_file(path).unwrap();
}

#[test]
fn a_pack_that_is_truncated_while_it_is_open_stays_as_it_was() {
    let path = file("truncated", small());
    let open = Pack::open(&path).unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_len(0).unwrap();
    assert_eq!(LanguageModel::new(vec![open]).identify(CROATIAN, None), code("hrv"));
    fs::remove_file(path).unwrap();
}

#[test]
fn the_same_texts_make_the_same_pack() {
    let texts = [("urd", URDU), ("eng", ENGLISH), ("hrv", CROATIAN)]
        .map(|(of, text)| (of, text.repeat(30)));
    let texts = texts.each_ref().map(|(of, text)| (*of, text.as_str()));
    assert_eq!(trained(&texts), trained(&texts));
    let languages: Vec<_> =
        Pack::of_bytes(trained(&texts)).unwrap().languages().map(|(l, s)| (l.code, s)).collect();
    assert_eq!(languages, [(code("urd"), "Arab"), (code("eng"), "Latn"), (code("hrv"), "Latn")]);
}

/// More sentences in Urdu, none of whose content words is in [`URDU`].
const MORE_URDU: [&str; 3] = [
    "بچے صبح سکول جاتے ہیں اور دوپہر کو گھر واپس آتے ہیں۔",
    "اس سال بارش کم ہوئی اس لیے گندم کی فصل اچھی نہیں ہوئی۔",
    "میرے والد نے مجھے ایک نئی گھڑی تحفے میں دی۔",
];

#[test]
fn a_later_pack_adds_to_a_language_of_an_earlier_one() {
    let pack = |of, text: &str| Pack::of_bytes(trained(&[(of, text)])).unwrap();
    let second = "Seven grey geese flew over the quiet harbour.\n";
    let packs = |last| {
        vec![pack("eng", &ENGLISH.repeat(20)), pack("hrv", &CROATIAN.repeat(20)), pack("eng", last)]
    };
    let identifier = LanguageModel::new(packs(second));
    assert_eq!(identifier.languages(), [code("eng"), code("hrv")]);
    for (text, language) in [(ENGLISH, "eng"), (second, "eng"), (CROATIAN, "hrv")] {
        assert_eq!(identifier.identify(text, None), code(language), "{text}");
    }
    // One line against twenty: the Croatian that it claims as English weighs little.
    let identifier = LanguageModel::new(packs(CROATIAN));
    assert_eq!(identifier.identify(CROATIAN, None), code("hrv"));
}

#[test]
fn a_pack_of_little_text_leaves_the_librarys_language_as_good_as_it_was() {
    let pack = |replaces: &[LangCode]| {
        let texts = [Text { language: code("urd"), text: URDU }];
        let settings = TrainSettings { replaces, ..TrainSettings::default() };
        Pack::of_bytes(train(&texts, settings).unwrap()).unwrap()
    };
    let right = |identifier: Combined| {
        let urdu = |text: &&&str| identifier.identify(text, None) == code("urd");
        MORE_URDU.iter().filter(urdu).count()
    };
    assert_eq!(right(Combined::new(vec![], None)), 3);
    assert_eq!(right(Combined::new(vec![pack(&[code("eng")])], None)), 3);
    assert!(
        right(Combined::new(vec![pack(&[code("urd")])], None)) < 3,
        "the library's model is removed"
    );
}

#[test]
fn a_pack_takes_no_text_from_a_language_of_the_library_by_a_small_margin() {
    let lines = [
        "The old bridge by the mill was closed in winter. We went home late and nobody asked why.",
        "My brother sells apples at the market. The river is high after the rain.",
        "She reads a book every evening. There was a letter from the school.",
        "They bought bread and milk. He likes to sing when he works. The boat came in the dark.",
        "All the children were asleep. It is cold in the house today. I saw your dog there.",
        "We have no time for games. The teacher told us a story.",
    ];
    let pack = trained(&[("sco", &format!("{}\n", lines.join("\n")).repeat(12))]);
    let open = || vec![Pack::of_bytes(pack.clone()).unwrap()];
    let beside = Combined::new(open(), None);
    let target = Combined::new(open(), Some(code("sco")));
    for text in [
        "My brother went home late in winter.",
        "She sells apples and bread at the old market.",
        "The old mill was closed today and nobody asked why.",
    ] {
        assert_eq!(beside.identify(text, None), code("eng"), "{text}");
        assert_eq!(target.identify(text, None), code("sco"), "{text}");
    }
}

#[test]
fn a_pack_that_replaces_removes_the_models_before_it() {
    let pack = |of, text, replaces: &[LangCode]| {
        let texts = [Text { language: code(of), text }];
        let settings = TrainSettings { replaces, ..TrainSettings::default() };
        Pack::of_bytes(train(&texts, settings).unwrap()).unwrap()
    };
    let identifier = LanguageModel::new(vec![
        pack("eng", CROATIAN, &[]),
        pack("hrv", CROATIAN, &[]),
        pack("eng", ENGLISH, &[code("eng")]),
    ]);
    assert_eq!(
        identifier.identify(CROATIAN, None),
        code("hrv"),
        "and not eng, as the first pack has it"
    );
    assert_eq!(identifier.languages(), [code("eng"), code("hrv")]);
}

/// So many languages, by code.
fn codes(count: usize) -> Vec<LangCode> {
    let letters = || b'a'..=b'z';
    let all =
        letters().flat_map(|a| letters().flat_map(move |b| letters().map(move |c| [a, b, c])));
    let all = all.filter_map(|code| LangCode::exact(std::str::from_utf8(&code).ok()?));
    all.filter(|&code| code != LangCode::UND).take(count).collect()
}

#[test]
fn a_script_has_so_many_languages_and_no_more() {
    let codes = codes(MAX_LANGUAGES + 2);
    let texts = |count: usize| -> Vec<_> {
        codes[..count].iter().map(|&language| Text { language, text: "a word or two" }).collect()
    };
    let full =
        Pack::of_bytes(train(&texts(MAX_LANGUAGES), TrainSettings::default()).unwrap()).unwrap();
    assert_eq!(full.languages().count(), MAX_LANGUAGES);
    ask(full, "a word or two or three");
    for count in [MAX_LANGUAGES + 1, MAX_LANGUAGES + 2] {
        let said = train(&texts(count), TrainSettings::default()).unwrap_err().to_string();
        assert!(
            said.starts_with("script Latn has ") && said.ends_with("; make two packs"),
            "{said}"
        );
    }
}

#[test]
fn packs_with_more_languages_in_a_script_than_are_compared_are_refused() {
    let codes = codes(MAX_LANGUAGES);
    let texts: Vec<_> =
        codes.iter().map(|&language| Text { language, text: "a word or two" }).collect();
    let full = file("full.pack", &train(&texts, TrainSettings::default()).unwrap());
    assert_eq!(open_all(std::slice::from_ref(&full)).unwrap().len(), 1);
    let said = open_all(&[full.clone(), full]).unwrap_err().to_string();
    assert!(
        said.contains(" languages in script Latn, allowed are 512; leave a pack out"),
        "{said}"
    );
}

#[test]
fn odd_texts_are_trained_from_or_refused() {
    let bmp: String = ('\0'..='\u{ffff}').collect();
    let spaced: String = ('\0'..='\u{ffff}').flat_map(|c| [c, ' ']).collect();
    let marks = format!("a{}", "\u{301}".repeat(1000));
    for text in
        ["word", "w", &"q".repeat(32), &"q".repeat(33), &"ก".repeat(5000), &bmp, &spaced, &marks]
    {
        let pack = Pack::of_bytes(trained(&[("urd", text)])).unwrap();
        assert!(pack.languages().all(|(language, _)| language.code == code("urd")));
        ask(pack, text);
    }
    for text in ["", "\n\n", "12:30 !?", "\u{301}\u{640}\u{200c}", "'"] {
        let texts = [Text { language: code("urd"), text }];
        let said = train(&texts, TrainSettings::default()).unwrap_err().to_string();
        assert_eq!(said, "there is no text to train from");
    }
    assert!(train(&[], TrainSettings::default()).is_err());
}

#[test]
fn words_as_dear_as_can_be_do_not_overflow() {
    // No letter of these words is in the tables, and every table says that what is missing is as
    // dear as can be.
    let mut pack = small().to_vec();
    let records =
        u64::from_le_bytes(pack[HEADER + 64 + 8..HEADER + 64 + 16].try_into().unwrap()) as usize;
    pack[records + 3] = u8::MAX;
    pack[records + 16 + 3] = u8::MAX;
    ask(Pack::of_bytes(sealed(pack)).unwrap(), &format!("{} ", "ꬱ".repeat(32)).repeat(3000));
}

#[test]
fn lines_without_words_between_paragraphs_change_nothing() {
    let words: Vec<String> = ENGLISH.split(' ').map(|word| format!("{word} {CROATIAN}")).collect();
    let (close, apart) = (words.join(""), words.join("\n12\n"));
    assert_eq!(trained(&[("eng", &close)]), trained(&[("eng", &apart)]));
    // The only line with a word is one that would be kept back.
    trained(&[("eng", &format!("\n\n\n\n\n{ENGLISH}"))]);
}

#[test]
fn time_is_linear_in_words_and_in_changes_of_script() {
    let identifier = Combined::new(vec![], None);
    let one_by_one = "a я ب ".repeat(40_000);
    let by_stretches = "abcdefghij klmnopqrstu абвгдежзик лмнопрстуф ".repeat(4000);
    for text in [one_by_one, by_stretches, "a b ".repeat(100_000), "x".repeat(1 << 20)] {
        let begin = std::time::Instant::now();
        assert_eq!(identifier.runs(&text).last().unwrap().1.end, text.len());
        identifier.identify(&text, None);
        assert!(begin.elapsed().as_secs() < 20, "{:?} for {} bytes", begin.elapsed(), text.len());
    }
}

const OTHER_ENGLISH: &str =
    "in the morning we went to the river and could see the house before the night was over";

/// A language that no model has: the letters of English, shifted.
fn shifted(text: &str) -> String {
    let shift = |c: char| match c {
        'a'..='z' => char::from((c as u8 - b'a' + 9) % 26 + b'a'),
        other => other,
    };
    text.to_lowercase().chars().map(shift).collect()
}

/// The words of a text with their counts, many times.
fn counted(language: &str, text: &str) -> WordCounts {
    let mut words = std::collections::BTreeMap::new();
    for word in text.split_whitespace() {
        *words.entry(word.to_owned()).or_default() += 50;
    }
    WordCounts { language: code(language), words: words.into_iter().collect() }
}

fn far(lists: &[WordCounts]) -> Pack {
    let settings = TrainSettings { far: true, ..TrainSettings::default() };
    Pack::of_bytes(train_with(&[], lists, settings).unwrap()).unwrap()
}

#[test]
fn word_counts_give_the_tables_of_their_text() {
    let list = WordCounts {
        language: code("eng"),
        words: vec![
            ("river".into(), 30),
            ("Rose".into(), 20),
            ("12".into(), 9),
            ("night".into(), 0),
        ],
    };
    let text = "river Rose river Rose river\n".repeat(10);
    let by_list = train_with(&[], &[list], TrainSettings::default()).unwrap();
    let by_text = trained(&[("eng", &text)]);
    // The usual cost of a letter, bytes 4 and 5 of the language record, is measured on other words.
    let at = u64::from_le_bytes(by_list[HEADER + 8..HEADER + 16].try_into().unwrap()) as usize;
    assert_eq!(by_list.len(), by_text.len());
    assert_eq!(by_list[at..at + 4], by_text[at..at + 4]);
    assert_eq!(by_list[at + 6..], by_text[at + 6..]);
}

#[test]
fn a_far_language_takes_text_that_no_other_language_predicts() {
    let text = shifted(ENGLISH);
    let near = Combined::new(vec![], None);
    let all = |target: Option<&str>| {
        Combined::new(
            vec![far(&[counted("aaa", &text), counted("aab", OTHER_ENGLISH)])],
            target.map(code),
        )
    };
    assert_ne!(near.identify(&text, None), code("aaa"));
    for identifier in [all(None), all(Some("aaa"))] {
        assert_eq!(identifier.identify(&text, None), code("aaa"));
        assert_eq!(identifier.runs(&text), [(code("aaa"), 0..text.len())]);
        assert!(identifier.languages().contains(&code("aaa")));
        assert_ne!(identifier.version(), near.version());
    }
    assert_eq!(all(None).identify(ENGLISH, None), code("eng"), "and not its far copy");
    assert_eq!(all(Some("aaa")).identify(ENGLISH, None), code("eng"));
    assert_eq!(
        all(None).identify(&text, Some(&[code("eng")])),
        near.identify(&text, Some(&[code("eng")]))
    );
}

#[test]
fn known_text_is_read_once_with_a_far_pack_too() {
    let readings = |packs| {
        let identifier = Combined::new(packs, None);
        let before = langid::work();
        assert_eq!(identifier.identify(ENGLISH, None), code("eng"));
        assert_eq!(identifier.runs(ENGLISH).len(), 1);
        (langid::work() - before).model_calls
    };
    assert_eq!(readings(vec![far(&[counted("aab", OTHER_ENGLISH)])]), readings(vec![]));
}

#[test]
fn a_far_pack_has_more_languages_in_a_script_than_another_one() {
    let codes = codes(2 * MAX_LANGUAGES);
    let list = |&language: &LangCode| WordCounts { language, words: vec![("word".into(), 9)] };
    let pack = far(&codes.iter().map(list).collect::<Vec<_>>());
    assert!(pack.is_far());
    assert_eq!(pack.languages().count(), 2 * MAX_LANGUAGES);
    let list = file("far.pack", &{
        let lists: Vec<_> = codes.iter().map(list).collect();
        train_with(&[], &lists, TrainSettings { far: true, ..TrainSettings::default() }).unwrap()
    });
    assert!(open_all(&[list.clone(), list.clone()]).is_ok());
    let said = open_all(&[list.clone(), list.clone(), list]).unwrap_err().to_string();
    assert!(said.contains("1530 languages in script Latn, allowed are 1020"), "{said}");
}

#[test]
fn the_far_pack_of_the_distribution_finds_rare_languages_and_leaves_the_others() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("models/far.pack");
    let open = || open_all(std::slice::from_ref(&path)).unwrap();
    assert!(open()[0].is_far() && open()[0].languages().count() > 800);
    let hiligaynon =
        "Ang kasal dapat himuon lamang sa hilway kag bug-os nga pagpasugot sang mga ikasal.";
    for identifier in [Combined::new(open(), None), Combined::new(open(), Some(code("hil")))] {
        assert_eq!(identifier.identify(hiligaynon, None), code("hil"));
        assert_eq!(identifier.identify(ENGLISH, None), code("eng"));
    }
}

#[test]
fn the_seed_pack_finds_small_languages_with_the_far_pack_and_without() {
    let path =
        |name: &str| std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("models").join(name);
    let (seed, far) = (path("seed.pack"), path("far.pack"));
    let packs = [vec![seed.clone()], vec![seed.clone(), far]];
    let urdu = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں بہت سے لوگ آئے۔";
    let texts = [
        ("crh", "Bugün mektepte balalar oqudılar, soñra evlerine qayttılar ve yemek aşadılar."),
        ("lmo", "El mè fradel el lavora in d'ona botega in del center de la cità e'l torna a cà la sera."),
        ("pcm", "Di pikin dem dey play for outside because rain no dey fall today at all."),
        ("eng", ENGLISH),
        ("urd", urdu),
    ];
    for packs in packs {
        assert!(!open_all(std::slice::from_ref(&seed)).unwrap()[0].is_far());
        for (language, text) in texts {
            for target in [None, Some(code("crh"))] {
                let identifier = Combined::new(open_all(&packs).unwrap(), target);
                // A target's script is the only one that the models identify.
                if target.is_none() || language != "urd" {
                    assert_eq!(identifier.identify(text, None), code(language), "{text}");
                }
            }
        }
    }
}

#[test]
fn cld2_decides_for_languages_of_which_the_models_have_little_text() {
    let identifier = Combined::new(Vec::new(), None);
    for (code, text) in [
        ("bho", "हमार भाई शहर में काम करेला आ महीना में एक बेर घरे आवेला"),
        ("sun", "Lauk asin jeung sangu haneut ngeunah didahar isuk-isuk"),
        ("hin", "मेरा भाई शहर में काम करता है और महीने में एक बार घर आता है"),
        ("jav", "Adhiku sekolah ing desa lan saben dina mlaku karo kancane"),
    ] {
        assert_eq!(identifier.identify(text, None).to_string(), code, "{text}");
    }
}

#[test]
fn the_models_decide_between_kinyarwanda_and_rundi_where_cld2_is_often_wrong() {
    let identifier = Combined::new(Vec::new(), None);
    for (code, text) in [
        ("run", "Nyokuru arakora mu murima kubera ko bwari bwije."),
        ("run", "Mama yaguze ibitabu imbere y'uko izuba rirenga."),
        ("kin", "Nyogokuru akora mu murima buri gitondo hamwe n'abuzukuru be."),
    ] {
        assert_eq!(identifier.identify(text, None).to_string(), code, "{text}");
    }
}
