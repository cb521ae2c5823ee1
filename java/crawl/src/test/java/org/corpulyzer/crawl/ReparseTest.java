package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.parse.ParseText;
import org.apache.nutch.protocol.Content;
import org.corpulyzer.engine.PageKeys;
import org.junit.Rule;
import org.junit.Test;

/** Stored pages are parsed again after the web has gone. */
public class ReparseTest {
  private static final String HOME = "http://khabar.test/";

  @Rule public final TestCrawl folder = new TestCrawl();
  private String said;
  private String proxy;

  @Test(timeout = 600_000)
  public void aStopDuringReparseOrReportLosesNothing() throws Exception {
    try (TinyWeb web = new TinyWeb()) {
      StringBuilder seeds = new StringBuilder();
      for (int i = 0; i < 40; i++) {
        String page = "http://khabar" + i + ".test/";
        web.urdu(page);
        seeds.append(page).append('\n');
      }
      proxy = web.proxy();
      String[] once = {"--rounds", "1", "--proxy", proxy};
      ChildCrawl whole = folder.start(seeds.toString(), once);
      assertEquals(whole.output(), 0, whole.exitCode(200));
      Map<String, Map<String, String>> rows = rows();
      List<String> corpus = Corpus.lines(folder.corpus());
      assertEquals(40, corpus.size());
      for (String phase : new String[] {"stored pages again", "  corpus "}) {
        ChildCrawl stopped = folder.start(seeds.toString(), plus(once, "--reparse"));
        while (stopped.isAlive() && !stopped.output().contains(phase)) {
          Thread.sleep(2);
        }
        stopped.interrupt();
        // A crawl that was nearly done may have ended by itself.
        int code = stopped.exitCode(60);
        assertTrue(code + ": " + stopped.output(), code == 143 || code == 0);
        assertEquals(
            "the corpus is the old one or the new one", corpus, Corpus.lines(folder.corpus()));
        ChildCrawl last = folder.start(seeds.toString(), once);
        assertEquals(last.output(), 0, last.exitCode(200));
        assertEquals(rows, rows());
        assertEquals(corpus, Corpus.lines(folder.corpus()));
        assertTrue(Files.exists(folder.out().resolve("report/report.html")));
      }
    }
  }

  @Test(timeout = 600_000)
  public void whatIsStoredGetsNewRecordsScoresAndCorpusWithoutANetwork() throws Exception {
    try (TinyWeb web = new TinyWeb()) {
      web.urdu("http://khabar.test/", "http://khabar.test/1", "http://news.test/");
      web.urdu("http://khabar.test/1", "http://khabar.test/2");
      web.english("http://news.test/", "http://khabar.test/2");
      proxy = web.proxy();
      assertEquals(2, crawl("--reparse"));
      assertTrue(said, said.contains("--reparse needs stored pages"));
      assertEquals(said, 0, crawl("--rounds", "2"));
    }
    Map<String, Map<String, String>> before = rows();
    List<String> corpus = Corpus.lines(folder.corpus());
    assertEquals(2, corpus.size());

    // The proxy is closed, so every fetch from now on would fail and change its row.
    Path pack = pack();
    assertOtherSettingsAreRefused(pack);
    assertEquals(corpus, Corpus.lines(folder.corpus()));
    Map<String, Map<String, String>> text = reparsedAsText(before);
    String[] withPack = {"--rounds", "2", "--extractor", "text", "--pack", pack.toString()};
    Map<String, Map<String, String>> packed = reparsedAfterKill(withPack, before, text);
    assertHalfAReparseGoesOn(withPack, packed);
    assertAFolderWithoutSettingsHasThoseOfItsRows(packed);
    assertEquals(said, 0, crawl("--rounds", "2", "--reparse"));
    assertEquals(before, rows());
    assertEquals(corpus, Corpus.lines(folder.corpus()));
  }

  private void assertOtherSettingsAreRefused(Path pack) throws Exception {
    refused("--extractor is text, but", "parsed with best", "--extractor", "text");
    refused("--comments is drop, but", "parsed with keep", "--comments", "drop");
    refused("--page-policy is recall, but", "parsed with precision", "--page-policy", "recall");
    refused("--min-bytes is 9, but", "parsed with 256", "--min-bytes", "9");
    refused("--reject-junk is false, but", "parsed with true", "--reject-junk", "false");
    refused("--pack names a language pack that", "leave it out", "--pack", pack.toString());
  }

  private Map<String, Map<String, String>> reparsedAsText(Map<String, Map<String, String>> before)
      throws Exception {
    assertEquals(said, 0, crawl("--rounds", "2", "--reparse", "--extractor", "text"));
    Map<String, Map<String, String>> text = rows();
    assertNothingLost(before, text);
    assertTrue(
        text.get(HOME).get("text").contains("http://khabar.test/1")
            && !before.get(HOME).get("text").contains("http://khabar.test/1"));
    assertNotEquals(before.get(HOME).get(PageKeys.VERSION), text.get(HOME).get(PageKeys.VERSION));
    assertEquals(2, Corpus.lines(folder.corpus()).size());
    assertTrue(Corpus.values(folder.corpus(), "text").toString().contains("http://khabar.test/1"));
    refused("--extractor is best, but", "parsed with text");
    return text;
  }

  /**
   * Reparses with a pack that takes this Urdu for another language, in a process that is killed on
   * the way to it.
   */
  private Map<String, Map<String, String>> reparsedAfterKill(
      String[] withPack,
      Map<String, Map<String, String>> before,
      Map<String, Map<String, String>> text)
      throws Exception {
    ChildCrawl child = folder.start(HOME, options(plus(withPack, "--reparse")));
    while (child.isAlive() && !child.output().contains("stored pages again")) {
      Thread.sleep(2);
    }
    Thread.sleep(100);
    child.kill();
    assertTrue(child.output(), child.output().contains("stored pages again"));
    assertEquals("the same command goes on, also without the option", 0, crawl(withPack));
    Map<String, Map<String, String>> packed = rows();
    assertNothingLost(before, packed);
    assertTrue(
        packed.get(HOME).get(PageKeys.LANGUAGES),
        packed.get(HOME).get(PageKeys.LANGUAGES).startsWith("mzn:"));
    assertTrue(
        Float.parseFloat(packed.get(HOME).get("score"))
            < Float.parseFloat(text.get(HOME).get("score")) / 10);
    assertEquals(0, Corpus.lines(folder.corpus()).size());
    List<RoundYield> yields = folder.state().yields();
    assertTrue(yields.stream().allMatch(yield -> yield.kept == 0) && yields.get(0).fetched == 1);
    return packed;
  }

  private void assertHalfAReparseGoesOn(String[] withPack, Map<String, Map<String, String>> packed)
      throws Exception {
    // As if the process had been killed when all rounds were done but the last.
    CrawlState half = folder.state();
    half.beginReparse(Collections.emptyMap());
    half.setReparsed(1);
    assertEquals(said, 0, crawl(withPack));
    assertTrue(said, said.contains("reparse   2 pages, 0 failed"));
    assertNull(folder.state().reparsed());
    assertEquals(packed, rows());
    refused("--pack is missing, but", "parsed with a language pack", "--extractor", "text");
  }

  private void assertAFolderWithoutSettingsHasThoseOfItsRows(
      Map<String, Map<String, String>> packed) throws Exception {
    // A folder that does not note them is of a release whose default extractor was web-am. The
    // version is in the rows.
    Properties values = new Properties();
    values.load(Files.newBufferedReader(folder.stateFile()));
    for (String fact :
        Arrays.asList(
            "record",
            "extractor",
            "comments",
            "headline",
            "page-policy",
            "min-bytes",
            "reject-junk",
            "pack")) {
      assertTrue(fact, values.remove("crawl." + fact) != null);
    }
    values.store(Files.newBufferedWriter(folder.stateFile()), null);
    refused("--extractor is best, but", "parsed with web-am");
    refused(
        "records of version '3 web-am/2 ",
        "'" + packed.get(HOME).get(PageKeys.VERSION) + "'; add --reparse",
        "--extractor",
        "web-am");
  }

  private void refused(String first, String second, String... options) throws Exception {
    assertEquals(2, crawl(plus(options, "--rounds", "2")));
    assertTrue(said, said.contains(first) && said.contains(second) && said.contains("--reparse"));
    assertEquals(
        said, 1, said.substring(said.indexOf("corpulyzer crawl: ")).trim().split("\n").length);
  }

  /** Every row is there, and what a parse does not make is as it was. */
  private static void assertNothingLost(
      Map<String, Map<String, String>> before, Map<String, Map<String, String>> after) {
    assertEquals(before.keySet(), after.keySet());
    before.forEach(
        (url, cells) -> {
          for (String key : Arrays.asList("status", "time", "retries", "content")) {
            assertEquals(url + " " + key, cells.get(key), after.get(url).get(key));
          }
        });
    assertEquals("db_fetched", after.get(HOME).get("status"));
    assertFalse(before.get(HOME).get("content").isEmpty());
  }

  private Path pack() throws Exception {
    Path root = folder.getRoot().toPath();
    // The text is repeated so often that the pack's model wins over the library's model of Urdu.
    Files.write(
        root.resolve("text.txt"),
        Collections.nCopies(100, TinyWeb.URDU.replace("۔ ", "۔\n")),
        StandardCharsets.UTF_8);
    Path pack = root.resolve("mzn.pack");
    Path log = root.resolve("train.log");
    int code =
        new ProcessBuilder(
                System.getProperty("corpulyzer.programs") + "/corpulyzer",
                "train",
                "--language",
                "mzn",
                "--text",
                root.resolve("text.txt").toString(),
                "--out",
                pack.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    assertEquals(new String(Files.readAllBytes(log), StandardCharsets.UTF_8), 0, code);
    return pack;
  }

  private int crawl(String... more) throws IOException {
    int code = folder.run(HOME, options(more));
    said = folder.output();
    return code;
  }

  private String[] options(String... more) {
    return plus(more, "--proxy", proxy, "--no-report");
  }

  private static String[] plus(String[] some, String... more) {
    List<String> all = new ArrayList<>(Arrays.asList(some));
    all.addAll(Arrays.asList(more));
    return all.toArray(new String[0]);
  }

  /** Returns the state of each address: its row, its text, and its bytes as fetched. */
  private Map<String, Map<String, String>> rows() throws Exception {
    Map<String, ParseText> texts =
        CrawlFiles.newest(folder.data(), ParseText.DIR_NAME, ParseText::new);
    Map<String, Content> contents =
        CrawlFiles.newest(folder.data(), Content.DIR_NAME, Content::new);
    Map<String, Map<String, String>> all = new TreeMap<>();
    for (Map.Entry<String, CrawlDatum> row : CrawlFiles.rows(folder.data()).entrySet()) {
      Map<String, String> cells = new TreeMap<>();
      CrawlDatum datum = row.getValue();
      cells.put("status", CrawlDatum.getStatusName(datum.getStatus()));
      cells.put("time", Long.toString(datum.getFetchTime()));
      cells.put("retries", Integer.toString(datum.getRetriesSinceFetch()));
      cells.put("score", Float.toString(datum.getScore()));
      for (Map.Entry<Writable, Writable> entry : datum.getMetaData().entrySet()) {
        if (entry.getKey() instanceof Text && entry.getKey().toString().startsWith("crp.")) {
          cells.put(entry.getKey().toString(), entry.getValue().toString());
        }
      }
      ParseText text = texts.get(row.getKey());
      cells.put("text", text == null ? "" : text.getText());
      Content content = contents.get(row.getKey());
      cells.put(
          "content",
          content == null ? "" : new String(content.getContent(), StandardCharsets.ISO_8859_1));
      all.put(row.getKey(), cells);
    }
    return all;
  }
}
