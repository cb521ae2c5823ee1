#![forbid(unsafe_code)]
//! Host totals and the LRL website score.
