//! The work of identification, as counts instead of time: tests can check a bound on any machine.

use std::cell::Cell;
use std::ops::Sub;

/// Calls of the identifiers and bytes of their texts. The same texts take the same work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Work {
    /// Calls of CLD2.
    pub cld2_calls: u64,
    /// Bytes of text passed to CLD2.
    pub cld2_bytes: u64,
    /// Readings of a text by language models. A text may be read several times: by the models of a
    /// target's neighbours, by all models, and once more if it is split.
    pub model_calls: u64,
    /// Bytes of text passed to language models.
    pub model_bytes: u64,
}

impl Sub for Work {
    type Output = Work;

    /// Returns the work since `before`.
    fn sub(self, before: Work) -> Work {
        Work {
            cld2_calls: self.cld2_calls - before.cld2_calls,
            cld2_bytes: self.cld2_bytes - before.cld2_bytes,
            model_calls: self.model_calls - before.model_calls,
            model_bytes: self.model_bytes - before.model_bytes,
        }
    }
}

thread_local! {
    static WORK: Cell<Work> = const { Cell::new(Work { cld2_calls: 0, cld2_bytes: 0, model_calls: 0, model_bytes: 0 }) };
}

/// Returns the work of this thread so far.
pub fn work() -> Work {
    WORK.get()
}

/// Counts a call of CLD2.
pub(crate) fn add_cld2(text: &str) {
    let work = WORK.get();
    WORK.set(Work {
        cld2_calls: work.cld2_calls + 1,
        cld2_bytes: work.cld2_bytes + text.len() as u64,
        ..work
    });
}

/// Counts a reading by language models.
pub(crate) fn add_models(text: &str) {
    let work = WORK.get();
    WORK.set(Work {
        model_calls: work.model_calls + 1,
        model_bytes: work.model_bytes + text.len() as u64,
        ..work
    });
}
