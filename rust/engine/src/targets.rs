//! The target languages of an engine.

use langbytes::LangCode;
use std::fmt;
use std::str::FromStr;

/// One or several target languages, sorted by code and distinct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Targets(Vec<LangCode>);

impl Targets {
    /// Returns the only target, or the first of several by code.
    pub fn first(&self) -> LangCode {
        self.0[0]
    }

    /// Returns the targets in the order of their codes.
    pub fn iter(&self) -> impl Iterator<Item = LangCode> + '_ {
        self.0.iter().copied()
    }

    /// Returns whether a language is one of the targets.
    pub fn contains(&self, language: LangCode) -> bool {
        self.0.binary_search(&language).is_ok()
    }

    /// Returns the target of this code, or without a code the only target; `None` if the code is no
    /// target, or if there are several targets and no code.
    pub fn one(&self, code: Option<&str>) -> Option<LangCode> {
        match code {
            Some(code) => code.parse().ok().filter(|&code| self.contains(code)),
            None => (!self.are_several()).then(|| self.first()),
        }
    }

    /// Returns whether there is more than one target.
    pub fn are_several(&self) -> bool {
        self.0.len() > 1
    }
}

impl From<LangCode> for Targets {
    fn from(target: LangCode) -> Self {
        Self(vec![target])
    }
}

impl FromStr for Targets {
    type Err = <LangCode as FromStr>::Err;

    /// Parses codes that are separated by commas, with or without spaces. A code that repeats
    /// counts once.
    fn from_str(codes: &str) -> Result<Self, Self::Err> {
        let mut targets = codes
            .split(',')
            .map(|code| code.trim().parse())
            .collect::<Result<Vec<LangCode>, _>>()?;
        targets.sort_unstable();
        targets.dedup();
        Ok(Self(targets))
    }
}

impl fmt::Display for Targets {
    /// `pnb,skr,urd`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, target) in self.0.iter().enumerate() {
            write!(f, "{}{target}", if at > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn of_several_targets_one_must_be_named() {
        let code = |targets: &str, asked| {
            let targets: Targets = targets.parse().unwrap();
            targets.one(asked).map(|code| code.to_string())
        };
        assert_eq!(code("ur,skr", Some("skr")).as_deref(), Some("skr"));
        assert_eq!(code("ur,skr", Some("ur")).as_deref(), Some("urd"));
        assert_eq!(code("ur,skr", None), None);
        assert_eq!(code("ur,skr", Some("eng")), None);
        assert_eq!(code("ur", None).as_deref(), Some("urd"));
        assert_eq!(code("ur", Some("eng")), None);
        assert_eq!(code("ur", Some("urdu!")), None);
    }
}
