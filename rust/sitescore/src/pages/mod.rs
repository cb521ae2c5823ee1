//! The policy `pages`: an order of pages, not only of hosts.
//!
//! A row that was not fetched yet gets the probability that its page is in the target language,
//! times the bytes to expect of it: between those of its host's pages and of all. The probability
//! comes from
//!
//! - the fetched pages of its host and of its [sections](Sections), the directories and parameters
//!   of its URL, shrunk level by level: a section with few pages has the share of what is around
//!   it (hierarchical shrinkage; how far is learned from all sections, by the likelihood of a
//!   beta-binomial distribution);
//! - the [links](Evidence) to it: the language of the linking page and of the anchor, `hreflang`,
//!   same host or another. A logistic regression learns from the crawl's own fetched rows what
//!   they are worth, from a weak prior, so that the first rounds have an order, too;
//! - for hosts without a fetched page, the links from other hosts to all their rows;
//! - the names of its sections on other hosts ([`Model::names`]). No list of names is given: `/ur/`
//!   counts because pages in such sections of other hosts were in the language.
//!
//! New hosts need probes, pages of a lower score. An [`Account`] pays them: a round pays in a share
//! of its expected bytes, and each probe is charged what the round lost by it. So probes are many
//! where links say much and few where they say little.
//!
//! A crawl runs these steps:
//!
//! 1. [`Model::update`] with the sums of all [hosts](Host) and the fetched rows;
//! 2. [`Model::of_host`] and [`HostModel::predict`] for each row that is not fetched, and
//!    [`Candidates::add`];
//! 3. [`Account::choose`];
//! 4. after the fetch, [`Host::add_page`] for each page and [`Account::charge`] for those of new
//!    hosts; [`Evidence::add`] and [`Host::add_links`] for their links.
//!
//! [`Calibration`] compares predictions with what was found.
//!
//! [`Crawl`] has these steps for the rows of a crawl's database.
//!
//! The rest does not depend on how rows are stored. All sums merge by addition, so tasks may share
//! the rows. Memory is bounded for each host ([`MAX_SECTIONS`]) and for a round.

mod calibration;
mod crawl;
mod evidence;
mod host;
mod logistic;
mod model;
mod round;
mod sections;
mod tokens;

pub use calibration::{Bin, Calibration};
pub use crawl::{BadState, Crawl, CrawlRow, Review};
pub use evidence::{Evidence, Link, CLASSES};
pub use host::{Counts, Host, MAX_SECTIONS};
pub use logistic::{Logistic, NewtonSums};
pub use model::{HostModel, Level, Model, Prediction, RowSums, Sample, SectionSums, Totals};
pub use round::{Account, Candidate, Candidates, Chosen};
pub use sections::Sections;
pub use tokens::Tokens;
