//! The native methods of engines, on plain bytes. Java receives the sentence of an
//! error as the message of a failed frame.

use crate::languages;
use crate::refusal::Refusal;
use crate::registry;
use engine::frame::{self, tag, Frame, Writer};
use engine::{Document, Format, LinkOptions, PageHints, Response, Settings, Status};

/// Returns the library version and the record version of the default extractor.
pub fn version() -> Result<Writer, Refusal> {
    let mut answer = Writer::answer(Status::Ok, None);
    answer.text(tag::RECORD_VERSION, &engine::default_record_version());
    answer.text(tag::LIBRARY_VERSION, env!("CARGO_PKG_VERSION"));
    Ok(answer)
}

/// Returns the id of an engine with these settings, its record version and the codes of its
/// targets, sorted and separated by commas, with the tags that name them.
pub fn configure(settings: &[u8]) -> Result<Writer, Refusal> {
    let settings = Settings::from_json(settings)?;
    let targets = settings.targets.clone();
    let id = registry::intern(settings)?;
    let mut answer = Writer::answer(Status::Ok, None);
    answer.text(tag::RECORD_VERSION, registry::get(id as i32)?.version());
    answer.u32(tag::ENGINE_ID, id);
    answer.text(tag::TARGET, &targets.to_string());
    answer.text(tag::TARGET_TAGS, &languages::tags(&targets));
    Ok(answer)
}

/// Returns the record of a page, and its links and its statements about itself if the hints ask for
/// them. `hints` may be empty.
pub fn page(engine: i32, content: impl AsRef<[u8]>, hints: &[u8]) -> Result<Writer, Refusal> {
    let engine = registry::get(engine)?;
    if hints.is_empty() {
        return Ok(frame::page_answer(&engine.page(content, &PageHints::default())));
    }
    let hints = Frame::read(hints).map_err(Refusal::frame("page hints"))?;
    let links = hints.link_options().map_err(Refusal::frame("page hints"))?;
    let rules = hints.host_rules();
    let response = hints.response().map_err(Refusal::frame("page hints"))?;
    let response = response.map(|response| Response { files: rules.files(), ..response });
    let reads_anchors = hints.get(tag::ANCHORS).is_some();
    let hints = hints.page_hints().map_err(Refusal::frame("page hints"))?;
    if links.is_none() && response.is_none() {
        return Ok(frame::page_answer(&engine.page(content, &hints)));
    }
    let options = LinkOptions {
        statements: response.is_some(),
        ..links.unwrap_or(LinkOptions { max_links: 0, ..LinkOptions::default() })
    };
    let (record, mut found) = engine.page_with_links(content, &hints, &options);
    let mut answer = frame::page_answer(&record);
    if let Some(response) = response {
        answer.stated(&engine::stated(&record, &found, hints.url, &response));
        // Statements come with more alternates than were requested.
        found.too_many |= found.alternates.len() > options.max_links;
        found.alternates.truncate(options.max_links);
    }
    if links.is_some() {
        answer.links_with_anchors(&found, |anchor| {
            reads_anchors.then(|| engine.is_anchor_in_target(anchor)).flatten()
        });
    }
    Ok(answer)
}

/// Returns whether the first look rules a page out: the engine rejects it for certain. `hints` may
/// be empty.
pub fn look(engine: i32, content: &[u8], hints: &[u8]) -> Result<Writer, Refusal> {
    let (engine, look) = (registry::get(engine)?, registry::look(engine)?);
    let frame = (!hints.is_empty()).then(|| Frame::read(hints)).transpose();
    let frame = frame.map_err(Refusal::frame("page hints"))?;
    let hints = frame.as_ref().map(Frame::page_hints).transpose();
    let hints = hints.map_err(Refusal::frame("page hints"))?.unwrap_or_default();
    let mut answer = Writer::answer(Status::Ok, None);
    if look.get().is_some_and(|look| !look.may_keep(&engine, content, &hints)) {
        answer.bytes(tag::RULED_OUT, &[]);
    }
    Ok(answer)
}

/// Returns a page of a crawl's store as a document of a corpus.
pub fn document(fields: &[u8]) -> Result<Writer, Refusal> {
    let fields = Frame::read(fields).map_err(Refusal::frame("document"))?;
    let mut document = Document::from_frame(&fields).map_err(Refusal::frame("document"))?;
    document.is_file = records::is_document_type(&document.content_type);
    let format = match fields.get(tag::PLAIN_TEXT) {
        Some(_) => Format::Text,
        None => Format::Jsonl,
    };
    let mut answer = Writer::answer(Status::Ok, None);
    answer.bytes(tag::DOCUMENT, document.written(format).as_bytes());
    Ok(answer)
}

/// Returns the scores of a batch of hosts.
pub fn scores(engine: i32, totals: &[u8]) -> Result<Writer, Refusal> {
    let engine = registry::get(engine)?;
    let totals = Frame::read(totals)
        .and_then(|frame| frame.totals())
        .map_err(Refusal::frame("host totals"))?;
    let mut answer = Writer::answer(Status::Ok, None);
    answer.scores(&engine.scores(&totals));
    Ok(answer)
}

/// For `doctor` and tests: `panic` panics, `echo:...` returns the text as the message.
pub fn probe(what: &[u8]) -> Result<Writer, Refusal> {
    if what == b"panic" {
        panic!("as asked by a probe");
    }
    let Some(echo) = what.strip_prefix(b"echo:") else {
        let found: String = String::from_utf8_lossy(what).chars().take(40).collect();
        return Err(Refusal::Probe(found));
    };
    let mut answer = Writer::answer(Status::Ok, None);
    answer.bytes(tag::MESSAGE, echo);
    Ok(answer)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::guard::guarded;
    use engine::frame::Writer;

    const SETTINGS: &[u8] = br#"{"target":"urd","minBytes":17}"#;

    fn configured(settings: &[u8]) -> i32 {
        let answer = configure(settings).unwrap().finish();
        i32::from_be_bytes(
            Frame::read(&answer).unwrap().get(tag::ENGINE_ID).unwrap().try_into().unwrap(),
        )
    }

    fn status(answer: Writer) -> String {
        let answer = answer.finish();
        Frame::read(&answer).unwrap().text(tag::STATUS).unwrap().unwrap().to_owned()
    }

    #[test]
    fn equal_settings_have_one_id_however_they_are_written() {
        let id = configured(SETTINGS);
        assert_eq!(id, configured(br#"{ "minBytes": 17, "target": "ur" }"#));
        assert_ne!(id, configured(br#"{"target":"urd","minBytes":18}"#));
    }

    #[test]
    fn an_engine_is_named_with_its_language_and_record_version() {
        let answer = configure(br#"{"target":"ur","extractor":"text"}"#).unwrap().finish();
        let frame = Frame::read(&answer).unwrap();
        assert_eq!(frame.text(tag::TARGET).unwrap(), Some("urd"));
        assert!(frame.text(tag::RECORD_VERSION).unwrap().unwrap().contains(" text/"));
        let answer = configure(br#"{"target":"ur,skr"}"#).unwrap().finish();
        assert_eq!(Frame::read(&answer).unwrap().text(tag::TARGET).unwrap(), Some("skr,urd"));
    }

    #[test]
    fn ids_that_nobody_was_given_are_refused() {
        configured(SETTINGS);
        for id in [-1, i32::MIN, 100_000, i32::MAX] {
            let refusal = page(id, b"", b"").unwrap_err().to_string();
            assert!(refusal.starts_with(&format!("engine id is {id}, allowed are")), "{refusal}");
            assert!(scores(id, b"").is_err());
        }
    }

    #[test]
    fn a_page_is_read_with_and_without_hints() {
        let id = configured(SETTINGS);
        assert_eq!(status(page(id, b"<p></p>", b"").unwrap()), "no_content");
        let mut hints = Writer::new();
        hints.text(tag::KIND, "text");
        assert_eq!(status(page(id, b"some text", &hints.finish()).unwrap()), "ok");
        assert!(page(id, b"", b"hints")
            .unwrap_err()
            .to_string()
            .starts_with("page hints: frame does not begin"));
    }

    #[test]
    fn statements_are_returned_with_and_without_links() {
        const PAGE: &[u8] =
            b"<html lang=en><meta property=article:published_time content=2024-03-12>\
            <link rel=alternate hreflang=ur href=/ur><link rel=alternate hreflang=fa href=/fa>\
            <p>some text</p><a rel=license href=https://creativecommons.org/licenses/by/4.0/>x</a>";
        let id = configured(SETTINGS);
        let read = |with_links: bool, fetched: Option<u64>| {
            let mut hints = Writer::new();
            hints.text(tag::URL, "http://a.example/en");
            hints.text(tag::RESERVATION_HEADERS, "tdm-reservation: 1\nx-robots-tag: noai\n");
            if let Some(fetched) = fetched {
                hints.u64(tag::FETCH_TIME, fetched);
            }
            if with_links {
                hints.u64(tag::LINK_LIMITS, 1 << 32 | 2048);
            }
            page(id, PAGE, &hints.finish()).unwrap().finish()
        };
        let day = 86_400_000;
        for with_links in [false, true] {
            let answer = read(with_links, Some(20_000 * day));
            let frame = Frame::read(&answer).unwrap();
            let text = |tag| frame.text(tag).unwrap();
            assert_eq!(text(tag::PUBLISHED), Some("2024-03-12"));
            assert_eq!(text(tag::MODIFIED), None);
            assert_eq!(text(tag::DATE_SOURCE), Some("meta"));
            assert_eq!(text(tag::LICENSE), Some("cc-by"));
            assert_eq!(
                text(tag::LICENSE_URL),
                Some("https://creativecommons.org/licenses/by/4.0/")
            );
            assert_eq!(text(tag::LICENSE_SOURCE), Some("rel"));
            assert_eq!(
                text(tag::RESERVATION),
                Some(r#"{"noai":{"noai":"header"},"tdm":{"reservation":1,"source":"header"}}"#)
            );
            assert_eq!(
                text(tag::STATED_ALTERNATES),
                Some(concat!(
                    r#"[{"language":"ur","url":"http://a.example/ur"},"#,
                    r#"{"language":"fa","url":"http://a.example/fa"}]"#
                ))
            );
            assert_eq!(frame.get(tag::LINKS).is_some(), with_links);
            // The requested number of alternates holds for the links.
            let alternates = frame.get(tag::ALTERNATES).map(<[u8]>::len);
            assert_eq!(alternates, with_links.then_some(2 + 2 + 2 + "http://a.example/ur".len()));
            assert_eq!(frame.get(tag::LINK_FLAGS), with_links.then_some(&[8][..]));
        }
        // Before the day on which the page says that it was published.
        let answer = read(false, Some(19_000 * day));
        assert_eq!(Frame::read(&answer).unwrap().get(tag::PUBLISHED), None);
        let answer = read(false, None);
        assert!(Frame::read(&answer).unwrap().get(tag::PUBLISHED).is_some());
    }

    #[test]
    fn rules_of_the_host_are_stated() {
        let read = |url: &str| {
            let mut hints = Writer::new();
            hints.text(tag::URL, url);
            hints.text(tag::RESERVATION_HEADERS, "");
            hints.text(tag::ROBOTS_FILE, "User-agent: *\nContent-Signal: /news/ ai-train=no\n");
            hints.text(tag::TDM_FILE, r#"[{"location":"/news/2","tdm-reservation":1}]"#);
            let answer = page(configured(SETTINGS), b"<p>some text</p>", &hints.finish());
            let answer = answer.unwrap().finish();
            let frame = Frame::read(&answer).unwrap();
            frame.text(tag::RESERVATION).unwrap().map(str::to_owned)
        };
        let signal = r#""content_signal":{"ai-train":{"source":"robots.txt","value":"n"}}"#;
        assert_eq!(read("http://a.example/"), None);
        assert_eq!(read("http://a.example/news/1"), Some(format!("{{{signal}}}")));
        let both = format!(r#"{{{signal},"tdm":{{"reservation":1,"source":"file"}}}}"#);
        assert_eq!(read("http://a.example/news/2"), Some(both));
    }

    #[test]
    fn the_first_look_rules_out_pages_without_the_script() {
        let looked = |settings: &[u8], text: &str, kind: &str| {
            let mut hints = Writer::new();
            hints.text(tag::KIND, kind);
            let answer = look(configured(settings), text.as_bytes(), &hints.finish()).unwrap();
            Frame::read(&answer.finish()).unwrap().get(tag::RULED_OUT).is_none()
        };
        for kind in ["html", "text"] {
            assert!(!looked(SETTINGS, "<p>some text</p>", kind));
            assert!(looked(SETTINGS, "<p>یہ شہر</p>", kind));
            // Without a first look for the language, every page is read.
            assert!(looked(br#"{"target":"fin"}"#, "<p>some text</p>", kind));
        }
        assert!(look(configured(SETTINGS), b"", b"").is_ok());
        assert!(look(configured(SETTINGS), b"", b"hints").is_err());
        assert!(look(-1, b"", b"").is_err());
    }

    #[test]
    fn the_events_of_the_engine_are_in_the_answers() {
        let levels = |answer: crate::guard::Bytes| {
            let frame = answer.take("answer").unwrap();
            let frame = Frame::read(&frame).unwrap();
            let records = frame.fields().iter().filter(|field| field.0 == tag::LOG);
            records
                .map(|(_, value)| (value[0], String::from_utf8_lossy(&value[1..]).into_owned()))
                .collect::<Vec<_>>()
        };
        let settings = br#"{"target":"urd","maxBytes":10,"minBytes":3}"#;
        let info = levels(guarded(|| configure(settings)));
        assert_eq!((info.len(), info[0].0), (1, 3));
        assert!(info[0].1.contains("target urd, ") && info[0].1.contains("maxBytes 10,"));
        // The engine is there already.
        assert_eq!(levels(guarded(|| configure(settings))), []);
        let id = configured(settings);
        let mut hints = Writer::new();
        hints.text(tag::URL, "http://a.example/");
        let hints = hints.finish();
        let warn = levels(guarded(|| page(id, b"<p>eleven bytes and more", &hints)));
        assert_eq!((warn.len(), warn[0].0), (1, 2));
        assert!(
            warn[0].1.ends_with(
                "http://a.example/: too_large: page has 24 bytes, allowed are 10 (maxBytes)"
            ),
            "{}",
            warn[0].1
        );
        assert_eq!(levels(guarded(|| page(id, b"<p>", &hints))), []);
    }

    #[test]
    fn totals_become_as_many_scores() {
        let id = configured(SETTINGS);
        let mut totals = Writer::new();
        totals.bytes(tag::TOTALS, &[0; 48]);
        let answer = scores(id, &totals.finish()).unwrap().finish();
        assert_eq!(Frame::read(&answer).unwrap().get(tag::SCORES).unwrap().len(), 24);
        assert!(scores(id, b"").unwrap_err().to_string().starts_with("host totals: "));
    }

    #[test]
    fn the_version_names_library_and_record() {
        let answer = version().unwrap().finish();
        let frame = Frame::read(&answer).unwrap();
        assert_eq!(frame.text(tag::LIBRARY_VERSION).unwrap(), Some(env!("CARGO_PKG_VERSION")));
        assert!(frame.text(tag::RECORD_VERSION).unwrap().unwrap().contains("cld2/20140204"));
    }

    #[test]
    fn a_probe_echoes_bytes_and_refuses_what_it_does_not_know() {
        let answer = probe("echo:a\0\u{1F600}".as_bytes()).unwrap().finish();
        assert_eq!(Frame::read(&answer).unwrap().text(tag::MESSAGE).unwrap(), Some("a\0\u{1F600}"));
        assert!(probe(b"\xff").unwrap_err().to_string().contains("allowed are `panic`"));
    }
}
