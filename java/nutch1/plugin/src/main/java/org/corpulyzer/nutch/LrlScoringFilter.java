package org.corpulyzer.nutch;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map.Entry;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.scoring.AbstractScoringFilter;
import org.apache.nutch.util.URLUtil;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.EngineSource;
import org.corpulyzer.engine.HostScore;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.ProbeBudget;
import org.corpulyzer.engine.Settings;

/**
 * Orders rows by the score of their host: the mean of target-language bytes over the host's fetched
 * pages.
 *
 * <p>With {@code corpulyzer.score.source=stored} (the default of Nutch 1.x) the score is in the
 * row. LrlCrawlDb and LrlScoreJob write it; this filter keeps it in updatedb and returns it in
 * generate. With {@code hostdb} the score comes from Nutch's HostDb when the generator asks, see
 * {@link HostDbScores} for its error. With {@code row} the filter computes the score in updatedb
 * from the pages of the host that link to the row, see {@link LinkingPages} for its error.
 *
 * <p>The filter sets marks in the metadata of rows, under the keys of {@link PageKeys}, as {@code
 * Text}. Seeds get {@link PageKeys#INJECTED_MARK}. Under {@code corpulyzer.score.policy=explore}
 * the links of a page get {@link PageKeys#FOUND_MARK} or {@link PageKeys#ELSEWHERE_MARK}. The
 * target of an HTTP redirect gets all marks of the row that redirects. A meta refresh passes no
 * marks on, because Nutch asks no filter about it.
 *
 * <p>{@code corpulyzer.links.policy}, {@code corpulyzer.links.maxTunnel} and {@code
 * corpulyzer.links.maxHops} decide which links of a page reach CrawlDb, see {@link LinkPath}. Under
 * policy soft the links of kept pages get {@link PageKeys#FOUND_MARK}.
 *
 * <p>The links of a page get the source of its row, see {@link SourceTag}. Under policy pages they
 * are counted, see {@link LinkTag}; the score passes write the scores.
 *
 * <p>A custom {@code nutch.score} of a seed stands until the seed's row is scored for the first
 * time.
 */
public class LrlScoringFilter extends AbstractScoringFilter {

  private static final List<Text> FIGURES =
      PageKeys.FIGURES.stream().map(Text::new).collect(Collectors.toList());
  private static final Text LANGUAGES = new Text(PageKeys.LANGUAGES);
  private static final Text DECISION = new Text(PageKeys.DECISION);
  private static final Text LIST = new Text(PageKeys.LIST_MARK);

  private EngineSource source;
  private Settings.ScoreSource scores;
  private LinkPath.Limits limits;
  private float nutchInjectedScore;

  /** Whether pages without figures can be told apart from those of a crawl without the plugin. */
  private boolean marksUnparsed;

  /** Probes that this task of the generator may pass. */
  private ProbeBudget budget;

  private HostDbScores hostDb;

  @Override
  public synchronized void setConf(Configuration conf) {
    super.setConf(conf);
    source = EngineSource.checked(conf::get);
    try {
      scores =
          source
              .settings()
              .scoreSource(
                  Settings.ScoreSource.STORED,
                  Settings.ScoreSource.HOSTDB,
                  Settings.ScoreSource.ROW);
      if (scores == Settings.ScoreSource.ROW && source.settings().stopsHosts()) {
        throw new CorpulyzerException(
            "Property "
                + Settings.SCORE_POLICY
                + " has +barren, +limit or +rising and "
                + Settings.SCORE_SOURCE
                + " is row, which has no totals of hosts; allowed with row are mean and"
                + " explore.");
      }
      source.settings().requirePagesPossible(scores);
      if (scores != Settings.ScoreSource.STORED) {
        source.settings().requireDuplicatesCounted(scores.name().toLowerCase(Locale.ROOT));
      }
    } catch (CorpulyzerException e) {
      throw new EngineSource.StartFailure(e);
    }
    limits = new LinkPath.Limits(source.settings().maxTunnel(), source.settings().maxHops());
    nutchInjectedScore = conf.getFloat("db.score.injected", 1.0f);
    // Without the library no page has figures, and without the key none reaches CrawlDb.
    marksUnparsed =
        source.settings().isNativeRequired()
            && conf.getTrimmedStringCollection("db.parsemeta.to.crawldb")
                .contains(PageKeys.DECISION);
    budget = new ProbeBudget(conf::get);
    hostDb = null;
  }

  @Override
  public void injectedScore(Text url, CrawlDatum datum) {
    RowMark.INJECTED.set(datum);
    if (limits.areSet()) {
      LinkPath.START.writeTo(datum);
    }
    if (datum.getScore() == nutchInjectedScore) {
      datum.setScore(source.settings().injectedScore());
    }
  }

  /** Called for links, for the targets of redirects, and for new rows of CrawlDb. */
  @Override
  public void initialScore(Text url, CrawlDatum datum) {
    // The fetcher gives the target of a redirect all metadata of the row that redirects. Figures
    // are of that row's page.
    boolean hasMetadata = LinkScore.hasMetadata(datum);
    if (hasMetadata) {
      FIGURES.forEach(datum.getMetaData()::remove);
      LinkingPages.remove(datum);
    }
    datum.setScore(
        datum.getStatus() != CrawlDatum.STATUS_LINKED
            ? source.settings().unknownScore()
            : hasMetadata ? LinkScore.of(datum) : LinkScore.PLAIN);
  }

  @Override
  public float generatorSortValue(Text url, CrawlDatum datum, float initSort) {
    if (scores == Settings.ScoreSource.HOSTDB) {
      Engine engine = source.get();
      if (engine != null) {
        return hostDbScore(engine, URLUtil.getHost(url.toString()), datum);
      }
    }
    float score = stored(datum);
    if (!explores()) {
      return score;
    }
    budget.moveTo(url.toString());
    boolean isProbe =
        ProbeBudget.isScoreOfProbe(score, source.settings())
            && RowMark.FOUND.isSet(datum)
            && !RowMark.INJECTED.isSet(datum);
    return isProbe ? budget.sortValue(score, source.settings()) : score;
  }

  /** Called by the fetcher, which writes the row to the segment afterwards. */
  @Override
  public void passScoreBeforeParsing(Text url, CrawlDatum datum, Content content) {
    if (marksUnparsed && datum.getStatus() == CrawlDatum.STATUS_FETCH_SUCCESS) {
      markUnparsed(datum);
    }
    SourceTag.write(SourceTag.of(datum), content.getMetadata());
    if (limits.areSet()) {
      // The metadata of a content has the header fields of the server, which must not set a path.
      content.getMetadata().set(PageKeys.LINK_PATH, LinkPath.orStart(datum).toString());
    }
  }

  /**
   * In updatedb the decision of the parse filter replaces this one. Figures of an earlier fetch
   * stay if the page cannot be parsed now, and a sitemap or a feed is no page.
   */
  private static void markUnparsed(CrawlDatum datum) {
    if (!datum.getMetaData().containsKey(DECISION)
        && !datum.getMetaData().containsKey(LANGUAGES)
        && !datum.getMetaData().containsKey(LIST)) {
      datum.getMetaData().put(new Text(DECISION), new Text(PageKeys.NOT_PARSED));
    }
  }

  @Override
  public void passScoreAfterParsing(Text url, Content content, Parse parse) {
    SourceTag.write(
        content.getMetadata().get(PageKeys.CONTENT_SOURCE), parse.getData().getContentMeta());
    String path = content.getMetadata().get(PageKeys.LINK_PATH);
    if (limits.areSet() && path != null) {
      parse.getData().getContentMeta().set(PageKeys.LINK_PATH, path);
    }
  }

  /** Removes the links that are not added from the targets, as Nutch's scoring-depth does. */
  @Override
  public CrawlDatum distributeScoreToOutlinks(
      Text fromUrl,
      ParseData parseData,
      Collection<Entry<Text, CrawlDatum>> targets,
      CrawlDatum adjust,
      int allCount) {
    if (!follows(parseData, targets)) {
      targets.clear();
      return adjust;
    }
    passSource(parseData, targets);
    // By the mean a link is no sign of the language of the page that it leads to.
    RowMark mark = RowMark.of(markOfLinks(parseData));
    if (mark != null) {
      for (Entry<Text, CrawlDatum> target : targets) {
        mark.set(target.getValue());
        target.getValue().setScore(LinkScore.of(target.getValue()));
      }
    }
    long bytes = scores == Settings.ScoreSource.ROW ? targetBytes(parseData) : -1;
    if (bytes >= 0) {
      String host = URLUtil.getHost(fromUrl.toString());
      for (Entry<Text, CrawlDatum> target : targets) {
        if (host != null && host.equals(URLUtil.getHost(target.getKey().toString()))) {
          LinkingPages.set(target.getValue(), bytes);
          target.getValue().setScore(LinkScore.of(target.getValue()));
        }
      }
    }
    if (ordersPages()) {
      PageSigns.count(fromUrl, parseData, targets);
    }
    return adjust;
  }

  private static void passSource(ParseData parseData, Collection<Entry<Text, CrawlDatum>> targets) {
    if (parseData.getContentMeta().get(PageKeys.CONTENT_SOURCE) != null) {
      SourceTag.pass(parseData.getContentMeta(), targets);
      targets.forEach(target -> target.getValue().setScore(LinkScore.of(target.getValue())));
    }
  }

  /**
   * Writes the path of the links into them, if there are limits.
   *
   * @return whether the links of the page are added to CrawlDb
   */
  private boolean follows(ParseData parseData, Collection<Entry<Text, CrawlDatum>> targets) {
    boolean isRejected = Decisions.hasDecision(parseData) && !Decisions.isKept(parseData);
    if (isRejected && source.settings().linksPolicy() == Settings.LinksPolicy.HARD) {
      return false;
    }
    if (!limits.areSet()) {
      return true;
    }
    LinkPath path = LinkPath.parse(parseData.getContentMeta().get(PageKeys.LINK_PATH));
    LinkPath next =
        (path == null ? LinkPath.START : path).next(Decisions.isKept(parseData), isRejected);
    if (!limits.allow(next)) {
      return false;
    }
    for (Entry<Text, CrawlDatum> target : targets) {
      next.writeTo(target.getValue());
      target.getValue().setScore(LinkScore.of(target.getValue()));
    }
    return true;
  }

  /**
   * @return the key of the mark for the links of a page, or null
   */
  private String markOfLinks(ParseData parseData) {
    if (source.settings().linksPolicy() == Settings.LinksPolicy.SOFT
        && Decisions.isKept(parseData)) {
      return PageKeys.FOUND_MARK;
    }
    if (!explores()) {
      return null;
    }
    return source.linkMark(
        Decisions.hasDecision(parseData)
            ? source.mostTargetBytes(parseData.getParseMeta().get(PageKeys.LANGUAGES))
            : -1);
  }

  /** -1 for a page without figures: it was not read, so its language is unknown. */
  private long targetBytes(ParseData parseData) {
    return Decisions.hasDecision(parseData)
        ? source.targetBytes(parseData.getParseMeta().get(PageKeys.LANGUAGES))
        : -1;
  }

  @Override
  public void updateDbScore(Text url, CrawlDatum old, CrawlDatum datum, List<CrawlDatum> inlinked) {
    List<CrawlDatum> marked = new ArrayList<>();
    List<CrawlDatum> counted = new ArrayList<>();
    for (CrawlDatum link : inlinked) {
      // Asking a datum for its metadata makes some. Most links have no mark. Without policy pages a
      // score between the constants is another filter's.
      if (link.getScore() != LinkScore.PLAIN) {
        counted.add(link);
        if (!ordersPages() || !LinkTag.isScore(link)) {
          marked.add(link);
          passMarks(link, datum);
        }
      }
    }
    SourceTag.update(old, datum, marked);
    if (ordersPages()) {
      LinkTag.update(old, datum, counted);
    }
    if (limits.areSet()) {
      LinkPath.shortest(old, inlinked).ifPresent(path -> path.writeTo(datum));
    }
    datum.setScore(old == null ? source.settings().unknownScore() : stored(old));
    if (scores == Settings.ScoreSource.ROW) {
      scoreByLinks(old, datum, inlinked);
    }
  }

  private void scoreByLinks(CrawlDatum old, CrawlDatum datum, List<CrawlDatum> inlinked) {
    LinkingPages pages = new LinkingPages();
    if (old != null) {
      pages.add(old);
    }
    // A new row has the metadata of one of its links, which is among inlinked too.
    LinkingPages.remove(datum);
    for (CrawlDatum link : inlinked) {
      if (link.getScore() != LinkScore.PLAIN) {
        pages.add(link);
      }
    }
    if (pages.isEmpty()) {
      return;
    }
    pages.writeTo(datum);
    Engine engine = source.get();
    // A seed keeps its score until it is fetched.
    if (engine != null
        && !(RowMark.INJECTED.isSet(datum)
            && datum.getStatus() == CrawlDatum.STATUS_DB_UNFETCHED)) {
      datum.setScore(
          engine.scores(pages.totals())[0].of(
              false, !scoresByLinks() || RowMark.FOUND.isSet(datum)));
    }
  }

  private void passMarks(CrawlDatum link, CrawlDatum datum) {
    for (RowMark mark : RowMark.values()) {
      if ((!mark.isOfLinks() || scoresByLinks()) && mark.isSet(link) && !mark.isSet(datum)) {
        mark.set(datum);
      }
    }
  }

  @Override
  public void orphanedScore(Text url, CrawlDatum datum) {
    // A row that no segment mentions keeps its score. The next run of the job rewrites it.
  }

  private synchronized float hostDbScore(Engine engine, String host, CrawlDatum datum) {
    if (host == null) {
      return stored(datum);
    }
    if (hostDb == null) {
      hostDb = new HostDbScores(getConf(), source.settings(), engine);
    }
    HostScore score = hostDb.of(host);
    if (RowMark.INJECTED.isSet(datum)) {
      return score.injected();
    }
    return scoresByLinks() && !RowMark.FOUND.isSet(datum) ? score.other() : score.rows();
  }

  private boolean scoresByLinks() {
    return source.settings().scoresByLinks();
  }

  private boolean ordersPages() {
    return source.settings().scorePolicy() == Settings.ScorePolicy.PAGES;
  }

  private boolean explores() {
    return source.settings().scorePolicy() == Settings.ScorePolicy.EXPLORE;
  }

  /** The row's score. NaN would break the sort of the generator. */
  private float stored(CrawlDatum datum) {
    return Float.isNaN(datum.getScore()) ? source.settings().unknownScore() : datum.getScore();
  }
}
