package org.corpulyzer.corpus;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.corpulyzer.engine.CorpulyzerException;

/** Whether Nutch activates a plugin: {@code plugin.includes} lets its id in and {@code plugin.excludes} does not keep it out. */
public final class PluginCheck {

  /** Id of our plugin. */
  public static final String ID = "corpulyzer";

  private PluginCheck() {
  }

  /**
   * @return whether the plugin of this id is active
   * @throws PatternSyntaxException when one of the two properties is no regular expression
   */
  public static boolean isActive(Configuration conf, String id) {
    return Pattern.matches(conf.get("plugin.includes", ""), id) && !Pattern.matches(conf.get("plugin.excludes", ""), id);
  }

  /**
   * Refuses to score a crawl whose pages nobody reads: every host would keep the score that it has, and every command would succeed.
   *
   * @throws CorpulyzerException in one sentence when our plugin is not active
   */
  public static void requirePlugin(Configuration conf) {
    try {
      if (!isActive(conf, ID)) {
        throw new CorpulyzerException("plugin.includes does not let " + ID + " in (it is " + conf.get("plugin.includes") + "), or plugin.excludes "
            + "keeps it out, so no page's language is counted and nothing steers the crawl: run \"corpulyzer install\" again, or add |" + ID
            + " to plugin.includes in nutch-site.xml.");
      }
    } catch (PatternSyntaxException e) {
      throw new CorpulyzerException("plugin.includes or plugin.excludes is no regular expression (" + e.getDescription()
          + "): fix it in nutch-site.xml.", e);
    }
  }
}
