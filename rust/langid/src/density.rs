//! The language with the largest share of stop words, as SpiderLing's first language filter (by
//! jusText's lists of stop words) measures it for one language.

use crate::pack::Pack;
use crate::stop::is_frequent;
use crate::words::for_each_word;
use crate::{Allowed, Identify, LangCode};
use std::collections::BTreeMap;

/// Least share of stop words, as for jusText's paragraphs.
const MIN_DENSITY: f64 = 0.30;

/// The identifier. A word counts for each language of its script that has it as a stop word, see
/// [`StopWords`](crate::StopWords); the language with the most is the result, if they are enough.
#[derive(Debug)]
pub struct StopWordDensity {
    packs: Vec<Pack>,
    /// By pack and section the number of each language in `languages`.
    sections: Vec<Vec<Vec<usize>>>,
    languages: Vec<LangCode>,
}

impl StopWordDensity {
    /// Creates the identifier for the languages of these packs.
    pub fn new(packs: Vec<Pack>) -> Self {
        let mut numbers: BTreeMap<LangCode, usize> = BTreeMap::new();
        for (language, _) in packs.iter().flat_map(Pack::languages) {
            numbers.insert(language.code, 0);
        }
        numbers.values_mut().zip(0..).for_each(|(number, at)| *number = at);
        let sections = packs
            .iter()
            .map(|pack| {
                let of = |languages: &[crate::Language]| {
                    languages.iter().map(|language| numbers[&language.code]).collect()
                };
                pack.sections.iter().map(|section| of(&section.languages)).collect()
            })
            .collect();
        Self { packs, sections, languages: numbers.into_keys().collect() }
    }

    /// Counts a word for each language that has it as a stop word, once.
    fn count(&self, word: &crate::words::Word, counts: &mut [(u32, u32)], number: u32) {
        for (pack, sections) in self.packs.iter().zip(&self.sections) {
            for (section, languages) in pack.sections.iter().zip(sections) {
                if section.script != word.script {
                    continue;
                }
                crate::stop::costs(pack, section, word, |language, cost| {
                    let count = languages.get(usize::from(language)).map(|at| &mut counts[*at]);
                    // Several models of a language have the word.
                    if let Some((count, last)) = count.filter(|(_, last)| *last != number) {
                        if is_frequent(cost) {
                            *count += 1;
                            *last = number;
                        }
                    }
                });
            }
        }
    }
}

impl Identify for StopWordDensity {
    fn identify(&self, text: &str, allowed: Allowed) -> LangCode {
        let mut counts = vec![(0, 0); self.languages.len()];
        let mut words = 0;
        for_each_word(text, |word| {
            words += 1;
            self.count(&word, &mut counts, words);
        });
        let is_allowed =
            |at: &usize| allowed.is_none_or(|allowed| allowed.contains(&self.languages[*at]));
        let best = (0..counts.len()).filter(is_allowed).max_by_key(|&at| counts[at].0);
        let Some(best) = best else { return LangCode::UND };
        let count = counts[best].0;
        let is_alone =
            (0..counts.len()).filter(is_allowed).all(|at| at == best || counts[at].0 < count);
        if is_alone && f64::from(count) >= MIN_DENSITY * f64::from(words) && count > 0 {
            self.languages[best]
        } else {
            LangCode::UND
        }
    }

    fn languages(&self) -> Vec<LangCode> {
        self.languages.clone()
    }

    fn version(&self) -> String {
        let mut hasher = crc32fast::Hasher::new();
        self.packs.iter().for_each(|pack| hasher.update(&pack.checksum().to_le_bytes()));
        format!("stop-words/1-{:08x}", hasher.finalize())
    }
}

#[cfg(test)]
mod tests {
    use super::StopWordDensity;
    use crate::{Identify, LangCode, Pack};

    #[test]
    fn the_language_with_the_most_stop_words_is_found() {
        let identifier = StopWordDensity::new(Pack::shipped().into());
        let of = |text: &str| identifier.identify(text, None).as_str().to_owned();
        assert_eq!(
            of("The house that was on the hill is not for us, and they have no other"),
            "eng"
        );
        assert_eq!(
            of("Das Haus auf dem Berg ist nicht für uns, und sie haben kein anderes"),
            "deu"
        );
        assert_eq!(of("یہ کتاب ہمارے لیے بہت اچھی ہے اور اس کے بعد وہ بھی آئے گا"), "urd");
        assert_eq!(of("Xylophone Zanzibar Quetzalcoatl"), "und");
        assert_eq!(of(""), "und");
        let german: LangCode = "deu".parse().expect("a code");
        let english = "the house that was on the hill";
        assert_eq!(identifier.identify(english, Some(&[german])), LangCode::UND);
        assert!(identifier.languages().contains(&german));
    }
}
