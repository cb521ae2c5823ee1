"""The verbs of the command that work on files, each in a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from threading import Thread
from typing import Any, Callable, Optional

from ._errors import InputError, InternalError, SettingError
from ._native import language_code
from ._settings import Path, Paths, paths_of

#: Exit code of a wrong option, and of Ctrl-C.
_MISUSE, _INTERRUPTED = 2, 130

#: An option of the command, such as `--min-words`.
_OPTION = re.compile(r"--([a-z]+(?:-[a-z]+)*)")


@dataclass(frozen=True)
class Done:
    """What a verb printed."""

    #: Its standard output: tables and figures.
    output: str
    #: Its standard error: what was read, written and skipped.
    messages: tuple[str, ...]


def run(
    verb: str, *arguments: Path, on_message: Optional[Callable[[str], None]] = None, **options: Any
) -> Done:
    """Runs a verb of the command in a process of its own, and waits for its end.

    `corpulyzer VERB --help` lists the arguments and options. An option `--min-words 3` is the argument
    `min_words=3`; `True` is an option without a value, `False` and `None` leave it out, and a list
    repeats it:

        corpulyzer.run("vertical", "corpus.jsonl", language="ur", out="corpus.vert")
        corpulyzer.run("quality", "annotate", "corpus.jsonl", language="ur", limits="ur.yml", out="q.jsonl")

    Args:
        verb: The verb, such as `package`. `crawl`, `install` and `doctor` are no verbs of this package.
        arguments: Its files, or the name of its part and its files.
        on_message: Is called with each line of standard error as it is written, such as progress.
        options: Its options.

    Raises:
        InputError: An input cannot be read, or the output cannot be written.
        SettingError: An argument or option is not allowed.
    """
    command = [sys.executable, "-m", "corpulyzer", verb]
    command += [os.fspath(argument) for argument in arguments]
    for name, value in options.items():
        command += _option(name, value)
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    output, messages = _read(process, on_message)
    if process.returncode == 0:
        return Done(output, tuple(messages))
    text = "\n".join(messages)
    # The sentences are written for the command line.
    text = _OPTION.sub(lambda option: option[1].replace("-", "_"), text)
    if process.returncode == _MISUSE:
        raise SettingError(text)
    if process.returncode == _INTERRUPTED:
        raise KeyboardInterrupt
    if process.returncode == 1:
        raise InputError(text)
    raise InternalError(f"{verb} ended with {process.returncode}: {text}")


def _option(name: str, value: Any) -> list[str]:
    option = "--" + name.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [option]
    if isinstance(value, (list, tuple)):
        return [part for one in value for part in _option(name, one)]
    return [f"{option}={os.fspath(value) if isinstance(value, os.PathLike) else value}"]


def _read(
    process: subprocess.Popen[str], on_message: Optional[Callable[[str], None]]
) -> tuple[str, list[str]]:
    """Returns what a process prints. It ends if this is interrupted."""
    assert process.stdout is not None and process.stderr is not None
    output: list[str] = []
    reader = Thread(target=lambda out: output.append(out.read()), args=(process.stdout,))
    reader.start()
    messages = []
    try:
        for line in process.stderr:
            message = line.rstrip("\n").removeprefix("corpulyzer: ")
            messages.append(message)
            if on_message is not None:
                on_message(message)
        process.wait()
    except BaseException:
        # It removes its temporary files before it ends.
        process.send_signal(signal.SIGINT)
        process.wait()
        raise
    finally:
        reader.join()
        process.stdout.close()
        process.stderr.close()
    return "".join(output), messages


def package(
    paths: Paths, language: str, *, out: Path, contact: str, **options: Any
) -> Done:
    """Packs a corpus or a collection of sentences for publication, in a new folder (docs/package.md).

    Args:
        paths: JSON lines, Parquet, or the output of `sentences`; or folders of them.
        language: The language of the corpus.
        out: The folder that is made.
        contact: Address for requests to remove a page: an e-mail address or a URL.
        options: Options of the command's `package`, such as `layout="hub"`, `license="odc-by"`.

    Raises:
        InputError: An input cannot be read, or the folder cannot be written.
        SettingError: An option is not allowed.
    """
    return _over("package", paths, language, out=out, contact=contact, **options)


def deduplicate(paths: Paths, language: str, *, out: Path, **options: Any) -> Done:
    """Removes passages that are repeated, and pages that are near duplicates (docs/deduplication.md).

    Args:
        paths: JSON lines with `text`, or Parquet; or folders of them.
        language: The language of the corpus.
        out: The file of JSON lines that is written; `.gz` and `.zst` compress it.
        options: Options of the command's `deduplicate`, such as `clusters=True`.

    Raises:
        InputError: An input cannot be read, or the file cannot be written.
        SettingError: An option is not allowed.
    """
    return _over("deduplicate", paths, language, out=out, **options)


def sentences(paths: Paths, language: str, *, out: Path, **options: Any) -> Done:
    """Collects the sentences of a corpus, each once and in no order (docs/sentences.md).

    Use `split_sentences` for the sentences of a text.

    Args:
        paths: JSON lines, WARC files, WET files or Parquet; or folders of them.
        language: The language of the sentences, or several with commas.
        out: The file that is written, a sentence on each line; `.gz` and `.zst` compress it. With
            several languages, `{language}` in its name stands for the code of each.
        options: Options of the command's `sentences`, such as `min_words=4`.

    Raises:
        InputError: An input cannot be read, or the file cannot be written.
        SettingError: An option is not allowed.
    """
    return _over("sentences", paths, language, out=out, **options)


def words(paths: Paths, language: str, *, out: Path, **options: Any) -> Done:
    """Writes a list of the words of a corpus with their frequencies (docs/sentences.md).

    Use `split_words` for the words of a text.

    Args:
        paths: JSON lines, WARC files, WET files or Parquet; or folders of them.
        language: The language of the corpus.
        out: The table that is written; `.gz` and `.zst` compress it.
        options: Options of the command's `words`.

    Raises:
        InputError: An input cannot be read, or the file cannot be written.
        SettingError: An option is not allowed.
    """
    return _over("words", paths, language, out=out, **options)


def seeds(paths: Paths, language: str, *, out: Path, **options: Any) -> Done:
    """Writes the URLs of pages in a language, the hosts with most text first (docs/crawler.md).

    Args:
        paths: WARC files, WET files, JSON lines or Parquet; or folders of them. With `index=True`,
            the indexes of an archive.
        language: The language of the pages.
        out: The file of URLs that is written.
        options: Options of the command's `seeds`, such as `index=True, hosts="hosts.tsv"`.

    Raises:
        InputError: An input cannot be read, or the file cannot be written.
        SettingError: An option is not allowed.
    """
    return _over("seeds", paths, language, out=out, **options)


def _over(verb: str, paths: Paths, language: str, **options: Any) -> Done:
    # A path that begins with a hyphen is no option.
    files = [path if not path.startswith("-") else os.path.join(os.curdir, path) for path in paths_of(paths)]
    return run(verb, *files, language=language_code(language), **options)
