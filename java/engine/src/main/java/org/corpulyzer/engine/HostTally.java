package org.corpulyzer.engine;

import java.util.List;

/**
 * Sums over the rows of a host, from which its score and its probe are computed. The scan of the
 * scoring filter and the jobs of both lines of Nutch use this class, so the rule is in one place.
 * Mutable.
 */
public final class HostTally {

  /** A row of a host, as a line of Nutch stores it. */
  public interface Row {
    /**
     * @return the row's key, not empty: its URL, reversed or not
     */
    String key();

    /**
     * @return whether the page counts in its host's mean: fetched, parsed or not
     */
    boolean isFetched();

    /**
     * @return whether a fetched page has figures, so that its language is known
     */
    boolean isRead();

    /**
     * @return whether the row is an injected seed
     */
    boolean isInjected();

    /**
     * @return whether the page was found on a page in the target language
     */
    boolean isFound();

    /**
     * @return whether the page was found on a page without a word in the target language
     */
    boolean isElsewhere();

    /**
     * @return whether the row was never fetched
     */
    boolean isUntried();

    /**
     * @param language ISO 639-3
     * @return the page's bytes in a language, 0 if it has no figures, -1 if they cannot be read
     */
    long bytesIn(String language);

    /**
     * @return downloaded bytes of the page as stored; 0 if they are unknown
     */
    long rawBytes();

    /**
     * Adds the page's bytes in several languages to sums.
     *
     * @param languages ISO 639-3
     * @param sums by place in the languages; not changed if the figures cannot be read
     * @return whether the figures can be read
     */
    default boolean addBytesIn(List<String> languages, long[] sums) {
      long[] bytes = new long[sums.length];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = bytesIn(languages.get(i));
        if (bytes[i] < 0) {
          return false;
        }
      }
      for (int i = 0; i < bytes.length; i++) {
        sums[i] = sum(sums[i], bytes[i]);
      }
      return true;
    }
  }

  /** Of a number that fits into a long in any case. */
  private static final int MAX_DIGITS = 18;

  private long targetBytes;

  /** In place of {@link #targetBytes}, if there are several target languages. */
  private long[] byTarget;

  private long fetched;
  private long unread;
  private long rawBytes;
  private String firstProbe = "";
  private final LinkEvidence links = new LinkEvidence();

  /** Sets all sums to 0. */
  public void clear() {
    set(0, 0, 0, "");
    links.clear();
  }

  /** Replaces the sums over pages and the key of the probe, for a reader of stored sums. */
  public void set(long newTargetBytes, long newFetched, long newUnread, String newProbe) {
    targetBytes = newTargetBytes;
    fetched = newFetched;
    unread = newUnread;
    rawBytes = 0;
    firstProbe = newProbe;
    byTarget = null;
  }

  /** Replaces the sums over pages and the key of the probe by stored totals. */
  public void set(HostTotals totals, String newProbe) {
    set(totals.targetBytes(), totals.fetchedPages(), totals.unreadPages(), newProbe);
    rawBytes = totals.rawBytes();
    byTarget = totals.byTarget();
  }

  /**
   * @return whether a row may probe its host: found on a page in the target language, no seed, and
   *     never fetched
   */
  public static boolean mayProbe(Row row) {
    return row.isFound() && !row.isInjected() && row.isUntried();
  }

  /**
   * Adds what links say about the host, for policy explore.
   *
   * @param row the row; rows must be added in the order of their keys
   * @return whether the row is the first that may probe the host
   */
  public boolean addLinks(Row row) {
    links.addRow(row.isFound(), row.isElsewhere());
    if (!firstProbe.isEmpty() || !mayProbe(row)) {
      return false;
    }
    firstProbe = row.key();
    return true;
  }

  /**
   * Adds the page of a row, if it is fetched.
   *
   * @param language target language, ISO 639-3
   * @return whether the figures can be read; a page whose figures cannot be read counts as 0 bytes,
   *     so that one bad row does not stop a crawl
   */
  public boolean addPage(Row row, String language) {
    if (!row.isFetched()) {
      return true;
    }
    long bytes = row.bytesIn(language);
    targetBytes = sum(targetBytes, Math.max(0, bytes));
    countFetched(row, bytes >= 0);
    return bytes >= 0;
  }

  /**
   * Adds the page of a row, if it is fetched.
   *
   * @return whether the figures can be read, see {@link #addPage(Row, String)}
   */
  public boolean addPage(Row row, Targets targets) {
    if (!targets.areSeveral()) {
      return addPage(row, targets.codes().get(0));
    }
    if (byTarget == null) {
      byTarget = new long[targets.codes().size()];
    }
    if (!row.isFetched()) {
      return true;
    }
    boolean readable = row.addBytesIn(targets.codes(), byTarget);
    countFetched(row, readable);
    return readable;
  }

  private void countFetched(Row row, boolean readable) {
    fetched++;
    if (readable && row.isRead()) {
      rawBytes = sum(rawBytes, row.rawBytes());
    } else {
      unread++;
    }
  }

  /** Adds the sums over pages and links of other rows of the host; the probe stays. */
  public void add(HostTally other) {
    targetBytes = sum(targetBytes, other.targetBytes);
    if (other.byTarget != null) {
      if (byTarget == null) {
        byTarget = new long[other.byTarget.length];
      }
      for (int i = 0; i < byTarget.length; i++) {
        byTarget[i] = sum(byTarget[i], other.byTarget[i]);
      }
    }
    fetched += other.fetched;
    unread += other.unread;
    rawBytes = sum(rawBytes, other.rawBytes);
    links.add(other.links.found(), other.links.elsewhere());
  }

  /**
   * @param size a figure that counts bytes, as stored, or null
   * @return the number; 0 if there is none that can be read
   */
  public static long bytes(String size) {
    if (size == null || size.isEmpty() || size.length() > MAX_DIGITS) {
      return 0;
    }
    long number = 0;
    for (int i = 0; i < size.length(); i++) {
      int digit = size.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return 0;
      }
      number = 10 * number + digit;
    }
    return number;
  }

  /**
   * Sums of figures stop at the largest number, so that figures that somebody made up do not stop a
   * job.
   */
  static long sum(long a, long b) {
    return a + b < 0 ? Long.MAX_VALUE : a + b;
  }

  /**
   * @return what the host's score is computed from
   */
  public HostTotals totals() {
    HostTotals totals =
        byTarget == null
            ? new HostTotals(targetBytes, fetched, unread)
            : HostTotals.of(byTarget.clone(), fetched, unread);
    return rawBytes == 0 ? totals : totals.withRawBytes(rawBytes);
  }

  /**
   * @return the links to the host
   */
  public LinkEvidence links() {
    return links;
  }

  /**
   * @return key of the first row that may probe the host, whatever else is known; empty if there is
   *     none
   */
  public String firstProbe() {
    return firstProbe;
  }

  /** Replaces the first row that may probe the host. */
  public void setFirstProbe(String key) {
    firstProbe = key;
  }

  /**
   * @return key of the row that probes the host: the first permitted row by key, if no page of the
   *     host was fetched and {@link LinkEvidence#allowsProbe}; empty if there is none
   */
  public String probe() {
    return fetched == 0 && links.allowsProbe() ? firstProbe : "";
  }
}
