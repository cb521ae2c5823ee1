package org.corpulyzer.nutch;

import java.net.MalformedURLException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.indexer.NutchDocument;
import org.apache.nutch.scoring.ScoreDatum;
import org.apache.nutch.scoring.ScoringFilter;
import org.apache.nutch.storage.Mark;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.TableUtil;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.HostScore;
import org.corpulyzer.engine.RowKeys;
import org.corpulyzer.engine.Settings;

/**
 * A page is worth its host: mean target-language bytes of the host's fetched pages. Links count nothing.
 *
 * <p>With {@code corpulyzer.score.source=scan} the host's rows are read when the page is asked for, which is exact with Nutch's stock
 * commands alone. With {@code stored} the row's score is taken as it stands, and no store is opened: LrlDbUpdaterJob and LrlScoreJob
 * keep it right.
 *
 * <p>A custom {@code nutch.score} of a seed stands until the seed's row is scored for the first time.
 */
public class LrlScoringFilter implements ScoringFilter {

  private Configuration conf;
  private EngineSource source;
  private float nutchInjectedScore;
  private String lastHost;
  private HostScore lastScore;

  @Override
  public synchronized void setConf(Configuration conf) {
    this.conf = conf;
    source = new EngineSource(conf);
    nutchInjectedScore = conf.getFloat("db.score.injected", 1.0f);
    lastHost = null;
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public Collection<WebPage.Field> getFields() {
    return EnumSet.of(WebPage.Field.SCORE, WebPage.Field.METADATA, WebPage.Field.STATUS, WebPage.Field.MARKERS);
  }

  @Override
  public void injectedScore(String url, WebPage page) {
    if (page.getScore() == nutchInjectedScore) {
      page.setScore(source.settings().injectedScore());
    }
  }

  @Override
  public void initialScore(String url, WebPage page) {
    page.setScore(source.settings().unknownScore());
  }

  @Override
  public float generatorSortValue(String url, WebPage page, float initSort) {
    return score(url, page);
  }

  @Override
  public void updateScore(String url, WebPage page, List<ScoreDatum> inlinkedScoreData) {
    float score = score(url, page);
    if (page.getScore() != score) {
      page.setScore(score);
    }
  }

  @Override
  public void distributeScoreToOutlinks(String fromUrl, WebPage page, Collection<ScoreDatum> scoreData, int allCount) {
    // A link is no sign of the language of the page that it leads to.
  }

  @Override
  public float indexerScore(String url, NutchDocument doc, WebPage page, float initScore) {
    return initScore;
  }

  private float score(String url, WebPage page) {
    if (source.settings().scoreSource() == Settings.ScoreSource.SCAN) {
      Engine engine = source.get();
      String key = rowKey(url);
      if (engine != null && RowKeys.isValid(key)) {
        HostScore host = hostScore(engine, RowKeys.host(key));
        return Mark.INJECT_MARK.checkMark(page) == null ? host.rows() : host.injected();
      }
    }
    float stored = page.getScore();
    // NaN breaks the sort of the generator.
    return Float.isNaN(stored) ? source.settings().unknownScore() : stored;
  }

  /** Nutch asks in the order of row keys, so the last host is mostly the next one. */
  private synchronized HostScore hostScore(Engine engine, String host) {
    if (!host.equals(lastHost)) {
      lastScore = engine.scores(new HostScan(conf, source.settings().scanMaxRows(), engine.target()).totals(host))[0];
      lastHost = host;
    }
    return lastScore;
  }

  private static String rowKey(String url) {
    try {
      return TableUtil.reverseUrl(url);
    } catch (MalformedURLException e) {
      return "";
    }
  }
}
