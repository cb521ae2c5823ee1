package org.corpulyzer.corpus;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.corpulyzer.engine.CorpulyzerException;

/**
 * Checks if Nutch activates a plugin: {@code plugin.includes} matches its id and {@code
 * plugin.excludes} does not.
 */
public final class PluginCheck {

  /** Id of our plugin. */
  public static final String ID = "corpulyzer";

  private PluginCheck() {}

  /**
   * @return whether the plugin of this id is active
   * @throws PatternSyntaxException when one of the two properties is no regular expression
   */
  public static boolean isActive(Configuration conf, String id) {
    return Pattern.matches(conf.get("plugin.includes", ""), id)
        && !Pattern.matches(conf.get("plugin.excludes", ""), id);
  }

  /**
   * Fails for a crawl whose pages are not parsed by our plugin: all hosts would keep their scores,
   * and all commands would succeed.
   *
   * @throws CorpulyzerException in one sentence when our plugin is not active
   */
  public static void requirePlugin(Configuration conf) {
    try {
      if (!isActive(conf, ID)) {
        throw new CorpulyzerException(
            "plugin.includes does not include "
                + ID
                + " (it is "
                + conf.get("plugin.includes")
                + "), or plugin.excludes excludes it, so no page's language is counted and the"
                + " crawl has no scores: run \"corpulyzer install\" again, or add |"
                + ID
                + " to plugin.includes in nutch-site.xml.");
      }
    } catch (PatternSyntaxException e) {
      throw new CorpulyzerException(
          "plugin.includes or plugin.excludes is not a regular expression ("
              + e.getDescription()
              + "): fix it in nutch-site.xml.",
          e);
    }
  }
}
