//! Common code of all native methods: byte arrays, panics that must not cross the border, and the
//! log.

use crate::refusal::Refusal;
use engine::frame::{tag, Writer};
use engine::Status;
use log::{Level, LevelFilter, Log, Metadata, Record};
use once_cell::sync::Lazy;
use robusta_jni::convert::{FromJavaValue, IntoJavaValue, Signature};
use robusta_jni::jni::sys::jbyteArray;
use robusta_jni::jni::JNIEnv;
use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Most log records in one frame.
const MAX_RECORDS: usize = 64;
/// Longest text of a log record, in bytes.
const MAX_RECORD_BYTES: usize = 2048;
/// Most log records of one line of code in a [`PERIOD`]: a crawl of bad pages must not fill the log.
const MAX_PER_PERIOD: usize = 20;
/// Time over which records of a line are counted.
const PERIOD: Duration = Duration::from_secs(60);

/// A copied Java byte array; `None` for null and for an array that cannot be read.
pub struct Bytes(Option<Vec<u8>>);

impl Bytes {
    /// Returns the bytes of the argument `name`.
    pub fn get(&self, name: &str) -> Result<&[u8], Refusal> {
        self.0.as_deref().ok_or_else(|| Refusal::Null(name.to_owned()))
    }

    /// Takes the bytes of the argument `name`.
    pub fn take(self, name: &str) -> Result<Vec<u8>, Refusal> {
        self.0.ok_or_else(|| Refusal::Null(name.to_owned()))
    }
}

impl Signature for Bytes {
    const SIG_TYPE: &'static str = "[B";
}

impl<'env: 'borrow, 'borrow> FromJavaValue<'env, 'borrow> for Bytes {
    type Source = jbyteArray;

    fn from(array: jbyteArray, env: &'borrow JNIEnv<'env>) -> Self {
        Bytes(env.convert_byte_array(array).ok())
    }
}

impl<'env> IntoJavaValue<'env> for Bytes {
    type Target = jbyteArray;

    /// Returns null only if Java has no memory for the array; its OutOfMemoryError is then pending.
    fn into(self, env: &JNIEnv<'env>) -> jbyteArray {
        env.byte_array_from_slice(self.0.as_deref().unwrap_or_default())
            .unwrap_or(std::ptr::null_mut())
    }
}

/// Returns the frame of a call that failed.
fn refused(refusal: &Refusal) -> Writer {
    let mut answer = Writer::answer(Status::Failed, Some(&refusal.to_string()));
    match refusal {
        Refusal::Settings(bad) => {
            if let Some(key) = bad.key() {
                answer.text(tag::SETTING, key);
            }
        }
        Refusal::NoModel { advice, .. } => {
            answer.text(tag::NO_MODEL, advice);
        }
        _ => {}
    }
    answer
}

/// Runs a method's body. An error or a panic becomes a frame of status `failed`; the frame includes
/// the log records of the call.
pub fn guarded(body: impl FnOnce() -> Result<Writer, Refusal>) -> Bytes {
    Lazy::force(&HOOKS);
    LOG.with_borrow_mut(Records::clear);
    // Calls share only the registry, which is append-only, and corpora, which are lost after a
    // panic.
    let mut frame = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(frame)) => frame,
        Ok(Err(refusal)) => refused(&refusal),
        Err(payload) => Writer::answer(Status::Failed, Some(&panic_message(payload))),
    };
    LOG.with_borrow_mut(|records| records.drain_into(&mut frame));
    Bytes(Some(frame.finish()))
}

/// Installed once per library: panics are stored instead of printed, and log records are collected.
static HOOKS: Lazy<()> = Lazy::new(|| {
    std::panic::set_hook(Box::new(|info| {
        let place =
            info.location().map_or(String::new(), |at| format!(" at {}:{}", at.file(), at.line()));
        PANIC_PLACE.with_borrow_mut(|kept| *kept = place);
    }));
    if log::set_logger(&Gatherer).is_ok() {
        log::set_max_level(LevelFilter::Debug);
    }
});

thread_local! {
    static PANIC_PLACE: RefCell<String> = const { RefCell::new(String::new()) };
    static LOG: RefCell<Records> = const { RefCell::new(Records { kept: Vec::new(), dropped: 0 }) };
}

fn panic_message(payload: Box<dyn Any + Send>) -> String {
    let said = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned());
    // Dropping a payload may run code that panics again, outside the guard.
    std::mem::forget(payload);
    format!("the engine panicked{}: {said}", PANIC_PLACE.with_borrow(Clone::clone))
}

/// Log records of the running call.
struct Records {
    kept: Vec<(Level, String)>,
    dropped: usize,
}

impl Records {
    fn clear(&mut self) {
        self.kept.clear();
        self.dropped = 0;
    }

    fn drain_into(&mut self, frame: &mut Writer) {
        for (level, text) in self.kept.drain(..) {
            frame.log(level as u8, &text);
        }
        if self.dropped > 0 {
            frame
                .log(Level::Warn as u8, &format!("{} more log records were dropped", self.dropped));
        }
        self.dropped = 0;
    }
}

/// Counts the records of each line of code that logs.
#[derive(Default)]
struct Rates(HashMap<(String, u32), Rate>);

struct Rate {
    since: Instant,
    let_through: usize,
    left_out: usize,
}

impl Rates {
    /// Returns whether a record of this line may be logged, with the number of its records that were
    /// left out before it.
    fn allow(&mut self, file: &str, line: u32, now: Instant) -> Option<usize> {
        let fresh = || Rate { since: now, let_through: 1, left_out: 0 };
        let Some(rate) = self.0.get_mut(&(file.to_owned(), line)) else {
            self.0.insert((file.to_owned(), line), fresh());
            return Some(0);
        };
        if now.duration_since(rate.since) >= PERIOD {
            let left_out = rate.left_out;
            *rate = fresh();
            return Some(left_out);
        }
        if rate.let_through >= MAX_PER_PERIOD {
            rate.left_out += 1;
            return None;
        }
        rate.let_through += 1;
        Some(0)
    }
}

static RATES: Lazy<Mutex<Rates>> = Lazy::new(Mutex::default);

struct Gatherer;

impl Log for Gatherer {
    fn enabled(&self, _: &Metadata) -> bool {
        true
    }

    fn log(&self, record: &Record) {
        let place = (record.file().unwrap_or_default(), record.line().unwrap_or_default());
        let mut rates = RATES.lock().unwrap_or_else(PoisonError::into_inner);
        let allowed = rates.allow(place.0, place.1, Instant::now());
        drop(rates);
        let Some(left_out) = allowed else {
            return;
        };
        // A record is one line of the log, whatever a page has in its labels.
        let mut text = format!("{}: {}", record.target(), record.args())
            .replace(|letter: char| letter.is_control(), " ");
        text.truncate(
            (0..=MAX_RECORD_BYTES.min(text.len()))
                .rev()
                .find(|&at| text.is_char_boundary(at))
                .unwrap_or(0),
        );
        if left_out > 0 {
            text.push_str(&format!(" ({left_out} similar messages before it were left out)"));
        }
        LOG.with_borrow_mut(|records| match records.kept.len() {
            0..MAX_RECORDS => records.kept.push((record.level(), text)),
            _ => records.dropped += 1,
        });
    }

    fn flush(&self) {}
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use engine::frame::Frame;
    use engine::Settings;

    fn answer(body: impl FnOnce() -> Result<Writer, Refusal>) -> Vec<u8> {
        guarded(body).0.unwrap()
    }

    fn message(frame: &[u8]) -> String {
        Frame::read(frame).unwrap().text(tag::MESSAGE).unwrap().unwrap().to_owned()
    }

    fn logs(frame: &[u8]) -> Vec<(u8, String)> {
        let frame = Frame::read(frame).unwrap();
        let records = frame.fields().iter().filter(|field| field.0 == tag::LOG);
        records
            .map(|(_, value)| (value[0], String::from_utf8(value[1..].to_vec()).unwrap()))
            .collect()
    }

    fn ok() -> Result<Writer, Refusal> {
        Ok(Writer::answer(Status::Ok, None))
    }

    #[test]
    fn a_refusal_of_settings_names_the_key_at_fault() {
        for (settings, key) in [
            ("{", None),
            (r#"{"target":"urd","minbytes":1}"#, None),
            (r#"{"target":"urd","minBytes":"1"}"#, Some("minBytes")),
            (r#"{"target":"urd","maxDepth":0}"#, Some("maxDepth")),
            (r#"{"target":"urd","comments":"drop","extractor":"text"}"#, Some("comments")),
            (r#"{"target":"urd","profile":"papers"}"#, Some("profile")),
            (r#"{"target":"akk"}"#, Some("target")),
            (r#"{"target":"urd","packs":["no/such.pack"]}"#, Some("packs")),
            (r#"{"target":"urd","identifier":"heli"}"#, Some("packs")),
        ] {
            let frame = answer(|| {
                Settings::from_json(settings.as_bytes())?.identifier()?;
                ok()
            });
            assert_eq!(Frame::read(&frame).unwrap().text(tag::SETTING).unwrap(), key, "{settings}");
        }
    }

    #[test]
    fn a_panic_becomes_a_failed_answer_with_its_message_and_place() {
        let frame = answer(|| panic!("{} apples", 3));
        assert_eq!(Frame::read(&frame).unwrap().text(tag::STATUS).unwrap(), Some("failed"));
        let said = message(&frame);
        assert!(said.contains("guard.rs:") && said.ends_with(": 3 apples"), "{said}");
    }

    #[test]
    fn a_panic_with_an_odd_payload_is_caught_too() {
        struct Bomb;
        impl Drop for Bomb {
            fn drop(&mut self) {
                panic!("again");
            }
        }
        assert!(message(&answer(|| std::panic::panic_any(Bomb))).ends_with("no message"));
    }

    #[test]
    fn a_refusal_is_a_failed_answer() {
        assert_eq!(
            message(&answer(|| Err(Refusal::Full { many: "corpora", most: 3 }))),
            "3 corpora are open, allowed are 3"
        );
        let null = Bytes(None);
        assert_eq!(
            null.get("content").unwrap_err().to_string(),
            "argument `content` is null, allowed is a byte array"
        );
    }

    #[test]
    fn log_records_ride_with_their_own_call_even_if_it_panics() {
        let first = answer(|| {
            log::warn!("odd page");
            panic!("boom")
        });
        assert_eq!(logs(&first), [(2, format!("{}: odd page", module_path!()))]);
        assert_eq!(logs(&answer(ok)), []);
    }

    #[test]
    fn a_log_record_is_one_line() {
        let frame = answer(|| {
            log::info!("a{}b", "\r\n\u{1b}[");
            ok()
        });
        assert_eq!(logs(&frame)[0].1, format!("{}: a   [b", module_path!()));
    }

    #[test]
    fn log_records_are_bounded_in_number_and_length() {
        let frame = answer(|| {
            // Each line of code has a bound of its own.
            for _ in 0..MAX_PER_PERIOD {
                let text = "ہ".repeat(5000);
                log::info!("{text}");
                log::info!("{text}");
                log::info!("{text}");
                log::info!("{text}");
                log::info!("{text}");
            }
            ok()
        });
        let logs = logs(&frame);
        assert_eq!(logs.len(), MAX_RECORDS + 1);
        assert!(logs.iter().all(|(_, text)| text.len() <= MAX_RECORD_BYTES));
        assert_eq!(logs[MAX_RECORDS].1, "36 more log records were dropped");
    }

    #[test]
    fn a_line_that_logs_often_is_bounded_over_calls_and_counted() {
        let start = Instant::now();
        let mut rates = Rates::default();
        let mut allow =
            |line, seconds| rates.allow("a.rs", line, start + Duration::from_secs(seconds));
        assert!((0..20).all(|_| allow(1, 0) == Some(0)));
        assert!((0..7).all(|_| allow(1, 59).is_none()));
        assert_eq!(allow(2, 59), Some(0), "another line");
        assert_eq!((allow(1, 60), allow(1, 60)), (Some(7), Some(0)));

        let flood = || log::warn!("again");
        let calls: Vec<_> = (0..30)
            .map(|_| {
                answer(|| {
                    flood();
                    ok()
                })
            })
            .collect();
        assert_eq!(calls.iter().filter(|frame| logs(frame).is_empty()).count(), 10);
    }
}
