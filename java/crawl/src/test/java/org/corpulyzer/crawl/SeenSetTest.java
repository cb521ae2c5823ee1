package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class SeenSetTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

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
