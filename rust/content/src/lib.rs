//! Main content of a web page: decodes bytes to text, makes blocks in one pass over the markup, and
//! selects the main content by one of several extractors.
//!
//! ```
//! use content::{classify, decode, parse, Extractor, Hints, Limits};
//!
//! let decoded = decode(b"<title>T</title><p>one<br>two", &Hints::default())?;
//! let page = parse(&decoded.text, &Limits::default());
//! let verdicts = classify(&page, Extractor::Text);
//! let blocks = page.blocks().iter().zip(&verdicts).filter(|(_, verdict)| verdict.kept);
//! let text: Vec<&str> = blocks.map(|(block, _)| page.text_of(block)).collect();
//! assert_eq!(text, ["one", "two"]);
//! # Ok::<(), content::UnsupportedCharset>(())
//! ```
//!
//! This crate has no knowledge of languages, except for alphabets that distinguish encodings.
//! `DESIGN.md` describes the extractors and the reasons.

mod alphabets;
mod article;
mod balance;
mod best;
mod blocks;
mod charsets;
mod content;
mod decode;
mod display;
mod double_encoded;
mod extract;
mod flight;
mod flow;
mod footnotes;
mod forms;
mod forum;
mod html;
mod justext;
mod lines;
mod links;
mod markdown;
mod marks;
mod markup;
mod math;
mod oddity;
mod opened;
mod page;
mod pass;
mod plain;
mod reader;
mod repair;
mod scripted;
mod shape;
mod source;
mod statements;
mod streamed;
mod structure;
mod tags;
mod w2c;
mod webam;
mod words;
mod zawgyi;

pub use alphabets::Expected;
pub use best::{
    context, posts, ContextFeature, Feature, Features, PostFeature, PostRow, CONTEXT, FEATURES,
    POSTS,
};
pub use content::{content, content_of_text, Content, ContentOptions, Form, MAX_TIME};
pub use decode::{decode, reread, CharsetSource, Decoded, Hints, UnsupportedCharset, ZAWGYI};
pub use extract::{
    classify, classify_with, CannotDrop, Comments, Extractor, Headline, UnknownComments,
    UnknownExtractor, UnknownHeadline, Verdict,
};
pub use html::html_document;
pub use justext::StopWords;
pub use lines::{Line, Lines};
pub use links::{Alternate, Link, LinkOptions, Links, Refresh, Rel};
#[cfg(fuzzing)]
pub use markup::parse_by_lol_html;
pub use markup::{links, parse, parse_for, parse_to_inspect, parse_with_links};
pub use page::{Block, LimitHit, Limits, Page};
pub use repair::{repair, repair_plain, Repaired};
pub use statements::{
    author_label, is_before_author, Byline, Dated, LicenseLink, Meta, Statements, AUTHOR_JOINERS,
};
