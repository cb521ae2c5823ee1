package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.metadata.Nutch;
import org.corpulyzer.engine.HostTotals;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class HostTableTest {

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private static Configuration conf(String crawlId) throws Exception {
    return conf(HBaseForTests.shared(), crawlId);
  }

  private static Configuration conf(HBaseForTests hbase, String crawlId) throws Exception {
    Configuration conf = CrawlForTests.configuration(hbase);
    conf.set(Nutch.CRAWL_ID_KEY, crawlId);
    HBaseHostTable.create(conf);
    return conf;
  }

  private static HostRecord record(String host, long pages, long time) {
    return new HostRecord(
        host,
        new HostTotals(10 * pages, pages),
        pages + 1,
        10.5f,
        1e9f,
        2.5f,
        5e8f,
        "example.a:http/",
        "batch-1",
        time,
        "urd",
        "1 web-am/1");
  }

  @Test
  public void recordsComeBackWhole() throws Exception {
    Configuration conf = conf("hosts");
    try (HostTable table = HBaseHostTable.open(conf)) {
      table.put(record("example.a", 7, 1000));
    }
    try (HostTable table = HBaseHostTable.open(conf)) {
      HostRecord found = table.find("example.a");
      assertEquals(new HostTotals(70, 7), found.totals());
      assertEquals(8, found.pages());
      assertEquals(10.5f, found.score(), 0);
      assertEquals(1e9f, found.seedScore(), 0);
      assertEquals(2.5f, found.otherScore(), 0);
      assertEquals(5e8f, found.probeScore(), 0);
      assertEquals("example.a:http/", found.probe());
      assertEquals(
          "batch-1 1000 urd 1 web-am/1",
          String.join(
              " ", found.batch(), Long.toString(found.time()), found.language(), found.version()));
      assertNull(table.find("example.b"));
    }
  }

  /**
   * Two first runs of a crawl at once. Afterwards all threads of the master of HBase 1.2 may turn
   * in a loop for as long as it lives, so the test has a master of its own.
   */
  @Test
  public void tableMayBeMadeByManyAtOnce() throws Exception {
    int many = 4;
    CyclicBarrier start = new CyclicBarrier(many);
    ExecutorService runs = Executors.newFixedThreadPool(many);
    try (HBaseForTests hbase = new HBaseForTests(folder.newFolder())) {
      List<Future<Configuration>> made = new ArrayList<>();
      for (int i = 0; i < many; i++) {
        made.add(
            runs.submit(
                () -> {
                  start.await();
                  return conf(hbase, "together");
                }));
      }
      for (int i = 0; i < many; i++) {
        try (HostTable table = HBaseHostTable.open(made.get(i).get())) {
          table.put(record("example.h" + i, i, 1000));
        }
      }
      try (HostTable table = HBaseHostTable.open(made.get(0).get())) {
        for (int i = 0; i < many; i++) {
          assertEquals(i, table.find("example.h" + i).totals().fetchedPages());
        }
      }
    } finally {
      runs.shutdownNow();
    }
  }

  @Test
  public void laterRunReplacesARecordWhateverItsClockSays() throws Exception {
    Configuration conf = conf("rerun");
    long[] clocks = {1, 2, 1};
    for (int run = 0; run < clocks.length; run++) {
      try (HostTable table = HBaseHostTable.open(conf)) {
        table.put(record("example.a", run, clocks[run]));
      }
      try (HostTable table = HBaseHostTable.open(conf)) {
        assertEquals(run, table.find("example.a").totals().fetchedPages());
      }
    }
  }

  @Test
  public void hostsAreFoundInTheOrderOfTheWebTablePastAnyReadAhead() throws Exception {
    Configuration conf = conf("many");
    // In row keys the colon follows the host: '-' and '.' sort before it, letters after it.
    List<String> hosts = new ArrayList<>(Arrays.asList("com.foo-bar", "com.foo.bar", "com.foo"));
    for (int i = 0; i < 1000; i++) {
      hosts.add(String.format("com.fooa.h%04d", i));
    }
    try (HostTable table = HBaseHostTable.open(conf)) {
      for (String host : hosts) {
        table.put(record(host, host.length(), 5));
      }
    }
    try (HostTable table = HBaseHostTable.open(conf)) {
      for (String host : hosts) {
        assertEquals(host, table.find(host).host());
        assertEquals("asked again", host, table.find(host).host());
        assertNull(table.find(host + "0"));
      }
      List<String> seen = new ArrayList<>();
      table.forEach(record -> seen.add(record.host()));
      assertEquals(hosts, seen);
    }
  }
}
