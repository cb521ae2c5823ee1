//! Identifiers that learn from texts, as identifiers of an engine.

use engine::{Engine, PageHints, Settings, Status};
use langid::{IdentifierName, LangCode};
use std::path::{Path, PathBuf};

const URDU: &str = "یہ کتاب بہت اچھی ہے اور ہم سب اس کو روز پڑھتے ہیں۔ وہ آج بھی شہر میں رہتا ہے \
                    لیکن اس کا بھائی گاؤں چلا گیا ہے۔";
const ENGLISH: &str =
    "The book is very good and all of us read it every day. He still lives in the \
                       town, but his brother has gone to the village.";

fn code(text: &str) -> LangCode {
    text.parse().expect("a code")
}

/// Writes the texts into a folder and returns settings that learn from them.
fn settings(folder: &Path, identifier: IdentifierName) -> Settings {
    let texts: Vec<PathBuf> = [("urd", URDU), ("eng", ENGLISH)]
        .map(|(language, text)| {
            let file = folder.join(format!("{language}.txt"));
            std::fs::write(&file, text.repeat(40)).expect("written");
            file
        })
        .into();
    Settings { identifier, packs: texts, ..Settings::new(code("urd")) }
}

fn refusal(settings: Settings) -> String {
    Engine::new(settings).expect_err("refused").to_string()
}

#[test]
fn an_identifier_that_learns_from_texts_counts_the_bytes_of_a_page() {
    let folder = tempfile::tempdir().expect("a folder");
    for identifier in IdentifierName::ALL.into_iter().filter(|name| name.needs_texts()) {
        let engine = Engine::new(settings(folder.path(), identifier)).expect("an engine");
        let page = format!("<p>{}</p><p>{}</p>", URDU.repeat(8), ENGLISH.repeat(4));
        let record = engine.page(page.into_bytes(), &PageHints::default());
        assert_eq!(record.status, Status::Ok);
        let bytes = |language| record.languages.bytes(code(language));
        assert!(bytes("urd") > 1_000, "{identifier}: {} bytes", bytes("urd"));
        assert!(bytes("eng") < bytes("urd"), "{identifier}");
        let name = identifier.as_str().trim_end_matches("-short");
        assert!(record.version.contains(&format!(" {name}/1-")), "{}", record.version);
    }
}

#[test]
fn another_training_text_is_another_record_version() {
    let folder = tempfile::tempdir().expect("a folder");
    let version = |settings| Engine::new(settings).expect("an engine").version().to_owned();
    let settings = settings(folder.path(), IdentifierName::Heli);
    let before = version(settings.clone());
    std::fs::write(&settings.packs[1], URDU).expect("written");
    assert_ne!(before, version(settings));
}

#[test]
fn texts_that_cannot_be_learned_from_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = settings(folder.path(), IdentifierName::Trigrams);
    let none = Settings { packs: Vec::new(), ..good.clone() };
    assert_eq!(
        refusal(none),
        "setting `packs` is empty, but identifier `trigrams` is trained from texts; name files \
         that are named after their languages, such as urd.txt"
    );
    for (name, text, said) in [
        ("notes.md", "text", "is named after no language, such as urd.txt"),
        ("und.txt", "text", "is named after no language, such as urd.txt"),
        ("pnb.txt", " \n", "has no text"),
        ("gone.txt", "", "is unknown"),
    ] {
        let file = folder.path().join(name);
        std::fs::write(&file, text).expect("written");
        let refused = refusal(Settings { packs: vec![file], ..good.clone() });
        assert!(refused.contains(name) || refused.contains("gone"), "{refused}");
        assert!(refused.starts_with("setting `packs`: ") && refused.contains(said), "{refused}");
    }
    let saraiki = Settings { targets: code("skr").into(), ..good };
    assert!(refusal(saraiki).contains("allowed are eng urd"));
}
