package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
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

  @Test(timeout = 590_000)
  public void pagesOfTheContentLimitAreParsedInABoundedHeap() throws Exception {
    Path root = folder.getRoot().toPath();
    List<String> pages = new ArrayList<>();
    try (HostileCrawl.Web web = new HostileCrawl.Web(root, true)) {
      for (String line : Files.readAllLines(root.resolve("attacks.tsv"))) {
        String url = line.split("\t")[1];
        if (url.matches("http://kind-[0-9]+\\..*")
            && Integer.parseInt(url.replaceAll("\\D", "")) % STEP == 0) {
          pages.add(url);
        }
      }
      assertTrue(pages.toString(), pages.size() >= 15);
      Files.write(root.resolve("seeds.txt"), pages);
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
    Map<String, String> outcomes = new TreeMap<>();
    CrawlFiles.rows(root.resolve("data"))
        .forEach((url, row) -> outcomes.put(url, CrawlDatum.getStatusName(row.getStatus())));
    outcomes.keySet().retainAll(pages);
    assertEquals(
        outcomes.toString(), Collections.singleton("db_fetched"), new HashSet<>(outcomes.values()));
    Map<String, ParseData> parsed =
        CrawlFiles.newest(root.resolve("data"), ParseData.DIR_NAME, ParseData::new);
    assertTrue(parsed.keySet().toString(), parsed.keySet().containsAll(pages));
    for (String page : pages) {
      assertTrue(page, parsed.get(page).getStatus().isSuccess());
    }
    assertEquals("every page of the limit", Arrays.asList(), tooShort(root, pages));
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
