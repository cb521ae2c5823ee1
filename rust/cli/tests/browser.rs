//! Tests of the report in a browser, because only a browser computes the layout.

use crate::common::{chromium, corpulyzer};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const WORDS: [&str; 12] =
    ["یہ", "ہے", "شہر", "کی", "پرانی", "لائبریری", "میں", "کل", "شام", "مشاعرہ", "web", "river"];

/// Collects errors of the page, from its first line on.
const LISTENER: &str = "<script>window.complaints = [];
for (const kind of [\"error\", \"warn\"]) console[kind] = (...what) => window.complaints.push(what.join(\" \"));
addEventListener(\"error\", (event) => window.complaints.push(event.message), true);
addEventListener(\"securitypolicyviolation\", (event) => window.complaints.push(event.violatedDirective));</script>";

/// The field of `quality annotate`.
fn signals(number: usize) -> String {
    let share = (number % 20) as f64 / 40.0;
    format!(
        "{{\"rps_doc_word_count\":{},\"rps_doc_mean_word_length\":4.{},\"hash_ratio\":0,\
         \"ellipsis_ratio\":0,\"rps_doc_frac_no_alph_words\":{share},\
         \"rps_doc_frac_unique_words\":{share},\"rps_doc_unigram_entropy\":3.2,\
         \"rps_doc_frac_lines_end_with_ellipsis\":0,\"bullet_lines\":0,\"line_punct\":1,\
         \"new_line_ratio\":{share},\"dup_line_frac\":{share},\"char_dup_ratio\":{share},\
         \"top_n_grams\":[{share},0.1,0.1],\"dup_n_grams\":[{share},0,0,0,0,0],\"stop_words\":{}}}",
        number * 13,
        number % 10,
        number % 9
    )
}

/// Pages on some hosts, in two scripts and of many sizes, so that every plot and table has
/// something in it.
fn corpus(file: &Path, pages: usize) {
    let line = |number: usize| {
        let word = |at: usize| {
            WORDS[(at * at + number * 7) % if number.is_multiple_of(6) { 12 } else { 10 }]
        };
        let text: Vec<String> = (0..20 + number * 13 % 300)
            .map(|at| format!("{}{}", word(at), if at % 11 == 10 { "۔\\n" } else { "" }))
            .collect();
        let text = text.join(" ");
        let bytes = text.len() - text.matches("\\n").count();
        let (target, host) = (bytes * (number % 5 + 1) / 5, number % 30);
        format!(
            "{{\"url\":\"http://h{host}.pk/{}{number}\",\"text\":\"{text}\",\"main_bytes\":{bytes},\"visible_bytes\":{},\
             \"raw_bytes\":{},\"round\":{},\"fetch_time\":\"2026-01-01T00:{:02}:00Z\",\"decision\":\"{}\",\"languages\":{{\"urd\":{target},\"eng\":{}}},\"quality\":{},\"noise\":[{}]}}\n",
            "x/".repeat(number % 4),
            bytes * 2,
            bytes * (number + 1),
            number / 40 + 1,
            number % 60,
            if number.is_multiple_of(9) { "reject 3 bytes" } else { "keep" },
            bytes - target,
            signals(number),
            if number.is_multiple_of(7) { "\"dup_line_frac\",\"gopher_short_doc\"" } else { "" },
        )
    };
    let lines: String = (0..pages).map(line).collect();
    fs::write(file, lines + "{\n").unwrap();
}

struct Browser<'a> {
    name: &'static str,
    folder: &'a Path,
}

impl Browser<'_> {
    fn open(&self, page: &Path, dark: bool, width: u32, what: &str) -> Output {
        let mut command = Command::new(self.name);
        command.args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--enable-logging=stderr",
            what,
        ]);
        command.arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!dark)));
        command.arg(format!("--window-size={width},1600"));
        command.arg(format!("--user-data-dir={}", self.folder.join("profile").display()));
        command.arg(page).output().unwrap()
    }

    /// What `check.js` found.
    fn check(&self, page: &Path, dark: bool, width: u32) -> Value {
        let done = self.open(page, dark, width, "--dump-dom");
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(!said.contains("CONSOLE"), "{said}");
        let shown = String::from_utf8(done.stdout).unwrap();
        let found = shown
            .split("<pre id=\"checked\">")
            .nth(1)
            .unwrap_or_else(|| panic!("no result: {said}"));
        let found = found
            .split("</pre>")
            .next()
            .unwrap()
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&");
        serde_json::from_str(&found).unwrap()
    }

    /// Brightness of the pixels of a screenshot, row by row, from 0 to 255.
    fn picture(&self, page: &Path, dark: bool) -> Vec<Vec<u8>> {
        let file = self.folder.join("picture.png");
        self.open(page, dark, 1000, &format!("--screenshot={}", file.display()));
        let mut reader = png::Decoder::new(std::io::BufReader::new(fs::File::open(file).unwrap()))
            .read_info()
            .unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!(info.bit_depth, png::BitDepth::Eight);
        let row = |row: &[u8]| {
            row.chunks_exact(info.color_type.samples())
                .map(|p| ((u32::from(p[0]) + u32::from(p[1]) + u32::from(p[2])) / 3) as u8)
                .collect()
        };
        pixels.chunks_exact(info.line_size).map(row).collect()
    }
}

#[test]
fn a_report_is_readable_in_a_browser() {
    let Some(name) = chromium() else {
        println!("skipped: Chromium is not here; the report was not opened in a browser");
        return;
    };
    let folder = TempDir::new().unwrap();
    let (june, july) = (folder.path().join("june.jsonl"), folder.path().join("july.jsonl"));
    corpus(&june, 200);
    corpus(&july, 260);
    let ranking = folder.path().join("ranking");
    fs::write(&ranking, (0..30).map(|host| format!("h{host}.pk\n")).collect::<String>()).unwrap();
    let report = |name: &str, corpora: &[&str]| {
        let mut command =
            corpulyzer(["report", "--language", "ur", "--ranking", "ranking", "--out", name]);
        command.args(corpora).current_dir(folder.path()).assert().success();
        let plain = folder.path().join(name).join("report.html");
        let page = fs::read_to_string(&plain).unwrap();
        let checked = folder.path().join(format!("{name}.html"));
        let page = page.replacen("<style>", &format!("{LISTENER}<style>"), 1);
        let page = page.replacen(
            "</body>",
            &format!("<script>{}</script></body>", include_str!("browser/check.js")),
            1,
        );
        fs::write(&checked, page).unwrap();
        (plain, checked)
    };
    let (plain, one) = report("one", &["june.jsonl"]);
    let (_, both) = report("both", &["--compare", "june.jsonl", "july.jsonl"]);
    let browser = Browser { name, folder: folder.path() };
    for (page, dark, width) in
        [(&one, false, 1200), (&one, true, 1000), (&one, false, 500), (&both, true, 1200)]
    {
        let found = browser.check(page, dark, width);
        assert_eq!(found["wrong"], Value::Array(Vec::new()), "{dark} {width}: {found}");
        assert_eq!(found["dark"], dark);
        let count = |what: &str| found[what].as_u64().unwrap();
        // The check above saw a whole report, not an empty page.
        assert!(count("texts") > 500 && count("rightToLeft") >= 10, "{found}");
        assert!(count("plots") >= 33 && count("sorted") > 30, "{found}");
    }

    let (light, dark) = (browser.picture(&plain, false), browser.picture(&plain, true));
    assert_eq!((light.len(), light[0].len()), (dark.len(), dark[0].len()));
    // Checks twenty stripes of the picture: most pixels are background, bright or dark, and most
    // stripes have something on it.
    let mut written = 0;
    for (light, dark) in light.chunks(light.len() / 20).zip(dark.chunks(dark.len() / 20)) {
        let share = |rows: &[Vec<u8>], of: &dyn Fn(u8) -> bool| {
            let all = rows.iter().map(Vec::len).sum::<usize>();
            rows.iter().flatten().filter(|&&pixel| of(pixel)).count() as f64 / all as f64
        };
        assert!(share(light, &|pixel| pixel > 230) > 0.6, "light");
        assert!(share(dark, &|pixel| pixel < 60) > 0.6, "dark");
        let (ink, chalk) = (share(light, &|pixel| pixel < 160), share(dark, &|pixel| pixel > 100));
        written += u32::from(ink > 0.002 && chalk > 0.002);
    }
    assert!(written >= 12, "{written} of 20 stripes have something in them");
}
