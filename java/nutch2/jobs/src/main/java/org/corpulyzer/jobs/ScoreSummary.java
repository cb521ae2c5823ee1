package org.corpulyzer.jobs;

import java.util.Collections;
import java.util.Map;

/** What a run of the score passes counted; its text is one line for operators. */
public final class ScoreSummary {

  private final String table;
  private final Map<ScoreCounter, Long> counts;

  ScoreSummary(String table, Map<ScoreCounter, Long> counts) {
    this.table = table;
    this.counts = Collections.unmodifiableMap(counts);
  }

  /** @return the count */
  public long get(ScoreCounter counter) {
    return counts.getOrDefault(counter, 0L);
  }

  /** Crawls that stop no host, as by default, do not hear of it. */
  private String stopped() {
    return get(ScoreCounter.ROWS_STOPPED) == 0 ? "" : " (of these generated no more: " + get(ScoreCounter.HOSTS_BARREN) + " barren, "
        + get(ScoreCounter.HOSTS_LIMIT) + " at the limit, with " + get(ScoreCounter.ROWS_STOPPED) + " rows)";
  }

  @Override
  public String toString() {
    return table + ": " + get(ScoreCounter.PAGES) + " pages, " + get(ScoreCounter.FETCHED) + " fetched ("
        + get(ScoreCounter.KEEP) + " keep, " + get(ScoreCounter.REJECT) + " reject, " + get(ScoreCounter.NONE) + " undecided; "
        + get(ScoreCounter.STALE) + " stale, " + get(ScoreCounter.MALFORMED_FIGURES) + " with malformed figures); "
        + get(ScoreCounter.MALFORMED_KEYS) + " malformed keys, " + get(ScoreCounter.UNNORMALISED_HOSTS)
        + " rows of unnormalised hosts; " + get(ScoreCounter.HOSTS_SCORED) + " hosts scored" + stopped() + "; " + get(ScoreCounter.ROWS_WRITTEN)
        + " rows written, " + get(ScoreCounter.ROWS_UNCHANGED) + " unchanged, " + get(ScoreCounter.ROWS_UNSEEN)
        + " of hosts newer than the totals";
  }
}
