//! Pages that must be in no output, because somebody asked for their removal.
//!
//! The test is one for the process, so that no reader of records can miss it.

use crate::identity;
use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// Returns whether a page must be left out, by its URL and its text. Either may be empty.
pub type Test = dyn Fn(&str, &str) -> bool + Send + Sync;

/// The test, and the pages that it left out.
struct Removals {
    test: Arc<Test>,
    left_out: Mutex<HashSet<u64>>,
}

impl fmt::Debug for Removals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Removals")
    }
}

static REMOVALS: RwLock<Option<Removals>> = RwLock::new(None);

/// Sets the test that all readers of records make; `None` leaves out nothing.
pub fn leave_out_by(test: Option<Arc<Test>>) {
    let removals = test.map(|test| Removals { test, left_out: Mutex::default() });
    *REMOVALS.write().unwrap_or_else(PoisonError::into_inner) = removals;
}

/// Returns whether a page must be left out.
pub fn is_left_out(url: &str, text: &str) -> bool {
    let removals = REMOVALS.read().unwrap_or_else(PoisonError::into_inner);
    let Some(removals) = &*removals else { return false };
    let is_left_out = (removals.test)(url, text);
    if is_left_out {
        // A page may be read twice.
        let page = if url.is_empty() { text } else { url };
        let mut left_out = removals.left_out.lock().unwrap_or_else(PoisonError::into_inner);
        left_out.insert(identity::of_run(page.as_bytes()));
    }
    is_left_out
}

/// Returns whether there is a test.
pub fn are_any() -> bool {
    REMOVALS.read().unwrap_or_else(PoisonError::into_inner).is_some()
}

/// Removes the entries of a list of a page's versions in other languages (objects with `url`) that
/// must be left out. Returns whether there were any.
pub fn clear_alternates(list: &mut serde_json::Value) -> bool {
    let removals = REMOVALS.read().unwrap_or_else(PoisonError::into_inner);
    let (Some(removals), Some(list)) = (&*removals, list.as_array_mut()) else { return false };
    let before = list.len();
    list.retain(|one| one["url"].as_str().is_none_or(|url| !(removals.test)(url, "")));
    list.len() < before
}

/// Returns the number of different pages that were left out.
pub fn left_out() -> usize {
    let removals = REMOVALS.read().unwrap_or_else(PoisonError::into_inner);
    let count = |removals: &Removals| {
        removals.left_out.lock().unwrap_or_else(PoisonError::into_inner).len()
    };
    removals.as_ref().map_or(0, count)
}
