package org.corpulyzer.corpus;

/** Counters of CorpusExportJob. The names are what operators see in Hadoop's counters. */
public enum ExportCounter {
  /** Pages that were written to the corpus. */
  PAGES,
  /** Of these, pages that the parser rejected (with {@code -all}). */
  PAGES_REJECTED,
  /** Bytes of the files, compressed. */
  BYTES,
  /** Files of the corpus that were written. */
  FILES,
  /**
   * Pages skipped because they have no text: they have no main content, or the page forbids
   * indexing.
   */
  WITHOUT_TEXT,
  /** Pages left out of a WARC because the fetcher did not store their content. */
  WITHOUT_CONTENT,
  /** Fetched pages left out because no parser decided on them. */
  NOT_JUDGED,
  /** Pages left out because the newest fetch, or the CrawlDb, found them gone or redirecting. */
  GONE,
  /** Pages left out because the CrawlDb has them as duplicates. */
  DUPLICATES,
  /** Nutch 1.x only: hosts of fetched pages that have stored rules on the use of their pages. */
  HOSTS_WITH_RULES,
  /** Rows left out because their key is no URL. */
  MALFORMED_KEYS
}
