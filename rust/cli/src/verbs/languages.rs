//! The registry of languages: names, scripts, neighbours and models.

use crate::arguments::AsJson;
use crate::context::{shipped_packs, Context};
use crate::io::console::print;
use anyhow::Result;
use clap::{Args, ValueEnum};
use langid::LangCode;
use registry::listing::{self, Listing};

/// List languages: codes, names, scripts, neighbours, models and their quality
#[derive(Args)]
pub struct Arguments {
    /// ISO 639 codes or names, in English or in the language [default: all languages]
    #[arg(value_name = "LANGUAGE", value_parser = crate::arguments::language)]
    languages: Vec<LangCode>,
    /// Only languages that the identifier can find: those with a model, and those of CLD2
    #[arg(long)]
    known: bool,
    /// Format: text, tsv or json (an object on each line) [default: text for named languages, or
    /// else tsv]
    #[arg(long, value_name = "F", value_enum, conflicts_with = "json")]
    format: Option<Format>,
    #[command(flatten)]
    json: AsJson,
}

/// The format of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A paragraph for each language.
    Text,
    /// A line of a table for each language.
    Tsv,
    /// A JSON object on a line for each language.
    Json,
}

/// Prints languages with names, scripts, neighbours and models. Packs of `--pack` count as models.
/// Models that a later pack replaces are left out, as in identification.
///
/// # Errors
/// Fails if a pack cannot be read or standard output cannot be written.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    let own = langid::open_all(&context.packs)?;
    let names = context.packs.iter().map(|path| path.display().to_string());
    let ends = |script: &str| sentences::ends(script).into_iter().collect();
    let listing = Listing::new(own.into_iter().zip(names), &ends, &shipped_packs);
    let all = arguments.languages.is_empty();
    let codes: Vec<LangCode> =
        if all { LangCode::all().collect() } else { arguments.languages.clone() };
    let codes = codes.into_iter().filter(|code| !arguments.known || listing.is_known(*code));
    let format = match arguments.format {
        _ if arguments.json.is_asked => Format::Json,
        None if all => Format::Tsv,
        format => format.unwrap_or(Format::Text),
    };
    let mut out = String::new();
    if format == Format::Tsv {
        out += listing::COLUMNS;
    }
    for code in codes {
        match format {
            Format::Text => listing.text(code, &mut out),
            Format::Tsv => listing.table(code, &mut out),
            Format::Json => out += &listing.json(code)?,
        }
    }
    print(out.as_bytes())
}
