//! Letters beyond ASCII that occur together in Latin alphabets. They distinguish encodings in which
//! the same bytes are letters.

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

/// Share of a text's Latin letters beyond ASCII that are in the best alphabet; 1 without such
/// letters.
pub(crate) fn fit(text: &str) -> f64 {
    let is_letter = |c: &char| {
        matches!(c, '\u{aa}' | '\u{ba}' | '\u{c0}'..='\u{24f}') && !matches!(c, '×' | '÷')
    };
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    text.chars()
        .filter(is_letter)
        .flat_map(char::to_lowercase)
        .for_each(|c| *counts.entry(c).or_default() += 1);
    let covered = |alphabet: &&str| {
        counts.iter().filter(|(c, _)| alphabet.contains(**c)).map(|(_, n)| n).sum::<usize>()
    };
    let most = ALPHABETS.iter().map(covered).max().unwrap_or_default();
    match counts.values().sum::<usize>() {
        0 => 1.0,
        letters => most as f64 / letters as f64,
    }
}
