package org.corpulyzer.jobs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.metadata.Metadata;
import org.apache.nutch.metadata.Nutch;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.fixtures.Printed;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class CorpusReportJobTest {

  private static final String[] WORDS = {
    "یہ", "اردو", "ہے۔", "کتاب", "web", "میں", "بہت؟", "لوگ", "12", "شہر\n", "گھر", "پانی"
  };
  private static final long FIRST = 1_700_000_000_000L;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final Random random = new Random(7);
  private Configuration conf;

  @Before
  public void configure() {
    conf = SegmentForTests.configuration(folder.getRoot());
  }

  private File file(String name) {
    return new File(folder.getRoot(), name);
  }

  private int report(String... args) throws Exception {
    CorpusReportJob job = new CorpusReportJob();
    job.setConf(conf);
    return job.run(args);
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int words = 20 + random.nextInt(200); words > 0; words--) {
      // Frequent words first, as in any language.
      text.append(WORDS[random.nextInt(1 + random.nextInt(WORDS.length))]).append(' ');
    }
    return text.toString().trim();
  }

  /** Two rounds; some pages are in both. */
  private void fill() throws IOException {
    String repeated = text();
    SegmentForTests[] rounds = {
      new SegmentForTests(conf, file("segments/20231101000000")),
      new SegmentForTests(conf, file("segments/20231108000000"))
    };
    for (int number = 0; number < 120; number++) {
      String url = "http://h" + number % 7 + ".example/" + (number % 3 == 0 ? "a/b/" : "") + number;
      for (int round = number % 2; round <= (number % 10 == 0 ? 1 : number % 2); round++) {
        String text = number % 9 == 0 ? repeated : text();
        int length = text.getBytes(StandardCharsets.UTF_8).length;
        int target = length * (number % 10) / 10;
        Metadata figures =
            rounds[round]
                .page(
                    url, FIRST + round, target > 100 ? "keep " + target : "reject " + target, text)
                .getParseMeta();
        figures.set(PageKeys.LANGUAGES, "urd:" + target + ",eng:" + (length - target));
        figures.set(PageKeys.RAW_BYTES, Integer.toString(length * 9));
        figures.set(PageKeys.VISIBLE_BYTES, Integer.toString(length + number));
        figures.set(PageKeys.MAIN_BYTES, Integer.toString(length));
        rounds[round]
            .parse(url, text, figures)
            .getContentMeta()
            .set(Nutch.SIGNATURE_KEY, String.format("%02x", number % 40).repeat(16));
      }
    }
    rounds[1].fetch("http://h9.example/gone", CrawlDatum.STATUS_FETCH_GONE, FIRST + 1);
    rounds[1].fetch("http://h9.example/moved", CrawlDatum.STATUS_FETCH_REDIR_TEMP, FIRST + 1);
    for (SegmentForTests round : rounds) {
      round.write();
    }
  }

  private static String read(File file) throws IOException {
    return new String(Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8);
  }

  /** Returns the figures of the corpus in a report. */
  private static String figures(File report) throws IOException {
    String json = read(new File(report, "report.json"));
    return json.substring(json.indexOf("\"figures\""), json.indexOf("\"ranking\""));
  }

  private void reportOfTheCommand(File pages, File out) throws Exception {
    File log = file("report.log");
    List<String> command =
        new ArrayList<>(
            Arrays.asList(
                System.getProperty("corpulyzer.programs") + "/corpulyzer",
                "report",
                pages.getPath(),
                "--language",
                "ur",
                "--out",
                out.getPath()));
    int code =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start().waitFor();
    assertEquals(read(log), 0, code);
  }

  @Test
  public void figuresOfSeveralTasksAreThoseOfTheCommandToTheLastDigit() throws Exception {
    fill();
    CorpusExportJob export = new CorpusExportJob();
    export.setConf(conf);
    assertEquals(
        0,
        export.run(
            new String[] {"-all", file("pages").getPath(), "-dir", file("segments").getPath()}));
    reportOfTheCommand(file("pages"), file("by-command"));

    conf.setInt("mapreduce.job.reduces", 3);
    String printed =
        Printed.out(
            () ->
                assertEquals(
                    0,
                    report(
                        "-name",
                        "test",
                        file("by-job").getPath(),
                        "-dir",
                        file("segments").getPath())));
    assertEquals(
        "CorpusReportJob: 120 pages of 2 segments: " + file("by-job/report.html") + "\n", printed);
    // The command has no rows that are no pages.
    assertEquals(
        figures(file("by-command")),
        figures(file("by-job")).replace("\"other_records\": 2", "\"other_records\": 0"));
    String[] names = file("by-job").list();
    Arrays.sort(names);
    String[] others = file("by-command").list();
    Arrays.sort(others);
    assertArrayEquals("the same files, and nothing of Hadoop's", others, names);
    long began =
        new java.text.SimpleDateFormat("yyyyMMddHHmmss").parse("20231108000000").getTime() / 1000;
    assertTrue(read(file("by-job/report.json")).contains("\"began\": " + began));
    assertEquals(
        "a line each round, below the names",
        3,
        Files.readAllLines(file("by-job/yield.tsv").toPath()).size());
  }

  @Test
  public void pagesThatTheServerNoLongerHasAreCountedAsGone() throws Exception {
    SegmentForTests old = new SegmentForTests(conf, file("segments/20231101000000"));
    SegmentForTests young = new SegmentForTests(conf, file("segments/20231108000000"));
    old.page("http://a.example/gone", FIRST, "keep", "text");
    old.page("http://a.example/by-crawldb", FIRST, "keep", "text");
    old.page("http://a.example/there", FIRST, "keep", "text");
    young.fetch("http://a.example/gone", CrawlDatum.STATUS_FETCH_GONE, FIRST + 1);
    young.fetch("http://a.example/never", CrawlDatum.STATUS_FETCH_GONE, FIRST + 1);
    old.write();
    young.write();
    SegmentForTests.crawlDb(
        conf,
        file("crawldb"),
        Collections.singletonMap("http://a.example/by-crawldb", CrawlDatum.STATUS_DB_GONE));
    assertEquals(0, report(file("out").getPath(), old.path(), young.path()));
    assertTrue(
        read(file("out/report.json")), read(file("out/report.json")).contains("\"gone\": 1"));
    assertEquals(
        0,
        report(
            "-crawldb",
            file("crawldb").getPath(),
            "-noWords",
            "-memory",
            "16",
            file("db").getPath(),
            old.path(),
            young.path()));
    assertTrue(read(file("db/report.json")), read(file("db/report.json")).contains("\"gone\": 2"));
  }

  @Test
  public void whatIsWrongStopsBeforeAnyTaskWithASentence() throws Exception {
    fill();
    String out = file("out").getPath();
    String segment = file("segments/20231101000000").getPath();
    for (String[] wrong :
        new String[][] {{}, {out}, {"-memory", "15", out, segment}, {"-what", out, segment}}) {
      assertTrue(
          Printed.err(() -> assertEquals(2, report(wrong))).contains("\nUsage: CorpusReportJob "));
    }
    String there = folder.newFolder("there").getPath();
    assertEquals(
        "The output " + there + " exists already: name a new folder.",
        assertThrows(CorpulyzerException.class, () -> report(there, segment)).getMessage());
    assertTrue(new File(segment, "parse_data").renameTo(file("away")));
    assertEquals(
        "The segment "
            + segment
            + " is not parsed: run bin/nutch parse "
            + segment
            + ", or do not name it.",
        assertThrows(CorpulyzerException.class, () -> report(out, segment)).getMessage());
    assertTrue(file("away").renameTo(new File(segment, "parse_data")));
    conf.set(Settings.LANGUAGE_TARGET, "xx");
    assertThrows(CorpulyzerException.class, () -> report(out, segment));
    assertFalse(file("out").exists());
  }
}
