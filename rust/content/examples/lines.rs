//! Writes the kept lines of pages, for a comparison with those of a browser
//! (`bench/peers/extraction/fidelity`): `lines EXTRACTOR FOLDER OUT`. For each `NAME.html` below the
//! folder, OUT gets `NAME.lines`, and `NAME.html` as UTF-8.

use content::{content_of_text, decode, ContentOptions, Form, Hints};
use std::fs;
use std::io::Error;
use std::path::Path;

fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [extractor, folder, out] = arguments.as_slice() else {
        return Err(Error::other("usage: lines EXTRACTOR FOLDER OUT"));
    };
    let extractor = extractor.parse().map_err(Error::other)?;
    let mut folders = vec![Path::new(folder).to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)?.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let Some(name) = path.file_stem().and_then(|name| name.to_str()) else { continue };
            if path.extension().is_none_or(|extension| extension != "html") {
                continue;
            }
            let bytes = fs::read(&path)?;
            let Ok(decoded) = decode(&bytes, &Hints::default()) else { continue };
            let options = ContentOptions::new(extractor, Form::Text);
            let lines = content_of_text(&decoded.text, &options).text;
            fs::write(Path::new(out).join(format!("{name}.lines")), lines)?;
            fs::write(Path::new(out).join(format!("{name}.html")), &*decoded.text)?;
        }
    }
    Ok(())
}
