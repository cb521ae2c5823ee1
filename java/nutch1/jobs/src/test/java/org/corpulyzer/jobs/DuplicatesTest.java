package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlDatum;
import org.corpulyzer.corpus.ScoreCounter;
import org.corpulyzer.corpus.ScoreSummary;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.fixtures.Printed;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class DuplicatesTest {

  private static final long MONTH_MILLIS = 2_592_000_000L;

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private Configuration conf;
  private CrawlDbForTests db;

  @Before
  public void configure() {
    conf = CrawlDbForTests.conf(temporary.getRoot());
    conf.set("db.signature.class", "org.apache.nutch.crawl.TextMD5Signature");
    conf.set(Settings.SCORE_DUPLICATES, "zero");
    db = new CrawlDbForTests(new File(temporary.getRoot(), "crawldb"));
  }

  /** A page with a text, which is named by a number, and 900 bytes of Urdu. */
  private static CrawlDatum page(int text) {
    CrawlDatum row = CrawlDbForTests.fetched("eng:50,urd:900");
    row.setSignature(new byte[] {(byte) text, (byte) (text >> 8)});
    return row;
  }

  private static CrawlDatum fetchedNow(CrawlDatum row) {
    row.setFetchTime(System.currentTimeMillis() + 60_000 + MONTH_MILLIS);
    return row;
  }

  /** Replaces the rows, as updatedb does. */
  private void update(Map<String, CrawlDatum> rows) throws Exception {
    FileUtil.fullyDelete(new File(db.folder, "current"));
    db = new CrawlDbForTests(db.folder);
    rows.forEach(db::put);
    db.write(conf, 2);
  }

  private String status(String url) {
    return CrawlDatum.getStatusName(db.rows(conf).get(url).getStatus());
  }

  @Test
  public void aMirrorFoundLaterSinksAndTheOriginalKeepsItsScore() throws Exception {
    for (int i = 0; i < 6; i++) {
      db.put("http://original.example/long/path/" + i, page(i));
    }
    db.put("http://m.example/", CrawlDbForTests.row(CrawlDatum.STATUS_DB_UNFETCHED, 1e9f));
    ScoreSummary summary = db.write(conf, 2).score(conf);
    assertEquals(0, summary.get(ScoreCounter.DUPLICATES));
    assertFalse(summary.toString(), summary.toString().contains("duplicates"));

    Map<String, CrawlDatum> rows = db.rows(conf);
    for (int i = 0; i < 4; i++) {
      // Shorter URLs and a higher score.
      CrawlDatum copy = fetchedNow(page(i));
      copy.setScore(5000);
      rows.put("http://m.example/" + i, copy);
    }
    rows.put("http://m.example/4", fetchedNow(page(77)));
    rows.put("http://m.example/5", CrawlDbForTests.row(CrawlDatum.STATUS_DB_UNFETCHED, 256));
    update(rows);
    summary = db.score(conf);
    assertEquals(4, summary.get(ScoreCounter.DUPLICATES));
    assertEquals(4, summary.get(ScoreCounter.DUPLICATES_CHANGED));
    assertEquals(11, summary.get(ScoreCounter.FETCHED));
    assertEquals(7, summary.get(ScoreCounter.KEEP));
    assertTrue(
        summary.toString(),
        summary.toString().contains("11 fetched (7 keep, 0 reject, 0 undecided, 4 duplicates;"));
    assertEquals(900, db.score(conf, "http://original.example/long/path/0"), 0);
    assertEquals(900f / 5, db.score(conf, "http://m.example/5"), 0);
    assertEquals("db_duplicate", status("http://m.example/0"));
    assertEquals("db_fetched", status("http://m.example/4"));
    assertEquals("db_fetched", status("http://original.example/long/path/0"));

    Map<String, Integer> before = db.files();
    summary = db.score(conf);
    assertEquals("a run without news", 0, summary.get(ScoreCounter.DUPLICATES_CHANGED));
    assertEquals(4, summary.get(ScoreCounter.DUPLICATES));
    before.keySet().removeIf(file -> !file.startsWith("current"));
    Map<String, Integer> after = db.files();
    after.keySet().removeIf(file -> !file.startsWith("current"));
    assertEquals(before, after);

    conf.set(Settings.SCORE_DUPLICATES, "count");
    db.score(conf);
    assertEquals(900, db.score(conf, "http://m.example/5"), 0);
  }

  @Test
  public void aDuplicateComesBackWhenTheKeptPageIsGoneOrHasAnotherText() throws Exception {
    for (String kept : new String[] {"gone", "changed"}) {
      db.put("http://" + kept + ".example/", page(kept.length()));
      db.put("http://" + kept + "-mirror.example/", page(kept.length()));
    }
    db.write(conf, 2).score(conf);
    for (String kept : new String[] {"gone", "changed"}) {
      assertEquals("db_duplicate", status("http://" + kept + "-mirror.example/"));
      assertEquals(0, db.score(conf, "http://" + kept + "-mirror.example/"), 0);
    }
    Map<String, CrawlDatum> rows = db.rows(conf);
    rows.get("http://gone.example/").setStatus(CrawlDatum.STATUS_DB_GONE);
    rows.put("http://changed.example/", fetchedNow(page(99)));
    update(rows);
    assertEquals(2, db.score(conf).get(ScoreCounter.DUPLICATES_CHANGED));
    for (String kept : new String[] {"gone", "changed"}) {
      assertEquals("db_fetched", status("http://" + kept + "-mirror.example/"));
      assertEquals(900, db.score(conf, "http://" + kept + "-mirror.example/"), 0);
    }
  }

  @Test
  public void aPageThatIsFetchedAgainAloneStaysTheKeptOne() throws Exception {
    db.put("http://a.example/", page(1)).put("http://b-mirror.example/", page(1));
    db.write(conf, 1).score(conf);
    Map<String, CrawlDatum> rows = db.rows(conf);
    fetchedNow(rows.get("http://a.example/")).setStatus(CrawlDatum.STATUS_DB_NOTMODIFIED);
    update(rows);
    assertEquals(0, db.score(conf).get(ScoreCounter.DUPLICATES_CHANGED));
    assertEquals("db_notmodified", status("http://a.example/"));

    rows = db.rows(conf);
    fetchedNow(rows.get("http://b-mirror.example/")).setStatus(CrawlDatum.STATUS_DB_FETCHED);
    update(rows);
    assertEquals(1, db.score(conf).get(ScoreCounter.DUPLICATES_CHANGED));
    assertEquals("db_duplicate", status("http://b-mirror.example/"));
    assertEquals(900, db.score(conf, "http://a.example/"), 0);
  }

  @Test
  public void pagesWithoutTextHaveNoSignatureOrNoBytesAndHarmNobody() throws Exception {
    for (int i = 0; i < 5; i++) {
      CrawlDatum empty = page(7);
      empty.getMetaData().put(new Text(PageKeys.LANGUAGES), new Text(""));
      db.put("http://empty.example/" + i, empty);
      CrawlDatum unsigned = page(0);
      unsigned.setSignature(i % 2 == 0 ? null : new byte[0]);
      db.put("http://unsigned.example/" + i, unsigned);
      CrawlDatum list = page(8);
      list.getMetaData().remove(new Text(PageKeys.DECISION));
      list.getMetaData().put(new Text(PageKeys.LIST_MARK), new Text("0"));
      db.put("http://lists.example/" + i, list);
    }
    ScoreSummary summary = db.write(conf, 2).score(conf);
    assertEquals(4, summary.get(ScoreCounter.DUPLICATES));
    assertEquals(0, db.score(conf, "http://empty.example/0"), 0);
    assertEquals(900, db.score(conf, "http://unsigned.example/0"), 0);
    assertEquals("db_fetched", status("http://lists.example/4"));
  }

  /** The rule in plain words, over rows in memory. */
  private static Map<String, Byte> expected(Map<String, CrawlDatum> rows, long lastRun) {
    Map<String, List<String>> groups = new HashMap<>();
    Map<String, Byte> statuses = new TreeMap<>();
    rows.forEach(
        (url, row) -> {
          statuses.put(url, row.getStatus());
          if (row.getStatus() != CrawlDatum.STATUS_DB_UNFETCHED) {
            groups
                .computeIfAbsent(Arrays.toString(row.getSignature()), key -> new ArrayList<>())
                .add(url);
          }
        });
    for (List<String> urls : groups.values()) {
      String kept = null;
      for (String url : urls) {
        kept = kept == null || isBetter(url, kept, rows, lastRun) ? url : kept;
      }
      for (String url : urls) {
        byte was = rows.get(url).getStatus();
        statuses.put(
            url,
            !url.equals(kept)
                ? CrawlDatum.STATUS_DB_DUPLICATE
                : was == CrawlDatum.STATUS_DB_DUPLICATE ? CrawlDatum.STATUS_DB_FETCHED : was);
      }
    }
    return statuses;
  }

  private static boolean isBetter(
      String url, String than, Map<String, CrawlDatum> rows, long lastRun) {
    CrawlDatum row = rows.get(url);
    CrawlDatum other = rows.get(than);
    boolean isDuplicate = row.getStatus() == CrawlDatum.STATUS_DB_DUPLICATE;
    if (isDuplicate != (other.getStatus() == CrawlDatum.STATUS_DB_DUPLICATE)) {
      return !isDuplicate;
    }
    boolean isNew = row.getFetchTime() - MONTH_MILLIS >= lastRun;
    if (isNew != other.getFetchTime() - MONTH_MILLIS >= lastRun) {
      return !isNew;
    }
    if (row.getScore() != other.getScore()) {
      return row.getScore() > other.getScore();
    }
    return url.length() == than.length() ? url.compareTo(than) < 0 : url.length() < than.length();
  }

  @Test
  public void inEveryOrderAndNumberOfPartsOnePageOfEachSignatureIsKept() throws Exception {
    byte[] statuses = {
      CrawlDatum.STATUS_DB_UNFETCHED,
      CrawlDatum.STATUS_DB_FETCHED,
      CrawlDatum.STATUS_DB_NOTMODIFIED,
      CrawlDatum.STATUS_DB_DUPLICATE
    };
    Map<String, Byte> first = null;
    for (int parts = 1; parts <= 3; parts++) {
      Random random = new Random(1);
      db = new CrawlDbForTests(new File(temporary.getRoot(), "random-" + parts));
      db.put("http://start.example/", page(1000)).write(conf, parts).score(conf);
      long lastRun =
          DuplicatePass.lastRun(
              HostTable.Run.read(
                  new CrawlDbFolder(new org.apache.hadoop.fs.Path(db.folder.getPath()), conf)
                      .hosts(),
                  conf));
      assertTrue(lastRun > 0);
      Map<String, CrawlDatum> rows = new TreeMap<>();
      for (int i = 0; i < 400; i++) {
        CrawlDatum row = page(random.nextInt(90));
        row.setStatus(statuses[random.nextInt(statuses.length)]);
        row.setScore(random.nextInt(3));
        rows.put(
            "http://host" + random.nextInt(12) + ".example/" + random.nextInt(2000),
            random.nextBoolean() ? fetchedNow(row) : row);
      }
      FileUtil.fullyDelete(new File(db.folder, "current"));
      db = new CrawlDbForTests(db.folder);
      rows.forEach(db::put);
      db.write(conf, parts);
      conf.setInt("mapreduce.job.reduces", 4 - parts);
      ScoreSummary summary = db.score(conf);
      Map<String, Byte> found = new TreeMap<>();
      db.rows(conf).forEach((url, row) -> found.put(url, row.getStatus()));
      assertEquals(expected(rows, lastRun), found);
      long duplicates =
          found.values().stream().filter(s -> s == CrawlDatum.STATUS_DB_DUPLICATE).count();
      assertTrue(duplicates > 100);
      assertEquals(duplicates, summary.get(ScoreCounter.DUPLICATES));
      assertEquals(first == null ? found : first, found);
      first = found;
      assertHostsHaveTheMeanOfPagesThatAreNoDuplicates();
    }
  }

  private void assertHostsHaveTheMeanOfPagesThatAreNoDuplicates() {
    Map<String, long[]> hosts = new TreeMap<>();
    Map<String, CrawlDatum> rows = db.rows(conf);
    rows.forEach(
        (url, row) -> {
          long[] sums = hosts.computeIfAbsent(url.split("/")[2], host -> new long[2]);
          if (row.getStatus() != CrawlDatum.STATUS_DB_UNFETCHED) {
            sums[0] += row.getStatus() == CrawlDatum.STATUS_DB_DUPLICATE ? 0 : 900;
            sums[1]++;
          }
        });
    rows.forEach(
        (url, row) -> {
          long[] sums = hosts.get(url.split("/")[2]);
          assertEquals(url, (float) ((double) sums[0] / sums[1]), row.getScore(), 0);
        });
  }

  @Test
  public void aDryRunCountsTheDuplicatesAndWritesNothing() throws Exception {
    db.put("http://a.example/", page(1)).put("http://mirror.example/", page(1)).write(conf, 2);
    Map<String, Integer> before = db.files();
    LrlScoreJob job = new LrlScoreJob();
    String[] dry = {db.folder.getPath(), "-dryRun"};
    String said = Printed.out(() -> assertEquals(0, ToolRunner.run(conf, job, dry)));
    assertEquals(before, db.files());
    assertEquals(1, job.summary().get(ScoreCounter.DUPLICATES));
    assertTrue(said, said.contains("a.example\t1 rows\t900.0"));
  }

  @Test
  public void aSignatureOfTheFetchedBytesIsRefusedAndAnotherValueToo() throws Exception {
    db.put("http://a.example/", page(1)).write(conf, 1);
    for (String raw : new String[] {null, "org.apache.nutch.crawl.MD5Signature"}) {
      conf.unset("db.signature.class");
      if (raw != null) {
        conf.set("db.signature.class", raw);
      }
      assertEquals(
          "Property corpulyzer.score.duplicates is 'zero', which compares pages by their signature,"
              + " and db.signature.class is 'org.apache.nutch.crawl.MD5Signature', the MD5 of a"
              + " page as it was fetched; set db.signature.class to"
              + " org.apache.nutch.crawl.TextMD5Signature (equal texts) or"
              + " org.apache.nutch.crawl.TextProfileSignature (also near duplicates).",
          assertThrows(CorpulyzerException.class, () -> db.score(conf)).getMessage());
    }
    conf.set(Settings.SCORE_DUPLICATES, "drop");
    assertEquals(
        "Property corpulyzer.score.duplicates is 'drop'; allowed is one of count, zero.",
        assertThrows(CorpulyzerException.class, () -> db.score(conf)).getMessage());
  }
}
