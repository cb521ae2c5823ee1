package org.corpulyzer.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * Counts of the links to a page by class, as policy pages has them in rows ({@link
 * PageKeys#LINK_COUNTS}). As text each count that is not 0 has a letter in front: {@code a} to
 * {@code h} for links on the host, and {@code e} to {@code h} for those from other hosts; each time
 * neither page nor anchor, anchor, page, and both in the target language; {@code t} and {@code o}
 * for {@code hreflang} of a target language and of another. Counts stop at {@value #MOST}. Mutable.
 */
public final class LinkCounts {
  /** Number of counts. */
  static final int SIZE = 10;

  /** The first of the counts of {@code hreflang}. */
  private static final int HREFLANG = SIZE - 2;

  /** Largest {@link #code}. */
  public static final int MAX_CODE = 3 * (HREFLANG + 1) - 1;

  private static final String LETTERS = "abcdefghto";
  private static final int MOST = 255;

  /** What the page and the anchor of a link are, by class. */
  private static final String[] IN_TARGET = {
    "neither page nor anchor in the language",
    "the anchor in the language",
    "the page in the language",
    "page and anchor in the language"
  };

  private final int[] counts = new int[SIZE];

  /**
   * Counts a link of a page. If the language of the anchor is unknown, it is that of the page.
   *
   * @param signs see {@link LinkSigns}
   * @param isAlternate whether the page names it as its alternate in a target language
   * @param isRead whether the page was read; otherwise its language is unknown, and only its
   *     alternates count
   * @param isExternal whether the page is on another host
   * @param isInTarget whether the page is in a target language
   */
  public static LinkCounts ofLink(
      String signs, boolean isAlternate, boolean isRead, boolean isExternal, boolean isInTarget) {
    LinkCounts counts = new LinkCounts();
    if (isRead) {
      boolean isAnchorInTarget =
          signs.contains(LinkSigns.ANCHOR_IN_TARGET)
              || isInTarget && !signs.contains(LinkSigns.ANCHOR_IN_OTHER);
      counts.addLink(isExternal, isInTarget, isAnchorInTarget);
    }
    if (isAlternate) {
      counts.addHreflang(true);
    } else if (signs.contains(LinkSigns.HREFLANG_OTHER)) {
      counts.addHreflang(false);
    }
    return counts;
  }

  /**
   * Adds a link.
   *
   * @param isExternal whether the linking page is on another host
   * @param isPageInTarget whether the linking page is in a target language
   * @param isAnchorInTarget whether the anchor is
   */
  public void addLink(boolean isExternal, boolean isPageInTarget, boolean isAnchorInTarget) {
    add((isExternal ? 4 : 0) + (isPageInTarget ? 2 : 0) + (isAnchorInTarget ? 1 : 0), 1);
  }

  /** Adds a link with {@code hreflang}. */
  public void addHreflang(boolean isTarget) {
    add(isTarget ? HREFLANG : HREFLANG + 1, 1);
  }

  private void add(int place, int more) {
    counts[place] = Math.min(MOST, counts[place] + more);
  }

  /** Adds counts in text; text that cannot be read adds what is in front of the fault. */
  public void add(String text) {
    for (int at = 0; text != null && at < text.length(); ) {
      int place = LETTERS.indexOf(text.charAt(at++));
      int count = 0;
      while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
        count = Math.min(MOST, 10 * count + text.charAt(at++) - '0');
      }
      if (place < 0) {
        return;
      }
      add(place, count);
    }
  }

  /**
   * @return the counts of one link as a number from 0 (none) to {@link #MAX_CODE}
   */
  public int code() {
    int code = 0;
    for (int place = 0; place < SIZE; place++) {
      if (counts[place] > 0) {
        code += place < HREFLANG ? place + 1 : (place - HREFLANG + 1) * (HREFLANG + 1);
      }
    }
    return code;
  }

  /** Adds the counts of a link, see {@link #code}. */
  public void add(int code) {
    int link = code % (HREFLANG + 1);
    int hreflang = code / (HREFLANG + 1);
    if (link > 0) {
      add(link - 1, 1);
    }
    if (hreflang > 0) {
      add(HREFLANG + hreflang - 1, 1);
    }
  }

  /** Sets all counts to 0. */
  public void clear() {
    java.util.Arrays.fill(counts, 0);
  }

  /**
   * @return whether all counts are 0
   */
  public boolean isEmpty() {
    for (int count : counts) {
      if (count != 0) {
        return false;
      }
    }
    return true;
  }

  int get(int place) {
    return counts[place];
  }

  /**
   * @return the counts in words, those of other hosts first; "none counted" without a link
   */
  public String describe() {
    List<String> parts = new ArrayList<>();
    for (int place = HREFLANG - 1; place >= 0; place--) {
      String from = place < IN_TARGET.length ? "on the host" : "from other hosts";
      describe(place, from + " (" + IN_TARGET[place % IN_TARGET.length] + ")", parts);
    }
    describe(HREFLANG, "with hreflang of the language", parts);
    describe(HREFLANG + 1, "with hreflang of another language", parts);
    return parts.isEmpty() ? "none counted" : String.join(", ", parts);
  }

  private void describe(int place, String what, List<String> parts) {
    if (counts[place] != 0) {
      parts.add(counts[place] + (counts[place] == MOST ? " or more " : " ") + what);
    }
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int place = 0; place < SIZE; place++) {
      if (counts[place] != 0) {
        text.append(LETTERS.charAt(place)).append(counts[place]);
      }
    }
    return text.toString();
  }
}
