//! Conversion of records to pages; the engine computes missing figures.

use crate::classes::PageClass;
use crate::origins::{self, Rejection};
use crate::quality::PageQuality;
use crate::{removals, CorpusPage};
use engine::{stated, Engine, Kind, LinkOptions, PageHints, PageRecord, Response, Status};
use langbytes::{cleaned, is_variety_name, LangBytes, LangCode, NO_VARIETY};
use md5::{Digest, Md5};
use quality::Signals;
use records::{is_document_type, About, BadJson, Body, Fault};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::time::UNIX_EPOCH;

/// Returns whether a crawl's decision, if any, excludes a page from the corpus.
pub fn is_rejected(decision: Option<&str>) -> bool {
    decision.is_some_and(|decision| decision.starts_with("reject"))
}

/// Converts a record's body to a page; `None` if it is not a page, or must be left out
/// ([`removals`]). Of a page in HTML the year and the licence are those that it states.
///
/// # Errors
/// Fails if the body is invalid.
pub fn page_of(body: Body, about: &About, engine: &Engine) -> Result<Option<CorpusPage>, Fault> {
    let page = any_page_of(body, about, engine)?;
    Ok(page.filter(|page| !removals::is_left_out(&page.url, &page.text)))
}

fn any_page_of(body: Body, about: &About, engine: &Engine) -> Result<Option<CorpusPage>, Fault> {
    let target = engine.settings().target();
    match body {
        Body::Json(line) => page_of_line(&line, engine).map(Some),
        Body::Html(url, content_type, bytes) => {
            let hints = PageHints {
                url: Some(&url),
                content_type: content_type.as_deref(),
                kind: Kind::Html,
            };
            let length = bytes.len() as u64;
            let signature = Md5::digest(&bytes);
            let options = LinkOptions {
                url: Some(&url),
                max_links: 0,
                statements: true,
                ..LinkOptions::default()
            };
            let (record, links) = engine.page_with_links(bytes, &hints, &options);
            let response = Response { fetched: about.date.parse().ok(), ..Response::default() };
            let stated = stated(&record, &links, Some(&url), &response);
            let text = |name| stated.iter().find(|(known, _)| *known == name)?.1.as_str();
            let mut page = page_of_record(record, Kind::Html, target)?;
            page.published = text("published").and_then(origins::year);
            page.license = text("license").map(origins::license);
            (page.raw_bytes, page.signature) = (Some(length), Some(signature.into()));
            page.url = url;
            page.host = host(&page.url);
            Ok(Some(page))
        }
        Body::Text(url, bytes) => {
            let hints = PageHints { url: Some(&url), kind: Kind::Text, ..PageHints::default() };
            let mut page = page_of_record(engine.page(bytes, &hints), Kind::Text, target)?;
            page.url = url;
            page.host = host(&page.url);
            Ok(Some(page))
        }
        Body::Gone(url) => {
            let host = host(&url);
            Ok(Some(CorpusPage { url, host, gone: true, ..CorpusPage::default() }))
        }
        Body::Document(..) | Body::HostFile(..) | Body::Other(_) => Ok(None),
    }
}

fn page_of_record(record: PageRecord, kind: Kind, target: LangCode) -> Result<CorpusPage, Fault> {
    if matches!(record.status, Status::TooLarge | Status::UnsupportedCharset | Status::Failed) {
        let message = record.message.unwrap_or_else(|| record.status.to_string());
        return Err(Fault::Engine(message));
    }
    let mut page = CorpusPage {
        // All pages of an archive belong to the corpus, whatever the engine's filter would decide.
        kept: true,
        visible_bytes: (kind == Kind::Html).then_some(record.visible_bytes),
        main_bytes: record.main_bytes,
        text: cleaned(record.text),
        ..CorpusPage::default()
    };
    page.set_languages(record.languages, target);
    Ok(page)
}

/// Returns the record of a main text whose blocks are its lines. Its figures are those of the
/// original page.
pub fn record_of_text(text: &str, engine: &Engine) -> PageRecord {
    // Lines of plain text may break anywhere; an empty line ends a paragraph.
    let text = text.replace('\n', "\n\n");
    engine.page(text.into_bytes(), &PageHints { kind: Kind::Text, ..PageHints::default() })
}

/// Returns the host of a URL in lower case; empty if it has none.
pub fn host(url: &str) -> String {
    url::Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
}

/// The fields of a line that are read; others are ignored.
#[derive(Deserialize)]
struct Line {
    url: Option<String>,
    host: Option<String>,
    round: Option<u64>,
    text: Option<String>,
    raw_bytes: Option<u64>,
    visible_bytes: Option<u64>,
    main_bytes: Option<u64>,
    #[serde(alias = "bytes_per_language")]
    languages: Option<BTreeMap<String, u64>>,
    signature: Option<String>,
    decision: Option<String>,
    #[serde(default)]
    gone: bool,
    /// Other programs may use the name for something else, so its type is not checked here.
    variety: Option<Lenient<String>>,
    /// Names of the fields that have a class.
    classes: Option<Lenient<Vec<String>>>,
    content_type: Option<Lenient<String>>,
    variety_score: Option<Lenient<f64>>,
    fetch_time: Option<Lenient<String>>,
    published: Option<Lenient<String>>,
    license: Option<Lenient<String>>,
    quality: Option<Lenient<Box<Signals>>>,
    script_percentage: Option<Lenient<f64>>,
    identification_consistency: Option<Lenient<f64>>,
    wordlist_ratio: Option<Lenient<f64>>,
    noise: Option<Lenient<Vec<String>>>,
}

impl Line {
    /// The variety and its probability in millionths, if both are valid.
    fn variety(&mut self) -> Option<(String, u32)> {
        let name = Lenient::known(self.variety.take())
            .filter(|name| name == NO_VARIETY || is_variety_name(name))?;
        let score = Lenient::known(self.variety_score.take());
        let score = score.filter(|score| (0.0..=1.0).contains(score))?;
        Some((name, (score * 1e6).round() as u32))
    }
}

/// Longest value of a [`Lenient`] field, in bytes of JSON. Parsed, it may take fifty times as much
/// memory.
const MAX_LENIENT: usize = 1 << 18;

/// A field that other programs may use for something else; `None` if they do.
struct Lenient<T>(Option<T>);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        let value = (raw.len() <= MAX_LENIENT).then(|| serde_json::from_str(raw).ok());
        Ok(Self(value.flatten()))
    }
}

impl<T> Lenient<T> {
    fn known(field: Option<Self>) -> Option<T> {
        field?.0
    }
}

/// Largest figure of a page in a record, in bytes: 1 TiB. One figure near 2^64 would make all sums
/// of a corpus meaningless.
pub const MAX_FIGURE: u64 = 1 << 40;

/// Checks for impossible figures.
///
/// # Errors
/// Fails with the name of the first figure over 1 TiB.
pub(crate) fn check_figures(
    figures: [(&'static str, Option<u64>); 3],
    languages: Option<&LangBytes>,
) -> Result<(), Fault> {
    let all = figures.into_iter().chain([("languages", languages.map(LangBytes::total))]);
    for (name, bytes) in all {
        if let Some(bytes) = bytes.filter(|&bytes| bytes > MAX_FIGURE) {
            return Err(Fault::Figure { name, bytes, most: MAX_FIGURE });
        }
    }
    Ok(())
}

/// Parses a line's fields, and its bytes per language if it has them.
fn fields(line: &[u8]) -> Result<(Line, Option<LangBytes>), Fault> {
    let mut line: Line = json(line)?;
    let mut sum = None;
    if let Some(languages) = line.languages.take() {
        let sum = sum.insert(LangBytes::new());
        for (code, bytes) in languages {
            let code: LangCode =
                code.parse().map_err(|unknown| Fault::Language(format!("{unknown}")))?;
            sum.add(code, bytes);
        }
    }
    let (raw, visible, main) = (line.raw_bytes, line.visible_bytes, line.main_bytes);
    check_figures(
        [("raw_bytes", raw), ("visible_bytes", visible), ("main_bytes", main)],
        sum.as_ref(),
    )?;
    Ok((line, sum))
}

/// Checks whether [`page_of_line`] would accept a line with text, without counting languages.
///
/// # Errors
/// The same as those of [`page_of_line`].
pub fn check_line(line: &[u8]) -> Result<(), Fault> {
    fields(line).map(|_| ())
}

/// Most fields with classes that are read, and most bytes of a class's name: other programs may use
/// the name `classes` for something else.
const MAX_CLASS_FIELDS: usize = 16;
const MAX_CLASS_BYTES: usize = 256;

/// Returns the classes in these fields of a line whose name and probability are valid. A
/// probability is in the field with `_score` behind its name.
fn classes(line: &[u8], names: &[String]) -> Result<Vec<PageClass>, Fault> {
    let fields: BTreeMap<String, &RawValue> = json(line)?;
    let value = |name: &str| fields.get(name).map(|value| value.get());
    let class = |field: &String| {
        let class: String = serde_json::from_str(value(field)?).ok()?;
        let score: f64 = serde_json::from_str(value(&format!("{field}_score"))?).ok()?;
        let is_valid = (1..=MAX_CLASS_BYTES).contains(&class.len()) && (0.0..=1.0).contains(&score);
        let score = (score * 1e6).round() as u32;
        is_valid.then(|| PageClass { field: field.clone(), class, score })
    };
    let mut names: Vec<&String> = names.iter().take(MAX_CLASS_FIELDS).collect();
    names.sort_unstable();
    names.dedup();
    Ok(names.into_iter().filter_map(class).collect())
}

/// Converts a line to a page. Bytes per language are counted if the line has text and no counts.
///
/// # Errors
/// Fails if the line is not a JSON object with the fields of a page, or has neither text nor
/// figures.
pub fn page_of_line(bytes: &[u8], engine: &Engine) -> Result<CorpusPage, Fault> {
    let target = engine.settings().target();
    let (mut line, languages) = fields(bytes)?;
    let variety = line.variety();
    let classes = match Lenient::known(line.classes.take()) {
        Some(names) => classes(bytes, &names)?,
        None => Vec::new(),
    };
    let url = line.url.unwrap_or_default();
    let mut page = CorpusPage {
        variety,
        classes,
        host: line.host.unwrap_or_else(|| host(&url)),
        url,
        round: line.round,
        fetched: Lenient::known(line.fetch_time).and_then(|time| millis(&time)),
        kept: !is_rejected(line.decision.as_deref()),
        rejection: line.decision.as_deref().and_then(Rejection::of),
        published: Lenient::known(line.published).and_then(|date| origins::year(&date)),
        license: Lenient::known(line.license).map(|name| origins::license(&name)),
        gone: line.gone,
        is_document: Lenient::known(line.content_type)
            .is_some_and(|content_type: String| is_document_type(&content_type)),
        raw_bytes: line.raw_bytes,
        visible_bytes: line.visible_bytes,
        signature: line.signature.as_deref().and_then(md5_of_hex),
        text: cleaned(line.text.unwrap_or_default()),
        quality: PageQuality::new(
            Lenient::known(line.quality).map(|signals| *signals),
            [line.script_percentage, line.identification_consistency, line.wordlist_ratio]
                .map(Lenient::known),
            &Lenient::known(line.noise).unwrap_or_default(),
        ),
        ..CorpusPage::default()
    };
    if page.gone {
        return Ok(page);
    }
    let languages = match languages {
        Some(languages) => languages,
        None if page.text.is_empty() => return Err(Fault::NoFigures),
        None => record_of_text(&page.text, engine).languages,
    };
    let length = page.text.len() as u64;
    page.main_bytes =
        line.main_bytes.unwrap_or(if length > 0 { length } else { languages.total() });
    page.set_languages(languages, target);
    Ok(page)
}

/// Parses a line as JSON. All of it must be UTF-8, including the fields that are not read: records
/// are copied with all their fields.
///
/// # Errors
/// Fails if the line is not JSON, or lacks what `T` needs. A line without a line end that ends
/// inside its object is the last one of a truncated input.
pub fn json<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, Fault> {
    let (is_cut, reason) = match simdutf8::compat::from_utf8(line) {
        // The whole line was checked, so single strings need no check.
        Ok(text) => match serde_json::from_str(text) {
            Ok(parsed) => return Ok(parsed),
            Err(error) => {
                (error.is_eof() && !line.ends_with(b"\n"), BadJson::Syntax(error.to_string()))
            }
        },
        Err(error) => (error.error_len().is_none(), BadJson::NotUtf8(error.valid_up_to() + 1)),
    };
    Err(Fault::Json { reason, is_cut })
}

/// Returns the milliseconds since 1970 of a time in ISO 8601, UTC, as a crawl writes it. A time
/// that is not known is written as 1970.
pub fn millis(time: &str) -> Option<u64> {
    let since = humantime::parse_rfc3339(time).ok()?.duration_since(UNIX_EPOCH).ok()?;
    u64::try_from(since.as_millis()).ok().filter(|&millis| millis > 0)
}

fn md5_of_hex(hex: &str) -> Option<[u8; 16]> {
    let hex: &[u8; 32] = hex.as_bytes().try_into().ok()?;
    let mut bytes = [0; 16];
    for (byte, pair) in bytes.iter_mut().zip(hex.chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Settings;
    use records::ProblemKind;

    fn engine() -> Engine {
        Engine::new(Settings::new("urd".parse().expect("a code"))).expect("settings")
    }

    #[test]
    fn a_line_of_a_crawl_is_a_page() {
        let line = r#"{"url":"http://a.pk/x","host":"a.pk","round":3,"text":"یہ اردو ہے","raw_bytes":900,"visible_bytes":40,
            "main_bytes":18,"languages":{"urd":16},"signature":"000102030405060708090a0b0c0d0e0f","title":"t"}"#;
        let page = page_of_line(line.as_bytes(), &engine()).expect("a page");
        assert_eq!(
            (page.host.as_str(), page.round, page.target_bytes, page.main_bytes),
            ("a.pk", Some(3), 16, 18)
        );
        assert_eq!(page.signature, Some([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]));
        assert!(page.kept && !page.gone);
    }

    #[test]
    fn the_text_of_a_page_is_clean() {
        let line = r#"{"text":"to\u0302i ex\u00adtra\ufeff می\u200cروم"}"#;
        let page = page_of_line(line.as_bytes(), &engine()).expect("a page");
        assert_eq!(page.text, "tôi extra می\u{200c}روم");
        let html = "<p>to&#x302;i ex&shy;tra</p>".into();
        let body = Body::Html("http://a.pk/".into(), None, html);
        let page = page_of(body, &About::default(), &engine()).expect("a page").expect("a page");
        assert_eq!(page.text, "tôi extra");
    }

    #[test]
    fn a_page_states_its_year_and_its_licence() {
        let read = |html: &str| {
            let body = Body::Html("http://a.pk/".into(), None, html.into());
            let about = About { date: "2024-05-06T07:08:09Z".into(), ..About::default() };
            let page = page_of(body, &about, &engine()).expect("a page").expect("a page");
            (page.published, page.license)
        };
        let published = |day: &str| {
            format!(
                "<meta property=article:published_time content={day}><p>text</p>\
                 <a rel=license href=https://creativecommons.org/licenses/by/4.0/>CC</a>"
            )
        };
        let by = Some(origins::license("cc-by"));
        assert_eq!(read(&published("2019-03-12")), (Some(2019), by));
        assert_eq!(read(&published("2024-06-01")), (None, by), "a day after the fetch");
        assert_eq!(read("<p>text</p>"), (None, None));
    }

    #[test]
    fn a_variety_counts_only_if_both_of_its_fields_are_valid() {
        let variety = |fields: &str| {
            let line = format!(r#"{{"text":"a","languages":{{"urd":1}},{fields}}}"#);
            page_of_line(line.as_bytes(), &engine()).expect("a page").variety
        };
        let of = |name: &str, score| Some((name.to_owned(), score));
        assert_eq!(variety(r#""variety":"gulf","variety_score":0.93"#), of("gulf", 930_000));
        assert_eq!(variety(r#""variety":"und","variety_score":0"#), of("und", 0));
        for fields in [
            r#""variety":"gulf""#,
            r#""variety_score":0.9"#,
            r#""variety":3,"variety_score":0.9"#,
            r#""variety":"a b","variety_score":0.9"#,
            r#""variety":"gulf","variety_score":1.5"#,
            r#""variety":"gulf","variety_score":"0.9""#,
        ] {
            assert_eq!(variety(fields), None, "{fields}");
        }
    }

    #[test]
    fn times_of_fetches_are_in_milliseconds_or_not_known() {
        assert_eq!(millis("2023-11-14T22:13:20.123Z"), Some(1_700_000_000_123));
        assert_eq!(millis("2023-11-14T22:13:20Z"), Some(1_700_000_000_000));
        for unknown in ["1970-01-01T00:00:00Z", "1969-01-01T00:00:00Z", "yesterday", "", "7"] {
            assert_eq!(millis(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn signals_are_those_of_annotate_and_nothing_else() {
        let quality = |fields: &str| {
            let line = format!("{{\"text\":\"a\",\"languages\":{{}},{fields}}}");
            page_of_line(line.as_bytes(), &engine()).expect("a page").quality
        };
        assert!(quality("\"noise\":[\"dup_line_frac\"]").is_some());
        assert!(quality("\"script_percentage\":0.5").is_some());
        for other in [
            "\"quality\":0.5",
            "\"quality\":{\"score\":1}",
            "\"quality\":null",
            "\"noise\":\"much\"",
            "\"noise\":[\"unknown\"]",
            "\"noise\":[1]",
            "\"script_percentage\":\"most\"",
        ] {
            assert_eq!(quality(other), None, "{other}");
        }
    }

    #[test]
    fn languages_are_counted_where_they_are_not_told() {
        let line = r#"{"url":"https://A.pk:8080/x","text":"شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا"}"#;
        let page = page_of_line(line.as_bytes(), &engine()).expect("a page");
        assert_eq!(page.host, "a.pk");
        assert_eq!(page.target_bytes, page.main_bytes);
        assert_eq!(page.main_bytes, page.text.len() as u64);
    }

    #[test]
    fn a_line_with_a_byte_that_is_not_utf_8_is_refused_whatever_field_has_it() {
        let line =
            b"{\"url\":\"http://a.pk\",\"text\":\"a\",\"languages\":{},\"section\":\"caf\xe9\"}\n";
        let refused = page_of_line(line, &engine()).map(|page| page.kept);
        let fault = Fault::Json { reason: BadJson::NotUtf8(62), is_cut: false };
        assert_eq!(fault.to_string(), "not a page in JSON: byte 62 of the line is not UTF-8");
        assert_eq!(refused, Err(fault.clone()));
        assert_eq!(check_line(line), Err(fault));
    }

    #[test]
    fn what_is_no_page_is_refused() {
        let kind = |line: &str| {
            let page = page_of_line(line.as_bytes(), &engine());
            page.map(|page| page.kept).map_err(|fault| fault.kind())
        };
        assert_eq!(kind("{\n"), Err(ProblemKind::InvalidJson));
        assert_eq!(kind("[1]"), Err(ProblemKind::InvalidJson));
        let page = "{\"url\":\"http://a.pk\",\"text\":\"\u{6cc}\u{6c1}\",\"gone\":true}";
        for cut in 1..page.len() {
            let page = page_of_line(&page.as_bytes()[..cut], &engine());
            assert_eq!(page.err().map(|fault| fault.kind()), Some(ProblemKind::CutShort), "{cut}");
        }
        assert_eq!(kind(r#"{"text":3}"#), Err(ProblemKind::InvalidJson));
        assert_eq!(kind(r#"{"languages":{"klingon":3}}"#), Err(ProblemKind::InvalidJson));
        for figure in [
            "\"raw_bytes\":N",
            "\"visible_bytes\":N",
            "\"main_bytes\":N",
            "\"languages\":{\"urd\":N}",
        ] {
            let with = |bytes: u64| {
                kind(&format!("{{\"text\":\"a\",{}}}", figure.replace('N', &bytes.to_string())))
            };
            assert_eq!(with(1 << 40), Ok(true), "{figure}");
            assert_eq!(with((1 << 40) + 1), Err(ProblemKind::InvalidFigures), "{figure}");
            assert_eq!(with(u64::MAX), Err(ProblemKind::InvalidFigures), "{figure}");
        }
        let half = u64::MAX / 2 + 1;
        let two = format!("{{\"languages\":{{\"urd\":{half},\"eng\":{half}}}}}");
        assert_eq!(
            kind(&two),
            Err(ProblemKind::InvalidFigures),
            "a sum that is too large for its type"
        );
        assert_eq!(kind(r#"{"url":"http://a.pk"}"#), Err(ProblemKind::NoText));
        assert_eq!(kind(r#"{"url":"http://a.pk","gone":true}"#), Ok(true));
        assert_eq!(
            kind(r#"{"languages":{"urd":3},"decision":"reject 3 bytes of urd"}"#),
            Ok(false)
        );
    }
}
