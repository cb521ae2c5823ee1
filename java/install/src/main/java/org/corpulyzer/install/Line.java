package org.corpulyzer.install;

/** The two lines of Nutch's releases, and their differences for an installation. */
enum Line {
  /** Crawls into files: CrawlDb and segments. */
  NUTCH1(
      "Nutch 1.x",
      "nutch1/",
      "org/apache/nutch/crawl/CrawlDatum.class",
      "org.apache.nutch.crawl.CrawlDb",
      "org.corpulyzer.jobs.LrlCrawlDb"),
  /** Crawls into a table of HBase. */
  NUTCH2(
      "Nutch 2.x",
      "nutch2/",
      "org/apache/nutch/storage/WebPage.class",
      "org.apache.nutch.crawl.DbUpdaterJob",
      "org.corpulyzer.jobs.LrlDbUpdaterJob");

  /** Name of the line in messages. */
  final String title;

  /** Folder of the distribution with the files for this line alone. */
  final String tree;

  /** A class file that every release of this line has and the other line does not have. */
  final String marker;

  /** The class that {@code bin/nutch updatedb} runs in a stock Nutch. */
  final String stockUpdate;

  /** Our class with the same arguments, which also scores every host. */
  final String ourUpdate;

  Line(String title, String tree, String marker, String stockUpdate, String ourUpdate) {
    this.title = title;
    this.tree = tree;
    this.marker = marker;
    this.stockUpdate = stockUpdate;
    this.ourUpdate = ourUpdate;
  }
}
