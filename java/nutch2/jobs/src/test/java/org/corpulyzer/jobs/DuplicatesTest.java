package org.corpulyzer.jobs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.avro.util.Utf8;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.crawl.MD5Signature;
import org.apache.nutch.storage.Mark;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.TableUtil;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.corpus.ScoreSummary;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.junit.BeforeClass;
import org.junit.Test;

/** Duplicates that count as 0 bytes, on a real HBase. */
public class DuplicatesTest {

  private static final String MARK = "mk:" + PageKeys.DUPLICATE_MARK;

  private static HBaseForTests hbase;

  @BeforeClass
  public static void startHBase() throws Exception {
    hbase = HBaseForTests.shared();
  }

  private static Configuration conf(CrawlForTests crawl) {
    Configuration conf = crawl.conf();
    conf.set(Settings.SCORE_DUPLICATES, "zero");
    conf.set("db.signature.class", TextMD5Signature.class.getName());
    conf.setLong(Settings.SCORE_MARGIN_MILLIS, 0);
    return conf;
  }

  private static Scoring scoring(Configuration conf) throws Exception {
    Map<String, Object> args = Collections.singletonMap(LrlScoreJob.ARG_NEW_TARGET, true);
    return new Scoring(conf, args, new HashMap<>(), job -> {});
  }

  private static ScoreSummary run(Configuration conf) throws Exception {
    return scoring(conf).run("-");
  }

  private static WebPage page(int text, long bytes) {
    WebPage page = CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "urd:" + bytes);
    page.setSignature(ByteBuffer.wrap(HBase.utf8("text " + text)));
    return page;
  }

  private static boolean isMarked(CrawlForTests crawl, String url) throws Exception {
    String cell = crawl.cells().get(TableUtil.reverseUrl(url) + " " + MARK);
    return cell != null && cell.endsWith(" y");
  }

  /** Three pages of a host, and the same pages of a mirror that was fetched later. */
  private static void original(CrawlForTests crawl) throws Exception {
    for (int i = 0; i < 3; i++) {
      crawl.put("http://original.example/" + i, page(i, 1000));
    }
    crawl.flush();
  }

  private static void mirror(CrawlForTests crawl) throws Exception {
    for (int i = 0; i < 3; i++) {
      crawl.put("http://m.example/" + i, page(i, 1000));
    }
    crawl.put("http://m.example/own", page(9, 1000));
    crawl.flush();
  }

  @Test
  public void aMirrorThatIsFoundLaterSinksAndAnotherRunChangesNothing() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(hbase, "mirrors", "f", "p")) {
      original(crawl);
      Configuration conf = conf(crawl);
      assertEquals(0, run(conf).get(ScoreCounter.DUPLICATES));
      Thread.sleep(5);
      mirror(crawl);
      ScoreSummary summary = run(conf);
      assertEquals(3, summary.get(ScoreCounter.DUPLICATES));
      assertEquals(3, summary.get(ScoreCounter.DUPLICATES_CHANGED));
      assertEquals(7, summary.get(ScoreCounter.FETCHED));
      assertEquals(4, summary.get(ScoreCounter.KEEP));
      assertTrue(summary.toString(), summary.toString().contains("3 duplicates"));
      assertEquals(1000, crawl.score("http://original.example/0"), 0);
      assertEquals(250, crawl.score("http://m.example/0"), 0);
      Map<String, String> cells = crawl.cells();
      ScoreSummary again = run(conf);
      assertEquals(0, again.get(ScoreCounter.DUPLICATES_CHANGED));
      assertEquals(cells, crawl.cells());

      conf.set(Settings.SCORE_DUPLICATES, "count");
      assertEquals(0, run(conf).get(ScoreCounter.DUPLICATES));
      assertEquals(1000, crawl.score("http://m.example/0"), 0);
    }
  }

  @Test
  public void aDuplicateTakesThePlaceOfAPageThatIsGoneOrHasAnotherText() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(hbase, "places")) {
      original(crawl);
      Configuration conf = conf(crawl);
      run(conf);
      Thread.sleep(5);
      mirror(crawl);
      run(conf);
      assertTrue(isMarked(crawl, "http://m.example/0"));
      WebPage gone = crawl.get("http://original.example/0");
      gone.setStatus((int) CrawlStatus.STATUS_GONE);
      crawl.put("http://original.example/0", gone);
      crawl.put("http://original.example/1", page(77, 1000));
      crawl.put("http://m.example/2", page(78, 1000));
      crawl.flush();
      ScoreSummary summary = run(conf);
      assertEquals(0, summary.get(ScoreCounter.DUPLICATES));
      assertEquals(3, summary.get(ScoreCounter.DUPLICATES_CHANGED));
      for (int i = 0; i < 3; i++) {
        assertFalse(isMarked(crawl, "http://m.example/" + i));
      }
      assertEquals(1000, crawl.score("http://m.example/0"), 0);
    }
  }

  @Test
  public void anIncrementalRunGivesTheScoresOfAFullOne() throws Exception {
    Map<Boolean, Map<String, Float>> scores = new TreeMap<>();
    for (boolean incremental : new boolean[] {false, true}) {
      try (CrawlForTests crawl = new CrawlForTests(hbase, "increments" + incremental, "h5")) {
        Configuration conf = conf(crawl);
        conf.setBoolean(Settings.SCORE_INCREMENTAL, true);
        Random random = new Random(5);
        Map<String, Float> all = new TreeMap<>();
        boolean increments = false;
        for (int round = 0; round < 3; round++) {
          long start = System.currentTimeMillis();
          for (int i = 0; i < 60; i++) {
            String url = "http://h" + random.nextInt(10) + ".example/" + round + "/" + i;
            crawl.put(url, page(random.nextInt(50), 100 + random.nextInt(900)));
            all.put(url, null);
          }
          crawl.flush();
          Scoring scoring = scoring(conf);
          ScoreSummary summary =
              incremental ? scoring.runIncremental("-", start) : scoring.run("-");
          increments |= summary.toString().contains("(incremental");
          Thread.sleep(5);
        }
        assertEquals(incremental, increments);
        for (String url : all.keySet()) {
          all.put(url, crawl.score(url));
        }
        scores.put(incremental, all);
      }
    }
    assertEquals(scores.get(false), scores.get(true));
  }

  @Test
  public void updatedbKeepsTheMarksAndItsBatchIsCompared() throws Exception {
    for (boolean incremental : new boolean[] {false, true}) {
      String id = "updates" + incremental;
      try (CrawlForTests crawl = new CrawlForTests(hbase, id)) {
        original(crawl);
        Configuration conf = conf(crawl);
        conf.setBoolean(Settings.SCORE_INCREMENTAL, incremental);
        run(conf);
        Thread.sleep(5);
        mirror(crawl);
        run(conf);
        WebPage marked = crawl.get("http://m.example/0");
        marked.setFetchInterval(2592000);
        inBatch(marked, "http://linked.example/");
        crawl.put("http://m.example/0", marked);
        WebPage fourth = page(0, 1000);
        fourth.setFetchInterval(2592000);
        inBatch(fourth, "http://linked.example/");
        crawl.put("http://third.example/0", fourth);
        crawl.flush();
        LrlDbUpdaterJob job = new LrlDbUpdaterJob();
        assertEquals(0, ToolRunner.run(conf, job, new String[] {"b-1", "-crawlId", id}));
        assertTrue(isMarked(crawl, "http://m.example/0"));
        assertTrue(isMarked(crawl, "http://third.example/0"));
        assertEquals(1, job.summary().get(ScoreCounter.DUPLICATES_CHANGED));
        assertEquals(250, crawl.score("http://m.example/0"), 0);
        assertEquals(0, crawl.score("http://third.example/0"), 0);
        assertEquals(1000, crawl.score("http://original.example/0"), 0);
      }
    }
  }

  private static void inBatch(WebPage page, String outlink) {
    page.getMarkers().put(new Utf8("dist"), new Utf8("0"));
    Mark.GENERATE_MARK.putMark(page, "b-1");
    Mark.FETCH_MARK.putMark(page, "b-1");
    Mark.PARSE_MARK.putMark(page, "b-1");
    page.getOutlinks().put(new Utf8(outlink), new Utf8("anchor"));
  }

  @Test
  public void aDryRunCountsTheChangesAndWritesNothing() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(hbase, "dry")) {
      original(crawl);
      mirror(crawl);
      Map<String, String> cells = crawl.cells();
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      ScoreSummary summary = scoring(conf(crawl)).dryRun(new PrintStream(out, true, "UTF-8"));
      assertEquals(3, summary.get(ScoreCounter.DUPLICATES_CHANGED));
      assertEquals(cells, crawl.cells());
    }
  }

  @Test
  public void theSignatureOfThePageAsFetchedIsRefused() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(hbase, "raw")) {
      original(crawl);
      Configuration conf = conf(crawl);
      conf.unset("db.signature.class");
      String message = assertThrows(CorpulyzerException.class, () -> scoring(conf)).getMessage();
      assertTrue(
          message,
          message.startsWith(
                  "Property corpulyzer.score.duplicates is 'zero', which compares pages by their"
                      + " signature, and db.signature.class is"
                      + " 'org.apache.nutch.crawl.MD5Signature'")
              && message.contains("org.corpulyzer.jobs.TextMD5Signature (equal texts)"));
    }
  }

  @Test
  public void theSignatureIsThatOfTheTextOrOfThePageIfItHasNone() {
    TextMD5Signature signature = new TextMD5Signature();
    WebPage page = WebPage.newBuilder().build();
    page.setBaseUrl("http://a.example/");
    page.setContent(ByteBuffer.wrap(HBase.utf8("<p>one")));
    WebPage other = WebPage.newBuilder(page).build();
    other.setContent(ByteBuffer.wrap(HBase.utf8("<div>one")));
    page.setText("");
    assertArrayEquals(new MD5Signature().calculate(page), signature.calculate(page));
    page.setText("one");
    other.setText("one");
    assertArrayEquals(signature.calculate(page), signature.calculate(other));
    assertTrue(signature.getFields().contains(WebPage.Field.TEXT));
  }
}
