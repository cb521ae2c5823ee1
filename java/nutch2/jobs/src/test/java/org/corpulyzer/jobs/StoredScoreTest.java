package org.corpulyzer.jobs;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.Test;

public class StoredScoreTest {

  private static Cell cell(byte[] value) {
    return new KeyValue(HBase.utf8("example.a:http/"), HBase.utf8("s"), HBase.utf8("s"), value);
  }

  private static StoredScore of(Float... scores) {
    StoredScore stored = new StoredScore();
    for (Float score : scores) {
      stored.add(score == null ? null : cell(Bytes.toBytes(score)));
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
    StoredScore odd = of(5f);
    odd.add(cell(new byte[] {1, 2, 3}));
    assertFalse(odd.isEverywhere(5f));
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
