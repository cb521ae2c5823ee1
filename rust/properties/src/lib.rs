//! The table of settings: every property of `nutch-conf/corpulyzer-default.xml` as a constant, with
//! its default and range. The build script makes the constants, so that a default stands in the XML
//! file alone.
//!
//! `corpulyzer.page.minBytes` is [`PAGE_MIN_BYTES`].
#![forbid(unsafe_code)]

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Property {
    /// Name of the property, for example `corpulyzer.page.minBytes`.
    pub key: &'static str,
    /// Default as text. Empty if there is none.
    pub value: &'static str,
    /// The unit of the value, or the kind of name.
    pub unit: &'static str,
    /// Allowed values in words, for error messages.
    pub allowed: &'static str,
    /// The regular expression that the whole value matches. Empty if there is none.
    pub pattern: &'static str,
    /// Name in the JSON settings of the engine. Empty for a property that the engine does not have.
    pub engine: &'static str,
    /// Default in profile `paper`. Empty if it is the same.
    pub paper: &'static str,
    /// The effect of the property.
    pub description: &'static str,
}

/// A property that is a whole number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Whole {
    /// The value if the configuration has none.
    pub default: u64,
    /// The smallest allowed value.
    pub least: u64,
    /// The largest allowed value.
    pub most: u64,
    /// What all kinds of properties have.
    pub property: Property,
}

impl Whole {
    /// Returns whether a value is allowed.
    pub const fn allows(&self, value: u64) -> bool {
        value >= self.least && value <= self.most
    }
}

/// A property that is a finite number from 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number {
    /// Its default. `None` if the default depends on another property.
    pub default: Option<f32>,
    /// What all kinds of properties have.
    pub property: Property,
}

/// A property that is true or false.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flag {
    /// The value if the configuration has none.
    pub default: bool,
    /// What all kinds of properties have.
    pub property: Property,
}

/// A property that is one of several names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name {
    /// Its default. Empty if the default depends on the line of Nutch.
    pub default: &'static str,
    /// The allowed names.
    pub allowed: &'static [&'static str],
    /// What all kinds of properties have.
    pub property: Property,
}

/// A property that is text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text {
    /// Its default. Empty if there is none.
    pub default: &'static str,
    /// What all kinds of properties have.
    pub property: Property,
}

include!(concat!(env!("OUT_DIR"), "/table.rs"));

/// Returns the table as a page of documentation, `docs/settings.md`.
pub fn document() -> String {
    let mut page = String::from(HEAD);
    for Property { key, value, unit, allowed, paper, description, .. } in ALL {
        let default = if value.is_empty() { "empty".to_owned() } else { format!("`{value}`") };
        page += &format!("\n## {key}\n\n");
        let paper = if paper.is_empty() {
            String::new()
        } else {
            format!(" (in profile paper: `{paper}`)")
        };
        wrap(&format!("Unit: {unit}. Default: {default}{paper}. Allowed: {allowed}."), &mut page);
        page.push('\n');
        wrap(&escape(description), &mut page);
    }
    page
}

const HEAD: &str = "# Settings

This page lists every property of the engine and of the plugin for Nutch. Set properties in
`nutch-site.xml`. `java/crawl/src/conf/crawl-default.xml` lists the properties of the one-machine
crawl, `corpulyzer.crawl.*` ([crawler.md](crawler.md)). This page is made from
[nutch-conf/corpulyzer-default.xml](../nutch-conf/corpulyzer-default.xml) by
`cargo run -p properties --example document`: change that file, not this page.
";

/// Characters that Markdown would read as markup.
fn escape(text: &str) -> String {
    text.replace('*', "\\*").replace('<', "\\<").replace('_', "\\_")
}

/// Writes a paragraph in lines of at most 100 characters.
fn wrap(text: &str, page: &mut String) {
    const WIDTH: usize = 100;
    let mut length = 0;
    for word in text.split(' ') {
        let size = word.chars().count();
        if length > 0 && length + 1 + size > WIDTH {
            page.push('\n');
            length = 0;
        } else if length > 0 {
            page.push(' ');
            length += 1;
        }
        page.push_str(word);
        length += size;
    }
    page.push('\n');
}
