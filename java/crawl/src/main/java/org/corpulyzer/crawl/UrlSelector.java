package org.corpulyzer.crawl;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the addresses of a round as Nutch's Generator (1.22) does: of the rows that are due, with a score of at least
 * {@code generate.min.score}, the best ones, at most {@code generate.max.count} of a host. It reads CrawlDb once and keeps no more than
 * twice the round's rows, where Nutch sorts all rows that are due. Among equal scores a hash of the address decides.
 */
final class UrlSelector {
  private static final Logger LOG = LoggerFactory.getLogger(UrlSelector.class);
  private static final Comparator<Candidate> BEST_FIRST =
      Comparator.<Candidate>comparingDouble(candidate -> -candidate.score).thenComparingLong(candidate -> candidate.tie);

  /** A row that may be chosen. */
  private static final class Candidate {
    private final float score;
    private final long tie;
    private final String host;
    private final byte[] row;

    Candidate(float score, long tie, String host, byte[] row) {
      this.score = score;
      this.tie = tie;
      this.host = host;
      this.row = row;
    }
  }

  private final Configuration conf;
  private final long now;
  private final int top;
  private final int perHost;
  private final float leastScore;
  private final URLFilters filters;
  private final ScoringFilters scoring;
  private final FetchSchedule schedule;
  private final LongWritable generated;
  /** Of each host the best candidates so far, the worst of them in front. */
  private final Map<String, PriorityQueue<Candidate>> hosts = new HashMap<>();
  private int size;
  /** The worst of {@link #top} candidates when they were last counted: what is not better has no chance. */
  private Candidate bar;

  /**
   * @param now milliseconds since 1970
   * @param top rows to choose at most
   */
  UrlSelector(Configuration conf, long now, int top) {
    this.conf = conf;
    this.now = now;
    this.top = top;
    int count = conf.getInt("generate.max.count", -1);
    perHost = count < 0 ? Integer.MAX_VALUE : count;
    leastScore = conf.getFloat("generate.min.score", Float.NaN);
    filters = new URLFilters(conf);
    scoring = new ScoringFilters(conf);
    schedule = FetchScheduleFactory.getFetchSchedule(conf);
    generated = new LongWritable(System.currentTimeMillis());
  }

  /** Reads the rows of a part of CrawlDb. */
  void read(SortedRecords<CrawlDatum> rows) throws IOException {
    while (rows.next()) {
      consider(rows.key(), rows.value());
    }
  }

  private void consider(Text url, CrawlDatum row) throws IOException {
    if (!schedule.shouldFetch(url, row, now)) {
      return;
    }
    float score = 1.0f;
    try {
      score = scoring.generatorSortValue(url, row, score);
    } catch (ScoringFilterException e) {
      LOG.warn("{} has no score to sort by", url, e);
    }
    if (!Float.isNaN(leastScore) && score < leastScore || bar != null && score < bar.score) {
      return;
    }
    String address = url.toString();
    String host = URLUtil.getHost(address);
    Candidate candidate = new Candidate(score, Fingerprint.of(address), host, null);
    PriorityQueue<Candidate> best = hosts.get(host);
    boolean isFull = best != null && best.size() >= perHost;
    if (host == null || isFull && BEST_FIRST.compare(candidate, best.peek()) > 0 || bar != null && BEST_FIRST.compare(candidate, bar) > 0
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
    row.getMetaData().put(Nutch.WRITABLE_GENERATE_TIME_KEY, generated);
    best.add(new Candidate(score, candidate.tie, host, bytes(url, row)));
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

  private static byte[] bytes(Text url, CrawlDatum row) throws IOException {
    DataOutputBuffer out = new DataOutputBuffer();
    url.write(out);
    row.write(out);
    return java.util.Arrays.copyOf(out.getData(), out.getLength());
  }

  /** Drops what cannot be chosen any more: a better row of a host takes the place of one that was counted before. */
  private List<Candidate> keepTop() {
    List<Candidate> all = new ArrayList<>(size);
    hosts.values().forEach(all::addAll);
    all.sort(BEST_FIRST);
    List<Candidate> kept = all.subList(0, Math.min(top, all.size()));
    if (all.size() >= top) {
      bar = kept.get(kept.size() - 1);
      hosts.clear();
      for (Candidate candidate : kept) {
        hosts.computeIfAbsent(candidate.host, host -> new PriorityQueue<>(BEST_FIRST.reversed())).add(candidate);
      }
      size = kept.size();
    }
    return kept;
  }

  /**
   * Writes the chosen rows, best first.
   *
   * @return how many there are; the file is not made when there are none
   */
  int write(org.apache.hadoop.fs.Path file) throws IOException {
    List<Candidate> chosen = keepTop();
    if (chosen.isEmpty()) {
      return 0;
    }
    try (SequenceFile.Writer out = SequenceFile.createWriter(conf, SequenceFile.Writer.file(file), SequenceFile.Writer.keyClass(Text.class),
        SequenceFile.Writer.valueClass(CrawlDatum.class))) {
      DataInputBuffer in = new DataInputBuffer();
      for (Candidate candidate : chosen) {
        in.reset(candidate.row, candidate.row.length);
        Text url = new Text();
        CrawlDatum row = new CrawlDatum();
        url.readFields(in);
        row.readFields(in);
        out.append(url, row);
      }
    }
    return chosen.size();
  }
}
