package org.corpulyzer.engine;

import java.io.IOException;
import java.util.Arrays;

/** The sums from which a host's score is computed. */
public final class HostTotals {

  /** The totals of a host without a fetched page. */
  public static final HostTotals NONE = new HostTotals(0, 0);

  private final long targetBytes;
  private final long fetchedPages;
  private final long unreadPages;

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
    this(targetBytes, fetchedPages, unreadPages, null);
  }

  private HostTotals(long targetBytes, long fetchedPages, long unreadPages, long[] byTarget) {
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
    return new HostTotals(sum, fetchedPages, unreadPages, byTarget);
  }

  /**
   * @return the totals from which the host is scored: {@link #targetBytes} is the weighted sum
   */
  public HostTotals weighted(Targets targets) {
    return byTarget == null
        ? this
        : new HostTotals(targets.weighted(byTarget), fetchedPages, unreadPages, byTarget);
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
   */
  public void write(NumberSink out) throws IOException {
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
    long[] byTarget = null;
    if (first < 0) {
      byTarget = new long[(int) -first];
      for (int i = 0; i < byTarget.length; i++) {
        byTarget[i] = in.next();
      }
      first = in.next();
    }
    return new HostTotals(first, in.next(), in.next(), byTarget);
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

  @Override
  public boolean equals(Object other) {
    return other instanceof HostTotals
        && ((HostTotals) other).targetBytes == targetBytes
        && ((HostTotals) other).fetchedPages == fetchedPages
        && ((HostTotals) other).unreadPages == unreadPages
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
