package org.corpulyzer.install;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The value of {@code db.parsemeta.to.crawldb} of Nutch 1.x: the metadata keys of a page that Nutch
 * copies from the segment to CrawlDb, with commas between them. Without ours CrawlDb has no bytes
 * per language, and every host scores as an unknown one.
 */
final class KeyList {
  static final String KEY = "db.parsemeta.to.crawldb";

  /**
   * The keys that the jobs read: record version, bytes per language, decision ({@code PageKeys} of
   * the engine).
   */
  static final List<String> OURS = Arrays.asList("crp.v", "crp.l", "crp.d");

  private KeyList() {}

  /** The value with our keys behind those of the operator; a value that has them already stays. */
  static String adopt(String value) {
    List<String> missing = new ArrayList<>(OURS);
    missing.removeAll(keys(value));
    String head = value == null ? "" : value.trim();
    return missing.isEmpty()
        ? value
        : head + (head.isEmpty() || head.endsWith(",") ? "" : ",") + String.join(",", missing);
  }

  /**
   * Undoes {@link #adopt} on a value that the operator has changed since. {@code before} has the
   * earlier keys.
   */
  static String release(String value, String before) {
    Set<String> left = keys(value);
    Set<String> ours = new LinkedHashSet<>(OURS);
    ours.removeAll(keys(before));
    left.removeAll(ours);
    return String.join(",", left);
  }

  private static Set<String> keys(String value) {
    Set<String> keys = new LinkedHashSet<>();
    for (String key : (value == null ? "" : value).split(",")) {
      if (!key.trim().isEmpty()) {
        keys.add(key.trim());
      }
    }
    return keys;
  }
}
