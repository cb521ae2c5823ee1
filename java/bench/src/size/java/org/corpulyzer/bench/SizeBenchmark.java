package org.corpulyzer.bench;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The cost of scoring on web tables of growing size, beside a raw scan of the same columns and
 * beside Nutch's own jobs, in one run. HBase is a process of its own, and so is every step. On a
 * busy machine, the processor seconds (of step and HBase together) are more reliable than the
 * clock.
 */
final class SizeBenchmark {

  private static final Pattern AFTER_GC = Pattern.compile("->([0-9]+)M\\([0-9]+M\\)");
  private static final int FLAT_ROWS = 300_000;
  private static final int BATCH_OF = 100;

  private final Path folder;
  private final List<String> java;
  private Process hbase;
  private String port;
  private int steps;

  private SizeBenchmark(Path folder, boolean small) {
    this.folder = folder;
    this.java =
        Arrays.asList(
            Paths.get(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            "-Dcorpulyzer.log.dir=" + folder.resolve("logs"),
            "-XX:+UseSerialGC",
            // A few rows are read before the optimising compiler is worth its time.
            "-XX:TieredStopAtLevel=" + (small ? 1 : 4));
  }

  /** {@code <folder> <what>[,<what>...]}: a number of rows, {@code heap}, or {@code small} */
  public static void main(String[] args) throws Exception {
    Path folder = Paths.get(args[0]).toAbsolutePath();
    delete(folder);
    Files.createDirectories(folder.resolve("logs"));
    SizeBenchmark benchmark = new SizeBenchmark(folder, args[1].equals("small"));
    int code = 0;
    try {
      benchmark.start();
      System.out.println(
          Instant.now()
              + ", "
              + Runtime.getRuntime().availableProcessors()
              + " processors, load "
              + load()
              + ", Java "
              + System.getProperty("java.version"));
      for (String what : args[1].split(",")) {
        switch (what) {
          case "small":
            benchmark.small();
            break;
          case "heap":
            benchmark.heap();
            break;
          default:
            benchmark.measure(Integer.parseInt(what));
        }
      }
    } catch (IOException e) {
      System.err.println("size: " + e.getMessage());
      code = 1;
    } finally {
      benchmark.stop();
      if (code == 0) {
        delete(folder);
      }
    }
    System.exit(code);
  }

  private static String load() throws IOException {
    return new String(Files.readAllBytes(Paths.get("/proc/loadavg")), StandardCharsets.UTF_8)
        .split(" ")[0];
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
      }
    }
  }

  private void start() throws IOException {
    List<String> command = new ArrayList<>(java);
    command.add("-javaagent:" + System.getProperty("bench.agent"));
    command.addAll(Arrays.asList("-Xmx2g", "org.corpulyzer.bench.HBaseServer", folder.toString()));
    hbase =
        new ProcessBuilder(command)
            .redirectError(folder.resolve("logs/hbase.err").toFile())
            .start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(hbase.getInputStream(), StandardCharsets.UTF_8));
    while (port == null) {
      String line = out.readLine();
      if (line == null) {
        throw new IOException("HBase did not start; see " + folder.resolve("logs"));
      }
      if (line.startsWith("port ")) {
        port = line.substring(5);
      }
    }
  }

  private void stop() throws Exception {
    if (hbase != null) {
      hbase.getOutputStream().close();
      if (!hbase.waitFor(60, TimeUnit.SECONDS)) {
        hbase.destroyForcibly().waitFor();
      }
    }
  }

  /** The output of a step, and its peak of the heap after a collection in MB. */
  private static final class Found {
    private final Map<String, String> values = new HashMap<>();

    double number(String name) {
      return Double.parseDouble(values.getOrDefault(name, "NaN"));
    }

    /** Processor seconds of the step and of HBase meanwhile. */
    double cpu() {
      return number("seconds.cpu") + number("hbase.cpu");
    }
  }

  private Found step(String heap, String crawl, String... args) throws Exception {
    String name = ++steps + "-" + args[0];
    Path gc = folder.resolve("logs/" + name + ".gc");
    List<String> command = new ArrayList<>(java);
    command.addAll(
        Arrays.asList(
            "-Xmx" + heap,
            "-Xlog:gc:file=" + gc,
            "-Dbench.port=" + port,
            "-Dbench.folder=" + folder));
    for (String key : new String[] {"bench.plugins", "corpulyzer.native.path"}) {
      command.add("-D" + key + "=" + System.getProperty(key));
    }
    command.addAll(Arrays.asList("org.corpulyzer.bench.Step", crawl));
    command.addAll(Arrays.asList(args));
    Path out = folder.resolve("logs/" + name + ".out");
    Path err = folder.resolve("logs/" + name + ".err");
    double cpu = hbaseCpu();
    int code =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start()
            .waitFor();
    if (code != 0) {
      throw new IOException(
          "step " + String.join(" ", args) + " ended with " + code + "; see " + err);
    }
    Found found = new Found();
    for (String line : Files.readAllLines(out)) {
      String[] pair = line.split(" ", 2);
      found.values.put(pair[0], pair[pair.length - 1]);
    }
    found.values.put("hbase.cpu", Double.toString(hbaseCpu() - cpu));
    found.values.put("heap", Integer.toString(peak(gc)));
    return found;
  }

  /** Processor seconds of HBase's process, by Linux's count of hundredths. */
  private double hbaseCpu() throws IOException {
    // Java 8 has no Process.pid(); its implementation has the field, and toString() of later ones
    // names it.
    Matcher pid = Pattern.compile("pid=([0-9]+)").matcher(hbase.toString());
    if (!pid.find()) {
      return Double.NaN;
    }
    String stat =
        new String(
            Files.readAllBytes(Paths.get("/proc", pid.group(1), "stat")), StandardCharsets.UTF_8);
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / 100.0;
  }

  private static int peak(Path gc) throws IOException {
    int peak = 0;
    for (String line : Files.readAllLines(gc)) {
      Matcher after = AFTER_GC.matcher(line);
      if (after.find()) {
        peak = Math.max(peak, Integer.parseInt(after.group(1)));
      }
    }
    return peak;
  }

  private void measure(int rows) throws Exception {
    String crawl = "size" + rows;
    String all = Integer.toString(rows);
    String batch = Integer.toString(Math.max(100, rows / BATCH_OF));
    Found filled = step("1g", crawl, "fill", all, "0", "true");
    print(
        "%n%,d rows, %,.0f hosts, the largest with %,.0f pages; one row in three with %d KB;"
            + " batches of %s; filled in %.0f s",
        rows,
        filled.number("hosts"),
        filled.number("largest"),
        SyntheticWeb.CONTENT_BYTES / 1000,
        batch,
        filled.number("seconds"));
    print("%-44s %9s %9s %7s %7s %9s", "", "seconds", "cpu s", "x scan", "x cpu", "heap MB");
    Found first = step("512m", crawl, "score");
    // After it, since the passes that change nothing also find two files of scores.
    Found scan = best(() -> step("512m", crawl, "scan"));
    line("raw scan of both passes' columns", scan, scan);
    line("LrlScoreJob, every score changes", first, scan);
    Found same = best(() -> step("512m", crawl, "score"));
    line("LrlScoreJob, no score changes", same, scan);
    expect(same, "ROWS_WRITTEN", 0);
    print("%-44s %9.2f", "  start-up of a job, in the lines above", same.number("startup"));
    print(
        "%-44s %9.1f (%.1f cpu)",
        "  microseconds a changed row",
        1e6 * (first.number("seconds") - same.number("seconds")) / first.number("ROWS_WRITTEN"),
        1e6 * (first.cpu() - same.cpu()) / first.number("ROWS_WRITTEN"));

    line("generate, stored", step("512m", crawl, "generate", "stored", batch, "b1"), scan);
    print(
        "%-44s %9.0f",
        "  rows of the batch", step("512m", crawl, "fetch", "b1", all).number("rows"));
    line("updatedb, stored", step("512m", crawl, "updatedb", "stored", "b1"), scan);
    Found after = step("512m", crawl, "score");
    line("LrlScoreJob after it", after, scan);
    print(
        "%-44s %9.0f of %.0f hosts",
        "  rows written", after.number("ROWS_WRITTEN"), after.number("HOSTS_SCORED"));

    step("512m", crawl, "generate", "stored", batch, "b2");
    step("512m", crawl, "fetch", "b2", all);
    step("512m", crawl, "updatedb", "stored", "b2");
    Found incremental = step("512m", crawl, "score", "-incremental");
    line("LrlScoreJob -incremental after the next", incremental, scan);
    expect(incremental, "incremental", "true");
    print(
        "%-44s %9.0f of %.0f hosts with %.0f rows",
        "  rows written",
        incremental.number("ROWS_WRITTEN"),
        incremental.number("HOSTS_SCORED"),
        incremental.number("PAGES"));
    Found control = step("512m", crawl, "score");
    expect(control, "ROWS_WRITTEN", 0);
    print("%-44s %9.0f", "  rows that a full run then changes", control.number("ROWS_WRITTEN"));

    line("generate, scan", step("512m", crawl, "generate", "scan", batch, "b3"), scan);
    step("512m", crawl, "fetch", "b3", all);
    line("updatedb, scan", step("512m", crawl, "updatedb", "scan", "b3"), scan);
    line("the paper's reducer, which keeps a host's pages", step("4g", crawl, "caching"), scan);
    step("512m", crawl, "drop");
  }

  /**
   * Every step once, in one process: that they still run, and that an incremental run leaves a full
   * one nothing to write.
   */
  private void small() throws Exception {
    String rows = "600";
    Found last =
        step(
            "512m",
            "small",
            ("fill "
                    + rows
                    + " 0 true -- scan -- caching -- score -- generate scan 20 b1 -- fetch b1 "
                    + rows
                    + " -- updatedb scan b1 -- score -- generate stored 20 b2 -- fetch b2 "
                    + rows
                    + " -- updatedb stored b2 -- score -incremental -- score")
                .split(" "));
    expect(last, "incremental", "true");
    expect(last, "ROWS_WRITTEN", 0);
    print("The steps of the size benchmark run.");
  }

  /** The heap of the passes over the same rows, as one host after another and as one. */
  private void heap() throws Exception {
    print(
        "%n%,d rows without content in hosts of one size: most heap after a collection, MB (of 128;"
            + " the paper's of 4096)",
        FLAT_ROWS);
    print("%12s %12s %12s %14s", "pages a host", "LrlScoreJob", "again", "paper's");
    for (int pages : new int[] {1_000, 30_000, FLAT_ROWS}) {
      String crawl = "flat" + pages;
      step("1g", crawl, "fill", Integer.toString(FLAT_ROWS), Integer.toString(pages), "false");
      Found first = step("128m", crawl, "score");
      Found again = step("128m", crawl, "score");
      Found caching = step("4g", crawl, "caching");
      print(
          "%,12d %12s %12s %14s",
          pages, first.values.get("heap"), again.values.get("heap"), caching.values.get("heap"));
      step("512m", crawl, "drop");
    }
  }

  /** A step that runs twice; the one that took less. */
  private interface Measured {
    Found run() throws Exception;
  }

  private static Found best(Measured step) throws Exception {
    Found first = step.run();
    Found second = step.run();
    return first.number("seconds") < second.number("seconds") ? first : second;
  }

  private static void expect(Found found, String name, Object wanted) throws IOException {
    if (!wanted.toString().equals(found.values.get(name))) {
      throw new IOException(name + " is " + found.values.get(name) + ", not " + wanted);
    }
  }

  private static void line(String what, Found found, Found scan) {
    print(
        "%-44s %9.2f %9.2f %7.2f %7.2f %9s",
        what,
        found.number("seconds"),
        found.cpu(),
        found.number("seconds") / scan.number("seconds"),
        found.cpu() / scan.cpu(),
        found.values.get("heap"));
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
    System.out.flush();
  }
}
