package org.corpulyzer.corpus;

import org.corpulyzer.engine.CorpulyzerException;

/**
 * Keeps the score passes from ruining a crawl that began without the plugin: its pages have no
 * figures, so almost every host would score as an unknown one.
 */
public final class PageFiguresCheck {

  private PageFiguresCheck() {}

  /**
   * @param crawl name of the crawl
   * @param fetched fetched pages
   * @param unread those of them without figures
   * @param job the job that reads stored pages, with its arguments
   * @throws CorpulyzerException if fewer than half of the fetched pages have figures, in one
   *     sentence
   */
  public static void require(String crawl, long fetched, long unread, String job) {
    long read = fetched - unread;
    // Of an odd number, half is less than one page more.
    if (read < fetched - read) {
      throw new CorpulyzerException(
          "The "
              + crawl
              + " has figures of "
              + read
              + " of "
              + fetched
              + " fetched pages, fewer than half, so no score was written: run \"bin/nutch "
              + job
              + "\" to read the stored pages, or pass -force to score hosts without these pages as"
              + " unknown ones.");
    }
  }
}
