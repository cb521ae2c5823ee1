//! Any markup is read into blocks for which the laws of `tests/properties.rs` hold, under wide and
//! narrow limits, and as lol_html by itself would read it. `bin/corpulyzer fuzz tree`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use content::{classify, parse, parse_by_lol_html, parse_for, Extractor, LimitHit, Limits, Page};

fn kept(page: &Page, extractor: Extractor) -> Vec<bool> {
    let verdicts = classify(page, extractor);
    assert_eq!(verdicts.len(), page.blocks().len());
    assert!(verdicts.iter().all(|verdict| !verdict.reason.is_empty()));
    let texts = page.blocks().iter().map(|block| page.text_of(block));
    assert!(texts.zip(&verdicts).all(|(text, verdict)| !verdict.kept || !text.is_empty()));
    verdicts.iter().map(|verdict| verdict.kept).collect()
}

fn read(html: &str, limits: &Limits) {
    let page = parse(html, limits);
    assert!(page.blocks().len() <= limits.max_blocks);
    for block in page.blocks() {
        let text = page.text_of(block);
        assert_eq!(text, text.trim_matches(' '));
        assert!(!text.contains("  ") && !text.contains(['\n', '\t', '\r']));
        assert!(block.linked_words() <= block.words());
    }
    for extractor in Extractor::ALL {
        kept(&page, extractor);
    }
    let [article, web_am] = [Extractor::Article, Extractor::WebAm].map(|extractor| kept(&page, extractor));
    assert!(web_am.iter().zip(article).all(|(web_am, article)| article || !web_am));
}

// The first byte chooses the narrow limits, the rest is the page.
fuzz_target!(|input: &[u8]| {
    let Some((&choice, html)) = input.split_first() else { return };
    let html = String::from_utf8_lossy(html);
    read(&html, &Limits::default());
    let (depth, blocks) = (usize::from(choice >> 4) + 3, usize::from(choice & 15) + 1);

    // As it is read for other extractors than `best`, which may take a `<noscript>` for the page:
    // which of the two has more text, limits decide as well.
    let once = |limits| parse_for(Extractor::WebAm, &html, &limits);
    let whole = once(Limits::default());
    assert_eq!(format!("{whole:?}"), format!("{:?}", parse_by_lol_html(&html, &Limits::default())));

    let few = Limits { max_blocks: blocks, ..Limits::default() };
    read(&html, &few);
    let part = once(few);
    assert_eq!(part.limit == Some(LimitHit::Blocks), whole.blocks().len() > blocks);
    for (part_of, of) in part.blocks().iter().zip(whole.blocks()) {
        assert_eq!(part.text_of(part_of), whole.text_of(of));
    }
    let low = Limits { max_depth: depth, ..Limits::default() };
    read(&html, &low);
    let shallow = once(low);
    assert!(shallow.limit.is_some() || shallow.blocks().len() == whole.blocks().len());
});
