//! Errors of identifiers, as those of the command line that they are.

use anyhow::{Error, Result};
use inputs::identifiers::Unopened;
use langid::{Identify, LangCode};

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
pub fn check(identifier: &dyn Identify, languages: &[LangCode], option: &str) -> Result<()> {
    langid::check_returned(identifier, languages)
        .map_err(|unknown| misuse!("{option} is {unknown}"))
}
