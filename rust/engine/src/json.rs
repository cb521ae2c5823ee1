//! JSON with the escapes that the records of a corpus have, whichever program writes them.

use serde_json::Value;
use std::fmt::Write as _;

/// Appends a value.
pub fn write(line: &mut String, value: &Value) {
    match value {
        Value::String(text) => quote(line, text),
        Value::Array(items) => {
            line.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    line.push(',');
                }
                write(line, item);
            }
            line.push(']');
        }
        Value::Object(fields) => {
            line.push('{');
            for (at, (field, item)) in fields.iter().enumerate() {
                if at > 0 {
                    line.push(',');
                }
                quote(line, field);
                line.push(':');
                write(line, item);
            }
            line.push('}');
        }
        other => {
            // Writing to a string cannot fail.
            let _ = write!(line, "{other}");
        }
    }
}

/// Appends a text in quotes. Escapes what JSON requires (RFC 8259, section 7), and characters
/// beyond the Basic Multilingual Plane as pairs of surrogates.
pub fn quote(line: &mut String, text: &str) {
    line.push('"');
    let mut written = 0;
    for (at, c) in text.char_indices() {
        if c >= ' ' && c != '"' && c != '\\' && c <= '\u{ffff}' {
            continue;
        }
        line.push_str(&text[written..at]);
        written = at + c.len_utf8();
        escape(line, c);
    }
    line.push_str(&text[written..]);
    line.push('"');
}

fn escape(line: &mut String, c: char) {
    let known = match c {
        '\u{8}' => "\\b",
        '\t' => "\\t",
        '\n' => "\\n",
        '\u{c}' => "\\f",
        '\r' => "\\r",
        '"' => "\\\"",
        '\\' => "\\\\",
        _ => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(line, "\\u{unit:04X}");
            }
            return;
        }
    };
    line.push_str(known);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_written_with_the_escapes_of_records() {
        let mut line = String::new();
        write(&mut line, &json!([{"a\n": "\u{1f600}\u{1}\u{6cc}"}, {}, [1, true, null]]));
        assert_eq!(
            line,
            concat!(r#"[{"a\n":"\uD83D\uDE00\u0001"#, "\u{6cc}", r#""},{},[1,true,null]]"#)
        );
        assert!(serde_json::from_str::<Value>(&line).is_ok());
    }
}
