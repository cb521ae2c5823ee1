package org.corpulyzer.crawl.companion;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The X-Robots-Tag header as one crawler reads it. A value is a list of directives, separated by
 * commas. A directive may follow the name of a crawler and a colon. It and the next directives then
 * apply to that crawler, until another name. Directives with a value have a colon too ({@code
 * max-snippet: 0}), and a date may have both commas and colons.
 */
final class RobotsHeader {
  private static final Set<String> WITH_VALUE =
      Set.of("max-snippet", "max-image-preview", "max-video-preview", "unavailable_after");

  /**
   * A product token (RFC 9309, 2.2.1), with digits as some crawlers have them. No part of a date
   * begins so.
   */
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*");

  private RobotsHeader() {}

  /**
   * Returns the values without directives for other crawlers, and without our own name.
   *
   * @param agents names of our crawler, in lower case
   */
  static List<String> of(String[] values, Set<String> agents) {
    List<String> ours = new ArrayList<>();
    for (String value : values) {
      List<String> kept = new ArrayList<>();
      boolean isOurs = true;
      for (String part : value.split(",")) {
        String rest = part.trim();
        int colon = rest.indexOf(':');
        String name = colon < 0 ? "" : rest.substring(0, colon).trim().toLowerCase(Locale.ROOT);
        if (NAME.matcher(name).matches() && !WITH_VALUE.contains(name)) {
          isOurs = agents.contains(name) || name.equals("robots");
          rest = rest.substring(colon + 1).trim();
        }
        if (isOurs) {
          kept.add(rest);
        }
      }
      ours.add(String.join(", ", kept));
    }
    return ours;
  }
}
