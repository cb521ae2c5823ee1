package org.corpulyzer.jobs;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;

/** Reads a part of CrawlDb row by row as bytes. The same objects hold all rows. */
public final class RawRows implements Closeable {
  private final SequenceFile.Reader reader;
  private final SequenceFile.ValueBytes value;
  private final DataOutputBuffer keyBytes = new DataOutputBuffer();
  private final DataOutputBuffer rowBytes = new DataOutputBuffer();
  private final DataInputBuffer in = new DataInputBuffer();
  private final Text key = new Text();
  private final RowBytes row = new RowBytes();
  private final long start;
  private final long end;
  private boolean isEnded;
  private boolean hasRow;

  /**
   * @param file the data of a map file
   */
  public RawRows(Configuration conf, Path file) throws IOException {
    this(conf, file, 0, Long.MAX_VALUE);
  }

  /**
   * Reads a split as Hadoop does: from the first sync mark at or behind its start to the first one
   * behind its end.
   *
   * @param from position in the file in bytes
   * @param to position behind the split
   */
  RawRows(Configuration conf, Path file, long from, long to) throws IOException {
    reader = new SequenceFile.Reader(conf, SequenceFile.Reader.file(file));
    value = reader.createValueBytes();
    if (from > reader.getPosition()) {
      reader.sync(from);
    }
    start = reader.getPosition();
    end = to;
    isEnded = start >= end;
  }

  /**
   * @return whether there is a next row; then it is the current one
   */
  public boolean next() throws IOException {
    if (isEnded) {
      hasRow = false;
      return false;
    }
    long at = reader.getPosition();
    keyBytes.reset();
    isEnded = reader.nextRaw(keyBytes, value) < 0 || at >= end && reader.syncSeen();
    hasRow = !isEnded;
    if (hasRow) {
      in.reset(keyBytes.getData(), keyBytes.getLength());
      key.readFields(in);
      rowBytes.reset();
      value.writeUncompressedBytes(rowBytes);
      row.set(rowBytes.getData(), rowBytes.getLength());
    }
    return hasRow;
  }

  /**
   * @return whether there is a current row
   */
  public boolean hasRow() {
    return hasRow;
  }

  /**
   * @return the URL of the current row
   */
  public Text key() {
    return key;
  }

  /**
   * @return the current row
   */
  public RowBytes row() {
    return row;
  }

  /**
   * @return the part of the split that was read
   */
  float progress() throws IOException {
    return isEnded ? 1 : Math.min(1f, (reader.getPosition() - start) / (float) (end - start));
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
