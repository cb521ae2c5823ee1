//! Each option that the documentation shows exists, and each option that exists is documented.

use crate::common::{corpulyzer, root, stdout};
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use walkdir::WalkDir;

/// Verbs of bin/corpulyzer that this command does not have.
const OF_THE_SCRIPT: [&str; 7] =
    ["build", "crawl", "doctor", "fuzz", "install", "test", "uninstall"];

/// The pages for users, each with its path from the root.
fn pages() -> BTreeMap<String, String> {
    let docs = WalkDir::new(root().join("docs")).into_iter().map(|it| it.unwrap().into_path());
    docs.filter(|path| path.extension().is_some_and(|it| it == "md"))
        .chain(["README.md", "nutch-conf/README.md"].map(|name| root().join(name)))
        .map(|path| {
            let name = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(&path).unwrap())
        })
        .collect()
}

/// The first `--option` of each line of a help text that begins with options, and the verbs that it
/// lists.
fn help(verbs: &[&str]) -> (BTreeSet<String>, Vec<String>) {
    let text = stdout(&corpulyzer(verbs.iter().chain(&["--help"])).assert().success());
    let (mut options, mut inner, mut in_commands) = (BTreeSet::new(), Vec::new(), false);
    for line in text.lines() {
        in_commands = line == "Commands:" || in_commands && !line.is_empty();
        let words = line.trim_start();
        // Descriptions stand further to the right, and may begin with the name of an option too.
        if words.starts_with('-') && line.len() - words.len() <= 6 {
            let mut names = words.split(|it: char| !it.is_ascii_alphanumeric() && it != '-');
            options.extend(names.find(|word| word.starts_with("--")).map(str::to_owned));
        } else if in_commands && line.starts_with("  ") && !line.starts_with("   ") {
            inner.extend(words.split(' ').next().map(str::to_owned));
        }
    }
    inner.retain(|verb| verb != "help");
    (options, inner)
}

/// The options of each verb; those of inner verbs have the key `audit draw`.
fn options() -> BTreeMap<String, BTreeSet<String>> {
    let (general, verbs) = help(&[]);
    let mut all = BTreeMap::from([(String::new(), general)]);
    for verb in verbs {
        let (options, inner) = help(&[&verb]);
        for name in inner {
            all.insert(format!("{verb} {name}"), help(&[&verb, &name]).0);
        }
        all.insert(verb, options);
    }
    all
}

/// The shell commands of a page's code blocks, each on one line.
fn commands(markdown: &str) -> Vec<String> {
    let (mut text, mut in_code) = (String::new(), false);
    for event in Parser::new(markdown) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                in_code = ["sh", "bash", ""].contains(&&*language);
            }
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Text(code) if in_code => text.push_str(&code),
            _ => {}
        }
    }
    let lines = text.replace("\\\n", " ");
    let parts = lines.split(['\n', '|', ';', '&', '>']);
    parts.map(|part| part.trim().to_owned()).collect()
}

/// The words behind the name of this program; nothing if the command is another one.
fn arguments(command: &str) -> Option<Vec<&str>> {
    let mut words = command.split_whitespace().skip_while(|word| word.contains('='));
    let program = words.next()?;
    (program.rsplit('/').next() == Some("corpulyzer")).then(|| words.collect())
}

/// Returns what is wrong with a command of a page, if something is.
fn fault(known: &BTreeMap<String, BTreeSet<String>>, words: &[&str]) -> Option<String> {
    let verb = *words.first()?;
    if OF_THE_SCRIPT.contains(&verb) || verb.starts_with('-') || verb.to_uppercase() == verb {
        return None;
    }
    let inner = words.get(1).map(|word| format!("{verb} {word}"));
    let inner = inner.filter(|name| known.contains_key(name));
    let Some(options) = known.get(inner.as_deref().unwrap_or(verb)) else {
        return Some(format!("there is no verb {verb}"));
    };
    let used = words.iter().filter(|word| word.starts_with("--") && word.len() > 2);
    let mut used = used.map(|word| word.split('=').next().unwrap_or(word));
    let missing = used.find(|name| !options.contains(*name) && !known[""].contains(*name));
    missing.map(|name| format!("`{}` has no option {name}", words.join(" ")))
}

#[test]
fn every_option_in_a_command_of_the_documentation_exists() {
    let (known, mut checked, mut faults) = (options(), 0, Vec::new());
    for (page, text) in pages() {
        for command in commands(&text) {
            if let Some(words) = arguments(&command) {
                checked += 1;
                faults.extend(fault(&known, &words).map(|fault| format!("{page}: {fault}")));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(checked > 100, "only {checked} commands were found");
}

#[test]
fn a_command_with_an_unknown_verb_or_option_is_a_fault() {
    let known = options();
    let fault = |command: &str| fault(&known, &arguments(command).unwrap());
    assert_eq!(fault("A=1 bin/corpulyzer collect --language ur --out DIR IN"), None);
    assert_eq!(fault("corpulyzer crawl --no-such"), None);
    assert!(fault("corpulyzer collect --lang ur").unwrap().ends_with("has no option --lang"));
    assert_eq!(fault("corpulyzer colect IN").unwrap(), "there is no verb colect");
    assert_eq!(arguments("gradle build"), None);
}

/// The options of the one-machine crawl, whose help Java prints.
fn options_of_crawl() -> BTreeSet<String> {
    let source = "java/crawl/src/main/java/org/corpulyzer/crawl/CrawlOptions.java";
    let source = fs::read_to_string(root().join(source)).unwrap();
    let names = source.split('"').filter(|text| text.starts_with("--") && !text.contains(' '));
    names.map(str::to_owned).collect()
}

#[test]
fn every_option_is_on_a_page_of_the_documentation() {
    let docs: String = pages().into_values().collect();
    let mut known = options();
    known.insert("crawl".to_owned(), options_of_crawl());
    assert!(known["crawl"].len() > 20, "{:?}", known["crawl"]);
    let words: BTreeSet<&str> =
        docs.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-').collect();
    let absent: Vec<_> = known
        .iter()
        .flat_map(|(verb, options)| options.iter().map(move |option| (verb, option)))
        .filter(|(_, option)| !words.contains(option.as_str()) && *option != "--help")
        .map(|(verb, option)| format!("{verb} {option}"))
        .collect();
    assert!(absent.is_empty(), "no page has these options: {}", absent.join(", "));
}

/// Source texts of the tests below a folder.
fn sources(folder: &Path, ending: &str) -> String {
    let files = WalkDir::new(folder).into_iter().map(|entry| entry.unwrap().into_path());
    let files = files.filter(|path| path.to_string_lossy().ends_with(ending));
    files.map(|path| fs::read_to_string(path).unwrap()).collect()
}

/// Returns whether a command runs a test that exists.
fn runs_a_test(command: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    match words[..] {
        ["cargo", "test", "-p", component, name] => {
            sources(&root().join("rust").join(component), ".rs").contains(&format!("fn {name}("))
        }
        ["gradle", task, "--tests", pattern] => {
            let component = task.trim_start_matches(':').trim_end_matches(":test");
            let folder = match component.split_once('-') {
                Some((line, part)) => root().join("java").join(line).join(part),
                None => root().join("java").join(component),
            };
            let pattern = pattern.trim_matches('\'').trim_start_matches('*');
            let (class, method) = match pattern.split_once('.') {
                Some((class, method)) => (class, format!("void {method}(")),
                None => (pattern, "@Test".to_owned()),
            };
            sources(&folder.join("src/test"), &format!("/{class}.java")).contains(&method)
        }
        _ => false,
    }
}

#[test]
fn every_difference_from_the_paper_names_a_test_that_exists() {
    let page = fs::read_to_string(root().join("docs/paper.md")).unwrap();
    let (mut counted, mut faults, mut is_table) = (0, Vec::new(), false);
    for line in page.lines() {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        match line {
            _ if !line.starts_with('|') => is_table = false,
            _ if line.starts_with("| the paper |") => is_table = true,
            _ if !is_table || line.starts_with("|---") => {}
            _ => {
                counted += 1;
                let command = cells.last().unwrap().trim_matches('`');
                if cells.len() != 5 || !runs_a_test(command) {
                    faults.push(format!("{}: `{command}` runs no test", cells[0]));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(counted > 30, "only {counted} rows were found");
    assert!(!runs_a_test("cargo test -p cli no_such_test"));
    assert!(!runs_a_test("gradle :crawl:test --tests '*SampleTest.noSuchTest'"));
}
