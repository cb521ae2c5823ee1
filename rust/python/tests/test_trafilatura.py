"""The function shaped as trafilatura's, beside the real one."""

from __future__ import annotations

import inspect
import json

import pytest
from conftest import URDU, page_of

import corpulyzer
from corpulyzer.trafilatura import bare_extraction, extract


def test_the_arguments_are_those_of_trafilatura() -> None:
    trafilatura = pytest.importorskip(
        "trafilatura", reason="skipped: trafilatura of PyPI is missing"
    )
    theirs = inspect.signature(trafilatura.extract).parameters
    ours = inspect.signature(extract).parameters
    assert list(ours) == list(theirs)
    for name, parameter in theirs.items():
        if name not in ("config",):
            assert ours[name].default == parameter.default, name


def test_both_find_the_same_main_content() -> None:
    trafilatura = pytest.importorskip(
        "trafilatura", reason="skipped: trafilatura of PyPI is missing"
    )
    # It leaves out paragraphs that it has seen.
    words = URDU.split()
    paragraphs = [" ".join(words[start:] + words[:start]) * 3 for start in range(0, 15, 3)]
    page = (
        "<body><article>" + "".join(f"<p>{text}</p>" for text in paragraphs) + "</article></body>"
    )
    theirs = trafilatura.extract(page, favor_precision=True, deduplicate=False)
    ours = extract(page, favor_precision=True, deduplicate=False)
    assert ours is not None and theirs is not None
    assert ours.split() == theirs.split()


def test_formats() -> None:
    page = page_of(URDU, "کتابیں")
    text = corpulyzer.extract(page)
    assert extract(page) == text
    assert extract(page, include_formatting=True) == corpulyzer.extract(page, output="markdown")
    found = json.loads(extract(page, "http://a.pk/1", "7", output_format="json") or "")
    assert found["title"] == "کتابیں" and found["hostname"] == "a.pk" and found["id"] == "7"
    assert found["text"] == text and found["raw_text"] == text.replace("\n", " ")
    head = extract(page, "http://a.pk/1", with_metadata=True)
    assert head == f"---\ntitle: کتابیں\nurl: http://a.pk/1\nhostname: a.pk\n---\n{text}"
    html = extract(page, output_format="html")
    assert html is not None and html.startswith("<")


def test_what_a_page_states_is_in_the_document() -> None:
    head = (
        '<meta name="author" content="Ayesha Khan"><meta property="og:site_name" content="Daryā">'
        '<meta property="article:published_time" content="2024-03-12T10:00:00Z">'
    )
    page = page_of(URDU, "کتابیں").decode().replace("<title>", head + "<title>")
    found = bare_extraction(page, "http://a.pk/1")
    assert found is not None and found.text == corpulyzer.extract(page)
    stated = (found.author, found.sitename, found.date, found.hostname)
    assert stated == ("Ayesha Khan", "Daryā", "2024-03-12", "a.pk")
    assert found.as_dict()["title"] == "کتابیں"
    headed = page_of(URDU, "کتابیں - دریا").decode().replace("<article>", "<article><h1>کتابیں</h1>")
    with_headline = bare_extraction(headed)
    assert with_headline is not None and with_headline.title == "کتابیں"
    assert bare_extraction(None) is None
    assert extract(page, "http://a.pk/1", only_with_metadata=True) is not None
    assert extract(page_of(URDU), "http://a.pk/1", only_with_metadata=True) is None


def test_links_are_kept_on_request() -> None:
    page = page_of(URDU.replace(URDU.split()[3], f'<a href="/x">{URDU.split()[3]}</a>', 1))
    found = extract(page, "http://a.pk/1", include_links=True)
    assert found is not None and "](http://a.pk/x)" in found
    assert "](" not in (extract(page, "http://a.pk/1", include_formatting=True) or "")


def test_nothing_is_none() -> None:
    assert extract(None) is None and extract("") is None and extract(b"<p>") is None


def test_pages_in_another_language_are_none() -> None:
    page = page_of(URDU)
    assert (
        extract(page, target_language="ur") == extract(page, target_language="urd") == extract(page)
    )
    assert extract(page, target_language="en") is None


def test_what_cannot_be_followed_is_refused() -> None:
    with pytest.raises(
        corpulyzer.SettingError, match="include_images is True; .* allowed is the default"
    ):
        extract("a", include_images=True)
    with pytest.raises(corpulyzer.SettingError, match="include_tables is False"):
        extract("a", include_tables=False)
    with pytest.raises(corpulyzer.SettingError, match="output_format is 'xml'; allowed are txt"):
        extract("a", output_format="xml")
