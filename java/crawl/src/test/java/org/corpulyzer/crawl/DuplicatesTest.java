package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.nutch.crawl.CrawlDatum;
import org.junit.Rule;
import org.junit.Test;

/** Crawls of a host with mirrors, and of hosts without. */
public class DuplicatesTest {
  private static final int PAGES = 8;
  private static final int MIRRORS = 15;
  private static final int OTHERS = 24;

  @Rule public final TestCrawl folder = new TestCrawl();

  /**
   * Hosts by the number of their first text. The mirrors have slightly longer texts than others,
   * because their numbers have a digit more; longer numbers would be in no language.
   */
  private static Map<String, Integer> hosts() {
    Map<String, Integer> hosts = new TreeMap<>();
    hosts.put("first.test", 1000);
    for (int mirror = 10; mirror < 10 + MIRRORS; mirror++) {
      hosts.put("a-mirror" + mirror + ".test", 1000);
    }
    for (int other = 10; other < 10 + OTHERS; other++) {
      hosts.put("other" + other + ".test", 10 * other);
    }
    return hosts;
  }

  private static String seeds() {
    return hosts().keySet().stream()
        .map(host -> "http://" + host + "/0\n")
        .collect(Collectors.joining());
  }

  private static void fill(TinyWeb web) {
    hosts()
        .forEach(
            (host, first) -> {
              String[] links = new String[PAGES];
              Arrays.setAll(links, number -> "http://" + host + "/" + number);
              for (int number = 0; number < PAGES; number++) {
                web.urduNumber(first + number, links[number], links);
              }
            });
  }

  @Test(timeout = 400_000)
  public void mirrorsSinkAndTheCrawlFindsMoreTextsIfDuplicatesCountAsZero() throws Exception {
    try (TinyWeb web = new TinyWeb()) {
      fill(web);
      // In the order of mean the first host is in the first round; pages takes seeds by their hash.
      crawl(web, "7", "20", "--score-policy", "mean", "--duplicates", "zero");
      assertTrue(folder.output(), folder.output().contains(", " + MIRRORS + " duplicates "));
      Map<String, CrawlDatum> rows = CrawlFiles.rows(folder.data());
      float first = rows.get("http://first.test/7").getScore();
      assertTrue("the first host has the shortest URLs: " + first, first > 1000);
      assertEquals("db_fetched", status(rows, "http://first.test/0"));
      for (int mirror = 10; mirror < 10 + MIRRORS; mirror++) {
        String url = "http://a-mirror" + mirror + ".test/";
        assertEquals(url, 0, rows.get(url + 7).getScore(), 0);
        assertEquals(url, "db_duplicate", status(rows, url + 0));
      }
      assertEquals("only the seeds", MIRRORS, requests(web, "mirror"));
      assertEquals("pages of two rounds, and then new texts alone", 140 - MIRRORS, texts());

      LocalFiles.deleteTree(folder.data());
      web.requests.clear();
      crawl(web, "7", "20", "--score-policy", "mean", "--replace");
      rows = CrawlFiles.rows(folder.data());
      assertEquals(first, rows.get("http://a-mirror10.test/7").getScore(), 1);
      assertEquals("db_fetched", status(rows, "http://a-mirror10.test/0"));
      assertEquals(MIRRORS * 6, requests(web, "mirror"));
      assertTrue("texts of mirrors are new once: " + texts(), 2 * texts() < 140 - MIRRORS);
    }
  }

  @Test(timeout = 400_000)
  public void reparseFindsTheDuplicatesOfACrawlThatCountedThem() throws Exception {
    try (TinyWeb web = new TinyWeb()) {
      fill(web);
      crawl(web, "1", "40", "--all");
      List<String> records = Corpus.lines(folder.corpus());
      Map<String, CrawlDatum> rows = CrawlFiles.rows(folder.data());
      assertEquals("db_fetched", status(rows, "http://a-mirror11.test/0"));
      float before = rows.get("http://a-mirror10.test/7").getScore();

      crawl(web, "1", "40", "--all", "--reparse", "--duplicates", "zero");
      rows = CrawlFiles.rows(folder.data());
      assertEquals("db_duplicate", status(rows, "http://a-mirror11.test/0"));
      assertEquals(0, rows.get("http://a-mirror10.test/7").getScore(), 0);
      assertEquals("signatures of records stay", records, Corpus.lines(folder.corpus()));

      crawl(web, "1", "40", "--all", "--reparse");
      assertEquals(
          before, CrawlFiles.rows(folder.data()).get("http://a-mirror10.test/7").getScore(), 0);
    }
  }

  @Test(timeout = 400_000)
  public void aPageThatIsFetchedAgainIsNoDuplicateOfItselfAndChangedTextComesBack()
      throws Exception {
    try (TinyWeb web = new TinyWeb()) {
      web.urduNumber(1, "http://first.test/");
      web.urduNumber(1, "http://mirror.test/");
      String seeds = "http://first.test/\nhttp://mirror.test/\n";
      crawlFrom(seeds, web, "1", "20", "--duplicates", "zero");
      assertEquals("db_duplicate", status(CrawlFiles.rows(folder.data()), "http://mirror.test/"));

      CrawlFiles.makeDue(folder.data());
      crawlFrom(seeds, web, "2", "20", "--duplicates", "zero");
      assertEquals(4, web.requests.size());
      Map<String, CrawlDatum> rows = CrawlFiles.rows(folder.data());
      assertNotEquals("db_duplicate", status(rows, "http://first.test/"));
      assertEquals("db_duplicate", status(rows, "http://mirror.test/"));
      assertEquals(0, rows.get("http://mirror.test/").getScore(), 0);

      web.urduNumber(2, "http://first.test/");
      CrawlFiles.makeDue(folder.data());
      crawlFrom(seeds, web, "3", "20", "--duplicates", "zero");
      rows = CrawlFiles.rows(folder.data());
      assertNotEquals("db_duplicate", status(rows, "http://first.test/"));
      assertNotEquals("db_duplicate", status(rows, "http://mirror.test/"));
      assertTrue(rows.get("http://mirror.test/").getScore() > 1000);
    }
  }

  @Test
  public void modesWithoutAPassOverThePagesAreRefused() throws Exception {
    for (String[] other : new String[][] {{"--mode", "S"}, {"--scoring", "link"}}) {
      String[] more = {"--duplicates", "zero", other[0], other[1]};
      assertEquals(2, folder.run(seeds(), more));
      assertEquals(
          "corpulyzer crawl: --duplicates is zero, which needs --scoring lrl and --mode J, but "
              + other[0]
              + " is "
              + other[1]
              + "; leave one of the two options out\n",
          folder.output());
    }
  }

  private void crawl(TinyWeb web, String rounds, String top, String... more) throws Exception {
    crawlFrom(seeds(), web, rounds, top, more);
  }

  /** A twentieth of the pages of a round are of one host at most. */
  private void crawlFrom(String seeds, TinyWeb web, String rounds, String top, String... more)
      throws Exception {
    List<String> options =
        new ArrayList<>(
            Arrays.asList("--rounds", rounds, "--top", top, "--no-report", "--proxy", web.proxy()));
    Collections.addAll(options, more);
    assertEquals(folder.output(), 0, folder.run(seeds, options.toArray(new String[0])));
  }

  private long texts() throws Exception {
    return folder.state().yields().stream().mapToLong(yield -> yield.newTexts).sum();
  }

  private static String status(Map<String, CrawlDatum> rows, String url) {
    return CrawlDatum.getStatusName(rows.get(url).getStatus());
  }

  private static long requests(TinyWeb web, String host) {
    Stream<String> urls = web.requests.stream();
    return urls.filter(url -> url.contains(host)).distinct().count();
  }
}
