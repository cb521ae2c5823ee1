//! The tags of the frame have the same names and numbers in Rust and in Java, and all are in the
//! table of docs/architecture.md.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;
use std::path::Path;

/// The constants of a file, as `NAME = number;` behind a prefix and a type.
fn constants(path: &str, prefix: &str) -> BTreeMap<String, u16> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let source = std::fs::read_to_string(root.join(path)).expect(path);
    let of_line = |line: &str| {
        let (name, number) = line.trim().strip_prefix(prefix)?.split_once(" = ")?;
        let name = name.split(':').next()?.to_owned();
        Some((name, number.strip_suffix(';')?.parse().ok()?))
    };
    source.lines().filter_map(of_line).collect()
}

#[test]
fn java_and_the_documentation_have_the_tags_of_rust() {
    let rust = constants("rust/engine/src/frame.rs", "pub const ");
    assert!(rust.len() > 60, "{rust:?}");
    let java = constants(
        "java/engine/src/main/java/org/corpulyzer/engine/Frame.java",
        "static final int ",
    );
    for (name, number) in &java {
        assert_eq!(rust.get(name), Some(number), "{name} of Frame.java");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/architecture.md")).unwrap();
    for (name, number) in rust.iter().filter(|(name, _)| *name != "VERSION") {
        assert!(
            page.contains(&format!("\n| {number} | ")),
            "{name} = {number} is not in the table"
        );
    }
}
