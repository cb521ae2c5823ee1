package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.avro.util.Utf8;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.Job;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.storage.Mark;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.TableUtil;
import org.corpulyzer.corpus.RunFolder;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.corpus.ScoreSummary;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.junit.BeforeClass;
import org.junit.Test;

/** Both passes on a real HBase, against Algorithm 1 as the paper has it: everything in memory. */
public class ScoringTest {

  private static final byte[] STATUSES = {
    CrawlStatus.STATUS_UNFETCHED,
    CrawlStatus.STATUS_FETCHED,
    CrawlStatus.STATUS_GONE,
    CrawlStatus.STATUS_REDIR_TEMP,
    CrawlStatus.STATUS_REDIR_PERM,
    CrawlStatus.STATUS_RETRY,
    CrawlStatus.STATUS_NOTMODIFIED
  };
  private static final String[] SITES = {
    "http://one.example/",
    "http://www.many.example/",
    "http://www.many.example:8080/",
    "https://www.many.example/",
    "http://Mixed.Case.example/",
    "http://mixed.case.example/",
    "http://foo.example/",
    "http://foo-bar.example/",
    "http://bar.foo.example/",
    "https://[2001:db8::1]/",
    "http://[2001:db8::1]:81/",
    "http://[2001:db8::2]/",
    "http://192.0.2.7/",
    "http://xn--mgbh0fb.example/",
    "http://unfetched.example/",
    "http://one.unfetched.example/",
    "http://linked.unfetched.example/",
    "http://localhost/"
  };

  private static HBaseForTests hbase;

  @BeforeClass
  public static void startHBase() throws Exception {
    hbase = HBaseForTests.shared();
  }

  /** The data of a page as the test wrote it. */
  private static final class Page {
    private final String url;
    private final boolean fetched;
    private final long targetBytes;
    private final boolean injected;
    private final boolean found;
    private final boolean elsewhere;
    private final boolean untried;
    private final boolean read;

    /** 0 if there is none. */
    private final float before;

    Page(
        String url,
        boolean fetched,
        long targetBytes,
        boolean injected,
        boolean found,
        boolean elsewhere,
        boolean untried,
        boolean read,
        float before) {
      this.url = url;
      this.fetched = fetched;
      this.targetBytes = targetBytes;
      this.injected = injected;
      this.found = found;
      this.elsewhere = elsewhere;
      this.untried = untried;
      this.read = read;
      this.before = before;
    }
  }

  private static List<Page> fill(CrawlForTests crawl, long seed) throws IOException {
    Random random = new Random(seed);
    List<Page> pages = new ArrayList<>();
    for (String site : SITES) {
      int count =
          site.contains("one.")
              ? 1
              : site.contains("many") ? 1000 + random.nextInt(1000) : 1 + random.nextInt(40);
      for (int i = 0; i < count; i++) {
        pages.add(
            put(
                crawl,
                random,
                site + (i == 0 ? "" : "p/" + i + "?q=a:b;c"),
                site.contains("unfetched")));
      }
    }
    crawl.flush();
    return pages;
  }

  private static Page put(CrawlForTests crawl, Random random, String url, boolean never)
      throws IOException {
    byte status = never ? CrawlStatus.STATUS_UNFETCHED : STATUSES[random.nextInt(STATUSES.length)];
    boolean fetched =
        status == CrawlStatus.STATUS_FETCHED || status == CrawlStatus.STATUS_NOTMODIFIED;
    long bytes = random.nextInt(4) == 0 ? 0 : random.nextInt(1 << random.nextInt(24));
    // Pages that lost their status keep their figures; they count no more.
    boolean figures = random.nextInt(5) > 0 && (fetched || random.nextInt(3) == 0);
    WebPage page =
        CrawlForTests.page(
            status, figures ? (bytes == 0 ? "eng:77" : "eng:9,urd:" + bytes + ",und:3") : null);
    boolean injected = random.nextInt(10) == 0;
    if (injected) {
      page.getMarkers().put(Mark.INJECT_MARK.getName(), new Utf8("y"));
    }
    boolean found = random.nextInt(3) == 0;
    if (found) {
      page.getMarkers().put(new Utf8(PageKeys.FOUND_MARK), new Utf8("y"));
    }
    boolean elsewhere =
        !never && random.nextBoolean() || url.contains("linked") && random.nextInt(4) == 0;
    if (elsewhere) {
      page.getMarkers().put(new Utf8(PageKeys.ELSEWHERE_MARK), new Utf8("y"));
    }
    float before = 0;
    switch (random.nextInt(4)) {
      case 0:
        page.setScore(Float.NaN);
        break;
      case 1:
        before = random.nextFloat();
        page.setScore(before);
        break;
      case 2:
        before = 256f;
        page.setScore(before);
        break;
      default:
        // No score at all, as pages that updatedb found without a scoring filter.
    }
    crawl.put(url, page);
    return new Page(
        url,
        fetched,
        figures ? bytes : 0,
        injected,
        found,
        elsewhere,
        status == CrawlStatus.STATUS_UNFETCHED,
        fetched && figures,
        before);
  }

  private static Map<String, List<Page>> byHost(List<Page> pages) throws IOException {
    Map<String, List<Page>> hosts = new HashMap<>();
    for (Page page : pages) {
      hosts.computeIfAbsent(new URL(page.url).getHost(), host -> new ArrayList<>()).add(page);
    }
    return hosts;
  }

  /** Algorithm 1, with the answers of this project where the paper divides by zero. */
  private static Map<String, Float> naive(List<Page> pages) throws IOException {
    Map<String, Float> scores = new TreeMap<>();
    for (List<Page> host : byHost(pages).values()) {
      long read = host.stream().filter(page -> page.read).count();
      boolean unread = isUnread(host);
      long bytes =
          host.stream().filter(page -> page.fetched).mapToLong(page -> page.targetBytes).sum();
      for (Page page : host) {
        scores.put(
            page.url,
            read > 0
                ? (float) ((double) bytes / read)
                : page.injected
                    ? 1e9f
                    : unread && page.before < 256
                        ? 256f * (1 + page.before / (1 + page.before))
                        : 256f);
      }
    }
    return scores;
  }

  /** Whether pages of a host were fetched, and none has figures. */
  private static boolean isUnread(List<Page> host) {
    return host.stream().anyMatch(page -> page.fetched)
        && host.stream().noneMatch(page -> page.read);
  }

  /**
   * Policy explore, from its description: a tenth for rows found elsewhere, and one probe of a host
   * without fetched pages that only pages in the language lead to, or four rows more than others.
   */
  private static Map<String, Float> naiveExplore(List<Page> pages) throws IOException {
    Map<String, Float> scores = naive(pages);
    int probes = 0;
    for (List<Page> host : byHost(pages).values()) {
      boolean unknown = host.stream().noneMatch(page -> page.fetched);
      boolean elsewhere = host.stream().anyMatch(page -> page.elsewhere);
      long lead =
          host.stream().mapToLong(page -> (page.found ? 1 : 0) - (page.elsewhere ? 1 : 0)).sum();
      if (!isUnread(host)) {
        host.stream()
            .filter(page -> !page.found && !page.injected)
            .forEach(page -> scores.compute(page.url, (url, mean) -> mean * 0.1f));
      }
      if (unknown && (!elsewhere || lead >= 4)) {
        TreeMap<String, String> probed = new TreeMap<>();
        for (Page page : host) {
          if (page.found && !page.injected && page.untried) {
            probed.put(TableUtil.reverseUrl(page.url), page.url);
          }
        }
        if (!probed.isEmpty()) {
          probes++;
          scores.put(probed.firstEntry().getValue(), lead >= 4 ? 5e8f : 2.5e8f);
        }
      }
    }
    assertTrue("a host to probe", probes > 0);
    return scores;
  }

  private static void assertScores(CrawlForTests crawl, Map<String, Float> wanted)
      throws IOException {
    Map<String, String> found = crawl.cells();
    for (Map.Entry<String, Float> page : wanted.entrySet()) {
      String cell = found.get(TableUtil.reverseUrl(page.getKey()) + " s:s");
      String value = Bytes.toStringBinary(Bytes.toBytes(page.getValue()));
      assertEquals(
          page.getKey(), value, cell == null ? null : cell.substring(cell.indexOf(' ') + 1));
    }
  }

  private static ScoreSummary score(Configuration conf) throws Exception {
    return scoring(conf).run("-");
  }

  private static Scoring scoring(Configuration conf) throws IOException {
    return new Scoring(conf, Collections.emptyMap(), new HashMap<>(), job -> {});
  }

  @Test
  public void everyRowGetsItsHostsMeanAsAlgorithm1HasIt() throws Exception {
    for (long seed = 1; seed <= 2; seed++) {
      try (CrawlForTests crawl = new CrawlForTests(hbase, "equal" + seed)) {
        Map<String, Float> wanted = naive(fill(crawl, seed));
        ScoreSummary summary = score(crawl.conf());
        assertScores(crawl, wanted);
        assertEquals(wanted.size(), summary.get(ScoreCounter.PAGES));
        assertEquals(
            wanted.size(),
            summary.get(ScoreCounter.ROWS_WRITTEN) + summary.get(ScoreCounter.ROWS_UNCHANGED));
      }
    }
  }

  @Test
  public void exploringTellsRowsApartAndProbesOneOfAnUnknownHostsRowsOverRegionsToo()
      throws Exception {
    String[] splits = {
      "example.many.www:http/p/5", "example.unfetched:http/p/3", "example.unfetched.one:http/p/2"
    };
    try (CrawlForTests crawl = new CrawlForTests(hbase, "explore", splits)) {
      List<Page> pages = fill(crawl, 21);
      Configuration conf = crawl.conf();
      conf.set(Settings.SCORE_POLICY, "explore");
      score(conf);
      assertScores(crawl, naiveExplore(pages));
      Map<String, String> after = crawl.cells();
      ScoreSummary second = score(conf);
      assertEquals("rows written by a second run", 0, second.get(ScoreCounter.ROWS_WRITTEN));
      assertEquals(
          "hosts that a second run looks through", 0, second.get(ScoreCounter.HOSTS_CHANGED));
      assertEquals(after, crawl.cells());
      score(crawl.conf());
      assertScores(crawl, naive(pages));
    }
  }

  @Test
  public void aCrawlWithFewFiguresKeepsItsScoresUnlessForced() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(hbase, "older")) {
      for (int i = 0; i < 4; i++) {
        WebPage older = CrawlForTests.page(CrawlStatus.STATUS_FETCHED, null);
        older.setScore((float) i);
        crawl.put("http://older.example/" + i, older);
      }
      crawl.put("http://read.example/", CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "urd:900"));
      crawl.flush();
      Map<String, String> before = crawl.cells();
      String refused =
          assertThrows(CorpulyzerException.class, () -> score(crawl.conf())).getMessage();
      assertTrue(
          refused,
          refused.contains("figures of 1 of 5 fetched pages, fewer than half")
              && refused.contains("org.corpulyzer.jobs.ReparseJob -crawlId older"));
      assertEquals(before, crawl.cells());
      assertEquals(null, RunLog.lastTarget(crawl.conf()));
      Map<String, Object> forced = new HashMap<>();
      forced.put("force", true);
      new Scoring(crawl.conf(), forced, new HashMap<>(), job -> {}).run("-");
      assertEquals(900f, crawl.score("http://read.example/"), 0);
      assertEquals(256f, crawl.score("http://older.example/0"), 0);
      assertEquals(384f, crawl.score("http://older.example/1"), 0);
      assertEquals(448f, crawl.score("http://older.example/3"), 0);
    }
  }

  @Test
  public void theLineSaysWhatTheCrawlHasMoreThanAfterTheRunBefore() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(hbase, "rounds")) {
      int fetched = CrawlStatus.STATUS_FETCHED;
      crawl.put("http://a.example/", CrawlForTests.page(fetched, "urd:500,eng:8"));
      crawl.flush();
      String first = score(crawl.conf()).toString();
      assertTrue(first, first.endsWith("; 500 bytes in the language on 1 hosts"));
      crawl.put("http://a.example/2", CrawlForTests.page(fetched, "urd:300"));
      crawl.put("http://b.example/", CrawlForTests.page(fetched, "urd:1000"));
      WebPage rejected = CrawlForTests.page(fetched, "eng:900");
      CrawlForTests.metadata(rejected, PageKeys.DECISION, "reject little");
      crawl.put("http://c.example/", rejected);
      crawl.flush();
      String second = score(crawl.conf()).toString();
      assertTrue(
          second,
          second.matches(
              ".*; 1800 bytes in the language on 2 hosts; since the run of 20[-0-9T:]+Z:"
                  + " \\+3 fetched, \\+2 keep \\(yield 66\\.7 %\\), \\+1300 bytes,"
                  + " \\+1 hosts with text"));
      String third = score(crawl.conf()).toString();
      assertTrue(third, third.endsWith(": +0 fetched, +0 keep, +0 bytes, +0 hosts with text"));
    }
  }

  @Test
  public void hostsThatAreGivenUpKeepTheirRowsAndComeBackWithTheSetting() throws Exception {
    String[] splits = {"example.barren:http/1"};
    try (CrawlForTests crawl = new CrawlForTests(hbase, "stops", splits)) {
      for (int i = 0; i < 3; i++) {
        crawl.put(
            "http://barren.example/" + i,
            CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "eng:900,urd:" + 25 * i));
        crawl.put(
            "http://full.example/" + i, CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "urd:3000"));
        crawl.put(
            "http://unread.example/" + i,
            CrawlForTests.page(CrawlStatus.STATUS_FETCHED, i == 0 ? null : "eng:900"));
        crawl.put(
            "http://figures.example/" + i,
            CrawlForTests.page(CrawlStatus.STATUS_FETCHED, i == 0 ? "urd:many" : "eng:900"));
      }
      WebPage seed = CrawlForTests.page(CrawlStatus.STATUS_UNFETCHED, null);
      seed.getMarkers().put(Mark.INJECT_MARK.getName(), new Utf8("y"));
      crawl.put("http://barren.example/seed", seed);
      crawl.put("http://full.example/next", CrawlForTests.page(CrawlStatus.STATUS_UNFETCHED, null));
      crawl.flush();
      score(crawl.conf());
      Map<String, String> before = crawl.cells();

      Configuration conf = crawl.conf();
      conf.set(Settings.SCORE_POLICY, "mean+barren:3+limit:4");
      ScoreSummary barren = score(conf);
      for (String page : new String[] {"0", "1", "2", "seed"}) {
        assertEquals(-1f, crawl.score("http://barren.example/" + page), 0);
      }
      assertEquals(3000f, crawl.score("http://full.example/next"), 0);
      assertEquals(0f, crawl.score("http://unread.example/0"), 0);
      assertEquals(0f, crawl.score("http://figures.example/0"), 0);
      assertEquals(1, barren.get(ScoreCounter.HOSTS_BARREN));
      assertEquals(0, barren.get(ScoreCounter.HOSTS_LIMIT));
      assertEquals(4, barren.get(ScoreCounter.ROWS_STOPPED));
      assertTrue(
          barren.toString(),
          barren
              .toString()
              .contains(
                  "4 hosts scored (of these generated no more: 1 barren, 0 at the limit, with 4"
                      + " rows); "));

      conf.set(Settings.SCORE_POLICY, "explore+limit:3");
      ScoreSummary limit = score(conf);
      assertEquals(4, limit.get(ScoreCounter.HOSTS_LIMIT));
      assertEquals(-2f, crawl.score("http://full.example/next"), 0);
      assertEquals(-2f, crawl.score("http://barren.example/seed"), 0);
      assertEquals("rows written by a second run", 0, score(conf).get(ScoreCounter.ROWS_WRITTEN));

      score(crawl.conf());
      assertEquals("values but for their times", values(before), values(crawl.cells()));
    }
  }

  @Test
  public void hostsOfLowByteYieldStopByTheDownloadedBytesOfTheirRows() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(hbase, "yields")) {
      for (int i = 0; i < 20; i++) {
        for (String host : new String[] {"heavy", "light"}) {
          WebPage page = CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "urd:900");
          String size = host.equals("heavy") ? "400000" : "40000";
          CrawlForTests.metadata(page, PageKeys.RAW_BYTES, size);
          crawl.put("http://" + host + ".example/" + i, page);
        }
      }
      crawl.put(
          "http://heavy.example/next", CrawlForTests.page(CrawlStatus.STATUS_UNFETCHED, null));
      crawl.flush();
      // The threshold of 20 pages is 0.3 %; the byte yields are 0.225 and 2.25 %.
      Configuration conf = crawl.conf();
      conf.set(Settings.SCORE_POLICY, "explore+rising:0.01");
      ScoreSummary summary = score(conf);
      assertEquals(1, summary.get(ScoreCounter.HOSTS_LOW_YIELD));
      assertEquals(21, summary.get(ScoreCounter.ROWS_STOPPED));
      assertEquals(-3f, crawl.score("http://heavy.example/next"), 0);
      assertEquals(90f, crawl.score("http://light.example/0"), 0.01f);
      score(crawl.conf());
      assertEquals(900f, crawl.score("http://heavy.example/next"), 0);
    }
  }

  private static Map<String, String> values(Map<String, String> cells) {
    Map<String, String> values = new TreeMap<>();
    cells.forEach(
        (cell, timeAndValue) ->
            values.put(cell, timeAndValue.substring(timeAndValue.indexOf(' ') + 1)));
    return values;
  }

  @Test
  public void nothingButTheScoreOfChangedRowsIsWrittenAndOnlyOnce() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(hbase, "cells")) {
      Map<String, Float> wanted = naive(fill(crawl, 11));
      Map<String, String> before = crawl.cells();
      ScoreSummary summary = score(crawl.conf());
      Map<String, String> after = crawl.cells();

      long changed = 0;
      for (String cell : after.keySet()) {
        if (!after.get(cell).equals(before.get(cell))) {
          assertTrue(cell, cell.endsWith(" s:s"));
          changed++;
        }
      }
      assertTrue(after.keySet().containsAll(before.keySet()));
      assertEquals(summary.get(ScoreCounter.ROWS_WRITTEN), changed);
      assertTrue("some rows had their score already", summary.get(ScoreCounter.ROWS_UNCHANGED) > 0);

      assertEquals(0, score(crawl.conf()).get(ScoreCounter.ROWS_WRITTEN));
      assertEquals(after, crawl.cells());
      assertScores(crawl, wanted);
    }
  }

  @Test
  public void dryRunTellsWhatWouldChangeAndWritesNothing() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(hbase, "dry")) {
      fill(crawl, 12);
      Map<String, String> before = crawl.cells();
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      ScoreSummary dry = scoring(crawl.conf()).dryRun(new PrintStream(out, true, "UTF-8"));

      assertEquals(before, crawl.cells());
      assertFalse("no host table", crawl.exists(HBaseHostTable.name(crawl.conf())));
      String printed = out.toString("UTF-8");
      assertTrue(printed, printed.contains("example.many.www\t"));
      ScoreSummary wet = score(crawl.conf());
      assertEquals(wet.get(ScoreCounter.ROWS_WRITTEN), dry.get(ScoreCounter.ROWS_WRITTEN));
      assertTrue(
          dry.toString(),
          dry.toString().contains(dry.get(ScoreCounter.ROWS_WRITTEN) + " rows would change, "));
      assertFalse(dry.toString(), dry.toString().contains("rows written"));
      assertTrue(
          wet.toString(),
          wet.toString().contains(": target language urd; ")
              && wet.toString().contains(" rows written, "));
    }
  }

  @Test
  public void anotherTargetThanTheHostTablesIsRefusedUnlessTold() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(hbase, "retarget")) {
      fill(crawl, 12);
      score(crawl.conf());
      Map<String, String> urdu = crawl.cells();
      Configuration english = new Configuration(crawl.conf());
      english.set(Settings.LANGUAGE_TARGET, "en");
      CorpulyzerException refused = assertThrows(CorpulyzerException.class, () -> score(english));
      assertTrue(
          refused.getMessage(),
          refused
              .getMessage()
              .contains(
                  "are scored for the language urd, but corpulyzer.language.target is eng: "));
      assertTrue(
          refused.getMessage(),
          refused.getMessage().contains("LrlScoreJob -crawlId retarget -newTarget\""));
      assertEquals(urdu, crawl.cells());

      new Scoring(
              english,
              Collections.singletonMap(LrlScoreJob.ARG_NEW_TARGET, true),
              new HashMap<>(),
              job -> {})
          .run("-");
      assertFalse(urdu.equals(crawl.cells()));
      score(english);
      assertThrows(CorpulyzerException.class, () -> score(crawl.conf()));
    }
  }

  @Test
  public void withoutThePluginNothingIsScored() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(hbase, "unplugged")) {
      fill(crawl, 12);
      Map<String, String> before = crawl.cells();
      Configuration unplugged = crawl.conf();
      unplugged.set("plugin.includes", "protocol-http|parse-html");
      CorpulyzerException refused = assertThrows(CorpulyzerException.class, () -> score(unplugged));
      assertTrue(
          refused.getMessage(),
          refused
              .getMessage()
              .startsWith(
                  "plugin.includes does not include corpulyzer (it is protocol-http|parse-html)"));
      assertEquals(before, crawl.cells());
    }
  }

  @Test
  public void jobThatFailsNamesTheCauseOfItsTask() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(hbase, "caused")) {
      fill(crawl, 12);
      crawl.observe(RefusingObserver.class);
      RefusingObserver.refusesScores = true;
      try {
        IOException failure = assertThrows(IOException.class, () -> score(crawl.conf()));
        assertTrue(
            failure.getMessage(),
            failure.getMessage().startsWith("Job '[caused]corpulyzer row scores' ")
                && failure.getMessage().contains("refused by the test"));
        assertFalse("one line", failure.getMessage().contains("\n"));
      } finally {
        RefusingObserver.refusesScores = false;
      }
    }
  }

  @Test
  public void hostThatSpansRegionsHasOneMean() throws Exception {
    String[] splits = {
      "example.foo", "example.many.www:http/p/5", "example.many.www:http:8080/p/3"
    };
    try (CrawlForTests crawl = new CrawlForTests(hbase, "regions", splits)) {
      Map<String, Float> wanted = naive(fill(crawl, 13));
      assertEquals(4, crawl.regions());
      ScoreSummary summary = score(crawl.conf());
      assertScores(crawl, wanted);
      assertEquals(15, summary.get(ScoreCounter.HOSTS_SCORED));
    }
  }

  @Test
  public void runThatWasKilledIsMadeGoodByTheNext() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(hbase, "killed")) {
      Map<String, Float> wanted = naive(fill(crawl, 14));
      Configuration conf = crawl.conf();
      HBaseHostTable.create(conf);
      WebTable table = WebTable.of(conf);
      try (RunFolder folder = new RunFolder(conf)) {
        Job first =
            HostPass.job(conf, table, new ScoreRun("-", 1), null, folder.path("changed"), false);
        assertTrue(first.waitForCompletion(false));
        Job second = RowPass.job(conf, table, folder.path("changed"), true, null);
        second.submit();
        second.killJob();
      }
      score(conf);
      assertScores(crawl, wanted);
    }
  }

  @Test
  public void writeThatHBaseRefusesFailsTheRunAndTheNextOneMakesItGood() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(hbase, "refused")) {
      Map<String, Float> wanted = naive(fill(crawl, 15));
      Map<String, String> before = crawl.cells();
      HBaseHostTable.create(crawl.conf());
      for (TableName refusing : new TableName[] {HBaseHostTable.name(crawl.conf()), crawl.name()}) {
        crawl.setReadOnly(refusing, true);
        assertThrows(Exception.class, () -> score(crawl.conf()));
        assertEquals(before, crawl.cells());
        crawl.setReadOnly(refusing, false);
      }
      score(crawl.conf());
      assertScores(crawl, wanted);
    }
  }

  @Test
  public void scoreIsNotHiddenByACellFromAClockThatIsAhead() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(hbase, "clock");
        Table table = crawl.connection().getTable(crawl.name())) {
      crawl.put("http://a.example/", CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "urd:400"));
      crawl.flush();
      long ahead = System.currentTimeMillis() + 600_000;
      table.put(
          new Put(HBase.utf8("example.a:http/"))
              .addColumn(
                  CrawlForTests.SCORE_FAMILY,
                  CrawlForTests.SCORE_QUALIFIER,
                  ahead,
                  Bytes.toBytes(1f)));
      score(crawl.conf());
      assertEquals(400f, crawl.score("http://a.example/"), 0);
    }
  }

  @Test
  public void oddRowsAreCountedAndHarmNoOther() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(hbase, "odd")) {
      Map<String, WebPage> rows = new LinkedHashMap<>();
      rows.put("http://good.example/1", CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "urd:100"));
      rows.put("http://good.example/2", CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "urd:many"));
      rows.put("http://good.example/3", CrawlForTests.page(CrawlStatus.STATUS_FETCHED, null));
      rows.put("http://good.example:80/", CrawlForTests.page(CrawlStatus.STATUS_UNFETCHED, null));
      rows.put("https://good.example:443/", CrawlForTests.page(CrawlStatus.STATUS_UNFETCHED, null));
      rows.put(
          "https://good.example:4430/", CrawlForTests.page(CrawlStatus.STATUS_UNFETCHED, null));
      rows.put("http://GOOD.example/", CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "urd:8"));
      CrawlForTests.metadata(rows.get("http://good.example/1"), PageKeys.VERSION, "0 older");
      CrawlForTests.metadata(
          rows.get("http://GOOD.example/"), PageKeys.DECISION, "reject too little");
      for (Map.Entry<String, WebPage> row : rows.entrySet()) {
        crawl.put(row.getKey(), row.getValue());
      }
      crawl.putKey("no host at all", CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "urd:1"));
      crawl.putKey(
          "example.good:7 is no scheme", CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "urd:1"));
      crawl.flush();

      ScoreSummary summary = score(crawl.conf());
      // Neither the malformed figures nor the page without any are in the mean.
      assertEquals(100f, crawl.score("http://good.example/1"), 0);
      assertEquals(8f, crawl.score("http://GOOD.example/"), 0);
      assertEquals(2, summary.get(ScoreCounter.MALFORMED_KEYS));
      assertEquals(3, summary.get(ScoreCounter.UNNORMALISED_HOSTS));
      assertEquals(1, summary.get(ScoreCounter.MALFORMED_FIGURES));
      assertEquals(1, summary.get(ScoreCounter.STALE));
      assertEquals(2, summary.get(ScoreCounter.KEEP));
      assertEquals(1, summary.get(ScoreCounter.REJECT));
      assertEquals(1, summary.get(ScoreCounter.NONE));
      assertEquals(7, summary.get(ScoreCounter.ROWS_WRITTEN));
    }
  }
}
