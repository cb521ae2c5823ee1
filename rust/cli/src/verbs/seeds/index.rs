//! Seeds from the index of an archive: hosts with pages in a language, at any rank.

use super::Arguments;
use crate::context::Context;
use crate::io::console::counted;
use crate::io::index;
use crate::io::output::{apart, settle, Place};
use anyhow::Result;
use langbytes::{are_siblings, Cld2};
use langid::{Identify, LangCode};
use seeds::index::{Limits, Sums};
use seeds::Choice;
use std::collections::HashSet;

/// Returns a sentence if the program that labels such indexes does not know a language.
fn blind_spot(language: LangCode, like: &[LangCode]) -> Option<String> {
    let known: HashSet<LangCode> = Cld2.languages().into_iter().collect();
    if known.contains(&language) || !like.is_empty() {
        return None;
    }
    let mut near: Vec<&str> = Vec::new();
    let siblings: Vec<LangCode> =
        known.into_iter().filter(|&other| are_siblings(language, other)).collect();
    near.extend(siblings.iter().map(LangCode::as_str));
    near.sort_unstable();
    let near = match near.is_empty() {
        true => "(`identify --identifier cld2` on a text in it finds them)".to_owned(),
        false => format!("{} or others", near.join(",")),
    };
    Some(format!(
        "{language}: CLD2, which labels the pages of Common Crawl's index, does not know {}, and labels its pages as \
         other languages; list the hosts of these with --like {near}",
        language.name()
    ))
}

/// Adds the pages of indexes to a choice of seeds. Returns whether the indexes are whole.
///
/// # Errors
/// Fails if an index cannot be read, a table cannot be written, or a signal stopped the work.
pub fn choose(arguments: &Arguments, context: &Context, choice: &mut Choice) -> Result<bool> {
    let files = cdx::pages::files(&arguments.corpora)?;
    apart(&arguments.outputs(), files.iter().map(|file| file.path.as_path()))?;
    let hosts = Place::of(arguments.hosts.as_deref(), "--hosts")?;
    let table = Place::of(arguments.table.as_deref(), "--table")?;
    let overlap = Place::of(arguments.overlap.as_deref(), "--overlap")?;
    let languages = Place::of(arguments.languages.as_deref(), "--languages")?;
    if let Some(sentence) = blind_spot(arguments.language, &arguments.like) {
        eprintln!("corpulyzer: {sentence}");
    }
    let mut sums = Sums::new(arguments.language, &arguments.like);
    let lost = index::read(&files, context.max_bytes, &mut |entry| {
        sums.add(&entry, choice);
        Ok(())
    })?;
    if lost > 0 {
        eprintln!("corpulyzer: skipped {} without an entry of an index", counted(lost, "line"));
    }
    let limits = Limits { min_pages: arguments.min_pages, min_share: arguments.min_share };
    sums.limit(choice, limits);
    let releases = &sums.releases;
    let write = |place: Option<Place>, text: &dyn Fn() -> String| -> Result<()> {
        match place {
            Some(place) => Ok(settle(place, lost == 0)?.write(text().as_bytes())?),
            None => Ok(()),
        }
    };
    write(hosts, &|| sums.host_table(limits))?;
    write(table, &|| releases.table())?;
    write(overlap, &|| releases.overlap())?;
    write(languages, &|| releases.languages())?;
    Ok(lost == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_labels_cannot_know_is_said() {
        let language = |code: &str| code.parse::<LangCode>().expect("a code");
        assert_eq!(blind_spot(language("ur"), &[]), None);
        let said = blind_spot(language("skr"), &[]).expect("Saraiki");
        assert!(
            said.contains("does not know Saraiki") && said.contains("identify --identifier cld2"),
            "{said}"
        );
        let said = blind_spot(language("pnb"), &[]).expect("Western Panjabi");
        assert!(said.contains(",urd") && !said.contains("identify"), "{said}");
        assert_eq!(blind_spot(language("skr"), &[language("ur")]), None);
    }
}
