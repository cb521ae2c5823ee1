//! The error of this room.

use std::fmt;

/// An input that cannot be used, as one sentence with its name. The sentence may end with the
/// option that named it, such as `(--text)`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadInput(String);

impl BadInput {
    /// Creates an error from its sentence.
    pub fn new(sentence: impl fmt::Display) -> Self {
        Self(sentence.to_string())
    }
}

/// Returns an error from a function, with a formatted sentence.
macro_rules! refuse {
    ($($sentence:tt)*) => {
        return Err($crate::BadInput::new(format_args!($($sentence)*)).into())
    };
}
pub(crate) use refuse;

/// Makes an error of a formatted sentence.
macro_rules! bad {
    ($($sentence:tt)*) => {
        $crate::BadInput::new(format_args!($($sentence)*))
    };
}
pub(crate) use bad;
