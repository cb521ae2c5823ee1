//! Options of models of classes.

use crate::arguments::{share, whole};
use annotate::Classifier;
use anyhow::{anyhow, bail, Result};
use clap::Args;
use langid::Classes;
use std::path::PathBuf;

/// Fields that `quality annotate` writes itself, or that the text and its origin are in.
const TAKEN: [&str; 11] = [
    "text",
    "url",
    "id",
    "decision",
    "gone",
    "languages",
    "classes",
    "quality",
    "noise",
    "blocked",
    "variety",
];

#[derive(Args)]
pub struct Options {
    /// Add the class of each page to the field NAME, by a model of `train --classes`, and its
    /// probability to NAME_score, such as topic=topic.classes; may be repeated
    #[arg(long, value_name = "NAME=FILE")]
    classes: Vec<String>,
    /// Mark the pages of a class, such as topic=spam (rule class); may be repeated
    #[arg(long, value_name = "NAME=CLASS", requires = "classes")]
    reject: Vec<String>,
    /// Smallest probability of a class in --reject
    #[arg(long, default_value_t = 0.5, value_name = "P", value_parser = share, requires = "reject")]
    reject_score: f64,
    /// File for a table of hosts (TSV): pages, and the mean probability of each class
    #[arg(long, value_name = "FILE", requires = "classes")]
    pub hosts: Option<PathBuf>,
    /// File for an exclusion list (--without of other verbs): the hosts whose mean probability of a
    /// class in --reject is at least --reject-score
    #[arg(long, value_name = "FILE", requires = "reject")]
    pub reject_hosts: Option<PathBuf>,
    /// With --reject-hosts: smallest number of pages of a host that have a class
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = whole::<u64>(1..=1 << 32))]
    #[arg(requires = "reject_hosts")]
    pub reject_pages: u64,
}

/// The two sides of the first `=`.
fn pair<'a>(option: &str, text: &'a str) -> Result<(&'a str, &'a str)> {
    let sides = text.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty());
    sides.ok_or_else(|| {
        misuse!("{option} is {text:?}; allowed is a name, = and a value, such as topic=news")
    })
}

impl Options {
    /// Whether `--classes` is given.
    pub fn are_asked(&self) -> bool {
        !self.classes.is_empty()
    }

    /// The files of the models.
    pub fn files(&self) -> Vec<PathBuf> {
        let file = |text: &String| text.split_once('=').map(|(_, file)| PathBuf::from(file));
        self.classes.iter().filter_map(file).collect()
    }

    /// Opens the models.
    ///
    /// # Errors
    /// Fails if a model cannot be read, two have one name, or `--reject` names another class.
    pub fn open(&self) -> Result<Vec<Classifier>> {
        let mut classifiers: Vec<Classifier> = Vec::new();
        for text in &self.classes {
            let (field, file) = pair("--classes", text)?;
            if TAKEN.contains(&field) || classifiers.iter().any(|other| other.field == field) {
                bail!(misuse!("--classes: the field `{field}` is taken; name another one"));
            }
            let model = Classes::open(file.as_ref()).map_err(|bad| anyhow!("{bad} (--classes)"))?;
            let rejected = vec![false; model.names().count()];
            let (field, min_score) = (field.to_owned(), self.reject_score as f32);
            classifiers.push(Classifier { field, model, rejected, min_score });
        }
        for text in &self.reject {
            let (field, class) = pair("--reject", text)?;
            let Some(of) = classifiers.iter_mut().find(|of| of.field == field) else {
                bail!(misuse!("--reject names `{field}`, which is no name of --classes"));
            };
            let number = of.model.names().position(|(name, _)| name == class);
            let Some(number) = number else {
                let known: Vec<&str> = of.model.names().map(|(name, _)| name).collect();
                bail!(misuse!(
                    "--reject: `{field}` has no class `{class}`; its classes are {}",
                    known.join(", ")
                ));
            };
            of.rejected[number] = true;
        }
        Ok(classifiers)
    }
}
