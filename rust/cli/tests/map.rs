//! The map of the Rust components in docs/architecture.md.

use crate::common::root;
use std::collections::BTreeSet;
use std::fs;

/// The names in the section `[dependencies]` of a component's manifest.
fn dependencies(component: &str) -> BTreeSet<String> {
    let path = root().join("rust").join(component).join("Cargo.toml");
    let manifest = fs::read_to_string(path).unwrap();
    let section = manifest.split("\n[").find_map(|it| it.strip_prefix("dependencies]\n"));
    let names = section.unwrap_or_default().lines().filter_map(|it| it.split(['.', ' ']).next());
    names.map(|name| name.replace('_', "-")).collect()
}

/// The components of the map in its order, each with its last column.
fn map() -> Vec<(String, String)> {
    let page = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let map = page.split_once("\n### Rust\n").unwrap().1.split_once("\n### ").unwrap().0;
    let rows = map.lines().filter_map(|line| line.strip_prefix("| `rust/")?.split_once("` |"));
    rows.map(|(component, row)| {
        let imports = row.trim_end_matches('|').rsplit_once('|').unwrap().1;
        (component.to_owned(), imports.trim().replace('_', "-"))
    })
    .collect()
}

#[test]
fn every_component_imports_what_the_map_says_and_stands_below_it() {
    let map = map();
    let folders = fs::read_dir(root().join("rust")).unwrap();
    let folders = folders.map(|it| it.unwrap().file_name().into_string().unwrap());
    let components: BTreeSet<String> = map.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(components, folders.collect(), "components of the map, and folders of rust/");
    let mut above = BTreeSet::new();
    for (component, imports) in map {
        let words = |text: &str| -> BTreeSet<String> {
            text.split(", ").flat_map(|it| it.split(" and ")).map(str::to_owned).collect()
        };
        let mapped = match imports.strip_prefix("every component above, except ") {
            Some(except) => &above - &words(except),
            None => &words(&imports) & &components,
        };
        let imported = &dependencies(&component) & &components;
        assert_eq!(mapped, imported, "imports of rust/{component}: of the map, of Cargo.toml");
        let below = &imported - &above;
        assert!(below.is_empty(), "rust/{component} imports {below:?}, which the map has below it");
        above.insert(component);
    }
}
