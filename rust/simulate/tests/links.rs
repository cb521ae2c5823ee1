//! Files of a crawl's links.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use simulate::links::{Reader, Reading};
use simulate::Graph;

fn read(inputs: &[&[u8]]) -> (Graph, Reading) {
    let mut reader = Reader::default();
    for (number, input) in inputs.iter().enumerate() {
        reader.read(*input, &format!("part-{number}"), 500).unwrap();
    }
    reader.finish()
}

fn name(page: u64) -> String {
    format!("{page:016x}")
}

#[test]
fn hosts_are_sorted_by_name_and_pages_keep_the_order_of_lines() {
    let lines = [
        "# a comment".into(),
        format!(
            "www.b.example\t{}\tfetched,injected\t500\t9000\t{} {} {}",
            name(1),
            name(2),
            name(3),
            name(4)
        ),
        format!("www.b.example\t{}\tgone\t0\t0\t", name(2)),
        String::new(),
        format!("a.example\t{}\tfetched\t70\t800\t{}\r", name(3), name(1)),
        format!("a.example\t{}\tunfetched\t0\t0\t\n", name(4)),
    ];
    let file = lines.join("\n");
    let (graph, reading) = read(&[file.as_bytes()]);
    assert_eq!((graph.hosts(), graph.pages()), (2, 3));
    assert_eq!([graph.target(0), graph.target(1), graph.target(2)], [Some(70), Some(500), None]);
    assert_eq!(
        (graph.raw(1), graph.links_of(0), graph.links_of(1), graph.injected()),
        (9000, &[1][..], &[0, 2][..], &[1][..])
    );
    let expected =
        Reading { fetched: 2, gone: 1, unfetched: 1, links_dropped: 1, ..Reading::default() };
    assert_eq!(reading, expected);
}

#[test]
fn a_host_may_go_on_in_the_next_file() {
    let line = |page, to| format!("a.example\t{}\tfetched\t1\t1\t{}\n", name(page), name(to));
    let (graph, reading) = read(&[line(1, 2).as_bytes(), line(2, 1).as_bytes()]);
    assert_eq!((graph.hosts(), reading.bad), (1, 0));
    assert_eq!((graph.links_of(0), graph.links_of(1)), (&[1][..], &[0][..]));
}

#[test]
fn bad_lines_are_counted_with_place_and_reason_and_the_rest_is_read() {
    let good = format!("a.example\t{}\tfetched\t1\t1\t\n", name(1));
    let long = format!("a.example\t{}\tfetched\t1\t1\t{}\n", name(9), "0".repeat(600));
    let lines = [
        good.clone(),
        "three\tfields\tonly\n".into(),
        good.replace("fetched", "fresh"),
        good.replace("\t1\t1\t", "\t-1\t1\t"),
        good.replace(&name(1), "page"),
        good.replace(&name(1), "+00000000000001"),
        good.replace(&name(1), &name(3)).replace("\n", "zz\n"),
        good.replace("\n", "\tmore\n"),
        good.replace("a.example", ""),
        long,
        good.clone(),
        format!("a.example\t{}\tfetched\t7\t1\t{}", name(2), name(1)),
    ];
    let (graph, reading) = read(&[lines.concat().as_bytes()]);
    assert_eq!((graph.pages(), graph.target(1), graph.links_of(1)), (2, Some(7), &[0][..]));
    assert_eq!(reading.bad, 10);
    assert_eq!(reading.reasons[0], "part-0, line 2: has fewer than six fields");
    assert_eq!(reading.reasons[8], "part-0, line 10: is longer than 500 bytes");
    assert_eq!(reading.reasons[9], "part-0, line 11: repeats the page of an earlier line");
    let what: Vec<&str> =
        reading.reasons[1..8].iter().map(|reason| reason.split(": ").nth(1).unwrap()).collect();
    assert_eq!(what[0], "has an unknown state; allowed are fetched, unfetched and gone");
    assert!(what[1].starts_with("has target bytes that are not whole numbers"));
    assert_eq!(what[2..5], ["has a page name that is not 16 hexadecimal digits"; 3]);
    assert_eq!(what[5..], ["has more than six fields", "has no host of 1 to 255 bytes in UTF-8"]);
}

proptest! {
    #[test]
    fn no_input_is_too_strange(lines in proptest::collection::vec("[\\PC\t ]{0,60}", 0..20), bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let text = lines.join("\n");
        let (graph, reading) = read(&[text.as_bytes(), &bytes]);
        prop_assert_eq!(graph.pages() as u64, reading.fetched + reading.gone);
    }

    /// Reads the lines that the export writes.
    #[test]
    fn a_written_graph_is_read_back(pages in proptest::collection::vec((0u32..3, 0u32..5000, 0u32..9_000_000, proptest::collection::vec(0usize..30, 0..6)), 1..30)) {
        let mut sorted: Vec<_> = pages.iter().enumerate().collect();
        sorted.sort_by_key(|(_, page)| page.0);
        let mut text = String::new();
        for (number, (host, target, raw, links)) in &sorted {
            let links: Vec<String> = links.iter().map(|&link| name(link as u64)).collect();
            text += &format!("h{host}.example\t{}\tfetched\t{target}\t{raw}\t{}\n", name(*number as u64), links.join(" "));
        }
        let (graph, reading) = read(&[text.as_bytes()]);
        prop_assert_eq!((reading.bad, graph.pages()), (0, pages.len()));
        let place = |number: usize| sorted.iter().position(|(other, _)| *other == number).map(|place| place as u32);
        for (place_of, (number, (_, target, raw, links))) in sorted.iter().enumerate() {
            prop_assert_eq!((graph.target(place_of as u32), graph.raw(place_of as u32)), (Some(*target), *raw));
            let mut expected: Vec<u32> = links.iter().filter_map(|&link| place(link)).filter(|&link| place(*number) != Some(link)).collect();
            expected.sort_unstable();
            expected.dedup();
            prop_assert_eq!(graph.links_of(place_of as u32), &expected[..]);
        }
    }
}
