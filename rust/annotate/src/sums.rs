//! Sums over annotated records, and their tables.

use crate::{Annotated, Kind, Rule};
use render::counted;
use std::collections::BTreeMap;
use std::fmt::Write as _;

#[derive(Debug, Default)]
struct Pages {
    pages: u64,
    bytes: u64,
}

impl Pages {
    fn add(&mut self, bytes: u64) {
        self.pages += 1;
        self.bytes += bytes;
    }
}

/// Pages that break a rule.
#[derive(Debug, Default)]
struct Broken {
    /// Pages that break it first.
    first: Pages,
    /// All pages that break it.
    all: Pages,
    samples: Vec<String>,
}

/// Sums over records.
#[derive(Debug, Default)]
pub struct Sums {
    records: u64,
    clean: Pages,
    noisy: Pages,
    blocked: Pages,
    rules: BTreeMap<Rule, Broken>,
    samples: usize,
}

impl Sums {
    /// Creates sums with a number of samples for each rule.
    pub fn new(samples: usize) -> Self {
        Self { samples, ..Self::default() }
    }

    /// Number of records.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// The sums as progress.
    pub fn progress(&self) -> String {
        format!("{}, {} noisy", counted(self.records, "record"), self.noisy.pages)
    }

    /// Adds a record.
    pub fn add(&mut self, line: Annotated) {
        self.records += 1;
        match line.kind {
            Kind::Page => self.clean.add(line.bytes),
            Kind::Noisy => self.noisy.add(line.bytes),
            Kind::Blocked => return self.blocked.add(line.bytes),
            Kind::Other => return,
        }
        for (place, rule) in line.broken.into_iter().enumerate() {
            let broken = self.rules.entry(rule).or_default();
            broken.all.add(line.bytes);
            if place == 0 {
                broken.first.add(line.bytes);
                if broken.samples.len() < self.samples {
                    broken.samples.extend(line.sample.clone());
                }
            }
        }
    }

    /// The tables for the user.
    pub fn table(&self) -> String {
        let mut table = format!("{:<32} {:>10} {:>14}\n", "", "pages", "bytes");
        let kinds =
            [("without noise", &self.clean), ("noisy", &self.noisy), ("blocked", &self.blocked)];
        for (name, pages) in kinds {
            if name != "blocked" || pages.pages > 0 {
                let _ = writeln!(table, "{name:<32} {:>10} {:>14}", pages.pages, pages.bytes);
            }
        }
        let others = self.records - self.clean.pages - self.noisy.pages - self.blocked.pages;
        if others > 0 {
            let _ = writeln!(table, "{:<32} {others:>10}", "without text, or rejected");
        }
        if !self.rules.is_empty() {
            let _ = writeln!(
                table,
                "\n{:<32} {:>10} {:>14} {:>14}",
                "rule", "break it first", "bytes", "break it"
            );
        }
        for (rule, broken) in &self.rules {
            let (first, all) = (&broken.first, &broken.all);
            let _ = writeln!(
                table,
                "{:<32} {:>14} {:>14} {:>14}",
                rule.to_string(),
                first.pages,
                first.bytes,
                all.pages
            );
            for sample in &broken.samples {
                let _ = writeln!(table, "    {sample}");
            }
        }
        table
    }
}
