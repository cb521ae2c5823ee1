"""Records of archives."""

from __future__ import annotations

import json
from pathlib import Path

import corpulyzer
import pytest
from conftest import URDU, page_of, warc_record


def test_records_of_a_warc_file_are_its_pages_in_order(archive: Path) -> None:
    records = list(corpulyzer.records(archive))
    assert len(records) == 41
    first = records[0]
    assert first.kind == "page" and first.url == "http://site0.pk/ur/0" and first.number == 1
    assert first.date == "2026-11-01T10:00:00Z"
    assert first.content == page_of(URDU, "ur 0")
    assert first.content_type == "text/html; charset=utf-8" and first.input == str(archive)
    # What `collect` has is what `extract` makes of these.
    document = next(iter(corpulyzer.collect(archive, "ur")))
    page = corpulyzer.extract(first.content, url=first.url, content_type=first.content_type)
    assert page == document["text"]


def test_lines_and_several_inputs_are_read(archive: Path, tmp_path: Path) -> None:
    lines = tmp_path / "a.jsonl"
    lines.write_text(json.dumps({"url": "http://a.pk/", "text": URDU}) + "\n")
    *pages, line = corpulyzer.records([archive, lines])
    assert len(pages) == 41 and line.kind == "json" and line.url is None
    assert json.loads(line.content)["text"] == URDU


def test_records_about_no_page_are_left_out_however_many_there_are(tmp_path: Path) -> None:
    file = tmp_path / "a.warc"
    request = b"WARC/1.0\r\nWARC-Type: request\r\nWARC-Target-URI: http://a.pk/\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
    file.write_bytes(request * 5000 + warc_record("http://a.pk/", page_of(URDU)) + request)
    assert [record.number for record in corpulyzer.records(file)] == [5001]


def test_damage_raises_after_the_last_record(archive: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.warc.gz"
    cut.write_bytes(archive.read_bytes()[:-100])
    found = []
    with pytest.raises(corpulyzer.InputError, match="an input is damaged"):
        for record in corpulyzer.records(cut):
            found.append(record)
    assert len(found) == 40
    with pytest.warns(corpulyzer.InputWarning, match="skipped 1 "):
        assert len(list(corpulyzer.records(cut, damaged="warn"))) == 40
    with pytest.raises(corpulyzer.InputError, match="no such file"):
        corpulyzer.records(tmp_path / "none.warc")
