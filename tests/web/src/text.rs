//! Text from sentence patterns and word lists.
//!
//! A data file holds named sections, one entry a line:
//!
//! ```text
//! # a comment
//! [player]
//! Imran Qureshi|m
//! [cricket.body]
//! {player1} scored {#20-140} runs and {player1?he/she} left the field to {=applause/cheers}.
//! ```
//!
//! An entry may end in `|m`, `|f` or `|p` (masculine, feminine, plural). In a pattern
//! - `{list}` is any entry of the section `list`;
//! - `{list1}` .. `{list9}` is the same entry through the whole article, and another one for each
//!   digit;
//! - `{list_a}` is the same entry through the sentence;
//! - `{name?x/y/z}` agrees with a bound name: `x` for m, `y` for f, `z` for p (`x` when there is no
//!   `z`);
//! - `{#3-9}` is a number of that range;
//! - `{=x/y/z}` is one of the given words.
//!
//! A topic is a prefix that has the sections `.title`, `.lead`, `.body` and `.close`.

use anyhow::{bail, Context, Result};
use fastrand::Rng;
use std::collections::{BTreeMap, HashMap};

/// Entries may refer to lists whose entries refer to lists; deeper than this is a mistake in the
/// data.
const MAX_DEPTH: usize = 5;

#[derive(Debug, Clone)]
struct Entry {
    text: String,
    /// Index into the forms of an agreement: m 0, f 1, p 2.
    form: usize,
}

/// The word lists and sentence patterns of one language.
#[derive(Debug)]
pub struct Grammar {
    lists: BTreeMap<String, Vec<Entry>>,
    topics: Vec<String>,
}

/// One generated article, without any markup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Article {
    /// The topic that it was generated from.
    pub topic: String,
    /// Its headline.
    pub title: String,
    /// Its paragraphs, two to five sentences each.
    pub paragraphs: Vec<String>,
}

/// The values of placeholders while an article is written: names with a digit hold for the article,
/// names with a letter for the sentence.
#[derive(Default)]
struct Scope {
    article: HashMap<String, Entry>,
    sentence: HashMap<String, Entry>,
}

impl Grammar {
    /// Reads a data file.
    ///
    /// # Errors
    /// An entry outside a section, a reference to a section that does not exist, or a brace that is
    /// not closed.
    pub fn parse(data: &str) -> Result<Grammar> {
        let mut lists: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
        let mut current: Option<&mut Vec<Entry>> = None;
        for line in data.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
            if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                current = Some(lists.entry(name.to_string()).or_default());
            } else {
                let section = current
                    .as_mut()
                    .with_context(|| format!("entry before any section: {line}"))?;
                section.push(parse_entry(line));
            }
        }
        let topics = lists
            .keys()
            .filter_map(|k| k.strip_suffix(".body"))
            .filter(|t| *t != "any")
            .map(String::from);
        let grammar = Grammar { topics: topics.collect(), lists };
        grammar.check()?;
        Ok(grammar)
    }

    fn check(&self) -> Result<()> {
        for (name, entries) in &self.lists {
            if entries.is_empty() {
                bail!("section [{name}] is empty");
            }
            for entry in entries {
                for reference in references(&entry.text)? {
                    if !self.lists.contains_key(reference) {
                        bail!(
                            "[{name}] refers to {{{reference}}}, which is not a section: {}",
                            entry.text
                        );
                    }
                }
            }
        }
        for topic in &self.topics {
            for part in ["title", "lead", "close"] {
                if !self.lists.contains_key(&format!("{topic}.{part}")) {
                    bail!("topic {topic} has no [{topic}.{part}]");
                }
            }
        }
        Ok(())
    }

    /// The topics of this language, in alphabetical order.
    pub fn topics(&self) -> &[String] {
        &self.topics
    }

    /// Returns all entries of a section as they are written; none if there is no such section.
    pub fn list(&self, name: &str) -> Vec<&str> {
        self.lists
            .get(name)
            .map(|l| l.iter().map(|e| e.text.as_str()).collect())
            .unwrap_or_default()
    }

    /// One entry of a section, expanded on its own. An unknown section gives the empty text.
    pub fn phrase(&self, list: &str, rng: &mut Rng) -> String {
        self.sentence(list, rng, &mut Scope::default())
    }

    /// The headline of [`Grammar::article`] for the same generator state.
    pub fn title(&self, topic: &str, rng: &mut Rng) -> String {
        self.headline(topic, rng, &mut Scope::default())
    }

    /// An article on `topic` of about `sentences` sentences.
    pub fn article(&self, topic: &str, sentences: usize, rng: &mut Rng) -> Article {
        let mut scope = Scope::default();
        let title = self.headline(topic, rng, &mut scope);
        let mut own = self.shuffled(&format!("{topic}.body"), rng);
        let mut any = self.shuffled("any.body", rng);
        let mut all = vec![self.sentence(&format!("{topic}.lead"), rng, &mut scope)];
        while all.len() + 1 < sentences {
            // Three sentences of the topic for one that fits every topic, so that an article stays
            // with its subject.
            let from_any = rng.u8(..4) == 0;
            let Some(entry) = (if from_any { any.pop() } else { None })
                .or_else(|| own.pop())
                .or_else(|| any.pop())
            else {
                break;
            };
            scope.sentence.clear();
            let text = self.expand(&entry.text, rng, &mut scope, 0);
            all.push(capitalised(&text));
        }
        all.push(self.sentence(&format!("{topic}.close"), rng, &mut scope));
        let mut paragraphs = Vec::new();
        let mut rest = all.as_slice();
        while !rest.is_empty() {
            let take = rng.usize(2..=5).min(rest.len());
            // No paragraph of a single sentence at the end.
            let take = if rest.len() - take == 1 { rest.len() } else { take };
            paragraphs.push(rest[..take].join(" "));
            rest = &rest[take..];
        }
        Article { topic: topic.to_string(), title, paragraphs }
    }

    fn headline(&self, topic: &str, rng: &mut Rng, scope: &mut Scope) -> String {
        let title = self.sentence(&format!("{topic}.title"), rng, scope);
        title.trim_end_matches(['.', '۔']).to_string()
    }

    fn shuffled(&self, list: &str, rng: &mut Rng) -> Vec<&Entry> {
        let mut entries: Vec<&Entry> =
            self.lists.get(list).map(|l| l.iter().collect()).unwrap_or_default();
        rng.shuffle(&mut entries);
        entries
    }

    fn sentence(&self, list: &str, rng: &mut Rng, scope: &mut Scope) -> String {
        scope.sentence.clear();
        let Some(entries) = self.lists.get(list) else { return String::new() };
        let pattern = &entries[rng.usize(..entries.len())].text;
        capitalised(&self.expand(pattern, rng, scope, 0))
    }

    fn expand(&self, pattern: &str, rng: &mut Rng, scope: &mut Scope, depth: usize) -> String {
        let mut out = String::with_capacity(pattern.len() * 2);
        let mut rest = pattern;
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            let Some((inside, tail)) = after.split_once('}') else { break };
            rest = tail;
            if let Some(choices) = inside.strip_prefix('=') {
                let choices: Vec<&str> = choices.split('/').collect();
                out.push_str(choices[rng.usize(..choices.len())]);
            } else if let Some((low, high)) = inside.strip_prefix('#').and_then(number_range) {
                out.push_str(&rng.u32(low..=high).to_string());
            } else if let Some((name, forms)) = inside.split_once('?') {
                let forms: Vec<&str> = forms.split('/').collect();
                let form = self.bound(name, rng, scope, depth).form;
                out.push_str(forms.get(form).copied().unwrap_or(forms[0]));
            } else {
                out.push_str(&self.bound(inside, rng, scope, depth).text);
            }
        }
        out.push_str(rest);
        out
    }

    /// Returns the entry for a name. A name with a digit or a letter at its end keeps its entry.
    fn bound(&self, name: &str, rng: &mut Rng, scope: &mut Scope, depth: usize) -> Entry {
        if let Some(entry) = scope.article.get(name).or_else(|| scope.sentence.get(name)) {
            return entry.clone();
        }
        let list = list_of(name);
        let entries = self.lists.get(list).map(Vec::as_slice).unwrap_or_default();
        if entries.is_empty() || depth >= MAX_DEPTH {
            return Entry { text: String::new(), form: 0 };
        }
        let mut entry = entries[rng.usize(..entries.len())].clone();
        if list == name {
            entry.text = self.expand(&entry.text, rng, scope, depth + 1);
            return entry;
        }
        // person1 and person2 are two people: draw again a few times when the text is taken.
        for _ in 0..8 {
            let taken = scope.article.iter().chain(&scope.sentence);
            if !taken.into_iter().any(|(n, e)| list_of(n) == list && e.text == entry.text) {
                break;
            }
            entry = entries[rng.usize(..entries.len())].clone();
        }
        entry.text = self.expand(&entry.text, rng, scope, depth + 1);
        let scope = if name.ends_with(|c: char| c.is_ascii_digit()) {
            &mut scope.article
        } else {
            &mut scope.sentence
        };
        scope.insert(name.to_string(), entry.clone());
        entry
    }
}

fn parse_entry(line: &str) -> Entry {
    for (form, tag) in ["|m", "|f", "|p"].into_iter().enumerate() {
        if let Some(text) = line.strip_suffix(tag) {
            return Entry { text: text.trim_end().to_string(), form };
        }
    }
    Entry { text: line.to_string(), form: 0 }
}

/// `player1` and `player_a` are of the list `player`.
fn list_of(name: &str) -> &str {
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit());
    match bare.rsplit_once('_') {
        Some((list, tail)) if tail.len() == 1 => list,
        _ => bare,
    }
}

fn number_range(range: &str) -> Option<(u32, u32)> {
    let (low, high) = range.split_once('-')?;
    Some((low.parse().ok()?, high.parse().ok()?))
}

fn references(pattern: &str) -> Result<Vec<&str>> {
    let mut found = Vec::new();
    let mut rest = pattern;
    while let Some((_, after)) = rest.split_once('{') {
        let (inside, tail) =
            after.split_once('}').with_context(|| format!("brace not closed: {pattern}"))?;
        rest = tail;
        if inside.starts_with('=') {
            continue;
        }
        if let Some(range) = inside.strip_prefix('#') {
            number_range(range)
                .with_context(|| format!("not a range of numbers: {{{inside}}} in {pattern}"))?;
            continue;
        }
        found.push(list_of(inside.split('?').next().unwrap_or(inside)));
    }
    Ok(found)
}

/// English sentences may start with a slot that holds a lower-case word.
fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) if first.is_ascii_lowercase() => {
            first.to_ascii_uppercase().to_string() + chars.as_str()
        }
        _ => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const DATA: &str =
        "[name]\nAnna|f\nOmar|m\n[x.title]\n{name1}?\n[x.lead]\n{name1} ate {name1?his/her} {#2-2} {=figs}.\n\
                        [x.body]\n{name1} met {name2}.\n[x.close]\nthe end of {name1}.";

    #[test]
    fn a_bound_name_stays_and_its_words_agree() {
        let grammar = Grammar::parse(DATA).unwrap();
        for seed in 0..20 {
            let article = grammar.article("x", 3, &mut Rng::with_seed(seed));
            let text = article.paragraphs.join(" ");
            let (me, other, word) = if article.title == "Anna?" {
                ("Anna", "Omar", "her")
            } else {
                ("Omar", "Anna", "his")
            };
            assert_eq!(text, format!("{me} ate {word} 2 figs. {me} met {other}. The end of {me}."));
        }
    }

    #[test]
    fn the_title_alone_is_the_title_of_the_article() {
        let grammar = Grammar::parse(DATA).unwrap();
        for seed in 0..20 {
            let title = grammar.title("x", &mut Rng::with_seed(seed));
            assert_eq!(title, grammar.article("x", 3, &mut Rng::with_seed(seed)).title);
        }
    }

    #[test]
    fn mistakes_in_the_data_are_named() {
        for (data, word) in [
            ("loose", "before any section"),
            ("[a]\n{b}", "not a section"),
            ("[a]\n{a", "not closed"),
            ("[a]\n{#x-2}", "range"),
            ("[a.body]\nx", "[a.title]"),
        ] {
            let error = format!("{:#}", Grammar::parse(data).unwrap_err());
            assert!(error.contains(word), "{error}");
        }
    }
}
