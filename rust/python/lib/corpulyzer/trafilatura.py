"""Functions shaped as those of trafilatura, so that trying this engine is one changed import:

    from corpulyzer.trafilatura import bare_extraction, extract

It does not need the package `trafilatura`.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, Optional, Union
from urllib.parse import urlsplit

from ._engine import Comments
from ._engine import extract as _extract
from ._errors import PageError, SettingError
from ._languages import identify
from ._native import language_code

__all__ = ["Document", "bare_extraction", "extract"]

_FORMATS = ("txt", "markdown", "json", "html")


@dataclass(frozen=True)
class Document:
    """The main content of a page, and what the page states about itself; `None` if it does not. The
    names are those of trafilatura's documents."""

    #: Main content, in the form that was asked for.
    text: str
    #: Main content as text in one line.
    raw_text: str
    #: The headline of the text, or else the title of the page, which often names the site too.
    title: Optional[str]
    author: Optional[str]
    sitename: Optional[str]
    hostname: Optional[str]
    url: Optional[str]
    #: Day of publication, or else of the last change: `2024-03-12`.
    date: Optional[str]
    license: Optional[str]
    #: The language that the page declares, as written.
    language: Optional[str]
    id: Optional[str]

    def as_dict(self) -> dict[str, Optional[str]]:
        """Returns the fields as a dictionary, in their order."""
        return asdict(self)


def extract(
    filecontent: Union[bytes, bytearray, str, None],
    url: Optional[str] = None,
    record_id: Optional[str] = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "txt",
    tei_validation: bool = False,
    target_language: Optional[str] = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: Optional[bool] = None,
    include_links: bool = False,
    deduplicate: bool = False,
    date_extraction_params: Optional[dict[str, Any]] = None,
    with_metadata: bool = False,
    only_with_metadata: bool = False,
    max_tree_size: Optional[int] = None,
    url_blacklist: Optional[set[str]] = None,
    author_blacklist: Optional[set[str]] = None,
    settingsfile: Optional[str] = None,
    prune_xpath: Any = None,
    config: Any = None,
    options: Any = None,
) -> Optional[str]:
    """Returns the main content of a page by the extractor `best`; `None` if there is none, the page
    cannot be read, or its text is not in the target language.

    These arguments have an effect:
        filecontent: The page: bytes in any charset, or text.
        url: The page's URL; for metadata, for relative links, and it helps to guess the charset.
        record_id: Identifier of the page; in JSON.
        output_format: `txt`, `markdown`, `html` or `json` (the fields of `Document`; `source` is the
            URL).
        include_formatting: Text is Markdown, as with `output_format="markdown"`.
        include_links: Text is Markdown with its links.
        target_language: Code or name of a language; the language of the text is identified.
        include_comments: If false, comments of readers are dropped, as with `comments="drop"`.
        with_metadata: Text begins with title, author, URL, host, site and date, between lines `---`.
        only_with_metadata: A page without a title, a URL or a date has no result.

    These are accepted and change nothing, because the engine has one way to extract: `fast`,
    `no_fallback`, `favor_precision`, `favor_recall`, `deduplicate`, `date_extraction_params`,
    `max_tree_size`, `settingsfile`, `config`, `options`.

    Raises:
        SettingError: Another argument is not the default (`include_tables=False` too: tables of the
            text are part of it), or the format is another.

    >>> extract("<article><h1>Rivers</h1><p>The Indus is one of the longest rivers of Asia, and "
    ...         "many millions of people live from its water.</p></article>", output_format="markdown")
    '# Rivers\\n\\nThe Indus is one of the longest rivers of Asia, and many millions of people \
live from its water.'
    >>> extract("") is None
    True
    """
    _refuse(
        tei_validation=tei_validation,
        include_images=include_images,
        url_blacklist=url_blacklist,
        author_blacklist=author_blacklist,
        prune_xpath=prune_xpath,
        include_tables=include_tables,
    )
    if output_format not in _FORMATS:
        raise SettingError(f"output_format is {output_format!r}; allowed are {', '.join(_FORMATS)}")
    form = output_format
    if form == "txt" and (include_formatting or include_links):
        form = "markdown"
    found = _document(
        filecontent, url, record_id, form, include_comments, include_links, target_language
    )
    if found is None or (only_with_metadata and not (found.title and found.url and found.date)):
        return None
    if output_format == "json":
        fields = {"source" if name == "url" else name: value for name, value in asdict(found).items()}
        return json.dumps(fields, ensure_ascii=False)
    if with_metadata and output_format != "html":
        names = ("title", "author", "url", "hostname", "sitename", "date")
        named = ((name, getattr(found, name)) for name in names)
        head = "".join(f"{name}: {value}\n" for name, value in named if value)
        return f"---\n{head}---\n{found.text}"
    return found.text


def bare_extraction(
    filecontent: Union[bytes, bytearray, str, None],
    url: Optional[str] = None,
    record_id: Optional[str] = None,
    *,
    include_comments: bool = True,
    include_links: bool = False,
    include_formatting: bool = False,
    target_language: Optional[str] = None,
) -> Optional[Document]:
    """Returns the main content of a page with what the page states about itself; `None` as `extract`.
    The arguments are those of `extract`.

    >>> page = "<title>Rivers</title><meta name=author content='A. Khan'><article><p>The Indus is " \\
    ...        "one of the longest rivers of Asia, and millions live from its water.</p></article>"
    >>> found = bare_extraction(page, "https://rivers.example/indus")
    >>> found.title, found.author, found.hostname
    ('Rivers', 'A. Khan', 'rivers.example')
    """
    form = "markdown" if include_formatting or include_links else "txt"
    return _document(
        filecontent, url, record_id, form, include_comments, include_links, target_language
    )


def _refuse(*, include_tables: bool, **others: Any) -> None:
    """Refuses what this engine cannot do, instead of ignoring it."""
    if not include_tables:
        others["include_tables"] = include_tables
    for name, value in others.items():
        if value or name == "include_tables":
            raise SettingError(
                f"{name} is {value!r}; this engine cannot do it, allowed is the default"
            )


def _document(
    filecontent: Union[bytes, bytearray, str, None],
    url: Optional[str],
    record_id: Optional[str],
    form: str,
    include_comments: bool,
    include_links: bool,
    target_language: Optional[str],
) -> Optional[Document]:
    """Extracts a page once for what it states, and again if the text is not plain."""
    if not filecontent:
        return None
    comments: Comments = "keep" if include_comments else "drop"
    try:
        whole = json.loads(_extract(filecontent, url, output="json", comments=comments))
        text = whole["text"]
        if form == "html":
            text = whole["html"]
        elif form == "markdown":
            text = _extract(
                filecontent, url, output="markdown", links=include_links, comments=comments
            )
    except PageError:
        return None
    if not text:
        return None
    if target_language is not None and identify(whole["text"]) != language_code(target_language):
        return None
    return Document(
        text=text,
        raw_text=whole["text"].replace("\n", " "),
        title=whole.get("headline") or whole.get("title") or None,
        author=whole.get("author"),
        sitename=whole.get("site_name"),
        hostname=urlsplit(url).hostname if url else None,
        url=url,
        date=whole.get("published") or whole.get("modified"),
        license=whole.get("license"),
        language=whole.get("language"),
        id=record_id,
    )
