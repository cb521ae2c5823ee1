package org.corpulyzer.crawl;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures what a round costs by how many rows CrawlDb has: {@code gradle :crawl:rounds
 * -Prows=10000,100000,1000000}. The crawl is a process of its own with the options of {@code
 * bin/corpulyzer crawl}; it fetches from the web of our own. Prints seconds of processor time by
 * phase, and the memory. {@code -PnutchHome=HOME} also measures stock Nutch on the same CrawlDb,
 * see {@link StockTimes}.
 */
public final class RoundTimes {
  private static final int PAGES = 200;

  /** Rounds that make the folder, and rounds that are measured. */
  private static final int BEFORE = 2;

  private static final int MEASURED = 3;
  private static final double TICKS = 100;

  /** A line at the end of a phase: its name, what it did, seconds. */
  private static final Pattern PHASE = Pattern.compile("  ([a-z]+) .* ([0-9.]+) s");

  private static final Pattern AFTER_GC = Pattern.compile("->([0-9]+)M\\([0-9]+M\\)");

  private final Path folder;
  private final List<String> options;

  private RoundTimes(Path folder, List<String> options) {
    this.folder = folder;
    this.options = options;
  }

  /** {@code FOLDER ROWS[,ROWS...] [CRAWL OPTION...]}: a folder that is deleted first, and sizes. */
  public static void main(String[] args) throws Exception {
    Path folder = Paths.get(args[0]).toAbsolutePath();
    LocalFiles.deleteTree(folder);
    System.out.printf(
        Locale.ROOT,
        "Rounds of %d pages, processor s by phase (wall s), mean of %d rounds; load %s%n%9s",
        PAGES,
        MEASURED,
        Files.readString(Paths.get("/proc/loadavg")).split(" ")[0],
        "rows");
    for (Phase phase : Phase.values()) {
      System.out.printf(Locale.ROOT, " %15s", phase.label());
    }
    System.out.printf(Locale.ROOT, " %15s %9s %9s%n", "round", "heap MB", "RSS MB");
    for (String rows : args[1].split(",")) {
      new RoundTimes(folder.resolve(rows), Arrays.asList(args).subList(2, args.length))
          .measure(Long.parseLong(rows));
    }
    LocalFiles.deleteTree(folder);
  }

  private void measure(long rows) throws Exception {
    try (SampleWeb web = SampleWeb.start(folder.resolve("web"), 3)) {
      crawl(web, BEFORE);
      SyntheticRows.add(folder.resolve("data"), rows);
      // The heap and the memory are those of the process that crawls the measured rounds.
      Map<String, double[]> found = crawl(web, BEFORE + MEASURED);
      double[] all = new double[2];
      System.out.printf(Locale.ROOT, "%9d", rows);
      for (Phase phase : Phase.values()) {
        double[] seconds = found.get(phase.label());
        all[0] += seconds[0];
        all[1] += seconds[1];
        print(seconds);
      }
      print(all);
      System.out.printf(
          Locale.ROOT, " %9.0f %9.0f%n", found.get("heap")[0], found.get("memory")[0]);
    }
    String stock = System.getProperty("corpulyzer.nutch.home", "");
    if (!stock.isEmpty()) {
      Path copy = Files.createDirectories(folder.resolve("stock"));
      System.out.println(
          StockTimes.row(
              new StockTimes(Paths.get(stock), copy, PAGES).measure(folder.resolve("data"))));
    }
  }

  private static void print(double... seconds) {
    System.out.printf(
        Locale.ROOT,
        " %15s",
        String.format(Locale.ROOT, "%.2f (%.2f)", seconds[0] / MEASURED, seconds[1] / MEASURED));
  }

  /**
   * @return seconds of processor and wall by phase, over all rounds of this run; heap after a
   *     collection and memory at most, in MB
   */
  private Map<String, double[]> crawl(SampleWeb web, int rounds) throws Exception {
    Path collections = folder.resolve("gc.log");
    List<String> command =
        new ArrayList<>(
            Arrays.asList(
                Paths.get(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx512m",
                "-Xlog:gc:file=" + collections,
                "-jar",
                Paths.get(System.getProperty("corpulyzer.home"), "lib", "corpulyzer-crawl.jar")
                    .toString(),
                "--language",
                "ur",
                "--seeds",
                web.seeds().toString(),
                "--agent",
                "bench",
                "--contact",
                "bench@example.org",
                "--proxy",
                web.address(),
                "--delay",
                "0",
                "--threads",
                "50",
                "--no-report",
                "--top",
                Integer.toString(PAGES),
                "--rounds",
                Integer.toString(rounds),
                "--data",
                folder.resolve("data").toString(),
                "--out",
                folder.resolve("out").toString()));
    command.addAll(options);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    Path self = Paths.get("/proc", Long.toString(process.pid()));
    Map<String, double[]> found = new LinkedHashMap<>();
    StringBuilder said = new StringBuilder();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      double before = 0;
      for (String line; (line = lines.readLine()) != null; ) {
        said.append(line).append('\n');
        if (!process.isAlive()) {
          continue;
        }
        double now = processor(self);
        Matcher phase = PHASE.matcher(line);
        if (phase.matches()) {
          double[] seconds = found.computeIfAbsent(phase.group(1), name -> new double[2]);
          seconds[0] += now - before;
          seconds[1] += Double.parseDouble(phase.group(2));
          found.put("memory", new double[] {memory(self)});
        }
        before = now;
      }
    }
    if (process.waitFor() != 0) {
      throw new IOException("the crawl ended with " + process.exitValue() + ":\n" + said);
    }
    double heap = 0;
    for (String line : Files.readAllLines(collections)) {
      Matcher collection = AFTER_GC.matcher(line);
      heap = Math.max(heap, collection.find() ? Double.parseDouble(collection.group(1)) : 0);
    }
    found.put("heap", new double[] {heap});
    return found;
  }

  private static double processor(Path process) throws IOException {
    String stat = Files.readString(process.resolve("stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS;
  }

  private static double memory(Path process) throws IOException {
    for (String line : Files.readAllLines(process.resolve("status"))) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024.0;
      }
    }
    return Double.NaN;
  }
}
