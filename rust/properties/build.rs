//! Makes constants of the properties in `nutch-conf/corpulyzer-default.xml`.

use quick_xml::events::Event;
use quick_xml::Reader;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

const TABLE: &str = "../../nutch-conf/corpulyzer-default.xml";

/// The elements of a property and their texts.
type Property = BTreeMap<String, String>;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={TABLE}");
    println!("cargo::rerun-if-changed=build.rs");
    let properties = read(&fs::read_to_string(TABLE)?)?;
    let mut code = String::new();
    for property in &properties {
        constant(&mut code, property)
            .map_err(|error| format!("{TABLE}: {}: {error}", of(property, "name")))?;
    }
    let names: Vec<String> = properties.iter().map(|property| name(of(property, "name"))).collect();
    writeln!(code, "/// All properties, in the order of the table.")?;
    writeln!(code, "pub const ALL: [Property; {}] = [", names.len())?;
    for name in names {
        writeln!(code, "    {name}.property,")?;
    }
    writeln!(code, "];")?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("table.rs"), code)?;
    Ok(())
}

fn read(xml: &str) -> Result<Vec<Property>, Box<dyn Error>> {
    let mut reader = Reader::from_str(xml);
    let mut properties = Vec::new();
    let mut property = Property::new();
    let mut element = None;
    loop {
        match reader.read_event()? {
            Event::Start(start) if start.name().as_ref() == "property" => {
                property = Property::new()
            }
            Event::Start(start) => {
                let name = start.name().as_ref().to_owned();
                property.insert(name.clone(), String::new());
                element = Some(name);
            }
            Event::Text(text) => add(&mut property, element.as_deref(), &text),
            Event::GeneralRef(reference) => {
                let text = quick_xml::escape::unescape(&format!("&{};", &*reference))?.into_owned();
                add(&mut property, element.as_deref(), &text);
            }
            Event::End(end) if end.name().as_ref() == "property" => {
                properties.push(std::mem::take(&mut property))
            }
            Event::End(_) => element = None,
            Event::Eof => return Ok(properties),
            _ => {}
        }
    }
}

fn add(property: &mut Property, element: Option<&str>, text: &str) {
    if let Some(value) = element.and_then(|name| property.get_mut(name)) {
        *value += text;
    }
}

/// The text of an element, with single spaces; empty if the property has no such element.
fn of<'p>(property: &'p Property, element: &str) -> &'p str {
    property.get(element).map_or("", |text| text.trim())
}

/// `PAGE_MIN_BYTES` for `corpulyzer.page.minBytes`.
fn name(key: &str) -> String {
    let mut name = String::new();
    for letter in key.trim_start_matches("corpulyzer.").chars() {
        match letter {
            '.' => name.push('_'),
            'A'..='Z' => name.extend(['_', letter]),
            _ => name.push(letter.to_ascii_uppercase()),
        }
    }
    name
}

fn constant(code: &mut String, property: &Property) -> Result<(), Box<dyn Error>> {
    let (key, value) = (of(property, "name"), of(property, "value"));
    let description = of(property, "description").split_whitespace().collect::<Vec<_>>().join(" ");
    let (unit, allowed) = (of(property, "unit"), of(property, "allowed"));
    let row = format!(
        "Property {{ key: {key:?}, value: {value:?}, unit: {unit:?}, allowed: {allowed:?}, pattern: {:?}, engine: {:?}, \
         paper: {:?}, description: {description:?} }}",
        of(property, "pattern"),
        of(property, "engine"),
        of(property, "paper"),
    );
    let (kind, more) = match of(property, "type") {
        "whole" => {
            let (least, most) = allowed.split_once(" to ").ok_or("no range")?;
            let [least, most, default] = [least, most, value].map(str::parse::<u64>);
            let (least, most, default) = (least?, most?, default?);
            if !(least..=most).contains(&default) {
                return Err("the default is out of the range".into());
            }
            ("Whole", format!("default: {default}, least: {least}, most: {most}, "))
        }
        "number" if value.is_empty() => ("Number", "default: None, ".to_owned()),
        "number" => ("Number", format!("default: Some({:?}), ", value.parse::<f32>()?)),
        "flag" => ("Flag", format!("default: {}, ", value.parse::<bool>()?)),
        "name" => {
            let names: Vec<&str> = allowed.split(", ").collect();
            if !value.is_empty() && !names.contains(&value) {
                return Err("the default is not allowed".into());
            }
            ("Name", format!("default: {value:?}, allowed: &{names:?}, "))
        }
        "pattern" | "text" => ("Text", format!("default: {value:?}, ")),
        other => return Err(format!("`{other}` is no type").into()),
    };
    writeln!(
        code,
        "#[doc = {description:?}]\npub const {}: {kind} = {kind} {{ {more}property: {row} }};",
        name(key)
    )?;
    Ok(())
}
