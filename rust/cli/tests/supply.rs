//! Tests of the licences: deny.toml allows the licences of everything that is linked, and NOTICE
//! names all of it.

use crate::common::root;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

/// What Cargo resolved, without asking the network.
fn metadata() -> Value {
    let arguments = ["metadata", "--format-version", "1", "--locked", "--offline"];
    // The platforms that are packed.
    let platforms =
        ["x86_64", "aarch64"].map(|arch| format!("--filter-platform={arch}-unknown-linux-gnu"));
    let answer = Command::new(env!("CARGO"))
        .args(arguments)
        .args(platforms)
        .current_dir(root())
        .output()
        .unwrap();
    assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    serde_json::from_slice(&answer.stdout).unwrap()
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// The crates of others that are linked into what is built of one of ours.
fn linked<'v>(metadata: &'v Value, from: &str) -> Vec<&'v Value> {
    let packages: BTreeMap<&str, &Value> =
        list(metadata, "packages").iter().map(|it| (text(it, "id"), it)).collect();
    let nodes: BTreeMap<&str, &Value> =
        list(&metadata["resolve"], "nodes").iter().map(|it| (text(it, "id"), it)).collect();
    let start =
        packages.values().find(|it| text(it, "name") == from && it["source"].is_null()).unwrap();
    let (mut waiting, mut found) = (vec![text(start, "id")], BTreeSet::new());
    while let Some(id) = waiting.pop() {
        let runs_in_compiler = list(packages[id], "targets")
            .iter()
            .any(|it| list(it, "kind").contains(&Value::from("proc-macro")));
        if runs_in_compiler || !found.insert(id) {
            continue;
        }
        let is_linked =
            |it: &&Value| list(it, "dep_kinds").iter().any(|kind| kind["kind"].is_null());
        waiting.extend(list(nodes[id], "deps").iter().filter(is_linked).map(|it| text(it, "pkg")));
    }
    found.into_iter().map(|id| packages[id]).filter(|it| !it["source"].is_null()).collect()
}

/// The strings of a list in deny.toml.
fn denys(key: &str) -> BTreeSet<String> {
    let file = read("deny.toml");
    let start = file.find(&format!("\n{key} = [")).unwrap() + key.len() + 5;
    let end = start + file[start..].find(']').unwrap();
    let lines = file[start..end].lines().filter(|line| !line.trim_start().starts_with('#'));
    let strings = lines
        .flat_map(|line| line.split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>());
    strings.collect()
}

/// Whether an SPDX expression can be met with the allowed licences. OR binds loosest; a bracket
/// holds an OR.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let expression = expression.replace(" / ", " OR ").replace('/', " OR ");
    let (mut depth, mut parts, mut from) = (0, Vec::new(), 0);
    let mut operators = BTreeSet::new();
    for (at, _) in expression.char_indices() {
        match &expression[at..] {
            rest if rest.starts_with('(') => depth += 1,
            rest if rest.starts_with(')') => depth -= 1,
            rest if depth == 0 && (rest.starts_with(" OR ") || rest.starts_with(" AND ")) => {
                let operator = if rest.starts_with(" OR ") { " OR " } else { " AND " };
                parts.push(&expression[from..at]);
                operators.insert(operator);
                from = at + operator.len();
            }
            _ => {}
        }
    }
    parts.push(&expression[from..]);
    let met = |part: &&str| match part.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => is_allowed(inner, allowed),
        None => allowed.contains(*part),
    };
    assert!(operators.len() < 2, "{expression} has AND and OR without brackets: read it by hand");
    if operators.contains(" OR ") {
        parts.iter().any(met)
    } else {
        parts.iter().all(met)
    }
}

#[test]
fn an_expression_needs_all_of_and_and_one_of_or() {
    let allowed = BTreeSet::from(["MIT".to_owned(), "Apache-2.0 WITH LLVM-exception".to_owned()]);
    for (expression, expected) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("MIT/GPL-3.0", true),
        ("GPL-3.0 OR MIT", true),
        ("GPL-3.0 AND MIT", false),
        ("(GPL-3.0 OR MIT) AND MIT", true),
        ("(GPL-3.0 OR AGPL-3.0) AND MIT", false),
        ("Apache-2.0 WITH LLVM-exception OR Apache-2.0", true),
        ("", false),
    ] {
        assert_eq!(is_allowed(expression, &allowed), expected, "{expression}");
    }
}

#[test]
fn every_crate_is_under_an_allowed_licence_and_from_crates_io() {
    let (metadata, allowed, registries) = (metadata(), denys("allow"), denys("allow-registry"));
    assert!(allowed.contains("Apache-2.0") && registries.len() == 1, "{allowed:?} {registries:?}");
    let foreign: Vec<&Value> =
        list(&metadata, "packages").iter().filter(|it| !it["source"].is_null()).collect();
    assert!(foreign.len() > 100, "{}", foreign.len());
    // Crates that are linked into tests only may have other licences, but each must have one.
    let linked: BTreeSet<&str> = ["bridge", "cli", "python"]
        .iter()
        .flat_map(|component| linked(&metadata, component))
        .map(|it| text(it, "id"))
        .collect();
    for crate_ in foreign {
        let (name, licence) = (text(crate_, "name"), text(crate_, "license"));
        assert!(!licence.is_empty(), "{name} names no licence");
        if linked.contains(text(crate_, "id")) {
            assert!(
                is_allowed(licence, &allowed),
                "deny.toml does not allow the licence of {name}: {licence}"
            );
        }
        let source = text(crate_, "source").trim_start_matches("registry+");
        assert!(registries.contains(source), "{name} is from {source}");
    }
}

#[test]
fn the_notice_names_every_crate_that_is_linked_with_its_licence() {
    let (metadata, notice) = (metadata(), read("NOTICE"));
    let rows: BTreeMap<(&str, &str), Vec<&str>> = notice
        .lines()
        .filter_map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            (words.len() > 2).then(|| ((words[0], words[1]), words[2..].to_vec()))
        })
        .collect();
    let mut named = 0;
    for (component, place) in
        [("bridge", "library"), ("cli", "command"), ("python", "Python module")]
    {
        for crate_ in linked(&metadata, component) {
            let key = (text(crate_, "name"), text(crate_, "version"));
            let row = rows
                .get(&key)
                .unwrap_or_else(|| panic!("NOTICE lacks {key:?}: run `gradle notice`"));
            let licence = text(crate_, "license").replace(" / ", " OR ").replace('/', " OR ");
            assert!(
                row.join(" ").starts_with(&licence),
                "{key:?} is under {licence}, not as NOTICE says: {row:?}"
            );
            assert!(
                row.join(" ").contains(place),
                "{key:?} is linked into what {component} makes: {row:?}"
            );
            named += 1;
        }
    }
    let crates = notice.split("\nCrates\n").nth(1).unwrap().split("\nJars\n").next().unwrap();
    let distinct: BTreeSet<_> = ["bridge", "cli", "python"]
        .iter()
        .flat_map(|component| linked(&metadata, component))
        .map(|it| text(it, "id"))
        .collect();
    // The heading has these words too.
    let listed = crates
        .lines()
        .filter(|line| {
            ["library", "command", "Python module"].iter().any(|place| line.contains(place))
        })
        .count()
        - 1;
    assert_eq!(
        listed,
        distinct.len(),
        "NOTICE names a crate that is linked no more: run `gradle notice`"
    );
    assert!(named > distinct.len());
}
