"""Checks a release in the layout of the Hugging Face Hub with the libraries that its users have.

    hub.py RELEASE LINES   RELEASE is a folder that `package --layout hub` made of the JSON lines LINES
    hub.py make FOLDER     writes Parquet files as other programs write them, for the reader's tests
"""

import datetime
import glob
import json
import os
import sys

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_OFFLINE"] = "1"

import pyarrow as pa
import pyarrow.parquet as pq


def check(release, lines):
    import datasets
    import duckdb
    import mlcroissant

    with open(lines, encoding="utf-8") as file:
        records = {record["url"]: record for record in map(json.loads, file)}

    # pyarrow: every value of every shard.
    shards = sorted(glob.glob(f"{release}/data/*.parquet"))
    tables = [pq.read_table(shard) for shard in shards]
    assert len({str(table.schema) for table in tables}) == 1, "one schema"
    rows = [row for table in tables for row in table.to_pylist()]
    assert len(rows) == len(records), (len(rows), len(records))
    for row in rows:
        record = records[row["url"]]
        assert row["text"] == record["text"]
        assert row["date"] == datetime.datetime.fromisoformat(record["fetch_time"])
        assert dict(row["languages"]) == record["languages"]
        assert row.get("published") == (record.get("published") and datetime.date.fromisoformat(record["published"]))
        assert row["language"] == "urd" and row["language_script"] == "Arab", row
        assert row["score"] == record["score"] and row["tags"] == json.dumps(record["tags"], separators=(",", ":"))
        assert row["noise"] is record.get("noise") and row["kind"] == record.get("kind")
    schema = tables[0].schema
    types = {
        "text": pa.string(),
        "date": pa.timestamp("ms", tz="UTC"),
        "languages": pa.map_(pa.string(), pa.int64()),
        "published": pa.date32(),
        "raw_bytes": pa.int64(),
        "noise": pa.bool_(),
        "tags": pa.string(),
    }
    for name, wanted in types.items():
        found = schema.field(name).type
        assert found == wanted, (name, found)
    # Every column has a value somewhere.
    for name in schema.names:
        assert any(row[name] is not None for row in rows), name

    # DuckDB: sums and a filter.
    where = f"read_parquet('{release}/data/*.parquet')"
    count, size = duckdb.sql(f"SELECT count(*), sum(length(text)) FROM {where}").fetchall()[0]
    assert (count, size) == (len(records), sum(len(record["text"]) for record in records.values()))
    assert duckdb.sql(f"SELECT count(*) FROM {where} WHERE language_score >= .5").fetchall()[0][0] == len(records)

    # DuckDB reads what it reads of the lines.
    columns = "url, text, {}, map_entries({}), published"
    ours = columns.format("epoch_ms(date)", "languages")
    theirs = columns.format("epoch_ms(fetch_time::TIMESTAMPTZ)", "languages")
    types = "columns = {url: 'VARCHAR', text: 'VARCHAR', fetch_time: 'VARCHAR', languages: 'MAP(VARCHAR, BIGINT)', published: 'DATE'}"
    one = duckdb.sql(f"SELECT {ours} FROM {where} ORDER BY url").fetchall()
    other = duckdb.sql(f"SELECT {theirs} FROM read_json('{lines}', {types}) ORDER BY url").fetchall()
    assert one == other, (one[0], other[0])
    urdu = duckdb.sql(f"SELECT sum(languages['urd']) FROM {where} WHERE date < TIMESTAMPTZ '2026-11-02 00:00:00Z'").fetchall()[0][0]
    assert urdu == sum(record["languages"]["urd"] for record in records.values()), urdu

    # datasets: the folder as it is, with its card.
    loaded = datasets.load_dataset(release, cache_dir=os.path.join(release, os.pardir, "cache"))
    assert sum(split.num_rows for split in loaded.values()) == len(records)
    splits = {name: {row["host"] for row in split} for name, split in loaded.items()}
    names = sorted(splits)
    for one in names:
        for other in names:
            assert one == other or not splits[one] & splits[other], "a host is in one split"
    streamed = datasets.load_dataset(release, split=names[0], streaming=True)
    row = next(iter(streamed))
    assert dict(row["languages"]) == records[row["url"]]["languages"], row
    print("splits:", {name: len(hosts) for name, hosts in splits.items()})

    # Croissant: its own validator, and the records through it.
    croissant = mlcroissant.Dataset(jsonld=f"{release}/croissant.json")
    assert not croissant.metadata.issues.errors, croissant.metadata.issues.errors
    found = set()
    for name in names:
        for row in croissant.records(name):
            found.add(row[f"{name}/url"].decode())
    assert found == set(records), len(found)
    print("conforms to:", croissant.metadata.ctx.conforms_to)


def make(folder):
    text = ["یہ پہلا صفحہ ہے", None, "یہ تیسرا صفحہ ہے"]
    urls = [f"http://a.pk/{number}" for number in range(3)]
    table = pa.table(
        {
            "text": text,
            "url": urls,
            "id": pa.array([1, 2, 3], pa.int64()),
            "timestamp": pa.array([0, 1, None], pa.timestamp("us")),
            "date": ["2024-05-01T00:00:00Z"] * 3,
            "nested": [[{"a": 1}], [], None],
            "languages": pa.array([[("urd", 20)], [], None], pa.map_(pa.string(), pa.int32())),
            "score": pa.array([0.5, float("nan"), None], pa.float32()),
        }
    )
    for codec in ["none", "snappy", "gzip", "zstd", "brotli"]:
        for version in ["1.0", "2.0"]:
            pq.write_table(table, f"{folder}/{codec}-{version[0]}.parquet", compression=codec, data_page_version=version)
    pq.write_table(table, f"{folder}/int96.parquet", use_deprecated_int96_timestamps=True)
    pq.write_table(table, f"{folder}/delta.parquet", use_dictionary=False, column_encoding={"text": "DELTA_BYTE_ARRAY"})
    pq.write_table(table.select(["url", "id"]), f"{folder}/no-text.parquet")
    # Some bytes of gzip or zstd that become more than memory for pages.
    bomb = pa.table({"text": ["\0" * (300 << 20)], "url": ["http://b.pk/"]})
    for codec in ["gzip", "zstd"]:
        pq.write_table(bomb, f"{folder}/bomb-{codec}.parquet", compression=codec, use_dictionary=False)
    # Next to nothing that becomes any number of rows.
    nulls = pa.table({"text": pa.nulls(50_000_000, pa.string())})
    pq.write_table(nulls, f"{folder}/rows.parquet", row_group_size=50_000_000)


if sys.argv[1] == "make":
    make(sys.argv[2])
else:
    check(sys.argv[1], sys.argv[2])
