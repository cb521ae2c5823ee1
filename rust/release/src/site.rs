//! The public site of a release: its sites, what is new in it, and how to report a wrong link.
//!
//! The pages are static files and load nothing. The only script finds websites in the list. Names of
//! hosts and texts of pages are untrusted.

use crate::files::hex;
use crate::pages::Measured;
use crate::Failure;
use figures::sites::Site;
use langbytes::LangCode;
use registry::Language;
use report::html::escape;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Folder of the site in a release.
const FOLDER: &str = "site";

/// The table of sites, from which the next release finds what is new.
const TABLE: &str = "sites.tsv";

/// Head of the table.
const HEAD: &str = "host\tpages\ttarget_bytes\tlsh_percent";

/// Sites on a page.
const SITES_A_PAGE: usize = 500;

/// New and missing sites that are listed, those with most pages first.
const NAMED: usize = 200;

/// Sites that the search knows, those with most pages first: some 20 bytes each.
const SEARCHED: usize = 50_000;

/// Pages whose texts are shown.
const SAMPLES: usize = 5;

const STYLE: &str = include_str!("site.css");
const SCRIPT: &str = include_str!("site.js");

/// The table of an earlier release that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", file.display())]
pub struct BadPrevious {
    file: PathBuf,
    fault: Fault,
}

/// What is wrong with such a table.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("{0}; name the folder of a release that was made with --site")]
    NotThere(#[source] io::Error),
    #[error("has {bytes} bytes, allowed are {max_bytes}; raise --max-bytes")]
    TooLarge { bytes: u64, max_bytes: u64 },
    #[error("{0}")]
    Unread(#[source] io::Error),
    #[error("is not the table of sites of a release")]
    NoTable,
    #[error("line {0} is not a host and its pages")]
    NoRow(u64),
}

/// Pages of the hosts in an earlier release.
#[derive(Debug)]
pub struct Previous(BTreeMap<String, u64>);

impl Previous {
    /// Reads the table of an earlier release's folder.
    ///
    /// # Errors
    /// Fails if the folder has no such table, or a line of it is not a row.
    pub fn read(release: &Path, max_bytes: u64) -> Result<Self, BadPrevious> {
        let file = release.join(FOLDER).join(TABLE);
        Self::of(&file, max_bytes).map_err(|fault| BadPrevious { file, fault })
    }

    fn of(file: &Path, max_bytes: u64) -> Result<Self, Fault> {
        let bytes = fs::metadata(file).map_err(Fault::NotThere)?.len();
        if bytes > max_bytes {
            return Err(Fault::TooLarge { bytes, max_bytes });
        }
        let text = fs::read_to_string(file).map_err(Fault::Unread)?;
        let mut lines = text.lines();
        if lines.next() != Some(HEAD) {
            return Err(Fault::NoTable);
        }
        let mut pages = BTreeMap::new();
        for (line, number) in lines.zip(2..) {
            let mut cells = line.split('\t');
            let row = cells.next().zip(cells.next().and_then(|cell| cell.parse().ok()));
            let (host, count) = row.ok_or(Fault::NoRow(number))?;
            pages.insert(render::tsv::value(host).into_owned(), count);
        }
        Ok(Self(pages))
    }
}

/// The site of a release.
pub struct PublicSite<'a> {
    pub language: LangCode,
    pub contact: &'a str,
    pub measured: &'a Measured,
    pub previous: Option<&'a Previous>,
}

impl PublicSite<'_> {
    /// Writes the site into the folder of a release, and adds the checksums of its files to `sums`.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn write(
        &self,
        release: &Path,
        sums: &mut BTreeMap<String, String>,
    ) -> Result<(), Failure> {
        let failed = |error| Failure::Folder(error);
        fs::create_dir(release.join(FOLDER)).map_err(failed)?;
        for (name, text) in self.files() {
            let name = format!("{FOLDER}/{name}");
            fs::write(release.join(&name), &text).map_err(failed)?;
            sums.insert(name, hex(&Sha256::digest(text.as_bytes())));
        }
        Ok(())
    }

    fn files(&self) -> Vec<(String, String)> {
        let mut hosts: Vec<(&str, &Site)> = self.measured.sites.0.iter().map(named).collect();
        hosts.retain(|(host, _)| !host.is_empty());
        hosts.sort_by(|(a, one), (b, other)| other.pages.cmp(&one.pages).then_with(|| a.cmp(b)));
        let parts = hosts.chunks(SITES_A_PAGE).count().max(1);
        let mut table = format!("{HEAD}\n");
        for (host, site) in &hosts {
            let Site { pages, target_bytes, .. } = site;
            let lsh = site.shares.percent().map_or_else(String::new, |lsh| format!("{lsh:.2}"));
            let _ = writeln!(table, "{}\t{pages}\t{target_bytes}\t{lsh}", render::tsv::cell(host));
        }
        let mut files = vec![(TABLE.to_owned(), table)];
        for part in 0..parts {
            let rows = hosts.chunks(SITES_A_PAGE).nth(part).unwrap_or_default();
            files.push((page_name(part), self.page(part, parts, &hosts, rows)));
        }
        files
    }

    fn page(
        &self,
        part: usize,
        parts: usize,
        hosts: &[(&str, &Site)],
        rows: &[(&str, &Site)],
    ) -> String {
        let (name, native) =
            (self.language.name(), Language::of(self.language).native_names().next());
        let code = self.tag();
        let name = escape(name);
        let script = if part == 0 { "script-src 'unsafe-inline'; " } else { "" };
        let native = native.map_or_else(String::new, |native| {
            format!(" <bdi lang=\"{code}\">{}</bdi>", escape(native))
        });
        let mut html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; {script}base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>Websites in {name}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
             <header><h1>Websites in {name}{native}</h1></header>\n<main>\n"
        );
        if part == 0 {
            self.figures(&mut html);
            self.samples(&mut html);
            self.news(hosts, &mut html);
            self.report_a_link(&mut html);
        }
        self.list(part, rows, &mut html);
        pages_of_the_list(part, parts, &mut html);
        html += "</main>\n";
        if part == 0 {
            search(hosts, &mut html);
        }
        html += "</body>\n</html>\n";
        html
    }

    /// The language as in HTML's `lang` (BCP 47).
    fn tag(&self) -> &str {
        self.language.short().unwrap_or(self.language.as_str())
    }

    /// Some pages of the release with the beginnings of their texts.
    fn samples(&self, html: &mut String) {
        let pages = self.measured.figures.samples.iter().filter(|page| page.target_bytes > 0);
        let pages: Vec<_> = pages.take(SAMPLES).collect();
        if pages.is_empty() {
            return;
        }
        *html += "<section id=\"text\"><h2>What the text looks like</h2>\n\
                  <p>Pages drawn by lot; long texts are cut.</p>\n";
        for page in pages {
            *html += &report::html::article(page, self.language.name(), self.tag());
        }
        *html += "</section>\n";
    }

    fn figures(&self, html: &mut String) {
        let (totals, sites) = (&self.measured.figures.totals, &self.measured.figures.sites);
        let mut figures = vec![
            ("Websites", number(sites.sites)),
            ("Pages", number(totals.pages)),
            ("MB of text in the language", megabytes(totals.target_bytes)),
        ];
        if let Some(words) = &self.measured.figures.words {
            figures.insert(2, ("Words", number(words.vocabulary.tokens)));
        }
        *html += "<dl>";
        for (name, value) in figures {
            let _ = write!(html, "<div><dt>{name}</dt><dd>{value}</dd></div>");
        }
        *html += "</dl>\n";
    }

    /// The sites that the last release did not have, and those that only it had.
    fn news(&self, hosts: &[(&str, &Site)], html: &mut String) {
        let Some(Previous(before)) = self.previous else { return };
        *html += "<section id=\"new\"><h2>New in this release</h2>\n";
        let new = hosts.iter().filter(|(host, _)| !before.contains_key(*host));
        let new: Vec<(&str, u64)> = new.map(|(host, site)| (*host, site.pages)).collect();
        let now: BTreeMap<&str, u64> =
            hosts.iter().map(|(host, site)| (*host, site.pages)).collect();
        let mut gone: Vec<(&str, u64)> = before
            .iter()
            .filter(|(host, _)| !now.contains_key(host.as_str()))
            .map(|(host, pages)| (host.as_str(), *pages))
            .collect();
        gone.sort_by(|(a, one), (b, other)| other.cmp(one).then_with(|| a.cmp(b)));
        let (all, earlier) = (now.values().sum::<u64>(), before.values().sum::<u64>());
        let _ = writeln!(
            html,
            "<p>The last release had {} pages on {} websites; this one has {} on {}.</p>",
            number(earlier),
            number(before.len() as u64),
            number(all),
            number(now.len() as u64)
        );
        for (title, sites) in [("New websites", new), ("No longer in the release", gone)] {
            let _ = writeln!(html, "<h3>{title}: {}</h3>", number(sites.len() as u64));
            if sites.is_empty() {
                continue;
            }
            *html += "<details><summary>List</summary><ul>";
            for (host, pages) in sites.iter().take(NAMED) {
                let _ = write!(html, "<li>{} <small>{}</small></li>", link(host), number(*pages));
            }
            *html += "</ul>\n";
            if sites.len() > NAMED {
                let _ = writeln!(html, "<p>and {} more</p>", number((sites.len() - NAMED) as u64));
            }
            *html += "</details>\n";
        }
        *html += "</section>\n";
    }

    fn report_a_link(&self, html: &mut String) {
        let name = escape(self.language.name());
        let shown = escape(self.contact);
        let contact = match address(self.contact) {
            Some(address) => format!("<a href=\"{}\">{shown}</a>", escape(&address)),
            None => shown,
        };
        let _ = writeln!(
            html,
            "<section id=\"report\"><h2>Report a wrong link</h2>\n\
             <p>A program identified the languages, and it makes mistakes. If a website or a page is not in {name}, \
             or should not be listed, write to <bdi>{contact}</bdi>. Name</p>\n\
             <ul><li>the address of the website or page,</li>\
             <li>the language that it is in, if you know it,</li>\
             <li>or that it has no text, is spam, or is yours and should be removed.</li></ul>\n\
             <p>After a check, the next release leaves it out.</p></section>"
        );
    }

    fn list(&self, part: usize, rows: &[(&str, &Site)], html: &mut String) {
        *html += "<section id=\"sites\"><h2>Websites, those with most pages first</h2>\n";
        if part == 0 {
            // The script shows it: without scripts nothing could search.
            *html += "<form id=\"find\" role=\"search\" hidden><label>Find a website \
                <input type=\"search\" autocomplete=\"off\"></label> <output></output><ul></ul></form>\n";
        }
        *html += "\
            <div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\" class=\"n\">No.</th>\
            <th scope=\"col\">Website</th><th scope=\"col\" class=\"n\">Pages</th>\
            <th scope=\"col\" class=\"n\">kB in the language</th>\
            <th scope=\"col\" class=\"n\">Share of the text, %</th></tr></thead>\n<tbody>\n";
        for ((host, site), place) in rows.iter().zip(part * SITES_A_PAGE + 1..) {
            let is_new = self.previous.is_some_and(|Previous(before)| !before.contains_key(*host));
            let share = site.shares.percent().map_or_else(|| "–".to_owned(), |p| format!("{p:.0}"));
            let _ = writeln!(
                html,
                "<tr id=\"s{place}\"><td class=\"n\">{place}</td><td>{}{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{share}</td></tr>",
                link(host),
                if is_new { " <small class=\"new\">new</small>" } else { "" },
                number(site.pages),
                number(site.target_bytes / 1000)
            );
        }
        let _ = writeln!(
            html,
            "</tbody></table></div>\n<p><a href=\"{TABLE}\">All as a table</a></p></section>"
        );
    }
}

/// The script that finds websites, and their names.
fn search(hosts: &[(&str, &Site)], html: &mut String) {
    let names: Vec<&str> = hosts.iter().take(SEARCHED).map(|(host, _)| *host).collect();
    let data = serde_json::json!({"hosts": names, "a_page": SITES_A_PAGE});
    // Within strings only, so that it stays the same JSON. Without `<` it cannot end the element.
    let data = data.to_string().replace('<', "\\u003c");
    let _ = write!(
        html,
        "<script type=\"application/json\" id=\"hosts\">{data}</script>\n<script>\n{SCRIPT}</script>\n"
    );
}

fn named<'a>((host, site): (&'a String, &'a Site)) -> (&'a str, &'a Site) {
    (host, site)
}

fn page_name(part: usize) -> String {
    if part == 0 {
        "index.html".to_owned()
    } else {
        format!("sites-{}.html", part + 1)
    }
}

/// Links to the pages of the list.
fn pages_of_the_list(part: usize, parts: usize, html: &mut String) {
    if parts < 2 {
        return;
    }
    *html += "<nav aria-label=\"Pages of the list\">";
    for other in 0..parts {
        let _ = match other == part {
            true => write!(html, "<span aria-current=\"page\">{}</span> ", other + 1),
            false => write!(html, "<a href=\"{}\">{}</a> ", page_name(other), other + 1),
        };
    }
    *html += "</nav>\n";
}

/// A host as a link, if it is a host name. Its letters beyond ASCII are shown beside the name that
/// a browser opens, because letters of two scripts may look alike.
fn link(host: &str) -> String {
    let shown = escape(host);
    let is_name = host.split('.').all(|label| {
        !label.is_empty()
            && label.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
    });
    if !is_name {
        return format!("<bdi dir=\"ltr\">{shown}</bdi>");
    }
    let letters = url::quirks::domain_to_unicode(host);
    let letters = match letters != host && !letters.contains(char::REPLACEMENT_CHARACTER) {
        true => format!(" <bdi class=\"letters\">{}</bdi>", escape(&letters)),
        false => String::new(),
    };
    format!(
        "<a href=\"http://{shown}/\" rel=\"external nofollow noopener noreferrer\"><bdi dir=\"ltr\">{shown}</bdi></a>{letters}"
    )
}

/// The address that a contact stands for: a web address, or an e-mail address; `None` if it is
/// neither.
fn address(contact: &str) -> Option<String> {
    if contact.starts_with("https://") || contact.starts_with("http://") {
        return url::Url::parse(contact).ok().map(String::from);
    }
    let (name, host) = contact.split_once('@')?;
    let is_plain = |text: &str, more: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || more.contains(c))
    };
    (is_plain(name, "._+-") && is_plain(host, ".-")).then(|| format!("mailto:{contact}"))
}

/// Bytes in MB; with a decimal below 10 MB.
fn megabytes(bytes: u64) -> String {
    match bytes {
        0..50_000 => "&lt; 0.1".to_owned(),
        50_000..10_000_000 => format!("{:.1}", bytes as f64 / 1e6),
        _ => number(bytes / 1_000_000),
    }
}

/// A number with thin spaces between thousands.
fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('\u{2009}');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_hosts_become_links() {
        assert!(link("a.pk").contains("href=\"http://a.pk/\""));
        for odd in ["\"><script>", "a.pk/x", "javascript:alert(1)", "", "[::1]", "a b", "a..b"] {
            let shown = link(odd);
            assert!(!shown.contains("href") && !shown.contains("<script"), "{shown}");
        }
        let shown = link("xn--mgbqly7c0a67fbc.example");
        assert!(shown.contains("href=\"http://xn--mgbqly7c0a67fbc.example/\""), "{shown}");
        assert!(shown.contains("class=\"letters\""), "{shown}");
    }

    #[test]
    fn contacts_are_links_if_they_are_addresses() {
        assert_eq!(address("a@b.example").as_deref(), Some("mailto:a@b.example"));
        assert_eq!(address("https://b.example/x").as_deref(), Some("https://b.example/x"));
        for other in ["the library", "javascript:alert(1)", "a@b?cc=x", "@", "data:text/html,x"] {
            assert_eq!(address(other), None, "{other}");
        }
    }

    #[test]
    fn numbers_have_spaces_between_thousands() {
        assert_eq!(
            [0, 999, 1000, 1_234_567].map(number),
            ["0", "999", "1\u{2009}000", "1\u{2009}234\u{2009}567"]
        );
    }
}
