package org.corpulyzer.paper;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Paths;
import org.corpulyzer.crawl.RoundYield;
import org.corpulyzer.crawl.Sample;
import org.corpulyzer.crawl.SampleWeb;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class PaperSampleFullTest {
  private static final int SEED = 2;
  private static final double LANGUAGE_MEAN_PERCENT = 82;
  private static final double LINKS_MEAN_PERCENT = 55;
  private static final double RICH_HOSTS_FOUND = 0.6;
  private static final int MORE_RICH_HOSTS = 38;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test(timeout = 590_000)
  public void inModeJTheYieldStaysHighAndMostRichHostsAreFound() throws Exception {
    assertGood(crawl(PaperCrawl.Order.MODE_J));
  }

  @Test(timeout = 590_000)
  public void inModeSTheYieldStaysHighAndMostRichHostsAreFound() throws Exception {
    assertGood(crawl(PaperCrawl.Order.MODE_S));
  }

  @Test(timeout = 590_000)
  public void withPolicyPagesTheYieldIsHigherAndMoreRichHostsAreFound() throws Exception {
    Sample.Outcome outcome = crawl(PaperCrawl.Order.PAGES);
    assertGood(outcome);
    assertTrue(outcome.richHosts() + " rich hosts", outcome.richHosts() >= MORE_RICH_HOSTS);
  }

  @Test(timeout = 590_000)
  public void byLinksTheYieldFalls() throws Exception {
    Sample.Outcome outcome = crawl(PaperCrawl.Order.LINKS);
    assertTrue(
        RoundYield.table(outcome.rounds()), RoundYield.mean(outcome.rounds()) < LINKS_MEAN_PERCENT);
  }

  private Sample.Outcome crawl(PaperCrawl.Order order) throws Exception {
    Sample.Outcome outcome =
        PaperCrawl.crawl(
            Paths.get(System.getProperty("corpulyzer.paper.plugins")),
            order,
            folder.getRoot().toPath(),
            SEED,
            PaperCrawl.ROUNDS);
    assertEquals(PaperCrawl.ROUNDS, outcome.rounds().size());
    return outcome;
  }

  private static void assertGood(Sample.Outcome outcome) throws Exception {
    assertTrue(
        RoundYield.table(outcome.rounds()),
        RoundYield.mean(outcome.rounds()) >= LANGUAGE_MEAN_PERCENT);
    int rich = SampleWeb.hosts(Sample.RICH, SEED);
    assertTrue(outcome.richHosts() + " of " + rich, outcome.richHosts() >= RICH_HOSTS_FOUND * rich);
  }
}
