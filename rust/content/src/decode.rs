//! Decodes pages: finds the encoding, and converts bytes to text.

use crate::alphabets::{fit, Expected};
use crate::charsets::{is_refused, is_visual_hebrew, Charset};
use crate::oddity::{oddity, Oddity, Script};
use crate::repair::{repair, Repaired};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    Encoding, ISO_2022_JP, ISO_8859_10, ISO_8859_14, ISO_8859_15, ISO_8859_16, ISO_8859_3,
    MACINTOSH, REPLACEMENT, UTF_16BE, UTF_16LE, UTF_8, WINDOWS_1252, X_MAC_CYRILLIC,
    X_USER_DEFINED,
};
use std::borrow::Cow;

/// Largest position of a charset declaration, in bytes. The HTML standard has 1,024; old pages have
/// scripts and comments before it.
const META_BYTES: usize = 8192;

/// Largest number of bytes that the guess reads: enough for any text, and a limit on time.
const GUESS_BYTES: usize = 1 << 20;

/// Largest number of bytes that are compared as declared and as guessed.
const SAMPLE_BYTES: usize = 64 << 10;

/// Smallest number of characters beyond ASCII for a meaningful rate of odd ones.
const FEW_LETTERS: usize = 5;

/// Number of characters beyond ASCII from which a guess is better than a declaration.
const SURE_LETTERS: usize = 16;

/// The same for East Asian characters. Each of them contains more information.
const SURE_EAST_ASIAN: usize = 10;

/// Share of the letters beyond ASCII that must be in the expected language's alphabet.
const EXPECTED_LETTERS: f64 = 0.9;

/// How much better another encoding of the expected language must read than the chosen one, in
/// shares of letters.
const EXPECTED_MARGIN: f64 = 0.02;

/// Encodings that the guess never returns.
const UNKNOWN_TO_GUESS: [&Encoding; 8] = [
    X_MAC_CYRILLIC,
    MACINTOSH,
    ISO_8859_3,
    ISO_8859_10,
    ISO_8859_14,
    ISO_8859_15,
    ISO_8859_16,
    X_USER_DEFINED,
];

/// Name of Hebrew in the order of display, for the message.
const VISUAL_HEBREW: &str = "iso-8859-8 (visual)";

/// Number of bytes that are searched for the zero bytes of UTF-16 and UTF-32.
const ZERO_BYTES: usize = 1024;

/// Hints about a page's encoding besides its bytes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hints<'a> {
    /// The HTTP Content-Type header's value.
    pub content_type: Option<&'a str>,
    /// The page's URL; its top-level domain helps the guess.
    pub url: Option<&'a str>,
}

/// The source of the decision on the encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CharsetSource {
    /// A byte order mark.
    Bom,
    /// The HTTP header.
    Http,
    /// A meta tag.
    Meta,
    /// The bytes are valid UTF-8. Declarations are ignored.
    Utf8,
    /// The bytes are UTF-16 without a byte order mark, recognised by their zero bytes.
    Utf16,
    /// A statistical guess.
    Guess,
}

/// A page as text.
#[derive(Debug, Clone)]
pub struct Decoded<'a> {
    /// The text. Malformed sequences are U+FFFD. A character that the end cuts is left out.
    pub text: Cow<'a, str>,
    /// The encoding's WHATWG name in lower case, or its own name if the WHATWG has none (`koi8-t`,
    /// `zawgyi`).
    pub charset: &'static str,
    /// The source of the decision.
    pub source: CharsetSource,
}

/// The charset of a page whose Burmese was converted from Zawgyi.
pub const ZAWGYI: &str = "zawgyi";

impl Decoded<'_> {
    /// Repairs the text ([`repair`]). The charset is `zawgyi` if Burmese was converted.
    #[must_use]
    pub fn repaired(self) -> Self {
        let Repaired { text, was_zawgyi } = repair(self.text);
        Decoded { text, charset: if was_zawgyi { ZAWGYI } else { self.charset }, ..self }
    }
}

/// Error for a page that is in an encoding that cannot be decoded: UTF-7, UTF-32, HZ, ISO-2022-KR,
/// ISO-2022-CN, Hebrew in the order of display, and those that are declared but not known here
/// (Johab, VISCII and others).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the page is in {label:?}, an encoding that is not supported")]
pub struct UnsupportedCharset {
    label: String,
}

/// Decodes a page by the first of these: a byte order mark; UTF-16 recognised by its zero bytes;
/// valid UTF-8; the HTTP charset; the meta tag; a guess. A label that contradicts the bytes is
/// ignored.
///
/// # Errors
/// [`UnsupportedCharset`] if the text would be unreadable.
pub fn decode<'a>(bytes: &'a [u8], hints: &Hints) -> Result<Decoded<'a>, UnsupportedCharset> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return Ok(decoded(Charset::Standard(encoding), &bytes[mark..], CharsetSource::Bom));
    }
    let http =
        hints.content_type.and_then(charset_of_header).map(|label| (label, CharsetSource::Http));
    match zero_bytes(bytes) {
        Zeros::Utf16(encoding) => {
            return Ok(decoded(Charset::Standard(encoding), bytes, CharsetSource::Utf16))
        }
        Zeros::Utf32 => return Err(UnsupportedCharset { label: "utf-32".to_owned() }),
        Zeros::None => {}
    }
    let meta = charset_of_meta(bytes).map(|label| (label, CharsetSource::Meta));
    let labels: Vec<_> = http.into_iter().chain(meta).collect();
    let charsets =
        labels.iter().filter_map(|(label, source)| Some((charset_of(label, *source)?, *source)));

    let utf8 = Utf8::of(bytes);
    if let Some(text) = utf8.valid.filter(|text| text.is_ascii()) {
        if let Some((label, _)) = labels.first().filter(|(label, _)| shifts_in_ascii(label, bytes))
        {
            return Err(UnsupportedCharset { label: label.clone() });
        }
        return Ok(ascii(text, charsets.clone().next(), hints));
    }
    let as_utf8 = charsets.clone().find(|(charset, _)| charset.is(UTF_8));
    if utf8.is_likely(as_utf8.is_some()) {
        let source = as_utf8.map_or(CharsetSource::Utf8, |(_, source)| source);
        return Ok(match utf8.valid {
            Some(text) => Decoded { text: text.into(), charset: "utf-8", source },
            None => decoded(Charset::Standard(UTF_8), bytes, source),
        });
    }
    let declared: Vec<_> =
        charsets.filter(|(c, _)| !c.is(UTF_8) && is_well_formed(*c, bytes)).collect();
    // A server's UTF-8 for all its pages says nothing, as the bytes are not in it.
    let mut telling = labels.iter().filter_map(|(label, source)| {
        let charset = charset_of(label, *source);
        let is_other = charset.is_some_and(|charset| !charset.is(UTF_8));
        (is_other || is_refused(label)).then_some((label, charset))
    });
    if let Some((label, None)) = telling.next() {
        return Err(UnsupportedCharset { label: label.clone() });
    }
    let page = match believed(&declared, bytes, hints) {
        Some((charset, source)) => decoded(charset, bytes, source),
        None => guessed(bytes, hints),
    };
    // Only encodings of the time before the bidirectional algorithm were used so.
    let may_be_visual = matches!(page.charset, "iso-8859-8" | "windows-1255");
    if may_be_visual && is_visual_hebrew(&page.text) {
        return Err(UnsupportedCharset { label: VISUAL_HEBREW.to_owned() });
    }
    Ok(page)
}

/// Decodes a page in ASCII. Its bytes mean the same in every declared encoding, except in one that
/// shifts by escapes.
fn ascii<'a>(
    text: &'a str,
    declared: Option<(Charset, CharsetSource)>,
    hints: &Hints,
) -> Decoded<'a> {
    let bytes = text.as_bytes();
    let (charset, source) = match declared {
        Some((charset, source)) if charset.is(ISO_2022_JP) => {
            return decoded(charset, bytes, source)
        }
        Some((charset, source)) if !charset.is(UTF_16LE) && !charset.is(UTF_16BE) => {
            (name_of(charset), source)
        }
        _ if bytes.contains(&0x1b) => return guessed(bytes, hints),
        _ => ("utf-8", CharsetSource::Utf8),
    };
    Decoded { text: text.into(), charset, source }
}

/// Decodes a page again as if it was in one of the expected languages. Returns `None` if it has not
/// the letters of such a language in one of its encodings, or if the text is the same.
///
/// The caller decides which text to use, by the bytes of the language in both. The idea is that of
/// chared (in SpiderLing): an encoding is likely if the page reads as the target language
/// in it.
pub fn reread<'a>(bytes: &'a [u8], before: &Decoded, expected: &[Expected]) -> Option<Decoded<'a>> {
    let chosen = Encoding::for_label(before.charset.as_bytes())?;
    if !chosen.is_single_byte() {
        return None;
    }
    let sample = telling(bytes, SAMPLE_BYTES);
    let read = |encoding: &'static Encoding| encoding.decode_without_bom_handling(sample).0;
    let text = read(chosen);
    let most = oddity(&text).rate() + 0.1;
    let mut best = None;
    for language in expected {
        for &encoding in language.encodings {
            let other = read(encoding);
            let (fit, odd) = (language.fit(&other), oddity(&other).rate());
            // Related encodings have most letters in common: the chosen one takes precedence.
            let value = fit - odd + if encoding == chosen { EXPECTED_MARGIN } else { 0.0 };
            if fit >= EXPECTED_LETTERS
                && odd <= most
                && best.as_ref().is_none_or(|(_, _, before)| value > *before)
            {
                best = Some((encoding, other, value));
            }
        }
    }
    let (encoding, other, _) = best?;
    (other != text).then(|| decoded(Charset::Standard(encoding), bytes, CharsetSource::Guess))
}

/// The declared encoding to use, if any: one that agrees with the guess, otherwise the first that
/// does not read worse than the guess.
fn believed(
    declared: &[(Charset, CharsetSource)],
    bytes: &[u8],
    hints: &Hints,
) -> Option<(Charset, CharsetSource)> {
    if declared.is_empty() {
        return None;
    }
    let sample = telling(bytes, SAMPLE_BYTES);
    let guess = Charset::Standard(guess(bytes, hints));
    let guessed = guess.read(sample);
    let texts: Vec<_> = declared.iter().map(|(charset, _)| charset.read(sample)).collect();
    let at = texts.iter().position(|text| *text == guessed).or_else(|| {
        let guess = Reading::of(guess, guessed);
        let mut readings =
            declared.iter().zip(texts).map(|((charset, _), text)| Reading::of(*charset, text));
        readings.position(|declared| !declared.is_worse(&guess))
    });
    at.map(|at| declared[at])
}

/// A page as read in an encoding, and the oddity of that text.
struct Reading<'a> {
    text: Cow<'a, str>,
    oddity: Oddity,
    /// True if the detector can return this encoding.
    is_known: bool,
}

impl<'a> Reading<'a> {
    fn of(charset: Charset, text: Cow<'a, str>) -> Self {
        let oddity = oddity(&text);
        let is_known = match charset {
            Charset::Standard(encoding) => !UNKNOWN_TO_GUESS.contains(&encoding),
            Charset::Own(_) => false,
        };
        Reading { text, oddity, is_known }
    }

    /// Returns true if the text as declared reads so much worse than the guess that the declaration
    /// must be false.
    fn is_worse(&self, guess: &Self) -> bool {
        let worse = self.oddity.rate() - guess.oddity.rate();
        let script = |reading: &Self, script| reading.oddity.script == Some(script);
        let sure = if script(guess, Script::EastAsian) { SURE_EAST_ASIAN } else { SURE_LETTERS };
        // Any bytes can be read as Han characters. Letters of other scripts are in plausible order
        // only if the encoding is right.
        if script(guess, Script::EastAsian) && !script(self, Script::EastAsian) {
            return worse > 0.1 && guess.oddity.beyond >= sure;
        }
        if worse >= 0.5 || worse > 0.1 && guess.oddity.beyond >= FEW_LETTERS {
            return true;
        }
        if script(self, Script::Latin) && script(guess, Script::Latin) {
            // If text in one Latin encoding is read in another, it also has letters in the right
            // places.
            return worse > -0.02 && fit(&guess.text) - fit(&self.text) > 0.05;
        }
        self.is_known && worse > -0.02 && guess.oddity.beyond >= sure
    }
}

fn name_of(charset: Charset) -> &'static str {
    let encoding = match charset {
        Charset::Standard(encoding) => encoding,
        Charset::Own(table) => return table.name(),
    };
    // encoding_rs has the names of the standard with capitals; labels are in lower case.
    NAMES.iter().find(|(e, _)| *e == encoding).map_or("utf-8", |(_, name)| name)
}

macro_rules! names {
    ($($encoding:ident $name:literal),* $(,)?) => {
        static NAMES: &[(&Encoding, &str)] = &[$((encoding_rs::$encoding, $name)),*];
    };
}

names! {
    UTF_8 "utf-8", IBM866 "ibm866", ISO_8859_2 "iso-8859-2", ISO_8859_3 "iso-8859-3", ISO_8859_4 "iso-8859-4",
    ISO_8859_5 "iso-8859-5", ISO_8859_6 "iso-8859-6", ISO_8859_7 "iso-8859-7", ISO_8859_8 "iso-8859-8",
    ISO_8859_8_I "iso-8859-8-i", ISO_8859_10 "iso-8859-10", ISO_8859_13 "iso-8859-13", ISO_8859_14 "iso-8859-14",
    ISO_8859_15 "iso-8859-15", ISO_8859_16 "iso-8859-16", KOI8_R "koi8-r", KOI8_U "koi8-u", MACINTOSH "macintosh",
    WINDOWS_874 "windows-874", WINDOWS_1250 "windows-1250", WINDOWS_1251 "windows-1251", WINDOWS_1252 "windows-1252",
    WINDOWS_1253 "windows-1253", WINDOWS_1254 "windows-1254", WINDOWS_1255 "windows-1255", WINDOWS_1256 "windows-1256",
    WINDOWS_1257 "windows-1257", WINDOWS_1258 "windows-1258", X_MAC_CYRILLIC "x-mac-cyrillic", GBK "gbk",
    GB18030 "gb18030", BIG5 "big5", EUC_JP "euc-jp", ISO_2022_JP "iso-2022-jp", SHIFT_JIS "shift_jis",
    EUC_KR "euc-kr", UTF_16BE "utf-16be", UTF_16LE "utf-16le", X_USER_DEFINED "x-user-defined",
}

fn decoded<'a>(charset: Charset, bytes: &'a [u8], source: CharsetSource) -> Decoded<'a> {
    let encoding = match charset {
        Charset::Standard(encoding) => encoding,
        Charset::Own(table) => {
            return Decoded { text: table.decode(bytes), charset: table.name(), source }
        }
    };
    let (mut text, _) = encoding.decode_without_bom_handling(without_cut_end(encoding, bytes));
    if let Cow::Owned(text) = &mut text {
        // In encodings other than UTF-8, a cut character becomes one replacement character at the
        // end.
        if encoding != UTF_8 && !encoding.is_single_byte() && text.ends_with('\u{fffd}') {
            text.pop();
        }
    }
    Decoded { text, charset: name_of(charset), source }
}

/// Removes the beginning of a UTF-8 character that the end of the page cuts, so that a cut page can
/// be borrowed, too.
fn without_cut_end<'a>(encoding: &'static Encoding, bytes: &'a [u8]) -> &'a [u8] {
    let tail = bytes.len().saturating_sub(3);
    if encoding == UTF_8 {
        for start in (tail..bytes.len()).rev() {
            if bytes[start] >= 0xc0 {
                let cut = matches!(std::str::from_utf8(&bytes[start..]), Err(e) if e.error_len().is_none());
                return if cut { &bytes[..start] } else { bytes };
            }
        }
    }
    bytes
}

fn guessed<'a>(bytes: &'a [u8], hints: &Hints) -> Decoded<'a> {
    decoded(Charset::Standard(guess(bytes, hints)), bytes, CharsetSource::Guess)
}

/// The encoding that the bytes resemble most.
fn guess(bytes: &[u8], hints: &Hints) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(&condensed(telling(bytes, GUESS_BYTES)), true);
    let tld = hints.url.and_then(tld_of_url);
    detector.guess(tld.as_deref().map(str::as_bytes), Utf8Detection::Allow)
}

/// At most this number of bytes, from the word of the first byte beyond ASCII. Bytes before it do
/// not distinguish encodings, and scripts and styles may fill megabytes. If all bytes are ASCII, as
/// in encodings with escape sequences, the part begins at the start.
fn telling(bytes: &[u8], most: usize) -> &[u8] {
    let first = bytes.iter().position(|b| !b.is_ascii()).unwrap_or_default().saturating_sub(16);
    &bytes[first..bytes.len().min(first + most)]
}

/// Removes the inside of long runs of ASCII, which are mostly markup: the guess would read them in
/// every encoding and learn nothing. Runs with escapes stay, because some encodings are recognised
/// by them.
fn condensed(bytes: &[u8]) -> Vec<u8> {
    /// Bytes that are kept at each end of a run, so that a word keeps its neighbours.
    const ENDS: usize = 16;
    const ESCAPE: u8 = 0x1b;
    let mut kept = Vec::with_capacity(bytes.len() / 4);
    for run in bytes.chunk_by(|a, b| a.is_ascii() == b.is_ascii()) {
        match (run.first_chunk::<ENDS>(), run.last_chunk::<ENDS>()) {
            (Some(first), Some(last))
                if run[0].is_ascii() && run.len() > 2 * ENDS && !run.contains(&ESCAPE) =>
            {
                kept.extend_from_slice(first);
                kept.extend_from_slice(last);
            }
            _ => kept.extend_from_slice(run),
        }
    }
    kept
}

/// The last label of a URL's host in lower case, if it has only ASCII letters, digits and hyphens.
fn tld_of_url(url: &str) -> Option<String> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?.split(':').next()?.trim_end_matches('.');
    let (_, tld) = host.rsplit_once('.')?;
    let fine = !tld.is_empty() && tld.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    fine.then(|| tld.to_ascii_lowercase())
}

/// A page as UTF-8: counts of well-formed and malformed sequences.
struct Utf8<'a> {
    /// The page if no sequence is malformed.
    valid: Option<&'a str>,
    /// Well-formed characters beyond ASCII. Not counted if no sequence is malformed.
    good: usize,
    /// Malformed sequences, without one that the end of the page cuts.
    bad: usize,
}

impl<'a> Utf8<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        // Most pages are valid, and this check runs at the speed of memory. Well-formed characters
        // are counted only if there are malformed ones.
        let valid = UTF_8.decode_without_bom_handling_and_without_replacement(bytes);
        if let Some(Cow::Borrowed(text)) = valid {
            return Utf8 { valid: Some(text), good: 0, bad: 0 };
        }
        let (mut good, mut bad) = (0, 0);
        for chunk in bytes.utf8_chunks() {
            // Lead bytes of characters beyond ASCII.
            good += chunk.valid().bytes().filter(|b| *b >= 0xc0).count();
            bad += usize::from(!chunk.invalid().is_empty());
        }
        bad -= usize::from(without_cut_end(UTF_8, bytes).len() < bytes.len());
        Utf8 { valid: None, good, bad }
    }

    /// Returns true for valid UTF-8, also with a few malformed characters: a template in another
    /// encoding damages a few characters of many pages. If UTF-8 is declared, most characters
    /// beyond ASCII must be well-formed: text in another encoding has hardly any by chance.
    fn is_likely(&self, is_declared: bool) -> bool {
        self.bad * 20 <= self.good || is_declared && self.bad < self.good
    }
}

enum Zeros {
    None,
    Utf16(&'static Encoding),
    Utf32,
}

/// Markup is ASCII. So UTF-16 has zeros at every second byte, and UTF-32 at three of four. No other
/// encoding has zeros.
fn zero_bytes(bytes: &[u8]) -> Zeros {
    let head = &bytes[..bytes.len().min(ZERO_BYTES)];
    let zeros = |offset: usize| head.iter().skip(offset).step_by(2).filter(|b| **b == 0).count();
    let (even, odd, pairs) = (zeros(0), zeros(1), head.len() / 2);
    if pairs < 4 {
        return Zeros::None;
    }
    let is_utf32 = |of_bytes: fn([u8; 4]) -> u32| {
        let characters =
            head.chunks_exact(4).filter_map(|quad| of_bytes(quad.try_into().ok()?).try_into().ok());
        characters.filter(|c: &char| *c != '\0').count() * 4 >= pairs * 2 - 1
    };
    if even + odd >= pairs / 2 && (is_utf32(u32::from_le_bytes) || is_utf32(u32::from_be_bytes)) {
        return Zeros::Utf32;
    }
    // A short page of Han characters has only its few tags in ASCII, and a Han character may end in
    // a zero. But such a page begins with a tag. A single zero does not make a page UTF-16.
    let least = |tag: &[u8; 2]| {
        if head.starts_with(tag) {
            (pairs / 16).max(4)
        } else {
            (pairs / 4).max(2)
        }
    };
    let few = |n: usize, of: usize| n * 8 <= of;
    let well_formed = |encoding: &'static Encoding| {
        !encoding
            .decode_without_bom_handling(&head[..pairs * 2])
            .0
            .trim_end_matches('\u{fffd}')
            .contains('\u{fffd}')
    };
    match (even >= least(b"\0<"), odd >= least(b"<\0")) {
        (_, true) if few(even, odd) && well_formed(UTF_16LE) => Zeros::Utf16(UTF_16LE),
        (true, _) if few(odd, even) && well_formed(UTF_16BE) => Zeros::Utf16(UTF_16BE),
        _ => Zeros::None,
    }
}

/// The charset parameter of a Content-Type value.
fn charset_of_header(value: &str) -> Option<String> {
    charset_in(value.as_bytes())
}

/// The value after the first `charset=`, quoted or not.
fn charset_in(value: &[u8]) -> Option<String> {
    let lower = value.to_ascii_lowercase();
    let mut rest = &lower[..];
    loop {
        let at = rest.windows(7).position(|w| w == b"charset")?;
        rest = rest[at + 7..].trim_ascii_start();
        if let Some(after) = rest.strip_prefix(b"=") {
            let after = after.trim_ascii_start();
            let label = match after.first()? {
                quote @ (b'"' | b'\'') => after[1..].split(|b| b == quote).next()?,
                _ => after.split(|b| b.is_ascii_whitespace() || b";,\"'>/".contains(b)).next()?,
            };
            let label = String::from_utf8_lossy(label.trim_ascii()).into_owned();
            return (!label.is_empty()).then_some(label);
        }
    }
}

/// The charset in a meta tag (of either form) or an XML declaration at the beginning of a page.
fn charset_of_meta(bytes: &[u8]) -> Option<String> {
    let head = bytes[..bytes.len().min(META_BYTES)].to_ascii_lowercase();
    let mut rest = &head[..];
    if let Some(declaration) = rest.trim_ascii_start().strip_prefix(b"<?xml") {
        let end = declaration.iter().position(|b| *b == b'>').unwrap_or(declaration.len());
        let declaration = &declaration[..end];
        if let Some(at) = declaration.windows(8).position(|w| w == b"encoding") {
            let renamed = [b"charset", &declaration[at + 8..]].concat();
            return charset_in(&renamed);
        }
    }
    while let Some(at) = rest.iter().position(|b| *b == b'<') {
        rest = &rest[at..];
        if let Some(comment) = rest.strip_prefix(b"<!--") {
            let end = comment.windows(3).position(|w| w == b"-->")?;
            rest = &comment[end + 3..];
        } else if let Some(tag) = rest.strip_prefix(b"<meta") {
            let end = tag.iter().position(|b| *b == b'>').unwrap_or(tag.len());
            if let Some(label) = charset_in(&tag[..end]) {
                return Some(label);
            }
            rest = &tag[end..];
        } else {
            rest = &rest[1..];
        }
    }
    None
}

/// The encoding of a label, with the HTML standard's exception for meta tags: if the meta tag could
/// be read, the page is not in UTF-16.
fn charset_of(label: &str, source: CharsetSource) -> Option<Charset> {
    let Some(encoding) = Encoding::for_label_no_replacement(label.as_bytes()) else {
        return Charset::own(label);
    };
    Some(Charset::Standard(match source {
        CharsetSource::Meta if encoding == UTF_16LE || encoding == UTF_16BE => UTF_8,
        CharsetSource::Meta if encoding == X_USER_DEFINED => WINDOWS_1252,
        _ => encoding,
    }))
}

/// Returns true if a page of ASCII bytes has the shift sequences of an encoding that no browser
/// decodes.
fn shifts_in_ascii(label: &str, bytes: &[u8]) -> bool {
    let has = |what: &[u8]| bytes.windows(what.len()).any(|w| w == what);
    match label.to_ascii_lowercase().as_str() {
        "hz-gb-2312" => has(b"~{"),
        "utf-7" | "unicode-1-1-utf-7" => bytes
            .windows(3)
            .any(|w| w[0] == b'+' && w[1].is_ascii_alphanumeric() && w[2].is_ascii_alphanumeric()),
        other => {
            Encoding::for_label(other.as_bytes()) == Some(REPLACEMENT)
                && (has(b"\x1b") || has(b"\x0e"))
        }
    }
}

/// Returns true if the bytes can be in this encoding: at most one malformed sequence in 50
/// characters beyond ASCII.
fn is_well_formed(charset: Charset, bytes: &[u8]) -> bool {
    let encoding = match charset {
        Charset::Standard(encoding) if !encoding.is_single_byte() => encoding,
        _ => return true,
    };
    let head = &bytes[..bytes.len().min(GUESS_BYTES)];
    let text = encoding.decode_without_bom_handling(head).0;
    let (mut beyond, mut bad) = (0usize, 0usize);
    for c in text.chars() {
        beyond += usize::from(!c.is_ascii());
        bad += usize::from(c == '\u{fffd}');
    }
    bad <= 1 + beyond / 50
}

#[cfg(test)]
mod tests {
    use super::condensed;
    use proptest::prelude::*;

    #[test]
    fn of_long_runs_of_ascii_the_ends_are_left_but_for_those_with_escapes() {
        let run = [b'a'; 100];
        assert_eq!(condensed(&run), [b'a'; 32]);
        assert_eq!(condensed(&run[..32]), [b'a'; 32]);
        let with_escape = [&run[..], b"\x1b$B", &run].concat();
        assert_eq!(condensed(&with_escape), with_escape);
    }

    proptest! {
        #[test]
        fn what_is_beyond_ascii_keeps_its_order_and_its_neighbours(bytes in prop::collection::vec(prop_oneof![9 => Just(b'a'), 1 => any::<u8>()], 0..400)) {
            let beyond = |bytes: &[u8]| bytes.iter().filter(|byte| !byte.is_ascii()).copied().collect::<Vec<_>>();
            let kept = condensed(&bytes);
            prop_assert_eq!(beyond(&kept), beyond(&bytes));
            let next_to = |bytes: &[u8]| bytes.windows(2).filter(|two| !two[0].is_ascii() || !two[1].is_ascii()).map(<[u8]>::to_vec).collect::<Vec<_>>();
            prop_assert_eq!(next_to(&kept), next_to(&bytes));
        }
    }
}
