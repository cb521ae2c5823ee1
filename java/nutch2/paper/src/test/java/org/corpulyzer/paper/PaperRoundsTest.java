package org.corpulyzer.paper;

import static org.junit.Assert.assertTrue;

import java.nio.file.Paths;
import org.corpulyzer.crawl.RoundYield;
import org.corpulyzer.crawl.Sample;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The first rounds of the paper's stack: {@code test --full paper} crawls all of them. */
public class PaperRoundsTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test(timeout = 300_000)
  public void pagesAreParsedSoThatTheSecondRoundFetchesWhatTheyLinkTo() throws Exception {
    Sample.Outcome outcome =
        new PaperCrawl(
                Paths.get(System.getProperty("corpulyzer.paper.plugins")), PaperCrawl.Order.MODE_J)
            .crawl(folder.getRoot().toPath(), 2, 2);
    RoundYield second = outcome.rounds().get(1);
    String table = RoundYield.table(outcome.rounds());
    assertTrue(table, second.fetched() > 100);
    assertTrue(table, second.percent() > 50);
  }
}
