//! Every link of the documentation that names a file or a heading of this repository finds it.

use crate::common::root;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use walkdir::WalkDir;

/// The pages that are checked. Their links may lead to any file of the repository.
fn pages() -> Vec<PathBuf> {
    let single = [
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "nutch-conf/README.md",
        "rust/content/DESIGN.md",
        "rust/engine/FRAME.md",
    ];
    let docs =
        WalkDir::new(root().join("docs")).into_iter().map(|entry| entry.unwrap().into_path());
    let docs = docs.filter(|path| path.extension().is_some_and(|it| it == "md"));
    single.iter().map(|name| root().join(name)).chain(docs).collect()
}

/// The links and the anchors of a page.
#[derive(Default)]
struct Page {
    links: Vec<String>,
    anchors: BTreeSet<String>,
}

/// The anchor that GitHub and the documentation site give to a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|&letter| letter.is_alphanumeric() || " -_".contains(letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

fn read(markdown: &str) -> Page {
    let (mut page, mut heading) = (Page::default(), None::<String>);
    let mut seen = BTreeMap::<String, usize>::new();
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                page.links.push(dest_url.into_string());
            }
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let name = anchor(&heading.take().unwrap_or_default());
                let count = seen.entry(name.clone()).or_default();
                page.anchors.insert(if *count == 0 { name } else { format!("{name}-{count}") });
                *count += 1;
            }
            _ => {}
        }
    }
    page
}

/// The path without `.` and `..`, or nothing if it leaves the root.
fn resolve(folder: &Path, link: &str) -> Option<PathBuf> {
    let mut path = folder.to_path_buf();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            Component::Normal(name) => path.push(name),
            _ => {}
        }
    }
    path.starts_with(root()).then_some(path)
}

/// Returns the fault of a link, if it has one.
fn fault(page: &Path, anchors: &BTreeSet<String>, link: &str) -> Option<String> {
    let (path, heading) = link.split_once('#').unwrap_or((link, ""));
    if path.is_empty() {
        return (!anchors.contains(heading)).then(|| format!("no heading #{heading}"));
    }
    let Some(target) = resolve(page.parent().unwrap(), path) else {
        return Some("leads out of the repository".to_owned());
    };
    if !target.is_file() {
        return Some(format!("no file {}", target.display()));
    }
    let missing = !heading.is_empty()
        && !read(&fs::read_to_string(&target).unwrap()).anchors.contains(heading);
    missing.then(|| format!("no heading #{heading} in {path}"))
}

#[test]
fn every_relative_link_and_anchor_of_the_documentation_exists() {
    let (mut checked, mut faults) = (0, Vec::new());
    for path in pages() {
        let page = read(&fs::read_to_string(&path).unwrap());
        for link in
            page.links.iter().filter(|link| !link.contains("://") && !link.starts_with("mailto:"))
        {
            checked += 1;
            let found = fault(&path, &page.anchors, link);
            faults.extend(found.map(|fault| format!("{}: ({link}): {fault}", path.display())));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(checked > 100, "only {checked} links were found");
}

#[test]
fn a_link_to_a_missing_file_or_heading_is_a_fault() {
    let page = root().join("docs/README.md");
    let anchors = read("# One\n## Two *words*, `code`\n## One\n").anchors;
    assert_eq!(
        anchors.iter().map(String::as_str).collect::<Vec<_>>(),
        ["one", "one-1", "two-words-code"]
    );
    for good in ["#one-1", "report.md", "report.md#figures", "../NOTICE"] {
        assert_eq!(fault(&page, &anchors, good), None, "{good}");
    }
    for bad in ["#three", "absent.md", "report.md#absent", "../../absent.md", "adr"] {
        assert!(fault(&page, &anchors, bad).is_some(), "{bad}");
    }
}

#[test]
fn the_documentation_site_names_every_page_of_docs() {
    let site = fs::read_to_string(root().join("docs/site/mkdocs.yml")).unwrap();
    let missing: Vec<_> = pages()
        .iter()
        .map(|path| path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned())
        .filter(|path| !site.contains(path))
        .collect();
    assert!(
        missing.is_empty(),
        "add these pages to nav in docs/site/mkdocs.yml: {}",
        missing.join(", ")
    );
}
