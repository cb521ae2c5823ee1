package org.corpulyzer.corpus;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
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
 * {@link Steering}. It is a file of the host table, on Nutch 2.4 a column of a row of it.
 * Immutable.
 */
public final class PagesState {

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

  /**
   * The state after the choice that follows this one.
   *
   * @param round number of that choice
   */
  public PagesState next(int round, Steering.Choice choice, Steering.Review last) {
    String chosen =
        String.format(
            Locale.ROOT,
            "%d rows chosen, %d of them probes",
            choice.rows().length,
            choice.probes());
    String found = found(last.tried(), last.kept(), last.cost(), last.brier());
    return new PagesState(round, choice.state(), chosen + found);
  }

  /** What the last choice has given; empty if it chose no row that was predicted. */
  public static String found(long tried, long kept, double cost, double brier) {
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
  public int round() {
    return round;
  }

  /**
   * @return the state of {@link Steering}
   */
  public String steering() {
    return steering;
  }

  /**
   * @return what was chosen, and what the choice before has given, for operators
   */
  public String summary() {
    return summary;
  }

  /**
   * @param folder a host table, or the output of the job that chose
   * @return the state before the first choice if the folder has none
   */
  public static PagesState read(Path folder, Configuration conf) throws IOException {
    Path file = new Path(folder, NAME);
    FileSystem files = file.getFileSystem(conf);
    if (!files.exists(file)) {
      return NONE;
    }
    try (InputStream in = files.open(file);
        Reader reader = new InputStreamReader(in, StandardCharsets.UTF_8)) {
      return parse(reader);
    } catch (IllegalArgumentException e) {
      throw new CorpulyzerException(
          "The file " + file + " cannot be read: " + e.getMessage() + "; delete it.", e);
    }
  }

  /**
   * @param text of {@link #toString}, or null before the first choice
   * @throws IllegalArgumentException if the text is another one
   */
  public static PagesState parse(String text) throws IOException {
    return text == null ? NONE : parse(new StringReader(text));
  }

  private static PagesState parse(Reader reader) throws IOException {
    Properties values = new Properties();
    values.load(reader);
    return new PagesState(
        Integer.parseInt(values.getProperty("round", "")),
        values.getProperty("steering", ""),
        values.getProperty("summary", ""));
  }

  /** Writes the state into a folder, for {@link #read}. */
  public void write(Path folder, Configuration conf) throws IOException {
    Path file = new Path(folder, NAME);
    try (OutputStream out = file.getFileSystem(conf).create(file)) {
      out.write(toString().getBytes(StandardCharsets.UTF_8));
    }
  }

  @Override
  public String toString() {
    Properties values = new Properties();
    values.setProperty("round", Integer.toString(round));
    values.setProperty("steering", steering);
    values.setProperty("summary", summary);
    StringWriter text = new StringWriter();
    try {
      values.store(text, "The choice of rows by policy pages");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }
}
