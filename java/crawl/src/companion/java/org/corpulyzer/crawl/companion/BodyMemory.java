package org.corpulyzer.crawl.companion;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The memory that all open bodies share. Thousands of threads may read at the same time, and each
 * body may be as long as the limit.
 *
 * <p>A body takes memory in three steps: up to 64 KiB, up to 256 KiB, up to the limit. Each step
 * has a budget of its own, and is taken at once. So a body that waits for a step holds nothing of
 * that step, and the bodies of the last step wait for nothing: large bodies cannot block each
 * other.
 */
final class BodyMemory {
  /** Bytes of a permit, and of the part of a body that needs none. */
  static final int UNIT = 16 << 10;

  /** Largest body of the first and of the second step, in units. */
  private static final int[] STEPS = {4, 16};

  private final Semaphore[] budgets;
  private final int large;

  /** The three budgets, in units of 16 KiB. */
  BodyMemory(int small, int medium, int large) {
    budgets =
        new Semaphore[] {
          new Semaphore(small, true), new Semaphore(medium, true), new Semaphore(large, true)
        };
    this.large = large;
  }

  /**
   * A part of the heap, such as an eighth: a quarter of it for each of the first steps, half for
   * large bodies.
   */
  static BodyMemory ofHeap(int divisor) {
    long units = Math.min(Integer.MAX_VALUE, Runtime.getRuntime().maxMemory() / divisor / UNIT);
    int quarter = (int) Math.max(STEPS[1], units / 4);
    return new BodyMemory(quarter, quarter, 2 * quarter);
  }

  /** Free units of a step, 0 to 2. */
  int free(int step) {
    return budgets[step].availablePermits();
  }

  /** The memory of one body. */
  Share share(int maxBytes, long waitMillis) {
    return new Share(maxBytes, waitMillis);
  }

  /** The memory of one body. */
  final class Share {
    private final long waitMillis;
    private final int[] costs;
    private int taken;

    private Share(int maxBytes, long waitMillis) {
      this.waitMillis = waitMillis;
      int most = maxBytes / UNIT + 1;
      costs =
          new int[] {
            STEPS[0] - 1, STEPS[1] - STEPS[0], Math.min(large, Math.max(0, most - STEPS[1]))
          };
    }

    /**
     * Returns whether the body may have this number of bytes; false if memory did not come in time.
     */
    boolean grow(int bytes) throws InterruptedException {
      int units = (bytes - 1) / UNIT + 1;
      int steps = units <= 1 ? 0 : units <= STEPS[0] ? 1 : units <= STEPS[1] ? 2 : 3;
      while (taken < steps) {
        if (!budgets[taken].tryAcquire(costs[taken], waitMillis, TimeUnit.MILLISECONDS)) {
          return false;
        }
        taken++;
      }
      return true;
    }

    void release() {
      while (taken > 0) {
        taken--;
        budgets[taken].release(costs[taken]);
      }
    }
  }
}
