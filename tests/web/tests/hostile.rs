//! The attacks, as data and on the wire.
#![allow(clippy::unwrap_used)]

use corpulyzer_web::hostile::{attacks, Hostile, DOMAIN, LIMIT};
use corpulyzer_web::server::Proxy;
use corpulyzer_web::world::World;
use std::collections::HashSet;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use tempfile::TempDir;

/// Returns the response of the proxy, if it is shorter than `most`.
fn ask(proxy: &Proxy, url: &str, most: u64) -> Vec<u8> {
    let mut connection = TcpStream::connect(proxy.address()).unwrap();
    connection.write_all(format!("GET {url} HTTP/1.1\r\nHost: x\r\n\r\n").as_bytes()).unwrap();
    let mut answer = Vec::new();
    connection.take(most).read_to_end(&mut answer).unwrap();
    answer
}

fn serve(dir: &TempDir) -> Proxy {
    let site = Hostile::new(World::new(3, 60).unwrap(), dir.path()).unwrap();
    Proxy::start(0, &dir.path().join("log"), site).unwrap()
}

#[test]
fn every_attack_has_a_name_and_a_host_of_its_own() {
    let attacks = attacks();
    let names: HashSet<&str> = attacks.iter().map(|attack| attack.name.as_str()).collect();
    let urls: HashSet<String> = attacks.iter().flat_map(|attack| attack.urls()).collect();
    assert_eq!((names.len(), urls.len()), (attacks.len(), attacks.len()));
    for attack in &attacks {
        assert!(attack.outcomes.chars().all(|letter| "FGRM".contains(letter)), "{}", attack.name);
    }
}

#[test]
fn a_page_of_a_kind_is_as_long_as_the_limit_allows() {
    let dir = TempDir::new().unwrap();
    let proxy = serve(&dir);
    for number in [0, 40, 100] {
        let answer = ask(&proxy, &format!("http://kind-{number}.{DOMAIN}/"), 1 << 30);
        assert!((LIMIT - 8192..LIMIT + 512).contains(&answer.len()), "{number}: {}", answer.len());
    }
}

#[test]
fn a_request_into_this_machine_is_noted() {
    let dir = TempDir::new().unwrap();
    let proxy = serve(&dir);
    ask(&proxy, "http://127.0.0.1:1/inner", 1000);
    ask(&proxy, &format!("http://endless-body.{DOMAIN}/"), 1000);
    let mut noted = String::new();
    while noted.lines().count() < 2 {
        noted = fs::read_to_string(dir.path().join("attacked.tsv")).unwrap();
    }
    assert!(noted.contains("\toutside\thttp://127.0.0.1:1/inner\t"), "{noted}");
    assert!(noted.contains("\tendless body\t"), "{noted}");
}
