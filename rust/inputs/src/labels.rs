//! Pages with labels, to train classes of pages with.

use crate::urls;
use serde_json::Value;

/// Most characters of a text that are held in memory: more than the words that a model reads.
const MAX_CHARS: usize = 16 << 10;

/// Pages with labels.
#[derive(Debug, Default)]
pub struct LabelledPages {
    /// Label, host and text of each.
    pub labelled: Vec<[String; 3]>,
    /// Number of pages without a label or without text.
    pub without: u64,
}

impl LabelledPages {
    /// Adds a page; its text is cut to what a model reads.
    pub fn add(&mut self, label: &str, url: &str, text: &str) {
        let label = label.trim();
        if label.is_empty() || text.is_empty() {
            self.without += 1;
            return;
        }
        let host = urls::parse(url).and_then(|url| url.host_str().map(str::to_owned));
        let text = text.chars().take(MAX_CHARS).collect();
        self.labelled.push([label.to_owned(), host.unwrap_or_default(), text]);
    }
}

/// Returns the label in a field: text, a number or a truth value as it is written; empty for
/// others.
pub fn label_of(value: Option<&str>) -> String {
    match value.map(serde_json::from_str) {
        Some(Ok(Value::String(text))) => text,
        Some(Ok(value @ (Value::Number(_) | Value::Bool(_)))) => value.to_string(),
        _ => String::new(),
    }
}
