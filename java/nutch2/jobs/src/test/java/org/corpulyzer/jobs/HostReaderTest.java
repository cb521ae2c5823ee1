package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.util.Utf8;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.storage.Mark;
import org.apache.nutch.storage.WebPage;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

public class HostReaderTest {

  private static HBaseForTests hbase;
  private static CrawlForTests crawl;

  @BeforeClass
  public static void scoreACrawl() throws Exception {
    hbase = HBaseForTests.shared();
    crawl = new CrawlForTests(hbase, "reader");
    crawl.put(
        "http://www.rich.example/",
        CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "urd:3000,eng:5"));
    crawl.put(
        "https://www.rich.example:8443/a\u001b[2J",
        CrawlForTests.page(CrawlStatus.STATUS_NOTMODIFIED, "urd:1000"));
    crawl.put(
        "http://www.rich.example/gone", CrawlForTests.page(CrawlStatus.STATUS_GONE, "urd:77"));
    crawl.put("http://[2001:db8::1]/", CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "urd:50"));
    WebPage seed = CrawlForTests.page(CrawlStatus.STATUS_UNFETCHED, null);
    seed.getMarkers().put(Mark.INJECT_MARK.getName(), new Utf8("y"));
    crawl.put("http://seed.example/", seed);
    crawl.flush();
    assertEquals(0, ToolRunner.run(crawl.conf(), new LrlScoreJob(), new String[0]));
  }

  @AfterClass
  public static void close() throws Exception {
    crawl.close();
  }

  private static String read(int wanted, String... args) throws Exception {
    return read(crawl.conf(), wanted, args);
  }

  private static String read(Configuration conf, int wanted, String... args) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertEquals(
        wanted,
        ToolRunner.run(
            new Configuration(conf), new HostReader(new PrintStream(out, true, "UTF-8")), args));
    return out.toString("UTF-8");
  }

  private static void assertLine(String text, String... parts) {
    assertTrue(
        text,
        Arrays.stream(text.split("\n"))
            .anyMatch(
                line -> {
                  for (String part : parts) {
                    if (!line.contains(part)) {
                      return false;
                    }
                  }
                  return true;
                }));
  }

  @Test
  public void topHostsComeBestFirst() throws Exception {
    String[] lines = read(0, "-top", "2").split("\n");
    assertEquals(3, lines.length);
    assertLine(lines[1], "2000.0", "4000", " 2 ", " 3 ", "www.rich.example");
    assertLine(lines[2], "256.0", "seed.example");
  }

  @Test
  public void hostIsExplainedRowByRowUnderEitherName() throws Exception {
    for (String name : new String[] {"www.rich.example", "example.rich.www"}) {
      String text = read(0, "-host", name);
      assertLine(
          text, "status_fetched", "3000", "2000.0", "keep enough", "http://www.rich.example/");
      assertLine(text, "status_notmodified", "1000", "https://www.rich.example:8443/a?[2J");
      assertLine(text, "status_gone", "(77)", "http://www.rich.example/gone");
      assertLine(text, "4000 urd bytes / 2 fetched pages (of 3) = 2000.0");
      assertLine(text, "Last scored", "2000.0 from 4000 bytes / 2 pages");
      assertFalse("no control character reaches the terminal", text.contains("\u001b"));
    }
  }

  @Test
  public void underPolicyPagesItIsStatedWhichRowsHaveTheMean() throws Exception {
    String[] command = {"-Dcorpulyzer.score.policy=pages", "-host", "seed.example"};
    assertLine(read(0, command), "only new seeds and rows that are not due have these scores");
    assertFalse(read(0, "-host", "seed.example").contains("policy pages"));
    assertLine(
        read(0, "-Dcorpulyzer.score.policy=pages", "-host", "[2001:db8::1]"),
        "http://[2001:db8::1]/");
  }

  @Test
  public void sectionsOfAHostAreShownUnderPolicyPages() throws Exception {
    try (CrawlForTests sections = new CrawlForTests(hbase, "reader-sections")) {
      String origin = "http://sections.example/";
      for (int page = 0; page < 3; page++) {
        sections.put(
            origin + "ur/" + page, CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "urd:800"));
      }
      WebPage english = CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "eng:900");
      CrawlForTests.metadata(english, PageKeys.DECISION, "reject 0 bytes");
      sections.put(origin + "en/0?lang=en", english);
      sections.put(origin + "ur/9", CrawlForTests.page(CrawlStatus.STATUS_UNFETCHED, null));
      sections.flush();
      Configuration conf = sections.conf();
      String[] command = {"-host", "sections.example"};
      assertFalse(read(conf, 0, command).contains("section "));
      conf.set(Settings.SCORE_POLICY, "pages");
      assertEquals(0, ToolRunner.run(conf, new LrlScoreJob(), new String[0]));
      String text = read(conf, 0, command);
      List<String> lines = Arrays.asList(text.split("\n"));
      int heading = lines.indexOf("in language       fetched  section");
      assertEquals(text, 7, heading);
      assertEquals("3                       3  /ur/", lines.get(heading + 1));
      assertEquals("0                       1  /en/", lines.get(heading + 2));
      assertEquals("0                       1  ?lang=en", lines.get(heading + 3));
      assertLine(text, "ur/9  (probability ");
    }
  }

  @Test
  public void hostsWithoutAMeanAndAddressesAreExplainedToo() throws Exception {
    String seed = read(0, "-host", "seed.example");
    assertLine(seed, "1.0E9", "http://seed.example/  (seed)");
    assertLine(seed, "Nothing of 1 pages is fetched", "256.0", "1.0E9");
    assertLine(read(0, "-host", "[2001:db8::1]"), "http://[2001:db8::1]/");
  }

  @Test
  public void hostsThatAreGivenUpAreCountedAndOneIsExplained() throws Exception {
    try (CrawlForTests stopped = new CrawlForTests(hbase, "reader-stops")) {
      for (String page : new String[] {"a", "b"}) {
        stopped.put(
            "http://barren.example/" + page,
            CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "eng:900,urd:25"));
      }
      stopped.put(
          "http://barren.example/unread", CrawlForTests.page(CrawlStatus.STATUS_FETCHED, null));
      stopped.put(
          "http://full.example/", CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "urd:4000"));
      for (String page : new String[] {"a", "b", "c"}) {
        stopped.put(
            "http://full.example/" + page,
            CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "urd:4000"));
      }
      stopped.flush();
      Configuration conf = stopped.conf();
      conf.set(Settings.SCORE_POLICY, "mean+barren:2+limit:4");
      assertEquals(0, ToolRunner.run(conf, new LrlScoreJob(), new String[0]));
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      assertEquals(
          0,
          ToolRunner.run(
              conf,
              new HostReader(new PrintStream(out, true, "UTF-8")),
              new String[] {"-top", "1"}));
      assertEquals(
          0,
          ToolRunner.run(
              conf,
              new HostReader(new PrintStream(out, true, "UTF-8")),
              new String[] {"-host", "barren.example"}));
      String text = out.toString("UTF-8");
      assertLine(text, "1 hosts are generated no more, score -1.0; barren: ");
      assertLine(text, "1 hosts are generated no more, score -2.0; limit: ");
      assertLine(
          text,
          "50 urd bytes / 3 fetched pages (of 3, 1 not read): generated no more, score -1.0;"
              + " barren: ");
    }
  }

  @Test
  public void whatIsNotThereIsAnError() throws Exception {
    assertEquals("", read(1, "-host", "absent.example"));
    assertEquals("", read(2));
    assertEquals("", read(2, "-top", "0"));
    assertEquals("", read(2, "-top", "3", "-host", "seed.example"));
    assertThrows(CorpulyzerException.class, () -> read(0, "-top", "3", "-crawlId", "nowhere"));
    assertThrows(
        CorpulyzerException.class, () -> read(0, "-host", "a.example", "-crawlId", "nowhere"));
  }
}
