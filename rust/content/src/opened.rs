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

/// Parts of names of classes of elements that a reader opens.
const NAMES: [&[u8]; 5] = [b"faq", b"accordion", b"answer", b"collaps", b"expand"];

/// Returns true for the name of a class of elements that a reader opens, such as `faq-content`,
/// `accordion-body` and `tab-pane`.
pub(crate) fn is_name(name: &[u8]) -> bool {
    name.starts_with(b"tab")
        || NAMES.iter().any(|part| name.windows(part.len()).any(|window| window == *part))
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
        if !source.may_have(CONTROLS) || source.attribute("aria-haspopup").is_some() {
            return;
        }
        let Some(named) = source.attribute("aria-controls") else { return };
        let ids = self.ids.get_or_insert_with(HashSet::new);
        for id in named.split_ascii_whitespace().filter(|id| id.len() <= MAX_ID) {
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
        let is_called = || {
            let class = source.attribute("class");
            class.is_some_and(|class| {
                class.split_ascii_whitespace().any(|name| is_name(name.as_bytes()))
            })
        };
        let is_controlled = || {
            let ids = self.ids.as_ref()?;
            source.attribute("id").map(|id| ids.contains(&*id))
        };
        let is_found = || is_attribute("hidden", "until-found");
        source.may_have(HIDING)
            && (is_panel() || is_called() || is_controlled() == Some(true) || is_found())
            && Own::of(source).is_hidden
    }
}
