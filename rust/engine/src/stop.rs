//! Stop words of the target languages, for the extractor `justext`.

use langid::Pack;

/// The stop words of languages, from their models.
#[derive(Debug)]
pub struct StopWords(langid::StopWords);

impl StopWords {
    /// Returns the stop words of languages in the library's packs and in further ones; `None` if no
    /// pack has one of them in a script with spaces between words.
    pub fn new(packs: Vec<Pack>, languages: &[langbytes::LangCode]) -> Option<Self> {
        let packs = Pack::shipped().into_iter().chain(packs).collect();
        langid::StopWords::new(packs, languages).map(Self)
    }
}

impl content::StopWords for StopWords {
    fn count(&self, text: &str) -> (usize, usize) {
        self.0.count(text)
    }
}
