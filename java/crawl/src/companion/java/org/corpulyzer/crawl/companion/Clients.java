package org.corpulyzer.crawl.companion;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.Request;

/**
 * OkHttp clients with the same settings and a pool of connections for each share of the hosts. A
 * call looks at every connection of its pool, so with one pool 2,000 requests at a time take all
 * the processor time for that. The pools are shared by all instances.
 */
final class Clients implements Call.Factory {
  private static final int POOLS = 2048;

  /**
   * In each pool. A host is asked again after the fetcher's delay, some seconds. Each connection
   * holds a file, and of HTTP/2 a thread.
   */
  private static final int IDLE_CONNECTIONS = mostFiles() >= 2 * POOLS ? 1 : 0;

  private static final int IDLE_SECONDS = 15;
  private static final ConnectionPool[] SHARED = new ConnectionPool[POOLS];

  static {
    for (int i = 0; i < POOLS; i++) {
      SHARED[i] = new ConnectionPool(IDLE_CONNECTIONS, IDLE_SECONDS, TimeUnit.SECONDS);
    }
  }

  private final OkHttpClient[] clients = new OkHttpClient[POOLS];

  /** Builds a client for each pool. */
  Clients(OkHttpClient.Builder settings) {
    for (int i = 0; i < POOLS; i++) {
      clients[i] = settings.connectionPool(SHARED[i]).build();
    }
  }

  /** Returns the number of files that this process may open. */
  private static long mostFiles() {
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    return system instanceof UnixOperatingSystemMXBean
        ? ((UnixOperatingSystemMXBean) system).getMaxFileDescriptorCount()
        : Long.MAX_VALUE;
  }

  @Override
  public Call newCall(Request request) {
    return clients[Math.floorMod(request.url().host().hashCode(), POOLS)].newCall(request);
  }

  /** Returns what all clients share, such as the proxy, as text. */
  String route() {
    return String.valueOf(clients[0].proxy());
  }
}
