//! Versions of a page in other languages that it names.

use crate::dates::Context;
use serde_json::{json, Value};

/// Largest number of alternates of a record.
const MAX_ALTERNATES: usize = 100;

/// Returns the versions of a page in other languages that it names: objects of `language` and
/// `url`. `None` if there are none.
pub(crate) fn alternates(context: &Context) -> Option<Value> {
    let own = context.url.unwrap_or_default();
    let is_default = |tag: &str| tag.split(['-', '_']).next() == Some("x");
    let others = context
        .alternates
        .iter()
        .filter(|alternate| alternate.url != own && !is_default(&alternate.language));
    let others = others
        .take(MAX_ALTERNATES)
        .map(|alternate| json!({"language": alternate.language, "url": alternate.url}));
    let others: Vec<Value> = others.collect();
    (!others.is_empty()).then(|| others.into())
}
