//! Makes the constants of `frame::tag` from the table in `FRAME.md`.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=FRAME.md");
    println!("cargo::rerun-if-changed=build.rs");
    let (mut code, mut last) = (String::new(), 0);
    for row in fs::read_to_string("FRAME.md")?.lines().filter_map(|line| line.strip_prefix("| ")) {
        let cells: Vec<&str> = row.trim_end_matches(" |").split(" | ").collect();
        let [tag, name, contents, kind, place] = cells[..] else {
            return Err(format!("FRAME.md: `{row}` has {} cells, not 5", cells.len()).into());
        };
        if tag == "tag" {
            continue;
        }
        let number: u16 = tag.parse().map_err(|error| format!("FRAME.md: `{tag}`: {error}"))?;
        if number <= last {
            return Err(format!("FRAME.md: {number} comes after {last}").into());
        }
        last = number;
        let doc = format!("{contents}; {kind}. In: {place}.");
        writeln!(code, "#[doc = {doc:?}]\npub const {}: u16 = {number};", name.trim_matches('`'))?;
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join("tags.rs"), code)?;
    Ok(())
}
