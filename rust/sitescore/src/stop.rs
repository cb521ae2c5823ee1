//! Rules that stop the fetching from a host.

use crate::HostTotals;
use std::fmt;
use std::num::NonZeroU32;

/// The reason why a host is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Enough pages were read to show that almost none is in the language.
    Barren,
    /// The number of fetched pages reached the limit.
    Limit,
}

impl Stop {
    /// Score of all rows of a stopped host. It is below Nutch's `generate.min.score`, 0 by default,
    /// so the generator skips them. The number shows the reason.
    pub const fn score(self) -> f32 {
        match self {
            Self::Barren => -1.0,
            Self::Limit => -2.0,
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
}

impl Stops {
    /// Returns the reason why the host is stopped, if it is.
    ///
    /// `min_bytes`: smallest number of target bytes of a page in the language.
    pub fn of(self, totals: HostTotals, min_bytes: u64) -> Option<Stop> {
        let read = totals.fetched.saturating_sub(totals.unread);
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
        } else {
            None
        }
    }

    /// Parses `barren:PAGES` or `limit:PAGES`, each at most once. PAGES is 1 to 999999999. Returns
    /// whether it could.
    pub fn read(&mut self, part: &str) -> bool {
        let Some((name, pages)) = part.split_once(':') else { return false };
        let place = match name {
            "barren" => &mut self.barren,
            "limit" => &mut self.limit,
            _ => return false,
        };
        // The pattern of corpulyzer.score.policy allows as many.
        const MOST_DIGITS: usize = 9;
        let is_plain = pages.len() <= MOST_DIGITS
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
        Ok(())
    }
}
