package org.corpulyzer.embedded;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.TrackedConnection;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.nutch.util.NutchInternals;
import org.apache.nutch.util.NutchTool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs Nutch's tools in this process, one at a time, and fails when their work did not reach the table. */
final class JobRunner implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JobRunner.class);
  private static final int STATUS_SECONDS = 1;
  private static final int CONSOLE_SECONDS = 15;

  private final Configuration base;
  private final LocalHBase hbase;
  private final Console console;
  private final StoreErrors errors = StoreErrors.listen();
  private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(task -> {
    Thread thread = new Thread(task, "watch");
    thread.setDaemon(true);
    return thread;
  });
  private volatile NutchTool running;
  private volatile Function<Counters, String> progress;
  private volatile long began;
  private volatile int ticks;
  private volatile boolean stopped;

  JobRunner(Configuration base, LocalHBase hbase, Console console) {
    this.base = base;
    this.hbase = hbase;
    this.console = console;
    watch.scheduleAtFixedRate(this::watch, STATUS_SECONDS, STATUS_SECONDS, TimeUnit.SECONDS);
  }

  /**
   * @param tool the tool; it gets a configuration of its own, since Nutch's tools write into theirs
   * @param args the tool's arguments by Nutch's names
   * @param describe one line about how far the job is, from its counters
   * @return the counters of the tool's last job
   */
  Counters run(NutchTool tool, Map<String, Object> args, Function<Counters, String> describe) throws CrawlException {
    if (stopped) {
      throw CrawlException.failed("the crawl was stopped; the same command goes on");
    }
    ((Configurable) tool).setConf(new Configuration(base));
    errors.take();
    ticks = 0;
    progress = describe;
    began = System.nanoTime();
    running = tool;
    String name = tool.getClass().getSimpleName();
    try {
      tool.run(args);
      running = null;
      Job job = NutchInternals.job(tool);
      String lost = errors.take();
      if (lost != null) {
        throw CrawlException.failed(name + " lost rows on their way to HBase (" + lost + "); see the log folder, then run the same command again");
      }
      if (job == null || !job.isSuccessful()) {
        throw CrawlException.failed(name + " failed; see the log folder, then run the same command again");
      }
      return job.getCounters();
    } catch (CrawlException e) {
      throw e;
    } catch (Exception | Error e) {
      // An Error too: it is how the plugin says that its library does not load.
      LOG.error("{} failed", name, e);
      if (stopped) {
        throw CrawlException.failed("the crawl was stopped; the same command goes on", e);
      }
      throw CrawlException.failed(name + (hbase.isAlive() ? " failed (" + e.getMessage() + ")" : " failed, because HBase stopped")
          + "; see the log folder, then run the same command again", e);
    } finally {
      running = null;
      TrackedConnection.closeThoseOfJobs();
      NutchInternals.forgetPluginInstances();
    }
  }

  private void watch() {
    NutchTool tool = running;
    Job job = tool == null ? null : NutchInternals.job(tool);
    if (job == null) {
      return;
    }
    try {
      if (!hbase.isAlive()) {
        LOG.error("HBase stopped");
        job.killJob();
        return;
      }
      Counters counters = job.getCounters();
      if (counters != null) {
        double seconds = (System.nanoTime() - began) / 1e9;
        String line = String.format(Locale.ROOT, "  ... %s, %.0f s", progress.apply(counters), seconds);
        ticks = ticks + 1;
        if (ticks % CONSOLE_SECONDS == 0) {
          console.say(line);
        } else {
          console.status(line.trim());
        }
      }
    } catch (IOException | IllegalStateException e) {
      LOG.debug("no progress to tell yet", e);
    }
  }

  /** Ends the running job and lets no other start. */
  void stop() {
    stopped = true;
    NutchTool tool = running;
    if (tool != null) {
      try {
        tool.killJob();
      } catch (Exception e) {
        LOG.warn("the running job could not be stopped", e);
      }
    }
  }

  @Override
  public void close() {
    watch.shutdownNow();
    errors.close();
  }
}
