//! Language identification.
//!
//! The identifiers are CLD2 (`cld2.rs`), whose tables are compiled in, and identifiers with tables
//! trained from text. All of them use ISO 639-3 ([`LangCode`]). The crate `langbytes` counts bytes
//! per language over the blocks of a page.

mod alike;
mod cld2;
mod clean;
mod code;
mod combined;
mod density;
mod failure;
mod far;
mod grams;
mod guard;
mod heli;
mod identifier;
mod identify;
mod iso;
mod lanes;
mod list;
mod lm;
mod near;
mod pack;
mod prior;
mod probability;
mod scripts;
mod stop;
mod table;
mod train;
mod trigrams;
mod typical;
mod variety;
mod w2c;
pub mod words;
mod work;

pub use cld2::Cld2;
pub use clean::{clean, cleaned, comparable, is_vowel_sign};
pub use code::{LangCode, UnknownLanguage};
pub use combined::Combined;
pub use density::StopWordDensity;
pub use failure::{BadPack, Invalid};
pub use heli::{Heli, HeliSettings, Keep};
pub use identifier::{
    training_text, BadTrainingText, IdentifierName, Sources, UnknownIdentifier, MAX_TRAINING_TEXT,
};
pub use identify::{
    advice, append, check_returned, floor_char_boundary, identified, language_of, probability_of,
    related, Allowed, Identify, NotReturned, Run, IDENTIFIED_BYTES,
};
pub use lm::{restored::Budget, Fit, LanguageModel};
pub use near::neighbours;
pub use pack::{open_all, Language, Pack, FORMAT, MAX_LANGUAGES};
pub use stop::StopWords;
pub use train::{
    train, train_with, Text, TrainSettings, WordCounts, FEW_WORDS, HANDICAP, MAX_ENTRIES,
};
pub use trigrams::Trigrams;
pub use typical::typical_words;
pub use variety::{
    is_variety_name, open_varieties, train_classes, train_varieties, ClassFigures, Classes,
    Confident, Labelled, Validation, Varieties, Variety, VarietyText, CLASS_WORDS, MIN_CLASS_TEXTS,
    MIN_VARIETY_LINES, MIN_VARIETY_SCORE, NO_VARIETY, VARIETY_WORDS,
};
pub use w2c::{W2c, W2cSettings};
pub use work::{work, Work};
