package org.corpulyzer.install;

import static org.junit.Assert.assertEquals;

import java.nio.file.Path;
import java.nio.file.Paths;
import org.corpulyzer.install.NutchHome.Answer;

/**
 * Writes a small CrawlDb with the classes of a home: the installer's own class path has neither
 * Nutch nor Hadoop.
 */
final class CrawlDbWriter {
  private CrawlDbWriter() {}

  /**
   * Two fetched rows and one that is not.
   *
   * @param figures whether one of the fetched rows has bytes per language
   */
  static void write(NutchHome home, Path crawlDb, boolean figures) throws Exception {
    String java = System.getProperty("java.home") + "/bin/java";
    Path source =
        Paths.get(
            System.getProperty("corpulyzer.root"),
            "java/install/src/test/programs/WriteCrawlDb.java");
    Answer answer =
        NutchHome.command(
            java,
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            home.root.resolve("conf") + ":" + home.root + "/lib/*",
            source.toString(),
            crawlDb.toString(),
            String.valueOf(figures));
    assertEquals(answer.toString(), 0, answer.exit);
  }
}
