//! Counts the bytes of each language in a text.

use crate::arguments::AsJson;
use crate::context::Context;
use crate::io::input;
use anyhow::Result;
use clap::Args;
use langbytes::LangBytes;
use render::results::{bare, Results};
use std::path::PathBuf;

/// Print the bytes of each language in a plain text
#[derive(Args)]
pub struct Arguments {
    /// The text (UTF-8); - is standard input
    file: PathBuf,
    #[command(flatten)]
    json: AsJson,
}

/// Prints code, bytes and name of each language on a line, most bytes first. Line ends are in no
/// language.
///
/// # Errors
/// Fails if the text or a pack cannot be read.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    let content = input::read(&arguments.file, context.max_bytes)?;
    let text = String::from_utf8_lossy(&content);
    let identifier = context.identifier(&[])?;
    let languages: LangBytes = langbytes::count_lines(&text, identifier.as_ref());
    let mut results = Results::default();
    let columns = bare(["language", "bytes", "name"]);
    let mut table = results.table("languages", "", &columns);
    for (language, bytes) in languages.most_first() {
        table.row([language.as_str().into(), bytes.into(), language.name().into()]);
    }
    arguments.json.print(&results)
}
