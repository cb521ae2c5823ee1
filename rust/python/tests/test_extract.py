"""The main content of pages."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import corpulyzer
import corpulyzer.trafilatura
import pytest
from conftest import ROOT, URDU, command, page_of, shared


def test_bytes_text_and_bytearray_give_the_same() -> None:
    page = page_of(URDU)
    text = corpulyzer.extract(page)
    assert text.startswith("یہ شہر") and len(text.splitlines()) == 3
    assert corpulyzer.extract(page.decode()) == text
    assert corpulyzer.extract(bytearray(page)) == text


def test_text_is_not_decoded_again() -> None:
    page = '<meta charset="iso-8859-6"><p>سلام'
    assert corpulyzer.extract(page, extractor="text") == "سلام"
    assert corpulyzer.extract("\0a\0b\0c\0d" * 10, extractor="text")
    assert corpulyzer.Engine("urd").page(page).charset == "utf-8"


def test_the_header_names_the_charset() -> None:
    page = "<p>шла Саша по шоссе".encode("koi8-r")
    found = corpulyzer.extract(page, output="record", content_type="text/html; charset=koi8-r")
    assert found.charset == "koi8-r"


def test_a_record_has_what_the_page_declares() -> None:
    page = b'<html lang="ur"><meta name="robots" content="noindex"><title>T</title><p>one<p>two'
    found = corpulyzer.extract(page, extractor="text", output="record")
    assert (found.title, found.language, found.noindex, found.nofollow) == ("T", "ur", True, False)
    assert (found.text, found.main_bytes, found.raw_bytes) == ("one\ntwo", 7, len(page))
    assert found.visible_bytes == 7 and found.limit is None
    assert found.to_dict()["text"] == "one\ntwo"


def test_markdown_marks_headings_lists_and_quotations() -> None:
    page = "<body><h2>A</h2><p>one</p><ul><li>x</li><li>y_z</li></ul><blockquote>q</blockquote>"
    found = corpulyzer.extract(page, extractor="text", output="markdown")
    assert found == "## A\n\none\n\n- x\n- y\\_z\n\n> q"


def test_html_is_safe_and_has_absolute_links() -> None:
    page = "<h1>A</h1><p onclick=x>see <a href=b>b</a><a href='javascript:x'>c</a><script>d</script>"
    found = corpulyzer.extract(page, "https://a.example/", extractor="text", output="html")
    assert found == '<h1>A</h1>\n<p>see <a href="https://a.example/b">b</a>c</p>'


def test_json_has_what_the_page_states() -> None:
    page = "<html lang=en><title>T</title><meta name=author content=A><p>text"
    found = json.loads(corpulyzer.extract(page, extractor="text", output="json"))
    assert found == {
        "title": "T",
        "language": "en",
        "author": "A",
        "text": "text",
        "html": "<p>text</p>",
    }


def test_justext_uses_the_stop_words_of_the_language() -> None:
    page = "<p>" + "Ottawa Vancouver Winnipeg Saskatoon Edmonton " * 6
    assert corpulyzer.extract(page, extractor="justext", language="en") == ""
    assert corpulyzer.extract(page, extractor="justext").startswith("Ottawa")
    assert corpulyzer.extract_all([page], extractor="justext", language="en") == [""]


def test_comments_of_readers_are_dropped_if_asked() -> None:
    paragraphs = "".join(f"<p>{n} {URDU * 3}</p>" for n in range(9))
    comments = "".join(f"<div role=comment><p>POST{n} {URDU * 2}</p></div>" for n in range(3))
    page = f"<body><div class=content>{paragraphs}<div>{comments}</div></div></body>"
    assert "POST" in corpulyzer.extract(page)
    text = corpulyzer.extract(page, comments="drop")
    assert "POST" not in text and URDU.strip() in text
    assert corpulyzer.extract_all([page], comments="drop") == [text]
    engine = corpulyzer.Engine("urd", comments="drop")
    assert engine.page(page).text == text and "+no-comments/" in engine.version
    assert corpulyzer.trafilatura.extract(page, include_comments=False) == text


def test_invalid_arguments_are_named_with_the_allowed_values() -> None:
    with pytest.raises(corpulyzer.SettingError, match="extractor is .magic.; allowed are "):
        corpulyzer.extract("a", extractor="magic")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="output is 'pdf'; allowed are text, markdown"):
        corpulyzer.extract("a", output="pdf")  # type: ignore[call-overload]
    with pytest.raises(corpulyzer.SettingError, match="only the extractor justext uses it"):
        corpulyzer.extract("a", language="en")
    with pytest.raises(corpulyzer.SettingError, match="comments is .no.; allowed are keep and drop"):
        corpulyzer.extract("a", comments="no")  # type: ignore[call-overload]
    with pytest.raises(corpulyzer.SettingError, match="only the extractor `best` drops comments"):
        corpulyzer.extract("a", extractor="text", comments="drop")
    with pytest.raises(corpulyzer.SettingError, match="language code .urdo. is unknown"):
        corpulyzer.extract("a", extractor="justext", language="urdo")
    with pytest.raises(corpulyzer.PageError, match=r"3 bytes, allowed are 2 \(max_bytes\)"):
        corpulyzer.extract("abc", max_bytes=2)
    with pytest.raises(TypeError, match="a page is of type int; allowed are bytes"):
        corpulyzer.extract(5)  # type: ignore[call-overload]
    with pytest.raises(UnicodeEncodeError):
        corpulyzer.extract("\ud800")


@pytest.mark.parametrize("name", ["extractor", "comments", "headline", "language", "max_bytes"])
@pytest.mark.parametrize("value", [1.5, b"a", [3]])
def test_an_argument_of_another_type_is_named(name: str, value: Any) -> None:
    for extract in (corpulyzer.extract, lambda page, **more: corpulyzer.extract_all([page], **more)):
        with pytest.raises(corpulyzer.SettingError, match=f"^{name} is .+; allowed is a "):
            extract("<p>a", **{name: value})


def test_paths_and_open_files_are_read(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(page_of(URDU))
    text = corpulyzer.extract(page_of(URDU))
    assert corpulyzer.extract(file) == text
    with open(file, "rb") as page:
        assert corpulyzer.extract(page) == text
    assert corpulyzer.extract_all([file, page_of(URDU)]) == [text, text]
    assert corpulyzer.Engine("urd").page(file).text == text


def test_the_name_of_a_file_is_not_taken_for_a_page(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(page_of(URDU))
    for name in (str(file), "https://a.example/page"):
        with pytest.raises(corpulyzer.SettingError, match="a URL or the name of a file"):
            corpulyzer.extract(name)
    assert corpulyzer.extract("https://a.example/ is a site", extractor="text").startswith("https")


def test_a_file_that_cannot_be_read_is_an_error_of_the_package(tmp_path: Path) -> None:
    for path in (tmp_path / "none.html", tmp_path):
        with pytest.raises(corpulyzer.InputError, match=f"cannot read {path}: "):
            corpulyzer.extract(path)


def test_several_pages_keep_their_order() -> None:
    pages = [f"<p>number {n}" for n in range(500)]
    texts = corpulyzer.extract_all(pages, extractor="text")
    assert texts == [f"number {n}" for n in range(500)]
    assert corpulyzer.extract_all([]) == []
    with pytest.raises(corpulyzer.SettingError, match="urls has 1 items; allowed are 2"):
        corpulyzer.extract_all(["a", "b"], urls=[None])


def test_a_page_that_cannot_be_read_is_named_or_left_out() -> None:
    pages = ["<p>one", "<p>" + "x" * 100]
    with pytest.raises(corpulyzer.PageError, match="page 2 of 2: page has 103 bytes"):
        corpulyzer.extract_all(pages, max_bytes=50)
    assert corpulyzer.extract_all(pages, extractor="text", max_bytes=50, errors="none") == [
        "one",
        None,
    ]


@pytest.mark.parametrize("extractor", ["best", "web-am", "text"])
def test_the_text_is_that_of_the_command_byte_for_byte(
    tmp_path: Path, extractor: corpulyzer._engine.Extractor
) -> None:
    pages = shared("data/pages")
    call = [command(), "extract", "--in", str(pages), "--out", str(tmp_path)]
    subprocess.run([*call, "--extractor", extractor], check=True)
    files = sorted(pages.rglob("*.html"))
    texts = corpulyzer.extract_all([file.read_bytes() for file in files], extractor=extractor)
    assert len(files) > 100
    for file, text in zip(files, texts):
        expected = (tmp_path / file.relative_to(pages)).with_suffix(".txt").read_bytes()
        assert text is not None
        # The command ends the last line of its file.
        assert (text + "\n" if text else "").encode() == expected, file


def test_pages_of_the_vectors_are_as_the_command_writes_them(tmp_path: Path) -> None:
    pages = ROOT / "tests/vectors/pages"
    subprocess.run(
        [command(), "extract", "--in", str(pages), "--out", str(tmp_path), "--extractor", "best"],
        check=True,
    )
    compared = 0
    for file in sorted(pages.glob("*.html")):
        expected = (tmp_path / file.name).with_suffix(".txt").read_bytes()
        text = corpulyzer.extract(file.read_bytes())
        assert (text + "\n" if text else "").encode() == expected, file
        compared += 1
    assert compared > 5
