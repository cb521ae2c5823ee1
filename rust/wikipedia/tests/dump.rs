//! Tests of reading dumps.
#![allow(clippy::unwrap_used)]

use bzip2::write::BzEncoder;
use bzip2::Compression;
use std::io::Write as _;
use wikipedia::{Article, Broken, Counts, Dump};

const HEAD: &str = r#"<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="myv">
  <siteinfo>
    <sitename>Википедиясь</sitename>
    <base>https://myv.wikipedia.org/wiki/%D0%9F%D1%80%D1%8F%D0%B2%D1%82_%D0%BB%D0%BE%D0%BF%D0%B0</base>
    <namespaces>
      <namespace key="0" case="first-letter" />
      <namespace key="1" case="first-letter">Кортамось</namespace>
      <namespace key="14" case="first-letter">Категория</namespace>
    </namespaces>
  </siteinfo>
"#;

fn page(title: &str, id: u32, more: &str, text: &str) -> String {
    format!(
        "  <page>\n    <title>{title}</title>\n    {more}\n    <id>{id}</id>\n    <revision>\n      <id>7</id>\n      <contributor><username>u</username><id>9</id></contributor>\n      <text bytes=\"1\" xml:space=\"preserve\">{text}</text>\n    </revision>\n  </page>\n"
    )
}

fn read(xml: &[u8]) -> (Vec<Article>, Option<Broken>, Counts) {
    let mut dump = Dump::open(xml, 1 << 20).unwrap();
    let (mut articles, mut broken) = (Vec::new(), None);
    for article in &mut dump {
        match article {
            Ok(article) => articles.push(article),
            Err(error) => broken = Some(error),
        }
    }
    let counts = dump.counts();
    (articles, broken, counts)
}

fn titles(articles: &[Article]) -> Vec<&str> {
    articles.iter().map(|article| article.title.as_str()).collect()
}

#[test]
fn articles_are_pages_of_the_main_namespace_that_are_no_redirects() {
    let pages = [
        page("Саранск &amp; лия/ош", 12, "<ns>0</ns>", "&lt;b&gt;&amp;nbsp;&#1078;&quot;"),
        page("Кортамось:Саранск", 13, "<ns>1</ns>", "a"),
        page("Саран ош", 14, "<ns>0</ns><redirect title=\"Саранск\" />", "#REDIRECT [[Саранск]]"),
        page("Data", 15, "<ns>0</ns><model>json</model>", "{}"),
        page("Пусто", 16, "<ns>0</ns>", ""),
    ];
    let (articles, broken, counts) =
        read((HEAD.to_owned() + &pages.concat() + "</mediawiki>\n").as_bytes());
    assert_eq!(broken, None);
    assert_eq!(titles(&articles), ["Саранск & лия/ош", "Пусто"]);
    assert_eq!((articles[0].id, articles[0].wikitext.as_str()), (12, "<b>&nbsp;ж\""));
    let url =
        "https://myv.wikipedia.org/wiki/%D0%A1%D0%B0%D1%80%D0%B0%D0%BD%D1%81%D0%BA_&_%D0%BB%D0%B8%D1%8F/%D0%BE%D1%88";
    assert_eq!(articles[0].url.as_deref(), Some(url));
    assert_eq!(counts, Counts { articles: 2, redirects: 1, others: 2 });
}

#[test]
fn old_dumps_tell_namespaces_and_redirects_by_titles_and_texts() {
    let pages = [
        page("Саранск", 1, "", "a"),
        page("кортамось:Саранск", 2, "", "a"),
        page("Ош: а", 3, "", "a"),
        page("Саран", 4, "", "#Перенаправление: [[Саранск]]"),
        page("Лув", 5, "", "# [[a]]"),
    ];
    let (articles, _, counts) =
        read((HEAD.to_owned() + &pages.concat() + "</mediawiki>").as_bytes());
    assert_eq!(titles(&articles), ["Саранск", "Ош: а", "Лув"]);
    assert_eq!(counts, Counts { articles: 3, redirects: 1, others: 1 });
}

fn bzip2(text: &str) -> Vec<u8> {
    let mut encoder = BzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn many_streams_of_bzip2_are_one_dump() {
    let streams = [
        HEAD.to_owned(),
        page("A", 1, "<ns>0</ns>", "a"),
        page("B", 2, "<ns>0</ns>", "b"),
        "</mediawiki>".to_owned(),
    ];
    let packed: Vec<u8> = streams.iter().flat_map(|stream| bzip2(stream)).collect();
    let (articles, broken, _) = read(&packed);
    assert_eq!((titles(&articles), broken), (vec!["A", "B"], None));
    // A download that was cut off: what came before it is there.
    let (articles, broken, _) = read(&packed[..packed.len() - 20]);
    assert_eq!(titles(&articles), ["A", "B"]);
    assert!(matches!(broken, Some(Broken::Here(_))), "{broken:?}");
}

#[test]
fn a_dump_that_ends_early_gives_the_articles_before() {
    let whole =
        HEAD.to_owned() + &page("A", 1, "<ns>0</ns>", "a") + &page("B", 2, "<ns>0</ns>", "bcd");
    for cut in [whole.len(), whole.len() - 20, whole.len() - 60] {
        let (articles, broken, _) = read(&whole.as_bytes()[..cut]);
        assert_eq!(articles.len(), if cut == whole.len() { 2 } else { 1 });
        let Some(Broken::Here(what)) = broken else { panic!("{cut}") };
        assert!(what.contains("ends early") || what.contains("damaged"), "{what}");
    }
}

#[test]
fn what_is_no_dump_is_refused() {
    for (content, what) in [
        ("", "empty"),
        ("<html><body></body></html>", "<html>"),
        ("Not found", "not XML"),
        ("{\"text\": \"a\"}", "not XML"),
    ] {
        let (articles, broken, _) = read(content.as_bytes());
        let Some(Broken::NoDump(said)) = broken else { panic!("{content}: {broken:?}") };
        assert!(articles.is_empty() && said.contains(what), "{said}");
    }
}

#[test]
fn a_page_without_end_is_no_more_than_the_limit() {
    let long = "a".repeat(2 << 20);
    let (articles, broken, _) = read(
        (HEAD.to_owned() + &page("A", 1, "<ns>0</ns>", "a") + &page("B", 2, "<ns>0</ns>", &long))
            .as_bytes(),
    );
    assert_eq!(titles(&articles), ["A"]);
    let Some(Broken::Here(what)) = broken else { panic!("no error") };
    assert!(what.contains("longer than 1048576 bytes (--max-bytes)"), "{what}");
}
