//! Explains why a page was kept or rejected.

use crate::context::Context;
use crate::io::console::print;
use crate::io::input;
use anyhow::{anyhow, Result};
use clap::Args;
use content::{Comments, Extractor, Headline};
use engine::{Given, PageHints, Policy, Profile, Settings};
use langid::{IdentifierName, LangCode};
use std::path::PathBuf;

/// Print the record of a page and each of its blocks, as JSON or as HTML for a browser
#[derive(Args)]
pub struct Arguments {
    /// Print an HTML page: the blocks in order, marked as kept, dropped or doubtful, with the
    /// reasons
    #[arg(long)]
    html: bool,
    /// The page; - is standard input
    file: PathBuf,
    /// Target language, an ISO 639 code or a name
    #[arg(long, value_name = "CODE", value_parser = crate::arguments::target)]
    language: LangCode,
    /// Defaults of the other options: default, or paper, which has those of the Corpulyzer paper
    /// (docs/paper.md)
    #[arg(long, default_value_t = Profile::default(), value_name = "default|paper")]
    profile: Profile,
    /// Extractor of the main text: best (default), web-am, web-am-literal (with --profile paper),
    /// article, justext, w2c or text
    #[arg(long, value_name = "E")]
    extractor: Option<Extractor>,
    /// Identifier of languages: combined (default), models (without CLD2), cld2 (with --profile
    /// paper) or stop-words; heli, w2c, w2c-short and trigrams learn from the texts of --pack, such
    /// as urd.txt
    #[arg(long, value_name = "NAME")]
    identifier: Option<IdentifierName>,
    /// Comments of readers: keep, or drop (only the extractor best)
    #[arg(long, default_value_t = Comments::default(), value_name = "keep|drop")]
    comments: Comments,
    /// Headline above the text: keep, or drop (as best finds it)
    #[arg(long, default_value_t = Headline::default(), value_name = "keep|drop")]
    headline: Headline,
    /// Rule that decides which pages are kept: precision or recall
    #[arg(long, default_value_t = Policy::default(), value_name = "P")]
    policy: Policy,
    /// URL of the page
    #[arg(long)]
    url: Option<String>,
    /// HTTP header Content-Type of the page
    #[arg(long, value_name = "TYPE")]
    content_type: Option<String>,
}

/// Prints a page's record and blocks as indented JSON, or as a page for a browser.
///
/// # Errors
/// Fails if the page cannot be read, or a setting is not allowed.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    let Arguments { language, profile, extractor, identifier, comments, headline, policy, .. } =
        *arguments;
    let (url, content_type) = (arguments.url.as_deref(), arguments.content_type.as_deref());
    let content = input::read(&arguments.file, context.max_bytes)?;
    let defaults = Given { profile, extractor, identifier }.settings(language);
    let engine = context.engine(Settings { comments, headline, policy, ..defaults })?;
    let inspection =
        engine.inspect(&content, &PageHints { url, content_type, ..PageHints::default() });
    let text = if arguments.html {
        report::inspection::page(&inspection, engine.settings(), url)
    } else {
        serde_json::to_string_pretty(&inspection).map_err(|error| anyhow!("record: {error}"))?
            + "\n"
    };
    print(text.as_bytes())
}
