package org.corpulyzer.crawl;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.fetcher.FetchItem;

/**
 * Addresses that wait to be fetched, a queue for each host (or address or domain, as {@code fetcher.queue.mode} says), with the rules of
 * Nutch's fetcher: at most {@code fetcher.threads.per.queue} requests of a queue at a time, and a delay after the end of each.
 */
final class HostQueues {
  /** The addresses of one host. Only used under the lock of its owner. */
  private static final class Queue {
    private final Deque<FetchItem> items = new ArrayDeque<>();
    private int running;
    private int exceptions;
    /** Milliseconds since 1970 from which the next request may start. */
    private long readyAt;
    /** Milliseconds between the end of a request and the start of the next. */
    private long delay;
    private boolean isWaiting;
  }

  private final Map<String, Queue> queues = new HashMap<>();
  /** Queues that have an item and a free place, the one that may start first in front. */
  private final PriorityQueue<Queue> waiting = new PriorityQueue<>((a, b) -> Long.compare(a.readyAt, b.readyAt));
  private final int perQueue;
  private final long delay;
  private final long leastDelay;
  private final long leastRobotsDelay;
  private final int mostExceptions;
  private final long deadline;
  private int size;
  private int running;
  private boolean isStopped;

  /** @param deadline milliseconds since 1970 after which no item is given out any more */
  HostQueues(Configuration conf, long deadline) {
    this.deadline = deadline;
    perQueue = conf.getInt("fetcher.threads.per.queue", 1);
    float seconds = conf.getFloat("fetcher.server.delay", 1.0f);
    delay = (long) (seconds * 1000);
    leastDelay = (long) (conf.getFloat("fetcher.server.min.delay", 0.0f) * 1000);
    leastRobotsDelay = (long) (conf.getFloat("fetcher.min.crawl.delay", seconds) * 1000);
    mostExceptions = conf.getInt("fetcher.max.exceptions.per.queue", -1);
  }

  synchronized void add(FetchItem item) {
    Queue queue = queues.computeIfAbsent(item.getQueueID(), id -> {
      Queue made = new Queue();
      made.delay = delay;
      return made;
    });
    queue.items.add(item);
    size++;
    enlist(queue);
  }

  private void enlist(Queue queue) {
    if (!queue.isWaiting && !queue.items.isEmpty() && queue.running < perQueue) {
      queue.isWaiting = true;
      waiting.add(queue);
      notify();
    }
  }

  /** Waits for an address that may be fetched now. @return null when none will come any more */
  synchronized FetchItem take() throws InterruptedException {
    while (true) {
      long now = System.currentTimeMillis();
      if (isStopped || now >= deadline || size == 0 && running == 0) {
        notifyAll();
        return null;
      }
      Queue queue = waiting.peek();
      if (queue == null) {
        wait(Math.max(1, Math.min(1000, deadline - now)));
      } else if (queue.readyAt > now) {
        wait(Math.max(1, Math.min(queue.readyAt, deadline) - now));
      } else {
        waiting.poll();
        queue.isWaiting = false;
        FetchItem item = queue.items.poll();
        size--;
        queue.running++;
        running++;
        enlist(queue);
        return item;
      }
    }
  }

  /** Enters a redirect's target, which is fetched at once, beside the queue of its host. */
  synchronized void enter(FetchItem item) {
    queues.computeIfAbsent(item.getQueueID(), id -> {
      Queue made = new Queue();
      made.delay = delay;
      return made;
    }).running++;
    running++;
  }

  /**
   * Ends a request.
   *
   * @param now whether the next may start at once, because nothing was asked of the host
   */
  synchronized void finish(FetchItem item, boolean now) {
    Queue queue = queues.get(item.getQueueID());
    queue.running--;
    running--;
    if (queue.isWaiting) {
      waiting.remove(queue);
      queue.isWaiting = false;
    }
    queue.readyAt = System.currentTimeMillis() + (now ? 0 : perQueue > 1 ? leastDelay : queue.delay);
    enlist(queue);
    if (size == 0 && running == 0) {
      notifyAll();
    }
  }

  /** Takes the delay that a host's robots.txt asks for. */
  synchronized void setDelay(FetchItem item, long millis) {
    queues.get(item.getQueueID()).delay = Math.max(millis, leastRobotsDelay);
  }

  /** Counts an exception; drops the rest of the queue when there were {@code fetcher.max.exceptions.per.queue}. */
  synchronized void addException(FetchItem item) {
    Queue queue = queues.get(item.getQueueID());
    queue.exceptions++;
    if (mostExceptions >= 0 && queue.exceptions >= mostExceptions) {
      size -= queue.items.size();
      queue.items.clear();
      if (queue.isWaiting) {
        waiting.remove(queue);
        queue.isWaiting = false;
      }
    }
  }

  /** Gives no address out any more. */
  synchronized void stop() {
    isStopped = true;
    notifyAll();
  }

  /** @return addresses that were not given out */
  synchronized int left() {
    return size;
  }

  boolean isLate() {
    return System.currentTimeMillis() >= deadline;
  }
}
