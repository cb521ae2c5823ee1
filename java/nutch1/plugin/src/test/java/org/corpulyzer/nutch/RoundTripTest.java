package org.corpulyzer.nutch;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.fetcher.Fetcher;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.Outlink;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.parse.ParseStatus;
import org.apache.nutch.parse.ParseText;
import org.apache.nutch.scoring.ScoringFilter;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Nutch's own jobs, each in local mode, over a web in memory. */
public class RoundTripTest {

  private static final String RICH = "http://rich.example/a";
  private static final String POOR = "http://poor.example/a";
  private static final String OLD = "http://old.example/";
  private static final String MOVED = "http://moved.example/home";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private final Configuration conf = Nutch.conf();
  private CrawlFolder crawl;

  @Before
  public void startAWeb() throws Exception {
    conf.setInt("fetcher.threads.fetch", 2);
    conf.set("fetcher.server.delay", "0");
    crawl = new CrawlFolder(folder.getRoot(), conf);
    StandInWeb.PAGES.clear();
    StandInWeb.PAGES.put(RICH, page("article.html"));
    StandInWeb.PAGES.put(POOR, page("english.html"));
    StandInWeb.PAGES.put(OLD, "->" + MOVED);
  }

  private static String page(String vector) throws Exception {
    return new String(Nutch.vector(vector), StandardCharsets.UTF_8);
  }

  @Test
  public void figuresOfAPageReachCrawlDbAndScoresStayAsTheyWere() throws Exception {
    crawl.inject(RICH, POOR, OLD, "http://custom.example/\tnutch.score=5");
    Map<String, CrawlDatum> rows = crawl.rows();
    assertEquals(1e9f, rows.get(RICH).getScore(), 0);
    assertEquals(5f, rows.get("http://custom.example/").getScore(), 0);
    assertEquals("y", Nutch.figure(rows.get(RICH), PageKeys.INJECTED_MARK));

    String segment = crawl.generateFetchParse();
    ParseData data = parsed(segment, "parse_data", new ParseData());
    ParseText text = parsed(segment, "parse_text", new ParseText());
    assertTrue(text.getText().contains("مقامی لوگوں"));
    assertFalse(text.getText().contains("شرائط"));
    assertEquals("ok", data.getParseMeta().get(PageKeys.STATUS));

    crawl.updatedb(segment);
    rows = crawl.rows();
    CrawlDatum rich = rows.get(RICH);
    assertEquals(CrawlDatum.STATUS_DB_FETCHED, rich.getStatus());
    for (String key :
        new String[] {
          PageKeys.LANGUAGES, PageKeys.VERSION, PageKeys.DECISION, PageKeys.TARGET_BYTES
        }) {
      assertEquals(key, data.getParseMeta().get(key), Nutch.figure(rich, key));
      assertNotNull(key, Nutch.figure(rich, key));
    }
    assertNull(
        "a key that db.parsemeta.to.crawldb does not have",
        Nutch.figure(rich, PageKeys.MAIN_BYTES));
    assertTrue(
        Nutch.figure(rich, PageKeys.LANGUAGES),
        Nutch.figure(rich, PageKeys.LANGUAGES).startsWith("urd:"));
    assertTrue(Nutch.figure(rich, PageKeys.DECISION).startsWith("keep "));
    assertEquals("y", Nutch.figure(rich, PageKeys.INJECTED_MARK));
    assertEquals("until the job scores it", 1e9f, rich.getScore(), 0);
    assertEquals("0", Nutch.figure(rows.get(POOR), PageKeys.TARGET_BYTES));
    CrawlDatum found = rows.get("http://rich.example/news");
    assertEquals(256f, found.getScore(), 0);
    assertEquals("policy mean", 0, found.getMetaData().size());
    assertEquals(
        "a seed's redirect is as good as the seed",
        "y",
        Nutch.figure(rows.get(MOVED), PageKeys.INJECTED_MARK));
    assertEquals(256f, rows.get(MOVED).getScore(), 0);
    assertEquals(
        "a seed that nobody answers for", 5f, rows.get("http://custom.example/").getScore(), 0);
  }

  @Test
  public void generatorTakesTheHighestScoresAndNoneBelowZero() throws Exception {
    Map<String, CrawlDatum> rows = new HashMap<>();
    float[] scores = {3, 900, -1, 256, Float.NaN, 1e9f, -2, 0};
    for (int i = 0; i < scores.length; i++) {
      rows.put(
          "http://host" + i + ".example/",
          new CrawlDatum(CrawlDatum.STATUS_DB_UNFETCHED, 1000, scores[i]));
    }
    crawl.writeRows(rows);
    assertEquals(urls(1, 5), new TreeSet<>(crawl.generated(crawl.generate("-topN", "2"))));
    assertEquals(
        "256 twice",
        urls(1, 3, 4, 5),
        new TreeSet<>(crawl.generated(crawl.generate("-topN", "4"))));
    assertEquals(
        urls(0, 1, 3, 4, 5, 7), new TreeSet<>(crawl.generated(crawl.generate("-topN", "100"))));
  }

  private static Set<String> urls(int... hosts) {
    Set<String> urls = new TreeSet<>();
    for (int host : hosts) {
      urls.add("http://host" + host + ".example/");
    }
    return urls;
  }

  @Test
  public void exploringMarksWhatPagesLinkToAndRedirectsPassMarksOn() throws Exception {
    conf.set(Settings.SCORE_POLICY, "explore");
    StandInWeb.PAGES.put("http://rich.example/news", "->http://far.example/");
    crawl.inject(RICH, POOR);
    crawl.updatedb(crawl.generateFetchParse());
    Map<String, CrawlDatum> rows = crawl.rows();
    assertEquals("FOUND", marks(rows.get("http://rich.example/news")));
    assertEquals("ELSEWHERE", marks(rows.get("http://poor.example/news")));
    assertEquals("linked to by both", "FOUND ELSEWHERE", marks(rows.get("http://other.example/")));
    assertEquals("", marks(rows.get(RICH)));
    assertEquals(256f, rows.get("http://other.example/").getScore(), 0);

    crawl.updatedb(crawl.generateFetchParse());
    rows = crawl.rows();
    assertEquals(CrawlDatum.STATUS_DB_REDIR_PERM, rows.get("http://rich.example/news").getStatus());
    assertEquals("FOUND", marks(rows.get("http://rich.example/news")));
    assertEquals("FOUND", marks(rows.get("http://far.example/")));
    assertEquals(
        "marks stay when the page is gone",
        "FOUND ELSEWHERE",
        marks(rows.get("http://other.example/")));
  }

  @Test
  public void figuresOfARedirectingPageAreNotThoseOfItsTarget() throws Exception {
    CrawlDatum known = new CrawlDatum(CrawlDatum.STATUS_DB_FETCHED, 1000, 7f);
    Nutch.setFigure(known, PageKeys.LANGUAGES, "urd:90000");
    Nutch.setFigure(known, PageKeys.TARGET_BYTES, "90000");
    Nutch.setFigure(known, PageKeys.DECISION, "keep 90000 bytes");
    Nutch.setFigure(known, PageKeys.FOUND_MARK, "y");
    for (int redirects : new int[] {0, 3}) {
      conf.setInt("http.redirect.max", redirects);
      // The target is not parsed, so that it has only the figures that it was given.
      StandInWeb.PAGES.put(MOVED, "");
      CrawlFolder fresh = new CrawlFolder(folder.newFolder(), conf);
      fresh.writeRows(Collections.singletonMap(OLD, known));
      String segment = fresh.generate();
      fresh.run(new Fetcher(), segment);
      fresh.updatedb(segment);
      CrawlDatum target = fresh.rows().get(MOVED);
      assertEquals(
          redirects == 0 ? CrawlDatum.STATUS_DB_UNFETCHED : CrawlDatum.STATUS_DB_FETCHED,
          target.getStatus());
      assertNull(Nutch.figure(target, PageKeys.LANGUAGES));
      assertNull(Nutch.figure(target, PageKeys.TARGET_BYTES));
      assertEquals(
          "fetched with the plugin, and not parsed",
          redirects == 0 ? null : PageKeys.NOT_PARSED,
          Nutch.figure(target, PageKeys.DECISION));
      assertEquals("FOUND", marks(target));
      assertEquals(256f, target.getScore(), 0);
      assertEquals("urd:90000", Nutch.figure(fresh.rows().get(OLD), PageKeys.LANGUAGES));
    }
  }

  /** Of many links Nutch keeps some; which, is for the links' scores to say. */
  @Test
  public void markedLinkIsNotLostAmongManyOthers() throws Exception {
    conf.set(Settings.SCORE_POLICY, "explore");
    conf.setInt("db.update.max.inlinks", 3);
    ScoringFilter filter = Nutch.filter(conf, ScoringFilter.class);
    String known = "http://known.example/";
    String fresh = "http://fresh.example/";
    for (int place : new int[] {0, 11, 23}) {
      CrawlFolder one = new CrawlFolder(folder.newFolder(), conf);
      one.writeRows(
          Collections.singletonMap(
              known, new CrawlDatum(CrawlDatum.STATUS_DB_UNFETCHED, 1000, 7f)));
      one.write("segments/1/crawl_fetch/part-r-00000", CrawlDatum.class, Collections.emptyMap());
      Path links = new Path(one.path("segments/1/crawl_parse/part-r-00000"));
      try (SequenceFile.Writer writer =
          SequenceFile.createWriter(
              conf,
              SequenceFile.Writer.file(links),
              SequenceFile.Writer.keyClass(Text.class),
              SequenceFile.Writer.valueClass(CrawlDatum.class))) {
        for (int i = 0; i < 24; i++) {
          Metadata figures = new Metadata();
          figures.set(PageKeys.DECISION, "any");
          figures.set(
              PageKeys.LANGUAGES,
              i == place ? "urd:300" : i == (place + 5) % 24 ? "eng:300" : "urd:10");
          for (Entry<Text, CrawlDatum> link : links(filter, figures, known, fresh)) {
            writer.append(link.getKey(), link.getValue());
          }
        }
      }
      one.updatedb(one.path("segments/1"));
      assertEquals("known row, mark at " + place, "FOUND ELSEWHERE", marks(one.rows().get(known)));
      assertEquals("new row, mark at " + place, "FOUND ELSEWHERE", marks(one.rows().get(fresh)));
      assertEquals(7f, one.rows().get(known).getScore(), 0);
      assertEquals(256f, one.rows().get(fresh).getScore(), 0);
    }
  }

  /** As ParseOutputFormat makes them. */
  private static List<Entry<Text, CrawlDatum>> links(
      ScoringFilter filter, Metadata figures, String... urls) throws Exception {
    List<Entry<Text, CrawlDatum>> targets = new ArrayList<>();
    for (String url : urls) {
      CrawlDatum target = new CrawlDatum(CrawlDatum.STATUS_LINKED, 1000);
      filter.initialScore(new Text(url), target);
      targets.add(new SimpleEntry<>(new Text(url), target));
    }
    filter.distributeScoreToOutlinks(
        new Text("http://source.example/"),
        new ParseData(ParseStatus.STATUS_SUCCESS, "", new Outlink[0], new Metadata(), figures),
        targets,
        null,
        urls.length);
    return targets;
  }

  private <V extends Writable> V parsed(String segment, String part, V value) throws Exception {
    try (MapFile.Reader reader =
        new MapFile.Reader(new Path(segment, part + "/part-r-00000"), conf)) {
      assertNotNull(reader.get(new Text(RICH), value));
      return value;
    }
  }

  private static String marks(CrawlDatum row) {
    List<String> marks = new ArrayList<>();
    for (String[] mark :
        Arrays.asList(
            new String[] {"FOUND", PageKeys.FOUND_MARK},
            new String[] {"ELSEWHERE", PageKeys.ELSEWHERE_MARK})) {
      if (Nutch.figure(row, mark[1]) != null) {
        marks.add(mark[0]);
      }
    }
    return String.join(" ", marks);
  }
}
