package org.corpulyzer.engine;

/** What a host's score is made of. */
public final class HostTotals {

  /** A host of which nothing was fetched. */
  public static final HostTotals NONE = new HostTotals(0, 0);

  private final long targetBytes;
  private final long fetchedPages;

  /**
   * @param targetBytes bytes in the target language over the fetched pages, not negative
   * @param fetchedPages pages of status fetched or notmodified, parsed or not, not negative
   */
  public HostTotals(long targetBytes, long fetchedPages) {
    if (targetBytes < 0 || fetchedPages < 0) {
      throw new IllegalArgumentException("Host totals are never negative: " + targetBytes + ", " + fetchedPages + ".");
    }
    this.targetBytes = targetBytes;
    this.fetchedPages = fetchedPages;
  }

  /** @return bytes in the target language */
  public long targetBytes() {
    return targetBytes;
  }

  /** @return number of fetched pages */
  public long fetchedPages() {
    return fetchedPages;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HostTotals && ((HostTotals) other).targetBytes == targetBytes
        && ((HostTotals) other).fetchedPages == fetchedPages;
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
