//! Archives that Java reads: Java passes the bytes of a file in pieces, and gets its records.

use crate::refusal::Refusal;
use crate::slots::{Names, Slots};
use engine::frame::{tag, Frame, Writer};
use engine::Status;
use once_cell::sync::Lazy;
use records::{Body, Fed, ProblemKind, Record, Step};

/// Most open archives of a process. A task reads one.
const MAX_OPEN: usize = 64;

/// Name of the problem that a file is no archive, whose records need no more reading.
const NO_ARCHIVE: &str = "no_archive";

/// An archive, and whether it waits for a piece.
struct Archive {
    fed: Fed,
    is_hungry: bool,
}

static OPEN: Lazy<Slots<Archive>> =
    Lazy::new(|| Slots::new(Names { one: "archive", many: "archives" }, MAX_OPEN));

/// Begins an archive.
pub fn open(options: &[u8]) -> Result<Writer, Refusal> {
    let bad = Refusal::frame("archive options");
    let options = Frame::read(options).map_err(&bad)?;
    let name = options.text(tag::NAME).map_err(&bad)?.unwrap_or("archive");
    let max_bytes = options.u64(tag::MAX_BYTES).map_err(&bad)?.unwrap_or(u64::MAX);
    let fed = Fed::new(name, max_bytes).map_err(Refusal::Archive)?;
    let id = OPEN.add(Archive { fed, is_hungry: false })?;
    let mut answer = Writer::answer(Status::Ok, None);
    answer.u32(tag::ARCHIVE_ID, id as u32);
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
        Ok(written(step))
    })
}

/// Closes an archive if it is still open.
pub fn close(archive: i32) -> Result<Writer, Refusal> {
    OPEN.close(archive);
    Ok(Writer::answer(Status::Ok, None))
}

fn written(step: Step) -> Writer {
    let named = |name: &str, message: Option<&str>| {
        let mut answer = Writer::answer(Status::Ok, message);
        answer.text(tag::STEP, name);
        answer
    };
    match step {
        Step::Hungry => named("hungry", None),
        Step::End => named("end", None),
        Step::Problem(problem) => {
            let mut answer = named("problem", Some(&problem.to_string()));
            answer.text(tag::PROBLEM, name_of(problem.kind));
            answer
        }
        Step::Record(record) => record_in(*record, named),
    }
}

fn record_in(record: Record, named: impl Fn(&str, Option<&str>) -> Writer) -> Writer {
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
            let mut answer = named("problem", Some(what));
            answer.text(tag::PROBLEM, NO_ARCHIVE);
            return answer;
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
        ProblemKind::InvalidJson
        | ProblemKind::NoText
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
        let options = Writer::answer(Status::Ok, None).finish();
        let answer = open(&options).unwrap().finish();
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
}
