//! Measures language identifiers.

use crate::arguments::{share, whole, AsJson};
use crate::context::{unopened, Context};
use anyhow::{anyhow, Error, Result};
use clap::builder::ArgPredicate;
use clap::Args;
use evaluation::codes::{self, Joins};
use evaluation::{mixed, Cut, Evaluation, Failure};
use inputs::identifiers::Sources;
use langid::{IdentifierName, LangCode};
use render::results::Results;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Measure language identifiers on texts with a known language
#[derive(Args)]
pub struct Arguments {
    /// Folder with a file for each language, for example urd.txt, with one text per line
    #[arg(long, value_name = "DIR")]
    test: PathBuf,
    /// Identifiers, separated by commas: combined, models, cld2, stop-words; heli, w2c, w2c-short
    /// and trigrams need --train
    #[arg(long = "identifier", value_name = "X", value_delimiter = ',')]
    #[arg(default_value = "combined", default_value_if("answers", ArgPredicate::IsPresent, None))]
    identifiers: Vec<IdentifierName>,
    /// Folder of training texts with a file for each language, for example urd.txt
    #[arg(long, value_name = "DIR")]
    train: Option<PathBuf>,
    /// Folder with the results of another program: a file for each file of the test, with one code
    /// per line; may be repeated
    #[arg(long, value_name = "DIR", conflicts_with = "instead")]
    answers: Vec<PathBuf>,
    /// Cut texts to this number of words
    #[arg(long, value_name = "N", conflicts_with = "chars", value_parser = whole::<u32>(1..))]
    words: Option<u32>,
    /// Cut texts to at most this number of characters, at whole words
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..))]
    chars: Option<u32>,
    /// Use only texts in these languages: ISO 639 codes, or the groups arabic15 and uralic21
    #[arg(long, value_name = "CODES", value_parser = codes::languages)]
    only: Option<BTreeSet<LangCode>>,
    /// Codes that count as the same language, for example msa=ind,hbs=bos/hrv/srp. `usual` is a
    /// built-in list, `none` joins nothing
    #[arg(long, default_value = "usual", value_name = "JOINS")]
    join: Joins,
    /// Weights of the languages in the data that the identifier is for: a code, a tab and a weight
    /// per line [default: equal weights]
    #[arg(long, value_name = "FILE", conflicts_with = "instead")]
    prior: Option<PathBuf>,
    /// Choose the identifier by its result for this language [default: by the means over all
    /// languages]
    #[arg(long, value_name = "CODE", value_parser = crate::arguments::language)]
    target: Option<LangCode>,
    /// Smallest recall of the chosen identifier
    #[arg(long, default_value_t = 0.6, value_name = "SHARE", value_parser = share)]
    min_recall: f64,
    /// Measure instead the error in bytes of the target language, on pages that mix its texts with
    /// those of another language
    #[arg(long, requires = "target", group = "instead", conflicts_with_all = ["words", "chars"])]
    mixed: bool,
    /// Number of pages for each language, share and paragraph length
    #[arg(long, requires = "mixed", default_value_t = 150, value_name = "N")]
    #[arg(value_parser = whole::<u64>(1..=100_000))]
    pages: u64,
    /// Random seed of the pages
    #[arg(long, requires = "mixed", default_value_t = 1, value_name = "N")]
    #[arg(value_parser = whole::<u64>(0..))]
    seed: u64,
    /// Let each page declare this language, as its `lang` attribute would
    #[arg(long, requires = "mixed", value_name = "CODE")]
    #[arg(value_parser = crate::arguments::language)]
    declared: Option<LangCode>,
    /// Shares of the paragraphs that are in the target, in percent, multiples of 5
    #[arg(long, requires = "mixed", value_name = "PERCENTS", value_delimiter = ',')]
    #[arg(default_values_t = mixed::SHARES, value_parser = percent)]
    shares: Vec<u32>,
    /// Print instead the languages most often found in texts of another language, this many
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "20")]
    #[arg(value_parser = whole::<u32>(1..), group = "instead")]
    false_positives: Option<u32>,
    /// Print instead how many results are right by their probability; combined only
    #[arg(long, group = "instead")]
    calibration: bool,
    /// Compare instead the words of each model with those of the texts, which must not be its
    /// training text, and list the models without texts; combined only
    #[arg(long, group = "instead", conflicts_with = "train")]
    audit: bool,
    /// Print instead the recall that the packs of --pack take from languages that are known without
    /// them; combined only. The exit code is 1 if one of them loses more than 0.2 points
    #[arg(long, group = "instead", conflicts_with = "train")]
    losses: bool,
    /// Count instead the texts that also occur in this training text: a folder with a file or a
    /// folder for each language, for example urd.txt
    #[arg(long, value_name = "DIR", group = "instead")]
    #[arg(conflicts_with_all = ["words", "chars", "identifiers", "train"])]
    overlap: Option<PathBuf>,
    #[command(flatten)]
    json: AsJson,
}

/// Prints the tables, see [`Evaluation`].
///
/// # Errors
/// Fails if texts, results or weights cannot be read, or the JSON cannot be written.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    let cut = match (arguments.words, arguments.chars) {
        (Some(words), _) => Cut::Words(words as usize),
        (None, Some(characters)) => Cut::Characters(characters as usize),
        (None, None) => Cut::Whole,
    };
    let evaluation = Evaluation {
        test: &arguments.test,
        sources: Sources { train: arguments.train.as_deref(), ..context.sources() },
        cut,
        only: arguments.only.as_ref(),
        joins: &arguments.join,
        prior: arguments.prior.as_deref(),
        target: arguments.target,
        min_recall: arguments.min_recall,
        max_bytes: context.max_bytes,
        warn: &|warning| eprintln!("corpulyzer: {warning}"),
    };
    let (results, is_harmless) = measure(&evaluation, arguments).map_err(failed)?;
    Ok(arguments.json.print(&results)? && is_harmless)
}

/// A share of the 20 paragraphs of a page, in percent.
fn percent(text: &str) -> Result<u32> {
    let share = text.parse().ok().filter(|share| *share <= 100 && share % 5 == 0);
    share.ok_or_else(|| anyhow!("allowed are multiples of 5 from 0 to 100"))
}

/// Measures what the options ask for. Returns false if a pack takes too much from a language.
fn measure(evaluation: &Evaluation, arguments: &Arguments) -> Result<(Results, bool), Failure> {
    let identifiers = &arguments.identifiers;
    let results = match (&arguments.overlap, arguments.false_positives) {
        (Some(training), _) => evaluation.overlap(training)?,
        (None, Some(most)) => evaluation.false_positives(identifiers, most as usize)?,
        (None, None) if arguments.audit => evaluation.audit()?,
        (None, None) if arguments.calibration => evaluation.calibration(identifiers)?,
        (None, None) if arguments.losses => return evaluation.losses(),
        (None, None) if arguments.mixed => {
            let Arguments { pages: number, seed, declared, ref shares, .. } = *arguments;
            evaluation.mixed(identifiers, mixed::Pages { number, seed, shares, declared })?
        }
        (None, None) => evaluation.run(identifiers, &arguments.answers)?,
    };
    Ok((results, true))
}

/// The error of a failed evaluation, with the option that the user must change.
fn failed(failure: Failure) -> Error {
    match failure {
        Failure::Identifier(error) => unopened(error),
        Failure::Training(bad) => bad.of_option("--overlap").into(),
        Failure::Weights(bad) => bad.of_option("--prior").into(),
        Failure::NoPacks => {
            misuse!("--losses needs the packs to compare with the library (--pack)")
        }
        Failure::NoTarget => anyhow!("--mixed needs the language to count (--target)"),
        Failure::NoTextsOfTarget(target) => {
            anyhow!("--target is `{target}` ({}), which has no texts", target.name())
        }
        Failure::OnlyWholeTexts(_) => anyhow!("{failure}; omit --words and --chars"),
        Failure::NotAnAnswer { .. } => anyhow!("{failure} (--answers)"),
        _ => failure.into(),
    }
}
