//! Pages as HTML, in the manners of real sites.
//!
//! Every template shows the same page: the main text, and around it what sites have around their
//! text.

use crate::text::Grammar;
use crate::world::{Charset, Host, Link, Page, World};
use std::fmt::Write as _;

/// Number of page templates; [`Host::template`] is below it.
pub const TEMPLATES: usize = 6;

/// A page as it is sent.
pub struct Rendered {
    /// The value of the Content-Type header.
    pub content_type: &'static str,
    /// The page in its charset.
    pub body: Vec<u8>,
}

/// The page in its host's template and charset.
pub fn render(world: &World, page: &Page) -> Rendered {
    let host = &world.hosts[page.host];
    let html = Site { host, page, words: world.furniture(page.host) }.document();
    match host.charset {
        Charset::Utf8 => {
            Rendered { content_type: "text/html; charset=utf-8", body: html.into_bytes() }
        }
        Charset::Utf8Meta | Charset::Utf8Unlabelled => {
            Rendered { content_type: "text/html", body: html.into_bytes() }
        }
        Charset::Windows1256 => Rendered {
            content_type: "text/html; charset=windows-1256",
            body: encoding_rs::WINDOWS_1256.encode(&html).0.into_owned(),
        },
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn anchor(link: &Link) -> String {
    format!("<a href=\"{}\">{}</a>", escape(&link.url), escape(&link.text))
}

/// Each link as a list item or whatever `open` and `close` make of it.
fn anchors(links: &[Link], open: &str, close: &str) -> String {
    links.iter().map(|l| format!("{open}{}{close}", anchor(l))).collect()
}

struct Site<'a> {
    host: &'a Host,
    page: &'a Page,
    words: &'a Grammar,
}

impl Site<'_> {
    fn document(&self) -> String {
        let body = match (self.page.print, self.host.template) {
            (true, _) => self.print(),
            (_, 0) => self.tables(),
            (_, 1) => self.blog(),
            (_, 2) => self.semantic(),
            (_, 3) => self.forum(),
            (_, 4) => self.plain(),
            _ => self.portal(),
        };
        let meta = match self.host.charset {
            Charset::Utf8 | Charset::Utf8Meta => "<meta charset=\"utf-8\">\n",
            Charset::Windows1256 => {
                "<meta http-equiv=\"Content-Type\" content=\"text/html; charset=windows-1256\">\n"
            }
            Charset::Utf8Unlabelled => "",
        };
        let (lang, dir) = match self.host.language {
            "eng" => ("en", "ltr"),
            "fas" => ("fa", "rtl"),
            "ara" => ("ar", "rtl"),
            "pus" => ("ps", "rtl"),
            "snd" => ("sd", "rtl"),
            "pnb" => ("pnb", "rtl"),
            _ => ("ur", "rtl"),
        };
        // Only half of the sites declare their language.
        let lang = if self.host.template.is_multiple_of(2) {
            format!(" lang=\"{lang}\"")
        } else {
            String::new()
        };
        format!(
            "<!DOCTYPE html>\n<html{lang} dir=\"{dir}\">\n<head>\n{meta}<title>{} | {}</title>\n\
             <style>body{{font-family:sans-serif}} .side{{float:left;width:30%}}</style>\n\
             <script>var page = \"{}\"; function more() {{ return document.title.length < 1; }}</script>\n</head>\n\
             <body>\n{body}</body>\n</html>\n",
            escape(&self.page.title),
            escape(&self.host.title),
            self.host.name
        )
    }

    /// The first entry of a section of the site's words.
    fn word(&self, list: &str) -> String {
        escape(self.words.list(list).first().copied().unwrap_or("…"))
    }

    fn words(&self, list: &str) -> Vec<String> {
        self.words.list(list).into_iter().map(escape).collect()
    }

    fn share_bar(&self) -> String {
        let buttons = anchors(&self.page.share, "<span class=\"button\">", "</span> ");
        format!("<div class=\"share\">{buttons}</div>\n")
    }

    fn footer(&self) -> String {
        format!(
            "<div class=\"footer\"><p>{} © {}</p></div>\n",
            self.word("ui.footer"),
            escape(&self.host.title)
        )
    }

    fn cookie_notice(&self) -> String {
        format!(
            "<div id=\"cookie\" class=\"notice\"><span>{}</span> <button>OK</button></div>\n",
            self.word("ui.cookie")
        )
    }

    /// The main content with the given wrapping of a paragraph.
    fn content(&self, open: &str, close: &str) -> String {
        let mut out = String::new();
        let blocks = self.page.paragraphs.len() + self.page.teasers.len();
        for paragraph in &self.page.paragraphs {
            let _ = writeln!(out, "{open}{}{close}", escape(paragraph));
        }
        for teaser in &self.page.teasers {
            let _ = writeln!(
                out,
                "<h3>{}</h3>\n{open}{}{close}",
                anchor(&teaser.link),
                escape(&teaser.excerpt)
            );
        }
        if blocks == 0 {
            out += &anchors(
                &self.page.external,
                "<div class=\"item\"><img src=\"/img/blank.gif\" alt=\"\"> ",
                "</div>\n",
            );
        } else if !self.page.external.is_empty() {
            // A list, and not lines among the paragraphs: a site has one such line in a text, and a
            // page has eight of these links.
            let _ = writeln!(
                out,
                "<div class=\"more\"><h4>{}</h4><ul>{}</ul></div>",
                self.word("ui.more"),
                anchors(&self.page.external, "<li>", "</li>")
            );
        }
        out
    }

    fn comments(&self, open: &str, close: &str) -> String {
        if self.page.comments.is_empty() {
            return String::new();
        }
        let one = |(name, text): &(String, String)| {
            format!("{open}<b>{}</b> {}{close}\n", escape(name), escape(text))
        };
        format!(
            "<h4>{}</h4>\n{}",
            self.word("ui.comments"),
            self.page.comments.iter().map(one).collect::<String>()
        )
    }

    fn related(&self) -> String {
        if self.page.related.is_empty() {
            return String::new();
        }
        format!(
            "<h4>{}</h4><ul class=\"related\">{}</ul>\n",
            self.word("ui.related"),
            anchors(&self.page.related, "<li>", "</li>")
        )
    }

    fn side(&self) -> String {
        let recent = match self.page.recent.as_slice() {
            [] => String::new(),
            links => format!(
                "<h4>{}</h4><ul>{}</ul>\n",
                self.word("ui.recent"),
                anchors(links, "<li>", "</li>")
            ),
        };
        format!(
            "{recent}<h4>{}</h4><ul>{}</ul>\n",
            self.word("ui.partners"),
            anchors(&self.page.partners, "<li>", "</li>")
        )
    }

    fn heading(&self) -> String {
        format!("<h1>{}</h1>\n", escape(&self.page.title))
    }

    /// A newspaper of the tables' time: text and `<br>` in a cell.
    fn tables(&self) -> String {
        format!(
            "<table width=\"100%\" border=\"0\"><tr><td colspan=\"3\"><font size=\"5\">{}</font></td></tr>\n\
             <tr><td colspan=\"3\">{}</td></tr>\n<tr><td width=\"20%\" valign=\"top\">{}</td>\n\
             <td valign=\"top\"><table><tr><td>{}<font size=\"1\">{}</font></td></tr><tr><td>{}</td></tr></table>{}{}</td>\n\
             <td width=\"15%\">{}</td></tr></table>\n{}",
            escape(&self.host.title),
            anchors(&self.page.menu, "", " | "),
            self.side(),
            self.heading(),
            escape(&self.page.byline),
            self.content("", "<br><br>"),
            self.related(),
            self.comments("", "<br>"),
            anchors(&self.page.share, "", "<br>"),
            self.footer()
        )
    }

    /// A weblog: nested divs, a sidebar, a share bar, comments.
    fn blog(&self) -> String {
        format!(
            "{}<div id=\"page\"><div id=\"header\"><div class=\"title\">{}</div><div class=\"nav\"><ul>{}</ul></div></div>\n\
             <div id=\"main\"><div class=\"inner\"><div class=\"post\"><div class=\"post-head\">{}<div class=\"meta\">{}</div></div>\n\
             <div class=\"entry\">{}</div>{}</div>\n{}<div id=\"comments\">{}</div></div></div>\n\
             <div class=\"side\">{}</div>{}</div>\n",
            self.cookie_notice(),
            escape(&self.host.title),
            anchors(&self.page.menu, "<li>", "</li>"),
            self.heading(),
            escape(&self.page.byline),
            self.content("<p>", "</p>"),
            self.share_bar(),
            self.related(),
            self.comments("<div class=\"comment\"><p>", "</p></div>"),
            self.side(),
            self.footer()
        )
    }

    /// A present-day news site.
    fn semantic(&self) -> String {
        let caption = self.words("ui.caption").first().cloned().unwrap_or_default();
        format!(
            "{}<header><nav><ul>{}</ul></nav></header>\n<main>\n<div class=\"breadcrumb\"><span>{}</span> » <span>{}</span></div>\n\
             <article>{}<p class=\"byline\">{}</p>{}<figure><img src=\"/img/lead.jpg\" alt=\"\"><figcaption>{caption}</figcaption></figure>\n\
             {}</article>\n{}<section class=\"comments\">{}</section>\n</main>\n<aside>{}</aside>\n<footer>{}</footer>\n",
            self.cookie_notice(),
            anchors(&self.page.menu, "<li>", "</li>"),
            escape(&self.host.title),
            self.word("ui.recent"),
            self.heading(),
            escape(&self.page.byline),
            self.share_bar(),
            self.content("<p>", "</p>"),
            self.related(),
            self.comments("<p>", "</p>"),
            self.side(),
            self.footer()
        )
    }

    /// A forum: the article is the first post, the comments are the others.
    fn forum(&self) -> String {
        format!(
            "<div class=\"board\"><div class=\"nav\">{}</div>{}\n<table class=\"thread\">\n\
             <tr class=\"post\"><td class=\"user\">{}</td><td><div class=\"message\">{}</div>{}</td></tr>\n{}</table>\n{}{}{}</div>\n",
            anchors(&self.page.menu, "", " » "),
            self.heading(),
            escape(&self.page.byline),
            self.content("<div>", "</div>"),
            self.share_bar(),
            self.comments("<tr class=\"post\"><td class=\"user\"></td><td><div class=\"message\">", "</div></td></tr>"),
            self.related(),
            self.side(),
            self.footer()
        )
    }

    /// Hand-made pages: paragraphs without end tags, links at the end.
    fn plain(&self) -> String {
        format!(
            "{}<hr>\n{}<i>{}</i>\n{}<hr>\n{}{}{}{}{}",
            anchors(&self.page.menu, "[", "] "),
            self.heading(),
            escape(&self.page.byline),
            self.content("<p>", ""),
            anchors(&self.page.share, "", " "),
            self.comments("<p>", ""),
            self.related(),
            self.side(),
            self.footer()
        )
    }

    /// A portal: text and `<br>` in one div, captions and buttons in between.
    fn portal(&self) -> String {
        format!(
            "<div class=\"top\">{}{}</div>\n<div class=\"wrap\"><div class=\"right\">{}</div>\n<div class=\"story\">\n<div>{}</div>\n\
             <div class=\"small\">{}</div>{}<div id=\"text\">{}</div>\n{}</div>{}{}</div>\n{}",
            self.cookie_notice(),
            anchors(&self.page.menu, "<span>", "</span> "),
            self.side(),
            self.heading(),
            escape(&self.page.byline),
            self.share_bar(),
            self.content("", "<br />\n<br />"),
            self.share_bar(),
            self.related(),
            self.comments("<div>", "</div>"),
            self.footer()
        )
    }

    /// The copy for printing: only the text and a link back.
    fn print(&self) -> String {
        format!(
            "{}<p>{}</p>\n{}\n<hr>{}{}{}\n",
            self.heading(),
            escape(&self.page.byline),
            self.content("<p>", "</p>"),
            anchors(&self.page.menu, "", " "),
            self.related(),
            self.side()
        )
    }
}
