"""Archives as tables, on Spark, and in a pipeline of datatrove.

Ray is not started here, because it listens on all addresses of the machine; its function gets tables.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import URDU, page_of, warc_record

import corpulyzer

pytest.importorskip("pyarrow", reason="skipped: pyarrow of PyPI is missing")

from corpulyzer import arrow  # noqa: E402


@pytest.fixture
def archives(tmp_path: Path) -> list[Path]:
    """Three archives, the first with more documents than a batch has."""
    files = []
    for part, pages in enumerate((300, 20, 2)):
        files.append(tmp_path / f"part-{part}.warc.gz")
        with files[-1].open("wb") as out:
            for number in range(pages):
                page = page_of(URDU, f"{number}")
                url = f"http://site{part}.pk/{number}"
                out.write(gzip.compress(warc_record(url, page)))
    return files


def documents(paths: list[Path]) -> list[dict[str, Any]]:
    """What the package itself finds, in the form of the tables."""
    found = []
    for document in corpulyzer.collect(paths, "ur"):
        row: dict[str, Any] = dict(document)
        if row["reservation"] is not None:
            row["reservation"] = json.dumps(row["reservation"], ensure_ascii=False)
        found.append(row)
    return found


def plain(row: dict[str, Any]) -> dict[str, Any]:
    """A row of a table with its maps as dictionaries: Arrow has them as lists of pairs."""
    maps = ("languages", "language_set")
    return row | {name: dict(row[name]) for name in maps}


def test_batches_have_every_document_with_all_columns(archives: list[Path]) -> None:
    batches = list(arrow.batches(archives, "ur"))
    assert [batch.num_rows for batch in batches] == [256, 66]
    assert all(batch.schema.equals(arrow.SCHEMA) for batch in batches)
    assert arrow.SCHEMA.names == list(corpulyzer.Document.__annotations__)
    rows = [plain(row) for batch in batches for row in batch.to_pylist()]
    assert rows == documents(archives)


def test_tables_are_the_batches_for_ray(archives: list[Path]) -> None:
    import pyarrow as pa

    tables = list(arrow.tables(archives, "ur"))
    assert all(isinstance(table, pa.Table) for table in tables)
    assert pa.concat_tables(tables).equals(pa.Table.from_batches(arrow.batches(archives, "ur")))


def listening(pid: int) -> set[str]:
    """The addresses on which a process listens, as /proc has them: bytes in reverse order."""
    links = Path(f"/proc/{pid}/fd").glob("*")
    own = {os.readlink(link) for link in links if link.is_symlink()}
    found = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            cells = line.split()
            if cells[3] == "0A" and f"socket:[{cells[9]}]" in own:
                found.add(cells[1].split(":")[0])
    return found


def test_spark_finds_the_documents_of_the_package(
    archives: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyspark", reason="skipped: pyspark of PyPI is missing")
    from pyspark.sql import SparkSession

    from corpulyzer import spark

    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    # A short JVM: the optimising compiler would take more than it gives.
    monkeypatch.setenv("SPARK_SUBMIT_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1")
    session = builder.config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
    try:
        frame = spark.collect(session, archives, "ur")
        assert frame.columns == arrow.SCHEMA.names
        found = [row.asDict(recursive=True) for row in frame.collect()]
        assert len(found) == 322
        found.sort(key=lambda row: str(row["url"]))
        assert found == sorted(documents(archives), key=lambda row: str(row["url"]))
        assert frame.groupBy("host").count().count() == 3
        gateway: Any = session.sparkContext._gateway
        addresses = listening(gateway.proc.pid)
        # 127.0.0.1, also as an address of IPv6.
        assert addresses and addresses <= {"0100007F", "0000000000000000FFFF00000100007F"}
    finally:
        session.stop()


def test_the_reader_of_datatrove_shares_the_files(archives: list[Path]) -> None:
    pytest.importorskip("datatrove", reason="skipped: datatrove of PyPI is missing")
    from corpulyzer.datatrove import CorpulyzerReader

    reader = CorpulyzerReader(archives, "ur", default_metadata={"source": "test"})
    shares = [list(reader.run(rank=rank, world_size=2)) for rank in range(2)]
    assert [len(share) for share in shares] == [302, 20]
    expected = {str(row["url"]): row for row in documents(archives)}
    for document in shares[0] + shares[1]:
        row = expected.pop(document.metadata["url"])
        assert (document.text, document.id) == (row["text"], row["id"])
        assert document.metadata["languages"] == row["languages"]
        assert document.metadata["source"] == "test" and "license" not in document.metadata
    assert not expected
    part = CorpulyzerReader(archives, "ur", limit=5, skip=298)
    assert [len(list(part.run(rank=rank, world_size=3))) for rank in range(3)] == [2, 0, 0]
