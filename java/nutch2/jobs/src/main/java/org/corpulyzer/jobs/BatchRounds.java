package org.corpulyzer.jobs;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.corpulyzer.corpus.ReportCounter;

/**
 * Rounds of batches with the operator's own ids, which contain neither a number nor a time. The
 * number of such a round is the time of the first fetch of its batch, in seconds since 1970. It is
 * known after all rows were read once: the first run of the job stores the times, and a second run
 * numbers the pages.
 */
final class BatchRounds {

  private static final String FOLDER = "crp.report.batches";
  private static final String KNOWN = "crp.report.batches.known";

  /**
   * Batches that a task notes at most, so that ids which are different for each page do not fill
   * its heap.
   */
  private static final int MOST = 10_000;

  private final TaskInputOutputContext<?, ?, ?, ?> context;
  private final Configuration conf;
  private final boolean known;
  private final Map<String, Long> seconds = new HashMap<>();

  BatchRounds(TaskInputOutputContext<?, ?, ?, ?> context) throws IOException {
    this.context = context;
    conf = context.getConfiguration();
    known = conf.getBoolean(KNOWN, false);
    if (known) {
      Path folder = new Path(conf.get(FOLDER));
      for (FileStatus file : folder.getFileSystem(conf).listStatus(folder)) {
        load(file.getPath());
      }
    }
  }

  /** Names the folder for the times, before the first run. */
  static void noteIn(Configuration conf, Path folder) {
    conf.set(FOLDER, folder.toString());
  }

  /** Lets the next run number the pages by the times that were noted. */
  static void useNoted(Configuration conf) {
    conf.setBoolean(KNOWN, true);
  }

  private void load(Path file) throws IOException {
    try (SequenceFile.Reader reader =
        new SequenceFile.Reader(conf, SequenceFile.Reader.file(file))) {
      Text batch = new Text();
      LongWritable time = new LongWritable();
      while (reader.next(batch, time)) {
        seconds.merge(batch.toString(), time.get(), Math::min);
      }
    }
  }

  /**
   * @return the round of a page; -1 while it is not known
   */
  long of(PageRow row, long fetchMillis) {
    long round = row.round();
    String batch = round >= 0 ? null : row.text(PageRow.Column.BATCH);
    if (batch == null) {
      return round;
    }
    if (known) {
      return seconds.getOrDefault(batch, -1L);
    }
    context.getCounter(ReportCounter.PAGES_IN_OWN_BATCHES).increment(1);
    if (seconds.size() < MOST || seconds.containsKey(batch)) {
      seconds.merge(batch, fetchMillis / 1000, Math::min);
    }
    return -1;
  }

  /** Writes the times that this task noted, if any, when its rows are read. */
  void write() throws IOException {
    if (known || seconds.isEmpty()) {
      return;
    }
    // A task that is tried again writes the same file.
    Path file = new Path(conf.get(FOLDER), context.getTaskAttemptID().getTaskID().toString());
    try (SequenceFile.Writer writer =
        SequenceFile.createWriter(
            conf,
            SequenceFile.Writer.file(file),
            SequenceFile.Writer.keyClass(Text.class),
            SequenceFile.Writer.valueClass(LongWritable.class))) {
      for (Map.Entry<String, Long> batch : seconds.entrySet()) {
        writer.append(new Text(batch.getKey()), new LongWritable(batch.getValue()));
      }
    }
  }
}
