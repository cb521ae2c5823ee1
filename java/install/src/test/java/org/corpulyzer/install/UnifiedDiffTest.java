package org.corpulyzer.install;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.Test;

public class UnifiedDiffTest {
  @Test
  public void equal_texts_have_no_difference() {
    assertEquals("", UnifiedDiff.of("f", "a\nb\n", "a\nb\n"));
  }

  @Test
  public void far_changes_are_hunks_of_their_own() {
    assertEquals(
        "--- f\n+++ f\n@@ -1,4 +1,4 @@\n-a\n+A\n b\n c\n d\n@@ -9,3 +9,4 @@\n i\n j\n k\n+l\n",
        UnifiedDiff.of(
            "f", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\n", "A\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n"));
  }

  @Test
  public void the_difference_applied_to_the_old_text_is_the_new_text() {
    Random random = new Random(1);
    for (int round = 0; round < 500; round++) {
      List<String> before = new ArrayList<>();
      for (int i = random.nextInt(40); i > 0; i--) {
        before.add(String.valueOf((char) ('a' + random.nextInt(8))));
      }
      List<String> after = new ArrayList<>(before);
      for (int i = random.nextInt(6); i > 0; i--) {
        int at = random.nextInt(after.size() + 1);
        if (random.nextBoolean() || at == after.size()) {
          after.add(at, "new " + i);
        } else {
          after.remove(at);
        }
      }
      assertEquals(after, apply(UnifiedDiff.of("f", text(before), text(after)), before));
    }
  }

  private static String text(List<String> lines) {
    return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
  }

  /**
   * Follows the line numbers of the hunks' heads and checks that the old lines stand where they
   * say.
   */
  private static List<String> apply(String diff, List<String> before) {
    List<String> after = new ArrayList<>();
    int at = 0;
    for (String line :
        diff.isEmpty()
            ? Arrays.<String>asList()
            : Arrays.asList(diff.split("\n")).subList(2, diff.split("\n").length)) {
      Matcher head = Pattern.compile("@@ -(\\d+),(\\d+) \\+(\\d+),(\\d+) @@").matcher(line);
      if (head.matches()) {
        int start = Integer.parseInt(head.group(1)) - (head.group(2).equals("0") ? 0 : 1);
        after.addAll(before.subList(at, start));
        at = start;
        assertEquals(
            Integer.parseInt(head.group(3)) - (head.group(4).equals("0") ? 0 : 1), after.size());
      } else {
        if (line.charAt(0) != '+') {
          assertEquals(before.get(at++), line.substring(1));
        }
        if (line.charAt(0) != '-') {
          after.add(line.substring(1));
        }
      }
    }
    after.addAll(before.subList(at, before.size()));
    return after;
  }
}
