//! Prints the table `languages.tsv` of the Java side: of every language that can be counted its ISO
//! 639-3 code, its ISO 639-1 code (`-` for none), its English name, and words that are typical of
//! it (none for a language without models).
//!
//! `cargo run --release -p langid --example languages >
//! java/engine/src/main/resources/org/corpulyzer/engine/languages.tsv`

use langid::{typical_words, Combined, Identify, Pack};

fn main() {
    let packs = Pack::shipped();
    println!("# Made by `cargo run --release -p langid --example languages`: code, other codes, name, typical words.");
    for code in Combined::new(Vec::new(), None).languages() {
        let words = packs
            .iter()
            // Of equally many words those of the first pack: it has more of the other languages.
            .rev()
            .map(|pack| typical_words(pack, code, 40))
            .max_by_key(Vec::len)
            .unwrap_or_default();
        let words = if words.len() < 12 { Vec::new() } else { words };
        let others: Vec<&str> = code.short().into_iter().chain(code.represents()).collect();
        let others = if others.is_empty() { "-".to_owned() } else { others.join(",") };
        println!("{code}\t{others}\t{}\t{}", code.name(), words.join(" "));
    }
}
