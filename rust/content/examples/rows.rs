//! Prints which rows of a table of HTML and expected text are right: `rows FILE EXTRACTOR FORM`.
//! Columns: topic, HTML, expected; `\\n`, `\\t` and `\\uXXXX` are escapes. Empty lines do not count in text.
#![allow(clippy::unwrap_used)]

use content::{content_of_text, ContentOptions, Form};

fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, chars.clone().next()) {
            ('\\', Some('n')) => out.push('\n'),
            ('\\', Some('t')) => out.push('\t'),
            ('\\', Some('\\')) => out.push('\\'),
            ('\\', Some('u')) => {
                let hex: String = chars.clone().skip(1).take(4).collect();
                out.push(char::from_u32(u32::from_str_radix(&hex, 16).unwrap()).unwrap());
                chars.nth(3);
            }
            _ => {
                out.push(c);
                continue;
            }
        }
        chars.next();
    }
    out
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let table = std::fs::read_to_string(&args[0]).unwrap();
    let form = if args[2] == "markdown" { Form::Markdown } else { Form::Text };
    let options = ContentOptions {
        url: Some("https://example.com/a/page.html"),
        ..ContentOptions::new(args[1].parse().unwrap(), form)
    };
    let (mut right, mut all) = (0, 0);
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let expected = unescape(cells[2]);
        let expected = if form == Form::Text {
            let lines = expected.lines().filter(|line| !line.trim().is_empty());
            lines.collect::<Vec<_>>().join("\n")
        } else {
            expected
        };
        let found = content_of_text(&unescape(cells[1]), &options).text;
        all += 1;
        if found == expected {
            right += 1;
        } else {
            println!(
                "{}\n  html     {:?}\n  expected {expected:?}\n  found    {found:?}",
                cells[0], cells[1]
            );
        }
    }
    println!("{right} of {all} are right");
}
