package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlDatum;
import org.corpulyzer.corpus.PagesState;
import org.corpulyzer.engine.LinkCounts;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Policy pages on stock Nutch: what generate finds in CrawlDb. */
public class PagesPassTest {

  private static final int TOP = 12;
  private static final String SEED = "http://seed.example/";

  /** A new host that two good pages link to with anchors in the language. */
  private static final String LINKED = "http://linked.example/news";

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();
  private Configuration conf;

  @Before
  public void choosePages() throws Exception {
    conf = CrawlDbForTests.conf(temporary.newFolder());
    conf.set(Settings.SCORE_POLICY, "pages:100");
    conf.setInt(Settings.SCORE_TOP_N, TOP);
  }

  private static CrawlDatum unfetched(String... metadata) {
    return CrawlDbForTests.row(CrawlDatum.STATUS_DB_UNFETCHED, 256, metadata);
  }

  private static CrawlDatum kept() {
    return notDue(CrawlDbForTests.fetched("urd:900"));
  }

  private static CrawlDatum rejected() {
    return notDue(
        CrawlDbForTests.row(
            CrawlDatum.STATUS_DB_FETCHED,
            0,
            PageKeys.LANGUAGES,
            "eng:900",
            PageKeys.DECISION,
            "reject 0 bytes"));
  }

  private static CrawlDatum notDue(CrawlDatum row) {
    row.setFetchTime(System.currentTimeMillis() + 1_000_000_000L);
    return row;
  }

  /** Hosts with a section in Urdu and one in English, hosts without Urdu, a new host, a seed. */
  private CrawlDbForTests crawl(String name, int parts) throws Exception {
    CrawlDbForTests db = new CrawlDbForTests(temporary.newFolder(name));
    for (int host = 0; host < 4; host++) {
      for (int page = 0; page < 12; page++) {
        String origin = "http://h" + host + ".example/";
        boolean isFetched = page < 6;
        db.put(origin + "ur/" + page, isFetched ? kept() : unfetched());
        db.put(origin + "en/" + page, isFetched ? rejected() : unfetched());
        db.put("http://poor" + host + ".example/" + page, isFetched ? rejected() : unfetched());
      }
    }
    LinkCounts links = new LinkCounts();
    for (int link = 0; link < 9; link++) {
      links.addLink(true, true, true);
    }
    db.put(LINKED, unfetched(PageKeys.LINK_COUNTS, links.toString()));
    db.put(SEED, unfetched(PageKeys.INJECTED_MARK, PageKeys.MARK_SET));
    return db.write(conf, parts);
  }

  /** What a generate of so many rows would take. */
  private List<String> best(CrawlDbForTests db, int top) {
    return db.rows(conf).entrySet().stream()
        .filter(row -> row.getValue().getStatus() == CrawlDatum.STATUS_DB_UNFETCHED)
        .sorted(
            Comparator.comparing((Map.Entry<String, CrawlDatum> row) -> -row.getValue().getScore()))
        .limit(top)
        .map(Map.Entry::getKey)
        .collect(Collectors.toList());
  }

  private Set<String> predicted(CrawlDbForTests db, String round) {
    return db.rows(conf).entrySet().stream()
        .filter(row -> prediction(row.getValue()).startsWith(round + " "))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  private static String prediction(CrawlDatum row) {
    Writable text = row.getMetaData().get(new Text(PageKeys.PREDICTION));
    return text == null ? "" : text.toString();
  }

  @Test
  public void theSummarySaysWhetherNewHostsGaveMoreBytesThanOthers() {
    assertEquals(
        "; the last choice: 6 of 16 pages of new hosts kept, 5120 bytes lost by them, Brier score"
            + " 0.048",
        PagesState.found(16, 6, 5120, .048));
    assertEquals(
        "; the last choice: 2 of 8 pages of new hosts kept, 2061 bytes gained by them, Brier score"
            + " 0.067",
        PagesState.found(8, 2, -2061, .067));
    assertEquals(
        "; the last choice: no page of a new host, Brier score 0.021",
        PagesState.found(0, 0, 0, .021));
    assertEquals("", PagesState.found(0, 0, 0, -1));
  }

  @Test
  public void generateFindsTheChoiceAsTheBestRowsWhateverThePartsAre() throws Exception {
    CrawlDbForTests db = crawl("three", 3);
    String summary = db.score(conf).toString();
    assertTrue(summary, summary.contains("; 12 rows chosen, 1 of them probes"));
    List<String> best = best(db, TOP);
    assertEquals(SEED, best.get(0));
    assertEquals(1e9f, db.score(conf, SEED), 0);
    assertTrue(best.toString(), best.contains(LINKED));
    assertEquals(
        "the others are in sections in the language",
        TOP - 2,
        best.stream().filter(url -> url.contains("/ur/")).count());
    Set<String> chosen = predicted(db, "1");
    assertEquals(TOP - 1, chosen.size());
    assertTrue(best + " " + chosen, best.containsAll(chosen));
    double least = best.stream().mapToDouble(url -> db.score(conf, url)).min().orElseThrow();
    double most =
        db.rows(conf).entrySet().stream()
            .filter(row -> !best.contains(row.getKey()))
            .filter(row -> row.getValue().getStatus() == CrawlDatum.STATUS_DB_UNFETCHED)
            .mapToDouble(row -> row.getValue().getScore())
            .max()
            .orElseThrow();
    assertTrue(most + " " + least, most < least);
    assertTrue(
        "at most half of the rows are of a host",
        best.stream().filter(url -> url.startsWith("http://h0.")).count() <= TOP / 2);

    CrawlDbForTests one = crawl("one", 1);
    one.score(conf);
    Map<String, CrawlDatum> same = one.rows(conf);
    db.rows(conf)
        .forEach(
            (url, row) -> {
              assertEquals(url, same.get(url).getScore(), row.getScore(), 0);
              assertEquals(url, prediction(same.get(url)), prediction(row));
            });
  }

  @Test
  public void theNextRunChargesWhatTheChoiceHasGiven() throws Exception {
    CrawlDbForTests db = crawl("db", 2);
    db.score(conf);
    Map<String, CrawlDatum> rows = db.rows(conf);
    FileUtil.fullyDelete(new File(db.folder, "current"));
    CrawlDbForTests fetched = new CrawlDbForTests(db.folder);
    rows.forEach(
        (url, row) -> {
          if (!prediction(row).isEmpty()) {
            CrawlDatum page = url.equals(LINKED) ? rejected() : kept();
            page.getMetaData().put(new Text(PageKeys.PREDICTION), new Text(prediction(row)));
            fetched.put(url, page);
          } else {
            fetched.put(url, row);
          }
        });
    fetched.write(conf, 2);
    String summary = fetched.score(conf).toString();
    assertTrue(summary, summary.contains("; the last choice: 0 of 1 pages of new hosts kept, "));
    assertTrue(summary, summary.matches("(?s).* bytes lost by them, Brier score 0\\.[0-9]{3}.*"));
    assertEquals("rows that were fetched keep theirs", TOP - 1, predicted(fetched, "1").size());
    assertFalse(predicted(fetched, "2").isEmpty());

    Set<String> before = predicted(fetched, "2");
    fetched.score(conf);
    assertEquals("nothing was fetched", Collections.emptySet(), predicted(fetched, "2"));
    assertEquals(before, predicted(fetched, "3"));

    FileUtil.fullyDelete(new File(db.folder, "corpulyzer"));
    String without = fetched.score(conf).toString();
    assertFalse("charged without a state", without.contains("the last choice"));
    assertEquals("no number twice", TOP - 1, predicted(fetched, "1").size());
    assertFalse(predicted(fetched, "4").isEmpty());
  }

  @Test
  public void rowsThatUrlFiltersRefuseTakeNoPlaceInTheChoice() throws Exception {
    CrawlDbForTests without = crawl("without", 2);
    without.score(conf);
    Set<String> all = predicted(without, "1");
    assertTrue(all.toString(), all.stream().anyMatch(url -> url.startsWith("http://h0.")));

    // Nutch keeps the plugins of a configuration.
    choosePages();
    conf.set("plugin.includes", "corpulyzer|urlfilter-test");
    CrawlDbForTests db = crawl("db", 2);
    db.score(conf);
    Set<String> chosen = predicted(db, "1");
    assertEquals("others take their places", all.size(), chosen.size());
    assertTrue(chosen.toString(), chosen.stream().noneMatch(url -> url.startsWith("http://h0.")));
    assertTrue(
        "also a generate that does not filter takes them last",
        best(db, TOP).stream().noneMatch(url -> url.startsWith("http://h0.")));
    assertEquals("rows that are not due", 450f, db.score(conf, "http://h0.example/ur/0"), 0);
  }

  @Test
  public void aStoppedHostHasNoRowInTheChoice() throws Exception {
    conf.set(Settings.SCORE_POLICY, "pages+limit:12");
    CrawlDbForTests db = crawl("db", 2);
    db.score(conf);
    assertEquals(-2f, db.score(conf, "http://h0.example/ur/9"), 0);
    assertTrue(predicted(db, "1").stream().noneMatch(url -> url.startsWith("http://h")));
    assertTrue(best(db, TOP).stream().noneMatch(url -> url.startsWith("http://h")));
  }

  @Test
  public void aDryRunWritesNothingAndADamagedStateIsNamed() throws Exception {
    CrawlDbForTests db = crawl("db", 2);
    Map<String, Integer> files = db.files();
    assertEquals(
        0, ToolRunner.run(conf, new LrlScoreJob(), new String[] {db.folder.getPath(), "-dryRun"}));
    assertEquals(files, db.files());
    db.score(conf);
    File state = new File(db.folder, "corpulyzer/hosts/_pages");
    Files.delete(state.toPath().resolveSibling("._pages.crc"));
    Files.write(state.toPath(), "round=many\n".getBytes("UTF-8"));
    Exception failure = assertThrows(Exception.class, () -> db.score(conf));
    assertTrue(failure.getMessage(), failure.getMessage().contains("_pages cannot be read"));
  }
}
