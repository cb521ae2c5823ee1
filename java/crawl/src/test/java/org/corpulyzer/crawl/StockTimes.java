package org.corpulyzer.crawl;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Measures the stock Nutch commands that read all rows of CrawlDb, on a copy of the CrawlDb and a
 * segment of the one-machine crawl: those of {@code bin/crawl}, each in a JVM of its own.
 */
final class StockTimes {
  private final Path home;
  private final Path folder;
  private final int pages;

  /**
   * @param home local runtime of a Nutch 1.x, without our plugin
   * @param folder for the copy
   * @param pages of a round
   */
  StockTimes(Path home, Path folder, int pages) {
    this.home = home;
    this.folder = folder;
    this.pages = pages;
  }

  /**
   * @param data folder of a crawl that has ended
   * @return processor seconds by command
   */
  Map<String, Double> measure(Path data) throws IOException, InterruptedException {
    Path crawlDb = folder.resolve("crawldb");
    copy(data.resolve("crawldb").resolve("current"), crawlDb.resolve("current"));
    String segment;
    try (Stream<Path> segments = Files.list(data.resolve("segments"))) {
      segment = segments.sorted().reduce((first, last) -> last).orElseThrow().toString();
    }
    Map<String, Double> seconds = new LinkedHashMap<>();
    String db = crawlDb.toString();
    String top = Integer.toString(pages);
    seconds.put(
        "generate",
        run("generate", db, folder.resolve("new").toString(), "-topN", top, "-noFilter"));
    seconds.put("updatedb", run("updatedb", db, segment));
    seconds.put("dedup", run("dedup", db, "-group", "none"));
    return seconds;
  }

  private double run(String command, String... arguments) throws IOException, InterruptedException {
    List<String> words =
        new ArrayList<>(
            Arrays.asList(
                "bash",
                "-c",
                "TIMEFORMAT='%U %S'; time \"$@\" >\"$0\" 2>&1",
                folder.resolve(command + ".log").toString(),
                home.resolve("bin/nutch").toString(),
                command,
                "-Dmapreduce.job.reduces=1"));
    words.addAll(Arrays.asList(arguments));
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("NUTCH_LOG_DIR", folder.resolve("logs").toString());
    Process process = builder.start();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String said = lines.lines().collect(Collectors.joining("\n"));
      if (process.waitFor() != 0) {
        throw new IOException(
            String.join(" ", words)
                + " ended with "
                + process.exitValue()
                + "; see "
                + folder.resolve(command + ".log"));
      }
      double all = 0;
      for (String part : said.trim().split(" ")) {
        all += Double.parseDouble(part);
      }
      return all;
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    List<Path> all;
    try (Stream<Path> files = Files.walk(from)) {
      all = files.collect(Collectors.toList());
    }
    for (Path file : all) {
      Path copy = to.resolve(from.relativize(file).toString());
      if (Files.isDirectory(file)) {
        Files.createDirectories(copy);
      } else {
        Files.copy(file, copy);
      }
    }
  }

  /** Cells of the table. */
  static String row(Map<String, Double> seconds) {
    double all = seconds.values().stream().mapToDouble(Double::doubleValue).sum();
    return seconds.entrySet().stream()
            .map(cost -> String.format(Locale.ROOT, "%s %.1f", cost.getKey(), cost.getValue()))
            .collect(Collectors.joining(", ", "          stock Nutch: ", ", "))
        + String.format(Locale.ROOT, "together %.1f", all);
  }
}
