package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.crawl.Generator;
import org.apache.nutch.crawl.Injector;
import org.apache.nutch.fetcher.Fetcher;
import org.apache.nutch.parse.ParseSegment;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.engine.Steering;
import org.corpulyzer.jobs.LrlCrawlDb;
import org.corpulyzer.jobs.LrlScoreJob;
import org.corpulyzer.jobs.ReparseJob;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A crawl by links with Nutch's own jobs, without the plugin, which the plugin then takes over. */
public class ExistingCrawlTest {
  private static final int ROUNDS = 3;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private Path root;
  private Configuration stock;
  private Configuration lrl;
  private SampleWeb web;

  @Test(timeout = 590_000)
  public void theNextListIsAtLeastAsRichAsThatOfACrawlWithThePluginFromTheStart() throws Exception {
    Sample.Outcome scored = new Sample.Outcome();
    start("start");
    for (int i = 0; i <= ROUNDS; i++) {
      round(lrl, new LrlCrawlDb(), scored);
    }
    web.close();
    double fromTheStart = scored.rounds().get(ROUNDS).percent();
    Sample.Outcome outcome = new Sample.Outcome();
    start("stock");
    for (int i = 0; i < ROUNDS; i++) {
      round(stock, new CrawlDb(), outcome);
    }
    double byLinks = outcome.rounds().get(ROUNDS - 1).percent();

    Map<String, CrawlDatum> before = rows();
    CorpulyzerException refused =
        assertThrows(
            CorpulyzerException.class,
            () ->
                ToolRunner.run(
                    new Configuration(lrl), new LrlScoreJob(), new String[] {at("crawldb")}));
    assertTrue(refused.getMessage(), refused.getMessage().contains(ReparseJob.class.getName()));
    assertEquals("a refused run writes nothing", before.toString(), rows().toString());

    int requests = web.requests().size();
    ReparseJob job = new ReparseJob();
    run(job, lrl, at("crawldb"), "-dir", at("segments"));
    assertEquals("nothing is fetched", requests, web.requests().size());
    assertEquals(0, job.summary().get(ScoreCounter.UNREAD));
    assertTrue(job.summary().toString(), job.summary().get(ScoreCounter.KEEP) > 0);
    rows()
        .forEach(
            (url, row) -> {
              CrawlDatum old = before.get(url);
              assertEquals(url, old.getStatus(), row.getStatus());
              assertEquals(url, old.getFetchTime(), row.getFetchTime());
              assertEquals(
                  url,
                  row.getStatus() == CrawlDatum.STATUS_DB_FETCHED,
                  row.getMetaData().containsKey(new Text(PageKeys.DECISION)));
            });
    assertEquals(before.keySet(), rows().keySet());

    round(lrl, new LrlCrawlDb(), outcome);
    double after = outcome.rounds().get(ROUNDS).percent();
    String table =
        String.format(
            "by links %.1f %%, then %.1f %%; from the start %.1f %%", byLinks, after, fromTheStart);
    System.out.println(table);
    assertTrue(table, after >= fromTheStart - 5 && after > byLinks + 10);
    web.close();
  }

  private void start(String name) throws Exception {
    root = folder.newFolder(name).toPath();
    web = SampleWeb.start(root.resolve("web"), new CrawlOptions().sampleSeed);
    CrawlOptions options = new CrawlOptions();
    options.language = Sample.LANGUAGE;
    options.agent = "corpulyzer-test";
    options.contact = "nobody@localhost.invalid";
    options.seeds = web.seeds();
    options.proxy = web.address();
    options.top = 200;
    options.data = root.resolve("data");
    try (DataFolder data = DataFolder.open(options.data)) {
      lrl = CrawlConfiguration.create(options, Home.plugins(), data);
    }
    lrl.setBoolean("corpulyzer.crawl.bodies.held", false);
    lrl.setBoolean("fetcher.parse", false);
    lrl.setInt("fetcher.threads.fetch", 20);
    lrl.setInt("generate.max.count", 10);
    // As `install --alias-updatedb --top 200` has it: the score passes choose the rows.
    lrl.setBoolean(Steering.CHOOSES, false);
    lrl.set(Settings.SCORE_POLICY, "pages");
    lrl.setInt(Settings.SCORE_TOP_N, 200);
    stock = new Configuration(lrl);
    // Nutch keeps plugins by this id, which a copy has too.
    stock.set("nutch.conf.uuid", "stock-" + name);
    stock.set("plugin.includes", "corpulyzer-companion|corpulyzer-link-score");
    Path seeds = Files.createDirectories(root.resolve("seeds"));
    Files.copy(web.seeds(), seeds.resolve("seeds.txt"));
    run(new Injector(), "start".equals(name) ? lrl : stock, at("crawldb"), seeds.toString());
  }

  private void round(Configuration conf, CrawlDb update, Sample.Outcome outcome) throws Exception {
    run(
        new Generator(),
        conf,
        at("crawldb"),
        at("segments"),
        "-topN",
        "200",
        "-noFilter",
        "-noNorm");
    String segment = segments().get(segments().size() - 1);
    run(new Fetcher(), conf, segment, "-threads", "20");
    outcome.addRound(web.requests());
    run(new ParseSegment(), conf, segment);
    run(update, conf, at("crawldb"), segment);
  }

  private List<String> segments() throws IOException {
    try (Stream<Path> found = Files.list(root.resolve("segments"))) {
      return found.map(Path::toString).sorted().collect(Collectors.toList());
    }
  }

  private String at(String name) {
    return root.resolve(name).toString();
  }

  private static void run(Tool tool, Configuration conf, String... arguments) throws Exception {
    assertEquals(
        tool.getClass().getSimpleName(),
        0,
        ToolRunner.run(new Configuration(conf), tool, arguments));
  }

  private Map<String, CrawlDatum> rows() throws IOException {
    Map<String, CrawlDatum> rows = new TreeMap<>();
    org.apache.hadoop.fs.Path part =
        new org.apache.hadoop.fs.Path(at("crawldb"), "current/part-r-00000");
    try (MapFile.Reader reader = new MapFile.Reader(part, lrl)) {
      Text url = new Text();
      for (CrawlDatum row = new CrawlDatum(); reader.next(url, row); row = new CrawlDatum()) {
        rows.put(url.toString(), row);
      }
    }
    return rows;
  }
}
