package org.corpulyzer.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@code hadoop jar X.job CLASS ARGUMENTS} in a process of its own, with Hadoop's jars alone on the
 * class path.
 */
public final class Client {

  private static final int MINUTES = 10;
  private static final AtomicInteger COUNT = new AtomicInteger();

  /** The id of its process. */
  public final int pid;

  private final Process process;
  private final Path log;
  private final String command;

  private Client(Process process, int pid, Path log, String command) {
    this.process = process;
    this.pid = pid;
    this.log = log;
    this.command = command;
  }

  /**
   * @param clients a folder for the folders of clients
   * @param configuration Hadoop's configuration folder
   * @param job a job file
   * @param arguments the class, and what it is called with
   */
  public static Client start(Path clients, Path configuration, Path job, List<String> arguments)
      throws IOException, InterruptedException {
    Path folder = clients.resolve("client-" + COUNT.incrementAndGet());
    Files.createDirectories(folder);
    Path pidFile = folder.resolve("pid");
    List<String> command =
        new ArrayList<>(
            Arrays.asList(
                "sh",
                "-c",
                "echo $$ >\"$0\"; exec \"$@\"",
                pidFile.toString(),
                System.getProperty("java.home") + "/bin/java",
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-Djdk.net.hosts.file=" + System.getProperty("jdk.net.hosts.file"),
                "-cp",
                configuration + File.pathSeparator + System.getProperty("corpulyzer.hadoop.jars"),
                "org.apache.hadoop.util.RunJar",
                job.toString()));
    command.addAll(arguments);
    Path log = folder.resolve("log");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    while (process.isAlive() && (!Files.exists(pidFile) || Files.size(pidFile) == 0)) {
      Thread.sleep(10);
    }
    int pid =
        Integer.parseInt(new String(Files.readAllBytes(pidFile), StandardCharsets.US_ASCII).trim());
    return new Client(process, pid, log, String.join(" ", arguments));
  }

  /**
   * @return the exit code; a client that takes minutes is ended and fails the test
   */
  public int exit() throws IOException, InterruptedException {
    if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError(command + " did not end in " + MINUTES + " minutes:\n" + log());
    }
    return process.exitValue();
  }

  /** Fails with the client's log unless it ends with 0. */
  public void assertSucceeds() throws IOException, InterruptedException {
    if (exit() != 0) {
      throw new AssertionError(command + " ended with " + exit() + ":\n" + log());
    }
  }

  /**
   * @return whether it runs
   */
  public boolean isAlive() {
    return process.isAlive();
  }

  /**
   * @return what it wrote until now, to either stream
   */
  public String log() throws IOException {
    return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
  }

  /** Ends it at once, as the kernel does that is out of memory. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }
}
