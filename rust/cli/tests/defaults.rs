//! Defaults of options from the environment and from a file.

use assert_cmd::Command;
use std::path::Path;

/// Runs `inspect` on a page, with these arguments, and returns its exit code and its output.
fn inspect(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> (i32, String) {
    let page = folder.join("page.html");
    std::fs::write(&page, "<p>ایک کتاب میز پر رکھی ہے اور بچے باہر کھیل رہے ہیں۔").unwrap();
    let mut command = Command::cargo_bin("corpulyzer").unwrap();
    for variable in ["LANGUAGE", "MAX_BYTES", "CONFIG", "THREADS"] {
        command.env_remove(format!("CORPULYZER_{variable}"));
    }
    command.arg("inspect").arg(&page).args(arguments).envs(variables.iter().copied());
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8(text).unwrap())
}

#[test]
fn a_language_from_the_environment_is_used_where_the_command_line_has_none() {
    let folder = tempfile::tempdir().unwrap();
    let (code, text) = inspect(folder.path(), &[], &[]);
    assert_eq!(code, 2, "{text}");
    let (code, urdu) = inspect(folder.path(), &[], &[("CORPULYZER_LANGUAGE", "ur")]);
    assert_eq!((code, urdu.contains("urd")), (0, true), "{urdu}");
    for given in [&["-l", "ur"][..], &["-lur"], &["--language", "ur"], &["--language=ur"]] {
        let (code, text) = inspect(folder.path(), given, &[("CORPULYZER_LANGUAGE", "no such")]);
        assert_eq!((code, text.as_str()), (0, urdu.as_str()), "{given:?}");
    }
    let (code, text) = inspect(folder.path(), &[], &[("CORPULYZER_LANGUAGE", "no such")]);
    assert_eq!(code, 2);
    assert!(text.ends_with("(with defaults from CORPULYZER_LANGUAGE)\n"), "{text}");
}

#[test]
fn a_file_has_defaults_behind_those_of_the_environment() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.yaml");
    let name = file.to_str().unwrap();
    std::fs::write(&file, "language: no such\nthreads: 1\n").unwrap();
    let both = [("CORPULYZER_CONFIG", name), ("CORPULYZER_LANGUAGE", "ur")];
    let (code, text) = inspect(folder.path(), &[], &both);
    assert_eq!((code, text.contains("urd")), (0, true), "{text}");
    let (code, text) = inspect(folder.path(), &[], &both[..1]);
    assert!(code == 2 && text.contains(name), "{text}");

    for (content, said) in [
        ("colour: red\n", "has the option `colour`; allowed are contact, language"),
        ("no list", "is not a list of options"),
    ] {
        std::fs::write(&file, content).unwrap();
        let (code, text) = inspect(folder.path(), &[], &both[..1]);
        assert!(code == 2 && text.contains(said), "{text}");
    }
    std::fs::remove_file(&file).unwrap();
    let (code, text) = inspect(folder.path(), &[], &both[..1]);
    assert!(code == 2 && text.contains("cannot be read"), "{text}");
}

#[test]
fn one_thread_finds_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let many = inspect(folder.path(), &["-l", "ur"], &[]);
    assert_eq!(inspect(folder.path(), &["-l", "ur", "--threads", "1"], &[]), many);
    let (code, text) = inspect(folder.path(), &["-l", "ur", "--threads", "0"], &[]);
    assert!(code == 2 && text.contains("allowed are whole numbers from 1 to 1024"), "{text}");
}
