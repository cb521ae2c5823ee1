package org.corpulyzer.jobs;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.Steering;

/**
 * The state between two choices by policy pages: the number of the last round, and the state of
 * {@link Steering}. It is a file of the host table. Immutable.
 */
final class PagesState {

  /** Hadoop ignores files whose names begin with an underscore. */
  private static final String NAME = "_pages";

  /** Before the first choice. */
  private static final PagesState NONE = new PagesState(0, "", "");

  private final int round;
  private final String steering;
  private final String summary;

  private PagesState(int round, String steering, String summary) {
    this.round = round;
    this.steering = steering;
    this.summary = summary;
  }

  /** The state after the choice that follows this one. */
  PagesState next(Steering.Choice choice, Steering.Review last) {
    String chosen =
        String.format(
            Locale.ROOT,
            "%d rows chosen, %d of them probes",
            choice.rows().length,
            choice.probes());
    String found = found(last.tried(), last.kept(), last.cost(), last.brier());
    return new PagesState(round + 1, choice.state(), chosen + found);
  }

  /** What the last choice has given; empty if it chose no row that was predicted. */
  static String found(long tried, long kept, double cost, double brier) {
    if (brier < 0) {
      return "";
    }
    String newHosts =
        tried == 0
            ? "no page of a new host"
            : String.format(
                Locale.ROOT,
                "%d of %d pages of new hosts kept, %.0f bytes %s by them",
                kept,
                tried,
                Math.abs(cost),
                cost < 0 ? "gained" : "lost");
    return String.format(Locale.ROOT, "; the last choice: %s, Brier score %.3f", newHosts, brier);
  }

  /**
   * @return number of the choice, from 1 on; 0 before the first
   */
  int round() {
    return round;
  }

  /**
   * @return the state of {@link Steering}
   */
  String steering() {
    return steering;
  }

  /**
   * @return what was chosen, and what the choice before has given, for operators
   */
  String summary() {
    return summary;
  }

  /**
   * @param folder a host table, or the output of {@link PagesPass}
   * @return the state before the first choice if the folder has none
   */
  static PagesState read(Path folder, Configuration conf) throws IOException {
    Path file = new Path(folder, NAME);
    FileSystem files = file.getFileSystem(conf);
    if (!files.exists(file)) {
      return NONE;
    }
    Properties values = new Properties();
    try (InputStream in = files.open(file);
        Reader reader = new InputStreamReader(in, StandardCharsets.UTF_8)) {
      values.load(reader);
      return new PagesState(
          Integer.parseInt(values.getProperty("round", "")),
          values.getProperty("steering", ""),
          values.getProperty("summary", ""));
    } catch (IllegalArgumentException e) {
      throw new CorpulyzerException(
          "The file " + file + " cannot be read: " + e.getMessage() + "; delete it.", e);
    }
  }

  void write(Path folder, Configuration conf) throws IOException {
    Properties values = new Properties();
    values.setProperty("round", Integer.toString(round));
    values.setProperty("steering", steering);
    values.setProperty("summary", summary);
    Path file = new Path(folder, NAME);
    try (OutputStream out = file.getFileSystem(conf).create(file);
        Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8)) {
      values.store(writer, "The choice of rows by policy pages");
    }
  }
}
