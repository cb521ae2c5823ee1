//! Signs that a page belongs to a forum, or to a site of questions and answers.
//!
//! A reply in a forum is main content, and a comment under an article is not. Both look alike: an
//! author, a date, a text. But programs for forums state their name, and have addresses and class
//! names of their own. They do so in every language.

use crate::source::SourceTag;
use crate::tags::Tag;
use memchr::{memchr, memmem};

/// Names of programs for forums, as `<meta name="generator">` gives them.
const PROGRAMS: [&str; 20] = [
    "askbot",
    "bbpress",
    "discourse",
    "discuz",
    "flarum",
    "fluxbb",
    "invision",
    "mwforum",
    "mybb",
    "nodebb",
    "phorum",
    "phpbb",
    "punbb",
    "question2answer",
    "simple machines",
    "vanilla",
    "vbulletin",
    "wpforo",
    "xenforo",
    "yabb",
];

/// Labels of hosts such as `forum.example.org`.
const HOSTS: [&str; 17] = [
    "answers",
    "ask",
    "bbs",
    "community",
    "discourse",
    "discuss",
    "discussion",
    "foorum",
    "foorumi",
    "foro",
    "foros",
    "forum",
    "forums",
    "keskustelu",
    "otvet",
    "qna",
    "talk",
];

/// Parts of paths, and keys of queries, such as `/viewtopic.php`, `/threads/7/` and `?showtopic=7`.
const PARTS: [&str; 20] = [
    "bbs",
    "board_show",
    "foorum",
    "foorumi",
    "foro",
    "foros",
    "forum",
    "forum_show",
    "forumdisplay",
    "forums",
    "message_board",
    "messageboard",
    "messageboards",
    "showthread",
    "showtopic",
    "thread",
    "threads",
    "topic_show",
    "viewthread",
    "viewtopic",
];

/// Those of them that one thread has.
const THREADS: [&str; 7] =
    ["showthread", "showtopic", "thread", "threads", "topic_show", "viewthread", "viewtopic"];

/// Parts of paths that other sites have too. A forum has the number of the topic behind them, as in
/// `/t/title/7` and `/questions/7/title`.
const NUMBERED: [&str; 12] = [
    "discuss",
    "discussion",
    "discussions",
    "forumid",
    "question",
    "questions",
    "t",
    "talk",
    "threadid",
    "topic",
    "topicid",
    "topics",
];

/// Sites of questions, stories and posts whose programs state nothing: a label of the host, a part
/// of the path in front of the thread's own, empty if the thread's own is the first, and the sign.
/// The last two name the replies comments.
const SITES: [(&str, &str, Sign); 7] = [
    ("quora", "", Sign::Thread),
    ("gutefrage", "frage", Sign::Thread),
    ("chiebukuro", "question_detail", Sign::Thread),
    ("tieba", "p", Sign::Thread),
    ("dcard", "p", Sign::Thread),
    ("healthunlocked", "posts", Sign::Discussion),
    ("lobste", "s", Sign::Discussion),
];

/// Parts of paths of a ticket, in front of its number.
const TICKETS: [&str; 5] = ["issues", "pull", "pulls", "merge_requests", "discussions"];

/// Class and id names of `<html>` and `<body>` of a thread.
const NAMES_OF_THREADS: [&str; 6] = [
    "question-page",
    "section-viewtopic",
    "showthread",
    "single-topic",
    "topic_show",
    "vanilla_discussion_index",
];

/// Class and id names of `<html>` and `<body>`.
const NAMES: [&str; 11] = [
    "bbpress",
    "board_show",
    "discourse-no-touch",
    "discuz",
    "flarum",
    "forum",
    "forums",
    "phpbb",
    "vbulletin",
    "wpforo",
    "xf",
];

/// Types of schema.org, the last part of their addresses.
const TYPES: [&str; 3] = ["discussionforumposting", "qapage", "question"];

/// Types of schema.org as they are written anywhere on a page, in JSON-LD or as `itemtype`. The
/// ends of the words, without `Discussion` before the first.
const WRITTEN: [&str; 2] = ["ForumPosting", "QAPage"];

/// Returns true if a page gives something on it a type of schema.org for posts of a forum, or for
/// questions with answers.
pub(crate) fn has_type(html: &str) -> bool {
    let is_posting = |at: usize, name: &str| {
        is_type(html, at, name)
            || html[..at].strip_suffix("Discussion").is_some_and(|before| {
                is_type(html, before.len(), &html[before.len()..at + name.len()])
            })
    };
    WRITTEN.iter().any(|name| {
        memmem::find_iter(html.as_bytes(), name.as_bytes()).any(|at| is_posting(at, name))
    })
}

/// Types of schema.org of an article.
const ARTICLES: [&str; 4] = ["Article", "NewsArticle", "ReportageNewsArticle", "BlogPosting"];

/// Returns true if a page says that it is an article, by a type of schema.org or of Open Graph. Few
/// links are no sign there, because news sites list the posts of their forum beside each article.
fn is_article(html: &str) -> bool {
    ARTICLES.iter().any(|name| {
        memmem::find_iter(html.as_bytes(), name.as_bytes()).any(|at| is_type(html, at, name))
    }) || html.contains("og:type\" content=\"article\"")
}

/// Returns true if a word at a place is a type of schema.org: in quotes, or the end of an address.
fn is_type(html: &str, at: usize, name: &str) -> bool {
    html[..at].ends_with(['/', '"', '\'', '=', ':'])
        && html[at + name.len()..].starts_with(['"', '\'', ' ', '>', '\\'])
}

/// A statement of a page about forums. Each includes those above it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sign {
    /// Nothing about a forum.
    #[default]
    None,
    /// The page belongs to a forum.
    Forum,
    /// It is one thread, not a list of them.
    Thread,
    /// The program names the replies of a thread as if they were comments on it.
    Discussion,
}

/// Returns what a start tag states: the program in `<meta name="generator">`, the address in `<link
/// rel="canonical">` or `og:url`, names and types of `<html>` and `<body>`.
pub(crate) fn sign(source: &SourceTag<'_>, tag: Tag) -> Sign {
    let value = |name: &str| source.attribute(name);
    let has = |name: &str, is: fn(&str) -> bool| value(name).is_some_and(|value| is(&value));
    let is = |name: &str, wanted: &str| {
        value(name).is_some_and(|value| value.trim().eq_ignore_ascii_case(wanted))
    };
    let of_address = |name: &str| value(name).map_or(Sign::None, |address| sign_of(&address));
    match tag {
        Tag::Meta if is("name", "generator") && has("content", is_program) => Sign::Forum,
        Tag::Meta if is("name", "route-pattern") && has("content", is_route) => Sign::Discussion,
        Tag::Meta if is("property", "og:url") => of_address("content"),
        Tag::Link if is("rel", "canonical") => of_address("href"),
        // Pages of Lemmy name no program, but no other forum is known whose pages Inferno makes.
        Tag::Html if value("data-inferno-helmet").is_some() => Sign::Forum,
        // Hacker News.
        Tag::Html if is("op", "item") => Sign::Discussion,
        Tag::Body if has("data-page", is_ticket_of_gitlab) => Sign::Discussion,
        Tag::Html | Tag::Body => {
            let has_name = |names: &[&str]| {
                ["class", "id"].into_iter().any(|attribute| {
                    value(attribute).is_some_and(|value| {
                        value.split_ascii_whitespace().any(|name| is_in(name, names))
                    })
                })
            };
            let is_typed = || {
                let last = |name: &str| is_in(name.rsplit('/').next().unwrap_or_default(), &TYPES);
                value("itemtype").is_some_and(|value| value.split_ascii_whitespace().any(last))
            };
            if is("data-template", "thread_view") || has_name(&NAMES_OF_THREADS) {
                Sign::Thread
            } else if has_name(&NAMES) || is_typed() {
                Sign::Forum
            } else {
                Sign::None
            }
        }
        _ => Sign::None,
    }
}

fn is_program(generator: &str) -> bool {
    let generator = generator.to_ascii_lowercase();
    PROGRAMS.iter().any(|program| generator.contains(program))
}

/// Returns true for the route of a ticket or a discussion of GitHub, such as
/// `/:user_id/:repository/issues/:id`.
fn is_route(pattern: &str) -> bool {
    let is_one = pattern.contains("/:id") || pattern.contains("/:number");
    is_one && ["/issues/", "/pull/", "/discussions/"].iter().any(|part| pattern.contains(part))
}

/// Returns true for the name that GitLab gives to the page of a ticket.
fn is_ticket_of_gitlab(page: &str) -> bool {
    ["projects:issues:show", "projects:merge_requests:show", "projects:work_items:show"]
        .contains(&page)
}

/// Counts the links of a page, and those to the pages of a forum. A page of a forum has many: to the
/// forum's parts, to other threads, to the numbers of its posts.
#[derive(Default)]
pub(crate) struct ForumLinks {
    all: usize,
    of_forums: usize,
}

impl ForumLinks {
    /// Most links for each link to a forum, on a page that belongs to one. Of 2,108 annotated pages,
    /// 164 of the 265 of forums have fewer, nine lists of threads, and no other page.
    const MAX_FOR_EACH: usize = 10;
    /// The same on a page that says that it is an article, as the threads of some forums do.
    const MAX_IN_ARTICLE: usize = 6;
    /// Least number of links to a forum. A short page may have a menu with the parts of one.
    const MIN_LINKS: usize = 5;

    /// Considers a start tag of a link. Links to a host such as `forum.example.org` are none to the
    /// page's own forum: news sites have them too, below each article. Returns the kind of channel
    /// that the link leads to.
    pub(crate) fn see(&mut self, link: &SourceTag<'_>) -> Option<Channel> {
        let address = link.attribute("href")?;
        if address.starts_with('#') {
            return None;
        }
        self.all += 1;
        let (host, path) = parts(&address);
        // Shops have the number of their theme in the addresses of files: `/cdn/shop/t/7/`.
        let is_file = path.starts_with("/cdn/");
        let is_of_forum = may_be_path(path) && !is_file && !is_host(host) && is_path(path);
        self.of_forums += usize::from(is_of_forum);
        channel(host, path)
    }

    /// Returns true if the links are those of a page of a forum with this source.
    pub(crate) fn are_of_a_forum(&self, html: &str) -> bool {
        self.of_forums >= Self::MIN_LINKS
            && self.of_forums * Self::MAX_FOR_EACH >= self.all
            && (self.of_forums * Self::MAX_IN_ARTICLE >= self.all || !is_article(html))
    }
}

/// A channel where readers may follow a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Channel {
    /// No text names it as a source.
    OfSite,
    /// Others write there too, so it may be a source of news.
    OfAnyone,
}

/// Returns the kind of channel with this address: of the site are channels of WhatsApp, invitations
/// to a group of it, and publications of Google News; of anyone are channels of Telegram, not its
/// posts, and accounts of Viber, LINE and Zalo.
fn channel(host: &str, path: &str) -> Option<Channel> {
    let host = host.strip_prefix("www.").unwrap_or(host);
    let is_of_site = match host {
        "whatsapp.com" => path.starts_with("/channel/"),
        "chat.whatsapp.com" => path.len() > 1,
        "news.google.com" => path.starts_with("/publications/") || path.starts_with("/s/"),
        "google.com" => path.starts_with("/preferences/source"),
        _ => false,
    };
    let is_of_anyone = || match host {
        "t.me" | "telegram.me" => {
            path.len() > 1 && !path[1..].trim_end_matches('/').contains(['/', '?'])
        }
        "line.me" => path.starts_with("/R/ti/"),
        "lin.ee" | "zalo.me" | "invite.viber.com" | "vb.me" => path.len() > 1,
        _ => false,
    };
    let of_anyone = || is_of_anyone().then_some(Channel::OfAnyone);
    is_of_site.then_some(Channel::OfSite).or_else(of_anyone)
}

/// Returns what an address states. Programs for forums have a host such as `forum.example.org`, or
/// a path such as `/viewtopic.php?t=7`.
pub(crate) fn sign_of(address: &str) -> Sign {
    let (host, path) = parts(address);
    let parts: Vec<&str> = parts_of(path);
    if is_discussion(host, &parts) {
        Sign::Discussion
    } else if let Some(sign) = sign_of_site(host, &parts) {
        sign
    } else if is_thread(&parts) {
        Sign::Thread
    } else if is_host(host) || is_path(path) {
        Sign::Forum
    } else {
        Sign::None
    }
}

/// Returns what the address of a thread on one of the [`SITES`] states.
fn sign_of_site(host: &str, parts: &[&str]) -> Option<Sign> {
    let is_of = |(label, before, _): &&(&str, &str, Sign)| {
        host.split('.').any(|part| part.eq_ignore_ascii_case(label))
            && parts.iter().position(|part| before.is_empty() || part == before).is_some_and(|at| {
                // The thread's own part, which of a first part is the title.
                if before.is_empty() {
                    parts[at].contains('-')
                } else {
                    at + 1 < parts.len()
                }
            })
    };
    SITES.iter().find(is_of).map(|(_, _, sign)| *sign)
}

/// Returns true for a thread of Reddit, a ticket of GitHub, GitLab or Gitea, and a thread of
/// HyperKitty, which archives mailing lists.
fn is_discussion(host: &str, parts: &[&str]) -> bool {
    let is_ticket = |at: usize| {
        parts.get(at + 1).is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
            && at > 1
            && (parts[at - 1] == "-" || host.contains("git") || host.ends_with("codeberg.org"))
    };
    parts.iter().enumerate().any(|(at, part)| match *part {
        // Zendesk.
        "posts" if at > 0 && parts[at - 1] == "community" => {
            parts.get(at + 1).is_some_and(|part| begins_with_number(part))
        }
        "comments" => is_of_reddit(parts, at),
        "thread" | "message" => at > 0 && is_mailing_list(parts, at - 1),
        part => TICKETS.contains(&part) && is_ticket(at),
    })
}

/// Returns true for the address in `/list/users@lists.example.org/thread/7A/`, of HyperKitty.
fn is_mailing_list(parts: &[&str], at: usize) -> bool {
    at > 0 && parts[at - 1] == "list" && parts[at].contains('@')
}

/// Returns true for the part `comments` of `/r/urdu/comments/`, of Reddit and its clones.
fn is_of_reddit(parts: &[&str], at: usize) -> bool {
    at > 1 && parts[at - 2] == "r"
}

/// Returns true for the parts of the path of one thread.
fn is_thread(parts: &[&str]) -> bool {
    let last_number = parts.iter().rposition(|part| begins_with_number(part));
    parts.iter().enumerate().any(|(at, part)| {
        let (name, value) = name_and_value(part);
        is_in(name, &THREADS) && (at + 1 < parts.len() || !value.is_empty())
            || is_of_phorum(parts, at)
            || !is_in(name, &["forumid"]) && is_numbered(parts, at, name, value, last_number)
            || has_number_in_name(name)
    })
}

fn parts_of(path: &str) -> Vec<&str> {
    path.split(['/', '?', '&']).filter(|part| !part.is_empty()).collect()
}

/// Splits a part of a path: `viewtopic` of `viewtopic.php`, `t` and `=7` of `t=7`.
fn name_and_value(part: &str) -> (&str, &str) {
    part.split_at(part.find(['.', '=']).unwrap_or(part.len()))
}

/// Returns true for a part with the number of a topic in it or behind it.
fn is_numbered(
    parts: &[&str],
    at: usize,
    name: &str,
    value: &str,
    last_number: Option<usize>,
) -> bool {
    is_in(name, &NUMBERED)
        && (begins_with_number(value.trim_start_matches('='))
            || last_number.is_some_and(|number| number > at) && !is_dated(&parts[at..]))
}

/// Returns true for the part `read.php` of `/read.php?2,736`, of Phorum: a forum and a message.
fn is_of_phorum(parts: &[&str], at: usize) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    parts[at] == "read.php"
        && parts
            .get(at + 1)
            .is_some_and(|query| query.contains(',') && query.split(',').all(is_number))
}

/// Returns true for a part such as `thread-7-1-1.html` and `topic7.html`.
fn has_number_in_name(name: &str) -> bool {
    ["thread-", "topic", "viewthread-"].iter().any(|with| {
        name.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with))
            && begins_with_number(&name[with.len()..])
    })
}

/// Returns the host of an address, empty if it has none, and its path with the query.
fn parts(address: &str) -> (&str, &str) {
    let end = memchr(b'#', address.as_bytes()).unwrap_or(address.len());
    let address = &address[..end];
    // A query may have an address in it.
    let scheme = address.bytes().take_while(u8::is_ascii_alphanumeric).count();
    match address.strip_prefix("//").or_else(|| address[scheme..].strip_prefix("://")) {
        Some(behind) => behind.split_at(memchr(b'/', behind.as_bytes()).unwrap_or(behind.len())),
        None => ("", address),
    }
}

fn is_host(host: &str) -> bool {
    // The last label is that of the country or the kind, such as `community`.
    host.rsplit('.').skip(1).any(|label| is_in(label, &HOSTS) || is_some_forum(label))
}

/// Returns false, in a fraction of the time of [`is_path`], for a path without a part that begins
/// as one of the names does. Pages have hundreds of links.
fn may_be_path(path: &str) -> bool {
    let bytes = path.as_bytes();
    (0..bytes.len().saturating_sub(1)).any(|at| {
        (at == 0 || matches!(bytes[at - 1], b'/' | b'?' | b'&'))
            && matches!(
                [bytes[at] | 0x20, bytes[at + 1] | 0x20],
                [b'b', b'b' | b'o']
                    | [b'c' | b'f' | b't', b'o']
                    | [b'd', b'i']
                    | [b'l', b'i']
                    | [b'm', b'e']
                    | [b'q', b'u']
                    | [b's' | b't', b'h']
                    | [b't', b'a' | b'/' | b'=' | b'.' | b'?']
                    | [b'v', b'i']
            )
    })
}

fn is_path(path: &str) -> bool {
    let parts = parts_of(path);
    // Found once, so that an address of many parts takes linear time.
    let last_number = parts.iter().rposition(|part| begins_with_number(part));
    parts.iter().enumerate().any(|(at, part)| {
        let (name, value) = name_and_value(part);
        is_in(name, &PARTS)
            // The title of an article may end with the word, but no title has parts behind it.
            || at + 1 < parts.len() && is_some_forum(name)
            || is_numbered(&parts, at, name, value, last_number)
            || is_in(name, &["comments"]) && is_of_reddit(&parts, at)
            || is_mailing_list(&parts, at)
            || has_number_in_name(name)
    })
}

/// Returns true for parts with a year and a month: `topics/2026/11/29.html` is a day's news.
fn is_dated(parts: &[&str]) -> bool {
    let number = |part: &str, digits: usize| {
        (part.len() == digits).then(|| part.parse::<u16>().ok()).flatten()
    };
    parts.windows(2).any(|pair| {
        number(pair[0], 4).is_some_and(|year| (1990..2100).contains(&year))
            && number(pair[1], 2).is_some_and(|month| (1..=12).contains(&month))
    })
}

/// Returns true for names such as `travel-forum`.
fn is_some_forum(name: &str) -> bool {
    let mut words = name.rsplit(['-', '_']);
    words.next().is_some_and(|word| is_in(word, &["forum", "forums"]))
}

/// Returns true if a part of an address is a number, or begins with one and a sign, as `7-title`.
fn begins_with_number(part: &str) -> bool {
    let behind = part.trim_start_matches(|c: char| c.is_ascii_digit());
    behind.len() < part.len() && !behind.starts_with(|c: char| c.is_alphanumeric())
}

fn is_in(word: &str, known: &[&str]) -> bool {
    known.iter().any(|known| word.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::Sign;
    use crate::{parse, Limits};

    fn is_forum(html: &str) -> bool {
        parse(html, &Limits::default()).is_forum
    }

    #[test]
    fn a_page_of_a_forum_is_known_by_its_program_its_address_or_its_names() {
        for sign in [
            "<meta name=generator content='phpBB 3.3'>",
            "<META CONTENT='Simple Machines Forum' NAME=Generator>",
            "<link rel=canonical href=https://forum.example.org/7>",
            "<link rel=canonical href='https://example.org/viewtopic.php?t=7'>",
            "<link rel=canonical href=/threads/urdu-shayari.7/>",
            "<link rel=canonical href=https://meta.example.org/t/khush-amdeed/7>",
            "<link rel=canonical href=https://example.org/travel-forum/asia>",
            "<link rel=canonical href=https://example.org/index.php?topic=123.0>",
            "<link rel=canonical href='https://example.org/index.php?board=1&amp;showtopic=7'>",
            "<link rel=canonical href=https://example.org/thread-123-1-1.html>",
            "<link rel=canonical href=https://example.org/topic123.html>",
            "<link rel=canonical href=https://example.org/topic/12-salam>",
            "<link rel=canonical href=https://example.org/topics/2026/7>",
            "<link rel=canonical href=https://example.org/r/urdu/comments/1rl4mew/salam/>",
            "<meta property='og:url' content='https://example.org/questions/7/how-to'>",
            "<html id=XF class=has-js>",
            "<html data-inferno-helmet=lang>",
            "<html itemscope itemtype='https://schema.org/QAPage'>",
            "<body class='section-viewtopic ltr'>",
            "<body class=topic_show>",
            "<link rel=canonical href='https://example.org/cgi-bin/topic_show.pl?id=7'>",
            "<link rel=canonical href='https://example.org/Discussions?forumid=7&amp;replyto=8'>",
            "<div itemscope itemtype=https://schema.org/DiscussionForumPosting>",
            "<div itemscope itemtype='http://schema.org/QAPage other'>",
            r#"<script type=application/ld+json>{"@type":"DiscussionForumPosting"}</script>"#,
            r#"<script type=application/ld+json>{"@type":["WebPage","QAPage"]}</script>"#,
            "<link rel=canonical href=https://talk.example.org/garden/123-tomato-blight>",
            "<link rel=canonical href=https://example.org/talk/garden/123-tomato-blight>",
            "<link rel=canonical href='https://example.org/message_board/index.php?topic=7'>",
            "<link rel=canonical href=https://example.org/viewthread-84-7.html>",
            "<link rel=canonical href=https://foro.example.org/huerta/riego>",
            "<link rel=canonical href=https://example.org/foros/huerta/riego-7.html>",
            "<link rel=canonical href=https://keskustelu.example.org/t/puutarha>",
        ] {
            assert!(is_forum(&format!("{sign}<p>سوال")), "{sign}");
        }
    }

    #[test]
    fn a_page_of_one_thread_is_known_by_its_address_or_its_names() {
        let sign = |html: &str| parse(html, &Limits::default()).sign;
        for thread in [
            "<link rel=canonical href='https://example.org/viewtopic.php?t=7'>",
            "<link rel=canonical href=/threads/urdu-shayari.7/>",
            "<link rel=canonical href=https://meta.example.org/t/khush-amdeed/7>",
            "<link rel=canonical href=https://example.org/thread-123-1-1.html>",
            "<meta property='og:url' content='https://example.org/questions/7/how-to'>",
            "<meta name=generator content=phpBB><body class='section-viewtopic ltr'>",
            "<body class='topic bbpress single single-topic postid-7'>",
            "<body id=vanilla_discussion_index class='Vanilla Discussion'>",
            "<html id=XF data-template=thread_view>",
            "<link rel=canonical href='https://example.org/read.php?2,736'>",
            "<link rel=canonical href=https://hi.quora.com/Barish-kab-hogi>",
            "<meta property=og:url content=https://tieba.baidu.com/p/7>",
        ] {
            assert_eq!(sign(thread), Sign::Thread, "{thread}");
        }
        for list in [
            "<link rel=canonical href=https://forum.example.org/7>",
            "<link rel=canonical href=https://example.org/threads/>",
            "<link rel=canonical href='https://example.org/forumdisplay.php?forumid=7'>",
            "<html id=XF data-template=forum_view>",
            "<body class='section-viewforum phpbb'>",
        ] {
            assert_eq!(sign(list), Sign::Forum, "{list}");
        }
    }

    #[test]
    fn tickets_and_threads_whose_replies_are_named_comments_are_discussions() {
        let sign = |html: &str| parse(html, &Limits::default()).sign;
        for discussion in [
            "<meta property=og:url content=https://github.com/owner/code/issues/7>",
            "<link rel=canonical href=https://codeberg.org/owner/code/pulls/7>",
            "<meta content=https://code.example.org/group/code/-/issues/7 property=og:url>",
            "<meta name=route-pattern content='/:user_id/:repository/issues/:id(.:format)'>",
            "<body class=ui-indigo data-page=projects:issues:show>",
            "<link rel=canonical href=https://www.example.org/r/urdu/comments/1rl4mew/salam/>",
            "<link rel=canonical href=/archives/list/users@lists.example.org/thread/7AB/>",
            "<html lang=en op=item>",
            "<link rel=canonical href=https://healthunlocked.com/garden/posts/7/salam>",
            "<link rel=canonical href=https://help.example.org/hc/en-us/community/posts/7-salam>",
        ] {
            assert_eq!(sign(discussion), Sign::Discussion, "{discussion}");
        }
        for other in [
            "<link rel=canonical href=https://journal.example.org/volume/3/issues/7>",
            "<link rel=canonical href=https://github.com/owner/code/issues>",
            "<link rel=canonical href=https://github.com/owner/code/issues/7-title>",
            "<meta name=route-pattern content='/:user_id/:repository/issues(.:format)'>",
            "<link rel=canonical href=https://example.org/list/of/thread/>",
            "<html op=news>",
            "<link rel=canonical href=https://www.quora.com/about>",
            "<link rel=canonical href=https://healthunlocked.com/garden/posts>",
            "<link rel=canonical href=https://example.org/community/posts/our-garden>",
            "<link rel=canonical href='https://example.org/read.php?id=736'>",
        ] {
            assert!(sign(other) < Sign::Discussion, "{other}");
        }
    }

    #[test]
    fn the_names_in_addresses_are_found_by_their_beginnings() {
        let names = super::PARTS.iter().chain(&super::NUMBERED);
        for name in names.chain(&["comments", "list"]) {
            assert!(super::may_be_path(&format!("/a/{name}/7")), "{name}");
            assert!(super::may_be_path(&format!("?a=b&{}=7", name.to_uppercase())), "{name}");
        }
        assert!(!super::may_be_path("/khabar/2026/11/29?lang=ur"));
        assert!(!super::may_be_path("/") && !super::may_be_path(""));
    }

    #[test]
    fn a_page_with_many_links_to_a_forum_belongs_to_it() {
        let page = |forum: usize, other: usize| {
            let to = |address: &str, count| format!("<a href={address}>ربط</a> ").repeat(count);
            to("viewtopic.php?p=7#p7", forum) + &to("/khabar/7", other) + &to("#top", 200)
        };
        assert!(is_forum(&page(5, 45)) && is_forum(&page(30, 100)));
        assert!(!is_forum(&page(4, 0)), "a menu of a forum's parts");
        assert!(!is_forum(&page(5, 46)), "an article that cites threads");
        let elsewhere = "<a href=https://forums.example.org/threads/7>ربط</a> ".repeat(20);
        assert!(!is_forum(&(elsewhere + &page(0, 20))), "news with a forum");
    }

    #[test]
    fn the_address_that_the_caller_knows_is_a_sign_too() {
        let is_forum_at = |url| parse("<p>سوال", &Limits::default()).at(url).is_forum;
        assert!(is_forum_at(Some("https://forum.example.org/7")));
        assert!(!is_forum_at(Some("https://news.example.org/7")));
        assert!(!is_forum_at(None));
        assert!(!is_forum_at(Some("/share?u=https://ask.example.org/")));
    }

    #[test]
    fn an_address_of_many_parts_takes_linear_time() {
        // Millions of parts, each of which needs a number behind it: minutes if each looked for it.
        let path = "/t".repeat(2_000_000);
        assert!(!is_forum(&format!("<link rel=canonical href={path}><p>خبر")));
        assert!(is_forum(&format!("<link rel=canonical href={path}/7><p>سوال")));
    }

    #[test]
    fn other_pages_are_not_of_a_forum() {
        for sign in [
            "",
            "<meta name=generator content='WordPress 6.4'>",
            "<meta name=description content='phpBB compared with Discourse'>",
            "<link rel=canonical href=https://example.org/news/ten-questions-to-ask>",
            "<link rel=canonical href=https://example.community/about#forum>",
            "<link rel=alternate href=https://forum.example.org/>",
            "<link rel=canonical href=https://example.org/story/2457/world-economic-forum>",
            "<link rel=canonical href=https://en.example.org/wiki/Roman_Forum>",
            "<link rel=canonical href=https://example.org/t/air-force-1/CW2288-111>",
            "<link rel=canonical href=https://example.org/qa/en/p/chair>",
            "<link rel=canonical href=https://example.org/about/board>",
            "<link rel=canonical href=https://example.org/topic/kashmir>",
            "<link rel=canonical href=https://example.org/topics/2026/11/7.html>",
            "<link rel=canonical href=https://example.org/news/7/comments>",
            "<link rel=canonical href=https://boards.example.org/acme/jobs/1>",
            "<body class='page-Roman_Forum rootpage-Roman_Forum'>",
            "<body class='category-question page-template-page-topic-php topic'>",
            "<body class='single-post postid-7'>",
            "<div class=forum>",
            "<p>The type DiscussionForumPosting marks a post, and QAPage a page with answers.",
            "<div itemscope itemtype=https://schema.org/FAQPage>",
            "<link rel=canonical href=https://example.org/talk/how-we-met>",
        ] {
            assert!(!is_forum(&format!("{sign}<p>خبر")), "{sign}");
        }
    }
}
