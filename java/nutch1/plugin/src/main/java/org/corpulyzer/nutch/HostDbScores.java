package org.corpulyzer.nutch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.FloatWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.hostdb.HostDatum;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.HostScore;
import org.corpulyzer.engine.HostTotals;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;

/**
 * Scores of hosts from Nutch's HostDb, for who runs Nutch's stock commands alone. A host's total is
 * HostDb's mean of {@code crp.t} times the host's fetched and notmodified rows.
 *
 * <p>Error against the exact score: HostDb's mean leaves out fetched rows without {@code crp.t}
 * (not parsed) and all rows of status duplicate, while the exact score counts both. A host with the
 * mean m over p parsed pages, u pages without figures, and d duplicates of b bytes together scores
 * m instead of (m p + b) / (p + u + d). Without such rows the error is that of HostDb's sum, a
 * float: at most p / 2^24 of the score, and 1 / (2 p) bytes for rounding here. On 40 hosts of up to
 * 2,000 pages it was at most 7.3e-7 of the score. Scores are as old as the last updatehostdb.
 */
final class HostDbScores {

  private static final Text MEAN = new Text("avg." + PageKeys.TARGET_BYTES);
  private static final Text RAW_MEAN = new Text("avg." + PageKeys.RAW_BYTES);
  private static final String NUMERIC_FIELDS = "hostdb.numeric.fields";
  private static final String HINT =
      "; run bin/nutch updatehostdb -hostdb FOLDER -crawldb CRAWLDB before generate, with "
          + PageKeys.TARGET_BYTES
          + " in "
          + NUMERIC_FIELDS
          + " and in db.parsemeta.to.crawldb.";
  private static final int BATCH = 1024;

  private final Engine engine;
  private final HostScore unknown;
  private final boolean stopsLowYields;
  private final Map<String, HostScore> scores = new HashMap<>();

  /**
   * Reads HostDb to its end.
   *
   * @throws CorpulyzerException if it cannot be found or read, holds no figures of this plugin, or
   *     has too many hosts
   */
  HostDbScores(Configuration conf, Settings settings, Engine engine) {
    this.engine = engine;
    stopsLowYields = settings.stopsLowYields();
    unknown = engine.scores(HostTotals.NONE)[0];
    String folder =
        settings.hostDb().isEmpty() ? conf.get("generate.hostdb", "") : settings.hostDb();
    if (folder.isEmpty()) {
      throw new CorpulyzerException(
          "Property "
              + Settings.SCORE_SOURCE
              + " is hostdb, but "
              + Settings.SCORE_HOST_DB
              + " is not set; allowed is the folder of a HostDb"
              + HINT);
    }
    Path current = new Path(folder, "current");
    try {
      read(conf, current, settings.hostDbMaxHosts());
    } catch (IOException e) {
      throw new CorpulyzerException(
          "HostDb "
              + folder
              + " ("
              + Settings.SCORE_HOST_DB
              + ") cannot be read: "
              + e.getMessage()
              + HINT,
          e);
    }
  }

  private void read(Configuration conf, Path current, int maxHosts) throws IOException {
    FileSystem fs = current.getFileSystem(conf);
    List<String> hosts = new ArrayList<>();
    List<HostTotals> totals = new ArrayList<>();
    Text host = new Text();
    boolean fetched = false;
    for (FileStatus part :
        fs.listStatus(
            current, path -> !path.getName().startsWith("_") && !path.getName().startsWith("."))) {
      try (SequenceFile.Reader reader =
          new SequenceFile.Reader(conf, SequenceFile.Reader.file(part.getPath()))) {
        HostDatum datum = new HostDatum();
        while (reader.next(host, datum)) {
          long pages = datum.getFetched() + datum.getNotModified();
          fetched |= pages > 0;
          Writable mean = datum.getMetaData().get(MEAN);
          // A host without a fetched page keeps the mean of pages that it had once.
          if (pages > 0 && mean instanceof FloatWritable) {
            if (scores.size() + hosts.size() >= maxHosts) {
              throw new CorpulyzerException(
                  "HostDb "
                      + current.getParent()
                      + " has more than "
                      + maxHosts
                      + " hosts with figures; raise "
                      + Settings.SCORE_HOST_DB_MAX_HOSTS
                      + " and the heap of generate, or score with LrlScoreJob.");
            }
            hosts.add(host.toString());
            totals.add(totals(datum, ((FloatWritable) mean).get(), pages));
          }
          if (hosts.size() == BATCH) {
            score(hosts, totals);
          }
          datum = new HostDatum();
        }
      }
    }
    score(hosts, totals);
    if (fetched && scores.isEmpty()) {
      throw new CorpulyzerException(
          "HostDb " + current.getParent() + " has fetched pages, but no host has " + MEAN + HINT);
    }
  }

  private HostTotals totals(HostDatum datum, float mean, long pages) {
    Writable rawMean = datum.getMetaData().get(RAW_MEAN);
    if (!(rawMean instanceof FloatWritable)) {
      if (stopsLowYields) {
        throw new CorpulyzerException(
            "Property "
                + Settings.SCORE_POLICY
                + " has +rising, which needs the downloaded bytes of pages, and a host of HostDb"
                + " lacks "
                + RAW_MEAN
                + "; add "
                + PageKeys.RAW_BYTES
                + " to "
                + NUMERIC_FIELDS
                + " and db.parsemeta.to.crawldb, or remove +rising.");
      }
      return new HostTotals(sum(mean, pages), pages);
    }
    return new HostTotals(sum(mean, pages), pages)
        .withRawBytes(sum(((FloatWritable) rawMean).get(), pages));
  }

  private static long sum(float mean, long pages) {
    return Float.isFinite(mean) ? Math.round(Math.max(0, (double) mean) * pages) : 0;
  }

  private void score(List<String> hosts, List<HostTotals> totals) {
    HostScore[] batch = engine.scores(totals.toArray(new HostTotals[0]));
    for (int i = 0; i < batch.length; i++) {
      scores.put(hosts.get(i), batch[i]);
    }
    hosts.clear();
    totals.clear();
  }

  /**
   * @param host as {@code URLUtil.getHost} returns it
   * @return the host's score; that of unknown hosts if HostDb has no fetched page of it
   */
  HostScore of(String host) {
    return scores.getOrDefault(host, unknown);
  }
}
