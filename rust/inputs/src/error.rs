//! The error of this room.

use std::fmt;

/// The option with the limit of what is read.
const LIMIT: &str = "--max-bytes";

/// An input that cannot be used: a sentence with its name, and the option of the command that its
/// reader must change, if that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadInput {
    sentence: String,
    option: Option<&'static str>,
}

impl BadInput {
    /// Creates an error without an option from its sentence.
    pub fn new(sentence: impl fmt::Display) -> Self {
        Self { sentence: sentence.to_string(), option: None }
    }

    /// Names the option that named the input, in place of that of its reader. Only `--max-bytes`
    /// stays, because it is the limit that was exceeded.
    #[must_use]
    pub fn of_option(self, option: &'static str) -> Self {
        match self.option {
            Some(LIMIT) => self,
            _ => Self { option: Some(option), ..self },
        }
    }
}

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)?;
        self.option.map_or(Ok(()), |option| write!(f, " ({option})"))
    }
}

impl std::error::Error for BadInput {}

/// Returns an error from a function, as [`bad`] makes it.
macro_rules! refuse {
    ($($error:tt)*) => {
        return Err($crate::error::bad!($($error)*).into())
    };
}
pub(crate) use refuse;

/// Makes an error of a formatted sentence. Its option may come first: `"--text"; "{}: is empty"`.
macro_rules! bad {
    ($option:literal; $($sentence:tt)*) => {
        $crate::BadInput::new(format_args!($($sentence)*)).of_option($option)
    };
    ($($sentence:tt)*) => {
        $crate::BadInput::new(format_args!($($sentence)*))
    };
}
pub(crate) use bad;
