//! Sets of defaults: `corpulyzer.profile` of `nutch-conf/corpulyzer-default.xml`.

use crate::{BadSettings, Settings};
use content::Extractor;
use langbytes::LangCode;
use langid::IdentifierName;
use properties::{Property, LANGUAGE_IDENTIFIER, PAGE_EXTRACTOR, PAGE_REJECT_JUNK};
use serde_json::Value;
use std::fmt;
use std::str::FromStr;

/// The properties that have a default of their own in the profile of the paper.
const PAPER: [Property; 3] =
    [LANGUAGE_IDENTIFIER.property, PAGE_EXTRACTOR.property, PAGE_REJECT_JUNK.property];

/// A set of defaults.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Profile {
    /// Those of [`Settings::new`].
    #[default]
    Default,
    /// Those of the Corpulyzer paper: `docs/paper.md`.
    Paper,
}

impl Profile {
    /// Returns the defaults for a target language.
    pub fn settings(self, target: LangCode) -> Settings {
        let settings = Settings::new(target);
        match self {
            Self::Default => settings,
            Self::Paper => Settings {
                identifier: of(LANGUAGE_IDENTIFIER.property).unwrap_or(settings.identifier),
                extractor: of(PAGE_EXTRACTOR.property).unwrap_or(settings.extractor),
                reject_junk: of(PAGE_REJECT_JUNK.property).unwrap_or(settings.reject_junk),
                ..settings
            },
        }
    }

    /// Replaces the key `profile` of settings in JSON by the defaults of the profile that are not
    /// given.
    ///
    /// # Errors
    /// Fails if the profile is unknown.
    pub(crate) fn fill(settings: &mut Value) -> Result<(), BadSettings> {
        let Some(settings) = settings.as_object_mut() else { return Ok(()) };
        let Some(name) = settings.remove("profile") else { return Ok(()) };
        let text = name.as_str().map_or_else(|| name.to_string(), str::to_owned);
        if text.parse::<Self>()? == Self::Paper {
            for Property { engine, paper, .. } in PAPER {
                let value = paper.parse().map_or_else(|_| Value::from(paper), Value::Bool);
                settings.entry(engine).or_insert(value);
            }
        }
        Ok(())
    }
}

/// The default of a property in the profile of the paper.
fn of<T: FromStr>(property: Property) -> Option<T> {
    property.paper.parse().ok()
}

impl fmt::Display for Profile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Default => "default",
            Self::Paper => "paper",
        })
    }
}

/// Error for a text that is not the name of a profile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("profile is {0:?}; allowed are default and paper")]
pub struct UnknownProfile(String);

impl FromStr for Profile {
    type Err = UnknownProfile;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = [Self::Default, Self::Paper];
        let found = known.into_iter().find(|profile| profile.to_string() == name);
        found.ok_or_else(|| UnknownProfile(name.to_owned()))
    }
}

/// Settings that a command line or a function may give beside a profile.
#[derive(Debug, Clone, Copy, Default)]
pub struct Given {
    /// Defaults of what is not given.
    pub profile: Profile,
    /// The extractor, if it is given.
    pub extractor: Option<Extractor>,
    /// The identifier, if it is given.
    pub identifier: Option<IdentifierName>,
}

impl Given {
    /// Returns these settings for a target language, with the defaults of the profile.
    pub fn settings(self, target: LangCode) -> Settings {
        let defaults = self.profile.settings(target);
        Settings {
            extractor: self.extractor.unwrap_or(defaults.extractor),
            identifier: self.identifier.unwrap_or(defaults.identifier),
            ..defaults
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use properties::ALL;

    #[test]
    fn the_papers_defaults_are_those_of_the_table() {
        let target: LangCode = "urd".parse().unwrap();
        let paper = Profile::Paper.settings(target);
        assert_eq!(paper.identifier, IdentifierName::Cld2);
        assert_eq!(paper.extractor, Extractor::WebAmLiteral);
        assert!(!paper.reject_junk);
        let with_paper: Vec<_> = ALL.iter().filter(|row| !row.paper.is_empty()).collect();
        assert_eq!(with_paper.len(), PAPER.len());
        assert_eq!(Profile::Default.settings(target), Settings::new(target));
    }

    #[test]
    fn a_given_setting_has_its_own_value_in_a_profile() {
        let read = |json: &str| Settings::from_json(json.as_bytes());
        let paper = read(r#"{"target":"ur","profile":"paper"}"#).unwrap();
        assert_eq!(paper, Profile::Paper.settings("urd".parse().unwrap()));
        let mixed = read(r#"{"target":"ur","profile":"paper","extractor":"text"}"#).unwrap();
        assert_eq!(mixed.extractor, Extractor::Text);
        assert_eq!(mixed.identifier, IdentifierName::Cld2);
        let default = read(r#"{"target":"ur","profile":"default"}"#).unwrap();
        assert_eq!(default, read(r#"{"target":"ur"}"#).unwrap());
        assert_eq!(
            read(r#"{"target":"ur","profile":"papers"}"#).unwrap_err().to_string(),
            "profile is \"papers\"; allowed are default and paper"
        );
        let wrong = read(r#"{"target":"ur","profile":"paper","minBytes":"x"}"#).unwrap_err();
        assert!(wrong.to_string().starts_with("setting `minBytes` is \"x\"; allowed"), "{wrong}");
        let given = Given {
            profile: Profile::Paper,
            extractor: None,
            identifier: Some(IdentifierName::Models),
        };
        let given = given.settings("urd".parse().unwrap());
        assert_eq!(
            (given.identifier, given.extractor),
            (IdentifierName::Models, Extractor::WebAmLiteral)
        );
    }
}
