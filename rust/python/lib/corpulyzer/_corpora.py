"""Archives: their documents, and reports."""

from __future__ import annotations

import json
import warnings
from typing import (
    Any,
    Iterable,
    Iterator,
    Literal,
    Optional,
    Sequence,
    TypedDict,
    Union,
    cast,
)

from . import _native
from ._engine import Comments, Extractor, Headline, Identifier, Profile
from ._errors import InputWarning, SettingError
from ._settings import MAX_BYTES, Path, Paths, paths_of, report_problems, scratch_of, settings_json


class Document(TypedDict):
    """A document of a corpus, with the fields of docs/collect.md and its language.

    All documents have all keys, so that tables can be made of them. A key without a value is `None`.
    """

    #: The corpus that it belongs to, ISO 639-3.
    language: str
    id: str
    url: str
    host: str
    fetch_time: str
    #: Round of the crawl; archives have none.
    round: Optional[int]
    title: str
    text: str
    charset: str
    content_type: str
    #: `document` for PDF, Office, OpenDocument and RTF files; pages have none.
    kind: Optional[Literal["document"]]
    raw_bytes: int
    visible_bytes: int
    main_bytes: int
    languages: dict[str, int]
    language_set: dict[str, int]
    decision: str
    record_version: str
    signature: str
    #: What the page states about itself (docs/provenance.md).
    published: Optional[str]
    modified: Optional[str]
    date_source: Optional[str]
    license: Optional[str]
    license_url: Optional[str]
    license_source: Optional[str]
    reservation: Optional[dict[str, Any]]
    alternates: Optional[list[dict[str, str]]]
    author: Optional[str]
    site_name: Optional[str]
    headline: Optional[str]


#: Every key, in the order of the fields of `Document`.
_NO_VALUES: dict[str, Any] = dict.fromkeys(Document.__annotations__)

#: Time for one page in milliseconds: as in the command, enough for any page on a busy machine.
_MAX_MILLIS = 3_600_000


def collect(
    paths: Paths,
    language: Union[str, Sequence[str]],
    *,
    packs: Iterable[Path] = (),
    profile: Optional[Profile] = None,
    extractor: Optional[Extractor] = None,
    comments: Optional[Comments] = None,
    headline: Optional[Headline] = None,
    identifier: Optional[Identifier] = None,
    policy: Optional[Literal["precision", "recall"]] = None,
    min_bytes: Optional[int] = None,
    rejected: bool = False,
    first_look: bool = True,
    damaged: Literal["raise", "warn"] = "raise",
    max_bytes: int = MAX_BYTES,
    memory: int = 256 << 20,
    scratch: Optional[Path] = None,
) -> Iterator[Document]:
    """Iterates over the documents in some languages of WARC files, WET files and JSON lines.

    Each document is a dictionary with the fields that the command's `collect` writes, and `language`,
    the corpus that it belongs to. Documents are in the order of the inputs, each URL once in each
    language. Pages are read on all cores, some MiB ahead of the loop.

    Args:
        paths: A file or folder, or several: plain, gzip or zstd.
        language: A language, or several; a page may belong to several.
        packs: Language packs: files made by `train`, or the names `seed` and `far`.
        profile: Defaults of the others, as for `Engine`.
        extractor: Extractor of main content of pages in WARC files, as for `extract`.
        comments: Comments of readers in these pages, as for `extract`.
        headline: The headline above the text of these pages, as for `extract`.
        identifier: Identifier of languages, as for `Engine`.
        policy: Which pages are kept, as for `Engine`.
        min_bytes: Least size of a page that policy `precision` keeps, in bytes of the language.
        rejected: Whether rejected pages are among the documents; their `decision` begins with
            `reject`.
        first_look: Whether pages without the script of a language are ruled out without being read.
        damaged: What happens at the end if an input was cut short or damaged, so that an unknown
            number of records is lost: `raise`, or `warn` as for other skipped records.
        max_bytes: Length of the longest record, in bytes.
        memory: Bytes of memory for URLs. More of them go to temporary files.
        scratch: Folder for temporary files; by default that of the system.

    Raises:
        InputError: An input cannot be read; or it is damaged, after its last document.
        SettingError: A value is not allowed.

    Warns:
        InputWarning: Records were skipped, or an input was named twice and is read once.
    """
    if damaged not in ("raise", "warn"):
        raise SettingError(f"damaged is {damaged!r}; allowed are raise and warn")
    names = [language] if isinstance(language, str) else language
    codes = list(dict.fromkeys(map(_native.language_code, names)))
    if not codes:
        raise SettingError("language is empty; allowed are codes or names, at least one")
    settings = {
        "profile": profile,
        "extractor": extractor,
        "comments": comments,
        "headline": headline,
        "identifier": identifier,
        "policy": policy,
        "min_bytes": min_bytes,
        "max_bytes": max_bytes,
        "max_millis": _MAX_MILLIS,
    }
    packs = list(packs)
    documents = _native.Documents(
        paths_of(paths),
        [settings_json(code, packs, settings) for code in codes],
        first_look,
        rejected,
        max_bytes,
        memory,
        scratch_of(scratch),
    )
    for name in documents.named_twice:
        warnings.warn(f"{name}: is named twice, and read once", InputWarning, stacklevel=2)
    return _documents(documents, damaged)


def _documents(documents: _native.Documents, damaged: str) -> Iterator[Document]:
    names = documents.languages
    while True:
        batch = documents.next_batch()
        if batch is None:
            break
        for number, line in batch:
            yield cast(Document, {**_NO_VALUES, **json.loads(line), "language": names[number]})
    report_problems(documents.problems(), damaged, 2)


def report(
    paths: Paths,
    language: str,
    *,
    packs: Iterable[Path] = (),
    profile: Optional[Profile] = None,
    extractor: Optional[Extractor] = None,
    comments: Optional[Comments] = None,
    identifier: Optional[Identifier] = None,
    words: bool = True,
    damaged: Literal["raise", "warn"] = "raise",
    max_bytes: int = MAX_BYTES,
    memory: int = 1 << 30,
    scratch: Optional[Path] = None,
) -> dict[str, Any]:
    """Measures a corpus, and returns the figures of the command's `report`.

    docs/report.md describes the fields, docs/report.schema.json is their schema. Sizes are in bytes.

    Args:
        paths: JSON lines of a crawl, WARC files or WET files: plain, gzip or zstd; or folders of them.
            All are one corpus.
        language: The language of the corpus.
        packs: Language packs: files made by `train`, or the names `seed` and `far`.
        profile: Defaults of the others, as for `Engine`.
        extractor: Extractor of main content of pages in WARC files, as for `extract`.
        comments: Comments of readers in these pages, as for `extract`.
        identifier: Identifier of languages, as for `Engine`.
        words: Whether to count words: vocabulary, lengths, style and near duplicates need it.
        damaged: As for `collect`.
        max_bytes: Length of the longest record, in bytes.
        memory: Bytes of memory for counting. More data goes to temporary files.
        scratch: Folder for temporary files; by default that of the system.

    Raises:
        InputError: An input cannot be read, is damaged, or nothing in it is a page.
        SettingError: A value is not allowed.

    Warns:
        InputWarning: Records were skipped, or there is no page with text in the language.
    """
    figures, _ = _report(
        paths,
        language,
        packs,
        profile,
        extractor,
        comments,
        identifier,
        words,
        damaged,
        max_bytes,
        memory,
        scratch,
    )
    parsed: dict[str, Any] = json.loads(figures)
    return parsed


def report_html(
    paths: Paths,
    language: str,
    *,
    packs: Iterable[Path] = (),
    profile: Optional[Profile] = None,
    extractor: Optional[Extractor] = None,
    comments: Optional[Comments] = None,
    identifier: Optional[Identifier] = None,
    words: bool = True,
    damaged: Literal["raise", "warn"] = "raise",
    max_bytes: int = MAX_BYTES,
    memory: int = 1 << 30,
    scratch: Optional[Path] = None,
) -> str:
    """Measures a corpus as `report`, and returns the report as an HTML page with plots. It needs no
    other file."""
    _, page = _report(
        paths,
        language,
        packs,
        profile,
        extractor,
        comments,
        identifier,
        words,
        damaged,
        max_bytes,
        memory,
        scratch,
    )
    return page


def _report(
    paths: Paths,
    language: str,
    packs: Iterable[Path],
    profile: Optional[Profile],
    extractor: Optional[Extractor],
    comments: Optional[Comments],
    identifier: Optional[Identifier],
    words: bool,
    damaged: str,
    max_bytes: int,
    memory: int,
    scratch: Optional[Path],
) -> tuple[str, str]:
    if damaged not in ("raise", "warn"):
        raise SettingError(f"damaged is {damaged!r}; allowed are raise and warn")
    settings = {
        "profile": profile,
        "extractor": extractor,
        "comments": comments,
        "identifier": identifier,
        "max_bytes": max_bytes,
    }
    figures, page, problems, sentences = _native.report(
        paths_of(paths),
        settings_json(language, packs, settings),
        words,
        max_bytes,
        memory,
        scratch_of(scratch),
    )
    for sentence in sentences:
        warnings.warn(sentence, InputWarning, stacklevel=3)
    report_problems(problems, damaged, 3)
    return figures, page
