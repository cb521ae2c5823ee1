package org.corpulyzer.jobs;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Partitioner;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.MapFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.partition.HashPartitioner;
import org.corpulyzer.corpus.KeyHash;
import org.corpulyzer.corpus.RunCounts;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.Targets;

/**
 * Totals and scores of every host of a CrawlDb: map files from host to {@link HostRecord} that the
 * reducers of {@link HostPass} wrote, beside each a file with the largest hash of its probed hosts,
 * and one file that names the run. Map files keep one key in 128 in memory.
 */
final class HostTable implements Closeable {

  /** Hadoop ignores files whose names begin with an underscore. */
  private static final String PROBES = "_chosen";

  private static final String RUN = "_run";

  private final MapFile.Reader[] parts;
  private final List<KeyLookup<HostRecord>> lookups = new ArrayList<>();

  /** Of each part the largest hashes of the probed hosts, those with a strong probe first. */
  private final long[][] thresholds;

  /** The one that {@link HostPass} used. */
  private final Partitioner<Text, HostRecord> partitioner = new HashPartitioner<>();

  private final KeyHash hashes = new KeyHash();
  private final Text key = new Text();

  /**
   * @param folder the output of {@link HostPass}
   */
  HostTable(Path folder, Configuration conf) throws IOException {
    FileSystem files = folder.getFileSystem(conf);
    FileStatus[] probes = files.globStatus(new Path(folder, PROBES + "-*"));
    Arrays.sort(probes);
    thresholds = new long[probes.length][];
    for (int i = 0; i < probes.length; i++) {
      try (FSDataInputStream in = files.open(probes[i].getPath())) {
        thresholds[i] = new long[] {in.readLong(), in.readLong()};
      }
    }
    parts = MapFileOutputFormat.getReaders(folder, conf);
    if (parts.length != thresholds.length) {
      close();
      throw new CorpulyzerException(
          "The host table "
              + folder
              + " has "
              + parts.length
              + " parts and "
              + thresholds.length
              + " probe files: run LrlScoreJob to write it again.");
    }
    for (MapFile.Reader part : parts) {
      lookups.add(new KeyLookup<>(part, HostRecord::new));
    }
  }

  /**
   * Writes which hosts of a part are probed, in a task.
   *
   * @param strong the largest hash of those with a strong probe
   * @param weak the largest hash of the others
   */
  static void writeProbes(TaskInputOutputContext<?, ?, ?, ?> context, long strong, long weak)
      throws IOException, InterruptedException {
    Path file = FileOutputFormat.getPathForWorkFile(context, PROBES, "");
    try (FSDataOutputStream out = file.getFileSystem(context.getConfiguration()).create(file)) {
      out.writeLong(strong);
      out.writeLong(weak);
    }
  }

  /**
   * @return the host's record, or null when there is none
   */
  HostRecord find(String host) throws IOException {
    key.set(host);
    return parts.length == 0
        ? null
        : lookups.get(partitioner.getPartition(key, null, parts.length)).find(key);
  }

  /**
   * @return whether the host's row {@link HostRecord#probe} has the score of probes
   */
  boolean isProbed(String host, HostRecord record) {
    if (record.probe().isEmpty()) {
      return false;
    }
    long[] largest = thresholds[partitioner.getPartition(new Text(host), record, parts.length)];
    return ProbeChoice.hash(hashes, host) <= largest[record.isStrong() ? 0 : 1];
  }

  /**
   * Passes every host with its record, sorted by host within a part. The record is another object
   * at each call.
   */
  void forEach(BiConsumer<String, HostRecord> visitor) throws IOException {
    for (KeyLookup<HostRecord> lookup : lookups) {
      lookup.forget();
    }
    for (MapFile.Reader part : parts) {
      part.reset();
      for (HostRecord record = new HostRecord();
          part.next(key, record);
          record = new HostRecord()) {
        visitor.accept(key.toString(), record);
      }
    }
  }

  /**
   * Sums up the text of all hosts.
   *
   * @param folder a host table
   * @return bytes by target language of its run; none if there is no table
   */
  static Map<String, Long> bytesByLanguage(Path folder, Configuration conf) throws IOException {
    Map<String, Long> bytes = new TreeMap<>();
    Run run = Run.read(folder, conf);
    if (run == null) {
      return bytes;
    }
    List<String> codes = run.targets().codes();
    try (HostTable hosts = new HostTable(folder, conf)) {
      hosts.forEach(
          (host, record) -> {
            long[] each = record.totals().byTarget();
            for (int i = 0; i < codes.size(); i++) {
              long of = each == null ? record.totals().targetBytes() : each[i];
              bytes.merge(codes.get(i), of, (a, b) -> a + b < 0 ? Long.MAX_VALUE : a + b);
            }
          });
    }
    return bytes;
  }

  @Override
  public void close() {
    IOUtils.cleanupWithLogger(null, parts);
  }

  /** Description of the run that wrote a host table. */
  static final class Run {
    private final Properties values;

    private Run(Properties values) {
      this.values = values;
    }

    /**
     * @return target language, ISO 639-3; several are separated by commas
     */
    String language() {
      return values.getProperty("language", "");
    }

    /**
     * @return the target languages with their weights in the scores
     */
    Targets targets() {
      return Targets.of(values.getProperty("weights", language()));
    }

    /**
     * @return record version of the engine
     */
    String version() {
      return values.getProperty("version", "");
    }

    /**
     * @return when the run began
     */
    String time() {
      return values.getProperty("time", "");
    }

    /**
     * @return the counts of the run; null if it has none, as runs of earlier releases
     */
    RunCounts counts() {
      return RunCounts.parse(values.getProperty("counts"));
    }

    /**
     * @return the run of this host table, or null when there is no table
     */
    static Run read(Path folder, Configuration conf) throws IOException {
      Path file = new Path(folder, RUN);
      FileSystem files = file.getFileSystem(conf);
      if (!files.exists(file)) {
        return null;
      }
      Properties values = new Properties();
      try (InputStream in = files.open(file);
          Reader reader = new InputStreamReader(in, StandardCharsets.UTF_8)) {
        values.load(reader);
      } catch (IllegalArgumentException e) {
        throw new CorpulyzerException(
            "The file " + file + " cannot be read: " + e.getMessage() + "; delete " + folder + ".",
            e);
      }
      return new Run(values);
    }

    /**
     * @param counts null if the run does not count pages
     */
    static void write(
        Path folder,
        Configuration conf,
        Engine engine,
        Targets targets,
        Instant time,
        RunCounts counts)
        throws IOException {
      Properties values = new Properties();
      values.setProperty("language", engine.target());
      if (targets.areSeveral()) {
        values.setProperty("weights", targets.toString());
      }
      values.setProperty("version", engine.recordVersion());
      values.setProperty("time", time.toString());
      if (counts != null) {
        values.setProperty("counts", counts.toString());
      }
      Path file = new Path(folder, RUN);
      try (OutputStream out = file.getFileSystem(conf).create(file);
          Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8)) {
        values.store(writer, "The run of the score passes that wrote this host table");
      }
    }
  }
}
