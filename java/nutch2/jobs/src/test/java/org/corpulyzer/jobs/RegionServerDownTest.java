package org.corpulyzer.jobs;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.util.ToolRunner;
import org.apache.nutch.crawl.CrawlStatus;
import org.corpulyzer.engine.HostTotals;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Gora logs a write to a server that is gone and goes on; ours fail. */
public class RegionServerDownTest {

  @Rule public final TemporaryFolder folder = new TemporaryFolder(new File("."));

  @Test(timeout = 240_000)
  public void jobsFailWhenTheRegionServerIsGone() throws Exception {
    try (HBaseForTests hbase = new HBaseForTests(folder.getRoot());
        CrawlForTests crawl = new CrawlForTests(hbase, "down")) {
      for (int i = 0; i < 100; i++) {
        crawl.put("http://a.example/" + i, CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "urd:5"));
      }
      crawl.flush();
      Configuration conf = crawl.conf();
      assertEquals(
          "while it is there",
          0,
          ToolRunner.run(conf, new LrlDbUpdaterJob(), new String[] {"-all", "-crawlId", "down"}));
      HostTable hosts = HBaseHostTable.open(conf);
      Path changed = new Path(folder.getRoot().getAbsolutePath(), "changed");
      assertTrue(
          HostPass.job(conf, WebTable.of(conf), new ScoreRun("-", 1), null, changed, true)
              .waitForCompletion(false));
      Job second = RowPass.job(conf, WebTable.of(conf), changed, true, null);
      second.getConfiguration().setBoolean("fail.on.job.failure", false);

      hbase.stopRegionServer();

      assertFails(() -> second.waitForCompletion(false) ? 0 : 1);
      assertFails(() -> ToolRunner.run(conf, new LrlScoreJob(), new String[] {"-crawlId", "down"}));
      assertFails(
          () ->
              ToolRunner.run(
                  conf, new LrlDbUpdaterJob(), new String[] {"-all", "-crawlId", "down"}));
      assertFails(
          () -> {
            hosts.put(
                new HostRecord(
                    "example.a", HostTotals.NONE, 1, 1f, 1f, 1f, 1f, "", "-", 1, "urd", "1"));
            hosts.close();
            return 0;
          });
    }
  }

  /** As Tools.main has it: an exception and a code other than 0 are both a failure. */
  private static void assertFails(Callable<Integer> command) {
    int code;
    try {
      code = command.call();
    } catch (Exception e) {
      code = 1;
    }
    assertNotEquals(0, code);
  }
}
