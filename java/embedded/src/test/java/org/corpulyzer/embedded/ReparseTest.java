package org.corpulyzer.embedded;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
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
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Stored pages are parsed again after the web has gone. */
public class ReparseTest {
  private static final String HOME = "test.khabar:http/";
  private static final String OTHER_VERSION = "1 web-am/0 lm/0";
  private static final Change NOTHING = table -> { };
  private static final String MARK = "mk:_crprps_";

  /** What a test does to the table. */
  private interface Change {
    void apply(Table table) throws IOException;
  }

  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private String said;
  private String proxy;

  @Test(timeout = 1_200_000)
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
    Map<String, Map<String, byte[]>> before = rows(NOTHING);
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
    Map<String, Map<String, byte[]>> text = rows(NOTHING);
    assertNothingLost(before, text);
    assertTrue(text(text, "p:c").contains("http://khabar.test/1") && !text(before, "p:c").contains("http://khabar.test/1"));
    assertNotEquals(text(before, "mtdt:crp.v"), text(text, "mtdt:crp.v"));
    assertEquals(2, Corpus.lines(corpus()).size());
    assertTrue(Corpus.values(corpus(), "text").toString().contains("http://khabar.test/1"));
    refused("--extractor is web-am, but", "parsed with text");

    // A pack that takes this Urdu for another language; and a process that is killed on the way to it.
    String[] withPack = {"--rounds", "2", "--extractor", "text", "--pack", pack.toString()};
    ChildCrawl child = ChildCrawl.start(folder.getRoot().toPath().resolve("output.txt"), Collections.emptyList(),
        arguments(plus(withPack, "--reparse")));
    while (child.isAlive() && !child.output().contains("stored pages again")) {
      Thread.sleep(20);
    }
    Thread.sleep(500);
    child.kill();
    assertTrue(child.output(), child.output().contains("stored pages again"));
    assertEquals("the same command goes on, also without the option", 0, crawl(withPack));
    Map<String, Map<String, byte[]>> packed = rows(table ->
        table.delete(new Delete(WebTable.bytes(HOME)).addColumns(WebTable.MARKS, WebTable.bytes("_crprps_"))));
    assertNothingLost(before, packed);
    assertTrue(text(packed, "mtdt:crp.l"), text(packed, "mtdt:crp.l").startsWith("mzn:"));
    assertTrue(Bytes.toFloat(packed.get(HOME).get("s:s")) < Bytes.toFloat(text.get(HOME).get("s:s")) / 10);
    assertEquals(0, Corpus.lines(corpus()).size());
    List<RoundYield> yields = CrawlState.load(state()).yields();
    assertTrue(yields.stream().allMatch(yield -> yield.inLanguage == 0) && yields.get(0).fetched == 1);

    // As if the process had been killed when all pages were done but one, which lost its mark above.
    CrawlState.load(state()).beginReparse(Bytes.toString(packed.get(HOME).get(MARK)), Collections.emptyMap());
    assertEquals(said, 0, crawl(withPack));
    assertTrue(said, said.contains("reparse   1 pages, 0 failed"));
    assertNull(CrawlState.load(state()).reparse());
    // A row of another release's, for what follows.
    Map<String, Map<String, byte[]>> resumed = rows(table -> table.put(new Put(WebTable.bytes(HOME)).addColumn(WebTable.bytes("mtdt"),
        WebTable.bytes("crp.v"), WebTable.bytes(OTHER_VERSION))));
    assertArrayEquals(packed.get(HOME).get("mtdt:crp.l"), resumed.get(HOME).get("mtdt:crp.l"));
    refused("--pack is missing, but", "parsed with a language pack", "--extractor", "text");

    // Of a folder from before it was noted, the options are known and the version is in the rows.
    Properties values = new Properties();
    values.load(Files.newBufferedReader(state()));
    for (String fact : Arrays.asList("record", "extractor", "page-policy", "min-bytes", "pack")) {
      assertTrue(fact, values.remove("crawl." + fact) != null);
    }
    values.store(Files.newBufferedWriter(state()), null);
    refused("--extractor is best, but", "parsed with web-am", "--extractor", "best");
    refused("records of version '" + text(before, "mtdt:crp.v"), "'" + OTHER_VERSION + "'; give --reparse");
    assertEquals(said, 0, crawl("--rounds", "2", "--reparse"));
    Map<String, Map<String, byte[]>> again = rows(NOTHING);
    assertEquals(text(before, "mtdt:crp.v"), text(again, "mtdt:crp.v"));
    assertEquals(text(before, "p:c"), text(again, "p:c"));
    assertEquals(corpus, Corpus.lines(corpus()));
  }

  private void refused(String first, String second, String... options) throws Exception {
    assertEquals(2, crawl(plus(options, "--rounds", "2")));
    assertTrue(said, said.contains(first) && said.contains(second) && said.contains("--reparse"));
    assertEquals(said, 1, said.substring(said.indexOf("corpulyzer crawl: ")).trim().split("\n").length);
  }

  /** Every cell is there; and those that a parse does not make are as they were. */
  private static void assertNothingLost(Map<String, Map<String, byte[]>> before, Map<String, Map<String, byte[]>> after) {
    assertEquals(before.keySet(), after.keySet());
    before.forEach((row, cells) -> cells.forEach((column, value) -> {
      assertTrue(row + " " + column, after.get(row).containsKey(column));
      if (column.startsWith("f:") || column.startsWith("h:") || column.startsWith("il:") || column.startsWith("ol:") || column.startsWith("mk:")
          && !column.equals(MARK)) {
        assertArrayEquals(row + " " + column, value, after.get(row).get(column));
      }
    }));
    assertTrue(before.get(HOME).get("f:cnt").length > 1000);
  }

  private static String text(Map<String, Map<String, byte[]>> rows, String column) {
    return Bytes.toString(rows.get(HOME).get(column));
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

  private Path data() {
    return folder.getRoot().toPath().resolve("data");
  }

  private Path state() {
    return data().resolve("state.properties");
  }

  private Path corpus() {
    return folder.getRoot().toPath().resolve("out").resolve("corpus.jsonl.zst");
  }

  /** The whole table: values by family and qualifier, by row. Then the table is changed. */
  private Map<String, Map<String, byte[]>> rows(Change change) throws Exception {
    Map<String, Map<String, byte[]>> all = new TreeMap<>();
    try (LocalHBase hbase = LocalHBase.start(data().resolve("hbase"), data().resolve("zookeeper"), 0);
        Table table = hbase.connection().getTable(WebTable.NAME);
        ResultScanner rows = table.getScanner(new Scan())) {
      for (Result row : rows) {
        Map<String, byte[]> cells = new TreeMap<>();
        for (Cell cell : row.rawCells()) {
          cells.put(Bytes.toString(CellUtil.cloneFamily(cell)) + ":" + Bytes.toString(CellUtil.cloneQualifier(cell)), CellUtil.cloneValue(cell));
        }
        all.put(Bytes.toString(row.getRow()), cells);
      }
      change.apply(table);
      hbase.flush();
    }
    return all;
  }
}
