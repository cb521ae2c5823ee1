package org.corpulyzer.jobs;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.EOFException;
import java.io.IOException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.nutch.crawl.CrawlDatum;
import org.corpulyzer.engine.Steering;

/**
 * The scores that {@link PagesPass} gives the rows of a part, such that Nutch's generator, which
 * takes the highest ones, takes the rows of the choice: a chosen row has its expected bytes, a
 * probe those of the row beside which it stands, and all other rows less than these.
 */
final class RowChoice implements Closeable {

  /** Hadoop ignores files whose names begin with an underscore. */
  private static final String CHOSEN = "_chosen";

  /** Before the name of a part: its rows that URL filters refuse. Missing if there are none. */
  private static final String REFUSED = "_refused-";

  private final DataInputStream in;
  private final Map<Integer, Float> chosen = new HashMap<>();
  private final int round;

  private final BitSet refused;

  /** All chosen rows have this score or a higher one. */
  private final float least;

  /** Number of the next row with a prediction; -1 behind the last. */
  private int next;

  private Steering.Prediction prediction;

  /**
   * @param folder the output of {@link PagesPass}
   * @param part name of a part of CrawlDb
   */
  RowChoice(Path folder, String part, Configuration conf) throws IOException {
    FileSystem files = folder.getFileSystem(conf);
    try (FSDataInputStream choice = files.open(new Path(folder, CHOSEN))) {
      round = choice.readInt();
      float lowest = Float.MAX_VALUE;
      for (int count = choice.readInt(); count > 0; count--) {
        boolean isHere = choice.readUTF().equals(part);
        int row = choice.readInt();
        float score = choice.readFloat();
        lowest = Math.min(lowest, score);
        if (isHere) {
          chosen.put(row, score);
        }
      }
      least = lowest;
    }
    refused = readRefused(new Path(folder, REFUSED + part), files);
    in = new DataInputStream(new BufferedInputStream(files.open(new Path(folder, part))));
    advance();
  }

  /**
   * Writes the chosen rows. New seeds are left out: they keep the score of seeds.
   *
   * @param parts the parts, of which {@code number % parts} of a row's number names one
   */
  static void write(
      Path folder, Configuration conf, int round, Steering.Choice choice, List<Path> parts)
      throws IOException {
    int[] rows = choice.rows();
    float[] scores = choice.scores();
    int seeds = 0;
    while (seeds < rows.length && scores[seeds] == 0) {
      seeds++;
    }
    Path file = new Path(folder, CHOSEN);
    try (FSDataOutputStream out = file.getFileSystem(conf).create(file)) {
      out.writeInt(round);
      out.writeInt(rows.length - seeds);
      for (int i = seeds; i < rows.length; i++) {
        out.writeUTF(parts.get(Integer.remainderUnsigned(rows[i], parts.size())).getName());
        out.writeInt(Integer.divideUnsigned(rows[i], parts.size()));
        out.writeFloat(scores[i]);
      }
    }
  }

  /** Writes the rows that are due and that URL filters refuse, of which each part may have some. */
  static void writeRefused(Path folder, Configuration conf, List<BitSet> refused, List<Path> parts)
      throws IOException {
    for (int part = 0; part < parts.size(); part++) {
      if (!refused.get(part).isEmpty()) {
        Path file = new Path(folder, REFUSED + parts.get(part).getName());
        try (FSDataOutputStream out = file.getFileSystem(conf).create(file)) {
          out.write(refused.get(part).toByteArray());
        }
      }
    }
  }

  private static BitSet readRefused(Path file, FileSystem files) throws IOException {
    if (!files.exists(file)) {
      return new BitSet();
    }
    try (FSDataInputStream in = files.open(file)) {
      return BitSet.valueOf(in.readAllBytes());
    }
  }

  /** Writes a prediction into the file of a part. */
  static void write(DataOutput out, int row, Steering.Prediction prediction) throws IOException {
    out.writeInt(row);
    out.writeByte(prediction.level());
    out.writeFloat(prediction.section());
    out.writeFloat(prediction.probability());
    out.writeFloat(prediction.score());
  }

  private void advance() throws IOException {
    try {
      next = in.readInt();
    } catch (EOFException e) {
      next = -1;
      return;
    }
    prediction =
        new Steering.Prediction(in.readByte(), in.readFloat(), in.readFloat(), in.readFloat());
  }

  /**
   * Finds the score of a row, and writes its prediction into a row that was never fetched. The rows
   * come in the order of the part.
   *
   * @param row number of the row in the part, from 0 on
   * @param score the score of its host
   * @return the score of the row; that of its host if it is not due, or a new seed. A row that URL
   *     filters refuse has less than the chosen ones, in case generate does not filter.
   */
  float of(int row, RowBytes bytes, float score) throws IOException {
    Steering.Prediction found = next == row ? prediction : null;
    if (found != null) {
      advance();
    }
    Float place = found == null ? null : chosen.get(row);
    if (bytes.status() == CrawlDatum.STATUS_DB_UNFETCHED) {
      if (place == null) {
        SteeringRows.removePrediction(bytes);
      } else {
        SteeringRows.setPrediction(bytes, round, found);
      }
    }
    return found == null
        ? refused.get(row) ? Math.min(score, Math.nextDown(least)) : score
        : place == null ? Math.min(found.score(), Math.nextDown(least)) : place;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
