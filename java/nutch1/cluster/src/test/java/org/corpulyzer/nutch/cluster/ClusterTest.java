package org.corpulyzer.nutch.cluster;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.metadata.Nutch;
import org.apache.nutch.parse.ParseData;
import org.apache.nutch.protocol.Content;
import org.corpulyzer.cluster.Client;
import org.corpulyzer.cluster.RunningCluster;
import org.corpulyzer.jobs.ArchivesForTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TestRule;

/** Nutch 1.x with the plugin in a job file on a cluster, called as Nutch's scripts call it. */
public class ClusterTest {

  private static final RunningCluster<Cluster> CLUSTER =
      new RunningCluster<>(() -> new Cluster("nutch1-cluster-test"));

  @ClassRule public static final TestRule IN_TIME = CLUSTER.within(1200);

  private static final List<String> ONE_REDUCER = Arrays.asList("-D", "mapreduce.job.reduces=1");

  /**
   * Returns the options of jobs: here their tasks run in the container of the application master,
   * one after the other.
   */
  List<String> tasks() {
    return Arrays.asList(
        "-D", "mapreduce.job.reduces=1", "-D", "mapreduce.job.ubertask.enable=true");
  }

  @Test
  public void aSegmentIsParsedScoredExportedAndReportedInContainers() throws Exception {
    CrawlDb db = new CrawlDb(CLUSTER.get(), "round").write();
    Path segment = new Path("/segments/20260101000000");
    writeSegment(segment);
    String languages = parse(segment);
    score(db, segment, languages);
    export(segment);
    report(segment);
  }

  /** Returns the figures of the page in Urdu. */
  private static String parse(Path segment) throws Exception {
    CLUSTER
        .get()
        .start(
            "org.apache.nutch.parse.ParseSegment",
            ONE_REDUCER,
            segment.toString(),
            "-noFilter",
            "-noNormalize")
        .assertSucceeds();
    String languages = parsed(segment, "http://host0.example/article").get("crp.l");
    assertNotNull("the plugin did not run in the container", languages);
    assertTrue(languages, Long.parseLong(languages.replaceAll(".*urd:(\\d+).*", "$1")) > 256);
    assertTrue(parsed(segment, "http://host0.example/article").get("crp.d").startsWith("keep "));
    assertTrue(parsed(segment, "http://host10.example/english").get("crp.d").startsWith("reject "));
    return languages;
  }

  private void score(CrawlDb db, Path segment, String languages) throws Exception {
    int jobs = CLUSTER.get().jobs();
    Client client =
        CLUSTER
            .get()
            .start(
                "org.corpulyzer.jobs.LrlCrawlDb",
                tasks(),
                db.folder.toString(),
                segment.toString());
    client.assertSucceeds();
    assertEquals("updatedb and both passes ran on YARN", jobs + 3, CLUSTER.get().jobs());
    assertTrue(client.log(), client.log().contains("LrlCrawlDb: "));
    Map<String, CrawlDatum> rows = db.rows();
    assertEquals(CrawlDb.algorithm1(rows), CrawlDb.scores(rows));
    String key =
        rows.keySet().stream()
            .filter(row -> row.endsWith(" http://host0.example/article"))
            .findFirst()
            .get();
    assertEquals(
        "updatedb brought the figures",
        languages,
        rows.get(key).getMetaData().get(new Text("crp.l")).toString());
    assertEquals(
        (float) Long.parseLong(languages.replaceAll(".*urd:(\\d+).*", "$1")),
        rows.get(key).getScore(),
        0);
    assertTrue("updatedb made the rows of links", rows.size() > 6002);
    assertArrayEquals(new String[] {"hosts"}, db.names("corpulyzer"));
  }

  private void export(Path segment) throws Exception {
    CLUSTER
        .get()
        .start(
            "org.corpulyzer.jobs.CorpusExportJob",
            tasks(),
            "-format",
            "warc",
            "/export",
            segment.toString())
        .assertSucceeds();
    assertEquals("the page that was kept", 1, exported("/export"));
  }

  private void report(Path segment) throws Exception {
    CLUSTER
        .get()
        .start("org.corpulyzer.jobs.CorpusReportJob", tasks(), "/report", segment.toString())
        .assertSucceeds();
    try (InputStream in = CLUSTER.get().files().open(new Path("/report/report.json"))) {
      String report = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(report, report.contains("\"pages\": 1,\n          \"rejected\": 1,"));
    }
  }

  @Test
  public void archivesOnHdfsBecomeTheCorporaThatCollectMakes() throws Exception {
    java.nio.file.Path local = Files.createDirectories(CLUSTER.get().folder().resolve("archives"));
    List<java.nio.file.Path> files = ArchivesForTests.write(local);
    Path archives = new Path("/archives");
    for (java.nio.file.Path file : files) {
      Path copy = new Path(archives, file.getFileName().toString());
      CLUSTER.get().files().copyFromLocalFile(new Path(file.toUri()), copy);
    }

    int jobs = CLUSTER.get().jobs();
    Client client =
        CLUSTER
            .get()
            .start(
                "org.corpulyzer.jobs.WarcCorpusJob",
                tasks(),
                "-language",
                "ur,en",
                "/corpora",
                archives.toString());
    client.assertSucceeds();
    assertEquals("one job ran on YARN", jobs + 1, CLUSTER.get().jobs());
    assertTrue(client.log(), client.log().contains("pages of 4 archives in "));

    Map<String, List<String>> expected =
        ArchivesForTests.collected(local.resolve("collected"), files, "ur,en");
    assertEquals(Arrays.asList("eng", "urd"), new ArrayList<>(expected.keySet()));
    for (Map.Entry<String, List<String>> corpus : expected.entrySet()) {
      assertFalse(corpus.getKey(), corpus.getValue().isEmpty());
      assertEquals(
          String.join("\n", corpus.getValue()),
          String.join("\n", lines(new Path("/corpora", corpus.getKey()))));
    }
  }

  /** The lines of the files of a corpus on HDFS, sorted. */
  private static List<String> lines(Path corpus) throws IOException {
    List<String> lines = new ArrayList<>();
    for (FileStatus file : CLUSTER.get().files().globStatus(new Path(corpus, "*.jsonl.gz"))) {
      try (InputStream in = new GZIPInputStream(CLUSTER.get().files().open(file.getPath()))) {
        lines.addAll(
            Arrays.asList(new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")));
      }
    }
    Collections.sort(lines);
    return lines;
  }

  /** As the fetcher leaves it: two pages, one of them in Urdu. */
  private static void writeSegment(Path segment) throws IOException {
    java.nio.file.Path pages =
        Paths.get(System.getProperty("corpulyzer.root"), "tests", "vectors", "parsefilter");
    Map<Text, Content> contents = new TreeMap<>();
    Map<Text, CrawlDatum> fetches = new TreeMap<>();
    for (String[] page :
        new String[][] {
          {"http://host0.example/article", "article.html"},
          {"http://host10.example/english", "english.html"}
        }) {
      Metadata metadata = new Metadata();
      metadata.set("Content-Type", "text/html; charset=utf-8");
      metadata.set(Nutch.SEGMENT_NAME_KEY, segment.getName());
      metadata.set(Nutch.SCORE_KEY, "1.0");
      metadata.set(Nutch.FETCH_STATUS_KEY, Integer.toString(CrawlDatum.STATUS_FETCH_SUCCESS));
      Content content =
          new Content(
              page[0],
              page[0],
              Files.readAllBytes(pages.resolve(page[1])),
              "text/html",
              metadata,
              CLUSTER.get().conf());
      content.setContentType("text/html");
      contents.put(new Text(page[0]), content);
      CrawlDatum fetch = new CrawlDatum(CrawlDatum.STATUS_FETCH_SUCCESS, 86_400);
      fetch.setFetchTime(1_767_225_600_000L);
      fetch.getMetaData().put(new Text(Metadata.CONTENT_TYPE), new Text("text/html"));
      fetches.put(new Text(page[0]), fetch);
    }
    CrawlDb.writeMap(
        CLUSTER.get().conf(),
        new Path(segment, Content.DIR_NAME + "/part-r-00000"),
        Content.class,
        contents);
    CrawlDb.writeMap(
        CLUSTER.get().conf(),
        new Path(segment, CrawlDatum.FETCH_DIR_NAME + "/part-r-00000"),
        CrawlDatum.class,
        fetches);
  }

  private static Metadata parsed(Path segment, String url) throws IOException {
    FileStatus[] parts =
        CLUSTER.get().files().globStatus(new Path(segment, ParseData.DIR_NAME + "/part-*"));
    for (FileStatus part : parts) {
      try (MapFile.Reader reader = new MapFile.Reader(part.getPath(), CLUSTER.get().conf())) {
        ParseData data = new ParseData();
        if (reader.get(new Text(url), data) != null) {
          return data.getParseMeta();
        }
      }
    }
    throw new AssertionError(url + " is not in " + Arrays.toString(parts));
  }

  /** Pages in the WARC files of an export on HDFS. */
  private static long exported(String folder) throws IOException {
    long pages = 0;
    for (FileStatus file : CLUSTER.get().files().globStatus(new Path(folder, "corpus-*.warc.gz"))) {
      try (InputStream in = new GZIPInputStream(CLUSTER.get().files().open(file.getPath()))) {
        pages +=
            new String(in.readAllBytes(), StandardCharsets.ISO_8859_1)
                    .split("WARC-Type: (response|resource)\r\n", -1)
                    .length
                - 1;
      }
    }
    return pages;
  }
}
