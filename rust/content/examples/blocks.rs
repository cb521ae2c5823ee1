//! Prints the blocks that Boilerpipe's ArticleExtractor keeps, with Boilerpipe's own borders and
//! spaces, so that the verdicts can be compared with Boilerpipe's. `extract --extractor article`
//! prints the same blocks as lines of the page.
//!
//! ```text
//! cargo run --release -p content --example blocks -- IN OUT    # IN/*.html to OUT/*.txt
//! ```
#![allow(clippy::unwrap_used)]

use content::{classify, decode, parse_for, Extractor, Hints, Limits};
use std::fs;
use std::path::PathBuf;

fn main() {
    let mut folders = std::env::args_os().skip(1).map(PathBuf::from);
    let (from, to) = (folders.next().expect("IN"), folders.next().expect("OUT"));
    for file in fs::read_dir(from).unwrap() {
        let file = file.unwrap().path();
        let decoded =
            decode(&fs::read(&file).unwrap(), &Hints::default()).unwrap().text.into_owned();
        let page = parse_for(Extractor::Article, &decoded, &Limits::default());
        let verdicts = classify(&page, Extractor::Article);
        let kept = page.blocks().iter().zip(&verdicts).filter(|(_, verdict)| verdict.kept);
        let text: Vec<&str> = kept.map(|(block, _)| page.text_of(block)).collect();
        let name = PathBuf::from(file.file_name().unwrap()).with_extension("txt");
        fs::write(to.join(name), text.join("\n")).unwrap();
    }
}
