//! Exceptions: the sentences of the command, with the names of Python's arguments.

use pyo3::import_exception;
use pyo3::PyErr;
use std::fmt::Display;

import_exception!(corpulyzer._errors, InputError);
import_exception!(corpulyzer._errors, InternalError);
import_exception!(corpulyzer._errors, PageError);
import_exception!(corpulyzer._errors, SettingError);

/// An invalid argument.
pub(crate) fn setting(sentence: impl Display) -> PyErr {
    SettingError::new_err(in_python(&sentence.to_string()))
}

/// An input that cannot be read.
pub(crate) fn input(sentence: impl Display) -> PyErr {
    InputError::new_err(in_python(&sentence.to_string()))
}

/// A page that cannot be read.
pub(crate) fn page(sentence: impl Display) -> PyErr {
    PageError::new_err(in_python(&sentence.to_string()))
}

/// A fault of this program.
pub(crate) fn internal(sentence: impl Display) -> PyErr {
    InternalError::new_err(sentence.to_string())
}

/// Replaces `(--max-bytes)`, an option of the command, by `(max_bytes)`, and the setting `minBytes` of
/// the engine by `min_bytes`.
pub(crate) fn in_python(sentence: &str) -> String {
    let mut parts = sentence.split("(--");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(')').unwrap_or((part, ""));
        text.push('(');
        text.push_str(&name.replace('-', "_"));
        text.push(')');
        text.push_str(rest);
    }
    let Some((before, setting)) = text.split_once("setting `") else { return text };
    let (name, after) = setting.split_once('`').unwrap_or((setting, ""));
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    format!("{before}setting `{snake}`{after}")
}
