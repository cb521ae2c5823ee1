//! Man pages and shell completions.

use crate::common::{corpulyzer, stdout};
use std::fs;
use std::path::Path;

/// The verbs that `--help` lists.
fn verbs() -> Vec<String> {
    let help = stdout(&corpulyzer(["--help"]).assert().success());
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names
        .map(|line| line.split_whitespace().next().unwrap().to_owned())
        .filter(|name| name != "help")
        .collect()
}

fn read(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn every_verb_has_a_man_page_and_is_completed_in_every_shell() {
    let folder = tempfile::tempdir().unwrap();
    corpulyzer(["generate"]).arg(folder.path()).assert().success();
    let verbs = verbs();
    assert!(verbs.len() > 15 && verbs.contains(&"report".to_owned()), "{verbs:?}");
    let completions = [
        "bash-completion/completions/corpulyzer",
        "zsh/site-functions/_corpulyzer",
        "fish/vendor_completions.d/corpulyzer.fish",
    ]
    .map(|file| read(folder.path(), file));
    for verb in &verbs {
        assert!(
            read(folder.path(), &format!("man/man1/corpulyzer-{verb}.1")).contains(".SH SYNOPSIS"),
            "{verb}"
        );
        assert!(completions.iter().all(|text| text.contains(verb.as_str())), "{verb}");
    }
    assert!(read(folder.path(), "man/man1/corpulyzer-lookup.1").contains("\\-\\-outside"));
    let pages = fs::read_dir(folder.path().join("man/man1")).unwrap().count();
    assert_eq!(
        pages,
        verbs.len() + 1 + sub_verbs(folder.path()),
        "a page for each verb and one for the command"
    );
}

/// Returns the number of man pages of steps of a verb, such as `audit draw`.
fn sub_verbs(folder: &Path) -> usize {
    let pages = fs::read_dir(folder.join("man/man1")).unwrap();
    let names = pages.map(|page| page.unwrap().file_name().to_string_lossy().into_owned());
    names
        .filter(|name| {
            ["corpulyzer-audit-", "corpulyzer-quality-"].iter().any(|verb| name.starts_with(verb))
        })
        .count()
}

#[test]
fn two_runs_write_the_same_bytes() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    for (folder, columns) in folders.iter().zip(["40", "200"]) {
        corpulyzer(["generate"]).env("COLUMNS", columns).arg(folder.path()).assert().success();
    }
    for page in fs::read_dir(folders[0].path().join("man/man1")).unwrap() {
        let name = format!("man/man1/{}", page.unwrap().file_name().to_string_lossy());
        assert_eq!(read(folders[0].path(), &name), read(folders[1].path(), &name), "{name}");
    }
}

/// Packagers run it as root, in folders that others may have prepared.
#[cfg(unix)]
#[test]
fn a_symlink_in_the_place_of_a_page_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let precious = folder.path().join("precious");
    fs::write(&precious, "mine").unwrap();
    let places = ["man/man1/corpulyzer.1", "zsh/site-functions/_corpulyzer"]
        .map(|name| folder.path().join(name));
    for place in &places {
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(&precious, place).unwrap();
    }
    corpulyzer(["generate"]).arg(folder.path()).assert().success();
    assert_eq!(fs::read_to_string(&precious).unwrap(), "mine");
    assert!(places.iter().all(|place| fs::symlink_metadata(place).unwrap().is_file()));
    let hidden = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with('.');
    assert_eq!(fs::read_dir(folder.path()).unwrap().flatten().filter(hidden).count(), 0);
}
