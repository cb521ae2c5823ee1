package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
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
import org.junit.rules.TemporaryFolder;

/** Stored pages are parsed again after the web has gone. */
public class ReparseTest {
  private static final String HOME = "http://khabar.test/";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private String said;
  private String proxy;

  @Test(timeout = 600_000)
  public void whatIsStoredGetsNewRecordsScoresAndCorpusWithoutANetwork() throws Exception {
    try (TinyWeb web = new TinyWeb()) {
      web.urdu("http://khabar.test/", "http://khabar.test/1", "http://news.test/");
      web.urdu("http://khabar.test/1", "http://khabar.test/2");
      web.english("http://news.test/", "http://khabar.test/2");
      proxy = web.proxy();
      assertEquals(2, crawl("--reparse"));
      assertTrue(said, said.contains("--reparse is for pages that are stored"));
      assertEquals(said, 0, crawl("--rounds", "2"));
    }
    Map<String, Map<String, String>> before = rows();
    List<String> corpus = Corpus.lines(corpus());
    assertEquals(2, corpus.size());

    // The proxy is gone: whatever would be fetched from now on fails, and every row tells that.
    Path pack = pack();
    refused("--extractor is text, but", "parsed with web-am", "--extractor", "text");
    refused("--page-policy is recall, but", "parsed with precision", "--page-policy", "recall");
    refused("--min-bytes is 9, but", "parsed with 256", "--min-bytes", "9");
    refused("--pack names a language pack that", "leave it out", "--pack", pack.toString());
    assertEquals(corpus, Corpus.lines(corpus()));

    assertEquals(said, 0, crawl("--rounds", "2", "--reparse", "--extractor", "text"));
    Map<String, Map<String, String>> text = rows();
    assertNothingLost(before, text);
    assertTrue(text.get(HOME).get("text").contains("http://khabar.test/1") && !before.get(HOME).get("text").contains("http://khabar.test/1"));
    assertNotEquals(before.get(HOME).get(PageKeys.VERSION), text.get(HOME).get(PageKeys.VERSION));
    assertEquals(2, Corpus.lines(corpus()).size());
    assertTrue(Corpus.values(corpus(), "text").toString().contains("http://khabar.test/1"));
    refused("--extractor is web-am, but", "parsed with text");

    // A pack that takes this Urdu for another language; and a process that is killed on the way to it.
    String[] withPack = {"--rounds", "2", "--extractor", "text", "--pack", pack.toString()};
    ChildCrawl child = ChildCrawl.start(folder.getRoot().toPath().resolve("output.txt"), Collections.emptyList(),
        arguments(plus(withPack, "--reparse")));
    while (child.isAlive() && !child.output().contains("stored pages again")) {
      Thread.sleep(2);
    }
    Thread.sleep(100);
    child.kill();
    assertTrue(child.output(), child.output().contains("stored pages again"));
    assertEquals("the same command goes on, also without the option", 0, crawl(withPack));
    Map<String, Map<String, String>> packed = rows();
    assertNothingLost(before, packed);
    assertTrue(packed.get(HOME).get(PageKeys.LANGUAGES), packed.get(HOME).get(PageKeys.LANGUAGES).startsWith("mzn:"));
    assertTrue(Float.parseFloat(packed.get(HOME).get("score")) < Float.parseFloat(text.get(HOME).get("score")) / 10);
    assertEquals(0, Corpus.lines(corpus()).size());
    List<RoundYield> yields = CrawlState.load(state()).yields();
    assertTrue(yields.stream().allMatch(yield -> yield.inLanguage == 0) && yields.get(0).fetched == 1);

    // As if the process had been killed when all rounds were done but the last.
    CrawlState half = CrawlState.load(state());
    half.beginReparse(Collections.emptyMap());
    half.setReparsed(1);
    assertEquals(said, 0, crawl(withPack));
    assertTrue(said, said.contains("reparse   2 pages, 0 failed"));
    assertNull(CrawlState.load(state()).reparsed());
    assertEquals(packed, rows());
    refused("--pack is missing, but", "parsed with a language pack", "--extractor", "text");

    // Of a folder that does not note them, the options are the defaults and the version is in the rows.
    Properties values = new Properties();
    values.load(Files.newBufferedReader(state()));
    for (String fact : Arrays.asList("record", "extractor", "page-policy", "min-bytes", "pack")) {
      assertTrue(fact, values.remove("crawl." + fact) != null);
    }
    values.store(Files.newBufferedWriter(state()), null);
    refused("--extractor is best, but", "parsed with web-am", "--extractor", "best");
    refused("records of version '" + before.get(HOME).get(PageKeys.VERSION), "'" + packed.get(HOME).get(PageKeys.VERSION)
        + "'; give --reparse");
    assertEquals(said, 0, crawl("--rounds", "2", "--reparse"));
    assertEquals(before, rows());
    assertEquals(corpus, Corpus.lines(corpus()));
  }

  private void refused(String first, String second, String... options) throws Exception {
    assertEquals(2, crawl(plus(options, "--rounds", "2")));
    assertTrue(said, said.contains(first) && said.contains(second) && said.contains("--reparse"));
    assertEquals(said, 1, said.substring(said.indexOf("corpulyzer crawl: ")).trim().split("\n").length);
  }

  /** Every row is there, and what a parse does not make is as it was. */
  private static void assertNothingLost(Map<String, Map<String, String>> before, Map<String, Map<String, String>> after) {
    assertEquals(before.keySet(), after.keySet());
    before.forEach((url, cells) -> {
      for (String key : Arrays.asList("status", "time", "retries", "content")) {
        assertEquals(url + " " + key, cells.get(key), after.get(url).get(key));
      }
    });
    assertEquals("db_fetched", after.get(HOME).get("status"));
    assertFalse(before.get(HOME).get("content").isEmpty());
  }

  private Path pack() throws Exception {
    Path root = folder.getRoot().toPath();
    // Often enough to be likelier than Urdu as the library knows it.
    Files.write(root.resolve("text.txt"), Collections.nCopies(100, TinyWeb.URDU.replace("۔ ", "۔\n")), StandardCharsets.UTF_8);
    Path pack = root.resolve("mzn.pack");
    Path log = root.resolve("train.log");
    int code = new ProcessBuilder(System.getProperty("corpulyzer.root") + "/target/release/corpulyzer", "train", "--language", "mzn", "--text",
        root.resolve("text.txt").toString(), "--out", pack.toString()).redirectErrorStream(true).redirectOutput(log.toFile()).start().waitFor();
    assertEquals(new String(Files.readAllBytes(log), StandardCharsets.UTF_8), 0, code);
    return pack;
  }

  private int crawl(String... more) throws IOException {
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(told, true, "UTF-8");
    int code = Crawl.run(stream, stream, arguments(more));
    said = told.toString("UTF-8");
    return code;
  }

  private String[] arguments(String... more) throws IOException {
    Path seeds = folder.getRoot().toPath().resolve("seeds.txt");
    Files.write(seeds, "http://khabar.test/".getBytes(StandardCharsets.UTF_8));
    return plus(more, "--language", "ur", "--seeds", seeds.toString(), "--agent", "tester", "--contact", "me@example.org", "--data",
        data().toString(), "--out", folder.getRoot().toPath().resolve("out").toString(), "--proxy", proxy, "--no-report");
  }

  private static String[] plus(String[] some, String... more) {
    List<String> all = new ArrayList<>(Arrays.asList(some));
    all.addAll(Arrays.asList(more));
    return all.toArray(new String[0]);
  }

  private Path corpus() {
    return folder.getRoot().toPath().resolve("out").resolve("corpus.jsonl.zst");
  }

  private Path state() {
    return data().resolve("state.properties");
  }

  private Path data() {
    return folder.getRoot().toPath().resolve("data");
  }

  /** What the crawl has of each address: the row, the text, and the bytes as fetched. */
  private Map<String, Map<String, String>> rows() throws Exception {
    Map<String, ParseText> texts = CrawlFiles.newest(data(), ParseText.DIR_NAME, ParseText::new);
    Map<String, Content> contents = CrawlFiles.newest(data(), Content.DIR_NAME, Content::new);
    Map<String, Map<String, String>> all = new TreeMap<>();
    for (Map.Entry<String, CrawlDatum> row : CrawlFiles.rows(data()).entrySet()) {
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
      cells.put("content", content == null ? "" : new String(content.getContent(), StandardCharsets.ISO_8859_1));
      all.put(row.getKey(), cells);
    }
    return all;
  }
}
