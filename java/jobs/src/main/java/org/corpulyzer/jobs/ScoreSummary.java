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

  @Override
  public String toString() {
    return table + ": " + get(ScoreCounter.PAGES) + " pages, " + get(ScoreCounter.FETCHED) + " fetched ("
        + get(ScoreCounter.KEEP) + " keep, " + get(ScoreCounter.REJECT) + " reject, " + get(ScoreCounter.NONE) + " undecided; "
        + get(ScoreCounter.STALE) + " stale, " + get(ScoreCounter.MALFORMED_FIGURES) + " with malformed figures); "
        + get(ScoreCounter.MALFORMED_KEYS) + " malformed keys, " + get(ScoreCounter.UNNORMALISED_HOSTS)
        + " rows of unnormalised hosts; " + get(ScoreCounter.HOSTS_SCORED) + " hosts scored; " + get(ScoreCounter.ROWS_WRITTEN)
        + " rows written, " + get(ScoreCounter.ROWS_UNCHANGED) + " unchanged, " + get(ScoreCounter.ROWS_UNSEEN)
        + " of hosts newer than the totals";
  }
}
