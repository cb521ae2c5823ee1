package org.corpulyzer.crawl;

import java.util.List;
import java.util.Locale;

/**
 * The yield of a round: fetched pages, pages in the language, hosts without an earlier fetched
 * page, texts in the language that no earlier round had, and how the pages spread over hosts.
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
  final long inLanguage;
  final long newHosts;
  final long newTexts;

  /** Hosts with a fetched page in the round; -1 if unknown. */
  final long hosts;

  /**
   * Number of hosts that would have the same entropy if all had the same number of pages of the
   * round: e to the power of the Shannon entropy. From 1 to {@link #hosts}.
   */
  final double effectiveHosts;

  /** A round of which the spread over hosts is not known. */
  RoundYield(int round, long fetched, long inLanguage, long newHosts, long newTexts) {
    this(round, fetched, inLanguage, newHosts, newTexts, -1, -1);
  }

  RoundYield(
      int round,
      long fetched,
      long inLanguage,
      long newHosts,
      long newTexts,
      long hosts,
      double effectiveHosts) {
    this.hosts = hosts;
    this.effectiveHosts = effectiveHosts;
    this.newTexts = newTexts;
    this.round = round;
    this.fetched = fetched;
    this.inLanguage = inLanguage;
    this.newHosts = newHosts;
  }

  /**
   * Pages in the language as a percentage of the pages fetched (Eq. 6); 0 when nothing was fetched.
   */
  public double percent() {
    return fetched == 0 ? 0 : 100.0 * inLanguage / fetched;
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
   * Mean of the rounds' yields in percent, each round that fetched pages counting the same; 0 when
   * none did.
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
            "round  fetched  in the language   yield  new hosts   hosts  effective hosts\n");
    long fetched = 0;
    long inLanguage = 0;
    long hosts = 0;
    for (RoundYield round : rounds) {
      table.append(
          String.format(
              Locale.ROOT,
              "%5d  %7d  %15d  %6s  %9d  %6s  %15s%n",
              round.round,
              round.fetched,
              round.inLanguage,
              shown(round.fetched, round.percent()),
              round.newHosts,
              round.hosts < 0 ? "-" : round.hosts,
              round.hosts < 0 ? "-" : String.format(Locale.ROOT, "%.1f", round.effectiveHosts)));
      fetched += round.fetched;
      inLanguage += round.inLanguage;
      hosts += round.newHosts;
    }
    RoundYield all = new RoundYield(0, fetched, inLanguage, hosts, 0);
    return table
        .append(
            String.format(
                Locale.ROOT,
                "  all  %7d  %15d  %6s  %9d%n",
                fetched,
                inLanguage,
                shown(fetched, all.percent()),
                hosts))
        .toString();
  }

  private static String shown(long fetched, double percent) {
    return fetched == 0 ? "-" : String.format(Locale.ROOT, "%.1f%%", percent);
  }
}
