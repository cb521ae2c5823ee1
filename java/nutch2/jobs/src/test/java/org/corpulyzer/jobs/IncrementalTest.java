package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.avro.util.Utf8;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.crawl.DbUpdaterJob;
import org.apache.nutch.storage.Mark;
import org.apache.nutch.storage.WebPage;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.corpus.ScoreSummary;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.junit.BeforeClass;
import org.junit.Test;

/** Incremental runs against full ones, on a real HBase with Nutch's own updatedb. */
public class IncrementalTest {

  private static final byte[] STATUSES = {
    CrawlStatus.STATUS_UNFETCHED,
    CrawlStatus.STATUS_FETCHED,
    CrawlStatus.STATUS_FETCHED,
    CrawlStatus.STATUS_FETCHED,
    CrawlStatus.STATUS_GONE,
    CrawlStatus.STATUS_REDIR_TEMP,
    CrawlStatus.STATUS_RETRY,
    CrawlStatus.STATUS_NOTMODIFIED
  };

  private static HBaseForTests hbase;

  @BeforeClass
  public static void startHBase() throws Exception {
    hbase = HBaseForTests.shared();
  }

  /**
   * Goes on from the last run's very start: what an incremental run finds is what was written
   * since, and no more.
   */
  private static Configuration conf(CrawlForTests crawl) {
    Configuration conf = crawl.conf();
    conf.setBoolean(Settings.SCORE_INCREMENTAL, true);
    conf.setLong(Settings.SCORE_MARGIN_MILLIS, 0);
    return conf;
  }

  private static ScoreSummary incremental(Configuration conf) throws Exception {
    return scoring(conf).runIncremental("-", System.currentTimeMillis());
  }

  private static ScoreSummary full(Configuration conf) throws Exception {
    return scoring(conf).run("-");
  }

  private static Scoring scoring(Configuration conf) throws IOException {
    return new Scoring(
        conf,
        Collections.singletonMap(LrlScoreJob.ARG_NEW_TARGET, true),
        new HashMap<>(),
        job -> {});
  }

  private static boolean isFull(ScoreSummary summary) {
    return !summary.toString().contains("(incremental");
  }

  /**
   * A crawl as its operator sees it: rounds of random changes, each with a batch that updatedb
   * takes in.
   */
  private static final class RandomCrawl {

    private final CrawlForTests crawl;
    private final Random random;
    private final List<String> urls = new ArrayList<>();

    RandomCrawl(CrawlForTests crawl, long seed) throws IOException {
      this.crawl = crawl;
      this.random = new Random(seed);
      for (int i = 0; i < 400; i++) {
        String url = newUrl();
        write(url, pageOf(url, null));
      }
      crawl.flush();
    }

    /** A page of one of thirty hosts, some with many pages, most with few. */
    private String newUrl() {
      int host = (int) (30 * Math.pow(random.nextDouble(), 3));
      String site =
          host == 29
              ? "https://[2001:db8::1]"
              : host % 7 == 6
                  ? "http://www.h" + host + ".example:8080"
                  : "http" + (random.nextInt(4) == 0 ? "s" : "") + "://h" + host + ".example";
      return site + "/p" + random.nextInt(400) + "?q=a:b;c";
    }

    private String someUrl() {
      return urls.get(random.nextInt(urls.size()));
    }

    private WebPage pageOf(String url, String batch) {
      byte status = STATUSES[random.nextInt(STATUSES.length)];
      WebPage page = CrawlForTests.page(status, random.nextInt(5) == 0 ? null : figures());
      page.setFetchInterval(2592000);
      if (random.nextInt(8) > 0) {
        // Else a page of unknown depth, whose markers may all go.
        page.getMarkers().put(new Utf8("dist"), new Utf8("1"));
      }
      if (random.nextInt(2) == 0) {
        page.getMarkers().put(new Utf8(PageKeys.FOUND_MARK), new Utf8("y"));
      }
      if (random.nextInt(40) == 0) {
        page.getMarkers().put(new Utf8(PageKeys.ELSEWHERE_MARK), new Utf8("y"));
      }
      if (batch != null) {
        Mark.GENERATE_MARK.putMark(page, batch);
        if (random.nextInt(6) > 0) {
          Mark.FETCH_MARK.putMark(page, batch);
          if (random.nextInt(4) > 0) {
            Mark.PARSE_MARK.putMark(page, batch);
          }
        }
        for (int i = random.nextInt(4); i > 0; i--) {
          String link =
              random.nextInt(3) == 0
                  ? someUrl()
                  : random.nextInt(3) == 0
                      ? "http://new" + random.nextInt(50) + ".example/"
                      : newUrl();
          page.getOutlinks().put(new Utf8(link), new Utf8("anchor"));
          urls.add(link);
        }
      }
      if (random.nextInt(3) == 0) {
        page.setScore(random.nextInt(3) == 0 ? 256f : random.nextFloat() * 100);
      }
      return page;
    }

    private String figures() {
      return random.nextInt(3) == 0
          ? "eng:77"
          : "eng:9,urd:" + random.nextInt(1 << random.nextInt(20)) + ",und:3";
    }

    private void write(String url, WebPage page) throws IOException {
      urls.add(url);
      crawl.put(url, page);
    }

    /** Changes rows as a round does between two updates, on few of the hosts in most rounds. */
    void round(String batch) throws IOException {
      int most = 1 + random.nextInt(random.nextInt(3) == 0 ? 20 : 4);
      for (int i = random.nextInt(most); i > 0; i--) {
        String url = random.nextBoolean() ? someUrl() : newUrl();
        write(url, pageOf(url, batch));
      }
      for (int i = random.nextInt(most); i > 0; i--) {
        otherChange();
      }
      crawl.flush();
    }

    private void otherChange() throws IOException {
      String url = someUrl();
      WebPage page = WebPage.newBuilder().build();
      switch (random.nextInt(6)) {
        case 0:
          // Parsed again.
          CrawlForTests.metadata(page, PageKeys.LANGUAGES, figures());
          break;
        case 1:
          // Fetched, in a batch that is never updated.
          page.setStatus((int) STATUSES[random.nextInt(STATUSES.length)]);
          break;
        case 2:
          // Another scoring filter's.
          page.setScore(random.nextFloat());
          break;
        case 3:
          url = random.nextBoolean() ? url : "http://seed" + random.nextInt(50) + ".example/";
          page.setStatus((int) CrawlStatus.STATUS_UNFETCHED);
          page.setScore(1f);
          page.getMarkers().put(Mark.INJECT_MARK.getName(), new Utf8("y"));
          break;
        case 4:
          // No figures any more.
          CrawlForTests.metadata(page, PageKeys.VERSION, "0 older");
          break;
        default:
          // A row that Nutch's fetcher makes for the target of a redirect: nothing that counts yet.
          url = newUrl();
          CrawlForTests.metadata(page, "___rdrdsc__", "y");
      }
      write(url, page);
    }
  }

  private static Map<String, String> scores(CrawlForTests crawl) throws IOException {
    Map<String, String> scores = new TreeMap<>();
    crawl
        .cells()
        .forEach(
            (cell, value) -> {
              String row = cell.substring(0, cell.lastIndexOf(' '));
              scores.putIfAbsent(row, "none");
              if (cell.endsWith(" s:s")) {
                scores.put(row, value.substring(value.indexOf(' ')));
              }
            });
    return scores;
  }

  /** Host records but for the run that wrote them. */
  private static Map<String, String> hosts(CrawlForTests crawl) throws IOException {
    Map<String, String> records = new TreeMap<>();
    try (HostTable hosts = HBaseHostTable.open(crawl.conf())) {
      hosts.forEach(
          host ->
              records.put(
                  host.host(),
                  host.totals()
                      + " "
                      + host.pages()
                      + " "
                      + host.score()
                      + " "
                      + host.seedScore()
                      + " "
                      + host.otherScore()
                      + " "
                      + host.probeScore()
                      + " "
                      + host.probe()
                      + " "
                      + host.language()
                      + " "
                      + host.version()));
    }
    return records;
  }

  private static void copy(CrawlForTests from, CrawlForTests to) throws IOException {
    try (Table source = from.connection().getTable(from.name());
        Table target = to.connection().getTable(to.name());
        ResultScanner rows = source.getScanner(new Scan())) {
      List<Put> puts = new ArrayList<>();
      for (Result row : rows) {
        Put put = new Put(row.getRow());
        for (Cell cell : row.rawCells()) {
          put.add(cell);
        }
        puts.add(put);
      }
      target.put(puts);
    }
  }

  private static void assertAsFull(String round, CrawlForTests crawl, String policy)
      throws Exception {
    try (CrawlForTests copy = new CrawlForTests(hbase, round)) {
      copy(crawl, copy);
      Configuration conf = conf(copy);
      conf.set(Settings.SCORE_POLICY, policy);
      assertEquals(round, 0, full(conf).get(ScoreCounter.ROWS_WRITTEN));
      assertEquals(round, scores(copy), scores(crawl));
      assertEquals(round, hosts(copy), hosts(crawl));
    }
  }

  /**
   * A row that is new in a host that was given up must be so, too; and a host may come back when a
   * page is read again.
   */
  @Test
  public void randomRoundsWithHostsThatAreGivenUpEndAsFullRunsDo() throws Exception {
    randomRounds("stops", 3, "mean+barren:3+limit:40");
  }

  static void randomRounds(String name, int rounds, String policy) throws Exception {
    long seed = Long.getLong("corpulyzer.test.seed", 7);
    // The second and third region begin inside of hosts.
    String[] splits = {"example.h0:http/p2", "example.h1:http/p25", "example.h3"};
    long scored = 0;
    long hosts = 0;
    long stopped = 0;
    try (CrawlForTests crawl = new CrawlForTests(hbase, name + seed, splits)) {
      RandomCrawl changes = new RandomCrawl(crawl, seed);
      Configuration conf = conf(crawl);
      conf.set(Settings.SCORE_POLICY, policy);
      for (int round = 0; round < rounds; round++) {
        String batch = "batch-" + round;
        changes.round(batch);
        LrlDbUpdaterJob job = new LrlDbUpdaterJob();
        assertEquals(
            0,
            ToolRunner.run(
                new Configuration(conf), job, new String[] {batch, "-crawlId", name + seed}));
        assertEquals(job.summary().toString(), round == 0, isFull(job.summary()));
        assertAsFull(name + seed + "copy" + round, crawl, policy);
        stopped += job.summary().get(ScoreCounter.ROWS_STOPPED);
        if (round > 0) {
          scored += job.summary().get(ScoreCounter.HOSTS_SCORED);
          hosts += hosts(crawl).size();
        }
      }
    }
    assertEquals(policy.contains("+"), stopped > 0);
    assertTrue(
        scored + " of " + hosts + " hosts were scored: neither none nor all",
        scored > 0 && scored < hosts / 2);
  }

  private static CrawlForTests twoHosts(String id) throws Exception {
    CrawlForTests crawl = new CrawlForTests(hbase, id);
    for (String host : new String[] {"a", "b"}) {
      for (int i = 0; i < 5; i++) {
        crawl.put(
            "http://" + host + ".example/" + i,
            CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "urd:100"));
      }
    }
    crawl.flush();
    return crawl;
  }

  /** A row of a fetched page, as a client whose clock shows this time writes it. */
  private static Put fetched(String key, long millis) {
    return new Put(HBase.utf8(key))
        .addColumn(
            HBase.utf8("f"),
            HBase.utf8("st"),
            millis,
            Bytes.toBytes((int) CrawlStatus.STATUS_FETCHED));
  }

  private static void parse(CrawlForTests crawl, String url, String figures) throws IOException {
    crawl.put(url, CrawlForTests.page(CrawlStatus.STATUS_FETCHED, figures));
    crawl.flush();
  }

  @Test
  public void scoresThatTheLastRunWroteAreNoChange() throws Exception {
    try (CrawlForTests crawl = twoHosts("own")) {
      Configuration conf = conf(crawl);
      assertEquals(10, incremental(conf).get(ScoreCounter.ROWS_WRITTEN));
      Map<String, String> before = crawl.cells();
      ScoreSummary nothing = incremental(conf);
      assertFalse(isFull(nothing));
      assertEquals(0, nothing.get(ScoreCounter.HOSTS_TOUCHED));
      assertEquals(before, crawl.cells());

      parse(crawl, "http://a.example/3", "urd:600");
      ScoreSummary one = incremental(conf);
      assertEquals(one.toString(), 1, one.get(ScoreCounter.HOSTS_SCORED));
      assertEquals(5, one.get(ScoreCounter.ROWS_WRITTEN));
      assertEquals(200f, crawl.score("http://a.example/0"), 0);
      assertAsFull("owncopy", crawl, "mean");
    }
  }

  @Test
  public void otherSettingsMakeAFullRun() throws Exception {
    try (CrawlForTests crawl = twoHosts("settings-changed")) {
      Configuration conf = conf(crawl);
      crawl.put("http://new.example/", CrawlForTests.page(CrawlStatus.STATUS_UNFETCHED, null));
      crawl.flush();
      String[][] changes = {
        {Settings.LANGUAGE_TARGET, "en"},
        {Settings.SCORE_UNKNOWN, "77"},
        {Settings.SCORE_INJECTED, "5"},
        {Settings.SCORE_POLICY, "explore"}
      };
      incremental(conf);
      for (String[] change : changes) {
        assertFalse(isFull(incremental(conf)));
        conf.set(change[0], change[1]);
        ScoreSummary summary = incremental(conf);
        assertTrue(summary.toString(), isFull(summary) && summary.toString().contains("settings"));
      }
      assertEquals(0f, crawl.score("http://a.example/0"), 0);
      assertEquals("a tenth, under explore", 77f * 0.1f, crawl.score("http://new.example/"), 0);
    }
  }

  @Test
  public void fullRunThatIsNotLoggedIsFollowedByAFullRun() throws Exception {
    try (CrawlForTests crawl = twoHosts("unlogged")) {
      Configuration conf = conf(crawl);
      incremental(conf);
      Configuration without = new Configuration(conf);
      without.setBoolean(Settings.SCORE_INCREMENTAL, false);
      without.set(Settings.LANGUAGE_TARGET, "en");
      full(without);
      assertTrue(isFull(incremental(conf)));
      full(conf);
      assertFalse("with the property a full run is logged", isFull(incremental(conf)));
    }
  }

  @Test
  public void runThatWasKilledOrOverlappedMakesTheNextRunsFull() throws Exception {
    try (CrawlForTests crawl = twoHosts("overlap")) {
      Configuration conf = conf(crawl);
      incremental(conf);
      assertFalse(isFull(incremental(conf)));
      // Never closed: its process is gone.
      new RunLog(conf);
      assertTrue(isFull(incremental(conf)));
      assertTrue("the one that was killed may still have been going on", isFull(incremental(conf)));
      assertFalse(isFull(incremental(conf)));

      // One that ends while another goes on, then the other.
      RunLog slow = new RunLog(conf);
      assertTrue(isFull(incremental(conf)));
      slow.end(new ScoreRun("-", 1), "settings");
      slow.close();
      assertTrue(isFull(incremental(conf)));
      assertTrue(isFull(incremental(conf)));
      assertFalse(isFull(incremental(conf)));
    }
  }

  @Test
  public void runThatFailedIsMadeGoodByTheNext() throws Exception {
    try (CrawlForTests crawl = twoHosts("failing-incremental")) {
      Configuration conf = conf(crawl);
      incremental(conf);
      parse(crawl, "http://b.example/1", "urd:5100");
      crawl.setReadOnly(crawl.name(), true);
      assertThrows(Exception.class, () -> incremental(conf));
      crawl.setReadOnly(crawl.name(), false);
      ScoreSummary summary = incremental(conf);
      assertFalse(isFull(summary));
      assertEquals(5, summary.get(ScoreCounter.ROWS_WRITTEN));
      assertAsFull("failing-copy", crawl, "mean");
    }
  }

  @Test
  public void marginFindsWhatAClockThatIsBehindWrote() throws Exception {
    try (CrawlForTests crawl = twoHosts("margin");
        Table table = crawl.connection().getTable(crawl.name())) {
      Configuration conf = conf(crawl);
      long start = System.currentTimeMillis();
      incremental(conf);
      long stamped = start - 600_000;
      table.put(
          fetched("example.a:http/new", stamped)
              .addColumn(
                  HBase.utf8("mtdt"),
                  HBase.utf8(PageKeys.DECISION),
                  stamped,
                  HBase.utf8("reject not parsed")));
      assertEquals(0, incremental(conf).get(ScoreCounter.HOSTS_TOUCHED));
      conf.unset(Settings.SCORE_MARGIN_MILLIS);
      ScoreSummary summary = incremental(conf);
      assertFalse(isFull(summary));
      assertEquals(6, summary.get(ScoreCounter.ROWS_WRITTEN));
      assertEquals((float) (500.0 / 6), crawl.score("http://a.example/1"), 0);
    }
  }

  @Test
  public void writeThatCameLateIsFoundWithItsBatch() throws Exception {
    try (CrawlForTests crawl = twoHosts("late");
        Table table = crawl.connection().getTable(crawl.name())) {
      Configuration conf = conf(crawl);
      crawl.put("http://b.example/1", CrawlForTests.page(CrawlStatus.STATUS_UNFETCHED, null));
      crawl.flush();
      incremental(conf);
      assertEquals(100f, crawl.score("http://b.example/0"), 0);
      // A fetcher of a batch that it began long ago: its client stamped the cells, and sent them
      // only now.
      long stamped = System.currentTimeMillis() - 600_000;
      table.put(
          fetched("example.b:http/late", stamped)
              .addColumn(
                  HBase.utf8("mtdt"),
                  HBase.utf8(PageKeys.LANGUAGES),
                  stamped,
                  HBase.utf8("urd:1100"))
              .addColumn(HBase.utf8("mk"), HBase.utf8("_gnmrk_"), stamped, HBase.utf8("late"))
              .addColumn(HBase.utf8("mk"), HBase.utf8("_ftcmrk_"), stamped, HBase.utf8("late"))
              .addColumn(HBase.utf8("mk"), HBase.utf8("__prsmrk__"), stamped, HBase.utf8("late")));
      assertEquals("not before its batch", 0, incremental(conf).get(ScoreCounter.HOSTS_TOUCHED));
      LrlDbUpdaterJob job = new LrlDbUpdaterJob();
      assertEquals(
          0,
          ToolRunner.run(new Configuration(conf), job, new String[] {"late", "-crawlId", "late"}));
      assertFalse(isFull(job.summary()));
      assertEquals((float) (1500.0 / 5), crawl.score("http://b.example/0"), 0);
      assertAsFull("latecopy", crawl, "mean");
    }
  }

  @Test
  public void updateThatBeganBeforeTheLastRunIsFoundFromItsStart() throws Exception {
    try (CrawlForTests crawl = twoHosts("long-update");
        Table table = crawl.connection().getTable(crawl.name())) {
      Configuration conf = conf(crawl);
      long start = System.currentTimeMillis();
      Thread.sleep(5);
      incremental(conf);
      table.put(fetched("example.a:http/new", start));
      assertEquals(0, incremental(conf).get(ScoreCounter.HOSTS_TOUCHED));
      assertEquals(1, scoring(conf).runIncremental("-", start).get(ScoreCounter.HOSTS_SCORED));
    }
  }

  @Test
  public void scoreJobTakesTheArgumentAfterAStockUpdate() throws Exception {
    try (CrawlForTests crawl = twoHosts("argument")) {
      Configuration conf = conf(crawl);
      conf.unset(Settings.SCORE_INCREMENTAL);
      String[] args = {"-crawlId", "argument", "-incremental"};
      LrlScoreJob job = new LrlScoreJob();
      assertEquals(0, ToolRunner.run(new Configuration(conf), job, args));
      assertTrue(isFull(job.summary()));
      RandomCrawl changes = new RandomCrawl(crawl, 5);
      changes.round("batch-1");
      assertEquals(
          0,
          ToolRunner.run(
              new Configuration(conf),
              new DbUpdaterJob(),
              new String[] {"batch-1", "-crawlId", "argument"}));
      assertEquals(0, ToolRunner.run(new Configuration(conf), job, args));
      assertFalse(isFull(job.summary()));
      assertNotEquals(0, job.summary().get(ScoreCounter.ROWS_WRITTEN));
      assertAsFull("argument-copy", crawl, "mean");
      assertEquals(
          2,
          ToolRunner.run(new Configuration(conf), job, new String[] {"-incremental", "-dryRun"}));
    }
  }
}
