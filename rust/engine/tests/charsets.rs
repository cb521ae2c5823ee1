//! Pages under false labels: the engine knows the encodings of its target language.
//!
//! `cargo test --release -p engine --test charsets -- --nocapture` prints the table.
#![allow(clippy::unwrap_used)]

use content::Extractor;
use encoding_rs::Encoding;
use engine::{Engine, PageHints, Settings};
use std::path::{Path, PathBuf};

const CZECH: &str = "Příliš žluťoučký kůň úpěl ďábelské ódy, když večer přišel déšť na pole.";
const TURKISH: &str = "Köyün eski değirmeni yıllar sonra küçük bir müzeye dönüştü ve açıldı.";
const LITHUANIAN: &str = "Senąjį malūną žmonės pavertė mažu muziejumi prie gražaus ežero.";
const SPANISH: &str = "El molino del pueblo será un museo pequeño después de muchos años.";

fn engine(targets: &str) -> Engine {
    let mut settings: Settings =
        serde_json::from_value(serde_json::json!({ "target": targets })).unwrap();
    settings.extractor = Extractor::Text;
    Engine::new(settings).unwrap()
}

/// The bytes of a page with a text, or `None` if the encoding does not have all its characters.
fn page(text: &str, encoding: &str) -> Option<Vec<u8>> {
    let encoding = Encoding::for_label(encoding.as_bytes()).unwrap();
    let (bytes, _, lost) = encoding.encode(text);
    let is_whole = !lost && encoding.decode_without_bom_handling(&bytes).0 == text;
    is_whole.then(|| [b"<title></title><p>", &*bytes, b"</p>"].concat())
}

/// Returns whether the engine restores a text from a page that is labelled so.
fn is_restored(engine: &Engine, text: &str, encoding: &str, label: &str) -> Option<bool> {
    let content_type = format!("text/html; charset={label}");
    let hints = PageHints { content_type: Some(&content_type), ..PageHints::default() };
    let record = engine.page(&page(text, encoding)?, &hints);
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    Some(words(&record.text) == words(text))
}

#[test]
fn a_page_in_the_target_language_needs_no_true_label() {
    let cases = [
        ("ces", "windows-1250", CZECH),
        ("ces", "iso-8859-2", CZECH),
        ("tur", "windows-1254", TURKISH),
        ("lit", "windows-1257", LITHUANIAN),
        ("tur,lit", "windows-1257", LITHUANIAN),
    ];
    for (targets, encoding, text) in cases {
        for label in ["iso-8859-1", "utf-8", "windows-1251", encoding] {
            let restored = is_restored(&engine(targets), text, encoding, label);
            assert_eq!(restored, Some(true), "{targets} {encoding} {label}");
        }
    }
}

#[test]
fn a_page_in_another_language_keeps_its_label() {
    let others = [
        ("windows-1252", SPANISH),
        ("windows-1252", "Le vieux moulin, fermé à la fête, deviendra bientôt un musée."),
        ("windows-1251", "Старая мельница у озера стала маленьким музеем."),
        ("windows-1254", TURKISH),
        ("utf-8", CZECH),
    ];
    for (encoding, text) in others {
        assert_eq!(is_restored(&engine("ces"), text, encoding, encoding), Some(true), "{text}");
    }
    assert_eq!(
        is_restored(&engine("ces,spa"), SPANISH, "windows-1252", "windows-1252"),
        Some(true)
    );
}

/// Lines of the shared development and training texts of a language.
fn texts(language: &str) -> Option<Vec<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared =
        std::env::var_os("CORPULYZER_SHARED").map_or_else(|| root.join("../shared"), PathBuf::from);
    let mut lines = Vec::new();
    for part in ["dev", "train"] {
        let file = shared.join("data/langid").join(part).join(format!("{language}.txt"));
        lines.extend(std::fs::read_to_string(file).ok()?.lines().map(str::to_owned));
    }
    let most = if cfg!(debug_assertions) { 20 } else { 200 };
    lines.retain(|line| !line.is_ascii());
    lines.truncate(most);
    Some(lines)
}

#[test]
fn one_page_in_a_hundred_is_damaged_by_a_false_label_at_most() {
    let cases = [
        ("ces", "windows-1250"),
        ("ces", "iso-8859-2"),
        ("hun", "windows-1250"),
        ("hun", "iso-8859-2"),
        ("pol", "windows-1250"),
        ("pol", "iso-8859-2"),
        ("ron", "windows-1250"),
        ("tur", "windows-1254"),
        ("lav", "windows-1257"),
        ("lit", "windows-1257"),
    ];
    let others = ["deu", "fra", "spa", "por", "ita", "swe", "fin", "isl", "cat", "gle"];
    let (mut restored, mut pages) = (0, 0);
    for (target, encoding) in cases {
        let Some(lines) = texts(target) else {
            println!("skipped: the shared language samples are not here (CORPULYZER_SHARED)");
            return;
        };
        let (own, none) = (engine(target), engine("urd"));
        let share = |engine: &Engine, label: &str| {
            let found = lines.iter().filter_map(|line| is_restored(engine, line, encoding, label));
            let found: Vec<bool> = found.collect();
            (found.iter().filter(|it| **it).count(), found.len())
        };
        let mut rows = [(0, 0); 3];
        for label in ["utf-8", "iso-8859-1", "windows-1251"] {
            for (row, found) in rows.iter_mut().zip([share(&none, label), share(&own, label)]) {
                *row = (row.0 + found.0, row.1 + found.1);
            }
        }
        rows[2] = share(&own, encoding);
        let percent = rows.map(|(part, all)| part as f64 * 100.0 / all.max(1) as f64);
        (restored, pages) = (restored + rows[1].0, pages + rows[1].1);
        assert!(percent[2] >= 99.0, "{target} {encoding}: {percent:?}");
        let other = others.map(|language| {
            let lines = texts(language).unwrap_or_default();
            let kept = |line: &String| is_restored(&own, line, "windows-1252", "windows-1252");
            let found: Vec<bool> = lines.iter().take(100).filter_map(kept).collect();
            (found.iter().filter(|it| **it).count(), found.len())
        });
        let other = other.iter().fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
        println!(
            "{target} {encoding:12} false label, another target {:5.1} %, target {:5.1} %, true label {:5.1} %; pages in other languages {} of {}",
            percent[0], percent[1], percent[2], other.0, other.1
        );
        assert!(other.0 * 100 >= other.1 * 99, "{target}: {other:?}");
    }
    println!("false labels: {restored} of {pages} pages are restored");
    assert!(restored * 100 >= pages * 99, "{restored} of {pages}");
}
