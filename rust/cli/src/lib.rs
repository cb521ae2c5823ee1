//! The `corpulyzer` command: the engine applied to files. It is a library too, so that the Python
//! package has the same command.
#![forbid(unsafe_code)]

#[macro_use]
mod arguments;
#[macro_use]
mod io;
mod context;
mod defaults;
mod verbs;
mod website;

use anyhow::Result;
use clap::error::ContextKind;
use clap::{FromArgMatches as _, Parser, Subcommand};
use context::Context;
use inputs::removals::leave_out;
use std::ffi::OsString;
use std::io::ErrorKind;

/// Extract the main text of web pages and count its bytes in each language.
#[derive(Parser)]
#[command(name = "corpulyzer", version)]
struct Cli {
    #[command(flatten)]
    context: Context,
    #[command(subcommand)]
    verb: Verb,
}

/// Declares the verbs, in the order of the help: the name of each, and its module.
macro_rules! verbs {
    ($($verb:ident: $module:ident),* $(,)?) => {
        #[derive(Subcommand)]
        enum Verb {
            $($verb(Box<verbs::$module::Arguments>),)*
        }

        /// Runs a verb. Returns false if a part of its work failed and was reported already.
        fn run(verb: &Verb, context: &Context) -> Result<bool> {
            match verb {
                $(Verb::$verb(arguments) => verbs::$module::run(arguments, context),)*
            }
        }
    };
}

verbs! {
    Extract: extract,
    Inspect: inspect,
    Langbytes: langbytes,
    Languages: languages,
    Calibrate: calibrate,
    Identify: identify,
    Report: report,
    Seeds: seeds,
    Wikipedia: wikipedia,
    Queries: queries,
    Collect: collect,
    Deduplicate: deduplicate,
    Rejudge: rejudge,
    Sentences: sentences,
    Vertical: vertical,
    Words: words,
    Quality: quality,
    Pairs: pairs,
    Package: package,
    Cdx: cdx,
    Lookup: lookup,
    Audit: audit,
    Train: train,
    Simulate: simulate,
    EvaluateLangid: evaluate_langid,
    Generate: generate,
}

/// Runs the command. `arguments` begin with the name of the program, as those of a process. Prints
/// to standard output and standard error. Returns the exit code: 0, 1 if a part of the work failed,
/// 2 for wrong arguments, 130 after an interrupt.
pub fn run_command(arguments: &[OsString]) -> u8 {
    ::records::read_tables_by(parquet_files::open);
    let line = match defaults::with_defaults(arguments) {
        Ok(line) => line,
        Err(error) => return finish(Err(error)),
    };
    let parsed = defaults::command()
        .try_get_matches_from(&line.arguments)
        .and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(help) if !help.use_stderr() => {
            return match help.print() {
                Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                    finish(Err(io::console::about("standard output")(error)))
                }
                _ => 0,
            };
        }
        // Without any argument the whole help is printed, because no part of the command line is
        // wrong.
        Err(help)
            if help.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand =>
        {
            eprint!("{help}");
            return 2;
        }
        Err(usage) => {
            eprintln!("corpulyzer: {}{}", sentence(&usage), line.note());
            return 2;
        }
    };
    io::console::set_quiet(cli.context.quiet);
    ::records::name_fields(cli.context.fields.clone(), |what| eprintln!("corpulyzer: {what}"));
    let outcome = io::console::end_at_signals()
        .and_then(|()| Ok(leave_out(cli.context.removed.as_deref(), cli.context.max_bytes)?))
        .and_then(|()| run_in_threads(&cli));
    let left_out = figures::removals::left_out();
    if left_out > 0 {
        let pages = io::console::counted(left_out as u64, "page");
        note!("corpulyzer: left out {pages} of the ledger (--removed)");
    }
    finish(outcome)
}

/// Verbs of the script `bin/corpulyzer` that the command does not have.
const OF_THE_SCRIPT: [&str; 7] =
    ["crawl", "install", "uninstall", "doctor", "test", "fuzz", "build"];

/// Returns clap's message on a wrong command line, with its tip, as one line.
fn sentence(usage: &clap::Error) -> String {
    let unknown = usage.get(ContextKind::InvalidSubcommand).map(ToString::to_string);
    if let Some(verb) = unknown.filter(|verb| OF_THE_SCRIPT.contains(&verb.as_str())) {
        let place = match verb.as_str() {
            "install" | "uninstall" | "doctor" => "the plugin's zip or in a clone of the sources",
            _ => "a clone of the sources",
        };
        return format!(
            "`{verb}` is no verb of this command; run `bin/corpulyzer {verb}` in {place}"
        );
    }
    let text = usage.render().to_string();
    let is_help = |part: &&str| part.starts_with("Usage:") || part.starts_with("For more");
    let parts = text.split("\n\n").take_while(|part| !is_help(part));
    let parts = parts.map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    parts.collect::<Vec<_>>().join("; ").trim_start_matches("error: ").to_owned()
}

/// Runs a verb with as many threads as the command line asks for.
fn run_in_threads(cli: &Cli) -> Result<bool> {
    match cli.context.threads {
        None => run(&cli.verb, &cli.context),
        Some(threads) => rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()?
            .install(|| run(&cli.verb, &cli.context)),
    }
}

fn finish(outcome: Result<bool>) -> u8 {
    match outcome {
        Ok(true) => 0,
        Ok(false) => 1,
        Err(error) => {
            eprintln!("corpulyzer: {error}{}", io::console::advice(&error));
            let is_misuse = |bad: &outputs::BadOutput| bad.is_misuse();
            if error.is::<arguments::Misuse>() || error.downcast_ref().is_some_and(is_misuse) {
                2
            } else if error.is::<io::console::Stopped>() || io::console::is_stopped() {
                io::console::STOPPED
            } else {
                1
            }
        }
    }
}
