package org.corpulyzer.crawl;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The progress of the crawl: lines on the console, and a status file that another process may read
 * at any time.
 */
final class Console {
  private static final Logger LOG = LoggerFactory.getLogger(Console.class);

  private final PrintStream out;
  private final Path status;
  private String where = "";
  private String table = "";

  Console(PrintStream out, Path status) {
    this.out = out;
    this.status = status;
  }

  void say(String line) {
    out.println(line);
    LOG.info(line.trim());
    status(line.trim());
  }

  /** Prints a table on the console only. */
  void print(String text) {
    out.print(text);
  }

  /** Writes a line to the status file only, because it would flood the console. */
  synchronized void status(String line) {
    String text =
        LocalTime.now().truncatedTo(ChronoUnit.SECONDS) + "  " + where + line + "\n" + table;
    try {
      LocalFiles.replace(status, text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      LOG.warn("the status file cannot be written: {}", e.toString());
    }
  }

  /**
   * Sets the beginning of all further lines of the status file, such as the round and phase.
   *
   * @param place that beginning, or "" for none
   */
  synchronized void at(String place) {
    where = place.isEmpty() ? "" : place + ": ";
  }

  /** The yield table so far, kept under the status line. */
  synchronized void table(String text) {
    table = text;
  }
}
