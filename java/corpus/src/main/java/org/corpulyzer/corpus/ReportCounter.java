package org.corpulyzer.corpus;

/** Counters of CorpusReportJob. The names are what operators see in Hadoop's counters. */
public enum ReportCounter {
  /** Rows of pages that were fetched, kept or not. */
  PAGES,
  /** Pages of batches whose ids hold neither a round nor a time (Nutch 2.4). */
  PAGES_IN_OWN_BATCHES,
  /** Rows of pages that had figures and that the server no longer has. */
  PAGES_GONE,
  /** Rows that are no pages: never fetched, redirects, dead links. */
  OTHER_ROWS,
  /** Rows whose key is no URL. */
  MALFORMED_KEYS,
  /** Parts of sums, of some 1 MB at most, that went from the mappers to the reducer. */
  PARTS
}
