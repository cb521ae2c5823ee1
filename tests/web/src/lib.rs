//! A deterministic web of our own, for the tests and the sample crawl.
//!
//! [`world`] is the web as data, [`text`] writes its articles, [`html`] makes pages of them,
//! [`server`] serves them as a proxy on loopback, and [`sample`] joins the two. [`hostile`] puts
//! hosts beside it that attack the crawler. [`recorded`] serves pages of the real web instead.
//! [`simulate`], [`stats`] and [`similar`] measure the web.

pub mod hostile;
pub mod html;
pub mod recorded;
pub mod sample;
pub mod server;
pub mod similar;
pub mod simulate;
pub mod stats;
mod steer;
pub mod text;
pub mod world;
