package org.corpulyzer.engine;

import java.io.IOException;
import java.util.Arrays;

/** The sums from which a host's score is computed. */
public final class HostTotals {

  /** The totals of a host without a fetched page. */
  public static final HostTotals NONE = new HostTotals(0, 0);

  /** No number of languages is as small. */
  private static final long RAW_BYTES_FOLLOW = Long.MIN_VALUE;

  private final long targetBytes;
  private final long fetchedPages;
  private final long unreadPages;
  private final long rawBytes;

  /** By target language, if there are several; otherwise null. */
  private final long[] byTarget;

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
    this(targetBytes, fetchedPages, unreadPages, 0, null);
  }

  private HostTotals(
      long targetBytes, long fetchedPages, long unreadPages, long rawBytes, long[] byTarget) {
    if (targetBytes < 0 || fetchedPages < 0 || unreadPages < 0 || rawBytes < 0) {
      throw new IllegalArgumentException(
          "Host totals are never negative: "
              + targetBytes
              + ", "
              + fetchedPages
              + ", "
              + unreadPages
              + ", "
              + rawBytes
              + ".");
    }
    this.targetBytes = targetBytes;
    this.fetchedPages = fetchedPages;
    this.unreadPages = unreadPages;
    this.rawBytes = rawBytes;
    this.byTarget = byTarget;
  }

  /**
   * @param byTarget bytes in each of several target languages, by place in {@link Targets#codes}
   * @return totals whose {@link #targetBytes} is their sum
   */
  static HostTotals of(long[] byTarget, long fetchedPages, long unreadPages) {
    long sum = 0;
    for (long bytes : byTarget) {
      sum = HostTally.sum(sum, bytes);
    }
    return new HostTotals(sum, fetchedPages, unreadPages, 0, byTarget);
  }

  /**
   * @param bytes downloaded bytes of the pages with figures, not negative
   * @return these totals with that number
   */
  public HostTotals withRawBytes(long bytes) {
    return new HostTotals(targetBytes, fetchedPages, unreadPages, bytes, byTarget);
  }

  /**
   * @return the totals from which the host is scored: {@link #targetBytes} is the weighted sum
   */
  public HostTotals weighted(Targets targets) {
    return byTarget == null
        ? this
        : new HostTotals(targets.weighted(byTarget), fetchedPages, unreadPages, rawBytes, byTarget);
  }

  /**
   * @return bytes in each of several target languages, by place in {@link Targets#codes}; null if
   *     there is one
   */
  public long[] byTarget() {
    return byTarget == null ? null : byTarget.clone();
  }

  /**
   * Writes the totals. Those of one target language are three numbers, as in a host table of an
   * earlier release. Before those of several stand their number, negative, and the bytes in each.
   * Before all stand a mark and the downloaded bytes, unless they are 0.
   */
  public void write(NumberSink out) throws IOException {
    if (rawBytes != 0) {
      out.accept(RAW_BYTES_FOLLOW);
      out.accept(rawBytes);
    }
    if (byTarget != null) {
      out.accept(-byTarget.length);
      for (long bytes : byTarget) {
        out.accept(bytes);
      }
    }
    out.accept(targetBytes);
    out.accept(fetchedPages);
    out.accept(unreadPages);
  }

  /**
   * @return what {@link #write} wrote
   */
  public static HostTotals read(NumberSource in) throws IOException {
    long first = in.next();
    long rawBytes = 0;
    if (first == RAW_BYTES_FOLLOW) {
      rawBytes = in.next();
      first = in.next();
    }
    long[] byTarget = null;
    if (first < 0) {
      byTarget = new long[(int) -first];
      for (int i = 0; i < byTarget.length; i++) {
        byTarget[i] = in.next();
      }
      first = in.next();
    }
    return new HostTotals(first, in.next(), in.next(), rawBytes, byTarget);
  }

  /** Takes numbers, in the encoding of a file. */
  public interface NumberSink {
    /** Writes a number. */
    void accept(long number) throws IOException;
  }

  /** Gives numbers, in the encoding of a file. */
  public interface NumberSource {
    /** Reads a number. */
    long next() throws IOException;
  }

  /**
   * @return bytes in the target language; those of several are summed up
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

  /**
   * @return whether pages of the host were fetched and none of them was read, so that its score is
   *     that of an unknown host
   */
  public boolean isUnread() {
    return fetchedPages > 0 && unreadPages >= fetchedPages;
  }

  /**
   * @return number of fetched pages with figures: the denominator of the mean
   */
  public long readPages() {
    return Math.max(0, fetchedPages - unreadPages);
  }

  /**
   * @return downloaded bytes of the pages with figures; a page of unknown size counts as 0
   */
  public long rawBytes() {
    return rawBytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HostTotals
        && ((HostTotals) other).targetBytes == targetBytes
        && ((HostTotals) other).fetchedPages == fetchedPages
        && ((HostTotals) other).unreadPages == unreadPages
        && ((HostTotals) other).rawBytes == rawBytes
        && Arrays.equals(((HostTotals) other).byTarget, byTarget);
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
