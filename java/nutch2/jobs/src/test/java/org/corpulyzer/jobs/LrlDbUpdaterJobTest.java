package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Map;
import org.apache.avro.util.Utf8;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.storage.Mark;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.ToolUtil;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.Settings;
import org.junit.BeforeClass;
import org.junit.Test;

/** Nutch's own updatedb on HBase, with the score passes after it. */
public class LrlDbUpdaterJobTest {

  private static final String BATCH = "1234-567";

  private static HBaseForTests hbase;

  @BeforeClass
  public static void startHBase() throws Exception {
    hbase = HBaseForTests.shared();
  }

  /**
   * Two pages of a batch as parse leaves them, an older page of one of their hosts, and a seed that
   * was injected meanwhile.
   */
  private static CrawlForTests crawl(String id) throws Exception {
    CrawlForTests crawl = new CrawlForTests(hbase, id);
    crawl.put(
        "http://rich.example/new",
        parsed("urd:3000", "http://unknown.example/", "http://rich.example/linked"));
    crawl.put("http://poor.example/new", parsed("eng:5000", "http://rich.example/old"));
    crawl.put(
        "http://rich.example/old", CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "urd:1000"));
    WebPage seed = CrawlForTests.page(CrawlStatus.STATUS_UNFETCHED, null);
    seed.getMarkers().put(Mark.INJECT_MARK.getName(), new Utf8("y"));
    crawl.put("http://seed.example/", seed);
    crawl.flush();
    return crawl;
  }

  private static WebPage parsed(String languages, String... outlinks) {
    WebPage page = CrawlForTests.page(CrawlStatus.STATUS_FETCHED, languages);
    page.setFetchInterval(2592000);
    page.getMarkers().put(new Utf8("dist"), new Utf8("0"));
    Mark.GENERATE_MARK.putMark(page, BATCH);
    Mark.FETCH_MARK.putMark(page, BATCH);
    Mark.PARSE_MARK.putMark(page, BATCH);
    for (String outlink : outlinks) {
      page.getOutlinks().put(new Utf8(outlink), new Utf8("anchor"));
    }
    return page;
  }

  private static void assertUpdatedAndScored(CrawlForTests crawl) throws Exception {
    WebPage updated = crawl.get("http://rich.example/new");
    assertEquals(new Utf8(BATCH), Mark.UPDATEDB_MARK.checkMark(updated));
    assertNull(Mark.GENERATE_MARK.checkMark(updated));
    assertEquals(2000f, crawl.score("http://rich.example/new"), 0);
    assertEquals(2000f, crawl.score("http://rich.example/old"), 0);
    assertEquals("a row that updatedb made", 2000f, crawl.score("http://rich.example/linked"), 0);
    assertEquals(0f, crawl.score("http://poor.example/new"), 0);
    assertEquals(256f, crawl.score("http://unknown.example/"), 0);
    assertEquals(1e9f, crawl.score("http://seed.example/"), 0);
    try (HostTable hosts = HBaseHostTable.open(crawl.conf())) {
      assertEquals(BATCH, hosts.find("example.rich").batch());
    }
  }

  @Test
  public void batchAndCrawlIdComeFromTheCommandLine() throws Exception {
    try (CrawlForTests crawl = crawl("cli")) {
      Configuration conf = CrawlForTests.configuration(hbase);
      LrlDbUpdaterJob job = new LrlDbUpdaterJob();
      WatchingScoringFilter.seenSource = null;
      assertEquals(0, ToolRunner.run(conf, job, new String[] {BATCH, "-crawlId", "cli"}));
      assertUpdatedAndScored(crawl);
      assertEquals("stored", WatchingScoringFilter.seenSource);
      assertNull("the caller's configuration is as it was", conf.get(Settings.SCORE_SOURCE));
      assertEquals(4, job.summary().get(ScoreCounter.HOSTS_SCORED));
      assertEquals(6, job.summary().get(ScoreCounter.PAGES));
    }
  }

  @Test
  public void batchAndCrawlIdComeFromTheRestServer() throws Exception {
    try (CrawlForTests crawl = crawl("rest")) {
      LrlDbUpdaterJob job = new LrlDbUpdaterJob();
      job.setConf(CrawlForTests.configuration(hbase));
      Map<String, Object> results =
          job.run(ToolUtil.toArgMap(Nutch.ARG_CRAWL, "rest", Nutch.ARG_BATCH, BATCH));
      assertUpdatedAndScored(crawl);
      assertEquals(
          "updatedb and both passes", 3, ((Map<?, ?>) results.get(Nutch.STAT_JOBS)).size());
    }
  }

  @Test
  public void updateThatFailsIsAnErrorAndNothingIsScored() throws Exception {
    for (boolean failOnFailure : new boolean[] {true, false}) {
      String id = "failing" + failOnFailure;
      try (CrawlForTests crawl = crawl(id)) {
        Configuration conf = CrawlForTests.configuration(hbase);
        conf.setBoolean(WatchingScoringFilter.FAIL, true);
        // With false, Nutch's own updatedb returns 0 here.
        conf.setBoolean("fail.on.job.failure", failOnFailure);
        LrlDbUpdaterJob job = new LrlDbUpdaterJob();
        Exception failure =
            assertThrows(
                Exception.class,
                () -> ToolRunner.run(conf, job, new String[] {"-all", "-crawlId", id}));
        assertTrue(failure.toString(), failure.getMessage().contains("update-table"));
        assertFalse(crawl.exists(HBaseHostTable.name(crawl.conf())));
        assertNull(crawl.score("http://rich.example/old"));
        assertNull(job.summary());
      }
    }
  }

  /**
   * Gora logs a write or a read that HBase refused, and goes on: a page is lost, or made anew over
   * the one that is stored.
   */
  @Test
  public void whatGoraOnlyLogsIsAnErrorAndNothingIsScored() throws Exception {
    for (boolean gets : new boolean[] {true, false}) {
      String id = "refusing" + gets;
      try (CrawlForTests crawl = crawl(id)) {
        crawl.observe(RefusingObserver.class);
        Map<String, String> before = crawl.cells();
        RefusingObserver.refused = 0;
        RefusingObserver.refusesGets = gets;
        RefusingObserver.refusesPuts = !gets;
        try {
          Exception failure =
              assertThrows(
                  Exception.class,
                  () ->
                      ToolRunner.run(
                          CrawlForTests.configuration(hbase),
                          new LrlDbUpdaterJob(),
                          new String[] {BATCH, "-crawlId", id}));
          assertTrue(failure.toString(), failure.getMessage().contains("update-table"));
        } finally {
          RefusingObserver.refusesGets = false;
          RefusingObserver.refusesPuts = false;
        }
        assertTrue("nothing was refused", RefusingObserver.refused > 0);
        assertFalse(crawl.exists(HBaseHostTable.name(crawl.conf())));
        for (Map.Entry<String, String> cell : before.entrySet()) {
          assertEquals(
              "http://rich.example/old, which only has a new inlink",
              cell.getValue(),
              cell.getKey().contains("old ") ? crawl.cells().get(cell.getKey()) : cell.getValue());
        }
        assertEquals(
            0,
            ToolRunner.run(
                CrawlForTests.configuration(hbase),
                new LrlDbUpdaterJob(),
                new String[] {BATCH, "-crawlId", id}));
        assertUpdatedAndScored(crawl);
      }
    }
  }

  @Test
  public void wrongSettingStopsBeforeUpdatedb() throws Exception {
    try (CrawlForTests crawl = crawl("settings")) {
      Configuration conf = CrawlForTests.configuration(hbase);
      conf.set(Settings.LANGUAGE_TARGET, "no language");
      Map<String, String> before = crawl.cells();
      CorpulyzerException refused =
          assertThrows(
              CorpulyzerException.class,
              () ->
                  ToolRunner.run(
                      conf, new LrlDbUpdaterJob(), new String[] {BATCH, "-crawlId", "settings"}));
      assertTrue(refused.getMessage(), refused.getMessage().contains(Settings.LANGUAGE_TARGET));
      assertEquals(before, crawl.cells());
    }
  }

  @Test
  public void wrongArgumentsAreRefused() throws Exception {
    Configuration conf = CrawlForTests.configuration(hbase);
    assertEquals(-1, ToolRunner.run(conf, new LrlDbUpdaterJob(), new String[0]));
    for (String[] args : new String[][] {{"-all", "-crawlId"}, {"-all", "-forced"}}) {
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class,
              () -> ToolRunner.run(conf, new LrlDbUpdaterJob(), args));
      assertTrue(refused.getMessage(), refused.getMessage().contains(args[1]));
    }
  }

  @Test
  public void scoreJobNamesACrawlThatIsNotThere() throws Exception {
    Configuration conf = CrawlForTests.configuration(hbase);
    CorpulyzerException refused =
        assertThrows(
            CorpulyzerException.class,
            () -> ToolRunner.run(conf, new LrlScoreJob(), new String[] {"-crawlId", "absent"}));
    assertTrue(refused.getMessage(), refused.getMessage().contains("absent_webpage"));
  }

  @Test
  public void scoreJobScoresAloneAndRefusesWhatItDoesNotKnow() throws Exception {
    try (CrawlForTests crawl = crawl("alone")) {
      Configuration conf = CrawlForTests.configuration(hbase);
      assertEquals(2, ToolRunner.run(conf, new LrlScoreJob(), new String[] {"-all"}));
      assertEquals(2, ToolRunner.run(conf, new LrlScoreJob(), new String[] {"-crawlId"}));
      assertEquals(
          0,
          ToolRunner.run(conf, new LrlScoreJob(), new String[] {"-crawlId", "alone", "-dryRun"}));
      assertNull(crawl.score("http://rich.example/new"));
      assertEquals(0, ToolRunner.run(conf, new LrlScoreJob(), new String[] {"-crawlId", "alone"}));
      assertEquals(2000f, crawl.score("http://rich.example/new"), 0);
      assertNotNull(
          "updatedb did not run",
          Mark.GENERATE_MARK.checkMark(crawl.get("http://rich.example/new")));
    }
  }
}
