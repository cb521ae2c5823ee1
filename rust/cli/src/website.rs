//! The rule for websites: the option `--site`.

use clap::ValueEnum;
use inputs::urls::{registered_domain, without_www};

/// Which hosts are one website.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Website {
    /// Every host is one.
    #[default]
    Host,
    /// A host with `www.` is the same as without.
    NoWww,
    /// All hosts of a registered domain, by the public suffix list.
    Domain,
}

impl Website {
    /// The name of the option's value.
    pub fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::NoWww => "no-www",
            Self::Domain => "domain",
        }
    }

    /// Returns the function that gives the website of a host.
    pub fn of(self) -> fn(&str) -> &str {
        match self {
            Self::Host => |host| host,
            Self::NoWww => without_www,
            Self::Domain => registered_domain,
        }
    }
}
