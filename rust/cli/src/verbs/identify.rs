//! Identifies the language of every line of a text.

use crate::arguments::{AsJson, VarietyOptions};
use crate::context::{check_returned, unopened, Context};
use crate::io::console::{about, print};
use crate::io::input;
use anyhow::{anyhow, bail, Result};
use clap::Args;
use inputs::identifiers::Sources;
use inputs::training::Characters;
use inputs::Unusable;
use langbytes::{language_of_line, Span};
use langid::{probability_of, IdentifierName, Identify, LangCode, Varieties, Variety};
use rayon::prelude::*;
use render::counted;
use render::results::{bare, Cell, Column};
use serde_json::Value;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;

/// Print the language of each line of a text: an ISO 639-3 code, or und if the identifier is not
/// sure
#[derive(Args)]
pub struct Arguments {
    /// The text (UTF-8); - is standard input
    #[arg(default_value = "-")]
    file: PathBuf,
    /// Identifier: combined, models, cld2 or stop-words; heli, w2c, w2c-short and trigrams need
    /// --train
    #[arg(long, default_value = "combined", value_name = "X")]
    identifier: IdentifierName,
    /// Folder of training texts with a file for each language, for example urd.txt
    #[arg(long, value_name = "DIR")]
    train: Option<PathBuf>,
    /// Choose between these languages only: ISO 639 codes or names separated by commas
    #[arg(long, value_name = "CODES", value_parser = crate::arguments::language)]
    #[arg(value_delimiter = ',')]
    allowed: Option<Vec<LangCode>>,
    /// Print also the probability that the language is right, from 0 to 1; combined only, and
    /// empty if unknown
    #[arg(long, conflicts_with = "allowed")]
    probability: bool,
    /// Print instead the parts of the whole text in each language: first byte, byte after the
    /// last one, code, and probability
    #[arg(long, conflicts_with_all = ["allowed", "probability", "varieties", "variety_model"])]
    spans: bool,
    #[command(flatten)]
    varieties: VarietyOptions,
    #[command(flatten)]
    json: AsJson,
}

/// The columns, of which the options leave some out.
const COLUMNS: [Column; 4] = bare(["language", "probability", "variety", "variety_probability"]);

/// Number of bytes of one read. The lines of a read are identified before the next read, so that a
/// program that writes a line and waits for its code gets it.
const READ_BYTES: usize = 1 << 20;

/// Number of lines of standard input after which damaged input is refused. A program that writes one
/// line at a time may begin with a damaged one.
const LOOK_LINES: u64 = 10;

/// Writes an ISO 639-3 code for each line, or `und` if the identifier is not certain. With
/// `--probability`, the probability follows; it is empty if the identifier has none. With
/// `--varieties`, the name of the variety and its probability follow, both empty for languages
/// without a model of varieties. The order is kept; several lines are identified at a time. With
/// `--spans`, the input is one text. Lines that are not UTF-8 are identified without these bytes, and
/// counted in a warning.
///
/// # Errors
/// Fails if the input cannot be read or is not text in UTF-8, a line is longer than `--max-bytes`,
/// or the output cannot be written. A reader that closes the output early is not an error.
pub fn run(arguments: &Arguments, context: &Context) -> Result<bool> {
    let identifier = Sources { train: arguments.train.as_deref(), ..context.sources() }
        .open_alone(arguments.identifier)
        .map_err(unopened)?;
    let (identifier, allowed) = (identifier.as_ref(), arguments.allowed.as_deref());
    check_returned(identifier, allowed.unwrap_or_default(), "--allowed")?;
    if arguments.spans {
        return spans(arguments, identifier, context.max_bytes);
    }
    let varieties = arguments.varieties.open()?;
    let (name, max_line) = (input::name(&arguments.file), context.max_bytes);
    let mut input = BufReader::with_capacity(READ_BYTES, input::open(&arguments.file)?);
    let columns = columns(arguments.probability, varieties.is_some());
    let answer_to = |line: &&[u8]| {
        let language = language_of_line(line, identifier, allowed);
        let mut row: Vec<Cell> = vec![language.as_str().into()];
        if arguments.probability {
            row.push(Cell::maybe(probability_of(line, identifier, language), 3, ""));
        }
        if let Some(models) = &varieties {
            row.extend(of_variety(language, line, models));
        }
        arguments.json.line(&columns, row) + "\n"
    };
    let mut output = io::stdout().lock();
    let mut buffer = Vec::new();
    let mut lines = 0u64;
    let mut damage = Damage { may_refuse: arguments.file.as_os_str() != "-", ..Damage::default() };
    loop {
        let unread = buffer.len();
        let read = fill(&mut input, &mut buffer).map_err(about(&name))?;
        let end = match buffer[unread..].iter().rposition(|&byte| byte == b'\n') {
            _ if read == 0 => buffer.len(),
            Some(last) => unread + last + 1,
            None => 0,
        };
        let whole: Vec<&[u8]> = buffer[..end].split_inclusive(|&byte| byte == b'\n').collect();
        let fitting =
            whole.iter().position(|line| line.len() as u64 > max_line).unwrap_or(whole.len());
        damage.add(&whole[..fitting], read == 0).map_err(|reason| anyhow!("{name}: {reason}"))?;
        let answers: Vec<String> = whole[..fitting].par_iter().map(answer_to).collect();
        lines += fitting as u64;
        let text = answers.concat();
        match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(true),
            Err(error) => bail!("standard output: {error}"),
            Ok(()) => {}
        }
        if fitting < whole.len() || (buffer.len() - end) as u64 > max_line {
            bail!("{name}: line {} is longer than {max_line} bytes (--max-bytes)", lines + 1);
        }
        if read == 0 {
            damage.warn(&name);
            return Ok(true);
        }
        buffer.drain(..end);
    }
}

/// Appends one read. Returns the number of bytes, 0 at the end.
fn fill(input: &mut impl BufRead, buffer: &mut Vec<u8>) -> io::Result<usize> {
    let read = loop {
        match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            piece => {
                let piece = piece?;
                buffer.extend_from_slice(piece);
                break piece.len();
            }
        }
    };
    input.consume(read);
    Ok(read)
}

/// The columns that are asked for.
fn columns(probability: bool, varieties: bool) -> Vec<Column> {
    let is_asked = [true, probability, varieties, varieties];
    let columns = COLUMNS.into_iter().zip(is_asked).filter(|(_, is_asked)| *is_asked);
    columns.map(|(column, _)| column).collect()
}

/// What of the lines so far is not text in UTF-8.
#[derive(Default)]
struct Damage {
    characters: Characters,
    lines: u64,
    /// Lines that are not UTF-8, and the first of them.
    damaged: u64,
    first: u64,
    /// Whether the input can be refused now. Standard input is refused from [`LOOK_LINES`] on.
    may_refuse: bool,
}

impl Damage {
    /// Adds lines. Returns an error if more than one character in ten so far is not text.
    fn add(&mut self, lines: &[&[u8]], is_end: bool) -> Result<(), Unusable> {
        for line in lines {
            self.lines += 1;
            if !self.characters.add(line) {
                self.damaged += 1;
                self.first = if self.damaged == 1 { self.lines } else { self.first };
            }
        }
        self.may_refuse |= is_end || self.lines >= LOOK_LINES;
        self.characters.refused().filter(|_| self.may_refuse).map_or(Ok(()), Err)
    }

    fn warn(&self, name: &str) {
        if self.damaged > 0 {
            let lines = counted(self.damaged, "line");
            let (verb, first) = (if self.damaged == 1 { "is" } else { "are" }, self.first);
            eprintln!(
                "corpulyzer: {name}: {lines} {verb} not UTF-8, first line {first}; the language of \
                 the other bytes was printed"
            );
        }
    }
}

/// Prints the spans of a text. Bytes that are not UTF-8 would be replaced, and later offsets wrong.
fn spans(arguments: &Arguments, identifier: &dyn Identify, max_bytes: u64) -> Result<bool> {
    let content = input::read(&arguments.file, max_bytes)?;
    let text = std::str::from_utf8(&content).map_err(|error| {
        let at = error.valid_up_to();
        let name = input::name(&arguments.file);
        anyhow!("{name}: byte {at} is not UTF-8; --spans has offsets of UTF-8 text alone")
    })?;
    let columns = bare(["start", "end", "language", "probability"]);
    let line = |Span { start, end, language, probability }| {
        let probability = Cell::maybe(probability, 3, "");
        let cells = [start.into(), end.into(), language.as_str().into(), probability];
        arguments.json.line(&columns, cells) + "\n"
    };
    let lines = langbytes::spans(text, identifier).into_iter().map(line);
    print(lines.collect::<String>().as_bytes())
}

/// Further columns of a line: its variety and the probability of the variety.
fn of_variety(language: LangCode, line: &[u8], models: &[Varieties]) -> [Cell; 2] {
    match models.iter().find(|model| model.language() == language) {
        None => [Cell::new("", Value::Null), Cell::new("", Value::Null)],
        Some(model) => {
            let Variety { name, score } = model.identify(&String::from_utf8_lossy(line));
            [name.into(), Cell::number(score.into(), 3)]
        }
    }
}
