//! Numbers for pairs, such as the signatures of an element and of the one around it.
//!
//! All rules that group elements share this map, so that the library has its code once.

use foldhash::{HashMap, HashMapExt};

/// Gives each pair a number, counted from 0 in the order of their first use.
pub(super) struct Numbers(HashMap<(u32, u32), u32>);

impl Numbers {
    pub(super) fn new() -> Self {
        Self(HashMap::new())
    }

    /// Returns the number of a pair: a new one, for which `values` gets a value, or an old one.
    pub(super) fn of<T: Default>(&mut self, pair: (u32, u32), values: &mut Vec<T>) -> usize {
        let next = values.len() as u32;
        let number = *self.0.entry(pair).or_insert(next);
        if number == next {
            values.push(T::default());
        }
        number as usize
    }

    /// Returns the number of a pair that has one.
    pub(super) fn get(&self, pair: (u32, u32)) -> Option<usize> {
        self.0.get(&pair).map(|number| *number as usize)
    }
}
