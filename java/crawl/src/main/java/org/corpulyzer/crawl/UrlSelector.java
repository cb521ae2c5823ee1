package org.corpulyzer.crawl;

import crawlercommons.domains.EffectiveTldFinder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.crawl.FetchSchedule;
import org.apache.nutch.crawl.FetchScheduleFactory;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.net.URLFilterException;
import org.apache.nutch.net.URLFilters;
import org.apache.nutch.scoring.ScoringFilterException;
import org.apache.nutch.scoring.ScoringFilters;
import org.apache.nutch.util.URLUtil;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.jobs.RawRows;
import org.corpulyzer.jobs.RowBytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the addresses of a round as Nutch's Generator (1.22) does: of the rows that are due, with
 * a score of at least {@code generate.min.score}, the best ones, at most {@code generate.max.count}
 * of a host. It reads CrawlDb once and keeps no more than twice the round's rows, where Nutch sorts
 * all rows that are due. All hosts of a registered domain have {@value #HOSTS_OF_A_DOMAIN} times
 * the rows of a host at most. Among equal scores, alternates in the language of the crawl ({@code
 * hreflang}) come first, then a hash of the address decides.
 *
 * <p>Another selector chooses pages to fetch again, the oldest fetch first, see {@link #refresh}.
 */
final class UrlSelector {
  private static final Logger LOG = LoggerFactory.getLogger(UrlSelector.class);
  private static final Comparator<Candidate> BEST_FIRST =
      Comparator.<Candidate>comparingDouble(candidate -> -candidate.score)
          .thenComparing(candidate -> !candidate.isAlternate)
          .thenComparingLong(candidate -> candidate.tie);

  /** The hosts' worth of rows that all hosts of a registered domain have in a round. */
  private static final int HOSTS_OF_A_DOMAIN = 4;

  private static final Text LIST_NEXT = new Text(PageKeys.LIST_NEXT);
  private static final Text ALTERNATE = new Text(PageKeys.ALTERNATE_MARK);

  /** A row that may be chosen. */
  private static final class Candidate {
    /** The score; for pages to fetch again, the negative time of the last fetch. */
    private final double score;

    private final boolean isAlternate;
    private final long tie;
    private final String host;
    private final Chosen row;

    Candidate(double score, boolean isAlternate, long tie, String host, Chosen row) {
      this.score = score;
      this.isAlternate = isAlternate;
      this.tie = tie;
      this.host = host;
      this.row = row;
    }
  }

  /** A row that was chosen, with its address, as bytes. */
  static final class Chosen {
    private final byte[] bytes;

    private Chosen(byte[] bytes) {
      this.bytes = bytes;
    }

    static Chosen of(Text url, CrawlDatum row) throws IOException {
      DataOutputBuffer out = new DataOutputBuffer();
      url.write(out);
      row.write(out);
      return new Chosen(Arrays.copyOf(out.getData(), out.getLength()));
    }

    private void writeTo(SequenceFile.Writer file) throws IOException {
      DataInputBuffer in = new DataInputBuffer();
      in.reset(bytes, bytes.length);
      Text url = new Text();
      CrawlDatum row = new CrawlDatum();
      url.readFields(in);
      row.readFields(in);
      file.append(url, row);
    }
  }

  /** The rows that a selector chooses from. */
  private enum Rows {
    /** Those that are due, as in Nutch. */
    DUE,
    /** Those that are due, without fetched pages. */
    NEW,
    /** Fetched pages, due or not. */
    FETCHED
  }

  private final Configuration conf;
  private final Rows from;
  private final long now;

  /** Of fetched pages only those are chosen whose last fetch was before this time. */
  private final long before;

  private final int top;
  private final int perHost;
  private final float leastScore;
  private final URLFilters filters;
  private final ScoringFilters scoring;
  private final FetchSchedule schedule;
  private final LongWritable generated;

  /** Whether the filters sort by the row's own score, independent of its metadata. */
  private final boolean sortsByRow;

  /** Rows of each host that another selector has chosen for the same round. */
  private final Map<String, Integer> taken;

  private final HostWaits waits;

  /** Hosts with rows that could be chosen if they were not set aside. */
  private final Set<String> waiting = new HashSet<>();

  /** Registered domains by host. */
  private final Map<String, String> domains = new HashMap<>();

  /** Of each host the best candidates so far, the worst of them in front. */
  private final Map<String, PriorityQueue<Candidate>> hosts = new HashMap<>();

  private int size;

  /**
   * The worst of {@link #top} candidates at the last count. A row that is not better cannot be
   * selected.
   */
  private Candidate bar;

  /**
   * @param now milliseconds since 1970
   * @param top rows to choose at most
   */
  UrlSelector(Configuration conf, long now, int top) {
    this(conf, Rows.DUE, now, top, 1, 0, new HashMap<>());
  }

  private UrlSelector(
      Configuration conf,
      Rows from,
      long now,
      int top,
      double share,
      long before,
      Map<String, Integer> taken) {
    this.conf = conf;
    this.from = from;
    this.now = now;
    this.top = top;
    this.before = before;
    this.taken = taken;
    int count = conf.getInt("generate.max.count", -1);
    perHost = count < 0 ? Integer.MAX_VALUE : (int) Math.max(1, Math.ceil(share * count));
    leastScore = conf.getFloat("generate.min.score", Float.NaN);
    waits = HostWaits.of(conf);
    filters = new URLFilters(conf);
    scoring = new ScoringFilters(conf);
    schedule = FetchScheduleFactory.getFetchSchedule(conf);
    sortsByRow = conf.get(Settings.SCORE_SOURCE, "").equals("stored");
    generated = new LongWritable(System.currentTimeMillis());
  }

  /**
   * A selector of pages that were fetched before, due or not, the oldest fetch first. A page whose
   * last fetch failed is chosen only when it is due. No page of a stopped host is chosen.
   *
   * @param now milliseconds since 1970
   * @param top rows of the round
   * @param share share of the round, and of its rows of a host, that is spent on these pages
   * @param before time in milliseconds since 1970; pages that were fetched since are not chosen
   */
  static UrlSelector refresh(Configuration conf, long now, int top, double share, long before) {
    return new UrlSelector(
        conf,
        Rows.FETCHED,
        now,
        (int) Math.min(top, Math.ceil(share * top)),
        share,
        before,
        new HashMap<>());
  }

  /**
   * A selector of the other rows of a round: those that are due, without pages that were fetched
   * before.
   *
   * @param now milliseconds since 1970
   * @param top rows to choose at most
   * @param others rows that the round has already; they count among those of their hosts
   */
  static UrlSelector fresh(Configuration conf, long now, int top, UrlSelector others) {
    return new UrlSelector(conf, Rows.NEW, now, top, 1, 0, others.byHost());
  }

  /** Reads the rows of a part of CrawlDb. */
  void read(RawRows rows) throws IOException {
    CrawlDatum bare = new CrawlDatum();
    while (rows.next()) {
      boolean isPage = Refetched.isPage(rows.row()) && !isUnfinished(rows.row());
      if (from != Rows.DUE && isPage != (from == Rows.FETCHED)) {
        continue;
      }
      float score = rows.row().score();
      // Filters that sort by the row's own score read no other field. Most rows are excluded by the
      // score alone.
      if (!sortsByRow || Float.isNaN(score)) {
        consider(rows, rows.row().datum());
      } else if (from == Rows.FETCHED ? !isTooLow(score) : !isHopeless(score)) {
        rows.row().readBare(bare);
        consider(rows, bare);
      }
    }
  }

  private boolean isHopeless(float score) {
    return isTooLow(score) || bar != null && score < bar.score;
  }

  private boolean isTooLow(float score) {
    return !Float.isNaN(leastScore) && score < leastScore;
  }

  /** Returns whether the row is a list with URLs that no round has taken. */
  static boolean isUnfinished(RowBytes row) throws IOException {
    if (row.status() != CrawlDatum.STATUS_DB_FETCHED
            && row.status() != CrawlDatum.STATUS_DB_NOTMODIFIED
        || !row.has(LIST_NEXT)) {
      return false;
    }
    return !PageKeys.LIST_DONE.equals(row.text(LIST_NEXT));
  }

  private boolean isDue(Text url, CrawlDatum row) {
    return from == Rows.FETCHED && row.getStatus() != CrawlDatum.STATUS_DB_UNFETCHED
        ? schedule.calculateLastFetchTime(row) < before
        : schedule.shouldFetch(url, row, now);
  }

  private void consider(RawRows rows, CrawlDatum row) throws IOException {
    Text url = rows.key();
    boolean isUnfinished = isUnfinished(rows.row());
    if (!isUnfinished && !isDue(url, row)) {
      return;
    }
    float value = 1.0f;
    try {
      value = scoring.generatorSortValue(url, row, value);
    } catch (ScoringFilterException e) {
      LOG.warn("{} has no score to sort by", url, e);
    }
    double score = from == Rows.FETCHED ? -schedule.calculateLastFetchTime(row) : value;
    if (isTooLow(value) || bar != null && score < bar.score) {
      return;
    }
    String address = url.toString();
    long tie = Fingerprint.of(address);
    boolean isAlternate = isUnfinished || rows.row().has(ALTERNATE);
    if (bar != null
        && BEST_FIRST.compare(new Candidate(score, isAlternate, tie, null, null), bar) > 0) {
      return;
    }
    String host = URLUtil.getHost(address);
    if (waits.isWaiting(host, now)) {
      waiting.add(host);
      return;
    }
    Candidate candidate = new Candidate(score, isAlternate, tie, host, null);
    PriorityQueue<Candidate> best = hosts.get(host);
    int most = perHost - taken.getOrDefault(host, 0);
    boolean isFull = best != null && best.size() >= most;
    if (host == null
        || most <= 0
        || isFull && BEST_FIRST.compare(candidate, best.peek()) > 0
        || !isAllowed(address)) {
      return;
    }
    if (best == null) {
      best = new PriorityQueue<>(BEST_FIRST.reversed());
      hosts.put(host, best);
    }
    if (isFull) {
      best.poll();
      size--;
    }
    CrawlDatum whole = rows.row().datum();
    if (from != Rows.FETCHED) {
      // It may bring a time that is too far away nearer.
      schedule.shouldFetch(url, whole, now);
    }
    whole.getMetaData().put(Nutch.WRITABLE_GENERATE_TIME_KEY, generated);
    best.add(new Candidate(score, isAlternate, tie, host, Chosen.of(url, whole)));
    size++;
    if (size >= 2L * top) {
      keepTop();
    }
  }

  private boolean isAllowed(String url) {
    try {
      return filters.filter(url) != null;
    } catch (URLFilterException e) {
      LOG.warn("{} cannot be filtered", url, e);
      return true;
    }
  }

  /**
   * Removes candidates that cannot be selected any more, because better rows of their hosts
   * replaced them.
   */
  private List<Candidate> keepTop() {
    List<Candidate> all = new ArrayList<>(size);
    hosts.values().forEach(all::addAll);
    all.sort(BEST_FIRST);
    List<Candidate> within = withinDomains(all);
    List<Candidate> kept = within.subList(0, Math.min(top, within.size()));
    if (within.size() >= top) {
      bar = kept.get(kept.size() - 1);
    }
    if (kept.size() < all.size()) {
      hosts.clear();
      for (Candidate candidate : kept) {
        hosts
            .computeIfAbsent(candidate.host, host -> new PriorityQueue<>(BEST_FIRST.reversed()))
            .add(candidate);
      }
      size = kept.size();
    }
    return kept;
  }

  /**
   * Returns the candidates without those that exceed the budget of their registered domain: a
   * domain that makes host names without end would otherwise fill the round.
   */
  private List<Candidate> withinDomains(List<Candidate> sorted) {
    if (perHost == Integer.MAX_VALUE) {
      return sorted;
    }
    long most = HOSTS_OF_A_DOMAIN * (long) perHost;
    Map<String, Integer> counts = new HashMap<>();
    List<Candidate> within = new ArrayList<>(sorted.size());
    for (Candidate candidate : sorted) {
      String domain =
          domains.computeIfAbsent(
              candidate.host,
              host -> {
                String found = EffectiveTldFinder.getAssignedDomain(host, true, false);
                return found == null ? host : found;
              });
      if (counts.merge(domain, 1, Integer::sum) <= most) {
        within.add(candidate);
      }
    }
    return within;
  }

  /**
   * @return hosts that asked for fewer requests, and so have no row in the round
   */
  int waiting() {
    return waiting.size();
  }

  /**
   * @return how many rows are chosen
   */
  int chosen() {
    return keepTop().size();
  }

  /**
   * @return the chosen rows, best first
   */
  List<Chosen> rows() {
    return keepTop().stream().map(candidate -> candidate.row).collect(Collectors.toList());
  }

  /**
   * @return rows of each host that are chosen
   */
  Map<String, Integer> byHost() {
    Map<String, Integer> counts = new HashMap<>();
    keepTop().forEach(candidate -> counts.merge(candidate.host, 1, Integer::sum));
    return counts;
  }

  /**
   * Writes the chosen rows, best first.
   *
   * @return how many there are; the file is not made when there are none
   */
  int write(org.apache.hadoop.fs.Path file) throws IOException {
    return write(conf, file, rows());
  }

  /** Writes the chosen rows of two selectors, as {@link #write(org.apache.hadoop.fs.Path)} does. */
  int write(org.apache.hadoop.fs.Path file, UrlSelector second) throws IOException {
    List<Chosen> chosen = rows();
    chosen.addAll(second.rows());
    return write(conf, file, chosen);
  }

  static int write(Configuration conf, org.apache.hadoop.fs.Path file, List<Chosen> chosen)
      throws IOException {
    if (chosen.isEmpty()) {
      return 0;
    }
    try (SequenceFile.Writer out =
        SequenceFile.createWriter(
            conf,
            SequenceFile.Writer.file(file),
            SequenceFile.Writer.keyClass(Text.class),
            SequenceFile.Writer.valueClass(CrawlDatum.class))) {
      for (Chosen row : chosen) {
        row.writeTo(out);
      }
    }
    return chosen.size();
  }
}
