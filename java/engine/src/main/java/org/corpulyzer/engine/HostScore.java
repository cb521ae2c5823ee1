package org.corpulyzer.engine;

/** A host's score: mean target-language bytes of its fetched pages, or what the settings give a host that is not known yet. */
public final class HostScore {

  /** Why no page of a host is generated any more; the scores are the native side's {@code Stop::score}. */
  public enum Stop {
    /** Of enough pages that were read, less than a tenth can be in the target language. */
    BARREN(-1),
    /** As many pages were fetched as one host may give. */
    LIMIT(-2);

    private final float score;

    Stop(float score) {
      this.score = score;
    }

    /** @return why the rows with this score are generated no more, or null when they are not stopped */
    public static Stop of(float score) {
      for (Stop stop : values()) {
        if (stop.score == score) {
          return stop;
        }
      }
      return null;
    }

    /** @return the score of every row of such a host */
    public float score() {
      return score;
    }

    /** @return the reason as the end of a sentence */
    public String reason() {
      return this == BARREN ? "barren: fewer than one in ten of the pages read can be in the language"
          : "limit: as many pages are fetched as " + Settings.SCORE_POLICY + " allows a host";
    }
  }

  /** Percent of a batch that may be probes; the number is the native side's {@code ScorePolicy::PROBE_PERCENT}. */
  public static final int PROBE_PERCENT = 10;

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

  /** @return score of the host's rows, never NaN; under policy explore of those that were found on pages in the target language */
  public float rows() {
    return rows;
  }

  /** @return score of the host's injected seeds, never NaN; differs from {@link #rows()} while nothing is fetched */
  public float injected() {
    return injected;
  }

  /** @return score of rows that were found on no page in the target language, never NaN; {@link #rows()} under policy mean */
  public float other() {
    return other;
  }

  /**
   * @return score of the one row that probes the host, never NaN: the first by row key of those that were found on pages in the target
   *     language, are no seeds and were never fetched, when nothing of the host is and none of its rows has
   *     {@link PageKeys#ELSEWHERE_MARK}
   */
  public float probe() {
    return probe;
  }

  /**
   * @param injected whether the row is an injected seed
   * @param found whether the row was found on a page in the target language; policy mean ignores it
   * @param probe whether the row probes the host
   * @return score of one row of the host, never NaN
   */
  public float of(boolean injected, boolean found, boolean probe) {
    return injected ? this.injected : !found ? other : probe ? this.probe : rows;
  }

  /** @return why no page of the host is generated any more, or null when it is not stopped */
  public Stop stop() {
    return Stop.of(rows);
  }

  @Override
  public String toString() {
    return rows + " (injected " + injected + ")";
  }
}
