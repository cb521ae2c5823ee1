//! Bytes of HTML per second, by stage: `cargo bench -p content`.
//!
//! Pages are made here in three sizes; where the shared folder is present, its annotated pages are
//! read, too. For comparison, the benchmark measures passes of lol_html that do no work: with texts
//! alone, as ours uses it where a page is not plain, and with elements and end tags.

// The macro makes a public function.
#![allow(missing_docs, clippy::unwrap_used)]

use content::{
    classify, decode, links, parse, parse_for, parse_with_links, Extractor, Hints, Limits,
    LinkOptions,
};
use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion, Throughput};
use lol_html::{doc_text, element, end_tag, HtmlRewriter, Settings};
use std::hint::black_box;
use std::path::{Path, PathBuf};

/// The sets of pages by name.
fn sets() -> Vec<(&'static str, Vec<Vec<u8>>)> {
    let mut sets = vec![
        ("small", vec![article(2, 8).into_bytes()]),
        ("medium", vec![article(20, 60).into_bytes()]),
        ("large", vec![article(200, 2000).into_bytes()]),
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared =
        std::env::var_os("CORPULYZER_SHARED").map_or_else(|| root.join("../shared"), PathBuf::from);
    if let Ok(entries) = std::fs::read_dir(shared.join("data/pages/aeb/html")) {
        let paths = entries.flatten().map(|entry| entry.path());
        let html =
            paths.filter(|path| path.extension().is_some_and(|extension| extension == "html"));
        sets.push(("real", html.map(|path| std::fs::read(path).unwrap()).collect()));
    }
    sets
}

/// A news page in Urdu with what is around the text on most: scripts and styles, a menu, related
/// links, comments.
fn article(scripts: usize, paragraphs: usize) -> String {
    let script =
        "window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}if(a<b&&c>d){e('</p>')}"
            .repeat(20);
    let head = format!(
        "<script>{script}</script>\n<link rel=\"stylesheet\" href=\"https://cdn.example.pk/theme.css?ver=5.8\">\n"
    );
    let menu: String = (0..40)
        .map(|n| {
            format!(
                "<li class=\"menu-item menu-item-{n}\"><a href=\"https://example.pk/zumra/{n}/\">زمرہ {n}</a></li>\n"
            )
        })
        .collect();
    let text = "حکومت نے اعلان کیا ہے کہ <a href=\"/x\">نئے منصوبے</a> پر کام اگلے ماہ شروع ہو جائے گا، جبکہ <b>ماہرین</b> کے مطابق اس کے اثرات دور رس ہوں گے۔ ";
    let body: String = (0..paragraphs)
        .map(|n| format!("<p style=\"text-align:right\">{}</p>\n", text.repeat(1 + n % 5)))
        .collect();
    let related: String = (0..20)
        .map(|n| format!("<div class=\"card\"><a href=\"/{n}\"><img src=\"/{n}.jpg\" alt=\"\"><h3>متعلقہ خبر &raquo; {n}</h3></a></div>\n"))
        .collect();
    format!(
        "<!DOCTYPE html><html lang=\"ur\"><head><meta charset=\"utf-8\"><title>خبر | مثال</title>{}</head><body>\
         <ul class=\"menu\">{menu}</ul><div id=\"content\"><h1>خبر</h1>{body}</div><div class=\"related\">{related}</div></body></html>",
        head.repeat(scripts)
    )
}

fn extraction(criterion: &mut Criterion) {
    for (name, pages) in sets() {
        let texts: Vec<_> =
            pages.iter().map(|page| decode(page, &Hints::default()).unwrap().text).collect();
        let parsed: Vec<_> = texts.iter().map(|text| parse(text, &Limits::default())).collect();
        let mut group = criterion.benchmark_group(name);
        group
            .sample_size(10)
            .throughput(Throughput::Bytes(pages.iter().map(|page| page.len() as u64).sum()));
        group.bench_function("decode", |bench| {
            bench.iter(|| {
                pages
                    .iter()
                    .map(|page| decode(page, &Hints::default()).unwrap().text.len())
                    .sum::<usize>()
            });
        });
        group.bench_function("lol_html, texts", |bench| {
            bench.iter(|| texts.iter().for_each(|text| texts_alone(text)))
        });
        group.bench_function("lol_html, elements", |bench| {
            bench.iter(|| texts.iter().for_each(|text| elements(text)))
        });
        group.bench_function("parse", |bench| {
            bench.iter(|| {
                texts
                    .iter()
                    .map(|text| parse(text, &Limits::default()).blocks().len())
                    .sum::<usize>()
            });
        });
        let options =
            LinkOptions { url: Some("https://example.pk/khabar/1"), ..LinkOptions::default() };
        group.bench_function("parse for web-am", |bench| {
            let read = |text| parse_for(Extractor::WebAm, text, &Limits::default()).blocks().len();
            bench.iter(|| texts.iter().map(|text| read(text)).sum::<usize>());
        });
        group.bench_function("parse for web-am, with links", |bench| {
            let read = |text| {
                parse_with_links(Extractor::WebAm, text, &Limits::default(), &options).1.links.len()
            };
            bench.iter(|| texts.iter().map(|text| read(text)).sum::<usize>());
        });
        group.bench_function("links alone", |bench| {
            bench.iter(|| {
                texts.iter().map(|text| links(text, &options, None).links.len()).sum::<usize>()
            });
        });
        for extractor in Extractor::ALL {
            group.bench_function(BenchmarkId::new("classify", extractor), |bench| {
                bench.iter(|| {
                    parsed.iter().map(|page| classify(page, extractor).len()).sum::<usize>()
                });
            });
            group.bench_function(BenchmarkId::new("whole", extractor), |bench| {
                bench.iter(|| pages.iter().map(|page| whole(page, extractor)).sum::<usize>());
            });
        }
        group.finish();
    }
}

fn whole(page: &[u8], extractor: Extractor) -> usize {
    let decoded = decode(page, &Hints::default()).unwrap();
    classify(&parse_for(extractor, &decoded.text, &Limits::default()), extractor).len()
}

fn texts_alone(html: &str) {
    let on_text = doc_text!(|text| {
        black_box(text.as_str());
        Ok(())
    });
    let settings = Settings::new().append_document_content_handler(on_text).with_strict(false);
    let mut pass = HtmlRewriter::new(settings, |_: &[u8]| {});
    pass.write(html.as_bytes()).unwrap();
    pass.end().unwrap();
}

fn elements(html: &str) {
    let on_text = doc_text!(|text| {
        black_box(text.as_str());
        Ok(())
    });
    let on_element = element!("*", |element| {
        if let Some(handlers) = element.end_tag_handlers() {
            handlers.push(end_tag!(|end| {
                black_box(end.name());
                Ok(())
            }));
        }
        Ok(())
    });
    let settings = Settings::new()
        .append_document_content_handler(on_text)
        .append_element_content_handler(on_element)
        .with_strict(false);
    let mut pass = HtmlRewriter::new(settings, |_: &[u8]| {});
    pass.write(html.as_bytes()).unwrap();
    pass.end().unwrap();
}

criterion_group!(benches, extraction);
criterion_main!(benches);
