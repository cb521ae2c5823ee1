package org.corpulyzer.cluster;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.client.Result;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;

/** The plugin in a job file on a cluster, called as Nutch's scripts call it. */
public class ClusterTest {

  @ClassRule
  public static final Deadline DEADLINE = new Deadline(900);

  /** What bin/crawl gives every job, and what it gives parse. */
  private static final List<String> COMMON = Arrays.asList("-D", "mapreduce.job.reduces=2", "-D", "mapred.child.java.opts=-Xmx250m",
      "-D", "mapreduce.reduce.speculative=false", "-D", "mapreduce.map.speculative=false", "-D", "mapreduce.map.output.compress=true");
  private static final List<String> SKIP_RECORDS = Arrays.asList("-D", "mapreduce.task.skip.start.attempts=2", "-D",
      "mapreduce.map.skip.maxrecords=1", "-D", "mapreduce.task.timeout=120000");

  private static Cluster cluster;

  @BeforeClass
  public static void startCluster() throws Exception {
    cluster = new Cluster("cluster-test");
  }

  @AfterClass
  public static void stopCluster() throws Exception {
    try {
      assertEquals(Collections.emptySet(), cluster.strayListeners());
    } finally {
      cluster.close();
    }
  }

  private static Client start(String program, List<String> options, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(Collections.singletonList(program));
    all.addAll(COMMON);
    all.addAll(options);
    all.addAll(Arrays.asList(arguments));
    return Client.start(cluster, cluster.job, all);
  }

  /** And a task of the last pass is killed on the way. */
  @Test
  public void parsesAndScores() throws Exception {
    try (Crawl crawl = new Crawl(cluster, "round", Crawl.MIDDLE_OF_BIG)) {
      crawl.fill();
      crawl.putFetched("http://rich.example/a", "article.html");
      crawl.putFetched("http://big.example/3", "article.html");
      crawl.putFetched("http://poor.example/a", "english.html");
      crawl.flush();

      start("org.apache.nutch.parse.ParserJob", SKIP_RECORDS, Crawl.BATCH, "-crawlId", "round").assertSucceeds();

      String languages = crawl.value("http://rich.example/a", "mtdt", "crp.l");
      assertNotNull("the plugin did not run in the container", languages);
      assertTrue(languages, Long.parseLong(languages.replaceAll(".*urd:(\\d+).*", "$1")) > 256);
      assertEquals(languages, crawl.value("http://big.example/3", "mtdt", "crp.l"));
      assertTrue(crawl.value("http://rich.example/a", "mtdt", "crp.d").startsWith("keep "));
      assertTrue(crawl.value("http://poor.example/a", "mtdt", "crp.d").startsWith("reject "));

      Client updater;
      AtomicReference<Map<String, String>> before = new AtomicReference<>();
      try (Fault fault = Fault.at(Fault.Point.PUT_OF_SCORE, 20, region -> {
        before.set(crawl.cellsButScores());
        Faults.killTask('m');
      })) {
        updater = start("org.corpulyzer.jobs.LrlDbUpdaterJob", Collections.emptyList(), Crawl.BATCH, "-crawlId", "round");
        updater.assertSucceeds();
        fault.assertHappenedInTheMiddle();
      }

      List<Result> rows = crawl.rows();
      assertEquals(Crawl.algorithm1(rows), Crawl.scores(rows));
      assertEquals("only scores are written", before.get(), crawl.cellsButScores());
      assertEquals("updatedb took the batch in", Crawl.BATCH, crawl.value("http://rich.example/a", "mk", "_updmrk_"));
      assertNotNull("updatedb made the rows of links", crawl.value("http://other.example/", "f", "fi"));
      assertTrue(updater.log(), updater.log().contains("LrlDbUpdaterJob: round_webpage: " + rows.size() + " pages"));
    }
  }
}
