package org.corpulyzer.nutch.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.corpulyzer.cluster.Client;

/** The first task that calls a method so many times stops there, until it is killed or released. */
final class Pause implements Closeable {

  private static final int WAIT_MILLIS = 240_000;

  private final Path armed;
  private final Path paused;
  private final String call;

  /**
   * @param folder for the files by which the test and the task notify each other
   * @param method {@code Class:Inner#method}
   * @param calls of the method in one task
   */
  Pause(Path folder, String method, int calls) throws IOException {
    armed = Files.createTempFile(folder, "pause", "");
    paused = armed.resolveSibling(armed.getFileName() + ".pid");
    call = method + "," + calls + "," + armed;
  }

  /**
   * @return what a client is called with, so that its tasks can be stopped
   */
  List<String> options() {
    String opts =
        "-Xmx200m -javaagent:" + System.getProperty("corpulyzer.pause.agent") + "=" + call;
    return Arrays.asList(
        "-D", "mapreduce.map.java.opts=" + opts, "-D", "mapreduce.reduce.java.opts=" + opts);
  }

  /**
   * @return the process id of the task that stands still now
   */
  int await(Client client) throws IOException, InterruptedException, TimeoutException {
    long end = System.currentTimeMillis() + WAIT_MILLIS;
    while (!Files.exists(paused)) {
      if (!client.isAlive() || System.currentTimeMillis() > end) {
        throw new TimeoutException("no task came to " + call + ":\n" + client.log());
      }
      Thread.sleep(20);
    }
    return Integer.parseInt(Files.readString(paused));
  }

  /** Lets the task run on. */
  void release() throws IOException {
    Files.deleteIfExists(paused);
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(armed);
    release();
  }
}
