//! The command line of all verbs: short options, examples, and defaults of the user's own, from the
//! environment or a file.

use crate::Cli;
use anyhow::{Context as _, Result};
use clap::{Arg, Command, CommandFactory};
use std::collections::BTreeMap;
use std::ffi::OsString;

/// Short forms of options; a verb that has another option of this letter keeps it.
const SHORT: [(&str, char); 2] = [("language", 'l'), ("out", 'o')];

/// The options whose defaults a user can set, without `--`. None of them excludes another option or
/// names an output. Their variables are `CORPULYZER_LANGUAGE` and so on.
const SETTABLE: [&str; 7] =
    ["contact", "language", "max-bytes", "memory", "pack", "removed", "threads"];

/// The variable that names a file with these defaults.
const FILE: &str = "CORPULYZER_CONFIG";

/// Command lines that show the usual ways to use each verb, at the end of its help.
const EXAMPLES: [(&str, &[&str]); 25] = [
    ("extract", &["page.html", "--in pages --out texts --output markdown"]),
    ("inspect", &["page.html -l ur", "page.html -l ur --html > view.html"]),
    ("langbytes", &["text.txt"]),
    ("languages", &["saraiki", "--known --pack far"]),
    ("calibrate", &["all -l ur"]),
    ("identify", &["text.txt", "--probability --pack seed text.txt"]),
    ("report", &["corpora/urd -l ur -o report", "--compare june july -l ur -o side-by-side"]),
    ("seeds", &["corpus -l ur -o seeds.txt", "--index cc-index/ -l ur --min-pages 5 -o seeds.txt"]),
    ("wikipedia", &["urwiki-latest-pages-articles.xml.bz2 -o ur.txt"]),
    ("queries", &["--text my-texts -l ur --count 200 > queries.txt"]),
    ("collect", &["CC-MAIN-*.warc.gz -l ur,skr -o corpora", "--list files.txt -l ur -o corpora"]),
    (
        "deduplicate",
        &[
            "--clusters corpora/urd -l ur --keep best -o one.jsonl.zst",
            "one.jsonl.zst -l ur -o clean.jsonl.zst",
        ],
    ),
    ("rejudge", &["corpus -l skr --pack new.pack -o skr.jsonl.zst --rejected rest.jsonl.zst"]),
    ("sentences", &["corpora/urd -l ur -o sentences.txt"]),
    ("vertical", &["corpora/urd -l ur -o corpus.vrt"]),
    ("words", &["corpora/urd -l ur -o words.tsv"]),
    (
        "quality",
        &[
            "derive -l ur urwiki.jsonl.zst -o ur.yml",
            "annotate corpora/urd -l ur --limits ur.yml -o annotated.jsonl.zst",
            "join scores.jsonl corpora/urd -o scored.jsonl.zst",
        ],
    ),
    ("pairs", &["corpora/urd corpora/eng -o pairs.tsv"]),
    ("package", &["clean.jsonl.zst -l ur --contact corpus@example.org -o release"]),
    ("cdx", &["CC-MAIN-0.warc.gz -o index.cdxj"]),
    ("lookup", &["https://a.example/page index.cdxj"]),
    (
        "audit",
        &["draw corpora/urd -l ur --pages 300 -o sheet.tsv", "count sheet-ann.tsv sheet-ben.tsv"],
    ),
    ("train", &["-l awa --text awadhi.txt -o awa.pack"]),
    ("simulate", &["--web sections --policy mean,explore,pages"]),
    ("evaluate-langid", &["--test held-out --pack awa.pack"]),
];

/// The command line with the short options, and with examples behind the help of each verb.
pub fn command() -> Command {
    let command = with_short_options(Cli::command());
    EXAMPLES.into_iter().fold(command, |command, (verb, examples)| {
        let lines: String =
            examples.iter().map(|rest| format!("\n  corpulyzer {verb} {rest}")).collect();
        command.mut_subcommand(verb, |verb| verb.after_help(format!("Examples:{lines}")))
    })
}

fn with_short_options(command: Command) -> Command {
    let taken: Vec<char> = command.get_arguments().filter_map(Arg::get_short).collect();
    let command = command.mut_args(|arg| {
        // `--min-bytes -5` is a wrong value, and no option `-5`.
        let is_valued = arg.get_long().is_some() && arg.get_action().takes_values();
        let arg = if is_valued { arg.allow_negative_numbers(true) } else { arg };
        let short = SHORT.into_iter().find(|(long, _)| arg.get_long() == Some(long));
        match short {
            Some((_, short)) if !taken.contains(&short) => arg.short(short),
            _ => arg,
        }
    });
    command.mut_subcommands(with_short_options)
}

/// Values of options, by the option, and the place where a user set them.
type Values = BTreeMap<&'static str, (String, String)>;

/// Reads the values that are set in the environment, and behind them those of the file.
///
/// # Errors
/// Fails if the file cannot be read, is not a map in YAML, or has another option.
fn values() -> Result<Values> {
    let mut values = Values::new();
    for option in SETTABLE {
        let variable = format!("CORPULYZER_{}", option.to_uppercase().replace('-', "_"));
        if let Some(value) = std::env::var(&variable).ok().filter(|value| !value.is_empty()) {
            values.insert(option, (value, variable));
        }
    }
    let Some(path) = std::env::var_os(FILE).filter(|path| !path.is_empty()) else {
        return Ok(values);
    };
    let name = path.to_string_lossy().into_owned();
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("{FILE}: {name} cannot be read"))
        .map_err(|error| misuse!("{error:#}"))?;
    let map: BTreeMap<String, String> = serde_saphyr::from_str(&text).map_err(|_| {
        misuse!("{FILE}: {name} is not a list of options, one on each line, as in `language: ur`")
    })?;
    for (option, value) in map {
        let known = SETTABLE.into_iter().find(|known| *known == option);
        let known = known.ok_or_else(|| {
            let allowed = SETTABLE.join(", ");
            misuse!("{FILE}: {name} has the option `{option}`; allowed are {allowed}")
        })?;
        values.entry(known).or_insert((value, name.clone()));
    }
    Ok(values)
}

/// A command line with the user's defaults.
pub struct Line {
    /// Its arguments, the program first.
    pub arguments: Vec<OsString>,
    /// The variables and files that its defaults come from.
    pub places: Vec<String>,
}

impl Line {
    /// Names the places of the defaults, to be put behind an error: nothing on the command line
    /// shows them.
    pub fn note(&self) -> String {
        match self.places.as_slice() {
            [] => String::new(),
            places => format!(" (with defaults from {})", places.join(", ")),
        }
    }
}

/// Returns the command line with the user's defaults for the options that its verb has and that it
/// does not name itself.
///
/// # Errors
/// Fails if the file with defaults is wrong.
pub fn with_defaults(arguments: &[OsString]) -> Result<Line> {
    let mut line = Line { arguments: arguments.to_vec(), places: Vec::new() };
    let command = command();
    let Some((verb, at)) = verb_of(&command, arguments) else { return Ok(line) };
    if arguments[at..].iter().any(|argument| argument == "--") {
        // Behind it there are no options.
        return Ok(line);
    }
    for (option, (value, place)) in values()? {
        let has = |command: &Command| command.get_arguments().any(|arg| is_named(arg, option));
        if (has(verb) || has(&command)) && !is_given(option, &arguments[at..]) {
            line.arguments.push(format!("--{option}={value}").into());
            line.places.push(place);
        }
    }
    Ok(line)
}

fn is_named(arg: &Arg, option: &str) -> bool {
    arg.get_long() == Some(option)
}

/// The verb of a command line, with the verb below it (`audit draw`) if there is one, and the place
/// of its first argument.
fn verb_of<'c>(command: &'c Command, arguments: &[OsString]) -> Option<(&'c Command, usize)> {
    let find = |command: &'c Command, at: usize| command.find_subcommand(arguments.get(at)?);
    let verb = find(command, 1)?;
    Some(find(verb, 2).map_or((verb, 2), |below| (below, 3)))
}

/// Whether a command line names an option, in its long or its short form.
fn is_given(option: &str, arguments: &[OsString]) -> bool {
    let long = format!("--{option}");
    let short =
        SHORT.into_iter().find(|(of, _)| *of == option).map(|(_, short)| format!("-{short}"));
    arguments.iter().filter_map(|argument| argument.to_str()).any(|argument| {
        argument == long
            || argument.strip_prefix(&long).is_some_and(|rest| rest.starts_with('='))
            || short.as_ref().is_some_and(|short| argument.starts_with(short.as_str()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_verb_has_examples_that_are_command_lines() {
        let with_examples: Vec<&str> = EXAMPLES.iter().map(|(verb, _)| *verb).collect();
        for verb in command().get_subcommands().map(Command::get_name) {
            assert!(with_examples.contains(&verb) || verb == "generate", "{verb}");
        }
        for (verb, examples) in EXAMPLES {
            for example in examples {
                let line = example.split(" > ").next().unwrap_or_default();
                // A pack must exist, and those of the command are not beside its tests.
                let mut last = "";
                let words =
                    line.split_whitespace().map(|word| match std::mem::replace(&mut last, word) {
                        "--pack" => concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
                        _ => word,
                    });
                let words = ["corpulyzer", verb].into_iter().chain(words);
                if let Err(error) = command().try_get_matches_from(words) {
                    panic!("{verb} {example}: {error}");
                }
            }
        }
    }

    #[test]
    fn no_settable_option_excludes_another_one() {
        fn check(command: &Command) {
            for arg in command.get_arguments() {
                if SETTABLE.iter().any(|option| is_named(arg, option)) {
                    let conflicts = command.get_arg_conflicts_with(arg);
                    assert!(conflicts.is_empty(), "{} {}", command.get_name(), arg.get_id());
                }
            }
            command.get_subcommands().for_each(check);
        }
        check(&command());
    }
}
