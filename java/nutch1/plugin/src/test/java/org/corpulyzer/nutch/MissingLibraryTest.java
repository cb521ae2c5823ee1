package org.corpulyzer.nutch;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.indexer.IndexingFilter;
import org.apache.nutch.parse.HtmlParseFilter;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.parse.ParseSegment;
import org.apache.nutch.plugin.PluginClassLoader;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.scoring.ScoringFilter;
import org.corpulyzer.engine.PageKeys;
import org.corpulyzer.engine.Settings;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Each test has a plugin folder of its own, hence a class loader of its own, in which nothing is
 * loaded yet.
 */
public class MissingLibraryTest {

  private static final String URL = "http://a.example/";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private Configuration conf;

  @Before
  public void copyThePlugins() throws IOException {
    Path from = Paths.get(System.getProperty("corpulyzer.plugins"));
    Path to = folder.getRoot().toPath().resolve("plugins");
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        Path copy = to.resolve(from.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
    conf = Nutch.conf();
    conf.set("plugin.folders", to.toString());
    conf.set(Settings.NATIVE_PATH, to.resolve("libnowhere.so").toString());
  }

  @Test
  public void parseJobFailsAndLeavesNoParsedSegment() throws Exception {
    CrawlFolder crawl = new CrawlFolder(folder.getRoot(), conf);
    Content content = Nutch.html(conf, URL, "<p>text");
    content
        .getMetadata()
        .set(
            org.apache.nutch.metadata.Nutch.FETCH_STATUS_KEY,
            Integer.toString(CrawlDatum.STATUS_FETCH_SUCCESS));
    crawl.write(
        "segments/1/content/part-r-00000", Content.class, Collections.singletonMap(URL, content));
    assertThrows(
        RuntimeException.class, () -> crawl.run(new ParseSegment(), crawl.path("segments/1")));
    assertFalse(new File(folder.getRoot(), "segments/1/crawl_parse").exists());
  }

  @Test
  public void taskFailsRatherThanParseWithoutFigures() {
    conf.set("mapreduce.framework.name", "yarn");
    conf.set("mapreduce.task.attempt.id", "attempt_1_0001_m_000000_0");
    Error failure =
        assertThrows(Error.class, () -> Nutch.parse(conf, Nutch.html(conf, URL, "<p>text")));
    assertTrue(failure.toString(), failure.getMessage().contains("libnowhere.so"));
    assertTrue(failure.toString(), failure.getMessage().contains(Settings.NATIVE_PATH));
  }

  @Test
  public void clientThatOnlySubmitsNeedsNoLibrary() throws Exception {
    conf.set("mapreduce.framework.name", "yarn");
    ClassLoader loader = Nutch.filter(conf, HtmlParseFilter.class).getClass().getClassLoader();
    assertEquals(PluginClassLoader.class, loader.getClass());
    assertSame(
        "one loader, hence one library",
        loader,
        Nutch.filter(conf, ScoringFilter.class).getClass().getClassLoader());
    assertSame(loader, Nutch.filter(conf, IndexingFilter.class).getClass().getClassLoader());
  }

  @Test
  public void pageOfALateFailureSaysSoInItsFigures() throws Exception {
    conf.set("mapreduce.framework.name", "yarn");
    Parse parse = Nutch.parsed(conf, Nutch.html(conf, URL, "<p>text"));
    assertEquals("failed", Nutch.figure(parse, PageKeys.STATUS));
    assertEquals("reject failed", Nutch.figure(parse, PageKeys.DECISION));
    assertNull(Nutch.figure(parse, PageKeys.TARGET_BYTES));
    assertEquals("text", parse.getText());
  }

  @Test
  public void filtersDoNothingWhenTheLibraryIsNotRequired() throws Exception {
    conf.set(Settings.NATIVE_REQUIRED, "false");
    conf.set(Settings.SCORE_SOURCE, "hostdb");
    Parse parse =
        Nutch.parsed(conf, Nutch.html(conf, URL, "<meta name=crp.l content='urd:9'><p>text"));
    assertEquals("text", parse.getText());
    assertNull(Nutch.figure(parse, PageKeys.STATUS));
    assertNull("a page sets no figures", Nutch.figure(parse, PageKeys.LANGUAGES));
    assertEquals(
        7f,
        Nutch.filter(conf, ScoringFilter.class)
            .generatorSortValue(
                new Text(URL), new CrawlDatum(CrawlDatum.STATUS_DB_UNFETCHED, 1, 7f), 3f),
        0);
  }

  @Test
  public void storedScoresNeedNoLibrary() throws Exception {
    assertEquals(
        7f,
        Nutch.filter(conf, ScoringFilter.class)
            .generatorSortValue(
                new Text(URL), new CrawlDatum(CrawlDatum.STATUS_DB_UNFETCHED, 1, 7f), 3f),
        0);
  }

  @Test
  public void hostDbWithoutTheLibraryFailsRatherThanSortWithoutScores() {
    conf.set(Settings.SCORE_SOURCE, "hostdb");
    RuntimeException failure =
        assertThrows(
            RuntimeException.class,
            () ->
                Nutch.filter(conf, ScoringFilter.class)
                    .generatorSortValue(new Text(URL), new CrawlDatum(), 3f));
    assertTrue(failure.toString(), failure.getMessage().contains("libnowhere.so"));
  }
}
