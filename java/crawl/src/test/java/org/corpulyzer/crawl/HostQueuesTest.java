package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
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
    HostQueues queues = new HostQueues(conf, -1);
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
            long now = System.nanoTime();
            String host = item.getQueueID();
            if (running.computeIfAbsent(host, key -> new AtomicInteger()).incrementAndGet() > 1) {
              wrong.add(item.getUrl() + " beside another");
            }
            Long last = ended.get(host);
            if (last != null && now - last < 50_000_000) {
              wrong.add(item.getUrl() + " too early");
            }
            given.add(item.getUrl().toString());
            Thread.sleep(5);
            running.get(host).decrementAndGet();
            ended.put(host, System.nanoTime());
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
    HostQueues queues = new HostQueues(conf, -1);
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
    HostQueues queues = new HostQueues(conf, -1);
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
    HostQueues queues = new HostQueues(conf, -1);
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
    HostQueues queues = new HostQueues(conf, -1);
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
  public void aHostThatRefusesWaitsLongerAndLongerAndIsSetAside() throws Exception {
    conf.setFloat("fetcher.server.delay", 0);
    HostQueues queues = new HostQueues(conf, -1);
    for (int i = 0; i < 9; i++) {
      queues.add(item("http://busy.test/" + i));
    }
    List<Long> times = new ArrayList<>();
    FetchItem item;
    for (int i = 1; (item = queues.take()) != null; i++) {
      times.add(System.currentTimeMillis());
      if (i == 2) {
        queues.finish(item, false);
        queues.answered(item);
      } else {
        assertEquals("refusal " + i, i == 5, queues.refuse(item, 0, HostQueues.MAX_REFUSALS));
      }
    }
    assertEquals("the others are left", 5, times.size());
    assertEquals(0, queues.left());
    assertTrue(times.get(1) - times.get(0) >= 1000);
    assertTrue(times.get(3) - times.get(2) >= 1000);
    assertTrue(times.get(4) - times.get(3) >= 2000);
  }

  @Test(timeout = 60_000)
  public void aHostGetsTheTimeThatItAsksForOrIsSetAside() throws Exception {
    conf.setFloat("fetcher.server.delay", 0);
    HostQueues queues = new HostQueues(conf, -1);
    for (int i = 0; i < 3; i++) {
      queues.add(item("http://busy.test/" + i));
    }
    FetchItem item = queues.take();
    long now = System.currentTimeMillis();
    assertFalse(queues.refuse(item, 3000, HostQueues.MAX_REFUSALS));
    item = queues.take();
    assertTrue(System.currentTimeMillis() - now >= 3000);
    assertTrue(queues.refuse(item, 3_600_000, HostQueues.MAX_REFUSALS));
    assertNull(queues.take());
  }

  @Test
  public void aHostThatIsSetAsideIsRememberedUntilItAnswers() throws Exception {
    java.nio.file.Path file = java.nio.file.Files.createTempFile("waits", ".tsv");
    conf.set(HostWaits.FILE, file.toString());
    HostWaits waits = HostWaits.of(conf);
    waits.refused("a.test", 0, 1000);
    waits.refused("b.test", 7_200_000, 1000);
    waits.save();
    waits = HostWaits.of(conf);
    assertTrue(waits.isWaiting("a.test", 1000 + HostWaits.FIRST_MILLIS - 1));
    assertFalse(waits.isWaiting("a.test", 1000 + HostWaits.FIRST_MILLIS));
    assertEquals(7_201_000, waits.until("b.test"));
    assertFalse(waits.isWaiting("c.test", 0));
    assertFalse(
        "no host asks for so long: the clock was wrong when this was stored",
        waits.isWaiting("b.test", 7_201_000 - HostWaits.MAX_MILLIS - 1));
    waits.refused("a.test", 0, 1000);
    assertEquals("twice as long", 1000 + 2 * HostWaits.FIRST_MILLIS, waits.until("a.test"));
    waits.answered("a.test");
    waits.save();
    assertFalse(HostWaits.of(conf).isWaiting("a.test", 1001));
    java.nio.file.Files.delete(file);
  }

  @Test(timeout = 60_000)
  public void nothingIsGivenOutAfterTheDeadlineAndAfterAStop() throws Exception {
    HostQueues late = new HostQueues(conf, 0);
    late.add(item("http://a.test/"));
    assertNull(late.take());
    assertTrue(late.isLate());
    assertEquals(1, late.left());
    HostQueues stopped = new HostQueues(conf, -1);
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
