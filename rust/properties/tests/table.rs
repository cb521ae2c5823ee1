//! The table of settings, and the page that documents it.
#![allow(clippy::unwrap_used)]

use properties::{
    ALL, PAGE_EXTRACTOR, PAGE_MIN_BYTES, SCORE_INJECTED, SCORE_POLICY, SCORE_UNKNOWN,
};
use std::collections::BTreeSet;

#[test]
fn properties_have_the_values_of_the_file() {
    let file = include_str!("../../../nutch-conf/corpulyzer-default.xml");
    assert_eq!(file.matches("<property>").count(), ALL.len());
    let value = format!(
        "<name>{}</name>\n  <value>{}</value>",
        PAGE_MIN_BYTES.property.key, PAGE_MIN_BYTES.default
    );
    assert!(file.contains(&value), "{value}");
    assert!(
        PAGE_MIN_BYTES.allows(PAGE_MIN_BYTES.most)
            && !PAGE_MIN_BYTES.allows(PAGE_MIN_BYTES.most + 1)
    );
    assert!(PAGE_EXTRACTOR.allowed.contains(&PAGE_EXTRACTOR.default));
    assert_eq!((SCORE_UNKNOWN.default, SCORE_INJECTED.default), (None, Some(1e9)));
    assert!(SCORE_POLICY.property.pattern.starts_with("(mean|explore|pages"));
}

#[test]
fn every_property_has_a_name_of_its_own_a_unit_and_a_description() {
    let keys: BTreeSet<&str> = ALL.iter().map(|property| property.key).collect();
    assert_eq!(keys.len(), ALL.len());
    for property in ALL {
        assert!(property.key.starts_with("corpulyzer."), "{property:?}");
        assert!(!property.unit.is_empty() && !property.allowed.is_empty(), "{property:?}");
        assert!(
            property.description.len() > 20 && property.description.ends_with('.'),
            "{property:?}"
        );
    }
}

#[test]
fn the_page_of_settings_is_made_from_the_table() {
    let page = include_str!("../../../docs/settings.md");
    let made = properties::document();
    assert!(
        page == made,
        "docs/settings.md is old: run `cargo run -p properties --example document`"
    );
    assert!(made.lines().all(|line| line.chars().count() <= 100));
}
