package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.fetcher.FetchItem;
import org.junit.Test;

public class HostQueuesTest {
  private final Configuration conf = new Configuration(false);

  @Test(timeout = 60_000)
  public void aHostIsAskedOnceAtATimeAndNeverBeforeItsDelayIsOver() throws Exception {
    conf.setFloat("fetcher.server.delay", 0.05f);
    HostQueues queues = new HostQueues(conf, Long.MAX_VALUE);
    for (int i = 0; i < 40; i++) {
      queues.add(item("http://h" + i % 4 + ".test/" + i));
    }
    Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
    Map<String, Long> ended = new ConcurrentHashMap<>();
    List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    List<String> given = Collections.synchronizedList(new ArrayList<>());
    inThreads(
        8,
        () -> {
          for (FetchItem item; (item = queues.take()) != null; ) {
            long now = System.currentTimeMillis();
            String host = item.getQueueID();
            if (running.computeIfAbsent(host, key -> new AtomicInteger()).incrementAndGet() > 1) {
              wrong.add(item.getUrl() + " beside another");
            }
            if (now - ended.getOrDefault(host, 0L) < 50) {
              wrong.add(item.getUrl() + " too early");
            }
            given.add(item.getUrl().toString());
            Thread.sleep(5);
            running.get(host).decrementAndGet();
            ended.put(host, System.currentTimeMillis());
            queues.finish(item, false);
          }
        });
    assertEquals(Collections.emptyList(), wrong);
    assertEquals(40, given.stream().distinct().count());
    assertEquals(0, queues.left());
  }

  @Test(timeout = 60_000)
  public void manyMoreThreadsThanHostsGetEveryAddressOnceAndEnd() throws Exception {
    conf.setFloat("fetcher.server.delay", 0.02f);
    HostQueues queues = new HostQueues(conf, Long.MAX_VALUE);
    for (int i = 0; i < 600; i++) {
      queues.add(item("http://h" + i % 40 + ".test/" + i));
    }
    assertEquals(40, queues.hosts());
    List<String> given = Collections.synchronizedList(new ArrayList<>());
    inThreads(
        400,
        () -> {
          for (FetchItem item; (item = queues.take()) != null; ) {
            given.add(item.getUrl().toString());
            Thread.sleep(1);
            queues.finish(item, false);
          }
        });
    assertEquals(600, given.size());
    assertEquals(600, given.stream().distinct().count());
  }

  @Test(timeout = 60_000)
  public void aHostThatIsReadyAtOnceDoesNotWaitForThoseThatAreNot() throws Exception {
    conf.setFloat("fetcher.server.delay", 20f);
    HostQueues queues = new HostQueues(conf, Long.MAX_VALUE);
    queues.add(item("http://slow.test/1"));
    queues.finish(queues.take(), false);
    queues.add(item("http://slow.test/2"));
    List<String> given = Collections.synchronizedList(new ArrayList<>());
    Thread waiting =
        new Thread(
            () -> {
              try {
                given.add(queues.take().getUrl().toString());
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    waiting.start();
    Thread.sleep(200);
    long began = System.nanoTime();
    queues.add(item("http://ready.test/"));
    waiting.join();
    assertEquals(Collections.singletonList("http://ready.test/"), given);
    assertTrue((System.nanoTime() - began) / 1e9 < 5);
  }

  @Test(timeout = 60_000)
  public void severalRequestsOfAHostMayRunWhenNutchsPropertyAllowsIt() throws Exception {
    conf.setInt("fetcher.threads.per.queue", 3);
    HostQueues queues = new HostQueues(conf, Long.MAX_VALUE);
    for (int i = 0; i < 30; i++) {
      queues.add(item("http://h.test/" + i));
    }
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    inThreads(
        8,
        () -> {
          for (FetchItem item; (item = queues.take()) != null; ) {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            Thread.sleep(5);
            running.decrementAndGet();
            queues.finish(item, false);
          }
        });
    assertEquals(3, most.get());
  }

  @Test(timeout = 60_000)
  public void aQueueWithTooManyExceptionsIsDroppedAndOthersAreNot() throws Exception {
    conf.setInt("fetcher.max.exceptions.per.queue", 2);
    conf.setFloat("fetcher.server.delay", 0);
    HostQueues queues = new HostQueues(conf, Long.MAX_VALUE);
    for (int i = 0; i < 5; i++) {
      queues.add(item("http://bad.test/" + i));
      queues.add(item("http://good.test/" + i));
    }
    Map<String, Integer> given = new HashMap<>();
    for (FetchItem item; (item = queues.take()) != null; ) {
      given.merge(item.getQueueID(), 1, Integer::sum);
      queues.finish(item, false);
      if (item.getQueueID().equals("bad.test")) {
        queues.addException(item);
      }
    }
    assertEquals(Integer.valueOf(2), given.get("bad.test"));
    assertEquals(Integer.valueOf(5), given.get("good.test"));
  }

  @Test(timeout = 60_000)
  public void nothingIsGivenOutAfterTheDeadlineAndAfterAStop() throws Exception {
    HostQueues late = new HostQueues(conf, System.currentTimeMillis());
    late.add(item("http://a.test/"));
    assertNull(late.take());
    assertTrue(late.isLate());
    assertEquals(1, late.left());
    HostQueues stopped = new HostQueues(conf, Long.MAX_VALUE);
    stopped.add(item("http://a.test/"));
    stopped.stop();
    assertNull(stopped.take());
  }

  /** A worker's task. */
  private interface Task {
    void run() throws InterruptedException;
  }

  private static void inThreads(int count, Task task) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  task.run();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static FetchItem item(String url) {
    return FetchItem.create(new Text(url), new CrawlDatum(), "byHost");
  }
}
