package org.corpulyzer.cluster;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.util.Bytes;
import org.corpulyzer.cluster.Fault.Point;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TestName;
import org.junit.rules.TestRule;

/**
 * Faults in each part of a run. After another run every row has Algorithm 1's score, and no other
 * cell has changed, neither its value nor its timestamp.
 */
public class FaultMatrixFullTest {

  /**
   * For runs that nothing happens to: in the client's process, with the same job file and the same
   * HBase.
   */
  private static final String[] LOCAL = {"-D", "mapreduce.framework.name=local"};

  private static final String SCORE_JOB = "org.corpulyzer.jobs.LrlScoreJob";
  private static final int WAIT_MILLIS = 240_000;

  private static final RunningCluster<Cluster> CLUSTER =
      new RunningCluster<>(() -> new Cluster("fault-matrix"));

  @ClassRule public static final TestRule IN_TIME = CLUSTER.within(5400);

  @Rule public final Deadline deadline = new Deadline(900);
  @Rule public final TestName test = new TestName();
  private Crawl crawl;
  private Map<String, String> before;

  @Before
  public void fillTheTable() throws Exception {
    crawl = new Crawl(CLUSTER.get(), test.getMethodName(), "example.b", Crawl.MIDDLE_OF_BIG);
    crawl.fill();
    before = crawl.cellsButScores();
  }

  @After
  public void closeTheTable() throws Exception {
    crawl.close();
    CLUSTER.get().requireRegionServers(2);
  }

  private Client start(String program, String... options) throws Exception {
    List<String> all =
        new ArrayList<>(
            Arrays.asList(
                program, "-D", "mapreduce.job.reduces=1", "-D", "mapred.child.java.opts=-Xmx200m"));
    all.addAll(Arrays.asList(options));
    return Client.start(
        CLUSTER.get().folder, CLUSTER.get().clientConfiguration(), CLUSTER.get().job, all);
  }

  private Client startScoring(String... options) throws Exception {
    List<String> all = new ArrayList<>(Arrays.asList(options));
    all.addAll(Arrays.asList("-crawlId", crawl.id));
    return start(SCORE_JOB, all.toArray(new String[0]));
  }

  private void assertScored() throws Exception {
    List<Result> rows = crawl.rows();
    assertEquals(Crawl.algorithm1(rows), Crawl.scores(rows));
    assertEquals(before, crawl.cellsButScores());
  }

  private void assertRerunScores() throws Exception {
    startScoring(LOCAL).assertSucceeds();
    assertScored();
  }

  /** An incremental run must detect that the run before it did not end. */
  private void assertIncrementalRerunScores() throws Exception {
    start(SCORE_JOB, LOCAL[0], LOCAL[1], "-crawlId", crawl.id, "-incremental").assertSucceeds();
    assertScored();
  }

  /** A fault that the job itself gets over. */
  private void assertSurvives(Point point, int time, Fault.Action action) throws Exception {
    try (Fault fault = Fault.at(point, time, action)) {
      startScoring().assertSucceeds();
      fault.assertHappenedInTheMiddle();
    }
    assertScored();
    assertRerunScores();
  }

  @Test
  public void mapTaskOfPass1Killed() throws Exception {
    assertSurvives(Point.SCAN_OF_HOST_PASS, 6, region -> Faults.killTask('m'));
  }

  @Test
  public void reduceTaskOfPass1Killed() throws Exception {
    assertSurvives(Point.PUT_OF_HOST, 12, region -> Faults.killTask('r'));
  }

  @Test
  public void mapTaskOfPass2Killed() throws Exception {
    assertSurvives(Point.PUT_OF_SCORE, 60, region -> Faults.killTask('m'));
  }

  @Test
  public void everyAttemptOfATaskOfPass2Killed() throws Exception {
    try (Fault fault = Fault.at(Point.PUT_OF_SCORE, 60, region -> Faults.killTask('m'))) {
      Client client = startScoring("-D", "mapreduce.map.maxattempts=1");
      assertNotEquals(client.log(), 0, client.exit());
      fault.assertHappened();
      assertTrue(
          client.log(),
          client
              .log()
              .contains("LrlScoreJob: Job '[" + crawl.id + "]corpulyzer row scores' (job_"));
    }
    assertEquals(before, crawl.cellsButScores());
    assertIncrementalRerunScores();
  }

  @Test
  public void regionServerKilledInPass2() throws Exception {
    assertSurvives(Point.PUT_OF_SCORE, 60, FaultMatrixFullTest::killServer);
  }

  /** No server takes the regions over while the job runs. */
  @Test
  public void everyRegionServerKilledInPass2() throws Exception {
    try (Fault fault =
        Fault.at(Point.PUT_OF_SCORE, 60, region -> CLUSTER.get().killRegionServers())) {
      Client client =
          startScoring(
              "-D",
              "hbase.client.retries.number=3",
              "-D",
              "hbase.rpc.timeout=5000",
              "-D",
              "hbase.client.operation.timeout=10000",
              "-D",
              "mapreduce.map.maxattempts=1");
      assertNotEquals(0, client.exit());
      fault.assertHappened();
    }
    CLUSTER.get().requireRegionServers(2);
    assertEquals(before, crawl.cellsButScores());
    assertRerunScores();
  }

  /** The client is held while pass 1 ends, and killed before it can start pass 2. */
  @Test
  public void clientKilledBetweenThePasses() throws Exception {
    Set<String> known = new HashSet<>(CLUSTER.get().applications().keySet());
    AtomicReference<Client> client = new AtomicReference<>();
    try (Fault fault =
        Fault.at(Point.PUT_OF_HOST, 1, region -> Processes.signal("STOP", client.get().pid))) {
      client.set(startScoring());
      long end = System.currentTimeMillis() + WAIT_MILLIS;
      Map<String, String> own;
      do {
        Thread.sleep(100);
        own = CLUSTER.get().applications();
        own.keySet().removeAll(known);
      } while (System.currentTimeMillis() < end
          && !own.containsValue("SUCCEEDED [" + crawl.id + "]corpulyzer host totals"));
      fault.assertHappened();
      assertEquals(
          "pass 1 has ended, and nothing else was started",
          Collections.singletonList("SUCCEEDED [" + crawl.id + "]corpulyzer host totals"),
          new ArrayList<>(own.values()));
      client.get().kill();
      assertNotEquals(0, client.get().exit());
    }
    List<Result> rows = crawl.rows();
    assertEquals(
        "no score is written",
        Collections.singleton(null),
        new HashSet<>(Crawl.scores(rows).values()));
    assertIncrementalRerunScores();
  }

  @Test
  public void regionSplitInPass2() throws Exception {
    int regions = crawl.regions();
    try (Fault fault =
        Fault.at(Point.SCAN_OF_ROW_PASS, 8, region -> crawl.split(region.getRegionInfo()))) {
      startScoring().assertSucceeds();
      fault.assertHappenedInTheMiddle();
    }
    assertEquals(regions + 1, crawl.regions());
    assertScored();
    assertRerunScores();
  }

  @Test
  public void twoJobsAtOnce() throws Exception {
    Client second;
    try (Fault fault =
        Fault.at(
            Point.SCAN_OF_ROW_PASS,
            2,
            region -> CLUSTER.get().awaitRunning("[" + crawl.id + "]corpulyzer row scores", 2))) {
      Client first = startScoring();
      second = startScoring();
      first.assertSucceeds();
      second.assertSucceeds();
      fault.assertHappenedInTheMiddle();
    }
    assertScored();
    assertRerunScores();
  }

  /** Stock updatedb's own writes go to the server that takes over. */
  @Test
  public void regionServerKilledInUpdatedb() throws Exception {
    putBatch(crawl);
    Set<String> expected = updated(test.getMethodName() + "Twin");
    try (Fault fault = Fault.at(Point.PUT_OF_UPDATE, 10, FaultMatrixFullTest::killServer)) {
      startUpdatedb(crawl.id).assertSucceeds();
      fault.assertHappenedInTheMiddle();
    }
    assertEquals(expected, contents(crawl));
    List<Result> rows = crawl.rows();
    assertEquals(Crawl.algorithm1(rows), Crawl.scores(rows));
  }

  /** Gora would log the writes that are lost, and updatedb end with 0. */
  @Test
  public void everyRegionServerKilledInUpdatedb() throws Exception {
    putBatch(crawl);
    try (Fault fault =
        Fault.at(Point.PUT_OF_UPDATE, 10, region -> CLUSTER.get().killRegionServers())) {
      Client client =
          startUpdatedb(
              crawl.id,
              "-D",
              "hbase.client.retries.number=3",
              "-D",
              "hbase.rpc.timeout=5000",
              "-D",
              "hbase.client.operation.timeout=10000",
              "-D",
              "mapreduce.reduce.maxattempts=1");
      assertNotEquals(client.log(), 0, client.exit());
      fault.assertHappened();
      assertTrue(client.log(), client.log().contains("update-table"));
    }
    CLUSTER.get().requireRegionServers(2);
    startUpdatedb(crawl.id, LOCAL).assertSucceeds();
    List<Result> rows = crawl.rows();
    assertEquals(Crawl.algorithm1(rows), Crawl.scores(rows));
  }

  private static void putBatch(Crawl crawl) throws Exception {
    for (int i = 0; i < 30; i++) {
      crawl.putParsed(
          "http://big.example/batch" + i,
          "urd:" + i,
          "http://new" + i + ".example/",
          "http://big.example/" + (100 + i));
    }
    crawl.flush();
  }

  private Client startUpdatedb(String id, String... options) throws Exception {
    List<String> all = new ArrayList<>(Arrays.asList(options));
    // Rows are sent a few at a time, so that the fault comes between them.
    all.addAll(Arrays.asList("-D", "gora.buffer.write.limit=4", Crawl.BATCH, "-crawlId", id));
    return start("org.corpulyzer.jobs.LrlDbUpdaterJob", all.toArray(new String[0]));
  }

  /** Returns the rows that updatedb makes of the same table without a fault. */
  private Set<String> updated(String id) throws Exception {
    try (Crawl twin = new Crawl(CLUSTER.get(), id, "example.b", Crawl.MIDDLE_OF_BIG)) {
      twin.fill();
      putBatch(twin);
      startUpdatedb(id, LOCAL).assertSucceeds();
      return contents(twin);
    }
  }

  /** Every cell's coordinates and value, but for the times of fetches. */
  private static Set<String> contents(Crawl crawl) throws Exception {
    Set<String> contents = new TreeSet<>();
    for (Result row : crawl.rows()) {
      for (Cell cell : row.rawCells()) {
        String column =
            Bytes.toString(CellUtil.cloneFamily(cell))
                + ":"
                + Bytes.toStringBinary(CellUtil.cloneQualifier(cell));
        if (!column.matches("f:(p?ts|p?mod)")) {
          contents.add(
              Bytes.toString(row.getRow())
                  + " "
                  + column
                  + "="
                  + Bytes.toStringBinary(CellUtil.cloneValue(cell)));
        }
      }
    }
    return contents;
  }

  private static void killServer(RegionCoprocessorEnvironment region) {
    CLUSTER.get().killRegionServer(region.getRegionServerServices().getServerName().toString());
  }
}
