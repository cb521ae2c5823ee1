package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.apache.nutch.crawl.CrawlDatum;
import org.junit.Rule;
import org.junit.Test;

/**
 * Crawls whose hosts do not answer. Each is a process: robots.txt that failed is remembered in
 * memory.
 */
public class OfflineTest {
  @Rule public final TestCrawl folder = new TestCrawl();
  private String output;

  @Test(timeout = 120_000)
  public void aProxyThatIsDownEndsTheCrawlAndTheSameCommandFetchesAgain() throws Exception {
    int port = closedPort();
    String[] seeds = {"http://a.test/", "http://b.test/", "http://b.test/1"};
    for (int run = 0; run < 2; run++) {
      assertEquals(1, crawl(seeds, "--proxy", "127.0.0.1:" + port, "--rounds", "1"));
      assertTrue(
          output,
          output.contains(
              "No page was fetched: 3 of 3 fetches failed, most often with: connection refused (3);"
                  + " check"));
    }
    try (TinyWeb web = new TinyWeb(port)) {
      for (String seed : seeds) {
        web.urdu(seed);
      }
      assertEquals(0, crawl(seeds, "--proxy", "127.0.0.1:" + port, "--rounds", "1"));
      assertEquals(3, web.requests.size());
      assertTrue(output, output.contains("mean of the rounds' filtered yields: 100.0 %"));
    }
    for (CrawlDatum row : CrawlFiles.rows(folder.data()).values()) {
      assertEquals("a failure of ours is none of the row's", 0, row.getRetriesSinceFetch());
    }
  }

  @Test(timeout = 120_000)
  public void theReasonsOfAllHostsAreCounted() throws Exception {
    int port = closedPort();
    String[] seeds = {
      "http://nowhere.invalid/",
      "http://127.0.0.1:" + port + "/",
      "http://localhost:" + port + "/",
      "http://10.0.0.1/"
    };
    assertEquals(1, crawl(seeds, "--allow-private", "localhost,127.0.0.1"));
    assertTrue(
        output,
        output.contains(
            "No page was fetched: 4 of 4 fetches failed, most often with: connection refused (2), "
                + "private address, see --allow-private (1), unknown host name (1);"));
  }

  @Test(timeout = 120_000)
  public void ifOneHostAnswersTheCrawlGoesOnAndTheRoundsLineCountsTheFailures() throws Exception {
    int port = closedPort();
    try (TinyWeb web = new TinyWeb()) {
      web.urdu("http://a.test/");
      web.other("http://b.test/", 503, null);
      web.other("http://c.test/robots.txt", 500, null);
      assertEquals(
          0,
          crawl(
              new String[] {
                "http://a.test/", "http://b.test/", "http://c.test/", "http://d.test/gone"
              },
              "--proxy",
              web.proxy(),
              "--rounds",
              "1"));
      assertTrue(output, output.contains("pages/s; 1 notfound, 2 failed (HTTP 500 1, HTTP 503 1)"));
      assertTrue(output, output.contains("mean of the rounds' filtered yields: 100.0 %"));
    }
    // One dead host that is left over ends no crawl that has pages.
    assertEquals(
        0, crawl(new String[] {"http://e.test/"}, "--proxy", "127.0.0.1:" + port, "--rounds", "2"));
    assertTrue(output, output.contains("1 failed (connection refused 1)"));
    List<String> many = new ArrayList<>();
    for (int host = 0; host < 10; host++) {
      many.add("http://h" + host + ".test/");
    }
    assertEquals(
        1, crawl(many.toArray(new String[0]), "--proxy", "127.0.0.1:" + port, "--rounds", "3"));
    assertTrue(
        output,
        output.contains(
            "No page was fetched: 10 of 10 fetches failed, most often with: connection refused"
                + " (10);"));
  }

  @Test(timeout = 120_000)
  public void aCrawlWithoutAPageHasNoMeanAndFails() throws Exception {
    try (TinyWeb web = new TinyWeb()) {
      assertEquals(
          1,
          crawl(
              new String[] {"http://a.test/"},
              "--proxy",
              web.proxy(),
              "--rounds",
              "1",
              "--no-report"));
      assertTrue(output, output.contains("; 1 notfound"));
      assertTrue(output, output.contains("mean of the rounds' filtered yields: -\n"));
      assertTrue(output, output.contains("No page was fetched in any round;"));
    }
  }

  private int crawl(String[] seeds, String... more) throws Exception {
    int code = folder.runChild(100, String.join("\n", seeds) + "\n", more);
    output = folder.output();
    return code;
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return socket.getLocalPort();
    }
  }
}
