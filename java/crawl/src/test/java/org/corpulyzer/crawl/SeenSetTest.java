package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class SeenSetTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void theEffectiveNumberIsTheNumberOnlyIfAllAreEquallyFrequent() throws Exception {
    assertEquals(0, effective(), 0);
    assertEquals(1, effective(7, 7, 7), 1e-9);
    assertEquals(3, effective(1, 2, 3, 3, 2, 1), 1e-9);
    // Shares of 3/4 and 1/4.
    double entropy = -(0.75 * Math.log(0.75) + 0.25 * Math.log(0.25));
    assertEquals(Math.exp(entropy), effective(5, 5, -9, 5), 1e-9);
  }

  private double effective(long... values) throws Exception {
    SeenSet.Round round = new SeenSet.Round();
    for (long value : values) {
      round.add(value);
    }
    Path folder = this.folder.newFolder().toPath();
    SeenSet.merge(folder.resolve("none"), round, folder.resolve("after"));
    assertEquals(Arrays.stream(values).distinct().count(), round.distinct());
    return round.effective();
  }

  @Test
  public void aRoundsNewsAreWhatNoRoundBeforeHadAndEachIsTakenOnce() throws Exception {
    Random random = new Random(7);
    Set<Long> all = new TreeSet<>();
    Path before = folder.getRoot().toPath().resolve("0");
    for (int round = 1; round <= 5; round++) {
      SeenSet.Round seen = new SeenSet.Round();
      Set<Long> news = new TreeSet<>();
      long[] values = random.longs(3000, -2000, 2000).toArray();
      for (long value : values) {
        seen.add(value);
        if (!all.contains(value)) {
          news.add(value);
        }
      }
      Path after = folder.getRoot().toPath().resolve(Integer.toString(round));
      SeenSet.merge(before, seen, after);
      assertEquals(news.size(), seen.news());
      for (long value : values) {
        assertEquals(news.remove(value), seen.take(value));
      }
      assertTrue(news.isEmpty());
      for (long value : values) {
        all.add(value);
        assertFalse(seen.take(value));
      }
      assertEquals(8L * all.size(), Files.size(after));
      before = after;
    }
  }
}
