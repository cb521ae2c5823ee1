package org.corpulyzer.paper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.TrackedConnection;
import org.apache.hadoop.mapreduce.Job;
import org.apache.nutch.crawl.DbUpdaterJob;
import org.apache.nutch.crawl.GeneratorJob;
import org.apache.nutch.crawl.InjectorJob;
import org.apache.nutch.fetcher.FetcherJob;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.parse.ParserJob;
import org.apache.nutch.util.NutchConfiguration;
import org.apache.nutch.util.NutchInternals;
import org.apache.nutch.util.NutchTool;
import org.apache.nutch.util.ToolUtil;
import org.corpulyzer.crawl.Sample;
import org.corpulyzer.crawl.SampleWeb;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.jobs.LrlDbUpdaterJob;

/**
 * One crawl of the sample web on Nutch 2.4 and HBase: rounds of Nutch's own jobs, with the plugin
 * if the configuration is not changed.
 */
public final class PaperCrawl {

  /** The order of the rows in a round. */
  public enum Order {
    /** The score of the host, written by the job after updatedb. */
    MODE_J,
    /** The score of the host, computed by the generator. */
    MODE_S,
    /** Mode J with policy explore. */
    EXPLORE,
    /** Mode J with policy pages. */
    PAGES,
    /** The control: scores flow along links, as in scoring-opic. */
    LINKS;

    private boolean hasPasses() {
      return this != MODE_S && this != LINKS;
    }
  }

  /** Rounds of the sample crawl. */
  public static final int ROUNDS = 8;

  private static final long TOP = 200;
  private static final int THREADS = 50;

  /** Pages of one host in a round, at most: a twentieth of the round. */
  private static final int MAX_PER_HOST = 10;

  private final Path plugins;
  private final Path folder;
  private final SampleWeb web;
  private final LocalHBase hbase;
  private final Sample.Outcome outcome = new Sample.Outcome();
  private String batch;

  /**
   * @param plugins the folder with this fixture's plugins and the plugin {@code corpulyzer}
   * @param folder its name is the id of the crawl; the seed list and temporary files go into it
   * @param web the web to crawl
   * @param hbase with the table of the crawl, if there is one
   */
  PaperCrawl(Path plugins, Path folder, SampleWeb web, LocalHBase hbase) {
    this.plugins = plugins;
    this.folder = folder;
    this.web = web;
    this.hbase = hbase;
  }

  /**
   * Crawls from the seeds over a fresh server.
   *
   * @param folder an empty folder for the tables and the server's log
   * @param seed which sample web to crawl
   * @param rounds how many rounds
   * @return the true yields, from the log of the server
   * @throws IOException if a job fails, or a round fetches no page
   */
  public static Sample.Outcome crawl(Path plugins, Order order, Path folder, int seed, int rounds)
      throws Exception {
    try (SampleWeb web = SampleWeb.start(folder, seed);
        LocalHBase hbase =
            LocalHBase.start(folder.resolve("hbase"), folder.resolve("zookeeper"), 0)) {
      PaperCrawl crawl = new PaperCrawl(plugins, folder.resolve("crawl"), web, hbase);
      Configuration conf = crawl.configuration(order);
      crawl.inject(conf);
      for (int round = 1; round <= rounds; round++) {
        crawl.round(conf, order);
      }
      return crawl.outcome;
    }
  }

  /** Makes the table of the crawl, with a row for each seed. */
  void inject(Configuration conf) throws Exception {
    Path seeds = Files.createDirectories(folder.resolve("seeds"));
    Files.write(
        seeds.resolve("seeds.txt"),
        Files.readAllLines(web.seeds(), StandardCharsets.UTF_8),
        StandardCharsets.UTF_8);
    run(conf, new InjectorJob(), ToolUtil.toArgMap(Nutch.ARG_SEEDDIR, seeds.toUri().toString()));
  }

  /**
   * @return the true yields of the rounds, from the log of the server
   */
  Sample.Outcome outcome() {
    return outcome;
  }

  /**
   * Generates, fetches, parses and updates once.
   *
   * @param order as in the configuration
   */
  void round(Configuration conf, Order order) throws Exception {
    fetch(conf);
    update(conf, order);
  }

  /**
   * Generates and fetches a batch, and adds its yield to the outcome.
   *
   * @throws IOException if a job fails, or no page is fetched: the pages before it were not parsed,
   *     and a mean over the other rounds would hide it
   */
  void fetch(Configuration conf) throws Exception {
    int round = outcome.rounds().size() + 1;
    // Batch ids hold the time at which a round began, as those of bin/crawl do.
    batch = String.format(Locale.ROOT, "%d-%d", System.currentTimeMillis() / 1000, round);
    run(
        conf,
        new GeneratorJob(),
        ToolUtil.toArgMap(
            Nutch.ARG_BATCH,
            batch,
            Nutch.ARG_TOPN,
            TOP,
            Nutch.ARG_CURTIME,
            System.currentTimeMillis(),
            Nutch.ARG_FILTER,
            true,
            Nutch.ARG_NORMALIZE,
            true,
            Nutch.ARG_SITEMAP,
            false));
    run(
        conf,
        new FetcherJob(),
        ToolUtil.toArgMap(
            Nutch.ARG_BATCH,
            batch,
            Nutch.ARG_THREADS,
            THREADS,
            Nutch.ARG_RESUME,
            true,
            Nutch.ARG_NUMTASKS,
            1,
            Nutch.ARG_SITEMAP_DETECT,
            false,
            Nutch.ARG_SITEMAP,
            false));
    outcome.addRound(web.requests());
    if (outcome.rounds().get(round - 1).fetched() == 0) {
      throw new IOException(
          "round " + round + " fetched no page; the pages before it may have no parse");
    }
  }

  private void update(Configuration conf, Order order) throws Exception {
    run(
        conf,
        new ParserJob(),
        ToolUtil.toArgMap(
            Nutch.ARG_BATCH,
            batch,
            Nutch.ARG_RESUME,
            true,
            Nutch.ARG_FORCE,
            false,
            Nutch.ARG_SITEMAP,
            false));
    run(
        conf,
        order.hasPasses() ? new LrlDbUpdaterJob() : new DbUpdaterJob(),
        ToolUtil.toArgMap(Nutch.ARG_BATCH, batch));
  }

  /**
   * @return the configuration of a crawl in this order with the plugin. Nutch caches plugins by an
   *     id in it, which copies have too.
   */
  Configuration configuration(Order order) {
    Configuration conf = NutchConfiguration.create();
    conf.addResource("paper-site.xml");
    conf.set("fs.defaultFS", "file:///");
    conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    conf.set(Nutch.CRAWL_ID_KEY, folder.getFileName().toString());
    conf.set("plugin.folders", plugins.toString());
    conf.set("plugin.includes", "nutch2-standin|corpulyzer");
    conf.set("http.agent.name", "corpulyzer-sample");
    int colon = web.address().lastIndexOf(':');
    conf.set("http.proxy.host", web.address().substring(0, colon));
    conf.set("http.proxy.port", web.address().substring(colon + 1));
    // The sample web is a process of our own on loopback, so no delay is needed.
    conf.set("fetcher.server.delay", "0");
    conf.setInt("generate.max.count", MAX_PER_HOST);
    // Plugins see the configuration that this process has first, so the generator's own setting
    // would come too late.
    conf.setLong(GeneratorJob.GENERATOR_TOP_N, TOP);
    conf.set(Settings.LANGUAGE_TARGET, "ur");
    conf.set(Settings.PROFILE, "paper");
    conf.set(Settings.SCORE_SOURCE, order == Order.MODE_S ? "scan" : "stored");
    if (order == Order.EXPLORE || order == Order.PAGES) {
      conf.set(Settings.SCORE_POLICY, order.name().toLowerCase(Locale.ROOT));
    }
    conf.setLong(Settings.SCORE_TOP_N, TOP);
    // Two filters would write one score; the plugin `corpulyzer` then only parses.
    conf.set(
        "scoring.filter.order",
        order == Order.LINKS
            ? "org.corpulyzer.paper.standin.LinkScoringFilter"
            : "org.corpulyzer.nutch.LrlScoringFilter");
    hbase.configure(conf);
    return conf;
  }

  /**
   * Runs one tool of Nutch in this process; it writes into its configuration, so it gets a copy.
   */
  static void run(Configuration conf, NutchTool tool, Map<String, Object> args) throws Exception {
    ((Configurable) tool).setConf(new Configuration(conf));
    try {
      tool.run(args);
      Job job = NutchInternals.job(tool);
      if (job == null || !job.isSuccessful()) {
        throw new IOException(tool.getClass().getSimpleName() + " failed");
      }
    } finally {
      TrackedConnection.closeThoseOfJobs();
      NutchInternals.forgetPluginInstances();
    }
  }
}
