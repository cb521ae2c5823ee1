package org.corpulyzer.crawl.companion;

import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Spaces the requests to one IP address, whatever the host: a provider may serve thousands of hosts
 * from one machine. Nutch's fetcher spaces the requests to one host.
 */
final class IpGate {
  /**
   * Shared by the instances that Nutch makes for each job: time in nanoseconds when the next
   * request may start.
   */
  private static final LoadingCache<InetAddress, AtomicLong> NEXT =
      CacheBuilder.newBuilder()
          .maximumSize(100_000)
          .expireAfterAccess(10, TimeUnit.MINUTES)
          .build(CacheLoader.from(address -> new AtomicLong(System.nanoTime())));

  /** Reason of a fetch that would wait too long. */
  static final String BUSY = "too many hosts on one IP address";

  /** Waits until the address of a host may be asked. */
  interface Door {
    /**
     * Returns false if that takes longer than the limit.
     *
     * @throws IOException if the host has no address, or one that is refused
     */
    boolean enter(String host) throws IOException, InterruptedException;
  }

  private final long delayNanos;
  private final long longestNanos;

  /**
   * @param delayMillis least time between the starts of two requests to one address, 0 for no limit
   * @param longestMillis longest time that a request waits
   */
  IpGate(long delayMillis, long longestMillis) {
    delayNanos = TimeUnit.MILLISECONDS.toNanos(delayMillis);
    longestNanos = TimeUnit.MILLISECONDS.toNanos(longestMillis);
  }

  /**
   * Waits until a request to this address may start.
   *
   * @return false if that takes longer than the limit; no wait happens then
   */
  boolean enter(InetAddress address) throws InterruptedException {
    if (delayNanos == 0) {
      return true;
    }
    AtomicLong next = NEXT.getUnchecked(address);
    long now = System.nanoTime();
    long start;
    synchronized (next) {
      start = Math.max(now, next.get());
      if (start - now > longestNanos) {
        return false;
      }
      next.set(start + delayNanos);
    }
    TimeUnit.NANOSECONDS.sleep(start - now);
    return true;
  }
}
