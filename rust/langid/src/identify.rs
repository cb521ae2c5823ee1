//! The interface of all identifiers.

use crate::words::{Script, Scripts};
use crate::{Budget, Fit, LangCode, Pack};
use std::borrow::Cow;
use std::fmt::Debug;
use std::ops::Range;

/// The allowed results; other languages are treated as unknown. `None` allows all.
pub type Allowed<'a> = Option<&'a [LangCode]>;

/// A run of text in one language: its byte range.
pub type Run = (LangCode, Range<usize>);

/// An identifier of languages. Threads can share it.
pub trait Identify: Send + Sync + Debug {
    /// Returns the language of a whole text. Returns [`LangCode::UND`] if the identifier is not
    /// certain, the text has no words, or its language is unknown. Time is linear in the bytes of
    /// the text.
    fn identify(&self, text: &str, allowed: Allowed) -> LangCode;

    /// Returns the language of a text like [`identify`](Self::identify), without a search for other
    /// spellings of it. It is for the many short texts of a page, because that search may take a
    /// hundred times as long as the rest.
    fn identify_as_written(&self, text: &str) -> LangCode {
        self.identify(text, None)
    }

    /// Splits a text by language. The ranges are consecutive from 0 to the text's end and consist
    /// of whole characters, and neighbours differ in language. The default is one run.
    fn runs(&self, text: &str) -> Vec<Run> {
        let mut runs = Vec::new();
        append(&mut runs, self.identify(text, None), 0..text.len());
        runs
    }

    /// Returns the runs of a part of a page like [`runs`](Self::runs), with the budget of the page
    /// for the search for other spellings. The default has no such search.
    fn runs_within(&self, text: &str, _budget: &Budget) -> Vec<Run> {
        self.runs(text)
    }

    /// Returns the probability, from 0 to 1, that a result of [`identify`](Self::identify) for a
    /// text is right; `None` for `und`, and if the identifier has no probabilities, which is the
    /// default. The text is read once more, so both together take up to twice the time.
    fn probability(&self, _text: &str, _result: LangCode) -> Option<f64> {
        None
    }

    /// Returns the language of a whole text, with the highest [misfit](Fit::misfit) that the text may
    /// have in it. The default is an infinite one, for every language.
    fn identify_with_misfit(&self, text: &str) -> (LangCode, f64) {
        (self.identify(text, None), f64::INFINITY)
    }

    /// Returns how well a text fits a language. `None` if the identifier has no model of the
    /// language in a script of the text, which is the default.
    fn fit(&self, _text: &str, _language: LangCode) -> Option<Fit> {
        None
    }

    /// Returns by how many bits per letter a text is likelier in a language than in another one by
    /// their models. `None` if the identifier cannot compare them, which is the default.
    fn lead(&self, _text: &str, _language: LangCode, _other: LangCode) -> Option<f64> {
        None
    }

    /// Returns how many words of a text are frequent in a language (one in 1,000 words of its
    /// training text or more), and how many words were looked up. `None` if the identifier has no
    /// words of the language, which is the default.
    fn frequent_words(&self, _text: &str, _language: LangCode) -> Option<(usize, usize)> {
        None
    }

    /// Returns the scripts whose letters a text must have before a target is found in it; `None` if
    /// they are unknown, which is the default.
    fn target_scripts(&self) -> Option<Vec<Script>> {
        None
    }

    /// Returns the scripts in which the models have a language. The default is those of the
    /// library's models, for identifiers that have no models of scripts.
    fn model_scripts(&self, language: LangCode) -> Scripts {
        Pack::shipped_scripts(language)
    }

    /// Returns every language that [`identify`](Self::identify) can return, by code.
    fn languages(&self) -> Vec<LangCode>;

    /// Returns the name and the data version, such as `cld2/20140204`, a part of every page
    /// record's version.
    fn version(&self) -> String;
}

/// Number of bytes of a text that [`language_of`] identifies.
pub const IDENTIFIED_BYTES: usize = 1 << 20;

/// Returns the language of a text that may be invalid UTF-8, may have any length, and may end with
/// a line break. Bytes that are not UTF-8 are replaced. Bytes beyond [`IDENTIFIED_BYTES`] are
/// ignored, which bounds the time.
pub fn language_of(text: &[u8], identifier: &dyn Identify, allowed: Allowed) -> LangCode {
    identifier.identify(&identified(text), allowed)
}

/// Returns the probability, from 0 to 1, that a result of [`language_of`] for a text is right.
/// `None` if the identifier has none, see [`Identify::probability`].
pub fn probability_of(text: &[u8], identifier: &dyn Identify, result: LangCode) -> Option<f64> {
    identifier.probability(&identified(text), result)
}

/// Returns the part of a text that [`language_of`] identifies.
pub fn identified(text: &[u8]) -> Cow<'_, str> {
    let text = text.trim_ascii_end();
    let mut text = String::from_utf8_lossy(&text[..text.len().min(IDENTIFIED_BYTES)]);
    // Replaced bytes may have made it longer.
    let end = floor_char_boundary(&text, IDENTIFIED_BYTES);
    if end < text.len() {
        text.to_mut().truncate(end);
    }
    text
}

/// A language that an identifier cannot return.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{language}` ({}), a language that {identifier} cannot return{}",
    language.name(), advice(*language, instead)
)]
pub struct NotReturned {
    /// The language.
    pub language: LangCode,
    /// Version of the identifier.
    pub identifier: String,
    /// Languages that the identifier can return and that are close to it, see
    /// [`related`].
    pub instead: Vec<LangCode>,
}

/// Returns the members of a macro-language that an identifier of `known` languages can return, or
/// the macro-language of a member; none if it can return neither.
pub fn related(language: LangCode, known: &[LangCode]) -> Vec<LangCode> {
    let whole = language.macro_language();
    language.members().chain(whole).filter(|code| known.contains(code)).collect()
}

/// Most members of a macro-language that a message lists.
const MAX_LISTED: usize = 12;

/// Returns what to do instead of naming a language that cannot be returned, as the end of a
/// message: `instead` are the [related](related) languages that can. Empty if the language is
/// neither a macro-language nor a member of one in `instead`.
pub fn advice(language: LangCode, instead: &[LangCode]) -> String {
    let listed = |codes: &mut dyn Iterator<Item = LangCode>| {
        let named = codes.take(MAX_LISTED).map(|code| format!("`{code}` ({})", code.name()));
        named.collect::<Vec<_>>().join(", ")
    };
    match listed(&mut instead.iter().copied()) {
        none if none.is_empty() && language.is_macro_language() => format!(
            "; it is a macro-language, and its members have none either: {}; `corpulyzer train` makes a pack for one",
            listed(&mut language.members())
        ),
        none if none.is_empty() => none,
        whole if Some(instead[0]) == language.macro_language() => {
            format!("; name its macro-language, {whole}")
        }
        members => {
            format!("; it is a macro-language: name one or several of its members, {members}")
        }
    }
}

/// Checks that an identifier can return these languages.
///
/// # Errors
/// Fails with the first language that the identifier cannot return.
pub fn check_returned(
    identifier: &dyn Identify,
    languages: &[LangCode],
) -> Result<(), NotReturned> {
    let known = identifier.languages();
    match languages.iter().find(|language| !known.contains(language)) {
        Some(&language) => Err(NotReturned {
            language,
            identifier: identifier.version(),
            instead: related(language, &known),
        }),
        None => Ok(()),
    }
}

/// Appends a run, or extends the last one if it has the same language.
pub fn append(runs: &mut Vec<Run>, language: LangCode, range: Range<usize>) {
    match runs.last_mut() {
        _ if range.is_empty() => {}
        Some((last, run)) if *last == language => run.end = range.end,
        _ => runs.push((language, range)),
    }
}

/// Returns the last character boundary at or before `index`.
pub fn floor_char_boundary(text: &str, index: usize) -> usize {
    let mut index = index.min(text.len());
    while !text.is_char_boundary(index) {
        index -= 1;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cld2;

    #[test]
    fn bytes_that_are_no_utf_8_and_all_beyond_the_limit_are_passed_over() {
        let german = "Das ist ein Satz in deutscher Sprache, der lang genug ist. ";
        let mut text = german.as_bytes().to_vec();
        text.extend(b"\xff\r\n");
        assert_eq!(language_of(&text, &Cld2, None).as_str(), "deu");
        let mut long = " ".repeat(IDENTIFIED_BYTES);
        long.push_str(german);
        assert_eq!(language_of(long.as_bytes(), &Cld2, None), LangCode::UND);
    }

    #[test]
    fn a_language_that_is_not_returned_is_named() {
        let akkadian: LangCode = "akk".parse().expect("a code");
        let said = check_returned(&Cld2, &[akkadian]).expect_err("not in CLD2").to_string();
        assert!(said.starts_with("`akk` (Akkadian), a language that cld2/"), "{said}");
        assert!(check_returned(&Cld2, &[]).is_ok());
    }

    #[test]
    fn a_macro_language_that_is_not_returned_names_its_members() {
        let norwegian: LangCode = "no".parse().expect("a code");
        let said = check_returned(&Cld2, &[norwegian]).expect_err("a macro-language").to_string();
        let members = "name one or several of its members, `nno` (Norwegian Nynorsk), `nob`";
        assert!(said.contains(members), "{said}");
        let ayacucho = "quy".parse().expect("a code");
        let said = check_returned(&Cld2, &[ayacucho]).expect_err("a member").to_string();
        assert!(said.ends_with("; name its macro-language, `que` (Quechua)"), "{said}");
    }
}
