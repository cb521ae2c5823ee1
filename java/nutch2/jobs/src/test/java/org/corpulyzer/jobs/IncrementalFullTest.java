package org.corpulyzer.jobs;

import org.junit.BeforeClass;
import org.junit.Test;

/** Random rounds as in {@link IncrementalTest}, under the other policies. */
public class IncrementalFullTest {

  @BeforeClass
  public static void startHBase() throws Exception {
    IncrementalTest.startHBase();
  }

  @Test
  public void randomRoundsEndAsFullRunsDo() throws Exception {
    IncrementalTest.randomRounds("rounds", 3, "mean");
  }

  /**
   * A host's probe is the row with the least key, so a row that is written may make another one the
   * probe, or none.
   */
  @Test
  public void randomRoundsUnderExploreEndAsFullRunsDo() throws Exception {
    IncrementalTest.randomRounds("explore", 4, "explore");
  }
}
