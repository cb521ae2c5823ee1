//! Models of the languages closest to the targets, and of the common ones. They are enough for most
//! text of a crawl, and several times faster than the models of all languages of a script.
//!
//! The closest languages are those that share most words and n-grams in the tables. A result is
//! final if it is the target, or another language of the set whose own closest languages are in the
//! set too. A pack that is too small to be narrowed does not make its languages final. Of 5,156
//! sentences of the development text in Latin script, 2 to 13 have another result than with all
//! models (targets North Sámi, Estonian, Võro, Upper Sorbian, Finnish, Lule Sámi).

use crate::lm::LanguageModel;
use crate::pack::{Pack, Part, Section};
use crate::table::Table;
use crate::LangCode;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Languages that are common on pages in any other language: those of one website in a hundred or
/// more (W3Techs' survey of content languages).
const COMMON: [&str; 14] = [
    "eng", "spa", "deu", "fra", "por", "rus", "ita", "nld", "pol", "tur", "fas", "ind", "vie",
    "ces",
];

/// A section with fewer languages is not narrowed: little would be gained.
const MANY: usize = 64;
/// Number of languages closest to the target that are included.
const NEIGHBOURS: usize = 32;
/// Number of languages closest to each [`COMMON`] one that are included. A result is final only if
/// this number of its own closest languages is included.
const COUSINS: usize = 3;

/// Least length of text with a final result, in bytes. Shorter text is compared with all languages,
/// because it may be closest to any of them by chance.
pub(crate) const MIN_SETTLED: usize = 64;

/// Models of some languages of the scripts of a target.
#[derive(Debug)]
pub(crate) struct Near {
    pub models: LanguageModel,
    /// Languages that are final results.
    settled: BTreeSet<LangCode>,
}

impl Near {
    /// Creates the models; `None` if the target's scripts have few languages, so that nothing would
    /// be gained.
    pub fn new(all: &LanguageModel, targets: &[LangCode]) -> Option<Self> {
        let mut settled: BTreeSet<LangCode> = targets.iter().copied().collect();
        let mut is_narrowed = false;
        let mut narrowed = |pack: &Arc<Pack>| {
            let sections = || {
                let known = |section: &&Section| {
                    targets.iter().any(|&target| all.knows(target, section.script))
                };
                pack.sections.iter().filter(known)
            };
            let kept: Vec<_> = sections().map(|section| nearest(pack, section, targets)).collect();
            if kept.iter().all(Option::is_none) {
                return pack.clone();
            }
            is_narrowed = true;
            let mut parts = Vec::new();
            for (section, kept) in sections().zip(kept) {
                let kept = kept.unwrap_or_else(|| Nearest::all(section));
                let finals = kept.kept.iter().filter(|at| !kept.open.contains(at));
                settled.extend(finals.map(|&at| section.languages[at].code));
                parts.extend(part(pack, section, &kept.kept));
            }
            Arc::new(Pack::of_parts(parts, pack.is_guarded))
        };
        let packs = all.packs().iter().map(&mut narrowed).collect();
        is_narrowed.then(|| Self { models: LanguageModel::of(packs), settled })
    }

    /// Returns whether a result of these models is final: they include the languages that could be
    /// mistaken for it.
    pub fn settles(&self, language: LangCode) -> bool {
        self.settled.contains(&language)
    }
}

/// Some languages of a section, by index and in order.
struct Nearest {
    kept: Vec<usize>,
    /// Languages that are not final: they are included only for another language, or the set lacks
    /// one of their closest [`COUSINS`].
    open: Vec<usize>,
}

impl Nearest {
    fn all(section: &Section) -> Self {
        Self { kept: (0..section.languages.len()).collect(), open: Vec::new() }
    }
}

/// Returns the targets, their closest [`NEIGHBOURS`], the [`COMMON`] languages and the closest
/// [`COUSINS`] of each; `None` if the section has few languages, lacks every target, or would keep
/// over half of its languages for several targets.
fn nearest(pack: &Pack, section: &Section, targets: &[LangCode]) -> Option<Nearest> {
    let languages = &section.languages;
    let number = |code: &str| languages.iter().position(|known| known.code.as_str() == code);
    let targets: Vec<usize> = targets.iter().filter_map(|target| number(target.as_str())).collect();
    if targets.is_empty() || languages.len() < MANY {
        return None;
    }
    let table = pack.table(section)?;
    let common: Vec<usize> = COMMON.into_iter().filter_map(number).collect();
    let neighbours = closest(&table, &targets, NEIGHBOURS).into_iter().flatten();
    let asked: BTreeSet<usize> = neighbours.chain(common.iter().copied()).collect();
    let cousins = closest(&table, &common, COUSINS).into_iter().flatten();
    let kept: BTreeSet<usize> =
        asked.iter().copied().chain(cousins).chain(targets.iter().copied()).collect();
    if targets.len() > 1 && kept.len() > languages.len() / 2 {
        return None;
    }
    let kept: Vec<usize> = kept.into_iter().collect();
    let is_kept = |at: &usize| kept.binary_search(at).is_ok();
    let cousins = closest(&table, &kept, COUSINS);
    let is_open = |(&at, cousins): (&usize, Vec<usize>)| {
        let settled = targets.contains(&at) || asked.contains(&at) && cousins.iter().all(is_kept);
        (!settled).then_some(at)
    };
    let open = kept.iter().zip(cousins).filter_map(is_open).collect();
    Some(Nearest { kept, open })
}

/// Returns the closest other languages of each of some languages.
fn closest(table: &Table, to: &[usize], count: usize) -> Vec<Vec<usize>> {
    let closeness = table.closeness(&to.iter().map(|&at| at as u8).collect::<Vec<_>>());
    let first = |(&at, close): (&usize, &Vec<f64>)| {
        let mut order: Vec<usize> = (0..close.len()).filter(|&other| other != at).collect();
        order.sort_by(|&a, &b| close[b].total_cmp(&close[a]));
        order.truncate(count);
        order
    };
    to.iter().zip(&closeness).map(first).collect()
}

/// Returns the languages of a pack, each in each of its scripts (ISO 15924), with the other
/// languages of the same pack and script that share most words and n-grams with it, the closest
/// first, at most `count`.
pub fn neighbours(pack: &Pack, count: usize) -> Vec<(LangCode, &'static str, Vec<LangCode>)> {
    let of_section = |section: &Section| {
        let codes: Vec<LangCode> = section.languages.iter().map(|known| known.code).collect();
        let all: Vec<usize> = (0..codes.len()).collect();
        let table = pack.table(section);
        let near = table.map_or(Vec::new(), |table| closest(&table, &all, count));
        let script = section.script.tag();
        let named = near.into_iter().zip(codes.clone()).map(move |(near, code)| {
            // A language may have two models in a section.
            let others = near.into_iter().map(|at| codes[at]).filter(|other| *other != code);
            (code, script, others.collect::<Vec<_>>())
        });
        named.collect::<Vec<_>>()
    };
    pack.sections.iter().flat_map(of_section).collect()
}

/// Returns the sections of a pack with the given languages, each with these and the closest
/// `count` languages of each; `None` if it has none of them.
pub(crate) fn around(pack: &Pack, languages: &[LangCode], count: usize) -> Option<Pack> {
    let of_section = |section: &Section| {
        let number = |code: &LangCode| section.languages.iter().position(|l| l.code == *code);
        let wanted: Vec<usize> = languages.iter().filter_map(number).collect();
        if wanted.is_empty() {
            return None;
        }
        let near = closest(&pack.table(section)?, &wanted, count).into_iter().flatten();
        let kept: BTreeSet<usize> = near.chain(wanted.iter().copied()).collect();
        part(pack, section, &kept.into_iter().collect::<Vec<_>>())
    };
    let parts: Vec<Part> = pack.sections.iter().filter_map(of_section).collect();
    (!parts.is_empty()).then(|| Pack::of_parts(parts, pack.is_guarded))
}

/// Returns a section with some of its languages only.
fn part(pack: &Pack, section: &Section, kept: &[usize]) -> Option<Part> {
    let number =
        |at: usize| kept.binary_search(&at).ok().and_then(|number| u8::try_from(number).ok());
    let numbers: Vec<_> = (0..section.languages.len()).map(number).collect();
    let (buckets, lists) = pack.table(section)?.narrowed(&numbers, kept.len());
    let languages = kept.iter().map(|&at| section.languages[at]).collect();
    Some(Part { script: section.script, languages, buckets, lists })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Identify;
    use std::fs;
    use std::path::{Path, PathBuf};

    fn all() -> LanguageModel {
        LanguageModel::new(Pack::shipped().into())
    }

    fn code(code: &str) -> LangCode {
        code.parse().unwrap()
    }

    #[test]
    fn a_language_is_near_itself_its_relatives_and_the_common_ones() {
        let near = Near::new(&all(), &[code("sme")]).unwrap();
        let languages = near.models.languages();
        for kept in ["sme", "smj", "sma", "smn", "fin", "nob", "eng", "vie"] {
            assert!(languages.contains(&code(kept)), "{kept}");
        }
        assert!(2 * languages.len() < all().languages().len(), "{}", languages.len());
        assert!(near.settles(code("sme")) && near.settles(code("eng")));
        assert!(!near.settles(LangCode::UND));
    }

    #[test]
    fn the_neighbours_of_a_language_are_its_relatives() {
        let packs = Pack::shipped();
        let of = |wanted: &str| {
            let mut all = packs.iter().flat_map(|pack| neighbours(pack, 5));
            let (_, script, near) = all.find(|(known, ..)| *known == code(wanted)).unwrap();
            (script, near)
        };
        let (script, near) = of("skr");
        assert_eq!((script, near.len()), ("Arab", 5));
        assert!(near.contains(&code("pnb")) && near.contains(&code("urd")), "{near:?}");
        assert!(of("sme").1.contains(&code("smj")) && of("myv").1.contains(&code("mdf")));
        assert!(packs
            .iter()
            .flat_map(|pack| neighbours(pack, 5))
            .all(|(own, _, near)| !near.contains(&own)));
    }

    #[test]
    fn scripts_of_few_languages_are_not_narrowed() {
        for target in ["urd", "myv", "hye"] {
            assert!(Near::new(&all(), &[code(target)]).is_none(), "{target}");
        }
    }

    #[test]
    fn development_sentences_are_called_as_by_all_models() {
        let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
        let shared = std::env::var_os("CORPULYZER_SHARED").map_or(beside, PathBuf::from);
        let folder = shared.join("data/langid/dev");
        let Ok(files) = fs::read_dir(&folder) else {
            println!("skipped: the shared development texts are not here (CORPULYZER_SHARED)");
            return;
        };
        let all = all();
        let near = ["sme", "est", "hsb"].map(|target| Near::new(&all, &[code(target)]).unwrap());
        let (mut settled, mut otherwise) = (0, 0);
        for file in files {
            let text = fs::read_to_string(file.unwrap().path()).unwrap();
            let is_asked = |line: &&str| {
                let letters = line.chars().filter(char::is_ascii_alphabetic).count();
                line.len() >= MIN_SETTLED && 2 * letters > line.chars().count()
            };
            for sentence in text.lines().filter(is_asked).step_by(10) {
                let by_all = all.identify(sentence, None);
                for near in &near {
                    let answer = near.models.identify(sentence, None);
                    settled += usize::from(near.settles(answer));
                    otherwise += usize::from(near.settles(answer) && answer != by_all);
                }
            }
        }
        assert!(settled > 300 && otherwise * 50 < settled, "{otherwise} of {settled}");
    }
}
