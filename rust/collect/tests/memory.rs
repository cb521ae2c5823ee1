//! The memory that a JSON line needs: a few times its length, whatever its fields hold.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use collect::{Format, Judge};
use engine::{Engine, Settings};
use records::{About, Body, Record};

/// Bytes of a line.
const LENGTH: usize = 16 << 20;

/// The most memory that this process ever held, in bytes.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<usize>().unwrap() * 1024
}

#[test]
fn a_line_of_many_small_values_needs_little_more_memory_than_its_bytes() {
    let engine = Engine::new(Settings::new("urd".parse().unwrap())).unwrap();
    let judge = Judge::new(vec![engine], true, false, Format::Jsonl);
    let read = |line: String| {
        let body = Body::Json(line.into_bytes());
        judge.judge(Record { number: 1, body, decision: None, about: About::default() })
    };
    assert!(read("{\"text\":\"x\"}".to_owned()).unwrap().is_page);
    for field in ["a", "alternates", "languages", "quality", "noise"] {
        let many = "{\"\":1},".repeat(LENGTH / 7);
        let line = format!("{{\"text\":\"x\",\"{field}\":[{many}1]}}");
        let before = peak();
        let verdict = read(line);
        let more = peak().saturating_sub(before);
        println!("{field}: {more} bytes for a line of {LENGTH}");
        assert!(more < 3 * LENGTH, "{field}: {more} bytes for a line of {LENGTH}");
        let is_refused =
            verdict.is_err_and(|fault| fault.to_string().contains("allowed are 262144"));
        assert_eq!(is_refused, field == "alternates");
    }
}
