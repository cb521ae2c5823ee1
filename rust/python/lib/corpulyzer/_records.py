"""The values that the functions return."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, Optional


@dataclass(frozen=True)
class Extraction:
    """The main content of a page, and what the page declares.

    Figures are bytes of UTF-8 text, except `raw_bytes`: the length of the page as it was given.
    """

    #: The main text: blocks of text, joined by a line break.
    text: str
    #: The page's title; empty if it has none.
    title: str
    #: The charset that the page was decoded from, by its name in the WHATWG standard.
    charset: str
    #: The language that the page declares, as written.
    language: Optional[str]
    #: Whether a robots meta tag forbids indexing.
    noindex: bool
    #: Whether a robots meta tag forbids following links.
    nofollow: bool
    raw_bytes: int
    #: Bytes of all visible text.
    visible_bytes: int
    #: Bytes of `text`.
    main_bytes: int
    #: The limit that ended the reading early or flattened the page, as a sentence.
    limit: Optional[str]

    def to_dict(self) -> dict[str, Any]:
        """Returns the fields as a dictionary, in their order."""
        return asdict(self)


@dataclass(frozen=True)
class Record:
    """The result for a page, with the names of the command's `inspect`.

    Figures are bytes of UTF-8 text, except `raw_bytes`: the length of the page as it was given.
    """

    #: Versions of the record, the extractor and the identifier.
    version: str
    #: `ok`, `no_content`, `too_large`, `unsupported_charset`, `limit_hit` or `failed`.
    status: str
    #: One sentence if the status is not `ok`.
    message: Optional[str]
    #: The charset that the page was decoded from, by its name in the WHATWG standard.
    charset: Optional[str]
    #: The page's title; empty if it has none.
    title: str
    #: The headline above the main content, also where the text is without it.
    headline: Optional[str]
    #: The language that the page declares, at most 64 characters of it.
    declared_language: Optional[str]
    #: Whether a robots meta tag forbids indexing.
    noindex: bool
    #: Whether a robots meta tag forbids following links.
    nofollow: bool
    raw_bytes: int
    #: Bytes of all visible text.
    visible_bytes: int
    #: Bytes of `text`.
    main_bytes: int
    #: Bytes of the main text in each language (ISO 639-3), most first. Line breaks between blocks are
    #: in no language.
    languages: dict[str, int]
    #: Bytes of the main text in the engine's language.
    target_bytes: int
    #: Languages of the main text in whole percent, most first.
    language_set: dict[str, int]
    #: Why the main text is junk, if it is.
    junk: Optional[str]
    #: Excerpts of the main text in the engine's language, such as `2/3`; `None` if the text is short.
    excerpts: Optional[str]
    #: Whether the page belongs to a corpus in the engine's language.
    keep: bool
    #: Why.
    reason: str
    #: The stage that decided, such as `bytes`; `None` if there is no main text.
    stage: Optional[str]
    #: The main text: blocks of text, joined by a line break.
    text: str

    @property
    def decision(self) -> str:
        """`keep` or `reject`, a space, and the reason, as in the records of a crawl."""
        return f"{'keep' if self.keep else 'reject'} {self.reason}"

    def to_dict(self) -> dict[str, Any]:
        """Returns the fields as a dictionary, in their order."""
        return asdict(self)


class Span(NamedTuple):
    """A part of a text that is in one language."""

    #: First character.
    start: int
    #: Character after the last one.
    end: int
    #: ISO 639-3 code, or `und`.
    language: str
    #: Probability that the language is right, from 0 to 1, if the identifier has one.
    probability: Optional[float]


@dataclass(frozen=True)
class TrainedLanguage:
    """A language of a pack, in one script."""

    #: ISO 639-3 code.
    language: str
    #: English name.
    name: str
    #: The script, such as `Arab`.
    script: str
    #: Words of training text.
    words: int
    #: Whether they are so few that many mistakes are likely: under 1,000.
    few: bool


@dataclass(frozen=True)
class Pack:
    """A language pack. Give its file to `packs` of the other functions."""

    #: The bytes of the pack's file.
    content: bytes
    #: Its languages.
    languages: tuple[TrainedLanguage, ...]
