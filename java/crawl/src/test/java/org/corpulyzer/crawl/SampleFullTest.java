package org.corpulyzer.crawl;

import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The sample with scores of hosts, in mode S. */
public class SampleFullTest {
  private static final double MEAN_PERCENT = 82;
  private static final double RICH_HOSTS_FOUND = 0.6;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test(timeout = 590_000)
  public void byHostsInModeSTheYieldStaysHighAndMostRichHostsAreFound() throws Exception {
    SampleTest.assertGood(
        SampleTest.crawl(folder, CrawlOptions.Mode.S, CrawlOptions.Scoring.lrl),
        MEAN_PERCENT,
        RICH_HOSTS_FOUND);
  }
}
