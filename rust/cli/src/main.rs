//! The `corpulyzer` command.
fn main() {}
