//! The `corpulyzer` command: the engine applied to files. It is a library too, so that the Python
//! package has the same command.
#![forbid(unsafe_code)]

#[macro_use]
mod arguments;
#[macro_use]
mod io;
mod context;
mod defaults;
mod identifier;
mod usage;
mod verbs;
mod website;

use anyhow::{anyhow, Result};
use clap::{FromArgMatches as _, Parser, Subcommand};
use context::Context;
use inputs::removals::leave_out;
use std::ffi::OsString;
use std::io::ErrorKind;
use verbs::{
    audit, calibrate, cdx, collect, deduplicate, evaluate_langid, extract, generate, identify,
    inspect, langbytes, languages, lookup, package, pairs, quality, queries, rejudge, report,
    seeds, sentences, simulate, train, vertical, wikipedia, words,
};

/// Extract the main text of web pages and count its bytes in each language.
#[derive(Parser)]
#[command(name = "corpulyzer", version)]
struct Cli {
    #[command(flatten)]
    context: Context,
    #[command(subcommand)]
    verb: Verb,
}

/// The verbs, in the order of the help.
#[derive(Subcommand)]
enum Verb {
    Extract(extract::Arguments),
    Inspect(inspect::Arguments),
    Langbytes(langbytes::Arguments),
    Languages(languages::Arguments),
    Calibrate(calibrate::Arguments),
    Identify(identify::Arguments),
    Report(report::Arguments),
    Seeds(seeds::Arguments),
    Wikipedia(wikipedia::Arguments),
    Queries(queries::Arguments),
    Collect(collect::Arguments),
    Deduplicate(deduplicate::Arguments),
    Rejudge(rejudge::Arguments),
    Sentences(sentences::Arguments),
    Vertical(vertical::Arguments),
    Words(words::Arguments),
    Quality(quality::Arguments),
    Pairs(pairs::Arguments),
    // Boxed, because it has many more options than the others.
    Package(Box<package::Arguments>),
    Cdx(cdx::Arguments),
    Lookup(lookup::Arguments),
    Audit(audit::Arguments),
    Train(train::Arguments),
    Simulate(simulate::Arguments),
    EvaluateLangid(evaluate_langid::Arguments),
    Generate(generate::Arguments),
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
                    finish(Err(anyhow!("standard output: {error}")))
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
            let sentence = usage::sentence(&usage, &defaults::command(), arguments);
            eprintln!("corpulyzer: {sentence}{}", line.note());
            return 2;
        }
    };
    ::records::name_fields(cli.context.fields.clone(), |what| eprintln!("corpulyzer: {what}"));
    let outcome = io::console::end_at_signals()
        .and_then(|()| Ok(leave_out(cli.context.removed.as_deref(), cli.context.max_bytes)?))
        .and_then(|()| run_in_threads(&cli));
    let left_out = figures::removals::left_out();
    if left_out > 0 {
        let pages = io::console::counted(left_out as u64, "page");
        eprintln!("corpulyzer: left out {pages} of the ledger (--removed)");
    }
    finish(outcome)
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

/// Runs a verb. Returns false if a part of its work failed and was reported already.
fn run(verb: &Verb, context: &Context) -> Result<bool> {
    match verb {
        Verb::Extract(arguments) => extract::run(arguments, context),
        Verb::Inspect(arguments) => inspect::run(arguments, context),
        Verb::Langbytes(arguments) => langbytes::run(arguments, context),
        Verb::Languages(arguments) => languages::run(arguments, context),
        Verb::Calibrate(arguments) => calibrate::run(arguments, context),
        Verb::Identify(arguments) => identify::run(arguments, context),
        Verb::Report(arguments) => report::run(arguments, context),
        Verb::Seeds(arguments) => seeds::run(arguments, context),
        Verb::Wikipedia(arguments) => wikipedia::run(arguments, context),
        Verb::Queries(arguments) => queries::run(arguments, context),
        Verb::Collect(arguments) => collect::run(arguments, context),
        Verb::Deduplicate(arguments) => deduplicate::run(arguments, context),
        Verb::Rejudge(arguments) => rejudge::run(arguments, context),
        Verb::Sentences(arguments) => sentences::run(arguments, context),
        Verb::Vertical(arguments) => vertical::run(arguments, context),
        Verb::Quality(arguments) => quality::run(arguments, context),
        Verb::Words(arguments) => words::run(arguments, context),
        Verb::Pairs(arguments) => pairs::run(arguments, context),
        Verb::Package(arguments) => package::run(arguments, context),
        Verb::Cdx(arguments) => cdx::run(arguments),
        Verb::Lookup(arguments) => lookup::run(arguments, context),
        Verb::Audit(arguments) => audit::run(arguments, context),
        Verb::Train(arguments) => train::run(arguments, context),
        Verb::Simulate(arguments) => simulate::run(arguments, context),
        Verb::EvaluateLangid(arguments) => evaluate_langid::run(arguments, context),
        Verb::Generate(arguments) => generate::run(arguments, defaults::command()),
    }
}

fn finish(outcome: Result<bool>) -> u8 {
    match outcome {
        Ok(true) => 0,
        Ok(false) => 1,
        Err(error) => {
            eprintln!("corpulyzer: {error}");
            if error.is::<arguments::Misuse>() {
                2
            } else if error.is::<io::console::Stopped>() || io::console::is_stopped() {
                io::console::STOPPED
            } else {
                1
            }
        }
    }
}
