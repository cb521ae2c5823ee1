//! Any bytes under any label are text, or an encoding that nobody decodes. `bin/corpulyzer fuzz
//! decode`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use content::{decode, CharsetSource, Hints};

const LABELS: [&str; 16] = [
    "utf-8",
    "iso-8859-1",
    "windows-1256",
    "iso-8859-6",
    "windows-1251",
    "koi8-r",
    "windows-1250",
    "gb18030",
    "big5",
    "shift_jis",
    "euc-jp",
    "euc-kr",
    "iso-2022-jp",
    "utf-16",
    "utf-7",
    "macintosh",
];

const URLS: [&str; 8] = [
    "http://example.pk/",
    "https://user@www.example.ru:8080/x?y#z",
    "//example.xn--p1ai",
    "http://[::1]/",
    "example",
    "http://example.jp.",
    "http://\u{645}\u{62b}\u{627}\u{644}.\u{625}/",
    "",
];

// The first byte chooses a label, or the bytes' own first line is the header; the second byte the
// address.
fuzz_target!(|input: &[u8]| {
    let [label, url, bytes @ ..] = input else { return };
    let header = match label {
        0..=15 => Some(format!("text/html; charset={}", LABELS[usize::from(*label)])),
        16..=31 => {
            Some(String::from_utf8_lossy(bytes.split(|b| *b == b'\n').next().unwrap_or_default()).into_owned())
        }
        _ => None,
    };
    let url = (*url < 128).then(|| URLS[usize::from(*url) % URLS.len()]);
    let Ok(decoded) = decode(bytes, &Hints { content_type: header.as_deref(), url }) else { return };
    assert!(!decoded.charset.is_empty());
    // Each byte makes a character of at most three bytes in UTF-8, and so does what is malformed.
    assert!(decoded.text.len() <= bytes.len() * 3);
    if let Ok(text) = std::str::from_utf8(bytes) {
        // Zeros make UTF-16, and these three shift in ISO-2022-JP.
        if !text.contains(['\0', '\x0e', '\x0f', '\x1b']) && decoded.source != CharsetSource::Bom {
            assert_eq!(decoded.text, text, "valid UTF-8 stays as it is");
        }
    }
});
