"""Records of archives."""

from __future__ import annotations

import warnings
from typing import Iterator, Literal, NamedTuple, Optional

from . import _native
from ._errors import InputWarning, SettingError
from ._settings import MAX_BYTES, Paths, paths_of, report_problems


class ArchiveRecord(NamedTuple):
    """A record of an archive that is about a page."""

    #: Path of the file.
    input: str
    #: Number of the record in its file, from 1; the line of JSON lines, the row of Parquet.
    number: int
    #: `page` (as fetched), `text` (of a WET file), `json` (a line of JSON lines, a row of Parquet),
    #: `gone` (the server no longer has the page), `rules` (`robots.txt` or `tdmrep.json`).
    kind: str
    #: URL of the page; `None` for `json`, which has it in its content.
    url: Optional[str]
    #: Time of the response in UTC, as the record has it; empty if it has none.
    date: str
    #: The Content-Type header of the response.
    content_type: Optional[str]
    #: The bytes of the page without HTTP headers, chunks and compression, or of the text or line.
    content: bytes


def records(
    paths: Paths,
    *,
    damaged: Literal["raise", "warn"] = "raise",
    max_bytes: int = MAX_BYTES,
) -> Iterator[ArchiveRecord]:
    """Iterates over the records of WARC, ARC, WET, WACZ and Parquet files and JSON lines, in their order.

    Records that are about no page are left out: requests, metadata, images, redirects, errors.

        for record in corpulyzer.records("crawl.warc.gz"):
            if record.kind == "page":
                text = corpulyzer.extract(record.content, url=record.url, content_type=record.content_type)

    Args:
        paths: A file or folder, or several: plain, gzip, zstd, XZ or bzip2.
        damaged: What happens at the end if an input was cut short or damaged: `raise`, or `warn`.
        max_bytes: Length of the longest record, in bytes.

    Raises:
        InputError: An input cannot be read; or it is damaged, after its last record.
        SettingError: A value is not allowed.

    Warns:
        InputWarning: Records were skipped, or an input was named twice and is read once.
    """
    if damaged not in ("raise", "warn"):
        raise SettingError(f"damaged is {damaged!r}; allowed are raise and warn")
    archives = _native.Archives(paths_of(paths), max_bytes)
    for name in archives.named_twice:
        warnings.warn(f"{name}: is named twice, and read once", InputWarning, stacklevel=2)
    return _records(archives, damaged)


def _records(archives: _native.Archives, damaged: str) -> Iterator[ArchiveRecord]:
    while True:
        batch = archives.next_batch()
        if batch is None:
            break
        for row in batch:
            yield ArchiveRecord(*row)
    report_problems(archives.problems(), damaged, 2)
