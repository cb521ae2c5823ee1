package org.corpulyzer.corpus;

/** Formats of a corpus. Users type the names. */
public enum DocumentFormat {
  /** A JSON object a line: main content and figures of a page. */
  jsonl("jsonl"),
  /** Main contents, each followed by an empty line. */
  text("txt"),
  /**
   * WARC (ISO 28500) with a {@code conversion} record for a page: its main content, as in the WET
   * files of Common Crawl.
   */
  wet("warc.wet.gz"),
  /**
   * WARC with a {@code response} record for a page, the bytes as fetched, and a {@code metadata}
   * record with its figures.
   */
  warc("warc.gz");

  private final String extension;

  DocumentFormat(String extension) {
    this.extension = extension;
  }

  /**
   * @return how names of files in this format end, without the first dot and without that of a
   *     compression which is not part of it
   */
  public String extension() {
    return extension;
  }

  /**
   * @return whether the format compresses by itself, record by record
   */
  public boolean isCompressed() {
    return extension.endsWith(".gz");
  }
}
