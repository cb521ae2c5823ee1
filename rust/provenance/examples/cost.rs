//! `cost MODE FILE...` reads pages once: with `text` for the main content alone, with `links` also
//! the directives that `collect` needs, with `statements` also the statements, with `all` also what
//! they mean. Run it under `valgrind --tool=callgrind` to compare instructions.

use content::{
    classify, decode, parse_for, parse_with_links, Extractor, Hints, Limits, LinkOptions,
};
use provenance::{Context, Provenance};
use std::hint::black_box;

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mode = arguments.next().unwrap_or_default();
    for file in arguments {
        let bytes = std::fs::read(file)?;
        let Ok(decoded) = decode(&bytes, &Hints::default()) else { continue };
        let limits = Limits::default();
        if mode == "text" {
            black_box(classify(
                &parse_for(Extractor::Best, &decoded.text, &limits),
                Extractor::Best,
            ));
            continue;
        }
        let options =
            LinkOptions { max_links: 0, statements: mode != "links", ..LinkOptions::default() };
        let (page, links) = parse_with_links(Extractor::Best, &decoded.text, &limits, &options);
        black_box(classify(&page, Extractor::Best));
        if mode == "all" {
            let context = Context { language: page.language.as_deref(), ..Context::default() };
            black_box(Provenance::of(&links.statements, &context));
        }
    }
    Ok(())
}
