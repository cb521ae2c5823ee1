//! The tests of the command, in one program: each program of tests links the whole command.
#![allow(clippy::unwrap_used)]

mod audit;
mod browser;
mod builds;
mod cdx;
mod classes;
mod collect;
mod command;
mod common;
mod cut;
mod deduplicate;
mod defaults;
mod dialects;
mod docs;
mod documented;
mod generate;
mod hub;
mod index;
mod json;
mod judge;
mod languages;
mod links;
mod map;
mod messages;
mod outputs;
mod package;
mod pairs;
mod profile;
mod quality;
mod queries;
mod readme;
mod reference;
mod registry;
mod rejudge;
mod removals;
mod report;
mod seeds;
mod sentences;
mod signals;
mod simulate;
mod supply;
mod tables;
mod train;
mod varieties;
mod view;
mod wikipedia;
mod words;

/// A file that no line above names would never run.
#[test]
fn every_file_of_tests_is_part_of_this_program() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name());
    for file in files.filter_map(|file| file.into_string().ok()) {
        let Some(name) = file.strip_suffix(".rs").filter(|name| *name != "all") else { continue };
        let line = format!("\nmod {name};\n");
        assert!(include_str!("all.rs").contains(&line), "tests/{file} has no line in tests/all.rs");
    }
}
