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
  private boolean hasRow;

  /**
   * @param file the data of a map file
   */
  public RawRows(Configuration conf, Path file) throws IOException {
    reader = new SequenceFile.Reader(conf, SequenceFile.Reader.file(file));
    value = reader.createValueBytes();
  }

  /**
   * @return whether there is a next row; then it is the current one
   */
  public boolean next() throws IOException {
    keyBytes.reset();
    hasRow = reader.nextRaw(keyBytes, value) >= 0;
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

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
