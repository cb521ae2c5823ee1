//! What an engine is told: the target language, the extractor, the size filter, the limits and the scores.

use crate::Policy;
use langbytes::{Combined, ExcerptSettings, Identify, LangCode};
use serde::{Deserialize, Deserializer};
use sitescore::Steering;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use webam::Extractor;

/// Settings of an [`Engine`](crate::Engine). In JSON the keys are in camel case, unknown keys are refused, and every key but
/// `target` has a default.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Settings {
    /// The language to be collected. Required.
    #[serde(deserialize_with = "parsed")]
    pub target: LangCode,
    /// Files with language packs beside the library's own, made by `corpulyzer train`. Of a language that is in several packs
    /// the last one's tables are used. Default none.
    #[serde(default)]
    pub packs: Vec<PathBuf>,
    /// How main content is told from boilerplate. Default `web-am`.
    #[serde(default = "web_am", deserialize_with = "parsed")]
    pub extractor: Extractor,
    /// The content-size filter: least bytes of the target language in the main text. Default 256, the paper's value for
    /// Urdu (Table 3).
    #[serde(default = "min_bytes")]
    pub min_bytes: u64,
    /// What makes a page one of the corpus. Default `precision`.
    #[serde(default, deserialize_with = "parsed")]
    pub policy: Policy,
    /// Whether a page with the marks of junk is rejected whatever else it holds. Default true.
    #[serde(default = "reject_junk")]
    pub reject_junk: bool,
    /// Policy `recall`: least share of the target language in the language set, in percent. Default 2, Suki's value.
    #[serde(default = "min_percent")]
    pub min_percent: u32,
    /// Excerpts of a page. Default 3, Suki's value; 0 takes none.
    #[serde(default = "excerpts")]
    pub excerpts: usize,
    /// Length of an excerpt in characters. Default 100, Suki's value.
    #[serde(default = "excerpt_chars")]
    pub excerpt_chars: usize,
    /// Characters of main text below which a page has no excerpts. Default 300, Suki's value.
    #[serde(default = "excerpt_min_chars")]
    pub excerpt_min_chars: usize,
    /// Longest page that is looked at, in bytes as fetched. Default 16 MiB.
    #[serde(default = "max_bytes")]
    pub max_bytes: u64,
    /// Depth beyond which elements are read as one level. Default 1024.
    #[serde(default = "max_depth")]
    pub max_depth: usize,
    /// Most text blocks of a page. Default 200 000.
    #[serde(default = "max_blocks")]
    pub max_blocks: usize,
    /// Longest time spent on a page, counting of languages included, in milliseconds. Default 10 000.
    #[serde(default = "max_millis")]
    pub max_millis: u64,
    /// Score of the rows of a host of which nothing was fetched yet, in bytes per page. Default 256.
    #[serde(default = "unknown_score")]
    pub unknown_score: f32,
    /// Score of the injected seeds of such a host, in bytes per page. Default 1e9.
    #[serde(default = "injected_score")]
    pub injected_score: f32,
    /// How the rows of a host are scored, and when no more of one is fetched. Default `mean`, the paper's.
    #[serde(default, deserialize_with = "parsed")]
    pub score_policy: Steering,
}

fn web_am() -> Extractor {
    Settings::DEFAULT_EXTRACTOR
}
fn min_bytes() -> u64 {
    256
}
fn reject_junk() -> bool {
    true
}
fn min_percent() -> u32 {
    2
}
fn excerpts() -> usize {
    ExcerptSettings::default().count
}
fn excerpt_chars() -> usize {
    ExcerptSettings::default().chars
}
fn excerpt_min_chars() -> usize {
    ExcerptSettings::default().min_chars
}
fn max_bytes() -> u64 {
    16 << 20
}
fn max_depth() -> usize {
    1024
}
fn max_blocks() -> usize {
    200_000
}
fn max_millis() -> u64 {
    10_000
}
fn unknown_score() -> f32 {
    256.0
}
fn injected_score() -> f32 {
    1e9
}

/// Reads text into a type that knows how to parse itself.
fn parsed<'de, D: Deserializer<'de>, T: FromStr<Err: fmt::Display>>(deserializer: D) -> Result<T, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

impl Settings {
    /// The extractor unless another one is asked for.
    pub const DEFAULT_EXTRACTOR: Extractor = Extractor::WebAm;

    /// Largest `max_bytes`: a page's answer, up to three times the page, must fit a Java array (2 GiB).
    pub const MAX_MAX_BYTES: u64 = 512 << 20;

    /// The defaults, for a target language.
    pub fn new(target: LangCode) -> Self {
        Self {
            target,
            packs: Vec::new(),
            extractor: web_am(),
            min_bytes: min_bytes(),
            policy: Policy::default(),
            reject_junk: reject_junk(),
            min_percent: min_percent(),
            excerpts: excerpts(),
            excerpt_chars: excerpt_chars(),
            excerpt_min_chars: excerpt_min_chars(),
            max_bytes: max_bytes(),
            max_depth: max_depth(),
            max_blocks: max_blocks(),
            max_millis: max_millis(),
            unknown_score: unknown_score(),
            injected_score: injected_score(),
            score_policy: Steering::default(),
        }
    }

    /// Reads and checks settings in JSON.
    ///
    /// # Errors
    /// One sentence that names the key, what was found and what is allowed.
    pub fn from_json(json: &[u8]) -> Result<Self, BadSettings> {
        let mut reader = serde_json::Deserializer::from_slice(json);
        let settings: Self = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
            let key = error.path().to_string();
            let reason = without_position(error.inner());
            // A path of "." or "?" is the document itself: it has no key to name.
            match key.as_str() {
                "." | "?" => BadSettings(format!("settings are not readable: {reason}")),
                _ if error.inner().is_data() && reason.starts_with("unknown field") => {
                    BadSettings(format!("settings have an {reason}"))
                }
                _ => BadSettings(format!("setting `{key}` is not readable: {reason}")),
            }
        })?;
        reader
            .end()
            .map_err(|error| BadSettings(format!("settings are not readable: {}", without_position(&error))))?;
        settings.check()?;
        Ok(settings)
    }

    /// The identifier of these settings: language models in the scripts of the target, CLD2 elsewhere.
    ///
    /// # Errors
    /// One sentence that names a pack that cannot be opened, or the target that is in no table.
    pub fn identifier(&self) -> Result<Combined, BadSettings> {
        let packs = langid::open_all(&self.packs).map_err(|bad| BadSettings(format!("setting `packs`: {bad}")))?;
        let identifier = Combined::new(packs, Some(self.target));
        let known = identifier.languages();
        if !known.contains(&self.target) {
            let known: Vec<&str> = known.iter().map(LangCode::as_str).collect();
            return Err(BadSettings(format!(
                "setting `target` is `{}` ({}), a language that is in no table; `corpulyzer train` makes a language pack from \
                 text (setting `packs`), and without one allowed are {}",
                self.target,
                self.target.name(),
                known.join(" ")
            )));
        }
        Ok(identifier)
    }

    /// Whether an engine can work with these values, apart from the target and the packs (see
    /// [`identifier`](Self::identifier)).
    ///
    /// # Errors
    /// One sentence that names the key, what was found and what is allowed.
    pub fn check(&self) -> Result<(), BadSettings> {
        let between = |key: &str, found: u64, most: u64| match found {
            0 => Err(BadSettings(format!("setting `{key}` is 0; allowed are 1 to {most}"))),
            _ if found > most => Err(BadSettings(format!("setting `{key}` is {found}; allowed are 1 to {most}"))),
            _ => Ok(()),
        };
        between("minPercent", self.min_percent.into(), 100)?;
        if self.excerpts > 100 {
            return Err(BadSettings(format!("setting `excerpts` is {}; allowed are 0 to 100", self.excerpts)));
        }
        between("excerptChars", self.excerpt_chars as u64, 10_000)?;
        between("maxBytes", self.max_bytes, Self::MAX_MAX_BYTES)?;
        between("maxDepth", self.max_depth as u64, 1_000_000)?;
        between("maxBlocks", self.max_blocks as u64, 100_000_000)?;
        between("maxMillis", self.max_millis, 86_400_000)?;
        for (key, found) in [("unknownScore", self.unknown_score), ("injectedScore", self.injected_score)] {
            if !found.is_finite() || found < 0.0 {
                return Err(BadSettings(format!("setting `{key}` is {found}; allowed are finite numbers from 0 on")));
            }
        }
        Ok(())
    }
}

/// serde_json's message without " at line 1 column 17": settings are one line that a program wrote.
fn without_position(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.rfind(" at line ").map_or(message.clone(), |at| message[..at].to_owned())
}

/// Settings that cannot be worked with, as one sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadSettings(String);

impl fmt::Display for BadSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadSettings {}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn error(json: &str) -> String {
        Settings::from_json(json.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn every_key_but_the_target_has_the_documented_default() {
        let documented = r#"{"target":"urd","extractor":"web-am","minBytes":256,"policy":"precision",
            "rejectJunk":true,"minPercent":2,"excerpts":3,"excerptChars":100,"excerptMinChars":300,
            "maxBytes":16777216,"maxDepth":1024,"maxBlocks":200000,"maxMillis":10000,"unknownScore":256.0,"injectedScore":1e9,
            "scorePolicy":"mean"}"#;
        let short = Settings::from_json(br#"{"target":"ur"}"#).unwrap();
        assert_eq!(short, Settings::from_json(documented.as_bytes()).unwrap());
        assert_eq!(short, Settings::new("urd".parse().unwrap()));
    }

    #[test]
    fn an_unknown_key_is_named_with_the_allowed_ones() {
        let error = error(r#"{"target":"urd","minbytes":1}"#);
        assert!(error.starts_with("settings have an unknown field `minbytes`, expected one of `target`"), "{error}");
    }

    #[test]
    fn a_value_of_the_wrong_type_is_named_with_its_key() {
        assert_eq!(
            error(r#"{"target":"urd","minBytes":"many"}"#),
            "setting `minBytes` is not readable: invalid type: string \"many\", expected u64"
        );
        assert!(error(r#"{"target":"urd","minBytes":-1}"#).starts_with("setting `minBytes` is not readable"));
        assert!(error(r#"{"target":"urd","extractor":"magic"}"#).starts_with("setting `extractor` is not readable"));
        let policy = error(r#"{"target":"urd","scorePolicy":"best"}"#);
        assert_eq!(
            policy,
            "setting `scorePolicy` is not readable: score policy `best` is unknown; allowed are mean and explore, and \
             behind either +barren:PAGES and +limit:PAGES"
        );
        let policy = error(r#"{"target":"urd","policy":"all"}"#);
        assert_eq!(
            policy,
            "setting `policy` is not readable: policy `all` is unknown; allowed are precision and recall"
        );
    }

    #[test]
    fn a_missing_target_and_broken_json_are_named() {
        assert!(error("{}").contains("missing field `target`"));
        assert!(error("").starts_with("settings are not readable: "));
        assert!(error(r#"{"target":"urd"} x"#).starts_with("settings are not readable: "));
        assert!(Settings::from_json(b"\xff").is_err());
    }

    #[test]
    fn a_target_in_no_table_is_refused_with_those_that_are() {
        let unknown = error(r#"{"target":"urdu"}"#);
        assert_eq!(unknown, "setting `target` is not readable: language code `urdu` is unknown; Urdu is `urd`");
        let refused = |code: &str| Settings::new(code.parse().unwrap()).identifier().unwrap_err().to_string();
        let akkadian = refused("akk");
        assert!(
            akkadian.starts_with("setting `target` is `akk` (Akkadian), a language that is in no table"),
            "{akkadian}"
        );
        assert!(akkadian.contains(" skr ") && akkadian.contains(" urd "));
        assert!(refused("und").starts_with("setting `target` is `und`"));
    }

    #[test]
    fn a_pack_that_cannot_be_opened_is_named() {
        let settings = Settings { packs: vec!["no/such.pack".into()], ..Settings::new("urd".parse().unwrap()) };
        let refused = settings.identifier().unwrap_err().to_string();
        assert!(refused.starts_with("setting `packs`: language pack no/such.pack: No such file"), "{refused}");
    }

    #[test]
    fn limits_out_of_range_are_refused() {
        assert_eq!(error(r#"{"target":"urd","maxMillis":0}"#), "setting `maxMillis` is 0; allowed are 1 to 86400000");
        assert_eq!(error(r#"{"target":"urd","minPercent":0}"#), "setting `minPercent` is 0; allowed are 1 to 100");
        assert_eq!(error(r#"{"target":"urd","excerpts":101}"#), "setting `excerpts` is 101; allowed are 0 to 100");
        assert_eq!(
            error(r#"{"target":"urd","excerptChars":0}"#),
            "setting `excerptChars` is 0; allowed are 1 to 10000"
        );
        assert!(error(r#"{"target":"urd","maxBytes":99999999999}"#).contains("allowed are 1 to 536870912"));
        assert!(error(r#"{"target":"urd","unknownScore":-1}"#).contains("`unknownScore` is -1"));
        assert!(error(r#"{"target":"urd","injectedScore":1e39}"#).contains("`injectedScore`"));
    }
}
