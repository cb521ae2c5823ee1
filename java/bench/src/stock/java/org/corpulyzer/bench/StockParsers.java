package org.corpulyzer.bench;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Parses hostile pages with the parsers of a Nutch 1.x runtime, in a process with a small heap.
 * Prints a Markdown table of outcomes by parser, and one of the pages that a parser failed at, or
 * took more than {@value #SLOW_SECONDS} processor seconds for.
 *
 * <p>Arguments: folder for temporary files; folder of pages; home of the runtime (the folder with
 * {@code conf}, {@code lib} and {@code plugins}); heaps as of {@code -Xmx}, separated by commas;
 * parsers, separated by commas, of {@code neko} and {@code tagsoup} (both of parse-html), and
 * {@code tika}.
 *
 * <p>The outcomes are in {@code outcomes.tsv} of the folder as soon as they are known. What the
 * file has is not measured again, and the tables show all of it.
 */
public final class StockParsers {
  /** Above this the page is in the second table, although it was parsed. */
  private static final double SLOW_SECONDS = 5;

  /** Limit of a page in processor seconds: as many as {@code parser.timeout} has of wall time. */
  private static final int LIMIT_SECONDS = 30;

  /** Silence of a process after which it counts as lost. */
  private static final int LOST_SECONDS = 900;

  private static final String LOG =
      "<Configuration><Appenders><Console name='out' target='SYSTEM_OUT'>"
          + "<PatternLayout pattern='%m%n%throwable'/></Console></Appenders>"
          + "<Loggers><Root level='warn'><AppenderRef ref='out'/></Root></Loggers></Configuration>";

  /** How a page ended, from the best to the worst. */
  private enum Outcome {
    PARSED("parsed"),
    FAILED("failed"),
    STACK("stack overflow"),
    LIMIT("time limit, and ends"),
    ENDLESS("time limit, and goes on"),
    MEMORY("out of memory"),
    LOST("process lost");

    private final String label;

    Outcome(String label) {
      this.label = label;
    }
  }

  /** Outcome of one page, with processor seconds, and whether the next page was parsed. */
  private static final class Result {
    private final Outcome outcome;
    private final double seconds;
    private final boolean next;

    private Result(Outcome outcome, double seconds, boolean next) {
      this.outcome = outcome;
      this.seconds = seconds;
      this.next = next;
    }
  }

  private final Path folder;
  private final Path home;
  private final String heap;
  private final String parser;
  private Process process;
  private BlockingQueue<String> lines;
  private Writer in;

  private StockParsers(Path folder, Path home, String heap, String parser) {
    this.folder = folder;
    this.home = home;
    this.heap = heap;
    this.parser = parser;
  }

  public static void main(String[] args) throws Exception {
    Path folder = Files.createDirectories(Paths.get(args[0]));
    Files.write(folder.resolve("log4j2.xml"), LOG.getBytes(StandardCharsets.UTF_8));
    List<Path> pages;
    try (Stream<Path> files = Files.list(Paths.get(args[1]))) {
      pages = files.sorted().collect(Collectors.toList());
    }
    Path outcomes = folder.resolve("outcomes.tsv");
    for (String heap : args[3].split(",")) {
      for (String parser : args[4].split(",")) {
        new StockParsers(folder, Paths.get(args[2]), heap, parser).measure(pages, outcomes);
      }
    }
    Map<String, Map<String, Result>> found = read(outcomes);
    System.out.printf(
        "%d pages of %d bytes; limit %d s of processor time%n%n",
        pages.size(), Files.size(pages.get(0)), LIMIT_SECONDS);
    printSummary(found);
    printPages(pages, found);
  }

  /** Outcomes by parser and heap, and by the page's name. */
  private static Map<String, Map<String, Result>> read(Path outcomes) throws IOException {
    Map<String, Map<String, Result>> found = new LinkedHashMap<>();
    if (Files.exists(outcomes)) {
      for (String line : Files.readAllLines(outcomes)) {
        String[] cells = line.split("\t");
        Result result =
            new Result(
                Outcome.valueOf(cells[2]),
                Double.parseDouble(cells[3]),
                Boolean.parseBoolean(cells[4]));
        found.computeIfAbsent(cells[0], name -> new LinkedHashMap<>()).put(cells[1], result);
      }
    }
    return found;
  }

  private static void printSummary(Map<String, Map<String, Result>> found) {
    String labels =
        Arrays.stream(Outcome.values()).map(o -> o.label).collect(Collectors.joining(" | "));
    System.out.println("| parser, heap | " + labels + " | next page lost | slowest CPU s |");
    System.out.println("|---|" + "---|".repeat(Outcome.values().length + 2));
    found.forEach(
        (name, results) -> {
          StringBuilder row = new StringBuilder("| " + name + " |");
          for (Outcome outcome : Outcome.values()) {
            row.append(' ')
                .append(results.values().stream().filter(r -> r.outcome == outcome).count())
                .append(" |");
          }
          long lost = results.values().stream().filter(r -> !r.next).count();
          double most = results.values().stream().mapToDouble(r -> r.seconds).max().orElse(0);
          System.out.println(row.append(String.format(Locale.ROOT, " %d | %.1f |", lost, most)));
        });
    System.out.println();
  }

  private static void printPages(List<Path> pages, Map<String, Map<String, Result>> found) {
    System.out.println("| page | " + String.join(" | ", found.keySet()) + " |");
    System.out.println("|---|" + "---|".repeat(found.size()));
    for (Path page : pages) {
      if (found.values().stream()
          .map(results -> results.get(name(page)))
          .allMatch(r -> r == null || r.outcome == Outcome.PARSED && r.seconds < SLOW_SECONDS)) {
        continue;
      }
      StringBuilder row = new StringBuilder("| " + name(page) + " |");
      for (Map<String, Result> results : found.values()) {
        Result result = results.get(name(page));
        if (result == null) {
          row.append(" not measured |");
          continue;
        }
        String outcome = result.outcome == Outcome.PARSED ? "" : result.outcome.label + ": ";
        row.append(String.format(Locale.ROOT, " %s%.1f |", outcome, result.seconds));
      }
      System.out.println(row);
    }
    System.out.println();
  }

  /** The kind, from {@code 012 kind.html}. */
  private static String name(Path page) {
    String file = page.getFileName().toString();
    return file.substring(file.indexOf(' ') + 1, file.lastIndexOf('.'));
  }

  private void measure(List<Path> pages, Path outcomes) throws Exception {
    String run = parser + ", " + heap;
    Map<String, Result> known = read(outcomes).getOrDefault(run, new LinkedHashMap<>());
    try {
      for (Path page : pages) {
        if (known.containsKey(name(page))) {
          continue;
        }
        Result result = parse(page);
        String line =
            String.format(
                Locale.ROOT,
                "%s\t%s\t%s\t%.2f\t%s%n",
                run,
                name(page),
                result.outcome,
                result.seconds,
                result.next);
        Files.write(
            outcomes,
            line.getBytes(StandardCharsets.UTF_8),
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
        if (result.outcome.compareTo(Outcome.LIMIT) >= 0 || !result.next) {
          stop();
        }
      }
    } finally {
      stop();
    }
  }

  private Result parse(Path page) throws Exception {
    if (process == null) {
      start();
    }
    in.write(page + "\n");
    in.flush();
    boolean memory = false;
    boolean stack = false;
    while (true) {
      String line = lines.poll(LOST_SECONDS, TimeUnit.SECONDS);
      if (line == null || line.isEmpty()) {
        return new Result(Outcome.LOST, processorSeconds(), false);
      }
      memory |= line.contains("OutOfMemoryError");
      stack |= line.contains("StackOverflowError");
      if (line.startsWith("DONE\t")) {
        String[] fields = line.split("\t");
        return new Result(
            outcome(fields[1], memory, stack, fields[3].equals("true")),
            Double.parseDouble(fields[2]),
            fields[4].equals("parsed"));
      }
    }
  }

  private static Outcome outcome(String end, boolean memory, boolean stack, boolean goesOn) {
    if (end.equals("parsed")) {
      return Outcome.PARSED;
    }
    if (memory || end.contains("OutOfMemoryError")) {
      return Outcome.MEMORY;
    }
    if (end.equals("limit")) {
      return goesOn ? Outcome.ENDLESS : Outcome.LIMIT;
    }
    return stack ? Outcome.STACK : Outcome.FAILED;
  }

  private double processorSeconds() {
    return process.info().totalCpuDuration().map(time -> time.toMillis() / 1e3).orElse(0.0);
  }

  private void start() throws Exception {
    List<String> command =
        new ArrayList<>(
            Arrays.asList(
                Paths.get(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-Dlog4j2.configurationFile=" + folder.resolve("log4j2.xml"),
                "-cp",
                home.resolve("conf")
                    + ":"
                    + home.resolve("lib")
                    + "/*:"
                    + System.getProperty("java.class.path"),
                StockParse.class.getName(),
                home.resolve("plugins").toString(),
                Integer.toString(LIMIT_SECONDS),
                "plugin.includes=parse-" + (parser.equals("tika") ? "tika" : "html")));
    if (parser.equals("tagsoup")) {
      command.add("parser.html.impl=tagsoup");
    }
    process =
        new ProcessBuilder(command).redirectErrorStream(true).directory(folder.toFile()).start();
    in = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), "UTF-8"));
    lines = new LinkedBlockingQueue<>();
    read(new BufferedReader(new InputStreamReader(process.getInputStream(), "UTF-8")), lines);
    StringBuilder said = new StringBuilder();
    while (true) {
      String line = lines.poll(LOST_SECONDS, TimeUnit.SECONDS);
      if (line == null || line.isEmpty() || line.equals("READY\tfailed")) {
        throw new IOException(parser + " does not parse in " + home + ": " + said);
      }
      if (line.equals("READY\tparsed")) {
        return;
      }
      said.append('\n').append(line);
    }
  }

  /** Queues the lines of a process, and an empty one at their end. */
  private static void read(BufferedReader from, BlockingQueue<String> lines) {
    Thread reader =
        new Thread(
            () -> {
              try {
                for (String line = from.readLine(); line != null; line = from.readLine()) {
                  if (!line.isEmpty()) {
                    lines.add(line);
                  }
                }
              } catch (IOException e) {
                // The process was ended, so its output is closed. That is the end of its lines too.
              } finally {
                lines.add("");
              }
            });
    reader.setDaemon(true);
    reader.start();
  }

  private void stop() throws InterruptedException {
    if (process != null) {
      process.destroyForcibly().waitFor();
      process = null;
    }
  }
}
