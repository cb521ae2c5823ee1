package org.corpulyzer.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The fetch phase of the one-machine crawl on {@link SlowWeb}: one page of each host, and its
 * robots.txt before. Prints a row of a Markdown table for each number of threads: pages a second,
 * processor seconds of the crawl and of the web, most memory (RSS), heap after the fullest garbage
 * collection, and most threads.
 *
 * <p>Arguments: folder for temporary files, the crawl's jar, hosts, milliseconds before an answer,
 * bytes of a page, numbers of threads separated by commas ({@code auto} for the crawl's own
 * choice). The properties {@code bench.java} and {@code bench.options} name another Java and its
 * options.
 */
public final class FetchBenchmark {
  private static final Pattern FETCHED =
      Pattern.compile(" +fetch +([0-9]+) pages, ([0-9.]+) pages/s(.*?) +([0-9.]+) s");
  private static final Pattern PAUSE = Pattern.compile("->([0-9]+)M\\(");
  private static final long CLOCK = 100;
  private static final long SAMPLE_MILLIS = 100;

  private FetchBenchmark() {}

  public static void main(String[] args) throws Exception {
    Path folder = Files.createDirectories(Paths.get(args[0]));
    int hosts = Integer.parseInt(args[2]);
    System.out.printf(
        "%d hosts, %s ms before each answer, pages of %s bytes%n%n", hosts, args[3], args[4]);
    System.out.println(
        "| threads | pages | pages/s | fetch s | CPU s | of the web | RSS MiB | heap MiB | most"
            + " threads | others |");
    System.out.println("|---|---|---|---|---|---|---|---|---|---|");
    for (String threads : args[5].split(",")) {
      Path run = folder.resolve("run");
      delete(run);
      Files.createDirectories(run);
      Path seeds = run.resolve("seeds.txt");
      List<String> urls = new ArrayList<>();
      for (int host = 0; host < hosts; host++) {
        urls.add("http://h" + host + ".test/");
      }
      Files.write(seeds, urls, StandardCharsets.UTF_8);
      measure(run, args, hosts, threads);
    }
  }

  private static void measure(Path run, String[] args, int hosts, String threads) throws Exception {
    String java = Paths.get(System.getProperty("java.home"), "bin", "java").toString();
    Process web =
        new ProcessBuilder(
                java,
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                SlowWeb.class.getName(),
                args[3],
                args[4])
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Process crawl = null;
    try {
      String port =
          new BufferedReader(new InputStreamReader(web.getInputStream(), StandardCharsets.US_ASCII))
              .readLine();
      Path gc = run.resolve("gc.log");
      List<String> command = new ArrayList<>();
      command.add(System.getProperty("bench.java", java));
      command.addAll(
          Arrays.asList(
              "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx512m", "-Xlog:gc:file=" + gc));
      command.addAll(Arrays.asList(System.getProperty("bench.options", "").trim().split(" +")));
      command.remove("");
      command.addAll(
          Arrays.asList(
              "-Dcorpulyzer.programs=" + System.getProperty("corpulyzer.programs"),
              "-jar",
              args[1],
              "--language",
              "ur",
              "--seeds",
              run.resolve("seeds.txt").toString(),
              "--agent",
              "bench",
              "--contact",
              "me@example.org",
              "--data",
              run.resolve("data").toString(),
              "--out",
              run.resolve("out").toString(),
              "--proxy",
              "127.0.0.1:" + port,
              "--rounds",
              "1",
              "--top",
              Integer.toString(hosts)));
      if (!threads.equals("auto")) {
        command.addAll(Arrays.asList("--threads", threads));
      }
      crawl = new ProcessBuilder(command).redirectErrorStream(true).start();
      System.out.println(watch(crawl, web.pid(), gc, threads));
    } finally {
      if (crawl != null) {
        crawl.destroyForcibly().waitFor();
      }
      web.destroyForcibly().waitFor();
    }
  }

  /** Reads what the crawl prints until its fetch phase ends. */
  private static String watch(Process crawl, long web, Path gc, String threads) throws Exception {
    long[] most = new long[1];
    Thread sampler =
        new Thread(
            () -> {
              try {
                while (crawl.isAlive()) {
                  most[0] = Math.max(most[0], status(crawl.pid(), "Threads"));
                  Thread.sleep(SAMPLE_MILLIS);
                }
              } catch (IOException | InterruptedException e) {
                return; // The process has ended.
              }
            });
    sampler.setDaemon(true);
    sampler.start();
    StringBuilder all = new StringBuilder();
    double cpu = 0;
    double webCpu = 0;
    try (InputStream in = crawl.getInputStream();
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line; (line = lines.readLine()) != null; ) {
        all.append(line).append('\n');
        if (line.trim().startsWith("generate")) {
          cpu = processorSeconds(crawl.pid());
          webCpu = processorSeconds(web);
        }
        Matcher fetched = FETCHED.matcher(line);
        if (fetched.matches()) {
          return String.format(
              Locale.ROOT,
              "| %s | %s | %s | %s | %.1f | %.1f | %d | %d | %d | %s |",
              threads,
              fetched.group(1),
              fetched.group(2),
              fetched.group(4),
              processorSeconds(crawl.pid()) - cpu,
              processorSeconds(web) - webCpu,
              status(crawl.pid(), "VmHWM") >> 10,
              heap(gc),
              most[0],
              fetched.group(3));
        }
      }
    }
    throw new IllegalStateException("the crawl ended before its fetch phase did:\n" + all);
  }

  private static long status(long process, String name) throws IOException {
    for (String line :
        Files.readAllLines(
            Paths.get("/proc/" + process + "/status"), StandardCharsets.ISO_8859_1)) {
      if (line.startsWith(name + ":")) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    return 0;
  }

  private static double processorSeconds(long process) throws IOException {
    String stat =
        new String(
            Files.readAllBytes(Paths.get("/proc/" + process + "/stat")),
            StandardCharsets.ISO_8859_1);
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / (double) CLOCK;
  }

  private static long heap(Path gc) throws IOException {
    Matcher pause = PAUSE.matcher(new String(Files.readAllBytes(gc), StandardCharsets.UTF_8));
    long most = 0;
    while (pause.find()) {
      most = Math.max(most, Long.parseLong(pause.group(1)));
    }
    return most;
  }

  private static void delete(Path root) throws IOException {
    if (Files.exists(root)) {
      List<Path> all = new ArrayList<>();
      try (Stream<Path> walk = Files.walk(root)) {
        walk.forEach(all::add);
      }
      for (int i = all.size() - 1; i >= 0; i--) {
        Files.delete(all.get(i));
      }
    }
  }
}
