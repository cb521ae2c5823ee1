package org.corpulyzer.crawl;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The web of our own: a process that serves it as an HTTP proxy on loopback, and that ends with
 * this one.
 */
public final class SampleWeb implements AutoCloseable {
  /** Name of the log in the folder. */
  static final String LOG = "web.log";

  private static final String READY = "listening on ";

  private final Process process;
  private final String address;
  private final Path log;
  private final Path seeds;

  private SampleWeb(Process process, String address, Path log, Path seeds) {
    this.process = process;
    this.address = address;
    this.log = log;
    this.seeds = seeds;
  }

  /**
   * @param folder where its log and its seed list go
   * @param seed which web to serve
   */
  public static SampleWeb start(Path folder, int seed) throws CrawlException {
    Path program = program();
    Path log = folder.resolve(LOG);
    Path seeds = folder.resolve("seeds.txt");
    try {
      Files.createDirectories(folder);
      Process process =
          new ProcessBuilder(
                  program.toString(),
                  "serve",
                  "--seed",
                  Integer.toString(seed),
                  "--port",
                  "0",
                  "--log",
                  log.toString(),
                  "--seeds-out",
                  seeds.toString(),
                  "--until-stdin-closes")
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      String line =
          new BufferedReader(
                  new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
              .readLine();
      if (line == null || !line.startsWith(READY)) {
        process.destroy();
        throw CrawlException.failed(
            "the sample web did not start (" + line + "); see its messages above");
      }
      return new SampleWeb(process, line.substring(READY.length()).trim(), log, seeds);
    } catch (IOException e) {
      throw CrawlException.failed(
          "the sample web "
              + program
              + " cannot be started ("
              + e.getMessage()
              + "); build it with bin/corpulyzer "
              + "build",
          e);
    }
  }

  /** How many hosts of a kind the web of that seed has. */
  public static int hosts(String kind, int seed) throws CrawlException {
    Path program = program();
    try {
      Process process =
          new ProcessBuilder(program.toString(), "hosts", "--seed", Integer.toString(seed))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      int hosts = 0;
      for (String line; (line = lines.readLine()) != null; ) {
        String[] fields = line.trim().split("\\s+");
        if (fields[0].equals(kind)) {
          hosts = Integer.parseInt(fields[1]);
        }
      }
      if (hosts == 0) {
        throw CrawlException.failed(
            "the sample web has no " + kind + " hosts; see its messages above");
      }
      return hosts;
    } catch (IOException e) {
      throw CrawlException.failed(
          "the sample web "
              + program
              + " cannot be asked ("
              + e.getMessage()
              + "); build it with bin/corpulyzer "
              + "build",
          e);
    }
  }

  private static Path program() throws CrawlException {
    String programs = System.getProperty("corpulyzer.programs", "");
    Path program = Paths.get(programs, "corpulyzer-web").toAbsolutePath();
    if (!Files.isExecutable(program)) {
      throw CrawlException.failed(
          "the sample web is missing at " + program + "; build it with bin/corpulyzer build");
    }
    return program;
  }

  /** {@code HOST:PORT} of the proxy. */
  public String address() {
    return address;
  }

  public Path seeds() {
    return seeds;
  }

  /**
   * A line a request: milliseconds, URL, status, true language, kind of host, bytes; separated by
   * tabs.
   */
  public List<String> requests() throws CrawlException {
    try {
      return Files.readAllLines(log, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw CrawlException.failed(
          "the log of the sample web " + log + " cannot be read (" + CrawlException.reason(e) + ")",
          e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      process.waitFor(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
