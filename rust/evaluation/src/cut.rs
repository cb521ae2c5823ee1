//! Texts that are cut to a length.

use std::fmt;

/// The part of a text that the identifier gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// All of it.
    Whole,
    /// First words of each text, so many.
    Words(usize),
    /// Its first words, up to this number of characters including spaces. If the first word is
    /// longer, its first characters.
    Characters(usize),
}

impl Cut {
    /// Returns the part of a text that remains.
    pub fn of(self, text: &str) -> &str {
        match self {
            Cut::Whole => text,
            Cut::Words(words) => &text[..word_ends(text).take(words).last().unwrap_or(0)],
            Cut::Characters(characters) => {
                let limit = text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at);
                let end = word_ends(text).take_while(|end| *end <= limit).last();
                &text[..end.unwrap_or(limit)]
            }
        }
    }
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cut::Whole => f.write_str("whole texts"),
            Cut::Words(words) => write!(f, "{words} words"),
            Cut::Characters(characters) => write!(f, "{characters} characters"),
        }
    }
}

/// Ends of the words of a text. Words are separated by white space.
fn word_ends(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.split_whitespace().map(|word| word.as_ptr() as usize - text.as_ptr() as usize + word.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_at_whole_words() {
        let text = "ایک دو  تین four";
        assert_eq!(Cut::Whole.of(text), text);
        assert_eq!(Cut::Words(2).of(text), "ایک دو");
        assert_eq!(Cut::Words(9).of(text), text);
        assert_eq!(Cut::Characters(5).of(text), "ایک");
        assert_eq!(Cut::Characters(6).of(text), "ایک دو");
        assert_eq!(Cut::Characters(16).of(text), text);
        assert_eq!(Cut::Characters(2).of(text), "ای", "no whole word fits");
        assert_eq!(Cut::Characters(3).of("東京都"), "東京都");
        assert_eq!(Cut::Words(1).of(" \u{3000}"), "");
    }
}
