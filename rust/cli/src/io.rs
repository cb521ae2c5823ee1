//! Input and output of the verbs: inputs, outputs that a rename puts in place, progress, messages.

/// Prints a line to standard error, without control characters of the input. Unlike `eprintln!`, it
/// ignores a closed standard error (`2>&1 | head`).
macro_rules! eprintln {
    ($($what:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), "{}", crate::io::console::harmless(&format!($($what)*)));
    }};
}

pub mod console;
pub mod corpora;
pub mod domains;
pub mod exclusions;
pub mod index;
pub mod limits;
pub mod output;
pub mod records;
pub mod removals;
pub mod texts;
pub mod urls;

pub use inputs::files as input;

/// Adds the option that named a file to an error, unless the error names an option already.
pub fn of_option<T>(read: Result<T, inputs::BadInput>, option: &str) -> anyhow::Result<T> {
    read.map_err(|bad| match bad.to_string() {
        said if has_option(&said) => anyhow::Error::msg(said),
        said => anyhow::anyhow!("{said} ({option})"),
    })
}

/// Returns true if a sentence ends with an option, such as `(--text)`. The system's errors end with
/// other parentheses: `(os error 13)`.
fn has_option(said: &str) -> bool {
    said.rsplit_once(" (--").is_some_and(|(_, end)| end.ends_with(')'))
}
