//! The interface of accumulators, and the serialized form of their states.

use crate::page::PageView;
use serde::de::DeserializeOwned;
use serde::Serialize;
use std::io;

/// A sum over pages. The figures depend only on the pages, not on their distribution or on the
/// order of merging.
pub trait Accumulator: Sized {
    /// Name in the serialized state.
    const NAME: &'static str;
    /// Version of the state; raise it when the format or the meaning changes.
    const VERSION: u16;

    /// Adds a page.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be written.
    fn add(&mut self, view: &PageView) -> io::Result<()>;

    /// Adds all sums of another one.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be written.
    fn merge(&mut self, other: Self) -> io::Result<()>;

    /// Exports the state in parts; the same pages give the same parts. Each part is a state by
    /// itself, of about 1 MB at most, so that the caller needs no memory for the whole.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be read, or `give` fails.
    fn parts(self, give: &mut dyn FnMut(Vec<u8>) -> io::Result<()>) -> io::Result<()>;

    /// Merges a part; parts may come in any order.
    ///
    /// # Errors
    /// Fails if the bytes are not a part of this accumulator in this version, or a temporary file
    /// cannot be written.
    fn absorb(&mut self, part: &[u8]) -> Result<(), BadState>;
}

/// Bytes that are not a valid part of a state, or an error while merging them.
#[derive(Debug, thiserror::Error)]
pub enum BadState {
    /// The bytes do not begin with the magic number, a version and a name.
    #[error("{}has no head", of.map_or_else(|| "a state ".to_owned(), prefix))]
    NoHead {
        /// Name of the accumulator that was expected; none if any would do.
        of: Option<&'static str>,
    },
    /// The part belongs to another accumulator.
    #[error("{}is one of `{found}`", prefix(of))]
    Other {
        /// Name of the accumulator that was expected.
        of: &'static str,
        /// Name in the bytes.
        found: String,
    },
    /// The part was written by a version with another format.
    #[error("{}has version {found}; allowed is {allowed}", prefix(of))]
    Version {
        /// Name of the accumulator.
        of: &'static str,
        /// Version in the bytes.
        found: u16,
        /// The only version that is read.
        allowed: u16,
    },
    /// More bytes than the state has.
    #[error("{}has bytes behind its end", prefix(of))]
    TooLong {
        /// Name of the accumulator.
        of: &'static str,
    },
    /// The bytes behind the head do not have the accumulator's fields.
    #[error("{}{error}", prefix(of))]
    Body {
        /// Name of the accumulator.
        of: &'static str,
        /// Error of the decoder.
        #[source]
        error: postcard::Error,
    },
    /// No accumulator has this name.
    #[error("{}no such metric", prefix(name))]
    NoMetric {
        /// Name in the bytes.
        name: String,
    },
    /// The accumulator of duplicates has no table with this number.
    #[error("state of `duplicates`: there is no table {number}")]
    NoTable {
        /// Number in the bytes, from 0.
        number: u8,
    },
    /// The entries are not in ascending order.
    #[error("a state's entries are not in order")]
    Unsorted,
    /// A temporary file cannot be written.
    #[error("temporary files: {0}")]
    Scratch(#[from] io::Error),
}

/// Returns the beginning of a message about a state of this accumulator.
fn prefix(name: &str) -> String {
    format!("state of `{name}`: ")
}

/// Memory of the entries of a part, in bytes.
pub(crate) const PART_BYTES: usize = 1 << 20;

const MAGIC: &[u8; 4] = b"CRPM";

/// Encodes a part of an accumulator.
pub(crate) fn encode<A: Accumulator>(body: &impl Serialize) -> io::Result<Vec<u8>> {
    encode_as(A::NAME, A::VERSION, body)
}

/// Encodes magic, version, name and body.
pub(crate) fn encode_as(name: &str, version: u16, body: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&version.to_be_bytes());
    bytes.push(name.len() as u8);
    bytes.extend_from_slice(name.as_bytes());
    postcard::to_extend(body, bytes).map_err(io::Error::other)
}

/// Splits the output of [`encode_as`] into version, name and body.
fn split(bytes: &[u8]) -> Option<(u16, &[u8], &[u8])> {
    let [high, low, length, rest @ ..] = bytes.strip_prefix(MAGIC)? else { return None };
    let (name, body) = rest.split_at_checked(usize::from(*length))?;
    Some((u16::from_be_bytes([*high, *low]), name, body))
}

/// Returns the name of a part's accumulator.
pub(crate) fn name(bytes: &[u8]) -> Result<&[u8], BadState> {
    split(bytes).map(|(_, name, _)| name).ok_or(BadState::NoHead { of: None })
}

/// Decodes the body of the output of [`encode`].
pub(crate) fn decode<A: Accumulator, T: DeserializeOwned>(bytes: &[u8]) -> Result<T, BadState> {
    decode_as(A::NAME, A::VERSION, bytes)
}

/// Decodes the body of the output of [`encode_as`].
pub(crate) fn decode_as<T: DeserializeOwned>(
    of: &'static str,
    allowed: u16,
    bytes: &[u8],
) -> Result<T, BadState> {
    let (version, name, body) = split(bytes).ok_or(BadState::NoHead { of: Some(of) })?;
    if name != of.as_bytes() {
        return Err(BadState::Other { of, found: String::from_utf8_lossy(name).into_owned() });
    }
    if version != allowed {
        return Err(BadState::Version { of, found: version, allowed });
    }
    match postcard::take_from_bytes(body) {
        Ok((state, [])) => Ok(state),
        Ok(_) => Err(BadState::TooLong { of }),
        Err(error) => Err(BadState::Body { of, error }),
    }
}

/// Implements the export of an accumulator that is its own state.
macro_rules! plain_state {
    ($name:literal, $version:literal) => {
        const NAME: &'static str = $name;
        const VERSION: u16 = $version;

        fn parts(
            self,
            give: &mut dyn FnMut(Vec<u8>) -> std::io::Result<()>,
        ) -> std::io::Result<()> {
            give(crate::state::encode::<Self>(&self)?)
        }

        fn absorb(&mut self, part: &[u8]) -> Result<(), crate::state::BadState> {
            Ok(self.merge(crate::state::decode::<Self, Self>(part)?)?)
        }
    };
}
pub(crate) use plain_state;
