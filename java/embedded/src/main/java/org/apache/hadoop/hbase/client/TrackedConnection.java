package org.apache.hadoop.hbase.client;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.security.User;

/**
 * A connection that is known, so that it can be closed. Gora 0.8 opens one for every store and never closes it (each holds a
 * ZooKeeper session and threads); Nutch opens several stores a job. HBase makes this class when {@code hbase.client.connection.impl}
 * names it. It lives in HBase's package because the implementation it extends is visible only there.
 */
public final class TrackedConnection extends ConnectionManager.HConnectionImplementation {
  private static final Set<TrackedConnection> OPEN = ConcurrentHashMap.newKeySet();

  TrackedConnection(Configuration conf, boolean managed, ExecutorService pool, User user) throws IOException {
    super(conf, managed, pool, user);
    OPEN.add(this);
  }

  /** Closes every connection opened since the last call; only right when no job is running. */
  public static void closeAll() {
    for (TrackedConnection connection : OPEN) {
      OPEN.remove(connection);
      connection.close();
    }
  }
}
