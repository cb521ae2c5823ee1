//! The head of a data set's card, and its description in Croissant.

use crate::files::Part;
use crate::hub::{SplitSums, Written, DATA};
use crate::Facts;
use langbytes::LangCode;
use parquet_files::Kind;
use serde_json::{json, Map, Value};
use std::fmt::Write as _;

/// Sizes of data sets as the Hub names them: the smallest number of rows that is too large, and the
/// name.
const SIZES: [(u64, &str); 9] = [
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
    (100_000_000, "10M<n<100M"),
    (1_000_000_000, "100M<n<1B"),
    (10_000_000_000, "1B<n<10B"),
    (u64::MAX, "n>10B"),
];

/// The data for a card.
pub struct Card<'a> {
    pub facts: &'a Facts,
    pub language: LangCode,
    /// Name of the data set.
    pub title: &'a str,
    pub written: &'a Written,
}

/// The type of a column in `datasets`.
fn dtype(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "string",
        Kind::Int => "int64",
        Kind::Float => "float64",
        Kind::Bool => "bool",
        Kind::Time => "timestamp[ms, tz=UTC]",
        Kind::Day => "date32",
        // `datasets` has no type for maps, and reads one as pairs with this.
        Kind::Map => "json",
    }
}

/// A text in quotes. JSON strings are YAML too.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

impl Card<'_> {
    /// The two letters of the language's code, or three if there are none.
    fn code(&self) -> &str {
        self.language.short().unwrap_or(self.language.as_str())
    }

    /// The head of the card, in YAML between two lines.
    pub fn head(&self) -> String {
        let Self { facts, written, .. } = self;
        let rows: u64 = written.splits.iter().map(|split| split.rows).sum();
        let size = SIZES.iter().find(|(most, _)| rows < *most).map_or("n>10B", |(_, name)| name);
        let mut head = format!("---\nlanguage:\n- {}\nlicense: {}\n", self.code(), facts.license);
        if let Some(name) = &facts.license_name {
            let _ = writeln!(head, "license_name: {}", quoted(name));
        }
        if facts.license == "other" {
            let _ = writeln!(head, "license_link: {}", quoted(&facts.license_url));
        }
        let _ = write!(
            head,
            "pretty_name: {}\nsize_categories:\n- {size}\nsource_datasets:\n- original\ntask_categories:\n- text-generation\n\
             - fill-mask\nconfigs:\n- config_name: default\n  data_files:\n",
            quoted(self.title)
        );
        for split in &written.splits {
            let _ = writeln!(head, "  - split: {0}\n    path: {DATA}/{0}-*.parquet", split.name);
        }
        head += "dataset_info:\n  config_name: default\n  features:\n";
        for (name, kind) in &written.columns {
            let _ = writeln!(head, "  - name: {}\n    dtype: {}", quoted(name), dtype(*kind));
        }
        head += "  splits:\n";
        for SplitSums { name, rows, bytes, .. } in &written.splits {
            let _ = writeln!(
                head,
                "  - name: {name}\n    num_bytes: {bytes}\n    num_examples: {rows}"
            );
        }
        let sum = |of: fn(&SplitSums) -> u64| written.splits.iter().map(of).sum::<u64>();
        let _ = writeln!(
            head,
            "  download_size: {}\n  dataset_size: {}\n---\n",
            sum(|split| split.stored),
            sum(|split| split.bytes)
        );
        head
    }

    /// The description in Croissant 1.1 (mlcommons.org/croissant), JSON-LD.
    pub fn croissant(&self, description: &str) -> String {
        let Self { facts, written, .. } = self;
        let file = |part: &Part| {
            json!({
                "@type": "cr:FileObject", "@id": part.name, "name": part.name, "contentUrl": part.name,
                "contentSize": format!("{} B", part.bytes), "encodingFormat": "application/x-parquet", "sha256": part.sum,
            })
        };
        let set = |split: &SplitSums| {
            json!({
                "@type": "cr:FileSet", "@id": format!("{}-shards", split.name), "name": format!("{}-shards", split.name),
                "encodingFormat": "application/x-parquet", "includes": format!("{DATA}/{}-*.parquet", split.name),
            })
        };
        let files: Vec<Value> =
            written.parts.iter().map(file).chain(written.splits.iter().map(set)).collect();
        let records = |split: &SplitSums| {
            let field = |(name, kind): &(String, Kind)| {
                Some(json!({
                    "@type": "cr:Field", "@id": format!("{}/{name}", split.name), "name": name, "dataType": data_type(*kind)?,
                    "source": {"fileSet": {"@id": format!("{}-shards", split.name)}, "extract": {"column": name}},
                }))
            };
            json!({
                "@type": "cr:RecordSet", "@id": split.name, "name": split.name,
                "description": format!("The pages of split {}: {}.", split.name, split.rows),
                "field": written.columns.iter().filter_map(field).collect::<Vec<_>>(),
            })
        };
        let creators: Vec<Value> = facts
            .creators
            .iter()
            .map(|name| json!({"@type": "sc:Organization", "name": name}))
            .collect();
        let creator = if let [one] = &creators[..] { one.clone() } else { Value::from(creators) };
        let document = json!({
            "@context": context(),
            "@type": "sc:Dataset",
            "dct:conformsTo": "http://mlcommons.org/croissant/1.1",
            "name": self.title,
            "description": description,
            "license": facts.license_url,
            "url": facts.url,
            "creator": creator,
            "datePublished": facts.published,
            "inLanguage": self.code(),
            "distribution": files,
            "recordSet": written.splits.iter().map(records).collect::<Vec<_>>(),
        });
        format!("{document:#}\n")
    }
}

/// The names of the format, from its specification.
fn context() -> Value {
    let names = [
        "arrayShape",
        "citeAs",
        "column",
        "containedIn",
        "equivalentProperty",
        "extract",
        "field",
        "fileProperty",
        "fileObject",
        "fileSet",
        "format",
        "includes",
        "isArray",
        "isLiveDataset",
        "jsonPath",
        "key",
        "md5",
        "parentField",
        "path",
        "recordSet",
        "references",
        "regex",
        "repeated",
        "replace",
        "samplingRate",
        "separator",
        "source",
        "subField",
        "transform",
    ];
    let mut context: Map<String, Value> =
        names.iter().map(|name| ((*name).to_owned(), format!("cr:{name}").into())).collect();
    let others = json!({
        "@language": "en", "@vocab": "https://schema.org/", "sc": "https://schema.org/",
        "cr": "http://mlcommons.org/croissant/", "rai": "http://mlcommons.org/croissant/RAI/",
        "dct": "http://purl.org/dc/terms/", "conformsTo": "dct:conformsTo",
        "data": {"@id": "cr:data", "@type": "@json"}, "examples": {"@id": "cr:examples", "@type": "@json"},
        "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
        "description": {"@container": "@language"}, "name": {"@container": "@language"},
    });
    if let Value::Object(others) = others {
        context.extend(others);
    }
    Value::Object(context)
}

/// Returns the name of a type in Croissant. The format has none for maps, and its reader fails on
/// one.
fn data_type(kind: Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::Map => return None,
        Kind::Text => "sc:Text",
        Kind::Int => "sc:Integer",
        Kind::Float => "sc:Float",
        Kind::Bool => "sc:Boolean",
        Kind::Time => "sc:DateTime",
        Kind::Day => "sc:Date",
    })
}
