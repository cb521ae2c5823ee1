package org.corpulyzer.corpus;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.io.Text;
import org.junit.Test;

public class PageCopyTest {

  private static PageCopy page(String key, boolean isDuplicate, boolean isNew, float score) {
    return new PageCopy().set(new Text(key), isDuplicate, isNew, score, 0);
  }

  private static List<String> changes(List<PageCopy> copies) throws Exception {
    List<String> changes = new ArrayList<>();
    PageCopy.compare(copies, (page, isDuplicate) -> changes.add(page.key() + " " + isDuplicate));
    Collections.sort(changes);
    return changes;
  }

  @Test
  public void theOrderOfPreferenceIsTotal() {
    Random random = new Random(3);
    List<PageCopy> copies = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      float score = random.nextInt(5) == 0 ? Float.NaN : random.nextInt(3);
      copies.add(page("http://a.example/" + i, random.nextBoolean(), random.nextBoolean(), score));
    }
    List<PageCopy> sorted = new ArrayList<>(copies);
    Collections.sort(sorted);
    Collections.shuffle(copies, random);
    Collections.sort(copies);
    assertEquals(sorted, copies);
  }

  @Test
  public void onePageIsKeptInAnyOrderAndOnlyChangesAreWritten() throws Exception {
    List<PageCopy> copies = new ArrayList<>();
    copies.add(page("kept", false, false, 1));
    copies.add(page("new", false, true, 9));
    copies.add(page("known", true, false, 9));
    for (int i = 0; i < 6; i++) {
      Collections.rotate(copies, 1);
      if (i == 3) {
        Collections.swap(copies, 0, 1);
      }
      assertEquals(Collections.singletonList("new true"), changes(copies));
    }
    assertEquals(
        Collections.singletonList("alone false"),
        changes(Collections.singletonList(page("alone", true, false, 1))));
    assertEquals(Collections.emptyList(), changes(Collections.emptyList()));
  }
}
