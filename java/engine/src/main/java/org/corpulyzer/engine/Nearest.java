package org.corpulyzer.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Finds the allowed words that are nearest to a misspelled word. */
public final class Nearest {

  private Nearest() {}

  /**
   * @param count how many words are returned at most
   * @return the allowed words that need the fewest changes, the nearest first; among equals, in the
   *     order of {@code allowed}
   */
  public static List<String> of(String found, Collection<String> allowed, int count) {
    List<String> words = new ArrayList<>(allowed);
    words.sort(Comparator.comparingInt(word -> changes(found, word)));
    return words.subList(0, Math.min(count, words.size()));
  }

  /**
   * @return letters to insert, delete or replace to make one word of the other (Levenshtein
   *     distance)
   */
  public static int changes(String one, String other) {
    // A word from a configuration file may have any length: what is far beyond every allowed word
    // is far off.
    int most = Math.min(one.length(), 200);
    int[] row = new int[other.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= most; i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[other.length()] + one.length() - most;
  }
}
