//! Errors of the command line, as one sentence each.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error};
use std::collections::BTreeSet;
use std::ffi::OsString;

/// Verbs of the script `bin/corpulyzer` that the command does not have, with their documentation.
const OF_THE_SCRIPT: [(&str, &str); 7] = [
    ("crawl", "docs/crawler.md"),
    ("install", "docs/operating.md"),
    ("uninstall", "docs/operating.md"),
    ("doctor", "docs/operating.md"),
    ("test", "bin/dev/README.md"),
    ("fuzz", "bin/dev/README.md"),
    ("build", "bin/dev/README.md"),
];

/// Returns clap's message as one line: what is wrong, then the option or verb that was probably
/// meant, or the options that need a missing one.
pub fn sentence(usage: &Error, command: &Command, arguments: &[OsString]) -> String {
    let text = usage.render().to_string();
    let first = text.split("\n\n").next().unwrap_or(&text);
    let words: Vec<&str> = first.split_whitespace().collect();
    let mut sentence = words.join(" ").trim_start_matches("error: ").to_owned();
    let unknown = usage.get(ContextKind::InvalidSubcommand).map(ToString::to_string);
    let script = unknown.and_then(|verb| OF_THE_SCRIPT.into_iter().find(|(of, _)| *of == verb));
    if let Some((verb, docs)) = script {
        return format!(
            "`{verb}` is a verb of the script bin/corpulyzer, not of this command; see {docs}"
        );
    }
    let similar = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand];
    if let Some(similar) = similar.into_iter().find_map(|kind| usage.get(kind)) {
        let names: Vec<String> =
            strings(similar).into_iter().map(|name| format!("`{name}`")).collect();
        sentence += &format!("; similar: {}", names.join(", "));
    }
    if usage.kind() == ErrorKind::MissingRequiredArgument {
        for (option, needed) in needed(&missing(usage), command, arguments) {
            sentence += &format!("; {option} needs {needed}");
        }
    }
    sentence
}

fn strings(value: &ContextValue) -> Vec<String> {
    match value {
        ContextValue::String(one) => vec![one.clone()],
        ContextValue::Strings(all) => all.clone(),
        _ => Vec::new(),
    }
}

/// The arguments that an error names as missing.
fn missing(usage: &Error) -> BTreeSet<String> {
    usage.get(ContextKind::InvalidArg).map(strings).unwrap_or_default().into_iter().collect()
}

/// Returns the options of the command line that need a missing argument, with the argument. clap
/// does not name them: the command line is parsed again with each option alone, and with none.
fn needed(
    missing_here: &BTreeSet<String>,
    command: &Command,
    arguments: &[OsString],
) -> Vec<(String, String)> {
    let is_option = |argument: &OsString| argument.as_encoded_bytes().starts_with(b"--");
    let words = arguments.iter().position(is_option).unwrap_or(arguments.len());
    let parse = |options: &[OsString]| -> BTreeSet<String> {
        let line = arguments[..words].iter().chain(options);
        let parsed = command.clone().try_get_matches_from(line);
        parsed.err().map(|usage| missing(&usage)).unwrap_or_default()
    };
    if words < 2 {
        // The verb is behind an option of all verbs.
        return Vec::new();
    }
    let always = parse(&[]);
    let mut found = Vec::new();
    for at in (words..arguments.len()).filter(|&at| is_option(&arguments[at])) {
        let end = arguments[at + 1..].iter().position(is_option);
        let end = end.map_or(arguments.len(), |end| at + 1 + end);
        let with = parse(&arguments[at..end]);
        let option = arguments[at].to_string_lossy();
        let option = option.split('=').next().unwrap_or_default();
        for needed in with.difference(&always).filter(|needed| missing_here.contains(*needed)) {
            found.push((option.to_owned(), needed.clone()));
        }
    }
    found
}
