#![forbid(unsafe_code)]
//! Main content of a web page.
