//! Codes that count as the same language, and groups of languages by name.

use inputs::texts::Texts;
use langid::LangCode;
use registry::UnknownName;
use std::collections::{BTreeMap, BTreeSet};

/// The joins of the preset `usual`, one on each line, with `#` for comments.
const USUAL: &str = include_str!("usual-joins.txt");

/// Prefix of the labels of fastText.
const LABEL: &str = "__label__";

/// Returns the language of a result such as `ur`, `urd`, `urd_Arab` or `__label__urd_Arab`: `und`
/// for a code of no known language, and none if the text is not like a code.
pub fn of_result(result: &str) -> Option<LangCode> {
    let result = result.strip_prefix(LABEL).unwrap_or(result);
    let mut subtags = result.split(['-', '_']);
    let first = subtags.next().unwrap_or_default();
    let is_language =
        (2..=3).contains(&first.len()) && first.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_subtag = |tag: &str| {
        (1..=8).contains(&tag.len()) && tag.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    (is_language && subtags.all(is_subtag))
        .then(|| result.parse().or_else(|_| first.parse()).unwrap_or(LangCode::UND))
}

/// A text that is no language of an evaluation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadLanguage {
    /// It is neither a code nor the name of one language.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// It is `und`.
    #[error("`und` is not a language")]
    Undetermined,
}

/// A list of joins that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadJoins {
    /// A join has no `=`.
    #[error("join `{0}` is neither `usual` or `none` nor like `hbs=bos/hrv/srp`")]
    NotAJoin(String),
    /// One of the codes is no language.
    #[error(transparent)]
    Language(#[from] BadLanguage),
    /// A code would count as two others.
    #[error("`{0}` is joined to two languages")]
    Twice(LangCode),
    /// A code would count as one that itself counts as another.
    #[error("`{0}` is joined to another language and has languages joined to it")]
    Chain(LangCode),
}

/// Codes that count as another code.
#[derive(Debug, Clone, Default)]
pub struct Joins {
    heads: BTreeMap<LangCode, LangCode>,
}

impl Joins {
    /// Returns the code that a code counts as: itself, unless it is joined to another code.
    pub fn head(&self, code: LangCode) -> LangCode {
        self.heads.get(&code).copied().unwrap_or(code)
    }

    /// Merges texts whose codes count as the same code.
    pub fn joined(&self, texts: Texts) -> Texts {
        let mut joined = Texts::new();
        for (language, lines) in texts {
            joined.entry(self.head(language)).or_default().extend(lines);
        }
        joined
    }
}

impl std::str::FromStr for Joins {
    type Err = BadJoins;

    /// Reads `head=code/code,head=code`, `usual` in place of a join, or `none`.
    fn from_str(text: &str) -> Result<Self, BadJoins> {
        let mut joins = Joins::default();
        if text == "none" {
            return Ok(joins);
        }
        let preset = if text.split(',').any(|join| join == "usual") { USUAL } else { "" };
        let written = text.split(',').filter(|join| *join != "usual");
        let written = written.chain(preset.lines().filter(|line| !line.starts_with('#')));
        for join in written {
            let (head, members) =
                join.split_once('=').ok_or_else(|| BadJoins::NotAJoin(join.to_owned()))?;
            let head = language(head)?;
            for member in members.split('/') {
                let member = language(member)?;
                if member != head
                    && joins.heads.insert(member, head).is_some_and(|other| other != head)
                {
                    return Err(BadJoins::Twice(member));
                }
            }
        }
        match joins.heads.values().find(|head| joins.heads.contains_key(head)) {
            Some(&head) => Err(BadJoins::Chain(head)),
            None => Ok(joins),
        }
    }
}

/// Groups of languages that are easily confused, by name.
const GROUPS: [(&str, &str); 2] = [
    ("arabic15", "urd,ara,fas,pus,snd,uig,ckb,pnb,skr,kas,bal,brh,trw,glk,hac"),
    (
        "uralic21",
        "fin,est,hun,sme,sma,smj,smn,sms,krl,olo,vep,vro,fkv,kpv,koi,udm,mhr,mrj,myv,mdf,yrk",
    ),
];

/// Reads language codes separated by commas. The name of a group may stand for its codes.
///
/// # Errors
/// Fails at the first that is no language.
pub fn languages(text: &str) -> Result<BTreeSet<LangCode>, BadLanguage> {
    let group =
        |name: &str| GROUPS.into_iter().find(|(group, _)| *group == name).map(|(_, codes)| codes);
    let codes = text.split(',').flat_map(|code| group(code).unwrap_or(code).split(','));
    codes.map(language).collect()
}

fn language(code: &str) -> Result<LangCode, BadLanguage> {
    match registry::parse(code)? {
        LangCode::UND => Err(BadLanguage::Undetermined),
        code => Ok(code),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn code(code: &str) -> LangCode {
        code.parse().unwrap()
    }

    #[test]
    fn joined_codes_count_as_the_first() {
        let joins: Joins = "usual,urd=kas".parse().unwrap();
        for (member, head) in [
            ("ind", "msa"),
            ("hrv", "hbs"),
            ("prs", "fas"),
            ("kur", "ckb"),
            ("kas", "urd"),
            ("eng", "eng"),
        ] {
            assert_eq!(joins.head(code(member)), code(head));
        }
    }

    #[test]
    fn joins_that_cannot_be_are_refused() {
        let refused = |text: &str| text.parse::<Joins>().unwrap_err().to_string();
        assert_eq!(
            refused("hbs"),
            "join `hbs` is neither `usual` or `none` nor like `hbs=bos/hrv/srp`"
        );
        assert!(refused("hbs=xyzzy").starts_with("language code `xyzzy` is unknown"));
        assert_eq!(refused("hbs=srp,slv=srp"), "`srp` is joined to two languages");
        assert_eq!(
            refused("msa=ind,zlm=msa"),
            "`msa` is joined to another language and has languages joined to it"
        );
    }

    #[test]
    fn groups_stand_for_their_languages() {
        assert_eq!(languages("arabic15").unwrap().len(), 15);
        assert_eq!(languages("uralic21,urd").unwrap().len(), 22);
        assert_eq!(languages("ur,urd").unwrap(), [code("urd")].into());
        assert!(languages("arabic16").unwrap_err().to_string().contains("`arabic16` is unknown"));
        assert!(languages("urd,und").is_err());
    }
}
