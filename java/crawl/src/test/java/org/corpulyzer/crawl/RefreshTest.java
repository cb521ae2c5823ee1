package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.protocol.Content;
import org.junit.Rule;
import org.junit.Test;

/** Tests {@code --refresh} and the table of link rot in whole crawls of a web on loopback. */
public class RefreshTest {
  private static final String HEAD =
      "by\tvalue\tfetched again\tunchanged\tchanged\tmoved\tgone\tforbidden\tno answer\tgone %";

  @Rule public final TestCrawl folder = new TestCrawl();

  @Test(timeout = 300_000)
  public void aPureRefreshKeepsUnchangedRecordsReplacesChangedOnesAndCountsLinkRot()
      throws Exception {
    StringBuilder seeds = new StringBuilder();
    try (TinyWeb web = new TinyWeb()) {
      for (String host : new String[] {"changed", "forbidden", "gone", "moved", "same", "silent"}) {
        web.urdu("http://" + host + ".test/", "http://" + host + ".test/new");
        seeds.append("http://").append(host).append(".test/\n");
      }
      crawl(web, seeds.toString(), "--rounds", "1");
      assertFalse(Files.exists(folder.out().resolve("link-rot.tsv")));
      assertEquals(6, web.requests.size());
      Map<String, JsonObject> before = corpus();
      assertEquals(6, before.size());
      web.requests.clear();
      web.urdu("http://changed.test/", "http://changed.test/newer");
      web.other("http://forbidden.test/", 403, null);
      web.other("http://gone.test/", 410, null);
      web.other("http://moved.test/", 301, "http://same.test/moved");
      web.other("http://silent.test/", 503, null);
      crawl(web, seeds.toString(), "--rounds", "2", "--refresh", "1");
      assertEquals(
          "no new page",
          new TreeSet<>(
              Arrays.asList(
                  "http://changed.test/",
                  "http://forbidden.test/",
                  "http://gone.test/",
                  "http://moved.test/",
                  "http://same.test/",
                  "http://silent.test/")),
          new TreeSet<>(web.requests));
      assertTrue(
          folder.output(), folder.output().contains("6 addresses, 6 of them fetched before"));
      Map<String, JsonObject> after = corpus();
      assertEquals(
          "[http://changed.test/, http://same.test/, http://silent.test/]",
          after.keySet().toString());
      assertEquals(before.get("http://same.test/"), after.get("http://same.test/"));
      assertEquals(before.get("http://silent.test/"), after.get("http://silent.test/"));
      assertEquals(2, after.get("http://changed.test/").get("round").getAsInt());
      assertEquals(
          CrawlDatum.STATUS_DB_NOTMODIFIED,
          CrawlFiles.rows(folder.data()).get("http://same.test/").getStatus());
      assertEquals(
          Arrays.asList(
              HEAD,
              "all\tall\t6\t1\t1\t1\t1\t1\t1\t16.67",
              "age\tunder 1 day\t6\t1\t1\t1\t1\t1\t1\t16.67",
              "host\tchanged.test\t1\t0\t1\t0\t0\t0\t0\t0.00",
              "host\tforbidden.test\t1\t0\t0\t0\t0\t1\t0\t0.00",
              "host\tgone.test\t1\t0\t0\t0\t1\t0\t0\t100.00",
              "host\tmoved.test\t1\t0\t0\t1\t0\t0\t0\t0.00",
              "host\tsame.test\t1\t1\t0\t0\t0\t0\t0\t0.00",
              "host\tsilent.test\t1\t0\t0\t0\t0\t0\t1\t0.00"),
          linkRot());
      assertTrue(folder.output(), folder.output().contains("link rot: 6 pages were fetched again"));
      // The fetch that was replaced, and that of the page that is gone, are still stored.
      Set<String> stored =
          CrawlFiles.records(
                  folder
                      .data()
                      .resolve("segments")
                      .resolve(segment())
                      .resolve("content")
                      .resolve(Segment.PART)
                      .resolve("data"),
                  Content::new)
              .keySet();
      assertTrue(stored.toString(), stored.contains("http://gone.test/"));
      assertTrue(stored.toString(), stored.contains("http://changed.test/"));

      // The same page again: its record stays, and its last fetch counts.
      crawl(web, seeds.toString(), "--rounds", "3", "--refresh", "1");
      assertEquals(after, corpus());
      assertTrue(
          linkRot().toString(),
          linkRot().contains("host\tchanged.test\t1\t1\t0\t0\t0\t0\t0\t0.00"));
      assertTrue(linkRot().toString(), linkRot().get(1).startsWith("all\tall\t6\t2\t0\t1\t1"));
    }
  }

  @Test(timeout = 300_000)
  public void aShareOfTheRoundIsSpentOnTheOldestPagesAndTheRestOnNewOnes() throws Exception {
    StringBuilder seeds = new StringBuilder();
    try (TinyWeb web = new TinyWeb()) {
      for (String host : new String[] {"a", "b", "c", "d"}) {
        web.urdu("http://" + host + ".test/", "http://" + host + "-new.test/");
        web.urdu("http://" + host + "-new.test/");
        seeds.append("http://").append(host).append(".test/\n");
      }
      crawl(web, seeds.toString(), "--rounds", "1");
      Map<String, CrawlDatum> rows = CrawlFiles.rows(folder.data());
      web.requests.clear();
      crawl(web, seeds.toString(), "--rounds", "2", "--top", "4", "--refresh", "0.5");
      assertEquals(web.requests.toString(), 4, web.requests.size());
      long newest = 0;
      for (String page : web.requests) {
        if (!page.contains("-new")) {
          newest = Math.max(newest, rows.remove(page).getFetchTime());
        }
      }
      assertEquals(2, web.requests.stream().filter(page -> page.contains("-new")).count());
      for (String host : new String[] {"a", "b", "c", "d"}) {
        CrawlDatum left = rows.get("http://" + host + ".test/");
        assertTrue(host, left == null || left.getFetchTime() >= newest);
      }
    }
  }

  @Test(timeout = 300_000)
  public void noPageIsFetchedAgainInTheRunThatFetchedIt() throws Exception {
    try (TinyWeb web = new TinyWeb()) {
      web.urdu("http://a.test/", "http://b.test/");
      web.urdu("http://b.test/", "http://c.test/");
      web.urdu("http://c.test/");
      crawl(web, "http://a.test/\n", "--rounds", "5", "--refresh", "0.5");
      assertEquals(
          Arrays.asList("http://a.test/", "http://b.test/", "http://c.test/"), web.requests);
      assertTrue(folder.output(), folder.output().contains("nothing is left to fetch"));
      assertFalse(Files.exists(folder.out().resolve("link-rot.tsv")));
    }
  }

  @Test(timeout = 300_000)
  public void aRunThatWasKilledGoesOnWithoutThePagesThatItFetchedAgain() throws Exception {
    try (TinyWeb web = new TinyWeb()) {
      web.urdu("http://a.test/");
      crawl(web, "http://a.test/\n", "--rounds", "1");
      // As if the killed run had begun before the page was fetched.
      long fetched = CrawlFiles.rows(folder.data()).get("http://a.test/").getModifiedTime();
      folder.state().beginRefresh(fetched);
      crawl(web, "http://a.test/\n", "--rounds", "2", "--refresh", "1");
      assertEquals(1, web.requests.size());
      assertTrue(folder.output(), folder.output().contains("nothing is left to fetch"));
      // That run ended in order, so this is a new one.
      crawl(web, "http://a.test/\n", "--rounds", "2", "--refresh", "1");
      assertEquals(2, web.requests.size());
    }
  }

  @Test
  public void aShareThatCannotBeIsRefused() throws Exception {
    for (String bad : new String[] {"2", "-0.1", "NaN", "half"}) {
      assertEquals(bad, 2, folder.run("http://a.test/\n", "--refresh", bad));
      assertTrue(folder.output(), folder.output().contains("--refresh"));
      assertFalse(Files.exists(folder.data()));
    }
    assertEquals(2, folder.run("http://a.test/\n", "--refresh", "2"));
    assertTrue(
        folder.output(),
        folder.output().contains("--refresh is 2.0; allowed is a share of each round from 0 to 1"));
  }

  private String segment() throws Exception {
    try (Stream<Path> segments = Files.list(folder.data().resolve("segments"))) {
      return segments.sorted().findFirst().get().getFileName().toString();
    }
  }

  private List<String> linkRot() throws Exception {
    return Files.readAllLines(folder.out().resolve("link-rot.tsv"), StandardCharsets.UTF_8);
  }

  private Map<String, JsonObject> corpus() throws Exception {
    Map<String, JsonObject> records = new TreeMap<>();
    for (String line : Corpus.lines(folder.corpus())) {
      JsonObject record = JsonParser.parseString(line).getAsJsonObject();
      assertTrue(line, records.put(record.get("url").getAsString(), record) == null);
    }
    return records;
  }

  private void crawl(TinyWeb web, String seeds, String... options) throws Exception {
    String[] common = {"--proxy", web.proxy(), "--no-report"};
    String[] all = Arrays.copyOf(common, common.length + options.length);
    System.arraycopy(options, 0, all, common.length, options.length);
    int code = folder.run(seeds, all);
    assertEquals(folder.output(), 0, code);
  }
}
