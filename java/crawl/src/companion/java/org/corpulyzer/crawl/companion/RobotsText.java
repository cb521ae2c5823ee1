package org.corpulyzer.crawl.companion;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Makes a robots.txt safe for the parser of crawler-commons 1.6: its time grows with the square of
 * the length of a line, and it ignores a Crawl-delay that needs more than 31 bits, so that the
 * longest delay would count as none. It also ignores lines with no-break spaces, byte order marks
 * and spaces without a width, as editors write them and as files have that were joined. Of a line
 * with several agents it takes them for one name.
 */
final class RobotsText {
  /** Longest line, in bytes. Longer lines are ignored, because no URL of the crawl is so long. */
  static final int MAX_LINE_BYTES = 8192;

  /** The longest number that the parser reads: 31 years. No crawl waits so long. */
  private static final String LONGEST_DELAY = "999999999";

  private static final Pattern LONG_DELAY =
      Pattern.compile(
          "(?im)^([ \\t]*+[a-z]{3,5}[ -]?+de?l[ae]?y[ \\t]*+:?+[ \\t]*+)\\+?+0*+[1-9][0-9]{9,}+");

  /** U+00A0, U+200B and U+FEFF in UTF-8, read as ISO 8859-1. */
  private static final Pattern SPACE =
      Pattern.compile("\u00c2\u00a0|\u00e2\u0080\u008b|\u00ef\u00bb\u00bf");

  private static final Pattern AGENTS =
      Pattern.compile("(?im)^[ \\t]*+user[ -]?+agent[ \\t]*+:([^\\r\\n#]*+)");

  private RobotsText() {}

  /** Returns the same file without its longest lines and with delays that the parser can read. */
  static byte[] bounded(byte[] file) {
    byte[] kept = new byte[file.length];
    int size = 0;
    int start = 0;
    while (start < file.length) {
      int end = start;
      while (end < file.length && file[end] != '\n' && file[end] != '\r') {
        end++;
      }
      int next = Math.min(file.length, end + 1);
      if (end - start <= MAX_LINE_BYTES) {
        System.arraycopy(file, start, kept, size, next - start);
        size += next - start;
      }
      start = next;
    }
    // One character for each byte, whatever the charset.
    String text =
        SPACE.matcher(new String(kept, 0, size, StandardCharsets.ISO_8859_1)).replaceAll(" ");
    String delays = LONG_DELAY.matcher(text).replaceAll("$1" + LONGEST_DELAY);
    return AGENTS
        .matcher(delays)
        .replaceAll(found -> Matcher.quoteReplacement(agents(found.group(), found.group(1))))
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  /** A line for each agent of a list with commas. */
  private static String agents(String line, String names) {
    return names.indexOf(',') < 0
        ? line
        : Arrays.stream(names.split(","))
            .filter(name -> !name.isBlank())
            .map(name -> "User-agent: " + name.trim())
            .collect(Collectors.joining("\n"));
  }
}
