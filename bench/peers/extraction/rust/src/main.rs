//! `extraction-peers PROGRAM FOLDER ROUNDS` writes the processor seconds of each round over the
//! folder's pages. `extraction-peers dom_smoothie FOLDER texts OUT` writes the text of each page to
//! `OUT/NAME.txt`.

use dom_smoothie::Readability;
use engine::{Engine, PageHints, Settings};
use lol_html::{doc_text, element, end_tag, HtmlRewriter};
use std::error::Error;
use std::ffi::OsStr;
use std::hint::black_box;
use std::path::Path;
use content::{Extractor, Hints, Limits};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let [_, "dom_smoothie", folder, "texts", out] = words[..] {
        return write_texts(folder.as_ref(), out.as_ref());
    }
    let [_, program, folder, rounds] = &arguments[..] else { return Err("PROGRAM FOLDER ROUNDS".into()) };
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "html") {
            pages.push(std::fs::read(path)?);
        }
    }
    // Peers take text; decoding is not counted to them, but it is to ours.
    let texts: Vec<String> = pages.iter().map(|page| content::decode(page, &Hints::default()).map_or(String::new(), |d| d.text.into_owned())).collect();
    let engine = Engine::new(Settings::new("urd".parse()?))?;
    for _ in 0..rounds.parse()? {
        let begin = processor_seconds();
        match program.as_str() {
            "lol_html" => texts.iter().for_each(|text| bare(text)),
            "lol_html-text" => texts.iter().for_each(|text| text_only(text)),
            "dom_smoothie" => texts.iter().for_each(|text| drop(black_box(smoothie(text)))),
            "engine" => pages.iter().for_each(|page| drop(black_box(engine.page(page, &PageHints::default())))),
            name => {
                let extractor: Extractor = name.parse()?;
                pages.iter().for_each(|page| ours(page, extractor));
            }
        }
        println!("{:.6}", processor_seconds() - begin);
    }
    Ok(())
}

fn ours(page: &[u8], extractor: Extractor) {
    let Ok(decoded) = content::decode(page, &Hints::default()) else { return };
    let page = content::parse_for(extractor, &decoded.text, &Limits::default());
    let verdicts = content::classify(&page, extractor);
    let kept = page.blocks().iter().zip(&verdicts).filter(|(_, verdict)| verdict.kept);
    black_box(kept.flat_map(|(block, _)| [page.text_of(block), "\n"]).collect::<String>());
}

/// Every element, end tag and text, and nothing done with them.
fn bare(html: &str) {
    let (mut elements, mut bytes) = (0usize, 0usize);
    let on_text = doc_text!(|text| {
        bytes += text.as_str().len();
        Ok(())
    });
    let on_element = element!("*", |element| {
        elements += 1;
        if let Some(handlers) = element.end_tag_handlers() {
            handlers.push(end_tag!(|end| {
                black_box(end.name());
                Ok(())
            }));
        }
        Ok(())
    });
    let settings = lol_html::Settings::new()
        .append_document_content_handler(on_text)
        .append_element_content_handler(on_element)
        .with_strict(false);
    let mut pass = HtmlRewriter::new(settings, |_: &[u8]| {});
    let _ = pass.write(html.as_bytes()).and_then(|()| pass.end());
    black_box((elements, bytes));
}

fn text_only(html: &str) {
    let mut bytes = 0usize;
    let on_text = doc_text!(|text| {
        bytes += text.as_str().len();
        Ok(())
    });
    let settings =
        lol_html::Settings::new().append_document_content_handler(on_text).with_strict(false);
    let mut pass = HtmlRewriter::new(settings, |_: &[u8]| {});
    let _ = pass.write(html.as_bytes()).and_then(|()| pass.end());
    black_box(bytes);
}

fn smoothie(html: &str) -> String {
    let article = Readability::new(html, None, None).and_then(|mut readability| readability.parse());
    article.map(|article| article.text_content.to_string()).unwrap_or_default()
}

/// Pages that dom_smoothie refuses have an empty text.
fn write_texts(folder: &Path, out: &Path) -> Result<(), Box<dyn Error>> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(name) = path.file_stem() else { continue };
        if path.extension().and_then(OsStr::to_str) == Some("html") {
            let page = std::fs::read(&path)?;
            let file = out.join(name).with_added_extension("txt");
            std::fs::write(file, smoothie(&String::from_utf8_lossy(&page)))?;
        }
    }
    Ok(())
}

fn processor_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the kernel fills the struct that is handed over.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
