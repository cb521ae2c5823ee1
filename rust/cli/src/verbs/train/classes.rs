//! Makes models of classes from labelled pages.

use crate::io::console::{counted, is_quiet};
use crate::io::input;
use crate::io::output::{apart, settle, FilePlace};
use crate::io::records::Records;
use anyhow::{anyhow, bail, Result};
use inputs::corpus::Fields;
use inputs::labels::{label_of, LabelledPages};
use langid::{train_classes, Labelled};
use std::path::Path;

/// Makes a model of the classes in a field, and prints the result of a cross-validation. Returns
/// whether the input was read to its end.
///
/// # Errors
/// Fails if the texts cannot be read, the labels do not make classes, or the model cannot be
/// written.
pub fn train(
    text: &Path,
    field: &str,
    out: &Path,
    place: FilePlace,
    max_bytes: u64,
) -> Result<bool> {
    let mut pages = LabelledPages::default();
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
                let label = label_of(Fields::of(line)?.get(field));
                pages.add(&label, page.url.as_deref().unwrap_or_default(), page.text());
            }
            Ok(Some(counted(pages.labelled.len(), "labelled page")))
        })?;
        read.is_whole()
    };
    if pages.labelled.is_empty() {
        bail!("{name}: no page has a label in `{field}` and text; name the field with the labels (--classes)");
    }
    note!(
        "corpulyzer: training from {}; {} without a label in `{field}` or without text",
        counted(pages.labelled.len(), "page"),
        pages.without
    );
    let texts: Vec<Labelled> =
        pages.labelled.iter().map(|[class, group, text]| Labelled { class, group, text }).collect();
    let (bytes, found) = train_classes(&texts).map_err(|bad| anyhow!("{bad} (--text)"))?;
    if !is_quiet() {
        eprint!("{}", evaluation::classes::table(&found));
    }
    let place = settle(place, is_whole)?;
    Ok(super::write(&place, &bytes)? && is_whole)
}
