//! When no more of a host is fetched.

use crate::HostTotals;
use std::fmt;
use std::num::NonZeroU32;

/// Why no more of a host is fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Enough pages were read to know that nearly none is in the language.
    Barren,
    /// As many pages were fetched as one host may give.
    Limit,
}

impl Stop {
    /// The score of all rows of such a host. It is below Nutch's `generate.min.score`, 0 by default, so that the generator passes
    /// them over; which number it is tells why.
    pub const fn score(self) -> f32 {
        match self {
            Self::Barren => -1.0,
            Self::Limit => -2.0,
        }
    }
}

/// When no more of a host is fetched; never, by default. A function of the host's totals alone: with other numbers, or none, the
/// rows have their scores again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stops {
    /// A host is given up when so many of its pages were read and they have less than a tenth of a kept page's bytes each, on the
    /// mean. So fewer than one in ten can be in the language, which after 40 pages is the rule of W2C (Majliš 2011), and a host
    /// without a byte of it is always among them, the rule of ArabicWeb16 (Suwaileh and others 2016). Other than theirs this one needs no
    /// count of pages that are in the language, and a few stray words do not save a host.
    pub barren: Option<NonZeroU32>,
    /// Or when so many of its pages were fetched, whatever they hold: Suki retires a host after 100,000 (Jauhiainen and others 2020).
    /// Calendars and addresses with session identifiers are endless, and their pages full of the language.
    pub limit: Option<NonZeroU32>,
}

impl Stops {
    /// Why no more of a host is fetched, if that is so.
    ///
    /// `min_bytes`: target bytes that a page in the language has at least.
    pub fn of(self, totals: HostTotals, min_bytes: u64) -> Option<Stop> {
        let read = totals.fetched.saturating_sub(totals.unread);
        let reached =
            |pages: u64, limit: Option<NonZeroU32>| limit.is_some_and(|limit| pages >= u64::from(limit.get()));
        let poor = || u128::from(totals.target_bytes) * 10 < u128::from(min_bytes.max(1)) * u128::from(read);
        if reached(read, self.barren) && poor() {
            Some(Stop::Barren)
        } else if reached(totals.fetched, self.limit) {
            Some(Stop::Limit)
        } else {
            None
        }
    }

    /// Reads `barren:PAGES` or `limit:PAGES`, once each; whether it could.
    pub fn read(&mut self, part: &str) -> bool {
        let Some((name, pages)) = part.split_once(':') else { return false };
        let place = match name {
            "barren" => &mut self.barren,
            "limit" => &mut self.limit,
            _ => return false,
        };
        let digits = pages.bytes().all(|byte| byte.is_ascii_digit());
        match pages.parse() {
            Ok(pages) if digits && place.is_none() => *place = Some(pages),
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
        Ok(())
    }
}
