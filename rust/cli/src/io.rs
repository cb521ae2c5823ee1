//! Input and output of the verbs: inputs, outputs that a rename puts in place, progress, messages.

/// Prints a line to standard error, without control characters of the input. Unlike `eprintln!`, it
/// ignores a closed standard error (`2>&1 | head`).
macro_rules! eprintln {
    ($($what:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), "{}", crate::io::console::harmless(&format!($($what)*)));
    }};
}

/// Prints what a verb did, such as counts and the name of its output; not with `--quiet`.
macro_rules! note {
    ($($what:tt)*) => {
        if !crate::io::console::is_quiet() {
            eprintln!($($what)*);
        }
    };
}

pub mod console;
pub mod corpora;
pub mod index;
pub mod limits;
pub mod output;
pub mod records;
pub mod seeds;

pub use inputs::files as input;

/// Adds the option that named a file to an error, unless a limit was exceeded.
pub fn of_option<T>(
    read: Result<T, inputs::BadInput>,
    option: &'static str,
) -> Result<T, inputs::BadInput> {
    read.map_err(|bad| bad.of_option(option))
}
