//! Bytes per language of a text.
