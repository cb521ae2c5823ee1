//! Settings of an engine: the target languages, the extractor, the size filter, the limits and the
//! scores.

use crate::profile::UnknownProfile;
use crate::{LinksPolicy, Policy, Profile, StopWords, Targets};
use content::{CannotDrop, Comments, Extractor, Headline};
use langid::{BadPack, BadTrainingText, IdentifierName, Identify, LangCode, Pack, Sources};
use properties::Property;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use sitescore::Steering;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Settings of an [`Engine`](crate::Engine). In JSON the keys are in camel case, unknown keys are
/// an error, and every key but `target` has a default. The key `profile` selects other defaults
/// ([`Profile`]). The names, defaults and ranges are those of [`properties`]; the element `engine` of
/// a property has the name in JSON.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Settings {
    /// The target languages; in JSON codes separated by commas. Required.
    #[serde(rename = "target", deserialize_with = "parsed")]
    pub targets: Targets,
    /// Files with language packs in addition to the library's own, made by `corpulyzer train`. If
    /// several packs have a language, the last one is used. Default none.
    #[serde(default)]
    pub packs: Vec<PathBuf>,
    /// The identifier of languages.
    #[serde(default, deserialize_with = "parsed")]
    pub identifier: IdentifierName,
    /// The extractor of main content.
    #[serde(default = "extractor", deserialize_with = "parsed")]
    pub extractor: Extractor,
    /// Keep or drop comments of readers. Only the extractor `best` drops them.
    #[serde(default, deserialize_with = "parsed")]
    pub comments: Comments,
    /// Keep or drop the headline in the text. Only the extractor `best` finds it.
    #[serde(default, deserialize_with = "parsed")]
    pub headline: Headline,
    /// The content-size filter: minimum number of bytes in a target language in the main text.
    #[serde(default = "min_bytes")]
    pub min_bytes: u64,
    /// The policy that selects pages.
    #[serde(default, deserialize_with = "parsed")]
    pub policy: Policy,
    /// Reject pages that meet a junk rule, whatever else they hold.
    #[serde(default = "reject_junk")]
    pub reject_junk: bool,
    /// Policy `recall`: least share of the target language in the language set, in percent.
    #[serde(default = "min_percent")]
    pub min_percent: u32,
    /// Number of excerpts of a page. 0 disables excerpts.
    #[serde(default = "excerpts")]
    pub excerpts: usize,
    /// Length of an excerpt in characters.
    #[serde(default = "excerpt_chars")]
    pub excerpt_chars: usize,
    /// Minimum length of a main text for excerpts, in characters.
    #[serde(default = "excerpt_min_chars")]
    pub excerpt_min_chars: usize,
    /// Longest page that is read, in bytes as fetched.
    #[serde(default = "max_bytes")]
    pub max_bytes: u64,
    /// Depth beyond which elements are read as one level.
    #[serde(default = "max_depth")]
    pub max_depth: usize,
    /// Most text blocks of a page.
    #[serde(default = "max_blocks")]
    pub max_blocks: usize,
    /// Time limit for a page in milliseconds, identification included.
    #[serde(default = "max_millis")]
    pub max_millis: u64,
    /// Score of the rows of a host without fetched pages, in bytes per page.
    #[serde(default = "unknown_score")]
    pub unknown_score: f32,
    /// Score of the injected seeds of such a host, in bytes per page.
    #[serde(default = "injected_score")]
    pub injected_score: f32,
    /// The rule for the scores of a host's rows and for stopping a host.
    #[serde(default, deserialize_with = "parsed")]
    pub score_policy: Steering,
    /// The rule for the links of rejected pages.
    #[serde(default, deserialize_with = "parsed")]
    pub links_policy: LinksPolicy,
}

fn extractor() -> Extractor {
    Settings::DEFAULT_EXTRACTOR
}
fn min_bytes() -> u64 {
    properties::PAGE_MIN_BYTES.default
}
fn reject_junk() -> bool {
    properties::PAGE_REJECT_JUNK.default
}
fn min_percent() -> u32 {
    properties::PAGE_MIN_PERCENT.default as u32
}
fn excerpts() -> usize {
    properties::PAGE_EXCERPTS.default as usize
}
fn excerpt_chars() -> usize {
    properties::PAGE_EXCERPT_CHARS.default as usize
}
fn excerpt_min_chars() -> usize {
    properties::PAGE_EXCERPT_MIN_CHARS.default as usize
}
fn max_bytes() -> u64 {
    properties::PAGE_MAX_BYTES.default
}
fn max_depth() -> usize {
    properties::PAGE_MAX_DEPTH.default as usize
}
fn max_blocks() -> usize {
    properties::PAGE_MAX_BLOCKS.default as usize
}
fn max_millis() -> u64 {
    properties::PAGE_MAX_MILLIS.default
}
fn unknown_score() -> f32 {
    // The default is the value of corpulyzer.page.minBytes.
    properties::SCORE_UNKNOWN.default.unwrap_or(min_bytes() as f32)
}
fn injected_score() -> f32 {
    properties::SCORE_INJECTED.default.unwrap_or(f32::MAX)
}

/// Deserializes a type from text with its `FromStr`.
fn parsed<'de, D: Deserializer<'de>, T: FromStr<Err: fmt::Display>>(
    deserializer: D,
) -> Result<T, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

impl Settings {
    /// Extractor of settings that name none ([ADR 11](../../../docs/adr/0011-best-by-default.md)).
    pub const DEFAULT_EXTRACTOR: Extractor = Extractor::Best;

    /// Largest `max_bytes`: a page's result frame is up to three times the page and must fit a Java
    /// array (2 GiB).
    pub const MAX_MAX_BYTES: u64 = properties::PAGE_MAX_BYTES.most;

    /// Returns the defaults for a target language.
    pub fn new(target: LangCode) -> Self {
        Self {
            targets: target.into(),
            packs: Vec::new(),
            identifier: IdentifierName::default(),
            extractor: extractor(),
            comments: Comments::default(),
            headline: Headline::default(),
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
            links_policy: LinksPolicy::default(),
        }
    }

    /// Returns the only target language, or the first of several.
    pub fn target(&self) -> LangCode {
        self.targets.first()
    }

    /// Parses and checks settings in JSON.
    ///
    /// # Errors
    /// Fails if a setting is invalid. The message is one sentence with the key, the value and the
    /// allowed values.
    pub fn from_json(json: &[u8]) -> Result<Self, BadSettings> {
        // The path of a wrong value is lost in a document, so only settings with a profile are one.
        let mut document: Option<Value> = serde_json::from_slice(json).ok();
        let document = document.as_mut().filter(|document| document.get("profile").is_some());
        let settings: Self = match document {
            Some(document) => {
                Profile::fill(document)?;
                serde_path_to_error::deserialize(&*document)
                    .map_err(|error| unreadable(json, &error))?
            }
            None => {
                let mut reader = serde_json::Deserializer::from_slice(json);
                let settings = serde_path_to_error::deserialize(&mut reader)
                    .map_err(|error| unreadable(json, &error))?;
                let end = reader.end();
                end.map_err(|error| BadSettings::Document(without_position(&error)))?;
                settings
            }
        };
        settings.check()?;
        Ok(settings)
    }

    /// Returns the identifier of these settings.
    ///
    /// # Errors
    /// Fails if a pack or a training text cannot be opened or is not used, or if no table has the
    /// target. The message is one sentence with its name.
    pub fn identifier(&self) -> Result<Box<dyn Identify>, BadSettings> {
        let name = self.identifier;
        if name == IdentifierName::Cld2 && !self.packs.is_empty() {
            return Err(BadSettings::PacksOfCld2);
        }
        let targets = self.targets.iter().collect();
        let sources = match name.needs_texts() {
            true => Sources { texts: self.training_texts()?, ..Sources::default() },
            false => Sources { packs: self.opened_packs()?, targets, ..Sources::default() },
        };
        let identifier = name.open(sources)?;
        let known = identifier.languages();
        if let Some(target) = self.targets.iter().find(|target| !known.contains(target)) {
            let instead = langid::related(target, &known);
            let advice = if !instead.is_empty() || target.is_macro_language() {
                langid::advice(target, &instead)
            } else {
                let known: Vec<&str> = known.iter().map(LangCode::as_str).collect();
                format!(
                    "; `corpulyzer train` makes a language pack from text (setting `packs`), and \
                     without one allowed are {}",
                    known.join(" ")
                )
            };
            return Err(BadSettings::Target { target, advice });
        }
        Ok(identifier)
    }

    /// Opens the language packs.
    fn opened_packs(&self) -> Result<Vec<Pack>, BadSettings> {
        let packs = langid::open_all(&self.packs)?;
        for (path, pack) in self.packs.iter().zip(&packs) {
            let languages = pack.languages().count();
            log::info!("language pack {} is loaded: {languages} languages", path.display());
        }
        Ok(packs)
    }

    /// Reads the texts that stand in place of packs if the identifier is trained from texts.
    fn training_texts(&self) -> Result<Vec<(LangCode, String)>, BadSettings> {
        if self.packs.is_empty() {
            return Err(BadSettings::NoTexts(self.identifier));
        }
        let texts = self.packs.iter().map(|file| langid::training_text(file));
        Ok(texts.collect::<Result<_, _>>()?)
    }

    /// Returns the stop words of the target languages if the extractor uses them; `None` also if
    /// their languages have none.
    ///
    /// # Errors
    /// Fails if a pack cannot be opened.
    pub fn stop_words(&self) -> Result<Option<StopWords>, BadSettings> {
        if self.extractor != Extractor::JusText {
            return Ok(None);
        }
        let packs = match self.identifier.needs_texts() {
            true => Vec::new(),
            false => langid::open_all(&self.packs)?,
        };
        let targets: Vec<LangCode> = self.targets.iter().collect();
        Ok(StopWords::new(packs, &targets))
    }

    /// Checks these values, except for the target and the packs (see
    /// [`identifier`](Self::identifier)).
    ///
    /// # Errors
    /// Fails if a value is invalid. The message is one sentence with the key, the value and the
    /// allowed values.
    pub fn check(&self) -> Result<(), BadSettings> {
        self.comments.check(self.extractor)?;
        let numbers = [
            (properties::PAGE_MIN_BYTES, self.min_bytes),
            (properties::PAGE_MIN_PERCENT, self.min_percent.into()),
            (properties::PAGE_EXCERPTS, self.excerpts as u64),
            (properties::PAGE_EXCERPT_CHARS, self.excerpt_chars as u64),
            (properties::PAGE_EXCERPT_MIN_CHARS, self.excerpt_min_chars as u64),
            (properties::PAGE_MAX_BYTES, self.max_bytes),
            (properties::PAGE_MAX_DEPTH, self.max_depth as u64),
            (properties::PAGE_MAX_BLOCKS, self.max_blocks as u64),
            (properties::PAGE_MAX_MILLIS, self.max_millis),
        ];
        if let Some((number, found)) =
            numbers.into_iter().find(|(number, found)| !number.allows(*found))
        {
            let Property { engine, allowed, .. } = number.property;
            return Err(BadSettings::Value { key: engine, found: found.to_string(), allowed });
        }
        for (score, found) in [
            (properties::SCORE_UNKNOWN, self.unknown_score),
            (properties::SCORE_INJECTED, self.injected_score),
        ] {
            if !found.is_finite() || found < 0.0 {
                return Err(BadSettings::Value {
                    key: score.property.engine,
                    found: found.to_string(),
                    allowed: "finite numbers from 0 on",
                });
            }
        }
        Ok(())
    }
}

/// Returns what is wrong with settings that cannot be read.
fn unreadable(json: &[u8], error: &serde_path_to_error::Error<serde_json::Error>) -> BadSettings {
    let key = error.path().to_string();
    let reason = without_position(error.inner());
    // A language has the nearest names in its sentence.
    let known = properties::ALL.iter().find(|row| row.engine == key && key != "target");
    let document: Option<Value> = serde_json::from_slice(json).ok();
    let found = document.as_ref().and_then(|document| document.get(&key));
    if let (Some(Property { engine, allowed, .. }), Some(found)) = (known, found) {
        return BadSettings::Value { key: engine, found: found.to_string(), allowed };
    }
    // A path of "." or "?" is the document itself and has no key.
    match key.as_str() {
        "." | "?" => BadSettings::Document(reason),
        _ if error.inner().is_data() && reason.starts_with("unknown field") => {
            BadSettings::UnknownKey(reason)
        }
        _ => BadSettings::Unreadable { key, reason },
    }
}

/// Returns serde_json's message without " at line 1 column 17": settings are one line that a
/// program wrote.
fn without_position(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.rfind(" at line ").map_or(message.clone(), |at| message[..at].to_owned())
}

/// Invalid settings. The sentence names the key, what was found and what is allowed.
#[derive(Debug, thiserror::Error)]
pub enum BadSettings {
    /// The document is not JSON, or not an object.
    #[error("settings are not readable: {0}")]
    Document(String),
    /// A key is unknown; serde's sentence names it and the known ones.
    #[error("settings have an {0}")]
    UnknownKey(String),
    /// The value of `target`, or a part of the value of `packs`, cannot be read.
    #[error("setting `{key}` is not readable: {reason}")]
    Unreadable {
        /// Name of the setting.
        key: String,
        /// The reason, with the value.
        reason: String,
    },
    /// A value is out of range, of another type, or none of the allowed words.
    #[error("setting `{key}` is {found}; allowed are {allowed}")]
    Value {
        /// Name of the setting.
        key: &'static str,
        /// The value that was given, as JSON.
        found: String,
        /// The allowed values in words.
        allowed: &'static str,
    },
    /// The profile is unknown.
    #[error(transparent)]
    Profile(#[from] UnknownProfile),
    /// The extractor cannot drop comments.
    #[error("setting `comments` {0}")]
    Comments(#[from] CannotDrop),
    /// No table has the target language.
    #[error("setting `target` is `{target}` ({}), a language that is in no table{advice}", target.name())]
    Target {
        /// The language that was given.
        target: LangCode,
        /// Advice that ends the sentence: a related language, or how to make a pack.
        advice: String,
    },
    /// CLD2 has its own tables.
    #[error(
        "setting `packs` has language packs, but identifier `cld2` uses none; remove them, or use \
         identifier `combined`"
    )]
    PacksOfCld2,
    /// An identifier that learns from texts has none.
    #[error(
        "setting `packs` is empty, but identifier `{0}` is trained from texts; name files that are \
         named after their languages, such as urd.txt"
    )]
    NoTexts(IdentifierName),
    /// A language pack cannot be used.
    #[error("setting `packs`: {0}")]
    Pack(#[from] BadPack),
    /// A training text cannot be used.
    #[error("setting `packs`: {0}")]
    Text(#[from] BadTrainingText),
}

impl BadSettings {
    /// Returns the key of the setting at fault; `None` if it is the document.
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::Document(_) | Self::UnknownKey(_) => None,
            Self::Unreadable { key, .. } => Some(key),
            Self::Value { key, .. } => Some(key),
            Self::Profile(_) => Some("profile"),
            Self::Comments(_) => Some("comments"),
            Self::Target { .. } => Some("target"),
            Self::PacksOfCld2 | Self::NoTexts(_) | Self::Pack(_) | Self::Text(_) => Some("packs"),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn error(json: &str) -> String {
        Settings::from_json(json.as_bytes()).unwrap_err().to_string()
    }

    /// The defaults of the table as JSON.
    fn documented() -> serde_json::Map<String, Value> {
        let of = |property: &Property| match (property.engine, property.value) {
            ("target", _) => Value::from("urd"),
            ("packs", "") => Value::Array(Vec::new()),
            // The default is that of corpulyzer.page.minBytes.
            ("unknownScore", "") => properties::PAGE_MIN_BYTES.default.into(),
            (_, value) => serde_json::from_str(value).unwrap_or_else(|_| Value::from(value)),
        };
        properties::ALL
            .iter()
            .filter(|row| !row.engine.is_empty())
            .map(|row| (row.engine.to_owned(), of(row)))
            .collect()
    }

    #[test]
    fn every_key_but_the_target_has_the_documented_default() {
        let short = Settings::from_json(br#"{"target":"ur"}"#).unwrap();
        let documented = documented();
        assert_eq!(short, Settings::from_json(&serde_json::to_vec(&documented).unwrap()).unwrap());
        assert_eq!(short, Settings::new("urd".parse().unwrap()));
        let message = error(r#"{"target":"urd","other":1}"#);
        let keys: Vec<&str> = message.split('`').skip(3).step_by(2).collect();
        let rows = properties::ALL.iter().map(|row| row.engine).filter(|engine| !engine.is_empty());
        assert_eq!(keys, rows.collect::<Vec<_>>(), "keys of the engine and of the table");
    }

    #[test]
    fn the_architecture_shows_the_defaults() {
        let page = include_str!("../../../docs/architecture.md");
        let shown = page.split_once("{\"target\":").unwrap().1.split_once("```").unwrap().0;
        let shown: Value = serde_json::from_str(&format!("{{\"target\":{shown}")).unwrap();
        let number = |value: &Value| value.as_f64().map_or(value.clone(), Value::from);
        let numbers = |of: &serde_json::Map<String, Value>| -> Vec<(String, Value)> {
            of.iter().map(|(key, value)| (key.clone(), number(value))).collect()
        };
        assert_eq!(numbers(shown.as_object().unwrap()), numbers(&documented()));
    }

    #[test]
    fn the_names_of_the_table_are_those_of_the_engine() {
        let sorted = |mut names: Vec<&'static str>| {
            names.sort_unstable();
            names
        };
        assert_eq!(
            sorted(properties::PAGE_EXTRACTOR.allowed.to_vec()),
            sorted(Extractor::ALL.map(Extractor::name).to_vec())
        );
        assert_eq!(properties::PAGE_EXTRACTOR.default, Settings::DEFAULT_EXTRACTOR.name());
        assert_eq!(properties::PAGE_COMMENTS.allowed, Comments::ALL.map(Comments::name));
        assert_eq!(properties::PAGE_COMMENTS.default, Comments::default().name());
        assert_eq!(properties::PAGE_HEADLINE.allowed, Headline::ALL.map(Headline::name));
        assert_eq!(properties::PAGE_HEADLINE.default, Headline::default().name());
        assert_eq!(
            properties::LANGUAGE_IDENTIFIER.allowed,
            IdentifierName::ALL.map(IdentifierName::as_str)
        );
        assert_eq!(properties::LANGUAGE_IDENTIFIER.default, IdentifierName::default().as_str());
        assert_eq!(
            properties::PAGE_POLICY.allowed,
            [Policy::Precision, Policy::Recall].map(Policy::as_str)
        );
        assert_eq!(properties::PAGE_POLICY.default, Policy::default().as_str());
        assert_eq!(properties::SCORE_POLICY.default, Steering::default().to_string());
        assert_eq!(properties::LINKS_POLICY.allowed, LinksPolicy::ALL.map(LinksPolicy::as_str));
        assert_eq!(properties::LINKS_POLICY.default, LinksPolicy::default().as_str());
    }

    /// Java checks a score policy by the pattern of the table, without the native library.
    #[test]
    fn the_pattern_of_the_table_and_the_engine_allow_the_same_score_policies() {
        const PIECES: [&str; 15] = [
            "mean", "explore", "pages", "best", "+barren:", "+limit:", "+rising:", "0.", "+", ":",
            "0", "1", "7", "99999999", "\u{663}",
        ];
        let pattern =
            regex::Regex::new(&format!("^(?:{})$", properties::SCORE_POLICY.property.pattern))
                .unwrap();
        let (mut allowed, mut policies) = (0, vec![String::new()]);
        for _ in 0..5 {
            policies = policies
                .iter()
                .flat_map(|policy| PIECES.map(|piece| format!("{policy}{piece}")))
                .collect();
            for policy in &policies {
                assert_eq!(
                    policy.parse::<Steering>().is_ok(),
                    pattern.is_match(policy),
                    "{policy}"
                );
                allowed += usize::from(pattern.is_match(policy));
            }
        }
        assert!(allowed > 100, "{allowed}");
    }

    #[test]
    fn an_unknown_key_is_named_with_the_allowed_ones() {
        let error = error(r#"{"target":"urd","minbytes":1}"#);
        assert!(
            error
                .starts_with("settings have an unknown field `minbytes`, expected one of `target`"),
            "{error}"
        );
    }

    #[test]
    fn a_value_of_the_wrong_type_is_named_with_its_key() {
        for (key, value, allowed) in [
            ("minBytes", r#""many""#, "0 to 2147483647"),
            ("minBytes", "-1", "0 to 2147483647"),
            ("minBytes", "1.5", "0 to 2147483647"),
            ("minBytes", "99999999999999999999", "0 to 2147483647"),
            ("rejectJunk", r#""no""#, "true, false"),
            ("extractor", "[]", properties::PAGE_EXTRACTOR.property.allowed),
            ("policy", r#""all""#, "precision, recall"),
            ("comments", r#""no""#, "keep, drop"),
        ] {
            let said = error(&format!(r#"{{"target":"urd","{key}":{value}}}"#));
            let found: Value = serde_json::from_str(value).unwrap();
            assert_eq!(said, format!("setting `{key}` is {found}; allowed are {allowed}"));
        }
        let policy = error(r#"{"target":"urd","scorePolicy":"best"}"#);
        assert!(policy.starts_with("setting `scorePolicy` is \"best\"; allowed are mean, "));
        assert!(error(r#"{"target":7}"#).starts_with("setting `target` is not readable: "));
    }

    #[test]
    fn comments_are_dropped_by_best_alone() {
        let settings = Settings::from_json(br#"{"target":"urd","comments":"drop"}"#).unwrap();
        assert_eq!(settings.comments, Comments::Drop);
        assert_eq!(
            error(r#"{"target":"urd","comments":"drop","extractor":"web-am"}"#),
            "setting `comments` is `drop`, but only the extractor `best` drops comments, and the \
             extractor is `web-am`; allowed is `keep`"
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
        assert_eq!(
            unknown,
            "setting `target` is not readable: language code `urdu` is unknown; Urdu is `urd`"
        );
        let refused =
            |code: &str| Settings::new(code.parse().unwrap()).identifier().unwrap_err().to_string();
        let akkadian = refused("akk");
        assert!(
            akkadian.starts_with(
                "setting `target` is `akk` (Akkadian), a language that is in no table"
            ),
            "{akkadian}"
        );
        assert!(akkadian.contains(" skr ") && akkadian.contains(" urd "));
        assert!(refused("und").starts_with("setting `target` is `und`"));
        let one_of_two = Settings::from_json(br#"{"target":"ur,akk"}"#).unwrap();
        let refused = one_of_two.identifier().unwrap_err().to_string();
        assert!(refused.starts_with("setting `target` is `akk` (Akkadian)"), "{refused}");
    }

    #[test]
    fn several_targets_are_one_list_whatever_their_order_and_form() {
        let of =
            |target: &str| Settings::from_json(format!(r#"{{"target":"{target}"}}"#).as_bytes());
        let settings = of("ur, skr,urd,pnb").unwrap();
        assert_eq!(settings.targets.to_string(), "pnb,skr,urd");
        assert_eq!(settings.target().as_str(), "pnb");
        assert_eq!(settings, of("pnb,skr,ur").unwrap());
        assert_ne!(settings, of("pnb,skr").unwrap());
        assert_eq!(of("ur").unwrap(), of("urd").unwrap());
        assert_eq!(
            error(r#"{"target":"urd,urdu"}"#),
            "setting `target` is not readable: language code `urdu` is unknown; Urdu is `urd`"
        );
        assert!(of("urd,").is_err() && of(",").is_err() && of("").is_err());
    }

    #[test]
    fn a_pack_that_cannot_be_opened_is_named() {
        let settings = Settings {
            packs: vec!["no/such.pack".into()],
            ..Settings::new("urd".parse().unwrap())
        };
        let refused = settings.identifier().unwrap_err().to_string();
        assert!(
            refused.starts_with("setting `packs`: language pack no/such.pack: No such file"),
            "{refused}"
        );
    }

    #[test]
    fn limits_out_of_range_are_refused() {
        assert_eq!(
            error(r#"{"target":"urd","maxMillis":0}"#),
            "setting `maxMillis` is 0; allowed are 1 to 86400000"
        );
        assert_eq!(
            error(r#"{"target":"urd","minPercent":0}"#),
            "setting `minPercent` is 0; allowed are 1 to 100"
        );
        assert_eq!(
            error(r#"{"target":"urd","excerpts":101}"#),
            "setting `excerpts` is 101; allowed are 0 to 100"
        );
        assert_eq!(
            error(r#"{"target":"urd","excerptChars":0}"#),
            "setting `excerptChars` is 0; allowed are 1 to 10000"
        );
        assert!(error(r#"{"target":"urd","maxBytes":99999999999}"#)
            .contains("allowed are 1 to 536870912"));
        assert_eq!(
            error(r#"{"target":"urd","minBytes":2147483648}"#),
            "setting `minBytes` is 2147483648; allowed are 0 to 2147483647"
        );
        assert!(error(r#"{"target":"urd","unknownScore":-1}"#).contains("`unknownScore` is -1"));
        assert!(error(r#"{"target":"urd","injectedScore":1e39}"#).contains("`injectedScore`"));
    }
}
