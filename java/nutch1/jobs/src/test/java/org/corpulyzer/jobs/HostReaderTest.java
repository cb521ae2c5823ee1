package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlDatum;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class HostReaderTest {

  @Rule public final TemporaryFolder temporary = new TemporaryFolder();

  private Configuration conf;
  private CrawlDbForTests db;

  @Before
  public void writeACrawl() throws Exception {
    conf = CrawlDbForTests.conf(temporary.getRoot());
    db =
        new CrawlDbForTests(new File(temporary.getRoot(), "crawldb"))
            .put("http://www.rich.example/", CrawlDbForTests.fetched("urd:3000,eng:5"))
            .put(
                "https://www.rich.example:8443/a\u001b[2J",
                CrawlDbForTests.row(
                    CrawlDatum.STATUS_DB_NOTMODIFIED, 0, PageKeys.LANGUAGES, "urd:1000"))
            .put(
                "http://www.rich.example?q", CrawlDbForTests.row(CrawlDatum.STATUS_DB_UNFETCHED, 0))
            .put(
                "http://www.rich.example/gone",
                CrawlDbForTests.row(CrawlDatum.STATUS_DB_GONE, 0, PageKeys.LANGUAGES, "urd:77"))
            .put("http://www.rich.example.org/", CrawlDbForTests.fetched("urd:1"))
            .put("http://www.rich.example:x@other.example/", CrawlDbForTests.fetched("urd:2"))
            .put("http://[2001:db8::1]/", CrawlDbForTests.fetched("urd:50"))
            .put(
                "http://seed.example/",
                CrawlDbForTests.row(
                    CrawlDatum.STATUS_DB_UNFETCHED, 0, PageKeys.INJECTED_MARK, PageKeys.MARK_SET));
    db.write(conf, 3);
  }

  private List<String> read(int wanted, String... args) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertEquals(
        wanted, ToolRunner.run(conf, new HostReader(new PrintStream(out, true, "UTF-8")), args));
    return out.toString("UTF-8").lines().collect(Collectors.toList());
  }

  private static void assertLine(List<String> lines, String... parts) {
    assertTrue(
        String.join("\n", lines),
        lines.stream().anyMatch(line -> Arrays.stream(parts).allMatch(line::contains)));
  }

  @Test
  public void topHostsComeBestFirst() throws Exception {
    CorpulyzerException early =
        assertThrows(CorpulyzerException.class, () -> read(0, db.folder.getPath(), "-top", "2"));
    assertTrue(
        early.getMessage(),
        early.getMessage().endsWith("has no host table: run LrlScoreJob first."));
    conf.setInt("mapreduce.job.reduces", 2);
    db.score(conf);
    List<String> lines = read(0, db.folder.getPath(), "-top", "2");
    assertEquals(3, lines.size());
    assertEquals(lines.get(0).indexOf("host"), lines.get(1).indexOf("www.rich.example"));
    assertLine(lines.subList(1, 2), "2000.0", "4000", " 2 ", " 4 ", "www.rich.example");
    assertLine(lines.subList(2, 3), "256.0", "seed.example");
    assertEquals(6, read(0, db.folder.getPath(), "-top", "9").size());
    conf.set(Settings.SCORE_POLICY, "mean+limit:2");
    db.score(conf);
    assertLine(
        read(0, db.folder.getPath(), "-top", "1"),
        "1 hosts are generated no more, score -2.0; limit: ");
  }

  @Test
  public void hostIsExplainedRowByRowInTheOrderOfUrls() throws Exception {
    assertLine(
        read(0, db.folder.getPath(), "-host", "www.rich.example"),
        "Not scored yet: run LrlCrawlDb or LrlScoreJob.");
    db.score(conf);
    List<String> lines = read(0, db.folder.getPath(), "-host", "WWW.rich.example");
    assertLine(
        lines.subList(1, 2),
        "db_fetched",
        "3000",
        "2000.0",
        "keep enough",
        "http://www.rich.example/");
    assertLine(lines.subList(2, 3), "db_gone", "(77)", "http://www.rich.example/gone");
    assertLine(lines.subList(3, 4), "db_unfetched", "http://www.rich.example?q");
    assertLine(
        lines.subList(4, 5), "db_notmodified", "1000", "https://www.rich.example:8443/a?[2J");
    assertEquals("4000 urd bytes / 2 fetched pages (of 4) = 2000.0", lines.get(6));
    assertTrue(
        lines.get(7),
        lines
            .get(7)
            .matches("Last scored 20.*Z: 2000.0 from 4000 bytes / 2 pages, urd, engine .*"));
    assertEquals("rows of hosts with the same beginning are left out", 8, lines.size());
    assertFalse(
        "no control character reaches the terminal", String.join("", lines).contains("\u001b"));
  }

  @Test
  public void hostsWithoutAMeanAndAddressesAreExplainedToo() throws Exception {
    db.score(conf);
    List<String> seed = read(0, db.folder.getPath(), "-host", "seed.example");
    assertLine(seed, "1.0E9", "http://seed.example/  (seed)");
    assertLine(seed, "Nothing of 1 pages is fetched", "256.0", "1.0E9");
    assertLine(read(0, db.folder.getPath(), "-host", "[2001:db8::1]"), "http://[2001:db8::1]/");
    assertLine(
        read(0, db.folder.getPath(), "-host", "other.example"),
        "The host had 1 rows then. Rows whose URL has a user name");
  }

  @Test
  public void sectionsOfAHostAreShownUnderPolicyPages() throws Exception {
    String origin = "http://sections.example/";
    for (int page = 0; page < 3; page++) {
      db.put(origin + "ur/" + page, CrawlDbForTests.fetched("urd:800"));
    }
    db.put(
        origin + "en/0?lang=en",
        CrawlDbForTests.row(CrawlDatum.STATUS_DB_FETCHED, 0, PageKeys.DECISION, "reject 0 bytes"));
    db.put(origin + "ur/9", CrawlDbForTests.row(CrawlDatum.STATUS_DB_UNFETCHED, 0));
    org.apache.hadoop.fs.FileUtil.fullyDelete(new File(db.folder, "current"));
    db.write(conf, 2);
    String crawlDb = db.folder.getPath();
    assertFalse(
        String.join("\n", read(0, crawlDb, "-host", "sections.example")).contains("section "));
    conf.set(Settings.SCORE_POLICY, "pages");
    db.score(conf);
    List<String> lines = read(0, crawlDb, "-host", "sections.example");
    int heading = lines.indexOf("in language       fetched  section");
    assertEquals(String.join("\n", lines), 7, heading);
    assertEquals("3                       3  /ur/", lines.get(heading + 1));
    assertEquals("0                       1  /en/", lines.get(heading + 2));
    assertEquals("0                       1  ?lang=en", lines.get(heading + 3));
    // The bytes to expect are between those of the host's pages and the mean over hosts.
    float expected = db.score(conf, origin + "ur/9");
    assertTrue("expected are " + expected + " bytes", expected > 100 && expected < 2000);
    assertLine(lines, "ur/9  (probability ");
    assertLine(lines, "A row that is due has the bytes that its page is expected to have");
    List<String> seed = read(0, crawlDb, "-host", "seed.example");
    assertLine(seed, "http://seed.example/  (seed)");
    assertLine(seed, "Nothing of 1 pages is fetched");
    assertLine(seed, "only new seeds and rows that are not due have these scores");
  }

  @Test
  public void whatIsNotThereIsAnError() throws Exception {
    String crawlDb = db.folder.getPath();
    assertEquals(Arrays.asList(), read(1, crawlDb, "-host", "absent.example"));
    for (String[] args :
        new String[][] {
          {}, {crawlDb}, {crawlDb, "-top", "0"}, {crawlDb, "-top", "3", "-host", "a"}, {"-top", "3"}
        }) {
      assertEquals(Arrays.asList(), read(2, args));
    }
    assertThrows(CorpulyzerException.class, () -> read(0, crawlDb + "2", "-host", "a.example"));
  }
}
