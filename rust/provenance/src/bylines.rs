//! The authors that a page names in its text, behind the heading: `By Amina Khan`.

use crate::text::{self, Reading};
use content::{author_label, is_before_author, Byline, AUTHOR_JOINERS};

/// Parts of names of elements that have a list of authors, or the author of something else.
const OTHER_NAMES: [&str; 12] = [
    "comment", "related", "avatar", "caption", "credit", "teaser", "sidebar", "widget", "nav",
    "-card", "share", "follow",
];

/// Parts of names of elements that have the author.
const NAMED: [&str; 3] = ["author", "byline", "writer"];

/// Particles that are written small in names.
const PARTICLES: [&str; 22] = [
    "de", "da", "do", "dos", "das", "del", "della", "di", "du", "van", "von", "der", "den", "ten",
    "la", "le", "al", "el", "bin", "ibn", "ul", "y",
];

/// Words of an element of an author that are not a name.
const NO_NAMES: [&str; 25] = [
    "category",
    "demand",
    "favor",
    "popular",
    "about",
    "all",
    "article",
    "author",
    "bio",
    "biography",
    "comments",
    "contributor",
    "editor",
    "follow",
    "more",
    "news",
    "posts",
    "profile",
    "published",
    "reporter",
    "share",
    "staff",
    "updated",
    "writer",
    "nachrichten",
];

/// Words of the name of an organization or a desk, in lower case.
const ORGANIZATIONS: &str = " desk staff newsroom team news webmaster editors editorial times tribune herald gazette magazine magazin zeitung tageblatt ministry \
    university department dept institute council committee association foundation agency government \
    city redaktion redaction rédaction redacción redaccion redacao redação redazione redactie redakcja redaksi \
    redakce ministerium ministerio ministero ministère universität universidad université stadt \
    редакция редакції редакція министерство пресс-служба ڈیسک نیوز ادارہ المحرر التحرير تحریریه وزارت \
    وزارة डेस्क टीम ডেস্ক প্রতিবেদক 编辑部 編集部 ";

/// Words that only organizations have, also behind a comma.
const LEGAL: &str = " ltd limited inc llc gmbh corp plc contributors solutions ";

/// Whether a name is that of an organization, a desk or an editorial office. What follows a comma is
/// the work of a person: `Amina Khan, Staff Reporter`.
pub(crate) fn is_organization(name: &str) -> bool {
    let lower = name.to_lowercase();
    let has = |text: &str, list: &str| {
        let words = text.split_whitespace().map(|word| word.trim_matches(['.', ',', '(', ')']));
        words.filter(|word| !word.is_empty()).any(|word| list.split(' ').any(|of| of == word))
    };
    lower.starts_with('©')
        || has(&lower, LEGAL)
        || has(lower.split(',').next().unwrap_or_default(), ORGANIZATIONS)
}

/// Longest name, in words and characters.
const MAX_WORDS: usize = 5;
const MAX_CHARACTERS: usize = 60;

/// Most authors in bylines.
const MAX_AUTHORS: usize = 8;

/// Returns the authors of the first byline that has a name, and of the texts behind it that belong
/// to it.
pub fn authors(bylines: &[Byline]) -> Vec<String> {
    let mut authors: Vec<String> = Vec::new();
    for byline in bylines {
        // A second element has the same name again, or that of another article's author.
        if !authors.is_empty() && !byline.is_joined {
            break;
        }
        for name in names(byline) {
            if !authors.contains(&name) && authors.len() < MAX_AUTHORS {
                authors.push(name);
            }
        }
    }
    authors
}

/// The text behind the labels of an author that it begins with (`By`, `Autor:`). `is_label` is
/// asked about each, and told whether a colon follows it.
pub(crate) fn after_labels(mut text: &str, is_label: impl Fn(&str, bool) -> bool) -> &str {
    loop {
        let (label, rest) = text.split_at(author_label(text));
        let word = label.trim_end_matches([':', '：', '՝', '/', ' ']);
        if word.is_empty()
            || rest.is_empty()
            || !is_label(word, word.len() < label.trim_end().len())
        {
            return text;
        }
        text = rest;
    }
}

/// The text behind the last label of an author that stands behind a day: `on 12 March 2024 by`.
fn after_day(text: &str) -> &str {
    let mut labels = text.match_indices(' ').map(|(at, _)| at + 1).filter_map(|at| {
        let label = author_label(&text[at..]);
        (label > 0 && text[..at].contains(char::is_numeric)).then(|| &text[at + label..])
    });
    labels.next_back().unwrap_or(text)
}

/// Whether a letter is small in a script with capitals. Text in Georgian has none.
fn is_small(c: char) -> bool {
    c.is_lowercase() && !('\u{10d0}'..='\u{10ff}').contains(&c)
}

fn is_particle(word: &str) -> bool {
    PARTICLES.contains(&word.to_lowercase().as_str())
}

/// The names in a text, if it is a byline.
fn names(byline: &Byline) -> Vec<String> {
    let has_other = OTHER_NAMES.iter().any(|name| byline.names.contains(name));
    if has_other {
        return Vec::new();
    }
    // `von` and `di` also begin names: `Von Miller`.
    let text = after_labels(&byline.text, |word, has_colon| {
        has_colon || !is_particle(word) || byline.text.split(' ').count() > 2
    });
    let before = byline.label.as_str();
    let ends = before.rmatch_indices(' ').take(2).map(|(at, _)| &before[at + 1..]);
    let is_labelled = byline.is_joined
        || text.len() < byline.text.len()
        || std::iter::once(before).chain(ends).any(is_before_author);
    // Behind more words it is a link in a sentence.
    let is_linked =
        byline.is_linked && (byline.is_joined || before.split_whitespace().count() <= 2);
    let is_named = is_linked || NAMED.iter().any(|name| byline.names.contains(name));
    // One word behind `By` or a comma is a name only if something else says so: `By Car`.
    let is_certain = !byline.is_joined
        && (is_named || text.len() == byline.text.len() || byline.text.contains([':', '：', '/']));
    if !is_labelled && !is_named {
        return Vec::new();
    }
    let behind_day = after_day(text);
    let is_labelled = is_labelled || behind_day.len() < text.len();
    let text = behind_day;
    let ends = |c: char| matches!(c, '|' | '•' | '·' | '—' | '–' | '(' | '/') || c.is_numeric();
    let day = text::places(text, Reading::default()).first().map(|(place, _)| place.start);
    let end = day.into_iter().chain(text.find(ends)).min().unwrap_or(text.len());
    let (text, rest) = text.split_at(end);
    // A date: `Feb 12`.
    if rest.starts_with(char::is_numeric) && !text.trim().contains(' ') {
        return Vec::new();
    }
    // A preposition before the day: `le 12 mars`.
    let is_before_day =
        |last: &str| rest.starts_with(char::is_numeric) && last.chars().all(is_small);
    let text = match text.trim_end().rsplit_once(' ') {
        Some((name, last)) if is_before_day(last) => name,
        _ => text,
    };
    // Behind the name are the day, the paper or the place: `on Monday`, `for The Paper`.
    let text =
        [" - ", " on ", " for ", " in ", " at "].iter().fold(text.trim_end(), |text, end| {
            let text = text.split(end).next().unwrap_or_default();
            text.strip_suffix(end.trim_end()).unwrap_or(text)
        });
    let mut found = Vec::new();
    for part in parts(text) {
        let name = part.trim().trim_start_matches("and ");
        // The first that is no name is the place of work or a date.
        let is_short = is_labelled && is_certain || is_linked || is_unspaced(name);
        if name.starts_with("The ") || !is_name(name, is_short) {
            break;
        }
        found.push(name.to_owned());
    }
    found
}

/// The parts of a list of names.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ';', '、', '，', '،'])
        .flat_map(|part| part.split(" and "))
        .flat_map(|part| part.split(" & "))
        .map(str::trim)
        .flat_map(|part| {
            // Such a word is also part of one name (`Ortega y Gasset`), so both names must have two
            // words at least.
            let two = AUTHOR_JOINERS.iter().find_map(|word| part.split_once(&format!(" {word} ")));
            match two.filter(|(one, other)| one.contains(' ') && other.contains(' ')) {
                Some((one, other)) => [Some(one), Some(other)],
                None => [Some(part), None],
            }
        })
        .flatten()
}

/// Whether a text is in a script that writes names without a space, and as short as one: `松村太郎`.
fn is_unspaced(text: &str) -> bool {
    let is_letter = |c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}');
    (2..=8).contains(&text.chars().count()) && text.chars().all(is_letter)
}

/// The names in a list, if there are two or more and each has two words at least: `Khan, Amina` is
/// one name.
pub(crate) fn listed(text: &str) -> Option<Vec<String>> {
    let names: Vec<String> =
        parts(text).map(|name| name.trim_start_matches("and ").to_owned()).collect();
    let are_names = names.len() > 1
        && names.iter().all(|name| !name.starts_with("The ") && is_name(name, false));
    are_names.then_some(names)
}

/// Whether a text can be the name of a person or an agency: one to five words, two or more if no
/// word such as `By` is before it, each with a capital if its script has them.
pub(crate) fn is_name(text: &str, is_labelled: bool) -> bool {
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let least = if is_labelled { 1 } else { 2 };
    (least..=MAX_WORDS).contains(&words.len())
        && text.chars().count() <= MAX_CHARACTERS
        && !text.contains(['?', '!', '"', '@', ':'])
        && words.iter().all(|word| {
            let first = word.chars().next();
            let lower = word.to_lowercase();
            let is_large = first.is_some_and(|c| c.is_alphabetic() && !is_small(c));
            (is_large || is_particle(word)) && !NO_NAMES.contains(&lower.as_str())
        })
        && !words.iter().all(|word| is_before_author(word))
        && !is_organization(text)
}

#[cfg(test)]
mod tests {
    use super::authors;
    use content::{links, LinkOptions};

    fn found(html: &str) -> String {
        let options = LinkOptions { statements: true, ..LinkOptions::default() };
        authors(&links(html, &options, None).statements.bylines).join("; ")
    }

    #[test]
    fn texts_behind_the_heading_name_their_authors() {
        for (html, expected) in [
            ("<p>By Amina Khan</p>", "Amina Khan"),
            (
                "<div>BY <a href=/a>Amina Khan</a>, <a href=/author/7>Cem</a> and <a href=/c>Bano Shah</a></div>",
                "Amina Khan; Cem; Bano Shah",
            ),
            ("<p class=byline><a href=/a>Amina Khan</a>, <a href=/b>News</a></p>", "Amina Khan"),
            ("<p>By <a href=/a>Amina Khan</a>, The Paper, <a href=/b>Madrid</a></p>", "Amina Khan"),
            ("<p class=byline>Amina Khan und Bano Shah</p>", "Amina Khan; Bano Shah"),
            ("<p class=byline>Amina Ortega y Gasset</p>", "Amina Ortega y Gasset"),
            ("<div class=css-1w-Byline><i>Amina Khan</i></div>", "Amina Khan"),
            ("<div><a href=/staff/amina-khan/><b>Amina Khan</b></a></div>", "Amina Khan"),
            ("<span class=writer>松村太郎</span>", "松村太郎"),
            ("<p class=byline>Wednesday January 18, 2017 10:44 am PST", ""),
            ("<p class=byline>Wednesday January 18, 2017 by Amina Khan", "Amina Khan"),
            (
                "<p>By Amina Khan, Bano de la Cruz and Cem Dal, The Paper</p>",
                "Amina Khan; Bano de la Cruz; Cem Dal",
            ),
            ("<p>Written by: Amina Khan | 12 March 2024</p>", "Amina Khan"),
            ("<p>By <!-- -->Amina Khan<p>By Bano Shah", "Amina Khan"),
            ("<div class=post-author><span>Amina Khan</span></div>", "Amina Khan"),
            ("<span class=byline>Von Amina Khan (Berlin)</span>", "Amina Khan"),
            ("<span class=byline>Von Miller</span>", "Von Miller"),
            ("<p>Автор: Амина Хан</p>", "Амина Хан"),
            ("<p>تحریر: آمنہ خان</p>", "آمنہ خان"),
            ("<p>लेखक: अमीना ख़ान</p>", "अमीना ख़ान"),
            ("<p>Por Amina Khan - 12/3/2024</p>", "Amina Khan"),
            ("<p>Written by Amina Khan on Monday</p>", "Amina Khan"),
            ("<p>By Amina Khan for The Paper</p>", "Amina Khan"),
            ("<p>By Amina Khan in <a href=/n>News</a></p>", "Amina Khan"),
        ] {
            assert_eq!(found(&format!("<h1>News of the day</h1>{html}")), expected, "{html}");
        }
    }

    #[test]
    fn labels_in_many_languages_name_the_author() {
        let lines = include_str!("../tests/bylines.tsv").lines();
        let wrong = lines.filter(|line| !line.starts_with('#')).filter_map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let found = found(&format!("<h1>News</h1><p>{}</p>", cells[1]));
            (found != cells[2].trim_matches('-')).then(|| format!("{line}: {found}"))
        });
        assert_eq!(wrong.collect::<Vec<_>>().join("\n"), "");
    }

    #[test]
    fn other_texts_name_no_author() {
        for html in [
            "<h1>News</h1><p>By using this page you agree</p>",
            "<h1>News</h1><p>By the end of the day all was sold.</p>",
            "<h1>News</h1><p>By Car</p>",
            "<h1>News</h1><p>The song of last year was <a href=/staff/amina-khan>Amina Khan</a>'s</p>",
            "<h1>News</h1><p>By Popular Demand</p>",
            "<h1>News</h1><p>Por Redacción</p>",
            "<h1>News</h1><p>Автор: Редакция</p>",
            "<h1>News</h1><p>تحریر: ادارہ</p>",
            "<h1>News</h1><p class=byline>Web Desk</p>",
            "<h1>News</h1><p>By <span class=author>Valley Post editors</span></p>",
            "<h1>News</h1><div class=comment-author>Amina Khan</div>",
            "<h1>News</h1><div class=author>About the author</div>",
            "<h1>News</h1><div class=author-share>Share</div>",
            "<h1>News</h1><figure><figcaption class='caption author'>Bano Shah</figcaption></figure>",
            "<p>By Amina Khan</p><h1>News</h1><p>A text</p>",
            "<h1>News</h1>",
        ] {
            assert_eq!(found(html), "", "{html}");
        }
        let far = format!("<h1>News</h1><p>{}</p><p>By Amina Khan</p>", "word ".repeat(1500));
        assert_eq!(found(&far), "");
    }
}
