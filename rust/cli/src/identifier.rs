//! Identifiers by name: the one place that knows which there are and what each needs.

use langid::{Cld2, Identify, LangCode};
use std::fmt;
use std::str::FromStr;

/// An identifier as the command line names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name {
    /// CLD2, whose tables are compiled in.
    Cld2,
}

impl Name {
    const ALL: [Name; 1] = [Name::Cld2];

    fn as_str(self) -> &'static str {
        match self {
            Name::Cld2 => "cld2",
        }
    }

    /// The identifier itself, ready to be asked.
    ///
    /// # Errors
    /// When its tables cannot be read.
    pub fn open(self) -> Result<Box<dyn Identify>, String> {
        match self {
            Name::Cld2 => Ok(Box::new(Cld2)),
        }
    }
}

impl FromStr for Name {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|known| known.as_str() == name).ok_or_else(|| {
            let allowed: Vec<&str> = Self::ALL.into_iter().map(Self::as_str).collect();
            let name: String = name.chars().take(40).collect();
            format!("identifier `{name}` is unknown; allowed are {}", allowed.join(", "))
        })
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Refuses languages that an identifier can never answer.
///
/// # Errors
/// One sentence that names the first of them.
pub fn check(identifier: &dyn Identify, languages: &[LangCode], option: &str) -> Result<(), String> {
    let known = identifier.languages();
    match languages.iter().find(|language| !known.contains(language)) {
        Some(language) => Err(format!(
            "{option} is `{language}` ({}), a language that {} cannot answer",
            language.name(),
            identifier.version()
        )),
        None => Ok(()),
    }
}
