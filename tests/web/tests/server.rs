//! The proxy on the wire.
#![allow(clippy::unwrap_used)]

use corpulyzer_web::recorded::Pages;
use corpulyzer_web::server::Proxy;
use corpulyzer_web::world::{Answer, World};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use tempfile::TempDir;

/// Sends requests over one connection and reads each response: status, headers in lower case, body.
struct Client(BufReader<TcpStream>);

impl Client {
    fn new(proxy: &Proxy) -> Client {
        Client(BufReader::new(TcpStream::connect(proxy.address()).unwrap()))
    }

    fn ask(&mut self, method: &str, target: &str, host: &str) -> (u16, String, Vec<u8>) {
        // In one write, so that no small packet waits for the acknowledgement of another.
        let request = format!("{method} {target} HTTP/1.1\r\nHost: {host}\r\n\r\n");
        self.0.get_mut().write_all(request.as_bytes()).unwrap();
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(
                self.0.read_line(&mut head).unwrap() > 0,
                "the connection was closed after: {head}"
            );
        }
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let head = head.to_lowercase();
        let length = head
            .split("content-length: ")
            .nth(1)
            .and_then(|t| t.lines().next()?.parse().ok())
            .unwrap_or(0);
        let mut body = vec![0; if method == "HEAD" { 0 } else { length }];
        self.0.read_exact(&mut body).unwrap();
        (status, head, body)
    }
}

fn sample(dir: &TempDir) -> (Proxy, World) {
    let world = || World::new(3, 60).unwrap();
    (Proxy::start(0, &dir.path().join("log"), world()).unwrap(), world())
}

#[test]
fn it_listens_on_loopback_only() {
    let dir = TempDir::new().unwrap();
    let (proxy, _) = sample(&dir);
    assert_eq!(proxy.address().ip(), Ipv4Addr::LOCALHOST);
    // Linux lists its sockets: address and port in hexadecimal, 0A is LISTEN.
    let port = format!(":{:04X}", proxy.address().port());
    let sockets = ["/proc/net/tcp", "/proc/net/tcp6"]
        .map(|f| std::fs::read_to_string(f).unwrap_or_default())
        .join("");
    let listening = sockets.lines().map(|l| l.split_whitespace().collect::<Vec<_>>());
    let ours: Vec<_> =
        listening.filter(|c| c.len() > 3 && c[3] == "0A" && c[1].ends_with(&port)).collect();
    assert!(ours.iter().all(|c| c[1].starts_with("0100007F:")), "{ours:?}");
}

#[test]
fn absolute_and_host_header_forms_give_one_page_over_a_kept_connection() {
    let dir = TempDir::new().unwrap();
    let (proxy, world) = sample(&dir);
    let mut client = Client::new(&proxy);
    for url in world.seeds() {
        let parsed = url::Url::parse(&url).unwrap();
        let authority = parsed.authority().to_string();
        let by_proxy = client.ask("GET", &url, &authority);
        let direct = client.ask("GET", parsed.path(), &authority);
        assert_eq!((by_proxy.0, &by_proxy.2), (200, &direct.2), "{url}");
        assert!(by_proxy.1.contains("content-type: text/html"), "{}", by_proxy.1);
        let (status, head, _) = client.ask("HEAD", &url, &authority);
        assert_eq!(status, 200);
        assert!(head.contains(&format!("content-length: {}", by_proxy.2.len())), "{head}");
    }
}

#[test]
fn connections_that_are_kept_idle_let_no_other_wait() {
    let dir = TempDir::new().unwrap();
    let (proxy, world) = sample(&dir);
    let url = &world.seeds()[0];
    let mut kept: Vec<Client> = (0..100).map(|_| Client::new(&proxy)).collect();
    for client in &mut kept {
        assert_eq!(client.ask("GET", url, "x.test").0, 200);
    }
}

#[test]
fn a_request_that_is_none_is_answered_with_400_and_the_connection_ends() {
    let dir = TempDir::new().unwrap();
    let (proxy, _) = sample(&dir);
    for bytes in [
        b"\x16\x03\x01 no HTTP\r\n\r\n".to_vec(),
        [b"GET /".as_slice(), &vec![b'a'; 70_000]].concat(),
    ] {
        let mut stream = TcpStream::connect(proxy.address()).unwrap();
        // The server may have hung up before it was all sent.
        let _ = stream.write_all(&bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(
            answer.is_empty() || answer.starts_with(b"HTTP/1.1 400 "),
            "{}",
            String::from_utf8_lossy(&answer)
        );
    }
    assert_eq!(Client::new(&proxy).ask("GET", "http://nobody.test/", "nobody.test").0, 502);
}

#[test]
fn tunnels_and_posts_are_refused_in_a_sentence() {
    let dir = TempDir::new().unwrap();
    let (proxy, world) = sample(&dir);
    let (status, _, body) = Client::new(&proxy).ask("CONNECT", "some.test:443", "some.test:443");
    assert_eq!(status, 405);
    assert!(String::from_utf8(body).unwrap().contains("http://"));
    let (status, _, _) = Client::new(&proxy).ask("POST", &world.seeds()[0], "x.test");
    assert_eq!(status, 405);
}

#[test]
fn what_is_not_there_has_a_status_of_its_own() {
    let dir = TempDir::new().unwrap();
    let (proxy, world) = sample(&dir);
    let mut client = Client::new(&proxy);
    assert_eq!(client.ask("GET", "http://nobody.test/", "nobody.test").0, 502);
    let host = &world.hosts[0];
    let port = host.port.map(|p| format!(":{p}")).unwrap_or_default();
    let origin = format!("http://{}{port}", host.name);
    assert_eq!(client.ask("GET", &format!("{origin}/no/such/page"), &host.name).0, 404);
    assert_eq!(client.ask("GET", &format!("{origin}:99/"), &host.name).0, 502);
    let (status, head, _) = client.ask("GET", &format!("{origin}/go/1"), &host.name);
    assert_eq!(status, 301);
    assert!(head.contains(&format!("location: {origin}/")), "{head}");
    let (status, _, robots) = client.ask("GET", &format!("{origin}/robots.txt"), &host.name);
    assert_eq!(status, 200);
    assert!(String::from_utf8(robots).unwrap().starts_with("User-agent: *\nDisallow:"));
}

#[test]
fn the_log_tells_the_true_language_of_every_page() {
    let dir = TempDir::new().unwrap();
    let (proxy, world) = sample(&dir);
    let mut client = Client::new(&proxy);
    let mut expected = Vec::new();
    for url in world.sample(60) {
        let (_, _, body) = client.ask("GET", &url, "x.test");
        let Answer::Page(page) = world.resolve(&url) else { panic!("{url}") };
        let kind = world.hosts[page.host].kind.name();
        expected.push(format!("{url}\t200\t{}\t{kind}\t{}", page.language, body.len()));
    }
    let robots = format!(
        "http://{}/robots.txt",
        world.hosts.iter().find(|h| h.port.is_none()).unwrap().name
    );
    let (_, _, body) = client.ask("GET", &robots, "x.test");
    expected.push(format!("{robots}\t200\t-\trobots\t{}", body.len()));
    let log = std::fs::read_to_string(dir.path().join("log")).unwrap();
    let logged: Vec<&str> =
        log.lines().filter_map(|l| l.split_once('\t').map(|(_, rest)| rest)).collect();
    assert_eq!(logged, expected);
    assert!(log
        .lines()
        .all(|l| l.split('\t').next().unwrap().parse::<u64>().unwrap() > 1_600_000_000_000));
}

#[test]
fn recorded_pages_answer_under_both_schemes() {
    let dir = TempDir::new().unwrap();
    std::fs::write(dir.path().join("a.html"), "<p>recorded").unwrap();
    let index = dir.path().join("index.tsv");
    std::fs::write(&index, "https://news.example/a?b=1#c\ta.html\ttext/html; charset=utf-8\tur\n")
        .unwrap();
    let pages = Pages::read(&index, dir.path()).unwrap();
    assert_eq!(pages.urls().collect::<Vec<_>>(), ["http://news.example/a?b=1"]);
    let proxy = Proxy::start(0, &dir.path().join("log"), pages).unwrap();
    let mut client = Client::new(&proxy);
    for url in ["http://news.example/a?b=1", "https://news.example/a?b=1"] {
        let (status, head, body) = client.ask("GET", url, "news.example");
        assert_eq!((status, body.as_slice()), (200, b"<p>recorded".as_slice()), "{url}");
        assert!(head.contains("content-type: text/html; charset=utf-8"), "{head}");
    }
    assert_eq!(client.ask("GET", "http://news.example/robots.txt", "news.example").0, 404);
    let log = std::fs::read_to_string(dir.path().join("log")).unwrap();
    assert!(
        log.lines().next().unwrap().ends_with("\thttp://news.example/a?b=1\t200\tur\trecorded\t11"),
        "{log}"
    );
}

#[test]
fn a_wrong_index_is_named_by_line() {
    let dir = TempDir::new().unwrap();
    let index = dir.path().join("index.tsv");
    for (line, word) in [
        ("http://a.test/\tb.html", "separated by tabs"),
        ("ftp://a.test/\tb.html\ttext/html", "no http or https"),
        ("http://a.test/\tb.html\ttext/html", "no file"),
    ] {
        std::fs::write(&index, line).unwrap();
        let error = Pages::read(&index, dir.path()).err().unwrap().to_string();
        assert!(error.contains("line 1") && error.contains(word), "{error}");
    }
}
