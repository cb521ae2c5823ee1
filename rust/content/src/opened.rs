//! Hidden text that a reader opens: the panels of tabs and accordions. It is text of the page, as
//! the body of a closed `<details>` is: the answers of a list of questions, the languages of an
//! example.

use crate::display::Own;
use crate::source::{bits_of, SourceTag};
use foldhash::{HashSet, HashSetExt};

/// Most controls of a page that are known.
const MAX_CONTROLS: usize = 10_000;
/// Longest id of a control, in bytes.
const MAX_ID: usize = 200;

/// Parts of names of elements that a reader opens, in class or id.
const NAMES: [&str; 10] = [
    "faq",
    "accordion",
    "answer",
    "collaps",
    "expand-content",
    "expander",
    "expansion",
    "disclosure",
    "spoiler",
    "toggle",
];
/// Words in names of elements that are opened as well, but are no text of the page.
const OTHER_WORDS: [&str; 14] = [
    "nav",
    "navbar",
    "navigation",
    "menu",
    "submenu",
    "form",
    "modal",
    "cookie",
    "cookies",
    "search",
    "share",
    "sharing",
    "ad",
    "ads",
];
/// Beginnings of the rest of a panel's name after `tab`, besides a sign: a `table` is no panel.
const AFTER_TAB: [&str; 6] = ["s", "panel", "pane", "content", "body", "item"];
/// Roles of elements that a reader opens, but that are no text of the page.
const OTHER_ROLES: [&str; 7] =
    ["menu", "listbox", "tooltip", "dialog", "alertdialog", "navigation", "search"];

/// Returns true for a name of elements that a reader opens, such as `faq-content`, `accordion-body`
/// and `tab-pane`.
pub(crate) fn is_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_tab = name.strip_prefix("tab").is_some_and(|rest| {
        !rest.starts_with(|c: char| c.is_ascii_lowercase())
            || AFTER_TAB.iter().any(|after| rest.starts_with(after))
    });
    is_tab || NAMES.iter().any(|part| name.contains(part))
}

/// Returns true if a value of `class`, `id` or `role` has one of some words, between signs: `nav` is
/// one of `main-nav`, and `form` is none of `information`.
pub(crate) fn has_word(source: &SourceTag<'_>, attribute: &str, words: &[&str]) -> bool {
    let is_listed = |word: &str| words.iter().any(|other| word.eq_ignore_ascii_case(other));
    let value = source.attribute(attribute);
    value.is_some_and(|value| value.split(|c: char| !c.is_ascii_alphanumeric()).any(is_listed))
}

/// The controls before a place in a page.
#[derive(Debug, Default)]
pub(crate) struct Controls {
    /// The ids of the elements that they open.
    ids: Option<HashSet<String>>,
}

impl Controls {
    /// Notes what the control with this start tag opens. Menus and dialogs are no text of the page.
    pub(crate) fn see(&mut self, source: &SourceTag<'_>) {
        const CONTROLS: u64 = bits_of(&["aria-controls"]);
        let is_popup = || {
            let role = source.attribute("role");
            source.attribute("aria-haspopup").is_some()
                || role.is_some_and(|role| role == "combobox")
        };
        if !source.may_have(CONTROLS) || is_popup() {
            return;
        }
        let Some(named) = source.attribute("aria-controls") else { return };
        let ids = self.ids.get_or_insert_with(HashSet::new);
        let named = named.split_ascii_whitespace().map(|id| id.trim_start_matches('#'));
        for id in named.filter(|id| id.len() <= MAX_ID) {
            if ids.len() < MAX_CONTROLS {
                ids.insert(id.to_owned());
            }
        }
    }

    /// Returns true for the start tag of a hidden element that a reader opens.
    pub(crate) fn open(&self, source: &SourceTag<'_>) -> bool {
        const HIDING: u64 = bits_of(&["hidden", "style"]);
        let is_attribute = |name, value: &str| {
            source.attribute(name).is_some_and(|own| own.eq_ignore_ascii_case(value))
        };
        let is_panel = || is_attribute("role", "tabpanel");
        let names = |attribute, is_listed: &dyn Fn(&str) -> bool| {
            let value = source.attribute(attribute);
            value.is_some_and(|value| value.split_ascii_whitespace().any(is_listed))
        };
        let is_called = || names("class", &is_name) || names("id", &is_name);
        let is_of_text = || {
            !OTHER_ROLES.iter().any(|role| is_attribute("role", role))
                && !["class", "id"].into_iter().any(|name| has_word(source, name, &OTHER_WORDS))
        };
        let is_controlled = || {
            let ids = self.ids.as_ref()?;
            source.attribute("id").map(|id| ids.contains(&*id))
        };
        source.may_have(HIDING)
            && (is_panel() || is_called() || is_controlled() == Some(true))
            && is_of_text()
            && Own::of(source).is_hidden
    }
}
