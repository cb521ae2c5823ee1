//! The command, run, and what it said.

use assert_cmd::assert::Assert;
use assert_cmd::cargo::CommandCargoExt;
use assert_cmd::Command;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The folder of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

pub fn corpulyzer<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::cargo_bin("corpulyzer").unwrap();
    command.args(arguments);
    command
}

/// Adds `--out` with a path.
pub trait Out {
    fn out(&mut self, path: impl AsRef<OsStr>) -> &mut Self;
}

impl Out for Command {
    fn out(&mut self, path: impl AsRef<OsStr>) -> &mut Self {
        self.arg("--out").arg(path)
    }
}

/// The command for a test that reads and writes while it runs. In an emulator it is the emulator
/// with the command.
pub fn program() -> std::process::Command {
    <std::process::Command as CommandCargoExt>::cargo_bin("corpulyzer").unwrap()
}

pub fn stdout(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

pub fn stderr(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

/// The name of Chromium, if it is installed.
pub fn chromium() -> Option<&'static str> {
    let runs = |name: &&str| {
        std::process::Command::new(name)
            .arg("--version")
            .output()
            .is_ok_and(|done| done.status.success())
    };
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(runs)
}

/// The Python with the libraries of PyPI that the tests compare with, or read our files with. None
/// before `bin/corpulyzer test` has made it.
pub fn python() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../build/python");
    folder.join("versions").exists().then(|| folder.join("bin/python"))
}

/// Two URLs with the same XXH3-64, the second made for the first.
pub fn colliding_urls() -> [String; 2] {
    let x = |count| "x".repeat(count);
    let parts = [&x(52), "35ee70", &x(10), "b39823", &x(10), "3420e3", &x(10), "17f050", &x(6)];
    [x(112), parts.concat()].map(|rest| format!("http://a.pk/page{rest}"))
}
