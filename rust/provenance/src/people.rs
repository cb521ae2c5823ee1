//! The author of a page and the name of its site, as the page declares them.

use crate::bylines;
use crate::json::{self, Named, Rank};
use content::{is_before_author, Statements};
use serde_json::Value;

/// Names of `meta` elements with an author, the most specific first.
const AUTHOR: [&str; 11] = [
    "citation_author",
    "article:author",
    "og:article:author",
    "author",
    "dc.creator",
    "dcterms.creator",
    "dc:creator",
    "parsely-author",
    "sailthru.author",
    "byl",
    "cxenseparse:author",
];

/// Names of `meta` elements with the name of a site, the most specific first.
const SITE: [&str; 4] = ["og:site_name", "application-name", "dc.publisher", "dcterms.publisher"];

/// Longest name, in characters. A longer one is no name.
const MAX_NAME: usize = 200;

/// Values that programs write in the place of a name.
const NO_NAMES: [&str; 6] = ["admin", "administrator", "undefined", "null", "none", "unknown"];

/// Values that are declared as authors: programs, and users without a name.
const NO_AUTHORS: [&str; 11] = [
    "guest",
    "guest author",
    "super user",
    "editor",
    "microsoft word",
    "microsoft office user",
    "typo3",
    "wordpress",
    "drupal",
    "themeforest",
    "joomla! - open source",
];

/// Most authors of a page.
const MAX_AUTHORS: usize = 16;

/// Most authors that links name.
const MAX_LINKED: usize = 4;

/// Returns the authors, separated by `; `. Sources are asked in this order, and the first that has
/// the name of a person counts: JSON-LD, `meta` elements, links with `rel=author`, texts behind the
/// heading that begin as a byline does, and the first link to the page of an author. If none has
/// one, a declared author who is also the name of the site counts, if it can be the name of a
/// person, or else the first name of a user (`jsmith`).
pub fn author(statements: &Statements) -> Option<String> {
    let sites = sites(statements);
    let sources: [&dyn Fn() -> Vec<String>; 6] = [
        &|| in_json(statements),
        &|| in_metas(statements),
        &|| in_labels(statements),
        &|| in_links(statements),
        &|| bylines::authors(&statements.bylines),
        &|| of_pages(statements),
    ];
    let mut users = None;
    let mut of_site = None;
    for source in sources {
        let mut authors: Vec<String> = Vec::new();
        for name in source().into_iter().filter_map(person) {
            if is_of_site(&name, &sites) {
                of_site = of_site.or(Some(name));
            } else if authors.len() < MAX_AUTHORS && !authors.contains(&name) {
                authors.push(name);
            }
        }
        if authors.iter().any(|name| !is_user(name)) {
            authors.retain(|name| !is_user(name));
            return Some(authors.join("; "));
        }
        users = users.or((!authors.is_empty()).then(|| authors.join("; ")));
    }
    let is_person = |name: &String| bylines::is_name(name, false) && !name.starts_with("The ");
    of_site.filter(is_person).or(users)
}

/// The names of the site and of its publisher.
fn sites(statements: &Statements) -> Vec<String> {
    let publisher = metas(statements, "publisher").into_iter();
    site_name(statements).into_iter().chain(publisher).collect()
}

/// Whether a name is that of the site, also if that is its host: `Valley News`, `valley-news.pk`.
fn is_of_site(name: &str, sites: &[String]) -> bool {
    let letters = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let name = letters(name);
    sites.iter().any(|site| {
        let host = site.rsplit_once('.').map(|(host, _)| letters(host));
        letters(site) == name || host.is_some_and(|host| host == name)
    })
}

/// The name of a person, without the paper behind it; `None` for an organization or a program.
fn person(name: String) -> Option<String> {
    if let Some((person, place)) = name.split_once(" - ") {
        if bylines::is_organization(place) && bylines::is_name(person, false) {
            return Some(person.to_owned());
        }
    }
    let is_none = NO_AUTHORS.iter().any(|word| name.eq_ignore_ascii_case(word));
    let first = name.split([',', ' ']).next().unwrap_or_default();
    let is_host = |(host, top): (&str, &str)| {
        let is_letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
        let is_top = top.len() == 2 || ["com", "org", "net", "info", "news"].contains(&top);
        let is_top = is_top && top.chars().all(char::is_alphabetic);
        is_top && host.len() > 1 && first.chars().all(is_letter)
    };
    let is_host = first.rsplit_once('.').is_some_and(is_host);
    (!is_none && !is_host && !bylines::is_organization(&name)).then_some(name)
}

fn in_metas(statements: &Statements) -> Vec<String> {
    let found = AUTHOR.iter().map(|name| metas(statements, name));
    let found = found.map(|names| names.into_iter().filter_map(person).collect::<Vec<_>>());
    found.into_iter().find(|names| !names.is_empty()).unwrap_or_default()
}

fn in_json(statements: &Statements) -> Vec<String> {
    let mut best: Option<(Rank, Vec<String>)> = None;
    json::objects(&statements.json, "author", |rank, object, named| {
        let names = object.get("author").map(|author| names_of(author, named, false));
        let names = names.unwrap_or_default();
        if !names.is_empty() && best.as_ref().is_none_or(|(other, _)| rank < *other) {
            best = Some((rank, names));
        }
    });
    best.map(|(_, names)| names).unwrap_or_default()
}

/// The value of a pair of `meta` elements that WordPress writes for cards: `twitter:label1`, whose
/// text is `Written by`, and `twitter:data1`.
fn in_labels(statements: &Statements) -> Vec<String> {
    let is_label = |label: &str| label.split_whitespace().any(is_before_author);
    let labels = statements.metas.iter().filter(|meta| is_label(&meta.content));
    let names = labels.filter_map(|meta| meta.name.strip_prefix("twitter:label"));
    let names = names.map(|number| metas(statements, &format!("twitter:data{number}")));
    // `Tempo di lettura` has a word that is also before authors.
    names.flatten().filter(|name| !name.starts_with(char::is_numeric)).collect()
}

/// The name of the first link to the page of an author. Others are authors of other articles.
fn of_pages(statements: &Statements) -> Vec<String> {
    let names = statements.author_pages.iter().filter_map(|name| clean(name));
    names.filter(|name| bylines::is_name(name, true)).take(1).collect()
}

fn in_links(statements: &Statements) -> Vec<String> {
    let names = statements.authors.iter().flat_map(|name| cleaned(name));
    let names: Vec<String> =
        names.filter(|name| bylines::is_name(name, true) || is_user(name)).collect();
    // More are a list of the site's authors.
    if names.len() <= MAX_LINKED {
        names
    } else {
        Vec::new()
    }
}

/// Whether a name is that of a user: one word in small Latin letters (`jsmith`, `j.smith.12`).
fn is_user(name: &str) -> bool {
    let is_sign = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._-".contains(c);
    name.chars().all(is_sign)
}

/// Returns the name of the site: that of `meta` elements, otherwise that of the publisher in
/// JSON-LD.
pub fn site_name(statements: &Statements) -> Option<String> {
    let meta = SITE.iter().find_map(|name| metas(statements, name).into_iter().next());
    meta.or_else(|| {
        let mut best: Option<(Rank, String)> = None;
        json::objects(&statements.json, "publisher", |rank, object, named| {
            let name = object
                .get("publisher")
                .and_then(|publisher| names_of(publisher, named, true).pop());
            if let Some(name) =
                name.filter(|_| best.as_ref().is_none_or(|(other, _)| rank < *other))
            {
                best = Some((rank, name));
            }
        });
        best.map(|(_, name)| name)
    })
}

fn metas(statements: &Statements, name: &str) -> Vec<String> {
    let found = statements.metas.iter().filter(|meta| meta.name == name);
    found.flat_map(|meta| cleaned(&meta.content)).collect()
}

/// The names of a person or a list of them, and of organizations if they are asked for: a publisher
/// is no author.
fn names_of(value: &Value, others: &Named, with_organizations: bool) -> Vec<String> {
    match value {
        Value::String(name) => cleaned(name),
        Value::Array(values) => {
            let values = values.iter().take(MAX_AUTHORS);
            values.flat_map(|value| names_of(value, others, with_organizations)).collect()
        }
        Value::Object(object) => {
            let object = others.resolve(object);
            let kind = object.get("@type").and_then(Value::as_str).unwrap_or_default();
            let is_left_out = kind.ends_with("Organization") && !with_organizations;
            // Some pages list several names of one person object.
            match object.get("name").filter(|_| !is_left_out) {
                Some(Value::String(name)) => cleaned(name),
                Some(Value::Array(names)) => {
                    let names = names.iter().take(MAX_AUTHORS).filter_map(Value::as_str);
                    names.flat_map(cleaned).collect()
                }
                None if !is_left_out => {
                    let part = |key: &str| object.get(key).and_then(Value::as_str);
                    let parts: Vec<&str> =
                        ["givenName", "familyName"].into_iter().filter_map(part).collect();
                    cleaned(&parts.join(" "))
                }
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// Reads the references to characters that a page has escaped twice.
fn unescaped(text: &str) -> String {
    let pairs = [
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#039;", "'"),
        ("&apos;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ];
    pairs
        .iter()
        .fold(text.to_owned(), |text, (reference, character)| text.replace(reference, character))
}

/// Words before the name of an author that a page declares, also without a colon.
const LABELS: [&str; 3] = ["by", "written", "posted"];

/// The names in a value: `A|B` are two, and so are `A B, C D` and `A B and C D`; what follows ` | `
/// is where the author works.
fn cleaned(value: &str) -> Vec<String> {
    let value = unescaped(value);
    let names = value.split(" | ").next().unwrap_or_default();
    let names = names.split(['|', ';']).filter_map(clean);
    names.flat_map(|names| bylines::listed(&names).unwrap_or_else(|| vec![names])).collect()
}

/// Folds white space, and removes the words before a name. Addresses, which some pages have in the
/// place of a name, are no names, and neither is a text without letters, a long one, or one that
/// begins with a comma or a parenthesis, behind which the name is missing.
fn clean(name: &str) -> Option<String> {
    let plain = without_tags(&unescaped(name));
    let folded = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    // Other words before an author are also parts of names: `Von Miller`.
    let is_label = |word: &str, has_colon: bool| {
        has_colon || LABELS.iter().any(|label| word.eq_ignore_ascii_case(label))
    };
    let name = bylines::after_labels(&folded, is_label);
    // An address behind the name: `A B (a@b.example)`.
    let address = name.find(['(', '<']).filter(|at| *at > 0 && name[*at..].contains('@'));
    let name = &name[..address.unwrap_or(name.len())];
    let is_address = name.contains("://") || name.contains('@') || name.starts_with("www.");
    let is_name = name.chars().any(char::is_alphabetic)
        && name.chars().count() <= MAX_NAME
        && !name.starts_with([',', '(']);
    let name = name.trim_matches([' ', ',']);
    let is_missing = NO_NAMES.iter().any(|word| name.eq_ignore_ascii_case(word));
    (is_name && !is_address && !is_missing).then(|| name.to_owned())
}

/// Removes tags, which some programs write around a name. An address in angle brackets stays.
fn without_tags(text: &str) -> String {
    let (mut plain, mut rest) = (String::new(), text);
    while let Some((before, behind)) = rest.split_once('<') {
        plain.push_str(before);
        rest = match behind.split_once('>') {
            Some((tag, behind)) if !tag.contains('@') => {
                plain.push(' ');
                behind
            }
            _ => {
                plain.push('<');
                behind
            }
        };
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::{author, site_name};
    use content::{links, LinkOptions};

    fn stated(html: &str) -> (Option<String>, Option<String>) {
        let options = LinkOptions { statements: true, ..LinkOptions::default() };
        let statements = links(html, &options, None).statements;
        (author(&statements), site_name(&statements))
    }

    #[test]
    fn the_article_in_json_ld_comes_before_meta_elements() {
        let metas =
            "<meta name=author content='Amina \n Khan'><meta name=author content=x@y.example>\
                     <meta property=article:author content=https://a.example/amina>\
                     <meta property=og:site_name content='A Paper'>";
        assert_eq!(stated(metas), (Some("Amina Khan".to_owned()), Some("A Paper".to_owned())));
        let json = "<script type=application/ld+json>{\"@type\":\"NewsArticle\",\"author\":\"Bano\"}</script>";
        assert_eq!(stated(&format!("{metas}{json}")).0.as_deref(), Some("Bano"));
    }

    #[test]
    fn a_list_of_names_has_each_and_a_place_of_work_is_no_name() {
        for (author, expected) in [
            (r#"{"@type":"Person","name":["Amina Khan","Bano Shah"]}"#, "Amina Khan; Bano Shah"),
            (r#""Amina Khan|Bano Shah""#, "Amina Khan; Bano Shah"),
            (r#""By: Amina Khan | The Paper""#, "Amina Khan"),
            (r#""Written by Amina Khan""#, "Amina Khan"),
            (r#""Autor: Amina Khan""#, "Amina Khan"),
            (r#""Von Miller""#, "Von Miller"),
            (r#"["Di Maria Rossi", "Von der Heide"]"#, "Di Maria Rossi; Von der Heide"),
            (r#"["(Image: Agency)", "Amina Khan", ", The Paper"]"#, "Amina Khan"),
            (r#"[["Amina Khan"], "akhan"]"#, "Amina Khan"),
            (r#""akhan.12""#, "akhan.12"),
            (r#""Amina Khan, Bano Shah and Cem Dal""#, "Amina Khan; Bano Shah; Cem Dal"),
            (r#""Khan, Amina""#, "Khan, Amina"),
            (r#""Amina Khan, Staff Reporter""#, "Amina Khan, Staff Reporter"),
            (r#""Amina Khan; Bano Shah""#, "Amina Khan; Bano Shah"),
            (r#""Amina Khan - Valley News""#, "Amina Khan"),
            (r#""<a href='/x'>Amina Khan</a>""#, "Amina Khan"),
            (r#""Amina Khan (amina@a.example)""#, "Amina Khan"),
            (r#""Amina Khan <amina@a.example>""#, "Amina Khan"),
            (r#"{"@type":"Person","givenName":"Amina","familyName":"Khan"}"#, "Amina Khan"),
        ] {
            let json = format!(
                "<script type=application/ld+json>{{\"@type\":\"Article\",\"author\":{author}}}</script>"
            );
            assert_eq!(stated(&json).0.as_deref(), Some(expected), "{author}");
        }
        let page = "<meta name=author content=akhan><h1>News</h1><p class=author>Amina Khan</p>";
        assert_eq!(stated(page).0.as_deref(), Some("Amina Khan"));
    }

    #[test]
    fn json_ld_has_the_authors_of_the_article_and_not_of_comments() {
        let page = r#"<script type=application/ld+json>{"@type":"WebPage","author":{"name":"P"},
            "comment":{"@type":"Comment","author":{"name":"C"}},
            "mainEntity":{"@type":"Article","author":[{"@type":"Person","name":"A"},"B",{"name":"A"}],
            "publisher":{"@type":"Organization","name":"O"}}}</script>"#;
        assert_eq!(stated(page), (Some("A; B".to_owned()), Some("O".to_owned())));
    }

    #[test]
    fn the_author_of_a_work_that_json_ld_describes_is_not_that_of_the_page() {
        for kind in ["Book", "Movie", "Quotation", "Claim"] {
            let work = format!(r#"{{"@type":"{kind}","author":{{"name":"Bano Shah"}}}}"#);
            let script = |json: &str| format!("<script type=application/ld+json>{json}</script>");
            assert_eq!(stated(&script(&work)).0, None, "{kind}");
            let review = r#"{"@type":"NewsArticle","author":"Amina Khan","itemReviewed":"#;
            let found = stated(&script(&format!("{review}{work}}}"))).0;
            assert_eq!(found.as_deref(), Some("Amina Khan"), "{kind}");
        }
    }

    #[test]
    fn a_publisher_is_no_author_and_a_reference_is_followed() {
        let page = r##"<script type="application/ld+json; charset=utf-8">{"@graph": [
            {"@type": "Article", "author": [{"@id": "#a"}, {"@id": "#o"}], "publisher": {"@id": "#o"}},
            {"@type": "Person", "@id": "#a", "name": "by Amina &amp; Khan"},
            {"@type": "NewsMediaOrganization", "@id": "#o", "name": "The Paper"},]}</script>"##;
        assert_eq!(stated(page), (Some("Amina & Khan".to_owned()), Some("The Paper".to_owned())));
        let page = "<p>By <a rel='author nofollow' href=/a><b>Amina</b> Khan</a>, <a rel=author href=/b>B</a></p>";
        assert_eq!(stated(page).0.as_deref(), Some("Amina Khan; B"));
        for (name, site) in
            [("the paper", "The Paper"), ("The Paper", "the-paper.pk"), ("paper.pk, Valley", "P")]
        {
            let page = format!(
                "<meta name=author content='{name}'><meta property=og:site_name content='{site}'>"
            );
            assert_eq!(stated(&page), (None, Some(site.to_owned())), "{name}");
        }
    }

    #[test]
    fn the_author_of_a_site_with_her_name_counts_if_no_other_is_named() {
        let site = "<meta property=og:site_name content='Amina Khan'><meta itemprop=author content='Amina Khan'>";
        assert_eq!(stated(site).0.as_deref(), Some("Amina Khan"));
        let guest = format!("{site}<h1>A</h1><p>By <a href=/b>Bano Shah</a></p>");
        assert_eq!(stated(&guest).0.as_deref(), Some("Bano Shah"));
    }

    #[test]
    fn cards_and_links_to_the_page_of_an_author_name_one() {
        let card = "<meta name=twitter:label1 content='Written by'><meta name=twitter:data1 content='Amina Khan'>\
                    <meta name=twitter:label2 content='Time to read'><meta name=twitter:data2 content='Five Minutes'>";
        assert_eq!(stated(card).0.as_deref(), Some("Amina Khan"));
        let time = "<meta name=twitter:label1 content='Tempo di lettura'><meta name=twitter:data1 content='13 minuti'>";
        assert_eq!(stated(time).0, None);
        let links = |first: &str| {
            format!("<h1>A</h1><a href=/b/author/1>{first}</a><ul><li><a href='/?author=7'>Bano Shah</a></ul>")
        };
        assert_eq!(stated(&links("Amina Khan")).0.as_deref(), Some("Amina Khan"));
        assert_eq!(stated(&links("Read more")).0.as_deref(), Some("Bano Shah"), "no name");
        assert_eq!(stated("<a href=/author/>Amina Khan</a>").0, None, "the list of authors");
    }

    #[test]
    fn the_author_of_an_item_of_schema_org_is_that_of_the_page() {
        for item in [
            "<span itemprop=author>Amina Khan</span>",
            "<div itemprop='author' itemscope itemtype=https://schema.org/Person><a href=/a>\
             <span itemprop=\"name\">Amina Khan</span></a> (editor)</div>",
            "<div itemprop=author itemscope><meta itemprop=name content='Amina Khan'></div>",
            "<div itemprop=author content='Amina Khan'></div>",
            "<p itemprop=author>By <b>Amina</b> Khan,</p>",
        ] {
            let text = "word ".repeat(2000);
            let other = "<span itemprop=author>Bano Shah</span>";
            let page = format!("<h1>A</h1><p>{text}</p>{item}<p>{text}</p>{other}");
            assert_eq!(stated(&page).0.as_deref(), Some("Amina Khan"), "{item}");
        }
        for other in ["class=comment", "itemprop=review itemscope"] {
            let text = "word ".repeat(2000);
            let other =
                format!("<h1>A</h1>{text}<div {other}><i itemprop=author>Amina Khan</i></div>");
            assert_eq!(stated(&other).0, None, "{other}");
        }
        assert_eq!(stated("<h1>A</h1><a rel=author href=/a>See full bio</a>").0, None);
    }

    #[test]
    fn what_programs_write_in_the_place_of_a_name_is_none() {
        for name in ["admin", "undefined", "NULL"] {
            assert_eq!(stated(&format!("<meta name=author content={name}>")).0, None, "{name}");
        }
        assert_eq!(stated("<h1>A</h1><p class=author>Written By <span></span>").0, None);
        assert_eq!(stated("<h1>A</h1><p class=author>By <span>Feb 12, 2025</span>").0, None);
    }

    #[test]
    fn organizations_desks_and_programs_are_no_authors() {
        for name in [
            "Microsoft Word",
            "TYPO3",
            "© 2024 Valley News",
            "Ministry of Health",
            "Acme Web Ltd.",
            "University of Valley, Dept. of Physics",
            "Redaktion",
            "webmaster",
            "Web Desk",
            "ویب ڈیسک",
            "Редакция",
            "Guest Author",
            "Joomla! - Open Source",
            "City of Valley",
        ] {
            let page = format!("<meta name=author content='{name}'><h1>A</h1><p>By Amina Khan</p>");
            assert_eq!(stated(&page).0.as_deref(), Some("Amina Khan"), "{name}");
            let json =
                format!("<script type=application/ld+json>{{\"author\":\"{name}\"}}</script>");
            assert_eq!(stated(&json).0, None, "{name}");
        }
        let site = "<meta property=og:site_name content='Web Desk'>";
        assert_eq!(stated(site).1.as_deref(), Some("Web Desk"));
    }

    #[test]
    fn a_page_without_names_has_none() {
        let page = format!(
            "<meta name=author content='{}'><meta name=author content='12 3'>",
            "n".repeat(201)
        );
        assert_eq!(stated(&page), (None, None));
        assert_eq!(
            stated("<script type=application/ld+json>{\"author\":[[]],\"publisher\":3}</script>"),
            (None, None)
        );
    }
}
