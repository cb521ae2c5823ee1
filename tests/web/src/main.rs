//! A deterministic web of our own.
fn main() {}
