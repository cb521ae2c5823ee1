package org.corpulyzer.cluster;

import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.TimeUnit;
import org.junit.rules.TestRule;
import org.junit.rules.Timeout;
import org.junit.runner.Description;
import org.junit.runners.model.Statement;

/**
 * Fails a test that takes too long, also if its cluster never starts, and prints the stack traces
 * of all threads.
 */
public final class Deadline implements TestRule {

  private final int seconds;

  /**
   * @param seconds after which a test fails
   */
  public Deadline(int seconds) {
    this.seconds = seconds;
  }

  @Override
  public Statement apply(Statement base, Description description) {
    Statement bounded = new Timeout(seconds, TimeUnit.SECONDS).apply(base, description);
    return new Statement() {
      @Override
      public void evaluate() throws Throwable {
        Timer timer = new Timer("deadline", true);
        timer.schedule(
            new TimerTask() {
              @Override
              public void run() {
                dump(description);
              }
            },
            Math.max(1, seconds - 2) * 1000L);
        try {
          bounded.evaluate();
        } finally {
          timer.cancel();
        }
      }
    };
  }

  private static void dump(Description description) {
    System.err.println(description + " is about to be stopped. The threads:");
    for (Map.Entry<Thread, StackTraceElement[]> thread : Thread.getAllStackTraces().entrySet()) {
      System.err.println(thread.getKey());
      for (StackTraceElement frame : thread.getValue()) {
        System.err.println("    at " + frame);
      }
    }
  }
}
