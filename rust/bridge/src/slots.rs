//! Values that Java holds by id, never by pointer, until it closes them.

use crate::refusal::Refusal;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The names of a kind of values in messages: of one and of several.
#[derive(Debug, Clone, Copy)]
pub struct Names {
    /// Name of one thing in a slot, e.g. `corpus`.
    pub one: &'static str,
    /// Name of several, e.g. `corpora`.
    pub many: &'static str,
}

/// The open values of a kind.
pub struct Slots<T> {
    names: Names,
    most: usize,
    open: Mutex<Open<T>>,
}

struct Open<T> {
    last: i32,
    /// `None` while a call that ends the value holds it, and after that call panicked.
    slots: BTreeMap<i32, Arc<Mutex<Option<T>>>>,
}

impl<T> Slots<T> {
    /// Creates slots for at most `most` open values, which bounds the memory that a faulty caller
    /// can hold.
    pub fn new(names: Names, most: usize) -> Self {
        Self { names, most, open: Mutex::new(Open { last: 0, slots: BTreeMap::new() }) }
    }

    /// Returns the id of a new value.
    pub fn add(&self, value: T) -> Result<i32, Refusal> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.slots.len() >= self.most {
            return Err(Refusal::Full { many: self.names.many, most: self.most });
        }
        open.last = open.last.checked_add(1).ok_or(Refusal::Ids(self.names.many))?;
        let id = open.last;
        open.slots.insert(id, Arc::new(Mutex::new(Some(value))));
        Ok(id)
    }

    /// Runs a function on a value. Calls for the same value wait for each other; calls for others
    /// do not.
    pub fn with<R>(
        &self,
        id: i32,
        run: impl FnOnce(&mut T) -> Result<R, Refusal>,
    ) -> Result<R, Refusal> {
        let slot = self.open.lock().unwrap_or_else(PoisonError::into_inner).slots.get(&id).cloned();
        let slot = slot.ok_or(Refusal::Closed { names: self.names, id })?;
        // After a panic the state of the value is unknown: it is lost, and the task must fail.
        let mut value = slot.lock().map_err(|_| Refusal::Lost { one: self.names.one, id })?;
        run(value.as_mut().ok_or(Refusal::Closed { names: self.names, id })?)
    }

    /// Takes the value out of its slot, which closes it.
    pub fn take(&self, id: i32) -> Result<T, Refusal> {
        let slot = self.open.lock().unwrap_or_else(PoisonError::into_inner).slots.remove(&id);
        let slot = slot.ok_or(Refusal::Closed { names: self.names, id })?;
        let mut value = slot.lock().map_err(|_| Refusal::Lost { one: self.names.one, id })?;
        value.take().ok_or(Refusal::Closed { names: self.names, id })
    }

    /// Closes the value if it is still open.
    pub fn close(&self, id: i32) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).slots.remove(&id);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn more_than_so_many_at_a_time_are_refused() {
        let slots = Slots::new(Names { one: "corpus", many: "corpora" }, 2);
        assert_eq!((slots.add('a').unwrap(), slots.add('b').unwrap()), (1, 2));
        assert_eq!(slots.add('c').unwrap_err().to_string(), "2 corpora are open, allowed are 2");
        slots.close(1);
        assert_eq!(slots.add('d').unwrap(), 3);
        assert_eq!(slots.take(3).unwrap(), 'd');
        assert!(slots.take(3).unwrap_err().to_string().starts_with("corpus id is 3, allowed"));
    }
}
