//! The names of a wiki's namespaces.

use std::collections::HashMap;

/// MediaWiki's namespace numbers.
pub const MEDIA: i32 = -2;
pub const FILE: i32 = 6;
pub const CATEGORY: i32 = 14;

/// The names of a wiki's namespaces.
#[derive(Debug, Clone)]
pub struct Namespaces {
    by_name: HashMap<String, i32>,
}

impl Default for Namespaces {
    /// The names that every wiki has in addition to its own.
    fn default() -> Self {
        let mut known = Self { by_name: HashMap::new() };
        for (key, name) in
            [(MEDIA, "Media"), (FILE, "File"), (FILE, "Image"), (CATEGORY, "Category")]
        {
            known.add(key, name);
        }
        known
    }
}

impl Namespaces {
    /// Adds a name.
    pub fn add(&mut self, key: i32, name: &str) {
        let name = folded(name);
        if !name.is_empty() {
            self.by_name.insert(name, key);
        }
    }

    /// Returns the namespace of a title; 0 if its prefix is unknown.
    pub fn of_title(&self, title: &str) -> i32 {
        self.of_prefix(title).unwrap_or(0)
    }

    /// Returns the namespace in front of a colon.
    pub(super) fn of_prefix(&self, title: &str) -> Option<i32> {
        let (prefix, _) = title.split_once(':')?;
        self.by_name.get(&folded(prefix)).copied()
    }
}

/// Normalizes a namespace's name: case, `_` and surrounding spaces make no difference.
fn folded(name: &str) -> String {
    name.replace('_', " ").trim().to_lowercase()
}
