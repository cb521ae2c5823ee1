//! Which language a text is in.
//!
//! One question, several identifiers that answer it: CLD2 (`cld2.rs`), whose tables are compiled in, and identifiers whose
//! tables are trained from text. All of them speak ISO 639-3 ([`LangCode`]). Counting bytes over the blocks of a page is the
//! work of the crate `langbytes`.

mod cld2;
mod code;
mod combined;
mod grams;
mod heli;
mod identify;
mod iso;
mod lm;
mod near;
mod pack;
mod table;
mod train;
mod typical;
mod w2c;
pub mod words;
mod work;

pub use cld2::Cld2;
pub use code::{LangCode, UnknownLanguage};
pub use combined::Combined;
pub use heli::{Heli, HeliSettings, Keep};
pub use identify::{append, floor_char_boundary, Allowed, Identify, Run};
pub use lm::LanguageModel;
pub use pack::{open_all, BadPack, Language, Pack, FORMAT, MAX_LANGUAGES};
pub use train::{train, Text, TrainSettings};
pub use typical::typical_words;
pub use w2c::{W2c, W2cSettings};
pub use work::{work, Work};
