"""The command that the package has: `corpulyzer` and `python -m corpulyzer`."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

from conftest import URDU, page_of, warc_record

import corpulyzer

SCRIPT = Path(sys.executable).parent / "corpulyzer"


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "corpulyzer", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_entry_point_and_the_module_are_the_same_command(tmp_path: Path) -> None:
    done = subprocess.run([SCRIPT, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == run("--version", folder=tmp_path).stdout
    assert done.stdout.split() == ["corpulyzer", corpulyzer.__version__]


def test_the_command_makes_the_corpus_that_the_function_iterates_over(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(warc_record("http://a.pk/1", page_of(URDU)))
    done = run("collect", "a.warc", "--language", "ur", "--out", "c", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    made = [document["text"] for document in corpulyzer.collect(tmp_path / "c" / "urd", "ur")]
    found = [document["text"] for document in corpulyzer.collect(tmp_path / "a.warc", "ur")]
    assert made == found and len(made) == 1


def test_the_packs_are_inside(tmp_path: Path) -> None:
    (tmp_path / "lines.txt").write_text("Das ist ein deutscher Satz.\n")
    done = run("--pack", "seed", "identify", "lines.txt", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "deu" in done.stdout


def test_a_wrong_option_exits_with_2(tmp_path: Path) -> None:
    done = run("collect", "--no-such-option", folder=tmp_path)
    assert done.returncode == 2 and done.stderr.startswith("corpulyzer: ")


def test_ctrl_c_ends_it_with_130(tmp_path: Path) -> None:
    page = warc_record("http://a.pk/1", page_of(URDU))
    (tmp_path / "a.warc").write_bytes(page * 60_000)
    arguments = ["collect", "a.warc", "--language", "ur", "--out", "c"]
    work = subprocess.Popen([sys.executable, "-m", "corpulyzer", *arguments], cwd=tmp_path)
    # The command has begun when its folder is there; starting Python may take seconds.
    end = time.monotonic() + 60
    while not any(tmp_path.glob("c*")) and time.monotonic() < end:
        time.sleep(0.1)
    time.sleep(1)
    work.send_signal(signal.SIGINT)
    assert work.wait(20) == 130


def test_man_pages_and_completions_are_installed_with_it() -> None:
    share = Path(sys.prefix) / "share"
    page = (share / "man/man1/corpulyzer-collect.1").read_text()
    assert "language" in page
    for completion in (
        "bash-completion/completions/corpulyzer",
        "zsh/site-functions/_corpulyzer",
        "fish/vendor_completions.d/corpulyzer.fish",
    ):
        assert "collect" in (share / completion).read_text(), completion
