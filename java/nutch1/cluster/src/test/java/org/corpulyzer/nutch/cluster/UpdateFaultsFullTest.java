package org.corpulyzer.nutch.cluster;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.nutch.crawl.CrawlDatum;
import org.corpulyzer.cluster.Client;
import org.corpulyzer.cluster.Deadline;
import org.corpulyzer.cluster.Processes;
import org.corpulyzer.cluster.RunningCluster;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TestName;
import org.junit.rules.TestRule;

/**
 * Faults in Nutch's own updatedb, which {@code LrlCrawlDb} runs before the passes. CrawlDb is whole
 * at every moment at which a test checks it. In the end it has the rows that the same command makes
 * of the same segment without a fault, with the scores of Algorithm 1.
 */
public class UpdateFaultsFullTest {

  private static final String MAP = "org.apache.nutch.crawl.CrawlDbFilter#map";
  private static final String REDUCE = "org.apache.nutch.crawl.CrawlDbReducer#reduce";

  /** Of 3000 rows of a part, and of more URLs of a reduce task. */
  private static final int CALLS = 1500;

  private static final RunningCluster<Cluster> CLUSTER =
      new RunningCluster<>(() -> new Cluster("nutch1-update-faults"));

  @ClassRule public static final TestRule IN_TIME = CLUSTER.within(5400);

  @Rule public final Deadline deadline = new Deadline(900);
  @Rule public final TestName test = new TestName();
  private CrawlDb db;
  private Path segment;
  private Map<String, CrawlDatum> before;
  private Map<String, String> expected;

  /** Updates another CrawlDb of the same rows where nothing goes wrong. */
  @Before
  public void fill() throws Exception {
    segment = new Path("/segments-" + test.getMethodName() + "/20260101000000");
    CrawlDb twin = new CrawlDb(CLUSTER.get(), test.getMethodName() + "-twin").write();
    twin.writeSegment(segment);
    update(twin, Arrays.asList("-D", "mapreduce.framework.name=local")).assertSucceeds();
    expected = CrawlDb.allButScoresAndTimes(twin.rows());
    db = new CrawlDb(CLUSTER.get(), test.getMethodName()).write();
    before = db.rows();
    assertTrue(expected.size() > before.size());
  }

  private Client update(CrawlDb crawlDb, List<String> options, String... more) throws Exception {
    List<String> arguments =
        new ArrayList<>(Arrays.asList(crawlDb.folder.toString(), segment.toString()));
    arguments.addAll(Arrays.asList(more));
    return CLUSTER
        .get()
        .start("org.corpulyzer.jobs.LrlCrawlDb", options, arguments.toArray(new String[0]));
  }

  private void assertUpdated() throws Exception {
    Map<String, CrawlDatum> rows = db.rows();
    assertEquals(expected, CrawlDb.allButScoresAndTimes(rows));
    assertEquals(CrawlDb.algorithm1(rows), CrawlDb.scores(rows));
    assertArrayEquals(new String[] {"hosts"}, db.names("corpulyzer"));
  }

  private void assertUntouched() throws Exception {
    Map<String, CrawlDatum> rows = db.rows();
    assertEquals(CrawlDb.scores(before), CrawlDb.scores(rows));
    assertEquals(CrawlDb.allButScores(before), CrawlDb.allButScores(rows));
    assertArrayEquals("no pass has begun", new String[0], db.names("corpulyzer"));
  }

  private void killsTask(String method, char kind) throws Exception {
    try (Pause pause = new Pause(CLUSTER.get().folder(), method, CALLS)) {
      Client client = update(db, pause.options());
      Processes.signal("KILL", pause.await(client));
      client.assertSucceeds();
      assertTrue(
          client.log(),
          client
              .log()
              .matches("(?s).*Task Id : attempt_\\d+_\\d+_" + kind + "_\\d+_0, Status : FAILED.*"));
    }
    assertUpdated();
  }

  @Test
  public void aMapTaskOfUpdatedbIsKilled() throws Exception {
    killsTask(MAP, 'm');
  }

  @Test
  public void aReduceTaskOfUpdatedbIsKilled() throws Exception {
    killsTask(REDUCE, 'r');
  }

  @Test
  public void theReduceTaskOfUpdatedbHasNoAttemptLeft() throws Exception {
    int jobs = CLUSTER.get().jobs();
    try (Pause pause = new Pause(CLUSTER.get().folder(), REDUCE, CALLS)) {
      List<String> options = new ArrayList<>(pause.options());
      options.addAll(Arrays.asList("-D", "mapreduce.reduce.maxattempts=1"));
      Client client = update(db, options);
      Processes.signal("KILL", pause.await(client));
      assertNotEquals(client.log(), 0, client.exit());
    }
    assertEquals("no pass was started", jobs + 1, CLUSTER.get().jobs());
    assertUntouched();
    assertArrayEquals("no lock", new String[] {"current"}, db.names(""));
    update(db, Collections.emptyList()).assertSucceeds();
    assertUpdated();
  }

  @Test
  public void theClientIsKilledInUpdatedb() throws Exception {
    int jobs = CLUSTER.get().jobs();
    try (Pause pause = new Pause(CLUSTER.get().folder(), REDUCE, CALLS)) {
      Client client = update(db, pause.options());
      pause.await(client);
      client.kill();
      pause.release();
      CLUSTER.get().awaitIdle();
    }
    assertEquals("no pass was started", jobs + 1, CLUSTER.get().jobs());
    assertUntouched();
    assertTrue(Arrays.asList(db.names("")).contains(".locked"));
    Client refused = update(db, Collections.emptyList());
    assertNotEquals(0, refused.exit());
    assertTrue(refused.log(), refused.log().contains("is locked"));
    assertUntouched();
    update(db, Collections.emptyList(), "-force").assertSucceeds();
    assertUpdated();
  }
}
