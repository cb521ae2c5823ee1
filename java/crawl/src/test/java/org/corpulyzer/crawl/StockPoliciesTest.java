package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.crawl.Generator;
import org.apache.nutch.crawl.Injector;
import org.apache.nutch.fetcher.Fetcher;
import org.apache.nutch.parse.ParseSegment;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.engine.Steering;
import org.corpulyzer.jobs.LrlCrawlDb;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Crawls of the sample web with Nutch's own jobs, the plugin, and a parser that behaves as
 * parse-html does.
 */
public class StockPoliciesTest {
  private static final int ROUNDS = 8;
  private static final int TOP = 200;
  private static final String LINKS = "links";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test(timeout = 590_000)
  public void pagesFindsMoreRichHostsInFiveRoundsThanMeanInEight() throws Exception {
    Sample.Outcome pages = crawl("pages", 5);
    assertTrue(percent(pages) + " %", percent(pages) > 85);
    assertTrue(pages.richHosts() + " rich hosts", pages.richHosts() > 30);
  }

  /** Rows that the score passes choose, if they do not know how many generate takes; else 0. */
  private int chosen;

  /**
   * The table of the sample web in docs/steering.md: {@code gradle :crawl:stockPolicies}, or some
   * of its rows ({@code -Ppolicies="explore pages"}). With a number ({@code -Pchosen=50000}) the
   * score passes of policy pages choose so many rows, whatever generate takes.
   */
  public static void main(String[] args) throws Exception {
    StockPoliciesTest test = new StockPoliciesTest();
    String[] policies = args.length == 0 ? new String[] {LINKS, "mean", "explore", "pages"} : args;
    if (policies[0].matches("[0-9]+")) {
      test.chosen = Integer.parseInt(policies[0]);
      policies = new String[] {"pages"};
    }
    test.folder.create();
    try {
      for (String policy : policies) {
        test.crawl(policy, ROUNDS);
      }
    } finally {
      test.folder.delete();
    }
  }

  private static double percent(Sample.Outcome outcome) {
    return outcome.rounds().stream().mapToDouble(RoundYield::percent).average().orElseThrow();
  }

  private Sample.Outcome crawl(String policy, int rounds) throws Exception {
    Path root = folder.newFolder(policy).toPath();
    Sample.Outcome outcome = new Sample.Outcome();
    try (SampleWeb web = SampleWeb.start(root.resolve("web"), new CrawlOptions().sampleSeed)) {
      Configuration conf = conf(root, web.seeds(), web.address(), policy, TOP);
      if (chosen > 0) {
        conf.setInt(Settings.SCORE_TOP_N, chosen);
      }
      rounds(root, web.seeds(), conf, policy, rounds, TOP, () -> outcome.addRound(web.requests()));
    }
    System.out.printf(
        Locale.ROOT,
        "%s: mean yield %.1f %% (%s), %d rich hosts%n",
        policy,
        percent(outcome),
        outcome.rounds().stream()
            .map(round -> String.format(Locale.ROOT, "%.0f", round.percent()))
            .collect(Collectors.joining(" ")),
        outcome.richHosts());
    return outcome;
  }

  static void rounds(
      Path root, Path list, Configuration conf, String policy, int rounds, int top, Step fetched)
      throws Exception {
    Path seeds = Files.createDirectories(root.resolve("seeds"));
    Files.copy(list, seeds.resolve("seeds.txt"));
    String crawlDb = root.resolve("crawldb").toString();
    run(new Injector(), conf, crawlDb, seeds.toString());
    for (int i = 0; i < rounds; i++) {
      String segments = root.resolve("segments").toString();
      run(new Generator(), conf, crawlDb, segments, "-topN", "" + top, "-noFilter", "-noNorm");
      String segment = last(root.resolve("segments"));
      run(new Fetcher(), conf, segment, "-threads", "20");
      fetched.run();
      run(new ParseSegment(), conf, segment);
      run(policy.equals(LINKS) ? new CrawlDb() : new LrlCrawlDb(), conf, crawlDb, segment);
    }
  }

  /** What a test does behind each fetch. */
  interface Step {
    void run() throws Exception;
  }

  static Configuration conf(Path root, Path seeds, String proxy, String policy, int top)
      throws Exception {
    CrawlOptions options = new CrawlOptions();
    options.language = Sample.LANGUAGE;
    options.agent = "corpulyzer-test";
    options.contact = "nobody@localhost.invalid";
    options.seeds = seeds;
    options.proxy = proxy;
    options.top = top;
    options.data = root.resolve("data");
    Configuration conf;
    try (DataFolder data = DataFolder.open(options.data)) {
      conf = CrawlConfiguration.create(options, Home.plugins(), data);
    }
    // As an operator has it: the one-machine crawl chooses its rows itself.
    conf.setBoolean(Steering.CHOOSES, false);
    conf.setBoolean("corpulyzer.crawl.bodies.held", false);
    conf.setBoolean("fetcher.parse", false);
    conf.setInt("fetcher.threads.fetch", 20);
    conf.setInt("generate.max.count", top / 20);
    conf.set(Settings.SCORE_POLICY, policy.equals(LINKS) ? "mean" : policy);
    conf.setInt(Settings.SCORE_TOP_N, top);
    conf.set(
        "plugin.folders",
        Home.plugins()
            + ","
            + System.getProperty("corpulyzer.root")
            + "/java/crawl/src/test/plugins");
    conf.set(
        "plugin.includes",
        "corpulyzer-companion|parse-stock|corpulyzer"
            + (policy.equals(LINKS) ? "-link-score" : ""));
    conf.set("parse.plugin.file", "stock-parse-plugins.xml");
    // Nutch keeps plugins and parsers by this id.
    conf.set("nutch.conf.uuid", root.toString());
    return conf;
  }

  private static String last(Path segments) throws Exception {
    try (Stream<Path> found = Files.list(segments)) {
      List<Path> sorted = found.sorted().collect(Collectors.toList());
      return sorted.get(sorted.size() - 1).toString();
    }
  }

  private static void run(Tool tool, Configuration conf, String... arguments) throws Exception {
    assertEquals(
        tool.getClass().getSimpleName(),
        0,
        ToolRunner.run(new Configuration(conf), tool, arguments));
  }
}
