//! Whether a link to a licence speaks of the page or of something else in it.

use super::places::{place, text_before, text_behind};
use memchr::{memchr2_iter, memmem};
use std::sync::LazyLock;

/// Finds links to Creative Commons. It is built once, because it is used for every link.
pub(super) static COMMONS: LazyLock<memmem::Finder<'static>> =
    LazyLock::new(|| memmem::Finder::new("creativecommons.org/"));

/// Bytes of the source in which the words around a link are searched.
const MAX_CONTEXT: usize = 600;

/// Most bytes of text before and behind a link that may say what a licence is of.
const MAX_SAID: usize = 160;

/// Parts of the names of elements whose licences are not that of the page.
pub(super) const OTHER_ELEMENTS: [&str; 8] =
    ["caption", "credit", "comment", "embed", "tweet", "related", "teaser", "gallery"];

/// Names of elements in which a site states its licence.
const FOOTERS: [&str; 4] = ["footer", "copyright", "licen", "colophon"];

/// Words around a link that say what a licence is of.
struct LicenseWords {
    own: Vec<&'static str>,
    weak: Vec<&'static str>,
    other: Vec<&'static str>,
    none: Vec<&'static str>,
    label: Vec<&'static str>,
}

static LICENSE_WORDS: LazyLock<LicenseWords> = LazyLock::new(|| {
    let of = |kind: &str| {
        let lines = include_str!("../../data/licence-words.txt").lines();
        let lines = lines.filter_map(|line| line.strip_prefix(kind)?.strip_prefix(' '));
        lines.flat_map(|line| line.split('|')).collect()
    };
    let (own, weak, other) = (of("own"), of("weak"), of("other"));
    LicenseWords { own, weak, other, none: of("none"), label: of("label") }
});

/// The place of the first of some words in a text in lower case.
fn first_of(text: &str, words: &[&str]) -> Option<usize> {
    let find = |word: &&str| {
        let anywhere = word.strip_prefix('*');
        let word = anywhere.unwrap_or(word);
        let has_case = word.chars().next().is_some_and(char::is_lowercase);
        let begins = |at: &usize| {
            let before = text[..*at].chars().next_back();
            anywhere.is_some() || !has_case || !before.is_some_and(char::is_alphabetic)
        };
        text.match_indices(word).map(|(at, _)| at).find(begins)
    };
    words.iter().filter_map(find).min()
}

/// Words that deny a licence if they are among the last words before a link to it. Names of
/// licences (`Nicht kommerziell`) and exceptions (`sofern nicht anders angegeben`) have them too.
const NOT: &str =
    " not cannot never nicht kein keine keiner keinem keinen niemals ne jamais não nunca \
    nie nije není niet geen ikke inte не нет değil tidak bukan không لا ليس ليست نہیں نیست नहीं নয় ";

const NO_DENIALS: &str = "but not|aber nicht|mas não|но не|not otherwise|do not sell|not for commercial|nicht ander|soweit nicht|nicht kommerz|\
    keine bearbeitung|не указано|не оговорено|не зазначено|не вказано|nie zaznaczono|nie podano|\
    nije dru|niet anders|ikke annet|ikke andet|inte annat|não indicad|tidak dinyatakan|không có ghi";

/// Most words before a link that may deny its licence.
const MAX_DENIED: usize = 8;

/// Parts of sentences that speak of a licence or of other works, and claim nothing for the page.
const NO_CLAIMS: &str = "*n't |*n’t |no está|no es |no se |no puede|non è|non sono|non può|n'est|n’est|\
    unlike|what|explain|is about|are about|compar|discuss|listening|track|links to|works under|\
    third part|third-part|until |used to |formerly|author of this|authors of this|*erklär|*erläuter|\
    *vergleich|handelt von|geht es um|expliqu|traite d|explica|qué es|trata de|spiega|объясня|поясн|\
    сравн|рассказыв|что такое|açıkla|karşılaştır|menjelaskan|wyjaśni|uitleg|يشرح|توضیح|وضاحت|समझा|\
    解説|説明|介绍|解释|설명|不是|并非|不采用|ありません|ではない|않|아니|comments on|comments are|\
    comments in|user comments|kommentare |commentaires |comentarios |comentários |комментари|yorumlar|\
    تبصر|تعليقات|टिप्पणि|মন্তব্য|コメント|评论|댓글";

/// Beginnings of sentences that say what is done in the page.
const IN_PAGE: &str =
    "in this |in diesem |in dieser |dans cet|dans ce |en este |en esta |neste |nesta |in questo |\
    in questa |в этой |в этом |w tym |in dit ";

/// Parts of the sentence behind a link that deny the licence. In many languages the verb is last.
const NOT_BEHIND: &str =
    "not apply|no longer|until |gilt nicht|nicht für|*applique pas|no se aplica|\
    não se aplica|non si applica|не применя|не распростран|değil|नहीं है|नहीं हैं|نہیں ہے|نہیں ہیں|نیست|\
    নয়|ありません|ではない|않|아니|explained|ours is not";

/// Reservations of all rights, which contradict a licence beside them.
const RESERVED: &str = "all rights reserved|alle rechte vorbehalten|tous droits réservés|tous les droits|\
    todos los derechos reservados|todos os direitos reservados|tutti i diritti riservati|\
    все права защищены|всі права захищені|усі права захищені|tüm hakları saklıdır|جميع الحقوق محفوظة|\
    جملہ حقوق|تمام حقوق|تمامی حقوق|सर्वाधिकार सुरक्षित|সর্বস্বত্ব|hak cipta dilindungi|版权所有|版權所有";

/// What joins another work to the page in one claim: `This article and its photos`.
const JOINED: &str = " and | & | und | et | y | e | и | та | ve | dan | och | og | en | i | ja | và | na |\
    includ| inkl| einschl| samt | incl| incluye| включ| compris|, with |, mit |, avec |, con |, com |\
    , с |but not|aber nicht|pero no|mas não|mais pas|ma non|но не| و| اور | और | ও |和|及|与|與|と|および|및|과 |와 ";

/// Most words from the name of the page to another work that is joined to it.
const MAX_JOINED: usize = 5;

/// Returns the words of a table.
fn table(words: &'static str) -> Vec<&'static str> {
    words.split('|').collect()
}

/// Whether the words around a link deny the licence, or only speak of it. `rest` is the sentence
/// behind the link, `said` all text near it.
fn is_denied(sentence: &str, rest: &str, said: &str) -> bool {
    let plain = NO_DENIALS.split('|').fold(sentence.to_owned(), |text, no| text.replace(no, " "));
    let mut last = plain.split_whitespace().rev().take(MAX_DENIED);
    let is_not = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphabetic());
        !word.is_empty() && NOT.split(' ').any(|not| not == word)
    };
    last.any(is_not)
        || first_of(sentence, &table(NO_CLAIMS)).is_some()
        || IN_PAGE.split('|').any(|start| sentence.trim_start().starts_with(start))
        || first_of(rest, &table(NOT_BEHIND)).is_some()
        || first_of(said, &table(RESERVED)).is_some()
}

/// Whether another work that is named behind the page is claimed with it: it is listed or joined by
/// `and` within a few words. Without that the licence is that of the other work, such as `this
/// article uses photos` or, in languages whose noun is last, `この記事の写真`.
fn is_joined(sentence: &str, other: usize) -> bool {
    let before = &sentence[..other];
    let own = &LICENSE_WORDS.own;
    let last = own.iter().filter_map(|own| before.rfind(own)).max().unwrap_or(0);
    let between = &before[last..];
    between.split_whitespace().count() <= MAX_JOINED
        && (between.trim_end().ends_with([',', '،', '、'])
            || JOINED.split('|').any(|word| between.contains(word)))
}

/// Whether a sentence is about the page: it names the page or the site before anything else, and
/// other works only together with it. `None` if it names neither.
fn is_of_page(sentence: &str) -> Option<bool> {
    let words = &*LICENSE_WORDS;
    match (first_of(sentence, &words.own), first_of(sentence, &words.other)) {
        (None, None) => None,
        (Some(own), Some(other)) => Some(own < other && is_joined(sentence, other)),
        (own, _) => Some(own.is_some()),
    }
}

/// Whether a link has the name of another work right behind it: `CC BY photos`.
fn is_of_other(rest: &str) -> bool {
    first_of(rest, &LICENSE_WORDS.other).is_some_and(|at| {
        let name = &rest[..at];
        name.split_whitespace().count() <= 2 && !name.contains([',', ';', ':', '(', '–', '-'])
    })
}

/// Whether a sentence before a link is a credit, in whatever language: a label of up to four words
/// and a name, such as `Cover art: A. Writer,`.
fn is_credit(sentence: &str) -> bool {
    let Some((label, name)) = sentence.split_once([':', '：', '፦']) else { return false };
    let words = label.split_whitespace().count();
    (1..=4).contains(&words)
        && name.chars().filter(|c| c.is_alphabetic()).count() > 1
        && first_of(label, &LICENSE_WORDS.label).is_none()
}

/// The places behind the ends of sentences, and of items of a footer.
fn sentence_ends(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.char_indices().filter_map(|(at, c)| {
        let end = at + c.len_utf8();
        let is_end = match c {
            '!' | '?' | '。' | '।' | '؟' | '۔' | '·' | '|' | '•' => true,
            // An initial or a number ends no sentence.
            '.' => {
                let before = text[..at].trim_end();
                let word = before.rsplit(|c: char| !c.is_alphanumeric()).next();
                let word = word.unwrap_or_default();
                text[end..].starts_with(' ')
                    && word.chars().count() > 1
                    && !word.chars().all(char::is_numeric)
            }
            _ => false,
        };
        is_end.then_some(end)
    })
}

/// Returns whether a link to a licence speaks of the page or the site: by the sentence around it,
/// or else by the words near it and by the place of the link.
pub(super) fn speaks_of_page(html: &str, tag: &str, has_rel: bool, names: &str) -> bool {
    let words = &*LICENSE_WORDS;
    let at = place(html, tag);
    let text = |text: String| {
        let text = text.to_lowercase();
        words.none.iter().fold(text, |text, none| text.replace(none, " "))
    };
    let before = text(text_before(html, at, MAX_CONTEXT));
    let start = before.char_indices().rev().map(|(start, _)| start);
    let start = start.take_while(|start| before.len() - start <= MAX_SAID).last().unwrap_or(0);
    let before = &before[start..];
    let behind = text(text_behind(html, at + tag.len(), MAX_CONTEXT));
    let behind: String = behind.chars().take(MAX_SAID / 2).collect();
    let sentence = &before[sentence_ends(before).last().unwrap_or(0)..];
    let rest = &behind[..sentence_ends(&behind).next().unwrap_or(behind.len())];
    if is_denied(sentence, rest, &format!("{before} {behind}")) {
        return false;
    }
    // `This article is under CC BY, photos are not` names another work behind the link.
    let of_page = is_of_page(sentence).map(|of_page| of_page && !is_of_other(rest));
    if let Some(of_page) = of_page.or_else(|| is_of_page(rest)) {
        return of_page;
    }
    if is_credit(sentence) {
        return false;
    }
    let said = format!("{before} {rest}");
    let has = |words: &[&str]| first_of(&said, words).is_some();
    let in_footer = FOOTERS.iter().any(|name| names.contains(name));
    !has(&words.other) && (has(&words.own) || has(&words.weak) || has_rel || in_footer)
}

/// Returns true if a tag may be a link to a licence: it has `license` in any case, or the address
/// of Creative Commons.
pub(super) fn may_be_license(tag: &[u8]) -> bool {
    const LICENSE: &[u8] = b"license";
    // `c` is rarer in tags than the other letters. It is the third of the word.
    let has_word = memchr2_iter(b'c', b'C', tag).any(|at| {
        let word = at.checked_sub(2).and_then(|at| tag.get(at..at + LICENSE.len()));
        word.is_some_and(|word| word.eq_ignore_ascii_case(LICENSE))
    });
    has_word || COMMONS.find(tag).is_some()
}
