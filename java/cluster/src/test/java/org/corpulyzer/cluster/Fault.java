package org.corpulyzer.cluster;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Something that goes wrong when a job reaches a point for the n-th time. At most one is armed. */
final class Fault implements AutoCloseable {

  /** The calls of a job to a region server at which a fault can occur. */
  enum Point {
    /** A call for the next rows by pass 1. */
    SCAN_OF_HOST_PASS,
    /** A host record, by the reducer of pass 1. */
    PUT_OF_HOST,
    /** A call for the next rows by pass 2. */
    SCAN_OF_ROW_PASS,
    /** A score, by pass 2. */
    PUT_OF_SCORE,
    /** Another write to the web table: by stock updatedb. */
    PUT_OF_UPDATE
  }

  /** The fault. It runs in the handler of the region server, which waits for it. */
  interface Action {
    void run(RegionCoprocessorEnvironment region) throws Exception;
  }

  private static final Logger LOG = LoggerFactory.getLogger(Fault.class);
  private static final AtomicReference<Fault> ARMED = new AtomicReference<>();

  private final Point point;
  private final int time;
  private final Action action;
  private final AtomicInteger reached = new AtomicInteger();
  private volatile boolean happened;
  private volatile Throwable failure;

  private Fault(Point point, int time, Action action) {
    this.point = point;
    this.time = time;
    this.action = action;
  }

  /**
   * @param time 1 for the first time that the point is reached from now on
   */
  static Fault at(Point point, int time, Action action) {
    Fault fault = new Fault(point, time, action);
    if (!ARMED.compareAndSet(null, fault)) {
      throw new IllegalStateException("a fault is armed already");
    }
    return fault;
  }

  static void reached(Point point, RegionCoprocessorEnvironment region) throws IOException {
    Fault fault = ARMED.get();
    if (fault != null && fault.point == point && fault.reached.incrementAndGet() == fault.time) {
      LOG.info("{} reached {} times in {}: now", point, fault.time, region.getRegionInfo());
      try {
        fault.action.run(region);
        fault.happened = true;
      } catch (Throwable e) {
        LOG.error("The fault could not be made", e);
        fault.failure = e;
      }
    }
  }

  /** Fails unless the fault was made, and the job went on to the point after it. */
  void assertHappenedInTheMiddle() {
    assertHappened();
    if (reached.get() <= time) {
      throw new AssertionError("nothing reached " + point + " after the fault, at number " + time);
    }
  }

  /** Fails unless the fault was made. */
  void assertHappened() {
    if (!happened) {
      throw new AssertionError(
          "the fault did not happen: "
              + point
              + " was reached "
              + reached
              + " times, wanted "
              + time,
          failure);
    }
  }

  @Override
  public void close() {
    ARMED.set(null);
  }
}
