package org.corpulyzer.jobs;

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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.avro.util.Utf8;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.nutch.crawl.CrawlStatus;
import org.apache.nutch.storage.Mark;
import org.apache.nutch.storage.WebPage;
import org.corpulyzer.corpus.JobFailedException;
import org.corpulyzer.engine.CorpulyzerException;
import org.corpulyzer.engine.PageKeys;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class LinkGraphExportTest {

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private static WebPage page(int status, String languages, String raw, String... links) {
    WebPage page = CrawlForTests.page(status, languages);
    if (raw != null) {
      CrawlForTests.metadata(page, PageKeys.RAW_BYTES, raw);
    }
    for (String link : links) {
      page.getOutlinks().put(new Utf8(link), new Utf8("an anchor"));
    }
    return page;
  }

  private static int export(Configuration conf, String... args) throws Exception {
    LinkGraphExport export = new LinkGraphExport();
    export.setConf(conf);
    return export.run(args);
  }

  /** Lines of the part files in order, without their names of pages, and those names apart. */
  private static List<String[]> read(File out) throws IOException {
    File[] parts = out.listFiles((dir, name) -> name.startsWith("part-"));
    Arrays.sort(parts);
    List<String[]> lines = new ArrayList<>();
    for (File part : parts) {
      for (String line : Files.readAllLines(part.toPath())) {
        lines.add(line.split("\t", -1));
      }
    }
    return lines;
  }

  /** The output of {@code corpulyzer simulate} for an export, and the two rounds that it plays. */
  private List<String> simulated(File out) throws Exception {
    File log = new File(folder.getRoot(), "simulate.log");
    String command = System.getProperty("corpulyzer.programs") + "/corpulyzer";
    int code =
        new ProcessBuilder(
                command,
                "simulate",
                "--graph",
                out.getPath(),
                "--policy",
                "mean",
                "--top",
                "2",
                "--rounds",
                "2",
                "--json")
            .redirectErrorStream(true)
            .redirectOutput(log)
            .start()
            .waitFor();
    String said = new String(Files.readAllBytes(log.toPath()), StandardCharsets.UTF_8);
    assertEquals(said, 0, code);
    List<String> found = new ArrayList<>();
    Matcher read = Pattern.compile("[0-9]+ pages fetched, [^,]*fetched").matcher(said);
    Matcher rounds =
        Pattern.compile("\\{\"fetched\"[^}]*\\}").matcher(said.split("\"oracles\"")[0]);
    assertTrue(said, read.find());
    found.add(read.group());
    while (rounds.find()) {
      found.add(rounds.group());
    }
    return found;
  }

  @Test
  public void everyRowIsALineAndLinksLeadToTheNamesOfRows() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(HBaseForTests.shared(), "graph", "example.b")) {
      WebPage seed =
          page(
              CrawlStatus.STATUS_FETCHED,
              "urd:700,eng:9",
              "9000",
              "http://b.example/x",
              "http://a.example/gone",
              "http://b.example/none",
              "no url");
      seed.getMarkers().put(Mark.INJECT_MARK.getName(), new Utf8("y"));
      crawl.put("http://a.example/", seed);
      crawl.put("http://a.example/gone", page(CrawlStatus.STATUS_GONE, "urd:5", "77"));
      crawl.put(
          "http://b.example/x",
          page(CrawlStatus.STATUS_NOTMODIFIED, null, "many", "http://a.example/"));
      crawl.put("http://b.example/y", page(CrawlStatus.STATUS_UNFETCHED, null, null));
      crawl.putKey("no host at all", page(CrawlStatus.STATUS_FETCHED, "urd:1", "1"));
      crawl.flush();
      File out = new File(folder.getRoot(), "graph");
      assertEquals(0, export(crawl.conf(), out.getPath()));

      List<String[]> lines = read(out);
      List<String> figures = new ArrayList<>();
      Map<String, String> pages = new HashMap<>();
      for (String[] line : lines) {
        assertEquals(6, line.length);
        assertTrue(line[1], line[1].matches("[0-9a-f]{16}"));
        figures.add(String.join(" ", line[0], line[2], line[3], line[4]));
        pages.put(line[1], line[0] + " " + line[2]);
      }
      assertEquals(
          Arrays.asList(
              "a.example fetched,injected 700 9000",
              "a.example gone 0 0",
              "b.example fetched 0 0",
              "b.example unfetched 0 0"),
          figures);
      List<String> led = new ArrayList<>();
      for (String link : lines.get(0)[5].split(" ")) {
        led.add(String.valueOf(pages.get(link)));
      }
      led.sort(null);
      assertEquals(
          "two rows, one page that has none, nothing for what is no URL",
          Arrays.asList("a.example gone", "b.example fetched", "null"),
          led);
      assertEquals(lines.get(0)[1], lines.get(2)[5]);
      assertEquals(
          new java.util.HashSet<>(
              Arrays.asList(lines.get(0)[1], lines.get(1)[1], lines.get(2)[1], lines.get(3)[1])),
          pages.keySet());

      assertEquals(
          "the seed, what it links to, and what nobody fetched",
          Arrays.asList(
              "2 pages fetched, 1 gone; skipped 1 never fetched",
              "{\"fetched\":1,\"any\":1,\"relevant\":1,\"unique\":1,\"gone\":0,\"new_hosts\":1}",
              "{\"fetched\":1,\"any\":0,\"relevant\":0,\"unique\":0,\"gone\":1,\"new_hosts\":0}"),
          simulated(out));

      CorpulyzerException again =
          assertThrows(CorpulyzerException.class, () -> export(crawl.conf(), out.getPath()));
      assertEquals("The output " + out + " exists already: name a new folder.", again.getMessage());
      assertThrows(
          CorpulyzerException.class, () -> export(crawl.conf(), "-crawlId", "nobody", out + "2"));
      assertEquals(2, export(crawl.conf()));
      assertEquals(2, export(crawl.conf(), "-what", out + "3"));
    }
  }

  @Test
  public void aFailedExportLeavesNothingInTheWayOfTheNext() throws Exception {
    try (CrawlForTests crawl = new CrawlForTests(HBaseForTests.shared(), "graph-failed")) {
      crawl.put("http://a.example/", page(CrawlStatus.STATUS_FETCHED, "urd:700", "9000"));
      crawl.flush();
      File out = new File(folder.getRoot(), "graph");
      Configuration conf = new Configuration(crawl.conf());
      // Only tasks read it.
      conf.setBoolean(FileOutputFormat.COMPRESS, true);
      conf.set(FileOutputFormat.COMPRESS_CODEC, "none.such");
      assertThrows(JobFailedException.class, () -> export(conf, out.getPath()));
      assertFalse(out.exists());
      assertEquals(0, export(crawl.conf(), out.getPath()));
      assertEquals(1, read(out).size());
    }
  }
}
