package org.corpulyzer.corpus;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Counts of a run of the score passes over all hosts that the next run is compared with. They are
 * kept as text beside the host table.
 */
public final class RunCounts {

  private static final List<ScoreCounter> KEPT =
      Collections.unmodifiableList(
          Arrays.asList(
              ScoreCounter.FETCHED,
              ScoreCounter.KEEP,
              ScoreCounter.TARGET_BYTES,
              ScoreCounter.HOSTS_WITH_TEXT));

  private final Instant time;
  private final String language;
  private final Map<ScoreCounter, Long> counts = new EnumMap<>(ScoreCounter.class);

  /**
   * @param time start of the run
   * @param language target language, without white space
   * @param counts those that are missing are 0
   */
  public RunCounts(Instant time, String language, Map<ScoreCounter, Long> counts) {
    this.time = time.truncatedTo(ChronoUnit.SECONDS);
    this.language = language;
    for (ScoreCounter counter : KEPT) {
      this.counts.put(counter, counts.getOrDefault(counter, 0L));
    }
  }

  /**
   * @param text what {@link #toString} returned; null if there was no run
   * @return null if there was no run, or one of another version with other counts
   */
  public static RunCounts parse(String text) {
    String[] fields = text == null ? new String[0] : text.split(" ");
    if (fields.length != 2 + KEPT.size()) {
      return null;
    }
    Map<ScoreCounter, Long> counts = new EnumMap<>(ScoreCounter.class);
    try {
      for (int i = 0; i < KEPT.size(); i++) {
        counts.put(KEPT.get(i), Long.parseLong(fields[2 + i]));
      }
      return new RunCounts(Instant.parse(fields[0]), fields[1], counts);
    } catch (IllegalArgumentException | DateTimeException e) {
      return null;
    }
  }

  /**
   * Compares this run with an earlier one.
   *
   * @param last null if there was none
   * @return what the crawl has more, for operators; empty if there was no earlier run, or it was
   *     for another language
   */
  public String since(RunCounts last) {
    if (last == null || !last.language.equals(language)) {
      return "";
    }
    long fetched = counts.get(ScoreCounter.FETCHED) - last.counts.get(ScoreCounter.FETCHED);
    long kept = counts.get(ScoreCounter.KEEP) - last.counts.get(ScoreCounter.KEEP);
    // Pages that are gone, and another threshold, change the counts without a fetch.
    boolean isYield = fetched > 0 && kept >= 0 && kept <= fetched;
    return String.format(
        Locale.ROOT,
        "since the run of %s: %+d fetched, %+d keep%s, %+d bytes, %+d hosts with text",
        last.time,
        fetched,
        kept,
        isYield ? String.format(Locale.ROOT, " (yield %.1f %%)", 100.0 * kept / fetched) : "",
        counts.get(ScoreCounter.TARGET_BYTES) - last.counts.get(ScoreCounter.TARGET_BYTES),
        counts.get(ScoreCounter.HOSTS_WITH_TEXT) - last.counts.get(ScoreCounter.HOSTS_WITH_TEXT));
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(time + " " + language);
    KEPT.forEach(counter -> text.append(' ').append(counts.get(counter)));
    return text.toString();
  }
}
