package org.corpulyzer.crawl;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The crawl as its own process, as the build lays it out. */
final class ChildCrawl {
  private final Process process;
  private final Path output;

  private ChildCrawl(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /**
   * @param output file for both output streams of the process
   */
  static ChildCrawl start(Path output, List<String> javaOptions, String... args)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            Arrays.asList(
                Paths.get(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                // As bin/corpulyzer starts it: a quarter less processor time to begin.
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:SharedArchiveFile=" + System.getProperty("corpulyzer.archive"),
                "-Xlog:cds=off",
                "-Xlog:cds+dynamic=off"));
    command.addAll(javaOptions);
    command.addAll(
        Arrays.asList(
            "-jar",
            Paths.get(System.getProperty("corpulyzer.home"), "lib", "corpulyzer-crawl.jar")
                .toString()));
    command.addAll(Arrays.asList(args));
    return new ChildCrawl(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start(),
        output);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  long pid() {
    return process.pid();
  }

  /** SIGKILL: no handler, no hook, no flush. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /**
   * Limits the address space of the process to what it has and some bytes more. A process that has
   * ended is left alone.
   */
  void limitMemory(long moreBytes) throws IOException, InterruptedException {
    try {
      for (String line : Files.readAllLines(Paths.get("/proc/" + pid() + "/status"))) {
        if (line.startsWith("VmSize:")) {
          long bytes = (Long.parseLong(line.replaceAll("[^0-9]", "")) << 10) + moreBytes;
          new ProcessBuilder("prlimit", "--pid", Long.toString(pid()), "--as=" + bytes)
              .start()
              .waitFor();
        }
      }
    } catch (NoSuchFileException e) {
      // It has ended.
    }
  }

  /** SIGTERM, which runs the same hook as Ctrl-C. */
  void interrupt() {
    process.destroy();
  }

  int exitCode(long seconds) throws InterruptedException, IOException {
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      kill();
      throw new AssertionError("the crawl did not end within " + seconds + " s:\n" + output());
    }
    return process.exitValue();
  }

  /** The exit code; the process is killed if it does not end within so many seconds. */
  int exitCodeOrKill(long seconds) throws InterruptedException {
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      kill();
    }
    return process.waitFor();
  }

  String output() throws IOException {
    return new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
  }
}
