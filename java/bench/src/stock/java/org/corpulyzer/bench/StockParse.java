package org.corpulyzer.bench;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseResult;
import org.apache.nutch.parse.ParseUtil;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.util.NutchConfiguration;

/**
 * Parses pages with the parsers of a Nutch runtime, as a parse task does: {@link ParseUtil} with
 * the runtime's settings. It runs on the class path of the runtime, in a process that {@link
 * StockParsers} starts.
 *
 * <p>{@code parser.timeout} is wall time, which depends on what else the machine does. So the limit
 * here is of processor time: when it is reached, the thread that waits for the parser is
 * interrupted, and {@link ParseUtil} does the same as after its own timeout: it cancels the parse
 * and logs the exception.
 *
 * <p>Arguments: the folder of plugins, the limit in seconds, then settings as {@code NAME=VALUE}.
 * It reads a file name a line. For each it writes {@code DONE}, outcome ({@code parsed}, {@code
 * failed}, {@code limit} or an error), processor seconds of the process, whether the parse thread
 * goes on after that, and the outcome of a small page that is parsed then, separated by tabs.
 * Nutch's log goes to standard output too.
 */
public final class StockParse {
  private static final double NANOS = 1e9;

  /** Processor time of a parse thread after the limit from which it counts as going on. */
  private static final double GOES_ON_SECONDS = 1;

  /** Longest wait for that time, on a machine that does other work. */
  private static final double WATCH_SECONDS = 60;

  private static final byte[] SMALL =
      "<html><title>a</title><p>The ferry left at noon.</html>".getBytes(StandardCharsets.UTF_8);

  private static volatile boolean isOver;

  private StockParse() {}

  public static void main(String[] args) throws Exception {
    Configuration conf = NutchConfiguration.create();
    conf.set("plugin.folders", args[0]);
    double limit = Double.parseDouble(args[1]);
    for (int i = 2; i < args.length; i++) {
      String[] setting = args[i].split("=", 2);
      conf.set(setting[0], setting[1]);
    }
    conf.setInt("parser.timeout", Integer.MAX_VALUE);
    ParseUtil parser = new ParseUtil(conf);
    // Loads the classes of the parser, so that the first page does not pay for it.
    System.out.println("READY\t" + parse(parser, conf, SMALL, Double.MAX_VALUE));
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String file = in.readLine(); file != null; file = in.readLine()) {
      byte[] page = Files.readAllBytes(Paths.get(file));
      double began = processorSeconds();
      String outcome = parse(parser, conf, page, began + limit);
      double used = processorSeconds() - began;
      boolean goesOn = goesOn();
      String small = parse(parser, conf, SMALL, Double.MAX_VALUE);
      System.out.printf(Locale.ROOT, "DONE\t%s\t%.2f\t%s\t%s%n", outcome, used, goesOn, small);
    }
    // A parse thread that goes on must not keep the process.
    Runtime.getRuntime().halt(0);
  }

  private static String parse(ParseUtil parser, Configuration conf, byte[] page, double until) {
    String url = "http://kind.test/";
    Content content = new Content(url, url, page, "text/html", new Metadata(), conf);
    isOver = false;
    Thread watch = watch(Thread.currentThread(), until);
    try {
      ParseResult result = parser.parse(content);
      Parse parse = result.get(new Text(url));
      if (parse != null && parse.getData().getStatus().isSuccess()) {
        return "parsed";
      }
      return isOver ? "limit" : "failed";
    } catch (Exception e) {
      return "failed";
    } catch (Error e) {
      // Nutch's ParseSegment catches exceptions alone: an error here ends its task.
      return "error " + e;
    } finally {
      watch.interrupt();
      Thread.interrupted();
    }
  }

  /** Interrupts a thread when the process has used so much processor time. */
  private static Thread watch(Thread waiting, double until) {
    Thread watch =
        new Thread(
            () -> {
              try {
                while (processorSeconds() < until) {
                  Thread.sleep(20);
                }
                isOver = true;
                waiting.interrupt();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    watch.setDaemon(true);
    watch.start();
    return watch;
  }

  /** Returns whether a thread of ParseUtil still parses. */
  private static boolean goesOn() throws InterruptedException {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      // The names of the threads of ParseUtil. Between two pages they wait in their pool.
      if (!thread.getName().startsWith("parse-")) {
        continue;
      }
      double began = threads.getThreadCpuTime(thread.getId());
      long until = System.nanoTime() + (long) (WATCH_SECONDS * NANOS);
      while (System.nanoTime() < until && thread.isAlive() && !waits(thread)) {
        if (threads.getThreadCpuTime(thread.getId()) - began > GOES_ON_SECONDS * NANOS) {
          return true;
        }
        Thread.sleep(20);
      }
      if (thread.isAlive() && !waits(thread)) {
        return true;
      }
    }
    return false;
  }

  private static boolean waits(Thread thread) {
    return thread.getState() == Thread.State.TIMED_WAITING
        || thread.getState() == Thread.State.WAITING;
  }

  private static double processorSeconds() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime()
        / NANOS;
  }
}
