package org.corpulyzer.crawl;

/** An error that the operator can fix: one sentence that names the thing and the fix. */
public final class CrawlException extends Exception {
  /** Exit code of a wrong command line. */
  public static final int USAGE = 2;

  /** Exit code of anything that went wrong later. */
  public static final int FAILED = 1;

  /** Exit code of a crawl that was stopped by Ctrl-C. */
  public static final int STOPPED = 130;

  private final int exitCode;

  private CrawlException(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** The command line is wrong. */
  public static CrawlException usage(String message) {
    return new CrawlException(USAGE, message, null);
  }

  /** The crawl was stopped by its operator. */
  public static CrawlException stopped() {
    return new CrawlException(
        STOPPED, "the crawl was stopped; run the same command to continue", null);
  }

  /** The crawl cannot go on. */
  public static CrawlException failed(String message) {
    return new CrawlException(FAILED, message, null);
  }

  /** The crawl cannot go on, because of something another part reported. */
  public static CrawlException failed(String message, Throwable cause) {
    return new CrawlException(FAILED, message, cause);
  }

  /** Returns the exit code of the process. */
  public int exitCode() {
    return exitCode;
  }
}
