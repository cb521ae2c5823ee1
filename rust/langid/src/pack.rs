//! A pack: the tables of several languages in one file, read where it lies.
//!
//! A pack has a section for each script, and a section a [`Table`] of the words and character n-grams of the languages that
//! are written in it. All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 0..8 | `CRPLLANG` |
//! | 8..12 | version of the format, [`FORMAT`] |
//! | 12..16 | number of sections |
//! | 16..24 | length of the file |
//! | 24..28 | CRC-32 of everything from byte 64 on |
//! | 28..64 | zero |
//! | 64.. | a record of 64 bytes a section: script (ISO 15924, four letters), number of languages (u32), then offset and length (u64 each) of the language records, the buckets, the lists |
//!
//! A language record has 16 bytes: ISO 639-3 code, cost of a word that is not in the table (u8), usual cost of a letter (u16),
//! two zeros, words of the training text (u32), four zeros.

use crate::lm::MAX_CANDIDATES;
use crate::table::{self, Posting, Table};
use crate::words::Script;
use crate::LangCode;
use memmap2::Mmap;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Version of the format; a pack of another version is refused.
pub const FORMAT: u32 = 1;

const MAGIC: &[u8; 8] = b"CRPLLANG";
const HEADER: usize = 64;
const SECTION: usize = 64;
const LANGUAGE: usize = 16;

/// Longest file that is opened: all of it is read for its checksum. The largest packs have some hundred megabytes.
const MAX_BYTES: u64 = 4 << 30;

/// Languages of a section: postings number them in a byte.
pub const MAX_LANGUAGES: usize = 255;

/// A language in a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Language {
    /// Its code.
    pub code: LangCode,
    /// What a word costs that is not in its table, beside the cost of its letters: in sixths of a bit.
    pub unknown_word: u8,
    /// What a letter costs on average in text that the tables were not trained from, in hundredths of a bit.
    pub usual: u16,
    /// Words that the tables were trained from.
    pub words: u32,
}

/// The languages of one script, and their table.
#[derive(Debug)]
pub(crate) struct Section {
    pub script: Script,
    pub languages: Vec<Language>,
    buckets: Range<usize>,
    lists: Range<usize>,
}

/// A [`Section`] that has its own table.
pub(crate) struct Part {
    pub script: Script,
    pub languages: Vec<Language>,
    pub buckets: Vec<u8>,
    pub lists: Vec<u8>,
}

/// The bytes of a pack.
enum Bytes {
    /// Part of the program.
    Static(&'static [u8]),
    /// A file, mapped: shared by all processes that read it, and paged in as it is used.
    Mapped(Mmap),
    /// Made by this program.
    Owned(Vec<u8>),
}

/// Tables of several languages.
pub struct Pack {
    bytes: Bytes,
    pub(crate) sections: Vec<Section>,
    checksum: u32,
}

impl Pack {
    /// Maps a file.
    ///
    /// The file must not be changed while it is open: put a new one beside it and rename it. One that is cut short while it
    /// is mapped ends the process with SIGBUS, as it does for every mapped library.
    ///
    /// # Errors
    /// One sentence that names the file and what is wrong with it.
    #[allow(unsafe_code)]
    pub fn open(path: &Path) -> Result<Self, BadPack> {
        let bad = |reason: String| BadPack(format!("language pack {}: {reason}", path.display()));
        // Before it is opened: a pipe would wait for its writer, and a device may have no end.
        let metadata = fs::metadata(path).map_err(|error| bad(error.to_string()))?;
        if !metadata.is_file() {
            return Err(bad("is no regular file".to_owned()));
        }
        if metadata.len() > MAX_BYTES {
            return Err(bad(format!("has {} bytes, allowed are {MAX_BYTES}", metadata.len())));
        }
        let file = File::open(path).map_err(|error| bad(error.to_string()))?;
        // SAFETY: the mapping is read-only; that nobody cuts the file is asked of the caller above. Nothing is trusted in the
        // bytes themselves, so that a change of them changes answers, not memory.
        let map = unsafe { Mmap::map(&file) }.map_err(|error| bad(error.to_string()))?;
        Self::read(Bytes::Mapped(map)).map_err(bad)
    }

    /// The packs that are part of the library, see `models/README.md` for their languages and sources. The languages that are
    /// written in Arabic script have one of their own with more entries a language: they are the closest to one another.
    pub fn shipped() -> [Self; 2] {
        /// Lays a pack at the start of a cache line.
        #[repr(align(64))]
        struct Aligned<B: ?Sized>(B);
        static ARABIC: &Aligned<[u8]> = &Aligned(*include_bytes!("../models/arabic.pack"));
        static WORLD: &Aligned<[u8]> = &Aligned(*include_bytes!("../models/world.pack"));
        [ARABIC, WORLD].map(|pack| {
            // Tests read them. Were the program's own image damaged, no languages would be the least of its troubles.
            let nothing = |_| Self { bytes: Bytes::Static(&[]), sections: Vec::new(), checksum: 0 };
            Self::read(Bytes::Static(&pack.0)).unwrap_or_else(nothing)
        })
    }

    /// Reads a pack from memory.
    ///
    /// # Errors
    /// One sentence on what is wrong with it.
    pub fn of_bytes(bytes: Vec<u8>) -> Result<Self, BadPack> {
        Self::read(Bytes::Owned(bytes)).map_err(|reason| BadPack(format!("language pack: {reason}")))
    }

    /// Checks everything that later reading relies on.
    fn read(bytes: Bytes) -> Result<Self, String> {
        let data = bytes.as_slice();
        let header = data.first_chunk::<HEADER>().filter(|header| header.starts_with(MAGIC));
        let header = header.ok_or("is no language pack (made by `corpulyzer train`)")?;
        let number = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        if number(8) != FORMAT {
            return Err(format!("has format {}, allowed is {FORMAT}: train it again", number(8)));
        }
        if u64_at(header, 16) != Some(data.len() as u64) {
            return Err(format!("has {} bytes, its header says {}", data.len(), u64_at(header, 16).unwrap_or(0)));
        }
        let checksum = number(24);
        if crc32fast::hash(&data[HEADER..]) != checksum {
            return Err("is damaged: its checksum is wrong".to_owned());
        }
        let count = number(12) as usize;
        let mut sections: Vec<Section> = Vec::new();
        for index in 0..count {
            let section = section(data, index).ok_or_else(|| format!("is damaged: section {index} is no section"))?;
            // Every section costs time with every word of its script.
            if sections.iter().any(|other| other.script == section.script) {
                return Err(format!("is damaged: script {} has two sections", section.script.tag()));
            }
            sections.push(section);
        }
        Ok(Self { bytes, sections, checksum })
    }

    /// The languages of the pack with the scripts that it knows them in, ISO 15924.
    pub fn languages(&self) -> impl Iterator<Item = (&Language, &'static str)> {
        let of = |section: &'_ Section| section.script.tag();
        self.sections.iter().flat_map(move |section| section.languages.iter().map(move |l| (l, of(section))))
    }

    /// CRC-32 of the tables: equal tables have equal checksums.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// Size of the pack in bytes.
    pub fn size(&self) -> usize {
        self.bytes.as_slice().len()
    }

    /// A pack of these sections.
    pub(crate) fn of_parts(parts: Vec<Part>) -> Self {
        let mut data = Vec::new();
        let mut add = |part: Vec<u8>| {
            let start = data.len();
            data.extend(part);
            start..data.len()
        };
        let section = |part: Part| Section {
            script: part.script,
            languages: part.languages,
            buckets: add(part.buckets),
            lists: add(part.lists),
        };
        let sections = parts.into_iter().map(section).collect();
        Self { checksum: crc32fast::hash(&data), bytes: Bytes::Owned(data), sections }
    }

    pub(crate) fn table(&self, section: &Section) -> Option<Table<'_>> {
        let data = self.bytes.as_slice();
        let (buckets, lists) = (data.get(section.buckets.clone())?, data.get(section.lists.clone())?);
        Table::new(buckets, lists, section.languages.len())
    }
}

impl fmt::Debug for Pack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pack({:08x}, {} bytes)", self.checksum, self.size())
    }
}

impl Bytes {
    fn as_slice(&self) -> &[u8] {
        match self {
            Self::Static(bytes) => bytes,
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}

fn u64_at(data: &[u8], at: usize) -> Option<u64> {
    data.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

/// The section of that index, None if it or a part of it is not in the file, or it has no languages.
fn section(data: &[u8], index: usize) -> Option<Section> {
    let record = data.get(HEADER + index * SECTION..)?.get(..SECTION)?;
    let range = |at: usize| {
        let start = usize::try_from(u64_at(record, at)?).ok()?;
        let end = start.checked_add(usize::try_from(u64_at(record, at + 8)?).ok()?)?;
        data.get(start..end).map(|_| start..end)
    };
    let script = Script::of_tag(std::str::from_utf8(&record[..4]).ok()?)?;
    let count = u32::from_le_bytes([record[4], record[5], record[6], record[7]]) as usize;
    let records = data.get(range(8)?).filter(|records| records.len() == count * LANGUAGE)?;
    if !(1..=MAX_LANGUAGES).contains(&count) {
        return None;
    }
    let languages: Vec<_> = records.chunks_exact(LANGUAGE).map(language).collect::<Option<_>>()?;
    let section = Section { script, languages, buckets: range(24)?, lists: range(40)? };
    let whole = !section.buckets.is_empty() && section.buckets.len().is_multiple_of(table::BUCKET);
    whole.then_some(section)
}

fn language(record: &[u8]) -> Option<Language> {
    Some(Language {
        code: std::str::from_utf8(&record[..3]).ok()?.parse().ok().filter(|&code| code != LangCode::UND)?,
        unknown_word: record[3],
        usual: u16::from_le_bytes([record[4], record[5]]),
        words: u32::from_le_bytes([record[8], record[9], record[10], record[11]]),
    })
}

/// The tables of one script before they are written.
pub(crate) struct Draft {
    pub script: Script,
    pub languages: Vec<Language>,
    pub tokens: Vec<(u64, Vec<Posting>)>,
}

/// The bytes of a pack. The same drafts give the same bytes.
///
/// # Errors
/// One sentence when a section is larger than the format allows.
pub(crate) fn write(drafts: Vec<Draft>) -> Result<Vec<u8>, BadPack> {
    let mut data = vec![0; HEADER + drafts.len() * SECTION];
    for (index, draft) in drafts.iter().enumerate() {
        let tag = draft.script.tag();
        if draft.languages.len() > MAX_LANGUAGES {
            let found = draft.languages.len();
            return Err(BadPack(format!(
                "script {tag} has {found} languages, a pack holds {MAX_LANGUAGES}; make two packs"
            )));
        }
        let (buckets, lists) = table::build(draft.tokens.clone(), draft.languages.len())
            .map_err(|_| BadPack(format!("script {tag} has more tokens than a pack holds; make two packs")))?;
        let mut languages = Vec::new();
        for language in &draft.languages {
            languages.extend(language.code.as_str().as_bytes());
            languages.push(language.unknown_word);
            languages.extend(language.usual.to_le_bytes());
            languages.extend([0; 2]);
            languages.extend(language.words.to_le_bytes());
            languages.extend([0; 4]);
        }
        let mut record = tag.as_bytes().to_vec();
        record.extend((draft.languages.len() as u32).to_le_bytes());
        for part in [languages, buckets, lists] {
            // Buckets are cache lines, and stay so in a file that is mapped at a page.
            data.resize(data.len().next_multiple_of(table::BUCKET), 0);
            record.extend((data.len() as u64).to_le_bytes());
            record.extend((part.len() as u64).to_le_bytes());
            data.extend(part);
        }
        let at = HEADER + index * SECTION;
        data[at..at + record.len()].copy_from_slice(&record);
    }
    let length = (data.len() as u64).to_le_bytes();
    let checksum = crc32fast::hash(&data[HEADER..]).to_le_bytes();
    data[..8].copy_from_slice(MAGIC);
    data[8..12].copy_from_slice(&FORMAT.to_le_bytes());
    data[12..16].copy_from_slice(&(drafts.len() as u32).to_le_bytes());
    data[16..24].copy_from_slice(&length);
    data[24..28].copy_from_slice(&checksum);
    Ok(data)
}

/// A pack that cannot be read or made, as one sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadPack(pub(crate) String);

impl fmt::Display for BadPack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadPack {}

/// Opens several packs, to be used beside the library's own.
///
/// # Errors
/// The first pack that cannot be opened, or a script in which there would be more languages than are compared.
pub fn open_all(paths: &[PathBuf]) -> Result<Vec<Pack>, BadPack> {
    let packs = paths.iter().map(|path| Pack::open(path)).collect::<Result<Vec<_>, _>>()?;
    if packs.is_empty() {
        return Ok(packs);
    }
    let mut counts: BTreeMap<Script, usize> = BTreeMap::new();
    for section in Pack::shipped().iter().chain(&packs).flat_map(|pack| &pack.sections) {
        *counts.entry(section.script).or_default() += section.languages.len();
    }
    match counts.into_iter().find(|&(_, count)| count > MAX_CANDIDATES) {
        Some((script, count)) => Err(BadPack(format!(
            "language packs and the library have {count} languages in script {}, allowed are {MAX_CANDIDATES}; leave a pack out",
            script.tag()
        ))),
        None => Ok(packs),
    }
}
