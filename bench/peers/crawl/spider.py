"""A broad crawl with Scrapy: follows every link of every page and stores each body in one file."""

import scrapy
from scrapy.exceptions import CloseSpider
from scrapy.linkextractors import LinkExtractor


class Broad(scrapy.Spider):
    name = "broad"
    # Scrapy's own advice for broad crawls, at most one request to a host at a time as our crawl and
    # Nutch, and no delay.
    custom_settings = {
        "USER_AGENT": "bench",
        "ROBOTSTXT_OBEY": True,
        "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.DownloaderAwarePriorityQueue",
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "DOWNLOAD_DELAY": 0,
        "COOKIES_ENABLED": False,
        "RETRY_ENABLED": False,
        "LOG_LEVEL": "INFO",
    }

    def __init__(self, seeds, bodies, pages, **keywords):
        super().__init__(**keywords)
        with open(seeds, encoding="utf-8") as lines:
            self.seeds = [line.split()[0] for line in lines if line.strip()]
        self.bodies = open(bodies, "wb")
        self.missing = int(pages)
        self.links = LinkExtractor()

    async def start(self):
        for url in self.seeds:
            yield scrapy.Request(url)

    def parse(self, response):
        self.bodies.write(b"%s %d\n" % (response.url.encode(), len(response.body)))
        self.bodies.write(response.body)
        # Scrapy's own CLOSESPIDER_PAGECOUNT counts robots.txt too. Requests that run are finished,
        # so there are a few more pages.
        self.missing -= 1
        if self.missing == 0:
            raise CloseSpider("all pages fetched")
        if isinstance(response, scrapy.http.HtmlResponse):
            for link in self.links.extract_links(response):
                yield scrapy.Request(link.url)

    def closed(self, reason):
        self.bodies.close()
