package org.corpulyzer.install;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The difference of two texts as {@code diff -u} prints it. */
final class UnifiedDiff {
  private static final int CONTEXT = 3;

  private UnifiedDiff() {}

  /** Empty when the texts are equal. */
  static String of(String name, String before, String after) {
    if (before.equals(after)) {
      return "";
    }
    List<String> marked = mark(lines(before), lines(after));
    StringBuilder out = new StringBuilder("--- " + name + "\n+++ " + name + "\n");
    int oldLine = 1;
    int newLine = 1;
    for (int i = 0; i < marked.size(); ) {
      int change = nextChange(marked, i);
      if (change == marked.size()) {
        break;
      }
      int from = Math.max(i, change - CONTEXT);
      int to = change;
      for (int next = change;
          next < marked.size() && next <= to + 2 * CONTEXT + 1;
          next = nextChange(marked, next + 1)) {
        to = next;
      }
      to = Math.min(marked.size(), to + CONTEXT + 1);
      oldLine += from - i;
      newLine += from - i;
      List<String> hunk = marked.subList(from, to);
      int olds = (int) hunk.stream().filter(line -> line.charAt(0) != '+').count();
      int news = (int) hunk.stream().filter(line -> line.charAt(0) != '-').count();
      out.append("@@ -")
          .append(range(oldLine, olds))
          .append(" +")
          .append(range(newLine, news))
          .append(" @@\n");
      hunk.forEach(line -> out.append(line).append('\n'));
      oldLine += olds;
      newLine += news;
      i = to;
    }
    return out.toString();
  }

  private static String range(int start, int length) {
    return (length == 0 ? start - 1 : start) + "," + length;
  }

  private static int nextChange(List<String> marked, int from) {
    int i = from;
    while (i < marked.size() && marked.get(i).charAt(0) == ' ') {
      i++;
    }
    return i;
  }

  private static List<String> lines(String text) {
    return text.isEmpty() ? new ArrayList<>() : Arrays.asList(text.replace("\r", "").split("\n"));
  }

  /**
   * Every line of both texts behind a blank, a minus or a plus, by a longest common subsequence.
   */
  private static List<String> mark(List<String> before, List<String> after) {
    int[][] common = new int[before.size() + 1][after.size() + 1];
    for (int i = before.size() - 1; i >= 0; i--) {
      for (int j = after.size() - 1; j >= 0; j--) {
        common[i][j] =
            before.get(i).equals(after.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    List<String> marked = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < before.size() || j < after.size()) {
      if (i < before.size() && j < after.size() && before.get(i).equals(after.get(j))) {
        marked.add(" " + before.get(i++));
        j++;
      } else if (i < before.size() && (j == after.size() || common[i + 1][j] >= common[i][j + 1])) {
        marked.add("-" + before.get(i++));
      } else {
        marked.add("+" + after.get(j++));
      }
    }
    return marked;
  }
}
