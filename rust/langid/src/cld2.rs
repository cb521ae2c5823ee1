//! The interface to CLD2, with its unsafe code.
//!
//! The symbols come from `cld2-sys`, which compiles CLD2 with its full tables (quad0122,
//! deltaocta0122). They are declared again here because `cld2-sys` returns languages as a Rust
//! enum, and a value outside the enum would be undefined behaviour. Here languages are integers,
//! which are checked.
#![allow(unsafe_code)]

// Links libcld2.a and libstdc++.
use crate::identify::{append, floor_char_boundary, Run};
use crate::work::add_cld2;
use crate::{Allowed, Identify, LangCode};
use cld2_sys as _;
use std::ffi::{c_char, c_double, c_int, c_void, CStr};

/// Number of languages (CLD2's `NUM_LANGUAGES`); they are numbered from 0.
const LANGUAGES: u16 = 614;
/// CLD2's `UNKNOWN_LANGUAGE`.
const UNKNOWN: c_int = 26;
/// CLD2's `UNKNOWN_ENCODING`.
const UNKNOWN_ENCODING: c_int = 23;

#[repr(C)]
struct Hints {
    content_language: *const c_char,
    tld: *const c_char,
    encoding: c_int,
    language: c_int,
}

#[repr(C)]
struct ResultChunk {
    offset: c_int,
    bytes: i32,
    lang1: u16,
    pad: u16,
}

extern "C" {
    fn CLD2_ResultChunkVector_new() -> *mut c_void;
    fn CLD2_ResultChunkVector_data(chunks: *const c_void) -> *const ResultChunk;
    fn CLD2_ResultChunkVector_size(chunks: *const c_void) -> usize;
    fn CLD2_ResultChunkVector_delete(chunks: *mut c_void);
    fn CLD2_LanguageCode(language: c_int) -> *const c_char;
    fn CLD2_DetectLanguageVersion() -> *const c_char;
    fn CLD2_ExtDetectLanguageSummary4(
        buffer: *const c_char,
        buffer_length: c_int,
        is_plain_text: bool,
        hints: *const Hints,
        flags: c_int,
        language3: *mut c_int,
        percent3: *mut c_int,
        normalized_score3: *mut c_double,
        chunks: *mut c_void,
        text_bytes: *mut c_int,
        is_reliable: *mut bool,
    ) -> c_int;
}

/// CLD2 as an identifier. Its tables are compiled in; the value is empty.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cld2;

/// Name and data version of CLD2, part of every record's version: a change makes old records stale.
const VERSION: &str = "cld2/20140204";

impl Identify for Cld2 {
    /// Returns the language with the most bytes in the text, ties by code.
    fn identify(&self, text: &str, allowed: Allowed) -> LangCode {
        let mut sums: Vec<(LangCode, usize)> = Vec::new();
        for (language, range) in self.runs(text) {
            if language == LangCode::UND
                || allowed.is_some_and(|allowed| !allowed.contains(&language))
            {
                continue;
            }
            match sums.iter_mut().find(|(known, _)| *known == language) {
                Some((_, bytes)) => *bytes += range.len(),
                None => sums.push((language, range.len())),
            }
        }
        let most =
            sums.into_iter().max_by_key(|&(language, bytes)| (bytes, std::cmp::Reverse(language)));
        most.map_or(LangCode::UND, |(language, _)| language)
    }

    fn runs(&self, text: &str) -> Vec<Run> {
        let mut runs = Vec::new();
        let mut done = 0;
        for chunk in chunks(text) {
            let start = floor_char_boundary(text, chunk.start).max(done);
            let end = floor_char_boundary(text, chunk.end).max(start);
            append(&mut runs, LangCode::UND, done..start);
            append(&mut runs, LangCode::of_cld2(chunk.language), start..end);
            done = end;
        }
        append(&mut runs, LangCode::UND, done..text.len());
        runs
    }

    fn languages(&self) -> Vec<LangCode> {
        LangCode::of_cld2_tables().iter().copied().collect()
    }

    fn version(&self) -> String {
        VERSION.to_owned()
    }
}

/// Number of zero bytes after every text. CLD2 reads the character after the last one
/// (`GetOneScriptSpan` calls `GetUTF8LetterScriptNum` without the remaining length). Without
/// padding it would read beyond the buffer, and the result would depend on those bytes. A character
/// has at most four bytes; the rest is margin.
const PADDING: usize = 32;

/// A C++ vector of result chunks, freed when dropped.
struct Chunks(*mut c_void);

impl Chunks {
    fn new() -> Self {
        // SAFETY: no arguments; only this value owns the allocated vector.
        Chunks(unsafe { CLD2_ResultChunkVector_new() })
    }

    fn as_slice(&self) -> &[ResultChunk] {
        // SAFETY: `self.0` is a live vector.
        let size = unsafe { CLD2_ResultChunkVector_size(self.0) };
        if size == 0 {
            // `data` returns the address of element 0, which an empty vector does not have.
            return &[];
        }
        // SAFETY: the vector has `size` elements of this layout, and nothing changes it while
        // `self` is borrowed.
        unsafe { std::slice::from_raw_parts(CLD2_ResultChunkVector_data(self.0), size) }
    }
}

impl Drop for Chunks {
    fn drop(&mut self) {
        // SAFETY: created by `new`, deleted once.
        unsafe { CLD2_ResultChunkVector_delete(self.0) }
    }
}

/// A run of bytes in one language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chunk {
    /// First byte in the text.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// CLD2's number of the language, below [`LANGUAGES`].
    pub language: u16,
}

/// Identifies `text` as plain text without hints. (Hints add 2 points of recall on short Urdu text
/// and cost far more precision.)
///
/// The chunks are in order and do not overlap. Bytes between them belong to no language; a text
/// without letters has no chunks. Offsets are bytes of `text` and may be inside a character.
///
/// # Panics
/// Panics if `text` is longer than `i32::MAX` bytes; the caller splits long texts.
pub(crate) fn chunks(text: &str) -> Vec<Chunk> {
    add_cld2(text);
    let length = c_int::try_from(text.len()).expect("texts are cut far below the range of a C int");
    let mut buffer = Vec::with_capacity(text.len() + PADDING);
    buffer.extend_from_slice(text.as_bytes());
    buffer.resize(text.len() + PADDING, 0);
    let hints = Hints {
        content_language: std::ptr::null(),
        tld: std::ptr::null(),
        encoding: UNKNOWN_ENCODING,
        language: UNKNOWN,
    };
    let chunks = Chunks::new();
    let (mut language3, mut percent3, mut score3) = ([UNKNOWN; 3], [0; 3], [0.0; 3]);
    let (mut text_bytes, mut is_reliable) = (0, false);
    // SAFETY: the buffer is valid UTF-8 of the given length, followed by the zeros that keep CLD2
    // inside it; the three-element arrays and out-parameters outlive the call; the hints are null
    // pointers; `chunks` is a live vector.
    unsafe {
        CLD2_ExtDetectLanguageSummary4(
            buffer.as_ptr().cast(),
            length,
            true,
            &hints,
            0,
            language3.as_mut_ptr(),
            percent3.as_mut_ptr(),
            score3.as_mut_ptr(),
            chunks.0,
            &mut text_bytes,
            &mut is_reliable,
        );
    }
    let mut position = 0;
    let mut found = Vec::new();
    for chunk in chunks.as_slice() {
        let (Ok(offset), Ok(bytes)) = (usize::try_from(chunk.offset), usize::try_from(chunk.bytes))
        else {
            continue;
        };
        let start = offset.clamp(position, text.len());
        let end = offset.saturating_add(bytes).clamp(start, text.len());
        if start < end {
            found.push(Chunk { start, end, language: chunk.lang1 });
            position = end;
        }
    }
    found
}

/// Returns CLD2's code of a language (`ur`, `iw`, `zh-Hant`, `xx-Arab`); empty for an unused
/// number.
pub(crate) fn code(language: u16) -> &'static str {
    if language >= LANGUAGES {
        return "";
    }
    // SAFETY: the number is in range, and the result is a string constant of the library.
    let code = unsafe { CStr::from_ptr(CLD2_LanguageCode(c_int::from(language))) };
    code.to_str().unwrap_or("")
}

/// Returns all language numbers.
pub(crate) fn languages() -> std::ops::Range<u16> {
    0..LANGUAGES
}

/// Returns the library's version string, such as `V2.0 - 20140204`.
#[cfg_attr(not(test), allow(dead_code))]
pub(crate) fn version() -> &'static str {
    // SAFETY: the result is a string constant of the library.
    let version = unsafe { CStr::from_ptr(CLD2_DetectLanguageVersion()) };
    version.to_str().unwrap_or("")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_identifier_that_records_name_is_the_one_that_is_linked() {
        assert_eq!(version(), "V2.0 - 20140204");
        assert!(VERSION.ends_with(version().rsplit(' ').next().unwrap()));
    }

    #[test]
    fn codes_of_numbers_out_of_range_are_empty() {
        assert_eq!(code(50), "ur");
        assert_eq!(code(LANGUAGES), "");
        assert_eq!(code(u16::MAX), "");
    }

    #[test]
    fn text_without_letters_has_no_chunk() {
        assert_eq!(chunks(""), []);
        assert_eq!(chunks("1234 ... 99"), []);
    }

    #[test]
    fn what_lies_behind_a_text_in_memory_does_not_change_its_chunks() {
        let text = "ցh";
        let answers = ["", " ", "a", "ց", "ہ", "中", "\u{10900}"].map(|behind| {
            let whole = text.to_owned() + &behind.repeat(20);
            chunks(&whole[..text.len()])
        });
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    }

    #[test]
    fn long_texts_are_covered_from_end_to_end() {
        let text =
            "The committee will publish its report on the water supply of the old town next week. "
                .repeat(4000);
        let found = chunks(&text);
        assert_eq!(found.first().unwrap().start, 0);
        assert_eq!(found.last().unwrap().end, text.len());
        assert!(found.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert!(found.iter().all(|chunk| code(chunk.language) == "en"));
    }
}
