package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.Test;

public class RoundYieldTest {
  @Test
  public void roundsCountTheSameHoweverManyPagesTheyFetched() {
    assertEquals(
        60,
        RoundYield.mean(
            Arrays.asList(new RoundYield(1, 10, 2, 1, 2), new RoundYield(2, 1000, 1000, 1, 9))),
        0);
  }

  @Test
  public void aRoundThatFetchedNothingHasNoYield() {
    List<RoundYield> rounds =
        Arrays.asList(new RoundYield(1, 10, 8, 3, 8), new RoundYield(2, 0, 0, 0, 0));
    assertEquals(80, RoundYield.mean(rounds), 0);
    String[] lines = RoundYield.table(rounds).split("\n");
    assertTrue(lines[2], lines[2].matches(" +2 +0 +0 +- +- +- +0 +- +-"));
    assertTrue(lines[3], lines[3].matches(" +all +10 +8 +80\\.0% +- +- +3"));
  }

  @Test
  public void theTableHasTheSpreadOfARoundOverItsHosts() {
    String[] lines =
        RoundYield.table(Arrays.asList(new RoundYield(1, 10, 8, 3, 8, 4, 2.25, -1))).split("\n");
    assertTrue(lines[1], lines[1].matches(" +1 +10 +8 +80\\.0% +- +- +3 +4 +2\\.3"));
  }

  @Test
  public void theTableHasTheYieldOfPagesWithAnyTextAndTheFilteredYield() {
    RoundYield known = new RoundYield(1, 10, 5, 3, 5, 4, 2, 9);
    String[] lines = RoundYield.table(Arrays.asList(known)).split("\n");
    assertTrue(lines[0], lines[0].contains("     kept  filtered yield  any text   yield  "));
    assertTrue(lines[1], lines[1].matches(" +1 +10 +5 +50\\.0% +9 +90\\.0% +3 +4 +2\\.0"));
    assertTrue(lines[2], lines[2].matches(" +all +10 +5 +50\\.0% +9 +90\\.0% +3"));
    assertEquals("columns are below their names", lines[0].length(), lines[1].length());
    RoundYield unknown = new RoundYield(2, 10, 5, 3, 5);
    lines = RoundYield.table(Arrays.asList(known, unknown)).split("\n");
    assertTrue(lines[3], lines[3].matches(" +all +20 +10 +50\\.0% +- +- +6"));
  }

  @Test
  public void withoutRoundsTheMeanIsNought() {
    assertEquals(0, RoundYield.mean(Collections.<RoundYield>emptyList()), 0);
  }

  @Test
  public void twoRoundsOfHardlyAnyNewTextAreToldOf() {
    RoundYield rich = new RoundYield(1, 100, 90, 0, 11);
    RoundYield poor = new RoundYield(2, 100, 90, 0, 10);
    assertNull(RoundYield.poverty(Arrays.asList(poor)));
    assertNull("one poor round says little", RoundYield.poverty(Arrays.asList(poor, rich, poor)));
    assertNull(RoundYield.poverty(Arrays.asList(poor, poor, rich)));
    assertNull(
        "few pages say little",
        RoundYield.poverty(
            Arrays.asList(new RoundYield(1, 49, 0, 0, 0), new RoundYield(2, 50, 0, 0, 0))));
    String sentence = RoundYield.poverty(Arrays.asList(rich, poor, new RoundYield(3, 60, 5, 0, 0)));
    assertTrue(
        sentence, sentence.startsWith("of the 160 pages in the last 2 rounds, 10 had a new text"));
  }
}
