package org.corpulyzer.engine;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * The rules of a host on the use of its pages: what is stored of its robots.txt and its {@code
 * tdmrep.json}. The engine reads the rules themselves.
 */
public final class UsageRules {

  /** Path of robots.txt. */
  public static final String ROBOTS_PATH = "/robots.txt";

  /** Path of the file of the TDM Reservation Protocol. */
  public static final String TDM_PATH = "/.well-known/tdmrep.json";

  /** Longest rules of a file. Each page of the host is stored or written with them. */
  public static final int MAX_BYTES = 64 << 10;

  /** Labels of lines on usage, and of the line that begins a group. */
  private static final List<String> LABELS =
      Collections.unmodifiableList(Arrays.asList("user-agent", "content-usage", "content-signal"));

  private UsageRules() {}

  /**
   * Returns the lines on usage and the beginnings of their groups. One line of another label stands
   * for all that follow one another, because it ends the names of a group.
   *
   * @param robots a robots.txt
   * @return null if there is no rule on usage
   */
  public static String ofRobots(byte[] robots) {
    StringBuilder kept = new StringBuilder();
    boolean hasRules = false;
    boolean isOther = false;
    for (String line : new String(robots, StandardCharsets.UTF_8).split("[\\r\\n]+")) {
      String rule = line.split("#", 2)[0].replace("\ufeff", "").trim();
      int colon = rule.indexOf(':');
      String label = colon <= 0 ? "" : rule.substring(0, colon).trim().toLowerCase(Locale.ROOT);
      if (LABELS.contains(label)) {
        kept.append(rule).append('\n');
        hasRules |= label.startsWith("content-");
        isOther = false;
      } else if (!label.isEmpty() && !isOther) {
        kept.append("Allow: /\n");
        isOther = true;
      }
      if (kept.length() > MAX_BYTES) {
        break;
      }
    }
    return hasRules ? kept.toString() : null;
  }

  /**
   * @param file a {@code tdmrep.json}
   * @return the file as text; null if it is no list, or longer than {@value #MAX_BYTES} bytes
   */
  public static String ofTdm(byte[] file) {
    String text = new String(file, StandardCharsets.UTF_8).replace("\ufeff", "").trim();
    return text.startsWith("[") && file.length <= MAX_BYTES ? text : null;
  }
}
