//! Sums over annotated records, and their tables.

use crate::{Annotated, Kind, Rule};
use render::counted;
use render::results::{Cell, Results};
use std::collections::BTreeMap;

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
pub struct AnnotationSums {
    records: u64,
    clean: Pages,
    noisy: Pages,
    blocked: Pages,
    rules: BTreeMap<Rule, Broken>,
    samples: usize,
}

impl AnnotationSums {
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
    pub fn results(&self) -> Results {
        let mut results = Results::default();
        let columns = [("kind", "", -32), ("pages", "pages", 10), ("bytes", "bytes", 14)];
        let mut kinds = results.table("kinds", "", &columns);
        for (name, key, pages) in [
            ("without noise", "clean", &self.clean),
            ("noisy", "noisy", &self.noisy),
            ("blocked", "blocked", &self.blocked),
        ] {
            if key != "blocked" || pages.pages > 0 {
                kinds.row([Cell::new(name, key), pages.pages.into(), pages.bytes.into()]);
            }
        }
        let others = self.records - self.clean.pages - self.noisy.pages - self.blocked.pages;
        if others > 0 {
            kinds.row([Cell::new("without text, or rejected", "other"), others.into()]);
        }
        let columns = [
            ("rule", "rule", -32),
            ("first_pages", "break it first", 14),
            ("first_bytes", "bytes", 14),
            ("pages", "break it", 14),
        ];
        let mut rules = results.table("rules", "\n", &columns);
        for (rule, Broken { first, all, samples }) in &self.rules {
            let name = rule.to_string().into();
            rules.row([name, first.pages.into(), first.bytes.into(), all.pages.into()]);
            let below: String = samples.iter().map(|sample| format!("    {sample}\n")).collect();
            rules.with("samples", samples.clone(), &below);
        }
        results
    }
}
