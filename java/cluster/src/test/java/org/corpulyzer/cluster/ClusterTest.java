package org.corpulyzer.cluster;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPInputStream;
import org.apache.commons.io.IOUtils;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.nutch.crawl.CrawlStatus;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.TestRule;

/** The plugin in a job file on a cluster, called as Nutch's scripts call it. */
public class ClusterTest {

  private static final RunningCluster<Cluster> CLUSTER =
      new RunningCluster<>(() -> new Cluster("cluster-test"));

  @ClassRule public static final TestRule IN_TIME = CLUSTER.within(900);

  /** The arguments that bin/crawl passes to every job, and those that it passes to parse. */
  private static final List<String> COMMON =
      Arrays.asList(
          "-D",
          "mapreduce.job.reduces=2",
          "-D",
          "mapred.child.java.opts=-Xmx250m",
          "-D",
          "mapreduce.reduce.speculative=false",
          "-D",
          "mapreduce.map.speculative=false",
          "-D",
          "mapreduce.map.output.compress=true");

  private static final List<String> SKIP_RECORDS =
      Arrays.asList(
          "-D",
          "mapreduce.task.skip.start.attempts=2",
          "-D",
          "mapreduce.map.skip.maxrecords=1",
          "-D",
          "mapreduce.task.timeout=120000");

  /**
   * Returns the options of jobs: here their tasks run in the container of the application master,
   * one after the other.
   */
  List<String> tasks() {
    return Arrays.asList(
        "-D", "mapreduce.job.reduces=1", "-D", "mapreduce.job.ubertask.enable=true");
  }

  @ClassRule public static final TemporaryFolder folders = new TemporaryFolder();

  private static Client start(String program, List<String> options, String... arguments)
      throws Exception {
    return start(CLUSTER.get().job, program, options, arguments);
  }

  private static Client start(Path job, String program, List<String> options, String... arguments)
      throws Exception {
    List<String> all = new ArrayList<>(Collections.singletonList(program));
    all.addAll(COMMON);
    all.addAll(options);
    all.addAll(Arrays.asList(arguments));
    return Client.start(CLUSTER.get().folder, CLUSTER.get().clientConfiguration(), job, all);
  }

  @Test
  public void parsesAndScores() throws Exception {
    try (Crawl crawl = new Crawl(CLUSTER.get(), "round", Crawl.MIDDLE_OF_BIG)) {
      crawl.fill();
      crawl.putFetched("http://rich.example/a", "article.html");
      crawl.putFetched("http://big.example/3", "article.html");
      crawl.putFetched("http://poor.example/a", "english.html");
      crawl.flush();

      parses(crawl);
      scoresAlthoughATaskIsKilled(crawl);
      reports(crawl.rows());
      exports();
    }
  }

  private static void parses(Crawl crawl) throws Exception {
    start("org.apache.nutch.parse.ParserJob", SKIP_RECORDS, Crawl.BATCH, "-crawlId", "round")
        .assertSucceeds();

    String languages = crawl.value("http://rich.example/a", "mtdt", "crp.l");
    assertNotNull("the plugin did not run in the container", languages);
    assertTrue(languages, Long.parseLong(languages.replaceAll(".*urd:(\\d+).*", "$1")) > 256);
    assertEquals(languages, crawl.value("http://big.example/3", "mtdt", "crp.l"));
    assertTrue(crawl.value("http://rich.example/a", "mtdt", "crp.d").startsWith("keep "));
    assertTrue(crawl.value("http://poor.example/a", "mtdt", "crp.d").startsWith("reject "));
  }

  private static void scoresAlthoughATaskIsKilled(Crawl crawl) throws Exception {
    Client updater;
    AtomicReference<Map<String, String>> before = new AtomicReference<>();
    try (Fault fault =
        Fault.at(
            Fault.Point.PUT_OF_SCORE,
            20,
            region -> {
              before.set(crawl.cellsButScores());
              Faults.killTask('m');
            })) {
      updater =
          start(
              "org.corpulyzer.jobs.LrlDbUpdaterJob",
              Collections.emptyList(),
              Crawl.BATCH,
              "-crawlId",
              "round");
      updater.assertSucceeds();
      fault.assertHappenedInTheMiddle();
    }

    List<Result> rows = crawl.rows();
    assertEquals(Crawl.algorithm1(rows), Crawl.scores(rows));
    assertEquals("only scores are written", before.get(), crawl.cellsButScores());
    assertEquals(
        "updatedb took the batch in",
        Crawl.BATCH,
        crawl.value("http://rich.example/a", "mk", "_updmrk_"));
    assertNotNull(
        "updatedb made the rows of links", crawl.value("http://other.example/", "f", "fi"));
    assertTrue(
        updater.log(),
        updater
            .log()
            .contains(
                "LrlDbUpdaterJob: round_webpage: target language urd; " + rows.size() + " pages"));
  }

  private void reports(List<Result> rows) throws Exception {
    start("org.corpulyzer.jobs.CorpusReportJob", tasks(), "-crawlId", "round", "/reports/round")
        .assertSucceeds();
    String report = reported("/reports/round");
    long kept =
        rows.stream()
            .filter(row -> isFetched(row) && text(row, "crp.d").startsWith("keep"))
            .count();
    long rejected = rows.stream().filter(ClusterTest::isFetched).count() - kept;
    assertTrue(
        report,
        report.contains("\"pages\": " + kept + ",\n          \"rejected\": " + rejected + ","));
    Path local = folders.newFolder().toPath().resolve("report");
    start(
            "org.corpulyzer.jobs.CorpusReportJob",
            Arrays.asList("-D", "mapreduce.framework.name=local", "-D", "fs.defaultFS=file:///"),
            "-crawlId",
            "round",
            local.toString())
        .assertSucceeds();
    assertEquals(
        "in containers as in one process, to the last digit",
        new String(Files.readAllBytes(local.resolve("report.json")), StandardCharsets.UTF_8),
        report);
    assertTrue(
        "two regions, every row",
        report.contains("\"files\": 2,") && report.contains("\"records\": " + rows.size() + ","));
  }

  private void exports() throws Exception {
    start(
            "org.corpulyzer.jobs.CorpusExportJob",
            tasks(),
            "-crawlId",
            "round",
            "-format",
            "warc",
            "/exports/round")
        .assertSucceeds();
    assertEquals(
        "the pages that were parsed; the others have no text", 2, exported("/exports/round"));
  }

  private static boolean isFetched(Result row) {
    byte[] status = row.getValue(Bytes.toBytes("f"), Bytes.toBytes("st"));
    return status != null && Bytes.toInt(status) == CrawlStatus.STATUS_FETCHED;
  }

  private static String text(Result row, String figure) {
    byte[] value = row.getValue(Bytes.toBytes("mtdt"), Bytes.toBytes(figure));
    return value == null ? "" : Bytes.toString(value);
  }

  /** Responses in the WARC files of an export on HDFS. */
  private static long exported(String folder) throws IOException {
    long responses = 0;
    for (FileStatus file :
        CLUSTER
            .get()
            .files()
            .globStatus(new org.apache.hadoop.fs.Path(folder, "corpus-*.warc.gz"))) {
      try (InputStream in = new GZIPInputStream(CLUSTER.get().files().open(file.getPath()))) {
        responses += IOUtils.toString(in, "ISO-8859-1").split("WARC-Type: response", -1).length - 1;
      }
    }
    return responses;
  }

  /** {@code report.json} of a report on HDFS; its page must be there too. */
  private static String reported(String folder) throws IOException {
    FileSystem files = CLUSTER.get().files();
    assertTrue(
        files.getFileStatus(new org.apache.hadoop.fs.Path(folder, "report.html")).getLen()
            > 10_000);
    try (InputStream in = files.open(new org.apache.hadoop.fs.Path(folder, "report.json"))) {
      return IOUtils.toString(in, "UTF-8");
    }
  }

  /** A job file as the operator makes it: the pack lies in the plugin's folder. */
  @Test
  public void aLanguagePackTravelsInTheJobFile() throws Exception {
    String text =
        "ٻہوں سارے لوک ایہ ڳالھ ڄاݨدن جو ساݙی ٻولی ݙاڈھی مٹھی ہے تے اساں ایں کوں ٻال کنوں گھن تے"
            + " ٻڈھے تئیں ٻلیندوں۔ ";
    Path folder = folders.newFolder().toPath();
    Path texts =
        Files.write(
            folder.resolve("skr.txt"),
            String.join("\n", Collections.nCopies(40, text)).getBytes(StandardCharsets.UTF_8));
    Path pack = folder.resolve("saraiki.pack");
    assertEquals(
        0,
        new ProcessBuilder(
                System.getProperty("corpulyzer.programs") + "/corpulyzer",
                "train",
                "--language",
                "skr",
                "--text",
                texts.toString(),
                "--out",
                pack.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start()
            .waitFor());
    Path job = Files.copy(CLUSTER.get().job, folder.resolve("with-pack.job"));
    try (java.nio.file.FileSystem zip =
        FileSystems.newFileSystem(URI.create("jar:" + job.toUri()), Collections.emptyMap())) {
      Files.copy(pack, zip.getPath("classes/plugins/corpulyzer/saraiki.pack"));
    }
    try (Crawl crawl = new Crawl(CLUSTER.get(), "pack")) {
      String html =
          "<!DOCTYPE html><meta charset=utf-8><title>t</title><article><p>"
              + String.join("", Collections.nCopies(6, text))
              + "</article>";
      crawl.putFetched("http://rich.example/a", html.getBytes(StandardCharsets.UTF_8));
      crawl.flush();
      List<String> options = new ArrayList<>(SKIP_RECORDS);
      options.addAll(tasks());
      options.addAll(
          Arrays.asList(
              "-D",
              "corpulyzer.language.target=skr",
              "-D",
              "corpulyzer.language.packs=saraiki.pack"));
      start(job, "org.apache.nutch.parse.ParserJob", options, Crawl.BATCH, "-crawlId", "pack")
          .assertSucceeds();
      String languages = crawl.value("http://rich.example/a", "mtdt", "crp.l");
      assertTrue(String.valueOf(languages), languages != null && languages.startsWith("skr:"));
    }
  }
}
