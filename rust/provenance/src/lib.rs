//! The statements of a page about itself: the days on which it was published and modified, its
//! licence, and reservations against the use of its text. The input is the statements that
//! `content` collects in its pass over the markup; nothing is parsed a second time except JSON-LD.
#![forbid(unsafe_code)]

mod alternates;
mod bylines;
mod calendar;
mod dates;
mod digits;
mod fields;
mod hebrew;
mod json;
mod license;
mod people;
mod personal;
mod reservation;
mod text;

pub use calendar::{Day, NoDay, FIRST_YEAR};
pub use dates::{dates, Context, Dates, Source};
pub use digits::digit;
pub use fields::{add_host_rules, Provenance, FIELDS};
pub use license::{license, License, LicenseSource};
pub use people::{author, site_name};
pub use personal::{masked, personal, Found, Personal};
pub use reservation::{is_reserved, HostFiles, Preference, Reservation, RobotsFile, TdmFile};
pub use text::{dates as dates_in, Order, Reading};
