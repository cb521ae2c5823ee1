"""Corpulyzer's engine: main content of pages, languages by bytes, corpora from archives.

Languages are codes of ISO 639-3 (`urd`); codes of ISO 639-1 (`ur`) and names (`Urdu`) are aliases.
All functions release the lock of the interpreter, so threads run them side by side. Functions that
take several inputs use all cores, or as many as the environment variable `RAYON_NUM_THREADS` says,
and Ctrl-C ends them.
"""

from __future__ import annotations

from ._archives import ArchiveRecord, records
from ._corpora import Document, collect, report, report_html
from ._engine import Engine, extract, extract_all
from ._errors import (
    CorpulyzerError,
    InputError,
    InputWarning,
    InternalError,
    PageError,
    SettingError,
)
from ._languages import identify, langbytes, languages, train
from ._native import version as _version
from ._records import Extraction, Pack, Record, Span, TrainedLanguage
from ._texts import signals, split_sentences, split_words
from ._verbs import Done, deduplicate, package, run, seeds, sentences, words

__version__ = _version()

__all__ = [
    "ArchiveRecord",
    "CorpulyzerError",
    "Document",
    "Done",
    "Engine",
    "Extraction",
    "InputError",
    "InputWarning",
    "InternalError",
    "Pack",
    "PageError",
    "Record",
    "SettingError",
    "Span",
    "TrainedLanguage",
    "collect",
    "deduplicate",
    "extract",
    "extract_all",
    "identify",
    "langbytes",
    "languages",
    "package",
    "records",
    "report",
    "report_html",
    "run",
    "seeds",
    "sentences",
    "signals",
    "split_sentences",
    "split_words",
    "train",
    "words",
]
