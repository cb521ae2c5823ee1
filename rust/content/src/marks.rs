//! Marks of an element from its start tag, in addition to NekoHTML's names of elements: kinds of
//! HTML 5, hidden elements, and class and id names.

use crate::opened;
use crate::source::{bits_of, SourceTag};
use crate::tags::{lower, Tag, COUNT, RULES};
use std::sync::LazyLock;

/// The kind of part that an element is: a set of the constants below.
pub(crate) type Kinds = u32;

pub(crate) const NAV: Kinds = 1;
pub(crate) const ASIDE: Kinds = 1 << 1;
pub(crate) const HEADER: Kinds = 1 << 2;
pub(crate) const FOOTER: Kinds = 1 << 3;
pub(crate) const ARTICLE: Kinds = 1 << 4;
pub(crate) const MAIN: Kinds = 1 << 5;
pub(crate) const SECTION: Kinds = 1 << 6;
pub(crate) const FIGURE: Kinds = 1 << 7;
pub(crate) const DIALOG: Kinds = 1 << 8;
pub(crate) const FORM: Kinds = 1 << 9;
pub(crate) const LIST: Kinds = 1 << 10;
pub(crate) const CELL: Kinds = 1 << 11;
pub(crate) const QUOTE: Kinds = 1 << 12;
pub(crate) const PRE: Kinds = 1 << 13;
pub(crate) const BUTTON: Kinds = 1 << 14;
pub(crate) const PARAGRAPH: Kinds = 1 << 15;
pub(crate) const HEADING: Kinds = 1 << 16;
pub(crate) const BODY_TEXT: Kinds = 1 << 17;
pub(crate) const HIDDEN: Kinds = 1 << 18;
// Kinds that class and id names state.
pub(crate) const COMMENT: Kinds = 1 << 19;
pub(crate) const RELATED: Kinds = 1 << 20;
pub(crate) const SHARE: Kinds = 1 << 21;
pub(crate) const CONSENT: Kinds = 1 << 22;
pub(crate) const CAPTION: Kinds = 1 << 23;
pub(crate) const BYLINE: Kinds = 1 << 24;
pub(crate) const PROMOTION: Kinds = 1 << 25;
/// The first of the six ranks of headings; that of `<h2>` is the next bit, and so on.
pub(crate) const H1: Kinds = 1 << 26;

/// Words in names of elements that are shown on some screens only, such as `mobile-only`,
/// `hidden-xs`, `d-md-none` and `lg:hidden`.
const OF_ONE_SCREEN_CALLED: &str =
    "mobile desktop phone smartphone tablet hidden visible hide show none cloned clone duplicate";

/// Class and id names that templates commonly use for these parts, in all languages.
const CALLED: [(&str, Kinds); 8] = [
    ("comment comments commentlist commentary disqus respond reply replies komentar komentarze kommentare", COMMENT),
    ("related recommend recommended recommendations popular similar latest recent trending more teaser teasers readmore", RELATED),
    ("share sharing social addthis addtoany sharedaddy facebook twitter whatsapp", SHARE),
    ("cookie cookies consent gdpr modal popup overlay lightbox notice paywall subscribe newsletter login", CONSENT),
    ("caption credit credits copyright photo image img gallery", CAPTION),
    ("author byline date time meta metadata posted tags tag category breadcrumb breadcrumbs", BYLINE),
    ("ad ads advert advertisement banner promo promotion sponsor sponsored widget", PROMOTION),
    // Programs that ask for consent to cookies, by the names of their dialogs.
    ("appconsent axeptio borlabs cky cmplz cmpbox cookieadmin cookiebot cookieyes cookiebanner cookiebar cookieconsent cookiefirst \
      cookiehinweis cookielaw cookienotice cookiewall cybot didomi enzuzo illow iubenda klaro onetrust orejime osano pandectes quantcast \
      snigel tarteaucitron termly truendo trustarc truste usercentrics wpconsent", DIALOG),
];

/// Beginnings of the names of further such dialogs, whose parts other templates have too:
/// Quantcast, Sourcepoint, CookieYes for WordPress, Moove, Drupal, HubSpot, Catapult,
/// TrustCommander, Cookie Information, Sirdata, CookieScript, Google, CCM19, CookieConsent,
/// CookieHub, Ethyca, Real Cookie Banner, Silktide, TermsFeed, Transcend; and those that sites give
/// to dialogs of their own.
const DIALOG_PREFIXES: [&[u8]; 46] = [
    b"fc-consent",
    b"qc-cmp",
    b"sp_message_",
    b"cookie-law-info",
    b"moove_gdpr",
    b"moove-gdpr",
    b"gdpr-cookie-notice",
    b"eu-cookie-compliance",
    b"hs-eu-cookie",
    b"catapult-cookie",
    b"tc-privacy",
    b"coi-banner",
    b"sd-cmp",
    b"cookiescript_",
    b"cc--main",
    b"cc-main",
    b"ccm-root",
    b"ccm-widget",
    b"ch2-dialog",
    b"cm cm--",
    b"fides-",
    b"freeprivacypolicy-com---",
    b"rcb-banner",
    b"real-cookie-banner",
    b"silktide-",
    b"termsfeed-com---",
    b"transcend-consent",
    b"CookieBanner",
    b"CookieConsent",
    b"CookieNotice",
    b"cookieBanner",
    b"cookieConsent",
    b"cookieNotice",
    b"cookieWall",
    b"consent-banner",
    b"consent-dialog",
    b"consent-wall",
    b"cookie-banner",
    b"cookie-consent",
    b"cookie-dialog",
    b"cookie-notice",
    b"cookie-popup",
    b"cookie-wall",
    b"gdpr-banner",
    b"gdpr-consent",
    b"gdpr-popup",
];

/// The first two letters of each.
static DIALOG_STARTS: [u16; DIALOG_PREFIXES.len()] = {
    let mut starts = [0; DIALOG_PREFIXES.len()];
    let mut at = 0;
    while at < starts.len() {
        starts[at] = u16::from_le_bytes([DIALOG_PREFIXES[at][0], DIALOG_PREFIXES[at][1]]);
        at += 1;
    }
    starts
};

/// The kinds that class and id names state, rather than elements or roles.
pub(crate) const BY_NAME: Kinds =
    COMMENT | RELATED | SHARE | CONSENT | CAPTION | BYLINE | PROMOTION;

/// The marks of one start tag.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    pub(crate) kinds: Kinds,
    /// The lowest and the highest score of its class and id names, see `best/names.txt`; 0 if none
    /// is known.
    pub(crate) low: i8,
    pub(crate) high: i8,
    /// The element itself, known for every node.
    pub(crate) tag: Tag,
    /// Answers to questions such as [`Marks::is_of_comments`], each in a bit.
    pub(crate) bits: u8,
    /// A hash that is equal for all elements with one tag name and class attribute. Numbers in the
    /// class do not count on a page that states that it is one thread of a forum.
    pub(crate) signature: u32,
}

/// Classes of an `<aside>` that is part of the text: notes, boxes and footnotes of Docutils,
/// Starlight and others. The quotations of Discourse are none of them, because gold texts leave
/// these out.
const IN_TEXT: [&[u8]; 6] =
    [b"admonition", b"callout", b"footnote", b"footnote-list", b"starlight-aside", b"topic"];

/// All attributes that [`Marks::of`] reads.
const MARKING: u64 = bits_of(&[
    "id",
    "role",
    "class",
    "style",
    "hidden",
    "typeof",
    "itemprop",
    "itemtype",
    "aria-modal",
    "aria-hidden",
]);

impl Marks {
    /// Reads a start tag of a known kind. `in_thread`: the page states that it is one thread of a
    /// forum.
    pub(crate) fn of(tag: &SourceTag<'_>, kind: Tag, in_thread: bool) -> Marks {
        let kinds = KINDS
            .get(kind as usize)
            .map_or_else(|| kinds_of(tag.name().as_bytes()), |kinds| *kinds);
        let mut marks = Marks { kinds, ..Marks::default() };
        let mut signature = Signature::default();
        signature.add(tag.name().as_bytes());
        let attributes = tag.may_have(MARKING).then(|| tag.attributes());
        for (name, value) in attributes.into_iter().flatten() {
            let is = |other: &str| name.eq_ignore_ascii_case(other);
            let value = value.as_bytes();
            match name.len() {
                2 if is("id") => {
                    let before = marks.bits;
                    marks.add_names(value);
                    // Generators make the id of a section from the words of its heading.
                    if marks.bits != before && is_heading(value) {
                        marks.bits = before;
                    }
                }
                4 if is("role") => {
                    marks.kinds |= kinds_of_role(value);
                    marks.add_type(value);
                }
                5 if is("class") => {
                    marks.add_names(value);
                    marks.bits |= bits_of_class(value, marks.is_of_comments() || in_thread);
                    let mut names = value.split(u8::is_ascii_whitespace);
                    if kinds & ASIDE != 0 && names.any(|name| IN_TEXT.contains(&name)) {
                        marks.kinds &= !ASIDE;
                    }
                    match in_thread {
                        true => signature.add_without_numbers(value),
                        false => signature.add(value),
                    }
                }
                5 if is("style") && hides(value) => marks.kinds |= HIDDEN,
                6 if is("hidden") => marks.kinds |= HIDDEN,
                6 if is("typeof") => marks.add_type(value),
                8 if is("itemprop") && value.eq_ignore_ascii_case(b"articleBody") => {
                    marks.kinds |= BODY_TEXT
                }
                8 if is("itemprop") || is("itemtype") => marks.add_type(value),
                10 if is("aria-modal") && value == b"true" => marks.kinds |= DIALOG,
                11 if is("aria-hidden") && value == b"true" => marks.kinds |= HIDDEN,
                _ => {}
            }
        }
        marks.signature = signature.finish();
        marks
    }

    fn add_names(&mut self, value: &[u8]) {
        let names = &*NAMES;
        for_names(value, |hash| {
            let name = names.get(hash);
            self.low = self.low.min(name.score);
            self.high = self.high.max(name.score);
            self.kinds |= name.kinds;
            self.bits |= u8::from(name.is_of_comments) * OF_COMMENTS;
            self.bits |= u8::from(name.is_of_one_screen) * OF_ONE_SCREEN;
        });
        // Most values begin with other letters, so hardly any is compared.
        if let Some(first) = value.first_chunk().map(|first| u16::from_le_bytes(*first)) {
            // No branch, so that the compiler can use vector instructions.
            let may_begin = DIALOG_STARTS.iter().fold(false, |may, start| may | (*start == first));
            if may_begin && DIALOG_PREFIXES.iter().any(|prefix| value.starts_with(prefix)) {
                self.kinds |= DIALOG;
            }
        }
    }

    /// Reads the types or properties of an element: names, terms with a prefix, or URLs.
    fn add_type(&mut self, value: &[u8]) {
        let is_comment = |name: &[u8]| {
            let term = name.rsplit(|byte| b"/#:".contains(byte)).next().unwrap_or_default();
            TYPES.iter().any(|known| term.eq_ignore_ascii_case(known))
        };
        if value.split(u8::is_ascii_whitespace).any(is_comment) {
            self.bits |= OF_COMMENTS;
        }
    }

    /// Returns true for the signature below a post of a forum, by a name of its class.
    pub(crate) fn is_signature(&self) -> bool {
        self.bits & SIGNATURE != 0
    }

    /// Returns true if style sheets hide the element, on a screen or in print, by a common name of
    /// such classes.
    pub(crate) fn is_concealed(&self) -> bool {
        self.bits & CONCEALED != 0
    }

    /// Returns true if a name of the element may say that style sheets show it on some screens only.
    pub(crate) fn is_of_one_screen(&self) -> bool {
        self.bits & OF_ONE_SCREEN != 0
    }

    /// Returns true if a name, a role or a type of the element is one of comments of readers.
    pub(crate) fn is_of_comments(&self) -> bool {
        self.bits & OF_COMMENTS != 0
    }
}

/// The bit of [`Marks::is_of_comments`].
const OF_COMMENTS: u8 = 1 << 7;
/// The bit of [`Marks::is_concealed`].
const CONCEALED: u8 = 1 << 6;
/// The bit of [`Marks::is_of_one_screen`].
const OF_ONE_SCREEN: u8 = 1 << 4;
/// The bit of [`Marks::is_signature`].
const SIGNATURE: u8 = 1 << 5;

/// The bits of a class by its whole names: [`CONCEALED`] and [`SIGNATURE`]. `may_discuss`: the
/// element may hold a discussion, which some sites leave out in print.
fn bits_of_class(class: &[u8], may_discuss: bool) -> u8 {
    let names = || class.split(u8::is_ascii_whitespace);
    let (mut hides, mut is_printed, mut bits) = (false, true, 0);
    for name in names() {
        hides |= is_hiding(name);
        is_printed &= may_discuss || !is_not_printed(name);
        bits |= u8::from(is_signature(name)) * SIGNATURE;
    }
    let is_concealed = !is_printed || hides && !names().any(is_showing);
    bits | (u8::from(is_concealed) * CONCEALED)
}

/// Returns true for a name of a class that hides its element on all screens until a script removes
/// it: `hidden` and `d-none` of widespread style sheets, and names of text for screen readers.
fn is_hiding(name: &[u8]) -> bool {
    matches!(
        name,
        b"hidden" | b"d-none" | b"sr-only" | b"visually-hidden" | b"screen-reader-text"
            // A notice of video.js for readers without scripts.
            | b"vjs-no-js"
    )
}

/// Returns true for a name of a class that style sheets for print hide: notices, navigation and
/// buttons. Templates of MediaWiki write `metadata` on notices and stubs.
fn is_not_printed(name: &[u8]) -> bool {
    matches!(
        name,
        b"noprint"
            | b"no-print"
            | b"hidden-print"
            | b"d-print-none"
            | b"print:hidden"
            | b"metadata"
    )
}

/// Returns true for a name beside one of [`is_hiding`] that shows the element on some screens
/// (`md:block`, `d-lg-flex`), as a tab, or as an answer that a reader opens (`faq-content`,
/// `accordion-body`).
fn is_showing(name: &[u8]) -> bool {
    name.contains(&b':')
        || name.starts_with(b"d-") && name != b"d-none"
        || std::str::from_utf8(name).is_ok_and(opened::is_name)
}

/// Returns true for a class such as `signature`, `message-signature` and `UserSignature`.
fn is_signature(name: &[u8]) -> bool {
    const END: &[u8] = b"signature";
    let start = name.len().checked_sub(END.len());
    start.is_some_and(|at| name[at..].eq_ignore_ascii_case(END))
}

/// Types, properties and roles of comments: `Comment`, `UserComments` and `comment` of schema.org,
/// `sioct:Comment` of SIOC, and the role of ARIA 1.3.
const TYPES: [&[u8]; 3] = [b"comment", b"comments", b"usercomments"];

/// Class and id names of comments of readers, for [`Marks::is_of_comments`]: words for them in the
/// languages of many sites, and names of programs for comments. They are not those of [`COMMENT`],
/// because the forests were trained on that list. `commentary` is no such name, because it is a
/// kind of article.
const OF_COMMENTS_CALLED: [&str; 4] = [
    "comment comments commentlist commentlists commenter commenters commenttext reply replies",
    "kommentar kommentare kommentaren kommentarer leserkommentare komentar komentare komentari komentarz komentarze \
     komentarai komentarji kommentti kommentit kommentaar kommentaarid komment kommentek hozzaszolas hozzaszolasok",
    "commentaire commentaires comentario comentarios comentarii commento commenti reactie reacties yorum yorumlar \
     kommentarii kommentariy kommentary pinglun huifu",
    "disqus dsq livefyre intensedebate hypercomments jcomments komento kmt ljcmt fbcomments",
];

/// Kinds of elements that have a tag of their own.
static KINDS: [Kinds; COUNT - 1] = {
    let mut kinds = [0; COUNT - 1];
    let mut at = 0;
    while at < kinds.len() {
        kinds[at] = kinds_of_lower(RULES[at].name.as_bytes());
        at += 1;
    }
    kinds
};

fn kinds_of(name: &[u8]) -> Kinds {
    const LONGEST: usize = 10;
    let mut lower = [0; LONGEST];
    let Some(lower) = lower.get_mut(..name.len()) else { return 0 };
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    kinds_of_lower(lower)
}

const fn kinds_of_lower(name: &[u8]) -> Kinds {
    match name {
        b"nav" | b"menu" => NAV,
        b"aside" => ASIDE,
        b"header" => HEADER,
        b"footer" => FOOTER,
        b"article" => ARTICLE,
        b"main" => MAIN,
        b"section" => SECTION,
        b"figure" | b"figcaption" | b"caption" => FIGURE,
        b"dialog" => DIALOG,
        b"form" | b"fieldset" | b"select" | b"textarea" => FORM,
        b"li" | b"dd" | b"dt" => LIST,
        b"td" | b"th" => CELL,
        b"blockquote" => QUOTE,
        b"pre" => PRE,
        b"button" => BUTTON,
        b"p" => PARAGRAPH,
        b"h1" => HEADING | H1,
        b"h2" => HEADING | H1 << 1,
        b"h3" => HEADING | H1 << 2,
        b"h4" => HEADING | H1 << 3,
        b"h5" => HEADING | H1 << 4,
        b"h6" => HEADING | H1 << 5,
        _ => 0,
    }
}

/// Returns true for an id that is made of the words of a heading: at least four of them.
fn is_heading(id: &[u8]) -> bool {
    id.iter().filter(|byte| **byte == b'-').count() >= 3
}

/// ARIA landmarks and live regions.
fn kinds_of_role(role: &[u8]) -> Kinds {
    match role {
        b"navigation" | b"menu" | b"menubar" | b"tablist" | b"toolbar" => NAV,
        b"complementary" => ASIDE,
        b"banner" => HEADER,
        b"contentinfo" => FOOTER,
        b"article" => ARTICLE,
        b"main" => MAIN,
        b"dialog" | b"alertdialog" | b"alert" => DIALOG,
        b"search" | b"form" => FORM,
        b"button" => BUTTON,
        _ => 0,
    }
}

/// Returns true if a style attribute hides its element.
fn hides(style: &[u8]) -> bool {
    let has = |needle: &[u8]| {
        style.windows(needle.len()).any(|window| window.eq_ignore_ascii_case(needle))
    };
    has(b"display:none") || has(b"display: none") || has(b"visibility:hidden")
}

/// A hash of texts that ignores case.
#[derive(Default)]
struct Signature(u64);

impl Signature {
    fn add(&mut self, text: &[u8]) {
        let (words, rest) = text.as_chunks();
        for word in words {
            self.add_word(lower(u64::from_le_bytes(*word)));
        }
        self.add_word(rest.iter().fold(text.len() as u64, |word, byte| {
            word << 8 | u64::from(byte.to_ascii_lowercase())
        }));
    }

    /// Adds a class of a forum: its programs number the posts, as in `post-7 reply`.
    fn add_without_numbers(&mut self, class: &[u8]) {
        let parts = class.split(u8::is_ascii_digit).filter(|part| !part.is_empty());
        parts.for_each(|part| self.add(part));
    }

    fn add_word(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    }

    fn finish(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

/// An odd number without a pattern: after a multiplication by it, different numbers differ in their
/// upper halves.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hash of a name, by its letters.
#[derive(Default)]
struct NameHash(u64);

impl NameHash {
    fn add(&mut self, small: u8) {
        // Twelve letters are processed together.
        self.0 = self.0.rotate_left(5) ^ u64::from(small);
    }

    fn finish(self) -> u32 {
        (self.0.wrapping_mul(FACTOR) >> 32) as u32
    }
}

/// Splits a class or id attribute into names: runs of ASCII letters, also split between a small
/// letter and a capital. Passes on the hash of each name in lower case.
fn for_names(value: &[u8], mut take: impl FnMut(u32)) {
    /// Letters in lower case, 0 for other bytes.
    static SMALL: [u8; 256] = {
        let mut small = [0; 256];
        let mut byte = b'a';
        while byte <= b'z' {
            small[byte as usize] = byte;
            small[byte.to_ascii_uppercase() as usize] = byte;
            byte += 1;
        }
        small
    };
    let small = |byte: u8| SMALL[usize::from(byte)];
    let mut rest = value.iter();
    let mut next = rest.next();
    while let Some(first) = next {
        next = rest.next();
        if small(*first) == 0 {
            continue;
        }
        let mut hash = NameHash::default();
        hash.add(small(*first));
        let mut before = first;
        while let Some(letter) = next.filter(|byte| {
            let after_small = *before == small(*before);
            small(**byte) != 0 && !(after_small && **byte != small(**byte))
        }) {
            hash.add(small(*letter));
            before = letter;
            next = rest.next();
        }
        take(hash.finish());
    }
}

/// The score of a name.
#[derive(Clone, Copy, Default)]
struct Name {
    /// The share of text in such elements that is main content minus the share in their pages, in
    /// percent.
    score: i8,
    is_of_comments: bool,
    is_of_one_screen: bool,
    kinds: Kinds,
}

/// Names by hash: open addressing with linear probing.
struct Names {
    /// Separate from the scores, because most names are not known.
    hashes: Vec<u32>,
    names: Vec<Name>,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| Names::read(include_str!("best/names.txt")));

impl Names {
    fn read(table: &str) -> Names {
        // A line has a score and the names with this score.
        let called = CALLED.len() * 24 + OF_COMMENTS_CALLED.len() * 24;
        let room = 2 * (table.split_ascii_whitespace().count() + called);
        let room = room.next_power_of_two();
        let mut names = Names { hashes: vec![0; room], names: vec![Name::default(); room] };
        for line in table.lines() {
            let mut words = line.split(' ');
            let score = words.next().and_then(|score| score.parse().ok()).unwrap_or_default();
            words.for_each(|name| names.entry(name).score = score);
        }
        for (called, kind) in CALLED {
            called.split_ascii_whitespace().for_each(|name| names.entry(name).kinds |= kind);
        }
        for called in OF_COMMENTS_CALLED {
            called
                .split_ascii_whitespace()
                .for_each(|name| names.entry(name).is_of_comments = true);
        }
        for name in OF_ONE_SCREEN_CALLED.split_ascii_whitespace() {
            names.entry(name).is_of_one_screen = true;
        }
        names
    }

    fn entry(&mut self, name: &str) -> &mut Name {
        let mut hash = NameHash::default();
        name.bytes().for_each(|byte| hash.add(byte));
        let hash = hash.finish();
        let slot = self.slot(hash);
        self.hashes[slot] = hash;
        &mut self.names[slot]
    }

    /// The slot of a name, or its future slot. An empty slot has the hash 0, which no name of the
    /// table has.
    fn slot(&self, hash: u32) -> usize {
        let mask = self.hashes.len() - 1;
        let mut at = hash as usize & mask;
        while self.hashes[at] != hash && self.hashes[at] != 0 {
            at = (at + 1) & mask;
        }
        at
    }

    fn get(&self, hash: u32) -> Name {
        // The score of an empty slot is not used.
        self.names[self.slot(hash)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Beginning;

    fn marks(tag: &str) -> Marks {
        match SourceTag::read(tag) {
            Beginning::Tag(tag) => Marks::of(&tag, Tag::of(tag.name()), false),
            _ => Marks::default(),
        }
    }

    #[test]
    fn names_are_cut_at_signs_and_capitals() {
        let mut cut = 0;
        for_names(b"post-content relatedArticles2 NAV", |_| cut += 1);
        assert_eq!(cut, 5);
        assert_eq!(marks("<div class='userComments'>").kinds, COMMENT);
        assert_eq!(marks("<DIV ID=related_posts>").kinds & RELATED, RELATED);
        assert!(marks("<div class=sidebar>").low < 0);
        assert_eq!(marks("<div class=xqzzyw>").low, 0);
    }

    #[test]
    fn a_signature_knows_no_case_but_every_letter() {
        for (class, other) in [
            ("a", "b"),
            ("", "a"),
            ("menu-item active", "menu-item Active2"),
            ("post_content", "post`content"),
        ] {
            let signature = |class: &str| marks(&format!("<div class='{class}'>")).signature;
            assert_eq!(signature(class), signature(&class.to_ascii_uppercase()));
            assert_ne!(signature(class), signature(other));
        }
    }

    #[test]
    fn elements_roles_and_what_hides_are_read() {
        assert_eq!(marks("<nav>").kinds, NAV);
        assert_eq!(marks("<div role=navigation>").kinds, NAV);
        assert_eq!(marks("<div hidden>").kinds, HIDDEN);
        assert_eq!(marks("<div style='color:red; DISPLAY:none'>").kinds, HIDDEN);
        assert_eq!(marks("<div aria-hidden=\"true\">").kinds, HIDDEN);
        assert_eq!(marks("<div itemprop=articleBody>").kinds, BODY_TEXT);
        assert_eq!(marks("<div>"), marks("<DIV >"));
        assert_eq!(marks("<aside class='footnote brackets'>").kinds, 0);
        assert_eq!(marks("<aside class=related>").kinds & ASIDE, ASIDE);
    }
}
