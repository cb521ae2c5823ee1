//! Makes models of classes from labelled pages.

use crate::io::console::counted;
use crate::io::input;
use crate::io::output::{apart, settle, Place};
use crate::io::records::Records;
use anyhow::{anyhow, bail, Result};
use inputs::corpus::Fields;
use langid::{train_classes, Labelled, Validation};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;

/// Most characters of a text that are held in memory: more than the words that a model reads.
const MAX_CHARS: usize = 16 << 10;

/// Number of texts below which a class is found badly.
const FEW_TEXTS: usize = 50;

/// Pages with labels.
#[derive(Default)]
struct Pages {
    /// Label, host and text of each.
    labelled: Vec<[String; 3]>,
    without: u64,
}

impl Pages {
    fn add(&mut self, label: &str, url: &str, text: &str) {
        let label = label.trim();
        if label.is_empty() || text.is_empty() {
            self.without += 1;
            return;
        }
        let host = inputs::urls::parse(url).and_then(|url| url.host_str().map(str::to_owned));
        let text = text.chars().take(MAX_CHARS).collect();
        self.labelled.push([label.to_owned(), host.unwrap_or_default(), text]);
    }
}

/// The label in a field: text, a number or a truth value as it is written.
fn label(value: Option<&str>) -> String {
    match value.map(serde_json::from_str) {
        Some(Ok(Value::String(text))) => text,
        Some(Ok(value @ (Value::Number(_) | Value::Bool(_)))) => value.to_string(),
        _ => String::new(),
    }
}

/// Makes a model of the classes in a field, and prints the result of a cross-validation. Returns
/// whether the input was read to its end.
///
/// # Errors
/// Fails if the texts cannot be read, the labels do not make classes, or the model cannot be written.
pub fn train(text: &Path, field: &str, out: &Path, place: Place, max_bytes: u64) -> Result<bool> {
    let mut pages = Pages::default();
    let name = text.to_string_lossy();
    let is_whole = if [".tsv", ".csv"].iter().any(|ending| name.ends_with(ending)) {
        apart(&[(out, "--out")], [text])?;
        let sheet = input::read(text, max_bytes)?;
        let rows = audit::labelled(&sheet, field);
        for row in rows.map_err(|bad| anyhow!("{name}: {bad} (--text)"))? {
            pages.add(&row.label, &row.url, &row.text);
        }
        true
    } else {
        let records = Records::new(&[text.to_owned()], &[(out, "--out")], max_bytes)?;
        let read = records.read(&mut |lines| {
            for (line, page) in &lines {
                let label = label(Fields::of(line)?.get(field));
                pages.add(&label, page.url.as_deref().unwrap_or_default(), page.text());
            }
            Ok(Some(counted(pages.labelled.len(), "labelled page")))
        })?;
        read.is_whole()
    };
    if pages.labelled.is_empty() {
        bail!("{name}: no page has a label in `{field}` and text; name the field with the labels (--classes)");
    }
    eprintln!(
        "corpulyzer: training from {}; {} without a label in `{field}` or without text",
        counted(pages.labelled.len(), "page"),
        pages.without
    );
    let texts: Vec<Labelled> =
        pages.labelled.iter().map(|[class, group, text]| Labelled { class, group, text }).collect();
    let (bytes, found) = train_classes(&texts).map_err(|bad| anyhow!("{bad} (--text)"))?;
    eprint!("{}", table(&found));
    let place = settle(place, is_whole)?;
    super::write(&place, &bytes)?;
    eprintln!("corpulyzer: {}: {}", place.name(), counted(bytes.len(), "byte"));
    Ok(is_whole)
}

/// The result of a cross-validation for people.
fn table(found: &Validation) -> String {
    #[expect(clippy::cast_precision_loss, reason = "shares are shown with two digits")]
    let share = |part: usize, of: usize| match of {
        0 => "-".to_owned(),
        of => format!("{:.2}", part as f64 / of as f64),
    };
    // Writing to a string cannot fail.
    let mut table = format!(
        "cross-validation of {} in 5 parts of whole hosts, {}; {} too short\n{:<32} {:>8} {:>9} {:>8} {:>8}\n",
        counted(found.texts, "page"),
        counted(found.groups, "group"),
        found.short,
        "class",
        "pages",
        "precision",
        "recall",
        "F1"
    );
    for class in &found.classes {
        let few = if class.texts < FEW_TEXTS { "  few pages, expect mistakes" } else { "" };
        let _ = writeln!(
            table,
            "{:<32} {:>8} {:>9} {:>8} {:>8}{few}",
            class.name,
            class.texts,
            share(class.right, class.found),
            share(class.right, class.texts),
            share(2 * class.right, class.found + class.texts)
        );
    }
    let _ = writeln!(
        table,
        "{:<32} {:>8} right: {}",
        "all",
        found.texts,
        share(found.right, found.texts)
    );
    for of in &found.confident {
        let name = format!("confidence of {} or more", of.least);
        let _ = writeln!(table, "{name:<32} {:>8} right: {}", of.texts, share(of.right, of.texts));
    }
    let _ = writeln!(
        table,
        "confidence differs from the share of right pages by {:.3} on average",
        found.calibration_error
    );
    table
}
