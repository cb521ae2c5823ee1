package org.corpulyzer.nutch;

import java.net.MalformedURLException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.indexer.NutchDocument;
import org.apache.nutch.scoring.ScoreDatum;
import org.apache.nutch.scoring.ScoringFilter;
import org.apache.nutch.storage.Mark;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.TableUtil;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.HostScore;
import org.corpulyzer.engine.LanguageBytes;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.RowKeys;
import org.corpulyzer.engine.Settings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A page is worth its host: mean target-language bytes of the host's fetched pages. Links count nothing, unless
 * {@code corpulyzer.score.policy} is {@code explore}: then pages found on pages in the target language are told from others.
 *
 * <p>With {@code corpulyzer.score.source=scan} the host's rows are read when the page is asked for, which is exact with Nutch's stock
 * commands alone. With {@code stored} the row's score is taken as it stands, and no store is opened: LrlDbUpdaterJob and LrlScoreJob
 * keep it right.
 *
 * <p>A custom {@code nutch.score} of a seed stands until the seed's row is scored for the first time.
 */
public class LrlScoringFilter implements ScoringFilter {

  private static final Logger LOG = LoggerFactory.getLogger(LrlScoringFilter.class);

  private Configuration conf;
  private EngineSource source;
  private float nutchInjectedScore;
  private String lastHost;
  private HostScan.View lastView;
  private HostScore lastScore;
  private ProbeBudget budget;

  @Override
  public synchronized void setConf(Configuration conf) {
    this.conf = conf;
    source = new EngineSource(conf);
    nutchInjectedScore = conf.getFloat("db.score.injected", 1.0f);
    lastHost = null;
    budget = new ProbeBudget(conf);
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
    float score = score(url, page);
    return explores() && isProbe(page, score) && !budget.take() ? source.settings().unknownScore() : score;
  }

  @Override
  public void updateScore(String url, WebPage page, List<ScoreDatum> inlinkedScoreData) {
    if (explores()) {
      for (LinkMark mark : LinkMark.values()) {
        mark.receive(page, inlinkedScoreData);
      }
    }
    float score = score(url, page);
    if (page.getScore() != score) {
      page.setScore(score);
    }
  }

  @Override
  public void distributeScoreToOutlinks(String fromUrl, WebPage page, Collection<ScoreDatum> scoreData, int allCount) {
    // By the mean a link is no sign of the language of the page that it leads to.
    if (!explores() || page.getStatus() == null) {
      return;
    }
    switch (page.getStatus().intValue()) {
      case CrawlStatus.STATUS_REDIR_TEMP:
      case CrawlStatus.STATUS_REDIR_PERM:
        // The page that a redirect leads to is the one that was found.
        for (LinkMark mark : LinkMark.values()) {
          if (mark.isSet(page)) {
            scoreData.forEach(mark::send);
          }
        }
        break;
      case CrawlStatus.STATUS_FETCHED:
      case CrawlStatus.STATUS_NOTMODIFIED:
        long bytes = targetBytes(page);
        if (bytes >= Math.max(1, source.settings().minBytes())) {
          scoreData.forEach(LinkMark.FOUND::send);
        } else if (bytes == 0) {
          // Pages with some words of the language say nothing: they are the indexes and galleries of its sites as often as not.
          scoreData.forEach(LinkMark.ELSEWHERE::send);
        }
        break;
      default:
    }
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
        return scanned(engine, key, page);
      }
    }
    float stored = page.getScore();
    // NaN breaks the sort of the generator.
    return Float.isNaN(stored) ? source.settings().unknownScore() : stored;
  }

  /** Nutch asks in the order of row keys, so the last host is mostly the next one. */
  private synchronized float scanned(Engine engine, String key, WebPage page) {
    String host = RowKeys.host(key);
    if (!host.equals(lastHost)) {
      lastView = new HostScan(conf, source.settings().scanMaxRows(), engine.target(), explores()).view(host);
      lastScore = engine.scores(lastView.totals())[0];
      lastHost = host;
      if (lastScore.stop() != null) {
        LOG.info("Host {} ({}) is generated no more; {}", host, lastView.totals(), lastScore.stop().reason());
      }
    }
    if (Mark.INJECT_MARK.checkMark(page) != null) {
      return lastScore.injected();
    }
    if (!explores() || LinkMark.FOUND.isSet(page)) {
      return key.equals(lastView.probe()) ? lastScore.probe() : lastScore.rows();
    }
    return lastScore.other();
  }

  private boolean explores() {
    return source.settings().scorePolicy() == Settings.ScorePolicy.EXPLORE;
  }

  /** Whether a row's score says that it probes its host, also where no library is loaded: that is {@link HostScore#probe}, and no mean. */
  private boolean isProbe(WebPage page, float score) {
    return score == source.settings().injectedScore() / 2 && LinkMark.FOUND.isSet(page) && Mark.INJECT_MARK.checkMark(page) == null;
  }

  /** The page's bytes in the target language; -1 when that is not known. */
  private long targetBytes(WebPage page) {
    Engine engine = source.get();
    try {
      return engine == null ? -1 : LanguageBytes.targetBytes(PageFigures.get(page, PageKeys.LANGUAGES), engine.target());
    } catch (CorpulyzerException e) {
      // Figures that do not read are no sign of anything; the scan warns of them.
      return -1;
    }
  }

  private static String rowKey(String url) {
    try {
      return TableUtil.reverseUrl(url);
    } catch (MalformedURLException e) {
      return "";
    }
  }
}
