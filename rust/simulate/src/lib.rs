//! A simulated crawl of a link graph in memory: the pages that a scoring policy fetches, and the
//! share of them in the target language.
//!
//! The host scores are those of the product ([`sitescore`]). The loop around them is Nutch's: a
//! batch is the best rows by score, then by URL, and the links of a fetched page become rows of the
//! next round. Graphs are [generated](generate::generate) or read from a crawl's own [links](file).
//! `docs/steering.md` has the results.
#![forbid(unsafe_code)]

mod bounds;
pub mod crawl;
pub mod details;
pub mod experiment;
pub mod generate;
pub mod graph;
pub mod links;
pub mod plot;
pub mod policy;
pub mod sites;
pub mod steer;
pub mod table;
pub mod webs;

pub use crawl::{crawl, CrawlSettings, Outcome, Round};
pub use generate::{generate, GraphSettings};
pub use graph::{Graph, Holdings, HostWealth};
pub use policy::{Policy, Rule};
pub use sites::SiteSettings;
pub use webs::Changes;
