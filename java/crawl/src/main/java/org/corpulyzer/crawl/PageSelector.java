package org.corpulyzer.crawl;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.FetchSchedule;
import org.apache.nutch.crawl.FetchScheduleFactory;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.net.URLFilterException;
import org.apache.nutch.net.URLFilters;
import org.corpulyzer.corpus.DueRows;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.engine.Steering;
import org.corpulyzer.jobs.RawRows;
import org.corpulyzer.jobs.RowBytes;
import org.corpulyzer.jobs.SteeringRows;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the addresses of a round by policy pages. It decodes CrawlDb once, to add up hosts and
 * sections; the rows that may be fetched are predicted afterwards ({@link DueRows}), and the chosen
 * ones are read again. Which rows may be fetched, and how many of a host and a domain, is as in
 * {@link UrlSelector}. Stopped hosts have rows with a score below {@code generate.min.score}.
 *
 * <p>The state that one round leaves to the next is in the segment: {@link #CHOSEN} after the
 * choice, {@link #REVIEWED} after the results. A phase that is done again makes the same file of
 * the same files.
 */
final class PageSelector {
  private static final Logger LOG = LoggerFactory.getLogger(PageSelector.class);

  /** File of a segment with the state after the choice of its rows. */
  static final String CHOSEN = "_pages-chosen";

  /** File of a segment with the rows that may be chosen, during the choice. */
  static final String DUE = "_pages-due";

  /** File of a segment with the state after its results. */
  static final String REVIEWED = "_pages-reviewed";

  /** Reads the rows of CrawlDb from the first on. */
  interface Source {
    void read(Sink sink) throws IOException;
  }

  /** Takes the current row of a part. */
  interface Sink {
    void accept(RawRows rows) throws IOException;
  }

  private final Configuration conf;
  private final Source source;
  private final int round;
  private final long now;
  private final float leastScore;
  private final int perHost;
  private final FetchSchedule schedule;
  private final URLFilters filters;
  private final HostWaits waits;
  private final Set<String> waiting = new HashSet<>();

  /**
   * @param now milliseconds since 1970
   */
  PageSelector(Configuration conf, Source source, int round, long now) {
    this.conf = conf;
    this.source = source;
    this.round = round;
    this.now = now;
    leastScore = conf.getFloat("generate.min.score", Float.NaN);
    int count = conf.getInt("generate.max.count", -1);
    perHost = count < 0 ? Integer.MAX_VALUE : Math.max(1, count);
    schedule = FetchScheduleFactory.getFetchSchedule(conf);
    filters = new URLFilters(conf);
    waits = HostWaits.of(conf);
  }

  /** The rows of a round. */
  static final class Selection {
    final List<UrlSelector.Chosen> rows;
    final int probes;
    final String state;

    private Selection(List<UrlSelector.Chosen> rows, int probes, String state) {
      this.rows = rows;
      this.probes = probes;
      this.state = state;
    }
  }

  /**
   * Chooses rows.
   *
   * @param state of the round before, see {@link #stateOf}
   * @param top rows to choose at most
   * @param taken rows of each host that the round has already
   * @param newOnly whether pages that were fetched before are left out
   * @param due file for the rows to choose from, which is deleted afterwards
   */
  Selection select(String state, int top, Map<String, Integer> taken, boolean newOnly, Path due)
      throws IOException {
    // Rows were filtered when they came into CrawlDb. Only if the filters have changed since, all
    // rows that are due are filtered again.
    Selection selection = select(state, top, taken, newOnly, due, key -> true);
    return selection != null ? selection : select(state, top, taken, newOnly, due, this::isAllowed);
  }

  /**
   * @return null if a filter excludes a chosen row
   */
  private Selection select(
      String state,
      int top,
      Map<String, Integer> taken,
      boolean newOnly,
      Path due,
      Predicate<Text> filter)
      throws IOException {
    try (Steering steering = open(state)) {
      Steering.Choice choice = choose(steering, top, taken, newOnly, due, filter);
      Map<Integer, Integer> places = new HashMap<>();
      for (int row : choice.rows()) {
        places.put(row, places.size());
      }
      List<UrlSelector.Chosen> rows = rows(steering, places);
      return rows == null ? null : new Selection(rows, choice.probes(), choice.state());
    }
  }

  private Steering open(String state) {
    return new Steering(Engine.of(Settings.from(conf::get)), state);
  }

  private Steering.Choice choose(
      Steering steering,
      int top,
      Map<String, Integer> taken,
      boolean newOnly,
      Path due,
      Predicate<Text> filter)
      throws IOException {
    try (DueRows rowsToFetch = new DueRows(due)) {
      CrawlDatum bare = new CrawlDatum();
      each(
          (row, rows, facts) -> {
            if (row.isFetched || !row.links.isEmpty()) {
              steering.add(row);
            }
            if (isDue(rows, bare, newOnly)
                && isFree(facts.host(), taken)
                && filter.test(rows.key())) {
              rowsToFetch.add(row);
            }
          });
      steering.begin(top, perHost);
      rowsToFetch.read(steering::consider);
    }
    return steering.choose();
  }

  private boolean isDue(RawRows rows, CrawlDatum bare, boolean newOnly) throws IOException {
    if (rows.row().score() < leastScore) {
      return false;
    }
    boolean isUnfinished = UrlSelector.isUnfinished(rows.row());
    if (newOnly && Refetched.isPage(rows.row()) && !isUnfinished) {
      return false;
    }
    rows.row().readBare(bare);
    return isUnfinished || schedule.shouldFetch(rows.key(), bare, now);
  }

  private boolean isFree(String host, Map<String, Integer> taken) {
    if (taken.getOrDefault(host, 0) >= perHost) {
      return false;
    }
    boolean isWaiting = waits.isWaiting(host, now);
    if (isWaiting) {
      waiting.add(host);
    }
    return !isWaiting;
  }

  private boolean isAllowed(Text key) {
    String url = key.toString();
    try {
      return filters.filter(url) != null;
    } catch (URLFilterException e) {
      LOG.warn("{} cannot be filtered", url, e);
      return true;
    }
  }

  /**
   * @param places place in the round of each chosen row
   * @return null if a filter excludes one of them
   */
  private List<UrlSelector.Chosen> rows(Steering steering, Map<Integer, Integer> places)
      throws IOException {
    UrlSelector.Chosen[] chosen = new UrlSelector.Chosen[places.size()];
    LongWritable generated = new LongWritable(System.currentTimeMillis());
    SteeringRows facts = new SteeringRows(conf);
    int[] count = {0};
    source.read(
        rows -> {
          int id = count[0]++;
          Integer place = places.get(id);
          if (place == null || !isAllowed(rows.key())) {
            return;
          }
          Steering.Row row = facts.read(id, rows.key(), rows.row());
          CrawlDatum whole = rows.row().datum();
          // It may bring a time that is too far away nearer.
          schedule.shouldFetch(rows.key(), whole, now);
          whole.getMetaData().put(Nutch.WRITABLE_GENERATE_TIME_KEY, generated);
          if (row.isSeed && !row.isFetched) {
            SteeringRows.removePrediction(whole);
          } else {
            SteeringRows.setPrediction(whole, round, steering.predict(row));
          }
          chosen[place] = UrlSelector.Chosen.of(rows.key(), whole);
        });
    return Arrays.asList(chosen).contains(null) ? null : List.of(chosen);
  }

  /** Takes a row with its facts. */
  private interface Each {
    void accept(Steering.Row row, RawRows rows, SteeringRows facts) throws IOException;
  }

  private void each(Each each) throws IOException {
    SteeringRows facts = new SteeringRows(conf);
    int[] count = {0};
    source.read(
        rows -> {
          Steering.Row row = facts.read(count[0]++, rows.key(), rows.row());
          if (row != null) {
            each.accept(row, rows, facts);
          }
        });
  }

  /**
   * @return hosts that asked for fewer requests, and so have no row in the round
   */
  int waiting() {
    return waiting.size();
  }

  /** Predicts rows of CrawlDb, for tables. */
  static final class Scores implements Closeable {
    private final Steering steering;
    private final SteeringRows facts;

    /**
     * @param state see {@link #stateOf}
     */
    Scores(Configuration conf, Source source, String state) throws IOException {
      PageSelector selector = new PageSelector(conf, source, 0, 0);
      steering = selector.open(state);
      selector.each((row, rows, rowFacts) -> steering.add(row));
      steering.begin(1, 1);
      facts = new SteeringRows(conf);
    }

    /**
     * @return null if the key of the row names no host
     */
    Steering.Prediction of(Text url, RowBytes row) {
      Steering.Row read = facts.read(0, url, row);
      return read == null ? null : steering.predict(read);
    }

    /**
     * @return the host of a row and its sections, see {@link Steering#sections}
     */
    List<Steering.Section> sections(Text url, RowBytes row) {
      Steering.Row read = facts.read(0, url, row);
      return read == null ? List.of() : steering.sections(read);
    }

    @Override
    public void close() {
      steering.close();
    }
  }

  /**
   * Charges the results of a round, and writes its state for the next one.
   *
   * @param segment of the round; its rows are in the source
   * @return what new hosts cost and gave; null if the rows of the segment were not chosen by policy
   *     pages
   */
  static Steering.Review review(Configuration conf, Source source, Segment segment)
      throws IOException {
    Path state = segment.folder().resolve(CHOSEN);
    if (!Files.exists(state)) {
      return null;
    }
    PageSelector selector = new PageSelector(conf, source, segment.round(), 0);
    try (Steering steering = selector.open(read(state))) {
      selector.each(
          (row, rows, facts) -> {
            if (facts.round() == segment.round() && facts.hasResult()) {
              steering.review(row);
            }
          });
      Steering.Review review = steering.reviewed();
      LocalFiles.replace(
          segment.folder().resolve(REVIEWED), review.state().getBytes(StandardCharsets.UTF_8));
      return review;
    }
  }

  /**
   * @param segment of the round before
   * @return the state that it left; empty if there is none
   */
  static String stateOf(Segment segment) throws IOException {
    for (String name : new String[] {REVIEWED, CHOSEN}) {
      if (Files.exists(segment.folder().resolve(name))) {
        return read(segment.folder().resolve(name));
      }
    }
    return "";
  }

  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
