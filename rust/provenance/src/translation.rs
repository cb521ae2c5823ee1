//! Signs that a page may be machine translation. They are labels, not verdicts: public bodies
//! translate by hand into many languages.

use crate::dates::Context;
use content::Statements;
use serde_json::{json, Map, Value};
use std::collections::BTreeSet;

/// Least number of languages of a page that are a sign: few sites translate by hand into more.
const MANY: usize = 5;

/// Largest number of alternates of a record.
const MAX_ALTERNATES: usize = 100;

/// Returns the signs of a page; `None` if it has none.
///
/// - `hreflang`: number of languages that the page names versions in, from five on
/// - `plugins`: translation plug-ins that it loads
/// - `saved`: a browser translated the page before it was saved
pub(crate) fn signals(statements: &Statements, context: &Context) -> Option<Value> {
    let languages = context.alternates.iter().map(|alternate| primary(&alternate.language));
    let languages: BTreeSet<&str> = languages.filter(|language| *language != "x").collect();
    let mut signals = Map::new();
    if languages.len() >= MANY {
        signals.insert("hreflang".to_owned(), json!(languages.len()));
    }
    if !statements.translators.is_empty() {
        signals.insert("plugins".to_owned(), json!(statements.translators));
    }
    if statements.is_translated {
        signals.insert("saved".to_owned(), json!(true));
    }
    (!signals.is_empty()).then(|| signals.into())
}

/// Returns the versions of a page in other languages that it names: objects of `language` and
/// `url`. `None` if there are none.
pub(crate) fn alternates(context: &Context) -> Option<Value> {
    let own = context.url.unwrap_or_default();
    let others = context
        .alternates
        .iter()
        .filter(|alternate| alternate.url != own && primary(&alternate.language) != "x");
    let others = others
        .take(MAX_ALTERNATES)
        .map(|alternate| json!({"language": alternate.language, "url": alternate.url}));
    let others: Vec<Value> = others.collect();
    (!others.is_empty()).then(|| others.into())
}

/// The primary subtag of a language tag.
fn primary(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or_default()
}
