//! Tests that a page of any kind costs time in proportion to its length, and a small stack, in each
//! output of the engine.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

#[path = "common/markup.rs"]
mod markup;
#[path = "../../content/tests/common/meter.rs"]
mod meter;
#[path = "../../content/tests/common/kinds.rs"]
mod pages;
#[path = "common/kinds.rs"]
mod texts;

use content::{classify, content_of_text, parse, ContentOptions, Extractor, Form};
use engine::{content_json, Engine, FirstLook, LinkOptions, PageHints, Policy, Settings};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

/// Bytes of the smallest page. Quadratic work is easier to see on a longer one.
const LENGTH: usize = 4 << 10;

/// Work that is over in this time shows nothing.
const MIN: Duration = Duration::from_micros(200);

/// Most growth of the time of a page of four times the length that is still linear. Caches make it
/// more than four; quadratic work makes it sixteen.
const MAX_GROWTH: f64 = 7.5;

/// Longest page on which a growth is measured again, in bytes.
const LONGEST: usize = 512 << 10;

/// Longest time of a page that is measured again.
const MAX: Duration = Duration::from_secs(1);

/// Bytes of the stack of a thread, as small as that of some of Hadoop's.
const STACK: usize = 256 << 10;

const URL: &str = "https://a.example/b/c";

/// A kind of page.
type Kind = (String, Box<dyn Fn(usize) -> String + Sync>);

fn kinds() -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::new();
    for (name, make) in pages::KINDS {
        kinds.push(((*name).to_owned(), Box::new(move |length| pages::page(make, length))));
    }
    for (name, write) in texts::KINDS {
        kinds.push(((*name).to_owned(), Box::new(move |length| texts::page(*write, length))));
    }
    for kind in markup::MARKUP {
        let page = move |length| markup::page(kind, length);
        kinds.push((format!("{} {}", kind.0, kind.1), Box::new(page)));
    }
    kinds
}

/// The outputs of a page.
struct Outputs {
    engines: Vec<Engine>,
    look: FirstLook,
}

impl Outputs {
    const NAMES: [&'static str; 6] =
        ["record and links", "report", "Markdown", "HTML and JSON", "verdicts", "first look"];

    fn new() -> Self {
        let engines = ["urd", "sme"].map(|target| {
            let settings = Settings {
                policy: Policy::Recall,
                max_millis: 1_000_000,
                ..Settings::new(target.parse().unwrap())
            };
            Engine::new(settings).unwrap()
        });
        let look = Engine::new(Settings::new("urd".parse().unwrap())).unwrap();
        Self { look: FirstLook::new(&look).unwrap(), engines: engines.into() }
    }

    fn make(&self, output: usize, page: &str) {
        let hints = PageHints { url: Some(URL), ..PageHints::default() };
        let engine = &self.engines[0];
        match output {
            0 => {
                let options = LinkOptions { statements: true, ..LinkOptions::default() };
                let (record, links) = self.engines[1].page_with_links(page, &hints, &options);
                let stated =
                    engine::stated(&record, &links, Some(URL), &engine::Response::default());
                serde_json::to_string(&(record, stated)).unwrap();
            }
            1 => drop(serde_json::to_string(&engine.inspect(page.as_bytes(), &hints)).unwrap()),
            2 => {
                let options = ContentOptions::new(Extractor::Text, Form::Markdown);
                content_of_text(page, &ContentOptions { url: Some(URL), ..options });
            }
            3 => {
                let options = ContentOptions {
                    url: Some(URL),
                    html: true,
                    statements: true,
                    ..ContentOptions::new(Extractor::Best, Form::Text)
                };
                let content = content_of_text(page, &options);
                serde_json::to_string(&content_json(&content, Some(URL))).unwrap();
            }
            4 => {
                let page = parse(page, &content::Limits::default());
                for extractor in Extractor::ALL {
                    classify(&page, extractor);
                }
            }
            _ => drop(self.look.may_keep(engine, page.as_bytes(), &hints)),
        }
    }

    /// Processor time of an output of a page, the smallest of several.
    fn cost(&self, output: usize, page: &str, times: usize) -> Duration {
        let once = |_| {
            let begin = meter::processor_time();
            self.make(output, page);
            meter::processor_time() - begin
        };
        (0..times).map(once).min().unwrap()
    }

    /// Returns the times of an output for pages of one, two and four times a length, if they grow
    /// faster than the pages. Other processes disturb short measurements, so it counts only if it
    /// is so on longer and longer pages.
    fn growth(&self, output: usize, make: &dyn Fn(usize) -> String) -> Option<[Duration; 3]> {
        let (mut length, mut times) = (LENGTH, 1);
        loop {
            let [small, large] =
                [length, 4 * length].map(|length| self.cost(output, &make(length), times));
            if large.as_secs_f64() / small.max(MIN).as_secs_f64() < MAX_GROWTH {
                return None;
            }
            if 4 * length >= LONGEST || large > MAX {
                return Some([small, self.cost(output, &make(2 * length), times), large]);
            }
            (length, times) = (2 * length, 3);
        }
    }
}

#[test]
fn no_kind_of_page_costs_more_than_its_length_in_any_output() {
    let (kinds, outputs) = (kinds(), Outputs::new());
    assert!(kinds.len() > 250);
    let (next, steep) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some((name, make)) = kinds.get(next.fetch_add(1, Ordering::Relaxed)) {
            for (output, title) in Outputs::NAMES.iter().enumerate() {
                if let Some(costs) = outputs.growth(output, make) {
                    steep.lock().unwrap().push(format!("{title} of {name}: {costs:?}"));
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().unwrap().get() {
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).unwrap();
        }
    });
    let steep = steep.into_inner().unwrap();
    assert!(steep.is_empty(), "costs grow faster than pages: {steep:#?}");
}

/// Markup that costs much in each step: tags that many open elements are searched for, very many
/// blocks, very many elements, and text in many languages.
const COSTLY: [(&str, &str); 6] = [
    ("<div><p>x", "</b></i></font>"),
    ("<ul>", "<li>x"),
    ("<p>", "<ruby>x<rt>y"),
    ("", "<h1>x</h1><p>The river rose during the night.</p>"),
    ("<p>", "The river rose. شہر کی پرانی لائبریری Река поднялась 夜里河水上涨 "),
    ("<math>", "<mi>x</mi>"),
];

#[test]
fn no_long_page_outlives_the_time_limit_by_a_tenth() {
    const MILLIS: u64 = 400;
    let settings = Settings { max_millis: MILLIS, ..Settings::new("sme".parse().unwrap()) };
    let engine = Engine::new(settings).unwrap();
    // Creates the tables that all pages share.
    engine.page("<p>The river rose during the night.", &PageHints::default());
    let mut hits = 0;
    for kind in &COSTLY {
        let page = markup::page(kind, 16_000_000);
        // The limit is one of the clock, and other processes may have the processor meanwhile.
        let least = (0..3).map(|_| {
            let begin = meter::processor_time();
            let record = engine.page(&page, &PageHints::default());
            hits += usize::from(record.status == engine::Status::LimitHit);
            meter::processor_time() - begin
        });
        let least = least.min().unwrap();
        println!("{kind:?} {least:?}");
        assert!(least <= Duration::from_millis(MILLIS * 11 / 10), "{kind:?}: {least:?}");
    }
    assert!(hits > 0, "no page took so long");
}
