//! A hash table for word counts, optimised for sets of words that fit into memory but not into the
//! caches.

use crate::scratch::{Table, WordCount};
use crate::tokens::Token;
use std::hint::black_box;
use std::io;

/// Bytes of a word that are stored in its slot, so that most lookups read one cache line.
const INLINE: usize = 14;

/// Tokens whose slots are prefetched.
pub(crate) const AHEAD: usize = 512;

/// A word with its counts; the slot is free if the length is 0.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    hash: u64,
    /// The word, or in the first four bytes its start in the text of long words.
    word: [u8; INLINE],
    length: u8,
    own: bool,
    count: u32,
    last: u32,
}

impl Slot {
    fn word<'a>(&'a self, long: &'a [u8]) -> &'a [u8] {
        let length = usize::from(self.length);
        match self.word.get(..length) {
            Some(word) => word,
            None => {
                let [a, b, c, d, ..] = self.word;
                let start = u32::from_le_bytes([a, b, c, d]) as usize;
                &long[start..start + length]
            }
        }
    }
}

/// Words by their hashes, in bounded memory. Open addressing, linear probing.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    /// Memory limit in bytes.
    bytes: usize,
    slots: Vec<Slot>,
    used: usize,
    /// Words that do not fit into their slots, concatenated.
    long: Vec<u8>,
}

impl Vocabulary {
    /// Creates an empty table.
    pub(crate) fn new(bytes: usize) -> Self {
        Self { bytes: bytes.min(1 << 31), slots: Vec::new(), used: 0, long: Vec::new() }
    }

    /// Returns the first slot of a word's probe sequence.
    fn place(&self, hash: u64) -> usize {
        (((hash & u64::from(u32::MAX)) * self.slots.len() as u64) >> 32) as usize
    }

    /// Prefetches the slots of the next words: memory serves many loads at a time if they do not
    /// depend on each other.
    pub(crate) fn read_ahead(&self, tokens: &[Token]) {
        let lengths = tokens
            .iter()
            .filter_map(|token| self.slots.get(self.place(token.hash)))
            .map(|slot| slot.length);
        black_box(lengths.fold(0, u8::wrapping_add));
    }

    /// Counts a word of at most 255 bytes. Returns true if there is no more room; then
    /// [`Vocabulary::flush`] is due.
    pub(crate) fn count(&mut self, word: &str, hash: u64, own: bool, last: bool) -> bool {
        if self.used * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let mut place = self.place(hash);
        while self.slots[place].length > 0 {
            let slot = &mut self.slots[place];
            if slot.hash == hash && slot.word(&self.long) == word.as_bytes() {
                slot.count += 1;
                slot.last += u32::from(last);
                return slot.count == u32::MAX;
            }
            place = if place + 1 == self.slots.len() { 0 } else { place + 1 };
        }
        let mut slot = Slot {
            hash,
            word: [0; INLINE],
            length: word.len() as u8,
            own,
            count: 1,
            last: u32::from(last),
        };
        match slot.word.get_mut(..word.len()) {
            Some(inline) => inline.copy_from_slice(word.as_bytes()),
            None => {
                slot.word[..4].copy_from_slice(&(self.long.len() as u32).to_le_bytes());
                self.long.extend_from_slice(word.as_bytes());
            }
        }
        self.slots[place] = slot;
        self.used += 1;
        // A vector may have twice the necessary capacity.
        let long = self.long.len() > self.bytes / 16;
        long || (self.used * 4 >= self.slots.len() * 3 && self.larger() == self.slots.len())
    }

    /// Returns the next number of slots. While the table grows, both arrays are in memory.
    fn larger(&self) -> usize {
        let most = self.bytes / 8 * 7 / (2 * size_of::<Slot>());
        (self.slots.len() * 2).clamp(16, most.max(16)).max(self.slots.len())
    }

    fn grow(&mut self) {
        let larger = vec![Slot::default(); self.larger()];
        for slot in std::mem::replace(&mut self.slots, larger) {
            if slot.length > 0 {
                let mut place = self.place(slot.hash);
                while self.slots[place].length > 0 {
                    place = if place + 1 == self.slots.len() { 0 } else { place + 1 };
                }
                self.slots[place] = slot;
            }
        }
    }

    /// Moves all words with their counts into a table.
    ///
    /// # Errors
    /// Fails if a temporary file cannot be written.
    pub(crate) fn flush(&mut self, words: &mut Table<WordCount>) -> io::Result<()> {
        for slot in &mut self.slots {
            let Slot { hash, own, count, last, length, .. } = *slot;
            if length > 0 {
                let word = String::from_utf8_lossy(slot.word(&self.long));
                words.add(WordCount::hashed(hash, &word, count.into(), last.into(), own))?;
                *slot = Slot::default();
            }
        }
        self.used = 0;
        self.long.clear();
        Ok(())
    }
}
