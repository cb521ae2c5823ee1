package org.corpulyzer.nutch;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.util.Utf8;
import org.apache.gora.memory.store.MemStore;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.crawl.DbUpdaterJob;
import org.apache.nutch.crawl.GeneratorJob;
import org.apache.nutch.crawl.InjectorJob;
import org.apache.nutch.parse.ParserJob;
import org.apache.nutch.storage.Mark;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.TableUtil;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Nutch's own jobs over a table in memory, with stock updatedb (mode S). */
public class RoundTripTest {

  private static final String BATCH = "batch-1";
  private static final String RICH = "http://rich.example/a";
  private static final String POOR = "http://poor.example/a";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private final Configuration conf = Nutch.conf();

  @Before
  public void fillTheTable() throws Exception {
    MemStore.map.clear();
    inBatch(RICH, "article.html");
    inBatch(POOR, "english.html");
    unfetched("http://rich.example/next", false);
    unfetched("http://poor.example/next", false);
    unfetched("http://unknown.example/next", false);
    unfetched("http://seed.example/", true);
  }

  @Test
  public void parsedFiguresSteerTheNextGenerate() throws Exception {
    run(new ParserJob(), BATCH);
    WebPage rich = Nutch.stored(RICH);
    String languages = Nutch.figure(rich, PageKeys.LANGUAGES);
    long urdu = Long.parseLong(languages.replaceAll(".*urd:(\\d+).*", "$1"));
    assertTrue(languages, urdu > 256);
    assertEquals("ok", Nutch.figure(rich, PageKeys.STATUS));
    assertTrue(Nutch.figure(rich, PageKeys.DECISION).startsWith("keep "));
    assertTrue(rich.getText().toString().contains("مقامی لوگوں"));
    assertFalse(rich.getText().toString().contains("شرائط"));
    assertTrue(Nutch.figure(Nutch.stored(POOR), PageKeys.DECISION).startsWith("reject "));

    run(new DbUpdaterJob(), BATCH);
    assertEquals((float) urdu, Nutch.stored(RICH).getScore(), 0);
    assertEquals(0f, Nutch.stored(POOR).getScore(), 0);
    WebPage found = Nutch.stored("http://rich.example/news");
    assertEquals("a link of a known host", (float) urdu, found.getScore(), 0);
    assertEquals(
        "a link of an unknown host", 256f, Nutch.stored("http://other.example/").getScore(), 0);
    assertEquals(
        "figures are lost", languages, Nutch.figure(Nutch.stored(RICH), PageKeys.LANGUAGES));

    assertEquals(hosts("seed.example"), nextBatch(1));
    assertEquals(
        "the menu's pages and the one that was known", hosts("rich.example"), nextBatch(5));
    assertEquals(hosts("other.example", "unknown.example"), nextBatch(2));
    assertEquals(hosts("poor.example"), nextBatch(100));
  }

  @Test
  public void injectedSeedIsGeneratedFirst() throws Exception {
    run(new ParserJob(), BATCH);
    run(new DbUpdaterJob(), BATCH);
    Path seeds = folder.newFolder("seeds").toPath();
    Files.write(
        seeds.resolve("seeds.txt"), "http://late.example/\n".getBytes(StandardCharsets.UTF_8));
    run(new InjectorJob(), seeds.toString());
    assertEquals(1e9f, Nutch.stored("http://late.example/").getScore(), 0);
    assertEquals(hosts("seed.example", "late.example"), nextBatch(2));
  }

  @Test
  public void exploringMarksWhatPagesInTheLanguageLinkToAndProbesUnknownHosts() throws Exception {
    conf.set(Settings.SCORE_POLICY, "explore");
    unfetched("http://new.example/zoo", false);
    Nutch.stored("http://new.example/zoo")
        .getMarkers()
        .put(new Utf8(PageKeys.FOUND_MARK), new Utf8("y"));
    run(new ParserJob(), BATCH);
    run(new DbUpdaterJob(), BATCH);
    float mean = Nutch.stored("http://rich.example/news").getScore();
    assertTrue("bytes of " + RICH, mean > 256);
    assertEquals(
        "a row that was found on no page in the language has a tenth",
        mean * 0.1f,
        Nutch.stored(RICH).getScore(),
        0);
    assertTrue(isFound("http://rich.example/news") && isFound("http://other.example/"));
    assertFalse(
        isFound(RICH)
            || isFound("http://rich.example/next")
            || isFound("http://unknown.example/next"));
    assertFalse("linked to by an English page alone", isFound("http://poor.example/news"));
    assertTrue(isElsewhere("http://poor.example/news"));
    assertFalse(isElsewhere("http://rich.example/news"));

    assertEquals(hosts("seed.example"), nextBatch(1));
    assertEquals("the probe", hosts("new.example"), nextBatch(1));
    assertTrue(Mark.GENERATE_MARK.checkMark(Nutch.stored("http://new.example/zoo")) != null);
    assertEquals("found pages", hosts("rich.example"), nextBatch(4));
    assertEquals(
        "no probe, since the English page links there too",
        hosts("other.example", "rich.example"),
        nextBatch(2));
    assertTrue("marks outlive the generator", isFound("http://other.example/"));
  }

  @Test
  public void policyPagesCountsTheLinksToRowsByTheLanguagesOfPageAndAnchor() throws Exception {
    conf.set(Settings.SCORE_POLICY, "pages");
    Path links = Paths.get(RoundTripTest.class.getResource("/links.html").toURI());
    inBatch("http://links.example/", Files.readAllBytes(links));
    inBatch("http://moved.example/", "english.html");
    WebPage moved = Nutch.stored("http://moved.example/");
    moved.setStatus((int) CrawlStatus.STATUS_REDIR_PERM);
    moved.getOutlinks().put(new Utf8("http://new.example/"), new Utf8(""));
    Nutch.setFigure(moved, PageKeys.LINK_COUNTS, "h3");
    Nutch.setFigure(Nutch.stored("http://unknown.example/next"), PageKeys.LINK_COUNTS, "e2");
    run(new ParserJob(), BATCH);
    run(new DbUpdaterJob(), BATCH);
    Map<String, String> counts = new LinkedHashMap<>();
    for (String url :
        new String[] {
          "http://rich.example/news",
          "http://other.example/",
          "http://poor.example/news",
          "http://links.example/urdu",
          "http://links.example/de",
          "http://links.example/ur/",
          "http://unknown.example/next",
          "http://new.example/"
        }) {
      counts.put(url.substring("http://".length()), counts(url));
    }
    Map<String, String> expected = new LinkedHashMap<>();
    expected.put("rich.example/news", "d1");
    // The word of this anchor counts as one of another language.
    expected.put("other.example/", "e1g1");
    expected.put("poor.example/news", "b1");
    expected.put("links.example/urdu", "b1");
    expected.put("links.example/de", "a1o1");
    expected.put("links.example/ur/", "b1t1");
    // With those of before, and through a redirect.
    expected.put("unknown.example/next", "e3");
    expected.put("new.example/", "h3");
    assertEquals(expected, counts);
    assertNull("a row that was fetched", counts(RICH));
    assertEquals(
        "of five links the one to other.example",
        5,
        Nutch.figure(Nutch.stored(RICH), PageKeys.LINK_SIGNS).length());
  }

  private static String counts(String url) throws Exception {
    return Nutch.figure(Nutch.stored(url), PageKeys.LINK_COUNTS);
  }

  @Test
  public void barrenHostIsGeneratedNoMoreUntilTheOperatorWantsItBack() throws Exception {
    conf.set(Settings.SCORE_POLICY, "mean+barren:1");
    run(new ParserJob(), BATCH);
    run(new DbUpdaterJob(), BATCH);
    assertEquals(
        "a row that a page of this batch links to",
        -1f,
        Nutch.stored("http://poor.example/news").getScore(),
        0);
    assertEquals(
        hosts("seed.example", "rich.example", "other.example", "unknown.example"), nextBatch(100));
    assertEquals(hosts(), nextBatch(100));
    assertEquals("a run without the rule", hosts("poor.example"), nextBatch(Nutch.conf(), 100));
  }

  @Test
  public void hostAtItsLimitIsGeneratedNoMore() throws Exception {
    conf.set(Settings.SCORE_POLICY, "mean+limit:1");
    run(new ParserJob(), BATCH);
    run(new DbUpdaterJob(), BATCH);
    assertEquals(-2f, Nutch.stored("http://rich.example/news").getScore(), 0);
    assertEquals(hosts("seed.example", "other.example", "unknown.example"), nextBatch(100));
  }

  @Test
  public void nutchsOwnDistanceLimitHoldsBesideOurScores() throws Exception {
    conf.set("generate.max.distance", "0");
    run(new ParserJob(), BATCH);
    run(new DbUpdaterJob(), BATCH);
    assertEquals(
        "rows of no known distance are no further than any",
        hosts("seed.example", "rich.example", "unknown.example", "poor.example"),
        nextBatch(100));
    assertTrue(Mark.GENERATE_MARK.checkMark(Nutch.stored("http://rich.example/news")) == null);
    conf.set("generate.max.distance", "1");
    assertTrue(nextBatch(100).contains("rich.example"));
    assertTrue(Mark.GENERATE_MARK.checkMark(Nutch.stored("http://rich.example/news")) != null);
  }

  private static boolean isFound(String url) throws Exception {
    return Nutch.stored(url).getMarkers().get(new Utf8(PageKeys.FOUND_MARK)) != null;
  }

  private static boolean isElsewhere(String url) throws Exception {
    return Nutch.stored(url).getMarkers().get(new Utf8(PageKeys.ELSEWHERE_MARK)) != null;
  }

  /** Hosts of the rows that the generator takes next. */
  private Set<String> nextBatch(int topN) throws Exception {
    return nextBatch(conf, topN);
  }

  private static Set<String> nextBatch(Configuration conf, int topN) throws Exception {
    Set<Object> before = marked();
    GeneratorJob job = new GeneratorJob();
    job.setConf(new Configuration(conf));
    job.generate(topN, System.currentTimeMillis(), false, false, false);
    Set<Object> now = marked();
    now.removeAll(before);
    Set<String> hosts = new TreeSet<>();
    for (Object key : now) {
      hosts.add(TableUtil.unreverseUrl((String) key).replaceAll("https?://([^/:]+).*", "$1"));
    }
    return hosts;
  }

  private static Set<Object> marked() {
    Set<Object> marked = new HashSet<>();
    for (Object key : MemStore.map.keySet()) {
      if (Mark.GENERATE_MARK.checkMark((WebPage) MemStore.map.get(key)) != null) {
        marked.add(key);
      }
    }
    return marked;
  }

  private static Set<String> hosts(String... names) {
    return new TreeSet<>(Arrays.asList(names));
  }

  private void run(Tool job, String... args) throws Exception {
    assertEquals(0, ToolRunner.run(new Configuration(conf), job, args));
  }

  private static void inBatch(String url, String vector) throws Exception {
    Path file =
        Paths.get(System.getProperty("corpulyzer.root"), "tests", "vectors", "parsefilter", vector);
    inBatch(url, Files.readAllBytes(file));
  }

  private static void inBatch(String url, byte[] html) throws Exception {
    WebPage page = Nutch.fetched(url, "text/html", html);
    page.setFetchInterval(30 * 24 * 3600);
    page.setFetchTime(System.currentTimeMillis());
    page.getMarkers().put(DbUpdaterJob.DISTANCE, new Utf8("0"));
    Mark.GENERATE_MARK.putMark(page, BATCH);
    Mark.FETCH_MARK.putMark(page, BATCH);
    Nutch.store(url, page);
  }

  private static void unfetched(String url, boolean injected) throws Exception {
    WebPage page = WebPage.newBuilder().build();
    page.setStatus((int) CrawlStatus.STATUS_UNFETCHED);
    page.setFetchInterval(30 * 24 * 3600);
    page.setFetchTime(System.currentTimeMillis() - 1000);
    if (injected) {
      Mark.INJECT_MARK.putMark(page, "y");
    }
    Nutch.store(url, page);
  }
}
