//! Options that every verb has in addition to its own arguments.

use crate::arguments::{whole, Archive};
use crate::io::output;
use anyhow::{anyhow, bail, Error, Result};
use engine::{Engine, Settings};
use inputs::identifiers::{Sources, Unopened};
use langid::{Combined, IdentifierName, Identify, LangCode, Pack};
use records::NAMED;
use std::path::{Path, PathBuf};

/// Heading of these options in the help of every verb.
const HEADING: &str = "Options of all verbs";

/// Most threads.
const MAX_THREADS: u64 = 1024;

/// The options that all verbs take.
#[derive(clap::Args)]
pub struct Context {
    /// Largest file or line that is read, in bytes
    #[arg(long, global = true, default_value_t = 64 << 20, value_name = "BYTES")]
    #[arg(help_heading = HEADING)]
    #[arg(value_parser = whole::<u64>(1..=Settings::MAX_MAX_BYTES))]
    pub max_bytes: u64,
    /// Language pack to use too, made by `corpulyzer train`; may be repeated. `seed` (75 languages)
    /// and `far` (813 rare languages) come with the command. For identifiers that learn from texts,
    /// a text that is named after its language
    #[arg(long = "pack", global = true, value_name = "FILE", help_heading = HEADING)]
    #[arg(value_parser = pack)]
    pub packs: Vec<PathBuf>,
    /// Threads that work at a time (default: one for each processor)
    #[arg(long, global = true, value_name = "N", help_heading = HEADING)]
    #[arg(value_parser = whole::<usize>(1..=MAX_THREADS))]
    pub threads: Option<usize>,
    /// Print no progress and no counts; warnings, damage and errors are printed
    #[arg(short, long, global = true, help_heading = HEADING)]
    pub quiet: bool,
    /// Names of fields in JSON lines and Parquet of other programs, such as
    /// text=content,url=meta.link. Dots separate the names of nested objects [default: those of
    /// datatrove, Dolma, HPLT, OSCAR, GlotCC, cc_net, FineWeb, C4 and trafilatura are recognised]
    #[arg(long, global = true, value_name = "NAME=FIELD", help_heading = HEADING)]
    #[arg(value_delimiter = ',', value_parser = named)]
    pub fields: Vec<(String, String)>,
    /// Ledger of removals: pages that must be in no output, whatever their input. Each line is a
    /// host, a URL prefix, or = and the URL of a page, as in an exclusion list, or " and a passage:
    /// pages with its text are left out
    #[arg(long, global = true, value_name = "FILE", help_heading = HEADING)]
    pub removed: Option<PathBuf>,
}

/// Reads a name of `--fields`.
fn named(text: &str) -> Result<(String, String)> {
    let named = text.split_once('=').map(|(own, place)| (own.trim(), place.trim()));
    let known = named.filter(|(own, place)| NAMED.contains(own) && !place.is_empty());
    let (own, place) = known.ok_or_else(|| {
        anyhow!(
            "found `{text}`; allowed is NAME=FIELD, such as text=content, where NAME is one of {}",
            NAMED.join(", ")
        )
    })?;
    Ok((own.to_owned(), place.to_owned()))
}

/// The names of the packs that come with the command.
const NAMES: [&str; 2] = ["seed", "far"];

/// The environment variable with the folder of these packs, where the command is no file of its
/// own: the Python package sets it.
const FOLDER: &str = "CORPULYZER_PACKS";

/// Folders of these packs, from the folder of the command: in the archive of the command, and in
/// the checkout.
const FOLDERS: [&str; 2] = ["../share/corpulyzer", "../../rust/langid/models"];

/// Reads `--pack`: a file, or the name of a pack that comes with the command. A file of that name
/// takes precedence.
fn pack(text: &str) -> Result<PathBuf> {
    let named = PathBuf::from(text);
    if !NAMES.contains(&text) && (named.is_dir() || !named.exists()) {
        let names = NAMES.map(|name| format!("`{name}`")).join(" and ");
        let found = if named.is_dir() { "is a folder" } else { "no such file" };
        bail!("{found}; allowed are files of packs, and the names {names}");
    }
    if !NAMES.contains(&text) || named.exists() {
        return Ok(named);
    }
    if let Some(folder) = std::env::var_os(FOLDER) {
        let place = PathBuf::from(folder).join(format!("{text}.pack"));
        if place.is_file() {
            return Ok(place);
        }
    }
    let command = std::env::current_exe()?.canonicalize()?;
    let folder = command.parent().unwrap_or(&command);
    let place = |place: &&str| folder.join(place).join(format!("{text}.pack"));
    let found = FOLDERS.iter().map(&place).find(|path| path.is_file());
    found.ok_or_else(|| {
        anyhow!(
            "the pack `{text}` is not beside the command: no file {}; name its file",
            place(&FOLDERS[0]).display()
        )
    })
}

/// The packs that come with the command and have a language, as options: `--pack seed`.
pub fn shipped_packs(language: LangCode) -> String {
    let has = |text: &&str| {
        let pack = pack(text).ok().and_then(|path| Pack::open(&path).ok());
        pack.is_some_and(|pack| pack.languages().any(|(known, _)| known.code == language))
    };
    let packs = NAMES.into_iter().filter(has).map(|pack| format!("--pack {pack}"));
    packs.collect::<Vec<_>>().join(" or ")
}

/// The error for a language that an identifier does not know. It names the packs that come with the
/// command and have the language.
pub fn no_model(language: LangCode, identifier: IdentifierName) -> Error {
    let name = language.name();
    if identifier == IdentifierName::Cld2 {
        return misuse!(
            "--language {language} ({name}) is not a language of CLD2; use --identifier combined"
        );
    }
    match shipped_packs(language) {
        packs if packs.is_empty() && language.is_macro_language() => {
            let mut known = Combined::new(Vec::new(), None).languages();
            known.extend(language.members().filter(|&member| !shipped_packs(member).is_empty()));
            let instead = langid::related(language, &known);
            let advice = langid::advice(language, &instead);
            misuse!("--language {language} ({name}) has no model{advice}")
        }
        packs if packs.is_empty() => misuse!(
            "--language {language} ({name}) has no model; train one with `corpulyzer train` and \
             name it with --pack"
        ),
        packs => misuse!(
            "--language {language} ({name}) has no model in the library; use {packs}, or train one \
             with `corpulyzer train`"
        ),
    }
}

impl Context {
    /// Returns an engine with these settings and the packs.
    ///
    /// # Errors
    /// Fails if a setting is not allowed or a pack cannot be read.
    pub fn engine(&self, settings: Settings) -> Result<Engine> {
        let (packs, max_bytes) = (self.packs.clone(), self.max_bytes);
        settings.comments.check(settings.extractor).map_err(|bad| misuse!("--comments {bad}"))?;
        let settings = Settings { packs, max_bytes, ..settings };
        let (language, identifier) = (settings.target(), settings.identifier);
        Engine::new(settings).map_err(|bad| match self.has(language, identifier) {
            Ok(false) => no_model(language, identifier),
            _ => bad.into(),
        })
    }

    /// Returns true if an identifier can find a language.
    fn has(&self, language: LangCode, identifier: IdentifierName) -> Result<bool> {
        Ok(self.sources().open(identifier).map_err(unopened)?.languages().contains(&language))
    }

    /// Returns an engine for the pages of an archive.
    ///
    /// # Errors
    /// As [`Context::engine`].
    pub fn reader(&self, language: LangCode, archive: &Archive) -> Result<Engine> {
        self.engine(archive.settings(language))
    }

    /// Returns the identifier `combined`, with the target languages if there are some.
    ///
    /// # Errors
    /// Fails if a pack cannot be read.
    pub fn identifier(&self, targets: &[LangCode]) -> Result<Box<dyn Identify>> {
        let sources = Sources { targets, ..self.sources() };
        sources.open(IdentifierName::Combined).map_err(unopened)
    }

    /// Fails if an output is one of `inputs` or of the packs, see [`output::apart`].
    ///
    /// # Errors
    /// Fails at the first output that is an input; the message has its option.
    pub fn apart<'p>(
        &'p self,
        outputs: &[(&Path, &str)],
        inputs: impl IntoIterator<Item = &'p Path>,
    ) -> Result<()> {
        let own = self.packs.iter().chain(&self.removed).map(PathBuf::as_path);
        Ok(output::apart(outputs, inputs.into_iter().chain(own))?)
    }

    /// Sources of an identifier: the packs, without training texts and target languages.
    pub fn sources(&self) -> Sources<'_> {
        Sources { train: None, packs: &self.packs, targets: &[], max_bytes: self.max_bytes }
    }
}

/// An identifier that cannot be opened. It is a [misuse](crate::arguments::Misuse) if the options
/// do not fit together.
pub fn unopened(error: Unopened) -> Error {
    match error {
        Unopened::LearnsNothing(_) | Unopened::Untrained(_) => misuse!("{error}"),
        Unopened::Pack(_) | Unopened::Texts(_) => error.into(),
    }
}

/// Checks that an identifier can return these languages.
///
/// # Errors
/// One sentence that names the first of them.
pub fn check_returned(
    identifier: &dyn Identify,
    languages: &[LangCode],
    option: &str,
) -> Result<()> {
    langid::check_returned(identifier, languages)
        .map_err(|unknown| misuse!("{option} is {unknown}"))
}
