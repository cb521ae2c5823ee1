//! Splits the lines of standard input into sentences, and writes each on a line, with an empty line
//! after those of a line. Points are learned from the named files, and from the input.

use sentences::{split, Points};
use std::env::args;
use std::fs::read_to_string;
use std::io::{read_to_string as read_all, stdin, stdout, Write as _};

fn main() -> std::io::Result<()> {
    let mut texts = vec![read_all(stdin())?];
    for file in args().skip(1) {
        texts.push(read_to_string(file)?);
    }
    let points = Points::learn(texts.iter().map(String::as_str));
    let mut out = stdout().lock();
    for block in texts[0].lines() {
        for sentence in split(block, &points) {
            writeln!(out, "{sentence}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
