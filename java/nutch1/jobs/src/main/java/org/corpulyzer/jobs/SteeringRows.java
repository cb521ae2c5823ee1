package org.corpulyzer.jobs;

import crawlercommons.domains.EffectiveTldFinder;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.corpulyzer.corpus.CorpusPage;
import org.corpulyzer.corpus.Decisions;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.LanguageBytes;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.RowPrediction;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.engine.Steering;
import org.corpulyzer.engine.Targets;

/** Rows of CrawlDb as policy pages sees them. One object serves a whole part. */
public final class SteeringRows {

  private static final Text LINKS = new Text(PageKeys.LINK_COUNTS);
  private static final Text PREDICTION = new Text(PageKeys.PREDICTION);

  private final PageRow page;
  private final Targets targets;
  private final Decisions decisions;
  private final HostCursor cursor = new HostCursor();
  private final Steering.Row row = new Steering.Row();
  private int labelBytes;

  /** The round of the current row's prediction; 0 if it has none. */
  private int round;

  /**
   * @param conf Nutch's configuration
   */
  public SteeringRows(Configuration conf) {
    this(Settings.from(conf::get), weighted(conf));
  }

  SteeringRows(Settings settings, Targets targets) {
    this.targets = targets;
    page = new PageRow(settings.zeroesDuplicates());
    decisions = new Decisions(settings);
  }

  private static Targets weighted(Configuration conf) {
    Settings settings = Settings.from(conf::get);
    Targets equal = Engine.of(settings).targets();
    String bytes = conf.get(RowScores.CORPUS_BYTES);
    return bytes == null || settings.targetBytes() == 0
        ? equal
        : equal.byQuota(
            code -> LanguageBytes.parse(bytes).getOrDefault(code, 0L), settings.targetBytes());
  }

  /**
   * Reads a row. Rows come in the order of a part.
   *
   * @param id number of the row
   * @return the row, valid until the next call; null if its key names no host
   */
  public Steering.Row read(int id, Text url, RowBytes bytes) {
    if (cursor.moveTo(url)) {
      labelBytes = cursor.host() == null ? 0 : labelBytes(cursor.host());
    }
    if (cursor.host() == null) {
      return null;
    }
    page.at(url).read(bytes);
    row.id = id;
    row.url = url.getBytes();
    row.urlLength = url.getLength();
    row.labelBytes = labelBytes;
    row.isFetched = page.isFetched() && page.isRead();
    row.isSeed = page.isInjected();
    row.bytes = row.isFetched ? keptBytes() : 0;
    row.links.clear();
    row.links.add(bytes.text(LINKS));
    readPrediction(bytes.text(PREDICTION));
    return row;
  }

  /**
   * @return the host of the current row
   */
  public String host() {
    return cursor.host();
  }

  private static int labelBytes(String host) {
    String domain = EffectiveTldFinder.getAssignedDomain(host, false, false);
    return domain == null || !host.endsWith("." + domain) ? 0 : host.length() - domain.length() - 1;
  }

  /** A page in a language that has all of its target bytes weighs 0, and is kept nevertheless. */
  private long keptBytes() {
    String decision = page.decision();
    if (page.isZeroed()
        || decision == null
        || !decisions.isKept(decision, CorpusPage.counts(page.languages()))) {
      return 0;
    }
    List<String> codes = targets.codes();
    long[] sums = new long[codes.size()];
    if (!page.addBytesIn(codes, sums)) {
      return 0;
    }
    return Math.max(Math.min(1, Arrays.stream(sums).sum()), targets.weighted(sums));
  }

  private void readPrediction(String text) {
    RowPrediction predicted = RowPrediction.parse(text);
    round = predicted == null ? 0 : predicted.round();
    row.predicted = predicted == null ? null : predicted.prediction();
  }

  /**
   * @return the round that the page of the current row was chosen for last; 0 if it is unknown
   */
  public int round() {
    return round;
  }

  /**
   * @return whether the page of the current row has a result: it was fetched, or is gone
   */
  public boolean hasResult() {
    return row.isFetched || page.status() == CrawlDatum.STATUS_DB_GONE;
  }

  /** Writes the prediction of a row that a round has chosen. */
  public static void setPrediction(CrawlDatum datum, int round, Steering.Prediction predicted) {
    String text = new RowPrediction(round, predicted).toString();
    datum.getMetaData().put(new Text(PREDICTION), new Text(text));
  }

  /** The same for a row as bytes. */
  static void setPrediction(RowBytes row, int round, Steering.Prediction predicted)
      throws IOException {
    CrawlDatum datum = row.datum();
    setPrediction(datum, round, predicted);
    row.rewrite(datum);
  }

  /** Removes the prediction of a row, so that nothing is learned from its next fetch. */
  public static void removePrediction(CrawlDatum datum) {
    datum.getMetaData().remove(PREDICTION);
  }

  /** The same for a row as bytes. */
  static void removePrediction(RowBytes row) throws IOException {
    if (row.has(PREDICTION)) {
      CrawlDatum datum = row.datum();
      removePrediction(datum);
      row.rewrite(datum);
    }
  }
}
