"""Steps for pipelines of datatrove: a reader, an extractor and a language filter.

Needs the package `datatrove`.
"""

from __future__ import annotations

from typing import Any, Iterable, Iterator, Literal, Optional, Sequence, Union

from datatrove.data import Document
from datatrove.pipeline.extractors.base import BaseExtractor
from datatrove.pipeline.filters.base_filter import BaseFilter
from datatrove.pipeline.readers.base import BaseReader

from ._corpora import collect
from ._engine import Comments, Engine, Extractor, extract
from ._records import Record
from ._settings import Path

__all__ = ["CorpulyzerExtractor", "CorpulyzerLanguageFilter", "CorpulyzerReader"]

# datatrove has no types.
_Extractor: Any = BaseExtractor
_Filter: Any = BaseFilter
_Reader: Any = BaseReader


class CorpulyzerReader(_Reader):  # type: ignore[misc]
    """Reads the documents in some languages of archives, with the rules of the crawler.

    It stands in the place of datatrove's reader, extractor and language filter: pages are decoded,
    identified and kept by the engine. The metadata of a document has the fields of
    `corpulyzer.Document` that the page has. The tasks of a pipeline share the files.

    Args:
        paths: Files: WARC, WET or JSON lines, plain, gzip or zstd.
        language: As for `corpulyzer.collect`.
        limit: Most documents of a task; -1 is all.
        skip: Documents at the beginning of a task that are left out.
        default_metadata: Metadata that every document gets.
        settings: Other arguments of `corpulyzer.collect`, such as `min_bytes`.
    """

    name = "🌍 Corpulyzer"

    def __init__(
        self,
        paths: Iterable[Path],
        language: Union[str, Sequence[str]],
        limit: int = -1,
        skip: int = 0,
        default_metadata: Optional[dict[str, Any]] = None,
        **settings: Any,
    ) -> None:
        super().__init__(limit, skip, default_metadata=default_metadata)
        self.paths = list(paths)
        self.language = language
        self.settings = settings

    def run(self, data: Any = None, rank: int = 0, world_size: int = 1) -> Iterator[Document]:
        """Iterates over the documents of the files of a task, after those of `data`."""
        yield from data or ()
        read = 0
        for path in self.paths[rank::world_size]:
            for found in collect(path, self.language, **self.settings):
                read += 1
                if read <= self.skip:
                    continue
                if self.limit != -1 and read > self.skip + self.limit:
                    return
                known = {name: value for name, value in found.items() if value is not None}
                document = self.get_document_from_dict(known, str(path), read)
                if document is not None:
                    self.update_doc_stats(document)
                    yield document


class CorpulyzerExtractor(_Extractor):  # type: ignore[misc]
    """Replaces the HTML of documents by its main content. Documents without main content are dropped.

    Args:
        extractor: As for `corpulyzer.extract`.
        comments: As for `corpulyzer.extract`.
        output: `text` or `markdown`.
        timeout: Time for a document, in seconds. datatrove extracts in a process of its own, so that it
            can end it.
    """

    name = "⛏ Corpulyzer"

    def __init__(
        self,
        extractor: Extractor = "best",
        output: Literal["text", "markdown"] = "text",
        timeout: float = 1,
        comments: Comments = "keep",
    ) -> None:
        super().__init__(timeout)
        self.extractor: Extractor = extractor
        self.output: Literal["text", "markdown"] = output
        self.comments: Comments = comments

    def extract(self, text: str) -> str:
        """Returns the main content of a page."""
        return extract(
            text, extractor=self.extractor, output=self.output, comments=self.comments
        )


class CorpulyzerLanguageFilter(_Filter):  # type: ignore[misc]
    """Keeps documents in some languages, by the bytes of text in each, with the rules of the crawler.

    It adds to the metadata of a document: `language`, the one of most bytes; `language_score`, its share
    of the bytes of text; `languages`, the bytes of each language; `corpulyzer_decision`.

    Args:
        languages: A language or several, codes or names; a document is kept if any of them keeps it.
        packs: Language packs: files made by `corpulyzer.train`, or the names `seed` and `far`.
        exclusion_writer: A writer of datatrove for the documents that are dropped.
        batch_size: Documents that are read side by side, on all cores.
        settings: Other arguments of `corpulyzer.Engine`, such as `min_bytes` and `policy`.
    """

    name = "🌍 Corpulyzer languages"

    def __init__(
        self,
        languages: Union[str, Sequence[str]],
        packs: Iterable[Path] = (),
        exclusion_writer: Any = None,
        batch_size: int = 1,
        **settings: Any,
    ) -> None:
        super().__init__(exclusion_writer, batch_size)
        codes = [languages] if isinstance(languages, str) else list(languages)
        packs = list(packs)
        self.engines = [Engine(code, packs, **settings) for code in codes]

    def filter(self, doc: Document) -> Union[bool, tuple[bool, str]]:
        """Returns whether a document is kept, or else the stage that rejected it."""
        return _judged(doc, [engine.text(doc.text) for engine in self.engines])

    def filter_batch(self, batch: list[Document]) -> list[Union[bool, tuple[bool, str]]]:
        """Filters documents on all cores."""
        texts = [doc.text for doc in batch]
        by_engine = [engine.texts(texts) for engine in self.engines]
        return [_judged(doc, records) for doc, *records in zip(batch, *by_engine)]


def _judged(doc: Any, records: Sequence[Record]) -> Union[bool, tuple[bool, str]]:
    record = next((record for record in records if record.keep), records[0])
    languages = record.languages
    best: Optional[str] = next(iter(languages), None)
    doc.metadata["language"] = best or "und"
    doc.metadata["language_score"] = languages[best] / sum(languages.values()) if best else 0.0
    doc.metadata["languages"] = dict(languages)
    doc.metadata["corpulyzer_decision"] = record.decision
    return True if record.keep else (False, record.stage or record.status)
