"""The steps for datatrove, in a pipeline of the real package."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import URDU, page_of

pytest.importorskip("datatrove", reason="skipped: datatrove of PyPI is missing")

from datatrove.data import Document  # noqa: E402
from datatrove.executor import LocalPipelineExecutor  # noqa: E402
from datatrove.pipeline.readers import JsonlReader  # noqa: E402
from datatrove.pipeline.writers import JsonlWriter  # noqa: E402

import corpulyzer  # noqa: E402
from corpulyzer.datatrove import CorpulyzerExtractor, CorpulyzerLanguageFilter  # noqa: E402

ENGLISH = "This is the old library of the city and many people like to read its books. "


def documents() -> list[Document]:
    pages = [page_of(URDU), page_of(ENGLISH), b"<title>empty</title>", page_of(URDU, "2")]
    return [Document(text=page.decode(), id=str(number)) for number, page in enumerate(pages)]


def test_extractor_and_filter_run_in_a_pipeline(tmp_path: Path) -> None:
    executor = LocalPipelineExecutor(
        pipeline=[
            documents(),
            CorpulyzerExtractor(timeout=30),
            CorpulyzerLanguageFilter("ur", exclusion_writer=JsonlWriter(str(tmp_path / "out"))),
            JsonlWriter(str(tmp_path / "in"), compression=None),
        ],
        logging_dir=str(tmp_path / "logs"),
    )
    executor.run()
    kept = list(JsonlReader(str(tmp_path / "in"))())
    assert [document.id for document in kept] == ["0", "3"]
    assert kept[0].text == corpulyzer.extract(page_of(URDU))
    assert kept[0].metadata["language"] == "urd" and kept[0].metadata["language_score"] == 1.0
    assert kept[0].metadata["languages"]["urd"] > 256
    excluded = list(JsonlReader(str(tmp_path / "out"))())
    assert [document.id for document in excluded] == ["1"]
    assert excluded[0].metadata["corpulyzer_decision"].startswith("reject 0 bytes of urd")


def test_batches_and_several_languages_give_the_same() -> None:
    german = "Am Morgen lag Nebel über dem Fluss, und die Boote fuhren erst gegen Mittag hinaus. "
    german += "Im Hafen warteten die Kinder auf den Markt, weil dort heute Kirschen verkauft wurden. "
    german += "Der alte Lehrer erzählte ihnen, wie die Brücke vor vielen Jahren gebaut worden war. "
    texts = [URDU * 9, ENGLISH * 9, "12345", german * 2]
    one = CorpulyzerLanguageFilter(["urd", "deu"])
    many = CorpulyzerLanguageFilter(["urd", "deu"], batch_size=4)
    singles = [Document(text=text, id="") for text in texts]
    batch = [Document(text=text, id="") for text in texts]
    expected = [True, (False, "bytes"), (False, "junk"), True]
    assert [one.filter(document) for document in singles] == expected
    assert many.filter_batch(batch) == expected
    assert [document.metadata for document in batch] == [document.metadata for document in singles]
    assert [document.metadata["language"] for document in batch] == ["urd", "eng", "und", "deu"]
