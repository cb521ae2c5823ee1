package org.corpulyzer.nutch.cluster;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.corpulyzer.cluster.Client;
import org.corpulyzer.cluster.RunningCluster;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TestRule;

/**
 * Policy {@code pages} with stock Nutch's generate, in containers: some forty JVMs for ten jobs.
 */
public class PolicyPagesFullTest {

  private static final RunningCluster<Cluster> CLUSTER =
      new RunningCluster<>(() -> new Cluster("nutch1-policy-pages"));

  @ClassRule public static final TestRule IN_TIME = CLUSTER.within(1200);

  private static final Text PREDICTION = new Text("_crpprd_");

  @Test
  public void policyPagesChoosesInAContainerWhatGenerateTakes() throws Exception {
    int top = 100;
    List<String> pages =
        Arrays.asList(
            "-Dcorpulyzer.score.policy=pages:50",
            "-Dcorpulyzer.score.topN=" + top,
            "-Dmapreduce.job.reduces=2");
    CrawlDb db = new CrawlDb(CLUSTER.get(), "pages").write();
    Map<String, CrawlDatum> before = db.rows();
    int jobs = CLUSTER.get().jobs();
    Client client =
        CLUSTER.get().start("org.corpulyzer.jobs.LrlScoreJob", pages, db.folder.toString());
    client.assertSucceeds();
    assertEquals("both passes and the choice ran on YARN", jobs + 3, CLUSTER.get().jobs());
    assertTrue(client.log(), client.log().contains("; 100 rows chosen, "));
    Map<String, CrawlDatum> rows = db.rows();
    assertEquals(before.keySet(), rows.keySet());
    Set<String> predicted = predicted(rows, 1);
    assertFalse(predicted.isEmpty());

    CLUSTER
        .get()
        .start(
            "org.apache.nutch.crawl.Generator",
            Arrays.asList("-Dgenerate.update.crawldb=false", "-Dmapreduce.job.reduces=1"),
            db.folder.toString(),
            "/pages-segments",
            "-topN",
            Integer.toString(top),
            "-noNorm",
            "-noFilter")
        .assertSucceeds();
    Set<String> generated = generated("/pages-segments");
    assertEquals(top, generated.size());
    assertTrue(predicted + " in " + generated, generated.containsAll(predicted));
    double least =
        rows.values().stream().mapToDouble(row -> -row.getScore()).sorted().toArray()[99];
    rows.forEach(
        (key, row) -> assertEquals(key, generated.contains(url(key)), row.getScore() >= -least));

    Path segment = new Path("/segments/20260102000000");
    db.writeSegment(segment);
    client =
        CLUSTER
            .get()
            .start(
                "org.corpulyzer.jobs.LrlCrawlDb", pages, db.folder.toString(), segment.toString());
    client.assertSucceeds();
    assertTrue(client.log(), client.log().contains("; the last choice: "));
    assertFalse(predicted(db.rows(), 2).isEmpty());
  }

  /** The URLs of rows that a choice predicted. */
  private static Set<String> predicted(Map<String, CrawlDatum> rows, int round) {
    return rows.entrySet().stream()
        .filter(row -> row.getValue().getMetaData().containsKey(PREDICTION))
        .filter(
            row -> row.getValue().getMetaData().get(PREDICTION).toString().startsWith(round + " "))
        .map(row -> url(row.getKey()))
        .collect(Collectors.toSet());
  }

  private static String url(String key) {
    return key.substring(key.indexOf(' ') + 1);
  }

  /** The URLs of the one segment in a folder. */
  private static Set<String> generated(String segments) throws IOException {
    Set<String> urls = new TreeSet<>();
    for (FileStatus part :
        CLUSTER.get().files().globStatus(new Path(segments, "*/crawl_generate/part-*"))) {
      try (SequenceFile.Reader reader =
          new SequenceFile.Reader(CLUSTER.get().conf(), SequenceFile.Reader.file(part.getPath()))) {
        Text url = new Text();
        while (reader.next(url)) {
          urls.add(url.toString());
        }
      }
    }
    return urls;
  }
}
