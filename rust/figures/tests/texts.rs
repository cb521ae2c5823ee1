//! A page's main text has the figures that the page had.
#![allow(clippy::unwrap_used)]

use engine::{Engine, PageHints, Settings, Status};
use figures::parse::record_of_text;
use std::fs;
use std::path::Path;

#[test]
fn figures_of_a_text_are_those_of_the_page_it_is_from() {
    let engine = Engine::new(Settings::new("urd".parse().unwrap())).unwrap();
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/pages");
    let mut compared = 0;
    for file in fs::read_dir(pages).unwrap() {
        let page = engine.page(fs::read(file.unwrap().path()).unwrap(), &PageHints::default());
        if page.status != Status::Ok {
            continue;
        }
        let text = record_of_text(&page.text, &engine);
        assert_eq!(text.text, page.text);
        assert_eq!(
            (text.main_bytes, &text.languages),
            (page.main_bytes, &page.languages),
            "{}",
            page.text
        );
        assert_eq!(
            (text.language_set, text.junk, text.excerpts),
            (page.language_set, page.junk, page.excerpts)
        );
        assert_eq!((text.decision, text.stage), (page.decision, page.stage));
        compared += usize::from(page.text.contains('\n'));
    }
    assert!(compared > 3, "{compared} pages of several blocks");
}
