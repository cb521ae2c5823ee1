//! Footnotes of a page: links with a number or a sign to a block below them, as Pandoc, MediaWiki,
//! GitHub, kramdown, Word and Substack write them.

use crate::shape::{Kid, Role, Tree};
use std::collections::{HashMap, HashSet};

/// Longest number or sign of a footnote, in characters.
const MAX_LABEL: usize = 4;

/// Longest footnote, in bytes. What is longer is a section.
const MAX_NOTE: usize = 8 << 10;

/// The footnotes of a tree.
#[derive(Debug, Default)]
pub(crate) struct Footnotes {
    /// Links to a footnote, with its label.
    references: HashMap<usize, String>,
    /// Blocks that are footnotes, with their label.
    notes: HashMap<usize, String>,
    /// Links of footnotes that lead back, or that are their number.
    backward: Vec<usize>,
}

impl Footnotes {
    /// Finds the links with the label of a footnote whose target is a block below. It is one if it
    /// links back, or if the label is superscript.
    pub(crate) fn of(tree: &Tree) -> Footnotes {
        let mut found = Footnotes::default();
        let targets = targets(tree);
        if targets.is_empty() {
            return found;
        }
        let parents = parents(tree);
        // Many links may lead to one block, which is read once.
        let mut links_back: HashMap<usize, Option<Vec<usize>>> = HashMap::new();
        let mut labels = HashSet::new();
        for (link, node) in tree.nodes.iter().enumerate() {
            let Some(&place) = fragment(tree, link).and_then(|name| targets.get(name)) else {
                continue;
            };
            let Some(label) = label(tree, link) else { continue };
            let note = above(&parents, place).find(|node| is_note(tree.role(*node)));
            let Some(note) = note.filter(|note| link < *note) else { continue };
            let backward = links_back.entry(note).or_insert_with(|| {
                may_be_note(tree, &parents, note).then(|| backward(tree, &targets, note))
            });
            let Some(backward) = backward else { continue };
            let is_raised = node.kids.iter().any(|kid| is_sup(tree, kid))
                || *tree.role(parents[link]) == Role::Sup;
            let is_numbered = matches!(tree.role(parents[note]), Role::List(Some(_)));
            if backward.is_empty() && !(is_raised && is_numbered) {
                continue;
            }
            let number = found.notes.len() + 1;
            let name = found.notes.entry(note).or_insert_with(|| {
                found.backward.extend_from_slice(backward);
                let is_new = labels.insert(label.clone());
                if is_new {
                    label
                } else {
                    format!("{label}-{number}")
                }
            });
            found.references.insert(link, name.clone());
        }
        found.backward.sort_unstable();
        found
    }

    /// The label of the footnote that a link leads to.
    pub(crate) fn reference(&self, link: usize) -> Option<&str> {
        self.references.get(&link).map(String::as_str)
    }

    /// The label of a block that is a footnote.
    pub(crate) fn note(&self, node: usize) -> Option<&str> {
        self.notes.get(&node).map(String::as_str)
    }

    /// Returns true for a link of a footnote that is not part of its text.
    pub(crate) fn is_backward(&self, link: usize) -> bool {
        self.backward.binary_search(&link).is_ok()
    }

    /// Returns true if a superscript has only references.
    pub(crate) fn is_reference_raised(&self, tree: &Tree, node: usize) -> bool {
        let is_one = |kid: &Kid| match kid {
            Kid::Node(inner) => self.reference(*inner).is_some(),
            Kid::Space => true,
            _ => false,
        };
        *tree.role(node) == Role::Sup && tree.nodes[node].kids.iter().all(is_one)
    }
}

/// The elements that have a name.
fn targets(tree: &Tree) -> HashMap<&str, usize> {
    let is_linked = |node: &usize| fragment(tree, *node).is_some();
    if !(0..tree.nodes.len()).any(|node| is_linked(&node)) {
        return HashMap::new();
    }
    let mut targets = HashMap::new();
    for (node, inner) in tree.nodes.iter().enumerate().filter(|(_, n)| !n.element.name.is_empty()) {
        targets.entry(inner.element.name.as_str()).or_insert(node);
    }
    targets
}

fn parents(tree: &Tree) -> Vec<usize> {
    let mut parents = vec![0; tree.nodes.len()];
    for (node, inner) in tree.nodes.iter().enumerate() {
        for kid in &inner.kids {
            if let Kid::Node(kid) = kid {
                parents[*kid] = node;
            }
        }
    }
    parents
}

/// A node and those around it.
fn above(parents: &[usize], node: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(Some(node), |node| Some(parents[*node]).filter(|_| *node > 0))
}

fn is_note(role: &Role) -> bool {
    matches!(role, Role::Item(_) | Role::Paragraph | Role::Block)
}

fn is_sup(tree: &Tree, kid: &Kid) -> bool {
    matches!(kid, Kid::Node(node) if *tree.role(*node) == Role::Sup)
}

/// The name that a link within the page leads to.
fn fragment(tree: &Tree, node: usize) -> Option<&str> {
    let is_link = *tree.role(node) == Role::Link;
    tree.nodes[node].element.target.strip_prefix('#').filter(|_| is_link)
}

/// The number, letter or sign of a footnote that is all text of a link, without its brackets.
fn label(tree: &Tree, link: usize) -> Option<String> {
    let mut text = String::new();
    tree.verbatim(link, &mut text);
    let text = text.trim().trim_matches(['[', ']', '(', ')']).trim();
    let is_number = text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric());
    let is_letter = text.chars().all(char::is_alphabetic) && text.chars().count() == 1;
    let is_sign = text.chars().all(|c| "*†‡§".contains(c));
    let is_short = !text.is_empty() && text.chars().count() <= MAX_LABEL;
    let is_label = is_short && (is_number || is_letter || is_sign);
    is_label.then(|| text.to_owned())
}

/// Returns true for a block that is no section, heading or part of a table.
fn may_be_note(tree: &Tree, parents: &[usize], node: usize) -> bool {
    let is_in_line =
        |node| matches!(tree.role(node), Role::Cell(_) | Role::Heading(_) | Role::Term);
    let mut text = String::new();
    tree.verbatim(node, &mut text);
    // Its text may not be main content.
    let has_text = text.chars().filter(|c| c.is_alphabetic()).nth(1).is_some();
    has_text
        && text.len() <= MAX_NOTE
        && !has_heading(tree, node)
        && !above(parents, node).any(is_in_line)
}

fn has_heading(tree: &Tree, node: usize) -> bool {
    tree.parts(node, |_| true)
        .into_iter()
        .any(|inner| matches!(tree.role(inner), Role::Heading(_)) || has_heading(tree, inner))
}

/// Returns the links in a footnote that lead back to its references, or to a name that no block
/// has: their text is an arrow, a label or nothing.
fn backward(tree: &Tree, targets: &HashMap<&str, usize>, note: usize) -> Vec<usize> {
    let mut links = Vec::new();
    add_backward(tree, targets, (note, note), &mut links);
    links
}

fn add_backward(
    tree: &Tree,
    targets: &HashMap<&str, usize>,
    (note, node): (usize, usize),
    out: &mut Vec<usize>,
) {
    for inner in tree.parts(node, |_| true) {
        let target = fragment(tree, inner).map(|name| targets.get(name));
        let is_back = target.is_some_and(|place| place.is_none_or(|place| *place < note));
        if is_back && is_sign_of_return(tree, inner) {
            out.push(inner);
        } else {
            add_backward(tree, targets, (note, inner), out);
        }
    }
}

fn is_sign_of_return(tree: &Tree, link: usize) -> bool {
    let mut text = String::new();
    tree.verbatim(link, &mut text);
    let is_arrow = |c: char| {
        c == '^' || matches!(u32::from(c), 0x2190..=0x21ff | 0x2934..=0x2935 | 0xfe0e..=0xfe0f)
    };
    text.trim().chars().all(is_arrow) || label(tree, link).is_some()
}

#[cfg(test)]
mod tests {
    use crate::{content_of_text, ContentOptions, Extractor, Form};

    fn markdown(html: &str) -> String {
        content_of_text(html, &ContentOptions::new(Extractor::Text, Form::Markdown)).text
    }

    #[test]
    fn footnotes_of_widespread_programs_are_marked() {
        for (program, html) in [
            (
                "Pandoc",
                "<p>oak<a href=#fn1 id=fnref1><sup>1</sup></a> elm<section><ol><li id=fn1><p>a \
                 tree.<a href=#fnref1>↩︎</a></ol></section>",
            ),
            (
                "MediaWiki",
                "<p>oak<sup id=cite_ref-1><a href=#cite_note-1>[1]</a></sup> elm<ol><li \
                 id=cite_note-1><span>^ <a href=#cite_ref-1-0><sup><i>a</i></sup></a> <a \
                 href=#cite_ref-1-1><sup>b</sup></a></span> a tree.</ol>",
            ),
            (
                "Word",
                "<p>oak<a href=#_ftn1 name=_ftnref1><sup>[1]</sup></a> elm<div id=ftn1><p><a \
                 href=#_ftnref1 name=_ftn1>[1]</a> a tree.</div>",
            ),
            (
                "Substack",
                "<p>oak<a href=#footnote-1 id=footnote-anchor-1>1</a> elm</p><div><a \
                 id=footnote-1 href=#footnote-anchor-1>1</a><div><p>a tree.</div></div>",
            ),
            (
                "Sphinx",
                "<p>oak<a href=#id2 id=id1>[1]</a> elm<aside id=id2><span>[</span><a \
                 href=#id1>1</a><span>]</span><p>a tree.</aside>",
            ),
        ] {
            assert_eq!(markdown(html), "oak[^1] elm\n\n[^1]: a tree.", "{program}");
        }
    }

    #[test]
    fn two_notes_with_one_sign_have_two_labels() {
        let html = "<p>oak<a href=#a id=x>*</a> elm<a href=#b id=y>*</a> fir<a href=#a>*</a>\
                    <p id=a><a href=#x>*</a> one<p id=b>two <a href=#y>↩</a>";
        assert_eq!(markdown(html), "oak[^*] elm[^*-2] fir[^*]\n\n[^*]: one\n\n[^*-2]: two");
    }

    #[test]
    fn links_to_sections_and_pages_are_no_footnotes() {
        for (html, expected) in [
            (
                "<ul><li><a href=#s>1</a> oak</ul><div id=s><h2>oak</h2><p>x <a href=#t>↑</a></div>",
                "- [1](#s) oak\n\n## oak\n\nx [↑](#t)",
            ),
            ("<p>oak <a href=#p>2</a><p id=p>elm", "oak [2](#p)\n\nelm"),
            ("<p id=p>oak<p>elm <a href=#p><sup>1</sup></a>", "oak\n\nelm [<sup>1</sup>](#p)"),
        ] {
            assert_eq!(markdown(html), expected);
        }
    }
}
