package org.corpulyzer.embedded;

import java.util.List;
import java.util.Locale;

/** What a round brought: pages fetched, how many of them are in the language, and hosts from which nothing was fetched before. */
final class RoundYield {
  final int round;
  final long fetched;
  final long inLanguage;
  final long newHosts;

  RoundYield(int round, long fetched, long inLanguage, long newHosts) {
    this.round = round;
    this.fetched = fetched;
    this.inLanguage = inLanguage;
    this.newHosts = newHosts;
  }

  /** Pages in the language as a percentage of the pages fetched (Eq. 6); 0 when nothing was fetched. */
  double percent() {
    return fetched == 0 ? 0 : 100.0 * inLanguage / fetched;
  }

  /** Mean of the rounds' yields in percent, each round that fetched pages counting the same; 0 when none did. */
  static double mean(List<RoundYield> rounds) {
    return rounds.stream().filter(round -> round.fetched > 0).mapToDouble(RoundYield::percent).average().orElse(0);
  }

  static String table(List<RoundYield> rounds) {
    StringBuilder table = new StringBuilder("round  fetched  in the language   yield  new hosts\n");
    long fetched = 0;
    long inLanguage = 0;
    long hosts = 0;
    for (RoundYield round : rounds) {
      table.append(String.format(Locale.ROOT, "%5d  %7d  %15d  %6s  %9d%n", round.round, round.fetched, round.inLanguage,
          shown(round.fetched, round.percent()), round.newHosts));
      fetched += round.fetched;
      inLanguage += round.inLanguage;
      hosts += round.newHosts;
    }
    RoundYield all = new RoundYield(0, fetched, inLanguage, hosts);
    return table.append(String.format(Locale.ROOT, "  all  %7d  %15d  %6s  %9d%n", fetched, inLanguage, shown(fetched, all.percent()), hosts))
        .toString();
  }

  private static String shown(long fetched, double percent) {
    return fetched == 0 ? "-" : String.format(Locale.ROOT, "%.1f%%", percent);
  }
}
