package org.corpulyzer.jobs;

import java.io.Closeable;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;

/**
 * The scores that {@link PagesPass} gives rows, such that Nutch's generator, which takes the
 * highest ones, takes the rows of the choice: a map file from row keys to scores and predictions,
 * in the order of the web table. Rows that are not in it have the score of their host.
 */
final class RowChoice implements Closeable {

  /**
   * How far a stored score may be from the wanted one, as a share of the score of the last chosen
   * row, or for a row that is not due, of the wanted score. On the sample web the best 220 to 2,000
   * rows by stored scores, with choices of 200, had 99.93 % of the bytes to expect of the best
   * ones, or more, in each of eight rounds.
   */
  static final float TOLERANCE = 0.02f;

  private static final String ROWS = "rows";

  private final MapFile.Reader rows;
  private final Text key = new Text();
  private final Entry entry = new Entry();
  private boolean isOpen;
  private boolean hasNext;

  /**
   * @param folder the output of {@link PagesPass}
   */
  RowChoice(Path folder, Configuration conf) throws IOException {
    rows = new MapFile.Reader(new Path(folder, ROWS), conf);
  }

  static MapFile.Writer writer(Path folder, Configuration conf) throws IOException {
    return new MapFile.Writer(
        conf,
        new Path(folder, ROWS),
        MapFile.Writer.keyClass(Text.class),
        MapFile.Writer.valueClass(Entry.class));
  }

  /**
   * Finds a row. Rows come in the order of the web table.
   *
   * @param row a cell of it
   * @return valid until the next call; null if the row has the score of its host
   */
  Entry find(Cell row) throws IOException {
    if (!isOpen) {
      Text first = new Text();
      first.set(row.getRowArray(), row.getRowOffset(), row.getRowLength());
      Text closest = (Text) rows.getClosest(first, entry);
      hasNext = closest != null;
      if (hasNext) {
        key.set(closest);
      }
      isOpen = true;
    }
    int order = order(row);
    while (hasNext && order < 0) {
      hasNext = rows.next(key, entry);
      order = order(row);
    }
    return hasNext && order == 0 ? entry : null;
  }

  /**
   * @param wanted the score of the host of a row that is not due
   * @return whether the stored score of the row may stay
   */
  static boolean isNear(float stored, float wanted) {
    // Scores below 0 are those of stopped hosts.
    return wanted > 0 && Math.abs(stored - wanted) <= TOLERANCE * wanted;
  }

  private int order(Cell row) {
    return Bytes.compareTo(
        key.getBytes(),
        0,
        key.getLength(),
        row.getRowArray(),
        row.getRowOffset(),
        row.getRowLength());
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }

  /** What a row gets. */
  static final class Entry implements Writable {

    /** The score, or NaN for that of the host. */
    private float score;

    /** The smallest stored score that may stay. */
    private float lowest;

    /** The largest one. */
    private float highest;

    /** The prediction to store; empty to forget the stored one, {@link #SAME} to leave it. */
    private String prediction;

    private static final String SAME = "=";

    /** For Hadoop, which then reads the fields. */
    Entry() {}

    /**
     * @param score NaN for the score of the host
     * @param lowest the smallest stored score that may stay
     * @param highest the largest one
     * @param prediction to store; empty to forget the stored one, null to leave it
     */
    Entry(float score, float lowest, float highest, String prediction) {
      this.score = score;
      this.lowest = lowest;
      this.highest = highest;
      this.prediction = prediction == null ? SAME : prediction;
    }

    /**
     * @param stored a row's score; NaN if it has none
     * @return whether it may stay
     */
    boolean allows(float stored) {
      return lowest <= stored && stored <= highest;
    }

    boolean hasScore() {
      return !Float.isNaN(score);
    }

    float score() {
      return score;
    }

    /**
     * @return see the constructor
     */
    String prediction() {
      return prediction.equals(SAME) ? null : prediction;
    }

    @Override
    public void write(DataOutput out) throws IOException {
      out.writeFloat(score);
      out.writeFloat(lowest);
      out.writeFloat(highest);
      out.writeUTF(prediction);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
      score = in.readFloat();
      lowest = in.readFloat();
      highest = in.readFloat();
      prediction = in.readUTF();
    }
  }
}
