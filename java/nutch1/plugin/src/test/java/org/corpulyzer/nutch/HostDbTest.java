package org.corpulyzer.nutch;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.hostdb.UpdateHostDb;
import org.apache.nutch.scoring.ScoringFilter;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Scores from a HostDb that Nutch's own updatehostdb made, beside the exact ones. */
public class HostDbTest {

  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private final Configuration conf = Nutch.conf();
  private final Map<String, CrawlDatum> rows = new HashMap<>();
  private CrawlFolder crawl;

  @Before
  public void configure() {
    conf.set("hostdb.numeric.fields", PageKeys.TARGET_BYTES);
    conf.set(Settings.SCORE_SOURCE, "hostdb");
    conf.set(Settings.SCORE_HOST_DB, folder.getRoot() + "/hostdb");
    crawl = new CrawlFolder(folder.getRoot(), conf);
  }

  @Test
  public void errorIsThatOfDuplicatesAndOfPagesWithoutFigures() throws Exception {
    row("http://rich.example/a", CrawlDatum.STATUS_DB_FETCHED, 3000L);
    row("https://RICH.example:8443/b", CrawlDatum.STATUS_DB_NOTMODIFIED, 1001L);
    row("http://rich.example/next", CrawlDatum.STATUS_DB_UNFETCHED, null);
    row("http://mixed.example/parsed", CrawlDatum.STATUS_DB_FETCHED, 1000L);
    row("http://mixed.example/not-parsed", CrawlDatum.STATUS_DB_FETCHED, null);
    row("http://mixed.example/duplicate", CrawlDatum.STATUS_DB_DUPLICATE, 1000L);
    row("http://mixed.example/moved", CrawlDatum.STATUS_DB_REDIR_TEMP, 5000L);
    row("http://poor.example/", CrawlDatum.STATUS_DB_FETCHED, 0L);
    row("http://gone.example/", CrawlDatum.STATUS_DB_GONE, 700L);
    row("http://new.example/", CrawlDatum.STATUS_DB_UNFETCHED, null);
    ScoringFilter filter = updated();
    assertEquals(2000.5f, score(filter, "http://rich.example/other"), 0);
    assertEquals("exact is 2000 / 3", 1000f, score(filter, "http://mixed.example/"), 0);
    assertEquals(0f, score(filter, "http://poor.example/x"), 0);
    assertEquals(256f, score(filter, "http://gone.example/x"), 0);
    assertEquals(256f, score(filter, "http://new.example/"), 0);
    assertEquals(256f, score(filter, "http://never-heard-of.example/"), 0);
    assertEquals("the row's own", 3f, score(filter, "no url"), 0);
    assertEquals("a seed of a known host", 0f, seedScore(filter, "http://poor.example/seed"), 0);
    assertEquals(1e9f, seedScore(filter, "http://new.example/"), 0);
  }

  /** The bound that the class and nutch-conf state, on hosts of up to 2,000 pages. */
  @Test
  public void withoutSuchPagesTheErrorIsThatOfAFloatSum() throws Exception {
    Random random = new Random(7);
    Map<String, Double> exact = new HashMap<>();
    Map<String, Integer> pages = new HashMap<>();
    for (int host = 0; host < 40; host++) {
      String name = "host" + host + ".example";
      int count = 1 + random.nextInt(host % 10 == 0 ? 2000 : 50);
      long sum = 0;
      for (int page = 0; page < count; page++) {
        long bytes =
            random.nextInt(5) == 0 ? 0 : random.nextInt(host % 2 == 0 ? 2_000_000 : 20_000);
        sum += bytes;
        row("http://" + name + "/" + page, CrawlDatum.STATUS_DB_FETCHED, bytes);
      }
      exact.put(name, sum / (double) count);
      pages.put(name, count);
    }
    ScoringFilter filter = updated();
    double worst = 0;
    for (Map.Entry<String, Double> host : exact.entrySet()) {
      double error = Math.abs(score(filter, "http://" + host.getKey() + "/") - host.getValue());
      int count = pages.get(host.getKey());
      double bound = host.getValue() * (count + 2) / (1 << 24) + 0.5 / count;
      assertTrue(host + ": " + error + " where at most " + bound + " was expected", error <= bound);
      worst = Math.max(worst, error / Math.max(1, host.getValue()));
    }
    assertEquals("relative error, as HostDbScores states it", 7.3e-7, worst, 1e-8);
  }

  @Test
  public void stockCommandsAloneSteerTheNextGenerate() throws Exception {
    conf.set("fetcher.server.delay", "0");
    StandInWeb.PAGES.clear();
    StandInWeb.PAGES.put(
        "http://rich.example/a", new String(Nutch.vector("article.html"), StandardCharsets.UTF_8));
    StandInWeb.PAGES.put(
        "http://poor.example/a", new String(Nutch.vector("english.html"), StandardCharsets.UTF_8));
    crawl.inject("http://rich.example/a", "http://poor.example/a");
    crawl.run(
        new UpdateHostDb(), "-hostdb", crawl.path("hostdb"), "-crawldb", crawl.path("crawldb"));
    crawl.updatedb(crawl.generateFetchParse());
    crawl.run(
        new UpdateHostDb(), "-hostdb", crawl.path("hostdb"), "-crawldb", crawl.path("crawldb"));
    List<String> next = crawl.generated(crawl.generate("-topN", "4"));
    assertEquals(
        "its links: /, /about, /news, /terms",
        4,
        next.stream().filter(url -> url.startsWith("http://rich.example/")).count());
  }

  @Test
  public void exploringPutsRowsOfOtherPagesAtATenth() throws Exception {
    conf.set(Settings.SCORE_POLICY, "explore");
    row("http://rich.example/a", CrawlDatum.STATUS_DB_FETCHED, 3000L);
    ScoringFilter filter = updated();
    assertEquals(300f, score(filter, "http://rich.example/x"), 0);
    CrawlDatum found = new CrawlDatum(CrawlDatum.STATUS_DB_UNFETCHED, 1, 3f);
    Nutch.setFigure(found, PageKeys.FOUND_MARK, "y");
    assertEquals(3000f, filter.generatorSortValue(new Text("http://rich.example/y"), found, 1f), 0);
  }

  @Test
  public void hostThatLostItsPagesIsUnknownAgain() throws Exception {
    row("http://lost.example/", CrawlDatum.STATUS_DB_FETCHED, 9000L);
    row("http://kept.example/", CrawlDatum.STATUS_DB_FETCHED, 500L);
    updateHostDb();
    row("http://lost.example/", CrawlDatum.STATUS_DB_GONE, 9000L);
    assertEquals("HostDb keeps the field", 256f, score(updated(), "http://lost.example/x"), 0);
  }

  @Test
  public void firstRoundNeedsAHostDbButNoFigures() throws Exception {
    row("http://new.example/", CrawlDatum.STATUS_DB_UNFETCHED, null);
    assertEquals(256f, score(updated(), "http://new.example/"), 0);
  }

  @Test
  public void missingHostDbFailsWithTheCommandToRun() {
    fails(
        conf,
        "HostDb "
            + conf.get(Settings.SCORE_HOST_DB)
            + " (corpulyzer.score.hostDb) cannot be read: ",
        "bin/nutch updatehostdb");
    Configuration unset = Nutch.conf();
    unset.set(Settings.SCORE_SOURCE, "hostdb");
    fails(
        unset,
        "Property corpulyzer.score.source is hostdb, but corpulyzer.score.hostDb is not set; ",
        "bin/nutch updatehostdb");
  }

  @Test
  public void hostDbWithoutOurFieldFailsWithTheProperty() throws Exception {
    conf.set("hostdb.numeric.fields", "_rs_");
    row("http://rich.example/a", CrawlDatum.STATUS_DB_FETCHED, 3000L);
    updateHostDb();
    fails(
        conf,
        "HostDb "
            + conf.get(Settings.SCORE_HOST_DB)
            + " has fetched pages, but no host has avg.crp.t; ",
        "hostdb.numeric.fields");
  }

  @Test
  public void hostDbThatDoesNotFitInMemoryFailsWithTheProperty() throws Exception {
    conf.set(Settings.SCORE_HOST_DB_MAX_HOSTS, "2");
    for (int host = 0; host < 3; host++) {
      row("http://host" + host + ".example/", CrawlDatum.STATUS_DB_FETCHED, 1L);
    }
    updateHostDb();
    fails(
        conf,
        "HostDb " + conf.get(Settings.SCORE_HOST_DB) + " has more than 2 hosts",
        "corpulyzer.score.hostDbMaxHosts");
  }

  private static void fails(Configuration conf, String start, String advice) {
    Throwable failure =
        assertThrows(
            Throwable.class,
            () -> score(Nutch.filter(conf, ScoringFilter.class), "http://a.example/"));
    assertTrue(failure.getMessage(), failure.getMessage().startsWith(start));
    assertTrue(failure.getMessage(), failure.getMessage().contains(advice));
  }

  private ScoringFilter updated() throws Exception {
    updateHostDb();
    return Nutch.filter(conf, ScoringFilter.class);
  }

  private void updateHostDb() throws Exception {
    FileUtils.deleteDirectory(new File(crawl.path("crawldb")));
    crawl.writeRows(rows);
    crawl.run(
        new UpdateHostDb(), "-hostdb", crawl.path("hostdb"), "-crawldb", crawl.path("crawldb"));
  }

  private void row(String url, byte status, Long targetBytes) {
    CrawlDatum row = new CrawlDatum(status, 1000, 3f);
    if (targetBytes != null) {
      Nutch.setFigure(row, PageKeys.TARGET_BYTES, targetBytes.toString());
    }
    rows.put(url, row);
  }

  private static float score(ScoringFilter filter, String url) throws Exception {
    return filter.generatorSortValue(
        new Text(url), new CrawlDatum(CrawlDatum.STATUS_DB_UNFETCHED, 1000, 3f), 1f);
  }

  private static float seedScore(ScoringFilter filter, String url) throws Exception {
    CrawlDatum seed = new CrawlDatum(CrawlDatum.STATUS_DB_UNFETCHED, 1000, 3f);
    Nutch.setFigure(seed, PageKeys.INJECTED_MARK, "y");
    return filter.generatorSortValue(new Text(url), seed, 1f);
  }
}
