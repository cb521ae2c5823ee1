"""Documents of corpora as tables of Arrow, for Spark, Ray and whatever else reads them.

Needs the package `pyarrow`.
"""

from __future__ import annotations

import json
from itertools import islice
from typing import Any, Iterator, Sequence, Union, get_type_hints

import pyarrow as pa

from ._corpora import Document, collect
from ._settings import Paths

__all__ = ["SCHEMA", "batches", "tables"]

#: Documents in a batch. A document can be as long as a page, so a batch must not have many.
_IN_A_BATCH = 256


def _type(hint: Any) -> Any:
    """Returns the type of a column. An object whose fields vary is JSON, because a column has a type."""
    if hint == dict[str, int]:
        return pa.map_(pa.string(), pa.int64())
    if list[dict[str, str]] in getattr(hint, "__args__", ()):
        return pa.list_(pa.map_(pa.string(), pa.string()))
    if int in (hint, *getattr(hint, "__args__", ())):
        return pa.int64()
    return pa.string()


#: The columns of a table of documents: the fields of `Document`. Counts by language are maps;
#: `reservation` is JSON.
SCHEMA: Any = pa.schema([(name, _type(hint)) for name, hint in get_type_hints(Document).items()])


def _row(document: Document) -> dict[str, Any]:
    row: dict[str, Any] = dict(document)
    for column in SCHEMA:
        value = row[column.name]
        if value is not None and pa.types.is_string(column.type) and not isinstance(value, str):
            row[column.name] = json.dumps(value, ensure_ascii=False)
    return row


def batches(paths: Paths, language: Union[str, Sequence[str]], **settings: Any) -> Iterator[Any]:
    """Iterates over record batches with the documents of `corpulyzer.collect`.

    Args:
        paths: As for `collect`.
        language: As for `collect`.
        settings: Other arguments of `collect`.

    Raises:
        InputError: As `collect`.
        SettingError: As `collect`.
    """
    documents = collect(paths, language, **settings)
    while rows := [_row(document) for document in islice(documents, _IN_A_BATCH)]:
        yield pa.RecordBatch.from_pylist(rows, schema=SCHEMA)


def tables(paths: Paths, language: Union[str, Sequence[str]], **settings: Any) -> Iterator[Any]:
    """Iterates over the batches of `batches` as tables, which Ray's `map_batches` wants.

    Args:
        paths: As for `collect`.
        language: As for `collect`.
        settings: Other arguments of `collect`.

    Raises:
        InputError: As `collect`.
        SettingError: As `collect`.
    """
    for batch in batches(paths, language, **settings):
        yield pa.Table.from_batches([batch])
