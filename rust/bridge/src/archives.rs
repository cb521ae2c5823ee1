//! Archives and JSON lines that Java reads: Java passes the bytes of a file in pieces, and gets its
//! records.

use crate::refusal::Refusal;
use crate::slots::{Names, Slots};
use dedup::pages::{bands_of_line, marked};
use dedup::{ClusterPlace, Shape, Sketcher};
use engine::frame::{tag, Frame, Writer};
use engine::Status;
use once_cell::sync::Lazy;
use records::{Body, Fed, ProblemKind, Record, Step};

/// Most open archives of a process. A task reads one.
const MAX_OPEN: usize = 64;

/// Name of the problem that a file is not of the kind that is read, so that its records need no more
/// reading.
const NO_ARCHIVE: &str = "no_archive";

/// An archive, and whether it waits for a piece.
struct Archive {
    name: String,
    fed: Fed,
    is_hungry: bool,
    /// The bands of pages, if the file must be JSON lines.
    sketcher: Option<Sketcher>,
}

static OPEN: Lazy<Slots<Archive>> =
    Lazy::new(|| Slots::new(Names { one: "archive", many: "archives" }, MAX_OPEN));

/// Begins an archive.
pub fn open(options: &[u8]) -> Result<Writer, Refusal> {
    let bad = Refusal::frame("archive options");
    let options = Frame::read(options).map_err(&bad)?;
    let name = options.text(tag::NAME).map_err(&bad)?.unwrap_or("archive");
    let max_bytes = options.u64(tag::MAX_BYTES).map_err(&bad)?.unwrap_or(u64::MAX);
    let shape = options.get(tag::SHAPE).map(shape).transpose()?;
    let fed = Fed::new(name, max_bytes).map_err(Refusal::Archive)?;
    let sketcher = shape.map(Sketcher::new);
    let id = OPEN.add(Archive { name: name.to_owned(), fed, is_hungry: false, sketcher })?;
    let mut answer = Writer::answer(Status::Ok, None);
    answer.u32(tag::ARCHIVE_ID, id as u32);
    Ok(answer)
}

/// Reads the rule by which pages are near duplicates.
fn shape(packed: &[u8]) -> Result<Shape, Refusal> {
    let ([words, bands, rows], letters) = match packed {
        [numbers @ .., letters] if numbers.len() == 12 => {
            let number = |at: usize| {
                numbers[at..at + 4].iter().fold(0, |sum, &byte| sum << 8 | usize::from(byte))
            };
            ([number(0), number(4), number(8)], *letters != 0)
        }
        _ => return Err(Refusal::Shape("of another length".to_owned())),
    };
    if words == 0 || bands == 0 || rows == 0 || bands.saturating_mul(rows) > Shape::MAX_VALUES {
        return Err(Refusal::Shape(format!("{words} words, {bands} bands of {rows} values")));
    }
    Ok(Shape { words, bands, rows, letters })
}

/// Returns a line of JSON with the fields of its page's cluster.
pub fn mark(fields: &[u8]) -> Result<Writer, Refusal> {
    let bad = Refusal::frame("cluster of a page");
    let fields = Frame::read(fields).map_err(&bad)?;
    let number = |tag| fields.u64(tag).map(Option::unwrap_or_default).map_err(&bad);
    let (cluster, size) = (number(tag::CLUSTER_ID)?, number(tag::CLUSTER_SIZE)?);
    let line = fields.get(tag::CONTENT).unwrap_or_default();
    let line =
        marked(line, ClusterPlace { cluster, size, is_best: true }).map_err(Refusal::Record)?;
    let mut answer = Writer::answer(Status::Ok, None);
    answer.bytes(tag::CONTENT, &line);
    Ok(answer)
}

/// Passes a piece to an archive that is hungry, and returns its next step.
pub fn next(archive: i32, piece: &[u8]) -> Result<Writer, Refusal> {
    OPEN.with(archive, |archive| {
        if archive.is_hungry {
            archive.fed.feed(piece.to_vec()).map_err(Refusal::Archive)?;
        }
        let step = archive.fed.step().map_err(Refusal::Archive)?;
        archive.is_hungry = matches!(step, Step::Hungry);
        Ok(match (step, &archive.sketcher) {
            (Step::Record(record), Some(sketcher)) => line_in(*record, &archive.name, sketcher),
            (step, _) => written(step),
        })
    })
}

/// Closes an archive if it is still open.
pub fn close(archive: i32) -> Result<Writer, Refusal> {
    OPEN.close(archive);
    Ok(Writer::answer(Status::Ok, None))
}

fn named(name: &str, message: Option<&str>) -> Writer {
    let mut answer = Writer::answer(Status::Ok, message);
    answer.text(tag::STEP, name);
    answer
}

fn problem(name: &str, message: &str) -> Writer {
    let mut answer = named("problem", Some(message));
    answer.text(tag::PROBLEM, name);
    answer
}

/// A line of JSON lines, with the bands of its page.
fn line_in(record: Record, file: &str, sketcher: &Sketcher) -> Writer {
    let Body::Json(line) = record.body else {
        return problem(NO_ARCHIVE, &format!("{file}: is not a file of JSON lines"));
    };
    let bands = match bands_of_line(&line, sketcher) {
        Ok(bands) => bands,
        Err(fault) => {
            let place = format!("{file}, line {}", record.number);
            return problem(name_of(fault.kind()), &fault.at(place).to_string());
        }
    };
    let mut answer = named("line", None);
    answer.bytes(tag::CONTENT, line.strip_suffix(b"\n").unwrap_or(&line));
    if let Some(bands) = bands {
        let packed: Vec<u8> = bands.iter().flat_map(|band| band.to_be_bytes()).collect();
        answer.bytes(tag::BANDS, &packed);
    }
    answer
}

fn written(step: Step) -> Writer {
    match step {
        Step::Hungry => named("hungry", None),
        Step::End => named("end", None),
        Step::Problem(found) => problem(name_of(found.kind()), &found.to_string()),
        Step::Record(record) => record_in(*record),
    }
}

fn record_in(record: Record) -> Writer {
    let (mut answer, url, content) = match record.body {
        Body::Html(url, content_type, content) => {
            let mut answer = named("html", None);
            if let Some(content_type) = content_type {
                answer.text(tag::CONTENT_TYPE, &content_type);
            }
            (answer, url, content)
        }
        Body::Text(url, content) => (named("text", None), url, content),
        Body::Json(_) => {
            let what = "is a file of JSON lines, which only the command reads (corpulyzer collect)";
            return problem(NO_ARCHIVE, what);
        }
        Body::Document(..) => return named("document", None),
        Body::HostFile(..) | Body::Gone(_) | Body::Other(_) => return named("other", None),
    };
    answer.text(tag::URL, &url);
    answer.bytes(tag::CONTENT, &content);
    let about = record.about;
    answer.text(tag::DATE, &about.date);
    answer.text(tag::MEDIA_TYPE, &about.media_type);
    answer.text(tag::ROBOTS_HEADER, &about.robots);
    answer.text(tag::RESERVATION_HEADERS, &about.reservations);
    answer
}

/// Returns the name of a problem in the frame; Java counts by it.
fn name_of(kind: ProblemKind) -> &'static str {
    match kind {
        ProblemKind::TooLong => "too_long",
        ProblemKind::BrokenWarc => "broken_warc",
        ProblemKind::BrokenHttp => "broken_http",
        ProblemKind::CutShort => "cut_short",
        ProblemKind::WrongLength => "wrong_length",
        ProblemKind::Unreadable => "unreadable",
        ProblemKind::BrokenCompression | ProblemKind::BrokenTable => "broken_compression",
        ProblemKind::InvalidJson => "invalid_json",
        ProblemKind::NoText
        | ProblemKind::DuplicateUrl
        | ProblemKind::Failed
        | ProblemKind::InvalidFigures => NO_ARCHIVE,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const PAGE: &str = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.example/\r\n\
                        WARC-Date: 2024-03-12T01:02:03Z\r\nContent-Type: text/html\r\n\
                        Content-Length: 8\r\n\r\n<p>x</p>\r\n\r\n";

    fn opened() -> i32 {
        opened_with(Writer::new())
    }

    fn opened_with(options: Writer) -> i32 {
        let answer = open(&options.finish()).unwrap().finish();
        let id = Frame::read(&answer).unwrap().get(tag::ARCHIVE_ID).unwrap().to_vec();
        i32::from_be_bytes(id.try_into().unwrap())
    }

    fn step(archive: i32, piece: &[u8]) -> (String, Option<Vec<u8>>) {
        let answer = next(archive, piece).unwrap().finish();
        let frame = Frame::read(&answer).unwrap();
        let name = frame.text(tag::STEP).unwrap().unwrap().to_owned();
        (name, frame.get(tag::CONTENT).map(<[u8]>::to_vec))
    }

    #[test]
    fn an_archive_in_pieces_gives_its_records_and_then_its_end() {
        let archive = opened();
        assert_eq!(step(archive, b"").0, "hungry");
        assert_eq!(step(archive, &PAGE.as_bytes()[..40]).0, "hungry");
        assert_eq!(step(archive, &PAGE.as_bytes()[40..]).0, "hungry");
        let (name, content) = step(archive, b"");
        assert_eq!((name.as_str(), content.unwrap().len()), ("html", 8));
        assert_eq!(step(archive, b"").0, "end");
        assert_eq!(step(archive, b"").0, "end");
        close(archive).unwrap();
        close(archive).unwrap();
        let closed = next(archive, b"").err().unwrap().to_string();
        assert!(closed.starts_with("archive id is"), "{closed}");
    }

    #[test]
    fn json_lines_are_no_archive() {
        let archive = opened();
        assert_eq!(step(archive, b"").0, "hungry");
        let answer = next(archive, b"{\"text\":\"x\"}\n").unwrap().finish();
        assert_eq!(Frame::read(&answer).unwrap().text(tag::PROBLEM).unwrap(), Some(NO_ARCHIVE));
        close(archive).unwrap();
    }

    #[test]
    fn damage_is_a_step_with_a_sentence() {
        let archive = opened();
        assert_eq!(step(archive, b"").0, "hungry");
        assert_eq!(step(archive, &[0x28, 0xb5, 0x2f, 0xfd, 0x20, 4, 0x21]).0, "hungry");
        let answer = next(archive, b"").unwrap().finish();
        let frame = Frame::read(&answer).unwrap();
        assert_eq!(frame.text(tag::PROBLEM).unwrap(), Some("broken_compression"));
        assert!(frame.text(tag::MESSAGE).unwrap().is_some());
        close(archive).unwrap();
    }

    fn shaped(packed: [u8; 13]) -> Writer {
        let mut options = Writer::new();
        options.bytes(tag::SHAPE, &packed);
        options.text(tag::NAME, "a.jsonl");
        options
    }

    const SHAPE: [u8; 13] = [0, 0, 0, 5, 0, 0, 0, 14, 0, 0, 0, 8, 0];

    #[test]
    fn lines_have_the_bands_of_their_pages() {
        let archive = opened_with(shaped(SHAPE));
        assert_eq!(step(archive, b"").0, "hungry");
        let text = "one two three four five six seven";
        let lines = format!(
            "{{\"text\":\"{text}\"}}\nno JSON\n{{\"text\":\"\"}}\n{{\"text\":\"-\"}}\n{{\"te"
        );
        let mut piece = lines.as_bytes();
        let mut read = Vec::new();
        loop {
            let answer = next(archive, piece).unwrap().finish();
            let frame = Frame::read(&answer).unwrap();
            let text = |tag| frame.text(tag).unwrap().unwrap_or_default().to_owned();
            match text(tag::STEP).as_str() {
                "hungry" => piece = b"",
                "end" => break,
                "line" => {
                    read.push((text(tag::CONTENT), frame.get(tag::BANDS).map(<[u8]>::to_vec)))
                }
                _ => read.push((format!("{}, {}", text(tag::PROBLEM), text(tag::MESSAGE)), None)),
            }
        }
        close(archive).unwrap();
        let bands = Sketcher::new(Shape::default()).bands(text);
        let packed: Vec<u8> = bands.iter().flat_map(|band| band.to_be_bytes()).collect();
        assert_eq!(read[0], (format!("{{\"text\":\"{text}\"}}"), Some(packed)));
        assert!(read[1].0.starts_with("invalid_json, a.jsonl, line 2: "), "{read:?}");
        assert_eq!(read[2], ("{\"text\":\"\"}".to_owned(), None));
        assert_eq!(read[3], ("{\"text\":\"-\"}".to_owned(), Some(Vec::new())));
        assert!(read[4].0.starts_with("cut_short, a.jsonl, line 5: "), "{read:?}");
        assert_eq!(read.len(), 5);
    }

    #[test]
    fn an_archive_is_no_file_of_lines() {
        let archive = opened_with(shaped(SHAPE));
        assert_eq!(step(archive, b"").0, "hungry");
        assert_eq!(step(archive, PAGE.as_bytes()).0, "hungry");
        let answer = next(archive, b"").unwrap().finish();
        assert_eq!(Frame::read(&answer).unwrap().text(tag::PROBLEM).unwrap(), Some(NO_ARCHIVE));
        close(archive).unwrap();
    }

    #[test]
    fn impossible_shapes_are_refused() {
        for bad in [&SHAPE[1..], &[0; 13], &[0, 0, 0, 5, 0, 0, 0, 17, 0, 0, 0, 8, 0]] {
            let mut options = Writer::new();
            options.bytes(tag::SHAPE, bad);
            let refusal = open(&options.finish()).err().unwrap().to_string();
            assert!(refusal.starts_with("shape is "), "{refusal}");
        }
    }

    #[test]
    fn a_line_is_marked_as_the_command_marks_it() {
        let mut fields = Writer::new();
        fields.bytes(tag::CONTENT, br#"{"text":"x","minhash_cluster_size":1}"#);
        fields.u64(tag::CLUSTER_ID, 7);
        fields.u64(tag::CLUSTER_SIZE, 3);
        let answer = mark(&fields.finish()).unwrap().finish();
        let frame = Frame::read(&answer).unwrap();
        assert_eq!(
            frame.text(tag::CONTENT).unwrap(),
            Some(r#"{"text":"x","minhash_cluster_size":3,"minhash_cluster_id":7}"#)
        );
        assert!(mark(&Writer::new().finish()).is_err());
    }
}
