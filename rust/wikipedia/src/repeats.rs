//! Detection of repeated paragraphs.

use crate::wikitext::Paragraph;
use std::collections::hash_map::{Entry, HashMap};
use std::collections::HashSet;
use std::hash::{BuildHasher, DefaultHasher, Hasher, RandomState};

/// Minimum number of letters in a paragraph's form, names and numbers not counted. A paragraph with
/// fewer is compared by its whole text.
const MIN_LETTERS: usize = 10;

/// Most forms in memory, about 400 MB.
const MAX_FORMS: usize = 1 << 24;

/// Counts paragraphs that are the same except for names and numbers.
///
/// In the form of a paragraph all numbers are equal, and so are all names: a word with a capital, a
/// word of the article's title, the text of a link, and bold text. Punctuation, spaces, case and
/// the number of consecutive names, and of consecutive numbers (`1,234` and `12–15` are two of each),
/// make no difference. In scripts without capitals, links and
/// titles mark the names.
#[derive(Debug)]
pub struct Repeats {
    most: u32,
    /// The key of the forms' hashes: without one, an article could be written whose form has the
    /// hash of another's.
    key: RandomState,
    met: HashMap<u64, u32>,
}

impl Repeats {
    /// Creates a filter that accepts each form at most `most` times.
    pub fn new(most: u32) -> Self {
        Self { most, key: RandomState::new(), met: HashMap::new() }
    }

    /// Returns whether a paragraph of an article is accepted. When the table of forms is full, new
    /// forms are always accepted.
    pub fn pass(&mut self, title: &str, paragraph: &Paragraph) -> bool {
        self.pass_form(form(title, paragraph, self.key.build_hasher()))
    }

    /// Returns whether the table of forms is full.
    pub fn is_full(&self) -> bool {
        self.met.len() >= MAX_FORMS
    }

    fn pass_form(&mut self, form: u64) -> bool {
        let full = self.is_full();
        match self.met.entry(form) {
            Entry::Occupied(mut times) => {
                *times.get_mut() = times.get().saturating_add(1);
                *times.get() <= self.most
            }
            Entry::Vacant(place) => {
                if !full {
                    place.insert(1);
                }
                true
            }
        }
    }
}

/// Returns a hash of the form.
fn form(title: &str, paragraph: &Paragraph, empty: DefaultHasher) -> u64 {
    let title: HashSet<String> = words(title).map(str::to_lowercase).collect();
    let mut names = paragraph.names.iter().peekable();
    let mut hash = empty.clone();
    let mut letters = 0;
    // Whether the last word was a name, or a number: consecutive ones count as one.
    let (mut after_name, mut after_number) = (false, false);
    let text = paragraph.text.as_str();
    for word in words(text) {
        let begin = word.as_ptr() as usize - text.as_ptr() as usize;
        while names.next_if(|name| name.end <= begin).is_some() {}
        let linked = names.peek().is_some_and(|name| name.start < begin + word.len());
        let lower = word.to_lowercase();
        if word.contains(char::is_numeric) {
            if !after_number {
                hash.write(b"0 ");
            }
            (after_name, after_number) = (false, true);
        } else if linked || word.starts_with(char::is_uppercase) || title.contains(&lower) {
            if !after_name {
                hash.write(b"* ");
            }
            (after_name, after_number) = (true, false);
        } else {
            hash.write(lower.as_bytes());
            hash.write(b" ");
            letters += word.chars().count();
            (after_name, after_number) = (false, false);
        }
    }
    if letters < MIN_LETTERS {
        hash = empty;
        hash.write(b"=");
        hash.write(text.as_bytes());
    }
    hash.finish()
}

/// Returns the runs of letters and digits.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wikitext::{paragraphs, Namespaces};
    use proptest::prelude::*;

    /// Returns the number of these articles' paragraphs that are accepted.
    fn passed<'a>(most: u32, articles: impl IntoIterator<Item = (&'a str, String)>) -> usize {
        let mut repeats = Repeats::new(most);
        let mut pass = |(title, text): (&str, String)| {
            paragraphs(title, &text, &Namespaces::default())
                .iter()
                .filter(|paragraph| repeats.pass(title, paragraph))
                .count()
        };
        articles.into_iter().map(&mut pass).sum()
    }

    const TOWNS: [&str; 5] = ["Aarberg", "Bad Ems", "Caen", "Le Mans", "Ürümqi"];

    #[test]
    fn a_sentence_that_a_bot_wrote_of_many_towns_passes_so_many_times() {
        let stub = |(number, town): (usize, &'static str)| {
            (
                town,
                format!(
                    "'''{town}''' is a town in [[Land {number}|the land]] of {town}, with {} inhabitants.",
                    number * 977
                ),
            )
        };
        assert_eq!(passed(3, TOWNS.into_iter().enumerate().map(stub)), 3);
        assert_eq!(passed(1, TOWNS.into_iter().enumerate().map(stub)), 1);
    }

    #[test]
    fn numbers_of_any_form_are_the_same() {
        let texts = ["977", "1,954", "12 931", "3.5", "1990–1995", "-4", "१२,३४५", "−0.25"];
        let texts = texts.map(|number| {
            ("", format!("the village has an area of {number} km² and a school by the river"))
        });
        assert_eq!(passed(3, texts), 3);
    }

    #[test]
    fn names_are_told_without_capitals() {
        let towns = ["برلن", "پیرس", "لندن", "روم", "بون"];
        let linked = |town: &'static str| {
            (town, format!("{town} ایک بڑا شہر ہے جو [[{town} علاقہ]] میں واقع ہے۔"))
        };
        assert_eq!(passed(2, towns.map(linked)), 2);
        let bold = |town: &'static str| {
            ("", format!("'''{town}''' ایک بڑا شہر ہے جو دریا کے کنارے واقع ہے۔"))
        };
        assert_eq!(passed(2, towns.map(bold)), 2);
        let hidden =
            |town: &'static str| ("", format!("{town} ایک بڑا شہر ہے جو دریا کے کنارے واقع ہے۔"));
        assert_eq!(passed(2, towns.map(hidden)), 5);
    }

    #[test]
    fn what_is_little_but_names_is_told_by_its_whole_text() {
        assert_eq!(passed(1, TOWNS.map(|town| (town, format!("[[{town}]], 1999")))), 5);
        assert_eq!(passed(1, TOWNS.map(|_| ("", "[[Aarberg]], 1999".to_owned()))), 1);
    }

    #[test]
    fn a_paragraph_made_to_collide_without_a_key_is_another_text() {
        let x = |count| "x".repeat(count);
        let forged = [
            x(68),
            "lapokb".into(),
            x(10),
            "ljecpc".into(),
            x(10),
            "pobpna".into(),
            x(10),
            "dgfmea".into(),
            x(5),
        ];
        let [one, other] = [x(127), forged.concat()];
        let unkeyed = |text: &str| xxhash_rust::xxh3::xxh3_64(format!("{text} ").as_bytes());
        assert_eq!(unkeyed(&one), unkeyed(&other), "the pair is one of the hash without a key");
        assert_eq!(passed(1, [("", one.clone()), ("", other), ("", one)]), 2);
    }

    #[test]
    fn other_words_are_another_text() {
        let texts = [
            "is a town on the river",
            "is a village on the river",
            "was a town on the river",
            "is a town by the river",
        ];
        assert_eq!(passed(1, texts.map(|text| ("", format!("Aarberg {text}")))), 4);
    }

    proptest! {
        #[test]
        fn numbers_make_no_difference(numbers in prop::collection::vec(0u32..1_000_000, 1..20), most in 1u32..10) {
            let articles = numbers.iter().map(|number| ("", format!("the river is {number} metres long")));
            prop_assert_eq!(passed(most, articles), numbers.len().min(most as usize));
        }
    }
}
