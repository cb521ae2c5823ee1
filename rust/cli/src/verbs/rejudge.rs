//! Applies the present models to an old corpus.

use crate::arguments::whole;
use crate::context::Context;
use crate::io::console::{counted, print};
use crate::io::corpora::tell_problems;
use crate::io::records::{Fields, Line, Output, Records, LANGUAGES};
use crate::io::{input, of_option};
use anyhow::{anyhow, bail, Result};
use clap::Args;
use engine::{Engine, Given, PageRecord, Policy, Profile, Settings, Status};
use figures::parse::{host, is_rejected, record_of_text, MAX_FIGURE};
use inputs::urls;
use langbytes::{LangBytes, LangCode};
use langid::IdentifierName;
use properties::PAGE_MIN_BYTES;
use rayon::prelude::*;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};

/// Number of hosts in the table, for each language of pages that left.
const NAMED_HOSTS: usize = 5;

/// Number of languages in the table of bytes; those that changed most come first.
const NAMED_LANGUAGES: usize = 12;

/// Time limit of a page in milliseconds. A task of Hadoop must end in time; here the result must
/// not depend on the machine's load.
const MAX_MILLIS: u64 = 3_600_000;

/// Apply the present models to the text of an old corpus. Write the pages that stay and those that
/// leave, and print the language of those that leave
#[derive(Args)]
pub struct Arguments {
    /// JSON lines of a crawl, or other JSON lines with `text`: plain, gzip or zstd; Parquet; or
    /// folders of them. - is standard input
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<PathBuf>,
    /// File for the kept pages; .gz and .zst compress. An old file is replaced after the new one is
    /// complete
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// File for the rejected pages, written like --out
    #[arg(long, value_name = "FILE")]
    rejected: PathBuf,
    /// Language of the corpus, an ISO 639 code or a name
    #[arg(long, value_name = "CODE", value_parser = crate::arguments::language)]
    language: LangCode,
    /// Defaults of the other options: default, or paper, which has those of the Corpulyzer paper
    /// (docs/paper.md)
    #[arg(long, default_value_t = Profile::default(), value_name = "default|paper")]
    profile: Profile,
    /// Identifier of languages: combined (default), models (without CLD2), cld2 (with --profile
    /// paper) or stop-words; heli, w2c, w2c-short and trigrams learn from the texts of --pack, such
    /// as urd.txt
    #[arg(long, value_name = "NAME")]
    identifier: Option<IdentifierName>,
    /// Rule that decides which pages are kept: precision or recall
    #[arg(long, default_value_t = Policy::default(), value_name = "P")]
    policy: Policy,
    /// Smallest size of a page that policy precision keeps, in bytes of the language
    #[arg(
        long,
        default_value_t = PAGE_MIN_BYTES.default,
        value_name = "N",
        value_parser = whole::<u64>(PAGE_MIN_BYTES.least..=PAGE_MIN_BYTES.most)
    )]
    min_bytes: u64,
    /// Languages of pages by people, as `audit count --changes` and `--verified` write them: URL,
    /// tab, ISO 639 code. Such a page is kept if its language is that of --language, and rejected
    /// otherwise, whatever the models find. A host instead of a URL stands for its pages and those
    /// of hosts below it, but junk stays rejected
    #[arg(long, value_name = "FILE")]
    judged: Option<PathBuf>,
}

/// Languages of pages by people.
#[derive(Default)]
struct ByPeople {
    pages: HashMap<String, LangCode>,
    hosts: HashMap<String, LangCode>,
}

impl ByPeople {
    /// Reads a list: URL or host, tab, ISO 639 code or name. Empty lines and lines that begin with
    /// `#` are ignored.
    fn read(file: &Path, max_bytes: u64) -> Result<Self> {
        let mut by_people = Self::default();
        for (number, line) in
            (1..).zip(of_option(input::text(file, max_bytes), "--judged")?.lines())
        {
            let line = line.trim_end();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let bad = |what: &str| anyhow!("{}: line {number}: {what} (--judged)", file.display());
            let (url, language) = line.split_once('\t').ok_or_else(|| {
                bad("is not a URL or a host, a tab and a language; allowed are such lines")
            })?;
            let url = render::tsv::value(url);
            let (languages, name) = match url.contains("://") {
                true => (&mut by_people.pages, url.into_owned()),
                false => {
                    let host = host_of(&url).ok_or_else(|| {
                        bad(&format!(
                            "`{url}` is neither the URL of a page with its scheme nor a host"
                        ))
                    })?;
                    (&mut by_people.hosts, host)
                }
            };
            let language = render::tsv::value(language.trim());
            if language == LangCode::UND.as_str() {
                languages.insert(name, LangCode::UND);
                continue;
            }
            let language = registry::parse(&language)
                .map_err(|error| bad(&format!("{error}; write its ISO 639-3 code")))?;
            languages.insert(name, language);
        }
        Ok(by_people)
    }

    /// Replaces the decision on a page that people judged.
    fn decide(&self, url: Option<&str>, now: &mut PageRecord, target: LangCode) {
        let Some(url) = url else { return };
        let (language, is_page) = match (self.pages.get(url), self.of_host(url)) {
            (Some(&language), _) => (language, true),
            (None, Some(language)) => (language, false),
            (None, None) => return,
        };
        if language == target && !is_page && now.junk.is_some() {
            return;
        }
        now.decision.keep = language == target;
        let judged = if is_page { "judged" } else { "host judged" };
        now.decision.reason = format!("{judged} as {language} by people");
    }

    /// Returns the language of a URL's host, or of the nearest host above it.
    fn of_host(&self, url: &str) -> Option<LangCode> {
        if self.hosts.is_empty() {
            return None;
        }
        let host = urls::parse(url)?.host_str()?.to_owned();
        let above = host.char_indices().filter(|&(_, c)| c == '.').map(|(at, _)| &host[at + 1..]);
        std::iter::once(&*host).chain(above).find_map(|host| self.hosts.get(host)).copied()
    }
}

/// Returns a host as URLs have it; `None` if a name is none.
fn host_of(name: &str) -> Option<String> {
    let is_plain = !name.contains(['/', ':', '?', '#', '@']) && name.contains('.');
    let url = urls::parse(&format!("http://{}/", name.trim_start_matches('.')));
    url.filter(|_| is_plain)?.host_str().map(str::to_owned)
}

/// The outcome for a page with text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Stays,
    Leaves,
    Comes,
    StaysOut,
}

impl Fate {
    const ALL: [(Self, &'static str); 4] = [
        (Self::Stays, "stay"),
        (Self::Leaves, "leave"),
        (Self::Comes, "come back"),
        (Self::StaysOut, "stay rejected"),
    ];

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
struct Rejudged {
    line: Vec<u8>,
    kept: bool,
    changed: bool,
    judged: Option<Judged>,
}

/// Pages with one outcome.
#[derive(Default)]
struct Pages {
    pages: u64,
    main_bytes: u64,
    /// Bytes of the target language, in the old records and now.
    before: u64,
    now: u64,
}

/// Pages that left for one reason.
#[derive(Default)]
struct Left {
    pages: u64,
    main_bytes: u64,
    /// Pages by host.
    hosts: HashMap<String, u64>,
}

/// Sums over records.
#[derive(Default)]
struct Sums {
    records: u64,
    changed: u64,
    /// Records that were copied unchanged: without text, gone, or not read to the end.
    passed: u64,
    /// Pages whose old record has no bytes per language.
    untold: u64,
    fates: BTreeMap<Fate, Pages>,
    left: BTreeMap<String, Left>,
    /// Bytes per language in pages that were kept before, and in pages that are kept now.
    before: LangBytes,
    now: LangBytes,
}

/// Applies the engine to the text of the corpora's pages. Writes pages that it keeps to one file
/// and the others to another, each with its new figures and decision. Unchanged records are equal
/// byte for byte. Records without text are copied. Prints tables of the result. Returns true if the
/// inputs are whole. The first SIGINT or SIGTERM stops the work and leaves nothing behind.
///
/// # Errors
/// Fails if an input cannot be read, an output cannot be written, or a signal stopped the work.
pub fn run(asked: &Arguments, context: &Context) -> Result<bool> {
    let Arguments { language, profile, identifier, policy, min_bytes, .. } = *asked;
    // The text is there already, so no extractor is.
    let defaults = Given { profile, extractor: None, identifier }.settings(language);
    let settings = Settings { policy, min_bytes, max_millis: MAX_MILLIS, ..defaults };
    let (engine, max_bytes) = (&context.engine(settings)?, context.max_bytes);
    let outputs = [(asked.out.as_path(), "--out"), (asked.rejected.as_path(), "--rejected")];
    for (path, option) in outputs {
        if path == Path::new("-") {
            bail!(misuse!("-: the table goes to standard output; name a file ({option})"));
        }
    }
    context.apart(&outputs, asked.judged.as_deref())?;
    let records = Records::new(&asked.corpora, &outputs, max_bytes)?;
    let mut kept = Output::new(&asked.out, "--out")?;
    let mut rejected = Output::new(&asked.rejected, "--rejected")?;
    let by_people = match &asked.judged {
        Some(file) => ByPeople::read(file, max_bytes)?,
        None => ByPeople::default(),
    };
    let mut sums = Sums::default();
    let read = records.read(&mut |lines| {
        let lines: Vec<Rejudged> = lines
            .into_par_iter()
            .map(|line| rejudge(line, engine, &by_people))
            .collect::<Result<_>>()?;
        for line in lines {
            (if line.kept { &mut kept } else { &mut rejected }).line(&line.line)?;
            sums.add(line, language);
        }
        let left = sums.fates.get(&Fate::Leaves).map_or(0, |left| left.pages);
        Ok(Some(format!("{}, {left} leave", counted(sums.records, "record"))))
    })?;
    tell_problems("in all", &read.problems);
    let (kept, rejected) = (kept.finish(read.is_whole())?, rejected.finish(read.is_whole())?);
    eprintln!(
        "corpulyzer: {}, {} of them unchanged: {kept}, {rejected}",
        counted(sums.records, "record"),
        sums.records - sums.changed
    );
    print(sums.table(language).as_bytes())?;
    Ok(read.is_whole())
}

fn rejudge((line, page): Line, engine: &Engine, by_people: &ByPeople) -> Result<Rejudged> {
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
) -> Result<bool> {
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

impl Sums {
    fn add(&mut self, line: Rejudged, target: LangCode) {
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

    fn table(&self, target: LangCode) -> String {
        let mut said = format!(
            "{:<14} {:>10} {:>14} {:>14} {:>14}\n",
            "pages that", "pages", "bytes", "before", "now"
        );
        for (fate, name) in Fate::ALL {
            if let Some(Pages { pages, main_bytes, before, now }) = self.fates.get(&fate) {
                let _ = writeln!(
                    said,
                    "{name:<14} {pages:>10} {main_bytes:>14} {before:>14} {now:>14}"
                );
            }
        }
        let _ = writeln!(
            said,
            "before, now: bytes of {target} ({}): before as in the records, now as counted again",
            target.name()
        );
        if self.untold > 0 {
            let _ = writeln!(said, "{} had no bytes per language", counted(self.untold, "record"));
        }
        if self.passed > 0 {
            let _ = writeln!(
                said,
                "{} copied without a decision: without text, gone, or too large to be read to the end",
                counted(self.passed, "record")
            );
        }
        if !self.left.is_empty() {
            let _ = writeln!(
                said,
                "\n{:<28} {:>10} {:>14}  hosts with most",
                "pages leave for", "pages", "bytes"
            );
            let mut left: Vec<_> = self.left.iter().collect();
            left.sort_by_key(|(_, left)| std::cmp::Reverse((left.main_bytes, left.pages)));
            for (reason, left) in left {
                let hosts = left.hosts();
                let _ = writeln!(
                    said,
                    "{reason:<28} {:>10} {:>14}  {hosts}",
                    left.pages, left.main_bytes
                );
            }
        }
        let changes = self.changes();
        if !changes.is_empty() {
            let _ = writeln!(
                said,
                "\n{:<28} {:>14} {:>14}",
                "bytes in the kept pages", "before", "now"
            );
            for (code, before, now) in changes.iter().take(NAMED_LANGUAGES) {
                let name = format!("{code} ({})", code.name());
                let _ = writeln!(said, "{name:<28} {before:>14} {now:>14}");
            }
            if changes.len() > NAMED_LANGUAGES {
                let _ = writeln!(
                    said,
                    "and {} more",
                    counted(changes.len() - NAMED_LANGUAGES, "language")
                );
            }
        }
        said
    }

    /// Languages with changed bytes, and the target; the largest change first.
    fn changes(&self) -> Vec<(LangCode, u64, u64)> {
        let mut all = self.before.clone();
        all.merge(&self.now);
        let with = |(code, _)| (code, self.before.bytes(code), self.now.bytes(code));
        let mut changes: Vec<_> =
            all.iter().map(with).filter(|(_, before, now)| before != now).collect();
        changes.sort_by_key(|&(code, before, now)| (std::cmp::Reverse(before.abs_diff(now)), code));
        changes
    }
}

impl Left {
    fn hosts(&self) -> String {
        let mut hosts: Vec<_> = self.hosts.iter().collect();
        hosts.sort_by(|(a, one), (b, other)| other.cmp(one).then_with(|| a.cmp(b)));
        let named = |(host, pages): &(&String, &u64)| {
            let host = if host.is_empty() { "(no address)" } else { host.as_str() };
            format!("{host} {pages}")
        };
        let mut said = hosts.iter().take(NAMED_HOSTS).map(named).collect::<Vec<_>>().join(", ");
        if hosts.len() > NAMED_HOSTS {
            let _ = write!(said, ", and {} more", hosts.len() - NAMED_HOSTS);
        }
        said
    }
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
