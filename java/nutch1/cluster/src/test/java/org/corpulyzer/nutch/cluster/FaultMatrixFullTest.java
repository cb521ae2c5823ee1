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
import org.apache.nutch.crawl.CrawlDatum;
import org.corpulyzer.cluster.Client;
import org.corpulyzer.cluster.Deadline;
import org.corpulyzer.cluster.Processes;
import org.corpulyzer.cluster.RunningCluster;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TestName;
import org.junit.rules.TestRule;

/**
 * Faults in each pass over CrawlDb. CrawlDb is whole at every moment at which a test checks it.
 * After another run, every row has Algorithm 1's score, no other cell has changed, and no folder of
 * a run is left.
 */
public class FaultMatrixFullTest {

  private static final String SCORE_JOB = "org.corpulyzer.jobs.LrlScoreJob";
  private static final String MAP_OF_PASS_1 = "org.corpulyzer.jobs.HostPass:TotalsMapper#map";
  private static final String REDUCE_OF_PASS_1 = "org.corpulyzer.jobs.HostPass:ScoreReducer#reduce";
  private static final String MAP_OF_PASS_2 = "org.corpulyzer.jobs.RowPass:ScoreMapper#map";

  /** Of 3000 rows of a part, and of 120 hosts of a reduce task. */
  private static final int ROWS = 1500;

  private static final int HOSTS = 60;

  private static final RunningCluster<Cluster> CLUSTER =
      new RunningCluster<>(() -> new Cluster("nutch1-fault-matrix"));

  @ClassRule public static final TestRule IN_TIME = CLUSTER.within(5400);

  @Rule public final Deadline deadline = new Deadline(900);
  @Rule public final TestName test = new TestName();
  private CrawlDb db;
  private Map<String, CrawlDatum> before;

  @Before
  public void fill() throws Exception {
    db = new CrawlDb(CLUSTER.get(), test.getMethodName()).write();
    before = db.rows();
  }

  /** Another run, in the client's process, with the same job file and the same HDFS. */
  @After
  public void rerun() throws Exception {
    startScoring(Arrays.asList("-D", "mapreduce.framework.name=local"), "-force").assertSucceeds();
    assertScored();
    assertArrayEquals(new String[] {"hosts"}, db.names("corpulyzer"));
    assertArrayEquals(new String[] {"corpulyzer", "current", "old"}, db.names(""));
  }

  private Client startScoring(List<String> options, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(Collections.singletonList(db.folder.toString()));
    all.addAll(Arrays.asList(arguments));
    return CLUSTER.get().start(SCORE_JOB, options, all.toArray(new String[0]));
  }

  private void assertScored() throws Exception {
    Map<String, CrawlDatum> rows = db.rows();
    assertEquals(CrawlDb.algorithm1(before), CrawlDb.scores(rows));
    assertEquals(
        "only scores are written", CrawlDb.allButScores(before), CrawlDb.allButScores(rows));
  }

  private void assertUntouched() throws Exception {
    Map<String, CrawlDatum> rows = db.rows();
    assertEquals(CrawlDb.scores(before), CrawlDb.scores(rows));
    assertEquals(CrawlDb.allButScores(before), CrawlDb.allButScores(rows));
  }

  /**
   * @param kind {@code m} or {@code r}, as in the name of an attempt
   */
  private void killsTask(String method, int calls, char kind) throws Exception {
    try (Pause pause = new Pause(CLUSTER.get().folder(), method, calls)) {
      Client client = startScoring(pause.options());
      Processes.signal("KILL", pause.await(client));
      client.assertSucceeds();
      assertTrue(
          client.log(),
          client
              .log()
              .matches("(?s).*Task Id : attempt_\\d+_\\d+_" + kind + "_\\d+_0, Status : FAILED.*"));
    }
    assertScored();
  }

  @Test
  public void aMapTaskOfPass1IsKilled() throws Exception {
    killsTask(MAP_OF_PASS_1, ROWS, 'm');
  }

  @Test
  public void aReduceTaskOfPass1IsKilled() throws Exception {
    killsTask(REDUCE_OF_PASS_1, HOSTS, 'r');
  }

  @Test
  public void aMapTaskOfPass2IsKilled() throws Exception {
    killsTask(MAP_OF_PASS_2, ROWS, 'm');
  }

  private void failsWithoutAttempts(String method, int calls) throws Exception {
    try (Pause pause = new Pause(CLUSTER.get().folder(), method, calls)) {
      List<String> options = new ArrayList<>(pause.options());
      options.addAll(
          Arrays.asList(
              "-D", "mapreduce.map.maxattempts=1", "-D", "mapreduce.reduce.maxattempts=1"));
      Client client = startScoring(options);
      Processes.signal("KILL", pause.await(client));
      assertNotEquals(0, client.exit());
    }
    assertUntouched();
    assertArrayEquals("no file of the run, no lock", new String[] {"current"}, withoutOurs());
    assertArrayEquals(new String[0], db.names("corpulyzer"));
  }

  private String[] withoutOurs() throws Exception {
    return Arrays.stream(db.names(""))
        .filter(name -> !name.equals("corpulyzer"))
        .toArray(String[]::new);
  }

  @Test
  public void theReduceTaskOfPass1HasNoAttemptLeft() throws Exception {
    failsWithoutAttempts(REDUCE_OF_PASS_1, HOSTS);
  }

  @Test
  public void aMapTaskOfPass2HasNoAttemptLeft() throws Exception {
    failsWithoutAttempts(MAP_OF_PASS_2, ROWS);
  }

  /** The job that the client started runs on without it, and ends before the next run. */
  private void killsClient(String method, int calls) throws Exception {
    try (Pause pause = new Pause(CLUSTER.get().folder(), method, calls)) {
      Client client = startScoring(pause.options());
      pause.await(client);
      client.kill();
      pause.release();
      CLUSTER.get().awaitIdle();
    }
    assertUntouched();
    assertArrayEquals(
        "Nutch's jobs see the lock", new String[] {".locked", "current"}, withoutOurs());
    Client refused = startScoring(Collections.emptyList());
    assertNotEquals(0, refused.exit());
    assertTrue(refused.log(), refused.log().contains("is locked"));
    assertUntouched();
  }

  @Test
  public void theClientIsKilledInPass1() throws Exception {
    killsClient(MAP_OF_PASS_1, ROWS);
  }

  @Test
  public void theClientIsKilledInPass2() throws Exception {
    killsClient(MAP_OF_PASS_2, ROWS);
  }

  @Test
  public void theClientIsKilledBetweenThePasses() throws Exception {
    int jobs = CLUSTER.get().jobs();
    try (Pause pause = new Pause(CLUSTER.get().folder(), REDUCE_OF_PASS_1, HOSTS)) {
      Client client = startScoring(pause.options());
      pause.await(client);
      // So that it does not start pass 2 when pass 1 has ended.
      Processes.signal("STOP", client.pid);
      pause.release();
      CLUSTER.get().awaitIdle();
      client.kill();
    }
    assertEquals(jobs + 1, CLUSTER.get().jobs());
    assertUntouched();
    assertEquals("the host table of the run", 1, db.names("corpulyzer").length);
  }

  /** An operator who is in a hurry passes -force while tasks of the killed client still write. */
  @Test
  public void anotherRunTakesOverWhilePass2OfAKilledClientWrites() throws Exception {
    try (Pause pause = new Pause(CLUSTER.get().folder(), MAP_OF_PASS_2, ROWS)) {
      Client client = startScoring(pause.options());
      pause.await(client);
      client.kill();
      startScoring(Collections.emptyList(), "-force").assertSucceeds();
      assertScored();
      pause.release();
      CLUSTER.get().awaitIdle();
    }
    assertScored();
  }
}
