//! Any page has links within the limits, and has the same ones whether its text is read or not.
//! `bin/corpulyzer fuzz links`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use content::{links, parse_for, parse_with_links, Extractor, LinkOptions, Limits};

// The first byte chooses the limits, the rest is the page.
fuzz_target!(|input: &[u8]| {
    let Some((&choice, html)) = input.split_first() else { return };
    let html = String::from_utf8_lossy(html);
    let charset = ["utf-8", "windows-1256", "gb18030", "utf-16le"][usize::from(choice & 3)];
    let (max_links, max_url_bytes) = if choice & 4 == 0 { (5000, 2048) } else { (2, usize::from(choice >> 3)) };
    let options = LinkOptions {
        url: Some("http://a.example/dir/page.html"),
        charset,
        // The page serves as header, too.
        robots_header: html.get(..64),
        max_links,
        max_url_bytes,
        statements: choice & 4 == 0,
    };
    let found = links(&html, &options, None);
    let mut urls: Vec<&String> = found.links.iter().map(|link| &link.url).collect();
    urls.sort();
    assert!(urls.windows(2).all(|two| two[0] != two[1]));
    urls.extend(found.feeds.iter().chain(found.alternates.iter().map(|it| &it.url)).chain(&found.canonical));
    urls.extend(found.refresh.iter().map(|it| &it.url));
    for url in urls {
        assert!(url.len() <= max_url_bytes && url.is_ascii() && !url.contains('#'));
        assert!(url.starts_with("http://") || url.starts_with("https://"));
    }
    assert!([found.links.len(), found.feeds.len(), found.alternates.len()].iter().all(|count| *count <= max_links));
    assert!(found.links.iter().all(|link| link.anchor.chars().count() <= 100));
    assert!(found.alternates.iter().all(|it| it.language.chars().count() <= 64));

    let (page, beside) = parse_with_links(Extractor::WebAm, &html, &Limits::default(), &options);
    assert_eq!(beside, found);
    assert_eq!(format!("{page:?}"), format!("{:?}", parse_for(Extractor::WebAm, &html, &Limits::default())));
});
