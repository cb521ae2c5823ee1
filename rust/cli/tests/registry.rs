//! `corpulyzer languages`, and languages by name in other verbs.

use crate::common::{corpulyzer, stderr, stdout};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn said(arguments: &[&str]) -> String {
    stdout(&corpulyzer(arguments).assert().success())
}

#[test]
fn the_measured_figures_are_those_of_the_current_identifier() {
    let json: Value =
        serde_json::from_str(&said(&["languages", "urd", "--format", "json"])).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let record = fs::read(root.join("tests/vectors/records/article-urdu.json")).unwrap();
    let record: Value = serde_json::from_slice(&record).unwrap();
    // The record version ends with that of the identifier.
    let version = record["version"].as_str().unwrap().rsplit(' ').next();
    assert_eq!(json["measured"]["identifier"].as_str(), version, "run registry/data/measure.py");
}

#[test]
fn languages_are_shown_by_code_or_name_in_three_formats() {
    let text = said(&["languages", "سرائیکی", "myv"]);
    let (saraiki, erzya) = text.split_once("\n\n").unwrap();
    for part in [
        "code          skr\n",
        "name          Saraiki\n",
        "native        سرائیکی\n",
        "scripts       Arab (Arabic)",
        "speakers      30,000,000\n",
        "sentence ends ۔ ؟ . ! ? …\n",
        "model         Arab, ",
        "(pnb)",
    ] {
        assert!(saraiki.contains(part), "{part}: {saraiki}");
    }
    assert!(erzya.contains("name          Erzya\n") && erzya.contains("Moksha (mdf)"), "{erzya}");

    let json: Value =
        serde_json::from_str(&said(&["languages", "ur", "--format", "json"])).unwrap();
    assert_eq!((&json["code"], &json["iso_639_1"]), (&"urd".into(), &"ur".into()));
    assert_eq!((&json["native"][0], &json["scripts"][0]), (&"اردو".into(), &"Arab".into()));
    assert_eq!((&json["cld2"], &json["models"][0]["pack"]), (&true.into(), &"library".into()));
    assert!(json["models"][0]["words"].as_u64().unwrap() > 10_000, "{json}");
    assert_eq!(json["models"][0]["neighbours"].as_array().unwrap().len(), 5);
    assert!(json["measured"]["f1"].as_f64().unwrap() > 80.0, "{json}");

    let none = said(&["languages", "akk"]);
    assert!(none.contains("model         none; train one with `corpulyzer train`\n"), "{none}");
}

#[test]
fn a_macro_language_without_a_model_names_the_members_that_have_one() {
    for (name, members) in [
        ("komi", "`koi` (Komi-Permyak), `kpv` (Komi-Zyrian)"),
        ("kurdish", "`ckb` (Central Kurdish), `kmr` (Northern Kurdish)"),
        ("norwegian", "`nno` (Norwegian Nynorsk), `nob` (Norwegian Bokmål)"),
        ("serbo-croatian", "`bos` (Bosnian), "),
    ] {
        let shown = said(&["languages", name]);
        let advice = format!(
            "model         none; it is a macro-language: name one or several of its members, {members}"
        );
        assert!(shown.contains(&advice), "{shown}");
    }
    let none = said(&["languages", "delaware"]);
    assert!(none.contains("model         none; it is a macro-language, and its members"), "{none}");
}

#[test]
fn without_a_language_the_whole_table_is_printed() {
    let all = said(&["languages"]);
    let known = said(&["languages", "--known"]);
    let rows = |table: &str| -> BTreeMap<String, Vec<String>> {
        let lines = table.lines().skip(1);
        lines
            .map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>())
            .map(|row| (row[0].clone(), row))
            .collect()
    };
    let columns = all.lines().next().unwrap().split('\t').count();
    let (all, known) = (rows(&all), rows(&known));
    assert!(
        all.len() > 7_800 && (240..400).contains(&known.len()),
        "{} {}",
        all.len(),
        known.len()
    );
    assert!(all.values().all(|row| row.len() == columns));
    assert!(known.iter().all(|(code, row)| all[code] == *row));
    assert!(known.contains_key("skr") && !known.contains_key("akk"));
    // A language without a model is one of CLD2.
    let without: Vec<_> = known.values().filter(|row| row[8].is_empty()).collect();
    assert!(!without.is_empty() && without.iter().all(|row| row[10] == "yes"));
}

#[test]
fn a_pack_is_a_model_beside_the_librarys_unless_it_replaces_them() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let text = "mupa lelo keti sova mipu telo. ".repeat(80);
    fs::write(path("text.txt"), text).unwrap();
    let train = ["train", "--language", "North Saami", "--text", &path("text.txt"), "--out"];
    for more in [&[][..], &["--replace"]] {
        corpulyzer(train).arg(path("sme.pack")).args(more).assert().success();
        let text = said(&["languages", "sme", "--pack", &path("sme.pack")]);
        assert!(text.contains(" words of training text, ") && text.contains("sme.pack"), "{text}");
        assert!(text.contains("too few for short texts"), "{text}");
        assert_eq!(text.contains("library"), more.is_empty(), "{text}");
        assert!(!text.contains("measured"), "{text}");
    }
}

#[test]
fn names_are_codes_for_other_verbs_and_unknown_ones_are_refused() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("text.txt");
    fs::write(&file, "یہ شہر کی پرانی لائبریری ہے جہاں کل شام مشاعرہ ہوا\n").unwrap();
    let file = file.to_str().unwrap();
    assert_eq!(said(&["identify", file, "--allowed", "persian,Urdu"]), "urd\n");
    let refused = |name: &str| {
        let said = stderr(&corpulyzer(["inspect", file, "--language", name]).assert().code(2));
        assert_eq!(said.trim_end().lines().count(), 1, "{said}");
        said
    };
    assert!(refused("sarayki").contains("the nearest names are those of `skr` (Saraiki)"));
    assert!(
        refused("Bahasa").contains("language code `Bahasa` is unknown"),
        "{}",
        refused("Bahasa")
    );
    let said = refused("kk-Latn");
    assert!(said.contains("no model of Kazakh in Latin script"), "{said}");
    assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    let said = refused("Agta");
    assert!(said.contains("is ambiguous: ") && said.contains("use one of these codes"), "{said}");
}
