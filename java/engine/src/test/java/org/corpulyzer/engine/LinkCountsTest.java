package org.corpulyzer.engine;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class LinkCountsTest {

  private static String described(String text) {
    LinkCounts counts = new LinkCounts();
    counts.add(text);
    return counts.describe();
  }

  @Test
  public void countsAreDescribedInWords() {
    assertEquals("none counted", described(""));
    assertEquals(
        "2 from other hosts (page and anchor in the language),"
            + " 1 from other hosts (the anchor in the language),"
            + " 255 or more on the host (neither page nor anchor in the language),"
            + " 1 with hreflang of the language, 3 with hreflang of another language",
        described("a300f1h2t1o3"));
    assertEquals("4 on the host (the page in the language)", described("c4"));
  }
}
