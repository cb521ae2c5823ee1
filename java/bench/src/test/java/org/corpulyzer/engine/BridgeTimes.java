package org.corpulyzer.engine;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * {@code BridgeTimes LIBRARY COMMAND FOLDER}: JMH's report, and then the same pages through the
 * bridge and without Java by processor time, which other work on the machine changes little.
 */
public final class BridgeTimes {

  private static final String[] NAMES = {"small", "medium", "large"};
  private static final int[] PARAGRAPHS = {4, 150, 5000};

  private BridgeTimes() {}

  public static void main(String[] arguments) throws Exception {
    Path pages = Files.createDirectories(Paths.get(arguments[2]));
    List<String> command = new ArrayList<>(Collections.singletonList(arguments[1]));
    for (int i = 0; i < NAMES.length; i++) {
      Path file = pages.resolve(NAMES[i] + ".html");
      Files.write(file, page(PARAGRAPHS[i]).getBytes(StandardCharsets.UTF_8));
      command.add(file.toString());
    }
    System.setProperty("corpulyzer.native.path", arguments[0]);
    System.setProperty(BridgeBenchmark.PAGES, pages.toString());
    Options options =
        new OptionsBuilder()
            .include(BridgeBenchmark.class.getName())
            .forks(1)
            .warmupIterations(3)
            .warmupTime(TimeValue.seconds(1))
            .measurementIterations(5)
            .measurementTime(TimeValue.seconds(1))
            .jvmArgs(
                "-Xmx2g",
                "-Dcorpulyzer.native.path=" + arguments[0],
                "-D" + BridgeBenchmark.PAGES + "=" + pages)
            .build();
    new Runner(options).run();
    Process natively =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    System.out.println(
        "processor microseconds: page, bytes, empty call, through the bridge, natively, ratio,"
            + " extraction alone natively, with the record read, Boilerpipe, its ratio to"
            + " extraction");
    List<double[]> measured = new ArrayList<>();
    try (Scanner lines = new Scanner(natively.getInputStream(), "UTF-8")) {
      while (lines.hasNext()) {
        measured.add(
            new double[] {Double.parseDouble(lines.next()), Double.parseDouble(lines.next())});
      }
    }
    if (natively.waitFor() != 0) {
      throw new IOException(arguments[1] + " failed");
    }
    for (int i = 0; i < NAMES.length; i++) {
      double whole = measured.get(i)[0];
      double extraction = measured.get(i)[1];
      BridgeBenchmark work = new BridgeBenchmark();
      work.page = NAMES[i];
      work.read();
      double bridge = micros(work::call);
      double record = micros(work::page);
      double boilerpipe = micros(work::boilerpipe);
      System.out.printf(
          "%s\t%d\t%.2f\t%.1f\t%.1f\t%.3f\t%.1f\t%.1f\t%.1f\t%.1f%n",
          NAMES[i],
          Files.size(pages.resolve(NAMES[i] + ".html")),
          micros(work::emptyCall),
          bridge,
          whole,
          bridge / whole,
          extraction,
          record,
          boilerpipe,
          boilerpipe / extraction);
    }
  }

  /**
   * This thread's processor time of one go: the mean of the best of ten runs, after as many that
   * warm the machine.
   */
  private static double micros(Callable<?> work) throws Exception {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    double best = Double.POSITIVE_INFINITY;
    for (int run = 0; run < 20; run++) {
      long end = System.nanoTime() + 300_000_000L;
      long before = threads.getCurrentThreadCpuTime();
      int times = 0;
      for (; System.nanoTime() < end; times++) {
        if (work.call() == null) {
          throw new IllegalStateException("no answer");
        }
      }
      if (run >= 10) {
        best = Math.min(best, (threads.getCurrentThreadCpuTime() - before) / 1e3 / times);
      }
    }
    return best;
  }

  /** A page of news in Urdu: a script, a menu, text with links. */
  private static String page(int paragraphs) {
    StringBuilder page =
        new StringBuilder(
            "<!DOCTYPE html><html lang=\"ur\"><head><meta charset=\"utf-8\"><title>خبر</title>\n");
    for (int i = 0; i < 5 + paragraphs / 10; i++) {
      page.append(
          "<script>window.dataLayer=window.dataLayer||[];function"
              + " gtag(){if(a<b&&c>d){dataLayer.push(arguments)}}</script>\n");
    }
    page.append("</head><body><ul class=\"menu\">\n");
    for (int i = 0; i < 30; i++) {
      page.append("<li class=\"menu-item\"><a href=\"https://example.pk/")
          .append(i)
          .append("/\">زمرہ</a></li>\n");
    }
    page.append("</ul><div id=\"content\"><h1>خبر</h1>\n");
    for (int i = 0; i < paragraphs; i++) {
      page.append(
              "<p style=\"text-align:right\">حکومت نے اعلان کیا ہے کہ <a href=\"/x\">نئے منصوبے</a>"
                  + " پر کام اگلے ماہ شروع ہو جائے گا، جبکہ ")
          .append("<b>ماہرین</b> کے مطابق اس کے اثرات دور رس ہوں گے۔ عدد ")
          .append(i)
          .append("</p>\n");
    }
    return page.append("</div></body></html>\n").toString();
  }
}
