//! Writes the table of language codes and names, as text: isolang's own is an array of pointers
//! that its users each get a copy of, and would take a megabyte of the library.

use std::fmt::Write as _;
use std::{env, error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let mut languages: Vec<_> = isolang::languages().collect();
    languages.sort_by_key(|language| language.to_639_3());
    let mut table = String::new();
    for language in languages {
        writeln!(
            table,
            "{}{:2}{}",
            language.to_639_3(),
            language.to_639_1().unwrap_or(""),
            language.to_name()
        )?;
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join("languages.txt"), table)?;
    Ok(())
}
