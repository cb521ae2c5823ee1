//! Limits for the scores of pages.

use super::{value, BadPage, Refusal};
use inputs::corpus::Fields;
use serde_json::Value;
use std::fmt;
use std::str::FromStr;

/// A limit for a score.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    key: String,
    value: f64,
}

/// A text is no limit for a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("allowed is KEY=VALUE with a number, such as edu=3")]
pub struct BadBound;

impl FromStr for Bound {
    type Err = BadBound;

    fn from_str(text: &str) -> Result<Self, BadBound> {
        // A key may hold an equals sign, a number cannot.
        let bound = text.rsplit_once('=').and_then(|(key, value)| {
            let value = value.trim().parse().ok().filter(|value: &f64| value.is_finite())?;
            (!key.trim().is_empty()).then(|| Self { key: key.trim().to_owned(), value })
        });
        bound.ok_or(BadBound)
    }
}

impl Bound {
    /// The score of a page: a field, or a member of nested objects whose names dots separate.
    fn score(&self, fields: &Fields) -> Result<Option<f64>, BadPage> {
        if let Some(found) = value(fields, &self.key)? {
            return Ok(found.as_f64());
        }
        let mut names = self.key.split('.');
        let first = names.next().unwrap_or_default();
        let found = value(fields, first)?;
        let inner = names
            .try_fold(found.as_ref(), |value: Option<&Value>, name| Some(Some(value?.get(name)?)));
        Ok(inner.flatten().and_then(Value::as_f64))
    }
}

/// The limits of a choice.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// Scores below which a page is left out.
    pub least: Vec<Bound>,
    /// Scores above which a page is left out.
    pub most: Vec<Bound>,
}

impl Limits {
    /// Whether there is no limit.
    pub fn is_empty(&self) -> bool {
        self.least.is_empty() && self.most.is_empty()
    }

    /// Decides on a page by its scores.
    ///
    /// # Errors
    /// Fails if a field cannot be read, in a sentence.
    pub fn admit(&self, fields: &Fields) -> Result<Result<(), Refusal>, BadPage> {
        let least = self.least.iter().map(|bound| (bound, false));
        for (bound, is_most) in least.chain(self.most.iter().map(|bound| (bound, true))) {
            match bound.score(fields)? {
                None => return Ok(Err(Refusal::Unscored)),
                Some(score) if is_most && score > bound.value => return Ok(Err(Refusal::Beyond)),
                Some(score) if !is_most && score < bound.value => return Ok(Err(Refusal::Beyond)),
                Some(_) => {}
            }
        }
        Ok(Ok(()))
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let least =
            self.least.iter().map(|bound| format!("{} at least {}", bound.key, bound.value));
        let most = self.most.iter().map(|bound| format!("{} at most {}", bound.key, bound.value));
        f.write_str(&least.chain(most).collect::<Vec<_>>().join(", "))
    }
}
