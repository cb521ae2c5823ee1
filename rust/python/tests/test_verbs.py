"""Verbs of the command, and the Parquet of a release."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import corpulyzer
import pytest
from conftest import URDU

HUB: dict[str, Any] = {
    "contact": "corpus@example.org",
    "layout": "hub",
    "license": "odc-by",
    "url": "https://example.org/urdu",
    "creator": ["One Group", "Other Group"],
    "published": "2026-11-24",
}


@pytest.fixture
def corpus(archive: Path, tmp_path: Path) -> Path:
    """Documents in Urdu of different texts, as JSON lines."""
    file = tmp_path / "corpus.jsonl"
    with file.open("w", encoding="utf-8") as out:
        for number, document in enumerate(corpulyzer.collect(archive, "ur")):
            line = {key: value for key, value in document.items() if value is not None}
            line["published"] = f"2026-10-{number + 1:02}"
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
    return file


def test_a_release_is_read_by_pyarrow_and_duckdb_as_its_lines_are(
    corpus: Path, tmp_path: Path
) -> None:
    duckdb = pytest.importorskip("duckdb", reason="skipped: duckdb of PyPI is missing")
    parquet = pytest.importorskip("pyarrow.parquet", reason="skipped: pyarrow of PyPI is missing")
    import pyarrow

    done = corpulyzer.package(corpus, "ur", out=tmp_path / "release", **HUB)
    assert any("20 pages" in message for message in done.messages), done
    (shard,) = (tmp_path / "release/data").iterdir()
    schema = parquet.read_schema(shard)
    types = {name: schema.field(name).type for name in schema.names}
    assert types["date"] == pyarrow.timestamp("ms", tz="UTC")
    assert types["published"] == pyarrow.date32()
    assert types["languages"] == pyarrow.map_(pyarrow.string(), pyarrow.int64())
    assert types["language_set"] == types["languages"]
    assert types["raw_bytes"] == pyarrow.int64()
    assert not {"minhash_cluster_size", "dump", "file_path", "round"} & set(types)
    rows = parquet.read_table(shard).to_pylist()
    lines = [json.loads(line) for line in corpus.read_text("utf-8").splitlines()]
    for row, line in zip(rows, lines):
        assert row["text"] == line["text"] and dict(row["languages"]) == line["languages"]
        assert row["date"] == datetime.datetime(2026, 11, 1, 10, tzinfo=datetime.timezone.utc)
        assert row["published"] == datetime.date.fromisoformat(line["published"])
    columns = "url, text, title, epoch_ms({}::TIMESTAMPTZ), published, map_entries(languages)"
    kinds = "{url: 'VARCHAR', text: 'VARCHAR', title: 'VARCHAR', fetch_time: 'VARCHAR', published: 'DATE', languages: 'MAP(VARCHAR, BIGINT)'}"
    ours = duckdb.sql(f"SELECT {columns.format('date')} FROM '{shard}' ORDER BY url")
    theirs = duckdb.sql(
        f"SELECT {columns.format('fetch_time')} FROM read_json('{corpus}', columns={kinds}) ORDER BY url"
    )
    assert ours.fetchall() == theirs.fetchall()


def test_functions_read_parquet(corpus: Path, tmp_path: Path) -> None:
    corpulyzer.package(corpus, "ur", out=tmp_path / "release", **HUB)
    documents = list(corpulyzer.collect(tmp_path / "release/data", "ur"))
    lines = list(corpulyzer.collect(corpus, "ur"))
    for key in ("url", "text", "fetch_time", "languages", "published", "raw_bytes"):
        values = [document[key] for document in documents]
        assert values == [line[key] for line in lines], key
    assert corpulyzer.report(tmp_path / "release/data", "ur")["corpora"]
    kinds = {record.kind for record in corpulyzer.records(tmp_path / "release/data")}
    assert kinds == {"json"}


def test_verbs_write_what_the_command_writes(corpus: Path, tmp_path: Path) -> None:
    corpulyzer.deduplicate(corpus, "ur", out=tmp_path / "clean.jsonl")
    assert (tmp_path / "clean.jsonl").stat().st_size > 0
    corpulyzer.sentences([corpus], "Urdu", out=tmp_path / "s.txt", min_words=4)
    assert (tmp_path / "s.txt").read_text("utf-8").splitlines() == [URDU.strip()]
    done = corpulyzer.words(corpus, "ur", out=tmp_path / "words.tsv")
    assert "ہے" in (tmp_path / "words.tsv").read_text("utf-8") and done.messages
    corpulyzer.seeds(corpus, "ur", out=tmp_path / "seeds.txt")
    assert "http://site0.pk/ur/0" in (tmp_path / "seeds.txt").read_text()
    done = corpulyzer.run("identify", corpus.with_name("s.txt"))
    assert done.output.startswith("urd")


def test_wrong_options_and_inputs_are_exceptions_in_the_words_of_python(tmp_path: Path) -> None:
    with pytest.raises(corpulyzer.SettingError, match="min_count") as wrong:
        corpulyzer.words(tmp_path / "a.jsonl", "ur", out=tmp_path / "w", min_count="many")
    assert "--" not in str(wrong.value)
    with pytest.raises(corpulyzer.InputError, match="none.jsonl: no such file"):
        corpulyzer.sentences(tmp_path / "none.jsonl", "ur", out=tmp_path / "s.txt")
    with pytest.raises(corpulyzer.SettingError, match="no such language"):
        corpulyzer.sentences(tmp_path / "none.jsonl", "no such language", out=tmp_path / "s.txt")


def test_results_are_read_as_json(corpus: Path) -> None:
    done = corpulyzer.run("calibrate", corpus, language="ur", json=True)
    found = json.loads(done.output)
    assert found["language"] == "urd" and found["by_bytes"][0]["pages"] == found["target_pages"] == 20


def test_a_callback_that_fails_ends_the_verb(corpus: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_text("no json\n" + corpus.read_text("utf-8"), "utf-8")

    def fail(message: str) -> None:
        raise RuntimeError(message)

    with pytest.raises(RuntimeError, match="damaged.jsonl, line 1"):
        corpulyzer.run("sentences", damaged, language="ur", out=tmp_path / "s.txt", on_message=fail)
    # The verb has ended, and its temporary files with it.
    assert not [file for file in tmp_path.iterdir() if file.name.startswith(".")]


def test_messages_are_passed_on_as_they_come(corpus: Path, tmp_path: Path) -> None:
    found: list[str] = []
    done = corpulyzer.run(
        "sentences", corpus, language="ur", out=tmp_path / "s.txt", urls=True, on_message=found.append
    )
    assert tuple(found) == done.messages and found
    assert "\thttp://site" in (tmp_path / "s.txt").read_text("utf-8")
