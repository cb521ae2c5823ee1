package org.corpulyzer.jobs;

import crawlercommons.domains.EffectiveTldFinder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.crawl.FetchSchedule;
import org.apache.nutch.crawl.FetchScheduleFactory;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.TableUtil;
import org.corpulyzer.corpus.CorpusPage;
import org.corpulyzer.corpus.Decisions;
import org.corpulyzer.engine.Languages;
import org.corpulyzer.engine.RowKeys;
import org.corpulyzer.engine.RowPrediction;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.engine.Steering;
import org.corpulyzer.jobs.PageRow.Column;

/** Rows of the web table as policy pages sees them. One object serves a whole scan. */
final class SteeringRows {

  private final PageRow page;
  private final String language;
  private final Decisions decisions;
  private final FetchSchedule schedule;
  private final int maxDistance;
  private final long now = System.currentTimeMillis();
  private final HostCursor cursor = new HostCursor();
  private final Steering.Row row = new Steering.Row();
  private String url;

  /** Whether Nutch fetches the rows of the host: it reads the keys of IPv6 addresses wrongly. */
  private boolean isReadable;

  /** Null if the current row has none. */
  private RowPrediction prediction;

  SteeringRows(Configuration conf, WebTable table) {
    Settings settings = Settings.from(conf::get);
    page = columns(table, settings);
    language = Languages.threeLetters(settings.target());
    decisions = new Decisions(settings);
    schedule = FetchScheduleFactory.getFetchSchedule(conf);
    maxDistance = conf.getInt("generate.max.distance", -1);
  }

  /**
   * @return the columns that {@link #read} needs
   */
  static PageRow columns(WebTable table, Settings settings) {
    List<Column> columns =
        new ArrayList<>(
            Arrays.asList(
                Column.STATUS,
                Column.FETCH_TIME,
                Column.FETCH_INTERVAL,
                Column.RETRIES,
                Column.INJECTED,
                Column.GENERATED,
                Column.DISTANCE,
                Column.LANGUAGES,
                Column.DECISION,
                Column.LINK_COUNTS,
                Column.PREDICTION));
    if (settings.zeroesDuplicates()) {
      columns.add(Column.DUPLICATE);
    }
    return new PageRow(table, columns.toArray(new Column[0]));
  }

  /**
   * Reads a row. Rows come in the order of the table.
   *
   * @param id number of the row
   * @return the row, valid until the next call; null if its key names no host
   */
  Steering.Row read(int id, Result result) throws IOException {
    page.read(result);
    boolean isNewHost = cursor.moveTo(page.first());
    if (cursor.host() == null) {
      return null;
    }
    url = RowKeys.url(page.key());
    if (isNewHost) {
      isReadable = url.equals(TableUtil.unreverseUrl(page.key()));
      row.labelBytes = labelBytes(RowKeys.reverse(cursor.host()));
    }
    row.id = id;
    row.url = url.getBytes(StandardCharsets.UTF_8);
    row.urlLength = row.url.length;
    row.isFetched = page.isFetched() && page.isRead();
    row.isSeed = page.isInjected();
    row.bytes = row.isFetched && isKept() ? Math.max(0, page.bytesIn(language)) : 0;
    row.links.clear();
    row.links.add(page.text(Column.LINK_COUNTS));
    prediction = RowPrediction.parse(page.text(Column.PREDICTION));
    row.predicted = prediction == null ? null : prediction.prediction();
    return row;
  }

  private static int labelBytes(String host) {
    String domain = EffectiveTldFinder.getAssignedDomain(host, false, false);
    return domain == null || !host.endsWith("." + domain) ? 0 : host.length() - domain.length() - 1;
  }

  private boolean isKept() {
    String decision = page.text(Column.DECISION);
    return decision != null
        && decisions.isKept(decision, CorpusPage.counts(page.text(Column.LANGUAGES)));
  }

  /**
   * @return the host of the current row, as {@link org.corpulyzer.engine.RowKeys} has it
   */
  String host() {
    return cursor.host();
  }

  /**
   * @return the bytes of the current row's key
   */
  byte[] key() {
    return CellUtil.cloneRow(page.first());
  }

  String url() {
    return url;
  }

  /**
   * @return whether the page of the current row was never fetched
   */
  boolean isUnfetched() {
    return page.status() == CrawlStatus.STATUS_UNFETCHED;
  }

  /**
   * @return whether the next generate may take the current row, by its schedule and its distance
   */
  boolean isDue() {
    if (!isReadable || page.has(Column.GENERATED) || maxDistance > -1 && distance() > maxDistance) {
      return false;
    }
    // It may change the page that it is asked about.
    WebPage asked = WebPage.newBuilder().build();
    asked.setStatus(page.status());
    asked.setFetchTime(page.fetchTime());
    asked.setFetchInterval(page.number(Column.FETCH_INTERVAL));
    asked.setRetriesSinceFetch(page.number(Column.RETRIES));
    return schedule.shouldFetch(url, asked, now);
  }

  private int distance() {
    String text = page.text(Column.DISTANCE);
    return text != null && text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
  }

  /**
   * @return whether the current row has a prediction
   */
  boolean hasPrediction() {
    return row.predicted != null;
  }

  /**
   * @return the round that the page of the current row was chosen for last; 0 if it is unknown
   */
  int round() {
    return prediction == null ? 0 : prediction.round();
  }

  /**
   * @return whether the page of the current row has a result: it was fetched, or is gone
   */
  boolean hasResult() {
    return row.isFetched || page.status() == CrawlStatus.STATUS_GONE;
  }
}
