package org.corpulyzer.jobs;

import java.io.File;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.nutch.crawl.CrawlDb;
import org.apache.nutch.hostdb.UpdateHostDb;
import org.corpulyzer.engine.Engine;
import org.corpulyzer.engine.Settings;

/**
 * Measures the score passes beside Nutch's own jobs on one CrawlDb in one JVM: {@code gradle
 * :nutch1-jobs:times -Prows=1000000 -Phosts=20000}. Prints seconds of processor time and of wall
 * time, and the ratio of processor time to that of stock updatedb with an empty segment.
 */
public final class PassTimes {

  private interface Step {
    void run() throws Exception;
  }

  private static final Map<String, List<double[]>> TIMES = new TreeMap<>();

  private PassTimes() {}

  /**
   * {@code FOLDER ROWS HOSTS ROUNDS}: a folder that is deleted first, sizes, and how often to
   * measure. The first round warms up.
   */
  public static void main(String[] args) throws Exception {
    File folder = new File(args[0]);
    int rows = Integer.parseInt(args[1]);
    int hosts = Integer.parseInt(args[2]);
    Configuration conf = CrawlDbForTests.conf(folder);
    // As Nutch's tools have them, not as the small tests do.
    for (String key :
        new String[] {
          "mapreduce.task.io.sort.mb", "mapreduce.client.progressmonitor.pollinterval"
        }) {
      conf.unset(key);
    }
    FileSystem files = FileSystem.getLocal(conf);
    Path crawlDb = new Path(folder.getPath(), "crawldb");
    PrintStream out = System.out;
    for (int round = 0; round <= Integer.parseInt(args[3]); round++) {
      files.delete(new Path(folder.getPath()), true);
      SyntheticCrawlDb.write(conf, crawlDb, rows, hosts, 1);
      Path segment = new Path(folder.getPath(), "segments/1");
      SyntheticCrawlDb.writeSegment(conf, segment, rows / 100, rows, hosts);
      boolean measured = round > 0;
      Engine engine = Engine.of(Settings.from(conf::get));
      Path current = new Path(crawlDb, CrawlDb.CURRENT_NAME);
      Path table = new Path(folder.getPath(), "hosts");
      measure(
          measured,
          "1 stock updatedb",
          () -> new CrawlDb(conf).update(crawlDb, new Path[] {segment}, false, false));
      measure(
          measured,
          "2 pass 1",
          () -> complete(HostPass.job(conf, engine, engine.targets(), current, null, table)));
      measure(
          measured,
          "3 pass 2",
          () ->
              complete(
                  RowPass.job(
                      conf, current, null, table, null, new Path(folder.getPath(), "rows"))));
      Configuration pages = new Configuration(conf);
      pages.set(Settings.SCORE_POLICY, "pages");
      Path choice = new Path(folder.getPath(), "choice");
      measure(
          measured,
          "4 choice of pages",
          () ->
              complete(
                  PagesPass.job(pages, engine.targets(), current, null, table, table, choice)));
      measure(
          measured,
          "5 pass 2 of pages",
          () ->
              complete(
                  RowPass.job(
                      pages, current, null, table, choice, new Path(folder.getPath(), "chosen"))));
      measure(
          measured,
          "6 stock updatehostdb",
          () -> {
            if (org.apache.hadoop.util.ToolRunner.run(
                    conf,
                    new UpdateHostDb(),
                    new String[] {"-hostdb", folder + "/hostdb", "-crawldb", crawlDb.toString()})
                != 0) {
              throw new IllegalStateException("updatehostdb failed");
            }
          });
    }
    double stock = median(TIMES.get("1 stock updatedb"), 0);
    out.printf(
        Locale.ROOT,
        "%d rows, %d hosts, median of %s rounds%n%-24s %10s %10s %10s%n",
        rows,
        hosts,
        args[3],
        "",
        "cpu s",
        "wall s",
        "of updatedb");
    TIMES.forEach(
        (name, times) ->
            out.printf(
                Locale.ROOT,
                "%-24s %10.1f %10.1f %10.2f%n",
                name.substring(2),
                median(times, 0),
                median(times, 1),
                median(times, 0) / stock));
    files.delete(new Path(folder.getPath()), true);
  }

  private static void complete(Job job) throws Exception {
    if (!job.waitForCompletion(true)) {
      throw new IllegalStateException(job.getJobName() + " failed");
    }
  }

  private static double median(List<double[]> times, int of) {
    return times.stream()
        .mapToDouble(time -> time[of])
        .sorted()
        .skip(times.size() / 2)
        .findFirst()
        .getAsDouble();
  }

  private static void measure(boolean measured, String name, Step step) throws Exception {
    System.gc();
    long cpu = cpu();
    long wall = System.nanoTime();
    step.run();
    if (measured) {
      TIMES
          .computeIfAbsent(name, absent -> new ArrayList<>())
          .add(new double[] {(cpu() - cpu) / 1e9, (System.nanoTime() - wall) / 1e9});
    }
  }

  /** Processor time of all threads of this JVM, collector and compiler included. */
  private static long cpu() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
