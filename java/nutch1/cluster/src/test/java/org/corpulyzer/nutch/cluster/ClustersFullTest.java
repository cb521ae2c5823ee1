package org.corpulyzer.nutch.cluster;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.corpulyzer.cluster.Client;
import org.corpulyzer.cluster.RunningCluster;
import org.corpulyzer.jobs.ArchivesForTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TestRule;

/** Clusters of near-duplicate pages in containers, over files on HDFS: a job for each step. */
public class ClustersFullTest {

  private static final RunningCluster<Cluster> CLUSTER =
      new RunningCluster<>(() -> new Cluster("nutch1-near-duplicates"));

  @ClassRule public static final TestRule IN_TIME = CLUSTER.within(1200);

  @Test
  public void linesAreThoseOfTheCommandOverTheSameFiles() throws Exception {
    java.nio.file.Path local = Files.createDirectories(CLUSTER.get().folder().resolve("lines"));
    List<java.nio.file.Path> files = ArchivesForTests.writeLines(local);
    for (java.nio.file.Path file : files) {
      Path copy = new Path("/lines", file.getFileName().toString());
      CLUSTER.get().files().copyFromLocalFile(new Path(file.toUri()), copy);
    }

    int jobs = CLUSTER.get().jobs();
    Client client =
        CLUSTER
            .get()
            .start(
                "org.corpulyzer.jobs.CorpusClusterJob",
                Collections.emptyList(),
                "/clustered",
                "/lines");
    client.assertSucceeds();
    assertTrue("every step ran on YARN", CLUSTER.get().jobs() >= jobs + 6);
    assertTrue(client.log(), client.log().contains("CorpusClusterJob: 423 pages in 3 files"));

    StringBuilder found = new StringBuilder();
    FileStatus[] parts = CLUSTER.get().files().globStatus(new Path("/clustered", "*.jsonl.gz"));
    Arrays.sort(parts);
    for (FileStatus part : parts) {
      try (InputStream in = new GZIPInputStream(CLUSTER.get().files().open(part.getPath()))) {
        found.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    List<String> expected =
        ArchivesForTests.clustered(CLUSTER.get().folder().resolve("command.jsonl"), files);
    assertEquals(String.join("\n", expected), found.toString().trim());
  }
}
