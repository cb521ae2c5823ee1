package org.corpulyzer.nutch;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.indexer.IndexingFilter;
import org.apache.nutch.parse.ParseFilter;
import org.apache.nutch.parse.ParseUtil;
import org.apache.nutch.parse.ParserJob;
import org.apache.nutch.plugin.PluginClassLoader;
import org.apache.nutch.scoring.ScoringFilter;
import org.apache.nutch.storage.WebPage;
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

  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private Configuration conf;

  @Before
  public void copyThePlugins() throws IOException {
    Path from = Paths.get(System.getProperty("corpulyzer.plugins"));
    Path to = folder.getRoot().toPath();
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
  public void parseJobFailsAtItsStartWithWhatWasTried() {
    Error failure = assertThrows(Error.class, () -> new ParserJob(conf).run(new String[] {"-all"}));
    assertTrue(failure.getMessage(), failure.getMessage().contains("libnowhere.so"));
    assertTrue(failure.getMessage(), failure.getMessage().contains(Settings.NATIVE_PATH));
  }

  @Test
  public void taskFailsRatherThanParseWithoutFigures() {
    conf.set("mapreduce.framework.name", "yarn");
    conf.set("mapreduce.task.attempt.id", "attempt_1_0001_m_000000_0");
    WebPage page =
        Nutch.fetched("http://a.example/", "text/html", "<p>text".getBytes(StandardCharsets.UTF_8));
    Error failure =
        assertThrows(Error.class, () -> new ParseUtil(conf).process("http://a.example/", page));
    assertTrue(failure.toString(), failure.getMessage().contains("libnowhere.so"));
  }

  @Test
  public void clientThatOnlySubmitsNeedsNoLibrary() throws Exception {
    conf.set("mapreduce.framework.name", "yarn");
    assertTrue(Nutch.filter(conf, ParseFilter.class).getFields().contains(WebPage.Field.CONTENT));
    assertTrue(Nutch.filter(conf, ScoringFilter.class).getFields().contains(WebPage.Field.SCORE));
  }

  @Test
  public void allFiltersShareOneClassLoaderAndHenceOneLibrary() throws Exception {
    conf.set("mapreduce.framework.name", "yarn");
    ClassLoader loader = Nutch.filter(conf, ParseFilter.class).getClass().getClassLoader();
    assertEquals(PluginClassLoader.class, loader.getClass());
    assertSame(loader, Nutch.filter(conf, ScoringFilter.class).getClass().getClassLoader());
    assertSame(loader, Nutch.filter(conf, IndexingFilter.class).getClass().getClassLoader());
  }

  @Test
  public void pageOfALateFailureSaysSoInItsFigures() throws Exception {
    conf.set("mapreduce.framework.name", "yarn");
    WebPage page =
        Nutch.fetched("http://a.example/", "text/html", "<p>text".getBytes(StandardCharsets.UTF_8));
    new ParseUtil(conf).process("http://a.example/", page);
    assertEquals("failed", Nutch.figure(page, PageKeys.STATUS));
    assertEquals("reject failed", Nutch.figure(page, PageKeys.DECISION));
    assertEquals("text", page.getText().toString());
  }

  @Test
  public void filtersDoNothingWhenTheLibraryIsNotRequired() throws Exception {
    conf.set(Settings.NATIVE_REQUIRED, "false");
    WebPage page =
        Nutch.fetched("http://a.example/", "text/html", "<p>text".getBytes(StandardCharsets.UTF_8));
    new ParseUtil(conf).process("http://a.example/", page);
    assertEquals("text", page.getText().toString());
    assertNull(Nutch.figure(page, PageKeys.STATUS));
    page.setScore(7f);
    assertEquals(
        7f,
        Nutch.filter(conf, ScoringFilter.class).generatorSortValue("http://a.example/", page, 3f),
        0);
  }

  @Test
  public void generatorFailsRatherThanSortWithoutScores() {
    RuntimeException failure =
        assertThrows(
            RuntimeException.class,
            () ->
                Nutch.filter(conf, ScoringFilter.class)
                    .generatorSortValue("http://a.example/", WebPage.newBuilder().build(), 3f));
    assertTrue(failure.toString(), failure.getMessage().contains("libnowhere.so"));
  }
}
