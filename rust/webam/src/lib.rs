#![forbid(unsafe_code)]
//! Main content of a web page: bytes to text, one markup pass to blocks, and several readings of what the page is about.
//!
//! ```
//! use webam::{classify, decode, parse, Extractor, Hints, Limits};
//!
//! let decoded = decode(b"<title>T</title><p>one<br>two", &Hints::default())?;
//! let page = parse(&decoded.text, &Limits::default());
//! let verdicts = classify(&page, Extractor::Text);
//! let text: Vec<&str> =
//!     page.blocks().iter().zip(&verdicts).filter(|(_, v)| v.kept).map(|(b, _)| page.text_of(b)).collect();
//! assert_eq!(text, ["one", "two"]);
//! # Ok::<(), webam::UnsupportedCharset>(())
//! ```
//!
//! No language knowledge lives here, but for alphabets that tell encodings apart. How the readings work, and why, is in `DESIGN.md`.

mod alphabets;
mod article;
mod balance;
mod best;
mod blocks;
mod decode;
mod extract;
mod links;
mod marks;
mod markup;
mod oddity;
mod page;
mod pass;
mod plain;
mod reader;
mod source;
mod tags;
mod webam;
mod words;

pub use best::{context, Figures, CONTEXT, FIGURES};
pub use decode::{decode, CharsetSource, Decoded, Hints, UnsupportedCharset};
pub use extract::{classify, Extractor, UnknownExtractor, Verdict};
pub use links::{Alternate, Link, LinkOptions, Links, Refresh, Rel};
#[cfg(fuzzing)]
pub use markup::parse_by_lol_html;
pub use markup::{links, parse, parse_for, parse_with_links};
pub use page::{Block, LimitHit, Limits, Page};
