package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.corpulyzer.engine.Statement;
import org.corpulyzer.fixtures.Listeners;
import org.junit.Rule;
import org.junit.Test;

public class CrawlTest {
  @Rule public final TestCrawl folder = new TestCrawl();

  @Test(timeout = 300_000)
  public void inModeJTwoRoundsScoreEveryHostAndLeaveACorpusOfKeptPagesAlone() throws Exception {
    twoRounds("J");
  }

  @Test(timeout = 300_000)
  public void inModeSTwoRoundsLeaveACorpusOfKeptPagesAlone() throws Exception {
    twoRounds("S");
  }

  /** Crawls a small web in two rounds, and checks what the crawl fetched, opened and wrote. */
  private void twoRounds(String mode) throws Exception {
    try (TinyWeb web = new TinyWeb()) {
      web.urdu(
          "http://khabar.test/",
          "http://khabar.test/1",
          "http://www.KHABAR.test:80/2#top",
          "http://news.test/",
          "/private/3",
          "/4");
      web.urdu("http://khabar.test/1", "http://khabar.test/");
      web.urdu("http://www.khabar.test/2");
      web.urdu("http://khabar.test/private/3");
      web.noindex("http://khabar.test/4");
      web.english("http://news.test/", "http://news.test/1");
      web.robots("khabar.test", "User-agent: *\nDisallow: /private/\n");

      crawlWithoutAPort(web, "http://khabar.test/", "--rounds", "2", "--mode", mode);
      assertOwnedAlone(folder.data());
      assertEquals(
          new HashSet<>(
              Arrays.asList(
                  "http://khabar.test/",
                  "http://khabar.test/1",
                  // Its robots.txt names no sitemap.
                  "http://khabar.test/sitemap.xml",
                  "http://www.khabar.test/2",
                  "http://news.test/",
                  "http://khabar.test/4")),
          new HashSet<>(web.requests));
      assertCorpusOfKeptPages();
      assertReportOfTwoRounds();
      assertEquals(
          Arrays.asList(".corpulyzer-crawl", "README.md", "corpus.jsonl.zst", "report"),
          Arrays.stream(folder.out().toFile().list()).sorted().collect(Collectors.toList()));
      if (mode.equals("J")) {
        Map<String, Float> scores = scores();
        assertTrue(scores.toString(), scores.get("http://khabar.test/") > 1000);
        assertEquals(scores.get("http://khabar.test/"), scores.get("http://khabar.test/private/3"));
        assertEquals(0f, scores.get("http://news.test/1"), 0f);
        crawl(web, "http://khabar.test/", "--rounds", "2", "--all", "--no-report");
        assertCorpusOfAllPages();
      }
    }
  }

  /** Crawls a web, and asserts that no port but the web's own is open meanwhile. */
  private void crawlWithoutAPort(TinyWeb web, String seeds, String... options) throws Exception {
    Set<Integer> listeners = new ConcurrentSkipListSet<>();
    AtomicInteger witnessed = new AtomicInteger();
    web.setWitness(
        () -> {
          witnessed.incrementAndGet();
          try {
            listeners.addAll(Listeners.ports());
          } catch (IOException e) {
            listeners.add(-1);
          }
        });
    crawl(web, seeds, options);
    assertTrue("the witness was there", witnessed.get() > 4);
    // The web of the test listens in this process too.
    assertEquals(Collections.singleton(web.port()), listeners);
  }

  private void assertCorpusOfKeptPages() throws Exception {
    List<String> corpus = Corpus.lines(folder.corpus());
    assertEquals(3, corpus.size());
    for (String line : corpus) {
      assertTrue(
          line, line.contains("\"text\":\"لاہور میں") && line.contains("\"languages\":{\"urd\":"));
      assertTrue(line, line.contains("\"language_set\":{\"urd\":100}"));
      assertFalse(line, line.contains("khabar.test/4"));
    }
    String readme = written("README.md");
    assertTrue(
        readme,
        readme.contains("me@example.org") && readme.contains("| pages | kept pages only |"));
    assertTrue(readme, readme.startsWith("# Web corpus: Urdu (urd)\n"));
    assertTrue(readme, readme.contains("| order of the crawl | by language (policy "));
  }

  private void assertReportOfTwoRounds() throws Exception {
    String report = written("report/report.json");
    assertTrue(
        report,
        report.contains("\"name\": \"crawl of 2 rounds\"")
            && report.contains("\"pages\": 3,\n          \"rejected\": 2,"));
    assertTrue(
        "the yield of each round is known",
        report.contains("\"rejected_known\": true") && report.contains("\"round\": 2,"));
  }

  private void assertCorpusOfAllPages() throws Exception {
    List<String> rejected = Corpus.lines(folder.corpus());
    assertEquals("what forbids indexing is in no corpus", 4, rejected.size());
    rejected.removeIf(line -> line.contains("\"decision\":\"keep "));
    assertTrue(
        rejected.toString(),
        rejected.size() == 1
            && rejected.get(0).contains("http://news.test/\"")
            && rejected.get(0).contains("\"decision\":\"reject "));
    String readme = written("README.md");
    assertTrue(readme, readme.contains("| pages | kept pages and rejected pages "));
  }

  /** A file in the folder of the corpus. */
  private String written(String name) throws IOException {
    return new String(Files.readAllBytes(folder.out().resolve(name)), StandardCharsets.UTF_8);
  }

  @Test(timeout = 400_000)
  public void injectingAgainLosesNothingAndASeedOfALaterRunIsFetchedNext() throws Exception {
    try (TinyWeb web = new TinyWeb()) {
      web.urdu("http://one.test/", "http://one.test/more");
      web.urduWithStatements("http://one.test/more", "http://one.test/third");
      web.urdu("http://one.test/third");
      web.urdu("http://two.test/");
      crawl(web, "http://one.test/", "--rounds", "1");
      crawl(
          web,
          "http://one.test/\nhttp://TWO.test:80/\n",
          "--rounds",
          "9",
          "--target-bytes",
          "5000");
      assertEquals(
          Arrays.asList("http://one.test/", "http://one.test/more", "http://two.test/"),
          web.requests.stream().sorted().collect(Collectors.toList()));

      assertCorpusIsWrittenAsALaterRunAsks(web);
      crawl(web, "http://one.test/", "--rounds", "2", "--no-report");
      assertFalse(
          "the corpus of another format goes",
          Files.exists(folder.out().resolve("corpus.txt.zst")));
      String figures = figures("corpus.jsonl.zst");
      List<String> documents = Corpus.lines(folder.out().resolve("corpus.jsonl.zst"));
      assertHasStatements(documents);
      assertArchiveHasTheSamePages(web, figures, documents);
    }
  }

  /** The corpus is large enough, and its options differ: the three pages have one text. */
  private void assertCorpusIsWrittenAsALaterRunAsks(TinyWeb web) throws Exception {
    crawl(
        web,
        "http://one.test/",
        "--rounds",
        "9",
        "--target-bytes",
        "3000",
        "--format",
        "text",
        "--dedup",
        "exact",
        "--nfc",
        "--no-report");
    assertEquals(3, web.requests.size());
    List<String> text = Corpus.lines(folder.out().resolve("corpus.txt.zst"));
    assertEquals(1, Collections.frequency(text, ""));
    assertTrue(text.get(0), text.get(0).startsWith("لاہور میں"));
    assertTrue(
        Files.readAllLines(folder.out().resolve("README.md"))
            .toString()
            .contains("2 documents skipped"));
    assertEquals(
        Arrays.asList(1L, 0L),
        folder.state().yields().stream().map(yield -> yield.newTexts).collect(Collectors.toList()));
    assertEquals(
        new HashSet<>(
            Arrays.asList(
                "http://one.test/",
                "http://one.test/more",
                "http://one.test/third",
                "http://two.test/")),
        scores().keySet());
  }

  private void assertHasStatements(List<String> documents) throws Exception {
    String stated =
        documents.stream()
            .filter(line -> line.contains("http://one.test/more"))
            .findFirst()
            .get()
            .replaceFirst(".*,\"published\"", "\"published\"");
    assertEquals(
        "\"published\":\"2024-03-12\",\"modified\":\"2024-03-15\",\"date_source\":\"meta\","
            + "\"license\":\"cc-by\","
            + "\"license_url\":\"https://creativecommons.org/licenses/by/4.0/\","
            + "\"license_source\":\"meta\",\"reservation\":{"
            + "\"content_signal\":{\"ai-train\":{\"source\":\"header\",\"value\":\"n\"},"
            + "\"search\":{\"source\":\"header\",\"value\":\"y\"}},"
            + "\"content_usage\":{\"train-ai\":{\"source\":\"header\",\"value\":\"n\"}},"
            + "\"noai\":{\"noai\":\"header\",\"noimageai\":\"meta\"},"
            + "\"tdm\":{\"policy\":\"https://one.test/\\\"\\\\\\uD83D\\uDE00\","
            + "\"reservation\":1,\"source\":\"header\"}},"
            + "\"alternates\":["
            + Stream.of("en", "fa", "ps", "sd", "pa")
                .map(
                    code ->
                        "{\"language\":\"" + code + "\",\"url\":\"http://one.test/" + code + "\"}")
                .collect(Collectors.joining(","))
            + "]}",
        stated);
    for (Map.Entry<String, CrawlDatum> row : CrawlFiles.rows(folder.data()).entrySet()) {
      for (Statement statement : Statement.values()) {
        assertNull(
            "CrawlDb holds no statements",
            row.getValue().getMetaData().get(new Text(statement.key())));
      }
    }
  }

  private void assertArchiveHasTheSamePages(TinyWeb web, String figures, List<String> documents)
      throws Exception {
    crawl(web, "http://one.test/", "--rounds", "2", "--no-report", "--format", "warc");
    assertFalse("the corpus of another format goes", Files.exists(folder.corpus()));
    assertEquals(
        "pages as they were fetched, read again, are the documents",
        figures,
        figures("corpus.warc.gz"));
    assertEquals(
        "pages as they were fetched, collected, are the documents",
        documents.stream().map(CrawlTest::withoutRoundAndFraction).collect(Collectors.toList()),
        collected("corpus.warc.gz"));
    assertTrue(
        Files.readAllLines(folder.out().resolve("README.md"))
            .toString()
            .contains("`corpus.warc.gz` has 3 documents"));
  }

  @Test(timeout = 400_000)
  public void pagesOfOneCanonicalAddressAndTextAreOneDocument() throws Exception {
    try (TinyWeb web = new TinyWeb()) {
      String head = "<!doctype html><html lang=ur><meta charset=utf-8><title>x</title>";
      String to = "<link rel=canonical href='/news?id=1'>";
      String text = "<p>" + TinyWeb.URDU.repeat(8);
      web.html(
          "http://one.test/",
          head
              + text
              + "<a href='/news?id=1'>a</a><a href='/news?id=1&print=1'>b</a>"
              + "<a href='/other'>c</a><a href='/plain'>d</a>");
      // The row has the address in another spelling.
      web.html("http://one.test/news?id=1", head + to + text + " 1");
      web.html(
          "http://one.test/news?id=1&print=1",
          head + to.replace("/news", "http://ONE.test/%6Eews") + text + " 1");
      web.html("http://one.test/other", head + to + text + " another text");
      web.html("http://one.test/plain", head + text + " 1");
      crawl(web, "http://one.test/", "--rounds", "2", "--no-report");
      assertEquals(
          Arrays.asList(
              "http://one.test/",
              "http://one.test/news?id=1",
              "http://one.test/other",
              "http://one.test/plain"),
          Corpus.lines(folder.corpus()).stream()
              .map(line -> line.replaceFirst(".*\"url\":\"([^\"]*)\".*", "$1"))
              .sorted()
              .collect(Collectors.toList()));
      assertTrue(
          Files.readAllLines(folder.out().resolve("README.md"))
              .toString()
              .contains(
                  "1 document skipped, because an earlier one has the same text and canonical"));
      String status =
          new String(Files.readAllBytes(DataFolder.status(folder.data())), StandardCharsets.UTF_8);
      assertFalse("no round goes on: " + status, status.contains(", corpus: "));
      crawl(web, "http://one.test/", "--rounds", "2", "--no-report", "--dedup", "none");
      assertEquals(5, Corpus.lines(folder.corpus()).size());
    }
  }

  @Test(timeout = 400_000)
  public void aCrawlThatLeavesDuplicatesOutCountsTheSameYields() throws Exception {
    try (TinyWeb web = new TinyWeb()) {
      web.urdu("http://one.test/", "http://one.test/more");
      web.urdu("http://one.test/more");
      crawl(web, "http://one.test/", "--rounds", "2", "--dedup", "exact", "--no-report");
      List<RoundYield> yields = folder.state().yields();
      assertEquals(
          Arrays.asList(1L, 1L),
          yields.stream().map(yield -> yield.fetched).collect(Collectors.toList()));
      assertEquals(
          Arrays.asList(1L, 0L),
          yields.stream().map(yield -> yield.newTexts).collect(Collectors.toList()));
      assertEquals(
          Arrays.asList(1L, 1L),
          yields.stream().map(yield -> yield.anyText).collect(Collectors.toList()));
      assertEquals(1, Corpus.lines(folder.corpus()).size());
    }
  }

  /** A document without what no WARC file has: the round, and fractions of a second. */
  static String withoutRoundAndFraction(String document) {
    return document
        .replaceFirst(",\"round\":[0-9]+,", ",")
        .replaceFirst("(\"fetch_time\":\"[^\".]*)\\.[0-9]+Z", "$1Z");
  }

  /** The documents that the command collects from a file of the corpus. */
  private List<String> collected(String file) throws Exception {
    Path to = folder.path("collected");
    run(
        "collect",
        folder.out().resolve(file).toString(),
        "--language",
        "ur",
        "--out",
        to.toString());
    return Corpus.lines(to.resolve("urd/corpus.jsonl.zst"));
  }

  /** Runs the command, and fails with what it printed. */
  private void run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(Arrays.asList(arguments));
    command.add(0, System.getProperty("corpulyzer.programs") + "/corpulyzer");
    Path log = folder.path("command.log");
    int code =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    assertEquals(new String(Files.readAllBytes(log), StandardCharsets.UTF_8), 0, code);
  }

  /**
   * Returns the report of the command over a file of the corpus, without the rounds, which a WARC
   * file does not have.
   */
  private String figures(String file) throws Exception {
    Path report = folder.path("report of " + file);
    run(
        "report",
        folder.out().resolve(file).toString(),
        "--language",
        "ur",
        "--out",
        report.toString());
    String json =
        new String(Files.readAllBytes(report.resolve("report.json")), StandardCharsets.UTF_8);
    assertTrue(json, json.contains("\"pages\": 3,"));
    return json.substring(json.indexOf("\"figures\""), json.indexOf("\"ranking\""))
        .replaceAll("(?s)\"rounds\": .*?\"sites\": ", "");
  }

  private void crawl(TinyWeb web, String seeds, String... more) throws IOException {
    List<String> options = new ArrayList<>(Arrays.asList("--proxy", web.proxy()));
    options.addAll(Arrays.asList(more));
    int code = folder.run(seeds, options.toArray(new String[0]));
    assertEquals(folder.output(), 0, code);
  }

  private Map<String, Float> scores() throws Exception {
    Map<String, Float> scores = new TreeMap<>();
    CrawlFiles.rows(folder.data()).forEach((url, row) -> scores.put(url, row.getScore()));
    return scores;
  }

  private void assertOwnedAlone(Path root) throws IOException {
    List<Path> folders;
    try (Stream<Path> all = Files.walk(root)) {
      folders = all.filter(Files::isDirectory).collect(Collectors.toList());
    }
    assertTrue(folders.toString(), folders.size() > 20);
    for (Path folder : folders) {
      assertEquals(
          folder.toString(),
          "rwx------",
          PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)));
    }
  }
}
