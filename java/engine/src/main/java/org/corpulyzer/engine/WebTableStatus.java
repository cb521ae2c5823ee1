package org.corpulyzer.engine;

/**
 * Crawl statuses of rows in the web table of Nutch 2.4, by the numbers of its {@code CrawlStatus}.
 */
public final class WebTableStatus {

  private static final int UNFETCHED = 1;
  private static final int FETCHED = 2;
  private static final int NOT_MODIFIED = 38;

  private WebTableStatus() {}

  /**
   * @return whether the page counts in its host's mean: fetched, or found unchanged when fetched
   *     again; parsed or not
   */
  public static boolean isFetched(int status) {
    return status == FETCHED || status == NOT_MODIFIED;
  }

  /**
   * @return whether the row was never fetched
   */
  public static boolean isUntried(int status) {
    return status == UNFETCHED;
  }
}
