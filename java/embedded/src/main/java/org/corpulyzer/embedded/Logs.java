package org.corpulyzer.embedded;

import java.nio.file.Path;
import org.apache.log4j.LogManager;
import org.apache.log4j.Logger;
import org.apache.log4j.PropertyConfigurator;
import org.apache.log4j.helpers.LogLog;
import org.apache.log4j.varia.NullAppender;

/** Where the libraries' logs go: nowhere until there is a data folder, then into it. The console is for the crawl's own lines. */
final class Logs {
  private Logs() {}

  /** Call this before the first logger is made. */
  static void silence() {
    System.setProperty("log4j.defaultInitOverride", "true");
    // Else a log that meets a full disk fills the console with its own troubles.
    LogLog.setQuietMode(true);
    Logger.getRootLogger().addAppender(new NullAppender());
  }

  static void to(Path folder) {
    System.setProperty("corpulyzer.log.dir", folder.toString());
    LogManager.resetConfiguration();
    PropertyConfigurator.configure(Logs.class.getResource("/log4j.properties"));
  }
}
