"""Languages of texts, and language packs."""

from __future__ import annotations

import os
import tempfile
import warnings
from functools import lru_cache
from typing import Iterable, Literal, Mapping, Optional, Union, overload

from . import _native
from ._errors import InputError, InputWarning, SettingError
from ._records import Pack, Span, TrainedLanguage
from ._settings import MAX_BYTES, Path, pack_files

# Not a sequence, because a text is a sequence of texts.
Texts = Union[list[str], tuple[str, ...]]


@lru_cache(maxsize=8)
def _identifier(packs: tuple[str, ...]) -> _native.Identifier:
    return _native.Identifier(list(packs))


def _with(packs: Iterable[Path]) -> _native.Identifier:
    return _identifier(tuple(pack_files(packs)))


def _refuse_bytes(text: object) -> None:
    """Refuses bytes, which would count as a list of numbers."""
    if isinstance(text, (bytes, bytearray)):
        raise TypeError(f"a text is of type {type(text).__name__}; decode it to str first")


@overload
def identify(
    text: str,
    *,
    allowed: Optional[Iterable[str]] = ...,
    packs: Iterable[Path] = ...,
    spans: Literal[False] = ...,
) -> str: ...


@overload
def identify(
    text: Texts,
    *,
    allowed: Optional[Iterable[str]] = ...,
    packs: Iterable[Path] = ...,
    spans: Literal[False] = ...,
) -> list[str]: ...


@overload
def identify(text: str, *, packs: Iterable[Path] = ..., spans: Literal[True]) -> list[Span]: ...


@overload
def identify(
    text: Texts, *, packs: Iterable[Path] = ..., spans: Literal[True]
) -> list[list[Span]]: ...


def identify(
    text: Union[str, Texts],
    *,
    allowed: Optional[Iterable[str]] = None,
    packs: Iterable[Path] = (),
    spans: bool = False,
) -> Union[str, list[str], list[Span], list[list[Span]]]:
    """Returns the language of a text, or of each of several texts, on all cores.

    The result is an ISO 639-3 code, or `und` if the identifier is not certain. It is that of the
    command's `identify`. The first MiB of a text is read.

    Args:
        text: A text, or a list of texts.
        allowed: Choose between these languages only.
        packs: Language packs: files made by `train`, or the names `seed` and `far`.
        spans: Return the parts of each text that are in one language, with their offsets in
            characters and the probability that the language is right. All of the text is read.

    Raises:
        SettingError: A code is unknown, `allowed` has a language that the identifier cannot return, a
            pack cannot be read, or `allowed` and `spans` are given together.

    >>> identify("یہ شہر کی پرانی لائبریری ہے")
    'urd'
    >>> identify(["Das ist ein Satz in deutscher Sprache.", "12345"])
    ['deu', 'und']
    >>> text = "Der Satz ist auf Deutsch geschrieben.\\nThe river rose during the long night."
    >>> [(span.start, span.end, span.language) for span in identify(text, spans=True)]
    [(0, 37, 'deu'), (38, 75, 'eng')]
    """
    _refuse_bytes(text)
    identifier = _with(packs)
    if spans:
        if allowed is not None:
            raise SettingError("allowed and spans cannot be given together; leave out one of them")
        texts = [text] if isinstance(text, str) else list(text)
        found = [[Span(*span) for span in each] for each in identifier.spans(texts)]
        return found[0] if isinstance(text, str) else found
    choice = list(allowed) if allowed is not None else None
    if isinstance(text, str):
        return identifier.identify([text], choice)[0]
    return identifier.identify(list(text), choice)


@overload
def langbytes(text: str, *, packs: Iterable[Path] = ...) -> dict[str, int]: ...


@overload
def langbytes(text: Texts, *, packs: Iterable[Path] = ...) -> list[dict[str, int]]: ...


def langbytes(
    text: Union[str, Texts], *, packs: Iterable[Path] = ()
) -> Union[dict[str, int], list[dict[str, int]]]:
    """Returns the bytes of each language in a text, or in each of several texts, on all cores.

    Bytes are those of the text in UTF-8; line ends are in no language, so the sum is the length of the
    text without them. Languages are in the order of their bytes, most first. The result is that of
    the command's `langbytes`.

    Args:
        text: A text, or a list of texts.
        packs: Language packs: files made by `train`, or the names `seed` and `far`.

    Raises:
        SettingError: A pack cannot be read.

    >>> langbytes("Das ist ein Satz in deutscher Sprache.\\nیہ شہر کی پرانی لائبریری ہے اور اچھی ہے")
    {'urd': 70, 'deu': 38}
    """
    _refuse_bytes(text)
    identifier = _with(packs)
    if isinstance(text, str):
        return identifier.langbytes([text])[0]
    return identifier.langbytes(list(text))


def languages(packs: Iterable[Path] = ()) -> list[str]:
    """Returns the codes of the languages that `identify` can return, sorted.

    >>> {"eng", "skr", "urd"} <= set(languages())
    True
    """
    return _with(packs).languages()


def train(
    text: Union[Path, Mapping[str, Union[str, Iterable[str]]]],
    out: Optional[Path] = None,
    *,
    language: Optional[str] = None,
    max_entries: int = 40_000,
    max_bytes: int = MAX_BYTES,
) -> Pack:
    """Makes a language pack, for languages that the engine does not know. The same texts give the same
    bytes, which are those of the command's `train`.

    Args:
        text: Texts by language code, each a text or lines. Or a path: with `language` a text or a
            folder of texts; without it a folder with a file or a folder for each language, such as
            `skr.txt`. Files are plain text (`*.txt`) or records of a crawl (`*.jsonl`; only their
            lines in the language are used), also with `.gz` or `.zst`.
        out: File for the pack. An old file is replaced when the new one is complete.
        language: Language of all texts under the path.
        max_entries: Most words and letter sequences of each language and script.
        max_bytes: Length of the longest line of a file, in bytes.

    Raises:
        InputError: Texts cannot be read, or have no words, or `out` cannot be written.
        SettingError: A code or a number is not allowed.

    Warns:
        InputWarning: A language has fewer than 1,000 words, or lines of records in other languages
            were left out.

    >>> import warnings
    >>> warnings.simplefilter("ignore", InputWarning)
    >>> pack = train({"akk": ["šarrum dannum šar kibrātim", "ana bēlija qibīma"] * 20})
    >>> pack.languages[0].name, pack.languages[0].words
    ('Akkadian', 140)
    """
    if isinstance(text, Mapping):
        if language is not None:
            raise TypeError("language is for texts under a path; these texts have languages")
        joined = [
            (code, lines if isinstance(lines, str) else "\n".join(lines))
            for code, lines in text.items()
        ]
        content, trained, left_out = _native.train_texts(joined, max_entries)
    else:
        content, trained, left_out = _native.train(os.fspath(text), language, max_entries, max_bytes)
    pack = Pack(content, tuple(TrainedLanguage(*values) for values in trained))
    for sentence in left_out:
        warnings.warn(sentence, InputWarning, stacklevel=2)
    for found in pack.languages:
        if found.few:
            warnings.warn(
                f"{found.language} ({found.name}) in {found.script}: {found.words} words: "
                "little text, expect many mistakes",
                InputWarning,
                stacklevel=2,
            )
    if out is not None:
        _write(os.fspath(out), content)
    return pack


def _write(out: str, content: bytes) -> None:
    """Writes a file under a temporary name and renames it."""
    try:
        handle, name = tempfile.mkstemp(prefix=".corpulyzer-", dir=os.path.dirname(out) or ".")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(name, 0o666 & ~mask)
            os.replace(name, out)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise InputError(f"{out}: {error.strerror or error} (out)") from error
