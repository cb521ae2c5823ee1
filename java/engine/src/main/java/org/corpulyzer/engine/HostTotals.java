package org.corpulyzer.engine;

/** The sums from which a host's score is computed. */
public final class HostTotals {

  /** The totals of a host without a fetched page. */
  public static final HostTotals NONE = new HostTotals(0, 0);

  private final long targetBytes;
  private final long fetchedPages;
  private final long unreadPages;

  /**
   * @param targetBytes bytes in the target language over the fetched pages, not negative
   * @param fetchedPages pages of status fetched or notmodified, parsed or not, not negative
   */
  public HostTotals(long targetBytes, long fetchedPages) {
    this(targetBytes, fetchedPages, 0);
  }

  /**
   * @param unreadPages those of the fetched pages that have no figures, so that their language is
   *     unknown; not negative
   */
  public HostTotals(long targetBytes, long fetchedPages, long unreadPages) {
    if (targetBytes < 0 || fetchedPages < 0 || unreadPages < 0) {
      throw new IllegalArgumentException(
          "Host totals are never negative: "
              + targetBytes
              + ", "
              + fetchedPages
              + ", "
              + unreadPages
              + ".");
    }
    this.targetBytes = targetBytes;
    this.fetchedPages = fetchedPages;
    this.unreadPages = unreadPages;
  }

  /**
   * @return bytes in the target language
   */
  public long targetBytes() {
    return targetBytes;
  }

  /**
   * @return number of fetched pages
   */
  public long fetchedPages() {
    return fetchedPages;
  }

  /**
   * @return number of fetched pages without figures
   */
  public long unreadPages() {
    return unreadPages;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HostTotals
        && ((HostTotals) other).targetBytes == targetBytes
        && ((HostTotals) other).fetchedPages == fetchedPages
        && ((HostTotals) other).unreadPages == unreadPages;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(targetBytes * 31 + fetchedPages);
  }

  @Override
  public String toString() {
    return targetBytes + " bytes / " + fetchedPages + " pages";
  }
}
