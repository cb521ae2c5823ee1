//! URLs.

use super::{HOLE, NAME, OPEN};

/// Removes URLs; those in brackets are replaced by their text.
pub fn without_addresses(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    // End of the current line or bracket.
    let mut end = 0;
    let mut at = 0;
    while at < bytes.len() {
        let next = bytes[at..]
            .iter()
            .position(|byte| matches!(byte, b'[' | b':'))
            .map_or(bytes.len(), |next| at + next);
        out.push_str(&text[at..next]);
        at = next;
        let Some(&byte) = bytes.get(at) else { break };
        let rest = &text[at..];
        if byte == b'[' && is_address(&rest[1..]) {
            if end <= at {
                end = bytes[at..]
                    .iter()
                    .position(|byte| matches!(byte, b']' | b'\n'))
                    .map_or(bytes.len(), |end| at + end);
            }
            let address = address_bytes(&rest[1..]).min(end - at - 1);
            at += 1 + address;
            let shown = text[at..end].trim();
            if shown.is_empty() {
                out.push(HOLE);
            } else {
                out.push_str(shown);
            }
            at = if bytes.get(end) == Some(&b']') { end + 1 } else { end };
        } else if rest.starts_with("://") {
            let before = out.len() - scheme(&out);
            if before < out.len() {
                out.truncate(before);
                out.push(HOLE);
                at += address_bytes(rest);
            } else {
                out.push(':');
                at += 1;
            }
        } else {
            out.push(char::from(byte));
            at += 1;
        }
    }
    out
}

/// Returns whether a URL begins here.
fn is_address(text: &str) -> bool {
    let known = [
        "http:", "https:", "ftp:", "//", "mailto:", "irc:", "ircs:", "news:", "gopher:", "tel:",
        "sip:", "git:",
    ];
    known.iter().any(|scheme| {
        text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    })
}

/// Returns the length of a known scheme at the end of a text, in bytes; 0 if there is none.
fn scheme(text: &str) -> usize {
    let known = ["https", "http", "ftps", "ftp", "irc", "ircs", "gopher", "git", "svn"];
    let ends = |scheme: &&&str| {
        let begin = text.len().checked_sub(scheme.len());
        begin
            .and_then(|begin| text.get(begin..))
            .is_some_and(|end| end.eq_ignore_ascii_case(scheme))
    };
    known.iter().find(ends).map_or(0, |scheme| scheme.len())
}

/// Returns the length of a URL, in bytes.
fn address_bytes(text: &str) -> usize {
    let ends = |c: char| {
        c.is_whitespace()
            || matches!(c, '[' | ']' | '<' | '>' | '"' | '|' | NAME..=OPEN | '。' | '、' | '，')
    };
    text.find(ends).unwrap_or(text.len())
}
