package org.corpulyzer.nutch;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.avro.util.Utf8;
import org.apache.gora.memory.store.MemStore;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.crawl.GeneratorJob;
import org.apache.nutch.scoring.ScoreDatum;
import org.apache.nutch.scoring.ScoringFilter;
import org.apache.nutch.storage.Mark;
import org.apache.nutch.storage.WebPage;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.junit.Before;
import org.junit.Test;

public class LrlScoringFilterTest {

  private final Configuration conf = Nutch.conf();

  @Before
  public void emptyTheTable() {
    MemStore.map.clear();
  }

  @Test
  public void everyRowOfAHostScoresTheMeanOfItsFetchedPages() throws Exception {
    fetched("http://rich.example/a", "urd:3000,eng:100");
    fetched("http://rich.example/b", "urd:1001");
    WebPage empty = page(CrawlStatus.STATUS_FETCHED, "");
    Nutch.setFigure(empty, PageKeys.DECISION, "reject no_content");
    Nutch.store("https://rich.example:8443/parsed-without-main-text", empty);
    notModified("http://rich.example/c", "eng:5");
    unfetched("http://rich.example/d");
    fetched("http://rich.example.org/another-host", "urd:90000");
    fetched("http://www.rich.example/another-host", "urd:90000");
    float mean = (float) (4001 / 4.0);
    ScoringFilter filter = Nutch.filter(conf, ScoringFilter.class);
    for (String url :
        new String[] {
          "http://rich.example/d", "https://rich.example/new", "http://rich.example:8080/a?b#c"
        }) {
      assertEquals(url, mean, filter.generatorSortValue(url, unfetchedPage(), 77f), 0);
    }
    WebPage page = unfetchedPage();
    filter.updateScore("http://rich.example/d", page, Collections.emptyList());
    assertEquals(mean, page.getScore(), 0);
  }

  @Test
  public void hostOfWhichNothingIsFetchedScoresUnknownAndItsSeedsFirst() throws Exception {
    unfetched("http://new.example/");
    ScoringFilter filter = Nutch.filter(conf, ScoringFilter.class);
    assertEquals(256f, filter.generatorSortValue("http://new.example/x", unfetchedPage(), 0f), 0);
    WebPage seed = unfetchedPage();
    Mark.INJECT_MARK.putMark(seed, "y");
    assertEquals(1e9f, filter.generatorSortValue("http://new.example/", seed, 0f), 0);
    assertEquals(
        256f, filter.generatorSortValue("http://empty-table.example/", unfetchedPage(), 0f), 0);
    fetched("http://known.example/", "eng:500");
    assertEquals(
        "a seed of a known host",
        0f,
        filter.generatorSortValue("http://known.example/seed", seed, 0f),
        0);
  }

  @Test
  public void rowWhoseKeyIsNoReversedUrlCountsForNoHost() throws Exception {
    fetched("http://good.example/", "urd:100");
    WebPage odd = Nutch.stored("http://good.example/");
    MemStore.map.clear();
    fetched("http://good.example/", "urd:300");
    put("example.good:7 is no scheme", odd);
    assertEquals(
        300f,
        Nutch.filter(conf, ScoringFilter.class)
            .generatorSortValue("http://good.example/9", unfetchedPage(), 0f),
        0);
  }

  @Test
  public void ipv6HostsAreToldApart() throws Exception {
    fetched("http://[2001:db8::1]/a", "urd:800");
    fetched("http://[2001:db8::2]/a", "urd:400");
    ScoringFilter filter = Nutch.filter(conf, ScoringFilter.class);
    assertEquals(
        800f, filter.generatorSortValue("http://[2001:db8::1]:8080/b", unfetchedPage(), 0f), 0);
    assertEquals(400f, filter.generatorSortValue("http://[2001:db8::2]/b", unfetchedPage(), 0f), 0);
  }

  @Test
  public void nothingMakesTheSortValueNaN() throws Exception {
    WebPage page = unfetchedPage();
    page.setScore(Float.NaN);
    conf.set(Settings.SCORE_SOURCE, "stored");
    assertEquals(
        256f,
        Nutch.filter(conf, ScoringFilter.class)
            .generatorSortValue("http://a.example/", page, Float.NaN),
        0);
    Configuration scan = Nutch.conf();
    fetched("http://b.example/", "urd:not-a-number");
    ScoringFilter filter = Nutch.filter(scan, ScoringFilter.class);
    assertEquals(256f, filter.generatorSortValue("http://b.example/", page, Float.NaN), 0);
    assertEquals(256f, filter.generatorSortValue("no url at all", page, Float.NaN), 0);
  }

  @Test
  public void scanStopsAtItsCap() throws Exception {
    conf.set(Settings.SCORE_SCAN_MAX_ROWS, "2");
    fetched("http://big.example/1", "urd:100");
    fetched("http://big.example/2", "urd:300");
    fetched("http://big.example/3", "urd:90000");
    assertEquals(
        200f,
        Nutch.filter(conf, ScoringFilter.class)
            .generatorSortValue("http://big.example/9", unfetchedPage(), 0f),
        0);
  }

  @Test
  public void storedSourceAnswersTheRowsScoreAndOpensNoStore() throws Exception {
    conf.set("storage.data.store.class", "no.such.Store");
    WebPage page = unfetchedPage();
    page.setScore(12.5f);
    assertThrows(
        RuntimeException.class,
        () ->
            Nutch.filter(conf, ScoringFilter.class)
                .generatorSortValue("http://a.example/", page, 3f));
    Configuration stored = Nutch.conf();
    stored.set("storage.data.store.class", "no.such.Store");
    stored.set(Settings.SCORE_SOURCE, "stored");
    ScoringFilter filter = Nutch.filter(stored, ScoringFilter.class);
    assertEquals(12.5f, filter.generatorSortValue("http://a.example/", page, 3f), 0);
    page.clearDirty();
    filter.updateScore("http://a.example/", page, Collections.emptyList());
    assertEquals(12.5f, page.getScore(), 0);
    assertFalse("an unchanged score was written", page.isScoreDirty());
  }

  @Test
  public void scanLeavesTheConfigurationAlone() throws Exception {
    fetched("http://a.example/", "urd:1");
    conf.set("preferred.schema.name", "mine");
    Nutch.filter(conf, ScoringFilter.class)
        .generatorSortValue("http://a.example/", unfetchedPage(), 0f);
    assertEquals("mine", conf.get("preferred.schema.name"));
  }

  @Test
  public void seedsScoreAboveAllUnlessTheOperatorGaveThemAScore() throws Exception {
    ScoringFilter filter = Nutch.filter(conf, ScoringFilter.class);
    WebPage seed = WebPage.newBuilder().build();
    seed.setScore(conf.getFloat("db.score.injected", 1.0f));
    filter.injectedScore("http://a.example/", seed);
    assertEquals(1e9f, seed.getScore(), 0);
    WebPage custom = WebPage.newBuilder().build();
    custom.setScore(5f);
    filter.injectedScore("http://a.example/", custom);
    assertEquals(5f, custom.getScore(), 0);
  }

  @Test
  public void newPagesStartUnknownAndLinksAndIndexAreUntouched() throws Exception {
    ScoringFilter filter = Nutch.filter(conf, ScoringFilter.class);
    WebPage page = WebPage.newBuilder().build();
    filter.initialScore("http://a.example/", page);
    assertEquals(256f, page.getScore(), 0);
    filter.distributeScoreToOutlinks("http://a.example/", page, Collections.emptyList(), 3);
    assertEquals(1.5f, filter.indexerScore("http://a.example/", null, page, 1.5f), 0);
    assertTrue(
        filter
            .getFields()
            .containsAll(
                EnumSet.of(
                    WebPage.Field.SCORE,
                    WebPage.Field.METADATA,
                    WebPage.Field.STATUS,
                    WebPage.Field.MARKERS)));
  }

  @Test
  public void everyRowOfABarrenHostIsBelowNutchsThresholdAndPagesThatNobodyReadAreNoReason()
      throws Exception {
    for (String host : new String[] {"barren", "unread"}) {
      for (int i = 0; i < 3; i++) {
        boolean read = i > 0 || host.equals("barren");
        WebPage page = page(CrawlStatus.STATUS_FETCHED, read ? "eng:900,urd:25" : "");
        if (read) {
          Nutch.setFigure(page, PageKeys.DECISION, "reject too little");
        }
        Nutch.store("http://" + host + ".example/" + i, page);
      }
    }
    conf.set(Settings.SCORE_POLICY, "mean+barren:3");
    ScoringFilter filter = Nutch.filter(conf, ScoringFilter.class);
    WebPage seed = unfetchedPage();
    Mark.INJECT_MARK.putMark(seed, "y");
    assertEquals(
        -1f, filter.generatorSortValue("http://barren.example/new", unfetchedPage(), 256f), 0);
    assertEquals(-1f, filter.generatorSortValue("http://barren.example/seed", seed, 256f), 0);
    WebPage linked = unfetchedPage();
    filter.updateScore("http://barren.example/linked", linked, Collections.emptyList());
    assertEquals(-1f, linked.getScore(), 0);
    assertEquals(
        25f, filter.generatorSortValue("http://unread.example/new", unfetchedPage(), 256f), 0);
    Configuration limit = Nutch.conf();
    limit.set(Settings.SCORE_POLICY, "explore+limit:3");
    assertEquals(
        -2f,
        Nutch.filter(limit, ScoringFilter.class)
            .generatorSortValue("http://unread.example/new", unfetchedPage(), 256f),
        0);
    ScoringFilter withdrawn = Nutch.filter(Nutch.conf(), ScoringFilter.class);
    assertEquals(25f, withdrawn.generatorSortValue("http://barren.example/new", linked, -1f), 0);
  }

  @Test
  public void anUpdateTellsPagesThatNobodyCouldParseFromThoseOfAnOlderCrawl() throws Exception {
    ScoringFilter filter = Nutch.filter(conf, ScoringFilter.class);
    WebPage fetchedNow = page(CrawlStatus.STATUS_FETCHED, "");
    Mark.FETCH_MARK.putMark(fetchedNow, "batch");
    WebPage older = page(CrawlStatus.STATUS_FETCHED, "");
    older.setScore(3f);
    WebPage read = page(CrawlStatus.STATUS_FETCHED, "urd:900");
    Nutch.setFigure(read, PageKeys.DECISION, "keep 900 bytes");
    Mark.FETCH_MARK.putMark(read, "batch");
    for (WebPage page : new WebPage[] {fetchedNow, older, read}) {
      filter.updateScore("http://a.example/", page, Collections.emptyList());
    }
    assertEquals(PageKeys.NOT_PARSED, Nutch.figure(fetchedNow, PageKeys.DECISION));
    assertNull(Nutch.figure(older, PageKeys.DECISION));
    assertEquals("keep 900 bytes", Nutch.figure(read, PageKeys.DECISION));
    Nutch.store("http://old.example/", older);
    WebPage next = unfetchedPage();
    next.setScore(1f);
    assertEquals(384f, filter.generatorSortValue("http://old.example/b", next, 1f), 0);
    Nutch.store("http://now.example/", fetchedNow);
    assertEquals(0f, filter.generatorSortValue("http://now.example/b", next, 1f), 0);
  }

  @Test
  public void probesAreAPartOfTheBatchAndHostsWithoutALeadGetHalfOfThem() throws Exception {
    Map<String, WebPage> rows = new LinkedHashMap<>();
    for (int i = 0; i < 4; i++) {
      rows.put("http://unknown" + i + ".example/", marked(PageKeys.FOUND_MARK));
    }
    WebPage elsewhere = marked(PageKeys.FOUND_MARK);
    elsewhere.getMarkers().put(new Utf8(PageKeys.ELSEWHERE_MARK), new Utf8("y"));
    rows.put("http://elsewhere.example/", elsewhere);
    for (int i = 0; i < 5; i++) {
      rows.put("http://leading.example/" + i, marked(PageKeys.FOUND_MARK));
    }
    rows.put("http://leading.example/x", marked(PageKeys.ELSEWHERE_MARK));
    WebPage seed = marked(PageKeys.FOUND_MARK);
    Mark.INJECT_MARK.putMark(seed, "y");
    rows.put("http://seed.example/", seed);
    // Of five places the first of two tasks has three; of three for hosts without a lead it has
    // two.
    float[] first = {2.5e8f, 2.5e8f, 256f, 256f, 256f, 5e8f, 256f, 256f, 256f, 256f, 25.6f, 1e9f};
    float[] second = {2.5e8f, 256f, 256f, 256f, 256f, 5e8f, 256f, 256f, 256f, 256f, 25.6f, 1e9f};
    assertArrayEquals(first, sortValues(task(0), rows), 0);
    assertArrayEquals(second, sortValues(task(1), rows), 0);

    float[] stored = {
      2.5e8f, 2.5e8f, 2.5e8f, 2.5e8f, 256f, 5e8f, 256f, 256f, 256f, 256f, 25.6f, 1e9f
    };
    int next = 0;
    for (WebPage page : rows.values()) {
      page.setScore(stored[next++]);
    }
    Configuration task = task(0);
    task.set(Settings.SCORE_SOURCE, "stored");
    assertArrayEquals("as the jobs stored it", first, sortValues(task, rows), 0);
    Configuration all = task(0);
    all.unset(GeneratorJob.GENERATOR_TOP_N);
    assertArrayEquals("without -topN", stored, sortValues(all, rows), 0);
    Configuration one = task(0);
    one.unset("mapreduce.task.partition");
    one.set(GeneratorJob.GENERATOR_TOP_N, "13");
    assertArrayEquals(
        "8 % of 13 are two places, one of them for hosts without a lead",
        second, sortValues(one, rows), 0);
  }

  /** One of two tasks of a generator. */
  private static Configuration task(int partition) {
    Configuration task = Nutch.conf();
    explore(task);
    task.setLong(GeneratorJob.GENERATOR_TOP_N, 62);
    task.setInt("mapreduce.job.maps", 2);
    task.setInt("mapreduce.task.partition", partition);
    return task;
  }

  private static float[] sortValues(Configuration task, Map<String, WebPage> rows)
      throws Exception {
    for (Map.Entry<String, WebPage> row : rows.entrySet()) {
      Nutch.store(row.getKey(), row.getValue());
    }
    ScoringFilter filter = Nutch.filter(task, ScoringFilter.class);
    float[] values = new float[rows.size()];
    int next = 0;
    for (Map.Entry<String, WebPage> row : rows.entrySet()) {
      values[next++] = filter.generatorSortValue(row.getKey(), row.getValue(), 0f);
    }
    return values;
  }

  @Test
  public void pagesTellWhereTheyWereFoundAndRedirectsPassItOn() throws Exception {
    explore(conf);
    ScoringFilter filter = Nutch.filter(conf, ScoringFilter.class);
    WebPage target = unfetchedPage();
    assertEquals("", marks(filter, target, page(CrawlStatus.STATUS_GONE, "urd:900")));
    assertEquals("", marks(filter, target, page(CrawlStatus.STATUS_FETCHED, "urd:many")));
    assertEquals(
        "some words",
        "",
        marks(filter, target, page(CrawlStatus.STATUS_FETCHED, "urd:255,eng:900")));
    assertEquals(
        "found", marks(filter, target, page(CrawlStatus.STATUS_FETCHED, "urd:256,eng:900")));
    WebPage redirect = page(CrawlStatus.STATUS_REDIR_PERM, "");
    assertEquals("", marks(filter, unfetchedPage(), redirect));
    redirect.setMarkers(new HashMap<>(target.getMarkers()));
    assertEquals("found", marks(filter, unfetchedPage(), redirect));
    assertEquals(
        "found elsewhere", marks(filter, target, page(CrawlStatus.STATUS_NOTMODIFIED, "eng:900")));
    redirect.setMarkers(new HashMap<>(target.getMarkers()));
    assertEquals("found elsewhere", marks(filter, unfetchedPage(), redirect));
    assertEquals("elsewhere", marks(filter, unfetchedPage(), page(CrawlStatus.STATUS_FETCHED, "")));
    target.clearDirty();
    marks(filter, target, page(CrawlStatus.STATUS_FETCHED, "urd:900"));
    assertFalse("marks that are there already were written", target.isMarkersDirty());
  }

  /** Marks of a row once a page that links to it was updated. */
  private static String marks(ScoringFilter filter, WebPage row, WebPage page) throws Exception {
    ScoreDatum link = new ScoreDatum(0f, "http://target.example/", "anchor", 1);
    filter.distributeScoreToOutlinks(
        "http://source.example/", page, Collections.singletonList(link), 1);
    filter.updateScore("http://target.example/", row, Collections.singletonList(link));
    boolean elsewhere = row.getMarkers().get(new Utf8(PageKeys.ELSEWHERE_MARK)) != null;
    return ((row.getMarkers().get(new Utf8(PageKeys.FOUND_MARK)) == null ? "" : "found")
            + (elsewhere ? " elsewhere" : ""))
        .trim();
  }

  private static void explore(Configuration conf) {
    conf.set(Settings.SCORE_POLICY, "explore");
  }

  private static WebPage marked(String mark) {
    WebPage page = unfetchedPage();
    page.getMarkers().put(new Utf8(mark), new Utf8("y"));
    return page;
  }

  @SuppressWarnings("unchecked")
  private static void put(String key, WebPage page) {
    MemStore.map.put(key, page);
  }

  private static WebPage unfetchedPage() {
    WebPage page = WebPage.newBuilder().build();
    page.setStatus((int) CrawlStatus.STATUS_UNFETCHED);
    return page;
  }

  private static void unfetched(String url) throws Exception {
    Nutch.store(url, unfetchedPage());
  }

  private static void fetched(String url, String languages) throws Exception {
    row(url, CrawlStatus.STATUS_FETCHED, languages);
  }

  private static void notModified(String url, String languages) throws Exception {
    row(url, CrawlStatus.STATUS_NOTMODIFIED, languages);
  }

  private static void row(String url, int status, String languages) throws Exception {
    Nutch.store(url, page(status, languages));
  }

  private static WebPage page(int status, String languages) {
    WebPage page = WebPage.newBuilder().build();
    page.setStatus(status);
    if (!languages.isEmpty()) {
      Nutch.setFigure(page, PageKeys.LANGUAGES, languages);
    }
    return page;
  }

  @Test
  public void policyPagesNeedsStoredScoresWhichAreItsDefault() throws Exception {
    conf.set(Settings.SCORE_POLICY, "pages:5");
    fetched("http://rich.example/a", "urd:3000");
    WebPage row = unfetchedPage();
    row.setScore(7f);
    ScoringFilter filter = Nutch.filter(conf, ScoringFilter.class);
    assertEquals(7f, filter.generatorSortValue("http://rich.example/b", row, 0f), 0);

    Configuration scanned = Nutch.conf();
    scanned.set(Settings.SCORE_POLICY, "pages:5");
    scanned.set(Settings.SCORE_SOURCE, "scan");
    assertEquals(
        "Property corpulyzer.score.policy is 'pages:5' and corpulyzer.score.source is 'scan', which"
            + " has scores of hosts alone: set corpulyzer.score.source to stored, or"
            + " corpulyzer.score.policy to mean or explore.",
        assertThrows(RuntimeException.class, () -> Nutch.filter(scanned, ScoringFilter.class))
            .getMessage());
  }
}
