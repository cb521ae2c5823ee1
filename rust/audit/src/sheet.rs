//! Sheets that judges fill in.

use crate::figures::{alpha, kappa, wilson, Figures, LabelFigures};
use encoding_rs::UTF_8;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// Columns of a sheet, in their order.
const COLUMNS: [&str; 4] = [JUDGEMENT, PAGE, "url", "text"];
const MARK: &str = "\u{feff}";
const JUDGEMENT: &str = "judgement";
const PAGE: &str = "page";

/// Longest text that a judge sees of a page, in characters. Longer pages are shown as two pieces,
/// from the beginning and from the middle, because the headline may be in another language.
const SHOWN: usize = 600;

/// Longest word that is not cut, in characters.
const MAX_WORD: usize = 30;

/// A page to judge.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Drawn {
    /// The page's URL.
    pub url: String,
    /// The part of its main content that the judge sees.
    pub text: String,
}

impl Drawn {
    /// Creates a page from its URL and its main content, with blocks joined by line ends.
    pub fn new(url: &str, text: &str) -> Self {
        Self { url: in_a_cell(url), text: shown(text) }
    }

    /// Creates a page from its URL and some of its sentences. The judge sees no other text.
    pub fn of_sentences(url: &str, sentences: &[&str]) -> Self {
        let sentence = |text: &&str| {
            let text = in_a_cell(text);
            let end = text.char_indices().nth(SHOWN).map_or(text.len(), |(at, _)| at);
            format!("¶ {}", text[..end].trim())
        };
        let text = sentences.iter().map(sentence).collect::<Vec<_>>().join(" ");
        Self { url: in_a_cell(url), text }
    }
}

/// Replaces the characters that would end a cell.
fn in_a_cell(text: &str) -> String {
    text.split(render::tsv::is_control)
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Marks the beginning of every block for the judges.
fn shown(text: &str) -> String {
    let piece = |text: &str| {
        let blocks = text.lines().map(in_a_cell).filter(|block| !block.trim().is_empty());
        blocks.map(|block| format!("¶ {}", block.trim())).collect::<Vec<_>>().join(" ")
    };
    let characters = text.chars().count();
    if characters <= SHOWN {
        return piece(text);
    }
    let at = |character: usize| {
        let at = text.char_indices().nth(character).map_or(text.len(), |(at, _)| at);
        word_begin(text, at)
    };
    let half = SHOWN / 2;
    let middle = ((characters - half) / 2).max(half);
    format!("{} […] {}", piece(&text[..at(half)]), piece(&text[at(middle)..at(middle + half)]))
}

/// Returns the place where the word at `at` begins, or `at` in a longer word: scripts without
/// spaces have no words to look for.
fn word_begin(text: &str, at: usize) -> usize {
    if text[at..].starts_with(char::is_whitespace) {
        return at;
    }
    let before = text[..at].char_indices().rev().take(MAX_WORD);
    let space = before.into_iter().find(|(_, c)| c.is_whitespace());
    space.map_or(at, |(place, c)| place + c.len_utf8())
}

/// Writes a sheet: tab-separated cells, one page per line, the judgement column empty. Pages keep
/// their order. Spreadsheets run no cell as a formula, see
/// [`render::tsv::guarded`]; [`Judgements::add`] reads the text back unchanged.
///
/// # Errors
/// Fails if the sheet cannot be written.
pub fn write(mut out: impl io::Write, drawn: &[(u64, Drawn)]) -> io::Result<()> {
    // Excel does not detect UTF-8 without the byte order mark.
    writeln!(out, "{MARK}{}", COLUMNS.join("\t"))?;
    for (name, page) in drawn {
        writeln!(out, "\t{name:016x}\t{}\t{}", quoted(&page.url), quoted(&page.text))?;
    }
    out.flush()
}

/// Quotes a cell that holds a quote or a separator of other tables. A spreadsheet that splits at
/// these too would otherwise find extra cells.
fn quoted(text: &str) -> String {
    let cell = render::tsv::guarded(text);
    match cell.contains(['"', ',', ';']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.into_owned(),
    }
}

/// A judgement of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judgement {
    /// The page is in the language.
    Yes,
    /// The page is not in the language.
    No,
    /// The page is in another language.
    Other,
    /// The page is in the language and in another one.
    Mixed,
    /// The page has no running text.
    NoText,
    /// The page is spam, or made by a machine.
    Spam,
}

impl Judgement {
    /// All judgements, in the order of figures.
    const ALL: [Self; 6] =
        [Self::Yes, Self::No, Self::Other, Self::Mixed, Self::NoText, Self::Spam];

    /// The judgements that the page of [`write_page`](crate::write_page) offers, with their keys.
    pub(crate) const OFFERED: [(Self, char); 5] = [
        (Self::Yes, 'y'),
        (Self::Other, 'o'),
        (Self::Mixed, 'm'),
        (Self::NoText, 'e'),
        (Self::Spam, 's'),
    ];

    /// Returns the label in sheets.
    pub fn label(self) -> &'static str {
        match self {
            Self::Yes => "y",
            Self::No => "n",
            Self::Other => "other",
            Self::Mixed => "mixed",
            Self::NoText => "empty",
            Self::Spam => "spam",
        }
    }

    /// Parses a cell, which may hold no judgement: nothing or a question mark. `None` if it holds
    /// anything else.
    fn of(cell: &str) -> Option<Option<Self>> {
        match cell.trim().to_lowercase().as_str() {
            "" | "?" => Some(None),
            "yes" | "1" => Some(Some(Self::Yes)),
            "no" | "0" => Some(Some(Self::No)),
            label => Self::ALL.into_iter().find(|known| known.label() == label).map(Some),
        }
    }
}

/// Returns whether a cell is a page name that [`write`] made.
fn is_page(cell: &str) -> bool {
    let name = cell.trim().trim_matches('"');
    name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A page and its judgements.
#[derive(Debug, Default)]
struct Judged {
    url: String,
    /// Votes, in the order of [`Judgement::ALL`].
    votes: [u64; Judgement::ALL.len()],
    types: BTreeMap<String, u64>,
    /// Other languages, as judges wrote them.
    languages: BTreeMap<String, u64>,
}

impl Judged {
    fn votes_of(&self, judgements: &[Judgement]) -> u64 {
        judgements.iter().map(|&judgement| self.votes[judgement as usize]).sum()
    }

    /// Votes for "in the language".
    fn yes(&self) -> u64 {
        self.votes_of(&[Judgement::Yes])
    }

    /// Votes against it. A mixed page is not in the language.
    fn no(&self) -> u64 {
        self.votes.iter().sum::<u64>() - self.yes()
    }

    /// Returns whether more judges refused the page than accepted it. A mixed page has text in the
    /// language, so this vote is for neither.
    fn is_refused(&self) -> bool {
        use Judgement::{No, NoText, Other, Spam};
        self.votes_of(&[No, Other, NoText, Spam]) > self.yes()
    }

    /// Returns the language that most judges named, if more judges said "another language" than "in
    /// the language".
    fn change(&self) -> Option<&str> {
        let most = self.languages.iter().rev().max_by_key(|(_, votes)| **votes);
        let (language, _) = most?;
        (self.votes_of(&[Judgement::Other]) > self.yes()).then_some(language.as_str())
    }
}

/// A row of a sheet.
struct Row {
    url: String,
    judgement: Option<Judgement>,
    kind: String,
    language: String,
}

/// The reason why a sheet cannot be added. Rows are counted as spreadsheets do.
#[derive(Debug, thiserror::Error)]
pub enum BadSheet {
    /// The data is not a table.
    #[error(transparent)]
    Table(#[from] csv::Error),
    /// A column is missing.
    #[error("the first line has no column `{0}`")]
    NoColumn(String),
    /// A cell goes on over rows that hold pages.
    #[error("row {0}: a quote is not closed, so the rows below it are part of the cell; close or remove the quote")]
    OpenQuote(u64),
    /// A cell is not a judgement.
    #[error("row {number}: the judgement `{cell}` is unknown; allowed are y, n, other, mixed, empty, spam and ?")]
    Judgement {
        /// Number of the row, from 1.
        number: u64,
        /// The cell, shortened.
        cell: String,
    },
    /// A page has two rows.
    #[error("row {number}: the page {page} occurs twice")]
    Twice {
        /// The second row.
        number: u64,
        /// The page's name.
        page: String,
    },
    /// The sheet has no pages.
    #[error("it has no pages")]
    Empty,
}

/// The rows of a table as spreadsheets save it: with tabs, commas or semicolons, in UTF-8 or
/// UTF-16.
struct Table {
    delimiter: char,
    head: csv::StringRecord,
    rows: Vec<csv::StringRecord>,
}

impl Table {
    fn of(sheet: &[u8]) -> Result<Self, BadSheet> {
        // A byte order mark takes precedence over UTF-8.
        let (sheet, _, _) = UTF_8.decode(sheet);
        let head = sheet.lines().next().unwrap_or_default();
        let delimiters = ['\t', ';', ','].into_iter();
        let delimiter =
            delimiters.max_by_key(|delimiter| head.matches(*delimiter).count()).unwrap_or('\t');
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter as u8)
            .flexible(true)
            .from_reader(sheet.as_bytes());
        let head = reader.headers()?.clone();
        Ok(Self { delimiter, head, rows: reader.records().collect::<Result<_, _>>()? })
    }

    /// The number of a column, by its name in any case.
    fn column(&self, name: &str) -> Result<usize, BadSheet> {
        let found = self.head.iter().position(|cell| cell.trim().eq_ignore_ascii_case(name));
        found.ok_or_else(|| BadSheet::NoColumn(name.to_owned()))
    }
}

/// A text of a sheet with what people wrote in one of its columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Labelled {
    /// The label; empty if the cell is, or has a question mark.
    pub label: String,
    /// URL of the page, if the sheet has the column.
    pub url: String,
    /// The text that was judged.
    pub text: String,
}

/// Returns the texts of a table with the cells of a column, as spreadsheets save it.
///
/// # Errors
/// Fails if the data is no table, or has no such column or none that is called `text`.
pub fn labelled(sheet: &[u8], column: &str) -> Result<Vec<Labelled>, BadSheet> {
    let table = Table::of(sheet)?;
    let (label, text) = (table.column(column)?, table.column("text")?);
    let url = table.column("url").ok();
    let cell = |row: &csv::StringRecord, column: usize| {
        render::tsv::unguarded(row.get(column).unwrap_or_default().trim()).to_owned()
    };
    let labelled = |row: &csv::StringRecord| Labelled {
        label: Some(cell(row, label)).filter(|label| label != "?").unwrap_or_default(),
        url: url.map(|url| cell(row, url)).unwrap_or_default(),
        text: cell(row, text),
    };
    Ok(table.rows.iter().map(labelled).collect())
}

/// A sheet that a judge filled in: rows by the names of pages.
pub struct Sheet(BTreeMap<String, Row>);

/// The judgements of all sheets.
#[derive(Debug, Default)]
pub struct Judgements {
    judges: u64,
    pages: BTreeMap<String, Judged>,
}

impl Sheet {
    /// Reads a sheet as spreadsheets save it: with tabs, commas or semicolons, in UTF-8 or UTF-16.
    /// Columns are found by their names; additional columns are ignored.
    ///
    /// # Errors
    /// Fails if the data is not a sheet or a judgement is invalid. The message names the row,
    /// counted as spreadsheets do.
    pub fn read(sheet: &[u8]) -> Result<Self, BadSheet> {
        let table = Table::of(sheet)?;
        let column = |name| table.column(name);
        let (judgement, page, url) = (column(JUDGEMENT)?, column(PAGE)?, column("url")?);
        let (kind, language) = (column("type").ok(), column("language").ok());
        let mut said = BTreeMap::new();
        for (row, number) in table.rows.iter().zip(2..) {
            let cell = |column: usize| row.get(column).unwrap_or_default().trim();
            let below = |cell: &str| {
                cell.lines()
                    .skip(1)
                    .any(|line| line.split(table.delimiter).nth(page).is_some_and(is_page))
            };
            if row.iter().any(below) {
                return Err(BadSheet::OpenQuote(number));
            }
            if cell(page).is_empty() {
                continue;
            }
            let unknown =
                || BadSheet::Judgement { number, cell: in_a_cell(cell(judgement)).to_string() };
            let judgement = Judgement::of(cell(judgement)).ok_or_else(unknown)?;
            let optional = |column: Option<usize>| {
                column.map_or_else(String::new, |column| {
                    in_a_cell(render::tsv::unguarded(cell(column))).trim().to_lowercase()
                })
            };
            let said_here = Row {
                url: render::tsv::unguarded(cell(url)).to_owned(),
                judgement,
                kind: optional(kind),
                language: optional(language),
            };
            if said.insert(cell(page).to_owned(), said_here).is_some() {
                return Err(BadSheet::Twice { number, page: cell(page).to_owned() });
            }
        }
        if said.is_empty() {
            return Err(BadSheet::Empty);
        }
        Ok(Self(said))
    }

    /// Returns whether at least one page has a judgement; `?` is none.
    pub fn is_judged(&self) -> bool {
        self.0.values().any(|row| row.judgement.is_some())
    }

    /// Compares the sheet with one whose judgements are known to be right. Returns the number of
    /// pages that both judged, and of those on which both say that the page is in the language, or
    /// both that it is not.
    pub fn compare(&self, known: &Self) -> (u64, u64) {
        let (mut judged, mut right) = (0, 0);
        for (page, row) in &self.0 {
            let known = known.0.get(page).and_then(|known| known.judgement);
            if let Some((said, known)) = row.judgement.zip(known) {
                judged += 1;
                right += u64::from((said == Judgement::Yes) == (known == Judgement::Yes));
            }
        }
        (judged, right)
    }

    /// Removes the pages that have a judgement in another sheet.
    pub fn remove(&mut self, other: &Self) {
        let is_judged =
            |page: &String| other.0.get(page).is_some_and(|row| row.judgement.is_some());
        self.0.retain(|page, _| !is_judged(page));
    }
}

impl Judgements {
    /// Adds a judge's sheet.
    pub fn add(&mut self, Sheet(said): Sheet) {
        self.judges += 1;
        for (page, row) in said {
            let judged = self.pages.entry(page).or_default();
            judged.url = row.url;
            let Some(judgement) = row.judgement else { continue };
            judged.votes[judgement as usize] += 1;
            if !row.kind.is_empty() {
                *judged.types.entry(row.kind).or_default() += 1;
            }
            if judgement == Judgement::Other && !row.language.is_empty() {
                *judged.languages.entry(row.language).or_default() += 1;
            }
        }
    }

    /// Returns the number of sheets.
    pub fn judges(&self) -> u64 {
        self.judges
    }

    /// Returns the URLs of pages that more judges refused than accepted. The votes of mixed pages
    /// count for neither.
    pub fn refused(&self) -> impl Iterator<Item = &str> {
        self.pages.values().filter(|page| page.is_refused()).map(|page| page.url.as_str())
    }

    /// Returns the URLs of pages that more judges accepted than rejected.
    pub fn accepted(&self) -> impl Iterator<Item = &str> {
        self.pages.values().filter(|page| page.yes() > page.no()).map(|page| page.url.as_str())
    }

    /// Returns the URLs of pages in another language, with the language as most judges wrote it.
    pub fn changes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pages.values().filter_map(|page| Some((page.url.as_str(), page.change()?)))
    }

    /// Returns the figures of all sheets. The majority of judges decides on a page; ties count for
    /// neither side.
    pub fn figures(&self) -> Figures {
        let count =
            |counts: fn(&Judged) -> bool| self.pages.values().filter(|page| counts(page)).count();
        let (yes, no) =
            (count(|page| page.yes() > page.no()), count(|page| page.no() > page.yes()));
        let by_all = |page: &&Judged| self.judges >= 2 && page.yes() + page.no() == self.judges;
        let rows: Vec<Vec<u64>> =
            self.pages.values().filter(by_all).map(|page| vec![page.yes(), page.no()]).collect();
        let unanimous = rows.iter().filter(|row| row.contains(&0)).count();
        Figures {
            pages: self.pages.len(),
            yes,
            no,
            share: (yes + no > 0).then(|| yes as f64 / (yes + no) as f64),
            interval: wilson(yes, yes + no),
            judged_by_all: rows.len(),
            unanimous: (!rows.is_empty()).then(|| unanimous as f64 / rows.len() as f64),
            kappa: kappa(&rows),
        }
    }

    /// Returns Krippendorff's alpha over all labels of judgements.
    pub fn alpha(&self) -> Option<f64> {
        alpha(&self.pages.values().map(|page| page.votes.to_vec()).collect::<Vec<_>>())
    }

    /// Returns the figures of the labels that a judge used, in the order of [`Judgement`]. Empty if
    /// all judgements are yes or no.
    pub fn labels(&self) -> Vec<LabelFigures> {
        let used: Vec<usize> = (0..Judgement::ALL.len())
            .filter(|&at| self.pages.values().any(|page| page.votes[at] > 0))
            .collect();
        if used.iter().all(|&at| at <= Judgement::No as usize) {
            return Vec::new();
        }
        let labels: Vec<String> =
            used.iter().map(|&at| Judgement::ALL[at].label().to_owned()).collect();
        let row = |page: &Judged| used.iter().map(|&at| page.votes[at]).collect();
        let votes: Vec<Vec<u64>> = self.pages.values().map(row).collect();
        LabelFigures::of(&labels, &votes, self.judges)
    }

    /// Returns the figures of the types of pages, most pages first.
    pub fn types(&self) -> Vec<LabelFigures> {
        let used: BTreeSet<&String> =
            self.pages.values().flat_map(|page| page.types.keys()).collect();
        let labels: Vec<String> = used.into_iter().cloned().collect();
        let row = |page: &Judged| {
            labels.iter().map(|kind| page.types.get(kind).copied().unwrap_or(0)).collect()
        };
        let votes: Vec<Vec<u64>> = self.pages.values().map(row).collect();
        let mut figures = LabelFigures::of(&labels, &votes, self.judges);
        figures.sort_by_key(|kind| std::cmp::Reverse(kind.pages));
        figures
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(judgements: &[&str], delimiter: char) -> String {
        let mut sheet = format!("page{delimiter}Judgement {delimiter}note{delimiter}url\r\n");
        for (number, judgement) in judgements.iter().enumerate() {
            sheet += &format!("{number:016x}{delimiter}{judgement}{delimiter}\"a {delimiter} note\nof two lines\"{delimiter}http://a.pk/{number}\r\n");
        }
        sheet
    }

    /// Why a sheet is refused.
    fn refusal(sheet: &str) -> String {
        Sheet::read(sheet.as_bytes()).err().expect("refused").to_string()
    }

    #[test]
    fn a_judge_is_compared_on_the_pages_that_both_judged() {
        let read = |cells: &[&str]| Sheet::read(sheet(cells, '\t').as_bytes()).expect("a sheet");
        let known = read(&["y", "n", "other"]);
        let mut judge = read(&["y", "y", "spam", "n"]);
        assert_eq!(judge.compare(&known), (3, 2), "against is against, whatever the reason");
        assert_eq!(read(&["?", "", "y"]).compare(&known), (1, 0));
        judge.remove(&known);
        let mut judgements = Judgements::default();
        judgements.add(judge);
        assert_eq!((judgements.figures().pages, judgements.figures().no), (1, 1));
    }

    #[test]
    fn sheets_are_read_as_spreadsheets_save_them() {
        let utf16: Vec<u8> = "\u{feff}"
            .encode_utf16()
            .chain(sheet(&["n", "Y"], '\t').encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect();
        let with_mark = [b"\xef\xbb\xbf", sheet(&["0", "yes"], ';').as_bytes()].concat();
        let mut judgements = Judgements::default();
        for sheet in [utf16.as_slice(), &with_mark, sheet(&["y", "1"], ',').as_bytes()] {
            judgements.add(Sheet::read(sheet).expect("read"));
        }
        let figures = judgements.figures();
        assert_eq!((figures.pages, figures.yes, figures.no, figures.judged_by_all), (2, 1, 1, 2));
        assert_eq!(figures.unanimous, Some(0.5));
        assert_eq!(judgements.refused().collect::<Vec<_>>(), ["http://a.pk/0"]);
        assert_eq!(judgements.accepted().collect::<Vec<_>>(), ["http://a.pk/1"]);
    }

    #[test]
    fn as_many_for_as_against_and_nobody_at_all_count_for_neither() {
        let mut judgements = Judgements::default();
        for sheet in [sheet(&["y", "", "y", "n"], '\t'), sheet(&["n", "?", "", "n"], '\t')] {
            judgements.add(Sheet::read(sheet.as_bytes()).expect("read"));
        }
        let figures = judgements.figures();
        assert_eq!((figures.pages, figures.yes, figures.no), (4, 1, 1));
        assert_eq!(figures.judged_by_all, 2);
        assert_eq!(figures.share, Some(0.5));
    }

    #[test]
    fn labels_types_and_other_languages_are_counted() {
        let head = "judgement\tpage\turl\tlanguage\ttype\n";
        let ann = "y\t1\tu1\t\tnews\nother\t2\tu2\tSaraiki\tnews\nmixed\t3\tu3\t\tservices\nspam\t4\tu4\t\t\n";
        let ben = "y\t1\tu1\t\tnews\nOther\t2\tu2\t'=skr\tservices\nmixed\t3\tu3\t\t\nempty\t4\tu4\turd\t\n";
        let cec =
            "y\t1\tu1\t\tnews\nother\t2\tu2\tsaraiki\tnews\ny\t3\tu3\t\t\n?\t4\tu4\tskr\tnews\n";
        let mut judgements = Judgements::default();
        for sheet in [ann, ben, cec] {
            judgements.add(Sheet::read(format!("{head}{sheet}").as_bytes()).expect("read"));
        }
        let figures = judgements.figures();
        assert_eq!((figures.pages, figures.yes, figures.no), (4, 1, 3));
        let labels: Vec<_> =
            judgements.labels().iter().map(|label| (label.label.clone(), label.pages)).collect();
        let of = |label: &str, pages| (label.to_owned(), pages);
        // The last page has a vote for each of two labels.
        let expected = [of("y", 1), of("other", 1), of("mixed", 1), of("empty", 0), of("spam", 0)];
        assert_eq!(labels, expected);
        assert_eq!(judgements.types()[0].label, "news");
        assert_eq!(judgements.types()[0].pages, 2);
        assert_eq!(judgements.changes().collect::<Vec<_>>(), [("u2", "saraiki")]);
        assert_eq!(judgements.refused().collect::<Vec<_>>(), ["u2", "u4"], "mixed is not refused");
        assert!(judgements.alpha().is_some_and(|alpha| alpha > 0.3 && alpha < 1.0));
    }

    #[test]
    fn a_quote_that_is_left_open_does_not_swallow_the_rows_below() {
        let rows =
            ["y\t0000000000000001\thttp://a.pk/\t¶ a", "n\t0000000000000002\thttp://b.pk/\t¶ b"];
        let said = |rows: [&str; 2], end: &str| {
            let sheet = format!("judgement\tpage\turl\ttext\n{}{end}", rows.join("\n"));
            refusal(&sheet)
        };
        let open = "row 2: a quote is not closed, so the rows below it are part of the cell; close or remove the quote";
        assert_eq!(said([&format!("\"{}", rows[0]), rows[1]], ""), open);
        assert_eq!(said([&rows[0].replace('¶', "\"¶"), rows[1]], ""), open);
        assert_eq!(said([&rows[0].replace('¶', "\"¶"), rows[1]], "\""), open);
        // A cell with several lines is not a judgement.
        let note = format!("judgement\tpage\turl\ttext\n{}\t\"a\nnote\"\n{}", rows[0], rows[1]);
        let mut judgements = Judgements::default();
        judgements.add(Sheet::read(note.as_bytes()).expect("a note of two lines"));
        assert_eq!(judgements.figures().pages, 2);
    }

    #[test]
    fn what_is_no_sheet_is_refused_in_a_sentence() {
        assert_eq!(refusal(""), "the first line has no column `judgement`");
        assert_eq!(refusal("judgement\turl\ny\tx\n"), "the first line has no column `page`");
        assert_eq!(refusal(&sheet(&[], '\t')), "it has no pages");
        assert_eq!(
            refusal(&sheet(&["y", "maybe"], '\t')),
            "row 3: the judgement `maybe` is unknown; allowed are y, n, other, mixed, empty, spam and ?"
        );
        assert_eq!(
            refusal("page\tjudgement\turl\n1\ty\t\n1\tn\t\n"),
            "row 3: the page 1 occurs twice"
        );
    }

    #[test]
    fn a_sheet_is_written_for_a_spreadsheet_whatever_the_page_says() {
        let long =
            format!("=cmd()\n\n\t\u{0}second \"quoted\"\u{2028}line\n{}end", "ا".repeat(2000));
        let mut out = Vec::new();
        write(&mut out, &[(7, Drawn::new("http://a.pk/\n", &long)), (255, Drawn::new("", ""))])
            .expect("written");
        let out = String::from_utf8(out).expect("text");
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!((lines.len(), lines[0]), (3, "\u{feff}judgement\tpage\turl\ttext"), "{out}");
        assert!(
            lines[1].starts_with(
                "\t0000000000000007\thttp://a.pk/\t\"¶ =cmd() ¶ second \"\"quoted\"\" line ¶ اا"
            ),
            "{out}"
        );
        assert!(
            lines[1].contains(" […] ¶ اا")
                && !lines[1].contains("end")
                && lines[1].chars().count() < 700,
            "{out}"
        );
        assert_eq!(lines[2], "\t00000000000000ff\t\t");
        let mut judgements = Judgements::default();
        judgements.add(Sheet::read(out.as_bytes()).expect("an empty sheet is one"));
        assert_eq!((judgements.figures().pages, judgements.figures().share), (2, None));
    }

    #[test]
    fn a_spreadsheet_runs_no_url_and_the_count_reads_it_unchanged() {
        let urls = [
            "=cmd|' /C calc'!A0",
            "+1+1",
            "-2+3",
            "@SUM(A1)",
            "'=a",
            "http://a.pk/;=cmd(),=cmd()",
            "http://a.pk/-",
        ];
        let drawn: Vec<_> =
            urls.iter().zip(1u64..).map(|(url, name)| (name, Drawn::new(url, "=1"))).collect();
        let mut out = Vec::new();
        write(&mut out, &drawn).expect("written");
        let sheet = String::from_utf8(out).expect("text");
        for line in sheet.lines().skip(1) {
            let url = line.split('\t').nth(2).expect("a cell");
            assert!(url.starts_with(['\'', '"', 'h']), "{line}");
            assert!(
                !url.contains(';') || url.starts_with('"'),
                "a spreadsheet that splits at `;` too: {line}"
            );
        }
        let refused = sheet.replace("\n\t", "\nn\t");
        let mut judgements = Judgements::default();
        judgements.add(Sheet::read(refused.as_bytes()).expect("read"));
        assert_eq!(judgements.refused().collect::<Vec<_>>(), urls);
    }
}
