package org.corpulyzer.jobs;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.ByteWritable;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Partitioner;
import org.apache.hadoop.mapreduce.lib.output.MapFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.partition.HashPartitioner;
import org.corpulyzer.engine.Settings;

/**
 * Rows with the statuses that {@link DuplicatePass} gives them. Map files keep one key in 128 in
 * memory.
 */
final class DuplicateMarks implements Closeable {

  private static final String ZEROES = "crp.score.duplicates.zero";
  private static final String MARKS = "crp.score.duplicates.marks";

  /** The one that {@link DuplicatePass#sortJob} used. */
  private final Partitioner<Text, ByteWritable> partitioner = new HashPartitioner<>();

  private final MapFile.Reader[] parts;
  private final List<KeyLookup<ByteWritable>> lookups = new ArrayList<>();
  private final PageRow row;

  /**
   * @param zeroes whether duplicates count as 0 bytes
   * @param marks the output of {@link DuplicatePass#sortJob}; null if no status changes
   */
  DuplicateMarks(boolean zeroes, Path marks, Configuration conf) throws IOException {
    row = new PageRow(zeroes);
    parts = marks == null ? new MapFile.Reader[0] : MapFileOutputFormat.getReaders(marks, conf);
    for (MapFile.Reader part : parts) {
      lookups.add(new KeyLookup<>(part, ByteWritable::new));
    }
  }

  /** Passes the arguments of the constructor to the tasks of a job. */
  static void set(Job job, Path marks) {
    Configuration conf = job.getConfiguration();
    conf.setBoolean(ZEROES, Settings.from(conf::get).zeroesDuplicates());
    if (marks != null) {
      conf.set(MARKS, marks.toString());
    }
  }

  /** In a task of a job for which {@link #set} was called. */
  static DuplicateMarks of(Configuration conf) throws IOException {
    String marks = conf.get(MARKS);
    return new DuplicateMarks(
        conf.getBoolean(ZEROES, false), marks == null ? null : new Path(marks), conf);
  }

  /**
   * @param url URL of the row; rows should come in the order of a part of CrawlDb
   * @return the row with its status; the same object for each row
   */
  PageRow read(Text url, RowBytes bytes) throws IOException {
    PageRow page = row.read(bytes);
    // Only fetched pages are compared.
    if (parts.length > 0 && page.isFetched()) {
      ByteWritable status =
          lookups.get(partitioner.getPartition(url, null, parts.length)).find(url);
      if (status != null) {
        page.withStatus(status.get());
      }
    }
    return page;
  }

  @Override
  public void close() {
    IOUtils.cleanupWithLogger(null, parts);
  }
}
