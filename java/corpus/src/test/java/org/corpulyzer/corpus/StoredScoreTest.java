package org.corpulyzer.corpus;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class StoredScoreTest {

  private static StoredScore of(Float... scores) {
    StoredScore stored = new StoredScore();
    for (Float score : scores) {
      stored.add(score == null ? Float.NaN : score);
    }
    return stored;
  }

  @Test
  public void itIsEverywhereOnlyWhenEveryRowHasItsBytes() {
    assertTrue("no row", of().isEverywhere(5f));
    assertTrue(of(5f, 5f, 5f).isEverywhere(5f));
    assertFalse(of(5f).isEverywhere(6f));
    for (Float other : new Float[] {null, 6f, Float.NaN}) {
      assertFalse(of(5f, other, 5f).isEverywhere(5f));
      assertFalse(of(other, 5f).isEverywhere(5f));
    }
    assertFalse("bytes are compared", of(-0f).isEverywhere(0f));
  }

  @Test
  public void splitsAddUpAsOneDoes() {
    StoredScore[] parts = {of(), of(5f), of(5f, 5f), of(6f), of(5f, 6f), of((Float) null)};
    boolean[][] same = new boolean[parts.length][parts.length];
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        same[i][j] = true;
      }
    }
    for (int i = 0; i < parts.length; i++) {
      for (int j = 0; j < parts.length; j++) {
        StoredScore sum = of();
        sum.add(parts[i]);
        sum.add(parts[j]);
        assertTrue(i + " and " + j, sum.isEverywhere(5f) == same[i][j]);
      }
    }
    StoredScore cleared = of(5f, 6f);
    cleared.clear();
    cleared.add(of(7f));
    assertTrue(cleared.isEverywhere(7f));
  }
}
