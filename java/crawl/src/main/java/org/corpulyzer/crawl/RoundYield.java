package org.corpulyzer.crawl;

import java.util.List;
import java.util.Locale;

/**
 * The yield of a round: fetched pages, pages that were kept, pages with any text in it, hosts
 * without an earlier fetched page, texts in the language that no earlier round had, and how the
 * pages spread over hosts.
 */
public final class RoundYield {
  /**
   * New texts a page fetched, at most, of a web that is nearly exhausted. Majliš (2011, W2C) has
   * the share of new addresses as a measure of a language's web; the smallest of the languages that
   * he could collect are .08 to .11. Here no address is fetched twice, so texts count.
   */
  private static final double EXHAUSTED = 0.1;

  /**
   * Number of poor rounds in a row, and of pages fetched in them together, before the crawl prints
   * a note. One poor round may be chance.
   */
  private static final int POOR_ROUNDS = 2;

  private static final int POOR_PAGES = 100;

  final int round;
  final long fetched;
  final long kept;
  final long newHosts;
  final long newTexts;

  /** Hosts with a fetched page in the round; -1 if unknown. */
  final long hosts;

  /**
   * Number of hosts that would have the same entropy if all had the same number of pages of the
   * round: e to the power of the Shannon entropy. From 1 to {@link #hosts}.
   */
  final double effectiveHosts;

  /** Pages with any text in the language; -1 if unknown. */
  final long anyText;

  /** A round of which the spread over hosts and the pages with any text are not known. */
  RoundYield(int round, long fetched, long kept, long newHosts, long newTexts) {
    this(round, fetched, kept, newHosts, newTexts, -1, -1, -1);
  }

  RoundYield(
      int round,
      long fetched,
      long kept,
      long newHosts,
      long newTexts,
      long hosts,
      double effectiveHosts,
      long anyText) {
    this.hosts = hosts;
    this.anyText = anyText;
    this.effectiveHosts = effectiveHosts;
    this.newTexts = newTexts;
    this.round = round;
    this.fetched = fetched;
    this.kept = kept;
    this.newHosts = newHosts;
  }

  /** Pages fetched in the round. */
  public long fetched() {
    return fetched;
  }

  /**
   * The filtered yield, as in the report (docs/report.md): kept pages as a percentage of the pages
   * fetched; 0 when nothing was fetched.
   */
  public double percent() {
    return fetched == 0 ? 0 : 100.0 * kept / fetched;
  }

  /**
   * The yield: pages with any text in the language as a percentage of the pages fetched (Eq. 6); 0
   * when nothing was fetched.
   */
  double anyPercent() {
    return fetched == 0 ? 0 : 100.0 * anyText / fetched;
  }

  /**
   * A sentence about the last rounds when they brought hardly any text that was new; null when they
   * did.
   */
  static String poverty(List<RoundYield> rounds) {
    if (rounds.size() < POOR_ROUNDS) {
      return null;
    }
    List<RoundYield> last = rounds.subList(rounds.size() - POOR_ROUNDS, rounds.size());
    long fetched = last.stream().mapToLong(round -> round.fetched).sum();
    if (fetched < POOR_PAGES
        || last.stream().anyMatch(round -> round.newTexts > EXHAUSTED * round.fetched)) {
      return null;
    }
    return String.format(
        Locale.ROOT,
        "of the %d pages in the last %d rounds, %d had a new text in the language: the pages that"
            + " these seeds lead to seem nearly exhausted. Other seeds will find more than further"
            + " rounds",
        fetched,
        POOR_ROUNDS,
        last.stream().mapToLong(round -> round.newTexts).sum());
  }

  /**
   * Mean of the rounds' filtered yields in percent, each round that fetched pages counting the
   * same; 0 when none did.
   */
  public static double mean(List<RoundYield> rounds) {
    return rounds.stream()
        .filter(round -> round.fetched > 0)
        .mapToDouble(RoundYield::percent)
        .average()
        .orElse(0);
  }

  public static String table(List<RoundYield> rounds) {
    StringBuilder table =
        new StringBuilder(
            "round  fetched     kept  filtered yield  any text   yield  new hosts   hosts"
                + "  effective hosts\n");
    long fetched = 0;
    long kept = 0;
    long anyText = 0;
    long hosts = 0;
    for (RoundYield round : rounds) {
      table.append(
          String.format(
              Locale.ROOT,
              "%5d  %7d  %7d  %14s  %8s  %6s  %9d  %6s  %15s%n",
              round.round,
              round.fetched,
              round.kept,
              shown(round.fetched, round.percent()),
              round.anyText < 0 ? "-" : round.anyText,
              round.anyText < 0 ? "-" : shown(round.fetched, round.anyPercent()),
              round.newHosts,
              round.hosts < 0 ? "-" : round.hosts,
              round.hosts < 0 ? "-" : String.format(Locale.ROOT, "%.1f", round.effectiveHosts)));
      fetched += round.fetched;
      kept += round.kept;
      // If it is not known of a round, it is not known of all.
      anyText = anyText < 0 || round.anyText < 0 ? -1 : anyText + round.anyText;
      hosts += round.newHosts;
    }
    RoundYield all = new RoundYield(0, fetched, kept, hosts, 0, -1, -1, anyText);
    return table
        .append(
            String.format(
                Locale.ROOT,
                "  all  %7d  %7d  %14s  %8s  %6s  %9d%n",
                fetched,
                kept,
                shown(fetched, all.percent()),
                anyText < 0 ? "-" : anyText,
                anyText < 0 ? "-" : shown(fetched, all.anyPercent()),
                hosts))
        .toString();
  }

  private static String shown(long fetched, double percent) {
    return fetched == 0 ? "-" : String.format(Locale.ROOT, "%.1f%%", percent);
  }
}
