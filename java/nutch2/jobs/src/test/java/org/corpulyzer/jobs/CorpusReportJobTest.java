package org.corpulyzer.jobs;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.avro.util.Utf8;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.storage.WebPage;
import org.apache.nutch.util.TableUtil;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.corpulyzer.fixtures.Printed;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class CorpusReportJobTest {

  private static final String[] WORDS = {
    "یہ", "اردو", "ہے۔", "کتاب", "web", "میں", "بہت؟", "لوگ", "12", "شہر\n", "گھر", "پانی"
  };

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final Random random = new Random(7);
  private final List<String> lines = new ArrayList<>();

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int words = 20 + random.nextInt(200); words > 0; words--) {
      // Frequent words first, as in any language.
      text.append(WORDS[random.nextInt(1 + random.nextInt(WORDS.length))]).append(' ');
    }
    return text.toString().trim();
  }

  /** A page as Nutch's parser leaves it, and as a line for the command. */
  private void putPage(CrawlForTests crawl, int number, String text, String batch, String round)
      throws IOException {
    String host = "h" + number % 7 + ".example";
    String url = "http://" + host + "/" + (number % 3 == 0 ? "a/b/" : "") + number;
    int length = text.getBytes(StandardCharsets.UTF_8).length;
    int target = length * (number % 10) / 10;
    boolean kept = target > 100;
    WebPage page =
        CrawlForTests.page(
            number % 11 == 0 ? CrawlStatus.STATUS_NOTMODIFIED : CrawlStatus.STATUS_FETCHED,
            "urd:" + target + ",eng:" + (length - target));
    CrawlForTests.metadata(page, PageKeys.DECISION, kept ? "keep " + target : "reject " + target);
    CrawlForTests.metadata(page, PageKeys.RAW_BYTES, Integer.toString(length * 9));
    CrawlForTests.metadata(page, PageKeys.VISIBLE_BYTES, Integer.toString(length + number));
    CrawlForTests.metadata(page, PageKeys.MAIN_BYTES, Integer.toString(length));
    page.setText(new Utf8(text));
    page.setBatchId(new Utf8(batch));
    byte[] signature = new byte[16];
    Arrays.fill(signature, (byte) (number % 40));
    page.setSignature(ByteBuffer.wrap(signature));
    crawl.put(url, page);
    lines.add(
        String.format(
            "{\"url\":\"%s\",\"host\":\"%s\",\"round\":%s,\"text\":\"%s\",\"raw_bytes\":%d,\"visible_bytes\":%d,\"main_bytes\":%d,"
                + "\"languages\":{\"urd\":%d,\"eng\":%d},\"decision\":\"%s\",\"signature\":\"%s\"}",
            url,
            host,
            round,
            text.replace("\n", "\\n"),
            length * 9,
            length + number,
            length,
            target,
            length - target,
            kept ? "keep" : "reject",
            new String(new char[16]).replace("\0", String.format("%02x", number % 40))));
  }

  private void fill(CrawlForTests crawl) throws IOException {
    String repeated = text();
    for (int number = 0; number < 120; number++) {
      boolean first = number % 2 == 0;
      putPage(
          crawl,
          number,
          number % 9 == 0 ? repeated : text(),
          first ? "1700000000-99" : "1700009999-5",
          first ? "1700000000" : "1700009999");
    }
    putPage(crawl, 200, text(), "round-12-1700000000123", "12");
    // Fetched and never parsed.
    crawl.put("http://h1.example/image", CrawlForTests.page(CrawlStatus.STATUS_FETCHED, null));
    lines.add("{\"url\":\"http://h1.example/image\",\"languages\":{},\"decision\":\"reject\"}");
    crawl.put("http://h2.example/was", CrawlForTests.page(CrawlStatus.STATUS_GONE, "urd:900"));
    lines.add("{\"url\":\"http://h2.example/was\",\"gone\":true}");
    // Rows that are not pages, and rows that cannot be read.
    crawl.put("http://h2.example/never", CrawlForTests.page(CrawlStatus.STATUS_GONE, null));
    crawl.put("http://h9.example/", CrawlForTests.page(CrawlStatus.STATUS_UNFETCHED, null));
    crawl.put(
        "http://h3.example/broken", CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "urd=900"));
    crawl.putKey("no host at all", CrawlForTests.page(CrawlStatus.STATUS_FETCHED, "urd:1"));
    crawl.flush();
  }

  private static int report(Configuration conf, String... args) throws Exception {
    CorpusReportJob job = new CorpusReportJob();
    job.setConf(conf);
    return job.run(args);
  }

  private static String read(File file) throws IOException {
    return new String(Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8);
  }

  /** Returns the figures of the corpus in a report. */
  private static String figures(File report) throws IOException {
    String json = read(new File(report, "report.json"));
    return json.substring(json.indexOf("\"figures\""), json.indexOf("\"ranking\""));
  }

  private File reportOfTheCommand(String... options) throws Exception {
    File input = new File(folder.getRoot(), "pages.jsonl");
    File out = new File(folder.getRoot(), "by-command" + options.length);
    File log = new File(folder.getRoot(), "report.log");
    Files.write(input.toPath(), lines, StandardCharsets.UTF_8);
    List<String> command =
        new ArrayList<>(
            Arrays.asList(
                System.getProperty("corpulyzer.programs") + "/corpulyzer",
                "report",
                input.getPath(),
                "--language",
                "ur",
                "--out",
                out.getPath()));
    command.addAll(Arrays.asList(options));
    int code =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start().waitFor();
    assertEquals(read(log), 0, code);
    return out;
  }

  @Test
  public void figuresOfSeveralRegionsAreThoseOfTheCommandToTheLastDigit() throws Exception {
    try (CrawlForTests crawl =
        new CrawlForTests(
            HBaseForTests.shared(), "report", "example.h2", "example.h4:http/5", "example.h5")) {
      fill(crawl);
      File out = new File(folder.getRoot(), "by-job");
      assertEquals(0, report(crawl.conf(), "-name", "test", out.getPath()));

      assertEquals(figures(reportOfTheCommand()), figures(out));
      String json = read(new File(out, "report.json"));
      assertTrue(
          json,
          json.contains("\"near_minhash\": ")
              && json.contains("\"files\": 4,")
              && json.contains("\"records\": 127,"));
      assertTrue(
          "the row that does not read is named",
          json.contains("\"invalid_figures\": 1") && json.contains("http://h3.example/broken"));
      assertTrue(
          "rounds are numbered by the times of their batches",
          json.contains("\"began\": 1700009999"));
      assertTrue(read(new File(out, "report.html")).contains("<title>"));
      String[] names = out.list();
      Arrays.sort(names);
      String[] others = new File(folder.getRoot(), "by-command0").list();
      Arrays.sort(others);
      assertArrayEquals("the same files, and nothing of Hadoop's", others, names);

      File without = new File(folder.getRoot(), "no-words");
      assertEquals(0, report(crawl.conf(), "-noWords", "-memory", "16", without.getPath()));
      assertEquals(figures(reportOfTheCommand("--no-words")), figures(without));
    }
  }

  @Test
  public void roundsOfBatchesWithIdsOfTheOperatorsOwnAreNumberedByTheirFirstFetch()
      throws Exception {
    try (CrawlForTests crawl =
        new CrawlForTests(
            HBaseForTests.shared(),
            "report-batches",
            "example.h2",
            "example.h4:http/5",
            "example.h5")) {
      for (int number = 0; number < 40; number++) {
        putPage(crawl, number, text(), number < 25 ? "first" : "second", "0");
      }
      putPage(crawl, 50, text(), "1500000000-7", "0");
      crawl.flush();
      Map<String, Long> first = new HashMap<>();
      try (Table table = crawl.connection().getTable(crawl.name())) {
        for (int number = 0; number < 40; number++) {
          // Gora gives the cells of a row that is put the time at which it is put; so each batch is
          // fetched seconds apart.
          String url =
              "http://h" + number % 7 + ".example/" + (number % 3 == 0 ? "a/b/" : "") + number;
          long seconds = (number < 25 ? 1_600_000_000L : 1_600_050_000L) + (number * 7) % 11;
          first.merge(number < 25 ? "first" : "second", seconds, Math::min);
          table.put(
              new Put(HBase.utf8(TableUtil.reverseUrl(url)))
                  .addColumn(HBase.utf8("f"), HBase.utf8("prot"), seconds * 1000, HBase.utf8("x")));
        }
      }
      File out = new File(folder.getRoot(), "own");
      String[] noWords = {"-noWords", out.getPath()};
      String lines = Printed.out(() -> assertEquals(0, report(crawl.conf(), noWords)));
      assertTrue(
          lines,
          lines.startsWith(
              "The batch ids of 40 pages hold no round: "
                  + "their rounds are numbered by the first fetch of each batch.\n"
                  + "CorpusReportJob: 41 pages of report-batches_webpage: "));
      List<String> yields =
          Files.readAllLines(new File(out, "yield.tsv").toPath(), StandardCharsets.UTF_8);
      assertEquals(String.join("\n", yields), 4, yields.size());
      String json = read(new File(out, "report.json"));
      for (long began : new long[] {1_500_000_000L, first.get("first"), first.get("second")}) {
        assertTrue(json, json.contains("\"began\": " + began));
      }
    }
  }

  @Test
  public void whatIsWrongStopsBeforeAnyTaskWithASentence() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(HBaseForTests.shared(), "report-wrong")) {
      String out = new File(folder.getRoot(), "out").getPath();
      assertEquals(2, report(crawl.conf()));
      assertEquals(2, report(crawl.conf(), "-memory", "15", out));
      assertEquals(2, report(crawl.conf(), "-what", out));
      String there = folder.newFolder("there").getPath();
      assertEquals(
          "The output " + there + " exists already: name a new folder.",
          assertThrows(CorpulyzerException.class, () -> report(crawl.conf(), there)).getMessage());
      assertTrue(
          assertThrows(
                  CorpulyzerException.class, () -> report(crawl.conf(), "-crawlId", "nobody", out))
              .getMessage()
              .startsWith("HBase has no table 'nobody_webpage'"));
      Configuration wrong = crawl.conf();
      wrong.set(Settings.LANGUAGE_TARGET, "xx");
      assertThrows(CorpulyzerException.class, () -> report(wrong, out));
      assertFalse(new File(out).exists());
    }
  }
}
