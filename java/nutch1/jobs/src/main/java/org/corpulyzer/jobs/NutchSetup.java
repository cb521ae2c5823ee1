package org.corpulyzer.jobs;

import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.crawl.TextMD5Signature;
import org.apache.nutch.plugin.Extension;
import org.apache.nutch.plugin.ExtensionPoint;
import org.apache.nutch.plugin.PluginRepository;
import org.apache.nutch.scoring.ScoringFilter;
import org.corpulyzer.corpus.PageCopy;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;

/** Checks the settings of Nutch without which the computed scores have no effect. */
final class NutchSetup {

  /** Keys of parse metadata that updatedb copies to CrawlDb. */
  static final String PARSE_META_TO_CRAWLDB = "db.parsemeta.to.crawldb";

  private static final String PLUGIN = "corpulyzer";

  private NutchSetup() {}

  /**
   * @throws CorpulyzerException in one sentence with the setting to change
   */
  static void check(Configuration conf, Settings settings) {
    switch (settings.scoreSource(
        Settings.ScoreSource.STORED, Settings.ScoreSource.HOSTDB, Settings.ScoreSource.ROW)) {
      case HOSTDB:
        throw new CorpulyzerException(
            "Property "
                + Settings.SCORE_SOURCE
                + " is 'hostdb', so the scoring filter ignores the scores of rows:"
                + " set it to stored, or run stock updatedb and updatehostdb only.");
      case ROW:
        throw new CorpulyzerException(
            "Property "
                + Settings.SCORE_SOURCE
                + " is 'row', so the scoring filter replaces the scores of rows in"
                + " updatedb: set it to stored, or run stock updatedb only.");
      default:
    }
    settings.requirePagesPossible(Settings.ScoreSource.STORED);
    if (!hasScoringFilter(conf)) {
      throw new CorpulyzerException(
          "The scoring filter of plugin "
              + PLUGIN
              + " is not active: plugin.includes is '"
              + conf.get("plugin.includes", "")
              + "' and plugin.folders is '"
              + conf.get("plugin.folders", "")
              + "'; add "
              + PLUGIN
              + " to plugin.includes, and install the plugin there if it is missing.");
    }
    String keys = conf.get(PARSE_META_TO_CRAWLDB, "");
    if (!hasKey(keys, PageKeys.LANGUAGES)) {
      throw new CorpulyzerException(
          "Property "
              + PARSE_META_TO_CRAWLDB
              + " is '"
              + keys
              + "'; add "
              + PageKeys.LANGUAGES
              + ","
              + PageKeys.VERSION
              + ","
              + PageKeys.DECISION
              + " to it, or no page's language reaches CrawlDb.");
    }
    if (settings.zeroesDuplicates()) {
      PageCopy.requireTextSignature(conf, TextMD5Signature.class.getName());
    }
    if (settings.stopsLowYields() && !hasKey(keys, PageKeys.RAW_BYTES)) {
      throw new CorpulyzerException(
          "Property "
              + Settings.SCORE_POLICY
              + " has +rising, which needs the downloaded bytes of pages, and "
              + PARSE_META_TO_CRAWLDB
              + " is '"
              + keys
              + "'; add "
              + PageKeys.RAW_BYTES
              + " to it, or remove +rising.");
    }
  }

  private static boolean hasKey(String keys, String key) {
    return Arrays.stream(keys.split(",")).map(String::trim).anyMatch(key::equals);
  }

  private static boolean hasScoringFilter(Configuration conf) {
    ExtensionPoint point = PluginRepository.get(conf).getExtensionPoint(ScoringFilter.X_POINT_ID);
    if (point != null) {
      for (Extension filter : point.getExtensions()) {
        if (filter.getDescriptor().getPluginId().equals(PLUGIN)) {
          return true;
        }
      }
    }
    return false;
  }
}
