"""Corpora on Spark.

Needs the packages `pyspark` and `pyarrow`, on the driver and on every worker, and this package there
too.
"""

from __future__ import annotations

import os
from typing import Any, Iterable, Iterator, Sequence, Union

from . import arrow
from ._settings import Path

__all__ = ["collect"]


def collect(
    spark: Any,
    paths: Iterable[Path],
    language: Union[str, Sequence[str]],
    **settings: Any,
) -> Any:
    """Returns a data frame with the documents in some languages of archives, a task for each file.

    Its columns are those of `corpulyzer.arrow.SCHEMA`. A URL is there once for each file and language;
    `dropDuplicates(["language", "url"])` drops those that several files have.

    Args:
        spark: The session.
        paths: Files, each of which every worker can read under this path.
        language: As for `corpulyzer.collect`.
        settings: Other arguments of `corpulyzer.collect`. A damaged file fails its task, unless
            `damaged="warn"`.
    """
    names = [os.fspath(path) for path in paths]

    def read(tables: Iterator[Any]) -> Iterator[Any]:
        # Spark has a task for each core, so a task must not use all of them. The engine reads this
        # when it begins to work in the process of the worker.
        os.environ.setdefault("RAYON_NUM_THREADS", "1")
        for table in tables:
            for name in table.column("path").to_pylist():
                yield from arrow.batches(name, language, **settings)

    files = spark.createDataFrame([(name,) for name in names], "path string")
    return files.repartition(max(1, len(names))).mapInArrow(read, _columns())


def _columns() -> str:
    """Returns the columns in Spark's words."""
    words = {"string": "string", "int64": "bigint", "map<string, int64>": "map<string,bigint>"}
    words["list<item: map<string, string>>"] = "array<map<string,string>>"
    return ", ".join(f"`{column.name}` {words[str(column.type)]}" for column in arrow.SCHEMA)
