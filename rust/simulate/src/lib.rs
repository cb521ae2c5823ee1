//! A crawl of a link graph in memory: which pages a scoring would have fetched, and what share of them is in the target language.
//!
//! The host scores are the product's own ([`sitescore`]); the loop around them is Nutch's: a batch is the best rows by score, then
//! by URL, and what a fetched page links to is a row of the next round. Graphs are [generated](generate::generate) or a crawl's own
//! [links](file). `docs/steering.md` has what came out.
#![forbid(unsafe_code)]

pub mod crawl;
pub mod experiment;
pub mod generate;
pub mod graph;
pub mod links;
pub mod plot;
pub mod policy;
pub mod table;

pub use crawl::{crawl, CrawlSettings, Outcome, Round};
pub use generate::{generate, GraphSettings};
pub use graph::{Graph, Holdings, HostWealth};
pub use policy::{Policy, Rule};
