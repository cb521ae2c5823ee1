//! Writes what `training/train.py` needs of the pages in a folder.
//!
//! `features blocks FOLDER NAME`: for all blocks of `FOLDER/*.html`, sorted by name, `NAME.texts`
//! (page, tab, text; one line a block) and `NAME.features` (little-endian f32, a row a block).
//! `features context FOLDER NAME`: reads `NAME.probable` (one f32 a block) and writes
//! `NAME.context`.
//! `features posts FOLDER NAME`: for all blocks of the threads of forums, `NAME.texts`
//! and `NAME.features` with the features of the forest of posts, from the forests of the library.
//!
//! The addresses of pages are those of `index.tsv` beside the folder (name, URL; a line a page).
//! `features names` prints the names of the features in their order: those of a block on the first
//! line, those of its context on the second, those of posts on the third.

use content::{
    context, decode, parse, posts, ContextFeature, Feature, Features, Hints, Limits, Page,
    PostFeature,
};
use std::collections::HashMap;
use std::fs;
use std::io::{BufWriter, Error, Write};
use std::path::{Path, PathBuf};

fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments == ["names"] {
        let names = |names: Vec<&str>| println!("{}", names.join(" "));
        names(Feature::ALL.iter().map(|feature| feature.name()).collect());
        names(ContextFeature::ALL.iter().map(|feature| feature.name()).collect());
        names(PostFeature::ALL.iter().map(|feature| feature.name()).collect());
        return Ok(());
    }
    let [verb, folder, name] = arguments.as_slice() else {
        return Err(Error::other(
            "usage: features blocks|context|posts FOLDER NAME, or features names",
        ));
    };
    match verb.as_str() {
        "blocks" => blocks(Path::new(folder), name, |page| Features::of(page).iter().collect()),
        "posts" => blocks(Path::new(folder), name, posts),
        "context" => surroundings(Path::new(folder), name),
        other => Err(Error::other(format!("{other} is neither blocks, context nor posts"))),
    }
}

fn pages(folder: &Path) -> Result<Vec<(PathBuf, Page)>, Error> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "html"));
    paths.sort();
    let index = fs::read_to_string(folder.join("../index.tsv")).unwrap_or_default();
    let urls: HashMap<&str, &str> = index
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(name, rest)| (name, rest.split('\t').next().unwrap_or_default()))
        .collect();
    let read = |path: PathBuf| {
        let bytes = fs::read(&path)?;
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        let page = decode(&bytes, &Hints::default())
            .map(|decoded| parse(&decoded.text, &Limits::default()).at(urls.get(name).copied()));
        Ok((path, page.unwrap_or_default()))
    };
    paths.into_iter().map(read).collect()
}

/// Writes the texts of blocks and their features. `features` returns those of all blocks, or none.
fn blocks<const N: usize>(
    folder: &Path,
    name: &str,
    features: impl Fn(&Page) -> Vec<[f32; N]>,
) -> Result<(), Error> {
    let mut texts = BufWriter::new(fs::File::create(format!("{name}.texts"))?);
    let mut rows = BufWriter::new(fs::File::create(format!("{name}.features"))?);
    for (path, page) in pages(folder)? {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (block, row) in page.blocks().iter().zip(features(&page)) {
            writeln!(texts, "{stem}\t{}", page.text_of(block))?;
            write(&mut rows, &row)?;
        }
    }
    Ok(())
}

fn surroundings(folder: &Path, name: &str) -> Result<(), Error> {
    let probable = fs::read(format!("{name}.probable"))?;
    let mut probable = probable
        .chunks_exact(4)
        .map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    let mut rows = BufWriter::new(fs::File::create(format!("{name}.context"))?);
    for (_, page) in pages(folder)? {
        let features = Features::of(&page);
        let weights = features.weights();
        let probable: Vec<f32> = probable.by_ref().take(weights.len()).collect();
        for row in context(&features, &probable, &weights) {
            write(&mut rows, &row)?;
        }
    }
    Ok(())
}

fn write(out: &mut impl Write, row: &[f32]) -> Result<(), Error> {
    row.iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
}
