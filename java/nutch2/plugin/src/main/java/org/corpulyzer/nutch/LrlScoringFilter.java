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
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.EngineSource;
import org.corpulyzer.engine.HostScore;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.ProbeBudget;
import org.corpulyzer.engine.RowKeys;
import org.corpulyzer.engine.Settings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The score of a page is the score of its host: the mean target-language bytes of the host's
 * fetched pages. Links do not count, unless {@code corpulyzer.score.policy} is {@code explore}:
 * then pages that were found on pages in the target language have other scores than the rest. Under
 * {@code pages} the links to a row are counted, see {@link LinkTag}, and the score passes write the
 * scores.
 *
 * <p>With {@code corpulyzer.score.source=scan} the host's rows are read when the page is asked for,
 * which is exact with Nutch's stock commands alone. With {@code stored} the filter returns the
 * row's score and opens no store: LrlDbUpdaterJob and LrlScoreJob keep the score current.
 *
 * <p>A seed keeps its own {@code nutch.score} until its row gets its first score.
 */
public class LrlScoringFilter implements ScoringFilter {

  private static final Logger LOG = LoggerFactory.getLogger(LrlScoringFilter.class);

  private Configuration conf;
  private EngineSource source;
  private boolean scans;
  private float nutchInjectedScore;
  private String lastHost;
  private HostScan.View lastView;
  private HostScore lastScore;
  private ProbeBudget budget;

  @Override
  public synchronized void setConf(Configuration conf) {
    this.conf = conf;
    source = new EngineSource(conf::get);
    source.settings().requireOneTarget("Nutch 2.4");
    source.settings().requireAllLinks("Nutch 2.4");
    Settings.ScoreSource scores = source.settings().scoreSourceOfWebTable();
    source.settings().requirePagesPossible(scores);
    scans = scores == Settings.ScoreSource.SCAN;
    if (scans) {
      source.settings().requireDuplicatesCounted("scan");
    }
    nutchInjectedScore = conf.getFloat("db.score.injected", 1.0f);
    lastHost = null;
    budget = new ProbeBudget(conf::get);
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public Collection<WebPage.Field> getFields() {
    return EnumSet.of(
        WebPage.Field.SCORE, WebPage.Field.METADATA, WebPage.Field.STATUS, WebPage.Field.MARKERS);
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
    if (!explores()) {
      return score;
    }
    budget.moveTo(rowKey(url));
    return isProbe(page, score) ? budget.sortValue(score, source.settings()) : score;
  }

  @Override
  public void updateScore(String url, WebPage page, List<ScoreDatum> inlinkedScoreData) {
    if (explores()) {
      for (LinkMark mark : LinkMark.values()) {
        mark.receive(page, inlinkedScoreData);
      }
    }
    if (ordersPages()) {
      LinkTag.receive(page, inlinkedScoreData);
    }
    if (isUnparsed(page)) {
      PageFigures.put(page, PageKeys.DECISION, PageKeys.NOT_PARSED);
    }
    float score = score(url, page);
    if (page.getScore() != score) {
      page.setScore(score);
    }
  }

  /**
   * Whether this update is that of the page's fetch, and no parser could read it. A fetched row
   * without a decision was fetched before the plugin was there.
   */
  private boolean isUnparsed(WebPage page) {
    return source.settings().isNativeRequired()
        && page.getStatus() != null
        && page.getStatus() == CrawlStatus.STATUS_FETCHED
        && Mark.FETCH_MARK.checkMark(page) != null
        && PageFigures.get(page, PageKeys.DECISION) == null;
  }

  @Override
  public void distributeScoreToOutlinks(
      String fromUrl, WebPage page, Collection<ScoreDatum> scoreData, int allCount) {
    // By the mean a link is no sign of the language of the page that it leads to.
    if (page.getStatus() == null) {
      return;
    }
    if (ordersPages()) {
      countLinks(fromUrl, page, scoreData);
    }
    if (!explores()) {
      return;
    }
    switch (page.getStatus().intValue()) {
      case CrawlStatus.STATUS_REDIR_TEMP:
      case CrawlStatus.STATUS_REDIR_PERM:
        // The page that a redirect leads to is the one that was found.
        for (LinkMark passed : LinkMark.values()) {
          if (passed.isSet(page)) {
            scoreData.forEach(passed::send);
          }
        }
        break;
      case CrawlStatus.STATUS_FETCHED:
      case CrawlStatus.STATUS_NOTMODIFIED:
        LinkMark mark =
            LinkMark.of(
                source.linkMark(source.targetBytes(PageFigures.get(page, PageKeys.LANGUAGES))));
        if (mark != null) {
          scoreData.forEach(mark::send);
        }
        break;
      default:
    }
  }

  /** The links of a page that has not changed since its last fetch were counted then. */
  private static void countLinks(String fromUrl, WebPage page, Collection<ScoreDatum> links) {
    switch (page.getStatus().intValue()) {
      case CrawlStatus.STATUS_REDIR_TEMP:
      case CrawlStatus.STATUS_REDIR_PERM:
        LinkTag.passOn(page, links);
        break;
      case CrawlStatus.STATUS_FETCHED:
        LinkTag.sendAll(fromUrl, page, links);
        break;
      default:
    }
  }

  @Override
  public float indexerScore(String url, NutchDocument doc, WebPage page, float initScore) {
    return initScore;
  }

  private float score(String url, WebPage page) {
    if (scans) {
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

  /** Nutch scores rows in the order of row keys, so the next host is mostly the last one. */
  private synchronized float scanned(Engine engine, String key, WebPage page) {
    String host = RowKeys.host(key);
    if (!host.equals(lastHost)) {
      lastView =
          new HostScan(conf, source.settings().scanMaxRows(), engine.target(), explores())
              .view(host);
      lastScore = engine.scores(lastView.totals())[0];
      lastHost = host;
      if (lastScore.stop() != null) {
        LOG.info(
            "Host {} ({}) is generated no more; {}",
            host,
            lastView.totals(),
            lastScore.stop().reason());
      }
    }
    boolean injected = Mark.INJECT_MARK.checkMark(page) != null;
    if (lastView.totals().isUnread()) {
      return lastScore.unread(page.getScore(), injected);
    }
    return key.equals(lastView.probe())
        ? lastScore.probe(lastView.isStrong())
        : lastScore.of(injected, LinkMark.FOUND.isSet(page));
  }

  private boolean ordersPages() {
    return source.settings().scorePolicy() == Settings.ScorePolicy.PAGES;
  }

  private boolean explores() {
    return source.settings().scorePolicy() == Settings.ScorePolicy.EXPLORE;
  }

  /**
   * Returns whether the score of a row is that of a probe ({@link HostScore#probe}) and not a mean.
   * Works without the native library.
   */
  private boolean isProbe(WebPage page, float score) {
    return ProbeBudget.isScoreOfProbe(score, source.settings())
        && LinkMark.FOUND.isSet(page)
        && Mark.INJECT_MARK.checkMark(page) == null;
  }

  private static String rowKey(String url) {
    try {
      return TableUtil.reverseUrl(url);
    } catch (MalformedURLException e) {
      return "";
    }
  }
}
