//! ArticleExtractor of Boilerpipe 1.2.2 (Kohlschütter, Fankhauser and Nejdl, WSDM 2010, with its
//! later filters).
//!
//! A chain of filters over passages. At first a passage is one text block; two filters join
//! neighbours. The thresholds are Boilerpipe's, trained on English news. The phrases that end an
//! article are English, too.

use crate::page::Block;
use crate::{Page, Verdict};
use std::collections::HashSet;

/// Returns one verdict for each block.
pub(crate) fn classify(page: &Page) -> Vec<Verdict> {
    let mut article = Article::of(page);
    article.mark_end_of_text();
    article.mark_title();
    article.judge_by_words();
    article.drop_after_end_of_text();
    article.drop_trailing_headings();
    article.fuse(false);
    article.forget_dropped();
    article.fuse(true);
    article.keep_largest();
    article.expand_to_title();
    article.keep_large_at_level();
    article.keep_list_at_end();
    article.verdicts
}

/// A block, or several blocks that were joined.
struct Passage {
    /// Its first and last block, as indices of the page's blocks. [`Article::next`] has those
    /// between.
    first: u32,
    last: u32,
    content: bool,
    level: u32,
    words: u32,
    linked_words: u32,
    wrapped_words: u32,
    wrapped_lines: u32,
    is_title: bool,
    ends_text: bool,
    in_list: bool,
    in_heading: bool,
    /// Set after the largest passage is known: this is it.
    is_largest: bool,
    /// Set after the largest passage is known: this is another one.
    is_candidate: bool,
}

impl Passage {
    fn of(index: usize, block: &Block) -> Self {
        let mut passage = Passage {
            first: index as u32,
            last: index as u32,
            content: false,
            level: block.level,
            words: block.words,
            linked_words: block.linked_words,
            wrapped_words: block.wrapped_words,
            wrapped_lines: block.wrapped_lines,
            is_title: false,
            ends_text: false,
            in_list: block.in_list,
            in_heading: block.in_heading,
            is_largest: false,
            is_candidate: false,
        };
        passage.mend_wrapping();
        passage
    }

    /// A text without a full line counts as one line.
    fn mend_wrapping(&mut self) {
        if self.wrapped_words == 0 {
            self.wrapped_words = self.words;
            self.wrapped_lines = 1;
        }
    }

    fn fuse(&mut self, next: &Passage) {
        self.last = next.last;
        self.content |= next.content;
        self.level = self.level.min(next.level);
        self.words += next.words;
        self.linked_words += next.linked_words;
        self.wrapped_words += next.wrapped_words;
        self.wrapped_lines += next.wrapped_lines;
        self.is_title |= next.is_title;
        self.ends_text |= next.ends_text;
        self.in_list |= next.in_list;
        self.in_heading |= next.in_heading;
        self.is_largest |= next.is_largest;
        self.is_candidate |= next.is_candidate;
        self.mend_wrapping();
    }

    /// Words in links per word, in single precision, as in Boilerpipe.
    fn link_density(&self) -> f64 {
        match self.words {
            0 => 0.0,
            words => f64::from(self.linked_words as f32 / words as f32),
        }
    }

    /// Words per full line.
    fn text_density(&self) -> f32 {
        self.wrapped_words as f32 / self.wrapped_lines as f32
    }
}

/// Sets the verdict of all blocks of a passage.
fn say(verdicts: &mut [Verdict], next: &[u32], passage: &Passage, verdict: Verdict) {
    let mut block = passage.first as usize;
    verdicts[block] = verdict;
    while block != passage.last as usize {
        block = next[block] as usize;
        verdicts[block] = verdict;
    }
}

struct Article<'p> {
    page: &'p Page,
    passages: Vec<Passage>,
    /// For each block the next one in its passage. Undefined for the last block of a passage.
    next: Vec<u32>,
    verdicts: Vec<Verdict>,
}

impl<'p> Article<'p> {
    fn of(page: &'p Page) -> Self {
        Article {
            page,
            passages: page
                .blocks()
                .iter()
                .enumerate()
                .map(|(index, block)| Passage::of(index, block))
                .collect(),
            next: vec![0; page.blocks().len()],
            verdicts: vec![Verdict::dropped("few words among few words"); page.blocks().len()],
        }
    }

    /// Decides on a passage and sets the verdict of all its blocks.
    fn decide(&mut self, index: usize, verdict: Verdict) {
        let passage = &mut self.passages[index];
        passage.content = verdict.kept;
        say(&mut self.verdicts, &self.next, passage, verdict);
    }

    /// TerminatingBlocksFinder: short blocks that introduce comments.
    fn mark_end_of_text(&mut self) {
        for (passage, block) in self.passages.iter_mut().zip(self.page.blocks()) {
            if passage.words < 15 {
                let text = self.page.text_of(block);
                passage.ends_text = if text.encode_utf16().take(8).count() == 8 {
                    let mut pieces = lower_pieces(text);
                    pieces.next().is_some_and(|beginning| introduces_comments(&beginning))
                        || pieces.any(|piece| COMMENTS.iter().any(|phrase| piece.contains(phrase)))
                } else {
                    passage.link_density() == 1.0 && text == "Comment"
                };
            }
        }
    }

    /// DocumentTitleMatchClassifier: the first block that repeats the page's title or a part of it.
    fn mark_title(&mut self) {
        let titles = potential_titles(self.page.head_title());
        if titles.is_empty() {
            return;
        }
        for (passage, block) in self.passages.iter_mut().zip(self.page.blocks()) {
            let text = self.page.text_of(block);
            if text.len() > LONGEST_HEADLINE {
                continue;
            }
            let text = plain(text);
            passage.is_title =
                titles.contains(&text) || titles.contains(without_marks(&text).trim());
            if passage.is_title {
                break;
            }
        }
    }

    /// NumWordsRulesClassifier: a decision tree over a block and its neighbours.
    fn judge_by_words(&mut self) {
        for index in 0..self.passages.len() {
            let density = |at: Option<&Passage>| at.map_or(0.0, Passage::link_density);
            let words = |at: Option<&Passage>| at.map_or(0, |passage| passage.words);
            let before = index.checked_sub(1).and_then(|before| self.passages.get(before));
            let (this, after) = (&self.passages[index], self.passages.get(index + 1));
            let verdict = if this.link_density() > 0.333333 {
                Verdict::dropped("mostly links")
            } else if density(before) <= 0.555556 {
                if this.words > 16 {
                    Verdict::kept("many words")
                } else if words(after) > 15 || words(before) > 4 {
                    Verdict::kept("words beside it")
                } else {
                    Verdict::dropped("few words among few words")
                }
            } else if this.words > 40 {
                Verdict::kept("many words")
            } else if words(after) > 17 {
                Verdict::kept("words beside it")
            } else {
                Verdict::dropped("few words after links")
            };
            self.decide(index, verdict);
        }
    }

    /// IgnoreBlocksAfterContentFilter: blocks after the end of the text are dropped, if 60 words of
    /// full text came before.
    fn drop_after_end_of_text(&mut self) {
        const ENOUGH_WORDS: u32 = 60;
        const FULL_TEXT_DENSITY: f32 = 9.0;
        let mut full_text_words = 0;
        let mut ended = false;
        for index in 0..self.passages.len() {
            let passage = &self.passages[index];
            if passage.content && passage.text_density() >= FULL_TEXT_DENSITY {
                full_text_words += passage.words;
            }
            ended |= passage.ends_text && full_text_words >= ENOUGH_WORDS;
            if ended {
                self.decide(index, Verdict::dropped("after the end of the text"));
            }
        }
    }

    /// TrailingHeadlineToBoilerplateFilter: a heading without text after it is dropped.
    fn drop_trailing_headings(&mut self) {
        for index in (0..self.passages.len()).rev() {
            match &self.passages[index] {
                passage if !passage.content => {}
                passage if passage.in_heading => {
                    self.decide(index, Verdict::dropped("heading without text"))
                }
                _ => break,
            }
        }
    }

    /// BlockProximityFusion at distance 1: a content passage is fused with the passage before it if
    /// at most one block lies between them. With `strict`, only if that is content of the same tag
    /// level.
    fn fuse(&mut self, strict: bool) {
        const MAX_DISTANCE: u32 = 1;
        let mut passages = std::mem::take(&mut self.passages);
        // In place: joined passages take the places of the old ones.
        let mut fused = 0;
        for at in 0..passages.len() {
            let (before, rest) = passages.split_at_mut(at);
            let passage = &rest[0];
            match before[..fused].last_mut() {
                Some(before)
                    if passage.content
                        && passage.first - before.last - 1 <= MAX_DISTANCE
                        && (!strict || before.content && before.level == passage.level) =>
                {
                    // A content passage has set the verdicts of its blocks before. Long runs of
                    // passages are not visited again.
                    if !before.content {
                        say(
                            &mut self.verdicts,
                            &self.next,
                            before,
                            Verdict::kept("next to content"),
                        );
                    }
                    self.next[before.last as usize] = passage.first;
                    before.fuse(passage);
                }
                _ => {
                    passages.swap(fused, at);
                    fused += 1;
                }
            }
        }
        passages.truncate(fused);
        self.passages = passages;
    }

    /// BoilerplateBlockFilter: removes dropped passages, except for the title.
    fn forget_dropped(&mut self) {
        self.passages.retain(|passage| passage.content || passage.is_title);
    }

    /// KeepLargestBlockFilter: keeps the passage with the most words, and long passages of the same
    /// level that no lower level separates from it.
    fn keep_largest(&mut self) {
        const LONG: u32 = 150;
        if self.passages.len() < 2 {
            return;
        }
        let content = self.passages.iter().enumerate().filter(|(_, passage)| passage.content);
        // The first of the largest.
        let largest =
            content.rev().max_by_key(|(_, passage)| passage.words).map(|(index, _)| index);
        for index in 0..self.passages.len() {
            self.passages[index].is_largest = Some(index) == largest;
            self.passages[index].is_candidate = Some(index) != largest;
            if Some(index) == largest {
                self.decide(index, Verdict::kept("the largest passage"));
            } else {
                self.decide(index, Verdict::dropped("not in the largest passage"));
            }
        }
        let Some(largest) = largest else { return };
        let level = self.passages[largest].level;
        let beside = |around: &mut dyn Iterator<Item = usize>,
                      passages: &[Passage]|
         -> Vec<usize> {
            around
                .take_while(|index| passages[*index].level >= level)
                .filter(|index| passages[*index].level == level && passages[*index].words >= LONG)
                .collect()
        };
        let mut long = beside(&mut (0..largest).rev(), &self.passages);
        long.extend(beside(&mut (largest + 1..self.passages.len()), &self.passages));
        for index in long {
            self.decide(index, Verdict::kept("long, beside the largest passage"));
        }
    }

    /// ExpandTitleToContentFilter: keeps blocks between the title and the content.
    fn expand_to_title(&mut self) {
        let Some(content) = self.passages.iter().position(|passage| passage.content) else {
            return;
        };
        // There is nothing between if the title is content itself.
        let Some(title) = self.passages[..content].iter().rposition(|passage| passage.is_title)
        else {
            return;
        };
        for index in title..content {
            if self.passages[index].is_candidate {
                self.decide(index, Verdict::kept("between title and content"));
            }
        }
    }

    /// LargeBlockSameTagLevelToContentFilter.
    fn keep_large_at_level(&mut self) {
        const LARGE: u32 = 100;
        let largest = self.passages.iter().find(|passage| passage.content && passage.is_largest);
        let Some(level) = largest.map(|passage| passage.level) else { return };
        for index in 0..self.passages.len() {
            let passage = &self.passages[index];
            if !passage.content && passage.words >= LARGE && passage.level == level {
                self.decide(index, Verdict::kept("large, at the level of the largest passage"));
            }
        }
    }

    /// ListAtEndFilter: list items without links that follow the largest passage deeper down.
    fn keep_list_at_end(&mut self) {
        let mut level = u32::MAX;
        for index in 0..self.passages.len() {
            let passage = &self.passages[index];
            if passage.content && passage.is_largest {
                level = passage.level;
            } else if passage.level > level
                && passage.is_candidate
                && passage.in_list
                && passage.linked_words == 0
            {
                self.decide(index, Verdict::kept("list after the largest passage"));
            } else {
                level = u32::MAX;
            }
        }
    }
}

/// Longest text that is compared with the title, in bytes. A title has at most 64 KiB, and there
/// may be marks between its letters.
const LONGEST_HEADLINE: usize = 256 << 10;

/// Phrases that come before comments.
const COMMENTS: [&str; 6] = [
    "what you think...",
    "add your comment",
    "add comment",
    "reader views",
    "have your say",
    "reader comments",
];

/// Returns true if a block's text in lower case is a phrase that comes before comments. Three more
/// phrases of Boilerpipe's list cannot match, because of a capital letter or a damaged character in
/// them.
fn introduces_comments(text: &str) -> bool {
    const BEGIN: [&str; 3] = ["comments", "please rate this", "post a comment"];
    const AFTER_NUMBER: [&str; 2] = [" comments", " users responded in"];
    const WHOLE: &str = "thanks for your comments - this feedback is now closed";
    let after_number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    BEGIN.iter().any(|phrase| text.starts_with(phrase))
        || after_number.len() < text.len()
            && AFTER_NUMBER.iter().any(|phrase| after_number.starts_with(phrase))
        || COMMENTS.iter().any(|phrase| text.contains(phrase))
        || text == WHOLE
}

/// A text in lower case, in overlapping pieces: a few words may be a long text.
fn lower_pieces(text: &str) -> impl Iterator<Item = String> + '_ {
    const PIECE: usize = 64 << 10;
    const OVERLAP: usize = 64;
    let border =
        |at: usize| (at..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    (0..text.len())
        .step_by(PIECE)
        .map(move |from| text[border(from)..border(from + PIECE + OVERLAP)].to_lowercase())
}

/// Lower case, without apostrophes, with no-break spaces as spaces.
fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ").replace('\'', "").trim_matches(|c| c <= ' ').to_lowercase()
}

fn without_marks(text: &str) -> String {
    text.replace(['?', '!', '.', '-', ':'], "")
}

/// A page's title and those parts of it that a headline may repeat, in lower case.
fn potential_titles(title: &str) -> HashSet<String> {
    const MARKS: [&[char]; 6] = [
        &['|', '»', '-'],
        &['|', '»', ':'],
        &['|', '»', ':', '(', ')'],
        &['|', '»', ':', '(', ')', '-'],
        &['|', '»', ',', ':', '(', ')', '-'],
        &['|', '»', ',', ':', '(', ')', '-', '\u{a0}'],
    ];
    const LONG: usize = 4;
    let title = plain(title);
    let mut titles = HashSet::new();
    if title.is_empty() {
        return titles;
    }
    titles.extend(MARKS.iter().filter_map(|marks| longest_part(&title, marks)));
    for mark in [" | ", " - "] {
        let parts: Vec<&str> = title.split(mark).map(|part| part.trim_matches(' ')).collect();
        if parts.len() > 1 {
            let long =
                parts.into_iter().filter(|part| !part.contains(".com") && words(part) >= LONG);
            titles.extend(long.map(str::to_owned));
        }
    }
    // Without the name of the site before or after it.
    if let Some((head, tail)) = title.rsplit_once('-') {
        if let (Some(head), true) =
            (head.strip_suffix(' '), tail.len() > 1 && tail.starts_with(' '))
        {
            titles.insert(head.to_owned());
        }
    }
    if let Some((head, tail)) = title.split_once('-') {
        if let (Some(tail), true) = (tail.strip_prefix(' '), head.len() > 1 && head.ends_with(' '))
        {
            titles.insert(tail.to_owned());
        }
    }
    titles.insert(title);
    titles
}

/// If there are several parts between marks, the one with the most words, or the longest.
fn longest_part(title: &str, marks: &[char]) -> Option<String> {
    let mut parts: Vec<&str> = title.split(marks).map(|part| part.trim_matches(' ')).collect();
    while parts.last().is_some_and(|part| part.is_empty()) {
        parts.pop();
    }
    if parts.len() < 2 {
        return None;
    }
    let (mut most, mut length, mut longest) = (0, 0, "");
    for part in parts.into_iter().filter(|part| !part.contains(".com")) {
        let (words, units) = (words(part), part.encode_utf16().count());
        if words > most || units > length {
            (most, length, longest) = (words, units, part);
        }
    }
    let longest = longest.trim_matches(|c| c <= ' ');
    (!longest.is_empty()).then(|| longest.to_owned())
}

/// Pieces between spaces. An empty text is one piece.
fn words(text: &str) -> usize {
    text.split(' ').filter(|word| !word.is_empty()).count().max(1)
}
