package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.CrawlDbReader;
import org.corpulyzer.corpus.JobFailedException;
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

public class ScoringTest {

  /** Bytes per language that can be read, or no text. */
  private static final String FIGURES = "([a-z]+:[0-9]{1,18},)*[a-z]+:[0-9]{1,18}|";

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private Configuration conf;
  private CrawlDbForTests db;

  @Before
  public void configure() {
    conf = CrawlDbForTests.conf(temporary.getRoot());
    db = new CrawlDbForTests(new File(temporary.getRoot(), "crawl/crawldb"));
  }

  private static String hostOf(String url) {
    try {
      return new URL(url).getHost().toLowerCase(Locale.ROOT);
    } catch (MalformedURLException e) {
      return "";
    }
  }

  private static long urdu(CrawlDatum row) {
    Object text = row.getMetaData().get(new Text(PageKeys.LANGUAGES));
    String value = text == null ? "" : text.toString();
    return value.matches(FIGURES)
        ? Arrays.stream(value.split(","))
            .filter(entry -> entry.startsWith("urd:"))
            .mapToLong(entry -> Long.parseLong(entry.substring(4)))
            .sum()
        : 0;
  }

  private static boolean isFetched(CrawlDatum row) {
    boolean isList = has(row, PageKeys.LIST_MARK) && !has(row, PageKeys.DECISION);
    return !isList
        && Arrays.asList("db_fetched", "db_notmodified", "db_duplicate")
            .contains(CrawlDatum.getStatusName(row.getStatus()));
  }

  private static boolean has(CrawlDatum row, String mark) {
    return row.getMetaData().containsKey(new Text(mark));
  }

  /**
   * Scores of every row from the rows alone, by the definition of the policies; rows without a host
   * keep theirs.
   */
  private static Map<String, Float> expected(
      Map<String, CrawlDatum> rows, boolean explores, boolean byLinks, int barren, int limit) {
    Map<String, List<String>> hosts = new HashMap<>();
    rows.keySet()
        .forEach(url -> hosts.computeIfAbsent(hostOf(url), host -> new ArrayList<>()).add(url));
    Map<String, Float> scores = new TreeMap<>();
    hosts.forEach(
        (host, urls) -> {
          long fetched = urls.stream().filter(url -> isFetched(rows.get(url))).count();
          long bytes =
              urls.stream()
                  .filter(url -> isFetched(rows.get(url)))
                  .mapToLong(url -> urdu(rows.get(url)))
                  .sum();
          long read =
              urls.stream()
                  .filter(url -> isFetched(rows.get(url)) && isRead(rows.get(url)))
                  .count();
          long elsewhere =
              urls.stream().filter(url -> has(rows.get(url), PageKeys.ELSEWHERE_MARK)).count();
          boolean strong =
              urls.stream().filter(url -> has(rows.get(url), PageKeys.FOUND_MARK)).count()
                  >= elsewhere + 4;
          String probe =
              !explores || fetched > 0 || elsewhere > 0 && !strong
                  ? null
                  : urls.stream()
                      .filter(url -> mayProbe(rows.get(url)))
                      .map(Text::new)
                      .min(Text::compareTo)
                      .map(Text::toString)
                      .orElse(null);
          for (String url : urls) {
            CrawlDatum row = rows.get(url);
            float mean = read == 0 ? 256 : (float) ((double) bytes / read);
            float score =
                read == 0 && has(row, PageKeys.INJECTED_MARK)
                    ? 1e9f
                    : read == 0 && fetched > 0
                        ? unread(row.getScore())
                        : byLinks
                                && !has(row, PageKeys.INJECTED_MARK)
                                && !has(row, PageKeys.FOUND_MARK)
                            ? mean * 0.1f
                            : url.equals(probe) ? strong ? 5e8f : 2.5e8f : mean;
            if (limit > 0 && fetched >= limit) {
              score = -2;
            }
            if (barren > 0 && read >= barren && bytes < read * 25.6) {
              score = -1;
            }
            scores.put(url, host.isEmpty() ? row.getScore() : score);
          }
        });
    return scores;
  }

  /** By the place of the score before, between that of unknown hosts and twice as much. */
  private static float unread(float before) {
    return before >= 256 && before < 512
        ? before
        : before > 0 ? Math.min(256 * (1 + before / (1 + before)), Math.nextDown(512f)) : 256;
  }

  private static boolean isRead(CrawlDatum row) {
    Object text = row.getMetaData().get(new Text(PageKeys.LANGUAGES));
    return text == null ? has(row, PageKeys.DECISION) : text.toString().matches(FIGURES);
  }

  private static boolean mayProbe(CrawlDatum row) {
    return row.getStatus() == CrawlDatum.STATUS_DB_UNFETCHED
        && has(row, PageKeys.FOUND_MARK)
        && !has(row, PageKeys.INJECTED_MARK);
  }

  /** Hosts with one prefix, IPv6, upper case, ports, user names, and an empty one. */
  private static final String[] HOSTS = {
    "a.example",
    "a.example.org",
    "a-b.example",
    "A.Example",
    "b.example:8080",
    "u@b.example",
    "[2001:db8::1]",
    "[2001:DB8::1]:81",
    "192.0.2.7",
    "xn--mgbh0fb.example",
    "c.example?x",
    "d.example#y",
    "",
    "e.example",
    "f.example",
    "g.example",
    "h.example"
  };

  private static final byte[] STATUSES = {
    CrawlDatum.STATUS_DB_UNFETCHED,
    CrawlDatum.STATUS_DB_FETCHED,
    CrawlDatum.STATUS_DB_GONE,
    CrawlDatum.STATUS_DB_REDIR_TEMP,
    CrawlDatum.STATUS_DB_NOTMODIFIED,
    CrawlDatum.STATUS_DB_DUPLICATE,
    CrawlDatum.STATUS_DB_ORPHAN
  };

  /** Figures of every kind, and what is none. */
  private static final String[] LANGUAGES = {
    null,
    "urd:3000,eng:5",
    "eng:900",
    "urd:1,urd:2",
    "urd:x",
    "urd",
    ":::",
    "urd:99999999999999999999",
    "",
    "urd:-5",
    "ur:700"
  };

  /** Puts rows with any of these, both schemes, and what is no URL. */
  private void putRandomRows(Random random, int count) {
    for (int i = 0; i < count; i++) {
      String host = oneOf(HOSTS, random);
      String url =
          (random.nextBoolean() ? "http://" : "https://")
              + host
              + (random.nextInt(9) == 0 ? "" : "/" + random.nextInt(count));
      if (random.nextInt(20) == 0) {
        String[] others = {
          "no url ", "http:/a.example/", "mailto:x@y", "ftp://a.example/", "http://[::1/"
        };
        url = oneOf(others, random) + i;
      }
      db.put(url, randomRow(host, random));
    }
  }

  private static CrawlDatum randomRow(String host, Random random) {
    boolean untouched = host.equals("e.example") || host.equals("f.example");
    CrawlDatum row =
        CrawlDbForTests.row(
            untouched ? CrawlDatum.STATUS_DB_UNFETCHED : STATUSES[random.nextInt(STATUSES.length)],
            random.nextInt(3));
    String language = oneOf(LANGUAGES, random);
    if (language != null) {
      row.getMetaData().put(new Text(PageKeys.LANGUAGES), new Text(language));
    }
    if (random.nextInt(3) == 0) {
      row.getMetaData().put(new Text(PageKeys.DECISION), new Text("reject too few"));
    }
    for (String mark : new String[] {PageKeys.FOUND_MARK, PageKeys.INJECTED_MARK}) {
      if (random.nextInt(3) == 0) {
        row.getMetaData().put(new Text(mark), new Text(PageKeys.MARK_SET));
      }
    }
    if (random.nextInt(4) == 0 && !host.equals("e.example")) {
      row.getMetaData().put(new Text(PageKeys.ELSEWHERE_MARK), new Text(PageKeys.MARK_SET));
    }
    if (random.nextInt(12) == 0) {
      row.getMetaData().put(new Text(PageKeys.LIST_MARK), new Text("0"));
    }
    if (random.nextInt(30) == 0) {
      row.getMetaData().put(new Text(PageKeys.VERSION), new LongWritable(7));
    }
    row.setScore(random.nextInt(40) == 0 ? Float.NaN : row.getScore());
    row.setSignature(new byte[] {1, 2, 3});
    return row;
  }

  private static String oneOf(String[] values, Random random) {
    return values[random.nextInt(values.length)];
  }

  @Test
  public void hostsOfLowByteYieldStopAndNeedTheDownloadedBytesInCrawlDb() throws Exception {
    for (int i = 0; i < 20; i++) {
      for (String host : new String[] {"heavy", "light", "unknown"}) {
        CrawlDatum row = CrawlDbForTests.fetched("eng:50,urd:900");
        if (!host.equals("unknown")) {
          String size = host.equals("heavy") ? "400000" : "40000";
          row.getMetaData().put(new Text(PageKeys.RAW_BYTES), new Text(size));
        }
        db.put("http://" + host + ".example/" + i, row);
      }
    }
    db.put("http://heavy.example/next", CrawlDbForTests.row(CrawlDatum.STATUS_DB_UNFETCHED, 900));
    db.write(conf, 2);
    // The threshold of 20 pages is 0.3 %; the byte yields are 0.225 and 2.25 %.
    conf.set(Settings.SCORE_POLICY, "mean+rising:0.01");
    CorpulyzerException refused = assertThrows(CorpulyzerException.class, () -> db.score(conf));
    assertEquals(
        "Property corpulyzer.score.policy has +rising, which needs the downloaded bytes of pages,"
            + " and db.parsemeta.to.crawldb is 'crp.l, crp.v,crp.d'; add crp.r to it, or remove"
            + " +rising.",
        refused.getMessage());

    conf.set("db.parsemeta.to.crawldb", "crp.l, crp.v,crp.d,crp.r");
    ScoreSummary summary = db.score(conf);
    Map<String, CrawlDatum> rows = db.rows(conf);
    assertEquals(-3, rows.get("http://heavy.example/next").getScore(), 0);
    assertEquals(-3, rows.get("http://heavy.example/0").getScore(), 0);
    assertEquals(900, rows.get("http://light.example/0").getScore(), 0);
    assertEquals(900, rows.get("http://unknown.example/0").getScore(), 0);
    assertEquals(1, summary.get(ScoreCounter.HOSTS_LOW_YIELD));
    assertTrue(
        summary.toString(),
        summary
            .toString()
            .contains("0 barren, 0 at the limit, 1 of low byte yield, with 21 rows)"));

    conf.set(Settings.SCORE_POLICY, "mean");
    db.score(conf);
    assertEquals(900, db.rows(conf).get("http://heavy.example/next").getScore(), 0);
  }

  @Test
  public void everyRowHasTheScoreThatItsHostsRowsComeToAndNothingElseChanges() throws Exception {
    String[] policies = {"mean", "explore", "mean+barren:2+limit:6", "explore+limit:3", "mean"};
    for (int i = 0; i < policies.length; i++) {
      db = new CrawlDbForTests(new File(temporary.getRoot(), "random-" + i));
      putRandomRows(new Random(i), 40 + 150 * i);
      db.write(conf, 1 + i);
      boolean isSoft = i == policies.length - 1;
      conf.set(Settings.SCORE_POLICY, policies[i]);
      conf.set(Settings.LINKS_POLICY, isSoft ? "soft" : "all");
      conf.setInt("mapreduce.job.reduces", 1 + i % 3);
      Map<String, CrawlDatum> before = db.rows(conf);
      Map<String, Map<String, CrawlDatum>> parts = db.parts(conf, "current");
      ScoreSummary summary = db.score(conf);
      int barren = policies[i].contains("barren") ? 2 : 0;
      int limit = policies[i].contains("limit:6") ? 6 : policies[i].contains("limit:3") ? 3 : 0;
      boolean explores = policies[i].startsWith("explore");
      Map<String, Float> expected = expected(before, explores, explores || isSoft, barren, limit);
      Map<String, CrawlDatum> after = db.rows(conf);
      assertEquals(before.keySet(), after.keySet());
      long written = 0;
      for (Map.Entry<String, CrawlDatum> row : after.entrySet()) {
        assertEquals(
            policies[i] + " " + row.getKey(),
            expected.get(row.getKey()),
            (Float) row.getValue().getScore());
        CrawlDatum restored = before.get(row.getKey());
        written += Float.compare(restored.getScore(), row.getValue().getScore()) == 0 ? 0 : 1;
        restored.setScore(row.getValue().getScore());
        assertEquals("all but the score stays", restored.toString(), row.getValue().toString());
      }
      assertEquals(written, summary.get(ScoreCounter.ROWS_WRITTEN));
      assertEquals(
          after.keySet().stream().filter(url -> hostOf(url).isEmpty()).count(),
          summary.get(ScoreCounter.MALFORMED_KEYS));
      assertEquals(
          after.keySet().stream()
              .map(ScoringTest::hostOf)
              .filter(host -> !host.isEmpty())
              .distinct()
              .count(),
          summary.get(ScoreCounter.HOSTS_SCORED));
      parts.forEach(
          (name, rows) -> {
            try {
              assertEquals(
                  "every row stays in its part, in its order",
                  new ArrayList<>(rows.keySet()),
                  new ArrayList<>(db.parts(conf, "current").get(name).keySet()));
            } catch (IOException e) {
              throw new java.io.UncheckedIOException(e);
            }
          });
      Map<String, Integer> files = db.files();
      ScoreSummary again = db.score(conf);
      assertEquals(0, again.get(ScoreCounter.ROWS_WRITTEN));
      assertEquals(summary.get(ScoreCounter.PAGES), again.get(ScoreCounter.ROWS_UNCHANGED));
      Map<String, Integer> same = db.files();
      files.keySet().removeIf(name -> name.startsWith("corpulyzer"));
      same.keySet().removeIf(name -> name.startsWith("corpulyzer"));
      assertEquals("a second run leaves current and old alone", files, same);
    }
  }

  @Test
  public void nutchFindsEveryRowAndPassesTheHostTableBy() throws Exception {
    for (int i = 0; i < 60; i++) {
      db.put("http://h" + i % 7 + ".example/" + i, CrawlDbForTests.fetched("urd:" + i));
    }
    db.write(conf, 3).score(conf);
    for (int i = 0; i < 60; i++) {
      try (CrawlDbReader reader = new CrawlDbReader()) {
        CrawlDatum found =
            reader.get(db.folder.getPath(), "http://h" + i % 7 + ".example/" + i, conf);
        assertNotNull("http://h" + i % 7 + ".example/" + i, found);
        assertNotEquals(0f, found.getScore(), 0);
      }
    }
    File merged = new File(temporary.getRoot(), "merged");
    assertEquals(
        0,
        ToolRunner.run(
            conf,
            new org.apache.nutch.crawl.CrawlDbMerger(),
            new String[] {merged.getPath(), db.folder.getPath()}));
    assertEquals(db.rows(conf).keySet(), new CrawlDbForTests(merged).rows(conf).keySet());
    File dump = new File(temporary.getRoot(), "dump");
    assertEquals(
        0,
        ToolRunner.run(
            conf,
            new CrawlDbReader(),
            new String[] {db.folder.getPath(), "-dump", dump.getPath()}));
    assertEquals(
        60,
        Files.readAllLines(new File(dump, "part-r-00000").toPath()).stream()
            .filter(line -> line.startsWith("http://"))
            .count());
  }

  @Test
  public void aFullUpdateIsInstalledAsNutchDoesIt() throws Exception {
    db.put("http://a.example/", CrawlDbForTests.fetched("urd:500")).write(conf, 2);
    db.score(conf);
    assertEquals(
        "the CrawlDb before is kept",
        0f,
        db.parts(conf, "old")
            .get("part-r-00001")
            .getOrDefault(
                "http://a.example/",
                db.parts(conf, "old").get("part-r-00000").get("http://a.example/"))
            .getScore(),
        0);
    assertFalse(new File(db.folder, ".locked").exists());
    assertEquals(Arrays.asList("corpulyzer", "current", "old"), listed(db.folder));
    assertEquals(Arrays.asList("hosts"), listed(new File(db.folder, "corpulyzer")));

    conf.setBoolean("db.preserve.backup", false);
    conf.set(Settings.SCORE_POLICY, "mean+limit:1");
    db.score(conf);
    assertEquals(-2f, db.score(conf, "http://a.example/"), 0);
    assertEquals(Arrays.asList("corpulyzer", "current"), listed(db.folder));
  }

  private static List<String> listed(File folder) {
    String[] names = folder.list((dir, name) -> !name.endsWith(".crc"));
    Arrays.sort(names);
    return Arrays.asList(names);
  }

  @Test
  public void aLockedCrawlDbIsRefusedUnlessForced() throws Exception {
    db.put("http://a.example/", CrawlDbForTests.fetched("urd:500")).write(conf, 1);
    assertTrue(new File(db.folder, ".locked").createNewFile());
    Map<String, Integer> before = db.files();
    CorpulyzerException refused = assertThrows(CorpulyzerException.class, () -> db.score(conf));
    assertTrue(
        refused.getMessage(),
        refused
            .getMessage()
            .matches("The CrawlDb .*crawldb is locked: .*\\.locked exists; .*-force.*"));
    assertEquals("nothing is written and the lock stays", before, db.files());
    assertEquals(
        0, ToolRunner.run(conf, new LrlScoreJob(), new String[] {db.folder.getPath(), "-force"}));
    assertEquals(500f, db.score(conf, "http://a.example/"), 0);
    assertFalse(new File(db.folder, ".locked").exists());
  }

  @Test
  public void aRunDeletesWhatAKilledOneLeftAndNothingElse() throws Exception {
    db.put("http://a.example/", CrawlDbForTests.fetched("urd:500")).write(conf, 1).score(conf);
    File ours = new File(db.folder, "corpulyzer");
    assertTrue(new File(ours, "run-1234/current/part-r-00000").mkdirs());
    assertTrue(new File(ours, "notes").mkdirs());
    assertTrue(new File(db.folder, "123456").mkdirs());
    assertTrue(
        "killed while the table was replaced",
        new File(ours, "hosts").renameTo(new File(ours, "hosts.old")));
    conf.set(Settings.LANGUAGE_TARGET, "en");
    conf.setBoolean(Settings.SCORE_CHANGE_LANGUAGE, true);
    db.score(conf);
    assertEquals(Arrays.asList("hosts", "notes"), listed(ours));
    assertTrue(new File(db.folder, "123456").exists());
    assertTrue(new File(ours, "hosts").renameTo(new File(ours, "hosts.old")));
    assertTrue(new File(ours, "hosts").mkdirs());
    db.score(conf);
    assertEquals(Arrays.asList("hosts", "notes"), listed(ours));
  }

  @Test
  public void aDamagedPartFailsTheJobAndCrawlDbStaysAsItWas() throws Exception {
    for (int i = 0; i < 500; i++) {
      db.put("http://h" + i + ".example/", CrawlDbForTests.fetched("urd:" + i));
    }
    db.write(conf, 2);
    File data = new File(db.folder, "current/part-r-00001/data");
    byte[] bytes = Files.readAllBytes(data.toPath());
    Files.write(data.toPath(), Arrays.copyOf(bytes, bytes.length * 2 / 3));
    assertTrue(new File(data.getParent(), ".data.crc").delete());
    Map<String, Integer> before = db.files();
    assertThrows(JobFailedException.class, () -> db.score(conf));
    assertEquals(before, db.files());

    Files.write(data.toPath(), new byte[0]);
    before = db.files();
    Exception lost = assertThrows(Exception.class, () -> db.score(conf));
    assertEquals("an empty file must not become a missing part: " + lost, before, db.files());
  }

  @Test
  public void anEmptyCrawlDbHasNoHost() throws Exception {
    db.write(conf, 2);
    ScoreSummary summary = db.score(conf);
    assertEquals(0, summary.get(ScoreCounter.PAGES));
    assertEquals(0, summary.get(ScoreCounter.HOSTS_SCORED));
    assertEquals(2, db.parts(conf, "current").size());
    CorpulyzerException absent =
        assertThrows(
            CorpulyzerException.class,
            () -> new CrawlDbForTests(new File(temporary.getRoot(), "nowhere")).score(conf));
    assertTrue(
        absent.getMessage(),
        absent.getMessage().contains("has no CrawlDb ('current' is missing): inject seeds first"));
    assertFalse(new File(temporary.getRoot(), "nowhere").exists());
  }

  @Test
  public void probesAreAsManyAsAllowedAndStayTheSame() throws Exception {
    for (int i = 0; i < 50; i++) {
      for (String page : new String[] {"", "b", "c", "d"}) {
        db.put(
            "http://h" + i + ".example/" + page,
            CrawlDbForTests.row(
                CrawlDatum.STATUS_DB_UNFETCHED, 1, PageKeys.FOUND_MARK, PageKeys.MARK_SET));
      }
    }
    db.write(conf, 2);
    conf.set(Settings.SCORE_POLICY, "explore");
    conf.setInt("mapreduce.job.reduces", 3);
    conf.set(Settings.SCORE_PROBES, "10");
    ScoreSummary summary = db.score(conf);
    List<String> probed = probes();
    assertEquals(10, probed.size());
    assertTrue(probed.toString(), probed.stream().allMatch(url -> url.endsWith("/")));
    assertEquals(10, summary.get(ScoreCounter.HOSTS_PROBED));
    assertEquals(50, summary.get(ScoreCounter.HOSTS_UNKNOWN));
    assertTrue(
        summary.toString(),
        summary.toString().contains("50 hosts scored, 10 of them probed; 200 rows written"));
    assertEquals(0, db.score(conf).get(ScoreCounter.ROWS_WRITTEN));

    conf.set(Settings.SCORE_PROBES, "13");
    assertEquals(3, db.score(conf).get(ScoreCounter.ROWS_WRITTEN));
    assertTrue("more probes are further ones", probes().containsAll(probed));
    conf.set(Settings.SCORE_PROBES, "0");
    assertEquals(13, db.score(conf).get(ScoreCounter.ROWS_WRITTEN));
    assertEquals(Arrays.asList(), probes());
    conf.set(Settings.SCORE_PROBES, "50");
    assertEquals(50, db.score(conf).get(ScoreCounter.ROWS_WRITTEN));
    assertEquals(50, probes().size());
    // It suits a -topN of 100.
    conf.setInt("generate.max.count", 5);
    assertEquals(42, db.score(conf).get(ScoreCounter.ROWS_WRITTEN));
    assertEquals(8, probes().size());
  }

  @Test
  public void hostsWithStrongEvidenceAreProbedFirstAndOthersGetHalfOfThePlaces() throws Exception {
    for (int i = 0; i < 40; i++) {
      int found = i < 6 ? 5 : 3;
      for (int j = 0; j < 6; j++) {
        db.put(
            "http://h" + i + ".example/" + j,
            j < found
                ? CrawlDbForTests.row(
                    CrawlDatum.STATUS_DB_UNFETCHED, 1, PageKeys.FOUND_MARK, PageKeys.MARK_SET)
                : CrawlDbForTests.row(CrawlDatum.STATUS_DB_UNFETCHED, 1, PageKeys.LIST_MARK, "0"));
      }
      if (i < 6) {
        // Five rows less this one are still a lead of four.
        db.put(
            "http://h" + i + ".example/x",
            CrawlDbForTests.row(
                CrawlDatum.STATUS_DB_UNFETCHED, 1, PageKeys.ELSEWHERE_MARK, PageKeys.MARK_SET));
      }
    }
    db.write(conf, 2);
    conf.set(Settings.SCORE_POLICY, "explore");
    conf.setInt("mapreduce.job.reduces", 1);
    conf.set(Settings.SCORE_PROBES, "20");
    db.score(conf);
    assertEquals("all that are strong", 6, withScore(5e8f));
    assertEquals("half of 20", 10, withScore(2.5e8f));
    conf.set(Settings.SCORE_PROBES, "7");
    db.score(conf);
    assertEquals(6, withScore(5e8f));
    assertEquals("what the strong ones leave", 1, withScore(2.5e8f));
    assertEquals(0, db.score(conf).get(ScoreCounter.ROWS_WRITTEN));
    conf.set(Settings.SCORE_PROBES, "4");
    db.score(conf);
    assertEquals(4, withScore(5e8f));
    assertEquals(0, withScore(2.5e8f));
  }

  private long withScore(float score) {
    return db.rows(conf).values().stream().filter(row -> row.getScore() == score).count();
  }

  @Test
  public void figuresThatNobodyCouldHaveCountedDoNotStopTheJob() throws Exception {
    db.put("http://a.example/", CrawlDbForTests.fetched("urd:9223372036854775807"))
        .put("http://a.example/b", CrawlDbForTests.fetched("urd:9223372036854775807"))
        .put("https://a.example/", CrawlDbForTests.fetched("urd:9223372036854775807"))
        .put("http://b.example/", CrawlDbForTests.fetched("urd:300"))
        .write(conf, 2);
    db.score(conf);
    assertEquals(Long.MAX_VALUE / 3.0, db.score(conf, "http://a.example/"), 1e12);
    assertEquals(300f, db.score(conf, "http://b.example/"), 0);
  }

  private List<String> probes() {
    List<String> urls = new ArrayList<>();
    db.rows(conf)
        .forEach(
            (url, row) -> {
              if (row.getScore() == 5e8f) {
                urls.add(url);
              } else {
                assertEquals(url, 256f, row.getScore(), 0);
              }
            });
    return urls;
  }

  @Test
  public void theLineSaysWhatTheCrawlHasMoreThanAfterTheRunBefore() throws Exception {
    db.put("http://a.example/", CrawlDbForTests.fetched("urd:500,eng:8")).write(conf, 1);
    String first = db.score(conf).toString();
    assertTrue(first, first.endsWith("; 500 bytes in the language on 1 hosts"));
    CrawlDatum rejected = CrawlDbForTests.fetched("eng:900");
    rejected.getMetaData().put(new Text(PageKeys.DECISION), new Text("reject little"));
    db.put("http://a.example/2", CrawlDbForTests.fetched("urd:300"))
        .put("http://b.example/", CrawlDbForTests.fetched("urd:1000"))
        .put("http://c.example/", rejected)
        .write(conf, 1);
    String second = db.score(conf).toString();
    assertTrue(
        second,
        second.matches(
            ".*; 1800 bytes in the language on 2 hosts; since the run of 20[-0-9T:]+Z:"
                + " \\+3 fetched, \\+2 keep \\(yield 66\\.7 %\\), \\+1300 bytes,"
                + " \\+1 hosts with text"));
    String third = db.score(conf).toString();
    assertTrue(third, third.endsWith(": +0 fetched, +0 keep, +0 bytes, +0 hosts with text"));
    conf.set(Settings.LANGUAGE_TARGET, "en");
    conf.setBoolean(Settings.SCORE_CHANGE_LANGUAGE, true);
    String other = db.score(conf).toString();
    assertTrue(other, other.endsWith("; 908 bytes in the language on 2 hosts"));
  }

  @Test
  public void anotherLanguageThanTheTablesIsRefusedUnlessTold() throws Exception {
    db.put("http://a.example/", CrawlDbForTests.fetched("urd:500,eng:8")).write(conf, 1);
    assertTrue(
        db.score(conf).toString().contains(": target language urd; 1 pages, 1 fetched (1 keep, "));
    conf.set(Settings.LANGUAGE_TARGET, "urd");
    assertEquals("another name of the language", 0, db.score(conf).get(ScoreCounter.ROWS_WRITTEN));
    conf.set(Settings.LANGUAGE_TARGET, "en");
    Map<String, Integer> before = db.files();
    CorpulyzerException refused = assertThrows(CorpulyzerException.class, () -> db.score(conf));
    assertTrue(
        refused.getMessage(),
        refused
            .getMessage()
            .matches(
                "The CrawlDb .* was scored for urd and corpulyzer.language.target is now eng: set"
                    + " it back, or pass -Dcorpulyzer.score.changeLanguage=true to score every host"
                    + " for eng\\."));
    assertEquals(before, db.files());
    assertEquals(
        0,
        ToolRunner.run(
            conf,
            new LrlScoreJob(),
            new String[] {"-Dcorpulyzer.score.changeLanguage=true", db.folder.getPath()}));
    assertEquals(8f, db.score(conf, "http://a.example/"), 0);
  }

  @Test
  public void aDryRunPrintsHostsAndWritesNothing() throws Exception {
    db.put("http://a.example/", CrawlDbForTests.fetched("urd:500"))
        .put("http://a.example/b", CrawlDbForTests.row(1, 3))
        .put("http://b.example/", CrawlDbForTests.row(1, 256))
        .write(conf, 1);
    Map<String, Integer> before = db.files();
    String[] dry = {db.folder.getPath(), "-dryRun"};
    String printed =
        Printed.out(() -> assertEquals(0, ToolRunner.run(conf, new LrlScoreJob(), dry)));
    assertEquals(before, db.files());
    List<String> lines = Arrays.asList(printed.split("\n"));
    assertEquals("a.example\t2 rows\t500.0", lines.get(0));
    assertTrue(
        lines.get(1),
        lines
            .get(1)
            .matches(
                "LrlScoreJob: .* \\(dry run, nothing written\\): .*; 2 rows would change, 1"
                    + " unchanged; 500 bytes in the language on 1 hosts"));
  }

  @Test
  public void settingsWithoutWhichNothingSteersFailTheJob() throws Exception {
    db.put("http://a.example/", CrawlDbForTests.fetched("urd:500")).write(conf, 1);
    Map<String, Integer> before = db.files();
    Configuration noPlugin = CrawlDbForTests.conf(temporary.getRoot());
    noPlugin.set("plugin.includes", "scoring-opic");
    String said = assertThrows(CorpulyzerException.class, () -> db.score(noPlugin)).getMessage();
    assertTrue(
        said,
        said.startsWith(
            "The scoring filter of plugin corpulyzer is not active: plugin.includes is"
                + " 'scoring-opic' and"));
    conf.set("db.parsemeta.to.crawldb", "title,crp.v");
    said = assertThrows(CorpulyzerException.class, () -> db.score(conf)).getMessage();
    assertEquals(
        "Property db.parsemeta.to.crawldb is 'title,crp.v'; add crp.l,crp.v,crp.d to it, or no"
            + " page's language reaches CrawlDb.",
        said);
    Configuration hostDb = CrawlDbForTests.conf(temporary.getRoot());
    hostDb.set(Settings.SCORE_SOURCE, "hostdb");
    said = assertThrows(CorpulyzerException.class, () -> db.score(hostDb)).getMessage();
    assertTrue(
        said,
        said.startsWith(
            "Property corpulyzer.score.source is 'hostdb', so the scoring filter ignores"));
    hostDb.set(Settings.SCORE_SOURCE, "row");
    said = assertThrows(CorpulyzerException.class, () -> db.score(hostDb)).getMessage();
    assertTrue(
        said,
        said.startsWith(
            "Property corpulyzer.score.source is 'row', so the scoring filter replaces"));
    conf.unset(Settings.LANGUAGE_TARGET);
    assertThrows(CorpulyzerException.class, () -> db.score(conf));
    assertEquals(before, db.files());
    for (String[] args : new String[][] {{}, {"-dryRun"}, {"a", "b"}, {"a", "-what"}}) {
      assertEquals(2, ToolRunner.run(conf, new LrlScoreJob(), args));
    }
  }
}
