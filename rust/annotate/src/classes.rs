//! Classes of pages by models, the rule that rejects some, and their means for each host.

use langid::Classes;
use std::collections::HashMap;

/// Name of a page without a host, in the table of hosts.
const NO_HOST: &str = "(no URL)";

/// A model of classes, and the field of a record for its result.
#[derive(Debug)]
pub struct Classifier {
    /// Name of the field with the class. That of its probability has `_score` behind it.
    pub field: String,
    /// Model that returns the class of a text.
    pub model: Classes,
    /// For each class, whether its pages are rejected.
    pub rejected: Vec<bool>,
    /// Least probability of a class that is rejected.
    pub min_score: f32,
}

/// The class of a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found<'a> {
    /// Name of the class.
    pub class: &'a str,
    /// Probability of the class, from 0 to 1.
    pub score: f32,
    /// Whether the page is rejected.
    pub is_rejected: bool,
}

impl Classifier {
    /// The class of a page with some probabilities: the most probable one.
    pub fn class(&self, probabilities: &[f32]) -> Option<Found<'_>> {
        let classes = self.model.names().zip(probabilities).zip(&self.rejected);
        let best = classes.max_by(|((_, one), _), ((_, other), _)| one.total_cmp(other));
        best.map(|(((class, _), &score), &is_rejected)| Found {
            class,
            score,
            is_rejected: is_rejected && score >= self.min_score,
        })
    }
}

/// Sums of probabilities of a host, or of all.
#[derive(Debug, Default, Clone)]
struct Sum {
    pages: u64,
    /// By classifier: pages with a class, and the sum of each class's probability.
    of: Vec<(u64, Vec<f64>)>,
}

impl Sum {
    fn add(&mut self, probabilities: &[Option<Vec<f32>>]) {
        self.pages += 1;
        self.of.resize_with(probabilities.len(), Default::default);
        for ((pages, sums), found) in self.of.iter_mut().zip(probabilities) {
            let Some(found) = found else { continue };
            *pages += 1;
            sums.resize(found.len(), 0.0);
            sums.iter_mut().zip(found).for_each(|(sum, one)| *sum += f64::from(*one));
        }
    }
}

/// Means of probabilities by host.
#[derive(Debug, Default)]
pub struct Hosts {
    all: Sum,
    hosts: HashMap<String, Sum>,
}

impl Hosts {
    /// Adds a page with the probabilities of each classifier.
    pub fn add(&mut self, url: Option<&str>, probabilities: &[Option<Vec<f32>>]) {
        let url = url.and_then(inputs::urls::parse);
        let host = url.as_ref().and_then(|url| url.host_str()).unwrap_or(NO_HOST);
        self.all.add(probabilities);
        match self.hosts.get_mut(host) {
            Some(sum) => sum.add(probabilities),
            None => self.hosts.entry(host.to_owned()).or_default().add(probabilities),
        }
    }

    /// The table, tab-separated: hosts with most pages first, below a line for all; columns `host`,
    /// `pages`, and for each class its mean probability over the pages with a class.
    pub fn table(&self, classifiers: &[Classifier]) -> String {
        let columns = classifiers
            .iter()
            .flat_map(|of| of.model.names().map(move |(class, _)| format!("{}={class}", of.field)));
        let head: Vec<String> =
            ["host", "pages"].map(str::to_owned).into_iter().chain(columns).collect();
        let mut table =
            head.iter().map(|cell| render::tsv::cell(cell)).collect::<Vec<_>>().join("\t");
        let mut rows: Vec<(&str, &Sum)> =
            self.hosts.iter().map(|(host, sum)| (host.as_str(), sum)).collect();
        rows.sort_by(|a, b| b.1.pages.cmp(&a.1.pages).then(a.0.cmp(b.0)));
        for (host, sum) in std::iter::once(("(all)", &self.all)).chain(rows) {
            table.push_str(&format!("\n{}\t{}", render::tsv::cell(host), sum.pages));
            for (of, classifier) in sum.of.iter().zip(classifiers) {
                for class in 0..classifier.rejected.len() {
                    let mean = of.1.get(class).map(|sum| sum / of.0 as f64);
                    table.push('\t');
                    table.push_str(&mean.map(|mean| format!("{mean:.3}")).unwrap_or_default());
                }
            }
        }
        table.push('\n');
        table
    }

    /// An exclusion list: the hosts with at least `min_pages` pages with a class, whose mean
    /// probability of a rejected class is at least the least one of its pages that are rejected.
    /// Each is below a comment with its figures.
    pub fn rejected(&self, classifiers: &[Classifier], min_pages: u64) -> String {
        let mut hosts: Vec<(&str, &Sum)> =
            self.hosts.iter().map(|(host, sum)| (host.as_str(), sum)).collect();
        hosts.retain(|(host, _)| *host != NO_HOST);
        hosts.sort_by_key(|(host, _)| *host);
        let mut list = String::new();
        for (host, sum) in hosts {
            let mut reasons = Vec::new();
            for ((pages, sums), of) in sum.of.iter().zip(classifiers) {
                let means = sums.iter().map(|sum| sum / *pages as f64);
                for (((class, _), is_rejected), mean) in
                    of.model.names().zip(&of.rejected).zip(means)
                {
                    if *is_rejected && *pages >= min_pages && mean >= f64::from(of.min_score) {
                        reasons.push(format!("{}={class} {mean:.3}, {pages} pages", of.field));
                    }
                }
            }
            if !reasons.is_empty() {
                list.push_str(&format!("# {}\n{host}\n", reasons.join("; ")));
            }
        }
        list
    }
}
