package org.corpulyzer.corpus;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.Progressable;

/** Tells Hadoop that a task is alive: one that is silent for mapreduce.task.timeout is killed. */
public final class Heartbeat {

  private static final int SECONDS = 10;

  private Heartbeat() {}

  /** Runs one call that may take long. */
  public static void during(Progressable task, Runnable call) {
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            beat -> {
              Thread thread = new Thread(beat, "heartbeat");
              thread.setDaemon(true);
              return thread;
            });
    timer.scheduleAtFixedRate(task::progress, SECONDS, SECONDS, TimeUnit.SECONDS);
    try {
      call.run();
    } finally {
      timer.shutdownNow();
    }
  }
}
