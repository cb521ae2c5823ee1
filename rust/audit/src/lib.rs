//! How much of a corpus is what it should be, as people judge a sample.
//!
//! Every other figure of a corpus is the identifier's opinion of its own work. ArabicWeb16 (Suwaileh and others 2016) had a thousand pages
//! drawn at random and looked at, and page types judged by three people each; so it is done here: [`Sample`] draws pages, a [`Sheet`] is
//! what judges fill in, [`Judgements`] sums the sheets up.
#![forbid(unsafe_code)]

mod figures;
mod sample;
mod sheet;

pub use figures::{kappa, wilson, Figures};
pub use sample::Sample;
pub use sheet::{write, Drawn, Judgement, Judgements};
