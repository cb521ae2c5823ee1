"""A function shaped as `trafilatura.extract`, so that trying this engine is one changed import:

    from corpulyzer.trafilatura import extract

It does not need the package `trafilatura`.
"""

from __future__ import annotations

import json
from typing import Any, Optional, Union
from urllib.parse import urlsplit

from ._engine import Comments
from ._engine import extract as _extract
from ._errors import PageError, SettingError
from ._languages import identify
from ._native import language_code

__all__ = ["extract"]

_FORMATS = ("txt", "markdown", "json")


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
        url: The page's URL; for metadata, and it helps to guess the charset.
        record_id: Identifier of the page; in JSON.
        output_format: `txt`, `markdown` or `json` (fields `title`, `hostname`, `source`, `id`,
            `language`, `text` and `raw_text`; the language is the one that the page declares).
        include_formatting: Text is Markdown, as with `output_format="markdown"`.
        target_language: Code or name of a language; the language of the text is identified.
        include_comments: If false, comments of readers are dropped, as with `comments="drop"`.
        with_metadata: Text begins with the title and the URL, between lines `---`.

    These are accepted and change nothing, because the engine has one way to extract: `fast`,
    `no_fallback`, `favor_precision`, `favor_recall`, `include_tables`, `deduplicate`,
    `date_extraction_params`, `max_tree_size`, `settingsfile`, `config`, `options`.

    Raises:
        SettingError: Another argument is not the default, or the format is another.

    >>> extract("<article><h1>Rivers</h1><p>The Indus is one of the longest rivers of Asia, and "
    ...         "many millions of people live from its water.</p></article>", output_format="markdown")
    '# Rivers\\n\\nThe Indus is one of the longest rivers of Asia, and many millions of people \
live from its water.'
    >>> extract("") is None
    True
    """
    others = {
        "tei_validation": tei_validation,
        "include_images": include_images,
        "include_links": include_links,
        "only_with_metadata": only_with_metadata,
        "url_blacklist": url_blacklist,
        "author_blacklist": author_blacklist,
        "prune_xpath": prune_xpath,
    }
    for name, value in others.items():
        if value:
            raise SettingError(
                f"{name} is {value!r}; this engine cannot do it, allowed is the default"
            )
    if output_format not in _FORMATS:
        raise SettingError(f"output_format is {output_format!r}; allowed are {', '.join(_FORMATS)}")
    if not filecontent:
        return None
    comments: Comments = "keep" if include_comments else "drop"
    try:
        whole = _extract(filecontent, url, output="record", comments=comments)
        is_markdown = output_format == "markdown" or (include_formatting and output_format == "txt")
        text = whole.text
        if is_markdown:
            text = _extract(filecontent, url, output="markdown", links=False, comments=comments)
    except PageError:
        return None
    if not text:
        return None
    if target_language is not None and identify(whole.text) != language_code(target_language):
        return None
    if output_format == "json":
        fields = {
            "title": whole.title or None,
            "hostname": urlsplit(url).hostname if url else None,
            "source": url,
            "id": record_id,
            "language": whole.language,
            "text": text,
            "raw_text": whole.text.replace("\n", " "),
        }
        return json.dumps(fields, ensure_ascii=False)
    if with_metadata:
        named = (("title", whole.title), ("url", url))
        head = "".join(f"{name}: {value}\n" for name, value in named if value)
        return f"---\n{head}---\n{text}"
    return text
