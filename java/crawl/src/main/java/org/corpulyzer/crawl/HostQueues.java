package org.corpulyzer.crawl;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.fetcher.FetchItem;

/**
 * Addresses that wait to be fetched, a queue for each host (or address or domain, as {@code
 * fetcher.queue.mode} says), with the rules of Nutch's fetcher: at most {@code
 * fetcher.threads.per.queue} requests of a queue at a time, and a delay after the end of each.
 */
final class HostQueues {
  /** The addresses of one host. Only used under the lock of its owner. */
  private static final class Queue {
    private final Deque<FetchItem> items = new ArrayDeque<>();
    private int running;
    private int exceptions;

    /** The time from which the next request may start, see {@link HostQueues#now}. */
    private long readyAt;

    /** Milliseconds between the end of a request and the start of the next. */
    private long delay;

    /** A longer delay since the host refused to respond; 0 if it did not. */
    private long grownDelay;

    /** Refusals without a page in between. */
    private int refusals;

    private boolean isWaiting;
  }

  private static final long LONGEST_WAIT_MILLIS = 1000;

  /** The delay after the first refusal of a host; it doubles with each further one. */
  private static final long MIN_GROWN_MILLIS = 1000;

  /** A host that would have to wait longer is set aside for the round. */
  static final long LONGEST_DELAY_MILLIS = 120_000;

  /** Refusals in a row after which a host is set aside for the round. */
  static final int MAX_REFUSALS = 3;

  private final Map<String, Queue> queues = new HashMap<>();

  /** Queues that have an item and a free place, the one that may start first in front. */
  private final PriorityQueue<Queue> waiting =
      new PriorityQueue<>((a, b) -> Long.compare(a.readyAt, b.readyAt));

  private final int perQueue;
  private final long delay;
  private final long leastDelay;
  private final long leastRobotsDelay;
  private final int mostExceptions;
  private final long deadline;
  private final long began = System.nanoTime();
  private int size;
  private int running;
  private boolean isStopped;

  /** The one thread that waits for the time of the first queue. The others wait without a time. */
  private Thread leader;

  /**
   * @param timeLimit milliseconds from now after which no item is given out any more; negative for
   *     no limit
   */
  HostQueues(Configuration conf, long timeLimit) {
    deadline = timeLimit < 0 ? Long.MAX_VALUE : timeLimit;
    perQueue = conf.getInt("fetcher.threads.per.queue", 1);
    float seconds = conf.getFloat("fetcher.server.delay", 1.0f);
    delay = (long) (seconds * 1000);
    leastDelay = (long) (conf.getFloat("fetcher.server.min.delay", 0.0f) * 1000);
    leastRobotsDelay = (long) (conf.getFloat("fetcher.min.crawl.delay", seconds) * 1000);
    mostExceptions = conf.getInt("fetcher.max.exceptions.per.queue", -1);
  }

  /**
   * Milliseconds since the queues were made. It is not the time of day: if somebody sets the clock
   * back by a day, no host must wait for a day.
   */
  private long now() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
  }

  synchronized void add(FetchItem item) {
    Queue queue =
        queues.computeIfAbsent(
            item.getQueueID(),
            id -> {
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
      if (waiting.peek() == queue) {
        // The leader may wait for a later time.
        leader = null;
        notify();
      }
    }
  }

  /** Waits for an address that may be fetched now. @return null when none will come any more */
  synchronized FetchItem take() throws InterruptedException {
    while (true) {
      long now = now();
      if (isStopped || now >= deadline || size == 0 && running == 0) {
        notifyAll();
        return null;
      }
      Queue queue = waiting.peek();
      if (queue == null || queue.readyAt > now) {
        await(queue == null ? deadline : Math.min(queue.readyAt, deadline), now);
      } else {
        waiting.poll();
        queue.isWaiting = false;
        FetchItem item = queue.items.poll();
        size--;
        queue.running++;
        running++;
        enlist(queue);
        if (leader == null && !waiting.isEmpty()) {
          notify();
        }
        return item;
      }
    }
  }

  /** Thousands of threads that all woke for each host would only compete for the lock. */
  private void await(long until, long now) throws InterruptedException {
    if (leader != null) {
      wait();
      return;
    }
    Thread me = Thread.currentThread();
    leader = me;
    try {
      wait(Math.max(1, Math.min(LONGEST_WAIT_MILLIS, until - now)));
    } finally {
      if (leader == me) {
        leader = null;
      }
    }
  }

  /** Adds the target of a redirect, which is fetched at once, outside of the queue of its host. */
  synchronized void enter(FetchItem item) {
    queues.computeIfAbsent(
            item.getQueueID(),
            id -> {
              Queue made = new Queue();
              made.delay = delay;
              return made;
            })
        .running++;
    running++;
  }

  /**
   * Ends a request.
   *
   * @param now whether the next may start at once, because the host got no request
   */
  synchronized void finish(FetchItem item, boolean now) {
    Queue queue = queues.get(item.getQueueID());
    queue.running--;
    running--;
    if (queue.isWaiting) {
      waiting.remove(queue);
      queue.isWaiting = false;
    }
    long between = Math.max(perQueue > 1 ? leastDelay : queue.delay, queue.grownDelay);
    // One more, because now() is rounded down.
    queue.readyAt = now() + (now ? 0 : between + 1);
    enlist(queue);
    if (size == 0 && running == 0) {
      notifyAll();
    }
  }

  /**
   * Ends a request that the host refused. Its next request waits longer, and for the time that it
   * asks for.
   *
   * @param asked milliseconds that the host asks for, or 0
   * @param mostRefusals refusals in a row after which it is set aside; 0 to set it aside at once
   * @return whether the host is set aside for the round
   */
  synchronized boolean refuse(FetchItem item, long asked, int mostRefusals) {
    Queue queue = queues.get(item.getQueueID());
    queue.refusals++;
    queue.grownDelay = Math.max(MIN_GROWN_MILLIS, 2 * Math.max(queue.delay, queue.grownDelay));
    boolean isSetAside =
        queue.refusals >= mostRefusals || Math.max(asked, queue.grownDelay) > LONGEST_DELAY_MILLIS;
    if (isSetAside) {
      drop(queue);
    }
    long least = queue.grownDelay;
    queue.grownDelay = Math.max(asked, least);
    finish(item, false);
    queue.grownDelay = least;
    return isSetAside;
  }

  /** Notes that a host gave a page. Its delay becomes shorter again, step by step. */
  synchronized void answered(FetchItem item) {
    Queue queue = queues.get(item.getQueueID());
    queue.refusals = 0;
    queue.grownDelay = queue.grownDelay / 2 <= queue.delay ? 0 : queue.grownDelay / 2;
  }

  private void drop(Queue queue) {
    size -= queue.items.size();
    queue.items.clear();
    if (queue.isWaiting) {
      waiting.remove(queue);
      queue.isWaiting = false;
    }
  }

  /** Sets the delay in a host's robots.txt. */
  synchronized void setDelay(FetchItem item, long millis) {
    queues.get(item.getQueueID()).delay = Math.max(millis, leastRobotsDelay);
  }

  /**
   * Counts an exception; drops the rest of the queue when there were {@code
   * fetcher.max.exceptions.per.queue}.
   */
  synchronized void addException(FetchItem item) {
    Queue queue = queues.get(item.getQueueID());
    queue.exceptions++;
    if (mostExceptions >= 0 && queue.exceptions >= mostExceptions) {
      drop(queue);
    }
  }

  /** Gives no address out any more. */
  synchronized void stop() {
    isStopped = true;
    notifyAll();
  }

  /** A host from which is fetched now. */
  static final class Running {
    final String name;
    final int requests;
    final int left;

    private Running(String name, Queue queue) {
      this.name = name;
      requests = queue.running;
      left = queue.items.size();
    }
  }

  /** The state of all queues at a time. */
  static final class Census {
    final List<Running> running = new ArrayList<>();
    int hostsNow;
    int hostsWaiting;
    int left;
  }

  /**
   * Counts the hosts.
   *
   * @param most hosts with a request that are named, those with most URLs left first
   */
  synchronized Census census(int most) {
    Census census = new Census();
    census.left = size;
    queues.forEach(
        (name, queue) -> {
          if (queue.running > 0) {
            census.hostsNow++;
            census.running.add(new Running(name.replaceFirst("^https?://", ""), queue));
          } else if (!queue.items.isEmpty()) {
            census.hostsWaiting++;
          }
        });
    census.running.sort(
        Comparator.<Running>comparingInt(host -> -host.left).thenComparing(host -> host.name));
    if (census.running.size() > most) {
      census.running.subList(most, census.running.size()).clear();
    }
    return census;
  }

  /** Returns the number of hosts, or of addresses or domains. */
  synchronized int hosts() {
    return queues.size();
  }

  /**
   * @return addresses that were not given out
   */
  synchronized int left() {
    return size;
  }

  boolean isLate() {
    return now() >= deadline;
  }
}
