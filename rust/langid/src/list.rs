//! The words of a text for several readings, so that the text is split once.

use crate::lm::word_key;
use crate::words::{for_each_word, Script, Word};

/// Most words that are kept: a long text is split for each reading, which takes less memory.
const MAX_KEPT: usize = 1 << 13;

/// A word without its letters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Listed {
    /// Its key in the tables.
    pub key: u64,
    /// Its first byte in the text.
    pub start: usize,
    /// One past its last byte in the text.
    pub end: usize,
    pub script: Script,
    /// Number of its letters.
    pub letters: u16,
}

impl Listed {
    fn of(word: &Word) -> Self {
        Self {
            key: word_key(word.letters),
            start: word.start,
            end: word.end,
            script: word.script,
            letters: word.letters.len() as u16,
        }
    }
}

/// A text and its words.
pub(crate) struct WordList<'a> {
    text: &'a str,
    /// `None` if the text is split for each reading.
    words: Option<Vec<Listed>>,
}

impl<'a> WordList<'a> {
    /// Splits a text.
    pub fn new(text: &'a str) -> Self {
        // Few texts have more than one word per six bytes.
        let mut words = Vec::with_capacity((text.len() / 6).min(MAX_KEPT));
        for_each_word(text, |word| {
            if words.len() <= MAX_KEPT {
                words.push(Listed::of(&word));
            }
        });
        Self { text, words: (words.len() <= MAX_KEPT).then_some(words) }
    }

    /// Returns a list that keeps no words, for a text that is read once.
    pub fn unsplit(text: &'a str) -> Self {
        Self { text, words: None }
    }

    /// Returns the text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Calls `each` for every word, in order.
    pub fn for_each(&self, mut each: impl FnMut(&Listed)) {
        match &self.words {
            Some(words) => words.iter().for_each(each),
            None => for_each_word(self.text, |word| each(&Listed::of(&word))),
        }
    }

    /// Calls `each` for every word, in order, with the words after it: none if they are not kept.
    pub fn for_each_of(&self, mut each: impl FnMut(&Listed, &[Listed])) {
        match &self.words {
            Some(words) => {
                (1..).zip(words).for_each(|(next, word)| each(word, &words[next..]));
            }
            None => self.for_each(|word| each(word, &[])),
        }
    }

    /// Calls `with` with the letters of a word of this list.
    pub fn letters(&self, word: &Listed, mut with: impl FnMut(&[char])) {
        // A word is split in the same way without the text around it.
        for_each_word(&self.text[word.start..word.end], |word| with(word.letters));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn kept_words_are_those_of_the_text(
            text in "[a-cа-в\u{301}'ـ\u{200d}\u{e9}ک \u{10900}𞤀]{0,80}",
        ) {
            let mut split = Vec::new();
            for_each_word(&text, |word| {
                split.push((word.letters.to_vec(), word.range(), word.script));
            });
            for list in [WordList::new(&text), WordList::unsplit(&text)] {
                let mut listed = Vec::new();
                list.for_each_of(|word, next| {
                    let kept = list.words.as_ref().map_or(0, |words| words.len() - listed.len() - 1);
                    assert_eq!(next.len(), kept);
                    let mut letters = Vec::new();
                    list.letters(word, |found| letters.push(found.to_vec()));
                    assert_eq!(letters.len(), 1);
                    assert_eq!(word.key, word_key(&letters[0]));
                    assert_eq!(usize::from(word.letters), letters[0].len());
                    listed.push((letters.remove(0), word.start..word.end, word.script));
                });
                prop_assert_eq!(&listed, &split);
            }
        }
    }
}
