//! The sections of a URL: directories and parameters.

/// Number of directories of a URL, and of its parameters, that count as sections.
const MAX_PARTS: usize = 3;
/// Longest name of a section in bytes. Longer names are titles and sessions; they are cut.
const MAX_NAME: usize = 48;

/// The sections of a URL, outermost first. `/ur/news/2024/x.html?lang=ur&id=7` has the directories
/// `/ur/`, `/ur/news/` and `/ur/news/0/`, and the parameters `?lang=ur` and `?id=0`: each run of
/// digits is folded into one `0`, so that dates and numbers share a section. A page in no directory
/// is in the section `/`.
///
/// Letters are compared without regard to case (ASCII). `%` and the two digits behind it stay.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sections {
    /// Folded directories with a slash around each.
    path: String,
    /// End of each directory in `path`.
    ends: Vec<usize>,
    /// The page as if it were a directory, `/ur/` of `/ur`; empty if it cannot be one.
    front: String,
    /// Folded parameters as `?name=value`.
    parameters: Vec<String>,
}

impl Sections {
    /// Reads the part of a URL behind the host.
    pub fn of(path_and_query: &str) -> Self {
        let text = path_and_query.split('#').next().unwrap_or_default();
        let (path, query) = text.split_once('?').unwrap_or((text, ""));
        let mut sections = Self { path: "/".to_owned(), ..Self::default() };
        let (directories, page) = path.rsplit_once('/').unwrap_or_default();
        let names = directories.split('/').filter(|name| !name.is_empty());
        for name in names.take(MAX_PARTS) {
            fold(name, &mut sections.path);
            sections.path.push('/');
            sections.ends.push(sections.path.len());
        }
        sections.set_page(page);
        let pairs = query.split(['&', ';']).filter(|pair| {
            pair.split_once('=').is_some_and(|(name, value)| !name.is_empty() && !value.is_empty())
        });
        // A language is written without digits, sessions and numbers of pages have some.
        let (numbers, words): (Vec<&str>, Vec<&str>) =
            pairs.partition(|pair| pair.bytes().any(|byte| byte.is_ascii_digit()));
        for pair in words.into_iter().chain(numbers).take(MAX_PARTS) {
            let mut folded = "?".to_owned();
            fold(pair, &mut folded);
            sections.parameters.push(folded);
        }
        sections
    }

    /// Changes the page to another one of the same directory: its name behind the last slash.
    pub(super) fn set_page(&mut self, page: &str) {
        self.front.clear();
        if self.ends.len() < MAX_PARTS && !page.is_empty() {
            self.front.push_str(&self.path);
            fold(page, &mut self.front);
            self.front.push('/');
        }
    }

    /// Returns the directories as keys of [`Host`](super::Host), outermost first.
    pub fn directories(&self) -> impl DoubleEndedIterator<Item = &str> {
        let root = self.ends.is_empty().then_some("/");
        root.into_iter().chain(self.ends.iter().map(|&end| &self.path[..end]))
    }

    /// Returns the key of the section whose front page this page may be: `/ur` leads to `/ur/` on
    /// many sites. It counts only if there is such a section.
    pub(super) fn front(&self) -> Option<&str> {
        Some(self.front.as_str()).filter(|key| !key.is_empty())
    }

    /// Returns the parameters as keys of [`Host`](super::Host).
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        self.parameters.iter().map(String::as_str)
    }
}

/// Returns the name of a section that may carry over to other hosts: the last directory, or the
/// value of the parameter; `None` for the section `/`.
pub(super) fn token(key: &str) -> Option<&str> {
    let name = match key.strip_prefix('?') {
        Some(parameter) => parameter.split_once('=').map_or("", |(_, value)| value),
        None => key.trim_end_matches('/').rsplit('/').next().unwrap_or_default(),
    };
    Some(name).filter(|name| !name.is_empty())
}

/// Returns the section around a directory; `None` for the sections right below the host.
pub(super) fn parent(key: &str) -> Option<&str> {
    let inner = key.strip_suffix('/')?;
    let end = inner.rfind('/')?;
    (end > 0).then(|| &key[..=end])
}

/// Appends a name in lower case, each run of digits as one `0`, cut at [`MAX_NAME`] bytes.
fn fold(name: &str, out: &mut String) {
    let most = out.len() + MAX_NAME;
    let (mut in_number, mut verbatim) = (false, 0);
    for letter in name.chars() {
        let is_digit = letter.is_ascii_digit() && verbatim == 0;
        verbatim = if letter == '%' { 2 } else { usize::saturating_sub(verbatim, 1) };
        if !(is_digit && in_number) {
            let letter = if is_digit { '0' } else { letter.to_ascii_lowercase() };
            if out.len() + letter.len_utf8() > most {
                return;
            }
            out.push(letter);
        }
        in_number = is_digit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(url: &str) -> Vec<String> {
        let sections = Sections::of(url);
        sections.directories().chain(sections.parameters()).map(str::to_owned).collect()
    }

    #[test]
    fn directories_are_nested_and_numbers_folded() {
        assert_eq!(all("/ur/News/2024-11/25/x.html"), ["/ur/", "/ur/news/", "/ur/news/0-0/"]);
        assert_eq!(all("/ur/x12/"), ["/ur/", "/ur/x0/"]);
        assert_eq!(all("/ur"), ["/"]);
        assert_eq!(all(""), ["/"]);
        assert_eq!(all("//a///b/c#d/e/"), ["/a/", "/a/b/"]);
    }

    #[test]
    fn parameters_without_digits_come_first() {
        let url = "/?sid=8f3&lang=ur&x=1&y=2;mode=a&empty=&=b";
        assert_eq!(all(url), ["/", "?lang=ur", "?mode=a", "?sid=0f0"]);
    }

    #[test]
    fn percent_codes_stay_and_long_names_are_cut() {
        assert_eq!(all("/%D8%A7%D8%B1/x"), ["/%d8%a7%d8%b1/"]);
        let long = format!("/{}/x", "اردو".repeat(30));
        assert_eq!(all(&long), [format!("/{}/", "اردو".repeat(6))]);
    }

    #[test]
    fn keys_have_names_and_parents() {
        assert_eq!(token("/ur/news/"), Some("news"));
        assert_eq!(token("?lang=ur"), Some("ur"));
        assert_eq!(token("/"), None);
        assert_eq!(parent("/ur/news/"), Some("/ur/"));
        assert_eq!(Sections::of("/a/UR?x=1").front(), Some("/a/ur/"));
        assert_eq!(Sections::of("/ur/").front(), None);
        assert_eq!(Sections::of("/a/b/c/ur").front(), None);
        assert_eq!((parent("/ur/"), parent("/"), parent("?lang=ur")), (None, None, None));
    }
}
