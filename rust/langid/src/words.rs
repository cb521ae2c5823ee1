//! Splitting of text into words, for all trained identifiers.
//!
//! A word is a run of letters, marks and apostrophes in one script. It is folded, so that the
//! spellings of a word are equal: letters and their accents in one character (as in NFC; Vietnamese
//! is often written with separate accents), lower case, one apostrophe, the Arabic letters yeh and
//! kaf in one form (Arabic ي ى ك and Persian ی ک are used for each other), no tatweel and no joiner
//! (U+200C and U+200D affect the shapes of letters and do not end a word). Forms of letters are
//! replaced by the letters: presentation forms, full-width letters, the letters of formulas. Letters
//! of another script that only look like those of the word are replaced too (`alike.rs`).

use crate::alike;
use crate::clean::{is_apostrophe, one_form};
use std::ops::{ControlFlow, Range};
use std::sync::OnceLock;
use unicode_normalization::char::{compose, decompose_canonical};
use unicode_normalization::UnicodeNormalization;
use unicode_script::{Script as UnicodeScript, UnicodeScript as _};

/// Longest word, in characters. In scripts without spaces (Thai, Khmer, Burmese, Han) a run is a
/// whole sentence, and only its character sequences are useful.
pub(crate) const MAX_WORD: usize = 32;

/// A Unicode script, or a group that one language mixes: Han, Hiragana, Katakana and Bopomofo are
/// one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Script(UnicodeScript);

impl Script {
    /// Signs, digits, and characters without a script: they end a word.
    pub const NONE: Script = Script(UnicodeScript::Common);
    /// Marks and apostrophes: they belong to the word around them.
    pub(crate) const INHERITED: Script = Script(UnicodeScript::Inherited);
    pub(crate) const LATIN: Script = Script(UnicodeScript::Latin);
    pub(crate) const CYRILLIC: Script = Script(UnicodeScript::Cyrillic);
    pub(crate) const ARABIC: Script = Script(UnicodeScript::Arabic);
    pub(crate) const GREEK: Script = Script(UnicodeScript::Greek);
    /// Upper bound of script numbers.
    pub const COUNT: usize = 256;

    /// Returns the script of a character.
    pub fn of(c: char) -> Script {
        match u16::try_from(u32::from(c)) {
            Ok(bmp) => classes()[usize::from(bmp)].script,
            Err(_) => classify(c).1,
        }
    }

    /// Returns a number below [`Script::COUNT`], which is constant while the program runs.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the script's ISO 15924 code, such as `Arab`.
    pub fn tag(self) -> &'static str {
        self.0.short_name()
    }

    /// Returns its English name, such as `Arabic`.
    pub fn name(self) -> &'static str {
        self.0.full_name()
    }

    /// Returns the script of an ISO 15924 code; `None` for an unused code or one without a script.
    pub fn of_tag(tag: &str) -> Option<Script> {
        UnicodeScript::from_short_name(tag).map(Script).filter(|script| script.is_some())
    }

    /// Returns whether this is a real script.
    pub fn is_some(self) -> bool {
        self != Self::NONE && self != Self::INHERITED
    }
}

impl Ord for Script {
    /// Orders by code.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.tag().cmp(other.tag())
    }
}

impl PartialOrd for Script {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// A set of scripts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Scripts([u64; Script::COUNT / 64]);

impl Scripts {
    fn bit(script: Script) -> (usize, u64) {
        (script.index() / 64, 1 << (script.index() % 64))
    }

    /// Returns whether the set has a script.
    pub fn contains(&self, script: Script) -> bool {
        let (word, bit) = Self::bit(script);
        self.0[word] & bit != 0
    }

    /// Removes a script.
    pub fn remove(&mut self, script: Script) {
        let (word, bit) = Self::bit(script);
        self.0[word] &= !bit;
    }

    /// Returns whether the set has no script.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl FromIterator<Script> for Scripts {
    fn from_iter<I: IntoIterator<Item = Script>>(scripts: I) -> Self {
        let mut set = Self::default();
        for script in scripts {
            let (word, bit) = Self::bit(script);
            set.0[word] |= bit;
        }
        set
    }
}

/// A word of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word<'a> {
    /// Its folded characters, at least one of them a letter.
    pub letters: &'a [char],
    /// First byte in the text, before folding.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// The script of its letters.
    pub script: Script,
}

impl Word<'_> {
    /// Returns the byte range of the word in the text.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// Calls `each` for every word of a text, in order. Time is linear in the text; memory is that of
/// one word.
pub fn for_each_word(text: &str, mut each: impl FnMut(Word)) {
    let _: ControlFlow<()> = try_for_each_word(text, |word| {
        each(word);
        ControlFlow::Continue(())
    });
}

/// [`for_each_word`] until `each` breaks; returns what it breaks with.
pub fn try_for_each_word<B>(
    text: &str,
    mut each: impl FnMut(Word) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut word = Unfinished::default();
    let classes = classes();
    for (at, c) in text.char_indices() {
        let class = match u16::try_from(u32::from(c)) {
            Ok(bmp) => classes[usize::from(bmp)],
            Err(_) => Class::of(c),
        };
        // Almost all characters of words take this branch.
        if class.is_letter && class.script == word.script && word.count < MAX_WORD {
            word.push(class.folded);
        } else if class.script == Script::NONE {
            word.finish(at, &mut each)?;
            word.is_of_mixture = false;
        } else if class.folded == IGNORED {
            // An ignored character neither begins nor ends a word.
        } else {
            if is_accent(class.folded) && word.compose(class.folded) {
                continue;
            }
            let other =
                class.script.is_some() && word.script.is_some() && class.script != word.script;
            if other && !word.is_of_mixture && word.count < MAX_WORD {
                if let Some(letter) = word.join(&text[word.start..], class) {
                    word.push(letter);
                    continue;
                }
            }
            word.is_of_mixture |= other;
            if other || word.count == MAX_WORD {
                word.finish(at, &mut each)?;
            }
            if class.script.is_some() {
                word.script = class.script;
            }
            if word.count == 0 {
                word.start = at;
            }
            if is_form(c) {
                letters_of_form(c).for_each(|c| word.push(fold(c)));
                continue;
            }
            word.push(class.folded);
        }
    }
    word.finish(text.len(), &mut each)
}

/// The last word of a text while it is read.
struct Unfinished {
    letters: [char; MAX_WORD],
    count: usize,
    start: usize,
    /// The script of its letters, [`Script::INHERITED`] before the first one.
    script: Script,
    /// Whether letters of another script are right before it.
    is_of_mixture: bool,
}

impl Default for Unfinished {
    fn default() -> Self {
        Self {
            letters: [IGNORED; MAX_WORD],
            count: 0,
            start: 0,
            script: Script::INHERITED,
            is_of_mixture: false,
        }
    }
}

impl Unfinished {
    /// Adds a character; there must be room for it.
    #[inline]
    fn push(&mut self, letter: char) {
        if let Some(free) = self.letters.get_mut(self.count) {
            *free = letter;
            self.count += 1;
        }
    }

    /// Composes the last character and an accent, and returns whether this is possible. A dot below
    /// goes before the accent above that the character has already: `\u{e9}\u{323}` is
    /// `\u{1eb9}\u{301}`.
    fn compose(&mut self, accent: char) -> bool {
        let Some(last) = self.letters[..self.count].last_mut() else { return false };
        if let Some(composed) = compose(*last, accent) {
            *last = composed;
            return true;
        }
        if accent != DOT_BELOW {
            return false;
        }
        let (mut parts, mut count) = ([IGNORED; 2], 0);
        decompose_canonical(*last, |part| {
            parts[count.min(1)] = part;
            count += 1;
        });
        let [letter, above] = parts;
        let Some(below) = compose(letter, accent).filter(|_| count == 2) else { return false };
        match compose(below, above) {
            Some(both) => *last = both,
            None => {
                *last = below;
                self.push(above);
            }
        }
        true
    }

    /// Returns a letter of another script as a letter of this word, whose script it may change;
    /// `None` if it belongs to the next word. `rest` is the text from the word on.
    fn join(&mut self, rest: &str, class: Class) -> Option<char> {
        let script = alike::script_of(rest, self.script, class.script)?;
        if script == self.script {
            return Some(alike::in_script(class.folded, script).unwrap_or(class.folded));
        }
        for letter in &mut self.letters[..self.count] {
            *letter = alike::in_script(*letter, script).unwrap_or(*letter);
        }
        self.script = script;
        Some(class.folded)
    }

    /// Removes the points of a Hebrew word, unless they are those of Yiddish.
    fn remove_points(&mut self) {
        let letters = &mut self.letters[..self.count];
        if letters.iter().any(|&c| is_point(c)) && is_pointed(letters) {
            let mut kept = 0;
            for at in 0..letters.len() {
                if !is_point(letters[at]) {
                    letters[kept] = letters[at];
                    kept += 1;
                }
            }
            self.count = kept;
        }
    }

    /// Passes the word to `each` if it has a letter, and begins the next one. `end` is the first
    /// byte that is not part of the word.
    #[inline]
    fn finish<B>(
        &mut self,
        end: usize,
        each: &mut impl FnMut(Word) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.script == Script(UnicodeScript::Hebrew) {
            self.remove_points();
        }
        if self.script.is_some() && self.count > 0 {
            let letters = self.letters.get(..self.count).unwrap_or_default();
            each(Word { letters, start: self.start, end, script: self.script })?;
        }
        (self.count, self.script) = (0, Script::INHERITED);
        ControlFlow::Continue(())
    }
}

/// Marks characters that are part of a word and are removed by folding.
pub(crate) const IGNORED: char = '\0';

/// The part that a character has in a word.
#[derive(Clone, Copy)]
struct Class {
    /// The folded form; [`IGNORED`] for none.
    folded: char,
    script: Script,
    /// Whether the character has a folded form and a script, and is not composed with another
    /// letter.
    is_letter: bool,
}

impl Class {
    fn of(c: char) -> Self {
        let (folded, script) = classify(c);
        let class = Self::new(folded, script);
        Self { is_letter: class.is_letter && !is_form(c), ..class }
    }

    fn new(folded: char, script: Script) -> Self {
        let is_letter = script.is_some() && folded != IGNORED && !is_accent(folded);
        Self { folded, script, is_letter }
    }
}

/// Returns the classes of the characters of the Basic Multilingual Plane.
fn classes() -> &'static [Class; 1 << 16] {
    static CLASSES: OnceLock<Box<[Class; 1 << 16]>> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let mut classes = vec![Class::new(IGNORED, Script::NONE); 1 << 16].into_boxed_slice();
        for (class, code) in classes.iter_mut().zip(0u32..) {
            *class = char::from_u32(code).map_or(*class, Class::of);
        }
        classes.try_into().unwrap_or_else(|_| unreachable!("it has that length"))
    })
}

/// Returns the folded form of a character, and its script: [`Script::NONE`] ends a word,
/// [`Script::INHERITED`] belongs to any.
pub(crate) fn classify(c: char) -> (char, Script) {
    match c {
        '\u{200c}' | '\u{200d}' | '\u{640}' | '\u{ad}' => return (IGNORED, Script::INHERITED),
        _ if is_apostrophe(c) => return ('\'', Script::INHERITED),
        _ => {}
    }
    let c = if is_form(c) { letters_of_form(c).next().unwrap_or(c) } else { c };
    let script = match c.script() {
        UnicodeScript::Common | UnicodeScript::Inherited | UnicodeScript::Unknown if is_mark(c) => {
            Script::INHERITED
        }
        // The modifier letters for glottal stops and similar sounds.
        UnicodeScript::Common if ('\u{2b0}'..='\u{2ff}').contains(&c) => Script::INHERITED,
        UnicodeScript::Common | UnicodeScript::Inherited | UnicodeScript::Unknown => {
            return (IGNORED, Script::NONE)
        }
        _ if !c.is_alphabetic() && !is_mark(c) => return (IGNORED, Script::NONE),
        UnicodeScript::Hiragana | UnicodeScript::Katakana | UnicodeScript::Bopomofo => {
            Script(UnicodeScript::Han)
        }
        script => Script(script),
    };
    (fold(c), script)
}

/// Returns whether a character is a vowel point or an accent of Hebrew.
fn is_point(c: char) -> bool {
    matches!(
        c,
        '\u{591}'
            ..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}' | '\u{5c4}' | '\u{5c5}' | '\u{5c7}'
    )
}

/// Returns whether a word of Hebrew script has points that Yiddish lacks. Yiddish has only some, and
/// patah and qamats only under alef and yod. They are part of its spelling; all others are rarely
/// written, and no model has them.
fn is_pointed(word: &[char]) -> bool {
    let mut letter = IGNORED;
    word.iter().any(|&c| match c {
        '\u{5b7}' | '\u{5b8}' => !matches!(letter, 'א' | 'י' | 'ײ'),
        '\u{5b4}' | '\u{5bc}' | '\u{5bf}' | '\u{5c2}' => false,
        _ if is_point(c) => true,
        _ => {
            letter = c;
            false
        }
    })
}

/// Returns a Greek letter of the old spelling, which has three accents and two breathings, in the
/// spelling since 1982: with an acute or none.
fn monotonic(c: char) -> char {
    let mut parts = c.to_lowercase().nfd();
    let letter = parts.next().unwrap_or(c);
    let is_stressed = parts.any(|mark| matches!(mark, '\u{300}' | '\u{301}' | '\u{342}'));
    let stressed = is_stressed.then(|| compose(letter, '\u{301}')).flatten();
    stressed.unwrap_or(letter)
}

/// The dot below, and the line below that replaces it in Yoruba.
const DOT_BELOW: char = '\u{323}';
const LINE_BELOW: char = '\u{329}';

/// Returns the folded form of a letter.
fn fold(c: char) -> char {
    match c {
        LINE_BELOW => return DOT_BELOW,
        '\u{1f00}'..='\u{1fff}' => return monotonic(c),
        _ => {}
    }
    // If the lower case has several characters (İ), the first one is kept.
    one_form(c).to_lowercase().next().unwrap_or(c)
}

/// Letters of Yiddish that are canonically two characters. Its models have them as they are.
const OF_YIDDISH: [char; 12] = [
    '\u{fb1d}', '\u{fb1f}', '\u{fb2b}', '\u{fb2e}', '\u{fb2f}', '\u{fb35}', '\u{fb3b}', '\u{fb44}',
    '\u{fb4a}', '\u{fb4c}', '\u{fb4d}', '\u{fb4e}',
];

/// Returns whether a letter is a form of one or several others: of Arabic or Hebrew script or a
/// ligature, such as old programs and text from PDFs have (`ﻼ` is lam and alef); a full-width
/// letter, or a half-width one of Katakana; or a letter of formulas, which people use as a style.
fn is_form(c: char) -> bool {
    match c {
        ..'\u{2102}' => false,
        '\u{fb1d}'..='\u{fb4f}' => c.is_alphabetic() && !OF_YIDDISH.contains(&c),
        '\u{2102}'..='\u{2139}'
        | '\u{fb00}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefc}'
        | '\u{ff21}'..='\u{ff3a}'
        | '\u{ff41}'..='\u{ff5a}'
        | '\u{ff66}'..='\u{ff9d}'
        | '\u{1d400}'..='\u{1d7cb}' => c.is_alphabetic(),
        _ => false,
    }
}

/// Returns the letters that a form stands for.
fn letters_of_form(c: char) -> impl Iterator<Item = char> {
    std::iter::once(c).nfkc().filter(|c| c.is_alphabetic())
}

/// Returns whether a mark may be part of a letter that Unicode also has as one character.
#[inline]
fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{653}'..='\u{655}')
}

fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        for_each_word(text, |word| words.push(word.letters.iter().collect()));
        words
    }

    #[test]
    fn words_are_folded_runs_of_letters() {
        assert_eq!(words("Don’t STOP, 3 x 4km!"), ["don't", "stop", "x", "km"]);
        assert_eq!(words("  "), [""; 0]);
        assert_eq!(words("12 ' 34"), [""; 0]);
    }

    #[test]
    fn forms_of_letters_are_the_letters() {
        assert_eq!(words("Ｆｕｌｌ ｗｉｄｔｈ，ｂｙ １２ ｋｍ"), ["full", "width", "by", "km"]);
        assert_eq!(words("𝐁𝐨𝐥𝐝 𝓈𝒸𝓇ℴ𝓁𝓁 ℌ𝔬𝔣 𝟙𝟚 𝛼𝛽"), ["bold", "scroll", "hof", "αβ"]);
        assert_eq!(words("the ﬁnal oﬀer ﬅop"), ["the", "final", "offer", "stop"]);
        assert_eq!(words("ﬠﬡﬦ ﺳﻼﻡ"), ["עאם", "سلام"]);
        // Only some of its letters are in one character, and people write both.
        assert_eq!(words("\u{fb2e}ז\u{fb44}"), ["\u{fb2e}ז\u{fb44}"]);
        assert_eq!(words("5 ﷼ № 3 ™"), [""; 0]);
    }

    #[test]
    fn separate_accents_join_their_letter() {
        assert_eq!(words("Tie\u{302}\u{301}ng И\u{306}од a\u{30b}"), ["tiếng", "йод", "a\u{30b}"]);
        let text = "no\u{302}i ta";
        let mut found = Vec::new();
        for_each_word(text, |word| found.push(&text[word.range()]));
        assert_eq!(found, ["no\u{302}i", "ta"]);
    }

    #[test]
    fn a_line_below_is_a_dot_below_in_any_order_with_accents() {
        let expected = ["ẹ\u{301}kọ", "ṣe"];
        assert_eq!(words("e\u{329}\u{301}ko\u{329} s\u{329}e"), expected);
        assert_eq!(words("\u{e9}\u{329}ko\u{329} s\u{329}e"), expected);
        assert_eq!(words("\u{e9}\u{323}kọ ṣe"), expected);
        assert_eq!(words("Vi\u{ea}\u{323}t"), ["việt"]);
    }

    #[test]
    fn greek_of_the_old_spelling_is_spelled_anew() {
        assert_eq!(
            words("Ὅλοι οἱ ἄνθρωποι γεννιοῦνται ἐλεύθεροι"),
            words("Όλοι οι άνθρωποι γεννιούνται ελεύθεροι")
        );
    }

    #[test]
    fn points_of_hebrew_are_removed_and_those_of_yiddish_are_not() {
        assert_eq!(words("הָלַךְ הַיֶּלֶד"), ["הלך", "הילד"]);
        assert_eq!(words("דאָס וואַסער פּאַפּיר ײַ וּ"), ["דאָס", "וואַסער", "פּאַפּיר", "ײַ", "וּ"]);
    }

    #[test]
    fn joiners_and_tatweel_leave_no_trace() {
        assert_eq!(words("می\u{200c}روم كتـــاب يک"), ["میروم", "کتاب", "یک"]);
    }

    #[test]
    fn forms_of_arabic_letters_are_these_letters() {
        assert_eq!(words("\u{fee3}\u{feae}\u{fea3}\u{fe92}\u{fe8e}"), ["مرحبا"]);
        assert_eq!(words("ب\u{fefc}"), ["بلا"]);
        assert_eq!(words("\u{fbff}\u{fb95}"), ["یگ"]);
    }

    #[test]
    fn a_change_of_script_ends_a_word() {
        assert_eq!(words("PDFفائل"), ["pdf", "فائل"]);
        assert_eq!(words("日本のカメラ"), ["日本のカメラ"]);
    }

    #[test]
    fn letters_of_another_script_that_look_alike_are_those_of_the_word() {
        assert_eq!(
            words("iсь вöвлi Öтi чăвашла Æмæ æз həм"),
            words("ісь вӧвлі Ӧті чӑвашла Ӕмӕ ӕз һәм")
        );
        assert_eq!(words("tεγri lεε mеanа"), ["tɛɣri", "lɛɛ", "meana"]);
        assert_eq!(words("o\u{308}тi"), ["ӧті"]);
        // Letters that cannot be of one script are words of two.
        assert_eq!(words("Windowsтың Δx"), ["windows", "тың", "δ", "x"]);
        assert_eq!(words("fәye"), ["f", "ә", "ye"]);
        assert_eq!(words("qәdәr Müәllim әvvәl"), words("qədər müəllim əvvəl"));
        assert_eq!(words("xәбәр çәп"), words("хәбәр ҫәп"));
        assert!(words(&"aб".repeat(17)).iter().all(|word| word.chars().count() == 1));
    }

    #[test]
    fn ranges_are_those_of_the_text() {
        let text = "a «Straße» کتاب";
        let mut found = Vec::new();
        for_each_word(text, |word| found.push(&text[word.range()]));
        assert_eq!(found, ["a", "Straße", "کتاب"]);
    }

    #[test]
    fn a_word_without_end_is_cut() {
        let found = words(&"ก".repeat(100));
        assert_eq!(found.len(), 4);
        assert!(found.iter().all(|word| word.chars().count() <= MAX_WORD));
    }
}
