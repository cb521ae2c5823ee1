//! How many pages are restored exactly, for each encoding, whatever the page's labels say of it.
//!
//! `cargo test --release -p content --test encodings -- --nocapture` prints the table.
#![allow(clippy::unwrap_used)]

use content::{decode, parse, Hints, Limits};
use encoding_rs::Encoding;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// An encoding, the languages that were written in it (each with a top-level domain), and encodings
/// that pages in it are falsely said to be in: what servers and templates say by default, and the
/// encoding's next of kin.
struct Case {
    encoding: &'static str,
    languages: &'static [(&'static str, &'static str)],
    false_labels: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case {
        encoding: "windows-1256",
        languages: &[("ara", "sa"), ("fas", "ir"), ("urd", "pk")],
        false_labels: &["utf-8", "iso-8859-1", "iso-8859-6", "windows-1251"],
    },
    Case {
        encoding: "iso-8859-6",
        languages: &[("ara", "sa")],
        false_labels: &["utf-8", "iso-8859-1", "windows-1256", "windows-1251"],
    },
    Case {
        encoding: "windows-1252",
        languages: &[
            ("fra", "fr"),
            ("deu", "de"),
            ("spa", "es"),
            ("por", "br"),
            ("ita", "it"),
            ("swe", "se"),
            ("dan", "dk"),
            ("fin", "fi"),
            ("isl", "is"),
            ("cat", "es"),
            ("gle", "ie"),
            ("sme", "no"),
        ],
        false_labels: &["utf-8", "windows-1251", "windows-1250", "windows-1256"],
    },
    Case {
        encoding: "koi8-r",
        languages: &[("rus", "ru"), ("bul", "bg")],
        false_labels: &["utf-8", "iso-8859-1", "windows-1251"],
    },
    Case {
        encoding: "windows-1251",
        languages: &[("rus", "ru"), ("bul", "bg"), ("ukr", "ua"), ("bel", "by"), ("mkd", "mk")],
        false_labels: &["utf-8", "iso-8859-1", "koi8-r", "iso-8859-5"],
    },
    Case {
        encoding: "gb18030",
        languages: &[("zho", "cn")],
        false_labels: &["utf-8", "iso-8859-1", "big5", "shift_jis"],
    },
    Case {
        encoding: "big5",
        languages: &[("zho", "tw")],
        false_labels: &["utf-8", "iso-8859-1", "gb18030"],
    },
    Case {
        encoding: "shift_jis",
        languages: &[("jpn", "jp")],
        false_labels: &["utf-8", "iso-8859-1", "euc-jp"],
    },
    Case {
        encoding: "euc-jp",
        languages: &[("jpn", "jp")],
        false_labels: &["utf-8", "iso-8859-1", "shift_jis", "gb18030"],
    },
    Case {
        encoding: "euc-kr",
        languages: &[("kor", "kr")],
        false_labels: &["utf-8", "iso-8859-1", "gb18030"],
    },
    Case {
        encoding: "utf-16le",
        languages: &[("urd", "pk"), ("rus", "ru"), ("zho", "cn"), ("jpn", "jp"), ("fra", "fr")],
        false_labels: &["utf-8", "iso-8859-1", "utf-16be"],
    },
    Case {
        encoding: "utf-16be",
        languages: &[("urd", "pk"), ("rus", "ru"), ("zho", "cn"), ("jpn", "jp"), ("fra", "fr")],
        false_labels: &["utf-8", "iso-8859-1", "utf-16le"],
    },
    Case {
        encoding: "utf-8",
        languages: &[("urd", "pk"), ("rus", "ru"), ("zho", "cn"), ("fra", "fr")],
        false_labels: &["iso-8859-1", "windows-1256", "windows-1251", "gb18030"],
    },
];

/// Encodings that are measured as well, outside of the mean.
const OTHERS: &[Case] = &[
    Case {
        encoding: "windows-1250",
        languages: &[("pol", "pl"), ("ces", "cz"), ("hun", "hu"), ("ron", "ro")],
        false_labels: &["utf-8", "iso-8859-1", "windows-1251"],
    },
    Case {
        encoding: "iso-8859-2",
        languages: &[("pol", "pl"), ("ces", "cz"), ("hun", "hu")],
        false_labels: &["utf-8", "iso-8859-1", "windows-1251"],
    },
    Case {
        encoding: "windows-1253",
        languages: &[("ell", "gr")],
        false_labels: &["utf-8", "iso-8859-1", "windows-1251"],
    },
    Case {
        encoding: "windows-1254",
        languages: &[("tur", "tr")],
        false_labels: &["utf-8", "iso-8859-1", "windows-1251"],
    },
    Case {
        encoding: "windows-1255",
        languages: &[("heb", "il"), ("yid", "il")],
        false_labels: &["utf-8", "iso-8859-1", "windows-1251"],
    },
    Case {
        encoding: "windows-1257",
        languages: &[("lit", "lt"), ("lav", "lv")],
        false_labels: &["utf-8", "iso-8859-1", "windows-1251"],
    },
    Case {
        encoding: "windows-874",
        languages: &[("tha", "th")],
        false_labels: &["utf-8", "iso-8859-1", "windows-1251"],
    },
    Case {
        encoding: "iso-8859-5",
        languages: &[("rus", "ru"), ("mkd", "mk")],
        false_labels: &["utf-8", "iso-8859-1", "windows-1251"],
    },
    Case {
        encoding: "koi8-u",
        languages: &[("ukr", "ua")],
        false_labels: &["utf-8", "iso-8859-1", "windows-1251"],
    },
    Case {
        encoding: "x-mac-cyrillic",
        languages: &[("rus", "ru"), ("mkd", "mk")],
        false_labels: &["utf-8"],
    },
    Case {
        encoding: "ibm866",
        languages: &[("rus", "ru")],
        false_labels: &["utf-8", "iso-8859-1", "windows-1251"],
    },
    Case {
        encoding: "macintosh",
        languages: &[("fra", "fr"), ("deu", "de"), ("spa", "es")],
        false_labels: &["utf-8"],
    },
    Case {
        encoding: "iso-8859-15",
        languages: &[("fra", "fr"), ("fin", "fi"), ("est", "ee")],
        false_labels: &["utf-8"],
    },
    Case { encoding: "iso-8859-16", languages: &[("ron", "ro")], false_labels: &["utf-8"] },
    Case {
        encoding: "iso-8859-3",
        languages: &[("epo", "eo"), ("mlt", "mt")],
        false_labels: &["utf-8"],
    },
    Case {
        encoding: "iso-8859-14",
        languages: &[("cym", "uk"), ("gle", "ie")],
        false_labels: &["utf-8"],
    },
    Case { encoding: "iso-8859-10", languages: &[("sme", "no")], false_labels: &["utf-8"] },
    Case {
        encoding: "iso-8859-7",
        languages: &[("ell", "gr")],
        false_labels: &["utf-8", "iso-8859-1"],
    },
    Case {
        encoding: "iso-8859-8",
        languages: &[("heb", "il")],
        false_labels: &["utf-8", "iso-8859-1"],
    },
    Case {
        encoding: "iso-8859-13",
        languages: &[("lit", "lt")],
        false_labels: &["utf-8", "iso-8859-1"],
    },
];

/// The labels of a page: where it names an encoding, and which.
const KINDS: [&str; 8] = [
    "none",
    "true header",
    "true meta",
    "false header",
    "false meta",
    "false header, true meta",
    "true header, false meta",
    "both false",
];

/// Restored and all pages, for each kind of labels.
type Row = [(u32, u32); KINDS.len()];

fn share(rows: &[(u32, u32)]) -> f64 {
    let (restored, all) = rows.iter().fold((0, 0), |sum, row| (sum.0 + row.0, sum.1 + row.1));
    f64::from(restored) * 100.0 / f64::from(all.max(1))
}

/// As the people wrote who had to do without the letters that an encoding lacks. Without this no
/// Persian or Urdu text of today could be written in windows-1256.
fn as_written_in(encoding: &str, text: &str) -> String {
    let replace = |c: char| match c {
        '\u{6cc}' => '\u{64a}',
        '\u{6d4}' => '.',
        '\u{6f0}'..='\u{6f9}' => char::from(b'0' + (u32::from(c) - 0x6f0) as u8),
        '\u{2010}' | '\u{2011}' => '-',
        c => c,
    };
    if encoding == "windows-1256" {
        text.chars().map(replace).collect()
    } else {
        text.to_owned()
    }
}

/// The bytes of a text, if the encoding has all its characters and gives them back.
fn encode(encoding: &str, text: &str) -> Option<Vec<u8>> {
    let to_bytes = match encoding {
        "utf-16le" => u16::to_le_bytes,
        "utf-16be" => u16::to_be_bytes,
        _ => {
            let encoding = Encoding::for_label(encoding.as_bytes()).unwrap();
            let (bytes, _, unmappable) = encoding.encode(text);
            let restored = encoding.decode_without_bom_handling(&bytes).0 == text;
            return (restored && !unmappable).then(|| bytes.into_owned());
        }
    };
    Some(text.encode_utf16().flat_map(to_bytes).collect())
}

/// A page around paragraphs, as pages are: the longer, the more markup before the text.
fn page(paragraphs: &[String], charset: Option<&str>) -> String {
    let meta = charset.map_or(String::new(), |charset| {
        format!("<meta http-equiv=\"Content-Type\" content=\"text/html; charset={charset}\">\n")
    });
    let title: String = paragraphs[0].chars().take(40).collect();
    if paragraphs.len() < 2 {
        return format!(
            "<html><head>{meta}<title>{title}</title></head>\n<body><p>{}</p></body></html>\n",
            paragraphs[0]
        );
    }
    let links: String = (1..20)
        .map(|n| {
            format!("<li class=\"item item-{n}\"><a href=\"/index.php?id={n}\">Page {n}</a></li>\n")
        })
        .collect();
    let body: String =
        paragraphs.iter().map(|text| format!("<p style=\"margin:0\">{text}</p>\n")).collect();
    format!(
        "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\">\n<html>\n<head>\n{meta}<title>{title}</title>\n\
         <script>var page = {{id: 17, name: \"index\"}}; function go(to) {{ location.href = to; }}</script>\n</head>\n\
         <body bgcolor=\"#ffffff\">\n<ul id=\"menu\">\n{links}</ul>\n<div class=\"content\">\n{body}</div>\n\
         <div id=\"footer\">Copyright 2004. All rights reserved.</div>\n</body>\n</html>\n"
    )
}

/// The pages that can be made from a language's texts, as paragraphs: short, medium and long.
fn pages(encoding: &str, texts: &[String]) -> Vec<Vec<String>> {
    let texts: Vec<String> = texts.iter().map(|text| as_written_in(encoding, text)).collect();
    let fine = |text: &&String| !text.is_ascii() && encode(encoding, text).is_some();
    // Without optimisation a few pages are enough of a wait.
    let most = if cfg!(debug_assertions) { 6 } else { 120 };
    let texts: Vec<String> = texts.iter().filter(fine).take(most).cloned().collect();
    let mut pages: Vec<Vec<String>> = texts.iter().map(|text| vec![text.clone()]).collect();
    pages.extend(texts.chunks(6).map(<[String]>::to_vec));
    pages.extend(texts.chunks(60).map(<[String]>::to_vec));
    pages
}

/// Decodes the pages of a case under every kind of label, without and with a hint from the
/// top-level domain.
fn measure(case: &Case, texts: &BTreeMap<String, Vec<String>>) -> [Row; 2] {
    let show = std::env::var_os("SHOW_LOST").is_some();
    let mut rows = [Row::default(); 2];
    for (language, tld) in case.languages {
        let url = format!("http://www.example.{tld}/index.html");
        for paragraphs in pages(case.encoding, texts.get(*language).map_or(&[], Vec::as_slice)) {
            let mut try_labels = |kind: usize, header: Option<&str>, meta: Option<&str>| {
                let html = page(&paragraphs, meta);
                let Some(bytes) = encode(case.encoding, &html) else { return };
                let content_type = header.map(|charset| format!("text/html; charset={charset}"));
                for (row, url) in rows.iter_mut().zip([None, Some(url.as_str())]) {
                    let decoded =
                        decode(&bytes, &Hints { content_type: content_type.as_deref(), url })
                            .unwrap();
                    let restored = decoded.text == html;
                    if !restored && show {
                        println!(
                            "{} {language} {}, {header:?} {meta:?} {url:?}: {} {:?} {}",
                            case.encoding,
                            KINDS[kind],
                            decoded.charset,
                            decoded.source,
                            &paragraphs[0]
                        );
                    }
                    row[kind].0 += u32::from(restored);
                    row[kind].1 += 1;
                }
            };
            let truth = Some(case.encoding);
            try_labels(0, None, None);
            try_labels(1, truth, None);
            try_labels(2, None, truth);
            for lie in case.false_labels.iter().map(|lie| Some(*lie)) {
                try_labels(3, lie, None);
                try_labels(4, None, lie);
                try_labels(5, lie, truth);
                try_labels(6, truth, lie);
                try_labels(7, lie, lie);
            }
        }
    }
    rows
}

/// Prints a table. Returns the share of restored pages over all its cells that are not empty; each
/// encoding has the same weight.
fn table(cases: &[Case], texts: &BTreeMap<String, Vec<String>>) -> f64 {
    println!("percent of pages restored exactly, without / with the top-level domain");
    println!(
        "{:13} {:>6} {}",
        "encoding",
        "pages",
        KINDS.map(|kind| format!("{kind:>24}")).concat()
    );
    let mut shares = Vec::new();
    for case in cases {
        let [without, with] = measure(case, texts);
        let cells = (0..KINDS.len()).map(|kind| {
            let cell =
                format!("{:.1} / {:.1}", share(&without[kind..=kind]), share(&with[kind..=kind]));
            format!("{cell:>24}")
        });
        println!("{:13} {:6} {}", case.encoding, without[0].1, cells.collect::<String>());
        if without[0].1 > 0 {
            shares.push((share(&without) + share(&with)) / 2.0);
        }
    }
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    println!("mean over encodings and kinds of labels: {mean:.2} %");
    mean
}

/// Every language's development and training texts, unless the shared data is missing.
fn shared_texts() -> Option<BTreeMap<String, Vec<String>>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared =
        std::env::var_os("CORPULYZER_SHARED").map_or_else(|| root.join("../shared"), PathBuf::from);
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for part in ["dev", "train"] {
        for entry in std::fs::read_dir(shared.join("data/langid").join(part)).ok()?.flatten() {
            let language = entry.path().file_stem()?.to_string_lossy().into_owned();
            let text = std::fs::read_to_string(entry.path()).ok()?;
            texts.entry(language).or_default().extend(text.lines().map(str::to_owned));
        }
    }
    Some(texts)
}

/// Texts of this repository: those of the vectors, and some by hand where there are none.
fn own_texts() -> BTreeMap<String, Vec<String>> {
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/pages");
    let pages = [
        ("ara", "article-arabic-comments"),
        ("fas", "article-persian"),
        ("urd", "article-urdu"),
        ("rus", "article-russian-unclosed"),
        ("zho", "article-chinese"),
        ("kor", "article-korean-frames"),
    ];
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (language, page) in pages {
        let bytes = std::fs::read(vectors.join(page).with_extension("html")).unwrap();
        let page = parse(&decode(&bytes, &Hints::default()).unwrap().text, &Limits::default());
        let long = page
            .blocks()
            .iter()
            .map(|block| page.text_of(block))
            .filter(|text| text.chars().count() >= 30);
        texts.entry(language.to_owned()).or_default().extend(long.map(str::to_owned));
    }
    let french = "Le vieux moulin, fermé depuis des années, deviendra bientôt un musée où l’on pourra goûter le pain.";
    let japanese = "古い駅の待合室は、町の人々が本を持ち寄って、小さな図書館になりました。";
    let traditional =
        "山腳下的舊車站關閉多年以後，村裡的人把候車室改成了閱覽室，每個星期天都有人來這裡讀書。";
    texts.entry("zho".to_owned()).or_default().push(traditional.to_owned());
    texts.insert("fra".to_owned(), vec![french.to_owned()]);
    texts.insert("jpn".to_owned(), vec![japanese.to_owned()]);
    texts
}

#[test]
fn texts_of_our_own_are_restored_in_every_encoding() {
    let mean = table(CASES, &own_texts());
    assert!(mean >= 99.0, "{mean}");
}

#[test]
fn development_texts_are_restored_in_every_encoding() {
    let Some(texts) = shared_texts() else {
        println!("skipped: the shared language samples are not here (CORPULYZER_SHARED)");
        return;
    };
    let mean = table(CASES, &texts);
    if !cfg!(debug_assertions) {
        table(OTHERS, &texts);
    }
    assert!(mean >= 99.0, "{mean}");
}
