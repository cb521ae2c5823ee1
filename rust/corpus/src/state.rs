//! What every accumulator can do, and the form in which its state travels.

use crate::page::PageView;
use serde::de::DeserializeOwned;
use serde::Serialize;
use std::fmt;
use std::io;

/// A sum over pages. Whatever way pages are shared out and sums are merged, the same pages give the same figures.
pub trait Accumulator: Sized {
    /// What the state calls itself in bytes.
    const NAME: &'static str;
    /// Version of the state; raise it when other bytes would be written or the same ones mean another thing.
    const VERSION: u16;

    /// Adds a page.
    ///
    /// # Errors
    /// When a temporary file cannot be written.
    fn add(&mut self, view: &PageView) -> io::Result<()>;

    /// Adds everything that another one added.
    ///
    /// # Errors
    /// When a temporary file cannot be written.
    fn merge(&mut self, other: Self) -> io::Result<()>;

    /// The state in parts: the same for the same pages. Each part is a state by itself, of some 1 MB at most, so that whoever carries
    /// them needs no memory for the whole.
    ///
    /// # Errors
    /// When a temporary file cannot be read, or as `give` says.
    fn parts(self, give: &mut dyn FnMut(Vec<u8>) -> io::Result<()>) -> io::Result<()>;

    /// Adds everything that the pages of a part would have added; parts may come in any order.
    ///
    /// # Errors
    /// When it is no part of this accumulator in this version, or a temporary file cannot be written.
    fn absorb(&mut self, part: &[u8]) -> Result<(), BadState>;
}

/// Bytes that are no state, or that could not be taken in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadState(pub(crate) String);

impl fmt::Display for BadState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadState {}

impl From<io::Error> for BadState {
    fn from(error: io::Error) -> Self {
        Self(format!("temporary files: {error}"))
    }
}

/// Bytes of memory that the entries of a part take.
pub(crate) const PART_BYTES: usize = 1 << 20;

const MAGIC: &[u8; 4] = b"CRPM";

/// A part of an accumulator.
pub(crate) fn encode<A: Accumulator>(body: &impl Serialize) -> io::Result<Vec<u8>> {
    encode_as(A::NAME, A::VERSION, body)
}

/// Magic, version, name, body.
pub(crate) fn encode_as(name: &str, version: u16, body: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&version.to_be_bytes());
    bytes.push(name.len() as u8);
    bytes.extend_from_slice(name.as_bytes());
    postcard::to_extend(body, bytes).map_err(io::Error::other)
}

/// Version, name and body of what [`encode_as`] wrote.
fn split(bytes: &[u8]) -> Option<(u16, &[u8], &[u8])> {
    let [high, low, length, rest @ ..] = bytes.strip_prefix(MAGIC)? else { return None };
    let (name, body) = rest.split_at_checked(usize::from(*length))?;
    Some((u16::from_be_bytes([*high, *low]), name, body))
}

/// The name of the accumulator whose part this is.
pub(crate) fn name(bytes: &[u8]) -> Result<&[u8], BadState> {
    split(bytes).map(|(_, name, _)| name).ok_or_else(|| BadState("a state has no head".to_owned()))
}

/// The body of what [`encode`] wrote.
pub(crate) fn decode<A: Accumulator, T: DeserializeOwned>(bytes: &[u8]) -> Result<T, BadState> {
    decode_as(A::NAME, A::VERSION, bytes)
}

/// The body of what [`encode_as`] wrote.
pub(crate) fn decode_as<T: DeserializeOwned>(wanted: &str, wanted_version: u16, bytes: &[u8]) -> Result<T, BadState> {
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

/// The part of an accumulator that is its own state.
macro_rules! plain_state {
    ($name:literal, $version:literal) => {
        const NAME: &'static str = $name;
        const VERSION: u16 = $version;

        fn parts(self, give: &mut dyn FnMut(Vec<u8>) -> std::io::Result<()>) -> std::io::Result<()> {
            give(crate::state::encode::<Self>(&self)?)
        }

        fn absorb(&mut self, part: &[u8]) -> Result<(), crate::state::BadState> {
            Ok(self.merge(crate::state::decode::<Self, Self>(part)?)?)
        }
    };
}
pub(crate) use plain_state;
