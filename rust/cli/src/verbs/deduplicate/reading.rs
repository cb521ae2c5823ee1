//! Inputs that are read twice.

use crate::io::console::Stopped;
use crate::io::records::Line;
use anyhow::{anyhow, Error};
use figures::minhash::mix;
use inputs::exclusions::Without;
use rayon::prelude::*;
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::path::Path;

/// The error for temporary files in a folder; an interruption is a signal.
pub fn temporary(error: &io::Error, folder: &Path) -> Error {
    if error.kind() == io::ErrorKind::Interrupted {
        return Stopped::without_output();
    }
    anyhow!("temporary files in {}: {error}", folder.display())
}

/// Sums over the inputs. Two readings of the same inputs are equal.
#[derive(Default, PartialEq)]
pub struct Reading {
    /// Records.
    pub records: u64,
    /// Records that `--without` lists.
    pub listed: u64,
    /// Hash of all lines.
    hash: u64,
}

impl Reading {
    /// Returns the records that are not listed.
    pub fn next(&mut self, mut lines: Vec<Line>, without: &Without) -> Vec<Line> {
        let hash = |(line, _): &Line| {
            let mut hasher = DefaultHasher::new();
            hasher.write(line);
            hasher.finish()
        };
        let hashes: Vec<u64> = lines.par_iter().map(hash).collect();
        self.hash = hashes.into_iter().fold(self.hash, mix);
        let all = lines.len();
        self.records += all as u64;
        lines.retain(|(_, page)| !page.url.as_deref().is_some_and(|url| without.has(url)));
        self.listed += (all - lines.len()) as u64;
        lines
    }
}
