package org.corpulyzer.jobs;

import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.util.Progressable;
import org.apache.nutch.crawl.CrawlDatum;

/**
 * Writes a part of CrawlDb from bytes: the files that {@link MapFile.Writer} writes from objects.
 */
public final class RawRowsWriter implements Closeable {
  /** Hadoop's property: rows between two entries of the index. */
  private static final String INDEX_INTERVAL = "io.map.index.interval";

  /** A row in Hadoop's form. */
  private static final class Value implements SequenceFile.ValueBytes {
    private RowBytes row;

    @Override
    public void writeUncompressedBytes(DataOutputStream out) throws IOException {
      out.write(row.bytes(), 0, row.length());
    }

    @Override
    public void writeCompressedBytes(DataOutputStream out) {
      throw new UnsupportedOperationException("a row is not compressed");
    }

    @Override
    public int getSize() {
      return row.length();
    }
  }

  private final SequenceFile.Writer data;
  private final SequenceFile.Writer index;
  private final DataOutputBuffer keyBytes = new DataOutputBuffer();
  private final Value value = new Value();
  private final Text last = new Text();
  private final LongWritable position = new LongWritable();
  private final int interval;
  private long size;

  /**
   * @param part folder of the map file
   */
  public RawRowsWriter(Configuration conf, Path part) throws IOException {
    this(conf, part, () -> {});
  }

  RawRowsWriter(Configuration conf, Path part, Progressable progress) throws IOException {
    interval = conf.getInt(INDEX_INTERVAL, 128);
    data =
        SequenceFile.createWriter(
            conf,
            SequenceFile.Writer.file(new Path(part, MapFile.DATA_FILE_NAME)),
            SequenceFile.Writer.keyClass(Text.class),
            SequenceFile.Writer.valueClass(CrawlDatum.class),
            SequenceFile.Writer.compression(SequenceFile.CompressionType.NONE),
            SequenceFile.Writer.progressable(progress));
    try {
      index =
          SequenceFile.createWriter(
              conf,
              SequenceFile.Writer.file(new Path(part, MapFile.INDEX_FILE_NAME)),
              SequenceFile.Writer.keyClass(Text.class),
              SequenceFile.Writer.valueClass(LongWritable.class),
              SequenceFile.Writer.compression(SequenceFile.CompressionType.BLOCK));
    } catch (IOException | RuntimeException e) {
      data.close();
      throw e;
    }
  }

  /**
   * @throws IOException also if a row comes before the last one
   */
  public void append(Text key, RowBytes row) throws IOException {
    if (size > 0 && last.compareTo(key) > 0) {
      throw new IOException("rows of CrawlDb are not in order: " + key + " follows " + last);
    }
    last.set(key);
    if (size++ % interval == 0) {
      position.set(data.getLength());
      index.append(key, position);
    }
    keyBytes.reset();
    key.write(keyBytes);
    value.row = row;
    data.appendRaw(keyBytes.getData(), 0, keyBytes.getLength(), value);
  }

  @Override
  public void close() throws IOException {
    try {
      data.close();
    } finally {
      index.close();
    }
  }
}
