package org.corpulyzer.crawl;

import org.junit.Test;

/** The same kills with policy {@code mean}. */
public class KillFullTest extends KillTest {
  @Override
  @Test(timeout = 580_000)
  public void aCrawlKilledInEachPhaseGoesOnWithoutFetchingAgainAndEndsAsIfNothingHadHappened()
      throws Exception {
    killInEachPhase("mean");
  }
}
