package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.avro.util.Utf8;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.storage.Mark;
import org.apache.nutch.storage.WebPage;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.LinkCounts;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.junit.BeforeClass;
import org.junit.Test;

/** Policy pages on Nutch 2.4: what generate finds in HBase. */
public class PagesPassTest {

  private static final int TOP = 12;
  private static final String SEED = "http://seed.example/";

  /** A new host that two good pages link to with anchors in the language. */
  private static final String LINKED = "http://linked.example/news";

  private static HBaseForTests hbase;

  @BeforeClass
  public static void startHBase() throws Exception {
    hbase = HBaseForTests.shared();
  }

  private static Configuration conf(CrawlForTests crawl) {
    Configuration conf = crawl.conf();
    conf.set(Settings.SCORE_POLICY, "pages:100");
    conf.setInt(Settings.SCORE_TOP_N, TOP);
    return conf;
  }

  private static WebPage unfetched() {
    return CrawlForTests.page(CrawlStatus.STATUS_UNFETCHED, null);
  }

  private static WebPage fetched(boolean isKept) {
    WebPage page = CrawlForTests.page(CrawlStatus.STATUS_FETCHED, isKept ? "urd:900" : "eng:900");
    if (!isKept) {
      CrawlForTests.metadata(page, PageKeys.DECISION, "reject 0 bytes");
    }
    page.setFetchTime(System.currentTimeMillis() + 1_000_000_000L);
    return page;
  }

  /** Hosts with a section in Urdu and one in English, hosts without Urdu, a new host, a seed. */
  private static Map<String, WebPage> rows() {
    Map<String, WebPage> rows = new LinkedHashMap<>();
    for (int host = 0; host < 4; host++) {
      for (int page = 0; page < 12; page++) {
        String origin = "http://h" + host + ".example/";
        boolean isFetched = page < 6;
        rows.put(origin + "ur/" + page, isFetched ? fetched(true) : unfetched());
        rows.put(origin + "en/" + page, isFetched ? fetched(false) : unfetched());
        rows.put(
            "http://poor" + host + ".example/" + page, isFetched ? fetched(false) : unfetched());
      }
    }
    LinkCounts links = new LinkCounts();
    for (int link = 0; link < 9; link++) {
      links.addLink(true, true, true);
    }
    WebPage linked = unfetched();
    CrawlForTests.metadata(linked, PageKeys.LINK_COUNTS, links.toString());
    rows.put(LINKED, linked);
    WebPage seed = unfetched();
    Mark.INJECT_MARK.putMark(seed, new Utf8("y"));
    rows.put(SEED, seed);
    return rows;
  }

  private static Set<String> put(CrawlForTests crawl, Map<String, WebPage> rows) throws Exception {
    for (Map.Entry<String, WebPage> row : rows.entrySet()) {
      crawl.put(row.getKey(), row.getValue());
    }
    crawl.flush();
    return rows.keySet();
  }

  private static String score(Configuration conf) throws Exception {
    return new Scoring(conf, new HashMap<>(), new HashMap<>(), job -> {}).run("-").toString();
  }

  /** What a generate of so many rows would take. */
  private static List<String> best(CrawlForTests crawl, Set<String> urls, int top)
      throws Exception {
    Map<String, Float> scores = new HashMap<>();
    for (String url : urls) {
      if (crawl.get(url).getStatus() == CrawlStatus.STATUS_UNFETCHED) {
        scores.put(url, crawl.score(url));
      }
    }
    return scores.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .limit(top)
        .map(Map.Entry::getKey)
        .collect(Collectors.toList());
  }

  private static Set<String> predicted(CrawlForTests crawl, Set<String> urls, String round)
      throws Exception {
    Set<String> predicted = new HashSet<>();
    for (String url : urls) {
      if (prediction(crawl.get(url)).startsWith(round + " ")) {
        predicted.add(url);
      }
    }
    return predicted;
  }

  private static String prediction(WebPage row) {
    java.nio.ByteBuffer text = row.getMetadata().get(new Utf8(PageKeys.PREDICTION));
    return text == null ? "" : StandardCharsets.UTF_8.decode(text.duplicate()).toString();
  }

  @Test
  public void generateFindsTheChoiceAsTheBestRowsWhateverTheRegionsAre() throws Exception {
    List<String> all = new ArrayList<>();
    for (String[] splits : new String[][] {{}, {"example.h2:", "example.linked:"}}) {
      try (CrawlForTests crawl = new CrawlForTests(hbase, "pages" + splits.length, splits)) {
        Set<String> urls = put(crawl, rows());
        String summary = score(conf(crawl));
        assertTrue(summary, summary.contains("; 12 rows chosen, 1 of them probes"));
        List<String> best = best(crawl, urls, TOP);
        assertEquals(SEED, best.get(0));
        assertEquals(1e9f, crawl.score(SEED), 0);
        assertTrue(best.toString(), best.contains(LINKED));
        assertEquals(
            "the others are in sections in the language",
            TOP - 2,
            best.stream().filter(url -> url.contains("/ur/")).count());
        Set<String> chosen = predicted(crawl, urls, "1");
        assertEquals(TOP - 1, chosen.size());
        assertTrue(best + " " + chosen, best.containsAll(chosen));
        float least = crawl.score(best.get(TOP - 1));
        assertTrue(crawl.score(best(crawl, urls, TOP + 1).get(TOP)) < least);
        assertEquals("rows that are not due", 450f, crawl.score("http://h0.example/ur/0"), 0);
        StringBuilder stored = new StringBuilder();
        for (String url : urls) {
          stored.append(url + crawl.score(url) + prediction(crawl.get(url)) + "\n");
        }
        all.add(stored.toString());
      }
    }
    assertEquals(all.get(0), all.get(1));
  }

  @Test
  public void theNextRunChargesWhatTheChoiceHasGiven() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(hbase, "pagesnext")) {
      Set<String> urls = put(crawl, rows());
      score(conf(crawl));
      Set<String> chosen = predicted(crawl, urls, "1");
      for (String url : chosen) {
        WebPage page = fetched(!url.equals(LINKED));
        CrawlForTests.metadata(page, PageKeys.PREDICTION, prediction(crawl.get(url)));
        crawl.put(url, page);
      }
      crawl.flush();
      String summary = score(conf(crawl));
      assertTrue(summary, summary.contains("; the last choice: 0 of 1 pages of new hosts kept, "));
      assertTrue(summary, summary.matches("(?s).* bytes lost by them, Brier score 0\\.[0-9]{3}.*"));
      assertEquals("rows that were fetched keep theirs", chosen, predicted(crawl, urls, "1"));
      Set<String> before = predicted(crawl, urls, "2");
      assertFalse(before.isEmpty());
      score(conf(crawl));
      assertEquals("nothing was fetched", Collections.emptySet(), predicted(crawl, urls, "2"));
      assertEquals(before, predicted(crawl, urls, "3"));

      HBaseHostTable.drop(conf(crawl));
      String without = score(conf(crawl));
      assertFalse("charged without a state", without.contains("the last choice"));
      assertEquals("no number twice", chosen, predicted(crawl, urls, "1"));
      assertFalse(predicted(crawl, urls, "4").isEmpty());
    }
  }

  @Test
  public void aRowBehindTheChoiceKeepsAScoreThatIsNear() throws Exception {
    Map<String, Float> first = new HashMap<>();
    Map<String, Float> second = new HashMap<>();
    long written = secondRun("pageskept", false, first, second);
    Map<String, Float> exact = new HashMap<>();
    long all = secondRun("pagesexact", true, new HashMap<>(), exact);
    assertTrue(written + " rows written of " + all, all > 200 && written < all / 2);
    float least =
        exact.values().stream().sorted(Comparator.reverseOrder()).skip(TOP - 2).findFirst().get();
    int kept = 0;
    for (String url : exact.keySet()) {
      float wanted = exact.get(url);
      float is = second.get(url);
      if (is != wanted) {
        kept++;
        assertEquals(url, first.get(url), is, 0);
        assertTrue(url + " " + is, is < least && Math.abs(is - wanted) <= 0.02f * least);
      }
    }
    assertTrue(kept + " rows with a score of the first run", kept > 100);
  }

  @Test
  public void aRowThatIsNotDueKeepsAScoreNearToTheMeanOfItsHost() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(hbase, "pagesnotdue")) {
      Map<String, WebPage> rows = rows();
      float[] stored = {442, 458, 440, 460, -2};
      for (int page = 0; page < stored.length; page++) {
        rows.get("http://h0.example/ur/" + page).setScore(stored[page]);
      }
      put(crawl, rows);
      score(conf(crawl));
      float[] wanted = {442, 458, 450, 450, 450};
      for (int page = 0; page < wanted.length; page++) {
        assertEquals(wanted[page], crawl.score("http://h0.example/ur/" + page), 0);
      }
      Configuration mean = conf(crawl);
      mean.set(Settings.SCORE_POLICY, "mean");
      score(mean);
      assertEquals("exact", 450, crawl.score("http://h0.example/ur/0"), 0);
    }
  }

  /**
   * Scores a crawl with many poor rows, lets its choice be in the language, and scores it again.
   *
   * @param forgets whether the scores of the first run are lost before the second
   * @param first gets the scores after the first run
   * @param second gets the scores after the second of the rows that were not fetched
   * @return rows that the second wrote
   */
  private static long secondRun(
      String name, boolean forgets, Map<String, Float> first, Map<String, Float> second)
      throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(hbase, name)) {
      Map<String, WebPage> rows = rows();
      for (int page = 0; page < 300; page++) {
        String url = "http://poor" + page % 4 + ".example/more/" + page;
        rows.put(url, page < 100 ? fetched(false) : unfetched());
      }
      Set<String> urls = put(crawl, rows);
      score(conf(crawl));
      fetchChoice(crawl, urls, "1");
      for (String url : urls) {
        first.put(url, crawl.score(url));
        WebPage row = crawl.get(url);
        if (forgets && row.getStatus() == CrawlStatus.STATUS_UNFETCHED) {
          row.setScore(-5f);
          crawl.put(url, row);
        }
      }
      crawl.flush();
      Matcher written = Pattern.compile("([0-9]+) rows written").matcher(score(conf(crawl)));
      assertTrue(written.find());
      for (String url : urls) {
        if (crawl.get(url).getStatus() == CrawlStatus.STATUS_UNFETCHED && !url.equals(SEED)) {
          second.put(url, crawl.score(url));
        }
      }
      return Long.parseLong(written.group(1));
    }
  }

  /** Gives the chosen rows the result that they are in the language. */
  private static void fetchChoice(CrawlForTests crawl, Set<String> urls, String round)
      throws Exception {
    for (String url : predicted(crawl, urls, round)) {
      WebPage page = fetched(true);
      CrawlForTests.metadata(page, PageKeys.PREDICTION, prediction(crawl.get(url)));
      crawl.put(url, page);
    }
    crawl.flush();
  }

  @Test
  public void rowsThatGenerateDoesNotTakeHaveNoPlaceInTheChoice() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(hbase, "pagesrefused")) {
      Map<String, WebPage> rows = rows();
      for (int page = 6; page < 12; page++) {
        Mark.GENERATE_MARK.putMark(rows.get("http://h1.example/ur/" + page), new Utf8("lost"));
        rows.get("http://h2.example/ur/" + page).getMarkers().put(new Utf8("dist"), new Utf8("9"));
      }
      Set<String> urls = put(crawl, rows);
      Configuration conf = conf(crawl);
      conf.set("plugin.includes", conf.get("plugin.includes") + "|urlfilter-test");
      conf.setInt("generate.max.distance", 8);
      score(conf);
      Set<String> chosen = predicted(crawl, urls, "1");
      assertEquals(
          "the only section that is left",
          6,
          chosen.stream().filter(url -> url.startsWith("http://h3.example/ur/")).count());
      for (String taken :
          Arrays.asList("http://h0.", "http://h1.example/ur", "http://h2.example/u")) {
        assertTrue(chosen.toString(), chosen.stream().noneMatch(url -> url.startsWith(taken)));
      }
      assertEquals(
          "also a generate that does not filter takes them last",
          0f,
          crawl.score("http://h0.example/ur/9"),
          0);
    }
  }

  @Test
  public void aRowThatNutchCannotReadHasNoPlaceInTheChoice() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(hbase, "pagesaddress")) {
      Map<String, WebPage> rows = rows();
      String address = "http://[2001:db8::1]/ur/";
      for (int page = 0; page < 12; page++) {
        rows.put(address + page, page < 6 ? fetched(true) : unfetched());
      }
      Set<String> urls = put(crawl, rows);
      String summary = score(conf(crawl));
      assertTrue(summary, summary.contains("; 12 rows chosen, "));
      assertTrue(predicted(crawl, urls, "1").stream().noneMatch(url -> url.startsWith(address)));
    }
  }

  @Test
  public void aStoppedHostHasNoRowInTheChoice() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(hbase, "pagesstopped")) {
      Set<String> urls = put(crawl, rows());
      Configuration conf = conf(crawl);
      conf.set(Settings.SCORE_POLICY, "pages+limit:12");
      score(conf);
      assertEquals(-2f, crawl.score("http://h0.example/ur/9"), 0);
      assertTrue(predicted(crawl, urls, "1").stream().noneMatch(url -> url.startsWith("http://h")));
    }
  }

  @Test
  public void aDryRunWritesNothingAndADamagedStateIsNamed() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(hbase, "pagesdry")) {
      put(crawl, rows());
      Configuration conf = conf(crawl);
      Map<String, String> before = crawl.cells();
      new Scoring(conf, new HashMap<>(), new HashMap<>(), job -> {}).dryRun(System.out);
      assertEquals(before, crawl.cells());
      score(conf);
      try (Table hosts = crawl.connection().getTable(HBaseHostTable.name(conf))) {
        hosts.put(
            new Put(RunLog.KEY)
                .addColumn(HBaseHostTable.FAMILY, HBase.utf8("pages"), HBase.utf8("round=many")));
      }
      Exception failure = assertThrows(CorpulyzerException.class, () -> score(conf));
      assertTrue(
          failure.getMessage(),
          failure
              .getMessage()
              .startsWith(
                  "Column h:pages of row ':' of the table pagesdry_corpulyzer_host cannot be"));
    }
  }
}
