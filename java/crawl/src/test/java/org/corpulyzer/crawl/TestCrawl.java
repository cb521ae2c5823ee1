package org.corpulyzer.crawl;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.rules.TemporaryFolder;

/**
 * The folder of a test's crawl, with its seeds, {@code data} and {@code out}. It runs the command
 * with the options that every crawl needs, in this process or in another one.
 */
public final class TestCrawl extends TemporaryFolder {
  private int processes;
  private String output = "";

  /**
   * @return the options that every crawl needs, for a folder with {@code seeds.txt}
   */
  static List<String> required(Path root) {
    return new ArrayList<>(
        Arrays.asList(
            "--language",
            "ur",
            "--seeds",
            root.resolve("seeds.txt").toString(),
            "--agent",
            "tester",
            "--contact",
            "me@example.org",
            "--data",
            root.resolve("data").toString(),
            "--out",
            root.resolve("out").toString()));
  }

  Path path(String name) {
    return getRoot().toPath().resolve(name);
  }

  Path data() {
    return path("data");
  }

  Path out() {
    return path("out");
  }

  Path corpus() {
    return out().resolve("corpus.jsonl.zst");
  }

  Path stateFile() {
    return data().resolve("state.properties");
  }

  CrawlState state() throws IOException {
    return CrawlState.load(stateFile());
  }

  /**
   * Runs a crawl in this process.
   *
   * @param seeds the lines of the seed list
   * @return the exit code
   */
  int run(String seeds, String... more) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(bytes, true, "UTF-8");
    int code = Crawl.run(stream, stream, arguments(seeds, more));
    output = bytes.toString("UTF-8");
    return code;
  }

  /**
   * Runs a crawl in a process of its own, to its end.
   *
   * @return the exit code
   */
  int runChild(long seconds, String seeds, String... more)
      throws IOException, InterruptedException {
    ChildCrawl crawl = start(seeds, more);
    int code = crawl.exitCode(seconds);
    output = crawl.output();
    return code;
  }

  /** Starts a crawl in a process of its own. */
  ChildCrawl start(String seeds, String... more) throws IOException {
    return ChildCrawl.start(
        path("output-" + processes++ + ".txt"),
        Collections.singletonList(
            "-Dcorpulyzer.programs=" + System.getProperty("corpulyzer.programs")),
        arguments(seeds, more));
  }

  /**
   * @return what the last crawl that was run to its end printed, on both streams
   */
  String output() {
    return output;
  }

  private String[] arguments(String seeds, String... more) throws IOException {
    Files.write(path("seeds.txt"), seeds.getBytes(StandardCharsets.UTF_8));
    List<String> all = required(getRoot().toPath());
    if (Arrays.asList(more).contains("--language")) {
      all.subList(all.indexOf("--language"), all.indexOf("--language") + 2).clear();
    }
    all.addAll(Arrays.asList(more));
    return all.toArray(new String[0]);
  }
}
