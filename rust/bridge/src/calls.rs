//! The native methods of engines, on plain bytes. Java receives the sentence of an
//! error as the message of a failed frame.

use crate::refusal::Refusal;
use crate::registry;
use engine::frame::{self, tag, Frame, Writer};
use engine::{PageHints, Settings, Status};

/// Returns the library version and the record version of the default extractor.
pub fn version() -> Result<Writer, Refusal> {
    let mut answer = Writer::answer(Status::Ok, None);
    answer.text(tag::RECORD_VERSION, &engine::default_record_version());
    answer.text(tag::LIBRARY_VERSION, env!("CARGO_PKG_VERSION"));
    Ok(answer)
}

/// Returns the id of an engine with these settings, its record version and the codes of its
/// targets, sorted and separated by commas.
pub fn configure(settings: &[u8]) -> Result<Writer, Refusal> {
    let settings = Settings::from_json(settings)?;
    let (targets, extractor) = (settings.targets.to_string(), settings.extractor);
    let id = registry::intern(settings)?;
    log::debug!("engine {id}: target {targets}, extractor {extractor}");
    let mut answer = Writer::answer(Status::Ok, None);
    answer.text(tag::RECORD_VERSION, registry::get(id as i32)?.version());
    answer.u32(tag::ENGINE_ID, id);
    answer.text(tag::TARGET, &targets);
    Ok(answer)
}

/// Returns the record of a page, and its links if the hints ask for them. `hints` may be empty.
pub fn page(engine: i32, content: impl AsRef<[u8]>, hints: &[u8]) -> Result<Writer, Refusal> {
    let engine = registry::get(engine)?;
    if hints.is_empty() {
        return Ok(frame::page_answer(&engine.page(content, &PageHints::default())));
    }
    let hints = Frame::read(hints).map_err(Refusal::frame("page hints"))?;
    let options = hints.link_options().map_err(Refusal::frame("page hints"))?;
    let hints = hints.page_hints().map_err(Refusal::frame("page hints"))?;
    let Some(options) = options else {
        return Ok(frame::page_answer(&engine.page(content, &hints)));
    };
    let (record, links) = engine.page_with_links(content, &hints, &options);
    let mut answer = frame::page_answer(&record);
    answer.links(&links);
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
