package org.corpulyzer.install;

import java.util.regex.Pattern;

/** Names of our classes for Nutch 1.x in earlier versions, when each line had its own packages. */
final class OldNames {
  /** The class that {@code updatedb} ran. */
  static final String UPDATE = "org.corpulyzer.nutch1.jobs.LrlCrawlDb";

  private static final Pattern JOBS = Pattern.compile("\\borg\\.corpulyzer\\.nutch1\\.jobs\\.");
  private static final Pattern FILTERS = Pattern.compile("\\borg\\.corpulyzer\\.nutch1\\.");

  private OldNames() {}

  /** The value of a property with the present names. */
  static String replaceIn(String value) {
    String jobs = JOBS.matcher(value).replaceAll("org.corpulyzer.jobs.");
    return FILTERS.matcher(jobs).replaceAll("org.corpulyzer.nutch.");
  }
}
