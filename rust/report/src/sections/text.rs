//! Texts of the corpus, as its reader sees them: pages drawn by lot, pages of the largest sites, and
//! a search for a word with its context.

use crate::format::{bytes, integer, percent};
use crate::html::{folded, ReportPage};
use crate::CorpusReport;
use figures::fixed;
use figures::samples::SampledPage;
use render::plot::{direction, escape};
use std::fmt::Write as _;

/// Pages that are open at first.
const SHOWN: usize = 10;

/// Largest sites of which pages are shown, and pages of each.
const SITES: usize = 5;
const PAGES_OF_SITE: usize = 2;

/// Characters of a URL that are shown.
const SHOWN_URL: usize = 100;

impl ReportPage<'_> {
    /// Writes the section, if the corpus has texts.
    pub fn texts(&mut self) {
        let corpora = &self.report.corpora;
        if corpora.iter().all(|corpus| corpus.figures.samples.is_empty()) {
            return;
        }
        self.section("text", "What the text looks like");
        // The script shows it: without scripts nothing could search.
        self.html += "<form id=\"kwic\" role=\"search\" hidden><label>Find in these texts \
                      <input type=\"search\" autocomplete=\"off\" dir=\"auto\"></label> \
                      <output></output><div class=\"lines\"></div></form>";
        for corpus in corpora {
            self.texts_of(corpus);
        }
    }

    fn texts_of(&mut self, corpus: &CorpusReport) {
        let (mut shown, mut rest) = (Vec::new(), Vec::new());
        for page in &corpus.figures.samples {
            // A page without text in the language says little about the corpus.
            let list =
                if page.target_bytes > 0 && shown.len() < SHOWN { &mut shown } else { &mut rest };
            list.push(page);
        }
        let name = self.name_of(corpus);
        let _ = write!(
            self.html,
            "<p class=\"note\">{name}{} of {} pages, drawn by lot. Long texts are cut.</p>",
            integer(shown.len() as u64),
            integer(corpus.figures.totals.pages)
        );
        let first = self.articles(&shown);
        self.html += &first;
        let mut of_sites = String::new();
        for site in corpus.figures.sites.most_bytes_sites.iter().take(SITES) {
            let of_site = |page: &&SampledPage| page.host == site.site && !page.host.is_empty();
            let pages: Vec<_> = rest.iter().copied().filter(of_site).take(PAGES_OF_SITE).collect();
            rest.retain(|page| !pages.contains(page));
            if !pages.is_empty() {
                let _ = write!(
                    of_sites,
                    "<h3><bdi>{}</bdi>, {} of the text</h3>{}",
                    escape(&site.site),
                    percent(site.bytes_percent),
                    self.articles(&pages)
                );
            }
        }
        if !of_sites.is_empty() {
            self.html += &folded("Pages of the largest sites", &of_sites);
        }
        if !rest.is_empty() {
            let summary = format!("{} more pages of the sample", integer(rest.len() as u64));
            let articles = self.articles(&rest);
            self.html += &folded(&summary, &articles);
        }
    }

    fn articles(&self, pages: &[&SampledPage]) -> String {
        let (name, tag) = (&self.report.language_name, &self.report.language_tag);
        let articles: String = pages.iter().map(|page| article(page, name, tag)).collect();
        format!("<div class=\"texts\">{articles}</div>")
    }
}

/// Returns a page as HTML: its address, its share of the language, which has this name and tag (BCP
/// 47), and the beginning of its text. All of it is escaped.
pub fn article(page: &SampledPage, language: &str, tag: &str) -> String {
    let mut html = format!(
        "<article><p class=\"note\">{} · {}, {} in {}</p>\
         <div class=\"text\" lang=\"{}\" dir=\"{}\">",
        address(&page.url),
        bytes(page.main_bytes),
        percent(fixed::percent(page.target_bytes, page.main_bytes)),
        escape(language),
        escape(tag),
        direction(&page.text),
    );
    for block in page.text.lines().filter(|line| !line.trim().is_empty()) {
        let _ = write!(html, "<p dir=\"{}\">{}</p>", direction(block), escape(block));
    }
    html + if page.is_cut { "<p>…</p></div></article>" } else { "</div></article>" }
}

/// Returns a link to a page. Only addresses of the web become links; a script's address would run.
fn address(url: &str) -> String {
    let shown = match url.strip_prefix("http://").or(url.strip_prefix("https://")) {
        Some(rest) => readable(rest),
        None if url.is_empty() => "(address not known)".to_owned(),
        None => readable(url),
    };
    let is_web = ["http://", "https://"].iter().any(|scheme| url.starts_with(scheme));
    let shown = format!("<bdi>{}</bdi>", escape(&shown));
    match is_web {
        true => format!("<a href=\"{}\" rel=\"nofollow noreferrer\">{shown}</a>", escape(url)),
        false => shown,
    }
}

/// Returns the beginning of a URL to read: escapes of letters beyond ASCII are decoded, and others
/// stay. Characters that are invisible or change the direction of text are escaped.
pub fn readable(url: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), url.as_bytes());
    while let [first, behind @ ..] = rest {
        let digit = |at: usize| char::from(*behind.get(at)?).to_digit(16);
        let code = digit(0).zip(digit(1)).map(|(high, low)| (high * 16 + low) as u8);
        let code = code.filter(|code| *first == b'%' && !code.is_ascii());
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &behind[2..] } else { behind };
    }
    let mut shown = String::new();
    let escaped = |out: &mut String, bytes: &[u8]| {
        for byte in bytes {
            let _ = write!(out, "%{byte:02X}");
        }
    };
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match is_hidden(c) {
                true => escaped(&mut shown, c.encode_utf8(&mut [0; 4]).as_bytes()),
                false => shown.push(c),
            }
        }
        escaped(&mut shown, chunk.invalid());
    }
    if let Some((end, _)) = shown.char_indices().nth(SHOWN_URL) {
        // An escape is whole or left out.
        let escape = shown[..end].rfind('%').filter(|at| end - at < 3);
        shown.truncate(escape.unwrap_or(end));
        shown.push('…');
    }
    shown
}

fn is_hidden(c: char) -> bool {
    let is_format = matches!(c,
        '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}');
    is_format || c.is_control() || c.is_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_that_begins_with_a_foreign_name_keeps_its_own_direction() {
        let text = "WHO نے آج شام ایک نئی رپورٹ جاری کی\nRead this in English";
        let (text, no) = (text.to_owned(), String::new);
        let (target_bytes, main_bytes) = (40, 60);
        let page =
            SampledPage { url: no(), host: no(), text, is_cut: false, target_bytes, main_bytes };
        let html = article(&page, "Urdu", "ur");
        for part in ["lang=\"ur\" dir=\"rtl\"", "<p dir=\"rtl\">WHO ", "<p dir=\"ltr\">Read "] {
            assert!(html.contains(part), "{part}: {html}");
        }
    }

    #[test]
    fn an_address_is_decoded_where_the_escapes_are_letters_and_cut_at_a_character() {
        let url = "https://a.test/%DA%A9%d8%aa%D8%A7%D8%A8/%C3%A9?q=a%2Fb%20%E2%80%8C";
        let shown = address(url);
        assert!(shown.starts_with(&format!("<a href=\"{url}\"")), "{shown}");
        assert!(shown.ends_with("<bdi>a.test/کتاب/é?q=a%2Fb%20\u{200c}</bdi></a>"), "{shown}");
        for kept in ["%", "%D", "%zz", "a%C3", "%E2%80%AE", "%C2%85", "%C2%A0", "%E2%80%8B", "%+F"]
        {
            assert_eq!(readable(kept), kept);
        }
        assert_eq!(readable("a\u{202e}b"), "a%E2%80%AEb");
        assert_eq!(readable(&"%DA%A9".repeat(101)), "ک".repeat(100) + "…");
        assert_eq!(readable(&("a".repeat(98) + "%2Fb")), "a".repeat(98) + "…");
        assert_eq!(readable(&("a".repeat(97) + "%2F")), "a".repeat(97) + "%2F");
    }

    #[test]
    fn only_addresses_of_the_web_are_links_and_nothing_leaves_its_element() {
        assert_eq!(address("javascript:alert(1)"), "<bdi>javascript:alert(1)</bdi>");
        assert_eq!(address(""), "<bdi>(address not known)</bdi>");
        assert_eq!(
            address("http://a.pk/\"><script>"),
            "<a href=\"http://a.pk/&quot;&gt;&lt;script&gt;\" rel=\"nofollow noreferrer\">\
             <bdi>a.pk/&quot;&gt;&lt;script&gt;</bdi></a>"
        );
    }
}
