package org.corpulyzer.corpus;

import java.util.Collections;
import java.util.Map;

/** The counts of a run of the score passes. Its text is one line for operators. */
public final class ScoreSummary {

  private final String title;
  private final String language;
  private final boolean dryRun;
  private final Map<ScoreCounter, Long> counts;
  private final String since;

  /**
   * @param title name of the scored crawl
   * @param language target language
   * @param dryRun whether nothing was written
   * @param counts the counts; those that are missing are 0
   * @param since what the crawl has more than after an earlier run, see {@link RunCounts#since}
   */
  public ScoreSummary(
      String title, String language, boolean dryRun, Map<ScoreCounter, Long> counts, String since) {
    this.title = title;
    this.language = language;
    this.dryRun = dryRun;
    this.counts = Collections.unmodifiableMap(counts);
    this.since = since;
  }

  /**
   * @return the count
   */
  public long get(ScoreCounter counter) {
    return counts.getOrDefault(counter, 0L);
  }

  /**
   * @return the target language, as the jobs were given it
   */
  public String language() {
    return language;
  }

  /** Returns the text of a count that is usually 0; empty if it is 0. */
  private String unlessZero(ScoreCounter counter, String text) {
    return get(counter) == 0 ? "" : ", " + get(counter) + " " + text;
  }

  /** Crawls that stop no host, as by default, do not hear of it. */
  private String stopped() {
    return get(ScoreCounter.ROWS_STOPPED) == 0
        ? ""
        : " (of these generated no more: "
            + get(ScoreCounter.HOSTS_BARREN)
            + " barren, "
            + get(ScoreCounter.HOSTS_LIMIT)
            + " at the limit"
            + unlessZero(ScoreCounter.HOSTS_LOW_YIELD, "of low byte yield")
            + ", with "
            + get(ScoreCounter.ROWS_STOPPED)
            + " rows)";
  }

  @Override
  public String toString() {
    return title
        + (dryRun ? " (dry run, nothing written)" : "")
        + ": target language "
        + language
        + "; "
        + get(ScoreCounter.PAGES)
        + " pages, "
        + get(ScoreCounter.FETCHED)
        + " fetched ("
        + get(ScoreCounter.KEEP)
        + " keep, "
        + get(ScoreCounter.REJECT)
        + " reject, "
        + get(ScoreCounter.NONE)
        + " undecided"
        + unlessZero(ScoreCounter.DUPLICATES, "duplicates")
        + unlessZero(ScoreCounter.UNREAD, "without figures")
        + "; "
        + get(ScoreCounter.STALE)
        + " stale, "
        + get(ScoreCounter.MALFORMED_FIGURES)
        + " with malformed figures)"
        + unlessZero(ScoreCounter.MALFORMED_KEYS, "rows without a host")
        + unlessZero(ScoreCounter.UNNORMALISED_HOSTS, "rows of unnormalised hosts")
        + "; "
        + get(ScoreCounter.HOSTS_SCORED)
        + " hosts scored"
        + stopped()
        + unlessZero(ScoreCounter.HOSTS_PROBED, "of them probed")
        + "; "
        + get(ScoreCounter.ROWS_WRITTEN)
        + (dryRun ? " rows would change, " : " rows written, ")
        + get(ScoreCounter.ROWS_UNCHANGED)
        + " unchanged"
        + unlessZero(ScoreCounter.ROWS_UNSEEN, "of hosts newer than the totals")
        + "; "
        + get(ScoreCounter.TARGET_BYTES)
        + " bytes in the language on "
        + get(ScoreCounter.HOSTS_WITH_TEXT)
        + " hosts"
        + (since.isEmpty() ? "" : "; " + since);
  }
}
