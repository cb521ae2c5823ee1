package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Eight rounds over the web of our own; the truth comes from its server's log. */
public class SampleTest {
  private static final double PAGES_MEAN_PERCENT = 90;
  private static final double PAGES_RICH_HOSTS_FOUND = 0.97;
  private static final double LINK_MEAN_PERCENT = 55;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test(timeout = 590_000)
  public void byPagesTheYieldStaysHighAndNearlyAllRichHostsAreFound() throws Exception {
    assertGood(
        crawl(folder, CrawlOptions.Mode.J, CrawlOptions.Scoring.lrl),
        PAGES_MEAN_PERCENT,
        PAGES_RICH_HOSTS_FOUND);
  }

  @Test(timeout = 590_000)
  public void byLinksTheYieldFalls() throws Exception {
    Sample.Outcome outcome = crawl(folder, CrawlOptions.Mode.J, CrawlOptions.Scoring.link);
    assertTrue(
        RoundYield.table(outcome.rounds()), RoundYield.mean(outcome.rounds()) < LINK_MEAN_PERCENT);
  }

  static Sample.Outcome crawl(
      TemporaryFolder folder, CrawlOptions.Mode mode, CrawlOptions.Scoring scoring)
      throws Exception {
    CrawlOptions options = new CrawlOptions();
    options.mode = mode;
    options.data = folder.getRoot().toPath();
    Sample.Outcome outcome = new Sample(options, System.out).crawl(scoring);
    System.out.println(RoundYield.table(outcome.rounds()) + outcome.richHosts() + " rich hosts");
    assertEquals(8, outcome.rounds().size());
    return outcome;
  }

  static void assertGood(Sample.Outcome outcome, double meanPercent, double found)
      throws Exception {
    assertTrue(
        RoundYield.table(outcome.rounds()), RoundYield.mean(outcome.rounds()) >= meanPercent);
    int rich = SampleWeb.hosts(Sample.RICH, new CrawlOptions().sampleSeed);
    assertTrue(
        outcome.richHosts() + " of " + rich, rich > 0 && outcome.richHosts() >= found * rich);
  }
}
