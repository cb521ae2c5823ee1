package org.corpulyzer.corpus;

import java.util.function.ObjLongConsumer;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.corpulyzer.engine.HostScore;

/** Counters of the score passes. The names are what operators see in Hadoop's counters. */
public enum ScoreCounter {
  /** Rows of the web table that belong to a host. */
  PAGES,
  /**
   * Pages fetched, or found unchanged when fetched again. Without {@link #UNREAD} they are the
   * denominator of the mean.
   */
  FETCHED,
  /** Fetched pages that the content-size filter keeps. */
  KEEP,
  /** Fetched pages that it rejects. */
  REJECT,
  /** Fetched pages without a decision: not parsed, or parsed without the plugin. */
  NONE,
  /**
   * Fetched pages without a figure, which are in no mean: fetched before the plugin was there, or,
   * on Nutch 1.x, db.parsemeta.to.crawldb lacked their keys.
   */
  UNREAD,
  /**
   * Fetched pages whose signature another page of the crawl has, if these count as 0 bytes; they
   * are neither kept nor rejected.
   */
  DUPLICATES,
  /** Rows that became duplicates, or are none any more. */
  DUPLICATES_CHANGED,
  /** Fetched pages with figures of another record version than the engine's. */
  STALE,
  /** Fetched pages whose bytes per language do not read; they are in no mean. */
  MALFORMED_FIGURES,
  /** Rows whose key is no reversed URL; they belong to no host and keep their score. */
  MALFORMED_KEYS,
  /**
   * Rows whose host has upper-case letters, a default port or an empty label: a URL normaliser
   * would merge them with others.
   */
  UNNORMALISED_HOSTS,
  /** Rows without a stored score. */
  ROWS_UNSCORED,
  /** Incremental runs: hosts with rows that were written since the last run. */
  HOSTS_TOUCHED,
  /** Hosts that got a score. */
  HOSTS_SCORED,
  /** Of these hosts, those with text in the target language. */
  HOSTS_WITH_TEXT,
  /** Bytes in the target language of the fetched pages of hosts that got a score. */
  TARGET_BYTES,
  /** Hosts with a score that are stopped, because almost none of their text is in the language. */
  HOSTS_BARREN,
  /**
   * Scored hosts that are not generated any more, because the number of their fetched pages reached
   * the limit.
   */
  HOSTS_LIMIT,
  /** Scored hosts that are not generated any more, because their byte yield is too low. */
  HOSTS_LOW_YIELD,
  /** Rows of these hosts, fetched or not: they stay, with a score below 0. */
  ROWS_STOPPED,
  /**
   * Policy explore: hosts without a fetched page that have a row for a probe, counted on Nutch 1.x.
   */
  HOSTS_UNKNOWN,
  /** Of these hosts, those with a row that has the score of probes. */
  HOSTS_PROBED,
  /** Hosts with rows whose stored score differed: those that the second pass reads. */
  HOSTS_CHANGED,
  /** Rows whose score was written; in a dry run, rows that would be written. */
  ROWS_WRITTEN,
  /** Rows that had their score already, or, under policy pages on Nutch 2.4, one near to it. */
  ROWS_UNCHANGED,
  /** Rows of hosts that appeared after the host totals were added up; the next run scores them. */
  ROWS_UNSEEN;

  /**
   * Counts a stopped host.
   *
   * @param stop why, or null if the host is generated
   * @param rows rows of the host
   */
  public static void countStop(
      HostScore.Stop stop, long rows, TaskInputOutputContext<?, ?, ?, ?> context) {
    if (stop != null) {
      context.getCounter(of(stop)).increment(1);
      context.getCounter(ROWS_STOPPED).increment(rows);
    }
  }

  private static ScoreCounter of(HostScore.Stop stop) {
    switch (stop) {
      case BARREN:
        return HOSTS_BARREN;
      case LIMIT:
        return HOSTS_LIMIT;
      default:
        return HOSTS_LOW_YIELD;
    }
  }

  /**
   * Counts of one task in plain numbers, handed to Hadoop at its end: a counter look-up for each
   * row would cost more than the row.
   */
  public static final class Tally {

    private final long[] counts = new long[values().length];

    /** Adds one to a counter. */
    public void count(ScoreCounter what) {
      counts[what.ordinal()]++;
    }

    /**
     * Counts a fetched page.
     *
     * @param hasDecision whether the page was judged
     * @param isKept whether it was kept
     * @param isStale whether its figures are of another record version than the engine's
     */
    public void countFetched(boolean hasDecision, boolean isKept, boolean isStale) {
      count(FETCHED);
      count(!hasDecision ? NONE : isKept ? KEEP : REJECT);
      if (isStale) {
        count(STALE);
      }
    }

    /** Adds the counts to the task's counters. */
    public void report(TaskInputOutputContext<?, ?, ?, ?> context) {
      forEach((counter, count) -> context.getCounter(counter).increment(count));
    }

    /** Passes every counter with its count. */
    public void forEach(ObjLongConsumer<ScoreCounter> visitor) {
      for (ScoreCounter counter : values()) {
        visitor.accept(counter, counts[counter.ordinal()]);
      }
    }
  }
}
