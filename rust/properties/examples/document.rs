//! Writes `docs/settings.md`.

fn main() -> std::io::Result<()> {
    std::fs::write(
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/settings.md"),
        properties::document(),
    )
}
