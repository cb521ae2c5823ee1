//! E-mail and IP addresses in text of all scripts.
//!
//! Names, telephone numbers and postal addresses are not found: text without these addresses may
//! still name persons.

use crate::digits::digit;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::Range;

/// Ends of names of files, none of which is a top-level domain: `name@2x.png` is a picture.
const FILES: [&str; 26] = [
    "png", "jpg", "jpeg", "gif", "webp", "svg", "avif", "bmp", "tif", "tiff", "heic", "ico", "pdf",
    "css", "js", "mjs", "json", "xml", "htm", "html", "php", "asp", "aspx", "mp3", "mp4", "woff",
];

/// Longest local part of an e-mail address and longest host name, in bytes (RFC 5321; letters
/// beyond ASCII count more).
const MAX_PART: usize = 256;

/// The kinds of personal data that are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Personal {
    /// An e-mail address.
    Email,
    /// A public IP address of version 4 or 6.
    Ip,
}

impl Personal {
    /// All kinds.
    pub const ALL: [Personal; 2] = [Personal::Email, Personal::Ip];

    /// The name in options and records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Ip => "ip",
        }
    }

    /// The text that replaces it: an address of a domain or network that is reserved for
    /// documentation (RFC 2606, RFC 5737).
    pub fn stand_in(self) -> &'static str {
        match self {
            Self::Email => "email@example.com",
            Self::Ip => "192.0.2.1",
        }
    }
}

/// Words before four numbers with dots that are no address, at the end of the text before them.
const NUMBERED: [&str; 18] = [
    "version",
    "ver",
    "ver.",
    "v",
    "v.",
    "release",
    "build",
    "firmware",
    "section",
    "§",
    "chapter",
    "версия",
    "версии",
    "نسخه",
    "ورژن",
    "الإصدار",
    "संस्करण",
    "版本",
];

/// Characters before an address in which such a word is looked for.
const MAX_WORD: usize = 16;

/// A place in a text, and what is there.
pub type Found = (Range<usize>, Personal);

/// Returns the places of personal data in a text, in bytes, in order and without overlaps.
pub fn personal(text: &str, kinds: &[Personal]) -> Vec<Found> {
    let mut found = Vec::new();
    if kinds.contains(&Personal::Email) {
        emails(text, &mut found);
    }
    if kinds.contains(&Personal::Ip) {
        addresses_4(text, &mut found);
        addresses_6(text, &mut found);
    }
    found.sort_by_key(|(place, _)| (place.start, usize::MAX - place.end));
    let mut end = 0;
    found.retain(|(place, _)| {
        let is_free = place.start >= end;
        end = end.max(place.end);
        is_free
    });
    found
}

/// Replaces personal data by placeholders. Returns the new text, and the places of the placeholders
/// in it in code points.
pub fn masked(text: &str, kinds: &[Personal]) -> Option<(String, Vec<Found>)> {
    let found = personal(text, kinds);
    if found.is_empty() {
        return None;
    }
    let (mut masked, mut places, mut written, mut points) =
        (String::with_capacity(text.len()), Vec::new(), 0, 0);
    for (place, kind) in found {
        let between = &text[written..place.start];
        masked.push_str(between);
        points += between.chars().count();
        let length = kind.stand_in().len();
        masked.push_str(kind.stand_in());
        places.push((points..points + length, kind));
        points += length;
        written = place.end;
    }
    masked.push_str(&text[written..]);
    Some((masked, places))
}

/// The script of a character of an address: a local part or a label is in one of these. Text
/// without spaces between words (Chinese, Thai) may touch an address in Latin letters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Latin,
    Other,
}

fn class(c: char) -> Option<Class> {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '\u{c0}'..='\u{24f}' => Some(Class::Latin),
        c if c.is_alphanumeric() => Some(Class::Other),
        // Vowel signs and viramas of the scripts of India, which are no letters.
        '\u{300}'..='\u{36f}' | '\u{900}'..='\u{e4f}' | '\u{200c}' | '\u{200d}' => {
            Some(Class::Other)
        }
        _ => None,
    }
}

fn is_in_local(c: char) -> bool {
    "._%+-!#$&'*/=?^`{|}~".contains(c)
}

fn emails(text: &str, found: &mut Vec<Found>) {
    // The local part of an address begins after the address before it.
    let mut free = 0;
    for (at, sign) in text.match_indices(['@', '\u{ff20}']) {
        let Some(start) = text.get(free..at).and_then(local_start) else { continue };
        let behind = at + sign.len();
        let Some(length) = host_length(&text[behind..]) else { continue };
        found.push((free + start..behind + length, Personal::Email));
        free = behind + length;
    }
}

/// Returns the position at which the local part at the end of a text begins.
fn local_start(before: &str) -> Option<usize> {
    let of = class(before.chars().next_back()?)?;
    let mut start = before.len();
    for (at, c) in before.char_indices().rev() {
        let fits = class(c).map_or_else(
            || is_in_local(c),
            |class| class == of || class == Class::Latin && c.is_ascii_digit(),
        );
        if !fits || before.len() - at > MAX_PART {
            break;
        }
        start = at;
    }
    // Dots in a row are before the address: Email...a@b.pk.
    start += before[start..].rfind("..").map_or(0, |dots| dots + 2);
    let local = &before[start..];
    // Signs at the beginning are around the address: (a@b.pk), "a@b.pk", mailto:a@b.pk.
    let begins = local.find(|c: char| class(c).is_some())?;
    Some(start + begins)
}

/// Length of the host name at the beginning of a text: labels with dots between them, the last one
/// of letters.
fn host_length(behind: &str) -> Option<usize> {
    let of = class(behind.chars().next()?)?;
    let mut end = 0;
    for (at, c) in behind.char_indices() {
        let fits = match class(c) {
            Some(class) => class == of || class == Class::Latin && c.is_ascii_digit(),
            None => matches!(c, '.' | '-' | '\u{3002}'),
        };
        if !fits || at > MAX_PART {
            break;
        }
        end = at + c.len_utf8();
    }
    let host = behind[..end].trim_end_matches(['.', '-', '\u{3002}']);
    let labels: Vec<&str> = host.split(['.', '\u{3002}']).collect();
    let last = labels.last()?;
    let is_file = FILES.iter().any(|end| last.eq_ignore_ascii_case(end));
    let is_top = !is_file
        && last.chars().filter(|c| !c.is_numeric()).count() >= 2
        && !last.starts_with(|c: char| c.is_ascii_digit());
    (labels.len() >= 2
        && is_top
        && labels.iter().all(|label| !label.is_empty() && !label.starts_with('-')))
    .then_some(host.len())
}

fn addresses_4(text: &str, found: &mut Vec<Found>) {
    let mut at = 0;
    // Every address has three dots; without one, nothing is searched.
    while let Some(dot) = text[at..].find('.').map(|dot| at + dot) {
        at = dot + 1;
        let start = text[..dot]
            .char_indices()
            .rev()
            .take_while(|(_, c)| digit(*c).is_some())
            .last()
            .map(|(start, _)| start);
        let Some(start) = start else { continue };
        let Some((address, end)) = address_4(&text[start..]) else { continue };
        let before = &text[..start];
        let is_apart =
            !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_'));
        let behind = &text[start + end..];
        let is_longer = behind.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '-')
            || behind
                .strip_prefix('.')
                .is_some_and(|rest| rest.starts_with(|c: char| digit(c).is_some()));
        // Only the end, so that the cost does not depend on the text before.
        let near =
            before.char_indices().rev().nth(MAX_WORD).map_or(before, |(at, _)| &before[at..]);
        let word = near
            .trim_end_matches([' ', ':', '\u{a0}'])
            .rsplit(|c: char| c.is_whitespace() || c == '(')
            .next()
            .unwrap_or_default();
        let is_numbered = NUMBERED.contains(&word.to_lowercase().as_str());
        if is_apart && !is_longer && !is_numbered && is_public_4(address) {
            found.push((start..start + end, Personal::Ip));
            at = start + end;
        }
    }
}

/// The address at the beginning of a text, and its length.
fn address_4(text: &str) -> Option<(Ipv4Addr, usize)> {
    let mut octets = [0u8; 4];
    let mut chars = text.char_indices().peekable();
    let mut end = 0;
    for (number, octet) in octets.iter_mut().enumerate() {
        if number > 0 {
            chars.next_if(|(_, c)| *c == '.')?;
        }
        let (mut value, mut length) = (0u32, 0);
        while let Some((at, c, one)) = chars.peek().and_then(|(at, c)| Some((*at, *c, digit(*c)?)))
        {
            value = value * 10 + u32::from(one);
            length += 1;
            end = at + c.len_utf8();
            chars.next();
            if length > 3 {
                return None;
            }
        }
        *octet = if length == 0 { return None } else { u8::try_from(value).ok()? };
    }
    Some((Ipv4Addr::from(octets), end))
}

/// Whether an address may be that of a person's connection. Those of four single digits are numbers
/// of sections, or public name servers.
fn is_public_4(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    let is_shared = first == 100 && (64..128).contains(&second);
    let is_numbering = address.octets().iter().all(|octet| *octet < 10);
    !(address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || first == 0
        || first >= 224
        || is_shared
        || is_numbering)
}

fn addresses_6(text: &str, found: &mut Vec<Found>) {
    let is_part = |c: char| c.is_ascii_hexdigit() || c == ':';
    let mut at = 0;
    while let Some(colon) = text[at..].find(':').map(|colon| at + colon) {
        let start = text[..colon]
            .char_indices()
            .rev()
            .take_while(|(_, c)| is_part(*c))
            .last()
            .map_or(colon, |(start, _)| start);
        let length = text[start..].find(|c: char| !is_part(c)).unwrap_or(text.len() - start);
        at = start + length;
        let before = text[..start].chars().next_back();
        let behind = text[at..].chars().next();
        let is_apart =
            ![before, behind].into_iter().flatten().any(|c| c.is_alphanumeric() || c == '_');
        let candidate = text[start..at].trim_end_matches(':');
        let candidate = if text[start..at].ends_with("::") { &text[start..at] } else { candidate };
        let groups = candidate.split(':').filter(|group| !group.is_empty()).count();
        if !is_apart || groups < 3 || candidate.len() > 39 {
            continue;
        }
        if let Ok(address) = candidate.parse::<Ipv6Addr>() {
            let first = address.segments()[0];
            let is_documentation = first == 0x2001 && address.segments()[1] == 0xdb8;
            // Global unicast is 2000::/3.
            if first & 0xe000 == 0x2000 && !is_documentation {
                found.push((start..start + candidate.len(), Personal::Ip));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(text: &str) -> Vec<&str> {
        personal(text, &Personal::ALL).into_iter().map(|(place, _)| &text[place]).collect()
    }

    #[test]
    fn addresses_are_found_in_text_of_all_scripts() {
        for (text, expected) in [
            ("Write to ali.khan+news@mail.example.pk.", vec!["ali.khan+news@mail.example.pk"]),
            (
                "<a_b@c-d.co.uk>, (x@y.org); mailto:z@z.net",
                vec!["a_b@c-d.co.uk", "x@y.org", "z@z.net"],
            ),
            ("رابطہ: علی@مثال.پاکستان۔", vec!["علی@مثال.پاکستان"]),
            ("联系邮箱abc@x.com谢谢", vec!["abc@x.com"]),
            ("सम्पर्क: संपर्क@डाटामेल.भारत ।", vec!["संपर्क@डाटामेल.भारत"]),
            ("jürgen@bücher.example", vec!["jürgen@bücher.example"]),
            ("from 203.0.114.7 and ۲۰۳.۰.۱۱۴.۹", vec!["203.0.114.7", "۲۰۳.۰.۱۱۴.۹"]),
            ("at 41.190.88.12.", vec!["41.190.88.12"]),
            ("Email...jane@example.com", vec!["jane@example.com"]),
            (
                "jane@example.com/bob@example.com;x@y.org",
                vec!["jane@example.com", "bob@example.com", "x@y.org"],
            ),
            ("host 2a02:8108:8ac0::1f, ok", vec!["2a02:8108:8ac0::1f"]),
            ("2001:4860:4860:0:0:0:0:8888", vec!["2001:4860:4860:0:0:0:0:8888"]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_address_of_a_person_stays() {
        for text in [
            "@handle and a@b and a@b.c and x @ y.pk",
            "logo@2x.png and picture@big.photo.JPG",
            "1.2.3.4 is a section",
            "version 10.22.33.44, v11.22.33.44, نسخه ۱۱.۲۲.۳۳.۴۴",
            "192.168.1.10 10.0.0.12 127.0.0.1 169.254.10.20 198.51.100.7",
            "300.20.30.40 41.190.88 41.190.88.12.5 1234.5.6.78",
            "12:30:45 and std::vector::begin and fe80::1:2:3 and 2001:db8:1::2",
            "12.03.2024. 10.20",
            "",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn places_are_those_of_the_stand_ins_in_code_points() {
        let (text, places) = masked("شہر: a@b.pk, 41.190.88.12!", &Personal::ALL).expect("found");
        assert_eq!(text, "شہر: email@example.com, 192.0.2.1!");
        let points: Vec<char> = text.chars().collect();
        let shown: Vec<String> =
            places.iter().map(|(place, _)| points[place.clone()].iter().collect()).collect();
        assert_eq!(shown, ["email@example.com", "192.0.2.1"]);
        assert_eq!(masked("nothing", &Personal::ALL), None);
        assert_eq!(
            masked("a@b.pk 41.190.88.12", &[Personal::Ip]).expect("found").0,
            "a@b.pk 192.0.2.1"
        );
    }

    #[test]
    fn hostile_texts_take_linear_time() {
        let begin = std::time::Instant::now();
        for text in ["@", "a@", "1.", "1.1.1.1.", ":", "a:", "a.", "१"] {
            personal(&text.repeat(1 << 16), &Personal::ALL);
        }
        assert!(begin.elapsed().as_secs() < 30, "{:?}", begin.elapsed());
    }

    proptest! {
        #[test]
        fn a_masked_text_has_nothing_more_to_mask(text in "([a-z0-9.@:_ -]|[ا-ي۰-۹]|\\PC){0,40}") {
            if let Some((once, _)) = masked(&text, &Personal::ALL) {
                let again = personal(&once, &[Personal::Ip]);
                prop_assert!(again.iter().all(|(place, _)| &once[place.clone()] != "192.0.2.1"));
            }
        }
    }
}
