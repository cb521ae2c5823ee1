//! What is printed about a single page or text.

use engine::Inspection;
use langbytes::{Identify, LangBytes};

/// A page's record and blocks as indented JSON.
pub fn inspection(inspection: &Inspection) -> Result<String, String> {
    let json = serde_json::to_string_pretty(inspection).map_err(|error| format!("record: {error}"))?;
    Ok(json + "\n")
}

/// A line of code, bytes and name for each language, most bytes first. Line ends are in no language.
pub fn langbytes(text: &[u8], identifier: &dyn Identify) -> String {
    let text = String::from_utf8_lossy(text);
    let languages: LangBytes = langbytes::count(&text.lines().collect::<Vec<_>>(), identifier);
    let lines = languages.most_first().into_iter();
    lines.map(|(language, bytes)| format!("{language}\t{bytes}\t{}\n", language.name())).collect()
}
