//! Letters beyond ASCII that occur together in Latin alphabets. They distinguish encodings in which
//! the same bytes are letters.

use encoding_rs::{
    Encoding, ISO_8859_13, ISO_8859_14, ISO_8859_16, ISO_8859_2, ISO_8859_3, ISO_8859_4,
    WINDOWS_1250, WINDOWS_1254, WINDOWS_1257,
};
use std::collections::BTreeMap;

/// Alphabets: small letters beyond ASCII in present use. Rare letters are left out, because their
/// bytes are frequent letters in other encodings.
const ALPHABETS: &[&str] = &[
    "àâæçéèêëîïôœùûü", // French
    "äöüßé",           // German
    "äëéèöüß",         // Luxembourgish
    "áéíñóúüºª",       // Spanish, Galician, Basque
    "àçèéíïòóúü",      // Catalan, Occitan
    "ãáàâçéêíóôõúºª",  // Portuguese
    "àèéìòù",          // Italian
    "åäöéü",           // Swedish, Finnish
    "æøåéèêôóòäö",     // Danish, Norwegian
    "áðéíóúýþæö",      // Icelandic
    "áðíóúýæø",        // Faroese
    "áéíóúàèìòù",      // Irish, Scottish Gaelic
    "âêîôûŵŷáéíïëöä",  // Welsh
    "éèëïöüáóêç",      // Dutch, Frisian
    "ñùêâôûü",         // Breton
    "áčđŋšŧž",         // Northern Sami
    "áâåäčđõŋšžöæøï",  // other Sami languages
    "ąćęłńóśźż",       // Polish
    "áčďéěíňóřšťúůýž", // Czech
    "áäčďéíľňóôšťúýž", // Slovak
    "áéíóöőúüű",       // Hungarian
    "ăâîșțşţ",         // Romanian
    "čćđšž",           // Bosnian, Croatian, Slovene
    "čćěłńřšžóź",      // Sorbian
    "ãąéëłńòóôùż",     // Kashubian
    "çë",              // Albanian
    "çğıi̇öşüâî",       // Turkish
    "əçğıi̇öşü",        // Azerbaijani
    "çêîşû",           // Kurdish
    "äçňöşüýž",        // Turkmen
    "äöõüšž",          // Estonian
    "ąčęėįšųūž",       // Lithuanian
    "āčēģīķļņšūž",     // Latvian
    "ċġħżàèìòù",       // Maltese
    "ĉĝĥĵŝŭ",          // Esperanto
];

/// A language whose pages were written in encodings that are often declared as another one: its
/// ISO 639-3 code, its small letters beyond ASCII, and these encodings.
type Row = (&'static str, &'static str, &'static [&'static Encoding]);

/// Central Europe, Turkey, the Baltic, and languages with an encoding of their own. Letters of the
/// languages' own names and of common loan words are left out, as in [`ALPHABETS`].
const EXPECTED: &[Row] = &[
    ("bos", "čćđšž", &[WINDOWS_1250, ISO_8859_2]),
    ("ces", "áčďéěíňóřšťúůýž", &[WINDOWS_1250, ISO_8859_2]),
    ("csb", "ãąéëłńòóôùż", &[WINDOWS_1250, ISO_8859_2]),
    ("dsb", "čćěłńŕśšžźó", &[WINDOWS_1250, ISO_8859_2]),
    ("hrv", "čćđšž", &[WINDOWS_1250, ISO_8859_2]),
    ("hsb", "čćěłńřšžó", &[WINDOWS_1250, ISO_8859_2]),
    ("hun", "áéíóöőúüű", &[WINDOWS_1250, ISO_8859_2]),
    ("pol", "ąćęłńóśźż", &[WINDOWS_1250, ISO_8859_2]),
    ("ron", "ăâîșțşţ", &[WINDOWS_1250, ISO_8859_2, ISO_8859_16]),
    ("slk", "áäčďéíľĺňóôŕšťúýž", &[WINDOWS_1250, ISO_8859_2]),
    ("slv", "čšžćđ", &[WINDOWS_1250, ISO_8859_2]),
    ("srp", "čćđšž", &[WINDOWS_1250, ISO_8859_2]),
    ("szl", "ãąćęłńŏōôõśźż", &[WINDOWS_1250, ISO_8859_2]),
    ("crh", "âçğıi̇ñöşü", &[WINDOWS_1254]),
    ("gag", "äçêıi̇öşţü", &[WINDOWS_1254]),
    ("kmr", "çêîşû", &[WINDOWS_1254]),
    ("tur", "çğıi̇öşüâîû", &[WINDOWS_1254]),
    ("zza", "çêğıi̇îşûü", &[WINDOWS_1254]),
    ("lav", "āčēģīķļņšūž", &[WINDOWS_1257, ISO_8859_13, ISO_8859_4]),
    ("lit", "ąčęėįšųūž", &[WINDOWS_1257, ISO_8859_13, ISO_8859_4]),
    ("ltg", "āčēģīķļņōšūž", &[WINDOWS_1257, ISO_8859_13, ISO_8859_4]),
    ("epo", "ĉĝĥĵŝŭ", &[ISO_8859_3]),
    ("mlt", "ċġħżàèìòù", &[ISO_8859_3]),
    ("cym", "âêîôûŵŷáéíïëöä", &[ISO_8859_14]),
];

/// The alphabet and the encodings that are expected of pages in a language, so that a false label
/// does not damage them.
#[derive(Debug, Clone, Copy)]
pub struct Expected {
    alphabet: &'static str,
    pub(crate) encodings: &'static [&'static Encoding],
}

impl Expected {
    /// Returns what is expected of a language by its ISO 639-3 code, or `None` if its encodings are
    /// recognised without it.
    pub fn of(code: &str) -> Option<Self> {
        let row = EXPECTED.iter().find(|(own, _, _)| *own == code)?;
        Some(Self { alphabet: row.1, encodings: row.2 })
    }

    /// Share of a text's Latin letters beyond ASCII that are in the language's alphabet; 0 without
    /// such letters.
    pub(crate) fn fit(&self, text: &str) -> f64 {
        let counts = letters(text);
        let known = counts.iter().filter(|(c, _)| self.alphabet.contains(**c));
        known.map(|(_, n)| n).sum::<usize>() as f64 / counts.values().sum::<usize>().max(1) as f64
    }
}

/// Share of a text's Latin letters beyond ASCII that are in the best alphabet; 1 without such
/// letters.
pub(crate) fn fit(text: &str) -> f64 {
    let counts = letters(text);
    let covered = |alphabet: &&str| {
        counts.iter().filter(|(c, _)| alphabet.contains(**c)).map(|(_, n)| n).sum::<usize>()
    };
    let most = ALPHABETS.iter().map(covered).max().unwrap_or_default();
    match counts.values().sum::<usize>() {
        0 => 1.0,
        letters => most as f64 / letters as f64,
    }
}

/// Small Latin letters beyond ASCII in a text, with their counts.
fn letters(text: &str) -> BTreeMap<char, usize> {
    let is_letter = |c: &char| {
        matches!(c, '\u{aa}' | '\u{ba}' | '\u{c0}'..='\u{24f}') && !matches!(c, '×' | '÷')
    };
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    text.chars()
        .filter(is_letter)
        .flat_map(char::to_lowercase)
        .for_each(|c| *counts.entry(c).or_default() += 1);
    counts
}
