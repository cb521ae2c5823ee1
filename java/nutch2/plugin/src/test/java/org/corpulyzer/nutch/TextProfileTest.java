package org.corpulyzer.nutch;

import static org.junit.Assert.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.MessageDigest;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.crawl.TextProfileSignature;
import org.apache.nutch.storage.WebPage;
import org.junit.Test;

/**
 * Tests the signature that finds near duplicates in the report: Nutch's own class, on the texts
 * that rust/figures reads too.
 */
public class TextProfileTest {

  private static final Path VECTORS =
      Paths.get(System.getProperty("corpulyzer.root"), "tests", "vectors", "text-profile.tsv");

  /** SplitMix64. */
  private static final class Random {
    private long state;

    Random(long seed) {
      state = seed;
    }

    /** From 0 to {@code bound} - 1. */
    int next(int bound) {
      state += 0x9e3779b97f4a7c15L;
      long mixed = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
      mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
      return (int) Long.remainderUnsigned(mixed ^ (mixed >>> 31), bound);
    }
  }

  @Test
  public void signaturesAreThoseThatRustComputes() throws Exception {
    TextProfileSignature signature = new TextProfileSignature();
    signature.setConf(new Configuration(false));
    for (String line : Files.readAllLines(VECTORS, StandardCharsets.UTF_8)) {
      if (line.startsWith("#")) {
        continue;
      }
      String[] vector = line.split("\t");
      int first = Integer.parseInt(vector[1], 16);
      int last = Integer.parseInt(vector[2], 16);
      MessageDigest all = MessageDigest.getInstance("MD5");
      for (int number = 0; number < Integer.parseInt(vector[3]); number++) {
        WebPage page = WebPage.newBuilder().build();
        page.setText(text(number, first, last));
        all.update(signature.calculate(page));
      }
      StringBuilder digest = new StringBuilder();
      for (byte b : all.digest()) {
        digest.append(String.format("%02x", b));
      }
      assertEquals(vector[0], vector[4], digest.toString());
    }
  }

  /**
   * The text with a number: words of characters from a range, each of which comes several times,
   * and signs between them.
   */
  private static String text(int number, int first, int last) {
    String[] signs = {" ", "\n", ", ", "-", "\u060c "};
    Random random = new Random(number);
    int vocabulary = 1 + random.next(60);
    // Now and then a text in which words come so often that their counts are rounded.
    int words = number % 50 == 49 ? 2000 : 1 + random.next(120);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < words; i++) {
      Random letters = new Random(1_000_003L * number + random.next(vocabulary));
      int length = 1 + letters.next(8);
      for (int j = 0; j < length; j++) {
        text.appendCodePoint(first + letters.next(last - first + 1));
      }
      text.append(signs[random.next(signs.length)]);
    }
    return text.toString();
  }
}
