//! Text for several scripts or countries.

/// Longest text with several variants, in bytes.
const VARIANTS_BYTES: usize = 1000;

/// Replaces text for several scripts or countries, `-{zh-hans:州; zh-hant:邦}-`, by the first
/// variant; text that is marked as the same for all, `-{NATO}-`, stays.
pub fn without_variants(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(begin) = text[at..].find("-{").map(|found| at + found) {
        out.push_str(&text[at..begin]);
        at = begin + 2;
        let ahead = &text.as_bytes()[at..text.len().min(at + VARIANTS_BYTES)];
        let end = ahead
            .windows(2)
            .take_while(|pair| !matches!(pair[0], b'\n' | b'{'))
            .position(|pair| pair == b"}-");
        let Some(content) = end.map(|end| &text[at..at + end]) else {
            out.push_str("-{");
            continue;
        };
        at += content.len() + 2;
        let is_code = |code: &str| {
            code.bytes()
                .all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b';' | b' '))
        };
        let (flags, content) =
            content.split_once('|').filter(|(flags, _)| is_code(flags)).unwrap_or(("", content));
        // Rules for other places, and for the title, produce no text.
        if flags.contains(['H', 'T', '-']) {
            continue;
        }
        match content.split_once(':').filter(|(code, _)| !code.is_empty() && is_code(code)) {
            Some((_, variants)) => {
                out.push_str(variants.split(';').next().unwrap_or_default().trim())
            }
            None => out.push_str(content),
        }
    }
    out.push_str(&text[at..]);
    out
}
