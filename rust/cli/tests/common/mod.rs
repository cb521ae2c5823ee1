//! The command, run, and what it said.
// Each file of tests uses a part of this.
#![allow(dead_code, clippy::unwrap_used)]

use assert_cmd::assert::Assert;
use assert_cmd::Command;

pub fn corpulyzer<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::cargo_bin("corpulyzer").unwrap();
    command.args(arguments);
    command
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
        std::process::Command::new(name).arg("--version").output().is_ok_and(|done| done.status.success())
    };
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(runs)
}
