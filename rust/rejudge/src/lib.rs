//! Applies the present models to the records of an old corpus: which pages stay, which leave, and
//! which come back, with figures and decisions that are counted again.
#![forbid(unsafe_code)]

mod people;

pub use people::{BadJudgement, BadJudgements, ByPeople};

use engine::{Engine, PageRecord, Policy, Status};
use figures::parse::{host, is_rejected, record_of_text, MAX_FIGURE};
use inputs::corpus::{Fields, Line, Unwritable, LANGUAGES};
use langbytes::{LangBytes, LangCode};
use render::counted;
use render::results::{Cell, Results};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::json;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// Number of hosts in the table, for each language of pages that left.
const NAMED_HOSTS: usize = 5;

/// Number of languages in the table of bytes; those that changed most come first.
const NAMED_LANGUAGES: usize = 12;

/// The names of the outcomes in the table, for people and in JSON.
const FATES: [(Fate, &str, &str); 4] = [
    (Fate::Stays, "stay", "stays"),
    (Fate::Leaves, "leave", "leaves"),
    (Fate::Comes, "come back", "comes_back"),
    (Fate::StaysOut, "stay rejected", "stays_rejected"),
];

/// The outcome for a page with text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// It was kept, and is.
    Stays,
    /// It was kept, and is rejected now.
    Leaves,
    /// It was rejected, and is kept now.
    Comes,
    /// It was rejected, and is.
    StaysOut,
}

impl Fate {
    fn of(was_kept: bool, is_kept: bool) -> Self {
        match (was_kept, is_kept) {
            (true, true) => Self::Stays,
            (true, false) => Self::Leaves,
            (false, true) => Self::Comes,
            (false, false) => Self::StaysOut,
        }
    }
}

/// A page that was scored again.
#[derive(Debug)]
struct Judged {
    fate: Fate,
    /// The language or reason for which it left.
    reason: String,
    host: String,
    main_bytes: u64,
    /// Bytes per language in the old record.
    before: Option<LangBytes>,
    now: LangBytes,
}

/// A record to write, its output, and its result if it was scored again.
#[derive(Debug)]
pub struct Rejudged {
    /// The record, with or without a line end.
    pub line: Vec<u8>,
    /// Whether its page is kept.
    pub kept: bool,
    changed: bool,
    judged: Option<Judged>,
}

/// Pages with one outcome.
#[derive(Debug, Default)]
pub struct Pages {
    /// Number of pages.
    pub pages: u64,
    /// Bytes of their main text.
    pub main_bytes: u64,
    /// Bytes of the target language in the old records.
    pub before: u64,
    /// Bytes of the target language now.
    pub now: u64,
}

/// Pages that left for one reason.
#[derive(Debug, Default)]
pub struct Left {
    /// Number of pages.
    pub pages: u64,
    /// Bytes of their main text.
    pub main_bytes: u64,
    /// Pages by host; that of pages without a URL is empty.
    pub hosts: HashMap<String, u64>,
}

/// Sums over records.
#[derive(Debug, Default)]
pub struct RejudgeSums {
    /// Number of records that were read.
    pub records: u64,
    /// Records that are written with other fields.
    pub changed: u64,
    /// Records that were copied unchanged: without text, gone, or not read to the end.
    pub passed: u64,
    /// Pages whose old record has no bytes per language.
    pub untold: u64,
    /// Pages by outcome.
    pub fates: BTreeMap<Fate, Pages>,
    /// Pages that left, by reason: a language, `junk`, `too little`, `people` or `no language`.
    pub left: BTreeMap<String, Left>,
    /// Bytes per language in pages that were kept before, and in pages that are kept now.
    before: LangBytes,
    now: LangBytes,
}

/// Applies the engine to the text of a record. A record without text is copied.
///
/// # Errors
/// Fails if the record cannot be written with its new fields.
pub fn rejudge(
    (line, page): Line,
    engine: &Engine,
    by_people: &ByPeople,
) -> Result<Rejudged, Unwritable> {
    let was_kept = !is_rejected(page.decision.as_deref());
    let text = page.text.as_deref().unwrap_or_default();
    let as_it_is = |line| Rejudged { line, kept: was_kept, changed: false, judged: None };
    if page.gone || text.is_empty() {
        return Ok(as_it_is(line));
    }
    // A page on which the engine panics must not cost the others. A page that was not read to its
    // end keeps its old decision.
    let now = catch_unwind(AssertUnwindSafe(|| record_of_text(text, engine)));
    let Some(mut now) = now.ok().filter(|now| now.status == Status::Ok) else {
        return Ok(as_it_is(line));
    };
    let target = engine.settings().target();
    // The declared language is not in the text, but in the old decision.
    let declared = format!("keep declared as {target}");
    let recall = engine.settings().policy == Policy::Recall;
    if recall && page.decision.as_deref() == Some(declared.as_str()) && now.junk.is_none() {
        (now.decision.keep, now.decision.reason) = (true, format!("declared as {target}"));
    }
    by_people.decide(page.url.as_deref(), &mut now, target);
    let mut fields = Fields::of(&line)?;
    let before = stored_languages(&fields);
    let changed = update(&mut fields, &now, before.as_ref(), page.decision.as_deref())?;
    let line = if changed { fields.line()? } else { line };
    let kept = now.decision.keep;
    let fate = Fate::of(was_kept, kept);
    let reason = if fate == Fate::Leaves { reason(&now, target) } else { String::new() };
    let host = page.url.as_deref().map_or_else(String::new, host);
    let judged =
        Judged { fate, reason, host, main_bytes: now.main_bytes, before, now: now.languages };
    Ok(Rejudged { line, kept, changed, judged: Some(judged) })
}

/// Bytes per language in a record.
fn stored_languages(fields: &Fields) -> Option<LangBytes> {
    let value = LANGUAGES.into_iter().find_map(|name| fields.get(name))?;
    let languages: BTreeMap<String, u64> = serde_json::from_str(value).ok()?;
    let mut sum = LangBytes::new();
    for (code, bytes) in languages {
        sum.add(code.parse().ok()?, bytes);
    }
    // No page has more, and one such record would make all sums meaningless.
    (sum.total() <= MAX_FIGURE).then_some(sum)
}

/// Writes the new figures into those fields of a record that differ. Adds a decision if the record
/// has none and the page is rejected, so that no reader counts it as part of the corpus. Returns
/// true if anything changed.
fn update(
    fields: &mut Fields,
    now: &PageRecord,
    before: Option<&LangBytes>,
    decision: Option<&str>,
) -> Result<bool, Unwritable> {
    let mut changed = false;
    if before != Some(&now.languages) {
        let languages = InOrder(now.languages.most_first());
        for name in LANGUAGES {
            changed |= fields.set(name, &languages)?;
        }
    }
    let set = InOrder(now.language_set.percents());
    let same_set = |stored: &str| {
        serde_json::from_str::<BTreeMap<String, u32>>(stored).is_ok_and(|stored| {
            stored == set.0.iter().map(|(code, percent)| (code.to_string(), *percent)).collect()
        })
    };
    if fields.get("language_set").is_some_and(|stored| !same_set(stored)) {
        changed |= fields.set("language_set", &set)?;
    }
    let said = now.decision.to_string();
    if decision != Some(said.as_str()) {
        let there = fields.set("decision", &said)?;
        changed |= there;
        if !there && !now.decision.keep {
            fields.add("decision", &said)?;
            changed = true;
        }
    }
    let stored: Option<String> =
        fields.get("record_version").and_then(|stored| serde_json::from_str(stored).ok());
    if let Some(stored) = stored {
        let version = version(&stored, &now.version);
        if stored != version {
            changed |= fields.set("record_version", &version)?;
        }
    }
    Ok(changed)
}

/// The present record version with the old extractor, because the text is still from it.
fn version(stored: &str, now: &str) -> String {
    let (Some(extractor), mut parts) = (stored.split(' ').nth(1), now.splitn(3, ' ')) else {
        return now.to_owned();
    };
    match (parts.next(), parts.nth(1)) {
        (Some(record), Some(identifier)) => format!("{record} {extractor} {identifier}"),
        _ => now.to_owned(),
    }
}

/// The reason why a page is not kept any more: the language with most bytes, junk, or too little of
/// the target language.
fn reason(now: &PageRecord, target: LangCode) -> String {
    if now.decision.reason.ends_with(" by people") {
        return "people".to_owned();
    }
    if now.junk.is_some() {
        return "junk".to_owned();
    }
    let most = now
        .languages
        .most_first()
        .into_iter()
        .map(|(code, _)| code)
        .find(|&code| code != LangCode::UND);
    match most {
        Some(most) if most == target => "too little".to_owned(),
        Some(most) => format!("{most} ({})", most.name()),
        None => "no language".to_owned(),
    }
}

/// An object that keeps the order of its keys.
struct InOrder<N>(Vec<(LangCode, N)>);

impl<N: Serialize> Serialize for InOrder<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (code, number) in &self.0 {
            map.serialize_entry(code.as_str(), number)?;
        }
        map.end()
    }
}

impl RejudgeSums {
    /// Adds a record.
    pub fn add(&mut self, line: Rejudged, target: LangCode) {
        self.records += 1;
        self.changed += u64::from(line.changed);
        let Some(judged) = line.judged else {
            self.passed += 1;
            return;
        };
        self.untold += u64::from(judged.before.is_none());
        let before = judged.before.unwrap_or_default();
        let pages = self.fates.entry(judged.fate).or_default();
        pages.pages += 1;
        pages.main_bytes += judged.main_bytes;
        pages.before = pages.before.saturating_add(before.bytes(target));
        pages.now = pages.now.saturating_add(judged.now.bytes(target));
        if matches!(judged.fate, Fate::Stays | Fate::Leaves) {
            self.before.merge(&before);
        }
        if matches!(judged.fate, Fate::Stays | Fate::Comes) {
            self.now.merge(&judged.now);
        }
        if judged.fate == Fate::Leaves {
            let left = self.left.entry(judged.reason).or_default();
            left.pages += 1;
            left.main_bytes += judged.main_bytes;
            *left.hosts.entry(judged.host).or_default() += 1;
        }
    }

    /// Languages with changed bytes, and the target; the largest change first.
    pub fn changes(&self) -> Vec<(LangCode, u64, u64)> {
        let mut all = self.before.clone();
        all.merge(&self.now);
        let with = |(code, _)| (code, self.before.bytes(code), self.now.bytes(code));
        let mut changes: Vec<_> =
            all.iter().map(with).filter(|(_, before, now)| before != now).collect();
        changes.sort_by_key(|&(code, before, now)| (std::cmp::Reverse(before.abs_diff(now)), code));
        changes
    }

    /// Returns the tables for the user. `target` is the language of the corpus.
    pub fn results(&self, target: LangCode) -> Results {
        let mut results = Results::default();
        results.figure("language", target.as_str());
        self.fates(&mut results);
        results.line(&format!(
            "before, now: bytes of {target} ({}): before as in the records, now as counted again",
            target.name()
        ));
        results.figure("records_without_languages", self.untold);
        if self.untold > 0 {
            results.line(&format!("{} had no bytes per language", counted(self.untold, "record")));
        }
        results.figure("copied_records", self.passed);
        if self.passed > 0 {
            results.line(&format!(
                "{} copied without a decision: without text, gone, or too large to be read to the end",
                counted(self.passed, "record")
            ));
        }
        self.reasons(&mut results);
        self.languages(&mut results);
        results
    }

    fn fates(&self, results: &mut Results) {
        let columns = [
            ("fate", "pages that", -14),
            ("pages", "pages", 10),
            ("bytes", "bytes", 14),
            ("target_bytes_before", "before", 14),
            ("target_bytes", "now", 14),
        ];
        let mut fates = results.table("fates", "", &columns);
        fates.headings();
        for (fate, name, key) in FATES {
            if let Some(&Pages { pages, main_bytes, before, now }) = self.fates.get(&fate) {
                let numbers = [pages, main_bytes, before, now].map(Cell::from);
                fates.row([Cell::new(name, key)].into_iter().chain(numbers));
            }
        }
    }

    fn reasons(&self, results: &mut Results) {
        let columns = [
            ("reason", "pages leave for", -28),
            ("pages", "pages", 10),
            ("bytes", "bytes", 14),
            ("hosts", " hosts with most", -1),
        ];
        let mut reasons = results.table("reasons", "\n", &columns);
        let mut left: Vec<_> = self.left.iter().collect();
        left.sort_by_key(|(_, left)| std::cmp::Reverse((left.main_bytes, left.pages)));
        for (reason, left) in left {
            let key = reason.split(" (").next().unwrap_or_default().replace(' ', "_");
            let reason = Cell::new(reason, key);
            reasons.row([reason, left.pages.into(), left.main_bytes.into(), hosts(left)]);
        }
    }

    fn languages(&self, results: &mut Results) {
        let columns = [
            ("language", "bytes in the kept pages", -28),
            ("bytes_before", "before", 14),
            ("bytes", "now", 14),
        ];
        let changes = self.changes();
        let mut languages = results.table("languages", "\n", &columns);
        for (place, &(code, before, now)) in changes.iter().enumerate() {
            let name = Cell::new(format!("{code} ({})", code.name()), code.as_str());
            let row = [name, before.into(), now.into()];
            match place < NAMED_LANGUAGES {
                true => _ = languages.row(row),
                false => languages.unread(row),
            }
        }
        if changes.len() > NAMED_LANGUAGES {
            let more = counted(changes.len() - NAMED_LANGUAGES, "language");
            results.line(&format!("and {more} more"));
        }
    }
}

/// The hosts with most pages.
fn hosts(left: &Left) -> Cell {
    let mut hosts: Vec<_> = left.hosts.iter().collect();
    hosts.sort_by(|(a, one), (b, other)| other.cmp(one).then_with(|| a.cmp(b)));
    let named = |(host, pages): &(&String, &u64)| {
        let host = if host.is_empty() { "(no address)" } else { host.as_str() };
        format!("{host} {pages}")
    };
    let mut said = hosts.iter().take(NAMED_HOSTS).map(named).collect::<Vec<_>>().join(", ");
    if hosts.len() > NAMED_HOSTS {
        let _ = write!(said, ", and {} more", hosts.len() - NAMED_HOSTS);
    }
    let value = |(host, pages): (&String, &u64)| json!({ "host": host, "pages": pages });
    Cell::new(format!(" {said}"), hosts.into_iter().map(value).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_keeps_the_extractor_that_made_the_text() {
        assert_eq!(
            version("1 best/3 lm/1+cld2/1", "2 web-am/1 lm/2+cld2/1"),
            "2 best/3 lm/2+cld2/1"
        );
        assert_eq!(version("strange", "2 web-am/1 lm/2"), "2 web-am/1 lm/2");
    }
}
