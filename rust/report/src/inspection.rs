//! A page for the browser: each block with its decision and the reason.
//!
//! All text of the page is escaped, no text becomes a link, and the content security policy forbids
//! scripts and the network. The view has no script either: style sheets show the reasons on hover
//! and on focus.

use crate::html::escape;
use engine::{BlockReport, Inspection, Settings};
use langbytes::{LangBytes, LangCode};
use render::plot::direction;
use std::fmt::Write;

/// Dropped blocks in a row from which on they are folded, so that the kept text is together.
const MIN_FOLDED: usize = 3;

/// The style sheet.
const STYLE: &str = include_str!("inspection.css");

/// The decision on a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Kept,
    Dropped,
    /// Kept or dropped, but another extractor decides differently.
    Doubtful,
}

impl Fate {
    const ALL: [Fate; 3] = [Fate::Kept, Fate::Dropped, Fate::Doubtful];

    fn of(block: &BlockReport) -> Self {
        match (block.doubts.is_empty(), block.kept) {
            (false, _) => Fate::Doubtful,
            (true, true) => Fate::Kept,
            (true, false) => Fate::Dropped,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Fate::Kept => "kept",
            Fate::Dropped => "dropped",
            Fate::Doubtful => "doubtful",
        }
    }

    fn sign(self) -> char {
        match self {
            Fate::Kept => '\u{2713}',
            Fate::Dropped => '\u{2717}',
            Fate::Doubtful => '?',
        }
    }
}

/// The view as a complete HTML page.
pub fn page(inspection: &Inspection, settings: &Settings, url: Option<&str>) -> String {
    let record = &inspection.record;
    let mut out = String::new();
    let title =
        [record.title.as_str(), url.unwrap_or_default()].into_iter().find(|text| !text.is_empty());
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{} \u{2013} corpulyzer inspect</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
        escape(title.unwrap_or("Page"))
    );
    header(&mut out, inspection, settings, url);
    out.push_str("<main>\n<h2>Text blocks</h2>\n");
    legend(&mut out, inspection);
    let mut number = 1;
    for run in inspection.blocks.chunk_by(|a, b| [a, b].map(Fate::of) == [Fate::Dropped; 2]) {
        let is_folded = run.len() >= MIN_FOLDED;
        if is_folded {
            let bytes: usize = run.iter().map(|block| block.text.len()).sum();
            let _ = writeln!(
                out,
                "<li class=\"dropped run\"><details><summary>{} dropped blocks, {bytes} bytes</summary><ol>",
                run.len()
            );
        }
        for block in run {
            item(&mut out, number, block);
            number += 1;
        }
        if is_folded {
            out.push_str("</ol></details></li>\n");
        }
    }
    out.push_str("</ol>\n");
    if inspection.blocks.is_empty() {
        out.push_str("<p>The page has no text.</p>\n");
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

/// Writes a switch for each fate of blocks, with its number of blocks, and begins their list.
fn legend(out: &mut String, inspection: &Inspection) {
    for fate in Fate::ALL {
        let of_fate = || inspection.blocks.iter().filter(|block| Fate::of(block) == fate);
        let count = of_fate().count();
        let (name, sign) = (fate.name(), fate.sign());
        let kept = match fate {
            Fate::Doubtful => {
                format!(", {} of them kept", of_fate().filter(|block| block.kept).count())
            }
            _ => String::new(),
        };
        let _ = writeln!(
            out,
            "<input type=\"checkbox\" id=\"show-{name}\" checked><label class=\"{name}\" for=\"show-{name}\">\
             <span aria-hidden=\"true\">{sign}</span> {count} {name}{kept}</label>"
        );
    }
    out.push_str(
        "<p class=\"note\">Doubtful: another extractor decides otherwise. Point at a block or move to it with the \
         Tab key to see the reason.</p>\n<ol>\n",
    );
}

/// The figures of the whole page.
fn header(out: &mut String, inspection: &Inspection, settings: &Settings, url: Option<&str>) {
    let record = &inspection.record;
    let title = if record.title.is_empty() { "(no title)" } else { &record.title };
    let verdict = if record.decision.keep { "keep" } else { "reject" };
    let _ = write!(
        out,
        "<header>\n<h1 dir=\"{}\">{}</h1>\n<p class=\"decision {verdict}\"><strong>{verdict}</strong> {}</p>\n\
         <details><summary>Figures of the page</summary>\n<dl>\n",
        direction(title),
        escape(title),
        escape(&record.decision.reason)
    );
    let mut row = |name: &str, value: &str| {
        if !value.is_empty() {
            let _ =
                writeln!(out, "<div><dt>{name}</dt><dd dir=\"auto\">{}</dd></div>", escape(value));
        }
    };
    row("URL", url.unwrap_or_default());
    row("stage", record.stage.map_or("none", |stage| stage.as_str()));
    row("extractor", &[settings.extractor.version(), settings.comments.version()].concat());
    row("target bytes", &format!("{} of {}", record.target_bytes, named(settings.target())));
    row("main text", &format!("{} bytes: {}", record.main_bytes, languages(&record.languages)));
    let kept = inspection.blocks.iter().filter(|block| block.kept).count();
    row("blocks", &format!("{kept} of {} kept", inspection.blocks.len()));
    row("visible text", &format!("{} of {} bytes", record.visible_bytes, record.raw_bytes));
    let set = record
        .language_set
        .percents()
        .into_iter()
        .map(|(language, percent)| format!("{language} {percent} %"));
    row("language set", &set.collect::<Vec<_>>().join(", "));
    row("declared", record.declared_language.as_deref().unwrap_or_default());
    row("charset", record.charset.unwrap_or_default());
    row("excerpts", &record.excerpts.map_or_else(String::new, |found| found.to_string()));
    row("junk", &record.junk.as_ref().map_or_else(String::new, |junk| junk.to_string()));
    row(
        "status",
        &[record.status.as_str(), record.message.as_deref().unwrap_or_default()].join(" "),
    );
    row("version", &record.version);
    out.push_str("</dl>\n</details>\n</header>\n");
}

/// A block: its decision, languages and text, and the reason, which is always in the page and shown
/// on hover and focus.
fn item(out: &mut String, number: usize, block: &BlockReport) {
    let fate = Fate::of(block);
    let (name, sign) = (fate.name(), fate.sign());
    let state = match (fate, block.kept) {
        (Fate::Doubtful, true) => ", kept",
        (Fate::Doubtful, false) => ", dropped",
        _ => "",
    };
    let bytes = if block.kept {
        languages(&block.languages)
    } else {
        format!("{} bytes", block.text.len())
    };
    let mut reason = block.reason.to_owned();
    for doubt in &block.doubts {
        let verb = if block.kept { "drops" } else { "keeps" };
        let _ = write!(reason, "; {} {verb} it: {}", doubt.extractor, doubt.reason);
    }
    let _ = write!(
        out,
        "<li class=\"{name}\" id=\"b{number}\" tabindex=\"0\" aria-labelledby=\"f{number} t{number}\" aria-describedby=\"w{number}\">\
         <p class=\"fate\" id=\"f{number}\"><b><span aria-hidden=\"true\">{sign}</span> {name}{state}</b></p>\
         <p class=\"why\" id=\"w{number}\">{}</p><p class=\"bytes\">{}</p>\
         <p class=\"text\" id=\"t{number}\" dir=\"{}\">",
        escape(&reason),
        escape(&bytes),
        direction(&block.text)
    );
    text(out, block);
    out.push_str("</p></li>\n");
}

/// The text of a block. If it is in several languages, each piece has its language and bytes.
fn text(out: &mut String, block: &BlockReport) {
    let several = block.pieces.iter().any(|(language, _)| *language != block.pieces[0].0);
    if !several {
        return out.push_str(&escape(&block.text));
    }
    let mut rest = block.text.as_str();
    for &(language, bytes) in &block.pieces {
        let (piece, after) = rest.split_at_checked(bytes).unwrap_or((rest, ""));
        rest = after;
        let _ = write!(
            out,
            "<span class=\"piece\" dir=\"{}\" title=\"{}, {bytes} bytes\">{}<small dir=\"ltr\">{language} {bytes}</small></span>",
            direction(piece),
            escape(language.name()),
            escape(piece)
        );
    }
    out.push_str(&escape(rest));
}

/// Bytes per language, such as `urd 3140, eng 133 bytes`.
fn languages(languages: &LangBytes) -> String {
    let each =
        languages.most_first().into_iter().map(|(language, bytes)| format!("{language} {bytes}"));
    match each.collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => "no language".to_owned(),
        some => format!("{some} bytes"),
    }
}

fn named(language: LangCode) -> String {
    format!("{language} ({})", language.name())
}
