package org.corpulyzer.engine;

import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Properties of a configuration that are meant for Corpulyzer and have no effect, because their
 * names have a typing error. Nutch does not notice them.
 */
public final class UnknownProperties {

  private static final Logger LOG = LoggerFactory.getLogger(UnknownProperties.class);
  private static final String OURS = "corpulyzer";

  /** Properties that the one-machine crawl sets for its own plugins. */
  private static final String OF_CRAWL = OURS + ".crawl.";

  /** Changed letters with which the first word of a name is still ours. */
  private static final int MAX_CHANGES = 2;

  private UnknownProperties() {}

  /**
   * @param conf the names and values of a configuration, as Hadoop's is iterated
   * @return the unknown names, each with the known name that is nearest to it
   */
  public static SortedMap<String, String> in(Iterable<Map.Entry<String, String>> conf) {
    SortedMap<String, String> unknown = new TreeMap<>();
    for (Map.Entry<String, String> property : conf) {
      String name = property.getKey();
      if (isMeantForUs(name) && !Settings.properties().containsKey(name)) {
        unknown.put(
            name,
            Nearest.of(name.toLowerCase(Locale.ROOT), Settings.properties().keySet(), 1).get(0));
      }
    }
    return unknown;
  }

  /** Warns in Nutch's log of each unknown name. */
  public static void warn(Iterable<Map.Entry<String, String>> conf) {
    in(conf)
        .forEach(
            (name, nearest) -> {
              if (!name.startsWith(OF_CRAWL)) {
                LOG.warn(
                    "{} is not a property of Corpulyzer and has no effect; {} is the nearest"
                        + " name.",
                    name,
                    nearest);
              }
            });
  }

  /** Whether a name begins with ours, or with a word that is at most two letters away from it. */
  private static boolean isMeantForUs(String property) {
    int dot = property.indexOf('.');
    return dot > 0
        && Nearest.changes(property.substring(0, dot).toLowerCase(Locale.ROOT), OURS)
            <= MAX_CHANGES;
  }
}
