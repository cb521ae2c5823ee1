//! A pack: the tables of several languages in one file, which is read in place.
//!
//! A pack has a section per script. A section has a [`Table`] of the words and character n-grams of
//! the languages in that script. All numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 0..8 | `CRPLLANG` |
//! | 8..12 | version of the format, [`FORMAT`] |
//! | 12..16 | number of sections |
//! | 16..24 | length of the file |
//! | 24..28 | CRC-32 of everything from byte 64 on |
//! | 28..64 | zero |
//! | 64.. | a record of 64 bytes per section |
//!
//! A section record has the script (ISO 15924, four letters) and the number of languages (u32),
//! then offset and length (u64 each) of the language records, the buckets and the lists.
//!
//! A language record has 16 bytes: ISO 639-3 code, cost of a word that is not in the table (u8),
//! usual cost of a letter (u16), two zeros, words of the training text (u32), flags (u8; bit 0: the
//! model replaces those of earlier packs, bit 1: the language is far), three zeros. Only a pack
//! whose languages are all far has several sections of one script.

use crate::failure::{BadPack, Invalid};
use crate::lm::{MAX_CANDIDATES, MAX_FAR};
use crate::table::{self, Posting, Table};
use crate::words::Script;
use crate::LangCode;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::Read as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Version of the format; packs with another version are rejected.
pub const FORMAT: u32 = 1;

const MAGIC: &[u8; 8] = b"CRPLLANG";

/// Name of such a file in messages.
const KIND: &str = "language pack";
const HEADER: usize = 64;
const SECTION: usize = 64;
const LANGUAGE: usize = 16;
/// Flags of a language record.
const REPLACES: u8 = 1;
const FAR: u8 = 2;

/// Largest file that is opened, in bytes: all of it is kept in memory. The largest packs have a few
/// hundred megabytes.
const MAX_BYTES: u64 = 1 << 30;

/// Most languages of a section: postings have a byte for the language.
pub const MAX_LANGUAGES: usize = 255;

/// Most sections of one script in a pack of far languages.
const MAX_FAR_SECTIONS: usize = MAX_FAR / MAX_LANGUAGES;

/// A language in a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Language {
    /// The code under which the identifier returns it.
    pub code: LangCode,
    /// Additional cost of a word that is not in its table, on top of its letters, in sixths of a
    /// bit.
    pub unknown_word: u8,
    /// Mean cost of a letter in text that is not in the training text, in hundredths of a bit.
    pub usual: u16,
    /// Number of words in the training text.
    pub words: u32,
    /// Whether the models of earlier packs for the language and script are removed. Otherwise they
    /// are mixed with this one.
    pub replaces: bool,
    /// Whether the language is far: it is compared only with text that no other language predicts
    /// well, and must predict it better by a margin (`far.rs`).
    pub far: bool,
}

/// The languages of one script, and their table.
#[derive(Debug)]
pub(crate) struct Section {
    pub script: Script,
    pub languages: Vec<Language>,
    buckets: Range<usize>,
    lists: Range<usize>,
}

/// A [`Section`] with its own table.
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
    /// Of a file, after some bytes that align it to a cache line.
    Aligned(Vec<u8>, usize),
    /// Created by this program.
    Owned(Vec<u8>),
}

/// Tables of several languages.
pub struct Pack {
    bytes: Bytes,
    pub(crate) sections: Vec<Section>,
    checksum: u32,
    /// Whether the results of the library's packs take precedence over its languages, see `lm.rs`.
    pub(crate) is_guarded: bool,
}

impl Pack {
    /// Reads a file.
    ///
    /// It is not mapped: processes would share its memory, but if somebody truncated the file
    /// during a crawl, the process, with the JVM around it, would end with SIGBUS.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is not a valid pack. The message is one sentence with
    /// the file's name.
    pub fn open(path: &Path) -> Result<Self, BadPack> {
        let bad = |reason| BadPack::invalid(KIND, Some(path), reason);
        // Checked before opening: a pipe would block until its writer opens it, and a device may
        // have no end.
        let metadata = fs::metadata(path).map_err(|error| bad(Invalid::Io(error)))?;
        if !metadata.is_file() {
            return Err(bad(Invalid::NotRegular));
        }
        if metadata.len() > MAX_BYTES {
            return Err(bad(Invalid::TooLong(metadata.len(), MAX_BYTES)));
        }
        let length = metadata.len() as usize;
        let mut bytes = vec![0; length + table::BUCKET];
        let start = bytes.as_ptr().align_offset(table::BUCKET).min(table::BUCKET);
        bytes.truncate(start + length);
        let (header, rest) = bytes[start..].split_at_mut(HEADER.min(length));
        let read = |file: &mut File, part: &mut [u8]| {
            file.read_exact(part).map_err(|error| bad(Invalid::Io(error)))
        };
        let mut file = File::open(path).map_err(|error| bad(Invalid::Io(error)))?;
        read(&mut file, header)?;
        if !header.starts_with(MAGIC) {
            return Err(bad(Invalid::Other { what: KIND, by: "train" }));
        }
        read(&mut file, rest)?;
        Self::read(Bytes::Aligned(bytes, start)).map_err(bad)
    }

    /// Returns the packs of the library; `models/README.md` lists their languages and sources. The
    /// languages in Arabic script have packs of their own with more entries per language, because
    /// these languages are the most similar. The other packs have further scripts and texts of
    /// languages of the first two.
    pub fn shipped() -> [Self; 5] {
        /// Aligns a pack to a cache line.
        #[repr(align(64))]
        struct Aligned<B: ?Sized>(B);
        static ARABIC: &Aligned<[u8]> = &Aligned(*include_bytes!("../models/arabic.pack"));
        static WORLD: &Aligned<[u8]> = &Aligned(*include_bytes!("../models/world.pack"));
        static MORE: &Aligned<[u8]> = &Aligned(*include_bytes!("../models/more.pack"));
        static ARABIC_MORE: &Aligned<[u8]> =
            &Aligned(*include_bytes!("../models/arabic-more.pack"));
        static OPEN: &Aligned<[u8]> = &Aligned(*include_bytes!("../models/open.pack"));
        [ARABIC, WORLD, MORE, ARABIC_MORE, OPEN].map(|pack| {
            // Tests read them, so this only fails if the program's image is damaged.
            let nothing = |_| Self {
                bytes: Bytes::Static(&[]),
                sections: Vec::new(),
                checksum: 0,
                is_guarded: false,
            };
            Self::read(Bytes::Static(&pack.0)).unwrap_or_else(nothing)
        })
    }

    /// Reads a pack from memory.
    ///
    /// # Errors
    /// Fails if the bytes are not a valid pack. The message is one sentence.
    pub fn of_bytes(bytes: Vec<u8>) -> Result<Self, BadPack> {
        Self::read(Bytes::Owned(bytes)).map_err(|reason| BadPack::invalid(KIND, None, reason))
    }

    /// Validates everything that later reading relies on.
    fn read(bytes: Bytes) -> Result<Self, Invalid> {
        let data = bytes.as_slice();
        let header = data.first_chunk::<HEADER>().filter(|header| header.starts_with(MAGIC));
        let header = header.ok_or(Invalid::Other { what: KIND, by: "train" })?;
        let number = |at: usize| {
            u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
        };
        if number(8) != FORMAT {
            return Err(Invalid::Format(number(8), FORMAT));
        }
        if u64_at(header, 16) != Some(data.len() as u64) {
            return Err(Invalid::Length { has: data.len(), says: u64_at(header, 16).unwrap_or(0) });
        }
        let checksum = number(24);
        if crc32fast::hash(&data[HEADER..]) != checksum {
            return Err(Invalid::Checksum);
        }
        let count = number(12) as usize;
        let mut sections: Vec<Section> = Vec::new();
        for index in 0..count {
            let section = section(data, index).ok_or(Invalid::Section(index))?;
            sections.push(section);
        }
        let is_far = |section: &Section| section.languages.iter().all(|language| language.far);
        let most = if sections.iter().all(is_far) { MAX_FAR_SECTIONS } else { 1 };
        // Every additional section of a script costs time for each of its words.
        let mut counts: BTreeMap<Script, usize> = BTreeMap::new();
        for section in &sections {
            let count = counts.entry(section.script).or_default();
            *count += 1;
            if *count > most {
                return Err(Invalid::Sections { script: section.script.tag(), most });
            }
        }
        Ok(Self { bytes, sections, checksum, is_guarded: false })
    }

    /// Returns the languages of the pack with their scripts (ISO 15924).
    pub fn languages(&self) -> impl Iterator<Item = (&Language, &'static str)> {
        let of = |section: &'_ Section| section.script.tag();
        self.sections
            .iter()
            .flat_map(move |section| section.languages.iter().map(move |l| (l, of(section))))
    }

    /// Returns whether all of its languages are [far](Language::far).
    pub fn is_far(&self) -> bool {
        self.languages().all(|(language, _)| language.far)
    }

    /// Returns the CRC-32 of the tables: equal tables have equal checksums.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// Returns the size of the pack in bytes.
    pub fn size(&self) -> usize {
        self.bytes.as_slice().len()
    }

    /// Creates a pack of these sections.
    pub(crate) fn of_parts(parts: Vec<Part>, is_guarded: bool) -> Self {
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
        Self { checksum: crc32fast::hash(&data), bytes: Bytes::Owned(data), sections, is_guarded }
    }

    pub(crate) fn table(&self, section: &Section) -> Option<Table<'_>> {
        let data = self.bytes.as_slice();
        let (buckets, lists) =
            (data.get(section.buckets.clone())?, data.get(section.lists.clone())?);
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
            Self::Aligned(bytes, start) => bytes.get(*start..).unwrap_or_default(),
            Self::Owned(bytes) => bytes,
        }
    }
}

fn u64_at(data: &[u8], at: usize) -> Option<u64> {
    data.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

/// Returns the section with that index; `None` if it or a part of it is outside the file, or if it
/// has no languages.
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
        code: std::str::from_utf8(&record[..3])
            .ok()?
            .parse()
            .ok()
            .filter(|&code| code != LangCode::UND)?,
        unknown_word: record[3],
        usual: u16::from_le_bytes([record[4], record[5]]),
        words: u32::from_le_bytes([record[8], record[9], record[10], record[11]]),
        replaces: record[12] & REPLACES != 0,
        far: record[12] & FAR != 0,
    })
}

/// The tables of one script before serialization.
pub(crate) struct Draft {
    pub script: Script,
    pub languages: Vec<Language>,
    pub tokens: Vec<(u64, Vec<Posting>)>,
}

/// Returns the bytes of a pack. The result is deterministic.
///
/// # Errors
/// Fails if a section is larger than the format allows.
pub(crate) fn write(drafts: Vec<Draft>) -> Result<Vec<u8>, BadPack> {
    let mut data = vec![0; HEADER + drafts.len() * SECTION];
    for (index, draft) in drafts.iter().enumerate() {
        let script = draft.script.tag();
        if draft.languages.len() > MAX_LANGUAGES {
            let found = draft.languages.len();
            return Err(BadPack::Languages { script, found, allowed: MAX_LANGUAGES });
        }
        let (buckets, lists) = table::build(draft.tokens.clone(), draft.languages.len())
            .map_err(|_| BadPack::Tokens { script })?;
        let mut languages = Vec::new();
        for language in &draft.languages {
            languages.extend(language.code.as_str().as_bytes());
            languages.push(language.unknown_word);
            languages.extend(language.usual.to_le_bytes());
            languages.extend([0; 2]);
            languages.extend(language.words.to_le_bytes());
            let flag = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
            let flags = flag(language.replaces, REPLACES) | flag(language.far, FAR);
            languages.extend([flags, 0, 0, 0]);
        }
        let mut record = script.as_bytes().to_vec();
        record.extend((draft.languages.len() as u32).to_le_bytes());
        for part in [languages, buckets, lists] {
            // Buckets are cache lines.
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

/// Opens several packs for use in addition to the library's own.
///
/// # Errors
/// Fails if a pack cannot be opened, or a script would have more languages than the limit. The
/// message names the first such pack.
pub fn open_all(paths: &[PathBuf]) -> Result<Vec<Pack>, BadPack> {
    let packs = paths.iter().map(|path| Pack::open(path)).collect::<Result<Vec<_>, _>>()?;
    if packs.is_empty() {
        return Ok(packs);
    }
    let (far, near): (Vec<&Pack>, Vec<&Pack>) = packs.iter().partition(|pack| pack.is_far());
    let shipped = Pack::shipped();
    let near = shipped.iter().chain(near);
    within(near, MAX_CANDIDATES)?;
    within(far.into_iter(), MAX_FAR)?;
    Ok(packs)
}

/// Checks that no script has more languages in these packs than the limit.
fn within<'a>(packs: impl Iterator<Item = &'a Pack>, most: usize) -> Result<(), BadPack> {
    let mut counts: BTreeMap<Script, usize> = BTreeMap::new();
    for section in packs.flat_map(|pack| &pack.sections) {
        *counts.entry(section.script).or_default() += section.languages.len();
    }
    match counts.into_iter().find(|&(_, count)| count > most) {
        Some((script, found)) => {
            Err(BadPack::Together { script: script.tag(), found, allowed: most })
        }
        None => Ok(()),
    }
}
