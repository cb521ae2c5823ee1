//! The registry as a list: for each language its codes, names, scripts, neighbours, models and
//! their quality, as a paragraph, a row of a table or an object in JSON.

use crate::{Language, Quality, MEASURED_WITH};
use langid::{neighbours, Cld2, Identify, LangCode, Pack, FEW_WORDS};
use render::{counted, grouped};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Number of neighbours that are listed for each script of a language.
const NEIGHBOURS: usize = 5;

/// Head of the table.
pub const COLUMNS: &str = "code\tiso_639_1\tname\tnative\taliases\tscripts\tspeakers\tsentence_ends\tmodels\tneighbours\tcld2\tf1\n";

/// A model of a language in one script.
#[derive(Debug, Clone, Serialize)]
struct Model {
    script: &'static str,
    /// Words of the training text.
    words: u32,
    /// True if the training text is so short that short texts are often identified wrongly.
    few: bool,
    /// The pack: `library`, or the name of a file.
    pack: String,
    /// The closest languages of the same pack and script, the closest first.
    neighbours: Vec<String>,
}

/// A row of the registry.
#[derive(Debug, Serialize)]
struct Row {
    code: String,
    iso_639_1: Option<&'static str>,
    name: &'static str,
    native: Vec<&'static str>,
    aliases: Vec<&'static str>,
    scripts: Vec<&'static str>,
    speakers: Option<u64>,
    /// Characters at which sentences end in its usual script.
    sentence_ends: String,
    models: Vec<Model>,
    cld2: bool,
    measured: Option<Measured>,
}

/// The quality of identification, in percent.
#[derive(Debug, Serialize)]
struct Measured {
    identifier: &'static str,
    sentences: u64,
    precision: f64,
    recall: f64,
    f1: f64,
}

/// Lists languages with the models of the library and of packs.
pub struct Listing<'a> {
    models: BTreeMap<LangCode, Vec<Model>>,
    cld2: Vec<LangCode>,
    ends: &'a dyn Fn(&str) -> String,
    packs: &'a dyn Fn(LangCode) -> String,
}

impl<'a> Listing<'a> {
    /// `own` has packs and their names; models that a later pack replaces are left out. `ends`
    /// returns the characters at which sentences in a script end, and `packs` the packs that have a
    /// language, for advice.
    pub fn new(
        own: impl Iterator<Item = (Pack, String)>,
        ends: &'a dyn Fn(&str) -> String,
        packs: &'a dyn Fn(LangCode) -> String,
    ) -> Self {
        let shipped = Pack::shipped().into_iter().map(|pack| (pack, "library".to_owned()));
        let all = shipped.chain(own);
        let mut models: BTreeMap<LangCode, Vec<Model>> = BTreeMap::new();
        for (pack, name) in all {
            for (language, script) in pack.languages().filter(|(language, _)| language.replaces) {
                if let Some(models) = models.get_mut(&language.code) {
                    models.retain(|model| model.script != script);
                }
            }
            let near = neighbours(&pack, NEIGHBOURS);
            for ((language, script), (_, _, near)) in pack.languages().zip(near) {
                models.entry(language.code).or_default().push(Model {
                    script,
                    words: language.words,
                    few: language.words < FEW_WORDS,
                    pack: name.clone(),
                    neighbours: near.iter().map(LangCode::to_string).collect(),
                });
            }
        }
        Self { models, cld2: Cld2.languages(), ends, packs }
    }

    /// Whether the identifier can find a language: one with a model, or one of CLD2.
    pub fn is_known(&self, code: LangCode) -> bool {
        self.models.contains_key(&code) || self.cld2.contains(&code)
    }

    /// Returns an object in JSON, as a line.
    ///
    /// # Errors
    /// Does not fail for the fields of a language.
    pub fn json(&self, code: LangCode) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string(&self.row(code))? + "\n")
    }

    /// Which members of a macro-language have a model, here or in one of the packs.
    fn advice(&self, code: LangCode) -> String {
        let has = |member: &LangCode| self.is_known(*member) || !(self.packs)(*member).is_empty();
        let known: Vec<LangCode> = code.members().filter(has).collect();
        langid::advice(code, &known)
    }

    fn row(&self, code: LangCode) -> Row {
        let models = self.models.get(&code).cloned().unwrap_or_default();
        let language = Language::of(code);
        let scripts: Vec<&str> = language.scripts().collect();
        let usual = scripts.first().copied().or(models.first().map(|model| model.script));
        // The figures are those of the library's models.
        let is_shipped = models.iter().all(|model| model.pack == "library");
        let measured = language.quality().filter(|_| is_shipped);
        Row {
            code: code.to_string(),
            iso_639_1: code.short(),
            name: code.name(),
            native: language.native_names().collect(),
            aliases: language.aliases().collect(),
            sentence_ends: usual.map_or(String::new(), |script| (self.ends)(script)),
            scripts,
            speakers: language.speakers(),
            models,
            cld2: self.cld2.contains(&code),
            measured: measured.map(|Quality { sentences, precision, recall, f1 }| Measured {
                identifier: MEASURED_WITH,
                sentences,
                precision,
                recall,
                f1,
            }),
        }
    }

    /// Appends the row of a table. Cells with several values separate them by ` | `.
    pub fn table(&self, code: LangCode, out: &mut String) {
        let row = self.row(code);
        let models = row.models.iter().map(|model| format!("{}:{}", model.script, model.words));
        let near: Vec<&str> =
            row.models.iter().flat_map(|model| &model.neighbours).map(String::as_str).collect();
        let cells = [
            row.code.clone(),
            row.iso_639_1.unwrap_or("").to_owned(),
            row.name.to_owned(),
            row.native.join(" | "),
            row.aliases.join(" | "),
            row.scripts.join(" | "),
            row.speakers.map_or(String::new(), |speakers| speakers.to_string()),
            spaced(&row.sentence_ends),
            models.collect::<Vec<_>>().join(" | "),
            near.join(" | "),
            if row.cld2 { "yes" } else { "no" }.to_owned(),
            row.measured.as_ref().map_or(String::new(), |measured| format!("{:.1}", measured.f1)),
        ];
        let cells: Vec<_> = cells.iter().map(|cell| render::tsv::cell(cell)).collect();
        let _ = writeln!(out, "{}", cells.join("\t"));
    }

    /// Appends a paragraph for people.
    pub fn text(&self, code: LangCode, out: &mut String) {
        let row = self.row(code);
        if !out.is_empty() {
            out.push('\n');
        }
        let mut line = |name: &str, value: &str| {
            if !value.is_empty() {
                let _ = writeln!(out, "{name:<14}{value}");
            }
        };
        let codes = match row.iso_639_1 {
            Some(short) => format!("{}, {short}", row.code),
            None => row.code.clone(),
        };
        line("code", &codes);
        line("name", row.name);
        line("native", &row.native.join(", "));
        line("also", &row.aliases.join(", "));
        let named = |tag: &&str| match langid::words::Script::of_tag(tag) {
            Some(script) => format!("{tag} ({})", script.name().replace('_', " ")),
            None => (*tag).to_owned(),
        };
        line("scripts", &row.scripts.iter().map(named).collect::<Vec<_>>().join(", "));
        line("speakers", &row.speakers.map_or(String::new(), grouped));
        line("sentence ends", &spaced(&row.sentence_ends));
        for model in &row.models {
            let few = if model.few { "; too few for short texts" } else { "" };
            let words = counted(u64::from(model.words), "word");
            line(
                "model",
                &format!("{}, {words} of training text, {}{few}", model.script, model.pack),
            );
            let near = model.neighbours.iter().filter_map(|code| code.parse::<LangCode>().ok());
            let near = near.map(|code| format!("{} ({code})", code.name()));
            line("neighbours", &near.collect::<Vec<_>>().join(", "));
        }
        if row.models.is_empty() {
            let packs = (self.packs)(code);
            let train = "train one with `corpulyzer train`";
            let none = match (row.cld2, packs.is_empty()) {
                (true, _) => "none; CLD2 identifies it".to_owned(),
                (false, true) if code.is_macro_language() => format!("none{}", self.advice(code)),
                (false, true) => format!("none; {train}"),
                (false, false) => format!("none in the library; use {packs}, or {train}"),
            };
            line("model", &none);
        }
        if let Some(Measured { identifier, sentences, precision, recall, f1 }) = &row.measured {
            line(
                "measured",
                &format!(
                    "F1 {f1:.1} %, precision {precision:.1} %, recall {recall:.1} % on {} ({identifier})",
                    counted(*sentences, "sentence")
                ),
            );
        }
    }
}

fn spaced(signs: &str) -> String {
    signs.chars().map(String::from).collect::<Vec<_>>().join(" ")
}
