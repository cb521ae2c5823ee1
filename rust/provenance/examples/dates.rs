//! `dates LIST` reads a file of tab-separated lines (file, URL), and writes for each page the file,
//! the day of its publication, the day of its last change, and the source, tab-separated.
//! `bench/peers/dates` uses it.
#![allow(clippy::unwrap_used)]

use content::{decode, links, Hints, LinkOptions};
use provenance::{dates, Context};

fn main() {
    let list = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    for line in list.lines() {
        let (file, url) = line.split_once('\t').unwrap_or((line, ""));
        let url = (!url.is_empty()).then_some(url);
        let bytes = std::fs::read(file).unwrap();
        let Ok(decoded) = decode(&bytes, &Hints { content_type: None, url }) else { continue };
        let options = LinkOptions { url, statements: true, max_links: 0, ..LinkOptions::default() };
        let found = links(&decoded.text, &options, None);
        let page = content::parse(&decoded.text, &content::Limits::default());
        let url = url.or(found.canonical.as_deref());
        let context = Context { url, language: page.language.as_deref(), ..Context::default() };
        let dates = dates(&found.statements, &context);
        let shown =
            |day: Option<provenance::Day>| day.map_or_else(String::new, |day| day.to_string());
        let source = dates.source.map_or_else(String::new, |source| source.to_string());
        println!("{file}\t{}\t{}\t{source}", shown(dates.published), shown(dates.modified));
        if std::env::var_os("SHOW").is_some() {
            eprintln!("{file} {:?} {:#?}", page.language, found.statements);
        }
    }
}
