//! The builds of bin/corpulyzer.

use crate::common::root;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn script(path: &Path, lines: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("#!/bin/sh\n{lines}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A clone in which `cargo` only writes when it starts and ends, and what it makes prints `verb`. It
/// waits for the file `go`.
fn clone() -> TempDir {
    let folder = TempDir::new().unwrap();
    let at = |path: &str| folder.path().join(path);
    for name in ["bin/corpulyzer", "bin/dev/lib/setup.sh", "bin/dev/lib/build.sh"] {
        fs::create_dir_all(at(name).parent().unwrap()).unwrap();
        fs::copy(root().join(name), at(name)).unwrap();
    }
    for name in ["rust", "tests/web", "nutch-conf"] {
        fs::create_dir_all(at(name)).unwrap();
    }
    fs::write(at("Cargo.toml"), "").unwrap();
    fs::write(at("Cargo.lock"), "").unwrap();
    script(&at("tools/c++"), ":");
    script(
        &at("tools/cargo"),
        "echo start >>log; until [ -e go ]; do sleep .1; done; mkdir -p target/release\n\
         printf '#!/bin/sh\\necho verb\\n' >target/release/corpulyzer\n\
         chmod +x target/release/corpulyzer; echo end >>log",
    );
    folder
}

fn identify(folder: &Path, output: &str) -> Child {
    let path = format!("{}:{}", folder.join("tools").display(), std::env::var("PATH").unwrap());
    let file = || fs::File::options().create(true).append(true).open(folder.join(output)).unwrap();
    Command::new(folder.join("bin/corpulyzer"))
        .arg("identify")
        .env("PATH", path)
        .stdin(Stdio::null())
        .stdout(file())
        .stderr(file())
        .spawn()
        .unwrap()
}

fn until(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_second_build_waits_for_the_first_and_builds_nothing_again() {
    if Command::new("flock").arg("--version").output().is_err() {
        return;
    }
    let clone = clone();
    let folder = clone.path();
    let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
    let mut first = identify(folder, "first");
    until("the first build starts", || text("log") == "start\n");
    let mut second = identify(folder, "second");
    until("the second build waits", || text("second").contains("another build runs in this clone"));
    fs::write(folder.join("go"), "").unwrap();
    assert!(first.wait().unwrap().success() && second.wait().unwrap().success());
    assert_eq!(text("log"), "start\nend\n");
    for output in ["first", "second"] {
        assert!(text(output).ends_with("verb\n"), "{}", text(output));
    }
}
