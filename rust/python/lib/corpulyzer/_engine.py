"""Pages: their main content, and their records."""

from __future__ import annotations

import os
from typing import BinaryIO, Iterable, Iterator, Literal, Optional, Sequence, TypeVar, Union, overload

from . import _native
from ._errors import CorpulyzerError, InputError, SettingError
from ._records import Extraction, Record
from ._settings import MAX_BYTES, Path, settings_json

Extractor = Literal["best", "web-am", "web-am-literal", "article", "justext", "w2c", "text"]
Profile = Literal["default", "paper"]
Comments = Literal["keep", "drop"]
Headline = Literal["keep", "drop"]
Identifier = Literal["combined", "models", "cld2", "stop-words"]
Errors = Literal["raise", "none"]
#: A page as the engine takes it: bytes in any charset, or text.
Page = Union[bytes, bytearray, str]
#: A page, or a path object or a file that is open in binary mode, which are read.
Html = Union[Page, "os.PathLike[str]", BinaryIO]
T = TypeVar("T")


@overload
def extract(
    html: Html,
    url: Optional[str] = ...,
    extractor: Extractor = ...,
    output: Literal["text", "markdown", "html", "json"] = ...,
    *,
    content_type: Optional[str] = ...,
    comments: Comments = ...,
    headline: Headline = ...,
    language: Optional[str] = ...,
    links: bool = ...,
    max_bytes: int = ...,
) -> str: ...


@overload
def extract(
    html: Html,
    url: Optional[str] = ...,
    extractor: Extractor = ...,
    *,
    output: Literal["record"],
    content_type: Optional[str] = ...,
    comments: Comments = ...,
    headline: Headline = ...,
    language: Optional[str] = ...,
    links: bool = ...,
    max_bytes: int = ...,
) -> Extraction: ...


def extract(
    html: Html,
    url: Optional[str] = None,
    extractor: Extractor = "best",
    output: Literal["text", "markdown", "html", "json", "record"] = "text",
    *,
    content_type: Optional[str] = None,
    comments: Comments = "keep",
    headline: Headline = "keep",
    language: Optional[str] = None,
    links: bool = True,
    max_bytes: int = MAX_BYTES,
) -> Union[str, Extraction]:
    r"""Returns the main content of a page.

    The text is that of the command's `extract`: blocks of text, joined by a line break, without one at
    the end. It is empty if the page has no main content.

    Args:
        html: The page. Bytes may be in any charset, and are not copied (those of a bytearray are). For
            a `str` no charset is guessed. A `pathlib.Path` or a file that is open in binary mode is
            read.
        url: The page's URL. Its top-level domain helps to guess the charset, and relative links are
            resolved with it.
        extractor: `best` (our own), `web-am`, `web-am-literal`, `article` (Boilerpipe's
            ArticleExtractor), `justext`, `w2c` (W2C's rules for paragraphs), or `text` (all visible
            text). docs/extraction.md describes them.
        output: `text`, `markdown` (headings, lists, quotations, links and tables of data marked),
            `html` (the same as safe HTML, whose only attributes are `href` and `colspan`), `json`
            (an object with text, HTML, title, author, days, language and site, as far as the page
            states them), or `record`: an `Extraction`, which has the title and what the page
            declares.
        content_type: The HTTP header Content-Type, which may name the charset.
        comments: Comments of readers: `keep`, or `drop`, which only `best` can do.
        headline: The headline above the text, which only `best` finds: `keep` or `drop`. The output
            `json` always has it as a field of its own.
        language: Code of the language whose stop words `justext` uses; without it, it uses none.
        links: Whether Markdown and HTML have the links of the text.
        max_bytes: Length of the longest page, in bytes.

    Raises:
        InputError: The file cannot be read.
        PageError: The page is longer, or its charset cannot be decoded.
        SettingError: The extractor, the comments, the headline, the output or the language is unknown, another
            extractor than `justext` has a language, another than `best` drops comments, or `html` is
            a URL or the name of a file as a `str`.

    >>> page = "<title>T</title><h1>Rivers</h1><p>The <b>Indus</b> is long.<ul><li>one<li>two</ul>"
    >>> extract(page, extractor="text")
    'Rivers\nThe Indus is long.\none\ntwo'
    >>> print(extract(page, extractor="text", output="markdown"))
    # Rivers
    <BLANKLINE>
    The **Indus** is long.
    <BLANKLINE>
    - one
    - two
    >>> extract(page.encode("utf-16"), output="record").title
    'T'
    """
    page = page_of(html)
    if output == "record":
        arguments = _arguments(extractor, comments, headline, language, "text", links, max_bytes)
        return Extraction(*_native.extract_whole(page, url, content_type, arguments))
    form = text_form(output)
    arguments = _arguments(extractor, comments, headline, language, form, links, max_bytes)
    return _native.extract(page, url, content_type, arguments)


def page_of(html: Html) -> Page:
    """Returns a page as bytes or text: reads paths and files, and refuses a `str` that is a URL or the
    name of a file, because its letters would be taken for the page."""
    if isinstance(html, str):
        if len(html) < 4096 and "<" not in html and _names_a_place(html):
            raise SettingError(
                f"html is {html!r}, a URL or the name of a file; pass the page itself, or "
                "pathlib.Path(...) for a file"
            )
        return html
    if isinstance(html, os.PathLike):
        try:
            with open(html, "rb") as file:
                return file.read()
        except OSError as error:
            raise InputError(f"cannot read {os.fspath(html)}: {error.strerror}") from error
    if isinstance(html, (bytes, bytearray)):
        return html
    if hasattr(html, "read"):
        return html.read()
    raise TypeError(
        f"a page is of type {type(html).__name__}; allowed are bytes, bytearray, str, a path and a "
        "binary file"
    )


def _names_a_place(text: str) -> bool:
    """Returns whether a text without a tag is a URL or the name of a file that exists."""
    if text.startswith(("http://", "https://", "file://")):
        return not any(map(str.isspace, text))
    try:
        return os.path.isfile(text)
    except ValueError:
        return False


def _arguments(
    extractor: str,
    comments: str,
    headline: str,
    language: Optional[str],
    form: str,
    links: bool,
    max_bytes: int,
) -> tuple[str, str, str, Optional[str], str, bool, int]:
    """Returns the arguments of an extraction, as the native module takes them.

    Raises `SettingError` if one has another type: the native module would not name it.
    """
    for name, value in (("extractor", extractor), ("comments", comments), ("headline", headline)):
        if not isinstance(value, str):
            raise SettingError(f"{name} is {value!r}; allowed is a name, as a str")
    if language is not None and not isinstance(language, str):
        raise SettingError(f"language is {language!r}; allowed is a code or a name, as a str")
    if not hasattr(max_bytes, "__index__") or not 0 <= max_bytes < 1 << 64:
        raise SettingError(f"max_bytes is {max_bytes!r}; allowed is a whole number of bytes")
    return extractor, comments, headline, language, form, bool(links), max_bytes


def text_form(output: str) -> str:
    """Returns a form of main content that is a text, as it is given."""
    if output not in ("text", "markdown", "html", "json"):
        raise SettingError(
            f"output is {output!r}; allowed are text, markdown, html, json and record"
        )
    return output


def extract_all(
    pages: Iterable[Html],
    urls: Optional[Iterable[Optional[str]]] = None,
    extractor: Extractor = "best",
    output: Literal["text", "markdown", "html", "json"] = "text",
    *,
    comments: Comments = "keep",
    headline: Headline = "keep",
    language: Optional[str] = None,
    links: bool = True,
    max_bytes: int = MAX_BYTES,
    errors: Errors = "raise",
) -> list[Optional[str]]:
    """Returns the main content of several pages in their order, on all cores.

    Args:
        pages: The pages, as for `extract`.
        urls: A URL, or `None`, for each page.
        extractor: As for `extract`.
        output: As for `extract`, without `record`.
        comments: As for `extract`.
        headline: As for `extract`.
        language: As for `extract`.
        links: As for `extract`.
        max_bytes: Length of the longest page, in bytes.
        errors: `raise` raises the error of the first page that cannot be read; `none` has `None` in
            place of such pages.

    Raises:
        PageError: As for `extract`, with `errors="raise"`.
        SettingError: As for `extract`, or there are more or fewer URLs than pages.

    >>> extract_all([b"<p>one", b"<p>two"], extractor="text")
    ['one', 'two']
    """
    read = [page_of(page) for page in pages]
    form = text_form(output)
    arguments = _arguments(extractor, comments, headline, language, form, links, max_bytes)
    texts = _native.extract_all(read, _column("urls", urls, len(read)), arguments)
    return list(_checked(texts, errors))


def _column(
    name: str, given: Optional[Iterable[Optional[str]]], length: int
) -> list[Optional[str]]:
    """Returns one value for each page."""
    column: list[Optional[str]] = [None] * length if given is None else list(given)
    if len(column) != length:
        raise SettingError(
            f"{name} has {len(column)} items; allowed are {length}, one for each page"
        )
    return column


def _checked(results: Sequence[Union[T, Exception]], errors: str) -> Iterator[Optional[T]]:
    """Raises the first error among results, or replaces errors by `None`."""
    if errors not in ("raise", "none"):
        raise SettingError(f"errors is {errors!r}; allowed are raise and none")
    for number, result in enumerate(results, 1):
        if not isinstance(result, Exception):
            yield result
        elif errors == "none":
            yield None
        else:
            message = f"page {number} of {len(results)}: {result}"
            raise type(result)(message) if isinstance(result, CorpulyzerError) else result


class Engine:
    """Reads pages for a corpus in one language. Threads may share an engine.

    Args:
        language: The language of the corpus.
        packs: Language packs: files made by `train`, or the names `seed` and `far`. Of
            several packs with one language the last is used.
        profile: Defaults of the others: `default`, or `paper`, which has those of the Corpulyzer
            paper (docs/paper.md).
        extractor: Extractor of main content, as for `extract`.
        comments: Comments of readers, as for `extract`.
        headline: The headline above the text, as for `extract`.
        identifier: Identifier of languages: `combined` (language models and CLD2), `models`, `cld2`
            or `stop-words`.
        policy: `precision` keeps pages with at least `min_bytes` in the language; `recall` keeps also
            others with some text in it.
        min_bytes: Least size of a page that `precision` keeps, in bytes of the language.
        reject_junk: Whether to reject pages whose text is junk: repeated, or mostly no letters.
        min_percent: Least share of the language in the set of languages, in percent; `recall` only.
        excerpts: Number of excerpts that are identified; 0 for none.
        excerpt_chars: Length of an excerpt, in characters.
        excerpt_min_chars: Least length of a text that has excerpts, in characters.
        max_bytes: Length of the longest page that is read, in bytes.
        max_depth: Depth beyond which elements are read as one level.
        max_blocks: Most blocks of text that are read.
        max_millis: Time for a page, in milliseconds.

    `None` is the default of the crawler: docs/settings.md has it, and the allowed values.

    Raises:
        SettingError: A value is not allowed, a pack cannot be read, or no table has the language.

    >>> engine = Engine("urd", min_bytes=20)
    >>> record = engine.page("<p>یہ شہر کی پرانی لائبریری ہے اور اس میں بہت سی کتابیں ہیں۔")
    >>> record.keep, record.languages
    (True, {'urd': 102})
    >>> Engine("urd", min_percent=0)
    Traceback (most recent call last):
    corpulyzer._errors.SettingError: setting `min_percent` is 0; allowed are 1 to 100
    """

    def __init__(
        self,
        language: str,
        packs: Iterable[Path] = (),
        *,
        profile: Optional[Profile] = None,
        extractor: Optional[Extractor] = None,
        comments: Optional[Comments] = None,
        headline: Optional[Headline] = None,
        identifier: Optional[Identifier] = None,
        policy: Optional[Literal["precision", "recall"]] = None,
        min_bytes: Optional[int] = None,
        reject_junk: Optional[bool] = None,
        min_percent: Optional[int] = None,
        excerpts: Optional[int] = None,
        excerpt_chars: Optional[int] = None,
        excerpt_min_chars: Optional[int] = None,
        max_bytes: Optional[int] = None,
        max_depth: Optional[int] = None,
        max_blocks: Optional[int] = None,
        max_millis: Optional[int] = None,
    ) -> None:
        settings = {
            "profile": profile,
            "extractor": extractor,
            "comments": comments,
            "headline": headline,
            "identifier": identifier,
            "policy": policy,
            "min_bytes": min_bytes,
            "reject_junk": reject_junk,
            "min_percent": min_percent,
            "excerpts": excerpts,
            "excerpt_chars": excerpt_chars,
            "excerpt_min_chars": excerpt_min_chars,
            "max_bytes": max_bytes,
            "max_depth": max_depth,
            "max_blocks": max_blocks,
            "max_millis": max_millis,
        }
        self._settings = settings_json(language, packs, settings)
        self._engine = _native.Engine(self._settings)

    @property
    def language(self) -> str:
        """The language of the corpus, ISO 639-3."""
        return self._engine.language

    @property
    def version(self) -> str:
        """The version that all records of this engine have."""
        return self._engine.version

    def page(
        self, html: Html, url: Optional[str] = None, content_type: Optional[str] = None
    ) -> Record:
        """Returns the record of a page. A page that cannot be read is no error: its `status` states the reason.

        Args:
            html: The page. Bytes may be in any charset, and are not copied (those of a bytearray are).
                For a `str` no charset is guessed.
            url: The page's URL. Its top-level domain helps to guess the charset.
            content_type: The HTTP header Content-Type, which may name the charset.
        """
        return Record(*self._engine.page(page_of(html), url, content_type, False))

    def text(self, text: str) -> Record:
        """Returns the record of a text without markup, such as that of a PDF. Nothing is extracted:
        the languages of its paragraphs are counted, and the decision is made."""
        return Record(*self._engine.page(text, None, None, True))

    def pages(
        self,
        pages: Iterable[Html],
        urls: Optional[Iterable[Optional[str]]] = None,
        content_types: Optional[Iterable[Optional[str]]] = None,
    ) -> list[Record]:
        """Returns the records of several pages in their order, on all cores.

        Args:
            pages: The pages, as for `page`.
            urls: A URL, or `None`, for each page.
            content_types: A header Content-Type, or `None`, for each page.

        Raises:
            SettingError: There are more or fewer URLs or headers than pages.
        """
        read = [page_of(page) for page in pages]
        columns = (
            _column("urls", urls, len(read)),
            _column("content_types", content_types, len(read)),
        )
        results = self._engine.pages(list(zip(read, *columns)), False)
        return [Record(*values) for values in _checked(results, "raise") if values is not None]

    def texts(self, texts: Iterable[str]) -> list[Record]:
        """Returns the records of several texts without markup in their order, on all cores."""
        results = self._engine.pages([(text, None, None) for text in texts], True)
        return [Record(*values) for values in _checked(results, "raise") if values is not None]

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return _engine_of, (self._settings,)

    def __repr__(self) -> str:
        return f"<corpulyzer.Engine for {self.language}, records {self.version}>"


def _engine_of(settings: str) -> Engine:
    """Returns the engine with these settings; used by pickle."""
    engine = Engine.__new__(Engine)
    engine._settings = settings
    engine._engine = _native.Engine(settings)
    return engine
