//! Extracts a folder of pages: `extract IN OUT EXTRACTOR` writes `OUT/X.txt` for every `IN/X.html`.

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use webam::{classify, decode, parse, Extractor, Hints, Limits};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(from), Some(to), Some(extractor)) = (args.next(), args.next(), args.next()) else {
        return Err("usage: extract IN OUT EXTRACTOR".into());
    };
    let (to, extractor) = (PathBuf::from(to), extractor.parse::<Extractor>()?);
    fs::create_dir_all(&to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "html") {
            let bytes = fs::read(&path)?;
            let page = parse(&decode(&bytes, &Hints::default())?.text, &Limits::default());
            let mut text = String::new();
            for (block, verdict) in page.blocks().iter().zip(classify(&page, extractor)) {
                if verdict.kept {
                    text.push_str(page.text_of(block));
                    text.push('\n');
                }
            }
            fs::write(to.join(path.with_extension("txt").file_name().unwrap_or_default()), text)?;
        }
    }
    Ok(())
}
