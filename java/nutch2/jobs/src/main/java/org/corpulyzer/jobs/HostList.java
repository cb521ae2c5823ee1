package org.corpulyzer.jobs;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.PriorityQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.MapFileOutputFormat;
import org.apache.hadoop.util.ReflectionUtils;
import org.corpulyzer.engine.RowKeys;

/**
 * Some of the crawl's hosts in the order of the web table, in map files that a job's reducers
 * wrote: one file each, sorted by the key with which the host's rows begin. Files and not memory,
 * since a first run lists every host; and a run's own, so that two runs at once cannot mistake each
 * other's.
 */
final class HostList implements Closeable {

  private final MapFile.Reader[] files;
  private final PriorityQueue<Cursor> cursors = new PriorityQueue<>();
  private byte[] start;
  private byte[] end;

  /**
   * @param folder output of a job that {@link #setOutput} set up
   */
  HostList(Path folder, Configuration conf) throws IOException {
    files = MapFileOutputFormat.getReaders(folder, conf);
  }

  /**
   * Configures a job to write a list. Its keys are those of {@link #key}, its values the data of
   * the host.
   */
  static void setOutput(Job job, Path folder) {
    job.setOutputFormatClass(MapFileOutputFormat.class);
    FileOutputFormat.setOutputPath(job, folder);
    // MapFileOutputFormat's own reader treats every file of the folder as a map file.
    job.getConfiguration().setBoolean(FileOutputCommitter.SUCCESSFUL_JOB_OUTPUT_DIR_MARKER, false);
  }

  /**
   * @return the key of a host: hosts sort by it as their rows do
   */
  static Text key(String host) {
    return new Text(RowKeys.startKey(host));
  }

  /**
   * @return the host of a key
   */
  static String host(Text key) {
    String start = key.toString();
    return start.substring(0, start.length() - 1);
  }

  /**
   * Goes to the first host with a row in a region.
   *
   * @param start the region's first key; empty for an open start
   * @param end the key after its last; empty for an open end
   */
  HostList seek(byte[] start, byte[] end) throws IOException {
    this.start = start;
    this.end = end;
    cursors.clear();
    for (MapFile.Reader file : files) {
      Cursor cursor = new Cursor(file);
      if (cursor.seek()) {
        cursors.add(cursor);
      }
    }
    return this;
  }

  /**
   * @return where the next host's rows can be in the region, or null after the last host
   */
  RowRange next() throws IOException {
    Cursor cursor = cursors.poll();
    if (cursor == null) {
      return null;
    }
    byte[] first = cursor.key.copyBytes();
    byte[] last = endKey(first);
    if (cursor.next()) {
      cursors.add(cursor);
    }
    byte[] from = Bytes.compareTo(first, start) < 0 ? start : first;
    byte[] to = end.length > 0 && Bytes.compareTo(end, last) < 0 ? end : last;
    return new RowRange(from, true, to, false);
  }

  private static byte[] endKey(byte[] startKey) {
    byte[] end = startKey.clone();
    // ';' follows ':' in ASCII, see RowKeys.
    end[end.length - 1]++;
    return end;
  }

  @Override
  public void close() {
    IOUtils.cleanup(null, files);
  }

  /** A place in one file. */
  private final class Cursor implements Comparable<Cursor> {

    private final MapFile.Reader file;
    private final Writable value;
    private final Text key = new Text();

    Cursor(MapFile.Reader file) {
      this.file = file;
      this.value = (Writable) ReflectionUtils.newInstance(file.getValueClass(), null);
    }

    /**
     * @return whether there is a host with rows in the region
     */
    boolean seek() throws IOException {
      file.reset();
      if (start.length == 0) {
        return next();
      }
      Text closest = (Text) file.getClosest(new Text(lowestKey()), value);
      if (closest == null) {
        return false;
      }
      key.set(closest);
      while (Bytes.compareTo(endKey(key.copyBytes()), start) <= 0) {
        if (!file.next(key, value)) {
          return false;
        }
      }
      return isInside();
    }

    /**
     * A host that reaches into the region from the one before begins the region's first key: no
     * such key is shorter than this.
     */
    private byte[] lowestKey() {
      for (int i = 0; i < start.length; i++) {
        if (start[i] == ':') {
          return Arrays.copyOf(start, i + 1);
        }
      }
      return start;
    }

    boolean next() throws IOException {
      return file.next(key, value) && isInside();
    }

    private boolean isInside() {
      return end.length == 0
          || Bytes.compareTo(key.getBytes(), 0, key.getLength(), end, 0, end.length) < 0;
    }

    @Override
    public int compareTo(Cursor other) {
      return key.compareTo(other.key);
    }
  }
}
