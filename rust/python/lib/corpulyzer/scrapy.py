"""An item pipeline for scrapy: from HTML to main content, with the decision of the crawler.

Needs the package `scrapy`. Use it in the settings of a project:

    ITEM_PIPELINES = {"corpulyzer.scrapy.CorpulyzerPipeline": 300}
    CORPULYZER_LANGUAGE = "urd"

An item has its page in the field `html`: bytes, text, or the response itself. The pipeline replaces
this field by the figures.
"""

from __future__ import annotations

from typing import Any, Optional, TypeVar

from itemadapter import ItemAdapter
from scrapy.exceptions import DropItem, NotConfigured
from scrapy.http import Response

from ._engine import Engine, extract

__all__ = ["CorpulyzerPipeline"]

Item = TypeVar("Item")


class CorpulyzerPipeline:
    """Extracts the main content of items, and drops those that do not belong to the corpus.

    Settings of the project:
        CORPULYZER_LANGUAGE: The language of the corpus. Without it items are extracted and none is
            dropped.
        CORPULYZER_ENGINE: A dictionary with other arguments of `corpulyzer.Engine`.
        CORPULYZER_FIELD: The field with the page; `html` by default. It is removed from dictionaries.

    It sets these fields, of an item class those that it declares: `text`, `title`, and with a language
    `languages`, `target_bytes` and `decision` (docs/collect.md describes them).
    """

    def __init__(
        self,
        language: Optional[str] = None,
        field: str = "html",
        engine: Optional[dict[str, Any]] = None,
    ) -> None:
        self.field = field
        self.engine = Engine(language, **(engine or {})) if language else None

    @classmethod
    def from_crawler(cls, crawler: Any) -> CorpulyzerPipeline:
        """Makes the pipeline from the settings of a project."""
        settings = crawler.settings
        try:
            return cls(
                settings.get("CORPULYZER_LANGUAGE"),
                settings.get("CORPULYZER_FIELD", "html"),
                settings.getdict("CORPULYZER_ENGINE"),
            )
        except (TypeError, ValueError) as error:
            raise NotConfigured(f"CorpulyzerPipeline: {error}") from error

    def process_item(self, item: Item, spider: Any = None) -> Item:
        """Returns the item with its main content.

        Raises:
            DropItem: It has no page, or the engine rejects it.
        """
        adapter = ItemAdapter(item)
        page = adapter.get(self.field)
        url, content_type = adapter.get("url"), None
        if isinstance(page, Response):
            url = page.url
            header = page.headers.get("Content-Type")
            content_type = header.decode("latin-1") if header else None
            page = page.body
        if not isinstance(page, (bytes, bytearray, str)):
            raise DropItem(f"no page in the field {self.field!r}")
        if self.engine is None:
            found = extract(page, url, output="record", content_type=content_type)
            fields: dict[str, Any] = {"text": found.text, "title": found.title}
        else:
            record = self.engine.page(page, url, content_type)
            if not record.keep:
                raise DropItem(record.message or record.decision)
            fields = {
                "text": record.text,
                "title": record.title,
                "languages": record.languages,
                "target_bytes": record.target_bytes,
                "decision": record.decision,
            }
        declared = ItemAdapter.get_field_names_from_class(type(item))
        for name, value in fields.items():
            if declared is None or name in declared:
                adapter[name] = value
        if declared is None and self.field not in fields:
            del adapter[self.field]
        return item
