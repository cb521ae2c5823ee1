package org.corpulyzer.paper;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.nutch.crawl.CrawlStatus;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.crawl.RoundYield;
import org.corpulyzer.crawl.Sample;
import org.corpulyzer.crawl.SampleWeb;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.WebTableStatus;
import org.corpulyzer.jobs.LrlScoreJob;
import org.corpulyzer.jobs.ReparseJob;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * The first rounds of the paper's stack: with the plugin, and by links with Nutch's own jobs in a
 * crawl which the plugin then takes over. {@code test --full paper} crawls all rounds.
 */
public class ExistingCrawlTest {
  private static final int SEED = 2;
  private static final int ROUNDS = 2;
  private static final TableName TABLE = TableName.valueOf("stock_webpage");
  private static final byte[] FETCH = bytes("f");
  private static final byte[] STATUS = bytes("st");
  private static final byte[] FETCH_TIME = bytes("ts");
  private static final byte[] CONTENT_TYPE = bytes("typ");
  private static final byte[] METADATA = bytes("mtdt");

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final Path plugins = Paths.get(System.getProperty("corpulyzer.paper.plugins"));
  private LocalHBase hbase;

  @Test(timeout = 300_000)
  public void theNextListIsAtLeastAsRichAsThatOfACrawlWithThePluginFromTheStart() throws Exception {
    Path root = folder.getRoot().toPath();
    try (LocalHBase server =
        LocalHBase.start(root.resolve("hbase"), root.resolve("zookeeper"), 0)) {
      hbase = server;
      double fromTheStart = fromTheStart(root.resolve("start"));
      takeOver(root.resolve("stock"), fromTheStart);
    }
  }

  /** Returns the yield of the last round of a crawl with the plugin, in percent. */
  private double fromTheStart(Path path) throws Exception {
    try (SampleWeb web = SampleWeb.start(path, SEED)) {
      PaperCrawl crawl = new PaperCrawl(plugins, path, web, hbase);
      Configuration conf = crawl.configuration(PaperCrawl.Order.MODE_J);
      crawl.inject(conf);
      for (int i = 0; i < ROUNDS; i++) {
        crawl.round(conf, PaperCrawl.Order.MODE_J);
      }
      crawl.fetch(conf);
      RoundYield second = crawl.outcome().rounds().get(1);
      String table = RoundYield.table(crawl.outcome().rounds());
      assertTrue("pages are parsed: " + table, second.fetched() > 100 && second.percent() > 50);
      return last(crawl.outcome());
    }
  }

  private void takeOver(Path path, double fromTheStart) throws Exception {
    try (SampleWeb web = SampleWeb.start(path, SEED)) {
      PaperCrawl crawl = new PaperCrawl(plugins, path, web, hbase);
      Configuration stock = crawl.configuration(PaperCrawl.Order.LINKS);
      stock.set("plugin.includes", "nutch2-standin");
      crawl.inject(stock);
      for (int i = 0; i < ROUNDS; i++) {
        crawl.round(stock, PaperCrawl.Order.LINKS);
      }
      double byLinks = last(crawl.outcome());

      Configuration lrl = crawl.configuration(PaperCrawl.Order.MODE_J);
      String unparsed = setOddPages();
      Map<String, Result> before = rows();
      CorpulyzerException refused =
          assertThrows(
              CorpulyzerException.class,
              () -> PaperCrawl.run(lrl, new LrlScoreJob(), new HashMap<>()));
      assertTrue(refused.getMessage(), refused.getMessage().contains(ReparseJob.class.getName()));
      assertEquals("a refused run writes nothing", cells(before), cells(rows()));

      int requests = web.requests().size();
      ReparseJob job = new ReparseJob();
      PaperCrawl.run(lrl, job, new HashMap<>());
      assertEquals("nothing is fetched", requests, web.requests().size());
      assertEquals(0, job.summary().get(ScoreCounter.UNREAD));
      assertTrue(job.summary().toString(), job.summary().get(ScoreCounter.KEEP) > 0);
      assertOnlyFiguresAreNew(before, rows());
      assertEquals(PageKeys.NOT_PARSED, decision(rows().get(unparsed)));
      LrlScoreJob again = new LrlScoreJob();
      PaperCrawl.run(lrl, again, new HashMap<>());
      assertEquals("the scores are there", 0, again.summary().get(ScoreCounter.ROWS_WRITTEN));

      crawl.fetch(lrl);
      double after = last(crawl.outcome());
      String table =
          String.format(
              "by links %.1f %%, then %.1f %%; from the start %.1f %%",
              byLinks, after, fromTheStart);
      System.out.println(table);
      assertTrue(table, after >= fromTheStart - 5 && after > byLinks + 10);
    }
  }

  private static void assertOnlyFiguresAreNew(
      Map<String, Result> before, Map<String, Result> after) {
    assertEquals(before.keySet(), after.keySet());
    after.forEach(
        (key, row) -> {
          Result old = before.get(key);
          for (byte[] column : Arrays.asList(STATUS, FETCH_TIME)) {
            assertEquals(
                key,
                Bytes.toStringBinary(old.getValue(FETCH, column)),
                Bytes.toStringBinary(row.getValue(FETCH, column)));
          }
          assertEquals(key, isFetched(row), decision(row) != null);
        });
  }

  /**
   * Gives one fetched row the status of pages that the last fetch found unchanged, and one a type
   * that no parser reads.
   *
   * @return the key of the latter
   */
  private String setOddPages() throws IOException {
    List<Result> fetched =
        rows().values().stream()
            .filter(ExistingCrawlTest::isFetched)
            .limit(2)
            .collect(Collectors.toList());
    byte[] unchanged = fetched.get(0).getRow();
    byte[] unparsed = fetched.get(1).getRow();
    try (Table table = hbase.connection().getTable(TABLE)) {
      int status = CrawlStatus.STATUS_NOTMODIFIED;
      table.put(new Put(unchanged).addColumn(FETCH, STATUS, Bytes.toBytes(status)));
      table.put(new Put(unparsed).addColumn(FETCH, CONTENT_TYPE, bytes("application/x-odd")));
    }
    return Bytes.toStringBinary(unparsed);
  }

  private static boolean isFetched(Result row) {
    return WebTableStatus.isFetched(Bytes.toInt(row.getValue(FETCH, STATUS)));
  }

  private static String decision(Result row) {
    return Bytes.toString(row.getValue(METADATA, bytes(PageKeys.DECISION)));
  }

  private static double last(Sample.Outcome outcome) {
    return outcome.rounds().get(outcome.rounds().size() - 1).percent();
  }

  private Map<String, Result> rows() throws IOException {
    Map<String, Result> rows = new TreeMap<>();
    try (Table table = hbase.connection().getTable(TABLE)) {
      table
          .getScanner(new Scan())
          .forEach(row -> rows.put(Bytes.toStringBinary(row.getRow()), row));
    }
    return Collections.unmodifiableMap(rows);
  }

  private static String cells(Map<String, Result> rows) {
    StringBuilder all = new StringBuilder();
    rows.values().forEach(row -> all.append(Arrays.toString(row.rawCells())).append('\n'));
    return all.toString();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
