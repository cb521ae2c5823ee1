//! Rules that stop the fetching from a host.

use crate::HostTotals;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

/// The reason why a host is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Enough pages were read to show that almost none is in the language.
    Barren,
    /// The number of fetched pages reached the limit.
    Limit,
    /// The byte yield is below the threshold for the number of pages.
    LowYield,
}

impl Stop {
    /// Score of all rows of a stopped host. It is below Nutch's `generate.min.score`, 0 by default,
    /// so the generator skips them. The number shows the reason.
    pub const fn score(self) -> f32 {
        match self {
            Self::Barren => -1.0,
            Self::Limit => -2.0,
            Self::LowYield => -3.0,
        }
    }
}

/// Rules that stop hosts; none by default. They depend on the host's totals only: with other
/// numbers, or without rules, the rows get their scores back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stops {
    /// Number of pages after which a host is stopped, if the mean of their bytes is below a tenth
    /// of a kept page's. Then fewer than one page in ten can be in the language. After 40 pages
    /// this is the rule of W2C (Majliš 2011). A host without a byte of the language is always
    /// stopped, which is the rule of ArabicWeb16 (Suwaileh and others 2016). Unlike theirs, this
    /// rule needs no count of pages in the language, and a few stray words do not save a host.
    pub barren: Option<NonZeroU32>,
    /// Number of fetched pages after which a host is stopped, whatever they contain. Suki retires a
    /// host after 100,000 (Jauhiainen and others 2020). Calendars and URLs with session identifiers
    /// are endless, and their pages are full of the language.
    pub limit: Option<NonZeroU32>,
    /// Factor of the rising threshold on the host's byte yield, see [`Factor`].
    pub rising: Option<Factor>,
}

/// Factor of SpiderLing's rising threshold (Suchomel and Pomikálek 2012): a host is stopped if its
/// byte yield, target bytes per downloaded byte, is below `factor * (log10(pages) - 1)`. The
/// paper's factor is 0.01. No host is stopped before [`Factor::GRACE_PAGES`] and
/// [`Factor::GRACE_BYTES`]. The threshold rises with every page, so each host stops in the end, the
/// poor ones first.
///
/// It is a decimal fraction from 0.000001 to 0.999999, stored in millionths so that it prints as it
/// was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Factor(NonZeroU32);

impl Factor {
    /// Number of read pages before which no host is stopped.
    pub const GRACE_PAGES: u64 = 8;
    /// Number of downloaded bytes before which no host is stopped: 512 KiB.
    pub const GRACE_BYTES: u64 = 512 << 10;
    const DIGITS: usize = 6;

    /// Returns whether the byte yield of a host is below the threshold.
    pub fn stops(self, totals: HostTotals) -> bool {
        let pages = totals.read();
        let threshold = f64::from(self.0.get()) / 1e6 * ((pages as f64).log10() - 1.0);
        pages >= Self::GRACE_PAGES
            && totals.raw_bytes >= Self::GRACE_BYTES
            && (totals.target_bytes as f64 / totals.raw_bytes as f64) < threshold
    }
}

impl FromStr for Factor {
    type Err = ();

    /// Parses `0.` and up to six digits, of which the last is not 0.
    fn from_str(text: &str) -> Result<Self, ()> {
        let digits = text.strip_prefix("0.").ok_or(())?;
        let is_plain = digits.len() <= Self::DIGITS
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && !digits.ends_with('0');
        let millionths =
            format!("{digits:0<width$}", width = Self::DIGITS).parse().map_err(drop)?;
        is_plain.then_some(Self(millionths)).ok_or(())
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:0width$}", self.0, width = Self::DIGITS);
        write!(f, "0.{}", digits.trim_end_matches('0'))
    }
}

impl Stops {
    /// Returns the reason why the host is stopped, if it is.
    ///
    /// `min_bytes`: smallest number of target bytes of a page in the language.
    pub fn of(self, totals: HostTotals, min_bytes: u64) -> Option<Stop> {
        let read = totals.read();
        let reached = |pages: u64, limit: Option<NonZeroU32>| {
            limit.is_some_and(|limit| pages >= u64::from(limit.get()))
        };
        let poor = || {
            u128::from(totals.target_bytes) * 10 < u128::from(min_bytes.max(1)) * u128::from(read)
        };
        if reached(read, self.barren) && poor() {
            Some(Stop::Barren)
        } else if reached(totals.fetched, self.limit) {
            Some(Stop::Limit)
        } else if self.rising.is_some_and(|factor| factor.stops(totals)) {
            Some(Stop::LowYield)
        } else {
            None
        }
    }

    /// Parses `barren:PAGES` or `limit:PAGES`, and after these `rising:FACTOR`, each at most once.
    /// PAGES is 1 to 999999999. Returns whether it could.
    pub fn read(&mut self, part: &str) -> bool {
        let Some((name, pages)) = part.split_once(':') else { return false };
        if self.rising.is_some() {
            return false;
        }
        if name == "rising" {
            self.rising = pages.parse().ok();
            return self.rising.is_some();
        }
        let place = match name {
            "barren" => &mut self.barren,
            "limit" => &mut self.limit,
            _ => return false,
        };
        // The pattern of corpulyzer.score.policy allows as many.
        const MAX_DIGITS: usize = 9;
        let is_plain = pages.len() <= MAX_DIGITS
            && pages.bytes().all(|byte| byte.is_ascii_digit())
            && !pages.starts_with('0');
        match pages.parse() {
            Ok(pages) if is_plain && place.is_none() => *place = Some(pages),
            _ => return false,
        }
        true
    }
}

impl fmt::Display for Stops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(pages) = self.barren {
            write!(f, "+barren:{pages}")?;
        }
        if let Some(pages) = self.limit {
            write!(f, "+limit:{pages}")?;
        }
        if let Some(factor) = self.rising {
            write!(f, "+rising:{factor}")?;
        }
        Ok(())
    }
}
