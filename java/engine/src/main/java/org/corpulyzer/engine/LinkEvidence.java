package org.corpulyzer.engine;

/**
 * Counts of the pages that link to a host, by their marks on the host's rows. They decide if a host
 * without a fetched page gets a probe (policy explore). Mutable.
 */
public final class LinkEvidence {

  private long found;
  private long elsewhere;

  /** Sets all counts to 0. */
  public void clear() {
    found = 0;
    elsewhere = 0;
  }

  /**
   * Adds a row.
   *
   * @param isFound whether it has {@link PageKeys#FOUND_MARK}
   * @param isElsewhere whether it has {@link PageKeys#ELSEWHERE_MARK}
   */
  public void addRow(boolean isFound, boolean isElsewhere) {
    found += isFound ? 1 : 0;
    elsewhere += isElsewhere ? 1 : 0;
  }

  /**
   * Adds rows of the same host.
   *
   * @param foundRows rows with {@link PageKeys#FOUND_MARK}
   * @param elsewhereRows rows with {@link PageKeys#ELSEWHERE_MARK}
   */
  public void add(long foundRows, long elsewhereRows) {
    found += foundRows;
    elsewhere += elsewhereRows;
  }

  /**
   * @return rows that were found on pages in the target language
   */
  public long found() {
    return found;
  }

  /**
   * @return rows that were found on pages without a word in the target language
   */
  public long elsewhere() {
    return elsewhere;
  }

  /**
   * @return whether the host may be probed, if one of its rows was found on a page in the target
   *     language
   */
  public boolean allowsProbe() {
    return elsewhere == 0 || isStrong();
  }

  /**
   * @return whether the probe comes before those of hosts without such a lead
   */
  public boolean isStrong() {
    return found - elsewhere >= HostScore.PROBE_LEAD;
  }
}
