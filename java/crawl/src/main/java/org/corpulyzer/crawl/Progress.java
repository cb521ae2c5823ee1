package org.corpulyzer.crawl;

import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Tells how far a long piece of work is: the status file every second, the console every fifteen.
 */
final class Progress {
  /** A long piece of work. */
  interface Work {
    void run() throws CrawlException, IOException, InterruptedException;
  }

  private static final int CONSOLE_SECONDS = 15;

  private final long began = System.nanoTime();
  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "watch");
            thread.setDaemon(true);
            return thread;
          });
  private final Console console;
  private final Supplier<String> soFar;
  private int ticks;

  private Progress(Console console, Supplier<String> soFar) {
    this.console = console;
    this.soFar = soFar;
    watch.scheduleAtFixedRate(this::tell, 1, 1, TimeUnit.SECONDS);
  }

  private void tell() {
    String line =
        String.format(
            Locale.ROOT, "  ... %s, %.0f s", soFar.get(), (System.nanoTime() - began) / 1e9);
    ticks++;
    if (ticks % CONSOLE_SECONDS == 0) {
      console.say(line);
    } else {
      console.status(line.trim());
    }
  }

  /**
   * Does the work.
   *
   * @param soFar what is done, called from another thread
   */
  static void during(Console console, Supplier<String> soFar, Work work)
      throws CrawlException, IOException, InterruptedException {
    Progress progress = new Progress(console, soFar);
    try {
      work.run();
    } finally {
      progress.watch.shutdown();
    }
  }
}
