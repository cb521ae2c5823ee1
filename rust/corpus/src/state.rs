//! What every accumulator can do, and the form in which its state travels.

use crate::page::PageView;
use crate::scratch::Scratch;
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

    /// The state as bytes: the same for the same pages.
    ///
    /// # Errors
    /// When a temporary file cannot be read.
    fn to_bytes(&mut self) -> io::Result<Vec<u8>>;

    /// The accumulator whose bytes these are.
    ///
    /// # Errors
    /// When they are no state of this accumulator in this version.
    fn from_bytes(bytes: &[u8], scratch: &Scratch) -> Result<Self, BadState>;
}

/// Bytes that are no state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadState(pub(crate) String);

impl fmt::Display for BadState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadState {}

const MAGIC: &[u8; 4] = b"CRPM";

/// Magic, version, name, body.
pub(crate) fn encode<A: Accumulator>(body: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&A::VERSION.to_be_bytes());
    bytes.push(A::NAME.len() as u8);
    bytes.extend_from_slice(A::NAME.as_bytes());
    postcard::to_extend(body, bytes).map_err(io::Error::other)
}

/// The body of what [`encode`] wrote.
pub(crate) fn decode<A: Accumulator, T: DeserializeOwned>(bytes: &[u8]) -> Result<T, BadState> {
    let bad = |what: String| BadState(format!("state of `{}`: {what}", A::NAME));
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| bad("is none".to_owned()))?;
    let [high, low, length, rest @ ..] = rest else { return Err(bad("is cut short".to_owned())) };
    let version = u16::from_be_bytes([*high, *low]);
    let (name, body) = rest.split_at_checked(usize::from(*length)).ok_or_else(|| bad("is cut short".to_owned()))?;
    if name != A::NAME.as_bytes() {
        return Err(bad(format!("is one of `{}`", String::from_utf8_lossy(name))));
    }
    if version != A::VERSION {
        return Err(bad(format!("has version {version}; allowed is {}", A::VERSION)));
    }
    match postcard::take_from_bytes(body) {
        Ok((state, [])) => Ok(state),
        Ok(_) => Err(bad("has bytes behind its end".to_owned())),
        Err(error) => Err(bad(error.to_string())),
    }
}

/// The bytes of an accumulator that is its own state.
macro_rules! plain_state {
    ($name:literal, $version:literal) => {
        const NAME: &'static str = $name;
        const VERSION: u16 = $version;

        fn to_bytes(&mut self) -> std::io::Result<Vec<u8>> {
            crate::state::encode::<Self>(self)
        }

        fn from_bytes(bytes: &[u8], _: &crate::scratch::Scratch) -> Result<Self, crate::state::BadState> {
            crate::state::decode::<Self, Self>(bytes)
        }
    };
}
pub(crate) use plain_state;
