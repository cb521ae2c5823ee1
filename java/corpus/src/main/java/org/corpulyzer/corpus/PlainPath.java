package org.corpulyzer.corpus;

import org.apache.hadoop.fs.Path;
import org.corpulyzer.engine.CorpulyzerException;

/**
 * Folders that a job reads. Hadoop takes the inputs of a job for patterns, so {@code crawl[1]}
 * would read the folder {@code crawl1}.
 */
public final class PlainPath {

  private static final String PATTERN = "*?[]{}\\";

  private PlainPath() {}

  /**
   * @return the path as it is given
   * @throws CorpulyzerException if it has a character of a pattern
   */
  public static Path require(Path path) {
    String found = charIn(path.toUri().getPath(), PATTERN);
    if (!found.isEmpty()) {
      throw new CorpulyzerException(
          "The path "
              + path
              + " has '"
              + found
              + "', which Hadoop reads as part of a pattern: rename the folder, without any of "
              + PATTERN
              + ".");
    }
    return path;
  }

  /**
   * @return a character that no folder of an input may have, because Nutch's own jobs also split
   *     paths at commas; empty if there is none
   */
  public static String inLists(String path) {
    return charIn(path, PATTERN + ",");
  }

  private static String charIn(String path, String characters) {
    for (String c : characters.split("")) {
      if (path.contains(c)) {
        return c;
      }
    }
    return "";
  }
}
