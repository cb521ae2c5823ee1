package org.corpulyzer.engine;

/**
 * A host's score: mean target-language bytes of its fetched pages, or the configured score of
 * unknown hosts.
 */
public final class HostScore {

  /**
   * Why no page of a host is generated any more; the scores are the native side's {@code
   * Stop::score}.
   */
  public enum Stop {
    /** Of enough pages that were read, less than a tenth can be in the target language. */
    BARREN(-1),
    /** The number of fetched pages reached the limit. */
    LIMIT(-2),
    /** The byte yield is below the threshold for the number of pages that were read. */
    LOW_YIELD(-3);

    private final float score;

    Stop(float score) {
      this.score = score;
    }

    /**
     * @return the reason why the rows with this score are stopped, or null if they are not
     */
    public static Stop of(float score) {
      for (Stop stop : values()) {
        if (stop.score == score) {
          return stop;
        }
      }
      return null;
    }

    /**
     * @return the score of every row of such a host
     */
    public float score() {
      return score;
    }

    /**
     * @return the reason as the end of a sentence
     */
    public String reason() {
      switch (this) {
        case BARREN:
          return "barren: fewer than one in ten of the pages read can be in the language";
        case LIMIT:
          return "limit: the number of fetched pages reached the limit in " + Settings.SCORE_POLICY;
        default:
          return "low yield: the byte yield is below the threshold of +rising in "
              + Settings.SCORE_POLICY;
      }
    }
  }

  /**
   * Percent of a batch that may be probes; the number is the native side's {@code
   * ScorePolicy::PROBE_PERCENT}.
   */
  public static final int PROBE_PERCENT = 8;

  /**
   * Percent of the probes that may go to hosts without {@link #PROBE_LEAD}; the native side's
   * {@code WEAK_PERCENT}.
   */
  public static final int WEAK_PERCENT = 50;

  /**
   * Lead of rows found on pages in the target language over others that makes a probe strong; the
   * native side's too.
   */
  public static final int PROBE_LEAD = 4;

  private final float rows;
  private final float injected;
  private final float other;
  private final float probe;

  /**
   * @param rows see {@link #rows}
   * @param injected see {@link #injected}
   * @param other see {@link #other}
   * @param probe see {@link #probe}
   */
  public HostScore(float rows, float injected, float other, float probe) {
    this.rows = rows;
    this.injected = injected;
    this.other = other;
    this.probe = probe;
  }

  /**
   * @return score of the host's rows, never NaN; under policy explore of those that were found on
   *     pages in the target language
   */
  public float rows() {
    return rows;
  }

  /**
   * @return score of the host's injected seeds, never NaN; differs from {@link #rows()} until a
   *     page of the host is fetched
   */
  public float injected() {
    return injected;
  }

  /**
   * @return score of rows that were found on no page in the target language, never NaN; {@link
   *     #rows()} under policy mean
   */
  public float other() {
    return other;
  }

  /**
   * @return score of the one row that probes the host, never NaN: the first by row key of those
   *     that were found on pages in the target language, are no seeds and were never fetched, if no
   *     page of the host was fetched and {@link LinkEvidence#allowsProbe}
   */
  public float probe() {
    return probe;
  }

  /**
   * @param strong {@link LinkEvidence#isStrong}
   * @return score of the row that probes a host without a fetched page
   */
  public float probe(boolean strong) {
    return strong ? probe : probe / 2;
  }

  /**
   * @param injected whether the row is an injected seed
   * @param found whether the row was found on a page in the target language; policy mean ignores it
   * @return score of a row of the host that does not probe it, never NaN
   */
  public float of(boolean injected, boolean found) {
    return injected ? this.injected : found ? rows : other;
  }

  /**
   * The score of a row whose host was fetched and not read ({@link HostTotals#isUnread}), so that
   * its host is unknown. Such rows keep the order of their stored scores, which are those of
   * another scoring filter. All come directly before the rows of hosts that were never fetched: the
   * result is at least {@link #rows()} and less than twice that. A score in this range stays, so
   * that the passes can run again.
   *
   * @param stored the row's stored score, or NaN
   * @param injected whether the row is an injected seed
   */
  public float unread(float stored, boolean injected) {
    if (injected || stop() != null) {
      return this.injected;
    }
    if (!(stored > 0) || stored >= rows && stored < 2 * rows) {
      return stored > 0 ? stored : rows;
    }
    float place = stored == Float.POSITIVE_INFINITY ? 1 : stored / (1 + stored);
    return Math.max(rows, Math.min(rows * (1 + place), Math.nextDown(2 * rows)));
  }

  /**
   * @return why no page of the host is generated any more, or null when it is not stopped
   */
  public Stop stop() {
    return Stop.of(rows);
  }

  @Override
  public String toString() {
    return rows + " (injected " + injected + ")";
  }
}
