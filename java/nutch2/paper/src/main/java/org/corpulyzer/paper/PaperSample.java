package org.corpulyzer.paper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.corpulyzer.crawl.RoundYield;
import org.corpulyzer.crawl.Sample;
import org.corpulyzer.crawl.SampleWeb;

/**
 * Crawls the sample web on Nutch 2.4 and HBase in modes J and S, with policies explore and pages,
 * and by links, and prints the yields side by side.
 */
public final class PaperSample {

  private PaperSample() {}

  /**
   * {@code <plugins> <folder> <seed> [ORDER ...]}: the folder must be empty or missing; without an
   * order all are crawled.
   */
  public static void main(String[] args) throws Exception {
    Path folder = Paths.get(args[1]);
    int seed = Integer.parseInt(args[2]);
    Map<PaperCrawl.Order, Sample.Outcome> outcomes = new EnumMap<>(PaperCrawl.Order.class);
    List<PaperCrawl.Order> orders = new ArrayList<>();
    for (int i = 3; i < args.length; i++) {
      orders.add(PaperCrawl.Order.valueOf(args[i]));
    }
    for (PaperCrawl.Order order :
        orders.isEmpty() ? Arrays.asList(PaperCrawl.Order.values()) : orders) {
      Path one = Files.createDirectories(folder.resolve(order.name()));
      try (java.util.stream.Stream<Path> entries = Files.list(one)) {
        if (entries.findAny().isPresent()) {
          throw new IOException(one + " is not empty; name another folder");
        }
      }
      outcomes.put(
          order, PaperCrawl.crawl(Paths.get(args[0]), order, one, seed, PaperCrawl.ROUNDS));
    }
    System.out.print(table(outcomes, SampleWeb.hosts(Sample.RICH, seed)));
    System.exit(0);
  }

  /**
   * @return yields by round and their means in percent, and the rich hosts found of so many
   */
  static String table(Map<PaperCrawl.Order, Sample.Outcome> outcomes, int richHosts) {
    StringBuilder table = new StringBuilder("round");
    for (PaperCrawl.Order order : outcomes.keySet()) {
      String name = order.name().toLowerCase(Locale.ROOT).replace('_', ' ');
      table.append(String.format(Locale.ROOT, "  %8s", name));
    }
    table.append('\n');
    int rounds =
        outcomes.values().stream().mapToInt(outcome -> outcome.rounds().size()).max().orElse(0);
    for (int round = 0; round < rounds; round++) {
      List<Double> yields = new ArrayList<>();
      for (Sample.Outcome outcome : outcomes.values()) {
        yields.add(round < outcome.rounds().size() ? outcome.rounds().get(round).percent() : 0);
      }
      table.append(line(String.format(Locale.ROOT, "%5d", round + 1), yields));
    }
    List<Double> means = new ArrayList<>();
    StringBuilder rich = new StringBuilder();
    for (Sample.Outcome outcome : outcomes.values()) {
      means.add(RoundYield.mean(outcome.rounds()));
      rich.append(String.format(Locale.ROOT, "  %8d", outcome.richHosts()));
    }
    return table
        .append(line(" mean", means))
        .append(" rich")
        .append(rich)
        .append("  hosts rich in Urdu that were found, of ")
        .append(richHosts)
        .append('\n')
        .toString();
  }

  private static String line(String name, List<Double> yields) {
    StringBuilder line = new StringBuilder(name);
    yields.forEach(yield -> line.append(String.format(Locale.ROOT, "  %7.1f%%", yield)));
    return line.append('\n').toString();
  }
}
