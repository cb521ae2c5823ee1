//! The glossary of the report: the terms that its page defines, and the figures that they define.

use crate::html::ReportPage;
use render::plot::escape;
use std::fmt::Write as _;

/// A term, its definition, and the figures that it defines.
struct Term {
    /// Its anchor in the glossary.
    key: &'static str,
    name: &'static str,
    /// Its meaning, formula and source.
    definition: &'static str,
    /// Its figures in `report.json`: paths below `figures` of a corpus, or else below the corpus or
    /// the report. A path covers everything below it, except for longer paths of other terms.
    figures: &'static [&'static str],
}

const fn defined(
    key: &'static str,
    name: &'static str,
    definition: &'static str,
    figures: &'static [&'static str],
) -> Term {
    Term { key, name, definition, figures }
}

/// The glossary at the end of the report.
const TERMS: [Term; 45] = [
    defined("page", "Page", "A record of the corpus. Of several records with one URL, the first counts. Rejected pages and pages that are gone are counted separately. The period of a corpus is from the first to the last fetch of its pages, as far as the records have the time.",
        &["totals.first_fetch", "totals.last_fetch", "totals.pages", "totals.rejected", "totals.gone", "totals.without_text"]),
    defined("document", "Document", "A page of the corpus that is a PDF, Word, PowerPoint, Excel, OpenDocument or RTF file, by its media type (content_type). Documents are among the pages.",
        &["totals.documents"]),
    defined("site", "Site", "A host, as in URLs: blog.example.pk and example.pk are two sites. With --site no-www, www.example.pk and example.pk are one; with --site domain, all hosts of a registered domain are. A site is lost if the filters rejected all of its pages.",
        &["byte_yields.lost_sites", "byte_yields.lost_sites_percent", "sites.sites", "sites.pages_without_host", "sites.most_pages", "sites.pages_per_site", "sites.most_pages_sites", "sites.most_bytes_sites"]),
    defined("target", "Target text", "Bytes (UTF-8) of main text that the language identifier assigns to the target language. The report also has the bytes of main text, of visible text with boilerplate, and of pages as fetched.",
        &["totals.target_bytes", "totals.main_bytes", "totals.visible_bytes", "totals.raw_bytes"]),
    defined("yield", "Yield", "Pages with any text in the target language / pages of the round × 100. Corpulyzer paper, Eq. 6.",
        &["rounds.rounds.any_pages", "rounds.rounds.any_yield_percent"]),
    defined("yield-filtered", "Filtered yield", "Pages that the crawl kept / pages of the round × 100. The paper's filter is that of content size (CSF); its second curve of the yield.",
        &["rounds"]),
    defined("byte-yield", "Byte yield", "Bytes of target text in the corpus / bytes downloaded × 100; a rejected page has 0. The yield of a site is that of all its pages together, or the mean over its pages. SpiderLing paper, where it is called yield rate.",
        &["byte_yields.byte_yield_percent", "byte_yields.page_yield_mean", "byte_yields.sites"]),
    defined("speed", "Speed", "Bytes downloaded, or bytes of target text in the corpus, of the pages of a round / seconds from the first to the last fetch of the round. The work between two rounds is not included. SpiderLing paper, yield and speed over time.",
        &["rounds.rounds.raw_bytes", "rounds.rounds.clean_bytes", "rounds.rounds.byte_yield_percent", "rounds.rounds.seconds", "rounds.rounds.raw_mb_per_second", "rounds.rounds.clean_mb_per_second"]),
    defined("what-if", "What if", "Downloads and target text of the sites above a byte yield: the result of a crawl that is restricted to these sites. SpiderLing paper, Table 1.",
        &["byte_yields.what_if"]),
    defined("costliest", "Costliest sites", "Sites whose share of the download exceeds their share of the target text the most.",
        &["byte_yields.costliest_sites"]),
    defined("began", "Began", "Start of the round: the time in the id of its batch, as bin/crawl and Nutch’s generator write it. UTC.",
        &["rounds.rounds.began"]),
    defined("lsh", "LSh", "Language share of a page: size in the target language / size of the whole with its line breaks × 100; pages without text have none. The mean is over pages, so a short page counts as much as a long one. Corpulyzer paper, LSh, Eq. 4 and Table 7. Bins are half-open: 49.5 is in 0–49.",
        &["richness"]),
    defined("siter", "SiteR", "Richness of a site: mean LSh (bytes of main text) of its pages. Corpulyzer paper, SiteR, Eq. 5 and Table 9.",
        &["sites.site_richness", "sites.site_richness_mean"]),
    defined("coverage", "Coverage", "Share of pages and of target bytes of the N sites with the highest SiteR. Corpulyzer paper, Fig. 8a.",
        &["sites.coverage"]),
    defined("spearman", "Spearman’s coefficient", "Correlation of the ranks of sites by SiteR and in the other ranking. Ties have their mean rank. 1 is the same order, −1 the opposite order. Corpulyzer paper, Fig. 8b.",
        &["ranking"]),
    defined("contains", "Contains a language", "Pages with at least 2 % of their main-text bytes in the language. A page in two languages counts for both. Corpulyzer paper, Table 8.",
        &["languages"]),
    defined("text-share", "Text by language", "Bytes (UTF-8) of main text in a language, or in none that is known (und), over all pages. Line breaks belong to no language. Percentages are of the sum of these bytes. Not in the paper.",
        &["languages.bytes", "languages.bytes_percent"]),
    defined("origins", "Origin of a page", "Domain: the last part of the host. Year: that of publication, as the page states it (field published). Licence: as the page states it (field license; other: none of Creative Commons). Reason: why a page was rejected (field decision). Pages that lack it are left out of its plot. Not in the paper.",
        &["origins"]),
    defined("varieties", "Varieties of the language", "Variety of the language, such as its dialect, by the first 150 words of the page: the field variety of the records. Pages whose best variety has a probability below .5 have none. The mean score is the mean probability of the best variety. ArabicWeb16.",
        &["varieties"]),
    defined("classes", "Class of a page", "A topic, genre or another label that a model of `train --classes` gave the page: the fields of the records that the field classes names. Shares are of the pages, of the corpus or the site, that have the field. The mean score is the mean probability of the class over its pages. Not in the paper.",
        &["classes"]),
    defined("signal", "Quality signal", "A number that describes how the text of a page is built, as `quality annotate` writes it. Names: RedPajama-V2 (rps_doc_), and the keys of FineWeb-2’s limits.",
        &["quality.pages", "quality.signals"]),
    defined("noisy", "Noisy page", "A page that breaks a rule: a signal is beyond the limit of the language. Rules have datatrove’s names. First reason: pages that no earlier rule excludes. FineWeb-2.",
        &["quality.noisy", "quality.noisy_percent", "quality.rules"]),
    defined("exact", "Exact duplicates", "All but one of the pages with the same main text (MD5). By the bytes as fetched: all but one of the pages with the same signature in the input.",
        &["duplicates.pages", "duplicates.exact", "duplicates.exact_percent", "duplicates.exact_bytes", "duplicates.most_copies"]),
    defined("near", "Near duplicates (profile)", "All but one of the different texts with the same TextProfileSignature of Apache Nutch: the same frequent words in about the same numbers. Sorted: words with equal counts are in alphabetical order, and marks are parts of words.",
        &["duplicates.near_nutch", "duplicates.near_nutch_percent", "duplicates.near_sorted", "duplicates.near_sorted_percent"]),
    defined("minhash", "Near duplicates (MinHash)", "Pages that share one of 16 bands of 8 MinHash values (five-word shingles) with another page, minus exact duplicates. A pair with Jaccard index J shares a band with probability 1 − (1 − J⁸)¹⁶: 61 % at 0.7, 95 % at 0.8.",
        &["duplicates.near_minhash", "duplicates.near_minhash_percent"]),
    defined("token", "Token", "Text between white space, without punctuation and symbols at its ends.",
        &["words.vocabulary.tokens", "words.lengths.chars_per_token"]),
    defined("type", "Type", "A distinct token, by its characters as written.",
        &["words.vocabulary.types", "words.vocabulary.top", "words.lengths.chars_per_type"]),
    defined("own", "Target tokens", "Tokens with characters of the target language’s script only. A token with one other character does not count. Corpulyzer paper, Table 10.",
        &["words.vocabulary.own_types", "words.vocabulary.own_tokens", "words.vocabulary.own_tokens_percent"]),
    defined("zipf", "Zipf slope", "Slope of the line through log frequency over log rank (least squares at ranks evenly spaced in the logarithm, frequency at least 5). Zipf’s law predicts about −1. Corpulyzer paper, Fig. 9.",
        &["words.zipf"]),
    defined("entropy", "Conditional entropy", "H(Y|X) = −Σ p(x,y) log₂ p(y|x) over neighbouring tokens of a block, in bits. It grows with the corpus: compare samples of the same size. W2C thesis.",
        &["words.lengths.entropy"]),
    defined("perplexity", "Conditional perplexity", "2 to the power of the conditional entropy. W2C thesis.",
        &["words.lengths.perplexity"]),
    defined("sentence", "Sentence", "It ends at the end of a block, at ۔ ؟ । ॥ 。 ！ ？ and similar signs, and at . ! ? … before white space.",
        &["words.lengths.sentences", "words.lengths.tokens_per_sentence"]),
    defined("lix", "Readability (LIX)", "Tokens per sentence + 100 × tokens of more than six characters / tokens. Björnsson 1968; not in the paper.",
        &["style.readability_lix", "style.long_words_percent"]),
    defined("variety", "Variety", "Different tokens in stretches of 100 tokens of a page, on average. Not in the paper.",
        &["style.variety"]),
    defined("cohesion", "Cohesion", "Mean Jaccard index of the tokens of neighbouring sentences. Not in the paper.",
        &["style.cohesion"]),
    defined("coherence", "Coherence", "Mean Jaccard index of the tokens of neighbouring blocks of at least five tokens. Not in the paper.",
        &["style.coherence"]),
    defined("ccdf", "Complementary distribution", "Share of pages of at least this size, as fetched. Corpulyzer paper, Fig. 7a. Common Crawl cuts pages at 1 MiB.",
        &["sizes"]),
    defined("depth", "URL depth", "Number of non-empty parts of a URL’s path, split at slashes. Corpulyzer paper, Fig. 6.",
        &["depths"]),
    defined("threshold", "Content-size threshold", "The threshold of 32, 64, 128, 256 and 512 that leaves the fewest pages and keeps at least 95 % of the size in the target language. Corpulyzer paper, Eq. 2 and Table 3.",
        &["calibration"]),
    defined("script", "Script of a page", "The script of most letters of the main text. A page without letters has no script. Scripts need different sizes for the same text: a letter has one byte in Latin script, two in Arabic, three in Thai. Not in the paper.",
        &["calibration.scripts"]),
    defined("overlap", "Jaccard and churn", "Jaccard: URLs in both / URLs in either. Churn: share of the first corpus’s sites that the second does not have. Corpulyzer paper, Eq. 1.",
        &["comparison"]),
    defined("changes", "Added, removed and changed URLs", "URLs that only the second corpus has, that only the first has, and that both have with different main text. Pages without text do not count as changed. Not in the paper.",
        &["comparison.added_urls", "comparison.removed_urls", "comparison.changed_urls"]),
    defined("combination", "Combinations", "URLs, sites and different main texts by the set of corpora that have them: those that only these corpora have, and those that all of these have. Corpulyzer paper, Fig. 6a.",
        &["combinations"]),
    defined("reference", "Ratio to the reference", "Value in a sample of the corpus / value in a sample of the reference; both have the same number of tokens. The usual range is that of 5 to 95 % of 97 languages, web / Wikipedia. A ratio outside of it is flagged. W2C thesis, 5.2.",
        &["reference"]),
    defined("index", "Index", "Documents in the archive’s index, by MIME type (as detected, otherwise as sent) and by the first of their languages.",
        &["index"]),
];

/// Returns a term that shows its definition on hover and focus, and links to the glossary.
pub fn term(key: &str, text: &str) -> String {
    let definition = TERMS.iter().find(|term| term.key == key).map_or("", |term| term.definition);
    format!(
        "<a class=\"def\" href=\"#d-{key}\">{}<span class=\"tip\" role=\"tooltip\">{}</span></a>",
        escape(text),
        escape(definition)
    )
}

impl ReportPage<'_> {
    /// Writes the section.
    pub fn glossary(&mut self) {
        self.section("glossary", "Definitions");
        self.html += "<dl class=\"glossary\">";
        for Term { key, name, definition, figures } in TERMS {
            let _ = write!(
                self.html,
                "<dt id=\"d-{key}\">{}</dt><dd>{}<br>In report.json: <code>{}</code></dd>",
                escape(name),
                escape(definition),
                figures.join("</code>, <code>")
            );
        }
        self.html += "</dl>";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    /// Collects the leaves of a schema by their paths: names joined by dots; the elements of an
    /// array have the array's path.
    fn leaves(schema: &Value, node: &Value, path: &str, all: &mut Vec<String>) {
        let name = |node: &Value| {
            node["$ref"].as_str().and_then(|to| to.strip_prefix("#/$defs/")).map(str::to_owned)
        };
        let choices = node["anyOf"].as_array().into_iter().flatten();
        if let Some(defined) = std::iter::once(node).chain(choices).find_map(name) {
            return leaves(schema, &schema["$defs"][defined], path, all);
        }
        if let Some(properties) = node["properties"].as_object() {
            for (name, node) in properties {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                leaves(schema, node, &path, all);
            }
        } else if node["items"].is_object() {
            leaves(schema, &node["items"], path, all);
        } else {
            all.push(path.to_owned());
        }
    }

    /// Returns all figures of the schema next to the documentation.
    fn figures() -> Vec<String> {
        let schema: Value =
            serde_json::from_str(include_str!("../../../docs/report.schema.json")).expect("JSON");
        let mut all = Vec::new();
        leaves(&schema, &schema, "", &mut all);
        let below = |path: &String| {
            let path = path
                .strip_prefix("corpora.figures.")
                .or(path.strip_prefix("corpora."))
                .unwrap_or(path);
            let is_figure = path.contains('.') && !path.starts_with("input.");
            is_figure.then(|| path.to_owned())
        };
        all.iter().filter_map(below).collect()
    }

    fn is_below(path: &str, of: &str) -> bool {
        path == of || path.strip_prefix(of).is_some_and(|rest| rest.starts_with('.'))
    }

    #[test]
    fn every_figure_has_its_definition() {
        let figures = figures();
        assert!(figures.len() > 100, "{figures:?}");
        for figure in &figures {
            assert!(
                TERMS.iter().any(|term| term.figures.iter().any(|of| is_below(figure, of))),
                "{figure}"
            );
        }
        for term in &TERMS {
            assert_eq!(
                TERMS.iter().filter(|other| other.key == term.key).count(),
                1,
                "{}",
                term.key
            );
            for of in term.figures {
                assert!(
                    figures.iter().any(|figure| is_below(figure, of)),
                    "{}: no figure is {of}",
                    term.key
                );
                assert_eq!(
                    TERMS.iter().filter(|other| other.figures.contains(of)).count(),
                    1,
                    "{of}"
                );
            }
        }
    }

    #[test]
    fn every_figure_and_every_term_is_in_the_documentation() {
        let documentation = include_str!("../../../docs/report.md");
        let (formulas, names) = documentation.split_once("## report.json").expect("a section");
        let names = names.split("## Tables").next().expect("a section");
        for term in &TERMS {
            let row = format!("| {} ", term.name.to_lowercase());
            let rows = formulas
                .lines()
                .filter(|line| line.to_lowercase().replace('\'', "’").starts_with(&row));
            assert_eq!(rows.count(), 1, "no row of formula and source for {}", term.name);
        }
        for figure in figures() {
            let name = figure.rsplit('.').next().expect("a name");
            let is_explained = names.contains(&format!("`{name}`"))
                || name
                    .strip_suffix("_percent")
                    .is_some_and(|of| names.contains(&format!("`{of}`")));
            assert!(is_explained, "{figure}");
        }
    }
}
