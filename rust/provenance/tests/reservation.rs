//! Which reservations a page states.
#![allow(clippy::unwrap_used)]

use content::{links, LinkOptions};
use provenance::{add_host_rules, is_reserved, HostFiles, Reservation, RobotsFile, TdmFile};

fn read(html: &str, headers: &str, files: HostFiles) -> Reservation {
    let options = LinkOptions { statements: true, max_links: 0, ..LinkOptions::default() };
    Reservation::of(&links(html, &options, None).statements, headers, files, "/page")
}

fn shown(html: &str, headers: &str) -> String {
    read(html, headers, HostFiles::default())
        .value()
        .map_or("-".to_owned(), |value| value.to_string())
}

#[test]
fn reservations_of_page_and_header_are_recorded_with_their_source() {
    for (html, headers, expected) in [
        ("", "tdm-reservation: 1", r#"{"tdm":{"reservation":1,"source":"header"}}"#),
        (
            "",
            "TDM-Reservation: 1\ntdm-policy: https://provider.com/policies/policy.json",
            r#"{"tdm":{"policy":"https://provider.com/policies/policy.json","reservation":1,"source":"header"}}"#,
        ),
        (
            "<meta name='tdm-reservation' content='1'><meta name='tdm-policy' content='https://provider.com/p.json'>",
            "tdm-reservation: 0",
            r#"{"tdm":{"policy":"https://provider.com/p.json","reservation":1,"source":"meta"}}"#,
        ),
        ("<meta name='tdm-reservation' content='yes'>", "", "-"),
        ("<meta name=robots content='index, NOAI, noimageai'>", "", r#"{"noai":{"noai":"meta","noimageai":"meta"}}"#),
        ("", "X-Robots-Tag: googlebot: noai", r#"{"noai":{"noai":"header"}}"#),
        ("", "Content-Usage: train-ai=n", r#"{"content_usage":{"train-ai":{"source":"header","value":"n"}}}"#),
        ("<meta name=robots content='max-image-preview:none'>", "X-Robots-Tag: noindex", "-"),
    ] {
        assert_eq!(shown(html, headers), expected, "{html} {headers}");
    }
}

#[test]
fn file_header_and_page_supersede_each_other_in_this_order_and_absence_resets_nothing() {
    let tdm =
        TdmFile::read(br#"[{"location":"/","tdm-reservation":1,"tdm-policy":"https://a/p"}]"#)
            .unwrap();
    let files = HostFiles { tdm: Some(&tdm), ..HostFiles::default() };
    let page = read("", "", files);
    assert_eq!((page.tdm, page.tdm_policy.as_deref()), (Some((true, "file")), Some("https://a/p")));
    let page = read("<meta name=tdm-reservation content=0>", "tdm-reservation: 1", files);
    assert_eq!(
        (page.tdm, page.tdm_policy.as_deref()),
        (Some((false, "meta")), Some("https://a/p"))
    );
}

#[test]
fn of_robots_txt_and_header_that_which_disallows_counts() {
    let robots = RobotsFile::read(
        b"User-agent: *\nContent-Usage: train-ai=n\nContent-Signal: ai-train=no, search=yes\n",
    );
    let files = HostFiles { robots: Some(&robots), ..HostFiles::default() };
    let page = read("", "Content-Usage: train-ai=y, search=y", files);
    let shown = page.value().unwrap().to_string();
    assert!(shown.contains(r#""train-ai":{"source":"robots.txt","value":"n"}"#), "{shown}");
    assert!(shown.contains(r#""search":{"source":"header","value":"y"}"#), "{shown}");
    assert!(shown.contains(r#""ai-train":{"source":"robots.txt","value":"n"}"#), "{shown}");
    assert!(is_reserved(&page.value().unwrap()));
}

#[test]
fn only_a_reservation_of_text_is_one() {
    let reserved = |html, headers| {
        read(html, headers, HostFiles::default()).value().is_some_and(|value| is_reserved(&value))
    };
    assert!(reserved("<meta name=robots content=noai>", ""));
    assert!(reserved("<meta name=tdm-reservation content=1>", ""));
    assert!(!reserved("<meta name=tdm-reservation content=0>", ""));
    assert!(!reserved("<meta name=robots content=noimageai>", ""));
    assert!(!reserved("", "Content-Usage: search=n"));
    assert!(!reserved("", ""));
}

/// As `CorpusExportJob` does, which has the files of hosts after the pages were read.
#[test]
fn rules_of_a_host_that_are_added_later_give_the_same_field() {
    let usage = "User-agent: *\nContent-Usage: train-ai=n, search=y\n";
    let signal = "User-agent: *\nContent-Signal: /page ai-train=no, search=yes\n";
    let policy = r#"[{"location":"/","tdm-reservation":1,"tdm-policy":"https://a/p"}]"#;
    let open = r#"[{"location":"/page","tdm-reservation":0}]"#;
    let pages = [
        "",
        "<meta name=tdm-reservation content=0>",
        "<meta name=tdm-policy content=https://b/p><meta name=robots content=noai>",
    ];
    let heads = [
        "",
        "tdm-reservation: 1",
        "Content-Usage: train-ai=y, search=n\nContent-Signal: ai-input=no",
        "X-Robots-Tag: noimageai\nContent-Signal: search=no",
    ];
    let mut different = 0;
    for robots in ["", usage, signal].map(|text| RobotsFile::read(text.as_bytes())) {
        for tdm in ["[]", policy, open].map(|text| TdmFile::read(text.as_bytes())) {
            let files = HostFiles { robots: Some(&robots), tdm: tdm.as_ref() };
            for (page, head) in pages.iter().flat_map(|page| heads.map(|head| (page, head))) {
                let stored = read(page, head, HostFiles::default()).value();
                let mut fields = vec![("license", "cc-by".into()), ("headline", "x".into())];
                fields.splice(1..1, stored.clone().map(|stored| ("reservation", stored)));
                add_host_rules(&mut fields, "http://a.pk/page", files);
                let expected = read(page, head, files).value();
                different += usize::from(expected != stored);
                assert_eq!(fields.len(), 2 + usize::from(expected.is_some()));
                let found = (fields.len() == 3).then(|| fields[1].clone());
                assert_eq!(found, expected.map(|value| ("reservation", value)), "{page} {head}");
            }
        }
    }
    assert!(different > 50, "{different}");
}

#[test]
fn a_stored_field_that_no_rule_touches_stays_as_it_is() {
    let robots = RobotsFile::read(b"User-agent: *\nContent-Usage: /x train-ai=n\n");
    let files = HostFiles { robots: Some(&robots), tdm: None };
    let stored = serde_json::json!({"later": [1], "content_usage": {"train-ai": 7}});
    let mut fields = vec![("reservation", stored.clone())];
    add_host_rules(&mut fields, "http://a.pk/page", files);
    assert_eq!(fields, [("reservation", stored)]);
    add_host_rules(&mut fields, "http://a.pk/x", files);
    let rule = serde_json::json!({"train-ai": {"source": "robots.txt", "value": "n"}});
    assert_eq!(fields[0].1["content_usage"], rule);
}
