package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.Map;
import org.apache.nutch.crawl.CrawlDatum;
import org.junit.Rule;
import org.junit.Test;

/** Crawls under a policy with a rising threshold for byte yields. */
public class ByteYieldTest {
  private static final int PAGES = 40;
  private static final String SEEDS = "http://heavy.test/0\nhttp://light.test/0\n";

  @Rule public final TestCrawl folder = new TestCrawl();

  /**
   * All pages have the same Urdu text, about 4 kB. Those of one host have 600 kB around it: a byte
   * yield of 0.7 %. The thresholds after the 11 pages of two rounds and the 21 of three are 0.2 and
   * 1.6 %.
   */
  @Test(timeout = 280_000)
  public void aHostOfLowByteYieldStopsUntilTheRuleIsRemoved() throws Exception {
    try (TinyWeb web = new TinyWeb()) {
      for (String host : new String[] {"heavy", "light"}) {
        String[] links = new String[PAGES];
        for (int i = 0; i < PAGES; i++) {
          links[i] = "http://" + host + ".test/" + i;
        }
        for (String link : links) {
          if (host.equals("heavy")) {
            web.heavyUrdu(link, 600_000, links);
          } else {
            web.urdu(link, links);
          }
        }
      }
      crawl(web, "3", "mean+rising:0.05");
      Map<String, CrawlDatum> rows = CrawlFiles.rows(folder.data());
      assertEquals(-3, rows.get("http://heavy.test/39").getScore(), 0);
      assertTrue(rows.get("http://light.test/39").getScore() > 0);
      long before = requests(web, "heavy");
      assertTrue(before + " requests", before < PAGES);

      crawl(web, "4", "mean+rising:0.05");
      assertEquals("a stopped host", before, requests(web, "heavy"));
      assertTrue("the other host", requests(web, "light") > before);

      crawl(web, "8", "mean");
      assertEquals("the same host without the rule", PAGES, requests(web, "heavy"));
    }
  }

  private void crawl(TinyWeb web, String rounds, String policy) throws Exception {
    int code =
        folder.run(
            SEEDS,
            "--rounds",
            rounds,
            "--top",
            "200",
            "--score-policy",
            policy,
            "--proxy",
            web.proxy());
    assertEquals(folder.output(), 0, code);
  }

  private static long requests(TinyWeb web, String host) {
    return web.requests.stream().filter(url -> url.startsWith("http://" + host)).distinct().count();
  }
}
