package org.corpulyzer.jobs;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.io.MapFile;

/**
 * The rows of all parts of a CrawlDb in the order of their URLs, so that the rows of a host are
 * neighbours. Nutch spreads them over the parts by a hash.
 */
final class MergedRows implements Closeable {

  /** A part, at its current row. */
  static final class Part implements Comparable<Part> {
    private final int number;
    private final RawRows rows;
    private int row = -1;

    private Part(int number, RawRows rows) {
      this.number = number;
      this.rows = rows;
    }

    /**
     * @return number of the part in the list of parts
     */
    int number() {
      return number;
    }

    /**
     * @return number of the current row in the part, from 0 on
     */
    int row() {
      return row;
    }

    RawRows rows() {
      return rows;
    }

    private boolean next() throws IOException {
      row++;
      return rows.next();
    }

    @Override
    public int compareTo(Part other) {
      return rows.key().compareTo(other.rows.key());
    }
  }

  private final List<RawRows> open = new ArrayList<>();
  private final PriorityQueue<Part> parts = new PriorityQueue<>();

  /** The part of the current row; null before the first. */
  private Part current;

  /**
   * @param parts folders of map files
   */
  MergedRows(Configuration conf, List<Path> parts) throws IOException {
    for (Path part : parts) {
      RawRows rows = new RawRows(conf, new Path(part, MapFile.DATA_FILE_NAME));
      open.add(rows);
      advance(new Part(open.size() - 1, rows));
    }
  }

  private void advance(Part part) throws IOException {
    if (part.next()) {
      parts.add(part);
    }
  }

  /**
   * @return the part with the next row as its current one, valid until the next call; null behind
   *     the last row
   */
  Part next() throws IOException {
    if (current != null) {
      advance(current);
    }
    current = parts.poll();
    return current;
  }

  @Override
  public void close() {
    IOUtils.cleanupWithLogger(null, open.toArray(new Closeable[0]));
  }
}
