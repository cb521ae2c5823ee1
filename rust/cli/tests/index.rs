//! Indexes of archives as sources: `seeds --index` and `collect --ranges`.

use crate::common::{corpulyzer, stderr, stdout};
use flate2::write::GzEncoder;
use flate2::Compression;
use parquet_files::{Cell, Kind, Shard};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

const URDU: &str = "شہر کی پرانی لائبریری میں کل شام ایک مشاعرہ ہوا جس میں دور دور سے لوگ آئے۔ ";
const WARC: &str = "crawl-data/CC-MAIN-2026-47/x.warc.gz";

/// URL, languages in the index, text.
const PAGES: [(&str, &str, &str); 7] = [
    ("http://a.pk/1", "urd", URDU),
    ("http://a.pk/2", "eng,urd", URDU),
    ("http://a.pk/3", "eng", "English text of a page that is long enough to be a page."),
    ("http://b.pk/", "eng,fas,urd", URDU),
    ("http://c.com/1", "eng", "English text of another page that is long enough to be one."),
    ("http://c.com/2", "eng,urd", URDU),
    ("http://d.pk/", "snd", "سنڌي ٻولي ۾ لکيل هڪ صفحو، جيڪو هتي آهي."),
];

fn packed(url: &str, text: &str) -> Vec<u8> {
    let text = text.repeat(20);
    let head = format!(
        "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-11-24T00:00:00Z\r\n\
         Content-Type: text/plain\r\nContent-Length: {}\r\n\r\n",
        text.len()
    );
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&[head.as_bytes(), text.as_bytes(), b"\r\n\r\n"].concat()).unwrap();
    gzip.finish().unwrap()
}

/// An archive in a folder with its index in both forms. Returns the bytes of its records.
fn archive(folder: &Path) -> Vec<Vec<u8>> {
    let records: Vec<Vec<u8>> = PAGES.iter().map(|(url, _, text)| packed(url, text)).collect();
    let file = folder.join(WARC);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, records.concat()).unwrap();
    let kinds = [
        ("url", Kind::Text),
        ("url_host_name", Kind::Text),
        ("url_host_registered_domain", Kind::Text),
        ("fetch_status", Kind::Int),
        ("content_languages", Kind::Text),
        ("warc_filename", Kind::Text),
        ("warc_record_offset", Kind::Int),
        ("warc_record_length", Kind::Int),
    ];
    let kinds = kinds.map(|(name, kind)| (name.to_owned(), kind)).to_vec();
    let mut table = Shard::new(Vec::new(), kinds, &[]).unwrap();
    let (mut lines, mut offset) = (String::new(), 0);
    let text = |text: &str| Cell::Text(text.to_owned());
    for ((url, languages, _), record) in PAGES.iter().zip(&records) {
        let host = url.split('/').nth(2).unwrap();
        let length = record.len();
        lines += &format!(
            "k 20261124000000 {{\"url\": \"{url}\", \"status\": \"200\", \"languages\": \"{languages}\", \
             \"length\": \"{length}\", \"offset\": \"{offset}\", \"filename\": \"{WARC}\"}}\n"
        );
        let place = [Cell::Int(offset as i64), Cell::Int(length as i64)];
        let row = [text(url), text(host), text(host), Cell::Int(200), text(languages), text(WARC)];
        table.add(row.into_iter().chain(place).collect()).unwrap();
        offset += length;
    }
    // A response with status 404 is no page.
    lines += "k 20261124000000 {\"url\": \"http://gone.pk/\", \"status\": \"404\", \"languages\": \"urd\"}\n";
    fs::write(folder.join("index.cdxj"), lines).unwrap();
    fs::write(folder.join("index.parquet"), table.finish().unwrap()).unwrap();
    records
}

#[test]
fn seeds_of_an_index_are_pages_with_the_language_at_any_rank() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    archive(folder.path());
    let seeds = |index: &str, more: &[&str]| {
        let mut command = corpulyzer([
            "seeds",
            "--index",
            &path(index),
            "--language",
            "ur",
            "--out",
            &path("seeds"),
        ]);
        command.args(more).assert().success();
        fs::read_to_string(path("seeds")).unwrap().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let all = ["http://a.pk/1", "http://a.pk/2", "http://b.pk/", "http://c.com/2"];
    for index in ["index.cdxj", "index.parquet"] {
        let tables = ["--hosts", &path("hosts"), "--table", &path("table")];
        assert_eq!(seeds(index, &tables), all, "{index}");
        let hosts = fs::read_to_string(path("hosts")).unwrap();
        let rows: Vec<Vec<&str>> =
            hosts.lines().skip(1).map(|line| line.split('\t').take(6).collect()).collect();
        assert_eq!(rows[0], ["a.pk", "3", "2", "1", "0", "66.67"], "{index}");
        assert_eq!(rows.len(), 3);
        let table = fs::read_to_string(path("table")).unwrap();
        let row: Vec<&str> = table.lines().nth(1).unwrap().split('\t').collect();
        assert_eq!(row[..7], ["CC-MAIN-2026-47", "7", "1", "2", "1", "4", "3"], "{index}");
        assert_eq!(
            (row[7], row[9]),
            (if index == "index.cdxj" { "-" } else { "3" }, "4"),
            "{index}"
        );
        // Half of c.com is in English.
        assert_eq!(seeds(index, &["--min-share", ".6"]), all[..3]);
        assert_eq!(seeds(index, &["--min-pages", "2"]), all[..2]);
        assert_eq!(seeds(index, &["--like", "snd"]).len(), 5);
    }
}

#[test]
fn an_index_cannot_know_every_language_and_what_is_no_index_is_named() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    archive(folder.path());
    let seeds = |index: &str, language: &str| {
        let assert = corpulyzer([
            "seeds",
            "--index",
            &path(index),
            "--language",
            language,
            "--out",
            &path("new"),
        ]);
        stderr(&{ assert }.assert().code(1))
    };
    let said = seeds("index.cdxj", "skr");
    assert!(
        said.contains("does not know Saraiki")
            && said.contains("list the hosts of these with --like "),
        "{said}"
    );
    assert!(said.contains("no page can be a seed for skr"), "{said}");
    fs::write(path("corpus.parquet"), {
        let mut table = Shard::new(Vec::new(), vec![("text".to_owned(), Kind::Text)], &[]).unwrap();
        table.add(vec![Cell::Text("x".to_owned())]).unwrap();
        table.finish().unwrap()
    })
    .unwrap();
    assert!(seeds("corpus.parquet", "ur").contains("has no column url, content_languages"));
    assert!(seeds("none", "ur").contains("none: no such file"));
    fs::write(path("text"), "no index\n").unwrap();
    assert!(seeds("text", "ur").contains("line 1: is no CDXJ"));
    let whole = fs::read(path("index.parquet")).unwrap();
    fs::write(path("cut.parquet"), &whole[..whole.len() / 2]).unwrap();
    assert!(seeds("cut.parquet", "ur").contains("is cut short"));
}

#[test]
fn an_index_that_names_no_languages_is_refused_with_what_to_use() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    archive(folder.path());
    let index = fs::read_to_string(path("index.cdxj")).unwrap();
    fs::write(path("own.cdxj"), index.replace("\"languages\"", "\"mime\"")).unwrap();
    let refused = |arguments: &[&str], index: &str| {
        let mut command = corpulyzer(arguments.iter().copied());
        let out = path(&format!("{} {index}", arguments[0]));
        command.args([&path(index), "--language", "tr", "--out", &out]);
        stderr(&command.assert().code(1))
    };
    let (none, known) = ("the index names no languages of pages", "the index has no page in tur");
    let said = refused(&["seeds", "--index"], "own.cdxj");
    assert!(said.contains(none) && said.contains("without --index"), "{said}");
    let said = refused(&["collect", "--ranges"], "own.cdxj");
    assert!(said.contains(none) && said.contains("without --ranges"), "{said}");
    let said = refused(&["seeds", "--index"], "index.cdxj");
    assert!(!said.contains(none) && said.contains("no page can be a seed for tur"), "{said}");
    let said = refused(&["collect", "--ranges"], "index.cdxj");
    assert!(!said.contains(none) && said.contains(known), "{said}");
}

#[test]
fn only_the_records_of_pages_in_the_language_are_read() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let records = archive(folder.path());
    let collect = |inputs: &[&str], out: &str| {
        let mut command =
            corpulyzer(["collect", "--language", "ur", "--out", &path(out), "--min-bytes", "1"]);
        command.args(inputs).assert()
    };
    // The same records alone, in a file of their own.
    let wanted: Vec<Vec<u8>> = [0, 1, 3, 5].iter().map(|&at: &usize| records[at].clone()).collect();
    fs::write(path("some.warc.gz"), wanted.concat()).unwrap();
    collect(&[&path("some.warc.gz")], "some").success();
    let some = fs::read(path("some/urd/corpus.jsonl.zst")).unwrap();
    for index in ["index.cdxj", "index.parquet"] {
        let done =
            collect(&["--ranges", &path(index)], index.trim_start_matches("index.")).success();
        assert!(stdout(&done).starts_with("4 records, 4 pages"), "{}", stdout(&done));
        let read =
            fs::read(path(&format!("{}/urd/corpus.jsonl.zst", index.trim_start_matches("index."))))
                .unwrap();
        assert!(read == some, "{index}: the same bytes");
    }
    let root = folder.path().join("elsewhere");
    fs::create_dir(&root).unwrap();
    let said = stderr(
        &collect(&["--ranges", &path("index.cdxj"), "--root", root.to_str().unwrap()], "no")
            .code(1),
    );
    assert!(said.contains("name their folder or server (--root)"), "{said}");
    let line = "k 1 {\"url\": \"http://a.pk/\", \"languages\": \"urd\", \"length\": \"9\", \"offset\": \"0\", \"filename\": \"../x\"}\n";
    fs::write(path("outside.cdxj"), line).unwrap();
    let said = stderr(&collect(&["--ranges", &path("outside.cdxj")], "no").code(1));
    assert!(said.contains("an index names the file ../x, which is not in "), "{said}");
    // A line that is no entry may be one that was damaged.
    let before = fs::read(path("cdxj/urd/corpus.jsonl.zst")).unwrap();
    let damaged = fs::read_to_string(path("index.cdxj")).unwrap().replacen("{\"", "{", 1);
    fs::write(path("damaged.cdxj"), damaged).unwrap();
    let said = stderr(&collect(&["--ranges", &path("damaged.cdxj"), "--replace"], "cdxj").code(1));
    assert!(said.contains("line 1: is no CDXJ"), "{said}");
    assert!(said.contains("1 line without an entry; no record was read"), "{said}");
    assert!(fs::read(path("cdxj/urd/corpus.jsonl.zst")).unwrap() == before, "the old one stays");
    // A place behind the end of the file is a loss.
    let line = fs::read_to_string(path("index.cdxj"))
        .unwrap()
        .replace("\"offset\": \"0\"", "\"offset\": \"999999\"");
    fs::write(path("behind.cdxj"), line).unwrap();
    let said = stderr(&collect(&["--ranges", &path("behind.cdxj")], "behind").code(1));
    assert!(said.contains("ends before a record that the index names"), "{said}");
}

/// The fault of a server for each request by its number, from 0; otherwise it serves ranges.
#[derive(Clone, Copy)]
enum Trouble {
    None,
    /// Is busy at the first request, and closes the connection within the second.
    Passing,
    /// Answers the second request and its further tries with 500.
    Broken,
    NoRanges,
    /// Has another file from the fourth request on.
    Changing,
}

/// Serves a folder on loopback. Returns the address, and the Range headers of the requests.
fn serve(folder: &Path, trouble: Trouble) -> (String, Arc<Mutex<Vec<String>>>) {
    serve_with(folder, trouble, None)
}

/// Serves a folder on loopback, with TLS if there is a configuration.
fn serve_with(
    folder: &Path,
    trouble: Trouble,
    tls: Option<Arc<ServerConfig>>,
) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let scheme = if tls.is_some() { "https" } else { "http" };
    let address = format!("{scheme}://{}/", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (folder, log) = (folder.to_owned(), Arc::clone(&asked));
    // The thread ends with the process.
    std::thread::spawn(move || {
        for socket in listener.incoming().flatten() {
            let mut stream: Box<dyn Stream> = match &tls {
                None => Box::new(socket),
                Some(tls) => {
                    let session = ServerConnection::new(Arc::clone(tls)).unwrap();
                    Box::new(StreamOwned::new(session, socket))
                }
            };
            let lines = BufReader::new(&mut stream).lines().map_while(Result::ok);
            let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
            // A client that refuses the certificate sends no request.
            let Some(line) = head.first() else { continue };
            let path = line.split(' ').nth(1).unwrap().trim_start_matches('/');
            let range =
                head.iter().find_map(|line| line.strip_prefix("range: bytes=")).unwrap().to_owned();
            assert!(head.iter().any(|line| line.starts_with("user-agent: corpulyzer/")));
            let number = log.lock().unwrap().len();
            log.lock().unwrap().push(range.clone());
            let answer = match (trouble, number, fs::read(folder.join(path))) {
                (Trouble::Passing, 0, _) => b"HTTP/1.1 503 Busy\r\nRetry-After: 0\r\n\r\n".to_vec(),
                (Trouble::Broken, 1..=5, _) => b"HTTP/1.1 500 Broken\r\n\r\n".to_vec(),
                (Trouble::NoRanges, _, _) => b"HTTP/1.1 200 OK\r\n\r\nall of it".to_vec(),
                (_, _, Err(_)) => b"HTTP/1.1 404 Not Found\r\n\r\n".to_vec(),
                (_, _, Ok(file)) => {
                    let (start, end) = range.split_once('-').unwrap();
                    let (start, end): (usize, usize) =
                        (start.parse().unwrap(), end.parse().unwrap());
                    let end = end.min(file.len() - 1);
                    let tag = u8::from(number > 2 && matches!(trouble, Trouble::Changing));
                    let head = format!(
                        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes {start}-{end}/{}\r\n\
                         ETag: \"{tag}\"\r\n\r\n",
                        file.len()
                    );
                    let body = &file[start..=end];
                    let body = if number == 1 && matches!(trouble, Trouble::Passing) {
                        &body[..9]
                    } else {
                        body
                    };
                    [head.as_bytes(), body].concat()
                }
            };
            let _ = stream.write_all(&answer).and_then(|()| stream.flush());
        }
    });
    (address, asked)
}

trait Stream: Read + Write {}

impl<T: Read + Write> Stream for T {}

/// A server's certificate for 127.0.0.1 that its own key signed, as PEM, and the configuration.
fn certificate() -> (String, Arc<ServerConfig>) {
    let own = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(own.signing_key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![own.cert.der().clone()], key)
        .unwrap();
    (own.cert.pem(), Arc::new(tls))
}

#[test]
fn ranges_are_fetched_with_tls_from_a_server_whose_certificate_is_trusted() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    archive(folder.path());
    fs::create_dir(path("index")).unwrap();
    fs::rename(path("index.cdxj"), path("index/index.cdxj")).unwrap();
    let (pem, tls) = certificate();
    fs::write(path("trusted.pem"), pem).unwrap();
    fs::write(path("other.pem"), certificate().0).unwrap();
    fs::write(path("empty.pem"), "").unwrap();
    let collect = |root: &str, out: &str, trusted: &str| {
        let mut command = corpulyzer(["collect", "--ranges", &path("index"), "--language", "ur"]);
        command.args(["--min-bytes", "1", "--delay", "0", "--root", root, "--out", &path(out)]);
        command.env("SSL_CERT_FILE", path(trusted)).env_remove("SSL_CERT_DIR").assert()
    };
    let corpus = |out: &str| fs::read(path(&format!("{out}/urd/corpus.jsonl.zst"))).unwrap();
    collect(folder.path().to_str().unwrap(), "local", "empty.pem").success();

    let (address, asked) = serve_with(folder.path(), Trouble::Passing, Some(tls));
    collect(&address, "fetched", "trusted.pem").success();
    assert!(corpus("fetched") == corpus("local"), "the same bytes as from local files");
    assert_eq!(asked.lock().unwrap().len(), 5, "three ranges, the first of them in three tries");

    let said = stderr(&collect(&address, "other", "other.pem").code(1));
    assert!(said.contains("the certificate of the server is refused"), "{said}");
    assert!(said.contains("SSL_CERT_FILE"), "{said}");
    let said = stderr(&collect(&address, "empty", "empty.pem").code(1));
    assert!(said.contains("this machine has no certificate authorities"), "{said}");
    assert_eq!(asked.lock().unwrap().len(), 5, "no request to a server that is not trusted");

    // A server without TLS behind an https address.
    let (address, _) = serve(folder.path(), Trouble::None);
    let address = address.replace("http:", "https:");
    let said = stderr(&collect(&address, "plain", "trusted.pem").code(1));
    assert!(said.contains(", 5 times"), "{said}");
}

/// A proxy on loopback that connects everyone to one server, whatever is asked for. Returns its
/// address, and what was asked for.
fn connect_all_to(server: &str) -> (String, Arc<Mutex<Vec<String>>>) {
    let server = server.trim_start_matches("http://").trim_end_matches('/').to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    std::thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            let lines = BufReader::new(&mut client).lines().map_while(Result::ok);
            let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
            log.lock().unwrap().push(head[0].clone());
            let (mut server, mut answers) =
                (TcpStream::connect(&server).unwrap(), client.try_clone().unwrap());
            client.write_all(b"HTTP/1.1 200 Connected\r\n\r\n").unwrap();
            let mut requests = server.try_clone().unwrap();
            std::thread::spawn(move || std::io::copy(&mut client, &mut requests));
            std::thread::spawn(move || std::io::copy(&mut server, &mut answers));
        }
    });
    (address, asked)
}

#[test]
fn records_are_fetched_through_the_proxy_of_the_environment() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    archive(folder.path());
    let collect = |root: &str, out: &str, proxy: &str, direct: &str| {
        let index = path("index.cdxj");
        let mut command = corpulyzer(["collect", "--ranges", &index, "--language", "ur"]);
        command.args(["--min-bytes", "1", "--delay", "0", "--root", root, "--out", &path(out)]);
        command.env("HTTP_PROXY", proxy).env("NO_PROXY", direct).assert()
    };
    let (server, ranges) = serve(folder.path(), Trouble::None);
    let (proxy, asked) = connect_all_to(&server);
    collect("http://archive.invalid/", "fetched", &proxy, "").success();
    assert_eq!(ranges.lock().unwrap().len(), 3);
    assert_eq!(asked.lock().unwrap()[0], "CONNECT archive.invalid:80 HTTP/1.1");
    collect(&server, "direct", "http://127.0.0.1:9", "127.0.0.1").success();
}

/// A folder with an archive and, in the folder `index` of it, its index.
fn with_index_elsewhere() -> TempDir {
    let folder = TempDir::new().unwrap();
    archive(folder.path());
    fs::create_dir(folder.path().join("index")).unwrap();
    fs::rename(folder.path().join("index.cdxj"), folder.path().join("index/index.cdxj")).unwrap();
    folder
}

/// Collects the Urdu records that `index` names, from a folder or a server.
fn collected(folder: &TempDir, root: &str, out: &str) -> assert_cmd::assert::Assert {
    corpulyzer(["collect", "--ranges", "index", "--language", "ur", "--min-bytes", "1"])
        .args(["--out", out, "--root", root, "--delay", "0", "--contact", "corpus@example.org"])
        .current_dir(folder.path())
        .assert()
}

#[test]
fn records_are_fetched_by_ranges_and_a_run_that_ended_goes_on() {
    let folder = with_index_elsewhere();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let collect = |root: &str, out: &str| collected(&folder, root, out);
    let local = collect(".", "local").success();
    assert!(stdout(&local).starts_with("4 records, 4 pages"), "{}", stdout(&local));
    let corpus = |out: &str| fs::read(path(&format!("{out}/urd/corpus.jsonl.zst"))).unwrap();

    let (address, asked) = serve(folder.path(), Trouble::Passing);
    let said = stderr(&collect(&address, "fetched").success());
    assert!(corpus("fetched") == corpus("local"), "{said}");
    let ranges = asked.lock().unwrap().clone();
    assert_eq!(ranges.len(), 5, "three ranges, the first of them in three tries: {ranges:?}");
    assert!(
        ranges[0] == ranges[1] && ranges[1] == ranges[2] && ranges[2].starts_with("0-"),
        "{ranges:?}"
    );

    // A record that no disk has room for is not asked for.
    let line = format!("k 1 {{\"url\": \"http://a.pk/\", \"languages\": \"urd\", \"length\": \"1000000000000000\", \"offset\": \"900000\", \"filename\": \"{WARC}\"}}\n");
    fs::write(path("index/long.cdxj"), line).unwrap();
    let (address, asked) = serve(folder.path(), Trouble::None);
    let said = stderr(&collect(&address, "long").success());
    assert!(said.contains("left out 1 record of the index that would be longer than "), "{said}");
    assert!(corpus("long") == corpus("local"));
    assert_eq!(asked.lock().unwrap().len(), 3);
    fs::remove_file(path("index/long.cdxj")).unwrap();

    let (address, before) = serve(folder.path(), Trouble::Broken);
    let said = stderr(&collect(&address, "again").code(1));
    assert!(said.contains("status 500, 5 times; run the same command to continue"), "{said}");
    assert!(!folder.path().join("again/urd").exists(), "no corpus of a part");
    assert_eq!(before.lock().unwrap().len(), 6);
    collect(&address, "again").success();
    assert!(corpus("again") == corpus("local"), "the same bytes as in one run");
    let ranges = before.lock().unwrap().clone();
    assert!(
        ranges.len() == 8 && ranges[6] == ranges[1],
        "what was fetched is not fetched again: {ranges:?}"
    );
}

#[test]
fn servers_that_give_no_ranges_are_refused() {
    let folder = with_index_elsewhere();
    let collect = |root: &str, out: &str| collected(&folder, root, out);
    let (address, _) = serve(folder.path(), Trouble::NoRanges);
    assert!(stderr(&collect(&address, "none").code(1))
        .contains("the server gives no ranges (status 200)"));
    let (address, _) = serve(&folder.path().join("index"), Trouble::None);
    assert!(stderr(&collect(&address, "absent").code(1))
        .contains("name their folder or server (--root)"));
    assert!(stderr(&collect("ftp://127.0.0.1/", "ftp").code(1))
        .contains("allowed are folders, http:// and https:// addresses"));
}

/// A columnar index of 160,000 pages, 30 of them in Urdu and next to each other, in four row groups.
fn large_index(file: &Path) {
    let text = ["url", "content_languages", "warc_filename", "content_digest"];
    let kinds = text.map(|name| (name.to_owned(), Kind::Text)).into_iter();
    let numbers = ["fetch_status", "warc_record_offset", "warc_record_length"];
    let kinds = kinds.chain(numbers.map(|name| (name.to_owned(), Kind::Int))).collect();
    let mut table = Shard::new(Vec::new(), kinds, &[]).unwrap();
    let mut random = 1u64;
    for number in 0..160_000i64 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        let language = if (90_000..90_030).contains(&number) { "eng,urd" } else { "eng" };
        let texts = [
            format!("http://h{}.pk/{:x}", number / 100, random >> 8),
            language.to_owned(),
            WARC.to_owned(),
            format!("{random:x}{:x}", random.rotate_left(31)),
        ];
        let numbers = [200, (random >> 30) as i64, (random >> 48) as i64 + 1];
        let row = texts.map(Cell::Text).into_iter().chain(numbers.map(Cell::Int));
        table.add(row.collect()).unwrap();
    }
    fs::write(file, table.finish().unwrap()).unwrap();
}

/// The bytes of requests, by their Range headers.
fn bytes(ranges: &[String]) -> u64 {
    let length = |range: &String| {
        let (start, end) = range.split_once('-').unwrap();
        end.parse::<u64>().unwrap() + 1 - start.parse::<u64>().unwrap()
    };
    ranges.iter().map(length).sum()
}

#[test]
fn a_table_on_a_server_is_read_in_parts_and_a_run_that_ended_goes_on() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    large_index(&folder.path().join("index.parquet"));
    let length = fs::metadata(path("index.parquet")).unwrap().len();
    let seeds = |index: &str, out: &str| {
        let mut command = corpulyzer(["seeds", "--index", index, "--language", "ur"]);
        command.args(["--delay", "0", "--per-host", "30", "--out", &path(out)]).assert()
    };
    let pages = "160000 pages, 30 of them in urd";
    let said = stderr(&seeds(&path("index.parquet"), "local").success());
    assert!(said.contains(pages), "{said}");
    let local = fs::read(path("local")).unwrap();

    let (address, asked) = serve(folder.path(), Trouble::None);
    let said = stderr(&seeds(&format!("{address}index.parquet"), "whole").success());
    assert!(said.contains(pages) && fs::read(path("whole")).unwrap() == local, "{said}");
    let ranges = asked.lock().unwrap().clone();
    assert!(bytes(&ranges) < length / 10, "{} of {length} bytes: {ranges:?}", bytes(&ranges));
    let sum = format!("fetched {} bytes in {} requests", bytes(&ranges), ranges.len());
    assert!(said.contains(&sum), "{said}");
    assert!(!folder.path().join("whole.fetched").exists(), "nothing is left behind");

    // Shares of hosts need all pages.
    let (address, all) = serve(folder.path(), Trouble::None);
    let mut command = corpulyzer(["seeds", "--index", &format!("{address}index.parquet")]);
    command.args(["--language", "ur", "--delay", "0", "--per-host", "30", "--min-share", ".2"]);
    let said = stderr(&command.args(["--out", &path("share")]).assert().success());
    assert!(said.contains(pages) && fs::read(path("share")).unwrap() == local, "{said}");
    assert!(bytes(&all.lock().unwrap()) > length / 2);

    let (address, before) = serve(folder.path(), Trouble::Broken);
    let said = stderr(&seeds(&format!("{address}index.parquet"), "again").code(1));
    assert!(said.contains("status 500, 5 times; run the same command to continue"), "{said}");
    assert!(!folder.path().join("again").exists() && folder.path().join("again.fetched").is_dir());
    let failed = before.lock().unwrap().len();
    seeds(&format!("{address}index.parquet"), "again").success();
    assert_eq!(fs::read(path("again")).unwrap(), local);
    seeds(&format!("{address}index.parquet"), "again").success();
    let requests = before.lock().unwrap().len();
    assert_eq!(requests, failed + 2 * ranges.len(), "a run that was complete begins anew");

    let (address, _) = serve(folder.path(), Trouble::Changing);
    let said = stderr(&seeds(&format!("{address}index.parquet"), "changing").code(1));
    assert!(said.contains("the file changed on the server while it was read"), "{said}");
    let (address, _) = serve(folder.path(), Trouble::NoRanges);
    let said = stderr(&seeds(&format!("{address}index.parquet"), "none").code(1));
    assert!(said.contains("the server gives no ranges (status 200)"), "{said}");
    let said = stderr(&seeds(&format!("{address}../index.parquet"), "none").code(1));
    assert!(said.contains("status 200"), "{said}");
    let said = stderr(&seeds("ftp://127.0.0.1/index.parquet", "none").code(1));
    assert!(said.contains("is not fetched from"), "{said}");
}

#[test]
fn an_index_on_a_server_leads_to_its_records_there() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    archive(folder.path());
    let collect = |index: &str, out: &str| {
        let mut command = corpulyzer(["collect", "--ranges", index, "--language", "ur"]);
        command.args(["--min-bytes", "1", "--delay", "0", "--out", &path(out)]).assert()
    };
    let corpus = |out: &str| fs::read(path(&format!("{out}/urd/corpus.jsonl.zst"))).unwrap();
    collect(&path("index.cdxj"), "local").success();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&fs::read(path("index.cdxj")).unwrap()).unwrap();
    fs::write(path("index.gz"), gzip.finish().unwrap()).unwrap();
    for index in ["index.cdxj", "index.gz", "index.parquet"] {
        let (address, _) = serve(folder.path(), Trouble::Passing);
        let out = format!("of-{index}");
        let said = stderr(&collect(&format!("{address}{index}"), &out).success());
        assert!(corpus(&out) == corpus("local"), "{index}: {said}");
    }
    let (address, _) = serve(folder.path(), Trouble::None);
    let said = stderr(&collect(&format!("{address}none.cdxj"), "none").code(1));
    assert!(said.contains("none.cdxj: the server does not have the file"), "{said}");
    // A cut index is a loss: no record is read.
    let whole = fs::read(path("index.gz")).unwrap();
    fs::write(path("cut.gz"), &whole[..whole.len() - 20]).unwrap();
    let said = stderr(&collect(&format!("{address}cut.gz"), "cut").code(1));
    assert!(said.contains("an index was not read to its end"), "{said}");
}

#[test]
fn the_summary_of_an_index_stands_for_its_files_and_shows_which_is_cut() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    archive(folder.path());
    let lines = fs::read_to_string(path("index.cdxj")).unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    let mut summary = String::new();
    fs::create_dir(path("zipnum")).unwrap();
    for (number, half) in lines.chunks(4).enumerate() {
        let (mut part, name) = (Vec::new(), format!("cdx-0000{number}.gz"));
        for block in half.chunks(2) {
            let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
            gzip.write_all((block.join("\n") + "\n").as_bytes()).unwrap();
            let member = gzip.finish().unwrap();
            summary += &format!("k 2026\t{name}\t{}\t{}\t1\n", part.len(), member.len());
            part.extend(member);
        }
        fs::write(folder.path().join("zipnum").join(name), part).unwrap();
    }
    fs::write(path("zipnum/cluster.idx"), &summary).unwrap();
    let seeds = |index: &str, out: &str| {
        let mut command = corpulyzer(["seeds", "--index", index, "--language", "ur"]);
        command.args(["--delay", "0", "--out", &path(out)]).assert()
    };
    seeds(&path("index.cdxj"), "plain").success();
    let plain = fs::read(path("plain")).unwrap();
    let (address, _) = serve(folder.path(), Trouble::None);
    let remote = format!("{address}zipnum/cluster.idx");
    for index in [&path("zipnum/cluster.idx"), &path("zipnum"), &remote] {
        let said = stderr(&seeds(index, "summary").success());
        assert!(fs::read(path("summary")).unwrap() == plain, "{index}: {said}");
        assert!(said.contains("7 pages, 4 of them"), "{index}: each file is read once: {said}");
    }
    // Cut between two blocks, so that what is there is whole.
    let file = path("zipnum/cdx-00001.gz");
    let length = summary.lines().nth(2).unwrap().split('\t').nth(3).unwrap().parse().unwrap();
    fs::File::options().write(true).open(file).unwrap().set_len(length).unwrap();
    for index in [&path("zipnum/cluster.idx"), &remote] {
        let said = stderr(&seeds(index, "cut").code(1));
        assert!(said.contains("cdx-00001.gz: is cut short: it has "), "{said}");
        assert!(folder.path().join("cut.partial").exists(), "{said}");
        let fetched = folder.path().join("cut.fetched");
        assert!(!fetched.exists(), "what may have been damaged on the way is fetched again");
    }
    fs::write(path("zipnum/cluster.idx"), "k 2026\t../index.cdxj\t0\t1\t1\n").unwrap();
    for index in [&path("zipnum/cluster.idx"), &remote] {
        let said = stderr(&seeds(index, "outside").code(1));
        assert!(said.contains("names the file ../index.cdxj, which is not in"), "{said}");
    }
}

#[test]
fn indexes_are_compared() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    archive(folder.path());
    let lines = fs::read_to_string(path("index.cdxj")).unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    fs::write(path("a.cdxj"), lines[..5].join("\n")).unwrap();
    fs::write(path("b.cdxj"), lines[3..].join("\n")).unwrap();
    let compare = |inputs: &[&str], code: i32| {
        let mut command = corpulyzer(["report", "--compare", "--language", "ur"]);
        command.args(inputs.iter().map(|name| path(name))).args(["--out", &path("out")]);
        stderr(&command.assert().code(code))
    };
    let table = |name: &str| fs::read_to_string(folder.path().join("out").join(name)).unwrap();
    // The second run replaces the report of the first.
    for second in ["index.parquet", "b.cdxj"] {
        compare(&["a.cdxj", second], 0);
        assert!(table("releases.tsv").contains("\na.cdxj\t5\t1\t1\t1\t3\t"));
    }
    assert!(table("overlap.tsv").ends_with("\na.cdxj\tb.cdxj\t1\t25.00\t1\t33.33\t28.57\n"));
    assert!(table("index-languages.tsv").contains("\nsnd\t0.0000\t25.0000\t12.5000\n"));
    assert!(table("report.html").contains("Indexes of archives: Urdu"));
    let json: serde_json::Value = serde_json::from_str(&table("report.json")).unwrap();
    let schema: serde_json::Value =
        serde_json::from_str(include_str!("../../../docs/report.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    assert!(schema.is_valid(&json), "{json}");
    let indexes = &json["indexes"];
    assert_eq!(indexes["releases"][0]["any_rank"], 3);
    assert_eq!(indexes["releases"][0]["hosts_lost_percent"], serde_json::Value::Null);
    assert_eq!(indexes["overlap"][0]["urls_jaccard_percent"], 25.0);
    // The code of Southern Min is no number.
    let line = lines[0].replace("http://", "http://nan.");
    let from = line.find("\"languages\": \"").unwrap() + 14;
    let to = from + line[from..].find("\",").unwrap();
    fs::write(path("nan.cdxj"), format!("{}nan{}\n", &line[..from], &line[to..])).unwrap();
    compare(&["a.cdxj", "nan.cdxj"], 0);
    let json: serde_json::Value = serde_json::from_str(&table("report.json")).unwrap();
    let shares = json["indexes"]["index_languages"].as_array().unwrap();
    let row = shares.iter().find(|row| row["language"] == "nan").unwrap();
    assert_eq!((row["nan.cdxj"].as_f64(), row["a.cdxj"].as_f64()), (Some(100.0), Some(0.0)));
    fs::write(path("b.cdxj"), format!("{}\nk 1 {{cut", lines[3..].join("\n"))).unwrap();
    let said = compare(&["a.cdxj", "b.cdxj"], 1);
    assert!(said.contains("b.cdxj: line 6: is no CDXJ"), "{said}");
    assert!(folder.path().join("out.partial/releases.tsv").is_file(), "{said}");
}
