package org.corpulyzer.crawl;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.logging.FileHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.hadoop.util.StringUtils;

/**
 * Sends the libraries' logs nowhere until there is a data folder, then into it, by Java's own
 * logging. The console is for the crawl's own lines.
 */
final class Logs {
  private static final int FILE_BYTES = 32 << 20;
  private static final int FILES = 5;

  /** These write a line for every page, task or configuration. */
  private static final String[] TALKATIVE = {
    "org.apache.hadoop",
    "org.apache.nutch.parse",
    "org.apache.nutch.plugin",
    "org.apache.nutch.util"
  };

  private static final String[] HARMLESS = {
    "org.apache.hadoop.mapreduce.JobResourceUploader",
    "org.apache.hadoop.util.NativeCodeLoader",
    "org.apache.hadoop.conf.Configuration.deprecation",
    "org.apache.hadoop.metrics2"
  };

  /** Java forgets the level of a logger without a reference to it. */
  private static final List<Logger> HELD = new ArrayList<>();

  private Logs() {}

  /** Call this before the first logger is made. */
  static void silence() {
    LogManager.getLogManager().reset();
    Logger.getLogger("").setLevel(Level.OFF);
  }

  /** Sends the log to {@code crawl-0.log} in an existing folder; older files get higher numbers. */
  static void to(Path folder) throws IOException {
    silence();
    Handler file =
        new FileHandler(folder.resolve("crawl-%g.log").toString(), FILE_BYTES, FILES, true);
    file.setEncoding("UTF-8");
    file.setFormatter(new Line());
    // A full disk would otherwise fill the console with the log's own troubles.
    file.setErrorManager(
        new java.util.logging.ErrorManager() {
          @Override
          public synchronized void error(String message, Exception error, int code) {
            // The crawl itself meets the full disk soon enough.
          }
        });
    Logger root = Logger.getLogger("");
    root.addHandler(file);
    root.setLevel(Level.INFO);
    for (String name : TALKATIVE) {
      level(name, Level.WARNING);
    }
    for (String name : HARMLESS) {
      level(name, Level.SEVERE);
    }
  }

  private static void level(String name, Level level) {
    Logger logger = Logger.getLogger(name);
    logger.setLevel(level);
    HELD.add(logger);
  }

  /** A line a record, with the stack trace of an error below it. */
  private static final class Line extends Formatter {
    private static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS").withZone(ZoneId.systemDefault());

    @Override
    public String format(LogRecord record) {
      String name = record.getLoggerName() == null ? "" : record.getLoggerName();
      Throwable thrown = record.getThrown();
      return String.format(
          Locale.ROOT,
          "%s %-7s %s - %s%n%s",
          TIME.format(Instant.ofEpochMilli(record.getMillis())),
          record.getLevel(),
          name.substring(name.lastIndexOf('.') + 1),
          formatMessage(record),
          thrown == null ? "" : StringUtils.stringifyException(thrown));
    }
  }
}
