package org.corpulyzer.corpus;

/** Counters of WarcCorpusJob. The names are what operators see in Hadoop's counters. */
public enum ArchiveCounter {
  /** Records of all types. */
  RECORDS,
  /** Pages that were read. */
  PAGES_READ,
  /** Pages that the first look ruled out for every language. */
  RULED_OUT("pages that the first look ruled out"),
  /** PDF and Office documents. */
  DOCUMENTS("PDF and Office documents, which the job does not read"),
  /** Pages without main content, and pages that forbid indexing. */
  WITHOUT_TEXT("pages without main content, or that forbid indexing"),
  /** Pages that the engine could not read. */
  FAILED("pages that could not be read (too large, or in an unknown charset)"),
  /** Pages whose URL an earlier one has. */
  DUPLICATE_URLS("pages with the URL of an earlier one"),
  /** Records that are damaged, so they were skipped. */
  BROKEN_RECORDS("damaged records, which were skipped"),
  /** Responses without a proper HTTP head. */
  BROKEN_HTTP("responses without a proper HTTP head"),
  /** Records that are longer than the limit. */
  TOO_LONG("records that are longer than corpulyzer.page.maxBytes"),
  /** Files of which records are lost. */
  DAMAGED_FILES("damaged files, of which records are lost");

  private final String meaning;

  ArchiveCounter() {
    this(null);
  }

  ArchiveCounter(String meaning) {
    this.meaning = meaning;
  }

  /**
   * @return what is counted, for the summary; null if the summary names it elsewhere
   */
  String meaning() {
    return meaning;
  }
}
