//! The days on which a page was published and modified.
//!
//! Statements for machines come first: `meta`, then JSON-LD, then labelled `time` elements, then
//! the URL. Text that readers see is used last, and only if it is short and near the heading or in
//! an element that is named as a date. Days after the fetch are refused, and days of the fetch
//! itself where a template may have written them.

use crate::calendar::Day;
use crate::json::{self, Rank};
use crate::reservation::HostFiles;
use crate::text::{self, Order, Reading};
use content::{is_before_author, Alternate, Dated, Statements};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::LazyLock;

/// Facts on a page besides its own statements.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context<'a> {
    /// The page's URL.
    pub url: Option<&'a str>,
    /// The language that the page declares, or that of its text: a tag of BCP 47.
    pub language: Option<&'a str>,
    /// The day of the fetch. Later days are refused.
    pub fetched: Option<Day>,
    /// Fields of the answer's head that have reservations, one `name: value` on each line.
    pub headers: &'a str,
    /// The files of the host that have reservations.
    pub files: HostFiles<'a>,
    /// The versions of the page in other languages that it names by `hreflang`.
    pub alternates: &'a [Alternate],
}

/// The days of a page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Dates {
    /// The day of its publication.
    pub published: Option<Day>,
    /// The day of its last change, not before the publication.
    pub modified: Option<Day>,
    /// The source of the first of these days.
    pub source: Option<Source>,
}

/// The source of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A `meta` element.
    Meta,
    /// A JSON-LD object.
    JsonLd,
    /// A `time` or `abbr` element.
    Time,
    /// Numbers in the page's URL, such as `/2024/05/17/`.
    Url,
    /// Text that readers see.
    Text,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::Meta => "meta",
            Source::JsonLd => "json-ld",
            Source::Time => "time",
            Source::Url => "url",
            Source::Text => "text",
        })
    }
}

/// Names of `meta` elements with the day of publication.
const PUBLISHED: &str = " article:published_time article:published article:published_date article:post_date article.published \
    article:publicationdate article_date_original og:article:published_time og:article:published og:published_time og:pubdate \
    og:publish_date og:datepublished datepublished datecreated dateposted publishdate publish_date publish-date publisheddate \
    published_date published-date published_time published publish_time pubdate publicationdate publication_date publication-date \
    citation_publication_date citation_online_date citation_date dc.date.issued dcterms.issued dc.date.created dcterms.created \
    dc.created dc.date.publication sailthru.date parsely-pub-date cxenseparse:recs:publishtime bt:pubdate rnews:datepublished \
    originalpublicationdate date_published date_created content_create_date shareaholic:article_published_time vr:published_time \
    displaydate ptime pdate releasedate release_date rbpubdate mediator_published_time \
    twt-published-at analyticsattributes.articledate dcsext.articlefirstpublished article.created og:regdate \
    og:question:published_time firstpublished publishedat published_at published_on \
    w-published-date uploaddate ";

/// Names that are used for the day of publication, of a change or of the answer.
const ANY: &str =
    " date dc.date dcterms.date dc:date dc:created created doc_date timestamp revised ";

/// Names of `meta` elements with the day of a change.
const MODIFIED: &str = " article:modified_time article:modified article:modified_date article:post_modified og:article:modified_time \
    og:modified_time og:updated_time datemodified dateupdate lastmodified last-modified lastmod lastdate modified modified_time \
    modificationdate dcterms.modified dc.date.modified dc.modified revision_date updated_time utime bt:moddate last-updated \
    last_updated cxenseparse:recs:modifiedtime ";

/// Name of a `meta` element with facts on the page as JSON.
const PARSELY: &str = "parsely-page";

/// Meaning of the date of a `meta` element.
#[derive(Debug, Clone, Copy)]
enum Stated {
    Published,
    Any,
    Modified,
}

/// The names of `meta` elements with a date.
static METAS: LazyLock<HashMap<&'static str, Stated>> = LazyLock::new(|| {
    // A name in several lists has the meaning of the first, so that one is inserted last.
    let lists = [(MODIFIED, Stated::Modified), (ANY, Stated::Any), (PUBLISHED, Stated::Published)];
    let names = lists
        .into_iter()
        .flat_map(|(names, stated)| names.split_ascii_whitespace().map(move |name| (name, stated)));
    names.collect()
});

/// Parts of class and id names of the day of publication.
const PUBLISHED_NAMES: &str =
    "datepublished|date-published|published|publish|pubdate|pub-date|entry-date|post-date|\
    postdate|posted|entry-time|article-date|article__date|news-date|created|submitted";

/// Parts of class and id names of the day of a change.
const MODIFIED_NAMES: &str = "datemodified|modified|updated|lastmod|last-update";

/// Parts of class and id names of a date, in several languages.
const DATE_NAMES: &str =
    "date|datum|time|meta|fecha|tarih|byline|dateline|calendar|clock|info|subline|parution|\
    author|created|stand";

/// Parts of class and id names of other things that have dates: comments, other articles, the day
/// of today.
const OTHER_NAMES: &str =
    "comment|reply|related|recent|sidebar|widget|latest|popular|event|ticker|today|current|\
    footer|copyright|menu|nav|archive|teaser|weather|countdown|carousel|slider|more-|birth";

/// Parts of the path of a URL whose day is that of an event, a programme or an anniversary.
const OTHER_PATHS: &str =
    "event|events|calendar|kalender|agenda|tv|on-this-day|schedule|termine|veranstaltungen|\
    eventos|evenements";

/// Longest text that is a date with its label, author and place, in words and numbers.
const MAX_WORDS: usize = 14;

/// Largest distance of a date from the heading in bytes of the source, before and behind it.
const NEAR: (usize, usize) = (3000, 6000);

/// Largest number of days in equal places of a page. A list of articles has more.
const MAX_DAYS: usize = 4;

/// Returns the days on which a page was published and modified.
pub fn dates(statements: &Statements, context: &Context) -> Dates {
    let finder = Finder { statements, context, reading: reading(context), latest: latest(context) };
    let (meta, modified_meta) = finder.meta();
    // JSON-LD is parsed only for what the `meta` elements leave open, and texts are read only for
    // what both leave open.
    let (json, modified_json) =
        if meta.is_some() && modified_meta.is_some() { (None, None) } else { finder.json() };
    let published = None
        .or(meta.map(|day| (day, Source::Meta)))
        .or(json.map(|day| (day, Source::JsonLd)))
        .or_else(|| finder.url().map(|day| (day, Source::Url)));
    let modified = None
        .or(modified_meta.map(|day| (day, Source::Meta)))
        .or(modified_json.map(|day| (day, Source::JsonLd)));
    let (time, modified_time) = finder.elements(published.is_none(), modified.is_none());
    let published = published.or(time);
    let modified = modified
        .or(modified_time)
        .filter(|(day, _)| published.is_none_or(|(published, _)| *day >= published));
    Dates {
        published: published.map(|(day, _)| day),
        modified: modified.map(|(day, _)| day),
        source: published.or(modified).map(|(_, source)| source),
    }
}

/// The last possible day: that of the fetch, and one more for time zones.
fn latest(context: &Context) -> Option<Day> {
    context.fetched
}

struct Finder<'a> {
    statements: &'a Statements,
    context: &'a Context<'a>,
    reading: Reading<'a>,
    latest: Option<Day>,
}

/// Facts on how a page writes dates, from its language and its host.
fn reading<'a>(context: &Context<'a>) -> Reading<'a> {
    let tag = context.language.unwrap_or_default();
    let (language, region) = tag.split_once(['-', '_']).unwrap_or((tag, ""));
    let host = context.url.and_then(|url| url.split('/').nth(2)).unwrap_or_default();
    let ending = host.rsplit('.').next().unwrap_or_default();
    let is_english = language.eq_ignore_ascii_case("en") || language.eq_ignore_ascii_case("eng");
    let is_region = |code: &str| region.eq_ignore_ascii_case(code);
    let is_filipino = ["tl", "fil", "tgl"].iter().any(|code| language.eq_ignore_ascii_case(code));
    let order = if is_region("us")
        || is_region("ph")
        || is_filipino
        || ["us", "gov", "mil", "ph"].contains(&ending)
    {
        Order::MonthFirst
    } else if is_region("ca") && is_english || ending == "ca" && (is_english || language.is_empty())
    {
        // English Canada writes both.
        Order::Unknown
    } else if !language.is_empty() && !is_english
        || !region.is_empty()
        || ending.len() == 2 && !["io", "tv", "me", "co", "ai"].contains(&ending)
    {
        Order::DayFirst
    } else {
        Order::Unknown
    };
    Reading { language, order, loose: false }
}

impl Finder<'_> {
    /// The first day of a text that is not after the fetch.
    fn day(&self, text: &str, loose: bool) -> Option<Day> {
        let day = *text::dates(text, Reading { loose, ..self.reading }).first()?;
        // A day more, because zones differ.
        self.latest.is_none_or(|latest| day.days_after(latest) <= 1).then_some(day)
    }

    /// Whether a text has two days with a dash between them: those of an event.
    fn is_range(&self, text: &str) -> bool {
        let has_day = |part: &&str| !text::dates(part, self.reading).is_empty();
        let count = |sign: &str| text.split(sign).filter(has_day).count() > 1;
        count("–") || count("—") || count(" - ")
    }

    /// Whether a template may have written a day: it is that of the fetch.
    fn is_fetch(&self, day: Day) -> bool {
        self.latest.is_some_and(|fetched| day.days_after(fetched).abs() <= 1)
    }

    /// Days of publication and of the last change in `meta` elements.
    fn meta(&self) -> (Option<Day>, Option<Day>) {
        let (mut published, mut any, mut modified) = (None, None, None);
        for meta in &self.statements.metas {
            if meta.name == PARSELY {
                let page: Option<Value> = serde_json::from_str(&meta.content).ok();
                let day = page.as_ref().and_then(|page| page.get("pub_date")?.as_str());
                published = published.or_else(|| self.day(day?, true));
            }
            let place = match METAS.get(meta.name.as_str()) {
                Some(Stated::Published) => &mut published,
                Some(Stated::Any) => &mut any,
                Some(Stated::Modified) => &mut modified,
                None => continue,
            };
            *place = place.or_else(|| self.day(&meta.content, true));
        }
        (published.or(any.filter(|day| !self.is_fetch(*day))), modified)
    }

    /// Days of publication and of the last change in JSON-LD.
    fn json(&self) -> (Option<Day>, Option<Day>) {
        let mut best: [Option<(Rank, Day)>; 2] = [None, None];
        json::objects(&self.statements.json, "date", |rank, object, _| {
            for (best, keys) in best
                .iter_mut()
                .zip([["datePublished", "dateCreated"], ["dateModified", "dateUpdated"]])
            {
                if best.is_some_and(|(known, _)| known <= rank) {
                    continue;
                }
                // Some pages have milliseconds since 1970.
                let text = |value: &Value| match value {
                    Value::String(text) => Some(text.clone()),
                    Value::Number(number) => Some(number.to_string()),
                    _ => None,
                };
                let text = keys.iter().find_map(|key| match object.get(*key)? {
                    Value::Array(values) => text(values.first()?),
                    value => text(value),
                });
                if let Some(day) = text.and_then(|text| self.day(&text, true)) {
                    *best = Some((rank, day));
                }
            }
        });
        let [published, modified] = best.map(|best| best.map(|(_, day)| day));
        (published, modified)
    }

    /// The day in the path of the URL: `/2024/03/12/`, `2024-03-12`, `/20240312/`.
    fn url(&self) -> Option<Day> {
        let path = self.context.url?.splitn(4, '/').nth(3)?;
        let path = path.split(['?', '#']).next().unwrap_or_default();
        if path.split('/').any(|part| OTHER_PATHS.split('|').any(|other| other == part)) {
            return None;
        }
        let parts: Vec<&str> = path.split(['/', '-', '_', '.']).collect();
        let number = |text: &str, lengths: std::ops::RangeInclusive<usize>| {
            (lengths.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit()))
                .then(|| text.parse::<u32>().ok())
                .flatten()
        };
        let of_parts = parts.windows(3).find_map(|parts| {
            let [year, month, day] = parts else { return None };
            Day::new(
                i32::try_from(number(year, 4..=4)?).ok()?,
                number(month, 1..=2)?,
                number(day, 1..=2)?,
            )
        });
        let alone = || {
            let number = parts.iter().find_map(|part| number(part, 8..=8))?;
            Day::new(i32::try_from(number / 10_000).ok()?, number / 100 % 100, number % 100)
        };
        let day = of_parts.or_else(alone)?;
        self.latest.is_none_or(|latest| day.days_after(latest) <= 1).then_some(day)
    }

    /// Days of publication and of the last change in elements and texts, each only if it is needed.
    fn elements(&self, needs_published: bool, needs_modified: bool) -> (Found, Found) {
        if !needs_published && !needs_modified {
            return (None, None);
        }
        let (mut published, mut modified): (Vec<Candidate>, Vec<Candidate>) =
            (Vec::new(), Vec::new());
        for dated in &self.statements.dated {
            let is_needed =
                |is_modified| if is_modified { needs_modified } else { needs_published };
            let each = self.each(dated);
            let each = each.as_deref().unwrap_or(std::slice::from_ref(dated));
            for (candidate, is_modified) in
                each.iter().filter_map(|dated| self.candidate(dated, is_needed))
            {
                if is_modified {
                    modified.push(candidate);
                } else {
                    published.push(candidate);
                }
            }
        }
        let best = |candidates: Vec<Candidate>| {
            // The first of the best.
            let best = candidates.iter().rev().max_by_key(|candidate| candidate.score)?;
            let equal = candidates.iter().filter(|candidate| candidate.score == best.score);
            let days: BTreeSet<Day> = equal.map(|candidate| candidate.day).collect();
            (days.len() <= MAX_DAYS).then_some((best.day, best.source))
        };
        (best(published), best(modified))
    }

    /// The days of a text that has more than one, each as a text with its own label: `Published 12
    /// March 2024, updated 14 March 2024`. `None` if a day but the first has no label of a page's
    /// day, because two days may be those of an event.
    fn each(&self, dated: &Dated) -> Option<Vec<Dated>> {
        let text = &dated.text;
        let days = text::places(text, Reading { loose: has(dated, DATE_NAMES), ..self.reading });
        let (first, _) = days.first().filter(|_| days.len() > 1 && !is_of_value(text))?;
        // A sentence that mentions days is longer, and does not begin with a label.
        let before = text::folded(&text[..first.start]);
        let is_sentence = text::length(text) > MAX_WORDS
            && before.contains(char::is_alphabetic)
            && kinds(&before).next().is_none();
        if is_sentence {
            return None;
        }
        let one = |text: &str, label: &str| Dated {
            text: text.to_owned(),
            label: label.to_owned(),
            ..dated.clone()
        };
        let mut each = vec![one(&text[..first.end], &dated.label)];
        for ((before, _), (place, _)) in days.iter().zip(&days[1..]) {
            // Behind the time of the day before.
            let label = text[before.end..place.start].rsplit(char::is_numeric).next()?.trim();
            let labels = Labels::of(&text::folded(label));
            if !labels.is_known() || labels.is_other() {
                return None;
            }
            each.push(one(&text[place.clone()], label));
        }
        Some(each)
    }

    /// A day that an element or a text states, and whether it is that of a change; `None` if such a
    /// day is not needed.
    fn candidate(
        &self,
        dated: &Dated,
        is_needed: impl Fn(bool) -> bool,
    ) -> Option<(Candidate, bool)> {
        let headings = &self.statements.headings;
        let is_near = headings.is_empty()
            || headings.iter().any(|heading| {
                let least = heading.saturating_sub(NEAR.0);
                (least..=heading + NEAR.1).contains(&dated.at)
            });
        let (source, stated) = if dated.value.is_empty() {
            (Source::Text, self.of_text(dated, is_needed))
        } else {
            (Source::Time, self.of_value(dated, is_needed))
        };
        let (day, is_modified, mut score) = stated?;
        score += i32::from(is_near) * 3;
        score -= i32::from(has(dated, OTHER_NAMES) || dated.is_elsewhere) * 5;
        (score >= 4).then_some((Candidate { day, source, score }, is_modified))
    }

    /// The day that a text states, whether it is that of a change, and how certain it is.
    fn of_text(&self, dated: &Dated, is_needed: impl Fn(bool) -> bool) -> Option<(Day, bool, i32)> {
        if is_of_value(&dated.text) {
            return None;
        }
        let own = text::folded(&dated.text);
        // The label in the text counts before that of an element before it.
        let has_own =
            own.trim_start().starts_with(|c: char| c.is_alphabetic()) && dated.text.contains(':');
        let before = text::folded(&dated.label);
        let lower = if before.is_empty() || has_own { own } else { before };
        let label = lower.split(char::is_numeric).next().unwrap_or_default();
        // A label may also stand behind the day.
        let behind = lower.rsplit(char::is_numeric).next().unwrap_or_default();
        let is_short = behind.split_whitespace().count() <= MAX_BEHIND;
        let (labels, last) = (Labels::of(label), Labels::of(if is_short { behind } else { "" }));
        let is_published = labels.published || labels.day || last.published;
        let is_changed = labels.modified || last.modified;
        let is_modified = has(dated, MODIFIED_NAMES) && !is_published || is_changed;
        if labels.is_other() || !is_needed(is_modified) {
            return None;
        }
        let length = text::length(&dated.text);
        let is_named = has(dated, DATE_NAMES);
        let is_of_page = has(dated, PUBLISHED_NAMES);
        // A label that is unknown may be that of anything, and two days are those of an event.
        let is_unknown = label.trim_end().ends_with([':', '：', '՝'])
            && !labels.is_known()
            && !is_named
            && !is_of_page;
        let is_known = is_published || is_changed;
        if length > MAX_WORDS || !is_known && (is_unknown || self.is_range(&dated.text)) {
            return None;
        }
        let day = self.day(&dated.text, is_named)?;
        if self.is_fetch(day) && !is_published {
            return None;
        }
        // Without any sign, only a text that is hardly more than a date.
        let score = i32::from(is_known) * 3
            + i32::from(is_named) * 2
            + i32::from(is_of_page) * 2
            + i32::from(length <= 6);
        Some((day, is_modified, score))
    }

    /// The same for the value of a `time` or `abbr` element.
    fn of_value(
        &self,
        dated: &Dated,
        is_needed: impl Fn(bool) -> bool,
    ) -> Option<(Day, bool, i32)> {
        let label = text::folded(&dated.label);
        let labels = Labels::of(&label);
        let is_published = labels.published || labels.day;
        let is_changed = labels.modified;
        let is_modified = is_changed
            || has(dated, MODIFIED_NAMES) && !is_published && !has(dated, "published|entry-date");
        let is_known = labels.is_known();
        // Forums of XenForo label the first post so.
        let is_other = labels.is_other() && label != "start date";
        if is_other || !is_known && is_prose(&dated.label.to_lowercase()) || !is_needed(is_modified)
        {
            return None;
        }
        let day = self.day(&dated.value, true)?;
        Some((
            day,
            is_modified,
            3 + i32::from(is_known) * 3 + i32::from(has(dated, PUBLISHED_NAMES)) * 2,
        ))
    }
}

/// Whether an element or one around it has a name with one of these parts.
fn has(dated: &Dated, list: &str) -> bool {
    list.split('|').any(|name| dated.names.contains(name))
}

/// Whether the text before a day is the beginning of a sentence that goes on with the day: `The
/// bridge was built on`. A name has capitals.
fn is_prose(label: &str) -> bool {
    let first = label.split(' ').next().unwrap_or_default();
    !is_before_author(first)
        && [" on", " in", " am", " im", " le", " el", " em", " den"]
            .iter()
            .any(|end| label.ends_with(end))
        && label.split_whitespace().count() > MAX_LABEL_WORDS
}

/// Whether a text is about rights or prices, whose days are not those of the page.
fn is_of_value(text: &str) -> bool {
    text.contains(['©', '®', '%', '$', '€'])
}

/// The kinds and labels of `data/labels.txt`, folded, by their first letter.
static LABELS: LazyLock<HashMap<char, Vec<(char, String)>>> = LazyLock::new(|| {
    let mut all: HashMap<char, Vec<(char, String)>> = HashMap::new();
    for line in include_str!("../data/labels.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut cells = line.split('\t');
        let kind = cells.next().and_then(|kind| kind.chars().next());
        let labels = cells.nth(1).unwrap_or_default().split('|').map(text::folded);
        for label in labels {
            if let (Some(kind), Some(first)) = (kind, label.chars().next()) {
                all.entry(first).or_default().push((kind, label));
            }
        }
    }
    all
});

/// The kinds of the labels that a folded text begins with.
fn kinds(text: &str) -> impl Iterator<Item = char> + '_ {
    let labels = text.chars().next().and_then(|first| LABELS.get(&first)).into_iter().flatten();
    labels.filter(|(_, label)| text.starts_with(label.as_str())).map(|(kind, _)| *kind)
}

/// The meaning of a day, after the words before it.
#[derive(Debug, Clone, Copy, Default)]
struct Labels {
    published: bool,
    modified: bool,
    /// A day without saying of what.
    day: bool,
    /// Something else: a deadline, an event, a life, a release.
    other: bool,
}

impl Labels {
    /// The labels that begin at the first or one of the last three words of a folded text. A label
    /// in an element of its own has other texts before it.
    fn of(text: &str) -> Labels {
        let text = text.trim_start_matches(|c: char| !c.is_alphabetic()).trim_end();
        let ends =
            text.char_indices().rev().filter(|(_, c)| c.is_whitespace()).take(MAX_LABEL_WORDS - 1);
        let ends =
            ends.map(|(at, c)| text[at + c.len_utf8()..].trim_start_matches(['(', ',', ':']));
        let is_short = text.split_whitespace().count() <= MAX_BEFORE;
        let mut labels = Labels::default();
        for kind in std::iter::once(text).chain(ends.filter(|_| is_short)).flat_map(kinds) {
            match kind {
                'p' => labels.published = true,
                'm' => labels.modified = true,
                'd' => labels.day = true,
                _ => labels.other = true,
            }
        }
        labels
    }

    /// Whether the day is that of the page: its publication or its change.
    fn is_known(self) -> bool {
        self.published || self.modified || self.day
    }

    /// Whether it is the day of something else. `Date of publication` begins like `date of birth`.
    fn is_other(self) -> bool {
        self.other && !self.published && !self.modified
    }
}

/// Most words behind a day that may be its label.
const MAX_BEHIND: usize = 2;

/// Most words of a label, and of it with the texts before it.
const MAX_LABEL_WORDS: usize = 3;
const MAX_BEFORE: usize = 8;

/// A day and where it was found.
type Found = Option<(Day, Source)>;

struct Candidate {
    day: Day,
    source: Source,
    score: i32,
}
