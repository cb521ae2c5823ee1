"""Sentences, words and quality signals of texts."""

from __future__ import annotations

import json
from pathlib import Path

import corpulyzer
import pytest
from conftest import URDU


def test_sentences_are_all_text_between_end_signs_and_line_ends() -> None:
    text = "The mill stands by the river. Who owns it? Nobody knows\nA heading"
    found = ["The mill stands by the river.", "Who owns it?", "Nobody knows", "A heading"]
    assert corpulyzer.split_sentences(text) == found
    urdu = URDU.strip()
    assert corpulyzer.split_sentences(f"{urdu} {urdu}") == [urdu, urdu]
    assert corpulyzer.split_sentences([text, "", URDU]) == [found, [], [urdu]]


def test_abbreviations_are_learned_from_all_texts() -> None:
    one = "The kvart. Anna paid was small. It rained."
    places = "town spring market field harbour station library school".split()
    others = [
        f"They drank a kvart. of {first} tea at the {second}. It rained on the {third} then."
        for first in places
        for second in places
        for third in places[:3]
    ]
    assert corpulyzer.split_sentences([one, *others])[0] == [
        "The kvart. Anna paid was small.",
        "It rained.",
    ]
    assert corpulyzer.split_sentences(one)[0] == "The kvart."


def test_words_are_without_the_punctuation_around_them() -> None:
    text = "Who's there? (Nobody, 1.5 km away.)"
    assert corpulyzer.split_words(text, "eng") == ["Who's", "there", "Nobody", "1.5", "km", "away"]
    assert corpulyzer.split_words([text, ""], "en")[1] == []
    with pytest.raises(corpulyzer.SettingError):
        corpulyzer.split_words(text, "no such language")


def test_words_are_those_that_the_report_counts(tmp_path: Path) -> None:
    documents = tmp_path / "a.jsonl"
    text = (URDU * 30).strip()
    documents.write_text(json.dumps({"url": "http://a.pk/1", "text": text}) + "\n")
    figures = corpulyzer.report(documents, "ur", damaged="warn")
    words = figures["corpora"][0]["figures"]["words"]["vocabulary"]["tokens"]
    assert len(corpulyzer.split_words(text, "ur")) == words


def test_signals_have_the_names_of_the_documentation() -> None:
    text = "the mill stands by the river and the mill turns. " * 20
    signals = corpulyzer.signals(text, "eng", stop_words=["the", "and"])
    assert signals is not None
    assert len(signals) == 23 and signals["stop_words"] > 0
    without = corpulyzer.signals(text, "eng")
    assert without is not None and without["stop_words"] == 0
    assert corpulyzer.signals(" \n ", "eng") is None
