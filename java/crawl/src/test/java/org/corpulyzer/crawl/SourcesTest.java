package org.corpulyzer.crawl;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.Rule;
import org.junit.Test;

/** Tests the sources of seeds in whole crawls of a web on loopback. */
public class SourcesTest {
  private static final String SEEDS =
      "http://a.test/\ttwitter\n"
          + "http://b.test/\tsource=directory\tnutch.score=2.0\n"
          + "http://c.test/\n"
          + "http://a.test/\tdirectory\n";

  @Rule public final TestCrawl folder = new TestCrawl();

  /** Two seeds with sources and one without, each with a page behind it. */
  private static TinyWeb web() throws Exception {
    TinyWeb web = new TinyWeb();
    web.urdu("http://a.test/", "http://a.test/1", "http://a.test/2");
    web.urdu("http://a.test/1", "http://d.test/");
    web.english("http://a.test/2", "http://d.test/");
    web.english("http://b.test/", "http://b.test/1");
    web.urdu("http://b.test/1", "http://a.test/1");
    web.urdu("http://c.test/", "http://c.test/1");
    web.english("http://c.test/1", "http://b.test/1");
    web.urdu("http://d.test/");
    return web;
  }

  @Test(timeout = 200_000)
  public void pagesHaveTheSourceOfTheirSeedInTheCorpusAndInTheTableOfTheYields() throws Exception {
    try (TinyWeb web = web()) {
      crawl(web, SEEDS, "--rounds", "3");
    }
    Map<String, String> sources = new TreeMap<>();
    for (String line : Corpus.lines(folder.corpus())) {
      JsonObject record = JsonParser.parseString(line).getAsJsonObject();
      sources.put(
          record.get("url").getAsString(),
          record.has("source") ? record.get("source").getAsString() : "none");
    }
    assertEquals(
        "{http://a.test/=twitter, http://a.test/1=twitter, http://b.test/1=directory,"
            + " http://c.test/=none, http://d.test/=twitter}",
        sources.toString());
    List<String> table = lines(folder.out().resolve("sources.tsv"));
    assertEquals(
        "round\tsource\tfetched\tkept\tyield %\tdownloaded bytes\tbytes in the language",
        table.get(0));
    assertEquals(
        Arrays.asList(
            "1 - 1 1 100.00",
            "1 directory 1 0 0.00",
            "1 twitter 1 1 100.00",
            "2 - 1 0 0.00",
            "2 directory 1 1 100.00",
            "2 twitter 2 1 50.00",
            "3 twitter 1 1 100.00",
            "all - 2 1 50.00",
            "all directory 2 1 50.00",
            "all twitter 4 3 75.00"),
        table.subList(1, table.size()).stream()
            .map(line -> String.join(" ", Arrays.asList(line.split("\t")).subList(0, 5)))
            .collect(Collectors.toList()));
    long language = 0;
    for (String line : table) {
      if (line.startsWith("all\t")) {
        String[] cells = line.split("\t");
        assertTrue(line, Long.parseLong(cells[5]) > Long.parseLong(cells[6]));
        language += Long.parseLong(cells[6]);
      }
    }
    assertEquals(folder.state().corpusBytes(), language);
    assertTrue(folder.output(), folder.output().contains("75.0%"));
  }

  @Test(timeout = 200_000)
  public void aListWithoutSourcesGivesNoFieldAndNoTable() throws Exception {
    try (TinyWeb web = web()) {
      crawl(web, "http://a.test/\nhttp://c.test/\tnutch.score=2.0\n", "--rounds", "2");
    }
    assertTrue(Corpus.values(folder.corpus(), "source").isEmpty());
    assertFalse(Files.exists(folder.out().resolve("sources.tsv")));
    assertEquals(4, Corpus.lines(folder.corpus()).size() + 1);
  }

  @Test
  public void aBadSourceIsRefusedWithItsLine() throws Exception {
    for (String bad :
        new String[] {
          "source=", "two words", "a\u0001", "a\u200f", "=", "+1", "x".repeat(65), "a\tsource=b"
        }) {
      assertEquals(bad, 2, folder.run("http://a.test/\tok\nhttp://b.test/\t" + bad + "\n"));
      assertTrue(bad + folder.output(), folder.output().contains("line 2 of the seed list"));
      assertTrue(bad + folder.output(), folder.output().contains("source"));
      assertFalse(Files.exists(folder.data()));
    }
  }

  @Test
  public void moreSourcesThanAListHasAreRefused() throws Exception {
    StringBuilder seeds = new StringBuilder();
    for (int i = 0; i <= 1000; i++) {
      seeds.append("http://a.test/").append(i).append("\tsource=").append(i).append('\n');
    }
    assertEquals(2, folder.run(seeds.toString()));
    assertTrue(folder.output(), folder.output().contains("more than 1000 sources at line 1001"));
  }

  private void crawl(TinyWeb web, String seeds, String... options) throws Exception {
    String[] common = {"--proxy", web.proxy(), "--no-report"};
    String[] all = Arrays.copyOf(common, common.length + options.length);
    System.arraycopy(options, 0, all, common.length, options.length);
    assertEquals(folder.output(), 0, folder.run(seeds, all));
  }

  private static List<String> lines(Path file) throws Exception {
    return Files.readAllLines(file, StandardCharsets.UTF_8);
  }
}
