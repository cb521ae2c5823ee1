"""The item pipeline, in a crawl of the real scrapy."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import URDU, page_of

pytest.importorskip("scrapy", reason="skipped: scrapy of PyPI is missing")

from scrapy.exceptions import DropItem, NotConfigured  # noqa: E402
from scrapy.settings import Settings  # noqa: E402

from corpulyzer.scrapy import CorpulyzerPipeline  # noqa: E402

SPIDER = """
import json, sys
import scrapy
from scrapy.crawler import CrawlerProcess

class Pages(scrapy.Spider):
    name = "pages"
    start_urls = json.loads(sys.argv[1])

    def parse(self, response):
        yield {"url": response.url, "html": response}

process = CrawlerProcess({
    "ITEM_PIPELINES": {"corpulyzer.scrapy.CorpulyzerPipeline": 300},
    "CORPULYZER_LANGUAGE": "ur",
    "CORPULYZER_ENGINE": {"min_bytes": 300},
    "FEEDS": {sys.argv[2]: {"format": "jsonlines"}},
    "LOG_LEVEL": "ERROR",
    "TELNETCONSOLE_ENABLED": False,
})
process.crawl(Pages)
process.start()
"""


def test_a_crawl_of_scrapy_keeps_pages_in_the_language(tmp_path: Path) -> None:
    english = "This is the old library of the city and many people like to read its books. "
    urls = []
    for name, text in (("a", URDU), ("b", english), ("c", URDU)):
        file = tmp_path / f"{name}.html"
        file.write_bytes(page_of(text, name))
        urls.append(file.as_uri())
    out = tmp_path / "items.jsonl"
    (tmp_path / "spider.py").write_text(SPIDER)
    call = [sys.executable, str(tmp_path / "spider.py"), json.dumps(urls), str(out)]
    subprocess.run(call, check=True, timeout=300)
    items = [json.loads(line) for line in out.read_text().splitlines()]
    assert sorted(item["title"] for item in items) == ["a", "c"]
    for item in items:
        assert set(item) == {"url", "text", "title", "languages", "target_bytes", "decision"}
        assert item["text"].startswith("یہ شہر") and item["target_bytes"] > 300


@dataclass
class Article:
    url: str
    html: bytes
    text: str = ""


def test_declared_fields_of_an_item_class_are_set() -> None:
    item = CorpulyzerPipeline().process_item(Article("http://a/", page_of(URDU)))
    assert item.text.startswith("یہ شہر") and item.html


def test_items_without_a_page_are_dropped_and_settings_are_checked() -> None:
    with pytest.raises(DropItem, match="no page in the field 'html'"):
        CorpulyzerPipeline("urd").process_item({"url": "http://a/"})
    with pytest.raises(DropItem, match="reject"):
        CorpulyzerPipeline("tam").process_item({"html": page_of(URDU)})

    class Crawler:
        settings = Settings({"CORPULYZER_LANGUAGE": "xx"})

    with pytest.raises(NotConfigured, match="language code `xx` is unknown"):
        CorpulyzerPipeline.from_crawler(Crawler())
