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

/// Bytes that are not a valid state, or an error while merging them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadState(pub(crate) String);

impl From<io::Error> for BadState {
    fn from(error: io::Error) -> Self {
        Self(format!("temporary files: {error}"))
    }
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
    split(bytes).map(|(_, name, _)| name).ok_or_else(|| BadState("a state has no head".to_owned()))
}

/// Decodes the body of the output of [`encode`].
pub(crate) fn decode<A: Accumulator, T: DeserializeOwned>(bytes: &[u8]) -> Result<T, BadState> {
    decode_as(A::NAME, A::VERSION, bytes)
}

/// Decodes the body of the output of [`encode_as`].
pub(crate) fn decode_as<T: DeserializeOwned>(
    wanted: &str,
    wanted_version: u16,
    bytes: &[u8],
) -> Result<T, BadState> {
    let bad = |what: String| BadState(format!("state of `{wanted}`: {what}"));
    let (version, name, body) = split(bytes).ok_or_else(|| bad("has no head".to_owned()))?;
    if name != wanted.as_bytes() {
        return Err(bad(format!("is one of `{}`", String::from_utf8_lossy(name))));
    }
    if version != wanted_version {
        return Err(bad(format!("has version {version}; allowed is {wanted_version}")));
    }
    match postcard::take_from_bytes(body) {
        Ok((state, [])) => Ok(state),
        Ok(_) => Err(bad("has bytes behind its end".to_owned())),
        Err(error) => Err(bad(error.to_string())),
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
