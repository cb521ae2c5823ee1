//! Templates, parser functions and parameters: everything in braces.

use super::{run, HOLE, MAX_OPEN, OPEN};

/// Longest template that may produce text, in bytes.
const SHOWN_BYTES: usize = 100;

/// Braces that are open.
struct Beginning {
    braces: usize,
    /// Its position in the output.
    at: usize,
}

/// Removes everything in braces: templates, parser functions, parameters. Braces match as in
/// MediaWiki's preprocessor: an end closes up to three of the last opening braces.
pub fn without_templates(text: &str, title: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut open: Vec<Beginning> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let next = bytes[at..]
            .iter()
            .position(|byte| matches!(byte, b'{' | b'}'))
            .map_or(bytes.len(), |next| at + next);
        out.push_str(&text[at..next]);
        at = next;
        let Some(&brace) = bytes.get(at) else { break };
        let mut braces = run(&bytes[at..], brace);
        at += braces;
        if braces == 1 {
            out.push(char::from(brace));
        } else if brace == b'{' {
            // The brace of a table, as in `{{{!` and `{{{|`, is also counted: it cannot be
            // distinguished.
            if open.len() < MAX_OPEN {
                open.push(Beginning { braces, at: out.len() });
            }
        } else {
            while braces >= 2 {
                let Some(last) = open.last_mut() else { break };
                let taken = last.braces.min(braces).min(3);
                if taken >= 2 {
                    last.braces -= taken;
                    braces -= taken;
                    let shown =
                        shown(&out[last.at..], title).filter(|_| taken == 2).map(str::to_owned);
                    out.truncate(last.at);
                    match shown {
                        Some(shown) => out.push_str(&shown),
                        None => out.push(HOLE),
                    }
                }
                if last.braces < 2 {
                    open.pop();
                }
            }
        }
    }
    if open.is_empty() {
        return out;
    }
    marked(&out, open)
}

/// Returns the output with a mark where braces are still open.
fn marked(out: &str, open: Vec<Beginning>) -> String {
    let mut marked = String::with_capacity(out.len() + open.len() * OPEN.len_utf8());
    let mut from = 0;
    for beginning in open {
        marked.push_str(&out[from..beginning.at]);
        marked.push(OPEN);
        from = beginning.at;
    }
    marked.push_str(&out[from..]);
    marked
}

/// Returns the text of templates that are the same in every wiki.
fn shown<'t>(template: &'t str, title: &'t str) -> Option<&'t str> {
    // Longer nested templates would be scanned repeatedly.
    let template = Some(template).filter(|template| template.len() <= SHOWN_BYTES)?.trim();
    match template.split_once(':') {
        None if matches!(template, "PAGENAME" | "FULLPAGENAME") => Some(title),
        // An apostrophe next to those of italic text.
        None if template == "'" => Some("&#39;"),
        Some((function, number)) if function.eq_ignore_ascii_case("formatnum") => {
            number.split('|').next()
        }
        _ => None,
    }
}
