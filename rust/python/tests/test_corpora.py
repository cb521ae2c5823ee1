"""Documents of archives, and reports."""

from __future__ import annotations

import json
import subprocess
import warnings
from pathlib import Path

import corpulyzer
import pytest
from conftest import URDU, command


def test_all_documents_have_all_keys_so_that_a_data_set_can_be_made(archive: Path) -> None:
    documents = list(corpulyzer.collect(archive, "ur"))
    keys = list(corpulyzer.Document.__annotations__)
    assert all(list(document) == keys for document in documents)
    datasets = pytest.importorskip("datasets", reason="skipped: datasets of PyPI is missing")
    made = datasets.Dataset.from_generator(
        corpulyzer.collect,
        gen_kwargs={"paths": str(archive), "language": "ur"},
        cache_dir=str(archive.parent / "cache"),
    )
    assert made["text"] == [document["text"] for document in documents]


def test_files_are_told_from_pages(tmp_path: Path) -> None:
    pages = [
        {"url": f"http://a.pk/{n}", "text": f"{URDU} {n}", "content_type": kind}
        for n, kind in enumerate(["application/pdf", "text/html", None])
    ]
    file = tmp_path / "corpus.jsonl"
    file.write_text("".join(json.dumps(page) + "\n" for page in pages), encoding="utf-8")
    documents = list(corpulyzer.collect(file, "ur", min_bytes=1))
    assert [document["kind"] for document in documents] == ["document", None, None]
    totals = corpulyzer.report(file, "ur")["corpora"][0]["figures"]["totals"]
    assert (totals["pages"], totals["documents"]) == (3, 1)


def test_documents_are_those_of_the_command(archive: Path, tmp_path: Path) -> None:
    documents = list(corpulyzer.collect(archive, "ur"))
    assert [document["title"] for document in documents] == [f"ur {n}" for n in range(20)]
    assert {document["language"] for document in documents} == {"urd"}
    without = [{k: v for k, v in document.items() if k != "language"} for document in documents]
    call = [command(), "collect", str(archive), "--language", "ur", "--out", str(tmp_path / "c")]
    subprocess.run([*call, "--extractor", "best"], check=True, capture_output=True)
    # The first document's fields, as the command wrote them: the report reads the same file.
    figures = corpulyzer.report(tmp_path / "c" / "urd", "urd")
    totals = figures["corpora"][0]["figures"]["totals"]
    assert totals["pages"] == len(without)
    assert totals["target_bytes"] == sum(document["languages"]["urd"] for document in documents)
    again = list(corpulyzer.collect(tmp_path / "c" / "urd", "ur"))
    assert again == documents


def test_a_page_may_be_in_several_corpora(archive: Path) -> None:
    documents = list(corpulyzer.collect([archive], ["ur", "eng"], rejected=True))
    by_language: dict[str, list[str]] = {}
    for document in documents:
        by_language.setdefault(document["language"], []).append(document["decision"].split()[0])
    assert by_language["urd"].count("keep") == 20
    assert by_language["eng"].count("keep") == 20 and "reject" in by_language["eng"]


def test_the_rest_of_an_iteration_can_be_left(archive: Path) -> None:
    for document in corpulyzer.collect(archive, "urd"):
        assert document["id"] == "pk.site0:http/ur/0"
        break


def test_damaged_inputs_raise_after_their_last_document(archive: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.warc.gz"
    cut.write_bytes(archive.read_bytes()[:-100])
    documents = corpulyzer.collect(cut, "urd")
    found = []
    with pytest.raises(corpulyzer.InputError, match="an input is damaged: skipped 1 "):
        for document in documents:
            found.append(document)
    assert len(found) == 20
    with pytest.warns(corpulyzer.InputWarning, match="skipped 1 "):
        assert len(list(corpulyzer.collect(cut, "urd", damaged="warn"))) == 20


def test_skipped_records_are_warnings(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps({"url": "http://a/", "text": URDU * 9}) + "\nno page\n")
    with pytest.warns(
        corpulyzer.InputWarning, match="line that is not a page in JSON\n .*a.jsonl, line 2"
    ):
        assert len(list(corpulyzer.collect(file, "urd"))) == 1
    with pytest.warns(corpulyzer.InputWarning, match="is named twice, and read once"):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "skipped")
            assert len(list(corpulyzer.collect([file, file], "urd"))) == 1


def test_inputs_that_cannot_be_read_are_errors(tmp_path: Path) -> None:
    with pytest.raises(corpulyzer.InputError, match="no/such.warc: no such file"):
        corpulyzer.collect("no/such.warc", "urd")
    with pytest.raises(corpulyzer.InputError, match="holds no corpus; allowed are"):
        corpulyzer.collect(tmp_path, "urd")
    with pytest.raises(OSError, match="no such file"):
        corpulyzer.report("no/such.warc", "urd")
    with pytest.raises(corpulyzer.SettingError, match="language is empty"):
        corpulyzer.collect(tmp_path, [])
    junk = tmp_path / "junk.jsonl"
    junk.write_text("junk\n")
    with pytest.raises(corpulyzer.InputError, match="no record could be read"):
        corpulyzer.report(junk, "urd")


def test_a_report_is_that_of_the_command(archive: Path, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", corpulyzer.InputWarning)
        found = corpulyzer.report(archive, "ur")
        page = corpulyzer.report_html(archive, "ur")
    call = [command(), "report", str(archive), "--language", "ur", "--out", str(tmp_path / "r")]
    subprocess.run([*call, "--extractor", "best"], check=True, capture_output=True)
    assert found == json.loads((tmp_path / "r" / "report.json").read_text())
    assert page == (tmp_path / "r" / "report.html").read_text()
    assert found["corpora"][0]["figures"]["totals"]["pages"] == 40


def test_a_report_without_pages_in_the_language_warns(archive: Path) -> None:
    with pytest.warns(corpulyzer.InputWarning, match="No page has text in Tamil"):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "skipped")
            corpulyzer.report(archive, "tam", words=False)
