package org.corpulyzer.reference;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import de.l3s.boilerpipe.extractors.ArticleExtractor;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.Assume;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Our ArticleExtractor against Boilerpipe 1.2.2 on the same pages. Only extraction is compared:
 * pages that are not UTF-8 are left out, because Boilerpipe takes text.
 */
public class ArticleReferenceTest {
  private static final double MIN_MEAN_F1 = 0.995;
  private static final double MIN_IDENTICAL = 0.9;
  private static final int WORST = 5;

  private final Path root = Paths.get(System.getProperty("corpulyzer.root"));

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void vectorsReadAsBoilerpipeReadsThem() throws Exception {
    assertAgrees(root.resolve("tests/vectors/pages"));
  }

  @Test
  public void annotatedRealPagesReadAsBoilerpipeReadsThem() throws Exception {
    assertAgrees(shared("data/pages/aeb/html"));
  }

  @Test
  public void realPagesInSevenLanguagesReadAsBoilerpipeReadsThem() throws Exception {
    assertAgrees(shared("data/pages/wild"));
  }

  @Test
  public void theMeasureTellsTextsApart() {
    assertEquals(1, TokenF1.of("", " ... "), 0);
    assertEquals(1, TokenF1.of("The Fox, the fox!", "THE the fox\nfox"), 0);
    assertEquals(0, TokenF1.of("fox", ""), 0);
    assertEquals(0.5, TokenF1.of("one two", "two three"), 0);
    assertEquals(0.5, TokenF1.of("\u4e2d\u56fd", "\u56fd\u5bb6"), 0);
  }

  private Path shared(String name) {
    String set = System.getenv("CORPULYZER_SHARED");
    Path found = (set == null ? root.resolveSibling("shared") : Paths.get(set)).resolve(name);
    if (!Files.isDirectory(found)) {
      System.out.println("skipped: needs the shared data, " + found + " is not a folder");
    }
    Assume.assumeTrue(Files.isDirectory(found));
    return found;
  }

  private void assertAgrees(Path pages) throws Exception {
    TreeMap<String, String> texts = utf8Pages(pages);
    assertFalse("no UTF-8 pages in " + pages, texts.isEmpty());
    Path in = folder.newFolder("in").toPath();
    Path out = folder.newFolder("out").toPath();
    for (String name : texts.keySet()) {
      Files.write(in.resolve(name), texts.get(name).getBytes(StandardCharsets.UTF_8));
    }
    extract(in, out);

    List<Comparison> comparisons = new ArrayList<>();
    for (String name : texts.keySet()) {
      Path ours = out.resolve(name.replaceAll("html$", "txt"));
      String theirs = ArticleExtractor.INSTANCE.getText(texts.get(name));
      comparisons.add(
          new Comparison(
              name, theirs, new String(Files.readAllBytes(ours), StandardCharsets.UTF_8)));
    }
    double mean = comparisons.stream().mapToDouble(it -> it.f1).average().orElse(0);
    double identical =
        comparisons.stream().filter(it -> it.identical).count() / (double) comparisons.size();
    System.out.printf(
        "%s: %d pages, mean F1 %.4f, identical %.1f %%%n",
        root.relativize(pages), comparisons.size(), mean, 100 * identical);
    comparisons.stream()
        .filter(it -> !it.identical)
        .sorted(Comparator.comparingDouble(it -> it.f1))
        .limit(WORST)
        .forEach(System.out::println);
    assertTrue("mean F1 is " + mean, mean >= MIN_MEAN_F1);
    assertTrue("identical is a share of " + identical, identical >= MIN_IDENTICAL);
  }

  /** File name to text, of every page under a folder that is valid UTF-8. */
  private static TreeMap<String, String> utf8Pages(Path pages) throws IOException {
    TreeMap<String, String> texts = new TreeMap<>();
    List<Path> files;
    try (Stream<Path> walk = Files.walk(pages)) {
      files = walk.filter(file -> file.toString().endsWith(".html")).collect(Collectors.toList());
    }
    for (Path file : files) {
      try {
        String text =
            StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
                .toString();
        texts.put(pages.relativize(file).toString().replace(File.separatorChar, '-'), text);
      } catch (CharacterCodingException notUtf8) {
        System.out.println("left out, not UTF-8: " + file.getFileName());
      }
    }
    return texts;
  }

  private static void extract(Path in, Path out) throws Exception {
    Path program = Paths.get(System.getProperty("corpulyzer.blocks"));
    assertTrue(
        program + " is missing: cargo build --release -p content --example blocks",
        Files.isExecutable(program));
    Process process =
        new ProcessBuilder(program.toString(), in.toString(), out.toString())
            .redirectErrorStream(true)
            .redirectOutput(new File(out.toFile().getParentFile(), "log"))
            .start();
    assertEquals(0, process.waitFor());
  }

  /** The results of both programs for one page. */
  private static final class Comparison {
    final double f1;
    final boolean identical;
    private final String summary;

    Comparison(String name, String theirs, String ours) {
      String expected = folded(theirs);
      String actual = folded(ours);
      identical = expected.equals(actual);
      f1 = identical ? 1 : TokenF1.of(expected, actual);
      int same = 0;
      while (same < Math.min(expected.length(), actual.length())
          && expected.charAt(same) == actual.charAt(same)) {
        same++;
      }
      summary =
          String.format(
              "%s: F1 %.4f, %d characters against Boilerpipe's %d; from character %d on:%n  theirs:"
                  + " %s%n  ours:   %s",
              name,
              f1,
              actual.length(),
              expected.length(),
              same,
              excerpt(expected, same),
              excerpt(actual, same));
    }

    private static String folded(String text) {
      return text.replaceAll("\\s+", " ").trim();
    }

    private static String excerpt(String text, int from) {
      return text.substring(Math.max(0, from - 20), Math.min(text.length(), from + 60));
    }

    @Override
    public String toString() {
      return summary;
    }
  }
}
