//! What reports and tables show: plots as SVG ([`plot`]) and cells of tab-separated tables
//! ([`tsv`]). The text comes from untrusted pages, so both escape it.
#![forbid(unsafe_code)]

pub mod plot;
pub mod tsv;
