"""Sentences, words and quality signals of texts."""

from __future__ import annotations

from typing import Iterable, Optional, Union, overload

from . import _native
from ._languages import Texts


@overload
def split_sentences(text: str) -> list[str]: ...
@overload
def split_sentences(text: Texts) -> list[list[str]]: ...
def split_sentences(text: Union[str, Texts]) -> Union[list[str], list[list[str]]]:
    """Splits a text into sentences, or each of several texts.

    A sentence ends at an end sign of its script or at a line end. All given texts together show which
    points are those of abbreviations, so pass the texts of one language in one call.
    """
    if isinstance(text, str):
        return _native.split_sentences([text])[0]
    return _native.split_sentences(list(text))


@overload
def split_words(text: str, language: str) -> list[str]: ...
@overload
def split_words(text: Texts, language: str) -> list[list[str]]: ...
def split_words(
    text: Union[str, Texts], language: str
) -> Union[list[str], list[list[str]]]:
    """Splits a text into words as the report counts them, or each of several texts.

    Words are the text between blanks without the punctuation around it. Scripts without blanks have no
    useful words.

    Raises `SettingError` if `language` is neither a code nor a name of a language.
    """
    if isinstance(text, str):
        return _native.split_words([text], language)[0]
    return _native.split_words(list(text), language)


def signals(
    text: str, language: str, *, stop_words: Iterable[str] = ()
) -> Optional[dict[str, float]]:
    """Returns the quality signals of a text by the names of docs/quality.md; `None` without words.

    Args:
        text: The text.
        language: Its language, which decides how words are split.
        stop_words: Words that the signal `stop_words` counts.

    Raises:
        SettingError: `language` is neither a code nor a name of a language.
    """
    return _native.signals(text, language, set(stop_words))
