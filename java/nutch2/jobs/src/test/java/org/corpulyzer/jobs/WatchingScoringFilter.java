package org.corpulyzer.jobs;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.indexer.NutchDocument;
import org.apache.nutch.scoring.ScoreDatum;
import org.apache.nutch.scoring.ScoringFilter;
import org.apache.nutch.storage.WebPage;
import org.corpulyzer.engine.Settings;

/**
 * A scoring filter that sets no score. It notes the configured source of scores, and fails updatedb
 * if a test asks for it.
 */
public final class WatchingScoringFilter implements ScoringFilter {

  /** Set to make the reducers of updatedb fail. */
  static final String FAIL = "test.scoring.fail";

  /** The score source that the last update saw. */
  static volatile String seenSource;

  private Configuration conf;

  @Override
  public void updateScore(String url, WebPage page, List<ScoreDatum> inlinks) {
    seenSource = conf.get(Settings.SCORE_SOURCE);
    if (conf.getBoolean(FAIL, false)) {
      throw new IllegalStateException("a test wants updatedb to fail");
    }
  }

  @Override
  public void injectedScore(String url, WebPage page) {}

  @Override
  public void initialScore(String url, WebPage page) {}

  @Override
  public float generatorSortValue(String url, WebPage page, float initSort) {
    return initSort;
  }

  @Override
  public void distributeScoreToOutlinks(
      String url, WebPage page, Collection<ScoreDatum> outlinks, int all) {}

  @Override
  public float indexerScore(String url, NutchDocument doc, WebPage page, float initScore) {
    return initScore;
  }

  @Override
  public Collection<WebPage.Field> getFields() {
    return Arrays.asList(WebPage.Field.SCORE, WebPage.Field.METADATA);
  }

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
  }

  @Override
  public Configuration getConf() {
    return conf;
  }
}
