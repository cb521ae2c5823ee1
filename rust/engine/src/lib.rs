#![forbid(unsafe_code)]
//! Page bytes in, page record out.
