//! A deterministic web of our own, for the tests and the sample crawl.
//!
//! [`world`] is the web as data, [`text`] writes its articles, [`html`] makes pages of them, [`server`] serves them as a
//! proxy on loopback, and [`sample`] joins the two.

pub mod html;
pub mod sample;
pub mod server;
pub mod simulate;
pub mod text;
pub mod world;
