//! The policies that select pages.

use crate::{Decision, PageRecord, Settings, Status};
use langbytes::{are_siblings, letters_allow, ContentSizeFilter, ExcerptHits, LangCode};
use serde::Serialize;
use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

/// Rule that decides which pages are kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Policy {
    /// Enough bytes of the target language: the content-size filter (Corpulyzer).
    #[default]
    Precision,
    /// Any evidence of the target language: a declaration, an excerpt (Suki), a share of the text
    /// (Suki), most of the bytes, or letters that only this language has (ArabicWeb16).
    Recall,
}

impl Policy {
    /// The name in settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Precision => "precision",
            Self::Recall => "recall",
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A name that is not a policy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("policy `{0}` is unknown; allowed are precision and recall")]
pub struct UnknownPolicy(String);

impl FromStr for Policy {
    type Err = UnknownPolicy;

    /// Parses a name in settings.
    fn from_str(name: &str) -> Result<Self, UnknownPolicy> {
        match name {
            "precision" => Ok(Self::Precision),
            "recall" => Ok(Self::Recall),
            _ => Err(UnknownPolicy(name.to_owned())),
        }
    }
}

/// Rule for the links of rejected pages. The scoring filter of Nutch 1.x follows links; the
/// engine has the policy because it decides the scores of rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LinksPolicy {
    /// They are added.
    #[default]
    All,
    /// They are added and score a tenth: soft focus (ArabicWeb16).
    Soft,
    /// They are not added: hard focus (W2C).
    Hard,
}

impl LinksPolicy {
    /// Every policy of links, from the loosest to the strictest.
    pub const ALL: [Self; 3] = [Self::All, Self::Soft, Self::Hard];

    /// The name in settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Soft => "soft",
            Self::Hard => "hard",
        }
    }
}

/// A name that is not a policy of links.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("policy of links `{0}` is unknown; allowed are all, soft and hard")]
pub struct UnknownLinksPolicy(String);

impl FromStr for LinksPolicy {
    type Err = UnknownLinksPolicy;

    /// Parses a name in settings.
    fn from_str(name: &str) -> Result<Self, UnknownLinksPolicy> {
        Self::ALL
            .into_iter()
            .find(|policy| policy.as_str() == name)
            .ok_or_else(|| UnknownLinksPolicy(name.to_owned()))
    }
}

/// The stage that decided whether a page is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// A junk rule: the page is a placeholder, a list of names or noise.
    Junk,
    /// Bytes of the target language.
    Bytes,
    /// The language that the page declares.
    Declared,
    /// Excerpts of the main text.
    Excerpts,
    /// The target's share of the language set.
    Set,
    /// The language with the most bytes.
    Identifier,
    /// Letters that distinguish the target from its siblings.
    Letters,
}

impl Stage {
    /// The name in frames and HBase.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Junk => "junk",
            Self::Bytes => "bytes",
            Self::Declared => "declared",
            Self::Excerpts => "excerpts",
            Self::Set => "set",
            Self::Identifier => "identifier",
            Self::Letters => "letters",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Returns whether a page is kept, and the stage that decided; `None` for a page without main text.
///
/// A page is kept if the policy keeps it for one of the targets. The reason and the stage are those
/// of the target with most bytes, of the targets that the page is kept for if there are any.
pub(crate) fn decide(
    settings: &Settings,
    record: &PageRecord,
    excerpts: Option<&[LangCode]>,
) -> (Decision, Option<Stage>) {
    if record.status == Status::NoContent {
        return (Decision { keep: false, reason: Status::NoContent.to_string() }, None);
    }
    let (keep, stage, reason) = match record.junk {
        Some(junk) if settings.reject_junk => (false, Stage::Junk, format!("junk: {junk}")),
        _ => by_target(settings, record, excerpts),
    };
    (Decision { keep, reason }, Some(stage))
}

fn by_target(
    settings: &Settings,
    record: &PageRecord,
    excerpts: Option<&[LangCode]>,
) -> (bool, Stage, String) {
    let decided = |target| match settings.policy {
        Policy::Precision => precision(settings, record, target),
        Policy::Recall => recall(settings, record, target, excerpts),
    };
    if !settings.targets.are_several() {
        return decided(settings.target());
    }
    let each: Vec<_> = settings.targets.iter().map(|target| (target, decided(target))).collect();
    let kept: Vec<&str> =
        each.iter().filter(|(_, (keep, ..))| *keep).map(|(target, _)| target.as_str()).collect();
    let most = each.iter().enumerate().max_by_key(|(at, (target, (keep, ..)))| {
        (*keep, record.languages.bytes(*target), Reverse(*at))
    });
    let (keep, stage, reason) = match most {
        Some((_, (_, (keep, stage, reason)))) => (*keep, *stage, reason.as_str()),
        None => (false, Stage::Bytes, ""),
    };
    let reason = if keep { format!("for {}: {reason}", kept.join(",")) } else { reason.to_owned() };
    (keep, stage, reason)
}

fn precision(settings: &Settings, record: &PageRecord, target: LangCode) -> (bool, Stage, String) {
    let min_bytes = settings.min_bytes;
    let bytes = record.languages.bytes(target);
    let keep = ContentSizeFilter { min_bytes }.keeps(bytes);
    (keep, Stage::Bytes, format!("{bytes} bytes of {target}, {min_bytes} wanted"))
}

/// The stages of the recall policy in order of trust; the first that applies decides. Excerpts and
/// shares can only accept a page, because a page that is mostly in another language is kept too.
fn recall(
    settings: &Settings,
    record: &PageRecord,
    target: LangCode,
    excerpts: Option<&[LangCode]>,
) -> (bool, Stage, String) {
    let min_percent = settings.min_percent;
    if record.declared_language.as_deref().and_then(declared) == Some(target) {
        return (true, Stage::Declared, format!("declared as {target}"));
    }
    let hits = excerpts.map(|excerpts| ExcerptHits::of(excerpts, target));
    if let Some(found) = hits.filter(|found| found.hits > 0) {
        return (
            true,
            Stage::Excerpts,
            format!("{} of {} excerpts in {target}", found.hits, found.count),
        );
    }
    if record.language_set.has(target, min_percent) {
        return (true, Stage::Set, format!("at least {min_percent} % of {target}"));
    }
    let most = record.languages.most_first().into_iter().map(|(language, _)| language);
    let most = most.into_iter().find(|&language| language != LangCode::UND);
    match most {
        Some(most) if most == target => {
            return (true, Stage::Identifier, format!("mostly {target}"))
        }
        Some(most) if are_siblings(most, target) => {
            return (false, Stage::Identifier, format!("mostly {most}, a sibling of {target}"))
        }
        _ => {}
    }
    match letters_allow(&record.text, target) {
        Some(true) => (true, Stage::Letters, format!("letters of {target}")),
        Some(false) => (false, Stage::Letters, format!("no letters of {target}")),
        None => (false, Stage::Identifier, format!("mostly {}", most.unwrap_or(LangCode::UND))),
    }
}

/// Returns the language of a tag such as `ur-PK`.
pub(crate) fn declared(tag: &str) -> Option<LangCode> {
    tag.trim()
        .split(['-', '_', ',', ';', ' '])
        .next()?
        .parse()
        .ok()
        .filter(|&language| language != LangCode::UND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_is_read_up_to_its_first_part() {
        let urdu = "urd".parse().ok();
        for tag in ["ur", "UR-PK", "ur_PK", " urd", "ur, en", "ur;q=1"] {
            assert_eq!(declared(tag), urdu, "{tag}");
        }
        for tag in ["", "-", "urdu", "und", "x-ur"] {
            assert_eq!(declared(tag), None, "{tag}");
        }
    }
}
