//! `times FILE...` writes for each page the microseconds of processor time that the engine takes
//! with the settings of the Java benchmark, and extraction alone: what `gradle :bench:jmh` compares
//! the bridge with. Linux only.
#![allow(clippy::unwrap_used)]

use content::{classify, decode, parse_for, Hints, Limits};
use engine::{Engine, PageHints, Settings};
use std::hint::black_box;
use std::time::{Duration, Instant};

fn main() {
    let engine = Engine::new(Settings::new("urd".parse().unwrap())).unwrap();
    for file in std::env::args().skip(1) {
        let page = std::fs::read(&file).unwrap();
        let whole = micros(|| drop(black_box(engine.page(&page, &PageHints::default()))));
        let extraction = micros(|| {
            let decoded = decode(&page, &Hints::default()).unwrap();
            let extractor = engine.settings().extractor;
            black_box(classify(
                &parse_for(extractor, &decoded.text, &Limits::default()),
                extractor,
            ));
        });
        println!("{whole:.3} {extraction:.3}");
    }
}

/// Processor time of one go, the mean of the best of ten runs.
fn micros(mut work: impl FnMut()) -> f64 {
    const RUN: Duration = Duration::from_millis(300);
    let mut run = || {
        let (begin, before, mut times) = (Instant::now(), processor_micros(), 0u32);
        while begin.elapsed() < RUN {
            work();
            times += 1;
        }
        (processor_micros() - before) / f64::from(times)
    };
    (0..10).map(|_| run()).fold(f64::INFINITY, f64::min)
}

/// Returns the processor time of this thread so far, in microseconds.
fn processor_micros() -> f64 {
    let schedstat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    schedstat.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e3
}
