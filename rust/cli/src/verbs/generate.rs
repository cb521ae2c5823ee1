//! Man pages and shell completions, from the same arguments as `--help`.

use crate::context::Context;
use crate::io::console::about;
use crate::io::output::{self, temporary_folder};
use anyhow::Result;
use clap::{Args, Command};
use clap_complete::{generate, Shell};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Write man pages and shell completions into a folder, laid out like /usr/share
#[derive(Args)]
#[command(hide = true)]
pub struct Arguments {
    /// The folder; it is made if it does not exist
    folder: PathBuf,
}

/// The folder below `share` in which each shell looks for completions, and the name of the file.
const COMPLETIONS: [(Shell, &str); 3] = [
    (Shell::Bash, "bash-completion/completions/corpulyzer"),
    (Shell::Zsh, "zsh/site-functions/_corpulyzer"),
    (Shell::Fish, "fish/vendor_completions.d/corpulyzer.fish"),
];

/// Writes the man pages of the command and its verbs (`man/man1`), and completions for bash, zsh
/// and fish.
///
/// # Errors
/// When a file cannot be written.
pub fn run(arguments: &Arguments, _: &Context) -> Result<bool> {
    let folder = &arguments.folder;
    write(folder, crate::defaults::command())
        .map_err(about(format!("{}: cannot be written", folder.display())))?;
    Ok(true)
}

fn write(folder: &Path, command: Command) -> io::Result<()> {
    let name = command.get_name().to_owned();
    // Without it every verb is there twice: as itself, and as an argument of `help`.
    let mut command = command.disable_help_subcommand(true);
    fs::create_dir_all(folder)?;
    let made = temporary_folder(folder)?;
    clap_mangen::generate_to(command.clone(), made.path())?;
    let pages = fs::read_dir(made.path())?.collect::<io::Result<Vec<_>>>()?;
    for page in pages {
        put(&page.path(), &folder.join("man/man1").join(page.file_name()))?;
    }
    for (shell, place) in COMPLETIONS {
        let mut text = Vec::new();
        generate(shell, &mut command, &name, &mut text);
        let completion = made.path().join("completion");
        fs::write(&completion, text)?;
        put(&completion, &folder.join(place))?;
    }
    Ok(())
}

/// Renames a file to its place. A symlink that is there is replaced, and not followed.
fn put(file: &Path, place: &Path) -> io::Result<()> {
    fs::create_dir_all(output::folder(place))?;
    fs::rename(file, place)
}
