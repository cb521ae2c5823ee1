package org.apache.hadoop.hbase.client;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.security.User;

/**
 * A connection that is known, so that it can be closed. Gora 0.8 opens one for every store and
 * never closes it (each holds a ZooKeeper session and threads); Nutch opens several stores a job.
 * HBase makes this class when {@code hbase.client.connection.impl} names it. It lives in HBase's
 * package because the implementation it extends is visible only there.
 */
public final class TrackedConnection extends ConnectionManager.HConnectionImplementation {
  /**
   * The scoring filter's store is the one that outlives a job: it is opened once for a table, and
   * used by every later job.
   */
  private static final String LASTING_OPENER = "org.corpulyzer.nutch.HostScan";

  private static final Set<TrackedConnection> OF_JOBS = ConcurrentHashMap.newKeySet();
  private static final Set<TrackedConnection> LASTING = ConcurrentHashMap.newKeySet();

  TrackedConnection(Configuration conf, boolean managed, ExecutorService pool, User user)
      throws IOException {
    super(conf, managed, pool, user);
    (isOpenedBy(LASTING_OPENER) ? LASTING : OF_JOBS).add(this);
  }

  private static boolean isOpenedBy(String className) {
    for (StackTraceElement caller : Thread.currentThread().getStackTrace()) {
      if (caller.getClassName().equals(className)) {
        return true;
      }
    }
    return false;
  }

  /** Closes the connections of jobs; only right when no job is running. */
  public static void closeThoseOfJobs() {
    close(OF_JOBS);
  }

  /** Closes every connection; only right when the cluster is about to stop. */
  public static void closeAll() {
    close(OF_JOBS);
    close(LASTING);
  }

  private static void close(Set<TrackedConnection> connections) {
    for (TrackedConnection connection : connections) {
      connections.remove(connection);
      connection.close();
    }
  }
}
