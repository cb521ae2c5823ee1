package org.corpulyzer.crawl.companion;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/**
 * Runs the operator's command for a page that needs scripts: the URL is its last argument, or
 * replaces {@code {}}, and its standard output is the HTML that a browser shows. No shell reads the
 * URL. A command that takes too long is ended with all processes that it started.
 */
final class Renderer {
  /** The command and its arguments, separated by spaces. Empty by default: none. */
  static final String COMMAND = "corpulyzer.crawl.render";

  /** Most seconds for a page. Default 30. */
  static final String SECONDS = "corpulyzer.crawl.render.seconds";

  /** Most seconds for all pages of a host in an hour. Default 60. */
  static final String HOST_SECONDS = "corpulyzer.crawl.render.host.seconds";

  private static final String PLACE = "{}";

  /** Commands at a time: a browser takes hundreds of megabytes. */
  private static final int MAX_COMMANDS = 4;

  /** Variables that a command gets; {@code HOME} is a temporary folder. */
  private static final List<String> VARIABLES = List.of("PATH", "LANG", "LC_ALL", "DISPLAY");

  private static final Semaphore PLACES =
      new Semaphore(Math.min(MAX_COMMANDS, Runtime.getRuntime().availableProcessors()));

  private static final long POLL_MILLIS = 20;

  /** Name of the file with the output, which a pipe that stays open cannot block. */
  private static final String OUTPUT = ".corpulyzer-output";

  private final List<String> command;
  private final long maxMillis;
  private final int maxBytes;
  private final String proxy;
  private final DocumentTimes times;

  private Renderer(Configuration conf, List<String> command, int maxBytes) {
    this.command = command;
    this.maxBytes = maxBytes;
    maxMillis = TimeUnit.SECONDS.toMillis(conf.getInt(SECONDS, 30));
    times = new DocumentTimes(TimeUnit.SECONDS.toMillis(conf.getInt(HOST_SECONDS, 60)));
    String host = conf.getTrimmed("http.proxy.host", "");
    proxy = host.isEmpty() ? null : "http://" + host + ":" + conf.getInt("http.proxy.port", 8080);
  }

  /**
   * @param maxBytes longest HTML; longer output counts as a failure
   * @return null if no command is set
   */
  static Renderer of(Configuration conf, int maxBytes) {
    String command = conf.getTrimmed(COMMAND, "");
    return command.isEmpty() ? null : new Renderer(conf, List.of(command.split("\\s+")), maxBytes);
  }

  /**
   * Returns the HTML of a page.
   *
   * @throws IOException with the reason, if there is none
   */
  byte[] html(String url, String host) throws IOException, InterruptedException {
    String hour = Long.toString(TimeUnit.MILLISECONDS.toHours(System.currentTimeMillis()));
    if (times.isOver(hour, host)) {
      throw new IOException("the pages of " + host + " took all their time of this hour");
    }
    PLACES.acquire();
    long began = System.nanoTime();
    try {
      return run(url);
    } finally {
      PLACES.release();
      times.add(hour, host, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
    }
  }

  private byte[] run(String url) throws IOException, InterruptedException {
    Path home = Files.createTempDirectory("corpulyzer-render-");
    Path html = home.resolve(OUTPUT);
    Process process = null;
    try {
      process = start(url, home, html.toFile());
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(maxMillis);
      while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        if (Files.size(html) > maxBytes) {
          throw new IOException("the command wrote more than " + maxBytes + " bytes");
        }
        if (System.nanoTime() > end) {
          throw new IOException("the command took more than " + maxMillis + " ms");
        }
      }
      long length = Files.size(html);
      if (process.exitValue() != 0 || length == 0 || length > maxBytes) {
        throw new IOException(
            "the command ended with " + process.exitValue() + " and " + length + " bytes");
      }
      return Files.readAllBytes(html);
    } finally {
      if (process != null) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
      TemporaryFolder.delete(home);
    }
  }

  private Process start(String url, Path home, File output) throws IOException {
    List<String> arguments = new ArrayList<>();
    boolean isPlaced = false;
    for (String argument : command) {
      isPlaced |= argument.contains(PLACE);
      arguments.add(argument.replace(PLACE, url));
    }
    if (!isPlaced) {
      arguments.add(url);
    }
    ProcessBuilder builder =
        new ProcessBuilder(arguments)
            .directory(home.toFile())
            .redirectInput(new File("/dev/null"))
            .redirectOutput(output)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    Map<String, String> all = new HashMap<>(builder.environment());
    Map<String, String> given = builder.environment();
    given.clear();
    for (String name : VARIABLES) {
      if (all.containsKey(name)) {
        given.put(name, all.get(name));
      }
    }
    given.put("HOME", home.toString());
    given.put("TMPDIR", home.toString());
    if (proxy != null) {
      given.put("http_proxy", proxy);
      given.put("https_proxy", proxy);
    }
    return builder.start();
  }
}
