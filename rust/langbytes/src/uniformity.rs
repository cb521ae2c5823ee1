//! How uniform a page is: its script, and the share of its lines in one language.
//!
//! The measures are those of GlotCC and FineWeb-2. Both count letters, not lines: the language of a
//! short line, such as a heading or a name, is uncertain.

use crate::{segments, LangBytes, LangCode, Script};
use langid::Identify;

/// Least share of the letters that are kana in Japanese, or Hangul in Korean; less is a quotation.
const MIXED_SHARE: f64 = 0.05;

/// The measures of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Uniformity {
    /// ISO 15924 code of the script with most letters; `Jpan` and `Kore` for their sets of scripts.
    /// Empty for a text without letters. `Hans` and `Hant` are both `Hani`, for most of their
    /// letters are the same.
    pub script: &'static str,
    /// Share of the letters in this script, from 0 to 1; 0 without letters.
    pub script_share: f64,
    /// Share of the letters that are in lines in the language, from 0 to 1; 0 without letters. A
    /// line is in the language of most of its letters.
    pub consistency: f64,
}

impl Uniformity {
    /// Measures a text whose lines are its blocks, for a language.
    pub fn of(text: &str, language: LangCode, identifier: &dyn Identify) -> Self {
        let (script, script_share) = script(text);
        Self { script, script_share, consistency: consistency(text, language, identifier) }
    }
}

#[allow(clippy::cast_precision_loss)]
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

fn letters(text: &str) -> u64 {
    text.chars().filter(|c| c.is_alphabetic()).count() as u64
}

/// Kana, which [`Script::of`] does not tell from Han.
fn is_kana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}')
}

fn script(text: &str) -> (&'static str, f64) {
    let mut counts = [0u64; Script::COUNT];
    let (mut most, mut all, mut kana) = (None, 0, 0);
    for c in text.chars().filter(|c| c.is_alphabetic()) {
        let script = Script::of(c);
        if !script.is_some() {
            continue;
        }
        counts[script.index()] += 1;
        all += 1;
        kana += u64::from(is_kana(c));
        if most.is_none_or(|most: Script| counts[script.index()] > counts[most.index()]) {
            most = Some(script);
        }
    }
    let Some(most) = most else { return ("", 0.0) };
    let of = |tag: &str| Script::of_tag(tag).map_or(0, |script| counts[script.index()]);
    let (han, hangul) = (of("Hani"), of("Hang"));
    match most.tag() {
        "Hani" | "Hang" if share(hangul, all) >= MIXED_SHARE => ("Kore", share(hangul + han, all)),
        "Hani" if share(kana, all) >= MIXED_SHARE => ("Jpan", share(han, all)),
        tag => (tag, share(counts[most.index()], all)),
    }
}

fn consistency(text: &str, language: LangCode, identifier: &dyn Identify) -> f64 {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    // Letters by language, for each line.
    let mut counts = vec![LangBytes::new(); lines.len()];
    for piece in segments(&lines, identifier, None).pieces {
        counts[piece.block].add(piece.language, letters(piece.text));
    }
    let (mut all, mut own) = (0, 0);
    for line in &counts {
        let target = line.bytes(language);
        all += line.total();
        if line.iter().all(|(code, other)| code == language || other < target) {
            own += line.total();
        }
    }
    share(own, all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use langid::Allowed;

    /// Lines with an `x` are Finnish, others Urdu.
    #[derive(Debug)]
    struct ByLetter;

    impl Identify for ByLetter {
        fn identify(&self, text: &str, _: Allowed) -> LangCode {
            if text.contains('x') { "fin" } else { "urd" }.parse().expect("a code")
        }

        fn languages(&self) -> Vec<LangCode> {
            Vec::new()
        }

        fn version(&self) -> String {
            String::new()
        }
    }

    #[test]
    fn consistency_is_the_share_of_letters_in_lines_of_the_language() {
        let urdu: LangCode = "urd".parse().expect("a code");
        // Lines of 40 letters are not joined with others.
        let words = "abcd efgh ijkl mnop qrst uvwy zabc defg hijk lmno";
        let (own, other) = (words.to_owned(), words.replace("abcd", "xbcd"));
        for neighbours in 0..=10 {
            let text = [vec![other.as_str(); neighbours], vec![own.as_str(); 10 - neighbours]]
                .concat()
                .join("\n");
            let found = Uniformity::of(&text, urdu, &ByLetter).consistency;
            assert!(
                (found - (10 - neighbours) as f64 / 10.0).abs() < 1e-9,
                "{neighbours}: {found}"
            );
        }
        assert_eq!(
            Uniformity::of("12 – 13", urdu, &ByLetter).consistency.to_bits(),
            0f64.to_bits()
        );
    }

    #[test]
    fn scripts_of_one_writing_system_count_together() {
        assert_eq!(script("اردو ab"), ("Arab", 4.0 / 6.0));
        assert_eq!(script("日本語の文章"), ("Jpan", 1.0));
        assert_eq!(script("한국어 漢字"), ("Kore", 1.0));
        assert_eq!(script("汉字汉字汉字 abc"), ("Hani", 6.0 / 9.0));
        assert_eq!(script("12, 13"), ("", 0.0));
    }
}
