package org.corpulyzer.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/** Looks twice a second at the sockets on which this process and its descendants listen. */
public final class ListenerWatch implements Closeable {

  private final Set<String> stray = Collections.synchronizedSet(new TreeSet<>());
  private final Thread thread = new Thread(this::watch, "listeners");

  /** Starts it. */
  public ListenerWatch() {
    thread.setDaemon(true);
    thread.start();
  }

  private void watch() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        stray.addAll(Processes.strayListeners());
        Thread.sleep(500);
      } catch (IOException e) {
        stray.add(e.toString());
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /**
   * @return sockets on another address than loopback that this process or one that it started has
   *     listened on until now
   */
  public Set<String> stray() {
    return stray;
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
