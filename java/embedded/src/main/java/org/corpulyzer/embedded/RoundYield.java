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

  /** Mean of the rounds' yields in percent, each round counting the same; 0 without rounds. */
  static double mean(List<RoundYield> rounds) {
    return rounds.stream().mapToDouble(RoundYield::percent).average().orElse(0);
  }

  static String table(List<RoundYield> rounds) {
    StringBuilder table = new StringBuilder("round  fetched  in the language   yield  new hosts\n");
    long fetched = 0;
    long inLanguage = 0;
    long hosts = 0;
    for (RoundYield round : rounds) {
      table.append(String.format(Locale.ROOT, "%5d  %7d  %15d  %5.1f%%  %9d%n", round.round, round.fetched, round.inLanguage,
          round.percent(), round.newHosts));
      fetched += round.fetched;
      inLanguage += round.inLanguage;
      hosts += round.newHosts;
    }
    return table.append(String.format(Locale.ROOT, "  all  %7d  %15d  %5.1f%%  %9d%n", fetched, inLanguage,
        fetched == 0 ? 0.0 : 100.0 * inLanguage / fetched, hosts)).toString();
  }
}
