//! Stop words: the frequent words of a language, by its models.
//!
//! A pack has no list of words, but the cost of each word that it has. A word is a stop word if its
//! probability in the language's training text is at least 1/[`RAREST`].

use crate::lm::{word_key, UNITS_PER_BIT, WORD_STEP};
use crate::pack::{Pack, Section};
use crate::table::{ABSENT, NOWHERE};
use crate::words::{for_each_word, Word};
use crate::LangCode;
use std::sync::Arc;

/// A stop word is at least one of this number of words of running text.
const RAREST: f64 = 3000.0;

/// Scripts without spaces between words: a run of letters is a clause there, not a word.
pub(crate) const WITHOUT_SPACES: [&str; 7] =
    ["Hani", "Thai", "Laoo", "Khmr", "Mymr", "Tibt", "Lana"];

/// The stop words of one or several languages.
#[derive(Debug)]
pub struct StopWords {
    packs: Vec<Pack>,
    /// The models: pack, section, number of the language in the section.
    models: Vec<(usize, usize, u8)>,
}

impl StopWords {
    /// Returns the stop words of languages in these packs; `None` if no pack has one of them in a
    /// script with spaces between words.
    pub fn new(packs: Vec<Pack>, languages: &[LangCode]) -> Option<Self> {
        let mut models = Vec::new();
        for (at, pack) in packs.iter().enumerate() {
            for (number, section) in pack.sections.iter().enumerate() {
                if WITHOUT_SPACES.contains(&section.script.tag()) {
                    continue;
                }
                let own = |language: &&LangCode| {
                    section.languages.iter().position(|known| known.code == **language)
                };
                let found = languages.iter().filter_map(|language| own(&language));
                models.extend(
                    found
                        .filter_map(|language| u8::try_from(language).ok())
                        .map(|language| (at, number, language)),
                );
            }
        }
        (!models.is_empty()).then_some(Self { packs, models })
    }

    /// Returns the number of stop words and of all words in a text. Takes linear time.
    pub fn count(&self, text: &str) -> (usize, usize) {
        let (mut stop, mut words) = (0, 0);
        for_each_word(text, |word| {
            words += 1;
            stop += usize::from(self.has(&word));
        });
        (stop, words)
    }

    fn has(&self, word: &Word) -> bool {
        self.models.iter().any(|&(pack, section, language)| {
            let pack = &self.packs[pack];
            let section = &pack.sections[section];
            let mut found = false;
            if section.script == word.script {
                costs(pack, section, word, |number, cost| {
                    found |= number == language && is_frequent(cost);
                });
            }
            found
        })
    }
}

/// A frequent word is at least one of this number of words of running text.
const FREQUENT: f64 = 1000.0;

/// Returns how many words of two letters or more are frequent in a language, and how many such
/// words a text has in the scripts of the language's models; `None` if no pack has the language in
/// a script with spaces between words. Takes linear time.
pub(crate) fn frequent_words(
    packs: &[Arc<Pack>],
    text: &str,
    language: LangCode,
) -> Option<(usize, usize)> {
    let models: Vec<(&Pack, &Section, usize)> = models_of(packs, language)
        .into_iter()
        .filter(|(_, section, _)| !WITHOUT_SPACES.contains(&section.script.tag()))
        // A language alone in its script is not mistaken for another one.
        .filter(|(_, section, _)| section.languages.len() > 1)
        .collect();
    if models.is_empty() {
        return None;
    }
    let (mut frequent, mut words) = (0, 0);
    for_each_word(text, |word| {
        if word.letters.len() == 1 {
            return;
        }
        let (mut is_read, mut is_frequent) = (false, false);
        for (pack, section, own) in &models {
            if section.script == word.script {
                is_read = true;
                costs(pack, section, &word, |number, cost| {
                    is_frequent |= usize::from(number) == *own && is_function_word(cost);
                });
            }
        }
        words += usize::from(is_read);
        frequent += usize::from(is_frequent);
    });
    Some((frequent, words))
}

/// Returns the models of a language: pack, section, number in the section. A model that a later pack
/// replaces is left out.
fn models_of(packs: &[Arc<Pack>], language: LangCode) -> Vec<(&Pack, &Section, usize)> {
    let mut models: Vec<(&Pack, &Section, usize)> = Vec::new();
    for pack in packs {
        for section in &pack.sections {
            let own = section.languages.iter().position(|known| known.code == language);
            if let Some(own) = own {
                if section.languages[own].replaces {
                    models.retain(|(_, known, _)| known.script != section.script);
                }
                models.push((pack, section, own));
            }
        }
    }
    models
}

/// Calls `each` with the number and the cost of each language of a section that has a word.
pub(crate) fn costs(pack: &Pack, section: &Section, word: &Word, mut each: impl FnMut(u8, u8)) {
    let Some(table) = pack.table(section) else { return };
    let place = table.find(word_key(word.letters));
    if place != NOWHERE {
        table.list(place).for_each(|[language, cost]| each(language, cost));
    }
}

/// Returns true if the cost of a word in a language is that of one in [`FREQUENT`] words or more.
pub(crate) fn is_function_word(cost: u8) -> bool {
    cost != ABSENT && f64::from(cost) <= FREQUENT.log2() * UNITS_PER_BIT / f64::from(WORD_STEP)
}

/// Returns true if the cost of a word in a language is that of a stop word.
pub(crate) fn is_frequent(cost: u8) -> bool {
    let most = RAREST.log2() * UNITS_PER_BIT / f64::from(WORD_STEP);
    cost != ABSENT && f64::from(cost) <= most
}

#[cfg(test)]
mod tests {
    use super::StopWords;
    use crate::{LangCode, Pack};

    fn stop_words(codes: &[&str]) -> Option<StopWords> {
        let languages: Vec<LangCode> = codes.iter().filter_map(|code| code.parse().ok()).collect();
        StopWords::new(Pack::shipped().into(), &languages)
    }

    #[test]
    fn frequent_words_are_stop_words_and_names_are_none() {
        let english = stop_words(&["eng"]).expect("English has models");
        assert_eq!(english.count("The end of the war, and it was not theirs"), (8, 10));
        assert_eq!(english.count("Corpulyzer Xylophone Zürich"), (0, 3));
        assert_eq!(english.count("12 % \u{3}"), (0, 0));
        let urdu = stop_words(&["urd"]).expect("Urdu has models");
        assert_eq!(urdu.count("\u{6cc}\u{6c1} \u{6a9}\u{6d2} \u{6c1}\u{6d2}").0, 3);
        assert_eq!(urdu.count("the and of").0, 0);
    }

    #[test]
    fn several_languages_have_the_stop_words_of_each() {
        let both = stop_words(&["eng", "deu"]).expect("both have models");
        assert_eq!(both.count("the und"), (2, 2));
        assert_eq!(stop_words(&["deu"]).expect("German has models").count("the und"), (1, 2));
    }

    #[test]
    fn languages_without_a_model_or_without_spaces_have_none() {
        assert!(stop_words(&["tha"]).is_none());
        assert!(stop_words(&["zho"]).is_none());
        assert!(stop_words(&["akk"]).is_none());
        assert!(stop_words(&[]).is_none());
    }
}
