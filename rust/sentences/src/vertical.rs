//! Vertical text: a token on each line, between the tags of documents, paragraphs and sentences, as
//! corpus workbenches read it (CWB and Korp, Manatee and NoSketch Engine).

use crate::points::Points;
use crate::split::split;
use figures::tokens::Tokenizer;
use langid::LangCode;

/// The names of elements, and what the workbench understands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// NoSketch Engine and Manatee: `doc`, `p`, `s`, and `g` between tokens without a blank.
    NoSketch,
    /// Korp and CWB: `text`, `paragraph`, `sentence`, without an element for blanks.
    Korp,
}

impl Style {
    /// Returns the names of a document, a paragraph and a sentence.
    fn elements(self) -> [&'static str; 3] {
        match self {
            Style::NoSketch => ["doc", "p", "s"],
            Style::Korp => ["text", "paragraph", "sentence"],
        }
    }
}

/// Numbers of what was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of sentences.
    pub sentences: u64,
    /// Words and signs.
    pub tokens: u64,
}

/// Writes documents as vertical text.
#[derive(Debug)]
pub struct Vertical {
    tokenizer: Tokenizer,
    style: Style,
}

impl Vertical {
    /// Creates a writer for texts in a language.
    pub fn new(language: LangCode, style: Style) -> Self {
        Self { tokenizer: Tokenizer::new(language), style }
    }

    /// Returns a document with its attributes as vertical text, or nothing if the text has no
    /// token. The paragraphs of the text are its lines. Words are those of word lists; every sign
    /// around them is a token of its own, or a repeated sign (`...`) one. Tokens and attributes are
    /// escaped as in XML.
    pub fn document(
        &self,
        attributes: &[(&str, &str)],
        text: &str,
        points: &Points,
    ) -> (String, Counts) {
        let [document, paragraph, sentence] = self.style.elements();
        let (mut out, mut counts) = (format!("<{document}"), Counts::default());
        for (name, value) in attributes {
            out.push_str(&format!(" {name}=\""));
            escape(value, &mut out);
            out.push('"');
        }
        out.push_str(">\n");
        for block in text.lines() {
            let before = (out.len(), counts.tokens);
            out.push_str(&format!("<{paragraph}>\n"));
            for piece in split(block, points) {
                let begin = out.len();
                out.push_str(&format!("<{sentence}>\n"));
                let tokens = self.tokens(piece, &mut out);
                if tokens == 0 {
                    out.truncate(begin);
                    continue;
                }
                out.push_str(&format!("</{sentence}>\n"));
                counts.sentences += 1;
                counts.tokens += tokens;
            }
            match counts.tokens > before.1 {
                true => out.push_str(&format!("</{paragraph}>\n")),
                false => out.truncate(before.0),
            }
        }
        if counts.tokens == 0 {
            return (String::new(), counts);
        }
        out.push_str(&format!("</{document}>\n"));
        (out, counts)
    }

    /// Appends the tokens of a sentence and returns their number.
    fn tokens(&self, sentence: &str, out: &mut String) -> u64 {
        let mut words = Vec::new();
        self.tokenizer.tokens(sentence, &mut words);
        let mut line = Line { style: self.style, out, tokens: 0, is_glued: false };
        let mut read = 0;
        for word in &words {
            line.signs(&sentence[read..word.start as usize]);
            line.token(word.text(sentence));
            read = word.end as usize;
        }
        line.signs(&sentence[read..]);
        line.tokens
    }
}

/// The tokens of a sentence.
struct Line<'a> {
    style: Style,
    out: &'a mut String,
    tokens: u64,
    /// Whether no blank followed the last token.
    is_glued: bool,
}

impl Line<'_> {
    fn token(&mut self, token: &str) {
        let begin = self.out.len();
        if self.is_glued && self.style == Style::NoSketch {
            self.out.push_str("<g/>\n");
        }
        let before = self.out.len();
        escape(token, self.out);
        if self.out.len() == before {
            self.out.truncate(begin);
            return;
        }
        self.out.push('\n');
        self.tokens += 1;
        self.is_glued = true;
    }

    /// Appends the signs between two words.
    fn signs(&mut self, text: &str) {
        let mut from = 0;
        let mut characters = text.char_indices().peekable();
        while let Some((at, c)) = characters.next() {
            if c.is_whitespace() {
                self.is_glued = false;
                from = at + c.len_utf8();
                continue;
            }
            if characters.peek().is_none_or(|&(_, next)| next != c) {
                self.token(&text[from..at + c.len_utf8()]);
                from = at + c.len_utf8();
            }
        }
    }
}

/// Appends a text with the characters of markup escaped, without characters that are invisible or
/// end a line.
fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Marks of direction and the byte order mark; joiners within words stay.
            '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}' => {}
            '\u{2028}' | '\u{2029}' => {}
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vertical(style: Style, text: &str) -> (String, Counts) {
        let attributes = [("id", "7"), ("url", "http://a.pk/?a=1&b=\"<x>\n")];
        Vertical::new("urd".parse().expect("a code"), style).document(
            &attributes,
            text,
            &Points::default(),
        )
    }

    #[test]
    fn a_document_has_paragraphs_sentences_and_a_token_on_each_line() {
        let text = "وہ «گھر» گیا۔میں آیا\n...\n3.14 & <b>";
        let head = "id=\"7\" url=\"http://a.pk/?a=1&amp;b=&quot;&lt;x&gt;\">\n";
        let (out, counts) = vertical(Style::NoSketch, text);
        assert_eq!(
            out,
            format!(
                "<doc {head}<p>\n<s>\nوہ\n«\n<g/>\nگھر\n<g/>\n»\nگیا\n<g/>\n۔\n</s>\n<s>\nمیں\nآیا\n</s>\n</p>\n\
                 <p>\n<s>\n...\n</s>\n</p>\n<p>\n<s>\n3.14\n&amp;\n&lt;\n<g/>\nb\n<g/>\n&gt;\n</s>\n</p>\n</doc>\n"
            )
        );
        assert_eq!(counts, Counts { sentences: 4, tokens: 14 });
        let (out, _) = vertical(Style::Korp, "وہ گیا۔");
        assert_eq!(
            out,
            format!("<text {head}<paragraph>\n<sentence>\nوہ\nگیا\n۔\n</sentence>\n</paragraph>\n</text>\n")
        );
        assert_eq!(
            vertical(Style::Korp, " \n\u{200f}\u{feff}\n"),
            (String::new(), Counts::default())
        );
    }

    proptest! {
        /// Elements are closed in order, no token holds markup, and no letter is lost.
        #[test]
        fn any_text_is_well_formed(text in "[\\PCa-z.!?۔<>&\"' \n\t\u{200f}\u{7}]{0,60}") {
            for style in [Style::NoSketch, Style::Korp] {
                let (out, counts) = vertical(style, &text);
                let (mut open, mut tokens, mut letters) = (Vec::new(), 0, String::new());
                for line in out.lines() {
                    if let Some(name) = line.strip_prefix("</") {
                        prop_assert_eq!(open.pop(), Some(name.trim_end_matches('>')));
                    } else if line == "<g/>" {
                        prop_assert_eq!(style, Style::NoSketch);
                    } else if let Some(tag) = line.strip_prefix('<') {
                        open.push(tag.split([' ', '>']).next().unwrap_or_default());
                    } else {
                        prop_assert!(!line.is_empty() && !line.contains(['<', '>', '"', '\t']));
                        tokens += 1;
                        let plain = ["&lt;", "&gt;", "&quot;", "&amp;"]
                            .iter()
                            .zip(["<", ">", "\"", "&"])
                            .fold(line.to_owned(), |line, (name, sign)| line.replace(name, sign));
                        letters += &plain;
                    }
                }
                prop_assert!(open.is_empty());
                prop_assert_eq!(tokens, counts.tokens);
                let all: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
                let found: String = letters.chars().filter(|c| c.is_alphanumeric()).collect();
                prop_assert_eq!(found, all);
            }
        }
    }
}
