package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.parse.ParseData;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Hostile pages as long as the content limit allows, in a heap of 512 MB. {@code test --full
 * hostile} has all kinds of them; here are some of each sort.
 */
public class HostilePagesTest {
  /** Kinds in the order of the engine's tests: one in so many is tried. */
  private static final int STEP = 8;

  private static final long MAX_RSS_KB = 1_200_000;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  /**
   * On a busy machine a page may wait too long for memory, and is left to a later round. The next
   * crawl fetches those.
   */
  private static final int MAX_CRAWLS = 3;

  @Test(timeout = 590_000)
  public void pagesOfTheContentLimitAreParsedInABoundedHeap() throws Exception {
    Path root = folder.getRoot().toPath();
    try (HostileCrawl.Web web = new HostileCrawl.Web(root, true)) {
      List<String> left = pages(root);
      assertTrue(left.toString(), left.size() >= 15);
      for (int crawl = 0; crawl < MAX_CRAWLS && !left.isEmpty(); crawl++) {
        Path data = root.resolve("crawl-" + crawl);
        Files.createDirectory(data);
        Files.write(data.resolve("seeds.txt"), left);
        crawl(data, web);
        left = left(data, left);
      }
      assertEquals("every page was fetched", Collections.emptyList(), left);
    }
  }

  private static List<String> pages(Path root) throws Exception {
    List<String> pages = new ArrayList<>();
    for (String line : Files.readAllLines(root.resolve("attacks.tsv"))) {
      String url = line.split("\t")[1];
      if (url.matches("http://kind-[0-9]+\\..*")
          && Integer.parseInt(url.replaceAll("\\D", "")) % STEP == 0) {
        pages.add(url);
      }
    }
    return pages;
  }

  private static void crawl(Path root, HostileCrawl.Web web) throws Exception {
    List<String> arguments = TestCrawl.required(root);
    arguments.addAll(Arrays.asList("--rounds", "1", "--proxy", web.address()));
    ChildCrawl crawl =
        ChildCrawl.start(
            root.resolve("output.txt"),
            Collections.singletonList("-XX:+UseSerialGC"),
            arguments.toArray(new String[0]));
    long rss = 0;
    while (crawl.isAlive()) {
      rss = Math.max(rss, HostileCrawl.rss(crawl.pid()));
      Thread.sleep(50);
    }
    assertEquals(crawl.output(), 0, crawl.exitCode(1));
    assertTrue(rss + " kB", rss > 0 && rss < MAX_RSS_KB);
  }

  /** The pages that were not fetched. The others are whole, and were parsed. */
  private static List<String> left(Path root, List<String> pages) throws Exception {
    Map<String, String> outcomes = new TreeMap<>();
    CrawlFiles.rows(root.resolve("data"))
        .forEach((url, row) -> outcomes.put(url, CrawlDatum.getStatusName(row.getStatus())));
    List<String> left = new ArrayList<>(pages);
    left.removeIf(page -> outcomes.get(page).equals("db_fetched"));
    for (String page : left) {
      assertEquals(page, "db_unfetched", outcomes.get(page));
    }
    List<String> fetched = new ArrayList<>(pages);
    fetched.removeAll(left);
    Map<String, ParseData> parsed =
        CrawlFiles.newest(root.resolve("data"), ParseData.DIR_NAME, ParseData::new);
    assertTrue(parsed.keySet().toString(), parsed.keySet().containsAll(fetched));
    for (String page : fetched) {
      assertTrue(page, parsed.get(page).getStatus().isSuccess());
    }
    assertEquals("every page of the limit", Collections.emptyList(), tooShort(root, fetched));
    return left;
  }

  /** Pages that came cut, so that their length is not what the test is about. */
  private static List<String> tooShort(Path root, List<String> pages) throws Exception {
    Map<String, org.apache.nutch.protocol.Content> contents =
        CrawlFiles.newest(
            root.resolve("data"),
            org.apache.nutch.protocol.Content.DIR_NAME,
            org.apache.nutch.protocol.Content::new);
    List<String> tooShort = new ArrayList<>(pages);
    tooShort.removeIf(page -> contents.get(page).getContent().length > 8_000_000);
    return tooShort;
  }
}
